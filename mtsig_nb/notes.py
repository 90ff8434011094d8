"""What a reader should know of a result: notes are data, whose sentences are in ``notes.toml``.

A note is a string with a `code`, by which it is found again, and the `values` of its sentence.
Options are written ``{option:units=documents}`` there, and stay options in the note.
"""

from __future__ import annotations

import contextlib
import string
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .sentences import Option, Sentence

#: Sentences by code; braces name the values.
SENTENCES: dict[str, str] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


class _Sentences(string.Formatter):
    """Fills values in, and chooses between two words by a number: ``{n:is|are}``."""

    def format_field(self, value: Any, spec: str) -> str:
        singular, bar, plural = spec.partition("|")
        if not bar:
            return str(super().format_field(value, spec))
        return singular if value == 1 else plural


class NotedWarning(UserWarning):
    """A warning of what a note of the result says as well, for those who show no notes."""


@contextlib.contextmanager
def warnings_kept() -> Iterator[list[str]]:
    """A list to which all is added that is warned of within it; it is shown as ever.

    What a note of the result says as well is not added.
    """
    messages: list[str] = []
    with warnings.catch_warnings():
        show = warnings.showwarning

        def keep(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            if not issubclass(category, NotedWarning):
                messages.append(str(message))
            show(message, category, *rest, **more)

        warnings.showwarning = keep
        yield messages


class Note(Sentence):
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

    @classmethod
    def of(cls, parts: Iterable[str | Option], code: str, values: dict[str, Any]) -> Note:
        """A note made of the parts of its sentence."""
        made = cls(*parts)
        made.code = code
        made.values = values
        return made


def note(code: str, **values: Any) -> Note:
    """The note of that code, its sentence filled in with `values`.

    >>> note("exact", n=1), note("exact", n=4096)
    ('exact: 1 arrangement', 'exact: 4,096 arrangements')
    """
    return Note.of(_filled_in(SENTENCES[code], values), code, values)


def _filled_in(sentence: str, values: Mapping[str, Any]) -> Iterator[str | Option]:
    """The parts of a sentence, with values in the place of their names."""
    formatter = string.Formatter()
    for text, name, spec, conversion in formatter.parse(sentence):
        yield text
        if name == "option":
            yield _option(spec or "")
        elif name is not None:
            value = values[name]
            is_sentence = isinstance(value, Sentence) and not spec and not conversion
            yield value if is_sentence else _formatted(formatter, value, spec, conversion)


def _option(written: str) -> Option:
    """The option that is written ``name=value``."""
    name, _, value = written.partition("=")
    return Option(name, {"True": True, "False": False}.get(value, value))


def _formatted(
    formatter: string.Formatter, value: object, spec: str | None, conversion: str | None
) -> str:
    if spec and "|" in spec:
        singular, plural = spec.split("|")
        return singular if value == 1 else plural
    converted = formatter.convert_field(value, conversion)
    return str(formatter.format_field(converted, spec or ""))


def together(notes: Iterable[Note]) -> Note:
    """Several notes in one cell of a table, and in `values` each of them."""
    notes = tuple(notes)
    parts: list[str] = []
    for one in notes:
        parts += ["; ", one] if parts else [one]
    return Note.of(parts, "several", {"notes": notes})


def parts(said: str) -> tuple[str, ...]:
    """The notes that `together` put into one, or the note itself; none of an empty string."""
    if isinstance(said, Note) and said.code == "several":
        return tuple(said.values["notes"])
    return (said,) if said else ()


def code_of(said: str) -> str:
    """The code of a note; of any other string none."""
    return said.code if isinstance(said, Note) else ""
