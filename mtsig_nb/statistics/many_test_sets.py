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
import pandas as pd

from ..errors import InputError, check_one_of, counted, listed
from ..metrics.base import FloatArray, IntArray, Mask
from ..metrics.mean import MacroAverage, SegmentMean
from ..notes import Note, note
from .same_sentences import Key, shared_units
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
        Of each test set in the mean over all: the same, adding up to 1.
    each : tuple of SufficientStatistics
        Of each test set, over the units of all: documents, or segments.
    overall : SufficientStatistics
        Of the mean over all test sets; of a single one its own.  Its `sharing` has how many units
        lie in several test sets and what shows it; None where there are none.
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
        return (self.overall, *self.each) if len(self.each) > 1 else (self.overall,)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know."""
        notes = []
        if self.left_out:
            systems = listed(list(self.left_out))
            notes.append(note("systems-left-out", n=len(self.left_out), systems=systems))
        if len({s.signature for s in self.segments}) > 1:
            notes.append(note("settings-differ"))
        if self.unit == "segments" and all(s.documents is not None for s in self.segments):
            notes.append(note("documents-unused"))
        return (*notes, *self._note_on_sizes())

    def _note_on_sizes(self) -> list[Note]:
        """That documents of the same name have more segments in one test set than in another."""
        sharing = self.overall.sharing
        if sharing is None or any(s.documents is None for s in self.segments):
            return []
        if sharing.evidence != "documents" and self.unit == "segments":
            return []
        if self.unit == "documents":
            names, sizes = np.asarray(self.overall.documents), self.sizes
        else:
            counts = [pd.Series(s.documents).value_counts(sort=False) for s in self.segments]
            table = pd.concat(counts, axis=1).fillna(0).astype(int)
            names, sizes = table.index.to_numpy(), table.to_numpy().T
        several = np.count_nonzero(sizes, axis=0) > 1
        largest = sizes.max(axis=0)
        least = np.where(sizes, sizes, largest.max() + 1).min(axis=0)
        odd = np.flatnonzero(several & (largest != least))
        if not len(odd):
            return []
        first = odd[0]
        sized = {"document": str(names[first]), "least": least[first], "most": largest[first]}
        return [note("sizes-differ", n=len(odd), shared=int(several.sum()), **sized)]

    @property
    def unit(self) -> str:
        """What is resampled."""
        return self.overall.unit

    @property
    def n_effective(self) -> float:
        """So many units of equal weight would tell as much, or more.

        The weight w of a unit in the mean is its share of each test set's segments.  If all
        segments of a document said the same it would be ``(Σw)² / Σw²`` (Kish 1965, section 11.7).
        If they had nothing in common, the variance of a document's mean would fall with its number
        of segments.  The lower of the two is a bound for anything between them, if the means of
        units do not vary less the more test sets they lie in; :func:`compare_all` estimates how
        alike segments are.
        """
        weights = self.overall.sizes
        if weights is None:
            return self.overall.n_effective
        n, share = self.sizes.max(axis=0), weights / weights.sum()
        apart = 1 / (n.mean() * (share**2 / n).sum())
        return float(min(self.overall.n_effective, apart))

    def __repr__(self) -> str:
        label = self.overall.label.partition(" over ")[0]
        return (
            f"ScoredSets({label}, {len(self.overall.systems)} systems, "
            f"{counted(len(self.names), 'test set')}: {listed(self.names)}; "
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
        Those of one metric, by the names of the test sets.
    units : {"documents", "segments"}, optional
        What is resampled; by default documents if all test sets know theirs.
    shared : bool, optional
        Whether documents, or segments, that coincide in different test sets are the same, to be
        drawn or exchanged in all of them together.  By default texts and names decide, as
        :mod:`mtsig_nb.statistics.same_sentences` has it.  Where only numbers coincide that count
        rows, nothing decides: see the notes.  True takes equal numbers, too, for the same segment;
        False takes test sets as independent.
    missing : {"raise", "common"}
        What becomes of systems that some test set lacks: an error that names them, or they are
        left out of all test sets.

    Returns
    -------
    ScoredSets
        For :func:`compare_all`.

    Raises
    ------
    InputError
        If metrics differ, fewer than two systems are in all test sets, documents are not known, a
        test set has a single one, or units are said to be shared and nothing tells which.

    Notes
    -----
    Where it cannot be known whether test sets share their sentences, ``overall.sharing.otherwise``
    has the scores as if they did not, and :func:`compare_all` makes both comparisons: of each pair
    over all test sets the larger p-value and the wider interval stand.  Where outputs are
    exchanged, the larger p-value keeps its level in either case: exchanging independent segments of
    the same number together is as good a way of exchanging them as any other.  For bootstraps and
    intervals it is a rule of caution.  Functions of a single pair take `overall` as it is, as if
    the sentences were the same.

    Approximate randomization exchanges the outputs of two systems for a source document in all test
    sets at once. It is exact if any set of documents might have had its outputs exchanged so,
    however a document's languages hang together, and it is what is recommended. How often tests of
    the mean err was counted with WMT25's documents, of which two have a quarter of the segments
    (``docs/trust.md``; for a level of 5 %, and equally good systems that are not exchangeable):
    approximate randomization in 5 % if what documents do is normal, and in 6 % if its skewness is 2
    and a tenth of its variance the same in all languages, near what neighbours in WMT25 have in the
    median. It does not keep its level where effects are more skewed and more of them is the same: 8
    % with half of the variance, 12 % with a skewness of 4. The studentised bootstrap errs in 3 to 4
    % where approximate randomization keeps its level, and hardly less where that does not. The
    shifted bootstrap errs in 9 % or more and the paired one in more than 7 %, whether skewed or
    not.

    Where the difference is much the same in all test sets, a test of the mean finds what tests of
    each test set, corrected, do not.  A difference in one of them it may miss.  If the mean alone
    is the question, compare `overall` alone: in one family with every test set it has to stand a
    correction for all of them.

    A bootstrap draws a source document for all test sets at once, and as many as there are of those
    that lie in the same test sets, so that every test set keeps its number of documents.  A
    document that is alone in lying where it does is drawn with the largest group that shares a test
    set with it, and the number of documents of the other test sets may then change.  Groups are
    taken as given: from a group of n documents a bootstrap has (n - 1) / n of the right variance.
    Where most documents lie in small groups its intervals are too short, and approximate
    randomization, which does not depend on groups, is to be preferred.

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
    _check(statistics)
    systems, left_out = _systems(statistics, missing)
    coarsest = max(s.metric.quantum for s in statistics.values())
    given = {str(n): _on_grid(s.select(systems), coarsest) for n, s in statistics.items()}
    _check_metrics(given)
    unit = _unit(given, units)
    found = shared_units(given, unit, shared)
    for name, of_set in zip(given, found.keys, strict=True):
        if len(set(of_set)) < 2:
            raise InputError(f"statistics[{name!r}] has a single one of its {unit}.")
    sets = _laid_out(given, unit, found.keys)
    n_shared = int((np.count_nonzero(sets.sizes, axis=0) > 1).sum())
    if n_shared:
        apart: list[SufficientStatistics | None] = [None] * len(sets.family)
        if found.otherwise is not None:
            apart = list(_laid_out(given, unit, found.otherwise).family)
        overall, *each = (
            dataclasses.replace(s, sharing=Sharing(found.evidence, n_shared, otherwise))
            for s, otherwise in zip(sets.family, apart, strict=True)
        )
        sets = dataclasses.replace(sets, overall=overall, each=tuple(each))
    return dataclasses.replace(sets, left_out=left_out)


def _laid_out(
    given: Mapping[str, SufficientStatistics], unit: str, keys: Sequence[Sequence[Key]]
) -> ScoredSets:
    """Test sets over common units; `keys` has the unit of each segment, for each test set."""
    names = tuple(given)
    systems = next(iter(given.values())).systems
    every = list(dict.fromkeys(itertools.chain.from_iterable(keys)))
    place = {key: i for i, key in enumerate(every)}
    unit_of = tuple(np.array([place[key] for key in of_set]) for of_set in keys)
    sizes = np.stack([np.bincount(units, minlength=len(every)) for units in unit_of])
    documents = None
    if unit == "documents":
        several = len({source for source, _ in every}) > 1
        documents = np.array([f"{s}/{d}" if s and several else d for s, d in every])
    first, *_ = given.values()
    label, metric = first.label, first.metric
    values = np.zeros((len(systems), len(every), len(names), len(metric.columns)))
    for k, s in enumerate(given.values()):
        values[:, pd.unique(unit_of[k]), k] = s.by_unit(unit).values
    strata = _patterns(sizes > 0)
    # So coarse that sums of as many draws as there are units are exact.
    step = 2.0 ** (math.frexp(float(np.abs(values).max()) * len(every))[1] - 53)
    common: dict[str, Any] = {"documents": documents, "strata": strata, "unit": unit}
    common |= {"segment_names": None, "texts": None}
    each = []
    for k, (name, s) in enumerate(given.items()):
        counts: dict[str, Any] = {"values": values[:, :, k], "sizes": sizes[k].astype(np.float64)}
        s = dataclasses.replace(s, title=f"{label} on {name}", **counts, **common)
        each.append(_on_grid(s, step))
    overall = dataclasses.replace(each[0], title=label)
    share = np.full(len(names), 1 / len(names))
    if len(names) > 1:
        overall = dataclasses.replace(
            each[0],
            metric=MacroAverage(each[0].metric, names),
            values=values.reshape(len(systems), len(every), -1),
            title=f"{label} over {len(names)} test sets",
            sizes=share @ (sizes / sizes.sum(axis=1, keepdims=True)),
            test_set="",
        )
    segments = tuple(given.values())
    return ScoredSets(names, share, tuple(each), overall, sizes, segments, unit_of, {})


test_sets.__test__ = False  # type: ignore[attr-defined]  # no test, whatever its name


def _check(statistics: Mapping[str, SufficientStatistics]) -> None:
    if not isinstance(statistics, Mapping) or not statistics:
        raise InputError("statistics: give a mapping, those of each test set under its name.")
    for name, s in statistics.items():
        if not isinstance(s, SufficientStatistics) or s.strata is not None:
            raise InputError(f"statistics[{name!r}] must be SufficientStatistics without strata.")


def _systems(
    given: Mapping[str, SufficientStatistics], missing: str
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The systems of all test sets, and who is left out for lack of which."""
    every = dict.fromkeys(system for s in given.values() for system in s.systems)
    lacking = {
        system: tuple(str(n) for n, s in given.items() if system not in s.systems)
        for system in every
    }
    left_out = {system: where for system, where in lacking.items() if where}
    common = [system for system in every if system not in left_out]
    if left_out and missing == "raise":
        described = [f"{system!r} ({listed(where)})" for system, where in left_out.items()]
        raise InputError(
            f"statistics: {len(left_out)} of {len(every)} systems are missing in some test sets: "
            f"{listed(described)}. missing='common' compares the {len(common)} that are in all."
        )
    if len(common) < 2:
        raise InputError(f"statistics: {len(common)} of {len(every)} systems are in all test sets.")
    return common, left_out


def _on_grid(s: SufficientStatistics, step: float) -> SufficientStatistics:
    """The statistics of a mean on a grid that is no finer; others as they are."""
    if not isinstance(s.metric, SegmentMean) or s.metric.resolution >= step:
        return s
    return dataclasses.replace(s, metric=dataclasses.replace(s.metric, resolution=step))


def _check_metrics(given: Mapping[str, SufficientStatistics]) -> None:
    metrics = {}
    for name, s in given.items():
        settings = {k: v for k, v in s.metric.settings.items() if k not in _MAY_DIFFER}
        higher = s.metric.higher_is_better
        metrics[name] = (type(s.metric), s.label, s.metric.columns, higher, settings)
    first, *others = metrics
    for name in others:
        if metrics[name] != metrics[first]:
            raise InputError(f"statistics: {given[name].label} on {name!r} is not as on {first!r}.")


def _unit(given: Mapping[str, SufficientStatistics], units: str | None) -> str:
    check_one_of("units", units or "documents", ("documents", "segments"))
    without = [name for name, s in given.items() if s.documents is None]
    if units == "segments" or (units is None and len(without) == len(given)):
        return "segments"
    if without:
        raise InputError(f"units: documents of {listed(without)} are not known; or 'segments'.")
    return "documents"


def _patterns(present: Mask) -> IntArray | None:
    """Which units lie in the same test sets: a bootstrap keeps the number of each kind.

    None where all do.
    """
    kinds, codes, counts = np.unique(present.T, axis=0, return_inverse=True, return_counts=True)
    codes = codes.ravel()
    for kind in np.flatnonzero(counts == 1):
        if counts[kind] == 1:  # still: another may have joined it
            sharing = (kinds & kinds[kind]).any(axis=1)
            sharing[kind] = False
            joined = int(np.argmax(np.where(sharing, counts, 0)))
            codes[codes == kind] = joined
            kinds[joined] |= kinds[kind]
            counts[joined], counts[kind] = counts[joined] + 1, 0
    return codes if len(np.unique(codes)) > 1 else None


__all__ = ["ScoredSets", "test_sets"]
