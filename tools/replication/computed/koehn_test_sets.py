"""Koehn (2004): what one test set tells about a large one (sections 3 to 5), on other data.

Scores vary between test sets of 300 sentences, broad ones and blocks of neighbours; intervals from
one of them should contain the score on all sentences.  Data and pairs are those of `koehn_design`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.metrics.base import FloatArray

from ...repository.campaigns import campaign
from ..rows import Outcome, Value, answer, counted, table_of
from ..shared import number, pair_of_unit_13
from .koehn_design import (
    ENGINES,
    HIS,
    LANGUAGES,
    ONCE,
    OURS,
    POPULATION,
    RESAMPLES,
    SAMPLES,
    SIZE,
    SIZES,
    YEARS,
    Sample,
    column,
    contests,
    into_english,
    n_test_sets,
    population,
    real,
    sentences,
    test_sets,
    true_differences,
    verdicts,
)

#: The engine of his own group, from the language of his own example.
EXAMPLE = "uedin es"


@cache
def scores_on(sample: Sample) -> pd.DataFrame:
    """Every system's BLEU on disjoint test sets of 300: a row a test set, a column a system."""
    by_test_set = [test_set.scores() for test_set in test_sets(sample, SIZE)]
    systems = list(real().systems)
    return pd.DataFrame(by_test_set)[systems]


def test_set() -> Outcome:
    """Section 3, data: what stands in for his 30,000 sentences.

    Printed: the sentences of his test set, and the languages that they were translated from.
    Here: the sentences and languages of WMT12 and WMT13, with the engines of both years.
    Checked: the pairs of each year have one reference file, and all engines' counts have one
    reference length, sentence by sentence.
    """
    reference_length = column(real(), "ref_len")
    same_length = (reference_length == reference_length[0]).all(axis=0)
    same_file = []
    for year in YEARS:
        references = [reference_file(year, language) for language in LANGUAGES]
        same_file += [reference == references[0] for reference in references]

    table = pd.DataFrame({HIS: n_test_sets()}, pd.Index(SIZES, name="test sets of"))
    for name, sample in SAMPLES.items():
        table[name] = sentences(sample).n_segments // table.index
    return Outcome(
        Value("sentences", real().n_segments),
        Value("source languages", len(LANGUAGES)),
        Value("engines", len(ENGINES)),
        counted("language pairs with the same reference as all others of their year", same_file),
        counted("sentences with references of one length", same_length),
        table=table,
    )


def reference_file(year: str, language: str) -> Any:
    """The file of references of a campaign, as its provenance describes it."""
    files = campaign(into_english(year, language)).provenance["inputs"]
    return files["ref.en.txt.gz"]


# Figures 2 and 3: blocks of neighbours, and broad samples.


def scores_by_original_language() -> pd.Series:
    """For each real sentence, what the example system scores on all sentences like it.

    These are the sentences of its year that were written in the same language.
    """
    by_year = []
    for year in YEARS:
        language = pd.Series(campaign(into_english(year, LANGUAGES[0])).original_language)
        by_year.append(f"{year} " + language)
    origin = pd.concat(by_year, ignore_index=True)
    system = real().select([EXAMPLE])
    score_of = {}
    for year_and_language in origin.unique():
        alike = system.subset(origin == year_and_language)
        score_of[year_and_language] = alike.scores()[EXAMPLE]
    return origin.map(score_of)


def variation_within_languages() -> float:
    """The s.d. of blocks, each less what its sentences' original languages let expect."""
    scores = scores_on("blocks")[EXAMPLE]
    n_blocks = len(scores)
    by_sentence = scores_by_original_language().to_numpy()
    by_block = by_sentence[: n_blocks * SIZE].reshape(n_blocks, SIZE)
    expected = by_block.mean(axis=1)
    return float((scores - expected).std())


def range_and_variation(scores: pd.Series) -> list[Value]:
    """The lowest and the highest score, and their standard deviation."""
    return [
        Value("lowest", scores.min(), ".1f"),
        Value("highest", scores.max(), ".1f"),
        Value("s.d.", scores.std(), ".2f"),
    ]


def figure_2() -> Outcome:
    """Figure 2: one system's BLEU on blocks of 300 consecutive sentences.

    Printed: the range of the scores of a hundred blocks (section 3.2).
    Recomputed: the range for the example system on the blocks of both years, and what is left of
    their variation within original languages, which follow one another in these test sets.
    """
    scores = scores_on("blocks")[EXAMPLE]
    return Outcome(
        *range_and_variation(scores),
        Value("s.d. of what original languages leave open", variation_within_languages(), ".2f"),
        Value("blocks", len(scores)),
    )


def figure_3() -> Outcome:
    """Figure 3: one system's BLEU on broad samples of 300 sentences.

    Printed: the range of the scores of a hundred samples; they vary less than blocks (section 3.3).
    Recomputed: the range for the example system, and the standard deviations of every system's
    scores on blocks and on broad samples.
    Holds: if the scores of every system vary less on broad samples.
    """
    broad = scores_on("real")
    blocks = scores_on("blocks")
    narrower = broad.std() < blocks.std()
    deviations = {"s.d., blocks": blocks.std(), "broad": broad.std()}
    table = pd.DataFrame(deviations).rename_axis("system")
    return Outcome(
        *range_and_variation(broad[EXAMPLE]),
        counted("systems that vary less than on blocks", narrower),
        Value("samples", len(broad)),
        Value("s.d. of blocks, less their languages' scores", variation_within_languages(), ".2f"),
        holds=narrower.all(),
        table=table,
    )


# Figure 4: the difference of two systems on the same test sets.


def figure_4() -> Outcome:
    """Figure 4: the difference of two systems on a hundred broad samples of 300.

    Printed: the true difference, the largest lead on a sample, and on how many samples the other
    system is ahead, by how much (section 3.4).
    Recomputed: the same for the pair that stands in for his.
    """
    comparison = "Spanish better than Danish"
    contest = contests().loc[comparison]
    rows = {}
    for name, sample in SAMPLES.items():
        scores = scores_on(sample)
        lead = scores[contest["better"]] - scores[contest["worse"]]
        difference = true_differences(sentences(sample))
        rows[name] = {
            "true difference": difference[comparison],
            "samples": len(lead),
            "smallest lead": lead.min(),
            "largest lead": lead.max(),
            "samples with the other one ahead": (lead < 0).sum(),
        }
    table = table_of(rows, contest["label"])
    ours = table.loc[OURS]
    n_other_ahead = ours["samples with the other one ahead"]
    lead_of_other = max(0.0, -ours["smallest lead"])
    return Outcome(
        Value("true difference", ours["true difference"], ".2f"),
        Value("largest lead", ours["largest lead"], ".1f"),
        Value("samples with the other one ahead", n_other_ahead, of=ours["samples"]),
        Value("its largest lead", lead_of_other, ".2f"),
        table=table,
    )


# Figure 6: intervals against the score on all sentences.


def coverage() -> Outcome:
    """Figure 6: how many 95 % intervals from test sets of 300 contain the true score.

    Printed: the true score is in 97 of 100 intervals; they contain it about as often as they say
    (section 5).
    Recomputed: intervals by 1,000 resamples on test sets of the population, of the real sentences,
    and on blocks of these, for the example system and for all systems.
    Holds: if the exact binomial interval of our hundred has the nominal level in it.
    """
    samples: dict[str, Sample] = SAMPLES | {f"{ONCE}, blocks": "blocks"}
    rows = {}
    for name, sample in samples.items():
        hits = verdicts(SIZE, sample).hits
        deviations = scores_on(sample).std()
        rows[name] = {
            "test sets": len(hits),
            f"{EXAMPLE}: contain the truth (%)": 100 * hits[EXAMPLE].mean(),
            "all systems: intervals": hits.size,
            "contain the truth (%)": 100 * hits.to_numpy().mean(),
            "s.d. of scores": deviations.mean(),
        }
    hits_of_example = verdicts(SIZE).hits[EXAMPLE]
    low, high = clopper_pearson(hits_of_example.sum(), len(hits_of_example))
    nominal = number("k-cov-nominal") / 100
    return Outcome(
        counted("contain the truth", hits_of_example),
        counted("all systems, real broad samples", verdicts(SIZE, "real").hits),
        counted("all systems, blocks", verdicts(SIZE, "blocks").hits),
        holds=low <= nominal <= high,
        table=table_of(rows, f"test sets of {SIZE}"),
    )


def intervals_by_size() -> Outcome:
    """Section 5, a question of ours: intervals that miss, and their width, by size.

    Printed: the misses on 300 sentences, and no other size.
    Computed: the intervals of all systems on all test sets of the population, for each size.
    """
    rows = {}
    for size in SIZES:
        hits = verdicts(size).hits.to_numpy()
        widths = verdicts(size).widths.to_numpy()
        rows[size] = {
            "intervals that miss": (~hits).sum(),
            "of": hits.size,
            "mean width (BLEU)": widths.mean(),
        }
    table = table_of(rows, "sentences")
    width = table["mean width (BLEU)"]
    return Outcome(
        counted("misses, 100 sentences", ~verdicts(100).hits),
        counted("misses, 3,000 sentences", ~verdicts(3000).hits),
        Value("width, 100 / 3,000", width[100] / width[3000], ".1f"),
        table=table,
    )


def hundred_times() -> Outcome:
    """Graham et al. (2014), introduction: 300 sentences in place of 100 times as many.

    Printed: resampled, 300 sentences give intervals as accurate as 100 times as many (section 1),
    which they say of Koehn (2004).
    Recomputed: the standard error from resampling one test set of 300 (the median of a hundred);
    the standard deviation of the scores on the hundred; the standard error from resampling all.
    Holds: if the first equals the second, within three standard errors of a standard deviation,
    and is at most twice the third.  In part: if only one of these is so.
    """
    errors = [standard_error(test_set) for test_set in test_sets("population", SIZE)]
    n = len(errors)
    error_of_one = np.median(errors)
    error_of_all = standard_error(population())
    deviation = scores_on("population")[EXAMPLE].std()
    relative_error = 1 / np.sqrt(2 * (n - 1))  # of a standard deviation
    shows_the_spread = abs(error_of_one / deviation - 1) <= 3 * relative_error
    as_narrow = error_of_one <= 2 * error_of_all
    return Outcome(
        Value(f"s.e., {SIZE} sentences resampled", error_of_one, ".2f"),
        Value(f"s.d. of {n} test sets of {SIZE}", deviation, ".2f"),
        Value(f"s.e., {POPULATION:,} sentences resampled", error_of_all, ".3f"),
        Value("how many times as large", error_of_one / error_of_all, ".1f"),
        holds=answer(shows_the_spread and as_narrow, shows_the_spread or as_narrow),
    )


def standard_error(test_set: mt.SufficientStatistics) -> float:
    """The example system's standard error on a test set, by its resamples."""
    interval = mt.confidence_interval(test_set, EXAMPLE, n_resamples=RESAMPLES, rng=2004)
    return interval.standard_error


# Section 8: one test set used again and again.


def repeated_use() -> Outcome:
    """Section 8, a question of ours: the best of several variants, tested where it was chosen.

    Printed: a warning in words.
    Computed: 500 trials in which the baseline and its variants are equal: for each, a coin decides
    sentence by sentence which of two real outputs it gets.  The best variant on one test set of 300
    is tested against the baseline there, and on a new one, by the paired bootstrap, one-sided.
    Holds: if the best of 20 passes more often than chance lets tests of the level pass one time in
    10,000, and on the new test set no best variant does.
    """
    n_trials = 500
    rng = np.random.default_rng(2004)
    whole = pair_of_unit_13()
    drawn = rng.permutation(whole.n_segments)[: 2 * SIZE]
    pair = whole.subset(drawn)
    rows = {}
    for n_variants in (1, 2, 5, 10, 20):
        coins = rng.random((n_trials, 1 + n_variants, 2 * SIZE)) < 0.5
        chosen, baseline = best_variant_and_baseline(pair, coins)
        same = slice(SIZE)
        new = slice(SIZE, None)
        rows[n_variants] = {
            "same test set": n_passed(pair, chosen[:, same], baseline[:, same], n_variants),
            "new test set": n_passed(pair, chosen[:, new], baseline[:, new], n_variants),
        }
    table = table_of(rows, "variants tried")
    on_same = table["same test set"]
    on_new = table["new test set"]
    most_by_chance = stats.binom.ppf(0.9999, n_trials, number("k-plevel"))
    too_often = on_same[20] > most_by_chance
    as_promised = on_new.max() <= most_by_chance
    return Outcome(
        Value("same test set, best of 20", on_same[20], of=n_trials),
        Value("new test set, best of 20", on_new[20], of=n_trials),
        holds=too_often and as_promised,
        table=table,
    )


def n_passed(
    pair: mt.SufficientStatistics, chosen: FloatArray, baseline: FloatArray, seed: int
) -> int:
    """In how many trials the one-sided paired bootstrap finds the chosen variant better.

    `chosen` and `baseline` are the statistics of their outputs, shape (trials, sentences, columns).
    """
    pairs = mt.simulate.as_pairs(pair, chosen, baseline, ("chosen", "baseline"), what="")
    pvalues = mt.simulate.null_pvalues(
        pairs, "paired-bootstrap", alternative="greater", n_resamples=RESAMPLES, rng=seed
    )
    return int((pvalues <= number("k-plevel")).sum())


def best_variant_and_baseline(
    pair: mt.SufficientStatistics, coins: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """The statistics of the best variant of each trial, and those of its baseline.

    The best variant is the one with the best score on the first 300 sentences.

    Parameters
    ----------
    pair : SufficientStatistics
        Two outputs of 600 sentences.
    coins : ndarray of bool, shape (trials, 1 + variants, sentences)
        Of the baseline, which comes first, and of each variant: whether a sentence has the first of
        the two outputs, or else the second.

    Returns
    -------
    variant, baseline : ndarray, shape (trials, sentences, columns)
        On all 600 sentences.
    """
    first, second = pair.values
    has_first = coins[..., :SIZE]
    totals = has_first @ first[:SIZE] + ~has_first @ second[:SIZE]
    scores = pair.metric.score(totals)
    best = 1 + scores[:, 1:].argmax(axis=1)
    trial = np.arange(len(coins))
    coins_of_best = coins[trial, best]
    coins_of_baseline = coins[:, 0]
    variant = np.where(coins_of_best[..., None], first, second)
    baseline = np.where(coins_of_baseline[..., None], first, second)
    return variant, baseline
