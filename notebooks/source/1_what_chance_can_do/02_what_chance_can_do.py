# %% [markdown]
# # 2 · What chance can do
#
# A reader is given ten sentences, each in two translations, one by system A and one by system B. She is not told which
# is which. On nine of the ten she likes A's translation better.
#
# That looks like a clear win. But ten is a small number, and people have been known to throw nine heads in ten tosses.
# How impressed should we be? Unit 1 answered a question of this kind with ten thousand exchanges and no
# explanation. Here we go slowly, with an example that fits on the fingers of two hands.
#
# <details><summary>After this unit you can …</summary>
#
# - compute the exact p-value of ten preferences by counting outcomes (question 1, exercise 1);
# - say which probability a p-value is, and what follows from a large one (questions 2 and 3);
# - simulate readers who toss coins, and compare a real reader with them (exercises 2 and 3).
#
# Before this: unit 1. About 21 minutes to read, 26 to teach with a discussion. New terms: null distribution, null
# hypothesis, p-value, statistic.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type


def draw_readers(counts, counted, alt, label):
    """A bar for each number of preferences; those that are counted stand out."""
    figure, ax = style.figure_and_axes(None)
    numbers = np.arange(len(counts))
    colours = [style.EMPHASIS if k in counted else style.MUTED for k in numbers]
    ax.bar(numbers, counts, color=colours)
    for k in counted:
        ax.annotate(
            f"{counts[k]:,}", (k, counts[k]), ha="center", va="bottom", color=style.EMPHASIS
        )
    ax.set(xticks=numbers, xlabel="sentences on which A was preferred", ylabel=label)
    style.describe(figure, alt)
    return figure


# %% [markdown]
# > **Make a guess.** Imagine a thousand readers, and two systems that are equally good. How many of the thousand will
# > prefer the same system on at least nine of the ten sentences, no matter which of the two: about 200, about 20, or
# > about 2?
# >
# > <details><summary>about 200</summary>Nine of ten heads seem easy to get. There are few ways to get them: 22 of
# > 1,024.</details>
# > <details class="right"><summary>about 20</summary>So it is: 22 of 1,024 ways have nine heads or more, or as many
# > tails.</details>
# > <details><summary>about 2</summary>This is near the number for ten of ten. Nine of ten can come about in ten
# > ways, on either side.</details>
#
# Keep your guess in mind. We find the answer in four steps, and every test in this course has the same four: choose a
# statistic, say what chance would do, simulate it, compare.
#
# ## Step 1: choose a statistic
#
# We have ten answers and want one number that says how strongly they speak for a difference. Such
# a number has a name. A **statistic** is the number that a test computes from the data and
# compares with what the null hypothesis would produce. What that hypothesis is comes next.
#
# Our statistic is the number of sentences on which A was preferred. It is 9. If the two systems are equally good we
# expect a number near 5. A number far above 5 speaks for A and one far below 5 for B, so both are
# surprising. It is the *distance from 5* that counts, and ours is 4.
#
# Other choices are possible. We could have asked how *much* better each translation was, from a little to a lot, and
# added that up. The choice is ours, and it should be made before we see the answers.
#
# ## Step 2: say what chance would do
#
# "Equally good" is a phrase, and phrases cannot be simulated. We have to turn it into a recipe that
# produces data. Here is one: *for each of the ten sentences, toss a fair coin; if it shows heads the reader prefers A,
# otherwise B*.
#
# Such a recipe is called a **null hypothesis**: the assumption that a test tries to refute. *Null* because it says
# that there is nothing to find. Notice how little it claims. It does not say that A and B translate alike. They may
# differ in every word, and the reader may have good reasons for each of her preferences. It says only that the
# reasons favour A as often as they favour B, and that one sentence tells nothing about the next.
#
# A null hypothesis is always about a particular kind of chance. In this unit a coin decides what a reader likes. In unit 5
# it will decide which of two outputs goes to which system. When the recipe changes we will say so.
#
# ## Step 3: simulate it
#
# If the null hypothesis is true, one reader is ten tosses of a coin. NumPy tosses coins for us, with a generator of
# random numbers. The 2 is its seed: with the same seed you see the same tosses that we saw.

# %%
rng = np.random.default_rng(2)

# %%
tosses = rng.integers(2, size=10)
tosses, tosses.sum()

# %% [markdown]
# A 1 is heads, a preference for A. This reader preferred A on three sentences, without having any opinion at all. If
# you run the last cell a few times in the notebook, you will see other numbers, mostly near 5. To see a 9 you would
# need patience, so we invite ten thousand readers at once. Each row of the table of coins is a reader, and we add up
# each row.

# %%
readers = rng.integers(2, size=(10_000, 10)).sum(axis=1)
readers[:20]

# %% tags=["remove-input"]
counts = np.bincount(readers, minlength=11)
draw_readers(
    counts,
    [0, 1, 9, 10],
    "How many of 10,000 imaginary readers preferred A on 0, 1, … 10 of ten sentences: a hill around 5; the bars at 0, 1, "
    "9 and 10 are coloured and tiny.",
    "readers out of 10,000",
)
plt.show()

# %% [markdown]
# The horizontal axis is the statistic, from "always B" at the left to "always A" at the right. The height of a bar is
# the number of readers who got it. Start in the middle: five of each is the most common result, and yet only about a
# quarter of the readers show it. Being off by one or two is perfectly ordinary. Then follow the hill down to either
# side. The four coloured bars are the readers whose number is at least as far from 5 as our real reader's, and beside
# each stands how many they are. None of these readers had a reason. If our reader had preferred A on seven sentences
# only, all bars from 7 up and from 3 down would be coloured. These are about a third of all readers, so chance alone
# could easily explain the seven.
#
# In textbooks such a hill is called a *distribution*: it shows how often each value comes. The values of the statistic that
# the null hypothesis would produce are its **null distribution**. Each kind of test has its own way to make one; once it is there, the last step is always the same.
#
# ## Step 4: compare
#
# How many of the imaginary readers are at least as lopsided as the real one?

# %%
at_least_as_far = abs(readers - 5) >= abs(9 - 5)
p = at_least_as_far.mean()
p

# %% tags=["remove-input", "remove-output"]
headline("ten sentences, nine preferences: p, simulated", p, spec=".3f")
assert tosses.sum() == 3
assert 0.018 < p < 0.025 and 0.23 < counts[5] / 10_000 < 0.27
assert 0.3 < (abs(readers - 5) >= 2).mean() < 0.38

# %% [markdown]
# **The guess.** About 20 of a thousand. The share that we have just computed is the **p-value**: the
# probability, if the null hypothesis holds, of a statistic at least as extreme as the observed one. *Extreme*
# means: as far or farther from what the hypothesis leads us to expect. Two words in that sentence matter more than the
# others.
#
# *If.* We computed what happens in an imaginary world in which the coin decides. Whether we live in that world, the
# p-value does not say. There are two possibilities. Either the recipe does not describe this reader, for instance
# because A has an advantage with her. Or it does, and we have met one of those 20 readers of a thousand. Which of the
# two is more likely depends also on things that are not in the data, for instance on how often people compare systems
# that are really even.
#
# *At least.* Why did we count the readers with a 10 and those with a 1 and a 0, though our reader had a 9? Because we
# would have been just as impressed by them, and more. Had we counted only the exact number that we saw, then with a
# thousand sentences *every* result would be rare, even the most ordinary one. If a thousand numbers are possible, each
# single one is improbable.
#
# ## Toss them yourself
#
# Here is the imaginary reader as a machine. Each mark is one of the ten sentences, which the machine calls segments: a
# blue square is an answer as the real reader gave it, an orange dot one that the coin has turned round. The line shows
# the difference that was observed: the share of sentences on which she preferred A, minus the share on which she
# preferred B. It is .9 − .1 = .8. Toss for one sentence at a time until you know what a coin does. Then toss for all of
# them, and guess before each toss whether you will reach the line. (The machine adds one above and below in p, as unit
# 6 explains. So its p is not quite the share that it counts.)

# %% tags=["remove-input"]
import pandas as pd

import mtsig_nb as mt

preferred = np.array([1, 1, 1, 1, 0, 1, 1, 1, 1, 1])
answers = pd.DataFrame({"A": preferred, "B": 1 - preferred}).rename_axis("segment").reset_index()
answers = answers.melt("segment", var_name="system", value_name="score")
shares = mt.from_segment_scores(answers, label="the share of preferences")
chance_machine(shares, "A", "B", rng=2)

# %% [markdown]
# ## Nobody has to toss coins here
#
# Ten tosses can fall in 2 · 2 · … · 2 = 1,024 ways, all equally probable. How many of them give 0, 1, 9 or 10 heads? One way is
# all heads. With nine heads there is one tail, and it can be the first toss, the second, and so on: ten ways. The
# same holds at the other end. That makes 1 + 10 + 10 + 1 ways.

# %%
exact = (1 + 10 + 10 + 1) / 1024
exact

# %% tags=["remove-input", "remove-output"]
headline("ten sentences, nine preferences: p, counted", exact, spec=".4f")
assert abs(p - exact) < 0.005

# %% [markdown]
# The simulation came close: it differs from the count because ten thousand readers are not infinitely many. Where one
# can count, one should. But a BLEU score is more than a number of heads, and the thousand sentences of unit 1 can be
# exchanged in a number of ways that has three hundred digits. Nobody goes through those, while simulating a thousand
# coins is no harder than simulating ten. That is why this course simulates.
#
# ## The same with real people
#
# At WMT12, in 2012, readers compared translations from Spanish. Between QCRI's system and GTH-UPM's they preferred one
# or the other 130 times, and 79 of these times it was QCRI's. That is 61 %, which sounds much less convincing than our
# reader's 90 %. Here they are. The first line computes what we expect, `half` of all preferences. The second line is
# step 3, and the third is step 4:

# %%
import mtsig_nb as mt

won = mt.load("wmt12/es-en").human.wins
wins, losses = won.loc["QCRI--primary", "GTH-UPM"], won.loc["GTH-UPM", "QCRI--primary"]
wins, losses

# %%
half = (wins + losses) / 2
imaginary = rng.integers(2, size=(10_000, wins + losses)).sum(axis=1)
(abs(imaginary - half) >= abs(wins - half)).mean()

# %% tags=["remove-input", "remove-output"]
from scipy.stats import binomtest

p_judges = (abs(imaginary - half) >= abs(wins - half)).mean()
headline("WMT12 es-en, QCRI against GTH-UPM: preferences won of 130", int(wins))
headline("the same, p of a fair coin, simulated", p_judges, spec=".3f")
assert (wins, losses) == (79, 51) and abs(p_judges - binomtest(79, 130).pvalue) < 0.005
assert p_judges < exact and binomtest(79, 130).pvalue < exact
assert (won.loc["QCRI--primary", "UPC"], won.loc["UPC", "QCRI--primary"]) == (83, 62)
assert 0.09 < binomtest(83, 145).pvalue < 0.1 and round(2 * (1 + 10 + 45) / 1024, 3) == 0.109

# %% [markdown]
# The p-value is a little smaller than our reader's. So 61 % of 130 preferences are, if anything, *more* surprising
# under the coin than 90 % of ten. A percentage alone says nothing about chance: it depends on how many answers stand
# behind it. Nothing else has changed. The statistic is a number of preferences, the null hypothesis a coin, and the
# p-value a share of imaginary worlds.
#
# In [unit 0](00_be_the_judge.ipynb) you were the reader. How often you preferred Ash is a statistic like this one, and
# the machine below your verdict tossed the coins of this unit.
#
# ## What this does not tell you
#
# - **That the systems are equally good, if p is large.** Seven of ten gives a p-value of about a third. That is no
#   evidence for a coin: a reader who prefers A on 70 % of all sentences in the long run would often produce just that.
# - **How much better A is.** The reader said which translation she liked better, not by how much, and the p-value
#   depends on the number of sentences as well as on the difference.
# - **Whether the answers were independent.** We tossed one coin for each preference. But some of the WMT12 judges gave
#   many preferences, and the preferences of one person are not independent of each other. [Unit
#   24](../5_people/24_rankings.ipynb) says what that changes.
#
# ## Check yourself
#
# > **A second reader prefers A on all ten sentences. What is her p-value?**
# >
# > <details><summary>1 of 1,024</summary>Ten preferences for B would have surprised us just as much. They count,
# > too.</details>
# > <details><summary>20 of 1,024</summary>20 of the 1,024 have nine preferences for one of the two. Ten for one of them
# > is rarer.</details>
# > <details class="right"><summary>2 of 1,024</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# At least as far from 5 as hers are 10 and 0 only: 2 ways of 1,024, or 0.002. If you said 1 of 1,024 you
# forgot that ten preferences for B would have surprised us just as much.
#
# </details>
#
# > **A p-value of 0.02 means that in 2 % of all cases the null hypothesis is true. Right or wrong?**
# >
# > <details><summary>Right</summary>The 2 % were counted in worlds where the null hypothesis is true, every one of
# > them.</details>
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
# > <details><summary>Right, if the test is exact</summary>Exact means that all arrangements were counted. They were
# > still counted where the null hypothesis is true.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. The 2 % are counted in worlds in which the null hypothesis is true, all of them. They are the share of those
# worlds that look at least as lopsided as ours. How many of all cases are such worlds was never counted.
#
# </details>
#
# > **Two systems are tested with ten sentences, and p is 0.75. Which of these may be concluded: (a) the systems are
# > equally good; (b) they are probably equally good; (c) the ten sentences gave no evidence that one of them is
# > better?**
# >
# > <details class="right"><summary>Only (c)</summary>This is correct.</details>
# > <details><summary>(a) and (c)</summary>That the test found nothing does not show that there is nothing. Ten
# > sentences see little.</details>
# > <details><summary>(b) and (c)</summary>How probable it is that they are equally good was never computed.</details>
#
# <details><summary>Answer</summary>
#
# Only (c). A result that is ordinary in the world of the coin may be ordinary in many other worlds, too, including
# those in which one system is clearly better.
#
# </details>
#
# ## Exercises
#
# **1.** Compute the exact p-value for eight preferences of ten by counting ways.
#
# <details><summary>Answer</summary>
#
# There are 1 + 10 + 45 ways for 10, 9 and 8 preferences, and as many for 0, 1 and 2: 112 of 1,024, or 0.109. With eight
# preferences of ten instead of nine, the p-value is five times as large.
#
# </details>
#
# **2.** Between QCRI's and UPC's systems, the readers of WMT12 preferred QCRI's 83 times and UPC's 62 times. Change
# the last two cells of the unit and find the p-value. Guess first.
#
# <details><summary>Answer</summary>
#
# With `wins, losses = 83, 62` it comes out near 0.10: ten imaginary worlds of a hundred are at least as lopsided.
#
# </details>
#
# **3.** A reader says "I cannot decide" for four of ten sentences and prefers A on the other six. Which recipe would you simulate?
#
# <details><summary>Answer</summary>
#
# Six tosses, one for each preference: the coin decides only where there was something to decide. That gives 2 of 64, or
# 0.031. It is a choice, and should be made beforehand. You could also count each of the four as half a preference. But
# then the recipe must also say how often a reader is undecided, and a coin does not say that.
#
# </details>
#
# ---
#
# *Before this:* [unit 1, Is A better than B?](01_is_a_better_than_b.ipynb). *After this:* [unit 3, Where to draw the
# line](03_where_to_draw_the_line.ipynb). *To practise:* [lab 1](../labs/student/lab_01_a_reader_and_a_coin.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
