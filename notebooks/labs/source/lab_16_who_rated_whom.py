# %% [markdown]
# # Lab 16 · Who rated whom?
#
# Subtract raters' means, estimate systems and raters in turn, check a report, and decide what may be announced, with ratings that nobody balanced.
#
# *Goes with unit [35](../../6_beyond_the_papers/35_who_rated_whom.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab16-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd

import mtsig_nb as mt


def points_of(ratings):
    """A row for each rating of an output, with columns rater, system and points."""
    frame = ratings.frame[ratings.frame["type"].isin(["SYSTEM", "REPEAT"])]
    return frame.rename(columns={"raw": "points"})[["rater", "system", "points"]]


ratings = mt.load("wmt24/en-cs").judgements["esa_ratings"]
czech = points_of(ratings)
czech.groupby("rater")["points"].agg(["mean", "size"]).round(1)

# %% [markdown]
# At WMT24 twelve raters gave 0 to 100 points to translations from English into Czech, by sixteen systems, one of which is a person. One rater
# read each output. The raters' means range from 70 to 98. The raters gave between 81 and more than a thousand ratings each.
#
# **Has your class judged with Pearmut?** Then your lecturer may give you its log, `annotations.json`. With these lines, in a new cell, you
# can use your own ratings instead of the Czech ones in exercises 1 and 2. The tests still use the Czech ones.
#
# ```python
# of_class = mt.human.Ratings(mt.read_score_table("annotations.json").ratings)
# points_of(of_class)
# ```
#
# ## Exercise 1 · Write · Subtract raters' means
#
# From every rating, subtract the mean of all ratings by the same rater. Return the mean of the results for each system, as a Series.
#
# > **Make a guess.** In plain means Unbabel-Tower70B is 5.0 points ahead of Gemini-1.5-Pro. How much of this lead is left: about 5, about
# > 3, or about 1?


# %% nbgrader={"grade": false, "grade_id": "lab16-centred-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def centred(frame):
    """A Series, the systems as its index. `frame` has columns rater, system and points."""
    ### BEGIN SOLUTION
    own = frame.groupby("rater")["points"].transform("mean")
    return (frame["points"] - own).groupby(frame["system"]).mean()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab16-centred-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

small = pd.DataFrame(
    {
        "rater": ["Eva"] * 5 + ["Jan"] * 3 + ["Ida"] * 2,
        "system": list("AAABBABBAC"),
        "points": [40, 44, 48, 30, 28, 90, 70, 74, 64, 60],
    }
)
with own_work():
    left = centred(small)
    real = centred(czech)
assert isinstance(left, pd.Series) and set(left.index) == set("ABC"), (
    "a Series with a value for each system"
)
assert not np.isclose(left["A"], 57.2), "these are the plain means: you have subtracted nothing"
assert not np.isclose(left["A"], 2.4), (
    "you subtract the same number from all ratings; each rater has their own mean"
)
assert not np.isclose(left["A"], 0.781, atol=0.001), (
    "these are standard scores: do not divide by a standard deviation"
)
assert not np.isclose(left["A"], 6.6667, atol=0.001), (
    "you give each rater the same weight; take the mean of all ratings of a system"
)
assert not np.isclose(left["A"], 6.7), (
    "a rater's mean is of all of their ratings, not of the means of the systems that they rated"
)
assert not np.isclose(left["A"], 6), "these look like medians, but means were asked for"
assert not np.isclose(left["A"], -6.4), (
    "you subtract the ratings from the means: it should be the other way round"
)
assert np.isclose(left["A"], 6.4) and np.isclose(left["B"], -7.5), (
    f"A's mean is {left['A']:.2f} and B's is {left['B']:.2f}; they should be 6.40 and −7.50"
)
print(
    f"Unbabel-Tower70B over Gemini-1.5-Pro: {real['Unbabel-Tower70B'] - real['Gemini-1.5-Pro']:+.2f}"
)
### BEGIN HIDDEN TESTS
expected = ratings.mixed_model(terms=["rater"]).effects.set_index("system")["centred"]
apart = real - expected[real.index]
assert np.allclose(apart, apart.mean()), "the result for the Czech ratings is not right"
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About 1. Unbabel-Tower70B was lucky to have lenient raters.
#
# ## Exercise 2 · Write · Systems and raters in turn
#
# A rater's mean depends on which systems the rater read. So estimate both, in turn. Begin with a part of zero for every rater. Then, `rounds` times:
#
# - subtract each rater's part from the ratings, and compute the mean of the results for each system;
# - subtract each system's mean from the ratings, and add up the results for each rater. Divide this sum by the number of the rater's
#   ratings *plus* `k`; this is the rater's new part.
#
# At the end, compute the systems' means with the last parts of the raters. Return each of them minus the average of all systems. With `k=0`
# nothing is shrunk. The larger `k` is, the more the part of a rater with few ratings is shrunk.


# %% nbgrader={"grade": false, "grade_id": "lab16-turns-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def in_turn(frame, k=0, rounds=50):
    """A Series, the systems as its index. `frame` has columns rater, system and points."""
    ### BEGIN SOLUTION
    points = frame["points"]
    part = 0 * points
    for _ in range(rounds):
        system = (points - part).groupby(frame["system"]).transform("mean")
        left = (points - system).groupby(frame["rater"])
        part = left.transform("sum") / (left.transform("size") + k)
    means = (points - part).groupby(frame["system"]).mean()
    return means - means.mean()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab16-turns-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    plain_turns = in_turn(small)
    shrunk = in_turn(small, k=3)
    first_turn = in_turn(small, rounds=1)
    real = in_turn(czech, k=4)
assert not np.isclose(plain_turns["A"], 7.4333, atol=0.001), (
    "these are the centred means again: subtract the system's mean before you compute a rater's part"
)
assert not np.isclose(plain_turns["A"], 6.6769, atol=0.001), (
    "this is a single round, whatever `rounds` says"
)
assert not np.isclose(plain_turns["A"], [6.4922, -3.8922], atol=0.001).any(), (
    "you add a rater's part to the ratings; subtract it, in each round and at the end"
)
assert np.isclose(plain_turns.sum(), 0), (
    "the three do not add up to 0: subtract the average of the systems, not of the ratings"
)
assert np.isclose(plain_turns["A"], 6.6905, atol=0.001), (
    f"without shrinking, A should be at 6.69, and not at {plain_turns['A']:.2f}"
)
assert not np.isclose(shrunk["A"], 6.6905, atol=0.001), "`k` has changed nothing"
assert not np.isclose(shrunk["A"], 2.6525, atol=0.001), (
    "you divide a rater's mean by 1 + k, as if all raters had equally many ratings"
)
assert not np.isclose(shrunk["A"], 3.6507, atol=0.001), (
    "it should be the other way round: a rater with more ratings is shrunk less"
)
assert np.isclose(shrunk["A"], 4.6377, atol=0.001), (
    f"with k=3, A should be at 4.64, and not at {shrunk['A']:.2f}: the sum is divided by the number plus k"
)
assert np.isclose(first_turn["A"], 6.6769, atol=0.001), "with `rounds=1` there should be one round"
print(
    f"Unbabel-Tower70B over Gemini-1.5-Pro: {real['Unbabel-Tower70B'] - real['Gemini-1.5-Pro']:+.2f}"
)
### BEGIN HIDDEN TESTS
of_raters = ratings.mixed_model(terms=["rater"])
by_model = of_raters.effects.set_index("system")["estimate"]
of_rater, of_rest = of_raters.components["variance"]
turned = in_turn(czech, of_rest / of_rater, 100)
assert np.allclose(turned, (by_model - by_model.mean())[turned.index], atol=0.05), (
    "with this k the result should be that of a mixed model with only raters, but yours differs"
)
### END HIDDEN TESTS

# %% [markdown]
# With the right `k` your few lines are a mixed model. The package's model has more terms, finds `k` by itself, and gives standard errors.
#
# ## Exercise 3 · Find · A report
#
# Somebody analysed the Czech ratings and wrote six sentences:

# %% nbgrader={"grade": false, "grade_id": "lab16-report", "locked": true, "schema_version": 3, "solution": false, "task": false}
model = ratings.mixed_model()
effects = model.effects.set_index("system")
deviations = model.components.set_index("term")["standard_deviation"]
errors = model.tests().table["standard_error"]
without = ratings.mixed_model(terms=["rater", "document", "segment", "system:segment"])
of_three = ratings.of_raters(["R03", "R04", "R10"])
freedom = of_three.mixed_model().tests().table["degrees_of_freedom"].min()
rules = ratings.by_field_rules().groupby("rule")["better"].agg(["sum", "size"]).loc["wmt26"]
plain = effects["mean"]
report = {
    1: f"In plain means Unbabel-Tower70B leads Gemini-1.5-Pro by {plain['Unbabel-Tower70B'] - plain['Gemini-1.5-Pro']:.1f} points. With some 300 ratings each, the habits of raters have cancelled.",
    2: f"Raters' levels have a standard deviation of {deviations['rater']:.1f} points, which is more than that of the sixteen estimates.",
    3: "The estimate of CUNI-MH is above that of Gemini-1.5-Pro, so raters of this kind prefer CUNI-MH.",
    4: f"WMT26's rule calls one system better in {rules['sum']} of {rules['size']} pairs, and takes the raters and the documents as given.",
    5: f"In a model without system:rater and system:document the mean standard error is {without.tests().table['standard_error'].mean():.2f} instead of {errors.mean():.2f}, so this model says more exactly what other raters prefer.",
    6: f"With R03, R04 and R10 alone, some differences have only {freedom:.0f} degrees of freedom, so only large ones can be shown.",
}
for number, sentence in report.items():
    print(f"{number}. {sentence}")

# %% [markdown]
# Put into `wrong` the numbers of the sentences that are false or do not follow.

# %% nbgrader={"grade": false, "grade_id": "lab16-report-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wrong = set()
### BEGIN SOLUTION
wrong = {1, 3, 5}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab16-report-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert wrong, "not answered yet: `wrong` is empty, and at least one of the sentences is wrong"
assert isinstance(wrong, set) and wrong <= set(report), "`wrong` is a set of numbers from 1 to 6"
assert 2 not in wrong, "`effects['estimate'].std()` is the other standard deviation"
assert 4 not in wrong, "which units does this rule resample? See `mt.human.field_rules.FIELD_RULES`"
assert 6 not in wrong, "few degrees of freedom make wide intervals, so this sentence is right"
### BEGIN HIDDEN TESTS
assert 1 in wrong, "how much of this lead was left in exercise 1?"
assert 3 in wrong, "the order of estimates is not a test: what is the p-value of this pair?"
assert 5 in wrong, (
    "raters' opinions about single systems do not disappear if a model has no term for them"
)
assert deviations["rater"] > effects["estimate"].std()
pairs = model.tests().table.set_index(["system_a", "system_b"])
assert pairs.loc[("CUNI-MH", "Gemini-1.5-Pro"), "pvalue"] > 0.9 and freedom < 5
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · What may be announced
#
# Put into `decision`:
#
# - `"pairs"`: how many of the 120 pairs the model tells apart at .05, with Holm's correction, two-sided, in raw points;
# - `"beside"`: the set of all systems that these tests do not tell apart from HUMAN-A;
# - `"k"`: the `k` with which `in_turn` is a mixed model with only raters, `ratings.mixed_model(terms=["rater"])`.

# %% nbgrader={"grade": false, "grade_id": "lab16-decision-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# decision = {"pairs": ..., "beside": {...}, "k": ...}
### BEGIN SOLUTION
said = model.tests().conclusions(0.05, correction="holm")
others = [system for system in model.systems if system != "HUMAN-A"]
words = {system: said.word("HUMAN-A", system) for system in others}
variances = ratings.mixed_model(terms=["rater"]).components.set_index("term")["variance"]
decision = {
    "pairs": int((mt.adjust_pvalues(model.tests().table["pvalue"], "holm") <= 0.05).sum()),
    "beside": {system for system, word in words.items() if word == "indistinguishable"},
    "k": variances["rest"] / variances["rater"],
}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab16-decision-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
table = model.tests().table
assert set(decision) == {"pairs", "beside", "k"}, "`decision` has the keys pairs, beside and k"
assert decision["pairs"] != (table["pvalue"] <= 0.05).sum(), (
    "you test 120 pairs at .05 each: correct for them"
)
assert decision["pairs"] != rules["sum"], (
    "this is the number of pairs by WMT26's rule, and not by the model"
)
assert isinstance(decision["beside"], set) and decision["beside"] <= set(model.systems), (
    "`beside` is a set of systems"
)
assert "HUMAN-A" not in decision["beside"], "HUMAN-A is not compared with itself"
assert len(decision["beside"]) != 8, (
    "this set is without correction: with it there is one more system"
)
### BEGIN HIDDEN TESTS
assert decision["pairs"] > 16 and decision["pairs"] < 21, (
    "two-sided tests of the model in raw points, with Holm's correction: `mt.adjust_pvalues(..., 'holm')`"
)
raters_alone = ratings.mixed_model(terms=["rater"]).components
of_rater, of_rest = raters_alone["variance"]
assert not np.isclose(decision["k"], of_rater / of_rest), (
    "it should be the other way round: the less raters differ, the larger is k"
)
assert not np.isclose(decision["k"], np.sqrt(of_rest / of_rater)), (
    "you use standard deviations; the unit's formula has variances"
)
assert decision["k"] > 1, "you use a variance of the large model; take both from the small one"
holm = model.tests().conclusions(0.05, correction="holm")
assert decision["pairs"] == (mt.adjust_pvalues(table["pvalue"], "holm") <= 0.05).sum(), (
    "the number of pairs is not right"
)
rest_of_systems = [system for system in model.systems if system != "HUMAN-A"]
assert decision["beside"] == {
    system for system in rest_of_systems if holm.word("HUMAN-A", system) == "indistinguishable"
}, "`beside` is every system that is not told apart from HUMAN-A, however far down its estimate is"
assert np.isclose(decision["k"], of_rest / of_rater), (
    "n / (n + k) should be the share of the unit: which variance is divided by which?"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A company writes: "Three of our translators rated six systems with a tool that shows the leading systems more often. Ours has the highest
# mean, and the tool's dashboard says that it is better than the next one: a paired t test on common items, p = .03. As the tool balances
# nothing, we have also fitted a mixed model, and it puts ours first, too. So ours is the best." Write four or five sentences: what does the
# p-value take into account and what not, what does the model correct and what can it not correct, and what would you ask for?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab16-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The t test takes items as the sample, and these three translators as given. It says nothing about other translators, and nobody corrected
# for the other pairs on the dashboard. The mixed model takes into account who rated what, so a severe rater who read more of one system
# does not move its estimates. But having the first estimate is not a test, and what three people think of single systems remains in the
# differences. With three raters a standard error has few degrees of freedom. I would ask for the model's interval or its corrected
# p-values, and for more raters rather than for more items.
#
# **Rubric.** 1 point: the p-value counts items as a sample, and not raters (or: no correction for the pairs looked at). 1 point: the model
# corrects the estimate, but three raters still say little about others. 1 point: an interval or a corrected p of the model, or more raters.

# %% [markdown]
# ---
#
# *Back to* unit [35](../../6_beyond_the_papers/35_who_rated_whom.ipynb).
# *Words* are in the [glossary](../../../docs/glossary.md).
