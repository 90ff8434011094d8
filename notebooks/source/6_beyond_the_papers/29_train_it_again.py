# %% [markdown]
# # 29 · Train it again
#
# You have an idea, train a system with it, and beat the baseline by half a point of BLEU. The test gives p = .0002,
# with 2,489 sentences. You publish. A reader takes your program and your data, presses the same button, and gets a
# system that is no better than the baseline. Neither of you has made a mistake. What was it that you tested?
#
# <details><summary>After this unit you can …</summary>
#
# - say what a comparison of the best runs favours (question 1);
# - choose the unit where systems were trained several times (question 2);
# - compute the smallest p-value of a few runs, and say what it does not promise (question 3, exercise 1).
#
# Before this: units 12 and 15. About 20 minutes to read, 25 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import itertools
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(
    legacy="1.25", suppress=True
)  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.4f}".format


def draw_runs(scores):
    """A row of dots for each system, a dot for each run, and the mean."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 2.8))
    for row, (runs, colour) in enumerate(
        zip(scores.values(), (style.GREY, style.CALM), strict=True)
    ):
        ax.plot(runs, np.full(len(runs), row), "o", color=colour, markersize=13, alpha=0.8)
        ax.plot([np.mean(runs)] * 2, [row - 0.25, row + 0.25], color=style.INK, linewidth=3)
    for text, x in (("run 1", scores["sys1"][1]), ("runs 0 and 2", scores["sys1"][2])):
        ax.annotate(text, (x, 1), (0, -24), textcoords="offset points", ha="center", fontsize=11)
    ax.set_xlim(18.43, 19.03)
    style.name_rows(ax, list(scores), top=-0.6, bottom=0.4)
    ax.set_xlabel("BLEU of a run; the bar is the mean of three")
    style.describe(
        figure,
        "Two rows of three dots. The baseline's runs lie together between 18.46 and 18.58; two runs of sys1 lie at 18.98, the third "
        "among the baseline's at 18.47.",
    )
    return figure


def draw_arrangements(differences, observed):
    """The differences of all ways to divide the runs, piled up; those as large as the observed one stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 3.2))
    levels = []  # of each, the right end of its last dot
    for value in np.sort(differences):
        level = next((k for k, end in enumerate(levels) if value > end), len(levels))
        levels[level : level + 1] = [value + 0.025]
        counted = abs(value) >= abs(observed) - 1e-9
        colour = style.EMPHASIS if counted else style.CALM
        ax.plot(value, level + 1, "o", color=colour, markersize=15)
    for side in (-observed, observed):
        ax.axvline(side, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="difference of the two means (BLEU)", yticks=[], ylim=(0, len(levels) + 1))
    ax.set_ylabel("ways to divide")
    style.describe(
        figure,
        "Twenty dots along the difference of means, the same to the left and to the right of zero. Six of them, three at either end, lie at or "
        "beyond the dashed lines at .29.",
    )
    return figure


# %% [markdown]
# ## Three runs each
#
# A system that learns starts from random numbers, and another start ends elsewhere. Clark, Dyer, Lavie and Smith
# (2011) asked people to press the button several times, and their program comes with an example: a baseline and a
# system called sys1, each tuned three times from different starts. We call each of them a *run*.

# %%
import mtsig_nb as mt

bleu = mt.load("multeval/en").statistics("BLEU")
runs = {system: [f"{system}.opt{i}" for i in range(3)] for system in ("baseline", "sys1")}
scores = {system: bleu.scores()[names].to_numpy() for system, names in runs.items()}
{system: found.round(2) for system, found in scores.items()}

# %% tags=["remove-input"]
draw_runs(scores)
plt.show()

# %% [markdown]
# Each dot is a run, the axis is its BLEU, and the two rows are the two systems. Look at the upper row first. The
# three runs of the baseline lie within about a tenth of a point. Below, two runs of sys1 lie four tenths to the right
# of them, and you would think that the matter is settled. But run 1 of sys1 is over on the left, among the
# baseline's.
#
# > **Make a guess.** A paper has one run of each system. There are nine such papers, since each of sys1's runs may be
# > compared with each of the baseline's. In how many of the nine does approximate randomization find a difference at
# > .05? And if we test sys1's run 0 against sys1's own run 1: what p do you expect?
# >
# > <details><summary>nine of nine, and p near 1 for sys1 against itself</summary>The test sees sentences and no
# > runs. Two runs of one method do differ.</details>
# > <details class="right"><summary>six of nine, and p = .0001 for sys1 against itself</summary>So it is: it answers
# > for these two runs, and not for the method.</details>
# > <details><summary>three of nine, and p near .5 for sys1 against itself</summary>The test is about these runs. It
# > sees differences in more of them, even within one method.</details>

# %%
papers = [
    mt.approximate_randomization(bleu, a, b, rng=2014).pvalue
    for a in runs["sys1"]
    for b in runs["baseline"]
]
np.round(papers, 4)

# %%
itself = mt.approximate_randomization(bleu, "sys1.opt0", "sys1.opt1", rng=2014)
itself.statistic, itself.pvalue

# %% tags=["remove-input", "remove-output"]
headline(
    "MultEval's example, one run of each system: differences found at .05, of 9",
    int(np.sum(np.array(papers) <= 0.05)),
)
headline("sys1's run 0 against its own run 1: BLEU", itself.statistic, spec="+.2f")
headline("the same: p", itself.pvalue, spec=".4f")
first = mt.approximate_randomization(bleu, "sys1.opt0", "baseline.opt1", rng=2014)
assert round(first.pvalue, 4) == 0.0002 and 0.5 < first.statistic < 0.54 and bleu.n_segments == 2489
assert [p <= 0.05 for p in papers] == [True] * 3 + [False] * 3 + [True] * 3
assert max(papers[:3] + papers[6:]) < 0.004 and min(papers[3:6]) > 0.4
assert itself.pvalue < 0.0005 and itself.statistic > 0.5
assert abs(bleu.scores()["sys1.opt1"] - scores["baseline"].mean()) < 0.07
assert (
    np.ptp(scores["baseline"]) < 0.12
    and min(scores["sys1"][[0, 2]]) - max(scores["baseline"]) > 0.39
)

# %% [markdown]
# **The guess.** Six of nine find a difference, all with p below .004. In the other three, those with run 1, nothing
# is found, with p above .4. And sys1 is better than sys1, by half a point, with p = .0001, the smallest that ten
# thousand shuffles can give.
#
# The test is right, as it was in [unit 1](../1_what_chance_can_do/01_is_a_better_than_b.ipynb). It was asked whether
# *these outputs* might as well have changed owners, sentence by sentence. If they might, so large a difference would
# seldom occur: on these sentences run 0 is further ahead of run 1 than nearly all shuffles are. What is wrong is to
# conclude something about sys1. The outputs belong to a run, and the claim is about a method. No number of sentences
# will make up for that.
#
# ## The unit is the run
#
# Of the four steps it is again the second that changes, *say what chance would do*. Chance gave a run its start. If the
# method makes no difference, then any three of the six runs might as well have been the first method's. So we exchange
# whole runs, not outputs. The **unit** of [unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb), what is
# exchanged as a whole, is now a run with all its 2,489 sentences.
#
# This hardly needs a computer. Six scores are to be divided into three and three. There are twenty ways to do it, and
# we go through all of them. (`np.delete` leaves the other three.)

# %%
six = np.concatenate([scores["sys1"], scores["baseline"]])
observed = six[:3].mean() - six[3:].mean()
ways = list(itertools.combinations(range(6), 3))
differences = np.array([six[list(w)].mean() - np.delete(six, w).mean() for w in ways])
len(ways), observed, np.mean(abs(differences) >= observed - 1e-9)

# %% tags=["remove-input"]
draw_arrangements(differences, observed)
plt.show()

# %% tags=["remove-input", "remove-output"]
p_runs = np.mean(abs(differences) >= observed - 1e-9)
headline("sys1 against the baseline, three runs each, exchanging runs: p", p_runs, spec=".1f")
assert len(ways) == 20 and p_runs == 6 / 20 and round(observed, 2) == 0.29
assert np.sum(differences >= observed - 1e-9) == 3

# %% [markdown]
# Every dot is one of the twenty ways to divide the six runs, and its place on the axis is the difference of the two
# means that results. The dashed lines are at what we observed, .29, in both directions. Look there and outside of
# them: there are three dots in colour at each end. (How high a dot is drawn means nothing.) One of the six is the
# division that really happened; each dot on the right has its mirror image on the left, with the names changed. So p
# is 6/20 = .3. If run 1 had been as good as the other two, ours would be the outermost dot on the right, and only it
# and its mirror image would be coloured.
#
# > **Make a guess.** Suppose that it had been so: all three runs of sys1 above all three of the baseline, by any
# > distance you like. What would p be?
# >
# > <details><summary>about .001</summary>Three against three can be divided in only twenty ways.</details>
# > <details><summary>.05</summary>Not even that: it is two of twenty.</details>
# > <details class="right"><summary>.1</summary>So it is. Three runs against three can never reach .05 on two
# > sides.</details>
#
# **The guess.** Two of twenty, or .1. No other division is as one-sided, but these two always count, however far apart
# the systems are. With three runs against three *a two-sided test can never reach .05*. One could know this before
# training anything. Four against four can be divided in 70 ways, five against five in 252, and 2/70 is .029. As in
# [unit 5](../1_what_chance_can_do/05_exchange_and_count.ipynb), the number of possible arrangements decides how small p
# can be.
#
# ## What a single run is worth
#
# How bad is it to test one run against one? Let us make methods of which we know that they do not differ.
# `training_runs` puts runs together from real outputs, as pseudo-systems. The true score of a run is drawn from a hill,
# and the hill has the same middle for both methods. How wide is the hill? Let us take what sys1 showed, a standard
# deviation of .29.
#
# > **Make a guess.** Two equally good methods, one run of each, tested with sentences as units at .05. In how many of
# > two hundred cases is a difference found: about 10, about 40, or more than 100?
# >
# > <details><summary>about 10</summary>One in twenty is promised for these outputs, and not for methods.</details>
# > <details><summary>about 40</summary>With a smaller spread between runs it might be so. With this one it is
# > worse.</details>
# > <details class="right"><summary>more than 100</summary>So it is, about two thirds.</details>


# %%
def one_paper(seed, spread):
    pair = mt.simulate.training_runs(
        bleu, "baseline.opt0", "sys1.opt0", spread=spread, n_runs=1, rng=seed
    )
    return mt.approximate_randomization(pair, *pair.systems, n_resamples=399, rng=seed).pvalue


found = sum(one_paper(seed, spread=0.29) <= 0.05 for seed in range(200))
found

# %% tags=["remove-input", "remove-output"]
calm = sum(one_paper(seed, spread=0.06) <= 0.05 for seed in range(200))
headline("equally good methods, one run each, spread .29: false claims at .05, of 200", found)
headline("the same with the baseline's spread, .06", calm)
spreads = {name: np.std(values, ddof=1) for name, values in scores.items()}
assert round(spreads["sys1"], 2) == 0.29 and round(spreads["baseline"], 2) == 0.06
assert 125 <= found <= 150 and 22 <= calm <= 38

# %% [markdown]
# **The guess.** More than 100, about two thirds of them, where one in twenty was promised. With the baseline's
# standard deviation, .06, it would be about one in seven. Nobody knows the standard deviation from three runs with
# any precision, and if there is only one run, nobody knows it at all.
#
# ## Three claims, three tests
#
# The package does both tests at once, with sentences and with runs as units, and adds a third.

# %%
mt.compare_runs(bleu, runs, n_resamples=5000, rng=12)

# %% tags=["remove-input", "remove-output"]
both = mt.compare_runs(bleu, runs, n_resamples=5000, rng=12)
headline(
    "MultEval's example, sys1 against the baseline, these runs: p",
    both.segment_test.pvalue,
    spec=".3f",
)
headline("the same, other runs: p", both.run_test.pvalue, spec=".1f")
headline("the same, the methods: p", both.pvalue, spec=".2f")
assert both.segment_test.pvalue < 0.02 and both.run_test.pvalue == p_runs
assert round(both.pvalue, 2) == 0.27
assert all(0.2 < s.s_sel < 0.3 for s in both.spreads)

# %% [markdown]
# The first line is the difference of the means. In the next two, `s_sel` says how much a score would vary with
# another selection of sentences (its standard error, unit 9), and `s_opt` how much it varied from run to run. Then
# come the tests. *These runs, exchanged within segments*: a coin for each sentence exchanges the three outputs of
# one system for the three of the other, and p is .008. *Other runs on these segments*: our twenty ways, and p is .3.
# They do not contradict each other, because they answer different questions.
#
# Is the second test enough, then, if the claim is about methods? No. All runs translated the same sentences, and runs
# of one method are often good or bad at the same ones. Where these sentences happen to suit a method, all of its runs
# profit, and the test that exchanges runs takes this for the method's merit. The package's page [What can be relied
# on](../../docs/trust.md) has measured two worlds of equally good methods, five runs of each. Where runs scatter, the
# test with sentences as units made false claims in more than a third of the cases at .05. Where runs hardly scatter,
# but the runs of one method fail on the same sentences, the test with runs as units also made false claims in more than
# a third of the cases.
#
# A method could have had other runs *and* been tested on other sentences. *The methods* is the test of this claim. The
# variance of the difference is the sum of two variances: one from run to run, and one from sentence to sentence, for
# what the runs of a method have in common. The test adds them up and compares the difference with the result, by
# Student's t, since few runs say little of their own variance. Here p is .27. In both worlds this test made false
# claims in .04 of the cases with five runs of each. With two or three runs of each it made them in .01 to .04 of the
# cases, and it needs larger differences to find them.
#
# So: several runs of each system, five rather than three; report all of them; and base a claim about methods on the third
# test. If you cannot afford that, as happens with large models, say what you have tested: *this system, as
# it was trained once*. It is an honest claim, and often the one that matters, since this is the system that will be
# used.
#
# ## What this does not tell you
#
# - **How real runs of your kind of system scatter.** Three runs of a system of 2011 say nothing about yours. Yours
#   do.
# - **What else might have been otherwise.** Other training data, another size, another person who tunes: each is a
#   source of luck. A claim that is to hold for other training data needs several sets of training data as units, and so
#   on.
# - **Which of the two methods is better.** With p = .3 nothing was found, and with three runs hardly anything could
#   have been.
#
# ## Check yourself
#
# > **"We trained each system three times and compare the best run of each." What does this favour?**
# >
# > <details><summary>Neither</summary>The best of three wide throws lies farther above their mean than the best of
# > three narrow ones.</details>
# > <details><summary>The better system</summary>It favours it, too, if it is better. But even of two equal ones it
# > favours the one that scatters.</details>
# > <details class="right"><summary>The system whose runs scatter more</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The system whose runs scatter more. Of three throws the best lies well above the mean if the throws are far apart,
# and close to it if they are not. In our example the best runs are .41 apart and the means .29, although nothing but
# luck may have pulled run 1 down.
#
# </details>
#
# > **"Three runs, 2,489 sentences each: we put them into one test with 7,467 sentences." Is this a good idea?**
# >
# > <details><summary>Yes, more data</summary>The three outputs of a sentence succeed and fail together. They are one
# > piece of evidence, not three.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, with a correction for three</summary>A correction is for many questions. Here is one
# > question, and copies of the evidence.</details>
#
# <details><summary>Answer</summary>
#
# No. It is the swindle of unit 12, where each sentence was copied. A sentence that is hard for one run is mostly hard
# for the other two, and a test that tosses a coin for each of the 7,467 takes one piece of evidence for three. The
# package exchanges the three outputs of a sentence together in order to avoid this.
#
# </details>
#
# > **With five runs of each, all five of one method are above all five of the other. A colleague says: "p is 2/252 =
# > .008, so 99 % of all runs would be better." What does the .008 say?**
# >
# > <details class="right"><summary>How rare so clean a division is by chance</summary>This is correct.</details>
# > <details><summary>99 % of all runs would be better</summary>Nothing was said about shares of runs. The .008 is
# > counted among the ways to divide these ten.</details>
# > <details><summary>How much better the method is</summary>A p-value has no points in it. Look at the difference and
# > its interval.</details>
#
# <details><summary>Answer</summary>
#
# If any run might as well have been the other method's, such a clean division would come about in 8 of 1,000 cases.
# It says nothing about the share of runs that are better, nor about how much better they are.
#
# </details>
#
# ## Exercises
#
# **1.** How many runs of each method does it take before p can be as small as .01, and as .001?
#
# <details><summary>Answer</summary>
#
# `2 / math.comb(2 * r, r)` for `r` runs of each: .029 with four, .0079 with five, .0022 with six and .0006 with
# seven. So five and seven, and these only if the runs do not overlap.
#
# </details>
#
# **2.** Repeat the simulation with `spread=0.06`, what the baseline's runs showed, and with `spread=0`. What do you
# expect of the second?
#
# <details><summary>Answer</summary>
#
# With .06 about 30 of 200 are false claims, three times what was promised. With a spread of 0 there is no luck in
# training. The outputs are then exchangeable, and the test should make about 10 false claims in 200.
#
# </details>
#
# **3.** Does it look different under chrF?
#
# <details><summary>Answer</summary>
#
# `mt.compare_runs(mt.load("multeval/en").statistics("chrF"), runs, rng=12)`. All three runs of sys1 are now above all
# of the baseline's, 1.09 points on average. Exchanging sentences gives p = .0001. Exchanging runs gives .1, the
# smallest p that there is with three against three: the case of the second guess.
#
# </details>

# %% tags=["remove-input"]
smallest = [2 / math.comb(2 * r, r) for r in (3, 4, 5, 6, 7)]
assert np.round(smallest, 4).tolist() == [0.1, 0.0286, 0.0079, 0.0022, 0.0006]
assert (math.comb(8, 4), math.comb(10, 5)) == (70, 252)
still = sum(one_paper(seed, spread=0.0) <= 0.05 for seed in range(200))
low, high = clopper_pearson(still, 200)
assert low < 0.05 < high
best = max(scores["sys1"]) - max(scores["baseline"])
assert round(best, 2) == 0.41
chrf = mt.load("multeval/en").statistics("chrF")
under_chrf = mt.compare_runs(chrf, runs, rng=12)
assert under_chrf.segment_test.pvalue < 0.0002 and round(under_chrf.run_test.pvalue, 9) == 0.1
ahead = [chrf.scores()[names] for names in (runs["sys1"], runs["baseline"])]
assert ahead[0].min() > ahead[1].max() and round(ahead[0].mean() - ahead[1].mean(), 2) == 1.09

# %% [markdown]
# ---
#
# *Before this:* [unit 28, Will my test set see it?](28_will_my_test_set_see_it.ipynb) *After this:* [unit 30, No
# difference is not equality](30_no_difference_is_not_equality.ipynb). *To practise:* [lab
# 12](../labs/student/lab_12_what_a_test_set_can_show.ipynb) and [lab
# 13](../labs/student/lab_13_referee_the_paper.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
