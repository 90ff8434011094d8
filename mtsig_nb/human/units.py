"""Raters, documents or segments as the units that resampling draws."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics

#: Units by what callers ask for: the column, and what one unit is called in messages.
UNITS = {
    "raters": "rater",
    "segments": "segment",
    "documents": "document",
    "tasks": "task",
}


def rating_statistics(frame: pd.DataFrame, units: str, *, label: str) -> SufficientStatistics:
    """Sums and numbers of ``frame["value"]`` per system and unit."""
    rows, systems = pd.factorize(frame["system"], sort=True)
    values = frame["value"].to_numpy(dtype=np.float64)
    return unit_statistics(
        systems, rows, unit_codes(frame, units), values, units=units, label=label
    )


def unit_codes(frame: pd.DataFrame, units: str) -> npt.NDArray[np.intp]:
    """A number for each row's unit; an `InputError` where the rows do not say."""
    check_one_of("units", units, UNITS)
    column = UNITS[units]
    if column not in frame or frame[column].isna().any():
        raise InputError(
            f"units={units!r} needs a {column} for every judgement, and these judgements do not "
            "have it."
        )
    return pd.factorize(frame[column], sort=True)[0]


def unit_statistics(
    systems: npt.ArrayLike,
    rows: npt.NDArray[np.intp],
    unit: npt.NDArray[np.intp],
    values: FloatArray,
    *,
    units: str,
    label: str,
) -> SufficientStatistics:
    """Statistics of a mean, one row per system and unit, from each value's places in both."""
    names, n_units = tuple(np.asarray(systems).tolist()), int(unit.max()) + 1
    if n_units < 2:
        raise InputError(f"units={units!r}: there is only one; resampling needs at least two.")
    cells, n_cells = rows * n_units + unit, len(names) * n_units
    sums = [np.bincount(cells, weights, n_cells) for weights in (values, None)]
    shaped = np.stack(sums, axis=-1).reshape(len(names), n_units, 2).astype(np.float64)
    return SufficientStatistics(SegmentMean(label=label), names, shaped, unit=units)
