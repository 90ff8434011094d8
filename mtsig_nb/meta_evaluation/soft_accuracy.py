"""Soft pairwise accuracy: whether a metric doubts the pairs of systems that people doubt.

Pairwise accuracy (Kocmi et al. 2021) asks of each pair whether metric and people *order* it alike,
and counts a toss-up as much as a landslide.  Soft pairwise accuracy (Thompson, Mathur, Deutsch &
Khayrallah 2024) compares p-values instead:

    SPA = 1 - mean over pairs of |p_people - p_metric|,

where p is the one-sided p-value for the first system being better.  With p-values that are only
ever 0 (better) or 1 (worse) the two are the same, so pairwise accuracy is SPA with all doubt
removed.  SPA inherits from its p-values their test, tails, ties and number of segments: a metric
with more segments than people had is surer than they are, and loses by it.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, TypeAlias

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.counting import Counting, counting_rule
from ..engine.options import Design
from ..engine.resampling import RNG, seed_from
from ..engine.tallies import Pairs, run
from ..errors import InputError
from ..human import Ratings, SegmentScores
from ..human.ratings import Judgement
from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .against_gold import left_out, resampled_interval, shared_systems

#: What one-sided p-values can be taken from.
Source: TypeAlias = SufficientStatistics | Judgement | pd.DataFrame


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SoftPairwiseAccuracy(Tabled):
    """How close a metric's p-values are to people's.

    Attributes
    ----------
    table : DataFrame
        One row per pair, the system that people's p-values favour as ``system_a``: ``people`` and
        ``metric``, the one-sided p-values for a being better; their ``distance``; and ``ordered``,
        1 where both are on the same side of one half, which is what pairwise accuracy counts.
    accuracy : float
        Soft pairwise accuracy, 0 to 1.
    pairwise_accuracy : float
        Share of pairs ordered alike by the same p-values; a tie agrees only with a tie.
    interval : tuple of float
        Percentile interval from resampling systems.
    confidence_level, n_systems, rng
        Of the interval and the p-values.
    notes : tuple of str

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt22/de-en")
    >>> spa = mt.soft_pairwise_accuracy(campaign.statistics("BLEU"), campaign.human, rng=1)
    >>> spa.table[["people", "metric", "distance"]].head(2).round(2)
       people  metric  distance
    0    0.02    0.00      0.01
    1    0.01    0.85      0.84
    """

    table: pd.DataFrame
    accuracy: float
    pairwise_accuracy: float
    interval: tuple[float, float]
    confidence_level: float
    n_systems: int
    rng: int
    metric: str
    people: str
    notes: tuple[str, ...] = ()
    measure: ClassVar[str] = "soft pairwise accuracy"

    @property
    def closeness(self) -> pd.Series:
        """What the distance of each pair leaves of 1."""
        return 1 - self.table["distance"]

    @property
    def sentence(self) -> str:
        """The accuracy, how sure it is, and what the p-values are."""
        low, high = self.interval
        return "\n".join(
            [
                f"{self.metric}: {self.measure} {self.accuracy:.3f}, "
                f"{self.confidence_level:.0%} interval {low:.3f} to {high:.3f} from resampling "
                f"{self.n_systems} systems; pairwise accuracy {self.pairwise_accuracy:.3f}",
                f"people's p-values: {self.people}; rng={self.rng}",
                *self.notes,
            ]
        )


def soft_pairwise_accuracy(
    metric: Source,
    human: Source,
    *,
    n_resamples: int = 1000,
    counting: str | Counting = "add-one",
    units: str = "segments",
    confidence_level: float = 0.95,
    interval_resamples: int = 2000,
    rng: RNG = None,
) -> SoftPairwiseAccuracy:
    """How close a metric's one-sided p-values are to people's (Thompson et al. 2024).

    Parameters
    ----------
    metric, human : SufficientStatistics, judgement or DataFrame
        Statistics get the permutation test of the paper, which is approximate randomization.  A
        campaign's judgements get the same test where every system was judged on the same
        segments; where not, the rank-sum test for scores and the sign test for preferences.  A
        table of one-sided p-values has systems as index and columns, the row's system being the
        one tested to be better.
    n_resamples : int
        Of the permutation test; the paper takes 1,000.
    counting : str or Counting
        ``"plain"`` is the paper's.  ``"add-one"`` brings two permutation p-values a thousandth
        closer to each other.
    units : {"segments", "documents"}
        What the permutation test exchanges.
    confidence_level, interval_resamples
        Of the interval from resampling systems, as in :func:`agreement`.
    rng : None, int or Generator
        Permutations on equally many segments are the same for metric and people, so a metric
        that gives people's own scores has an accuracy of exactly 1.

    Returns
    -------
    SoftPairwiseAccuracy

    Raises
    ------
    InputError
        If fewer than two systems are shared, or a table has no p-values.

    Notes
    -----
    Where two systems are exactly tied, both one-sided p-values exceed one half; the accuracy may
    then depend on which of a pair comes first.  Pairs are taken in people's order: the system with
    the smaller p-value comes first.

    References
    ----------
    Thompson, Mathur, Deutsch & Khayrallah 2024, *Improving statistical significance in human
    evaluation of automatic metrics via soft pairwise accuracy*; Kocmi et al. 2021.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt22/de-en")
    >>> spa = mt.soft_pairwise_accuracy(campaign.statistics("BLEU"), campaign.human, rng=1)
    >>> len(spa.table), bool(0 < spa.accuracy < 1)
    (36, True)
    """
    check_level(confidence_level, "confidence_level")
    seed, rule = seed_from(rng), counting_rule(counting)
    both = [
        one_sided_pvalues(side, n_resamples=n_resamples, counting=rule, units=units, rng=seed)
        for side in (metric, human)
    ]
    (p_metric, metric_test), (p_human, human_test) = both
    shared = shared_systems(list(p_human.index), p_metric.index)
    people = p_human.loc[shared, shared].to_numpy()
    scored = p_metric.loc[shared, shared].to_numpy()
    # The system with people's smaller p-value comes first; ties in the order given.
    i, j = pair_indices(len(shared))
    turn = people[j, i] < people[i, j]
    a, b = np.where(turn, j, i), np.where(turn, i, j)
    names = np.array(shared)
    # Which side is favoured: that of the smaller p-value.
    sides = [np.sign(p[b, a] - p[a, b]) for p in (people, scored)]
    table = pd.DataFrame(
        {
            "system_a": names[a],
            "system_b": names[b],
            "people": people[a, b],
            "metric": scored[a, b],
            "distance": np.abs(people[a, b] - scored[a, b]),
            "ordered": (sides[0] == sides[1]).astype(int),
        }
    )
    close = np.zeros_like(people)
    close[a, b] = close[b, a] = 1 - table["distance"]
    notes = left_out(p_metric.index, p_human.index, "without a score here")
    if isinstance(metric, SufficientStatistics) and isinstance(human, SegmentScores):
        judged = human.frame["segment"].nunique()
        if judged != metric.n_segments:
            notes.append(
                f"the metric saw {metric.n_segments:,} segments and people {judged:,}: p-values "
                "are the smaller the more there are; take the subset that people judged"
            )
    return SoftPairwiseAccuracy(
        table=table,
        accuracy=float(1 - table["distance"].mean()),
        pairwise_accuracy=float(table["ordered"].mean()),
        interval=resampled_interval(close, interval_resamples, seed, confidence_level),
        confidence_level=confidence_level,
        n_systems=len(shared),
        rng=seed,
        metric=metric_test,
        people=human_test,
        notes=tuple(notes),
    )


def one_sided_pvalues(
    source: Source, *, n_resamples: int, counting: Counting, units: str, rng: int
) -> tuple[pd.DataFrame, str]:
    """One-sided p-values of all pairs, the row's system better than the column's; and their test.

    NaN on the diagonal; best system first where scores are known.
    """
    if isinstance(source, pd.DataFrame):
        return _checked(source), "as given"
    if isinstance(source, Ratings):
        source = source.segment_means()
    if isinstance(source, SegmentScores) and source.same_segments:
        source = source.as_statistics()
    if not isinstance(source, SufficientStatistics):
        found = source.tests(alternative="greater")
        return _framed(found.systems, found.pvalues), found.title
    if len(source.systems) < 2:
        raise InputError("statistics: there is one system; a comparison needs two.")
    design = Design.of(
        "approximate-randomization",
        alternative="greater",
        n_resamples=n_resamples,
        counting=counting,
        units=units,
        exact=False,
        rng=rng,
    )
    first, second = pair_indices(len(source.systems))
    both: Pairs = (np.concatenate([first, second]), np.concatenate([second, first]))
    done = run(design, [source.select(source.scores().index)], both)
    (ranked,), (result,) = done.statistics, done.tallies
    pvalues = np.full((len(ranked.systems),) * 2, np.nan)
    pvalues[both] = result.pvalues
    title = f"{design.procedure.title} on {ranked.label}, {ranked.n_segments:,} {ranked.unit}"
    return _framed(ranked.systems, pvalues), title


def _framed(systems: tuple[str, ...], pvalues: FloatArray) -> pd.DataFrame:
    return pd.DataFrame(pvalues, index=list(systems), columns=list(systems))


def _checked(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of p-values with its columns in the order of its rows."""
    if set(frame.index) != set(frame.columns) or frame.index.has_duplicates:
        raise InputError("p-values: index and columns must be the same systems, each once.")
    square = frame.loc[:, list(frame.index)].astype(np.float64)
    values = square.to_numpy()[~np.eye(len(square), dtype=bool)]
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("p-values: all but those on the diagonal must lie between 0 and 1.")
    return square
