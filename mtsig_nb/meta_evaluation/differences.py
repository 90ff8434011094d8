"""Whether one metric or test is closer to people than another.

`chi_square_between` is the comparison that Graham, Mathur & Baldwin (2014) print.  It takes the two
accuracies as if they came from different pairs of systems; they come from the same ones, which
`mcnemar_between` (two at a time) and `cochrans_q` (all at once) reckon with.  But all three take
pairs as independent, though pairs share systems, and that makes the latter two err more often than
they say: about twice as often, and more, on simulated metrics that are equally good.  Go by the
interval that `mcnemar_between` gives beside its p-value: it comes from resampling systems, and
there contains the true difference at least as often as it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats import contingency_tables

from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from .against_gold import Agreement, resampled_accuracies


def chi_square_between(
    results: Mapping[str, Agreement | tuple[int, int]], *, correct: bool = True
) -> pd.DataFrame:
    """Chi-square tests of every two accuracies, as if they came from different pairs.

    Parameters
    ----------
    results : mapping of str to Agreement or (int, int)
        By metric or test; a pair of numbers is (correct, total), as printed in a paper.
    correct : bool
        Yates's continuity correction, R's default.

    Returns
    -------
    DataFrame
        ``a``, ``b``, ``accuracy_a``, ``accuracy_b``, ``statistic``, ``pvalue``.  Where both are
        always right, or never, the statistic is 0 and p is 1.

    Examples
    --------
    >>> chi_square_between({"BLEU": (50, 66), "TER": (40, 66)})["pvalue"].round(4).tolist()
    [0.0926]
    """
    counts = {name: _correct_and_total(name, result) for name, result in results.items()}
    _check_enough(counts)
    rows = []
    for (a, (right_a, n_a)), (b, (right_b, n_b)) in combinations(counts.items(), 2):
        table = np.array([[right_a, n_a - right_a], [right_b, n_b - right_b]])
        statistic, pvalue = 0.0, 1.0
        if table.sum(axis=0).all():
            statistic, pvalue = stats.chi2_contingency(table, correction=correct)[:2]
        rows.append((a, b, right_a / n_a, right_b / n_b, float(statistic), float(pvalue)))
    return pd.DataFrame(rows, columns=["a", "b", "accuracy_a", "accuracy_b", "statistic", "pvalue"])


def mcnemar_between(
    results: Mapping[str, Agreement],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> pd.DataFrame:
    """Exact McNemar tests of every two accuracies on the same pairs of systems, with intervals.

    Only pairs that one gets right and the other wrong matter; under the null hypothesis either is
    as likely to be the one that is right.  The p-value takes these pairs as independent; since they
    share systems, it tends to be too small.  The interval resamples systems.

    Parameters
    ----------
    results : mapping of str to Agreement
        By metric or test, on the same systems.
    confidence_level : float
        Of the interval of the difference.
    n_resamples : int
        How often systems are resampled for it.
    rng : None, int, Generator or SeedSequence
        The same resamples of systems are used for all results.

    Returns
    -------
    DataFrame
        ``a``, ``b``, ``only_a`` and ``only_b`` (pairs that only one gets right), ``pvalue``, and
        ``difference`` of accuracies with ``ci_low`` and ``ci_high`` from resampling systems.

    Raises
    ------
    InputError
        If the results are not about the same pairs of systems.

    Examples
    --------
    >>> from mtsig_nb import Conclusions, agreement
    >>> def concluding(ab, ac, bc):
    ...     pairs = {("A", "B"): ab, ("A", "C"): ac, ("B", "C"): bc}
    ...     return Conclusions.from_pairs(pairs)
    >>> people = concluding(1, 1, 0)
    >>> answers = {"BLEU": concluding(0, 1, 0), "TER": concluding(1, 1, 0)}
    >>> results = {name: agreement(answer, people, rng=1) for name, answer in answers.items()}
    >>> mcnemar_between(results, rng=1)[["a", "b", "only_a", "only_b", "pvalue"]]
          a    b  only_a  only_b  pvalue
    0  BLEU  TER       0       1     1.0
    """
    right = _on_the_same_pairs(results)
    seed = seed_from(rng)
    tail = (1 - confidence_level) / 2
    rows = []
    for a, b in combinations(right, 2):
        only_a = int((right[a] & ~right[b]).sum())
        only_b = int((right[b] & ~right[a]).sum())
        test = contingency_tables.mcnemar([[0, only_a], [only_b, 0]], exact=True)
        differences = np.subtract(
            *(resampled_accuracies(*_square(results[name]), n_resamples, seed) for name in (a, b))
        )
        low, high = np.quantile(differences, [tail, 1 - tail])
        difference = float(right[a].mean() - right[b].mean())
        rows.append((a, b, only_a, only_b, float(test.pvalue), difference, low, high))
    columns = ["a", "b", "only_a", "only_b", "pvalue", "difference", "ci_low", "ci_high"]
    return pd.DataFrame(rows, columns=columns)


def cochrans_q(results: Mapping[str, Agreement]) -> pd.DataFrame:
    """Cochran's Q: whether several metrics or tests get the same share of pairs right.

    It takes pairs as independent; since they share systems, its p-value tends to be too small.

    Parameters
    ----------
    results : mapping of str to Agreement
        By metric or test, on the same systems.

    Returns
    -------
    DataFrame
        One row: ``statistic``, ``dof``, ``pvalue``.  Where all agree about every pair, 0 and 1.

    Raises
    ------
    InputError
        If the results are not about the same pairs of systems.

    Examples
    --------
    >>> from mtsig_nb import Conclusions, agreement
    >>> def concluding(ab, ac, bc):
    ...     pairs = {("A", "B"): ab, ("A", "C"): ac, ("B", "C"): bc}
    ...     return Conclusions.from_pairs(pairs)
    >>> people = concluding(1, 1, 0)
    >>> answers = {"BLEU": concluding(0, 1, 0), "TER": concluding(1, 1, 0)}
    >>> results = {name: agreement(answer, people, rng=1) for name, answer in answers.items()}
    >>> cochrans_q(results).round(3)
       statistic  dof  pvalue
    0        1.0    1   0.317
    """
    right = _on_the_same_pairs(results)
    answers = np.column_stack(list(right.values())).astype(int)
    dof = answers.shape[1] - 1
    statistic, pvalue = 0.0, 1.0
    if (answers != answers[:, :1]).any():
        test = contingency_tables.cochrans_q(answers)
        statistic, pvalue = float(test.statistic), float(test.pvalue)
    return pd.DataFrame({"statistic": [statistic], "dof": [dof], "pvalue": [pvalue]})


def _correct_and_total(name: str, result: Agreement | tuple[int, int]) -> tuple[int, int]:
    if isinstance(result, Agreement):
        return result.correct, result.total
    right, total = result
    if not 0 <= right <= total or total < 1:
        raise InputError(f"results[{name!r}]: {right} of {total} is not a proportion.")
    return int(right), int(total)


def _on_the_same_pairs(results: Mapping[str, Agreement]) -> dict[str, np.ndarray]:
    """For each result, which of the pairs it gets right, in one order of the pairs."""
    _check_enough(results)
    answers: dict[str, pd.Series] = {}
    for name, result in results.items():
        counted = result.counted
        pairs = [frozenset(pair) for pair in zip(counted.system_a, counted.system_b, strict=True)]
        answers[name] = pd.Series(counted["correct"].to_numpy(), index=pd.Index(pairs))
    first_name, first = next(iter(answers.items()))
    for name, series in answers.items():
        if set(series.index) != set(first.index):
            raise InputError(
                f"results: {first_name!r} and {name!r} are not about the same pairs of systems; "
                "restrict both to those they share."
            )
    return {name: series[first.index].to_numpy(dtype=bool) for name, series in answers.items()}


def _square(result: Agreement) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs are correct, and which count, as symmetric matrices in alphabetical order."""
    order = sorted(result.gold.systems)
    place = {system: i for i, system in enumerate(order)}
    a = result.table["system_a"].map(place).to_numpy()
    b = result.table["system_b"].map(place).to_numpy()
    counted = np.zeros((len(order), len(order)), dtype=bool)
    correct = counted.copy()
    counted[a, b] = counted[b, a] = result.table["counted"]
    correct[a, b] = correct[b, a] = result.table["correct"] & result.table["counted"]
    return correct, counted


def _check_enough(results: Mapping[str, object]) -> None:
    if len(results) < 2:
        raise InputError("results: give at least two to compare.")
