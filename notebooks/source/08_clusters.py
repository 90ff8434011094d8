# %% [markdown]
# # 08 · Clusters
#
# A ranking of twelve systems makes 66 claims, one for each pair, and some of them are mere hope. This notebook replaces the
# ranking by what the tests support: clusters that may overlap.
#
# **You will be able to**
#
# - show on real data that "no difference detected" is not transitive;
# - find the clusters of a few systems by hand, and of many with the package; draw them and give them letters;
# - say how WMT's clusters and rank ranges differ from these, and what each of them hides;
# - compare two clusterings with the ordered Rand score, and know what a lazy test would score;
# - argue about who came second, on evidence.
#
# *Before this: notebook 07 (many systems). About 40 minutes.*

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb import plots
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

pd.options.display.precision = 3

# %% [markdown]
# ## Who came second?
#
# WMT12, Spanish to English, twelve systems, chrF:

# %%
campaign = mt.load("wmt12/es-en")
chrf = campaign.statistics("chrF")
chrf.scores().head(6).round(2).to_frame().T

# %% [markdown]
# The winner is far ahead. Behind it four systems lie close together. A ranking would hand out ranks 2, 3, 4 and 5. For each of
# the 66 pairs, then:
#
# **Null hypothesis.** The two systems are exchangeable within every sentence.
#
# **Alternative hypothesis.** They are not; one of them is better, and we did not say beforehand which.
#
# The statistic is the difference in chrF, and large values on either side speak against the null hypothesis. All pairs together,
# corrected after Westfall & Young (notebook 07), whose p-values can become small enough for the strict levels that we shall want.

# %%
everybody = mt.compare_all(chrf, correction="westfall-young", interval=None, rng=2007)
found = everybody.conclusions(alpha=0.05)
found

# %% [markdown]
# From here on we need nothing but **conclusions**: for each pair *better*, *worse*, or *indistinguishable*. The last word means
# "no difference was detected", never "equal".
#
# ## Not transitive
#
# > **Predict before you run.** A cannot be told from B, nor B from C. Can A be told from C?

# %%
A, B, C = "QCRI--primary", "uedin-wmt12", "onlineA"
for one, other in ((A, B), (B, C), (A, C)):
    print(f"{one} against {other}: {found.word(one, other)}")

# %%
assert found.conclusion(A, B) == found.conclusion(B, C) == 0 and found.conclusion(A, C) == 1

# %% [markdown]
# Two small steps, neither of them visible, make one that is. So there are no "tiers" into which these three would fall. If `A` and `B` share
# a rank because we cannot tell them apart, so do `B` and `C`; but then `A` and `C` would share it too, and they differ.
#
# ## Clusters by hand
#
# Stroppa & Owczarzak (2007) let `B` be in two clusters. **A cluster is a set of systems no two of which can be told apart, and to which
# no other system could be added.** With five systems we can try every set.

# %%
five = [A, B, C, "UPC", "jhu-hiero"]
words = [[found.word(row, column) if row != column else "" for column in five] for row in five]
pd.DataFrame(words, index=five, columns=five)


# %%
def no_two_differ(group):
    """Whether no pair of the group was distinguished."""
    return all(found.conclusion(a, b) == 0 for a, b in itertools.combinations(group, 2))


every_set = [set(group) for size in range(1, 6) for group in itertools.combinations(five, size)]
mutual = [group for group in every_set if no_two_differ(group)]
print(f"{len(every_set)} sets, of which {len(mutual)} contain no difference")

# %%
by_hand = [group for group in mutual if not any(group < larger for larger in mutual)]
for group in by_hand:
    print(", ".join(system for system in five if system in group))

# %%
of_five = mt.clusters(found.reorder(five))
assert sorted(map(sorted, by_hand)) == sorted(map(sorted, of_five.groups))
of_five

# %% [markdown]
# (In the language of graphs: join what cannot be told apart; the clusters are the maximal cliques. The package uses an algorithm that
# does not try every set.)
#
# ### Their order
#
# One cluster is **above** another if some system of it is better than some system of the other, and none is worse.


# %%
def above(c, d):
    """Whether the conclusions support that cluster c is better than cluster d."""
    between = [found.conclusion(a, b) for a in c for b in d]
    return max(between) == 1 and min(between) >= 0


in_order = all(above(c, d) for c, d in itertools.combinations(of_five.groups, 2))
assert in_order and of_five.is_ordered

# %% [markdown]
# ## All twelve

# %%
groups = mt.clusters(found)
headline("WMT12 es-en, chrF, α = .05: clusters of twelve systems", len(groups.groups))
groups

# %%
fig = groups.plot()
thick = [line for line in fig.axes[0].lines if line.get_linewidth() > 5]
assert len({line.get_xdata()[0] for line in thick}) == len(groups.groups)
plt.show()

# %% [markdown]
# *After Stroppa & Owczarzak (2007), Figure 1. Systems from best to worst, one bar for each cluster, best cluster at the left. A system with two
# bars is in two clusters: it separates neither from the other.*
#
# In a table there is no room for bars. Letters say the same: **two systems differ if and only if they have no letter in
# common.**

# %%
letters = groups.letters()
for a, b in itertools.combinations(groups.systems, 2):
    assert (found.conclusion(a, b) == 0) == bool(set(letters[a]) & set(letters[b]))
pd.DataFrame({"chrF": chrf.scores().round(1), "letters": letters}).sort_values(
    "chrF", ascending=False
).T

# %% [markdown]
# ## The level decides
#
# How many clusters there are is not a property of the systems. It depends on the level at which we ask.

# %%
by_level = mt.clusters_by_level(everybody, levels=[0.001, 0.01, 0.05, 0.1])
by_level

# %%
fig = by_level.plot()
shown = [int(text.get_text().split("\n")[1].split()[0]) for text in fig.axes[0].texts]
assert shown == [len(c.groups) for c in by_level]
table = by_level.to_frame().set_index("level")
assert table["distinguished"].is_monotonic_increasing
assert table.loc[0.01, "distinguished"] < table.loc[0.05, "distinguished"]
assert table.loc[0.01, "n_clusters"] == table.loc[0.05, "n_clusters"]
plt.show()

# %% [markdown]
# *After their Figure 3. From left to right the level becomes more lenient, and more pairs are told apart. The number of
# clusters need not grow with them: from .01 to .05 a cluster only loses a member to its neighbour. In a running notebook
# the next cell has a slider for the level.*


# %% tags=["nbval-ignore-output"]
def clusters_at(ax, level):
    plots.cluster_diagram(mt.clusters(everybody.conclusions(alpha=level)), ax=ax)


movable(clusters_at, level=[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2])

# %% [markdown]
# ## What people say
#
# In 2012, people ranked five outputs at a time. A sign test on their preferences gives conclusions of the same kind (notebook 09); as in
# WMT's own reports, they are not corrected.

# %%
people = campaign.human.conclusions(alpha=0.05)
judged = mt.clusters(people)
judged

# %%
fig = judged.plot()
assert len({line.get_xdata()[0] for line in fig.axes[0].lines if line.get_linewidth() > 5}) == len(
    judged.groups
)
plt.show()

# %% [markdown]
# *People's clusters are larger and overlap more: there were only so many judgements of each pair. Where a bar thins to a line, it passes a
# system that is not in the cluster.*
#
# ### Where there is no order
#
# The note says that two clusters are not ordered. Look for the conclusions that contradict each other:

# %%
rows, columns = np.nonzero(np.triu(judged.relation != 1, k=1))
b, c = judged.groups[rows[0]], judged.groups[columns[0]]
for one, other in itertools.product(b, c):
    if people.conclusion(one, other):
        print(f"{one} is {people.word(one, other)} than {other}")

# %%
verdicts = {people.conclusion(one, other) for one, other in itertools.product(b, c)}
assert verdicts >= {1, -1} and not judged.is_ordered

# %% [markdown]
# Some of the one are better than some of the other, *and the other way round*. No order of the two clusters says both. Scores with one
# threshold cannot get into this state; tests can, because differences between some pairs are better known than between others.
#
# ## Let people argue
#
# A press release wants one list. Here are four honest ways to make one from the same conclusions.

# %%
ranked = mt.rank_table(people)
ranked

# %% [markdown]
# | column | what it is | what it hides |
# | --- | --- | --- |
# | `letters` | overlapping clusters, as above | nothing but the direction |
# | `wmt_cluster` | a cluster ends where *all* above beat *all* below (WMT) | differences within a cluster |
# | `rank_top`, `rank_bottom` | ranks that wins and losses leave open (WMT 2024) | who is told from whom |
# | `greedy_rank` | go down the list; a new rank begins with the first system that is beaten | everything that depends on the order of the list |
#
# What does a list of *disjoint* groups say? That there is no difference within a group, and that every group beats all those below. So it can go wrong
# in two ways: claim a difference that the tests do not support, or withhold one that they do.


# %%
def unsupported_and_withheld(group_of):
    """In how many pairs a list of groups claims too much, and in how many too little."""
    group = np.array([group_of[system] for system in people.systems])
    claimed = np.sign(group[None, :] - group[:, None])  # +1 where the row's group comes first
    upper = np.triu_indices(len(group), 1)
    wrong = (claimed != people.matrix)[upper]
    return int((wrong & (claimed[upper] != 0)).sum()), int((wrong & (claimed[upper] == 0)).sum())


# %%
ranked = ranked.set_index("system")
lists = {"WMT's clusters": ranked["wmt_cluster"], "greedy ranks": ranked["greedy_rank"]}
lists["hard ranking"] = pd.Series(range(12), index=ranked.index)
faults = pd.DataFrame({name: unsupported_and_withheld(groups) for name, groups in lists.items()}).T
faults.columns = ["unsupported", "withheld"]
faults

# %%
assert faults.loc["WMT's clusters", "unsupported"] == 0 == faults.loc["hard ranking", "withheld"]
assert 0 < faults.loc["greedy ranks", "unsupported"] < faults.loc["hard ranking", "unsupported"]

# %% [markdown]
# WMT's clusters never claim too much, and keep silent about a lot. The hard ranking does the opposite. Greedy ranks lie
# between: they separate systems at the border of two ranks that nobody has told apart.
#
# > **Your turn.** Write a list of your own: each system gets the number of its group. Can you get down to zero?

# %%
yours = dict.fromkeys(people.systems, 2) | {"onlineA": 1, "onlineB": 1, "uk-dan-moses": 3}
print("unsupported {}, withheld {}, of 66 pairs".format(*unsupported_and_withheld(yours)))

# %% [markdown]
# You cannot: no two systems of one group may differ, and "indistinguishable" is not transitive here. But how close can you get? There are eleven
# places at which a list in the order of the scores may be cut, so $2^{11}$ lists. Try them all:

# %%
every_list = [np.cumsum((0, *cuts)) for cuts in itertools.product([0, 1], repeat=11)]
costs = np.array(
    [
        unsupported_and_withheld(dict(zip(ranked.index, groups, strict=True)))
        for groups in every_list
    ]
)
headline(
    "people, WMT12 es-en: fewest of 66 pairs on which a list of disjoint groups and the conclusions part",
    costs.sum(axis=1).min(),
)
assert costs.sum(axis=1).min() > 0 and len(every_list) == 2**11
fewest = costs[costs[:, 0] == 0, 1].min()
print(f"a list that claims nothing unsupported withholds {fewest} differences at least")
assert fewest == faults.loc["WMT's clusters", "withheld"]

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.6, 3.8), layout="constrained")
ax.scatter(*costs.T, s=12, color=style.MUTED, label="lists of disjoint groups")
colours = (style.BLUE, style.GREEN, style.VERMILION)
for (name, cost), colour, marker in zip(faults.iterrows(), colours, "sDo", strict=True):
    ax.plot(*cost, marker, color=colour, markersize=9, linestyle="", label=name)
ax.plot(0, 0, "*", color="black", markersize=13, linestyle="", label="overlapping clusters")
ax.set(
    xlabel="pairs of 66 claimed to differ without support",
    ylabel="differences of the conclusions withheld",
)
ax.legend(fontsize="small")
style.describe(
    fig,
    "Every list of disjoint groups by unsupported claims and withheld differences: none "
    "reaches the corner without either, where the overlapping clusters are.",
)
assert len(ax.collections[0].get_offsets()) == 2**11 and not (costs.sum(axis=1) == 0).any()
plt.show()

# %% [markdown]
# *All 2,048 ways to cut the list of twelve systems into groups. To the right are false claims, upwards is silence; they are faults of
# different kinds, and need not weigh the same. No list is without either. The letters are, because groups may overlap.*
#
# Questions to argue about, with the table in hand:
#
# 1. `onlineA` and `onlineB`: may either be called the winner? Who else may?
# 2. WMT's clusters are few and large. Is that a fault of the definition, or of the number of judgements?
# 3. A team is in the top cluster at α = .05, and not at .1. What should its press release say?
# 4. Is "not distinguished from the winner" a rank to be proud of, if collecting *fewer* judgements makes it easier to reach?
#
# ## How alike are two clusterings?
#
# Stroppa & Owczarzak's **ordered Rand score** asks two judges about each pair. Both say the same: 1. One sees a difference
# and the other does not, a weak disagreement: 0. They see opposite differences, a strong disagreement: −1. Then the mean.
#
# In their example two clusterings of six systems agree on 10 pairs, and disagree weakly on 5.

# %%
agreements, weak, strong = 10, 5, 0
score = (1 * agreements + 0 * weak - 1 * strong) / (agreements + weak + strong)
print(f"ordered Rand score: {score:.2f}")
assert f"{score:.2f}" == "0.67" and agreements + weak + strong == len(
    list(itertools.combinations("ABCDEF", 2))
)

# %% [markdown]
# With two clusterings of six systems of our own that do just that:

# %%
six = list(itertools.combinations("ABCDEF", 2))
unsure = [("B", "D"), ("B", "E"), ("C", "D"), ("C", "E"), ("C", "F")]
first = {pair: int(pair[0] in "ABC" and pair[1] in "DEF") for pair in six}
second = first | dict.fromkeys(unsure, 0)
first, second = mt.Conclusions.from_pairs(first), mt.Conclusions.from_pairs(second)
for conclusions in (first, second):
    print(" · ".join("".join(group) for group in mt.clusters(conclusions).groups))

# %%
total = 0
for a, b in six:
    c, d = first.conclusion(a, b), second.conclusion(a, b)
    total += 1 if c == d else c * d  # one of them 0: nothing; opposite signs: -1
print(f"by hand {total / 15:.2f}, package {mt.ordered_rand(first, second):.2f}")
assert np.isclose(total / 15, score) and np.isclose(mt.ordered_rand(first, second), score)

# %% [markdown]
# ## Metrics among themselves, and against people
#
# Six metrics, the same twelve systems, the same shuffles.

# %%
options = {"correction": "westfall-young", "interval": None, "rng": 2007}
judges = {
    name: mt.compare_all(campaign.statistics(name), **options).conclusions(alpha=0.05)
    for name in ("BLEU", "NIST", "TER", "GTM", "METEOR", "chrF")
}
judges["people"] = people

# %%
rand = pd.DataFrame({a: {b: mt.ordered_rand(judges[a], judges[b]) for b in judges} for a in judges})
rand.round(2)

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.2, 5.2), layout="constrained")
image = ax.imshow(rand, cmap="Blues", vmin=0, vmax=1.2)
for row, column in itertools.product(range(7), range(7)):
    value = rand.iloc[row, column]
    ax.text(
        column,
        row,
        f"{value:.2f}",
        ha="center",
        va="center",
        color="white" if value > 0.8 else "black",
    )
ax.set_xticks(range(7), rand.columns, rotation=45, ha="right")
ax.set_yticks(range(7), rand.index)
ax.set_title("WMT12 es-en: ordered Rand score, α = .05", loc="left", fontsize="medium")
style.describe(
    fig,
    "Table of ordered Rand scores between the conclusions of metrics and people, darker where"
    " they agree more.",
)
assert len(ax.texts) == 49
plt.show()

# %% [markdown]
# *What Stroppa & Owczarzak tabulate in their Tables 1 and 2, on another campaign: metrics against people (last row), metrics against
# metrics (the rest). Metrics agree with each other much more than any of them agrees with people.*

# %%
among = rand.iloc[:6, :6].to_numpy()[np.triu_indices(6, 1)]
with_people = rand["people"].drop("people").sort_values(ascending=False)
assert among.min() > with_people.max()
headline(
    "ordered Rand with people, WMT12 es-en, best metric",
    f"{with_people.index[0]}, {with_people.iloc[0]:.2f}",
)

# %%
closest = with_people.index[0]

# %% tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
for ax, name in zip(axes, (closest, "people"), strict=True):
    plots.cluster_diagram(mt.clusters(judges[name]), ax=ax)
    ax.set_title(f"{name}: {len(mt.clusters(judges[name]).groups)} clusters", loc="left", pad=24)
style.describe(
    fig,
    "Cluster diagrams of the metric closest to people and of people, side by side.",
)
assert [len(ax.get_yticklabels()) for ax in axes] == [12, 12]
plt.show()

# %% [markdown]
# *The metric that comes closest, beside people. The metric tells more pairs apart: it scores every sentence of every system,
# and always in the same way.*
#
# Where do they part?

# %%
agreement = mt.agreement(judges[closest], people)
agreement.kinds.to_frame(f"{closest} against people").T

# %% [markdown]
# *Missed*: only people see a difference. *Unfounded*: only the metric does. *Opposite*: the strong disagreements. Notebook 10 goes on from here.
#
# ### Is that much?
#
# Two yardsticks. A **hard ranking**, which pretends that every difference counts; and a **lazy test**, which never finds anything.


# %%
def as_ranking(scores):
    """The conclusions of somebody who believes every difference in score."""
    n = len(scores)
    return mt.Conclusions(
        tuple(scores.index), np.triu(np.ones((n, n)), 1) - np.tril(np.ones((n, n)), -1)
    )


# %%
lazy = mt.Conclusions(people.systems, np.zeros((12, 12)))
yardsticks = pd.DataFrame({"clusters": with_people})
rankings = {
    metric: as_ranking(campaign.statistics(metric).scores()) for metric in with_people.index
}
yardsticks["hard ranking"] = [mt.ordered_rand(ranking, people) for ranking in rankings.values()]
yardsticks["lazy test"] = mt.ordered_rand(lazy, people)
yardsticks.round(2)

# %%
assert (yardsticks["clusters"] > yardsticks["hard ranking"]).all()
assert (yardsticks["clusters"] > yardsticks["lazy test"]).all()

# %%
open_pairs = people.pairs() == 0
best_ranking = 1 - open_pairs.mean()
silent = {m: (judges[m].reorder(people.systems).pairs() == 0)[open_pairs].mean() for m in rankings}
print(
    f"people leave {open_pairs.sum()} pairs open, so a ranking scores {best_ranking:.2f} at best;"
)
print(f"{np.isclose(yardsticks['hard ranking'], best_ranking).sum()} of six rankings do")
gain = (yardsticks["clusters"] - yardsticks["hard ranking"]).loc[list(silent)]
assert (gain <= pd.Series(silent) * open_pairs.mean() + 1e-9).all()

# %% [markdown]
# For every metric the clusters agree with people better than its ranking. Do not make much of it. A ranking decides every pair, so it
# cannot agree where people leave one open, and most of the rankings score as much as a ranking can. What the clusters gain, they gain
# on those pairs alone, by being silent where people are. (The comparison is ours. Stroppa & Owczarzak do not test it, and disclaim it
# in their footnote 2.)
#
# And the lazy test scores well above zero without doing anything. On other campaigns it does better still:


# %%
def against_people(name):
    """Ordered Rand with people, on the systems that were judged: four metrics and the lazy test."""
    campaign = mt.load(name)
    gold = campaign.human.conclusions(alpha=0.05)
    shared = [system for system in gold.systems if system in campaign.systems]
    gold = gold.reorder(shared)
    row = {"lazy test": np.mean(gold.pairs() == 0)}
    for metric in ("BLEU", "NIST", "GTM", "chrF"):
        tested = mt.compare_all(
            campaign.statistics(metric).select(shared), n_resamples=1000, **options
        )
        row[metric] = mt.ordered_rand(tested.conclusions(alpha=0.05), gold)
    return row


# %%
names = [
    "wmt12/es-en",
    "wmt13/es-en",
    "wmt21/de-en",
    "wmt21/is-en",
    "wmt21/ja-en",
    "wmt22/ja-en",
    "wmt22/zh-en",
]
campaigns = pd.DataFrame({name: against_people(name) for name in names}).T
campaigns.round(2)

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
places = np.arange(len(campaigns))
for metric, colour, marker in zip(campaigns.columns[1:], style.CYCLE, style.MARKERS, strict=False):
    ax.plot(campaigns[metric], places, marker, color=colour, label=metric)
ax.plot(
    campaigns["lazy test"],
    places,
    "|",
    color="black",
    markersize=22,
    markeredgewidth=2,
    label="lazy test",
)
ax.set_yticks(places, campaigns.index)
ax.invert_yaxis()
ax.set(xlabel="ordered Rand score with people's conclusions", xlim=(0, 1))
ax.grid(axis="y", alpha=0.4)
ax.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.13), frameon=False)
style.describe(
    fig,
    "Ordered Rand scores of several metrics with people, one row a campaign, and of a test "
    "that never decides.",
)
assert len(ax.lines) == 5 and all(len(line.get_xdata()) == len(names) for line in ax.lines)
plt.show()

# %% [markdown]
# *Where the points lie left of the bar, a test that never finds anything agrees with people better than the metric does. That happens where people
# told few systems apart, and where the metric is sure of the wrong things.*

# %%
beaten = int(
    (campaigns["lazy test"] > campaigns[["BLEU", "NIST", "GTM", "chrF"]].max(axis=1)).sum()
)
headline(
    f"campaigns of {len(names)} on which a lazy test agrees with people better than any of four metrics",
    beaten,
)
assert beaten >= 1

# %% [markdown]
# So quote an ordered Rand score with the lazy test's beside it, and look at the kinds of disagreement.
#
# ## How sure are the clusters?
#
# Each conclusion has an error rate. What of the whole picture: would another test set have given the same clusters? We have 3,003
# sentences. Take two disjoint samples, cluster on each, and compare.
#
# **One simulated value:**

# %%
sampler = np.random.default_rng(8)


def two_clusterings(size):
    """The conclusions from two disjoint random samples of the test set."""
    order = sampler.permutation(chrf.n_segments)
    settings = options | {"n_resamples": 500}
    return [
        mt.compare_all(chrf.subset(part), **settings).conclusions(alpha=0.05)
        for part in (order[:size], order[size : 2 * size])
    ]


# %%
one, other = two_clusterings(300)
print(
    f"300 sentences, and 300 others: {mt.ordered_rand(one, other):.2f}, "
    f"{len(mt.clusters(one).groups)} and {len(mt.clusters(other).groups)} clusters"
)

# %% [markdown]
# > **Predict before you run.** Will larger test sets give more clusters, or fewer? Will they agree better?

# %%
rows = []
for size in (50, 100, 300, 700, 1500):
    for _ in range(10):
        one, other = two_clusterings(size)
        silent = (one.pairs() == 0) & (other.reorder(one.systems).pairs() == 0)
        rows.append((size, mt.ordered_rand(one, other), (one.pairs() != 0).sum(), silent.sum()))
sampled = pd.DataFrame(
    rows, columns=["sentences", "ordered Rand", "pairs told apart", "both silent"]
)

# %%
means = sampled.groupby("sentences").mean()
assert (
    means["pairs told apart"].is_monotonic_increasing
    and means["both silent"].is_monotonic_decreasing
)
halves = means["ordered Rand"].iloc[-1]
headline(
    "ordered Rand of clusterings from two halves of WMT12 es-en, chrF, mean of 10",
    halves,
    spec=".2f",
)
means

# %% tags=["hide-input"]
fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
left.plot(sampled["sentences"], sampled["pairs told apart"], "o", color=style.MUTED)
left.plot(means["pairs told apart"], color=style.BLUE, label="mean")
left.axhline(66, color="black", linewidth=0.8, linestyle="--", label="all 66 pairs")
left.set(xscale="log", xlabel="sentences", ylabel="pairs told apart", ylim=(0, 70))
right.plot(sampled["sentences"], sampled["ordered Rand"], "o", color=style.MUTED)
right.plot(means["ordered Rand"], color=style.BLUE, label="mean")
right.set(
    xscale="log", xlabel="sentences", ylabel="ordered Rand score of two samples", ylim=(0, 1.03)
)
left.legend(loc="lower right")
for ax in (left, right):
    ax.set_xticks(means.index, means.index)
    ax.minorticks_off()
style.describe(
    fig,
    "Pairs told apart, and ordered Rand score of two samples, both rising with the number of "
    "sentences.",
)
assert [len(ax.lines[0].get_xdata()) for ax in (left, right)] == [50, 50]
plt.show()

# %% [markdown]
# *Left: how much a test set of that size can tell apart. Right: how well two such test sets agree about it. With few sentences
# both are cautious, and much of their agreement is shared silence (last column of the table); with many, they agree because they see the same.*
#
# ## What clusters do not tell you
#
# - That the systems of a cluster are equal. On a larger test set the cluster may fall apart; the last figure shows it doing so.
# - How far apart two clusters are. Look at the scores, with intervals.
# - Which order is right, where the conclusions contradict each other. The package says so and does not choose.
# - Whether the judge is any good. Clusters of a poor metric are as neat as those of a good one.
#
# ## You can now
#
# - defend overlapping clusters against anybody who wants one list, with the number of conclusions that the list contradicts or
#   withholds;
# - find clusters with a pencil, read bars and letters, and turn one into the other;
# - tell WMT's clusters, rank ranges and greedy ranks apart;
# - compute an ordered Rand score, and put it beside that of a lazy test.
#
# ## Try it yourself
#
# 1. Cluster `wmt21/ja-en` by BLEU. Two of its outputs are the same, line by line (`mt.load("wmt21/ja-en").duplicates`). Where are they?
# 2. Correct people's conclusions after Holm (`campaign.human.conclusions(correction="holm")`). Are there more clusters, or fewer? Does
#    the contradiction go away?
# 3. Invent conclusions of three systems in which A beats B, B beats C, and C beats A. What does `mt.clusters` say?
# 4. A and B are told apart, and so are C and D; no other pair is. How many clusters are there, and which of them have an order?
#
# ## Further reading
#
# - Stroppa, N. & Owczarzak, K. (2007). *A cluster-based representation for multi-system MT evaluation.* TMI, Skövde.
# - Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. *Journal of Computational and
#   Graphical Statistics*, 13(2), 456–466.
# - Fishburn, P. C. (1970). Intransitive indifference with unequal indifference intervals. *Journal of Mathematical Psychology*, 7(1),
#   144–149.
# - Akhbardeh, F. et al. (2021). *Findings of the 2021 Conference on Machine Translation.* 2021.wmt-1.1. (WMT's clusters.)
# - Kocmi, T. et al. (2024). *Findings of the WMT24 General Machine Translation Shared Task.* 2024.wmt-1.1. (Rank ranges.)
# - Callison-Burch, C. et al. (2012). *Findings of the 2012 Workshop on Statistical Machine Translation.* W12-3102. (The judgements.)
