"""How all pairs of systems are tested at once, and corrected for their number.

`compare_all` and its options are in `options`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.tallies import Run, run
from ..errors import InputError
from ..metrics.base import Indices
from ..notes import Note, note, together
from ..sentences import Option, Sentence
from ..statistics.doubts import notes_on_twins
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics, pair_indices
from ..tables.rows import Rows, rows_from
from .actual_size import (
    FEWEST,
    MIXES_NOTHING,
    USUAL,
    ActualSize,
    note_on_unreliable,
    notes_on_sizes,
)
from .comparisons import Comparisons, conclusion_words
from .corrections import (
    adjusted_pvalues,
    check_correction,
    note_on_arrangements,
    note_on_few_resamples,
    straddling,
)
from .intervals import Bounds, family_limits
from .one_pair import FEW_UNITS, documents_note, notes_on_pair
from .over_test_sets import families, over_test_sets
from .results import format_pvalue, notes_on_degenerate, pair_differences, test_fields
from .sharing import more_cautious, notes_on_sharing, other_layouts

if TYPE_CHECKING:
    from .options import TestOptions

#: Below this many units the bootstrap's family-wise error was found above its level by half.
FEW_FOR_THE_BOOTSTRAP = 200


def compare_by(
    options: TestOptions,
    statistics: SufficientStatistics | ScoredSets | Sequence[SufficientStatistics | ScoredSets],
) -> Comparisons:
    """What `compare_all` does, by options that are made already.

    Parameters
    ----------
    options : TestOptions
        With a correction and units that are named, and not those that suit the data.
    statistics : SufficientStatistics or ScoredSets, or sequence of them

    Raises
    ------
    InputError
        As `compare_all` does.
    """
    units = options.units
    check_correction(options.correction, options)
    sets, family = families(statistics)
    if sets and not (isinstance(units, str) and units in ("segments", sets[0].unit)):
        raise InputError(
            Sentence(
                Option("units", units),
                f": these test sets were put together with units={sets[0].unit!r}.",
            )
        )
    compare = partial(_compared, options=options, named_by_metric=bool(sets))
    comparisons = compare(family)
    otherwise = other_layouts(family)
    if otherwise:
        comparisons = more_cautious(comparisons, compare(otherwise), family)
    notes = (*notes_on_sharing(family), *comparisons.notes)
    comparisons = dataclasses.replace(comparisons, notes=notes)
    return over_test_sets(comparisons, sets) if sets else comparisons


def _compared(
    statistics: Sequence[SufficientStatistics], *, options: TestOptions, named_by_metric: bool
) -> Comparisons:
    """All pairs under all metrics, in the units that they have.

    `named_by_metric` is whether notes on pairs name the metric as well.
    """
    design = options.design()
    pairs = pair_indices(len(statistics[0].systems))
    adjusted = lru_cache(1)(partial(adjusted_pvalues, correction=options.correction))
    undecided = partial(_undecided, adjusted=adjusted, alpha=options.alpha)
    # Best first, under each metric: in every pair the first system is the better one.  They get no
    # name, which would keep segments in memory after the run has grouped them into documents.
    done = run(
        design,
        [s.select(s.scores_by_system()) for s in statistics],
        pairs,
        undecided=undecided,
    )
    ranked = done.statistics
    sizes = [
        ActualSize.of(s, pairs, differing, options.procedure, options.alternative, tally)
        for s, differing, tally in zip(ranked, done.differing, done.tallies, strict=True)
    ]
    rows = _rows(done, adjusted(done), options.alpha, sizes)
    labelled = {s.label: s for s in ranked}
    bounds = _bounds(labelled, options)
    limits_by_metric = {}
    if options.interval is not None:
        level = (options.confidence_level, options.interval)
        rows["ci_low"], rows["ci_high"] = family_limits(bounds, rows, *level).T
        for metric, bounds_of_metric in bounds.items():
            limits = bounds_of_metric.of_scores(*level)
            limits_by_metric[metric] = dict(zip(labelled[metric].systems, limits, strict=True))
    on_sizes: tuple[Note, ...] = ()
    if options.procedure.valid:
        names = _names_of_pairs(rows, with_metric=named_by_metric)
        on_sizes = notes_on_sizes(sizes, names, options.alpha)
    on_metrics = dict.fromkeys(itertools.chain.from_iterable(s.notes for s in ranked))
    return Comparisons(
        **test_fields(design, ranked[0]),
        rows=rows,
        scores_by_metric={label: s.scores_by_system() for label, s in labelled.items()},
        limits_by_metric=limits_by_metric,
        higher_is_better={label: s.metric.higher_is_better for label, s in labelled.items()},
        correction=options.correction,
        alpha=options.alpha,
        interval=options.interval,
        confidence_level=options.confidence_level if bounds else None,
        interval_resamples=options.interval_resamples if bounds else 0,
        metric_signatures={label: s.signature for label, s in labelled.items()},
        notes=(*on_metrics, *_family_notes(done, options), *on_sizes),
    )


def _undecided(
    done: Run, n_resamples: int, *, adjusted: Callable[[Run], dict[str, Any]], alpha: float
) -> list[Indices]:
    """Pairs whose conclusion so many resamples could turn, for each metric."""
    pvalues = adjusted(done)
    # Distinguished although no resample was as extreme: the p-value has allowed for the next.
    is_clear = pvalues["at_floor"] & (pvalues["pvalue_adjusted"] <= alpha)
    is_open = straddling(pvalues, alpha) & ~is_clear
    return [np.flatnonzero(of_metric) for of_metric in np.split(is_open, len(done.tallies))]


def _bounds(
    labelled: Mapping[str, SufficientStatistics], options: TestOptions
) -> dict[str, Bounds]:
    """What intervals are made from, by metric; nothing where there are to be none."""
    if options.interval is None:
        return {}
    bounds = {}
    for label, s in labelled.items():
        bounds[label] = Bounds.of(
            s,
            n_resamples=options.interval_resamples,
            seed=options.seed,
            executor=options.executor,
        )
    return bounds


def _names_of_pairs(rows: Rows, *, with_metric: bool) -> list[str]:
    """What a note calls the pair of each row."""
    names = rows["system_a"] + " against " + rows["system_b"]
    if with_metric:
        names += ", " + rows["metric"]
    return list(names)


def _rows(done: Run, adjusted: dict[str, Any], alpha: float, sizes: list[ActualSize]) -> Rows:
    """The rows of `Comparisons`, without intervals."""
    differences = [pair_differences(s) for s in done.statistics]
    labels = np.array([s.label for s in done.statistics], dtype=object)
    columns = {"metric": np.repeat(labels, len(done.pairs[0]))}
    for name in differences[0]:
        columns[name] = np.concatenate([of_metric[name] for of_metric in differences])
    n_rows = len(columns["metric"])
    columns["ci_low"] = np.full(n_rows, np.nan)
    columns["ci_high"] = np.full(n_rows, np.nan)
    columns |= adjusted
    columns["n_resamples"] = np.concatenate([tally.n_resamples for tally in done.tallies])
    columns["size_at_05"] = np.concatenate([size.at(USUAL) for size in sizes])
    columns["conclusion"] = conclusion_words(columns, alpha)
    columns["note"] = np.empty(n_rows, dtype=object)
    rows = rows_from(columns)
    rows["note"] = np.array(_pair_notes(done, rows, alpha, sizes), dtype=object)
    return rows


def _pair_notes(done: Run, rows: Rows, alpha: float, sizes: list[ActualSize]) -> list[Note]:
    """For each row the notes on its pair, as one note."""
    is_straddling = straddling(rows, alpha)
    n_pairs = len(done.pairs[0])
    notes = []
    for m, size in enumerate(sizes):
        # Each is asked of all pairs together: what costs as much as all pairs must not be asked
        # once a pair.
        in_family_note = size.too_large(alpha)
        is_unreliable = size.is_unreliable(alpha)
        size_at_alpha = size.at(alpha)
        is_off = size.off
        first = m * n_pairs
        for k in range(n_pairs):
            row = rows[first + k]
            is_open = is_straddling[first + k]
            on_pair = _notes_on_differing(
                done, m, k, row, size, in_family_note=bool(in_family_note[k])
            )
            if is_unreliable[k]:
                on_pair.append(note_on_unreliable(float(size_at_alpha[k]), alpha))
            if is_off[k] and not (n_pairs == 1 and in_family_note[k]):
                on_pair.append(size.mixing(k, MIXES_NOTHING))
            on_pair += _notes_on_counting(done, m, k, row, is_open=is_open)
            notes.append(together(on_pair))
    return notes


def _notes_on_differing(
    done: Run, m: int, k: int, row: np.void, size: ActualSize, *, in_family_note: bool
) -> list[Note]:
    """Notes on pair `k` under metric `m` where few units differ, or there are few.

    `in_family_note` is whether the family's note counts the pair: it says more.
    """
    statistics = done.statistics[m]
    differing = int(done.differing[m][k])
    few_differ = differing < FEWEST
    few_units = statistics.present.sum() < FEW_UNITS and not in_family_note
    if not (few_differ or few_units):
        return []
    pair = statistics.select([row["system_a"], row["system_b"]])
    rule = done.design.options.rule
    return list(notes_on_pair(pair, differing, size if few_differ else None, rule))


def _notes_on_counting(done: Run, m: int, k: int, row: np.void, *, is_open: bool) -> list[Note]:
    """Notes on how the resamples of pair `k` under metric `m` were counted.

    `is_open` is whether the limits of the adjusted p-value are on both sides of the level.
    """
    tally = done.tallies[m]
    n_resamples = int(row["n_resamples"])
    unit = done.statistics[m].unit
    notes = list(notes_on_degenerate(int(tally.degenerate[k]), n_resamples, unit))
    if tally.exact[k]:
        notes.append(note("exact", n=n_resamples))
    elif is_open and not row["at_floor"]:
        low = format_pvalue(row["pvalue_adjusted_low"])
        high = format_pvalue(row["pvalue_adjusted_high"])
        notes.append(note("uncertain", low=low, high=high))
    return notes


def _family_notes(done: Run, options: TestOptions) -> tuple[Note, ...]:
    """Notes on all pairs together: what the test and the correction can show, and on systems."""
    correction = options.correction
    alpha = options.alpha
    ranked = done.statistics
    n_comparisons = len(done.pairs[0]) * len(ranked)
    impossible = note_on_arrangements(done, correction, alpha)
    few = note_on_few_resamples(done.design, correction, n_comparisons, alpha)
    notes = list(few) if impossible is None else [impossible]
    if correction == "romano-wolf" and ranked[0].n_segments < FEW_FOR_THE_BOOTSTRAP:
        notes.append(note("few-for-romano-wolf", n=ranked[0].n_segments, unit=ranked[0].unit))
    if not options.procedure.valid:
        notes.append(note("one-tail"))
    if all(s.is_binary for s in ranked):
        test = ""
        if options.procedure.kind == "shuffle":
            all_exact = all(tally.exact.all() for tally in done.tallies)
            kind = "exact test" if all_exact else "test, its p from shuffles"
            test = f"this is McNemar's {kind}; "
        notes.append(note("yes-or-no", test=test))
    return (*_notes_on_systems(done), *notes, *documents_note(*ranked))


def _notes_on_systems(done: Run) -> list[Note]:
    """Notes on what makes the scores doubtful under any metric, each once."""
    caveats = itertools.chain.from_iterable(s.caveats for s in done.statistics)
    on_twins: dict[tuple[str, ...], Note] = {}
    for statistics, differing in zip(done.statistics, done.differing, strict=True):
        for twins in notes_on_twins(statistics, done.pairs, differing):
            systems = tuple(sorted(twins.values["about"]))
            on_twins.setdefault(systems, twins)
    return [*dict.fromkeys(caveats), *on_twins.values()]
