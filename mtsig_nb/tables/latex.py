"""Tables in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from .columns import Column, on_one_line, printed, rows_of

#: How characters are written that have a meaning in LaTeX, or none in its older fonts.
_ESCAPES = {
    "\\": r"\textbackslash{}",
    **{character: rf"\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Not the straight forms, which old LaTeX lacks without textcomp, and OT1 fonts altogether.
    '"': r"\textquotedblright{}",
    "`": r"\textquoteleft{}",
    "–": r"\textendash{}",
}


def to_latex(
    frame: pd.DataFrame | Sequence[Column], *, digits: int = 2, comments: Sequence[str] = ()
) -> str:
    r"""LaTeX with booktabs' rules.

    The document needs ``\usepackage{booktabs}``, and UTF-8 input for names beyond ASCII.

    Parameters
    ----------
    frame : DataFrame, or columns as `printed` returns them
    digits : int
        Decimals of scores and differences.
    comments : sequence of str
        Lines that stand before the table, and that LaTeX does not print.

    Examples
    --------
    >>> print(to_latex(pd.DataFrame({"system": ["a_1"], "pvalue": [0.00001]})), end="")
    \begin{tabular}{lr}
    \toprule
    system & p \\
    \midrule
    a\_1 & $<0.0001$ \\
    \bottomrule
    \end{tabular}
    """
    columns = printed(frame, digits=digits)
    alignment = "".join("r" if column.numeric else "l" for column in columns)
    headings = [latex_text(column.heading) for column in columns]
    lines = [f"% {on_one_line(comment)}" for comment in comments]
    lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", _row(headings), r"\midrule"]
    lines += map(_row, rows_of(columns, latex_text, _latex_number))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    """A row of a tabular."""
    return " & ".join(cells) + r" \\"


def latex_text(text: str) -> str:
    r"""Text as LaTeX, on one line.

    Hyphens are kept apart, which would join to a dash (``QCRI--primary``).  A bracket or star at
    the start stands in braces, since ``\\`` on the line before would take it for its own.

    >>> print(latex_text("95 % of a_b"))
    95 \% of a\_b
    """
    escaped = "".join(_ESCAPES.get(character, character) for character in on_one_line(text))
    with_hyphens_apart = re.sub("-(?=-)", "-{}", escaped)
    return re.sub(r"^([\[*])", r"{\1}", with_hyphens_apart)


def _latex_number(text: str) -> str:
    """A number or an interval in mathematics, with its mark as a superscript; others as text."""
    parts = re.fullmatch(r"([<>]?[+-]?[\d.]+|\[.*\])([*?]?) *", text)
    if parts is None:
        return latex_text(text.strip())
    number, mark = parts.groups()
    return f"${number}^{{{mark}}}$" if mark else f"${number}$"
