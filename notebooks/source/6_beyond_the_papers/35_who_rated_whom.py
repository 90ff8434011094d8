# %% [markdown]
# # 35 · Who rated whom?
#
# In unit 33 rater 6 gave a penalty of 10.7 on average, and rater 4 one of 2.3. There it did no harm, because each of them read
# the outputs of all systems. Few campaigns can pay for that. Mostly one person reads an output, and chance decides who.
# Does a system's mean then tell how good the system is, or how kind its readers were?
#
# <details><summary>After this unit you can …</summary>
#
# - subtract raters' means by hand, and say what remains (question 1);
# - say how much of a rater's mean to subtract, and why not all of it (question 2, exercise 1);
# - read the effects and the components of a mixed model, and say to which raters they apply (question 3, exercises 2 and 3).
#
# Before this: units 22 and 33. About 25 minutes to read, 30 to teach with a discussion. New terms:
# mixed model, shrinkage.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed without their type
pd.options.display.float_format = "{:.2f}".format


def draw_means(means, by_all):
    """Each system's means in all campaigns, and its mean by all three readers."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.6))
    order = by_all.sort_values(ascending=False).index
    jitter = np.random.default_rng(0).uniform(-0.28, 0.28, len(means))
    for at, system in enumerate(order):
        ax.plot(means[system], at + jitter, ".", color=style.CALM, alpha=0.4, markersize=5)
        ax.plot([by_all[system]] * 2, [at - 0.38, at + 0.38], color=style.INK, linewidth=2.5)
    ax.set_yticks(range(len(order)), order)
    ax.invert_yaxis()
    ax.set_xlabel("mean of the marks (a penalty with a minus)")
    ax.set_title("No system changed, only who was asked (line: all three)", loc="left", fontsize=12)
    style.describe(
        figure,
        "For each of ten systems a cloud of 200 means, about two points wide, around its mean by all three readers. The clouds of "
        "neighbouring systems overlap almost wholly.",
    )
    return figure


def draw_shares(shares, errors, best):
    """The error of a rater's severity by the share of three ratings' mean that is taken for it."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    ax.plot(shares, errors, color=style.INK, linewidth=2.5)
    lowest = errors[np.argmin(errors)]
    ax.plot(shares[np.argmin(errors)], lowest, "o", color=style.CALM, markersize=10)
    ax.axvline(best, color=style.CALM, linestyle=":", linewidth=1.5)
    ax.text(best + 0.02, lowest - 0.28, "by the formula", color=style.CALM)
    ax.plot([0, 1], errors[[0, -1]], "o", color=style.EMPHASIS, markersize=10)
    ax.text(0.03, errors[0] + 0.03, "nothing is taken off", color=style.EMPHASIS)
    ax.text(0.97, errors[-1] + 0.03, "the whole mean", color=style.EMPHASIS, ha="right")
    ax.set(xlabel="share of the mean of three ratings that is taken off", ylim=(1.6, 3.9))
    ax.set_ylabel("error, points of penalty")
    ax.set_title("A third of what three ratings say is the best guess", loc="left", fontsize=12)
    style.describe(
        figure,
        "A curve of the error by the share that is taken off. It falls from 2.6 points at nothing to 2.1 at a third, where the "
        "formula has its line, and rises to 3.5 where the whole mean is taken off.",
    )
    return figure


# %% [markdown]
# ## The same marks, other readers
#
# We can try it with real marks. Of the campaign of unit 33 we know what three professionals thought of each output. Suppose
# that there had been money for one of the three. We choose by lot, for each system and each document anew. The outputs stay
# the same, and so do the marks. Only who was asked is left to chance.
#
# > **Make a guess.** ONLINE-B has a mean of −3.7 by all three readers. We draw 200 such campaigns. How far apart will
# > the lowest and the highest of its 200 means be: about .2, about .7, or about 2 points?
# >
# > <details><summary>about .2</summary>There are 38 documents, so much ought to cancel. But one reader in eight gives
# > penalties three times as large as the others'.</details>
# > <details><summary>about .7</summary>This is GPT4-5shot's lead over HW-TSC, about which unit 33 was so careful. Luck with
# > readers does more.</details>
# > <details class="right"><summary>about 2 points</summary>So it is. Between most neighbours in the ranking there is less
# > than half a point.</details>

# %%
import mtsig_nb as mt

marks = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
document = np.asarray(marks.documents)[marks.frame["segment"]]
three = marks.frame.assign(document=document)
by_all_three = three.groupby("system")["raw"].mean()

# %% [markdown]
# All readings are shuffled, and the first one of each system and document is kept:


# %%
def one_reader_each(frame, rng):
    readings = frame[["system", "document", "rater"]].drop_duplicates()
    shuffled = readings.sample(frac=1, random_state=rng)
    return frame.merge(shuffled.drop_duplicates(["system", "document"]))


rng = np.random.default_rng(35)
campaigns = [one_reader_each(three, rng) for _ in range(200)]
plain = pd.DataFrame([one.groupby("system")["raw"].mean() for one in campaigns])

# %% tags=["remove-input"]
draw_means(plain, by_all_three)
plt.show()

# %% tags=["remove-input", "remove-output"]
of_raters = three.groupby("rater")["raw"].mean()
assert round(of_raters["rater6"], 1) == -10.7 and round(of_raters["rater4"], 1) == -2.3
assert (three.groupby("document")["rater"].nunique() == 3).all()
assert three["document"].nunique() == 38 and len(of_raters) == 8 and len(by_all_three) == 10
assert {len(one) for one in campaigns} == {3770}
assert of_raters["rater6"] < 2.15 * of_raters.drop("rater6").min()
assert round(by_all_three["ONLINE-B"], 1) == -3.7
span = float(np.ptp(plain["ONLINE-B"]))
assert 1.8 < span < 2.5
in_order = by_all_three.sort_values(ascending=False)
gaps = -np.diff(in_order)
assert (gaps < 0.5).sum() == 6 and in_order.index[2] == "HW-TSC" and in_order.index[3] == "ONLINE-B"
same_order = int((plain[in_order.index].diff(axis=1).iloc[:, 1:] < 0).all(axis=1).sum())
assert 1 <= same_order < 10
places = plain.rank(axis=1, ascending=False)["ONLINE-B"]
assert places.min() == 1 and places.max() == 7
headline("WMT23 zh-en, one reader each: range of 200 means of ONLINE-B", span, spec=".2f")
headline("campaigns of 200 with the order by all three readers", same_order)

# %% [markdown]
# Each row is a system, each dot its mean in one of the 200 campaigns, and the black line its mean by all three readers.
# Look at ONLINE-B, the fourth row. Its dots reach over some two points. It comes first in some campaigns, and seventh in others. If all
# raters had the same standards, the dots of a row would lie close to its line.
#
# **The guess.** About two points. In fewer than ten of the 200 campaigns the ten systems come in the order that they have by all
# three readers. And no system changed a word.
#
# ## Centre by hand
#
# A remedy is near at hand: compare each mark with the other marks of the same rater. Here are eight ratings of two systems. Ann is
# severe and rated mostly A, Ben is mild and rated mostly B.
#
# | rater | ratings of A | ratings of B | own mean |
# | --- | --- | --- | --- |
# | Ann | 60, 62, 58 | 50 | 57.5 |
# | Ben | 90 | 82, 80, 78 | 82.5 |
#
# A's plain mean is 67.5, and B's is 72.5, so that B is ahead by 5. But both raters find A better, by 10: Ann gives 60 on average against 50,
# and Ben 90 against 80. Now take each rater's own mean off. A's ratings become 2.5, 4.5, .5 and 7.5, with a mean of 3.75. B's mean becomes
# −3.75.
#
# Now A is ahead by 7.5. That is much nearer to 10, and still not 10. Why? Three of the four ratings in Ann's own mean are of A. So some of A's
# merit is in it, and is taken off as if it were Ann's kindness. In a rater's mean there is always something of the systems that
# this rater happened to read.
#
# How much does it help in our 200 campaigns? By `miss` we measure how far the ten means are from those of all three readers, each
# counted from the average of the ten.


# %%
def centred_means(one):
    deviation = one["raw"] - one.groupby("rater")["raw"].transform("mean")
    return deviation.groupby(one["system"]).mean()


def miss(means):
    from_average = means.sub(means.mean(axis=1), axis=0)
    return np.sqrt(((from_average - (by_all_three - by_all_three.mean())) ** 2).mean(axis=None))


centred = pd.DataFrame([centred_means(one) for one in campaigns])
miss(plain).round(2), miss(centred).round(2)

# %% tags=["remove-input", "remove-output"]
few = pd.DataFrame({"rater": ["Ann"] * 4 + ["Ben"] * 4, "system": list("AAABABBB")})
few["raw"] = [60, 62, 58, 50, 90, 82, 80, 78]
assert few.groupby("system")["raw"].mean().tolist() == [67.5, 72.5]
assert few.groupby(["rater", "system"])["raw"].mean().tolist() == [60, 50, 90, 80]
assert few.groupby("rater")["raw"].mean().tolist() == [57.5, 82.5]
assert centred_means(few).tolist() == [3.75, -3.75]
assert 0.42 < miss(plain) < 0.48 and 0.26 < miss(centred) < 0.32
headline(
    "one reader each: miss of plain and of centred means", f"{miss(plain):.2f} {miss(centred):.2f}"
)

# %% [markdown]
# The typical miss falls by a third, and all it took was a subtraction.
#
# ## A rater with three ratings
#
# In our campaigns each rater gave hundreds of marks, and so their means are known well. On the internet, many raters give three ratings, and are
# never seen again.
#
# > **Make a guess.** A new rater of this campaign has given three marks. On average they are 9 points more severe than those of
# > others. How many of the 9 points would you take off this rater's marks: all 9, about 3, or none?
# >
# > <details><summary>all 9</summary>Then you take the luck of three outputs for this person's character. Three marks of
# > anybody can be bad ones.</details>
# > <details class="right"><summary>about 3</summary>So it is: a third. The other two thirds are, on average, the three outputs'
# > fault.</details>
# > <details><summary>none</summary>That is safer than all 9, as you will see. But three marks do say something.</details>
#
# We know the right answer for eight people. Draw three of a rater's marks, and use a share of their mean as a guess at the mean of
# all the marks of this rater. (Both are counted from the average of the eight.) Which share gives the smallest error?

# %%
scores = [group.to_numpy() for _, group in three.groupby("rater")["raw"]]
severity = np.array([of_rater.mean() for of_rater in scores])
of_three = np.array([rng.choice(of_rater, (5000, 3)).mean(axis=1) for of_rater in scores])
centre = severity.mean()
shares = np.linspace(0, 1, 51)
guessed = [centre + share * (of_three - centre) for share in shares]
errors = np.array([np.sqrt(((g - severity[:, None]) ** 2).mean()) for g in guessed])

# %% [markdown]
# There is a formula for the best share. It compares the variance between raters with that of a mean of `n` marks by one rater:

# %%
between = severity.var()
within_rater = np.mean([of_rater.var() for of_rater in scores])
best_shares = {n: between / (between + within_rater / n) for n in (3, 30, 1500)}
{n: round(share, 2) for n, share in best_shares.items()}

# %% tags=["remove-input"]
draw_shares(shares, errors, best_shares[3])
plt.show()

# %% tags=["remove-input", "remove-output"]
lowest_at = shares[np.argmin(errors)]
assert abs(lowest_at - best_shares[3]) < 0.05 and abs(best_shares[3] - 1 / 3) < 0.03
assert errors[-1] > errors[0] > errors.min() + 0.3
assert np.round([errors[0], errors.min(), errors[-1]], 1).tolist() == [2.6, 2.1, 3.5]
assert best_shares[1500] > 0.99
ninety = 9 * within_rater / between
assert 45 < ninety < 60
headline(
    "share of a rater's mean of three marks that is best taken off", best_shares[3], spec=".2f"
)

# %% [markdown]
# The axis is the share that is taken off, from nothing to the whole mean, and the height is the typical error. Look at both ends. Taking
# off the whole mean of three marks is worse than leaving everything as it is. Then look at the lowest point: it lies at a third,
# where the formula has its dotted line. With 1,500 marks in the place of three it would lie at the right end.
#
# **The guess.** About 3. **Shrinkage** is multiplying an estimate by a number between zero and one. The fewer data the
# estimate is based on, the smaller the number.
#
# ## All at once
#
# A rater's mean has systems in it, and a system's mean has raters in it, so both have to be estimated
# together. And what raters add has to be shrunk, by variances that nobody knows beforehand. A **mixed model** is a model in which each
# rating is a sum: what the system adds is fixed, and what raters, documents and segments add is drawn at random. The variances
# of these draws are the variance components of unit 33. They are estimated from the same ratings.

# %%
first = mt.human.Ratings(campaigns[0], scale=None).mixed_model()
first.effects[["system", "estimate", "mean", "centred", "standardised"]]

# %% [markdown]
# `estimate` is what a system can expect from another rater of another document. Beside it are the plain mean,
# the centred one, and that of the standard scores of unit 22. Read the rows of HW-TSC and ONLINE-B. By plain means ONLINE-B is
# ahead by .62 in this campaign, and by centred ones by .20. The model finds that its readers were milder than HW-TSC's, and has HW-TSC
# ahead by .38. By all three readers HW-TSC is ahead by .12. The model is not always right: Lan-BridgeMT should be first. The
# components say how much everything varies:

# %%
first.components[["term", "standard_deviation", "levels"]]

# %% [markdown]
# Raters differ by 2.6 points (`rater`). That is more than most systems do, but it is the same for all systems, and the model
# takes it off. `system:rater` is what a rater thinks of one system in particular. It is smaller, and stays in the difference between
# two systems. Now let the model look at ten campaigns. Here is the miss of plain means, of centred ones, and of the model:

# %%
adjusted = [mt.human.Ratings(one, scale=None).mixed_model().scores() for one in campaigns[:10]]
[miss(means).round(2) for means in (plain[:10], centred[:10], pd.DataFrame(adjusted))]

# %% tags=["remove-input", "remove-output"]
row = first.effects.set_index("system")
ahead = row.loc["HW-TSC"] - row.loc["ONLINE-B"]
assert ahead[["mean", "centred", "estimate"]].round(2).tolist() == [-0.62, -0.2, 0.38]
assert round(by_all_three["HW-TSC"] - by_all_three["ONLINE-B"], 2) == 0.12
assert first.systems[0] != "Lan-BridgeMT" == by_all_three.idxmax()
added = first.contributions.set_index("system")["rater"]
assert added["ONLINE-B"] > added["HW-TSC"]
deviations = first.components.set_index("term")["standard_deviation"]
assert round(deviations["rater"], 1) == 2.6 and deviations["system:rater"] < 1
apart = np.abs(np.subtract.outer(by_all_three.to_numpy(), by_all_three.to_numpy()))
assert np.median(apart[np.triu_indices(10, 1)]) < deviations["rater"]
misses = [miss(means) for means in (plain[:10], centred[:10], pd.DataFrame(adjusted))]
assert misses[2] < misses[1] < misses[0] and misses[0] - misses[1] > misses[1] - misses[2]
headline(
    "ten campaigns: miss of plain means, centred means and the mixed model",
    " ".join(f"{one:.2f}" for one in misses),
)

# %% [markdown]
# The model is nearest. Most of the gain, however, is what centring has already. What centring does not have is an honest
# standard error, and for that one needs the components.
#
# ## Three raters
#
# The *degrees of freedom* of a standard error say how many independent values it rests on, as with Student's t. Here they are for two,
# three and all eight of the professionals, with the standard error of the first pair:

# %%
for people in (marks.raters[:2], marks.raters[:3], ["rater1", "rater6", "rater7"], marks.raters):
    pairs = marks.of_raters(people).mixed_model().tests().table
    freedom, error = pairs.loc[0, ["degrees_of_freedom", "standard_error"]]
    print(f"{len(people)} raters: {freedom:5.1f} degrees of freedom, standard error {error:.2f}")

# %% tags=["remove-input", "remove-output"]
pairs_of_eight = pairs
of_trio = marks.of_raters(["rater1", "rater6", "rater7"]).mixed_model()
trio = of_trio.tests().table
assert pairs_of_eight["degrees_of_freedom"].min() > 100
assert trio["degrees_of_freedom"].max() < 25
assert of_trio.notes[0].code == "model-few-raters"
assert 2 < trio.loc[0, "standard_error"] / pairs_of_eight.loc[0, "standard_error"] < 2.3
n_three, n_eight = ((table["pvalue"] <= 0.05).sum() for table in (trio, pairs_of_eight))
assert n_three < n_eight
headline(
    "WMT23 zh-en: degrees of freedom with raters 1, 6 and 7, and with all eight",
    f"{trio.loc[0, 'degrees_of_freedom']:.0f} {pairs_of_eight.loc[0, 'degrees_of_freedom']:.0f}",
)

# %% [markdown]
# With three raters there are more than 4,000 marks, and still few degrees of freedom. It also matters who the three are. Raters 1, 2 and 3 happen to
# agree, and raters 1, 6 and 7 do not, so that the standard error is nearly twice as large. With three people one does not know
# which case one is in. The package adds a note wherever there are fewer than five.
#
# ## Two clusters go
#
# Unit 22 began with Icelandic in 2021. By raw averages HuaweiTSC was first. The organisers standardised the ratings, and published
# four clusters: Facebook-AI by itself, Manifold by itself, seven systems, and Online-G. A cluster ends below a system that is significantly better than
# all that follow. Their test is a one-sided rank-sum test at .05, with segments as the sample.
#
# > **Make a guess.** Take the same ratings, the same rule and the same level of .05, but count raters and
# > documents as samples, too, by the mixed model. How many of the four clusters are left: four, two, or one?
# >
# > <details><summary>four</summary>They were significant, that is true: for other segments, read by the same people.</details>
# > <details class="right"><summary>two</summary>So it is. What is left is one border: nine systems, and Online-G below
# > them.</details>
# > <details><summary>one</summary>Online-G is so far behind that every way to count sees it.</details>

# %%
from mtsig_nb.human.wmt import cluster_ends

ratings = mt.load("wmt21/is-en").judgements["direct_assessment"]
of_all = ratings.mixed_model()
one_sided = of_all.tests(alternative="greater")
print("published: clusters end after", ratings.wmt().standings["cluster_end"].unique())
print("by the model: after          ", cluster_ends(one_sided.pvalues))
print(", ".join(of_all.systems))

# %% tags=["remove-input", "remove-output"]
standings = ratings.wmt().standings
assert standings["cluster_end"].unique().tolist() == [1, 2, 9, 10]
assert standings["system"].tolist()[:2] == ["Facebook-AI", "Manifold"]
ends = cluster_ends(one_sided.pvalues).tolist()
assert ends == [9, 10] and of_all.systems[-1] == "Online-G" and of_all.systems[0] == "Facebook-AI"
pvalue = one_sided.pvalues[0, of_all.systems.index("Manifold")]
raw = of_all.effects.set_index("system")
assert raw["mean"].idxmax() == "HuaweiTSC" and of_all.systems.index("HuaweiTSC") == 5
judged = ratings.frame[ratings.frame["type"].isin(["SYSTEM", "REPEAT"])]
assert judged.groupby("system")["rater"].nunique().between(29, 42).all()
leniency = of_all.contributions.set_index("system")["rater"]
assert round(leniency["HuaweiTSC"] - leniency["Mideind"]) == 6
assert pvalue > 0.1
rules = ratings.by_field_rules()
rules = rules[rules["rule"].isin(["wmt22", "wmt26"])].groupby("rule")["better"].sum()
n_better = int((one_sided.pvalues < 0.05).sum())
assert rules.tolist() == [31, 37] and n_better == 20
headline("WMT21 is-en: clusters as published, and by a mixed model", f"4 {len(ends)}")

# %% [markdown]
# **The guess.** Two. The two clusters at the top, of one system each, are gone.
#
# The order at the top changed little: Facebook-AI is still first. But that it is better than Manifold is shown of these raters, and not of others. And
# HuaweiTSC is sixth. Each system was rated by 29 to 42 of the 106 people, and HuaweiTSC's were 6 points milder than Mideind's. So the organisers were
# right not to trust raw averages.
#
# `ratings.by_field_rules()` asks the rules of other years about the same ratings. That of WMT22 finds a better system in 31 of the 45 pairs, that of WMT26
# in 37, and the model in 20. The organisers' rules count segments alone.
#
# ## What this does not tell you
#
# - **The truth.** The model has answers that depend on its assumptions. If severe raters chose bad outputs, or gave up on them, no model
#   knows.
# - **Who is good in long documents.** The model weighs documents more equally than a mean over ratings does. Where a system is better in
#   long ones, the two have different answers.
# - **What the mean of all three readers would be with other people.** We measured the misses against three professionals of each
#   document, who are a sample as well.
#
# ## Check yourself
#
# > **A severe rater read nearly all outputs of system A, and a mild one nearly all of B. Both raters' own means are taken off.
# > What does this leave of a true lead of A?**
# >
# > <details><summary>All of it, since only severity goes</summary>The severe rater's mean is made of A's outputs, so that A's merit goes
# > with it.</details>
# > <details class="right"><summary>Hardly anything</summary>This is correct.</details>
# > <details><summary>More than there is</summary>Each rater's mean contains the system that the rater read. Taking it off makes the
# > systems more alike.</details>
#
# <details><summary>Answer</summary>
#
# Hardly anything. If each system has a rater of its own, systems and raters cannot be told apart at all. With Ann and Ben three of
# four ratings were of one system, and a quarter of the lead went.
#
# </details>
#
# > **Two raters' marks are 5 points below the others' on average. Cid gave 4 marks, Dora 400. How much does a mixed model take off?**
# >
# > <details><summary>5 points for both</summary>Then four marks are believed as firmly as four hundred.</details>
# > <details><summary>More for Cid, who is less reliable</summary>How severe Cid is, is less well known. So less of it is used.</details>
# > <details class="right"><summary>Nearly 5 for Dora, less for Cid</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Nearly 5 for Dora, and a share for Cid. Much of Cid's mean is what four outputs happened to be like.
#
# </details>
#
# > **"We adjusted for raters by a mixed model, so three raters are enough." What is wrong with it?**
# >
# > <details><summary>Nothing, severity is taken off</summary>Severity is. What three people think of one system and not of the other
# > remains, and three values tell little of it.</details>
# > <details class="right"><summary>Their opinions on systems remain, and three show little of others'</summary>This is
# > correct.</details>
# > <details><summary>A mixed model needs equally many ratings by each</summary>It is made for ratings that nobody
# > balanced.</details>
#
# <details><summary>Answer</summary>
#
# An adjustment mends the estimate. How far other raters would be from it, three people cannot tell: few degrees of freedom, and a standard error that depends on
# who the three are.
#
# </details>
#
# ## Exercises
#
# **1.** How many marks must a rater of this campaign have given before nine tenths of the mean are taken off?
#
# <details><summary>Answer</summary>
#
# The share is `between / (between + within_rater / n)`. It is .9 if `n` is 9 times `within_rater / between`, so with 52 marks. These are marks of
# outputs drawn at random; those of one document resemble each other, and say less.
#
# </details>
#
# **2.** Leave `system:rater` and `system:document` out of the model: `terms=["rater", "document", "segment", "rater:document"]`. What
# happens to the degrees of freedom and the standard errors of the first campaign, and for whom does this model speak?
#
# <details><summary>Answer</summary>
#
# ```python
# given = ["rater", "document", "segment", "rater:document"]
# mt.human.Ratings(campaigns[0], scale=None).mixed_model(terms=given).tests().table
# ```
#
# More than 3,000 degrees of freedom in the place of some 55, and standard errors of .34 in the place of .54. The estimates hardly move. This model takes it that no
# rater has an opinion of a system in particular, as if the marks were 3,770 raters'. It speaks for these people and documents.
#
# </details>
#
# **3.** Rank the Icelandic systems by the ratings of the raters who pass `ratings.quality_control()`. Is Facebook-AI first, and how many
# clusters are there?
#
# <details><summary>Answer</summary>
#
# ```python
# passing = ratings.of_raters(ratings.quality_control().passing)
# found = passing.mixed_model()
# cluster_ends(found.tests(alternative="greater").pvalues)
# ```
#
# NiuTrans is first, by less than half a point, with a standard error of the difference of about 3 points. There are two clusters again, and the border is the same.
#
# </details>

# %% tags=["remove-input"]
given = ["rater", "document", "segment", "rater:document"]
narrow = mt.human.Ratings(campaigns[0], scale=None).mixed_model(terms=given).tests().table
wide = first.tests().table
assert narrow["degrees_of_freedom"].min() > 3000 and 55 < wide["degrees_of_freedom"].mean() < 62
assert round(narrow["standard_error"].mean(), 2) == 0.34
assert round(wide["standard_error"].mean(), 2) == 0.54
assert int(np.ceil(ninety)) == 52
passing = ratings.of_raters(ratings.quality_control().passing)
found = passing.mixed_model()
assert found.systems[0] == "NiuTrans" and found.systems[1] == "Facebook-AI"
top = found.tests().table.iloc[0]
assert 0 < top["difference"] < 0.5 and 2.7 < top["standard_error"] < 3.3
assert cluster_ends(found.tests(alternative="greater").pvalues).tolist() == [9, 10]
assert found.systems[-1] == "Online-G"

# %% [markdown]
# ---
#
# *Before this:* [unit 34, Few people, many scores](34_few_people_many_scores.ipynb). *After this:* [unit 36, May I look every
# week?](36_may_i_look_every_week.ipynb). *To practise:* [lab
# 16](../labs/student/lab_16_who_rated_whom.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
