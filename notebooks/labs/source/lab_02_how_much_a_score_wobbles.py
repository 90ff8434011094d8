# %% [markdown]
# # Lab 02 · How much a score wobbles
#
# Make a bootstrap interval, and find out whether it keeps its promise.
#
# *Goes with [unit 8](../../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb). About 50 minutes, 13 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab02-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np

import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
score = bleu.metric.score
system = bleu.values[bleu.index("GTH-UPM")]  # segments × counts
small = system[::10]
print(
    f"GTH-UPM: {score(system.sum(axis=0)):.2f} BLEU; on every tenth segment {score(small.sum(axis=0)):.2f}"
)

# %% [markdown]
# ## Exercise 1 · Resampled scores
#
# Draw test sets *with replacement*, as large as the one you are given, and score each.


# %% nbgrader={"grade": false, "grade_id": "lab02-resample-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resampled_scores(counts, n_resamples, rng):
    """BLEU of `n_resamples` resamples of a test set, an array; `counts` is segments × counts."""
    ### BEGIN SOLUTION
    scores = np.empty(n_resamples)
    for r in range(n_resamples):
        drawn = rng.integers(len(counts), size=len(counts))
        scores[r] = score(counts[drawn].sum(axis=0))
    return scores
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-resample-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
got = resampled_scores(small, 400, np.random.default_rng(1))
assert len(got) == 400 and len(np.unique(got)) > 350, (
    "400 resamples, hardly any two alike: is each drawn anew?"
)
assert abs(np.mean(got) - score(small.sum(axis=0))) < 0.5, (
    "they lie around the score of the test set itself"
)
package = mt.confidence_interval(
    bleu.select(["GTH-UPM"]).subset(np.arange(0, 3003, 10)), "GTH-UPM", rng=1
)
assert 0.8 < np.std(got) / package.standard_error < 1.25, (
    "the spread is wrong: draw with replacement, as many segments as the test set has"
)
### BEGIN HIDDEN TESTS
other = bleu.values[2, :150]
got = resampled_scores(other, 600, np.random.default_rng(2))
whole = other[np.random.default_rng(3).integers(150, size=(2000, 150))].sum(axis=1)
assert 0.85 < np.std(got) / np.std(score(whole)) < 1.18, (
    "on a test set of another size the spread is wrong: take the size from `counts`"
)
assert np.array_equal(
    resampled_scores(other, 5, np.random.default_rng(4)),
    resampled_scores(other, 5, np.random.default_rng(4)),
), "the same seed should give the same scores: draw from `rng` and from nothing else"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · The percentile interval
#
# Between which two values does the middle 95 % of the resampled scores lie? Write it for any confidence level.


# %% nbgrader={"grade": false, "grade_id": "lab02-percentile-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def percentile_interval(scores, confidence_level=0.95):
    """Lower and upper limit: as many scores are left out below as above."""
    ### BEGIN SOLUTION
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(scores, [tail, 1 - tail])
    return low, high
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-percentile-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
low, high = percentile_interval(package.distribution)
assert low < high, "the lower limit comes first"
assert abs(low - package.low) < 0.02 and abs(high - package.high) < 0.02, (
    f"the package has {package.low:.2f} to {package.high:.2f}: leave out 2.5 % on either side"
)
### BEGIN HIDDEN TESTS
values = np.random.default_rng(5).permutation(np.arange(10_001.0))
for level, expected in ((0.9, (500, 9500)), (0.5, (2500, 7500)), (0.99, (50, 9950))):
    limits = percentile_interval(values, level)
    assert np.allclose(limits, expected, atol=2), (
        f"at a confidence level of {level} the limits of 0, 1, … 10,000 in any order are {expected}"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Does it hit?
#
# Now the truth is known, because *we* choose the population: its score is the true one. Draw one test set of `size` segments
# from it (with replacement), make its interval from 200 resamples, and say whether the interval contains the true score.


# %% nbgrader={"grade": false, "grade_id": "lab02-hit-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def one_hit(population, size, confidence_level, rng):
    """True if the interval of one test set of `size` segments contains the population's score."""
    ### BEGIN SOLUTION
    test_set = population[rng.integers(len(population), size=size)]
    low, high = percentile_interval(resampled_scores(test_set, 200, rng), confidence_level)
    return low <= score(population.sum(axis=0)) <= high
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-hit-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(6)
hits = sum(bool(one_hit(system, 100, 0.95, rng)) for _ in range(100))
print(f"{hits} of 100 intervals contain the true score")
assert hits < 100, (
    "no misses at all: compare with the score of the *population*, not of the test set"
)
assert hits > 84, (
    "too many misses: is the interval made from resamples of the test set that you drew?"
)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(7)
half = sum(bool(one_hit(bleu.values[0], 80, 0.5, rng)) for _ in range(100))
assert 32 <= half <= 66, (
    f"{half} of 100 intervals at a level of 50 % hit: is `confidence_level` used?"
)
two_segments = bleu.values[5][[20, 21]]
worlds = {bool(one_hit(two_segments, 1, 0.95, np.random.default_rng(seed))) for seed in range(12)}
assert worlds == {False}, (
    "a test set of one segment has one score; is the test set drawn from `population`?"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · The interval of a difference
#
# `a` and `b` are the counts of two systems on **the same segments**. Make the percentile interval of the difference, first
# minus second.


# %% nbgrader={"grade": false, "grade_id": "lab02-difference-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def interval_of_difference(a, b, n_resamples, rng):
    """95 % percentile interval of the difference in BLEU between two systems."""
    ### BEGIN SOLUTION
    differences = np.empty(n_resamples)
    for r in range(n_resamples):
        drawn = rng.integers(len(a), size=len(a))
        differences[r] = score(a[drawn].sum(axis=0)) - score(b[drawn].sum(axis=0))
    return percentile_interval(differences)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-difference-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
a, b = bleu.select(["UPC", "onlineA"]).values
low, high = interval_of_difference(a, b, 500, np.random.default_rng(8))
package = mt.confidence_interval(bleu, "UPC", "onlineA", n_resamples=2000, rng=8)
print(f"yours {low:+.2f} to {high:+.2f}, the package's {package.low:+.2f} to {package.high:+.2f}")
assert low < package.estimate < high, "the observed difference, UPC minus onlineA, lies inside"
assert (high - low) / (package.high - package.low) < 1.25, (
    "too wide: both systems must be scored on the same drawn segments"
)
### BEGIN HIDDEN TESTS
a, b = mt.load("wmt13/es-en").statistics("BLEU").values[[0, 5]]
expected = mt.confidence_interval(
    mt.load("wmt13/es-en").statistics("BLEU"),
    *mt.load("wmt13/es-en").statistics("BLEU").systems[:6:5],
    rng=9,
)
low, high = interval_of_difference(a, b, 400, np.random.default_rng(9))
slack = 0.35 * (expected.high - expected.low)
assert abs(low - expected.low) < slack and abs(high - expected.high) < slack, (
    f"for another pair the limits should be near {expected.low:+.2f} and {expected.high:+.2f}: "
    "first minus second, the same segments for both"
)
low, high = interval_of_difference(a, a, 20, np.random.default_rng(10))
assert low == high == 0, "a system minus its copy is 0 on every resample: are both drawn together?"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# The intervals of `UPC` and of `onlineA`, each by itself, overlap. Somebody concludes that the systems cannot be told apart. In two or
# three sentences: what does your exercise 4 say, and why do the two ways of looking differ?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab02-overlap-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# The interval of the difference excludes zero, so the systems are distinguished. The two separate intervals contain what
# makes the test set hard or easy for everybody; both systems translated the same segments, so that part cancels in the
# difference. Overlapping intervals are not a test.
