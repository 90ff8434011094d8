# %% [markdown]
# # Lab 08 · Many systems
#
# Correct for everything that was tested, and for nothing else: by hand, in somebody else's script, and in three plans.
#
# *Goes with [unit 19](../../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb) and
# [unit 20](../../4_many_systems/20_comparisons_that_share_systems.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.
#
# The campaign is English to Russian at WMT22, with eleven systems, which form 55 pairs. `pvalues` has a row for each of three
# metrics and a column for each of `pairs`: uncorrected, two-sided, by approximate randomization with 5,000 shuffles.

# %% nbgrader={"grade": false, "grade_id": "lab08-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np

import mtsig_nb as mt

campaign = mt.load("wmt22/en-ru")
METRICS = ["BLEU", "chrF", "TER"]
pairs = list(itertools.combinations(sorted(campaign.systems), 2))


def uncorrected(metric):
    statistics = campaign.statistics(metric)
    options = {"correction": None, "interval": None, "n_resamples": 5000, "rng": 2022}
    table = mt.compare_all(statistics, **options).table
    p = {frozenset(names): p for *names, p in table[["system_a", "system_b", "pvalue"]].to_numpy()}
    return [p[frozenset(pair)] for pair in pairs]


pvalues = np.array([uncorrected(metric) for metric in METRICS])
print(f"p-values of {len(METRICS)} metrics and {len(pairs)} pairs: {pvalues.shape}")
print("with p ≤ .05:", dict(zip(METRICS, (pvalues <= 0.05).sum(axis=1).tolist(), strict=True)))

# %% [markdown]
# ## Exercise 1 · Write · Holm's correction
#
# `holm(pvalues)` gets the p-values of one family, a list or an array in any order, and returns the corrected p-values as an array, **each
# in the place of its p-value**. The smallest of m p-values is multiplied by m, the next one by m − 1, and so on; the largest is multiplied
# by 1. But Holm stops at the first one that fails, and all larger ones fail, too. The corrected p-values must show this. So go from the
# smallest p-value to the largest: if a corrected p-value would be smaller than the one before it, set it to the one before it. No corrected
# p-value exceeds 1.


# %% nbgrader={"grade": false, "grade_id": "lab08-holm-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def holm(pvalues):
    """Corrected p-values after Holm (1979), an array in the given order."""
    ### BEGIN SOLUTION
    order = np.argsort(pvalues)
    multiplied = np.sort(pvalues) * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(multiplied))
    return corrected
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-holm-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

FIVE = [0.04, 0.01, 0.03, 0.3, 0.012]
with own_work():
    got = np.asarray(holm(FIVE), float)
    in_all = [int(np.sum(holm(of_metric) <= 0.05)) for of_metric in pvalues]
print(f"yours: {got.round(3)}")
assert got.shape == (5,), "five p-values go in, and five corrected ones should come back"
by_rank = np.sort(got)
assert not np.allclose(got, np.array(FIVE) * 5) and not np.allclose(
    got, np.minimum(1, np.array(FIVE) * 5)
), (
    "you multiply every p-value by five, which is Bonferroni's correction. Holm's factors get smaller after the first"
)
assert not np.isclose(by_rank[0], 0.03), (
    "the smallest becomes .03, as in Benjamini and Hochberg's correction, which makes a different promise"
)
assert by_rank[-1] > 0.25, (
    "the largest p-value, .3, has become smaller; Holm's correction never does this"
)
assert not (got > 1).any() and not np.isclose(got[1], 0.01), (
    "you give the smallest p-value the smallest factor; it should get the largest"
)
assert not np.allclose(got[[1, 4, 2, 0, 3]], [0.05, 0.048, 0.09, 0.08, 0.3]), (
    "in order of size yours are .05, .048, .09, .08, .3: they fall twice, as if a pair could pass after an earlier one has failed"
)
assert not np.allclose(got, by_rank), (
    "you return them sorted, so nobody knows which pair each of them belongs to"
)
assert not np.allclose(got, [0.05, 0.3, 0.09, 0.05, 0.09]), (
    "the right values in the wrong places: `order[k]` is the place of the kth smallest p-value, so its corrected value must be written there, and not read from there"
)
assert np.isclose(got[1], 0.05) and np.isclose(got[3], 0.3), (
    "of .01 and .3, the smallest and the largest of five, one should be multiplied by 5 and the other by 1"
)
print("pairs left of 55:", dict(zip(METRICS, in_all, strict=True)))
### BEGIN HIDDEN TESTS
assert np.allclose(got, [0.09, 0.05, 0.09, 0.3, 0.05]), (
    "not yet: .04 is multiplied by 2, but .03 by 3 came before it"
)
assert np.allclose(holm([0.6, 0.7]), [1, 1]), "a corrected p-value is above 1"
assert np.allclose(holm([0.02]), [0.02]), "in a family of one nothing is corrected"
for of_metric in pvalues:
    expected = mt.adjust_pvalues(of_metric, "holm")
    assert np.allclose(holm(of_metric), expected), (
        "on the 55 pairs of a metric you differ from Holm"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Write · The luckiest of the rest
#
# Holm's correction holds for any dependence between the pairs, even the worst. Westfall and Young use the actual dependence of the pairs.
# In the next cell all pairs are shuffled 4,000 times with the same coins, as in unit 20. `seen[metric]` has the 55 observed differences
# without their sign, each divided by the standard deviation of its own shuffles. `luck[metric]` has the same after each shuffle: a row for
# each shuffle, a column for each pair.

# %% nbgrader={"grade": false, "grade_id": "lab08-luck", "locked": true, "schema_version": 3, "solution": false, "task": false}
SHUFFLES = 4000
coins = np.random.default_rng(22)
heads = coins.integers(2, size=(SHUFFLES, campaign.n_segments)).astype(np.float32)
indices = [[campaign.systems.index(name) for name in pair] for pair in pairs]
seen, luck = {}, {}
for metric in METRICS:
    statistics = campaign.statistics(metric)
    score, values = statistics.metric.score, statistics.values.astype(np.float32)
    total, moved = values.sum(axis=1, dtype=float), [heads @ each for each in values]
    moved = np.array(moved, dtype=float)
    shuffled = np.array(
        [
            score(total[a] - moved[a] + moved[b]) - score(total[b] - moved[b] + moved[a])
            for a, b in indices
        ]
    ).T
    spreads = shuffled.std(axis=0)
    seen[metric] = abs(np.array([score(total[a]) - score(total[b]) for a, b in indices])) / spreads
    luck[metric] = abs(shuffled) / spreads
print("shuffles and pairs:", luck["BLEU"].shape)

# %% [markdown]
# Unit 20 compared every pair with the luckiest of *all* pairs, and only mentioned that one can go step by step. Write these steps.
# `step_down(seen, luck)` gets such arrays for one family of any size, and returns a corrected p-value for each pair, in the given order:
#
# - Begin with the pair with the largest difference. Count the shuffles in which the luckiest of all pairs goes at least as far. Then take
#   the next largest, and count the shuffles in which the luckiest *of the rest* does: the rest is this pair and all that have not had their
#   turn. Go on down to the smallest, which is compared only with itself.
# - A count c of R shuffles becomes (c + 1)/(R + 1), as in unit 6. A difference that is equal counts, too; allow a
#   billionth for rounding.
# - As in Holm's correction, no pair may have a smaller p-value than a pair that had its turn before.


# %% nbgrader={"grade": false, "grade_id": "lab08-steps-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def step_down(seen, luck):
    """Corrected p-values after Westfall and Young (1993), step by step, an array in the given order."""
    ### BEGIN SOLUTION
    order = np.argsort(-np.asarray(seen))
    p = np.empty(len(order))
    for turn, pair in enumerate(order):
        count = np.sum(luck[:, order[turn:]].max(axis=1) >= seen[pair] - 1e-9)
        p[pair] = max(p[order[:turn]].max(initial=0), (count + 1) / (len(luck) + 1))
    return p
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-steps-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

SEEN = np.array([1.0, 2.5, 1.5, 3.0])
LUCK = np.array(
    [
        [1.5, 0.5, 1.0, 1.0],
        [0.0, 0.0, 0.0, 2.0],
        [3.0, 3.0, 2.0, 3.0],
        [1.5, 1.5, 2.0, 1.0],
        [0.5, 2.0, 1.0, 1.5],
        [0.0, 0.5, 0.0, 2.0],
        [2.5, 3.0, 2.5, 3.0],
        [0.0, 2.5, 1.0, 2.0],
        [0.0, 0.5, 1.5, 0.5],
    ]
)
with own_work():
    got = np.asarray(step_down(SEEN, LUCK), float)
    ours = {metric: step_down(seen[metric], luck[metric]) for metric in METRICS}
print(f"in nine shuffles of four pairs, yours: {(got * 10).round(2)} tenths")


def tenths(*counted):
    return got.shape == (4,) and np.allclose(got * 10, counted)


assert got.shape == (4,), "return a p-value for each of four pairs"
assert not tenths(10, 4, 10, 3), (
    "the first two turns are right. After that you compare every pair with the luckiest of all four again: pairs that have had their turn no longer compete"
)
assert not tenths(5, 4, 5, 3), (
    "you compare each pair only with its own shuffles, which does not correct for having looked at four pairs"
)
assert not tenths(5, 3, 5, 3), (
    "a pair still competes in its own turn; you compare it only with the others"
)
assert not tenths(5, 3, 4, 1), (
    "a luckiest pair that goes exactly as far as the observed difference counts, too"
)
assert not tenths(50 / 9, 30 / 9, 50 / 9, 20 / 9), (
    "the observed arrangement is one of the possible ones; add one to the count and one to the shuffles"
)
assert not tenths(5, 4, 6, 3), (
    "the smallest difference has a smaller p-value than the pair before it: a later pair cannot get a smaller p-value"
)
assert not tenths(10, 10, 10, 10), (
    "you begin with the smallest difference, and so no p-value can be smaller than its; begin with the largest"
)
assert not tenths(3, 4, 6, 6), (
    "you return them in the order of turns: the fourth pair has the largest difference, so it should get the smallest p-value"
)
assert (got > 0).all() and (got <= 1).all(), "(c + 1)/(R + 1) lies above 0, and not above 1"
print("pairs with a corrected p ≤ .05:", {m: int(np.sum(ours[m] <= 0.05)) for m in METRICS})
### BEGIN HIDDEN TESTS
assert tenths(6, 4, 6, 3), (
    "go through the nine shuffles with a pencil: which pairs are left at each turn, and which of them is luckiest?"
)


def expected(seen, luck):
    p, left, before = np.empty(len(seen)), list(range(len(seen))), 0.0
    while left:
        now = max(left, key=lambda k: seen[k])
        count = sum(max(row[k] for k in left) >= seen[now] - 1e-9 for row in luck)
        p[now] = before = max(before, (count + 1) / (len(luck) + 1))
        left.remove(now)
    return p


for which in METRICS:
    some, own = luck[which][:300, ::4], seen[which][::4]
    assert np.allclose(step_down(own, some), expected(own, some)), (
        f"on some pairs of the campaign, in {which}, your steps give something else"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · A promise and a script
#
# A colleague has written a paper about these systems. It says: *"We compared all pairs of the eleven systems in BLEU, chrF and TER.
# P-values were corrected by Holm's method; of papers that do this, at most 5 % name any difference that is not there."* Here is the script
# behind it. It gets a row of p-values for each metric and returns an array of the same shape: true if the paper names this difference.


# %% nbgrader={"grade": false, "grade_id": "lab08-script", "locked": true, "schema_version": 3, "solution": false, "task": false}
def script(pvalues, alpha=0.05):
    """The differences that the paper names, an array of bool, metrics by pairs."""
    named = np.zeros(np.shape(pvalues), dtype=bool)
    for metric, p in enumerate(np.asarray(pvalues)):
        promising = np.flatnonzero(p <= alpha)
        named[metric, promising] = mt.adjust_pvalues(p[promising], "holm") <= alpha
    return named


print(f"the paper names {script(pvalues).sum()} differences of {pvalues.size}")


# %% [markdown]
# > **Make a guess.** Suppose that none of the eleven systems differed from any other. In how many of a hundred
# > campaigns would the paper name at least one difference: about 5, about 15, or about 75?
#
# You have two tasks. First, put into `exposing` a list of p-values of **one** metric (two to ten of them) for which the script names a
# difference although Holm's correction of the whole list leaves none. Then write `repaired(pvalues, alpha)`. It takes and returns the same
# as `script`, for any number of metrics and pairs, and keeps the paper's promise with Holm's correction. For the correction itself you may
# call your `holm` or the package's `mt.adjust_pvalues`.


# %% nbgrader={"grade": false, "grade_id": "lab08-repair-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
exposing = []
### BEGIN SOLUTION
exposing = [0.04, 0.9]
### END SOLUTION


def repaired(pvalues, alpha=0.05):
    """The differences that the paper may name, an array of bool, metrics by pairs."""
    ### BEGIN SOLUTION
    family = np.ravel(pvalues)
    return (mt.adjust_pvalues(family, "holm") <= alpha).reshape(np.shape(pvalues))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-repair-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert len(exposing) > 0, "not answered yet: there is nothing in `exposing`"
one_metric = np.atleast_2d(np.asarray(exposing, float))
assert one_metric.shape[0] == 1 and 2 <= one_metric.size <= 10, (
    "`exposing`: two to ten p-values of one metric, in a list"
)
assert ((one_metric >= 0) & (one_metric <= 1)).all(), "`exposing`: p-values lie between 0 and 1"
assert script(one_metric).any(), (
    "with your p-values the script names nothing, so they do not show the fault: at least one of them must be named"
)
assert not (mt.adjust_pvalues(one_metric[0], "holm") <= 0.05).any(), (
    "Holm's correction of all your p-values also names what the script names. What does the script do with the large ones?"
)
two = np.array([[0.03, 0.9, 0.8], [0.7, 0.9, 0.6]])
named = np.asarray(repaired(two))
assert named.shape == two.shape and named.dtype == bool, (
    "an array of True and False, of the shape of the p-values"
)
assert not named.any(), (
    "the smallest of six p-values is .03, and your function names it: which comparisons does the script leave out before it corrects?"
)
two = np.array([[0.012, 0.9, 0.8], [0.7, 0.9, 0.6]])
assert not np.asarray(repaired(two)).any(), (
    "three pairs in two metrics: the smallest p is .012, and your function names it. The paper makes one promise for all, not one for each metric or pair"
)
two = np.array([[0.001, 0.002, 0.009, 0.02], [0.7, 0.9, 0.6, 0.002]])
named = np.asarray(repaired(two))
print(named)
assert named.sum() != 3, (
    "your function names three: it multiplies .009 by eight, although three smaller ones come before it. The paper promises Holm's correction"
)
assert not named[:, 0].all(), (
    "your function names a pair in a metric in which its p is .7: each place of the array is a separate claim"
)
### BEGIN HIDDEN TESTS
assert np.array_equal(named, [[True, True, True, False], [False, False, False, True]]), (
    "eight p-values, one family: .009 is multiplied by 5, .02 by 4"
)
corrected_together = (mt.adjust_pvalues(pvalues.ravel(), "holm") <= 0.05).reshape(pvalues.shape)
assert np.array_equal(repaired(pvalues), corrected_together), (
    "on the 165 comparisons of the campaign, the right function names other differences"
)
strict = (mt.adjust_pvalues(pvalues.ravel(), "holm") <= 0.01).reshape(pvalues.shape)
assert np.array_equal(repaired(pvalues, 0.01), strict), "at a level of .01: is `alpha` used?"
### END HIDDEN TESTS

# %% [markdown]
# Now the guess. After a shuffle of the eleven systems no system is better than another, so each shuffle stands for a campaign without any
# difference. Its p-values can be counted as in unit 5: the p-value of a pair is the share of all 4,000 shuffles in which the pair's
# difference is at least as large as in this one. So here are 1,000 campaigns without any difference, for the script and for your function.


# %% nbgrader={"grade": false, "grade_id": "lab08-worlds", "locked": true, "schema_version": 3, "solution": false, "task": false}
def place(column):
    """For each shuffle, the share of shuffles that do at least as much."""
    in_order = np.sort(column)
    return 1 - np.searchsorted(in_order, column - 1e-9) / len(column)


of_nothing = [np.apply_along_axis(place, 0, luck[metric])[:1000] for metric in METRICS]
worlds = np.stack(of_nothing, axis=1)  # campaigns by metrics by pairs
procedures = {"no correction": lambda p: p <= 0.05, "the script": script, "repaired": repaired}
shares = {}
for name, procedure in procedures.items():
    shares[name] = np.mean([procedure(world).any() for world in worlds])
    print(f"{name}: something is named in {shares[name]:.1%} of campaigns without a difference")
assert 0.7 < shares["the script"] < 0.82 and 0.83 < shares["no correction"] < 0.92
print(f"in the real campaign: {script(pvalues).sum()}, repaired {repaired(pvalues).sum()} of 165")
assert script(pvalues).sum() == 122

# %% [markdown]
# **The guess.** About 75. The script does correct, but it names some difference in nearly as many campaigns as without any correction. It
# uses the p-values themselves to choose which ones to correct, and it does so separately for each of the three metrics. After the repair,
# nine in ten of its claims in the real campaign are left. So nobody would have noticed the fault in the table.
#
# ## Exercise 4 · Decide · What is the family?
#
# Three people use the p-values of this campaign. Each wants the chance of any false claim to be at most .05, and uses Holm's correction.
#
# - `"team"`: Before any output was scored, the team of Lan-Bridge announced that it would compare its system with each of the other ten in
#   chrF, and report nothing else.
# - `"organisers"`: The organisers test every pair in each of the three metrics. They name every difference that they find, and its metric.
# - `"journalist"`: A journalist sees the list of all systems by chrF, notices the five at the top, and asks which of *these* differ from
#   each other. He sees no other metric.
#
# For each person, find three numbers and put them into `plans`, as in `plans["team"] = (…, …, …)`:
#
# 1. how many comparisons the family has;
# 2. the smallest number of shuffles R with which the correction could find anything at all. A p-value cannot be smaller than 1/(R + 1), and
#    at least the smallest one must stay below .05 after the correction;
# 3. how many of the person's comparisons remain significant at .05, with the p-values in `pvalues`. In the next cell, `left(family, asked)`
#    corrects all of `family`, and then counts only the comparisons for which `asked` is true.

# %% nbgrader={"grade": false, "grade_id": "lab08-masks", "locked": true, "schema_version": 3, "solution": false, "task": false}
chrf, five = pvalues[METRICS.index("chrF")], campaign.statistics("chrF").scores().index[:5]
of_team = np.array(["Lan-Bridge" in pair for pair in pairs])
of_five = np.array([set(pair) <= set(five) for pair in pairs])


def left(family, asked=slice(None)):
    """How many of the comparisons that are asked about are left at .05, in a family of p-values."""
    return int((mt.adjust_pvalues(family, "holm")[asked] <= 0.05).sum())


print("pairs with Lan-Bridge:", of_team.sum(), "and among the first five by chrF:", of_five.sum())

# %% nbgrader={"grade": false, "grade_id": "lab08-plans-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
plans = {}
### BEGIN SOLUTION
plans["team"] = 10, 199, left(chrf[of_team])
plans["organisers"] = 165, 3299, left(pvalues.ravel())
plans["journalist"] = 55, 1099, left(chrf, of_five)
### END SOLUTION
plans

# %% nbgrader={"grade": true, "grade_id": "lab08-plans-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert plans, "not answered yet: there is nothing in `plans`"
assert set(plans) == {"team", "organisers", "journalist"}, (
    "`plans` has an entry for each of the three people"
)
assert all(len(plan) == 3 for plan in plans.values()), (
    "three numbers each: comparisons, shuffles, claims left"
)
family = {who: plan[0] for who, plan in plans.items()}
assert family["team"] != 30, "team: it announced only one metric"
assert family["journalist"] != 165, "journalist: he has seen only one metric"
for who, (comparisons, shuffles, claims) in plans.items():
    assert shuffles != 19, (
        f"{who}: 19 shuffles give .05 at best, before it is multiplied by anything"
    )
    assert comparisons / (shuffles + 1) <= 0.05, (
        f"{who}: with {shuffles} shuffles, the smallest p times {comparisons} is above .05"
    )
    assert claims == int(claims) >= 0, f"{who}: how many are left is a whole number"
### BEGIN HIDDEN TESTS
assert family["organisers"] != 55, (
    "organisers: a difference in chrF is a claim, and one in TER is another. How many are there?"
)
assert family["team"] != 55, (
    "team: it announced what it would compare before it could know, and will report no other pair"
)
assert family["journalist"] != 10, (
    "journalist: five systems form ten pairs, but the scores chose the five. With other scores he would have asked about another five: which pairs could he have asked about?"
)
for who, (comparisons, shuffles, _) in plans.items():
    assert shuffles != 20 * comparisons, (
        f"{who}: one shuffle fewer is enough, since the observed arrangement is counted as well"
    )
    assert comparisons / shuffles > 0.05, (
        f"{who}: {shuffles} shuffles are more than are needed for the first claim"
    )
assert plans["organisers"][2] != sum(
    (mt.adjust_pvalues(p, "holm") <= 0.05).sum() for p in pvalues
), "organisers: these claims were corrected metric by metric"
assert family["team"] == of_team.sum(), "team: one system against each of the others, in one metric"
assert family["organisers"] == pvalues.size, "organisers: every pair in every metric"
assert family["journalist"] == len(pairs), (
    "journalist: every pair in chrF might have been among his ten"
)
of_all = mt.adjust_pvalues(chrf, "holm") <= 0.05
assert plans["team"][2] != of_all[of_team].sum(), (
    "team: its claims were corrected in a family that is not its own"
)
assert plans["team"][2] == (mt.adjust_pvalues(chrf[of_team], "holm") <= 0.05).sum(), (
    "team: another number is left"
)
assert plans["journalist"][2] != (mt.adjust_pvalues(chrf[of_five], "holm") <= 0.05).sum(), (
    "journalist: his claims were corrected as if he had chosen the five before looking"
)
assert plans["journalist"][2] == of_all[of_five].sum(), (
    "journalist: of all 55 corrected p-values, look at his ten"
)
pooled = mt.adjust_pvalues(pvalues.ravel(), "holm") <= 0.05
assert plans["organisers"][2] == pooled.sum(), "organisers: another number is left"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# The organisers hear of Benjamini and Hochberg's correction. Over the same 165 comparisons it leaves more claims than Holm's:

# %% nbgrader={"grade": false, "grade_id": "lab08-more", "locked": true, "schema_version": 3, "solution": false, "task": false}
for name in ("holm", "benjamini-hochberg"):
    print(name, (mt.adjust_pvalues(pvalues.ravel(), name) <= 0.05).sum())

# %% [markdown]
# They would like to print the longer list, under the old heading: "Made by a procedure that makes any false claim in at most 5 % of
# families." Write two to four sentences: what may the heading say about the longer list, and what can a reader conclude who is interested
# in one of its pairs? When would you print the longer list, and when the shorter one?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab08-heading-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The heading may say that on average, at most 5 % of the claims in such lists are false (for independent tests, and for some that are not).
# In this list there may be none or several. Nobody knows which ones they are, so a reader with one pair in mind gets no promise about it.
# The longer list is for choosing what to look at again, if a false entry costs little. If each entry will be quoted as a finding, print the
# shorter list, because only its procedure seldom makes *any* false claim.
#
# **Rubric.** 1 point: the heading promises an average share of false claims over many such lists (false discovery
# rate), and no longer that most lists have none. 1 point: no promise about the single pair, or: it cannot be known which claims are the
# false ones. 1 point: the longer list for a first look or for choosing what to test again, the shorter one if each entry will be quoted.

# %% [markdown]
# ---
#
# *Back to* [unit 19, A hundred and seventy-one chances to be
# wrong](../../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb), and [unit 20, Comparisons that share
# systems](../../4_many_systems/20_comparisons_that_share_systems.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
