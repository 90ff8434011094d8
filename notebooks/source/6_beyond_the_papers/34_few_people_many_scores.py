# %% [markdown]
# # 34 · Few people, many scores
#
# People cost much, and programs little. Over the ten systems of unit 33, chrF++ and the professionals agree well: the
# correlation of their averages is .89. So why not let people read a hundred segments, and chrF++ all of them?
#
# <details><summary>After this unit you can …</summary>
#
# - say which correlation decides what a judge is worth (question 1, exercise 2);
# - say what a bias of the judge does to the estimate, and what it does without people (question 2);
# - compute how many ratings a judge of a given correlation saves (question 3, exercise 1).
#
# Before this: units 9, 32 and 33. About 18 minutes to read, 23 to teach with a discussion. New terms:
# prediction-powered inference.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed without their type
pd.options.display.float_format = "{:.2f}".format

PAIR = ("GPT4-5shot", "HW-TSC")


def draw_estimates(rows, truth, alone):
    """Hills of a thousand estimates, one below the other, and what two judges say alone."""
    figure, axes = plt.subplots(
        len(rows), 1, sharex=True, sharey=True, figsize=(7.2, 5.6), layout="constrained"
    )
    colours = (style.GREY, style.ORANGE, style.PURPLE, style.CALM)
    for ax, (name, values), colour in zip(axes, rows.items(), colours, strict=True):
        ax.hist(values, np.arange(-0.4, 2.61, 0.1), color=colour)
        ax.axvline(truth, color=style.INK, linestyle="--", linewidth=1)
        ax.set_title(name, loc="left", fontsize=11, color=colour)
        ax.set_yticks([])
        if name in alone:
            ax.plot(alone[name], 30, "v", color=style.EMPHASIS, markersize=11, clip_on=False)
            ax.text(alone[name], 75, "the judge alone", color=style.EMPHASIS, ha="center")
    axes[-1].set_xlabel("lead of GPT4-5shot, points of penalty; dashed: by people on all 377")
    style.describe(
        figure,
        "Four hills of estimates, all around the dashed line. With chrF++ the hill is as wide as with people alone. With a "
        "professional who has a favourite it is a little narrower, and this judge alone is far off. With a made-up judge it is half as wide.",
    )
    return figure


def draw_worth(correlations):
    """What a hundred ratings are worth by correlation; a tick for each pair of systems."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    rho = np.linspace(0, 0.95, 200)
    ax.plot(rho, 100 / (1 - rho**2), color=style.INK, linewidth=2)
    looks = ((style.ORANGE, "o"), (style.CALM, "s"))
    for (name, values), (colour, marker) in zip(correlations.items(), looks, strict=True):
        at = np.clip(values, 0, 1)
        ax.plot(at, 100 / (1 - at**2), marker, color=colour, alpha=0.6, label=name, markersize=8)
    for level in (200, 500):
        at = np.sqrt(1 - 100 / level)
        ax.plot([at, at, 0], [0, level, level], color=style.GREY, linewidth=1, linestyle=":")
        ax.text(0.02, level + 8, f"{level} at {at:.1f}", color=style.GREY)
    ax.set(xlim=(0, 0.95), ylim=(0, 620), xlabel="correlation of leads, segment by segment")
    ax.set_ylabel("worth so many ratings")
    ax.set_title("What 100 ratings are worth with a judge on all segments", loc="left", fontsize=12)
    ax.legend(loc="upper center", frameon=False)
    style.describe(
        figure,
        "A curve that starts flat at 100 and rises steeply beyond a correlation of .7. The pairs of systems judged by chrF++ lie at "
        "its flat beginning, those judged by a professional a little further on, all below 180.",
    )
    return figure


# %% [markdown]
# > **Make a guess.** People rate 100 of the 377 segments, in the outputs of GPT4-5shot and HW-TSC. chrF++ scores all
# > 377. Both are used together. How many segments would people alone have to rate in order to know as much: about 100,
# > about 180, or all 377?
# >
# > <details class="right"><summary>about 100</summary>So it is. For this pair chrF++ adds nothing.</details>
# > <details><summary>about 180</summary>A correlation of .89 promises more than that. But it is a correlation of ten
# > averages, and here there are two systems and many segments.</details>
# > <details><summary>all 377</summary>Then chrF++ would have to say of each segment what people say of it.</details>
#
# ## A correction by hand
#
# How can people and a program be used together? Take eight segments, of which people rated four, drawn at random. Here are the leads
# of a system A over a system B, by people and by a judge, on whatever scale:

# %%
people = np.array([3, 1, 2, -2])
judge_there, judge_elsewhere = np.array([4, 2, 2, 0]), np.array([1, 0, -1, 0])
people.mean(), judge_there.mean(), judge_elsewhere.mean()

# %% [markdown]
# By people A leads by 1 point. But on these four segments the judge's mean lead of A is 2 points higher than on the other four.
# By chance, people may have been asked about segments that suit A. So we correct their mean downwards. By how much? Let
# the weight of the judge be one half: for each point that the judge gives, people give half a point. Then the estimate is 1 − ½ · 2 =
# 0.
#
# Now let the judge have a favourite, and add 5 points to A on every segment. Both of the judge's means go up by 5, and their
# difference does not. So the estimate stays. And if the judge's points have nothing to do with people's? Then people
# give no point for a point of the judge. The weight is zero, and the estimate is people's own mean.
#
# **Prediction-powered inference** is an estimate of a mean from people's ratings of some segments and a judge's scores
# of all of them. The weight is estimated from the segments that both have rated. Angelopoulos et al. (2023) gave it the name. In
# survey statistics it is known as the regression estimator.
#
# ## A hundred segments
#
# Two of the professionals who read a segment shall be our people, and the third one will be needed later. A hundred of the
# 377 segments are drawn, and the others hidden.

# %%
import mtsig_nb as mt

campaign = mt.load("wmt23/zh-en")
marks = campaign.judgements["mqm_ratings"].frame
each = marks.pivot_table(index=["segment", "rater"], columns="system", values="raw")
lead = each[PAIR[0]] - each[PAIR[1]]
three = np.array(lead.groupby("segment").agg(list).tolist())  # 377 segments, three raters
people, third = three[:, :2].mean(axis=1), three[:, 2]
people.mean()

# %%
chrf = campaign.statistics("chrF++").select(PAIR)
by_chrf = np.subtract(*chrf.metric.score(chrf.values))
asked = np.random.default_rng(34).permutation(377) < 100
mt.human.prediction_powered(np.where(asked, people, np.nan), by_chrf)

# %% tags=["remove-input", "remove-output"]
first = mt.human.prediction_powered(np.where(asked, people, np.nan), by_chrf)
assert three.shape == (377, 3) and asked.sum() == 100 and round(people.mean(), 2) == 0.89
assert 96 < first.n_effective < 100 and abs(first.correlation) < 0.1
ten = campaign.human.scores()
over_systems = np.corrcoef(ten, campaign.statistics("chrF++").scores()[ten.index])[0, 1]
by_segment = np.corrcoef(people, by_chrf)[0, 1]
assert round(over_systems, 2) == 0.89 and len(ten) == 10 and abs(by_segment) < 0.05
assert round(by_chrf.mean(), 1) == -4.2 and by_chrf.mean() < -5 * by_chrf.std() / np.sqrt(377)
headline("WMT23 zh-en: correlation of chrF++ and people over ten systems", over_systems, spec=".2f")
headline("the same, of leads of GPT4-5shot over HW-TSC, segment by segment", by_segment, spec=".2f")

# %% [markdown]
# **The guess.** About 100. chrF++ is given a weight near zero, and rightly so. That even a little less than 100 comes out is
# the price of having to estimate this weight. The correlation that counts here is not the one over ten
# systems. It is that of the two systems' leads, segment by segment: does chrF++ find GPT4-5shot ahead on the segments where people do? It
# does not. Over all 377 segments this correlation is near zero.
#
# Both correlations are right. Ten averages differ a lot, and where NLLB is far behind, chrF++ sees it as people do. That
# tells nothing about which segments two good systems do well.
#
# By itself chrF++ would have announced the opposite. It finds HW-TSC ahead by 4.2 points, more than five standard errors. A
# judge without people can be certain and wrong.
#
# ## Better judges
#
# Is there any judge that would help? We try four. The first is chrF++. The second is a professional: the third reader of each segment.
# The third is the same professional with a favourite: 2 points more for GPT4-5shot on every segment. The fourth is
# made up, people's own leads with so much noise that the correlation is about .9.
#
# > **Make a guess.** The judge with the favourite scores all 377 segments, people rate 100 of them, and both are used together. What
# > happens to the estimate of GPT4-5shot's lead, compared with the same judge without the favourite?
# >
# > <details><summary>It rises by 2 points</summary>So it would if the judge were taken at its word.</details>
# > <details><summary>It rises a little</summary>The weight is small, that is true. But what is weighted is a difference
# > between segments.</details>
# > <details class="right"><summary>Nothing at all</summary>So it is. The 2 points are on the segments that people rated
# > as well as on the others, and cancel.</details>

# %%
rng = np.random.default_rng(34)
noise = people.std() * np.sqrt(1 / 0.9**2 - 1) * rng.normal(size=377)
judges = {
    "chrF++": by_chrf,
    "a professional": third,
    "a professional with a favourite": third + 2,
    "made up": people + noise,
}

# %% [markdown]
# To see whether the estimate is right, we draw a hundred segments a thousand times, and each time use them with each of the
# judges. The right answer is known here: people rated all 377.

# %%
found = {name: [] for name in judges}
for _ in range(1000):
    hidden = np.where(rng.permutation(377) < 100, people, np.nan)
    for name, judge in judges.items():
        found[name].append(mt.human.prediction_powered(hidden, judge))

# %% tags=["remove-input"]
rows = [
    {
        "judge": name,
        "judge's own lead": judges[name].mean(),
        "correlation": np.corrcoef(people, judges[name])[0, 1],
        "mean estimate": np.mean([one.statistic for one in each]),
        "worth": f"{np.mean([one.n_effective for one in each]):.0f}",
    }
    for name, each in found.items()
]
four = pd.DataFrame(rows).set_index("judge")
four

# %% tags=["remove-input"]
estimates = {name: np.array([one.statistic for one in each]) for name, each in found.items()}
alone = np.array([one.people[0] for one in found["chrF++"]])
draw_estimates(
    {
        "100 segments by people, no judge": alone,
        "with chrF++ on 377": estimates["chrF++"],
        "with a professional who has a favourite": estimates["a professional with a favourite"],
        "with a made-up judge": estimates["made up"],
    },
    people.mean(),
    {"with a professional who has a favourite": (third + 2).mean()},
)
plt.show()

# %% tags=["remove-input", "remove-output"]
truth = people.mean()
assert all(abs(values.mean() - truth) < 0.05 for values in [alone, *estimates.values()])
same, favourite = (estimates[n] for n in ("a professional", "a professional with a favourite"))
assert np.allclose(same, favourite)
assert round(four.loc["chrF++", "correlation"], 2) == round(by_segment, 2)
assert 0.4 < four.loc["a professional", "correlation"] < 0.48
assert 0.87 < four.loc["made up", "correlation"] < 0.92
worth = four["worth"].astype(int)
assert worth["chrF++"] == 99 and 112 <= worth["a professional"] <= 117
assert 225 <= worth["made up"] <= 270
assert abs(estimates["chrF++"].std() / alone.std() - 1) < 0.03
assert 0.8 < same.std() / alone.std() < 0.95 and estimates["made up"].std() / alone.std() < 0.6
assert (third + 2).mean() > 2.4
assert all(abs(v.mean() - truth) < 0.2 * v.std() for v in estimates.values())
headline(
    "worth of 100 ratings with chrF++ and with a professional as the judge",
    f"{worth['chrF++']} {worth['a professional']}",
)

# %% [markdown]
# Each row is a thousand estimates, one for each draw of a hundred segments. The dashed line is what people said on all 377. Look
# first at where the hills stand: all of them around the line. None of the judges has moved the estimate away. Then look at the
# triangle. That is what the judge with the favourite says alone, far off. Now compare the widths. The second hill is as wide as the first,
# the third a little narrower, and the last one has half the width. If the method trusted judges, the third hill would stand at the triangle.
#
# **The guess.** Nothing at all. The estimates with and without the favourite are equal to the last digit.
#
# And notice how little a professional is worth as a judge. The third reader correlates with the other two at .44, and a hundred ratings
# become worth about 115. Professionals disagree about segments. A judge that agrees with people as well as people agree with each
# other still replaces few of them.
#
# ## What a correlation buys
#
# The rule behind the table is simple. A judge of correlation ρ explains the share ρ² of the variance of people's leads. If
# it has scored very many segments, this share goes away, and 1 − ρ² is left. (Of 377 segments a little more is left.)
#
# > **Make a guess.** How high must the correlation be so that 100 ratings are worth 200?
# >
# > <details><summary>.5</summary>Then a quarter of the variance goes away, and 100 are worth 133.</details>
# > <details class="right"><summary>.7</summary>So it is: .7 squared is about one half.</details>
# > <details><summary>.9</summary>Then 100 are worth more than 500.</details>


# %%
def worth_of_100(correlation):
    return 100 / (1 - correlation**2)


[round(worth_of_100(rho)) for rho in (0.1, 0.3, 0.5, 0.7, 0.9)]

# %% tags=["remove-input"]
chrf_all = campaign.statistics("chrF++")
scored = pd.DataFrame(chrf_all.metric.score(chrf_all.values), index=chrf_all.systems)
correlations = {"chrF++": [], "a professional": []}
for one, other in itertools.combinations(ten.index, 2):
    of_pair = (each[one] - each[other]).groupby("segment").agg(list)
    of_three = np.array(of_pair.tolist())
    two = of_three[:, :2].mean(axis=1)
    correlations["chrF++"].append(np.corrcoef(two, scored.loc[one] - scored.loc[other])[0, 1])
    correlations["a professional"].append(np.corrcoef(two, of_three[:, 2])[0, 1])
correlations = {name: np.array(values) for name, values in correlations.items()}
draw_worth(correlations)
plt.show()

# %% tags=["remove-input", "remove-output"]
middle = {name: float(np.median(values)) for name, values in correlations.items()}
assert 0.08 < middle["chrF++"] < 0.15 and 0.42 < middle["a professional"] < 0.47
highest = {name: worth_of_100(values.max()) for name, values in correlations.items()}
assert highest["chrF++"] < 118 and 140 < highest["a professional"] < 150
assert len(correlations["chrF++"]) == 45
assert [round(worth_of_100(rho)) for rho in (0.5, 0.7, 0.9)] == [133, 196, 526]

# %% [markdown]
# The axis is the correlation, and the height is what a hundred ratings are worth. Each mark is one of the 45 pairs of systems.
# Look at the circles: for no pair does chrF++ make 100 ratings worth more than 118. Then look at the squares, a professional in the place of a program. They end
# below 150. The curve gets steep only to the right of them. If there were a judge up there, it would be known by its correlation on the
# hundred segments, before anybody relied on it.
#
# **The guess.** .7. What counts is the square, so a correlation of .3, which sounds like something, saves nine ratings in a hundred.
#
# ## What this does not tell you
#
# - **Whether an LLM judge does better.** The kit has no ratings by people of the outputs that unit 32's judges scored. Its
#   correlation on your own hundred segments tells you.
# - **What happens if segments are not drawn at random.** If people rate only what looks doubtful, the judge's mean there and
#   elsewhere differ for a reason, and the estimate is wrong.
# - **Whose ratings they were.** Raters are a sample as well (unit 33), and so are documents. For documents there is
#   `clusters=`.
# - **The last hundredth.** The weight is estimated from the same hundred segments. The average estimates in the table miss
#   the line by up to a fifth of their standard deviation.
#
# ## Check yourself
#
# > **"Over forty systems, our judge model and people correlate at .95. So we replace half of our raters by it." What is missing?**
# >
# > <details class="right"><summary>The correlation of leads on segments</summary>This is correct.</details>
# > <details><summary>More systems, for a surer correlation</summary>The correlation over systems can be as sure as one
# > likes. It is another number.</details>
# > <details><summary>Nothing, since .95 squared is .90</summary>The square is right, and it belongs to another
# > correlation: that of two systems' leads, segment by segment.</details>
#
# <details><summary>Answer</summary>
#
# The correlation between the judge's leads and people's, for the two systems that are compared, over segments. chrF++ has
# .89 over systems and about zero over segments.
#
# </details>
#
# > **A judge model gives the system of its own maker three points more on every segment. People rate 200 segments at random. What does
# > this do to a prediction-powered estimate?**
# >
# > <details><summary>It favours the maker's system, by weight times three</summary>Three points are there on rated segments and on
# > the others. In the difference they cancel.</details>
# > <details class="right"><summary>Nothing</summary>This is correct.</details>
# > <details><summary>It makes the interval wider</summary>A constant changes no correlation, and so no interval.</details>
#
# <details><summary>Answer</summary>
#
# Nothing. The judge is only asked how the rated segments differ from the others. Without people the three points would be
# believed.
#
# </details>
#
# > **100 segments are rated by people, and a judge of correlation .5 scores 100,000. What are the ratings worth?**
# >
# > <details><summary>Some 50,000</summary>A half of what the judge scored? However many it scores, what it does not know
# > about people stays unknown.</details>
# > <details><summary>Some 1,000</summary>The number of scores hardly matters, once it is large.</details>
# > <details class="right"><summary>Some 133</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# 100/(1 − .25) = 133. Three quarters of the variance are left, and only people can reduce them.
#
# </details>
#
# ## Exercises
#
# **1.** What does chrF++ save for GPT4-5shot against NLLB_Greedy?
#
# <details><summary>Answer</summary>
#
# The same lines with `PAIR = ("GPT4-5shot", "NLLB_Greedy")`: over the 377 segments the correlation is about .3, so that 100 ratings are worth about
# 110 with scores of very many segments. NLLB fails on some segments altogether, and chrF++ sees that.
#
# </details>
#
# **2.** Let people rate not a random hundred, but those on which the third reader finds GPT4-5shot furthest ahead. What
# do people say of these alone, and what is the estimate with the third reader as the judge?
#
# <details><summary>Answer</summary>
#
# ```python
# asked = (-third).argsort(kind="stable").argsort() < 100
# mt.human.prediction_powered(np.where(asked, people, np.nan), third)
# ```
#
# People alone: 3.04, far too much, since two readers who look at the segments that a third one liked will often like them,
# too. Their interval does not have the .89 in it. The estimate with the judge is .33, and its interval goes from −1.9 to 2.6. The
# weight was learnt on segments that the judge likes and applied to all others, so that next to nothing is known. The hundred have
# to be drawn at random.
#
# </details>

# %% tags=["remove-input"]
chosen = (-third).argsort(kind="stable").argsort() < 100
misled = mt.human.prediction_powered(np.where(chosen, people, np.nan), third)
assert round(misled.people[0], 2) == 3.04 and round(misled.statistic, 2) == 0.33
assert np.round(misled.interval, 1).tolist() == [-1.9, 2.6]
assert misled.interval[0] < truth < misled.people[0] - 3 * misled.people[1]
nllb = (each["GPT4-5shot"] - each["NLLB_Greedy"]).groupby("segment").agg(list)
nllb = np.array(nllb.tolist())[:, :2].mean(axis=1)
its = np.corrcoef(nllb, scored.loc["GPT4-5shot"] - scored.loc["NLLB_Greedy"])[0, 1]
assert 0.27 < its < 0.33 and 107 < worth_of_100(its) < 113

# %% [markdown]
# ---
#
# *Before this:* [unit 33, Who judges?](33_who_judges.ipynb) *After this:* [unit 35, Who rated
# whom?](35_who_rated_whom.ipynb) *To practise:* [lab
# 15](../labs/student/lab_15_people_and_judges.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
