# %% [markdown]
# # 31 · One text, many languages
#
# At WMT25 the same English texts were translated into one language after another. On average over 25 languages,
# Gemini-2.5-Pro has .18 points more than CommandA-MT, from 8,300 segments for each. Few comparisons ever had so much
# data. Is it enough?
#
# <details><summary>After this unit you can …</summary>
#
# - say what more languages add to a comparison, and what they do not (questions 1 and 3);
# - name the fault of a sign test over languages (question 2);
# - compute an effective number of documents without the longest ones (exercise 1).
#
# Before this: unit 12. About 22 minutes to read, 27 to teach with a discussion. New terms: effective number of
# documents, joint exchange, macro average, neural metric.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb import list_campaigns
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25", suppress=True)  # numbers are printed without their type
pd.options.display.float_format = "{:.4f}".format

AR = style.look_of("approximate-randomization")[0]
PAIR = ("Gemini-2.5-Pro", "CommandA-MT")
LANGUAGES = [
    name.removeprefix("wmt25/")
    for name in list_campaigns()["name"]
    if name.startswith("wmt25/en-") and not name.endswith(("bho_IN", "mas_KE"))
]


def neighbours(sets):
    """The p-value of each system beside the next one of the ranking."""
    table = mt.compare_all(
        sets.overall, correction=None, interval=None, n_resamples=10_000, rng=2014
    ).table
    p = table.set_index(["system_a", "system_b"])["pvalue"]
    ranking = sets.overall.scores().index
    return pd.Series({pair: p[pair] for pair in itertools.pairwise(ranking)})


def draw_two_hills(tests, line):
    """Shuffles with a coin for each translation and for each source text."""
    figure, axes = plt.subplots(2, 1, figsize=(7.2, 4.8), sharex=True, layout="constrained")
    bins = abs(tests[0].statistic) * np.arange(-32, 33) / 18
    titles = "a coin for each translation of a document", "a coin for each document"
    for ax, test, title in zip(axes, tests, titles, strict=True):
        null, seen = test.null_distribution, abs(test.statistic)
        far = np.abs(null) >= seen
        ax.hist([null[~far], null[far]], bins, stacked=True, color=[AR, style.EMPHASIS])
        for side in (-1, 1):
            ax.axvline(side * seen, color=style.INK, linestyle="--", linewidth=1)
            ax.axvline(side * line, color=style.INK, linestyle=":", linewidth=2)
        ax.set_title(f"{title}: p = {test.pvalue:.4f}", loc="left", fontsize=11)
        ax.set_yticks([])
    for x, said in ((seen, "observed"), (line, "line for .05")):
        axes[0].text(x + 0.004, axes[0].get_ylim()[1] * 0.93, said, va="top", fontsize=10)
    axes[1].set_xlabel("difference in MetricX, mean of 25 languages, after the exchange")
    style.describe(
        figure,
        "Two hills of differences after shuffling. With a coin for each translation the hill is narrow and ends before the dashed "
        "lines at 0.18; with a coin for each document it is twice as wide, with coloured tails beyond them.",
    )
    return figure


def draw_neighbours(joint, apart):
    """Both p-values of each pair of neighbours; those that only one of the tests finds stand out."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.3))
    x = np.arange(1, len(joint) + 1)
    lost = ((apart <= 0.05) & (joint > 0.05)).to_numpy()
    for which, colour in ((~lost, style.GREY), (lost, style.EMPHASIS)):
        ax.vlines(x[which], apart[which], joint[which], color=colour, linewidth=1.5)
        ax.plot(x[which], apart[which], "o", color=colour, mfc="white", markersize=8)
        ax.plot(x[which], joint[which], "o", color=colour, markersize=8)
    ax.plot([], [], "o", color=style.INK, mfc="white", label="as if languages were independent")
    ax.plot([], [], "o", color=style.INK, label="documents exchanged in all languages")
    ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate(".05", (28.6, 0.05), (0, 3), textcoords="offset points", ha="left", fontsize=10)
    ax.annotate(
        "Gemini-2.5-Pro,\nCommandA-MT",
        (3, joint[PAIR]),
        (0, 24),
        textcoords="offset points",
        ha="center",
        fontsize=10,
        color=style.EMPHASIS,
    )
    ax.set(yscale="log", ylim=(6e-5, 5), xlim=(0, 30))
    ax.set_yticks([1e-4, 1e-3, 1e-2, 0.1, 1], [".0001", ".001", ".01", ".1", "1"])
    ax.minorticks_off()
    ax.set_xticks([1, 3, 5, 10, 15, 20, 25, 28])
    ax.set(xlabel="place in the ranking, beside the next system", ylabel="p-value")
    ax.legend(frameon=False, ncols=2, loc="upper left", fontsize=10)
    style.describe(
        figure,
        "28 pairs of neighbours, each with a hollow and a filled p-value on a scale of powers of ten. For most the filled one is "
        "higher; in six coloured pairs the hollow one lies below the dashed line at .05 and the filled one above it.",
    )
    return figure


# %% [markdown]
# The points are MetricX's. A **neural metric** is a neural network that has learned from people's judgements to score a
# translation. MetricX is one of them. In WMT25 more is better, and 0 is its best. [Unit 32](32_judges_that_are_models.ipynb) asks
# other judges about the same pair.
#
# The next cell gathers the scores. (26 dialogues, whose names begin with `en:`, are in Czech and German only and
# are left out. So are Bhojpuri and Maasai, which MetricX hardly knows.)

# %%
import mtsig_nb as mt


def by_language(judge, missing="refuse"):
    found = {}
    for pair in LANGUAGES:
        scores = mt.load(f"wmt25/{pair}").statistics(judge, missing=missing)
        dialogue = np.char.startswith(scores.documents, "en:")
        found[pair] = scores.subset(~dialogue)
    return found


together = mt.test_sets(by_language("MetricX"), missing="common")
together

# %% [markdown]
# Twenty-nine systems took part in all 25 languages; others are left out. The .18 is a difference between two macro
# averages. A **macro average** is the mean of a score over test sets, each of which counts the same. What "worth 20 or
# more" means we shall see.
#
# ## Three documents, two languages
#
# First an example that is small enough to count by hand. Three documents were translated by A and B into two languages.
# A row is a document, a column a language, a number A's lead.

# %%
lead = np.array([[2.0, 1.5], [1.0, 1.0], [0.5, 1.0]])
three = np.array(list(itertools.product([1, -1], repeat=3))) @ lead.sum(axis=1)
six = np.array(list(itertools.product([1, -1], repeat=6))) @ lead.ravel()
(abs(three) >= lead.sum()).mean(), (abs(six) >= lead.sum()).mean()

# %% [markdown]
# Everywhere A is ahead. With a coin for each *document* there are 8 arrangements, two of which do as much: p = .25.
# With a coin for each *translation* there are 64, and p = .03. But the second test allows worlds in which the advantage
# on one document goes to A in Czech and to B in Japanese. A system that misreads a source text will often misread it in
# every language. A text that suits A in one language will often suit it in others.
#
# A **joint exchange** is an exchange of a source document's outputs in all languages at once. Of the four steps the second
# changes: *all that A made of a document might as well have been made by B*. It is [unit
# 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb) again: here a document's
# outputs in all languages belong together.
#
# The same with the real pair. `shared=False` says that languages have nothing in common.

# %%
apart = mt.test_sets(by_language("MetricX"), missing="common", shared=False)
tests = [mt.approximate_randomization(s.overall, *PAIR, rng=2014) for s in (apart, together)]
line = np.quantile(abs(tests[0].null_distribution), 0.95)
line.round(3), (abs(tests[1].null_distribution) >= line).mean()

# %% tags=["remove-input"]
draw_two_hills(tests, line)
plt.show()

# %% tags=["remove-input", "remove-output"]
separate, joint_test = tests
headline(
    "WMT25, 25 languages, Gemini-2.5-Pro against CommandA-MT, MetricX: p if languages were independent",
    separate.pvalue,
    spec=".4f",
)
headline("the same, documents exchanged in all languages: p", joint_test.pvalue, spec=".3f")
false = (abs(joint_test.null_distribution) >= line).mean()
headline(
    "documents exchanged in all languages: false claims at .05 of a test that takes languages as independent",
    false,
    spec=".2f",
)
assert round(joint_test.statistic, 2) == 0.18 and separate.pvalue < 0.001
assert 0.07 < joint_test.pvalue < 0.08 and 0.395 < false < 0.405
widths = [test.null_distribution.std() for test in tests]
assert 2 < widths[1] / widths[0] < 2.5
assert (abs(three) >= lead.sum()).sum() == 2 and (abs(six) >= lead.sum()).sum() == 2
assert len(three) == 8 and len(six) == 64
assert len(together.overall.systems) == 29 and len(LANGUAGES) == 25
assert together.overall.n_segments == 87 and apart.overall.n_segments == 2175
assert int(together.sizes.sum()) == 8300 and 240_000 < 8300 * 29 < 241_000

# %% [markdown]
# Along the axis is the difference that a shuffle makes; dashed is the observed one. Look at the upper hill first. If
# each of the 2,175 translated documents has a coin of its own, luck hardly ever gets as far, and p is .0002. Then the
# lower hill, of 87 coins. It is more than twice as wide, its tails are coloured, and p is .076. If languages were
# independent the two hills would be equally wide.
#
# Now the dotted lines, beyond which the upper test claims a difference at .05. Each shuffle of the lower hill is a world in
# which it makes no difference whose is whose. In 40 of a hundred of these worlds the upper test would find one better.
#
# ## What 240,000 scores are worth
#
# Twenty-nine systems with 8,300 scores each: 240,000. Yet the coins are tossed for documents, and those are not of one size.

# %%
sizes = pd.Series(together.overall.documents, name="document").to_frame()
sizes["segments"] = together.sizes[0]
sizes.nlargest(4, "segments")

# %% [markdown]
# Two chapters of one book are a quarter of the test set. Each of 62 documents, all of them speech, has one segment
# only.
#
# > **Make a guess.** How many documents of one size would tell as much as these 87: 2,175, because each was
# > translated into 25 languages; 87; or fewer than 30?
# >
# > <details><summary>2,175</summary>They would, if a document translated into 25 languages were 25
# > documents.</details>
# > <details><summary>87</summary>Fewer: documents differ in size, and the large ones weigh most.</details>
# > <details class="right"><summary>fewer than 30</summary>So it is, at least 20 and few more.</details>
#
# With documents of 8, 1 and 1 segments, an average listens almost only to the first. Take the square of the sum, 10² =
# 100, and divide by the sum of the squares, 64 + 1 + 1 = 66: about one and a half documents. The **effective
# number of documents** is how many documents of equal weight would give a mean the same standard error. If all segments of a
# document contribute the same, it is this quotient (Kish's). (With three equal ones it is 9/3 = 3, as it should be.)

# %%
sizes["segments"].sum() ** 2 / (sizes["segments"] ** 2).sum()

# %% [markdown]
# That is the least. Segments of a document do not contribute quite the same, and the less alike they are, the more a long document
# tells. How alike they are is the *intraclass correlation*: the share of the variance of segments that lies between documents. With
# it the number can be estimated for each pair of systems. The last column has the median over all pairs.

# %%
documents = mt.compare_all(together, n_resamples=99, interval=None, rng=2014).by_test_set
documents[["test_set", "n_units", "n_effective_least", "n_effective"]].head(1).round()

# %% tags=["remove-input", "remove-output"]
effective = sizes["segments"].sum() ** 2 / (sizes["segments"] ** 2).sum()
headline("WMT25 from English: effective number of the 87 documents", effective, spec=".1f")
assert round(effective) == round(together.n_effective) == 20 and round(100 / 66, 1) == 1.5
estimate = documents["n_effective"].iloc[0]
headline("the same, from how alike segments of a document are", estimate, spec=".1f")
assert 20 < estimate < 27 and documents["n_effective"].iloc[1:].median() > estimate
book = sizes["document"].str.startswith("rink_rats").to_numpy()
assert book.sum() == 2 and round(sizes["segments"][book].sum() / 332, 2) == 0.26
spoken = set(mt.load("wmt25/en-ja_JP").documents[mt.load("wmt25/en-ja_JP").domains == "speech"])
assert set(sizes["document"][sizes["segments"] == 1]) == spoken and len(spoken) == 62
of_each = [s.select(PAIR).values[..., 0] for s in together.each]
of_each = np.array([(a - b) / 332 for a, b in of_each])  # languages × documents
share = of_each.mean(axis=0)[book].sum() / of_each.mean(axis=0).sum()
ahead = of_each.sum(axis=1) > 0
assert 0.6 < share < 0.7 and ahead.sum() == 10

# %% [markdown]
# **The guess.** Fewer than 30: at least 20, and about 25 by the estimate. In means over 25 languages, what the segments
# of a document have in common is large compared with what belongs to a single segment. More languages would hardly
# help, since they are the same texts. And indeed two thirds of Gemini's lead come from the two chapters.
#
# ## Twenty-eight neighbours
#
# Order the systems by MetricX. Which can be told from the next?
#
# > **Make a guess.** If languages are taken as independent, a difference is found at .05 in 17 of the 28 pairs of
# > neighbours. How many by a joint exchange: 17, 11 or 2?
# >
# > <details><summary>17</summary>The languages share their documents, so a lucky document helps in all of them at
# > once.</details>
# > <details class="right"><summary>11</summary>So it is: six differences vanish.</details>
# > <details><summary>2</summary>With a joint exchange the shuffled differences spread wider, but not so much
# > wider.</details>

# %%
joint, independent = neighbours(together), neighbours(apart)
(independent <= 0.05).sum(), (joint <= 0.05).sum()

# %% tags=["remove-input"]
draw_neighbours(joint, independent)
plt.show()

# %% tags=["remove-input", "remove-output"]
lost = joint.index[(independent <= 0.05) & (joint > 0.05)]
headline(
    "WMT25, MetricX, neighbours of 28 that differ at .05, languages as independent",
    (independent <= 0.05).sum(),
)
headline("the same, documents exchanged in all languages", (joint <= 0.05).sum())
assert ((independent <= 0.05).sum(), (joint <= 0.05).sum(), len(joint)) == (17, 11, 28)
assert len(lost) == 6 and PAIR in lost and joint.index.get_loc(PAIR) == 2
assert not ((independent > 0.05) & (joint <= 0.05)).any() and (joint > independent).mean() > 0.5

# %% [markdown]
# From left to right are the places in the ranking, each with the p-value of the pair that begins there, on a scale of
# powers of ten. Hollow dots take languages as independent. Look for colour: in these pairs the hollow dot is below the
# dashed line and the filled one, of the joint exchange, above it. Gemini's pair is the third. At the bottom are pairs
# that none of 10,000 shuffles reach. Were translations of one text unrelated, both dots of a pair would lie close
# together, as they do for some. In a few pairs the filled dot is the lower one. This can happen where languages
# disagree about which system is better.
#
# **The guess.** Eleven; six differences vanish. And 28 neighbours, 406 pairs and 25 languages are many chances to be
# wrong ([unit 20](../4_many_systems/20_comparisons_that_share_systems.ipynb)). One call tests the average and each
# language as one family:

# %%
options = {"interval": None, "n_resamples": 10_000, "rng": 2014}
found = mt.compare_all(together, correction="westfall-young", **options)
print(*found.notes_on_test_sets, sep="\n")

# %% tags=["remove-input"]
corrected = found.overall.table.set_index(["system_a", "system_b"])["pvalue_adjusted"]
kept = sum(corrected[pair] <= 0.05 for pair in joint.index)
of_pair = found.table[
    found.table["system_a"].isin(PAIR)
    & found.table["system_b"].isin(PAIR)
    & (found.table["test_set"] != "all")
]
single = of_pair["pvalue"] <= 0.05
gemini = (of_pair["system_a"] == PAIR[0]) == (of_pair["difference"] > 0)
assert kept == 6 and len(joint) == 28 and len(of_pair) == 25 and gemini.sum() == 10
assert (single.sum(), (single & gemini).sum()) == (18, 8)
assert found.n_comparisons == 406 * 26 and "are 1.86 times" in found.notes_on_test_sets[1]
assert "326 of 406" in found.notes_on_test_sets[2]
most = of_pair[gemini].nlargest(1, "difference").iloc[0]
assert most["test_set"] == "en-kn_IN" and 2 < most["difference"] < 2.2

# %% [markdown]
# The second line compares standard errors: for the pair in the middle the joint one is 1.86 times as large. Of the 28
# neighbours six are left. Still, 326 of 406 pairs can be told apart over all languages. Most neighbours in the ranking
# cannot. The last line promises something of families like this one. It does not say how probable it is that one of
# *these* claims is false.
#
# The average hides something, too. Language by language, and uncorrected, our pair differs in 18 of 25: in 8 for
# Gemini, by up to two points in Kannada, and in 10 for CommandA-MT. By MetricX, and without a correction, which of the
# two is ahead depends on the language.
#
# ## Where no documents are known
#
# Most leaderboards over languages have no documents. FLORES and NTREX translate the same sentences into one language after another, and a
# table of their scores has a language, a number and a score in each line. Then a sentence is what has to be exchanged in all
# languages at once. But is number 7 the same sentence in each of them? The next cell takes the documents' names away from our
# pair and leaves the segments in their order.

# %%
import dataclasses

nameless = {
    language: dataclasses.replace(scores.select(PAIR), documents=None)
    for language, scores in by_language("MetricX").items()
}
numbered = mt.compare_all(mt.test_sets(nameless).overall, correction=None, rng=2014)
print(numbered.notes[0])

# %% [markdown]
# Numbers alone do not tell. So both analyses are made, and the more cautious one stands. Where the sources or the references
# are at hand, or sentences have names, nobody needs to ask: what coincides is exchanged jointly. (Here even the larger of the two
# standard errors is too small, since sentences of a document are alike, too. That is what documents are for.)

# %% tags=["remove-input"]
known = numbered.notes[0].values
by_documents = mt.confidence_interval(together.overall, *PAIR, rng=2014).standard_error
assert numbered.notes[0].code == "shared-unknown" and known["joint"] > 1.5 * known["apart"]
assert known["joint"] < by_documents
sentences = {
    shared: mt.test_sets(nameless, shared=shared).overall.n_segments for shared in (True, False)
}
assert sentences == {True: 332, False: 8300}

# %% [markdown]
# ## What this does not tell you
#
# - **What people think** of the translations into these 25 languages. MetricX saw a reference in 9 of them, so its
#   scores are of two kinds.
# - **What other texts would say.** With two chapters of such weight even the joint test may reject too often where
#   systems are equally good only on average. The package says in another note that nobody can estimate from these data
#   how often it does.
# - **Other languages.** These 25 were not drawn from any population.
#
# ## Check yourself
#
# > **"Translate the test set into a hundred languages, and every neighbour will be told apart." What do you say?**
# >
# > <details><summary>Yes, languages are many data</summary>What the texts favour by luck stays in all of
# > them.</details>
# > <details class="right"><summary>The hundred share the source texts</summary>This is correct.</details>
# > <details><summary>Yes, with a correction</summary>A correction is for many questions. New documents are needed
# > here.</details>
#
# <details><summary>Answer</summary>
#
# The hundred share the source texts. What the texts favour by luck stays, however many languages are added. New documents
# would help, and shorter chapters.
#
# </details>
#
# > **A board says: "better in 19 of 25 languages; by a sign test p = .015." What is wrong?**
# >
# > <details class="right"><summary>It takes languages for independent</summary>This is correct.</details>
# > <details><summary>19 of 25 is not a majority</summary>It is. But one text that suits a system carries many languages
# > at once.</details>
# > <details><summary>The sign test is never right</summary>It is right for independent decisions. These share their
# > texts.</details>
#
# <details><summary>Answer</summary>
#
# It tosses a coin for each language, as if each had test sets of its own. A single text that suits a system can carry many
# languages at once. Nor does it ask by how much: Gemini leads on average, and in 10 languages of 25.
#
# </details>
#
# > **One leaderboard has 8,300 segments of 300 documents in one language. Another has 332 segments of 87 documents,
# > each in 25 languages. Both have 8,300 scores for a system. Which has the narrower interval?**
# >
# > <details><summary>The second: 25 languages</summary>What the 87 documents favour by luck stays in all 25
# > languages.</details>
# > <details class="right"><summary>The first, most likely</summary>This is correct.</details>
# > <details><summary>Both the same</summary>The number of scores is the same. The number of texts is not.</details>
#
# <details><summary>Answer</summary>
#
# Most probably the first. Its documents were chosen independently of each other. In the second each document comes 25 times, and
# what suits a system in one language mostly suits it in the next.
#
# </details>
#
# ## Exercises
#
# **1.** Leave the two chapters out. What becomes of the pair, and of the effective number?
#
# <details><summary>Answer</summary>
#
# With `s.subset(~np.isin(s.documents, ["rink_rats_chapter1", "rink_rats_chapter2"]))` in each language, 85 documents
# are worth 31 at least. Gemini's lead falls to .08, p is .30. Much of the lead comes from one book.
# At .05 the joint test finds no difference with it or without it.
#
# </details>
#
# **2.** How many neighbours does CometKiwi tell apart, jointly and as if languages were independent?
#
# <details><summary>Answer</summary>
#
# With `by_language("CometKiwi")` 9 of 28 instead of 13.
#
# </details>

# %% tags=["remove-input"]
short = {
    p: s.subset(~np.isin(s.documents, ["rink_rats_chapter1", "rink_rats_chapter2"]))
    for p, s in by_language("MetricX").items()
}
short = mt.test_sets(short, missing="common")
without = mt.approximate_randomization(short.overall, *PAIR, rng=2014)
assert (short.overall.n_segments, round(short.n_effective)) == (85, 31)
assert round(without.statistic, 2) == 0.08 and round(without.pvalue, 2) == 0.30
assert joint_test.pvalue > 0.05 and without.statistic < joint_test.statistic / 2
kiwi = by_language("CometKiwi")
kiwi = [mt.test_sets(kiwi, missing="common", shared=shared) for shared in (True, False)]
assert [(neighbours(sets) <= 0.05).sum() for sets in kiwi] == [9, 13]
assert any("The type-I error of this test cannot be estimated" in note for note in tests[1].notes)
from scipy.stats import binomtest

assert round(binomtest(19, 25).pvalue, 3) == 0.015
with_reference = [
    p for p in LANGUAGES if "nrefs" in mt.load(f"wmt25/{p}").statistics("MetricX").signature
]
assert len(with_reference) == 9

# %% [markdown]
# ---
#
# *Before this:* [unit 30, No difference is not equality](30_no_difference_is_not_equality.ipynb). *After this:* [unit
# 32, Judges that are models](32_judges_that_are_models.ipynb). *To practise:* [lab
# 14](../labs/student/lab_14_many_languages.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
