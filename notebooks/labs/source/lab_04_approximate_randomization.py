# %% [markdown]
# # Lab 04 · Approximate randomization
#
# Count every exchange, then sample some, and get the same answer.
#
# *Goes with [unit 5](../../1_what_chance_can_do/05_exchange_and_count.ipynb). About 50 minutes, 14 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab04-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np

import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
pair = bleu.select(["uedin-wmt12", "QCRI--primary"])
score = pair.metric.score
differ = np.flatnonzero((pair.values[0] != pair.values[1]).any(axis=1))
ten = pair.subset(differ[100:110])
A, B = ten.values  # each 10 segments × 10 counts
observed = score(A.sum(axis=0)) - score(B.sum(axis=0))
print(f"ten segments, observed difference {observed:+.3f} BLEU")

# %% [markdown]
# ## Exercise 1 · Every exchange
#
# An exchange is a row of zeros and ones, one for each segment: 1 keeps the outputs where they are, 0 swaps them. Return the
# difference in score after each of the $2^n$ exchanges, in any order. (`itertools.product` lists them.)


# %% nbgrader={"grade": false, "grade_id": "lab04-exchanges-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def all_differences(a, b, score):
    """First minus second after every exchange of n segments, an array of 2**n values."""
    ### BEGIN SOLUTION
    keep = np.array(list(itertools.product([0, 1], repeat=len(a))))
    return score(keep @ a + (1 - keep) @ b) - score(keep @ b + (1 - keep) @ a)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-exchanges-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
differences = all_differences(A, B, score)
assert len(differences) == 1024, "ten segments, two ways each: 2 to the power 10"
assert np.isclose(differences, observed).any(), "keeping everything is one of the exchanges"
assert np.isclose(np.sort(differences), np.sort(-differences)).all(), (
    "every exchange has its mirror: what one system gives up, the other must get"
)
### BEGIN HIDDEN TESTS
three = bleu.select(["onlineA", "onlineB"]).values[:, [5, 50, 500]]
got = np.sort(all_differences(*three, score))
swaps = [np.array(bits)[:, None] for bits in itertools.product([False, True], repeat=3)]
expected = [
    score(np.where(swap, three[1], three[0]).sum(axis=0))
    - score(np.where(swap, three[0], three[1]).sum(axis=0))
    for swap in swaps
]
assert len(got) == 8 and np.allclose(got, np.sort(expected)), (
    "three other segments: eight exchanges; take the number of segments from `a`"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · The exact p-value
#
# Two-sided: the share of exchanges whose difference is **at least as large** as the observed one, in absolute value. Differences that
# are equal but for rounding must count as equal; `1e-9` is plenty.


# %% nbgrader={"grade": false, "grade_id": "lab04-exact-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def exact_pvalue(differences, observed):
    """Two-sided p-value from the differences after all exchanges."""
    ### BEGIN SOLUTION
    return np.mean(np.abs(differences) >= abs(observed) - 1e-9)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-exact-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
p_exact = exact_pvalue(differences, observed)
package = mt.approximate_randomization(ten, *ten.systems, exact=True)
print(f"yours {p_exact:.4f}, the package's {package.pvalue:.4f}")
assert p_exact >= 2 / 1024, "the observed arrangement and its mirror always count"
assert np.isclose(p_exact, package.pvalue), "count both tails, and ties"
### BEGIN HIDDEN TESTS
assert exact_pvalue(np.zeros(16), 0.0) == 1, (
    "a system beside its copy: every exchange ties, so p is 1"
)
rounded = np.array([0.1 + 0.2, -(0.1 + 0.2), 0.1, -0.1])
assert exact_pvalue(rounded, 0.3) == 0.5, (
    "0.1 + 0.2 and 0.3 are tied, though a computer rounds them differently"
)
assert exact_pvalue(rounded, 0.1 + 0.2 + 1e-13) == 0.5, (
    "the observed value may be the one that was rounded up"
)
assert exact_pvalue(np.array([-3, -1, 1, 3.0]), -3.0) == 0.5, (
    "an observed difference may be negative"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Too many to count
#
# Toss a coin for each segment, `n_shuffles` times, and count as before. The observed arrangement is one more of those that were
# possible: $p = (c + 1) / (R + 1)$.


# %% nbgrader={"grade": false, "grade_id": "lab04-sampled-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sampled_pvalue(a, b, score, n_shuffles, rng):
    """Two-sided p-value of approximate randomization."""
    ### BEGIN SOLUTION
    keep = rng.integers(2, size=(n_shuffles, len(a)))
    shuffled = score(keep @ a + (1 - keep) @ b) - score(keep @ b + (1 - keep) @ a)
    observed = score(a.sum(axis=0)) - score(b.sum(axis=0))
    count = np.sum(np.abs(shuffled) >= abs(observed) - 1e-9)
    return (count + 1) / (n_shuffles + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-sampled-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
p = sampled_pvalue(A, B, score, 4000, np.random.default_rng(4))
print(f"sampled {p:.4f}, exact {p_exact:.4f}")
assert abs(p - p_exact) < 0.04, (
    "4,000 shuffles come closer to the exact p-value; are both tails counted?"
)
assert p != sampled_pvalue(A, B, score, 4000, np.random.default_rng(5)), (
    "another seed, other shuffles"
)
### BEGIN HIDDEN TESTS
A2, B2 = bleu.select(["onlineB", "uk-dan-moses"]).values[:, :400]
assert sampled_pvalue(A2, B2, score, 199, np.random.default_rng(6)) == 1 / 200, (
    "very different systems: no shuffle gets there, and p is 1/200, not 0"
)
assert sampled_pvalue(A2, A2, score, 50, np.random.default_rng(7)) == 1, (
    "a system beside its copy: p is 1"
)
eight = pair.subset(differ[40:48])
exact = mt.approximate_randomization(eight, *eight.systems, exact=True).pvalue
got = sampled_pvalue(*eight.values, score, 4000, np.random.default_rng(8))
assert abs(got - exact) < 0.04, f"on eight other segments: exact p = {exact:.3f}, yours {got:.3f}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · How much can a small test set say?
#
# Two systems differ in `n` segments, and the test is two-sided. How large must `n` be, at least, before p can be as small as
# `alpha`?


# %% nbgrader={"grade": false, "grade_id": "lab04-smallest-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def segments_needed(alpha):
    """The smallest number of differing segments with which an exact p-value can reach alpha."""
    ### BEGIN SOLUTION
    n = 1
    while 2 / 2**n > alpha:
        n += 1
    return n
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-smallest-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert segments_needed(1) == 1, "with one segment both exchanges count: p is 1"
assert segments_needed(0.05) > 4, (
    "with four segments there are 16 exchanges, and at least two count: p ≥ 2/16"
)
### BEGIN HIDDEN TESTS
for alpha, n in ((0.5, 2), (0.125, 4), (0.05, 6), (0.01, 8), (0.001, 11), (1e-6, 21)):
    assert segments_needed(alpha) == n, (
        f"α = {alpha:g} can be reached with {n} segments, not with {n - 1}: "
        "the observed exchange and its mirror count, of 2**n"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# On your ten segments the p-value is large. A colleague writes: "the two systems are equally good (approximate randomization,
# 10,000 shuffles)". In two or three sentences: what may be written, and would more shuffles help?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab04-equal-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# Only: no difference was detected on these ten segments. That is no evidence that there is none; ten segments can hardly
# show one. More shuffles make the p-value more exact (here all 1,024 can be counted), they do not make
# the test more powerful; more segments do.
