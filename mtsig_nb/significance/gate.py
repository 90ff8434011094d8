"""A gate: whether candidates may take the place of a baseline, or lose more than a margin.

Each candidate is tested for non-inferiority under each metric, on each test set: whether it is
worse than the baseline by the margin or more was ruled out, at the level alpha.  A gate passes only
if every one of these comparisons passes.  So it passes systems that should not pass with a
probability of alpha at most, however many comparisons there are, and nothing has to be corrected
(an intersection-union test, Berger 1982).  In exchange, a good candidate passes less often the more
comparisons there are.

A comparison says "worse" only if the loss was shown to be larger than the margin.  These claims are
not corrected for their number.  A loss that is certain, and certainly smaller than the margin,
passes: this is what a margin is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from ..engine.resampling import RNG
from ..errors import InputError, check_one_of, listed
from ..statistics.sufficient import SufficientStatistics
from .equivalence import CANNOT_TELL, IS_WORSE, NOT_WORSE, EquivalenceTest, equivalence_test
from .sharing import other_layouts

#: The power for which further segments are planned: four times in five.
POWER = 0.8
#: One margin for metrics whose scores differ by this factor is taken for a mistake.
_UNLIKE = 10.0


def gate_tests(
    statistics: Sequence[SufficientStatistics],
    baseline: str,
    margins: Sequence[float],
    *,
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    units: str = "segments",
    rng: RNG = None,
) -> list[EquivalenceTest]:
    """Every candidate against the baseline, under every metric.

    Parameters
    ----------
    statistics : sequence of SufficientStatistics
        Of each metric, or of each metric on each test set.  All systems but the baseline are
        candidates.
    baseline : str
    margins : sequence of float
        For each of the `statistics` the margin, in points of its metric.
    alpha, n_resamples, units, rng
        As in :func:`equivalence_test`, by the more cautious of two bootstraps.

    Returns
    -------
    list of EquivalenceTest
        All candidates under the first metric, best first, then all under the next; `system_b` is
        the baseline.  Where it is not known whether test sets share their units, the more cautious
        of both answers.

    Raises
    ------
    InputError
        If the baseline is not there, or is the only system.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> three = bleu.select(["onlineC", "onlineD", "onlineB"])
    >>> tests = gate_tests([three], "onlineD", [0.5], n_resamples=999, rng=1)
    >>> [(test.system_a, test.verdict) for test in tests], gate_verdict(tests)
    ([('onlineB', 'not worse'), ('onlineC', 'not worse')], 'not worse')
    """
    tests = []
    for s, margin in zip(statistics, margins, strict=True):
        check_one_of("baseline", baseline, s.systems)
        candidates = [system for system in s.scores().index if system != baseline]
        if not candidates:
            raise InputError(f"baseline={baseline!r} is the only system; give a candidate as well.")
        for candidate in candidates:
            both_ways = []
            for layout in [s, *other_layouts([s])]:
                test = equivalence_test(
                    layout,
                    candidate,
                    baseline,
                    margin=margin,
                    alpha=alpha,
                    method="both",
                    n_resamples=n_resamples,
                    units=units,
                    rng=rng,
                )
                both_ways.append(test)
            tests.append(max(both_ways, key=lambda test: test.pvalue_below))
    return tests


def gate_verdict(tests: Iterable[EquivalenceTest]) -> str:
    """What the gate says of all comparisons together.

    "not worse" if it is so of each; otherwise "worse" if one is; otherwise "cannot tell".
    """
    verdicts = {test.verdict for test in tests}
    if verdicts == {NOT_WORSE}:
        return NOT_WORSE
    return IS_WORSE if IS_WORSE in verdicts else CANNOT_TELL


def gate_table(tests: Sequence[EquivalenceTest]) -> pd.DataFrame:
    """A row for each comparison, unrounded.

    Returns
    -------
    DataFrame
        metric; system_a, the candidate; system_b, the baseline; score_a, score_b; difference, how
        much better the candidate is, with ci_low and ci_high, each a limit of confidence ``1 -
        alpha``; margin; pvalue, that the candidate is worse by the margin or more; pvalue_worse,
        that it is worse by the margin at most; verdict; unit, n_units; more_if_equal, how many more
        units would pass a candidate as good as the baseline four times in five; more_if_as_seen,
        the same if the true difference is the one seen (infinite if that is the margin or more).
    """
    rows = []
    for test in tests:
        low, high = test.interval
        rows.append(
            {
                "metric": test.metric,
                "system_a": test.system_a,
                "system_b": test.system_b,
                "score_a": test.score_a,
                "score_b": test.score_b,
                "difference": test.statistic,
                "ci_low": low,
                "ci_high": high,
                "margin": test.margin,
                "pvalue": test.pvalue_below,
                "pvalue_worse": test.pvalue_beyond,
                "verdict": test.verdict,
                "unit": test.unit,
                "n_units": test.n_units,
                "more_if_equal": more_units(test, 0.0),
                "more_if_as_seen": more_units(test, test.statistic),
            }
        )
    return pd.DataFrame(rows)


def more_units(test: EquivalenceTest, difference: float) -> float:
    """How many units beyond those of the test pass a candidate that is truly so much better."""
    return max(0.0, test.units_needed(difference, power=POWER) - test.n_units)


def margins_by_metric(
    margin: float | Mapping[str, float], levels: Mapping[str, float]
) -> dict[str, float]:
    """The margin of each metric.

    Parameters
    ----------
    margin : float, or mapping of str to float
        One for all metrics, or one for each by its name.
    levels : mapping of str to float
        The largest score of each metric, without its sign.

    Raises
    ------
    InputError
        If a metric has no margin, a margin no metric, or one margin is given for metrics whose
        scores are of very different size.

    Examples
    --------
    >>> margins_by_metric(0.5, {"BLEU": 31.2, "chrF": 58.0})
    {'BLEU': 0.5, 'chrF': 0.5}
    >>> try:
    ...     margins_by_metric(0.5, {"BLEU": 31.2, "COMET": 0.85})
    ... except InputError as error:
    ...     print(str(error).partition(" Give")[0])
    margin=0.5: the scores of BLEU and COMET are of very different size, so one margin cannot suit
    both.
    """
    if isinstance(margin, Mapping):
        for metric in margin:
            check_one_of("margin", metric, levels)
        without = [metric for metric in levels if metric not in margin]
        if without:
            raise InputError(f"margin: {listed(without)} has none. Give one for each metric.")
        return {metric: float(margin[metric]) for metric in levels}
    largest = max(levels, key=lambda metric: levels[metric])
    smallest = min(levels, key=lambda metric: levels[metric])
    if levels[largest] > _UNLIKE * levels[smallest] > 0:
        raise InputError(
            f"margin={margin!r}: the scores of {largest} and {smallest} are of very different "
            "size, so one margin cannot suit both. Give one for each, as in --margin "
            f"{largest}=0.5 --margin {smallest}=0.005 (in Python a dict)."
        )
    return dict.fromkeys(levels, float(margin))
