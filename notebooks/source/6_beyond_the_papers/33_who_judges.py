# %% [markdown]
# # 33 · Who judges?
#
# Three professionals read each translation, and GPT4-5shot got the smaller penalty ([unit
# 0](../1_what_chance_can_do/00_be_the_judge.ipynb)). Eight professionals took turns. They might have been eight
# others. Would these have preferred the same system?
#
# <details><summary>After this unit you can …</summary>
#
# - say which differences between raters cancel, and which do not (question 1);
# - read from a standard error whose variation it counts (question 2, exercise 1);
# - choose between more sentences and more raters (question 3, exercise 2).
#
# Before this: units 0, 12, 22 and 24. About 22 minutes to read, 27 to teach with a discussion. New terms: variance
# component.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline, movable

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed without their type
pd.options.display.float_format = "{:.2f}".format

PAIR = ("GPT4-5shot", "HW-TSC")


def draw_raters(leads, found):
    """Each rater's lead with an interval over segments, and below them the mean with two."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    reach = 1.96 * leads["standard error"]
    outlier = leads["lead"] < 0
    for which, colour in ((~outlier, style.CALM), (outlier, style.EMPHASIS)):
        at = np.flatnonzero(which)
        row = leads[which]
        ax.errorbar(row["lead"], at, xerr=reach[which], fmt="o", color=colour, capsize=3)
    for place, (words, one) in zip((8.5, 9.5), found.items(), strict=True):
        low, high = one.interval
        ax.plot([low, high], [place] * 2, color=style.INK, linewidth=3)
        ax.plot(one.statistic, place, "D", color=style.INK)
        ax.text(high + 0.15, place, words, va="center")
    ax.axvline(0, color=style.INK, linestyle="--", linewidth=1)
    ax.axhline(len(leads) - 0.25, color=style.MUTED, linewidth=1)
    ax.set_yticks(range(len(leads)), leads.index)
    ax.set(ylim=(len(leads) + 2, -0.6), xlim=(-2.6, 4.4))
    ax.set_xlabel("lead of GPT4-5shot over HW-TSC, points of penalty")
    ax.set_title("Seven of eight professionals prefer GPT4-5shot", loc="left", fontsize=12)
    style.describe(
        figure,
        "Eight raters, each with a lead and an interval. Seven leads are right of zero, rater7's is far left of it. Below are two "
        "intervals of the mean: the one over segments is right of zero, the one that counts raters as well reaches below it.",
    )
    return figure


def draw_plans(plans, now):
    """The standard error by the number of documents, a line for each number of raters."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.2))
    colours = (style.EMPHASIS, style.ORANGE, style.CALM)
    for (raters, plan), colour in zip(plans.items(), colours, strict=True):
        ax.plot(plan["documents"], plan["standard_error"], color=colour, linewidth=2)
        end = plan.iloc[-1]
        ax.text(430, end["standard_error"], f"{raters} raters", color=colour, va="center")
    few = plans[min(plans)]
    ax.plot(few["documents"], now / np.sqrt(few["documents"] / 38), color=style.GREY, linestyle=":")
    ax.text(430, now / np.sqrt(400 / 38), "by segments alone", color=style.GREY, va="center")
    ax.set(xlim=(30, 400), ylim=(0, 0.45), xlabel="documents", ylabel="standard error of the lead")
    ax.set_title("More documents help little, more raters a lot", loc="left", fontsize=12)
    style.describe(
        figure,
        "Standard errors of the lead fall with the number of documents. The line for eight raters flattens out at about a third "
        "of a point. Those for 16 and 40 raters go on lower. The dotted one, by segments alone, falls towards zero.",
    )
    return figure


# %% [markdown]
# > **Make a guess.** GPT4-5shot leads HW-TSC by .75 points of penalty, on 377 segments. Compare the two for each of the
# > eight professionals alone, on what this professional read. How many of the eight prefer GPT4-5shot: all eight,
# > seven, or four?
# >
# > <details><summary>all eight</summary>With a coin for each segment p is .0001. But the lead is the mean of eight
# > people's marks, and people differ.</details>
# > <details class="right"><summary>seven</summary>So it is, and the eighth prefers HW-TSC by more than a point.</details>
# > <details><summary>four</summary>Then the lead would rest on a few. They agree better than that.</details>
#
# ## Eight professionals
#
# Each of them marked errors in whole documents, in the outputs of both systems. So we can compute the lead for each of them.
# (`raw` is the penalty with a minus, so that more is better.)

# %%
import mtsig_nb as mt

marks = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
of_pair = marks.frame[marks.frame["system"].isin(PAIR)]
each = of_pair.pivot_table(index=["rater", "segment"], columns="system", values="raw")
lead = each["GPT4-5shot"] - each["HW-TSC"]
leads = lead.groupby("rater").agg(["mean", "sem", "size"])

# %% tags=["remove-input"]
leads.columns = ["lead", "standard error", "segments"]
leads.insert(0, "mean penalty", -marks.frame.groupby("rater")["raw"].mean())
leads

# %% tags=["remove-input"]
over = {
    "over segments": marks.variance_components(*PAIR, standardised=False, samples=["segment"]),
    "over raters, too": marks.variance_components(*PAIR, standardised=False),
}
draw_raters(leads, over)
plt.show()

# %% tags=["remove-input", "remove-output"]
assert (leads["lead"] > 0).sum() == 7 and leads["lead"].idxmin() == "rater7" and len(leads) == 8
assert leads.loc["rater7", "lead"] < -1 and leads["lead"].idxmax() == "rater6"
assert (
    round(leads["mean penalty"].max(), 1) == 10.7 == round(leads.loc["rater6", "mean penalty"], 1)
)
assert round(leads["mean penalty"].min(), 1) == 2.3 == round(leads.loc["rater4", "mean penalty"], 1)
assert np.round(leads.loc[["rater6", "rater7"], "lead"], 1).tolist() == [2.1, -1.4]
assert round(over["over segments"].statistic, 2) == 0.75
by_segments, by_raters = over.values()
assert by_segments.interval[0] > 0.4 and -0.2 < by_raters.interval[0] < 0
assert len(of_pair["segment"].unique()) == 377 and len(set(marks.documents)) == 38
apart = leads["lead"].to_numpy()[:, None] - leads["lead"].to_numpy()
errors = np.hypot(leads["standard error"].to_numpy()[:, None], leads["standard error"].to_numpy())
assert (abs(apart / errors)[leads.index.get_loc("rater7")] > 2.8).sum() >= 6

# %% [markdown]
# Each dot is a professional. To the right of the dashed line this professional preferred GPT4-5shot. The line through
# a dot is an interval over the segments that this person read. Look at rater 7: the whole interval is on the other
# side, and chance in the choice of segments does not explain that. Now look at the two black lines, intervals of the mean of all. The upper one
# takes the eight as given and lies far from zero. The lower one counts the eight as a sample, and it includes zero. If all
# eight dots stood in one place, the two black lines would be about equally long.
#
# **The guess.** Seven, and the eighth contradicts them clearly.
#
# The first column shows another difference between raters. Rater 6 gives a penalty of 10.7 on average, rater 4 one of
# 2.3. This strictness does not matter here. A strict rater is strict with both systems, and in the lead it cancels.
# What does not cancel is a rater's own opinion about the *two systems*: 2.1 for rater 6, −1.4 for rater 7.
#
# ## A coin for each professional
#
# In [unit 24](../5_people/24_rankings.ipynb) a coin was tossed for each judge. The same can be done here. Of the four
# steps the second changes: *say what chance would do*. If professionals have no preference in common, then each of
# them might as well have preferred the other system by as much. A coin decides whether all marks of one person change
# sides. Eight coins fall in 256 ways, and the package goes through all of them.

# %%
by_rater = marks.as_statistics(units="raters", standardised=False)
mt.approximate_randomization(by_rater, *PAIR).pvalue

# %% [markdown]
# Toss them yourself. The machine tosses eight coins at a time, so its p comes near to this one.

# %%
chance_machine(by_rater, *PAIR, n_resamples=2000, rng=33)

# %% tags=["remove-input", "remove-output"]
p_coins = mt.approximate_randomization(by_rater, *PAIR).pvalue
assert p_coins == 24 / 256 and round(p_coins, 2) == 0.09
headline(
    "WMT23 zh-en, GPT4-5shot against HW-TSC, a coin for each of eight raters: p",
    p_coins,
    spec=".3f",
)

# %% [markdown]
# The p-value is .09. With a coin for each segment it is .0001. Both numbers are right, and they answer two questions. The small one
# says: *these eight people* prefer GPT4-5shot, and other segments would hardly change that. The large one says: if other
# professionals had been asked, they might have preferred HW-TSC.
#
# ## Whose variation?
#
# Eight coins are a rough tool. They leave out that three people read the same document, and that documents are a sample
# as well (unit 12). So let us take a mark apart. It is a sum: what the system deserves everywhere, what this rater adds, what this
# document adds, what this segment adds, and a rest. Other raters, documents and segments would have added something
# else. A **variance component** is the variance of what one source, such as raters or documents, adds to the ratings.
# The package estimates these variances from the marks. It computes from them how much each source contributes to the
# standard error of the lead.

# %%
marks.variance_components(*PAIR, standardised=False)

# %% [markdown]
# Read the line on the squared standard error. About two thirds of it come from the raters, a sixth from the
# documents, and a tenth from the segments. The table has the same shares in its last column. (Squares of standard errors add up, and standard errors do not.)
#
# `samples` says what is taken as a sample. What is left out is taken as given, as if there were no others:

# %%
for samples in (["segment"], ["segment", "document"], ["segment", "document", "rater"]):
    one = marks.variance_components(*PAIR, standardised=False, samples=samples)
    print(f"{', '.join(samples):24}  standard error {one.standard_error:.2f}, p = {one.pvalue:.6f}")

# %% tags=["remove-input", "remove-output"]
shares = by_raters.table.set_index("source")["share"]
assert 0.6 < shares["rater"] < 0.7 and 0.15 < shares["document"] < 0.18
assert 0.09 < shares["segment"] < 0.1
assert round(by_raters.pvalue, 2) == 0.09 and round(by_raters.standard_error, 2) == 0.40
assert round(by_segments.standard_error, 2) == 0.16 and by_segments.pvalue < 0.00001
means = mt.load("wmt23/zh-en").human
usual = mt.approximate_randomization(means.as_statistics(), *PAIR, rng=2014)
assert round(usual.pvalue, 4) == 0.0001
headline(
    "the same by variance components: standard error over segments",
    by_segments.standard_error,
    spec=".2f",
)
headline("the same over segments, documents and raters", by_raters.standard_error, spec=".2f")

# %% [markdown]
# The first line is what the usual test reports, a standard error of .16. (Its p is even smaller than the .0001 of the coins.
# That is the smallest that ten thousand shuffles can give.) The last one is .40, and p agrees with that of
# the eight coins. Nobody made a mistake in the first line. It leaves out whose marks they were. Unit 0 said that luck
# seldom makes such a large difference. That holds for luck with segments.
#
# ## More sentences, or more people?
#
# > **Make a guess.** Suppose that the same eight professionals read ten times as many documents. The standard error that
# > counts raters is .40 now. What will it be: about .13, about .20, or more than .30?
# >
# > <details><summary>about .13</summary>So the square root of ten has it. It holds for what is drawn anew with each
# > document. The raters stay.</details>
# > <details><summary>about .20</summary>Documents and segments make up less than half of the squared standard
# > error. Even without them more is left.</details>
# > <details class="right"><summary>more than .30</summary>So it is: what eight people prefer stays the opinion of
# > eight people.</details>
#
# `plans` computes standard errors for other numbers of raters and documents, with ten segments a document and three
# ratings of each translation:

# %%
pilot = marks.variance_components(*PAIR, standardised=False)
plans = {}
for raters in (8, 16, 40):
    most = {"rater": raters, "document": 400, "segment": 10, "rating": 3}
    plans[raters] = pilot.plans({"document": 1}, most=most)

# %% tags=["remove-input"]
plans = {
    raters: plan[(plan["raters"] == raters) & (plan["documents"] > 30)]
    for raters, plan in plans.items()
}
draw_plans(plans, by_segments.standard_error)
plt.show()

# %% tags=["remove-input", "remove-output"]
ends = {raters: plan["standard_error"].iloc[-1] for raters, plan in plans.items()}
assert all(plan["documents"].iloc[-1] == 400 and len(plan) > 5 for plan in plans.values())
assert round(ends[8], 2) == 0.33 and round(ends[16], 2) == 0.24 and round(ends[40], 2) == 0.16
starts = {raters: plan["standard_error"].iloc[0] for raters, plan in plans.items()}
assert plans[8]["documents"].iloc[0] == 34 and starts[40] < ends[8]
own = by_raters.table.set_index("source")["by_system"]
assert round(np.sqrt(2 * own["rater"] / 8), 2) == 0.32

# %% [markdown]
# The axis is the number of documents; we have 38, at the left. Look at the upper line, for eight raters. It falls from .40 to .33 and no further: with
# all the documents in the world .32 would be left, which is what eight people contribute. The line for forty raters
# begins, with as few documents as we have, below the end of the upper one. The dotted line is what a test over segments would report. It goes towards zero, as if
# the verdict of these eight were getting certain for everybody. If raters had no opinions of their own, the three lines would
# be one.
#
# **The guess.** .33. In this study more sentences would hardly have helped, and more people would.
#
# ## You are the ninth
#
# You are a sample of one. In unit 0 you could judge this very pair, if your computer had a connection: `be_the_judge("wmt23/zh-en")`. When you
# have finished, the page has a table with you and each of the eight, on the pairs that both of you judged. It says how often this
# professional preferred what you preferred, and both leads. Who is nearest to you? Is it rater 6, or rater 4? Three professionals judged
# each pair, so each of them shares only some of your pairs with you.
#
# The page also told you how often you preferred each system. Subtract, and divide by the number of pairs that you judged. With 9 for GPT4-5shot, 5
# for HW-TSC and 6 times no difference your lead is .2. The professionals' leads of this kind, from all of their marks:

# %%
preferred = np.sign(lead).groupby("rater").mean()
preferred.round(2).to_dict()

# %% [markdown]
# Put yours beside them. (If you have not judged, choose what you like.) The bar is the 95 % interval of the mean of all nine, by
# Student's t. The slider begins with somebody who prefers HW-TSC on every pair. Move it to .2, and then to somebody who
# prefers GPT4-5shot on every pair. The mean moves to the right, and yet the interval reaches zero again. Why?


# %% tags=["remove-input", "nbval-ignore-output"]
def with_you(ax, your_lead):
    """Eight leads and the reader's, and the interval of their mean."""
    nine = np.append(preferred, your_lead)
    reach = stats.sem(nine) * stats.t.ppf(0.975, 8)
    ax.plot(preferred, np.zeros(8), "o", color=style.CALM, markersize=9, alpha=0.8)
    ax.plot(your_lead, 0, "*", color=style.EMPHASIS, markersize=18)
    ax.text(your_lead, 0.18, "you", color=style.EMPHASIS, ha="center")
    ax.plot([nine.mean() - reach, nine.mean() + reach], [-0.5, -0.5], color=style.INK, linewidth=3)
    ax.plot(nine.mean(), -0.5, "D", color=style.INK)
    ax.axvline(0, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlim=(-1.1, 1.1), ylim=(-1, 0.6), yticks=[])
    ax.set_xlabel("share of pairs for GPT4-5shot minus share for HW-TSC")
    p = stats.ttest_1samp(nine, 0).pvalue
    ax.set_title(f"your lead {your_lead}: p = {p:.3f}", loc="left", fontsize=11)


movable(with_you, your_lead=[n / 10 for n in range(-10, 11)])

# %% tags=["remove-input", "remove-output"]
p_with = {y: stats.ttest_1samp(np.append(preferred, y), 0).pvalue for y in (0.0, 0.2, 1.0, -0.5)}
assert p_with[0.2] < 0.05 < p_with[1.0] < 0.1 and p_with[-0.5] > 0.5 and p_with[0.0] > 0.05
nine = np.append(preferred, 1.0)
assert nine.mean() > preferred.mean() and stats.ttest_1samp(nine, 0).confidence_interval().low < 0

# %% [markdown]
# Because you differ from the other eight. With a lead of .2, like theirs, p is below .05. With a lead of 1 it is above .05
# again: nine people who differ so much say less about a tenth one.
#
# ## All pairs
#
# The ten systems make 45 pairs. `tests_over_samples` tests them all. Here is how many differ at .05, first over segments
# alone, then over raters and documents as well:

# %%
tests = [marks.tests_over_samples(standardised=False, samples=s) for s in (["segment"], None)]
[(test.table["pvalue"] <= 0.05).sum() for test in tests]

# %% tags=["remove-input", "remove-output"]
counts = [int((test.table["pvalue"] <= 0.05).sum()) for test in tests]
assert counts == [40, 33] and len(tests[0].table) == 45
headline("WMT23 zh-en: pairs of 45 that differ at .05 over segments, and over raters, too", "40 33")

# %% [markdown]
# Seven of forty claims are shown of these eight people only. Whether they hold of professionals in general is open: eight
# raters do not show it, and do not show the opposite. The other 33 remain. Raters as a sample do not make all claims
# impossible. They make claims about small differences hard.
#
# ## The decision of unit 0
#
# Four professional translators compared Microsoft's program with people on adequacy, and four others on fluency, in the
# same 50 articles. Here is each one's lead, preferences for the human translation minus preferences for the program's, and
# the p-value with a coin for each translator:

# %%
from mtsig_nb.teaching import parity

for question in ("adequacy", "fluency"):
    answers = parity(question, "articles", by="rater")
    gaps = pd.Series(answers.values[0, :, 0] - answers.values[1, :, 0])
    leads_of_four = gaps.groupby(answers.documents).sum().astype(int).tolist()
    test = mt.approximate_randomization(answers, "human", "machine", units="documents")
    print(f"{question:8}  leads {leads_of_four}  p = {test.pvalue:.4f}")

# %% tags=["remove-input", "remove-output"]
of_four = {
    question: mt.approximate_randomization(
        parity(question, "articles", by="rater"), "human", "machine", units="documents"
    ).pvalue
    for question in ("adequacy", "fluency")
}
assert of_four == {"adequacy": 4 / 16, "fluency": 2 / 16}
assert 2 / 2**5 > 0.05 > 2 / 2**6

# %% [markdown]
# In fluency all four agree, and p is still above .05. Four coins fall in 16 ways, so p can be no smaller than 2/16. In
# adequacy one of the four preferred the program. Unit 12's p is about other articles, read by these translators. It is not
# about other translators. Would you announce that people translate better? If you do, say whose opinion this is; or ask two
# more translators. If all six agreed, p would be 2/64.
#
# ## What this does not tell you
#
# - **Who is right.** Rater 7 may see what the others overlook. A sample of opinions has an average, and no truth.
# - **Which people you have a sample of.** Eight professionals of one agency stand for people like them, and not for
#   readers of news.
# - **The standard error to two digits.** It is an estimate from eight people. The interval uses Student's t with few
#   degrees of freedom for this reason, and with three raters there is hardly anything to estimate from.
#
# ## Check yourself
#
# > **Rater 6 is four times as strict as rater 4. Does this alone make the lead of one system over the other uncertain?**
# >
# > <details><summary>Yes, marks should be comparable</summary>Marks of different raters are not compared here. Each
# > rater compares two systems.</details>
# > <details class="right"><summary>No, if both rated both systems equally often</summary>This is correct.</details>
# > <details><summary>No, raters are noise that averages out</summary>With many raters it would. With eight it does not:
# > their opinions about the two systems stay.</details>
#
# <details><summary>Answer</summary>
#
# No. Strictness is added to both systems alike, and cancels in the lead. It would count if rater 6 had read more of one system's
# outputs than of the other's. What makes the lead uncertain is that raters differ about the two systems.
#
# </details>
#
# > **"We tested over 5,000 segments, all rated by the same two experts: p = .001." For whom does this p speak?**
# >
# > <details class="right"><summary>For these two experts</summary>This is correct.</details>
# > <details><summary>For experts in general</summary>Two experts were never varied. The test took their marks as
# > given.</details>
# > <details><summary>For nobody, two are too few</summary>It is a good p-value for the question that it answers: other
# > segments, the same two people.</details>
#
# <details><summary>Answer</summary>
#
# For these two. Other segments, read by the same two, would give about the same. What other experts would say was not
# varied, so it is not in the standard error.
#
# </details>
#
# > **There is money for 3,000 more ratings. Two experts have rated so far and disagree about the systems. What do you
# > buy?**
# >
# > <details><summary>3,000 ratings by the same two</summary>Then you know more precisely what two people think.</details>
# > <details><summary>3,000 ratings by the stricter of the two</summary>Strictness is not accuracy, and now one person
# > decides.</details>
# > <details class="right"><summary>300 ratings each by ten others</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Ratings by others. Where raters contribute most of the squared standard error, the number of raters has to grow. A pilot
# with variance components says whether it is so.
#
# </details>
#
# ## Exercises
#
# **1.** Compare GPT4-5shot with ONLINE-W. Which samples would have to be counted before the difference goes away?
#
# <details><summary>Answer</summary>
#
# `marks.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)`: the lead is 1.83 and p is .006 with all three
# as samples. The difference stays. Raters contribute about 60 % here, too.
#
# </details>
#
# **2.** A rater costs 100, the choice of a document 2, a rating 1. What does it cost to detect a difference of one
# point between GPT4-5shot and HW-TSC, four times in five?
#
# <details><summary>Answer</summary>
#
# ```python
# plans = pilot.plans({"rater": 100, "document": 2, "rating": 1})
# plans[plans["detectable"] <= 1].head(1)
# ```
#
# 2,622: 16 raters and 73 documents of six segments, with one rating of each translation. Although raters cost most
# here, the plan takes more of them than there were, and fewer ratings.
#
# </details>
#
# **3.** Standardise the marks, as in unit 22, so that all raters have the same mean and spread. Does the p-value change
# much?
#
# <details><summary>Answer</summary>
#
# `marks.variance_components(*PAIR)` gives p = .11. Standard scores give rater 6, who is so strict, a smaller say. They do not
# make raters agree.
#
# </details>

# %% tags=["remove-input"]
other = marks.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)
assert (round(other.statistic, 2), round(other.pvalue, 3)) == (1.83, 0.006)
assert 0.58 < other.table.set_index("source").loc["rater", "share"] < 0.64
bought = pilot.plans({"rater": 100, "document": 2, "rating": 1})
bought = bought[bought["detectable"] <= 1].iloc[0]
assert bought[["raters", "documents", "segments", "ratings", "cost"]].tolist() == [
    16,
    73,
    6,
    1,
    2622,
]
assert round(marks.variance_components(*PAIR).pvalue, 2) == 0.11

# %% [markdown]
# ---
#
# *Before this:* [unit 32, Judges that are models](32_judges_that_are_models.ipynb). *After this:* [unit 34, Few people,
# many scores](34_few_people_many_scores.ipynb). *To practise:* [lab
# 15](../labs/student/lab_15_people_and_judges.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
