"""What tests over many test sets say, counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.options import ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.sharing import other_layouts
from mtsig_nb.simulate import tallies

from .of_pairs import our_tests
from .rows import INTERVALS, RESAMPLES, Row, Seed, of_units, rejections, row_of, row_of_test
from .worlds import Sets, Setting

#: Holm's correction over 26 test sets can still reach .01 with so many resamples.
RESAMPLES_FOR_MANY = 2999
#: Of documents' effects in one language these are so many standard deviations.
DIFFERENCES = (0.0, 0.15, 0.3)


def many_test_sets(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests of the mean over them, alone and beside a test on each."""
    yield from our_tests(setting, sets, seed)
    rows = one_or_many(setting, seed)
    yield from of_units(sets.pairs.unit, rows)


def same_sentences(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests of the mean over test sets by default, and one that takes them as independent."""
    by_default = tests_of_sharing(sets.pairs, seed(2))
    yield from of_units("segments, by default", by_default)
    many = sets.many
    assert many is not None
    by_name = dict(zip(many.names, many.segments, strict=True))
    apart = mt.test_sets(by_name, shared=False)
    test = PROCEDURES["approximate-randomization"]
    pvalues = mt.simulate.null_pvalues(apart.overall, test.name, n_resamples=RESAMPLES, rng=seed(2))
    row = row_of_test(test.name, test.title, pvalues)
    yield from of_units("languages taken as independent", [row])


def tests_of_sharing(pairs: mt.SufficientStatistics, seed: int) -> Iterator[Row]:
    """Tests of the mean over test sets: the largest p under all ways of sharing sentences."""
    options = ResamplingOptions(n_resamples=RESAMPLES, rng=seed, exact=False)
    names = list(PROCEDURES)
    layouts = [pairs, *other_layouts([pairs])]
    by_layout = [tallies(layout, names, options) for layout in layouts]
    for name, procedure in PROCEDURES.items():
        title = procedure.title
        pvalues = [by_title[title].pvalues for by_title in by_layout]
        largest = np.max(pvalues, axis=0)
        yield row_of_test(name, title, largest, candidate=procedure.valid)


def one_or_many(setting: Setting, seed: Seed) -> Iterator[Row]:
    """One test of the mean over all test sets beside one on each, where one system is better.

    With a difference of zero it is false claims that are counted.
    """
    if not setting.differing:
        return
    for k, difference in enumerate(DIFFERENCES):
        sets = setting.make(INTERVALS, seed(5, k), difference)
        pvalues = []
        for statistics in sets.many.family:
            pvalues_of_set = mt.simulate.null_pvalues(
                statistics,
                "approximate-randomization",
                n_resamples=RESAMPLES_FOR_MANY,
                rng=seed(6, k),
            )
            pvalues.append(pvalues_of_set)
        for claim in claims_over_test_sets(np.array(pvalues)):
            yield row_of(
                "verdicts",
                f"{claim.name}, {difference:g}",
                f"difference {difference:g}: {claim.title}",
                np.size(claim.pvalues),
                rejections(claim.pvalues),
                difference=difference,
            )


class Claim(NamedTuple):
    """A way to claim a difference over test sets, and for each pair the p-value that decides."""

    name: str
    title: str
    pvalues: FloatArray


def claims_over_test_sets(pvalues: FloatArray) -> list[Claim]:
    """All ways to claim a difference over test sets.

    `pvalues` has shape (1 + test sets, pairs); the first are those of the mean over all.
    """
    overall = pvalues[0]
    single = pvalues[1:]
    among_all, *_ = adjusted_by_holm(pvalues)
    corrected = adjusted_by_holm(single)
    # More than half of the test sets have a p-value as small as the one in the middle.
    middle = len(single) // 2
    half_corrected = np.sort(corrected, axis=0)[middle]
    half = np.sort(single, axis=0)[middle]
    return [
        Claim("overall", "the mean over all", overall),
        Claim("family", "the mean over all, Holm with the single ones", among_all),
        Claim("one", "one test set alone", single[0]),
        Claim("any-holm", "any test set, Holm", corrected.min(axis=0)),
        Claim("half-holm", "more than half of the test sets, Holm", half_corrected),
        Claim("any", "any test set, uncorrected", single.min(axis=0)),
        Claim("half", "more than half of the test sets, uncorrected", half),
    ]


def adjusted_by_holm(pvalues: FloatArray) -> FloatArray:
    """Holm's adjusted p-values, each column a family of its own."""
    adjusted = [mt.adjust_pvalues(family, "holm") for family in pvalues.T]
    return np.column_stack(adjusted)
