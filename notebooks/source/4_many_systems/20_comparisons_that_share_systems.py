# %% [markdown]
# # 20 · Comparisons that share systems
#
# In unit 19 nineteen players were dealt their cards, none of them better than another, and all 171 pairs were tested.
# In some deals nothing was claimed. In others there were twenty or thirty false claims at once. False claims, it
# seems, come in swarms, and whoever corrects for 171 separate chances corrects for something that did not happen.
# Where do the swarms come from? And can we be less strict without being wrong more often?
#
# <details><summary>After this unit you can …</summary>
#
# - say what more systems, and likeness between them, do to corrected p-values (questions 1 and 2);
# - say what is lost if every pair is shuffled with coins of its own (question 3);
# - compute the chance of a false claim with dice, and compare corrections (exercises 1 and 2).
#
# Before this: unit 19. About 23 minutes to read, 28 to teach with a discussion. New terms: simultaneous intervals.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import norm

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.3f}".format


def draw_luck(luck, observed, line):
    """What chance does to one pair and to the luckiest of all; the observed pairs as strokes below."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.3))
    edges = np.arange(0, 5.01, 0.1)
    ax.hist(luck[0], edges, color=style.MUTED)
    ax.hist(luck.max(axis=0), edges, histtype="step", linewidth=2, color=style.CALM)
    top = ax.get_ylim()[1]
    ax.text(0.1, top * 0.3, "one pair", color=style.INK)
    ax.text(2.06, top * 0.97, "the luckiest of 171", color=style.CALM)
    for x, text, side in (
        (1.96, "1.96: exceeded\nin 5 %", -1),
        (line, f"{line:.2f}: exceeded\nin 5 %", 1),
    ):
        ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
        ax.text(x + side * 0.04, top * 0.8, text, fontsize=10, ha="right" if side < 0 else "left")
    seen = np.minimum(observed, 5.4)
    for which, colour in ((seen > line, style.CALM), (seen <= line, style.MUTED)):
        ax.plot(seen[which], np.full(which.sum(), -0.06 * top), "|", color=colour, markersize=16)
    ax.text(0.02, -0.19 * top, "the 171 real differences", fontsize=10)
    ax.set(ylim=(-0.23 * top, top * 1.05), xlim=(0, 5.5), ylabel="shuffles")
    ax.set_yticks([0, 100, 200])
    ax.set_xticks([0, 1, 2, 3, 4, 5], ["0", "1", "2", "3", "4", "5 and more"])
    ax.set_xlabel("difference, in spreads of its own shuffles")
    style.describe(
        figure,
        "Two hills over the size of a difference. That of one pair begins at zero and ends near 3, with 5 % beyond 1.96. That of the "
        "luckiest of 171 stands between 1.5 and 4, with 5 % beyond 3.46. Strokes below show 171 real differences, a third of them "
        "to the right of both hills' lines.",
    )
    return figure


def draw_bargain(table):
    """What each correction finds, against how often it makes a false claim."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    ax.axvline(0.05, color=style.INK, linestyle="--", linewidth=1)
    ax.text(0.054, 0.335, "promised")
    for name, (wrong, found) in table.iterrows():
        low, high = clopper_pearson(round(wrong * CAMPAIGNS), CAMPAIGNS)
        colour = style.CALM if low <= 0.05 else style.EMPHASIS
        ax.errorbar(wrong, found, xerr=[[wrong - low], [high - wrong]], fmt="o", color=colour)
        ax.text(max(high, 0.058) + 0.008, found, name, va="center", fontsize=11)
    ax.set(xlim=(0, 0.56), ylim=(0.32, 0.9))
    ax.set(xlabel="share of campaigns with a false claim", ylabel="real differences found")
    style.describe(
        figure,
        "Five marks. Bonferroni, Holm and Westfall and Young lie left of or at the promised .05 and find a little under or over half of the "
        "differences; Benjamini and Hochberg and no correction find about .75 and .81 and lie at about .2 and .35.",
    )
    return figure


# %% [markdown]
# ## Three dice
#
# Three players throw a die each. Nobody is better than anybody else. Call two of them *different* if their numbers
# differ by five, that is, if one has thrown a 1 and the other a 6. For two players this happens in 2 throws of 36, or
# .056, which is close to the usual level. Three players make three pairs. If each pair threw dice of its own, unit
# 19's formula would give 1 − (34/36)³, or .158, for at least one false claim. But there are three dice, not six, and
# they can fall in only 216 ways:

# %%
throws = np.array(list(itertools.product(range(1, 7), repeat=3)))
somebody_differs = np.ptp(throws, axis=1) == 5
somebody_differs.sum(), len(throws)

# %% tags=["remove-input"]
in_pairs = sum(abs(throws[:, a] - throws[:, b]) == 5 for a, b in ((0, 1), (1, 2), (0, 2)))
assert somebody_differs.sum() == 30 and (in_pairs > 0).sum() == 30 and in_pairs.sum() == 36
assert (in_pairs == 2).sum() == 6 and round(30 / 216, 3) == 0.139
assert round(1 - (34 / 36) ** 3, 3) == 0.158 and round(2 / 36, 3) == 0.056
assert round(1 - 2 * (5 / 6) ** 19 + (4 / 6) ** 19, 2) == 0.94 and 1 - (34 / 36) ** 171 > 0.9999

# %% [markdown]
# (`np.ptp` is the largest number less the smallest.) It is 30 of 216, or .139. Where did the rest go? In six of the
# thirty throws, such as 1, 1, 6, *two* pairs are called different. There are 36 false claims, 12 for each pair, as
# there must be. But they meet in fewer throws. A player with an unusual throw is unusual in all pairs at once. That
# is the swarm. With nineteen dice somebody differs with a probability of .94, where the formula has .9999.
#
# There is more to learn from the dice. To know whether *any* pair is called different, we did not look at pairs at
# all. We looked at the largest distance between any two, which is the distance of the luckiest pair. A family makes a
# false claim exactly when its luckiest pair does.
#
# ## The luckiest pair
#
# So let us find out what chance does to the luckiest pair, instead of multiplying what it does to one. This is the
# idea of Westfall and Young (1993). Of the four steps the first changes: the statistic of a shuffle is now the
# largest of all 171 differences. The others stay, with one thing to remember in step 3. All pairs must be shuffled
# *with the same coins*, so that luck which they share is shared in the shuffle, too.

# %%
import mtsig_nb as mt

bleu = mt.load("wmt21/de-en").statistics("BLEU")
values, score = bleu.values.astype(float), bleu.metric.score
pairs = list(itertools.combinations(range(19), 2))
heads = np.random.default_rng(20).integers(2, size=(2000, 1000)).astype(float)
moved, total = heads @ values, values.sum(axis=1)


def shuffled(a, b):
    return score(total[a] - moved[a] + moved[b]) - score(total[b] - moved[b] + moved[a])


# %% [markdown]
# Each row of `heads` is a shuffle of a thousand coins. `moved` has, for each system and each shuffle, the counts of the
# sentences that change hands, as in unit 5. The first imaginary system of a pair has what a keeps, and what moved
# over from b.
#
# One thing has to be made comparable. BLEU differences of two similar systems hardly vary from shuffle to shuffle,
# those of unlike systems do. So we measure each pair's difference in *spreads*, a spread being the standard deviation
# of the pair's own shuffles:

# %%
differences = np.array([shuffled(a, b) for a, b in pairs])
spreads = differences.std(axis=1)
luck = abs(differences) / spreads[:, None]
luck[:3, 0], luck[:, 0].max()

# %% tags=["remove-input"]
observed = np.array([score(total[a]) - score(total[b]) for a, b in pairs])
seen = abs(observed) / spreads
assert spreads.min() < 0.04 and spreads.max() > 0.45
assert luck.shape == (171, 2000) and luck[:3, 0].max() < luck[:, 0].max()

# %% [markdown]
# These are three pairs in the first shuffle, and the luckiest of the 171 in the same shuffle.
#
# > **Make a guess.** A single pair is beyond 1.96 spreads in 5 % of the shuffles. Beyond which number is the
# > *luckiest of 171* in 5 % of them: about 2, about 3.5, or 171 times 1.96, which is 335?
# >
# > <details><summary>about 2</summary>That is the line of one pair, chosen before looking.</details>
# > <details class="right"><summary>about 3.5</summary>So it is. Extremes grow slowly with the number of
# > pairs.</details>
# > <details><summary>335</summary>Bonferroni divides the level by the number of pairs. A difference is not multiplied
# > by it.</details>

# %%
line = np.quantile(luck.max(axis=0), 0.95)
line

# %% tags=["remove-input"]
draw_luck(luck, seen, line)
plt.show()

# %% tags=["remove-input", "remove-output"]
of_bonferroni = norm.isf(0.025 / 171)
unit_1 = pairs.index(
    tuple(sorted((bleu.systems.index("Facebook-AI"), bleu.systems.index("NVIDIA-NeMo"))))
)
as_lucky = (luck.max(axis=0) >= seen[unit_1]).mean()
headline("WMT21 de-en, BLEU: the luckiest of 171 exceeds in 5 % of shuffles", line, spec=".1f")
assert (
    3.4 < line < 3.52 and 3.6 < of_bonferroni < 3.64 and abs(np.quantile(luck, 0.95) - 1.96) < 0.02
)
assert 0.3 < (seen > line).mean() < 0.36 and 2.4 < np.median(luck.max(axis=0)) < 2.6
assert 2.15 < seen[unit_1] < 2.3 and 0.6 < as_lucky < 0.8

# %% [markdown]
# The axis is the size of a difference, in spreads of its own shuffles, without its sign. Look at the grey hill first:
# one pair, highest at zero, with 5 % of its shuffles beyond the first dashed line. The outlined hill is the luckiest
# pair of each shuffle. It does not even begin where most of the grey hill lies, because among 171 pairs one is always
# lucky, mostly by two or three spreads. Its own line stands near 3.5. Now the strokes at the bottom, the real
# differences. A third of them lie beyond the second line, where without any difference even the luckiest pair rarely
# comes. Had the pairs nothing in common, the outlined hill would stand further to the right; if all 171 were the same
# comparison over again, it would lie on the grey one.
#
# **The guess.** About 3.5. Bonferroni's line, where a p-value is .05/171, would be at 3.6. That looks like a small
# step, but real pairs lie there.
#
# A corrected p-value comes with it: the share of shuffles in which the luckiest pair goes at least as far as the pair
# in question. Unit 1's pair lies at 2.2 spreads. Toss for it below, then choose what is counted: this pair, or the
# luckiest of 171.

# %%
chance_machine(bleu, "Facebook-AI", "NVIDIA-NeMo", luckiest=True, n_resamples=2000, rng=20)

# %% [markdown]
# In about seven shuffles of ten *some* pair does as much. So its corrected p is about .7. For a pair that was picked
# from 171, this is more informative than Bonferroni's 1.
#
# ## Step by step, and in one line
#
# Holm's idea works here, too. When the largest difference is decided, ask for the luckiest *of the rest*, and so on
# until one fails. The package does all of it, and uses the same coins for all pairs anyway:

# %%
options = {"interval": None, "n_resamples": 10_000, "rng": 2014}
stepped = mt.compare_all(bleu, correction="westfall-young", **options)
(stepped.table["pvalue_adjusted"] <= 0.05).sum()

# %% tags=["remove-input", "remove-output"]
by_wy = int((stepped.table["pvalue_adjusted"] <= 0.05).sum())
headline("WMT21 de-en, BLEU: pairs of 171 distinguished at .05, Westfall-Young", by_wy)
pair = ("Facebook-AI", "NVIDIA-NeMo")
assert by_wy == 59
by_pair = stepped.table.set_index(["system_a", "system_b"])
assert round(by_pair.loc[pair, "pvalue_adjusted"], 2) == 0.62
fewer = [
    (mt.adjust_pvalues(stepped.table["pvalue"], n) <= 0.05).sum() for n in ("bonferroni", "holm")
]
assert fewer == [50, 55]
few = mt.compare_all(bleu, correction="westfall-young", interval=None, n_resamples=1000, rng=2014)
assert (few.table["pvalue_adjusted"] <= 0.05).sum() > 50

# %% [markdown]
# 59 pairs, against 50 by Bonferroni and 55 by Holm, from the same outputs and the same coins. Unit 1's pair has .62
# now, a little less than .7, for it competes with fewer. And since nothing is multiplied, a thousand shuffles are
# enough for a first look, where Holm's correction had nothing to work with.
#
# ## Who keeps the promise?
#
# More claims are welcome only if they are not false. So we need a campaign of which we know the truth, with some real
# differences in it. Take three strong systems of WMT21, three in the middle and three weak ones, and deal the outputs
# *within* each group of three. Pairs of one group then do not differ, and whatever is claimed about them is false.
# There are 9 of them. The other 27 pairs do differ.

# %%
groups = {
    "strong": ["VolcTrans-GLAT", "Borderline", "HuaweiTSC"],
    "middle": ["Facebook-AI", "Online-A", "Online-B"],
    "weak": ["NVIDIA-NeMo", "P3AI", "Manifold"],
}
names = [f"{group} {k}" for group in groups for k in (1, 2, 3)]

# %% tags=["remove-input"]
rng = np.random.default_rng(20)
CAMPAIGNS = 200
corrections = ["no correction", "Bonferroni", "Holm", "Benjamini-Hochberg", "Westfall-Young"]


def dealt():
    """A campaign of nine: the outputs of each group of three dealt out within the group."""
    hands = []
    for members in groups.values():
        of_group = bleu.select(members).values
        cards = rng.permuted(np.tile(np.arange(3), (1000, 1)), axis=1)
        hands.append(of_group[cards.T, np.arange(1000)])
    return mt.SufficientStatistics(bleu.metric, names, np.concatenate(hands))


def one_campaign(seed):
    """For each correction: any false claim? The share of the differences found; the number of false claims."""
    table = mt.compare_all(
        dealt(), correction="westfall-young", interval=None, n_resamples=999, rng=seed
    ).table
    same = table["system_a"].str[:4] == table["system_b"].str[:4]
    plain = ("none", "bonferroni", "holm", "benjamini-hochberg")
    claims = {name: mt.adjust_pvalues(table["pvalue"], name) <= 0.05 for name in plain}
    claims["westfall-young"] = table["pvalue_adjusted"] <= 0.05
    return [[c[same].any(), c[~same].mean(), c[same].sum()] for c in claims.values()]


# %% [markdown]
# Two functions we do not print. `dealt` deals as in unit 19, with three cards in each of three packs. `one_campaign`
# tests the 36 pairs of such a deal. It treats the p-values in five ways, from no correction to Westfall and Young's.
# One of them is Benjamini and Hochberg's, which makes another promise (unit 19). For each it notes whether there was a
# false claim, and what share of the 27 differences was found.
#
# > **Make a guess.** In how many of a hundred campaigns does Benjamini and Hochberg's correction make at least
# > one false claim: 5, 10, or 20?
# >
# > <details><summary>5</summary>That would be the family-wise error, which this correction does not
# > control.</details>
# > <details><summary>10</summary>More often. It promises something else.</details>
# > <details class="right"><summary>20</summary>So it is, and no defect: it bounds the share of false claims among
# > the claims.</details>

# %%
outcomes = np.array([one_campaign(seed) for seed in range(200)]).mean(axis=0)
pd.DataFrame(outcomes[:, :2], corrections, ["a false claim", "differences found"])

# %% tags=["remove-input"]
measured = pd.DataFrame(outcomes[:, :2], corrections)
draw_bargain(measured)
plt.show()

# %% tags=["remove-input", "remove-output"]
wrong, power = measured[0], measured[1]
headline("nine systems in three groups, false claims at .05, Holm", wrong["Holm"], spec=".3f")
headline("the same, Westfall-Young", wrong["Westfall-Young"], spec=".3f")
headline("differences found, Westfall-Young less Holm", power.iloc[4] - power.iloc[2], spec="+.2f")
assert (wrong[["Bonferroni", "Holm", "Westfall-Young"]] <= 0.07).all()
assert 0.15 < wrong["Benjamini-Hochberg"] < 0.26 and 0.25 < wrong["no correction"] < 0.41
assert 0.03 < power["Westfall-Young"] - power["Holm"] < 0.09 and power["Holm"] > power["Bonferroni"]
false, true = outcomes[3, 2], 27 * outcomes[3, 1]
assert 0.01 < false / (false + true) < 0.025

# %% [markdown]
# Each mark is a way of correcting. To the right are false claims, upwards is what we want, the share of the real
# differences that were found. The line through a mark is the interval of 95 % for what endless campaigns would give.
# Look first at the dashed line and at the marks left of it: Bonferroni, Holm, and Westfall and Young, from the bottom
# to the top. None of the three has been seen to break its promise, and of a hundred differences the last finds six more
# than Holm. The two marks far up have bought what they find with false claims. A correction that found many differences
# and made few false claims would stand at the upper left. There is no mark there.
#
# **The guess.** About 20 of a hundred. It is no defect: Benjamini and Hochberg promised that on average at most one in
# twenty of their *claims* is false, and here fewer than one in forty are. They control the false discovery rate, which
# is what they promised, and not the family-wise error.
#
# So which one? Holm's is the package's default. Its promise is proved for any tests that keep theirs, whatever they
# share. Westfall and Young's correction uses what the pairs share. Its proof needs one more condition: what chance does
# to the pairs without a difference must not depend on whether other pairs differ. For shuffles this holds only
# approximately. That is why we measured it. There are others, such as Romano and Wolf's, the same idea with the
# bootstrap test. The page [What can be relied on](../../docs/trust.md) has counted for each, in many worlds, how often
# it makes a false claim. Where the single tests err (unit 15), no correction helps: it starts from p-values that are
# too small.
#
# ## Intervals that hold together
#
# What is true of claims is true of intervals. Each 95 % interval by itself contains the true value in 95 test sets of
# 100. So of 171 such intervals, eight or nine miss it on average. **Simultaneous intervals** are confidence intervals
# of several differences with a joint confidence level: in the stated share of test sets, all of them contain the
# true values. They come from the luckiest pair, too, now among the resamples of the bootstrap. For unit 1's pair:

# %%
for kind in ("percentile", "simultaneous"):
    table = mt.compare_all(bleu, interval=kind, correction=None, n_resamples=999, rng=2014).table
    own = table[(table["system_a"] == "Facebook-AI") & (table["system_b"] == "NVIDIA-NeMo")]
    print(kind, own[["ci_low", "ci_high"]].to_numpy()[0].round(2))

# %% tags=["remove-input"]
wide, low = (own["ci_high"] - own["ci_low"]).item(), own["ci_low"].item()
narrow = mt.compare_all(bleu, interval="percentile", correction=None, n_resamples=999, rng=2014)
narrow = narrow.table.loc[own.index]
assert narrow["ci_low"].item() > 0 > low
assert (
    1.65 < wide / (narrow["ci_high"] - narrow["ci_low"]).item() < 1.9 and 1.7 < line / 1.96 < 1.85
)

# %% [markdown]
# The second is wider by three quarters, much as 3.5 is more than 1.96, and it contains zero. The first interval of unit
# 1's pair leaves out zero, the second does not. Each is right for its own promise, but the first needs a reason, given
# beforehand, why this pair was looked at.
#
# ## What this does not tell you
#
# - **That Westfall and Young's promise is kept everywhere.** We saw it kept in one kind of world.
# - **What the right family is.** The luckiest of 171 is the right yardstick for whoever had 171 tries.
# - **How large a difference is.** Look at the interval.
#
# ## Check yourself
#
# > **A twentieth system joins the campaign. The outputs of your pair stay as they are, but its p after Westfall and
# > Young's correction becomes larger. How can that be?**
# >
# > <details><summary>It cannot be</summary>Nothing about the pair has changed. But it is compared with the luckiest of
# > 190 pairs now.</details>
# > <details><summary>The twentieth system is better</summary>How good it is does not matter. That it takes part
# > does.</details>
# > <details class="right"><summary>The luckiest of more pairs is luckier</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# There are nineteen new pairs, and your difference is compared with the luckiest of 190 now.
#
# </details>
#
# > **Suppose that all 171 differences were always equal, in the data and in every shuffle. By how much would Holm and
# > by how much would Westfall and Young enlarge the smallest p-value?**
# >
# > <details><summary>Both 171 times</summary>Holm reckons with the worst. Westfall and Young look how the pairs hang
# > together, and here they are one.</details>
# > <details class="right"><summary>Holm 171 times, Westfall and Young not at all</summary>This is correct.</details>
# > <details><summary>Neither of them</summary>Holm does not look at the differences. It multiplies by the number of
# > pairs.</details>
#
# <details><summary>Answer</summary>
#
# Holm multiplies by 171, because he reckons with the worst. Westfall and Young would change nothing: the luckiest
# pair is no luckier than any, and there was only one comparison all along.
#
# </details>
#
# > **May one shuffle every pair with coins of its own, and then take the largest of the 171 as before?**
# >
# > <details class="right"><summary>One may, but what the pairs share is lost</summary>This is correct.</details>
# > <details><summary>No, it is not valid</summary>It is valid, and wasteful: unrelated pairs have a luckier luckiest
# > one.</details>
# > <details><summary>Yes, it is the same</summary>Pairs with common coins are lucky together, so their luckiest is less
# > far out.</details>
#
# <details><summary>Answer</summary>
#
# One may, but it gives the luckiest of 171 *unrelated* pairs. What they share would be lost, and the line would move
# out to about where Bonferroni has it.
#
# </details>
#
# ## Exercises
#
# **1.** Four dice: in how many of the 1,296 throws is somebody called different? Compare with the formula for six
# independent pairs.
#
# <details><summary>Answer</summary>
#
# With `repeat=4` it is 302 throws, or .233; the formula has 1 − (34/36)⁶, or .290. The more pairs share a player, the
# further it is off.
#
# </details>
#
# **2.** How many pairs of `wmt12/es-en` are told apart in BLEU after Holm, and after Westfall and Young? (`options`
# has the rest.)
#
# <details><summary>Answer</summary>
#
# 59 and 61 of 66. Where a correction takes little, a better one cannot give back much.
#
# </details>

# %% tags=["remove-input"]
four = np.array(list(itertools.product(range(1, 7), repeat=4)))
assert (np.ptp(four, axis=1) == 5).sum() == 302 and round(302 / 1296, 3) == 0.233
assert round(1 - (34 / 36) ** 6, 3) == 0.290
spanish = mt.load("wmt12/es-en").statistics("BLEU")
for name, number in (("holm", 59), ("westfall-young", 61)):
    some = mt.compare_all(spanish, correction=name, **options).table["pvalue_adjusted"]
    assert (some <= 0.05).sum() == number

# %% [markdown]
# ---
#
# *Before this:* [unit 19, A hundred and seventy-one chances to be wrong](19_a_hundred_and_seventy_one_chances.ipynb).
# *After this:* [unit 21, Clusters](21_clusters.ipynb). *How far each correction can be relied on:* [the page on
# trust](../../docs/trust.md). *To practise:* [lab 8](../labs/student/lab_08_many_systems.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
