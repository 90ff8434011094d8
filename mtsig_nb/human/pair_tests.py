"""Scores of segments by people, and tests of all pairs of systems on them.

Which test is right depends on who judged what:

==========================  ======================================================================
test                        right when
==========================  ======================================================================
`rank_sum_test`             the two systems were judged on different segments or by different
                            people, so nothing is paired.  Its question is whether a score of one
                            system, drawn at random, tends to exceed one of the other.  On the same
                            segments scores mostly correlate, and it wastes power: easy and hard
                            segments stay in the noise.  Were the correlation negative, it would
                            reject too often (simulated: .1 at .05 for r = -.5).  WMT's direct
                            assessment uses it nevertheless.
`signed_rank_test`          both systems were judged on the same segments.  It asks whether the
                            differences are symmetric about zero.
`mtsig_nb.paired_t_test`    the same, of ``means.as_statistics()``, and the question is about the
                            mean; needs differences that are not too skew, or many of them.
approximate randomization   the same, by ``mt.compare_all(means.as_statistics())``.  It is exact
                            where the two outputs of a segment are exchangeable.  Asked about the
                            mean alone, it needs what the t test needs: with 50 differences of
                            skewness 3.8 both reject in a tenth of cases at .05.
==========================  ======================================================================

All take one score per system and segment.  Several ratings of a segment are not several segments:
average them first (`Ratings.segment_means`).  Scores of one document, or by one rater, hang
together, and all these tests ignore that; `SegmentScores.as_statistics` and `Ratings.as_statistics`
let the engine resample documents or raters instead.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import Conclusions, check_level
from ..described import Described, Tabled
from ..engine.counting import DECIMALS, equal_but_for_rounding, equal_differences
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray, Indices, IntArray
from ..metrics.mean import SegmentMean
from ..notes import note
from ..significance.classical import signed_ranks
from ..significance.corrections import adjust_pvalues
from ..statistics.sufficient import SufficientStatistics, pair_frame, pair_indices, real_numbers

ScoreTest = Literal["rank-sum", "signed-rank"]
#: Of one pair: p-value, advantage of the first, a note, and what the test counted by column.
_Answer: TypeAlias = tuple[float, float, str, dict[str, float]]
#: Columns that have the score where none is named; the first that is there is taken.
SCORES = ("mean", "mqm", "z_mean", "raw_mean", "score")
#: Units by what callers ask for, and the column that has them.
UNITS = {"raters": "rater", "segments": "segment", "documents": "document", "tasks": "task"}


def tail_pvalues(
    statistic: ArrayLike, alternative: Alternative, freedom: ArrayLike = math.inf
) -> FloatArray:
    """p-values of statistics that are Student's t, or normal, where nothing differs."""
    check_one_of("alternative", alternative, ALTERNATIVES)
    z = np.asarray(statistic, dtype=np.float64)
    far = {"two-sided": -np.abs(z), "greater": -z, "less": z}[alternative]
    normal = np.isinf(freedom)
    below = np.where(normal, special.ndtr(far), special.stdtr(np.where(normal, 1, freedom), far))
    return np.minimum(1.0, 2 * below) if alternative == "two-sided" else below


def degrees_of_freedom_of_mean(sizes: ArrayLike) -> float:
    """Degrees of freedom of the jackknife's variance of a mean over clusters of these sizes.

    They are n - 1 for n clusters of equal size, and fewer the more the sizes differ.  The working
    model is that of independent members with the same variance.

    Parameters
    ----------
    sizes : array_like of shape (clusters,)
        Members of each cluster, or their weights; two clusters or more.

    References
    ----------
    Bell & McCaffrey (2002), section 3, for the jackknife's variance (CR3) in the place of CR2's.

    Examples
    --------
    >>> round(degrees_of_freedom_of_mean([5, 5, 5, 5]), 9)
    3.0
    >>> round(degrees_of_freedom_of_mean([20, 5, 5, 5]), 2)
    1.55
    """
    share = np.asarray(sizes, dtype=np.float64)
    share = share / share.sum()
    # The variance is a sum of squared residuals, cluster c's over its 1 - share: with covariances
    # share_c * (1 - share_c) and -share_c * share_d, times the variance of a member.
    odds = share / (1 - share)
    squares = np.sum(odds**2)
    return float(odds.sum() ** 2 / (squares + squares**2 - np.sum(odds**4)))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairTests(Tabled):
    """One test applied to every pair of systems.

    Attributes
    ----------
    scores : Series
        What ranks the systems, best first.
    table : DataFrame
        One row per pair, the system with the better score as ``system_a``: the two scores, what
        the test counted, ``pvalue`` (of a against b) and ``note``.  Unrounded.
    pvalues : ndarray of float64, shape (systems, systems)
        Of the row's system against the column's, systems as in `scores`; NaN on the diagonal.
    advantage : ndarray of float64, shape (systems, systems)
        The test's own statistic, centred at its null value: positive where the row's system looks
        better.  With rank tests this need not agree with the order of the mean scores.
    title, alternative
        What was done.
    higher_is_better : bool
        Of `scores`.
    notes : tuple of str
        What a reader should know.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
    ...                                       "system_worse": ["b"] * 9 + ["a"]}))
    >>> tests = p.sign_test()
    >>> tests.conclusions(alpha=0.05).word("a", "b")
    'better'
    >>> tests.to_frame()[["system_a", "system_b", "pvalue"]].round(4)
      system_a system_b  pvalue
    0        a        b  0.0215
    """

    scores: pd.Series
    table: pd.DataFrame
    pvalues: FloatArray
    advantage: FloatArray
    title: str
    alternative: Alternative
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of_pairs(
        cls,
        scores: pd.Series,
        *,
        pvalues: FloatArray,
        details: Mapping[str, ArrayLike] | pd.DataFrame,
        pair_notes: ArrayLike,
        **about: Any,
    ) -> PairTests:
        """The result with its table, from matrices in the order of `scores`."""
        check_one_of("alternative", about["alternative"], ALTERNATIVES)
        pvalues = np.array(pvalues, dtype=np.float64)
        np.fill_diagonal(pvalues, np.nan)
        pairs, values = pair_indices(len(scores)), scores.to_numpy()
        both = {"score_a": values[pairs[0]], "score_b": values[pairs[1]], **details}
        table = pair_frame(scores.index, pairs, **both, pvalue=pvalues[pairs], note=pair_notes)
        return cls(scores=scores, table=table, pvalues=pvalues, **about)

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(self.scores.index)

    def conclusions(self, alpha: float = 0.05, *, correction: str | None = None) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        Parameters
        ----------
        alpha : float
        correction : str or None
            Any of :data:`mtsig_nb.significance.corrections.OF_PVALUES`.  A two-sided test makes a
            family of all pairs; a one-sided one of all pairs in both directions, since a conclusion
            may be drawn either way.
        """
        check_level(alpha)
        pvalues = self.pvalues if self.alternative != "less" else self.pvalues.T
        adjusted = np.full_like(pvalues, np.nan)
        family = np.triu(~np.eye(len(pvalues), dtype=bool))
        if self.alternative != "two-sided":
            family |= family.T
        adjusted[family] = adjust_pvalues(pvalues[family], correction)
        adjusted = np.where(np.isnan(adjusted), adjusted.T, adjusted)
        name = f", {correction}" if correction else ""
        return Conclusions.from_pvalues(
            self.systems,
            self.advantage,
            adjusted,
            alpha=alpha,
            source=f"people: {self.title}, {self.alternative}{name}",
            scores=self.scores.to_numpy(),
            higher_is_better=self.higher_is_better,
        )

    def _lines(self) -> list[str]:
        """How many pairs are distinguished at .05."""
        decided = int((self.conclusions(0.05).pairs() != 0).sum())
        return [
            f"{self.title}, {self.alternative}: {decided} of {len(self.table)} pairs of "
            f"{len(self.systems)} systems distinguished at 0.05, without correction"
        ]

    def _below(self) -> pd.DataFrame:
        return self.table


def rank_sum_test(
    means: SegmentScores, *, alternative: Alternative = "two-sided", as_given: bool = False
) -> PairTests:
    """Wilcoxon rank-sum (Mann-Whitney) tests of all pairs, not paired by segment.

    Null hypothesis: scores of the two systems come from one distribution.  The p-value is that of
    R's ``wilcox.test(a, b, exact = FALSE)``: normal approximation with mid-ranks, the variance
    corrected for ties, and a continuity correction of one half.  (Without ``exact = FALSE``, R
    enumerates when there are fewer than 50 scores and no ties.)

    Parameters
    ----------
    means : SegmentScores
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: scores of the row's system tend to be better than the column's.  Concluding
        on either direction of a one-sided test at level alpha errs up to 2 alpha of the time.
    as_given : bool
        Compare scores to the last bit, as R does.  By default those that are equal but for rounding
        are tied.

    Returns
    -------
    PairTests
        Its table has ``n_a``, ``n_b`` (segments), ``statistic`` (the Mann-Whitney U of
        `system_a`) and ``superiority``, the estimated chance that a score of `system_a` beats one
        of `system_b`, ties counting half.

    Notes
    -----
    If all scores of both systems are the same single value nothing can be learnt, and p is 1.

    References
    ----------
    Mann & Whitney (1947); as used for MT by Graham, Mathur & Baldwin (2014), section 4.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentScores
    >>> scores = {"a": [5, 6, 7, 9], "b": [1, 2, 3, 5]}
    >>> means = SegmentScores(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = rank_sum_test(means, alternative="greater")
    >>> test.table[["system_a", "system_b", "statistic", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 15.5, 0.021]]
    """
    from scipy.stats import rankdata  # slow to import

    def asked(a: FloatArray, b: FloatArray) -> _Answer:
        # scipy.stats.mannwhitneyu cubes the ties as integers, too large for 32 bits in a browser.
        both = np.concatenate([a, b])
        if not as_given:
            both = equal_but_for_rounding(both, _rounding(a, b))
        pairs, n = len(a) * len(b), len(a) + len(b)
        ties = np.unique(both, return_counts=True)[1].astype(np.float64)
        spread = np.sqrt(pairs / 12 * (n + 1 - (ties**3 - ties).sum() / (n * (n - 1))))
        advantage = float(rankdata(both)[: len(a)].sum() - len(a) * (n + 1) / 2)
        # The continuity correction, as R's wilcox.test applies it.
        half = {"greater": 0.5, "less": -0.5}.get(alternative, np.sign(advantage) / 2)
        u = advantage + pairs / 2
        counted = {"n_a": len(a), "n_b": len(b), "statistic": u, "superiority": u / pairs}
        if not spread:
            return 1.0, advantage, note("one-value"), counted
        return float(tail_pvalues((advantage - half) / spread, alternative)), advantage, "", counted

    samples = [means.direction * values for values in means.samples().values()]
    return _of_each_pair(means, "Wilcoxon rank-sum test, not paired", alternative, samples, asked)


def _of_each_pair(
    means: SegmentScores,
    title: str,
    alternative: Alternative,
    samples: Sequence[FloatArray],
    asked: Callable[[FloatArray, FloatArray], _Answer],
) -> PairTests:
    """What was asked of each pair of systems, and for one tail the other way round as well."""
    check_one_of("alternative", alternative, ALTERNATIVES)
    pvalues, advantage = np.zeros((2, len(samples), len(samples)))
    details, notes = [], []
    for i, j in zip(*pair_indices(len(samples)), strict=True):
        pvalues[i, j], advantage[i, j], said, counted = asked(samples[i], samples[j])
        advantage[j, i] = -advantage[i, j]
        two_sided = alternative == "two-sided"
        pvalues[j, i] = pvalues[i, j] if two_sided else asked(samples[j], samples[i])[0]
        details.append(counted)
        notes.append(said)
    return PairTests.of_pairs(
        means.scores(),
        title=f"{title}, on {means.label}",
        alternative=alternative,
        pvalues=pvalues,
        advantage=advantage,
        details=pd.DataFrame(details),
        pair_notes=notes,
        higher_is_better=means.higher_is_better,
        notes=means.notes,
    )


def signed_rank_test(means: SegmentScores, *, alternative: Alternative = "two-sided") -> PairTests:
    """Wilcoxon signed-rank tests of all pairs, on the segments that both systems were judged on.

    Null hypothesis: differences on a segment are symmetric about zero.  Segments without a
    difference are left out, as R does; :func:`mtsig_nb.signed_rank_test` can treat them otherwise.

    Parameters
    ----------
    means : SegmentScores
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    PairTests
        Its table has ``n`` (common segments), ``n_zero`` (those without a difference) and
        ``statistic``, the sum of the ranks of `system_a`'s advantages.

    Notes
    -----
    Exact for up to 50 differences other than zero, else the normal approximation with continuity
    correction.  Without any difference p is 1; without a common segment too, and the table says so.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentScores
    >>> scores = {"a": [5, 6, 7, 9, 4], "b": [1, 2, 3, 5, 4]}
    >>> means = SegmentScores(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = signed_rank_test(means)
    >>> test.table[["system_a", "system_b", "n", "n_zero", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 5, 1, 0.125]]
    """

    def asked(a: FloatArray, b: FloatArray) -> _Answer:
        d = _differences(a, b)
        found = signed_ranks(d, alternative=alternative)
        said = "" if d.any() else note("no-difference" if len(d) else "no-common-segment")
        counted = {"n": len(d), "n_zero": found.n_zero, "statistic": found.above}
        return found.pvalue, found.above - found.below, said, counted

    samples = list(means.direction * means.matrix().to_numpy(dtype=np.float64))
    title = "Wilcoxon signed-rank test, paired by segment"
    return _of_each_pair(means, title, alternative, samples, asked)


def _differences(a: FloatArray, b: FloatArray) -> FloatArray:
    """Differences on common segments, those equal that only rounding keeps apart."""
    common = ~np.isnan(a - b)
    return equal_differences((a - b)[common], _rounding(a[common], b[common]))


def _rounding(*scores: FloatArray) -> float:
    """How far rounding can set apart two equal scores, or differences, of so many decimals."""
    return DECIMALS * max(np.abs(values).max(initial=0.0) for values in scores)


#: By the names that judgements take.
TESTS = {"rank-sum": rank_sum_test, "signed-rank": signed_rank_test}


class Judged(Described):
    """Judgements, which rank systems and tell some of them apart."""

    scores: Callable[..., pd.Series]
    tests: Callable[..., PairTests]

    def conclusions(
        self, alpha: float = 0.05, *, correction: str | None = None, **options: Any
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair; `options` are those of `tests`."""
        return self.tests(**options).conclusions(alpha, correction=correction)

    def _below(self) -> str:
        return self.scores().to_frame().to_html(escape=True)


def check_frame(frame: pd.DataFrame, what: str, *columns: str, once: str = "") -> None:
    """Raise `InputError` unless the frame has these columns, and at least one of `what`.

    Where the column `once` says the same, no system may stand twice.
    """
    for name in columns:
        if name not in frame:
            raise InputError(
                f"frame has no column {name!r}; it has {list(frame.columns)}, and {what} need "
                f"{', '.join(columns)}."
            )
    if frame.empty:
        raise InputError(f"frame has no {what}; a campaign needs at least one.")
    if once and frame.duplicated(["system", once]).any():
        row = frame[frame.duplicated(["system", once])].iloc[0]
        raise InputError(
            f"frame: system {row['system']!r} appears more than once in {once} {row[once]}; leave "
            "one of them, or their mean."
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SegmentScores(Judged):
    """Scores of segments, one per system and segment that was judged.

    Parameters
    ----------
    frame : DataFrame
        ``system``, ``segment`` (or ``line``, ``segment_id``) and the score's column; optionally
        ``n_ratings``.  Afterwards the score's column is ``mean``.
    score : str, optional
        Which column; by default the first of ``mean``, ``mqm``, ``z_mean``, ``raw_mean`` and
        ``score``.
    label : str, optional
        What was scored, for tables and figures; by default the column's name.
    higher_is_better : bool
        False for counts of errors.  True for MQM as published here, whose penalties are negative.
    documents : Series or array_like, optional
        The document of each segment: indexed by segment, or for the whole test set in order.
    notes : tuple of str
        What a reader should know, such as raters left out.

    Raises
    ------
    InputError
        If there are no scores, one is missing, or a system has two for one segment.

    Examples
    --------
    >>> scores = SegmentScores(pd.DataFrame({"system": ["a", "a", "b"], "segment": [0, 1, 0],
    ...                                      "mqm": [-0.5, -0.25, -1.5]}))
    >>> scores.scores().to_dict()
    {'a': -0.375, 'b': -1.5}
    >>> scores.matrix().loc["a"].tolist(), scores.samples()["b"].tolist()
    ([-0.5, -0.25], [-1.5])
    >>> scores.as_statistics().scores().to_dict()
    {'a': -0.375, 'b': -1.5}
    >>> scores
    SegmentScores(mqm: 2 systems, 1 to 2 segments each; not the same segments)
    """

    frame: pd.DataFrame
    score: str | None = None
    label: str = ""
    higher_is_better: bool = True
    documents: Any = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frame = self.frame.rename(columns={"line": "segment", "segment_id": "segment"})
        column = self.score or next((name for name in SCORES if name in frame), SCORES[0])
        check_frame(frame, "scores", "system", "segment", column, once="segment")
        if not np.isfinite(real_numbers(frame[column])).all():
            raise InputError(
                f"frame: a value of {column!r} is not a finite number; leave that segment out."
            )
        kept = ["system", "segment", column, *frame.columns.intersection(["n_ratings"])]
        frame = frame[kept].rename(columns={column: "mean"}).reset_index(drop=True)
        documents = self.documents
        if documents is not None and not isinstance(documents, pd.Series):
            documents = pd.Series(np.asarray(documents))
        changes = {"frame": frame, "score": "mean", "label": self.label or column}
        for name, value in (changes | {"documents": documents}).items():
            object.__setattr__(self, name, value)

    @property
    def direction(self) -> int:
        """+1 where larger is better, -1 where smaller is."""
        return 1 if self.higher_is_better else -1

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(self.scores().index)

    def scores(self) -> pd.Series:
        """Each system's mean over its segments, best first."""
        means = self.frame.groupby("system", observed=True)["mean"].mean().rename(self.label)
        return means.sort_values(ascending=not self.higher_is_better, kind="stable")

    def samples(self) -> dict[str, FloatArray]:
        """Each system's segment scores, systems best first."""
        groups = {name: group.to_numpy() for name, group in self.frame.groupby("system")["mean"]}
        return {system: groups[system].astype(np.float64) for system in self.systems}

    def matrix(self) -> pd.DataFrame:
        """Systems (best first) by segments; missing where a system was not judged."""
        wide = self.frame.pivot(index="system", columns="segment", values="mean")
        return wide.loc[list(self.systems)]

    @property
    def same_segments(self) -> bool:
        """Whether every system was judged on exactly the same segments."""
        return not self.matrix().isna().to_numpy().any()

    def tests(
        self, *, test: ScoreTest | None = None, alternative: Alternative = "two-sided"
    ) -> PairTests:
        """Tests of all pairs.

        By default the signed-rank test where every system was scored on the same segments, and
        the rank-sum test where not.
        """
        test = test or ("signed-rank" if self.same_segments else "rank-sum")
        check_one_of("test", test, TESTS)
        return TESTS[test](self, alternative=alternative)

    def as_statistics(self) -> SufficientStatistics:
        """The scores as sufficient statistics, for approximate randomization and the bootstrap.

        All segments that anybody was judged on, with weight 0 where a system was not.

        Notes
        -----
        Resampling keeps together what belongs to a segment, so it is the right test where systems
        were judged on the same segments.  Where they were judged on different ones there is
        nothing to pair: use `rank_sum_test`.  To resample documents, ask the engine for
        ``units="documents"``; for raters see `Ratings.as_statistics`.
        """
        wide = self.matrix()
        documents = self.documents
        if documents is not None:
            documents = documents.reindex(wide.columns).to_numpy()
        return SufficientStatistics(
            SegmentMean(label=self.label, larger_is_better=self.higher_is_better),
            tuple(wide.index),
            np.stack([wide.fillna(0.0), wide.notna()], axis=-1),
            documents=documents,
        )

    @property
    def sentence(self) -> str:
        """What was scored, how many systems and segments, and what a reader should know."""
        counts = self.frame.groupby("system", observed=True).size()
        which = "the same segments for all" if self.same_segments else "not the same segments"
        each = f"{len(counts)} systems, {counts.min()} to {counts.max()} segments each"
        return f"SegmentScores({'; '.join([f'{self.label}: {each}', which, *self.notes])})"


def means_of(frame: pd.DataFrame, *, label: str, notes: tuple[str, ...] = ()) -> SegmentScores:
    """Segment means of a frame with columns system, segment and value, to fifteen digits."""
    keys, values, counts = exact_means(frame, ["system", "segment"], "value")
    keys = keys.assign(mean=significant_digits(values, 15), n_ratings=counts)
    documents = None
    if "document" in frame:
        documents = frame.drop_duplicates("segment").set_index("segment")["document"]
    return SegmentScores(keys, label=label, documents=documents, notes=notes)


def exact_means(
    frame: pd.DataFrame, by: list[str], value: str
) -> tuple[pd.DataFrame, FloatArray, IntArray]:
    """Means per group, each from a correctly rounded sum, whatever the order of the rows.

    Returns
    -------
    keys : DataFrame
        One row per group, sorted.
    means : ndarray of float64
    counts : ndarray of int64
    """
    groups = frame.groupby(by, sort=True, observed=True)[value].agg(list)
    means = np.array([math.fsum(values) / len(values) for values in groups])
    return groups.index.to_frame(index=False), means, groups.map(len).to_numpy()


def significant_digits(values: Sequence[float] | FloatArray, digits: int) -> FloatArray:
    """`values` as they are after being written with so many significant decimal digits.

    >>> significant_digits([0.1 + 0.2, 2 / 3], 15).tolist()
    [0.3, 0.666666666666667]
    """
    return np.array([float(f"{value:.{digits}g}") for value in values], dtype=np.float64)


def unit_codes(frame: pd.DataFrame, units: str) -> Indices:
    """A number for each row's unit; an `InputError` where the rows do not say."""
    check_one_of("units", units, UNITS)
    column = UNITS[units]
    if column not in frame or frame[column].isna().any():
        raise InputError(
            f"units={units!r} needs a {column} for every judgement, and these judgements do not "
            "have it."
        )
    return pd.factorize(frame[column], sort=True)[0]
