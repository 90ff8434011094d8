"""Which columns of a file are its labels, and which are systems."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..errors import InputError, listed, unknown_name
from ..statistics.sufficient import real_numbers
from ..texts.files import find_repeated, quoted
from .labels import KEYS, LABELS, NAMES, NO_SCORE, REPEAT, RUN, TEST_SET, is_label, normalized
from .score_file import ScoreFile, blank, metric_name, name_from_file, no_table


def labelled(found: ScoreFile, named: Sequence[str], metric: str, by: str | None) -> ScoreFile:
    """With the labels under their own names, and one row for each system and segment."""
    names = _labels(found, named, by)
    frame, said = found.frame.rename(columns=str), list(found.said)
    frame = frame.rename(columns={name: label for label, name in names.items()})
    by_order = found.by_order or "segment" not in frame
    if found.blank is not None and by_order:
        raise InputError(
            f"{quoted(found.path, found.blank)} is blank, and segments are told apart by their "
            "order alone. Write the segment's score there, or remove the line."
        )
    if "system" not in frame:
        frame, how = _with_systems(found.path, frame, named, metric)
        said += how
    elif "segment" not in frame:
        within = [label for label in ("system", RUN, TEST_SET) if label in frame]
        frame["segment"] = frame.groupby(within, sort=False).cumcount()
        said.append("segments are taken in their order")
    frame = frame.astype({name: str for name in ("system", TEST_SET) if name in frame})
    keys = [label for label in KEYS if label != RUN and label in frame]
    if RUN in frame and not frame.duplicated(keys).any():  # nothing was run more than once
        frame = frame.rename(columns={RUN: names.get(RUN, RUN).strip("()")})
    return dataclasses.replace(found, frame=frame, said=tuple(said), by_order=by_order)


def _labels(found: ScoreFile, named: Sequence[str], by: str | None) -> dict[str, str]:
    """Which columns are labels, by what they say, but for those that are asked for as metrics.

    A test set may be said by another; where there is only one test set, it is nobody's concern.
    """
    where, frame = quoted(found.path), found.frame.rename(columns=str)
    names_rows = {name for label in LABELS[:2] for name in NAMES[label]}
    choice = [name for name in frame.columns if normalized(name) not in names_rows]
    if by is not None and by not in choice:
        raise unknown_name(f"{where}: by", by, choice)
    own = [name for name in frame.columns if name not in named and name != by and is_label(name)]
    for plain in find_repeated(map(normalized, own)):
        alike = " and ".join(repr(name) for name in own if normalized(name) == plain)
        raise InputError(f"{where}: the columns {alike} have the same meaning. Rename one.")
    free = {normalized(name): name for name in own}
    labels: dict[str, str] = {}
    for label, names in NAMES.items():
        present = [free[name] for name in names if name in free]
        if label == TEST_SET:
            several = [name for name in present if frame[name].nunique(dropna=False) > 1]
            present = several if by is None else [by]
        elif label in (RUN, REPEAT):
            present = [name for name in present if not blank(frame[name]).all()]
        for name in present[:1]:
            empty = blank(frame[name])
            if empty.any():
                at = found.where(int(empty.argmax()))
                raise InputError(f"{at}, column {name!r}: there is no value. Fill it in.")
            if label in frame and label != name:
                raise InputError(f"{where}: {name!r} is taken for {label!r}. Rename the latter.")
            labels[label] = name
            free.pop(normalized(name), None)
    return labels


def _with_systems(
    file: Path, frame: pd.DataFrame, named: Sequence[str], metric: str
) -> tuple[pd.DataFrame, list[str]]:
    """Columns that are systems, or all for the one that the file is called after; which it is."""
    labels = [name for name in KEYS if name in frame]
    others = [name for name in frame.columns if name not in labels]
    systems = [
        name
        for name in others
        if not NO_SCORE.fullmatch(name)
        and 2 * np.count_nonzero(~np.isnan(real_numbers(frame[name]))) > len(frame)
    ]
    if not systems:
        raise no_table(file)
    if "segment" not in frame:
        frame["segment"] = np.arange(len(frame))
        labels.append("segment")
    metric = metric or name_from_file(file)
    if len(systems) == 1 or any(name in systems or name.casefold() == "all" for name in named):
        return frame.assign(system=name_from_file(file)), ["systems are called after their files"]
    if metric not in named:
        raise InputError(
            f"{quoted(file)} has no column 'system': are {listed(systems, 4)} systems under one "
            f"metric (name it, -m {metric}), or metrics of one system (-m {systems[0]}, or -m all)?"
        )
    said = [f"{len(systems)} columns are taken for systems, with {len(frame):,} segments each"]
    if len(others) > len(systems):
        left = ", ".join([repr(name) for name in others if name not in systems][:6])
        said.append(f"not taken for systems: {left}")
    frame = frame.melt(labels, systems, "system", "(score)", ignore_index=False)
    # The metric's name may be a system's, too.
    return frame.rename(columns={"(score)": metric_name(file, metric)}), said
