"""Two systems on many test sets that share their documents, as translations of one text do."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import gammaincinv, ndtri

from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.many_test_sets import TestSets, test_sets
from ..statistics.sufficient import SufficientStatistics
from .coins import uniforms

_METRIC = SegmentMean(label="score")


def shared_documents(
    documents: npt.ArrayLike,
    *,
    n_test_sets: int = 25,
    share: float = 0.1,
    skewness: float = 0.0,
    difference: float = 0.0,
    n_pairs: int = 400,
    rng: RNG = None,
) -> TestSets:
    """Pairs of systems on test sets into which the same documents were translated.

    What a document does to the difference of two systems has standard deviation 1 in each test set,
    and mean `difference`.  A share of that variance is the same in all test sets; the rest is drawn
    anew in each.  Segments scatter around it with standard deviation 1.

    Parameters
    ----------
    documents : array_like of shape (segments,)
        The document of each segment; the same in all test sets.
    n_test_sets : int
    share : float
        Of the variance of documents' effects, what all test sets have in common, 0 to 1.
    skewness : float
        Of documents' effects; 2 is that of the exponential distribution.  With 0 they are normal,
        or else of a gamma distribution.
    difference : float
        How much better the first of each pair is on average, in every test set.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    TestSets
        Its systems are the pairs: ``"first 1"`` and so on, then ``"second 1"`` and so on.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    Four documents, of which one has half of the segments:

    >>> import numpy as np
    >>> import mtsig_nb as mt
    >>> documents = np.repeat(["a", "b", "c", "d"], [6, 2, 2, 2])
    >>> sets = mt.simulate.shared_documents(documents, n_test_sets=3, n_pairs=2, rng=1)
    >>> sets
    TestSets(score, 4 systems, 3 test sets: 1, 2, 3; 4 documents, worth 3 or more)
    >>> mt.simulate.null_pvalues(sets.overall, "ar", n_resamples=200, rng=2).shape
    (2,)
    """
    labels = np.asarray(documents)
    _check(labels, n_test_sets, n_pairs, share, skewness, difference)
    codes, names = pd.factorize(labels)
    seed, shape = seed_from(rng), (n_pairs, len(names))
    common = _effects(skewness, shape, seed=seed, key=0)
    given = {}
    for k in range(1, n_test_sets + 1):
        own = _effects(skewness, shape, seed=seed, key=2 * k)
        effects = difference + math.sqrt(share) * common + math.sqrt(1 - share) * own
        noise = ndtri(uniforms((n_pairs, len(labels)), seed=seed, key=(2 * k + 1,)))
        half = (effects[:, codes] + noise) / 2
        scores = np.concatenate([half, -half])
        given[str(k)] = SufficientStatistics(
            _METRIC,
            tuple(f"{name} {i}" for name in ("first", "second") for i in range(1, n_pairs + 1)),
            np.stack([scores, np.ones_like(scores)], axis=-1),
            documents=labels,
        )
    return test_sets(given)


def _effects(skewness: float, shape: tuple[int, int], *, seed: int, key: int) -> FloatArray:
    """Numbers of mean 0 and standard deviation 1."""
    u = uniforms(shape, seed=seed, key=(key,))
    if skewness == 0:
        return np.asarray(ndtri(u))
    form = 4 / skewness**2  # of a gamma distribution, whose skewness is 2 / sqrt(form)
    return np.asarray(math.copysign(1, skewness) * (gammaincinv(form, u) - form) / math.sqrt(form))


def _check(
    documents: npt.NDArray[np.generic],
    n_test_sets: int,
    n_pairs: int,
    share: float,
    skewness: float,
    difference: float,
) -> None:
    if documents.ndim != 1 or len(np.unique(documents)) < 2:
        raise InputError(
            "documents: give the name of each segment's document, of two documents at least."
        )
    for name, count in (("n_test_sets", n_test_sets), ("n_pairs", n_pairs)):
        if count < 1:
            raise InputError(f"{name}={count!r} must be at least 1.")
    if not 0 <= share <= 1:
        raise InputError(f"share={share!r} must lie between 0 and 1.")
    for name, number in (("skewness", skewness), ("difference", difference)):
        if not math.isfinite(number):
            raise InputError(f"{name}={number!r} must be a finite number.")
