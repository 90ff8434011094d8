# %% [markdown]
# # 27 · What accuracy rewards
#
# From Spanish, 44 of METEOR's 66 conclusions are what people concluded, and 40 of NIST's. Shall we give METEOR the
# prize? Before we do, we should find out what such a number can be earned with, and how sure one can be that the next
# twelve systems would not give it to NIST. There will be some disappointments on the way.
#
# <details><summary>After this unit you can …</summary>
#
# - say how a metric's accuracy can rise with less data (question 1);
# - say how many independent observations 190 pairs are worth (question 2);
# - compute McNemar's p, and say what it may be used for (question 3, exercise 1).
#
# Before this: unit 26. About 22 minutes to read, 27 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.3f}".format

KINDS = {
    "correct": style.SKY,
    "missed": style.CALM,
    "unfounded": style.ORANGE,
    "opposite": style.INK,
}


def draw_curves(curves, silence):
    """Mean numbers of pairs by kind against the number of sentences that the test sees."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    for (kind, colour), marker in zip(KINDS.items(), style.MARKERS, strict=False):
        ax.plot(curves[kind], color=colour, marker=marker, markersize=8, label=kind)
    ax.axhline(silence, color=style.EMPHASIS, linestyle="--", label="correct by silence")
    ax.set(
        xscale="log", xlabel="sentences that the test sees", ylabel="pairs, of 66", ylim=(-2, 66)
    )
    ax.set_xticks(curves.index, [f"{n:,}" for n in curves.index])
    ax.minorticks_off()
    figure.legend(loc="outside right", frameon=False)
    style.describe(
        figure,
        "Numbers of METEOR's conclusions by kind against the number of sentences from 10 to 3,003. Correct ones rise from 39 to 50 at 100 "
        "sentences and fall to 44; missed ones fall from 23 to none, unfounded ones rise from 4 to 22.",
    )
    return figure


def draw_rates(rates):
    """How often tests tell equally good metrics apart, a row each, for campaigns of two sizes."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    names = list(next(iter(rates.values())).index)
    for (systems, table), shift, fill in zip(
        rates.items(), (-0.13, 0.13), (style.CALM, "white"), strict=True
    ):
        reach = style.ends(table["rate"], table["low"], table["high"])
        ax.errorbar(
            table["rate"],
            np.arange(len(names)) + shift,
            xerr=reach,
            fmt="o",
            color=style.CALM,
            markerfacecolor=fill,
            markersize=9,
            label=f"{systems} systems",
        )
    ax.axvline(0.05, color=style.INK, linestyle="--", linewidth=1)
    style.name_rows(ax, names)
    ax.set(
        xlabel="share of campaigns in which a difference is claimed (dashed: promised)",
        xlim=(0, 0.3),
    )
    ax.legend(frameon=False, loc="lower right")
    style.describe(
        figure,
        "False claims about two equally good metrics. McNemar's test and Cochran's Q claim a difference in 12 to 16 % of campaigns of twelve "
        "systems and in more of twenty, chi-square in about 4 and 9 %; with systems as units the rates stay near the promised 5 %.",
    )
    return figure


# %% [markdown]
# ## A test that sees thirty sentences
#
# Let us begin with something that ought to do harm. METEOR scored 3,003 sentences of each system. Take thirty of them
# at random, throw away the others, and let the test draw its conclusions from these.
#
# > **Make a guess.** On all sentences METEOR is correct on 44 pairs of 66, and silence on 26. On how many is it
# > correct if it sees thirty sentences: about 30, 40 or 50?
# >
# > <details><summary>about 30</summary>A test set of thirty sentences sees less. But what it does not see is called
# > correct where people found nothing.</details>
# > <details><summary>about 40</summary>That is nearer to what all 3,003 sentences give.</details>
# > <details class="right"><summary>about 50</summary>So it is: more than with all 3,003 sentences.</details>

# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)
options = {"alternative": "greater", "correction": None, "interval": None, "rng": 1}


def kinds_with(n, draw):
    some = np.random.default_rng(draw).choice(3003, size=n, replace=False)
    tests = mt.compare_all(campaign.statistics("METEOR").subset(some), n_resamples=499, **options)
    return mt.agreement(tests.conclusions(alpha=0.05), people, n_resamples=1, rng=1).kinds


# %%
thirty = pd.DataFrame([kinds_with(30, draw) for draw in range(20)])
thirty.mean()

# %% tags=["remove-input"]
means = {
    n: pd.DataFrame([kinds_with(n, draw) for draw in range(20)]).mean()
    for n in (10, 100, 300, 1000)
}
curves = pd.DataFrame(means | {30: thirty.mean(), 3003: kinds_with(3003, 0)}).T.sort_index()
silence = int((people.pairs() == 0).sum())
draw_curves(curves, silence)
plt.show()

# %% tags=["remove-input", "remove-output"]
best = int(curves["correct"].idxmax())
headline("METEOR, es-en: number of segments with the most correct conclusions", best)
assert best == 100 and silence == 26 and kinds_with(10, 0).index.to_list() == list(KINDS)
assert np.allclose(curves.sum(axis=1), 66) and curves["unfounded"].is_monotonic_increasing
assert 38 < curves.loc[10, "correct"] < 40 and 22 < curves.loc[10, "missed"] < 25
assert 48 < curves.loc[30, "correct"] < 50 and 50 < curves.loc[100, "correct"] < 51
assert 2 < curves.loc[100, "missed"] < 3 and curves.loc[3003, "correct"] == 44

# %% [markdown]
# The horizontal axis is the number of sentences that the test sees, and each line counts one kind of conclusion, as
# the mean of twenty random choices (at the right end there is only one). Look first at the line that falls, the
# missed ones. With ten sentences the test overlooks more than twenty differences that people saw, with a hundred two
# or three. That is what one hopes for. Now the unfounded ones, which rise all the way: the more the test sees, the
# more differences it finds where people found none. The correct ones, at the top, rise and then fall. Opposite ones
# hardly occur.
#
# **The guess.** About 50, some five pairs *more* than with all 3,003 sentences. A hundred sentences do a little
# better still, better than any metric did beside these conclusions of people in unit 26. Nobody should conclude that
# a small test set is better than a large one. Where people found nothing, whoever is unable to see is called correct,
# and a test that sees better is punished wherever it sees better than people.
#
# So an accuracy rewards a power that happens to match that of the gold standard. It helps to report the four kinds
# apart. An opposite conclusion, taken as a judgement of quality, is an error of at least one side, however much was
# collected. A missed one may be a weakness of the metric or of the test, or a false claim by people. An unfounded one
# may be a weakness of people.
#
# ## Four pairs
#
# Now to the prize. METEOR and NIST were judged on the same 66 pairs. On most of them both are correct, or neither.
# These pairs cannot say who is better, so let us count the others.


# %%
def judged(metric):
    tests = mt.compare_all(campaign.statistics(metric), n_resamples=5000, **options)
    return mt.agreement(tests.conclusions(alpha=0.05), people, rng=1)


results = {metric: judged(metric) for metric in ("BLEU", "NIST", "METEOR", "TER")}
nist, meteor = (results[metric].table["correct"] for metric in ("NIST", "METEOR"))
(nist & ~meteor).sum(), (meteor & ~nist).sum()

# %% [markdown]
# METEOR is correct wherever NIST is, and on four pairs more. If neither were better, each of these four might have
# gone either way, like a coin: this is unit 2 again, with pairs of systems instead of sentences. Only its second step
# reads differently. Four coins show the same side in 2 of 16 ways, so that p = .125. The name of this test is
# McNemar's.
#
# The paper of 2014 took another one, the chi-square test of two shares, 44 of 66 against 40 of 66. It takes the two
# for shares of *different* pairs, and does not know that METEOR is never wrong where NIST is right. It gives p = .59.
# Here are all six comparisons; `only_a` counts the pairs on which only the first metric is correct.

# %%
beside = mt.mcnemar_between(results).set_index(["a", "b"])[["only_a", "only_b", "pvalue"]]
beside["chi-square"] = mt.chi_square_between(results).set_index(["a", "b"])["pvalue"]
beside

# %% tags=["remove-input", "remove-output"]
of_two = beside.loc[("NIST", "METEOR")]
four = results["METEOR"].table[meteor & ~nist]
assert four[["system_a", "system_b"]].stack().is_unique and len(four) == 4
headline(
    "NIST against METEOR, es-en, as if on different pairs: p", of_two["chi-square"], spec=".3f"
)
headline("the same, McNemar's test: p", of_two["pvalue"], spec=".3f")
assert (results["METEOR"].correct, results["NIST"].correct) == (44, 40)
assert (of_two["only_a"], of_two["only_b"], of_two["pvalue"]) == (0, 4, 2 / 16)
assert 0.58 < of_two["chi-square"] < 0.595 and (beside["pvalue"] > 0.05).all()
assert (beside["chi-square"] > 0.05).all() and beside["pvalue"].idxmin() == ("NIST", "METEOR")

# %% [markdown]
# By neither test is any metric told from another. The prize has to wait. But can we trust these tests, if one day
# they do say something?
#
# ## Sixty-six pairs are not sixty-six coins
#
# Suppose that a metric thinks too well of one system, perhaps because it was built like the metric. Then it is wrong
# about this system beside the first rival, and the second, and up to eleven in all. It made one mistake, and we count
# eleven. Coins are not like that.
#
# How much harm this does can be counted where the truth is known. So we invent campaigns. Each of twelve systems has a
# quality; people see it with a small error; and two metrics see it with larger ones, drawn once for a system. The
# errors of both metrics are of the same size, so that neither is the better metric. And yet:


# %%
def invented(n_campaigns, n_systems=12, errors=(0.5, 0.5), seed=10):
    """What people and two metrics see of the systems of invented campaigns."""
    draw = np.random.default_rng(seed)
    quality = draw.normal(size=(n_campaigns, n_systems))
    people = draw.normal(quality, 0.3)
    return people, np.stack([draw.normal(quality, error) for error in errors])


def concluded(seen, silent=0.0):
    """Which system of every two looks better, or 0 where they differ by less than `silent`."""
    apart = seen[..., :, None] - seen[..., None, :]
    return np.where(np.abs(apart) > silent, np.sign(apart), 0)


people, metrics = invented(8)
first, second = np.triu_indices(12, 1)
(concluded(metrics) == concluded(people))[..., first, second].sum(axis=-1)

# %% [markdown]
# Each column is a campaign, and each row says on how many of the 66 pairs a metric has the order that people have.
# Somebody who had organized only one of these campaigns might have written a paper about it.
#
# > **Make a guess.** A thousand such campaigns, two equally good metrics in each. In how many does McNemar's test
# > claim a difference at .05: about 10, 50, or 120?
# >
# > <details><summary>about 10</summary>McNemar's test does use that both metrics judge the same pairs. Its fault is
# > that it takes the pairs as independent.</details>
# > <details><summary>about 50</summary>That is what it promises for coins. Pairs that share systems are no
# > coins.</details>
# > <details class="right"><summary>about 120</summary>So it is, more than twice what was promised.</details>

# %% tags=["remove-input"]
from scipy import stats

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.meta_evaluation.metric_comparisons import mcnemar, over_systems


def how_often(claims):
    """The share of campaigns in which a test claims a difference, with its limits."""
    table = pd.DataFrame({name: [each.sum(), each.mean()] for name, each in claims.items()}).T
    table.columns = ["claims", "rate"]
    table["low"], table["high"] = clopper_pearson(table.pop("claims"), len(claims["McNemar"]))
    return table


def claimed(n_systems, n_campaigns=2000, **how):
    """In which invented campaigns each test tells two metrics apart; and one metric's accuracy."""
    people, metrics = invented(n_campaigns, n_systems, **how)
    right = (concluded(metrics, 0.3) == concluded(people, 0.6)) * (1.0 - np.eye(n_systems))
    counts = right.sum(axis=(-1, -2)).astype(int) // 2
    n_pairs = n_systems * (n_systems - 1) // 2
    only_a, only_b = ((right[0] - right[1] == side).sum(axis=(-1, -2)) // 2 for side in (1, -1))
    q = (only_a - only_b) ** 2 / np.maximum(only_a + only_b, 1)
    tables = [[[a, n_pairs - a], [b, n_pairs - b]] for a, b in counts.T]
    claims = {
        "McNemar": mcnemar(only_a, only_b) <= 0.05,
        "Cochran's Q": stats.chi2.sf(q, 1) <= 0.05,
        "chi-square": np.array([stats.chi2_contingency(t).pvalue <= 0.05 for t in tables]),
        "systems as units": over_systems(right[0] - right[1], 0.95).pvalue <= 0.05,
    }
    return how_often(claims), counts[0] / n_pairs, clopper_pearson(counts[0], n_pairs)


# %%
rates, accuracy, interval = claimed(12)
rates["rate"]

# %% tags=["remove-input"]
twenty, accuracy_of_twenty, interval_of_twenty = claimed(20)
draw_rates({12: rates, 20: twenty})
plt.show()

# %% tags=["remove-input", "remove-output"]
for test in ("McNemar", "Cochran's Q", "chi-square", "systems as units"):
    headline(
        f"equally good metrics, twelve systems: {test} errs", rates.loc[test, "rate"], spec=".3f"
    )
at_twelve, at_twenty = rates["rate"], twenty["rate"]
assert 0.11 < at_twelve["McNemar"] < 0.14 and 0.15 < at_twelve["Cochran's Q"] < 0.19
assert 0.035 < at_twelve["chi-square"] < 0.06 and 0.08 < at_twenty["chi-square"] < 0.12
assert 0.17 < at_twenty["McNemar"] < 0.24 and at_twenty["Cochran's Q"] > 0.2
assert rates.loc["systems as units", "low"] < 0.05 and twenty.loc["systems as units", "low"] < 0.05


def holds_the_truth(accuracy, interval):
    return ((interval[0] <= accuracy.mean()) & (accuracy.mean() <= interval[1])).mean()


assert 0.8 < holds_the_truth(accuracy, interval) < 0.85
assert holds_the_truth(accuracy_of_twenty, interval_of_twenty) < 0.76

# %% [markdown]
# Along the horizontal axis is the share of 2,000 campaigns in which a test claims that one of two equally good metrics
# is better. The line through a mark is the 95 % interval of this share. (In these campaigns people conclude nothing
# where two systems differ by less than 0.6, and a metric nothing where they differ by less than 0.3.) Each row is a
# test. Look first at the dashed line, the promise. The filled circles are campaigns of twelve systems. McNemar's test
# lies far to the right of the line, and so does Cochran's Q, which asks the same of several metrics at once. Then the
# hollow ones, of twenty systems: they are farther to the right, because a system that is misjudged then spoils nineteen
# pairs. If pairs were coins, McNemar's circles would lie at the line.
#
# **The guess.** About 120, more than twice what was promised. The chi-square test keeps its promise here, but by
# luck. It has two faults: it ignores that the pairs are the same, which makes it too careful, and that they share
# systems, which makes it careless. With twelve systems these happen to cancel, and with twenty they do not. The intervals
# that papers print around one accuracy, after Clopper and Pearson, take pairs for coins as well. They promise 95 %,
# and contain the truth in 82 % of our campaigns of twelve systems and in fewer of twenty.
#
# ## What to go by
#
# The last row of the figure shows the way out, which is that of unit 12: choose as the unit what could have been
# drawn differently. Had WMT12 had other participants, there would have been other *systems*, each with all of its
# pairs.

# %%
mt.compare_metrics(results)

# %% tags=["remove-input", "remove-output"]
compared = mt.compare_metrics(results).table.set_index(["a", "b"])
row = compared.loc[("NIST", "METEOR")]
headline(
    "NIST less METEOR, es-en: accuracy, with its 95 % interval, systems as units",
    f"{row['difference']:+.3f}, {row['ci_low']:+.3f} to {row['ci_high']:+.3f}",
)
assert ((compared["ci_low"] < 0) & (compared["ci_high"] > 0)).all()
assert row["ci_high"] - row["ci_low"] < 2 * 1.96 * np.sqrt(4 / 66 * (1 - 4 / 66) / 66) * 1.05
assert np.round(row[["difference", "ci_low", "ci_high"]].astype(float), 3).tolist() == [
    -0.061,
    -0.105,
    0.012,
]

# %% [markdown]
# Each line is an interval for how much more often one metric is correct than the other, with systems as units.
# Between NIST and METEOR it goes from −.105 to +.012. METEOR may be ahead by ten points in a hundred, or NIST by one.
# (The four pairs happen to share no system, so that the interval is hardly wider than one from coins would be.) All
# six contain zero. With twelve systems one can neither give the prize to METEOR nor say that nobody deserves it.
#
# There is also a test by exchange, as in unit 5. Its second step reads: *what NIST says of a system might as well
# have been said by METEOR*. So a coin for each system decides whether the two metrics, brought to one scale, exchange
# their scores of it. This compares how the metrics *order* the pairs, not what tests conclude from them, and nobody
# is rewarded for silence, because every pair has to be decided.

# %%
scores = [campaign.statistics(metric) for metric in ("NIST", "METEOR")]
exchanged = mt.exchange_metrics(*scores, campaign.human.scores(), n_resamples=4096, rng=1)
exchanged

# %% tags=["remove-input", "remove-output"]
in_people_order = exchanged.table[["accuracy_a", "accuracy_b"]].to_numpy().ravel() * 66
assert np.round(in_people_order).tolist() == [58, 61]
assert exchanged.table["pvalue"].item() == 0.375
japanese = mt.load("wmt21/ja-en")
assert (japanese.duplicates[["system_a", "system_b"]].to_numpy() == ["KwaiNLP", "XMU"]).all()
twins = japanese.human.tests().table.query("system_a == 'KwaiNLP' and system_b == 'XMU'")
assert 0.25 < twins["pvalue"].item() < 0.35

# %% [markdown]
# METEOR has 61 pairs in people's order and NIST 58, and three eighths of all 4,096 exchanges do as much. A test that
# exchanges the scores of each *sentence* by itself would go wrong. It takes the systems for given, and in the kit's
# measurements claims a difference between equally good metrics about one time in five ([the page on
# trust](../../docs/trust.md)).
#
# ## One output, rated twice
#
# One thing remains that we have taken for granted, the gold standard. At WMT21, in Japanese–English, two participants,
# KwaiNLP and XMU, submitted the same output, line for line, and it was rated as two systems. People found no difference
# between these two systems, as it should be. And beside the other fourteen?

# %%
gold = mt.load("wmt21/ja-en").human.conclusions(alpha=0.05)
others = [system for system in gold.systems if system not in ("KwaiNLP", "XMU")]
verdicts = {s: [gold.word("KwaiNLP", s), gold.word("XMU", s)] for s in others}
{system: words for system, words in verdicts.items() if words[0] != words[1]}

# %% tags=["remove-input", "remove-output"]
split = [s for s, (one, other) in verdicts.items() if one != other]
headline("systems of 14 against which the same output fares differently", len(split))
assert split == ["IIE-MT", "NiuTrans", "WeChat-AI"] and len(others) == 14

# %% [markdown]
# Three times in fourteen the same text fares differently. A metric gives the two the same score. So against each of
# these three rivals it can agree with people about one of the two at most. No metric can be correct on all pairs here.
#
# ## What this does not tell you
#
# - **That no metric is better than another.** Twelve systems could not show it. The differences may be there (unit
#   30).
# - **What holds in worlds unlike ours.** Our invented metrics make errors of one kind and size. Where errors are less
#   tied to systems, McNemar's test errs less.
# - **How to pool campaigns.** Between campaigns hardly anything is shared, so they are honest units. In the nine
#   campaigns of unit 26, chrF has more correct conclusions than BLEU in five and fewer in three. Eight coins often fall
#   as unevenly as this.
#
# ## Check yourself
#
# > **A team reports that its metric became more accurate when it was tested on every tenth sentence only. What do you
# > say?**
# >
# > <details class="right"><summary>Unfounded conclusions went away</summary>This is correct.</details>
# > <details><summary>The metric became better</summary>It is the same metric. The test sees less, and so claims
# > less.</details>
# > <details><summary>A tenth is a better sample</summary>It is a smaller one, which finds fewer differences, real or
# > not.</details>
#
# <details><summary>Answer</summary>
#
# That it was probably unfounded conclusions that went away, and that the team should print the four kinds. The metric
# has not changed; the test sees less.
#
# </details>
#
# > **Two metrics are compared on 20 systems, 190 pairs, by McNemar's test, with p = .03. A reviewer says: "With 190
# > pairs this is solid." Is it?**
# >
# > <details><summary>Yes</summary>Where metrics are equally good, McNemar's p is .05 or less in nearly one of five such
# > campaigns.</details>
# > <details><summary>No, 190 are too few</summary>Twenty systems have no more pairs than these 190. The trouble is that
# > the pairs share the systems.</details>
# > <details class="right"><summary>No, the pairs come from 20 systems</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# No. The number of pairs flatters. They come from 20 systems. In our invented campaigns of that size, a p of .05 or
# less comes about in nearly one of five although the metrics are equally good. Ask for the interval with systems as
# units.
#
# </details>
#
# > **McNemar's test is too ready to claim a difference. Is it then useless that it found none between our four
# > metrics?**
# >
# > <details><summary>Useless</summary>If even a test that claims too often finds nothing here, a more careful test will
# > hardly find anything.</details>
# > <details class="right"><summary>Of some use</summary>This is correct.</details>
# > <details><summary>It proves that they are equal</summary>Finding nothing proves no equality. Unit 30 shows what
# > does.</details>
#
# <details><summary>Answer</summary>
#
# It is of some use. If even a test that claims too often claims nothing, a careful one will hardly do so. In the
# other direction it proves little.
#
# </details>
#
# ## Exercises
#
# **1.** With 50 pairs that only one of two metrics gets right, 32 against 18, what is McNemar's p? Use
# `scipy.stats.binomtest`. Why would you not print it?
#
# <details><summary>Answer</summary>
#
# `binomtest(32, 50).pvalue` is .065. The fifty pairs share systems, so that it is too small, and nobody knows by how
# much without looking at which pairs they are.
#
# </details>
#
# **2.** With `invented(1000, errors=(0.3, 0.7))` the first metric is better. In how many of these campaigns do the two
# accuracies come out the other way round, with twelve systems, and with twenty?
#
# <details><summary>Answer</summary>
#
# `(concluded(metrics) == concluded(people)).sum(axis=(-1, -2))` counts for each metric and campaign. The worse metric is
# ahead in 11 % of campaigns of twelve systems and in 4 % of campaigns of twenty. It is systems, not sentences, that one
# needs more of.
#
# </details>

# %% tags=["remove-input"]
from scipy.stats import binomtest

assert round(binomtest(32, 50).pvalue, 3) == 0.065 and binomtest(5, 8).pvalue > 0.7
wrong_way = []
for n in (12, 20):
    people, metrics = invented(1000, n, errors=(0.3, 0.7))
    right = (concluded(metrics) == concluded(people)).sum(axis=(-1, -2))
    wrong_way.append((right[0] < right[1]).mean())
assert np.round(wrong_way, 2).tolist() == [0.11, 0.04]

# %% [markdown]
# ---
#
# *Before this:* [unit 26, Do the tests agree with people?](26_do_the_tests_agree_with_people.ipynb) *After this:* [unit
# 28, Will my test set see it?](../6_beyond_the_papers/28_will_my_test_set_see_it.ipynb) *To practise:* [lab
# 11](../labs/student/lab_11_tests_against_people.ipynb) and [lab 13](../labs/student/lab_13_referee_the_paper.ipynb).
# *How far each test can be relied on:* [the page on trust](../../docs/trust.md). *Words* are in the
# [glossary](../../docs/glossary.md).
