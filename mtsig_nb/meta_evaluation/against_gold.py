"""How often a test draws the conclusions that people draw.

Every pair of systems is one question with three answers: better, indistinguishable, worse.  A
conclusion is correct where it is people's own.  Two things keep the share of correct conclusions
from being a plain proportion:

- Pairs that share a system are not independent.  The Clopper-Pearson interval that Graham, Mathur
  & Baldwin (2014) print takes them as if they were; beside it stands an interval from resampling
  *systems*, with all the pairs they bring (the vertex bootstrap of Snijders & Borgatti 1999).
- People's conclusions are a test's too, with errors of their own, and "indistinguishable" may
  mean no more than that too few ratings were collected.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
import pandas as pd

from ..conclusions.clustering import best_first
from ..conclusions.deciding import WORDS, Conclusions, check_level
from ..described import Tabled
from ..engine.counting import clopper_pearson
from ..engine.resampling import RNG, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..statistics.sufficient import pair_indices

#: Pairs of outputs that are the same: names, or a table such as ``Campaign.duplicates``.
Identical = pd.DataFrame | Iterable[tuple[str, str]]

_ORDER = (WORDS[1], WORDS[0], WORDS[-1])
_KINDS = ["correct", "missed", "unfounded", "opposite"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Agreement(Tabled):
    """Conclusions beside those of people.

    Attributes
    ----------
    table : DataFrame
        One row per pair, the system that people rank higher as ``system_a``: ``gold`` and
        ``conclusion`` (words about a), ``correct`` and ``kind`` (``"correct"``; ``"missed"``, where
        only people see a difference; ``"unfounded"``, where only the test does; ``"opposite"``).
    conclusions, gold : Conclusions
        Of the shared systems, in people's order.
    interval : tuple of float
        Clopper-Pearson, pairs taken as independent.
    resampled_interval : tuple of float
        Percentile interval from resampling systems.
    confidence_level, n_resamples, rng
        Of the intervals.
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
    confidence_level: float
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
        """Pairs about which the test says what people say."""
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
        rows = pd.Categorical(self.table["gold"], categories=_ORDER)
        columns = pd.Categorical(self.table["conclusion"], categories=_ORDER)
        table = pd.crosstab(rows, columns, dropna=False)
        table = table.reindex(index=list(_ORDER), columns=list(_ORDER), fill_value=0)
        return table.rename_axis(index="people", columns="test")

    @property
    def kinds(self) -> pd.Series:
        """How many conclusions are correct, missed, unfounded and opposite."""
        return self.table["kind"].value_counts().reindex(_KINDS, fill_value=0)

    @property
    def sentence(self) -> str:
        """What agrees, how sure that is, and what to beware of."""
        low, high = self.interval
        low_r, high_r = self.resampled_interval
        level = f"{100 * self.confidence_level:g} %"
        who = self.conclusions.source or "the conclusions"
        gold = self.gold.source or "the gold standard"
        opposite = int(self.kinds["opposite"])
        head = (
            f"{who}: {self.correct} of {self.total} conclusions ({100 * self.accuracy:.1f} %) are "
            f"the same as those of {gold}; {opposite} are opposite"
        )
        intervals = (
            f"{level} interval {100 * low:.1f} to {100 * high:.1f} if pairs were independent "
            f"(Clopper-Pearson); pairs that share systems are not: {100 * low_r:.1f} to "
            f"{100 * high_r:.1f} from resampling systems ({self.n_resamples:,} times, "
            f"rng={self.rng})"
        )
        return "\n".join([head, intervals, *self.notes])

    def _below(self) -> str:
        return self.confusion.to_html(escape=True)


def agreement(
    conclusions: Conclusions,
    gold: Conclusions,
    *,
    identical: Identical = (),
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Agreement:
    """Compare conclusions with those of people, pair by pair.

    Parameters
    ----------
    conclusions, gold : Conclusions
        Of the test and of people.  Systems that only one of them has are left out, and named.
    identical : DataFrame or iterable of (str, str), optional
        Pairs of systems whose outputs are the same, such as ``campaign.duplicates``; of a table
        with the columns ``identical`` and ``segments`` only rows where they are equal.  A metric
        cannot tell such outputs apart; people who rated them as two systems may have.  They count
        like any other pair, correct exactly where people found no difference either, and the
        notes say so.
    confidence_level : float
    n_resamples : int
        Draws of systems for `Agreement.resampled_interval`.
    rng : int, Generator or None
        A seed gives the same interval again.

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
    check_level(confidence_level, "confidence_level")
    shared = shared_systems(best_first(gold).systems, conclusions.systems)
    test, people = conclusions.reorder(shared), gold.reorder(shared)
    notes = left_out(conclusions.systems, gold.systems, "without a conclusion here")
    for a, b in _identical_pairs(identical):
        if a in shared and b in shared:
            how = "correct" if test.word(a, b) == people.word(a, b) else "an error"
            notes.append(
                f"{a} and {b} are the same output: people say {people.word(a, b)}, the test "
                f"{test.word(a, b)}; counted as {how}"
            )
    first, second = pair_indices(len(shared))
    names, says, truth = np.array(shared), test.pairs(), people.pairs()
    table = pd.DataFrame(
        {
            "system_a": names[first],
            "system_b": names[second],
            "gold": [WORDS[int(t)] for t in truth],
            "conclusion": [WORDS[int(s)] for s in says],
            "correct": says == truth,
            "kind": np.select(
                [says == truth, says == 0, truth == 0], _KINDS[:3], default=_KINDS[3]
            ),
        }
    )
    seed = seed_from(rng)
    low, high = clopper_pearson(int(table["correct"].sum()), len(table), confidence_level)
    right = (test.matrix == people.matrix).astype(np.float64)
    return Agreement(
        table=table,
        conclusions=test,
        gold=people,
        interval=(float(low), float(high)),
        resampled_interval=resampled_interval(right, n_resamples, seed, confidence_level),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=seed,
        notes=tuple(notes),
    )


def pairwise_accuracy(
    scores: pd.Series,
    human_scores: pd.Series,
    *,
    higher_is_better: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Agreement:
    """How often a metric orders two systems as people's mean scores do (Kocmi et al. 2021).

    Parameters
    ----------
    scores, human_scores : Series
        Of the metric and of people, indexed by system.  Of people's, larger is better.
    higher_is_better : bool
        Of `scores`; False for error rates.
    confidence_level, n_resamples, rng
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
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
    )


def _ordered(scores: pd.Series, source: str, higher_is_better: bool = True) -> Conclusions:
    """The order of scores as conclusions: every difference counts, however small."""
    values = scores.to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        raise InputError(f"scores: {scores.index[~np.isfinite(values)][0]!r} has no finite score.")
    matrix = np.sign(values[:, None] - values[None, :]).astype(np.int8)
    return Conclusions(
        tuple(map(str, scores.index)),
        matrix if higher_is_better else -matrix,
        source=source,
        scores=values,
        higher_is_better=higher_is_better,
    )


def shared_systems(people: Sequence[str], metric: Iterable[str]) -> list[str]:
    """Systems that both sides have, in people's order: two or more."""
    known = set(metric)
    shared = [system for system in people if system in known]
    if len(shared) < 2:
        raise InputError(
            f"people and metric share {len(shared)} systems; at least two are needed. Are the "
            "systems called the same in both?"
        )
    return shared


def resampled_interval(
    correct: FloatArray, n_resamples: int, seed: int, confidence_level: float
) -> tuple[float, float]:
    """Percentile interval of `resampled_accuracies`; from 0 to 1 where there are none."""
    accuracies = resampled_accuracies(correct, n_resamples, seed)
    if not accuracies.size:
        return 0.0, 1.0
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(accuracies, [tail, 1 - tail])
    return float(low), float(high)


def resampled_accuracies(correct: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Accuracies over systems drawn with replacement, shape (resamples with a pair,).

    A system drawn m times brings each of its pairs m times; it makes no pair with itself.  Pairs
    may be correct in part.
    """
    check_n_resamples(n_resamples)
    k = len(correct)
    others = 1.0 - np.eye(k)
    draws = np.random.default_rng(seed).integers(k, size=(n_resamples, k))
    weights = np.zeros((n_resamples, k))
    np.add.at(weights, (np.arange(n_resamples)[:, None], draws), 1.0)
    right, total = (
        ((weights @ pairs) * weights).sum(axis=1) for pairs in (correct * others, others)
    )
    return right[total > 0] / total[total > 0]


def _identical_pairs(identical: Identical) -> Iterable[tuple[str, str]]:
    if not isinstance(identical, pd.DataFrame):
        return identical
    for name in ("system_a", "system_b"):
        check_one_of("column of identical", name, identical.columns)
    if {"identical", "segments"} <= set(identical.columns):
        identical = identical[identical["identical"] == identical["segments"]]
    return zip(identical["system_a"], identical["system_b"], strict=True)


def left_out(tested: Iterable[str], judged: Iterable[str], lacking: str) -> list[str]:
    """Notes on the systems that only one side has; `lacking` says what people's alone are."""
    tested, judged = list(tested), list(judged)
    only = {
        "not judged by people": [name for name in tested if name not in judged],
        f"judged by people, {lacking}": [name for name in judged if name not in tested],
    }
    return [f"left out, {words}: {', '.join(names)}" for words, names in only.items() if names]
