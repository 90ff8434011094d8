"""Ratings by people: one row for each score that a rater gave to an output.

Raters use a scale differently: some give 40 where others give 80.  Subtracting a rater's mean and
dividing by the rater's standard deviation removes location and scale.  It does not make ratings by
one rater independent, and mean and deviation are estimated from the same few ratings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of, unknown_name
from ..statistics.sufficient import SufficientStatistics, real_numbers
from .criteria import combine_criteria
from .pair_tests import PairTests, ScoreTest
from .preferences import unit_codes, unit_statistics
from .scores import Scored, SegmentScores, means_of, score_test

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
    "order": ("order", "position"),
}
REQUIRED = ("rater", "system", "segment", "raw")
#: What makes two ratings ratings of the same item.
_ITEM = ("rater", "system", "segment", "criterion", "type", "hit")

#: Item types: an ordinary output; the same once more; the reference shown as if it were an
#: output; an output damaged on purpose.
TYPES = ("SYSTEM", "REPEAT", "REF", "BAD_REF")
#: Other names of the types, as in Appraise's exports.
TYPE_ALIASES = {"TGT": "SYSTEM", "CHK": "REPEAT", "BAD": "BAD_REF"}

#: The types that are judgements of the systems.
JUDGED = ("SYSTEM", "REPEAT")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Ratings(Scored):
    """The raw scores that people gave, with everything needed to weigh them.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``rater``, ``system``, ``segment`` and ``raw``; optionally
        ``criterion`` (default ``"quality"``), ``type`` (one of `TYPES`, default ``"SYSTEM"``),
        ``hit``, ``document`` and ``order``.  Other names are understood as in `ALIASES`; other
        columns are left out.
    scale : tuple of float or None
        The lowest and highest score that raters could give; None checks nothing.
    columns : mapping of str to str, optional
        Names of columns that `ALIASES` does not know: ``{"rater": "who"}``.
    published_means : DataFrame, optional
        The organisers' segment means; see :func:`wmt_recipe`.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Raises
    ------
    InputError
        If there is no rating at all, a column is absent, a score is missing or outside the scale,
        or an item type is unknown.

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
    >>> ratings.of_criterion("quality").as_statistics().scores().round(3).to_dict()
    {'a': 0.707, 'b': -0.707}
    >>> ratings.conclusions(alpha=0.05).word("a", "b")
    'indistinguishable'
    """

    frame: pd.DataFrame
    scale: tuple[float, float] | None = (0, 100)
    columns: Mapping[str, str] | None = None
    published_means: pd.DataFrame | None = None
    documents: npt.ArrayLike | None = None
    notes: tuple[str, ...] = dataclasses.field(default=(), init=False)
    kind: ClassVar[str] = "direct assessment"

    def __post_init__(self) -> None:
        frame = standard_columns(self.frame, self.columns or {})
        if frame.empty:
            raise InputError("frame has no ratings; a campaign needs at least one.")
        _check_scale(frame, self.scale)
        key = [name for name in _ITEM if name in frame]
        again = int(frame.duplicated(key).sum())
        kept = f"{again} ratings are of an item already scored by the same rater, and kept"
        found = {"frame": frame.reset_index(drop=True), "columns": None}
        for name, value in (found | {"notes": (kept,) if again else ()}).items():
            object.__setattr__(self, name, value)

    @property
    def systems(self) -> tuple[str, ...]:
        """Everybody that was rated, in alphabetical order."""
        return tuple(sorted(self.frame["system"].unique()))

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who rated something, in alphabetical order."""
        return tuple(sorted(self.frame["rater"].unique()))

    @property
    def criteria(self) -> tuple[str, ...]:
        """What was asked, such as adequacy and fluency."""
        return tuple(sorted(self.frame["criterion"].unique()))

    def of_raters(self, raters: Iterable[str]) -> Ratings:
        """The ratings of some of the raters, such as those who passed quality control."""
        wanted = set(raters)
        return self._where(self.frame["rater"].isin(wanted), "raters")

    def of_criterion(self, criterion: str) -> Ratings:
        """The ratings under one criterion."""
        check_one_of("criterion", criterion, self.criteria)
        return self._where(self.frame["criterion"] == criterion, "criterion")

    def _where(self, mask: pd.Series, argument: str) -> Ratings:
        if not mask.any():
            raise InputError(f"{argument}: there is no rating left with them.")
        part = dataclasses.replace(self, frame=self.frame[mask])
        # What was left out at the door was left out of this part too.
        object.__setattr__(part, "notes", self.notes)
        return part

    def quality_control(self, **options: Any) -> Any:
        """Who passes and why; see :func:`mtsig_nb.human.quality_control`."""
        from .quality import quality_control

        return quality_control(self, **options)

    def standardised(self) -> pd.Series:
        """Each rating's distance from its rater's mean in the rater's standard deviations.

        Mean and deviation (n - 1) are taken over everything that the rater scored under the same
        criterion, damaged outputs and references included, as the organisers of WMT do.  Raters
        who gave one score to everything, or a single one, have no deviation to divide by: their
        standard scores are missing.

        Returns
        -------
        Series
            Aligned with `frame`.
        """
        groups = self.frame.groupby(["rater", "criterion"], observed=True)["raw"]
        # A constant rater is recognised by the scores themselves, not by a deviation that rounding
        # may leave a little above zero.
        flat = groups.transform("min") == groups.transform("max")
        return (self.frame["raw"] - groups.transform("mean")) / groups.transform("std").mask(flat)

    def segment_means(
        self, *, standardised: bool = True, criterion: str | None = None
    ) -> SegmentScores:
        """One score for each system and segment: the mean of its ratings.

        Parameters
        ----------
        standardised : bool
            Whether to average standardised or raw scores.
        criterion : str, optional
            Needed where there are several.

        Notes
        -----
        Means keep fifteen significant digits: those that are equal but for the rounding of
        floating-point numbers must be tied for a rank test, and R's ``write.table`` keeps as many.
        """
        frame, criterion = self._values(standardised, criterion)
        notes = list(self.notes)
        flat = frame[frame["value"].isna()]
        if len(flat):
            notes.append(
                f"{len(flat)} ratings of {flat['rater'].nunique()} raters without variance left out"
            )
        frame = frame[frame["type"].isin(JUDGED)].dropna(subset="value")
        if frame.empty:
            raise InputError(
                f"ratings: none of the types {', '.join(JUDGED)} is left to average"
                + (", raters without variance being left out." if standardised else ".")
            )
        label = f"{criterion}, {'standardised' if standardised else 'raw'}"
        means = means_of(frame, label=label, notes=tuple(notes))
        if self.documents is None:
            return means
        return dataclasses.replace(means, documents=self.documents)

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
        found: PairTests = score_test(test)(means, alternative=alternative)
        return found

    def conclusions(
        self,
        alpha: float = 0.05,
        *,
        criteria: Sequence[str] | None = None,
        correction: str | None = None,
        **options: Any,
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        Parameters
        ----------
        alpha : float
        criteria : sequence of str, optional
            In order of importance, such as ``("adequacy", "fluency")``: each breaks the ties of
            those before it.  Needed where there are several.
        correction : str or None
        **options
            For `tests`: ``test`` ("rank-sum", "signed-rank" or "paired-t";
            :mod:`mtsig_nb.human.pair_tests` says when each is right), ``standardised``, and
            ``alternative``, of which ``"greater"`` draws conclusions as WMT's stars and Graham et
            al. (2014) do: one-sided, whichever side comes out.
        """
        parts = [
            self.tests(criterion=criterion, **options).conclusions(alpha, correction=correction)
            for criterion in criteria or (None,)
        ]
        return parts[0] if len(parts) == 1 else combine_criteria(*parts)

    def wmt(self, **options: Any) -> Any:
        """The organisers' own computation; see :func:`wmt_recipe`."""
        from .wmt import wmt_recipe

        return wmt_recipe(self, published_means=self.published_means, **options)

    def as_statistics(
        self,
        *,
        units: Literal["raters", "segments", "documents"] = "raters",
        standardised: bool = True,
        criterion: str | None = None,
    ) -> SufficientStatistics:
        """Sums of ratings per rater (or segment, or document), to be resampled as clusters.

        Ratings by one rater are not independent, and standardising does not make them so.  With
        raters as units a bootstrap draws raters, and approximate randomization exchanges two
        systems' names for all that a rater said.  The score is the mean over ratings, not over
        segment means, so it differs a little from `SegmentScores.scores`.
        """
        frame, criterion = self._values(standardised, criterion)
        frame = frame[frame["type"].isin(JUDGED)].dropna(subset="value")
        rows, systems = pd.factorize(frame["system"], sort=True)
        values = frame["value"].to_numpy(dtype=np.float64)
        return unit_statistics(
            systems, rows, unit_codes(frame, units), values, units=units, label=criterion
        )

    def _values(self, standardised: bool, criterion: str | None) -> tuple[pd.DataFrame, str]:
        """The ratings under one criterion with what is to be averaged as their value."""
        if criterion is None and len(self.criteria) > 1:
            raise InputError(
                f"criterion: these ratings have several; name one of {', '.join(self.criteria)}."
            )
        of_one = self.of_criterion(criterion or self.criteria[0])
        values = of_one.standardised() if standardised else of_one.frame["raw"]
        return of_one.frame.assign(value=values), of_one.criteria[0]

    def __len__(self) -> int:
        return len(self.frame)

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

    def _below(self) -> str:
        several = len(self.criteria) > 1
        return self.frame.head().to_html(escape=True) if several else super()._below()


def read_ratings(path: str | Path, **options: Any) -> Ratings:
    r"""Ratings from a CSV file, compressed or not (``.csv``, ``.csv.gz``), or tab-separated.

    =============  =======================================================  ===================
    column         also understood as                                       without it
    =============  =======================================================  ===================
    ``rater``      judge, annotator, worker, WorkerId, user                 an error
    ``system``     sys_id, sys                                              an error
    ``segment``    line, segment_id, seg_id, sid (the first that is there)  an error
    ``raw``        raw_score, score, rating                                 an error
    ``criterion``  dimension, question                                      ``"quality"``
    ``type``       item_type, class                                         ``"SYSTEM"``
    ``hit``        hit_id, HITId, task                                      one HIT per rater
    ``document``   doc, doc_id, docid                                       not known
    ``order``      position                                                 not known
    =============  =======================================================  ===================

    Types are SYSTEM (or TGT), REPEAT (CHK), REF and BAD_REF (BAD).

    Parameters
    ----------
    path : str or Path
    **options
        As in `Ratings`: ``columns`` for any other name (``{"rater": "who", "raw": "points"}``),
        ``scale``.

    Raises
    ------
    InputError
        If the file cannot be read as ratings; the message says which part and what to do.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ratings.csv")
    ...     _ = file.write_text("who,system,segment,score\nann,a,0,70\nann,b,0,40\n")
    ...     read_ratings(file, columns={"rater": "who"})
    Ratings(2 ratings by 1 raters of 2 systems on 1 segment)
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"path={str(path)!r} does not exist.")
    separator = "\t" if ".tsv" in path.suffixes else ","
    try:
        frame = pd.read_csv(path, sep=separator)
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise InputError(f"path={str(path)!r} cannot be read as a table: {error}") from error
    return Ratings(frame, **options)


def standard_columns(frame: pd.DataFrame, given: Mapping[str, str]) -> pd.DataFrame:
    """The known columns under their own names, with their own types."""
    for name, column in given.items():
        check_one_of("columns", name, ALIASES)
        if column not in frame:
            raise unknown_name(f"columns[{name!r}]", column, frame.columns)
    found = {}
    for name, aliases in ALIASES.items():
        names = (given[name],) if name in given else aliases
        column = next((each for each in names if each in frame), "")
        if column:
            found[name] = frame[column]
        elif name in REQUIRED:
            raise InputError(
                f"frame has no column for {name!r} (understood: {', '.join(aliases)}). It has "
                f"{', '.join(map(repr, frame.columns))}; say which with columns={{{name!r}: ...}}."
            )
    result = pd.DataFrame(found)
    for name in ("rater", "system", "segment"):
        missing = result[name].isna().to_numpy()
        if missing.any():
            raise InputError(f"{name}: row {missing.argmax()} has none.")
    result["rater"] = result["rater"].astype(str)
    result["system"] = result["system"].astype(str)
    result["raw"] = _numbers(result["raw"])
    result["criterion"] = result["criterion"].astype(str) if "criterion" in found else "quality"
    result["type"] = _types(result["type"]) if "type" in found else "SYSTEM"
    return result


def _numbers(raw: pd.Series) -> pd.Series:
    numbers = real_numbers(raw)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError(
            f"raw: {len(bad)} scores are not numbers, the first {raw.iloc[bad[0]]!r} in row "
            f"{bad[0]}. Remove these rows, or fill them in."
        )
    return pd.Series(numbers, index=raw.index)


def _types(types: pd.Series) -> pd.Series:
    known = types.astype(str).replace(TYPE_ALIASES)
    strange = ~known.isin(TYPES)
    if strange.any():
        raise unknown_name("type", known[strange].iloc[0], (*TYPES, *TYPE_ALIASES))
    return known


def _check_scale(frame: pd.DataFrame, scale: tuple[float, float] | None) -> None:
    if scale is None:
        return
    outside = (frame["raw"] < scale[0]) | (frame["raw"] > scale[1])
    if outside.any():
        row = frame[outside].iloc[0]
        raise InputError(
            f"raw: {outside.sum()} scores lie outside the scale {scale[0]:g} to {scale[1]:g}, the "
            f"first {row['raw']:g} by rater {row['rater']!r} for {row['system']!r}, segment "
            f"{row['segment']}. Give the right scale=, or leave them out."
        )
