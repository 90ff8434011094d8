"""One metric on several test sets at once: by language pair, by domain, or whatever they are.

The score over all of them is the mean of the scores on each, so that it is a function of sums like
any other.  What is drawn or exchanged is a *source document*, or a source sentence, in all test
sets that have it at once: translations of one text into thirty languages are thirty measurements of
that text, and not thirty texts.  So all test sets' statistics are laid out over the same units,
each with zeros where it has nothing; whatever resamples units then resamples all test sets
together.  :mod:`mtsig_nb.statistics.same_sentences` has how the same units are recognised.
"""
# ruff: noqa: PT028 - test_sets is no test

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, check_one_of, counted, listed
from ..frames import pd
from ..metrics.base import Array, FloatArray, IntArray, Mask
from ..metrics.mean import MacroAverage, SegmentMean
from ..notes import Note, note
from .same_sentences import ByTestSet, Key, shared_units
from .sufficient import Sharing, SufficientStatistics

#: Settings in which a metric may differ from one test set to another: sums do not depend on them.
_MAY_DIFFER = ("tokenize", "source", "resolution")


@dataclasses.dataclass(frozen=True, eq=False)
class ScoredSets:
    """One metric's statistics on several test sets; see :func:`test_sets`.

    Attributes
    ----------
    names : tuple of str
    weights : ndarray, shape (test sets,)
        The weight of each test set in the mean over all: equal weights that add up to 1.
    each : tuple of SufficientStatistics
        Of each test set, over the units of all: documents, or segments.
    overall : SufficientStatistics
        The statistics of the mean over all test sets; for a single test set, its own.  Its
        `sharing` says how many units are in several test sets, and by what evidence; None if there
        are none.
    sizes : ndarray of int, shape (test sets, units)
        How many segments of a test set each unit has.
    segments : tuple of SufficientStatistics
        Of each test set, as they were given.
    unit_of : tuple of ndarray of int
        The number of the unit of each segment, for each test set.
    left_out : dict of str to tuple of str
        Systems that are not compared, and the test sets that lack them.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> pairs = {name: mt.load(f"wmt12/{name}").statistics("BLEU") for name in ("es-en", "fr-en")}
    >>> found = mt.test_sets(pairs, missing="common")
    >>> found
    ScoredSets(BLEU, 9 systems, 2 test sets: es-en, fr-en; 99 documents, worth 60 or more)
    >>> found.left_out["UPC"]
    ('fr-en',)
    >>> round(found.each[0].n_effective), round(found.n_effective)
    (60, 60)
    >>> [s.label for s in found.family], found.unit
    (['BLEU over 2 test sets', 'BLEU on es-en', 'BLEU on fr-en'], 'documents')
    """

    names: tuple[str, ...]
    weights: FloatArray
    each: tuple[SufficientStatistics, ...]
    overall: SufficientStatistics
    sizes: IntArray
    segments: tuple[SufficientStatistics, ...]
    unit_of: tuple[IntArray, ...]
    left_out: dict[str, tuple[str, ...]]

    @property
    def family(self) -> tuple[SufficientStatistics, ...]:
        """What is compared: the mean over all test sets, then each; a single one once."""
        if len(self.each) == 1:
            return (self.overall,)
        return (self.overall, *self.each)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know."""
        notes = []
        if self.left_out:
            systems = listed(list(self.left_out))
            notes.append(note("systems-left-out", n=len(self.left_out), systems=systems))
        if len({s.signature for s in self.segments}) > 1:
            notes.append(note("settings-differ"))
        if self.unit == "segments" and self._all_know_documents:
            notes.append(note("documents-unused"))
        return (*notes, *self._note_on_sizes())

    @property
    def _all_know_documents(self) -> bool:
        """Whether each test set has documents."""
        return all(s.documents is not None for s in self.segments)

    def _note_on_sizes(self) -> list[Note]:
        """That documents of the same name have more segments in one test set than in another."""
        sharing = self.overall.sharing
        if sharing is None or not self._all_know_documents:
            return []
        if self.unit == "segments" and sharing.evidence != "documents":
            return []
        names, sizes = self._sizes_of_documents()
        largest = sizes.max(axis=0)
        more_than_any = largest.max() + 1
        # Of the test sets that have the document.
        smallest = np.where(sizes > 0, sizes, more_than_any).min(axis=0)
        in_several = np.count_nonzero(sizes, axis=0) > 1
        unequal = np.flatnonzero(in_several & (largest != smallest))
        if not len(unequal):
            return []
        first = unequal[0]
        return [
            note(
                "sizes-differ",
                n=len(unequal),
                shared=int(in_several.sum()),
                document=str(names[first]),
                least=smallest[first],
                most=largest[first],
            )
        ]

    def _sizes_of_documents(self) -> tuple[Array, IntArray]:
        """Names of documents, and their numbers of segments, shape (test sets, documents)."""
        if self.unit == "documents":
            return np.asarray(self.overall.documents), self.sizes
        counts = []
        for statistics in self.segments:
            documents = pd.Series(statistics.documents)
            counts.append(documents.value_counts(sort=False))
        sizes = pd.concat(counts, axis=1).fillna(0).astype(int)  # (documents, test sets)
        return sizes.index.to_numpy(), sizes.to_numpy().T

    @property
    def unit(self) -> str:
        """What is resampled."""
        return self.overall.unit

    @property
    def n_effective(self) -> float:
        """The smallest number of units of equal weight with as much information as the test sets.

        The weight w of a unit in the mean is its share of each test set's segments.  If all
        segments of a document had the same difference, it would be ``(Σw)² / Σw²`` (Kish 1965,
        section 11.7).  If they had nothing in common, the variance of a document's mean would fall
        with its number of segments.  The lower of the two is a bound for anything between them,
        provided that means of units in more test sets do not vary less; :func:`compare_all`
        estimates how alike segments are.
        """
        weights = self.overall.sizes
        if weights is None:
            return self.overall.n_effective
        n = self.sizes.max(axis=0)
        w = weights / weights.sum()
        if_unlike = 1 / (n.mean() * (w**2 / n).sum())
        return float(min(self.overall.n_effective, if_unlike))

    def __repr__(self) -> str:
        label, _, _ = self.overall.label.partition(" over ")
        n_systems = len(self.overall.systems)
        test_sets = counted(len(self.names), "test set")
        return (
            f"ScoredSets({label}, {n_systems} systems, {test_sets}: {listed(self.names)}; "
            f"{self.overall.n_segments} {self.unit}, worth {self.n_effective:.0f} or more)"
        )


def test_sets(
    statistics: Mapping[str, SufficientStatistics],
    *,
    units: str | None = None,
    shared: bool | None = None,
    missing: str = "raise",
) -> ScoredSets:
    """Several test sets as one: for one verdict over all of them, and one on each.

    Parameters
    ----------
    statistics : mapping of str to SufficientStatistics
        Statistics of one metric, by the names of the test sets.
    units : {"documents", "segments"}, optional
        What is resampled; by default documents if they are known in all test sets.
    shared : bool, optional
        Whether documents, or segments, that coincide in different test sets are the same, and are
        drawn or exchanged in all of them together.  By default texts and names decide, as
        :mod:`mtsig_nb.statistics.same_sentences` explains.  If only row numbers coincide, it is not
        known: see the notes.  With True, equal numbers also mean the same segment; with False, test
        sets are independent.
    missing : {"raise", "common"}
        What happens to systems that some test set lacks: an error names them, or they are left out
        of all test sets.

    Returns
    -------
    ScoredSets
        For :func:`compare_all`.

    Raises
    ------
    InputError
        If metrics differ, fewer than two systems are in all test sets, documents are not known, a
        test set has a single one, or `shared` is True and nothing shows which units are shared.

    Notes
    -----
    Where it cannot be known whether test sets share their sentences, ``overall.sharing.otherwise``
    has the scores as if they did not, and :func:`compare_all` makes both comparisons: each pair
    over all test sets gets the larger p-value and the wider interval.  If outputs are exchanged,
    the larger p-value keeps its level in either case, provided that the test does when sharing is
    known: exchanging independent segments of the same number together is as good a way of
    exchanging them as any other.  For bootstraps and intervals it is only a cautious choice.
    Functions of a single pair use `overall` as it is, as if the sentences were the same.

    Approximate randomization exchanges the outputs of two systems for a source document in all test
    sets at once.  It is exact if any set of documents might have had its outputs exchanged in this
    way, however the languages of a document depend on each other, and it is the recommended test.
    The error rates of tests of the mean were counted with WMT25's documents, two of which have a
    quarter of the segments (``docs/trust/languages.md``; for a level of 5 %, and equally good
    systems that are not exchangeable): approximate randomization errs in 5 % if effects of
    documents are normal.  It errs in 6 % if their skewness is 2 and languages share a tenth of
    their variance, which is near the median of neighbours in WMT25.  It does not keep its level if
    effects are more skewed and languages share more of them: 8 % with half of the variance, 12 %
    with a skewness of 4.  The studentised bootstrap errs in 3 to 4 % where approximate
    randomization keeps its level, and about as often as that where it does not.  The shifted
    bootstrap errs in 9 % or more and the paired one in more than 7 %, whether skewed or not.

    If the difference is much the same in all test sets, a test of the mean finds differences that
    corrected tests of each test set do not.  It may miss a difference in only one of them.  If you
    ask about the mean alone, compare `overall` alone: in one family with every test set, it is
    corrected for all of them.

    A bootstrap draws a source document for all test sets at once.  It draws within groups of
    documents that are in the same test sets, as many as there are, so every test set keeps its
    number of documents.  A document that is alone in its group is drawn with the largest group that
    shares a test set with it, and the number of documents of the other test sets may then change,
    even to none.  Groups are treated as fixed: from a group of n documents a bootstrap has (n - 1)
    / n of the right variance.  If most documents are in small groups, its intervals are too short,
    and approximate randomization, which does not depend on groups, is to be preferred.

    References
    ----------
    Noreen 1989 for the exchanges, Kish 1965 for the effective number.  Dror, Baumer, Bogomolov &
    Reichart 2017 count in how many data sets a system is better, one verdict each.

    Examples
    --------
    Two languages into which the same four documents were translated:

    >>> import numpy as np, pandas as pd
    >>> import mtsig_nb as mt
    >>> def scores(seed):
    ...     gains = np.random.default_rng(seed).normal(0.1, 0.1, 40)
    ...     rows = [(s, i, i // 10, s * gains[i]) for s in (0, 1) for i in range(40)]
    ...     frame = pd.DataFrame(rows, columns=["system", "segment", "document", "COMET"])
    ...     return mt.from_segment_scores(frame, score="COMET", document="document")
    >>> both = mt.test_sets({"en-ja": scores(1), "en-cs": scores(2)})
    >>> both
    ScoredSets(COMET, 2 systems, 2 test sets: en-ja, en-cs; 4 documents, worth 4 or more)
    >>> mt.compare_all(both, correction=None, rng=1).overall.table["pvalue"].item()  # 2 of 2**4
    0.125
    """
    check_one_of("missing", missing, ("raise", "common"))
    _check_statistics(statistics)
    systems, left_out = _systems(statistics, missing)
    coarsest_step = max(s.metric.quantum for s in statistics.values())
    given = {}
    for test_set, s in statistics.items():
        given[str(test_set)] = _on_grid(s.select(systems), coarsest_step)
    _check_metrics(given)
    unit = _resampled_unit(given, units)
    common_units = shared_units(given, unit, shared)
    for name, keys in zip(given, common_units.keys, strict=True):
        if len(set(keys)) < 2:
            raise InputError(f"statistics[{name!r}] has only one of its {unit}; it needs two.")
    sets = _laid_out(given, unit, common_units.keys)
    if_apart = None
    if common_units.otherwise is not None:
        if_apart = _laid_out(given, unit, common_units.otherwise)
    sets = _with_sharing(sets, common_units.evidence, if_apart)
    return dataclasses.replace(sets, left_out=left_out)


def _with_sharing(sets: ScoredSets, evidence: str, if_apart: ScoredSets | None) -> ScoredSets:
    """The test sets with what is known of the units that several of them have, if any do.

    Parameters
    ----------
    sets : ScoredSets
    evidence : str
        What shows that units are shared.
    if_apart : ScoredSets, optional
        The test sets over the units that there are if the evidence misleads.
    """
    is_shared = np.count_nonzero(sets.sizes, axis=0) > 1
    if not is_shared.any():
        return sets
    n_shared = int(is_shared.sum())
    otherwise: Sequence[SufficientStatistics | None] = [None] * len(sets.family)
    if if_apart is not None:
        otherwise = if_apart.family
    family = []
    for statistics, statistics_if_apart in zip(sets.family, otherwise, strict=True):
        sharing = Sharing(evidence, n_shared, statistics_if_apart)
        family.append(dataclasses.replace(statistics, sharing=sharing))
    overall, *each = family
    return dataclasses.replace(sets, overall=overall, each=tuple(each))


def _laid_out(given: ByTestSet, unit: str, keys: Sequence[Sequence[Key]]) -> ScoredSets:
    """Test sets over common units; `keys` has the unit of each segment, for each test set."""
    names = tuple(given)
    units = list(dict.fromkeys(itertools.chain.from_iterable(keys)))
    number_of = {key: number for number, key in enumerate(units)}
    unit_of = tuple(np.array([number_of[key] for key in keys_of_set]) for keys_of_set in keys)
    sizes = np.stack([np.bincount(numbers, minlength=len(units)) for numbers in unit_of])
    values = _values_over_units(given, unit, unit_of, len(units))
    documents = _names_of_documents(units) if unit == "documents" else None
    each = _each_over_units(given, unit, values, sizes, documents)
    label = next(iter(given.values())).label
    weights = np.full(len(names), 1 / len(names))
    overall = dataclasses.replace(each[0], title=label)  # a single test set's own
    if len(names) > 1:
        shares = sizes / sizes.sum(axis=1, keepdims=True)
        overall = dataclasses.replace(
            each[0],
            metric=MacroAverage(each[0].metric, names),
            values=values.reshape(*values.shape[:2], -1),
            title=f"{label} over {len(names)} test sets",
            sizes=weights @ shares,
            test_set="",
        )
    return ScoredSets(
        names=names,
        weights=weights,
        each=each,
        overall=overall,
        sizes=sizes,
        segments=tuple(given.values()),
        unit_of=unit_of,
        left_out={},
    )


def _values_over_units(
    given: ByTestSet, unit: str, unit_of: Sequence[IntArray], n_units: int
) -> FloatArray:
    """All test sets' statistics over common units, shape (systems, units, test sets, counts).

    They are zero where a test set has nothing of a unit.  `unit_of` has the number of each
    segment's unit, for each test set.
    """
    first = next(iter(given.values()))
    shape = (len(first.systems), n_units, len(given), len(first.metric.columns))
    values = np.zeros(shape)
    for k, statistics in enumerate(given.values()):
        units_of_set = pd.unique(unit_of[k])  # in the order of `by_unit`
        values[:, units_of_set, k] = statistics.by_unit(unit).values
    return values


def _each_over_units(
    given: ByTestSet, unit: str, values: FloatArray, sizes: IntArray, documents: Array | None
) -> tuple[SufficientStatistics, ...]:
    """The statistics of each test set over common units, as `_values_over_units` has them.

    Their grid is so coarse that sums of as many draws as there are units are exact.
    """
    n_units = values.shape[1]
    largest_sum = float(np.abs(values).max()) * n_units
    _, n_bits = math.frexp(largest_sum)
    step = 2.0 ** (n_bits - 53)
    strata = _strata_of_units(sizes > 0)
    label = next(iter(given.values())).label
    each = []
    for k, (name, statistics) in enumerate(given.items()):
        over_units = dataclasses.replace(
            statistics,
            title=f"{label} on {name}",
            values=values[:, :, k],
            sizes=sizes[k].astype(np.float64),
            documents=documents,
            strata=strata,
            unit=unit,
            segment_names=None,
            texts=None,
        )
        each.append(_on_grid(over_units, step))
    return tuple(each)


def _names_of_documents(keys: Sequence[Key]) -> Array:
    """What documents are called: with their test set's name if only some test sets have them."""
    is_mixed = len({test_set for test_set, _ in keys}) > 1
    names = []
    for test_set, document in keys:
        is_named = is_mixed and test_set != ""  # which stands for what several share
        names.append(f"{test_set}/{document}" if is_named else document)
    return np.array(names)


test_sets.__test__ = False  # type: ignore[attr-defined]  # no test, whatever its name


def _check_statistics(statistics: Mapping[str, SufficientStatistics]) -> None:
    """Raise `InputError` unless there is a test set or more, each with statistics of its own."""
    if not isinstance(statistics, Mapping) or not statistics:
        raise InputError("statistics: give a mapping, those of each test set under its name.")
    for name, s in statistics.items():
        if not isinstance(s, SufficientStatistics) or s.strata is not None:
            raise InputError(f"statistics[{name!r}] must be SufficientStatistics without strata.")


def _systems(given: ByTestSet, missing: str) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The systems that are in all test sets; and of each other one, the test sets that lack it."""
    systems_of_sets = [s.systems for s in given.values()]
    systems = list(dict.fromkeys(itertools.chain.from_iterable(systems_of_sets)))
    left_out = {}
    for system in systems:
        lacking = [str(name) for name, s in given.items() if system not in s.systems]
        if lacking:
            left_out[system] = tuple(lacking)
    common = [system for system in systems if system not in left_out]
    n_systems = len(systems)
    if left_out and missing == "raise":
        described = [f"{system!r} ({listed(lacking)})" for system, lacking in left_out.items()]
        raise InputError(
            f"statistics: {len(left_out)} of {n_systems} systems are missing in some test sets: "
            f"{listed(described)}. missing='common' compares the {len(common)} that are in all."
        )
    if len(common) < 2:
        raise InputError(f"statistics: {len(common)} of {n_systems} systems are in all test sets.")
    return common, left_out


def _on_grid(s: SufficientStatistics, step: float) -> SufficientStatistics:
    """The statistics of a mean on a grid that is no finer; others as they are."""
    if not isinstance(s.metric, SegmentMean) or s.metric.resolution >= step:
        return s
    coarser = dataclasses.replace(s.metric, resolution=step)
    return dataclasses.replace(s, metric=coarser)


def _check_metrics(given: ByTestSet) -> None:
    """Raise `InputError` unless all test sets were scored by the same metric."""
    first, *others = given
    for name in others:
        if _what_must_agree(given[name]) != _what_must_agree(given[first]):
            raise InputError(
                f"statistics: {given[name].label} on {name!r} differs from that on {first!r}."
            )


def _what_must_agree(s: SufficientStatistics) -> tuple[Any, ...]:
    """What has to be the same for scores of two test sets to be averaged."""
    metric = s.metric
    settings = dict(metric.settings)
    for name in _MAY_DIFFER:
        settings.pop(name, None)
    return type(metric), s.label, metric.columns, metric.higher_is_better, settings


def _resampled_unit(given: ByTestSet, units: str | None) -> str:
    """What is resampled: documents where all test sets know theirs, unless segments are asked for.

    Raises
    ------
    InputError
        If documents are to be resampled and not all of them are known.
    """
    check_one_of("units", units or "documents", ("documents", "segments"))
    unknown = [name for name, s in given.items() if s.documents is None]
    nobody_knows = len(unknown) == len(given)
    if units == "segments" or (units is None and nobody_knows):
        return "segments"
    if unknown:
        raise InputError(f"units: documents of {listed(unknown)} are not known. Use 'segments'.")
    return "documents"


def _strata_of_units(present: Mask) -> IntArray | None:
    """The stratum of each unit: a bootstrap draws those together that lie in the same test sets.

    A unit that would be alone in its stratum joins the largest one that has a test set in common
    with it.

    Parameters
    ----------
    present : ndarray of bool, shape (test sets, units)
        Whether each unit lies in each test set.

    Returns
    -------
    ndarray of int, shape (units,), or None
        None where all units are in one stratum.
    """
    # A row of `patterns` says in which test sets the units of a stratum lie, (strata, test sets).
    patterns, inverse, n_units = np.unique(
        present.T, axis=0, return_inverse=True, return_counts=True
    )
    stratum_of = inverse.ravel()
    for single in np.flatnonzero(n_units == 1):
        if n_units[single] != 1:
            continue  # another has joined it
        has_common_test_set = (patterns & patterns[single]).any(axis=1)
        has_common_test_set[single] = False
        joined = int(np.argmax(np.where(has_common_test_set, n_units, 0)))
        stratum_of[stratum_of == single] = joined
        patterns[joined] |= patterns[single]
        n_units[joined] += 1
        n_units[single] = 0
    return stratum_of if len(np.unique(stratum_of)) > 1 else None


__all__ = ["ScoredSets", "test_sets"]
