# %% [markdown]
# # 24 · Rankings
#
# In [unit 2](../1_what_chance_can_do/02_what_chance_can_do.ipynb) readers of WMT12 preferred QCRI's translations to
# GTH-UPM's 79 times out of 130. We tossed 130 coins, again and again, and found that chance would rarely do as much.
# But there were not 130 readers. There were 32. Twelve of them decided once or not at all, and two of them seventeen
# times. How many coins should we have tossed?
#
# <details><summary>After this unit you can …</summary>
#
# - choose the unit for preferences, and say what it does to p (questions 1 and 3);
# - compute the smallest p-value that a few judges can give (question 2);
# - compare two systems by preferences and by judges (exercise 1).
#
# Before this: units 12 and 23. About 21 minutes to read, 26 to teach with a discussion. New terms: relative ranking.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.3f}".format
pd.options.display.width = 110


def draw_margins(margins, names):
    """What each judge said about a pair: preferences for one minus preferences for the other."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 3.8))
    values = np.sort(margins.to_numpy())
    colours = [style.EMPHASIS if v > 0 else style.CALM for v in values]
    ax.bar(np.arange(len(values)) + 1, values, color=colours)
    ax.axhline(0, color=style.INK, linewidth=1)
    ax.set(
        xlabel=f"{len(values)} judges, in order",
        ylabel=f"preferences for {names[0]}\nminus preferences for {names[1]}",
    )
    style.describe(
        figure,
        "A bar for each of 32 judges: the number of preferences for QCRI minus those for GTH-UPM, from minus 3 to plus 7. "
        "Nine judges are at zero, ten below it and thirteen above.",
    )
    return figure


def draw_two_coins(by_preference, by_judge, observed):
    """Totals that chance produces with a coin for each preference, and with one for each judge."""
    figure, axes = plt.subplots(2, 1, figsize=(7.2, 4.6), sharex=True, layout="constrained")
    edges = np.arange(-67, 68, 2)
    for ax, totals, title in (
        (axes[0], by_preference, "a coin for each of 130 preferences"),
        (axes[1], by_judge, "a coin for each of 32 judges"),
    ):
        far = abs(totals) >= observed
        ax.hist(
            [totals[far], totals[~far]], edges, stacked=True, color=[style.EMPHASIS, style.MUTED]
        )
        for x in (-observed, observed):
            ax.axvline(x, color=style.INK, linestyle="--", linewidth=1)
        ax.set_title(f"{title}: {far.mean():.1%} beyond", loc="left", fontsize=10)
        ax.set_ylabel("simulations")
    axes[1].set_xlabel("preferences for QCRI minus preferences for GTH-UPM")
    style.describe(
        figure,
        "Two hills around zero over the same axis. The upper one, with a coin for each preference, is narrower; the lower "
        "one, with a coin for each judge, is wider, and more of it lies beyond the dashed lines at 28 and minus 28.",
    )
    return figure


def draw_strengths(strengths):
    """Each system's strength with its 95 % interval, best on top."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.4))
    ax.errorbar(
        strengths["strength"],
        range(len(strengths)),
        xerr=1.96 * strengths["standard_error"],
        fmt="o",
        color=style.CALM,
    )
    style.name_rows(ax, list(strengths.index))
    ax.axvline(0, color=style.MUTED, linewidth=1, zorder=0)
    ax.set(xlabel="strength")
    style.describe(
        figure,
        "Strengths of twelve systems with short intervals, falling from onlineA at about 0.5 to onlineE at about -0.3; "
        "uk-dan-moses lies far off at -1.4.",
    )
    return figure


# %% [markdown]
# ## Five outputs in order
#
# In those years WMT did not ask for points. Its raters, whom we call judges as WMT did, saw five outputs of the same
# segment at once and put them in order, ties allowed. A **relative ranking** is a judge's order of several outputs of
# the same segment; it yields preferences, pair by pair. Here is the first of 1,141.

# %%
import mtsig_nb as mt

people = mt.load("wmt12/es-en").human
first = people.rankings.query("task == 0").set_index("system")["rank"].sort_values(kind="stable")
[
    f"{a} {'=' if first[a] == first[b] else '>'} {b}"
    for a, b in itertools.combinations(first.index, 2)
]

# %% [markdown]
# Five outputs in order are ten comparisons, one of them tied here. All rankings together make 11,286 (now and then a
# judge left an output without a place). Who won how often against whom, ties left out?

# %%
won = people.wins
won.iloc[:5, :5]

# %% tags=["remove-input", "remove-output"]
headline("WMT12 es-en: comparisons read off the rankings", len(people.frame))
headline("rankings that they come from", people.rankings["task"].nunique())
assert len(people.frame) == 11_286 and people.rankings["task"].nunique() == 1141
assert first.duplicated().sum() == 1 and len(first) == 5
names = ["QCRI--primary", "GTH-UPM"]
assert won.loc[names[0], names[1]] == 79 and won.loc[names[1], names[0]] == 51

# %% [markdown]
# How good is a system, then? One could count its wins. But chance decided who met whom, and beating a weak system is
# no feat. So for each opponent one takes the share of decided comparisons won, and then the mean of the shares. It
# says how often the system would win against an opponent drawn at random; Koehn (2012) called it *expected wins*.

# %%
share = won / (won + won.T)
share.mean(axis=1).sort_values(ascending=False, kind="stable").head()

# %% tags=["remove-input"]
expected = share.mean(axis=1).sort_values(ascending=False, kind="stable")
assert np.allclose(expected, people.scores()[expected.index]) and expected.index[2] == names[0]

# %% [markdown]
# ## Nine of ten, once more
#
# Unit 2 began with one reader and ten sentences, nine of which she decided for A. Now suppose that the ten
# preferences are those of three judges. The first preferred A all five times, the second all four times, and the
# third, asked once, preferred B. Each judge's *margin* is the number of preferences for A minus that for B: 5, 4 and
# −1, which makes 8.
#
# What would chance do? Perhaps the first judge has a weakness for short sentences, and A's were shorter. Then her
# five preferences were one decision, made five times. So it is the second step that changes, *say what chance would
# do*, and the others stay. Each *judge* might as well have said all of it the other way round, and the coin is tossed
# once for each judge:

# %%
margins = np.array([5, 4, -1])
totals = [np.dot(signs, margins) for signs in itertools.product([1, -1], repeat=3)]
sum(abs(t) >= 8 for t in totals), len(totals)

# %% tags=["remove-input"]
assert sum(abs(t) >= 8 for t in totals) == 4 and len(totals) == 8
assert round(2 * 11 / 1024, 4) == 0.0215

# %% [markdown]
# Four of eight: p is .5. With ten coins it was .02. The preferences are the same; what has changed is how many of
# them we take for independent.
#
# > **Make a guess.** For QCRI against GTH-UPM, p was about .02 with 130 coins. What will it be with 32, one for each
# > judge: about .02 as before, about .07, or about .5?
# >
# > <details><summary>about .02 as before</summary>The rankings are the same, but a judge's rankings resemble each
# > other. One coin for all of them leaves more to luck.</details>
# > <details class="right"><summary>about .07</summary>So it is. Another unit, another answer.</details>
# > <details><summary>about .5</summary>Thirty-two coins are fewer than 130, and still enough to say
# > something.</details>
#
# ## Thirty-two judges

# %%
rng = np.random.default_rng(24)
a, b = "QCRI--primary", "GTH-UPM"
pair = people.frame.query("system_a in [@a, @b] and system_b in [@a, @b]")
for_a = pair["outcome"].where(pair["system_a"] == a, -pair["outcome"])
margins = for_a.groupby(pair["rater"]).sum()
signs = rng.choice([-1, 1], size=(10_000, len(margins)))
by_judge = (signs * margins.to_numpy()).sum(axis=1)
count = (abs(by_judge) >= abs(margins.sum())).sum()
(count + 1) / (10_000 + 1)

# %% tags=["remove-input"]
draw_margins(margins, ["QCRI", "GTH-UPM"])
plt.show()

# %% tags=["remove-input", "remove-output"]
p_judges = (count + 1) / (10_000 + 1)
decided = for_a[for_a != 0].groupby(pair["rater"]).size()
assert margins.sum() == 28 and len(margins) == 32
assert (decided == 1).sum() + len(margins) - len(decided) == 12
counts = ((margins == 0).sum(), (margins < 0).sum(), (margins > 0).sum())
assert counts == (9, 10, 13) and decided.max() == 17 and (decided == 17).sum() == 2

# %% [markdown]
# Each bar is a judge, and its height is that judge's margin: upwards for QCRI, downwards for GTH-UPM. Begin at the
# left, with those who preferred GTH-UPM, hardly any of them by more than two. In the middle are judges whose
# preferences cancel out, or who found both alike. Then look at the right end: three judges with margins of six and
# more have given QCRI two thirds of its lead of 28.

# %% tags=["remove-input"]
by_preference = 2 * rng.binomial(130, 0.5, size=10_000) - 130
draw_two_coins(by_preference, by_judge, abs(margins.sum()))
plt.show()

# %% tags=["remove-input", "remove-output"]
p_preferences = ((abs(by_preference) >= abs(margins.sum())).sum() + 1) / (10_000 + 1)
headline("QCRI against GTH-UPM, p with a coin for each preference", p_preferences, spec=".3f")
headline("the same, a coin for each judge", p_judges, spec=".3f")
assert 0.012 < p_preferences < 0.023 and 0.06 < p_judges < 0.075
assert 14 < by_judge.std() < 15.5 and 11 < by_preference.std() < 12
assert 18 <= margins.nlargest(3).sum() <= 19

# %% [markdown]
# Both hills show the same thing, the total that chance produces, and the dashed lines are the observed 28 and its
# mirror. Compare their widths. With a coin for each preference nearly everything lies within 25 of zero. With a coin
# for each judge the hill is wider, because a judge with a margin of 7 moves all of it at once, and more of it lies
# beyond the lines. If one judge's answers were no more alike than the answers of different judges, the two hills
# would have about the same width.
#
# **The guess.** About .07. At a level of .05 we could not say that QCRI's translations were preferred. In unit 2 we did
# not claim this either. We computed a p-value with a coin for each preference. Now we see that another coin gives
# another answer.
#
# Toss them yourself. Each small mark is a comparison, and ties are among them. Where the machine says *documents*, read
# *judges*: all comparisons of one judge change sides together.

# %%
tallied = for_a.to_frame("score").assign(segment=range(len(pair)), judge=pair["rater"], system=a)
both = pd.concat([tallied, tallied.assign(system=b, score=0)])
preferences = mt.from_segment_scores(both, document="judge")
chance_machine(preferences, a, b, units=["segments", "documents"], rng=24)

# %% [markdown]
# One can also choose a number of coins between one for each judge and one for each preference. Give each judge more
# coins, and watch the hill become narrower and p fall, though nobody has said anything new.


# %% tags=["remove-input", "nbval-ignore-output"]
def coins_for_each(ax, coins_for_a_judge):
    """Totals by chance where each judge's preferences are dealt to so many coins."""
    turn = pair.groupby("rater").cumcount() % coins_for_a_judge
    parts = for_a.groupby([pair["rater"], turn]).sum().to_numpy()
    totals = np.random.default_rng(1).choice([-1, 1], size=(10_000, len(parts))) @ parts
    far = abs(totals) >= margins.sum()
    split = [totals[far], totals[~far]]
    ax.hist(split, np.arange(-67, 68, 2), stacked=True, color=[style.EMPHASIS, style.MUTED])
    ax.set(xlabel="preferences for QCRI minus preferences for GTH-UPM", ylabel="simulations")
    title = f"{np.count_nonzero(parts)} coins that count: p = {(far.sum() + 1) / 10_001:.3f}"
    ax.set_title(title, loc="left", fontsize=11)


movable(coins_for_each, coins_for_a_judge=[1, 2, 3, 5, 17])

# %% [markdown]
# ## All pairs
#
# To compare a number of preferences with coins is called the *sign test*. The package tosses a coin for each
# preference, unless it is told who the units are. Here it goes through all 66 pairs at .05, without a correction.

# %%
by_coin = people.sign_test().conclusions().pairs()
by_person = people.sign_test(units="raters").conclusions().pairs()
(by_coin != 0).sum(), (by_person != 0).sum()

# %% tags=["remove-input"]
rows = []
for name in ("cs-en", "de-en", "en-es", "es-en", "fr-en"):
    said = mt.load(f"wmt12/{name}").human
    one = said.sign_test().conclusions().pairs() != 0
    other = said.sign_test(units="raters").conclusions().pairs() != 0
    judges = said.frame["rater"].nunique()
    rows.append(
        (name, len(one), judges, one.sum(), other.sum(), (one & ~other).sum(), (other & ~one).sum())
    )
columns = ["WMT12", "pairs", "judges", "by preferences", "by judges", "lost", "gained"]
table = pd.DataFrame(rows, columns=columns).set_index("WMT12")
table

# %% tags=["remove-input", "remove-output"]
headline("pairs of 66 distinguished at .05, comparisons as units", int((by_coin != 0).sum()))
headline("pairs of 66 distinguished at .05, raters as units", int((by_person != 0).sum()))
assert ((by_coin != 0).sum(), (by_person != 0).sum()) == (40, 34)
assert table.loc["de-en", ["by preferences", "by judges"]].tolist() == [69, 71]
assert table["lost"].sum() > table["gained"].sum()

# %% [markdown]
# Six of forty go. The table has all five pairs of languages with rankings. French to English loses nine pairs and gains
# one. German to English is a warning against a simple rule: there *more* pairs are distinguished by judges than by
# preferences. The margins of judges can also vary less than independent coins would make them vary. Larger units mostly
# make p larger, as in [unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb), but they need not.
#
# Which unit is right? It depends on the question. A test with a coin for each preference is about *these* people on
# this occasion. Even for that, their answers have to be independent of one another. A coin for each judge lets judges
# be the unit, which is what one needs to speak about *people like them*. Those who read a ranking mostly want to know
# the second.
#
# ## A strength for each system
#
# The sign test of a pair uses the preferences between these two and throws all others away. Yet if A beats B, and B
# beats all other systems, this also tells something about A against the others. The model of Bradley and Terry gives
# each system one number, its strength, such that the difference of two strengths says how often one beats the other,
# ties left out. No difference means half of the time, and a difference of 0.4 means 60 %.

# %%
model = people.bradley_terry()
strengths = model.to_frame().set_index("system")
model.win_probabilities().loc["onlineA", "onlineD"]

# %% tags=["remove-input"]
draw_strengths(strengths)
plt.show()

# %% tags=["remove-input", "remove-output"]
by_model = model.tests().conclusions().pairs()
headline("pairs of 66 distinguished at .05, Bradley and Terry's model", int((by_model != 0).sum()))
gap = strengths.loc["onlineA", "strength"] - strengths.loc["onlineD", "strength"]
assert (by_model != 0).sum() == 55 and 0.39 < gap < 0.41
assert round(model.win_probabilities().loc["onlineA", "onlineD"], 2) == 0.60
assert list(strengths.index) == list(expected.index)
assert len(strengths) == 12

# the same strengths, with the judges as units: what each judge adds to the slope of the likelihood
said = people.frame.query("outcome != 0")
place = [strengths.index.get_indexer(said[column]) for column in ("system_a", "system_b")]
design = np.eye(12)[place[0]] - np.eye(12)[place[1]]
chance = 1 / (1 + np.exp(-design @ strengths["strength"].to_numpy()))
naive = np.linalg.pinv((design * (chance * (1 - chance))[:, None]).T @ design)
off = pd.DataFrame(design * ((said["outcome"].to_numpy() > 0) - chance)[:, None])
slopes = off.groupby(said["rater"].to_numpy()).sum().to_numpy()
by_judges = naive @ slopes.T @ slopes @ naive * len(slopes) / (len(slopes) - 1)
assert np.allclose(np.sqrt(np.diag(naive)), strengths["standard_error"], rtol=1e-3)
longer = np.sqrt(np.diag(by_judges) / np.diag(naive))
assert len(said) == 9796 and np.median(longer) > 1.6 and 4 < longer[-1] < 5
one, other = np.triu_indices(12, 1)
contrasts = np.eye(12)[one] - np.eye(12)[other]
apart = abs(contrasts @ strengths["strength"].to_numpy())
distinguished = [
    int((apart > 1.96 * np.sqrt(np.einsum("ij,jk,ik->i", contrasts, spread, contrasts))).sum())
    for spread in (naive, by_judges)
]
assert distinguished == [55, 46]
headline(
    "pairs of 66 distinguished at .05, Bradley and Terry's model, judges as units",
    distinguished[1],
)

# %% [markdown]
# Each row is a system, the dot is its strength, and the bar a 95 % interval. Look at the distances first: from one
# neighbour to the next they are mostly small, and only the last system is far from the others. Then look at how short
# the bars are. With this model 55 of 66 pairs are distinguished, where the sign test has 40. They are so short because
# the model, too, takes all 9,796 decided comparisons as independent, and uses them for every pair. With judges as
# units, half of the bars would be at least 1.6 times as long and the last one more than four times as long, and 46
# pairs would be distinguished.
#
# ## Both pairs of unit 1
#
# At the end of [unit 1](../1_what_chance_can_do/01_is_a_better_than_b.ipynb) eight metrics preferred Online-B, and
# people preferred Online-W, with p = .025. That was a rank-sum test, which takes each segment's score as independent
# of the others. Behind the scores are 135 raters. Let us exchange what people said about the two systems, first
# segment by segment, then rater by rater.

# %%
ratings = mt.load("wmt22/de-en").human
for units in ("segments", "raters"):
    scores = ratings.as_statistics(units=units)
    test = mt.approximate_randomization(scores, "Online-W", "Online-B", rng=24)
    print(f"{units:9} p = {test.pvalue:.4f}")

# %% tags=["remove-input", "remove-output"]
by_raters = mt.approximate_randomization(scores, "Online-W", "Online-B", rng=24)
headline(
    "WMT22 de-en, Online-W against Online-B: p, raters exchanged", by_raters.pvalue, spec=".2f"
)
asked = ratings.frame.query("system in ['Online-W', 'Online-B'] and type in ['SYSTEM', 'REPEAT']")
assert asked["rater"].nunique() == 135
assert (asked.groupby("rater")["system"].nunique() == 1).sum() == 43
by_segments = ratings.as_statistics(units="segments")
assert mt.approximate_randomization(by_segments, "Online-W", "Online-B", rng=24).pvalue < 0.01
assert 0.12 < by_raters.pvalue < 0.17 and by_raters.statistic > 0
in_unit_1 = mt.load("wmt22/de-en").human.tests().to_frame().set_index(["system_a", "system_b"])
assert round(in_unit_1.loc[("Online-W", "Online-B"), "pvalue"], 3) == 0.025
first_ratings = mt.load("wmt21/de-en").human
first_pair = [
    mt.approximate_randomization(
        first_ratings.as_statistics(units=units), "Facebook-AI", "NVIDIA-NeMo", rng=24
    ).pvalue
    for units in ("segments", "raters")
]
headline(
    "WMT21 de-en, Facebook-AI against NVIDIA-NeMo: p, raters exchanged", first_pair[1], spec=".2f"
)
assert first_pair[0] < 0.007 and 0.155 < first_pair[1] < 0.185

# %% [markdown]
# By segments p is well below .01. (It is not the .025 of unit 1, because here the points count and not only their
# order, and segments are paired.) By raters it is .14. If people like these had no preference, a lead of this size
# would come about once in seven times. The first pair of unit 1, Facebook's system and NVIDIA's, goes the same way:
# .005 by segments, .17 by raters. What unit 1 said of people holds at most for the raters who were asked, and only if
# their answers are independent of one another. For other raters it has not been shown.
#
# ## What this does not tell you
#
# - **Why judges differ.** They ranked different sentences, and 43 of the 135 raters had outputs of only one of the
#   two systems. What looks like a judge's taste may be a judge's share of the test set.
# - **What ties mean.** 1,490 of the 11,286 comparisons were tied, and the tests here set them aside. A pair tied
#   eighty times of a hundred is not far apart, whoever wins the other twenty.
# - **What documents do.** Preferences may be alike because one person gave them, or because the sentences come from one
#   article. Here we looked at the first reason only.
#
# ## Check yourself
#
# > **"With judges as units we have only 32 data instead of 130, so p must grow." Right or wrong?**
# >
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
# > <details><summary>Right</summary>Not always. Where all judges lean the same way by a little, 32 units tell more than
# > 130 coins.</details>
# > <details><summary>Right, by a factor of four</summary>There is no such factor. It depends on whether judges
# > differ.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. If every judge preferred A by a similar, small margin, chance would hardly ever turn most of the 32 the same
# way, and p would be smaller than with 130 coins. It grows where a few judges have large margins.
#
# </details>
#
# > **A hundred preferences were collected from four judges, twenty-five each, all in favour of A. What is the smallest
# > p that a coin for each judge can give?**
# >
# > <details><summary>2/2¹⁰⁰</summary>That is for a hundred coins. Here are four.</details>
# > <details><summary>.0625</summary>Two of the sixteen ways are as one-sided: all for A, and all for B.</details>
# > <details class="right"><summary>.125</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Four coins fall in sixteen ways, and two of them are as one-sided: 2/16, or .125. To say something about people like
# these one needs more people, and not more answers.
#
# </details>
#
# > **Five outputs in one order make ten comparisons. May they be treated as ten independent answers?**
# >
# > <details><summary>Yes</summary>Whoever puts A before B and B before C has no choice left about A and C.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes, for a pair of systems</summary>For one pair a ranking gives one answer, which is fine. The
# > ten together are not independent.</details>
#
# <details><summary>Answer</summary>
#
# No. Who puts A before B and B before C has no choice left about A and C. For one pair of systems a ranking gives one
# answer only, so that the sign test of a pair does not suffer from it. The model, which uses all pairs, does.
#
# </details>
#
# ## Exercises
#
# **1.** Compare UPC and onlineD, by preferences and by judges.
#
# <details><summary>Answer</summary>
#
# Setting `a, b = "UPC", "onlineD"` gives a lead of 29. With a coin for each preference p is .018, as in unit 2; with
# one for each judge it is about .08. Three judges, with margins of 7, 6 and 6, have two thirds of the lead.
#
# </details>
#
# **2.** Take the sum of wins over all decided comparisons instead of expected wins. Does the order of the twelve
# systems change?
#
# <details><summary>Answer</summary>
#
# `won.sum(axis=1) / (won.sum(axis=1) + won.sum(axis=0))` gives the same order here, with differences in the third
# decimal. Every two systems had more than a hundred decided comparisons, so that nobody met only weak opponents.
#
# </details>

# %% tags=["remove-input"]
upc = people.frame.query("system_a in ['UPC', 'onlineD'] and system_b in ['UPC', 'onlineD']")
for_upc = upc["outcome"].where(upc["system_a"] == "UPC", -upc["outcome"])
each = for_upc.groupby(upc["rater"]).sum()
flipped = (rng.choice([-1, 1], size=(10_000, len(each))) * each.to_numpy()).sum(axis=1)
assert each.sum() == 29 and each.nlargest(3).tolist() == [7, 6, 6]
assert 0.07 < ((abs(flipped) >= 29).sum() + 1) / (10_000 + 1) < 0.09
exact = people.sign_test().table.query("system_a == 'UPC' and system_b == 'onlineD'")
assert round(exact["pvalue"].item(), 3) == 0.018
simple = won.sum(axis=1) / (won.sum(axis=1) + won.sum(axis=0))
assert list(simple.sort_values(ascending=False).index) == list(expected.index)
assert abs(simple - expected).max() < 0.008
met = (won + won.T).to_numpy()[np.triu_indices(12, 1)]
assert met.min() > 100 and people.ties.to_numpy().sum() // 2 == 1490

# %% [markdown]
# ---
#
# *Before this:* [unit 23, Do people agree with themselves?](23_do_people_agree_with_themselves.ipynb). *After this:*
# [unit 25, How alike are two clusterings?](25_how_alike_are_two_clusterings.ipynb). *To practise:* [lab
# 10](../labs/student/lab_10_people.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
