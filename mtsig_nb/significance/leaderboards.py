"""Several tasks, or metrics, in one order of all systems, and how far it can be relied on.

A board has a number for each system, an *aggregate* of its scores on all tasks.  Here the units of
every task are resampled, and the whole board is made again from each resample.  What a reader needs
follows from the same resamples: intervals of the aggregates, how often the first system stays
first, the ranks that are possible, and which tasks decide.

All of it is about the aggregate that is to be expected on test sets of this size.  For ranks that
makes a difference: with endless test sets a mean rank would be another number, since the better of
two systems would then win every task, by however little.

Ranks are no smooth function of scores.  Between systems that are equally good they depend on chance
alone, and percentiles of resampled ranks are then far too narrow
(``docs/trust/gates-and-leaderboards.md`` has counts).
So the ranks that are reported as possible come from another source: simultaneous intervals of all
differences of aggregates.  A system that is surely behind three others cannot rank above the fourth
place (Mogstad, Romano, Shaikh & Wilhelm 2024).

Mean rank, Borda count and mean win rate are one order in three scales.  All three depend on which
systems take part: one that nobody asks about can turn the order of two others.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE, equal_but_for_rounding
from ..engine.resampling import RNG, seed_from
from ..errors import InputError, check_one_of, counted, in_prose, listed
from ..metrics.base import ArrayLike, FloatArray
from ..notes import Note, note
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .intervals import Bounds, Differences, check_enough, limits_together
from .one_pair import FEW_UNITS, documents_note
from .sharing import notes_on_sharing

Aggregate = Literal["mean-score", "mean-rank", "borda", "win-rate"]
Tasks = Literal["fixed", "sample"]

#: What aggregates are called.
NAMES_OF_AGGREGATES = {
    "mean-score": "mean score",
    "mean-rank": "mean rank",
    "borda": "Borda count",
    "win-rate": "win rate",
}

#: Below this many tasks, other tasks like these are hardly known from them.
FEW_TASKS = 10
#: The most systems that a sentence names.
_MOST_NAMED = 6


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Leaderboard(Tabled):
    """Systems in the order of an aggregate, with its uncertainty.

    Attributes
    ----------
    table : DataFrame
        A row for each system, the best one first: rank (systems with the same aggregate share one);
        rank_top and rank_bottom, the best and the worst possible rank, which hold for all systems
        together at `confidence_level`; system; value, its aggregate, with ci_low and ci_high;
        first, the share of resamples in which it is first (a resample with several first systems is
        divided among them).
    pairs : DataFrame
        A row for each pair: system_a, which is ahead; system_b; difference, by how much, in the
        aggregate (of a single task, in its score), with the simultaneous limits ci_low and ci_high;
        surely_ahead, whether these exclude zero.
    by_task : DataFrame
        A row for each task, about the board without it: task, n_units; first, the systems that are
        first there, joined by commas; is_first, whether the first system of the whole board is one
        of them; turned, how many pairs of systems change their order; lead, by how much the first
        system of the whole board is ahead of its second there, with ci_low and ci_high.  Empty if
        there is one task.
    scores : DataFrame
        The score of each system (rows) on each task (columns).
    resampled : ndarray, shape (systems, n_resamples)
        The aggregates on all resamples; systems as in the table.
    aggregate : {"mean-score", "mean-rank", "borda", "win-rate"}
    tasks : {"fixed", "sample"}
    confidence_level, n_resamples, rng, unit
        What made it.
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> pairs = {name: mt.load(f"wmt12/{name}").statistics("BLEU") for name in ("es-en", "fr-en")}
    >>> board = mt.leaderboard(mt.test_sets(pairs, missing="common"), rng=1)
    >>> board.table[["rank", "rank_top", "rank_bottom", "system", "value"]].head(3)
       rank  rank_top  rank_bottom       system  value
    0     1         1            2      onlineB    1.0
    1     2         1            2  uedin-wmt12    2.0
    2     3         3            3      onlineA    3.0
    >>> board.firsts, board.may_be_first
    (['onlineB'], ['onlineB', 'uedin-wmt12'])
    >>> list(board.by_task["first"])
    ['onlineB', 'onlineB']
    """

    _plotted = ("value", "ci_low", "ci_high")

    table: pd.DataFrame
    pairs: pd.DataFrame
    by_task: pd.DataFrame
    scores: pd.DataFrame
    resampled: FloatArray
    aggregate: str
    tasks: str
    confidence_level: float
    n_resamples: int
    rng: int
    unit: str
    notes: tuple[Note, ...] = ()

    def _lines(self) -> list[str]:
        """Who is first, how often, and how it was found."""
        return [self.verdict, self._how()]

    @property
    def firsts(self) -> list[str]:
        """The first system, or all that share the first place."""
        return list(self.table.loc[self.table["rank"] == 1, "system"])

    @property
    def may_be_first(self) -> list[str]:
        """The systems whose possible ranks begin with 1."""
        return list(self.table.loc[self.table["rank_top"] == 1, "system"])

    @property
    def verdict(self) -> str:
        """Who is first, in how many resamples, and who else may be."""
        aggregate = NAMES_OF_AGGREGATES[self.aggregate]
        firsts = self.firsts
        if len(firsts) > 1:
            sentence = f"{_named(firsts)} share the first place by {aggregate}"
        else:
            share = self.table["first"].iloc[0]
            sentence = f"{firsts[0]} is first by {aggregate}, and in {share:.0%} of the resamples"
        others = [system for system in self.may_be_first if system not in firsts]
        certain = f"with {100 * self.confidence_level:g} % confidence"
        if not others:
            return f"{sentence}; no other system may be first, {certain}."
        return f"{sentence}; {_named(others)} may be first as well, {certain}."

    def _how(self) -> str:
        """Tasks, resamples and their seed."""
        drawn = f"{self.unit} resampled within each"
        if self.tasks == "sample":
            drawn = f"tasks resampled, and {self.unit} within each"
        return (
            f"{counted(self.n_tasks, 'task')}, {counted(len(self.table), 'system')}; {drawn}, "
            f"{self.n_resamples:,} times, rng={self.rng}"
        )

    @property
    def n_tasks(self) -> int:
        """How many tasks there are."""
        return self.scores.shape[1]


def leaderboard(
    statistics: (
        ScoredSets
        | SufficientStatistics
        | Mapping[str, SufficientStatistics]
        | Sequence[SufficientStatistics]
        | Sequence[ScoredSets]
    ),
    *,
    aggregate: Aggregate = "mean-rank",
    tasks: Tasks = "fixed",
    missing: str = "raise",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    units: str | ArrayLike = "segments",
    rng: RNG = None,
) -> Leaderboard:
    """Combine several tasks or metrics into one order, with intervals of scores and ranks.

    Parameters
    ----------
    statistics : ScoredSets, mapping of str to SufficientStatistics, or sequence
        The tasks.  With :func:`test_sets`, each test set is a task, and units that test sets share
        are resampled in all of them together; a sequence of these gives several metrics on the same
        test sets.  A sequence of SufficientStatistics gives several metrics on the same segments.
        A mapping has tasks with nothing in common, each with its own metric and test set.
    aggregate : {"mean-score", "mean-rank", "borda", "win-rate"}
        What orders the systems: the mean score over all tasks; the mean of the ranks on each, 1 for
        the best; the sum over tasks of how many systems rank lower (Borda); or the mean share of
        the others that a system beats.  Ties on a task count half.
    tasks : {"fixed", "sample"}
        ``"fixed"`` asks how the board would look with other segments of the same tasks.
        ``"sample"`` draws tasks as well, and asks how it would look with other tasks like these.
    missing : {"raise", "common"}
        What happens to systems that a task of a mapping lacks: an error names them, or they are
        left out.
    confidence_level : float
    n_resamples : int
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is resampled; test sets already have their units.
    rng : None, int or Generator

    Returns
    -------
    Leaderboard
        With intervals of aggregates, and ranges of possible ranks.

    Raises
    ------
    InputError
        For tasks without common systems, or a mean of scores of unlike metrics.

    Notes
    -----
    *What is estimated* is the expected aggregate on test sets like these, of the same size.  A mean
    rank on endless test sets cannot be estimated from finite ones: there, the better of two systems
    would win each task, and if two systems are close, nobody knows which one is better.

    *Possible ranks.*  Simultaneous intervals of the differences of aggregates show which systems
    are surely ahead of which others; :func:`compare_all` makes such intervals with
    ``interval="simultaneous"``.  For a single task they are intervals of its scores.  A system may
    have any rank below the systems that are surely ahead of it, and above those that are surely
    behind.  The ranges are meant to hold for all systems together
    (``docs/trust/gates-and-leaderboards.md`` has counts).  Percentiles of resampled ranks do not,
    and are not given.  Intervals of aggregates are percentiles, and each holds for its system
    alone.

    *Tasks as a sample.*  Tasks are then resampled, too.  Few tasks say little about others.

    *Irrelevant alternatives.*  Where ranks count, the order of two systems depends on the others:
    copies of one system, submitted in some variants, push down any system that loses to them on
    many tasks.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm 2024 on ranks; Arrow 1951 on irrelevant alternatives; Borda
    1781.  Aggregates are those of MTEB (Borda count) and HELM (mean win rate, where ties count
    nothing).

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> metrics = [campaign.statistics(name) for name in ("BLEU", "TER", "METEOR")]
    >>> board = mt.leaderboard(metrics, aggregate="win-rate", rng=1)
    >>> print(board.verdict)
    onlineB is first by win rate, and in 100% of the resamples; no other system may be first, with
    95 % confidence.
    """
    check_one_of("aggregate", aggregate, get_args(Aggregate))
    check_one_of("tasks", tasks, get_args(Tasks))
    check_one_of("missing", missing, ("raise", "common"))
    check_level(confidence_level, "confidence_level")
    check_enough(n_resamples, confidence_level, "n_resamples")
    seed = seed_from(rng)
    compared = _tasks_of(statistics, missing, units)
    if aggregate == "mean-score":
        _check_one_scale(compared.statistics)
    scored = _scored(compared, n_resamples, seed)
    return _board(compared, scored, aggregate, tasks, confidence_level, seed)


# --- tasks ----------------------------------------------------------------------------------------


class _Tasks(NamedTuple):
    """The tasks of a board.

    Attributes
    ----------
    names : list of str
    statistics : list of SufficientStatistics
        Of each task, by the units that are resampled; all with the same systems in the same order.
    are_drawn_apart : bool
        Whether each task has draws of its own, as tasks without common units need them; otherwise
        a resample has the same units of all tasks.
    notes : list of Note
    """

    names: list[str]
    statistics: list[SufficientStatistics]
    are_drawn_apart: bool
    notes: list[Note]


def _tasks_of(statistics: Any, missing: str, units: str | ArrayLike) -> _Tasks:
    """The tasks, in the units that are resampled, with the systems that all of them have."""
    if isinstance(statistics, Mapping):
        names = list(map(str, statistics))
        given = list(statistics.values())
        if not given or not all(isinstance(s, SufficientStatistics) for s in given):
            raise InputError("statistics: give SufficientStatistics of one task or more.")
        given, notes = _with_common_systems(names, given, missing)
        in_units = [s.by_unit(units) for s in given]
        notes += _notes(given, in_units)
        return _Tasks(names, in_units, are_drawn_apart=True, notes=notes)
    is_single = isinstance(statistics, ScoredSets | SufficientStatistics)
    several = [statistics] if is_single else list(statistics)
    if not several:
        raise InputError("statistics: there are no tasks.")
    sets = [item for item in several if isinstance(item, ScoredSets)]
    if len(sets) == len(several):
        each = [s for scored in sets for s in scored.each]
        notes = [n for scored in sets for n in scored.notes]
        overall = [scored.overall for scored in sets]
        # Units that test sets may share are taken for shared, and for nothing else.
        notes += notes_on_sharing(overall, both_ways=False, exchanges=False)
        notes += _notes(each, each)  # which are in their units already
        names = [s.label for s in each]
        ordered = _in_one_order(names, each)
        return _Tasks(names, ordered, are_drawn_apart=False, notes=notes)
    metrics = [item for item in several if isinstance(item, SufficientStatistics)]
    if len(metrics) < len(several):
        raise InputError("statistics: give test sets, or statistics, and not both.")
    names = [s.label for s in metrics]
    if len(set(names)) < len(names):
        raise InputError(f"statistics: {listed(names)} are not all different; use titled().")
    if len({s.n_segments for s in metrics}) > 1:
        raise InputError(
            "statistics: a sequence has several metrics on the same segments. Give tasks that have "
            "their own test sets as a mapping, by their names."
        )
    ordered = _in_one_order(names, metrics)
    in_units = [s.by_unit(units) for s in ordered]
    notes = _notes(ordered, in_units)
    return _Tasks(names, in_units, are_drawn_apart=False, notes=notes)


def _with_common_systems(
    names: Sequence[str], given: Sequence[SufficientStatistics], missing: str
) -> tuple[list[SufficientStatistics], list[Note]]:
    """The tasks with the systems that all of them have, and a note on those left out."""
    systems = list(dict.fromkeys(itertools.chain.from_iterable(s.systems for s in given)))
    lacking: dict[str, list[str]] = {}
    for name, s in zip(names, given, strict=True):
        for system in systems:
            if system not in s.systems:
                lacking.setdefault(system, []).append(name)
    common = [system for system in systems if system not in lacking]
    if lacking and missing == "raise":
        described = [f"{system!r} ({listed(tasks)})" for system, tasks in lacking.items()]
        raise InputError(
            f"statistics: {len(lacking)} of {len(systems)} systems are missing in some tasks: "
            f"{listed(described)}. missing='common' compares the {len(common)} that are in all."
        )
    notes = []
    if lacking:
        notes = [note("systems-left-out", n=len(lacking), systems=listed(list(lacking)))]
    return [s.select(common) for s in given], notes


def _in_one_order(
    names: Sequence[str], given: Sequence[SufficientStatistics]
) -> list[SufficientStatistics]:
    """The tasks with their systems in the order of the first; `InputError` if others differ."""
    first = given[0]
    for name, s in zip(names, given, strict=True):
        unmatched = set(s.systems) ^ set(first.systems)
        if unmatched:
            raise InputError(
                f"statistics: {listed(sorted(unmatched))} are not in both {names[0]} and {name}."
            )
    return [s.select(first.systems) for s in given]


def _notes(
    given: Sequence[SufficientStatistics], in_units: Sequence[SufficientStatistics]
) -> list[Note]:
    """What to know of the tasks' scores, as they were given, and of the units resampled."""
    notes: list[Note] = []
    for s in given:
        notes += s.notes
    # The note compares standard errors of metrics on the same segments.
    if len({s.n_segments for s in in_units}) == 1:
        notes += documents_note(*in_units)
    n_units = min(int(s.present.sum()) for s in in_units)
    if n_units < FEW_UNITS:
        notes.append(note("few-units", n=n_units, unit=in_units[0].unit))
    return list(dict.fromkeys(notes))


def _check_one_scale(given: Sequence[SufficientStatistics]) -> None:
    """Raise `InputError` unless all tasks have the same metric, whose scores can be averaged."""
    scales = dict.fromkeys(_metric_name(s) for s in given)
    directions = {s.metric.higher_is_better for s in given}
    if len(scales) > 1 or len(directions) > 1:
        raise InputError(
            f"aggregate='mean-score': {listed(list(scales))} have scales of their own, and the one "
            "that varies most would decide alone. Use 'mean-rank', 'borda' or 'win-rate'."
        )


def _metric_name(s: SufficientStatistics) -> str:
    """The name of a metric, whatever the test set is called."""
    return str(getattr(s.metric, "label", "") or s.metric.name)


# --- scores ---------------------------------------------------------------------------------------


class _Scored(NamedTuple):
    """Scores of all systems on all tasks, turned so that larger is better.

    Attributes
    ----------
    observed : ndarray, shape (tasks, systems)
    resampled : ndarray, shape (tasks, systems, resamples)
        The same on resampled units of each task.
    """

    observed: FloatArray
    resampled: FloatArray


def _scored(compared: _Tasks, n_resamples: int, seed: int) -> _Scored:
    """The scores on all tasks, and on resamples of them."""
    observed = []
    resampled = []
    for number, s in enumerate(compared.statistics):
        seed_of_task = seed
        if compared.are_drawn_apart:
            seed_of_task = seed_from(np.random.SeedSequence([seed, number]))
        on_task = Bounds.of(s, n_resamples=n_resamples, seed=seed_of_task)
        observed.append(s.metric.direction * on_task.scores)
        resampled.append(s.metric.direction * on_task.resampled)
    return _Scored(np.stack(observed), np.stack(resampled))


def _with_drawn_tasks(scored: _Scored, seed: int) -> _Scored:
    """The same scores, but each resample has tasks that were drawn with replacement."""
    n_tasks, _, n_resamples = scored.resampled.shape
    rng = np.random.default_rng([seed, n_tasks])
    drawn = rng.integers(0, n_tasks, (n_tasks, n_resamples))
    resampled = np.take_along_axis(scored.resampled, drawn[:, None, :], axis=0)
    return scored._replace(resampled=resampled)


def _values(scores: FloatArray, aggregate: str) -> FloatArray:
    """The aggregates, larger for better: of scores of shape (tasks, systems, ...).

    Systems are tied where only rounding keeps their scores, or the means of these, apart.
    """
    if aggregate == "mean-score":
        return equal_but_for_rounding(scores.mean(axis=0), _rounding(scores))
    n_tasks, n_systems = scores.shape[:2]
    # Ranks have halves at most, so that sums are exact and equal means are equal numbers.
    sum_of_ranks = np.zeros(scores.shape[1:])
    for scores_of_task in scores:
        equalised = equal_but_for_rounding(scores_of_task, _rounding(scores_of_task))
        sum_of_ranks += rankdata(-equalised, axis=0)
    if aggregate == "mean-rank":
        return np.asarray(-sum_of_ranks / n_tasks)
    beaten = n_tasks * n_systems - sum_of_ranks
    if aggregate == "borda":
        return np.asarray(beaten)
    return np.asarray(beaten / (n_tasks * (n_systems - 1)))


def _rounding(scores: FloatArray) -> float:
    """What rounding can set equal scores apart by, or equal means of them."""
    return TIE_TOLERANCE * float(np.abs(scores).max())


def _shown(values: FloatArray, aggregate: str, direction: int) -> FloatArray:
    """Aggregates as they are shown: mean ranks from 1 on, scores as their metric has them."""
    if aggregate == "mean-rank":
        return -values
    return direction * values if aggregate == "mean-score" else values


# --- the board ------------------------------------------------------------------------------------


def _board(
    compared: _Tasks, scored: _Scored, aggregate: str, tasks: str, level: float, seed: int
) -> Leaderboard:
    """All that is said of the board, from its scores."""
    systems = compared.statistics[0].systems
    if len(systems) < 2:
        raise InputError("statistics: a board needs two systems that are in all tasks.")
    direction = compared.statistics[0].metric.direction
    observed = _values(scored.observed, aggregate)
    drawn = _with_drawn_tasks(scored, seed) if tasks == "sample" else scored
    resampled = _values(drawn.resampled, aggregate)
    tail = (1 - level) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=-1)
    if len(compared.names) == 1:  # the scores of a single task have the order of their ranks
        pairs = _pairs(systems, drawn.observed[0], drawn.resampled[0], level)
    else:
        pairs = _pairs(systems, observed, resampled, level)
    sure = pairs[pairs["surely_ahead"]]
    # A system stands once in `system_b` for each that is surely ahead of it.
    n_ahead_of_it = sure["system_b"].value_counts().reindex(systems, fill_value=0).to_numpy()
    n_behind_it = sure["system_a"].value_counts().reindex(systems, fill_value=0).to_numpy()
    # Where low is better, the lower limit is shown as the higher one.
    limits = np.sort(_shown(np.stack([low, high]), aggregate, direction), axis=0)
    table = pd.DataFrame(
        {
            "rank": rankdata(-observed, method="min").astype(int),
            "rank_top": 1 + n_ahead_of_it,
            "rank_bottom": len(systems) - n_behind_it,
            "system": systems,
            "value": _shown(observed, aggregate, direction),
            "ci_low": limits[0],
            "ci_high": limits[1],
            "first": _shares_of_first(resampled),
        }
    )
    table = table.sort_values(["rank", "rank_top", "rank_bottom"], kind="stable")
    best_first = table.index.to_numpy()
    directions = np.array([s.metric.direction for s in compared.statistics])
    scores_of_metrics = directions[:, None] * scored.observed
    scores = pd.DataFrame(scores_of_metrics.T, index=list(systems), columns=compared.names)
    notes = list(compared.notes)
    if tasks == "sample" and len(compared.names) < FEW_TASKS:
        notes.append(note("few-tasks", n=len(compared.names)))
    if aggregate != "mean-score":
        notes.append(note("irrelevant-alternatives"))
    return Leaderboard(
        table=table.reset_index(drop=True),
        pairs=pairs,
        by_task=_without_each(compared, scored, aggregate, level),
        scores=scores.loc[table["system"]].rename_axis("system"),
        resampled=_shown(resampled, aggregate, direction)[best_first],
        aggregate=aggregate,
        tasks=tasks,
        confidence_level=level,
        n_resamples=scored.resampled.shape[-1],
        rng=seed,
        unit=compared.statistics[0].unit,
        notes=tuple(dict.fromkeys(notes)),
    )


def _shares_of_first(resampled: FloatArray) -> FloatArray:
    """The share of resamples in which each system is first.

    A resample with several first systems is shared out evenly among them.
    """
    is_first = resampled == resampled.max(axis=0)
    return np.asarray((is_first / is_first.sum(axis=0)).mean(axis=1))


def _limits(observed: FloatArray, resampled: FloatArray, level: float) -> FloatArray:
    """Simultaneous limits of all differences, shape (pairs, 2).

    Parameters
    ----------
    observed : ndarray, shape (systems,)
        Larger is better.
    resampled : ndarray, shape (systems, resamples)
    level : float
    """
    first, second = pair_indices(len(observed))
    differences = Differences(
        observed=observed[first] - observed[second],
        resampled=resampled[first] - resampled[second],
        rounding=np.full(len(first), _rounding(observed)),
    )
    (limits,) = limits_together([differences], level)
    return limits


def _pairs(
    systems: Sequence[str], observed: FloatArray, resampled: FloatArray, level: float
) -> pd.DataFrame:
    """A row for each pair, the system that is ahead first; see `Leaderboard.pairs`.

    Parameters
    ----------
    systems, level
    observed, resampled
        As of `_limits`.
    """
    first, second = pair_indices(len(systems))
    difference = observed[first] - observed[second]
    is_turned = difference < 0
    names = np.array(systems)
    sign = np.where(is_turned, -1, 1)
    limits = _limits(observed, resampled, level)
    turned_limits = np.sort(sign[:, None] * limits, axis=1)
    table = pd.DataFrame(
        {
            "system_a": names[np.where(is_turned, second, first)],
            "system_b": names[np.where(is_turned, first, second)],
            "difference": np.abs(difference),
            "ci_low": turned_limits[:, 0],
            "ci_high": turned_limits[:, 1],
        }
    )
    return table.assign(surely_ahead=table["ci_low"] > 0)


def _without_each(compared: _Tasks, scored: _Scored, aggregate: str, level: float) -> pd.DataFrame:
    """The board without each task in turn; see `Leaderboard.by_task`."""
    columns = ["task", "n_units", "first", "is_first", "turned", "lead", "ci_low", "ci_high"]
    n_tasks = len(compared.names)
    if n_tasks == 1:
        return pd.DataFrame(columns=columns)
    systems = np.array(compared.statistics[0].systems)
    values_of_all = _values(scored.observed, aggregate)
    leader, runner_up = np.argsort(-values_of_all, kind="stable")[:2]
    first, second = pair_indices(len(systems))
    order = np.sign(values_of_all[first] - values_of_all[second])
    tail = (1 - level) / 2
    rows = []
    for number, name in enumerate(compared.names):
        others = np.arange(n_tasks) != number
        values = _values(scored.observed[others], aggregate)
        resampled = _values(scored.resampled[others], aggregate)
        leads = resampled[leader] - resampled[runner_up]
        low, high = np.quantile(leads, [tail, 1 - tail])
        firsts = systems[values == values.max()]
        new_order = np.sign(values[first] - values[second])
        rows.append(
            {
                "task": name,
                "n_units": int(compared.statistics[number].present.sum()),
                "first": ", ".join(firsts),
                "is_first": bool(values[leader] == values.max()),
                "turned": int((order * new_order < 0).sum()),
                "lead": float(values[leader] - values[runner_up]),
                "ci_low": float(low),
                "ci_high": float(high),
            }
        )
    return pd.DataFrame(rows, columns=columns)


def _named(systems: Sequence[str]) -> str:
    """Systems as a sentence has them; of more than six, only the first."""
    return in_prose(systems) if len(systems) <= _MOST_NAMED else listed(systems, _MOST_NAMED)
