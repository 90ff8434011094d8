"""Columns that may tell runs or repeats apart, and need not."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .labels import KEYS, REPEAT, RUN
from .score_file import ScoreFile


def without_needless_runs(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Files without columns of runs and of repeats that tell nothing apart in all of them.

    Nothing was run or answered more than once there, and the columns are what they are called.
    """
    kept = list(files)
    # Of two columns that each tell all apart, the one with fewer values says more.
    labels = sorted((RUN, REPEAT), key=lambda label: _n_values(files, label), reverse=True)
    for label in labels:
        if _is_needless(kept, label):
            kept = [_with_own_name(file, label) for file in kept]
    return kept


def _n_values(files: Sequence[ScoreFile], label: str) -> int:
    """How many values a label has in all files."""
    columns = [file.frame[label].astype(str) for file in files if label in file.frame]
    return int(pd.concat(columns).nunique()) if columns else 0


def _is_needless(files: Sequence[ScoreFile], label: str) -> bool:
    """Whether the other labels tell all rows apart in the files that have a label."""
    having = [file for file in files if label in file.frame]
    if not having:
        return False
    others = [other for other in KEYS if other != label]
    shared = [other for other in others if all(other in file.frame for file in having)]
    rows = pd.concat([file.frame[shared] for file in having], ignore_index=True)
    return not rows.astype(str).duplicated().any()


def _with_own_name(file: ScoreFile, label: str) -> ScoreFile:
    """A file with a label under the name that its column has in the file."""
    own_name = file.called.get(label, label)
    return file.with_frame(file.frame.rename(columns={label: own_name}))
