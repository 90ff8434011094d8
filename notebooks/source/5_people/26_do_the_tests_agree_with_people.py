# %% [markdown]
# # 26 · Do the tests agree with people?
#
# We have three tests that were not seen to break their promise where outputs are exchangeable, a handful of metrics,
# and people. Each of them ends with a conclusion about two systems: better, worse, or no difference found. Suppose that
# you want to end where people would have ended. Does it matter which test you take? Does it matter which metric? And
# can a table of percentages tell you, if somebody prints it?
#
# <details><summary>After this unit you can …</summary>
#
# - say why equal shares of correct conclusions are not the same conclusions (question 1);
# - say what must be known before two accuracies are compared (question 2);
# - predict what fewer decisions by people do to a metric's correct conclusions (question 3, exercise 1).
#
# Before this: units 15 and 22. About 20 minutes to read, 25 to teach with a discussion. New terms: agreement.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.2f}".format

METRICS = ["BLEU", "NIST", "METEOR", "TER"]
KINDS = {
    "correct": style.SKY,
    "missed": style.CALM,
    "unfounded": style.ORANGE,
    "opposite": style.INK,
}
TESTS = {
    "paired-bootstrap": "paired bootstrap",
    "bootstrap": "bootstrap test",
    "approximate-randomization": "randomization",
}
LEVELS = [0.05, 0.01, 0.001]


def draw_pairs(result):
    """One cell a pair, both axes in people's order, coloured by what became of the conclusion."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 5.7))
    systems, kinds = list(result.gold.systems), list(KINDS)
    codes = np.full((len(systems), len(systems)), np.nan)
    for row in result.table.itertuples():
        codes[systems.index(row.system_a), systems.index(row.system_b)] = kinds.index(row.kind)
    colours = ListedColormap(list(KINDS.values()))
    ax.pcolormesh(codes, cmap=colours, vmin=-0.5, vmax=3.5, edgecolors="white")
    ax.set_xticks(np.arange(len(systems)) + 0.5, systems, rotation=90)
    ax.set_yticks(np.arange(len(systems)) + 0.5, systems)
    ax.set(
        xlabel="ranked lower by people", ylabel="ranked higher by people", ylim=(len(systems), 0)
    )
    handles = [Patch(color=c, label=f"{k} ({result.kinds[k]})") for k, c in KINDS.items()]
    ax.legend(handles=handles, loc="lower left", frameon=False)
    style.describe(
        figure,
        "All 66 pairs of twelve systems in people's order. Far from the diagonal BLEU and people mostly conclude the same; along it "
        "BLEU sees differences that people do not; one pair, of the third last and the last system, is opposite.",
    )
    assert [int((codes == k).sum()) for k in range(4)] == result.kinds.tolist()
    return figure, codes


def grids(n_resamples):
    """The agreement of METRICS under three tests at three levels with people, for both languages."""
    options = {"alternative": "greater", "correction": None, "interval": None, "rng": 2014}
    found = {}
    for name in ("wmt12/es-en", "wmt12/en-es"):
        one, found[name] = mt.load(name), {}
        gold = one.human.conclusions(alpha=0.05)
        for metric, test in itertools.product(METRICS, TESTS):
            counts = one.statistics(metric)
            tested = mt.compare_all(counts, test=test, n_resamples=n_resamples, **options)
            for level in LEVELS:
                both = tested.conclusions(alpha=level), gold
                found[name][metric, test, level] = mt.agreement(*both, n_resamples=1, rng=1)
    return found


def beside_printed(grid, number):
    """Correct conclusions by metric, level and test: the printed table and ours."""
    printed = printed_table("graham2014", number).rename(columns={"correct_conclusions": "correct"})
    rows = [(*key, one.correct) for key, one in grid.items()]
    ours = pd.DataFrame(rows, columns=["metric", "test", "alpha", "correct"])
    both = {}
    for title, table in (("printed", printed), ("ours", ours)):
        table = table.assign(
            alpha=table["alpha"].astype(float), correct=table["correct"].astype(int)
        )
        table = table.pivot(index=["alpha", "metric"], columns="test", values="correct")
        both[title] = table[list(TESTS)].rename(columns=TESTS)
    rows = itertools.product(LEVELS, METRICS)
    both = pd.concat(both, axis=1).loc[list(rows)]
    return both.rename(index=lambda level: f"{level:g}".lstrip("0"), level=0)


def conclusions_of(metric, level, name="wmt12/es-en"):
    """What approximate randomization concluded, from the grid."""
    return found[name][metric, "approximate-randomization", level].conclusions


def draw_levels(panels, totals):
    """Correct conclusions of four metrics against the level, a panel for each gold standard."""
    figure, axes = plt.subplots(len(panels), 1, figsize=(7.2, 5), sharex=True, layout="constrained")
    for ax, (title, table) in zip(axes, panels.items(), strict=True):
        for row, level in enumerate(table):
            ax.axhline(row, color=style.MUTED, linewidth=0.8, zorder=0)
            for number, metric in enumerate(METRICS):
                colour, marker = style.look_of(metric)
                # Each metric has a height of its own: equal counts would hide each other.
                height = row + 0.22 * (number - 1.5)
                ax.plot(
                    table.loc[metric, level],
                    height,
                    color=colour,
                    marker=marker,
                    linestyle="none",
                    label=metric if row == 0 else None,
                )
        if totals[title] is not None:
            ax.axvline(totals[title], color=style.EMPHASIS, linestyle="--")
            ax.annotate(
                "silence",
                (totals[title], 0),
                (4, 0),
                textcoords="offset points",
                color=style.EMPHASIS,
                verticalalignment="center",
            )
        ax.set_title(title, loc="left", fontsize=11)
        ax.set_yticks(range(3), [".05", ".01", ".001"])
        ax.set(ylabel="level", xlim=(0, 66), ylim=(2.5, -0.5))
    axes[-1].set_xlabel("correct conclusions of 66")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    style.describe(
        figure,
        "Correct conclusions of BLEU, NIST, METEOR and TER at three levels, three panels. As printed in 2014 about 50 of 66, fewer at "
        "stricter levels except METEOR and TER; beside our people's sign test 40 to 48, more at stricter levels; beside strengths from the same rankings 47 to 54, at all levels alike.",
    )
    return figure


def in_later_years():
    """Kinds of conclusions of BLEU and chrF in nine campaigns with direct assessment."""
    options = {"n_resamples": 1000, "correction": None, "interval": None, "rng": 10}
    rows = {}
    for name in mt.list_campaigns().query("human.str.contains('direct assessment, ')")["name"]:
        one = mt.load(name)
        gold = one.human.conclusions(alpha=0.05)
        for metric in ("BLEU", "chrF"):
            scored = one.statistics(metric)
            scored = scored.select([s for s in scored.systems if s in gold.systems])
            says = mt.compare_all(scored, **options).conclusions(0.05)
            rows[metric, name] = mt.agreement(says, gold, rng=10).kinds
    return pd.DataFrame(rows).T


# %% [markdown]
# ## Ten pairs, by hand
#
# Graham, Mathur and Baldwin asked these questions in 2014, about the systems of WMT12 from and into Spanish. They
# paid people for ratings of their own, which were never published. So we ask the same about the same systems with the
# people whose judgements *are* public, the rankings of unit 24.
#
# As in the paper, each pair gets two one-sided tests at .05, one in each direction. Together they are a two-sided test
# at .10. Nothing is corrected for the number of pairs. None of the four steps changes in this unit. We have all the
# conclusions, and compare them with others. Here are five of the twelve systems:

# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)
options = {"alternative": "greater", "n_resamples": 5000, "correction": None, "interval": None}
bleu = mt.compare_all(campaign.statistics("BLEU"), rng=2014, **options).conclusions(alpha=0.05)

# %%
five = ["onlineA", "QCRI--primary", "onlineF", "onlineE", "uk-dan-moses"]
pairs = list(itertools.combinations(five, 2))
words = [[judge.word(a, b) for judge in (people, bleu)] for a, b in pairs]
pd.DataFrame(words, index=pd.MultiIndex.from_tuples(pairs), columns=["people", "BLEU"])

# %% tags=["remove-input", "remove-output"]
same = [one == other for one, other in words]
by_hand = dict(zip(pairs, words, strict=True))
assert sum(same) == 7
assert by_hand["onlineE", "uk-dan-moses"] == ["better", "indistinguishable"]
assert by_hand["onlineA", "QCRI--primary"] == ["indistinguishable", "worse"]
assert by_hand["onlineF", "uk-dan-moses"] == ["better", "worse"]

# %% [markdown]
# Go through the lines. On seven of the ten pairs both columns have the same word, and we call such a conclusion
# *correct*. About `onlineA` and QCRI's system BLEU sees a difference and people do not: its conclusion is
# *unfounded*. About `onlineE` and `uk-dan-moses` people see one and BLEU does not: it is *missed*. And about
# `onlineF` and `uk-dan-moses` they contradict each other: the conclusion is *opposite*.
#
# These are four different things, and the first has a name as a share. The **agreement** of a test with people is the
# share of pairs of systems about which two judges, such as a test and people, draw the same conclusion. Note what the
# words do not mean. *Correct* means only that people concluded the same. An *unfounded* difference may be real: people
# may have given too few judgements to show it.
#
# For all 66 pairs the package counts (its two intervals wait for unit 27):

# %%
result = mt.agreement(bleu, people, rng=2014)
result

# %% tags=["remove-input"]
figure, codes = draw_pairs(result)
plt.show()

# %% tags=["remove-input", "remove-output"]
headline("WMT12 es-en, BLEU with approximate randomization at .05: correct of 66", result.correct)
assert result.kinds.tolist() == [41, 1, 23, 1] and (people.pairs() != 0).sum() == 40
near = np.subtract(*np.nonzero(codes == 2)[::-1])
assert (near <= 3).sum() > 18
assert (codes[:, -1] == 3).sum() == 1 and people.systems[-1] == "uk-dan-moses"

# %% [markdown]
# Each cell is a pair. The systems stand in people's order, the best at the top and at the left, so that the distance
# from the diagonal says how far apart two systems are for people. Start in the upper right corner, where the best
# meet the worst. There everybody agrees. Then go down towards the diagonal, where neighbours meet. There lie most of
# the 23 pairs in which BLEU sees a difference and people do not. The single black cell, the opposite conclusion, is
# about the system that people like least. Had BLEU been blunter than people, the cells along the diagonal would be
# correct and others would be missed.
#
# ## Twelve rows, three tests
#
# > **Make a guess.** What changes the number of correct conclusions most: the test, the level, the metric, or the
# > direction of translation?
# >
# > <details><summary>the test</summary>That is what the paper asked, and what it found to matter least.</details>
# > <details class="right"><summary>something else</summary>So it is: the three tests are never more than two pairs
# > apart. Read down the columns to see what moves.</details>
#
# Their Table 1 has four metrics at three levels, and three tests side by side. Here it is, and beside it the same
# table with our people, from 5,000 resamples or shuffles each. (The hidden first cell has `grids`, which runs all the
# tests, and the other helpers.)

# %%
found = grids(n_resamples=5000)
beside_printed(found["wmt12/es-en"], 1)

# %% tags=["remove-input", "remove-output"]
tables = {
    name: beside_printed(found[name], number)
    for name, number in (("wmt12/es-en", 1), ("wmt12/en-es", 2))
}
of_pairs = {"wmt12/es-en": 66, "wmt12/en-es": 55}
spread = max((t["ours"].max(axis=1) - t["ours"].min(axis=1)).max() for t in tables.values())
assert spread == 2 and all(
    (t["printed"].max(axis=1) - t["printed"].min(axis=1)).max() <= 2 for t in tables.values()
)
equal_rows = sum((t["printed"].nunique(axis=1) == 1).sum() for t in tables.values())
identical = {1000: 0, 5000: 0}
for n, some in ((1000, grids(n_resamples=1000)), (5000, found)):
    for grid in some.values():
        for metric, level in itertools.product(METRICS, LEVELS):
            said = [grid[metric, test, level].conclusions.pairs() for test in TESTS]
            identical[n] += int((np.ptp(said, axis=0) == 0).all())
headline("rows of 24 in which all tests conclude the same, 1,000 resamples", identical[1000])
headline("the same with 5,000 resamples", identical[5000])
assert equal_rows == 19 and identical[5000] == 20 and identical[1000] == 14
parted = 0
for grid in found.values():
    for (metric, _, level), one in grid.items():
        by_ar = grid[metric, "approximate-randomization", level]
        parted += int((one.conclusions.pairs() != by_ar.conclusions.pairs()).sum())
assert parted == 7 and 2 * 12 * (66 + 55) == 2904
randomized = {
    name: t["ours", "randomization"].unstack(0).rename(columns=float) for name, t in tables.items()
}
spanish, into = randomized["wmt12/es-en"], randomized["wmt12/en-es"]
assert spanish[0.05].max() - spanish[0.05].min() == 4 and spanish.loc["TER", 0.001] == 45
assert (spanish.max(axis=1) - spanish.min(axis=1)).max() == 5
assert 0.61 < spanish[0.05].mean() / 66 < 0.63 and 0.48 < into[0.05].mean() / 55 < 0.49
inside = {
    name: sum(one.interval[0] < 0.5 < one.interval[1] for one in grid.values())
    for name, grid in found.items()
}
headline("en-es: combinations of 36 whose interval contains 50 %", inside["wmt12/en-es"])
assert inside["wmt12/en-es"] == 36 > inside["wmt12/es-en"]
below_half = printed_table("graham2014", 2)[["ci_low_pct", "ci_high_pct"]].astype(float)
assert (below_half["ci_low_pct"] < 50).all() and (below_half["ci_high_pct"] > 50).all()
first = tables["wmt12/es-en"]["printed", "randomization"].unstack(0).rename(columns=float)
assert first[0.05].idxmax() == "NIST" and first.loc["METEOR", 0.05] == first.loc["TER", 0.05] == 52
assert first[0.05].min() == 52 and spanish[0.05].idxmax() == "METEOR"
assert spanish.loc["NIST", 0.05] == spanish.loc["TER", 0.05] == spanish[0.05].min() == 40

# %% [markdown]
# **The guess.** Not the test. In no row, of theirs or of ours, are the three tests more than two pairs apart, and
# that is the paper's finding. With our people it holds as well. Of 2,904 conclusions of the two bootstraps, from and
# into Spanish, 7 differ from those of randomization. Even of these most may be Monte Carlo error (unit 6): with 1,000
# resamples all tests say the same in 14 rows of 24, with 5,000 in 20. It could hardly be otherwise. All three look at
# the same sentences with the same metric, and unit 15 has shown that their hills have the same shape. (The bootstrap
# as printed in 2005 is not among them.)
#
# Metrics are up to four pairs apart at .05, levels up to five. Most depends on the direction. From Spanish about 62 %
# of our conclusions are correct, into Spanish 49 %. There each of the 36 combinations has an interval that contains
# 50 %, in their Table 2 and in ours. The paper likens it to tossing a coin. But there are three possible conclusions
# about a pair, so chance is not 50 %. Somebody who never claims a difference would be correct in 40 % of the pairs.
# (And these intervals take pairs for independent. Unit
# 27 comes back to it.)
#
# ## A puzzle
#
# Look at the first four rows again. At .05 they have NIST first, with 54, and METEOR and TER last. With us METEOR is
# first, and NIST and TER are last. All their numbers are higher. From .05 to .001, NIST loses six correct pairs in
# their table and *gains* two in ours. The systems are the same, and so are the outputs. What differs is people.
#
# > **Make a guess.** Our people decided 40 of the 66 pairs. How many did theirs decide? The paper does not say, but
# > its table gives it away: fewer than 30, about 40, or more than 50?
# >
# > <details><summary>fewer than 30</summary>Then NIST, which decides 64 pairs, would be wrong on more than it
# > is.</details>
# > <details><summary>about 40</summary>Ours did. Theirs must have decided more, or NIST could not have 54
# > correct.</details>
# > <details class="right"><summary>more than 50</summary>So it is: at least 52, as the table gives away.</details>

# %%
decided = (conclusions_of("NIST", 0.05).pairs() != 0).sum()
wrong = 66 - 54
decided, decided - wrong

# %% tags=["remove-input", "remove-output"]
bounds = []
for (level, metric), right in tables["wmt12/es-en"]["printed", "randomization"].items():
    count = (conclusions_of(metric, float(level)).pairs() != 0).sum()
    bounds.append((count - (66 - right), count + (66 - right)))
assert max(low for low, _ in bounds) == 52 == decided - wrong and decided == 64
assert len(people.pairs()) == 66

# %% [markdown]
# **The guess.** More than 50. NIST decides 64 of the pairs. Every pair that NIST decides and people do not is one of
# its wrong conclusions, and it has only 66 − 54 = 12 of these. So people must have decided at least 64 − 12 = 52. (This
# assumes that NIST decided as many pairs in their study as in ours. A pair more or less changes little.)
#
# Now everything falls into place. At .05 a metric decides nearly all pairs. If people decide only 40 of them, 20 or
# more of its conclusions are unfounded, whatever the metric. If people decide 52, far fewer are. At a stricter level a
# metric decides fewer pairs. Where people decide many pairs, it then loses correct conclusions. Where they decide few,
# it loses unfounded ones.
#
# If that is the reason, then *our* people should give numbers like theirs as soon as they decide more. They can,
# without a single judgement more. In unit 24 we also estimated a strength for each system from all the rankings
# together, after Bradley and Terry. Tests of two strengths decide 55 pairs.

# %%
by_strength = campaign.human.conclusions(alpha=0.05, test="bradley-terry")
(by_strength.pairs() != 0).sum(), mt.agreement(bleu, by_strength, rng=2014).correct

# %% tags=["remove-input"]
strength = pd.DataFrame(
    {
        level: {
            m: mt.agreement(conclusions_of(m, level), by_strength, n_resamples=1, rng=1).correct
            for m in METRICS
        }
        for level in (0.05, 0.01, 0.001)
    }
)
panels = {
    "printed in 2014": first[[0.05, 0.01, 0.001]],
    "our sign test (40 decided)": spanish[[0.05, 0.01, 0.001]],
    "our strengths (55 decided)": strength,
}
draw_levels(panels, dict(zip(panels, (None, 26, 11), strict=True)))
plt.show()

# %% tags=["remove-input", "remove-output"]
headline("WMT12 es-en, people by strengths: BLEU's correct of 66", strength.loc["BLEU", 0.05])
assert (by_strength.pairs() != 0).sum() == 55 and strength.loc["BLEU", 0.05] == 49
assert strength.loc["METEOR", 0.05] == 54 and strength.min().min() >= 47
assert (first.loc["NIST", 0.05] - first.loc["NIST", 0.001]) == 6
assert (spanish.loc["NIST", 0.001] - spanish.loc["NIST", 0.05]) == 2
rising = (spanish[0.001] - spanish[0.05]).drop("BLEU")
assert (rising > 0).all() and abs(strength[0.001] - strength[0.05]).max() <= 2
said_into = mt.load("wmt12/en-es").human.conclusions(alpha=0.05).pairs()
assert (said_into == 0).mean() == 0.4

# %% [markdown]
# The further right a marker stands, the more conclusions of that metric are correct. In each panel the level becomes
# stricter from row to row. The dashed line is the count of somebody who never claims a difference. At .05 the markers
# of the middle panel stand near 40, except METEOR's, and those of the two others near 50. At the stricter levels BLEU
# and NIST lose in the upper panel. In the middle one all but BLEU gain. In the lower one hardly anything changes. If
# the gold standard made no difference, the second and third panels would be the same: they have the same metrics,
# tests and outputs, and even the same judgements.
#
# So before you read that a metric is right in 82 % of all cases, ask how many cases people had decided.
#
# ## Nine later campaigns
#
# A percentage hides the kind of disagreement that should worry us most. In nine campaigns of WMT21 and WMT22 into
# English people rated translations directly (unit 22). Here are BLEU and chrF beside them, tested at .05 on two
# sides.

# %%
later = in_later_years()
later.groupby(level=0).sum()

# %% tags=["remove-input", "remove-output"]
totals = later.groupby(level=0).sum()
for metric in ("BLEU", "chrF"):
    opposite = int(totals.loc[metric, "opposite"])
    headline(f"opposite conclusions of {metric} in nine campaigns", opposite)
assert totals.sum(axis=1).tolist() == [647, 647] and later.shape[0] == 18
assert all(later["opposite"].xs(m).idxmax() == "wmt21/de-en" for m in ("BLEU", "chrF"))
assert 4.5 < totals["unfounded"].sum() / totals["opposite"].sum() < 5.1
assert (later["opposite"].xs("BLEU") == 0).sum() == 3
assert totals["opposite"].to_list() == [48, 43]
gained = later["correct"].xs("chrF") - later["correct"].xs("BLEU")
assert ((gained > 0).sum(), (gained < 0).sum()) == (5, 3)


# %% [markdown]
# Of 647 pairs, BLEU contradicts people on 48 and chrF on 43, about one in fourteen. Most of these lie in few campaigns:
# German–English of WMT21 has the most, and in three of the nine BLEU contradicts nobody. If both sides are meant to
# judge the quality of the systems, an opposite conclusion is an error of at least one of them. The *unfounded* ones,
# some five times as many, may be no errors at all, and more judgements would tell.
#
# ## What this does not tell you
#
# - **What is true.** A gold standard is itself the verdict of a test, at a level, from so many judgements. We have
#   seen how far it can be moved.
# - **That strengths are the better gold standard.** They decide more because they assume more: that one number for
#   each system explains all preferences, and that these are independent. With judges as units 46 pairs are left (unit
#   24).
# - **Which metric is best.** METEOR's lead over NIST is four pairs here, and they share systems.
# - **What their people decided.** 52 is a lower bound that we infer. Their ratings were never published.
#
# ## Check yourself
#
# > **"The three tests have the same accuracy in 19 of 24 rows, so they draw the same conclusions." Does it follow?**
# >
# > <details><summary>Yes</summary>Equal numbers of correct conclusions may be about different pairs.</details>
# > <details><summary>Yes, 19 of 24 is most</summary>Even 24 of 24 would not be enough: equal numbers do not show that
# > the same pairs are correct.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# No. Equal numbers of correct conclusions may be about different pairs. To see that conclusions are the same one has
# to compare them pair by pair, as we did for the 2,904.
#
# </details>
#
# > **A metric's conclusions are correct in 82 % of pairs in one paper, and another metric's in 62 % in another. What do
# > you need to know before you compare them?**
# >
# > <details><summary>Which metric is newer</summary>That explains nothing. The same conclusions may be 41 or 49 of 66
# > correct, depending on the people's test.</details>
# > <details class="right"><summary>How many pairs people decided, and by what test</summary>This is correct.</details>
# > <details><summary>Nothing: 82 is more than 62</summary>What counts as correct was decided in each paper by other
# > people and another test.</details>
#
# <details><summary>Answer</summary>
#
# How many pairs people decided in each, and by what test of how many judgements. BLEU, with its conclusions
# unchanged, is correct on 41 or on 49 of the same 66 pairs, depending on how the same rankings are tested.
#
# </details>
#
# > **A shared task collects half as many judgements as last year. Its metrics decide nearly all pairs and seldom
# > contradict people. All else being equal, what happens to the metrics' numbers of correct conclusions?**
# >
# > <details class="right"><summary>They fall</summary>This is correct.</details>
# > <details><summary>They stay</summary>Metrics go on deciding. People decide fewer pairs, and what people do not
# > decide counts as wrong.</details>
# > <details><summary>They rise</summary>They would rise only if pairs that people leave open did not count as
# > wrong.</details>
#
# <details><summary>Answer</summary>
#
# They fall, since people decide fewer pairs and the metrics go on deciding nearly all. It would look as if metrics
# had become worse, or systems harder to tell apart.
#
# </details>
#
# ## Exercises
#
# **1.** People's conclusions can be corrected for 66 pairs with `correction="holm"` in `campaign.human.conclusions`.
# How many pairs do they decide then, and how many of BLEU's conclusions are correct? Guess first.
#
# <details><summary>Answer</summary>
#
# They decide 23, and BLEU is correct on 24, fewer than silence with its 43. Nothing has happened to BLEU.
#
# </details>
#
# **2.** Find the pairs on which BLEU contradicts people into Spanish: `result.table.query("kind == 'opposite'")` for
# `wmt12/en-es`. What do they have in common?
#
# <details><summary>Answer</summary>
#
# There are eight. In seven of them BLEU's winner is `jhu-hiero` or `uk-dan-moses`, and in seven people's winner is an
# online service or PROMT. These may be built in different ways, and word counts may favour one kind of system; eight
# pairs of so few systems do not prove it.
#
# </details>

# %% tags=["remove-input"]
corrected = campaign.human.conclusions(alpha=0.05, correction="holm")
assert ((corrected.pairs() != 0).sum(), (corrected.pairs() == 0).sum()) == (23, 43)
assert mt.agreement(bleu, corrected, rng=1).correct == 24
there = mt.load("wmt12/en-es").human.conclusions(alpha=0.05)
against = mt.agreement(conclusions_of("BLEU", 0.05, "wmt12/en-es"), there, rng=1).table
against = against.query("kind == 'opposite'")
assert len(against) == 8
assert against["system_b"].isin(["jhu-hiero", "uk-dan-moses"]).sum() == 7
winners = against["system_a"].str.startswith(("online", "PROMT"))
assert winners.sum() == 7

# %% [markdown]
# ---
#
# *Before this:* [unit 25, How alike are two clusterings?](25_how_alike_are_two_clusterings.ipynb) *After this:* [unit
# 27, What accuracy rewards](27_what_accuracy_rewards.ipynb). *To practise:* [lab
# 11](../labs/student/lab_11_tests_against_people.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
