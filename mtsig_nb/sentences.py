"""Sentences that name options, so that each face of the package names these in its own manner.

In Python an option is a keyword argument, on the command line a word with two dashes, and in the
explorer a menu.  A `Sentence` reads as Python has it, and keeps its options as data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Option:
    """An option with a value, in a sentence.

    Examples
    --------
    >>> print(Option("units", "documents"), Option("shared", False))
    units='documents' shared=False
    >>> Option("shared", False).answer
    'no'
    """

    name: str
    value: object

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"

    @property
    def answer(self) -> str:
        """The value in words."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return str(self.value)


class Sentence(str):
    """A text made of parts, some of which are options.

    Parameters
    ----------
    *parts : str or Option
        A part may be a sentence itself.

    Examples
    --------
    >>> use = Sentence("use ", Option("units", "documents"))
    >>> use
    "use units='documents'"
    >>> Sentence(use, ", please").told(lambda option: f"--{option.name} {option.answer}")
    'use --units documents, please'
    """

    parts: tuple[str | Option, ...]

    def __new__(cls, *parts: str | Option) -> Sentence:
        made = super().__new__(cls, "".join(map(str, parts)))
        found: list[str | Option] = []
        for part in parts:
            found += part.parts if isinstance(part, Sentence) else [part]
        made.parts = tuple(found)
        return made

    def told(self, named: Callable[[Option], str]) -> str:
        """The text with each option as `named` has it."""
        return "".join(named(part) if isinstance(part, Option) else part for part in self.parts)


def told(text: str, named: Callable[[Option], str]) -> str:
    """`text` with each option of a `Sentence` as `named` has it; any other text as it is."""
    return text.told(named) if isinstance(text, Sentence) else text
