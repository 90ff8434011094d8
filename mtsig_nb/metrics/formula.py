"""Ratios of sums of columns, as people type them: ``errors/words``, ``2*tp/(2*tp+fp+fn)``.

A formula is read as a quotient of two sums of columns, each with a factor.  Columns are summed over
the units of a sample first, and then the one sum is divided by the other.  So a formula is refused
if its columns cannot be summed first: products and powers of columns, sums of unlike ratios, and a
number beside a column, of which nobody could say whether it is added once or in each row.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import math
import re
from collections.abc import Mapping

from ..errors import InputError

#: The longest formula that is read.
_LONGEST = 1_000
#: What formulas are made of: names in quotation marks, numbers, plain names, and signs.
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<quoted>"[^"]*"|'[^']*')
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    |(?P<sign>\*\*|//|\S)
    )""",
    re.VERBOSE,
)
_SIGNS = frozenset("+-*/()")
_HOW = (
    "Write a ratio of columns, as in errors/words or 2*tp/(2*tp+fp+fn): + - * /, numbers, "
    "parentheses, and names of columns, in quotation marks unless they are plain words."
)

#: A sum of columns and a number: the factor of each column by its name, the number under None.
_Terms = Mapping[str | None, float]


@dataclasses.dataclass(frozen=True)
class Formula:
    """A quotient of two sums of columns.

    Attributes
    ----------
    text : str
        As it was typed.
    columns : tuple of str
        In the order in which they stand there.
    numerator, denominator : tuple of float
        The factors of the columns above and below the fraction bar.
    """

    text: str
    columns: tuple[str, ...]
    numerator: tuple[float, ...]
    denominator: tuple[float, ...]

    @property
    def share(self) -> tuple[str, str] | None:
        """The column above and the column below, if there is one of each; None otherwise.

        >>> parse_formula("100*correct/total").share
        ('correct', 'total')
        """
        above = [name for name, factor in zip(self.columns, self.numerator, strict=True) if factor]
        below = [
            name for name, factor in zip(self.columns, self.denominator, strict=True) if factor
        ]
        if len(above) == len(below) == 1 and above != below:
            return above[0], below[0]
        return None


@dataclasses.dataclass(frozen=True)
class _Ratio:
    """A quotient of two sums of columns and numbers.

    A part of a formula without a fraction bar has ``{None: 1.0}`` below.
    """

    above: _Terms
    below: _Terms

    @property
    def number(self) -> float | None:
        """The number that it is, if it has no columns; None otherwise."""
        if _has_columns(self.above) or _has_columns(self.below):
            return None
        return self.above.get(None, 0.0) / self.below[None]  # a number stands where no column does


def named_formula(text: str) -> tuple[str, Formula] | None:
    """A formula with its name, from ``NAME=FORMULA``; None for a text that is no such thing.

    Raises
    ------
    InputError
        If what follows the name is no formula.

    Examples
    --------
    >>> named_formula("accuracy = correct/total")[0]
    'accuracy'
    >>> named_formula("COMET"), named_formula("BLEU:tokenize=char")
    (None, None)
    """
    name, equals, formula = text.partition("=")
    name = name.strip()
    if not equals or ":" in name:
        return None
    if not name:
        raise InputError(f"metric={text!r}: a ratio needs a name, as in WER=errors/words.")
    return name, parse_formula(formula.strip())


@functools.cache
def parse_formula(text: str) -> Formula:
    """A formula from its text.

    Parameters
    ----------
    text : str
        A ratio of columns made with ``+ - * /``, numbers, parentheses and names of columns.

    Raises
    ------
    InputError
        If it is anything else: the message has the part that is wrong, and the form.

    Examples
    --------
    >>> parse_formula("2*tp / (2*tp + fp + fn)")
    Formula(text='2*tp / (2*tp + fp + fn)', columns=('tp', 'fp', 'fn'), numerator=(2.0, 0.0, 0.0),
    denominator=(2.0, 1.0, 1.0))
    >>> parse_formula("100 * (1 - errors/'n words')").numerator
    (-100.0, 100.0)
    """
    if len(text) > _LONGEST:
        raise InputError(f"formula={text[:40]!r}... has more than {_LONGEST:,} characters. {_HOW}")
    return _Reader(text).formula()


class _Reader:
    """One formula, in tokens.

    Columns stand as ``_0``, ``_1`` and so on in what Python parses.  So they may have any name,
    also one that is a word of Python's, such as "pass".
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.columns: list[str] = []
        #: The tokens as they were typed.
        self.tokens: list[str] = []
        #: The same for Python.
        self.plain_tokens: list[str] = []
        for match in _TOKEN.finditer(text):
            self._add(match)

    def _add(self, match: re.Match[str]) -> None:
        """Take a token."""
        token = match[match.lastgroup or 0]
        plain = token
        if match.lastgroup in ("quoted", "name"):
            name = token[1:-1] if match.lastgroup == "quoted" else token
            if name not in self.columns:
                self.columns.append(name)
            plain = f"_{self.columns.index(name)}"
        elif match.lastgroup == "number":
            plain = repr(float(token))
            if not math.isfinite(float(token)):
                raise self._refused(f"{token} is too large")
        elif token not in _SIGNS:
            raise self._refused(f"{token!r} has no meaning in it")
        self.tokens.append(token)
        self.plain_tokens.append(plain)

    def formula(self) -> Formula:
        """What it means."""
        try:
            ratio = self._ratio(self._tree())
        except (RecursionError, MemoryError):
            raise self._refused("it is nested too deeply") from None
        above = self._checked(ratio.above, "above")
        below = self._checked(ratio.below, "below")
        used = [name for name in self.columns if name in above or name in below]
        return Formula(
            text=self.text.strip(),
            columns=tuple(used),
            numerator=tuple(above.get(name, 0.0) for name in used),
            denominator=tuple(below.get(name, 0.0) for name in used),
        )

    def _tree(self) -> ast.expr:
        """The formula as Python parses it."""
        if not self.tokens:
            raise self._refused("it is empty")
        try:
            return ast.parse(" ".join(self.plain_tokens), mode="eval").body
        except SyntaxError as error:
            is_cut_off = self.tokens[-1] in _SIGNS - {")"}
            place = "its end" if is_cut_off else self._token_at((error.offset or 1) - 1)
            raise self._refused(f"something is wrong at {place}") from None

    def _token_at(self, offset: int) -> str:
        """The token at a place of what Python parsed, as messages name it."""
        end = 0
        for token, plain in zip(self.tokens, self.plain_tokens, strict=True):
            end += len(plain) + 1
            if offset < end:
                return repr(token)
        return "its end"

    def _typed(self, node: ast.expr) -> str:
        """A part of the formula, with the columns' own names."""
        return re.sub(r"\b_(\d+)\b", lambda match: self.columns[int(match[1])], ast.unparse(node))

    def _refused(self, problem: str) -> InputError:
        """The error for this formula."""
        return InputError(f"formula={self.text!r}: {problem}. {_HOW}")

    def _ratio(self, node: ast.expr) -> _Ratio:
        """The quotient that a part of the formula is."""
        if isinstance(node, ast.Constant):
            return _Ratio({None: float(node.value)}, {None: 1.0})  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            column = self.columns[int(node.id[1:])]
            return _Ratio({column: 1.0}, {None: 1.0})
        if isinstance(node, ast.UnaryOp):
            sign = -1.0 if isinstance(node.op, ast.USub) else 1.0
            ratio = self._ratio(node.operand)
            return _Ratio(_scaled(ratio.above, sign), ratio.below)
        if not isinstance(node, ast.BinOp):
            raise self._refused(f"{self._typed(node)!r} has no meaning in it")
        left = self._ratio(node.left)
        right = self._ratio(node.right)
        if isinstance(node.op, ast.Mult):
            return self._product(node, left, right)
        if isinstance(node.op, ast.Div):
            return self._quotient(node, left, right)
        if isinstance(node.op, ast.Sub):
            right = _Ratio(_scaled(right.above, -1.0), right.below)
        return self._sum(node, left, right)

    def _sum(self, node: ast.expr, left: _Ratio, right: _Ratio) -> _Ratio:
        """The sum of two quotients with the same denominator, or of a number and a quotient."""
        if left.below == right.below:
            return _Ratio(_added(left.above, right.above), left.below)
        if left.number is not None:
            return _Ratio(_added(_scaled(right.below, left.number), right.above), right.below)
        if right.number is not None:
            return _Ratio(_added(left.above, _scaled(left.below, right.number)), left.below)
        raise self._refused(f"{self._typed(node)!r} adds terms with different denominators")

    def _product(self, node: ast.expr, left: _Ratio, right: _Ratio) -> _Ratio:
        """The product of a number and a quotient."""
        if left.number is not None:
            return _Ratio(_scaled(right.above, left.number), right.below)
        if right.number is not None:
            return _Ratio(_scaled(left.above, right.number), left.below)
        raise self._refused(f"{self._typed(node)!r} multiplies columns by each other")

    def _quotient(self, node: ast.BinOp, left: _Ratio, right: _Ratio) -> _Ratio:
        """A quotient over a number, or of two sums."""
        divisor = right.number
        if divisor is not None:
            if divisor == 0:
                raise self._refused(f"{self._typed(node)!r} divides by 0")
            return _Ratio(_scaled(left.above, 1 / divisor), left.below)
        if _has_columns(left.below) or _has_columns(right.below):
            raise self._refused(f"{self._typed(node)!r} has a fraction within a fraction")
        return _Ratio(left.above, right.above)

    def _checked(self, terms: _Terms, where: str) -> dict[str, float]:
        """The factors of the columns above or below the fraction bar, without those of 0.

        Raises
        ------
        InputError
            If there is no column, or a number beside columns.
        """
        factors = {name: factor for name, factor in terms.items() if name is not None and factor}
        if not factors:
            raise self._refused(f"there is no column {where} the fraction bar")
        if terms.get(None, 0.0):
            raise self._refused(
                f"a number is added to columns {where} the fraction bar, and it is not clear "
                "whether once or in each row"
            )
        if not all(map(math.isfinite, factors.values())):
            raise self._refused("a number in it is too large")
        return factors


def _has_columns(terms: _Terms) -> bool:
    """Whether a sum has columns, and is not a number alone."""
    return any(name is not None for name in terms)


def _scaled(terms: _Terms, factor: float) -> _Terms:
    """A sum, times a number."""
    return {name: factor * value for name, value in terms.items()}


def _added(first: _Terms, second: _Terms) -> _Terms:
    """The sum of two sums."""
    total = dict(first)
    for name, value in second.items():
        total[name] = total.get(name, 0.0) + value
    return total
