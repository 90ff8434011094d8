# %% [markdown]
# # Lab 02 · Scores from counts
#
# Count runs of words, compute a score from eighteen sums, show that a tool does not compute BLEU, and decide which scores are means.
#
# *Goes with [unit 4](../../1_what_chance_can_do/04_what_a_score_is_made_of.ipynb). About 75 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data. The tests also notice if you call a package for what you are asked to write.
#
# The campaign is WMT22 from Japanese: fourteen systems and 2,008 sentences. The next cell loads the counts of all eight metrics.

# %% nbgrader={"grade": false, "grade_id": "lab02-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections import Counter

import numpy as np
import pandas as pd

import mtsig_nb as mt

japanese = mt.load("wmt22/ja-en")
counted = {name: japanese.statistics(name) for name in japanese.metrics}
bleu, chrf = counted["BLEU"], counted["chrF"]
print(bleu.values.shape, "= systems × segments × counts")
bleu.scores().iloc[[0, 1, 2, -2, -1]].round(2)

# %% [markdown]
# > **Make a guess.** The last system, AIST, has a BLEU of 0.06: hardly any of its runs of four words are in the references. The metric chrF
# > counts runs of one to six *characters* instead; again, a score of 100 means that the output is identical to the reference. Is AIST's
# > chrF about 0.06, about 1,
# > or about 11?
#
# ## Exercise 1 · Write · Matching runs
#
# Return two whole numbers: how many of the output's runs of `n` words match, and how many runs the output has. Words are what
# `text.split()` returns. A run that the output repeats matches at most as often as the reference has it.


# %% nbgrader={"grade": false, "grade_id": "lab02-runs-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def matching_runs(output, reference, n):
    """How many runs of n words of `output` are in `reference`, and how many it has."""
    ### BEGIN SOLUTION
    runs = []
    for words in (output.split(), reference.split()):
        runs.append(Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1)))
    return (runs[0] & runs[1]).total(), runs[0].total()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-runs-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

train = "nobody had told her that the last train was cancelled"
with own_work("mtsig_nb.metrics", "sacrebleu", "nltk"):
    singles, fours = matching_runs(train, train, 1), matching_runs(train, train, 4)
    birds = matching_runs("the birds the birds the", "the birds sing", 1)
    pairs = matching_runs("the birds the birds the", "the birds sing", 2)
    swapped = matching_runs("the birds sing", "the birds the birds the", 1)
    single_letters = matching_runs("a b", "a b", 1)
    short = matching_runs("too short", "too short", 3)
print(f"the train beside itself: words {singles}, runs of four {fours}")
assert singles[1] != len(train), "these are characters; words are what `split` returns"
assert fours[1] != 6, (
    "the last run is missing: ten words have seven runs of four. Look at the end of the range"
)
assert fours[1] != 10, (
    "some of these runs are shorter than n: the last run of four begins three words before the end"
)
assert birds != (5, 5), (
    "each of these words is in the reference, but fewer times: a word matches at most as often as the reference has it"
)
assert birds[1] != 2, (
    "the output has five words, though only two different ones: how often does it have each?"
)
assert birds != (2, 3), (
    "the second number counts the runs of the reference; it should be those of the output"
)
assert birds == (2, 5) and swapped == (2, 3), (
    "count each run as often as it occurs in both texts: take the smaller of its two numbers"
)
assert pairs == (1, 4), (
    "pairs of words: `the birds` occurs twice in the output and once in the reference"
)
assert (singles, fours) == ((10, 10), (7, 7)), "a text compared with itself: all runs match"
assert single_letters == (2, 2), "words of a single letter are words"
assert short == (0, 0), "two words have no run of three: return 0 matches of 0 runs"
### BEGIN HIDDEN TESTS
plain = mt.metrics.BLEU(tokenize="none")
for tried, wanted in (
    ("a b c a b", "a b a b c"),
    ("x y z x", "z y x"),
    ("b a b a b a", "a b a b x b a"),
):
    row = plain.statistics([tried], [[wanted]])[0]
    for order in (1, 2, 3, 4):
        assert matching_runs(tried, wanted, order) == (row[1 + order], row[5 + order]), (
            f"runs of {order} words of {tried!r} beside {wanted!r}"
        )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Write · chrF from eighteen sums
#
# BLEU has precisions and a penalty. chrF has precisions and *recalls*. A recall is the share of the reference's runs that the output also
# has: the matches divided by the runs of the reference. For each length from one to six characters there are three counts: the runs of the
# output, the runs of the reference, and the matches. They come in this order: first the three for single characters, then the three for
# pairs, and so on.
#
# Compute the six precisions and the six recalls from the sums. $P$ is the mean of the precisions, and $R$ is the mean of the recalls. If
# the output or the reference has no run of some length, leave this length out of both means. Only then combine the two. Recall counts more:
#
# $$\mathrm{chrF} = 100 \cdot \frac{5 P R}{4 P + R}$$


# %% nbgrader={"grade": false, "grade_id": "lab02-chrf-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def chrf_of(sums):
    """chrF, from 0 to 100, of a test set with these eighteen sums, an array."""
    ### BEGIN SOLUTION
    output, reference, match = np.reshape(sums, (6, 3)).T
    there = (output > 0) & (reference > 0)
    precision = np.mean(match[there] / output[there])
    recall = np.mean(match[there] / reference[there])
    return 100 * 5 * precision * recall / (4 * precision + recall)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-chrf-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

lopsided = np.array([10, 40, 8, 9, 39, 6, 8, 38, 4, 7, 37, 3, 6, 36, 2, 5, 35, 1])
tiny = np.array([3, 4, 3, 2, 3, 2, 1, 2, 1] + [0, 1, 0] + [0] * 6)
with own_work("mtsig_nb.metrics", "sacrebleu"):
    got, got_tiny, of_aist = (
        chrf_of(lopsided),
        chrf_of(tiny),
        chrf_of(chrf.totals()[chrf.index("AIST")]),
    )
print(f"eighteen numbers: {got:.2f}; three characters of four: {got_tiny:.2f}; AIST: {of_aist:.2f}")
assert not np.isclose(got, 0.123485, rtol=1e-4), (
    "this chrF is between 0 and 1; chrF is printed in per cent"
)
assert not np.isclose(got, 28.0810, rtol=1e-4), (
    "this rewards precision more than recall: which of the two is divided by the runs of the output?"
)
assert not np.isclose(got, 17.1537, rtol=1e-4), (
    "precision and recall count the same here; recall should count more"
)
assert not np.isclose(got, 12.3339, rtol=1e-4), (
    "you combine precision and recall for each length, and then take the mean; take the means first"
)
assert not np.isclose(got, 12.6984, rtol=1e-4), (
    "you add up the matches of all lengths; each length has its own precision"
)
assert np.isclose(got, 12.3485, rtol=1e-4), (
    "the order of the counts is output, reference, match, once for each length: print the sums as six rows of three"
)
assert not np.isnan(got_tiny), (
    "three characters have no run of four: 0 divided by 0. Leave such a length out"
)
assert got_tiny > 50, (
    "an output of three characters, all right, and a reference of four: leave out a length without runs; do not count it as zero"
)
assert np.isclose(got_tiny, 100 * 5 * 23 / 36 / (4 + 23 / 36)), (
    "three lengths occur in both texts: take the means of precision and recall over these three"
)
### BEGIN HIDDEN TESTS
for elsewhere in (chrf, mt.load("wmt13/cs-en").statistics("chrF")):
    expected = elsewhere.scores()[list(elsewhere.systems)].to_numpy()
    assert np.allclose([chrf_of(sums) for sums in elsewhere.totals()], expected, rtol=1e-9), (
        f"on {elsewhere.systems[0]} and others"
    )
letters = chrf.totals()[chrf.index("AIST")]
shares = letters[2::3] / letters[1::3]
assert 0.4 < shares[0] < 0.5 and 0.15 < shares[1] < 0.19
assert 11 < of_aist < 11.5 and round(bleu.scores()["AIST"], 2) == 0.06
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About 11. Hardly any run of four words matches. But nearly half of the single characters match, and so does about one in
# six pairs of characters, because there are few different characters. Compare a score only with other scores
# of the same metric.
#
# ## Exercise 3 · Find · A tool whose BLEU is too low
#
# A tool computes BLEU from the same ten counts. Its scores are lower than the package's for all fourteen systems, and
# it ranks some of the systems differently:


# %% nbgrader={"grade": false, "grade_id": "lab02-tool", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tool_bleu(counts):
    """BLEU of a test set from its counts, an array of segments × 10."""
    length, wanted = counts[:, 0], counts[:, 1]
    match, total = counts[:, 2:6].sum(axis=0), counts[:, 6:10].sum(axis=0)
    score = np.prod(match / total) ** (1 / 4)
    return 100 * np.mean(score * np.exp(np.minimum(0, 1 - wanted / length)))


of_tool = {name: tool_bleu(row) for name, row in zip(bleu.systems, bleu.values, strict=True)}
pd.DataFrame({"BLEU": bleu.scores(), "tool": of_tool}).round(2).sort_values("BLEU")[::-1]

# %% [markdown]
# Find its fault, and show it to the tool's author with a test set of **two** sentences that you make up. The author says: "My number is
# lower because your output is too short." So the two outputs *together* must have at least as many words as their references together. Even
# so, the tool's number must be at most **two thirds** of the real BLEU. BLEU itself must be at least 10, so that nobody can say that the
# example is a special case near zero. Define `outputs` and `references`, two lists of two texts. You may call `check` as often as you like.


# %% nbgrader={"grade": false, "grade_id": "lab02-check", "locked": true, "schema_version": 3, "solution": false, "task": false}
def check(outputs, references):
    """Words of the outputs and of the references, BLEU, and what the tool says."""
    counts = mt.metrics.BLEU(tokenize="none").statistics(outputs, [references])
    words, wanted = counts[:, :2].sum(axis=0)
    real = mt.metrics.BLEU(smooth_method="none").score(counts.sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return int(words), int(wanted), float(real), float(tool_bleu(counts))


check(["the old ferry leaves at noon"], ["the old ferry leaves at noon and returns before dark"])

# %% nbgrader={"grade": false, "grade_id": "lab02-example-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
rain = "it rained all night and the river rose until it stood in the street"
more = " so nobody could leave the house before the next day at noon"
outputs, references = ["it rained all night", rain + more], [rain, rain]
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab02-example-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert len(outputs) == 2 == len(references), "two outputs and two references, in lists"
words, wanted, real, said = check(outputs, references)
print(
    f"{words} words where the references have {wanted}: BLEU {real:.1f}, the tool says {said:.1f}"
)
lengths = [[len(text.split()) for text in texts] for texts in (outputs, references)]
assert real > 0, (
    "BLEU is zero: no run of four words matches, and a zero shows nothing about the tool"
)
assert not (words < wanted and abs(real - said) < 0.01), (
    "both outputs are too short to the same degree, and then the tool is right: this is the author's excuse"
)
assert words >= wanted, (
    f"{words} words for {wanted}: the author will say that your output is too short. One output may be, if the other makes up for it"
)
assert abs(real - said) > 1e-9, (
    "the tool says the same as BLEU: is neither output shorter than its own reference? What does the tool take the mean of?"
)
assert said <= real * 2 / 3, (
    f"the tool says {said / real:.0%} of BLEU, but at most two thirds were asked for: make the short output even shorter, and the long one longer"
)
assert real >= 10, "a BLEU below 10: let more of the words be in the reference"
### BEGIN HIDDEN TESTS
short_one = np.argmin([have / want for have, want in zip(*lengths, strict=True)])
alone = check([outputs[1 - short_one]], [references[1 - short_one]])
assert alone[0] >= alone[1], "the other output is long enough by itself"
whole = check([" ".join(outputs)], [" ".join(references)])
assert abs(whole[3] - whole[2]) < 0.01, "as one sentence, the tool has nothing to average"
best_first = list(bleu.scores().index)
assert all(of_tool[name] < bleu.scores()[name] for name in best_first)
assert sorted(best_first, key=of_tool.get)[::-1] != best_first
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · Which scores are means
#
# A colleague has a program that compares two systems by *one number for each sentence*. Its statistic is the difference of the two means,
# and its test exchanges sentences as unit 1 does. The program itself is right. But its result is about the score in the table only if the
# mean of the numbers is that score, for the real systems **and after every exchange**. So a sentence's number may depend on its own output
# and on the references, but not on the outputs of other sentences, because those may be exchanged.
#
# Decide for each metric. Return an array (systems × segments) of such numbers, or `None` if this metric has none. To find out, make three
# exchanges between two systems: first exchange a few hundred sentences, then some other sentences instead, then both groups together.
# Compare how much the score changes each time. If such numbers exist, the first two changes add up to the third, apart from rounding. It is
# not enough if they nearly add up. (`statistics.values` has the counts, `statistics.metric.score` turns sums into a score, and
# `statistics.metric.name` and `.metric.columns` say what they are.)


# %% nbgrader={"grade": false, "grade_id": "lab02-means-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def numbers_to_give(statistics):
    """A number for each system and segment whose means are the scores after any exchange, or None."""
    ### BEGIN SOLUTION
    if statistics.metric.name != "TER":
        return None
    edits, words = statistics.values[:, :, 0], statistics.values[:, :, 1]
    return 100 * edits / words.mean(axis=1, keepdims=True)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab02-means-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
given = {name: numbers_to_give(statistics) for name, statistics in counted.items()}
print("numbers for:", [name for name, numbers in given.items() if numbers is not None])
exchanged = np.arange(2008) % 3 == 0
for name, numbers in given.items():
    if numbers is None:
        continue
    statistics, numbers = counted[name], np.asarray(numbers)
    assert numbers.shape == (14, 2008), f"{name}: an array of 14 systems × 2,008 segments is needed"
    scores = statistics.scores()[list(statistics.systems)].to_numpy()
    assert not np.allclose(numbers.sum(axis=1), scores), (
        f"{name}: the numbers add up to the score; the program takes their mean"
    )
    assert np.ptp(numbers, axis=1).max() > 1e-9, (
        f"{name}: all sentences of a system have the same number, so exchanging an output for a worse one would change nothing"
    )
    assert not np.allclose(numbers, statistics.metric.score(statistics.values)), (
        f"{name}: these are the scores of sentences, whose mean is {numbers[0].mean():.2f} for {statistics.systems[0]}; "
        f"the table has {scores[0]:.2f}"
    )
    assert np.allclose(numbers.mean(axis=1), scores), (
        f"{name}: for {statistics.systems[0]} the mean is {numbers[0].mean():.2f}, and the score {scores[0]:.2f}"
    )
    mixed = np.where(exchanged[:, None], statistics.values[1], statistics.values[0]).sum(axis=0)
    of_program = np.where(exchanged, numbers[1], numbers[0]).mean()
    assert np.isclose(of_program, statistics.metric.score(mixed)), (
        f"{name}: the means are right for the real systems, but wrong after a third of the sentences is exchanged: does the number of a sentence contain sums over other outputs?"
    )
assert any(numbers is not None for numbers in given.values()), (
    "at least one metric has such numbers: for which of the eight do the first two changes add up exactly to the third?"
)
### BEGIN HIDDEN TESTS
smoothed = bleu.metric.score(bleu.values).mean(axis=1)
for name, in_table, mean in (("DLUT", 24.82, 24.08), ("Online-B", 24.73, 24.39)):  # exercise 5
    assert round(bleu.scores()[name], 2) == in_table
    assert round(smoothed[bleu.index(name)], 2) == mean
assert [name for name in given if given[name] is not None] == ["TER"]
for elsewhere in ("wmt12/cs-en", "wmt21/ru-en"):
    others = mt.load(elsewhere)
    ter = others.statistics("TER")
    means = numbers_to_give(ter).mean(axis=1)
    assert np.allclose(means, ter.scores()[list(ter.systems)]), f"TER of {elsewhere}"
    assert numbers_to_give(others.statistics("BLEU")) is None
    assert numbers_to_give(others.statistics("GTM")) is None, (
        "GTM: its divisor has the output's length in it"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words · A test of something else
#
# In the table DLUT has a BLEU of 24.82 and Online-B has 24.73. Authors compute the BLEU of each sentence, smoothed so that it is not zero
# if no run of four matches. They give these numbers to a program that tests means, and write: "Online-B is better than DLUT in BLEU (24.7
# against 24.8), as a test shows." The means of the sentence scores are 24.39 for Online-B and 24.08 for DLUT. Write three or four
# sentences: how can the table and the program both be right, what was tested, and what should the authors do?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab02-mean-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# The BLEU of a test set comes from summed counts; it is not the mean of the sentences' scores. In the mean, a short sentence has as much
# weight as a long one, and a sentence without a matching run of four has a score above zero only because of smoothing. So the program has
# tested another metric, the mean of smoothed sentence BLEU. Online-B is ahead in this mean, and DLUT is ahead in the BLEU of the table.
# They should test the number that they print, by exchanging sentences and computing BLEU from the sums of counts each time, or print the
# mean of sentence scores under its own name.
#
# **Rubric.** 1 point: BLEU comes from summed counts, and a mean of sentence scores is another metric (weights of long sentences, or
# smoothing, or the penalty of each sentence, is named as a difference). 1 point: a remedy that makes the tested number and the printed
# number the same.

# %% [markdown]
# ---
#
# *Back to:* [unit 4](../../1_what_chance_can_do/04_what_a_score_is_made_of.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
