# %% [markdown]
# # 21 · Clusters
#
# Sort the nineteen systems of WMT21 by BLEU, and Facebook's is the sixth. "Sixth of nineteen" is what a team writes
# home. But a list from 1 to 19 says, of each of the 171 pairs, which one is better, and unit 20 found a difference in
# 59 of them. What place may a system honestly claim?
#
# <details><summary>After this unit you can …</summary>
#
# - read a table in which letters stand for clusters (question 1);
# - say what to ask when a cluster depends on the level (question 2, exercise 2);
# - find the clusters that belong to given conclusions (question 3, exercise 1).
#
# Before this: unit 20. About 21 minutes to read, 26 to teach with a discussion. New terms: cluster, conclusion,
# distinguished, indistinguishable.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 3


def contradicted(order, group_of, conclusions):
    """Pairs on which a list of groups and the conclusions part: claimed without support, and withheld."""
    group = np.array([group_of[system] for system in order])
    differ = conclusions.reorder(order).matrix != 0
    apart = group[:, None] != group[None, :]
    upper = np.triu_indices(len(group), 1)
    return int((apart & ~differ)[upper].sum()), int((~apart & differ)[upper].sum())


def best_list(order, conclusions):
    """The fewest pairs on which any list of groups in this order and the conclusions part."""
    differ = conclusions.reorder(order).matrix != 0
    withheld, open_pairs, n = np.triu(differ, 1), np.triu(~differ, 1), len(order)
    fewest = [0]
    for j in range(1, n + 1):
        costs = [fewest[i] + withheld[i:j, i:j].sum() + open_pairs[:i, i:j].sum() for i in range(j)]
        fewest.append(min(costs))
    return int(fewest[n])


# %% [markdown]
# Begin with a smaller table. Twelve systems translated from Spanish at WMT12, and we look at chrF, which counts
# characters instead of words. All 66 pairs are tested and corrected as in unit 20, by Westfall and Young; none of the
# four steps is new. What is new comes after the fourth. From here on we forget the p-values and keep what was
# concluded from them.
#
# A **conclusion** is what a judge says of a pair of systems: *better*, *indistinguishable* or *worse*. The judge here
# is a test. (In part 5 it will be people.) **Distinguished** is said of two systems about which a judge concludes
# *better* or *worse*. **Indistinguishable** means that no difference was detected. It never means that they are
# equal.

# %%
import mtsig_nb as mt

chrf = mt.load("wmt12/es-en").statistics("chrF")
twelve = mt.compare_all(chrf, correction="westfall-young", interval=None, rng=2007)
found = twelve.conclusions(alpha=0.05)
chrf.scores().head(5)

# %% [markdown]
# The winner is far ahead. Behind it four systems lie within half a point.
#
# ## Sugar in coffee
#
# Take a cup of coffee without sugar, one with a single grain, one with two grains, and so on to a cup with three
# spoons. No two neighbours can be told apart by anybody's tongue. The first and the last can be told apart by
# everybody's.
#
# > **Make a guess.** The test finds no difference between QCRI's system and uedin's, and none between uedin's and
# > online-A. What does it say of QCRI's and online-A: surely no difference, surely a difference, or does it
# > depend?
# >
# > <details><summary>surely no difference</summary>If equality had been shown, it would follow. No difference was
# > found, which is less.</details>
# > <details><summary>surely a difference</summary>It might as well be that none is found.</details>
# > <details class="right"><summary>it depends</summary>So it does: two steps too small to be noticed may make one
# > that is noticed.</details>

# %%
for one, other in itertools.combinations(("QCRI--primary", "uedin-wmt12", "onlineA"), 2):
    print(one, "against", other, "is", found.word(one, other))

# %% tags=["remove-input"]
A, B, C = "QCRI--primary", "uedin-wmt12", "onlineA"
assert found.conclusion(A, B) == found.conclusion(B, C) == 0 and found.conclusion(A, C) == 1
scores = chrf.scores()
assert scores[A] - scores["UPC"] <= 0.51 and scores["onlineB"] - scores[A] > 2

# %% [markdown]
# **The guess.** It depends, and here it says *better*. Two steps, each too small to be noticed, make one that is
# noticed. The test finds QCRI's system better than online-A. It does not find uedin's better than online-A, and it
# does not find QCRI's better than uedin's. What it finds for two pairs does not settle the third. With equality this cannot happen: if a = b and b = c, then a = c. So
# "indistinguishable" cannot be a kind of equality, and there are no three ranks that would fit. If the first two
# share a rank because nothing tells them apart, then so must the last two, and all three share it; but the first and
# the third were distinguished.
#
# ## Let them overlap
#
# Stroppa and Owczarzak (2007) proposed to give up the idea that each system has one place. A **cluster** is a set of
# systems no two of which were distinguished, and to which no other could be added. The system in the middle may be in
# two of them. With the four systems behind the winner we can go through all fifteen sets. (For two sets, `s < larger`
# asks whether the first is a part of the second.)

# %%
four = ["QCRI--primary", "uedin-wmt12", "onlineA", "UPC"]
sets = [set(c) for size in (1, 2, 3, 4) for c in itertools.combinations(four, size)]
alike = [s for s in sets if all(found.conclusion(*p) == 0 for p in itertools.combinations(s, 2))]
[s for s in alike if not any(s < larger for larger in alike)]

# %% tags=["remove-input"]
by_hand = [s for s in alike if not any(s < larger for larger in alike)]
assert len(sets) == 15 and len(alike) == 9 and by_hand == [set(four[:2]), set(four[1:])]
assert by_hand == [set(g) for g in mt.clusters(found.reorder(chrf.systems)).groups if g[-1] in four]

# %% [markdown]
# Nine of the fifteen contain no difference (a single system is such a set, too). Seven of these are parts of larger
# ones, and two are left. uedin's system is in both. The package finds the clusters of all twelve without trying every
# set, and draws them as the authors do in their Figure 1:

# %%
groups = mt.clusters(found)
picture = groups.plot()

# %% tags=["remove-input", "remove-output"]
headline("WMT12 es-en, chrF, α = .05: clusters of twelve systems", len(groups.groups))
letters = groups.letters()
assert len(groups.groups) == 7 and letters["uedin-wmt12"] == "bc" and groups.is_ordered
for a, b in itertools.combinations(groups.systems, 2):
    assert (found.conclusion(a, b) == 0) == bool(set(letters[a]) & set(letters[b]))
assert sum(len(own) > 1 for own in letters.values()) == 1

# %% [markdown]
# The systems are listed from the best score down, and each bar is a cluster, with the best at the left. Look for
# uedin's row: two bars run through it, b and c, and this is the only row with two. QCRI's has b alone and online-A c
# alone, so no bar joins them. The winner and the last have clusters of their own. If everybody had been distinguished
# from everybody, there would be twelve dots on a diagonal; if nobody, one bar from top to bottom.
#
# In a paper's table there is no room for bars, but letters say the same, one for each cluster: onlineB a, QCRI b,
# uedin bc, online-A c. To read them there is one rule. *Two systems were distinguished if and only if they have no
# letter in common.*
#
# ## Nineteen, at last
#
# WMT itself prints clusters, which do not overlap. There a cluster ends where *every* system above a line was found
# better than *every* system below it.
#
# > **Make a guess.** Of the nineteen systems of WMT21, 59 pairs are distinguished by BLEU. Into how many of WMT's
# > clusters do they fall: nine, three, or one?
# >
# > <details><summary>nine</summary>A cluster of WMT's ends only where all above beat all below. There are few such
# > places.</details>
# > <details><summary>three</summary>There are fewer such places than that.</details>
# > <details class="right"><summary>one</summary>So it is, although 59 pairs are distinguished.</details>

# %%
bleu = mt.load("wmt21/de-en").statistics("BLEU")
nineteen = mt.compare_all(bleu, correction="westfall-young", interval=None, rng=2014)
nineteen = nineteen.conclusions(alpha=0.05)
ranks = mt.rank_table(nineteen).set_index("system")
ranks.iloc[[0, 1, 5, 8, 12, 18]][["letters", "wmt_cluster", "rank_top", "rank_bottom"]]

# %%
many = mt.clusters(nineteen)
picture = many.plot()

# %% tags=["remove-input", "remove-output"]
headline("WMT21 de-en, BLEU, α = .05: overlapping clusters of nineteen systems", len(many.groups))
headline("the same, WMT's clusters", int(ranks["wmt_cluster"].max()))
order = list(ranks.index)
assert order[5] == "Facebook-AI" and [order[k] for k in (0, 1, 8)] == [
    "VolcTrans-GLAT",
    "Borderline",
    "SMU",
]
own = ranks.loc["Facebook-AI"]
assert (own["letters"], own["rank_top"], own["rank_bottom"]) == ("abcdef", 1, 16)
assert len(many.groups) == 9 and ranks["wmt_cluster"].max() == 1 and not many.is_ordered
assert (
    nineteen.conclusion("VolcTrans-GLAT", "Online-A")
    == 1
    == nineteen.conclusion("Borderline", "SMU")
)
assert {"VolcTrans-GLAT", "SMU"} <= set(many.groups[1]) and {"Borderline", "Online-A"} <= set(
    many.groups[2]
)
assert own["wins"] == 3 and own["losses"] == 0
assert min(len(g) for g in many.groups) == 3 and max(len(g) for g in many.groups) == 11
lists = {
    "from 1 to 19": contradicted(order, dict(zip(order, range(19), strict=True)), nineteen),
    "WMT's": contradicted(order, ranks["wmt_cluster"], nineteen),
    "downwards": contradicted(order, ranks["greedy_rank"], nineteen),
}
assert lists == {"from 1 to 19": (112, 0), "WMT's": (0, 59), "downwards": (49, 0)}
assert best_list(order, nineteen) == 37 and ranks["greedy_rank"].max() == 3 and 2**18 == 262_144

# %% [markdown]
# The picture is the same kind as before, with longer bars. Look at Facebook's row, the sixth, and count: six bars run
# through it, from a to f. Where a bar thins to a line, it passes a system that does not belong to it. Now try to draw
# a horizontal line across the picture that cuts no bar. There is none. Wherever you would end one rank and begin the
# next, some pair on the two sides of the line was never told apart. In the picture of the twelve there are five such
# lines.
#
# **The guess.** One. All nineteen are in a single cluster of WMT's, from a system with 35.0 to one with 31.2, although
# 59 pairs were distinguished. And the place that Facebook's system may claim? It was distinguished from three systems,
# each time as the better one, and from no others. If these conclusions are right, it may be the first, or as late as
# the sixteenth. That is what the last two columns say, the best and worst rank that its wins and losses leave open. WMT
# has printed rank ranges in its tables, too, for example in 2024.
#
# ## Every list says too much or too little
#
# A list of groups, one below the other, speaks about each pair: two systems of one group do not differ, two of
# different groups do. It can go wrong by claiming a difference that no test supports, and by withholding one that a
# test has found. The list from 1 to 19 claims 112 differences without support. WMT's cluster claims nothing, and
# withholds all 59. A third way is to go down the list and to open a new group with the first system that is beaten by
# somebody of the present one. It gives three groups, withholds nothing here, and claims 49 too many.
#
# Between the nineteen there are eighteen places for a line, so 262,144 such lists. The best of them still says the
# wrong thing about 37 pairs. Only bars that may overlap say what was found, no more and no less.
#
# Unlike the groups of a list, overlapping clusters need not have an order. Cluster b has VolcTrans-GLAT and SMU;
# cluster c has Borderline and Online-A. VolcTrans-GLAT was found better than Online-A, which would put b above c.
# Borderline was found better than SMU, which would put c above b. Neither cluster is above the other. The package says
# so in the title, and does not choose.
#
# ## The level decides
#
# How many clusters there are is no property of the systems. Ask more strictly, and fewer pairs are distinguished.
#
# > **Make a guess.** For the twelve systems: with a level of .001 instead of .05, are there more clusters, fewer,
# > or as many?
# >
# > <details><summary>more</summary>A stricter level distinguishes less, but clusters overlap, and their number may
# > stay.</details>
# > <details><summary>fewer</summary>There would be fewer if a cluster that became longer had swallowed another. Here
# > none does.</details>
# > <details class="right"><summary>as many</summary>So it is here: seven and seven.</details>

# %%
levels = [0.001, 0.05, 0.2]
picture, panels = plt.subplots(1, len(levels), figsize=(7.2, 3.1), layout="constrained")
for level, panel in zip(levels, panels, strict=True):
    mt.clusters(twelve.conclusions(level)).plot(ax=panel)
    panel.set_title(f"p ≤ {level:g}", loc="left")
for panel in panels[1:]:
    panel.set_yticklabels([])
style.describe(picture, "Clusters of twelve systems: 7 at .001, 7 at .05, 10 at .2.")

# %% tags=["remove-input"]
by_level = [mt.clusters(twelve.conclusions(level)) for level in levels]
assert [len(found.groups) for found in by_level] == [7, 7, 10]
assert [int((found.conclusions.pairs() != 0).sum()) for found in by_level] == [58, 59, 63]
assert len({found.systems for found in by_level}) == 1
strict = by_level[0]
assert ("QCRI--primary", "uedin-wmt12", "onlineA") in [tuple(g) for g in strict.groups]

# %% [markdown]
# Each panel is a level, the strictest at the left, after Stroppa and Owczarzak's Figure 3. Compare the first two panels
# at the second bar. At .001 it is longer by online-A: QCRI's system and online-A are no longer distinguished. At the
# right, at .2, some bars have come apart into dots, and there are three clusters more.
#
# **The guess.** As many: seven and seven, though one pair fewer is distinguished. A stricter level makes clusters
# *longer*, and there are fewer of them only where a long one swallows a short one. Here it does not. So count
# clusters if you like, but do not read the number as a measure of how much was found.
#
# In Stroppa and Owczarzak's own data, six systems fell into four clusters by fluency at .05, and at .001 into a
# single one. They call this inevitable. It may have another reason. They drew a thousand shuffles, whose smallest
# p-value is about .001 (unit 19), so that at this level hardly anything *could* be distinguished.
#
# ## What this does not tell you
#
# - **That the systems of a cluster are equal.** With more sentences it may fall apart. A cluster joins systems between
#   which no difference was found.
# - **How far apart two clusters are.** A bar has no scale. Look at the differences, with intervals.
# - **Whether the judge is any good.** A poor metric has clusters as neat as those of a good one, and people may
#   have others (unit 25).
#
# ## Check yourself
#
# > **In a table, system A has the letters abc and system B has the letter a. Which of them is better placed?**
# >
# > <details class="right"><summary>They were not distinguished</summary>This is correct.</details>
# > <details><summary>A, it has more letters</summary>More letters mean that A was told apart from fewer
# > systems.</details>
# > <details><summary>B, it stands in no cluster but the first</summary>So far true. But A has the letter a as well, and
# > the two were not distinguished.</details>
#
# <details><summary>Answer</summary>
#
# The letters alone say that they were not distinguished, since they share a. More letters do not mean a better place.
# They say only how many clusters a system is in. B is in no cluster but the first, which means that it was
# distinguished from every system outside of it.
#
# </details>
#
# > **A team was in the top cluster at .01, and is not at .05. Its report gives the first. What would you ask?**
# >
# > <details><summary>How many sentences it has</summary>That matters as well. First ask why the level that helps was
# > taken.</details>
# > <details><summary>Nothing: a stricter level is more honest</summary>That is true for claims of a difference. But a
# > team in the top cluster wants no difference to be found, and a stricter level makes that easier.</details>
# > <details class="right"><summary>Whether the level was chosen before looking</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Whether the level was chosen before looking. To be in the top cluster is to be *not* distinguished from the others in
# it, and a stricter level makes that easier. So do fewer sentences. So a system can reach the top cluster because the
# test had less power.
#
# </details>
#
# > **A was distinguished from B, and C from D; no other pair of the four was. How many clusters are there?**
# >
# > <details><summary>Two</summary>A and B cannot be together, nor C and D. Each of the other four pairs can be
# > together, which makes four clusters.</details>
# > <details class="right"><summary>Four</summary>This is correct.</details>
# > <details><summary>One</summary>In a cluster nobody is told apart from anybody. A and B were.</details>
#
# <details><summary>Answer</summary>
#
# Four: A and C, A and D, B and C, B and D. Each system is in two. Of some of the clusters it cannot be said which is
# above the other, A and D or B and C, for instance.
#
# </details>
#
# ## Exercises
#
# **1.** Invent three systems, of which A beats B, B beats C and C beats A, with `mt.Conclusions.from_pairs`. What
# does `mt.clusters` say?
#
# <details><summary>Answer</summary>
#
# `mt.clusters(mt.Conclusions.from_pairs({("A", "B"): 1, ("B", "C"): 1, ("A", "C"): -1}))` has three clusters of one,
# and says that significance goes round in a circle. Scores cannot do that, but the majorities of people can.
#
# </details>
#
# **2.** Compare the twelve systems in chrF with `correction=None` and `n_resamples=1000`, and cluster them at a level
# of .0009. Then with 10,000 shuffles.
#
# <details><summary>Answer</summary>
#
# One cluster with all twelve; then seven. A thousand shuffles cannot give a p-value below 1/1,001, which is more than
# .0009, however different the systems are.
#
# </details>

# %% tags=["remove-input"]
cycle = mt.Conclusions.from_pairs({("A", "B"): 1, ("B", "C"): 1, ("A", "C"): -1})
assert len(mt.clusters(cycle).groups) == 3 and "circle" in str(mt.clusters(cycle))
crossed = dict.fromkeys(itertools.combinations("ABCD", 2), 0) | {("A", "B"): 1, ("C", "D"): 1}
crossed = mt.clusters(mt.Conclusions.from_pairs(crossed))
assert sorted("".join(sorted(g)) for g in crossed.groups) == ["AC", "AD", "BC", "BD"]
assert not crossed.is_ordered
for shuffles, number in ((1000, 1), (10_000, 7)):
    plain = {"correction": None, "interval": None, "n_resamples": shuffles, "rng": 2007}
    strict = mt.compare_all(chrf, **plain).conclusions(alpha=0.0009)
    assert len(mt.clusters(strict).groups) == number
cuts = [
    k for k in range(1, 12) if all(found.reorder(list(scores.index)).matrix[:k, k:].ravel() == 1)
]
assert len(cuts) == 5
assert not [k for k in range(1, 19) if all(nineteen.reorder(order).matrix[:k, k:].ravel() == 1)]

# %% [markdown]
# ---
#
# *Before this:* [unit 20, Comparisons that share systems](20_comparisons_that_share_systems.ipynb). *After this:* [unit
# 22, From ratings to a gold standard](../5_people/22_from_ratings_to_a_gold_standard.ipynb). *To practise:* [lab
# 9](../labs/student/lab_09_clusters.ipynb). *Systems of your own?* [The bench](../bench/your_own_systems.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
