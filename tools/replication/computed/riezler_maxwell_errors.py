"""Riezler & Maxwell (2005): errors of tests, alone and of many comparisons (sections 4 and 4.4)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.statistics.sufficient import pair_indices

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, counted_each, rounded, table_of
from ..shared import number, pair_of_unit_13, text
from .riezler_maxwell import AR, PRINTED, SHIFTED, WMT12

#: Two systems of WMT12 es-en.
PAIR = ("uedin-wmt12", "QCRI--primary")


# The reranking experiment: variants that do not differ.


def reranking_tests() -> Outcome:
    """Reranking experiment: the type-I error of three tests.

    Printed: type-I errors are likelier with their bootstrap than with approximate randomization
    (abstract).
    Recomputed: rejections at the paper's level, of 400 pairs of variants of WMT13 es-en that are
    equal by construction: a coin decides, sentence by sentence, who gets which output.
    Holds: if under each metric their bootstrap rejects more often than the level by three standard
    errors, and randomization under none.  All pairs share their resamples, so that a rate has the
    error of the pairs and that of the resamples.
    """
    n_pairs = 400
    n_resamples = 1000
    level = number("r-standard")
    tests = {"as printed 2005": PRINTED, "shifted": SHIFTED, "randomization": AR}
    columns = ["rejected", "pairs", "rate", "low", "high"]
    every_tenth = np.arange(0, 3000, 10)
    by_metric = {}
    for metric in ("BLEU", "NIST", "GTM"):
        pair = pair_of_unit_13(metric).subset(every_tenth)
        nulls = mt.simulate.exact_nulls(pair, *pair.systems, n_pairs=n_pairs, rng=11)
        procedures = list(tests.values())
        rates = mt.simulate.rejection_rates(
            nulls, procedures, alpha=level, n_resamples=n_resamples, rng=3
        )
        rates.index = pd.Index(tests)
        by_metric[metric] = rates[columns]
    table = pd.concat(by_metric, names=["metric", "test"])

    variance_of_one = level * (1 - level)
    variance = variance_of_one * (1 / n_pairs + 1 / n_resamples)
    limit = level + 3 * np.sqrt(variance)
    is_too_often = table["rate"] > limit
    errs = is_too_often.unstack("test")
    theirs_always_errs = errs["as printed 2005"].all()
    randomization_ever_errs = errs["randomization"].any()
    holds = theirs_always_errs and not randomization_ever_errs

    values = []
    for test, n_rejected in by_metric["BLEU"]["rejected"].items():
        value = Value(f"{test}, BLEU", n_rejected, of=n_pairs)
        values.append(value)
    return Outcome(*values, holds=holds, table=table)


def reranking_metrics() -> Outcome:
    """Reranking experiment, a question of ours: whether sensitive metrics err more often.

    Computed: rejections by randomization at the paper's level, of 600 pairs of variants of two
    systems of WMT12 es-en that are equal by construction, under four metrics.
    Holds: if no exact interval of a rate lies above the level.
    """
    n_pairs = 600
    level = number("r-standard")
    every_twentieth = np.arange(0, 3003, 20)
    rows = {}
    for metric in ("BLEU", "NIST", "TER", "GTM"):
        sentences = statistics(WMT12, metric).subset(every_twentieth)
        nulls = mt.simulate.exact_nulls(sentences, *PAIR, n_pairs=n_pairs, rng=12)
        pvalues = mt.simulate.null_pvalues(nulls, AR, n_resamples=1999, rng=5)
        is_claimed = pvalues <= level
        n_false = is_claimed.sum()
        low, high = clopper_pearson(n_false, n_pairs)
        rows[metric] = {
            "false claims": n_false,
            "of": n_pairs,
            "rate": n_false / n_pairs,
            "low": low,
            "high": high,
        }
    table = table_of(rows, "metric")
    return Outcome(
        *rounded(".3f", table["rate"][["NIST", "BLEU", "GTM"]]),
        holds=(table["low"] <= level).all(),
        table=table,
    )


# Section 4: the power of randomization.


def power() -> Outcome:
    """Section 4: randomization beside a parametric test.

    Printed: in words.  Approximate randomization is as powerful as a parametric test.
    Recomputed: rejections by randomization and by the paired t test, of 1,000 test sets for each
    kind of difference and size.  Differences between sentences come from a normal distribution,
    from chrF (WMT12 es-en) and from MQM (WMT21 en-de); their mean is two standard errors.
    Holds: if randomization is nowhere more than two points behind.
    """
    level = number("r-standard")
    rng = np.random.default_rng(1908)
    n_test_sets = 1000
    by_kind = {"normal": rng.normal(size=3000), **real_differences()}
    rows = {}
    for kind, n in itertools.product(by_kind, (20, 100, 300)):
        differences = by_kind[kind]
        centred = differences - differences.mean()
        standard_error = differences.std() / np.sqrt(n)
        drawn = rng.choice(centred, (n_test_sets, n))
        rows[kind, n] = rejections(drawn + 2 * standard_error, level)
    table = table_of(rows, "differences", "sentences")
    by_randomization = table["AR"]
    by_t = table["t test"]
    points_behind = 100 * (by_t - by_randomization) / n_test_sets
    most_behind = points_behind.max()
    least_behind = points_behind.min()
    n_tests = n_test_sets * len(table)
    return Outcome(
        Value("AR", by_randomization.sum(), of=n_tests),
        Value("t test", by_t.sum(), of=n_tests),
        Value("most that AR is behind (points)", most_behind, ".1f"),
        Value("ahead (points)", -least_behind, ".1f"),
        holds=most_behind <= 2,
        table=table,
    )


def real_differences() -> dict[str, FloatArray]:
    """The differences between sentences under chrF and MQM, each of a pair of systems."""
    chrf = statistics(WMT12, "chrF")
    mqm = campaign("wmt21/en-de").human.as_statistics()  # type: ignore[union-attr]
    under_chrf = chrf.select(["onlineA", "UPC"])
    under_mqm = mqm.select(["ref-A", "ref-C"])
    return {
        "chrF": differences_of_sentences(under_chrf),
        "MQM": differences_of_sentences(under_mqm),
    }


def differences_of_sentences(pair: mt.SufficientStatistics) -> FloatArray:
    """The score of the first of two systems less that of the second, sentence by sentence."""
    first, second = pair.segment_scores()
    return first - second


def rejections(differences: FloatArray, level: float) -> dict[str, int]:
    """How many test sets randomization and the paired t test reject, and each of them alone.

    `differences` have the shape (test sets, sentences).  For each test set there is a system with
    these differences as its scores, and one that scores 0 everywhere.
    """
    n_test_sets, n = differences.shape
    systems = [f"one {k}" for k in range(n_test_sets)]
    others = [f"other {k}" for k in range(n_test_sets)]
    zeros = np.zeros_like(differences)
    scores = np.concatenate([differences, zeros])
    pairs = statistics_of_means(scores, systems + others)
    rounded_differences = pairs.segment_scores()[:n_test_sets]
    t_test = stats.ttest_1samp(rounded_differences, 0, axis=1)
    p_by_shuffles = mt.simulate.null_pvalues(pairs, AR, n_resamples=10_000, rng=n)
    by_t = t_test.pvalue <= level
    by_shuffles = p_by_shuffles <= level
    by_shuffles_alone = by_shuffles & ~by_t
    by_t_alone = by_t & ~by_shuffles
    return {
        "AR": by_shuffles.sum(),
        "t test": by_t.sum(),
        "AR alone": by_shuffles_alone.sum(),
        "t test alone": by_t_alone.sum(),
    }


def statistics_of_means(scores: FloatArray, systems: Iterable[str]) -> mt.SufficientStatistics:
    """Statistics under which systems score the mean of their scores, shape (systems, sentences).

    Scores are rounded to 2**-10, so that their sums are exact.
    """
    in_steps = np.rint(1024 * scores)
    rounded_scores = in_steps / 1024
    weights = np.ones_like(scores)
    values = np.stack([rounded_scores, weights], axis=-1)
    return mt.SufficientStatistics(SegmentMean(), tuple(systems), values)


# Section 4.4: many comparisons.


def experimentwise(comparisons: str, level: str) -> Outcome:
    """Section 4.4: the error of an experiment of independent comparisons.

    Printed: the error for two numbers of comparisons and levels; `comparisons` and `level` are the
    ids of these.
    Recomputed: the error by their formula, and the level of each comparison that keeps the standard
    level in all of them.
    Decided by: the printed error.
    """
    k = int(number(comparisons))
    error = experimentwise_error(number(level), k)
    standard = text("r-standard-pe")
    level_of_each = level_of_each_comparison(float(standard), k)
    return Outcome(
        Value("error", error, ".4f"),
        Value(f"level for {standard} in all", level_of_each, ".6f"),
    )


def experimentwise_error(level: float, k: NDArray[Any] | float) -> FloatArray | float:
    """The chance of at least one false claim in k independent comparisons, each at a level."""
    return 1 - (1 - level) ** k


def level_of_each_comparison(error: float, k: int) -> FloatArray | float:
    """The level of each of k comparisons that have this error together.

    It is the inverse of `experimentwise_error`, whose formula it has, with the k-th root in place
    of the power.
    """
    return experimentwise_error(error, 1 / k)


def growth() -> Outcome:
    """Section 4.4: how the error of an experiment grows with the number of comparisons.

    Printed: a formula; the error grows exponentially.
    Recomputed: by their formula, what each further comparison adds to the error.
    Holds: if each adds more than the one before.
    """
    level = number("r-bench-pc")
    n_comparisons = int(number("r-bench-pairs"))
    k = np.arange(1, n_comparisons + 1)
    no_claim_before = (1 - level) ** (k - 1)
    added_by = pd.Series(level * no_claim_before, k)
    error = experimentwise_error(level, k)
    table = pd.DataFrame({"error": error, "added by the last": added_by})
    shown = [1, 2, 10, 50, n_comparisons]
    named = added_by[[1, 10, n_comparisons]].add_prefix("added by no. ")
    increases = added_by.diff().dropna()
    return Outcome(
        *rounded(".4f", named),
        holds=(increases > 0).all(),
        table=table.loc[shown].rename_axis("comparisons"),
    )


def post_hoc() -> Outcome:
    """Section 4.4, a question of ours: Scheffé's test beside Tukey's, for all pairs.

    Printed: both are named, none is used.
    Computed: the pairs that each tells apart in WMT12 es-en by mean chrF of every thirtieth
    sentence, sentences as blocks; and the false claims of each in 2,000 worlds in which outputs are
    exchanged within sentences.  Tukey's test by the package's shuffles stands beside.
    Holds: if Scheffé's test tells fewer pairs apart than Tukey's.
    """
    level = number("r-standard-pe")
    every_thirtieth = np.arange(0, 3003, 30)
    chrf = statistics(WMT12, "chrF").subset(every_thirtieth)
    scores = chrf.segment_scores()
    critical = critical_distances(scores, level)
    distance = distances_of_means(scores)
    by_tukey = distance > critical["Tukey"]
    by_scheffe = distance > critical["Scheffé"]

    largest_by_chance = largest_distances_by_chance(scores, worlds=2000)
    false_claims = {}
    for test, critical_distance in critical.items():
        false_claims[f"false, {test}"] = largest_by_chance > critical_distance

    means = statistics_of_means(scores, chrf.systems)
    by_shuffles = mt.compare_all(
        means, correction="tukey", interval=None, n_resamples=10_000, rng=1953
    )
    better = by_shuffles.conclusions(level).pairs()  # 1 or -1, or 0 without a conclusion
    return Outcome(
        counted("told apart, Tukey", by_tukey),
        counted("told apart, Scheffé", by_scheffe),
        *counted_each(false_claims),
        counted("told apart, Tukey by shuffles", better != 0),
        holds=by_scheffe.sum() < by_tukey.sum(),
    )


def critical_distances(scores: FloatArray, level: float) -> dict[str, float]:
    """How far two means have to be apart to be told apart, in standard errors of one mean, by test.

    `scores` have the shape (systems, sentences), with sentences as blocks.
    """
    k, n = scores.shape
    degrees_of_systems = k - 1
    degrees = degrees_of_systems * (n - 1)
    t = stats.t.isf(level / 2, degrees)
    studentized_range = stats.studentized_range.isf(level, k, degrees)
    f = stats.f.isf(level, degrees_of_systems, degrees)
    return {
        "t, uncorrected": np.sqrt(2) * t,
        "Tukey": studentized_range,
        "Scheffé": np.sqrt(2 * degrees_of_systems * f),
    }


def largest_distances_by_chance(scores: FloatArray, worlds: int) -> FloatArray:
    """The largest of `distances_of_means` in each of many worlds without differences.

    In each world the outputs of every sentence are exchanged at random between systems.
    """
    rng = np.random.default_rng(1953)
    largest = np.empty(worlds)
    for world in range(worlds):
        exchanged = rng.permuted(scores, axis=0)
        distances = distances_of_means(exchanged)
        largest[world] = distances.max()
    return largest


def distances_of_means(scores: FloatArray) -> FloatArray:
    """How far the means of each pair of systems are apart, in standard errors of a mean.

    `scores` have the shape (systems, sentences), with sentences as blocks: the error is what a
    two-way table leaves over.
    """
    k, n = scores.shape
    system_means = scores.mean(axis=1)
    sentence_means = scores.mean(axis=0)
    expected = system_means[:, None] + sentence_means - scores.mean()
    residual = scores - expected
    degrees = (k - 1) * (n - 1)
    variance = (residual**2).sum() / degrees
    standard_error = np.sqrt(variance / n)
    standardized = system_means / standard_error
    first, second = pair_indices(k)
    return np.abs(standardized[first] - standardized[second])
