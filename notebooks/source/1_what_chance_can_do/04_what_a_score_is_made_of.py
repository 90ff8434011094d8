# %% [markdown]
# # 4 · What a score is made of
#
# In unit 1 Facebook's system had a BLEU of 34.0. Thirty-four *what*? It is not the percentage of words that were right:
# two thirds of its words are in the reference. Nor is it the percentage of sentences, nor an average over sentences of
# anything. Before we go on testing whether one such number is larger than another, we should know what it is made of.
# BLEU needs only a few counts for each sentence. So the translations of two systems can be exchanged ten thousand times
# in a moment, and no text is needed.
#
# <details><summary>After this unit you can …</summary>
#
# - count the matches of an output with its reference (question 1);
# - say why the BLEU of a test set is not the mean of sentence scores (question 2);
# - compute BLEU from sums of counts, and say what these sums cannot show (question 3, exercises 1 and 2).
#
# Before this: unit 1. About 23 minutes to read, 28 to teach with a discussion. New terms: brevity penalty, sufficient
# statistics.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.precision = 2
EDINBURGH_2013 = {
    "es": "uedin-wmt13.2877",
    "fr": "uedin-wmt13.2838",
    "de": "uedin-wmt13.2636",
    "cs": "uedin-wmt13.2834",
}
SPOKEN = {"es": "Spanish", "fr": "French", "de": "German", "cs": "Czech"}


def sums_of_edinburgh(source):
    """Sums of the counts of Edinburgh's systems of 2012 and 2013 from one language."""
    first = mt.load(f"wmt12/{source}-en").statistics("BLEU")
    second = mt.load(f"wmt13/{source}-en").statistics("BLEU")
    totals = first.values[first.index("uedin-wmt12")].sum(axis=0) + second.values[
        second.index(EDINBURGH_2013[source])
    ].sum(axis=0)
    return dict(zip(first.metric.columns, totals, strict=True))


def draw_fan(ours, koehn):
    """Precision of each order as a share of the first system's; Koehn prints orders 1 and 4."""
    figure, ax = style.figure_and_axes(None, figsize=(6.4, 4.4))
    for name, row in (koehn / koehn.iloc[0]).iterrows():
        ax.plot([1, 4], row, color=style.GREY, marker="s", linestyle=":", linewidth=1.2)
        if name in ("Portuguese", "Greek", "German", "Finnish"):
            place = {"Portuguese": -0.006, "German": 0.014}.get(name, 0)
            ax.annotate(
                name, (4.07, row.iloc[1] + place), color=style.GREY, va="center", fontsize=10
            )
    for name, row in (ours / ours.iloc[0]).iterrows():
        ax.plot([1, 2, 3, 4], row, color=style.look_of("BLEU")[0], marker="o", linewidth=2)
        place = {"Spanish": 0, "French": 0.014, "German": 0.004, "Czech": -0.012}[name]
        ax.annotate(
            name,
            (4.07, row.iloc[3] + place),
            color=style.look_of("BLEU")[0],
            va="center",
            fontsize=10,
        )
    ax.plot([], [], color=style.look_of("BLEU")[0], marker="o", label="Edinburgh, 2012 and 2013")
    ax.plot([], [], color=style.GREY, marker="s", linestyle=":", label="printed in 2004")
    ax.set(
        xlabel="words in a run",
        ylabel="precision, relative to Spanish",
        xticks=[1, 2, 3, 4],
        xlim=(0.85, 4.75),
        ylim=(0.45, 1.05),
    )
    ax.legend(frameon=False, loc="lower left")
    style.describe(
        figure,
        "Precision of runs of one to four words, relative to the system from Spanish. Four blue lines for Edinburgh's systems "
        "of 2012 and 2013 and six dotted grey ones for the table of 2004 start close together near 1 and spread to the right, down to about 0.6 and 0.5.",
    )
    return figure


# %% [markdown]
# Of the four steps this unit is about the first, *choose a statistic*. In unit 1 the statistic was a difference of
# two BLEU scores. The other three steps can wait.
#
# ## One sentence
#
# Here is a reference, and what a system made of the source. (The sentence is our own, translated by nobody in
# particular.)

# %%
import mtsig_nb as mt

reference = "the old ferry leaves at noon and returns before dark"
output = "the old ferry leaves at noon and comes back before dark"

# %% [markdown]
# BLEU counts how much of the output is in the reference. Of the output's eleven words nine are; *comes* and *back*
# are not. Of its ten *pairs* of neighbouring words seven are: all up to *noon and*, and then *before dark*. Of the
# nine runs of three words five are, and of the eight runs of four words four. Such a run of n words is called an
# *n-gram*. The package, which wants a list of outputs and a list of lists of references, counts the same:

# %%
bleu = mt.metrics.BLEU()
counts = bleu.statistics([output], [[reference]])[0]
pd.DataFrame([counts.astype(int)], columns=bleu.columns)

# %% [markdown]
# First come the lengths of the output (`hyp_len`; *hypothesis* is an old word for an output) and of the reference.
# Then, for runs of one to four words, how many of the output's are in the reference (`match`) and how many the output
# has (`total`). Ten numbers, and they are all that BLEU ever learns about this sentence.
#
# Each `match` divided by its `total` is a *precision*: the share of the output's runs that are in the reference. The
# precisions are .82, .70, .56 and .50. They fall, because for a run of four to be right each of its words has to be.
# BLEU puts the four into one number by multiplying them and taking the fourth root. That is an average, too, the
# geometric one. It is 63 here, in per cent.
#
# Precision has a loophole. A system that says no more than *the old ferry leaves at noon* has every one of its runs in
# the reference, and would get 100. Therefore BLEU has a **brevity penalty**, the factor by which BLEU lowers the score
# of an output that is shorter than the reference. It does not lower the score of a longer output, because a longer
# output already has a lower precision. So here is BLEU, whole:


# %%
def bleu_of(sums):
    penalty = min(1, np.exp(1 - sums[1] / sums[0]))
    precisions = sums[2:6] / sums[6:10]
    return 100 * penalty * np.prod(precisions) ** (1 / 4)


short = bleu.statistics(["the old ferry leaves at noon"], [[reference]])[0]
bleu_of(counts), bleu_of(short)

# %% tags=["remove-input"]
assert [round(x, 2) for x in counts[2:6] / counts[6:10]] == [0.82, 0.70, 0.56, 0.50]
assert round(bleu_of(counts)) == 63 and round(bleu_of(short)) == 51
wmt21 = mt.load("wmt21/de-en").statistics("BLEU")
facebook = wmt21.values[wmt21.index("Facebook-AI")].sum(axis=0)
assert round(bleu_of(facebook), 1) == 34.0 and round(facebook[2] / facebook[6], 2) == 0.66
assert (short[2:6] == short[6:10]).all() and list(short[:2]) == [6, 10]

# %% [markdown]
# `np.exp(1 - 10 / 6)` is .51, so the short output falls from 100 to 51. The penalty is 1 where the output is as long
# as the reference or longer, and drops quickly below that.
# [Unit 18](../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb) tries to get round it.
#
# ## Two sentences
#
# Our ferry sentence has a BLEU of 63. Let us add a second one:

# %%
second_reference = "nobody had told her that the last train was cancelled"
second_output = "no one told her about the last train being cancelled today"
second = bleu.statistics([second_output], [[second_reference]])[0]
second[2:6], bleu_of(second)

# %% [markdown]
# It is not so bad a translation, but no run of *four* words survived. A product with a zero in it is zero, and so is
# this sentence's BLEU.
#
# > **Make a guess.** A test set consists of these two sentences, the one with 63 and the one with 0. What is the
# > system's BLEU on this test set: 0, 32, or 41?
# >
# > <details><summary>0</summary>One sentence without a run of four words would make BLEU zero if it stood alone.
# > Here it shares the other's runs.</details>
# > <details><summary>32</summary>That is the mean of the two scores. BLEU adds up counts and not scores.</details>
# > <details class="right"><summary>41</summary>So it is: all counts are added up first, and the score is formed
# > once, at the end.</details>

# %%
bleu_of(counts + second)

# %% tags=["remove-input"]
smoothed = bleu.score(second)
assert bleu_of(second) == 0 and round(bleu_of(counts + second)) == 41 and 17 < smoothed < 20
assert round(bleu_of(counts) / 2) == 32 and (counts + second)[5] == 4

# %% [markdown]
# **The guess.** It is 41. BLEU never averages the scores of sentences. It adds up the *counts* of all sentences, and
# forms the precisions and the penalty once, at the end, from the sums. The second sentence has no matching run of four
# words, but the first sentence has four, and they count for the whole test set. And the second sentence does add six
# matching words, three pairs and one run of three.
#
# These counts deserve their name. The **sufficient statistics** of a metric are the few counts of each segment whose
# sums determine the score; *counts* for short. *Sufficient*, because whoever has them needs nothing else: not the
# output, not the reference, not the language.
#
# Is a sum of counts much different from an average of scores? Tools do print a BLEU for single sentences. So that it is
# not zero all the time, they add a small number where a count of matches is zero. This is called *smoothing*. The
# package then gives our second sentence 18; another small number would give another score. For a whole campaign we can
# compute both:

# %%
german = mt.load("wmt12/de-en").statistics("BLEU")
of_sums = german.scores()
means = german.metric.score(german.values).mean(axis=1)
of_sentences = dict(zip(german.systems, means, strict=True))
pd.DataFrame({"BLEU": of_sums, "mean of sentence scores": of_sentences}).nlargest(3, "BLEU")

# %% tags=["remove-input", "remove-output"]
no_smoothing = mt.metrics.BLEU(smooth_method="none")
also = dict(zip(german.systems, no_smoothing.score(german.values).mean(axis=1), strict=True))
assert of_sums.index[0] == "quaero_primary" and max(of_sentences, key=of_sentences.get) == "onlineB"
assert max(also, key=also.get) == "onlineB"
headline(
    "WMT12 de-en, QUAERO minus onlineB: BLEU",
    of_sums["quaero_primary"] - of_sums["onlineB"],
    spec="+.2f",
)
headline(
    "the same, mean of sentence scores",
    of_sentences["quaero_primary"] - of_sentences["onlineB"],
    spec="+.2f",
)

# %% [markdown]
# At WMT12, QUAERO's system from German had the best BLEU. By the mean of the sentence scores onlineB won. Neither is
# a mistake, but they are answers to two questions: in a mean every sentence weighs the same, in a sum of counts a
# long sentence weighs more. A test must ask about the number that stands in the table. Anyone who feeds sentence
# scores to a program that tests means is testing another metric, in which, here, the other system wins.
#
# ## Three thousand sentences
#
# The kit keeps ten counts for each sentence and each system, and no text. Here is WMT12 from Spanish:

# %%
wmt12 = mt.load("wmt12/es-en").statistics("BLEU")
edinburgh = wmt12.values[wmt12.index("uedin-wmt12")]
edinburgh.shape, bleu_of(edinburgh.sum(axis=0))

# %% tags=["remove-input", "remove-output"]
assert np.isclose(bleu_of(edinburgh.sum(axis=0)), wmt12.scores()["uedin-wmt12"], rtol=1e-12)
headline(
    "WMT12 es-en, onlineB: BLEU from its ten sums",
    bleu_of(wmt12.values[wmt12.index("onlineB")].sum(axis=0)),
    spec=".2f",
)

# %% [markdown]
# A table of 3,003 rows and ten columns, its sums, and the score. Now let one sentence, number 20, say, be translated
# by QCRI's system instead. Nobody has to read anything again. We subtract one row from the sums and add another:

# %%
qcri = wmt12.values[wmt12.index("QCRI--primary")]
bleu_of(edinburgh.sum(axis=0) - edinburgh[20] + qcri[20])

# %% tags=["remove-input"]
moved = bleu_of(edinburgh.sum(axis=0) - edinburgh[20] + qcri[20]) - bleu_of(edinburgh.sum(axis=0))
assert 0.004 < moved < 0.006
spanish = mt.load("wmt12/es-en")
numbers = {name: len(spanish.statistics(name).metric.columns) for name in spanish.metrics}
assert min(numbers.values()) == numbers["TER"] == 2
assert max(numbers.values()) == numbers["chrF++"] == 24

# %% [markdown]
# The score moved by half a hundredth of a point. This is what `A + heads * (B - A)` did in unit 1, a thousand
# sentences at a time. All other metrics of the kit work in the same way, from two counts a sentence (TER) to
# twenty-four (chrF++). A metric that really is a mean of sentence scores, as COMET is, has two: the score, and a one
# to count the sentences.
#
# ## Which words decide
#
# > **Make a guess.** A system has 63 of 100 words in the reference. How many of 100 runs of *four* words does it have
# > there: about 55, about 35, or about 18?
# >
# > <details><summary>about 55</summary>Each missing word spoils every run that it is in, up to four of
# > them.</details>
# > <details><summary>about 35</summary>This is nearer to what runs of two words come to.</details>
# > <details class="right"><summary>about 18</summary>So it is. It is a little more than .63 · .63 · .63 ·
# > .63.</details>
#
# In 2004 Philipp Koehn printed a small table of six systems that translate into English, with their precisions for
# single words (*unigrams*) and for runs of four. Eight years later his group, by then in Edinburgh, took part in WMT
# from four languages. We add up their counts of two years, 6,003 sentences each:

# %%
sums = pd.DataFrame({SPOKEN[code]: sums_of_edinburgh(code) for code in ("es", "fr", "de", "cs")}).T
ours = pd.DataFrame({n: 100 * sums[f"match_{n}"] / sums[f"total_{n}"] for n in (1, 2, 3, 4)})
ours.assign(BLEU=[bleu_of(row) for row in sums.to_numpy()])

# %%
koehn = printed_table("koehn2004", 1).set_index("system").astype(float)
koehn

# %% tags=["remove-input"]
draw_fan(ours, koehn[["unigram_precision_pct", "fourgram_precision_pct"]])
plt.show()

# %% tags=["remove-input", "remove-output"]
words, runs = koehn["unigram_precision_pct"], koehn["fourgram_precision_pct"]
headline(
    "Edinburgh 2012 and 2013, Czech over Spanish: single words",
    ours[1].min() / ours[1].max(),
    spec=".2f",
)
headline(
    "Edinburgh 2012 and 2013, Czech over Spanish: runs of four words",
    ours[4].min() / ours[4].max(),
    spec=".2f",
)
headline(
    "printed in 2004, Finnish over Spanish: single words", words.min() / words.max(), spec=".2f"
)
headline(
    "printed in 2004, Finnish over Spanish: runs of four words", runs.min() / runs.max(), spec=".2f"
)
shares = [column.min() / column.max() for column in (ours[1], ours[4], words, runs)]
assert [round(share, 2) for share in shares] == [0.92, 0.62, 0.90, 0.53]
assert round(ours.loc["Spanish", 1]) == 63 and round(ours.loc["Spanish", 4]) == 18
assert abs(np.sort(ours[1]) - np.sort(words)[[0, 1, -2, -1]]).max() < 2
assert [round(words[name]) for name in ("Spanish", "German")] == [63, 58]
assert round(ours.loc["German", 1]) == 59
assert 0.70 < shares[0] ** 4 < 0.715 and ours[4].idxmin() == "Czech"
assert ours.loc["Spanish", 4] - runs["Spanish"] > 2.5 and 0.15 < 0.633**4 < 0.17

# %% [markdown]
# The horizontal axis is the length of the runs, from single words at the left to runs of four at the right. The height
# is a system's precision as a share of the precision of the system from Spanish, which therefore lies at 1 throughout.
# (Koehn printed the two ends only; the dotted lines join them.) Look at the left edge first: all ten systems, from
# eight languages, lie close together, within about a tenth of the best. Then follow the lines to the right. They open
# like a fan. At runs of four words our last system (Czech) has .62 of the precision of our first (Spanish). Koehn's
# system from Finnish has .53 of the precision of his system from Spanish.
#
# **The guess.** About 18. It is near what four words in a row would come to if each were right 63 times in 100,
# independently: .63 · .63 · .63 · .63 is .16. A good part of the fan is this multiplication, too: a system with .92 of
# the words would have .92 · .92 · .92 · .92, or .72, of the runs. Our system from Czech has .62. The rest is how well
# the words are put together. In both cases, systems differ most in BLEU's runs of four words, where the counts of
# matches are smallest. A quantity that rests on few counts varies a lot by chance. That is the reason for the next
# units.
#
# The surprise is in the first column of the two tables. From Spanish 63 of a hundred words were right in Koehn's table
# and 63 in ours, from German 58 and 59. The difference between the two tables is in runs of four words. From Spanish,
# three more runs of a hundred are right in ours. But these are different texts, so do not read a trend into the
# comparison.
#
# ## What this does not tell you
#
# - **Whether a word is right.** A synonym counts as wrong, and so does a good sentence in another order, unless a
#   reference has them. BLEU can take several references; the campaigns in this unit, like most evaluations, have one.
# - **What a word is.** Is *don't* one word or two, *Dark* the same as *dark*? Scores are comparable only if the same
#   rules cut up the text. The package says which in `bleu.signature`, and a paper should print it.
# - **Whether a difference is more than luck.** A score comes without a margin.
#
# ## Check yourself
#
# > **The output is "the the the" and the reference is our ferry sentence. How many of its three words count as
# > matches?**
# >
# > <details><summary>Three</summary>Then the best system would be one that repeats a frequent word. A run counts as
# > often as the reference has it.</details>
# > <details class="right"><summary>One</summary>This is correct.</details>
# > <details><summary>None</summary>The reference has one <em>the</em>, so one of the three is a match.</details>
#
# <details><summary>Answer</summary>
#
# One. A run counts as often as the reference has it and no more, and the reference has one *the*. If it counted three
# times, the best system would be one that repeats a frequent word.
#
# </details>
#
# > **A test set has a thousand sentences. One system's BLEU is the mean of its thousand sentence BLEUs. Right or
# > wrong?**
# >
# > <details class="right"><summary>Wrong</summary>This is correct.</details>
# > <details><summary>Right</summary>BLEU adds up counts and computes one score from the sums. A mean of sentence scores
# > is another metric.</details>
# > <details><summary>Right for long sentences</summary>Their length does not matter. The sums are made before the
# > score, for all sentences.</details>
#
# <details><summary>Answer</summary>
#
# Wrong. The counts are added up and the score is computed once. Means of sentence scores are another metric, which
# may put another system first, as at WMT12 from German.
#
# </details>
#
# > **Two systems have exactly the same sums of counts, but different translations. Can BLEU tell them apart?**
# >
# > <details><summary>Yes, by the words</summary>BLEU has seen the words when it counted. What it keeps are sums, and
# > they are the same.</details>
# > <details><summary>Yes, with enough shuffles</summary>The observed difference is zero, and every shuffled difference
# > is at least as large as zero. So p is 1, however many shuffles there are.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# No. The sums determine the score, so the difference is zero, and no shuffle is nearer to zero than that: p is 1. One
# of the two may be the better translation all the same. BLEU has not seen it.
#
# </details>
#
# ## Exercises
#
# **1.** Which system of WMT12 from Spanish pays a brevity penalty, and what would its BLEU be without?
# (`wmt12.totals()` has the ten sums, a row for each of `wmt12.systems`.)
#
# <details><summary>Answer</summary>
#
# Only onlineB's output is shorter than the reference, 70,873 words against 72,812. The factor is .973, and without it
# the score would be 38.8 instead of 37.7. It wins all the same.
#
# </details>
#
# **2.** Leave runs of four out of `bleu_of`, and take the third root. Does the order of the twelve systems from
# Spanish change?
#
# <details><summary>Answer</summary>
#
# Only where it is close. `sums[2:5] / sums[6:9]` and `1 / 3` bring onlineC before onlineD, by two hundredths of a
# point; with runs of four onlineD is ahead, by four hundredths. All other places stay, but the distances shrink:
# onlineF has 58 % of onlineB's BLEU with runs of four, and 64 % without.
#
# </details>
#
# **3.** Exchange, one at a time, each sentence of Edinburgh's for QCRI's. By how much does the score move at most?
#
# <details><summary>Answer</summary>
#
# By less than two hundredths of a point, and mostly by less than one thousandth; a quarter of the exchanges leave the
# score as it is. One sentence of three thousand hardly matters, which is as it should be.
#
# </details>
#
# %% tags=["remove-input"]
short_of = {
    name: sums[0] / sums[1] for name, sums in zip(wmt12.systems, wmt12.totals(), strict=True)
}
assert [name for name, ratio in short_of.items() if ratio < 1] == ["onlineB"]
penalty = np.exp(1 - 1 / short_of["onlineB"])
assert round(penalty, 3) == 0.973 and round(wmt12.scores()["onlineB"] / penalty, 1) == 38.8
trigrams = {
    name: np.prod(sums[2:5] / sums[6:9]) ** (1 / 3) * min(1, np.exp(1 - sums[1] / sums[0]))
    for name, sums in zip(wmt12.systems, wmt12.totals(), strict=True)
}
by_trigrams, by_bleu = sorted(trigrams, key=trigrams.get)[::-1], list(wmt12.scores().index)
moved = [name for name, other in zip(by_trigrams, by_bleu, strict=True) if name != other]
assert moved == ["onlineC", "onlineD"]
assert 0.01 < 100 * (trigrams["onlineC"] - trigrams["onlineD"]) < 0.025
assert 0.035 < wmt12.scores()["onlineD"] - wmt12.scores()["onlineC"] < 0.045
assert round(wmt12.scores()["onlineF"] / wmt12.scores()["onlineB"], 2) == 0.58
assert round(trigrams["onlineF"] / trigrams["onlineB"], 2) == 0.64
assert wmt12.totals()[wmt12.index("onlineB")][:2].tolist() == [70_873, 72_812]
totals = edinburgh.sum(axis=0)
moves = abs(wmt12.metric.score(totals - edinburgh + qcri) - wmt12.metric.score(totals))
assert 0.019 < moves.max() < 0.02 and np.median(moves) < 0.001 and 0.2 < (moves == 0).mean() < 0.3

# %% [markdown]
# ---
#
# *Before this:* [unit 3, Where to draw the line](03_where_to_draw_the_line.ipynb). *After this:* [unit 5, Exchange and
# count](05_exchange_and_count.ipynb). *To practise:* [lab 2](../labs/student/lab_02_scores_from_counts.ipynb). *Words*
# are in the [glossary](../../docs/glossary.md).
