# %% [markdown]
# # 9 · How many sentences?
#
# Edinburgh's system scored 33.43 BLEU on the 3,003 sentences of WMT12. Papers print such scores with a decimal, many
# with two. Unit 8 put an interval around this one, and it reaches from 32.6 to 34.2. So of the four digits only the
# first one is sure, and the second may be 2, 3 or 4. How many sentences would it take to be sure of the first decimal,
# so that the true score is hardly ever more than .05 away?
#
# <details><summary>After this unit you can …</summary>
#
# - compute how many sentences an interval of a given width takes (question 1, exercise 1);
# - tell a standard deviation from a standard error (question 2);
# - say why more resamples do not make a standard error smaller (question 3).
#
# Before this: unit 8. About 22 minutes to read, 27 to teach with a discussion. New terms: standard error.
#
# </details>
#
# > **Make a guess.** With 3,003 sentences the interval reaches .8 to either side. How many would make it .05 to
# > either side: about 50,000, about 150,000, or about 800,000?
# >
# > <details><summary>about 50,000</summary>To be 16 times as narrow takes more than 16 times as many
# > sentences.</details>
# > <details><summary>about 150,000</summary>To make the interval 16 times as narrow you need 16 · 16 times as many
# > sentences.</details>
# > <details class="right"><summary>about 800,000</summary>So it is. The width falls with the square root: 16 · 16 ·
# > 3,003.</details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 4


def draw_dice(numbers):
    """How often each average of some dice comes, out of all ways in which they can fall."""
    figure, axes = plt.subplots(
        1, len(numbers), figsize=(7.2, 3.2), sharex=True, layout="constrained"
    )
    for ax, n in zip(axes, numbers, strict=True):
        averages = np.mean(list(itertools.product(range(1, 7), repeat=n)), axis=1)
        values, ways = np.unique(averages, return_counts=True)
        ax.bar(values, ways / len(averages), width=0.8 / n, color=style.CALM)
        spread = averages.std()
        top = 1.1 * ways.max() / len(averages)
        ax.hlines(top, 3.5 - spread, 3.5 + spread, color=style.EMPHASIS, linewidth=6)
        ax.set_ylim(0, 1.1 * top)
        ax.set_title(f"{n} {'die' if n == 1 else 'dice'}: {spread:.2f}", loc="left", fontsize=10)
        ax.set(xticks=range(1, 7), xlabel="average", yticks=[])
    axes[0].set_ylabel("share of all ways to fall")
    style.describe(
        figure,
        "The averages of one, two and four dice: a level row of bars, a triangle and a hill. A beam marks one standard deviation "
        "to either side of the middle; for four dice it is half as wide as for one.",
    )
    return figure


def draw_sizes(sizes, fresh, resampled, row_sizes, rows):
    """Standard deviations by size, both axes logarithmic, with the line of the square root."""
    figure, ax = style.figure_and_axes(None)
    ax.plot(row_sizes, rows, "^-", color=style.EMPHASIS, label="blocks of sentences in a row")
    line = np.array([sizes[0] / 1.3, sizes[-1] * 1.3])
    ax.plot(
        line,
        fresh[0] * np.sqrt(sizes[0] / line),
        "--",
        color=style.INK,
        linewidth=1,
        label="divided by the square root of the size",
    )
    ax.plot(
        sizes, fresh, "o", color=style.CALM, markersize=8, label="fresh test sets, drawn at random"
    )
    ax.plot(
        sizes,
        resampled,
        "x",
        color=style.GREEN,
        markersize=9,
        markeredgewidth=2,
        label="resamples of one test set",
    )
    ticks = [50, 100, 200, 400, 800, 1600, 3200]
    ax.set(xscale="log", yscale="log", xlabel="sentences", ylabel="standard deviation of BLEU")
    ax.set_xticks(ticks, [f"{t:,}" for t in ticks])
    ax.set_yticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
    ax.minorticks_off()
    ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.88), fontsize=9)
    style.describe(
        figure,
        "Standard deviation of BLEU by the number of sentences, both axes doubling from tick to tick. Fresh test sets and resamples "
        "lie on a straight falling line, which halves for every fourfold size. Blocks of sentences in a row stay level above 10.",
    )
    return figure


def draw_averages(scores, numbers, rng):
    """Averages of some sentences' scores, drawn many times, each panel with the bell of its width."""
    figure, axes = plt.subplots(1, len(numbers), figsize=(7.6, 3.0), layout="constrained")
    for ax, n in zip(axes, numbers, strict=True):
        averages = scores[rng.integers(len(scores), size=(20_000, n))].mean(axis=1)
        middle, width = scores.mean(), scores.std() / np.sqrt(n)
        limits = max(0, middle - 4 * width), min(100, middle + 4 * width)
        ax.hist(averages, np.linspace(*limits, 41), density=True, color=style.CALM)
        if n > 1:
            x = np.linspace(*limits, 200)
            bell = stats.norm.pdf(x, middle, width)
            ax.plot(x, bell, color=style.EMPHASIS, linewidth=2)
        ax.set_title(f"{n} sentence{'s' if n > 1 else ''}", loc="left", fontsize=11)
        ax.set(xlabel="average BLEU", yticks=[], xlim=limits)
    axes[0].set_ylabel("how often it comes")
    style.describe(
        figure,
        "The BLEU of one sentence: a steep hill with a long tail to the right. Averages of 4, 16 and 64 sentences: a hill that becomes "
        "symmetric and comes to lie under the curve of a bell.",
    )
    return figure


# %% [markdown]
# ## Dice first
#
# Throw a die. It shows 3.5 on average and is off by some points each time; the standard deviation says how much,
# typically. Now throw two dice and take their average, or four. With four dice a six and a one may cancel, and all four
# would have to agree for an average of 6. All the ways in which the dice can fall can be counted:

# %%
for n in (1, 2, 4):
    averages = np.mean(list(itertools.product(range(1, 7), repeat=n)), axis=1)
    print(f"dice: {n}, ways: {len(averages):4}, standard deviation: {averages.std():.2f}")

# %% tags=["remove-input"]
draw_dice((1, 2, 4))
plt.show()

# %% tags=["remove-input", "remove-output"]
spreads = [
    np.std(np.mean(list(itertools.product(range(1, 7), repeat=n)), axis=1)) for n in (1, 2, 4)
]
assert np.allclose(spreads, spreads[0] / np.sqrt([1, 2, 4]))
assert [round(s, 2) for s in spreads] == [1.71, 1.21, 0.85] and round(spreads[0] ** 2, 2) == 2.92

# %% [markdown]
# Each panel shows the average of the dice along the same axis, from 1 to 6, and how often it comes. At the left, one
# die: all six are equally frequent. In the middle extreme averages have become rare, at the right very rare. The beam
# at the top reaches one standard deviation to either side of the middle, and its length is what to compare: from the
# first panel to the third it has shrunk by half.
#
# Four dice, half the wobble. The reason is short. When dice that know nothing of each other are added, it is not the
# standard deviation that adds up but its square, the variance. It is 2.92 for one die, and four times as much for the
# sum of four. So the standard deviation of the sum is twice that of one die. Divide the sum by four to get the
# average, and half is left. In general, with *n* times as many dice the wobble of an average is divided by the square
# root of *n*.
#
# ## BLEU is no average of dice
#
# But BLEU is no average. It multiplies shares of sums, and sentences are no dice. We had better look. Here is the
# population of unit 8 again, 6,003 sentences that two years of Edinburgh's systems translated from Spanish. From it
# we draw a thousand test sets of each size.

# %%
import mtsig_nb as mt

old, new = (mt.load(f"{year}/es-en").statistics("BLEU") for year in ("wmt12", "wmt13"))
edinburgh = old.values[old.index("uedin-wmt12")], new.values[new.index("uedin-wmt13.2877")]
population = np.concatenate(edinburgh)


# %%
def score_of_a_draw(sentences, size):
    drawn = rng.integers(len(sentences), size=size)
    return old.metric.score(sentences[drawn].sum(axis=0))


rng = np.random.default_rng(9)
sizes = [100, 200, 400, 800, 1600, 3200]
wobble = [np.std([score_of_a_draw(population, n) for _ in range(1000)]) for n in sizes]
pd.Series(wobble, index=sizes).round(2)

# %% tags=["remove-input"]
hidden_rng = np.random.default_rng(90)
resampled = []
for n in sizes:
    test_set = population[hidden_rng.integers(len(population), size=n)]
    weights = hidden_rng.multinomial(n, np.full(n, 1 / n), size=400)
    resampled.append(old.metric.score(weights @ test_set).std())
row_sizes = [50, 100, 200, 400, 600]
rows = []
for n in row_sizes:
    many = len(population) // n
    rows.append(old.metric.score(population[: many * n].reshape(many, n, 10).sum(axis=1)).std())
draw_sizes(sizes, wobble, resampled, row_sizes, rows)
plt.show()

# %% tags=["remove-input", "remove-output"]
slope = np.polyfit(np.log(sizes), np.log(wobble), 1)[0]
headline("uedin es, s.d. of BLEU over test sets of 100", wobble[0], spec=".1f")
headline("the same, test sets of 400", wobble[2], spec=".1f")
headline("the same, test sets of 1,600", wobble[4], spec=".2f")
headline("slope of the logarithms", slope, spec=".2f")
headline("s.d. of BLEU over blocks of 50 sentences", rows[0], spec=".1f")
headline("s.d. of BLEU over blocks of 600 sentences", rows[-1], spec=".1f")
assert abs(slope + 0.5) < 0.03 and all(
    1.8 < a / b < 2.25 for a, b in zip(wobble, wobble[2:], strict=False)
)
assert [round(w, 1) for w in wobble[:3:2]] == [2.2, 1.1] and round(wobble[4], 2) == 0.54
assert max(abs(np.log(np.divide(resampled, wobble)))) < 0.15 and rows[0] / rows[-1] < 1.2
assert min(rows) > 9

# %% [markdown]
# On both axes each tick is twice the one before, so equal steps are equal *factors*. Look at the blue circles first,
# the fresh test sets. They lie on a straight line, the dashed one, which is what the square root demands: two ticks to
# the right, four times the sentences, and one tick down, half the wobble. So it goes from 100 sentences (2.2) to 400
# (1.1) and to 1,600 (.54). The green crosses are resamples, each of a single test set of that size. They lie near the
# same line, so the bootstrap's standard deviations follow the square root, too. If sentences helped more than that, the
# circles would fall below the line to the right.
#
# Now the triangles at the top. They are blocks of 50, 100 and up to 600 sentences in a row, as they stand in the file,
# and they hardly fall. Twelve times as many sentences make the standard deviation hardly smaller. The next sentences of
# a block are from the same article, or at least have the same original language. The square root of the number of
# sentences is right for sentences that are drawn independently of each other. Where sentences depend on each other, it
# can be badly wrong.
#
# Move the number of sentences here, and watch the hill of a thousand fresh test sets: how many
# times must you double it until the hill is half as wide?


# %% tags=["remove-input", "nbval-ignore-output"]
def hill_of_size(ax, sentences):
    """Scores of a thousand fresh test sets of a size."""
    each = np.full(len(population), 1 / len(population))
    times = np.random.default_rng(sentences).multinomial(sentences, each, size=1000)
    scores, truth = old.metric.score(times @ population), old.metric.score(population.sum(axis=0))
    ax.hist(scores, np.arange(21, 44, 0.2), color=style.CALM)
    ax.axvline(truth, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="BLEU (dashed: of the population)", ylabel="test sets of 1,000", xlim=(21, 43))
    title = f"{sentences:,} sentences: standard deviation {scores.std():.2f}"
    ax.set_title(title, loc="left", fontsize=11)


movable(hill_of_size, sentences=[50, 100, 200, 400, 800, 1600, 3200])

# %% [markdown]
# ## Why the hill is a bell
#
# One die has a level row of bars, and four dice already a hill. Sentences begin with another shape. Here is the
# BLEU of every single sentence of the population, with its mean, its median and its standard deviation:

# %%
single = old.metric.score(population)
single.mean(), np.median(single), single.std()

# %% tags=["remove-input"]
draw_averages(single, (1, 4, 16, 64), np.random.default_rng(91))
plt.show()

# %% tags=["remove-input", "remove-output"]
skews = [
    stats.skew(single[np.random.default_rng(n).integers(6003, size=(20_000, n))].mean(axis=1))
    for n in (1, 4, 16, 64)
]
assert all(a > 1.5 * b > 0 for a, b in itertools.pairwise(skews)) and skews[-1] < 0.15
assert single.mean() - np.median(single) > 3 and single.max() > 90

# %% [markdown]
# At the left are single sentences: a steep hill with a long tail to the right, which pulls the mean above the
# median. The bar at 100 has outputs that are the reference, word for word. The other panels show averages of 4, 16
# and 64 sentences, drawn at random, each on a scale of its own. The line is the *normal* curve, the bell, with the width
# that the square root gives. With 4 sentences the hill still leans to one side. With 64 the bell fits.
#
# The reason is in the dice. A very high average needs high scores nearly everywhere, and there are few ways to have
# them. For an average near the middle, high and low scores may be mixed. There are very many ways to mix them. This is
# the *central limit theorem*: the average of many independent draws has nearly the shape of a bell, whatever the shape
# of the single ones. (Their variance has to be finite.) BLEU of a test set is computed from such averages, so its hill
# is nearly a bell, too. With few sentences it need not be.
#
# ## One number for the wobble
#
# The **standard error** is the standard deviation that an estimate would show over test sets like this one. An
# *estimate* is what we compute from a test set because we cannot have the true value, such as a score. The standard
# error is the width of a hill of unit 8, in one number. The bootstrap estimates it by the standard deviation of the
# resamples' scores, and the package keeps it beside the interval:

# %%
interval = mt.confidence_interval(old, "uedin-wmt12", rng=1)
interval.low, interval.high, interval.standard_error

# %% [markdown]
# Where the hill is a bell, 95 % of it lie within 1.96 standard errors of the middle. Hence
# a rule for reading tables: *two standard errors to either side*. Here that gives 33.4 ± .8, as above. And now we can
# answer the question that we began with. To make .8 into .05, the wobble has to shrink by a factor of 16, and the
# number of sentences to grow by the square of that.

# %%
3003 * (1.96 * interval.standard_error / 0.05) ** 2

# %% tags=["remove-input", "remove-output"]
needed = 3003 * (1.96 * interval.standard_error / 0.05) ** 2
headline("uedin, WMT12 es-en: standard error of BLEU", interval.standard_error, spec=".2f")
headline("sentences for an interval of ± .05 BLEU", round(needed, -5), spec=",.0f")
assert (round(interval.low, 1), round(interval.high, 1)) == (
    32.6,
    34.2,
) and 15.5 < 1.96 * interval.standard_error / 0.05 < 17
assert 250 < needed / 3003 < 275 and mt.list_campaigns()["segments"].max() == 3004

# %% [markdown]
# **The guess.** About 800,000 sentences, more than 260 test sets as large as WMT12's. To be sure of the second decimal,
# too, one would need a hundred times as many sentences as that. None of the kit's campaigns has more than 3,004. To
# compare two systems, one does not need so many sentences. The decimals say exactly how the system did on *these*
# sentences. And the difference of two systems on the *same* sentences often varies much less than either score. That is
# unit 10. (There is no test in this unit, so none of the four steps changes. But whether a test notices a difference
# depends on how large the difference is compared with its standard error.)
#
# ## When the score is an average
#
# For an average there is a shortcut. Koehn's paper has an example: a judge reads a hundred translations and finds 30
# of them correct. The score is .30, an average of 30 ones and 70 zeros. The standard error of an average is the
# standard deviation of the single marks, divided by the square root of their number:

# %%
marks = np.repeat([1, 0], [30, 70])
shortcut = marks.std(ddof=1) / np.sqrt(100)
drawn = rng.integers(100, size=(10_000, 100))
shortcut, marks[drawn].mean(axis=1).std()

# %% tags=["remove-input", "remove-output"]
t99 = stats.t.ppf(0.975, 99)
headline("Koehn's example, 30 of 100 correct: half width at 95 %", t99 * shortcut, spec=".4f")
assert abs(shortcut - marks[drawn].mean(axis=1).std()) < 0.002 and round(shortcut, 3) == 0.046


# %% [markdown]
# The shortcut and ten thousand resamples agree; `ddof=1` divides by 99 instead of 100, because marks lie a little
# closer to their own average than to the true one. So 30 % correct, give or take two times .046: about nine points to
# either side, from a hundred judgements.
#
# With very few marks, two standard errors are not enough. The standard deviation is then itself a guess, often too
# small by chance. William Gosset, who brewed Guinness and published as "Student", found by how much to widen the
# interval. For five marks it takes 2.78 standard errors instead of 1.96. Let us see whether it is necessary, with
# five marks at a time, drawn from a bell whose middle, the true value, is 0. `away` says how many standard errors
# their average is away from it:

# %%
five = rng.normal(size=(100_000, 5))
away = abs(five.mean(axis=1)) / (five.std(axis=1, ddof=1) / np.sqrt(5))
(away <= 1.96).mean(), (away <= 2.78).mean()

# %% tags=["remove-input", "remove-output"]
headline("five marks, 1.96 standard errors: coverage", (away <= 1.96).mean(), spec=".2f")
assert round(stats.t.ppf(0.975, 4), 2) == 2.78 and round((away <= 1.96).mean(), 2) == 0.88
assert abs((away <= 2.78).mean() - 0.95) < 0.004

# %% [markdown]
# With 1.96 the coverage is 88 %, with Student's number it is 95 %, as promised. The more marks, the nearer his number
# comes to 1.96. Koehn's Table 2 lists some; here is the table, with a column of our own. (`stats` is SciPy's, and `ppf`
# looks up Student's number. It is given *n* − 1 instead of *n*, because the distances from the average add up to zero:
# if *n* − 1 of them are known, the last one is known, too.)

# %%
table = printed_table("koehn2004", 2)
n, level = (table[name].astype(float) for name in ("sample_size", "level_pct"))
table["ours"] = stats.t.ppf(0.5 + level / 200, n - 1).round(4)
table

# %% tags=["remove-input", "remove-output"]
with_n = stats.t.ppf(0.5 + level / 200, n).round(4)
as_printed = table["t"].astype(float)
odd = table[(n == 100) & (level == 95)].iloc[0]
headline(
    "cells of Koehn's Table 2 as printed, of 12, with n - 1 degrees of freedom",
    int((as_printed == table["ours"]).sum()),
)
headline("the same, with n degrees of freedom", int((as_printed == with_n).sum()))
assert (
    float(odd["t"]) == 1.9849
    and odd["ours"] == 1.9842
    and round(stats.t.ppf(0.975, 100), 4) == 1.9840
)
assert abs(as_printed - table["ours"]).max() < 0.001
assert {round(t * shortcut, 3) for t in (1.9849, 1.9842, 1.9840)} == {0.091}
assert (as_printed == table["ours"]).sum() == 6 and (as_printed == with_n).sum() == 9
neither = as_printed[(as_printed != table["ours"]) & (as_printed != with_n)]
assert neither.tolist() == [2.5759, 1.9849]

# %% [markdown]
# All twelve agree to within a thousandth. Six agree to the last digit, and nine would if *n* were put in the place of
# *n* − 1. Two fit neither way: 2.5759, in the last digit, and 1.9849, at 95 % and a hundred marks, which should be
# 1.9842 or 1.9840. His example gives .091 with each of 1.9849, 1.9842 and 1.9840. We mention it because somebody may
# otherwise spend an evening looking for the error in their own code.
#
# ## What this does not tell you
#
# - **How many sentences you need to compare two systems.** Fewer, as a rule, and it depends on how alike they are:
#   units [10](10_the_same_sentences_for_both.ipynb) and
#   [28](../6_beyond_the_papers/28_will_my_test_set_see_it.ipynb).
# - **What more sentences of the same article are worth.** Less than the square root says, as the triangles show in an
#   extreme case. [Unit 12](12_what_is_the_unit.ipynb) counts it.
# - **Anything about sentences of another kind.** A hundred thousand sentences of Spanish news give a very precise
#   score on Spanish news.
#
# ## Check yourself
#
# > **An interval is four points wide, and you want it two points wide. Do you need twice as many sentences?**
# >
# > <details class="right"><summary>Four times as many</summary>This is correct.</details>
# > <details><summary>Twice as many</summary>Twice as many make it 2.8 points wide: the width falls with the square
# > root.</details>
# > <details><summary>Sixteen times as many</summary>Sixteen times as many would make it one point wide.</details>
#
# <details><summary>Answer</summary>
#
# Four times as many. Twice as many make it about 2.8 points wide.
#
# </details>
#
# > **A reader's marks have a standard deviation of 20. You collect 400 of them instead of 100. What happens to the
# > standard deviation of the marks, and what to the standard error of their average?**
# >
# > <details><summary>Both fall by half</summary>More marks do not make a reader's marks vary less. Only the average
# > becomes more certain.</details>
# > <details><summary>Marks scatter by 10; the error of their average stays 2</summary>It is the other way round: marks
# > keep their scatter, and the average becomes more certain.</details>
# > <details class="right"><summary>Marks scatter by 20 as before; the error of their average falls to
# > 1</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The marks scatter as before, by about 20: the reader's marks do not vary less because there are more of them. The
# standard error falls from 2 to 1. The one describes marks, the other describes an average of marks.
#
# </details>
#
# > **Somebody computes BLEU of 3,003 sentences, then draws 100,000 resamples instead of 10,000. Does the standard error
# > become smaller, by a factor of about 3?**
# >
# > <details><summary>Yes, by about 3</summary>The square root counts sentences. Resamples only tell the same number
# > more exactly.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, by about 10</summary>The wobble is that of 3,003 sentences, and they are as many as
# > before.</details>
#
# <details><summary>Answer</summary>
#
# No. It is the wobble of 3,003 sentences, and stays what it is, .41. More resamples only tell it more precisely. The
# square root counts sentences, not resamples.
#
# </details>
#
# ## Exercises
#
# **1.** How many sentences would make the interval half a point to either side? And one point?
#
# <details><summary>Answer</summary>
#
# Put 0.5 in the place of 0.05: about 8,000. For one point it is a quarter of that, about 2,000. Scores of test sets
# of the usual size are good to about one point.
#
# </details>
#
# **2.** Compute the standard error of chrF, with `mt.load("wmt12/es-en").statistics("chrF")`, for the same system.
# May one say that chrF is more precise than BLEU?
#
# <details><summary>Answer</summary>
#
# It is .30 instead of .41. But a point of chrF is not a point of BLEU: from the best to the worst of the twelve
# systems it is 10 points of chrF and 16 of BLEU. A wobble is small or large beside the differences that one wants to
# see, which is the matter of [unit 16](../3_which_test_which_metric/16_small_differences.ipynb).
#
# </details>

# %% tags=["remove-input", "remove-output"]
assert round(needed / 10**2, -3) == 8000 and round(needed / 20**2, -3) == 2000
chrf = mt.load("wmt12/es-en").statistics("chrF")
error_of_chrf = mt.confidence_interval(chrf, "uedin-wmt12", rng=1).standard_error
assert (round(error_of_chrf, 2), round(interval.standard_error, 2)) == (0.30, 0.41)
assert [round(float(np.ptp(each.scores()))) for each in (chrf, old)] == [10, 16]

# %% [markdown]
# ---
#
# *Before this:* [unit 8, An interval from one test set](08_an_interval_from_one_test_set.ipynb). *After this:* [unit
# 10, The same sentences for both](10_the_same_sentences_for_both.ipynb). *To practise:* [lab
# 4](../labs/student/lab_04_how_much_a_score_wobbles.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
