# %% [markdown]
# # 18 · How long should the output be?
#
# Ten systems of about the same quality translate three thousand sentences, and you may hand in one of the ten
# translations of each sentence. You know nothing about them but their lengths. You could always take the shortest of
# the ten. It leaves things out, but what it says is likely to be right. You could always take the longest, which
# forgets nothing. Or one in between. What will the metrics think of that, and would they be right?
#
# <details><summary>After this unit you can …</summary>
#
# - say what precision does not see, and what BLEU does about it (question 1, exercise 1);
# - judge a gain that came with shorter outputs (question 2);
# - find the length of output that a metric prefers (question 3, exercise 2).
#
# Before this: units 4 and 16. About 20 minutes to read, 25 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.4g}".format
TICKS = [0.9, 0.95, 1, 1.05, 1.1]


def draw_lengths(shelf):
    """BLEU with and without its penalty, and GTM, by the length of the output."""
    figure, ax = style.figure_and_axes(None, figsize=(7.4, 4.6))
    blue, black = style.look_of("BLEU")[0], style.look_of("GTM")[0]
    for column, colour, marker, line, place, said in (
        ("precision", blue, "o", "--", (0.914, 1.026), "BLEU without its penalty"),
        ("GTM", black, "v", "-", (1.075, 1.0), "GTM"),
        ("BLEU", blue, "o", "-", (0.945, 0.935), "BLEU"),
    ):
        top = shelf["BLEU" if column == "precision" else column].max()
        face = "white" if column == "precision" else colour
        ax.plot(
            shelf["ratio"],
            shelf[column] / top,
            line,
            marker=marker,
            color=colour,
            markerfacecolor=face,
            markersize=8,
        )
        ax.annotate(said, place, color=colour)
    ax.axvline(1, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate("as long as\nthe reference", (1.003, 0.9), color=style.INK)
    ax.set(xlabel="words of the output / words of the reference", xticks=TICKS, ylim=(0.895, 1.035))
    ax.set_ylabel("score, relative to its best")
    style.describe(
        figure,
        "Scores by the length of the output, from 0.91 to 1.11 of the reference. BLEU rises to its best at 1.00 and falls again, GTM likewise but "
        "far less. BLEU without its penalty falls all the way from the shortest to the longest.",
    )
    return figure


def draw_favourites(ratio, scores):
    """A row for each metric: its score by length, from its own worst to its own best."""
    figure, ax = plt.subplots(figsize=(7.2, 5.3), layout="constrained")
    for row, (metric, values) in enumerate(scores.items()):
        colour, marker = style.look_of(metric)
        height = (values - values.min()) / (values.max() - values.min())
        ax.plot(ratio, row - 0.8 * height, color=colour, linewidth=2)
        ax.fill_between(ratio, row, row - 0.8 * height, color=colour, alpha=0.18, linewidth=0)
        best = np.argmax(values)
        ax.plot(ratio[best], row - 0.8, marker, color=colour, markersize=11)
    style.name_rows(ax, ["F" if m == "DependencyF" else m for m in scores], top=-1, bottom=0.85)
    ax.axvline(1, color=style.INK, linestyle="--", linewidth=1)
    ax.set_xticks(TICKS)
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.set_xlabel("words of the output / words of the reference")
    style.describe(
        figure,
        "Seven rows, one for each metric, each a curve over the length of the output from that metric's worst to its best. The best lies far left "
        "for TER, left for NIST, at 1.00 for BLEU and GTM, further right for F and chrF, and at the right for METEOR.",
    )
    return figure


# %% [markdown]
# ## The ferry, cut short
#
# Begin with one sentence, from unit 4. The output has eleven words, nine of which are in the reference. We let the
# system stop early, after six words, seven, and so on:

# %%
import mtsig_nb as mt

reference = "the old ferry leaves at noon and returns before dark"
output = "the old ferry leaves at noon and comes back before dark"
for k in range(6, 12):
    sums = mt.metrics.BLEU().statistics([" ".join(output.split()[:k])], [[reference]])[0]
    precision = 100 * np.prod(sums[2:6] / sums[6:10]) ** (1 / 4)
    penalty = min(1, np.exp(1 - sums[1] / sums[0]))
    print(f"{k:2} words: {precision:5.1f} × {penalty:.2f} = {precision * penalty:.1f}")

# %% tags=["remove-input"]
metric = mt.metrics.BLEU()
cut = [metric.statistics([" ".join(output.split()[:k])], [[reference]])[0] for k in range(6, 12)]
six, *others, eleven = (metric.score(c) for c in cut)
assert round(six) == 51 and [round(x) for x in others] == [65, 65, 65, 66] and round(eleven) == 63
without = [np.prod(c[2:6] / c[6:10]) for c in cut]
assert without[:2] == [1, 1] and np.all(np.diff(without[1:]) < 0)

# %% [markdown]
# After the number of words, a line has the average precision, the brevity penalty and their product, BLEU. By precision
# alone the system should have stopped before its first mistake, after *and*. The penalty takes that away. From seven
# words to ten, what is lost in precision is given back by the penalty, nearly to the point. Papineni and his colleagues
# chose this factor in 2002. In this example it balances the loss of precision almost exactly.
#
# One sentence can be made to show anything, though. Let us hand in three thousand.
#
# ## From the shortest to the longest
#
# Koehn (2004) plotted BLEU and GTM over the length of the output, for one system that can be told to say more or less
# (his Figure 1). We have no such system, but the first ten of WMT13 from German:

# %%
german = mt.load("wmt13/de-en")
bleu = german.statistics("BLEU")
ten = list(bleu.scores().index[:10])
lengths = bleu.select(ten).values[:, :, 0].astype(int)
lengths[:, :4]

# %% [markdown]
# Each row is a system, the best by BLEU first, and each column a sentence: words of the output. The first sentence
# has 9 or 10 words in all of them; the second has from 14 to 18. For every sentence we put the ten outputs in the
# order of their length. Where several are equally long, a random number below 1 decides. Then we make ten new
# "systems": one has the shortest output of every sentence, one the second shortest, and so on.

# %%
rng = np.random.default_rng(13)
by_length = np.argsort(lengths + rng.random(lengths.shape), axis=0)


def from_short_to_long(metric):
    counts = german.statistics(metric).select(ten).values
    return counts[by_length, np.arange(3000)].sum(axis=1)


# %% tags=["remove-input"]
assert lengths.shape == (10, 3000) and set(lengths[:, 0]) == {9, 10}
assert (lengths[:, 1].min(), lengths[:, 1].max()) == (14, 18)
assert bleu.scores()[ten].max() - bleu.scores()[ten].min() < 3.1

# %% [markdown]
# > **Make a guess.** All ten are made of the same ten systems. Which has the best BLEU: the shortest, the second or
# > third, one in the middle, or the longest? And how many points are there between the best and the worst: two
# > tenths, or two?
# >
# > <details><summary>the shortest, by two tenths</summary>The shortest pays for its length with the brevity
# > penalty.</details>
# > <details class="right"><summary>one in the middle, by two points</summary>So it is. The same ten systems, and
# > two points from their length alone.</details>
# > <details><summary>the longest, by two points</summary>The longest pays with its precision: there are more words,
# > and no more matches.</details>

# %%
sums = from_short_to_long("BLEU")
shelf = pd.DataFrame({"ratio": sums[:, 0] / sums[:, 1], "BLEU": bleu.metric.score(sums)})
shelf["precision"] = 100 * np.prod(sums[:, 2:6] / sums[:, 6:10], axis=1) ** (1 / 4)
shelf["GTM"] = 100 * german.statistics("GTM").metric.score(from_short_to_long("GTM"))
shelf.set_axis(range(1, 11))

# %% tags=["remove-input"]
draw_lengths(shelf)
plt.show()

# %% tags=["remove-input", "remove-output"]
loss = 1 - shelf / shelf.max()
best = shelf["BLEU"].argmax()
headline("ten systems by length: BLEU of the shortest", shelf["BLEU"].iloc[0], spec=".1f")
headline("the same, of the fifth shortest", shelf["BLEU"].iloc[4], spec=".1f")
headline("the same, of the longest", shelf["BLEU"].iloc[9], spec=".1f")
assert (
    (loss["BLEU"].iloc[[0, 9]] / loss["GTM"].iloc[[0, 9]] > 4.5).all()
    and best == 4
    and abs(shelf["ratio"][4] - 1) < 0.006
)
assert [round(shelf["ratio"].iloc[k], 2) for k in (0, 9)] == [0.91, 1.11]
assert (
    loss["BLEU"].iloc[[0, 9]].between(0.065, 0.1).all()
    and loss["GTM"].iloc[[0, 9]].between(0.01, 0.025).all()
)
assert shelf["precision"].idxmax() == 0 and shelf["precision"].max() > shelf["BLEU"].max()
assert 2 < shelf["BLEU"].max() - shelf["BLEU"].min() < 2.7
assert (shelf["precision"].diff().iloc[1:] < 0.05).all()
mixture = bleu.scores()[ten].to_numpy()[by_length].mean(axis=1)
assert mixture[[0, 9]].round(1).tolist() == [26.6, 26.4]
assert mixture.max() - mixture.min() < 0.35 and mixture.argmax() == 0

# %% [markdown]
# The horizontal axis is the length of the output, as a multiple of the reference's; the leftmost marks are the
# shortest outputs, the rightmost the longest. The height is the score, relative to the best that the metric gives
# (BLEU without penalty is measured by BLEU's best). Look at the solid blue line first. It climbs, is highest where
# output and reference are equally long, and falls off again. GTM, in black, has the same shape and is about five
# times flatter. Now the dashed line: without its penalty BLEU would sink from left to right, with hardly a bump,
# and the shortest outputs would win. If length did not matter, all three lines would be level.
#
# **The guess.** The fifth shortest is the best, and between the best and the worst lie more than two points. All ten
# lengths are made from the outputs of the same ten systems. For each of the ten lengths, average the BLEU of the
# systems that its outputs come from. The ten averages differ by three tenths at most (26.6 for the shortest outputs,
# 26.4 for the longest). So hardly any of the two points comes from the quality of the systems.
#
# On the left of the middle BLEU falls because of the penalty. On the right there is no penalty, and none is needed,
# because words that are not in the reference lower the precision of every order. GTM has no penalty at all. It is an
# F-score, so it counts what is missing as well as what is wrong, but of single words only.
#
# ## A test has no objection
#
# > **Make a guess.** What does approximate randomization say about the fifth shortest against the shortest?
# >
# > <details><summary>It finds no difference</summary>The systems are the same ten, but the outputs are not
# > exchangeable: one is always the longer.</details>
# > <details class="right"><summary>It finds one, with the smallest p that ten thousand shuffles can give</summary>So it
# > does, and it is right. What it finds is the length.</details>
# > <details><summary>It depends on the seed</summary>The difference is far beyond what shuffles do with any
# > seed.</details>

# %%
counts = bleu.select(ten).values[by_length, np.arange(3000)]
names = ["shortest", *"23456789", "longest"]
new = mt.SufficientStatistics(bleu.metric, names, counts)
mt.approximate_randomization(new, "5", "shortest", rng=2014)

# %% tags=["remove-input"]
against = mt.approximate_randomization(new, "5", "shortest", rng=2014)
assert against.pvalue < 0.0002 and 1.7 < against.statistic < 2.3

# %% [markdown]
# **The guess.** It finds a difference, with the smallest p-value that ten thousand shuffles allow. And it is right
# to. None of the four steps has changed; the outputs of these two "systems" are not exchangeable, since one is always
# at least as long as the other. You could publish two BLEU points, with a test, without having improved anything that
# translates. All it takes is a knob for the length.
#
# ## Every metric has a favourite
#
# BLEU likes outputs best that are as long as the reference. Is that true of metrics in general?

# %%
seven = ["TER", "NIST", "BLEU", "GTM", "DependencyF", "chrF", "METEOR"]
scorers = {m: german.statistics(m).metric for m in seven}
scores = {m: s.direction * s.score(from_short_to_long(m)) for m, s in scorers.items()}
{m: int(np.argmax(values)) + 1 for m, values in scores.items()}

# %% tags=["remove-input"]
draw_favourites(shelf["ratio"].to_numpy(), scores)
plt.show()

# %% tags=["remove-input", "remove-output"]
favourite = {m: int(np.argmax(v)) + 1 for m, v in scores.items()}
assert list(favourite.values()) == [1, 3, 5, 5, 6, 8, 9]
again = np.argsort(lengths + np.random.default_rng(1).random(lengths.shape), axis=0)
for m, place in favourite.items():
    tossed = german.statistics(m).select(ten).values[again, np.arange(3000)].sum(axis=1)
    assert abs(np.argmax(scorers[m].direction * scorers[m].score(tossed)) + 1 - place) <= 2
headline("ten systems by length: TER's favourite, from the shortest", favourite["TER"])
headline("the same, METEOR's favourite", favourite["METEOR"])

# %% [markdown]
# Each row is a metric, and its curve goes from the worst score that it gives to any of the ten lengths, on the row's
# base line, to the best, where the mark is. (So the curves compare shapes, not sizes.) The axis is the length once
# more. Go through the marks from top to bottom. TER's is near the left end: to leave a word out costs one change, and
# so does a wrong word, so when in doubt it is best to say nothing. NIST's, too, is left of the dashed line. BLEU
# and GTM have theirs on it. F and chrF prefer outputs that are a little too long, and METEOR would have nearly the
# longest, since recall weighs more than precision in it.
#
# (Near its best a curve falls by very little, so another toss among outputs of equal length moves some marks by a
# place or two. TER stays at the short end, METEOR at the long one.)
#
# ## Aachen and Edinburgh
#
# Now we can keep a promise. Unit 16 began with two systems about which six metrics were divided: BLEU, NIST and TER
# for Aachen, chrF, METEOR and F for Edinburgh. Read the rows of the figure again. It is the same six, in two camps.
# Could it be the length?

# %%
campaign, pair = mt.load("wmt12/de-en"), ["RWTH_primary", "uedin-wmt12"]
aachen, edinburgh = campaign.statistics("BLEU").select(pair).values[:, :, 0]
aachen.sum(), edinburgh.sum()

# %% [markdown]
# Edinburgh's outputs are longer, by three words in a hundred. To see what that does, forget who made which output. Of
# the two outputs of each sentence, give the shorter one to a first "system" and the longer one to a second.

# %%
swap = (aachen > edinburgh)[:, np.newaxis]


def shorter_against_longer(metric):
    first, second = campaign.statistics(metric).select(pair).values
    both = [np.where(swap, second, first), np.where(swap, first, second)]
    new = mt.SufficientStatistics(german.statistics(metric).metric, ["shorter", "longer"], both)
    return mt.approximate_randomization(new, "shorter", "longer", rng=2014)


results = {
    m: shorter_against_longer(m) for m in ["BLEU", "NIST", "TER", "chrF", "METEOR", "DependencyF"]
}
pd.DataFrame({m: {"advantage": r.statistic, "p": r.pvalue} for m, r in results.items()}).T

# %% tags=["remove-input", "remove-output"]
signs = [m for m, r in results.items() if r.statistic > 0]
assert signs == ["BLEU", "NIST", "TER"]
assert [m for m, r in results.items() if r.pvalue > 0.05] == ["BLEU"] and 0.1 < results[
    "BLEU"
].pvalue < 0.2
assert 1.025 < edinburgh.sum() / aachen.sum() < 1.035
same = np.flatnonzero(aachen == edinburgh)
level = {
    m: mt.approximate_randomization(campaign.statistics(m).subset(same), *pair, rng=2014)
    for m in results
}
whole = {m: mt.approximate_randomization(campaign.statistics(m), *pair, rng=2014) for m in results}
assert len(same) == 783 and min(r.pvalue for r in level.values()) > 0.25
same_side = [m for m in results if results[m].statistic * whole[m].statistic > 0]
assert len(same_side) == 6
shrunk = {m: level[m].statistic / whole[m].statistic for m in results}
assert all(shrunk[m] < 0.36 for m in shrunk if m != "BLEU") and 0.9 < shrunk["BLEU"] < 1.15
headline(
    "RWTH and uedin, outputs sorted by length: metrics of six that take the same side",
    len(same_side),
)
headline(
    "RWTH and uedin, 783 sentences of equal length: smallest p of six metrics",
    min(r.pvalue for r in level.values()),
    spec=".2f",
)

# %% [markdown]
# The same three metrics are for the shorter outputs, the same three for the longer ones, and all but BLEU notice. Where
# the lengths differ, two of three shorter outputs are Aachen's. So part of a difference in quality may still be
# present. But suppose that the advantages came from quality. Then mixing the two systems should have made them smaller.
# For NIST, TER, chrF and METEOR they are from one and a half times to twice as large as between the systems. The
# cross-check fits: on the 783 sentences for which both systems gave the same number of words, no metric finds a
# difference. The advantages in five of the six have shrunk to a third or less, or turned round. (With 783 sentences a
# test has less power than with 3,003. But fewer sentences alone do not make an advantage smaller.) BLEU's is as large
# as before. For BLEU we have no evidence that its preference for Aachen's outputs comes from their length.
#
# Readers, you will remember, found no difference. The metrics were right about what they count. The preferences of five
# of the six seem to come mostly from how much had been said.
#
# So how long should the output be? As long as it takes to say what the source says. And when two systems are
# compared, their lengths belong beside their scores. If these differ by several words in a hundred, it is wise to ask
# a metric of the other camp before rejoicing.
#
# ## What this does not tell you
#
# - **Which camp is right.** Readers may mind an omission more than a repetition, or less. No metric's favourite
#   length is evidence of that.
# - **What one system would do with a knob.** Our ten lengths mix ten systems. Their styles may differ along with
#   their lengths.
# - **That short outputs are bad.** The best of the ten systems may be short for good reasons.
#
# ## Check yourself
#
# > **Why does BLEU need a penalty for short outputs, and none for long ones?**
# >
# > <details class="right"><summary>Precision does not see what was left out</summary>This is correct.</details>
# > <details><summary>Long outputs are always better</summary>They are not. Extra words lower the precision by
# > themselves.</details>
# > <details><summary>It needs both, and has forgotten one</summary>Extra words are already counted, because they are
# > not in the reference.</details>
#
# <details><summary>Answer</summary>
#
# Because precision looks at what was said. What was left out costs nothing without the penalty; what was said too
# much is counted among the words that are not in the reference.
#
# </details>
#
# > **A team finds that a setting which shortens outputs by 4 % gains 1.2 in TER, p = .0001. Has the system become
# > better?**
# >
# > <details><summary>Yes, p is .0001</summary>That p says that luck does not explain the gain in TER. Shorter outputs
# > gain in TER without being better.</details>
# > <details><summary>No, it has become worse</summary>That is not known either. Look at another metric, and at the
# > outputs.</details>
# > <details class="right"><summary>TER likes its outputs better; more is not known</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Its outputs have become other outputs, and TER likes them. That much is sure. In our ten, which no engineer had
# touched, TER gained from length alone. Look at METEOR or chrF, and at some outputs.
#
# </details>
#
# > **With ten systems of about equal quality, is the one with the median length always BLEU's favourite?**
# >
# > <details><summary>Yes</summary>In these ten the reference lies near the middle. It need not.</details>
# > <details class="right"><summary>No, the reference's length decides</summary>This is correct.</details>
# > <details><summary>No, the longest is</summary>Too many words cost precision. Near the length of the reference is
# > best.</details>
#
# <details><summary>Answer</summary>
#
# No. What counts is the length of the *reference*. Here it happens to be near the middle of the ten. If all systems
# said too much, the shortest might win.
#
# </details>
#
# ## Exercises
#
# **1.** Silence. Take Edinburgh's outputs of WMT12 from Spanish and leave the worst 5 % of sentences empty (by the
# share of their words that are in the reference). What happens to BLEU? And with the worst 30 %?
#
# <details><summary>Answer</summary>
#
# An empty output has zeros in all of BLEU's counts but the length of the reference. With 5 % left empty, BLEU *rises*
# from 33.4 to 34.1. With 30 % it is 29.9: precision has gone up to 40, and the penalty takes back more than that. One
# needs the reference to know which sentences are worst, but a system that can tell when it is lost might try
# something like it. With *random* 5 % empty, BLEU falls, to about 32.5.
#
# </details>
#
# **2.** Do the ten lengths for WMT13 from Russian, with the first ten systems by BLEU. Which length has the best
# BLEU?
#
# <details><summary>Answer</summary>
#
# The fifth shortest again, with 24.6 and a ratio of 1.01. The shortest has 22.5, the longest 22.3.
#
# </details>

# %% tags=["remove-input"]
spanish = mt.load("wmt12/es-en").statistics("BLEU")
rows = spanish.values[spanish.index("uedin-wmt12")]
worst = np.argsort(rows[:, 2] / np.maximum(rows[:, 6], 1), kind="stable")
chosen = np.random.default_rng(18).permutation(3003)


def silent(order, share):
    quiet = rows.copy()
    quiet[np.ix_(order[: int(3003 * share)], [0, *range(2, 10)])] = 0
    return quiet.sum(axis=0)


score = spanish.metric.score
assert [round(score(silent(worst, share)), 1) for share in (0, 0.05, 0.3)] == [33.4, 34.1, 29.9]
assert 32.2 < score(silent(chosen, 0.05)) < 32.9
quiet = silent(worst, 0.3)
assert round(100 * np.prod(quiet[2:6] / quiet[6:10]) ** (1 / 4)) == 40
russian = mt.load("wmt13/ru-en").statistics("BLEU")
first_ten = russian.select(list(russian.scores().index[:10])).values
order = np.argsort(
    first_ten[:, :, 0] + np.random.default_rng(13).random(first_ten.shape[:2]), axis=0
)
by_k = first_ten[order, np.arange(first_ten.shape[1])].sum(axis=1)
by_length_ru = russian.metric.score(by_k)
assert by_length_ru.argmax() == 4 and by_length_ru[[4, 0, 9]].round(1).tolist() == [
    24.6,
    22.5,
    22.3,
]
assert round(by_k[4, 0] / by_k[4, 1], 2) == 1.01
longer = {m: results[m].statistic / whole[m].statistic for m in results}
assert all(1.45 < longer[m] < 2.15 for m in ("NIST", "TER", "chrF", "METEOR"))
assert 2 < (aachen < edinburgh).sum() / (aachen > edinburgh).sum() < 2.2

# %% [markdown]
# ---
#
# *Before this:* [unit 17, Sharper eye or looser tongue?](17_sharper_eye_or_looser_tongue.ipynb). *After this:* [unit
# 19, A hundred and seventy-one chances to be wrong](../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb). *To
# practise:* [lab 7](../labs/student/lab_07_what_metrics_notice.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
