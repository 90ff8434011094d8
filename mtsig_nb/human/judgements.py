"""The kinds of human judgement that campaigns have, each with scores and conclusions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of
from .criteria import combine_criteria
from .means import Scored, SegmentMeans
from .pair_results import PairTests
from .pair_tests import paired_t_test, rank_sum_test, signed_rank_test
from .preferences import PairwisePreferences, RelativeRanking
from .quality import QualityControl
from .ratings import Ratings
from .wmt import WMTRanking, wmt_recipe

ScoreTest = Literal["rank-sum", "signed-rank", "paired-t"]
_TESTS = {"rank-sum": rank_sum_test, "signed-rank": signed_rank_test, "paired-t": paired_t_test}


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DirectAssessment(Scored):
    """Scores that raters gave to outputs one at a time, usually 0 to 100.

    Parameters
    ----------
    ratings : Ratings or DataFrame
    published_means : DataFrame, optional
        The organisers' segment means; see :func:`wmt_recipe`.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Examples
    --------
    >>> frame = pd.DataFrame([(f"r{r}", s, i, 50 + 9 * (s == "a") + (7 * i + r) % 5)
    ...                       for r in range(3) for s in "ab" for i in range(4)],
    ...                      columns=["rater", "system", "segment", "raw"])
    >>> DirectAssessment(frame).conclusions(alpha=0.05).word("a", "b")
    'better'
    >>> people = DirectAssessment(frame)
    >>> people.segment_means().scores().round(2).to_dict()
    {'a': 0.9, 'b': -0.9}
    >>> people.tests().table["pvalue"].round(4).item()
    0.0304
    >>> people.wmt().standings["system"].tolist()
    ['a', 'b']
    """

    ratings: Ratings
    published_means: pd.DataFrame | None = None
    documents: npt.ArrayLike | None = None
    kind: str = dataclasses.field(default="direct assessment", init=False)

    def __post_init__(self) -> None:
        given: Any = self.ratings
        if not isinstance(given, Ratings):
            object.__setattr__(self, "ratings", Ratings(given))

    @property
    def systems(self) -> tuple[str, ...]:
        """Everybody that was rated, in alphabetical order."""
        return self.ratings.systems

    def segment_means(self, *, standardised: bool = True, **options: Any) -> SegmentMeans:
        """Segment means with the test set's documents; see `Ratings.segment_means`."""
        means = self.ratings.segment_means(standardised=standardised, **options)
        return means if self.documents is None else means.with_documents(self.documents)

    def scores(self, *, standardised: bool = True, criterion: str | None = None) -> pd.Series:
        """Mean of the segment means, best first."""
        return self.segment_means(standardised=standardised, criterion=criterion).scores()

    def tests(
        self,
        *,
        test: ScoreTest = "rank-sum",
        alternative: Alternative = "two-sided",
        standardised: bool = True,
        criterion: str | None = None,
    ) -> PairTests:
        """Tests of all pairs on segment means."""
        means = self.segment_means(standardised=standardised, criterion=criterion)
        return _test_named(test)(means, alternative=alternative)

    def conclusions(
        self,
        alpha: float = 0.05,
        *,
        test: ScoreTest = "rank-sum",
        alternative: Alternative = "two-sided",
        standardised: bool = True,
        criteria: Sequence[str] | None = None,
        correction: str | None = None,
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        Parameters
        ----------
        alpha : float
        test : {"rank-sum", "signed-rank", "paired-t"}
            :mod:`mtsig_nb.human.pair_tests` says when each is right.
        alternative : {"two-sided", "greater", "less"}
            ``"greater"`` draws conclusions as WMT's stars and Graham et al. (2014) do: one-sided,
            whichever side comes out.
        standardised : bool
        criteria : sequence of str, optional
            In order of importance, such as ``("adequacy", "fluency")``: each breaks the ties of
            those before it.  Needed where there are several.
        correction : str or None
        """
        parts = [
            self.tests(
                test=test, alternative=alternative, standardised=standardised, criterion=criterion
            ).conclusions(alpha, correction=correction)
            for criterion in (list(criteria) if criteria else [None])
        ]
        return parts[0] if len(parts) == 1 else combine_criteria(*parts)

    def quality_control(self, **options: Any) -> QualityControl:
        """Who passes and why; see :func:`quality_control`."""
        return self.ratings.quality_control(**options)

    def wmt(self, **options: Any) -> WMTRanking:
        """The organisers' own computation; see :func:`wmt_recipe`."""
        return wmt_recipe(self.ratings, published_means=self.published_means, **options)

    @property
    def sentence(self) -> str:
        """The ratings behind it."""
        return f"DirectAssessment({self.ratings!r})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SegmentScores(Scored):
    """One published score per system and segment: MQM, or means of direct assessment.

    Parameters
    ----------
    frame : DataFrame
        ``system``, ``segment`` (or ``line``, ``segment_id``) and the score's column.
    score : str, optional
        Which column; by default the first of ``mqm``, ``z_mean``, ``raw_mean``, ``score``.
    label : str, optional
        What was scored.
    higher_is_better : bool
        True also for MQM as published here, whose penalties are negative.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Examples
    --------
    >>> frame = pd.DataFrame({"system": ["a", "b"] * 6, "line": [i // 2 for i in range(12)],
    ...                       "mqm": [0.0, -1.0, -1.0, -5.0, 0.0, -2.0] * 2})
    >>> SegmentScores(frame)
    SegmentScores(mqm: 2 systems, 6 to 6 segments each; the same segments for all)
    """

    frame: pd.DataFrame
    score: str | None = None
    label: str | None = None
    higher_is_better: bool = True
    documents: npt.ArrayLike | None = None
    kind: str = dataclasses.field(default="segment scores", init=False)

    def __post_init__(self) -> None:
        self.means  # noqa: B018  unusable tables are refused now, not at the first use

    @cached_property
    def means(self) -> SegmentMeans:
        """The scores, ready for tests and resampling."""
        frame = self.frame.rename(columns={"line": "segment", "segment_id": "segment"})
        known = ("mqm", "z_mean", "raw_mean", "score")
        column = self.score or next((name for name in known if name in frame), None)
        if column is None or column not in frame:
            raise InputError(
                f"score={self.score!r}: the frame has the columns {list(frame.columns)}; name the "
                "one with the scores."
            )
        means = SegmentMeans(
            frame[["system", "segment"]].assign(mean=frame[column]),
            label=self.label or column,
            higher_is_better=self.higher_is_better,
        )
        return means if self.documents is None else means.with_documents(self.documents)

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return self.means.systems

    def scores(self) -> pd.Series:
        """Mean over the segments that were scored, best first."""
        return self.means.scores()

    def tests(
        self, *, test: ScoreTest | None = None, alternative: Alternative = "two-sided"
    ) -> PairTests:
        """Tests of all pairs; see `conclusions`."""
        paired = "signed-rank" if self.means.same_segments else "rank-sum"
        return _test_named(test or paired)(self.means, alternative=alternative)

    def conclusions(
        self,
        alpha: float = 0.05,
        *,
        test: ScoreTest | None = None,
        alternative: Alternative = "two-sided",
        correction: str | None = None,
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        By default the signed-rank test where every system was scored on the same segments, and
        the rank-sum test where not.
        """
        tests = self.tests(test=test, alternative=alternative)
        return tests.conclusions(alpha, correction=correction)

    @property
    def sentence(self) -> str:
        """How many systems and segments, and whether the segments are the same."""
        which = "the same segments for all" if self.means.same_segments else "not the same segments"
        return f"{repr(self.means).replace('SegmentMeans', 'SegmentScores', 1)[:-1]}; {which})"


#: What a campaign's ``human`` may be.
Judgement = DirectAssessment | RelativeRanking | PairwisePreferences | SegmentScores


def judgements_from_tables(
    tables: Mapping[str, pd.DataFrame], *, documents: npt.ArrayLike | None = None
) -> dict[str, Judgement]:
    """The judgements in a campaign's tables, the main ones first.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        By the name of the file: ``ratings`` (with ``segments`` beside it, ``judges`` not being
        needed), ``esa``, ``ranks``, ``pairwise``, ``mqm``, ``segment_da``.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Returns
    -------
    dict of str to DirectAssessment, RelativeRanking, PairwisePreferences or SegmentScores

    Examples
    --------
    >>> ranks = pd.DataFrame({"task": [0, 0, 0], "system": ["a", "b", "c"], "rank": [1, 2, 2]})
    >>> judgements = judgements_from_tables({"ranks": ranks})
    >>> judgements["ranks"].scores().to_dict()
    {'a': 1.0, 'b': 0.0, 'c': 0.0}
    """
    found: dict[str, Judgement] = {}
    if "ratings" in tables:
        found["direct_assessment"] = DirectAssessment(
            Ratings(tables["ratings"]), tables.get("segments"), documents
        )
    if "esa" in tables:
        found |= _error_span_annotation(tables["esa"], documents)
    if "mqm" in tables:
        found["mqm"] = SegmentScores(tables["mqm"], "mqm", "MQM", documents=documents)
    if "ranks" in tables:
        found["ranks"] = RelativeRanking(tables["ranks"])
    if "pairwise" in tables:
        found["pairwise"] = PairwisePreferences(tables["pairwise"])
    if "segment_da" in tables:
        found["segment_da"] = SegmentScores(
            tables["segment_da"],
            "z_mean",
            "direct assessment of sampled outputs, standardised",
            documents=documents,
        )
    return found


def _error_span_annotation(
    rows: pd.DataFrame, documents: npt.ArrayLike | None
) -> dict[str, Judgement]:
    """The scores that the organisers use, one a segment, as they are; and who gave them.

    Beside a rater's own items there are damaged ones, and documents that came again.  What was
    rated again later, or filled a task, is no judgement.
    """
    scores = rows.loc[rows["type"] == "SYSTEM", ["system", "segment", "score"]]
    rated = rows[rows["type"].isin(["SYSTEM", "REPEAT", "BAD"])]
    ratings = Ratings(rated, columns={"hit": "account"})
    return {
        "esa": SegmentScores(scores, "score", "ESA", documents=documents),
        "esa_ratings": DirectAssessment(ratings, documents=documents),
    }


def _test_named(test: str) -> Any:
    check_one_of("test", test, _TESTS)
    return _TESTS[test]
