"""Repeats, raters and runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..errors import counted
from .labels import CALL, KEYS, RATER, REPEAT, RUN, TEST_SET


def averaged(frame: pd.DataFrame, metrics: Sequence[str], remarks: list[str]) -> pd.DataFrame:
    """Repeated answers to an item as their mean, and what part of the variance is theirs."""
    if REPEAT not in frame:
        return frame
    items = _grouped(frame, (REPEAT,), metrics)
    means = items.mean()
    n_repeats = items.size()
    n = int(n_repeats.max())
    remark = f"{counted(n, 'repeat')} of each item are averaged, and items are tested"
    # The variance of a mean over items has two parts: items, and answers to the same item.
    within = items.var(ddof=1).div(n_repeats, axis=0).mean()
    between = means.groupby(level="system", sort=False).var(ddof=1).mean()
    for name, share in (within / between).dropna().items():
        percent = f"{100 * min(share, 1):.0f} %"
        remark += f"; repeats account for {percent} of the variance of a system's mean {name}"
    remarks.append(remark)
    return means.reset_index()


def over_raters(
    frame: pd.DataFrame, metrics: Sequence[str], remarks: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The means over raters and calls, and what they are the means of."""
    n_raters = frame[RATER].nunique() if RATER in frame else 0
    if n_raters < 2 and CALL in frame and REPEAT not in frame:  # a judge's calls are repeats
        frame = frame.rename(columns={CALL: REPEAT}).drop(columns=RATER, errors="ignore")
    if not {RATER, CALL} & set(frame):
        return frame, None
    outputs = _grouped(frame, (RATER, CALL), metrics)
    means = outputs.mean().reset_index()
    if n_raters == 0 or (n_raters == 1 and len(means) == len(frame)):
        return means, None
    remark = f"{len(frame):,} ratings (raters: {n_raters}), averaged for each output"
    n_again = int(frame.duplicated([*outputs.keys, RATER]).sum())
    if n_again and CALL not in frame:
        remark += (
            f"; {n_again:,} of an output that the same rater had already rated (they count, too)"
        )
    remarks.append(remark)
    segments = [label for label in (TEST_SET, "document", "segment") if label in means]
    if means.groupby(segments)["system"].nunique().max() == 1 < means["system"].nunique():
        remarks.append("no segment was rated for two systems: each has segments of its own")
    ratings = frame.rename(columns={RATER: "rater", REPEAT: "generation"})
    return means, ratings if n_raters > 1 else None


def _grouped(frame: pd.DataFrame, labels: Sequence[str], metrics: Sequence[str]) -> Any:
    """The scores of rows that differ in these labels alone."""
    keys = [name for name in KEYS if name not in labels and name in frame]
    return frame.groupby(keys, sort=False, dropna=False)[list(metrics)]


def joined_names(first: pd.Series, second: pd.Series) -> pd.Series:
    """Two columns of names as one, which tells apart what both together do.

    >>> joined_names(pd.Series(["A", "B"]), pd.Series(["1", "1"])).tolist()
    ['A/1', 'B/1']
    """
    pairs = pd.DataFrame({"first": first, "second": second}).drop_duplicates()
    for mark in ("/", " / ", " // "):
        if not (pairs["first"] + mark + pairs["second"]).duplicated().any():
            return first + mark + second
    return first.map(repr) + "/" + second.map(repr)


def with_runs(frame: pd.DataFrame, remarks: list[str]) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Each run as a system of its own, and which they are."""
    if RUN not in frame:
        return frame, {}
    names = joined_names(frame["system"], frame[RUN].astype(str))
    runs = names.groupby(frame["system"], sort=False).unique()
    remarks.append(f"{names.nunique()} runs of {len(runs)} systems")
    return frame.assign(system=names), {str(name): list(own) for name, own in runs.items()}
