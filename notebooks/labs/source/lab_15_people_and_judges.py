# %% [markdown]
# # Lab 15 · People and judges
#
# Treat raters as a sample, correct people's mean with a judge, check a report, decide what to pay for, and test while people are still at work.
#
# *Goes with units [33](../../6_beyond_the_papers/33_who_judges.ipynb),
# [34](../../6_beyond_the_papers/34_few_people_many_scores.ipynb) and
# [36](../../6_beyond_the_papers/36_may_i_look_every_week.ipynb). About 80 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab15-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd

import mtsig_nb as mt


def ratings_of(pair):
    """The points of WMT24's raters: a row for each rating of an output, without control items."""
    frame = mt.load(f"wmt24/{pair}").judgements["esa_ratings"].frame
    return frame[frame["type"].isin(["SYSTEM", "REPEAT"])].rename(columns={"raw": "points"})


japanese = ratings_of("en-ja")
japanese.groupby("rater")["points"].agg(["mean", "size"]).round(1)

# %% [markdown]
# At WMT24 twelve raters gave 0 to 100 points to translations from English into Japanese. In unit 33 every rater read
# both systems' outputs of a segment. Here only one rater read each output, and a rater may have read many outputs of one system and few of another.
#
# ## Exercise 1 · Write · Over raters
#
# In the mean of all ratings Aya23 leads GPT-4 by half a point. But the strictest rater, R07, gave 93 ratings to GPT-4 and 42 to Aya23. To
# let strictness cancel, compare the two within each rater: take the mean of a rater's points for `a` minus the mean of the same rater's
# points for `b`. Use only raters who rated both. Return three numbers: the mean of these leads, with the same weight for each rater; its
# standard error, with the raters as the sample; and the number of raters.
#
# > **Make a guess.** What is Aya23's lead over GPT-4, rater by rater: about +1.4, about +.5, or about −1.4?


# %% nbgrader={"grade": false, "grade_id": "lab15-raters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def over_raters(frame, a, b):
    """Lead, standard error and number of raters. `frame` has columns rater, system and points."""
    ### BEGIN SOLUTION
    means = frame.groupby(["rater", "system"])["points"].mean().unstack()
    leads = (means[a] - means[b]).dropna()
    return leads.mean(), leads.std() / np.sqrt(len(leads)), len(leads)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab15-raters-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

small = pd.DataFrame(
    {
        "rater": ["r1"] * 3 + ["r2"] * 4 + ["r3"] * 3 + ["r4"],
        "system": list("AABABBBAABA"),
        "points": [50, 54, 40, 90, 86, 84, 88, 70, 72, 60, 99],
    }
)
with own_work():
    said, error, n_raters = over_raters(small, "A", "B")
    real = over_raters(japanese, "Aya23", "GPT-4")
assert not np.isclose(said, 0.9), (
    "you subtract the means of all ratings: then the strictness of raters who rated more of one system does not cancel"
)
assert not np.isclose(said, 31.5), (
    "r4 rated only A, and so has no lead: a missing rating is not zero points"
)
assert not np.isclose(said, 8.5), (
    "you give raters with many ratings more weight; each rater should count the same"
)
assert not np.isclose(said, -9), "this is the lead of the second system over the first"
assert np.isclose(said, 9), (
    f"three raters have the leads 12, 4 and 11; their mean is not {said:.2f}"
)
assert n_raters != 4, "four raters rated something; how many of them rated both?"
assert n_raters == 3, f"{n_raters}: the sample consists of the raters who rated both"
assert not np.isclose(error, 4.359, atol=0.001), (
    "this is the standard deviation of the raters' leads: their mean varies less"
)
assert not np.isclose(error, 2.055, atol=0.001), (
    "this standard deviation is too small: divide by one less than the number of raters (ddof=1)"
)
assert not np.isclose(error, 1.314, atol=0.001), (
    "you divide by the root of the number of ratings, but the eleven ratings come from a few people"
)
assert np.isclose(error, np.sqrt(19 / 3)), f"the standard error is not {error:.3f}"
print(f"Aya23 over GPT-4: {real[0]:+.2f}, standard error {real[1]:.2f}, {real[2]} raters")
### BEGIN HIDDEN TESTS
assert np.allclose(over_raters(small, "B", "A")[:2], [-9, error]), (
    "if the systems are exchanged, the lead changes its sign, but the standard error does not"
)
n_read = japanese.groupby(["system", "rater"]).size()
strict = japanese.groupby("rater")["points"].mean().sort_values().index[:4]
assert (n_read["GPT-4"][strict] > n_read["Aya23"][strict]).all() and strict[0] == "R07"
assert [int(n_read[system]["R07"]) for system in ("GPT-4", "Aya23")] == [93, 42]
pooled = japanese.groupby("system")["points"].mean()
assert round(pooled["Aya23"] - pooled["GPT-4"], 1) == 0.5
assert -1.5 < real[0] < -1.35 and 0.7 < real[1] < 0.85 and real[2] == 12, (
    "the real pair is not right"
)
chinese = over_raters(ratings_of("en-zh"), "Aya23", "HW-TSC")
assert chinese[2] == 13, "into Chinese 14 raters took part, and 13 rated both of these systems"
assert np.allclose(chinese[:2], [-2.3144, 1.4786], atol=0.001), "another language, another result"
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About −1.4. The four strictest raters read more of GPT-4 than of Aya23, so in the mean of all ratings Aya23 looks better than it is.
#
# ## Exercise 2 · Write · A judge beside people
#
# `people` has the leads of one system over another on some segments, drawn at random, and NaN on the others. `judge` has a judge's leads on
# all segments. Write the estimate of unit 34: people's mean, minus `weight` times a correction. The correction is the judge's mean lead on
# the rated segments minus its mean lead on the others.


# %% nbgrader={"grade": false, "grade_id": "lab15-judge-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def with_judge(people, judge, weight):
    """The estimate, a number; `people` and `judge` are arrays."""
    ### BEGIN SOLUTION
    rated = ~np.isnan(people)
    kinder = judge[rated].mean() - judge[~rated].mean()
    return people[rated].mean() - weight * kinder
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab15-judge-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

few = np.array([4, np.nan, 1, np.nan, np.nan, 1])
scores = np.array([5.0, 2, 3, -1, 0, 1])
with own_work():
    estimate = with_judge(few, scores, 0.5)
    favoured = with_judge(few, scores + 10, 0.5)
assert not np.isnan(estimate), "a mean with NaN in it is NaN: leave out what nobody rated"
assert not np.isclose(estimate, 4 / 3), (
    "you compare with the judge's mean over all segments, which includes the rated ones; compare with the others"
)
assert not np.isclose(estimate, 10 / 3), (
    "the wrong direction: if the rated segments favour the first system, people's mean is too high"
)
assert not np.isclose(estimate, -2 / 3), "you do not use `weight`"
assert not np.isclose(estimate, 7 / 6) and not np.isclose(estimate, 6.5 / 6), (
    "you fill in the judge's scores where people's are missing: then a judge's bias does not cancel"
)
assert not np.isclose(estimate, -1 / 3), "a segment that nobody rated does not have a lead of zero"
assert np.isclose(estimate, 2 / 3), f"people's mean is 2, and {estimate:.3f} is not the estimate"
assert np.isclose(favoured, estimate), (
    "ten more points on every segment: the difference between rated segments and others is the same, so nothing should change"
)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(15)
leads = rng.normal(size=300)
hidden = np.where(rng.permutation(300) < 60, leads + rng.normal(size=300), np.nan)
for weight in (0, 0.4, 1):
    expected = mt.human.prediction_powered(hidden, leads, weight=weight).statistic
    assert np.isclose(with_judge(hidden, leads, weight), expected), "try it on more segments"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · A report
#
# Somebody compared ONLINE-B with NTTSU in the same ratings, and wrote six sentences:

# %% nbgrader={"grade": false, "grade_id": "lab15-report", "locked": true, "schema_version": 3, "solution": false, "task": false}
ratings = mt.load("wmt24/en-ja").judgements["esa_ratings"]
pair = ("ONLINE-B", "NTTSU")
given = ratings.variance_components(*pair, standardised=False, samples=["segment"])
counts = japanese[japanese["system"].isin(pair)].groupby(["rater", "system"]).size().unstack()
seven = counts.loc["R07"]
people = mt.load("wmt24/en-ja").human
chrf = mt.load("wmt24/en-ja").statistics("chrF++")
both = [system for system in people.matrix().index if system in chrf.systems]
r = np.corrcoef(people.scores()[both], chrf.scores()[both])[0, 1]
report = {
    1: f"Over segments p = {given.pvalue:.4f}, so twelve other raters would prefer ONLINE-B, too.",
    2: "In the squared standard error over raters, documents and segments, raters account for more than half.",
    3: f"R07 is strict, but rated both ({seven['ONLINE-B']} and {seven['NTTSU']} outputs), so this cancels in the difference of the means of all ratings.",
    4: f"Over systems chrF++ and people correlate at {r:.2f}, so together with chrF++, 100 ratings are worth {100 / (1 - r**2):.0f}.",
    5: "A judge that gives ONLINE-B ten points more on every segment would not change a prediction-powered estimate.",
    6: "A p-value whose standard error includes only the variation of segments is about these twelve raters.",
}
for number, sentence in report.items():
    print(f"{number}. {sentence}")

# %% [markdown]
# Put into `wrong` the numbers of the sentences that are false or do not follow.

# %% nbgrader={"grade": false, "grade_id": "lab15-report-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wrong = set()
### BEGIN SOLUTION
wrong = {1, 3, 4}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab15-report-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert wrong, "not answered yet: `wrong` is empty, and at least one of the sentences is wrong"
assert isinstance(wrong, set) and wrong <= set(report), "`wrong` is a set of numbers from 1 to 6"
assert 2 not in wrong, "`ratings.variance_components(*pair, standardised=False)` has the shares"
assert 5 not in wrong, "your own `with_judge` can show what ten points on every segment do"
assert 6 not in wrong, (
    "if raters are not treated as a sample, they are taken as given: which people is the p-value about?"
)
### BEGIN HIDDEN TESTS
assert 1 in wrong, "did the test of the first sentence treat raters as a sample?"
assert 3 in wrong, (
    "strictness cancels if a rater rated both systems equally often: look at the two numbers"
)
assert 4 in wrong, (
    "this is a correlation of systems' averages: is this the correlation that saves ratings?"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · What to pay for
#
# Put into `plan`:
#
# - `"pvalue"`: the p of "raters of this kind prefer ONLINE-B to NTTSU", with raters, documents and segments as samples. (Take raw points,
#   `standardised=False`.)
# - `"raters"`: the number of raters in the cheapest design that finds a difference of 3 points four times in five, for this pair. A rater
#   costs 100, a document 2, a rating 1. `plans(costs)` of the variance components has a row for each design, the cheapest first. Its column
#   `raters` is the number of raters, and `detectable` is the difference that the design finds four times in five.
# - `"judge"`: the set of the pairs in `three` for which 100 ratings, together with chrF++ on very many segments, would be worth 110 or
#   more. `leads_of(one, other)` gives people's leads and chrF++'s on the segments that both have scored.

# %% nbgrader={"grade": false, "grade_id": "lab15-three", "locked": true, "schema_version": 3, "solution": false, "task": false}
three = [("Claude-3.5", "Gemini-1.5-Pro"), ("CommandR-plus", "Team-J"), ("ONLINE-B", "NTTSU")]
table = people.matrix()
scored = pd.DataFrame(chrf.metric.score(chrf.values), index=chrf.systems)[table.columns]


def leads_of(one, other):
    """People's leads and chrF++'s, segment by segment."""
    return table.loc[one] - table.loc[other], scored.loc[one] - scored.loc[other]


# %% nbgrader={"grade": false, "grade_id": "lab15-plan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# plan = {"pvalue": ..., "raters": ..., "judge": {...}}
### BEGIN SOLUTION
found = ratings.variance_components(*pair, standardised=False)
designs = found.plans({"rater": 100, "document": 2, "rating": 1}, power=0.8)
enough = designs[designs["detectable"] <= 3]
plan = {"pvalue": found.pvalue, "raters": enough["raters"].iloc[0]}
plan["judge"] = {p for p in three if 1 / (1 - np.corrcoef(*leads_of(*p))[0, 1] ** 2) >= 1.1}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab15-plan-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert not np.isclose(plan["pvalue"], given.pvalue), (
    "this p takes the twelve raters as given, but the sentence is about raters of this kind"
)
without = ratings.variance_components(*pair, standardised=False, samples=["document", "segment"])
assert not np.isclose(plan["pvalue"], without.pvalue), (
    "here documents and segments are samples, but raters are not"
)
assert plan["pvalue"] < 1 and not np.isclose(
    plan["pvalue"], ratings.variance_components(*pair).pvalue
), "you tested standard scores; raw points were asked for"
assert plan["raters"] != 40, (
    "this is the most precise and most expensive design; take the cheapest one that is precise enough"
)
assert plan["raters"] > 1, (
    "the difference has to be *detectable*; a standard error of 3 would find 8 or 9 points"
)
assert isinstance(plan["judge"], set) and plan["judge"] <= set(three), (
    "`judge` is a set of pairs, written as in `three`"
)
assert plan["judge"] != set(three), (
    "you name all three: what counts is the square of the correlation over segments"
)
assert plan["judge"], (
    "you name none: compute the correlation of the two systems' leads for each pair"
)
### BEGIN HIDDEN TESTS
assert np.isclose(plan["pvalue"], ratings.variance_components(*pair, standardised=False).pvalue), (
    "the p-value has to treat all three as samples"
)
costs = {"rater": 100, "document": 2, "rating": 1}
bought = ratings.variance_components(*pair, standardised=False).plans(costs)
assert plan["raters"] != bought.loc[bought["standard_error"] <= 3, "raters"].iloc[0], (
    "a standard error of 3 points is far too large to find 3 points"
)
assert plan["raters"] == bought.loc[bought["detectable"] <= 3, "raters"].iloc[0], (
    "the number of raters is not that of the cheapest design: check the prices"
)
assert plan["judge"] == {three[0]}, "which correlation makes 100 ratings worth 110?"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · Write · The largest of all looks
#
# The raters are still at work, and somebody wants to look at the results. `leads` has the leads of one system over another, in the order of
# the ratings. `statistics_at` computes the statistic of each look: the sum so far, in standard errors, without its sign.


# %% nbgrader={"grade": false, "grade_id": "lab15-statistics", "locked": true, "schema_version": 3, "solution": false, "task": false}
def statistics_at(looks, leads):
    """A statistic for each look; of tosses, which are rows of leads, a row for each."""
    at = np.asarray(looks) - 1
    sums = np.cumsum(leads, axis=-1)[..., at]
    return np.abs(sums) / np.sqrt(np.cumsum(np.square(leads), axis=-1)[..., at])


# %% [markdown]
# Each row of `signs` is a toss: a coin, 1 or −1, for each lead. Return a p-value for each look: the share of tosses in which the largest
# statistic up to this look is at least as large as the campaign's largest up to this look. The campaign itself counts as one more toss.


# %% nbgrader={"grade": false, "grade_id": "lab15-looks-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pvalues_at_looks(leads, looks, signs):
    """An array of p-values, one for each look; `signs` has the shape (tosses, leads)."""
    ### BEGIN SOLUTION
    observed = np.maximum.accumulate(statistics_at(looks, leads))
    tossed = np.maximum.accumulate(statistics_at(looks, signs * leads), axis=1)
    return (np.sum(tossed >= observed - 1e-9, axis=0) + 1) / (len(signs) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab15-looks-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

six = np.array([3.0, 1, 2, -2, 4, 1])
coins = np.array([[1 - 2 * (toss >> k & 1) for k in range(6)] for toss in range(64)])
with own_work():
    p = np.asarray(pvalues_at_looks(six, [2, 4, 6], coins))
    p_once = np.asarray(pvalues_at_looks(six, [6], coins))
assert p.shape == (3,), "three looks have three p-values"
assert not np.allclose(p, np.array([33, 33, 13]) / 65), (
    "you test each look as if it were the only one: what does chance do to the largest so far?"
)
assert not np.allclose(p, np.array([33, 17, 13]) / 65), (
    "compare the campaign's largest so far with the largest so far of each toss"
)
assert not np.allclose(p, np.array([32, 40, 16]) / 64), "the campaign itself is one more toss"
assert not np.allclose(p, np.array([1, 17, 11]) / 65), (
    "*at least* as large: with six leads many tosses tie, and computers round"
)
assert np.allclose(p, np.array([33, 41, 17]) / 65), (
    f"for these six leads and 64 tosses the p-values are not {p.round(3).tolist()}"
)
assert np.allclose(p_once, 13 / 65), "with one look this is the usual test"
print("a look after two, four and six leads: p =", ", ".join(f"{one:.3f}" for one in p))
print(f"one look, after six: p = {p_once[0]:.3f}")
### BEGIN HIDDEN TESTS
found = pvalues_at_looks(six, [3, 6], coins)
assert not np.allclose(found, np.array([17, 23]) / 65), (
    "if the campaign was further from zero at an earlier look, this remains its largest"
)
assert np.allclose(found, np.array([17, 19]) / 65), "two looks, after three and six leads"
rng = np.random.default_rng(36)
nothing = rng.normal(size=300)
tosses = rng.choice([-1, 1], size=(2000, 300))
both = pvalues_at_looks(nothing, [100, 300], tosses)
assert np.isclose(both[0], pvalues_at_looks(nothing[:100], [100], tosses[:, :100])[0]), (
    "later ratings must not change an earlier look"
)
assert np.allclose(pvalues_at_looks(-nothing, [100, 300], tosses), both), (
    "with the systems exchanged p has to be the same"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 6 · In words
#
# A company writes: "Two of our linguists rated 4,000 segments of both systems, and ours is better, p = .0004 over segments. Over 30 systems
# our judge model correlates with the linguists at .97. Therefore from now on the model rates alone." Write four or five sentences: about
# which people is the p-value, what does the .97 show and not show, and how would you use the model instead?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab15-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The p-value is about these two linguists: the test considers other segments, but not other linguists. Two people hardly show how much
# linguists differ about the two systems, so the company needs more people, and not more segments. The .97 shows that the model ranks
# systems that differ a lot as the linguists do. It does not show that for two good systems, the model's leads follow people's from segment
# to segment. And its biases, such as a favourite system, are in all of its scores. I would let people rate segments drawn at random, let
# the model score all segments, and use both together. Then the correlation of leads on the rated segments says how many ratings the model
# is worth.
#
# **Rubric.** 1 point: the p-value takes the two linguists as given, so it says nothing about others. 1 point: a correlation over systems is
# not the correlation of two systems' leads over segments (or: it does not show a constant bias). 1 point: people on a random part and the
# model on all, with a correction or a measured correlation.

# %% [markdown]
# ---
#
# *Back to* units [33](../../6_beyond_the_papers/33_who_judges.ipynb), [34](../../6_beyond_the_papers/34_few_people_many_scores.ipynb)
# and [36](../../6_beyond_the_papers/36_may_i_look_every_week.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
