"""A file of segment scores, whatever its layout."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pandas as pd

from ..errors import InputError
from ..texts.files import is_number, lines, read_text
from .appraise import read_appraise
from .battles import are_battles, models_without_winner
from .comet import is_printed_by_comet, read_comet
from .delimited import read_delimited
from .json_records import are_json_lines, read_json
from .labelling import labelled
from .labels import is_label
from .logs.inspect_ai import archive
from .marks import with_points
from .notation import COMMA_LINE, with_plain_numbers
from .recognised.by_columns import check_columns
from .recognised.by_text import check_text
from .score_file import ScoreFile, no_scores, numbered_lines
from .source import ScoreSource
from .sources import score_source
from .wmt import read_wmt


def read_scores(
    path: str, named: Sequence[str] = (), *, metric: str = "", by: str | None = None
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
    return labelled(found, named, metric=metric, by=by)


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
    """What the first reader makes of a text that takes it for its own."""
    if text.lstrip()[:1] in ("{", "[") or are_json_lines(text):
        return read_json(source, text)
    if is_printed_by_comet(text):
        return read_comet(source, text)
    if ".score" in source.path.suffixes:
        return read_wmt(source, text)
    if _has_a_number_in_each_line(text):
        scores, blank_line = numbered_lines(text)  # of the system that the file is called after
        return ScoreFile(source, scores.to_frame("score"), blank_line)
    return read_appraise(source, text) or read_delimited(source, text)


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


def _has_a_number_in_each_line(text: str) -> bool:
    """Whether a text begins with a number, or has a decimal comma in the numbers of most lines.

    Numbers that are one more in each line are no part of decimals, but count the lines.
    """
    first = text.lstrip().partition("\n")[0]
    if is_number(first):
        return True
    if not COMMA_LINE.fullmatch(first):
        return False
    filled = [line for line in lines(text) if line.strip()]
    numbers = [line for line in filled if COMMA_LINE.fullmatch(line) or line.strip().isdecimal()]
    if 2 * len(numbers) < len(filled):
        return False
    before_commas = pd.Series(numbers).str.partition(",")[0]
    whole = pd.to_numeric(before_commas.replace("", "0"))
    steps = whole.diff().iloc[1:]
    counts_lines = len(steps) > 0 and (steps == 1).all()
    return not counts_lines
