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

from ..conclusions.deciding import decide
from ..engine.influence import contributions
from ..errors import InputError, check_one_of, counted
from ..frames import pd
from ..metrics.base import FloatArray, IntArray
from ..notes import Note, note
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics, pair_indices
from ..statistics.told_apart import told_apart
from ..tables.rows import rows_from
from .comparisons import Comparisons, distinguished
from .corrections import CORRECTIONS, standard_errors
from .results import pair_differences

#: What the table calls the mean over all test sets.
OVERALL = "all"

#: Fields of `Comparisons` that are dictionaries by metric.
_BY_METRIC = (
    "scores_by_metric",
    "limits_by_metric",
    "higher_is_better",
    "metric_signatures",
)


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
        n_units, n_effective (the number of units of equal weight and size with as much information,
        estimated from the similarity of a document's segments, as the median over pairs of systems;
        NaN if that is not known), n_effective_least (the same if segments of a document were all
        alike), pairs, distinguished (corrected), alone (distinguished by p-values that are not
        corrected).
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
        metrics_of_set = self.by_test_set[names == test_set]
        metrics = set(metrics_of_set["metric"])
        pairs = self.table[self.table["test_set"] == test_set]
        fields = _fields(self)
        for name in _BY_METRIC:
            by_metric = fields[name]
            fields[name] = {metric: by_metric[metric] for metric in by_metric if metric in metrics}
        fields["rows"] = rows_from(pairs.drop(columns="test_set"))
        fields["family_size"] = self.n_comparisons
        fields["n_units"] = int(metrics_of_set["n_units"].iloc[0])
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
        """How pairing over test sets changes standard errors, and what the correction controls."""
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


def over_test_sets(
    comparisons: Comparisons, sets_by_metric: Sequence[ScoredSets]
) -> SetComparisons:
    """`comparisons` of the families of some test sets, with what is to be known of these.

    Parameters
    ----------
    comparisons : Comparisons
        Of the mean over all test sets and of each test set, each of them as a metric.
    sets_by_metric : sequence of ScoredSets
        The same test sets, one item for each metric.
    """
    rows = itertools.chain.from_iterable(map(_rows_of_sets, sets_by_metric))
    by_test_set = pd.DataFrame(list(rows)).join(_counts_by_metric(comparisons), on="metric")
    test_set_of_metric = by_test_set.set_index("metric")["test_set"]
    table = comparisons.table.copy()
    table.insert(0, "test_set", table["metric"].map(test_set_of_metric))
    notes = itertools.chain.from_iterable(sets.notes for sets in sets_by_metric)
    changed = {
        "rows": rows_from(table),
        "test_set": counted(len(sets_by_metric[0].names), "test set"),
        "notes": (*dict.fromkeys(notes), *comparisons.notes),
        "by_test_set": by_test_set,
        "units_are_shared": any(sets.overall.sharing is not None for sets in sets_by_metric),
        "pairing": pd.concat([_pairing(sets) for sets in sets_by_metric], ignore_index=True),
    }
    return SetComparisons(**_fields(comparisons) | changed)


def _fields(comparisons: Comparisons) -> dict[str, Any]:
    """The fields of `Comparisons`, by name."""
    return {
        field.name: getattr(comparisons, field.name) for field in dataclasses.fields(Comparisons)
    }


def _rows_of_sets(sets: ScoredSets) -> list[dict[str, Any]]:
    """The rows of one metric in `SetComparisons.by_test_set`, without counts of pairs."""
    # What each segment contributes to each system's score, times the number of segments.
    contributed = [s.n_segments * contributions(s) for s in sets.segments]
    overall = {
        "metric": sets.overall.label,
        "test_set": OVERALL,
        "weight": 1.0,
        "n_units": np.count_nonzero(sets.sizes.any(axis=0)),
        "n_effective": _n_equal_documents(sets, sets.weights, contributed),
        "n_effective_least": sets.n_effective,
    }
    rows = [overall]
    if len(sets.each) == 1:
        return rows  # a single test set is the mean over all
    weights_alone = np.eye(len(sets.each))
    for k, (name, statistics) in enumerate(zip(sets.names, sets.each, strict=True)):
        rows.append(
            {
                "metric": statistics.label,
                "test_set": name,
                "weight": sets.weights[k],
                "n_units": np.count_nonzero(sets.sizes[k]),
                "n_effective": _n_equal_documents(sets, weights_alone[k], contributed),
                "n_effective_least": statistics.n_effective,
            }
        )
    return rows


def _counts_by_metric(comparisons: Comparisons) -> pd.DataFrame:
    """How many pairs each metric has, and how many are distinguished, corrected and not."""
    table = comparisons.table
    is_distinguished_alone = decide(table["difference"], table["pvalue"], comparisons.alpha) != 0
    counts = pd.DataFrame(
        {
            "metric": table["metric"],
            "pairs": 1,
            "distinguished": distinguished(table),
            "alone": is_distinguished_alone,
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
        How much each test set counts in the mean; some of them may be 0.
    contributed : sequence of ndarray, shape (systems, segments), one for each test set
        What each segment contributes to the score of the test set, times the number of segments.

    Returns
    -------
    float
        The median over all pairs of systems.
    """
    if sets.unit != "documents":
        return math.nan
    is_counted = weights > 0
    sizes = sets.sizes[is_counted]
    n_segments = sizes.max(axis=0)  # of each document
    is_there = n_segments > 0
    has_one_size = ((sizes == n_segments) | (sizes == 0)).all(axis=0)
    if np.count_nonzero(has_one_size & is_there) < np.count_nonzero(is_there) / 2:
        return math.nan
    means, segment_weights = _source_segments(sets, weights, contributed, n_segments)
    document = np.repeat(np.arange(len(n_segments)), n_segments)  # of each source segment
    is_usable = has_one_size[document]
    usable_documents = document[is_usable]
    strata_of_segments = None
    # Means of test sets may differ; where there are several, documents are drawn within strata.
    if np.count_nonzero(is_counted) > 1 and sets.overall.strata is not None:
        strata_of_segments = sets.overall.strata[usable_documents]
    correlation = intraclass_correlations(means[:, is_usable], usable_documents, strata_of_segments)
    pairs = pair_indices(len(means))
    document_weights = np.bincount(document, segment_weights, minlength=len(n_segments))
    estimates = equal_documents(
        document_weights[is_there], n_segments[is_there], correlation[pairs]
    )
    if not np.isfinite(estimates).any():
        return math.nan
    return float(np.nanmedian(estimates))


def _source_segments(
    sets: ScoredSets,
    weights: FloatArray,
    contributed: Sequence[FloatArray],
    n_segments: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """What each source segment contributes on average, and its weight in a mean over test sets.

    Parameters
    ----------
    sets, weights, contributed
        As for `_n_equal_documents`.
    n_segments : ndarray of int, shape (documents,)
        How many source segments each document has.

    Returns
    -------
    means : ndarray, shape (systems, source segments)
        The mean of what the segment contributes in the test sets that have it, by their weights.
    segment_weights : ndarray, shape (source segments,)
    """
    n_systems = len(contributed[0])
    totals = np.zeros((n_systems, n_segments.sum()))
    segment_weights = np.zeros(n_segments.sum())
    for k in np.flatnonzero(weights).tolist():
        segment_weight = weights[k] / sets.sizes[k].sum()
        place = _places_of_segments(sets.unit_of[k], n_segments)
        totals[:, place] += segment_weight * contributed[k]
        segment_weights[place] += segment_weight
    return totals / segment_weights, segment_weights


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

    Returns
    -------
    sets_by_metric : list of ScoredSets
        One for each metric; empty where no test sets were given.
    family : list of SufficientStatistics
        Those of each metric; of test sets, those of the mean over all and of each.

    Raises
    ------
    InputError
        Unless all are about the same systems, segments and test sets.
    """
    is_single = isinstance(statistics, (SufficientStatistics, ScoredSets))
    given: list[Any] = [statistics] if is_single else list(statistics)  # type: ignore[arg-type]
    sets_by_metric = [item for item in given if isinstance(item, ScoredSets)]
    if sets_by_metric:
        names = {sets.names for sets in sets_by_metric}
        if len(sets_by_metric) < len(given) or len(names) > 1:
            raise InputError("statistics: give the same test sets for all metrics, or for none.")
        family = list(itertools.chain.from_iterable(sets.family for sets in sets_by_metric))
    else:
        family = told_apart(given)
    if not family:
        raise InputError("statistics: there are none. Give those of one metric or more.")
    if len(family[0].systems) < 2:
        raise InputError(
            f"statistics: there is only one system, {family[0].systems[0]!r}; a comparison needs "
            "two."
        )
    _check_same_design(family)
    return sets_by_metric, family


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
    # Two None are equal as well.
    same_strata = np.array_equal(a.strata, b.strata)  # type: ignore[arg-type]
    return same_systems and a.n_segments == b.n_segments and same_strata


def _pairing(sets: ScoredSets) -> pd.DataFrame:
    """The rows of one metric in `SetComparisons.pairing`."""
    overall = sets.overall.select(sets.overall.scores_by_system())  # the better system first
    pairs = pair_indices(len(overall.systems))
    joint = standard_errors(overall, pairs)
    variances = []
    for statistics, weight in zip(sets.each, sets.weights, strict=True):
        errors = standard_errors(statistics.select(overall.systems), pairs)
        variances.append(weight**2 * errors**2)
    independent = np.sqrt(np.sum(variances, axis=0))
    table = pd.DataFrame(pair_differences(overall))[["system_a", "system_b", "difference"]]
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
        _, stratum = np.unique(strata, return_inverse=True)
    stratum_sizes = np.bincount(stratum)
    n_segments = len(document)
    n_documents = len(sizes)
    n_strata = len(stratum_sizes)
    if not n_strata < n_documents < n_segments:
        return np.full((len(values), len(values)), np.nan)
    stratum_means = np.stack([np.bincount(stratum, row) / stratum_sizes for row in values])
    centred = values - stratum_means[:, stratum]
    document_sums = np.stack([np.bincount(document, row) for row in centred])
    document_means = document_sums / sizes
    deviations = centred - document_means[:, document]
    freedom = n_documents - n_strata
    mean_square_within = _squared_differences(deviations) / (n_segments - n_documents)
    mean_square_between = _squared_differences(document_means * np.sqrt(sizes)) / freedom
    # The size of a document in the expectation of the mean square between documents.
    unequal = (np.bincount(stratum, sizes[document]) / stratum_sizes).sum()
    expected_size = (n_segments - unequal) / freedom
    excess = np.maximum(mean_square_between - mean_square_within, 0)
    variance_of_documents = excess / expected_size
    variance = variance_of_documents + mean_square_within
    rounding = 1e-12 * np.abs(values).max() ** 2
    unknown = np.full_like(variance, np.nan)
    return np.divide(variance_of_documents, variance, out=unknown, where=variance > rounding)


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
    # Variances, where that of a segment is 1.
    variance_of_usual_document = correlation + (1 - correlation) / sizes.mean()
    variance_by_documents = correlation * (share**2).sum()
    variance_by_segments = (1 - correlation) * (share**2 / sizes).sum()
    return variance_of_usual_document / (variance_by_documents + variance_by_segments)
