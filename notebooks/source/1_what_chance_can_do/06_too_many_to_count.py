# %% [markdown]
# # 6 · Too many to count
#
# Ten sentences can be exchanged in 1,024 ways, and unit 5 counted them all. For the thousand sentences of unit 1 no
# computer can do that, so a program tosses coins and looks at some of the ways. Run it twice, with few tosses. The first
# run may print p = .03, and the second p = .06. How many are enough, and what else should one know about such a program?
#
# <details><summary>After this unit you can …</summary>
#
# - say why p is never 0, and what should be printed instead (question 1);
# - say what more shuffles change, and find how often a run ends on the wrong side of the level (question 2, exercises
#   1 and 2);
# - say which p-values are exact and which are not (question 3, exercise 3).
#
# Before this: unit 5. About 26 minutes to read, 31 to teach with a discussion. New terms: counting rule, Monte Carlo
# error.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type


def difference(A, B, heads):
    """The difference after exchanging the sentences whose coin shows heads, as in unit 5."""
    moved = np.array(heads) @ (B - A)
    return score(A.sum(axis=0) + moved) - score(B.sum(axis=0) - moved)


def draw_runs(pvalues, limit, level=0.05):
    """Each run's p, a row for each number of shuffles; runs above the level stand out."""
    figure, axes = plt.subplots(
        len(pvalues), 1, figsize=(6.4, 4.8), sharex=True, layout="constrained"
    )
    for ax, (shuffles, p) in zip(axes, pvalues.items(), strict=True):
        values, counts = np.unique(np.round(p, 4 if shuffles == 100 else 3), return_counts=True)
        above = values > level
        width = 0.0009
        ax.bar(values[~above], counts[~above] / len(p), width, color=style.MUTED)
        ax.bar(values[above], counts[above] / len(p), width, color=style.EMPHASIS)
        ax.axvline(level, color=style.INK, linestyle="--", linewidth=1)
        share = np.mean(p > level)
        said = f"{share:.0%} above .05" if share else "none above .05"
        ax.set_title(f"{shuffles:,} shuffles a run: {said}", loc="left", fontsize=11)
        ax.set(ylabel="share of runs", xlim=(0, limit))
    axes[-1].set_xlabel("p")
    style.describe(
        figure,
        "Three rows of bars over p: with 100 shuffles a run they reach from 0 to beyond .08, and those above .05 are coloured; with 1,000 they "
        "lie between .02 and .05, with 10,000 within a few thousandths of .03.",
    )
    return figure


def draw_seven(counts):
    """Seven numbers as dots, with their mean, their median and a beam of one standard deviation."""
    figure, ax = style.figure_and_axes(None, figsize=(6.4, 2.6))
    for value, times in zip(*np.unique(counts, return_counts=True), strict=True):
        ax.plot([value] * times, range(times), "o", color=style.MUTED, markersize=12)
    mean, spread = np.mean(counts), np.std(counts)
    for place, line, said in ((np.median(counts), ":", "median"), (mean, "-", "mean")):
        ax.axvline(place, color=style.INK, linestyle=line, linewidth=1.5)
        ax.annotate(
            said, (place, 4.3), (4, 0), textcoords="offset points", va="top", color=style.INK
        )
    ax.hlines(3.2, mean - spread, mean + spread, color=style.EMPHASIS, linewidth=5)
    ax.annotate(
        "± one standard deviation",
        (mean + spread, 3.2),
        (8, 0),
        textcoords="offset points",
        va="center",
        color=style.EMPHASIS,
    )
    ax.set(xlim=(-0.5, 8.5), ylim=(-0.6, 4.5), yticks=[])
    ax.set_xlabel("shuffles, of a hundred, that reach the observed difference")
    style.describe(
        figure,
        "Seven dots at 1, 2, 2, 2, 3, 5 and 6. The median is at 2, the mean at 3, and a beam reaches 1.7 to either side of the "
        "mean; four of the seven dots lie under the beam.",
    )
    return figure


# %% [markdown]
# Of the four steps only the third changes in this unit: the shuffles are no longer all gone through, but some of them
# are drawn. The statistic, the null hypothesis and the comparison stay what they were in unit 5.
#
# ## Draw some
#
# A thousand coins can fall in 2 · 2 · … · 2 ways, a number of 302 digits. No computer goes through them all. But we
# need not know every shuffle in order to know *in which share of them* the difference is as large as what we observed.
# A random sample of the shuffles is enough, as a spoonful is enough to know how salty a well-stirred soup is. Tossing
# coins gives such a random sample.
#
# Here is the test of unit 1 as Riezler and Maxwell printed it in 2005, nearly line by line. `difference` is the
# function of unit 5.

# %%
import mtsig_nb as mt

bleu = mt.load("wmt21/de-en").statistics("BLEU")
A, B = bleu.select(["Facebook-AI", "NVIDIA-NeMo"]).values
score = bleu.metric.score
observed = difference(A, B, np.zeros(1000))

# %%
rng = np.random.default_rng(6)
count = 0
for _ in range(1000):
    heads = rng.integers(2, size=1000)
    count += abs(difference(A, B, heads)) >= abs(observed) - 1e-9
count, (count + 1) / (1000 + 1)

# %% tags=["remove-input"]
assert 10 < count < 50 and len(str(2**1000)) == 302

# %% [markdown]
# Here is a machine that draws such samples. Draw ten shuffles at a time and read p after each, then a thousand. At
# first p jumps about; the more you have drawn, the less ten more can change.

# %%
chance_machine(bleu, "Facebook-AI", "NVIDIA-NeMo", rng=6)

# %% [markdown]
# Now to the two numbers above. The first says how many of the thousand shuffles reach the observed difference, the second is p. (Why one is
# added above and below we shall see.) The package does the same faster. Its option is called `n_resamples`, a word
# that covers shuffles and what unit 8 will draw. Let us ask for two hundred thousand:

# %%
many = mt.approximate_randomization(bleu, "Facebook-AI", "NVIDIA-NeMo", n_resamples=200_000, rng=1)
many.pvalue

# %% tags=["remove-input", "remove-output"]
headline(
    "WMT21 de-en, Facebook-AI against NVIDIA-NeMo, 200,000 shuffles: p", many.pvalue, spec=".4f"
)
low, high = many.pvalue_interval
assert 0.029 < low < many.pvalue < high < 0.031

# %% [markdown]
# ## A lecture hall
#
# Imagine that these shuffles were made not by us but by two thousand students. Each has a seed of their own (the number
# that `rng` is given, which says which coins are tossed). Each makes a hundred shuffles, because their laptops are old.
#
# > **Make a guess.** With all shuffles together p is .030. How many of the two thousand students report a p above
# > .05, and conclude that there is nothing to report: about 4, 40, or 350?
# >
# > <details><summary>about 4</summary>It would be so few if each of them had drawn many shuffles. They drew
# > few.</details>
# > <details><summary>40</summary>More. With so few shuffles p is often off by two hundredths.</details>
# > <details class="right"><summary>about 350</summary>So it is, more than one student in six, with the same outputs
# > and the same program.</details>
#
# `many.extreme` says of every shuffle whether it counts. Cut into two thousand rows of a hundred, each row is a
# student:

# %%
students = (many.extreme.reshape(2000, 100).sum(axis=1) + 1) / 101
(students > 0.05).sum()

# %% tags=["remove-input"]
runs = {
    size: (many.extreme.reshape(-1, size).sum(axis=1) + 1) / (size + 1)
    for size in (100, 1000, 10_000)
}
draw_runs(runs, 0.108)
plt.show()

# %% tags=["remove-input", "remove-output"]
headline("the same, runs of 100 shuffles above .05", np.mean(students > 0.05), spec=".2f")
assert 320 < (students > 0.05).sum() < 380 and 0.001 < np.mean(students <= 0.01) < 0.1
assert np.mean(runs[1000] > 0.05) == 0 == np.mean(runs[10_000] > 0.05)
assert (
    (students > 0.108).sum() == 2
    and (students < 0.015).any()
    and runs[10_000].min() > 0.025
    and runs[10_000].max() < 0.035
)
spread = {size: np.std(p) for size, p in runs.items()}
assert 0.015 < spread[100] < 0.019 and 0.0045 < spread[1000] < 0.0065
assert 0.0010 < spread[10_000] < 0.0024
of_documents = mt.approximate_randomization(
    bleu, "Facebook-AI", "NVIDIA-NeMo", units="documents", n_resamples=200_000, rng=1
).extreme
thousands, ten_thousands = (
    (of_documents.reshape(-1, size).sum(axis=1) + 1) / (size + 1) for size in (1000, 10_000)
)
in_unit_1 = mt.approximate_randomization(
    bleu, "Facebook-AI", "NVIDIA-NeMo", units="documents", rng=2014
)
assert 0.044 < of_documents.mean() < 0.046 and round(in_unit_1.pvalue, 3) == 0.046
assert 0.15 < (thousands > 0.05).mean() < 0.28 and (ten_thousands > 0.05).mean() <= 0.05

# %% [markdown]
# Each row shows the p-values of many runs of the test: two thousand students with a hundred shuffles each, two hundred
# with a thousand, twenty with ten thousand. The axis is p, the height of a bar the share of runs that reported it, and
# the dashed line the level. Look at the top row first. The bars stand apart, because the number of shuffles that count
# is a whole number: 2 or 3 of a hundred, but not two and a half. And they are spread over the whole picture, two
# students even beyond its right edge. For some students the difference is as rare as one in a hundred. Those to the
# right of the line, coloured, see nothing worth a claim. One row down everybody is on the same side. At the bottom p is
# .03 for all of them.
#
# **The guess.** About 350: more than one student in six. They tested the same outputs with the same program. The
# uncertainty that separates them is called the **Monte Carlo error**: the uncertainty of a p-value that comes from
# drawing some of the arrangements at random instead of counting all. (Monte Carlo is a town with a casino.)
#
# ## How far numbers scatter
#
# The rows of the picture grow narrower. Three numbers describe such a row, and this course uses them from now on. Here
# they are for seven of the students, in their order in the hall. For each we count how many of the hundred shuffles
# reached the observed difference:

# %%
seven = many.extreme.reshape(2000, 100).sum(axis=1)[26:33]
seven

# %% tags=["remove-input"]
draw_seven(seven)
plt.show()

# %% [markdown]
# The *mean*, or average, is the sum divided by how many numbers there are: 21/7 = 3. The *median* is the number in the middle
# when they stand in order, 1, 2, 2, **2**, 3, 5, 6. Had the second student counted 60 instead of 6, the mean would rise above 10.
# The median would still be 2.
#
# The *standard deviation* says how far numbers typically lie from their mean. Take each number's distance from 3, in
# the order above: 0, 3, −1, 2, −1, −1, −2. The distances always add up to zero, so square them first:
# 0 + 9 + 1 + 4 + 1 + 1 + 4 = 20. The mean of the squares, 20/7 = 2.86, is called the *variance*. Its square root brings us back to
# shuffles: 1.69. In the picture the beam has this length on either side of the mean. Four of the seven dots lie under
# it. NumPy agrees:

# %%
seven.mean(), np.median(seven), seven.std()

# %% tags=["remove-input", "remove-output"]
assert seven.tolist() == [3, 6, 2, 5, 2, 2, 1] and ((seven - 3) ** 2).sum() == 20
assert round(20 / 7, 2) == 2.86 and round(seven.std(), 2) == 1.69 and np.median(seven) == 2
assert (abs(seven - 3) <= seven.std()).sum() == 4
assert (seven.sum() - 6 + 60) / 7 > 10

# %% [markdown]
# For the p-values of all two thousand students, in the first row, the standard deviation is about .017. In the second row
# it is .005, in the third .0017. A hundred times as many shuffles make the error ten times smaller. Unit 9 explains why.
#
# ## How many are enough?
#
# Enough that it does not matter which seed you took. The package says how far off it may be:

# %%
many.pvalue_interval

# %% [markdown]
# These are limits for the p-value that one would get by counting all 2 · 2 · … · 2 shuffles. At least 95 of 100 runs
# get limits that enclose it. As long as both are on the same side of your level, no seed is likely to change the
# conclusion. Ten thousand shuffles, which is what the package draws unless asked for something else, settle most pairs.
# They do not settle all. In unit 1 we exchanged whole documents, and p came out at .046. For this pair, about one in
# five runs with a thousand shuffles gives a p above .05. Hardly any run with ten thousand shuffles does.
#
# More shuffles cost seconds. But notice what they cannot buy. They tell you more exactly how rare the observed
# difference is among all shuffles. They do not make it any rarer. If the systems really differ, more sentences can do
# that.
#
# ## Why one is added
#
# Now to that `+ 1`. Let `count` be the number of the thousand shuffles whose difference is at least as large as the
# observed one. Why is p not simply the share of shuffles, `count / 1000`?
#
# Try it where there is nothing to find. If two systems are interchangeable, their real difference is just one more
# shuffle. So we can make experiments without a system by drawing twenty-one numbers from the null distribution, and
# calling the first of them the observed one. The other twenty serve as the shuffles of a test. They are few, so that
# the effect is visible.

# %%
draws = abs(rng.choice(many.null_distribution, size=(20_000, 21)))
counts = (draws[:, 1:] >= draws[:, :1]).sum(axis=1)
(counts / 20 <= 0.05).mean(), ((counts + 1) / 21 <= 0.05).mean()

# %% tags=["remove-input", "remove-output"]
headline(
    "false claims at .05, twenty shuffles, count / 20", (counts / 20 <= 0.05).mean(), spec=".3f"
)
headline("the same, (count + 1) / 21", ((counts + 1) / 21 <= 0.05).mean(), spec=".3f")
assert (
    0.088 < (counts / 20 <= 0.05).mean() < 0.103
    and 0.042 < ((counts + 1) / 21 <= 0.05).mean() < 0.055
)
assert 0.04 < (counts == 0).mean() < 0.056

# %% [markdown]
# The first number belongs to the plain share, which makes nearly twice as many false claims as it promises. It claims
# a difference if at most one of the twenty shuffles is as large, that is, if the observed difference is the largest
# or second largest of *twenty-one*. This happens in two cases of twenty-one. The error is to forget that the observed
# arrangement is one of the possible ones, and belongs among those that are counted. Adding one to both numbers puts
# this right.
#
# With a thousand shuffles and a level of .05 you would hardly see the difference. But take a thousand shuffles and a
# level of .001, as one may have to if there are many pairs (unit 19). Then the plain share again makes twice as many
# false claims as promised. And with the plain share p can be *zero*. But no number of drawn shuffles can show that p is
# zero.
#
# ## What a tie is
#
# One character remains, the `=` in `>=`. Does a shuffle count that gives *exactly* the observed difference? Suppose
# that somebody takes Facebook's output, replaces three of the thousand sentences by NVIDIA's, and announces a new
# system.

# %%
patched = A.copy()
patched[[12, 13, 23]] = B[[12, 13, 23]]
shuffled = [difference(A, patched, rng.integers(2, size=1000)) for _ in range(1000)]
gain = difference(A, patched, np.zeros(1000))
gain

# %% [markdown]
# > **Make a guess.** The difference is about .06 points in favour of the original, and it rests on three sentences.
# > What p do you expect if ties count: .25, .05 or .001? And if only *larger* differences count?
# >
# > <details class="right"><summary>.25 if ties count, .001 if not</summary>So it is. The first is what three coins can
# > say. With `>` no shuffle is counted, so p is (0 + 1)/(1,000 + 1).</details>
# > <details><summary>.05 either way</summary>Nothing in three coins gives .05: they fall in eight ways.</details>
# > <details><summary>.001 either way</summary>Three sentences cannot give so small a p, unless what is counted is
# > wrong.</details>

# %%
ties_count = (np.sum(np.abs(shuffled) >= abs(gain) - 1e-9) + 1) / 1001
ties_do_not = (np.sum(np.abs(shuffled) > abs(gain) + 1e-9) + 1) / 1001
ties_count, ties_do_not

# %% tags=["remove-input", "remove-output"]
headline("1,000 sentences, three of which differ: p, ties counted", ties_count, spec=".2f")
headline("the same, ties not counted", ties_do_not, spec=".3f")
assert 0.2 < ties_count < 0.3 and ties_do_not == 1 / 1001 and 0.045 < gain < 0.065

# %% [markdown]
# **The guess.** About .25 if ties count, and .001 if they do not. The first is what we know from unit 5: three coins
# fall in eight ways, two of which give the observed difference or its mirror, and p cannot be smaller than 2/8. (The p
# above is 2/8 with its Monte Carlo error.) The second is nonsense. All three sentences speak for Facebook, so no
# shuffle can give *more* than the observed difference, and `>` counts none at all. By that rule a system even differs
# from its own copy, since no shuffle of the two has a difference larger than zero. This is no invention. Programs that
# compare with `>` are in wide use, and on ordinary systems, where exact ties hardly occur, nobody notices. One of these
# programs explains in a comment that it is on purpose: if a system is scored against itself, "having a zero difference
# should not be attributed to chance".
#
# A **counting rule** says how a count becomes a p-value: whether ties count, and whether the observed arrangement is
# counted as one of those drawn. The package counts both, and the second line of its results says so: *ties counted,
# observed value counted as one of them*.
#
# ## What this does not tell you
#
# - **How the systems would fare on other sentences.** The Monte Carlo error depends only on the number of shuffles, and
#   it vanishes with enough of them. The other uncertainty, that we have these thousand sentences and no others, does
#   not change.
# - **Whether .03 is small enough.** A p of .0298 with limits from .0290 to .0305 is more exact than "about .03" and
#   not more convincing.
#
# ## Check yourself
#
# > **A paper reports p = .0000 from 1,000 shuffles. What should it have reported?**
# >
# > <details class="right"><summary>About .001</summary>This is correct.</details>
# > <details><summary>Less than .0001</summary>A thousand shuffles cannot show that something is rarer than one in a
# > thousand and one.</details>
# > <details><summary>.0000, with more digits</summary>No number of digits helps: zero of a thousand is compatible with
# > one in a thousand.</details>
#
# <details><summary>Answer</summary>
#
# If no shuffle reached the observed difference, (0 + 1)/(1,000 + 1), or about .001. A thousand shuffles cannot show
# that something happens more rarely than that. To report .0001 one needs 9,999 of them, none of which counts.
#
# </details>
#
# > **With 1,000 shuffles p is .06. A colleague advises a million, "to get it below .05". What will happen?**
# >
# > <details><summary>p falls below .05</summary>More shuffles do not push p down. They tell more exactly where it
# > is.</details>
# > <details><summary>p stays at .06</summary>It will move, though hardly far: a thousand shuffles miss by about
# > .0075.</details>
# > <details class="right"><summary>p comes close to its exact value, on either side of .05</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The million will come close to the p-value of all shuffles, which may as well be .065 as .049. More shuffles do not
# push p down. And whoever tries seeds until p is below .05 has merely searched for a lucky run.
#
# </details>
#
# > **Two people use `rng=2014` and get the same p to the last digit. Is it therefore exact?**
# >
# > <details><summary>Yes</summary>They tossed the same coins, so they made the same error of chance.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, for ten thousand shuffles</summary>However many: the same seed gives the same coins, and
# > exact means all arrangements.</details>
#
# <details><summary>Answer</summary>
#
# No. They tossed the same coins. Anybody can check their result, which is what a seed is for, but its Monte Carlo
# error is that of one run.
#
# </details>
#
# ## Exercises
#
# **1.** Test the pair of unit 1 by documents (`units="documents"`) with 1,000 shuffles and the seeds 0 to 19. How
# often is p above .05?
#
# <details><summary>Answer</summary>
#
# With `n_resamples=1000` and `rng=seed`, three of the twenty are: .0529 twice and .0549. The other seventeen lie
# between .032 and .050. With 10,000 shuffles none of the twenty is above.
#
# </details>
#
# **2.** Repeat the experiment with the twenty-one draws for a level of .01 and a hundred shuffles.
#
# <details><summary>Answer</summary>
#
# With `size=(20_000, 101)` the plain share claims a difference where at most one shuffle is as large, in 2 cases of
# 101 or .020, twice the level. With the added ones only the largest of 101 is claimed, in .0099.
#
# </details>
#
# **3.** The systems VolcTrans-AT and Watermelon of WMT21 have the same BLEU counts on all sentences but twelve. Which
# way of computing p does the package choose, and why?
#
# <details><summary>Answer</summary>
#
# `mt.approximate_randomization(bleu, "VolcTrans-AT", "Watermelon")` counts all 4,096 arrangements of twelve coins,
# since that is less work than drawing ten thousand. p is .297 and has no Monte Carlo error.
#
# </details>

# %% tags=["remove-input"]
by_documents = [
    [
        mt.approximate_randomization(
            bleu,
            "Facebook-AI",
            "NVIDIA-NeMo",
            units="documents",
            n_resamples=shuffles,
            rng=seed,
        ).pvalue
        for seed in range(20)
    ]
    for shuffles in (1000, 10_000)
]
assert [sum(p > 0.05 for p in row) for row in by_documents] == [3, 0]
assert np.round(np.sort(by_documents[0])[[0, 16, 17, 18, 19]], 4).tolist() == [
    0.032,
    0.05,
    0.0529,
    0.0529,
    0.0549,
]
hundred = abs(rng.choice(many.null_distribution, size=(20_000, 101)))
few = (hundred[:, 1:] >= hundred[:, :1]).sum(axis=1)
assert (
    0.017 < (few / 100 <= 0.01).mean() < 0.023 and 0.007 < ((few + 1) / 101 <= 0.01).mean() < 0.013
)
twelve = mt.approximate_randomization(bleu, "VolcTrans-AT", "Watermelon")
assert twelve.exact and twelve.n_differing == 12 and round(twelve.pvalue, 3) == 0.297

# %% [markdown]
# ---
#
# *Before this:* [unit 5, Exchange and count](05_exchange_and_count.ipynb). *After this:* [unit 7, Five languages in one
# test set](../2_a_score_and_two_of_them/07_five_languages_in_one_test_set.ipynb). *To practise:* [lab
# 3](../labs/student/lab_03_exchange_and_count.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
