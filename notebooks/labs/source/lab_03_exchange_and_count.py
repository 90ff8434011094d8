# %% [markdown]
# # Lab 03 · Exchange and count
#
# Count all exchanges of a thousand sentences, repair a tool that exchanges the wrong things, and decide how many shuffles to draw.
#
# *Goes with [unit 5](../../1_what_chance_can_do/05_exchange_and_count.ipynb) and
# [unit 6](../../1_what_chance_can_do/06_too_many_to_count.ipynb). About 85 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data. The tests also notice if you call a package for what you are asked to write.
#
# The campaign is WMT21 from Russian: ten systems, a thousand sentences. TER counts the *edits* that turn an output into its reference, so
# fewer are better, and divides them by the words of the references, which are the same for all systems. So to compare two systems in TER,
# one may compare their edits, which are whole numbers:

# %% nbgrader={"grade": false, "grade_id": "lab03-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import numpy as np
from scipy.special import gammaln

import mtsig_nb as mt

russian = mt.load("wmt21/ru-en")
ter, chrf = russian.statistics("TER"), russian.statistics("chrF")
edits = {name: row[:, 0].astype(int) for name, row in zip(ter.systems, ter.values, strict=True)}
first, second = edits["Facebook-AI"], edits["NiuTrans"]
print("edits in the first ten sentences:", first[:10], second[:10])
print(f"edits in all: {first.sum():,} and {second.sum():,}")

# %% [markdown]
# > **Make a guess.** The number of ways in which a thousand coins can fall has 302 digits, and unit 6 says that no computer can go through
# > them. How many *different* differences in edits can result: about 2,000, about 2,000,000, or nearly as many as there are ways?
#
# ## Exercise 1 · Write · A thousand sentences, counted
#
# If a sentence's two outputs are exchanged, its difference in edits changes its sign, and nothing else happens. So a shuffle's difference
# is a sum of whole numbers, each with a plus or a minus. Its null distribution can be built sentence by sentence. Keep an array with the
# probability of each possible sum, from the most negative to the most positive. Before the first sentence it has a single entry, a 1 for
# the sum 0. A sentence whose outputs differ by `d` edits, in either direction, makes the array `2 * d` entries longer. Half of each
# probability moves up by `d` places, and the other half moves down by `d` places.
#
# Return the exact two-sided p-value of the difference between the two systems: the probability of a sum at least as far from zero as the
# observed one. Draw nothing at random.


# %% nbgrader={"grade": false, "grade_id": "lab03-exact-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def exact_pvalue(edits_a, edits_b):
    """Two-sided p-value over all exchanges, from two arrays with a whole number for each sentence."""
    ### BEGIN SOLUTION
    differences = np.subtract(edits_a, edits_b)
    chances = np.ones(1)
    for d in np.abs(differences):
        room = np.zeros(2 * d)
        chances = (np.append(room, chances) + np.append(chances, room)) / 2
    sums = np.arange(len(chances)) - len(chances) // 2
    return chances[np.abs(sums) >= abs(np.sum(differences))].sum()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-exact-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

some, others = np.array([5, 0, 2, 1]), np.array([0, 1, 2, 0])  # differences 5, −1, 0, 1
with own_work():
    three = exact_pvalue(np.array([3, 1, 4]), np.array([1, 0, 0]))
    two = exact_pvalue(np.array([4, 0]), np.array([0, 3]))
    four, turned = exact_pvalue(some, others), exact_pvalue(others, some)
    copies, again = exact_pvalue(some, some), exact_pvalue(first[:80], second[:80])
    same_again = {exact_pvalue(first[:80], second[:80]) for _ in range(6)}
print(f"three sentences {three:.3f}, four {four:.3f}, a copy {copies:.3f}")
assert same_again == {again}, (
    "the same sentences give two different p-values: do not draw anything at random"
)
assert not np.isclose(two, 3 / 4), (
    "differences 4 and −3: an exchange turns 4 into −4, and not into 0. With 0, three of the four sums would be at least as far from zero as 1"
)
assert not np.isclose(three, 1 / 8), (
    "you count one end: the mirror image of the observed difference is as far from zero"
)
assert not np.isclose(copies, 0), (
    "a system and its copy give 0: no sum is *farther* from zero than the observed one, but what about equally far?"
)
assert not np.isclose(four, 4 / 8), (
    "you count only sums of exactly the observed size; larger ones are even more surprising"
)
assert not np.isclose(four, 2 / 8), (
    "the observed difference is the sum of the differences with their signs; one of the four sentences favours the other system"
)
assert np.isclose(four, turned), (
    "p must not change if a and b are exchanged: do you take the observed difference without its sign?"
)
assert np.isclose(three, 2 / 8), (
    "differences 2, 1, 4: of the eight sums, two are as far from zero as 7"
)
assert np.isclose(four, 6 / 8) and np.isclose(copies, 1), (
    "list the sums of 5, −1, 0 and 1 with all combinations of signs, and compare"
)
p_of_pair = exact_pvalue(first, second)
print(f"a thousand sentences, Facebook-AI against NiuTrans: p = {p_of_pair:.4f}")
### BEGIN HIDDEN TESTS
drawn = mt.approximate_randomization(ter, "Facebook-AI", "NiuTrans", n_resamples=20_000, rng=1)
assert drawn.pvalue_interval[0] < p_of_pair < drawn.pvalue_interval[1], "all thousand sentences"
nine = np.arange(4, 900, 100)
for one, other in (("AFRL", "Online-A"), ("Online-B", "Online-Y")):
    counted = mt.approximate_randomization(ter.subset(nine), one, other, exact=True).pvalue
    assert np.isclose(exact_pvalue(edits[one][nine], edits[other][nine]), counted), (
        f"{one} against {other}, nine sentences"
    )
reached = {0}
for d in np.abs(first - second):
    reached = {s + d for s in reached} | {s - d for s in reached}
assert len(reached) == 1904
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About 2,000: for Facebook-AI and NiuTrans they are 1,904. Very many ways lead to the same sum. So there are few enough sums
# to go through, although there are far too many ways. This works if the statistic is a sum of whole numbers. BLEU and chrF are not, so
# their shuffles have to be drawn at random.
#
# ## Exercise 2 · Write · On which side a run ends
#
# Now that the exact p is known, we can say how well a run with few shuffles would have done. A shuffle counts if its difference is at least
# as far from zero as the observed one. Each of the `n_shuffles` shuffles does so with probability `p`. If `c` of them count, the run
# reports (c + 1) / (n_shuffles + 1), and claims a difference if this is at most `level`. The next cell has the probability of each `c`.


# %% nbgrader={"grade": false, "grade_id": "lab03-counts", "locked": true, "schema_version": 3, "solution": false, "task": false}
def chances_of_counts(n_shuffles, p):
    """How probable it is that 0, 1, … n_shuffles of the shuffles count, an array."""
    c = np.arange(n_shuffles + 1)
    ways = gammaln(n_shuffles + 1) - gammaln(c + 1) - gammaln(n_shuffles - c + 1)
    return np.exp(ways + c * np.log(p) + (n_shuffles - c) * np.log1p(-p))


# %% [markdown]
# Return the share of runs that come to the **wrong** conclusion, compared with the exact `p`: no claim although `p` is at most `level`, or
# a claim although it is above.


# %% nbgrader={"grade": false, "grade_id": "lab03-side-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def other_side(p, n_shuffles, level):
    """Share of runs, each with so many shuffles, that end on the other side of the level than p."""
    ### BEGIN SOLUTION
    reported = (np.arange(n_shuffles + 1) + 1) / (n_shuffles + 1)
    claims = chances_of_counts(n_shuffles, p)[reported <= level].sum()
    return 1 - claims if p <= level else claims
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-side-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    above, below = other_side(0.10, 20, 0.05), other_side(0.03, 20, 0.05)
    on_the_level, at_level = other_side(0.10, 19, 0.05), other_side(0.05, 100, 0.05)
print(f"20 shuffles, exact p .10: {above:.3f} of the runs claim; exact p .03: {below:.3f} do not")
assert not np.isclose(above, 0.9**20 + 20 * 0.1 * 0.9**19), (
    "20 shuffles: these runs report c / 20, as if the observed arrangement were not one of the possible ones"
)
assert not np.isclose(above, 1 - 0.9**20), (
    "exact p .10, level .05: these are the runs that make no claim, which is the right conclusion"
)
assert not np.isclose(below, 0.97**20), (
    "exact p .03, level .05: here the wrong conclusion is to make *no* claim"
)
assert not np.isclose(on_the_level, 0), (
    "19 shuffles, none of which counts: the run reports 1/20, which is not above .05, so it claims"
)
assert np.isclose(above, 0.9**20) and np.isclose(below, 1 - 0.97**20), (
    "20 shuffles and level .05: for which c is (c + 1) / 21 at most .05? Add up their chances"
)
assert np.isclose(at_level, 1 - other_side(0.0500001, 100, 0.05), atol=1e-4), (
    "an exact p of exactly .05 is not above the level: the right conclusion is a claim"
)
### BEGIN HIDDEN TESTS
from scipy.stats import binom

for p, n_shuffles, level in ((0.0298, 100, 0.05), (0.011, 999, 0.01), (0.06, 10_000, 0.05)):
    most = max(c for c in range(n_shuffles) if (c + 1) / (n_shuffles + 1) <= level)
    claimed = binom.cdf(most, n_shuffles, p)
    expected = claimed if p > level else 1 - claimed
    assert np.isclose(other_side(p, n_shuffles, level), expected, atol=1e-8), (
        f"p {p}, {n_shuffles} shuffles, level {level}"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · A tool that exchanges the wrong things
#
# This tool says that it does approximate randomization with any metric: `a` and `b` are the counts of two systems (segments × counts),
# `score` turns sums of counts into a score. The first line is its p for Facebook-AI and NiuTrans under chrF. The second line is its p for
# three outputs of NiuTrans compared with exact copies of them.


# %% nbgrader={"grade": false, "grade_id": "lab03-tool", "locked": true, "schema_version": 3, "solution": false, "task": false}
def tool_pvalue(a, b, score, n_shuffles, rng):
    """Two-sided p-value, so its author says."""
    observed = abs(score(a.sum(axis=0)) - score(b.sum(axis=0)))
    outputs = np.concatenate([a, b])
    count = 0
    for _ in range(n_shuffles):
        mixed = rng.permutation(outputs)
        one, other = mixed[: len(a)], mixed[len(a) :]
        count += abs(score(one.sum(axis=0)) - score(other.sum(axis=0))) > observed
    return count / n_shuffles


A, B = chrf.select(["Facebook-AI", "NiuTrans"]).values
print(tool_pvalue(A, B, chrf.metric.score, 1000, np.random.default_rng(3)))
print(tool_pvalue(B[:3], B[:3], chrf.metric.score, 1000, np.random.default_rng(3)))

# %% [markdown]
# It has three faults. Write the function as it should be. Count a difference as equal to the observed one if it is smaller by no more than
# `1e-9`, and take all coins from `rng`.


# %% nbgrader={"grade": false, "grade_id": "lab03-mended-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mended_pvalue(a, b, score, n_shuffles, rng):
    """Two-sided p-value of approximate randomization."""
    ### BEGIN SOLUTION
    threshold = abs(score(a.sum(axis=0)) - score(b.sum(axis=0))) - 1e-9
    moved = rng.integers(2, size=(n_shuffles, len(a))) @ (b - a)
    shuffled = score(a.sum(axis=0) + moved) - score(b.sum(axis=0) - moved)
    count = np.sum(np.abs(shuffled) >= threshold)
    return (count + 1) / (n_shuffles + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-mended-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

seen = []


def spying(sums):
    """The first of two counts, as a score; remembers both."""
    seen.extend(np.reshape(sums, (-1, 2)).tolist())
    return np.asarray(sums)[..., 0]


def seed(number):
    """A new generator of random numbers."""
    return np.random.default_rng(number)


steps = np.repeat([[1.0], [10], [100]], 2, axis=1)  # the other system has 2, 20 and 200
apart = np.repeat([[5.0]] * 40, 2, axis=1)
with own_work():
    small = mended_pvalue(steps, 2 * steps, spying, 4000, seed(1))
    back = mended_pvalue(2 * steps, steps, spying, 4000, seed(1))
    of_steps = list(seen)
    copy, extreme = (mended_pvalue(apart, b, spying, 99, seed(2)) for b in (apart, 0 * apart))
    one_seed, next_seed = (
        mended_pvalue(A[:60], B[:60], chrf.metric.score, 999, seed(s)) for s in (3, 4)
    )
allowed = {x + y + z for x in (1, 2) for y in (10, 20) for z in (100, 200)}
sums = {total for total, _ in of_steps}
assert all(total == beside for total, beside in of_steps), (
    "the two counts of a segment went to different systems: both belong to one output, so they move together"
)
assert sums <= allowed, (
    f"of 1, 10, 100 and 2, 20, 200 one system got {sorted(sums - allowed)[0]:g} in all: it has two outputs of one segment and no output of another"
)
assert len(sums) > 2, (
    "all segments are exchanged together or not at all: toss one coin for each segment"
)
assert copy == 1, (
    f"a system beside its own copy: no shuffle gives a smaller difference, so p should be 1, but it is {copy:.3f}"
)
assert extreme != 0, (
    "no shuffle reaches the observed difference, and p is 0: do you count the observed arrangement as one of the possible ones?"
)
assert abs(small - 0.125) > 0.03 and abs(back - 0.125) > 0.03, (
    "three segments that all favour one system: p should be near 2/8, but yours is near 1/8: do you count the mirror image?"
)
assert extreme == 1 / 100, (
    f"99 shuffles, none as large: p should be 1/100, but yours is {extreme:.4f}"
)
assert abs(small - 0.25) < 0.03, (
    f"three segments that all favour one system: p should be near 2/8, but it is {small:.3f}"
)
assert one_seed != next_seed, "two seeds give the same p: take the coins from `rng`"
p = mended_pvalue(A, B, chrf.metric.score, 1000, seed(3))
print(f"Facebook-AI and NiuTrans, chrF: {p:.4f}")
### BEGIN HIDDEN TESTS
eight = chrf.subset(np.arange(3, 1000, 125))
for two in (("AFRL", "Manifold"), ("Online-Y", "Online-B")):
    exact = mt.approximate_randomization(eight, *two, exact=True).pvalue
    got = mended_pvalue(*eight.select(list(two)).values, chrf.metric.score, 4000, seed(5))
    assert abs(got - exact) < 0.04, f"{two}, eight segments: exact p {exact:.3f}, yours {got:.3f}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · How many shuffles
#
# You compare some pairs in TER at a level of .05, two-sided. A run may have 100, 1,000, 10,000 or 100,000 shuffles. Take the smallest of
# the four numbers with which **at most one run in a thousand** comes to the wrong conclusion. And say what to conclude about the first
# system if all exchanges are counted: `"better"`, `"worse"`, or `"nothing found"`.
#
# Return both, the number first.


# %% nbgrader={"grade": false, "grade_id": "lab03-enough-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decision(edits_a, edits_b):
    """How many shuffles are enough, and the conclusion about the first system."""
    ### BEGIN SOLUTION
    p = exact_pvalue(edits_a, edits_b)
    enough = next(n for n in (100, 1000, 10_000, 100_000) if other_side(p, n, 0.05) <= 0.001)
    ahead = "better" if np.sum(edits_a) < np.sum(edits_b) else "worse"
    return enough, ahead if p <= 0.05 else "nothing found"
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab03-enough-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
asked = [
    ("AFRL", "Online-B"),
    ("NiuTrans", "Online-B"),
    ("NiuTrans", "Online-G"),
    ("AFRL", "NVIDIA-NeMo"),
    ("Facebook-AI", "NiuTrans"),
]
decided = {pair: decision(edits[pair[0]], edits[pair[1]]) for pair in asked}
for (a, b), said in decided.items():
    print(f"{a} against {b}: decided {said}")
none, one = np.zeros(12, dtype=int), np.ones(12, dtype=int)
clear, unclear = decision(none, one), decision(none[:6], np.array([1, 1, 1, 1, 1, -1]))
assert clear[1] != "worse", (
    "in each of twelve sentences the first system has one edit fewer: an edit is a correction, so fewer are better"
)
assert unclear[1] == "nothing found", (
    "five of six sentences favour the first system: 14 of the 64 sums are at least as far from zero, so p is .22"
)
shuffles = [said[0] for said in decided.values()]
assert len(set(shuffles)) > 1, (
    "you return the same number for all pairs: it should depend on how far the exact p is from the level"
)
assert clear == (100, "better") and decision(one, none) == (100, "worse"), (
    "all twelve sentences favour one system: p is 2 of 4,096, so far below .05 that 100 shuffles are enough"
)
exact = {pair: exact_pvalue(edits[pair[0]], edits[pair[1]]) for pair in asked}
for pair, enough in zip(asked, shuffles, strict=True):
    wrong = other_side(exact[pair], enough, 0.05)
    assert wrong <= 0.001, (
        f"{pair[0]} against {pair[1]}: with {enough:,} shuffles {wrong:.2%} of the runs end on the other side"
    )
### BEGIN HIDDEN TESTS
for pair, many in zip(asked, shuffles, strict=True):
    fewer = other_side(exact[pair], many // 10, 0.05) if many > 100 else 1
    assert fewer > 0.001, f"{pair[0]} against {pair[1]}: a tenth of the shuffles would be enough"
assert [said[1] for said in decided.values()] == [
    "worse",
    "better",
    "better",
    "nothing found",
    "nothing found",
], "the conclusion is about the first system; make a claim if the exact p is at most .05"
assert shuffles == [100, 1000, 10_000, 100_000, 1000], "the four numbers, in the order of the pairs"
assert 0.2 < other_side(exact["AFRL", "NVIDIA-NeMo"], 1000, 0.05) < 0.3  # exercise 5
for number, p in ((1, 0.058), (9, 0.040)):
    run = mt.approximate_randomization(ter, "AFRL", "NVIDIA-NeMo", n_resamples=1000, rng=number)
    assert round(run.pvalue, 3) == p and not run.exact
assert decision(edits["Online-A"], edits["Online-W"]) == (100, "nothing found"), (
    "Online-A, Online-W"
)
assert decision(edits["Online-B"], edits["AFRL"])[1] == "better", "Online-B against AFRL"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words · A lucky seed
#
# Two authors compare AFRL's system with NVIDIA's in TER. They use the package's `approximate_randomization` with 1,000 shuffles. Seed 1
# gives p = .058, and seed 9 gives p = .040. They report the second result and its seed, "so that everybody can check it", and add that a
# million shuffles would have made the test stronger. Write three or four sentences: what is wrong, and what should they report? Use your
# `other_side`.

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab03-seed-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# The exact p is .055. About one run in four with 1,000 shuffles ends below .05 by its Monte Carlo error alone, and choosing among seeds
# picks such a run. A seed makes the run repeatable, but it does not make it right. More shuffles would only show more exactly that p is
# .055. They do not make a difference easier to find; more sentences would. The authors should report p = .055 (all exchanges counted, or so
# many that the seed does not matter), two-sided, no difference found.
#
# **Rubric.** 1 point: the run was chosen among seeds, and about a quarter of such runs end below .05 although the exact p is above; the exact
# (or a far longer) run is to be reported. 1 point: more shuffles reduce only the Monte Carlo error; only more sentences make the test find more.

# %% [markdown]
# ---
#
# *Back to:* [unit 5](../../1_what_chance_can_do/05_exchange_and_count.ipynb),
# [unit 6](../../1_what_chance_can_do/06_too_many_to_count.ipynb). *Words* are in the
# [glossary](../../../docs/glossary.md).
