# %% [markdown]
# # 12 · What is the unit?
#
# At WMT12, onlineC's system beat uk-dan-moses by six tenths of a point of BLEU. Is that luck? Exchange the outputs of
# single sentences, as in unit 5, and p is .015: the systems differ. Exchange the outputs of whole articles, and p is .12:
# nothing is found. The outputs and the metric are the same. Which of the two p-values goes into the paper?
#
# <details><summary>After this unit you can …</summary>
#
# - choose the unit of a test, and say why (question 1, exercise 2);
# - compute the smallest p-value that a few documents can give (question 2);
# - say which score a test within languages is about (question 3).
#
# Before this: unit 9. About 26 minutes to read, 31 to teach with a discussion. New terms: unit.
#
# </details>

# %% tags=["remove-input"]
import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import norm

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import chance_machine, headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 2

AR = style.look_of("approximate-randomization")[0]
PAIR = ("onlineC", "uk-dan-moses")
RECIPES = {
    "documents": "documents",
    "documents within language": "documents,\nas many of each language",
    "shares held fixed": "documents,\nas much text of each language",
}


def drawn(statistics, languages, recipe, n_resamples, seed):
    """Weights of the segments in resamples of a kind, shape (resamples, segments)."""
    rng = np.random.default_rng(seed)

    def draws(n):
        times = [np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(n_resamples)]
        return np.array(times, dtype=np.float32)

    if recipe == "segments":
        return draws(statistics.n_segments)
    _, first, code = np.unique(statistics.documents, return_index=True, return_inverse=True)
    if recipe == "documents":
        return draws(len(first))[:, code]
    sizes, weights = np.bincount(code), np.zeros((n_resamples, len(first)), dtype=np.float32)
    for language in np.unique(languages):
        here = np.flatnonzero(languages[first] == language)
        times = draws(len(here))
        if recipe == "shares held fixed":
            times *= (sizes[here].sum() / (times @ sizes[here]))[:, None]
        weights[:, here] = times
    return weights[:, code]


def standard_errors(name, recipe, n_resamples=2000, seed=12):
    """Of the difference of every pair of a campaign's systems, over resamples of a kind."""
    one = mt.load(name)
    s = one.statistics("BLEU")
    counts = np.moveaxis(s.values, 1, 0).reshape(s.n_segments, -1).astype(np.float32)
    spreads = []
    for part in range(2):  # in halves, for the memory's sake
        weights = drawn(s, one.original_language, recipe, n_resamples // 2, (seed, part))
        sums = (weights @ counts).astype(float).reshape(len(weights), len(s.systems), -1)
        spreads.append(s.metric.score(sums))
    scores = np.concatenate(spreads)
    first, second = np.triu_indices(len(s.systems), 1)
    return (scores[:, first] - scores[:, second]).std(axis=0)


def ratios(name):
    """How many times as large the standard errors are as with segments, a row a pair."""
    by_segment = standard_errors(name, "segments")
    return pd.DataFrame({recipe: standard_errors(name, recipe) / by_segment for recipe in RECIPES})


def draw_null_hills(tests):
    """Shuffles by sentence and by document, with what is at least as far out as the observed."""
    figure, axes = plt.subplots(2, 1, figsize=(6.8, 4.8), sharex=True, layout="constrained")
    bins = abs(next(iter(tests.values())).statistic) * np.arange(-33, 34) / 12
    for ax, (units, test) in zip(axes, tests.items(), strict=True):
        null, seen = test.null_distribution, abs(test.statistic)
        far = np.abs(null) >= seen
        ax.hist(null[~far], bins, color=AR)
        ax.hist(null[far], bins, color=style.EMPHASIS)
        for side in (-seen, seen):
            ax.axvline(side, color=style.INK, linestyle="--", linewidth=1)
        ax.set_title(f"coins for {units}: p = {test.pvalue:.3f}", loc="left", fontsize=11)
        ax.set_yticks([])
    axes[1].set_xlabel("difference in BLEU after the exchange")
    style.describe(
        figure,
        "Two hills of differences after shuffling, one above the other. With a coin for each sentence the hill is narrow and its "
        "coloured tails beyond 0.61 are tiny; with a coin for each document it is about one and a half times as wide and the tails are large.",
    )
    return figure


def draw_ratios(found, marked):
    """A dot for each pair of systems in each recipe, the medians, and one pair marked."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 3.9))
    rng = np.random.default_rng(0)
    for row, recipe in enumerate(RECIPES):
        values = found[recipe].to_numpy()
        ax.scatter(
            values,
            row + rng.uniform(-0.17, 0.17, len(values)),
            s=26,
            color=style.GREY,
            alpha=0.5,
            zorder=2,
        )
        middle = np.median(values)
        ax.plot([middle] * 2, [row - 0.3, row + 0.3], color=style.INK, linewidth=3, zorder=3)
        ax.text(middle, row - 0.36, f"{middle:.2f}", ha="center", va="bottom", fontsize=12)
        ax.scatter(values[marked], row, s=70, color=style.EMPHASIS, zorder=4, marker="D")
    place = found["documents"].to_numpy()[marked]
    ax.annotate(
        "onlineB and uedin",
        (place, 0),
        (place + 0.12, -0.45),
        color=style.EMPHASIS,
        fontsize=11,
        arrowprops={"arrowstyle": "-", "color": style.EMPHASIS},
    )
    ax.axvline(1, color=style.INK, linestyle="--", linewidth=1)
    style.name_rows(ax, list(RECIPES.values()), top=-0.85)
    ax.set_xlabel("standard error of the difference, compared with segments")
    ax.set_xlim(0.75, 3.7)
    style.describe(
        figure,
        "Three rows of 66 dots, one for each pair of systems. Medians fall from above 2 for documents to about 1.55 within "
        "language and 1.25 with the languages' shares held fixed; the marked pair falls from 2.4 to 1.2.",
    )
    return figure


# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
bleu = campaign.statistics("BLEU")
pair = bleu.select(["onlineC", "uk-dan-moses"])
for units in ("segments", "documents"):
    test = mt.approximate_randomization(pair, *pair.systems, units=units, rng=2014)
    print(f"{units:9}  p = {test.pvalue:.4f}")

# %% [markdown]
# ## Twenty sentences, ten of them copies
#
# First a small swindle. Take ten sentences of the test set and another pair of systems, UPC's and uk-dan-moses. With
# ten sentences all exchanges can be counted:

# %%
ten = bleu.subset(np.arange(7, 3003, 300))
mt.approximate_randomization(ten, "UPC", "uk-dan-moses").pvalue

# %% [markdown]
# Not quite .05. Now let us copy every sentence, with both its translations, and pretend that there are twenty. The
# scores are the same as before, since every count is doubled.
#
# > **Make a guess.** What happens to the p-value: it stays as it is, it becomes about half, or it becomes about a
# > tenth?
# >
# > <details><summary>it stays as it is</summary>Nothing new has been learned, so it ought to stay. The test does
# > not know that.</details>
# > <details><summary>it becomes about half</summary>Twice as many rows suggest half. It falls faster.</details>
# > <details class="right"><summary>about a tenth</summary>So it is. The test counts the copies as new
# > evidence.</details>

# %%
twenty = ten.subset(np.repeat(np.arange(10), 2))
mt.approximate_randomization(twenty, "UPC", "uk-dan-moses", rng=1).pvalue

# %% [markdown]
# **The guess.** About a tenth. The copies bring no new evidence, and yet p is about a tenth of what it was. Why? The
# test tosses a coin for each of the twenty sentences. So it makes shuffles in which UPC's system has one copy of a
# translation and uk-dan-moses the other. There are no such worlds. A copy goes where its twin goes. If we tell the test
# so, by giving the two the same number, one coin is tossed for both:

# %%
twins = np.repeat(np.arange(10), 2)
mt.approximate_randomization(twenty, "UPC", "uk-dan-moses", units=twins).pvalue

# %% tags=["remove-input", "remove-output"]
alone = mt.approximate_randomization(ten, "UPC", "uk-dan-moses")
copied = mt.approximate_randomization(twenty, "UPC", "uk-dan-moses", rng=1)
together = mt.approximate_randomization(twenty, "UPC", "uk-dan-moses", units=twins)
headline("ten sentences, UPC against uk-dan-moses: p", alone.pvalue, spec=".3f")
headline("the same sentences, each copied once: p", copied.pvalue, spec=".4f")
assert alone.pvalue == together.pvalue and 0.05 < alone.pvalue < 0.06
assert 0.07 < copied.pvalue / alone.pvalue < 0.15
assert np.isclose(alone.statistic, copied.statistic)
assert (
    mt.approximate_randomization(
        ten.subset(np.repeat(np.arange(10), 3)), *ten.select(["UPC", "uk-dan-moses"]).systems, rng=1
    ).pvalue
    < 0.001
)

# %% [markdown]
# The p-value of the ten sentences, to the last digit. A **unit** is what is drawn or exchanged as a whole: a segment,
# or a document. Choosing it is part of step 2, *say what chance would do*. The other three steps stay as they were.
#
# Sentences of one article are not copies of each other, of course. They are something in between. They share a topic, a
# style and a translator, and if a system has never seen the name of a minister, it stumbles over it in every second
# line. A test that exchanges sentence by sentence counts each of these errors as new evidence.
#
# ## Two hills
#
# Both tests can be put side by side: their shuffles, and the difference that was observed.

# %% tags=["remove-input"]
tests = {
    units: mt.approximate_randomization(pair, *pair.systems, units=units, rng=2014)
    for units in ("segments", "documents")
}
draw_null_hills(tests)
plt.show()

# %% tags=["remove-input", "remove-output"]
by_sentence, by_document = tests.values()
headline("WMT12 es-en, onlineC against uk-dan-moses, segments: p", by_sentence.pvalue, spec=".3f")
headline("the same, documents: p", by_document.pvalue, spec=".2f")
wider = by_document.null_distribution.std() / by_sentence.null_distribution.std()
assert 0.012 < by_sentence.pvalue < 0.018 and 0.11 < by_document.pvalue < 0.14
assert 1.4 < wider < 1.65 and round(by_sentence.statistic, 1) == 0.6
sizes = pd.Series(bleu.documents).value_counts()
assert len(sizes) == 99 and (sizes.min(), sizes.max()) == (5, 147)

# %% [markdown]
# Both hills are made of 10,000 shuffles, with the same two systems; the dashed lines are the difference that was
# observed, in both directions. Above, a coin was tossed for each of the 3,003 sentences, below, for each of the 99
# documents. Look at the widths. If sentences of a document had nothing in common, it would not matter that they go
# together, and the two hills would look the same. But the lower one is about one and a half times as wide. If whole
# articles are exchanged, chance makes larger differences than if single sentences are exchanged. So the coloured part
# grows from 15 to 124 in a thousand.
#
# Toss both kinds of coins yourself. With coins for documents a mark is an article, and all of its sentences change
# owners together.

# %%
chance_machine(pair, *pair.systems, units=["segments", "documents"], rng=2014)

# %% [markdown]
# ## Who makes false claims?
#
# That the hills differ does not yet say which is right. So we make data of which we know the truth, as in unit 11. A
# coin decides for each *document* which of the two new systems gets onlineC's version and which gets uk-dan-moses'. So
# there is no difference to find. Documents are then exchangeable one by one. Sentences are not, for those of an article
# stay together, with all that they have in common. (`factorize` numbers the documents, and `heads` then holds each
# sentence's coin, which is that of its document.)


# %%
def assigned_by(coins):
    """Two systems made from onlineC's and uk-dan-moses' outputs, a coin for each document."""
    a, b = pair.values
    heads = coins[pd.factorize(bleu.documents)[0]][:, None]
    values = [a + heads * (b - a), b + heads * (a - b)]
    return mt.SufficientStatistics(bleu.metric, ("A", "B"), values, documents=bleu.documents)


# %% [markdown]
# > **Make a guess.** Three hundred such pairs, tested at .05. A test that keeps its promise claims a difference about
# > 15 times. And the test that exchanges single sentences: about 15, about 60, or about 150 times?
# >
# > <details><summary>about 15</summary>It would be about 15 if a coin for each sentence had made the data. Here a coin
# > for each document made them.</details>
# > <details class="right"><summary>about 60</summary>So it is, four times what was promised.</details>
# > <details><summary>about 150</summary>It is bad, but the test does not claim a difference in every second
# > pair.</details>

# %%
rng = np.random.default_rng(99)
claims = {"segments": 0, "documents": 0}
for _ in range(300):
    even = assigned_by(rng.integers(2, size=99))
    for units in claims:
        test = mt.approximate_randomization(even, "A", "B", units=units, n_resamples=399, rng=rng)
        claims[units] += test.pvalue <= 0.05
claims

# %% tags=["remove-input", "remove-output"]
headline(
    "documents exchanged, 300 pairs: false claims at .05 with segments as units", claims["segments"]
)
headline("the same, documents as units", claims["documents"])
assert 50 <= claims["segments"] <= 75 and 6 <= claims["documents"] <= 22
assert clopper_pearson(claims["segments"], 300)[0] > 0.15
a, b = pair.values
loose = {"segments": 0, "documents": 0}
for _ in range(300):
    heads = rng.integers(2, size=(len(a[:, 0]), 1))
    even = [a + heads * (b - a), b + heads * (a - b)]
    even = mt.SufficientStatistics(bleu.metric, ("A", "B"), even, documents=bleu.documents)
    for units in loose:
        test = mt.approximate_randomization(even, "A", "B", units=units, n_resamples=399, rng=rng)
        loose[units] += test.pvalue <= 0.05
headline(
    "sentences exchanged, 300 pairs: false claims at .05 with segments as units", loose["segments"]
)
headline("the same, whole documents as units", loose["documents"])
assert all(
    clopper_pearson(claims, 300)[0] < 0.05 < clopper_pearson(claims, 300)[1]
    for claims in loose.values()
)

# %% [markdown]
# **The guess.** About 60, give or take ten: one in five, instead of one in twenty. The p-value of .015 comes from
# the exchange of sentences. In such a world that test makes four times as many false claims as its level allows. The exchange of
# documents keeps the level. You may object that we have built the world to suit it. But try the other
# one, with a coin for each *sentence*: there both tests keep their promise. Exchanging whole documents is safe in
# either world, exchanging sentences in one of them.
#
# How bad it is depends on how alike the sentences of one document are. Move the slider to change their correlation. The
# two systems are equally good, and each document has thirty sentences, which is the average here. The hill is where
# differences of such systems fall. The dashed lines are where the test that tosses coins for sentences begins to claim
# a difference.


# %% tags=["remove-input", "nbval-ignore-output"]
def equal_systems_by_document(ax, correlation):
    """Differences of equal systems, in standard errors as if sentences were independent."""
    spread = np.sqrt(1 + 29 * correlation)
    x = np.linspace(-8, 8, 801)
    height = norm.pdf(x, scale=spread)
    ax.fill_between(x, height, color=style.CALM)
    for side in (-1, 1):
        beyond = side * x >= 1.96
        ax.fill_between(x[beyond], height[beyond], color=style.EMPHASIS)
        ax.axvline(1.96 * side, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="difference, in standard errors by sentences", yticks=[], ylim=(0, 0.42))
    claims = 2 * norm.sf(1.96 / spread)
    title = f"correlation {correlation}: {100 * claims:.0f} false claims in a hundred"
    ax.set_title(title, loc="left", fontsize=11)


movable(equal_systems_by_document, correlation=[0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3])

# %% [markdown]
# ## What do documents share?
#
# In unit 7 we found something else that sentences of this test set share: the language in which they were written.
# Remember onlineB against uedin: twelve points ahead on Spanish news, and behind on French. If other articles are
# drawn, there may be more Spanish ones among them, or fewer. Is that chance, too? Here is the interval of the
# difference as in unit 10, first for segments, then for documents, and then for documents drawn *within* each
# language, as many Spanish ones as there are. (`strata` names the groups within which to draw, and `replace` makes a
# copy of `bleu` that has them.)

# %%
within = dataclasses.replace(bleu, strata=campaign.original_language)
for kind, units in ((bleu, "segments"), (bleu, "documents"), (within, "documents")):
    interval = mt.confidence_interval(kind, "onlineB", "uedin-wmt12", units=units, rng=12)
    print(np.round([interval.low, interval.high, interval.standard_error], 2))

# %% [markdown]
# The first two numbers of a line are the ends of an interval. The third is the standard error of the difference. A
# difference of 4.3, and three statements about it. Does the same happen with other pairs? The next cell takes the
# standard errors of all 66 pairs by documents, compared with those by segments. It also draws documents in a third way.
# This way keeps the number of articles of each language, and also that language's share of the text. (One article has 5
# sentences and another 147.)

# %%
found = ratios("wmt12/es-en")
found.median()

# %% tags=["remove-input"]
systems = list(bleu.systems)
first, second = np.triu_indices(len(systems), 1)
names = [{systems[i], systems[j]} for i, j in zip(first, second, strict=True)]
draw_ratios(found, names.index({"onlineB", "uedin-wmt12"}))
plt.show()

# %% tags=["remove-input", "remove-output"]
middle = found.median()
headline(
    "WMT12 es-en, standard errors compared with segments, median of 66: documents",
    middle.iloc[0],
    spec=".1f",
)
headline("the same, documents within language", middle.iloc[1], spec=".2f")
headline("the same, languages' shares of the text held fixed", middle.iloc[2], spec=".2f")
assert 2.05 < middle.iloc[0] < 2.3 and 1.48 < middle.iloc[1] < 1.62 and 1.18 < middle.iloc[2] < 1.32
excess = (found["documents"] ** 2 - found["shares held fixed"] ** 2) / (found["documents"] ** 2 - 1)
assert 0.7 < excess.median() < 0.85
scores = bleu.scores()
gaps = np.array(
    [abs(scores[systems[i]] - scores[systems[j]]) for i, j in zip(first, second, strict=True)]
)
place = names.index({"onlineB", "uedin-wmt12"})
assert 2.2 < found["documents"][place] < 2.5 and 1.05 < found["shares held fixed"][place] < 1.3
by_language = {
    x: bleu.subset(campaign.original_language == x).scores()[["onlineB", "uedin-wmt12"]]
    for x in ("es", "fr")
}
assert -np.diff(by_language["es"])[0] > 12 and -np.diff(by_language["fr"])[0] < -1
assert (gaps < 2).sum() == 16 and 1.15 < found["documents"][gaps < 2].median() < 1.35
by_segment, by_document = (
    mt.compare_all(bleu, units=units, correction=None, interval=None, rng=12).table
    for units in ("segments", "documents")
)
lost = by_document[(by_segment["conclusion"] == "better") & (by_document["conclusion"] != "better")]
assert lost["pvalue"].round(3).tolist() == [0.081, 0.124, 0.051]
intervals = [
    mt.confidence_interval(kind, "onlineB", "uedin-wmt12", units=units, n_resamples=4000, rng=12)
    for kind, units in ((bleu, "segments"), (bleu, "documents"), (within, "documents"))
]
assert np.allclose([i.standard_error for i in intervals], [0.29, 0.70, 0.45], atol=0.03)
macro = mt.confidence_interval(
    bleu.by_stratum(campaign.original_language), "onlineB", "uedin-wmt12", n_resamples=1000, rng=1
)
assert round(macro.estimate, 1) == 3.2 and round(intervals[0].estimate, 1) == 4.3

# %% [markdown]
# Each dot is a pair of systems. At the dashed line at 1 the standard error by documents is as large as that by
# segments. All dots would lie near it if the sentences of an article had nothing in common. Take the upper row first:
# there the middle pair has a standard error more than twice that by segments. Now go down. With as many articles of
# each language the middle is at about 1.55, and with as much *text* of each language at about 1.25. The marked pair,
# onlineB and uedin, falls from 2.4 to 1.2. For the marked pair, about three quarters of the variance by documents is
# gone once the languages' shares are held fixed. This part comes from the five languages of unit 7.
#
# ## Three questions, three answers
#
# None of the rows is wrong. They answer different questions:
#
# - *How might the difference come out on other articles, whatever languages they happen to be from?* Documents.
# - *How, on other articles with as many from each language?* Documents within language.
# - *How, if each language keeps its share of the text?* The last row.
#
# The organisers of WMT took five languages on purpose, and would probably do so again. If you want to know what another
# WMT12 would show, the last two questions are the better ones. If you want to speak of news in general, from anywhere,
# the first one is yours. You must not report the smallest of the three standard errors as the answer to the most
# general of the three questions.
#
# And segments? The standard error by segments is right for a test set in which every sentence comes from a text of its
# own. If yours is like that, use them. Otherwise documents, where they are known. Those who evaluate language models
# meet the same question where several questions are asked about one passage. There, too, the passage is the unit
# (Miller 2024, *Adding Error Bars to Evals*; [what other tools compute](../../docs/other-tools.md)).
#
# It is often less bad than in this campaign:

# %%
others = {name: ratios(name).median() for name in ("wmt12/de-en", "wmt13/es-en")}
pd.DataFrame(others).T

# %% tags=["remove-input", "remove-output"]
others = pd.DataFrame(others).T
assert (
    others["documents"].between(1.4, 2.0).all()
    and others["documents within language"].between(1.2, 1.36).all()
)
assert others["shares held fixed"].between(1.15, 1.36).all()
recent = mt.load("wmt21/de-en").statistics("BLEU")
noted = " ".join(mt.compare_all(recent, n_resamples=100, interval=None, rng=1).notes)
assert 1.04 < float(noted.partition(" times as large")[0].split()[-1]) < 1.12
in_unit_1 = [
    mt.approximate_randomization(
        mt.load("wmt21/de-en").statistics("BLEU"),
        *("Facebook-AI", "NVIDIA-NeMo"),
        units=units,
        rng=2014,
    ).pvalue
    for units in ("segments", "documents")
]
assert round(in_unit_1[0], 2) == 0.03 and round(in_unit_1[1], 3) == 0.046

# %% [markdown]
# At WMT21, where all sources of a pair were written in one language and articles are shorter, the middle ratio for
# German to English is below 1.1. In unit 1 documents took p from about .03 to .046. And in this unit's campaign, WMT12
# from Spanish, the middle ratio for documents is about 1.25 for the 16 pairs that are less than two points apart. But
# three of these pairs lose their verdict.
#
# ## The decision of unit 0
#
# Remember the translators who compared Microsoft's program with people. Four of them read the same 50 articles and
# answered which translation keeps the meaning (*adequacy*). Four others read them, too, and answered which is better English
# (*fluency*). So there are 200 answers to each question, and four of them are about the same article. Suppose that you
# write to the company that the human translation is better. For which question can you show it? Here each answer is a
# segment, and each article a document.

# %%
from mtsig_nb.teaching import parity

for question in ("adequacy", "fluency"):
    answers = parity(question, "articles")
    for units in ("segments", "documents"):
        test = mt.approximate_randomization(answers, "human", "machine", units=units, rng=12)
        print(f"{question:9} {units:9}  lead {test.statistic:.2f}  p = {test.pvalue:.4f}")

# %% tags=["remove-input", "remove-output"]
p_parity = {
    (question, units): mt.approximate_randomization(
        parity(question, "articles"), "human", "machine", units=units, rng=12
    ).pvalue
    for question in ("adequacy", "fluency")
    for units in ("segments", "documents")
}
assert p_parity["adequacy", "segments"] < 0.05 < p_parity["adequacy", "documents"]
assert p_parity["fluency", "documents"] < 0.01
headline(
    "people against a program, adequacy of 50 articles: p with a coin for each answer",
    p_parity["adequacy", "segments"],
    spec=".3f",
)
headline("the same, a coin for each article", p_parity["adequacy", "documents"], spec=".3f")

# %% [markdown]
# With a coin for each answer, both leads are found at .05. With a coin for each article, only the lead in fluency is. Where the program
# misread a name, all four translators may have noticed, so four answers about one article are not four articles. Your
# letter is about Chinese news, and other articles might have been drawn. So toss 50 coins, and write that, as
# these translators judge, people are better in fluency. In adequacy they may be, and these articles do not settle it.
#
# ## What this does not tell you
#
# - **What to do with very few documents.** With five units, no two-sided test that counts exchanges can have a p of .05
#   or less. With fifty units of which a few differ much more than the others, p-values still come out somewhat too
#   small.
# - **Which other units there are.** Judgements share a judge (unit 24), outputs share a training run (unit 29).
#   Choose as the unit whatever could have been drawn differently: articles, judges or training runs.
# - **How well all this has been measured.** Every test of the package was tried in worlds without a difference, with
#   documents and with segments as units. [The page on trust](../../docs/trust.md) says how often each test makes a
#   false claim, ours and those of other tools. Look there before you rely on one.
#
# ## Check yourself
#
# > **"With documents as units the test finds fewer differences. So it has less power, and I take segments." What is
# > wrong?**
# >
# > <details class="right"><summary>Part of what segments find may be false</summary>This is correct.</details>
# > <details><summary>Nothing: more power is better</summary>A test that always claims a difference has the greatest
# > power of all. Compare power only where promises are kept.</details>
# > <details><summary>Documents have more power</summary>The test by documents has less power here, and rightly so. The
# > test by segments claimed differences that coins had made.</details>
#
# <details><summary>Answer</summary>
#
# Part of what the test by segments finds may be false: our coins had made pairs without a difference, and it found a
# difference in one of five of them. A test that always claims a difference has the greatest power of all. Power can be
# compared only between tests that keep the same promise.
#
# </details>
#
# > **A test set consists of five long stories of 200 sentences each. What is the smallest p-value that exchanging whole
# > documents can give?**
# >
# > <details><summary>1/1,000</summary>The sentences of a story go together. There are five things to exchange and not a
# > thousand.</details>
# > <details><summary>1/32, or .031</summary>None exchanged and all exchanged both reach the observed difference, so at
# > least two of the 32 count.</details>
# > <details class="right"><summary>2/32, or .0625</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Five coins fall in 32 ways. Two of these, none exchanged and all exchanged, give a difference as large as the observed
# one in any case, so p is at least 2/32, or .06. At .05 a two-sided test that exchanges whole stories can find no
# difference on such a test set. A thousand sentences, and five units.
#
# </details>
#
# > **`bleu.by_stratum(campaign.original_language)` also draws within languages, and the difference between onlineB and
# > uedin changes from 4.3 to 3.2. Has the language bias been removed from the 4.3?**
# >
# > <details><summary>Yes</summary>The 3.2 is the mean of five languages. The 4.3 is as it was, and its bias is still in
# > it.</details>
# > <details class="right"><summary>No, it is another score</summary>This is correct.</details>
# > <details><summary>Yes, but only half of it</summary>Nothing has been taken from the 4.3. A different quantity has
# > been computed.</details>
#
# <details><summary>Answer</summary>
#
# No, it is another score: the mean of the BLEU scores of the five languages, each with the same weight. It may be the
# better one, but it has to be chosen in step 1, and one cannot put its interval around the 4.3. To keep the score and
# draw within languages, give `strata`, as above.
#
# </details>
#
# ## Exercises
#
# **1.** Take each of the ten sentences three times, so that there are thirty. What is the p-value with the copies as units
# of their own, and what with `units=np.repeat(np.arange(10), 3)`?
#
# <details><summary>Answer</summary>
#
# With `np.repeat(np.arange(10), 3)` in both places: about .0002, and .0586 again. By copying sentences one can make p
# as small as one likes.
#
# </details>
#
# **2.** For which pairs of the campaign is a difference found at .05 with segments and no longer with documents? Compare
# the column `conclusion` of `mt.compare_all(bleu, correction=None, rng=12).table` with the same for `units="documents"`.
# (Unit 19 says what a correction would be.)
#
# <details><summary>Answer</summary>
#
# Three of 66: onlineD and onlineC each against uk-dan-moses, and uk-dan-moses against onlineF. In two of them p rises
# from about .01 to .08 and .12. For the third it is .051. That is so near to .05 that 10,000 shuffles cannot tell on
# which side of .05 it lies (unit 6), and the package says so. The other verdicts stay, because most pairs of this
# campaign are far apart.
#
# </details>
#
# ---
#
# *Before this:* [unit 11, A hundred verdicts](11_a_hundred_verdicts.ipynb). *After this:* [unit 13, The
# pitfall](../3_which_test_which_metric/13_the_pitfall.ipynb). *What was measured:* [what can be relied
# on](../../docs/trust.md). *To practise:* [lab 5](../labs/student/lab_05_the_same_sentences.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
