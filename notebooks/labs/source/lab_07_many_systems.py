# %% [markdown]
# # Lab 07 · Many systems
#
# Twelve systems, 66 pairs: make false claims on purpose, then stop making them.
#
# *Goes with [unit 19](../../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb). About 55 minutes, 14 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab07-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np

import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU").subset(np.arange(0, 3003, 5))
table = mt.compare_all(bleu, correction=None, interval=None, n_resamples=5000, rng=2012).table
pvalues = table["pvalue"].to_numpy()
print(
    f"{len(bleu.systems)} systems, {len(pvalues)} pairs, {(pvalues <= 0.05).sum()} with p ≤ .05, uncorrected"
)

# %% [markdown]
# ## Exercise 1 · At least one
#
# If `k` true null hypotheses are tested *independently*, each at level `alpha`: how likely is at least one false claim? And which
# level must each test have, so that the chance is `target`?


# %% nbgrader={"grade": false, "grade_id": "lab07-family-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def chance_of_a_false_claim(k, alpha):
    """Family-wise error of k independent tests at level alpha."""
    ### BEGIN SOLUTION
    return 1 - (1 - alpha) ** k
    ### END SOLUTION


def level_of_each(k, target):
    """The level of each of k independent tests that makes the family-wise error `target`."""
    ### BEGIN SOLUTION
    return 1 - (1 - target) ** (1 / k)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-family-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert np.isclose(chance_of_a_false_claim(1, 0.05), 0.05), "one test at .05"
assert f"{chance_of_a_false_claim(105, 0.05):.4f}" == "0.9954", (
    "fifteen systems, 105 pairs: the chance that *none* is claimed falsely is .95 to the power 105"
)
assert np.isclose(level_of_each(1, 0.05), 0.05), "a family of one"
### BEGIN HIDDEN TESTS
for k, alpha in ((2, 0.1), (10, 0.01), (66, 0.05)):
    assert np.isclose(chance_of_a_false_claim(k, alpha), mt.experimentwise_error(k, alpha)), (
        f"k = {k}, α = {alpha}"
    )
    level = level_of_each(k, alpha)
    assert np.isclose(mt.experimentwise_error(k, level), alpha), (
        f"{k} tests at {level:.5f} do not have a family-wise error of {alpha}: solve the first formula for α"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Systems that do not differ
#
# Deal the outputs of every segment out at random, like cards: each pseudo-system gets one. `values` is
# systems × segments × counts; return an array of the same shape. (`rng.permuted` shuffles along an axis, `rng.permutation` one list.)


# %% nbgrader={"grade": false, "grade_id": "lab07-deal-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def deal(values, rng):
    """Pseudo-systems: within each segment, the outputs dealt out at random."""
    ### BEGIN SOLUTION
    n_systems, n_segments, _ = values.shape
    hands = rng.permuted(np.tile(np.arange(n_systems), (n_segments, 1)), axis=1)
    return values[hands.T, np.arange(n_segments)]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-deal-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
dealt = deal(bleu.values, np.random.default_rng(1))
assert np.shape(dealt) == bleu.values.shape, "as many pseudo-systems, segments and counts as before"
assert np.array_equal(np.sum(dealt, axis=0), bleu.values.sum(axis=0)), (
    "within a segment every output is dealt once: summed over systems, counts stay what they were"
)
spread = np.ptp(bleu.metric.score(np.sum(dealt, axis=1)))
print(
    f"best minus worst: real systems {np.ptp(bleu.scores()):.1f} BLEU, pseudo-systems {spread:.1f}"
)
assert spread < 3, "the pseudo-systems still differ: are outputs shuffled in every segment anew?"
### BEGIN HIDDEN TESTS
cards = np.arange(4)[:, None, None] * np.ones((1, 600, 2)) + 10 * np.arange(600)[None, :, None]
hand = np.asarray(deal(cards, np.random.default_rng(2)))
assert np.array_equal(hand // 10, cards // 10), "an output must stay with its segment"
assert np.array_equal(hand[..., 0], hand[..., 1]), "the counts of an output belong together"
assert np.array_equal(np.sort(hand[..., 0] % 10, axis=0), np.tile(np.arange(4.0)[:, None], 600)), (
    "every output once"
)
who = np.array([(hand[0, :, 0] % 10 == card).mean() for card in range(4)])
assert (np.abs(who - 0.25) < 0.08).all(), (
    f"each output should reach the first hand a quarter of the time, not {who.round(2)}"
)
### END HIDDEN TESTS

# %% [markdown]
# Thirty deals, all 66 pairs each, every pair at .05. Whatever is claimed is false.

# %% nbgrader={"grade": false, "grade_id": "lab07-deals", "locked": true, "schema_version": 3, "solution": false, "task": false}
names = [f"{k:02}" for k in range(1, 13)]
dealer = np.random.default_rng(3)
with_a_claim = {None: 0, "holm": 0}
for seed in range(30):
    pseudo = mt.SufficientStatistics(bleu.metric, names, deal(bleu.values, dealer)[:, :200])
    p = mt.compare_all(pseudo, correction=None, interval=None, n_resamples=1999, rng=seed).table[
        "pvalue"
    ]
    for correction in with_a_claim:
        with_a_claim[correction] += (mt.adjust_pvalues(p, correction) <= 0.05).any()
print(
    f"deals of 30 with a false claim: {with_a_claim[None]} uncorrected, {with_a_claim['holm']} after Holm"
)
assert with_a_claim[None] > 5 + with_a_claim["holm"]

# %% [markdown]
# ## Exercise 3 · Holm, by hand
#
# Sort the p-values. Multiply the smallest by their number m, the next by m − 1, and so on. None may become smaller than the one
# before it, nor larger than 1. Return the adjusted values **in the order in which the p-values came**.


# %% nbgrader={"grade": false, "grade_id": "lab07-holm-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def holm(pvalues):
    """p-values adjusted after Holm (1979), an array in the given order."""
    ### BEGIN SOLUTION
    pvalues = np.asarray(pvalues)
    adjusted, so_far = np.empty(len(pvalues)), 0
    for rank, position in enumerate(np.argsort(pvalues)):
        so_far = max(so_far, (len(pvalues) - rank) * pvalues[position])
        adjusted[position] = min(1, so_far)
    return adjusted
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-holm-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
assert np.allclose(holm(np.array([0.01, 0.02, 0.5])), [0.03, 0.04, 0.5]), (
    "0.01 · 3, 0.02 · 2, 0.5 · 1"
)
assert np.allclose(holm(np.array([0.5, 0.01, 0.02])), [0.5, 0.03, 0.04]), (
    "in the order in which they came"
)
yours = holm(pvalues)
assert np.allclose(yours, mt.adjust_pvalues(pvalues, "holm")), (
    "on the 66 pairs you differ from the package"
)
print(
    f"pairs of 66 with p ≤ .05: {(pvalues <= 0.05).sum()} uncorrected, {(yours <= 0.05).sum()} after Holm"
)
### BEGIN HIDDEN TESTS
assert np.allclose(holm(np.array([0.02, 0.021, 0.022])), [0.06, 0.06, 0.06]), (
    "2 · 0.021 is smaller than 3 · 0.02: an adjusted p-value is never smaller than the one before it"
)
assert np.allclose(holm(np.array([0.4, 0.9])), [0.8, 0.9]), "two p-values"
assert np.allclose(holm(np.array([0.6, 0.7])), [1, 1]), "never larger than 1"
for seed in range(5):
    p = np.random.default_rng(seed).uniform(size=20) ** 4
    assert np.allclose(holm(p), mt.adjust_pvalues(p, "holm")), (
        "on twenty p-values drawn at random you differ"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · The luckiest pair
#
# Holm knows nothing of what the pairs share. Westfall & Young do: compare each pair's observed difference with the **largest**
# difference among all pairs in the same shuffle. (This is their single-step version.) `z` holds the observed differences, one
# for each pair, in absolute value and scaled; `pseudo_z` the same after each shuffle, shuffles × pairs.


# %% nbgrader={"grade": false, "grade_id": "lab07-largest-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def single_step(z, pseudo_z):
    """Adjusted p-values, one for each pair: (c + 1) / (R + 1)."""
    ### BEGIN SOLUTION
    largest = pseudo_z.max(axis=1)
    counts = np.sum(largest[:, None] >= np.asarray(z) - 1e-9, axis=0)
    return (counts + 1) / (len(pseudo_z) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-largest-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
pseudo_z = np.array([[0.5, 1.0], [2.0, 0.1], [0.2, 0.3], [1.5, 3.0]])
got = single_step(np.array([1.0, 2.5]), pseudo_z)
assert np.shape(got) == (2,), "one adjusted p-value for each pair"
assert np.allclose(got, [4 / 5, 2 / 5]), (
    "the largest of each shuffle: 1, 2, 0.3, 3; three of them reach 1.0 (a tie counts), one reaches 2.5"
)
### BEGIN HIDDEN TESTS
random = np.abs(np.random.default_rng(4).normal(size=(999, 30)))
observed_z = np.linspace(0.5, 5, 30)
expected = [(sum(row.max() >= value for row in random) + 1) / 1000 for value in observed_z]
assert np.allclose(single_step(observed_z, random), expected), (
    "30 pairs and 999 shuffles: the largest of each row"
)
one_pair = np.abs(np.random.default_rng(5).normal(size=(99, 1)))
assert np.isclose(single_step(np.array([9.0]), one_pair)[0], 0.01), (
    "a family of one is not corrected: (0 + 1) / 100"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# Somebody tests 66 pairs under six metrics, and reports the twelve comparisons that came out with p < .05 after Holm's correction
# *within each metric*. In two or three sentences: what is the family here, and what is promised about the twelve?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab07-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# Six families of 66 pairs were corrected, one for each metric; the promise, at most 5 % chance of any false claim, holds
# within each of them, so that over all six the chance may be up to 30 %. Since the twelve were picked from all 396
# comparisons, these 396 are the family, and should be corrected together.
