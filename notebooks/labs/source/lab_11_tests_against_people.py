# %% [markdown]
# # Lab 11 · Do tests agree with people?
#
# Find out what is wrong with a table of agreement, and toss coins for systems instead of pairs.
#
# *Goes with [units 26](../../5_people/26_do_the_tests_agree_with_people.ipynb) and
# [27](../../5_people/27_what_accuracy_rewards.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab11-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
import pandas as pd

import mtsig_nb as mt

campaign = mt.load("wmt12/de-en")
systems = campaign.human.scores().index
options = {"n_resamples": 2000, "interval": None, "rng": 12}  # 2,000 shuffles


def judged(units):
    """People's conclusions at .05 by a sign test, with a coin for each of these units."""
    test = campaign.human.sign_test(units=units)
    return test.conclusions(0.05).reorder(systems)


def concluded(metric, correction=None):
    """A metric's conclusions at .05 by approximate randomization, two-sided."""
    tests = mt.compare_all(campaign.statistics(metric), correction=correction, **options)
    return tests.conclusions(0.05).reorder(systems)


people = judged("raters").matrix
people[:5, 9:14]

# %% [markdown]
# ## Exercise 1 · Write · Four kinds
#
# Sixteen systems of WMT12 translated German to English. `.matrix` has a row and a column for each of them, beginning with the best by
# people. An entry is 1 if the row's system is better than the column's, −1 if it is worse, and 0 if no difference was found. So each pair
# occurs twice. Return a list of four whole numbers: how many *pairs* are correct, missed, unfounded and opposite, in this order.


# %% nbgrader={"grade": false, "grade_id": "lab11-kinds-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def kinds(says, people):
    """Numbers of correct, missed, unfounded and opposite conclusions; both are matrices of the same systems."""
    ### BEGIN SOLUTION
    pairs = np.triu_indices(len(people), 1)
    a, b = np.asarray(says)[pairs], np.asarray(people)[pairs]
    kind = np.select([a == b, a == 0, b == 0], [0, 1, 2], 3)
    return np.bincount(kind, minlength=4).tolist()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab11-kinds-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work


def four(says, people):
    with own_work():
        return list(kinds(np.array(says), np.array(people)))


people_of_four = [[0, 1, 0, 1], [-1, 0, 0, 1], [0, 0, 0, 1], [-1, -1, -1, 0]]
says_of_four = [[0, -1, 1, 1], [1, 0, 1, 1], [-1, -1, 0, 0], [-1, -1, 0, 0]]
got = four(says_of_four, people_of_four)
assert sum(got) != 12, (
    "twelve conclusions about four systems, which make six pairs: each pair is counted twice"
)
assert sum(got) != 16, (
    "you count sixteen: a system and itself are not a pair, and each pair is counted twice"
)
assert sum(got) != 10, "a system and itself are not a pair; do not count the diagonal"
assert got != [2, 2, 1, 1], (
    "a difference that only the test finds is unfounded; one that only people find is missed"
)
assert got != [3, 0, 2, 1], (
    "the last two systems: people find a difference and the test does not, so this is not *correct*"
)
assert got != [2, 1, 3, 0], (
    "if both find a difference, but not the same one, the conclusion is opposite"
)
assert got == [2, 1, 2, 1], (
    f"four made-up systems: 2 correct, 1 missed, 2 unfounded, 1 opposite; you return {got}"
)
silent = four(np.zeros((16, 16), int), people)
assert silent[0] > 0, (
    "if neither finds a difference, they draw the same conclusion, so it is correct"
)
print("BLEU:", four(concluded("BLEU").matrix, people), "silence:", silent)
### BEGIN HIDDEN TESTS
assert silent == [49, 71, 0, 0] and campaign.human.scores().is_monotonic_decreasing
for metric in ("BLEU", "METEOR", "chrF"):
    theirs = mt.agreement(concluded(metric), judged("raters"), n_resamples=1, rng=1).kinds
    assert four(concluded(metric).matrix, people) == theirs.tolist(), (
        f"{metric}: {theirs.to_dict()}"
    )
assert four([[0, 1], [-1, 0]], [[0, -1], [1, 0]]) == [0, 0, 0, 1], "one pair, opposite"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Find · A table that is not what its text says
#
# A paper prints the table below. Its text says: two-sided tests at .05, no correction, and people's conclusions from a sign test with
# judges as units. Some of the rows were computed in another way.


# %% nbgrader={"grade": false, "grade_id": "lab11-printed", "locked": true, "schema_version": 3, "solution": false, "task": false}
in_the_paper = {
    "BLEU": [59, 2, 46, 13],
    "NIST": [60, 0, 48, 12],
    "METEOR": [71, 1, 45, 3],
    "TER": [12, 2, 47, 59],
    "GTM": [61, 45, 2, 12],
    "chrF": [49, 71, 0, 0],
}
pd.DataFrame(in_the_paper, index=["correct", "missed", "unfounded", "opposite"]).T

# %% [markdown]
# Find these rows, and how each of them was computed. Under the metric's name, put two matrices into `explained`, the test's and the
# people's, from which `kinds` gives the row *as printed*. You have everything you need: `concluded(metric, correction)` (with `"holm"`,
# say), `judged(units)` (`"raters"`, or `None` for a coin for each preference), a minus sign, and the order of two arguments.

# %% nbgrader={"grade": false, "grade_id": "lab11-table-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
explained = {}
### BEGIN SOLUTION
explained["TER"] = -concluded("TER").matrix, people
explained["GTM"] = people, concluded("GTM").matrix
explained["chrF"] = concluded("chrF", "holm").matrix, people
explained["NIST"] = concluded("NIST").matrix, judged(None).matrix
### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab11-table-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
def row_of(*matrices):
    both = (mt.Conclusions(tuple(systems), np.array(part, dtype=int)) for part in matrices)
    return mt.agreement(*both, n_resamples=1, rng=1).kinds.tolist()


assert explained, "not answered yet: there is nothing in `explained`"
assert set(explained) <= set(in_the_paper), "the names in `explained` are those of the table"
printed = [in_the_paper[name] for name in explained]
assert any(row[3] > 40 for row in printed), (
    "a metric contradicts people on half of all pairs, and you do not explain it: are higher scores better?"
)
assert any(row[1] > row[2] > 0 for row in printed), (
    "a metric misses 45 pairs, but is hardly ever unfounded: which argument comes first?"
)
assert any(row[2] == row[3] == 0 for row in printed), (
    "a metric never contradicts people and finds nothing at all: is that plausible with 3,003 sentences?"
)
for name in explained:
    assert [np.shape(part) for part in explained[name]] == [(16, 16)] * 2, (
        f"{name}: two matrices of 16 rows, the test's and the people's (`.matrix`)"
    )
    yours, as_said = row_of(*explained[name]), row_of(concluded(name).matrix, people)
    assert as_said != in_the_paper[name], (
        f"{name}: this row agrees with the text, so there is nothing to explain"
    )
    assert yours != as_said, (
        f"{name}: this is the row as it should be; how was the printed one computed?"
    )
    assert yours == in_the_paper[name], (
        f"{name}: the paper prints {in_the_paper[name]}, but your matrices give {yours}"
    )
### BEGIN HIDDEN TESTS
assert "NIST" in explained, (
    "one more row is wrong, although it looks harmless: compute it, and compare all four numbers"
)
expected = {
    "TER": (-concluded("TER").matrix, people),
    "GTM": (people, concluded("GTM").matrix),
    "chrF": (concluded("chrF", "holm").matrix, people),
    "NIST": (concluded("NIST").matrix, judged(None).matrix),
}
assert set(explained) == set(expected)
for name in ("BLEU", "METEOR"):
    counted = mt.agreement(concluded(name), judged("raters"), n_resamples=1, rng=1).kinds
    assert counted.tolist() == in_the_paper[name]
for name, matrices in expected.items():
    assert all(map(np.array_equal, explained[name], matrices)), (
        f"{name}: your matrices give the row, but it was computed in another way"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Write · A coin for each system
#
# Leave conclusions aside, and ask only whether a metric puts two systems in the same order as people do. BLEU does so for 90 of the 120
# pairs, METEOR for 106. On 18 pairs only one of the two is right, 17 times METEOR. McNemar's test gives p = .00014.
#
# > **Make a guess.** Suppose that a coin for each of the sixteen *systems* decides whether the two metrics exchange their scores for this
# > system. Is p about .0001, .001, .03 or .3?


# %% nbgrader={"grade": false, "grade_id": "lab11-scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
peoples_scores = campaign.human.scores().to_numpy()
bleu, meteor = (campaign.statistics(m).scores()[systems].to_numpy() for m in ("BLEU", "METEOR"))
np.round([peoples_scores, bleu, meteor], 2)[:, :5]

# %% [markdown]
# `one`, `other` and `people` are arrays with a score for each system; higher is better. First scale each metric to mean 0 and standard
# deviation 1 over the systems, then exchange. The statistic is the number of pairs that `one` puts in people's order minus the number for
# `other`. Return the two-sided p-value of `n` exchanges, by the counting rule of unit 6.


# %% nbgrader={"grade": false, "grade_id": "lab11-exchange-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def systems_exchanged(one, other, people, n, rng):
    """Two-sided p-value for two metrics; a coin for each system, drawn with `rng`."""
    ### BEGIN SOLUTION
    first, second = np.triu_indices(len(people), 1)
    both = np.array([(one - one.mean()) / one.std(), (other - other.mean()) / other.std()])
    heads = rng.integers(2, size=(n, 1, len(people))) == 1
    every = np.concatenate([both[None], np.where(heads, both[::-1], both)])
    right = (every[..., first] > every[..., second]) == (people[first] > people[second])
    lead = abs(right.sum(axis=-1) @ [1, -1])
    return np.sum(lead >= lead[0]) / (1 + n)  # the first is the observed arrangement
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab11-exchange-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work


def p_of(one, other, people, n=6000, seed=3):
    with own_work():
        return systems_exchanged(
            np.array(one, float),
            np.array(other, float),
            np.array(people, float),
            n,
            np.random.default_rng(seed),
        )


five = p_of([7, 3, 5, 1, 11], [0.37, 0.38, 0.77, 0.72, 0.71], [5, 4, 3, 2, 1])
assert abs(five - 0.875) > 0.025, (
    "one metric has a 7 where the other has .38: bring both to the same scale before you exchange"
)
assert abs(five - 0.75) > 0.025, (
    "the means are equal but the standard deviations are not: the metric with larger numbers decides the order"
)
assert abs(five - 0.3125) > 0.025, "you count one end, but nobody had named the better metric"
assert abs(five - 0.375) > 0.025, "exchanges with exactly the observed lead count, too"
assert abs(five - 0.6875) > 0.025, (
    "you toss a coin for each pair: this is McNemar's test again, by simulation"
)
assert five < 0.99, "you exchange all systems together, or none: toss a coin for each"
assert abs(five - 0.625) < 0.025, f"five made-up systems: p is 20 of 32, but you get {five:.3f}"
far = p_of(np.arange(30), -np.arange(30), np.arange(30), 199)
assert far != 0, "p = 0: the observed arrangement is one of those that chance can make"
assert far == 1 / 200, (
    f"none of 199 exchanges reaches it: p should be 1 of 200, but yours is {far:.4f}"
)
p = p_of(bleu, meteor, peoples_scores)
print(f"BLEU against METEOR, p with a coin for each system: {p:.3f}")
### BEGIN HIDDEN TESTS
ordered = [
    np.sign(np.subtract.outer(s, s))[np.triu_indices(16, 1)] for s in (peoples_scores, bleu, meteor)
]
in_order = [ordered[0] == other for other in ordered[1:]]
assert [int(one.sum()) for one in in_order] == [90, 106]
assert (
    int((in_order[1] & ~in_order[0]).sum()) == 17 and int((in_order[0] & ~in_order[1]).sum()) == 1
)
assert round(2 * (1 + 18) / 2**18, 5) == 0.00014
for a, b in (("BLEU", "METEOR"), ("BLEU", "NIST"), ("chrF", "GTM")):
    two = [campaign.statistics(metric) for metric in (a, b)]
    theirs = mt.exchange_metrics(*two, campaign.human.scores(), n_resamples=2000, rng=1)
    yours = p_of(*(s.scores()[systems] for s in two), peoples_scores, 3000, 8)
    assert abs(yours - theirs.table["pvalue"].item()) < 0.05, (
        f"{a} against {b}: {yours:.3f} is far off"
    )
assert 0.02 < p < 0.045
assert p_of([3, 2, 1], [30, 20, 10], [1, 2, 3], 50) == 1, (
    "two metrics with the same order: p should be 1"
)
seeds = {p_of(bleu, meteor, peoples_scores, 2000, seed) for seed in range(4)}
assert len(seeds) > 1, "toss with `rng`"
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About .03. It is still below .05, but it is about two hundred times as large as McNemar's p.
#
# ## Exercise 4 · Decide · What to print
#
# The paper's abstract should say something about METEOR and BLEU that holds for campaigns like this one *with other participants*. Two
# sentences are proposed: METEOR *draws people's conclusions* more often than BLEU (as in the table of exercise 2), and METEOR *puts systems
# in people's order* more often (exercise 3). Each is tested at .05, two-sided, *with systems as units*. The abstract also says how much
# more often METEOR draws people's conclusions, with a 95 % interval.
#
# Fill in `decision`. `"claims"` is a list with none, one or both of the words `"conclusions"` and `"order"`. `"difference"`, `"low"` and
# `"high"` are METEOR's share of correct conclusions minus BLEU's, and its 95 % interval. `"shuffles"` is the smallest number of shuffles
# with which Holm's correction could distinguish any of the 120 pairs at all, if no shuffle reaches the pair's difference. (`concluded`
# draws 2,000. You may call `mt.agreement` and the function with which unit 27 compares metrics.)


# %% nbgrader={"grade": false, "grade_id": "lab11-decide-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
decision = {}
### BEGIN SOLUTION
results = {m: mt.agreement(concluded(m), judged("raters"), rng=1) for m in ("METEOR", "BLEU")}
row = mt.compare_metrics(results).table.iloc[0].rename({"ci_low": "low", "ci_high": "high"})
decision = {"claims": ["order"], "shuffles": round(120 / 0.05) - 1}
decision |= row[["difference", "low", "high"]].to_dict()
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab11-decide-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert decision, "not answered yet: there is nothing in `decision`"
assert set(decision) == {"claims", "difference", "low", "high", "shuffles"}, (
    "five entries, named as in the text"
)
low, difference, high = decision["low"], decision["difference"], decision["high"]
assert difference > 0, "you have BLEU's share minus METEOR's: it should be the other way round"
assert difference < 1, "return a share from 0 to 1: not a number of pairs, and not per cent"
assert abs(difference - 0.075) > 0.001, (
    "you use a coin for each preference; the table of exercise 2 uses judges as units"
)
assert low < difference < high, "the difference lies between its limits"
assert high - low > 0.17, (
    "this interval is as narrow as from 120 independent coins: which units might have been different?"
)
assert high - low < 0.24, (
    "this interval is wider than necessary: both metrics are judged on the same pairs"
)
assert ("conclusions" in decision["claims"]) == (low > 0), (
    "your claim about people's conclusions does not fit your interval: does it contain zero?"
)
shuffles = decision["shuffles"]
assert shuffles != 19, (
    "this is enough for one pair at .05; how small must p be for the first of 120?"
)
assert shuffles > 2000, (
    "`concluded` draws 2,000, and exercise 2 shows what this does to chrF: how small can p be with R shuffles?"
)
### BEGIN HIDDEN TESTS
assert shuffles != 2400, "the observed arrangement is counted, too: (c + 1) / (R + 1)"
assert shuffles == 2399, "p = 1 / (R + 1) has to reach .05 / 120"
both = {m: mt.agreement(concluded(m), judged("raters"), rng=1) for m in ("METEOR", "BLEU")}
theirs = mt.compare_metrics(both).table.iloc[0]
assert np.isclose(difference, 12 / 120) and [both[m].correct for m in both] == [71, 59]
assert np.allclose([low, high], theirs[["ci_low", "ci_high"]].astype(float), atol=0.03)
assert list(decision["claims"]) == ["order"], (
    "with a coin for each system, p is about .03 for the order: only this may be claimed"
)
only = [both[m].table["correct"] & ~both[n].table["correct"] for m, n in (both, list(both)[::-1])]
assert [int(each.sum()) for each in only] == [15, 3] and round(
    mt.mcnemar_between(both)["pvalue"].item(), 3
) == 0.008
shared = both["METEOR"].table[only[0]][["system_a", "system_b"]].stack().value_counts()
assert (shared["onlineA"], shared["onlineF"]) == (4, 3) and both[
    "METEOR"
].kinds.idxmax() == "correct"
assert (
    both["METEOR"].kinds["unfounded"] == 45
    and round(71 / 120, 2) == 0.59
    and round(49 / 120, 2) == 0.41
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# McNemar's test on the table's conclusions gives p = .008: METEOR alone is correct on 15 pairs, BLEU alone on 3. The system `onlineA` has
# four of the 15 and `onlineF` three. A reviewer writes: "With 120 pairs this is solid, and 59 % is a good agreement." Write three or four
# sentences: what does the test treat as independent coins, what follows for p if pairs share systems, and which numbers have to be printed
# beside the 59 %?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab11-reviewer-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# McNemar's test treats the 18 pairs as 18 independent coins. But a metric that misjudges `onlineA` is wrong about several pairs with this
# system. So one mistake may be counted up to four times, and p is too small. With systems as units the interval of the difference contains
# zero. Beside the 59 % one has to print the share of silence with the same people, 41 %, and the numbers of the other three kinds. Most of
# METEOR's wrong conclusions are unfounded, and on these pairs people may only have given too few judgements.
#
# **Rubric.** 1 point: pairs that share a system are not independent (one misjudged system, several pairs), so p is too small. 1 point: the
# share is compared with that of silence under the same gold standard, or the kinds are reported separately.

# %% [markdown]
# ---
#
# *Back to* [unit 26, Do the tests agree with people?](../../5_people/26_do_the_tests_agree_with_people.ipynb) and [unit 27, What accuracy
# rewards](../../5_people/27_what_accuracy_rewards.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
