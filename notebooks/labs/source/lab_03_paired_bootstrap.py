# %% [markdown]
# # Lab 03 · The paired bootstrap
#
# Write Koehn's test, and measure what it costs to pick the winner after looking.
#
# *Goes with [unit 10](../../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb). About 45 minutes, 13 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab03-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.resampling import bootstrap_counts

bleu = mt.load("wmt13/es-en").statistics("BLEU")
pair = bleu.select(["DCU-Prompsit.2880", "online-A"])
score = pair.metric.score
ours, theirs = pair.values  # each segments × counts
draws = np.concatenate([bootstrap_counts(500, len(ours), seed=2004, key=(k,)) for k in range(2)])
print(f"{len(draws):,} resamples: how often each of {draws.shape[1]:,} segments is drawn")

# %% [markdown]
# ## Exercise 1 · Resampled differences
#
# For each row of `draws`, the difference in BLEU, first system minus second, on the test set in which each segment occurs that
# often. The same segments for both systems: that is what *paired* means.


# %% nbgrader={"grade": false, "grade_id": "lab03-differences-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resampled_differences(a, b, draws):
    """The difference in BLEU on each resample, an array as long as `draws`."""
    ### BEGIN SOLUTION
    return score(draws @ a) - score(draws @ b)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-differences-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
differences = resampled_differences(ours, theirs, draws)
package = mt.paired_bootstrap(
    pair, *pair.systems, alternative="greater", n_resamples=1000, rng=2004
)
assert len(differences) == 1000, "one difference for each row of `draws`"
assert np.allclose(differences, package.resampled, atol=1e-9), (
    "they are not the package's: weigh the counts of both systems by the same row, then score"
)
### BEGIN HIDDEN TESTS
c, d = bleu.values[3:5, :700]
few = bootstrap_counts(20, 700, seed=5)
expected = [score(row @ c) - score(row @ d) for row in few]
assert np.allclose(resampled_differences(c, d, few), expected), (
    "for another pair, and fewer segments: use the arguments, not `ours` and `theirs`"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Koehn's test
#
# The claim was made beforehand: the first system is better. Count the resamples that it **does not win** (ties are not won), and
# make a one-sided p-value of the count, with the observed test set as one more: $(c + 1) / (R + 1)$.


# %% nbgrader={"grade": false, "grade_id": "lab03-koehn-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def koehn_pvalue(differences):
    """One-sided p-value of the paired bootstrap."""
    ### BEGIN SOLUTION
    count = np.sum(np.asarray(differences) <= 0)
    return (count + 1) / (len(differences) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-koehn-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
p = koehn_pvalue(differences)
print(f"yours {p:.4f}, the package's {package.pvalue:.4f}")
assert p > 1 / 1001, "some resamples are not won by the first system; which ones did you count?"
assert p == package.pvalue, "count differences that are zero or less; add one above and below"
### BEGIN HIDDEN TESTS
assert koehn_pvalue(np.zeros(99)) == 1, (
    "a system beside its copy ties everywhere: no resample is won, so p is 1"
)
assert koehn_pvalue(np.ones(99)) == 0.01, "all 99 won: (0 + 1) / (99 + 1); p is never 0"
assert np.isclose(koehn_pvalue(np.array([-1, 2, 3, -4, 0, 5, 6, 7, 8])), 0.4), (
    "two lost and one tied, of nine"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Nobody said who should win
#
# Then either system might have turned out ahead. The two-sided p-value is **twice the smaller** of the two one-sided ones, and
# never more than 1.


# %% nbgrader={"grade": false, "grade_id": "lab03-twosided-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def two_sided_pvalue(differences):
    """Two-sided p-value of the paired bootstrap."""
    ### BEGIN SOLUTION
    differences = np.asarray(differences)
    return min(1, 2 * min(koehn_pvalue(differences), koehn_pvalue(-differences)))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-twosided-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
both = mt.paired_bootstrap(pair, *pair.systems, n_resamples=1000, rng=2004)
assert np.isclose(two_sided_pvalue(differences), both.pvalue), (
    "twice the p-value of the better-looking side"
)
assert np.isclose(two_sided_pvalue(-differences), both.pvalue), (
    "swapping the systems must not change it"
)
### BEGIN HIDDEN TESTS
assert two_sided_pvalue(np.zeros(99)) == 1, "a p-value is never larger than 1"
assert np.isclose(two_sided_pvalue(-np.ones(99)), 0.02), (
    "lost everywhere is as clear as won everywhere"
)
assert np.isclose(two_sided_pvalue(np.r_[-np.ones(30), np.ones(69)]), 0.62), (
    "30 of 99 lost: 2 · 31/100"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Picking the winner
#
# A common reading: "whichever system wins at least 95 % of the resamples is better". Return +1 if the first system does, −1 if
# the second does, 0 if neither does. (A tie is won by neither.)


# %% nbgrader={"grade": false, "grade_id": "lab03-winner-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def conclusion_after_looking(differences, level=0.95):
    """+1, -1 or 0: the winner of at least a share `level` of the resamples, if there is one."""
    ### BEGIN SOLUTION
    if np.mean(np.asarray(differences) > 0) >= level:
        return 1
    if np.mean(np.asarray(differences) < 0) >= level:
        return -1
    return 0
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-winner-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert conclusion_after_looking(np.r_[np.ones(95), -np.ones(5)]) == 1, (
    "95 of 100 won is at least 95 %"
)
assert conclusion_after_looking(np.r_[np.ones(94), -np.ones(6)]) == 0, "94 of 100 is not"
assert conclusion_after_looking(np.r_[np.ones(2), -np.ones(98)]) == -1, (
    "the second system may win, too"
)
nulls = mt.simulate.exact_nulls(
    pair.subset(np.arange(0, 3000, 10)), *pair.systems, n_pairs=200, rng=3
)
few = np.concatenate([bootstrap_counts(500, 300, seed=8)])
pseudo = score(few @ nulls.values)  # systems × resamples
wrong = sum(conclusion_after_looking(pseudo[k] - pseudo[200 + k]) != 0 for k in range(200))
print(f"200 pairs of pseudo-systems that do not differ: {wrong} times somebody is called better")
assert wrong > 10, "about one in ten of them should be called better: are both winners looked for?"
### BEGIN HIDDEN TESTS
assert conclusion_after_looking(np.zeros(50)) == 0, "nobody wins a tie"
assert conclusion_after_looking(np.r_[np.ones(60), -np.ones(40)], level=0.6) == 1, (
    "is `level` used?"
)
assert conclusion_after_looking(np.r_[np.ones(90), np.zeros(10)]) == 0, (
    "ties are not won: 90 of 100"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A paper says: "our system won 96 % of the resamples, so the probability that it is better is 96 %". It had six variants, and
# reports the best. In three or four sentences: two things that are wrong with the sentence.

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab03-level-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The share of resamples won is not the probability that a system is better: it is one minus a one-sided p-value, and
# says how often such a result turns up where there is nothing to find. And the side was chosen after looking, among
# six variants as well, so that the level is no longer 5 %: two ways to be wrong already make it 10 %, and the best
# of six has six chances. It should be two-sided and corrected for six comparisons.
