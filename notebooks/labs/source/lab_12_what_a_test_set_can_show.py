# %% [markdown]
# # Lab 12 · What a test set can show
#
# Write a test for training runs that come in pairs, show that a difference is small, repair a tool that plans test sets, and decide which
# claims are justified.
#
# *Goes with units [28](../../6_beyond_the_papers/28_will_my_test_set_see_it.ipynb),
# [29](../../6_beyond_the_papers/29_train_it_again.ipynb) and
# [30](../../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab12-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np

import mtsig_nb as mt

bleu = mt.load("wmt17/en-de").statistics("BLEU")
score = bleu.metric.score
counts = dict(zip(bleu.systems, bleu.values, strict=True))  # of each system, sentences × counts
made = mt.simulate.training_runs(
    bleu, "LIUM-NMT.4900", "FBK.4870", spread=0.2, n_runs=6, difference=0.25, rng=3
)
runs = {x: np.array([made.scores()[f"{x}.run{k}"] for k in range(1, 7)]) for x in "AB"}
print(f"{len(counts)} systems, {bleu.n_segments:,} sentences")
for x in "AB":
    print(f"method {x}, portions 1 to 6: {runs[x].round(2)}")

# %% [markdown]
# The systems of this lab translated from English into German, at WMT17. For this campaign the kit has no ratings, and
# it does not know which sentences belong to one article. The six runs of two methods, A and B, were made from real
# outputs, as in unit 29.
#
# ## Exercise 1 · Write · Runs in pairs
#
# In unit 29 any run of one method might have been exchanged for any run of the other. Here the experiment was different: the training data
# were cut into portions, and *both* methods were trained once on each portion. (We pretend that the runs above were made like this.) Run 1
# of A and run 1 of B share a portion, and a good or bad portion is good or bad for both. If it does not matter which method made a run,
# then the two runs of a portion are interchangeable. Runs of different portions are not.
#
# > **Make a guess.** Method A is ahead on every one of six portions, by any distance you like. How small is the two-sided p: 2/924, 2/64, or 1/6?
#
# Write the exact two-sided test for any number of portions. The statistic is the difference of the two methods' means. The test has to
# count every possible arrangement.


# %% nbgrader={"grade": false, "grade_id": "lab12-runs-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def paired_runs_pvalue(scores_a, scores_b):
    """Exact two-sided p-value; the scores of both methods' runs, portion by portion."""
    ### BEGIN SOLUTION
    ahead = np.asarray(scores_a) - np.asarray(scores_b)
    signs = np.array(list(itertools.product([1, -1], repeat=len(ahead))))
    return np.mean(abs(signs @ ahead) >= abs(ahead.sum()) - 1e-9)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab12-runs-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

six = [20.3, 21.6, 19.2, 22.4, 20.9, 21.1], [19.9, 21.4, 19.3, 21.8, 20.5, 21.3]
with own_work():
    p, p_turned = paired_runs_pvalue(*six), paired_runs_pvalue(*six[::-1])
assert not np.isclose(p, 682 / 924), (
    "this divides all twelve runs into six and six: which runs share a portion, so that they can be exchanged?"
)
assert not np.isclose(p, 6 / 64), (
    "you count one direction: a lead of B would have been as surprising"
)
assert not np.isclose(p, 13 / 65), (
    "you count every arrangement, including the observed one, so add nothing (unit 6 adds one if arrangements are drawn)"
)
assert not np.isclose(p, 11 / 63), (
    "the observed arrangement is one of the possible ones; count it like the others"
)
assert not 8 / 64 <= p < 12 / 64 - 1e-9, (
    "*at least* as large: some arrangements give exactly the observed difference, and computers round"
)
assert np.isclose(p, 12 / 64), (
    f"for six portions with leads of .4, .2, −.1, .6, .4, −.2 it is not {p:.4f}: there are 2 · 2 · 2 · 2 · 2 · 2 arrangements"
)
assert np.isclose(p_turned, p), "with the methods exchanged p has to be the same"
print(f"A ahead on all six portions: p = {paired_runs_pvalue([7] * 6, [1, 2, 3, 4, 5, 6]):.4f}")
print(f"the runs of the first cell: p = {paired_runs_pvalue(runs['A'], runs['B']):.4f}")
### BEGIN HIDDEN TESTS
assert np.isclose(paired_runs_pvalue([3, 5, 9], [2, 3, 4]), 0.25), "three portions: at best 2 of 8"
assert paired_runs_pvalue([4.5, 4.5], [4.5, 4.5]) == 1, "no difference at all: p is 1"
assert np.isclose(paired_runs_pvalue(np.arange(10.0), np.arange(10.0) - 1), 2 / 1024)
assert np.isclose(paired_runs_pvalue([7] * 6, [1, 2, 3, 4, 5, 6]), 2 / 64)
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** 2/64, about .03. With pairs there are fewer arrangements: six coins fall in 64 ways, while twelve runs
# can be divided into six and six in 924 ways. In return, the luck of a portion cancels within a pair.
#
# ## Exercise 2 · Write · Within the margin
#
# `differences` are resampled differences of two systems, as from the bootstrap of unit 30. Return the p-value of the equivalence test with
# this margin. There are two null hypotheses, each with its own count, and both have to be rejected. A resample exactly at the margin
# counts. Add one to the count and one to the number of resamples.


# %% nbgrader={"grade": false, "grade_id": "lab12-margin-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def equivalence_pvalue(differences, margin):
    """The p-value, a number."""
    ### BEGIN SOLUTION
    d = np.asarray(differences)
    beyond = max(np.sum(d >= margin), np.sum(d <= -margin))
    return (beyond + 1) / (len(d) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab12-margin-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# 19 resamples: with a margin of 1, five at 1 or above (two of them exactly), two at −1 or below
d = np.array([-1.5, -1.2, -0.9, -0.8, -0.3, -0.1, 0, 0.1, 0.2, 0.3])
d = np.concatenate([d, [0.4, 0.5, 0.6, 0.7, 1, 1, 1.3, 1.6, 2.1]])
with own_work():
    p, p_turned = equivalence_pvalue(d, 1), equivalence_pvalue(-d, 1)
assert not np.isclose(p, 3 / 20), (
    "this is the smaller of the two p-values, so a system far ahead could pass as within the margin; *both* null hypotheses have to be rejected"
)
assert not np.isclose(p, 8 / 20), (
    "you put both ends into one count: each null hypothesis has its own end"
)
assert not np.isclose(p, [12 / 19, 13 / 20]).any(), (
    "these are the resamples *within* the margin: a small p-value should speak for equivalence, so count the resamples that speak against it"
)
assert not np.isclose(p, 4 / 20), "two resamples are exactly at the margin: do they count?"
assert not np.isclose(p, 5 / 19), "the test set itself is one more: add one above and below"
middle = d - d.mean()
shifted = max(np.sum(middle >= 1), np.sum(middle <= -1)) + 1
assert not np.isclose(p, shifted / 20), (
    "you shift the resamples to zero: here the null hypothesis lies at the margin, so do not shift"
)
assert np.isclose(p, 6 / 20), (
    f"19 resamples, five of them at 1 or above and two at −1 or below: {p:.3f}?"
)
assert np.isclose(p_turned, p), "with the systems exchanged p has to be the same: look at both ends"
### BEGIN HIDDEN TESTS
assert np.isclose(equivalence_pvalue([0.1, 0.2, -0.3], 0.5), 1 / 4), "a list of three, all within"
assert np.isclose(equivalence_pvalue(d / 2, 0.5), 6 / 20), (
    "use `margin`: with half of everything, the same p"
)
assert np.isclose(equivalence_pvalue(np.full(99, 3.0), 1), 1), (
    "all of them beyond the margin: p is 1"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · A tool that plans test sets
#
# You have translated the test set with two versions of a system. You ask a tool how many sentences *like these* it takes to find a true
# lead of `lead` BLEU at .05 four times in five. Here is its program. It is right to draw resamples and to use standard errors, but three
# things are wrong with it.


# %% nbgrader={"grade": false, "grade_id": "lab12-tool", "locked": true, "schema_version": 3, "solution": false, "task": false}
def planned_sentences(a, b, lead, rng):
    """As the tool has it, with three faults."""
    variance = 0
    for system in (a, b):
        scores = []
        for _ in range(300):
            drawn = rng.integers(len(system), size=len(system))
            scores.append(score(system[drawn].sum(axis=0)))
        variance += np.var(scores)
    error = np.sqrt(variance)
    return len(a) * 1.96 * error / lead


versions = counts["LMU-nmt-reranked.4934"], counts["LMU-nmt-single.4893"]
for lead in (0.1, 0.6):
    asked = planned_sentences(*versions, lead, np.random.default_rng(1))
    print(f"two versions of LMU's system, a true lead of {lead}: the tool asks for {asked:,.0f}")

# %% [markdown]
# > **Make a guess.** For a lead of .6 between these two versions, how many sentences does it really take: more than the
# > tool asks for, about half of them, or less than a third?
#
# Write the function as it should be. With 500 resamples the result is accurate to some five or ten in a hundred, which is enough; it need
# not be a whole number.


# %% nbgrader={"grade": false, "grade_id": "lab12-tool-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sentences_needed(a, b, lead, rng):
    """How many sentences like these find a true lead four times in five, a number."""
    ### BEGIN SOLUTION
    leads = []
    for _ in range(500):
        times = np.bincount(rng.integers(len(a), size=len(a)), minlength=len(a))
        leads.append(score(times @ a) - score(times @ b))
    return len(a) * (2.8 * np.std(leads) / lead) ** 2
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab12-tool-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    each = [sentences_needed(*versions, 0.6, np.random.default_rng(seed)) for seed in range(4)]
    half = sentences_needed(*versions, 0.3, np.random.default_rng(0))
needed, factor = np.mean(each), half / each[0]
assert not 0.35 < factor < 0.75, "half the lead cannot take fewer sentences"
assert not 1.6 < factor < 2.6, (
    "for half the lead this asks for twice the sentences: what do twice the sentences do to a standard error?"
)
assert needed < 5000, (
    "far too many: you add up two variances, although both versions translate the same sentences"
)
assert needed > 830, (
    "with so few sentences, at least half of the test sets miss the true lead: a lead of 1.96 standard errors is found only half of the time"
)
print(f"a lead of .6: {needed:,.0f} sentences; of .3: {half:,.0f}; ", end="")
print(f"of .1: {sentences_needed(*versions, 0.1, np.random.default_rng(4)):,.0f}")
### BEGIN HIDDEN TESTS
assert not 850 < needed < 1155, "this number is enough for a one-sided test; this test is two-sided"
assert 1155 < needed < 1500, (
    f"{needed:,.0f} sentences for a lead of .6 are wrong: take 2.8 standard errors of the difference, and the square"
)
part = bleu.subset(np.arange(0, 3000, 5)).select(["RWTH-nmt-ensemble.4921", "KIT.4950"])
error = mt.confidence_interval(part, *part.systems, n_resamples=2000, rng=5).standard_error
ratio = sentences_needed(*part.values, 0.5, np.random.default_rng(6)) / (
    600 * (2.8 * error / 0.5) ** 2
)
assert 0.7 < ratio < 1.4, (
    f"a pilot of 600 sentences and another pair: {ratio:.1f} times what it should be; is the size taken from `a`?"
)
asked = planned_sentences(*versions, 0.6, np.random.default_rng(1))
assert needed < asked / 3 and asked < 6000
error = mt.confidence_interval(
    bleu, "LMU-nmt-reranked.4934", "LMU-nmt-single.4893", n_resamples=2000, rng=2
)
assert 0.88 < 1310 / (3004 * (2.8 * error.standard_error / 0.6) ** 2) < 1.12
few = planned_sentences(*versions, 0.1, np.random.default_rng(1))
assert few < 0.75 * sentences_needed(*versions, 0.1, np.random.default_rng(4))
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** Less than a third. Versions of one system are easier to compare than the tool believes. For a lead of .1 the tool errs the
# other way: its test set would find the lead only a little more than half of the time, instead of four times in five. Several faults do not
# always cancel.
#
# ## Exercise 4 · Decide · Which claims are justified?
#
# Before anybody looked, somebody chose a margin of .8 BLEU, for a good reason. Here are five pairs, each on its own part of the test set.
# For each pair decide what the data show at .05:
#
# - `"differ"`: a difference is found, but it is not shown to be within the margin;
# - `"within"`: no difference is found, but it is shown to be within the margin;
# - `"both"`: a difference is found, and it is shown to be within the margin;
# - `"neither"`: neither is shown.
#
# Use the package as you like, with sentences as units. `mt.approximate_randomization(pair, *pair.systems, rng=1)` looks for a difference, and
# `mt.confidence_interval(pair, *pair.systems, rng=1).distribution` has resampled differences for your function. (If exercise 2
# is still open: `mt.equivalence_test(pair, *pair.systems, margin=0.8, rng=1).equivalent`.)

# %% nbgrader={"grade": false, "grade_id": "lab12-cases", "locked": true, "schema_version": 3, "solution": false, "task": false}
cases = {
    1: ("LMU-nmt-reranked.4934", "LMU-nmt-single.4893", 1),
    2: ("online-B.0", "KIT.4950", 1),
    3: ("SYSTRAN.4847", "FBK.4870", 2),
    4: ("RWTH-nmt-ensemble.4921", "KIT.4950", 3),
    5: ("LIUM-NMT.4900", "FBK.4870", 1),
}
cases = {k: bleu.select([a, b]).subset(np.arange(0, 3004, n)) for k, (a, b, n) in cases.items()}
for number, pair in cases.items():
    lead = -np.diff([pair.scores()[s] for s in pair.systems])[0]
    print(
        f"{number}  {' less '.join(pair.systems):47} {lead:+.2f} on {pair.n_segments:,} sentences"
    )

# %% [markdown]
# Put the five words into `plan["verdicts"]`, a dict from the number of the case to the word. Two more decisions go into `plan`:
#
# - `"portions"`: on how many portions, at least, must two methods be trained so that the test of exercise 1 can find a difference at .01 at all?
# - `"sentences"`: suppose that the systems of case 4 are in truth exactly equal. With how many sentences would the equivalence test show
#   about four times in five that they are within .8? Unit 30 says how many standard errors a margin must have. A tenth more or less does
#   not matter.

# %% nbgrader={"grade": false, "grade_id": "lab12-plan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# plan = {"verdicts": {1: ..., 2: ..., 3: ..., 4: ..., 5: ...}, "portions": ..., "sentences": ...}
### BEGIN SOLUTION
words = {(1, 0): "differ", (0, 1): "within", (1, 1): "both", (0, 0): "neither"}
error = mt.confidence_interval(cases[4], *cases[4].systems, rng=1).standard_error
plan = {"verdicts": {}, "portions": 8, "sentences": 1002 * (2.9 * error / 0.8) ** 2}
for case, two in cases.items():
    found = mt.approximate_randomization(two, *two.systems, rng=1).pvalue <= 0.05
    d = mt.confidence_interval(two, *two.systems, rng=1).distribution
    plan["verdicts"][case] = words[found, equivalence_pvalue(d, 0.8) <= 0.05]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab12-plan-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
verdicts = dict(plan["verdicts"])
assert set(verdicts) == {1, 2, 3, 4, 5}, "a word for each of the five cases"
assert set(verdicts.values()) <= {"differ", "within", "both", "neither"}, "one of the four words"
assert "neither" in verdicts.values(), (
    "a difference that looks small, or was not found, has not been shown to be small: how large may it be in truth?"
)
assert "both" in verdicts.values(), (
    "whether a difference is found and whether it is small are two questions: ask the second one for every pair, with a twentieth of the resamples at each end"
)
assert plan["portions"] != 5, (
    "five would be enough if any run might be exchanged for any other; how many arrangements do five pairs have?"
)
assert plan["sentences"] > 1002, (
    "with so few sentences, a 90 % interval would only just fit if it were centred exactly on zero, which hardly ever happens"
)
assert plan["sentences"] < 5000, (
    "the standard error of case 4 is for 1,002 sentences: from which number of sentences do you start?"
)
print(
    "The form is right, and the usual traps are avoided. Whether the plan is right is tested later."
)
### BEGIN HIDDEN TESTS
right = {1: "both", 2: "differ", 3: "within", 4: "neither", 5: "within"}
for number, word in verdicts.items():
    assert not (word == "both" and right[number] == "differ"), (
        f"case {number}: the observed difference is within the margin, but is the whole 90 % interval?"
    )
    assert word != "neither" or right[number] != "within", (
        f"case {number}: a large p says nothing for or against equivalence: look at the resamples"
    )
    assert word == right[number], (
        f"case {number}: look at p, and at the resamples beyond the margin, once more"
    )
assert plan["portions"] != 7, (
    "with this number of portions, p is small enough only if you count one direction"
)
assert plan["portions"] == 8, (
    "the smallest p of k portions comes from two arrangements: what is the first k for which it is .01 or less?"
)
assert not 1200 < plan["sentences"] < 1650, (
    "the standard error has to shrink by this factor; how many times as many sentences does that take?"
)
assert 1780 < plan["sentences"] < 2420, (
    f"{plan['sentences']:,.0f} sentences are wrong: the margin should be 2.9 standard errors"
)
for number, pair in cases.items():  # what is taken for granted above
    found = mt.approximate_randomization(pair, *pair.systems, rng=8).pvalue <= 0.05
    shown = mt.equivalence_test(pair, *pair.systems, margin=0.8, rng=8).equivalent
    assert right[number] == ("neither", "within", "differ", "both")[2 * found + shown]
error = mt.confidence_interval(cases[4], *cases[4].systems, n_resamples=2000, rng=7).standard_error
assert 0.9 < 2080 / (1002 * (2.9 * error / 0.8) ** 2) < 1.1 and 2 / 2**7 > 0.01 > 2 / 2**8
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A paper trained a small model and a large one, once each, and writes: "On 500 sentences the difference is not significant (p = .60). The
# power to find the observed .2 BLEU was only .08, which explains it. So the small model is as good as the large one, and this method of
# making models smaller costs nothing." Write four or five sentences: what may the paper say about the two models, what does the power tell
# us, and what may the paper say about the method?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab12-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# No difference was found, but that does not mean that there is none. A difference of .2 with p = .60 means a standard error of about .4, so
# the 95 % interval of the difference reaches about three quarters of a point to either side. To say "as good as" takes a margin, chosen
# beforehand and with a reason, and a 90 % interval that lies within it. Power computed for the observed difference is the p-value in other
# words and explains nothing; it should be computed for the smallest difference that would matter. One run of each says something only about
# these two models. A claim about the method takes several runs of each, tested with runs as units as well as with sentences.
#
# **Rubric.** 1 point: not found is not shown to be equal; asks for a margin or for the interval of the difference. 1 point: power for the observed difference
# adds nothing to p (or: it has to be computed for a difference chosen beforehand). 1 point: a claim about a method needs several runs; one run
# of each allows a claim about these two models.

# %% [markdown]
# ---
#
# *Back to* units [28](../../6_beyond_the_papers/28_will_my_test_set_see_it.ipynb),
# [29](../../6_beyond_the_papers/29_train_it_again.ipynb) and
# [30](../../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
