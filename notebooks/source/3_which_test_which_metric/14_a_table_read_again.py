# %% [markdown]
# # 14 · A table read again
#
# In 2005 a paper tested five pairs of systems twice, once by approximate randomization and once by the bootstrap. Five times the
# bootstrap's p-value was the smaller one, by about half. The authors concluded that approximate randomization is the more cautious
# test, and recommended it. The numbers are right, and the recommendation is not a bad one. But does the one follow from the other?
# You have met the bootstrap that they used in unit 13.
#
# <details><summary>After this unit you can …</summary>
#
# - say where a doubled p-value is right and where it is not (question 1, exercise 2);
# - say why many findings alone do not speak against a test (question 2);
# - name the fault of choosing a second test after the first has failed (question 3).
#
# Before this: unit 13. About 19 minutes to read, 24 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.3f}".format

AR, PRINTED, RIGHT = "approximate-randomization", "riezler-maxwell-bootstrap", "bootstrap"


def draw_p_values(blocks, level):
    """Rows of p-values: randomization, the bootstrap as printed, the same doubled, and put right."""
    figure, axes = plt.subplots(
        len(blocks), 1, figsize=(7.2, 5.3), sharex=True, layout="constrained"
    )
    (old, cross), (new, square), (blue, _) = map(style.look_of, (PRINTED, RIGHT, AR))
    for ax, (title, block) in zip(axes, blocks.items(), strict=True):
        place = np.arange(len(block))
        once, twice = block["as printed"], 2 * block["as printed"]
        ax.hlines(place, once, twice, color=style.MUTED, linewidth=2, zorder=1)
        ax.scatter(once, place, s=80, color=old, marker=cross, label="bootstrap as printed")
        ax.scatter(
            twice, place, s=90, facecolor="white", edgecolor=old, lw=2, label="the same, doubled"
        )
        ax.scatter(
            block["randomization"],
            place,
            s=420,
            color=blue,
            marker="|",
            lw=2,
            label="randomization",
        )
        if "put right" in block:
            ax.scatter(
                block["put right"],
                place,
                s=24,
                color=new,
                marker=square,
                label="bootstrap, put right",
                zorder=4,
            )
        ax.axvline(level, color=style.INK, linestyle="--", linewidth=1)
        style.name_rows(ax, list(block.index))
        ax.set_title(title, loc="left", fontsize=11)
        ax.set_xlim(0, 0.09)
    axes[-1].set_xlabel(f"p-value (dashed: {level})")
    figure.legend(*axes[-1].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    style.describe(
        figure,
        "p-values of ten pairs, five printed in 2005 and five of ours. In every row the bootstrap as printed lies far to the left. Doubled, "
        "and put right where that is possible, it lies close to approximate randomization.",
    )
    return figure


def draw_against_randomization(p, level):
    """p-values of both bootstraps against randomization's, with the region of false comfort."""
    figure, ax = style.figure_and_axes(None, figsize=(6.6, 5.0))
    low = 0.0015
    for test, label in ((PRINTED, "bootstrap as printed in 2005"), (RIGHT, "bootstrap, put right")):
        colour, marker = style.look_of(test)
        ax.scatter(p[AR], p[test], color=colour, marker=marker, s=26, alpha=0.8, label=label)
    line = np.array([low, 1])
    ax.plot(line, line, color=style.INK, linewidth=1)
    ax.plot(line, line / 2, color=style.INK, linewidth=1, linestyle="--")
    ax.annotate("equal", (0.0021, 0.0026), rotation=38, fontsize="small")
    ax.annotate("half", (0.0042, 0.0016), rotation=38, fontsize="small")
    ax.fill_between([level, 1], low / 2, level, color=style.MUTED, alpha=0.5, lw=0, zorder=0)
    ax.annotate("a difference\nonly as printed", (0.22, 0.006), ha="center", color=style.INK)
    ticks = [0.002, 0.01, 0.05, 0.2, 1]
    ax.set(xscale="log", yscale="log", xlim=(low, 1.1), ylim=(low / 2, 1.1))
    ax.set_xticks(ticks, map(str, ticks))
    ax.set_yticks(ticks, map(str, ticks))
    ax.minorticks_off()
    ax.set_xlabel("p of approximate randomization")
    ax.set_ylabel("p of the bootstrap")
    ax.legend(loc="upper left", frameon=False)
    style.describe(
        figure,
        "p-values of two bootstraps against those of approximate randomization, on logarithmic axes. Put right, the bootstrap "
        "follows the line of equality; as printed it follows the line of one half, and falls below it as p grows.",
    )
    return figure


# %% [markdown]
# ## The table
#
# It is Table 2 of Riezler and Maxwell (2005). They had six systems that were meant to be equally good, and compared the first with
# each of the others under NIST, a relative of BLEU that unit 16 explains. The kit has the table as printed:

# %%
from mtsig_nb.campaigns.printed import printed_table

table = printed_table("riezler_maxwell2005", 2).set_index("comparison").astype(float)
table

# %% [markdown]
# A row is a pair: system 1 against system 2, and so on. The first number is the difference in NIST, the second the p-value of
# approximate randomization, the third that of the bootstrap. Read the last two columns from top to bottom. The bootstrap's p is
# smaller every time.
#
# And that matters. These systems were meant not to differ. Whoever finds a difference between two of them has made a false claim,
# or so it seems, and the bootstrap finds one more readily. Hence the conclusion.
#
# But the bootstrap's column was made by the recipe of unit 13, which counts one tail, and randomization's by one that counts two.
# That is a difference in step 4, *compare*. The two tests also differ in steps 2 and 3. Does that matter here, or is it all in the
# counting?
#
# > **Make a guess.** Double the bootstrap's p-values. In how many of the five rows will they still be smaller than those of
# > approximate randomization: in all five, in two or three, or in none?
# >
# > <details><summary>in all five</summary>Doubling makes up for the lost tail, and in some rows for more than
# > that.</details>
# > <details class="right"><summary>in two or three</summary>In three, as far as rounded numbers tell.</details>
# > <details><summary>in none</summary>In some rows the doubled p is still the smaller one.</details>

# %%
table["doubled"] = 2 * table["p_bootstrap"]
(table["doubled"] < table["p_approxrand"]).sum()

# %% tags=["remove-input", "remove-output"]
still = table["doubled"] < table["p_approxrand"]
gap = (table["doubled"] - table["p_approxrand"]).abs()
assert (table["p_bootstrap"] < table["p_approxrand"]).all() and still.sum() == 3
assert gap.max() < 0.0065 and (gap.drop("1:4") < 0.0025).all()
in_print = printed_table("riezler_maxwell2005", 2).set_index("comparison")
digit = 10.0 ** -in_print[["p_approxrand", "p_bootstrap"]].map(lambda p: len(p.partition(".")[2]))
assert (gap > digit["p_approxrand"] / 2 + digit["p_bootstrap"] + 1e-9).sum() == 1
headline("printed pairs of five whose doubled p is below that of randomization", still.sum())

# %% [markdown]
# **The guess.** In three. In the other two it is larger. If somebody had swapped the headings of these two columns,
# nobody would have noticed. (The printed p-values are rounded, and doubling doubles the rounding. Two of them have no
# more than two decimals. So only in one of the five rows is it certain which of the two p-values is the smaller one.)
#
# Nothing is left of the pattern. What about the claims? The field's usual level is .05, and the paper also uses a stricter one,
# .015 (in one place it prints 0.15, but its counts only fit .015). Here are the claims at either level, of randomization, the
# bootstrap, and the bootstrap doubled:

# %%
p_values = table[["p_approxrand", "p_bootstrap", "doubled"]]
(p_values <= 0.05).sum().tolist(), (p_values <= 0.015).sum().tolist()

# %% tags=["remove-input"]
assert (p_values <= 0.05).sum().tolist() == [4, 5, 3]
assert (p_values <= 0.015).sum().tolist() == [0, 3, 0]
assert 0.006 - 0.0015 > 0 and (gap[["1:2", "1:6"]] > 0.0015).all()
assert (gap[["1:3", "1:5"]] < 0.0015).all() and gap["1:4"] > 0.0015

# %% [markdown]
# At .05 the bootstrap found a difference in all five pairs, and doubled it finds three. It has lost 1:4 and 1:5.
# Randomization finds four, one of them at exactly .050. At .015 the bootstrap found three differences and randomization
# none. With the p-values doubled, the bootstrap finds none either. If one of the two tests is the more cautious, this
# table does not say which.
#
# Graham, Mathur and Baldwin noticed this in 2014, and needed a few lines to say so. For nine years the table had stood there, and
# anyone could have doubled five numbers.
#
# ## Five pairs of ours
#
# Doubling is a repair for somebody who has nothing but the printed table. The real thing would be to run the right test on the same
# outputs. Those six systems are not public. So we looked in WMT13 for pairs that resemble theirs: small differences in NIST, and
# p-values on both sides of .05. They were chosen by their looks, so they prove nothing. They show what a complete table might have
# looked like. In `five_pairs` are, for each, the counts and the names of the two systems. The last line below
# counts the claims at .05 of each test.

# %% tags=["remove-input"]
import mtsig_nb as mt

warnings.simplefilter("ignore", mt.PitfallWarning)  # the text speaks of nothing else
from_russian, from_spanish = (mt.load(f"wmt13/{x}-en").statistics("NIST") for x in ("ru", "es"))
OMNI = "OmniFluent_Translate_Russian-to-English_{}constrained.{}".format
five_pairs = {
    "uedin − QCRI-MES (ru)": (from_russian, "uedin-wmt13.2851", "QCRI-MES.2856"),
    "OmniFluent, two kinds (ru)": (from_russian, OMNI("", 2668), OMNI("un", 2671)),
    "FDA − dcu-pbsmt (es)": (from_spanish, "FDA.2901", "dcu-prompsit-pbsmt.2692"),
    "LIMSI − dcu-pbsmt (es)": (
        from_spanish,
        "LIMSI-Ncode-SOUL-primary.2598",
        "dcu-prompsit-pbsmt.2692",
    ),
    "umd − OmniFluent (ru)": (from_russian, "umd.2892", OMNI("", 2668)),
}

# %%
tests = [mt.approximate_randomization, mt.riezler_maxwell_bootstrap, mt.bootstrap_test]
draws = {"n_resamples": 20_000, "rng": 2014}
found = [[test(*pair, **draws).pvalue for test in tests] for pair in five_pairs.values()]
ours = pd.DataFrame(found, list(five_pairs), ["randomization", "as printed", "put right"])
(ours <= 0.05).sum().tolist()

# %% tags=["remove-input"]
theirs = table.rename(columns={"p_approxrand": "randomization", "p_bootstrap": "as printed"})
draw_p_values({"printed in 2005": theirs, "five pairs of WMT13": ours}, 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
differences = [
    mt.bootstrap_test(*pair, n_resamples=99, rng=1).statistic for pair in five_pairs.values()
]
assert min(differences) > 0.03 and max(differences) < 0.0505
assert (ours <= 0.05).sum().tolist() == [2, 5, 2] and (2 * ours["as printed"] <= 0.05).sum() == 2
assert (ours["put right"] - ours["randomization"]).abs().max() < 0.0035
assert (2 * ours["as printed"] < ours["randomization"]).all()
headline("five pairs of WMT13 at .05: as printed", (ours["as printed"] <= 0.05).sum())
headline("the same, put right", (ours["put right"] <= 0.05).sum())

# %% [markdown]
# The horizontal axis is the p-value, and each row is a pair, the five of 2005 above and five of ours below. Begin with the crosses
# on the left, the bootstrap as printed: in all ten rows the cross lies to the left of the dashed line, which means "different at
# .05". Follow the grey line to the open circle, where the same number is doubled, and look for the upright blue stroke, approximate
# randomization. It runs through the circle or close by it. Last, below, look for the green squares, which the paper could not have:
# the bootstrap with both tails, on the same outputs. They sit on the blue strokes, as nearly as twenty thousand resamples can tell.
#
# You will have noticed that our circles tend to fall a little short. The recipe of 2005 subtracts the mean of absolute
# values, which is larger than the plain mean as soon as some resamples lie below zero. So it loses one tail and a
# little more, and doubling does not quite make up for that. At .05, three of our five pairs are no longer called
# different when both tails are counted. Of the five pairs of 2005, two are no longer called different when p is
# doubled.
#
# ## Eight hundred pairs
#
# Ten pairs, five of them hand-picked, are an illustration. So let us take all pairs of five campaigns, 828 of them, under BLEU.
# `mt.compare_all` tests each pair of a campaign's systems; our settings leave out intervals, and what unit 19 calls corrections.

# %%
only_p = {"rng": 2005, "interval": None, "correction": None}


def all_pairs(name):
    bleu = mt.load(name).statistics("BLEU")
    tests = ["approximate-randomization", "riezler-maxwell-bootstrap", "bootstrap"]
    return pd.DataFrame({t: mt.compare_all(bleu, test=t, **only_p).table["pvalue"] for t in tests})


# %%
campaigns = ["wmt12/es-en", "wmt12/de-en", "wmt13/es-en", "wmt13/de-en", "wmt13/ru-en"]
p = pd.concat({name: all_pairs(name) for name in campaigns})
(p <= 0.05).sum()

# %% tags=["remove-input"]
draw_against_randomization(p[p[AR] > 0.002], 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
spanish = p.loc["wmt12/es-en"].query(f"`{AR}` > 0.002")
in_play = p[p[AR].between(0.002, 0.5)]
by_printed, by_right = ((spanish[test] / spanish[AR]).median() for test in (PRINTED, RIGHT))
headline("median ratio to the p of approximate randomization, as printed", by_printed, spec=".2f")
headline("median ratio to the p of approximate randomization, corrected", by_right, spec=".2f")
alone = (p[PRINTED] <= 0.05) & (p[RIGHT] > 0.05)
headline("pairs of 828 that only the bootstrap as printed calls different at .05", alone.sum())
assert len(p) == 828 and len(spanish) == 8 and 70 < len(in_play) < 90
assert not ((p[PRINTED] > 0.05) & (p[RIGHT] <= 0.05)).any() and alone.sum() == 14
assert ((p[AR] <= 0.05) == (p[RIGHT] <= 0.05)).all() and (p[AR] <= 0.002).sum() > 700
assert abs((in_play[RIGHT] / in_play[AR]).median() - 1) < 0.02
assert 0.43 < (in_play[PRINTED] / in_play[AR]).median() < 0.46
small, large = p[p[AR].between(0.002, 0.05)], p[p[AR] > 0.2]
assert 0.48 < (small[PRINTED] / small[AR]).median() < 0.52
assert (large[PRINTED] / large[AR]).median() < 0.42 and p[PRINTED].max() < 0.42

# %% [markdown]
# Each pair of systems has two marks in this picture, one above the other. Their common place on the horizontal axis is
# the p-value of approximate randomization; the axes are stretched so that small p-values can be told apart. (Pairs
# below .002 are left out. There are hundreds of them. With ten thousand resamples one can only say that their p-values
# are small.) Look at the squares first, the bootstrap put right: they lie on the line of equality, along the whole
# range. The crosses lie on the dashed line where p is small, and sink below it towards the right, where none gets above
# .42. In the grey field are the pairs for which the recipe of 2005 finds a difference at .05 and randomization finds
# none. If the bootstrap itself were the less cautious test, the squares would lie below the line as well.
#
# So that is the answer. At .05 randomization and the bootstrap agree on every one of the 828 pairs, if both count two tails.
# Fourteen pairs are claimed by the recipe of 2005 alone. That sounds like little, and it is, because most of these pairs are clear
# to any test. But a paper is more often about two systems that are nearly alike, such as a new version and the last one, and these
# are the pairs that lie near the grey field.
#
# ## What today's tool prints
#
# This would be history, if the recipe were not in use. The tool that most people score with, sacreBLEU, has an option
# `--paired-bs`. In version 2.6.0 it computes absolute differences and subtracts their mean. Here is what it would print for the
# pair of unit 13:

# %%
pair = mt.load("wmt13/es-en").statistics("BLEU").select(["DCU-Prompsit.2880", "online-A"])
mt.reported_by("sacrebleu-bs", pair, *pair.systems, rng=2014)

# %% tags=["remove-input"]
report = mt.reported_by("sacrebleu-bs", pair, *pair.systems, rng=2014)
assert report.pvalue < 0.05 < report.corrected.pvalue
twin = mt.SufficientStatistics(pair.metric, ["original", "copy"], pair.values[[0, 0]])
same = mt.reported_by("sacrebleu-bs", twin, "original", "copy", rng=1)
assert same.printed == {"p": "0.0010*"} and same.corrected.pvalue == 1

# %% [markdown]
# The star is the tool's, and means "p is at most .05". The second line is what the test would say with both tails. The
# last names two departures from it. The second you know from unit 6: the tool counts a resample only if it is *larger*
# than what was observed, not if it is equal. Give it a system and its own copy, and it prints `0.0010*`, as small a p
# as a thousand resamples allow. By this p-value, a system would be significantly different from its own copy, which is
# absurd.
#
# None of this makes sacreBLEU a bad tool; for scores it is the usual one. But when you read "paired bootstrap, p = .04"
# in a paper, ask which program was used. If it was this option, the two-sided p is probably near .08.
#
# ## What this does not tell you
#
# - **Which of the two tests to use.** The two tests agree here, so neither is the more cautious one. But that does not
#   show that both are right. [Unit 15](15_what_a_test_promises.ipynb) asks that.
# - **Which published claims are affected.** A paper seldom names its tool's version, and the pairs with large differences are safe
#   in any case.
# - **What other metrics and small test sets do.** There are three thousand sentences here, and one metric in the large picture.
#
# ## Check yourself
#
# > **If the doubled p-values agree so well, why not keep the old recipe and double?**
# >
# > <details><summary>Because doubling is slow</summary>It takes no time. The problem is at large p-values: the recipe
# > gives at most about .42, and twice that is not 1.</details>
# > <details><summary>There is no reason</summary>Doubling .41 gives .82 where the two-tailed p is 1. Counting both
# > tails is as easy.</details>
# > <details class="right"><summary>They agree only where p is small</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Because they agree only where p is small. Further to the right in the second picture the crosses fall below the line of one half,
# and no doubling brings a p-value of .41 back to 1. It is as easy to count both tails in the first place.
#
# </details>
#
# > **The six systems of 2005 were meant to be equally good. Even so, randomization finds a difference at .05 in four of five pairs.
# > Is randomization broken?**
# >
# > <details><summary>Yes</summary>Five comparisons share one system. One accident of that system shows in all of
# > them.</details>
# > <details class="right"><summary>Not on this evidence</summary>This is correct.</details>
# > <details><summary>Yes, at NIST</summary>That would need many independent pairs. These five are not
# > independent.</details>
#
# <details><summary>Answer</summary>
#
# Not on this evidence. All five comparisons share system 1. If its outputs happen to suit NIST a little more or less on these
# sentences, all five show it: it is one accident, seen five times. And "equally good" was meant of the systems' quality; their outputs may
# differ in NIST all the same.
#
# </details>
#
# > **A colleague gets p = .06 with approximate randomization, tries `--paired-bs`, gets .03, and reports the latter, "because it is
# > the standard tool". What has happened?**
# >
# > <details class="right"><summary>A second test was chosen because the first had failed</summary>This is correct.</details>
# > <details><summary>The standard tool saw more</summary>It saw the same evidence and counted one tail of it.</details>
# > <details><summary>Nothing: both are valid tests</summary>Each by itself may be. Taking the smaller p of two raises
# > the share of false claims.</details>
#
# <details><summary>Answer</summary>
#
# The same evidence has been counted twice, once with two tails and once with one. And the second test was chosen after the first
# had failed, which raises the share of false claims whatever the tests are.
#
# </details>
#
# ## Exercises
#
# **1.** How many of the 828 pairs does the recipe of 2005 alone call different at .01?
#
# <details><summary>Answer</summary>
#
# `((p["riezler-maxwell-bootstrap"] <= 0.01) & (p["bootstrap"] > 0.01)).sum()` gives 10. The other way round there is none.
#
# </details>
#
# **2.** Riezler and Maxwell's Table 1 has a baseline and a variant under three metrics: `printed_table("riezler_maxwell2005", 1)`.
# Under BLEU randomization has p = .158. What is the bootstrap's p there, and what is it doubled? Does anything change?
#
# <details><summary>Answer</summary>
#
# It is .1, and doubled .2. At .05 nothing changes. At .10, which some papers have used, the bootstrap as printed would just find a
# difference, and doubled it would not.
#
# </details>

# %% tags=["remove-input"]
assert ((p[PRINTED] <= 0.01) & (p[RIGHT] > 0.01)).sum() == 10
assert not ((p[PRINTED] > 0.01) & (p[RIGHT] <= 0.01)).any()
first = printed_table("riezler_maxwell2005", 1).set_index("metric").loc["BLEU"]
assert (float(first["p_approxrand"]), float(first["p_bootstrap"])) == (0.158, 0.1)

# %% [markdown]
# ---
#
# *Before this:* [unit 13, The pitfall](13_the_pitfall.ipynb). *After this:* [unit 15, What a test
# promises](15_what_a_test_promises.ipynb). *To practise:* [lab 6](../labs/student/lab_06_the_missing_tail.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
