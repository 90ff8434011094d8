"""The organisers' own computation of WMT's direct assessment into English, digit by digit.

From raw ratings to the published table, as the released scripts and figures show it:

1. Mean and standard deviation (n - 1) of everything a rater scored, printed by R with seven
   significant digits.
2. ``z = (score - mean) / sd``, computed by Perl from these texts and printed with fifteen digits.
3. Mean of z over SYSTEM and REPEAT ratings of each system and segment, written by R with fifteen.
4. R's ``wilcox.test(a, b, alternative = "greater")``, not paired, in both directions.
5. A win is p < .05; systems are sorted by the mean of their segment means.
6. A cluster ends after the k-th of n systems where the k-th has n - k wins.

Steps 1 to 3 matter because rank tests look at ties, and floating-point noise breaks them.  Step 6
is how the published clusters of all campaigns here come out.  It is nearly, but not quite, "all
above beat all below": a win over a system *above* counts too, and the systems higher up are not
asked.  In WMT21 de-en the two differ.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd

from ..described import Framed
from ..errors import InputError
from ..metrics.base import FloatArray, IntArray
from ..notes import note
from .frames import exact_means, significant_digits
from .pair_tests import PairTests
from .score_tests import rank_sum_test
from .segment_scores import SegmentScores, means_of

#: Levels of the published stars; p must be smaller.
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
#: Level of the published wins; p must be smaller.
LEVEL_OF_WINS = 0.05


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class WMTRanking(Framed):
    """The organisers' ranking of one language pair.

    Attributes
    ----------
    means : SegmentScores
        Standardised segment means, rounded as published.
    tests : PairTests
        One-sided rank-sum tests; ``tests.pvalues`` has both directions.
    raw_scores : Series
        Mean of raw segment means, per system.
    n_ratings : Series
        SYSTEM and REPEAT ratings, per system.

    Examples
    --------
    >>> from mtsig_nb.human import Ratings
    >>> frame = pd.DataFrame([(f"r{r}", s, i, 50 + 9 * (s == "a") + (7 * i + r) % 5)
    ...                       for r in range(3) for s in "ab" for i in range(4)],
    ...                      columns=["rater", "system", "segment", "raw"])
    >>> ranking = Ratings(frame).wmt()
    >>> ranking.tests.conclusions(alpha=0.05).word("a", "b")
    'better'
    """

    means: SegmentScores
    tests: PairTests
    raw_scores: pd.Series
    n_ratings: pd.Series

    def to_frame(self) -> pd.DataFrame:
        """One row per pair, unrounded.

        The columns are ``system_a``, which has the higher mean, and ``system_b``; ``z_diff``, how
        much higher it is; ``stars``; and the one-sided ``pvalue``, small where ``system_a`` is
        better.
        """
        tests = self.tests.table
        return tests[["system_a", "system_b"]].assign(
            z_diff=tests["score_a"] - tests["score_b"],
            stars=[_stars(pvalue) for pvalue in tests["pvalue"]],
            pvalue=tests["pvalue"],
        )

    @property
    def standings(self) -> pd.DataFrame:
        """One row per system, best first.

        The columns are ``system``; ``raw_mean`` and ``z_mean``, means of segment means;
        ``n_segments`` and ``n_ratings``; ``wins`` over other systems, and ``total``, the number of
        all systems; ``cluster_start`` and ``cluster_end``, the first and the last rank in the
        system's cluster, counted from 1.
        """
        # Systems, scores, and rows and columns of the p-values are in one order, best first.
        systems = list(self.tests.systems)
        n_segments = self.means.frame.groupby("system", observed=True).size()
        ends = cluster_ends(self.tests.pvalues)
        starts = np.concatenate([[0], ends]) + 1
        cluster = np.searchsorted(ends, np.arange(len(systems)), side="right")
        return pd.DataFrame(
            {
                "system": systems,
                "raw_mean": self.raw_scores[systems].to_numpy(),
                "z_mean": self.tests.scores.to_numpy(),
                "n_segments": n_segments[systems].to_numpy(),
                "n_ratings": self.n_ratings[systems].to_numpy(),
                "wins": _wins(self.tests.pvalues),
                "total": len(systems),
                "cluster_start": starts[cluster],
                "cluster_end": ends[cluster],
            }
        )

    def plot(self, **kwargs: Any) -> Any:
        """Draw the tests' conclusions about all pairs at .05."""
        return self.tests.plot(**kwargs)

    def _lines(self) -> list[str]:
        """The sentence: how many systems, clusters and starred pairs."""
        standings = self.standings
        n_clusters = standings["cluster_end"].nunique()
        table = self.table  # of pairs
        n_starred = int((table["stars"] != "").sum())
        return [
            f"WMT's direct assessment of {len(standings)} systems, recomputed: "
            f"{n_clusters} clusters, {n_starred} of {len(table)} pairs starred"
        ]

    def _below(self) -> pd.DataFrame:
        """The table of systems, which a notebook shows below the sentence."""
        return self.standings


def _stars(pvalue: float) -> str:
    """The published stars of a p-value."""
    for level, stars in STARS:
        if pvalue < level:
            return stars
    return ""


def wmt_recipe(ratings: pd.DataFrame, published_means: pd.DataFrame | None) -> WMTRanking:
    """Recompute the published tests; see `Ratings.wmt`.

    Parameters
    ----------
    ratings : DataFrame
        With the columns ``rater``, ``system``, ``segment``, ``type`` and ``raw``.
    published_means : DataFrame or None
        The organisers' segment means: ``system``, ``segment`` (or ``line``), ``raw_mean``,
        ``z_mean`` and ``n``, the number of ratings.
    """
    # Steps 1 and 2 of the module's docstring.  Raters without variance are left out.
    frame = ratings.assign(value=organisers_scores(ratings)).dropna(subset="value")
    frame = frame[frame["type"].isin(["SYSTEM", "REPEAT"])]
    if frame.empty:
        raise InputError("ratings: there is no SYSTEM or REPEAT rating by a rater with variance.")
    # Step 3: `means_of` rounds means of the column ``value`` to fifteen digits.
    means = means_of(frame, label="direct assessment, standardised")
    if published_means is None:
        segments, raw_mean, counts = exact_means(frame, ["system", "segment"], "raw")
        raw_means = segments.assign(raw_mean=raw_mean, n=counts)
    else:
        # Released ratings are not complete.  All raw means are the published ones; standardised
        # means are recomputed, and published ones are taken for segments without a rating alone.
        raw_means = published_means
        means = _with_published(means, published_means)
    # Step 4: with `as_given`, only scores that are equal to the last bit are tied, as in R.
    tests = rank_sum_test(means, alternative="greater", as_given=True)
    by_system = raw_means.groupby("system")
    return WMTRanking(
        means=means,
        tests=tests,
        raw_scores=by_system["raw_mean"].mean(),
        n_ratings=by_system["n"].sum(),
    )


def organisers_scores(frame: pd.DataFrame) -> FloatArray:
    """Standard scores of ``frame["raw"]`` within raters, rounded as WMT's own scripts round.

    Raters without variance have NaN.
    """
    raters = frame.groupby("rater", observed=True)["raw"].agg(["mean", "std"])
    printed = raters.map(lambda value: _read_by_perl(f"{value:.7g}"))
    mean = frame["rater"].map(printed["mean"])
    sd = frame["rater"].map(printed["std"])
    varies = sd > 0
    z = (frame["raw"] - mean) / sd.where(varies)
    return significant_digits(z.to_numpy(), 15)


def _read_by_perl(text: str) -> float:
    """A decimal as Perl 5 reads it: whole part and fraction apart, then added.

    Now and then this is not the nearest double but its neighbour, and that can change the
    fifteenth digit of a standard score.
    """
    whole, _, fraction = text.partition(".")
    if not (whole.isdigit() and fraction.isdigit()):
        return float(text)
    return int(whole) + int(fraction) / 10 ** len(fraction)


def _with_published(means: SegmentScores, published: pd.DataFrame) -> SegmentScores:
    """Add the published means of segments that have no rating."""
    published = published.rename(columns={"line": "segment"})
    for name in ("system", "segment", "raw_mean", "z_mean", "n"):
        if name not in published:
            raise InputError(f"published_means has no column {name!r}.")
    key = ["system", "segment"]
    rated = pd.MultiIndex.from_frame(means.frame[key])
    is_rated = pd.MultiIndex.from_frame(published[key]).isin(rated)
    missing = published[~is_rated]
    if missing.empty:
        return means
    added = missing[key].assign(mean=missing["z_mean"], n_ratings=missing["n"])
    frame = pd.concat([means.frame, added])
    notes = (*means.notes, note("published-added", n=len(missing)))
    return dataclasses.replace(means, frame=frame, notes=notes)


def cluster_ends(pvalues: FloatArray) -> IntArray:
    """After how many systems, best first, each cluster ends; the last is all of them.

    A cluster ends where the k-th system wins as often as there are systems below it.

    Parameters
    ----------
    pvalues : ndarray, shape (systems, systems)
        One-sided: small where the row's system is better than the column's.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.2, 0.01], [0.8, np.nan, 0.02], [0.99, 0.98, np.nan]])
    >>> cluster_ends(p).tolist()
    [2, 3]
    """
    wins = _wins(pvalues)
    n_below = np.arange(len(wins))[::-1]
    is_end = wins == n_below
    is_end[-1] = True
    return np.flatnonzero(is_end) + 1


def _wins(pvalues: FloatArray) -> IntArray:
    """How many systems each system is significantly better than."""
    return (pvalues < LEVEL_OF_WINS).sum(axis=1)
