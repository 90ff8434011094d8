"""How much closer one metric or test is to people than another, with systems as units."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..errors import InputError
from ..metrics.base import FloatArray
from ..significance.results import format_pvalue
from ..told import Tabled
from .against_gold import Agreement
from .soft_accuracy import SoftPairwiseAccuracy
from .systems_as_units import over_systems

#: What says how close a metric is to people, pair by pair.
Closeness = Agreement | SoftPairwiseAccuracy


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MetricComparisons(Tabled):
    """Differences between the accuracies of metrics on the same pairs of systems.

    Attributes
    ----------
    table : DataFrame
        One row per two metrics: ``a``, ``b``, the ``difference`` of their accuracies, a's less
        b's, its interval ``ci_low`` and ``ci_high``, ``pvalue``, ``accuracy_a``, ``accuracy_b``.
    measure : str
        What the accuracies are.
    n_systems, n_pairs : int
        The units, and the pairs that they make and that count.
    confidence_level : float
    test : str
        What the p-values come from.
    rng : int, optional
        The seed, where anything was drawn.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> soft = {name: mt.soft_pairwise_accuracy(campaign.statistics(name), campaign.human, rng=1)
    ...         for name in ("BLEU", "chrF")}
    >>> found = mt.compare_metrics(soft)
    >>> found.n_systems, found.n_pairs, bool(found.table["ci_low"].item() < 0)
    (12, 66, True)
    """

    table: pd.DataFrame
    measure: str
    n_systems: int
    n_pairs: int
    confidence_level: float
    test: str
    rng: int | None = None

    @property
    def sentence(self) -> str:
        """Each difference with its interval, then what they rest on."""
        level = f"{100 * self.confidence_level:g} %"
        lines = [
            f"{row['a']} less {row['b']}: {row['difference']:+.3f} of {self.measure}, {level} "
            f"interval {row['ci_low']:+.3f} to {row['ci_high']:+.3f}; "
            f"p = {format_pvalue(row['pvalue'])}"
            for row in self.table.to_dict("records")
        ]
        many = f"; not corrected for {len(lines)} comparisons" if len(lines) > 1 else ""
        seed = f"; rng={self.rng}" if self.rng is not None else ""
        lines.append(
            f"intervals: {self.n_systems} systems as units, which make {self.n_pairs} pairs; "
            f"p: {self.test}{many}{seed}"
        )
        return "\n".join(lines)


def compare_metrics(
    results: Mapping[str, Closeness], *, confidence_level: float = 0.95
) -> MetricComparisons:
    """Differences of every two accuracies on the same pairs, with systems as units.

    Go by the interval: it says how much better one metric may be.  Pairs share systems, so the
    number of pairs flatters; interval and p-value take the systems as what was sampled
    (:mod:`mtsig_nb.meta_evaluation.systems_as_units` has the reasoning).  They kept their level
    in worlds where :func:`mcnemar_between`, :func:`cochrans_q` and :func:`chi_square_between` did
    not (``docs/trust.md``); see :func:`metric_error_rates`.

    Parameters
    ----------
    results : mapping of str to Agreement or SoftPairwiseAccuracy
        By metric or test, all of one kind and about the same pairs of systems, as from
        :func:`agreement`, :func:`pairwise_accuracy` or :func:`soft_pairwise_accuracy`.
    confidence_level : float

    Returns
    -------
    MetricComparisons

    Raises
    ------
    InputError
        If the results are not about the same pairs of systems, or of two kinds.

    References
    ----------
    Fafchamps & Gubert 2007, *The formation of risk sharing networks*; Aronow, Samii & Assenova
    2015, *Cluster-robust variance estimation for dyadic data*; Efron & Stein 1981, *The jackknife
    estimate of variance*.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> people = campaign.human.scores()
    >>> ordered = {name: mt.pairwise_accuracy(campaign.statistics(name).scores(), people, rng=1)
    ...            for name in ("BLEU", "NIST")}
    >>> mt.compare_metrics(ordered).table[["a", "b", "difference"]].round(3).values.tolist()
    [['BLEU', 'NIST', -0.03]]
    """
    check_level(confidence_level, "confidence_level")
    shared = SamePairs.of(results)
    rows = []
    for a, b in combinations(shared.closeness, 2):
        rows.append((a, b, *shared.difference(a, b, confidence_level), *shared.means(a, b)))
    soft = isinstance(next(iter(results.values())), SoftPairwiseAccuracy)
    return MetricComparisons(
        table=pd.DataFrame(rows, columns=COLUMNS),
        measure="soft pairwise accuracy" if soft else "accuracy",
        n_systems=shared.n_systems,
        n_pairs=shared.n_pairs,
        confidence_level=confidence_level,
        test="systems as units",
    )


COLUMNS = ["a", "b", "difference", "ci_low", "ci_high", "pvalue", "accuracy_a", "accuracy_b"]


@dataclasses.dataclass(frozen=True, eq=False)
class SamePairs:
    """How close several metrics are to people, pair by pair, as symmetric matrices."""

    closeness: dict[str, FloatArray]
    counted: FloatArray

    @classmethod
    def of(cls, results: Mapping[str, Closeness]) -> SamePairs:
        if len(results) < 2:
            raise InputError("results: give at least two to compare.")
        if len({type(result) for result in results.values()}) > 1:
            raise InputError("results: agreements and soft accuracies are not comparable.")
        values = {name: _by_pair(result) for name, result in results.items()}
        first_name, first = next(iter(values.items()))
        for name, series in values.items():
            if set(series.index) != set(first.index):
                raise InputError(
                    f"results: {first_name!r} and {name!r} are not about the same pairs of "
                    "systems; restrict both to those they share."
                )
        place = {system: i for i, system in enumerate(sorted(set().union(*first.index)))}
        at = np.array([[place[system] for system in pair] for pair in first.index]).T

        def square(of_pairs: FloatArray | float) -> FloatArray:
            matrix = np.zeros((len(place),) * 2)
            matrix[at[0], at[1]] = matrix[at[1], at[0]] = of_pairs
            return matrix

        closeness = {name: square(v.loc[first.index].to_numpy()) for name, v in values.items()}
        return cls(closeness, square(1.0))

    @property
    def n_systems(self) -> int:
        return len(self.counted)

    @property
    def n_pairs(self) -> int:
        return int(self.counted.sum()) // 2

    def right(self, name: str) -> np.ndarray:
        """Which pairs are right, where each is right or wrong."""
        return self.closeness[name][np.triu(self.counted) > 0] > 0

    def difference(self, a: str, b: str, level: float) -> tuple[float, float, float, float]:
        """The difference, its interval, and its p-value."""
        found = over_systems(self.closeness[a] - self.closeness[b], self.counted, level)
        return float(found.mean), float(found.low), float(found.high), float(found.pvalue)

    def means(self, *names: str) -> list[float]:
        return [float(self.closeness[name].sum()) / 2 / self.n_pairs for name in names]


def _by_pair(result: Closeness) -> pd.Series:
    """How close to people, by pair of systems; only pairs that count."""
    soft = isinstance(result, SoftPairwiseAccuracy)
    table = result.table if soft else result.counted  # type: ignore[union-attr]
    close = 1 - table["distance"] if soft else table["correct"].astype(np.float64)
    pairs = [tuple(sorted(pair)) for pair in zip(table["system_a"], table["system_b"], strict=True)]
    return pd.Series(close.to_numpy(), index=pd.Index(pairs, tupleize_cols=False))
