# %% [markdown]
# # Lab 01 · A reader and a coin
#
# Count what a coin can do, draw a line before the answers come in, and find out what three faulty tools count.
#
# *Goes with [unit 1](../../1_what_chance_can_do/01_is_a_better_than_b.ipynb),
# [unit 2](../../1_what_chance_can_do/02_what_chance_can_do.ipynb) and
# [unit 3](../../1_what_chance_can_do/03_where_to_draw_the_line.ipynb). About 85 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data. The tests also notice if you call a package for what you are asked to write.
#
# At WMT12 readers compared translations from French, five at a time. For any two of the five systems, we know which one the reader
# preferred, or that the reader could not decide. The next cell loads these preferences. Each row is a pair of systems: how often the first
# was preferred (`wins`), how often the second (`losses`), and how often neither (`undecided`).

# %% nbgrader={"grade": false, "grade_id": "lab01-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools
import math

import numpy as np
import pandas as pd

import mtsig_nb as mt

judges = mt.load("wmt12/fr-en").human
asked = judges.wins, judges.wins, judges.ties
pairs = pd.DataFrame(
    {
        (a, b): [
            int(table.loc[one]) for table, one in zip(asked, [(a, b), (b, a), (a, b)], strict=True)
        ]
        for a, b in itertools.combinations(judges.systems, 2)
    },
    index=["wins", "losses", "undecided"],
    dtype=object,  # Python's own whole numbers, which may be as long as they like
).T
print(len(pairs), "pairs of", len(judges.systems), "systems")
pairs.head()

# %% [markdown]
# > **Make a guess.** Test each pair by itself, at a level of .05, and count both ends. For how many of the 105 pairs do the readers'
# > preferences show a difference: about 5, about 50, or about 100? And how many more pairs would a tool claim that counts one end only:
# > about 5, about 25, or about 50?
#
# ## Exercise 1 · Write · The p-value of a coin
#
# The null hypothesis is that of unit 2: for each preference a fair coin is tossed. The statistic is the number of preferences for the first
# system. The farther it is from one half of all preferences, in either direction, the more it surprises us. Undecided readers have tossed
# nothing, so the function is given only `wins` and `losses`.
#
# Return the exact p-value, a number from 0 to 1. Do not simulate: `math.comb(n, k)` is the number of ways in which `n` tosses can show
# exactly `k` heads. The function must also work for more than a thousand preferences. (In Python, whole numbers can have any number of
# digits. Numbers with a decimal point cannot.)


# %% nbgrader={"grade": false, "grade_id": "lab01-coin-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def coin_pvalue(wins, losses):
    """Exact two-sided p-value of a fair coin for these two numbers of preferences."""
    ### BEGIN SOLUTION
    n = wins + losses
    distance = abs(wins - losses)
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(k - (n - k)) >= distance)
    return ways / 2**n
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-coin-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    nine, other_way = coin_pvalue(9, 1), coin_pvalue(1, 9)
    even, six = coin_pvalue(5, 5), coin_pvalue(6, 0)
    again = {coin_pvalue(9, 1) for _ in range(6)}
print(f"nine of ten {nine:.4f}, five of ten {even:.4f}, six of six {six:.4f}")
assert again == {nine}, (
    "the same preferences give two different p-values: count the ways, and toss nothing"
)
assert not math.isclose(nine, 11 / 1024), (
    "you count one end: nine preferences for the other system would have surprised us as much"
)
assert not math.isclose(nine, 2 / 1024), (
    "you count only results farther from the middle than nine of ten; count those that are just as far, too"
)
assert not math.isclose(nine, 10 / 1024) and not math.isclose(nine, 20 / 1024), (
    "you count only results with exactly this number; count those that are more lopsided, too"
)
assert not math.isclose(nine, other_way) or even <= 1, (
    "five of ten: p is larger than 1, because the middle belongs to both ends and you count it twice"
)
assert math.isclose(nine, other_way), (
    f"nine of ten gives {nine:.3f} and one of ten {other_way:.3f}: which system comes first must not matter"
)
assert math.isclose(nine, 22 / 1024) and math.isclose(even, 1), (
    "unit 2 counts the ways for nine of ten by hand: do you get its 22 of 1,024, and 1 for five of ten?"
)
assert math.isclose(six, 2 / 64), (
    "six of six: in how many ways can six coins fall? In fewer than ten coins"
)
with own_work():
    try:
        many = coin_pvalue(840, 760)
    except OverflowError:
        many = 0
assert many > 0, (
    "1,600 preferences: this power of one half is so small that the computer takes it for 0. Divide one whole number by another"
)
### BEGIN HIDDEN TESTS
from scipy import stats

found = {pair: coin_pvalue(*row[:2]) for pair, row in zip(pairs.index, pairs.values, strict=True)}
strict = mt.load("wmt13/cs-en").human.wins
a, b = strict.index[:2]
far = coin_pvalue(int(strict.loc[a, b]), int(strict.loc[b, a]))
for pair, (wins, losses, _) in zip(pairs.index, pairs.values, strict=True):
    assert math.isclose(found[pair], stats.binomtest(wins, wins + losses).pvalue), (
        f"{pair}: {wins} to {losses}"
    )
expected = stats.binomtest(int(strict.loc[a, b]), int(strict.loc[a, b] + strict.loc[b, a])).pvalue
assert math.isclose(far, expected, rel_tol=1e-6), "a pair of WMT13, with many more preferences"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Write · A rule and what it finds
#
# Before the `n` preferences come in, we draw a line. The line is a number: we claim that a system is better if at least this many of the
# `n` preferences are for it. With `sides=2` this may be either system; with `sides=1` only the first, which was named beforehand. Take the
# **lowest** line that keeps the level: if a coin decides each preference, the share of experiments with a false claim is at most `level`.
# If no line does this, return `n + 1` as the line, which no system can reach.
#
# Return three numbers: the line, the rule's actual share of false claims, and its power. The power is the share of experiments that claim
# that the first system is better, if each preference is for the first system with probability `share`. The next cell computes what unit 3
# takes from SciPy.


# %% nbgrader={"grade": false, "grade_id": "lab01-binomial", "locked": true, "schema_version": 3, "solution": false, "task": false}
def at_least(line, n, chance):
    """How probable it is that `line` or more of `n` preferences are for a system that gets each with this chance."""
    each = (math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(line, n + 1))
    return sum(each)


# %% nbgrader={"grade": false, "grade_id": "lab01-rule-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rule(n, level, share, sides=2):
    """The lowest line that keeps the level, its share of false claims, and its power."""
    ### BEGIN SOLUTION
    line = n // 2 + 1
    while sides * at_least(line, n, 0.5) > level:
        line += 1
    return line, sides * at_least(line, n, 0.5), at_least(line, n, share)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-rule-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    line, false_claims, power = rule(40, 0.05, 0.7)
    line_of_one, false_of_one, _ = rule(40, 0.05, 0.7, sides=1)
    few, edge = rule(4, 0.05, 0.7), rule(5, 0.0625, 0.7)
print(f"40 preferences: line at {line}, false claims {false_claims:.3f}, power {power:.2f}")
assert edge[0] != 4, (
    "five preferences at .0625: four of five would be claimed too often. Do you count the results exactly on the line?"
)
assert line != 26, (
    "two sides: this line keeps the level for one end only, but the other system could have reached it, too"
)
assert line != 28 and edge[0] != 6, (
    "there is a lower line that keeps the level; a line with exactly the level keeps it as well"
)
assert line != 40, "this line keeps the level, and so do lower ones: start from the middle"
assert line == 27, "unit 3 has the line for 40 sentences; compare"
assert abs(false_claims - 0.019) > 0.001, (
    "this is the share of false claims at one end; the rule makes claims at both"
)
assert 0.037 < false_claims < 0.040, (
    "return the rule's actual share of false claims: compute it with a fair coin"
)
assert abs(power - false_claims / 2) > 1e-6, (
    "this is the power to find a difference that is not there: where is `share`?"
)
assert not 0.29 < power < 0.31, (
    "this is how often the advantage is missed; power is how often it is found"
)
assert not 0.55 < power < 0.58, (
    "a result exactly on the line is claimed as well: look at the first k"
)
assert 0.69 < power < 0.71, (
    "power: how often does the first system reach the line, if it is preferred with probability `share`?"
)
assert few[0] == 5 and few[1] == 0 == few[2], (
    "four preferences at .05: not even four of four keep the level, so the line is 5, and nothing is ever claimed"
)
assert (line_of_one, round(false_of_one, 3)) == (26, 0.040), (
    "sides=1: only the end of the first system counts, so the line may be lower"
)
### BEGIN HIDDEN TESTS
from scipy.stats import binom

for n, level, share, sides in (
    (11, 0.01, 0.6, 2),
    (30, 0.1, 0.55, 1),
    (97, 0.05, 0.65, 2),
    (150, 0.001, 0.8, 2),
):
    lines = np.arange(n // 2 + 1, n + 2)
    kept = sides * binom.sf(lines - 1, n, 0.5)
    expected = lines[kept <= level][0]
    got = rule(n, level, share, sides)
    assert got[0] == expected, (
        f"{n} preferences, level {level}, sides {sides}: the line should be {expected}"
    )
    assert np.allclose(got[1:], (kept[kept <= level][0], binom.sf(expected - 1, n, share))), (
        f"{n} preferences, level {level}, share {share}, sides {sides}: false claims and power"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · What three tools count
#
# Three tools were given the same preferences and the same numbers of undecided readers. They were asked for the exact two-sided p-value of
# a fair coin. None of the three prints it. Here is what they printed for six pairs:

# %% nbgrader={"grade": false, "grade_id": "lab01-tools", "locked": true, "schema_version": 3, "solution": false, "task": false}
KIT, LIMSI = "KIT_Phrase-Based_SMT_System", "LIMSI-Ncode-Constrained-Primary"
tools = pd.DataFrame(
    [
        (KIT, LIMSI, 0.8392, 0.5000, 0.9307),
        (KIT, "uedin-wmt12", 0.0034, 0.0033, 0.0292),
        (LIMSI, "LIUM_FR-EN_12", 0.0042, 0.0038, 0.0149),
        ("LIUM_FR-EN_12", "cmu-avenue", 0.0842, 0.0625, 0.1651),
        ("onlineB", "onlineD", 0.3149, 0.2108, 0.4558),
        ("onlineC", "onlineE", 0.0314, 0.0243, 0.0845),
    ],
    columns=["a", "b", "X", "Y", "Z"],
).set_index(["a", "b"])
pairs.loc[tools.index].assign(**tools)

# %% [markdown]
# Find out what each tool counts, and prove it: write a function that returns what the tool prints, before rounding. The function is given
# the name of the tool, `"X"`, `"Y"` or `"Z"`, and three whole numbers. Start by putting your own p-values beside the table. Is the ratio
# the same in every row? What do the rows in which a tool is far off have in common?


# %% nbgrader={"grade": false, "grade_id": "lab01-tools-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def as_printed(tool, wins, losses, undecided):
    """The p-value that the tool prints."""
    ### BEGIN SOLUTION
    n = wins + losses + (undecided if tool == "Z" else 0)
    distance = abs(wins - losses) + (1 if tool == "X" else 0)
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= distance)
    return ways / 2**n / (2 if tool == "Y" else 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-tools-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from scipy.stats import binomtest

from mtsig_nb.teaching import own_work

rows = pairs.loc[tools.index].to_numpy().tolist()
with own_work():
    yours = {tool: [as_printed(tool, *row) for row in rows] for tool in tools}
right = [binomtest(wins, wins + losses).pvalue for wins, losses, _ in rows]
print(pd.DataFrame({"right": right, **yours}, index=tools.index).round(4).to_string())


def same(some, others):
    """Whether two columns of p-values are the same to four digits."""
    return np.abs(np.array(some) - np.array(others)).max() < 0.0002


for tool in tools:
    assert not same(yours[tool], right), (
        f"{tool}: this is the right p-value, but the tool prints something else; take the ratio of the two, row by row"
    )
half = np.array(right) / 2
assert not same(yours["X"], half), (
    "X: it is not half of the right p-value: for 49 to 48 the tool prints .84 and not .50. What else can a count leave out?"
)
assert not same(yours["X"], tools["X"] / 2), (
    "X: you leave out the right thing, but the tool counts both ends"
)
assert same(yours["X"], tools["X"]), (
    "X: 49 to 48 is as close to the middle as 97 preferences can be. Which ways are missing?"
)
assert not same(yours["Y"], tools["X"]), (
    "Y: for 49 to 48 the tool prints .50, so it leaves out more than the results that are just as far"
)
assert not max(yours["Y"]) > 0.51, (
    "Y: if the first system is behind, you count its end; the tool counts the end of the system that is ahead, and never prints more than .5"
)
assert same(yours["Y"], tools["Y"]), (
    "Y: divide the right p-value by what the tool prints, row by row"
)
assert not abs(yours["Z"][1] - at_least(76, 132, 0.5) * 2) < 0.0002, (
    "Z: 56 to 30, and 46 undecided: do not count the undecided as preferences for the second system"
)
assert same(yours["Z"], tools["Z"]), (
    "Z: it is farthest off if many readers were undecided. How many tosses does it use for the same distance?"
)
claims = {tool: sum(as_printed(tool, *row) <= 0.05 for row in pairs.to_numpy()) for tool in tools}
claims["right"] = sum(
    binomtest(won, won + lost).pvalue <= 0.05 for won, lost, _ in pairs.to_numpy()
)
print("pairs of 105 claimed at .05:", claims)
### BEGIN HIDDEN TESTS
from scipy.stats import binom

for name, printed in tools.items():
    assert (printed == np.round(yours[name], 4)).all(), f"{name}: to four digits"
assert claims == {"X": 58, "Y": 58, "Z": 49, "right": 53}, "over all pairs of the campaign"
for wins, losses, undecided in ((30, 12, 9), (5, 20, 11), (7, 6, 40)):
    n, distance = wins + losses, abs(wins - losses)
    ends = binom.sf(max(wins, losses) - 1, n, 0.5), binom.sf(max(wins, losses), n, 0.5)
    split = np.arange(n + undecided + 1)
    split = split[np.abs(2 * split - n - undecided) >= distance]
    expected = {"X": 2 * ends[1], "Y": ends[0], "Z": binom.pmf(split, n + undecided, 0.5).sum()}
    for tool, p in expected.items():
        assert math.isclose(as_printed(tool, wins, losses, undecided), p), (
            f"{tool}, {wins} to {losses} and {undecided} undecided: the six rows agree, and another does not"
        )
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About half of the pairs, 53 of 105. A tool that counts one end claims five more. This seems few, since its p-values are
# half as large. But the p-values of most pairs are far from .05, on either side. Such a tool misleads
# people whose p-value is near .05, and these people need a test most.
#
# ## Exercise 4 · Decide · How many readers to pay
#
# Three people want readers to compare the systems of KIT and of Edinburgh (`uedin-wmt12`), at a level of .05:
#
# - `"survey"`: a magazine will print the name of the better system, whichever it is;
# - `"replacement"`: an office uses Edinburgh's system. Before any reader was asked, its contract said: KIT's system replaces it if KIT's is
#   found to be better; otherwise, even if KIT's is worse, nothing changes;
# - `"afterwards"`: a manager will pay readers, look which system is ahead, and only then ask whether this system is better.
#
# Suppose that the next readers are like those of WMT12: in the long run the same share of readings ends in a decision, and the same share
# of these decisions is for KIT. (`wins`, `losses` and `undecided` are the numbers of WMT12.) Return a dictionary with
#
# - `"sides"`: 1 or 2;
# - `"preferences"`: the smallest number of preferences with which the power is at least .8;
# - `"line"`: the line for this number of preferences;
# - `"readings"`: the number of readings to pay for, so that one can expect this number of preferences (a whole number).


# %% nbgrader={"grade": false, "grade_id": "lab01-plan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def plan(wins, losses, undecided, commission):
    """Sides, preferences, line and readings for "survey", "replacement" or "afterwards"."""
    ### BEGIN SOLUTION
    sides = 1 if commission == "replacement" else 2
    share, n = wins / (wins + losses), 1
    while rule(n, 0.05, share, sides)[2] < 0.8:
        n += 1
    readings = math.ceil(n * (wins + losses + undecided) / (wins + losses))
    line = rule(n, 0.05, share, sides)[0]
    return {"sides": sides, "preferences": n, "line": line, "readings": readings}
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab01-plan-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
known = pairs.loc[(KIT, "uedin-wmt12")].tolist()
plans = {who: plan(*known, who) for who in ("survey", "replacement", "afterwards")}
print(pd.DataFrame(plans).to_string())


def enough(share, sides, power=0.8):
    """For each number of preferences, whether the rule's power is as large."""
    return [n for n in range(1, 300) if rule(n, 0.05, share, sides)[2] >= power]


wins, losses, undecided = known
share, diluted = wins / (wins + losses), (wins + undecided / 2) / sum(known)
assert all(set(one) == {"sides", "preferences", "line", "readings"} for one in plans.values()), (
    "a dictionary with four entries, named as in the text"
)
sides = {who: one["sides"] for who, one in plans.items()}
assert set(sides.values()) <= {1, 2}, "sides: 1 or 2"
assert len(set(sides.values())) == 2, (
    "the same sides for all three: what would each of them do if the other system turned out to be better?"
)
for who, one in plans.items():
    n, readings = one["preferences"], one["readings"]
    assert sides[who] == 1 or n != enough(share, 1)[0], (
        f"{who}: so few preferences are enough only if one end is counted; do you pass `sides` to your rule?"
    )
    assert n != enough(share, sides[who], 0.5)[0], (
        f"{who}: this number of preferences finds the advantage in half of all experiments; .8 was asked for"
    )
    assert n != enough(diluted, sides[who])[0], (
        f"{who}: you split the undecided between the two systems; the share is that among decisions, and the undecided cost readings"
    )
    assert rule(n, 0.05, share, sides[who])[2] >= 0.8, (
        f"{who}: with {n} preferences your rule has a power below .8"
    )
    assert one["line"] == rule(n, 0.05, share, sides[who])[0], (
        f"{who}: the line belongs to the number of preferences and to the sides that you return"
    )
    assert readings != n, f"{who}: a reader who cannot decide is paid, too, but gives no preference"
    assert readings != math.ceil(n * (1 + undecided / sum(known))), (
        f"{who}: you add a third more readings, but a third of these is undecided, too, so they are too few"
    )
### BEGIN HIDDEN TESTS
import scipy.stats as stats

assert sides["survey"] == 2, "survey: would the magazine not print Edinburgh's name?"
assert sides["replacement"] == 1, (
    "replacement: only one direction would change anything, and it was named before any reader was asked"
)
assert sides["afterwards"] == 2, (
    "afterwards: a manager who sees the answers first would have asked about the other system just as well (unit 3)"
)
for who, planned in plans.items():
    assert planned["preferences"] == enough(share, sides[who])[0], (
        f"{who}: this is not the smallest number with a power of at least .8: try one number after the other, from below"
    )
    assert planned["readings"] == math.ceil(
        planned["preferences"] * sum(known) / (wins + losses)
    ), (
        f"{who}: the readings, times the share that ends in a decision, should give the preferences; return a whole number, and not too few"
    )
assert round(rule(98, 0.05, 0.6)[2], 2) == 0.45 and round(stats.binomtest(53, 98).pvalue, 2) == 0.48
for pair in ((LIMSI, "onlineF"), ("onlineA", "onlineC")):
    wins, losses, undecided = pairs.loc[pair]
    for who, sides in (("survey", 2), ("replacement", 1)):
        n = enough(wins / (wins + losses), sides)[0]
        readings = math.ceil(n * (wins + losses + undecided) / (wins + losses))
        expected = {
            "sides": sides,
            "preferences": n,
            "line": rule(n, 0.05, 0.5, sides)[0],
            "readings": readings,
        }
        assert plan(wins, losses, undecided, who) == expected, f"{who}, {pair}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words · Equally good?
#
# Readers preferred KIT's system to onlineA 53 times, and onlineA to KIT's system 45 times; 30 times they could not decide. Somebody writes:
# "Readers find the two equally good (p = .48)." Use your `rule` to compute how often 98 preferences would find a difference if readers
# really preferred one of the two in 60 of 100 cases. Then write three or four sentences: what is wrong with the claim, and what should be
# written instead?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab01-equal-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# A large p-value says that a coin easily gives such preferences. It does not say that a coin gave them. The same preferences also fit
# worlds in which one system is clearly better. `rule(98, 0.05, 0.6)` has a power of less than one half, so an advantage of 60 to 40 would
# be missed more often than found. The sentence should be: with 53 preferences for KIT and 45 for onlineA, and without the 30 undecided
# readers, no difference was found (exact, two-sided p = .48). An advantage of 60 to 40 would have been missed more often than not.
#
# **Rubric.** 1 point: a large p-value is no evidence for equality, and the new sentence says that no difference was found (or nothing
# stronger). 1 point: the power for 60 of 100 is computed (about .45) and given as the reason.

# %% [markdown]
# ---
#
# *Back to:* [unit 1](../../1_what_chance_can_do/01_is_a_better_than_b.ipynb),
# [unit 2](../../1_what_chance_can_do/02_what_chance_can_do.ipynb),
# [unit 3](../../1_what_chance_can_do/03_where_to_draw_the_line.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
