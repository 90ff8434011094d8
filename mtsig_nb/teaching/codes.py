"""Codes that readers hand in: what they answered, and whose they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..components import Component
from ..components.codes import Codes, answers_of, entries_in
from ..components.judge import planted, quiz

if TYPE_CHECKING:
    import pandas as pd


def read_codes(codes: Codes, judged: Component | None = None) -> pd.DataFrame:
    """What readers have said, from the codes that their pages showed them.

    Parameters
    ----------
    codes : sequence of str, or path
        Codes; or a text file with one a line, or a folder of such files.
    judged : Component, optional
        What they have judged or answered, as :func:`be_the_judge` or :func:`inventory` gives it; by
        default the items of the course.

    Returns
    -------
    DataFrame
        A row for each code and a column for each item: ``"Ash"``, ``"Birch"``,
        ``"no difference"``, or None where it was not judged; of the inventory letters.  A row has
        its code's number, counted from 0, or its label where `codes` is a Series.

    Raises
    ------
    InputError
        If none of the codes is one of this page; the message names the first.

    Warns
    -----
    UserWarning
        For each code that has been mistyped, or answers what was not asked, with its place.  It has
        no row.

    Examples
    --------
    >>> table = read_codes(["N3VGN3VGN2Q"])
    >>> table.iloc[0].value_counts().to_dict()
    {'Ash': 12, 'Birch': 12}
    """
    import pandas as pd

    table = answers_of(entries_in(codes), judged or quiz(planted(), n_resamples=500))
    if isinstance(codes, pd.Series):
        table.index = codes.index[table.index]
    return table


def handed_in(**times: Codes) -> pd.DataFrame:
    """Codes with the pseudonyms that students made up, so that one student's can be matched.

    Parameters
    ----------
    **times : sequence of str, or path
        For each time, such as ``before`` and ``after``, lines with a pseudonym and then a code: the
        lines, a text file with them, or a folder of text files.

    Returns
    -------
    DataFrame
        A row for each line that is not empty: ``student``, the pseudonym in small letters, without
        spaces and punctuation; ``time``; ``attempt``, 1 for a student's first line of that time;
        ``code``; and ``alone``, whether the pseudonym occurs at one time only.  A line without a
        pseudonym is named by its place, and stays.

    Examples
    --------
    >>> handed_in(before=["Amber 17, N3VG", "N2QA"], after=["amber-17 N3VH"])
          student    time  attempt  code  alone
    0     amber17  before        1  N3VG  False
    1  (before 2)  before        1  N2QA   True
    2     amber17   after        1  N3VH  False
    """
    import pandas as pd

    rows = []
    for time, lines in times.items():
        texts = [entry.text.strip() for entry in entries_in(lines)]
        not_empty = [text for text in texts if text]
        for number, text in enumerate(not_empty, start=1):
            *words, code = re.split(r"[\s,;]+", text)
            student = _pseudonym(words) or f"({time} {number})"
            rows.append((student, time, code))
    table = pd.DataFrame(rows, columns=["student", "time", "code"])
    attempt = table.groupby(["student", "time"]).cumcount() + 1
    table.insert(2, "attempt", attempt)
    n_times = table.groupby("student")["time"].transform("nunique")
    table["alone"] = n_times == 1
    return table


def _pseudonym(words: list[str]) -> str:
    """The words in small letters, without spaces and punctuation."""
    name = "".join(words)
    return "".join(filter(str.isalnum, name)).casefold()
