"""Means over repeats and raters; runs as systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..errors import counted
from .labels import CALL, OF_A_SEGMENT, RATER, REPEAT, RUN, TEST_SET, labels_in


def averaged(frame: pd.DataFrame, metrics: Sequence[str], remarks: list[str]) -> pd.DataFrame:
    """The scores, in which an item that was answered repeatedly has the mean over its repeats.

    A remark says what part of the variance of a system's mean comes from repeats.
    """
    if REPEAT not in frame:
        return frame
    items = _grouped(frame, (REPEAT,), metrics)
    means = items.mean()
    n_repeats = items.size()
    most_repeats = counted(int(n_repeats.max()), "repeat")
    remark = f"{most_repeats} of each item are averaged, and items are tested"
    # The variance of a mean over items has two parts: items, and answers to the same item.
    within_items = items.var(ddof=1).div(n_repeats, axis=0).mean()
    between_items = means.groupby(level="system", sort=False).var(ddof=1).mean()
    shares = (within_items / between_items).dropna()
    for name, share in shares.items():
        percent = f"{100 * min(share, 1):.0f} %"
        remark += f"; repeats account for {percent} of the variance of a system's mean {name}"
    remarks.append(remark)
    return means.reset_index()


def over_raters(
    frame: pd.DataFrame, metrics: Sequence[str], remarks: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The means over raters, and over calls of a judge, for each output.

    Returns
    -------
    DataFrame
        The means.
    DataFrame or None
        The single ratings, with columns ``rater``, ``generation`` where systems answered several
        times, and ``test_set`` where there are several; None unless there are several raters.
    """
    n_raters = frame[RATER].nunique() if RATER in frame else 0
    # The calls of a single judge become repeats, which `averaged` makes a mean of.
    if n_raters < 2 and CALL in frame and REPEAT not in frame:
        frame = frame.rename(columns={CALL: REPEAT}).drop(columns=RATER, errors="ignore")
    if RATER not in frame and CALL not in frame:
        return frame, None
    outputs = _grouped(frame, (RATER, CALL), metrics)
    means = outputs.mean().reset_index()
    each_is_rated_once = len(means) == len(frame)
    if n_raters == 0 or (n_raters == 1 and each_is_rated_once):
        return means, None
    remark = f"{len(frame):,} ratings (raters: {n_raters})"
    n_again = int(frame.duplicated([*outputs.keys, RATER]).sum())
    if n_again and CALL not in frame:
        remark += (
            f"; {n_again:,} of an output that the same rater had already rated (they count, too)"
        )
    remarks.append(remark)
    n_systems = means.groupby(labels_in(means, OF_A_SEGMENT))["system"].nunique()
    if n_systems.max() == 1 and means["system"].nunique() > 1:
        remarks.append("no segment was rated for two systems: each has segments of its own")
    if n_raters == 1:
        remarks.append("the ratings of an output are averaged")
        return means, None
    if TEST_SET in frame and frame[TEST_SET].nunique() == 1:
        frame = frame.drop(columns=TEST_SET)
    names = {RATER: "rater", REPEAT: "generation", TEST_SET: "test_set"}
    return means, frame.rename(columns=names)


def _grouped(frame: pd.DataFrame, labels: Sequence[str], metrics: Sequence[str]) -> Any:
    """The scores in groups of rows that differ in these labels alone: a pandas ``groupby``."""
    keys = [label for label in labels_in(frame) if label not in labels]
    return frame.groupby(keys, sort=False, dropna=False)[list(metrics)]


def joined_names(first: pd.Series, second: pd.Series) -> pd.Series:
    """Two columns of names as one, in which different pairs have different names.

    >>> joined_names(pd.Series(["A", "B"]), pd.Series(["1", "1"])).tolist()
    ['A/1', 'B/1']
    """
    pairs = pd.DataFrame({"first": first, "second": second}).drop_duplicates()
    for mark in ("/", " / ", " // "):
        joined = pairs["first"] + mark + pairs["second"]
        if not joined.duplicated().any():
            return first + mark + second
    return first.map(repr) + "/" + second.map(repr)


def with_runs(frame: pd.DataFrame, remarks: list[str]) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """The scores with each run as a system of its own, and the names of each system's runs."""
    if RUN not in frame:
        return frame, {}
    systems = frame["system"]
    runs = joined_names(systems, frame[RUN].astype(str))
    distinct_runs = runs.groupby(systems, sort=False).unique()
    remarks.append(f"{runs.nunique()} runs of {len(distinct_runs)} systems")
    runs_of_system = {str(system): list(names) for system, names in distinct_runs.items()}
    return frame.assign(system=runs), runs_of_system
