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
from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.clustering import best_first
from ..conclusions.deciding import WORDS, Conclusions, check_level
from ..conclusions.ranking import ordered_rand
from ..engine.counting import clopper_pearson
from ..engine.resampling import RNG, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..statistics.sufficient import pair_indices
from ..told import Tabled

#: Pairs of outputs that are the same: names, or a table such as ``Campaign.duplicates``.
Identical = pd.DataFrame | Iterable[tuple[str, str]]

_ORDER = (WORDS[1], WORDS[0], WORDS[-1])
IDENTICAL_NOTE = "identical outputs"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Agreement(Tabled):
    """Conclusions beside those of people.

    Attributes
    ----------
    table : DataFrame
        One row per pair, the system that people rank higher as ``system_a``: ``gold`` and
        ``conclusion`` (words about a), ``correct``, ``kind`` (``"correct"``; ``"missed"``, where
        only people see a difference; ``"unfounded"``, where only the test does; ``"opposite"``),
        ``counted`` and ``note``.
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

    @property
    def counted(self) -> pd.DataFrame:
        """The rows of the table that count."""
        return self.table[self.table["counted"]]

    @property
    def total(self) -> int:
        """Pairs that count."""
        return len(self.counted)

    @property
    def correct(self) -> int:
        """Pairs about which the test says what people say."""
        return int(self.counted["correct"].sum())

    @property
    def accuracy(self) -> float:
        """Share of correct conclusions."""
        return self.correct / self.total

    @property
    def confusion(self) -> pd.DataFrame:
        """People's conclusions (rows) by the test's (columns), about the system people rank higher.

        People's "worse" occurs only where their test and their ranking disagree about a pair.
        """
        rows = pd.Categorical(self.counted["gold"], categories=_ORDER)
        columns = pd.Categorical(self.counted["conclusion"], categories=_ORDER)
        table = pd.crosstab(rows, columns, dropna=False)
        table = table.reindex(index=list(_ORDER), columns=list(_ORDER), fill_value=0)
        return table.rename_axis(index="people", columns="test")

    @property
    def kinds(self) -> pd.Series:
        """How many conclusions are correct, missed, unfounded and opposite."""
        kinds = ["correct", "missed", "unfounded", "opposite"]
        return self.counted["kind"].value_counts().reindex(kinds, fill_value=0)

    @cached_property
    def ordered_rand(self) -> float:
        """Ordered Rand score over all pairs of the shared systems (Stroppa & Owczarzak 2007)."""
        return ordered_rand(self.conclusions, self.gold)

    @property
    def identical(self) -> pd.DataFrame:
        """The pairs of identical outputs, and how each is counted."""
        return self.table[self.table["note"] == IDENTICAL_NOTE]

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
    identical: Identical | None = None,
    exclude_identical: bool = False,
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
        cannot tell such outputs apart; people who rated them as two systems may have.
    exclude_identical : bool
        By default pairs of identical outputs count like any other: correct exactly where people
        found no difference either.  True leaves them out.  Either way the notes say so.
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
        If fewer than two systems are shared, or no pair is left to count.

    Examples
    --------
    >>> people = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 0})
    >>> metric = Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): 1, ("B", "C"): 0})
    >>> a = agreement(metric, people, rng=1)
    >>> a.correct, a.total, a.kinds["missed"].item()
    (2, 3, 1)
    """
    check_level(confidence_level, "confidence_level")
    shared = [system for system in best_first(gold).systems if system in conclusions.systems]
    if len(shared) < 2:
        raise InputError(
            f"conclusions and gold share {len(shared)} systems; at least two are needed. Are the "
            "systems called the same in both?"
        )
    test, people = conclusions.reorder(shared), gold.reorder(shared)
    same = _identical_mask(shared, identical)
    counted = ~np.eye(len(shared), dtype=bool)
    if exclude_identical:
        counted &= ~same
    notes = [
        *left_out(conclusions.systems, gold.systems, "without a conclusion here"),
        *_notes_on_identical(test, people, same, counted),
    ]
    return compared(test, people, counted, same, notes, confidence_level, n_resamples, rng)


def compared(
    test: Conclusions,
    people: Conclusions,
    counted: npt.NDArray[np.bool_],
    same: npt.NDArray[np.bool_],
    notes: Iterable[str],
    confidence_level: float,
    n_resamples: int,
    rng: RNG,
) -> Agreement:
    """The agreement of two sets of conclusions in one order, over the pairs that count."""
    pairs = pair_indices(len(people.systems))
    if not counted[pairs].any():
        raise InputError("conclusions and gold: no pair of systems is left to count.")
    seed = seed_from(rng)
    table = _table(test, people, counted, same)
    correct = (test.matrix == people.matrix) & counted
    low, high = clopper_pearson(
        int(correct[pairs].sum()), int(counted[pairs].sum()), confidence_level
    )
    return Agreement(
        table=table,
        conclusions=test,
        gold=people,
        interval=(float(low), float(high)),
        resampled_interval=resampled_interval(
            correct, counted, n_resamples, seed, confidence_level
        ),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=seed,
        notes=tuple(notes),
    )


def resampled_interval(
    correct: npt.NDArray[np.bool_] | FloatArray,
    counted: npt.NDArray[np.bool_],
    n_resamples: int,
    seed: int,
    confidence_level: float,
) -> tuple[float, float]:
    """Percentile interval of `resampled_accuracies`; from 0 to 1 where there are none."""
    accuracies = resampled_accuracies(correct, counted, n_resamples, seed)
    if not accuracies.size:
        return 0.0, 1.0
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(accuracies, [tail, 1 - tail])
    return float(low), float(high)


def resampled_accuracies(
    correct: npt.NDArray[np.bool_] | FloatArray,
    counted: npt.NDArray[np.bool_],
    n_resamples: int,
    seed: int,
) -> FloatArray:
    """Accuracies over systems drawn with replacement, shape (resamples with a pair,).

    A system drawn m times brings each of its pairs m times; it makes no pair with itself.  Pairs
    may be correct in part.
    """
    check_n_resamples(n_resamples)
    k = len(correct)
    rng = np.random.default_rng(seed)
    draws = rng.integers(k, size=(n_resamples, k))
    weights = np.zeros((n_resamples, k))
    np.add.at(weights, (np.arange(n_resamples)[:, None], draws), 1.0)
    right = ((weights @ correct) * weights).sum(axis=1)
    total = ((weights @ counted) * weights).sum(axis=1)
    return right[total > 0] / total[total > 0]


def _table(
    test: Conclusions,
    people: Conclusions,
    counted: npt.NDArray[np.bool_],
    same: npt.NDArray[np.bool_],
) -> pd.DataFrame:
    pairs = pair_indices(len(people.systems))
    names = np.array(people.systems)
    says, truth = test.matrix[pairs].astype(int), people.matrix[pairs].astype(int)
    kind = np.select(
        [says == truth, says == 0, truth == 0], ["correct", "missed", "unfounded"], "opposite"
    )
    return pd.DataFrame(
        {
            "system_a": names[pairs[0]],
            "system_b": names[pairs[1]],
            "gold": [WORDS[t] for t in truth],
            "conclusion": [WORDS[s] for s in says],
            "correct": says == truth,
            "kind": kind,
            "counted": counted[pairs],
            "note": np.where(same[pairs], IDENTICAL_NOTE, ""),
        }
    )


def _identical_mask(systems: list[str], identical: Identical | None) -> npt.NDArray[np.bool_]:
    mask = np.zeros((len(systems), len(systems)), dtype=bool)
    if identical is None:
        return mask
    place = {system: i for i, system in enumerate(systems)}
    for a, b in _identical_pairs(identical):
        if a in place and b in place:
            mask[place[a], place[b]] = mask[place[b], place[a]] = True
    return mask


def _identical_pairs(identical: Identical) -> list[tuple[str, str]]:
    if not isinstance(identical, pd.DataFrame):
        return [(str(a), str(b)) for a, b in identical]
    for name in ("system_a", "system_b"):
        check_one_of("column of identical", name, identical.columns)
    if {"identical", "segments"} <= set(identical.columns):
        identical = identical[identical["identical"] == identical["segments"]]
    return list(zip(identical["system_a"], identical["system_b"], strict=True))


def left_out(tested: Iterable[str], judged: Iterable[str], lacking: str) -> list[str]:
    """Notes on the systems that only one side has; `lacking` says what people's alone are."""
    tested, judged = list(tested), list(judged)
    only = {
        "not judged by people": [name for name in tested if name not in judged],
        f"judged by people, {lacking}": [name for name in judged if name not in tested],
    }
    return [f"left out, {words}: {', '.join(names)}" for words, names in only.items() if names]


def _notes_on_identical(
    test: Conclusions,
    people: Conclusions,
    same: npt.NDArray[np.bool_],
    counted: npt.NDArray[np.bool_],
) -> list[str]:
    notes = []
    for i, j in zip(*np.nonzero(np.triu(same)), strict=True):
        a, b = people.systems[i], people.systems[j]
        says, truth = test.word(a, b), people.word(a, b)
        if not counted[i, j]:
            how = "not counted"
        else:
            how = "counted as correct" if says == truth else "counted as an error"
        notes.append(f"{a} and {b} are the same output: people say {truth}, the test {says}; {how}")
    return notes
