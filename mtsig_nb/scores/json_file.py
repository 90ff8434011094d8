"""The JSON of a file: one value, or an object in each line."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pandas as pd

from ..errors import InputError
from ..texts.files import lines, load_json
from .score_file import numbered_lines
from .source import ScoreSource

#: How many lines are looked at to find whether lines are objects.
_MOST_LOOKED_AT = 50


@dataclasses.dataclass(frozen=True, eq=False)
class JsonFile:
    """What a file of JSON has.

    Parameters
    ----------
    content
        The value of the file; where each line has an object, the list of all objects.
    line_numbers : Index, optional
        The numbers of the lines, where each line has an object.
    blank_line : int, optional
        The first line among or below these lines that has nothing in it.
    """

    content: Any
    line_numbers: pd.Index | None = None
    blank_line: int | None = None


def is_json(text: str) -> bool:
    """Whether a text is JSON, or meant as such."""
    return text.lstrip()[:1] in ("{", "[") or _are_json_lines(text)


def load_json_file(source: ScoreSource, text: str) -> JsonFile:
    """The JSON of a text.

    Raises
    ------
    InputError
        If it is damaged; the message has the line.
    """
    try:
        return JsonFile(load_json(source.at(), text, "Write it again."))
    except InputError:
        if not _are_json_lines(text):
            raise
    filled, blank_line = numbered_lines(text)
    content = [
        load_json(source.at(number), line)
        for number, line in zip(filled.index, filled, strict=True)
    ]
    return JsonFile(content, filled.index, blank_line)


def _are_json_lines(text: str) -> bool:
    """Whether most of the lines that are not blank have an object each, whatever the others are."""
    filled = (line.strip() for line in lines(text) if line.strip())
    looked_at = list(itertools.islice(filled, _MOST_LOOKED_AT))
    n_objects = sum(line.startswith("{") and line.endswith("}") for line in looked_at)
    return len(looked_at) > 1 and 2 * n_objects > len(looked_at)
