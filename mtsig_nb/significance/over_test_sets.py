"""One verdict over many test sets, and one on each, from the same resamples.

The mean over all test sets and every test set are compared as so many metrics are: under common
draws, in one family.  Since a source document is drawn, or exchanged, in all test sets that have
it, what its translations have in common is in the distribution of the mean.  Taken as
independent, test sets that share their documents would seem to tell more than they do: a difference
that hangs on two chapters of one book hangs on them in every language.

`pairing` has by how much.  Of two systems' mean difference it sets the standard error from source
documents, or sentences, beside the one that test sets would have if each had units of its own,
``sqrt(Σ w² se²)``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..conclusions.deciding import WORDS, decide
from ..engine.influence import contributions
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray, IntArray
from ..notes import Note, note
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics, pair_indices
from ..statistics.told_apart import told_apart
from .comparisons import Comparisons
from .corrections import CORRECTIONS, standard_errors
from .results import all_pairs_of

#: What the table calls the mean over all test sets.
OVERALL = "all"


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SetComparisons(Comparisons):
    """All pairs of systems over several test sets and on each, corrected as one family.

    Attributes
    ----------
    table : DataFrame
        As of :class:`Comparisons`, with the column ``test_set``, which is "all" for the mean over
        all test sets; ``metric`` says both, as in "COMET on en-ja".
    units_are_shared : bool
        Whether test sets have units in common, or may have.
    by_test_set : DataFrame
        One row for each metric and test set, the mean over all first: metric, test_set, weight,
        n_units, n_effective (so many units of equal weight and size would tell as much, estimated
        from how alike the segments of a document are, in the median over pairs of systems; NaN
        where that is not known), n_effective_least (if they were all alike), pairs,
        distinguished (corrected), alone (distinguished by p-values that are not corrected).
    pairing : DataFrame
        One row for each metric and pair: system_a, system_b, difference (of the means over all test
        sets), se_joint (its standard error), se_independent (what that would be if test sets
        shared no units) and their ratio.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = {name: mt.load(f"wmt12/{name}").statistics("BLEU") for name in ("es-en", "fr-en")}
    >>> sets = mt.test_sets(bleu, missing="common")
    >>> p = mt.compare_all(sets, correction="westfall-young", n_resamples=1000, rng=1)
    >>> p.by_test_set[["test_set", "n_units", "pairs", "distinguished"]]
      test_set  n_units  pairs  distinguished
    0      all       99     36             33
    1    es-en       99     36             30
    2    fr-en       99     36             33
    >>> p.overall.conclusions().word("onlineB", "onlineA"), p.on("fr-en").n_comparisons
    ('better', 108)
    >>> bool(p.pairing["ratio"].median() > 1)
    True
    >>> print(p.notes_on_test_sets[0])
    99 documents of unequal weight tell as much about the mean over all test sets as about 66 of
    equal weight, estimated from the similarity of the segments of a document (the median over pairs
    of systems); the smallest possible number is 60: (Σw)²/Σw²
    >>> p.about
    ('BLEU over 2 test sets, and on each of them',)
    """

    by_test_set: pd.DataFrame
    pairing: pd.DataFrame
    units_are_shared: bool = False

    @property
    def overall(self) -> Comparisons:
        """The comparisons of the means over all test sets, corrected for the whole family."""
        return self.on(OVERALL)

    def on(self, test_set: str) -> Comparisons:
        """The comparisons on one test set, corrected for the whole family.

        Parameters
        ----------
        test_set : str
            Its name; "all" for the means over all.
        """
        named = self.by_test_set["test_set"]
        check_one_of("test_set", test_set, dict.fromkeys(named))
        of_set = self.by_test_set[named == test_set]
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(Comparisons)}
        for name in ("scores", "score_intervals", "higher_is_better", "metric_signatures"):
            fields[name] = {m: x for m, x in fields[name].items() if m in set(of_set["metric"])}
        rows = self.table[self.table["test_set"] == test_set].reset_index(drop=True)
        fields["table"], fields["family_size"] = rows.drop(columns="test_set"), self.n_comparisons
        fields["n_units"] = int(of_set["n_units"].iloc[0])
        if test_set != OVERALL:
            fields["test_set"] = test_set
            fields["n_units_apart"] = 0
        return Comparisons(**fields)

    @property
    def about(self) -> tuple[str, ...]:
        over = self.by_test_set[self.by_test_set["test_set"] == OVERALL]
        each = "" if len(over) == len(self.by_test_set) else ", and on each of them"
        return tuple(f"{metric}{each}" for metric in over["metric"])

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know before relying on the verdicts, first what is about test sets."""
        return (*self.notes_on_test_sets, *super().caveats)

    @property
    def notes_on_test_sets(self) -> tuple[Note, ...]:
        """What pairing over test sets costs or buys, and what the correction promises."""
        return (*self._note_on_units(), *self._note_on_pairing(), self._note_on_found())

    def _note_on_units(self) -> list[Note]:
        over = self.by_test_set[self.by_test_set["test_set"] == OVERALL].iloc[0]
        least, estimate = over["n_effective_least"], over["n_effective"]
        if least >= 0.9 * over["n_units"]:
            return []
        known = self.unit == "documents" and not np.isnan(estimate)
        about = note("estimated" if known else "at-least", estimate=estimate, least=least)
        return [note("unequal-weights", n=int(over["n_units"]), unit=self.unit, about=about)]

    def _note_on_pairing(self) -> list[Note]:
        """What shared units do to standard errors, where it is known that units are shared."""
        if self.n_units_apart or not self.units_are_shared:
            return []
        ratio = self.pairing["ratio"].dropna()
        if ratio.empty:
            return [note("no-pairing")]
        low, median, high = ratio.quantile([0.05, 0.5, 0.95])
        because = ""
        if median > 1.05:
            because = f": {self.unit} that test sets share make their differences alike"
        return [note("pairing", median=median, low=low, high=high, because=because)]

    def _note_on_found(self) -> Note:
        rows = self.by_test_set
        over = rows["test_set"] == OVERALL
        total, alone = (int(rows[name].sum()) for name in ("pairs", "alone"))
        counts = (
            f"{rows['distinguished'][over].sum():,} of {rows['pairs'][over].sum():,} over all test "
            f"sets and {rows['distinguished'][~over].sum():,} of {rows['pairs'][~over].sum():,} on "
            "single ones are distinguished"
        )
        by_chance = f"{self.alpha * total:,.0f} of {total:,} where nothing differs"
        if self.correction is None:
            return note("found-uncorrected", counts=counts, by_chance=by_chance)
        known = CORRECTIONS[self.correction]
        promise = note(f"promise-{known['controls']}", level=f"{100 * self.alpha:g}%")
        besides = known.get("besides", "")
        values = {"promise": promise, "besides": besides, "alone": alone, "by_chance": by_chance}
        return note("found", counts=counts, **values)


def over_test_sets(comparisons: Comparisons, sets: Sequence[ScoredSets]) -> SetComparisons:
    """`comparisons` of the families of `sets`, with what is to be known of test sets."""
    rows = []
    for one in sets:
        # Of each test set what its segments contribute to each system's score, times their number.
        said = [s.n_segments * contributions(s) for s in one.segments]
        weights = [one.weights, *np.eye(len(one.names))]
        for s, name, of_each in zip(one.family, (OVERALL, *one.names), weights, strict=False):
            over_all = s is one.overall
            rows.append(
                {
                    "metric": s.label,
                    "test_set": name,
                    "weight": 1.0 if over_all else one.weights @ of_each,
                    "n_units": np.count_nonzero(one.sizes[of_each > 0].any(axis=0)),
                    "n_effective": _equal_documents(one, of_each, said),
                    "n_effective_least": one.n_effective if over_all else s.n_effective,
                }
            )
    table = comparisons.table
    counts = {
        "pairs": np.ones(len(table)),
        "distinguished": table["conclusion"].isin([WORDS[1], WORDS[-1]]),
        "alone": decide(table["difference"], table["pvalue"], comparisons.alpha) != 0,
    }
    counted = table[["metric"]].assign(**counts).groupby("metric").sum().astype(int)
    by_test_set = pd.DataFrame(rows).join(counted, on="metric")
    table = table.copy()
    table.insert(0, "test_set", table["metric"].map(by_test_set.set_index("metric")["test_set"]))
    n, about_sets = len(sets[0].names), dict.fromkeys(said for one in sets for said in one.notes)
    changed = {"table": table, "test_set": f"{n} test set{'s' * (n != 1)}"}
    changed |= {"notes": (*about_sets, *comparisons.notes), "by_test_set": by_test_set}
    changed["units_are_shared"] = any(one.overall.sharing is not None for one in sets)
    pairing = pd.concat([_pairing(one) for one in sets], ignore_index=True)
    return SetComparisons(**vars(comparisons) | changed, pairing=pairing)


def _equal_documents(sets: ScoredSets, weights: FloatArray, said: Sequence[FloatArray]) -> float:
    """As many documents of equal weight would tell as much of the mean with these weights.

    What a source segment says is what it contributes in all test sets that have its document.
    Documents of which these have unequal numbers of segments do not tell how alike segments are;
    NaN where those are most.
    """
    if sets.unit != "documents":
        return math.nan
    which = np.flatnonzero(weights)
    sizes = sets.sizes[which]
    n = sizes.max(axis=0)
    alike = ((sizes == n) | (sizes == 0)).all(axis=0)
    if np.count_nonzero(alike & (n > 0)) < np.count_nonzero(n) / 2:
        return math.nan
    begins = np.cumsum(n) - n
    share = weights[which] / sizes.sum(axis=1)  # of a segment in the mean
    total = np.zeros((len(said[0]), n.sum()))
    weight = np.zeros(n.sum())
    for k, of_segment in zip(which.tolist(), share, strict=True):
        units = pd.Series(sets.unit_of[k])
        at = begins[units] + units.groupby(units).cumcount().to_numpy()  # its place in the document
        total[:, at] += of_segment * said[k]
        weight[at] += of_segment
    document = np.repeat(np.arange(len(n)), n)
    some, pairs = alike[document], np.triu_indices(len(total), 1)
    # Documents of other test sets differ by the means of these, and are drawn apart.
    strata = sets.overall.strata if len(which) > 1 else None
    own = None if strata is None else strata[document[some]]
    correlation = intraclass_correlations(total[:, some] / weight[some], document[some], own)
    of_document = np.bincount(document, weight, minlength=len(n))[n > 0]
    found = equal_documents(of_document, n[n > 0], correlation[pairs])
    return float(np.nanmedian(found)) if np.isfinite(found).any() else math.nan


def families(
    statistics: SufficientStatistics | ScoredSets | Sequence[SufficientStatistics | ScoredSets],
) -> tuple[list[ScoredSets], list[SufficientStatistics]]:
    """The test sets given, if it is such, and the statistics that are compared.

    They are checked to be about the same systems, segments and test sets.
    """
    alone = isinstance(statistics, (SufficientStatistics, ScoredSets))
    given: list[Any] = [statistics] if alone else list(statistics)  # type: ignore[arg-type]
    sets = [one for one in given if isinstance(one, ScoredSets)]
    if sets and len({one.names if one in sets else () for one in given}) > 1:
        raise InputError("statistics: give the same test sets for all metrics, or for none.")
    family = [s for one in sets for s in one.family] if sets else told_apart(given)
    if not family:
        raise InputError("statistics: there are none. Give those of a metric or more.")
    if len(family[0].systems) < 2:
        raise InputError(
            f"statistics: there is one system, {family[0].systems[0]!r}; a comparison needs two."
        )
    first, labels = family[0], [s.label for s in family]
    for s in family[1:]:
        same_units = s.n_segments == first.n_segments and np.array_equal(s.strata, first.strata)  # type: ignore[arg-type]  # or None both
        if set(s.systems) != set(first.systems) or not same_units:
            raise InputError(
                f"statistics: {s.label} and {first.label} have other systems or {s.unit}, or other "
                "strata; use select() and subset() to make them agree."
            )
        if labels.count(s.label) > 1:
            raise InputError(
                f"statistics: the metric {s.label!r} is given twice with the same settings."
            )
    return sets, family


def _pairing(sets: ScoredSets) -> pd.DataFrame:
    overall = sets.overall.select(sets.overall.scores().index)
    pairs = pair_indices(len(overall.systems))
    joint = standard_errors(overall, pairs)
    squares = [
        weight**2 * standard_errors(s.select(overall.systems), pairs) ** 2
        for s, weight in zip(sets.each, sets.weights, strict=True)
    ]
    independent = np.sqrt(np.sum(squares, axis=0))
    table = all_pairs_of(overall)[["system_a", "system_b", "difference"]]
    table.insert(0, "metric", overall.label)
    return table.assign(
        se_joint=joint,
        se_independent=independent,
        ratio=joint / np.where(independent > 0, independent, np.nan),
    )


def intraclass_correlations(
    values: FloatArray, documents: IntArray, strata: IntArray | None = None
) -> FloatArray:
    """How alike the segments of a document are in the differences of all pairs of systems.

    The variance between documents over all of it, by the analysis of variance of one random effect
    with unequal numbers (Searle, Casella & McCulloch 1992, section 3.6); below 0 it is 0.

    Parameters
    ----------
    values : ndarray, shape (systems, segments)
    documents : ndarray of int, shape (segments,)
    strata : ndarray of int, shape (segments,), optional
        Each with a mean of its own; a document lies in one.

    Returns
    -------
    ndarray, shape (systems, systems)
        NaN for pairs without a difference, or where each document has a single segment or each
        stratum a single document.
    """
    _, document, sizes = np.unique(documents, return_inverse=True, return_counts=True)
    stratum = np.zeros(len(document), np.intp)
    if strata is not None:
        stratum = np.unique(strata, return_inverse=True)[1]
    of_strata = np.bincount(stratum)
    n, k, p = len(document), len(sizes), len(of_strata)
    if not p < k < n:
        return np.full((len(values), len(values)), np.nan)
    scale = np.abs(values).max()
    of_stratum = np.stack([np.bincount(stratum, row) / of_strata for row in values])
    values = values - of_stratum[:, stratum]
    means = np.stack([np.bincount(document, row, minlength=k) for row in values]) / sizes
    within = _of_differences(values - means[:, document]) / (n - k)
    between = _of_differences(means * np.sqrt(sizes)) / (k - p)
    size = (n - (np.bincount(stratum, sizes[document]) / of_strata).sum()) / (k - p)
    of_documents = np.maximum(between - within, 0) / size
    total = of_documents + within
    return np.divide(
        of_documents, total, out=np.full_like(total, np.nan), where=total > 1e-12 * scale**2
    )


def _of_differences(values: FloatArray) -> FloatArray:
    """Sums of squares of all differences of rows."""
    products = values @ values.T
    squares = np.diagonal(products)
    return np.maximum(squares[:, None] + squares - 2 * products, 0)


def equal_documents(weights: FloatArray, sizes: FloatArray, correlation: FloatArray) -> FloatArray:
    """So many documents, equal in weight and size, have a mean as certain as these.

    Parameters
    ----------
    weights, sizes : ndarray, shape (documents,)
        What each document counts in the mean, and how many segments it has.
    correlation : ndarray
        Of two segments of a document.  With 1 it is Kish's ``(Σw)² / Σw²``; with 0 documents do not
        matter, and where weights are as sizes it is their number.
    """
    share, size = weights / weights.sum(), sizes.mean()
    of_one = correlation + (1 - correlation) / size
    of_all = correlation * (share**2).sum() + (1 - correlation) * (share**2 / sizes).sum()
    return of_one / of_all
