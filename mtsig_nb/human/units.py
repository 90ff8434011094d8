"""Raters, documents or segments as the units that resampling draws."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import InputError, unknown_name
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
    codes, systems = pd.factorize(frame["system"], sort=True)
    unit = unit_codes(frame, units)
    values = frame["value"].to_numpy(dtype=np.float64)
    shape = (len(systems), int(unit.max()) + 1)
    return unit_statistics(
        systems, _sums(codes, unit, values, shape), _sums(codes, unit, None, shape), units, label
    )


def unit_codes(frame: pd.DataFrame, units: str) -> npt.NDArray[np.intp]:
    """A number for each row's unit; an `InputError` where the rows do not say."""
    if units not in UNITS:
        raise unknown_name("units", units, UNITS)
    column = UNITS[units]
    if column not in frame or frame[column].isna().any():
        raise InputError(
            f"units={units!r} needs a {column} for every judgement, and these judgements do not "
            "have it."
        )
    return pd.factorize(frame[column], sort=True)[0]


def unit_statistics(
    systems: npt.ArrayLike,
    sums: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
    units: str,
    label: str,
) -> SufficientStatistics:
    """Statistics of a mean, one row per system and unit."""
    if sums.shape[1] < 2:
        raise InputError(f"units={units!r}: there is only one; resampling needs at least two.")
    return SufficientStatistics(
        SegmentMean(label=label),
        tuple(np.asarray(systems).tolist()),
        np.stack([sums, weights], axis=-1),
        unit=units,
    )


def _sums(
    rows: npt.NDArray[np.intp],
    columns: npt.NDArray[np.intp],
    values: npt.NDArray[np.float64] | None,
    shape: tuple[int, int],
) -> npt.NDArray[np.float64]:
    """Sums (or, without values, numbers) of the entries in each cell."""
    flat = np.bincount(rows * shape[1] + columns, weights=values, minlength=shape[0] * shape[1])
    return flat.astype(np.float64).reshape(shape)
