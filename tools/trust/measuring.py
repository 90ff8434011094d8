"""What tests, intervals and corrections say in a setting, counted.

Data sets come in parts, each from a seed of its own, so that a part can be made again alone.  A row
is plain data: a group, a name, what it is of, and counts.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from statistics import median
from typing import Any, get_args

import numpy as np
import pandas as pd
import sacrebleu
from sacrebleu import significance
from sacrebleu.significance import estimate_ci
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.options import ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import seed_from
from mtsig_nb.engine.tallies import differing_units
from mtsig_nb.human import PairwisePreferences
from mtsig_nb.human.few_people import prediction_powered
from mtsig_nb.human.variance_components import UNITS, RatingDesign
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray, Indices
from mtsig_nb.notes import code_of
from mtsig_nb.progress import ProgressBar
from mtsig_nb.significance.actual_size import USUAL, ActualSize
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES
from mtsig_nb.significance.intervals import Bounds, ConfidenceInterval, Method, simultaneous_limits
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.significance.other_tools import OTHER_TOOLS, OtherTool
from mtsig_nb.significance.runs import claim_pvalue
from mtsig_nb.significance.sharing import other_layouts
from mtsig_nb.simulate import batches, tallies, uniforms

from ..repository import results
from . import of_people
from .drawing import segment_means
from .rows import (
    CONFIDENCE,
    LEVELS,
    Row,
    Seed,
    members,
    of_units,
    rejections,
    row_of,
    row_of_intervals,
    row_of_test,
)
from .simulated import AtTheMargin, Judged, UnequalRuns
from .worlds import WORLDS, Sets, Setting, World

#: p-values of so many resamples can be .05 and .01 exactly.
RESAMPLES = 999
#: Holm's correction over 26 test sets can still reach .01 with so many resamples.
RESAMPLES_FOR_MANY = 2999
#: Of documents' effects in one language these are so many standard deviations.
DIFFERENCES = (0.0, 0.15, 0.3)
PARTS = 25
#: Data sets in a part; the first so many of them for what is slow, intervals and tests over runs
#: among it; and families, of two pairs each.
PAIRS = 100
INTERVALS = 40
FAMILIES = 20
#: What tests of pairs see where there are several runs, as in most papers.
ONE_RUN = "one run of each"
#: Comparisons of metrics that take pairs of systems, or their segments, for what was sampled.
PAIRS_AS_UNITS = {
    "McNemar": "papers",
    "Cochran's Q": "papers",
    "chi-square": "papers",
    "Clopper-Pearson": "papers",
    "PERM-BOTH": "mt-metrics-eval",
}
#: The pigeonhole bootstrap's source.
OWEN = "Owen 2007"
CLASSICAL = (mt.paired_t_test, mt.signed_rank_test, mt.sign_test)


def part(world: World, setting: Setting, number: int) -> list[Row]:
    """The rows of one part."""

    def seed(*use: int) -> int:
        where = zlib.crc32(f"{world.key}: {setting.label}".encode())
        return seed_from(np.random.SeedSequence([where, number, *use]))

    made = setting.make(setting.n_pairs, seed(0))
    return list(COUNTING[setting.counted](setting, made, seed))


def everything(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """All tests, intervals and corrections, by all units."""
    yield from over_runs(setting, sets, seed)
    for units in setting.units:
        # Drawn as documents, the data sets' own units are documents already.
        own = sets.pairs.unit if units == "segments" else units
        found = itertools.chain(
            tests(sets.pairs, units, seed(2)),
            intervals(sets, units, seed),
            all_intervals(sets.pairs, units, seed),
            corrections(sets.pairs, units, seed),
        )
        yield from of_units(ONE_RUN if sets.runs else own, found)


def long_test_sets(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests alone, where anything else would take too long, and one by its tool's own code."""
    yield from of_units(sets.pairs.unit, tests_of_ours(sets.pairs, "segments", seed(2)))
    own = sacrebleus_own(sets.pairs, setting.n_slow, seed(7))
    yield from of_units(sets.pairs.unit, [own])


def our_tests(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """The package's tests alone, by the data sets' own units."""
    yield from of_units(sets.pairs.unit, tests_of_ours(sets.pairs, "segments", seed(2)))


def by_document(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests and intervals of differences where documents are the units."""
    rows = [*tests_of_ours(sets.pairs, "segments", seed(2)), *intervals(sets, "segments", seed)]
    yield from of_units(sets.pairs.unit, rows)


def yes_or_no(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """All tests and intervals of shares, among them Wilson's, which tables of scores have."""
    statistics = sets.pairs
    assert sets.score is not None
    assert statistics.is_binary
    bounds = Bounds.of(statistics, n_resamples=2, seed=seed(1))
    limits = bounds.of_scores(CONFIDENCE, "percentile").to_numpy()
    n_pairs = len(members(statistics))
    wilson = row_of_intervals("Wilson", "score", limits[:n_pairs], sets.score)
    rows = [
        *tests(statistics, "segments", seed(2)),
        wilson,
        *intervals(sets, "segments", seed),
    ]
    yield from of_units("segments", rows)


def many_test_sets(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests of the mean over them, alone and beside a test on each."""
    yield from of_units(sets.pairs.unit, tests_of_ours(sets.pairs, "segments", seed(2)))
    yield from of_units(sets.pairs.unit, one_or_many(setting, seed))


def same_sentences(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests of the mean over test sets by default, and one that takes them as independent."""
    assert sets.many is not None
    yield from of_units("segments, by default", tests_of_sharing(sets.pairs, seed(2)))
    test_sets = dict(zip(sets.many.names, sets.many.segments, strict=True))
    apart = mt.test_sets(test_sets, shared=False).overall
    exchanging = PROCEDURES["approximate-randomization"]
    p = mt.simulate.null_pvalues(apart, exchanging.name, n_resamples=RESAMPLES, rng=seed(2))
    row = row_of_test(exchanging.name, exchanging.title, p)
    yield from of_units("languages taken as independent", [row])


def tests_of_sharing(pairs: mt.SufficientStatistics, seed: int) -> Iterator[Row]:
    """Tests of the mean over test sets: the largest p under all ways of sharing sentences."""
    options = ResamplingOptions(n_resamples=RESAMPLES, rng=seed, exact=False)
    layouts = [pairs, *other_layouts([pairs])]
    counted = [tallies(layout, list(PROCEDURES), options) for layout in layouts]
    for name, procedure in PROCEDURES.items():
        pvalues = [tally[procedure.title].pvalues for tally in counted]
        largest = np.max(pvalues, axis=0)
        yield row_of_test(name, procedure.title, largest, candidate=procedure.valid)


def tests(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test of the package, and what other tools do on the same data."""
    yield from tests_of_ours(pairs, units, seed)
    one_weight = not np.ptp(pairs.values[..., 1])
    plain_means = isinstance(pairs.metric, SegmentMean) and one_weight
    if plain_means:
        yield from classical_tests(pairs, units)
    if units == "segments":  # no tool has documents
        yield from tests_of_other_tools(pairs, seed)
        if plain_means:
            yield from tests_of_scipy(pairs)


def classical_tests(pairs: mt.SufficientStatistics, units: str) -> Iterator[Row]:
    """The paired t test, and the tests of signs and of ranks."""
    for test in CLASSICAL:
        results = [test(pairs, a, b, units=units) for a, b in members(pairs)]
        pvalues = np.array([result.pvalue for result in results])
        # The other two are about signs and ranks, and may well reject where means agree.
        about_means = test is mt.paired_t_test
        sizes = [result.size_at_05 for result in results] if about_means else None
        name, title = results[0].test, results[0].title
        yield row_of_test(name, title, pvalues, candidate=about_means, sizes=sizes)


def tests_of_other_tools(pairs: mt.SufficientStatistics, seed: int) -> Iterator[Row]:
    """What other tools report."""
    for tool, peer in OTHER_TOOLS.items():
        pvalues = mt.simulate.null_pvalues(
            pairs,
            peer.procedure,
            counting=peer.counting,
            n_resamples=RESAMPLES,
            units="segments",
            rng=seed,
        )
        yield row_of_test(tool, peer.title, pvalues, tool=tool)


def tests_of_scipy(pairs: mt.SufficientStatistics) -> Iterator[Row]:
    """SciPy's own tests of paired scores."""
    first, second = np.split(pairs.segment_scores(), 2)
    t = stats.ttest_rel(first, second, axis=1)
    title = "SciPy's paired t, the p of comet-compare"
    yield row_of_test("scipy-t", title, t.pvalue, tool="scipy")
    ranks = stats.wilcoxon(first, second, axis=1)
    yield row_of_test("scipy-wilcoxon", "SciPy's Wilcoxon", ranks.pvalue, tool="scipy")


def tests_of_ours(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test that resamples."""
    found = [pvalues_and_sizes(batch, units, seed) for batch in batches(pairs)]
    for name, procedure in PROCEDURES.items():
        pvalues = np.concatenate([batch[name][0] for batch in found])
        estimated = np.concatenate([batch[name][1] for batch in found])
        valid = procedure.valid
        sizes = estimated if valid else None
        yield row_of_test(name, procedure.title, pvalues, candidate=valid, sizes=sizes)


def pvalues_and_sizes(
    pairs: mt.SufficientStatistics, units: str, seed: int
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """p-values of every test on all pairs, and what results estimate its size to be."""
    # As in use: enumerated where outputs differ in few units.
    options = ResamplingOptions(n_resamples=RESAMPLES, units=units, rng=seed)
    counted = tallies(pairs, list(PROCEDURES), options)
    grouped = pairs.by_unit(units)
    half = np.arange(len(pairs.systems) // 2)
    halves = (half, half + len(half))
    differing = differing_units(grouped, halves)
    exchanging = PROCEDURES["approximate-randomization"]
    tally = counted[exchanging.title]
    sizes = ActualSize.of(grouped, halves, differing, exchanging, "two-sided", tally)
    return {
        name: (counted[procedure.title].pvalues, sizes.instead(procedure).at(USUAL))
        for name, procedure in PROCEDURES.items()
    }


class Counted(sacrebleu.BLEU):
    """sacreBLEU's BLEU, given what it would have counted in place of texts."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses


def sacrebleus_own(pairs: mt.SufficientStatistics, n_pairs: int, seed: int) -> Row:
    """``--paired-ar`` by sacreBLEU's own code, on the first pairs: its columns of BLEU are ours."""
    metric: sacrebleu.metrics.base.Metric = Counted()
    pvalues = []
    for k, (a, b) in enumerate(members(pairs)[:n_pairs]):
        first, second = pairs.select([a, b]).values.astype(int)
        score = metric._aggregate_and_compute(first).score
        _, found = significance._paired_ar_test(
            {"BLEU": (first, significance.Result(score))},
            b,
            second,
            None,
            {"BLEU": metric},
            n_samples=RESAMPLES,
            seed=(seed + k) % 2**32,
        )
        pvalue = found["BLEU"].p_value or np.nan
        pvalues.append(float(pvalue))
    title = f"{OTHER_TOOLS['sacrebleu-ar'].title}, by its own code"
    return row_of_test("sacrebleu-own", title, pvalues, tool="sacrebleu")


def intervals(sets: Sets, units: str, seed: Seed) -> Iterator[Row]:
    """Every method of interval, for the difference and for the first system's score."""
    truths = {"difference": 0.0}
    if sets.score is not None:
        truths["score"] = sets.score
    for about, truth in truths.items():
        for method in get_args(Method):
            found = intervals_of_pairs(sets.pairs, about, method, units, seed)
            ends = [(interval.low, interval.high) for interval in found]
            yield row_of_intervals(method, about, ends, truth)
            if about == "score" and method == "percentile":
                yield sacrebleus_intervals(found, truth)


def intervals_of_pairs(
    pairs: mt.SufficientStatistics, about: str, method: Method, units: str, seed: Seed
) -> list[ConfidenceInterval]:
    """Intervals of the first pairs, about their ``"difference"`` or the first system's score."""
    found = []
    for k, (a, b) in enumerate(members(pairs)[:INTERVALS]):
        other = b if about == "difference" else None
        interval = mt.confidence_interval(
            pairs,
            a,
            other,
            method=method,
            confidence_level=CONFIDENCE,
            n_resamples=RESAMPLES,
            units=units,
            rng=seed(3, k),
        )
        found.append(interval)
    return found


def sacrebleus_intervals(found: Sequence[ConfidenceInterval], truth: float) -> Row:
    """What ``sacrebleu --confidence`` prints of the same resamples."""
    ends = []
    for interval in found:
        mean, half_width = estimate_ci(interval.distribution)
        ends.append((mean - half_width, mean + half_width))
    name = "sacreBLEU --confidence, mean ± half width"
    return row_of_intervals(name, "score", ends, truth, tool="sacrebleu")


def family(pairs: mt.SufficientStatistics, k: int) -> mt.SufficientStatistics:
    """Four systems: two pairs of the world."""
    two_pairs = members(pairs)[2 * k : 2 * k + 2]
    return pairs.select(list(itertools.chain(*two_pairs)))


def all_intervals(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """In how many families the intervals of all six differences contain the truth."""
    ends: dict[str, list[tuple[float, float]]] = {"percentile": [], "simultaneous": []}
    for k in range(FAMILIES):
        four_systems = family(pairs, k).by_unit(units)
        bounds = Bounds.of(four_systems, n_resamples=RESAMPLES, seed=seed(4, k))
        differences = pd.DataFrame(
            itertools.combinations(four_systems.systems, 2), columns=["system_a", "system_b"]
        )
        alone = bounds.of_differences(differences, CONFIDENCE, "percentile")
        (together,) = simultaneous_limits([bounds], [differences], CONFIDENCE)
        ends["percentile"].append(innermost(alone))
        ends["simultaneous"].append(innermost(together))
    for kind, found in ends.items():
        row = row_of_intervals(kind, "family", found, 0.0)
        counts = {"covered": row["counts"]["covered"]}  # a family may miss on both sides
        yield {**row, "title": f"{kind}, all of a family together", "counts": counts}


def innermost(limits: FloatArray) -> tuple[float, float]:
    """The largest lower and the smallest upper end: what all intervals of a family contain."""
    return limits[:, 0].max(), limits[:, 1].min()


def corrections(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """Every correction on families of four systems, six comparisons: two pairs of the world."""
    exchanging = "approximate-randomization"

    def pvalues_of(k: int, test: str, correction: str | None) -> FloatArray:
        compared = mt.compare_all(
            family(pairs, k),
            test=test,
            correction=correction,
            n_resamples=RESAMPLES,
            interval=None,
            units=units,
            rng=seed(4, k),
        )
        return compared.table["pvalue_adjusted"].to_numpy()

    single = [pvalues_of(k, exchanging, None) for k in range(FAMILIES)]
    for correction in (None, *OF_PVALUES):
        smallest = [mt.adjust_pvalues(p, correction).min() for p in single]
        yield row_of_correction(correction or "none", exchanging, smallest)
    for correction, draws in OF_RESAMPLES.items():
        test = "bootstrap" if draws == "bootstrap" else exchanging
        smallest = [pvalues_of(k, test, correction).min() for k in range(FAMILIES)]
        yield row_of_correction(correction, test, smallest)


def row_of_correction(correction: str, test: str, smallest: list[float]) -> Row:
    """How many families have a claim or more: their smallest adjusted p-value."""
    shown = "no correction" if correction == "none" else correction
    title = f"{shown}, {PROCEDURES[test].title}"
    return row_of("corrections", correction, title, len(smallest), rejections(smallest))


def between_metrics(setting: Setting, rates: pd.DataFrame, _: Seed) -> Iterator[Row]:
    """Every comparison of two metrics, and every interval."""
    n_worlds = setting.n_pairs
    rows = [*tests_of_metrics(rates["rate"], n_worlds)]
    rows += intervals_of_metrics(rates["coverage"], n_worlds)
    yield from of_units("systems", rows)


def tests_of_metrics(rates: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has a p-value, from its rates by procedure and alpha."""
    procedures = rates.index.unique("procedure")
    by_level = rates.unstack("alpha").reindex(procedures).dropna()
    for name, shares in by_level.iterrows():
        counts = {f"{level:g}": round(shares[level] * n_worlds) for level in LEVELS}
        tool = PAIRS_AS_UNITS.get(str(name), "")
        yield row_of("tests", str(name), str(name), n_worlds, counts, tool=tool, candidate=not tool)


def intervals_of_metrics(coverage: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has an interval, of one accuracy or of the difference."""
    for procedure, share in coverage.xs(LEVELS[0], level="alpha").dropna().items():
        name = str(procedure)
        title = name if ":" in name else f"{name}, of the difference"
        tool = PAIRS_AS_UNITS.get(name.rpartition(": ")[2], "")
        counts = {"covered": round(share * n_worlds)}
        yield row_of("intervals", name, title, n_worlds, counts, tool=tool)


def one_or_many(setting: Setting, seed: Seed) -> Iterator[Row]:
    """One test of the mean over all test sets beside one on each, where one system is better.

    With a difference of zero it is false claims that are counted.
    """
    for k, difference in enumerate(DIFFERENCES if setting.differing else ()):
        many = setting.make(INTERVALS, seed(5, k), difference).many
        pvalues = [
            mt.simulate.null_pvalues(
                statistics,
                "approximate-randomization",
                n_resamples=RESAMPLES_FOR_MANY,
                rng=seed(6, k),
            )
            for statistics in many.family
        ]
        for name, (title, deciding) in claims_over_test_sets(np.array(pvalues)).items():
            yield row_of(
                "verdicts",
                f"{name}, {difference:g}",
                f"difference {difference:g}: {title}",
                np.size(deciding),
                rejections(deciding),
                difference=difference,
            )


def claims_over_test_sets(pvalues: FloatArray) -> dict[str, tuple[str, FloatArray]]:
    """Ways to claim a difference over test sets: what is claimed, and the p-value that decides.

    `pvalues` has shape (1 + test sets, pairs); the first are those of the mean over all.
    """
    overall = pvalues[0]
    single = pvalues[1:]
    among_all = adjusted_by_holm(pvalues)[0]
    corrected = adjusted_by_holm(single)
    # More than half of the test sets have a p-value as small as the one in the middle.
    middle = len(single) // 2
    half_corrected = np.sort(corrected, axis=0)[middle]
    half = np.sort(single, axis=0)[middle]
    return {
        "overall": ("the mean over all", overall),
        "family": ("the mean over all, Holm with the single ones", among_all),
        "one": ("one test set alone", single[0]),
        "any-holm": ("any test set, Holm", corrected.min(axis=0)),
        "half-holm": ("more than half of the test sets, Holm", half_corrected),
        "any": ("any test set, uncorrected", single.min(axis=0)),
        "half": ("more than half of the test sets, uncorrected", half),
    }


def adjusted_by_holm(pvalues: FloatArray) -> FloatArray:
    """Holm's adjusted p-values, each column a family of its own."""
    return np.stack([mt.adjust_pvalues(family, "holm") for family in pvalues.T], axis=1)


def over_runs(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests that know of several runs; nothing where there is one run of each system."""
    if not sets.runs:
        return
    peer = OTHER_TOOLS["multeval"]
    found = []
    single = []
    for k, statistics in enumerate(sets.runs[:INTERVALS], start=seed(1)):
        half = len(statistics.systems) // 2
        runs = {"A": statistics.systems[:half], "B": statistics.systems[half:]}
        compared = mt.compare_runs(
            statistics, runs, n_resamples=RESAMPLES, bootstrap_resamples=2, rng=k
        )
        found.append(compared)
        single.append(_coin_for_every_output(statistics, half, k, peer))
    methods = np.array([result.pvalue for result in found], dtype=float)  # NaN if there is none
    segment = [result.segment_test.pvalue for result in found]
    run = [result.run_test.pvalue for result in found]
    larger = np.maximum(segment, run)
    title = f"{peer.title.partition(',')[0]}, several runs: a coin for every output"
    rows = [
        row_of_test("methods", "compare_runs, test of the methods", methods, candidate=True),
        row_of_test("both", "compare_runs, the larger p of the next two", larger),
        row_of_test("sets", "compare_runs, test over segments", segment),
        row_of_test("runs", "compare_runs, test over runs", run),
        row_of_test("multeval-runs", title, single, tool="multeval"),
    ]
    yield from of_units("all runs", rows)


@cache
def counting(design: RatingDesign, samples: tuple[str, ...]) -> RatingDesign:
    """The same design with these samples; what follows from them is computed once."""
    return dataclasses.replace(design, samples=samples)


def over_raters(
    _: Setting, made: tuple[pd.DataFrame, RatingDesign, FloatArray], seed: Seed
) -> Iterator[Row]:
    """Tests and intervals that count raters as a sample, or do not."""
    frame, design, values = made
    for k in range(3):
        samples = UNITS[k:3]  # no generations
        units = ", ".join(f"{name}s" for name in samples)
        rows = rows_of_components(f"components-{k}", counting(design, samples), values, not k)
        yield from of_units(units, rows)
    drawn = pigeonhole(frame, values, RESAMPLES, seed(1))
    yield from of_units("raters, documents", rows_of_pigeonhole(drawn))


def rows_of_components(
    name: str, design: RatingDesign, values: FloatArray, candidate: bool
) -> Iterator[Row]:
    """The test and the interval of variance components."""
    found = [design.analyse(ratings, ("a", "b")) for ratings in values]
    title = "variance components, t"
    pvalues = [result.pvalue for result in found]
    yield row_of_test(name, title, pvalues, candidate=candidate)
    ends = [result.interval for result in found]
    yield row_of_intervals(title, "difference", ends, 0.0)


def rows_of_pigeonhole(drawn: FloatArray) -> Iterator[Row]:
    """The test and the interval of resampled differences, shape (pairs, resamples)."""
    n_resamples = drawn.shape[1]
    n_below = (drawn <= 0).sum(axis=1)
    n_above = (drawn >= 0).sum(axis=1)
    fewer = np.minimum(n_below, n_above)
    pvalues = np.minimum(1, 2 * (1 + fewer) / (n_resamples + 1))
    tails = np.array([1 - CONFIDENCE, 1 + CONFIDENCE]) / 2
    limits = np.nanquantile(drawn, tails, axis=1).T
    name = "pigeonhole bootstrap"
    yield row_of_test("pigeonhole", f"{name}, percentile", pvalues, tool=OWEN)
    yield row_of_intervals(name, "difference", limits, 0.0, tool=OWEN)


def pigeonhole(frame: pd.DataFrame, values: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Differences of means on resamples of raters and of documents, (pairs, resamples).

    Either are drawn by themselves, and a rating counts as often as its rater times its document
    (Owen 2007).  NaN where a system is left without a rating.
    """
    raters, n_raters = numbered(frame["rater"])
    documents, n_documents = numbered(frame["document"])
    times_of_raters = times_drawn(n_raters, n_resamples, seed, key=0)
    times_of_documents = times_drawn(n_documents, n_resamples, seed, key=1)
    cells = raters * n_documents + documents
    means = []
    for system in ("a", "b"):
        own = (frame["system"] == system).to_numpy()
        summands = [np.ones(own.sum()), *values[:, own]]
        by_cell = [np.bincount(cells[own], each, n_raters * n_documents) for each in summands]
        sums = np.einsum(
            "prd,br,bd->pb",
            np.array(by_cell).reshape(-1, n_raters, n_documents),
            times_of_raters,
            times_of_documents,
            optimize=True,
        )
        n_ratings = sums[0]
        means.append(sums[1:] / np.where(n_ratings > 0, n_ratings, np.nan))
    return np.asarray(means[0] - means[1])


def numbered(labels: pd.Series) -> tuple[Indices, int]:
    """The number of each label, in order of appearance, and how many there are."""
    codes, unique = pd.factorize(labels)
    return codes, len(unique)


def times_drawn(n: int, n_resamples: int, seed: int, *, key: int) -> FloatArray:
    """How often each of `n` units is drawn with replacement, shape (resamples, units)."""
    drawn = (uniforms((n_resamples, n), seed=seed, key=(key,)) * n).astype(int)
    return np.eye(n)[drawn].sum(axis=1)


def with_a_judge(_: Setting, made: Judged, seed: Seed) -> Iterator[Row]:
    """What people on some segments and a judge on all find, together and each alone."""
    units = "segments" if made.clusters is None else "documents"
    methods = (
        ("prediction-powered", "prediction_powered", None),
        ("people", "people alone", 0.0),
        ("as-people", "prediction_powered, weight 1", 1.0),
    )
    rows = []
    for name, title, weight in methods:
        found = [
            prediction_powered(people, judge, weight=weight, clusters=made.clusters)
            for people, judge in zip(made.people, made.judge, strict=True)
        ]
        pvalues = [result.pvalue for result in found]
        rows.append(row_of_test(name, title, pvalues, candidate=weight is None))
        ends = [result.interval for result in found]
        rows.append(row_of_intervals(title, "difference", ends, 0.0))
    pvalues = stats.ttest_1samp(made.judge, 0, axis=1).pvalue
    rows.append(row_of_test("judge", "the judge alone, t test", pvalues))
    yield from of_units(units, rows)


def with_unequal_runs(_: Setting, made: UnequalRuns, seed: Seed) -> Iterator[Row]:
    """The test of the methods where one has more runs than the other."""
    names = [f"run {k}" for k in range(1, made.scores.shape[1] + 1)]
    pvalues = []
    for scores in made.scores:
        runs = segment_means(scores, names)
        pvalues.append(claim_pvalue(runs, made.n_first, "two-sided"))
    title = "compare_runs, test of the methods"
    pvalues_or_nan = np.array(pvalues, dtype=float)
    row = row_of_test("methods-unequal", title, pvalues_or_nan, candidate=True)
    yield from of_units("all runs", [row])


def at_margin(_: Setting, made: AtTheMargin, seed: Seed) -> Iterator[Row]:
    """How often systems are called equivalent that differ by just the margin."""
    found = []
    for k, differences in enumerate(made.differences):
        scores = np.stack([differences, np.zeros_like(differences)])
        result = mt.equivalence_test(
            segment_means(scores, ("A", "B")),
            "A",
            "B",
            margin=made.margin,
            n_resamples=RESAMPLES,
            rng=seed(1, k),
        )
        found.append(result)
    title = "equivalence_test where the difference is the margin"
    pvalues = [result.pvalue for result in found]
    row = row_of_test("equivalence", title, pvalues, candidate=True)
    warning = {"size-at-margin", "unseen"}
    warned = [result for result in found if warning & {code_of(note) for note in result.notes}]
    row["counts"]["warned"] = len(warned)
    sizes = [result.size_at_margin for result in found]
    row["sizes"] = [size for size in sizes if size is not None]
    yield from of_units("segments", [row])


def by_preferences(_: Setting, made: list[pd.DataFrame], seed: Seed) -> Iterator[Row]:
    """Sign tests and strengths of all pairs, with raters as units and without."""
    asked = [PairwisePreferences(frame) for frame in made]
    for units in ("raters", None):
        over: Any = {"units": units}
        signs = [each.sign_test(**over) for each in asked]
        fits = [each.bradley_terry(ties="half", **over).tests() for each in asked]
        candidate = units is not None
        rows = [
            row_of_test("bradley-terry", "Bradley-Terry", pvalues_in(fits), candidate=candidate),
            row_of_test(
                "preferences-sign",
                "sign test of preferences",
                pvalues_in(signs),
                candidate=candidate,
            ),
        ]
        yield from of_units(units or "comparisons", rows)


def pvalues_in(tests: Sequence[Any]) -> FloatArray:
    """The p-values in the tables of several results."""
    return np.concatenate([test.table["pvalue"] for test in tests])


def _coin_for_every_output(
    runs: mt.SufficientStatistics, half: int, seed: int, peer: OtherTool
) -> float:
    """All runs' outputs scored together, each with a coin of its own; see `reported_by`."""
    n_counts = runs.values.shape[2]
    values = runs.values.reshape(2, half * runs.n_segments, n_counts)
    together = mt.SufficientStatistics(runs.metric, ("A", "B"), values)
    result = run_test(
        peer.procedure,
        together,
        "A",
        "B",
        counting=peer.counting,
        n_resamples=RESAMPLES,
        exact=False,
        rng=seed,
    )
    return result.pvalue


#: What is counted in a setting.
COUNTING: dict[str, Callable[[Setting, Any, Seed], Iterator[Row]]] = {
    "all": everything,
    "tests": long_test_sets,
    "our tests": our_tests,
    "test sets": many_test_sets,
    "sentences": same_sentences,
    "runs": over_runs,
    "metrics": between_metrics,
    "raters": over_raters,
    "few people": with_a_judge,
    "by document": by_document,
    "yes or no": yes_or_no,
    "people's scores": of_people.of_segments,
    "control items": of_people.quality_control,
    "agreement": of_people.by_size,
    "unequal runs": with_unequal_runs,
    "equivalence": at_margin,
    "preferences": by_preferences,
}
#: What is kept of a world beside its counts.
DESCRIBED = ("key", "title", "holds", "function", "remedy")


def run(*, only: Sequence[str] = ()) -> dict[str, Any]:
    """Everything, as it is kept: rows with the counts of all parts, and of the first alone.

    With `only` the worlds of these keys are measured, and of all others what was kept stays; those
    that were never measured are left out.
    """
    before = {}
    if only:
        before = {world["key"]: world["settings"] for world in results.trust()["worlds"]}
    chosen = [world for world in WORLDS if not only or world.key in only]
    settings = before | measured(chosen)
    worlds = []
    for world in WORLDS:
        if world.key in settings:
            described = {name: getattr(world, name) for name in DESCRIBED}
            worlds.append(described | {"settings": settings[world.key]})
    return {"resamples": RESAMPLES, "data_sets": PARTS * PAIRS, "worlds": worlds}


def measured(worlds: Sequence[World]) -> dict[str, list[dict[str, Any]]]:
    """The settings of worlds with their rows, by the worlds' keys; parts are made side by side."""
    settings = [(world, setting) for world in worlds for setting in world.settings]
    tasks = [(*each, number) for each in settings for number in range(PARTS)]
    found: dict[str, list[dict[str, Any]]] = {world.key: [] for world in worlds}
    with ProcessPoolExecutor() as executor:
        made = executor.map(part, *zip(*tasks, strict=True))
        parts = iter(ProgressBar(made, total=len(tasks), description="trust", unit="part"))
        for world, setting in settings:
            rows = kept_rows(list(itertools.islice(parts, PARTS)))
            found[world.key].append({"label": setting.label, "rows": rows})
    return found


def kept_rows(parts: list[list[Row]]) -> list[Row]:
    """The sums over all parts, each with the counts of the first part beside them.

    Of all estimates of a test's size the median is kept.
    """
    kept = []
    for rows in zip(*parts, strict=True):
        first = rows[0]
        assert {row["name"] for row in rows} == {first["name"]}
        total = {name: value for name, value in first.items() if name != "sizes"}
        total["of"] = sum(row["of"] for row in rows)
        total["counts"] = {
            name: sum(row["counts"][name] for row in rows) for name in first["counts"]
        }
        sizes = list(itertools.chain(*(row.get("sizes", ()) for row in rows)))
        if sizes:
            total["estimated"] = round(median(sizes), 4)
        kept.append(total | {"first": first["counts"]})
    return kept


def to_json(kept: dict[str, Any]) -> str:
    """A row a line, so that a change of one shows as one."""

    def one_line(row: re.Match[str]) -> str:
        return json.dumps(json.loads(row[0]), ensure_ascii=False)

    text = json.dumps(kept, indent=1, ensure_ascii=False)
    return re.sub(r'\{\n +"group": .*?^      \}', one_line, text, flags=re.M | re.S) + "\n"
