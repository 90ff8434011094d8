"""Columns that may tell runs or repeats apart, and need not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from .labels import KEYS, REPEAT, RUN
from .score_file import ScoreFile


def without_needless_runs(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Files without columns of runs and of repeats that tell nothing apart in all of them.

    Nothing was run or answered more than once there, and the columns are what they are called.
    """
    # Of two columns that each tell all apart, the one with fewer values says more.
    for label in sorted((RUN, REPEAT), key=lambda label: -_n_values(files, label)):
        files = _without_needless(files, label)
    return list(files)


def _n_values(files: Sequence[ScoreFile], label: str) -> int:
    own = [file.frame[label].astype(str) for file in files if label in file.frame]
    return int(pd.concat(own).nunique()) if own else 0


def _without_needless(files: Sequence[ScoreFile], needless: str) -> Sequence[ScoreFile]:
    having = [file for file in files if needless in file.frame]
    if not having:
        return files
    others = [label for label in KEYS if label != needless]
    labels = [label for label in others if all(label in file.frame for file in having)]
    rows = pd.concat([file.frame[labels] for file in having], ignore_index=True)
    if rows.astype(str).duplicated().any():
        return files
    return [
        dataclasses.replace(file, frame=file.frame.rename(columns=_own_name(file, needless)))
        for file in files
    ]


def _own_name(file: ScoreFile, label: str) -> dict[str, str]:
    return {label: file.called.get(label, label)}
