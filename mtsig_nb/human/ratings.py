"""Ratings by people, one row for each score that a rater gave.

Raters use a scale differently: some give 40 where others give 80.  Subtracting a rater's mean and
dividing by the rater's standard deviation removes location and scale.  It does not make ratings by
one rater independent, and mean and deviation are estimated from the same few ratings.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..engine.procedures import Alternative
from ..errors import InputError, check_all_of
from ..metrics.base import ArrayLike
from ..metrics.mean import SegmentMean
from ..notes import Note, note
from ..scores.controls import JUDGED, TYPE_ALIASES, TYPES
from ..sentences import Option, Sentence
from ..significance.sequential import SequentialTest
from ..statistics.sufficient import SufficientStatistics, real_numbers
from .field_rules import pairs_by_field_rules
from .frames import check_frame, standard_scores, unit_codes
from .mixed_model import MixedModel, mixed_model
from .pair_tests import PairTests
from .quality_control import CHECKS, Check, QualityControl, control_raters
from .raters_at_looks import RatersAtLooks, raters_at_looks
from .segment_scores import Judged, ScoreTest, SegmentScores, means_of
from .variance_components import (
    VarianceComponents,
    all_pairs_over_samples,
    components_of_difference,
)
from .wmt import WMTRanking, wmt_recipe

#: What a column may be called in a file; the first name that is there is taken.
ALIASES: dict[str, tuple[str, ...]] = {
    "rater": ("rater", "judge", "annotator", "worker", "WorkerId", "user"),
    "system": ("system", "sys_id", "sys"),
    "segment": ("segment", "line", "segment_id", "seg_id", "sid"),
    "raw": ("raw", "raw_score", "score", "rating"),
    "criterion": ("criterion", "dimension", "question"),
    "type": ("type", "item_type", "class"),
    "hit": ("hit", "hit_id", "HITId", "task"),
    "document": ("document", "doc", "doc_id", "docid"),
    "generation": ("generation",),
}
REQUIRED = ("rater", "system", "segment", "raw")
#: What makes two ratings ratings of the same item.
_ITEM = ("rater", "system", "document", "segment", "generation", "type", "hit")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Ratings(Judged):
    """The raw scores that people gave, with everything needed to weigh them.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``rater``, ``system``, ``segment`` and ``raw``; optionally
        ``criterion`` (the same in all, default ``"quality"``), ``type`` (one of `TYPES`, default
        ``"SYSTEM"``), ``hit``, ``document`` and ``generation``, where a system answered several
        times.  Other usual names are understood (judge, line,
        score and such), types also by Appraise's names (TGT, CHK, BAD); other columns are left out.
    scale : tuple of float or None
        The lowest and highest score that raters could give; None checks nothing.
    published_means : DataFrame, optional
        The organisers' segment means; see `wmt`.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Raises
    ------
    InputError
        If there is no rating at all, a column is absent, a score is missing or outside the scale,
        an item type is unknown, or there are several criteria.

    Notes
    -----
    If a rater scored the same item twice in the same HIT and it is not a REPEAT, both scores are
    kept as two judgements; `notes` says how many.

    Examples
    --------
    >>> frame = pd.DataFrame({"judge": ["r1", "r1", "r2", "r2"], "system": ["a", "b", "a", "b"],
    ...                       "segment": [0, 0, 0, 0], "score": [80, 60, 30, 10]})
    >>> ratings = Ratings(frame)
    >>> ratings
    Ratings(4 ratings by 2 raters of 2 systems on 1 segment)
    >>> ratings.segment_means(standardised=True).scores().round(3).to_dict()
    {'a': 0.707, 'b': -0.707}
    >>> ratings.of_raters(["r1"]).standardised().to_frame()["raw"].round(3).tolist()
    [0.707, -0.707]
    >>> ratings.as_statistics().scores().round(3).to_dict()
    {'a': 0.707, 'b': -0.707}
    >>> ratings.conclusions(alpha=0.05).word("a", "b")
    'indistinguishable'
    >>> import mtsig_nb as mt
    >>> mqm = mt.load("wmt23/en-de").judgements["mqm_ratings"]
    >>> mqm.variance_components("Lan-BridgeMT", "ONLINE-M").samples
    ('rater', 'document', 'segment')
    >>> mqm.tests_over_samples().conclusions(alpha=0.05).word("Lan-BridgeMT", "ONLINE-M")
    'worse'
    """

    frame: pd.DataFrame
    scale: tuple[float, float] | None = (0, 100)
    published_means: pd.DataFrame | None = None
    documents: ArrayLike | None = None

    def __post_init__(self) -> None:
        frame = standard_columns(self.frame, self.scale)
        check_frame(frame, "ratings")
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

    @functools.cached_property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know."""
        item = [name for name in _ITEM if name in self.frame]
        n_again = int(self.frame.duplicated(item).sum())
        if not n_again:
            return ()
        return (note("rated-again", n=n_again),)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems rated, in alphabetical order."""
        return tuple(sorted(self.frame["system"].unique()))

    @property
    def raters(self) -> tuple[str, ...]:
        """All raters, in alphabetical order."""
        return tuple(sorted(self.frame["rater"].unique()))

    def of_raters(self, raters: Iterable[str]) -> Ratings:
        """The ratings of some of the raters, such as those who passed quality control."""
        kept = self.frame["rater"].isin(set(raters))
        if not kept.any():
            raise InputError("raters: there is no rating by any of them.")
        return dataclasses.replace(self, frame=self.frame[kept])

    def quality_control(
        self, *, alpha: float = 0.05, require: Sequence[Check] = ("damaged",)
    ) -> QualityControl:
        """Which raters tell a damaged output from the original output.

        Each control item is compared with the same rater's score for the ordinary item behind it,
        in the same HIT, by a paired t test: one-sided for damaged outputs and references, two-sided
        for repeats.

        Parameters
        ----------
        alpha : float
        require : sequence of {"damaged", "repeats", "references"}
            What a rater must do to pass.  ``"damaged"``: score damaged outputs lower (p <= alpha).
            ``"references"``: score references higher (p <= alpha).  ``"repeats"``: not score an
            item differently when it comes again (p > alpha; with few repeats this is easy to pass).

        Notes
        -----
        A rater without any control items cannot be checked and does not pass; nor does a rater who
        gives the same score to everything.  If all differences are alike and not zero, the t
        statistic is infinite, and the p-value is that of the sign test on them.

        References
        ----------
        Graham, Baldwin, Moffat & Zobel (2013, 2017); WMT's direct assessment keeps raters who pass
        ``"damaged"`` in a one-sided paired t test at .05.
        """
        check_level(alpha)
        check_all_of("require", require, CHECKS)
        if not require:
            raise InputError("require names no check; give at least one.")
        return control_raters(self.frame, alpha=alpha, require=require)

    def standardised(self) -> pd.Series:
        """Each rating's distance from its rater's mean in the rater's standard deviations.

        Mean and deviation (n - 1) are taken over everything that the rater scored, damaged outputs
        and references included, as the organisers of WMT do.  Raters who gave the same score to
        everything, or only one score, have no deviation to divide by: their standard scores are
        missing.

        Returns
        -------
        Series
            Aligned with `frame`.
        """
        return standard_scores(self.frame, "raw")

    def segment_means(self, *, standardised: bool = True) -> SegmentScores:
        """One score for each system and segment: the mean of its ratings.

        Parameters
        ----------
        standardised : bool
            Whether to average standardised or raw scores.

        Notes
        -----
        Means keep fifteen significant digits.  Means that differ only by the rounding of
        floating-point numbers must be tied for a rank test, and R's ``write.table`` keeps as many
        digits.
        """
        frame = self._with_values(standardised)
        means = means_of(
            _judged(frame, standardised),
            label=self._label(standardised),
            notes=self._notes_on_values(frame),
        )
        if self.documents is None:
            return means
        return dataclasses.replace(means, documents=self.documents)

    def scores(self, *, standardised: bool = True) -> pd.Series:
        """Mean of the segment means, best first."""
        return self.segment_means(standardised=standardised).scores()

    def tests(
        self,
        *,
        test: ScoreTest = "rank-sum",
        alternative: Alternative = "two-sided",
        standardised: bool = True,
    ) -> PairTests:
        """Tests of all pairs on segment means; :mod:`mtsig_nb.human.score_tests` says which.

        Conclusions from ``"greater"`` are those of WMT's stars and Graham et al. (2014): one-sided,
        in whichever direction the means differ.
        """
        means = self.segment_means(standardised=standardised)
        return means.tests(test=test, alternative=alternative)

    def variance_components(
        self,
        system_a: str,
        system_b: str,
        *,
        standardised: bool = True,
        samples: Sequence[str] | None = None,
        alternative: Alternative = "two-sided",
        confidence_level: float = 0.95,
    ) -> VarianceComponents:
        """The difference of two systems' mean ratings, and the sources of its variation.

        Parameters
        ----------
        system_a, system_b : str
        standardised : bool
            Whether to take standardised scores or raw ones, in points.
        samples : sequence of {"rater", "document", "segment", "generation"}, optional
            What counts as a sample from many; by default everything of which there are two or more.
            With ``["segment"]`` the answer is about these raters and documents only.  With
            documents their segments are samples, too, and with segments their generations.
        alternative, confidence_level
            As elsewhere.

        Raises
        ------
        InputError
            If a system has no rating, a sample has fewer than two members, or nothing varies.
        """
        return components_of_difference(
            self._with_documents(standardised),
            system_a,
            system_b,
            samples=samples,
            alternative=alternative,
            confidence_level=confidence_level,
        )

    def tests_over_samples(
        self,
        *,
        standardised: bool = True,
        samples: Sequence[str] | None = None,
        alternative: Alternative = "two-sided",
    ) -> PairTests:
        """Tests of all pairs that count raters, documents and segments as samples.

        Parameters are those of `variance_components`, which shows for one pair what its standard
        error is made of.
        """
        frame = self._with_documents(standardised)
        return all_pairs_over_samples(frame, samples=samples, alternative=alternative)

    def mixed_model(
        self,
        *,
        terms: Sequence[str] | None = None,
        standardised: bool = False,
        trend: bool = False,
    ) -> MixedModel:
        """All systems at once, adjusted for who rated what: generalised least squares with REML.

        A rating is modelled as its system's effect, plus effects of its rater, document and segment
        (on all systems alike, and on this system), plus a rest.  Effects of systems are fixed; all
        others are independent normal draws.  Their variances are estimated by restricted maximum
        likelihood (REML), and the systems' effects by generalised least squares with these
        variances.

        Parameters
        ----------
        terms : sequence of str, optional
            The random terms, such as ``["rater", "system:rater", "document"]``; by default
            ``rater``, ``document``, ``segment`` and all their interactions with each other and with
            systems, as far as there are columns.  :data:`mtsig_nb.human.mixed_model.TERMS` has all
            names.
        standardised : bool
            Whether to take standardised scores or raw ones, in points.
        trend : bool
            Whether all ratings may rise or fall steadily in the course of the campaign, as when
            raters become stricter.  The trend is a straight line over the order of the rows, which
            has to be the order in which ratings were given.  If leading systems are shown more
            often, systems that were shown late would otherwise be underrated.  `MixedModel.trend`
            has the estimate.

        Returns
        -------
        MixedModel
            With ``effects``, ``components`` and ``tests()`` of all pairs.

        Raises
        ------
        InputError
            If there is one system, a term is unknown or has no column, a document is missing,
            nothing varies, each system has a rater (document, segment) of its own, or the design is
            too large: more than 2,500 ratings of a document, or 3,000 raters times systems.

        Notes
        -----
        Standard errors and degrees of freedom are those of Kenward & Roger (1997), by the expected
        information.  Variances that are estimated as zero count in them, too.  Terms that the
        design cannot tell from others are left out, and a note names them.

        Who rates what may depend on earlier ratings, as when good systems are shown more often, if
        those earlier ratings are among the given ones.  It must not depend on anything else that is
        related to quality, such as screens that raters abandoned.

        The estimate weights documents more equally than a mean over ratings does.

        References
        ----------
        Patterson & Thompson (1971), Recovery of inter-block information when block sizes are
        unequal; Searle, Casella & McCulloch (1992), Variance Components; Kenward & Roger (1997),
        Small sample inference for fixed effects from restricted maximum likelihood.

        Examples
        --------
        Ann is severe, and did not see ``c``; Ben is lenient, and did not see ``a``.

        >>> scores = {"Ann": {"a": [62, 58], "b": [51, 49]},
        ...           "Ben": {"b": [81, 79], "c": [70, 72]},
        ...           "Cid": {"a": [77, 73], "c": [56, 55]}}
        >>> rows = [(rater, system, segment, score) for rater, given in scores.items()
        ...         for system, both in given.items() for segment, score in enumerate(both)]
        >>> frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
        >>> found = Ratings(frame).mixed_model()
        >>> found.effects[["system", "estimate", "mean"]].round(1).values.tolist()
        [['a', 75.1, 67.5], ['b', 64.9, 65.0], ['c', 55.8, 63.2]]
        """
        frame = self._with_values(standardised)
        return mixed_model(
            self._with_documents(standardised),
            terms=terms,
            trend=trend,
            label=self._label(standardised),
            notes=self._notes_on_values(frame),
        )

    def at_looks(self, found: SequentialTest, *, higher_is_better: bool = True) -> RatersAtLooks:
        """What looks at these ratings, while they came in, say about raters to come.

        Random signs of segments are about these raters.  At each look this fits the `mixed_model`
        of the ratings up to it, whose standard errors count raters as a sample, and adjusts its
        p-values for looks and pairs.

        Parameters
        ----------
        found : SequentialTest
            Of these ratings, by :func:`mtsig_nb.sequential_test`; rows are in the order in which
            ratings came.
        higher_is_better : bool
            Of the ratings.

        Returns
        -------
        RatersAtLooks
            For each look, how many raters judged both systems, for how many of them the first
            system is ahead, and the model's difference with an interval and a p-value.

        Raises
        ------
        InputError
            If `found` is not about these ratings, or its error was spent by a function without a
            name.

        Notes
        -----
        The p-value of a look is compared with the level that normal statistics with the same error
        spending have there, at `alpha` over the number of pairs.  So looks at equally good systems
        find something in about as many campaigns as the model does with a single look, and in fewer
        where three raters judge, as the model is then on the safe side (``docs/trust/looks.md``).
        With one rater there is no model, and nothing can be said.

        Raters are not flipped as a whole, as segments are: five raters have 32 arrangements of
        signs, and no two-sided p below .0625.

        References
        ----------
        Jennison & Turnbull (2000), chapters 3.8 and 11; Kenward & Roger (1997).
        """
        ratings = self._with_documents(standardised=False)
        return raters_at_looks(ratings, found, score="value", higher_is_better=higher_is_better)

    def by_field_rules(self, *, rng: int = 0) -> pd.DataFrame:
        """What the rules of WMT and of Pearmut say about these ratings.

        They count items as a sample, but not raters or documents, and do not correct for the number
        of pairs.  `mixed_model` is the test to rely on; this shows how far the rules are from it.

        Parameters
        ----------
        rng : int
            Seed of the rules that draw resamples.

        Returns
        -------
        DataFrame
            One row per rule and pair of systems that it compares: ``rule``, a name in
            :data:`mtsig_nb.human.field_rules.FIELD_RULES`; ``system_a``, the one with the higher
            mean, and ``system_b``; ``difference`` of the means; and ``better``, whether the rule
            calls `system_a` better.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
        >>> found = ratings.by_field_rules()
        >>> found.groupby("rule")["better"].agg(["sum", "size"]).loc["wmt26"].tolist()
        [41, 45]
        """
        # A rater's mean and deviation are over everything that the rater scored, as at WMT.
        ratings = self._with_documents(standardised=False)
        ratings = ratings.assign(standardised=self.standardised()[ratings.index])
        return pairs_by_field_rules(ratings, seed=rng)

    def _label(self, standardised: bool) -> str:
        """What was rated, and on which scale."""
        scale = "standardised" if standardised else "raw"
        return f"{self._criterion}, {scale}"

    def _notes_on_values(self, frame: pd.DataFrame) -> tuple[Note, ...]:
        """The notes on these ratings, and one on those that have no ``value`` in `frame`."""
        without_value = frame[frame["value"].isna()]
        if without_value.empty:
            return self.notes
        n_raters = without_value["rater"].nunique()
        return (*self.notes, note("without-variance", n=len(without_value), raters=n_raters))

    def _with_documents(self, standardised: bool) -> pd.DataFrame:
        """The judgements with their ``value``, and their document where it is known."""
        frame = _judged(self._with_values(standardised), standardised)
        if self.documents is None or "document" in frame:
            return frame
        document = np.asarray(self.documents)[frame["segment"]]
        return frame.assign(document=document)

    def wmt(self) -> WMTRanking:
        """The organisers' own computation of their tests, wins and clusters, digit by digit.

        It uses all item types, rated by the raters who passed quality control.  Where there are
        `published_means`, standardised ones are taken from them only where a segment has no rating.
        WMT22 de-en and ja-en have some 65 such segments: a rater without variance was dropped from
        the released ratings, but the segment means (z 0) went into the published tests.  Raw means
        and numbers of ratings are all taken from the published means: in WMT21 de-en and is-en the
        published ones count a few ratings that were not released.
        """
        return wmt_recipe(self.frame, self.published_means)

    def as_statistics(
        self,
        *,
        units: Literal["raters", "segments", "documents"] = "raters",
        standardised: bool = True,
    ) -> SufficientStatistics:
        """Sums of ratings per rater (or segment, or document), to be resampled as clusters.

        Ratings by one rater are not independent, and standardising does not make them independent.
        With raters as units, a bootstrap draws raters, and approximate randomization exchanges two
        systems' names in all of a rater's ratings.  The score is the mean over ratings, not over
        segment means, so it differs a little from `SegmentScores.scores`.
        """
        frame = _judged(self._with_values(standardised), standardised)
        unit = unit_codes(frame, units)
        n_units = int(unit.max()) + 1
        if n_units == 1:
            option = Option("units", units)
            raise InputError(
                Sentence(option, ": there is only one; resampling needs at least two.")
            )
        system, systems = pd.factorize(frame["system"], sort=True)
        shape = (len(systems), n_units)
        n_cells = math.prod(shape)
        cell = np.ravel_multi_index((system, unit), shape)
        sums = np.bincount(cell, frame["value"], n_cells).reshape(shape)
        counts = np.bincount(cell, minlength=n_cells).reshape(shape)
        values = np.stack([sums, counts], axis=-1)
        metric = SegmentMean(label=self._criterion)
        return SufficientStatistics(metric, tuple(systems), values.astype(np.float64), unit=units)

    @property
    def _criterion(self) -> str:
        return str(self.frame["criterion"].iloc[0])

    def _with_values(self, standardised: bool) -> pd.DataFrame:
        """The ratings, and as ``value`` their standard or raw scores."""
        values = self.standardised() if standardised else self.frame["raw"]
        return self.frame.assign(value=values)

    @property
    def sentence(self) -> str:
        """The numbers of ratings, raters, systems and segments, and what a reader should know."""
        n_segments = self.frame["segment"].nunique()
        segments = "1 segment" if n_segments == 1 else f"{n_segments} segments"
        counts = (
            f"{len(self.frame)} ratings by {len(self.raters)} raters of "
            f"{len(self.systems)} systems on {segments}"
        )
        return f"Ratings({'; '.join([counts, *self.notes])})"


def _judged(frame: pd.DataFrame, standardised: bool) -> pd.DataFrame:
    """The ratings that judge a system and have a value."""
    is_judgement = frame["type"].isin(JUDGED)
    judged = frame[is_judgement].dropna(subset="value")
    if judged.empty:
        reason = ", raters without variance being left out" if standardised else ""
        raise InputError(
            f"ratings: none of the types {', '.join(JUDGED)} is left to average{reason}."
        )
    return judged


def standard_columns(frame: pd.DataFrame, scale: tuple[float, float] | None) -> pd.DataFrame:
    """Ratings with the columns of `Ratings`, whatever they were called, and of the right types.

    Raises
    ------
    InputError
        If a column is absent, a rating has no rater, system or segment, a score is no number of
        the scale, there are several criteria, or an item type is not known.
    """
    result = _known_columns(frame)
    for name in ("rater", "system", "segment"):
        is_missing = result[name].isna().to_numpy()
        if is_missing.any():
            raise InputError(f"{name}: row {is_missing.argmax()} has no value.")
    result = result.astype({"rater": str, "system": str})
    result["raw"] = _scores(result["raw"], scale)
    if "criterion" not in result:
        result["criterion"] = "quality"
    result["criterion"] = result["criterion"].astype(str)
    criteria = sorted(result["criterion"].unique())
    if len(criteria) > 1:
        raise InputError(
            f"criterion: these ratings have several, {', '.join(criteria)}; give the rows of one."
        )
    if "type" not in result:
        return result.assign(type="SYSTEM")
    result["type"] = result["type"].astype(str).replace(TYPE_ALIASES)
    check_all_of("type", result["type"].unique(), (*TYPES, *TYPE_ALIASES))
    return result


def _known_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns among `ALIASES`, under their own names; all that are required."""
    columns = {}
    for name, aliases in ALIASES.items():
        present = [alias for alias in aliases if alias in frame]
        if present:
            columns[name] = frame[present[0]]
        elif name in REQUIRED:
            raise InputError(
                f"frame has no column for {name!r} (understood: {', '.join(aliases)}). It has "
                f"{', '.join(map(repr, frame.columns))}; rename the one that is meant."
            )
    return pd.DataFrame(columns)


def _scores(raw: pd.Series, scale: tuple[float, float] | None) -> pd.Series:
    """Raw scores as numbers; raises `InputError` where one is none, or outside the scale."""
    largest = np.finfo(float).max
    low, high = scale or (-largest, largest)
    scores = pd.Series(real_numbers(raw), index=raw.index)
    bad = np.flatnonzero(~scores.between(low, high))
    if len(bad):
        first = bad[0]
        limits = "" if scale is None else f" from {low:g} to {high:g}"
        raise InputError(
            f"raw: {len(bad)} scores are not numbers{limits}, the first "
            f"{raw.tolist()[first]!r} in row {first}. Leave these rows out, or give the right "
            "scale=."
        )
    return scores
