# %% [markdown]
# # 36 · May I look every week?
#
# People judge twelve systems and a human translator, English to Japanese. They have read 102 of 170 documents, and somebody
# opens the dashboard. ONLINE-B leads CommandR-plus by 3 points, p = .03. The other 68 documents are still to be paid for. Is it time to stop?
#
# <details><summary>After this unit you can …</summary>
#
# - say what looking does to the level, and why (question 1);
# - read a boundary, and say how its shape spends the error (question 2, exercise 1);
# - stop a campaign by a rule, and say what must be fixed before the first judgement (question 3, exercises 2 and 3).
#
# Before this: units 3, 12 and 20. About 20 minutes to read, 25 to teach with a discussion. New terms:
# group-sequential test, error spending.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline, movable

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed without their type
pd.options.display.float_format = "{:.2f}".format


def draw_campaigns(looks, in_errors):
    """Some campaigns at their looks, in standard errors; those that crossed a line in colour."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    for path in in_errors:
        has_crossed = np.abs(path).max() > 1.96
        colour = style.EMPHASIS if has_crossed else style.GREY
        alpha = 0.9 if has_crossed else 0.4
        ax.plot(looks, path, "o-", color=colour, linewidth=1.2, markersize=3, alpha=alpha)
    for side in (1.96, -1.96):
        ax.axhline(side, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="segments judged, of 500", ylabel="difference in standard errors")
    ax.set_xlim(40, 510)
    n_crossed = (np.abs(in_errors).max(axis=1) > 1.96).sum()
    title = f"{n_crossed} of {len(in_errors)} campaigns cross a line at some look"
    ax.set_title(title, loc="left", fontsize=12)
    style.describe(
        figure,
        "Forty campaigns in which nothing differs, as paths over ten looks. Most stay between the dashed lines at 1.96 standard "
        "errors. Those that touch a line at any look are coloured, and most of them come back.",
    )
    return figure


def draw_boundaries(share, boundaries):
    """Three boundaries over ten looks."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    colours = (style.EMPHASIS, style.ORANGE, style.CALM)
    for (name, boundary), colour in zip(boundaries.items(), colours, strict=True):
        ax.plot(100 * share, boundary, "o-", color=colour, label=name)
    ax.set(
        xlabel="percent of the judgements", ylabel="standard errors that are enough", ylim=(0, 7)
    )
    ax.legend(frameon=False)
    ax.set_title("What is enough, early and late", loc="left", fontsize=12)
    style.describe(
        figure,
        "Three boundaries over ten looks. The uncorrected one is flat at 1.96, Pocock's is flat above it at about 2.6, that of "
        "O'Brien and Fleming falls from more than 6 at the first look to about 2 at the last.",
    )
    return figure


# %% [markdown]
# ## Ten looks at nothing
#
# Let us begin where nothing is to be found: two systems that are equally good, 500 segments, and a look after every fiftieth. At each look we test at .05.
#
# > **Make a guess.** In how many of 100 such campaigns is p below .05 at one of the ten looks, or at several: in about 5, about 20, or
# > about 40?
# >
# > <details><summary>about 5</summary>So it would be at any single look. There are ten, and whoever stops at the first p below .05 has
# > ten chances.</details>
# > <details class="right"><summary>about 20</summary>So it is. Each look has a chance of .05, but the looks resemble each
# > other.</details>
# > <details><summary>about 40</summary>So it would be if each look were at new segments. But the second look sees the
# > fifty of the first again.</details>
#
# A campaign is 500 differences. A sum of `n` of them has a standard deviation of the root of `n`, so that each look is counted in
# its own standard errors:

# %%
rng = np.random.default_rng(36)
looks = np.arange(50, 501, 50)
differences = rng.normal(size=(10_000, 500))
in_errors = differences.cumsum(axis=1)[:, looks - 1] / np.sqrt(looks)

# %% [markdown]
# Here is the share of campaigns beyond 1.96 at the first look, at the last one, and at any of the ten:

# %%
beyond = np.abs(in_errors) > 1.96
beyond[:, 0].mean(), beyond[:, -1].mean(), beyond.any(axis=1).mean()

# %% tags=["remove-input"]
draw_campaigns(looks, in_errors[:40])
plt.show()

# %% tags=["remove-input", "remove-output"]
ever = beyond.any(axis=1).mean()
assert 0.18 < ever < 0.21 and abs(beyond.mean(axis=0) - 0.05).max() < 0.01
assert round(1 - 0.95**10, 1) == 0.4
crossed = beyond[:40].any(axis=1)
came_back = (crossed & ~beyond[:40, -1]).sum()
assert 4 <= crossed.sum() <= 9 and came_back > crossed.sum() / 2
headline(
    "ten looks at .05, nothing differs: share of campaigns that find something", ever, spec=".2f"
)

# %% [markdown]
# The axis is how much was judged, and each path is a campaign. Look at the coloured ones first. Each of them touched a dashed line at some
# look, and whoever stops there has a difference to report. Now follow them to the right edge. Most have come back. If looks did no harm, all paths that ever leave the lines would end outside
# them.
#
# **The guess.** About 20. The dashboard's p-value of .03 was right for somebody who looks once.
#
# ## The largest of ten looks
#
# In unit 20 the best of 171 pairs had to be compared with the luckiest of 171. The same works here. Of the four steps the first changes: *choose a statistic*. Ours
# is the largest value over all looks so far. A **group-sequential test** is a test that may be made at several looks while the data come in, with one level
# for all of its looks together.
#
# We try it on the campaign of the dashboard. It is WMT24's, English to Japanese: error span annotation, a score from 0 to 100 for each output.
# The rows stand in the order of the organisers' export. That is nearly the order of the times at which they were saved, which are not in our data: 97 of 100 rows are at most
# twenty places off.

# %%
import mtsig_nb as mt

ratings = mt.load("wmt24/en-ja").judgements["esa_ratings"]
judged = ratings.frame[ratings.frame["type"] == "SYSTEM"]
judged = judged.assign(document=np.asarray(ratings.documents)[judged["segment"]])
len(judged), judged["system"].nunique(), judged["document"].nunique()

# %% [markdown]
# One person judged a whole document of one system, so that documents are the units (unit 12). A document counts from the moment when both systems have
# a judgement on it. `lead_by_document` has them in this order:


# %%
def lead_by_document(first, second):
    pair = judged[judged["system"].isin([first, second])]
    scores = pair.pivot(index=["document", "segment"], columns="system", values="raw")
    lead = (scores[first] - scores[second]).groupby("document").sum()
    began = pair.reset_index().groupby(["document", "system"])["index"].min()
    return lead[began.groupby("document").max().sort_values().index]


lead = lead_by_document("ONLINE-B", "CommandR-plus")

# %% [markdown]
# Stand at the sixth look yourself. The machine has the 102 documents that were there, and a coin for each. It tosses as if somebody had looked only now.

# %%
pair = ["ONLINE-B", "CommandR-plus"]
so_far = judged[judged["document"].isin(lead.index[:102]) & judged["system"].isin(pair)]
scores = mt.from_segment_scores(so_far, score="raw", document="document", label="ESA")
chance_machine(scores, *pair, units=["documents"], n_resamples=2000, rng=36)

# %% [markdown]
# Now the same coins for all ten looks. A coin that exchanges the two systems in a document turns the sign of its lead, at this look and at all later ones.

# %%
ten = np.arange(17, 171, 17)
leads = lead.to_numpy()
signs = rng.choice([-1, 1], size=(10_000, 170))
spread = np.sqrt((leads**2).cumsum()[ten - 1])
tossed = np.abs((signs * leads).cumsum(axis=1)[:, ten - 1]) / spread
largest = np.maximum.accumulate(tossed, axis=1)

# %% [markdown]
# Move the slider, and let the campaign arrive. The hill is the largest value over all looks up to then, in 10,000 tosses. The black line is ONLINE-B's own largest
# value so far. Orange is what reaches it.


# %% tags=["remove-input", "nbval-ignore-output"]
observed = np.maximum.accumulate(np.abs(leads.cumsum()[ten - 1]) / spread)


def hill(ax, look):
    """What chance does to the largest of so many looks, and the campaign's own."""
    values = largest[:, look - 1]
    bins = np.linspace(0, 4.5, 46)
    own = observed[look - 1]
    is_beyond = values >= own - 1e-9
    parts = [values[~is_beyond], values[is_beyond]]
    ax.hist(parts, bins=bins, stacked=True, color=[style.GREY, style.EMPHASIS])
    ax.axvline(own, color=style.INK, linewidth=2)
    enough = np.quantile(values, 0.95)
    ax.axvline(enough, color=style.CALM, linestyle="--")
    ax.text(enough + 0.05, 940, f"5 % beyond {enough:.2f}", color=style.CALM)
    ax.set(xlim=(0, 4.5), ylim=(0, 1000), yticks=[])
    ax.set_xlabel("largest difference so far, in standard errors")
    documents = ten[look - 1]
    title = f"look {look}, {documents} documents: {100 * is_beyond.mean():.0f} % reach the line"
    ax.set_title(title, loc="left", fontsize=11)


movable(hill, look=list(range(1, 11)))

# %% tags=["remove-input", "remove-output"]
alone = (tossed[:, 5] >= observed[5] - 1e-9).mean()
together = (largest[:, 5] >= observed[5] - 1e-9).mean()
edges = np.quantile(largest, 0.95, axis=0)
assert round(alone, 2) == 0.03 and round(together, 2) == 0.07
assert np.argmax(np.abs(leads.cumsum()[ten - 1]) / spread) == 5
assert (np.diff(edges) >= 0).all() and 1.85 < edges[0] < 2.05 and 2.35 < edges[-1] < 2.45
ahead = scores.scores()
assert round(ahead["ONLINE-B"] - ahead["CommandR-plus"]) == 3 and len(leads) == 170
at_once = mt.approximate_randomization(scores, *pair, units="documents", n_resamples=2000, rng=36)
assert 0.02 < at_once.pvalue < 0.045
whole = (np.abs((signs * leads).sum(axis=1)) >= abs(leads.sum()) - 1e-9).mean()
assert 0.22 < whole < 0.3 and round(leads.sum() / 634, 1) == 1.2
headline("ONLINE-B against CommandR-plus at look 6: p alone", alone, spec=".2f")
headline("the same as the largest of six looks", together, spec=".2f")

# %% [markdown]
# The axis is how far the campaign has ever been from zero, in standard errors. At the first look the hill ends about where it always does, with 5 % beyond 2. With each look
# the hill moves to the right, for there is one more chance to be far away, and the dashed line moves with it, to about 2.4. Go to look 6: the black line jumps to 2.2. At one look
# alone 3 % of the tosses reach it. Of the largest of six looks it is 7 %, and four more looks are to come. If all looks showed the same, the hill would stay where it was.
#
# So it is not time to stop. And indeed: when all 170 documents were there, the lead had fallen to 1.2 points, which a quarter of the tosses reach.
#
# ## Early or late
#
# One dashed line for all looks is Pocock's test, of 1977. O'Brien and Fleming's, of 1979, asks for much more at early looks, and for hardly more than 1.96 at the last. **Error spending** is a rule that says how much of
# the level may be spent by the time that a given share of the judgements has come in. On the campaigns in which nothing differs, we find the two boundaries that 5 % ever cross:

# %%
share = looks / 500
pocock = np.quantile(np.abs(in_errors).max(axis=1), 0.95)
obrien_fleming = np.quantile((np.abs(in_errors) * np.sqrt(share)).max(axis=1), 0.95)
boundaries = {
    "p < .05 at each look": np.full(10, 1.96),
    "Pocock": np.full(10, pocock),
    "O'Brien and Fleming": obrien_fleming / np.sqrt(share),
}

# %% tags=["remove-input"]
draw_boundaries(share, boundaries)
plt.show()

# %% [markdown]
# > **Make a guess.** What do honest looks cost? Suppose that one system is better by .15 standard deviations. One test after 500 segments finds it in 92 of 100
# > campaigns. By O'Brien and Fleming's boundary, how many campaigns find it, and after how many segments do they end on average: 91 after 340, 75 after 340, or 91 after 480?
# >
# > <details class="right"><summary>about 91, after 340</summary>So it is. The last look is hardly stricter than a single test, and most campaigns end
# > before it.</details>
# > <details><summary>about 75, after 340</summary>Ten looks cost less than that, since they are so alike, and since early ones spend so
# > little.</details>
# > <details><summary>about 91, after 480</summary>In many campaigns it is clear much sooner.</details>

# %%
better = in_errors + 0.15 * np.sqrt(looks)
rows = {"one test": [(np.abs(better[:, -1]) > 1.96).mean(), 500]}
for name, boundary in boundaries.items():
    crosses = np.abs(better) > boundary
    stops = np.where(crosses.any(axis=1), looks[crosses.argmax(axis=1)], 500)
    rows[name] = [crosses.any(axis=1).mean(), stops.mean()]
pd.DataFrame(rows, index=["found", "segments judged"]).T

# %% tags=["remove-input", "remove-output"]
table = pd.DataFrame(rows, index=["found", "judged"]).T
late, early_rule = table.loc["O'Brien and Fleming"], table.loc["Pocock"]
assert 0.90 <= table.loc["one test", "found"] < 0.925 and 0.89 < late["found"] < 0.92
assert (
    340 < late["judged"] < 360 and early_rule["judged"] < 310 and 0.8 < early_rule["found"] < 0.88
)
assert round(pocock, 1) == 2.6 and 2.0 < obrien_fleming < 2.1
assert 6 < boundaries["O'Brien and Fleming"][0] < 7
headline(
    "difference of .15, O'Brien and Fleming: found, and segments judged",
    f"{late['found']:.2f} {late['judged']:.0f}",
)

# %% [markdown]
# **The guess.** About 91 after 340. Three tenths of the judgements need not be paid for, and next to nothing is lost. Pocock's rule ends sooner still, and misses
# more. The uncorrected line finds most, but also
# finds something in about 20 of 100 campaigns where nothing differs. The package computes such boundaries from the coins of the data themselves, for looks at any time.
#
# ## Stop a real campaign
#
# GPT-4 and Llama3-70B are in the same campaign. The plan is fixed before the first judgement: 170 documents at most, ten looks, O'Brien and Fleming's
# spending, a level of .05.

# %%
watched = mt.sequential_test(
    judged,
    "GPT-4",
    "Llama3-70B",
    planned=170,
    looks=10,
    units="documents",
    score="raw",
    rng=36,
)
watched.table[["n_units", "difference", "ci_low", "ci_high", "pvalue", "verdict"]]

# %% tags=["remove-input"]
watched.plot()
plt.show()

# %% tags=["remove-input", "remove-output"]
rows = watched.table.set_index("look")
told_apart = rows.index[rows["verdict"] == "better"]
assert told_apart[0] == 6 and rows.loc[6, "n_units"] == 102
assert rows.loc[1, "difference"] < -6 and rows["difference"].round(1).loc[[6, 10]].tolist() == [
    5.9,
    3.1,
]
assert 0 < rows.loc[6, "ci_low"] < rows.loc[10, "difference"] < rows.loc[6, "ci_high"]
assert not np.isfinite(rows.loc[:3, "ci_low"]).any()
headline(
    "GPT-4 against Llama3-70B: documents until it is told apart, of 170", rows.loc[6, "n_units"]
)

# %% [markdown]
# The axis is how many documents were judged, the dots are the difference so far, and the bars are its interval. Look at the first dot: after 17 documents *Llama3-70B* led, by 7 points. There is no bar yet, since so early no luck of the coins
# is enough for this boundary. Then look where the line of dots meets the dashed line, at look 6. There the
# campaign may end: GPT-4 is better, and 68 documents need not be judged.
#
# In WMT24 they were judged all the same. At the end the difference is 3.1, and at look 6 it was 5.9. That is no accident. A
# campaign ends when the difference happens to be large. So a difference at which one stops is too large on average, and it is reported with its interval. This interval holds at all looks together, and
# contains the 3.1.
#
# If no systems are named, all pairs are watched together, with one boundary for all looks and all pairs. It is unit 20's luckiest pair, at its luckiest look.
#
# ## What this does not tell you
#
# - **How many judgements to plan.** That is unit 28's question. The number has to stand before the first look, since the share of the judgements is a share of it.
# - **What other raters would say.** Twelve people judged here. Looks are corrected for, people are not: they are units 33 to 35's.
# - **That a stop is right.** Of campaigns in which nothing differs, one in twenty stops all the same. Exercise 3 has one that nearly did stop, and then shrank.
#
# ## Check yourself
#
# > **A team looks every Friday, and stops as soon as p is below .05. The systems are equally good. Why is their risk of a false claim larger than .05?**
# >
# > <details><summary>The p-value of each Friday is wrong</summary>For somebody who looks on that Friday alone, it is right.</details>
# > <details class="right"><summary>They report the best of many Fridays</summary>This is correct.</details>
# > <details><summary>Early p-values come from few judgements</summary>A test on few judgements keeps its level, too. One early look alone would do no
# > harm.</details>
#
# <details><summary>Answer</summary>
#
# They claim something if *any* Friday is beyond the line, so that the largest value of all Fridays decides. It has to be compared with what chance does to the largest, and
# not with what it does to one.
#
# </details>
#
# > **At the second of ten looks the difference is 2.4 standard errors. O'Brien and Fleming's boundary says: go on. Is the boundary too strict?**
# >
# > <details><summary>Yes, 2.4 is significant</summary>At a single look it would be. Here nine others follow.</details>
# > <details class="right"><summary>No, it saves the error for the late looks</summary>This is correct.</details>
# > <details><summary>No, early judgements are less reliable</summary>They are as good as later ones. There are only fewer of them.</details>
#
# <details><summary>Answer</summary>
#
# Whoever spends little of the .05 on early looks has nearly all of it at the last one, so that the campaign loses hardly any power. Pocock's boundary is at 2.6 at all looks, and would not
# stop here either.
#
# </details>
#
# > **All 170 planned documents are judged, and p is .06. "Let us judge 40 more." What is wrong with it?**
# >
# > <details><summary>Nothing, more data are always better</summary>They are, if they were planned. Here they are judged because p is near .05, and whoever adds until it is below has
# > another look each time.</details>
# > <details class="right"><summary>The plan was changed by what was seen</summary>This is correct.</details>
# > <details><summary>It needs more than 40 to matter</summary>The number does not matter. The reason for which it is chosen does.</details>
#
# <details><summary>Answer</summary>
#
# The boundary of each look was computed for 170 documents. All of the error was spent at the last one. A second campaign, planned anew, may use the 40 and as many more as it needs.
#
# </details>
#
# ## Exercises
#
# **1.** A team has looked fifty times, after every tenth segment of 500. How often do they find something where nothing differs, and where does Pocock's line have to be?
#
# <details><summary>Answer</summary>
#
# ```python
# often = np.arange(10, 501, 10)
# fifty = np.abs(differences.cumsum(axis=1)[:, often - 1] / np.sqrt(often)).max(axis=1)
# (fifty > 1.96).mean(), np.quantile(fifty, 0.95)
# ```
#
# In about a third of the campaigns, and at 2.8 in the place of 2.6. Five times as many looks do not do five times as much harm: they are more alike.
#
# </details>
#
# **2.** Watch Gemini-1.5-Pro against GPT-4. When might one have given up, and what does the column `predictive_power` say?
#
# <details><summary>Answer</summary>
#
# `mt.sequential_test(judged, "Gemini-1.5-Pro", "GPT-4", planned=170, looks=10, units="documents", score="raw", rng=36).table`. At look 5, after 85 documents:
# the predictive power, which is the probability of crossing the boundary at the end if things go on as they are, is below .1. At the end the two differ by .1 points.
# To give up spends no error. It saves money, and finds nothing.
#
# </details>
#
# **3.** Watch ONLINE-B against Aya23. What happens after look 6, and what do you report?
#
# <details><summary>Answer</summary>
#
# At look 6 the difference is 3.3, or 2.7 standard errors, and the boundary is as far away. Up to 100,000 sign flips cannot tell whether it is reached, as a note
# says, and the verdict is to go on. At the end the difference is 1.5, and the two are not told apart. Report the last look, with its interval. The dashboard had p below .01 at look 6.
#
# </details>

# %% tags=["remove-input"]
often = np.arange(10, 501, 10)
fifty = np.abs(differences.cumsum(axis=1)[:, often - 1] / np.sqrt(often)).max(axis=1)
assert 0.3 < (fifty > 1.96).mean() < 0.35 and round(np.quantile(fifty, 0.95), 1) == 2.8
how = {"planned": 170, "looks": 10, "units": "documents", "score": "raw", "rng": 36}
alike = mt.sequential_test(judged, "Gemini-1.5-Pro", "GPT-4", **how).table.set_index("look")
assert (alike["predictive_power"] < 0.1).idxmax() == 5 and alike.loc[5, "n_units"] == 85
assert round(alike.loc[10, "difference"], 1) == 0.1
shrank = mt.sequential_test(judged, "ONLINE-B", "Aya23", **how).table.set_index("look")
assert abs(shrank.loc[6, "statistic"] - shrank.loc[6, "boundary"]) < 0.05
assert round(shrank.loc[6, "statistic"], 1) == 2.7 and shrank.loc[6, "verdict"] == "go on"
assert shrank["difference"].round(1).loc[[6, 10]].tolist() == [3.3, 1.5]
assert shrank.loc[6, "unresolved"] and shrank.loc[6, "n_resamples"] == 100_000
assert shrank.loc[10, "verdict"] == "indistinguishable"

# %% [markdown]
# ---
#
# *Before this:* [unit 35, Who rated whom?](35_who_rated_whom.ipynb). *After this:* [unit 37, Jurors, customers,
# speakers](37_jurors_customers_speakers.ipynb); or watch your own campaign with [`mtsig watch`](../../docs/watching.md). *To practise:* [lab
# 12](../labs/student/lab_12_what_a_test_set_can_show.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
