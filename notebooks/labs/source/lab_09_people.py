# %% [markdown]
# # Lab 09 · What people say
#
# From raw ratings to a gold standard, in four functions.
#
# *Goes with [unit 23](../../5_people/23_do_people_agree_with_themselves.ipynb). About 55 minutes, 14 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab09-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt

ratings = mt.load("wmt21/is-en").human.ratings
frame = ratings.frame
made_up = pd.DataFrame(
    {
        "rater": ["Ada", "Ada", "Ada", "Ben", "Ben", "Ben"],
        "system": ["x", "y", "x", "x", "y", "y"],
        "segment": ["1", "1", "2", "1", "1", "2"],
        "type": "SYSTEM",
        "raw": [80.0, 90.0, 100.0, 20.0, 60.0, 40.0],
    }
)
made_up

# %% [markdown]
# ## Exercise 1 · One footing
#
# From every rating subtract its rater's mean, and divide by the rater's standard deviation (with `ddof=1`, as pandas has it).
# Return a `Series` with the index of the frame.


# %% nbgrader={"grade": false, "grade_id": "lab09-standard-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def standard_scores(frame):
    """Standard scores of frame["raw"], rater by rater."""
    ### BEGIN SOLUTION
    by_rater = frame.groupby("rater")["raw"]
    return (frame["raw"] - by_rater.transform("mean")) / by_rater.transform("std")
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-standard-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
z = standard_scores(made_up)
assert np.allclose(z, [-1, 0, 1, -1, 1, 0]), (
    "Ada's mean is 90 and her deviation 10; Ben's are 40 and 20"
)
assert np.allclose(standard_scores(frame), ratings.standardised()), (
    "on the real ratings you differ from the package"
)
### BEGIN HIDDEN TESTS
shuffled = frame.sample(400, random_state=1)
got = standard_scores(shuffled)
assert list(got.index) == list(shuffled.index), (
    "the result must keep the order and the index of the frame"
)
groups = shuffled.groupby("rater")["raw"]
expected = groups.transform(lambda raw: (raw - raw.mean()) / raw.std())
assert np.allclose(got, expected, equal_nan=True), (
    "on other ratings: mean and deviation of each rater, from this frame"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · One score for each segment
#
# Two ratings of one translation are not two segments. Return the mean score of every (system, segment), a `Series` indexed by these two.
# Only rows whose `type` is `SYSTEM` or `REPEAT` are about systems.


# %% nbgrader={"grade": false, "grade_id": "lab09-means-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def segment_scores(frame, scores):
    """Mean score of each system's translation of each segment; `scores` is aligned with `frame`."""
    ### BEGIN SOLUTION
    about_systems = frame["type"].isin(["SYSTEM", "REPEAT"])
    kept = frame[about_systems].assign(score=scores[about_systems])
    return kept.groupby(["system", "segment"], observed=True)["score"].mean()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-means-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
got = segment_scores(made_up, standard_scores(made_up))
assert np.isclose(got["x", "1"], -1), "Ada and Ben both rated x's segment 1: the mean of −1 and −1"
assert np.isclose(got["y", "1"], 0.5), "the mean of 0 and 1"
assert len(got) == 4, "four translations were rated"
### BEGIN HIDDEN TESTS
means = ratings.segment_means()
expected = means.frame.set_index(["system", "segment"])["mean"].sort_index()
got = segment_scores(frame, ratings.standardised()).dropna().sort_index()
assert len(got) == len(expected), (
    f"{len(expected)} translations were rated, you have {len(got)}: leave out references and damaged outputs"
)
assert np.allclose(got.to_numpy(), expected.to_numpy()), "on the real ratings the means differ"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · The rank sum
#
# Compare every score of the one system with every score of the other. $U$ is the number of comparisons that the first wins, ties
# counting half.


# %% nbgrader={"grade": false, "grade_id": "lab09-u-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mann_whitney_u(x, y):
    """The number of comparisons that x wins, ties counting half."""
    ### BEGIN SOLUTION
    x, y = np.asarray(x)[:, None], np.asarray(y)
    return (x > y).sum() + (x == y).sum() / 2
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-u-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert mann_whitney_u([3, 4], [1, 2]) == 4, "the first wins all four comparisons"
assert mann_whitney_u([1, 5], [3]) == 1, "one won, one lost"
assert mann_whitney_u([2, 2], [2]) == 1, "two ties count half each"
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(9)
for n, m in ((5, 9), (40, 30), (7, 7)):
    x, y = rng.integers(6, size=n), rng.integers(6, size=m)
    assert mann_whitney_u(x, y) == stats.mannwhitneyu(x, y).statistic, (
        f"{n} and {m} scores with many ties"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Its p-value, by dealing
#
# Under the null hypothesis the labels mean nothing. Put all scores together, deal them out again `n_deals` times, and return the
# one-sided p-value of "x tends to be higher": $(c + 1) / (R + 1)$, where c deals have at least the observed $U$.


# %% nbgrader={"grade": false, "grade_id": "lab09-deal-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rank_sum_pvalue(x, y, n_deals, rng):
    """One-sided p-value of the rank-sum test, by dealing out the scores at random."""
    ### BEGIN SOLUTION
    ranks = stats.rankdata(np.concatenate([x, y]))
    observed = ranks[: len(x)].sum()  # U is this minus a constant
    dealt = np.array([rng.permutation(ranks)[: len(x)].sum() for _ in range(n_deals)])
    return (np.sum(dealt >= observed - 1e-9) + 1) / (n_deals + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-deal-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
samples = ratings.segment_means().samples()
x, y = samples["Manifold"], samples["NiuTrans"]
p = rank_sum_pvalue(x, y, 500, np.random.default_rng(1))
textbook = stats.mannwhitneyu(x, y, alternative="greater").pvalue
print(f"yours {p:.3f}, the normal approximation {textbook:.3f}")
assert abs(p - textbook) < 0.04, "far from the textbook's: one-sided, large values of U favour x"
assert abs(p + rank_sum_pvalue(y, x, 500, np.random.default_rng(2)) - 1) < 0.08, (
    "swapped, a one-sided p-value goes to the other end"
)
### BEGIN HIDDEN TESTS
few, fewer = np.array([5.0, 6, 7]), np.array([1.0, 2])
got = rank_sum_pvalue(few, fewer, 3000, np.random.default_rng(3))
assert abs(got - 0.1) < 0.03, (
    f"3 against 2, all won: one of ten deals is as good, p near .1 and not {got:.3f}"
)
tied = rank_sum_pvalue(np.ones(6), np.ones(5), 50, np.random.default_rng(4))
assert tied == 1, "where all scores are tied every deal reaches the observed U: p is 1"
far = rank_sum_pvalue(np.arange(100, 160), np.arange(60), 99, np.random.default_rng(5))
assert far == 0.01, "nothing is dealt that reaches it: 1/100, not 0"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# `HuaweiTSC` has the highest mean of raw scores, and is not first by standard scores. In two or three sentences: how can that be, and what can
# standardising do wrong?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab09-footing-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# Systems are not rated by the same raters: those who happened to get HuaweiTSC give higher scores to everybody, and
# standard scores take that out. But a rater who happened to see only good systems has a high mean for a good reason, and
# standardising takes that out, too. Nor does it make ratings by one rater independent.
