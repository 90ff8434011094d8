"""Ratings by people, one row for each score that a rater gave, and who of the raters passes.

Raters use a scale differently: some give 40 where others give 80.  Subtracting a rater's mean and
dividing by the rater's standard deviation removes location and scale.  It does not make ratings by
one rater independent, and mean and deviation are estimated from the same few ratings.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import Alternative
from ..errors import InputError, check_all_of
from ..metrics.base import ArrayLike, FloatArray
from ..metrics.mean import SegmentMean
from ..notes import note
from ..scores.controls import JUDGED, TYPE_ALIASES, TYPES
from ..sentences import Option, Sentence
from ..statistics.sufficient import SufficientStatistics, real_numbers
from .frames import check_frame, unit_codes
from .pair_tests import PairTests
from .preferences import PairwisePreferences
from .segment_scores import Judged, ScoreTest, SegmentScores, means_of
from .tails import tail_pvalues
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
_ITEM = ("rater", "system", "segment", "generation", "type", "hit")

Check = Literal["damaged", "repeats", "references"]


#: Control items by the check that they are for: their type, what they are, what is tested.
_CONTROLS = {
    "damaged": ("BAD_REF", "damaged outputs", "scored lower"),
    "repeats": ("REPEAT", "repeats", "scored differently"),
    "references": ("REF", "references", "scored higher"),
}
#: What can be required of a rater.
CHECKS = tuple(_CONTROLS)


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
    Where a rater scored the same item twice in the same HIT although it is no REPEAT, both scores
    are kept, being two judgements; `notes` says how many.

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
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        again = int(self.frame.duplicated([name for name in _ITEM if name in self.frame]).sum())
        return (note("rated-again", n=again),) if again else ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Everybody that was rated, in alphabetical order."""
        return tuple(sorted(self.frame["system"].unique()))

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who rated something, in alphabetical order."""
        return tuple(sorted(self.frame["rater"].unique()))

    def of_raters(self, raters: Iterable[str]) -> Ratings:
        """The ratings of some of the raters, such as those who passed quality control."""
        kept = self.frame["rater"].isin(set(raters))
        if not kept.any():
            raise InputError("raters: there is no rating left with them.")
        return dataclasses.replace(self, frame=self.frame[kept])

    def quality_control(
        self, *, alpha: float = 0.05, require: Sequence[Check] = ("damaged",)
    ) -> QualityControl:
        """Who tells a damaged output from the output it was made of.

        Each control item is compared with the same rater's score for the ordinary item behind it,
        in the same HIT, by a paired t test: one-sided for damaged outputs and references, two-sided
        for repeats.

        Parameters
        ----------
        alpha : float
        require : sequence of {"damaged", "repeats", "references"}
            What a rater must do to pass.  ``"damaged"``: score damaged outputs lower (p <= alpha).
            ``"references"``: score references higher (p <= alpha).  ``"repeats"``: not score an
            item differently when it comes again (p > alpha; with few repeats that is easily met).

        Notes
        -----
        A rater without any control items cannot be checked and does not pass; nor does one who
        gives the same score to everything.  Where all differences are alike and not zero, the t
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
        groups = self.frame.groupby("rater", observed=True)["raw"]
        table = groups.agg(n_ratings="size", n_scores="nunique", mean="mean", sd="std")
        for kind in CHECKS:
            table = table.join(_checked(self.frame, kind))
            table[f"n_{kind}"] = table[f"n_{kind}"].fillna(0).astype(int)
        verdicts = [_verdict(row, require, alpha) for _, row in table.iterrows()]
        table["passes"], table["reason"] = zip(*verdicts, strict=True)
        return QualityControl(table.reset_index(), alpha, tuple(require))

    def standardised(self) -> pd.Series:
        """Each rating's distance from its rater's mean in the rater's standard deviations.

        Mean and deviation (n - 1) are taken over everything that the rater scored, damaged outputs
        and references included, as the organisers of WMT do.  Raters who gave one score to
        everything, or a single one, have no deviation to divide by: their standard scores are
        missing.

        Returns
        -------
        Series
            Aligned with `frame`.
        """
        groups = self.frame.groupby("rater", observed=True)["raw"]
        # A constant rater is recognised by the scores themselves, not by a deviation that rounding
        # may leave a little above zero.
        flat = groups.transform("min") == groups.transform("max")
        return (self.frame["raw"] - groups.transform("mean")) / groups.transform("std").mask(flat)

    def segment_means(self, *, standardised: bool = True) -> SegmentScores:
        """One score for each system and segment: the mean of its ratings.

        Parameters
        ----------
        standardised : bool
            Whether to average standardised or raw scores.

        Notes
        -----
        Means keep fifteen significant digits: those that are equal but for the rounding of
        floating-point numbers must be tied for a rank test, and R's ``write.table`` keeps as many.
        """
        frame, flat = self._values(standardised)
        notes = self.notes
        if len(flat):
            notes += (note("without-variance", n=len(flat), raters=flat["rater"].nunique()),)
        label = f"{self._criterion}, {'standardised' if standardised else 'raw'}"
        means = means_of(frame, label=label, notes=notes)
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
        whichever side comes out.
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
        """The difference of two systems' mean ratings, and whose variation is in it.

        Parameters
        ----------
        system_a, system_b : str
        standardised : bool
            Whether to take standardised scores or raw ones, in points.
        samples : sequence of {"rater", "document", "segment", "generation"}, optional
            What counts as a sample from many; by default all of which there are two or more.  With
            ``["segment"]`` the answer is about these raters and documents only.
        alternative, confidence_level
            As elsewhere.

        Raises
        ------
        InputError
            If a system has no rating, there are not two of a sample, or nothing varies.
        """
        frame = self._with_documents(standardised)
        asked = {"alternative": alternative, "confidence_level": confidence_level}
        return components_of_difference(frame, system_a, system_b, samples=samples, **asked)

    def tests_over_samples(
        self,
        *,
        standardised: bool = True,
        samples: Sequence[str] | None = None,
        alternative: Alternative = "two-sided",
    ) -> PairTests:
        """Tests of all pairs that count raters, documents and segments as samples.

        Parameters are those of `variance_components`, which says of one pair what its standard
        error is made of.
        """
        frame = self._with_documents(standardised)
        return all_pairs_over_samples(frame, samples=samples, alternative=alternative)

    def _with_documents(self, standardised: bool) -> pd.DataFrame:
        """What is averaged as ``value``, and the document where it is known."""
        frame, _ = self._values(standardised)
        if self.documents is None or "document" in frame:
            return frame
        return frame.assign(document=np.asarray(self.documents)[frame["segment"]])

    def wmt(self) -> WMTRanking:
        """The organisers' own computation of their tests, wins and clusters, digit by digit.

        Of all item types, by the raters who passed quality control.  Where there are
        `published_means`, standardised ones are taken from them only where a segment has no rating.
        WMT22 de-en and ja-en have some 65 such segments: a rater without variance was dropped from
        the released ratings, but the segment means (z 0) went into the published tests.  Raw means
        and numbers of ratings are all taken from them: in WMT21 de-en and is-en the published ones
        count a few ratings that were not released.
        """
        return wmt_recipe(self.frame, self.published_means)

    def as_statistics(
        self,
        *,
        units: Literal["raters", "segments", "documents"] = "raters",
        standardised: bool = True,
    ) -> SufficientStatistics:
        """Sums of ratings per rater (or segment, or document), to be resampled as clusters.

        Ratings by one rater are not independent, and standardising does not make them so.  With
        raters as units a bootstrap draws raters, and approximate randomization exchanges two
        systems' names for all that a rater said.  The score is the mean over ratings, not over
        segment means, so it differs a little from `SegmentScores.scores`.
        """
        frame, _ = self._values(standardised)
        unit = unit_codes(frame, units)
        if not unit.any():
            raise InputError(
                Sentence(
                    Option("units", units), ": there is only one; resampling needs at least two."
                )
            )
        rows, names = pd.factorize(frame["system"], sort=True)
        shape = len(names), int(unit.max()) + 1
        cells = np.ravel_multi_index((rows, unit), shape)
        sums = [np.bincount(cells, w, np.prod(shape)) for w in (frame["value"], None)]
        values = np.stack([one.reshape(shape) for one in sums], axis=-1).astype(np.float64)
        metric = SegmentMean(label=self._criterion)
        return SufficientStatistics(metric, tuple(names), values, unit=units)

    @property
    def _criterion(self) -> str:
        return str(self.frame["criterion"].iloc[0])

    def _values(self, standardised: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Judgements with what is to be averaged as their value; and ratings that have none."""
        frame = self.frame.assign(value=self.standardised() if standardised else self.frame["raw"])
        judged = frame[frame["type"].isin(JUDGED)].dropna(subset="value")
        if judged.empty:
            raise InputError(
                f"ratings: none of the types {', '.join(JUDGED)} is left to average"
                + (", raters without variance being left out." if standardised else ".")
            )
        return judged, frame[frame["value"].isna()]

    @property
    def sentence(self) -> str:
        """How many ratings, raters, systems and segments, and what a reader should know."""
        segments = self.frame["segment"].nunique()
        return (
            f"Ratings({len(self.frame)} ratings by {len(self.raters)} raters of "
            f"{len(self.systems)} systems on {segments} segment{'s' if segments != 1 else ''}"
            + "".join(f"; {note}" for note in self.notes)
            + ")"
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityControl(Tabled):
    """Which raters can be relied on, and why.

    Attributes
    ----------
    table : DataFrame
        One row per rater: ``n_ratings``, ``n_scores`` (distinct ones), ``mean``, ``sd``; for each
        kind of control item ``n_*``, ``*_difference`` and ``*_pvalue``; ``passes`` and ``reason``.
        ``damaged_difference`` is how much lower the damaged output was scored than the same
        output undamaged, ``references_difference`` how much higher the reference,
        ``repeats_difference`` the mean absolute difference between the two scores of an item.
    alpha, require
        What decided.

    Examples
    --------
    >>> from mtsig_nb.human import Ratings
    >>> frame = pd.DataFrame([(rater, "a", i, kind, score - 15 * (kind == "BAD_REF") * careful)
    ...                       for rater, careful in [("ann", 1), ("bob", 0)]
    ...                       for i, score in enumerate([70, 64, 81, 58, 77, 69])
    ...                       for kind in ("SYSTEM", "BAD_REF")],
    ...                      columns=["rater", "system", "segment", "type", "raw"])
    >>> control = Ratings(frame).quality_control()
    >>> print(control)
    1 of 2 raters pass quality control on damaged (paired-t test of each rater at 0.05)
    >>> control.table[["rater", "damaged_difference", "passes"]]
      rater  damaged_difference  passes
    0   ann                15.0    True
    1   bob                 0.0   False
    """

    _plotted = ("mean",)

    table: pd.DataFrame
    alpha: float
    require: tuple[str, ...]

    @property
    def passing(self) -> tuple[str, ...]:
        """Raters who pass."""
        return tuple(self.table.loc[self.table["passes"], "rater"])

    def _lines(self) -> list[str]:
        """How many raters pass, and by which checks."""
        return [
            f"{len(self.passing)} of {len(self.table)} raters pass quality control on "
            f"{' and '.join(self.require)} (paired-t test of each rater at {self.alpha:g})"
        ]

    def _below(self) -> pd.DataFrame:
        return self.table


def _checked(ratings: pd.DataFrame, check: str) -> pd.DataFrame:
    """Number, size and p-value of one kind of difference for each rater.

    A difference is the score of an ordinary item minus that of the control item made of it.
    """
    key = ["rater", "system", "segment", *(["hit"] if "hit" in ratings else [])]
    # An item scored twice in one HIT is matched with its control items in the order given.
    frame = ratings.assign(occurrence=ratings.groupby([*key, "type"], observed=True).cumcount())
    key.append("occurrence")
    kinds = "SYSTEM", _CONTROLS[check][0]
    ordinary, control = (frame.loc[frame["type"] == kind, [*key, "raw"]] for kind in kinds)
    both = ordinary.merge(control, on=key, suffixes=("", "_control"))
    sign = -1 if check == "references" else 1
    both["difference"] = sign * (both["raw"] - both["raw_control"])
    alternative: Alternative = "two-sided" if check == "repeats" else "greater"
    rows = {}
    for rater, group in both.groupby("rater", observed=True)["difference"]:
        d = group.to_numpy(dtype=np.float64)
        size = np.abs(d).mean() if check == "repeats" else d.mean()
        rows[rater] = (len(d), size, _pvalue(d, alternative))
    names = [f"n_{check}", f"{check}_difference", f"{check}_pvalue"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _pvalue(d: FloatArray, alternative: Alternative) -> float:
    from scipy import stats  # slow to import

    if not d.any():
        return 1.0
    # What is left of differences that are all alike is rounding.
    if np.ptp(d) <= TIE_TOLERANCE * np.abs(d).max():
        count = int((d > 0).sum())
        return float(stats.binomtest(count, len(d), 0.5, alternative=alternative).pvalue)
    t = d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))
    return float(tail_pvalues(t, alternative, len(d) - 1))


def _verdict(row: pd.Series, require: Sequence[str], alpha: float) -> tuple[bool, str]:
    """Whether a rater passes, and the reason: the first failure, or what was passed."""
    if row["n_scores"] == 1:
        return False, "one score for everything"
    reasons = []
    for check in require:
        _, items, what = _CONTROLS[check]
        if row[f"n_{check}"] == 0:
            return False, f"no {items} to check by"
        p = row[f"{check}_pvalue"]
        shown = "" if p <= alpha else "not shown to be "
        reasons.append(f"{items} {shown}{what} (p = {p:.2g})")
        passes = (p <= alpha) != (check == "repeats")
        if not passes:
            return False, reasons[-1]
    return True, "; ".join(reasons)


def standard_columns(frame: pd.DataFrame, scale: tuple[float, float] | None) -> pd.DataFrame:
    """The known columns under their own names, with their own types."""
    found = {}
    for name, aliases in ALIASES.items():
        column = next((each for each in aliases if each in frame), "")
        if column:
            found[name] = frame[column]
        elif name in REQUIRED:
            raise InputError(
                f"frame has no column for {name!r} (understood: {', '.join(aliases)}). It has "
                f"{', '.join(map(repr, frame.columns))}; rename the one that is meant."
            )
    result = pd.DataFrame(found)
    for name in ("rater", "system", "segment"):
        missing = result[name].isna().to_numpy()
        if missing.any():
            raise InputError(f"{name}: row {missing.argmax()} has none.")
    result = result.astype({"rater": str, "system": str})
    result["raw"] = _numbers(result["raw"], scale)
    result["criterion"] = result["criterion"].astype(str) if "criterion" in found else "quality"
    criteria = sorted(result["criterion"].unique())
    if len(criteria) > 1:
        raise InputError(
            f"criterion: these ratings have several, {', '.join(criteria)}; give the rows of one."
        )
    if "type" not in found:
        return result.assign(type="SYSTEM")
    result["type"] = result["type"].astype(str).replace(TYPE_ALIASES)
    check_all_of("type", result["type"].unique(), (*TYPES, *TYPE_ALIASES))
    return result


def _numbers(raw: pd.Series, scale: tuple[float, float] | None) -> pd.Series:
    low, high = scale or (-np.finfo(float).max, np.finfo(float).max)
    numbers = pd.Series(real_numbers(raw), index=raw.index)
    bad = np.flatnonzero(~numbers.between(low, high))
    if len(bad):
        between = "" if scale is None else f" from {low:g} to {high:g}"
        raise InputError(
            f"raw: {len(bad)} scores are not numbers{between}, the first "
            f"{raw.tolist()[bad[0]]!r} in row {bad[0]}. Leave these rows out, or give the right "
            "scale=."
        )
    return numbers


#: What a campaign's ``human`` may be.
Judgement: TypeAlias = Ratings | PairwisePreferences | SegmentScores


def judgements_from_tables(
    tables: Mapping[str, pd.DataFrame], *, documents: ArrayLike | None = None
) -> dict[str, Judgement]:
    """The judgements in a campaign's tables, the main ones first.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        By the name of the file: ``ratings`` (with ``segments`` beside it, ``judges`` not being
        needed), ``esa``, ``ranks``, ``pairwise``, ``mqm``,
        ``mqm_ratings``, ``segment_da``.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Returns
    -------
    dict of str to Ratings, PairwisePreferences or SegmentScores

    Examples
    --------
    >>> ranks = pd.DataFrame({"task": [0, 0, 0], "system": ["a", "b", "c"], "rank": [1, 2, 2]})
    >>> judgements = judgements_from_tables({"ranks": ranks})
    >>> judgements["ranks"].scores().to_dict()
    {'a': 1.0, 'b': 0.0, 'c': 0.0}
    """
    found: dict[str, Judgement] = {}
    rated = functools.partial(Ratings, documents=documents)
    scored = functools.partial(SegmentScores, documents=documents)
    if "ratings" in tables:
        means = tables.get("segments")
        found["direct_assessment"] = rated(tables["ratings"], published_means=means)
    if "esa" in tables:
        rows = tables["esa"].rename(columns={"account": "hit"})
        found["esa"] = scored(rows[rows["type"] == "SYSTEM"], "score", "ESA")
        # Beside a rater's own items there are damaged ones, and documents that came again.  What
        # was rated again later, or filled a task, is no judgement.
        found["esa_ratings"] = rated(rows[rows["type"].isin(["SYSTEM", "REPEAT", "BAD"])])
    if "mqm" in tables:
        found["mqm"] = scored(tables["mqm"], "mqm", "MQM")
    if "mqm_ratings" in tables:
        rows = tables["mqm_ratings"].assign(score=lambda table: -table["penalty"])
        means = rows.groupby(["system", "segment"], sort=False)["score"].mean().reset_index()
        found["mqm"] = scored(means, "score", "MQM")
        found["mqm_ratings"] = rated(rows, scale=None)
    if "ranks" in tables:
        found["ranks"] = PairwisePreferences(tables["ranks"], "relative ranking")
    if "pairwise" in tables:
        found["pairwise"] = PairwisePreferences(tables["pairwise"])
    if "segment_da" in tables:
        label = "direct assessment of sampled outputs, standardised"
        found["segment_da"] = scored(tables["segment_da"], "z_mean", label)
    return found
