# %% [markdown]
# # 3 · Where to draw the line
#
# On nine of ten sentences the reader of unit 2 preferred A, and chance would do as much about twice in a hundred. Is
# that rare enough to say that A is better? What about eight of ten, with eleven times in a hundred? Somewhere there has
# to be a line, and whoever draws it will sometimes be wrong. This unit is about the two ways to be wrong, and about how
# fewer errors of one kind lead to more of the other.
#
# <details><summary>After this unit you can …</summary>
#
# - compute how many false claims to expect of many tests at one level (question 1);
# - tell the two kinds of errors apart, and compute the power of a rule (question 2, exercises 1 and 2);
# - compute a two-sided p-value from a one-sided one, and say when each is right (question 3).
#
# Before this: unit 2. About 16 minutes to read, 21 to teach with a discussion. New terms: alternative hypothesis,
# false claim, level, one-sided, power, two-sided, type-I error, type-II error.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binom

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 3


def draw_two_hills(n, line, better, figure=None):
    """Readers under a coin, above, and with a real advantage, below; the line, and both errors."""
    figure = figure or plt.figure(figsize=(6.4, 4.6), layout="constrained")
    axes = figure.subplots(2, 1, sharex=True)
    k = np.arange(n + 1)
    beyond = (k >= line) | (k <= n - line)
    for ax, chance, wrong, title, said in (
        (axes[0], 0.5, beyond, "no difference: each preference is a coin", "claimed, and false"),
        (axes[1], better, k < line, f"A is preferred {better:.0%} of the time", "not noticed"),
    ):
        share = binom.pmf(k, n, chance)
        ax.bar(k[~wrong], share[~wrong], color=style.MUTED)
        ax.bar(k[wrong], share[wrong], color=style.EMPHASIS)
        for limit in (line - 0.5, n - line + 0.5):
            ax.axvline(limit, color=style.INK, linestyle="--", linewidth=1)
        ax.set_title(f"{title}\n{said}: {share[wrong].sum():.0%}", fontsize=11)
        ax.set_ylabel("share of readers")
    axes[1].set_xlabel(f"sentences of {n} on which A was preferred; line at {line}")
    style.describe(
        figure,
        f"Two hills over the number of preferences of {n}. Above, under a coin, the tails beyond the dashed lines are "
        f"coloured; below, with A preferred {better:.0%} of the time, everything left of the line on the right is.",
    )
    return figure


def both_errors(ax, level, sentences, A_preferred):
    """The two hills for any level: the line is the lowest that keeps it."""
    figure = ax.figure
    ax.remove()
    figure.set_size_inches(6.4, 4.6)
    line = np.arange(sentences // 2 + 1, sentences + 1)
    line = line[2 * binom.sf(line - 1, sentences, 0.5) <= level][0]
    draw_two_hills(sentences, line, A_preferred, figure)


# %% [markdown]
# ## A rule before the answers
#
# Suppose that we have to decide. A rule could be: *say that the systems differ if one of them is preferred on nine or
# ten of the ten sentences, otherwise say nothing*. The rule is to be fixed before the answers come in, for otherwise
# it is too easy to find that the line should run just below what we have.
#
# How often would such a rule mislead us if there is nothing to find? We counted it in unit 2.

# %%
rng = np.random.default_rng(3)
even = rng.binomial(10, 0.5, size=10_000)
claims = (even >= 9) | (even <= 1)
claims.mean()

# %% [markdown]
# `rng.binomial(10, 0.5)` is the number of heads in ten tosses of a fair coin; it spares us adding them up. About two
# readers in a hundred make us claim a difference where there is none.
#
# A claim of this kind is a **type-I error**: claiming a difference where there is none. That is the textbooks' name.
# Ours is **false claim**: a conclusion that two systems differ, although they do not. The **level** is the highest
# probability α of a type-I error that we accept; it is chosen before looking at the data. α is the Greek letter alpha.
# In the field's papers it is mostly .05, one in twenty, sometimes .01. Where the p-value is not above α, one says that
# the null hypothesis is *rejected*, and claims a difference.
#
# With ten sentences we cannot have exactly .05. The rule "nine or more" has .021, and the rule "eight or more" would
# already have .109. So the line must be at nine, if we promise to make a false claim about no more than five of a
# hundred pairs of equal systems.
#
# ## The other error
#
# Now suppose that A really has an advantage: this reader, and others like her, prefer it on seven sentences of ten,
# in the long run. That is a lot: between QCRI's and GTH-UPM's systems in unit 2 it was six of ten.
#
# > **Make a guess.** A is preferred on 70 % of sentences, in truth. We give a reader ten sentences and use the rule "nine or
# > more, or one or fewer". In how many of a hundred such experiments do we notice that A is better: about 90, 50, or 15?
# >
# > <details><summary>about 90</summary>One expects that a true share of 70 % must show. With ten sentences the rule
# > asks for nine, and seven is what A gets on average.</details>
# > <details><summary>50</summary>Half would take a rule nearer to seven of ten. This one asks for nine.</details>
# > <details class="right"><summary>15</summary>So few. The rule seldom claims too much, and the price is that it
# > mostly claims nothing.</details>

# %%
advantage = rng.binomial(10, 0.7, size=10_000)
noticed = advantage >= 9
noticed.mean()

# %% tags=["remove-input"]
draw_two_hills(10, 9, 0.7)
plt.show()

# %% tags=["remove-input", "remove-output"]
miss = 1 - noticed.mean()
level = 2 * binom.sf(8, 10, 0.5)
power = binom.sf(8, 10, 0.7)
headline("ten sentences, nine or more: level", level, spec=".4f")
headline("the same rule, A preferred 70 % of the time: power", power, spec=".2f")
assert abs(claims.mean() - level) < 0.005 and abs(noticed.mean() - power) < 0.015
assert round(2 * binom.sf(7, 10, 0.5), 3) == 0.109 and round(power, 2) == 0.15

# %% [markdown]
# Both hills stand over the same axis, the number of preferences for A, and the dashed lines are the rule: outside of
# them we claim a difference. Look at the upper hill first. It is the world of the coin, and the coloured tails are
# the false claims, two in a hundred. Now go down. Here A is better, and the hill has moved to the right, but not far:
# its top is at seven, well inside the lines. Everything coloured in this hill is an advantage that is real and that
# we do not notice. If the rule were perfect, no bar in either hill would be coloured.
#
# **The guess.** About 15. The other 85 experiments end with "nothing found", although there is something to find.
# Overlooking it is a **type-II error**: not detecting a difference that is there. And the share of experiments that do find it has a
# name that sounds better than it is here: **power** is how often a test finds a difference that is there.
#
# So with ten sentences the error to be afraid of is not the one that everybody warns of. False claims are rare, because
# we have drawn the line so that they are. With ten sentences and such an advantage, we miss it in 85 experiments of a
# hundred.
#
# ## Moving the line
#
# We could move the lines inwards, to eight and two. Then we notice more real differences, and we also make more false
# claims. As long as the hills stay where they are, fewer errors of one kind mean more errors of the other kind.

# %%
lines = pd.DataFrame({"line": [10, 9, 8, 7, 6]})
lines["false claims"] = 2 * binom.sf(lines["line"] - 1, 10, 0.5)
lines["noticed"] = binom.sf(lines["line"] - 1, 10, 0.7)
lines

# %% tags=["remove-input"]
assert 0.74 < lines["false claims"].iloc[-1] < 0.76 and 0.82 < lines["noticed"].iloc[-1] < 0.86

# %% [markdown]
# (`binom.sf(8, 10, 0.5)` is the probability of *more than* 8 heads in ten tosses. It counts, as we did by hand in
# unit 2, and the 2 before it is for the other end.) Read the table from the top: from row to row both columns grow.
# With the line at six we notice five of six advantages, but we also make a false claim about three of every four
# pairs of equal systems. No line is
# right by itself. What is wrong is only to pretend that one did not have to choose.
#
# ## The way out: more sentences
#
# There is one thing that makes the second error rarer and need not make the first more frequent. For each number of
# sentences we take the lowest line that keeps the level at .05 or below.

# %%
for n, line in ((10, 9), (20, 15), (40, 27), (100, 61)):
    false_claims = 2 * binom.sf(line - 1, n, 0.5)
    power = binom.sf(line - 1, n, 0.7)
    print(f"{n:3} sentences, line at {line}: level {false_claims:.3f}, power {power:.2f}")

# %% tags=["remove-input"]
draw_two_hills(40, 27, 0.7)
plt.show()

# %% tags=["remove-input"]
for n, line in ((10, 9), (20, 15), (40, 27), (100, 61)):
    assert 2 * binom.sf(line - 1, n, 0.5) <= 0.05 < 2 * binom.sf(line - 2, n, 0.5)
assert binom.sf(60, 100, 0.7) > 0.97 and 0.28 < 1 - binom.sf(26, 40, 0.7) < 0.32
assert round(binom.sf(26, 40, 0.7), 2) == 0.70 and round(binom.sf(25, 40, 0.7), 2) == 0.81
assert 0.86 < 1 - 0.95**40 < 0.88
weaker = [binom.sf(line - 1, n, 0.6) for n, line in ((10, 9), (20, 15), (40, 27), (100, 61))]
assert np.round(weaker, 2).tolist() == [0.05, 0.13, 0.21, 0.46]
enough = []  # numbers of sentences that notice 60 % in four of five experiments
for n in range(10, 230):
    line = next(k for k in range(n // 2, n + 1) if 2 * binom.sf(k - 1, n, 0.5) <= 0.05)
    enough += [n] if binom.sf(line - 1, n, 0.6) >= 0.8 else []
assert 195 < enough[0] < 205
assert binom.sf(25, 40, 0.5) <= 0.05 < binom.sf(24, 40, 0.5)

# %% [markdown]
# Each of the four lines keeps the promise, and the power climbs from .15 to .98. The picture shows forty sentences,
# in the same colours; compare it with the one above. Counted in sentences, the hills have become wider, but their
# tops are now eight apart instead of two, and the line fits between them. The coloured part of the lower hill has
# shrunk from 85 % to about 30 %, and at a hundred sentences hardly anything of it is left. More sentences pull the
# hills apart, as a larger advantage would.
#
# Move the level, the number of sentences and the share of them on which A is preferred. The line is always the lowest that keeps the level. Try to get rid of the colour in both hills.

# %% tags=["remove-input", "nbval-ignore-output"]
movable(
    both_errors,
    level=[0.01, 0.05, 0.35],
    sentences=[10, 40, 100],
    A_preferred=[0.6, 0.7, 0.8],
)

# %% [markdown]
# ## One side or two
#
# We have always counted both ends: nine or more *for either system*. Before the answers came in, we did not know which of the two would be ahead,
# and were ready to be impressed by both. Such a test is **two-sided**: large differences in either direction count. What we are ready to conclude if
# the null hypothesis is rejected is called the **alternative hypothesis**; here it is "one of them is better, whichever".
#
# Sometimes only one direction is of interest. You have changed your own system and want to know whether the new
# version is better; if it is worse, or no different, you throw it away in either case. Then you may promise
# *beforehand* to count one end only. The test is **one-sided**: only differences in a direction that was named before
# looking count. Under the coin the upper end has half of what both ends have, so the p-value of nine preferences is
# 11 of 1,024 instead of 22. With forty sentences the line for .05 could move from 27 to 26, and the power would rise
# from .70 to .81.
#
# The price is the promise. Suppose that somebody looks at the answers, sees that A is ahead, and *then* tests "is A
# better?". If B had been ahead, he would have tested "is B better?". So he must count both ends, and his halved p-value
# is too small. His false claims are twice as many as he says. Papers differ. Koehn (2004) and Graham, Mathur and
# Baldwin (2014) test one side. The randomization test in Riezler and Maxwell (2005) counts both sides.
#
# ## What this does not tell you
#
# - **Which level is right.** .05 is a habit, not a law of nature. Where a false claim is expensive, choose a smaller
#   level.
# - **How large the real advantage is.** To compute power we had to suppose one. Unit 28 asks how to choose it sensibly.
# - **What the share of wrong claims in a journal is.** If most ideas that people test have no effect, then most of
#   the claims that survive a level of .05 may be false ones. The level is a promise about ideas without effect only.
#
# ## Check yourself
#
# > **A lab tests forty changes to its system, each at the level .05. In truth none of them does anything. How many claims do you
# > expect?**
# >
# > <details class="right"><summary>Two</summary>This is correct.</details>
# > <details><summary>None</summary>A level of .05 allows one false claim in twenty tests of nothing, on
# > average.</details>
# > <details><summary>Twenty</summary>Half of forty would be a level of .5.</details>
#
# <details><summary>Answer</summary>
#
# Two: one in twenty, as promised for each of the tests. If the tests have nothing to do with each other, the
# probability of at least one claim is 1 − .95⁴⁰, or .87. Part 4 of the course is about this.
#
# </details>
#
# > **"Our test found no difference, at a level of .05, so the probability that there is one is at most 5 %." What is mixed
# > up?**
# >
# > <details><summary>The level and p</summary>No p-value is mentioned. The level is about claims when there is no
# > difference. The quoted sentence is about finding nothing when there is a difference.</details>
# > <details><summary>One tail and two</summary>The sentence is about finding nothing. How many tails were counted does
# > not matter for it.</details>
# > <details class="right"><summary>The two kinds of errors</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The level limits false claims. Finding no difference where there is one is the other error. Its probability may be
# anything, and was 85 % in our example. And neither of the two is the probability that there is a difference.
#
# </details>
#
# > **Two researchers have the same data. One has announced a one-sided test for A and reports p = .03; the other tests two-sided. Which
# > p-value do you expect from the second, and is one of them wrong?**
# >
# > <details><summary>About .06, and the second is wrong</summary>Both counted correctly. They asked different
# > questions, and the first announced hers before looking.</details>
# > <details class="right"><summary>About .06, and neither is wrong</summary>This is correct.</details>
# > <details><summary>About .015, and neither is wrong</summary>Two-sided counts more shuffles than one-sided, so p
# > becomes larger and not smaller.</details>
#
# <details><summary>Answer</summary>
#
# About .06: with a coin, both ends together have twice as much as one. Neither is wrong, if the first really announced the direction before
# looking. They have asked different questions.
#
# </details>
#
# ## Exercises
#
# **1.** A is preferred on 60 % of sentences. What is the power of the four rules above?
#
# <details><summary>Answer</summary>
#
# Replace `0.7` by `0.6`: .05, .13, .21 and .46. A hundred sentences are not enough to notice reliably what is still a considerable advantage.
#
# </details>
#
# **2.** How many sentences does a two-sided rule at .05 need to notice an advantage of 60 % in four of five experiments?
#
# <details><summary>Answer</summary>
#
# For each `n`, the line is the smallest one with `2 * binom.sf(line - 1, n, 0.5) <= 0.05`. A loop over `n`, with a
# second one that looks for the line, finds a power of .80 at about 200 sentences, twenty times as many as our reader
# saw.
#
# </details>
#
# ---
#
# *Before this:* [unit 2, What chance can do](02_what_chance_can_do.ipynb). *After this:* [unit 4, What a score is made
# of](04_what_a_score_is_made_of.ipynb). *To practise:* [lab 1](../labs/student/lab_01_a_reader_and_a_coin.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
