"""Tidy CSV with every digit, in which nothing is a formula."""

from __future__ import annotations

import re
from typing import Any

from ..frames import pd
from ..texts.files import is_number


def to_csv(frame: pd.DataFrame) -> str:
    """Tidy CSV with every digit.

    Names that a spreadsheet would compute get an apostrophe; see `escape_formula`.

    Examples
    --------
    >>> print(to_csv(pd.DataFrame({"system": ["a", "=1+1"], "score": [31.4159265, 30.0]})), end="")
    system,score
    a,31.4159265
    '=1+1,30.0
    """
    safe = frame.rename(columns=escape_formula)
    for place, dtype in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            safe.isetitem(place, frame.iloc[:, place].map(escape_formula).array)
    return str(safe.to_csv(index=False, lineterminator="\n"))


def escape_formula(cell: Any) -> Any:
    """A cell of a CSV file as a spreadsheet should show it: never as a formula to compute.

    Programs for spreadsheets compute a cell that begins like a formula, which whoever chose the
    name may make read files or call the network.  An apostrophe before it makes it a text; what is
    no text, or is a number, stays as it is.  Line breaks become LF: a lone CR would stand without
    quotation marks, and begin a new cell.

    Examples
    --------
    >>> [escape_formula(cell) for cell in ("@SUM(A1)", "-tuned", "-0.5", "base-line", 0.5)]
    ["'@SUM(A1)", "'-tuned", '-0.5', 'base-line', 0.5]
    """
    if not isinstance(cell, str):
        return cell
    text = re.sub("\r\n?", "\n", cell)
    begins_like_formula = text.lstrip().startswith(("=", "+", "-", "@"))
    return f"'{text}" if begins_like_formula and not is_number(text) else text
