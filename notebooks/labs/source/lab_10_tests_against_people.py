# %% [markdown]
# # Lab 10 · Do tests agree with people?
#
# Count, put an interval around the count, and compare two metrics on the same pairs.
#
# *Goes with [unit 26](../../5_people/26_do_the_tests_agree_with_people.ipynb). About 50 minutes, 14 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab10-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.proportions import clopper_pearson as package_interval

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)
options = {
    "alternative": "greater",
    "n_resamples": 2000,
    "correction": None,
    "interval": None,
    "rng": 2014,
}
verdicts = {
    name: mt.compare_all(campaign.statistics(name), **options).conclusions(0.05)
    for name in ("BLEU", "METEOR", "NIST")
}
results = {
    name: mt.agreement(verdict, people, n_resamples=200, rng=1)
    for name, verdict in verdicts.items()
}
print({name: f"{result.correct} of {result.total}" for name, result in results.items()})

# %% [markdown]
# ## Exercise 1 · Four outcomes
#
# For every pair of systems: *correct*, both conclude the same; *missed*, only people see a difference; *unfounded*, only the test sees
# one; *opposite*, they see opposite ones. `conclusions.conclusion(a, b)` is +1, 0 or −1. Return a dictionary with four counts.


# %% nbgrader={"grade": false, "grade_id": "lab10-outcomes-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def outcomes(conclusions, gold):
    """How many pairs are "correct", "missed", "unfounded" and "opposite"."""
    ### BEGIN SOLUTION
    counts = dict.fromkeys(("correct", "missed", "unfounded", "opposite"), 0)
    for a, b in itertools.combinations(gold.systems, 2):
        says, truth = conclusions.conclusion(a, b), gold.conclusion(a, b)
        if says == truth:
            counts["correct"] += 1
        elif says == 0:
            counts["missed"] += 1
        else:
            counts["unfounded" if truth == 0 else "opposite"] += 1
    return counts
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-outcomes-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
got = outcomes(verdicts["BLEU"], people)
print(got)
assert sum(got.values()) == 66, "twelve systems, 66 pairs, each counted once"
assert got["correct"] == results["BLEU"].correct, (
    "correct: the same conclusion, no difference detected included"
)
assert got == results["BLEU"].kinds.to_dict(), (
    "which of the two sees a difference, the test or the people?"
)
### BEGIN HIDDEN TESTS
one = mt.Conclusions.from_pairs({("a", "b"): 1, ("a", "c"): 0, ("b", "c"): 1})
gold = mt.Conclusions.from_pairs({("c", "b"): 1, ("c", "a"): 0, ("b", "a"): 0})
expected = {"correct": 1, "missed": 0, "unfounded": 1, "opposite": 1}
assert outcomes(one, gold) == expected, (
    "three made-up systems, in another order: ask for each pair by name"
)
assert outcomes(gold, one) == expected | {"missed": 1, "unfounded": 0}, (
    "people and test change places"
)
assert outcomes(verdicts["NIST"], people) == results["NIST"].kinds.to_dict(), (
    "NIST's outcomes differ"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · An interval for a share
#
# The Clopper–Pearson interval of k of n: its lower limit is the quantile α/2 of the beta distribution with parameters
# k and n − k + 1, its upper limit the quantile 1 − α/2 with parameters k + 1 and n − k. With k = 0 the lower limit is 0, with k = n the
# upper one is 1. (`stats.beta.ppf`)


# %% nbgrader={"grade": false, "grade_id": "lab10-interval-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def clopper_pearson(k, n, confidence_level=0.95):
    """Lower and upper limit of a share of which k of n trials are known."""
    ### BEGIN SOLUTION
    alpha = 1 - confidence_level
    low = stats.beta.ppf(alpha / 2, k, n - k + 1) if k > 0 else 0.0
    high = stats.beta.ppf(1 - alpha / 2, k + 1, n - k) if k < n else 1.0
    return low, high
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-interval-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
low, high = clopper_pearson(8, 10)
assert low < 0.8 < high, "the observed share lies inside"
assert np.allclose([low, high], package_interval(8, 10)), "8 of 10: 0.444 to 0.975"
### BEGIN HIDDEN TESTS
for k, n, level in ((0, 20, 0.95), (20, 20, 0.95), (45, 66, 0.99), (1, 3, 0.8)):
    limits = np.array(clopper_pearson(k, n, level), dtype=float)
    expected = np.array(package_interval(k, n, level))
    assert np.allclose(limits, expected), (
        f"{k} of {n} at {level}: {expected.round(4)}, yours {limits.round(4)}"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Other systems like these
#
# 66 pairs of twelve systems are not 66 independent trials. Draw systems with replacement: `times[i]` says how often system i was drawn.
# A pair of different systems counts as often as the product of the two numbers says; a system makes no pair with itself. `right` is a
# symmetric matrix, 1 where the conclusion about the pair is correct. Return the accuracy among the drawn.


# %% nbgrader={"grade": false, "grade_id": "lab10-resample-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resampled_accuracy(right, times):
    """Share of correct conclusions among the pairs of the drawn systems."""
    ### BEGIN SOLUTION
    weight = np.outer(times, times).astype(float)
    np.fill_diagonal(weight, 0)
    return (weight * right).sum() / weight.sum()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-resample-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
right = (results["BLEU"].conclusions.matrix == results["BLEU"].gold.matrix).astype(int)
once = resampled_accuracy(right, np.ones(12))
assert np.isclose(once, results["BLEU"].accuracy), (
    "every system once: the observed accuracy; is the diagonal left out?"
)
rng = np.random.default_rng(12)
many = [
    resampled_accuracy(right, np.bincount(rng.integers(12, size=12), minlength=12))
    for _ in range(500)
]
low, high = np.quantile(many, [0.025, 0.975])
pairs_alone = package_interval(results["BLEU"].correct, 66)
print(
    f"resampling systems {low:.2f} to {high:.2f}, pairs taken for independent {pairs_alone[0]:.2f} to {pairs_alone[1]:.2f}"
)
assert high - low > 0.05, "hardly any spread: are the weights used?"
### BEGIN HIDDEN TESTS
three = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
assert np.isclose(resampled_accuracy(three, np.array([2, 1, 1])), 2 / 5), (
    "first system twice: its pairs count double (2 right, 2 wrong), the third pair once (wrong): 2 of 5"
)
assert np.isclose(resampled_accuracy(three, np.array([1, 2, 0])), 1), (
    "a system that is not drawn has no pairs"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · McNemar
#
# Two metrics on the same pairs. Only pairs that **one of them gets right and the other wrong** matter; if the metrics are equally good,
# each is as likely to be the right one. Return the exact two-sided p-value (`stats.binomtest`); where there are no such pairs, 1.
# (It takes pairs as independent, which exercise 3 does not, so its p-value is too small where pairs share systems.)


# %% nbgrader={"grade": false, "grade_id": "lab10-mcnemar-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mcnemar_pvalue(right_a, right_b):
    """Exact two-sided p-value; the arguments are arrays of bool, one entry for each pair."""
    ### BEGIN SOLUTION
    right_a, right_b = np.asarray(right_a), np.asarray(right_b)
    only_a, only_b = (right_a & ~right_b).sum(), (right_b & ~right_a).sum()
    if only_a + only_b == 0:
        return 1.0
    return stats.binomtest(int(only_a), int(only_a + only_b)).pvalue
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-mcnemar-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
correct = {name: result.table["correct"].to_numpy() for name, result in results.items()}
p = mcnemar_pvalue(correct["METEOR"], correct["NIST"])
table = mt.mcnemar_between(results).set_index(["a", "b"])
print(
    f"METEOR against NIST: yours {p:.4f}, the package's {table.loc[('METEOR', 'NIST'), 'pvalue']:.4f}"
)
assert np.isclose(p, table.loc[("METEOR", "NIST"), "pvalue"]), (
    "count pairs that only one of the two gets right"
)
assert mcnemar_pvalue(correct["BLEU"], correct["BLEU"]) == 1, (
    "a metric beside itself: nothing to decide, p is 1"
)
### BEGIN HIDDEN TESTS
yes, no = np.array([True]), np.array([False])
for only_a, only_b, both in ((5, 0, 3), (0, 6, 40), (3, 9, 0), (4, 4, 1)):
    a = np.r_[np.repeat(yes, only_a), np.repeat(no, only_b), np.repeat(yes, both)]
    b = np.r_[np.repeat(no, only_a), np.repeat(yes, only_b), np.repeat(yes, both)]
    expected = min(1, 2 * stats.binom.cdf(min(only_a, only_b), only_a + only_b, 0.5))
    assert np.isclose(mcnemar_pvalue(a, b), expected), (
        f"{only_a} pairs only the first has right, {only_b} only the second: p = {expected:.4f}, both tails"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A test that always says "no difference detected" is correct wherever people say the same. In two or three sentences: what does this mean for
# "accuracy against people" as a measure of a metric, and what would you print beside it?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab10-silence-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# Accuracy rewards silence where people made too few judgements to see differences, so that a test with less power
# can score higher; an accuracy must be compared with that of silence, not with a coin. Beside it belong the counts of
# missed, unfounded and opposite conclusions: an opposite one is worse than a missed one.
