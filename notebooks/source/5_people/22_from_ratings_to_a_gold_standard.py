# %% [markdown]
# # 22 · From ratings to a gold standard
#
# In 2021 a hundred people read translations from Icelandic by ten systems and said how good they were. On average
# they gave HuaweiTSC's the most points, and Facebook's came fifth. The organisers of the evaluation had the same
# ratings, and announced that Facebook's system was the best, and the only one in first place. Nobody cheated, and
# nobody miscounted. Who was right, and how many of the hundred people does the answer hang on?
#
# <details><summary>After this unit you can …</summary>
#
# - say when raw averages and standard scores can disagree (question 1);
# - say what a failed quality control shows about a rater, and what it does not (question 2, exercise 2);
# - name a rule that was made after looking, and find the first system under another rule (question 3, exercise 1).
#
# Before this: unit 6. About 24 minutes to read, 29 to teach with a discussion. New terms: direct assessment, gold
# standard, quality control, rater, rating, standard score.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patheffects import withStroke

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.2f}".format
pd.options.display.width = 110


def draw_raters(frame, marked):
    """The middle half and the median of each rater's scores; two raters stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    scale = frame.groupby("rater")["raw"].describe().sort_values(["50%", "mean"], kind="stable")
    places = np.arange(len(scale))
    ax.vlines(places, scale["25%"], scale["75%"], color=style.MUTED, linewidth=2.5)
    ax.plot(places, scale["50%"], "o", color=style.CALM, markersize=4)
    for rater, (dx, dy) in marked.items():
        at, row = scale.index.get_loc(rater), scale.loc[rater]
        ax.vlines(at, row["25%"], row["75%"], color=style.EMPHASIS, linewidth=2.5)
        ax.plot(at, row["50%"], "o", color=style.EMPHASIS, markersize=6, clip_on=False)
        ax.annotate(
            rater,
            (at, row["50%"]),
            (at + dx, row["50%"] + dy),
            color=style.EMPHASIS,
            path_effects=[withStroke(linewidth=4, foreground="white")],
        )
    ax.set(xlabel="106 raters, in the order of their medians", ylabel="score given", ylim=(-3, 109))
    style.describe(
        figure,
        "For each of 106 raters the median of the scores given and the range of their middle half. Medians climb from 0 to "
        "100; most lie above 60. Rater M0440 stands at the bottom left, M0206 at the top right.",
    )
    return figure


def draw_control(control):
    """How far raters score damaged outputs lower, and how steady they are on repeats."""
    figure, ax = style.figure_and_axes(None)
    table = control.table
    for passes, colour, marker, words in (
        (True, style.CALM, "o", "passes"),
        (False, style.EMPHASIS, "X", "does not pass"),
    ):
        rows = table[table["passes"] == passes]
        places = rows["damaged_difference"], rows["repeats_difference"]
        label = f"{words} ({len(rows)})"
        ax.scatter(*places, color=colour, marker=marker, alpha=0.7, s=24, label=label)
    ax.axvline(0, color=style.MUTED, linewidth=1, zorder=0)
    ax.set_xlabel("points lost by a damaged output (mean)")
    ax.set_ylabel("points between two scores\nof the same item (mean)")
    ax.set_title(f"{len(control.passing)} of {len(table)} raters pass", loc="left")
    ax.legend(frameon=False)
    style.describe(figure, f"Scatter of raters. {control!r}.")
    return figure


def draw_packages(rater_frame, system):
    """All scores of one rater, package by package; one system stands out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    codes, hits = pd.factorize(rater_frame["hit"], sort=True)
    jitter = np.random.default_rng(1).uniform(-0.32, 0.32, len(codes))
    chosen = (rater_frame["system"] == system).to_numpy()
    score = rater_frame["raw"].to_numpy()
    for which, colour, label, size in (
        (~chosen, style.CALM, "all other systems", 16),
        (chosen, style.EMPHASIS, system, 26),
    ):
        ax.scatter(
            (codes + jitter)[which],
            score[which],
            s=size,
            color=colour,
            alpha=0.7,
            linewidth=0,
            label=label,
        )
    ax.set(
        xticks=range(len(hits)),
        xlabel="package of work (the organisers' number)",
        ylabel="score given",
    )
    ax.set_xticklabels(hits)
    ax.legend(frameon=False, loc="upper left")
    style.describe(
        figure,
        "All scores of rater M0440 in six packages of work. Nearly all of them are 0, except in package 125, which "
        "holds outputs of Facebook-AI only and has scores of about 50 and about 25.",
    )
    return figure


# %% [markdown]
# ## Thirteen thousand ratings
#
# A **rater** is a person who judges translations one at a time. A **rating** is one score by one rater for one
# system's translation of one segment. At WMT21 the rater saw the translation beside the reference, and was asked how
# well it has the same meaning. The answer was a place on a slider. Such judgements are called **direct assessment**:
# ratings of one translation at a time, on a scale from 0 to 100.

# %%
import mtsig_nb as mt

campaign = mt.load("wmt21/is-en")
frame = campaign.human.frame
frame.sample(4, random_state=9)

# %% [markdown]
# Raters have numbers instead of names. They work in packages of some dozens of ratings (`hit`), and the column `type`
# says that not all items are ordinary outputs; we come to that. Here are the average scores. Where a translation was
# rated more than once, its ratings are averaged first, because two ratings of one segment are not two segments.

# %%
raw = campaign.human.scores(standardised=False)
raw.head(6)

# %% tags=["remove-input"]
assert raw.index[0] == "HuaweiTSC" and raw.index.get_loc("Facebook-AI") == 4 and len(raw) == 10
assert 13_000 < len(frame) < 14_000 and frame["rater"].nunique() == 106
assert 2.0 < raw["HuaweiTSC"] - raw["Facebook-AI"] < 2.2 and frame["raw"].max() == 100

# %% [markdown]
# Facebook's system is fifth, two points behind the first.
#
# > **Make a guess.** There are 106 raters. How many of them would we have to leave out, at the least, for these
# > averages to put Facebook's system first: about fifty, about ten, or one?
# >
# > <details><summary>about fifty</summary>Averages of a thousand ratings seem robust. They are averages of raters'
# > packages.</details>
# > <details><summary>about ten</summary>Fewer.</details>
# > <details class="right"><summary>one</summary>One: a rater who rated this system 121 times, and gave it 22 points
# > on average.</details>
#
# ## Anna and Ben
#
# Suppose that there are only two raters, and that they rate eight translations in all. Anna is strict and Ben is
# generous. It so happens that Anna got three outputs of A and one of B, and Ben the other way round.

# %%
eight = pd.DataFrame({"rater": ["Anna"] * 4 + ["Ben"] * 4, "system": list("AAABABBB")})
eight["score"] = [20, 30, 40, 10, 100, 70, 80, 90]
eight.groupby("system")["score"].mean(), eight.groupby(["rater", "system"])["score"].mean()

# %% [markdown]
# B is ahead by fifteen points. Now look at the second table. Anna thinks that A is better, by twenty points, and so
# does Ben. Nobody prefers B. Yet the averages put B ahead, because they depend more on who rated than on the systems.
# Most of B's outputs went to generous Ben.
#
# The remedy is to say how far each score lies from what *this rater* usually gives, and to measure it in this rater's
# own steps. A **standard score** is a rating minus its rater's mean, divided by the rater's standard deviation.
# Everybody's standard scores have mean zero, and everybody's vary by the same amount.

# %%
by_rater = eight.groupby("rater")["score"]
eight["z"] = (eight["score"] - by_rater.transform("mean")) / by_rater.transform("std")
eight.groupby("system")["z"].mean()

# %% tags=["remove-input"]
averages = eight.groupby("system")["score"].mean()
assert averages["B"] - averages["A"] == 15
each = eight.groupby(["rater", "system"])["score"].mean().unstack()
assert (each["A"] - each["B"]).tolist() == [20, 20]
assert round(eight.groupby("system")["z"].mean()["A"], 2) == 0.58

# %% [markdown]
# A is ahead, as both of them say. (The letter z is the usual name of a standard score.)
#
# ## Everybody has a scale of their own
#
# Are real raters as different as Anna and Ben?

# %% tags=["remove-input"]
draw_raters(frame, {"M0440": (3, 1), "M0206": (-5, 4)})
plt.show()

# %% tags=["remove-input"]
medians = frame.groupby("rater")["raw"].median()
two = frame.groupby("rater")["raw"].agg(["size", "mean", "std"]).loc[["M0440", "M0206"]]
assert two["mean"].round().tolist() == [9, 98] and medians.min() == medians["M0440"] == 0
sixty = ((60 - two["mean"]) / two["std"]).round()
assert sixty.tolist() == [3, -6] and (medians > 60).mean() > 0.7

# %% [markdown]
# Each rater is a vertical stroke. The dot is the median of this person's scores, with as many above it as below. The
# stroke is where the middle half of them lies. The raters stand in the order of their medians. Follow the dots from
# left to right: they climb from zero to the top of the scale. Then compare the lengths: some people use most of the
# scale, others a few points of it. If all raters used the scale alike and rated outputs of similar quality, the dots
# would lie nearly level. For rater M0440, whose average is 9, a 60 would lie three standard deviations above the usual.
# For M0206, whose average is 98, six below.
#
# So we do with thirteen thousand ratings what we did with eight.

# %%
place = pd.DataFrame({"raw": raw, "z": campaign.human.scores()})
place.sort_values("z", ascending=False, kind="stable").head(6)

# %% tags=["remove-input", "remove-output"]
ratings = campaign.human
per_rater = frame.groupby("rater")["raw"]
z = (frame["raw"] - per_rater.transform("mean")) / per_rater.transform("std")
assert np.allclose(z, ratings.standardised())
ranks = place.rank(ascending=False).astype(int)
published = campaign.published["direct_assessment"].set_index("system")
assert published["z_mean"].idxmax() == "Facebook-AI" and published.loc["Facebook-AI", "wins"] == 9
assert np.allclose(published["z_mean"], place.loc[published.index, "z"], atol=1e-5)
assert published["cluster_end"].iloc[0] == 1
headline("place of Facebook-AI by raw scores", ranks.loc["Facebook-AI", "raw"])
headline("place of Facebook-AI by standard scores", ranks.loc["Facebook-AI", "z"])

# %% [markdown]
# These are the organisers' numbers, and their winner. By now you may suspect one particular rater.

# %%
others = [rater for rater in campaign.human.raters if rater != "M0440"]
without = campaign.human.of_raters(others)
without.scores(standardised=False).head(3)

# %% tags=["remove-input", "remove-output"]
raw_without = without.scores(standardised=False)
m0440 = frame[frame["rater"] == "M0440"]
facebook = m0440["system"].eq("Facebook-AI") & m0440["type"].isin(["SYSTEM", "REPEAT"])
assert raw_without.index[0] == "Facebook-AI" and round(raw_without.iloc[0]) == 81
assert m0440.loc[facebook, "raw"].mean().round() == 22
assert facebook.sum() == 121 and raw_without.index[1] == "Manifold"
assert 2 < raw_without.iloc[0] - raw_without.iloc[1] < 2.5
headline("raters of 106 to leave out until raw scores put Facebook-AI first", 1)

# %% [markdown]
# **The guess.** One. M0440 has rated outputs of Facebook's system 121 times, more often than any other system's, and
# gave them 22 points on average. Take this one person away, and the system rises from fifth place to first, two
# points ahead of the next. An average of a thousand ratings sounds like something that a single person cannot move.
# But ratings come in packages, packages hold a few systems each, and a rater with many packages weighs a lot.
#
# ## Who looks?
#
# Is M0440 very strict, or not reading? There are items for finding out. **Quality control** means items that show
# whether a rater looks at what is rated, such as damaged outputs and repeats. A `BAD_REF` is, despite its name, an
# output in which some words were replaced by others. The same rater has the output in one piece, too, in the same
# package. Whoever reads gives the damaged one less. So we look at the differences.


# %%
def points_lost(rater):
    items = frame[frame["rater"] == rater].pivot_table(
        index=["hit", "system", "segment"], columns="type", values="raw"
    )
    return (items["SYSTEM"] - items["BAD_REF"]).dropna().to_numpy()


points_lost("M1297"), points_lost("M0440")

# %% [markdown]
# M1297 reads. For M0440 this is hard to say. Most of the damaged outputs lost nothing, because the undamaged ones
# mostly had 0 points already. The other differences go in both directions. To decide, we use a test. Of its four steps
# the second changes, *say what chance would do*; the others stay. If a rater does not notice the damage, the two scores
# of a pair might as well be exchanged, which changes the sign of the difference. The coin is tossed for each damaged
# output, and the test is one-sided, because damage that is noticed only costs points.

# %%
rng = np.random.default_rng(22)
lost = points_lost("M0440")
signs = rng.choice([-1, 1], size=(10_000, len(lost)))
count = ((signs * lost).sum(axis=1) >= lost.sum()).sum()
(count + 1) / (10_000 + 1)

# %% [markdown]
# Chance does as much more often than not. (By the counting rule of unit 6 the arrangement that was observed is one of
# those counted.) Here is everybody:

# %%
control = campaign.human.quality_control()
picture = draw_control(control)

# %% tags=["remove-input", "remove-output"]
p_coin = (count + 1) / (10_000 + 1)
checked = control.table.set_index("rater")
assert 0.5 < p_coin < 0.6 and abs(p_coin - checked.loc["M0440", "damaged_pvalue"]) < 0.05
assert len(lost) == 29 and (lost == 0).sum() > 14
assert points_lost("M1297").min() == 0 and points_lost("M1297").mean() > 60
careful = frame[(frame["rater"] == "M1292")]
assert (careful.loc[careful["type"] == "REF", "raw"] == 100).all()
assert (careful["type"] == "REF").sum() == 56 and not checked.loc["M1292", "passes"]
assert checked.loc["M1292", "n_damaged"] == 44
assert checked["n_ratings"].idxmax() == "M1292" and (checked["n_damaged"] == 0).sum() == 11
assert careful["type"].value_counts()["SYSTEM"] == 609
assert careful.loc[careful["type"] == "BAD_REF", "raw"].mean().round() == 77
assert careful.loc[careful["type"] == "SYSTEM", "raw"].mean().round() == 77
few = checked[~checked["passes"] & (checked["damaged_difference"] > 35)]
assert sorted(few["n_damaged"]) == [2, 6] and checked["n_damaged"].gt(0).sum() == 95
assert checked.loc["M1369", ["n_damaged", "passes"]].tolist() == [2, False]
assert round(checked.loc["M1369", "damaged_difference"], 1) == 47.5
assert round(checked.loc["M1369", "damaged_pvalue"], 2) == 0.20


def p_by_coins(lost):
    if len(lost) <= 13:
        signs = np.array(list(itertools.product([1, -1], repeat=len(lost))))
    else:
        signs = np.random.default_rng(22).choice([-1, 1], size=(2000, len(lost)))
        signs[0] = 1  # the arrangement that was observed
    return (signs @ lost >= lost.sum()).mean()


not_by_coins = [r for r in control.passing if p_by_coins(points_lost(r)) > 0.05]
assert len(not_by_coins) == 12 and (checked.loc[not_by_coins, "n_damaged"] < 5).sum() == 8
headline("WMT21 is-en: raters who pass a one-sided t test on damaged outputs", len(control.passing))
headline("of raters in the release", len(checked))

# %% [markdown]
# Each point is a rater. To the right is how many points a damaged output lost with this person, on average. Upwards is
# how far apart two scores lie that the person gave to the very same item, shown twice. Look at the lower right first:
# there are the raters one hopes for, who notice damage and give the same score again. For raters near zero on the
# horizontal axis, damage makes no difference to the score, and hardly any of them passes. 68 of 106 pass. (The package
# takes Student's t of unit 9 instead of coins. With coins a dozen of the 68 would not pass, most of them because fewer
# than five damaged outputs can give no p below 1/16.)
#
# That does not make the other 38 careless. Eleven were never shown a damaged output and its original; they *cannot*
# pass, and are not in the picture. Others saw so few that the test has little power: the crosses far to the right are
# of people who saw two and six. Then there is M1292, with more ratings than anyone, who gave exactly 100 points to
# each of 56 references shown as if they were outputs. Nobody does that without looking. But to 44 damaged outputs
# M1292 gave 77 on average, and to the ordinary ones 77. Somebody who looks whether a text is the reference, and at
# little else, would do the same.
#
# ## What hangs on one rater
#
# In the end it is not ratings that a metric is compared with, but a verdict. The **gold standard** is the conclusions
# that are drawn from people's judgements, and that metrics are compared with. It comes from a test, the one that the
# next unit explains. For now, its p-value for the first two systems is enough. The organisers kept M0440, and with
# standard scores that may seem harmless: now a strict rater is like any other.
#
# > **Make a guess.** By raw scores M0440 pulled Facebook's system down. If M0440 is left out of the standard scores,
# > what happens to its lead over Manifold: does it grow, stay, or shrink?
# >
# > <details><summary>it grows</summary>With raw scores the system gains when this rater is left out. With standard
# > scores its lead shrinks.</details>
# > <details><summary>it stays</summary>Standard scores are meant to correct such a rater. They correct a scale, and
# > not a change of scale.</details>
# > <details class="right"><summary>it shrinks</summary>So it does: the same rater now pulls it up.</details>

# %%
for people in (campaign.human, without):
    tests = people.tests().to_frame().set_index(["system_a", "system_b"])
    pair = tests.loc[("Facebook-AI", "Manifold")]
    print(f"lead {pair['score_a'] - pair['score_b']:.2f}, p = {pair['pvalue']:.4f}")

# %% tags=["remove-input"]
draw_packages(m0440, "Facebook-AI")
plt.show()

# %% tags=["remove-input", "remove-output"]
p_all, p_without = (
    people.tests()
    .to_frame()
    .set_index(["system_a", "system_b"])
    .loc[("Facebook-AI", "Manifold"), "pvalue"]
    for people in (campaign.human, without)
)
scores, scores_without = campaign.human.scores(), without.scores()
headline("Facebook-AI against Manifold, all raters: p", p_all, spec=".4f")
headline("the same without rater M0440: p", p_without, spec=".2f")
assert p_all < 0.001 and 0.10 <= p_without < 0.11
assert round(scores["Facebook-AI"] - scores["Manifold"], 2) == 0.18
assert round(scores_without["Facebook-AI"] - scores_without["Manifold"], 2) == 0.07
package = m0440[m0440["hit"] == 125]
assert set(package["system"]) == {"Facebook-AI"} and 40 < package["raw"].mean() < 50
rest = m0440.drop(package.index)
near = package["raw"].sub(50).abs().le(5) | package["raw"].sub(25).abs().le(5)
assert near.mean() > 0.85 and (rest["raw"] == 0).mean() > 0.75
same = rest[rest["system"] == "Facebook-AI"]
assert set(same["hit"]) == {59, 147} and (same.groupby("hit")["raw"].median() == 0).all()
assert (rest.loc[rest["system"] == "Facebook-AI", "raw"]).mean() < 10
everybody = campaign.human.conclusions()
strict = ratings.of_raters(control.passing).conclusions()
changed = int((everybody.pairs() != strict.reorder(everybody.systems).pairs()).sum())
headline("pairs of 45 whose conclusion changes with passing raters only", changed)
raw_verdicts = campaign.human.conclusions(standardised=False).reorder(everybody.systems).pairs()
assert changed == 11 and (everybody.pairs() != raw_verdicts).sum() == 17
assert ((everybody.pairs() * raw_verdicts) < 0).sum() == 3

# %% [markdown]
# The picture has all of M0440's scores, one package beside the other; the place of a point within its package has no
# meaning. Look along the bottom first: most of the scores are zero, for whichever system. Then look at package 125.
# There hardly anything is zero; nearly all points lie close to 50 or close to 25, as if there were only two buttons.
# And the package happens to hold outputs of Facebook's system and of no other. If M0440 had a liking for that system,
# the two other packages with its outputs would show it too. But there most of its points lie at the bottom, like those
# of the other systems.
#
# **The guess.** It shrinks, from 0.18 to 0.07, and p goes from .0005 to .10. For a rater who mostly gives zeros, 50
# is a very high score, so this package praises Facebook's system beyond measure. The one person who threw it from
# first place to fifth by raw scores is also the one who makes its first place safe by standard scores. Neither says
# much about the system. We do not know what happened to M0440 in the other packages, and need not. Standard scores
# correct a scale. They cannot correct a rater whose scale changes from one package to the next.
#
# ## What this does not tell you
#
# - **Which choice is right.** With passing raters only, 11 of 45 conclusions differ from everybody's. With raw
#   scores, 17 do, and in three of them the better system has become the worse one. A gold standard is a result, with
#   choices behind it. It should come with them.
# - **What the organisers' control was.** They released these ratings as those of people who had passed theirs. On
#   which items, the release does not say.
# - **That a rater's mean is only strictness.** A rater who saw only good systems has a high mean for a good reason.
#   Standard scores remove this difference, too.
#
# ## Check yourself
#
# > **Anna and Ben each rate every output of both systems. Do raw averages and standard scores still disagree about who
# > is ahead?**
# >
# > <details><summary>Yes, always</summary>Each rated everything, so strictness enters both averages alike.</details>
# > <details class="right"><summary>No, if both prefer A</summary>This is correct.</details>
# > <details><summary>No, never</summary>If the two disagree, it matters how wide a range each uses.</details>
#
# <details><summary>Answer</summary>
#
# If both of them prefer A, no: everyone's strictness then enters both averages alike and cancels. It hurts where
# raters are dealt out unevenly. Where two raters disagree, the scores may still differ, because standard scores give
# a rater with a narrow range the same voice as one with a wide range.
#
# </details>
#
# > **A rater does not pass quality control, p = .20. May we conclude that this person did not read?**
# >
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, at .05</summary>Nothing was detected, perhaps because this rater had only a few damaged
# > outputs.</details>
# > <details><summary>Yes, p is far from 0</summary>A large p may mean few data. It does not show that nobody
# > read.</details>
#
# <details><summary>Answer</summary>
#
# No. Nothing was detected, which may be for lack of reading or for lack of damaged outputs. Rater M1369 took off 48
# points on average and has p = .20: there were two.
#
# </details>
#
# > **"Leave out whoever makes our system look bad, such as M0440: they fail quality control anyway." What is wrong with
# > this?**
# >
# > <details><summary>Nothing: bad raters must go</summary>Perhaps they must. But then all who fail, and by a rule from
# > before.</details>
# > <details><summary>M0440 may have read well</summary>That may be. Even if M0440 did not, rules have to come
# > first.</details>
# > <details class="right"><summary>The rule was made after looking</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# The order. A rule for leaving raters out has to be made before one knows whom it helps, and then it applies to all
# 38. We found M0440 by looking at the result, which is good for learning how ratings work, and not for reporting a
# winner.
#
# </details>
#
# ## Exercises
#
# **1.** Who is first if only the 68 passing raters count, by raw and by standard scores?
#
# <details><summary>Answer</summary>
#
# `campaign.human.of_raters(control.passing).scores()` puts Facebook-AI first with 0.27; by raw scores
# (`standardised=False`) Online-B is first. By the raw scores of all raters it is seventh.
#
# </details>
#
# **2.** Let raters also be required to score repeats alike: `quality_control(require=["damaged", "repeats"])`. How
# many pass, and what is odd about this requirement?
#
# <details><summary>Answer</summary>
#
# 65 pass. A rater fails it if a test *finds* a difference between first and second scores. With few repeats hardly
# any difference is found, so it is easiest for those of whom we know least.
#
# </details>

# %% tags=["remove-input"]
passing = ratings.of_raters(control.passing)
assert passing.scores().index[0] == "Facebook-AI" and round(passing.scores().iloc[0], 2) == 0.27
assert passing.scores(standardised=False).index[0] == "Online-B"
assert raw.index.get_loc("Online-B") == 6
both = campaign.human.quality_control(require=["damaged", "repeats"])
assert len(both.passing) == 65

# %% [markdown]
# ---
#
# *Before this:* [unit 21, Clusters](../4_many_systems/21_clusters.ipynb). *After this:* [unit 23, Do people agree with
# themselves?](23_do_people_agree_with_themselves.ipynb). *To practise:* [lab 10](../labs/student/lab_10_people.ipynb).
# *Words* are in the [glossary](../../docs/glossary.md).
