"""What worlds are drawn from: numbers and coins of a seed, and scores as statistics of pairs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaincinv, ndtri

import mtsig_nb as mt
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray, Mask
from mtsig_nb.simulate import uniforms

Shape = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Draws:
    """Independent numbers of a seed; whoever draws several things gives each a key of its own."""

    seed: int

    def uniform(self, shape: Shape, *, key: int) -> FloatArray:
        """Uniform numbers between 0 and 1."""
        return uniforms(shape, seed=self.seed, key=(key,))

    def normal(self, shape: Shape, *, key: int) -> FloatArray:
        """Normal numbers of mean 0 and standard deviation 1."""
        levels = self.uniform(shape, key=key)
        return np.asarray(ndtri(levels))

    def skewed(self, skewness: float, shape: Shape, *, key: int) -> FloatArray:
        """Numbers of mean 0, standard deviation 1 and this skewness.

        They are normal, or of a gamma distribution that is moved and scaled.
        """
        if skewness == 0:
            return self.normal(shape, key=key)
        form = 4 / skewness**2  # whose skewness is 2 / sqrt(form)
        levels = self.uniform(shape, key=key)
        gamma = gammaincinv(form, levels)
        side = math.copysign(1, skewness)
        from_mean = side * (gamma - form)
        return np.asarray(from_mean / math.sqrt(form))

    def coins(self, shape: Shape, heads: float | FloatArray, *, key: int) -> Mask:
        """Which coins show heads, if they do so with probability `heads`, one or one for each."""
        numbers = self.uniform(shape, key=key)
        return numbers < heads


def names_of_pairs(first: str, second: str, n_pairs: int) -> tuple[str, ...]:
    """The names of the first members of all pairs, then those of the second ones.

    Examples
    --------
    >>> names_of_pairs("heads", "tails", 2)
    ('heads 1', 'heads 2', 'tails 1', 'tails 2')
    """
    numbers = range(1, n_pairs + 1)
    first_names = [f"{first} {number}" for number in numbers]
    second_names = [f"{second} {number}" for number in numbers]
    return (*first_names, *second_names)


def segment_means(
    scores: FloatArray, systems: Sequence[str], *, metric: str = "score", **about: Any
) -> mt.SufficientStatistics:
    """Systems whose score is the mean of their segments' scores, shape (systems, segments)."""
    weights = np.ones_like(scores)
    values = np.stack([scores, weights], axis=-1)
    return mt.SufficientStatistics(SegmentMean(metric), tuple(systems), values, **about)
