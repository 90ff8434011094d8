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


class NotedWarning(UserWarning):
    """A warning of what a note of the result says as well, for those who show no notes."""


@contextlib.contextmanager
def warnings_kept() -> Iterator[list[str]]:
    """Collect the messages of all warnings in a list; they are shown as without it.

    A warning of what a note of the result says as well is not collected.
    """
    messages: list[str] = []
    with warnings.catch_warnings():
        show = warnings.showwarning

        def keep(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, NotedWarning):
                messages.append(str(message))
            show(message, category, *place, **more)

        warnings.showwarning = keep
        yield messages


class Note(Sentence):
    """A sentence about a result, with the `code` and the `values` that it was made of.

    Examples
    --------
    >>> few = note("few-units", n=12, unit="segments")
    >>> few
    'only 12 segments: an estimate from few units is unstable'
    >>> few.code, few.values["n"]
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
            # A sentence stays one, so that its options stay data.
            yield value if is_sentence else _formatted(formatter, value, spec, conversion)


def _option(text: str) -> Option:
    """The option that is written ``name=value``."""
    name, _, value = text.partition("=")
    return Option(name, {"True": True, "False": False}.get(value, value))


def _formatted(
    formatter: string.Formatter, value: object, spec: str | None, conversion: str | None
) -> str:
    """A value as ``{value!conversion:spec}`` has it; ``{n:is|are}`` chooses a word by a number."""
    if spec and "|" in spec:
        singular, plural = spec.split("|")
        return singular if value == 1 else plural
    converted = formatter.convert_field(value, conversion)
    return str(formatter.format_field(converted, spec or ""))


def together(notes: Iterable[Note]) -> Note:
    """Several notes as one, for a cell of a table; its `values` have each of them."""
    notes = tuple(notes)
    texts: list[str] = []
    for single in notes:
        if texts:
            texts.append("; ")
        texts.append(single)
    return Note.of(texts, "several", {"notes": notes})


def parts(text: str) -> tuple[str, ...]:
    """The notes that `together` put into one, or the text itself; nothing if it is empty."""
    if isinstance(text, Note) and text.code == "several":
        return tuple(text.values["notes"])
    return (text,) if text else ()


def code_of(text: str) -> str:
    """The code of a note; an empty string for any other text."""
    return text.code if isinstance(text, Note) else ""
