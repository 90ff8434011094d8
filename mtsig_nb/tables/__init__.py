"""Tables as text: what a cell looks like when it is printed, and the formats that it is printed in.

Decides how numbers are rounded for reading, and how each format escapes what it would take for
markup.  Knows nothing of statistics.  Imports files alone, for what is a number.
"""

from __future__ import annotations

from .columns import MISSING, Column, printed, printed_pvalue, text_width
from .delimited import escape_formula, to_csv
from .latex import latex_text, to_latex
from .markdown import markdown_text, to_markdown
from .web import to_html

__all__ = [
    "MISSING",
    "Column",
    "escape_formula",
    "latex_text",
    "markdown_text",
    "no_formula",
    "printed",
    "printed_pvalue",
    "text_width",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
]

#: The former name of `escape_formula`.
no_formula = escape_formula
