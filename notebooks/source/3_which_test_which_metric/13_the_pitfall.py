# %% [markdown]
# # 13 · The pitfall
#
# Two colleagues compare the same two systems. They have the same three thousand sentences, the same metric, and even the same ten
# thousand resamples, because they gave their computers the same seed. One of them finds p = .035 and claims a difference. The other
# finds p = .075 and does not. Neither has made a mistake in the arithmetic, and each follows a published paper to the letter. How
# can that be, and which of the two should we believe?
#
# <details><summary>After this unit you can …</summary>
#
# - compute the p-value of a bootstrap test by hand, as printed and as corrected (exercise 1);
# - say why doubling an old p-value is not safe (question 1);
# - find out which tests and which claims the flaw affects (questions 2 and 3, exercise 2).
#
# Before this: units 6 and 10. About 22 minutes to read, 27 to teach with a discussion. New terms: bootstrap test.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline, movable


def draw_hill(ax, differences, counted_2005, counted_2014, edges):
    """The hill alone, its ends in the colours of the two tests; the colours."""
    old, new = (style.look_of(f"{test}bootstrap")[0] for test in ("riezler-maxwell-", ""))
    only_new = counted_2014 & ~counted_2005
    ax.hist(
        [differences[only_new], differences[counted_2005], differences[~counted_2014]],
        edges,
        stacked=True,
        color=[new, old, style.MUTED],
    )
    return old, new


def draw_two_ends(differences, observed, counted_2005, counted_2014):
    """The resampled differences, with those that only one of the two tests counts."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    low, wide = differences.mean() - observed, observed / 15  # bars end where counting begins
    edges = low + wide * np.arange(-40, 55)
    old, new = draw_hill(ax, differences, counted_2005, counted_2014, edges)
    only_new, at_left = counted_2014 & ~counted_2005, differences < observed
    top = ax.get_ylim()[1] * 1.16
    marks = {0: "lead gone", observed: "as observed", 2 * observed: "lead doubled"}
    for x, text in marks.items():
        ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
        ax.annotate(text, (x, top), (4, -5), textcoords="offset points", va="top")
    for x, count, colour, text in (
        (-0.3, only_new[at_left].sum(), new, "counted\nin 2014 only"),
        (1.08, counted_2005.sum(), old, "counted\nin 2005 and 2014,"),
        (1.08, only_new[~at_left].sum(), new, "in 2014 only"),
    ):
        at = 0.4 if colour == old or x < 0 else 0.31
        ax.text(x, top * at, f"{count:,} {text}", color=colour, ha="center", va="center")
    ax.set(
        xlabel="difference on a resample (BLEU)",
        ylabel="resamples per bar",
        xlim=(-0.6, 1.4),
        ylim=(0, top),
    )
    style.describe(
        figure,
        "A hill of 10,000 resampled differences around the observed lead of 0.40 BLEU. Its left end, beyond zero, and "
        "its right end, beyond twice the lead, are coloured; only the right one is counted by the test of 2005.",
    )
    return figure


# %% [markdown]
# ## Ten thousand resamples
#
# The pair is from WMT13, Spanish to English.

# %%
import mtsig_nb as mt

bleu = mt.load("wmt13/es-en").statistics("BLEU")
pair = bleu.select(["DCU-Prompsit.2880", "online-A"])
pair.scores().round(2)

# %% [markdown]
# DCU-Prompsit leads by four tenths of a point. In [unit
# 10](../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb) you drew sentences with replacement and looked
# at how such a lead varies from resample to resample. The paired bootstrap keeps its differences just as they come, so
# we take them from there. (The package calls what it keeps `null_distribution` in every test. Here the name does not
# fit: these differences were drawn without a null hypothesis.)

# %%
koehn = mt.paired_bootstrap(pair, *pair.systems, rng=2005)
observed, differences = koehn.statistic, koehn.null_distribution
observed, differences.mean(), differences[:6].round(2)

# %% tags=["remove-input"]
assert round(observed, 2) == round(differences.mean(), 2) == 0.40
assert ((differences > 0) & (differences < 2 * observed)).mean() > 0.9

# %% [markdown]
# The first number is the lead that we observed. The second is the mean of ten thousand resampled leads, which is nearly the same.
# The rest are six of the resamples, for a taste. On most of the ten thousand DCU-Prompsit is ahead by something. On a few the lead
# is gone, and online-A does as well or better. On a few others the lead is twice as large as it was.
#
# > **Make a guess.** You want to know whether the lead may be luck, and you have nothing but these resamples. Which of them would
# > you count as a warning: those on which the lead is gone, those on which it has doubled, or both kinds?
# >
# > <details><summary>those on which the lead is gone</summary>They are a warning, but only half of the warning. In the
# > world without a difference, chance may favour either system.</details>
# > <details><summary>those on which it has doubled</summary>They seem good news. In the world without a difference
# > they show as well how far luck reaches.</details>
# > <details class="right"><summary>both kinds</summary>So it is. Both are accidents of the same size.</details>
#
# ## From a spread to a test
#
# Of the four steps of a test it is the second that changes in this unit, *say what chance would do*; the others stay. A test needs
# a world in which there is nothing to find. Our resamples do not come from one. They were drawn from a test set on which the lead
# is 0.40, and accordingly they lie around 0.40.
#
# So what would chance do? In unit 5 the null hypothesis was that the two outputs of each sentence might as well have changed
# owners. Here it is another one: *over test sets like this one, the difference between the two systems is zero on average*. It asks
# for less. The outputs may differ in any way they like, as long as neither system is ahead in the long run.
#
# And how do we simulate that with resamples of a world in which somebody is ahead? By an assumption: if the systems were equally
# good, the difference would still *vary* from test set to test set as much as it does now, only around another place, zero. If that
# is right, all we have to do is to move the hill. We subtract its mean from every difference. This is called the shift. A
# **bootstrap test** is a test of a difference that shifts its bootstrap distribution to zero and counts both tails, or one if it is
# one-sided.
#
# ## Ten resamples, by hand
#
# Let us do it with numbers that fit into the head. The lead is 2, and ten resamples gave these differences:

# %%
ten = np.array([0, 1, 1, 2, 2, 2, 2, 3, 3, 4])
shifted = ten - ten.mean()
shifted

# %%
counted = abs(shifted) >= 2
counted

# %% tags=["remove-input"]
assert ten.mean() == 2 and counted.tolist() == [True] + [False] * 8 + [True]

# %% [markdown]
# Their mean is 2, so the shift takes 2 from each. Now they lie around zero, and we ask as always: how many are at least as far from
# zero as the lead that we observed? Two are, the first and the last, so that p is 2 of 10. (The counting rule of unit 6 would add
# one to both numbers. With ten resamples that hides more than it shows.)
#
# Look at what these two were before the shift. The last was a 4: a resample on which the lead had doubled. The first
# was a 0: a resample on which the lead was gone. It had to be so. The shift moves everything down by the lead. A
# difference of zero becomes minus the lead, and a difference of twice the lead becomes the lead. The two tails of the
# shifted hill *are* the two kinds of resamples of your guess.
#
# ## As it was printed
#
# Riezler and Maxwell (2005) printed such a test for machine translation, in a few lines of pseudo-code (their Figure 2). They, too,
# take absolute values, and they, too, shift. But the absolute value comes first:

# %%
absolute = abs(ten)
counted = absolute - absolute.mean() >= 2
counted

# %% tags=["remove-input"]
assert counted.tolist() == [False] * 9 + [True] and (absolute == ten).all()
assert absolute[0] - absolute.mean() == -2

# %% [markdown]
# One of ten. The 4 is still counted, and the 0 no longer is. What happened to it? The absolute value did nothing, because none of
# the ten numbers is negative. Then the shift made it −2, as before. But now nobody asks how far −2 is from zero. The question is
# whether it is 2 or more, and it is not.
#
# The absolute value is there to treat both tails alike. It can do so after the shift, when there is a tail on either
# side of zero. Before the shift there is one hill, well to the right, and the absolute value has nothing to do. Each of
# the two operations is right, but they come in the wrong order. So p is only half of what it should be: .1 instead of
# .2.
#
# ## Ten thousand again
#
# Here are both recipes on the real resamples, first as Graham, Mathur and Baldwin (2014) put the test right, then as it had been
# printed. It is the same line twice, except for the place of `abs`.

# %%
in_2014 = abs(differences - differences.mean()) >= observed
in_2005 = abs(differences) - abs(differences).mean() >= observed
in_2014.sum(), in_2005.sum()

# %% tags=["remove-input"]
figure = draw_two_ends(differences, observed, in_2005, in_2014)
plt.show()

# %% tags=["remove-input", "remove-output"]
lost = in_2014 & ~in_2005
left = lost & (differences < 0.1)
beside = [int(text.get_text().split()[0]) for text in figure.axes[0].texts[-3:]]
assert beside == [left.sum(), in_2005.sum(), (lost & ~left).sum()] and sum(beside) == in_2014.sum()
assert not (in_2005 & ~in_2014).any() and left.sum() > 0.9 * lost.sum()
assert differences[left].max() < 0.005 and 360 < koehn.count < 380
assert abs((differences <= 0).sum() - left.sum()) < 10 and koehn.count == (differences <= 0).sum()
headline("resamples of 10,000 that the bootstrap of 2005 loses", lost.sum())
headline("of these, resamples on which the lead was gone", left.sum())

# %% [markdown]
# The horizontal axis is the difference in BLEU on a resample, before any shift, and the height of a bar is the number of resamples.
# Start at the dashed line in the middle, the lead as it was observed. The hill stands around it. Then go to the two outer lines, at
# the same distance to the left and to the right: there the lead is gone, and there it has doubled. Beyond them lie the two coloured
# ends, about equally large. The recipe of 2014 counts both. The recipe of 2005 counts the end on the right only, and misses a
# sliver even there, because the mean that it subtracts is a little larger. If the two recipes agreed, both ends would have the same
# colour.
#
# **The guess.** Both kinds count. In the shifted world nobody is better. There, a resample on which the lead had
# doubled is a chance difference of 0.40 in favour of DCU-Prompsit. A resample on which the lead was gone is a chance
# difference of 0.40 in favour of online-A. We had not said beforehand which of the two we would believe, so both show
# what luck can do. If you chose one kind only, it was probably the resamples on which the lead is gone, which are the
# more alarming ones. The printed recipe does not count these resamples.
#
# Koehn's test of unit 10 counts these alone: the resamples that DCU-Prompsit does not win, here 369. It calls its
# p-value one-sided, and where we want a two-sided one, the package doubles it. It is no error to count one tail. The
# error of the recipe of 2005 is that it calls its p-value two-sided although it counts one tail. You have met this in
# unit 3: somebody looks which system is ahead, and *then* tests whether that system is better. The recipe does the same
# on your behalf, and does not say so.
#
# Here are the same ten thousand resamples, to draw one by one. Choose what is counted, and watch the tail on the left.
# The recipe of 2014 counts it. The recipe of 2005 takes absolute values before the shift, so it does not count it. The
# paired bootstrap counts only this tail.

# %%
chance_machine(
    pair,
    *pair.systems,
    tests=["bootstrap", "riezler-maxwell-bootstrap", "paired-bootstrap"],
    rng=2005,
)

# %% [markdown]
# Move the lead from one point down to nothing. The same hill moves with it. Where there is no lead at all, p should
# be 1. The recipe of 2005 says .42.


# %% tags=["remove-input", "nbval-ignore-output"]
def hill_at(ax, lead):
    """The hill as it would be around another lead, with what both recipes make of it."""
    hill = differences - differences.mean() + lead
    both = abs(hill - hill.mean()) >= lead - 1e-9
    one = abs(hill) - abs(hill).mean() >= lead - 1e-9
    draw_hill(ax, hill, one, both, np.linspace(-1.2, 2.2, 103))
    for x in (0, lead, 2 * lead):
        ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="difference on a resample (BLEU)", ylabel="resamples per bar", xlim=(-1.2, 2.2))
    p_both, p_one = ((counted.sum() + 1) / (len(hill) + 1) for counted in (both, one))
    ax.set_title(f"p = {p_one:.4f} as printed, {p_both:.4f} put right", loc="left", fontsize=11)


movable(hill_at, lead=[1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0])

# %% [markdown]
# ## The package's lines
#
# A line for each colleague. The package warns everyone who calls the second function; `warn=False` says that we know.

# %%
corrected = mt.bootstrap_test(pair, *pair.systems, rng=2005)
printed = mt.riezler_maxwell_bootstrap(pair, *pair.systems, rng=2005, warn=False)
round(corrected.pvalue, 3), round(printed.pvalue, 3)

# %% tags=["remove-input", "remove-output"]
assert (corrected.count, printed.count) == (in_2014.sum(), in_2005.sum())
assert (round(corrected.pvalue, 3), round(printed.pvalue, 3)) == (0.075, 0.035)
headline(
    "WMT13 es-en, DCU-Prompsit against online-A: p as printed in 2005", printed.pvalue, spec=".3f"
)
headline("the same pair and resamples, corrected: p", corrected.pvalue, spec=".3f")

# %% [markdown]
# There they are, counted as above. Who is right? We can ask somebody who has no part in the quarrel. Approximate randomization
# (unit 5) draws no resamples and shifts nothing. It exchanges outputs, and counts both tails.

# %%
mt.approximate_randomization(pair, *pair.systems, rng=2005).pvalue

# %% tags=["remove-input", "remove-output"]
exchanged = mt.approximate_randomization(pair, *pair.systems, rng=2005)
assert abs(exchanged.pvalue - corrected.pvalue) < 0.005
by_documents = mt.bootstrap_test(pair, *pair.systems, rng=2005, units="documents")
assert by_documents.pvalue > 0.15

# %% [markdown]
# It sides with the colleague who found nothing. At a level of .05 there is no claim to be made about this pair.
#
# ## What this does not tell you
#
# - **That the assumption behind the shift holds.** Equally good systems might vary more than these two, or in another way. [Unit
#   15](15_what_a_test_promises.ipynb) measures when that matters.
# - **That p as printed in 2005 is always half of what it should be.** It is about half where the hill is symmetric and mostly on
#   one side of zero. The first question below has other hills.
# - **What becomes of the pair by documents.** With whole documents drawn (unit 12), the bootstrap test has a p-value above .15.
#
# ## Check yourself
#
# > **Somebody has a p-value of .03 from the recipe of 2005, doubles it, and reports .06. Is that safe?**
# >
# > <details><summary>Yes, it is the two-tailed p</summary>It is, where the hill is symmetric. Where it leans, the other
# > tail is not as large.</details>
# > <details class="right"><summary>Often close, and no rule</summary>This is correct.</details>
# > <details><summary>No, it is always too large</summary>It may be too large or too small. That depends on which way
# > the hill leans.</details>
#
# <details><summary>Answer</summary>
#
# It is often close, but it is no rule. Take the resamples 1, 1, 1, 1, 2, 2, 2, 2, 2, 6, with a lead of 2. Their mean is 2, and
# after the shift only the 6 is at least 2 from zero: one of ten, by both recipes. Doubled, it would be too much. Turn the hill
# round, to −2, 2, 2, 2, 2, 2, 3, 3, 3, 3: again one of ten counts, the −2, and the recipe of 2005 finds none.
#
# </details>
#
# > **The paired bootstrap of unit 10 does not shift anything. Does it have the same flaw?**
# >
# > <details class="right"><summary>No, it says that it counts one tail</summary>This is correct.</details>
# > <details><summary>Yes, the same</summary>It shifts nothing, and so can lose nothing by it. It counts one tail, and
# > says so.</details>
# > <details><summary>Yes, and a larger one</summary>Doubled, it agrees with the bootstrap test almost exactly for our
# > pair.</details>
#
# <details><summary>Answer</summary>
#
# No. It leaves the hill where it is and asks how much of it lies beyond zero, the left end in the picture, and says
# that this is one tail. Doubled, that is .074 for our pair, almost the same as the bootstrap test's p-value.
#
# </details>
#
# > **"All p-values from that recipe are too small, so all claims that rest on them are false." Right or wrong?**
# >
# > <details><summary>Right</summary>Where p was .0004 it may be .001, and nobody would decide otherwise.</details>
# > <details><summary>Right, at a level of .05</summary>Only claims with p between about half the level and the level
# > are in danger, and even they may be true.</details>
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. Where p was .0004 it may really be .001, and nobody would decide otherwise at .05. In danger are claims whose p-value lay
# between about half the level and the level, and even they need not be false: their evidence is weaker than it looked.
#
# </details>
#
# ## Exercises
#
# **1.** For a pair with an observed lead of exactly 0, ten resamples gave −2, −1, −1, 0, 0, 0, 0, 1, 1, 2. Find p by both recipes,
# by hand, without adding one. What should it be?
#
# <details><summary>Answer</summary>
#
# The mean is 0, so the shift does nothing, and all ten are at least 0 away from zero: p = 1, as it should be where there is nothing
# to see. As printed: the absolute values have a mean of 0.8, and six of them are at least 0 after it has been subtracted, p = .6.
# For a smooth hill like ours it would be about .42. The recipe of 2005 cannot say "nothing at all".
#
# </details>
#
# **2.** WMT12 es-en, onlineC against uk-dan-moses, BLEU. Would the two recipes agree at .05? At .01?
#
# <details><summary>Answer</summary>
#
# With `bleu = mt.load("wmt12/es-en").statistics("BLEU")` and `rng=2005` the p-values are .015 and .007. At .05 they agree, at .01
# they do not. (Neither should be too happy: with whole documents drawn, p is above .05.)
#
# </details>

# %% tags=["remove-input"]
for hill, right, wrong in (
    ([1, 1, 1, 1, 2, 2, 2, 2, 2, 6], 1, 1),
    ([-2, 2, 2, 2, 2, 2, 3, 3, 3, 3], 1, 0),
):
    hill = np.array(hill)
    assert hill.mean() == 2 and (abs(hill - 2) >= 2).sum() == right
    assert (abs(hill) - abs(hill).mean() >= 2).sum() == wrong
nothing = np.array([-2, -1, -1, 0, 0, 0, 0, 1, 1, 2])
assert (abs(nothing) - abs(nothing).mean() >= 0).sum() == 6 and abs(nothing).mean() == 0.8
assert round(koehn.pvalue, 3) == 0.074 and in_2014.sum() == 749
assert (differences <= 0).sum() == 369
centred = differences - differences.mean()
assert round((abs(centred) >= abs(centred).mean()).mean(), 2) == 0.42
spanish, two = mt.load("wmt12/es-en").statistics("BLEU"), ("onlineC", "uk-dan-moses")
assert round(mt.bootstrap_test(spanish, *two, rng=2005).pvalue, 3) == 0.015
assert mt.bootstrap_test(spanish, *two, rng=2005, units="documents").pvalue > 0.05
assert round(mt.riezler_maxwell_bootstrap(spanish, *two, rng=2005, warn=False).pvalue, 3) == 0.007

# %% [markdown]
# ---
#
# *Before this:* [unit 12, What is the unit?](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb). *After this:*
# [unit 14, A table read again](14_a_table_read_again.ipynb). *To practise:* [lab
# 6](../labs/student/lab_06_the_missing_tail.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
