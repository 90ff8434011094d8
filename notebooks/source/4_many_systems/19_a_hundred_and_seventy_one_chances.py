# %% [markdown]
# # 19 · A hundred and seventy-one chances to be wrong
#
# Unit 1 compared Facebook's system with NVIDIA's and found that luck alone would do as much in about 3 of 100
# evaluations. But the campaign has nineteen systems, and nineteen systems make 171 pairs. We looked at all of them and
# took one whose p-value made a good story. Now that you know this, what are the 3 of 100 still worth?
#
# <details><summary>After this unit you can …</summary>
#
# - say for whom a correction is needed, and over which family (question 1);
# - say why the claims that are reported are the false ones, if nothing differs (question 2);
# - compute Holm's correction, and say which question its p-values answer (question 3, exercises 1 and 2).
#
# Before this: unit 15. About 24 minutes to read, 29 to teach with a discussion. New terms: correction, experimentwise
# error, false discovery rate, family, family-wise error, unresolved.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 3


def draw_deals(claims, pairs):
    """How many deals had how many false claims; those that had any stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    fill_in_deals(ax, claims, pairs)
    none = (claims == 0).sum()
    ax.annotate("no false claim", (0, none), (6, 4), textcoords="offset points")
    top = ax.get_ylim()[1] * 1.1
    ax.set_ylim(top=top)
    ax.text(0.05 * pairs + 0.3, top * 0.93, f"5 % of {pairs} pairs")
    style.describe(
        figure,
        "Bars over the number of false claims in a deal, from none to about thirty. About one deal in ten has none; most have "
        "between one and fifteen, spread widely around the dashed line at 8.6.",
    )
    return figure


def fill_in_deals(ax, claims, pairs):
    """The bars and the dashed line of `draw_deals`."""
    counts = np.bincount(claims)
    ax.bar(np.arange(1, len(counts)), counts[1:], color=style.EMPHASIS, width=0.8)
    ax.bar(0, counts[0], color=style.CALM, width=0.8)
    ax.axvline(0.05 * pairs, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel=f"false claims in a deal (pairs: {pairs})", ylabel=f"deals of {len(claims)}")


def draw_lines(p, level):
    """Sorted p-values and the lines that three procedures draw."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.5))
    p = np.sort(p)
    n, rank = len(p), np.arange(1, len(p) + 1)
    holm = mt.adjust_pvalues(p, "holm") <= level
    for which, colour, label in (
        (holm, style.CALM, "kept after Holm"),
        (~holm & (p <= level), style.EMPHASIS, "claimed at .05, and lost"),
        (p > level, style.MUTED, "not claimed"),
    ):
        ax.plot(rank[which], p[which], ".", markersize=8, color=colour)
        ax.text(rank[which].mean(), 2.0, label, color=style.INK, ha="center", fontsize=10)
        ax.axvspan(rank[which][0] - 0.5, rank[which][-1] + 0.5, color=colour, alpha=0.12, lw=0)
    for line, dashes, label, place, where in (
        (np.full(n, level), "--", "no correction: .05", 3, 1.25),
        (level * rank / n, ":", "Benjamini and Hochberg", 98, 0.4),
        (level / (n + 1 - rank), "-", "Holm", 151, 1.5),
        (np.full(n, level / n), "-.", "Bonferroni: .05/171", 122, 0.5),
    ):
        ax.plot(rank, line, dashes, color=style.INK, linewidth=1.3)
        ax.text(place, line[place] * where, label, fontsize=10, va="bottom", ha="left")
    ax.set(yscale="log", ylim=(7e-5, 4), xlim=(0, n + 1))
    ax.set_yticks([1e-4, 1e-3, 1e-2, 0.05, 1], [".0001", ".001", ".01", ".05", "1"])
    ax.minorticks_off()
    ax.set(xlabel="pairs, from the smallest p-value to the largest", ylabel="p-value")
    style.describe(
        figure,
        "171 sorted p-values on a scale of powers of ten. The first 55 lie below Holm's line, the next 49 between it and .05, the "
        "last 67 above .05. Bonferroni's line runs flat at .0003; that of Benjamini and Hochberg climbs to .05.",
    )
    return figure


# %% [markdown]
# ## Two chances
#
# Take two pairs of systems that do not differ, and test each of them at a level of .05. Each test makes no claim with a
# probability of .95. If the two tests are independent, *neither* makes a claim with a probability of .95 · .95 = .9025.
# So there is at least one false claim with a probability of .0975. With two tests, at least one false claim is nearly
# twice as probable as with one test. With k comparisons there are k factors of .95.
#
# A **family** is made up of all comparisons about which one promise is made. The **family-wise error** is the chance
# of at least one false claim in a family. **Experimentwise error** is Riezler & Maxwell's (2005) word for the
# family-wise error. They warn of it with two examples: fifteen systems, which make 105 pairs, at .05; and five
# comparisons at .015.

# %%
for k, level in ((2, 0.05), (105, 0.05), (5, 0.015), (171, 0.05)):
    print(f"{k:3} comparisons at {level}: {1 - (1 - level) ** k:.4f}")

# %% tags=["remove-input", "remove-output"]
for k, level in ((105, 0.05), (5, 0.015)):
    error = 1 - (1 - level) ** k
    headline(f"experimentwise error of {k} independent comparisons at {level:g}", error, spec=".4f")
assert f"{1 - 0.95**105:.4f}" == "0.9954" and f"{1 - 0.985**5:.2f}" == "0.07"
assert round(1 - 0.95**2, 4) == 0.0975 and 1 - 0.95**171 > 0.9998 and 19 * 18 // 2 == 171

# %% [markdown]
# They print .9954 and .07, and so do we. By this formula, with 171 pairs and no real difference among them, a false
# claim is almost certain. But our pairs share systems and sentences.
#
# ## Nineteen systems that do not differ
#
# Unit 15 made two pseudo-systems out of two real ones with a coin for each sentence. With nineteen we need a pack of
# cards. For each sentence, mix the nineteen outputs like cards and deal one to each of nineteen players. Sentences
# and outputs are real. But no player is better than another, and whatever a test claims about them is false.
#
# > **Make a guess.** All 171 pairs of players are tested at .05. How many false claims do you expect in a deal:
# > none, one, or eight or nine? And of a hundred deals, how many have none at all: 95, 50 or 10?
# >
# > <details><summary>none, and 95 of 100 deals</summary>That is the promise to somebody who tests one
# > pair.</details>
# > <details><summary>one, and 50 of 100 deals</summary>One in twenty is the promise for each pair, and there are
# > 171.</details>
# > <details class="right"><summary>eight or nine, and 10 of 100 deals</summary>So it is: 171 times .05.</details>

# %%
import mtsig_nb as mt

bleu = mt.load("wmt21/de-en").statistics("BLEU")
players = [f"player {k}" for k in range(1, 20)]
rng = np.random.default_rng(19)


def deal():
    cards = rng.permuted(np.tile(np.arange(19), (1000, 1)), axis=1)
    return mt.SufficientStatistics(bleu.metric, players, bleu.values[cards.T, np.arange(1000)])


# %% [markdown]
# `cards` has a row for each sentence, with the numbers 0 to 18 in an order of its own, and the last line picks, for
# each player, the outputs that the cards name. To test all pairs at once the package has `compare_all`. It tests each
# pair as units 5 and 6 did, with the same coins for all of them. Here 199 shuffles a pair are enough.

# %%
options = {"correction": None, "interval": None, "n_resamples": 199}
tables = [mt.compare_all(deal(), **options, rng=seed).table for seed in range(200)]
claims = np.array([(table["pvalue"] <= 0.05).sum() for table in tables])
claims.mean(), (claims == 0).mean(), claims.max()

# %% tags=["remove-input"]
draw_deals(claims, 171)
plt.show()

# %% tags=["remove-input", "remove-output"]
headline(
    "nineteen systems without a difference: share of 200 deals with a false claim",
    (claims > 0).mean(),
    spec=".3f",
)
assert 7 < claims.mean() < 10 and 0.06 < (claims == 0).mean() < 0.15 and 25 <= claims.max() <= 45
assert 0.4 < (claims < 6).mean() < 0.55 and (claims > 17).mean() > 0.06

# %% [markdown]
# The horizontal axis is the number of false claims in a deal, the height of a bar how many of the two hundred deals had
# that many. Look first at the single bar at the left in another colour: the deals without any false claim. Then look at
# the dashed line, at 5 % of 171 pairs. The bars reach from nothing to more than three times as far, and their average
# is near the line. If the family kept the promise that each test keeps, at least 190 of the 200 deals would be in the
# first bar.
#
# **The guess.** Eight or nine, on average, and about ten deals of a hundred have none. No test has broken its
# promise: one pair in twenty is called different, as announced. But the promise was about a pair chosen before
# looking. Whoever looks at all pairs and reports the most impressive will nearly always have something to report.
#
# The formula said .9998, the deals say about .9. In a running notebook, run the cell below and move the number of
# players from two to nineteen: the first bar shrinks, but less than the formula says. Unit 20 finds the reason.

# %% tags=["remove-input", "nbval-ignore-output"]
among = {}
for k in (2, 3, 5, 10, 19):
    own_pairs = [t[["system_a", "system_b"]].isin(players[:k]).all(axis=1) for t in tables]
    false = [(t["pvalue"][own] <= 0.05).sum() for t, own in zip(tables, own_pairs, strict=True)]
    among[k] = np.array(false)


def deals_among(ax, players):
    """As in the picture above, for some of the players."""
    pairs = players * (players - 1) // 2
    fill_in_deals(ax, among[players], pairs)
    share = (among[players] > 0).mean()
    ax.set_title(f"any false claim: {share:.3f} of deals; formula: {1 - 0.95**pairs:.4f}")
    ax.set_xlim(-1, 32)


assert (among[19] == claims).all()
assert all((among[k] > 0).mean() < 1 - 0.95 ** (k * (k - 1) / 2) for k in (5, 10, 19))
movable(deals_among, players=[2, 3, 5, 10, 19])

# %% [markdown]
# ## Two ways to be stricter
#
# Of the four steps only the last changes: we compare the p-values with something else. A **correction** is a change
# of p-values (or of the level) that keeps a promise about a whole family, such as Holm's, to which we come. The
# simplest is Bonferroni's. The chance that one or another of five things happens is at most the sum of their chances,
# however they hang together. So compare each of five p-values with .05/5, or, which is the same, multiply it by five
# and compare with .05.

# %%
p = np.array([0.001, 0.012, 0.017, 0.035, 0.3])
p * 5

# %% [markdown]
# Four of the five p-values were .05 or less, and one is left. (What exceeds 1 is written as 1.)
# Holm noticed in 1979 that this gives away too much. Once the smallest p-value has passed, it is decided, and only
# four comparisons remain that could go wrong. So multiply the next one by four, the one after it by three, and stop
# at the first that fails: all behind it fail, too.

# %%
p * [5, 4, 3, 2, 1]

# %% tags=["remove-input"]
assert (p <= 0.05).sum() == 4
assert [(mt.adjust_pvalues(p, m) <= 0.05).sum() for m in ("bonferroni", "holm")] == [1, 2]
assert (mt.adjust_pvalues(p, "benjamini-hochberg") <= 0.05).sum() == 4

# %% [markdown]
# Now two pass; the third, .051, stops us. Why is that allowed? Go down the sorted list until you meet the first pair
# that really has *no* difference. All pairs without a difference stand at this place or below it. So their number is at
# most the number by which this p-value is multiplied. By Bonferroni's argument, the smallest p-value of so many pairs
# without a difference passes with a probability of at most .05. If it does not pass, the list is closed before any
# false claim is made. So Holm's correction keeps Bonferroni's promise, asks for nothing more, and never finds less.
#
# ## The real nineteen
#
# Of the 171 pairs of WMT21, 104 have a p-value of .05 or less.
#
# > **Make a guess.** How many of the 104 claims are left after Bonferroni's correction, and how many after
# > Holm's: about 100, about 75, or about 50?
# >
# > <details><summary>about 100</summary>A correction for 171 pairs asks for p-values below .0003.</details>
# > <details><summary>about 75</summary>More go, and Holm's keeps hardly more than Bonferroni's.</details>
# > <details class="right"><summary>about 50</summary>So it is: half of the claims go.</details>

# %%
everyone = mt.compare_all(bleu, correction=None, interval=None, n_resamples=10_000, rng=2014)
p = everyone.table["pvalue"]
for name in ("none", "bonferroni", "holm", "benjamini-hochberg"):
    print(name, (mt.adjust_pvalues(p, name) <= 0.05).sum())

# %% tags=["remove-input"]
draw_lines(p.to_numpy(), 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
found = {
    n: int((mt.adjust_pvalues(p, n) <= 0.05).sum())
    for n in ("none", "bonferroni", "holm", "benjamini-hochberg")
}
headline("WMT21 de-en, BLEU: pairs of 171 with p ≤ .05, uncorrected", found["none"])
headline("the same after Holm's correction", found["holm"])
assert found == {"none": 104, "bonferroni": 50, "holm": 55, "benjamini-hochberg": 89}
everybody = everyone.table
ours = everybody[
    (everybody["system_a"] == "Facebook-AI") & (everybody["system_b"] == "NVIDIA-NeMo")
]
assert round(ours["pvalue"].item(), 2) == 0.03 and 4.5 < 171 * ours["pvalue"].item() < 5.5
assert mt.adjust_pvalues(p, "holm")[ours.index[0]] == 1

# %% [markdown]
# The dots are the 171 p-values, sorted, on a scale of powers of ten. Start at the lower left, with the pairs that no
# shuffle of the ten thousand reaches. Then follow the dots to the right until they cross a line: the claims of a
# procedure are those before the crossing. Bonferroni's line is flat and is crossed first. Holm's line starts at the
# same height and rises, but it becomes steep only after the dots have crossed it. The plain .05 is crossed last. In the
# middle band, between Holm's crossing and this one, are the pairs with p at or below .05 that are lost after Holm's
# correction. One of them could be claimed only if it was the one pair to be tested. (The dotted line comes next.)
#
# **The guess.** About 50: half of the claims go, and unit 1's pair with them. Its .03, times 171, is about 5, so the
# corrected p-value is 1. Had somebody announced *this* pair before looking, and no other, it would still be .03.
#
# Where systems lie far apart, a correction takes little. At WMT12, from Spanish, 62 pairs of 66 have a p-value of .05
# or less, and 59 are left after Holm's.
#
# ## Another promise
#
# Holm promises that in at least 95 of 100 families *no* claim is false. One may be content with less. The **false
# discovery rate** is the average share of false claims among the claims made. Benjamini and Hochberg (1995) limit it
# to .05 (for independent tests, and for some that are not) with the dotted line. One looks for the last dot on or
# below it, and claims all up to there, 89 of our pairs.
#
# That is a fair bargain if you screen two hundred variants of a system for those worth a second look. It is not what
# the sentence "A is better than B" in a paper promises. On average up to one in twenty such claims is false. So four of
# the 89 may be false, and nobody can say which.
#
# ## Too few shuffles
#
# With a thousand shuffles no p-value is below 1/1,001 (unit 6). Times 171, that is .17. See what happens:

# %%
print(mt.compare_all(bleu, correction="holm", interval=None, n_resamples=1000, rng=2014))

# %% tags=["remove-input"]
hurried = mt.compare_all(bleu, correction="holm", interval=None, n_resamples=1000, rng=2014)
left_alone = mt.compare_all(bleu, correction="holm", interval=None, rng=2014)
assert (hurried.table["pvalue_adjusted"] <= 0.05).sum() == 0
assert (hurried.table["conclusion"] == "cannot tell").sum() == 70 and round(171 / 1001, 2) == 0.17
assert (left_alone.table["conclusion"] == "cannot tell").sum() == 1
assert (left_alone.table["conclusion"] == "better").sum() == 56
spanish = mt.compare_all(
    mt.load("wmt12/es-en").statistics("BLEU"),
    correction=None,
    interval=None,
    n_resamples=10_000,
    rng=2014,
).table["pvalue"]
assert (len(spanish), (spanish <= 0.05).sum()) == (66, 62)
assert (mt.adjust_pvalues(spanish, "holm") <= 0.05).sum() == 59

# %% [markdown]
# Not one of 171 pairs. The systems have not become alike; we have not drawn enough. So 70 of these pairs are
# **unresolved**, which is said of a pair: no difference was found, but one might be with more resamples. The package
# says *cannot tell*. Without `n_resamples` it draws more by itself where it may matter, finds a difference in 56
# pairs and leaves one unresolved.
#
# ## What is the family?
#
# A correction for how many? For all comparisons that you would have reported, had they come out well. With three
# metrics, and a claim wherever one shows something, that is three times 171. If you are ICL and asked from the start
# how your system stands to the other eighteen, it is 18:

# %%
own = p[everyone.table[["system_a", "system_b"]].eq("ICL").any(axis=1)]
of_171 = mt.adjust_pvalues(p, "holm")[own.index]
(of_171 <= 0.05).sum(), (mt.adjust_pvalues(own, "holm") <= 0.05).sum()

# %% tags=["remove-input"]
assert len(own) == 18
in_171, in_18 = (of_171 <= 0.05).sum(), (mt.adjust_pvalues(own, "holm") <= 0.05).sum()
assert (in_171, in_18) == (8, 12)

# %% [markdown]
# In the family of all pairs ICL is told apart from eight systems, in its own family from twelve. Both numbers are
# right; they belong to different promises. What is not right is to look at the 171 first and to discover afterwards
# that one was interested in a few of them. So report a corrected p-value with its family.
#
# ## The decision of unit 0
#
# In unit 0 translators compared Microsoft's program with people. They were asked which translation keeps the meaning
# (*adequacy*) and which is better English (*fluency*), for single sentences and for whole articles. That makes four tests. Which
# differences may be claimed? Here each answer has a coin, as in unit 2. (Unit 12 gave a coin to each article, which is stricter.)

# %%
from mtsig_nb.teaching import parity

tests = {
    f"{question}, {shown}": mt.sign_test(parity(question, shown), "human", "machine").pvalue
    for question in ("adequacy", "fluency")
    for shown in ("sentences", "articles")
}
verdicts = pd.DataFrame({"p": tests})
verdicts["family of four"] = mt.adjust_pvalues(verdicts["p"], "holm")
articles = ["adequacy, articles", "fluency, articles"]
verdicts.loc[articles, "articles only"] = mt.adjust_pvalues(verdicts.loc[articles, "p"], "holm")
verdicts.map("{:.6f}".format, na_action="ignore").fillna("")

# %% tags=["remove-input"]
alone, of_four, of_two = verdicts.loc["adequacy, articles"]
assert of_two < 0.05 < of_four < 0.06 and alone == of_two
assert (verdicts["family of four"] <= 0.05).tolist() == [False, False, True, True]

# %% [markdown]
# For adequacy in whole articles, the verdict depends on the family. With all four tests p is just above .05, and with
# the two tests on articles it is below. Somebody who wrote down beforehand that only articles count may claim this lead.
# Somebody who looks at all four tests, and then remembers that articles are what matters, may not. Which family would you have written
# down in 2018, before the first answer came?
#
# ## What this does not tell you
#
# - **That a claim that was lost is refuted.** Its difference has not been shown to be zero.
# - **What happened outside the family.** No correction reaches the comparisons that somebody made and did not
#   report.
# - **Whether the p-values were right to begin with.** Where sentences of one document resemble each other (unit 12),
#   they are mostly too small even before a correction.
#
# ## Check yourself
#
# > **Twenty teams each test one change of their own, at .05, and each publishes if it finds something. None needs a
# > correction, since each made one comparison. Is all well?**
# >
# > <details><summary>Yes, each made one comparison</summary>For a team. Whoever reads twenty papers reads twenty tests,
# > and has a larger family.</details>
# > <details class="right"><summary>For each team, but not for a reader of all</summary>This is correct.</details>
# > <details><summary>No, each team needs a correction for 20</summary>No team knows of the others. It is the reader who
# > has all twenty.</details>
#
# <details><summary>Answer</summary>
#
# For each team, yes. For whoever reads all the papers, no: if none of the changes does anything, there will still be
# a paper with a chance of 1 − .95²⁰, or .64. The reader's family is larger than the authors'.
#
# </details>
#
# > **Nine false claims among 171 tests of nothing are 5 %, exactly as promised. Why correct at all?**
# >
# > <details class="right"><summary>Those that are reported are the false ones</summary>This is correct.</details>
# > <details><summary>5 % is too many for a level of .05</summary>It is just what was promised. The trouble is which of
# > them are told.</details>
# > <details><summary>There is no need</summary>Nine of nine reported differences would be false.</details>
#
# <details><summary>Answer</summary>
#
# Nobody reports 171 verdicts with the remark that some nine are wrong. One reports those that came out, and of
# *these* all are false.
#
# </details>
#
# > **After Holm's correction a pair has p = .30, before it .004. Has the evidence for a difference become weaker?**
# >
# > <details><summary>Yes</summary>Outputs and shuffles are the same. What is asked now is how easily luck does so
# > somewhere in the family.</details>
# > <details><summary>Yes, by a factor of 75</summary>p has grown by that factor. Evidence about this pair has not
# > moved.</details>
# > <details class="right"><summary>No, the question has changed</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The outputs and the shuffles are the same. The question has changed: not how often luck does so much in this pair,
# but how easily it does so somewhere in a family of this size.
#
# </details>
#
# ## Exercises
#
# **1.** Take chrF instead of BLEU for the same 171 pairs. How many of the claims does Holm's correction take?
#
# <details><summary>Answer</summary>
#
# It takes 41. With `mt.load("wmt21/de-en").statistics("chrF")` in the place of `bleu`, 102 pairs have p ≤ .05, and 61
# are left.
#
# </details>
#
# **2.** Exchange whole documents of BLEU (`units="documents"`). How many claims are there before and after Holm's?
#
# <details><summary>Answer</summary>
#
# Before it, 97 instead of 104; after it, 41 instead of 55. With larger standard errors the small p-values grow by the
# largest factor. A correction compares just these with a very low line.
#
# </details>

# %% tags=["remove-input"]
assert round(1 - 0.95**20, 2) == 0.64

plain = {"correction": None, "interval": None, "n_resamples": 10_000, "rng": 2014}
for statistics, units, before, after in (
    (mt.load("wmt21/de-en").statistics("chrF"), "segments", 102, 61),
    (bleu, "documents", 97, 41),
):
    others = mt.compare_all(statistics, units=units, **plain).table["pvalue"]
    assert (others <= 0.05).sum() == before
    assert (mt.adjust_pvalues(others, "holm") <= 0.05).sum() == after

# %% [markdown]
# ---
#
# *Before this:* [unit 18, How long should the output
# be?](../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb). *After this:* [unit 20, Comparisons that
# share systems](20_comparisons_that_share_systems.ipynb). *To practise:* [lab
# 8](../labs/student/lab_08_many_systems.ipynb) and [lab 13](../labs/student/lab_13_referee_the_paper.ipynb). *Words*
# are in the [glossary](../../docs/glossary.md).
