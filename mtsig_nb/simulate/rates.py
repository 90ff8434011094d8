"""How often tests reject: on simulated pairs, a batch of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level, decide
from ..engine.counting import clopper_pearson
from ..engine.options import Design, Options, check_names, takes_options
from ..engine.resampling import seed_from
from ..engine.tallies import Advantages, Pairs, Tally, run
from ..errors import InputError
from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics

#: The four published tests, in the order in which tables show them.
TESTS = (
    "riezler-maxwell-bootstrap",
    "bootstrap",
    "paired-bootstrap",
    "approximate-randomization",
)

#: Statistics of simulated pairs that are worked on at once, in numbers: 32 MB, some times over.
HELD = 4_000_000

DRAWN = Options(n_resamples=1000, exact=False)


@takes_options(**DRAWN)
def null_pvalues(nulls: SufficientStatistics, test: str, **options: Unpack[Options]) -> FloatArray:
    """p-values of one test on all pairs that a simulation made, shape (n_pairs,).

    All pairs share their resamples, which leaves each p-value what it is and makes four hundred
    of them as quick as a few.

    Parameters
    ----------
    nulls : SufficientStatistics
        Pairs from any function of this package.
    test : str
        Name of a resampling test, as in :func:`mtsig_nb.compare_all`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether the first of each pair is better.
    n_resamples : int
    rng : None, int or Generator
    counting : str or Counting
    units : {"segments", "documents"} or array_like of shape (segments,)
    exact : bool or None
    executor : concurrent.futures.Executor, optional
        As in :func:`mtsig_nb.approximate_randomization`; nothing is enumerated by default.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)

    Raises
    ------
    InputError
        If the statistics are not simulated pairs, or a name is unknown.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=3, rng=1)
    >>> mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2).shape
    (3,)
    """
    check_names("null_pvalues", options)
    found = _by_batch(nulls, [test], options)
    return np.concatenate([result.pvalues for tests in found for result in tests.values()])


@takes_options(**DRAWN)
def rejection_rates(
    nulls: SufficientStatistics,
    tests: Sequence[str] = TESTS,
    *,
    alpha: float = 0.05,
    **options: Unpack[Options],
) -> pd.DataFrame:
    """How often each test calls the two systems of a simulated pair different.

    Where the pairs do not differ, this is the test's size, which should be alpha; where they do,
    it is the test's power.

    Parameters
    ----------
    nulls : SufficientStatistics
        Pairs from any function of this package.
    tests : sequence of str
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        The procedure printed in 2005 has only the first.
    n_resamples : int
    rng : None, int or Generator
    counting : str or Counting
    units : {"segments", "documents"} or array_like of shape (segments,)
    exact : bool or None
    executor : concurrent.futures.Executor, optional
        As in :func:`mtsig_nb.approximate_randomization`; nothing is enumerated by default.

    Returns
    -------
    DataFrame
        One row per test: rejected, pairs, rate, and its 95 % Clopper-Pearson limits low and high.

    Notes
    -----
    The limits are about the choice of pairs.  All pairs share their resamples, so the rate has a
    common Monte Carlo error as well, of at most about ``sqrt(alpha * (1 - alpha) / n_resamples)``;
    it is far smaller where, as here, the signs of the pairs' differences are independent coins.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=40, rng=1)
    >>> mt.simulate.rejection_rates(nulls, ["bootstrap"], n_resamples=200, rng=2)["pairs"].item()
    40
    """
    check_level(alpha)
    check_names("rejection_rates", options)
    rejected: Counter[str] = Counter()
    for by_test in _by_batch(nulls, tests, options):
        for title, found in by_test.items():
            # A difference of zero whose p-value is small counts as a rejection all the same.
            rejected[title] += int(decide(np.ones(len(found.pvalues)), found.pvalues, alpha).sum())
    n_pairs = len(nulls.systems) // 2
    table = pd.DataFrame({"rejected": pd.Series(rejected), "pairs": n_pairs})
    table["rate"] = table["rejected"] / n_pairs
    table["low"], table["high"] = clopper_pearson(table["rejected"], n_pairs)
    return table.rename_axis("test")


def _by_batch(
    nulls: SufficientStatistics, tests: Sequence[str], options: Options
) -> Iterator[dict[str, Tally]]:
    chosen: Options = {**DRAWN, **options, "rng": seed_from(options.get("rng"))}
    return (tallies(batch, tests, **chosen) for batch in batches(nulls))


def tallies(
    pairs: SufficientStatistics, tests: Sequence[str], **options: Unpack[Options]
) -> dict[str, Tally]:
    """Each test's counts on all pairs, by the test's title; tests of one kind share their draws."""
    chosen: Options = {"exact": False, **options}
    halves, found = _halves(pairs), {}
    draws: dict[tuple[str, bool, bool], Advantages] = {}
    for test in tests:
        design = Design.of(test, together=True, **chosen)
        procedure = design.procedure
        drawn_as = procedure.kind, procedure.studentized, procedure.linearises
        done = run(design, [pairs], halves, draws=draws.get(drawn_as))
        draws[drawn_as] = done.draws
        (found[procedure.title],) = done.tallies
    return found


def batches(pairs: SufficientStatistics) -> Iterator[SufficientStatistics]:
    """The pairs, so many at a time that memory stays small; all batches meet the same resamples."""
    first, second = _halves(pairs)
    _, n_segments, n_counts = pairs.values.shape
    at_once = max(1, HELD // (2 * n_segments * n_counts))
    for start in range(0, len(first), at_once):
        some = [*first[start : start + at_once], *second[start : start + at_once]]
        yield pairs.select([pairs.systems[i] for i in some])


def _halves(pairs: SufficientStatistics) -> Pairs:
    """First and second members of simulated pairs, which carry the same numbers."""
    half, odd = divmod(len(pairs.systems), 2)
    numbers = [name.rpartition(" ")[2] for name in pairs.systems]
    if odd or numbers[:half] != numbers[half:]:
        raise InputError("nulls must be pairs of systems made by a function of mt.simulate.")
    return np.arange(half), half + np.arange(half)
