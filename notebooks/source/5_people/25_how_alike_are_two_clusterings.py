# %% [markdown]
# # 25 · How alike are two clusterings?
#
# People ranked the outputs of twelve systems. METEOR scored the same outputs, a test compared the scores, and each of
# the two, the people and the metric, leaves us with clusters of systems. They are not the same clusters. But neither
# are those of any two metrics, nor, as we shall see, those of two halves of what people said. How much alike are
# they, as a number, and which number would be a good one?
#
# <details><summary>After this unit you can …</summary>
#
# - say how a metric without conclusions scores, and what a score of 0 means (questions 1 and 2, exercise 1);
# - say what the agreement of two metrics shows (question 3);
# - construct conclusions with a given ordered Rand score (exercise 2).
#
# Before this: units 21 and 24. About 21 minutes to read, 26 to teach with a discussion. New terms: ordered Rand
# score.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.campaigns.printed import printed_numbers, printed_table
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.2f}".format

METRICS = ("BLEU", "NIST", "METEOR", "GTM", "TER", "chrF")
FROM = {"wmt12/es-en": "Spanish–English", "wmt12/en-es": "English–Spanish"} | {
    "wmt12/de-en": "German–English"
}


SEVEN = ["wmt12/es-en", "wmt13/es-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en"]
SEVEN += ["wmt22/ja-en", "wmt22/zh-en"]


def beside_silence(name):
    """Ordered Rand scores with people, of silence and of four metrics, on the systems that were judged."""
    one = mt.load(name)
    gold = one.human.conclusions(alpha=0.05)
    gold = gold.reorder([system for system in gold.systems if system in one.systems])
    row = {"silence": np.mean(gold.pairs() == 0)}
    options = {"correction": "westfall-young", "interval": None, "n_resamples": 1000, "rng": 2007}
    for metric in ("BLEU", "NIST", "GTM", "chrF"):
        tests = mt.compare_all(one.statistics(metric).select(gold.systems), **options)
        row[metric] = mt.ordered_rand(tests.conclusions(alpha=0.05), gold)
    return row


def draw_scores(scores, silence, shuffled, halves):
    """Ordered Rand scores with people, a row for each campaign, and what silence, chance and people score."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.7))
    for row, name in enumerate(scores):
        low, high = np.quantile(shuffled[name], [0.025, 0.975])
        ax.barh(
            row,
            high - low,
            left=low,
            height=0.5,
            color=style.MUTED,
            label=None if row else "BLEU, names shuffled: 95 %",
        )
        low, high = np.min(halves[name]), np.max(halves[name])
        ax.barh(
            row,
            high - low,
            left=low,
            height=0.5,
            facecolor="none",
            edgecolor=style.INK,
            label=None if row else "half of the rankings against the other half",
        )
        ax.plot(
            [silence[name]] * 2,
            [row - 0.38, row + 0.38],
            color=style.EMPHASIS,
            linewidth=4,
            label=None if row else "silence",
            zorder=2,
        )
        for place, metric in enumerate(scores.index):
            colour, marker = style.look_of(metric)
            ax.plot(
                scores.loc[metric, name],
                row + 0.11 * (place - 2.5),
                marker,
                color=colour,
                markersize=8,
                linestyle="",
                label=None if row else metric,
                zorder=3,
            )
    style.name_rows(ax, [FROM[name] for name in scores])
    ax.axvline(0, color=style.INK, linewidth=1)
    ax.set(xlabel="ordered Rand score with people's conclusions", xlim=(-0.5, 1))
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    style.describe(
        figure,
        "Ordered Rand scores of six metrics with people, a row for each of three language pairs. From Spanish the metrics "
        "lie to the right of the bar for silence, into Spanish all to the left of it; from German they are on both sides. "
        "Shuffled names spread around zero.",
    )
    return figure


# %% [markdown]
# ## Six systems, by hand
#
# Stroppa and Owczarzak, whose clusters we met in unit 21, had the same question in 2007, and an example of six
# systems. One judge puts them into four groups, the best first: systems 0 and 1, then 2, then 3, then 4 and 5. The
# other sees two groups only: 0, 1, 2 and 3 before 4 and 5. (The paper does not print its clusters, but these lead to
# exactly the pairs that it lists.)
#
# It would be awkward to compare the groups, which have different numbers and sizes and may overlap. Conclusions are
# easier. Every judge (as in unit 21 a test may be one, and people together another) has said something of each pair
# of systems: *better*, *worse* or *indistinguishable*. So let us go through the fifteen pairs. In each row below, a 1
# says that the first system of the pair is better, and a 0 that the judge could not tell.

# %%
four_groups, two_groups = [0, 0, 1, 2, 3, 3], [0, 0, 0, 0, 1, 1]
pairs = list(itertools.combinations(range(6), 2))
said = [[np.sign(group[j] - group[i]) for i, j in pairs] for group in (four_groups, two_groups)]
pd.DataFrame(said, ["judge 1", "judge 2"], [f"{i}–{j}" for i, j in pairs])

# %% [markdown]
# On ten pairs they say the same. On five only the first judge sees a difference. This is a weak disagreement, since
# the other has not denied it but merely kept silent. A strong one would be a 1 above a −1, where each calls another
# system better, and there is none here. Now give one point for saying the same, none for a weak disagreement, and
# take a point away for a strong one.

# %%
points = [1 if one == other else one * other for one, other in zip(*said, strict=True)]
np.mean(points)

# %% tags=["remove-input", "remove-output"]
agreed = [f"{i}-{j}" for (i, j), point in zip(pairs, points, strict=True) if point == 1]
weak = [f"{i}-{j}" for (i, j), point in zip(pairs, points, strict=True) if point == 0]
text = printed_numbers("stroppa_owczarzak2007")["value"]
assert text["s-ex-agree"].split() == agreed and text["s-ex-weak"].split() == weak
assert len(agreed) == 10 and len(weak) == 5 and f"{np.mean(points):.2f}" == text["s-ex-S"]

# %% [markdown]
# This is the **ordered Rand score**: the agreement of two sets of conclusions, as the mean over pairs of 1 (the
# same), 0 (only one sees a difference) and −1 (opposite). Ten points from fifteen pairs make .67, which is what the
# paper prints. Two judges who say the same of all pairs score 1. Two who decide every pair, always the other way
# round, score −1.
#
# ## Twelve systems, and people
#
# Now the twelve systems that translated from Spanish at WMT12. People's conclusions are those of unit 24, from a sign
# test at .05 with a coin for each preference. METEOR's come from approximate randomization at .05. As in the paper,
# they are not corrected for the number of pairs.

# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)


def concluded(metric, campaign=campaign):
    how = {"correction": None, "interval": None, "n_resamples": 2000, "rng": 2014}
    tests = mt.compare_all(campaign.statistics(metric), **how)
    return tests.conclusions(alpha=0.05)


mt.ordered_rand(concluded("METEOR"), people)

# %% [markdown]
# So METEOR scores .68. Is that good? It is well above zero, and there is room up to one. But before we praise it we
# should know what somebody gets who does no work at all.
#
# > **Make a guess.** A third judge has not read a single translation. Asked about any two systems, he says
# > "indistinguishable". What is his ordered Rand score with people: 0, about .2, or about .4?
# >
# > <details><summary>0</summary>He says the same as people wherever they found no difference.</details>
# > <details><summary>about .2</summary>More: people left many pairs open.</details>
# > <details class="right"><summary>about .4</summary>So it is: 26 of 66 pairs, for saying nothing.</details>

# %%
silence = mt.Conclusions(people.systems, np.zeros((12, 12)))
mt.ordered_rand(silence, people)

# %% tags=["remove-input", "remove-output"]
undecided = (people.pairs() == 0).sum()
assert undecided == 26 and len(people.pairs()) == 66
assert np.isclose(mt.ordered_rand(silence, people), 26 / 66) and round(26 / 66, 2) == 0.39
orders = [campaign.statistics(name).scores().index.to_list() for name in METRICS]
rankings = [
    mt.Conclusions(tuple(o), np.triu(np.ones((12, 12)), 1) - np.tril(np.ones((12, 12)), -1))
    for o in orders
]
ranked = [mt.ordered_rand(one, people) for one in rankings]
assert np.isclose(max(ranked), 40 / 66) and round(40 / 66, 2) == 0.61

# %% [markdown]
# **The guess.** About .4. People themselves could not tell 26 of the 66 pairs apart, and on each of these the idle
# judge gets his point. On the other 40 he gets nothing, but nothing is taken away. A judge who decides *every* pair
# is in the opposite position. He cannot agree with people where they are silent, and so scores 40/66 = .61 at most,
# however good his taste. The number 0 is no yardstick here. We need better ones.
#
# ## Three yardsticks
#
# The first is silence, which we have. The second is chance, and that is a test as we know it. Only its second step is
# new: chance deals out the *names*. Keep METEOR's clusters as they are, with their numbers and sizes, but write the
# twelve names of the systems on cards, shuffle the cards, and hand them out again.

# %%
meteor, rng = concluded("METEOR"), np.random.default_rng(25)


def names_shuffled(one):
    return mt.Conclusions(tuple(rng.permutation(one.systems)), one.matrix)


dealt = [mt.ordered_rand(names_shuffled(meteor), people) for _ in range(1000)]
np.mean(dealt), np.max(dealt)

# %% tags=["remove-input", "remove-output"]
assert abs(np.mean(dealt)) < 0.06 and np.max(dealt) < mt.ordered_rand(meteor, people)

# %% [markdown]
# On average such a judge scores about zero, because he is as often against people as with them. None of the thousand
# deals comes up to METEOR, so p is about .001: dealing out the names would seldom give such agreement. Notice that
# silence beats chance by far. A judge who always says "indistinguishable" scores higher here than one who guesses.
#
# The third yardstick is people. They ranked five outputs of one sentence at a time. Let us deal these rankings into
# two halves at random, draw conclusions from each half, and ask how alike *these* two are.
#
# > **Make a guess.** What does one half of the rankings score with the other half: more than .9, about .7, or less
# > than .5?
# >
# > <details><summary>more than .9</summary>Many expect far more of people. Half of the rankings tell fewer pairs
# > apart.</details>
# > <details class="right"><summary>about .7</summary>So it is, hardly more than METEOR scores.</details>
# > <details><summary>less than .5</summary>They do agree better than that, for the most part in silence.</details>


# %%
def two_halves(campaign, seed):
    ranks = campaign.human.rankings
    order = np.random.default_rng(seed).permutation(ranks["task"].unique())
    parts = [ranks[ranks["task"].isin(order[half::2])] for half in (0, 1)]
    return [mt.human.PairwisePreferences(part).conclusions(alpha=0.05) for part in parts]


halves = [two_halves(campaign, seed) for seed in range(20)]
np.mean([mt.ordered_rand(one, other) for one, other in halves])

# %% tags=["remove-input"]
scores, silent, shuffled, split, closest = {}, {}, {}, {}, {}
for name in FROM:
    one = mt.load(name)
    gold = one.human.conclusions(alpha=0.05)
    found = {metric: concluded(metric, one).reorder(gold.systems) for metric in METRICS}
    scores[name] = {metric: mt.ordered_rand(c, gold) for metric, c in found.items()}
    silent[name] = np.mean(gold.pairs() == 0)
    shuffled[name] = [mt.ordered_rand(names_shuffled(found["BLEU"]), gold) for _ in range(1000)]
    if name == "wmt12/es-en":
        split[name] = [mt.ordered_rand(*pair) for pair in halves]
    else:
        split[name] = [mt.ordered_rand(*two_halves(one, seed)) for seed in range(20)]
    among = [mt.ordered_rand(found[a], found[b]) for a, b in itertools.combinations(METRICS, 2)]
    closest[name] = min(among)
    assert closest[name] > max(scores[name].values())
scores = pd.DataFrame(scores)
draw_scores(scores, silent, shuffled, split)
plt.show()

# %% tags=["remove-input", "remove-output"]
spanish, into, german = (scores[name] for name in FROM)
headline("ordered Rand with people, WMT12 es-en, METEOR", spanish["METEOR"], spec=".2f")
headline(
    "the same, half of the rankings against the other half",
    np.mean(split["wmt12/es-en"]),
    spec=".2f",
)
assert spanish.min() > 0.6 and spanish.idxmax() == "METEOR" and 0.67 < spanish.max() < 0.69
assert into.max() < silent["wmt12/en-es"] == 0.4 and into.between(0.32, 0.385).all()
by_chance = np.mean(np.array(shuffled["wmt12/en-es"]) >= into["BLEU"] - 1e-9)
assert 0.03 < by_chance < 0.08
assert (german < silent["wmt12/de-en"]).sum() == 3 and set(
    german.index[german > silent["wmt12/de-en"]]
) == {"METEOR", "TER", "chrF"}
assert all(0.7 < np.mean(values) < 0.75 for values in split.values())
assert all(abs(np.mean(values)) < 0.06 for values in shuffled.values())
for name in FROM:
    assert np.quantile(shuffled[name], 0.975) < np.min(split[name])
spoken = [[c.reorder(people.systems).pairs() for c in pair] for pair in halves]
decided = np.mean([(c != 0).sum() for pair in spoken for c in pair])
both_silent = np.mean([((a == 0) & (b == 0)).mean() for a, b in spoken])
both_same = np.mean([((a != 0) & (a == b)).mean() for a, b in spoken])
with_meteor = np.mean([mt.ordered_rand(meteor, c) for pair in halves for c in pair])
with_nobody = np.mean([mt.ordered_rand(silence, c) for pair in halves for c in pair])
assert 29 < decided < 32 and 0.39 < both_silent < 0.43 and 0.29 < both_same < 0.33
assert 0.505 < with_meteor < 0.525 and 0.535 < with_nobody < 0.555 and len(people.pairs()) == 66
assert closest["wmt12/en-es"] > 0.8
ranks = campaign.human.rankings
by_judge = []
for seed in range(20):
    order = np.random.default_rng(seed).permutation(ranks["rater"].unique())
    parts = [ranks[ranks["rater"].isin(order[half::2])] for half in (0, 1)]
    by_judge.append([mt.human.PairwisePreferences(part).conclusions(alpha=0.05) for part in parts])
assert round(np.mean([mt.ordered_rand(*pair) for pair in by_judge]), 2) == 0.68
assert spanish.max() > np.min(split["wmt12/es-en"])
assert all(scores[n].max() < np.min(split[n]) - 0.05 for n in ("wmt12/en-es", "wmt12/de-en"))

# %% [markdown]
# Along the horizontal axis is the ordered Rand score with people, and each row is a language pair of WMT12. Begin with
# the thick coloured bar, which is silence. In the first row all six metrics lie to its right. Their conclusions agree
# with people's better than silence does. In the second row all six lie to its left: whoever asks a metric about systems
# that translate *into* Spanish agrees with people less than somebody who does not answer. The grey band is the middle
# 95 % of what BLEU's clusters score with shuffled names. In the second row the metrics are at its edge. About one deal
# in twenty does as well as BLEU. From German, METEOR, TER and chrF are to the right of silence, the others to the left.
# The open box, finally, is people against people, the range of twenty divisions. In the first row the best metrics
# touch it, in the others none reaches it.
#
# **The guess.** About .7, in all three rows. From Spanish that is hardly more than METEOR scores, and many readers
# expect far more from people. Do not conclude that METEOR is as good as people are. Half as many rankings tell fewer
# pairs apart, about 30 of 66 instead of 40, and most of the agreement of two halves, .41 of .73, is shared silence.
# Compared with the *same* halves, METEOR scores only .52 on average, and silence .55. For the same reason .73 is not an
# upper limit for a judge. It is the score of two halves with this number of judgements. (Most judges have rankings in
# both halves. If whole judges are dealt out instead, the .73 becomes .68.)
#
# ## Their table, read again
#
# Stroppa and Owczarzak compared four metrics with people's judgements of fluency and of adequacy, with 18 systems in
# what they call the Mixed Track. Here are their numbers beside ours.

# %%
printed = printed_table("stroppa_owczarzak2007", 1).query("condition == 'Mixed Track'")
theirs = printed.set_index("metric")[["fluency", "adequacy"]].astype(float)
pd.concat({"2007": theirs, "WMT12": scores.loc[theirs.index]}, axis=1)

# %% tags=["remove-input", "remove-output"]
between = printed_table("stroppa_owczarzak2007", 2)["score"].astype(float)
assert (between.min(), between.max()) == (0.64, 0.86) and theirs.to_numpy().max() == 0.71
assert between.mean() > 0.75 and 0.54 < theirs.to_numpy().mean() < 0.55
first = printed_table("stroppa_owczarzak2007", 1).query("condition == 'SS-ASR'")
assert sorted(first["adequacy"].astype(float)) == [0.4, 0.53, 0.6, 0.6]
assert text["s-clusters-ade"] == "2" and text["s-clusters-ade-p"] == "0.05"
split_in_two = [
    (k * (k - 1) + (6 - k) * (5 - k)) / 30 for k in (3, 2, 1)
]  # pairs within the two clusters
assert np.round(split_in_two, 2).tolist() == [0.4, 0.47, 0.67]

# %% [markdown]
# What they conclude, that metrics agree with each other more than with people, holds on average there (.76 against
# .55) and without exception in our three campaigns. But how much of a .70 is silence? They do not say how many pairs
# their people left open. For one table there is a hint: people's adequacy judgements of six systems gave two clusters
# that do not overlap. If these have three systems each, 6 of 15 pairs are open, and silence scores .40; if they have
# two and four, .47; if one and five, .67. The four metrics are printed there with .40, .60, .53 and .60.
#
# So an ordered Rand score should never stand alone. Report the score of silence with it. For this one only has to count
# the pairs that people left open. Here it is for seven campaigns, against four metrics whose p-values were corrected
# after Westfall and Young (unit 20). (`beside_silence`, in the hidden first cell, does for one campaign what we did
# above.)

# %%
seven = pd.DataFrame({name: beside_silence(name) for name in SEVEN}).T
seven

# %% tags=["remove-input", "remove-output"]
beaten = seven["silence"] > seven.drop(columns="silence").max(axis=1)
headline(
    f"campaigns of {len(SEVEN)} on which a lazy test agrees with people better than any of four metrics",
    int(beaten.sum()),
)
assert list(beaten.index[beaten]) == ["wmt21/de-en", "wmt22/zh-en"] and len(SEVEN) == 7
assert round(seven.loc["wmt22/zh-en", "silence"], 2) == 0.59
assert seven.loc["wmt22/zh-en"].drop("silence").max() < 0.37
quarrels = mt.load("wmt21/de-en")
corrected = mt.compare_all(
    quarrels.statistics("BLEU"),
    correction="westfall-young",
    n_resamples=1000,
    interval=None,
    rng=2007,
).conclusions(alpha=0.05)
kinds = mt.agreement(corrected, quarrels.human.conclusions(alpha=0.05), rng=1).kinds
assert abs(kinds["missed"] - 60) <= 1 and abs(kinds["opposite"] - 15) <= 1
assert seven["silence"].idxmin() == "wmt13/es-en" and round(seven["silence"].min(), 2) == 0.15

# %% [markdown]
# In two of the seven, silence is closer to people than any of the metrics, and for two reasons. From Chinese, at
# WMT22, people left more than half of the pairs open and the metrics decided most of these. From German, at WMT21, it
# is BLEU that says nothing of 60 pairs that people decide, and of 15 others it says the opposite. In WMT13 people
# left only 15 % open. There silence scores .15, and all metrics are far ahead.
#
# ## What this does not tell you
#
# - **Who is right.** The score is symmetric: it treats people and metrics as two judges. Where only one of them sees
#   a difference, the other may be blind, or the one may be wrong.
# - **What kind of disagreement it is.** A .6 may be made of silence on one side, or of quarrels. Unit 26 counts the
#   kinds apart.
# - **Whether one metric is closer to people than another.** METEOR's .68 and BLEU's .61 differ by five points in a sum
#   over 66 pairs, and twelve systems are few. Unit 27 asks how sure one can be of such a difference.
#
# ## Check yourself
#
# > **At a level of .001, Stroppa and Owczarzak found a single cluster for every metric, and each two metrics scored 1.
# > Have the metrics become better judges at that level?**
# >
# > <details><summary>Yes, they agree completely</summary>They agree that nothing was distinguished. Two who say nothing
# > always agree.</details>
# > <details class="right"><summary>No, they have all fallen silent</summary>This is correct.</details>
# > <details><summary>Yes, a strict level shows quality</summary>It shows large differences. With too few shuffles it
# > shows none at all.</details>
#
# <details><summary>Answer</summary>
#
# No. They have all fallen silent. Two judges who decide nothing agree about everything. (Theirs had no choice: with a
# thousand shuffles, and the way they counted, p could not get below .001.)
#
# </details>
#
# > **A metric scores 0 with people. Is it as good as guessing?**
# >
# > <details class="right"><summary>One cannot tell</summary>This is correct.</details>
# > <details><summary>Yes</summary>A 0 comes about in several ways. Guessing is one of them.</details>
# > <details><summary>No, it is worse</summary>Opposite conclusions as often as the same ones give 0, too. Look at the
# > pairs.</details>
#
# <details><summary>Answer</summary>
#
# One cannot tell. It may decide pairs at random, or see opposite differences as often as the same ones, or decide
# just where people are silent and be silent where they decide. The score does not distinguish these, so look at the
# pairs.
#
# </details>
#
# > **Two metrics score .95 with each other. Does it mean that they can be trusted more than one of them alone?**
# >
# > <details><summary>Yes, two witnesses are better than one</summary>They count the same words against the same
# > reference. Two such witnesses may err together.</details>
# > <details><summary>No, less</summary>Agreement is no fault. It is just no proof.</details>
# > <details class="right"><summary>They make the same claims</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# It means that they make the same claims. All our metrics count words or characters that an output shares with the same
# reference, and may be wrong together. Into Spanish their ordered Rand scores are above .8 with each other and below .4
# with people.
#
# </details>
#
# ## Exercises
#
# **1.** What do metrics score if they are tested at .001 instead of .05? Change the level in `concluded` for METEOR
# from Spanish, and say what happens.
#
# <details><summary>Answer</summary>
#
# The score rises from .68 to .71. The metric keeps silent on more pairs, and most of them are pairs on which people
# are silent. It has not learned anything new.
#
# </details>
#
# **2.** Invent conclusions of three systems for which silence scores 0, and others for which it scores 1.
#
# <details><summary>Answer</summary>
#
# With `mt.Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 1})` people decide every pair, and
# silence scores 0. With three zeros it agrees everywhere and scores 1.
#
# </details>
#
# **3.** Cut WMT12's English–Spanish rankings into four quarters (`order[part::4]`) instead of two halves. What do two
# quarters score with each other, and what would you expect of two eighths?
#
# <details><summary>Answer</summary>
#
# Averaged over ten divisions, two quarters score .68, little less than the halves, and two eighths even .79. They
# know less, decide fewer pairs, and are silent together more often. With ever smaller parts the score goes to 1.
#
# </details>

# %% tags=["remove-input"]
strict = mt.compare_all(
    campaign.statistics("METEOR"), correction=None, interval=None, n_resamples=2000, rng=2014
)
assert round(mt.ordered_rand(strict.conclusions(alpha=0.001), people), 2) == 0.71
strict = strict.conclusions(alpha=0.001).reorder(people.systems).pairs()
silenced = (strict == 0) & (meteor.reorder(people.systems).pairs() != 0)
assert 0.5 < np.mean(people.pairs()[silenced] == 0) < 1
assert round(spanish["BLEU"] - spanish["METEOR"], 4) == round(-5 / 66, 4)
rest = mt.load("wmt12/en-es").human.rankings
quarters = []
for seed in range(10):
    order = np.random.default_rng(seed).permutation(rest["task"].unique())
    parts = [rest[rest["task"].isin(order[part::4])] for part in (0, 1)]
    parts = [mt.human.PairwisePreferences(part).conclusions(alpha=0.05) for part in parts]
    quarters.append((mt.ordered_rand(*parts), *[(part.pairs() != 0).sum() for part in parts]))
    eighths = [rest[rest["task"].isin(order[part::8])] for part in (0, 1)]
    eighths = [mt.human.PairwisePreferences(part).conclusions(alpha=0.05) for part in eighths]
    quarters[-1] += (mt.ordered_rand(*eighths),)
assert np.round(np.mean(quarters, axis=0)[[0, 3]], 2).tolist() == [0.68, 0.79]
assert 0.405 < both_silent < 0.415 and 0.31 < both_same < 0.325

# %% [markdown]
# ---
#
# *Before this:* [unit 24, Rankings](24_rankings.ipynb). *After this:* [unit 26, Do the tests agree with
# people?](26_do_the_tests_agree_with_people.ipynb) *To practise:* [lab 9](../labs/student/lab_09_clusters.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
