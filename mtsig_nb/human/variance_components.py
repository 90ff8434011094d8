"""Whose variation an average difference carries: raters, documents, segments, and what is left.

Each rating is taken as a sum: what a system has everywhere, what raters, documents and segments add
to both systems alike, what they add to one system and not to the other, and a rest.  Where a system
answered several times, each of these generations adds its own.  Where a rater rated an output
several times, as judges that are models do call by call, the rest is what differs between calls.
What is added is a draw from a population with a variance of its own, a *variance component*, which
is taken as the same for both systems; draws are uncorrelated.  Sums of squares of the ratings have
expectations that are linear in these variances, whatever the distributions are (Henderson's method
of moments), so they are found by solving a few linear equations.  The variance of a difference of
means is a weighted sum of them: other raters, other documents and other segments would have given
another difference.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level, is_number
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_all_of, check_one_of
from ..metrics.base import FloatArray, Mask
from ..notes import Note, code_of, note, together
from ..significance.results import format_pvalue
from .pair_tests import PairTests
from .planned_errors import FEW_LEVELS, NESTED
from .plans import MOST, best_plans
from .tails import margin_of_error, tail_pvalues

if TYPE_CHECKING:
    from scipy import sparse

#: What may be a sample, from the widest to the narrowest, as columns are called.
UNITS = ("rater", *NESTED)
#: Equations of sums of squares with a larger condition number are not solved.
_LARGEST_CONDITION = 1e8
#: Of the variance of a term that is left out, what another term takes up if it is no more than this
#: share does not count.
_NEGLIGIBLE_SHARE = 1e-3
#: A system with at most this share of the other's raters, documents or segments has far fewer.
_FAR_FEWER = 1 / 2
#: A standard deviation of ratings this many times that of the other system is larger.
_LARGER = 1.5


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class VarianceComponents(Tabled):
    """The difference of two systems' mean ratings, and the sources of its variation.

    Attributes
    ----------
    system_a, system_b : str
    statistic : float
        Mean rating of `system_a` minus that of `system_b`.
    standard_error : float
        The standard error over other `samples`, such as other raters, documents and segments.
    degrees_of_freedom : float
        Those of the variance whose root is this standard error, at least 1: twice its square over
        the variance of its estimate, as if all draws were normal (Giesbrecht & Burns 1985; in
        balanced designs Satterthwaite's).  An approximation where a variance was estimated below
        zero and counts as zero, since those of the others are weighted as before.  With fewer than
        five levels of a sample, such as raters, at most one fewer than there are.
    table : DataFrame
        One row per source: ``source``; ``shared``, the variance of what it adds to both systems
        alike; ``by_system``, the variance of what it adds to each separately (both in squared
        points; below zero by chance if the true variance is small; NaN if the data cannot separate
        it from the other, which then has both: if each system has its own raters, ``by_system`` is
        the sum of the two); ``standard_error``, what it contributes; and its ``share`` of the
        squared standard error.
    samples : tuple of str
        What counts as a sample.
    alternative, confidence_level
        What was asked.
    notes : tuple of Note
        On samples that could not be counted, because they have only one member; on few raters,
        documents or segments; and on a system that has far fewer of them than the other and varies
        more.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
    >>> found = ratings.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)
    >>> print(found.sentence.splitlines()[0])
    GPT4-5shot minus ONLINE-W: +1.83, 95% interval 0.65 to 3.01, p = 0.0061 (two-sided)
    """

    _plotted = ("share",)

    system_a: str
    system_b: str
    statistic: float
    standard_error: float
    degrees_of_freedom: float
    table: pd.DataFrame
    samples: tuple[str, ...]
    alternative: Alternative = "two-sided"
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_one_of("alternative", self.alternative, ALTERNATIVES)
        check_level(self.confidence_level, "confidence_level")

    @property
    def t(self) -> float:
        """The difference in standard errors; 0 if both are zero, as between copies."""
        if not self.standard_error:
            return 0.0
        return self.statistic / self.standard_error

    @property
    def pvalue(self) -> float:
        """Of Student's t."""
        return float(tail_pvalues(self.t, self.alternative, self.degrees_of_freedom))

    @property
    def interval(self) -> tuple[float, float]:
        """Of the difference, at `confidence_level`."""
        margin = float(
            margin_of_error(self.standard_error, self.degrees_of_freedom, self.confidence_level)
        )
        return self.statistic - margin, self.statistic + margin

    def _lines(self) -> list[str]:
        """The difference, its test, and where the variance of it comes from."""
        low, high = self.interval
        sources = self.table[self.table["share"] > 0].sort_values("share", ascending=False)
        shares = ", ".join(f"{row.share:.0%} {row.source}" for row in sources.itertuples())
        samples = ", ".join(f"{name}s" for name in self.samples)
        return [
            f"{self.system_a} minus {self.system_b}: {self.statistic:+.2f}, "
            f"{self.confidence_level:.0%} interval {low:.2f} to {high:.2f}, "
            f"p = {format_pvalue(self.pvalue)} ({self.alternative})",
            f"counted as samples: {samples} "
            f"(t with {self.degrees_of_freedom:.1f} degrees of freedom)",
            f"squared standard error ({self.standard_error:.3g}²): {shares}",
        ]

    def _below(self) -> pd.DataFrame:
        return self.table

    def plans(
        self,
        costs: Mapping[str, float],
        *,
        power: float = 0.8,
        alpha: float = 0.05,
        most: Mapping[str, int] | None = None,
    ) -> pd.DataFrame:
        """What to buy, cheapest first: designs of which no other is both cheaper and more precise.

        In a design, every rater gets as nearly as possible the same number of documents, and all
        outputs of both systems in them are rated.  Large numbers are tried in steps of a quarter or
        less.  :func:`mtsig_nb.plots.plans` draws them.

        Variances are the pilot's estimates, with zero instead of those below zero.  Plans that are
        chosen because they are cheap tend to be those that chance has favoured, so expect a little
        less of them.  If each system of the pilot had its own raters, documents or segments,
        `by_system` also includes what they add to both alike.  That would cancel in a plan, so the
        plan is then dearer than necessary.

        Degrees of freedom are those that `degrees_of_freedom` would have with these variances.
        They are exact if all raters rate everything, if each output has one rater, or if any two
        raters meet equally often.  If raters take turns, they are right to within a few per cent.

        Parameters
        ----------
        costs : mapping of str to float
            Of a ``"rater"``, a ``"document"``, a ``"segment"``, a ``"rating"`` of one output, a
            ``"generation"`` of one, and a ``"call"`` for a rating; what is not named costs nothing.
        power : float
            Probability of finding a difference as large as the detectable one, above `alpha`.
        alpha : float
            Level of the two-sided test.
        most : mapping of str to int, optional
            How many raters, documents, segments of a document, ratings of an output, generations
            and calls there can be, by the names of `costs`; by default `MOST`.  One rating, one
            generation and one call, if the pilot does not show the value of several.

        Returns
        -------
        DataFrame
            ``raters``, ``documents``, ``segments`` (of each document), ``ratings`` (of each
            output), ``generations`` (of each segment by each system), ``calls`` (for each rating),
            ``cost``, ``standard_error`` and ``detectable``, the difference that is found with about
            that power: in simulations with a power of .80 it was found in .74 to .81, and in .72
            with two raters.

        Raises
        ------
        InputError
            If a name is unknown, a number in `most` is below one, `power` or `alpha` is not a
            probability, or these ratings have a single rater, document or segment, so the value of
            more of them is unknown.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
        >>> pilot = ratings.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)
        >>> plans = pilot.plans({"rater": 100, "document": 2, "rating": 1})
        >>> cheapest = plans[plans["detectable"] <= 1].iloc[0]
        >>> cheapest[["raters", "documents", "segments", "ratings"]].astype(int).tolist()
        [24, 263, 2, 1]
        """
        check_all_of("costs and most", [*costs, *(most or {})], MOST)
        check_level(alpha)
        _check_power(power, alpha)
        _check_most(most or {})
        single = [text for text in self.notes if code_of(text) == "one-of-a-unit"]
        if single:
            raise InputError(f"a plan needs a pilot with at least two of everything: {single[0]}.")
        variances = self.table.set_index("source")["by_system"]
        return best_plans(
            variances.clip(lower=0).fillna(0.0),
            self.samples,
            costs=costs,
            most=_limits_of_plans(variances, most or {}),
            power=power,
            alpha=alpha,
        )


def _limits_of_plans(variances: pd.Series, most: Mapping[str, int]) -> dict[str, int]:
    """The most that a plan can have of everything, by the names of `MOST`.

    It is one of what the pilot does not tell the worth of: `variances`, by source, are missing
    where the pilot cannot tell them from those of other sources.
    """
    limits = MOST | dict(most)
    output = "generation"
    if "generation" not in variances:
        output = "segment"
        limits["generation"] = 1
    is_output_in_rest = np.isnan(variances.get(output, 0.0))
    if is_output_in_rest:  # as each output was rated once
        limits["rating"] = 1
    is_rating_in_rest = np.isnan(variances.get(f"rater × {output}", np.nan))
    if is_rating_in_rest:  # with what differs between calls
        limits["call"] = 1
    return limits


def components_of_difference(
    frame: pd.DataFrame,
    system_a: str,
    system_b: str,
    *,
    samples: Sequence[str] | None = None,
    **options: Any,
) -> VarianceComponents:
    """Variance components of ratings, and the difference of two systems with them.

    Parameters
    ----------
    frame : DataFrame
        One row per rating: ``system``, ``value``, and columns among `UNITS`.  Rows of other systems
        are left out.  Segments of the same name in two documents are two segments.
    system_a, system_b : str
    samples : sequence of str, optional
        Which of `UNITS` count as samples from many; by default those of which there are two or
        more.  With documents their segments are samples, too, and with segments their generations:
        what lies within a new document is new.  A source counts if one of its units does, or one of
        a source that these ratings cannot tell from it; the rest counts always.
    **options
        `alternative` and `confidence_level`, as elsewhere.

    Raises
    ------
    InputError
        If a system has no rating or is given twice, a rating has no value or no rater, document,
        segment or generation, a sample has fewer than two levels, or one of its own for each
        system, all ratings of each system are alike, or the two differ by the same amount
        everywhere.

    Notes
    -----
    Raters need not have rated both systems, nor equally many outputs: what a rater adds to
    everything then does not cancel, and counts.  A variance estimated below zero counts as zero in
    the standard error.

    Each variance is taken as the same for both systems.  Where both have the same ratings this
    makes no difference.  Where one is rated less and varies more, the standard error is too small:
    with a third of the raters and twice the standard deviation, t erred in .13 at .05 in
    simulations.  A note tells of such ratings.

    Where the variance of raters is estimated as small by chance, or that of two documents or
    segments beside many raters, the degrees of freedom are those of what else there is many of, and
    the standard error is too small.  With two or three raters that is often the case: in
    simulations t then erred in up to .14 and .09 at .05, and with two segments beside sixty raters
    in up to .11.  With fewer than five levels of a sample the degrees of freedom are therefore at
    most one fewer than there are.  In the same simulations t erred in about .05 at most, with two
    levels hardly ever, and a note says that only a large difference can be shown.

    References
    ----------
    Henderson (1953), method 1, on what is left when each system's mean is subtracted; Giesbrecht &
    Burns (1985) on degrees of freedom, which in balanced designs are those of Satterthwaite (1946).
    """
    if system_a == system_b:
        raise InputError(f"system_b={system_b!r} is also system_a. Give another system.")
    check_all_of("system", (system_a, system_b), sorted(set(frame["system"])))
    pair = frame[frame["system"].isin([system_a, system_b])]
    check_nothing_missing(pair)
    design = RatingDesign.of(pair, system_a, samples)
    values = pair["value"].to_numpy(dtype=np.float64)
    return design.analyse(values, (system_a, system_b), **options)


def all_pairs_over_samples(
    frame: pd.DataFrame, *, samples: Sequence[str] | None, alternative: Alternative
) -> PairTests:
    """Tests of all pairs, each with the standard error that counts these samples.

    Parameters
    ----------
    frame, samples, alternative
        As for `components_of_difference`, of all systems.

    Returns
    -------
    PairTests
        Its table has ``difference``, ``standard_error``, ``degrees_of_freedom``, ``low`` and
        ``high`` (of the 95 % interval) for `system_a` minus `system_b`, and for each source its
        share of the squared standard error.
    """
    keys = ["system", *units_of(frame)]
    check_nothing_missing(frame)
    ordered = frame.sort_values(keys, kind="stable")
    means = ordered.groupby("system", observed=True)["value"].mean()
    scores = means.sort_values(ascending=False, kind="stable")
    n = len(scores)
    if n < 2:
        raise InputError(f"system: there is only one, {scores.index[0]!r}; a comparison needs two.")
    results = _results_of_pairs(ordered, list(scores.index), keys, samples)
    most_samples = max([result.samples for result in results], key=len)
    sampled = ", ".join(f"{name}s" for name in most_samples)
    return PairTests.of_t(
        scores,
        title=f"t tests over other {sampled}",
        alternative=alternative,
        difference=np.array([result.statistic for result in results]),
        t=np.array([result.t for result in results]),
        freedom=np.array([result.degrees_of_freedom for result in results]),
        details=pd.DataFrame([_details(result) for result in results]).fillna(0.0),
        pair_notes=[together(result.notes) if result.notes else "" for result in results],
    )


def _results_of_pairs(
    ordered: pd.DataFrame, systems: list[str], keys: list[str], samples: Sequence[str] | None
) -> list[VarianceComponents]:
    """The difference of each two systems, in the order of `pair_indices`.

    Pairs of systems that were rated alike share a design, which takes longer than its analysis.
    """
    ratings = dict(list(ordered.groupby("system", observed=True)))
    designs: dict[bytes, RatingDesign] = {}
    results = []
    for a, b in itertools.combinations(systems, 2):
        pair = pd.concat([ratings[a], ratings[b]])
        pattern = _pattern(pair[keys])
        if pattern not in designs:
            designs[pattern] = RatingDesign.of(pair, a, samples)
        values = pair["value"].to_numpy(dtype=np.float64)
        results.append(designs[pattern].analyse(values, (a, b)))
    return results


def _pattern(units: pd.DataFrame) -> bytes:
    """Who rated what, whatever systems, raters and so on are called."""
    codes = [pd.factorize(units[name])[0] for name in units]
    return np.stack(codes).tobytes()


def _details(result: VarianceComponents) -> dict[str, Any]:
    """The columns of a pair in the table of all: its numbers, and the share of each source."""
    low, high = result.interval
    numbers = {
        "difference": result.statistic,
        "standard_error": result.standard_error,
        "degrees_of_freedom": result.degrees_of_freedom,
        "low": low,
        "high": high,
    }
    shares = {f"share_{row.source}": row.share for row in result.table.itertuples()}
    return numbers | shares


class _LevelCounts(NamedTuple):
    """How many levels of a unit there are, and how many of them each system has ratings of."""

    total: int
    of_a: int
    of_b: int


@dataclasses.dataclass(frozen=True, eq=False)
class _Term:
    """What one source adds to ratings: to both systems alike, or to each of them apart.

    Attributes
    ----------
    units : tuple of str
        The source: the unit, or the two units whose interaction it is; none for the rest.
    by_system : bool
        Whether it adds to each system apart.
    members : sparse array of shape (ratings, levels)
        One where a rating has that level, else zero.
    confounded : frozenset of str
        Units of the terms that the data cannot tell from it.
    """

    units: tuple[str, ...]
    by_system: bool
    members: sparse.csr_array
    confounded: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """The name of the source."""
        return " × ".join(self.units) or "rest"

    def is_sampled(self, samples: Sequence[str]) -> bool:
        """Whether a unit of it, or of what cannot be told from it, is a sample; the rest is."""
        if not self.units:
            return True
        units = self.confounded.union(self.units)
        return not units.isdisjoint(samples)

    @functools.cached_property
    def scaled(self) -> sparse.csr_array:
        """The members, in columns of length one."""
        n_members = self.members.sum(axis=0)
        return (self.members * n_members**-0.5).tocsr()


@dataclasses.dataclass(frozen=True, eq=False)
class RatingDesign:
    """Who rated what of two systems, and what follows from that for any ratings.

    Attributes
    ----------
    of_a : ndarray of bool, shape (ratings,)
        Which ratings are of the first system.
    terms : tuple of _Term
        Those whose variances can be told apart; the first is the rest.
    expected : ndarray of shape (terms, terms)
        Entry (k, l): what a unit of variance l adds to the expectation of sum of squares k.
    samples : tuple of str
    n_levels : mapping of str to _LevelCounts
        By unit that ratings name.  Segments of the same name in two documents are two, and so are
        generations of two segments.
    """

    of_a: Mask
    terms: tuple[_Term, ...]
    expected: FloatArray
    samples: tuple[str, ...]
    n_levels: Mapping[str, _LevelCounts]

    @classmethod
    def of(cls, pair: pd.DataFrame, system_a: str, samples: Sequence[str] | None) -> RatingDesign:
        """The design of a frame of two systems' ratings; see `components_of_difference`."""
        known = units_of(pair)
        of_a = (pair["system"] == system_a).to_numpy()
        n_levels = {name: _level_counts(pair[_columns(name, known)], of_a) for name in known}
        units = tuple(name for name in known if n_levels[name].total > 1)
        all_samples = units
        if samples is not None:
            all_samples = _with_what_lies_within(samples, units)
        _check_samples(pair, n_levels, all_samples)
        terms = _terms(pair, units)
        expected = _expected_squares(terms, of_a)
        told_apart = _told_apart(terms, expected)
        kept = list(told_apart)
        return cls(
            of_a=of_a,
            terms=tuple(told_apart.values()),
            expected=expected[np.ix_(kept, kept)],
            samples=all_samples,
            n_levels=n_levels,
        )

    @property
    def single(self) -> list[str]:
        """Units of which these ratings have one, so that its variation cannot be seen."""
        return [name for name, n in self.n_levels.items() if n.total == 1]

    @property
    def few(self) -> dict[str, int]:
        """Samples of which there are fewer than five, and how many."""
        totals = {name: self.n_levels[name].total for name in self.samples}
        return {name: n for name, n in totals.items() if n < FEW_LEVELS}

    @functools.cached_property
    def loads(self) -> FloatArray:
        """What a unit of each variance adds to the variance of the difference of means."""
        n_a = self.of_a.sum()
        n_b = (~self.of_a).sum()
        contrast = np.where(self.of_a, 1 / n_a, -1 / n_b)
        by_level = [term.members.T @ contrast for term in self.terms]
        loads = np.array([np.sum(weights**2) for weights in by_level])
        loads[loads < TIE_TOLERANCE] = 0  # what cancels, but for rounding
        is_sampled = [term.is_sampled(self.samples) for term in self.terms]
        return loads * is_sampled

    @functools.cached_property
    def spread(self) -> FloatArray:
        """The matrix whose quadratic form of the variances is half the variance of their estimate.

        That is, of the estimated variance of the difference of means, as if all draws were normal.
        """
        terms = self.terms
        form = self._form()
        means = _means(self.of_a)
        form_means = form @ means
        means_form_means = means.T @ form_means
        # The estimate is the quadratic form C F C of the ratings, where C = I - M M' takes out the
        # systems' means.  Of the members Z of two terms,
        #     Z_k' C F C Z_m = Z_k' F Z_m - [u_k, v_k] [v_m - u_m M' F M, u_m]',
        # with u = Z' M and v = Z' F M.
        u = [term.members.T @ means for term in terms]
        v = [term.members.T @ form_means for term in terms]
        spread = np.zeros((len(terms), len(terms)))
        for k, term in enumerate(terms):
            members_form = term.members.T @ form
            p = np.hstack([u[k], v[k]])
            for m in range(k + 1):
                product = members_form @ terms[m].members
                q = np.hstack([v[m] - u[m] @ means_form_means, u[m]])
                spread[k, m] = _squared_norm(product, p, q)
        return spread + np.tril(spread, -1).T

    def _form(self) -> sparse.csr_array:
        """F: the estimated variance of the difference is this quadratic form of centred ratings."""
        weights = np.linalg.solve(self.expected.T, self.loads)
        return sum(
            (weight * term.scaled) @ term.scaled.T
            for weight, term in zip(weights, self.terms, strict=True)
        )

    def analyse(
        self, values: FloatArray, systems: tuple[str, str], **options: Any
    ) -> VarianceComponents:
        """Variance components of ratings of this design, and the difference of means with them.

        Parameters
        ----------
        values : ndarray of shape (ratings,)
            In the order of the frame of which the design was made.
        systems : tuple of str
            The first system and the second.
        **options
            `alternative` and `confidence_level`, as elsewhere.

        Raises
        ------
        InputError
            If all ratings of each system are alike, or the two differ by the same amount
            everywhere.
        """
        system_a, system_b = systems
        mean_a = values[self.of_a].mean()
        mean_b = values[~self.of_a].mean()
        statistic = float(mean_a - mean_b)
        centred = values - np.where(self.of_a, mean_a, mean_b)
        rounding = TIE_TOLERANCE * np.abs(values).max()
        if np.ptp(centred) <= rounding:
            raise InputError(
                f"all ratings of {system_a!r} are alike, or there is one, and so for {system_b!r}, "
                "so nothing varies. Leave one of them out."
            )
        sums_of_squares = [np.sum((term.scaled.T @ centred) ** 2) for term in self.terms]
        variances = np.linalg.solve(self.expected, sums_of_squares)
        not_negative = np.maximum(variances, 0)
        squared_error = float(self.loads @ not_negative)
        # Rounding leaves about 1e-16 of the squares of which this is a difference.
        is_zero = squared_error <= TIE_TOLERANCE * np.ptp(centred) ** 2
        if is_zero and abs(statistic) > rounding:
            raise InputError(
                f"the ratings of {system_a!r} and {system_b!r} differ by the same amount "
                "everywhere, or are too few: no variance of their difference is estimated "
                "above zero."
            )
        if is_zero:
            squared_error = 0.0
        return VarianceComponents(
            system_a,
            system_b,
            statistic=statistic,
            standard_error=math.sqrt(squared_error),
            degrees_of_freedom=self._freedom(squared_error, not_negative),
            table=_table(self.terms, variances, self.loads * not_negative),
            samples=self.samples,
            notes=self._notes(centred, systems),
            **options,
        )

    def _notes(self, centred: FloatArray, systems: tuple[str, str]) -> tuple[Note, ...]:
        """On units of which there is one or few, and on unequal variances."""
        notes = [note("one-of-a-unit", unit=name) for name in self.single]
        for name, n in self.few.items():
            if name == "rater":
                notes.append(note("few-raters", n=n))
            else:
                notes.append(note("few-levels", n=n, unit=name))
        notes += self._unequal_variances(centred, systems)
        return tuple(notes)

    def _unequal_variances(self, centred: FloatArray, systems: tuple[str, str]) -> list[Note]:
        """A note if one system has far fewer levels of a sample, and its ratings vary more."""
        deviation_of_a = float(centred[self.of_a].std())
        deviation_of_b = float(centred[~self.of_a].std())
        deviations = [deviation_of_a, deviation_of_b]
        for name in self.samples:
            levels = [self.n_levels[name].of_a, self.n_levels[name].of_b]
            fewer = int(np.argmin(levels))  # the number of the system that has fewer
            more = 1 - fewer
            has_far_fewer = levels[fewer] <= _FAR_FEWER * levels[more]
            varies_more = deviations[fewer] >= _LARGER * deviations[more]
            if has_far_fewer and varies_more:
                values = {
                    "system": systems[fewer],
                    "other": systems[more],
                    "unit": name,
                    "n": levels[fewer],
                    "n_other": levels[more],
                    "deviation": deviations[fewer],
                    "deviation_other": deviations[more],
                }
                return [note("unequal-variances", **values)]
        return []

    def _freedom(self, squared_error: float, variances: FloatArray) -> float:
        """Degrees of freedom of a squared standard error from these variances."""
        if not squared_error:
            return 1.0
        half_variance = float(variances @ self.spread @ variances)
        freedom = max(squared_error**2 / half_variance, 1.0)
        return min([freedom, *(n - 1.0 for n in self.few.values())])


def units_of(frame: pd.DataFrame) -> list[str]:
    """The units that ratings name, in the order of `UNITS`."""
    return [name for name in UNITS if name in frame]


def check_nothing_missing(frame: pd.DataFrame) -> None:
    """Raise `InputError` if a rating lacks its value, or the name of a unit."""
    for name in ("value", *units_of(frame)):
        is_missing = frame[name].isna()
        if is_missing.any():
            system = frame.loc[is_missing, "system"].iloc[0]
            raise InputError(
                f"{name}: {is_missing.sum():,} of the ratings have none, first one of {system!r}. "
                "Give one, or leave these ratings out."
            )


def _check_power(power: float, alpha: float) -> None:
    """Raise `InputError` unless `power` lies between `alpha` and 1."""
    if not (is_number(power) and alpha < power < 1):
        raise InputError(f"power={power!r} must lie between alpha={alpha:g} and 1, such as 0.8.")


def _check_most(most: Mapping[str, int]) -> None:
    """Raise `InputError` unless there can be one of everything."""
    for name, number in most.items():
        if not (is_number(number) and 1 <= number < math.inf):
            raise InputError(f"most: {name}={number!r} must be a number of at least 1.")


def _with_what_lies_within(samples: Sequence[str], units: Sequence[str]) -> tuple[str, ...]:
    """The samples, and those of the units that lie within one of them."""
    if isinstance(samples, str):
        raise InputError(f"samples={samples!r} is a string; give a list, [{samples!r}].")
    nested_samples = [name for name in NESTED if name in samples]
    if not nested_samples:
        return tuple(samples)
    widest = NESTED.index(nested_samples[0])
    within = [name for name in NESTED[widest:] if name in units and name not in samples]
    return (*samples, *within)


def _check_samples(
    pair: pd.DataFrame, n_levels: Mapping[str, _LevelCounts], samples: Sequence[str]
) -> None:
    """Raise `InputError` unless there are two of each sample, and not one for each system."""
    units = [name for name, n in n_levels.items() if n.total > 1]
    for name in samples:
        if name not in units:
            known = ", ".join(units) or "nothing"
            raise InputError(
                f"samples: there are not two of {name!r} in these ratings, only of {known}. "
                "How much others would differ cannot be known from one; leave it out."
            )
        if n_levels[name].of_a == n_levels[name].of_b == 1:
            both = " and ".join(repr(system) for system in sorted(set(pair["system"])))
            raise InputError(
                f"{name}: {both} have a single one each, and not the same, so systems and {name}s "
                "cannot be told apart. Leave one of the two systems out."
            )


def _columns(name: str, known: Sequence[str]) -> list[str]:
    """What tells one level of a unit from another: its name, and the names of what it is in."""
    if name == "rater":
        return [name]
    around = NESTED[: NESTED.index(name)]
    return [*(wider for wider in around if wider in known), name]


def _level_counts(columns: pd.DataFrame, of_a: Mask) -> _LevelCounts:
    """How many different rows there are, in all and of each system."""
    return _LevelCounts(
        total=len(columns.drop_duplicates()),
        of_a=len(columns[of_a].drop_duplicates()),
        of_b=len(columns[~of_a].drop_duplicates()),
    )


def _terms(pair: pd.DataFrame, units: Sequence[str]) -> list[_Term]:
    """The rest; then what each unit, and raters with each other unit, add by system and shared."""
    from scipy import sparse

    sources: list[tuple[str, ...]] = [(name,) for name in units]
    if "rater" in units:
        sources += [("rater", name) for name in NESTED if name in units]
    rest = sparse.eye_array(len(pair), format="csr")
    terms = [_Term((), True, rest)]
    for by_system, source in itertools.product((True, False), sources):
        if "generation" in source and not by_system:
            continue  # two systems' first generations have nothing in common
        keys = [column for name in source for column in _columns(name, units)]
        if by_system:
            keys.append("system")
        terms.append(_Term(source, by_system, _members(pair, keys)))
    return terms


def _members(pair: pd.DataFrame, keys: list[str]) -> sparse.csr_array:
    """Which ratings belong to which level, a level for each combination of the keys' values."""
    from scipy import sparse

    level = pair.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
    rating = np.arange(len(pair))
    return sparse.csr_array((np.ones(len(pair)), (rating, level)))


def _means(of_a: Mask) -> FloatArray:
    """Columns of length one, which take out a system's mean each."""
    groups = np.stack([of_a, ~of_a], axis=1)
    return groups / np.sqrt(groups.sum(axis=0))


def _squared_norm(product: sparse.csr_array, p: FloatArray, q: FloatArray) -> float:
    """The sum of squares of ``product - p @ q.T``, without making it."""
    squares = product.power(2).sum()
    cross = np.sum((product @ q) * p)
    squares_of_pq = np.sum((p.T @ p) * (q.T @ q))
    return float(squares - 2 * cross + squares_of_pq)


def _expected_squares(terms: list[_Term], of_a: Mask) -> FloatArray:
    """Entry (k, l): what a unit of variance l adds to the expectation of sum of squares k."""
    means = _means(of_a)
    sums = [term.members.T @ means for term in terms]
    expected = np.zeros((len(terms), len(terms)))
    # With S for scaled members and C as in `RatingDesign.spread`, an entry is the sum of squares of
    #     S_k' C Z_m = S_k' Z_m - (S_k' M) (Z_m' M)'.
    for k, term in enumerate(terms):
        scaled = term.scaled.T
        scaled_sums = scaled @ means
        for m, other in enumerate(terms):
            expected[k, m] = _squared_norm(scaled @ other.members, scaled_sums, sums[m])
    return expected


def _told_apart(terms: list[_Term], expected: FloatArray) -> dict[int, _Term]:
    """Terms whose variances these data can tell apart, by their number.

    A term that cannot be told from those before it is left out, and its variance shows up as
    theirs: its units are among those that each of them is confounded with.  So is a term that does
    not vary within systems; what it adds is in their means.
    """
    kept: list[int] = []
    confounded = [term.confounded for term in terms]
    for k, term in enumerate(terms):
        varies_within_systems = expected[k, k] != 0
        if not varies_within_systems:
            continue
        tried = [*kept, k]
        if _can_be_solved(expected[np.ix_(tried, tried)]):
            kept = tried
            continue
        shares = np.linalg.solve(expected[np.ix_(kept, kept)], expected[kept, k])
        for m, share in zip(kept, shares, strict=True):
            if abs(share) > _NEGLIGIBLE_SHARE:
                confounded[m] |= set(term.units)
    return {m: dataclasses.replace(terms[m], confounded=confounded[m]) for m in kept}


def _can_be_solved(equations: FloatArray) -> bool:
    """Whether equations, scaled to ones on the diagonal, are far from being singular."""
    size = np.sqrt(np.diag(equations))
    scaled = equations / np.outer(size, size)
    return bool(np.linalg.cond(scaled) < _LARGEST_CONDITION)


def _table(
    terms: Sequence[_Term], variances: FloatArray, squared_errors: FloatArray
) -> pd.DataFrame:
    """A row for each source, its two variances side by side.

    `squared_errors` are what the terms contribute to the squared standard error.
    """
    rows: dict[str, dict[str, float]] = {}
    for term, variance, squared_error in zip(terms, variances, squared_errors, strict=True):
        empty = {"shared": np.nan, "by_system": np.nan, "squared": 0.0}
        row = rows.setdefault(term.source, empty)
        column = "by_system" if term.by_system else "shared"
        row[column] = variance
        row["squared"] += squared_error
    squared = np.array([row["squared"] for row in rows.values()])
    with np.errstate(invalid="ignore"):  # where nothing varies, shares are NaN
        share = squared / squared.sum()
    columns = {
        "source": np.array(list(rows)),
        "shared": np.array([row["shared"] for row in rows.values()]),
        "by_system": np.array([row["by_system"] for row in rows.values()]),
        "standard_error": np.sqrt(squared),
        "share": share,
    }
    rest_last = np.argsort(columns["source"] == "rest", kind="stable")
    return pd.DataFrame({name: column[rest_last] for name, column in columns.items()})
