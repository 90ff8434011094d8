"""Repeats, raters and runs.

Functions add what they do to what is `told`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..errors import InputError
from .labels import CALL, KEYS, RATER, REPEAT, RUN


def averaged(frame: pd.DataFrame, metrics: Sequence[str], told: list[str]) -> pd.DataFrame:
    """Repeated answers to an item as their mean, and what part of the variance is theirs."""
    if REPEAT not in frame:
        return frame
    items = _grouped(frame, (REPEAT,), metrics)
    repeated = frame.duplicated([*items.keys, REPEAT])
    if repeated.any():
        row = frame[repeated].iloc[0]
        raise InputError(
            f"system {row['system']!r}, segment {str(row['segment'])!r}: repeat "
            f"{str(row[REPEAT])!r} has more than one row. Keep one, or number the repeats."
        )
    means, n = items.mean(), items.size()
    counts = f"{n.min()}" if n.min() == n.max() else f"{n.min()} to {n.max()}"
    said = f"{counts} repeats of each item are averaged, and items are tested"
    # The variance of a mean over items has two parts: items, and answers to the same item.
    own = items.var(ddof=1).div(n, axis=0).mean()
    share = own / means.groupby(level="system", sort=False).var(ddof=1).mean()
    for name, part in share.dropna().items():
        share_of = f"{100 * min(part, 1):.0f} % of the variance of a system's mean {name}"
        said += f"; repeats account for {share_of}"
    told.append(said)
    return means.reset_index()


def over_raters(
    frame: pd.DataFrame, metrics: Sequence[str], told: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The means over raters and calls, and what they are the means of."""
    n = frame[RATER].nunique() if RATER in frame else 0
    if n < 2 and CALL in frame and REPEAT not in frame:  # a judge's calls are repeats
        frame = frame.rename(columns={CALL: REPEAT}).drop(columns=RATER, errors="ignore")
    if not {RATER, CALL} & set(frame):
        return frame, None
    outputs = _grouped(frame, (RATER, CALL), metrics)
    means = outputs.mean().reset_index()
    if n == 0 or (n == 1 and len(means) == len(frame)):
        return means, None
    told.append(f"{len(frame):,} ratings (raters: {n}), averaged for each output")
    again = int(frame.duplicated([*outputs.keys, RATER]).sum())
    if again and CALL not in frame:
        told[-1] += (
            f"; {again:,} of an output that the same rater had rated already (which count, too)"
        )
    ratings = frame.rename(columns={RATER: "rater", REPEAT: "generation"})
    return means, ratings if n > 1 else None


def _grouped(frame: pd.DataFrame, labels: Sequence[str], metrics: Sequence[str]) -> Any:
    """The scores of rows that differ in these labels alone."""
    keys = [name for name in KEYS if name not in labels and name in frame]
    return frame.groupby(keys, sort=False, dropna=False)[list(metrics)]


def with_runs(frame: pd.DataFrame, told: list[str]) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Each run as a system of its own, and which they are."""
    if RUN not in frame:
        return frame, {}
    names = frame["system"] + "/" + frame[RUN].astype(str)
    runs = names.groupby(frame["system"], sort=False).unique()
    told.append(f"{names.nunique()} runs of {len(runs)} systems")
    return frame.assign(system=names), {str(s): list(found) for s, found in runs.items()}
