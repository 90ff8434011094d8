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
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.notes import code_of
from mtsig_nb.progress import ProgressBar
from mtsig_nb.significance.actual_size import USUAL, ActualSize
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES
from mtsig_nb.significance.intervals import Bounds, Method, simultaneous_limits
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.significance.other_tools import OTHER_TOOLS
from mtsig_nb.significance.runs import claim_pvalue
from mtsig_nb.significance.sharing import other_layouts
from mtsig_nb.simulate import batches, tallies, uniforms

from ..repository import results
from . import of_people
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
PAIRS, INTERVALS, FAMILIES = 100, 40, 20
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
    scores = Bounds.of(statistics, n_resamples=2, seed=seed(1))
    limits = scores.of_scores(CONFIDENCE, "percentile").to_numpy()
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
    options = ResamplingOptions(n_resamples=RESAMPLES, rng=seed(2), exact=False)
    layouts = [sets.pairs, *other_layouts([sets.pairs])]
    counted = [tallies(layout, list(PROCEDURES), options) for layout in layouts]
    for name, procedure in PROCEDURES.items():
        p = np.max([one[procedure.title].pvalues for one in counted], axis=0)
        row = row_of_test(name, procedure.title, p, candidate=procedure.valid)
        yield {**row, "units": "segments, by default"}
    given = dict(zip(sets.many.names, sets.many.segments, strict=True))
    apart = mt.test_sets(given, shared=False).overall
    exchanging = PROCEDURES["approximate-randomization"]
    p = mt.simulate.null_pvalues(apart, exchanging.name, n_resamples=RESAMPLES, rng=options.seed)
    row = row_of_test(exchanging.name, exchanging.title, p)
    yield {**row, "units": "languages taken as independent"}


def tests(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test of the package, and what other tools do on the same data."""
    drawn: dict[str, Any] = {"n_resamples": RESAMPLES, "units": units, "rng": seed}
    yield from tests_of_ours(pairs, units, seed)
    plain = isinstance(pairs.metric, SegmentMean) and not np.ptp(pairs.values[..., 1])
    for test in CLASSICAL if plain else ():
        results = [test(pairs, a, b, units=units) for a, b in members(pairs)]
        p = np.array([result.pvalue for result in results])
        # The other two are about signs and ranks, and may well reject where means agree.
        about_means = test is mt.paired_t_test
        sizes = [result.size_at_05 for result in results] if about_means else None
        name, title = results[0].test, results[0].title
        yield row_of_test(name, title, p, candidate=about_means, sizes=sizes)
    for tool, peer in OTHER_TOOLS.items() if units == "segments" else ():  # no tool has documents
        p = mt.simulate.null_pvalues(pairs, peer.procedure, counting=peer.counting, **drawn)
        yield row_of_test(tool, peer.title, p, tool=tool)
    if plain and units == "segments":
        scores = pairs.segment_scores()
        first, second = np.split(scores, 2)
        p = stats.ttest_rel(first, second, axis=1).pvalue
        yield row_of_test("scipy-t", "SciPy's paired t, the p of comet-compare", p, tool="scipy")
        p = stats.wilcoxon(first, second, axis=1).pvalue
        yield row_of_test("scipy-wilcoxon", "SciPy's Wilcoxon", p, tool="scipy")


def tests_of_ours(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test that resamples."""
    found = [of_tests(batch, units, seed) for batch in batches(pairs)]
    for name, procedure in PROCEDURES.items():
        p, estimated = np.concatenate([one[name] for one in found], axis=1)
        valid = procedure.valid
        sizes = estimated if valid else None
        yield row_of_test(name, procedure.title, p, candidate=valid, sizes=sizes)


def of_tests(
    pairs: mt.SufficientStatistics, units: str, seed: int
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """p-values of every test on all pairs, and what results estimate its size to be."""
    # As in use: enumerated where outputs differ in few units.
    options = ResamplingOptions(n_resamples=RESAMPLES, units=units, rng=seed)
    counted = tallies(pairs, list(PROCEDURES), options)
    half = np.arange(len(pairs.systems) // 2)
    halves, grouped = (half, half + len(half)), pairs.by_unit(units)
    exchanging = PROCEDURES["approximate-randomization"]
    differing, said = differing_units(grouped, halves), counted[exchanging.title]
    found = ActualSize.of(grouped, halves, differing, exchanging, "two-sided", said)
    return {
        name: (counted[procedure.title].pvalues, found.instead(procedure).at(USUAL))
        for name, procedure in PROCEDURES.items()
    }


class Counted(sacrebleu.BLEU):
    """sacreBLEU's BLEU, given what it would have counted in place of texts."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses


def sacrebleus_own(pairs: mt.SufficientStatistics, n_pairs: int, seed: int) -> Row:
    """``--paired-ar`` by sacreBLEU's own code, on the first pairs: its columns of BLEU are ours."""
    metric: sacrebleu.metrics.base.Metric = Counted()
    p: list[float] = []
    for k, (a, b) in enumerate(members(pairs)[:n_pairs]):
        first, second = pairs.select([a, b]).values.astype(int)
        score = metric._aggregate_and_compute(first).score
        baseline, metrics = {"BLEU": (first, significance.Result(score))}, {"BLEU": metric}
        drawn = {"n_samples": RESAMPLES, "seed": (seed + k) % 2**32}
        _, found = significance._paired_ar_test(baseline, b, second, None, metrics, **drawn)
        p.append(float(found["BLEU"].p_value or np.nan))
    title = f"{OTHER_TOOLS['sacrebleu-ar'].title}, by its own code"
    return row_of_test("sacrebleu-own", title, p, tool="sacrebleu")


def intervals(sets: Sets, units: str, seed: Seed) -> Iterator[Row]:
    """Every method of interval, for the difference and for the first system's score."""
    drawn: dict[str, Any] = {"n_resamples": RESAMPLES, "units": units}
    pairs = members(sets.pairs)[:INTERVALS]
    truths = {"difference": 0.0}
    if sets.score is not None:
        truths["score"] = sets.score
    for about, truth in truths.items():
        for method in get_args(Method):
            how = {**drawn, "method": method, "confidence_level": CONFIDENCE}
            found = [
                mt.confidence_interval(
                    sets.pairs, a, b if about == "difference" else None, rng=seed(3, k), **how
                )
                for k, (a, b) in enumerate(pairs)
            ]
            ends = [(one.low, one.high) for one in found]
            yield row_of_intervals(method, about, ends, truth)
            if about == "score" and method == "percentile":
                name = "sacreBLEU --confidence, mean ± half width"
                means = [estimate_ci(one.distribution) for one in found]
                printed = [(mean - reach, mean + reach) for mean, reach in means]
                yield row_of_intervals(name, about, printed, truth, tool="sacrebleu")


def family(pairs: mt.SufficientStatistics, k: int) -> mt.SufficientStatistics:
    """Four systems: two pairs of the world."""
    return pairs.select([name for pair in members(pairs)[2 * k : 2 * k + 2] for name in pair])


def all_intervals(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """In how many families the intervals of all six differences contain the truth."""
    ends: dict[str, list[tuple[float, float]]] = {"percentile": [], "simultaneous": []}
    for k in range(FAMILIES):
        of_four = family(pairs, k).by_unit(units)
        drawn = Bounds.of(of_four, n_resamples=RESAMPLES, seed=seed(4, k))
        six = pd.DataFrame(
            itertools.combinations(drawn.statistics.systems, 2), columns=["system_a", "system_b"]
        )
        (together,) = simultaneous_limits([drawn], [six], CONFIDENCE)
        alone = drawn.of_differences(six, CONFIDENCE, "percentile")
        for kind, found in (("percentile", alone), ("simultaneous", together)):
            ends[kind].append((found[:, 0].max(), found[:, 1].min()))
    for kind, innermost in ends.items():
        row = row_of_intervals(kind, "family", innermost, 0.0)
        counts = {"covered": row["counts"]["covered"]}  # a family may miss on both sides
        yield {**row, "title": f"{kind}, all of a family together", "counts": counts}


def corrections(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """Every correction on families of four systems, six comparisons: two pairs of the world."""
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "interval": None, "units": units}

    def compared(k: int, test: str, correction: str | None) -> FloatArray:
        given = family(pairs, k)
        found = mt.compare_all(given, test=test, correction=correction, rng=seed(4, k), **how)
        return found.table["pvalue_adjusted"].to_numpy()

    single = [compared(k, "approximate-randomization", None) for k in range(FAMILIES)]
    for correction in (None, *OF_PVALUES):
        smallest = [mt.adjust_pvalues(p, correction).min() for p in single]
        yield row_of_correction(correction or "none", "approximate-randomization", smallest)
    for correction, draws in OF_RESAMPLES.items():
        test = "bootstrap" if draws == "bootstrap" else "approximate-randomization"
        smallest = [compared(k, test, correction).min() for k in range(FAMILIES)]
        yield row_of_correction(correction, test, smallest)


def row_of_correction(correction: str, test: str, smallest: list[float]) -> Row:
    """How many families have a claim or more: their smallest adjusted p-value."""
    title = f"{correction.replace('none', 'no correction')}, {PROCEDURES[test].title}"
    return row_of("corrections", correction, title, len(smallest), rejections(smallest))


def between_metrics(setting: Setting, rates: pd.DataFrame, _: Seed) -> Iterator[Row]:
    """Every comparison of two metrics, and every interval."""
    of = setting.n_pairs
    tests = rates["rate"].unstack("alpha").dropna().reindex(rates.index.unique(0)).dropna()
    for name, shares in zip(map(str, tests.index), tests.to_dict("records"), strict=True):
        counts = {f"{level:g}": round(shares[level] * of) for level in LEVELS}
        said = {"tool": PAIRS_AS_UNITS.get(name, ""), "candidate": name not in PAIRS_AS_UNITS}
        yield {**row_of("tests", name, name, of, counts, **said), "units": "systems"}
    coverages = rates["coverage"].xs(LEVELS[0], level="alpha").dropna()
    for name, share in zip(map(str, coverages.index), coverages, strict=True):
        title = f"{name}{'' if ':' in name else ', of the difference'}"
        tool = PAIRS_AS_UNITS.get(name.rpartition(": ")[2], "")
        row = row_of("intervals", name, title, of, {"covered": round(share * of)}, tool=tool)
        yield {**row, "units": "systems"}


def one_or_many(setting: Setting, seed: Seed) -> Iterator[Row]:
    """One test of the mean over all test sets beside one on each, where one system is better.

    With a difference of zero it is false claims that are counted.
    """
    for k, difference in enumerate(DIFFERENCES if setting.differing else ()):
        many = setting.make(INTERVALS, seed(5, k), difference).many
        how: dict[str, Any] = {"n_resamples": RESAMPLES_FOR_MANY, "rng": seed(6, k)}
        exchanging = "approximate-randomization"
        p = np.array([mt.simulate.null_pvalues(s, exchanging, **how) for s in many.family])
        overall, each = p[0], p[1:]
        corrected = np.array([mt.adjust_pvalues(one, "holm") for one in each.T]).T
        among_all = np.array([mt.adjust_pvalues(one, "holm")[0] for one in p.T])
        # More than half of the test sets have a p-value as small as the one in the middle.
        half = len(each) // 2
        for name, title, smallest in (
            ("overall", "the mean over all", overall),
            ("family", "the mean over all, Holm with the single ones", among_all),
            ("one", "one test set alone", each[0]),
            ("any-holm", "any test set, Holm", corrected.min(axis=0)),
            ("half-holm", "more than half of the test sets, Holm", np.sort(corrected, 0)[half]),
            ("any", "any test set, uncorrected", each.min(axis=0)),
            ("half", "more than half of the test sets, uncorrected", np.sort(each, 0)[half]),
        ):
            said = f"{name}, {difference:g}", f"difference {difference:g}: {title}"
            of, counts = np.size(smallest), rejections(smallest)
            yield row_of("verdicts", *said, of, counts, difference=difference)


def over_runs(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests that know of several runs; nothing where there is one run of each system."""
    if not sets.runs:
        return
    peer, first = OTHER_TOOLS["multeval"], seed(1)
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "bootstrap_resamples": 2}
    found, single = [], []
    for k, one in enumerate(sets.runs[:INTERVALS], start=first):
        half = len(one.systems) // 2
        runs = {"A": one.systems[:half], "B": one.systems[half:]}
        found.append(mt.compare_runs(one, runs, rng=k, **how))
        single.append(_coin_for_every_output(one, half, k, peer))
    methods = np.array([one.pvalue for one in found], dtype=float)  # NaN where there is none
    segment = [one.segment_test.pvalue for one in found]
    run = [one.run_test.pvalue for one in found]
    title = f"{peer.title.partition(',')[0]}, several runs: a coin for every output"
    rows = [
        row_of_test("methods", "compare_runs, test of the methods", methods, candidate=True),
        row_of_test("both", "compare_runs, the larger p of the next two", np.maximum(segment, run)),
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
    for k, samples in enumerate((UNITS[:3], UNITS[1:3], UNITS[2:3])):  # no generations
        found = [counting(design, samples).analyse(each, ("a", "b")) for each in values]
        units = ", ".join(f"{name}s" for name in samples)
        name, title = f"components-{k}", "variance components, t"
        pvalues = [each.pvalue for each in found]
        yield {**row_of_test(name, title, pvalues, candidate=not k), "units": units}
        ends = [each.interval for each in found]
        yield {**row_of_intervals(title, "difference", ends, 0.0), "units": units}
    drawn = pigeonhole(frame, values, RESAMPLES, seed(1))
    beyond = 1 + np.minimum((drawn <= 0).sum(axis=1), (drawn >= 0).sum(axis=1))
    name = "pigeonhole bootstrap"
    p = np.minimum(1, 2 * beyond / (RESAMPLES + 1))
    tails = np.array([1 - CONFIDENCE, 1 + CONFIDENCE]) / 2
    limits = np.nanquantile(drawn, tails, axis=1).T
    more = {"units": "raters, documents", "tool": "Owen 2007"}
    yield row_of_test("pigeonhole", f"{name}, percentile", p) | more
    yield row_of_intervals(name, "difference", limits, 0.0) | more


def pigeonhole(frame: pd.DataFrame, values: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Differences of means on resamples of raters and of documents, (pairs, resamples).

    Either are drawn by themselves, and a rating counts as often as its rater times its document
    (Owen 2007).  NaN where a system is left without a rating.
    """
    codes = [pd.factorize(frame[name])[0] for name in ("rater", "document")]
    sizes = [code.max() + 1 for code in codes]
    raters, documents = (
        np.eye(n)[(uniforms((n_resamples, n), seed=seed, key=(k,)) * n).astype(int)].sum(axis=1)
        for k, n in enumerate(sizes)
    )
    means = []
    for system in ("a", "b"):
        own = (frame["system"] == system).to_numpy()
        cell = np.ravel_multi_index([code[own] for code in codes], sizes)
        of_one = [np.ones(own.sum()), *values[:, own]]
        cells = np.array([np.bincount(cell, each, np.prod(sizes)) for each in of_one])
        sums = np.einsum(
            "prd,br,bd->pb", cells.reshape(-1, *sizes), raters, documents, optimize=True
        )
        means.append(sums[1:] / np.where(sums[0] > 0, sums[0], np.nan))
    return np.asarray(means[0] - means[1])


def with_a_judge(_: Setting, made: Judged, seed: Seed) -> Iterator[Row]:
    """What people on some segments and a judge on all find, together and each alone."""
    units = "segments" if made.clusters is None else "documents"
    how: dict[str, Any] = {"clusters": made.clusters}
    for name, title, weight in (
        ("prediction-powered", "prediction_powered", None),
        ("people", "people alone", 0.0),
        ("as-people", "prediction_powered, weight 1", 1.0),
    ):
        both = zip(made.people, made.judge, strict=True)
        found = [prediction_powered(y, x, weight=weight, **how) for y, x in both]
        p = [one.pvalue for one in found]
        yield {**row_of_test(name, title, p, candidate=weight is None), "units": units}
        ends = [one.interval for one in found]
        yield {**row_of_intervals(title, "difference", ends, 0.0), "units": units}
    p = stats.ttest_1samp(made.judge, 0, axis=1).pvalue
    yield {**row_of_test("judge", "the judge alone, t test", p), "units": units}


def with_unequal_runs(_: Setting, made: UnequalRuns, seed: Seed) -> Iterator[Row]:
    """The test of the methods where one has more runs than the other."""
    names = [f"run {k}" for k in range(1, made.scores.shape[1] + 1)]
    runs = [as_statistics(scores, names) for scores in made.scores]
    p = np.array([claim_pvalue(one, made.n_first, "two-sided") for one in runs], dtype=float)
    row = row_of_test("methods-unequal", "compare_runs, test of the methods", p, candidate=True)
    yield {**row, "units": "all runs"}


def at_margin(_: Setting, made: AtTheMargin, seed: Seed) -> Iterator[Row]:
    """How often systems are called equivalent that differ by just the margin."""
    found = []
    for k, differences in enumerate(made.differences):
        pair = as_statistics(np.stack([differences, np.zeros_like(differences)]), ("A", "B"))
        how: dict[str, Any] = {"margin": made.margin, "n_resamples": RESAMPLES}
        found.append(mt.equivalence_test(pair, "A", "B", rng=seed(1, k), **how))
    title = "equivalence_test where the difference is the margin"
    row = row_of_test("equivalence", title, [one.pvalue for one in found], candidate=True)
    warning = {"size-at-margin", "unseen"}
    row["counts"]["warned"] = sum(any(code_of(n) in warning for n in one.notes) for one in found)
    row["sizes"] = [one.size_at_margin for one in found if one.size_at_margin is not None]
    yield {**row, "units": "segments"}


def by_preferences(_: Setting, made: list[pd.DataFrame], seed: Seed) -> Iterator[Row]:
    """Sign tests and strengths of all pairs, with raters as units and without."""
    asked = [PairwisePreferences(frame) for frame in made]
    for units in ("raters", None):
        over: Any = {"units": units}
        signs = [each.sign_test(**over).table["pvalue"] for each in asked]
        fits = [each.bradley_terry(ties="half", **over).tests().table["pvalue"] for each in asked]
        for name, title, p in (
            ("bradley-terry", "Bradley-Terry", fits),
            ("preferences-sign", "sign test of preferences", signs),
        ):
            row = row_of_test(name, title, np.concatenate(p), candidate=units is not None)
            yield {**row, "units": units or "comparisons"}


def as_statistics(scores: FloatArray, systems: Sequence[str]) -> mt.SufficientStatistics:
    """Means of segment scores, shape (systems, segments)."""
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return mt.SufficientStatistics(SegmentMean("score"), tuple(systems), values)


def _coin_for_every_output(one: mt.SufficientStatistics, half: int, seed: int, peer: Any) -> float:
    """All runs' outputs scored together, each with a coin of its own; see `reported_by`."""
    n_counts = one.values.shape[2]
    together = mt.SufficientStatistics(
        one.metric, ("A", "B"), one.values.reshape(2, half * one.n_segments, n_counts)
    )
    how: dict[str, Any] = {"counting": peer.counting, "n_resamples": RESAMPLES, "exact": False}
    return run_test(peer.procedure, together, "A", "B", rng=seed, **how).pvalue


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
    before = (
        {world["key"]: world["settings"] for world in results.trust()["worlds"]} if only else {}
    )
    measured = [world for world in WORLDS if not only or world.key in only]
    tasks = [
        (world, setting, number)
        for world in measured
        for setting in world.settings
        for number in range(PARTS)
    ]
    with ProcessPoolExecutor() as executor:
        found = executor.map(part, *zip(*tasks, strict=True))
        parts = iter(ProgressBar(found, total=len(tasks), description="trust", unit="part"))
        settings = before | {
            world.key: [
                {"label": s.label, "rows": kept_rows(list(itertools.islice(parts, PARTS)))}
                for s in world.settings
            ]
            for world in measured
        }
    worlds = [
        {name: getattr(world, name) for name in DESCRIBED} | {"settings": settings[world.key]}
        for world in WORLDS
        if world.key in settings
    ]
    return {"resamples": RESAMPLES, "data_sets": PARTS * PAIRS, "worlds": worlds}


def kept_rows(parts: list[list[Row]]) -> list[Row]:
    """The sums over all parts, each with the counts of the first part beside them.

    Of all estimates of a test's size the median is kept.
    """
    kept = []
    for rows in zip(*parts, strict=True):
        first, sizes = rows[0], [size for row in rows for size in row.get("sizes", ())]
        assert {row["name"] for row in rows} == {first["name"]}
        total = {name: value for name, value in first.items() if name != "sizes"}
        total["of"] = sum(row["of"] for row in rows)
        total["counts"] = {n: sum(row["counts"][n] for row in rows) for n in first["counts"]}
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
