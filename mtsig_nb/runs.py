"""Several training or optimizer runs per system, and which differences outlast another run.

A system that is trained or tuned again scores differently on the same test set.  Clark, Dyer, Lavie
& Smith (2011) therefore compare means over runs, and report two spreads apart: ``s_sel``, how much
a score would move with another test set, and ``s_opt``, how much it moves from run to run.

Two tests answer two questions.  Neither answers the other's:

* *Would these very runs differ on other segments?*  The outputs of all runs of both systems are
  exchanged at random within every segment.  This has the power of thousands of segments, but every
  shuffle mixes the runs, so the spread between runs does not enter: it rejects too often when the
  claim is about the method rather than the runs.
* *Would other runs differ?*  The run is the unit, and few runs make few arrangements: three
  against three can be divided in 20 ways, so that no two-sided p-value below 0.1 exists.
"""

from __future__ import annotations

import dataclasses
import functools
import html
import itertools
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .counting import Counting, counting_rule
from .errors import InputError
from .intervals import bootstrap_scores
from .metrics.base import FloatArray
from .procedures import Alternative, ApproximateRandomization
from .resampling import RNG, Resampling, map_blocks, seed_from
from .results import TestResult, format_pvalue
from .significance import notes_on_pair
from .statistics import SufficientStatistics
from .tallies import tie_scale
from .tukey import permuted_scores

#: Runs of both systems together, at most: 20 make 184,756 arrangements.
LARGEST_NUMBER_OF_RUNS = 20

_SHUFFLE = ApproximateRandomization()


@dataclasses.dataclass(frozen=True, eq=False)
class RunSpread:
    """One system over its runs, in the metric's units.

    Attributes
    ----------
    system : str
    runs : tuple of str
    scores : ndarray of shape (runs,)
    s_sel : float
        Spread from the selection of the test set: the mean over runs of the bootstrap standard
        deviation of the run's score.
    s_opt : float
        Spread from the optimizer: the standard deviation of the runs' scores (divisor r - 1), NaN
        for a single run.
    """

    system: str
    runs: tuple[str, ...]
    scores: FloatArray
    s_sel: float
    s_opt: float

    @property
    def score(self) -> float:
        """The mean over runs."""
        return float(self.scores.mean())


@dataclasses.dataclass(frozen=True, eq=False)
class RunComparison:
    """Two systems compared over several runs of each.

    Attributes
    ----------
    spreads : tuple of two RunSpread
        Score and spreads of both systems.
    segment_test : TestResult
        Outputs of all runs exchanged within segments; about these runs on other segments.
    run_test : TestResult
        Runs exchanged as wholes, in all arrangements; about other runs on these segments.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("multeval/en").statistics("BLEU")
    >>> runs = {s: [f"{s}.opt{i}" for i in range(3)] for s in ("baseline", "sys1")}
    >>> r = mt.compare_runs(bleu, runs, n_resamples=500, rng=1)
    >>> round(r.statistic, 2), r.run_test.pvalue
    (-0.29, 0.3)
    """

    spreads: tuple[RunSpread, RunSpread]
    segment_test: TestResult
    run_test: TestResult

    @property
    def statistic(self) -> float:
        """How much better the first system is, by the mean over runs."""
        return self.segment_test.statistic

    @property
    def sentence(self) -> str:
        """The two systems, the two tests, and what neither says."""
        a, b = self.spreads
        segments, runs = self.segment_test, self.run_test
        return "\n".join(
            [
                f"{a.system} against {b.system}, {segments.metric}: {self.statistic:+.2f}",
                *(_describe(spread) for spread in self.spreads),
                f"these runs on other {segments.unit}: p = {format_pvalue(segments.pvalue)} "
                f"({segments.alternative}; {segments.n_resamples:,} {segments.draws})",
                f"other runs on these {segments.unit}: p = {format_pvalue(runs.pvalue)} "
                f"({runs.alternative}; all {runs.n_resamples:,} arrangements of the runs)",
                *segments.notes,
                *runs.notes,
            ]
        )

    def to_frame(self) -> pd.DataFrame:
        """One tidy row per system, unrounded."""
        return pd.DataFrame(
            {
                "system": spread.system,
                "runs": len(spread.runs),
                "score": spread.score,
                "s_sel": spread.s_sel,
                "s_opt": spread.s_opt,
                "lowest": spread.scores.min(),
                "highest": spread.scores.max(),
            }
            for spread in self.spreads
        )

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(line) for line in self.sentence.split("\n"))
        return f"<p><strong>{first}</strong><br><small>{'<br>'.join(rest)}</small></p>"


def compare_runs(
    statistics: SufficientStatistics,
    runs: Mapping[str, Sequence[str]],
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    bootstrap_resamples: int = 2000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | npt.ArrayLike = "segments",
    executor: Executor | None = None,
) -> RunComparison:
    """Compare two systems of which there are several runs each.

    A system's score is the mean of its runs' scores.  The segment-level test puts the outputs of
    all runs of both systems into random order, segment by segment, and deals them out again to as
    many pseudo-runs: every output is in exactly one of them, for any number of runs.  With one run
    each it is approximate randomization.

    Parameters
    ----------
    statistics : SufficientStatistics
        One of its systems for each run.
    runs : dict of str to sequence of str
        Two systems, each with the names of its runs in `statistics`; the numbers may differ.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether the first system is better.
    n_resamples : int
        Shuffles for the segment-level test.
    bootstrap_resamples : int
        Bootstrap resamples for ``s_sel``.
    rng, counting, units, executor
        As in :func:`approximate_randomization`.

    Returns
    -------
    RunComparison

    Raises
    ------
    InputError
        If there are not exactly two systems, a run is unknown or given twice, or there are more
        than 20 runs.

    References
    ----------
    Clark, Dyer, Lavie & Smith 2011.  Unlike their MultEval 0.5.1, a shuffle is a partition of the
    outputs for three runs and more, and the score is the mean over runs, not that of all runs'
    outputs together.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("multeval/en").statistics("BLEU")
    >>> runs = {s: [f"{s}.opt{i}" for i in range(3)] for s in ("baseline", "sys1")}
    >>> r = mt.compare_runs(bleu, runs, n_resamples=500, rng=1)
    >>> r.to_frame()[["system", "score", "s_opt"]].round(2)
         system  score  s_opt
    0  baseline  18.53   0.06
    1      sys1  18.81   0.29
    >>> r.run_test.n_resamples
    20
    """
    _SHUFFLE.tails(alternative)  # before any work is done
    rule = counting_rule(counting)
    (name_a, runs_a), (name_b, runs_b) = _checked(runs)
    chosen = statistics.select([*runs_a, *runs_b]).by_unit(units)
    scores = chosen.metric.score(chosen.totals())
    seed = seed_from(rng)
    resampled = bootstrap_scores(chosen, bootstrap_resamples, seed=seed, executor=executor)
    s_sel = resampled.std(axis=1, ddof=1)
    r_a = len(runs_a)
    return RunComparison(
        spreads=(
            _spread(name_a, runs_a, scores[:r_a], s_sel[:r_a]),
            _spread(name_b, runs_b, scores[r_a:], s_sel[r_a:]),
        ),
        segment_test=_segment_test(
            chosen,
            (name_a, name_b),
            r_a,
            alternative=alternative,
            rule=rule,
            n_resamples=n_resamples,
            seed=seed,
            executor=executor,
        ),
        run_test=_run_test(chosen, (name_a, name_b), r_a, alternative=alternative, rule=rule),
    )


def _checked(runs: Mapping[str, Sequence[str]]) -> list[tuple[str, list[str]]]:
    """The two systems and their runs."""
    systems = [(str(system), list(names)) for system, names in runs.items()]
    if len(systems) != 2:
        raise InputError(f"runs: give exactly two systems, each with its runs, not {len(systems)}.")
    for system, names in runs.items():
        if isinstance(names, str) or not len(names):
            raise InputError(f"runs: give a list of one run or more for {system!r}, not {names!r}.")
    every = [name for _, names in systems for name in names]
    twice = sorted({name for name in every if every.count(name) > 1})
    if twice:
        raise InputError(f"runs: {', '.join(map(repr, twice))} is given more than once.")
    if len(every) > LARGEST_NUMBER_OF_RUNS:
        raise InputError(
            f"runs: there are {len(every)}, {math.comb(len(every), len(systems[0][1])):,} "
            f"arrangements; at most {LARGEST_NUMBER_OF_RUNS} runs in all can be enumerated."
        )
    return systems


def _spread(system: str, runs: Sequence[str], scores: FloatArray, s_sel: FloatArray) -> RunSpread:
    return RunSpread(
        system=system,
        runs=tuple(runs),
        scores=scores,
        s_sel=float(s_sel.mean()),
        s_opt=float(scores.std(ddof=1)) if len(scores) > 1 else math.nan,
    )


def _segment_test(
    chosen: SufficientStatistics,
    names: tuple[str, str],
    r_a: int,
    *,
    alternative: Alternative,
    rule: Counting,
    n_resamples: int,
    seed: int,
    executor: Executor | None = None,
) -> TestResult:
    """Exchange the outputs of all runs within units; the first `r_a` systems are one's runs."""
    nobody = np.empty(0, dtype=np.intp)
    plan = Resampling.of("shuffle", [chosen], (nobody, nobody), n_resamples=n_resamples, seed=seed)
    work = functools.partial(_shuffled_differences, r_a=r_a)
    blocks = map_blocks(plan, work, executor=executor, description="stratified shuffling")
    null = np.concatenate(list(blocks))
    differs = (chosen.values != chosen.values[:1]).any(axis=(0, 2))
    n_differing = int(np.count_nonzero(differs))
    notes = notes_on_pair(chosen, n_differing)
    if len(chosen.systems) > 2:
        notes += (
            f"every shuffle mixes the runs, so that p over the {chosen.unit} does not reckon with "
            "the spread between runs",
        )
    return _result(
        chosen,
        names,
        r_a,
        null,
        alternative,
        rule,
        exact=False,
        test="stratified-shuffling",
        title="stratified approximate randomization",
        draws="stratified shuffles",
        rng=seed,
        unit=chosen.unit,
        n_units=chosen.n_segments,
        n_differing=n_differing,
        notes=notes,
    )


def _shuffled_differences(plan: Resampling, block: int, *, r_a: int) -> FloatArray:
    """The work of one block: how much better the first `r_a` pseudo-runs are than the others."""
    direction = plan.statistics[0].metric.direction
    parts = [_advantage(scores, r_a, direction) for (scores,) in permuted_scores(plan, block)]
    return np.concatenate(parts)


def _advantage(scores: FloatArray, r_a: int, direction: int) -> FloatArray:
    """Difference of the mean scores of runs, along the first axis."""
    return direction * (scores[:r_a].mean(axis=0) - scores[r_a:].mean(axis=0))


def _run_test(
    chosen: SufficientStatistics,
    names: tuple[str, str],
    r_a: int,
    *,
    alternative: Alternative,
    rule: Counting,
) -> TestResult:
    """Exchange whole runs between the two systems, in all arrangements."""
    scores = chosen.metric.score(chosen.totals())
    n_runs = len(scores)
    arrangements = [
        [*first, *(i for i in range(n_runs) if i not in first)]
        for first in itertools.combinations(range(n_runs), r_a)
    ]
    null = _advantage(scores[np.array(arrangements)].T, r_a, chosen.metric.direction)
    # Exchanging equally many runs turns a difference round: two arrangements are as extreme.
    mirrored = alternative == "two-sided" and 2 * r_a == n_runs
    smallest = (2 if mirrored else 1) / len(null)
    return _result(
        chosen,
        names,
        r_a,
        null,
        alternative,
        dataclasses.replace(rule, comparator=">="),  # the observed arrangement is among them
        exact=True,
        test="run-permutation",
        title="exact permutation of runs",
        draws="arrangements",
        rng=None,
        unit="runs",
        n_units=n_runs,
        n_differing=n_runs,
        notes=(
            f"{r_a} against {n_runs - r_a} runs: no p-value over runs can be below {smallest:.2g}",
        ),
    )


def _result(
    chosen: SufficientStatistics,
    names: tuple[str, str],
    r_a: int,
    null: FloatArray,
    alternative: Alternative,
    rule: Counting,
    *,
    exact: bool,
    **details: Any,
) -> TestResult:
    """The observed difference of means over runs against its null distribution."""
    scores = chosen.metric.score(chosen.totals())
    score_a, score_b = float(scores[:r_a].mean()), float(scores[r_a:].mean())
    observed = float(_advantage(scores, r_a, chosen.metric.direction))
    scale = tie_scale(chosen.metric, score_a, score_b)
    extreme = _SHUFFLE.extreme(
        null,
        np.asarray(observed),
        alternative,
        lambda values, threshold: rule.reaches(values, threshold, scale),
    )
    count = int(np.count_nonzero(extreme))
    p = count / len(null)
    low, high = (p, p) if exact else rule.interval(count, len(null))
    return TestResult(
        system_a=names[0],
        system_b=names[1],
        score_a=score_a,
        score_b=score_b,
        statistic=observed,
        pvalue=p if exact else float(rule.pvalue(count, len(null))),
        pvalue_interval=(float(low), float(high)),
        alternative=alternative,
        null_distribution=null,
        resampled=null,
        extreme=extreme,
        count=count,
        n_resamples=len(null),
        counting=rule,
        exact=exact,
        metric=chosen.label,
        metric_signature=chosen.signature,
        test_set=chosen.test_set,
        procedure=_SHUFFLE,
        **details,
    )


def _describe(spread: RunSpread) -> str:
    count = f"{len(spread.runs)} run{'s' if len(spread.runs) > 1 else ''}"
    optimizer = f"{spread.s_opt:.2f}" if len(spread.runs) > 1 else "unknown from a single run"
    return (
        f"{spread.system}: {spread.score:.2f} ({count}), s_sel {spread.s_sel:.2f} (test set), "
        f"s_opt {optimizer}" + (" (runs)" if len(spread.runs) > 1 else "")
    )
