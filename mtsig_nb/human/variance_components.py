"""Whose variation an average difference carries: raters, documents, segments, and what is left.

Each rating is taken as a sum: what a system has everywhere, what raters, documents and segments add
to both systems alike, what they add to one system and not to the other, and a rest.  Where a system
answered several times, each of these generations adds its own.  Where a rater rated an output
several times, as judges that are models do call by call, the rest is what differs between calls.
What is added is a draw from a population with a variance of its own, a *variance component*.  Sums
of squares of the ratings have expectations that are linear in these variances, whatever the
distributions are (Henderson's method of moments), so they are found by solving a few linear
equations.  The variance of a difference of means is a weighted sum of them: other raters, other
documents and other segments would have given another difference.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_all_of, check_one_of
from ..metrics.base import FloatArray, Mask
from ..notes import Note, code_of, note, together
from ..significance.results import format_pvalue
from ..statistics.sufficient import pair_indices
from .pair_tests import PairTests
from .tails import tail_pvalues

if TYPE_CHECKING:
    from scipy import sparse

#: What may be a sample, from the widest to the narrowest, as columns are called.
UNITS = ("rater", "document", "segment", "generation")
#: What a plan can buy, and how much of it.
MOST = {"rater": 40, "document": 500, "segment": 20, "rating": 5, "generation": 5, "call": 5}
#: Sums of squares whose equations are nearly the same cannot be solved apart.
_APART = 1e8
#: With fewer raters than this, t has at most one degree of freedom less than there are raters.
FEW_RATERS = 5
#: Of the tests of all pairs.
_COLUMNS = ("difference", "standard_error", "degrees_of_freedom", "low", "high")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class VarianceComponents(Tabled):
    """The difference of two systems' mean ratings, and whose variation is in it.

    Attributes
    ----------
    system_a, system_b : str
    statistic : float
        Mean rating of `system_a` minus that of `system_b`.
    standard_error : float
        Over other `samples`, such as other raters, documents and segments.
    degrees_of_freedom : float
        Of the variance that this standard error is the root of (Satterthwaite's), at least 1.  With
        fewer than five raters at most one fewer than there are raters.
    table : DataFrame
        One row per source: ``source``; ``shared``, the variance of what it adds to both systems
        alike; ``by_system``, of what it adds to each apart (both in squared points; below zero by
        chance where the true one is small, NaN where the data cannot tell it from another);
        ``standard_error``, what it contributes; and its ``share`` of the squared standard error.
    samples : tuple of str
        What counts as a sample.
    alternative, confidence_level
        What was asked.
    notes : tuple of Note
        On what could not be counted, because there is only one of it, and on few raters.

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
        """The difference in standard errors; 0 where there is neither, as between copies."""
        return self.statistic / self.standard_error if self.standard_error else 0.0

    @property
    def pvalue(self) -> float:
        """Of Student's t."""
        return float(tail_pvalues(self.t, self.alternative, self.degrees_of_freedom))

    @property
    def interval(self) -> tuple[float, float]:
        """Of the difference, at `confidence_level`."""
        far = special.stdtrit(self.degrees_of_freedom, (1 + self.confidence_level) / 2)
        reach = self.standard_error * float(far)
        return self.statistic - reach, self.statistic + reach

    def _lines(self) -> list[str]:
        """The difference, its test, and where the variance of it comes from."""
        low, high = self.interval
        sources = self.table[self.table["share"] > 0].sort_values("share", ascending=False)
        parts = ", ".join(f"{row.share:.0%} {row.source}" for row in sources.itertuples())
        return [
            f"{self.system_a} minus {self.system_b}: {self.statistic:+.2f}, "
            f"{self.confidence_level:.0%} interval {low:.2f} to {high:.2f}, "
            f"p = {format_pvalue(self.pvalue)} ({self.alternative})",
            f"counted as samples: {', '.join(f'{name}s' for name in self.samples)} "
            f"(t with {self.degrees_of_freedom:.1f} degrees of freedom)",
            f"squared standard error ({self.standard_error:.3g}²): {parts}",
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
        """What to buy: the designs of which no other is both cheaper and sharper, cheapest first.

        In a design every rater gets the same number of documents, and every output of them is
        rated, of both systems.  Large numbers are tried in steps of a quarter or less.
        :func:`mtsig_nb.plots.plans` draws them.

        Parameters
        ----------
        costs : mapping of str to float
            Of a ``"rater"``, a ``"document"``, a ``"segment"``, a ``"rating"`` of one output, a
            ``"generation"`` of one, and a ``"call"`` for a rating; what is not named costs nothing.
        power : float
            Probability of finding a difference as large as the detectable one.
        alpha : float
            Level of the two-sided test.
        most : mapping of str to int, optional
            How many raters, documents, segments of a document, ratings of an output, generations
            and calls there can be, by the names of `costs`; by default `MOST`.  One generation and
            one call, where the pilot does not tell what several are worth.

        Returns
        -------
        DataFrame
            ``raters``, ``documents``, ``segments`` (of each document), ``ratings`` (of each
            output), ``generations`` (of each segment by each system), ``calls`` (for each rating),
            ``cost``, ``standard_error`` and ``detectable``, the difference that is found with that
            power.

        Raises
        ------
        InputError
            If a name is unknown, or these ratings have a single rater, document or segment, which
            does not tell what more of them would buy.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
        >>> pilot = ratings.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)
        >>> plans = pilot.plans({"rater": 100, "document": 2, "rating": 1})
        >>> cheapest = plans[plans["detectable"] <= 1].iloc[0]
        >>> cheapest[["raters", "documents", "segments", "ratings"]].astype(int).tolist()
        [21, 212, 3, 1]
        """
        check_all_of("costs and most", [*costs, *(most or {})], MOST)
        single = [each for each in self.notes if code_of(each) == "one-of-a-unit"]
        if single:
            raise InputError(f"a plan needs a pilot with two of everything: {single[0]}.")
        own = self.table.set_index("source")["by_system"]
        limits = MOST | dict(most or {})
        deepest = "generation" if "generation" in own else "segment"
        if deepest == "segment":
            limits["generation"] = 1
        if np.isnan(own.get(f"rater × {deepest}", np.nan)):  # in the rest, with calls
            limits["call"] = 1
        own = own.clip(lower=0).fillna(0.0)
        grids = [np.unique(np.geomspace(1, largest, 30).round()) for largest in limits.values()]
        r, d, m, k, g, c = (axis.ravel() for axis in np.meshgrid(*grids, indexing="ij"))
        two = {"rater": r > 1, "document": d > 1, "segment": d * m > 1}
        possible = (k <= r) & (r <= d * k)
        possible &= np.all([two[name] for name in self.samples if name in two], axis=0)
        r, d, m, k, g, c = (axis[possible] for axis in (r, d, m, k, g, c))
        ratings = d * m * g * k  # of one system
        bought = (r, d, d * m, 2 * ratings, 2 * d * m * g, 2 * ratings * c)
        cost = sum(costs.get(name, 0.0) * n for name, n in zip(MOST, bought, strict=True))
        levels = {"rest": ratings * c, "rater": r, "document": d, "segment": d * m}
        levels |= {"generation": d * m * g, "rater × document": d * k}
        levels |= {"rater × segment": d * m * k, "rater × generation": ratings}
        squared = half = np.zeros(len(r))
        for source, n in levels.items():
            part = 2 * own.get(source, 0.0) / n
            if source == "rest" or not set(source.split(" × ")).isdisjoint(self.samples):
                squared = squared + part
                half = half + part**2 / (n - 1)
        error = np.sqrt(squared)
        freedom = squared**2 / half
        if "rater" in self.samples:
            freedom = np.where(r < FEW_RATERS, np.minimum(freedom, r - 1), freedom)
        reach = special.stdtrit(freedom, 1 - alpha / 2) + special.stdtrit(freedom, power)
        design = {f"{name}s": n for name, n in zip(MOST, (r, d, m, k, g, c), strict=True)}
        table = pd.DataFrame(design, dtype=np.int64)
        table = table.assign(cost=cost, standard_error=error, detectable=reach * error)
        table = table.sort_values(["cost", "detectable"], ignore_index=True)
        best_so_far = table["detectable"].cummin().shift(fill_value=np.inf)
        return table[table["detectable"] < best_so_far].reset_index(drop=True)


@dataclasses.dataclass(frozen=True, eq=False)
class _Term:
    """A source of variation: what units it is of, and whether it is each system's own."""

    units: tuple[str, ...]
    by_system: bool
    members: sparse.csr_array  # (ratings, levels), one where a rating has that level

    @functools.cached_property
    def scaled(self) -> sparse.csr_array:
        """The same, its columns of length one."""
        return (self.members * (self.members.sum(axis=0) ** -0.5)).tocsr()


def components_of_difference(
    frame: pd.DataFrame,
    system_a: str,
    system_b: str,
    *,
    samples: Sequence[str] | None = None,
    **asked: Any,
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
        more.  A source counts if one of its units does, and the rest counts always.
    **asked
        `alternative` and `confidence_level`, as elsewhere.

    Raises
    ------
    InputError
        If a system has no rating or is given twice, a unit has fewer than two levels, or one of its
        own for each system, or all ratings of each system are alike.

    Notes
    -----
    Raters need not have rated both systems, nor equally many outputs: what a rater adds to
    everything then does not cancel, and counts.  A variance estimated below zero counts as zero in
    the standard error.

    Where raters' variance is estimated as small by chance, Satterthwaite's degrees of freedom are
    those of many segments, and the standard error is too small.  With two or three raters that is
    often the case: in simulations t then erred in up to .14 and .09 at .05.  With fewer than five
    raters the degrees of freedom are therefore at most one fewer than there are raters.  In the
    same simulations t erred in less than .05, with two raters hardly ever, and a note says that
    only a very large difference can be shown.

    References
    ----------
    Henderson (1953), method 1, on what is left when each system's mean is subtracted; Satterthwaite
    (1946).
    """
    if system_a == system_b:
        raise InputError(f"system_b={system_b!r} is system_a, too. Give another one.")
    check_all_of("system", (system_a, system_b), sorted(set(frame["system"])))
    pair = frame[frame["system"].isin([system_a, system_b])]
    design = RatingDesign.of(pair, system_a, samples)
    return design.analyse(pair["value"].to_numpy(dtype=np.float64), (system_a, system_b), **asked)


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
    keys = ["system", *(name for name in UNITS if name in frame)]
    ordered = frame.sort_values(keys, kind="stable")
    groups = dict(list(ordered.groupby("system", observed=True)))
    scores = ordered.groupby("system", observed=True)["value"].mean()
    scores = scores.sort_values(ascending=False, kind="stable")
    n = len(scores)
    if n < 2:
        raise InputError(f"system: there is one, {scores.index[0]!r}; a comparison needs two.")
    pvalues = np.zeros((n, n))
    statistic = np.zeros((n, n))
    designs: dict[bytes, RatingDesign] = {}  # systems rated alike have the same one
    rows, pair_notes = [], []
    for i, j in zip(*pair_indices(n), strict=True):
        a, b = scores.index[i], scores.index[j]
        pair = pd.concat([groups[a], groups[b]])
        key = np.stack([pd.factorize(pair[name])[0] for name in keys]).tobytes()
        if key not in designs:
            designs[key] = RatingDesign.of(pair, a, samples)
        design = designs[key]
        found = design.analyse(pair["value"].to_numpy(dtype=np.float64), (a, b))
        for one, two, sign in ((i, j, 1), (j, i, -1)):
            pvalues[one, two] = tail_pvalues(sign * found.t, alternative, found.degrees_of_freedom)
            statistic[one, two] = sign * found.statistic
        numbers = found.statistic, found.standard_error, found.degrees_of_freedom, *found.interval
        shares = {f"share_{row.source}": row.share for row in found.table.itertuples()}
        rows.append(dict(zip(_COLUMNS, numbers, strict=True)) | shares)
        pair_notes.append(together(found.notes) if found.notes else "")
    widest = max(designs.values(), key=lambda design: len(design.samples))
    counted = ", ".join(f"{name}s" for name in widest.samples)
    return PairTests.of_pairs(
        scores,
        title=f"t tests over other {counted}",
        alternative=alternative,
        pvalues=pvalues,
        statistic=statistic,
        details=pd.DataFrame(rows).fillna(0.0),
        pair_notes=pair_notes,
    )


@dataclasses.dataclass(frozen=True, eq=False)
class RatingDesign:
    """Who rated what of two systems, and what follows from that for any ratings.

    Attributes
    ----------
    of_a : ndarray of bool, shape (ratings,)
        Which ratings are of the first system.
    terms : tuple of _Term
        The sources whose variances can be told apart.
    expected : ndarray of shape (terms, terms)
        Entry (k, l): what a unit of variance l adds to the expectation of sum of squares k.
    samples : tuple of str
    single : tuple of str
        Units of which these ratings have one, so that its variation cannot be seen.
    n_raters : int
        How many raters there are; 0 where ratings do not say.
    """

    of_a: Mask
    terms: tuple[_Term, ...]
    expected: FloatArray
    samples: tuple[str, ...]
    single: tuple[str, ...] = ()
    n_raters: int = 0

    @classmethod
    def of(cls, pair: pd.DataFrame, system_a: str, samples: Sequence[str] | None) -> RatingDesign:
        """That of a frame with ``system`` and columns among `UNITS`."""
        there = [name for name in UNITS if name in pair]
        units = tuple(name for name in there if pair[name].nunique() > 1)
        counted = units if samples is None else tuple(samples)
        for name in counted:
            if name not in units:
                known = ", ".join(units) or "nothing"
                raise InputError(
                    f"samples: there are not two of {name!r} in these ratings, only of {known}. "
                    "How much others would differ cannot be known from one; leave it out."
                )
            if pair.groupby("system")[name].nunique().max() == 1:
                both = " and ".join(repr(system) for system in sorted(set(pair["system"])))
                raise InputError(
                    f"{name}: {both} have a single one each, and not the same, so that systems and "
                    f"{name}s cannot be told apart. Leave one of the two systems out."
                )
        of_a = (pair["system"] == system_a).to_numpy()
        terms, expected = _told_apart(_terms(pair, units), of_a)
        single = tuple(name for name in there if name not in units)
        n_raters = pair["rater"].nunique() if "rater" in pair else 0
        return cls(of_a, tuple(terms), expected, counted, single, n_raters)

    @functools.cached_property
    def loads(self) -> FloatArray:
        """What a unit of each variance adds to the variance of the difference of means."""
        contrast = np.where(self.of_a, 1 / self.of_a.sum(), -1 / (~self.of_a).sum())
        loads = np.array([np.sum((term.members.T @ contrast) ** 2) for term in self.terms])
        loads[loads < TIE_TOLERANCE] = 0  # what cancels, but for rounding
        samples = set(self.samples)
        return loads * [not t.units or not samples.isdisjoint(t.units) for t in self.terms]

    @functools.cached_property
    def spread(self) -> FloatArray:
        """Half the variance of the estimated variance, as a quadratic form of the components.

        As if all draws were normal.  The estimate is itself a quadratic form, of the ratings.
        """
        weights = np.linalg.solve(self.expected.T, self.loads)
        parts = zip(weights, self.terms, strict=True)
        form = sum((weight * term.scaled) @ term.scaled.T for weight, term in parts)
        means = _means(self.of_a)
        across = form @ means
        # Z' C F C Z is Z' F Z without P Q', where C takes the systems' means out of the form F.
        left = [(term.members.T @ means, term.members.T @ across) for term in self.terms]
        spread = np.zeros((len(self.terms),) * 2)
        for k, term in enumerate(self.terms):
            half = term.members.T @ form
            p = np.hstack(left[k])
            for m, (u, v) in enumerate(left[: k + 1]):
                q = np.hstack([v - u @ (means.T @ across), u])
                spread[k, m] = _squared_norm(half @ self.terms[m].members, p, q)
        return spread + np.tril(spread, -1).T

    def analyse(
        self, values: FloatArray, systems: tuple[str, str], **asked: Any
    ) -> VarianceComponents:
        """What these ratings, in the order of the frame, say."""
        of_a = self.of_a
        means = values[of_a].mean(), values[~of_a].mean()
        centred = values - np.where(of_a, *means)
        if np.ptp(centred) <= TIE_TOLERANCE * np.abs(values).max():
            raise InputError(
                f"all ratings of {systems[0]!r} are alike, and all of {systems[1]!r}, so that "
                "nothing varies. Leave one of them out."
            )
        observed = [np.sum((term.scaled.T @ centred) ** 2) for term in self.terms]
        variances = np.linalg.solve(self.expected, observed)
        kept = np.maximum(variances, 0)
        squared = float(self.loads @ kept)
        statistic = float(means[0] - means[1])
        if not squared and statistic:
            raise InputError(
                f"the ratings of {systems[0]!r} and {systems[1]!r} are too few: no variance of "
                "their difference is estimated above zero."
            )
        notes = [note("one-of-a-unit", unit=name) for name in self.single]
        if self.few_raters:
            notes.append(note("few-raters", n=self.n_raters))
        return VarianceComponents(
            *systems,
            statistic=statistic,
            standard_error=math.sqrt(squared),
            degrees_of_freedom=self._freedom(squared, kept),
            table=_table(self.terms, variances, self.loads * kept),
            samples=self.samples,
            notes=tuple(notes),
            **asked,
        )

    @property
    def few_raters(self) -> bool:
        """Whether raters count as a sample, and are fewer than five."""
        return "rater" in self.samples and self.n_raters < FEW_RATERS

    def _freedom(self, squared: float, kept: FloatArray) -> float:
        """Degrees of freedom of a squared standard error from these variances."""
        if not squared:
            return 1.0
        found = max(squared**2 / float(kept @ self.spread @ kept), 1.0)
        return min(found, self.n_raters - 1.0) if self.few_raters else found


def _terms(pair: pd.DataFrame, units: Sequence[str]) -> list[_Term]:
    """The sources, the rest first; of pairs of units those that are not within each other."""
    from scipy import sparse

    within = [name for name in UNITS[1:] if name in units]  # each of them within those before it
    columns = {name: [pair[each] for each in within[:n]] for n, name in enumerate(within, 1)}
    if "rater" in units:
        columns["rater"] = [pair["rater"]]
    crossed = [("rater", other) for other in units[1:]] if "rater" in units else []
    sets = [(), *((name,) for name in units), *crossed]
    n = len(pair)
    terms = [_Term((), True, sparse.eye_array(n, format="csr"))]
    for by_system, names in itertools.product((True, False), sets[1:]):
        if "generation" in names and not by_system:
            continue  # two systems' first generations have nothing in common
        keys = [key for name in names for key in columns[name]] + [pair["system"]] * by_system
        codes = pair.groupby(keys, sort=False, observed=True).ngroup().to_numpy()
        members = sparse.csr_array((np.ones(n), (np.arange(n), codes)))
        terms.append(_Term(tuple(names), by_system, members))
    return terms


def _means(of_a: np.ndarray) -> FloatArray:
    """Columns of length one, which take out a system's mean each."""
    groups = np.stack([of_a, ~of_a], axis=1)
    return groups / np.sqrt(groups.sum(axis=0))


def _squared_norm(product: sparse.csr_array, p: FloatArray, q: FloatArray) -> float:
    """The sum of squares of ``product - p @ q.T``, without making it."""
    cross, both = np.sum((product @ q) * p), np.sum((p.T @ p) * (q.T @ q))
    return float(product.power(2).sum() - 2 * cross + both)


def _told_apart(terms: list[_Term], of_a: np.ndarray) -> tuple[list[_Term], FloatArray]:
    """Sources whose variances these data can tell apart, and the matrix of their equations.

    Entry (k, l) is how much a unit of variance l adds to the expectation of sum of squares k.
    """
    means = _means(of_a)
    sums = [term.members.T @ means for term in terms]
    matrix = np.array(
        [
            [_squared_norm(scaled @ m.members, low, q) for m, q in zip(terms, sums, strict=True)]
            for scaled, low in ((k.scaled.T, k.scaled.T @ means) for k in terms)
        ]
    )
    kept: list[int] = []
    for k in range(len(terms)):
        tried = matrix[np.ix_([*kept, k], [*kept, k])]
        size = np.sqrt(np.diag(tried))
        if size.all() and np.linalg.cond(tried / np.outer(size, size)) < _APART:
            kept.append(k)
    return [terms[k] for k in kept], matrix[np.ix_(kept, kept)]


def _table(terms: Sequence[_Term], variances: FloatArray, parts: FloatArray) -> pd.DataFrame:
    """A row for each source, its two variances side by side."""
    rows: dict[str, dict[str, float]] = {}
    for term, variance, part in zip(terms, variances, parts, strict=True):
        source = " × ".join(term.units) or "rest"
        row = rows.setdefault(source, {"shared": np.nan, "by_system": np.nan, "squared": 0.0})
        row["by_system" if term.by_system else "shared"] = variance
        row["squared"] += part
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("source").reset_index()
    table["standard_error"] = np.sqrt(table["squared"])
    table["share"] = table["squared"] / table["squared"].sum()
    rest = table["source"] == "rest"
    return pd.concat([table[~rest], table[rest]], ignore_index=True).drop(columns="squared")
