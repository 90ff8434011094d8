# %% [markdown]
# # 17 · Sharper eye or looser tongue?
#
# Two neighbours have watchdogs. Last year there were ten burglaries in the street. One dog barked at eight of them,
# the other at five. Which dog would you rather have? Before you answer, you may want to know how often each of them
# barked at the postman. In unit 16 some metrics noticed more small differences than others, and it would be easy to
# call them the better ones. But is a metric that notices more a dog with a sharper eye, or one with a looser tongue?
#
# <details><summary>After this unit you can …</summary>
#
# - say what to ask before believing that a metric finds more (question 1, exercise 1);
# - say why counts of standard errors on two test sets cannot be compared (question 2);
# - tell a test that keeps its level from a metric that is good (question 3).
#
# Before this: units 15 and 16. About 17 minutes to read, 22 to teach with a discussion. New terms: jackknife.
#
# </details>

# %% tags=["remove-input"]
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.4g}".format


def draw_eye_and_tongue(false_claims, noticed, level, pairs):
    """A mark for each metric: false claims to the right, differences noticed upwards."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.7))
    for name, rate in false_claims.items():
        metric, _, old = name.partition(", ")
        colour, marker = style.look_of("riezler-maxwell-bootstrap" if old else metric)
        low, high = clopper_pearson(np.array([round(600 * rate)]), 600)
        reach = style.ends([rate], low, high)
        ax.errorbar(
            rate, noticed[name], xerr=reach, fmt=marker, color=colour, markersize=9, elinewidth=1
        )
        left = metric == "METEOR"
        ax.annotate(
            "F" if metric == "DependencyF" else name,
            (rate - reach[0][0] if left else rate + reach[1][0], noticed[name]),
            (-5 if left else 5, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            color=colour,
        )
    ax.axvline(level, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate("promised", (level, 45.2), (4, 0), textcoords="offset points")
    ax.annotate(
        "sharper eye", (0.016, 57.4), (0.016, 54.3), arrowprops={"arrowstyle": "->"}, ha="center"
    )
    ax.annotate(
        "looser tongue",
        (0.215, 45.4),
        (0.172, 45.4),
        arrowprops={"arrowstyle": "->"},
        va="center",
        ha="center",
    )
    ax.set(xticks=[0, 0.05, 0.1, 0.15, 0.2], xlim=(0, 0.222), ylim=(44.5, 58))
    ax.set_xlabel("share of 600 pairs without a difference that are called different")
    ax.set_ylabel(f"pairs noticed, of {pairs} (150 sentences)")
    style.describe(
        figure,
        "False claims and differences noticed, a mark for each of seven metrics. All seven stand near the promised .05, one above the "
        "other, from TER at 47 pairs to GTM at 56. BLEU with the bootstrap as printed in 2005 stands higher than BLEU, far to the right.",
    )
    return figure


# %% [markdown]
# ## Nights without a burglar
#
# We need nights on which nothing happens, and from unit 15 we know how to make them: two pseudo-systems that share
# out the outputs of two real ones by coins. Whatever a metric notices between these, it is a false claim. Unit 15
# tried four metrics. Here are seven, with the same coins and the same 151 sentences, 600 pairs each.

# %%
import mtsig_nb as mt

spanish, real = mt.load("wmt12/es-en"), ["uedin-wmt12", "QCRI--primary"]
seven = ["BLEU", "NIST", "DependencyF", "TER", "METEOR", "GTM", "chrF"]


def without_difference(metric, test="approximate-randomization"):
    counts = spanish.statistics(metric).subset(np.arange(0, 3003, 20))
    nulls = mt.simulate.exact_nulls(counts, *real, n_pairs=600, rng=12)
    return mt.simulate.null_pvalues(nulls, test, n_resamples=1999, rng=5)


# %%
nothing = pd.DataFrame({metric: without_difference(metric) for metric in seven})
(nothing <= 0.05).mean()

# %% [markdown]
# All seven are near the .05 that the level allows. It is no accident. The null hypothesis of approximate randomization
# is about outputs, not about a metric. So where outputs are exchangeable, the test keeps its promise for any number
# that is computed from them. Of the four steps only the first changes in this unit, *choose a statistic*, and the
# promise does not depend on it.
#
# ## Nights with one
#
# Now the burglaries. On all 3,003 sentences of WMT12 from Spanish, most of the 66 pairs of systems are told apart by
# any metric, which makes for a dull contest. So we cut the test set into twenty broad samples (unit 7) of 150
# sentences, where there is something to miss, and count on each how many of the 66 pairs a metric notices.


# %%
def pairs_noticed(metric, **options):
    some = [spanish.statistics(metric).subset(np.arange(i, 3003, 20)) for i in range(20)]
    settings = {"n_resamples": 499, "rng": 5, "correction": None, "interval": None, **options}
    return np.mean([(mt.compare_all(s, **settings).table["pvalue"] <= 0.05).sum() for s in some])


noticed = pd.Series({metric: pairs_noticed(metric) for metric in seven})
noticed.sort_values(kind="stable")

# %% tags=["remove-input"]
warnings.simplefilter("ignore", mt.PitfallWarning)  # the text speaks of it
OLD = "riezler-maxwell-bootstrap"
false_claims = (nothing <= 0.05).mean().to_dict()
false_claims["BLEU, test of 2005"] = (without_difference("BLEU", OLD) <= 0.05).mean()
seen = {**noticed, "BLEU, test of 2005": pairs_noticed("BLEU", test=OLD)}
draw_eye_and_tongue(false_claims, seen, 0.05, 66)
plt.show()

# %% tags=["remove-input", "remove-output"]
rates = (nothing <= 0.05).sum().to_numpy()
low, high = clopper_pearson(rates, 600)
assert (low < 0.05).all() and (high > 0.05).all() and rates.min() >= 26 and rates.max() <= 33
assert noticed.idxmax() == "GTM" and noticed.idxmin() == "TER" and round(noticed["GTM"]) == 56
assert round(noticed["TER"]) == 47 and 0.5 < noticed["NIST"] - noticed["BLEU"] < 1
assert round(noticed["BLEU"]) == 50 and round(noticed["NIST"]) == 51
assert round(600 * false_claims["BLEU, test of 2005"]) == 81
assert 2 < seen["BLEU, test of 2005"] - noticed["BLEU"] < 2.7
assert noticed["GTM"] - noticed["BLEU"] > 5
headline("pairs of 66 that BLEU notices on 150 sentences", noticed["BLEU"], spec=".1f")
headline("the same, GTM", noticed["GTM"], spec=".1f")
headline("the same, BLEU with the bootstrap of 2005", seen["BLEU, test of 2005"], spec=".1f")

# %% [markdown]
# The horizontal axis is the share of pairs without a difference that a metric calls different, nights on which a dog
# barked at nobody. The height is how many of the 66 pairs were noticed, on average over the twenty samples. Look first
# at the orange cross on the right. It is BLEU again, but tested with the bootstrap of 2005 (unit 13). It notices two
# pairs more than BLEU with a proper test does, and pays for them with 81 false claims instead of 33. That is a looser
# tongue. Then look at GTM, at the top. It notices nearly six pairs more than BLEU. The 95 % interval of its share of
# false claims, the line through its mark, contains the promised .05. That is a sharper eye. The seven metrics stand
# above one another. If a metric noticed more only because its test made more false claims, its mark would stand further
# to the right.
#
# So where outputs are exchangeable, metrics do not differ in how often this test makes false claims. They differ in how
# many pairs they notice. And NIST, which was the sensitive one in 2005? On these samples it notices 51 pairs where BLEU
# notices 50.
#
# ## The loosest tongue in the street
#
# > **Make a guess.** Each of seven metrics calls about 5 % of the 600 pairs different. Somebody tries all seven and
# > reports whichever finds a difference. In how many of the 600 pairs will there be one: about 30, about 110, or
# > about 210?
# >
# > <details><summary>about 30</summary>That is one metric's share. Each further metric is another chance.</details>
# > <details class="right"><summary>about 110</summary>So it is: more than one metric's, and less than seven times
# > as many, because metrics err together.</details>
# > <details><summary>about 210</summary>Seven times thirty. But the seven look at the same outputs, and often err
# > on the same pairs.</details>

# %%
(nothing <= 0.05).any(axis=1).sum()

# %% tags=["remove-input", "remove-output"]
any_of_seven = int((nothing <= 0.05).any(axis=1).sum())
headline(
    "null pairs of 600 that at least one of seven metrics calls different at .05", any_of_seven
)
assert 100 <= any_of_seven <= 115 and 175 < 600 * (1 - 0.95**7) < 185

# %% [markdown]
# **The guess.** About 110, nearly one in five. Seven times thirty would be 210, and seven unrelated metrics would come
# to 180. It is less because they all look at the same outputs, and often err together. But no single metric made these
# 106 claims. Each of them kept its promise, and the person who chose among them afterwards did not. Unit 19 shows how
# one may try several and stay honest.
#
# ## How clearly?
#
# To count pairs is to ask only whether a difference was seen. Sometimes one wants to know how clearly. An advantage
# of .57 BLEU and one of .075 NIST cannot be compared, but each can be divided by its standard error (unit 9): how
# many of its own wobbles is it away from zero? The bootstrap would give us the standard errors, pair by pair. There
# is a quicker way. Here is the advantage of Edinburgh's system over QCRI's on ten sentences, as it is if the first
# sentence is left out, or the second, and so on.

# %%
bleu = spanish.statistics("BLEU")
A, B = bleu.select(real).subset(np.arange(0, 3000, 300)).values
score = bleu.metric.score
without_one = score(A.sum(axis=0) - A) - score(B.sum(axis=0) - B)
without_one.round(2), np.sqrt(9) * without_one.std()

# %% tags=["remove-input"]
whole = score(A.sum(axis=0)) - score(B.sum(axis=0))
all_scores = {m: spanish.statistics(m).scores() for m in ("BLEU", "NIST")}
ahead = {m: scores[real[0]] - scores[real[1]] for m, scores in all_scores.items()}
assert round(ahead["BLEU"], 2) == 0.57 and round(ahead["NIST"], 3) == 0.075
assert round(whole, 2) == 0.17 and without_one.argmin() == 5 and without_one[5] < -0.5
assert round(np.sqrt(9) * without_one.std(), 1) == 1.0

# %% [markdown]
# With all ten it is +0.17. Without the sixth it is negative: one sentence has decided who is ahead. The more the ten
# numbers differ among themselves, the more depends on which sentences one happens to have. Two of these test sets
# have eight sentences in common, so they differ much less than fresh ones would, and the square root of 9, one less than
# there are sentences, makes up for that. For an average it gives exactly the shortcut of unit 9. This is the
# **jackknife**, a way to find a standard error by leaving out one segment at a time: here 1.0, several times the
# advantage.
#
# The same for all 66 pairs, in six lines, since a sentence is left out by subtracting its counts:


# %%
def in_standard_errors(counts, score):
    totals = counts.sum(axis=1, keepdims=True)
    whole, without_one = score(totals), score(totals - counts)
    first, second = np.triu_indices(len(counts), k=1)
    spread = (without_one[first] - without_one[second]).std(axis=1)
    return abs(whole[first] - whole[second]).ravel() / (spread * np.sqrt(counts.shape[1] - 1))


all_counts = {metric: spanish.statistics(metric) for metric in seven}
clear = {m: in_standard_errors(c.values, c.metric.score) for m, c in all_counts.items()}
clear = pd.DataFrame(clear)
clear.median().sort_values(kind="stable")

# %% tags=["remove-input", "remove-output"]
headline("median |effect| of 66 pairs in standard errors, NIST", clear["NIST"].median(), spec=".1f")
headline("the same, BLEU", clear["BLEU"].median(), spec=".1f")
nist_ahead = int((clear["NIST"] > clear["BLEU"]).sum())
headline("pairs of 66 that NIST sees more clearly than BLEU", nist_ahead)
assert nist_ahead == 60 and len(clear) == 66 and clear.median().idxmax() == "TER"
assert [round(clear[m].median()) for m in ("BLEU", "NIST", "TER")] == [23, 29, 37]
by_bootstrap = mt.confidence_interval(bleu, *real, rng=10).standard_error
one, other = bleu.select(real).values
left = score(one.sum(axis=0) - one) - score(other.sum(axis=0) - other)
assert abs(np.sqrt(3002) * left.std() / by_bootstrap - 1) < 0.03

# %% [markdown]
# These are medians: half of the pairs are seen more clearly, half less. Now NIST *is* ahead of BLEU, 29 standard errors
# against 23, and pair by pair it sees 60 of the 66 more clearly. Why did it notice only one pair more? Because most of
# these pairs are so clear that both notice them anyway. TER is the extreme. Its median is the largest of all, and it
# noticed the fewest pairs: it separates the good systems from the bad ones like nothing else, and sees little within
# either group. A metric that shows large differences more clearly need not find more small ones.
#
# ## A very sharp eye
#
# One more metric. It counts the words of the output, and nothing else. It has never seen a reference.

# %%
length = in_standard_errors(bleu.values, lambda sums: sums[..., 0])
np.median(length)

# %% tags=["remove-input", "remove-output"]
on_samples = [
    (in_standard_errors(bleu.values[:, i::20], lambda sums: sums[..., 0]) > 1.96).sum()
    for i in range(20)
]
headline("median of 66 pairs in standard errors, number of words", np.median(length), spec=".1f")
frame = pd.DataFrame(
    [
        (name, segment, bleu.values[bleu.index(name), segment, 0])
        for name in real
        for segment in range(0, 3003, 20)
    ],
    columns=["system", "segment", "score"],
)
words_only = mt.simulate.exact_nulls(mt.from_segment_scores(frame), *real, n_pairs=600, rng=12)
p_of_words = mt.simulate.null_pvalues(
    words_only, "approximate-randomization", n_resamples=1999, rng=5
)
assert 0.03 < (p_of_words <= 0.05).mean() < 0.07
assert np.median(length) > clear["NIST"].median() and round(np.median(length)) == 32
assert 49 < np.mean(on_samples) < 50.2

# %% [markdown]
# It sees the median pair more clearly than BLEU or NIST do, and on 150 sentences it notices almost as many pairs as
# BLEU. With this statistic, as with any other, the test keeps its promise. By all that we have measured in this unit it
# is a fine watchdog. It barks when something is different. Whether that is a burglar, a cat or the milkman, sensitivity
# does not say.
#
# ## What this does not tell you
#
# - **Which metric to use.** A sharp eye helps only if it looks at the right thing.
# - **How these metrics do elsewhere.** This is one campaign, whose twelve systems fall into two groups, and the 66
#   pairs share these systems.
# - **How large a difference is.** An advantage in standard errors grows with the test set. Four times the sentences,
#   twice the number.
#
# ## Check yourself
#
# > **A new metric finds 60 of 66 differences, where BLEU finds 50. What do you ask before you are impressed?**
# >
# > <details><summary>Which year it is from</summary>Newer is no argument. A metric that finds everything would find 66
# > of 66, also where nothing differs.</details>
# > <details><summary>Nothing: 60 is more than 50</summary>A test with too many false claims finds many differences as
# > well.</details>
# > <details class="right"><summary>How many it finds where there are none</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# How many it finds where there are none, with the same test at the same level. And if that is in order: what it is
# that it looks at.
#
# </details>
#
# > **On one test set the median pair is 20 standard errors apart, on another 10. Are the systems of the first test set
# > twice as far apart?**
# >
# > <details><summary>Yes</summary>Standard errors shrink with the number of sentences. With a test set four times as
# > large, the same difference is twice as many standard errors.</details>
# > <details class="right"><summary>Not necessarily</summary>This is correct.</details>
# > <details><summary>No, half as far</summary>A larger difference is seen more clearly. But the size of the test set
# > matters, too.</details>
#
# <details><summary>Answer</summary>
#
# Not necessarily. The first test set may simply be four times as large. The standard error shrinks with the test set,
# the difference does not.
#
# </details>
#
# > **Approximate randomization keeps its promise under GTM. Does it follow that GTM is a good metric?**
# >
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes</summary>The promise is the test's. It is kept for the number of words, too.</details>
# > <details><summary>Yes, at this level</summary>At any level the promise is about false claims, and not about what a
# > metric sees.</details>
#
# <details><summary>Answer</summary>
#
# No. It does so under the number of words, too. That the promise is kept is a property of the test.
#
# </details>
#
# ## Exercises
#
# **1.** To which level must each of the seven tests go down so that at most 5 % of the pairs without a difference are
# called different by any of them? Compare with .05/7.
#
# <details><summary>Answer</summary>
#
# `np.quantile(nothing.min(axis=1), 0.05)` is .0125, and .05/7 is .0071. Dividing by seven is on the safe side,
# because metrics that look at the same outputs err together.
#
# </details>
#
# **2.** BLEU counts runs of one, two, three and four words (n-grams). Which of the four finds a difference in the most
# of unit 16's eight close pairs (`close` there)? Count those with more than 1.96 standard errors; for one pair, give
# `in_standard_errors` the values of `bleu.select([a, b])`.
#
# <details><summary>Answer</summary>
#
# Single words notice all eight, runs of two five, runs of three and of four words four each. But it is their
# *precision* that notices, and a system can raise that by saying less. Unit 18 is about this.
#
# </details>

# %% tags=["remove-input"]
assert round(np.quantile(nothing.min(axis=1), 0.05), 4) == 0.0125
ordered = bleu.select(list(bleu.scores().index))
near = [k for k in range(11) if -np.diff(bleu.scores())[k] < 1]
places = [list(zip(*np.triu_indices(12, k=1), strict=True)).index((k, k + 1)) for k in near]
seen_by = [
    in_standard_errors(ordered.values, lambda s, n=n: s[..., 1 + n] / s[..., 5 + n])[places] > 1.96
    for n in (1, 2, 3, 4)
]
assert len(near) == 8 and [x.sum() for x in seen_by] == [8, 5, 4, 4]

# %% [markdown]
# ---
#
# *Before this:* [unit 16, Small differences](16_small_differences.ipynb). *After this:* [unit 18, How long should the
# output be?](18_how_long_should_the_output_be.ipynb). *To practise:* [lab
# 7](../labs/student/lab_07_what_metrics_notice.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
