"""Several training or optimizer runs per system, and which differences outlast another run.

A system that is trained or tuned again scores differently on the same test set.  Clark, Dyer, Lavie
& Smith (2011) therefore compare means over runs, and report two spreads apart: ``s_sel``, how much
a score would move with another test set, and ``s_opt``, how much it moves from run to run.

Two tests answer two questions.  Neither answers the other's, and a claim about the methods, on
other segments as well as in other runs, needs both to reject (measured in ``docs/trust.md``):

* *Do these very runs differ?*  The null hypothesis is that of approximate randomization: within
  every segment, what the one system's runs put out might as well have come from the other's.  One
  coin for each segment decides whether the two *sets* of outputs change places.  This has the power
  of thousands of segments, but how far a run's quality is luck does not enter: it rejects too often
  when the claim is about the method rather than the runs.
* *Would other runs differ?*  The run is the unit, and few runs make few arrangements: three
  against three can be divided in 20 ways, so that no two-sided p-value below 0.1 exists.

Sets, not single outputs, because the runs of one system resemble each other: what translates a
segment badly once mostly does so again.  Outputs dealt out singly, as MultEval does, take every run
for fresh evidence.  The shuffled differences are then too small, their variance by up to 2 r - 1
for r runs of each, and the test rejects far too often (tests/significance/test_runs.py measures
it).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..described import Described
from ..engine.counting import tie_scale
from ..engine.options import Design, Options, check_names, takes_options
from ..engine.procedures import ApproximateRandomization
from ..errors import InputError
from ..metrics.base import FloatArray
from ..metrics.mean import MacroAverage
from ..statistics.sufficient import SufficientStatistics
from .actual_size import USUAL
from .claims_about_methods import claim_size, note_on_claims
from .intervals import bootstrap_scores
from .one_pair import run_test
from .results import PairResult, format_pvalue

#: Runs of both systems together, at most: 20 make 184,756 arrangements.
LARGEST_NUMBER_OF_RUNS = 20

_SHUFFLE = ApproximateRandomization()


@dataclasses.dataclass(frozen=True)
class MeanOverRuns(MacroAverage):
    """The mean of a metric's scores over runs: a macro average whose strata are runs.

    Each stratum is a run of one system with the run of the other that it changes places with.
    """

    @property
    def label(self) -> str:
        return getattr(self.metric, "label", self.metric.name)

    @property
    def signature(self) -> str:
        name, _, rest = self.metric.signature.partition("|")
        return f"{name}|runs:{'+'.join(self.strata)}|{rest}"


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


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class RunComparison(Described):
    """Two systems compared over several runs of each.

    Attributes
    ----------
    spreads : tuple of two RunSpread
        Score and spreads of both systems.
    segment_test : PairResult
        The two sets of outputs exchanged within segments; about these runs.
    run_test : PairResult
        Runs exchanged as wholes, in all arrangements; about other runs on these segments.
    size_at_05 : float or None
        How often both p-values are .05 or below for equally good methods, on other segments and in
        other runs, estimated from these data; see
        :mod:`mtsig_nb.significance.claims_about_methods`.  A note says so where it is above .06.
        None with a single run of a method.

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
    segment_test: PairResult
    run_test: PairResult
    size_at_05: float | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on the two tests, and on both together."""
        both = note_on_claims([self.size_at_05], [""])
        return (*self.segment_test.notes, *self.run_test.notes, *both)

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
                f"these runs, exchanged within {segments.unit}: "
                f"p = {format_pvalue(segments.pvalue)} ({segments.alternative}; "
                f"{'all ' if segments.exact else ''}{segments.n_resamples:,} {segments.draws})",
                f"other runs on these {segments.unit}: p = {format_pvalue(runs.pvalue)} "
                f"({runs.alternative}; all {runs.n_resamples:,} arrangements of the runs)",
                *self.notes,
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


@takes_options()
def compare_runs(
    statistics: SufficientStatistics,
    runs: Mapping[str, Sequence[str]],
    *,
    bootstrap_resamples: int = 2000,
    **options: Unpack[Options],
) -> RunComparison:
    """Compare two systems of which there are several runs each.

    A system's score is the mean of its runs' scores.  The segment-level test is approximate
    randomization with sets: one coin for each segment decides whether the outputs of all runs of
    the one system and those of the other change places, the first run's with the first run's and
    so on.  With one run each, or with copies of one, it gives the p-value of
    :func:`approximate_randomization` with the same seed; where few segments differ, all exchanges
    are enumerated.

    Parameters
    ----------
    statistics : SufficientStatistics
        One of its systems for each run.
    runs : dict of str to sequence of str
        Two systems, each with the names of its runs in `statistics`; the numbers may differ.
    bootstrap_resamples : int
        Bootstrap resamples for ``s_sel``.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether the first system is better.
    n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`: of the segment-level test.

    Returns
    -------
    RunComparison

    Raises
    ------
    InputError
        If there are not exactly two systems, a run is unknown or given twice, or there are more
        than 20 runs.

    Notes
    -----
    The segment-level test is exact if, within every segment, the two sets of outputs are
    exchangeable.  A set of three outputs and a set of two never quite are: the mean of three varies
    less.  Where the numbers differ, runs are repeated until there are equally many, as often as
    each other, so that for a mean of segment scores a coin exchanges the two sets' *means*.  That
    is exact if the difference of the means is symmetric about zero in every segment, and with many
    segments close if it is zero on average; a note says so.

    References
    ----------
    Clark, Dyer, Lavie & Smith 2011.  Their MultEval 0.5.1 has a coin for each single output, see
    the module, and scores all runs' outputs together.

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
    check_names("compare_runs", options)
    design = Design.of(_SHUFFLE, **options)  # checked before any work is done
    in_units: Options = {**options, "rng": design.seed, "units": "segments"}
    (name_a, runs_a), (name_b, runs_b) = _checked(runs)
    chosen = statistics.select([*runs_a, *runs_b]).by_unit(design.units)
    scores = chosen.metric.score(chosen.totals())
    resampled = bootstrap_scores(
        chosen, bootstrap_resamples, seed=design.seed, executor=design.executor
    )
    s_sel = resampled.std(axis=1, ddof=1)
    r_a = len(runs_a)
    return RunComparison(
        spreads=(
            _spread(name_a, runs_a, scores[:r_a], s_sel[:r_a]),
            _spread(name_b, runs_b, scores[r_a:], s_sel[r_a:]),
        ),
        segment_test=_segment_test(chosen, (name_a, name_b), r_a, in_units),
        run_test=_run_test(chosen, (name_a, name_b), r_a, design),
        size_at_05=claim_size(chosen, r_a, USUAL, 2 if design.alternative == "two-sided" else 1),
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
    chosen: SufficientStatistics, names: tuple[str, str], r_a: int, options: Options
) -> PairResult:
    """Exchange the two sets of outputs within units; the first `r_a` systems are one's runs."""
    result = run_test(_SHUFFLE, _as_sets(chosen, names, r_a), *names, **options)
    notes = result.notes
    n_runs = len(chosen.systems)
    if n_runs > 2:
        notes += (
            f"p over the {chosen.unit} is about these runs: it does not reckon with the spread "
            "between runs",
        )
    if n_runs != 2 * r_a:
        notes += (
            f"{r_a} against {n_runs - r_a} runs: the means of the sets are exchanged, which is "
            "exact only where the difference of the means is symmetric about zero; give equally "
            "many runs of each for a test that is exact where the sets are exchangeable",
        )
    return dataclasses.replace(result, notes=notes)


def _as_sets(
    chosen: SufficientStatistics, names: tuple[str, str], r_a: int
) -> SufficientStatistics:
    """Two systems whose statistics in a unit are those of all their runs, side by side."""
    runs = [np.arange(r_a), np.arange(r_a, len(chosen.systems))]
    n = math.lcm(*map(len, runs))
    runs = [np.tile(side, n // len(side)) for side in runs]
    metric = chosen.metric
    if n > 1:
        metric = MeanOverRuns(
            metric,
            tuple(f"{chosen.systems[a]}&{chosen.systems[b]}" for a, b in zip(*runs, strict=True)),
        )
    # (runs, units, counts) to (units, runs * counts)
    sets = [np.moveaxis(chosen.values[side], 0, 1) for side in runs]
    return dataclasses.replace(
        chosen,
        metric=metric,
        systems=names,
        values=np.stack([side.reshape(chosen.n_segments, -1) for side in sets]),
        strata=None,  # only a bootstrap would draw within them
    )


def _advantage(scores: FloatArray, r_a: int, direction: int) -> FloatArray:
    """Difference of the mean scores of runs, along the first axis."""
    return direction * (scores[:r_a].mean(axis=0) - scores[r_a:].mean(axis=0))


def _arrangements(n_runs: int, r_a: int) -> npt.NDArray[np.intp]:
    """All choices of the runs that come first, with the others behind: (arrangements, runs)."""
    every = range(n_runs)
    chosen = itertools.combinations(every, r_a)
    return np.array([[*first, *(i for i in every if i not in first)] for first in chosen])


def _run_test(
    chosen: SufficientStatistics, names: tuple[str, str], r_a: int, design: Design
) -> PairResult:
    """Exchange whole runs between the two systems, in all arrangements."""
    scores = chosen.metric.score(chosen.totals())
    n_runs = len(scores)
    null = _advantage(scores[_arrangements(n_runs, r_a)].T, r_a, chosen.metric.direction)
    # Exchanging equally many runs turns a difference round: two arrangements are as extreme.
    alternative = design.alternative
    mirrored = alternative == "two-sided" and 2 * r_a == n_runs
    smallest = (2 if mirrored else 1) / len(null)
    score_a, score_b = float(scores[:r_a].mean()), float(scores[r_a:].mean())
    observed = float(_advantage(scores, r_a, chosen.metric.direction))
    rule = dataclasses.replace(
        design.counting, comparator=">="
    )  # the observed arrangement is among them
    scale = tie_scale(chosen.metric, score_a, score_b)
    extreme = _SHUFFLE.extreme(
        null,
        np.asarray(observed),
        alternative,
        lambda values, threshold: rule.reaches(values, threshold, scale),
    )
    count = int(np.count_nonzero(extreme))
    p = count / len(null)
    return PairResult(
        test="run-permutation",
        title="exact permutation of runs",
        draws="arrangements",
        system_a=names[0],
        system_b=names[1],
        score_a=score_a,
        score_b=score_b,
        statistic=observed,
        pvalue=p,
        pvalue_interval=(p, p),
        alternative=alternative,
        null_distribution=null,
        resampled=null,
        extreme=extreme,
        count=count,
        n_resamples=len(null),
        counting=rule,
        exact=True,
        metric=chosen.label,
        metric_signature=chosen.signature,
        test_set=chosen.test_set,
        unit="runs",
        n_units=n_runs,
        n_differing=n_runs,
        procedure=_SHUFFLE,
        notes=(
            f"{r_a} against {n_runs - r_a} runs: no p-value over runs can be below {smallest:.2g}",
        ),
    )


def _describe(spread: RunSpread) -> str:
    count = f"{len(spread.runs)} run{'s' if len(spread.runs) > 1 else ''}"
    optimizer = f"{spread.s_opt:.2f}" if len(spread.runs) > 1 else "unknown from a single run"
    return (
        f"{spread.system}: {spread.score:.2f} ({count}), s_sel {spread.s_sel:.2f} (test set), "
        f"s_opt {optimizer}" + (" (runs)" if len(spread.runs) > 1 else "")
    )
