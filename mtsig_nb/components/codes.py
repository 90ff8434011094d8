"""Questions for a class, and the codes that readers' pages make of their answers."""

from __future__ import annotations

import math
import os
import warnings
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ..errors import InputError
from . import Component

#: What a code is written in: letters and digits that nobody mistakes for others.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
#: Codes as they are handed in: themselves, or a file or folder that has them.
Codes = Sequence[str] | str | os.PathLike[str]
#: The largest file of codes that is read, in bytes: of a class of many thousands.
MOST_BYTES = 1_000_000


class Entry(NamedTuple):
    """A line that was handed in, and where it stands, such as ``"number 2"``."""

    place: str
    text: str


def key_of(text: str) -> int:
    """What is added to a code's check value, by the text of the questions.

    So a code of one set of questions is rarely a code of another.
    """
    return 1 + zlib.crc32(text.encode()) % 30


def exam(questions: Sequence[Mapping[str, Any]], about_guessing: str = "") -> Component:
    """Questions one after the other, and at the end a code for :func:`read_codes`.

    By default the page does not say what is right, so that it can be given before a course and
    after it.

    Parameters
    ----------
    questions : sequence of mapping
        Each with its ``stem``, a text, and its ``options``, seven texts at most.  If the page is to
        end with the score and with what to read again, each also has ``right``, the place of the
        right option from 0; ``because``, why it is right; ``replies``, a text for each option; and
        ``unit``, with the ``title`` and the ``page`` to read, or None.
    about_guessing : str
        A sentence that stands beside the score.

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
        "about_guessing": about_guessing,
    }
    noun = "question" if len(questions) == 1 else "questions"
    return Component(f"exam of {len(questions)} {noun}", data, ("codes", "exam"))


def answers_of(entries: Iterable[Entry], asked: Component, argument: str = "codes") -> pd.DataFrame:
    """The answer of each code to each item, as :func:`mtsig_nb.teaching.read_codes` returns it.

    A row's label is the number of its code, counted from 0.  A code that cannot be read has no row.
    """
    rows: dict[int, list[str | None]] = {}
    refused: list[InputError] = []
    for number, entry in enumerate(entries):
        try:
            rows[number] = _answers(entry, asked)
        except InputError as error:
            refused.append(InputError(f"{argument}: {error}"))
    if refused and not rows:
        raise refused[0]
    for reason in refused:
        left_out(reason)
    items = pd.RangeIndex(1, _n_items(asked) + 1, name="item")
    readers = pd.Index(list(rows), name="reader", dtype="int64")
    return pd.DataFrame(list(rows.values()), columns=items, index=readers, dtype=object)


def left_out(reason: object) -> None:
    """Warn, at the caller of the public function, that something is left out, and why."""
    warnings.warn(f"{str(reason).removesuffix('.')}. It is left out.", stacklevel=4)


def code_of(answers: Sequence[str | None], asked: Component) -> str:
    """The code that a page shows a reader who gave these answers, None for what was left out.

    Examples
    --------
    >>> asked = exam([{"stem": "Heads or tails?", "options": ["heads", "tails"]}])
    >>> answers_of(numbered([code_of(["B"], asked)]), asked).loc[0, 1]
    'B'
    """
    choices = [None, *asked.data["answers"]]
    width = asked.data["bits"]  # of an answer
    bits = "".join(f"{choices.index(answer):0{width}b}" for answer in answers)
    values = []  # of the letters, each of five bits
    for start in range(0, len(bits), 5):
        five = bits[start : start + 5].ljust(5, "0")
        values.append(int(five, 2))
    values.append(_check_value(values, asked))
    return "".join(LETTERS[value] for value in values)


def _check_value(values: Sequence[int], asked: Component) -> int:
    """The value of a code's last letter, by which a mistyped code is noticed."""
    weighted_sum = sum(place * value for place, value in enumerate(values, start=1))
    return int(asked.data["key"] + weighted_sum) % 31


def _n_items(asked: Component) -> int:
    """How many items or questions a page asks."""
    return len(asked.data.get("items") or asked.data["questions"])


def _answers(entry: Entry, asked: Component) -> list[str | None]:
    """The answers behind a code, None for what was left out.

    Raises
    ------
    InputError
        If no page of these questions gives this code.
    """
    choices = [None, *asked.data["answers"]]
    answers = [choices[position] for position in _positions(entry, asked)]
    for number, answer in enumerate(answers, start=1):
        if answer is not None and answer not in _offered(asked, number):
            raise InputError(
                f"{entry.place} answers {answer!r}, which item {number} does not offer."
            )
    return answers


def _offered(asked: Component, number: int) -> list[str]:
    """The answers that can be given to the item of that number."""
    answers = list(asked.data["answers"])
    if "questions" not in asked.data:
        return answers
    question = asked.data["questions"][number - 1]
    return answers[: len(question["options"])]


def _positions(entry: Entry, asked: Component) -> list[int]:
    """For each item the position of its answer among all answers, from 1; 0 for none."""
    width = asked.data["bits"]
    n_items = _n_items(asked)
    n_letters = math.ceil(width * n_items / 5) + 1
    letters = entry.text.strip().upper()
    values = [LETTERS.find(letter) for letter in letters]  # -1 for what is no letter of codes
    is_code = len(values) == n_letters and -1 not in values
    if not is_code or values[-1] != _check_value(values[:-1], asked):
        raise InputError(
            f"{entry.place}, {entry.text!r}, is not a code of this page, which has {n_letters} "
            "letters and digits; copy it again."
        )
    bits = "".join(f"{value:05b}" for value in values[:-1])
    positions = []
    for start in range(0, width * n_items, width):
        positions.append(int(bits[start : start + width], 2))
    return positions


def numbered(codes: Iterable[object]) -> list[Entry]:
    """Codes with their places; what is no text, such as a missing value, is a code of no page."""
    entries = []
    for number, code in enumerate(codes, start=1):
        text = code if isinstance(code, str) else str(code)
        entries.append(Entry(f"number {number}", text))
    return entries


def entries_in(given: Codes) -> list[Entry]:
    """The lines that were handed in: themselves, or those of a file or a folder of ``*.txt``.

    In a folder a file that cannot be read, and one of another kind, is left out with a warning.

    Raises
    ------
    InputError
        If it is a single file that cannot be read.
    """
    if not isinstance(given, str | os.PathLike):
        return numbered(given)
    place = Path(given)
    if not place.is_dir():
        return _lines_of(place)
    entries: list[Entry] = []
    for path in sorted(place.iterdir()):
        if path.name.startswith("."):  # the operating system's, such as .DS_Store
            continue
        try:
            lines = _lines_of(path, suffix=".txt")
        except InputError as error:
            left_out(error)
            continue
        if not lines:
            left_out(f"{path.name!r} is empty")
        entries += lines
    return entries


def _lines_of(path: Path, suffix: str = "") -> list[Entry]:
    """The lines of a file that are not blank; `InputError` if it is no file of codes.

    With a `suffix`, the file's name has to end in it.
    """
    name = repr(path.name)
    if path.is_dir():
        raise InputError(f"{name} is a folder. Put the files of codes in one folder.")
    if suffix and path.suffix.lower() != suffix:
        raise InputError(f"{name} does not end in {suffix}. Rename it if it has codes.")
    try:
        if path.exists() and not path.is_file():  # reading it might never end
            raise InputError(f"{name} is a device or a pipe. Give a file.")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(
                f"{name} has {size:,} bytes, too many for a file of codes, one on each line."
            )
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from None
    except FileNotFoundError:
        raise InputError(
            f"There is no file {name}. Give codes in a list, or the name of a file or a folder."
        ) from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None
    return [
        Entry(f"{name}, line {number}", line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
