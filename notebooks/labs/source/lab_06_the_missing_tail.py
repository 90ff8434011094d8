# %% [markdown]
# # Lab 06 · The missing tail
#
# Write a bootstrap test from scratch, correct a table in which some rows are wrong, and find out which of five tests keep their level.
#
# *Goes with [unit 13](../../3_which_test_which_metric/13_the_pitfall.ipynb), [unit
# 14](../../3_which_test_which_metric/14_a_table_read_again.ipynb) and [unit
# 15](../../3_which_test_which_metric/15_what_a_test_promises.ipynb). About 70 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.
#
# The campaign is WMT13, French to English. To make the results less certain, we take every third of its 3,000 sentences. `draws` holds
# 2,000 resamples, one a row: how often each of the thousand sentences was drawn.

# %% nbgrader={"grade": false, "grade_id": "lab06-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.engine.resampling import bootstrap_counts

thousand = mt.load("wmt13/fr-en").statistics("BLEU").subset(np.arange(0, 3000, 3))
score = thousand.metric.score
counts = dict(zip(thousand.systems, thousand.values, strict=True))  # by system: sentences × 10
draws = np.vstack([bootstrap_counts(500, 1000, seed=6, key=(block,)) for block in range(4)])
thousand.scores().round(2)

# %% [markdown]
# ## Exercise 1 · Write · A test and its two tails
#
# `a` and `b` are the counts of two systems, a row for each segment. `draws` has a row for each resample, which says how often the resample
# contains each segment. `score` turns a row of sums into a score, and a matrix of such rows into a score for each row.
#
# Return three numbers: how many resamples lie in the left tail after the shift, how many in the right tail, and the two-sided p of the
# bootstrap test, by the counting rule of unit 6. A resample lies in a tail if, after the shift, it is at least as far from zero as the
# observed difference is. Because computers round, also count a resample that is closer to zero by less than `1e-9`. (If the lead is 0,
# every resample lies in both tails; in p it counts once.)


# %% nbgrader={"grade": false, "grade_id": "lab06-bootstrap-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bootstrap_tails(a, b, score, draws):
    """(left, right, p): resamples in either tail, and the p-value of the bootstrap test."""
    ### BEGIN SOLUTION
    differences = score(draws @ a) - score(draws @ b)
    shifted = differences - differences.mean()
    lead = abs(score(a.sum(axis=0)) - score(b.sum(axis=0))) - 1e-9
    left, right = shifted <= -lead, shifted >= lead
    return left.sum(), right.sum(), ((left | right).sum() + 1) / (len(draws) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-bootstrap-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# Twelve resamples of one segment each; the thirteenth segment is never drawn. The score is a mean.
hill = np.array([-2.0, -2, -2, -1, 0, 0, 1, 4, 6, 6, 7, 7])
A = np.column_stack([10 + np.append(hill, 15), np.ones(13)])
B = np.column_stack([np.full(13, 10.0), np.ones(13)])


def mean(sums):
    """The first sum by the second."""
    return sums[..., 0] / sums[..., 1]


with own_work():
    left, right, p = bootstrap_tails(A, B, mean, np.eye(12, 13))
about = (
    "The observed difference is 3, the resampled ones are −2, −2, −2, −1, 0, 0, 1, 4, 6, 6, 7, 7: "
)
assert left + right > 0, about + "some of them lie in a tail"
assert p != 3 / 13, (
    about + "which resamples were negative before the shift, and what became of their sign?"
)
assert p != 6 / 13, about + "they do not lie around zero yet; shift them before you count"
assert p not in (7 / 13, 14 / 13, 1), (
    about + "counting beyond zero is the paired bootstrap, which shifts nothing and has one side"
)
assert p != 11 / 13, (
    about + "their mean is not 3. What do they lie around, and what has to be shifted to zero?"
)
assert p != 8 / 13, about + "one lies exactly as far out as the observed difference; does it count?"
assert p != 5 / 13, about + "you count one end of the hill. A two-sided test counts both"
assert p != 9 / 12 and p != 8 / 12, (
    about + "the observed difference is one of the possible ones; count it with them"
)
assert (left, right) != (4, 5), about + "the tails do not agree with p"
assert (left, right, round(p, 9)) == (4, 4, round(9 / 13, 9)), (
    about + f"four in each tail and p = 9/13, not {left}, {right}, {p:.3f}"
)
with own_work():
    alone = bootstrap_tails(A, A, mean, np.eye(12, 13))
assert alone[2] <= 1, (
    "a system and its own copy give a p-value above 1: here every resample lies in both tails, but it counts once"
)
assert alone[2] == 1, "a system and its own copy: all resamples are ties, and ties count"

seen = []
KIT, online_A = counts["KIT_primary.2658"], counts["online-A"]
with own_work():
    left, right, p = bootstrap_tails(
        KIT, online_A, lambda s: (seen.append(np.shape(s)), score(s))[1], draws
    )
print(f"KIT against online-A: {left} and {right} of 2,000 resamples, p = {p:.4f}")
assert KIT.shape not in seen, (
    "you score each sentence by itself; a score comes from the sums of a whole test set"
)
assert p < 0.2, (
    "p is far too large: a hard sentence is hard for both systems; did both get the same resample?"
)
### BEGIN HIDDEN TESTS
for one, other in (
    ("KIT_primary.2658", "online-A"),
    ("JHU.2684", "online-G"),
    ("rbmt-1", "rbmt-3"),
):
    expected = mt.bootstrap_test(thousand, one, other, n_resamples=2000, rng=6)
    left, right, p = bootstrap_tails(counts[one], counts[other], score, draws)
    assert p == expected.pvalue, (
        f"{one}, {other}: p should be {expected.pvalue:.4f}, but it is {p:.4f}"
    )
    assert left + right == expected.count, (
        f"{one}, {other}: {expected.count} resamples lie in the tails"
    )
turned = bootstrap_tails(B, A, mean, np.eye(12, 13))
assert (turned[0], turned[1]) == (4, 4), (
    "if the systems are exchanged, the tails are exchanged, and p stays the same"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Find · Eight rows
#
# Here is a table from a paper. Its caption says: *BLEU on 1,000 sentences; two-sided bootstrap test, both systems on the same resamples,
# 10,000 of them, p-values not corrected.* The table comes from three scripts by three authors. Their resamples are not yours, so even a
# right p differs a little from yours.
#
# > **Make a guess.** How many of the eight p-values are right?

# %% nbgrader={"grade": false, "grade_id": "lab06-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
table = pd.DataFrame(
    [
        ("uedin-heafield-unconstrained.2755", "online-B", 0.051),
        ("online-B", "LIMSI-Ncode-SOUL-primary.2585", 0.049),
        ("uedin-wmt13.2838", "LIMSI-Ncode-SOUL-primary.2585", 0.040),
        ("online-B", "uedin-wmt13.2838", 0.278),
        ("LIMSI-Ncode-SOUL-primary.2585", "MES-SimplifiedFrench-primary.2662", 0.038),
        ("KIT_primary.2658", "online-A", 0.342),
        ("RWTH_primary.2595", "DCU__primary.2828", 0.741),
        ("online-G", "JHU.2684", 0.010),
    ],
    columns=["first", "second", "p"],
)
table

# %% [markdown]
# Because resamples are drawn at random, your p has a standard error of $\sqrt{p(1-p)/2000}$. A printed p-value is wrong if it is more than
# four standard errors away from yours. Return a dictionary of the wrong rows of `table`, and no others. The key is the pair of names,
# `(first, second)`; the value is the p-value that you compute with `bootstrap_tails` and `draws`. (If exercise 1 is still open, take
# `mt.bootstrap_test(thousand, first, second, n_resamples=2000, rng=6).pvalue`, which has the same resamples.)
#
# Before you run it, ask yourself: in which direction can a script be wrong?


# %% nbgrader={"grade": false, "grade_id": "lab06-table-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rows_to_correct(table):
    """{(first, second): p} for the rows whose p-value cannot be that of the caption's test."""
    ### BEGIN SOLUTION
    right = {}
    for first, second, printed in table.itertuples(index=False):
        p = bootstrap_tails(counts[first], counts[second], score, draws)[2]
        if abs(p - printed) > 4 * np.sqrt(p * (1 - p) / len(draws)):
            right[first, second] = p
    return right
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab06-table-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
found = rows_to_correct(table)
print(f"{len(table) - len(found)} of {len(table)} rows are right")
printed_p = {(first, second): p for first, second, p in table.itertuples(index=False)}
assert isinstance(found, dict) and set(found) <= set(printed_p), (
    "return a dictionary whose keys are pairs of names as in the table"
)
assert found, "at least one row is wrong: compute its p with your own function"
assert len(found) < 7, (
    "some of your rows differ by no more than chance: with 2,000 resamples a p of .05 varies by about .005"
)
for (first, second), p in found.items():
    printed = printed_p[first, second]
    assert p != printed, f"{first}, {second}: this is the p-value of the table, not yours"
    assert not np.isclose(p, 2 * printed), (
        f"{first}, {second}: you doubled p instead of computing it again; for a large p, the two differ a lot"
    )
assert any(printed_p[two] > p for two, p in found.items()), (
    "you have no row whose p-value is too large: a script can be wrong in that direction as well"
)
assert any((printed_p[two] <= 0.05) == (p <= 0.05) for two, p in found.items()), (
    "you have no row whose claim does not change: a p-value on the right side of .05 may still be wrong"
)
### BEGIN HIDDEN TESTS
assert len(found) == 4, (
    f"{len(found)} rows are too many or too few: by how many standard errors does each p differ from yours?"
)
for two, p in found.items():
    expected = mt.bootstrap_test(thousand, *two, n_resamples=2000, rng=6).pvalue
    assert np.isclose(p, expected), f"{two}: p = {expected:.4f} with these resamples"
assert sorted(round(p, 2) for p in found.values()) == [0.03, 0.09, 0.11, 0.77], "to two digits"
for first, second, printed in table.itertuples(index=False):
    faulty = (first, second) in found
    test = mt.riezler_maxwell_bootstrap if faulty else mt.bootstrap_test
    more = {"warn": False} if faulty else {}
    again = test(thousand, first, second, n_resamples=10_000, rng=2013, **more).pvalue
    if first == "KIT_primary.2658":
        for_a, for_b = (bootstrap_counts(10_000, 1000, seed=seed) for seed in (99, 100))
        apart = score(for_a @ counts[first]) - score(for_b @ counts[second])
        observed = np.subtract(*thousand.scores()[[first, second]])
        again = (np.sum(abs(apart - apart.mean()) >= observed) + 1) / 10_001
    assert round(again, 3) == printed, f"{first}, {second}: the table's row is {again:.3f}"
others = [("rbmt-3", "rbmt-1"), ("cu-zeman.2738", "JHU.2684"), ("JHU.2684", "FDA.2898")]
ps = [mt.bootstrap_test(thousand, *two, n_resamples=2000, rng=6).pvalue for two in others]
another = pd.DataFrame(
    [(*two, p) for two, p in zip(others, ps, strict=True)], columns=["first", "second", "p"]
)
assert rows_to_correct(another) == {}, (
    "in another table all rows are right, but your function returns some"
)
another["p"] /= 2  # and now they are not
assert set(rows_to_correct(another)) >= {others[0], others[2]}, (
    "in another table, two rows have half of the right p"
)
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** Four. One cannot see in the table which of the others are wrong: each number might be the p-value of such a test. Only a
# second computation shows it.
#
# ## Exercise 3 · Decide · Whose test does not keep its level?
#
# Five colleagues made pairs of pseudo-systems from RWTH and DCU, 150 sentences each, so that no pair has a difference, and counted how many
# pairs their test calls different at .05. Each colleague uses a different test, and says that it makes no more false claims than its level
# allows. What they counted is below: false claims, and pairs.

# %% nbgrader={"grade": false, "grade_id": "lab06-counted", "locked": true, "schema_version": 3, "solution": false, "task": false}
counted = {"P": (39, 600), "Q": (72, 600), "R": (4, 40), "S": (74, 600), "T": (0, 600)}
pd.DataFrame(counted, index=["false claims", "pairs"]).T

# %% [markdown]
# A rate above .05 may be bad luck. Use the four steps of unit 2. The statistic is the number of false claims. The null
# hypothesis says that each pair is called different with probability `level`, independently of the other pairs. Write
# `surprise`: the probability of at least as many false claims as were counted. You may compute or simulate it; an error of up to .005 is fine.
#
# Then decide. `broken` is the list of the colleagues' letters for whose tests this probability is .01 or less. These tests should no longer
# be used at .05.


# %% nbgrader={"grade": false, "grade_id": "lab06-promise-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def surprise(claims, pairs, level):
    """How probable so many false claims are, or more, if the test keeps its promise."""
    ### BEGIN SOLUTION
    lucky = np.random.default_rng(0).binomial(pairs, level, size=200_000)
    return np.mean(lucky >= claims)
    ### END SOLUTION


broken = []
### BEGIN SOLUTION
broken = [
    name for name, (claims, pairs) in counted.items() if surprise(claims, pairs, 0.05) <= 0.01
]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab06-promise-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    three_heads, of_ten = surprise(3, 3, 0.5), surprise(2, 10, 0.1)


def near(one, other):
    """To .005, as was asked."""
    return abs(one - other) < 0.005


assert not near(of_ten, 0.0702), (
    "2 of 10 at .1: you compute the probability of more than 2; include 2 itself"
)
assert not near(of_ten, 0.1937), (
    "2 of 10 at .1: this is for exactly 2, but 3 would be even more surprising"
)
assert not near(of_ten, 0.9298), (
    "2 of 10 at .1: this is for 2 or fewer; a test that does not keep its level makes many false claims"
)
assert not near(of_ten, 0.9893), (
    "2 of 10 at .1: this is for a fair coin; use the probability `level`"
)
assert abs(of_ten - 0.2639) < 0.005, (
    f"2 or more of 10 at .1 have a probability of .264, not {of_ten:.3f}: did you simulate too few?"
)
assert abs(three_heads - 0.125) < 0.005, "three heads in three tosses have a probability of 1/8"
assert "T" not in broken, (
    "T makes hardly any false claims. It may be too cautious, but it keeps its level"
)
assert set(broken) <= set(counted), "a list of the colleagues' letters"
assert not {"P", "R"} <= set(broken), (
    "a rate above .05 may still be luck: how often do that many pairs give that many false claims by luck?"
)
### BEGIN HIDDEN TESTS
assert "R" not in broken, (
    "R has a rate of .10, but from 40 pairs: how often do forty pairs give four or more false claims by luck?"
)
assert "P" not in broken, "P's rate is above .05, but look at `surprise` and not at the rate"
from scipy.stats import binom

for claims, pairs, level in ((5, 40, 0.05), (39, 600, 0.05), (12, 1000, 0.01), (0, 50, 0.05)):
    expected = binom.sf(claims - 1, pairs, level)
    assert near(surprise(claims, pairs, level), expected), (
        f"{claims} of {pairs} at {level}: {expected:.3f}"
    )
assert sorted(broken) == ["Q", "S"], "each letter for which `surprise` is .01 or less, and no other"
some = mt.load("wmt13/fr-en").statistics("BLEU").subset(np.arange(0, 3000, 20))
nulls = mt.simulate.exact_nulls(some, "RWTH_primary.2595", "DCU__primary.2828", n_pairs=600, rng=13)
tests = {
    "P": "approximate-randomization",
    "Q": "riezler-maxwell-bootstrap",
    "S": "paired-bootstrap",
}
ps = {
    name: mt.simulate.null_pvalues(nulls, test, n_resamples=999, rng=5)
    for name, test in tests.items()
}
assert [(ps["P"] <= 0.05).sum(), (ps["Q"] <= 0.05).sum()] == [counted["P"][0], counted["Q"][0]]
assert [(ps["S"][:40] <= 0.05).sum(), (ps["S"] / 2 <= 0.05).sum()] == [
    counted["R"][0],
    counted["S"][0],
]
resampled = np.stack([score(bootstrap_counts(999, 150, seed=5) @ one) for one in nulls.values])
low, high = np.quantile(resampled, [0.025, 0.975], axis=1)
assert ((low[:600] > high[600:]) | (high[:600] < low[600:])).sum() == counted["T"][0]
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · In words
#
# Write four or five sentences to the authors of the table. Which of their rows have to be corrected? What has probably happened in each of
# them, and how can you tell one kind of fault from the other? Which of the paper's claims at .05 change, and in which direction?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab06-letter-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# Four rows have to be corrected. Three p-values are too small: online-B against LIMSI, uedin-wmt13 against LIMSI, and online-B against
# uedin-wmt13. A script gives such p-values if it takes absolute values before the shift: then it counts only one tail, although the p-value
# is reported as two-sided. With both tails p is about .11, .09 and .77. So the two claims against LIMSI are lost; about the third pair
# nothing was claimed. The fourth, KIT against online-A, is too large, .34 instead of .03. Probably each of the two systems had its own
# resamples, so the difficulty of the sentences no longer cancels. Here a difference was missed.
#
# **Rubric.** 1 point: names the lost tail (absolute value before the shift) for the p-values that are too small. 1 point: names
# unpaired resamples for the p-value that is too large, with the reason why that makes p larger. 1 point: says which claims at .05 change,
# two that are lost and one that is gained, and that online-B against uedin-wmt13 has a wrong p but the right conclusion.

# %% [markdown]
# ---
#
# Back to [unit 13, The pitfall](../../3_which_test_which_metric/13_the_pitfall.ipynb), [unit 14, A table read
# again](../../3_which_test_which_metric/14_a_table_read_again.ipynb) and [unit 15, What a test
# promises](../../3_which_test_which_metric/15_what_a_test_promises.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
