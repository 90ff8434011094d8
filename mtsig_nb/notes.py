"""What a reader should know of a result: notes are data, whose sentences are in ``notes.toml``.

A note is a string with a `code`, by which it is found again, and the `values` of its sentence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: Sentences by code; braces name the values.
SENTENCES: dict[str, str] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


class NotedWarning(UserWarning):
    """A warning of what a note of the result says as well, for those who show no notes."""


class Note(str):
    """A sentence about a result, with the `code` and the `values` that it was made of.

    Examples
    --------
    >>> one = note("few-units", n=12, unit="segments")
    >>> one
    'only 12 segments: an estimate from few units is unstable'
    >>> one.code, one.values["n"]
    ('few-units', 12)
    """

    code: str
    values: dict[str, Any]


def note(code: str, **values: Any) -> Note:
    """The note of that code, its sentence filled in with `values`."""
    made = Note(SENTENCES[code].format(**values))
    made.code, made.values = code, values
    return made


def together(notes: Iterable[Note]) -> Note:
    """Several notes in one cell of a table, and in `values` each of them."""
    notes = tuple(notes)
    made = Note("; ".join(notes))
    made.code, made.values = "several", {"notes": notes}
    return made


def parts(said: str) -> tuple[str, ...]:
    """The notes that `together` put into one, or the note itself; none of an empty string."""
    if isinstance(said, Note) and said.code == "several":
        return tuple(said.values["notes"])
    return (said,) if said else ()


def with_options(said: str, option: str) -> str:
    r"""What is said of Python's arguments, with options of another interface in their place.

    >>> with_options("with documents as units; use units='documents'", r"--\1 \2")
    'with documents as units; use --units documents'
    >>> with_options("if they are not the same, say shared=False", r"--\1 \2")
    'if they are not the same, say --shared no'
    """
    for value, answer in (("True", "yes"), ("False", "no")):
        said = said.replace(f"shared={value}", f"shared='{answer}'")
    named = r"\b(units|correction|test|alternative|interval|shared|tokenize)='([\w-]+)'"
    return re.sub(named, option, said)


def code_of(said: str) -> str:
    """The code of a note; of any other string none."""
    return said.code if isinstance(said, Note) else ""
