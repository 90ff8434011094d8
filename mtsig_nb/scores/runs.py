"""Columns that may tell runs or repeats apart, and need not."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .labels import KEYS, REPEAT, RUN
from .score_file import ScoreFile


def without_needless_runs(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The files, whose runs or repeats are no labels any more if they tell no rows apart.

    Then nothing was run or answered more than once, and the column is called as in the file.
    """
    without_needless = list(files)
    # If either column tells all rows apart, the one with more values is needless.
    labels = sorted((RUN, REPEAT), key=lambda label: _n_values(files, label), reverse=True)
    for label in labels:
        if _is_needless(without_needless, label):
            without_needless = [_with_name_in_file(file, label) for file in without_needless]
    return without_needless


def _n_values(files: Sequence[ScoreFile], label: str) -> int:
    """How many values a label has in all files."""
    columns = [file.frame[label].astype(str) for file in files if label in file.frame]
    return int(pd.concat(columns).nunique()) if columns else 0


def _is_needless(files: Sequence[ScoreFile], label: str) -> bool:
    """Whether the other labels tell all rows apart in the files that have a label."""
    frames = [file.frame for file in files if label in file.frame]
    if not frames:
        return False
    others = [other for other in KEYS if other != label]
    shared = [other for other in others if all(other in frame for frame in frames)]
    rows = pd.concat([frame[shared] for frame in frames], ignore_index=True)
    return not rows.astype(str).duplicated().any()


def _with_name_in_file(file: ScoreFile, label: str) -> ScoreFile:
    """A file whose column of a label has its own name again, and is no label any more."""
    name = file.names_in_file.get(label, label)
    return file.with_frame(file.frame.rename(columns={label: name}))
