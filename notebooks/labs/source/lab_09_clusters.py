# %% [markdown]
# # Lab 09 · Clusters
#
# Build clusters of nineteen systems, find out why metrics seem to agree with people so well, and decide what fits into one column.
#
# *Goes with [unit 21](../../4_many_systems/21_clusters.ipynb) and
# [unit 25](../../5_people/25_how_alike_are_two_clusterings.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.
#
# Ten systems translated from Russian at WMT21. Here the conclusions of a judge are a table with the systems in the rows and in the columns,
# both in the judge's own order, the best first. An entry is 1 if the row's system is better, −1 if the column's system is better, and 0 if
# no difference was found. People's conclusions come from their ratings. Those of five metrics come from approximate randomization with
# Westfall and Young's correction. All are at a level of .05.

# %% nbgrader={"grade": false, "grade_id": "lab09-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools
import time

import numpy as np
import pandas as pd

import mtsig_nb as mt


def judge(conclusions):
    """Conclusions as a table that knows its systems' names."""
    names = list(conclusions.systems)
    return pd.DataFrame(conclusions.matrix.astype(int), index=names, columns=names)


def tested(campaign, metric):
    options = {"correction": "westfall-young", "interval": None, "n_resamples": 2000, "rng": 2021}
    return mt.compare_all(campaign.statistics(metric), **options).conclusions(alpha=0.05)


campaign = mt.load("wmt21/ru-en")
judged = campaign.human.conclusions(alpha=0.05)
judged = judged.reorder([name for name in judged.systems if name in campaign.systems])
people = judge(judged)
by_metric = {name: tested(campaign, name) for name in ("BLEU", "chrF", "TER", "GTM", "METEOR")}
metrics = {name: judge(conclusions) for name, conclusions in by_metric.items()}
people

# %% [markdown]
# ## Exercise 1 · Write · Clusters, one system at a time
#
# A cluster is a set of systems no two of which were distinguished, and to which no other could be added. Unit 21 went through all fifteen
# sets of four systems. Nineteen systems form 524,287 sets. A better way is to take the systems one after the other, and to keep the
# clusters of the systems so far:
#
# - Begin with one empty cluster.
# - Add a new system. Each cluster so far gives a new candidate: its members that were not distinguished from the newcomer, and the newcomer
#   itself. The clusters so far remain candidates, too.
# - Remove every candidate that is part of a larger one. The remaining candidates are the clusters.
#
# `clusters_of(verdicts)` gets such a table as `people` and returns a set of `frozenset`s of names. (A `frozenset` is a set that can be an
# element of a set. `a & b` is what two of them share, and `a < b` asks whether the first is a part of the second, but not equal to it.)


# %% nbgrader={"grade": false, "grade_id": "lab09-clusters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def clusters_of(verdicts):
    """The clusters, a set of frozensets of names."""
    ### BEGIN SOLUTION
    found = {frozenset()}
    for newcomer in verdicts.index:
        alike = frozenset(verdicts.index[verdicts.loc[newcomer] == 0])
        found |= {(group & alike) | {newcomer} for group in found}
        found = {group for group in found if not any(group < larger for larger in found)}
    return found
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-clusters-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

found = {
    pair: int("".join(pair) not in ("VW", "VY", "WX", "WY"))
    for pair in itertools.combinations("VWXYZ", 2)
}
five = judge(mt.Conclusions.from_pairs(found))
print(five)
with own_work():
    got = clusters_of(five)
assert got and all(isinstance(group, frozenset) for group in got), "a set of frozensets of names"
print("yours:", sorted("".join(sorted(group)) for group in got))
got = {"".join(sorted(group)) for group in got}
assert "Z" in got or not set("VWXY") <= set("".join(got)), (
    "Z is missing. It was distinguished from all others, and a single system is a cluster if no other can be added"
)
assert set("".join(got)) == set("VWXYZ"), (
    "some systems are in no cluster: do the clusters so far stay when a newcomer cannot join them?"
)
assert got != {"VWXY", "Z"}, (
    "V and X were distinguished, but you put them into one set. They stay apart even if W cannot be told from either"
)
assert "VWXY" not in got, (
    "the set of all systems like W is not a cluster: V and X are both like W, but were distinguished from each other"
)
assert not any(set(a) < set(b) for a, b in itertools.permutations(got, 2)), (
    "some of your sets are parts of your other sets, so other systems could still be added to them"
)
assert sum("W" in group for group in got) == 2 or "VWY" not in got, (
    "W is in only one of your clusters. No difference was found between W and X, either"
)
assert "VWY" in got, (
    "no difference was found among V, W and Y. They belong together although X is between them in the list"
)
crowd = judge(tested(mt.load("wmt13/fr-en"), "TER"))
began = time.process_time()
for _ in range(2 ** len(crowd)):
    pass  # so long it takes this computer to count the sets
counted = time.process_time()
of_crowd = clusters_of(crowd)
assert time.process_time() - counted < 12 * (counted - began), (
    "your function is right on five systems, but too slow on nineteen of WMT13: "
    f"does it look at each of their {2 ** len(crowd) - 1:,} sets?"
)
print(f"nineteen systems of WMT13 under TER: {len(of_crowd)} clusters")
### BEGIN HIDDEN TESTS
assert got == {"VWY", "WX", "Z"}, "among five systems, of which four pairs were not distinguished"
for table in (people, crowd, *metrics.values()):
    package = mt.clusters(mt.Conclusions(table.index, table.to_numpy()))
    assert clusters_of(table) == {frozenset(group) for group in package.groups}, (
        f"on {len(table)} real systems the right function finds other clusters"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Find · Metrics that agree with people
#
# A colleague has compared five metrics with people, by the ordered Rand score, and is delighted. Here is the tool:


# %% nbgrader={"grade": false, "grade_id": "lab09-tool", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tool(one, other):
    """Ordered Rand score of two tables of conclusions about the same systems."""
    x, y = one.to_numpy(), other.to_numpy()
    points = np.where(x == y, 1, x * y)
    return points[np.triu_indices(len(points))].mean()


def of_pairs(names, said):
    """The table of a judge who says 1, 0 or -1 of each pair of the names: of AB, AC, AD, BC and so on."""
    pairs = itertools.combinations(names, 2)
    return judge(mt.Conclusions.from_pairs(dict(zip(pairs, said, strict=True))))


def renamed(table, names):
    """The same conclusions, with these names in the rows and in the columns."""
    return pd.DataFrame(table.to_numpy(), index=list(names), columns=list(names))


pd.Series({name: tool(table, people) for name, table in metrics.items()}).round(2)


# %% [markdown]
# In unit 25 half of people's rankings scored about .7 with the other half, and no metric did as well. A judge who finds
# no difference at all (silence) scores .40 here. (`np.triu_indices` has the places of the upper right half of a square
# table.)
#
# > **Make a guess.** The tool has two faults. What do the five metrics score after both are repaired: about .7, about .6,
# > or about .4?
#
# Put into `exposing` a pair `(one, other)` of judges, as tables of at least three systems, who contradict each other on **every** pair, but
# get a score of 1 from the tool. (`of_pairs("ABC", [1, 1, 0])` makes such a table: A before B and C.) Then write `repaired(one, other)`,
# which returns the ordered Rand score of any two tables about the same systems.


# %% nbgrader={"grade": false, "grade_id": "lab09-repair-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
exposing = None, None
### BEGIN SOLUTION
exposing = of_pairs("ABC", [1, 1, 1]), of_pairs("CBA", [1, 1, 1])
### END SOLUTION


def repaired(one, other):
    """Ordered Rand score of two tables of conclusions about the same systems."""
    ### BEGIN SOLUTION
    x, y = one.to_numpy(), other.loc[one.index, one.index].to_numpy()
    points = np.where(x == y, 1, x * y)[np.triu_indices(len(x), k=1)]
    return points.mean()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-repair-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

one, other = exposing
assert one is not None and other is not None, "not answered yet: `exposing` is to have two tables"
names = list(one.index)
assert set(names) == set(other.index) and len(names) >= 3, (
    "`exposing`: two tables about the same systems, three of them or more"
)
assert tool(one, other) == 1, (
    f"for your two judges the tool gives {tool(one, other):.2f}, and not 1: which part of a table does it compare?"
)
assert all(one.loc[a, b] * other.loc[a, b] == -1 for a, b in itertools.combinations(names, 2)), (
    "your two judges do not contradict each other on every pair: for each pair one has to say 1 and the other −1"
)
one, other = of_pairs("ABCD", [1, 1, 0, -1, -1, 0]), of_pairs("ABCD", [-1, 1, 1, 0, 1, 0])
other = other.loc[list("BDAC"), list("BDAC")]
with own_work():
    scores = repaired(one, other), repaired(other, one), repaired(one, one)
print("yours, of two judges of four systems:", np.round(scores, 3))
got = scores[0]
assert not np.isclose(got, 0.8), "nothing has changed: you get .8, as the tool does"
assert not np.isclose(got, 2 / 3), (
    "one fault is repaired, but you still compare the judges place by place: the third system of one table is another system in the other"
)
assert not np.isclose(got, 0.4), (
    "one fault is repaired, but you still average ten numbers, and four systems form six pairs. Which four are not pairs?"
)
assert not np.isclose(got, 1 / 6), (
    "you put the rows of the second table in order, but not the columns"
)
assert not np.isclose(got, 0.25), (
    "you average sixteen numbers: each pair twice, and each system with itself"
)
assert not np.isclose(got, -1 / 6), (
    "two judges who both find no difference agree, which is worth a point"
)
assert not np.isclose(got, 1 / 3), (
    "this is the share of pairs on which they agree: subtract a point for opposites"
)
assert not np.isclose(got, -1 / 3), (
    "a judge who finds a difference and one who does not do not contradict each other: this is worth 0"
)
assert np.isclose(scores[2], 1), "a judge who is compared with the same judge should score 1"
### BEGIN HIDDEN TESTS
assert np.isclose(got, 0), (
    "they agree on two pairs, only one of them finds a difference on two, and they contradict each other on two: go through the six with a pencil"
)
assert np.isclose(scores[1], scores[0]), "the score should be the same if the judges are exchanged"
assert np.isclose(repaired(of_pairs("ABCD", [1] * 6), of_pairs("DCBA", [1] * 6)), -1), (
    "opposites on every pair score −1"
)
for name, conclusions in by_metric.items():
    expected = mt.ordered_rand(conclusions, judged)
    assert np.isclose(repaired(metrics[name], people), expected), (
        f"{name} beside people: another score"
    )
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "lab09-mended", "locked": true, "schema_version": 3, "solution": false, "task": false}
silence = pd.DataFrame(0, index=people.index, columns=people.index)
beside = pd.Series({name: repaired(table, people) for name, table in metrics.items()})
print(beside.round(2).to_dict(), "silence", round(repaired(silence, people), 2))
mended = {name: mt.ordered_rand(conclusions, judged) for name, conclusions in by_metric.items()}
assert min(mended, key=mended.get) == "METEOR" and mended["METEOR"] < 0.35 < mended["chrF"] <= 0.41
assert max(mended.values()) < 0.48 and (people.to_numpy() == 0).sum() - 10 == 36
assert all(tool(table, people) - mended[name] > 0.35 for name, table in metrics.items())

# %% [markdown]
# **The guess.** About .4, and METEOR less. The rest of the tool's score was not agreement. The tool compared each system with itself, where
# all judges agree. And each table has its own best system on top, so its 1s are at the upper right, whichever systems these are.
#
# ## Exercise 3 · Write · How well dealt names agree
#
# Is a metric's agreement with people more than luck? Test it by dealing out names, as in unit 25. `by_luck(one, other, deals)` gets two
# tables and an array with a deal in each row. If `names` is the array of the names of `one`, then `names[deal]` are the new names of its
# rows and columns, in order; its numbers stay where they are, as in `renamed`. The statistic is the ordered Rand score with `other`; you
# may use `repaired`. Return the p-value: in what share of deals is the score **at least as high** as with the real names? Count as in unit
# 6, (c + 1)/(R + 1), and allow a billionth for rounding.


# %% nbgrader={"grade": false, "grade_id": "lab09-luck-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def by_luck(one, other, deals):
    """The p-value of the agreement of two tables, if the names of the first are dealt out."""
    ### BEGIN SOLUTION
    names = one.index.to_numpy()
    scores = np.array([repaired(renamed(one, names[deal]), other) for deal in deals])
    count = np.sum(scores >= repaired(one, other) - 1e-9)
    return (count + 1) / (len(deals) + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab09-luck-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

OTHERS = np.array(list(itertools.permutations(range(4)))[1:])  # without the real names
one, other = of_pairs("ABCD", [0, 1, -1, 1, -1, 1]), of_pairs("ABCD", [0, 1, 1, -1, -1, 1])
with own_work():
    got = by_luck(one, other, OTHERS)
print(f"a judge of four systems beside another, all 23 deals that change something: p = {got:.3f}")
assert not np.isclose(got, 1), (
    "every deal scores as the real names do. If rows keep their names in another order, or if both tables get the same deal, nothing changes: give the rows and columns of the first table new names"
)
assert not np.isclose(got, 4 / 24), (
    "you deal the names of the rows but not of the columns, so a system has two different names"
)
assert not np.isclose(got, 3 / 24), (
    "a deal that agrees exactly as well as the real names counts, too"
)
assert not np.isclose(got, 7 / 23), (
    "the real names are one of the possible deals: add one to the count and to the deals"
)
assert not np.isclose(got, 14 / 24), (
    "you also count deals that disagree as much as the real names agree. The question has one side: at least as well"
)
assert not np.isclose(got, 22 / 24), (
    "you count the deals that agree no better than the real names; count those that agree at least as well"
)
assert 0 < got < 1, "a share of deals, between 0 and 1"
### BEGIN HIDDEN TESTS
assert np.isclose(got, 8 / 24), (
    "seven of the 23 deals that change something agree at least as well as the real names"
)
deals = np.array([np.random.default_rng(seed).permutation(10) for seed in range(100)])
deals = np.concatenate([deals, np.argsort(deals, axis=1)])


def at_least(table):
    place = people.index.get_indexer(table.index)
    said = table.to_numpy()
    upper = np.triu_indices(10, k=1)

    def rand(order):
        x, y = said[upper], people.to_numpy()[np.ix_(place[order], place[order])][upper]
        return np.where(x == y, 1, x * y).mean()

    return (1 + sum(rand(deal) >= rand(np.arange(10)) - 1e-9 for deal in deals)) / 201


for name in ("chrF", "METEOR"):
    assert np.isclose(by_luck(metrics[name], people, deals), at_least(metrics[name])), (
        f"{name} beside people, 200 deals: another p-value"
    )
### END HIDDEN TESTS

# %% nbgrader={"grade": false, "grade_id": "lab09-five", "locked": true, "schema_version": 3, "solution": false, "task": false}
coins = np.random.default_rng(25)
deals = np.array([coins.permutation(10) for _ in range(999)])
p = {name: by_luck(table, people, deals) for name, table in metrics.items()}
assert 0.06 < p["BLEU"] < 0.13, "`by_luck` is not right yet"
pd.DataFrame({"score": beside, "p": p}).round(3)

# %% [markdown]
# ## Exercise 4 · Decide · One column
#
# A printed table of the ten systems has room for one column of numbers. If two systems have the same number, no difference was found
# between them; if they have different numbers, one was found. `drafts` has three such lists from unit 21, for three judges: `"places"`
# numbers the systems from 1 to 10, `"wmt"` has WMT's clusters, and `"downwards"` opens a new group with the first system that is worse than
# a system of the current group.

# %% nbgrader={"grade": false, "grade_id": "lab09-drafts", "locked": true, "schema_version": 3, "solution": false, "task": false}
drafts = {}
for name, conclusions in {
    "people": judged,
    "BLEU": by_metric["BLEU"],
    "TER": by_metric["TER"],
}.items():
    table = mt.rank_table(conclusions).set_index("system")
    drafts[name] = table[["wmt_cluster", "greedy_rank"]].set_axis(["wmt", "downwards"], axis=1)
    drafts[name].insert(0, "places", range(1, 11))
verdicts = {"people": people, "BLEU": metrics["BLEU"], "TER": metrics["TER"]}
assert all(list(drafts[name].index) == list(table.index) for name, table in verdicts.items())


def apart(numbers):
    """For each two systems, whether a column has two numbers for them, as a square table."""
    return pd.DataFrame(np.not_equal.outer(*[numbers.to_numpy()] * 2), numbers.index, numbers.index)


drafts["people"]

# %% [markdown]
# A draft is wrong about a pair if it claims a difference that the judge did not find, or hides one that was found. For each judge choose
# the draft that is wrong about the fewest of the 45 pairs. Put its name and the number of these pairs into `column`, as in
# `column["people"] = ("places", 45)`.
#
# Put into `room` the best and the worst place that Online-W can have by people and by BLEU, as in `room["people"] = (1,
# 10)`. Its place is below all systems that beat it and above all systems that it beat.

# %% nbgrader={"grade": false, "grade_id": "lab09-column-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
column, room = {}, {}
### BEGIN SOLUTION
for name, table in verdicts.items():
    said = {draft: apart(drafts[name][draft]) for draft in drafts[name]}
    wrong = {draft: int(np.triu(claims != (table != 0)).sum()) for draft, claims in said.items()}
    column[name] = min(wrong.items(), key=lambda entry: entry[1])
room["people"], room["BLEU"] = (1, 3), (9, 9)  # beaten by 0 and 8, ahead of 7 and 1
### END SOLUTION
column, room

# %% nbgrader={"grade": true, "grade_id": "lab09-column-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert column or room, "not answered yet: there is nothing in `column` and `room`"
assert set(column) == {"people", "BLEU", "TER"}, "`column` has an entry for each of three judges"
assert {"people", "BLEU"} <= set(room), "`room` has an entry for people and one for BLEU"
for name, (draft, wrong) in column.items():
    assert draft in drafts[name].columns, f"{name}: the drafts are places, wmt and downwards"
    assert wrong > 0, (
        f"{name}: no draft is right about all 45 pairs. Count both ways to be wrong: a difference that is claimed but was not found, and one that was found but is hidden"
    )
    undecided = int((verdicts[name].to_numpy() == 0).sum() - 10) // 2
    assert (draft, wrong) != ("places", undecided), (
        f"{name}: the list from 1 to 10 claims a difference for all {undecided} undecided pairs. Is there a draft that is wrong about fewer?"
    )
assert len({draft for draft, _ in column.values()}) > 1, (
    "the same draft for all three judges: count for each of them, with its own conclusions"
)
for name in ("people", "BLEU"):
    best, worst = room[name]
    row, order = verdicts[name].loc["Online-W"], list(drafts[name].index)
    place = order.index("Online-W") + 1
    assert (best, worst) != (place, place) or abs(row).sum() == 9, (
        f"{name}: place {place} is its place in the list. Which of the others might be in another place?"
    )
    assert (best, worst) != (int((row == 1).sum()), int((row == -1).sum())), (
        f"{name}: these are wins and losses, and not places"
    )
    assert 1 <= best <= worst <= 10, (
        f"{name}: the best place first, then the worst, between 1 and 10"
    )
### BEGIN HIDDEN TESTS
for name, table in verdicts.items():
    pairs, groups = list(itertools.combinations(table.index, 2)), drafts[name]
    count = {
        draft: sum(
            (groups.loc[a, draft] != groups.loc[b, draft]) != (table.loc[a, b] != 0)
            for a, b in pairs
        )
        for draft in groups
    }
    draft, wrong = column[name]
    assert wrong != 2 * count[draft], f"{name}: each pair is counted twice"
    assert draft == min(count, key=count.get), f"{name}: another draft is wrong about fewer pairs"
    assert wrong == count[draft], f"{name}: the draft is wrong about another number of pairs"
for who in ("people", "BLEU"):
    row = verdicts[who].loc["Online-W"]
    assert room[who][1] + (row == 1).sum() != 11, (
        f"{who}: one place too low. If all systems that it did not beat were above it, how many places would be left below?"
    )
    assert room[who][0] != (row == -1).sum(), (
        f"{who}: one place too high: all systems that beat it are above it"
    )
    expected = (1 + (row == -1).sum(), 10 - (row == 1).sum())
    assert tuple(room[who]) == expected, (
        f"{who}: it is below all systems that beat it, above all that it beat, and anywhere in between"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A draft of a paper says: "With an ordered Rand score of .42, BLEU agrees moderately with people on this campaign."
# Look at the table above Exercise 4, and at what people and BLEU conclude about Online-W. What would you write, in two to four sentences?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab09-moderately-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# BLEU's ordered Rand score with people is .42. A judge who calls every pair "indistinguishable" scores .40. If the systems' names are dealt
# out at random, about one deal in ten scores at least as high. So with ten systems we cannot tell BLEU's agreement from luck. That does not
# show that there is no agreement. The score is not low just because of silence: the two contradict each other on some pairs. For example,
# people place Online-W between first and third, and BLEU places it ninth.
#
# **Rubric.** 1 point: .42 is compared with silence's .40. 1 point: not distinguished from dealt names, and no conclusion
# from it that BLEU does not agree with people. 1 point: the two contradict each other, with Online-W as an example; a score by itself does
# not show this.

# %% [markdown]
# ---
#
# *Back to* [unit 21, Clusters](../../4_many_systems/21_clusters.ipynb), and
# [unit 25, How alike are two clusterings?](../../5_people/25_how_alike_are_two_clusterings.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
