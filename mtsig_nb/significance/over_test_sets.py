"""One verdict over many test sets, and one on each, from the same resamples.

The mean over all test sets and the test sets themselves are compared like several metrics: under
common draws, in one family.  A source document is drawn, or exchanged, in all test sets that have
it, so the distribution of the mean contains what its translations have in common.  If test sets
that share their documents were taken as independent, they would seem to tell more than they do: a
difference that depends on two chapters of one book depends on them in every language.

`SetComparisons.pairing` shows the size of that effect.  It has two standard errors of the mean
difference between two systems: the one from source documents, or sentences; and the one that the
mean would have if every test set had units of its own, ``sqrt(Σ w² se²)``.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..conclusions.deciding import decide
from ..engine.influence import contributions
from ..errors import InputError, check_one_of, counted
from ..metrics.base import FloatArray, IntArray
from ..notes import Note, note
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics, pair_indices
from ..statistics.told_apart import told_apart
from .comparisons import Comparisons, distinguished
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
        names = self.by_test_set["test_set"]
        check_one_of("test_set", test_set, dict.fromkeys(names))
        of_set = self.by_test_set[names == test_set]
        metrics = set(of_set["metric"])
        fields = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(Comparisons)
        }
        for name in ("scores", "score_intervals", "higher_is_better", "metric_signatures"):
            by_metric = fields[name]
            fields[name] = {metric: by_metric[metric] for metric in by_metric if metric in metrics}
        rows = self.table[self.table["test_set"] == test_set].reset_index(drop=True)
        fields["table"] = rows.drop(columns="test_set")
        fields["family_size"] = self.n_comparisons
        fields["n_units"] = int(of_set["n_units"].iloc[0])
        if test_set != OVERALL:
            fields["test_set"] = test_set
            fields["n_units_apart"] = 0
        return Comparisons(**fields)

    @property
    def about(self) -> tuple[str, ...]:
        """What the comparisons are about, one text for each metric."""
        overall = self.by_test_set[self.by_test_set["test_set"] == OVERALL]
        has_single_sets = len(overall) < len(self.by_test_set)
        addition = ", and on each of them" if has_single_sets else ""
        return tuple(f"{metric}{addition}" for metric in overall["metric"])

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know before relying on the verdicts; notes on test sets come first."""
        return (*self.notes_on_test_sets, *super().caveats)

    @property
    def notes_on_test_sets(self) -> tuple[Note, ...]:
        """What pairing over test sets costs or buys, and what the correction promises."""
        return (*self._note_on_units(), *self._note_on_pairing(), self._note_on_found())

    def _note_on_units(self) -> list[Note]:
        """How many units of equal weight would tell as much, where that is far fewer."""
        overall = self.by_test_set[self.by_test_set["test_set"] == OVERALL].iloc[0]
        n_units = int(overall["n_units"])
        least = overall["n_effective_least"]
        estimate = overall["n_effective"]
        if least >= 0.9 * n_units:
            return []
        is_known = self.unit == "documents" and not np.isnan(estimate)
        about = note("estimated" if is_known else "at-least", estimate=estimate, least=least)
        return [note("unequal-weights", n=n_units, unit=self.unit, about=about)]

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
        """How many pairs are distinguished, and what the correction promises."""
        rows = self.by_test_set
        is_overall = rows["test_set"] == OVERALL
        overall = rows[is_overall]
        single = rows[~is_overall]
        counts = (
            f"{overall['distinguished'].sum():,} of {overall['pairs'].sum():,} over all test "
            f"sets and {single['distinguished'].sum():,} of {single['pairs'].sum():,} on "
            "single ones are distinguished"
        )
        n_pairs = int(rows["pairs"].sum())
        by_chance = f"{self.alpha * n_pairs:,.0f} of {n_pairs:,} where nothing differs"
        if self.correction is None:
            return note("found-uncorrected", counts=counts, by_chance=by_chance)
        correction = CORRECTIONS[self.correction]
        return note(
            "found",
            counts=counts,
            promise=note(f"promise-{correction['controls']}", level=f"{100 * self.alpha:g}%"),
            besides=correction.get("besides", ""),
            alone=int(rows["alone"].sum()),
            by_chance=by_chance,
        )


def over_test_sets(comparisons: Comparisons, sets: Sequence[ScoredSets]) -> SetComparisons:
    """`comparisons` of the families of `sets`, with what is to be known of test sets."""
    by_test_set = pd.DataFrame([row for of_metric in sets for row in _rows_of_sets(of_metric)])
    by_test_set = by_test_set.join(_counts_by_metric(comparisons), on="metric")
    table = comparisons.table.copy()
    names = by_test_set.set_index("metric")["test_set"]
    table.insert(0, "test_set", table["metric"].map(names))
    notes = dict.fromkeys(itertools.chain.from_iterable(of_metric.notes for of_metric in sets))
    changed = {
        "table": table,
        "test_set": counted(len(sets[0].names), "test set"),
        "notes": (*notes, *comparisons.notes),
        "by_test_set": by_test_set,
        "units_are_shared": any(of_metric.overall.sharing is not None for of_metric in sets),
        "pairing": pd.concat([_pairing(of_metric) for of_metric in sets], ignore_index=True),
    }
    return SetComparisons(**vars(comparisons) | changed)


def _rows_of_sets(sets: ScoredSets) -> list[dict[str, Any]]:
    """The rows of one metric in `SetComparisons.by_test_set`, without counts of pairs."""
    # What each segment contributes to each system's score, times the number of segments.
    contributed = [s.n_segments * contributions(s) for s in sets.segments]
    names = (OVERALL, *sets.names)
    # How much each test set counts in the mean over all, and in itself.
    weights_of_sets = [sets.weights, *np.eye(len(sets.names))]
    rows = []
    for statistics, name, weights in zip(sets.family, names, weights_of_sets, strict=False):
        is_overall = statistics is sets.overall
        least = sets.n_effective if is_overall else statistics.n_effective
        rows.append(
            {
                "metric": statistics.label,
                "test_set": name,
                "weight": 1.0 if is_overall else sets.weights @ weights,
                "n_units": np.count_nonzero(sets.sizes[weights > 0].any(axis=0)),
                "n_effective": _n_equal_documents(sets, weights, contributed),
                "n_effective_least": least,
            }
        )
    return rows


def _counts_by_metric(comparisons: Comparisons) -> pd.DataFrame:
    """How many pairs each metric has, and how many are distinguished, corrected and not."""
    table = comparisons.table
    counts = pd.DataFrame(
        {
            "metric": table["metric"],
            "pairs": np.ones(len(table)),
            "distinguished": distinguished(table),
            "alone": decide(table["difference"], table["pvalue"], comparisons.alpha) != 0,
        }
    )
    return counts.groupby("metric").sum().astype(int)


def _n_equal_documents(
    sets: ScoredSets, weights: FloatArray, contributed: Sequence[FloatArray]
) -> float:
    """How many documents of equal weight would tell as much of a mean over test sets.

    A source segment contributes to the mean in all test sets that have its document.  Documents
    with unequal numbers of segments in these test sets do not tell how alike segments are; NaN
    where most documents are such.

    Parameters
    ----------
    sets : ScoredSets
    weights : ndarray, shape (test sets,)
        How much each test set counts in the mean.
    contributed : sequence of ndarray, shape (systems, segments), one for each test set
        What each segment contributes to the score of the test set, times the number of segments.
    """
    if sets.unit != "documents":
        return math.nan
    which = np.flatnonzero(weights)
    sizes = sets.sizes[which]
    n = sizes.max(axis=0)
    is_usable = ((sizes == n) | (sizes == 0)).all(axis=0)
    if np.count_nonzero(is_usable & (n > 0)) < np.count_nonzero(n) / 2:
        return math.nan
    segment_weights = weights[which] / sizes.sum(axis=1)
    total = np.zeros((len(contributed[0]), n.sum()))
    weight = np.zeros(n.sum())
    for k, segment_weight in zip(which.tolist(), segment_weights, strict=True):
        place = _places_of_segments(sets.unit_of[k], n)
        total[:, place] += segment_weight * contributed[k]
        weight[place] += segment_weight
    document = np.repeat(np.arange(len(n)), n)
    usable = is_usable[document]
    # Means of test sets may differ; where there are several, documents are drawn within strata.
    strata = sets.overall.strata if len(which) > 1 else None
    correlation = intraclass_correlations(
        total[:, usable] / weight[usable],
        document[usable],
        None if strata is None else strata[document[usable]],
    )
    pairs = np.triu_indices(len(total), 1)
    document_weights = np.bincount(document, weight, minlength=len(n))
    estimates = equal_documents(document_weights[n > 0], n[n > 0], correlation[pairs])
    return float(np.nanmedian(estimates)) if np.isfinite(estimates).any() else math.nan


def _places_of_segments(documents: IntArray, sizes: IntArray) -> IntArray:
    """The place of each segment among all source segments, which are listed by document.

    Parameters
    ----------
    documents : ndarray of int, shape (segments,)
        The document of each segment of a test set.
    sizes : ndarray of int, shape (documents,)
        How many source segments each document has.
    """
    begins = np.cumsum(sizes) - sizes
    numbers = pd.Series(documents)
    place_in_document = numbers.groupby(numbers).cumcount().to_numpy()
    return begins[documents] + place_in_document


def families(
    statistics: SufficientStatistics | ScoredSets | Sequence[SufficientStatistics | ScoredSets],
) -> tuple[list[ScoredSets], list[SufficientStatistics]]:
    """The test sets that were given, if any, and the statistics that are compared.

    They are checked to be about the same systems, segments and test sets.
    """
    is_single = isinstance(statistics, (SufficientStatistics, ScoredSets))
    given: list[Any] = [statistics] if is_single else list(statistics)  # type: ignore[arg-type]
    sets = [of_metric for of_metric in given if isinstance(of_metric, ScoredSets)]
    if sets:
        names = {of_metric.names for of_metric in sets}
        if len(sets) < len(given) or len(names) > 1:
            raise InputError("statistics: give the same test sets for all metrics, or for none.")
        family = list(itertools.chain.from_iterable(of_metric.family for of_metric in sets))
    else:
        family = told_apart(given)
    if not family:
        raise InputError("statistics: there are none. Give those of a metric or more.")
    if len(family[0].systems) < 2:
        raise InputError(
            f"statistics: there is one system, {family[0].systems[0]!r}; a comparison needs two."
        )
    _check_same_design(family)
    return sets, family


def _check_same_design(family: Sequence[SufficientStatistics]) -> None:
    """Raise `InputError` unless all metrics are on the same systems and segments, each once."""
    first = family[0]
    labels = [s.label for s in family]
    for s in family[1:]:
        if not _have_same_design(s, first):
            raise InputError(
                f"statistics: {s.label} and {first.label} have other systems or {s.unit}, or other "
                "strata; use select() and subset() to make them agree."
            )
        if labels.count(s.label) > 1:
            raise InputError(
                f"statistics: the metric {s.label!r} is given twice with the same settings."
            )


def _have_same_design(a: SufficientStatistics, b: SufficientStatistics) -> bool:
    """Whether both have the same systems, number of segments and strata."""
    same_systems = set(a.systems) == set(b.systems)
    same_strata = np.array_equal(a.strata, b.strata)  # type: ignore[arg-type]  # or None both
    return same_systems and a.n_segments == b.n_segments and same_strata


def _pairing(sets: ScoredSets) -> pd.DataFrame:
    """The rows of one metric in `SetComparisons.pairing`."""
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
    """The similarity of a document's segments in the differences between systems.

    It is the share of the variance that lies between documents, by the analysis of variance of one
    random effect with unequal numbers (Searle, Casella & McCulloch 1992, section 3.6); below 0 it
    is 0.

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
    stratum_sizes = np.bincount(stratum)
    n_segments = len(document)
    n_documents = len(sizes)
    n_strata = len(stratum_sizes)
    if not n_strata < n_documents < n_segments:
        return np.full((len(values), len(values)), np.nan)
    scale = np.abs(values).max()
    stratum_means = np.stack([np.bincount(stratum, row) / stratum_sizes for row in values])
    centred = values - stratum_means[:, stratum]
    sums = np.stack([np.bincount(document, row, minlength=n_documents) for row in centred])
    means = sums / sizes
    freedom = n_documents - n_strata
    within = _squared_differences(centred - means[:, document]) / (n_segments - n_documents)
    between = _squared_differences(means * np.sqrt(sizes)) / freedom
    unequal = (np.bincount(stratum, sizes[document]) / stratum_sizes).sum()
    size = (n_segments - unequal) / freedom  # of a document, as the expected mean squares have it
    of_documents = np.maximum(between - within, 0) / size
    total = of_documents + within
    unknown = np.full_like(total, np.nan)
    return np.divide(of_documents, total, out=unknown, where=total > 1e-12 * scale**2)


def _squared_differences(values: FloatArray) -> FloatArray:
    """Sums of squares of the differences of all rows, shape (rows, rows)."""
    products = values @ values.T
    squares = np.diagonal(products)
    return np.maximum(squares[:, None] + squares - 2 * products, 0)


def equal_documents(weights: FloatArray, sizes: FloatArray, correlation: FloatArray) -> FloatArray:
    """How many documents of equal weight and size have a mean as certain as the mean of these.

    Parameters
    ----------
    weights, sizes : ndarray, shape (documents,)
        What each document counts in the mean, and how many segments it has.
    correlation : ndarray
        The correlation of two segments of a document.  With 1 the result is Kish's
        ``(Σw)² / Σw²``.  With 0 documents do not matter; if weights are proportional to sizes the
        result is then the number of documents.
    """
    share = weights / weights.sum()
    size = sizes.mean()
    variance_of_one = correlation + (1 - correlation) / size
    of_documents = correlation * (share**2).sum()
    of_segments = (1 - correlation) * (share**2 / sizes).sum()
    return variance_of_one / (of_documents + of_segments)
