"""What worlds are drawn from: numbers and coins of a seed, and scores as statistics of pairs.

Whoever draws several things from one seed gives each a key of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaincinv, ndtri

import mtsig_nb as mt
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray, Mask
from mtsig_nb.simulate import uniforms


def normal_numbers(shape: tuple[int, ...], *, seed: int, key: int) -> FloatArray:
    """Independent normal numbers of mean 0 and standard deviation 1."""
    return np.asarray(ndtri(uniforms(shape, seed=seed, key=(key,))))


def skewed_numbers(skewness: float, shape: tuple[int, ...], *, seed: int, key: int) -> FloatArray:
    """Independent numbers of mean 0, standard deviation 1 and this skewness.

    They are normal, or of a gamma distribution that is moved and scaled.
    """
    if skewness == 0:
        return normal_numbers(shape, seed=seed, key=key)
    form = 4 / skewness**2  # whose skewness is 2 / sqrt(form)
    gamma = gammaincinv(form, uniforms(shape, seed=seed, key=(key,)))
    side = math.copysign(1, skewness)
    return np.asarray(side * (gamma - form) / math.sqrt(form))


def coins(shape: tuple[int, ...], heads: float, *, seed: int, key: int) -> Mask:
    """Which of independent coins show heads, if they do so with probability `heads`."""
    return uniforms(shape, seed=seed, key=(key,)) < heads


def names_of_pairs(first: str, second: str, n_pairs: int) -> tuple[str, ...]:
    """The names of the first members of all pairs, then those of the second ones.

    Examples
    --------
    >>> names_of_pairs("heads", "tails", 2)
    ('heads 1', 'heads 2', 'tails 1', 'tails 2')
    """
    numbers = range(1, n_pairs + 1)
    return tuple(f"{name} {number}" for name in (first, second) for number in numbers)


def segment_means(
    scores: FloatArray, systems: Sequence[str], *, metric: str = "score", **about: Any
) -> mt.SufficientStatistics:
    """Systems whose score is the mean of their segments' scores, shape (systems, segments)."""
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return mt.SufficientStatistics(SegmentMean(metric), tuple(systems), values, **about)
