"""What tests, intervals and corrections say of pairs of systems, counted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd
import sacrebleu
from sacrebleu import significance
from sacrebleu.significance import estimate_ci
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.options import ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.tallies import differing_units
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.notes import code_of
from mtsig_nb.significance.actual_size import NOTED, USUAL, ActualSize
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES
from mtsig_nb.significance.equivalence import EquivalenceTest
from mtsig_nb.significance.gate import gate_tests
from mtsig_nb.significance.intervals import Bounds, ConfidenceInterval, Method, simultaneous_limits
from mtsig_nb.significance.other_tools import OTHER_TOOLS
from mtsig_nb.simulate import batches, tallies

from .drawing import segment_means
from .of_runs import over_runs
from .rows import (
    CONFIDENCE,
    INTERVALS,
    RESAMPLES,
    Row,
    Seed,
    members,
    of_units,
    pvalues_of,
    rejections,
    row_of,
    row_of_intervals,
    row_of_results,
    row_of_test,
)
from .simulated import AtTheMargin, Gated
from .worlds import Sets, Setting

#: What tests of pairs see where there are several runs, as in most papers.
ONE_RUN = "one run of each"
#: Families of two pairs each.
FAMILIES = 20
CLASSICAL = (mt.paired_t_test, mt.signed_rank_test, mt.sign_test)


def everything(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """All tests, intervals and corrections, by all units."""
    yield from over_runs(setting, sets, seed)
    for units in setting.units:
        rows = itertools.chain(
            tests(sets.pairs, units, seed(2)),
            intervals(sets, units, seed),
            all_intervals(sets.pairs, units, seed),
            corrections(sets.pairs, units, seed),
        )
        if sets.runs:
            name = ONE_RUN
        elif units == "segments":
            name = sets.pairs.unit  # documents, where these were drawn
        else:
            name = units
        yield from of_units(name, rows)


def long_test_sets(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests alone, where anything else would take too long, and one by its tool's own code."""
    yield from our_tests(setting, sets, seed)
    own = sacrebleus_own(sets.pairs, setting.n_slow, seed(7))
    yield from of_units(sets.pairs.unit, [own])


def our_tests(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """The package's tests alone, by the data sets' own units."""
    rows = tests_of_ours(sets.pairs, "segments", seed(2))
    yield from of_units(sets.pairs.unit, rows)


def by_document(setting: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests and intervals of differences where documents are the units."""
    yield from our_tests(setting, sets, seed)
    rows = intervals(sets, "segments", seed)
    yield from of_units(sets.pairs.unit, rows)


def yes_or_no(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """All tests and intervals of shares, among them Wilson's, which tables of scores have."""
    statistics = sets.pairs
    assert sets.score is not None
    assert statistics.is_binary
    bounds = Bounds.of(statistics, n_resamples=2, seed=seed(1))
    limits = bounds.of_scores(CONFIDENCE, "percentile")
    of_first = np.split(limits, 2)[0]
    wilson = row_of_intervals("Wilson", "score", of_first, sets.score)
    rows = [
        *tests(statistics, "segments", seed(2)),
        wilson,
        *intervals(sets, "segments", seed),
    ]
    yield from of_units("segments", rows)


def tests(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test of the package, and what other tools do on the same data."""
    yield from tests_of_ours(pairs, units, seed)
    has_plain_means = are_plain_means(pairs)
    if has_plain_means:
        yield from classical_tests(pairs, units)
    if units == "segments":  # no tool has documents
        yield from tests_of_other_tools(pairs, seed)
        if has_plain_means:
            yield from tests_of_scipy(pairs)


def are_plain_means(pairs: mt.SufficientStatistics) -> bool:
    """Whether scores are means of segments' scores that all have the same weight."""
    if not isinstance(pairs.metric, SegmentMean):
        return False
    weights = pairs.values[..., 1]
    return bool(np.ptp(weights) == 0)


def classical_tests(pairs: mt.SufficientStatistics, units: str) -> Iterator[Row]:
    """The paired t test, and the tests of signs and of ranks."""
    for test in CLASSICAL:
        results = [test(pairs, a, b, units=units) for a, b in members(pairs)]
        if test is mt.paired_t_test:
            sizes = [result.size_at_05 for result in results]
            yield row_of_results(results, candidate=True, sizes=sizes)
        else:  # about signs and ranks: it may well reject where means agree
            yield row_of_results(results, candidate=False)


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
    scores = pairs.segment_scores()
    first, second = np.split(scores, 2)
    t = stats.ttest_rel(first, second, axis=1)
    title = "SciPy's paired t, the p of comet-compare"
    yield row_of_test("scipy-t", title, t.pvalue, tool="scipy")
    ranks = stats.wilcoxon(first, second, axis=1)
    yield row_of_test("scipy-wilcoxon", "SciPy's Wilcoxon", ranks.pvalue, tool="scipy")


def tests_of_ours(pairs: mt.SufficientStatistics, units: str, seed: int) -> Iterator[Row]:
    """Every test that resamples."""
    by_batch = [measured_tests(batch, units, seed) for batch in batches(pairs)]
    for name, procedure in PROCEDURES.items():
        pvalues = []
        estimated = []
        for tests_of_batch in by_batch:
            test = tests_of_batch[name]
            pvalues.append(test.pvalues)
            estimated.append(test.sizes)
        all_pvalues = np.concatenate(pvalues)
        valid = procedure.valid
        sizes = np.concatenate(estimated) if valid else None
        yield row_of_test(name, procedure.title, all_pvalues, candidate=valid, sizes=sizes)


class MeasuredTest(NamedTuple):
    """For each pair the p-value of a test, and what results estimate the test's size to be."""

    pvalues: FloatArray
    sizes: FloatArray


def measured_tests(
    pairs: mt.SufficientStatistics, units: str, seed: int
) -> dict[str, MeasuredTest]:
    """Every test that resamples, on all pairs, by its name."""
    # As in use: enumerated where outputs differ in few units.
    options = ResamplingOptions(n_resamples=RESAMPLES, units=units, rng=seed)
    by_title = tallies(pairs, list(PROCEDURES), options)
    grouped = pairs.by_unit(units)
    systems = np.arange(len(pairs.systems))
    first, second = np.split(systems, 2)
    halves = (first, second)
    differing = differing_units(grouped, halves)
    exchanging = PROCEDURES["approximate-randomization"]
    tally = by_title[exchanging.title]
    sizes = ActualSize.of(grouped, halves, differing, exchanging, "two-sided", tally)
    measured = {}
    for name, procedure in PROCEDURES.items():
        pvalues = by_title[procedure.title].pvalues
        sizes_of_test = sizes.instead(procedure)
        measured[name] = MeasuredTest(pvalues, sizes_of_test.at(USUAL))
    return measured


class Counted(sacrebleu.BLEU):
    """sacreBLEU's BLEU, given what it would have counted in place of texts."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses


def sacrebleus_own(pairs: mt.SufficientStatistics, n_pairs: int, seed: int) -> Row:
    """``--paired-ar`` by sacreBLEU's own code, on the first pairs: its columns of BLEU are ours."""
    metric: sacrebleu.metrics.base.Metric = Counted()
    pvalues = []
    for k, (a, b) in enumerate(members(pairs)[:n_pairs]):
        both = pairs.select([a, b])
        first, second = both.values.astype(int)
        bleu = metric._aggregate_and_compute(first)
        baseline = significance.Result(bleu.score)
        _, results = significance._paired_ar_test(
            {"BLEU": (first, baseline)},
            b,
            second,
            None,
            {"BLEU": metric},
            n_samples=RESAMPLES,
            seed=(seed + k) % 2**32,
        )
        pvalue = results["BLEU"].p_value or np.nan
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
            intervals_of_method = intervals_of_pairs(sets.pairs, about, method, units, seed)
            ends = [(interval.low, interval.high) for interval in intervals_of_method]
            yield row_of_intervals(method, about, ends, truth)
            if about == "score" and method == "percentile":
                yield sacrebleus_intervals(intervals_of_method, truth)


def intervals_of_pairs(
    pairs: mt.SufficientStatistics, about: str, method: Method, units: str, seed: Seed
) -> list[ConfidenceInterval]:
    """Intervals of the first pairs, about their ``"difference"`` or the first system's score."""
    of_pairs = []
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
        of_pairs.append(interval)
    return of_pairs


def sacrebleus_intervals(percentile: Sequence[ConfidenceInterval], truth: float) -> Row:
    """What ``sacrebleu --confidence`` prints of the same resamples."""
    ends = []
    for interval in percentile:
        mean, half_width = estimate_ci(interval.distribution)
        low = mean - half_width
        high = mean + half_width
        ends.append((low, high))
    name = "sacreBLEU --confidence, mean ± half width"
    return row_of_intervals(name, "score", ends, truth, tool="sacrebleu")


def family(pairs: mt.SufficientStatistics, k: int) -> mt.SufficientStatistics:
    """Four systems: two pairs of the world."""
    first = 2 * k
    two_pairs = members(pairs)[first : first + 2]
    four_systems = itertools.chain(*two_pairs)
    return pairs.select(list(four_systems))


def all_intervals(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """In how many families the intervals of all six differences contain the truth."""
    percentile = []
    simultaneous = []
    for k in range(FAMILIES):
        four_systems = family(pairs, k).by_unit(units)
        bounds = Bounds.of(four_systems, n_resamples=RESAMPLES, seed=seed(4, k))
        six_pairs = itertools.combinations(four_systems.systems, 2)
        differences = pd.DataFrame(six_pairs, columns=["system_a", "system_b"])
        alone = bounds.of_differences(differences, CONFIDENCE, "percentile")
        ends_alone = innermost(alone)
        percentile.append(ends_alone)
        (together,) = simultaneous_limits([bounds], [differences], CONFIDENCE)
        ends_together = innermost(together)
        simultaneous.append(ends_together)
    yield row_of_family("percentile", percentile)
    yield row_of_family("simultaneous", simultaneous)


def row_of_family(method: str, ends: list[tuple[float, float]]) -> Row:
    """How often all intervals of a family contain the truth; a family may miss on both sides."""
    row = row_of_intervals(method, "family", ends, 0.0)
    row["title"] = f"{method}, all of a family together"
    n_covered = row["counts"]["covered"]
    row["counts"] = {"covered": n_covered}
    return row


def innermost(limits: FloatArray) -> tuple[float, float]:
    """The largest lower and the smallest upper end: what all intervals of a family contain."""
    low, high = limits.T
    return low.max(), high.min()


def corrections(pairs: mt.SufficientStatistics, units: str, seed: Seed) -> Iterator[Row]:
    """Every correction on families of four systems, six comparisons: two pairs of the world."""
    exchanging = "approximate-randomization"

    def pvalues_of_family(k: int, test: str, correction: str | None) -> FloatArray:
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

    single = [pvalues_of_family(k, exchanging, None) for k in range(FAMILIES)]
    for correction in (None, *OF_PVALUES):
        adjusted = [mt.adjust_pvalues(pvalues, correction) for pvalues in single]
        yield row_of_correction(correction or "none", exchanging, adjusted)
    for correction, draws in OF_RESAMPLES.items():
        test = "bootstrap" if draws == "bootstrap" else exchanging
        adjusted = [pvalues_of_family(k, test, correction) for k in range(FAMILIES)]
        yield row_of_correction(correction, test, adjusted)


def row_of_correction(correction: str, test: str, adjusted: list[FloatArray]) -> Row:
    """How many families have a claim or more, by the smallest of their adjusted p-values."""
    smallest = [pvalues.min() for pvalues in adjusted]
    counts = rejections(smallest)
    shown = "no correction" if correction == "none" else correction
    title = f"{shown}, {PROCEDURES[test].title}"
    return row_of("corrections", correction, title, len(smallest), counts)


def at_margin(_: Setting, made: AtTheMargin, seed: Seed) -> Iterator[Row]:
    """How often systems are called equivalent that differ by exactly the margin."""
    results = []
    for k, differences in enumerate(made.differences):
        zeros = np.zeros_like(differences)
        scores = np.stack([differences, zeros])
        pair = segment_means(scores, ("A", "B"))
        result = mt.equivalence_test(
            pair,
            "A",
            "B",
            margin=made.margin,
            n_resamples=RESAMPLES,
            rng=seed(1, k),
        )
        results.append(result)
    title = "equivalence_test where the difference is the margin"
    row = row_of_test("equivalence", title, pvalues_of(results), candidate=True)
    row["counts"]["warned"] = sum(warns_of_size(result) for result in results)
    sizes = [result.size_at_margin for result in results]
    row["sizes"] = [size for size in sizes if size is not None]
    yield from of_units("segments", [row])


def at_the_gate(_: Setting, made: Gated, seed: Seed) -> Iterator[Row]:
    """How often candidates pass, worse by exactly the margin or as good as the baseline."""
    tests = []
    for k, (candidate, baseline) in enumerate(members(made.pairs)):
        (test,) = gate_tests(
            [made.pairs.select([candidate, baseline])],
            baseline,
            [made.margin],
            n_resamples=RESAMPLES,
            rng=seed(1, k),
        )
        tests.append(test)
    pvalues = [test.pvalue_below for test in tests]
    unit = made.pairs.unit
    if made.loss < made.margin:
        title = "gate, candidates as good as the baseline"
        counts = rejections(pvalues)
        row = row_of("gates", "gate-power", title, len(pvalues), counts, difference=made.margin)
    else:
        title = "gate, candidates worse by exactly the margin"
        row = row_of_test("gate", title, pvalues, candidate=True)
        row["counts"]["warned"] = sum(may_pass_too_often(test) for test in tests)
        row["sizes"] = [test.size_below for test in tests if test.size_below is not None]
    yield from of_units(unit, [row])


def may_pass_too_often(test: EquivalenceTest) -> bool:
    """Whether a gate would note that candidates worse by exactly the margin may pass too often."""
    return test.size_below is not None and test.size_below > NOTED * test.alpha


def warns_of_size(result: Any) -> bool:
    """Whether a test of equivalence notes that it may claim too often at the margin."""
    codes = {code_of(note) for note in result.notes}
    return not codes.isdisjoint({"size-at-margin", "unseen"})
