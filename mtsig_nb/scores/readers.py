"""What a module has that reads a format, and how such modules are found.

A format is added by a module in `layouts` or `logs.programs`, and by nothing else: whatever is in
these folders is asked whether a file is its own.
"""

from __future__ import annotations

import enum
import functools
import importlib
import pkgutil
from types import ModuleType
from typing import Any, Protocol

from .json_file import JsonFile
from .score_file import ScoreFile
from .source import ScoreSource


class Sign(enum.IntEnum):
    """What a layout of texts knows its files by, the strongest sign first.

    Of two layouts that would take a file, the one with the stronger sign reads it.  Layouts with
    the same sign exclude each other.
    """

    #: Words that only one program writes.
    WORDS = 1
    #: The name of the file.
    NAME = 2
    #: The form of the first line.
    FORM = 3


class TextLayout(Protocol):
    """A module of `layouts` that reads texts."""

    SIGN: Sign

    def read_text(self, source: ScoreSource, text: str) -> ScoreFile | None:
        """The columns of a file in this layout; None for any other file."""


class JsonLayout(Protocol):
    """A module of `layouts` that reads JSON."""

    def read_json(self, source: ScoreSource, content: Any) -> ScoreFile | None:
        """The columns of JSON in this layout; None for any other JSON."""


class Program(Protocol):
    """A module of `logs.programs`: it reads the logs of one program, which are JSON."""

    #: What messages call the program.
    PROGRAM: str

    def is_log(self, content: Any) -> bool:
        """Whether JSON is a log of this program."""

    def read(self, source: ScoreSource, file: JsonFile) -> ScoreFile:
        """The columns of a log of this program."""


@functools.cache
def modules_in(folder: ModuleType) -> tuple[Any, ...]:
    """All modules in a package, in the order of their names.

    Examples
    --------
    >>> from mtsig_nb.scores.logs import programs
    >>> [program.PROGRAM for program in modules_in(programs)][:2]
    ['lm-evaluation-harness', 'Inspect']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    return tuple(importlib.import_module(f"{folder.__name__}.{name}") for name in names)
