# %% [markdown]
# # Lab 05 · The shift-to-zero pitfall
#
# Find the tail that a printed test has lost, put it back, and measure what the loss did.
#
# *Goes with [unit 13](../../3_which_test_which_metric/13_the_pitfall.ipynb). About 50 minutes, 13 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab05-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.resampling import bootstrap_counts

pair = mt.load("wmt13/es-en").statistics("BLEU").select(["DCU-Prompsit.2880", "online-A"])
small = pair.subset(np.arange(0, 3000, 10))
score = small.metric.score
A, B = small.values
draws = bootstrap_counts(500, 300, seed=7)
differences = score(draws @ A) - score(draws @ B)  # on 500 resamples
observed = score(A.sum(axis=0)) - score(B.sum(axis=0))
print(f"observed {observed:+.3f} BLEU, mean of the resampled differences {differences.mean():+.3f}")

# %% [markdown]
# ## Exercise 1 · Mend it
#
# This is the bootstrap test as it was printed in 2005. It is meant to be two-sided.


# %% nbgrader={"grade": false, "grade_id": "lab05-printed", "locked": true, "schema_version": 3, "solution": false, "task": false}
def printed_pvalue(differences, observed):
    """As printed by Riezler & Maxwell (2005), Figure 2."""
    tau = np.mean(np.abs(differences))
    count = np.sum(np.abs(differences) - tau >= abs(observed) - 1e-9)
    return (count + 1) / (len(differences) + 1)


# %% [markdown]
# > **Predict before you run.** Turn the sign of all differences over, as if the systems had been swapped. Does the printed p-value
# > change? Should it?
#
# Write it as Graham, Mathur & Baldwin (2014) put it right: both tails must count.


# %% nbgrader={"grade": false, "grade_id": "lab05-mended-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mended_pvalue(differences, observed):
    """The two-sided bootstrap test, shifted to zero."""
    ### BEGIN SOLUTION
    tau = np.mean(differences)
    count = np.sum(np.abs(differences - tau) >= abs(observed) - 1e-9)
    return (1 + count) / (1 + len(differences))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-mended-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
package = mt.bootstrap_test(small, *small.systems, n_resamples=500, rng=7)
print(
    f"printed {printed_pvalue(differences, observed):.4f}, yours {mended_pvalue(differences, observed):.4f}"
)
assert mended_pvalue(differences, observed) > printed_pvalue(differences, observed), (
    "no tail has come back: what is lost when an absolute value is taken before the mean is subtracted?"
)
assert mended_pvalue(differences, observed) == package.pvalue, (
    f"the package counts {package.count}: what has to lie around zero before you ask how far from zero it is?"
)
### BEGIN HIDDEN TESTS
shifted = np.array([-1.0, 0, 1, 2, 3])
assert np.isclose(mended_pvalue(shifted, 2.0), 3 / 6), (
    "differences −1 … 3 lie around 1; −1 and 3 are as far from it as the observed 2 is from 0"
)
assert np.isclose(mended_pvalue(-shifted, -2.0), 3 / 6), (
    "swapping the two systems must not change p"
)
assert mended_pvalue(np.zeros(99), 0.0) == 1, "a system beside its copy: ties count, so p is 1"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Which resamples were lost?
#
# Return a mask, true for the resamples that count in the mended test and do not in the printed one.


# %% nbgrader={"grade": false, "grade_id": "lab05-lost-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def lost_resamples(differences, observed):
    """Which resamples the printed test loses, an array of bool."""
    ### BEGIN SOLUTION
    threshold = abs(observed) - 1e-9
    counted_when_mended = np.abs(differences - np.mean(differences)) >= threshold
    counted_as_printed = np.abs(differences) - np.mean(np.abs(differences)) >= threshold
    return counted_when_mended & ~counted_as_printed
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-lost-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lost = lost_resamples(differences, observed)
print(
    f"{np.sum(lost)} of {len(differences)} lost, {np.sum(lost & (differences < 0))} of them negative"
)
assert len(lost) == len(differences) and np.asarray(lost).dtype == bool, (
    "one True or False for each resample"
)
assert np.sum(lost & (differences < 0)) > 0.8 * np.sum(lost) > 0, (
    "nearly all of the lost ones lie in the negative tail"
)
### BEGIN HIDDEN TESTS
values = np.array([-4.0, -1, 1, 1, 2, 3, 5, 9])
assert np.array_equal(lost_resamples(values, 4.0), [True] + [False] * 7), (
    "of −4, −1, 1, 1, 2, 3, 5, 9 with an observed 4: the mean is 2, so −4 and 9 count when mended; "
    "the mean of the absolute values is 3.25, so only 9 does as printed"
)
assert not lost_resamples(np.zeros(5), 1.0).any(), "where nothing counts nothing can be lost"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Two systems that do not differ
#
# Make two pseudo-systems from two real ones: for every segment, toss a coin that decides which of the two gets which output. (Think
# of whole rows: a segment's ten counts belong together.)


# %% nbgrader={"grade": false, "grade_id": "lab05-null-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def null_pair(a, b, rng):
    """Two pseudo-systems that are interchangeable by construction, arrays like `a` and `b`."""
    ### BEGIN SOLUTION
    heads = rng.integers(2, size=len(a)).astype(bool)[:, None]
    return np.where(heads, a, b), np.where(heads, b, a)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-null-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
one, other = null_pair(A, B, np.random.default_rng(1))
assert np.shape(one) == np.shape(other) == A.shape, (
    "each pseudo-system has a row of counts for every segment"
)
assert np.array_equal(np.add(one, other), A + B), (
    "both outputs of a segment are given away, each once"
)
assert not np.array_equal(one, A) and not np.array_equal(one, B), (
    "some segments are swapped, and some are not"
)
### BEGIN HIDDEN TESTS
ids = np.arange(4000)[:, None] * np.ones((1, 3))
one, other = null_pair(ids, -ids - 1, np.random.default_rng(2))
assert (np.ptp(one, axis=1) == 0).all(), (
    "a segment's counts must stay together: one coin for each segment"
)
share = (np.asarray(one)[:, 0] >= 0).mean()
assert 0.45 < share < 0.55, f"the coin should be fair; yours keeps {share:.0%} of the segments"
again, _ = null_pair(ids, -ids - 1, np.random.default_rng(3))
assert not np.array_equal(one, again), "another seed, another pair: toss with `rng`"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · How often is a test wrong?
#
# Test `n_pairs` such pairs, each on the resamples in `draws`, with the p-value function that is handed in. Return the share with
# p ≤ .05.


# %% nbgrader={"grade": false, "grade_id": "lab05-error-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def type_one_error(pvalue, n_pairs, rng):
    """Share of null pairs, made from A and B, that the test calls different at the 5 % level."""
    ### BEGIN SOLUTION
    rejected = 0
    for _ in range(n_pairs):
        one, other = null_pair(A, B, rng)
        pseudo = score(draws @ one) - score(draws @ other)
        difference = score(one.sum(axis=0)) - score(other.sum(axis=0))
        rejected += pvalue(pseudo, difference) <= 0.05
    return rejected / n_pairs
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-error-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
printed_rate = type_one_error(printed_pvalue, 200, np.random.default_rng(4))
mended_rate = type_one_error(mended_pvalue, 200, np.random.default_rng(4))
print(f"wrong at .05: as printed {printed_rate:.1%}, mended {mended_rate:.1%}")
assert mended_rate < printed_rate, (
    "the printed test rejects more often; is the function that is handed in used?"
)
assert printed_rate < 0.25, "far too many: are the pseudo-systems tested, or A and B?"
### BEGIN HIDDEN TESTS
seen = []


def recording(pseudo, difference):
    """A p-value of .05 for every second pair; remembers what it is given."""
    seen.append((np.mean(pseudo), difference))
    return 0.05 if len(seen) % 2 else 0.0500001


rate = type_one_error(recording, 40, np.random.default_rng(5))
assert len(seen) == 40 and rate == 0.5, (
    "40 pairs, of which every second has p = .05: p ≤ .05 includes .05"
)
means, truths = np.array(seen).T
assert np.ptp(truths) > 0.1, "every pair should be a new one"
assert np.abs(means - truths).max() < 0.4, (
    "the resampled differences lie around the pair's own difference"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A paper reports "p = 0.03 (two-sided, `sacrebleu --paired-bs`)", and no correction. Unit 13 shows what this option computes. In two
# or three sentences: what is the two-sided p-value, roughly, and what would you write in a review?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab05-review-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# The option computes the test as printed in 2005, which counts one tail; with both tails p is about twice as large where
# the resampled differences are symmetric, so roughly 0.06, and no longer below .05. The review should say so, and ask for
# approximate randomization or the shifted bootstrap, with the procedure, the tails and the number of resamples stated.
