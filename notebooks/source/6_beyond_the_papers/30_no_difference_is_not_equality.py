# %% [markdown]
# # 30 · No difference is not equality
#
# "There is no significant difference between our small model and the large one (p = .97), so the small one does as
# well at a tenth of the cost." Sentences like this stand in many papers. A p-value of .97 sounds like the opposite of
# a p-value of .03: there the systems differ, here they surely do not. Would you bet on it?
#
# <details><summary>After this unit you can …</summary>
#
# - say what a p of .97 means (question 1);
# - say which numbers to ask for where equality is claimed (question 2);
# - find the smallest margin that would do, and say why it may not be chosen now (question 3, exercise 1).
#
# Before this: unit 28. About 20 minutes to read, 25 to teach with a discussion. New terms: equivalence test.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.significance.intervals import bootstrap_scores
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed as numbers
pd.options.display.precision = 3


def draw_silent_pairs(silent, margin):
    """Intervals of all pairs without a difference found, by width; those within the margin stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.4, 5.0))
    ordered = silent.assign(width=silent["ci_high"] - silent["ci_low"]).sort_values(
        "width", kind="stable"
    )
    ax.axvspan(-margin, margin, color=style.MUTED, alpha=0.45, linewidth=0)
    ax.axvline(0, color=style.INK, linewidth=0.8)
    for row, pair in enumerate(ordered.itertuples()):
        within = -margin < pair.ci_low and pair.ci_high < margin
        colour = style.EMPHASIS if within else style.CALM
        ax.plot(
            [pair.ci_low, pair.ci_high], [row, row], color=colour, linewidth=3 if within else 1.6
        )
        if within:
            name = f"{pair.system_a} and {pair.system_b}"
            ax.annotate(name, (0.56, 2.6 * row - 2.3), color=colour, va="center", fontsize=11)
    ax.text(0, -3.0, "within half a point", ha="center", fontsize=11)
    ax.set(ylim=(len(ordered), -5), yticks=[], ylabel=f"{len(ordered)} pairs", xlim=(-1.3, 2.3))
    ax.set_xlabel("difference in BLEU, 90 % intervals")
    style.describe(
        figure,
        "66 horizontal intervals and a shaded band from -0.5 to 0.5. Two short ones at the top lie in the band; all others "
        "reach out of it, most of them on the right.",
    )
    return figure


def draw_turned_round(resampled, margin):
    """Resampled differences of two pairs, with the ends that count against them."""
    figure, axes = plt.subplots(2, 1, figsize=(7.2, 4.4), sharex=True, layout="constrained")
    bins = np.arange(-1.65, 1.651, 0.05)
    for ax, (name, d) in zip(axes, resampled.items(), strict=True):
        beyond = abs(d) >= margin
        parts = [d[~beyond], d[beyond]]
        ax.hist(parts, bins, stacked=True, color=[style.CALM, style.EMPHASIS])
        for side in (-margin, margin):
            ax.axvline(side, color=style.INK, linestyle="--", linewidth=1)
        low, high = (d <= -margin).mean(), (d >= margin).mean()
        said = f"{name}: {low:.1%} at −{margin} or below, {high:.1%} at {margin} or above"
        ax.set_title(said, loc="left", fontsize=11)
        ax.set(yticks=[], ylabel="resamples")
    axes[1].set_xlabel("difference in BLEU; dashed: the margin")
    style.describe(
        figure,
        "Two hills around nearly zero. That of Online-B and SMU is wide, with coloured ends beyond -0.5 and 0.5; that of Watermelon and "
        "VolcTrans-AT is a narrow spike between them.",
    )
    return figure


# %% [markdown]
# ## Two pairs
#
# Here are two pairs of the WMT21 systems that you know from unit 1. The differences are tiny, two and three
# hundredths of a point.

# %%
import mtsig_nb as mt

bleu = mt.load("wmt21/de-en").statistics("BLEU")
pairs = [("Online-B", "SMU"), ("Watermelon", "VolcTrans-AT")]
for a, b in pairs:
    test = mt.approximate_randomization(bleu, a, b, rng=2014)
    print(f"{a} against {b}: {test.statistic:+.2f}, p = {test.pvalue:.2f}")

# %% [markdown]
# > **Make a guess.** One pair has p = .97, the other p = .30. Of which can you say with more confidence that the two
# > systems differ by little?
# >
# > <details><summary>the one with p = .97</summary>A large p may come from a small difference, or from knowing
# > little.</details>
# > <details class="right"><summary>the one with p = .30</summary>So it is: its interval is narrow, and near
# > zero.</details>
# > <details><summary>both alike</summary>Both p-values answer the question whether the difference may be zero. They do
# > not say how large it may be.</details>
#
# ## Five of ten
#
# A smaller question first. In unit 2 a reader preferred A's translation on nine of ten sentences. Another reader
# prefers it on five of ten. Her answers could not be more even, and p is 1. Does she have no preference?
#
# Suppose that she likes A's on 70 sentences of a hundred in the long run, which is a lot. Then ten sentences might
# still come out at five, or at fewer. How often?

# %%
binom.cdf(5, 10, 0.7), binom.cdf(50, 100, 0.7)

# %% tags=["remove-input"]
assert round(binom.cdf(5, 10, 0.7), 2) == 0.15 and round(binom.cdf(50, 100, 0.7), 5) == 0.00002

# %% [markdown]
# In 15 cases of a hundred. So five of ten is what a reader without a preference would often say, and what a reader
# with a strong one would say now and then. Ten sentences cannot tell the two apart. But *fifty of a hundred* can. A
# reader with the strong preference would come out so even in two cases of a hundred thousand.
#
# Notice what we have just done. We have asked how often chance would do this *if there were a large difference*, and
# this is a test, too. Of the four steps the second has been turned round. The null hypothesis is now that the
# difference is large, and a small p-value speaks against that.
#
# ## A margin
#
# How large is large? Somebody has to say so. The **margin** is the smallest difference that would matter. It is
# chosen before the data are looked at, and for a reason that can be written down: below half a point, say, you would
# take the cheaper system. A margin that is chosen afterwards always fits.
#
# There are two ways to be outside of it. System A may be ahead by the margin or more, or behind by the margin or
# more. So there are two null hypotheses, both have to be rejected, and the fourth step takes the larger of two
# p-values. An **equivalence test** is a test of whether two systems differ by less than a margin.
#
# For the reader both are the same by symmetry. For two systems we need to know how the difference varies over test
# sets like this one. That is what the bootstrap is for ([unit
# 8](../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb)): draw ten thousand resamples, and count
# those on which the difference is at the margin or beyond.

# %%
resampled = mt.confidence_interval(bleu, *pairs[0], rng=2014).distribution
(resampled >= 0.5).mean(), (resampled <= -0.5).mean()

# %% tags=["remove-input"]
hills = {
    f"{a} and {b}": mt.confidence_interval(bleu, a, b, rng=2014).distribution for a, b in pairs
}
draw_turned_round(hills, 0.5)
plt.show()

# %% tags=["remove-input", "remove-output"]
silences = [mt.approximate_randomization(bleu, a, b, rng=2014) for a, b in pairs]
ends = [(d <= -0.5).mean() for d in hills.values()], [(d >= 0.5).mean() for d in hills.values()]
headline("WMT21 de-en, Online-B against SMU: p", silences[0].pvalue, spec=".2f")
headline("the same: share of resamples half a point or more ahead", ends[1][0], spec=".2f")
headline("WMT21 de-en, Watermelon against VolcTrans-AT: p", silences[1].pvalue, spec=".2f")
assert [round(t.statistic, 2) for t in silences] == [0.02, 0.03]
assert round(silences[0].pvalue, 2) == 0.97 and round(silences[1].pvalue, 2) == 0.30
assert 0.08 < ends[0][0] < 0.13 and 0.08 < ends[1][0] < 0.13
assert ends[0][1] == ends[1][1] == 0 and np.ptp(hills["Watermelon and VolcTrans-AT"]) < 0.35

# %% [markdown]
# The axis is the difference that a resample shows, and the dashed lines are the margin, half a point to either side.
# The upper hill belongs to the pair with p = .97. It stands right on zero, which is why no difference was found, but it
# is wide. Its coloured ends, about a tenth of the resamples on either side, lie at the margin or beyond. Now look at
# the lower hill. It is a spike, and nothing of it comes anywhere near the lines. If we knew as much about the upper
# pair, its hill would be as narrow as this one.
#
# **The guess.** The second, with p = .30. Whatever the difference between Watermelon and VolcTrans-AT is, it is small.
# About Online-B and SMU we know less: either may be half a point ahead. The two p-values are no help, because they
# answer the other question, whether the difference may be *zero*. A wide hill mostly includes zero, and the less
# information the data have, the wider the hill.
#
# Why is the second spike so narrow? The two systems have the same counts on 988 of the thousand sentences ([unit
# 28](28_will_my_test_set_see_it.ipynb)). Twelve sentences cannot move a score by much.
#
# ## In one line
#
# The package makes both tests, and adds one to the counts as in unit 6.

# %%
for a, b in pairs:
    print(mt.equivalence_test(bleu, a, b, margin=0.5, rng=2014).conclusion)

# %% tags=["remove-input"]
tests = [mt.equivalence_test(bleu, a, b, margin=0.5, rng=2014) for a, b in pairs]
assert [t.equivalent for t in tests] == [False, True] and "not shown" in tests[0].conclusion

# %% [markdown]
# Mind the words. Of the one pair it says that they *differ by less than the margin*. It does not say that they are
# equal, which no test can show. Of the other it says *not shown*, and not that they are apart.
#
# There is a way to see the verdict without another test. Take the interval of the difference, but at 90 % instead of
# 95, which leaves one twentieth out at each end. If it lies within the margin as a whole, then fewer than one
# resample in twenty is beyond the margin on either side, and both tests reject at .05. Why may one take 90 %, when
# there are two tests? Because the truth cannot be at both ends at once, so that only one of the two can go wrong.
#
# ## Sixty-six silences
#
# Among the 171 pairs of the campaign there are 66 without a difference found at .05. (By unit 19 there would be 67.
# One pair stands so near the line that more shuffles carried it across.) We make an interval of 90 % for each.
#
# > **Make a guess.** Of how many of the 66 can we say that they differ by less than half a point: 60, 30, or 2?
# >
# > <details><summary>60</summary>No difference found is not yet a difference shown to be small.</details>
# > <details><summary>30</summary>That is about what a margin of a whole point would give.</details>
# > <details class="right"><summary>2</summary>So few. The other 64 are open.</details>

# %%
all_pairs = mt.compare_all(
    bleu, correction=None, confidence_level=0.9, interval_resamples=4000, rng=2014
).table
silent = all_pairs[all_pairs["pvalue"] > 0.05]
within = (silent["ci_low"] > -0.5) & (silent["ci_high"] < 0.5)
len(silent), within.sum()

# %% tags=["remove-input"]
draw_silent_pairs(silent, 0.5)
plt.show()

# %% tags=["remove-input", "remove-output"]
at_one = ((silent["ci_low"] > -1) & (silent["ci_high"] < 1)).sum()
headline("WMT21 de-en, BLEU: pairs without a difference found at .05, of 171", len(silent))
headline("those shown to differ by less than half a point", int(within.sum()))
headline("those shown to differ by less than one point", int(at_one))
assert (
    all_pairs["pvalue"][all_pairs["pvalue"] <= 0.05].max() > 0.0495
    and len(silent) == 66
    and within.sum() == 2
    and 27 <= at_one <= 33
)
assert set(silent[within]["system_b"]) == {"VolcTrans-AT", "UF"}

# %% [markdown]
# Each line is the interval of a pair, the shorter ones at the top, and the shaded band is where a difference would
# not matter. Look at the top first: two intervals, in colour, lie in the band. All others stick out of it, most of
# them to the right, where the system with the better score would be better by more than the margin, and some to the
# left as well.
#
# **The guess.** Two. The other 64 are open: the systems may differ by less than half a point, or by more. With a margin
# of a whole point it would be about thirty. Move the margin, and see how large it has to be before many of these pairs
# lie within it.


# %% tags=["remove-input", "nbval-ignore-output"]
def silent_within(ax, margin):
    """Intervals of the pairs without a difference found, those within the margin coloured."""
    ordered = silent.assign(width=silent["ci_high"] - silent["ci_low"]).sort_values("width")
    inside = (ordered["ci_low"] > -margin) & (ordered["ci_high"] < margin)
    rows = np.arange(len(ordered))
    colours = np.where(inside, style.EMPHASIS, style.CALM)
    ax.axvspan(-margin, margin, color=style.MUTED, alpha=0.45, linewidth=0)
    ax.hlines(rows, ordered["ci_low"], ordered["ci_high"], colors=colours, linewidth=2)
    ax.set(ylim=(len(rows), -1), yticks=[], xlim=(-2.3, 2.3))
    ax.set_xlabel("difference in BLEU, 90 % intervals")
    title = f"margin {margin}: {inside.sum()} of {len(rows)} differ by less"
    ax.set_title(title, loc="left", fontsize=11)


movable(silent_within, margin=[0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0])

# %% [markdown]
# The opposite happens as well: a difference that is found with a very small p-value, and that is small. At WMT13,
# DCU-Prompsit entered two versions of a system, half a point apart, and p is as small as ten thousand shuffles allow.
# The interval of 90 % goes from .41 to .64, so whoever had named seven tenths as a margin would have shown both: they
# differ, and by little. *Found or not* and *large or small* are two questions, with four possible pairs of answers.

# %% tags=["remove-input"]
dcu = mt.load("wmt13/es-en").statistics("BLEU")
versions = "DCU-Prompsit.2880", "dcu-prompsit-pbsmt.2692"
narrow = mt.confidence_interval(dcu, *versions, confidence_level=0.9, rng=1)
assert abs(narrow.low - 0.41) < 0.015 and abs(narrow.high - 0.64) < 0.015
assert mt.approximate_randomization(dcu, *versions, rng=1).pvalue < 0.00011

# %% [markdown]
# ## Can this test set show it at all?
#
# Is the test any good, then? Again we make pairs of which we know the truth, from real outputs and biased coins:
# three hundred with a difference of exactly the margin, and three hundred with none. Of the first kind only one in
# twenty should pass. Of the second, all of them, if possible.

# %% tags=["remove-input"]
outputs = bleu.select(["Facebook-AI", "NVIDIA-NeMo"])


def share_that_passes(difference, margin, n_pairs=300):
    """Share of simulated pairs with that true difference that are shown to be within the margin."""
    made = mt.simulate.planted_difference(
        outputs, *outputs.systems, difference=difference, n_pairs=n_pairs, rng=21
    )
    scores = bootstrap_scores(made, 400, seed=22)
    d = scores[:n_pairs] - scores[n_pairs:]
    p = (np.maximum((d >= margin).sum(axis=1), (d <= -margin).sum(axis=1)) + 1) / 401
    return (p <= 0.05).mean()


# %%
rows = {
    f"margin {margin}": [share_that_passes(margin, margin), share_that_passes(0, margin)]
    for margin in (1.5, 1.0, 0.5)
}
pd.DataFrame(rows, index=["truth: at the margin", "truth: no difference"]).T

# %% tags=["remove-input", "remove-output"]
passed = pd.DataFrame(rows)
headline(
    "equivalence at .05 found at a margin of 1.5 itself, planted by coins",
    passed.iloc[0, 0],
    spec=".3f",
)
headline(
    "equivalence found where there is no difference, margin of 1.5", passed.iloc[1, 0], spec=".2f"
)
headline("the same, margin of 0.5", passed.iloc[1, 2], spec=".2f")
low, high = clopper_pearson(np.round(passed.iloc[0].to_numpy(float) * 300), 300)
assert low[0] < 0.05 < high[0] and low[1] < 0.06 and passed.iloc[0, 2] < 0.03
assert passed.iloc[1, 0] > 0.98 and 0.85 < passed.iloc[1, 1] < 0.95 and passed.iloc[1, 2] < 0.05
error = mt.confidence_interval(outputs, *outputs.systems, rng=1).standard_error
assert 0.3 < error < 0.36 and 1.645 * error > 0.5

# %% [markdown]
# (The function, which is not shown, plants the difference, draws resamples and counts, as above.) The left column keeps
# the promise. The right one is the power. With a margin of 1.5 points all pairs without a difference pass. With a
# margin of 1.0 point nine of ten pass. And with half a point, hardly any: two systems that are exactly equally good
# will almost never be shown to be alike. The standard error of such a pair is about a third of a point. The interval of
# 90 % reaches 1.64 standard errors to either side, which is more than half a point, and what is wider than the band
# does not fit into it, wherever it lies. (For the same reason the left column falls below .05.)
#
# As in unit 28 this can be known before the experiment. To find a difference four times in five it had to be 2.8
# standard errors large. To show four times in five that the difference is smaller than the margin, if the true
# difference is zero, the margin has to be 2.9 standard errors. So to show that a difference is smaller than a margin
# takes a few more sentences than to find a difference of the size of that margin.
#
# ## What this does not tell you
#
# - **Which margin is right.** It is an opinion with reasons, and half a point of BLEU is no equivalence in quality.
#   Systems may be equal in BLEU and far apart for readers. In unit 1 BLEU and readers even preferred different systems.
# - **That the outputs are alike.** Two systems with the same score may have failed at different sentences.
# - **What few or skewed segments do.** The coins of our simulation were well-behaved. Where a bootstrap interval is
#   too short (unit 8), this test passes too often.
#
# ## Check yourself
#
# > **"p = .97 means that we can be 97 % sure that there is no difference." What does it mean?**
# >
# > <details class="right"><summary>97 of 100 shuffles reach the difference</summary>This is correct.</details>
# > <details><summary>There is a 97 % chance of no difference</summary>How probable that is was not computed. .97 is a
# > share of shuffles.</details>
# > <details><summary>The systems are equivalent</summary>For that one needs a margin and an interval inside
# > it.</details>
#
# <details><summary>Answer</summary>
#
# If the outputs might as well have been exchanged, 97 of 100 shuffles would give a difference at least as large as
# the .02 that was observed. This is no wonder, since .02 is nearly nothing. How probable it is that there is no
# difference, it does not say.
#
# </details>
#
# > **The small model is not found to differ from the large one, with 200 sentences. What would you ask the authors
# > for?**
# >
# > <details><summary>A smaller p</summary>No p shows how large a difference is still possible. The interval
# > does.</details>
# > <details><summary>The power for what was observed</summary>That is p in other words, and says nothing new.</details>
# > <details class="right"><summary>The interval of the difference</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# For the interval of the difference. If it reaches from −2 to +2 points, the experiment has shown nothing, and with
# so few sentences it could not have. And for the margin that they had in mind when they began.
#
# </details>
#
# > **An interval of 90 % goes from −.30 to +.42. "So the systems are equivalent, with a margin of .45." What is the
# > trouble?**
# >
# > <details><summary>90 % is too little</summary>For two one-sided tests at .05 it is just right. The trouble is where
# > the .45 comes from.</details>
# > <details class="right"><summary>The margin was read off the result</summary>This is correct.</details>
# > <details><summary>There is none</summary>For any data some margin fits. It has to be named before.</details>
#
# <details><summary>Answer</summary>
#
# The margin was read off the result. For any data there is one that fits. The honest sentence is the interval itself:
# differences beyond −.30 and +.42 are hardly compatible with the data. Readers can then compare it with margins of
# their own.
#
# </details>
#
# ## Exercises
#
# **1.** What is the smallest margin, in steps of a tenth, within which Online-B and SMU could be shown to be? Why may
# one not choose it *now*?
#
# <details><summary>Answer</summary>
#
# `mt.equivalence_test(bleu, "Online-B", "SMU", margin=m, rng=2014)` passes from .7 on. A margin chosen now would be
# chosen so that the test passes. In this way every pair could be called equivalent.
#
# </details>
#
# **2.** A reader prefers A on exactly half of the sentences. How many sentences does it take to reject, at .05, that
# she prefers A on 70 % or more?
#
# <details><summary>Answer</summary>
#
# `binom.cdf(n // 2, n, 0.7)` falls below .05 at 20 sentences with ten for A: .048. With 18 it is .060.
#
# </details>

# %% tags=["remove-input"]
steps = [
    m
    for m in (0.5, 0.6, 0.7, 0.8)
    if mt.equivalence_test(bleu, "Online-B", "SMU", margin=m, rng=2014).equivalent
]
assert steps == [0.7, 0.8]
assert round(binom.cdf(10, 20, 0.7), 3) == 0.048 and round(binom.cdf(9, 18, 0.7), 3) == 0.060
power = norm.cdf(3 - 1.645) - norm.cdf(-3 + 1.645)
assert 0.82 < power < 0.83 and 0.78 < 2 * norm.cdf(2.9 - 1.645) - 1 < 0.805

# %% [markdown]
# ---
#
# *Before this:* [unit 29, Train it again](29_train_it_again.ipynb). *After this:* [unit 31, One text, many
# languages](31_one_text_many_languages.ipynb). *To practise:* [lab
# 12](../labs/student/lab_12_what_a_test_set_can_show.ipynb) and [lab
# 13](../labs/student/lab_13_referee_the_paper.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
