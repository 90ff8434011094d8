# %% [markdown]
# # 15 · What a test promises
#
# A test at a level of .05 makes a promise: where there is nothing to find, it will claim a difference one time in
# twenty and not more often. Units 13 and 14 have given us reason to doubt one test. But who has seen another one keep
# its promise? With two real systems we cannot look, because nobody knows whether they differ; if we knew, we would need
# no test. We need a pair of systems of which we know that they do not differ.
#
# <details><summary>After this unit you can …</summary>
#
# - say what a large p-value shows, and what it does not (question 1);
# - judge from a count of false claims whether a test keeps its level (question 2, exercise 1);
# - say what a test needs besides few false claims, and on which pairs they are counted (question 3, exercise 2).
#
# Before this: units 4, 9 and 13. About 31 minutes to read, 36 to teach with a discussion. New terms: bootstrap-t,
# pseudo-system, studentised.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import norm, skew

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.3f}".format

SHORT = {
    "approximate-randomization": "approximate randomization",
    "bootstrap": "bootstrap test",
    "paired-bootstrap": "paired bootstrap, doubled",
    "riezler-maxwell-bootstrap": "bootstrap as printed in 2005",
}


def draw_p_values(p_values, level):
    """Histograms of p-values of pairs without a difference, a panel for each test."""
    figure, axes = plt.subplots(
        1, len(p_values), figsize=(7.2, 3.5), sharey=True, layout="constrained"
    )
    edges = np.linspace(0, 1, 21) + 1e-9  # a p of .05 belongs to the first bar
    for ax, (test, p) in zip(axes, p_values.items(), strict=True):
        ax.hist(p, edges, color=style.look_of(test)[0], alpha=0.35)
        ax.hist(p[p <= level], edges, color=style.EMPHASIS)
        ax.axhline(len(p) / 20, color=style.INK, linestyle="--", linewidth=1)
        ax.annotate("promised", (0.98, len(p) / 20), (0, 4), textcoords="offset points", ha="right")
        text = f"{(p <= level).sum()} of {len(p)} are {level} or less"
        ax.text(0.02, 112, text, color=style.EMPHASIS)
        ax.set_title(SHORT[test], loc="left", fontsize=11)
        ax.set(xlabel="p-value", xlim=(0, 1), ylim=(0, 122))
    axes[0].set_ylabel("pairs per bar")
    style.describe(
        figure,
        "p-values of 600 pairs without a difference. Those of approximate randomization spread evenly from 0 to 1; those of the "
        "bootstrap as printed in 2005 crowd below 0.45, far too many of them below 0.05.",
    )
    return figure


def draw_error_rates(errors, level):
    """Rates of false claims with their intervals: a row for each metric, a mark for each test."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    metrics = list(errors.index.levels[0][errors.index.codes[0]].unique())
    for number, (test, name) in enumerate(SHORT.items()):
        rows = errors.xs(test, level=1).loc[metrics]
        place = np.arange(len(metrics)) + 0.18 * (number - 1.5)
        colour, marker = style.look_of(test)
        reach = style.ends(rows["rate"], rows["low"], rows["high"])
        ax.errorbar(
            rows["rate"], place, xerr=reach, fmt=marker, color=colour, markersize=7, label=name
        )
    ax.axvline(level, color=style.INK, linestyle="--", linewidth=1)
    style.name_rows(ax, metrics)
    ax.set_xlim(0, 0.18)
    ax.set_xlabel(
        "share of pairs without a difference that are called different (dashed: promised)"
    )
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    style.describe(
        figure,
        "False claims of four tests under four metrics. The intervals of three tests contain the promised .05 under each metric; "
        "those of the bootstrap as printed in 2005 lie above it, around .11.",
    )
    return figure


def draw_three_hills(pairs):
    """What three tests compare with the observed difference, for one pair in each panel."""
    figure, axes = plt.subplots(1, len(pairs), figsize=(7.2, 3.3), layout="constrained")
    for ax, ((metric, title), results) in zip(axes, pairs.items(), strict=True):
        observed = results["bootstrap"].statistic
        everything = np.concatenate([r.null_distribution for r in results.values()])
        edges = np.linspace(everything.min(), everything.max(), 50)
        for test, result in results.items():
            ax.hist(
                result.null_distribution,
                edges,
                histtype="step",
                linewidth=2,
                color=style.look_of(test)[0],
                label=SHORT[test].removesuffix(", doubled"),
            )
        ax.set_ylim(top=ax.get_ylim()[1] * 1.1)
        for x, text in ((0, "zero"), (observed, "observed")):
            ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
            ax.annotate(text, (x, ax.get_ylim()[1]), (3, -12), textcoords="offset points")
        ax.set_title(title, loc="left", fontsize=10)
        ax.set(xlabel=f"difference ({metric})", yticks=[])
    axes[0].set_ylabel("shuffles or resamples")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    style.describe(
        figure,
        "Two panels with three outlined hills each: those of approximate randomization and of the shifted bootstrap lie on each other "
        "around zero, that of the paired bootstrap is the same hill around the observed difference.",
    )
    return figure


def without_penalty(totals):
    """BLEU from sums of counts as if no output were too short."""
    penalty = np.exp(np.minimum(0, 1 - totals[..., 1] / totals[..., 0]))
    return chinese.metric.score(totals) / penalty


def draw_two_spreads(over_test_sets, over_shuffles, line):
    """Differences on the test sets of a world, and after shuffling the outputs of some of them."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 3.8))
    edges = line * np.arange(-16, 17) / 6
    far = abs(over_test_sets) >= line
    ax.hist(
        [over_test_sets[~far], over_test_sets[far]],
        edges,
        weights=[np.full(part.sum(), 100 / len(far)) for part in (~far, far)],
        stacked=True,
        color=[style.MUTED, style.EMPHASIS],
        label=["300 test sets", f"of these beyond the lines: {far.sum()}"],
    )
    ax.hist(
        over_shuffles,
        edges,
        weights=np.full(len(over_shuffles), 100 / len(over_shuffles)),
        histtype="step",
        linewidth=2,
        color=style.look_of("approximate-randomization")[0],
        label="their shuffles",
    )
    for x in (-line, line):
        ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="difference (BLEU)", ylabel="% of them")
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    style.describe(
        figure,
        "Bars of the differences on 300 test sets and, over them, the outline of the differences after shuffling. Both stand around zero; "
        "the outline is narrower, and about a fifth of the test sets lie beyond the lines that leave out one shuffle in twenty.",
    )
    return figure


# %% [markdown]
# ## Two systems that cannot differ
#
# We can make such a pair out of two real systems. Take ten sentences in the outputs of Edinburgh and of QCRI, both from WMT12. Toss
# a coin for each sentence. Heads: the first of our new systems gets Edinburgh's output and the second QCRI's. Tails: the other way
# round.

# %%
import mtsig_nb as mt

campaign, real = mt.load("wmt12/es-en"), ["uedin-wmt12", "QCRI--primary"]
bleu = campaign.statistics("BLEU").select(real)
uedin, qcri = bleu.subset(np.arange(10)).values

# %%
heads = np.random.default_rng(15).integers(2, size=(10, 1))
first, second = np.where(heads, uedin, qcri), np.where(heads, qcri, uedin)
heads.ravel(), [bleu.metric.score(counts.sum(axis=0)) for counts in (first, second)]

# %% [markdown]
# Each of the two is a **pseudo-system**: a system that is made at random from real outputs, so that the truth about it is known.
# And the truth about these two is that neither is better. Their scores differ, but the coins have done that. A test that finds a
# difference between them makes a false claim.
#
# In unit 5 you tossed the same coins, and it is easy to confuse the two occasions. There they were step 3 of a test: the outputs of
# a real pair were exchanged thousands of times, to learn what chance would do. Here they are tossed once, before any test begins.
# They make the data. A test then gets the two pseudo-systems, is not told where they come from, and takes its four steps as with
# any other pair. In this unit none of the steps changes. We look at whole tests from outside.
#
# ## Six hundred pairs
#
# One pair tells us little about a promise of one in twenty, so we make six hundred. To be quick, and not to make it too easy for
# the tests, we take every twentieth sentence, 151 in all.

# %%
few = np.arange(0, 3003, 20)
nulls = mt.simulate.exact_nulls(bleu.subset(few), *real, n_pairs=600, rng=12)
draws = {"n_resamples": 1999, "rng": 5}
p = mt.simulate.null_pvalues(nulls, "approximate-randomization", **draws)
p[:8].round(2)

# %% [markdown]
# These are the p-values of approximate randomization for the first eight pairs. There are 592 more.
#
# > **Make a guess.** None of the six hundred pairs has a difference. How many of the p-values lie between .7 and .8: more than
# > three hundred, about sixty, or hardly any? And how many are .05 or less?
# >
# > <details><summary>more than 300 between .7 and .8</summary>Many expect large p-values where there is nothing to
# > find. Without a difference no p-value is more likely than another.</details>
# > <details class="right"><summary>about 60, and about 30 are .05 or less</summary>So it is: each tenth of the
# > range has a tenth of the pairs.</details>
# > <details><summary>hardly any, and about 30 are .05 or less</summary>The second half is right. For the first, .7
# > to .8 is as wide as any other tenth.</details>

# %%
old = mt.simulate.null_pvalues(nulls, "riezler-maxwell-bootstrap", **draws)
for p_values in (p, old):
    print(((p_values > 0.7) & (p_values <= 0.8)).sum(), (p_values <= 0.05).sum())

# %% tags=["remove-input"]
draw_p_values({"approximate-randomization": p, "riezler-maxwell-bootstrap": old}, 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
assert len(few) == 151 and ((p > 0.7) & (p <= 0.8)).sum() == 64 and (p <= 0.05).sum() == 33
assert (old <= 0.05).sum() == 81 and old.max() < 0.45
heights = np.histogram(p, np.linspace(0, 1, 21))[0]
assert heights.min() > 15 and heights.max() < 48
assert 0.018 < np.quantile(old, 0.05) < 0.024
headline(
    "largest p-value of 600 pairs without a difference, as printed in 2005", old.max(), spec=".2f"
)

# %% [markdown]
# In both panels the horizontal axis is the p-value, in steps of .05, and the height of a bar is how many of the six hundred pairs
# got it. The dashed line is at thirty, one twentieth of all. Look at the left panel first. There is no hill. The bars go up and
# down a little around the dashed line, from zero to one. Now the right panel, the bootstrap as printed in 2005. Its p-values crowd
# to the left, the coloured bar is more than twice as high as it should be, and beyond .45 there is nothing at all. A test that
# errs just as often as it says, at every level, has a flat picture here.
#
# **The guess.** About sixty, a tenth of all; and 33 are .05 or less, where thirty were promised. Many people expect
# large p-values where there is nothing to find. But if the test keeps its level exactly, one pair in twenty has p ≤
# .05, one in ten p ≤ .1, one in two p ≤ .5. Then a tenth must lie between .7 and .8, and a tenth between .2 and .3. If
# there is no difference, and the test keeps its level exactly, all p-values are equally likely: .9 is as likely as .3.
#
# As printed in 2005, the test called 81 of the six hundred pairs different. Its users would have made a false claim more than two
# and a half times as often as they believed.
#
# ## Four tests, four metrics
#
# Perhaps that was BLEU's fault, or luck. Here are the four tests of the papers under the four metrics of Graham, Mathur and Baldwin
# (2014), 600 pairs each. The coins are the same under each metric, so all of them look at the same pseudo-systems.

# %%
four = "approximate-randomization", "bootstrap", "paired-bootstrap", "riezler-maxwell-bootstrap"


def false_claims(metric):
    some = campaign.statistics(metric).subset(few)
    nulls = mt.simulate.exact_nulls(some, *real, n_pairs=600, rng=12)
    return mt.simulate.rejection_rates(nulls, four, alpha=0.05, **draws)


# %%
errors = pd.concat({m: false_claims(m) for m in ("BLEU", "NIST", "METEOR", "TER")})
errors["rate"].unstack(level=0)[["BLEU", "NIST", "METEOR", "TER"]]

# %% tags=["remove-input"]
titles = dict(zip(errors.loc["BLEU"].index, four, strict=True))
by_name = errors.rename(index=titles, level=1)
draw_error_rates(by_name, 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
randomized = by_name.xs("approximate-randomization", level=1)
for name in ("BLEU", "NIST"):
    headline(
        f"type-I error at .05 under {name}, 600 null pairs",
        randomized.loc[name, "rate"],
        spec=".3f",
    )
kept = by_name.drop("riezler-maxwell-bootstrap", level=1)
broken = by_name.xs("riezler-maxwell-bootstrap", level=1)
assert ((kept["low"] < 0.05) & (kept["high"] > 0.05)).all() and (broken["low"] > 0.05).all()
assert broken["rate"].between(0.09, 0.14).all()
half_width = ((kept["high"] - kept["low"]) / 2).max()
assert 0.017 < half_width < 0.022
limits = randomized.loc["BLEU", ["low", "high"]].astype(float).round(3).tolist()
assert limits == [0.038, 0.076] and round(randomized.loc["BLEU", "rate"], 3) == 0.055

# %% [markdown]
# The horizontal axis is the share of pairs that a test calls different, all of them falsely, and each row is a metric. A mark is
# what we counted; the line through it is an interval of 95 % for the rate that we would count with endless pairs. Go to the dashed
# line, at .05. Three marks of each row lie near it, some to the left and some to the right, and their intervals all contain it. The
# crosses do not come near it under any of the metrics.
#
# So under these four metrics the recipe of 2005 makes between 1.8 and 2.7 times as many false claims as it promises. On
# such pairs we have not seen the other three tests break their promise under any of the metrics. We use this in unit
# 17.
#
# ## Why three of them agree
#
# One exchanges outputs; one draws sentences and shifts; one draws sentences and shifts nothing. Graham, Mathur and
# Baldwin (their Figures 5 and 6) plotted the differences that each test simulates. They did so for one pair with a
# small difference that is found, and for one pair in which no difference is found. Here are two of WMT12.

# %% tags=["remove-input"]
three = {
    "approximate-randomization": mt.approximate_randomization,
    "bootstrap": mt.bootstrap_test,
    "paired-bootstrap": mt.paired_bootstrap,
}
panels = {}
for metric, a, b in (("BLEU", "onlineC", "uk-dan-moses"), ("METEOR", "onlineA", "uedin-wmt12")):
    results = {
        name: test(campaign.statistics(metric), a, b, rng=2014) for name, test in three.items()
    }
    smallest, largest = (f(r.pvalue for r in results.values()) for f in (min, max))
    panels[metric, f"{a}, {b}: p from {smallest:.3f} to {largest:.3f}"] = results
    spreads = [r.null_distribution.std() for r in results.values()]
    assert max(spreads) / min(spreads) < 1.05 and largest / smallest < 1.2
    assert largest < 0.05 if metric == "BLEU" else smallest > 0.05
draw_three_hills(panels)
plt.show()

# %% [markdown]
# Each panel is a pair of systems. Along the horizontal axis are the differences that a test simulates, and each outline
# is the hill of one test. Around zero there are two outlines, of randomization and of the shifted bootstrap, so close
# that it is hard to see that there are two. The third stands around the observed difference and has the same width. So
# the first two ask how much of a hill around zero lies beyond the observed difference, the third how much of a hill
# around the observed difference lies beyond zero. All three tests look at the same distance, the one between zero and
# the observed difference, and their hills have the same shape. So the p-values are nearly the same. Compared with the
# width of the hills, this distance is larger in the left panel, where a difference is found at .05, than in the right
# one, where none is found.
#
# ## Where the promise ends
#
# So far the outputs were exchangeable, because our coins had assigned them. With real systems nobody has tossed a coin (unit 5),
# and two of them may be equally good in the long run without being exchangeable. For instance, one may have many small flaws and
# the other a few terrible ones.
#
# The kit has such a pair. Two human translations of WMT21 were checked by experts, who took points off for each error.
# On most segments the two differ little. On six of 527 segments, the translation ref-A loses at least twenty points
# more than ref-C. `centred_pairs` moves the scores so that both have the same mean, and then draws test sets of a given
# size. In truth there is no difference. How often do the tests find one? (A fifth test is new.)

# %%
points = mt.load("wmt21/en-de").human.as_statistics()
worlds = {"n_pairs": 2500, "rng": 1}


def false_claims_skewed(size):
    pairs = mt.simulate.centred_pairs(points, "ref-A", "ref-C", n_units=size, **worlds)
    tests = *four, "studentized-bootstrap"
    return mt.simulate.rejection_rates(pairs, tests, alpha=0.05, n_resamples=999, rng=3)


# %%
skewed = pd.concat({f"{size} segments": false_claims_skewed(size) for size in (50, 300)})
skewed["rate"].unstack(level=0)[["50 segments", "300 segments"]]

# %% tags=["remove-input", "remove-output"]
small, large = skewed.loc["50 segments"], skewed.loc["300 segments"]
assert (small["low"] > 0.05).all() and small["rate"].iloc[:3].between(0.1, 0.115).all()
assert large["rate"].iloc[:3].between(0.05, 0.068).all() and large["low"].iloc[3] > 0.1
assert small["rate"].idxmin() == small.index[4] == "studentised bootstrap test"
assert 1 / 12 < small["rate"].iloc[4] < 1 / 10.5 and 0.045 < large["rate"].iloc[4] < 0.055
fifty = mt.simulate.centred_pairs(points, "ref-A", "ref-C", n_units=50, **worlds)
first_of_two, second_of_two = np.split(fifty.segment_scores(), 2)
without = ((first_of_two - second_of_two) < -19).sum(axis=1) == 0  # none of the six
claimed = mt.simulate.null_pvalues(fifty, four[0], n_resamples=999, rng=3) <= 0.05
assert fifty.systems[0] == "first 1" and fifty.systems[2500] == "second 1"
assert 0.52 < without.mean() < 0.62 and claimed[without].sum() > 0.95 * claimed.sum()
own_coins = mt.simulate.exact_nulls(
    points.subset(np.arange(0, 500, 10)), "ref-A", "ref-C", n_pairs=600, rng=1
)
both_sides = mt.simulate.rejection_rates(
    own_coins, [four[0], "studentized-bootstrap"], alpha=0.05, n_resamples=999, rng=3
)["rejected"]
assert both_sides.iloc[0] > 20 and both_sides.iloc[1] == 2
all_systems = points.subset(np.random.default_rng(0).choice(527, 50, replace=False))
called = [
    mt.compare_all(
        all_systems, test=test, rng=1, n_resamples=999, interval=None, correction=None
    ).table["pvalue"]
    <= 0.05
    for test in (*four[:3], "studentized-bootstrap")
]
assert min(found.sum() for found in called[:3]) > called[3].sum()
gap = np.subtract(*points.select(["ref-A", "ref-C"]).segment_scores())
assert (
    len(gap) == 527
    and (gap < -19.99).sum() == 6
    and gap.max() < 10
    and (abs(gap) <= 1).mean() > 0.5
)
headline(
    "false claims of randomization at .05, 50 skewed segments", small["rate"].iloc[0], spec=".3f"
)

# %% [markdown]
# With fifty segments *each* of the tests makes a false claim for more than one pair in twenty. The three tests that
# kept their promise so far find a difference in about one pair of nine, although there is no difference. The reason is
# in the data. More than half of such test sets have none of the terrible segments. There two things go wrong together:
# the mean is off, and the spread looks smaller than it is. Nearly all false claims come from these test sets. With
# three hundred segments, the three are back at about .06.
#
# The last row is a test for such data, the studentised bootstrap test, which is a bootstrap-t. **Studentised** means
# divided by a standard error that comes from the same segments (after the Student of unit 9). A **bootstrap-t** is a
# bootstrap that takes the difference between each resample's value and the test set's value and divides it by the
# standard error of that resample. Some resamples have none of the bad segments, as some test sets have none. The
# standard error of such a resample is too small. So the bootstrap-t includes the effect of a standard error that is too
# small by chance. It cannot learn about segments that are not in the test set. With fifty segments it makes a false
# claim for about one pair in eleven, which is fewer than the other tests make, and still too many. And there is a
# price. Where there are extreme segments on both sides, it is over-careful and finds less. If coins exchange the scores
# of fifty segments of these two translations, both sides can get extreme segments, and the test claims a difference in
# only 2 of 600 pairs, where 30 are promised. The test is `mt.studentized_bootstrap`; `mt.confidence_interval` has the
# interval, with `method="bootstrap-t"`.
#
# ## The same score, and another length
#
# In the last example more segments helped. Here is an example in which more segments do not help. XMU's outputs of
# WMT21, Chinese to English, are a little shorter than the reference; IIE-MT's and Borderline's are longer.
# `equal_systems` draws test sets and makes pairs. One system is XMU's. The other is a mixture of IIE-MT's and
# Borderline's outputs, mixed so that it has XMU's BLEU in the long run. On an endless test set both would have the same
# score. But they are not exchangeable: from the lengths one could tell whose is whose.
#
# > **Make a guess.** Three hundred such pairs, on test sets of 1,948 segments. How many does approximate randomization call
# > different at .05: about 15, as it promises, about 30, or about 60?
# >
# > <details><summary>about 15</summary>That is what it promises where outputs are exchangeable. In each of these pairs
# > one system writes longer outputs.</details>
# > <details><summary>about 30</summary>More, and it becomes worse with more segments.</details>
# > <details class="right"><summary>about 60</summary>So it is: equally good is not exchangeable.</details>

# %%
tests = ["approximate-randomization", "bootstrap", "studentized-bootstrap", "sign-flip"]
chinese = mt.load("wmt21/zh-en").statistics("BLEU")


def same_score(size):
    three = "XMU", "IIE-MT", "Borderline"
    return mt.simulate.equal_systems(chinese, *three, n_segments=size, n_pairs=300, rng=1)


# %%
lengths = {size: same_score(size) for size in (200, 1948)}
options = {"alpha": 0.05, "n_resamples": 399, "rng": 9}
claims = {n: mt.simulate.rejection_rates(w, tests, **options) for n, w in lengths.items()}
pd.DataFrame({f"{size} segments": found["rate"] for size, found in claims.items()})

# %% tags=["remove-input"]


def worlds_of(size):
    shuffled = []
    for number in range(1, 21):
        a, b = lengths[size].select([f"system {number}", f"patchwork {number}"]).values
        heads = np.random.default_rng(number).integers(2, size=(500, len(a)))
        moved = heads @ (b - a)
        shuffled.append([a.sum(axis=0) + moved, b.sum(axis=0) - moved])
    totals = lengths[size].totals().reshape(2, 300, -1)
    return {"300 test sets": totals, "their shuffles": np.concatenate(shuffled, axis=1)}


def leads_in(worlds):
    return {name: -np.diff(chinese.metric.score(t), axis=0)[0] for name, t in worlds.items()}


worlds_of_two = worlds_of(1948)
over = leads_in(worlds_of_two)
line = np.quantile(abs(over["their shuffles"]), 0.95)
draw_two_spreads(*over.values(), line)
plt.show()

# %% tags=["remove-input"]
spreads = pd.DataFrame(
    {
        name: {
            "standard deviation, BLEU": over[name].std(),
            "the same, no penalty": np.diff(without_penalty(t), axis=0).std(),
            "too short, first system": (t[0, :, 0] < t[0, :, 1]).mean(),
            "too short, second system": (t[1, :, 0] < t[1, :, 1]).mean(),
        }
        for name, t in worlds_of_two.items()
    }
)
spreads

# %% tags=["remove-input", "remove-output"]
exchanging = {size: found.iloc[0] for size, found in claims.items()}
headline(
    "the same BLEU, other lengths, 1,948 segments: false claims of randomization at .05",
    exchanging[1948]["rate"],
    spec=".2f",
)
headline(
    "the same, 200 segments: false claims of randomization", exchanging[200]["rate"], spec=".2f"
)
assert all(found["low"] > 0.06 for found in exchanging.values())
assert 50 <= exchanging[1948]["rejected"] <= 70 and 0.08 < exchanging[200]["rate"] < 0.15
assert exchanging[1948]["low"] > exchanging[200]["rate"]
assert all((found.iloc[1:]["rate"] < 0.09).all() for found in claims.values())
assert all((found.iloc[1:]["low"] < 0.05).all() for found in claims.values())
assert (claims[200].iloc[1:]["rate"] < 0.05).all()
lengths_of = dict(
    zip(chinese.systems, chinese.totals()[:, 0] / chinese.totals()[0, 1], strict=True)
)
assert 0.99 < lengths_of["XMU"] < 1 < lengths_of["Borderline"] < lengths_of["IIE-MT"] < 1.05
sd, plain, first_short, second_short = spreads.to_numpy()
assert abs(over["300 test sets"].mean()) < 2.5 * sd[0] / 300**0.5
assert 1.4 < sd[0] / sd[1] < 1.7 and 0.93 < plain[0] / plain[1] < 1.1
assert 0.65 < first_short[0] < 0.8 and second_short[0] == 0
assert max(first_short[1], second_short[1]) < 0.002
assert 0.15 < (abs(over["300 test sets"]) >= line).mean() < 0.25
assert (over["300 test sets"] <= -line).sum() > 2 * (over["300 test sets"] >= line).sum()
assert skew(over["300 test sets"]) < -0.4
assert abs(skew(np.diff(without_penalty(worlds_of_two["300 test sets"]), axis=0)[0])) < 0.25
small_sd = [differences.std() for differences in leads_in(worlds_of(200)).values()]
assert np.round(small_sd, 2).tolist() == [0.53, 0.45] and np.round(sd, 2).tolist() == [0.2, 0.14]
assert [round(found.iloc[1:]["rate"].min(), 2) for found in claims.values()] == [0.01, 0.03]
assert [round(found.iloc[1:]["rate"].max(), 2) for found in claims.values()] == [0.03, 0.04]

# %% [markdown]
# The bars are the differences on the three hundred test sets. The outline shows the differences after shuffling, for
# twenty of these test sets. Both stand around zero. Now compare the widths: the outline is narrower. The dashed lines
# leave one shuffle in twenty outside, and coloured are the test sets beyond them, most of them at the left, where XMU's
# system scores lower than the other. If the outputs were exchangeable, outline and bars would be equally wide, and some
# fifteen test sets would be coloured.
#
# **The guess.** About 60, four times as many as promised, and more than with 200 segments. The other three tests find a
# difference in .03 to .04 of the test sets, with 200 segments in .01 to .03.
#
# Why? BLEU's brevity penalty (unit 4) falls on outputs that are too short and on no others. By the table XMU's system is too short
# on nearly three test sets of four, now by more and now by less, and what it loses by that moves the difference up and down. The
# other system loses nothing. Now exchange the outputs. Each imaginary system mixes a short and a long one. Its length lies in
# between, mostly above the reference's, and the penalty vanishes. So one cause of the differences is missing from the shuffles;
# without the penalty, says the second line, both spreads are about the same. The penalty takes points away and gives none, which is
# why the bars reach farther to the left. More segments are no remedy. Both spreads become smaller, but that of the shuffles more
# so: from 200 segments to 1,948 it falls from .45 to .14, and that of the test sets from .53 to .20.
#
# The two bootstrap tests draw sentences. Each output stays with its system. So in the resamples, as in the test sets,
# only XMU's system is too short, now by more and now by less. The penalty varies about as it does from test set to
# test set. The last test in the table exchanges nothing either. `mt.sign_flip_test` computes for each sentence an
# influence value, which is what the sentence contributes to the difference. For this each system keeps its own total
# length, and so its own brevity penalty. Then it tosses a coin for each sentence of which the two outputs differ, and the
# coin decides the sign of that contribution. For a metric that is a mean of sentence scores it is the same test as
# approximate randomization.
#
# We have made this world. The outputs that it is made of are real, and here are XMU's against IIE-MT's:

# %%
two = chinese.select(["XMU", "IIE-MT"])
{test: mt.compare_all(two, test=test, rng=2014).table["pvalue"].round(3)[0] for test in tests}

# %% tags=["remove-input", "remove-output"]
of_two = [mt.compare_all(two, test=test, rng=2014).table["pvalue"].item() for test in tests]
headline("WMT21 zh-en, XMU against IIE-MT: p of approximate randomization", of_two[0], spec=".3f")
headline("the same pair: p of the bootstrap test", of_two[1], spec=".2f")
assert of_two[0] < 0.02 and all(p > 0.1 for p in of_two[1:])

# %% [markdown]
# At .05 approximate randomization finds that XMU's system is better; the other tests find no difference. Nobody knows
# the truth about this pair. But in a world much like it the exchange claims too much. It may have found no more than
# that the outputs are not exchangeable, and that could be seen from their lengths. So compare lengths first. If one
# system's output is at most as long as the reference, and the other's is longer than the reference, use the shifted
# bootstrap, the studentised bootstrap or the sign-flip test. That is better and not perfect. With 7,792 segments of our
# world the shifted bootstrap and the sign-flip test find a difference in .07 of the test sets. Approximate
# randomization finds one in .21 of them.
#
# So a test keeps its promise only under certain conditions. The kit's page [What can be relied on](../../docs/trust.md)
# has the rates of false claims, for its tests and those of other tools, in many worlds without a difference. It begins
# with a summary: which test to take, and when.
#
# ## What this does not tell you
#
# - **What the tests miss.** We have counted one of the two errors of unit 3. How often a difference that is there goes unnoticed is
#   the matter of units 17 and 28.
# - **What happens where sentences depend on each other.** We tossed a separate coin for every sentence.
# - **That a rate of .055 is too high, or that it is not.** With six hundred pairs, a rate is known to within about .02
#   on either side.
#
# ## Check yourself
#
# > **Two pairs are tested. One has p = .35, the other p = .85. Has the second test shown that its two systems do not differ?**
# >
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes</summary>A p of .85 speaks more for "no difference" than a p of .35 does. How much more
# > depends on how many pairs truly differ and by how much, and this is not known.</details>
# > <details><summary>Yes, .85 is near 1</summary>p near 1 says that the difference is near 0, in standard errors. A
# > wide interval may lie around it.</details>
#
# <details><summary>Answer</summary>
#
# No. Among pairs without a difference, p-values near .85 are no more common than those near .35. Among pairs with one
# they are rarer, so that .85 speaks more for "no difference" than .35 does. How much more, p alone cannot show. If
# half of all pairs did not differ and the others truly differed by 1.96 standard errors, then of the pairs with p
# near .35 some 68 in a hundred would not differ. Of those with p near .85 it would be some 86: among pairs that
# differ so, .85 is three times as rare as .35. With other pairs it would be other numbers. To show that two systems
# are alike takes another kind of test (unit 30).
#
# </details>
#
# > **Under BLEU, approximate randomization called 33 of 600 pairs different, a rate of .055. What do these 600 pairs
# > alone show?**
# >
# > <details><summary>That its promise is broken: .055 is above .05</summary>Thirty false claims are the average. 33 are
# > an ordinary number around it.</details>
# > <details><summary>That its promise is certainly kept</summary>The interval goes up to .076. From these 600 pairs
# > alone, a somewhat larger rate than .05 cannot be ruled out.</details>
# > <details class="right"><summary>Neither that it is kept nor that it is broken</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Neither. The interval goes from .038 to .076 and contains .05. Thirty false claims were promised on average, and 33
# are about as compatible with that as 53 heads of a hundred with a fair coin. (That the promise is kept on such pairs
# is known from elsewhere: coins assigned their outputs, so unit 5 has proved it.)
#
# </details>
#
# > **A test that never finds a difference makes no false claims at all. Is it the best of tests?**
# >
# > <details><summary>Yes</summary>It makes no false claim because it makes no claim at all. Look at the other error,
# > too.</details>
# > <details class="right"><summary>No, it is useless</summary>This is correct.</details>
# > <details><summary>Yes, for careful people</summary>A test that never finds a difference tells you nothing, so you
# > could do without it.</details>
#
# <details><summary>Answer</summary>
#
# It keeps the promise of this unit perfectly, and is useless. A promise about one error is worth something only together with a
# look at the other.
#
# </details>
#
# ## Exercises
#
# **1.** At which level would the recipe of 2005 make false claims in 5 % of our 600 pairs? Guess first.
#
# <details><summary>Answer</summary>
#
# `np.quantile(old, 0.05)` is about .02, less than half of .05. A user could announce .05 and decide at .02, but would have to find
# out the number anew for every level and every kind of data.
#
# </details>
#
# **2.** Would it have been enough to test a system against its own copy, instead of making pseudo-systems?
#
# <details><summary>Answer</summary>
#
# No. A copy has the same counts in each sentence. Whatever is exchanged or drawn, the difference is zero, so that a
# test which counts ties gives p = 1, always. To try the promise we need pairs that differ in most sentences and yet are
# exchangeable.
#
# </details>
#

# %% tags=["remove-input", "remove-output"]
leads = np.random.default_rng(35).normal(size=(2, 1_000_000)) + np.array([[0], [1.96]])
p_without, p_with = 2 * norm.sf(abs(leads))  # half of the pairs do not differ, the others do
for p_value, percent in ((0.35, 68), (0.85, 86)):
    near = [(abs(p_values - p_value) < 0.01).sum() for p_values in (p_without, p_with)]
    assert round(100 * near[0] / sum(near)) == percent
middling, large = [(abs(p_with - p) < 0.01).sum() for p in (0.35, 0.85)]
assert 2.8 < middling / large < 3.2

# %% [markdown]
# ---
#
# *Before this:* [unit 14, A table read again](14_a_table_read_again.ipynb). *After this:* [unit 16, Small
# differences](16_small_differences.ipynb). *To practise:* [lab 6](../labs/student/lab_06_the_missing_tail.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
