"""Several training or optimizer runs per system, and which differences outlast another run.

A system that is trained or tuned again scores differently on the same test set.  Clark, Dyer, Lavie
& Smith (2011) therefore compare means over runs, and report two spreads apart: ``s_sel``, how much
a score would move with another test set, and ``s_opt``, how much it moves from run to run.

Two tests answer two questions, and neither answers the other's:

* *Do these very runs differ?*  The null hypothesis is that of approximate randomization: in any
  set of segments, what the one system's runs put out might as well have come from the other's.  One
  coin for each segment decides whether the two *sets* of outputs change places.  This has the power
  of thousands of segments, but how far a run's quality is luck does not enter: it rejects too often
  when the claim is about the method rather than the runs.
* *Would other runs differ?*  The run is the unit, and few runs make few arrangements: three
  against three can be divided in 20 ways, so that no two-sided p-value below 0.1 exists.

Sets, not single outputs, because the runs of one system resemble each other: what translates a
segment badly once mostly does so again.  Outputs dealt out singly, as MultEval does, take every run
for fresh evidence.  The shuffled differences are then too small, their variance by up to 2 r - 1
for r runs of each, and the test rejects far too often (measured in
``docs/trust/runs-raters-judges.md`` and in tests/significance/test_other_tools.py).

A third test is about the methods, on other segments as well as in other runs (`claim_pvalue`).  The
difference of two methods' means over runs varies for two reasons: by the segments, whose luck the
runs of a method share, and from run to run.  Each of the two tests above reckons with one of them.
To ask for both to reject is no substitute: where each reason has half of the variance, both reject
too often, and with three runs of each they never do (measured in
``docs/trust/runs-raters-judges.md``).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtr

from ..described import Framed
from ..engine.counting import TIE_TOLERANCE, Counting, tie_scale
from ..engine.influence import influence_values
from ..engine.options import ResamplingOptions
from ..engine.procedures import Alternative, ApproximateRandomization
from ..engine.resampling import RNG
from ..errors import InputError
from ..metrics.base import ArrayLike, FloatArray, IntArray
from ..metrics.mean import MacroAverage
from ..notes import note
from ..statistics.sufficient import SufficientStatistics
from .intervals import bootstrap_scores
from .one_pair import run_pair
from .results import PairResult, format_pvalue

#: Runs of both systems together, at most: 20 make 184,756 arrangements.
LARGEST_NUMBER_OF_RUNS = 20

_SHUFFLE = ApproximateRandomization()


@dataclasses.dataclass(frozen=True)
class RunSpread:
    """One system over its runs, in the metric's units.

    Attributes
    ----------
    system : str
    runs : int
        How many runs it has.
    score : float
        The mean over runs.
    s_sel : float
        Spread from the selection of the test set: the mean over runs of the bootstrap standard
        deviation of the run's score.
    s_opt : float
        Spread from the optimizer: the standard deviation of the runs' scores (divisor r - 1), NaN
        for a single run.
    lowest, highest : float
        Of the runs' scores.
    """

    system: str
    runs: int
    score: float
    s_sel: float
    s_opt: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, system: str, scores: FloatArray, s_sel: FloatArray) -> RunSpread:
        """The spread of a system whose runs have these scores and bootstrap deviations."""
        return cls(
            system=system,
            runs=len(scores),
            score=float(scores.mean()),
            s_sel=float(s_sel.mean()),
            s_opt=float(scores.std(ddof=1)) if len(scores) > 1 else math.nan,
            lowest=float(scores.min()),
            highest=float(scores.max()),
        )

    @property
    def sentence(self) -> str:
        """Score and spreads in a line."""
        count = f"{self.runs} run"
        s_opt = "unknown from a single run"
        if self.runs > 1:
            count = f"{self.runs} runs"
            s_opt = f"{self.s_opt:.2f} (runs)"
        return (
            f"{self.system}: {self.score:.2f} ({count}), s_sel {self.s_sel:.2f} (test set), "
            f"s_opt {s_opt}"
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class RunComparison(Framed):
    """Two systems compared over several runs of each.

    Attributes
    ----------
    spreads : tuple of two RunSpread
        Score and spreads of both systems.
    segment_test : PairResult
        The test that exchanges the two sets of outputs within segments; about these runs.
    run_test : PairResult
        The test that exchanges whole runs, in all arrangements; about other runs on these segments.
    pvalue : float or None
        P-value of the null hypothesis that the methods do not differ: about other runs on other
        segments, by `claim_pvalue`.  None if a method has a single run.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("multeval/en").statistics("BLEU")
    >>> runs = {s: [f"{s}.opt{i}" for i in range(3)] for s in ("baseline", "sys1")}
    >>> r = mt.compare_runs(bleu, runs, n_resamples=500, rng=1)
    >>> round(r.statistic, 2), r.run_test.pvalue
    (-0.29, 0.3)
    """

    _plotted = ("score", "lowest", "highest")

    spreads: tuple[RunSpread, RunSpread]
    segment_test: PairResult
    run_test: PairResult
    pvalue: float | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on the tests."""
        return (*self.segment_test.notes, *self.run_test.notes)

    @property
    def statistic(self) -> float:
        """How much better the first system is, on average over runs."""
        return self.segment_test.statistic

    def _lines(self) -> list[str]:
        """Both systems, and what each of the three tests says."""
        a, b = self.spreads
        segments = self.segment_test
        runs = self.run_test
        shuffles = f"{segments.n_resamples:,} {segments.draws}"
        if segments.exact:
            shuffles = f"all {shuffles}"
        about_methods = "unknown from a single run of a method"
        if self.pvalue is not None:
            about_methods = f"p = {format_pvalue(self.pvalue)} ({runs.alternative}; Student's t)"
        return [
            f"{a.system} against {b.system}, {segments.metric}: {self.statistic:+.2f}",
            *(spread.sentence for spread in self.spreads),
            f"these runs, exchanged within {segments.unit}: "
            f"p = {format_pvalue(segments.pvalue)} ({segments.alternative}; {shuffles})",
            f"other runs on these {segments.unit}: p = {format_pvalue(runs.pvalue)} "
            f"({runs.alternative}; all {runs.n_resamples:,} arrangements of the runs)",
            f"the methods, other runs on other {segments.unit}: {about_methods}",
        ]

    def to_frame(self) -> pd.DataFrame:
        """One tidy row per system, unrounded."""
        return pd.DataFrame(list(self.spreads))


def compare_runs(
    statistics: SufficientStatistics,
    runs: Mapping[str, Sequence[str]],
    *,
    bootstrap_resamples: int = 2000,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> RunComparison:
    """Compare two systems with several runs each.

    A system's score is the mean of its runs' scores.  The segment-level test is approximate
    randomization with sets: one coin for each segment decides whether the outputs of all runs of
    one system and those of the other change places, the first run's with the first run's and so on.
    With one run each, or with copies of one run, it gives the p-value of
    :func:`approximate_randomization` with the same seed; where few segments differ, all exchanges
    are enumerated.

    Parameters
    ----------
    statistics : SufficientStatistics
        Each run is one of its systems.
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
    The segment-level test is exact if, within every segment and independently of the others, the
    two sets of outputs are exchangeable.  A set of three outputs and a set of two are never quite
    exchangeable: the mean of three varies less.  If the numbers differ, all runs of a system are
    repeated equally often, until both sets are of the same size.  For a mean of segment scores, a
    coin then exchanges the two sets' *means*.  That is exact if, in every segment and independently
    of the others, the difference of the means is symmetric about zero.  With many independent
    segments it is close if the difference is zero on average; a note says so.

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
    options = ResamplingOptions(  # checked before any work is done
        test=_SHUFFLE,
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    (name_a, runs_a), (name_b, runs_b) = _checked(runs)
    n_a = len(runs_a)
    chosen = statistics.select([*runs_a, *runs_b]).by_unit(options.resampled_units)
    scores = chosen.metric.score(chosen.totals())
    s_sel = bootstrap_scores(chosen, bootstrap_resamples, seed=options.seed).std(axis=1, ddof=1)
    segment_test = _segment_test(chosen, (name_a, name_b), n_a, options)
    return RunComparison(
        spreads=(
            RunSpread.of(name_a, scores[:n_a], s_sel[:n_a]),
            RunSpread.of(name_b, scores[n_a:], s_sel[n_a:]),
        ),
        segment_test=segment_test,
        run_test=_run_test(segment_test, chosen, scores, n_a, options),
        pvalue=claim_pvalue(chosen, n_a, options.alternative),
    )


def _checked(runs: Mapping[str, Sequence[str]]) -> list[tuple[str, list[str]]]:
    """The two systems with the names of their runs; `InputError` as `compare_runs` has it."""
    if len(runs) != 2:
        raise InputError(f"runs: give exactly two systems, each with its runs, not {len(runs)}.")
    for system, names in runs.items():
        if isinstance(names, str) or not len(names):
            raise InputError(f"runs: give a list of one run or more for {system!r}, not {names!r}.")
    names_of_all = list(itertools.chain.from_iterable(runs.values()))
    is_repeated = len(set(names_of_all)) < len(names_of_all)
    if is_repeated or len(names_of_all) > LARGEST_NUMBER_OF_RUNS:
        raise InputError(
            f"runs={names_of_all!r}: give each once, and at most {LARGEST_NUMBER_OF_RUNS}."
        )
    return [(str(system), list(names)) for system, names in runs.items()]


def _segment_test(
    chosen: SufficientStatistics, names: tuple[str, str], n_a: int, options: ResamplingOptions
) -> PairResult:
    """Exchange the two sets of outputs within units.

    Parameters
    ----------
    chosen : SufficientStatistics
        The runs of the first system, then those of the second, summed within units already.
    names : tuple of two str
        The systems.
    n_a : int
        How many runs are the first system's.
    options : ResamplingOptions
    """
    as_they_are = dataclasses.replace(options, units="segments")  # these have been summed
    result = run_pair(_as_sets(chosen, names, n_a), *names, as_they_are)
    n_b = len(chosen.systems) - n_a
    notes = result.notes
    if n_a + n_b > 2:
        notes += (note("these-runs", unit=chosen.unit),)
    if n_a != n_b:
        notes += (note("unequal-runs", a=n_a, b=n_b),)
    return dataclasses.replace(result, notes=notes)


def _as_sets(
    chosen: SufficientStatistics, names: tuple[str, str], n_a: int
) -> SufficientStatistics:
    """Two systems whose statistics in a unit are those of all their runs, side by side.

    Where the numbers of runs differ, runs are repeated until there are equally many.  Each stratum
    of the mean is a run of one system with the run of the other that it changes places with.
    Parameters are those of `_segment_test`.
    """
    n_b = len(chosen.systems) - n_a
    n_places = math.lcm(n_a, n_b)
    runs_a = np.tile(np.arange(n_a), n_places // n_a)
    runs_b = np.tile(np.arange(n_a, n_a + n_b), n_places // n_b)
    metric = chosen.metric
    if n_places > 1:
        pairs = zip(runs_a, runs_b, strict=True)
        strata = [f"{chosen.systems[a]}&{chosen.systems[b]}" for a, b in pairs]
        metric = MacroAverage(metric, tuple(strata))
    values_of_sets = []
    for runs in (runs_a, runs_b):
        values = np.moveaxis(chosen.values[runs], 0, 1)  # (units, runs, counts)
        values_of_sets.append(values.reshape(chosen.n_segments, -1))
    return dataclasses.replace(
        chosen,
        metric=metric,
        systems=names,
        title=chosen.label,
        values=np.stack(values_of_sets),
        strata=None,  # only a bootstrap would draw within them
    )


def _run_test(
    segment_test: PairResult,
    chosen: SufficientStatistics,
    scores: FloatArray,
    n_a: int,
    options: ResamplingOptions,
) -> PairResult:
    """Exchange whole runs between the two systems, in all arrangements.

    Parameters
    ----------
    segment_test : PairResult
        The test of the same runs by segments, whose systems, scores and metric the result takes.
    chosen : SufficientStatistics
        The runs of the first system, then those of the second.
    scores : ndarray, shape (runs,)
        Their scores.
    n_a : int
        How many runs are the first system's.
    options : ResamplingOptions
    """
    n_runs = len(scores)
    n_b = n_runs - n_a
    # The runs that each arrangement gives to the first system, in the first of them its own.
    runs_of_first = np.array(list(itertools.combinations(range(n_runs), n_a)))
    sums_of_first = scores[runs_of_first].sum(axis=1)
    sums_of_second = scores.sum() - sums_of_first
    null = chosen.metric.direction * (sums_of_first / n_a - sums_of_second / n_b)
    # The observed arrangement is one of them, and has to be counted.
    rule = dataclasses.replace(options.rule, comparator=">=")
    scale = tie_scale(chosen.metric, segment_test.score_a, segment_test.score_b)
    reaches = partial(rule.reaches, scale=scale)
    extreme = _SHUFFLE.extreme(null, null[0], options.alternative, reaches)
    count = int(np.count_nonzero(extreme))
    pvalue = count / len(null)
    # Exchanging equally many runs turns a difference round: two arrangements are as extreme.
    is_mirrored = options.alternative == "two-sided" and n_a == n_b
    smallest = (2 if is_mirrored else 1) / len(null)
    return dataclasses.replace(
        segment_test,
        test="run-permutation",
        title="exact permutation of runs",
        draws="arrangements",
        pvalue=pvalue,
        pvalue_interval=(pvalue, pvalue),
        null_distribution=null,
        resampled=null,
        extreme=extreme,
        count=count,
        n_resamples=len(null),
        rng=None,
        counting=rule,
        exact=True,
        metric_signature=chosen.signature,
        unit="runs",
        n_units=n_runs,
        n_differing=n_runs,
        size_at_05=None,
        notes=(note("arrangements-of-runs", a=n_a, b=n_b, smallest=smallest),),
    )


class _ScaledT(NamedTuple):
    """Student's t times the root of `squared_scale`, with so many degrees of `freedom`."""

    squared_scale: float
    freedom: float


def claim_pvalue(runs: SufficientStatistics, n_a: int, alternative: Alternative) -> float | None:
    """p-value of the difference of two methods, segments and runs both being samples.

    Parameters
    ----------
    runs : SufficientStatistics
        The runs of one method, then those of the other, in the units of the test.
    n_a : int
        How many are the first method's.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    float or None
        None with a single run of a method, or a single unit, which has no spread, and where methods
        differ and nothing varies.

    Notes
    -----
    The variance of the difference is a sum.  The spread between runs gives the one part, with the
    degrees of freedom of Welch's t.  The other is what the runs of a method share on a segment: the
    variance over segments, less what runs do there each by itself, which is in the spread between
    runs already.  The difference is compared with a sum of two t, one for each part: of runs, and
    of segments (Behrens and Fisher's way with two variances of few and of many degrees of freedom).
    Satterthwaite's degrees of freedom of the sum would err in up to .10 with two runs of each,
    since they take an estimate that is too small by chance for one that is precise.

    Where the methods have unequal numbers of runs, Welch's t would do the same: with 8 runs against
    2 that scatter four times as far it errs in .07 to .10 at .05.  Therefore the spread of either
    method has a t of its own there, and the difference is compared with a sum of three.

    References
    ----------
    Welch (1947); Fisher (1935) on the sum of two t.  In simulations with two to ten runs of each
    the test errs in .06 or less at .05, mostly in less than .04.
    """
    n_runs = np.array([n_a, len(runs.systems) - n_a])  # of each method
    if n_runs.min() < 2 or runs.n_segments < 2:
        return None
    scores = runs.metric.score(runs.totals())
    # What each run's score is multiplied by in the difference of the methods' means.
    contrast = runs.metric.direction * np.repeat([1.0, -1.0] / n_runs, n_runs)
    difference = float(contrast @ scores)
    variances_by_runs = np.array([scores[:n_a].var(ddof=1), scores[n_a:].var(ddof=1)]) / n_runs
    variance_by_segments = _variance_by_segments(runs, n_a, contrast)
    rounding = TIE_TOLERANCE * float(np.abs(scores).max())
    if variance_by_segments + float(variances_by_runs.sum()) <= rounding**2:
        return 1.0 if abs(difference) <= rounding else None
    parts = [
        _ScaledT(variance_by_segments, runs.n_segments - 1.0),
        *_parts_of_runs(variances_by_runs, n_runs),
    ]
    if alternative == "two-sided":
        return min(1.0, 2 * _lower_tail_of_sum(-abs(difference), parts))
    advantage = difference if alternative == "greater" else -difference
    return min(1.0, _lower_tail_of_sum(-advantage, parts))


def _variance_by_segments(runs: SufficientStatistics, n_a: int, contrast: FloatArray) -> float:
    """The variance of the methods' difference over segments, by what runs of a method share there.

    What each run does by itself on a segment is left out: it is in the spread between runs.
    `contrast` is what each run's score is multiplied by in the difference, shape (runs,).
    """
    n_segments = runs.n_segments
    influence = influence_values(runs)
    covariance = influence @ influence.T * (n_segments / (n_segments - 1))
    unshared = np.array([_unshared(covariance[:n_a, :n_a]), _unshared(covariance[n_a:, n_a:])])
    n_runs = np.array([n_a, len(runs.systems) - n_a])
    shared = contrast @ covariance @ contrast - (unshared / n_runs).sum()
    return max(float(shared), 0.0)


def _unshared(covariance: FloatArray) -> float:
    """What of a run's variance over segments the other runs of its method do not share.

    `covariance` is that of a method's runs, shape (runs, runs).
    """
    r = len(covariance)
    variances = np.trace(covariance)
    shared = (covariance.sum() - variances) / (r * (r - 1))
    return float(variances / r - shared)


def _parts_of_runs(variances: FloatArray, n_runs: IntArray) -> list[_ScaledT]:
    """What both methods' means over runs add to the sum of t that the difference is compared with.

    With equally many runs of both it is a single t with Welch's degrees of freedom, otherwise one
    for each method.  `variances` are those of the two means.
    """
    freedoms = n_runs - 1.0
    if n_runs[0] != n_runs[1]:
        parts = zip(variances.tolist(), freedoms.tolist(), strict=True)
        return [_ScaledT(variance, freedom) for variance, freedom in parts]
    variance_of_both = float(variances.sum())
    welch_freedom = 1.0
    if variance_of_both:
        welch_freedom = float(variance_of_both**2 / (variances**2 / freedoms).sum())
    return [_ScaledT(variance_of_both, welch_freedom)]


def _lower_tail_of_sum(limit: float, parts: Sequence[_ScaledT]) -> float:
    """The chance that a sum of several scaled t lies below `limit`.

    All but the first are integrated over: each estimate is as much off as a chi-square variable is
    from its mean; over its logarithm the trapezoidal rule is exact to eight digits.
    """
    first, *others = parts
    # An axis for each of the others: given their chi-square variables, the sum is a single t.
    variance = np.array(first.squared_scale)
    probability = np.array(1.0)
    for part in others:
        logarithm = np.linspace(-60, math.log(part.freedom + 80), 200)
        chi_square = np.exp(logarithm)
        log_density = part.freedom * logarithm / 2 - chi_square / 2
        density = np.exp(log_density - log_density.max())
        variance = np.add.outer(variance, part.squared_scale * part.freedom / chi_square)
        probability = np.multiply.outer(probability, density / density.sum())
    tails = stdtr(first.freedom, limit / np.sqrt(variance))
    return float(np.sum(probability * tails))
