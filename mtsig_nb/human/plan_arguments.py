"""What callers ask of plans, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..conclusions.deciding import is_number
from ..errors import InputError, check_all_of, is_whole

#: What may cost something: each rating, each screen, and each document and rater that is new.
COSTS = ("rating", "screen", "document", "rater")


def is_finite(value: float) -> bool:
    """Whether something is a finite number."""
    return is_number(value) and math.isfinite(value)


def is_count(value: int, least: int) -> bool:
    """Whether something is a whole number of at least `least`."""
    return is_whole(value) and value >= least


def checked_counts(argument: str, given: int | Sequence[int], least: int) -> list[int]:
    """One whole number or several, in ascending order; raises `InputError` if one is too small."""
    several = list(given) if isinstance(given, Sequence | np.ndarray) else [given]
    for number in several:
        if not is_count(number, least):
            raise InputError(f"{argument}={number!r} must be a whole number of at least {least}.")
    if not several:
        raise InputError(f"{argument} is empty; give one number or several.")
    return sorted({int(number) for number in several})


def check_difference(argument: str, value: float | None) -> None:
    """Raise `InputError` if a difference is given that is not above zero."""
    if value is not None and not (is_finite(value) and value > 0):
        raise InputError(f"{argument}={value!r} must be a difference above 0, in points.")


def checked_costs(costs: Mapping[str, float] | None) -> dict[str, float]:
    """The cost of each of `COSTS`; raises `InputError` where one is unknown or below zero."""
    if costs is None:
        costs = {"rating": 1.0}
    check_all_of("costs", costs, COSTS)
    for name, price in costs.items():
        if not (is_finite(price) and price >= 0):
            raise InputError(f"costs: {name}={price!r} must be a number of at least 0.")
    return dict.fromkeys(COSTS, 0.0) | dict(costs)
