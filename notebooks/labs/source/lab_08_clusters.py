# %% [markdown]
# # Lab 08 · Clusters
#
# Replace a ranking by what the tests support.
#
# *Goes with [unit 21](../../4_many_systems/21_clusters.ipynb). About 50 minutes, 13 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab08-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np

import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
everybody = mt.compare_all(campaign.statistics("chrF"), correction="holm", interval=None, rng=2007)
found = everybody.conclusions(alpha=0.05)
people = campaign.human.conclusions(alpha=0.05)
example = mt.Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): 1, ("B", "C"): 0})
print("of three made-up systems only A and C are told apart:")
for one, other in itertools.combinations("ABC", 2):
    print(f"    {one} against {other}: {example.word(one, other)}")

# %% [markdown]
# `conclusions.conclusion(a, b)` is +1, 0 or −1: *better*, *indistinguishable*, *worse*. `conclusions.systems` has the names.
#
# ## Exercise 1 · Not transitive
#
# List the chains: three systems of which the first cannot be told from the second, nor the second from the third, and the first is
# **better** than the third. Return a set of tuples of names.


# %% nbgrader={"grade": false, "grade_id": "lab08-chains-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def chains(conclusions):
    """All (first, second, third) that break transitivity, a set of tuples."""
    ### BEGIN SOLUTION
    verdict = conclusions.conclusion
    return {
        (a, b, c)
        for a, b, c in itertools.permutations(conclusions.systems, 3)
        if verdict(a, b) == 0 and verdict(b, c) == 0 and verdict(a, c) == 1
    }
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-chains-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert chains(example) == {("A", "B", "C")}, (
    "A − B − C is a chain; C is not better than A, so the reverse is not one"
)
print(f"chains among twelve systems: chrF {len(chains(found))}, people {len(chains(people))}")
assert len(chains(people)) > 0, (
    "people's conclusions have chains: look at all orders of three systems"
)
### BEGIN HIDDEN TESTS
order = mt.Conclusions.from_pairs({("x", "y"): 1, ("x", "z"): 1, ("y", "z"): 0})
assert chains(order) == set(), "x is told from both: nothing to chain"
turned = mt.Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): -1, ("B", "C"): 0})
assert chains(turned) == {("C", "B", "A")}, (
    "the better system comes first, wherever it stands in the list"
)
n = len(people.systems)
expected = sum(
    people.matrix[i, j] == 0 and people.matrix[j, k] == 0 and people.matrix[i, k] == 1
    for i, j, k in itertools.permutations(range(n), 3)
)
assert len(chains(people)) == expected, f"people's conclusions have {expected} chains"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Clusters
#
# A cluster is a set of systems **no two of which can be told apart**, and to which **no other system could be added**. Return a set of
# `frozenset`s of names. Twelve systems have 4,095 sets: you may try them all.


# %% nbgrader={"grade": false, "grade_id": "lab08-clusters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def clusters_of(conclusions):
    """The clusters, a set of frozensets of names."""

    ### BEGIN SOLUTION
    def alike(group):
        return all(conclusions.conclusion(a, b) == 0 for a, b in itertools.combinations(group, 2))

    systems = conclusions.systems
    every_set = (
        frozenset(group)
        for size in range(1, len(systems) + 1)
        for group in itertools.combinations(systems, size)
    )
    mutual = [group for group in every_set if alike(group)]
    return {group for group in mutual if not any(group < larger for larger in mutual)}
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-clusters-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
assert clusters_of(example) == {frozenset("AB"), frozenset("BC")}, (
    "B is in two clusters; {A} and {B} could be larger"
)
got = clusters_of(found)
package = mt.clusters(found)
assert set().union(*got) == set(found.systems), (
    "every system is in at least one cluster, if only by itself"
)
assert got == {frozenset(group) for group in package.groups}, (
    f"the package finds {len(package.groups)} clusters under chrF, you {len(got)}: can one of yours take in another system?"
)
### BEGIN HIDDEN TESTS
assert clusters_of(people) == {frozenset(group) for group in mt.clusters(people).groups}, (
    "people's clusters differ"
)
rng = np.random.default_rng(8)
for _ in range(5):
    pairs = itertools.combinations("pqrstu", 2)
    drawn = mt.Conclusions.from_pairs({names: int(rng.integers(-1, 2)) for names in pairs})
    expected = {frozenset(group) for group in mt.clusters(drawn).groups}
    assert clusters_of(drawn) == expected, (
        "on conclusions drawn at random: no two apart, and none could be added"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Which is above which?
#
# Cluster `c` is above cluster `d` if **some** system of it is better than some system of the other, and **none** is worse.


# %% nbgrader={"grade": false, "grade_id": "lab08-above-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def is_above(c, d, conclusions):
    """Whether the conclusions support that cluster c is better than cluster d."""
    ### BEGIN SOLUTION
    verdicts = [conclusions.conclusion(a, b) for a in c for b in d]
    return 1 in verdicts and -1 not in verdicts
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-above-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert is_above({"A", "B"}, {"B", "C"}, example), "A is better than C, and nobody is worse"
assert not is_above({"B", "C"}, {"A", "B"}, example), "the other way round it does not hold"
assert not is_above({"A"}, {"B"}, example), "no difference at all is not a difference"
### BEGIN HIDDEN TESTS
mixed = mt.Conclusions.from_pairs(
    {("a", "b"): 0, ("a", "c"): 1, ("a", "d"): 0, ("b", "c"): 0, ("b", "d"): -1, ("c", "d"): 0}
)
assert not is_above({"a", "b"}, {"c", "d"}, mixed), (
    "a beats c, but d beats b: neither cluster is above"
)
assert not is_above({"c", "d"}, {"a", "b"}, mixed), "and not the other way round either"
judged = mt.clusters(people)
for i, j in itertools.permutations(range(len(judged.groups)), 2):
    assert is_above(judged.groups[i], judged.groups[j], people) == (judged.relation[i, j] == 1), (
        "people's clusters"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · How alike are two judges?
#
# The **ordered Rand score**: for every pair of systems 1 if both judges conclude the same, 0 if only one of them sees a difference, −1 if
# they see opposite ones; then the mean. Mind that the two may list the systems in different orders.


# %% nbgrader={"grade": false, "grade_id": "lab08-rand-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ordered_rand(one, other):
    """Agreement of two sets of conclusions about the same systems, from -1 to 1."""
    ### BEGIN SOLUTION
    points = []
    for a, b in itertools.combinations(one.systems, 2):
        x, y = one.conclusion(a, b), other.conclusion(a, b)
        points.append(1 if x == y else 0 if x == 0 or y == 0 else -1)
    return np.mean(points)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab08-rand-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert ordered_rand(example, example) == 1, "a judge agrees with itself"
print(f"chrF beside people: {ordered_rand(found, people):.3f}")
assert np.isclose(ordered_rand(found, people), mt.ordered_rand(found, people)), (
    "the two list their systems in different orders: ask for each pair by name"
)
### BEGIN HIDDEN TESTS
turned = mt.Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): -1, ("B", "C"): 0})
assert np.isclose(ordered_rand(example, turned), 1 / 3), (
    "two agreements and one strong disagreement: (1 + 1 − 1) / 3"
)
silent = mt.Conclusions.from_pairs({("A", "B"): 0, ("A", "C"): 0, ("B", "C"): 0})
assert np.isclose(ordered_rand(example, silent), 2 / 3), "a weak disagreement is worth 0, not −1"
assert np.isclose(
    ordered_rand(people.reorder(people.systems[::-1]), found), mt.ordered_rand(people, found)
), "one judge lists its systems backwards now; ask both for each pair by name"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A system is in the top cluster because people made few judgements of it. Its press release says "joint first". In one or two sentences:
# what may it say?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab08-release-words", "locked": false, "points": 1, "schema_version": 3, "solution": true, "task": false}
# Only that it was not distinguished from the best system; with so few judgements that is easily reached, and shows no
# equality. It should give the number of judgements, and the systems from which it was distinguished.
