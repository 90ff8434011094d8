"""A mixed model of ratings: all systems at once, whoever rated which of their outputs.

Means of ratings can be compared where every system was rated by the same raters on the same
documents.  Campaigns are seldom like that: their tools show good systems more often, and which
rater and which document an output gets is a matter of chance.  A mixed model takes each rating as

    system + rater + document + segment + their interactions + rest,

where systems are fixed, and all else are independent normal draws, each with a variance component
of its own.  Variances are estimated by restricted maximum likelihood, and systems by generalised
least squares: ratings by a severe rater, or of a hard document, are taken for what they are.
`mtsig_nb.human.reml` has the algebra.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of, unknown_name
from ..metrics.base import Array, FloatArray, Indices
from ..notes import Note, note
from ..statistics.sufficient import pair_indices
from .frames import standard_scores
from .pair_tests import PairTests
from .planned_errors import FEW_LEVELS
from .reml import (
    REST,
    AdjustedCovariance,
    BlockedModel,
    Fit,
    Point,
    Term,
    fit,
    kenward_roger,
)
from .tails import margin_of_error
from .variance_components import UNITS, check_nothing_missing, units_of

#: Random terms, and the columns whose values together make a level of each.  Of two that the
#: design cannot tell apart, the first stays.
TERMS: dict[str, tuple[str, ...]] = {
    "rater": ("rater",),
    "system:rater": ("system", "rater"),
    "document": ("document",),
    "segment": ("segment",),
    "system:document": ("system", "document"),
    "system:segment": ("system", "segment"),
    "rater:document": ("rater", "document"),
    "rater:segment": ("rater", "segment"),
    "system:rater:document": ("system", "rater", "document"),
    "system:rater:segment": ("system", "rater", "segment"),
    "system:generation": ("system", "generation"),
    "system:rater:generation": ("system", "rater", "generation"),
}
#: Levels of these columns are told apart by the columns around them, too.
AROUND = {"segment": ("document",), "generation": ("system", "document", "segment")}
#: More ratings of one document make matrices too large.
MOST_IN_A_BLOCK = 2500
#: As do more levels of terms that reach across documents, mostly raters times systems.
MOST_COLUMNS = 3000
#: Variances can be told apart if no eigenvalue of their information is smaller than this, where the
#: information is scaled to ones on the diagonal.
_SMALLEST_EIGENVALUE = 1e-7
#: A variance takes part in what cannot be told apart if its entry in that eigenvector is larger.
_SMALLEST_PART = 0.05
#: Estimates that differ by less, in standard deviations, are equal but for rounding.
_EQUAL = 1e-9
#: Standard errors of at most this size, in standard deviations, are zero but for rounding.
_NO_ERROR = 1e-3
#: A document with at least so many times the segments of another is much longer.
_MUCH_LONGER = 2


class DesignTooLarge(InputError):
    """There are too many ratings of a document, or raters and systems, for this model.

    Attributes
    ----------
    what : str
        Of what there are too many.
    n, most : int
        How many there are, and how many the model can take.
    """

    def __init__(self, what: str, n: int, most: int) -> None:
        super().__init__(
            f"ratings: the number of {what} is {n:,}, and this model can take at most {most:,}. "
            "Give fewer systems at a time."
        )
        self.what = what
        self.n = n
        self.most = most


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MixedModel(Tabled):
    """Effects of all systems, estimated together with the variances of everything else.

    Attributes
    ----------
    effects : DataFrame
        One row per system, best first: ``system``; ``estimate``, its expected rating by a new rater
        of a new document; ``standard_error`` and ``degrees_of_freedom`` of that; ``mean`` of its
        ratings; with raters, ``centred`` and ``standardised`` (see `means_of_systems`); and ``n``,
        how many ratings there are.  If systems were rated together, effects of raters and documents
        are in all estimates alike, so differences have smaller standard errors than these: see
        `tests`.
    components : DataFrame
        One row per random term, the rest last: ``term``, ``variance`` (in squared points),
        ``standard_deviation``, ``standard_error`` of the variance (by the expected information),
        and ``levels``.
    contributions : DataFrame
        One row per system, one column per term: what the predicted draws of the term add to the
        mean of this system's ratings.  With ``estimate`` they add up to ``mean``.
    covariance : AdjustedCovariance
        Of the effects, in their order.
    left_out : dict of str to str
        Terms that the design cannot separate from another term, and that other term.
    log_likelihood : float
        Restricted.
    converged : bool
    label : str
        What was rated, and on which scale.
    trend : dict of str to float, optional
        If a trend was requested: ``change`` of all ratings from the first to the last, in points,
        with ``standard_error`` and ``degrees_of_freedom``.  Effects are those half-way.
    groups : dict of str to ndarray of int
        For each unit and system, the number of the group of systems that the unit links.
    rated : DataFrame
        Who rated what: one row per rating, ``system`` and the units, without the ratings.
    notes : tuple of Note
        What a reader should know.

    See Also
    --------
    mtsig_nb.human.next_judgements : what more ratings would show.
    mtsig_nb.human.plan_campaign : designs of a new campaign.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> ratings = mt.load("wmt23/en-de").judgements["mqm_ratings"]
    >>> found = ratings.mixed_model()
    >>> found.effects[["system", "estimate", "mean"]].head(2).round(2).values.tolist()
    [['ONLINE-W', -3.23, -3.25], ['GPT4-5shot_with_refA', -3.39, -3.41]]
    >>> found.tests().conclusions(0.05, correction="holm").word("ONLINE-W", "ONLINE-G")
    'better'
    """

    _plotted = ("estimate",)

    effects: pd.DataFrame
    components: pd.DataFrame
    contributions: pd.DataFrame
    covariance: AdjustedCovariance
    left_out: dict[str, str]
    log_likelihood: float
    converged: bool
    label: str
    groups: dict[str, Indices]
    rated: pd.DataFrame
    trend: dict[str, float] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> pd.DataFrame:  # type: ignore[override]
        """The `effects`."""
        return self.effects

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(self.effects["system"])

    def scores(self) -> pd.Series:
        """The estimates, best first."""
        return self.effects.set_index("system")["estimate"]

    def limits(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """``low`` and ``high`` of each estimate's interval, best first."""
        check_level(confidence_level, "confidence_level")
        table = self.effects.set_index("system")
        estimate = table["estimate"]
        margin = margin_of_error(
            table["standard_error"], table["degrees_of_freedom"], confidence_level
        )
        return pd.DataFrame({"low": estimate - margin, "high": estimate + margin})

    def tests(
        self, *, alternative: Alternative = "two-sided", confidence_level: float = 0.95
    ) -> PairTests:
        """Student's t tests of all differences of effects, by Kenward & Roger's method.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}
        confidence_level : float
            Of the intervals in the table, which are two-sided.

        Returns
        -------
        PairTests
            Its table has ``difference``, ``standard_error``, ``degrees_of_freedom``, ``low`` and
            ``high`` for `system_a` minus `system_b`.
        """
        check_one_of("alternative", alternative, ALTERNATIVES)
        check_level(confidence_level, "confidence_level")
        a, b = pair_indices(len(self.effects))
        pairs = self._pairs()
        difference = pairs["difference"]
        error = pairs["standard_error"]
        freedom = pairs["degrees_of_freedom"]
        margin = margin_of_error(error, freedom, confidence_level)
        return PairTests.of_t(
            self.scores(),
            title=f"t tests of a mixed model, on {self.label}",
            alternative=alternative,
            difference=difference,
            t=difference / error,
            freedom=freedom,
            details={**pairs, "low": difference - margin, "high": difference + margin},
            pair_notes=[self._note_on_pair(i, j) for i, j in zip(a, b, strict=True)],
            notes=self.notes,
        )

    def _pairs(self) -> dict[str, FloatArray]:
        """Differences with their standard errors and degrees of freedom, in order of pairs."""
        n = len(self.effects)
        error, freedom = self.covariance.of_contrasts(_contrasts_of_pairs(n))
        return {
            "difference": self._differences()[pair_indices(n)],
            "standard_error": error,
            "degrees_of_freedom": freedom,
        }

    def _differences(self) -> FloatArray:
        """The effect of the row's system minus that of the column's."""
        estimates = self.effects["estimate"].to_numpy()
        differences = np.subtract.outer(estimates, estimates)
        spread = np.sqrt(self.components["variance"].sum())
        return np.where(np.abs(differences) <= _EQUAL * spread, 0.0, differences)

    def _note_on_pair(self, i: int, j: int) -> str:
        """A note if no rater or no document links the systems of these numbers."""
        for unit, group in self.groups.items():
            if group[i] != group[j]:
                return note("model-pair-not-linked", unit=unit)
        return ""

    def _lines(self) -> list[str]:
        """The best system, the variances, and what was left out."""
        best = self.effects.iloc[0]
        deviations = [
            f"{row.term} {row.standard_deviation:.3g}" for row in self.components.itertuples()
        ]
        return [
            f"mixed model of {len(self.effects)} systems, {self.label}: "
            f"{best['system']} is first with {best['estimate']:.4g}",
            f"standard deviations: {', '.join(deviations)}",
            f"differences have {self._range_of_freedom()} degrees of freedom (Kenward & Roger)",
            *self._line_on_trend(),
        ]

    def _line_on_trend(self) -> Iterator[str]:
        """How much all ratings change over the campaign, where a trend was asked for."""
        if self.trend is not None:
            error = self.trend["standard_error"]
            yield (
                f"from the first rating to the last, ratings change by {self.trend['change']:+.3g} "
                f"points (standard error {error:.2g})"
            )

    def _range_of_freedom(self) -> str:
        """Degrees of freedom of the differences, from the least to the most."""
        freedom = self._pairs()["degrees_of_freedom"]
        least = f"{freedom.min():.3g}"
        most = f"{freedom.max():.3g}"
        if least == most:
            return least
        return f"{least} to {most}"

    def _below(self) -> pd.DataFrame:
        return self.effects


def mixed_model(
    frame: pd.DataFrame,
    *,
    terms: Sequence[str] | None = None,
    trend: bool = False,
    label: str = "ratings",
    notes: tuple[Note, ...] = (),
) -> MixedModel:
    """Systems' effects by generalised least squares, and variance components by REML.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``system``, ``value``, and columns among `UNITS`.  Segments of the same
        name in two documents are two segments.
    terms : sequence of str, optional
        The random terms, by the names of `TERMS`; by default all for which there are columns.
    trend : bool
        Whether all ratings may rise or fall steadily, in the order of the rows.
    label : str
        What was rated, and on which scale.
    notes : tuple of Note
        What is known of the ratings already.

    Raises
    ------
    InputError
        If there is one system, a term is unknown or its column absent, a rating lacks its value or
        a unit, nothing varies, every system has a rater (document, segment) of its own, or the
        design is too large.

    Notes
    -----
    Terms whose variances the design cannot tell from those of others are left out, and named.

    See Also
    --------
    mtsig_nb.human.Ratings.mixed_model : says more.
    """
    check_nothing_missing(frame)
    columns = ["system", *units_of(frame), "value"]
    if trend:
        frame = frame.assign(time=_times(len(frame)))
        columns.append("time")
    ordered = frame[columns].sort_values(columns, kind="stable")
    values = ordered["value"].to_numpy(dtype=np.float64)
    centre = values.mean()
    scale = _deviation_within_systems(ordered)
    design = _Design.of(ordered, terms)
    # Values are standardised for the fit, and all results turned back to points.
    fitted = fit(design.model((values - centre) / scale))
    adjusted = kenward_roger(fitted.point)
    estimates = fitted.point.effects() * scale + centre
    best_first = np.argsort(-estimates, kind="stable")
    covariance = adjusted.scaled(scale).ordered(best_first)
    n_free = len(values) - fitted.point.model.n_fixed
    result = MixedModel(
        effects=_effects(ordered, design.systems, estimates, best_first, covariance),
        components=_components(fitted.point, adjusted, scale),
        contributions=_contributions(fitted.point, design, best_first, scale),
        covariance=covariance,
        left_out=design.left_out,
        log_likelihood=fitted.point.log_likelihood - n_free * np.log(scale),
        converged=fitted.converged,
        label=label,
        groups={unit: group[best_first] for unit, group in design.groups().items()},
        rated=ordered[["system", *units_of(frame)]].reset_index(drop=True),
        trend=_trend(fitted.point, adjusted, scale) if trend else None,
    )
    if not fitted.has_rest:
        _check_something_varies(result, scale)
    all_notes = [*notes, *_notes(result, design, fitted)]
    return dataclasses.replace(result, notes=tuple(all_notes))


@dataclasses.dataclass(frozen=True, eq=False)
class PlannedModel:
    """What a mixed model would tell of ratings that are still to be given.

    Attributes
    ----------
    covariance : AdjustedCovariance
        Of the effects of the systems, in alphabetical order.
    terms : tuple of str
        Those that the design can tell apart.
    """

    covariance: AdjustedCovariance
    terms: tuple[str, ...]


def planned_model(frame: pd.DataFrame, variances: Mapping[str, float]) -> PlannedModel:
    """The covariance that estimated effects would have in a design, with these true variances.

    It needs no rating: covariances and degrees of freedom by Kenward & Roger (1997) depend on the
    design and on the variances alone.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``system``, and columns among `UNITS`.
    variances : mapping of str to float
        By term, the rest included.  What the design cannot tell from other terms is added to these.

    Raises
    ------
    InputError
        As `mixed_model`, as far as ratings do not matter.
    """
    names = [name for name in variances if name != REST]
    design = _Design.of(frame, names)
    model = design.model(np.zeros(len(frame)))
    kept = pd.Series(variances)[model.names]
    if any(variances[name] for name in design.left_out):
        kept += design.variances_of_left_out(frame, variances)[model.names]
    point = model.at(np.maximum(kept.to_numpy(), 0.0))
    return PlannedModel(kenward_roger(point), tuple(model.names))


def _deviation_within_systems(frame: pd.DataFrame) -> float:
    """The standard deviation within systems; raises `InputError` where nothing varies."""
    groups = frame.groupby("system", observed=True)["value"]
    freedom = len(frame) - groups.ngroups
    if not freedom:
        raise InputError("ratings: there is only one rating of each system, so nothing varies.")
    within = frame["value"] - groups.transform("mean")
    if np.ptp(within) <= TIE_TOLERANCE * frame["value"].abs().max():
        raise InputError("ratings: all ratings of each system are alike, so nothing varies.")
    return float(np.sqrt(np.sum(within**2) / freedom))


def _check_something_varies(result: MixedModel, scale: float) -> None:
    """Raise `InputError` if there are differences, but no variance to judge them by."""
    pairs = result._pairs()
    is_sure = pairs["standard_error"] <= _NO_ERROR * scale
    is_unequal = pairs["difference"] != 0
    if np.any(is_sure & is_unequal):
        raise InputError(
            "ratings: systems differ by the same amounts everywhere, or nearly, so there is no "
            "variance to judge their differences by."
        )


def means_of_systems(frame: pd.DataFrame) -> pd.DataFrame:
    """Means of ratings, plain and with each rater's level and scale taken out.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``system``, ``value``, and maybe ``rater``.

    Returns
    -------
    DataFrame
        By system: ``mean``; with raters ``centred``, the mean of what each rating has above the
        mean of its rater, plus the mean of all ratings, and ``standardised``, the mean of that
        distance in the standard deviations of the rater, without raters who have none; and ``n``,
        how many ratings there are.

    Examples
    --------
    >>> rows = [("Ann", "a", 40), ("Ann", "b", 20), ("Ben", "b", 80), ("Ben", "c", 70)]
    >>> frame = pd.DataFrame(rows, columns=["rater", "system", "value"])
    >>> means_of_systems(frame).round(2).reset_index().values.tolist()
    [['a', 40.0, 62.5, 0.71, 1], ['b', 50.0, 50.0, 0.0, 2], ['c', 70.0, 47.5, -0.71, 1]]
    """
    averaged = {"mean": frame["value"]}
    if "rater" in frame:
        by_rater = frame.groupby("rater", observed=True)["value"]
        above = frame["value"] - by_rater.transform("mean")
        averaged["centred"] = above + frame["value"].mean()
        averaged["standardised"] = standard_scores(frame, "value")
    systems = pd.DataFrame(averaged).groupby(frame["system"], observed=True)
    return systems.mean().assign(n=systems.size())


def _effects(
    frame: pd.DataFrame,
    systems: Array,
    estimates: FloatArray,
    best_first: Indices,
    covariance: AdjustedCovariance,
) -> pd.DataFrame:
    """The table of systems; `covariance` has them best first, all else by the alphabet."""
    error, freedom = covariance.of_contrasts(np.eye(len(systems)))
    estimated = pd.DataFrame(
        {
            "system": systems[best_first],
            "estimate": estimates[best_first],
            "standard_error": error,
            "degrees_of_freedom": freedom,
        }
    )
    return estimated.join(means_of_systems(frame), on="system")


def _components(point: Point, adjusted: AdjustedCovariance, scale: float) -> pd.DataFrame:
    """The table of random terms, in the order of `TERMS`, the rest last."""
    errors = np.sqrt(np.diag(adjusted.of_variances))
    table = pd.DataFrame(
        {
            "term": point.model.names,
            "variance": point.variances * scale**2,
            "standard_deviation": np.sqrt(point.variances) * scale,
            "standard_error": errors * scale**2,
            "levels": [term.n_levels for term in point.model.terms],
        }
    )
    return table.set_index("term").loc[_in_order(point.model.names)].reset_index()


def _contributions(
    point: Point, design: _Design, best_first: Indices, scale: float
) -> pd.DataFrame:
    """What the predicted draws of each term, and a trend, add to the mean of each system."""
    contributions = point.contributions()
    columns = {"system": design.systems[best_first]}
    for name in _in_order(point.model.names):
        columns[name] = contributions[name][best_first] * scale
    for slope, covariate in zip(point.slopes(), design.covariates.T, strict=True):
        n_ratings = np.bincount(design.system)
        mean_times = np.bincount(design.system, covariate) / n_ratings
        columns["trend"] = (slope * mean_times)[best_first] * scale
    return pd.DataFrame(columns)


def _times(n: int) -> FloatArray:
    """The times of ratings in their order, from -1/2 of the first to 1/2 of the last."""
    return np.linspace(-0.5, 0.5, n)


def _trend(point: Point, adjusted: AdjustedCovariance, scale: float) -> dict[str, float]:
    """How much all ratings change from the first to the last, in points."""
    model = point.model
    of_trend = np.zeros((1, model.n_fixed))
    of_trend[0, model.n_groups] = 1.0
    (error,), (freedom,) = adjusted.of_contrasts(of_trend)
    (change,) = point.slopes()
    return {
        "change": float(change * scale),
        "standard_error": float(error * scale),
        "degrees_of_freedom": float(freedom),
    }


def _in_order(names: Collection[str]) -> list[str]:
    """Names of random terms in the order of `TERMS`, the rest last."""
    return [name for name in (*TERMS, REST) if name in names]


@dataclasses.dataclass(frozen=True, eq=False)
class _Design:
    """Who rated what, as numbers.

    Attributes
    ----------
    systems : ndarray of str
        In alphabetical order.
    system : ndarray of int, shape (ratings,)
        The number of the system of each rating.
    units : dict of str to ndarray of int
        For each unit of which there is a column, the number of its level for each rating.
    terms : tuple of Term
        Those that can be told apart.
    left_out : dict of str to str
        The others, and from what they cannot be told.
    covariates : ndarray of float64, shape (ratings, covariates)
        The time of each rating where a trend is asked for; otherwise there is none.
    """

    systems: Array
    system: Indices
    units: dict[str, Indices]
    terms: tuple[Term, ...]
    left_out: dict[str, str]
    covariates: FloatArray

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[str] | None) -> _Design:
        """The design of these ratings, with the terms of these names."""
        system, systems = pd.factorize(frame["system"], sort=True)
        if len(systems) < 2:
            raise InputError(f"system: there is only one, {systems[0]!r}; a comparison needs two.")
        units = {name: _codes(frame, (name,)) for name in units_of(frame)}
        if "segment" not in units and "document" not in units:
            raise InputError(
                "frame has neither a column 'segment' nor a column 'document'; it needs one of "
                "them."
            )
        for name, codes in units.items():
            _check_not_of_the_systems(name, codes, system, list(systems))
        terms = [Term(name, _codes(frame, TERMS[name])) for name in _chosen(names, frame)]
        kept, left_out = _told_apart(terms, system)
        covariates = frame[[name for name in ["time"] if name in frame]].to_numpy(np.float64)
        design = cls(np.asarray(systems), system, units, tuple(kept), left_out, covariates)
        return design._without_singular_terms()

    def model(self, values: FloatArray) -> BlockedModel:
        """The model of these values."""
        self._check_size()
        return BlockedModel(values, self.system, self.terms, self._block, self.covariates)

    @property
    def _block_unit(self) -> str:
        """What makes a block: documents if a term has them, else segments.

        Only terms of raters then reach across blocks.
        """
        has_term = any("document" in term.name for term in self.terms)
        has_documents = "document" in self.units and has_term
        if has_documents or "segment" not in self.units:
            return "document"
        return "segment"

    @property
    def _block(self) -> Indices:
        """The number of the block of each rating."""
        return self.units[self._block_unit]

    def _check_size(self) -> None:
        """Raise `DesignTooLarge` if matrices would be too large."""
        block = self._block
        largest = int(np.bincount(block).max())
        if largest > MOST_IN_A_BLOCK:
            raise DesignTooLarge(f"ratings of one {self._block_unit}", largest, MOST_IN_A_BLOCK)
        across = [term for term in self.terms if not term.lies_within(block)]
        n_columns = len(self.systems) + sum(term.n_levels for term in across)
        if n_columns > MOST_COLUMNS:
            names = ", ".join(term.name for term in across)
            raise DesignTooLarge(f"systems and levels of {names}", n_columns, MOST_COLUMNS)

    def _without_singular_terms(self) -> _Design:
        """The design with terms left out until all variances can be told apart."""
        any_values = np.zeros(len(self.system))  # the information does not depend on them
        model = self.model(any_values)
        variances = np.full(len(model.names), 1 / len(model.names))
        information = model.at(variances).expected_information
        size = np.sqrt(np.diag(information))
        eigenvalues, eigenvectors = np.linalg.eigh(information / np.outer(size, size))
        if eigenvalues[0] > _SMALLEST_EIGENVALUE:
            return self
        parts = np.abs(eigenvectors[:, 0])
        involved = [model.names[i] for i in np.flatnonzero(parts > _SMALLEST_PART)]
        last = [term for term in self.terms if term.name in involved][-1]
        others = [name for name in _in_order(involved) if name != last.name]
        smaller = dataclasses.replace(
            self,
            terms=tuple(term for term in self.terms if term is not last),
            left_out=self.left_out | {last.name: " and ".join(others)},
        )
        return smaller._without_singular_terms()

    def variances_of_left_out(
        self, frame: pd.DataFrame, variances: Mapping[str, float]
    ) -> pd.Series:
        """By term that is kept, what those that were left out add to its variance.

        A matrix ``A_t`` of a term that is left out is a combination of those of the others, but for
        the systems' effects.  The information has the same combinations.
        """
        left_out = [Term(name, _codes(frame, TERMS[name])) for name in self.left_out]
        whole = dataclasses.replace(self, terms=(*self.terms, *left_out))
        model = whole.model(np.zeros(len(frame)))
        everywhere_alike = np.full(len(model.names), 1 / len(model.names))
        values = model.at(everywhere_alike).expected_information
        information = pd.DataFrame(values, model.names, model.names)
        kept = [name for name in model.names if name not in self.left_out]
        names = list(self.left_out)
        added = information.loc[kept, names] @ pd.Series(variances)[names]
        solved = np.linalg.solve(information.loc[kept, kept].to_numpy(), added.to_numpy())
        return pd.Series(solved, kept)

    def n_levels(self, unit: str) -> int:
        """How many raters, documents and so on there are."""
        return int(self.units[unit].max()) + 1

    def groups(self) -> dict[str, Indices]:
        """By unit, the number of the group of systems that each system is linked with by it."""
        item = "document" if "document" in self.units else "segment"
        groups = {}
        for unit in ("rater", item):
            if unit in self.units:
                groups[unit] = _linked_systems(self.system, self.units[unit])
        return groups


def _linked_systems(system: Indices, level: Indices) -> Indices:
    """The number of the group of each system, where systems of two groups share no level.

    Parameters
    ----------
    system, level : ndarray of int, shape (ratings,)
        The numbers of the system of each rating, and of its rater, document or segment.
    """
    from scipy import sparse  # slow to import
    from scipy.sparse import csgraph

    n_systems = int(system.max()) + 1
    n_nodes = n_systems + int(level.max()) + 1  # systems, then levels
    ones = np.ones(len(system))
    edges = (system, n_systems + level)
    links = sparse.coo_array((ones, edges), shape=(n_nodes, n_nodes))
    _, group = csgraph.connected_components(links, directed=False)
    return np.asarray(group[:n_systems], dtype=np.intp)


def _codes(frame: pd.DataFrame, columns: Sequence[str]) -> Indices:
    """The number of each rating's level, where a level is a combination of these columns."""
    telling = set(columns)
    for name in columns:
        telling |= set(AROUND.get(name, ()))
    keys = [name for name in ("system", *UNITS) if name in telling and name in frame]
    level = frame.groupby(keys, sort=True, observed=True).ngroup()
    return np.asarray(level, dtype=np.intp)


def _chosen(names: Sequence[str] | None, frame: pd.DataFrame) -> list[str]:
    """The terms of these names, or all for which there are columns, in the order of `TERMS`."""
    present = set(frame.columns)
    possible = [name for name, columns in TERMS.items() if present.issuperset(columns)]
    if names is None:
        return possible
    if isinstance(names, str):
        raise InputError(f"terms={names!r} is a string; give a list, [{names!r}].")
    by_parts = {frozenset(name.split(":")): name for name in TERMS}
    chosen = []
    for name in names:
        known = by_parts.get(frozenset(str(name).split(":")))
        if known is None:
            raise unknown_name("terms", name, TERMS)
        if known not in possible:
            lacking = [column for column in TERMS[known] if column not in frame]
            raise InputError(
                f"terms: {name!r} needs a {lacking[0]} for every rating, and these ratings have "
                f"none. Possible terms are: {', '.join(possible)}."
            )
        chosen.append(known)
    return [name for name in possible if name in chosen]


def _check_not_of_the_systems(
    unit: str, codes: Indices, system: Indices, systems: Sequence[str]
) -> None:
    """Raise `InputError` if each system has a single level of a unit, and not all the same."""
    if unit == "generation" or codes.max() == 0:
        return
    if _is_coarser(codes, system):
        code_of_system = np.array([codes[system == k][0] for k in range(len(systems))])
        other = int(np.argmax(code_of_system != code_of_system[0]))
        raise InputError(
            f"{unit}: each system has a single {unit}, and {systems[0]!r} not the same as "
            f"{systems[other]!r}: whether systems differ or {unit}s cannot be told. Compare only "
            f"systems with the same {unit}."
        )


def _is_coarser(codes: Indices, others: Indices) -> bool:
    """Whether ratings of the same level of `others` have the same level of `codes`."""
    pairs = np.unique(np.stack([codes, others]), axis=1)
    return pairs.shape[1] == len(np.unique(others))


def _told_apart(terms: Iterable[Term], system: Indices) -> tuple[list[Term], dict[str, str]]:
    """Terms that group the ratings as no other does; and the others, each with its equal's name."""
    kept: list[Term] = []
    left_out: dict[str, str] = {}
    fixed = Term("system", system)
    rest = Term(REST, np.arange(len(system)))
    for term in terms:
        if _is_coarser(term.codes, system):  # what it adds is in the systems' effects
            left_out[term.name] = fixed.name
            continue
        alike = [other.name for other in (rest, *kept) if _groups_alike(term, other)]
        if alike:
            left_out[term.name] = alike[0]
        else:
            kept.append(term)
    return kept, left_out


def _groups_alike(term: Term, other: Term) -> bool:
    """Whether two terms group the ratings in the same way."""
    return term.n_levels == other.n_levels and _is_coarser(term.codes, other.codes)


def _contrasts_of_pairs(n: int) -> FloatArray:
    """A row for each pair of `n` systems: 1 for the first of them, -1 for the second."""
    each = np.eye(n)
    a, b = pair_indices(n)
    return each[a] - each[b]


def _notes(result: MixedModel, design: _Design, fitted: Fit) -> Iterator[Note]:
    """What a reader should know of a fitted model."""
    if not fitted.converged:
        yield note("model-not-converged", n=fitted.n_steps)
    if not fitted.has_rest:
        yield note("model-no-rest")
    yield from _notes_on_levels(result, design)
    yield from _notes_on_terms(result)
    yield from _notes_on_links(result)
    yield from _note_on_lengths(design)
    yield from _note_on_order(result)


def _notes_on_levels(result: MixedModel, design: _Design) -> Iterator[Note]:
    """On units of which there is one, or few."""
    terms = " ".join(result.components["term"])
    for unit in ("rater", "document", "segment"):
        if unit not in design.units:
            continue
        n = design.n_levels(unit)
        if n == 1:
            yield note("model-one-unit", unit=unit)
        elif unit not in terms:  # it was not asked for
            continue
        elif n < FEW_LEVELS and unit == "rater":
            yield note("model-few-raters", n=n, freedom=result._range_of_freedom())
        elif n < FEW_LEVELS:
            yield note("few-levels", n=n, unit=unit)


def _notes_on_terms(result: MixedModel) -> Iterator[Note]:
    """On terms that were left out, and variances at zero."""
    pairs = [f"{term} and {other}" for term, other in result.left_out.items() if other != "system"]
    if pairs:
        yield note("model-terms-left-out", pairs=", ".join(pairs), terms=result.left_out)
    is_zero = result.components["variance"] == 0
    at_zero = list(result.components.loc[is_zero, "term"])
    if at_zero:
        yield note("model-variance-at-zero", n=len(at_zero), terms=", ".join(at_zero))


def _notes_on_links(result: MixedModel) -> Iterator[Note]:
    """On systems that no rater, or no document, links."""
    for unit, group in result.groups.items():
        n_groups = len(np.unique(group))
        if n_groups > 1:
            other = int(np.argmax(group != group[0]))
            yield note(
                "model-not-linked",
                n=n_groups,
                unit=unit,
                first=result.systems[0],
                second=result.systems[other],
            )


def _note_on_lengths(design: _Design) -> Iterator[Note]:
    """On documents of which some are much longer than others."""
    if "document" not in design.units or design.n_levels("document") == 1:
        return
    segments = np.stack([design.units["document"], design.units["segment"]])
    document_of_segment = np.unique(segments, axis=1)[0]
    n_segments = np.bincount(document_of_segment)
    if n_segments.max() >= _MUCH_LONGER * n_segments.min():
        yield note(
            "model-unequal-documents", least=int(n_segments.min()), most=int(n_segments.max())
        )


def _note_on_order(result: MixedModel) -> Iterator[Note]:
    """On systems whose means are in another order than their effects, and why."""
    means = result.effects["mean"].to_numpy()
    a, b = pair_indices(len(means))
    adjusted_lead_of_a = result._differences()[a, b]
    plain_lead_of_b = means[b] - means[a]
    rounding = _EQUAL * np.ptp(means)
    is_turned = (plain_lead_of_b > rounding) & (adjusted_lead_of_a > 0)
    if not is_turned.any():
        return
    widest = int(np.argmax(np.where(is_turned, plain_lead_of_b, -np.inf)))
    ahead = int(a[widest])
    behind = int(b[widest])
    contributions = result.contributions.drop(columns="system")
    advantages = contributions.iloc[behind] - contributions.iloc[ahead]
    yield note(
        "model-order-differs",
        n=int(is_turned.sum()),
        ahead=result.systems[ahead],
        behind=result.systems[behind],
        adjusted=adjusted_lead_of_a[widest],
        plain=plain_lead_of_b[widest],
        cause=_cause(advantages, result.systems[behind]),
    )


def _cause(advantages: pd.Series, behind: str) -> Note:
    """Which term gives a system, which the model has behind, most of its lead in plain means.

    `advantages` are what each term adds to its mean, less what it adds to that of the other system.
    """
    term = str(advantages.idxmax())
    points = float(advantages.max())
    if term in UNITS:
        return note("model-order-by-unit", unit=term, behind=behind, points=points)
    return note("model-order-by-chance", term=term, behind=behind, points=points)
