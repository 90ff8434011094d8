"""Tables in LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ..bibliography import Citation, cited
from ..frames import pd
from .columns import Column, on_one_line, printed, rows_of

#: Greek letters that LaTeX has as symbols, in the order of Unicode.
_GREEK = {
    "Γ": "Gamma",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
    "Ξ": "Xi",
    "Π": "Pi",
    "Σ": "Sigma",
    "Φ": "Phi",
    "Ψ": "Psi",
    "Ω": "Omega",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "varepsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "varphi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
}
#: Other characters that are symbols of mathematics.
_SYMBOLS = {
    "≤": r"\leq",
    "≥": r"\geq",
    "≈": r"\approx",
    "−": "-",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "∞": r"\infty",
}
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
    **{letter: rf"\ensuremath{{\{name}}}" for letter, name in _GREEK.items()},
    **{symbol: rf"\ensuremath{{{command}}}" for symbol, command in _SYMBOLS.items()},
}
#: Characters that pdfLaTeX has only in fonts of the encoding T1.
_IN_T1 = frozenset("«»ÐÞðþĄąĐđĘęĮįŊŋŲų„‚‹›")
#: Characters of Latin Extended-A that pdfLaTeX does not have at all.
_NOT_IN_PDFLATEX = frozenset("ĦħĸĿŀŉŦŧſ")
#: Further characters that pdfLaTeX has in fonts of any encoding.
_PUNCTUATION = frozenset("—‘’“”…†‡•")
#: More characters than this without a blank may not fit on a line.
_LONG_WORD = 20


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
    lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", latex_row(headings), r"\midrule"]
    lines += map(latex_row, rows_of(columns, latex_text, latex_number))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def latex_row(cells: Sequence[str]) -> str:
    """A row of a tabular."""
    return " & ".join(cells) + r" \\"


def latex_text(text: str) -> str:
    r"""Text as LaTeX, on one line.

    Hyphens are kept apart, which would join to a dash (``QCRI--primary``).  A bracket or star at
    the start stands in braces, since ``\\`` on the line before would take it for its own.

    >>> print(latex_text("95 % of a_b"))
    95 \% of a\_b
    """
    composed = unicodedata.normalize("NFC", on_one_line(text))
    escaped = "".join(_ESCAPES.get(character, character) for character in composed)
    with_hyphens_apart = re.sub("-(?=-)", "-{}", escaped)
    return re.sub(r"^([\[*])", r"{\1}", with_hyphens_apart)


def latex_prose(text: str) -> str:
    r"""A sentence as LaTeX: papers that it names are cited, and long words may be broken.

    >>> print(latex_prose("A level of 95 % with Holm's (1979) correction (Post 2018)."))
    A level of 95\,\% with Holm's correction~\citep{holm-1979-simple}~\citep{post-2018-call}.
    """
    parts = []
    for part in cited(on_one_line(text)):
        if isinstance(part, Citation):
            command = "citet" if part.is_in_sentence else "citep"
            parts.append(rf"~\{command}{{{','.join(part.keys)}}}")
        else:
            words = [_breakable(word) for word in part.split(" ")]
            parts.append(" ".join(words))
    return re.sub(r"(\d) \\%", r"\1\\,\\%", "".join(parts))


def _breakable(word: str) -> str:
    """A word as LaTeX; a long one has places where a line may end."""
    if len(word) <= _LONG_WORD:
        return latex_text(word)
    return r"\allowbreak{}".join(map(latex_text, syllables(word)))


def syllables(word: str, longest: int = 10) -> Iterator[str]:
    """Parts of a long word, of `longest` characters or fewer, that end with its punctuation.

    >>> list(syllables("nllb-200-distilled_600M"))
    ['nllb-', '200-', 'distilled_', '600M']
    """
    for part in re.findall(r"[^-_/:@]*[-_/:@]+|[^-_/:@]+", word):
        for start in range(0, len(part), longest):
            yield part[start : start + longest]


def what_it_needs(text: str) -> str:
    r"""What LaTeX needs to print the characters of a text; empty if nothing.

    >>> what_it_needs("Ångström ± 1"), what_it_needs("łąka")
    ('', '\\usepackage[T1]{fontenc} for: ą')
    >>> what_it_needs("模型-1")
    'XeLaTeX or LuaLaTeX, and a font that has: 型 模'
    """
    rare = set()
    in_t1 = set()
    for character in unicodedata.normalize("NFC", on_one_line(text)):
        if character in _IN_T1:
            in_t1.add(character)
        elif not _is_in_pdflatex(character):
            rare.add(character)
    if rare:
        return f"XeLaTeX or LuaLaTeX, and a font that has: {' '.join(sorted(rare))}"
    if in_t1:
        return rf"\usepackage[T1]{{fontenc}} for: {' '.join(sorted(in_t1))}"
    return ""


def _is_in_pdflatex(character: str) -> bool:
    """Whether pdfLaTeX prints a character in fonts of any encoding, as we write it."""
    if character in _ESCAPES or character in _PUNCTUATION:
        return True
    is_latin = character <= "~" or "\xa0" <= character <= "\u017f"
    return is_latin and character not in _NOT_IN_PDFLATEX


def latex_number(text: str) -> str:
    """A number or an interval in mathematics, with its mark as a superscript; others as text."""
    parts = re.fullmatch(r"([<>]?[+-]?[\d.]+|\[.*\])([*?]?) *", text)
    if parts is None:
        return re.sub(r"(?<![\w{])-(?=\d)", "$-$", latex_text(text.strip()))
    number, mark = parts.groups()
    return f"${number}^{{{mark}}}$" if mark else f"${number}$"
