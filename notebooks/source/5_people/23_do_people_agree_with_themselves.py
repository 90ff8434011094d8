# %% [markdown]
# # 23 · Do people agree with themselves?
#
# Somebody reads a translation, moves a slider to 72, and goes on. Some dozens of items later the very same translation
# comes up again. Does the same person give the same 72? If not, what is a difference between two systems worth that was
# computed from such scores? And how do the organisers of an evaluation get from them to a star in a table?
#
# <details><summary>After this unit you can …</summary>
#
# - say why noisy single ratings do not rule out a small difference (question 1);
# - say when to use the rank-sum test, and when the signed-rank test (questions 2 and 3, exercise 2);
# - compute an exact rank-sum p-value by hand (exercise 1).
#
# Before this: unit 22. About 21 minutes to read, 26 to teach with a discussion. New terms: rank-sum test, signed-rank
# test.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.width = 110
made_up = np.random.default_rng(2014)
made_up.normal(size=2400)  # the same numbers as in the table of replications


def draw_repeats(twice):
    """First and second score of the same item by the same rater; those far apart stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(5.6, 5.0))
    far = (twice["SYSTEM"] - twice["REPEAT"]).abs() >= 20
    ax.axline((0, 0), slope=1, color=style.INK, linewidth=1, linestyle="--")
    for which, colour, label in (
        (~far, style.CALM, f"less than 20 apart: {(~far).sum()}"),
        (far, style.EMPHASIS, f"20 or more apart: {far.sum()}"),
    ):
        part = twice[which]
        ax.scatter(
            part["SYSTEM"],
            part["REPEAT"],
            s=14,
            color=colour,
            alpha=0.6,
            linewidth=0,
            label=label,
            clip_on=False,
        )
    ax.set(
        xlabel="score", ylabel="score when it came again", xlim=(0, 100), ylim=(0, 100), aspect=1
    )
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    style.describe(
        figure,
        "1,033 items that a rater scored twice, the second score against the first. Most points lie near the diagonal, "
        "but about a fifth are coloured, 20 points or more away from it, some of them along the edges.",
    )
    return figure


def draw_deals(dealt, observed):
    """Shares of comparisons won when scores are dealt out at random, both ends coloured."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    distance = observed - 0.5
    edges = 0.5 + distance * np.arange(-10, 11) / 5
    right, left = dealt >= observed, dealt <= 1 - observed
    ax.hist(
        [dealt[right], dealt[left], dealt[~right & ~left]],
        edges,
        stacked=True,
        color=[style.EMPHASIS, style.ORANGE, style.MUTED],
        label=[
            f"Manifold as far ahead: {right.sum()}",
            f"NiuTrans as far ahead: {left.sum()}",
            "neither",
        ],
    )
    for x in (observed, 1 - observed):
        ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
    ax.set(
        xlabel="share of comparisons that Manifold wins",
        ylabel="deals of 5,000",
    )
    figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    style.describe(
        figure,
        "A hill of 5,000 dealt shares around one half. Both ends are coloured, beyond the observed .527 and beyond .473, and "
        "are about equally large.",
    )
    return figure


# %% [markdown]
# ## The same thing twice
#
# In the ratings of unit 22, Icelandic to English, each package of work contained some outputs twice. That was meant
# for quality control, but it answers our question.
#
# > **Make a guess.** A hundred outputs come again to the same rater. How many get a second score that is 20
# > points or more away from the first, on the scale from 0 to 100: about 2, about 20, or about 50?
# >
# > <details><summary>about 2</summary>We like to think that we are consistent. Few are.</details>
# > <details class="right"><summary>about 20</summary>So it is, nearly one in five.</details>
# > <details><summary>about 50</summary>It is not as bad as that.</details>

# %%
import mtsig_nb as mt

people = mt.load("wmt21/is-en").human
items = ["rater", "hit", "system", "segment"]
twice = people.frame.pivot_table(index=items, columns="type", values="raw")
twice = twice[["SYSTEM", "REPEAT"]].dropna()
(twice["SYSTEM"] - twice["REPEAT"]).abs().quantile([0.25, 0.5, 0.75, 0.9])

# %% tags=["remove-input"]
draw_repeats(twice)
plt.show()

# %% tags=["remove-input", "remove-output"]
apart = (twice["SYSTEM"] - twice["REPEAT"]).abs()
far = (apart >= 20).mean()
headline("WMT21 is-en: repeats whose two scores are 20 points or more apart", far, spec=".3f")
edge = (twice <= 2).any(axis=1) | (twice >= 98).all(axis=1)
assert {(94, 0), (0, 71)} <= set(twice.itertuples(index=False, name=None))
assert 5 < (apart >= 20).sum() / (edge & (apart >= 20)).sum() < 7
assert len(twice) == 1033 and apart.median() == 5 and 0.15 < (apart >= 20).mean() < 0.22


# %% [markdown]
# Each point is an output that one person scored twice: the first score to the right, the second upwards. Start on the
# dashed diagonal, where both are the same. Half of the points are within five of it (the line 0.50 of the output).
# Now look at the coloured ones, which are 20 or more away. They are all over the place, and one in six of them lies
# at the left or the lower edge, where a 94 became a 0 or a 0 became a 71. That looks less like second thoughts than
# like a slip of the hand, or a tired rater.
#
# **The guess.** About 20, nearly one in five. A single score is worth little, then. To conclude something from a
# thousand of them we must know how far chance alone moves them. We need a test, and one which a slipped hand does not
# throw off: between a 72 and a 0 there are 72 points, though the 0 says nothing about the system.
#
# ## Who wins more comparisons?
#
# The idea is to forget the points and keep the order. Here are three scores of each of two systems:

# %%
A, B = [70, 85, 90], [40, 60, 75]
sum(a > b for a in A for b in B)

# %% [markdown]
# Of the nine comparisons between a score of A's and a score of B's, A wins eight; only 70 against 75 is lost. (A tie
# would count as half.) Had the 40 been a 0, it would still be eight. What would chance do? If it made no difference
# whose scores these are, any three of the six might have been A's. There are twenty ways to deal them out.

# %%
six = A + B
deals = [[six[i] for i in three] for three in itertools.combinations(range(6), 3)]
wins = [sum(a > b for a in deal for b in six if b not in deal) for deal in deals]
sum(w >= 8 or w <= 1 for w in wins), len(wins)

# %% tags=["remove-input"]
assert sum(a > b for a in A for b in B) == 8 == sum(a > b for a in A for b in [0, 60, 75])
assert sum(w >= 8 or w <= 1 for w in wins) == 4 and len(wins) == 20
assert stats.mannwhitneyu(A, B, method="exact").pvalue == 0.2

# %% [markdown]
# Four of twenty are at least as far from an even result, in either direction (eight wins or nine, one or none): p is
# .2. This is the **rank-sum test**, a test of two independent samples. It asks whether the scores of one tend to be
# higher. Of the four steps it changes the first, *choose a statistic*, and the second, *say what chance would do*; the
# others stay. The statistic is the number of comparisons won, and chance deals the scores out anew. It is named after
# ranks because one can get the number faster by putting all scores in order and adding up A's places. Wilcoxon did so
# in 1945, Mann and Whitney counted the wins two years later, and it is the same test.
#
# ## Two real systems
#
# Manifold and NiuTrans are second and third of the campaign. They have 861 and 907 segment scores: standard scores as
# in unit 22, averaged over raters. That makes some 780,000 comparisons, and more ways to deal than one can count. So we
# draw five thousand deals. `share` computes Wilcoxon's sum: it adds up the places of Manifold's scores and subtracts
# the smallest sum that they can have. Divided by the number of comparisons, it is the share of them that Manifold wins.

# %%
rng = np.random.default_rng(1945)
samples = people.segment_means().samples()
x, y = samples["Manifold"], samples["NiuTrans"]
ranks = stats.rankdata([*x, *y])


def share(ranks):
    least = len(x) * (len(x) + 1) / 2
    return (ranks[: len(x)].sum() - least) / (len(x) * len(y))


dealt = np.array([share(rng.permutation(ranks)) for _ in range(5000)])
as_far = (dealt >= share(ranks)).sum()
share(ranks), (as_far + 1) / (5000 + 1)

# %% tags=["remove-input"]
draw_deals(dealt, share(ranks))
plt.show()

# %% tags=["remove-input", "remove-output"]
one_side = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic")
assert (len(x), len(y)) == (861, 907) and 775_000 < len(x) * len(y) < 785_000
by_counting = ((x[:, None] > y) + 0.5 * (x[:, None] == y)).mean()
assert np.isclose(by_counting, share(ranks)) and round(share(ranks), 3) == 0.527
assert abs((as_far + 1) / (5000 + 1) - one_side.pvalue) < 0.008
assert round(one_side.pvalue, 3) == 0.027 and 0.05 < 2 * one_side.pvalue < 0.055

# %% [markdown]
# The horizontal axis is the share of comparisons that Manifold wins after a deal, the height of a bar the number of
# deals. The hill stands around one half. Look at the dashed line on the right, the observed .527, and at the small
# coloured end beyond it: some 27 of a thousand deals. Then look at its counterpart on the left, where NiuTrans would
# have been as far ahead. If nobody's scores tended to be higher, the observed line would most often stand well inside
# the hill.
#
# WMT counts one end and gives this pair a star, for p below .05. It does so for whichever system is ahead. Unit 3
# explained the problem: nobody chose one side before looking. With both ends counted, p is .053 by the formula that WMT
# uses (our five thousand deals give about .055).
#
# ## To the last digit
#
# The organisers published the p-value of each pair with a star. Here are the first of them beside ours, computed from
# the ratings, and below them how many there are in each campaign.

# %%
published = mt.load("wmt21/is-en").published["wilcoxon"]
ours = people.wmt().table.merge(published, on=["system_a", "system_b"])
for name, p, theirs in ours[["system_b", "pvalue", "p_value"]].head(3).to_numpy():
    print(f"Facebook-AI against {name:9}  ours {p:.11e}, published {theirs:.11e}")

# %% tags=["remove-input"]
rows, stars, both_sides = [], 0, 0
campaigns = mt.list_campaigns().query("human.str.contains('direct assessment, ')")["name"]
for name in campaigns:
    each = mt.load(name)
    table = each.human.wmt().table
    theirs = each.published["wilcoxon"].query("p_value > 0")
    same = table.merge(theirs, on=["system_a", "system_b"])
    digits = np.isclose(same["pvalue"], same["p_value"], rtol=1e-12, atol=0)
    rows.append((name, len(same), int(digits.sum())))
    stars += int((table["pvalue"] < 0.05).sum())
    both_sides += int((2 * table["pvalue"] < 0.05).sum())
nine = pd.DataFrame(rows, columns=["campaign", "p-values", "to 12 digits"]).set_index("campaign")
nine

# %% tags=["remove-input", "remove-output"]
assert len(nine) == 9 and (nine["p-values"] == nine["to 12 digits"]).all()
assert (ours["system_a"].head(3) == "Facebook-AI").all()
headline(
    "WMT21 is-en: published p-values that come out to 12 digits",
    int(nine.loc["wmt21/is-en", "to 12 digits"]),
)
headline("the same, all nine campaigns", int(nine["to 12 digits"].sum()))
headline("stars of nine campaigns, one-sided at .05", stars)
headline("of these, also two-sided", both_sides)
assert (stars, both_sides, nine["to 12 digits"].sum()) == (435, 383, 431)

# %% [markdown]
# The table has all campaigns of the kit with ratings like these, and all 431 published p-values come out to twelve
# digits. (Four more were too small for the organisers' software and printed as 0.) For that, even the rounding had to
# be the same, because in the sixteenth digit a tie can become a win. And the stars? There are 435. Count both ends,
# and 383 are left.
#
# ## But both translated the same sentences
#
# The rank-sum test takes the two samples as unrelated. Yet a hard sentence is hard for both systems. Where both have
# a score for the same segments, one can subtract, as in [unit
# 10](../2_a_score_and_two_of_them/10_the_same_sentences_for_both.ipynb). Suppose that on four segments A's lead is 5,
# −2, 8 and 11. By size they have the ranks 2, 1, 3, 4, and A's are 2 + 3 + 4 = 9 of 10. If the outputs might as well
# have been exchanged, a coin decides each sign:

# %%
totals = [np.dot(signs, [2, 1, 3, 4]) for signs in itertools.product([0, 1], repeat=4)]
sum(t >= 9 or t <= 1 for t in totals), len(totals)

# %% tags=["remove-input"]
assert sum(t >= 9 or t <= 1 for t in totals) == 4 and len(totals) == 16
assert stats.wilcoxon([5, -2, 8, 11], method="exact").pvalue == 0.25

# %% [markdown]
# Four of sixteen, p = .25. The **signed-rank test** is Wilcoxon's test of paired scores, which asks whether their
# differences are symmetric about zero. Its statistic is the sum of the ranks of the differences in favour of A. Chance
# is a coin for each segment, as in unit 5. Again only the order counts, so that a slipped hand is no more than one
# large rank.
#
# Which of the two should one take? We can make worlds without a difference out of real scores: for each segment a
# coin decides which of the two scores goes to whom. The scores are those of experts (WMT21, English to German), who
# judged both systems on the same 527 segments. At a level of .05 a test may claim something in 5 % of these worlds.

# %%
experts = mt.load("wmt21/en-de").judgements["mqm"].matrix()
a, b = experts.loc[["UEdin", "eTranslation"]].to_numpy()
coins = np.random.default_rng(23).integers(2, size=(4000, len(a))) == 1
one, other = np.where(coins, a, b), np.where(coins, b, a)
p_sum = stats.mannwhitneyu(one, other, axis=1).pvalue
p_signed = stats.wilcoxon(one, other, axis=1, correction=True, method="asymptotic").pvalue
(p_sum < 0.05).mean(), (p_signed < 0.05).mean()

# %% tags=["remove-input", "remove-output"]
headline("rank-sum test, claims at .05 without a difference", (p_sum < 0.05).mean(), spec=".3f")
headline("signed-rank test, the same", (p_signed < 0.05).mean(), spec=".3f")
assert (p_sum < 0.05).mean() < 0.03 and 0.045 < (p_signed < 0.05).mean() < 0.055
assert len(a) == 527 and 0.2 < np.corrcoef(a, b)[0, 1] < 0.3

# %% [markdown]
# The signed-rank test keeps its promise. The rank-sum test makes far fewer false claims than .05 allows. It counts the
# difficulty that both systems share as noise. So on such data it usually has less power. (If the two systems' scores
# were negatively correlated, the rank-sum test would make more false claims than .05 allows.) Where systems were judged
# on different segments, only the rank-sum test can be used. WMT's systems were judged on segments that are only partly
# the same. Then the rank-sum test leaves out which scores belong together, and the signed-rank test leaves out segments
# that only one of the two has.
#
# ## A second question
#
# Graham, Mathur and Baldwin (2014) asked their raters two things: is the meaning there (adequacy), and is it good
# English (fluency)? Where adequacy found no difference, fluency decided. Their ratings are not public, nor do we know
# public ones that have both. So we make up two thousand pairs of systems, with no difference in either. (`made_up`
# draws at random, as `rng` does.)
#
# > **Make a guess.** Each question is tested at .05. In how many of a hundred such pairs will "adequacy, then
# > fluency" declare one of two equal systems better: about 3, 5, or 10?
# >
# > <details><summary>about 3</summary>If both questions had to find a difference, it would be far rarer, about one pair
# > in 400. Here the second is asked when the first finds nothing.</details>
# > <details><summary>about 5</summary>That is one question's promise. There are two chances.</details>
# > <details class="right"><summary>about 10</summary>So it is: a second chance is a second chance to err.</details>

# %%
adequacy, fluency = made_up.normal(size=(2, 2, 2000, 100))  # questions, systems, pairs, segments
p_adequacy = stats.mannwhitneyu(*adequacy, axis=1).pvalue
p_fluency = stats.mannwhitneyu(*fluency, axis=1).pvalue
(p_adequacy < 0.05).mean(), ((p_adequacy < 0.05) | (p_fluency < 0.05)).mean()

# %% tags=["remove-input", "remove-output"]
alarm_one = (p_adequacy < 0.05).mean()
alarm_both = ((p_adequacy < 0.05) | (p_fluency < 0.05)).mean()
both_halved = ((p_adequacy <= 0.025) | (p_fluency <= 0.025)).mean()
assert 0.04 < both_halved < 0.06
headline("false claims at .05, adequacy alone", alarm_one, spec=".3f")
headline("false claims at .05, adequacy with fluency as tie-break", alarm_both, spec=".3f")
assert 0.035 < alarm_one < 0.065 and 0.09 < alarm_both < 0.11

# %% [markdown]
# **The guess.** About 10. Whoever gets a second chance errs twice as often, or nearly so. (In our world the two
# questions have nothing to do with each other. The more alike people answer them, the less does the second one add.) A
# tie-break sounds careful, but it gives a second chance for a false claim. Testing each question at .025 keeps both
# together within .05.
#
# ## What this does not tell you
#
# - **How large a difference is.** A system that wins 53 % of comparisons may be a little better everywhere or much
#   better in a few places.
# - **Whether means differ.** The rank-sum test asks whose scores *tend* to be higher, the signed-rank test about
#   symmetry. With skewed scores the system that wins more comparisons may even have the lower mean.
# - **Whether the units are right.** Segments were dealt out as if each came from a rater of its own. Unit 22 showed
#   what one rater can do, and [unit 24](24_rankings.ipynb) lets people be the units.
#
# ## Check yourself
#
# > **"One in five repeats is off by 20 points, so a difference of a tenth of a standard deviation between systems
# > cannot be real." Right or wrong?**
# >
# > <details><summary>Right</summary>Errors that favour nobody shrink in an average over many ratings.</details>
# > <details><summary>Right, for a single rater</summary>A single rater's errors shrink in the average over segments,
# > too.</details>
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. Errors that favour nobody shrink in an average: they are divided by the square root of the number of scores
# (unit 9). They lower the power of a test. They do not make its findings false.
#
# </details>
#
# > **Two systems were judged on the same 500 segments, and the rank-sum test gives p = .08. May one take the
# > signed-rank test's .03 instead?**
# >
# > <details><summary>Yes, .03 is the right p</summary>It is not the right p if it was chosen after both were seen.
# > Whoever takes the smaller of two p-values makes false claims too often.</details>
# > <details class="right"><summary>It is better, and should have been chosen before</summary>This is correct.</details>
# > <details><summary>No, the first test counts for ever</summary>The signed-rank test fits such data better. What is
# > wrong is the order.</details>
#
# <details><summary>Answer</summary>
#
# The signed-rank test is the better choice here, but the choice should have been made before looking. Whoever tries
# both tests and keeps the smaller p has a second chance of a false claim, as with fluency.
#
# </details>
#
# > **Why could we not use the signed-rank test on the scores 70, 85, 90 and 40, 60, 75?**
# >
# > <details class="right"><summary>The scores are not in pairs</summary>This is correct.</details>
# > <details><summary>They are too few</summary>With few scores a test may be exact, and see little. Here it cannot be
# > made at all.</details>
# > <details><summary>They are not normal</summary>Neither test needs that. The signed-rank test needs
# > differences.</details>
#
# <details><summary>Answer</summary>
#
# Nothing says which score of A's belongs to which of B's. Without common segments there are no differences, only two
# samples.
#
# </details>
#
# ## Exercises
#
# **1.** A has 70, 85, 90 again, but B has 40, 60 and 65. What is p, and could three against three give less?
#
# <details><summary>Answer</summary>
#
# A wins all nine comparisons. Of twenty deals two are as far from an even result: p = .1. That is the least there is:
# counting both ends, three against three can never reach .05.
#
# </details>
#
# **2.** How many of the 136 pairs of en-de do the two tests tell apart at .05? Use `mt.human.rank_sum_test(means)`
# and `mt.human.signed_rank_test(means)` with `means = mt.load("wmt21/en-de").judgements["mqm"]`.
#
# <details><summary>Answer</summary>
#
# `(test.conclusions().pairs() != 0).sum()` is 93 for the rank-sum and 106 for the signed-rank test. For UEdin and
# eTranslation only the rank-sum test finds a difference: its p is .02, and that of the signed-rank test is .09. The two
# tests ask different questions. And more than two fifths of the differences between these two systems are exactly zero;
# the signed-rank test leaves them out.
#
# </details>

# %% tags=["remove-input"]
from mtsig_nb import human

means = mt.load("wmt21/en-de").judgements["mqm"]
tests = [test(means) for test in (human.rank_sum_test, human.signed_rank_test)]
assert [int((t.conclusions().pairs() != 0).sum()) for t in tests] == [93, 106]
assert 0.4 < np.mean(a == b) < 0.5
pair = [t.to_frame().query("system_a == 'UEdin' and system_b == 'eTranslation'") for t in tests]
assert [round(p["pvalue"].item(), 2) for p in pair] == [0.02, 0.09]
assert stats.mannwhitneyu(A, [40, 60, 65], method="exact").pvalue == 0.1

# %% [markdown]
# ---
#
# *Before this:* [unit 22, From ratings to a gold standard](22_from_ratings_to_a_gold_standard.ipynb). *After this:*
# [unit 24, Rankings](24_rankings.ipynb). *To practise:* [lab 10](../labs/student/lab_10_people.ipynb). *Words* are in
# the [glossary](../../docs/glossary.md).
