"""Ratings by people: one row for each score that a rater gave to an output."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from ..errors import InputError, check_one_of
from ..statistics.sufficient import SufficientStatistics
from ..told import Told
from .averages import exact_means, significant_digits
from .checks import Duplicates, OutOfScale, standard_columns, within_scale, without_duplicates
from .means import SegmentMeans
from .standardisation import WithoutVariance, standardise
from .units import rating_statistics


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Ratings(Told):
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
    out_of_scale : {"error", "drop"}
        What to do with scores outside it.
    duplicates : {"keep", "first", "error"}
        What to do when a rater scored the same item twice in the same HIT although it is not a
        REPEAT.  Both are kept by default, being two judgements; `notes` says how many.
    systems : sequence of str, optional
        All systems of the campaign, so that those that nobody rated can be named.
    columns : mapping of str to str, optional
        Names of columns that `ALIASES` does not know: ``{"rater": "who"}``.

    Raises
    ------
    InputError
        If there is no rating at all, a column is absent, a score is missing or outside the scale,
        or an item type is unknown.

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
    """

    frame: pd.DataFrame
    scale: tuple[float, float] | None = (0, 100)
    out_of_scale: OutOfScale = "error"
    duplicates: Duplicates = "keep"
    systems: tuple[str, ...] = ()
    columns: Mapping[str, str] | None = None
    notes: tuple[str, ...] = dataclasses.field(default=(), init=False)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen for everybody else
        frame = standard_columns(self.frame, self.columns or {})
        if frame.empty:
            raise InputError("frame has no ratings; a campaign needs at least one.")
        notes: list[str] = []
        frame = within_scale(frame, self.scale, self.out_of_scale, notes)
        frame = without_duplicates(frame, self.duplicates, notes)
        rated = set(frame["system"].unique())
        unrated = [s for s in self.systems if s not in rated]
        if unrated:
            notes.append(f"never rated, and left out: {', '.join(map(str, unrated))}")
        set_field(self, "frame", frame.reset_index(drop=True))
        set_field(self, "systems", _sorted(rated))
        set_field(self, "columns", None)
        set_field(self, "notes", tuple(notes))

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who rated something, in alphabetical order."""
        return _sorted(self.frame["rater"].unique())

    @property
    def criteria(self) -> tuple[str, ...]:
        """What was asked, such as adequacy and fluency."""
        return _sorted(self.frame["criterion"].unique())

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

    def standardised(
        self, *, ddof: int = 1, without_variance: WithoutVariance = "drop"
    ) -> pd.Series:
        """Each rating's distance from its rater's mean in the rater's standard deviations.

        Mean and deviation are taken over everything that the rater scored under the same
        criterion, damaged outputs and references included, as the organisers of WMT do.

        Parameters
        ----------
        ddof : {0, 1}
            The deviation's divisor is n - ddof; 1 as R's ``sd``.
        without_variance : {"drop", "zero", "error"}
            Raters whose deviation is zero, or unknown for want of a second rating: leave their
            ratings out (missing in the result), call them average, or refuse.

        Returns
        -------
        Series
            Aligned with `frame`.
        """
        return standardise(self.frame, ddof=ddof, without_variance=without_variance)

    def segment_means(
        self,
        *,
        standardised: bool = True,
        criterion: str | None = None,
        types: Sequence[str] = ("SYSTEM", "REPEAT"),
        ddof: int = 1,
        without_variance: WithoutVariance = "drop",
        digits: int | None = 15,
    ) -> SegmentMeans:
        """One score for each system and segment: the mean of its ratings.

        Parameters
        ----------
        standardised : bool
            Whether to average standardised or raw scores.
        criterion : str, optional
            Needed where there are several.
        types : sequence of str
            Which item types are judgements of the systems.
        ddof, without_variance
            As in `standardised`.
        digits : int or None
            Significant digits kept of each mean.  Means that are equal but for the rounding of
            floating-point numbers must be tied for a rank test; 15 does that, and is what R's
            ``write.table`` keeps.
        """
        frame, criterion = self._one_criterion(criterion)
        notes = list(self.notes)
        if standardised:
            scores = standardise(frame, ddof=ddof, without_variance=without_variance, notes=notes)
            frame = frame.assign(value=scores).dropna(subset="value")
        else:
            frame = frame.assign(value=frame["raw"])
        frame = frame[frame["type"].isin(list(types))]
        if frame.empty:
            raise InputError(
                f"ratings: none of the types {', '.join(types)} is left to average"
                + (", raters without variance being left out." if standardised else ".")
            )
        return means_of(
            frame,
            digits=digits,
            label=f"{criterion}, {'standardised' if standardised else 'raw'}",
            notes=tuple(notes),
        )

    def as_statistics(
        self,
        *,
        units: Literal["raters", "segments", "documents"] = "raters",
        standardised: bool = True,
        criterion: str | None = None,
        types: Sequence[str] = ("SYSTEM", "REPEAT"),
    ) -> SufficientStatistics:
        """Sums of ratings per rater (or segment, or document), to be resampled as clusters.

        Ratings by one rater are not independent, and standardising does not make them so.  With
        raters as units a bootstrap draws raters, and approximate randomization exchanges two
        systems' names for all that a rater said.  The score is the mean over ratings, not over
        segment means, so it differs a little from `SegmentMeans.scores`.
        """
        frame, criterion = self._one_criterion(criterion)
        values = standardise(frame) if standardised else frame["raw"]
        frame = frame.assign(value=values)
        frame = frame[frame["type"].isin(list(types))].dropna(subset="value")
        return rating_statistics(frame, units, label=criterion)

    def _one_criterion(self, criterion: str | None) -> tuple[pd.DataFrame, str]:
        if criterion is None:
            if len(self.criteria) > 1:
                raise InputError(
                    "criterion: these ratings have several; name one of "
                    f"{', '.join(self.criteria)}."
                )
            return self.frame, self.criteria[0]
        return self.of_criterion(criterion).frame, criterion

    @cached_property
    def rater_table(self) -> pd.DataFrame:
        """Per rater and criterion: ratings, mean, standard deviation, lowest and highest score."""
        groups = self.frame.groupby(["rater", "criterion"], observed=True)["raw"]
        table = groups.agg(["size", "mean", "std", "min", "max"])
        return table.rename(columns={"size": "n_ratings", "std": "sd"}).reset_index()

    def to_frame(self) -> pd.DataFrame:
        """The ratings as a frame of their own."""
        return self.frame.copy()

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
        return self.frame.head().to_html(escape=True)


def read_ratings(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    scale: tuple[float, float] | None = (0, 100),
    out_of_scale: OutOfScale = "error",
    duplicates: Duplicates = "keep",
    systems: Sequence[str] = (),
) -> Ratings:
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
    columns : mapping of str to str, optional
        For any other name: ``{"rater": "who", "raw": "points"}``.
    scale, out_of_scale, duplicates, systems
        As in `Ratings`.

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
    return Ratings(
        frame,
        scale=scale,
        out_of_scale=out_of_scale,
        duplicates=duplicates,
        systems=tuple(systems),
        columns=columns,
    )


def means_of(
    frame: pd.DataFrame, *, digits: int | None, label: str, notes: tuple[str, ...]
) -> SegmentMeans:
    """Segment means of a frame with columns system, segment and value."""
    keys, values, counts = exact_means(frame, ["system", "segment"], "value")
    keys["mean"] = values if digits is None else significant_digits(values, digits)
    keys["n_ratings"] = counts
    documents = None
    if "document" in frame:
        documents = frame.drop_duplicates("segment").set_index("segment")["document"]
    return SegmentMeans(keys, label=label, documents=documents, notes=notes)


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
