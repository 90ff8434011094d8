"""Which columns are metrics, and which way each is better."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, listed, unknown_name
from ..metrics.base import FloatArray
from ..statistics.sufficient import real_numbers
from .labels import NO_SCORE
from .score_file import ScoreFile, blank

_WAYS = {"higher": True, "lower": False}


def directions(
    where: str, metrics: Sequence[str], columns: Sequence[str]
) -> dict[str, bool | None]:
    """The columns that were named, and whether higher is better where that was said."""
    said: dict[str, bool | None] = {}
    for text in metrics:
        name, _, way = text.rpartition(":")
        if text in columns or way.casefold() not in _WAYS:
            name, way = text, ""
        if name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"{where}: metric", name, columns)
        if name in said:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        said[name] = _WAYS.get(way.casefold())
    return said


def why_not(name: str, column: pd.Series) -> str | None:
    """Why a column that nobody named is not taken for a metric; None for one that is."""
    numbers, n_filled = real_numbers(column), np.count_nonzero(~blank(column))
    found = numbers[~np.isnan(numbers)]
    if not n_filled:
        return "empty"
    if pd.api.types.infer_dtype(column, skipna=True) == "boolean" or 2 * len(found) < n_filled:
        return "no numbers"
    if NO_SCORE.fullmatch(name):
        return "by its name no score; -m takes it"
    if len(found) == len(numbers) and (found == found[0]).all():
        return "the same everywhere"
    return None


def numbers_of(file: ScoreFile, name: str, *, or_nothing: bool = False) -> FloatArray:
    """A column as numbers; an `InputError` where there is none, but for nothing if that may be."""
    numbers, empty = real_numbers(file.frame[name]), blank(file.frame[name]).to_numpy()
    bad = ~np.isfinite(numbers) & ~(empty & or_nothing)
    if bad.any():
        row = int(bad.argmax())
        value = reprlib.repr(file.frame[name].tolist()[row])
        what = "there is no value" if empty[row] else f"{value} is not a finite number"
        others = f" and {bad.sum() - 1:,} more" if bad.sum() > 1 else ""
        raise InputError(
            f"{file.where(row)}, column {name!r}: {what}{others}. Score the segment, remove it for "
            "all systems, or leave the column out: -m names the others."
        )
    return numbers


def with_reasons(unused: Mapping[str, str]) -> str:
    """Columns that are left out, grouped by the reason."""
    return "; ".join(
        f"{listed([name for name, why in unused.items() if why == reason], 20)} ({reason})"
        for reason in dict.fromkeys(unused.values())
    )
