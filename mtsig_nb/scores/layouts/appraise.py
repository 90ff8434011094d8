"""What Appraise exports of a campaign: a line for each rating, without names of columns.

``ExportSystemScoresToCSV`` writes the rater, the system, the item, its type (TGT for an output, and
BAD, REF or CHK for control items), two languages and the score; of documents also the document,
whether the rating is of all of it, and what was marked; then the times of beginning and end, and on
request the batch and the item's number.
"""

from __future__ import annotations

import csv
import re

import pandas as pd

from ...errors import InputError
from ..controls import TYPE_ALIASES
from ..labels import RATER, TEST_SET
from ..readers import Sign
from ..score_file import ScoreFile, check_size, numbered_lines
from ..source import ScoreSource

SIGN = Sign.FORM

#: Columns that stand in every line.
_FIRST = (RATER, "system", "segment", "itemType", "from", "into", "score")
#: Columns of lines about a document: which it is, and whether the rating is of all of it.
_DOCUMENT = ("document", "isCompleteDocument")
_WHETHER_COMPLETE = ("True", "False")
_TIMES = ("start timestamp", "end timestamp")
_BATCH = ("batch", "item number")
_SPANS = "error spans"
#: Columns that may stand behind these, by how many there are.
_LAST = {
    0: (),
    2: _TIMES,
    3: (_SPANS, *_TIMES),
    4: (*_TIMES, *_BATCH),
    5: (_SPANS, *_TIMES, *_BATCH),
}
_TYPES = frozenset((*TYPE_ALIASES, "REF"))
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z]+)*")
_NUMBER = re.compile(r"\d+(\.\d+)?")
#: A line that is not blank.
_FILLED_LINE = re.compile(r"^.*\S.*$", re.MULTILINE)


def read_text(source: ScoreSource, text: str) -> ScoreFile | None:
    """A row for each rating, control items among them; None for a text that is no such export.

    The two languages are the test set.

    Raises
    ------
    InputError
        If a line has not as many fields as the first, or its quotation marks are damaged.
    """
    names = _names(text)
    if names is None:
        return None
    filled, _ = numbered_lines(text)
    check_size(source, len(filled), len(names))
    rows = []
    for number, line in zip(filled.index, filled, strict=True):
        try:
            cells = next(csv.reader([line], strict=True))
        except csv.Error as error:
            raise _not_as_exported(source, number, str(error)) from None
        if len(cells) != len(names):
            problem = f"it has {len(cells)} fields, and the first line has {len(names)}"
            raise _not_as_exported(source, number, problem)
        rows.append(cells)
    columns = zip(*rows, strict=True)
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)), filled.index, dtype=object)
    frame[TEST_SET] = frame.pop("from") + "-" + frame.pop("into")
    remark = "columns are those of Appraise's export (ExportSystemScoresToCSV)"
    return ScoreFile(source, frame, remarks=(remark,))


def _names(text: str) -> list[str] | None:
    """The names of the columns of an export, by its first line; None for anything else.

    >>> _names("ann,elm,1,TGT,deu,eng,71,1700000000.5,1700000009.5")[:3]
    ['(rater)', 'system', 'segment']
    """
    first = _FILLED_LINE.search(text)
    if first is None:
        return None
    try:
        cells = next(csv.reader([first[0]]), [])
    except csv.Error:
        return None
    names = list(_FIRST)
    complete = len(_FIRST) + _DOCUMENT.index("isCompleteDocument")
    if len(cells) > complete and cells[complete] in _WHETHER_COMPLETE:
        names += _DOCUMENT
    n_last = len(cells) - len(names)
    if n_last not in _LAST:
        return None
    first_cells = dict(zip(_FIRST, cells, strict=False))
    if first_cells["itemType"] not in _TYPES:
        return None
    languages = (first_cells["from"], first_cells["into"])
    if not all(map(_LANGUAGE.fullmatch, languages)) or not _NUMBER.fullmatch(first_cells["score"]):
        return None
    return [*names, *_LAST[n_last]]


def _not_as_exported(source: ScoreSource, line: int, problem: str) -> InputError:
    """The error for a line that is not as the first one."""
    return InputError(
        f"{source.at(line)} is not as Appraise exports it: {problem}. Export the scores again, or "
        "remove the line."
    )
