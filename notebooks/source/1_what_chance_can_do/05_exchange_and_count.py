# %% [markdown]
# # 5 · Exchange and count
#
# On ten sentences of WMT12, UPC's translations from Spanish have a BLEU of 28.4 and those of a system called
# uk-dan-moses one of 19.5. Nine points are more than most papers report. Ten sentences are fewer than most papers use.
# Which of the two impressions should win?
#
# <details><summary>After this unit you can …</summary>
#
# - compute the smallest p-value that a few sentences can give (question 1);
# - say what sentences with two equal outputs do to p (question 2);
# - say what the null hypothesis of approximate randomization is, and what it is not (question 3, exercise 2).
#
# Before this: unit 3. About 24 minutes to read, 29 to teach with a discussion. New terms: approximate randomization,
# exact test, exchangeable, interchangeable.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, fold_notes, headline

fold_notes()

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 2


def draw_tens(tests, overall):
    """Difference and p-value of each selection of ten sentences; those at .05 or below stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(6.4, 4.4))
    difference = np.array([test.statistic for test in tests])
    pvalue = np.array([test.pvalue for test in tests])
    found = pvalue <= 0.05
    ax.scatter(difference[~found], pvalue[~found], s=16, color=style.CALM, alpha=0.5, linewidth=0)
    for chosen, marker, what in (
        (found & (difference > 0), "o", "Edinburgh is better"),
        (found & (difference < 0), "D", "GTH-UPM is better"),
    ):
        label = f"{what}: {chosen.sum()}"
        ax.scatter(
            difference[chosen],
            pvalue[chosen],
            s=26,
            color=style.EMPHASIS,
            marker=marker,
            label=label,
        )
    ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=1)
    ax.axvline(0, color=style.MUTED, linewidth=1, zorder=0)
    ax.axvline(overall, color=style.INK, linestyle=":", linewidth=1)
    ax.annotate(
        "all 3,003", (overall, 1.01), xytext=(4, 0), textcoords="offset points", va="bottom"
    )
    ax.annotate("level .05", (ax.get_xlim()[0], 0.05), xytext=(4, 3), textcoords="offset points")
    ax.set(xlabel="difference in BLEU on ten sentences", ylabel="exact p", ylim=(-0.02, 1.09))
    ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.95))
    style.describe(
        figure,
        "300 points, one for each selection of ten sentences: the exact p against the difference in BLEU. They form a peak at zero; "
        "50 points at the right lie below the line of .05, and two at the left.",
    )
    return figure


# %% [markdown]
# The sentences are numbers 0, 300, 600 and so on, ten of the 3,003. In unit 1 we exchanged a thousand sentences, and
# nobody could have looked at every way to do it. With ten we can. With three we can even print them all, so let us
# begin with the last three of the ten.

# %%
import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
ten = bleu.select(["UPC", "uk-dan-moses"]).subset(np.arange(0, 3000, 300))
A, B = ten.values
score = ten.metric.score
score(A[7:].sum(axis=0)) - score(B[7:].sum(axis=0))

# %% [markdown]
# That is fifteen points. `A` and `B` hold ten rows of counts each, as in unit 4, and `A[7:]` is the last three of
# A's.
#
# Each sentence may stay as it is (0) or have its two translations exchanged (1). To exchange a sentence means to add
# the row of `B - A` to A's sums and take it from B's. In the function below, the `@` adds up these rows for all
# sentences that have a 1.


# %%
def difference(A, B, heads):
    moved = np.array(heads) @ (B - A)
    return score(A.sum(axis=0) + moved) - score(B.sum(axis=0) - moved)


coins = list(itertools.product([0, 1], repeat=3))
pd.DataFrame({"coins": coins, "difference": [difference(A[7:], B[7:], c) for c in coins]})

# %% tags=["remove-input"]
three = np.array([difference(A[7:], B[7:], c) for c in coins])
assert 15 < three[0] < 15.5 and (abs(three) >= abs(three[0]) - 1e-9).sum() == 2
assert np.allclose(three, -three[::-1]) and (ten.scores().round(1) == [28.4, 19.5]).all()

# %% [markdown]
# Three coins can fall in eight ways, and there are eight rows. The first, with no exchange at all, is what we
# observed. The last exchanges everything: the two systems have traded names, and the difference has changed its sign.
# Every row has such a mirror.
#
# How many rows are at least as far from zero as the first? Two: itself and its mirror. That is a p-value of 2/8, or
# .25, in spite of fifteen points. With three sentences p cannot be smaller than .25.
#
# ## Step 1: choose a statistic
#
# Now all ten sentences, one step after the other. The statistic is the difference in BLEU between the two systems. It
# is +8.90. A difference far from zero, in either direction, would be a surprise.
#
# ## Step 2: say what chance would do
#
# In unit 2 a coin decided which translation a reader liked. There is no reader here, so we need another recipe, and
# therefore another null hypothesis. It starts from a word. Two outputs of a segment are **exchangeable** if either
# might as well have come from the other system. Two systems are **interchangeable** if their outputs are exchangeable
# in every segment, whatever holds in the others.
#
# Our null hypothesis is that UPC and uk-dan-moses are interchangeable. Then it is a matter of chance which of two
# outputs stands under which name, and a coin for each sentence shows what else might have happened.
#
# The word is stronger than it looks. It does not say that the outputs are alike; they may differ in every word. But
# it says more than that the systems are equally good. If one always translates tolerably, and the other brilliantly
# or not at all, they may well have the same BLEU, and yet you would know at once whose is whose.
#
# ### Nobody tossed a coin here
#
# Chance can enter data by design, in two ways:
#
# | what was left to chance | example | what a test may then speak of |
# | --- | --- | --- |
# | *random assignment*: who is treated how | a coin decides which patient gets the drug | what the drug did to these patients |
# | *random sampling*: who is looked at | a lottery decides whom a survey asks | all people who might have been asked |
#
# With random assignment the experimenter tossed the coin. If the drug does nothing, the outcomes are then exchangeable
# by design. In our data nobody did, nor did a lottery choose the sentences. We toss our coins afterwards, so
# exchangeability is an *assumption*.
#
# It is an assumption about every single segment, and it says that no segment depends on another. Such a null
# hypothesis is called *sharp*. This null hypothesis may be false although two systems have the same score in the long
# run. Then the test may claim a difference between equally good systems more often than the level allows.
#
# ## Step 3: simulate it
#
# One draw from this recipe is a shuffle, as in unit 1. With ten sentences there are 1,024 of them, the same 1,024
# ways in which ten coins fell in unit 2. There is no need to draw: we can go through all.
#
# > **Make a guess.** What is the smallest p-value that ten sentences can give, however far the systems lie apart:
# > about .002, about .02, or zero?
# >
# > <details class="right"><summary>about .002</summary>So it is: two shuffles of 1,024 always count, the observed
# > one and its mirror.</details>
# > <details><summary>about .02</summary>That was unit 2's value for nine of ten. Ten of ten is rarer.</details>
# > <details><summary>zero</summary>The observed outputs are one of the shuffles, so at least that one is as extreme
# > as they are.</details>

# %%
shuffles = list(itertools.product([0, 1], repeat=10))
differences = np.array([difference(A, B, heads) for heads in shuffles])
len(differences), differences[0], differences[-1]

# %% [markdown]
# ## Step 4: compare
#
# How many of the 1,024 differences are at least as far from zero as the first, which is the observed one?

# %%
as_large = abs(differences) >= abs(differences[0]) - 1e-9
as_large.sum(), as_large.mean()

# %% tags=["remove-input", "remove-output"]
headline("ten sentences of WMT12 es-en, UPC minus uk-dan-moses: BLEU", differences[0], spec="+.2f")
headline("the same, exchanges at least as large, of 1,024", int(as_large.sum()))
headline("the same, exact p", as_large.mean(), spec=".3f")
assert as_large.sum() == 32 and len(differences) == 1024 and as_large.mean() == 0.03125
assert round(differences[0], 2) == 8.90 and differences[-1] == -differences[0]

# %% [markdown]
# Every one of these shuffles is ten coins. Toss some of them yourself: an orange dot is a sentence whose two outputs
# have changed owners.

# %%
chance_machine(ten, "UPC", "uk-dan-moses")

# %% [markdown]
# The more you make, the nearer p comes to the 32 of 1,024 that we have counted. It seldom agrees to the last digit.
# With ten pairs of numbers of your own, [unit 37](../6_beyond_the_papers/37_jurors_customers_speakers.ipynb#Ten-numbers-of-your-own)
# has the same machine.
#
# (The `1e-9`, a billionth, is there because computers round. Equal differences should count as equal, even if one
# comes out smaller in the last digit.)
#
# 32 of 1,024 shuffles do at least as much as the systems did, so p is .031. At a level of .05 the nine points win, if
# only just: we may claim that UPC's lead is more than luck. The package counts the same in one line. (The last
# warning in its fold is about articles; our ten sentences are from ten of them, so it makes no difference here.)

# %%
exact = mt.approximate_randomization(ten, "UPC", "uk-dan-moses", exact=True)
exact

# %%
picture = exact.plot(bins=40)

# %% tags=["remove-input"]
assert exact.pvalue == as_large.mean() and exact.n_differing == 9
assert abs(differences).min() > 1 and A[8, 0] == 59
by_its_coin = [[d for c, d in zip(shuffles, differences, strict=True) if c[8] == s] for s in (0, 1)]
assert min(by_its_coin[0]) > 0 > max(by_its_coin[1]) and 5 < np.mean(by_its_coin[0]) < 7
assert (abs(differences) >= 5).mean() > 0.5

# %% [markdown]
# The horizontal axis is the difference in BLEU after a shuffle, the height of a bar the number of shuffles that gave
# it. The dashed lines are the observed difference and its mirror, and coloured is what lies on or beyond them. Look
# at the middle first, because there is a surprise: it is empty. In unit 1 zero was the most frequent place, and here
# no shuffle comes near it. Among our ten sentences is one of 59 words, which UPC's system translated much better than
# the other. Whoever is given that translation is ahead whatever the other nine coins show, by five or six points on
# average. One sentence has made two hills out of one. Had UPC's lead been five points only, more than half of the
# picture would be coloured.
#
# **The guess.** About .002, or 2 of 1,024: the observed shuffle and its mirror always count. It is never zero. Here p
# cannot be even that small. The package says *512 arrangements* of *nine* sentences, not 1,024 of ten. On the first
# sentence both systems have the same counts, so its coin is tossed for nothing, and every
# difference comes up twice. The picture counts 16 of 512, which is the same share as 32 of 1,024.
#
# ## What it is called
#
# **Approximate randomization** is a test that exchanges the two systems' outputs at random, segment by segment, many
# times, and counts how often the difference becomes at least as large as the observed one. *Randomization* is the
# tossing of coins. It is *approximate* where one draws only some of the shuffles. The idea is Fisher's, of 1935;
# Riezler and Maxwell (2005) recommended it to our field. We have not drawn but counted. An **exact test** is a test
# that counts every arrangement that was possible under the null hypothesis, instead of drawing some.
#
# The promise of an exact test can be checked by counting, too. Unit 3 said that the level is a promise about worlds
# in which there is nothing to find. Here are all these worlds: if the systems are interchangeable, we might have
# observed any of the 1,024 differences, each as easily as the others. In how many of them would we have claimed
# something?

# %%
p_of_each = np.array([(abs(differences) >= abs(d) - 1e-9).mean() for d in differences])
(p_of_each <= 0.05).mean()

# %% tags=["remove-input", "remove-output"]
headline(
    "false claims at .05, all 1,024 exchanges of ten sentences",
    (p_of_each <= 0.05).mean(),
    spec=".4f",
)
assert (p_of_each <= 0.05).sum() == 48

# %% [markdown]
# In 48 of 1,024, just below one in twenty. Put all differences in order, those farthest from zero first. The p-value
# says how far down this list ours stands, as a share of the list. So no more than a twentieth of the differences can
# have p ≤ .05.
#
# ## Three hundred times ten sentences
#
# Take a pair of which we know the answer. On all 3,003 sentences Edinburgh's system is ahead of GTH-UPM's by 4.6
# points. Instead of sentences 0, 300, 600 and so on we may take 1, 301, 601, or 2, 302, 602. There are three hundred
# such selections, no two of which share a sentence.
#
# > **Make a guess.** In how many of the 300 does the exact test, at a level of .05, find that Edinburgh's is better:
# > 290, 150, or 50? And does it ever find that GTH-UPM's is?
# >
# > <details><summary>290</summary>The lead is real, but ten sentences show it rarely. A true difference and a
# > difference found are two things.</details>
# > <details><summary>150</summary>Half would be a power of .5. With ten sentences it is lower.</details>
# > <details class="right"><summary>50</summary>So few, and two that find the opposite.</details>

# %%
tens = [bleu.subset(np.arange(start, start + 3000, 300)) for start in range(300)]
tests = [mt.approximate_randomization(t, "uedin-wmt12", "GTH-UPM", exact=True) for t in tens]
pd.Series([test.conclusion() for test in tests]).value_counts()

# %% tags=["remove-input"]
draw_tens(tests, bleu.scores()["uedin-wmt12"] - bleu.scores()["GTH-UPM"])
plt.show()

# %% tags=["remove-input", "remove-output"]
found = pd.Series([test.conclusion() for test in tests])
headline(
    "300 tens of WMT12 es-en, uedin against GTH-UPM: uedin better", int((found == "better").sum())
)
headline("the same, GTH-UPM better", int((found == "worse").sum()))
assert found.value_counts().to_dict() == {"indistinguishable": 248, "better": 50, "worse": 2}
assert found[7] == "worse" and round(tests[7].statistic, 2) == -2.92 and tests[7].pvalue == 0.03125
assert round(bleu.scores()["uedin-wmt12"] - bleu.scores()["GTH-UPM"], 1) == 4.6
behind = sum(test.statistic < 0 for test in tests)
assert 28 <= behind <= 33 and tests[7].n_differing == 7

# %% [markdown]
# Each point is a selection of ten sentences. Its place from left to right is the difference in BLEU on these ten, its
# height the exact p-value. Start at the peak: where the difference is near zero, nearly every shuffle does as much,
# and p is near 1. From there the points fall to both sides. Most of the cloud lies to the right of zero, around the
# dotted line, which is the difference on all sentences. Now look below the dashed line, where a claim is made: fifty
# points at the right, and two at the left.
#
# **The guess.** Fifty. Five selections of six find nothing, which is the type-II error of unit 3, the miss. And the
# two at the left? On sentences 7, 307, 607 up to 2,707, GTH-UPM is ahead by 2.9 points, with p = .031. A reader who
# is shown these ten sentences and this p-value has been told nothing false. GTH-UPM *did* do better on them, and luck
# would seldom do as much. What she has not been told is that we searched three hundred selections to find two.
#
# ## What this does not tell you
#
# - **Whether it would be so on other sentences.** The coins were tossed for these sentences and no others.
#   [Unit 8](../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb) begins with the other question.
# - **Whether it would be so if sentences depend on each other.** Each sentence had its own coin. Where articles matter,
#   whole articles should be exchanged ([unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb)).
# - **What happens to systems that have the same score and are not interchangeable.** [Unit
#   15](../3_which_test_which_metric/15_what_a_test_promises.ipynb) measures it.
#
# ## Check yourself
#
# > **A colleague tests his system on five sentences at the level .05. It is ahead by thirty points. What will the exact
# > test say?**
# >
# > <details><summary>A difference, with p near .001</summary>Thirty points are many. Still, five coins fall in 32 ways
# > only, and two of them always count.</details>
# > <details><summary>A difference, with p = 1/32</summary>That would be the smallest one-sided p. Two-sided, the mirror
# > image counts as well: 2/32.</details>
# > <details class="right"><summary>Nothing: p cannot reach .05</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Nothing, whatever the difference. Five coins fall in 32 ways, and the observed one and its mirror always count: p is
# at least 2/32, or .0625. If the difference is the largest possible, it is just that.
#
# </details>
#
# > **On 900 of 1,000 sentences two systems give the same output. Do these 900 speak for the null hypothesis, and make p
# > larger?**
# >
# > <details><summary>They make p larger</summary>They make the observed difference smaller, and every shuffled
# > difference in the same way. So the number of shuffles that reach the observed difference hardly changes.</details>
# > <details class="right"><summary>They do neither</summary>This is correct.</details>
# > <details><summary>They make p smaller</summary>They bring no evidence at all, since exchanging equal outputs changes
# > nothing.</details>
#
# <details><summary>Answer</summary>
#
# They do neither. Their coins change nothing. They make the observed difference smaller, and all shuffled differences
# with it. The other hundred sentences decide almost alone what p is.
#
# </details>
#
# > **"The null hypothesis of this test is that both systems have the same BLEU." Right or wrong?**
# >
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
# > <details><summary>Right</summary>Equal BLEU would follow in the long run. What is supposed is more: that either
# > output may have come from either system.</details>
# > <details><summary>Right, for long test sets</summary>The length of the test set changes what can be seen, not what
# > is supposed.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. It is that in each sentence either output might have come from either system. That has a consequence for
# BLEU, namely that differences of both signs are equally probable, and for every other statistic as well.
#
# </details>
#
# ## Exercises
#
# **1.** Had we said beforehand that only a lead of UPC's interests us, what would p be?
#
# <details><summary>Answer</summary>
#
# Leave out both `abs`, and 16 of 1,024 are counted: p is .0156. For every shuffle in one end there is its mirror in
# the other. The package counts one end if it is given `alternative="greater"`.
#
# </details>
#
# **2.** Take another statistic: the difference in the number of words of the outputs, which is the first column of
# the counts. Are the systems interchangeable in this respect?
#
# <details><summary>Answer</summary>
#
# With `score = lambda sums: sums[0]` the cells of steps 3 and 4 give a difference of 4 words, and 832 of 1,024 shuffles
# do as much: p = .81. So the lengths of the outputs give no evidence against the null hypothesis. Step 1 has changed
# and the other steps have not.
#
# </details>
#
# **3.** How do UPC and uk-dan-moses fare on the three hundred selections?
#
# <details><summary>Answer</summary>
#
# On all 3,003 sentences they are 9.7 points apart. With their names in place of the other two, 171 of 300 selections
# find UPC better, and none finds uk-dan-moses better. If the lead on all sentences is about ten points, a test on ten
# sentences finds it somewhat more often than not.
#
# </details>

# %% tags=["remove-input"]
one_sided = mt.approximate_randomization(
    ten, "UPC", "uk-dan-moses", exact=True, alternative="greater"
)
words = [(A - B)[:, 0].sum() + 2 * np.array(heads) @ (B - A)[:, 0] for heads in shuffles]
every_exchange = np.array(shuffles)
upc = []  # exact p of each ten, enumerated here because that is faster than three hundred tests
for t in tens:
    a, b = t.select(["UPC", "uk-dan-moses"]).values
    moved = every_exchange @ (b - a)
    shuffled = score(a.sum(axis=0) + moved) - score(b.sum(axis=0) - moved)
    upc.append(np.sign(shuffled[0]) * ((abs(shuffled) >= abs(shuffled[0]) - 1e-9).mean() <= 0.05))
assert one_sided.pvalue == 16 / 1024 == (differences >= differences[0] - 1e-9).mean()
assert words[0] == 4 and (abs(np.array(words)) >= 4).sum() == 832
assert (upc.count(1), upc.count(-1)) == (171, 0)
assert round(bleu.scores()["UPC"] - bleu.scores()["uk-dan-moses"], 1) == 9.7

# %% [markdown]
# ---
#
# *Before this:* [unit 4, What a score is made of](04_what_a_score_is_made_of.ipynb). *After this:* [unit 6, Too many to
# count](06_too_many_to_count.ipynb). *To practise:* [lab 3](../labs/student/lab_03_exchange_and_count.ipynb), when you
# have read unit 6. *Words* are in the [glossary](../../docs/glossary.md).
