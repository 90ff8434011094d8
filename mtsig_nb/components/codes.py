"""Questions for a class, and the codes that readers' pages make of their answers."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from . import Component

#: What a code is written in: letters and digits that nobody mistakes for others.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
#: Codes as they are handed in: themselves, or a file or folder that has them.
Codes = Sequence[str] | str | os.PathLike[str]


def key_of(text: str) -> int:
    """What a code of these questions begins to count from, so that it is no code of others."""
    return 1 + zlib.crc32(text.encode()) % 30


def exam(questions: Sequence[Mapping[str, Any]]) -> Component:
    """Questions one after the other, and at the end a code for :func:`read_codes`.

    The page does not say what is right, so that it can be given before a course and after it.

    Parameters
    ----------
    questions : sequence of mapping
        ``stem``, and ``options``, seven at most.

    Examples
    --------
    >>> exam([{"stem": "Heads or tails?", "options": ["heads", "tails"]}])
    exam of 1 question
    """
    data = {
        "questions": [dict(question) for question in questions],
        "bits": 3,
        "key": key_of(questions[0]["stem"]),
        "answers": list("ABCDEFG"),
    }
    n = len(questions)
    return Component(f"exam of {n} question{'s' * (n != 1)}", data, ("codes", "exam"))


def answers_of(codes: Sequence[str], asked: Component) -> pd.DataFrame:
    """What each code says of each item; see :func:`mtsig_nb.teaching.read_codes`."""
    data = asked.data
    n_items = len(data.get("items") or data["questions"])
    said = [None, *data["answers"]]
    rows = [
        [said[place] for place in _places(code, number, n_items, data["bits"], data["key"])]
        for number, code in enumerate(codes, start=1)
    ]
    items = pd.RangeIndex(1, n_items + 1, name="item")
    return pd.DataFrame(rows, columns=items).rename_axis("reader")


def code_of(answers: Sequence[str | None], asked: Component) -> str:
    """The code that a page shows a reader who gave these answers, None for what was left out.

    Examples
    --------
    >>> asked = exam([{"stem": "Heads or tails?", "options": ["heads", "tails"]}])
    >>> answers_of([code_of(["B"], asked)], asked).loc[0, 1]
    'B'
    """
    said, width = [None, *asked.data["answers"]], asked.data["bits"]
    bits = "".join(f"{said.index(answer):0{width}b}" for answer in answers)
    values = [int(bits[n : n + 5].ljust(5, "0"), 2) for n in range(0, len(bits), 5)]
    check = (asked.data["key"] + sum((n + 1) * value for n, value in enumerate(values))) % 31
    return "".join(LETTERS[value] for value in [*values, check])


def _places(code: str, number: int, n_items: int, width: int, key: int) -> list[int]:
    letters = code.strip().upper()
    places = [LETTERS.find(letter) for letter in letters]
    *values, check = places or [-1]
    length = -(-width * n_items // 5) + 1
    right = (key + sum((n + 1) * value for n, value in enumerate(values))) % 31
    if len(letters) != length or min(places) < 0 or check != right:
        raise InputError(
            f"codes: number {number}, {code!r}, is not a code of this page, which has {length} "
            "letters and digits; copy it again."
        )
    bits = "".join(f"{value:05b}" for value in values)
    return [int(bits[width * n : width * (n + 1)], 2) for n in range(n_items)]


def lines_in(given: Codes) -> Sequence[str]:
    """The lines that were handed in: themselves, or those of a file or a folder of ``*.txt``."""
    if not isinstance(given, str | os.PathLike):
        return given
    place = Path(given)
    files = sorted(place.glob("*.txt")) if place.is_dir() else [place]
    return [line for one in files for line in one.read_text(encoding="utf-8-sig").splitlines()]
