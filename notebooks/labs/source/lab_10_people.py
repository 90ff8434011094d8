# %% [markdown]
# # Lab 10 · What people say
#
# Repair two tools for people's ratings, and find out how much three stars depend on who was asked.
#
# *Goes with [units 22](../../5_people/22_from_ratings_to_a_gold_standard.ipynb), [23](../../5_people/23_do_people_agree_with_themselves.ipynb)
# and [24](../../5_people/24_rankings.ipynb). About 75 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab10-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd

import mtsig_nb as mt

campaign = mt.load("wmt22/zh-en")
frame = campaign.human.frame
printed = campaign.published["direct_assessment"].set_index("system")["z_mean"]
columns = ["rater", "system", "segment", "type", "raw"]
made_up = pd.DataFrame(
    [
        ("Ada", "x", "1", "SYSTEM", 80.0),
        ("Ada", "x", "1", "REPEAT", 70.0),
        ("Ada", "y", "1", "SYSTEM", 90.0),
        ("Ada", "x", "1", "BAD_REF", 20.0),
        ("Ada", "y", "1", "REF", 100.0),
        ("Ben", "x", "1", "SYSTEM", 30.0),
        ("Ben", "y", "2", "SYSTEM", 60.0),
        ("Ben", "x", "2", "SYSTEM", 50.0),
        ("Ben", "y", "2", "BAD_REF", 10.0),
        ("Ben", "x", "2", "REPEAT", 50.0),
    ],
    columns=columns,
)
frame[columns].sample(3, random_state=22)

# %% [markdown]
# ## Exercise 1 · Find · A table that cannot be reproduced
#
# At WMT22 172 people rated translations from Chinese. A colleague's tool computes a table of standard scores from their ratings, but the
# table differs from the one that the organisers printed:


# %% nbgrader={"grade": false, "grade_id": "lab10-tool", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tool_standings(frame):
    """Mean standard score of each system. It is wrong."""
    ours = frame[frame["type"] != "REF"]
    by_rater = ours[ours["type"] != "BAD_REF"].groupby("rater")["raw"]
    z = (ours["raw"] - ours["rater"].map(by_rater.mean())) / ours["rater"].map(by_rater.std())
    return ours.assign(z=z).groupby("system", observed=True)["z"].mean()


pd.DataFrame({"printed": printed, "tool": tool_standings(frame)}).round(3)

# %% [markdown]
# Its four lines do three things differently from unit 22. Write `standings(frame)`: a `Series` with one number for each
# system, indexed by the systems' names, which agrees with the printed numbers to six decimals. (A tip: a rater's scale shows in
# *everything* that this person rated, references and damaged outputs included.)


# %% nbgrader={"grade": false, "grade_id": "lab10-standings-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def standings(frame):
    """Mean standard score of each system, as the organisers compute it."""
    ### BEGIN SOLUTION
    by_rater = frame["raw"].groupby(frame["rater"])
    z = (frame["raw"] - by_rater.transform("mean")) / by_rater.transform("std")
    outputs = frame.assign(z=z)[frame["type"].isin(["SYSTEM", "REPEAT"])]
    return outputs.pivot_table(index="segment", columns="system", values="z").mean()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-standings-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work


def worked(frame):
    with own_work():
        return standings(frame)


small, ours = worked(made_up), worked(frame)
assert isinstance(ours, pd.Series) and set(ours.index) == set(printed.index), (
    "return a Series with one number for each of the 13 systems, indexed by their names"
)
x, y = small["x"], small["y"]
assert round(x, 2) != -1.33, (
    "Ada's 20 for a damaged output lowers the mean of x: is a damaged output the work of x?"
)
assert x < 50, "these are raw scores: Ada gives more points to every system than Ben does"
assert y > 0.5, (
    "you count damaged outputs for the systems: these say something about the rater, and not about x and y"
)
assert round(y, 2) != 0.87, "you count Ada's 100 for a reference for y, but y did not write it"
assert x > -0.2 and y < 0.9, (
    "Ada also gave a 20 and a 100: they are not scores of x or y, but they belong to the scale that she uses"
)
assert round(x, 2) not in (0.19, 0.09), (
    "a repeat is a second rating of the same output; do not leave it out"
)
assert round(x, 2) != 0.22, "your standard deviation divides by n; the organisers divide by n − 1"
assert round(x, 2) != 0.14, (
    "x's segment 1 was rated three times, and you count it three times: first average the ratings of each output"
)
assert abs(x - 0.199) < 0.001 and abs(y - 0.789) < 0.001, (
    f"x has {x:.3f} and should have .199, y has {y:.3f} and should have .789: put each rating on its rater's scale, "
    "then average within each output of a system, then over its outputs"
)
print(
    f"largest difference from the printed numbers: {(ours[printed.index] - printed).abs().max():.1e}"
)
### BEGIN HIDDEN TESTS
assert np.allclose(ours[printed.index], printed, atol=1e-6), (
    "the real ratings should agree to six decimals"
)
assert frame["rater"].nunique() == 172 and len(printed) == 13
some = frame[frame["rater"].isin(sorted(frame["rater"].unique())[::3])]
part, scaled = (
    worked(some),
    worked(some.assign(raw=3 * some["raw"] + some["rater"].str[-1:].astype(int))),
)
assert np.allclose(part, scaled[part.index]), (
    "a different scale for each rater must not change anything"
)
other = mt.load("wmt22/ru-en")
russian = other.human.frame
truth = other.published["direct_assessment"].set_index("system")["z_mean"]
assert np.allclose(worked(russian)[truth.index], truth, atol=1e-6), (
    "Russian to English: not as printed"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Write · A coin for each rater
#
# JDExploreAcademy is second in the printed table and Online-W tenth. The organisers gave this pair three stars, for a one-sided p below
# .001 from a rank-sum test. If segments are exchanged, the two-sided p is about .005. But 139 people rated outputs of these two, and 68 of
# them saw outputs of only one.
#
# > **Make a guess.** Suppose that a coin for each *rater* decides whether all scores of this person for the two systems
# > are exchanged. Is p about .001, .01, .05 or .15?


# %% nbgrader={"grade": false, "grade_id": "lab10-raters", "locked": true, "schema_version": 3, "solution": false, "task": false}
def said_by_raters(ratings, a, b):
    """Sums of standard scores and numbers of ratings, a row for each rater, columns a and b."""
    scores = ratings.as_statistics(units="raters").select([a, b]).values
    scores = scores[:, (scores[..., 1] > 0).any(axis=0)]
    return scores[..., 0].T, scores[..., 1].T


totals, counts = said_by_raters(campaign.human, "JDExploreAcademy", "Online-W")
totals.sum(axis=0) / counts.sum(axis=0), totals.shape

# %% [markdown]
# Row i of `totals` has the sums of rater i's scores for the two systems; row i of `counts` has the numbers of these scores (floats, 0 if
# there are none). The statistic is the mean score of the first system minus that of the second, over all ratings. Return the two-sided
# p-value of `n_shuffles` shuffles, by the counting rule of unit 6. Ties count, and so does a difference that is smaller by less than 1e-9,
# because computers round.


# %% nbgrader={"grade": false, "grade_id": "lab10-raters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def raters_exchanged(totals, counts, n_shuffles, rng):
    """Two-sided p-value; a coin for each rater, drawn with `rng`."""
    ### BEGIN SOLUTION
    heads = rng.integers(2, size=(n_shuffles, len(totals), 1)) == 1
    total = np.where(heads, totals[:, ::-1], totals).sum(axis=1)
    count = np.where(heads, counts[:, ::-1], counts).sum(axis=1)
    chance = (total / count) @ [1, -1]
    observed = (totals.sum(axis=0) / counts.sum(axis=0)) @ [1, -1]
    return (1 + np.sum(abs(chance) >= abs(observed) - 1e-9)) / (1 + n_shuffles)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-raters-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work


def p_of(totals, counts, n_shuffles=4000, seed=1):
    with own_work():
        return raters_exchanged(
            np.array(totals, float),
            np.array(counts, float),
            n_shuffles,
            np.random.default_rng(seed),
        )


four = p_of([[0, 10], [-4, -4], [3, -3], [12, -6]], [[4, 2], [2, 4], [1, 3], [4, 2]])
assert abs(four - 0.3125) > 0.04, (
    "you count one end, but nobody had named the better system beforehand"
)
assert abs(four - 0.5) > 0.04, (
    "four raters, sixteen arrangements: those that are exactly as far apart as the observed one count, too"
)
assert abs(four - 0.75) > 0.04, (
    "you exchange a rater's scores, but not their numbers: by what do you divide?"
)
assert abs(four - 0.875) > 0.04, (
    "this is a mean of raters' differences: every rating should count the same, so a rater with many ratings counts more"
)
assert four < 0.99, "all raters change sides together, or none does: toss a coin for each"
assert abs(four - 0.625) < 0.04, f"four made-up raters: p is 10 of 16, and you have {four:.3f}"
with_one = p_of([[6, 0], [4, 0], [0, 1], [5, 1]], [[2, 0], [1, 0], [0, 2], [1, 1]])
assert abs(with_one - 1) > 0.04, (
    "you leave out raters who saw only one of the systems; their scores change sides, too"
)
far = p_of(np.outer(np.ones(40), [3, 1]), np.ones((40, 2)), 199)
assert far != 0, "p = 0: count the observed arrangement as one of those that chance can give"
assert far == 1 / 200, (
    f"none of 199 shuffles reaches the observed difference: p should be 1 of 200, but yours is {far:.4f}"
)
p = p_of(totals, counts)
print(f"JDExploreAcademy against Online-W, p by raters: {p:.3f}")
### BEGIN HIDDEN TESTS
package = campaign.human.as_statistics(units="raters")
assert len(totals) == 139 and (counts == 0).any(axis=1).sum() == 68
ranks = list(printed.sort_values(ascending=False).index)
assert (ranks[1], ranks[9]) == ("JDExploreAcademy", "Online-W")
stars = campaign.human.wmt().table.set_index(["system_a", "system_b"]).loc[(ranks[1], ranks[9])]
assert stars["stars"] == "***" and stars["pvalue"] < 0.001
segments = campaign.human.as_statistics(units="segments")
by_segments = mt.approximate_randomization(segments, ranks[1], ranks[9], rng=1).pvalue
assert 0.002 < by_segments < 0.008
for a, b in (("JDExploreAcademy", "Online-W"), ("HUMAN-B", "NiuTrans"), ("Online-G", "DLUT")):
    theirs = mt.approximate_randomization(package, a, b, n_resamples=2000, rng=3).pvalue
    yours = p_of(*said_by_raters(campaign.human, a, b), 2000, 5)
    assert abs(yours - theirs) < 0.05, (
        f"{a} against {b}: p is {yours:.3f}, but it should be near {theirs:.3f}"
    )
assert 0.13 < p < 0.22, f"the pair of the exercise: {p:.3f}"
assert p_of([[1, 1], [2, 2]], [[1, 1], [1, 1]], 50) == 1, "no difference at all: p is 1"
assert p_of(totals, counts, 300, 1) != p_of(totals, counts, 300, 2), "toss with `rng`"
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About .15 comes nearest. If a coin is tossed for each rater, a lead at least as large as the one with
# three stars comes up about one time in six.
#
# ## Exercise 3 · Find · Which raters do not look?
#
# A second tool tests whether a rater notices damage. It should do what unit 22 does. For each damaged output, `lost` has this rater's score
# for the undamaged output minus the score for the damaged one. A coin decides each sign, and the test is one-sided. Of 201 raters of
# Japanese to English, the tool passes 98, and two of these should make you suspicious:


# %% nbgrader={"grade": false, "grade_id": "lab10-quality", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tool_pvalue(lost, n_coins, rng):
    """p-value of "notices nothing". It is wrong."""
    signs = rng.choice([-1, 1], size=(n_coins, len(lost)))
    return np.mean(abs(signs @ lost) > abs(np.sum(lost)))


items = mt.load("wmt22/ja-en").human.frame.pivot_table(
    index=["rater", "hit", "system", "segment"], columns="type", values="raw"
)
damage = (items["SYSTEM"] - items["BAD_REF"]).dropna()
lost_by = {rater: each.to_numpy() for rater, each in damage.groupby("rater")}
passing = [
    r for r, lost in lost_by.items() if tool_pvalue(lost, 2000, np.random.default_rng(1)) <= 0.05
]
len(lost_by), len(passing)

# %% [markdown]
# `lost_by` has `lost` for each rater; `passing` has the names of the raters who pass the tool's test at .05. Write `mended_pvalue`, with
# the counting rule of unit 6. Then put into `fooled` the sorted list of the two raters who pass although, on average, they gave the damaged
# outputs at least as many points as the undamaged ones.


# %% nbgrader={"grade": false, "grade_id": "lab10-quality-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mended_pvalue(lost, n_coins, rng):
    """One-sided p-value of "notices nothing"; `lost` is an array of points lost to damage."""
    signs = rng.choice([-1, 1], size=(n_coins, len(lost)))
    ### BEGIN SOLUTION
    return (1 + np.sum(signs @ lost >= np.sum(lost))) / (1 + n_coins)
    ### END SOLUTION


fooled = []
### BEGIN SOLUTION
fooled = sorted(rater for rater in passing if lost_by[rater].mean() <= 0)
### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-quality-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work


def p_lost(lost, n_coins=999):
    with own_work():
        return mended_pvalue(np.array(lost, float), n_coins, np.random.default_rng(2))


assert p_lost([0] * 8) > 0.01, (
    "a rater who gives everything the same score has lost nothing, but gets a p near 0 from you: count coins that do exactly as much"
)
assert p_lost(np.arange(1, 9)) < 0.5, (
    "damage cost points every time, but p is large: count the other end"
)
assert p_lost(-np.arange(1, 9)) > 0.5, (
    "a rater who gives damaged outputs more points than undamaged ones passes: which end does this one-sided test count?"
)
assert p_lost([9] * 40) > 0, "p = 0: count the observed arrangement, too"
assert p_lost([9] * 40) == 1 / 1000, "none of 999 shuffles does as much: p should be 1 of 1,000"
assert isinstance(fooled, list) and len(fooled) == 2, "`fooled` is a list of two raters' names"
assert set(fooled) <= set(passing), "not everybody in your list passes the tool's test"
### BEGIN HIDDEN TESTS
assert all(lost_by[rater].mean() <= 0 for rater in fooled), (
    "somebody in your list gave damaged outputs fewer points on average: find the two who did not"
)
assert fooled == ["M0612", "M1007"], "these are not the two, or not in order"
assert (len(lost_by), len(passing)) == (201, 98) and not lost_by["M0612"].any()
assert 0.03 < p_lost([1, 2, 3, 4, 5], 9999) < 0.034, "five losses: 1 of 32"
assert 0.3 < p_lost([1, 1, 1, -1], 9999) < 0.325, "three losses of four: 5 of 16"
assert p_lost([0] * 8) == 1, "nothing lost: p is 1"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · What to print of a ranking
#
# French to English of WMT13 had 218 judges and 13 systems. A report should list as many pairs as possible for which people *like these
# judges* have a preference. The chance that *any* pair is on the list by luck has to be at most .05.


# %% nbgrader={"grade": false, "grade_id": "lab10-preferences", "locked": true, "schema_version": 3, "solution": false, "task": false}
preferences = mt.load("wmt13/fr-en").human
preferences

# %% [markdown]
# `preferences.sign_test` (its `units`) and `conclusions` (its `correction`: `"bonferroni"`, `"holm"`, `"benjamini-hochberg"` or none) may
# be called; you decide how. (In the result of `conclusions`, `.pairs()` has a number for each pair, 0 if neither system is preferred, and
# `.conclusion(a, b)` is 1, 0 or −1.) Put three entries into the dictionary `decision`. `"pairs"` is the largest number of pairs that the
# report may list. `"not beaten"` is the sorted list of systems for which it may *not* say that the winner is preferred to them. `"judges"`
# is a number: suppose that all n judges prefer the same system of a pair. An exact, two-sided test tosses a coin for each judge. What is
# the smallest n for which p can be small enough for the strictest step of your correction?


# %% nbgrader={"grade": false, "grade_id": "lab10-decide-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
decision = {}
winner = "uedin-heafield-unconstrained.2755"
### BEGIN SOLUTION
said = preferences.sign_test(units="raters").conclusions(0.05, correction="holm")
open_ones = [r for r in said.systems if r != winner and said.conclusion(winner, r) != 1]
judges = int(np.ceil(np.log2(2 / (0.05 / len(said.pairs())))))
decision = {"pairs": sum(said.pairs() != 0), "not beaten": sorted(open_ones), "judges": judges}
### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab10-decide-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert decision, "not answered yet: there is nothing in `decision`"
assert set(decision) == {"pairs", "not beaten", "judges"}, "three entries, named as in the text"
listed = decision["pairs"], len(decision["not beaten"])
assert listed not in {(63, 0), (58, 3), (54, 4)}, (
    "you toss a coin for each preference: such a list is about these judges' answers, and not about people like them"
)
assert listed != (63, 1), "you correct nothing: how many of 78 pairs get onto such a list by luck?"
assert listed != (62, 1), (
    "this limits the average *share* of false pairs in the list; the report makes a promise about *any* false pair"
)
assert winner not in decision["not beaten"], "the winner is not its own rival"
judges = decision["judges"]
assert judges not in (5, 6), (
    "with so few judges one pair could pass by itself: how many pairs share the .05?"
)
assert judges not in (8, 9), (
    "the family is not the winner's pairs, nor the systems: from how many pairs is the list chosen?"
)
assert judges > 4, "n coins fall in 2 to the power n ways: how small can p be?"
### BEGIN HIDDEN TESTS
assert listed not in {(59, 3), (48, 3), (46, 4)}, (
    "you use sentences as units: the report is about other people, and not about other sentences"
)
assert listed != (46, 5), "this keeps the promise, but another correction keeps it with more pairs"
assert judges != 11, (
    "you count one end, or round down: how many of the 2 to the power n arrangements are as one-sided?"
)
theirs = preferences.sign_test(units="raters").conclusions(0.05, correction="holm")
assert listed == (np.count_nonzero(theirs.pairs()), 5), (
    "this is not the list with judges as units, corrected for the family"
)
assert all(theirs.word(winner, rival) != "better" for rival in decision["not beaten"]), (
    "for one of these systems, the report may say that the winner is preferred"
)
assert preferences.frame["rater"].nunique() == 218 and len(theirs.systems) == 13
assert 2 / 2**judges <= 0.05 / 78 < 2 / 2 ** (judges - 1), "not the smallest number of judges"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# JDExploreAcademy against Online-W has three stars by the organisers' test, and no difference is found by raters (exercise 2). Write three
# or four sentences: what does each of the two tests treat as independent, which false claims does the organisers' one-sided p leave out,
# and what may you write about the two systems?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab10-stars-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The organisers' rank-sum test treats each segment's score as independent of all others, so a rater with a hundred ratings counts as a
# hundred people. In the other test all scores of a rater change sides together, and only raters are treated as independent. The organisers
# looked which system was ahead and counted only that end. So at a level of .05, up to .10 of the pairs of equal systems may get a star.
# These raters scored JDExploreAcademy higher. It was not shown that people like them would do so, but that does not make the systems equal.
#
# **Rubric.** 1 point: segments as units against raters as units, and that ratings by one rater are not independent. 1 point: the side was chosen
# after looking, so the error is up to twice the level. 1 point: "not shown" is kept apart from "equal", and the sentence is about these raters.

# %% [markdown]
# ---
#
# *Back to* [unit 22, From ratings to a gold standard](../../5_people/22_from_ratings_to_a_gold_standard.ipynb), [unit 23, Do people agree
# with themselves?](../../5_people/23_do_people_agree_with_themselves.ipynb) and [unit 24, Rankings](../../5_people/24_rankings.ipynb). *Words*
# are in the [glossary](../../../docs/glossary.md).
