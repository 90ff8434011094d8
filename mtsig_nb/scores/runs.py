"""Columns that may tell runs apart, and need not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from .labels import KEYS, RUN
from .score_file import ScoreFile


def without_needless_runs(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Files whose column of runs is none, as nothing was run more than once in all of them."""
    having = [file for file in files if RUN in file.frame]
    if not having:
        return list(files)
    labels = [label for label in KEYS if label != RUN and all(label in f.frame for f in having)]
    rows = pd.concat([file.frame[labels] for file in having], ignore_index=True)
    if rows.astype(str).duplicated().any():
        return list(files)
    return [
        dataclasses.replace(file, frame=file.frame.rename(columns={RUN: file.run_column}))
        for file in files
    ]
