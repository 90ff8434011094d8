"""Tables in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from .columns import Column, on_one_line, printed, rows_of

_LATEX = {
    "\\": r"\textbackslash{}",
    **{c: rf"\{c}" for c in "&%$#_{}"},
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
    lines = [
        *(f"% {on_one_line(comment)}" for comment in comments),
        r"\begin{tabular}{" + "".join("r" if c.numeric else "l" for c in columns) + "}",
        r"\toprule",
        " & ".join(_latex(c.heading) for c in columns) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows_of(columns, _latex, _latex_number)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex(text: str) -> str:
    r"""Text as LaTeX, on one line.

    Also kept apart: hyphens, which would join to a dash (``QCRI--primary``), and a bracket or star
    at the start, which ``\\`` on the line before would take for its own.
    """
    escaped = "".join(_LATEX.get(c, c) for c in on_one_line(text))
    escaped = re.sub("-(?=-)", "-{}", escaped)
    return re.sub(r"^[\[*]", lambda found: f"{{{found[0]}}}", escaped)


def _latex_number(text: str) -> str:
    """A number in mathematics, its mark above; as text whatever is none."""
    found = re.fullmatch(r"([<>]?[+-]?[\d.]+|\[.*\])([*?]?) *", text)
    if found is None:
        return _latex(text.strip())
    return f"${found[1]}{f'^{{{found[2]}}}' if found[2] else ''}$"
