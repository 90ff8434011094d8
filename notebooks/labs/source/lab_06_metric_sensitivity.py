# %% [markdown]
# # Lab 06 · Metrics differ in sensitivity
#
# Put six metrics on one scale, and count what each of them notices.
#
# *Goes with [unit 16](../../3_which_test_which_metric/16_small_differences.ipynb). About 45 minutes, 12 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab06-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.significance.corrections import standard_errors

campaign = mt.load("wmt12/es-en")
family = {
    name: campaign.statistics(name) for name in ("BLEU", "NIST", "METEOR", "TER", "GTM", "chrF")
}
bleu, ter = family["BLEU"], family["TER"]
print(
    {name: "higher" if s.metric.higher_is_better else "lower" for name, s in family.items()},
    "is better",
)

# %% [markdown]
# ## Exercise 1 · Which way is up?
#
# Return how much **better** the first system scores than the second: positive if the first is better, whatever the metric.
# `statistics.scores()` has the scores by name, `statistics.metric.higher_is_better` the direction.


# %% nbgrader={"grade": false, "grade_id": "lab06-advantage-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def advantage(statistics, first, second):
    """How much better `first` scores than `second` under the metric of `statistics`."""
    ### BEGIN SOLUTION
    scores = statistics.scores()
    difference = scores[first] - scores[second]
    return difference if statistics.metric.higher_is_better else -difference
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-advantage-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert advantage(bleu, "onlineB", "uk-dan-moses") > 0, "onlineB has the higher BLEU"
assert advantage(ter, "onlineB", "uk-dan-moses") > 0, (
    "TER counts edits: fewer are better, and onlineB needs fewer"
)
assert np.isclose(advantage(ter, "UPC", "onlineA"), -advantage(ter, "onlineA", "UPC")), (
    "swapped, the sign turns over"
)
### BEGIN HIDDEN TESTS
for name, statistics in family.items():
    best_first = list(
        statistics.scores().sort_values(ascending=not statistics.metric.higher_is_better).index
    )
    for one, other in itertools.pairwise(best_first):
        gap = abs(statistics.scores()[one] - statistics.scores()[other])
        assert np.isclose(advantage(statistics, one, other), gap), (
            f"{one} is better than {other} under {name}"
        )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · The jackknife
#
# How much would the difference between two systems vary over test sets? Leave out one segment at a time: $n$ differences
# $d_{(i)}$, each of $n - 1$ segments. The standard error is $\sqrt{(n - 1) \cdot \mathrm{mean}\,(d_{(i)} - \bar d)^2}$. No loop is needed:
# `totals - counts` has the sums without each of the segments.


# %% nbgrader={"grade": false, "grade_id": "lab06-jackknife-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def jackknife_standard_error(a, b, score):
    """Standard error of score(a) - score(b); `a` and `b` are segments × counts."""
    ### BEGIN SOLUTION
    without_one = score(a.sum(axis=0) - a) - score(b.sum(axis=0) - b)
    return np.sqrt((len(a) - 1) * np.mean((without_one - without_one.mean()) ** 2))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-jackknife-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
two = bleu.select(["uedin-wmt12", "QCRI--primary"])
yours = jackknife_standard_error(*two.values, two.metric.score)
packages = standard_errors(two, (np.array([0]), np.array([1])))[0]
print(f"yours {yours:.4f}, the package's {packages:.4f} BLEU")
assert yours > packages / 50, (
    "far too small: leaving out one of 3,003 segments moves little; what is n − 1 for?"
)
assert np.isclose(yours, packages), "look at the divisor: a mean of squares over n, times n − 1"
### BEGIN HIDDEN TESTS
numbers = np.random.default_rng(1).normal(size=(40, 2))
x, y = (np.column_stack([column, np.ones(40)]) for column in numbers.T)  # value and weight
got = jackknife_standard_error(x, y, lambda sums: sums[..., 0] / sums[..., 1])
expected = np.std(numbers[:, 0] - numbers[:, 1], ddof=1) / np.sqrt(40)
assert np.isclose(got, expected), "for a metric that is a mean it must be the textbook's s/√n"
for statistics in (ter, family["NIST"]):
    some = statistics.select(statistics.systems[:2]).subset(np.arange(0, 3003, 7))
    assert np.isclose(
        jackknife_standard_error(*some.values, some.metric.score),
        standard_errors(some, (np.array([0]), np.array([1])))[0],
    ), f"under {some.metric.name}, on fewer segments: use the `score` that is handed in"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · What a metric notices
#
# An advantage of more than 1.96 standard errors, on either side, is noticed. How many of all pairs of systems does a metric notice?


# %% nbgrader={"grade": false, "grade_id": "lab06-noticed-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pairs_noticed(statistics, threshold=1.96):
    """Number of pairs of systems whose difference exceeds `threshold` standard errors."""
    ### BEGIN SOLUTION
    noticed = 0
    for one, other in itertools.combinations(statistics.systems, 2):
        a, b = statistics.select([one, other]).values
        error = jackknife_standard_error(a, b, statistics.metric.score)
        noticed += abs(advantage(statistics, one, other)) > threshold * error
    return int(noticed)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-noticed-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
five_hundred = np.arange(0, 3000, 6)
counts = {
    name: pairs_noticed(statistics.subset(five_hundred)) for name, statistics in family.items()
}
print("pairs of 66 noticed on 500 segments:", counts)
assert all(0 < count <= 66 for count in counts.values()), (
    "twelve systems make 66 pairs; each is counted once"
)
assert pairs_noticed(bleu.subset(five_hundred)) <= pairs_noticed(
    bleu.subset(five_hundred), threshold=1
), "a lower threshold notices more"
### BEGIN HIDDEN TESTS
for statistics, threshold in (
    (bleu.subset(np.arange(300)), 1.96),
    (ter.subset(np.arange(0, 3000, 9)), 3),
):
    first, second = np.triu_indices(12, 1)
    scores = statistics.metric.score(statistics.totals())
    z = np.abs(scores[first] - scores[second]) / standard_errors(statistics, (first, second))
    expected = int((z > threshold).sum())
    got = pairs_noticed(statistics, threshold)
    assert got == expected, (
        f"{statistics.metric.name}, threshold {threshold}: {expected} of 66, yours {got}; both signs count, each pair once"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · The same coin tosses for all metrics
#
# A shuffle does not know which metric will be asked. `keep` holds shuffles × segments, 1 where outputs stay. Return each metric's
# two-sided p-value for the pair, **on these same shuffles**, as a dictionary by name.


# %% nbgrader={"grade": false, "grade_id": "lab06-family-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pvalues_of_family(family, first, second, keep):
    """Each metric's p-value under approximate randomization with the shuffles in `keep`."""
    ### BEGIN SOLUTION
    pvalues = {}
    for name, statistics in family.items():
        a, b = statistics.select([first, second]).values
        score = statistics.metric.score
        observed = score(a.sum(axis=0)) - score(b.sum(axis=0))
        shuffled = score(keep @ a + (1 - keep) @ b) - score(keep @ b + (1 - keep) @ a)
        count = np.sum(np.abs(shuffled) >= abs(observed) - 1e-9)
        pvalues[name] = (count + 1) / (len(keep) + 1)
    return pvalues
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-family-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
keep = swap_masks(500, 3003, seed=2005, key=(0,)).astype(float)
p = pvalues_of_family(family, "uedin-wmt12", "QCRI--primary", keep)
print({name: round(float(value), 3) for name, value in p.items()})
for name in ("BLEU", "TER"):
    result = mt.approximate_randomization(
        family[name], "uedin-wmt12", "QCRI--primary", n_resamples=500, rng=2005
    )
    assert p[name] == result.pvalue, f"{name}: count ties and both tails, add one above and below"
### BEGIN HIDDEN TESTS
other = pvalues_of_family({"GTM": family["GTM"]}, "UPC", "onlineA", keep[:200])
assert set(other) == {"GTM"}, "one p-value for each metric of the family that is handed in"
result = mt.approximate_randomization(family["GTM"], "UPC", "onlineA", n_resamples=500, rng=2005)
count = int(np.sum(result.extreme[:200]))
assert other["GTM"] == (count + 1) / 201, (
    "200 shuffles of another pair: take their number from `keep`"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# For this pair two metrics say, significantly, that `QCRI--primary` is better, and four the opposite. In two or three sentences: is this a
# contradiction between tests, and what does "significantly better" need as a complement?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab06-contradiction-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# No: every test rejects the same null hypothesis, that the two outputs are exchangeable, and it is false under each metric.
# What differs is what the metrics measure. "Significantly better" is incomplete without "in BLEU"; which metric
# matters is a question about people, not about tests.
