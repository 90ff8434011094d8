# %% [markdown]
# # Lab 01 · Scores from counts
#
# Count n-grams, make BLEU out of sums, and score a test set that was never translated.
#
# *Goes with [unit 4](../../1_what_chance_can_do/04_what_a_score_is_made_of.ipynb). About 45 minutes, 13 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab01-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections import Counter

import numpy as np
import pandas as pd

import mtsig_nb as mt

wmt12 = mt.load("wmt12/es-en").statistics("BLEU")
score = wmt12.metric.score
print(wmt12.values.shape, "= systems × segments × counts")
print(", ".join(wmt12.metric.columns))

# %% [markdown]
# ## Exercise 1 · Matching n-grams
#
# Words are what `text.split()` returns. An n-gram of the output matches if the reference has it too; one that the
# output repeats matches at most as often as it stands in the reference.
#
# > **Predict before you run.** Output "to be or to be", reference "to be is to do": how many words match, how many
# > pairs of words?


# %% nbgrader={"grade": false, "grade_id": "lab01-ngrams-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ngram_matches(output, reference, n):
    """How many n-grams of `output` match, and how many it has: two whole numbers."""
    ### BEGIN SOLUTION
    counted = []
    for text in (output, reference):
        words = text.split()
        counted.append(Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)))
    in_output, in_reference = counted
    return (in_output & in_reference).total(), in_output.total()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-ngrams-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
ferry = "the old ferry leaves at noon"
assert ngram_matches(ferry, ferry, 1) == (6, 6), "a text beside itself: every word matches"
assert ngram_matches(ferry, ferry, 4) == (3, 3), "six words make three 4-grams; look at the ends"
assert ngram_matches("to be or to be", "to be is to do", 1) == (3, 5), (
    "'be' stands twice in the output and once in the reference: it matches once"
)
assert ngram_matches("to be or to be", "to be is to do", 2) == (1, 4), (
    "the same goes for pairs of words"
)
### BEGIN HIDDEN TESTS
assert ngram_matches("the the the", "the cat and the dog", 1) == (2, 3), (
    "an output that repeats a word: count each n-gram at most as often as the reference has it"
)
assert ngram_matches("two words", "two words", 3) == (0, 0), (
    "a text that is shorter than n has no n-grams"
)
pairs_of_texts = [("a b c a b", "a b a b c"), ("x y z", "z y x"), ("a b c d e f", "c d e f a b")]
for tried, wanted in pairs_of_texts:
    row = mt.metrics.BLEU(tokenize="none").statistics([tried], [[wanted]])[0]
    for order in (1, 2, 3, 4):
        expected = (row[1 + order], row[5 + order])
        assert ngram_matches(tried, wanted, order) == expected, (
            f"{order}-grams of {tried!r} beside {wanted!r} should give {expected}"
        )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · BLEU from ten sums
#
# The counts come in the order that is printed at the top: two lengths, four matches, four totals. If some order has no
# match at all, return 0.


# %% nbgrader={"grade": false, "grade_id": "lab01-bleu-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bleu_from_sums(sums):
    """BLEU, from 0 to 100, of a test set with these ten sums."""
    ### BEGIN SOLUTION
    hyp_len, ref_len, matches, totals = sums[0], sums[1], sums[2:6], sums[6:10]
    if min(matches) == 0:
        return 0.0
    brevity_penalty = min(1, np.exp(1 - ref_len / hyp_len))
    return 100 * brevity_penalty * np.prod(matches / totals) ** (1 / 4)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-bleu-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
perfect = np.array([10, 10, 10, 9, 8, 7, 10, 9, 8, 7])
assert np.isclose(bleu_from_sums(perfect), 100), "all precisions are 1 and nothing is too short"
short = np.array([5, 10, 5, 4, 3, 2, 5, 4, 3, 2])
assert np.isclose(bleu_from_sums(short), 100 * np.exp(-1)), (
    "half as long as the reference: e to the power 1 − 10/5"
)
long = np.array([20, 10, 10, 9, 8, 7, 20, 19, 18, 17])
assert bleu_from_sums(long) > 40, (
    "an output that is too long pays through its precisions, and no penalty"
)
### BEGIN HIDDEN TESTS
for elsewhere in ("wmt13/es-en", "wmt12/de-en"):
    others = mt.load(elsewhere).statistics("BLEU")
    expected = others.scores()[list(others.systems)].to_numpy()
    got = [bleu_from_sums(sums) for sums in others.totals()]
    assert np.allclose(got, expected, rtol=1e-9), (
        f"on {elsewhere} your score and the package's differ by up to {np.abs(got - expected).max():.3f}: "
        "look at the penalty, and at the fourth root"
    )
assert bleu_from_sums(np.array([5, 5, 3, 2, 1, 0, 5, 4, 3, 2])) == 0, (
    "no matching 4-gram: the product is 0"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · A test set that was never translated
#
# A resample is a row of weights: how often each segment is taken. Score many resamples of one system **without looking at
# a segment twice**: its counts are an array (segments × 10), the weights an array (resamples × segments). `score` takes an
# array (resamples × 10).


# %% nbgrader={"grade": false, "grade_id": "lab01-resamples-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def scores_of_resamples(counts, weights, score):
    """The score of each resample, an array as long as `weights`."""
    ### BEGIN SOLUTION
    return score(weights @ counts)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-resamples-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
uedin = wmt12.values[wmt12.index("uedin-wmt12")]
every_segment_once = np.ones((1, len(uedin)))
own_score = wmt12.scores()["uedin-wmt12"]
assert np.allclose(scores_of_resamples(uedin, every_segment_once, score), [own_score]), (
    "each segment taken once is the test set itself"
)
drawn = np.random.default_rng(1).integers(3003, size=(3, 3003))
times = np.array([np.bincount(row, minlength=3003) for row in drawn])
expected = [score(uedin[row].sum(axis=0)) for row in drawn]
assert np.allclose(scores_of_resamples(uedin, times, score), expected), (
    "weights times counts, summed over segments; the formula comes last"
)
### BEGIN HIDDEN TESTS
ter = mt.load("wmt12/es-en").statistics("TER")
edits = ter.values[3]
halves = np.array([np.arange(3003) % 2, 1 - np.arange(3003) % 2])
expected = [ter.metric.score(edits[half.astype(bool)].sum(axis=0)) for half in halves]
assert np.allclose(scores_of_resamples(edits, halves, ter.metric.score), expected), (
    "it should work for any metric: use the `score` and the `counts` that are handed in"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · What brevity costs
#
# How many points of BLEU does each system lose by being too short? Return a `pandas.Series`: the score that it would have
# without the penalty, minus the score that it has.


# %% nbgrader={"grade": false, "grade_id": "lab01-brevity-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def brevity_cost(statistics):
    """Points of BLEU that the brevity penalty takes from each system, by name."""
    ### BEGIN SOLUTION
    totals = statistics.totals()
    penalty = np.minimum(1, np.exp(1 - totals[:, 1] / totals[:, 0]))
    with_penalty = statistics.metric.score(totals)
    return pd.Series(with_penalty / penalty - with_penalty, index=statistics.systems)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-brevity-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
cost = brevity_cost(wmt12)
assert set(cost.index) == set(wmt12.systems), "one number for each system, by its name"
assert (cost >= 0).all(), "a penalty never gives points; without it a score is larger or the same"
lengths = pd.DataFrame(wmt12.totals()[:, :2], index=wmt12.systems, columns=["output", "reference"])
too_short = lengths.index[lengths["output"] < lengths["reference"]]
assert set(cost.index[cost > 0]) == set(too_short), "only outputs shorter than the reference pay"
### BEGIN HIDDEN TESTS
others = mt.load("wmt13/es-en").statistics("BLEU")
unpenalised = others.totals().copy()
unpenalised[:, 1] = np.minimum(unpenalised[:, 1], unpenalised[:, 0])
expected = others.metric.score(unpenalised) - others.metric.score(others.totals())
assert np.allclose(brevity_cost(others)[list(others.systems)], expected), (
    "on another campaign: the score without the penalty is the score divided by the penalty; check the order of systems"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A colleague computes BLEU of every sentence, and runs a t test on the means of two systems. In two or three
# sentences: what is wrong with calling the result a test of BLEU?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab01-mean-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# BLEU of a test set is a function of summed counts, not the mean of sentence scores, so that the t test is about
# another quantity: it weighs a short sentence like a long one, and a sentence without a matching 4-gram scores nothing
# (or what smoothing makes of it). The two can even rank systems differently. Resampling tests take any function of sums.
