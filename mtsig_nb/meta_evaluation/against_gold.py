"""How often a test draws the conclusions that people draw.

Every pair of systems is one question with three answers: better, indistinguishable, worse.  A
conclusion is correct where it is people's own.  Two things keep the share of correct conclusions
from being a plain proportion:

- Pairs that share a system are not independent.  The Clopper-Pearson interval that Graham, Mathur
  & Baldwin (2014) print takes them as if they were; beside it stands an interval from resampling
  *systems*, with all the pairs they bring (the vertex bootstrap of Snijders & Borgatti 1999).
- People's conclusions are a test's too, with errors of their own, and "indistinguishable" may
  mean no more than that too few ratings were collected.

Soft pairwise accuracy asks whether a metric doubts the pairs of systems that people doubt.
Pairwise accuracy (Kocmi et al. 2021) asks whether metric and people *order* each pair alike, and
counts a toss-up as much as a landslide.  Soft pairwise accuracy (Thompson, Mathur, Deutsch &
Khayrallah 2024) compares p-values instead:

    SPA = 1 - mean over pairs of |p_people - p_metric|,

where p is the one-sided p-value for the first system being better.  With p-values that are only
ever 0 (better) or 1 (worse) the two are the same, so pairwise accuracy is SPA with all doubt
removed.  SPA inherits from its p-values their test, tails, ties and number of segments: a metric
with more segments than people had is surer than they are, and loses by it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd

from ..conclusions.clustering import best_first
from ..conclusions.deciding import WORDS, Conclusions
from ..described import Tabled
from ..engine.counting import MEANS, clopper_pearson, equal_but_for_rounding
from ..engine.options import Design, ResamplingOptions
from ..engine.resampling import RNG, Pairs, check_n_resamples, seed_from
from ..engine.tallies import run
from ..errors import InputError
from ..human import Ratings, SegmentScores
from ..human.judgements import Judgement
from ..metrics.base import FloatArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pair_frame, pair_indices

#: What one-sided p-values can be taken from.
Source: TypeAlias = SufficientStatistics | Judgement | pd.DataFrame

#: Conclusions in the order of `Agreement.confusion`.
_BEST_FIRST = [WORDS[1], WORDS[0], WORDS[-1]]
#: How a conclusion may compare with people's, in the order of `Agreement.kinds`.
_KINDS = ["correct", "missed", "unfounded", "opposite"]
#: Resamples of systems for the interval of a soft pairwise accuracy.
_N_RESAMPLES_OF_SYSTEMS = 2000


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Agreement(Tabled):
    """The agreement of conclusions with those of people.

    Attributes
    ----------
    table : DataFrame
        One row per pair, the system that people rank higher as ``system_a``: ``gold`` and
        ``conclusion`` (words about a), ``correct`` and ``kind`` (``"correct"``; ``"missed"``, where
        only people see a difference; ``"unfounded"``, where only the test does; ``"opposite"``).
    conclusions, gold : Conclusions
        The conclusions of both sides about the shared systems, in people's order.
    interval : tuple of float
        Clopper-Pearson at 95 %, with pairs treated as independent.
    resampled_interval : tuple of float
        Percentile interval at 95 % from resampling systems.
    n_resamples, rng
        How often systems were resampled, and the seed.
    notes : tuple of str
        What a reader should know, such as systems that only one side has.

    Examples
    --------
    >>> people = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 0})
    >>> metric = Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): 1, ("B", "C"): 0})
    >>> a = agreement(metric, people, rng=1)
    >>> round(a.accuracy, 3), a.kinds.to_dict()
    (0.667, {'correct': 2, 'missed': 1, 'unfounded': 0, 'opposite': 0})
    >>> a.table[["system_a", "system_b", "gold", "conclusion", "kind"]].head(2)
      system_a system_b    gold         conclusion     kind
    0        A        B  better  indistinguishable   missed
    1        A        C  better             better  correct
    """

    table: pd.DataFrame
    conclusions: Conclusions
    gold: Conclusions
    interval: tuple[float, float]
    resampled_interval: tuple[float, float]
    n_resamples: int
    rng: int
    notes: tuple[str, ...] = ()
    measure: ClassVar[str] = "accuracy"

    @property
    def closeness(self) -> pd.Series:
        """1 for each pair that is correct, else 0."""
        return self.table["correct"].astype(np.float64)

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return len(self.table)

    @property
    def correct(self) -> int:
        """How many pairs have the same conclusion as people's."""
        return int(self.table["correct"].sum())

    @property
    def accuracy(self) -> float:
        """Share of correct conclusions."""
        return self.correct / self.total

    @property
    def confusion(self) -> pd.DataFrame:
        """People's conclusions (rows) by the test's (columns), about the system people rank higher.

        People's "worse" occurs only where their test and their ranking disagree about a pair.
        """
        table = pd.crosstab(self.table["gold"], self.table["conclusion"])
        table = table.reindex(index=_BEST_FIRST, columns=_BEST_FIRST, fill_value=0)
        return table.rename_axis(index="people", columns="test")

    @property
    def kinds(self) -> pd.Series:
        """How many conclusions are correct, missed, unfounded and opposite."""
        return self.table["kind"].value_counts().reindex(_KINDS, fill_value=0)

    def plot(self, **kwargs: Any) -> Any:
        """Draw the test's conclusions, in people's order of the systems."""
        return self.conclusions.heatmap(**kwargs)

    def _lines(self) -> list[str]:
        """The counts, and both intervals."""
        source = self.conclusions.source or "the conclusions"
        gold = self.gold.source or "the gold standard"
        return [
            f"{source}: {self.correct} of {self.total} conclusions "
            f"({100 * self.accuracy:.1f} %) are the same as those of {gold}; "
            f"{self.kinds['opposite']} are opposite",
            f"95 % interval {_percent(self.interval)} if pairs were independent "
            "(Clopper-Pearson); pairs that share systems are not: "
            f"{_percent(self.resampled_interval)} from resampling systems "
            f"({self.n_resamples:,} times, rng={self.rng})",
        ]

    def _below(self) -> str:
        return self.confusion.to_html(escape=True)


def _percent(interval: tuple[float, float]) -> str:
    """An interval of shares, in per cent."""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


def agreement(
    conclusions: Conclusions, gold: Conclusions, *, n_resamples: int = 2000, rng: RNG = None
) -> Agreement:
    """Compare conclusions with those of people, pair by pair.

    Parameters
    ----------
    conclusions, gold : Conclusions
        The test's conclusions, and people's.  Systems that only one of them has are left out, and a
        note names them.
    n_resamples : int
        Draws of systems for `Agreement.resampled_interval`.
    rng : int, Generator or None
        The same seed gives the same interval.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        If fewer than two systems are shared.

    Examples
    --------
    >>> people = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 0})
    >>> metric = Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): 1, ("B", "C"): 0})
    >>> a = agreement(metric, people, rng=1)
    >>> a.correct, a.total, a.kinds["missed"].item()
    (2, 3, 1)
    """
    shared = shared_systems(best_first(gold).systems, conclusions.systems)
    test = conclusions.reorder(shared)
    people = gold.reorder(shared)
    notes = left_out(conclusions.systems, gold.systems, "without a conclusion here")
    table = _pair_by_pair(test, people)
    low, high = clopper_pearson(int(table["correct"].sum()), len(table))
    seed = seed_from(rng)
    is_correct = (test.matrix == people.matrix).astype(np.float64)
    return Agreement(
        table=table,
        conclusions=test,
        gold=people,
        interval=(float(low), float(high)),
        resampled_interval=resampled_interval(is_correct, n_resamples, seed),
        n_resamples=n_resamples,
        rng=seed,
        notes=tuple(notes),
    )


def _pair_by_pair(test: Conclusions, people: Conclusions) -> pd.DataFrame:
    """The table of `Agreement`, of two sides with the same systems in the same order."""
    by_test = test.pairs()
    by_people = people.pairs()
    is_correct = by_test == by_people
    is_missed = by_test == 0
    is_unfounded = by_people == 0
    kind = np.select(
        [is_correct, is_missed, is_unfounded],
        ["correct", "missed", "unfounded"],
        default="opposite",
    )
    return pair_frame(
        people.systems,
        pair_indices(len(people.systems)),
        gold=[WORDS[int(conclusion)] for conclusion in by_people],
        conclusion=[WORDS[int(conclusion)] for conclusion in by_test],
        correct=is_correct,
        kind=kind,
    )


def pairwise_accuracy(
    scores: pd.Series,
    human_scores: pd.Series,
    *,
    higher_is_better: bool = True,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Agreement:
    """How often a metric orders two systems as people's mean scores do (Kocmi et al. 2021).

    Parameters
    ----------
    scores, human_scores : Series
        The metric's scores and people's, indexed by system.  A larger score by people is better.
    higher_is_better : bool
        Whether a larger one of `scores` is better; False for error rates.
    n_resamples, rng
        As in :func:`agreement`.

    Returns
    -------
    Agreement
        ``accuracy`` is the pairwise accuracy.  A tie agrees only with a tie.

    Examples
    --------
    >>> metric, people = pd.Series({"A": 30, "B": 28, "C": 29}), pd.Series({"A": 3, "B": 2, "C": 1})
    >>> pairwise_accuracy(metric, people, rng=1).correct
    2
    """
    ranked = human_scores.sort_values(ascending=False, kind="stable")
    return agreement(
        _ordered(scores, f"the order of {scores.name or 'the scores'}", higher_is_better),
        _ordered(ranked, "the order of people's scores"),
        n_resamples=n_resamples,
        rng=rng,
    )


def _ordered(scores: pd.Series, source: str, higher_is_better: bool = True) -> Conclusions:
    """The order of scores as conclusions: every difference counts that is not rounding's."""
    values = scores.to_numpy(dtype=np.float64)
    is_finite = np.isfinite(values)
    if not is_finite.all():
        lacking = scores.index[~is_finite]
        raise InputError(f"scores: {lacking[0]!r} has no finite score.")
    values_with_ties = equal_means(values)
    differences = np.subtract.outer(values_with_ties, values_with_ties)
    is_larger = np.sign(differences).astype(np.int8)
    return Conclusions(
        tuple(map(str, scores.index)),
        is_larger if higher_is_better else -is_larger,
        source=source,
        scores=values,
        higher_is_better=higher_is_better,
    )


def equal_means(scores: FloatArray) -> FloatArray:
    """Scores of systems; those that only rounding keeps apart are made equal."""
    largest = np.abs(scores).max(initial=0.0)
    return equal_but_for_rounding(scores, MEANS * largest)


def shared_systems(people: Sequence[str], metric: Iterable[str]) -> list[str]:
    """Systems that both sides have, in people's order: two or more."""
    known = set(metric)
    shared = [system for system in people if system in known]
    if len(shared) < 2:
        raise InputError(
            f"people and metric share {len(shared)} systems; at least two are needed. Do the "
            "systems have the same names in both?"
        )
    return shared


def resampled_interval(correct: FloatArray, n_resamples: int, seed: int) -> tuple[float, float]:
    """Percentile interval at 95 % of `resampled_accuracies`; from 0 to 1 where there are none."""
    accuracies = resampled_accuracies(correct, n_resamples, seed)
    if not accuracies.size:
        return 0.0, 1.0
    low, high = np.quantile(accuracies, [0.025, 0.975])
    return float(low), float(high)


def resampled_accuracies(correct: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Accuracies over systems drawn with replacement, shape (resamples with a pair,).

    A system drawn m times brings each of its pairs m times; it makes no pair with itself.  Pairs
    may be correct in part.
    """
    check_n_resamples(n_resamples)
    n_systems = len(correct)
    draws = np.random.default_rng(seed).integers(n_systems, size=(n_resamples, n_systems))
    resample = np.arange(n_resamples)[:, None]
    times_drawn = np.zeros((n_resamples, n_systems))
    np.add.at(times_drawn, (resample, draws), 1.0)
    is_pair = 1.0 - np.eye(n_systems)
    is_correct = correct * is_pair
    # Both counts have every pair twice.
    n_correct = ((times_drawn @ is_correct) * times_drawn).sum(axis=1)
    n_pairs = ((times_drawn @ is_pair) * times_drawn).sum(axis=1)
    has_pair = n_pairs > 0
    return n_correct[has_pair] / n_pairs[has_pair]


def left_out(tested: Collection[str], judged: Collection[str], lacking: str) -> list[Note]:
    """Notes on the systems that only one side has.

    `lacking` says what systems that only people judged are, such as "without a score here".
    """
    only_tested = [name for name in tested if name not in judged]
    only_judged = [name for name in judged if name not in tested]
    notes = []
    if only_tested:
        notes.append(note("not-judged", systems=", ".join(only_tested), lacking=lacking))
    if only_judged:
        notes.append(note("only-judged", systems=", ".join(only_judged), lacking=lacking))
    return notes


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
        Share of pairs that both sides' p-values order alike; a tie agrees only with a tie.
    interval : tuple of float
        Percentile interval at 95 % from resampling systems.
    n_systems : int
        How many systems were resampled.
    rng : int
        The seed of the interval and the p-values.
    metric, people : str
        What the p-values of each side come from.
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

    _plotted = ("distance",)

    table: pd.DataFrame
    accuracy: float
    pairwise_accuracy: float
    interval: tuple[float, float]
    n_systems: int
    rng: int
    metric: str
    people: str
    notes: tuple[str, ...] = ()
    measure: ClassVar[str] = "soft pairwise accuracy"

    @property
    def closeness(self) -> pd.Series:
        """One minus the distance of each pair's p-values."""
        return 1 - self.table["distance"]

    def _lines(self) -> list[str]:
        """The accuracy, its interval, and whose p-values were compared."""
        low, high = self.interval
        return [
            f"{self.metric}: {self.measure} {self.accuracy:.3f}, "
            f"95% interval {low:.3f} to {high:.3f} from resampling {self.n_systems} systems; "
            f"pairwise accuracy {self.pairwise_accuracy:.3f}",
            f"people's p-values: {self.people}; rng={self.rng}",
        ]


def soft_pairwise_accuracy(
    metric: Source, human: Source, *, n_resamples: int = 1000, rng: RNG = None
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
        Resamples of the permutation test; the paper takes 1,000.  The observed arrangement is
        counted among them, which brings p-values a thousandth closer to each other than the
        counting of the paper.
    rng : None, int or Generator
        If metric and people have the same number of segments, their permutations are the same, so a
        metric with people's own scores has an accuracy of exactly 1.

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
    seed = seed_from(rng)
    p_metric, metric_test = one_sided_pvalues(metric, n_resamples=n_resamples, rng=seed)
    p_human, human_test = one_sided_pvalues(human, n_resamples=n_resamples, rng=seed)
    shared = shared_systems(list(p_human.index), p_metric.index)
    by_people = p_human.loc[shared, shared].to_numpy()
    by_metric = p_metric.loc[shared, shared].to_numpy()
    a, b = _pairs_favoured_first(by_people)
    table = _distances(shared, (a, b), by_people, by_metric)
    close = np.zeros((len(shared), len(shared)))
    close[a, b] = 1 - table["distance"]
    close[b, a] = 1 - table["distance"]
    notes = left_out(p_metric.index, p_human.index, "without a score here")
    if isinstance(metric, SufficientStatistics) and isinstance(human, SegmentScores):
        n_judged = human.frame["segment"].nunique()
        if n_judged != metric.n_segments:
            notes.append(note("unequal-segments", metric=metric.n_segments, people=n_judged))
    return SoftPairwiseAccuracy(
        table=table,
        accuracy=float(1 - table["distance"].mean()),
        pairwise_accuracy=float(table["ordered"].mean()),
        interval=resampled_interval(close, _N_RESAMPLES_OF_SYSTEMS, seed),
        n_systems=len(shared),
        rng=seed,
        metric=metric_test,
        people=human_test,
        notes=tuple(notes),
    )


def _pairs_favoured_first(pvalues: FloatArray) -> Pairs:
    """Numbers of the systems of each pair: the smaller p-value first, ties in the order given."""
    first, second = pair_indices(len(pvalues))
    is_turned = pvalues[second, first] < pvalues[first, second]
    return np.where(is_turned, second, first), np.where(is_turned, first, second)


def _distances(
    systems: Sequence[str], pairs: Pairs, people: FloatArray, metric: FloatArray
) -> pd.DataFrame:
    """The table of `SoftPairwiseAccuracy`, from square arrays of both sides' p-values."""
    a, b = pairs
    # Each side favours the system of the smaller p-value.
    favoured_by_people = np.sign(people[b, a] - people[a, b])
    favoured_by_metric = np.sign(metric[b, a] - metric[a, b])
    return pair_frame(
        systems,
        pairs,
        people=people[a, b],
        metric=metric[a, b],
        distance=np.abs(people[a, b] - metric[a, b]),
        ordered=(favoured_by_people == favoured_by_metric).astype(int),
    )


def one_sided_pvalues(source: Source, *, n_resamples: int, rng: int) -> tuple[pd.DataFrame, str]:
    """One-sided p-values of all pairs, and the test that they come from.

    They ask whether the row's system is better than the column's; NaN on the diagonal.  The best
    system is first where scores are known.
    """
    if isinstance(source, pd.DataFrame):
        return _checked_pvalues(source), "as given"
    if isinstance(source, Ratings):
        source = source.segment_means()
    if isinstance(source, SegmentScores) and source.same_segments:
        source = source.as_statistics()
    if isinstance(source, SufficientStatistics):
        return _permutation_pvalues(source, n_resamples=n_resamples, rng=rng)
    tests = source.tests(alternative="greater")
    return _framed(tests.systems, tests.pvalues), tests.title


def _permutation_pvalues(
    statistics: SufficientStatistics, *, n_resamples: int, rng: int
) -> tuple[pd.DataFrame, str]:
    """`one_sided_pvalues` by approximate randomization."""
    if len(statistics.systems) < 2:
        raise InputError("statistics: there is only one system; a comparison needs two.")
    options = ResamplingOptions(
        test="approximate-randomization",
        alternative="greater",
        n_resamples=n_resamples,
        exact=False,
        rng=rng,
    )
    n_systems = len(statistics.systems)
    first, second = pair_indices(n_systems)
    both_ways: Pairs = (np.concatenate([first, second]), np.concatenate([second, first]))
    in_order = statistics.select(statistics.scores().index)
    result = run(Design(options), [in_order], [both_ways])
    ranked = result.statistics[0]
    pvalues = np.full((n_systems, n_systems), np.nan)
    pvalues[both_ways] = result.tallies[0].pvalues
    title = f"{options.procedure.title} on {ranked.label}, {ranked.n_segments:,} {ranked.unit}"
    return _framed(ranked.systems, pvalues), title


def _framed(systems: tuple[str, ...], pvalues: FloatArray) -> pd.DataFrame:
    """A square table of p-values, with the systems as rows and columns."""
    return pd.DataFrame(pvalues, index=list(systems), columns=list(systems))


def _checked_pvalues(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of p-values, with its columns in the order of its rows and all of them known."""
    square = frame.reindex(columns=frame.index).astype(np.float64)
    is_pair = ~np.eye(len(square), dtype=bool)
    pvalues = square.to_numpy()[is_pair]
    is_probability = (pvalues >= 0) & (pvalues <= 1)
    if not is_probability.all():
        raise InputError(
            "p-values: give one from 0 to 1 for each system (row) against each of the others."
        )
    return square
