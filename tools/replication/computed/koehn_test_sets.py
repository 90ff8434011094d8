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
    column,
    contests,
    pair_of,
    population,
    real,
    samples,
    sentences,
    true_differences,
    verdicts,
)

#: The engine of his own group, from the language of his own example.
EXAMPLE = "uedin es"


@cache
def scores_on(sample: str) -> pd.DataFrame:
    """Every system's BLEU on disjoint test sets of 300, a row each; `sample` as in `verdicts`."""
    whole = sentences(sample)
    test_sets = samples(whole, SIZE, blocks=sample == "blocks")
    scores = pd.DataFrame([test_set.scores() for test_set in test_sets])
    return scores[list(whole.systems)]


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
        inputs = [campaign(pair_of(year, language)).provenance["inputs"] for language in LANGUAGES]
        references = [files["ref.en.txt.gz"] for files in inputs]
        same_file += [reference == references[0] for reference in references]

    rows = []
    for size in SIZES:
        row = {HIS: int(number(f"k-t3-n{size}"))}
        for name, sample in SAMPLES.items():
            row[name] = sentences(sample).n_segments // size
        rows.append(row)
    return Outcome(
        Value("sentences", real().n_segments),
        Value("source languages", len(LANGUAGES)),
        Value("engines", len(ENGINES)),
        counted("language pairs with their year's one reference", same_file),
        counted("sentences with references of one length", same_length),
        table=pd.DataFrame(rows, pd.Index(SIZES, name="test sets of")),
    )


# Figures 2 and 3: blocks of neighbours, and broad samples.


def scores_by_original_language() -> pd.Series:
    """For each real sentence, what the example system scores on all sentences like it.

    These are the sentences of its year that were written in the same language.
    """
    by_year = []
    for year in YEARS:
        language = pd.Series(campaign(pair_of(year, LANGUAGES[0])).original_language)
        by_year.append(f"{year} " + language)
    written_in = pd.concat(by_year, ignore_index=True)
    system = real().select([EXAMPLE])
    score_of = {}
    for language in written_in.unique():
        score_of[language] = system.subset(written_in == language).scores()[EXAMPLE]
    return written_in.map(score_of)


def variation_within_languages() -> float:
    """The s.d. of blocks, each less what its sentences' original languages let expect."""
    scores = scores_on("blocks")[EXAMPLE]
    by_sentence = scores_by_original_language().to_numpy()
    by_block = by_sentence[: len(scores) * SIZE].reshape(-1, SIZE)
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
    table = pd.DataFrame({"s.d., blocks": blocks.std(), "broad": broad.std()})
    return Outcome(
        *range_and_variation(broad[EXAMPLE]),
        counted("systems that vary less than on blocks", narrower),
        Value("samples", len(broad)),
        Value("s.d. of blocks, less their languages' scores", variation_within_languages(), ".2f"),
        holds=narrower.all(),
        table=table.rename_axis("system"),
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
    ahead = "samples with the other one ahead"
    rows = {}
    for name, sample in SAMPLES.items():
        scores = scores_on(sample)
        lead = scores[contest["better"]] - scores[contest["worse"]]
        truth = true_differences(sentences(sample))
        rows[name] = {
            "true difference": truth[comparison],
            "samples": len(lead),
            "smallest lead": lead.min(),
            "largest lead": lead.max(),
            ahead: (lead < 0).sum(),
        }
    table = table_of(rows, contest["label"])
    ours = table.loc[OURS]
    return Outcome(
        Value("true difference", ours["true difference"], ".2f"),
        Value("largest lead", ours["largest lead"], ".1f"),
        Value(ahead, ours[ahead], of=ours["samples"]),
        Value("its largest lead", max(0.0, -ours["smallest lead"]), ".2f"),
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
    rows = {}
    for name, sample in (SAMPLES | {f"{ONCE}, blocks": "blocks"}).items():
        hits = verdicts(SIZE, sample).hits
        rows[name] = {
            "test sets": len(hits),
            f"{EXAMPLE}: contain the truth (%)": 100 * hits[EXAMPLE].mean(),
            "all systems: intervals": hits.size,
            "contain the truth (%)": 100 * hits.to_numpy().mean(),
            "s.d. of scores": scores_on(sample).std().mean(),
        }
    hits_of_example = verdicts(SIZE).hits[EXAMPLE]
    test = stats.binomtest(hits_of_example.sum(), len(hits_of_example))
    low, high = test.proportion_ci(method="exact")
    return Outcome(
        counted("contain the truth", hits_of_example),
        counted("all systems, real broad samples", verdicts(SIZE, "real").hits),
        counted("all systems, blocks", verdicts(SIZE, "blocks").hits),
        holds=low <= number("k-cov-nominal") / 100 <= high,
        table=table_of(rows, f"test sets of {SIZE}"),
    )


def intervals_by_size() -> Outcome:
    """Section 5, a question of ours: intervals that miss, and their width, by size.

    Printed: the misses on 300 sentences, and no other size.
    Computed: the intervals of all systems on all test sets of the population, for each size.
    """
    rows = {}
    for size in SIZES:
        tests = verdicts(size)
        rows[size] = {
            "intervals that miss": (~tests.hits).to_numpy().sum(),
            "of": tests.hits.size,
            "mean width (BLEU)": tests.widths.to_numpy().mean(),
        }
    table = table_of(rows, "sentences")
    width = table["mean width (BLEU)"]
    return Outcome(
        counted("misses, 100 sentences", ~verdicts(100).hits),
        counted("misses, 3,000 sentences", ~verdicts(3000).hits),
        Value("width, 100 / 3,000", width[100] / width[3000], ".1f"),
        table=table,
    )


def standard_error(test_set: mt.SufficientStatistics) -> float:
    """The example system's standard error on a test set, by its resamples."""
    interval = mt.confidence_interval(test_set, EXAMPLE, n_resamples=RESAMPLES, rng=2004)
    return interval.standard_error


def hundred_times() -> Outcome:
    """Graham et al. (2014), introduction: 300 sentences in place of 100 times as many.

    Printed: resampled, 300 sentences give intervals as accurate as 100 times as many (section 1),
    which they say of Koehn (2004).
    Recomputed: the standard error from resampling one test set of 300 (the median of a hundred);
    the standard deviation of the scores on the hundred; the standard error from resampling all.
    Holds: if the first equals the second, within three standard errors of a standard deviation,
    and is at most twice the third.  In part: if only one of these is so.
    """
    errors = [standard_error(test_set) for test_set in samples(population(), SIZE)]
    error_of_one = np.median(errors)
    error_of_all = standard_error(population())
    deviation = scores_on("population")[EXAMPLE].std()
    error_of_deviation = 1 / np.sqrt(2 * (len(errors) - 1))  # relative
    shows_the_spread = abs(error_of_one / deviation - 1) <= 3 * error_of_deviation
    as_narrow = error_of_one <= 2 * error_of_all
    return Outcome(
        Value(f"s.e., {SIZE} sentences resampled", error_of_one, ".2f"),
        Value(f"s.d. of {len(errors)} test sets of {SIZE}", deviation, ".2f"),
        Value(f"s.e., {POPULATION:,} sentences resampled", error_of_all, ".3f"),
        Value("how many times as large", error_of_one / error_of_all, ".1f"),
        holds=answer(shows_the_spread and as_narrow, shows_the_spread or as_narrow),
    )


# Section 8: one test set used again and again.


def best_variant_and_baseline(
    pair: mt.SufficientStatistics, coins: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Of each trial, the variant with the best score on the first 300 sentences; the baseline.

    Parameters
    ----------
    pair : SufficientStatistics
        Two outputs of 600 sentences.
    coins : ndarray of bool, shape (trials, 1 + variants, sentences)
        Whether the baseline, which comes first, or a variant has the first of the two outputs.

    Returns
    -------
    tuple of ndarray, shape (trials, sentences, columns)
        Their statistics on all 600 sentences.
    """
    output, other_output = pair.values
    first_output = coins[..., :SIZE]
    totals = first_output @ output[:SIZE] + ~first_output @ other_output[:SIZE]
    scores = pair.metric.score(totals)
    best = 1 + scores[:, 1:].argmax(axis=1)
    coins_of_best = coins[np.arange(len(coins)), best]
    coins_of_baseline = coins[:, 0]
    variant = np.where(coins_of_best[..., None], output, other_output)
    baseline = np.where(coins_of_baseline[..., None], output, other_output)
    return variant, baseline


def repeated_use() -> Outcome:
    """Section 8, a question of ours: the best of several variants, tested where it was chosen.

    Printed: a warning in words.
    Computed: 500 trials in which the baseline and its variants are equal: for each, a coin decides
    sentence by sentence which of two real outputs it gets.  The best variant on one test set of 300
    is tested against the baseline there, and on a new one, by the paired bootstrap, one-sided.
    Holds: if the best of 20 passes more often than chance lets tests of the level pass one time in
    10,000, and on the new test set no best variant does.
    """
    trials = 500
    level = number("k-plevel")
    rng = np.random.default_rng(2004)
    whole = pair_of_unit_13()
    pair = whole.subset(rng.permutation(whole.n_segments)[: 2 * SIZE])
    test_sets = {"same test set": slice(SIZE), "new test set": slice(SIZE, None)}

    passed = {}
    for n_variants in (1, 2, 5, 10, 20):
        coins = rng.random((trials, 1 + n_variants, 2 * SIZE)) < 0.5
        chosen, baseline = best_variant_and_baseline(pair, coins)
        for name, part in test_sets.items():
            outputs = (chosen[:, part], baseline[:, part])
            pairs = mt.simulate.as_pairs(pair, *outputs, ("chosen", "baseline"), what="")
            options: dict[str, Any] = {"alternative": "greater", "n_resamples": RESAMPLES}
            pvalues = mt.simulate.null_pvalues(pairs, "paired-bootstrap", rng=n_variants, **options)
            passed[n_variants, name] = (pvalues <= level).sum()

    table = pd.Series(passed).unstack()[list(test_sets)].rename_axis("variants tried")
    by_chance = stats.binom.ppf(0.9999, trials, level)
    too_often = table["same test set"][20] > by_chance
    as_promised = table["new test set"].max() <= by_chance
    return Outcome(
        Value("same test set, best of 20", table["same test set"][20], of=trials),
        Value("new test set, best of 20", table["new test set"][20], of=trials),
        holds=too_often and as_promised,
        table=table,
    )
