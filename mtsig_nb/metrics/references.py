"""What metrics on texts share: lines of outputs beside lines of references."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from .base import ArrayLike, FloatArray, Lines, Metric


def check_aligned(
    hypotheses: Lines, references: Sequence[Lines]
) -> tuple[list[str], list[list[str]]]:
    """The texts as lists, after making sure that every reference has a line per hypothesis.

    Raises
    ------
    InputError
        If there is no reference, one is a plain string, or the numbers of segments differ.
    """
    if isinstance(hypotheses, str):
        raise InputError("hypotheses is one string; give a list with one string per segment.")
    if not len(references) or any(isinstance(lines, str) for lines in references):
        raise InputError(
            "references must be one list or more, each with one string per segment: write "
            "[reference] for a single one."
        )
    for number, lines in enumerate(references):
        if len(lines) != len(hypotheses):
            raise InputError(
                f"reference {number} has {len(lines)} segments and the hypotheses have "
                f"{len(hypotheses)}; give one line of each for every segment."
            )
    return list(hypotheses), [list(lines) for lines in references]


def best_reference(metric: Metric, per_reference: ArrayLike) -> FloatArray:
    """The statistics of each segment against the reference that scores it best.

    Parameters
    ----------
    metric : Metric
    per_reference : array_like, shape (references, segments, counts)
        Statistics against one reference at a time.

    Returns
    -------
    ndarray of float64, shape (segments, counts)
        Of references that score the same, the first.
    """
    values = np.asarray(per_reference, dtype=np.float64)
    if len(values) == 1:
        return values[0]
    best = np.argmax(metric.direction * metric.score(values), axis=0)
    return values[best, np.arange(values.shape[1])]
