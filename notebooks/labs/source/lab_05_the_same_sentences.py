# %% [markdown]
# # Lab 05 · The same sentences
#
# Write a paired bootstrap that draws whole articles, find out what three of four tools do wrong, and measure how often a common rule is wrong.
#
# *Goes with units [10](../../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb),
# [11](../../2_a_score_and_two_of_them/11_a_hundred_verdicts.ipynb) and
# [12](../../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab05-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np

import mtsig_nb as mt

bleu = mt.load("wmt13/en-es").statistics("BLEU")
score = bleu.metric.score
documents = np.asarray(bleu.documents)  # the article of each of the 3,000 sentences
counts = dict(zip(bleu.systems, bleu.values, strict=True))  # of each system, sentences × counts
sizes = np.unique(documents, return_counts=True)[1]
print(f"{len(counts)} systems, {len(documents):,} sentences, {len(sizes)} articles ", end="")
print(f"of {sizes.min()} to {sizes.max()} sentences")

# %% [markdown]
# The systems of this lab translated from English into Spanish, at WMT13. We want to make claims about *other articles*, so the unit is the
# article, as in unit 12.
#
# ## Exercise 1 · Write · The same articles for both
#
# Draw as many articles as there are, with replacement, and take all sentences of each. If an article is drawn twice, its sentences count
# twice. So a resample may have more or fewer than 3,000 sentences, which is right. Return the difference in BLEU on each resample, first
# system minus second. `documents` has a label for each sentence; the sentences of an article need not be next to each other. Use `score`,
# and draw only from `rng`.


# %% nbgrader={"grade": false, "grade_id": "lab05-articles-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resampled_differences(a, b, documents, n_resamples, rng):
    """The difference in BLEU on `n_resamples` resamples of whole articles, an array.

    `a` and `b` are sentences × counts of two systems on the same sentences.
    """
    ### BEGIN SOLUTION
    labels, code = np.unique(documents, return_inverse=True)
    differences = np.empty(n_resamples)
    for r in range(n_resamples):
        drawn = rng.integers(len(labels), size=len(labels))
        times = np.bincount(drawn, minlength=len(labels))[code]
        differences[r] = score(times @ a) - score(times @ b)
    return differences
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-articles-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

one, other = counts["MES.2803"], counts["online-G"]
observed = score(one.sum(axis=0)) - score(other.sum(axis=0))
with own_work():
    got = np.asarray(
        resampled_differences(one, other, documents, 600, np.random.default_rng(1)), dtype=float
    )
assert got.shape == (600,), f"600 resamples, 600 differences; this has the shape {got.shape}"
assert np.ptp(got) > 1e-6, (
    "all resamples are alike: drawing every article once gives the test set, and not a resample"
)
assert abs(got.mean() + observed) > 0.2, (
    "these are differences of the second system minus the first"
)
with own_work():
    copy = resampled_differences(one, one, documents, 10, np.random.default_rng(2))
assert np.allclose(copy, 0), (
    "a system differs from its own copy: both systems must get the same resample"
)
two = np.isin(documents, documents[[0, 999]])  # the sentences of two articles
with own_work():
    kinds = resampled_differences(
        one[two], other[two], documents[two], 40, np.random.default_rng(2)
    )
of_each = [
    score(one[documents == d].sum(axis=0)) - score(other[documents == d].sum(axis=0))
    for d in documents[[0, 999]]
]
assert not np.isclose(kinds, np.mean(of_each)).any(), (
    "for two articles, each drawn once, you return the average of their own differences: add up the counts of all drawn sentences, and then score"
)
package = mt.confidence_interval(
    bleu, "MES.2803", "online-G", units="documents", n_resamples=2000, rng=3
)
spread = got.std() / package.standard_error
assert not spread < 0.3, (
    f"the differences vary {spread:.2f} times as much as they should: how many articles make a resample?"
)
assert not 0.3 < spread < 0.8, (
    f"the differences vary {spread:.2f} times as much as they should, as if sentences were drawn one by one: "
    "the sentences of an article go together"
)
assert spread < 1.2, (
    f"the differences vary {spread:.2f} times as much as they should: draw as many articles as there are"
)
print(f"MES less online-G: {observed:+.2f}, standard error by articles {got.std():.2f}")
### BEGIN HIDDEN TESTS
order = np.random.default_rng(4).permutation(3000)[:600]
few = np.where(order % 3, "y", "x")  # two articles, mixed in the file
xy = [counts["rbmt-3"][order], counts["JHU.2791"][order]]
mixed = resampled_differences(*xy, few, 60, np.random.default_rng(5))
assert len(np.unique(np.round(mixed, 9))) == 3, (
    "two articles, mixed in the file, can be drawn in three ways: the first twice, the second twice, or both"
)
again = resampled_differences(*xy, few, 60, np.random.default_rng(5))
assert np.array_equal(mixed, again), "the same seed, the same differences: draw from `rng` only"
third = resampled_differences(*xy, few, 60, np.random.default_rng(6))
assert not np.array_equal(mixed, third), "another seed, other resamples: draw from `rng`"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Write · Either might have won
#
# Nobody has said beforehand which system should be ahead. The one-sided p-value of the first system is the share of resamples that it does
# *not win*. By the counting rule of unit 6, add one to the count and one to the number of resamples. The p-value of the second system is
# the same with the systems exchanged. Neither system wins a tie. The two-sided p-value is twice the smaller one, and never more than 1.


# %% nbgrader={"grade": false, "grade_id": "lab05-sides-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def two_sided_pvalue(differences):
    """Two-sided p-value of the paired bootstrap, a number."""
    ### BEGIN SOLUTION
    not_won = min(np.sum(np.asarray(differences) <= 0), np.sum(np.asarray(differences) >= 0))
    return min(1, 2 * (not_won + 1) / (len(differences) + 1))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab05-sides-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

by_hand = np.array([-3, -1, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9.0])  # 19 resamples
with own_work():
    p, p_turned = two_sided_pvalue(by_hand), two_sided_pvalue(-by_hand)
assert not np.isclose(p, 5 / 20), "one direction only: here either system might have won"
assert not np.isclose(p, 6 / 20), "two resamples are ties: does anybody win them?"
assert not np.isclose(p, 8 / 19) and not np.isclose(p, 10 / 19), (
    "the test set itself is one more: add one to the count *and* to the number of resamples"
)
assert not np.isclose(p, 16 / 20) and not np.isclose(p, 1), (
    "the first system wins 15 of 19, so this p is far too large: which of the two counts is smaller?"
)
assert np.isclose(p, 10 / 20), f"19 resamples, four of them not won by the first system: {p:.3f}?"
assert np.isclose(p_turned, p), "with the systems exchanged p has to be the same"
with own_work():
    tied = two_sided_pvalue(np.zeros(99))
assert tied == 1, f"a system and its copy: p = {tied:.2f}, but a probability is at most 1"
### BEGIN HIDDEN TESTS
assert np.isclose(two_sided_pvalue(np.ones(999)), 0.002), "all 999 won: 2 · 1/1000; p is never 0"
assert np.isclose(two_sided_pvalue([-1, 2, 3, 4]), 0.8), "a list of four, one of them lost: 2 · 2/5"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · Four tools
#
# Four tools, P, Q, R and S, were asked the same: *two-sided p-values for other articles, paired bootstrap, 10,000 resamples*. Here are
# their answers for six pairs. One of the tools does what it was asked to do. Each of the others has one fault, and no two have the same
# one:
#
# - `"not paired"`: the second system gets different resamples from the first;
# - `"sentences"`: sentences are drawn one by one;
# - `"one side"`: the p-value is one-sided, for the system that is ahead.
#
# Which is which? And on which of the six pairs does the tool's verdict at .05 (found, or not) differ from the right one? Put all four tools
# into `faults`. The value of each is a pair: a text (one of the three above, or `"none"`), and the set of the numbers of these pairs, such
# as `{2, 6}`; an empty set is `set()`. With 2,000 resamples, your p-values may be off by a hundredth or two. (If exercise 1 or 2 is still
# open, the package has `mt.paired_bootstrap(bleu, first, second, units="documents", rng=7).pvalue`.)

# %% nbgrader={"grade": false, "grade_id": "lab05-tools", "locked": true, "schema_version": 3, "solution": false, "task": false}
pairs = {
    1: ("uedin-wmt13.2835", "TALP-UPC.2640"),
    2: ("DCU_prompsit.2846", "dcu-prompsit-pbsmt.2691"),
    3: ("MES.2803", "LIMSI-Ncode.2593"),
    4: ("LIMSI-Ncode.2593", "online-G"),
    5: ("TALP-UPC.2640", "online-G"),
    6: ("PROMT.2751", "LIMSI-Ncode.2593"),
}
said = {
    "P": [0.0002, 0.0002, 0.0145, 0.0035, 0.0002, 0.397],
    "Q": [0.0001, 0.0001, 0.085, 0.040, 0.0045, 0.210],
    "R": [0.147, 0.689, 0.678, 0.615, 0.418, 0.892],
    "S": [0.0002, 0.0002, 0.169, 0.081, 0.0090, 0.421],
}
for number, pair in pairs.items():
    print(
        f"{number}  {' and '.join(pair):45}", *(f"{t} {p[number - 1]:.4f}" for t, p in said.items())
    )

# %% nbgrader={"grade": false, "grade_id": "lab05-tools-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# faults = {tool: (what is wrong, numbers of the pairs with a wrong verdict), ...}
### BEGIN SOLUTION
rng = np.random.default_rng(7)
for number, (a, b) in pairs.items():
    differences = resampled_differences(counts[a], counts[b], documents, 2000, rng)
    print(number, round(two_sided_pvalue(differences), 4))
faults = {"P": ("sentences", {3, 4}), "Q": ("one side", {4})}
faults |= {"R": ("not paired", {1, 2, 5}), "S": ("none", set())}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab05-tools-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
KINDS = {"none", "not paired", "sentences", "one side"}
assert set(faults) == set("PQRS"), "an entry for each of the four tools"
assert {kind for kind, _ in faults.values()} == KINDS, (
    'each of the three faults and "none" occurs once'
)
kinds = {tool: kind for tool, (kind, _) in faults.items()}
by_kind = {kind: said[tool] for tool, kind in kinds.items()}
wrong = {kind: set(numbers) for kind, numbers in faults.values()}
assert all(numbers <= set(pairs) for numbers in wrong.values()), "sets of numbers from 1 to 6"
assert kinds["P"] != "none", (
    "for two of the pairs, the p-values of the tool that you trust are less than a tenth of yours"
)
assert min(by_kind["none"]) < 0.05, (
    "the tool that you trust finds nothing on any pair: what do the six intervals of differences say?"
)
halves = np.array(by_kind["one side"]) / by_kind["none"]
assert all(1.7 < max(half, 1 / half) < 2.3 for half in halves[[2, 3, 5]]), (
    "one side and two sides differ by a factor of two on every pair: compare this tool with the one that you trust on pairs 3, 4 and 6"
)
assert not wrong["none"], (
    "how can a tool without a fault give a wrong verdict? Compute this pair again, with more resamples"
)
assert wrong["sentences"] != wrong["one side"], (
    "half a p-value is less wrong than a p-value from sentences: on one pair only one of the two tools is wrong"
)
print("Your answers are consistent. Whether they are right is tested later.")
### BEGIN HIDDEN TESTS
assert kinds["R"] == "not paired", (
    "without pairing, two variances add up: such p-values are larger than yours, but these are not"
)
assert kinds["S"] == "none" and kinds["Q"] == "one side", (
    "the tool that you trust has about half of your p-value on pairs 3, 4 and 6: what makes a factor of two?"
)
assert not wrong["not paired"] & {3, 4, 6}, (
    "on one of these pairs this tool finds nothing, and the right test finds nothing, either: this verdict is right"
)
assert wrong["not paired"] == {1, 2, 5}, (
    "the tool without pairing misses differences: on which pairs is your p at most .05, but its p is not?"
)
assert wrong["sentences"] == {3, 4}, (
    "the tool that draws sentences claims too much: on which pairs is its p at most .05, but yours is not?"
)
assert wrong["one side"] == {4}, "on which pairs does halving p change the verdict?"
for number, (x, y) in pairs.items():  # what the tools said was computed like this
    pair = bleu.select([x, y])
    by_article = mt.paired_bootstrap(pair, x, y, units="documents", n_resamples=2000, rng=8)
    by_sentence = mt.paired_bootstrap(pair, x, y, units="segments", n_resamples=2000, rng=8)
    apart = [
        mt.confidence_interval(bleu, s, units="documents", n_resamples=2000, rng=seed).distribution
        for seed, s in ((8, x), (9, y))
    ]
    expected = {"none": by_article.pvalue, "one side": by_article.pvalue / 2}
    expected |= {"sentences": by_sentence.pvalue}
    expected |= {"not paired": min(1, 2 * np.mean(apart[0] <= apart[1]))}
    assert (by_article.pvalue <= 0.05) == (number in (1, 2, 5))
    for tool, kind in kinds.items():
        assert abs(said[tool][number - 1] - expected[kind]) < 0.05, f"tool {tool}, pair {number}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · A rule for those who look first
#
# A team looks at the scores, runs the bootstrap, and claims that *whichever* system wins at least a certain number of 1,000 resamples is
# better. How many wins should it ask for, and should it draw sentences or articles, so that it makes a claim about no more than 5 of a
# hundred pairs of equal systems?
#
# The next cell makes a world to try it out: 400 pairs of made-up systems, from the outputs of two real ones. For each pair and each
# article, a coin decides which made-up system gets which real system's outputs. So neither system of a pair is better, and the sentences of
# an article keep what they share. For each of the 400 pairs, `won["segments"]` and `won["documents"]` say how many of 1,000 resamples the
# first system wins, if sentences or if articles are drawn.
#
# > **Make a guess.** Draw sentences, and claim that a system is better if it wins 950 of 1,000 or more. About how many of a hundred such
# > pairs get a claim: 5, 10, or 50?

# %% nbgrader={"grade": false, "grade_id": "lab05-world", "locked": true, "schema_version": 3, "solution": false, "task": false}
a, b = counts["DCU_prompsit.2846"], counts["MES.2803"]
coin_of, rng = np.unique(documents, return_inverse=True)[1], np.random.default_rng(5)
heads = [rng.integers(2, size=len(sizes))[coin_of][:, None] for _ in range(400)]
dealt = [a + h * (b - a) for h in heads] + [b + h * (a - b) for h in heads]
labels = [f"{side} {k}" for side in ("heads", "tails") for k in range(1, 401)]
even = mt.SufficientStatistics(bleu.metric, labels, dealt, documents=documents)
options = {"alternative": "greater", "counting": "plain", "n_resamples": 1000, "rng": 5}
won = {}
for units in ("segments", "documents"):
    p = mt.simulate.null_pvalues(even, "paired-bootstrap", units=units, **options)
    won[units] = np.rint(1000 * (1 - p)).astype(int)
    print(f"{units}: the first system wins {won[units][:8]} … of 1,000 resamples")

# %% [markdown]
# Put your decision into `rule`:
#
# - `"usual"`: about how many of the 400 pairs the rule of the guess makes a claim;
# - `"units"` and `"ask for"`: there are eight rules, which ask for 900, 950, 975 or 990 of 1,000, with sentences or articles as units. Some
#   of them make a claim about at most 20 of the 400 pairs. Of these, take the one that asks for the *fewest* wins;
# - `"claims"`: how many claims this rule makes.


# %% nbgrader={"grade": false, "grade_id": "lab05-rule-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# rule = {"usual": ..., "units": ..., "ask for": ..., "claims": ...}
### BEGIN SOLUTION
ends = {units: np.minimum(w, 1000 - w) for units, w in won.items()}
print({(u, n): np.sum(ends[u] <= 1000 - n) for u in ends for n in (900, 950, 975, 990)})
rule = {"usual": int(np.sum(ends["segments"] <= 50)), "units": "documents", "ask for": 990}
rule["claims"] = int(np.sum(ends["documents"] <= 10))
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab05-rule-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert set(rule) == {"usual", "units", "ask for", "claims"}, "four entries, as named"
assert rule["units"] in won and rule["ask for"] in (900, 950, 975, 990), "one of the eight rules"
first = {(u, n): int(np.sum(w >= n)) for u, w in won.items() for n in (900, 950, 975, 990)}
assert rule["usual"] != first["segments", 950], (
    "these are the pairs whose *first* system wins 950; a team that looks first would claim the second one just as readily"
)
assert rule["usual"] > 100, (
    "far too few for the rule of the guess: did you use the resamples of sentences?"
)
assert rule["ask for"] > 950, (
    "only somebody who has named the winner beforehand may ask for so few; here both ends count"
)
assert rule["claims"] != first[rule["units"], rule["ask for"]], (
    "how many claims does the rule make, whoever is the winner?"
)
assert rule["claims"] <= 20, "your own rule makes more than 20 claims, by your own count"
print(
    "The form is right, and the usual traps are avoided. Whether the rule is right is tested later."
)
### BEGIN HIDDEN TESTS
w = won["segments"]
assert rule["usual"] == np.sum((w >= 950) | (w <= 50)), "950 or more, and 50 or fewer"
assert rule["units"] == "documents", (
    "this rule makes more than 20 claims: what do sentences of one article share?"
)
assert rule["ask for"] == 990, (
    "this rule makes more than 20 claims: 975 wins would be right for many units, but 52 articles are few for a bootstrap"
)
drawn_whole = won["documents"]
assert rule["claims"] == np.sum((drawn_whole >= 990) | (drawn_whole <= 10)), (
    "how often does either system win this many? Both ends belong to the rule"
)
by_article = np.sum((drawn_whole >= 950) | (drawn_whole <= 50))
at_975 = np.sum((drawn_whole >= 975) | (drawn_whole <= 25))
assert 27 <= at_975 <= 33 and 180 <= rule["usual"] <= 220 and 40 < by_article < 80
assert np.sum((w >= 990) | (w <= 10)) > 20 and rule["claims"] <= 20
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About 50. The rule is wrong in more than one way. Looking first doubles the 5. And if sentences are
# drawn instead of articles, the differences on the resamples vary far too little. Now draw articles and ask for 975 wins, which allows for
# both sides. Even then, about two or three more pairs in a hundred get a claim than promised, probably because 52 articles are few.
#
# ## Exercise 5 · In words
#
# A paper reads: "The 95 % intervals of the two systems overlap, but our system wins 97.3 % of the resamples of sentences. So it is better
# on tomorrow's news with a probability of 97 %." You review this paper. Write four or five sentences: what does the overlap of the
# intervals show, what is wrong with the 97 %, and what should the authors compute instead?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab05-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# The overlap of two systems' own intervals says little about their difference. Both scores go up and down with the same sentences. Only the
# interval of the difference, from the same resamples for both, shows how far the difference moves. The share of resamples won is not the
# probability of being better. One minus this share is a one-sided p-value: it says how often equal systems would do as much. If the systems
# are equal, a share of 97 % is as common as one of 52 %. The winner was named after looking, so the p-value is about .054, and not below
# .05. Tomorrow's news consists of other articles, so I would ask for the interval of the difference and a two-sided test, paired, with
# articles as units.
#
# **Rubric.** 1 point: overlap of single intervals is no argument, because the scores move together (or: the interval of the difference
# is needed). 1 point: the share won is not the probability of being better; it is one minus a one-sided p-value. 1 point: asks for two sides
# *and* for articles (documents) as units; no point for one of them alone.

# %% [markdown]
# ---
#
# *Back to* units [10](../../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb),
# [11](../../2_a_score_and_two_of_them/11_a_hundred_verdicts.ipynb) and
# [12](../../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
