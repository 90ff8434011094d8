"""Scores of segments by people."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..described import Described
from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics, real_numbers
from .frames import check_frame, exact_means, significant_digits
from .pair_tests import PairTests
from .score_tests import rank_sum_test, signed_rank_test

ScoreTest = Literal["rank-sum", "signed-rank"]
#: Columns that have the score where none is named; the first that is there is taken.
SCORES = ("mean", "mqm", "z_mean", "raw_mean", "score")
#: By the names that judgements take.
TESTS = {"rank-sum": rank_sum_test, "signed-rank": signed_rank_test}


class Judged(Described):
    """Judgements, which rank systems and tell some of them apart."""

    scores: Callable[..., pd.Series]
    tests: Callable[..., PairTests]

    def __repr__(self) -> str:
        return self.sentence  # a line, with its name

    def conclusions(
        self, alpha: float = 0.05, *, correction: str | None = None, **options: Any
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair; `options` are those of `tests`."""
        return self.tests(**options).conclusions(alpha, correction=correction)

    def _below(self) -> str:
        return self.scores().to_frame().to_html(escape=True)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SegmentScores(Judged):
    """Scores of segments, one per system and segment that was judged.

    Parameters
    ----------
    frame : DataFrame
        ``system``, ``segment`` (or ``line``, ``segment_id``) and the score's column; optionally
        ``n_ratings``.  Afterwards the score's column is ``mean``.
    score : str, optional
        The column of scores; by default the first of ``mean``, ``mqm``, ``z_mean``, ``raw_mean``
        and ``score``.
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
        present = [name for name in SCORES if name in frame]
        column = self.score or next(iter(present), SCORES[0])
        # It may be absent still.
        check_frame(frame, "scores", "system", "segment", column, once="segment")
        scores = real_numbers(frame[column])
        if not np.isfinite(scores).all():
            raise InputError(
                f"frame: a value of {column!r} is not a finite number; leave that segment out."
            )
        kept = ["system", "segment", column]
        if "n_ratings" in frame:
            kept.append("n_ratings")
        frame = frame[kept].rename(columns={column: "mean"})
        documents = self.documents
        if documents is not None and not isinstance(documents, pd.Series):
            documents = pd.Series(np.asarray(documents))
        object.__setattr__(self, "frame", frame.reset_index(drop=True))
        object.__setattr__(self, "score", "mean")
        object.__setattr__(self, "label", self.label or column)
        object.__setattr__(self, "documents", documents)

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
        means = self.frame.groupby("system", observed=True)["mean"].mean()
        means = means.rename(self.label)
        return means.sort_values(ascending=not self.higher_is_better, kind="stable")

    def samples(self) -> dict[str, FloatArray]:
        """Each system's segment scores, systems best first."""
        means = self.frame.groupby("system")["mean"]
        return {system: means.get_group(system).to_numpy(np.float64) for system in self.systems}

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
        if test is None:
            test = "signed-rank" if self.same_segments else "rank-sum"
        check_one_of("test", test, TESTS)
        return TESTS[test](self, alternative=alternative)

    def as_statistics(self) -> SufficientStatistics:
        """The scores as sufficient statistics, for approximate randomization and the bootstrap.

        All segments on which some system was judged, with weight 0 for systems that were not.

        Notes
        -----
        Resampling keeps all scores of a segment together, so it is the right test if systems were
        judged on the same segments.  If they were judged on different segments, there is nothing to
        pair: use `rank_sum_test`.  To resample documents, ask the engine for ``units="documents"``;
        for raters see `Ratings.as_statistics`.
        """
        wide = self.matrix()
        documents = None
        if self.documents is not None:
            documents = self.documents.reindex(wide.columns).to_numpy()
        metric = SegmentMean(label=self.label, larger_is_better=self.higher_is_better)
        sums = wide.fillna(0.0)
        weights = wide.notna()
        values = np.stack([sums, weights], axis=-1)
        return SufficientStatistics(metric, tuple(wide.index), values, documents=documents)

    @property
    def sentence(self) -> str:
        """What was scored, how many systems and segments, and what a reader should know."""
        n_segments = self.frame.groupby("system", observed=True).size()
        counts = (
            f"{self.label}: {len(n_segments)} systems, "
            f"{n_segments.min()} to {n_segments.max()} segments each"
        )
        overlap = "the same segments for all" if self.same_segments else "not the same segments"
        return f"SegmentScores({'; '.join([counts, overlap, *self.notes])})"


def means_of(frame: pd.DataFrame, *, label: str, notes: tuple[str, ...] = ()) -> SegmentScores:
    """Segment means, to fifteen digits, of ratings with columns system, segment and value."""
    segments, means, counts = exact_means(frame, ["system", "segment"], "value")
    scores = segments.assign(mean=significant_digits(means, 15), n_ratings=counts)
    documents = None
    if "document" in frame:
        documents = frame.drop_duplicates("segment").set_index("segment")["document"]
    return SegmentScores(scores, label=label, documents=documents, notes=notes)
