"""Systems that have the same scores nearly everywhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ..notes import Note, note
from .labels import LABELS, TEST_SET

#: The share of segments with the same score from which on a system may be another's copy.
_NEARLY_ALL = 0.9
#: The fewest segments of which anything is said.
_FEWEST = 10
_MOST_NOTES = 3


def twin_notes(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, tuple[Note, ...]]:
    """Of each metric, notes on pairs of systems with the same score on nearly all segments.

    Scores that are few, such as 0 and 1, are often the same, and tell nothing.
    """
    found = {}
    for name in metrics:
        if 2 * frame[name].nunique() <= frame["segment"].nunique():
            continue
        pairs = itertools.islice(_pairs(frame, name), _MOST_NOTES)
        notes = [
            note("twins", a=a, b=b, metric=name, same=n_same, n=n) for a, b, n_same, n in pairs
        ]
        if notes:
            found[name] = tuple(notes)
    return found


def _pairs(frame: pd.DataFrame, metric: str) -> Iterator[tuple[str, str, int, int]]:
    """Pairs of systems, on how many segments they have the same score, and of how many."""
    items = [label for label in (*LABELS[1:], TEST_SET) if label in frame]
    item = frame.groupby(items, sort=False).ngroup().to_numpy()
    rows, names = pd.factorize(frame["system"])
    systems = names.tolist()
    scores = np.full((len(systems), item.max() + 1), np.nan)
    scores[rows, item] = frame[metric]
    for place, own in enumerate(scores[:-1]):
        others = scores[place + 1 :]
        n_both = (~np.isnan(others) & ~np.isnan(own)).sum(axis=1)
        n_same = (others == own).sum(axis=1)
        alike = (n_both >= _FEWEST) & (n_same >= _NEARLY_ALL * n_both)
        for other in np.flatnonzero(alike).tolist():
            b = systems[place + 1 + other]
            yield str(systems[place]), str(b), int(n_same[other]), int(n_both[other])
