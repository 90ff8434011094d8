"""A file of segment scores, whatever its layout."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence

import pandas as pd

from ..errors import InputError
from ..texts.files import read_text
from . import layouts
from .battles import are_battles, models_without_winner
from .delimited import read_delimited
from .json_file import is_json
from .json_records import read_json
from .labelling import labelled
from .labels import is_label
from .logs.programs.inspect_ai import archive
from .marks import with_points
from .notation import with_plain_numbers
from .readers import TextLayout, modules_in
from .recognised.by_columns import check_columns
from .recognised.by_text import check_text
from .score_file import ScoreFile, no_scores
from .source import ScoreSource
from .sources import score_source


def read_scores(
    path: str, asked_metrics: Sequence[str] = (), *, metric: str = "", by: str | None = None
) -> ScoreFile:
    """Read a file of segment scores by itself, whatever its layout; see `labelled`.

    Raises
    ------
    InputError
        If it cannot be read, or has no scores in any layout that is known.
    """
    layout = read_layout(score_source(path))
    if layout.kind != "scores":
        raise no_scores(layout)
    (found,) = with_points([layout], by=by)
    return labelled(found, asked_metrics, metric=metric, by=by)


def read_layout(source: ScoreSource) -> ScoreFile:
    """The columns of a file, whatever they are called; its `kind` says what the rows are.

    Raises
    ------
    InputError
        If it cannot be read, or has neither scores nor battles in any layout that is known.
    """
    file = source.path
    if file.suffix == ".eval":
        raise archive(source)
    text = _plain_text(read_text(file))
    check_text(source, text)
    found = _in_its_layout(source, text)
    kind = _kind_of_rows(found.frame)
    if kind != "scores":
        return dataclasses.replace(found, kind=kind)
    if models := models_without_winner(found.frame):
        raise InputError(
            f"{source.at()} has {models[0]} and {models[1]}, as battles have, and no column "
            "'winner'. Write there who won each: model_a, model_b or tie."
        )
    if found.frame.empty and any(map(is_label, found.frame.columns)):
        raise InputError(
            f"{source.at()} has names of columns, and no rows below them. Write the scores again, "
            "or leave the file out."
        )
    if found.log is None:
        check_columns(found)
    return with_plain_numbers(found)


def _in_its_layout(source: ScoreSource, text: str) -> ScoreFile:
    """What the first layout makes of a text that takes it for its own; or else a plain table."""
    if is_json(text):
        return read_json(source, text)
    for layout in _text_layouts():
        found = layout.read_text(source, text)
        if found is not None:
            return found
    return read_delimited(source, text)


@functools.cache
def _text_layouts() -> list[TextLayout]:
    """The layouts of texts, those with the strongest sign first."""
    found: list[TextLayout] = [m for m in modules_in(layouts) if hasattr(m, "read_text")]
    return sorted(found, key=lambda layout: layout.SIGN)


def _kind_of_rows(frame: pd.DataFrame) -> str:
    """What the rows of a table are: the `kind` of its `ScoreFile`."""
    if are_battles(frame):
        return "battles"
    return "scores"


def _plain_text(text: str) -> str:
    r"""A text with ``\n`` at the ends of lines, whatever it has there."""
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return re.sub("\r+\n", "\n", text)
