"""A file of segment scores, whatever its layout."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..texts.files import expanded, is_number, read_text
from .comet import read_comet
from .delimited import read_delimited
from .json_records import read_json
from .labelling import labelled
from .logs.inspect_ai import archive
from .recognised.by_columns import check_columns
from .recognised.by_text import check_text
from .score_file import Battles, ScoreFile, numbered_lines
from .wmt import read_wmt


def read_scores(
    path: str, named: Sequence[str] = (), *, metric: str = "", by: str | None = None
) -> ScoreFile:
    """Read a file of segment scores, whatever its layout.

    `named` are columns that are metrics, whatever they are called; `metric` is what the scores of
    a wide table are, if not what the file is called; `by` is the column that names the test sets.

    Raises
    ------
    InputError
        If it cannot be read, or has no scores in any layout that is known.
    """
    file = expanded(path)
    if file.suffix == ".eval":
        raise archive(file)
    text = read_text(file)
    check_text(file, text)
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as lines ended on old Macs
    if text.lstrip()[:1] in ("{", "["):
        found = read_json(file, text)
    elif re.search(r"\tSegment \d+\tscore: ", text):
        found = read_comet(file, text)
    elif ".score" in file.suffixes:
        found = read_wmt(file, text)
    elif is_number(text.lstrip().partition("\n")[0]):
        scores, blank_line = numbered_lines(text)  # of the system that the file is called after
        found = ScoreFile(file, scores.to_frame("score"), blank_line)
    else:
        found = read_delimited(file, text)
    if {"model_a", "model_b", "winner"} <= {*found.frame}:
        raise Battles(found)
    if found.log is not None and by is None:  # its labels and metrics are known
        return found
    check_columns(found)
    return labelled(found, named, metric, by)
