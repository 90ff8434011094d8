# %% [markdown]
# # 10 · The same sentences for both
#
# At WMT12, uedin's system translated from Spanish with a BLEU of 33.4, QCRI's with 32.9. You have read unit 8, so you
# put an interval around each of the two scores, and find that the intervals overlap for most of their length. A
# reviewer looks at them and writes: "The difference is within the error bars." It sounds reasonable. Would you
# withdraw the claim that uedin's system scores higher?
#
# <details><summary>After this unit you can …</summary>
#
# - say why overlapping intervals of two scores decide nothing about their difference (question 1, exercise 1);
# - find out what a script does to p if it resamples each system separately (question 2);
# - tell the test set, a resample and a shuffle apart (question 3).
#
# Before this: unit 8. About 26 minutes to read, 31 to teach with a discussion. New terms: paired, paired bootstrap.
#
# </details>

# %% tags=["remove-input"]
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, fold_notes, headline

fold_notes()

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 3

PAIRED = style.look_of("paired-bootstrap")[0]
UEDIN, QCRI = style.INK, style.GREY
ENGINES = {"uedin": "uedin-wmt", "online-A": "online-?A"}


def one_engine(engine, first, second):
    """An engine from two languages: its outputs of WMT12 and WMT13, which have one reference each year."""
    values = []
    for language in (first, second):
        years = [mt.load(f"{year}/{language}-en").statistics("BLEU") for year in ("wmt12", "wmt13")]
        names = [next(s for s in y.systems if re.match(ENGINES[engine], s)) for y in years]
        values.append(
            np.concatenate([y.values[y.index(n)] for y, n in zip(years, names, strict=True)])
        )
    return mt.SufficientStatistics(years[0].metric, (f"from {first}", f"from {second}"), values)


def draw_hills(scores_a, scores_b, own, same):
    """Two systems' scores on resamples; their difference on different and on the same resamples."""
    figure, axes = plt.subplots(3, 1, figsize=(6.8, 6.0), layout="constrained")
    bins = np.arange(31, 36, 0.1)
    for scores, colour, name, place in (
        (scores_a, UEDIN, "uedin", 290),
        (scores_b, QCRI, "QCRI", 262),
    ):
        axes[0].hist(scores, bins, histtype="step", color=colour, linewidth=2, label=name)
        low, high = np.percentile(scores, [2.5, 97.5])
        axes[0].plot([low, high], [place, place], color=colour, linewidth=4)
    axes[0].set_ylim(0, 320)
    axes[0].set(title="the two scores", xlim=(31, 35.2), xlabel="BLEU")
    axes[0].legend(frameon=False, loc="upper right")
    bins = np.arange(-2.1, 3.1, 0.1)
    for ax, differences, colour, title in (
        (axes[1], own, style.MUTED, "difference, each system with resamples of its own"),
        (axes[2], same, PAIRED, "difference, the same resamples for both"),
    ):
        ax.hist(differences[differences > 0], bins, color=colour)
        lost = int((differences <= 0).sum())
        ax.hist(differences[differences <= 0], bins, color=style.EMPHASIS)
        ax.axvline(0, color=style.INK, linestyle="--", linewidth=1)
        ax.text(-1.1, 60, f"{lost} of 2,000", color=style.EMPHASIS, ha="center", va="bottom")
        ax.set(title=title, xlim=(-1.6, 2.6))
    axes[2].set_xlabel("uedin minus QCRI (BLEU)")
    for ax in axes:
        ax.set_title(ax.get_title(), loc="left", fontsize=11)
        ax.set_title("")
        ax.set_yticks([])
    style.describe(
        figure,
        "Three rows. Two hills of scores that overlap almost wholly; a broad hill of differences with a coloured sixth below "
        "zero; and a hill four times narrower that lies entirely above zero.",
    )
    return figure


def draw_refused(hypothesised, p, interval):
    """p against the difference that is supposed; those that are not rejected are the interval."""
    figure, ax = style.figure_and_axes(None, figsize=(6.8, 3.8))
    low, high = interval
    kept = p > 0.05
    ax.fill_between(hypothesised, 0, p, where=kept, color=style.MUTED, alpha=0.35, linewidth=0)
    ax.plot(hypothesised, p, color=PAIRED, linewidth=2)
    ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate("p = .05", (-0.35, 0.05), (0, 4), textcoords="offset points", fontsize=10)
    ax.plot([low, high], [0.05, 0.05], "o", color=style.EMPHASIS, markersize=9, zorder=3)
    for x, side in ((low, "right"), (high, "left")):
        shift = (-9, 12) if side == "right" else (9, 12)
        ax.annotate(
            f"{x:.2f}",
            (x, 0.05),
            shift,
            textcoords="offset points",
            ha=side,
            color=style.EMPHASIS,
        )
    ax.set(xlabel="supposed true difference (BLEU)", ylabel="p-value", ylim=(0, 1.04))
    style.describe(
        figure,
        "A peak of p-values over the supposed true difference: p is 1 at the observed difference and falls to both sides. Two dots "
        "mark where it crosses the dashed line at .05; at zero it is nearly 0.",
    )
    return figure


def draw_leads(panels):
    """A lead on each of twenty broad samples, marked by the verdict; a panel for each pair."""
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.8), sharey=True, layout="constrained")
    for ax, (title, truth, leads, won) in zip(axes, panels, strict=True):
        for which, colour, marker, label in (
            (won >= 950, PAIRED, style.look_of("paired-bootstrap")[1], "verdict"),
            ((won < 950) & (won > 50), "white", "o", "no verdict"),
            (won <= 50, style.EMPHASIS, "X", "wrong verdict"),
        ):
            if which.any():
                ax.scatter(
                    np.arange(1, 21)[which],
                    leads[which],
                    s=60,
                    color=colour,
                    marker=marker,
                    edgecolor=style.INK,
                    label=f"{label}: {which.sum()}",
                    zorder=3,
                )
        ax.axhline(truth, color=style.GREY, linestyle="--", linewidth=1)
        ax.axhline(0, color=style.INK, linewidth=1)
        ax.set_title(title, loc="left", fontsize=11)
        ax.set(xlabel="broad sample", xticks=[1, 5, 10, 15, 20], ylim=(-1.2, 5.4))
        ax.legend(frameon=False, loc="upper right", fontsize=10)
    axes[0].set_ylabel("lead on 300 sentences (BLEU)")
    style.describe(
        figure,
        "Leads on twenty samples of 300 sentences for two pairs. Left, true lead 2.0: between 0.4 and 3.6, 13 with a verdict. "
        "Right, true lead 0.5: between -0.8 and 2.3, five below zero, 2 with a verdict.",
    )
    return figure


# %%
import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
a, b = "uedin-wmt12", "QCRI--primary"
for system in (a, b):
    print(mt.confidence_interval(bleu, system, rng=10))

# %% tags=["remove-input"]
interval_a, interval_b = (mt.confidence_interval(bleu, system, rng=10) for system in (a, b))
overlap = interval_b.high - interval_a.low
assert 0.6 < overlap / (interval_a.high - interval_a.low) < 0.7
assert interval_a.low < interval_b.estimate and interval_a.estimate < interval_b.high
assert (round(interval_a.estimate, 1), round(interval_b.estimate, 1)) == (33.4, 32.9)

# %% [markdown]
# Each score even lies inside the other system's interval.
#
# > **Make a guess.** Draw a resample of the test set, 3,003 sentences with replacement, and score *both* systems on
# > it. Do so 2,000 times. On how many of the 2,000 resamples will QCRI's system come out on top: about 700, about 70,
# > or none?
# >
# > <details><summary>about 700</summary>The intervals of the two scores overlap a lot. But on every resample both
# > systems have the same sentences.</details>
# > <details><summary>about 70</summary>Fewer. What makes a resample hard makes it hard for both.</details>
# > <details class="right"><summary>none</summary>None at all. The difference varies much less than either
# > score.</details>
#
# ## Ten sentences
#
# Here are ten sentences of the test set, chosen to make a point. For each, this is how many words of its output a
# system shares with the reference, one row for uedin's system and one for QCRI's. (The third of BLEU's counts is this
# number; unit 4 introduced them.)

# %%
ten = np.arange(35, 3003, 300)
words = bleu.select([a, b]).values[:, ten, 2].astype(int)
print(words, words.sum(axis=1))

# %% [markdown]
# Read the rows first. The numbers go up and down between 3 and 47, because some sentences are long and some are
# short, some are easy and some are not. Then read the columns. Within a column the two numbers are nearly the same,
# and *in no column is QCRI's the larger*. What makes a sentence rich in shared words makes it so for both systems.
#
# Now resample, in two ways. First give each system ten draws of its own; then give both the same ten draws. How often
# does QCRI's system have more shared words in all?

# %%
rng = np.random.default_rng(10)
draws_a, draws_b = rng.integers(10, size=(2, 2000, 10))
uedin, qcri = words
own = (uedin[draws_a].sum(axis=1) < qcri[draws_b].sum(axis=1)).mean()
same = (uedin[draws_a].sum(axis=1) < qcri[draws_a].sum(axis=1)).mean()
own, same

# %% tags=["remove-input"]
assert 0.42 < own < 0.49 and same == 0 and (uedin >= qcri).all() and uedin.sum() > qcri.sum()
assert words.min() == 3 and words.max() == 47

# %% [markdown]
# With draws of their own, QCRI's system is ahead in nearly half of the resamples. It needs no merit for that, only a
# few long sentences where uedin's system happened to draw short ones. With the same draws for both it is never ahead,
# and cannot be, whichever columns are drawn.
#
# The two intervals that the reviewer looked at are made in the first way. Each says how far *one* system's score
# might move with other sentences. Neither says that the other score would move along.
#
# The second way is called **paired**: a test or an interval is paired if both systems are scored on the same segments
# of every resample. It costs nothing, since the systems did translate the same sentences, and a paired test is what the
# rest of this unit builds, in four steps.
#
# ## Step 1: choose a statistic
#
# The claim is about a difference, so the statistic is the difference in BLEU on the test set, uedin's minus QCRI's.

# %%
A, B = bleu.select([a, b]).values
score = bleu.metric.score
observed = score(A.sum(axis=0)) - score(B.sum(axis=0))
observed

# %% [markdown]
# ## Step 2: say what chance would do
#
# In unit 5 the sentences were given, and chance decided which output belongs to whom. Here it decides something else:
# *which sentences there are*. Other news might have been chosen for the test set. As in unit 8 we have no other news,
# so we draw resamples of what we have. Wherever a sentence goes, both of its outputs go.
#
# Look again at the last two rows of [unit 8's picture](08_an_interval_from_one_test_set.ipynb). In a *shuffle* every
# sentence stays, once, and outputs change owners: it destroys the difference between the systems, to show what remains
# if there is none. A *resample* keeps the difference and lets the test set vary. So the null hypothesis is not that of
# unit 5. It is about all test sets like ours: *on average over these test sets, uedin's system scores no higher than
# QCRI's*. We assume that resamples vary around our test set as test sets vary around the population. Suppose that the
# null hypothesis is true. Then it is rare that uedin's system leads on nearly every resample of a test set.
#
# ## Step 3: simulate it
#
# Draw 3,003 sentences with replacement and note how often each came (`bincount` counts it). Multiplied with the
# counts, these `times` give the sums of the resample for one system, and *the same* `times` give them for the other.


# %%
def draw():
    return np.bincount(rng.integers(3003, size=3003), minlength=3003)


times = draw()
score(times @ A) - score(times @ B)

# %% [markdown]
# And 2,000 times:

# %%
resamples = [draw() for _ in range(2000)]
scores_a = np.array([score(times @ A) for times in resamples])
scores_b = np.array([score(times @ B) for times in resamples])
differences = scores_a - scores_b

# %% tags=["remove-input"]
others = [draw() for _ in range(2000)]
differences_own = scores_a - np.array([score(times @ B) for times in others])
draw_hills(scores_a, scores_b, differences_own, differences)
plt.show()

# %% [markdown]
# All three rows have the same scale. At the top are the two systems' scores on the 2,000 resamples, with the middle 95
# % of each as a bar: the reviewer's two intervals. In the middle is the difference as it would be if each system had
# resamples of its own. The hill is broader than either of those above it, because two wobbles add up, and a good part
# of it, coloured, lies on QCRI's side of zero. Now look at the last row. The hill has the same centre and is four times
# narrower, and nothing of it lies on QCRI's side of zero. If sentences were not hard or easy for both systems alike,
# the last row would look like the one above it.
#
# Draw some yourself. Each mark is a sentence: grey if the resample does not have it, with a number if it came more than
# once. The line is at zero, where uedin's lead is gone.

# %%
chance_machine(bleu, a, b, tests=["paired-bootstrap"], n_resamples=2000, rng=10)

# %% [markdown]
# ## Step 4: compare

# %%
lost = (differences <= 0).sum()
lost, (lost + 1) / (2000 + 1)

# %% tags=["remove-input", "remove-output"]
correlation = np.corrcoef(scores_a, scores_b)[0, 1]
narrower = differences_own.std() / differences.std()
headline("WMT12 es-en, uedin against QCRI: resamples of 2,000 that QCRI wins or ties", int(lost))
headline("the same, a resample for each system", int((differences_own <= 0).sum()))
headline("sentences that pairing saves, as a factor", narrower**2, spec=".0f")
assert lost == 0 and 0.14 < (differences_own <= 0).mean() < 0.2
assert 0.92 < correlation < 0.96 and 3.7 < narrower < 4.5 and 14 < narrower**2 < 20
assert abs(differences_own.mean() - differences.mean()) < 0.05
assert differences_own.std() > max(scores_a.std(), scores_b.std())

# %% [markdown]
# **The guess.** None. QCRI's system comes out on top on not one of 2,000 resamples, so the p-value is as small as 2,000
# resamples allow. You need not withdraw anything. The reviewer's error is a common one. Each system's interval is about
# the score of that system alone. But the question was about the difference. The interval to look at is that of the
# *difference*:

# %%
mt.confidence_interval(bleu, a, b, rng=10)

# %% [markdown]
# ## The interval, and a test
#
# What has this interval to do with a test? So far we asked whether the true difference might be 0. We may ask the same
# of any other number. Suppose that it is 0.2, or 1.1. How often does a resample lie at least as far from our test set
# as our test set lies from the supposed truth? That share is a p-value, one for each number:

# %%
supposed = np.arange(-0.4, 1.41, 0.01)
away = abs(differences - observed)
p = np.array([(away >= abs(observed - truth)).mean() for truth in supposed])
supposed[p > 0.05].min(), supposed[p > 0.05].max()

# %% tags=["remove-input"]
crossings = observed + np.array([-1, 1]) * np.quantile(away, 0.95)
draw_refused(supposed, p, crossings)
plt.show()

# %% tags=["remove-input", "remove-output"]
of_both = mt.confidence_interval(bleu, a, b, rng=10)
assert abs(crossings - [of_both.low, of_both.high]).max() < 0.03
assert p[abs(supposed).argmin()] < 0.002 and crossings[0] > 0

# %% [markdown]
# Along the axis is the difference that we suppose to be true, and the curve is its p-value. Begin at the peak: nothing
# speaks against the difference that we observed, so p is 1. The farther away a supposed difference is, the smaller is
# p. At the two dots p crosses .05. Supposed differences outside the two dots are rejected, and zero is one of them.
#
# What lies between the dots is the 95 % interval: *all differences that a test at .05 does not reject*. So an interval
# says more than a test. If it leaves out zero, the test of no difference rejects, and one sees which
# differences remain. (We took it for granted that the hill has the same
# shape, whatever the true difference is. The package takes the middle 95 % of the resamples, which is nearly the same as long as
# the hill is symmetric.)
#
# ## Koehn's test
#
# To count the resamples that the first system does not win is Koehn's proposal of 2004. The **paired bootstrap** is Koehn's (2004) test: the share of
# resamples that the first system does not win, read as a one-sided p-value. In one line, and with 10,000 resamples:

# %%
mt.paired_bootstrap(bleu, a, b, alternative="greater", rng=10)

# %% tags=["remove-input"]
one_sided = mt.paired_bootstrap(bleu, a, b, alternative="greater", rng=10)
two_sided = mt.paired_bootstrap(bleu, a, b, rng=10)
exchanged = mt.approximate_randomization(bleu, a, b, rng=2014)
assert two_sided.pvalue == 2 * one_sided.pvalue and two_sided.pvalue < 0.001
assert round(exchanged.pvalue, 4) == 0.0003
# exercises
other = bleu.select(["jhu-hiero", "GTH-UPM"])
found = mt.paired_bootstrap(other, *other.systems, alternative="greater", rng=10)
assert round(found.pvalue, 3) == 0.061 and round(found.statistic, 2) == 0.34
fewer = [np.bincount(rng.integers(3003, size=1501), minlength=3003) for _ in range(2000)]
fewer_won = [score(t @ other.values[0]) > score(t @ other.values[1]) for t in fewer]
assert abs(np.mean(fewer_won) - 0.86) < 0.02

# %% [markdown]
# One-sided, because it asks whether *uedin's* system is better, which is to be said before looking. Leave
# `alternative` out, and the package counts both directions and doubles the share. By exchanging outputs, as in unit
# 5, the p-value is .0003.
#
# How much did pairing save? Without pairs, the hill of the difference is four times as wide. By unit 9, one would need
# about sixteen times as many sentences, some 50,000, to make it as narrow.
#
# ## In Koehn's own design
#
# Koehn had *one* engine, trained to translate into English from several languages, and a text that existed in all of
# them. So two of his systems were the engine from Spanish and the engine from Danish, compared with the same English
# reference. WMT12 and WMT13 allow the same, because all source languages of a year share one English reference. Here
# is the online service called online-A, from Spanish and from French (es and fr), on twenty broad samples of 300 from
# the 6,003 sentences of both years. The picture below has uedin's engine from German and from Czech (de and cs) as
# well. Koehn's rule gives a *verdict*: a system that wins 950 or more of 1,000 resamples is called better.
# (`resampled` holds the differences on the resamples.)

# %%
both = one_engine("online-A", "es", "fr")
samples = [both.subset(np.arange(i, 6000, 20)) for i in range(20)]
tests = [mt.paired_bootstrap(s, *s.systems, n_resamples=1000, rng=10) for s in samples]
won = np.array([(test.resampled > 0).sum() for test in tests])
won

# %% tags=["remove-input"]
close = one_engine("uedin", "de", "cs")
parts = [close.subset(np.arange(i, 6000, 20)) for i in range(20)]
close_tests = [mt.paired_bootstrap(s, *s.systems, n_resamples=1000, rng=10) for s in parts]
panels = []
for name, pair, found in (
    ("online-A, es − fr", both, tests),
    ("uedin, de − cs", close, close_tests),
):
    truth = -float(np.diff(pair.scores()[list(pair.systems)])[0])
    panels.append(
        (
            f"{name}: {truth:.2f} on all",
            truth,
            np.array([t.statistic for t in found]),
            np.array([(t.resampled > 0).sum() for t in found]),
        )
    )
draw_leads(panels)
plt.show()

# %% tags=["remove-input", "remove-output"]
from mtsig_nb.campaigns.printed import printed_numbers

printed = printed_numbers("koehn2004")["value"]
far, near = panels
headline("online-A es - fr, broad samples of 20 with a verdict at 95 %", int((far[3] >= 950).sum()))
headline("uedin de - cs, the same", int((near[3] >= 950).sum()))
assert np.array_equal(far[3], won) and (won >= 950).sum() == 13 and (won <= 50).sum() == 0
assert (near[3] >= 950).sum() == 2 and (near[3] <= 50).sum() == 0 and (near[2] < 0).sum() == 5
assert abs(far[1] - 2.04) < 0.01 and abs(near[1] - 0.49) < 0.01
assert 0.3 < far[2].min() < 0.5 and 3.5 < far[2].max() < 3.8
assert far[2].max() > 9 * far[2].min() and (far[2] > 0).all()
assert printed["k-es-da-sig"] == "65" and printed["k-es-da-truth"] == "2.0"
for pair in (both, close):
    drawn = [mt.confidence_interval(pair, s, n_resamples=1000, rng=1) for s in pair.systems]
    difference = mt.confidence_interval(pair, *pair.systems, n_resamples=1000, rng=1)
    apart = np.hypot(*(d.standard_error for d in drawn))
    assert 0.58 < difference.standard_error / apart < 0.75
    assert 0.45 < np.corrcoef(*(d.distribution for d in drawn))[0, 1] < 0.68

# %% [markdown]
# Along the horizontal axis are the twenty samples, and the height of a point is the lead on it. The dashed line is the
# lead on all 6,003 sentences, the solid one is zero. Look at the left panel first: one engine, one true lead of two
# points, and on samples of 300 it is anything from less than half a point to more than three and a half. The filled
# points are those with a verdict. In the right panel the true lead is half a point. On a quarter of the samples the
# observed lead is below zero, and on only two of the twenty the test gives a verdict.
#
# Thirteen of twenty samples is 65 %. Koehn's engine from Spanish was ahead of that from Danish by 2.0, and on a
# hundred samples of 300 he found a verdict on 65. Do not make too much of the match, since twenty samples could as
# well have given 11 or 15. The next unit puts his whole table to that trial. Pairing helps less in this design:
# systems that see different source texts agree less about what is hard, and the hill of the difference is only about
# a third narrower than without pairs.
#
# ## What this does not tell you
#
# - **What happens where there is no difference.** The resamples lie around the difference that we observed, not
#   around zero. For a hill as symmetric as ours that hardly matters.
#   [Unit 13](../3_which_test_which_metric/13_the_pitfall.ipynb) moves the hill to zero, and shows what happens if one
#   moves it and forgets to count the other side.
# - **Whether sentences may be drawn one by one.** They come in documents, and in blocks of languages. Unit 12 is
#   about that.
# - **Whether half a point of BLEU matters.** Pairing shows tiny differences more clearly. It does not make them
#   larger.
#
# ## Check yourself
#
# > **Two systems' 95 % intervals overlap. One colleague says: then no difference can be found. Another says: then
# > nothing follows. Who is right?**
# >
# > <details><summary>No difference can be found</summary>The two scores move together, so their difference moves less
# > than either of them.</details>
# > <details class="right"><summary>Nothing follows</summary>This is correct.</details>
# > <details><summary>A difference is certain</summary>Overlapping intervals say nothing in that direction either. Ask
# > the interval of the difference.</details>
#
# <details><summary>Answer</summary>
#
# The second. How far one score moves does not tell how far the difference does, because the scores move together. (If
# they do *not* overlap, the interval of the difference will hardly contain zero. But a difference can be found although
# the intervals overlap.)
#
# </details>
#
# > **In a script, line numbers are drawn for system A, and then line numbers are drawn for system B. The rest is as
# > above. Does this bug make the p-value of uedin against QCRI too large or too small?**
# >
# > <details class="right"><summary>Too large</summary>This is correct.</details>
# > <details><summary>Too small</summary>Different sentences for the two make the difference wobble more, and a wobbling
# > difference is harder to find.</details>
# > <details><summary>Neither</summary>It changes a lot: the hill of the differences becomes as wide as if the systems
# > had nothing in common.</details>
#
# <details><summary>Answer</summary>
#
# Much too large: the share of the middle hill below zero, about one in six. The script overlooks differences. As long
# as the same sentences are hard for both systems, the bug only hides real differences. It causes no additional false
# claims, so it is easy to overlook.
#
# </details>
#
# > **Sentence 17 occurs three times and sentence 18 not at all. Is this the test set, a resample or a shuffle?**
# >
# > <details><summary>The test set</summary>There each sentence stands once.</details>
# > <details><summary>A shuffle</summary>A shuffle exchanges outputs. No sentence is lost, and none comes
# > twice.</details>
# > <details class="right"><summary>A resample</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# A resample. In the test set and in a shuffle of it each sentence occurs exactly once.
#
# </details>
#
# ## Exercises
#
# **1.** Compare `jhu-hiero` with `GTH-UPM` in the same way. The intervals of the two scores overlap about as much.
# What does the test say, one-sided and two-sided?
#
# <details><summary>Answer</summary>
#
# With `rng=10` the p-values are .061 and .122, for +0.34 BLEU. This time the reviewer's conclusion would have been
# all right, though not his argument: the interval of the difference contains zero.
#
# </details>
#
# **2.** Some tools draw resamples of half the size of the test set, or of 40 %. Take `jhu-hiero` and `GTH-UPM`, and
# draw 1,501 sentences instead of 3,003. What happens to the share of resamples that `jhu-hiero` wins, and why?
#
# <details><summary>Answer</summary>
#
# In `draw` replace `size=3003` by `size=1501`. The share falls from about 94 % to about 86 %. Half as many
# sentences wobble 1.4 times as much (unit 9), so the hill becomes broader, and more of it lies below zero. It is an
# answer about test sets of 1,501 sentences, and nobody has one.
#
# </details>
#
# ---
#
# *Before this:* [unit 9, How many sentences?](09_how_many_sentences.ipynb). *After this:* [unit 11, A hundred
# verdicts](11_a_hundred_verdicts.ipynb). *To practise:* [lab 5](../labs/student/lab_05_the_same_sentences.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
