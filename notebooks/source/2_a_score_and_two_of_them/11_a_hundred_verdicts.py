# %% [markdown]
# # 11 · A hundred verdicts
#
# System A won 96 % of the resamples, so the paired bootstrap says "better, at 95 %". Can you rely on it? Of a weather
# forecaster one would ask how often it rained when she said that it would. To ask it of a test, one needs many
# verdicts *and the truth*. Koehn, in the paper that introduced the test, had both. This unit does what he did, with
# other systems, and puts his tables beside ours.
#
# <details><summary>After this unit you can …</summary>
#
# - say what a level of 95 % promises, and what it does not (questions 1 and 2);
# - say why one test set may give a verdict and another one none (question 3);
# - count right and wrong verdicts where the truth is known (exercises 1 and 3).
#
# Before this: unit 10. About 22 minutes to read, 27 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.campaigns.printed import printed_numbers, printed_table
from mtsig_nb.engine.resampling import bootstrap_counts
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 1
pd.options.display.width = 120

COLOUR, MARKER = style.look_of("paired-bootstrap")
ENGINES = {
    "uedin": "uedin-wmt",
    "jhu": "(?i:jhu)",
    "online-A": "online-?A",
    "online-B": "online-?B",
}
SIZES = (100, 300, 600, 3000)
#: His pairs and ours, which are closest to them in all; the truly better system first.
CONTESTS = {
    ("es − pt", "Spanish better than Portuguese"): ("online-B de", "online-B cs"),
    ("es − da", "Spanish better than Danish"): ("jhu de", "jhu cs"),
    ("pt − da", "Portuguese better than Danish"): ("uedin de", "uedin cs"),
    ("pt − el", "Portuguese better than Greek"): ("online-A es", "online-A fr"),
    ("da − el", "Danish better than Greek"): ("uedin es", "uedin fr"),
    ("da − de", "Danish better than German"): ("jhu fr", "jhu de"),
    ("el − de", "Greek better than German"): ("jhu es", "jhu fr"),
    ("el − fi", "Greek better than Finnish"): ("online-A fr", "online-A de"),
    ("de − fi", "German better than Finnish"): ("uedin fr", "online-A fr"),
}
CLOSEST = list(CONTESTS.values()).index(("uedin de", "uedin cs"))


def engines_from_four_languages():
    """BLEU's counts of the 13 systems of the contests on WMT12 and WMT13, one after the other."""
    names = sorted({name for pair in CONTESTS.values() for name in pair})
    values = []
    for name in names:
        engine, language = name.split()
        years = [mt.load(f"{year}/{language}-en").statistics("BLEU") for year in ("wmt12", "wmt13")]
        found = [next(s for s in y.systems if re.match(ENGINES[engine], s)) for y in years]
        values.append(
            np.concatenate([y.values[y.index(s)] for y, s in zip(years, found, strict=True)])
        )
    return mt.SufficientStatistics(years[0].metric, tuple(names), values)


def wins_on(statistics, test_sets):
    """Of 1,000 resamples of each test set, how many the truly better system of each pair wins."""
    counts = np.moveaxis(statistics.values, 1, 0).reshape(statistics.n_segments, -1)
    counts = counts.astype(np.float32)  # whole numbers far below 2**24: exact
    places = [[statistics.index(pair[side]) for pair in CONTESTS.values()] for side in (0, 1)]
    wins = []
    for seed, test_set in enumerate(test_sets):
        times = np.concatenate(
            [bootstrap_counts(500, len(test_set), seed=seed, key=(block,)) for block in (0, 1)]
        )
        sums = (times.astype(np.float32) @ counts[test_set]).astype(float)
        scores = statistics.metric.score(sums.reshape(1000, len(statistics.systems), -1))
        wins.append((scores[:, places[0]] > scores[:, places[1]]).sum(axis=0))
    return np.array(wins)


def all_verdicts(size):
    """The nine pairs on all disjoint test sets of a size."""
    step = len(population.values[0]) // size
    return wins_on(population, [np.arange(i, 30_000, step) for i in range(step)])


def cell(right, wrong):
    """Percent right, and percent wrong if there are any."""
    return f"{right:.0f}" + (f" / {wrong:.0f}" if wrong else "")


def beside_table_3(verdicts):
    """Conclusions at 95 % of the nine pairs, his and ours."""
    printed = printed_table("koehn2004", 3).set_index(["comparison", "sample_size"])
    rows = {}
    for place, ((short, long), (better, worse)) in enumerate(CONTESTS.items()):
        his = printed.loc[long]
        row = {("Koehn", "diff."): his["bleu_difference_pct"].iloc[0]}
        row |= {
            ("Koehn", f"{n:,}"): cell(
                float(his.correct_pct[str(n)]), int(his.wrong_pct[str(n)] or 0)
            )
            for n in SIZES
        }
        row["ours", "diff."] = f"{truth[better] - truth[worse]:.1f}"
        for n in SIZES:
            won = verdicts[n][:, place]
            row["ours", f"{n:,}"] = cell(100 * (won >= 950).mean(), 100 * (won <= 50).mean())
        both = f"{better} − {worse.split()[1]}" if better.split()[0] == worse.split()[0] else ""
        rows[short, both or f"{better} − {worse}"] = row
    return pd.DataFrame(rows).T.rename_axis(["Koehn", "ours"])


def beside_table_4(won):
    """Conclusions sorted by their level into his bins; how many there are, how many are right."""
    printed = printed_table("koehn2004", 4)
    lows = printed["level_low_pct"].astype(float)
    level = np.maximum(won, 1000 - won) / 10
    bins = (level[:, None] >= lows.to_numpy() - 1e-9).argmax(axis=1)
    inside = level >= lows.min()
    table = pd.DataFrame({"n": np.bincount(bins[inside], minlength=9)})
    table["right"] = 100 * np.bincount(bins[inside & (won > 500)], minlength=9) / table["n"]
    table.index = lows.where(
        lows == 100, printed["level_low_pct"] + "–" + printed["level_high_pct"]
    )
    table.index = ["100", *table.index[1:]]
    his = printed[["conclusions", "correct_pct"]].astype(int).set_axis(table.columns, axis=1)
    return pd.concat({"Koehn": his.set_index(table.index), "ours": table}, axis=1)


def draw_verdicts(far, near):
    """Shares of resamples won on a hundred test sets, sorted, for two pairs."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    ax.axhspan(95, 101.5, color=style.MUTED, alpha=0.6, zorder=0)
    ax.axhspan(-1.5, 5, color=style.EMPHASIS, alpha=0.25, zorder=0)
    ax.text(1, 97.7, "verdict, right", va="center", fontsize=11)
    ax.text(100, 1.7, "verdict, wrong", va="center", ha="right", fontsize=11)
    for won, face, label in (
        (far, COLOUR, "jhu, German − Czech: 1.9 BLEU"),
        (near, "white", "uedin, German − Czech: 0.5 BLEU"),
    ):
        ax.scatter(
            range(1, 101),
            np.sort(won) / 10,
            s=36,
            marker=MARKER,
            color=face,
            edgecolor=style.INK,
            linewidth=0.8,
            label=label,
            zorder=3,
        )
    ax.set(
        xlabel="test set of 300 sentences, sorted by share",
        ylabel="resamples won by the better one (%)",
        ylim=(-1.5, 101.5),
        xlim=(0, 101),
    )
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.08))
    style.describe(
        figure,
        "Shares of resamples won on a hundred test sets, sorted, for two pairs. One rises quickly and has 65 points at 95 % or "
        "more; the other crosses the whole height, with 10 points at the top and 1 at the bottom.",
    )
    return figure


def draw_levels(table, alone):
    """Share of verdicts that are right, by level: Koehn's, ours, and those of our closest pair."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    names = list(table.index[::-1])
    for place, name in enumerate(names):
        low, _, high = name.partition("–")
        height = max(float(high or low) - float(low), 1)
        ax.bar(place, height, bottom=float(low), width=0.9, color=style.MUTED, zorder=0)
    places = np.arange(len(names))
    for right, shift, colour, marker, label in (
        (table["Koehn", "right"], -0.12, "white", "o", "Koehn's nine pairs"),
        (table["ours", "right"], 0.12, COLOUR, MARKER, "our nine pairs"),
        (alone["ours", "right"], 0, style.GREY, "D", "our closest pair alone"),
    ):
        ax.scatter(
            places + shift,
            right[::-1],
            s=70,
            color=colour,
            marker=marker,
            edgecolor=style.INK,
            label=label,
            zorder=3,
        )
    ax.set_xticks(places, names, rotation=25, ha="right", rotation_mode="anchor")
    ax.set(
        xlabel="resamples won by the system called better (%)", ylabel="verdicts that are right (%)"
    )
    ax.set_ylim(30, 103)
    ax.legend(frameon=False, loc="lower right")
    style.describe(
        figure,
        "Share of verdicts that are right in nine bins of the share of resamples won. Koehn's and our points climb together from about 53 to "
        "100 %, close to the grey steps where both shares are equal; those of our closest pair lie far below the steps.",
    )
    return figure


def draw_even(won):
    """Share of resamples won on test sets where neither system is better."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 3.8))
    counts, edges = np.histogram(100 * won, np.linspace(0, 100, 21))
    colours = [style.EMPHASIS, *[style.CALM] * 18, style.EMPHASIS]
    ax.bar(edges[:-1], counts, width=4.6, align="edge", color=colours)
    ax.axhline(len(won) / 20, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="resamples won by the first system (%)", ylabel=f"test sets of {len(won):,}")
    style.describe(
        figure,
        "Shares of resamples won on 1,000 test sets with two systems that coins have made: twenty bars of about the same "
        "height; the first and the last, up to 5 % and from 95 %, are coloured.",
    )
    return figure


# %% [markdown]
# > **Make a guess.** Koehn drew verdicts at 95 % about nine pairs of systems on hundreds of test sets. Of a thousand
# > such verdicts, how many are wrong: about 50, because 95 % is 95 %; about 100; or about 5?
# >
# > <details><summary>about 50, because 95 % is 95 %</summary>The 95 % are a promise about pairs without a difference.
# > All of these nine pairs have a difference.</details>
# > <details><summary>about 100</summary>There would be about 100 wrong ones in a thousand tests if neither system were
# > better and you named the winner after looking. The next guess is about that case.</details>
# > <details class="right"><summary>about 5</summary>So few, because most pairs differ a lot, and a verdict about
# > them can hardly be wrong.</details>
#
# ## A world in which the truth is known
#
# Koehn had 30,000 sentences. The scores on all of them were his truth, and he cut them into small test sets, to see
# what the test says of 300. We have the 6,003 sentences of WMT12 and WMT13, translated by one engine from several
# languages, as in unit 10. We take each of them about five times and mix them. That is our population, and its scores
# are the truth.

# %%
import mtsig_nb as mt

real = engines_from_four_languages()
mixed = np.random.default_rng(30_000).permutation(np.resize(np.arange(6003), 30_000))
population = real.subset(mixed)
truth = population.scores()
truth["jhu de"] - truth["jhu cs"]

# %% [markdown]
# The engine `jhu` is truly better from German than from Czech, by nearly two points. Now forget that we know it. We
# get 300 sentences, and Koehn's test, with 1,000 resamples. All four steps are those of unit 10; it is the last one,
# *compare*, that is on trial. Here is how many of the 1,000 resamples "from German" wins, on ten different test sets:


# %%
def resamples_won(better, worse, i):
    """On every hundredth sentence, from sentence i on."""
    test_set = population.subset(np.arange(i, 30_000, 100))
    test = mt.paired_bootstrap(test_set, better, worse, n_resamples=1000, rng=i)
    return (test.resampled > 0).sum()


[resamples_won("jhu de", "jhu cs", i) for i in range(10)]

# %% [markdown]
# A verdict needs 950. With some of these test sets you would have written "better", with others nothing, and the
# systems are the same. Here are a hundred, for this pair and for another, `uedin` from German and from Czech, which
# differ truly by half a point.

# %%
far = [resamples_won("jhu de", "jhu cs", i) for i in range(100)]
near = [resamples_won("uedin de", "uedin cs", i) for i in range(100)]

# %% tags=["remove-input"]
draw_verdicts(far, near)
plt.show()

# %% tags=["remove-input", "remove-output"]
far, near = np.array(far), np.array(near)
said = printed_numbers("koehn2004")["value"]
headline("jhu from German against Czech, 300 sentences: right verdicts of 100", (far >= 950).sum())
headline("uedin from German against Czech: right verdicts of 100", (near >= 950).sum())
headline("the same: wrong verdicts of 100", (near <= 50).sum())
assert (far >= 950).sum() == 65 and (far <= 50).sum() == 0
assert ((near >= 950).sum(), (near <= 50).sum()) == (10, 1)
assert (said["k-es-da-sig"], said["k-es-da-truth"]) == ("65", "2.0")
assert (said["k-pt-da-correct"], said["k-pt-da-wrong"], said["k-pt-da-truth"]) == ("12", "1", "0.5")
assert 1.9 < truth["jhu de"] - truth["jhu cs"] < 1.95
assert 0 < (far[:10] >= 950).sum() < 10
assert near.min() <= 50 and near.max() > 990

# %% [markdown]
# Each point is a test set of 300 sentences. Its height is the share of resamples that the truly better system wins on
# it, and the points of each pair are sorted. Look at the grey band at the top. It contains the test sets with a right
# verdict. Of the filled points 65 are in it; of the hollow ones, 10. The hollow ones cross the picture from top to
# bottom, and one lies in the coloured band, where the verdict is that the worse system is better. If 300 sentences were
# enough for half a point, all hollow points would lie in the grey band as well. The share of resamples won differs from
# test set to test set, although the two systems are the same.
#
# Koehn's Figures 7 and 8 show the same for a hundred test sets: 65 verdicts about a pair with 2.0 between them; 12
# right ones and 1 wrong one about a pair with 0.5.
#
# ## The whole table
#
# He had nine pairs and four sizes of test sets, as many of each as 30,000 sentences yield: 300 of 100 sentences, and
# so on down to 10 of 3,000. We have looked for nine pairs of ours with differences close to his, and do the 4,140
# tests in one go. (*diff.* is the true difference; his *pt*, *da*, *el* and *fi* are Portuguese, Danish, Greek and
# Finnish.)

# %%
verdicts = {size: all_verdicts(size) for size in (100, 300, 600, 3000)}
beside_table_3(verdicts)

# %% tags=["remove-input", "remove-output"]
assert np.array_equal(verdicts[300][:, 1], far) and np.array_equal(verdicts[300][:, 2], near)
printed = printed_table("koehn2004", 3)
his = printed.pivot(index="comparison", columns="sample_size", values="correct_pct").astype(float)
his = his.loc[[long for _, long in CONTESTS], [str(n) for n in SIZES]]
ours = pd.DataFrame({str(n): 100 * (verdicts[n] >= 950).mean(axis=0) for n in SIZES}, his.index)
apart = abs(his - ours).to_numpy()
headline("Koehn's Table 3, his cells and ours: points apart, mean", apart.mean(), spec=".1f")
headline("the same, median", np.median(apart), spec=".1f")
assert 5 < apart.mean() < 6 and np.median(apart) < 2 and apart.max() == 24
ceiling, pooled = his.to_numpy() == 100, (his + ours).to_numpy() / 200
assert ceiling.sum() == 14 and (ours.to_numpy()[ceiling] >= 99).all()
sets = np.array([len(verdicts[n]) for n in SIZES])
by_chance = 100 * np.sqrt(2 / np.pi * 2 * pooled * (1 - pooled) / sets)[~ceiling]
assert 8.5 < apart[~ceiling].mean() < 9.5 and len(by_chance) == 22
assert 4.5 <= by_chance.mean() < 5.5
gaps = printed.groupby("comparison")["bleu_difference_pct"].first().astype(float)[his.index]
for table in (his, ours):
    assert (table.diff(axis=1).iloc[:, 1:] >= 0).all(axis=1).sum() >= 8
    assert table["300"].corr(gaps, method="spearman") > 0.9
worst = np.unravel_index(apart.argmax(), apart.shape)
assert his.index[worst[0]] == "Spanish better than Portuguese" and his.columns[worst[1]] == "600"
every = np.concatenate([verdicts[n].ravel() for n in SIZES])
sure, wrong = (every >= 950) | (every <= 50), every <= 50
headline("nine pairs, four sizes: verdicts at 95 %, of 4,140", int(sure.sum()))
headline("of them wrong", int(wrong.sum()))
assert len(every) == 4140 and sure.sum() == 2237 and wrong.sum() == 14
assert 0.005 < wrong.sum() / sure.sum() < 0.0075
bins = printed_table("koehn2004", 4)[["conclusions", "correct_pct"]].astype(int)
assert bins["conclusions"].iloc[:4].sum() == 2419 and 0.003 < 8 / 2419 and 12 / 2419 < 0.0055

# %% [markdown]
# A cell says on how many of a hundred test sets the verdict was right. After the stroke it says on how many it was
# wrong, where there were any (0: fewer than one in two hundred). Go down the columns for 300 on either side: 60, 65,
# 12, 68 with him, and 38, 65, 10, 63 with us. Half of all cells are less than two points apart, but that says little:
# in fourteen of the 36 he has 100, and we have 99 or 100. In the other 22 we are about nine points from him on average.
# If the true shares were the same, and all test sets independent, it would be about five. The farthest apart are in the
# first line, where our difference is a little smaller than his. He had parliamentary debates, other languages and an
# engine of 2004, so we do not find his numbers again. We do find two of his patterns. Larger test sets give more
# verdicts. And pairs that are further apart mostly give more verdicts, too.
#
# **The guess.** About 5 of a thousand. Ours are 2,237 verdicts, and 14 of them are wrong, 6 in a thousand. His are
# 2,419 verdicts, and 8 to 12 of them are wrong, or 3 to 5 in a thousand. (His percentages are rounded, so we cannot say
# it more exactly.) So 95 % is more like 99.5 %?
#
# ## Sorted by the share won
#
# Koehn went on and sorted *all* verdicts by the share of resamples won, including those that nobody would publish: a
# system that wins 72 % is called better, in the bin from 70 to 79.9. How many in a bin are right?

# %%
every = np.concatenate([verdicts[size].ravel() for size in verdicts])
by_level = beside_table_4(every)

# %% tags=["remove-input"]
alone = beside_table_4(np.concatenate([verdicts[n][:, CLOSEST] for n in SIZES]))
draw_levels(by_level, alone)
plt.show()

# %% tags=["remove-input", "remove-output"]
level_apart = abs(by_level["Koehn", "right"] - by_level["ours", "right"])
headline(
    "Koehn's Table 4, his shares right and ours: points apart, mean", level_apart.mean(), spec=".1f"
)
assert level_apart.max() < 4 and level_apart.mean() < 2.5
low = by_level.index.str.partition("–").get_level_values(0).astype(float)
assert (by_level["ours", "right"] >= low - 0.5).all() and (by_level["Koehn", "right"] >= low).all()
assert 60 < alone.loc["80–89.9", ("ours", "right")] < 66
assert 67 < alone.loc["90–94.9", ("ours", "right")] < 70

# %% [markdown]
# From left to right more and more resamples were won, and the height of a point says how many of these verdicts are
# right. On the grey steps the share of verdicts that are right equals the share of resamples won. Begin with the
# circles and the triangles, Koehn's pairs and ours. They climb together. In no bin are the two as much as four points
# apart, and both lie on the steps or next to them. One is tempted to read the share of resamples won as the probability
# that the verdict is right, and many people do.
#
# Now look at the diamonds, the same test on the same test sets, but for our closest pair alone. From 80 % on they run
# far below the steps: of its verdicts at 90 to 94.9 %, not even 70 in a hundred are right.
#
# ## Whose verdicts?
#
# Here are the right and the wrong verdicts at 95 % about the closest pair, the wrong ones about all nine pairs, and the number of
# pairs without any wrong one:

# %%
right = sum((won >= 950).sum(axis=0) for won in verdicts.values())
wrong = sum((won <= 50).sum(axis=0) for won in verdicts.values())
right[CLOSEST], wrong[CLOSEST], wrong.sum(), (wrong == 0).sum()

# %% tags=["remove-input", "remove-output"]
small = [
    (np.sum(verdicts[n][:, CLOSEST] >= 950), np.sum(verdicts[n][:, CLOSEST] <= 50))
    for n in (100, 300)
]
headline("our closest pair: wrong verdicts at 95 %", wrong[CLOSEST])
headline("of so many", right[CLOSEST] + wrong[CLOSEST])
assert (right[CLOSEST], wrong[CLOSEST], wrong.sum()) == (50, 7, 14) and np.array(small).sum(
    axis=0
).tolist() == [36, 7]
assert (wrong == 0).sum() == 5
closest_of_his = printed[printed["comparison"] == "Portuguese better than Danish"]
cells = closest_of_his.set_index("sample_size")[["correct_pct", "wrong_pct"]]
assert cells.loc["100"].tolist() == ["7", "2"] and cells.loc["300"].tolist() == ["12", "1"]

# %% [markdown]
# Half of the wrong verdicts are about the closest pair. Of its 57 verdicts 7 are wrong, one in eight. Koehn's closest
# pair is similar: of about 40 verdicts on his two smallest sizes some 7 are wrong. About five pairs there is no wrong
# verdict at all: they differ so much that none of our test sets led to one.
#
# So the share of verdicts that are right depends on *which pairs one compares*. Koehn took nine, most of them far
# apart, and so did we; that is why so few are wrong in either table. With close pairs the same test at the same 95 % gives another
# table. The 95 % are not the probability that a verdict is right.
#
# ## What 95 % does promise
#
# What Koehn calls 95 % is a level of .05, and in unit 3 a level was a promise about one case only, that there is
# nothing to find. Let us make such a case. A coin decides for each sentence which of two outputs goes to which
# system. So here, unlike in unit 1, outputs *are* assigned at random: they are exchangeable, and neither system is
# better. (Systems may also be equally good without that; unit 15 comes to them.) Below, `exact_nulls` makes a
# thousand such pairs, of 300 sentences each, and `null_pvalues` tests them. Koehn's p is the share of resamples that
# the first system does *not* win, so one minus p is the share that it wins.
#
# > **Make a guess.** In each pair neither system is better. In how many of the thousand pairs will one of the two,
# > whichever it is, win 95 % of the resamples or more: about 5, about 50, or about 100?
# >
# > <details><summary>about 5</summary>That was for real pairs. Here nobody is better, so every verdict is
# > wrong.</details>
# > <details><summary>about 50</summary>That is one side. Whichever system wins is claimed, so both sides
# > count.</details>
# > <details class="right"><summary>about 100</summary>So it is: 50 at either side.</details>

# %%
some = real.select(["jhu de", "jhu cs"]).subset(np.arange(0, 6000, 20))
even = mt.simulate.exact_nulls(some, *some.systems, n_pairs=1000, rng=13)
options = {"alternative": "greater", "counting": "plain", "rng": 5}
p = mt.simulate.null_pvalues(even, "paired-bootstrap", **options)
won = 1 - p
(won >= 0.95).sum(), (won <= 0.05).sum()

# %% tags=["remove-input"]
draw_even(won)
plt.show()

# %% tags=["remove-input", "remove-output"]
picked = ((won >= 0.95) | (won <= 0.05)).mean()
doubled = ((won >= 0.975) | (won <= 0.025)).mean()
headline("false claims at .05, side named beforehand", (won >= 0.95).mean(), spec=".3f")
headline("false claims at .05, winner picked after looking", picked, spec=".3f")
headline("the same, counting both sides", doubled, spec=".3f")
assert (
    ((won >= 0.95).sum(), (won <= 0.05).sum()) == (63, 44)
    and 0.085 < picked < 0.125
    and 0.035 < doubled < 0.065
)
counts = np.histogram(won, np.linspace(0, 1, 21))[0]
assert counts.min() > 25 and counts.max() < 75

# %% [markdown]
# The axis runs from test sets on which the first system hardly wins a resample to those on which it wins nearly all.
# The bars are about equally high, with 50 test sets each, a dozen or so more or fewer by luck. If there is no
# difference, every share is as common as any other: 97 % is as common as 52 %. The coloured bars at the ends are
# verdicts, all of them wrong.
#
# Move the share of resamples that a system has to win before a verdict is drawn. Where do fifty of the thousand test
# sets have one, both ends together?


# %% tags=["remove-input", "nbval-ignore-output"]
def verdicts_at(ax, share):
    """Test sets on which either system wins at least that share of resamples, in per cent."""
    ends = (100 * won >= share) | (100 * won <= 100 - share)
    bins = np.linspace(0, 100, 81)
    ax.hist(
        [100 * won[ends], 100 * won[~ends]], bins, stacked=True, color=[style.EMPHASIS, style.CALM]
    )
    ax.set(xlabel="resamples won by the first system (%)", ylabel=f"test sets of {len(won):,}")
    title = f"{share} % or more demanded: {ends.sum()} wrong verdicts on {len(won):,} test sets"
    ax.set_title(title, loc="left", fontsize=11)


movable(verdicts_at, share=[90, 92.5, 95, 96, 97, 97.5, 98, 99, 99.5])

# %% [markdown]
# **The guess.** About 100; ours are 63 and 44. Each bar at an end has about five test sets of a hundred. If you have
# named the first system beforehand, only the bar at the right counts, and its five in a hundred are what the level
# promises. Whoever looks first and then claims the winner, as we all did in the tables above, takes both bars, and is
# wrong on ten in a hundred. The remedy is known from unit 3: count both sides. A two-sided test at .05 asks for 975
# resamples of 1,000, and finds a difference on some 50 of the thousand.
#
# That is all the promise there is: *so many false claims in a hundred tests where there is nothing to find*. Our
# closest pair is not such a case, because its systems differ by half a point. It had 7 wrong verdicts in 460 tests,
# fewer than five in a hundred. That they were one in eight of its verdicts is another matter, about which nothing was
# promised.
#
# ## What this does not tell you
#
# - **How often published verdicts are wrong.** That depends on how close the published pairs are, which nobody knows.
# - **What silence means.** On most test sets our closest pair gets no verdict, although the two differ. No verdict is
#   not the verdict that there is no difference.
# - **What happens on real, new sentences.** In our population the sentences are mixed; it was made so that the test's
#   assumptions hold.
#
# ## Check yourself
#
# > **"We compared A and B at 95 %, and A is better. So in 95 of 100 such papers A is really better." What is wrong?**
# >
# > <details><summary>95 should be 90</summary>The sentence is wrong with any other number as well. The level is about
# > pairs of systems without a difference.</details>
# > <details><summary>Nothing</summary>On nearly equal systems far fewer than 95 of 100 such claims are right.</details>
# > <details class="right"><summary>The level says nothing about the share of claims that are
# > right</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Among papers on clearly different systems it will be nearly all, among papers on nearly equal ones far fewer. The
# level says how often a difference is claimed where there is *none*, and nothing about the share of claims that are
# right.
#
# </details>
#
# > **"The system won 96 % of the resamples. So the probability that it is better is 96 %." Which picture of this unit
# > contradicts that?**
# >
# > <details><summary>The first one</summary>There the share of wins is drawn for systems that do differ.</details>
# > <details class="right"><summary>The last one</summary>This is correct.</details>
# > <details><summary>None of them</summary>Look at the last one: where neither system is better, 96 % is as frequent as
# > 52 %.</details>
#
# <details><summary>Answer</summary>
#
# The last one: there neither system is better, and 96 % is as frequent as 52 %. Or the diamonds in the one before.
#
# </details>
#
# > **A test set of 300 gave a verdict, another 300 sentences of the same kind did not. A colleague concludes that one
# > of the two was badly put together. Is it likely?**
# >
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes</summary>With a true difference of two points a third of the test sets gave no verdict, and
# > all were drawn alike.</details>
# > <details><summary>Yes, if one has a p near .05</summary>That is just what many well-made test sets give where power
# > is middling.</details>
#
# <details><summary>Answer</summary>
#
# No. With a true difference of two points a third of the test sets gave no verdict, and all were drawn in the same
# way. Disagreement is to be expected where power is neither near 0 nor near 1.
#
# </details>
#
# ## Exercises
#
# **1.** Ask for 99 % instead of 95 %. How many of the 4,140 tests give a verdict now, how many of these are wrong,
# and how many right ones were lost?
#
# <details><summary>Answer</summary>
#
# `(every >= 990).sum(), (every <= 10).sum()` gives 1,513 and 2. Twelve of the fourteen wrong verdicts are gone, and
# with them 710 of 2,223 right ones.
#
# </details>
#
# **2.** In the cell with the coins, take `["uedin de", "uedin cs"]` and other values of `rng` in `exact_nulls`. How
# far from 100 does the number of wrong verdicts get?
#
# <details><summary>Answer</summary>
#
# For `rng=13` there are about 90, and other seeds give mostly 80 to 120, as a thousand tosses with one chance in ten
# do. The pair matters little: where a coin assigns the outputs, all pairs are alike.
#
# </details>
#
# **3.** Our population was mixed. Cut the real 6,003 sentences into twenty blocks of 300 instead:
# `wins_on(real, [np.arange(300 * i, 300 * i + 300) for i in range(20)])` says how many of 1,000 resamples the truly
# better system of each pair won. How many verdicts are right, and how many wrong?
#
# <details><summary>Answer</summary>
#
# 102 are right and 45 wrong, nearly a third. (With `np.arange(i, 6000, 20)`, broad samples, 119 are right and none is
# wrong.) As in unit 8, the resamples knew only the block, and the verdict may well be right *about that*: it is
# mostly news written in one language. Unit 12 takes it from here.
#
# </details>

# %% tags=["remove-input", "remove-output"]
broad = wins_on(real, [np.arange(i, 6000, 20) for i in range(20)])  # exercise 3
blocks = wins_on(real, [np.arange(300 * i, 300 * (i + 1)) for i in range(20)])
headline("nine pairs on twenty broad samples: wrong verdicts", int((broad <= 50).sum()))
headline("nine pairs on twenty blocks: wrong verdicts", int((blocks <= 50).sum()))
headline("nine pairs on twenty blocks: verdicts", int(((blocks <= 50) | (blocks >= 950)).sum()))
assert ((every >= 990).sum(), (every <= 10).sum()) == (1513, 2)  # exercise 1
assert (every >= 950).sum() - 1513 == 710
assert ((broad >= 950).sum(), (broad <= 50).sum()) == (119, 0)
assert ((blocks >= 950).sum(), (blocks <= 50).sum()) == (102, 45)
assert 0.27 < (blocks <= 50).sum() / ((blocks <= 50) | (blocks >= 950)).sum() < 0.36

# %% [markdown]
# ---
#
# *Before this:* [unit 10, The same sentences for both](10_the_same_sentences_for_both.ipynb). *After this:* [unit 12,
# What is the unit?](12_what_is_the_unit.ipynb). *To practise:* [lab
# 5](../labs/student/lab_05_the_same_sentences.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
