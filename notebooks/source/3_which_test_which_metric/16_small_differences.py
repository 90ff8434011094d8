# %% [markdown]
# # 16 · Small differences
#
# In 2012 systems from Aachen and from Edinburgh translated the same news from German into English. BLEU, NIST and TER
# say that Aachen's did better, each with a p-value below .02. chrF, METEOR and an F-score of grammatical relations
# say that Edinburgh's did, and their p-values are below .02, too. A seventh metric finds no difference, and the
# readers of WMT12 found none either. Are three of the metrics broken? And when two systems are as close as these,
# which metric should one ask?
#
# <details><summary>After this unit you can …</summary>
#
# - compute an advantage for metrics that go up and for those that go down (question 1);
# - say why the smaller of two p-values does not make its metric right (question 2);
# - name the fault of choosing the metric after looking (question 3, exercise 1).
#
# Before this: unit 5. About 18 minutes to read, 23 to teach with a discussion. New terms: advantage, sensitivity.
#
# </details>

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.float_format = "{:.4g}".format


def draw_verdicts(tests, level):
    """A tile for each pair and metric: its p-value, coloured by which system is better."""
    figure, ax = plt.subplots(figsize=(7.2, 4.1), layout="constrained")
    for (row, pair), (column, metric) in itertools.product(
        enumerate(tests.index), enumerate(tests.columns)
    ):
        test = tests.loc[pair, metric]
        noticed = test.pvalue <= level
        colour = (style.CALM if test.statistic > 0 else style.EMPHASIS) if noticed else "white"
        tile = plt.Rectangle(
            (column - 0.47, row - 0.44), 0.94, 0.88, facecolor=colour, edgecolor=style.MUTED
        )
        ax.add_patch(tile)
        said = "<.001" if test.pvalue < 0.001 else f"{test.pvalue:.3f}".lstrip("0")
        sign = "+" if test.statistic > 0 else "−"
        ax.text(
            column,
            row,
            f"{sign} {said}",
            ha="center",
            va="center",
            fontsize=9.5,
            color="white" if noticed else style.INK,
        )
    style.name_rows(ax, list(tests.index))
    ax.set_xlim(-0.5, len(tests.columns) - 0.5)
    ax.set_xticks(range(len(tests.columns)), ["F" if m == "DependencyF" else m for m in tests])
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor=style.MUTED)
        for colour in (style.CALM, style.EMPHASIS, "white")
    ]
    said = ["the first is better", "the second is better", f"not noticed at {level}"]
    figure.legend(handles, said, loc="outside lower center", ncols=3, frameon=False)
    style.describe(
        figure,
        "Eight pairs of systems in rows, seven metrics in columns. Each tile gives a p-value and is coloured where the metric notices "
        "a difference. BLEU has four coloured tiles, NIST five, F four, TER four, METEOR five, GTM six, chrF six; in three rows both colours occur.",
    )
    return figure


# %% [markdown]
# ## Six metrics, two opinions
#
# Here are the two systems' scores. RWTH is the university of Aachen, uedin that of Edinburgh, and `DependencyF` the
# F-score of grammatical relations, of which more below.

# %%
import mtsig_nb as mt

german, six = mt.load("wmt12/de-en"), ["BLEU", "NIST", "TER", "chrF", "METEOR", "DependencyF"]
pair = ["RWTH_primary", "uedin-wmt12"]
pd.DataFrame({metric: german.statistics(metric).scores()[pair] for metric in six}).T

# %% [markdown]
# The six numbers have six scales, and one scale runs downwards. TER counts how many words an editor would have to
# change, as a share of the reference's words, so less is better. Anyone who subtracts one column from the other without
# thinking gets TER the wrong way round. So we use a special word for the difference after its sign has been put right.
# An **advantage** is how much better one system scores than another, with the sign reversed where lower scores are better, so
# that positive always means better. In a test of the package it is called `statistic`:

# %%
results = {m: mt.approximate_randomization(german.statistics(m), *pair, rng=2014) for m in six}
pd.DataFrame({m: {"advantage": r.statistic, "p": r.pvalue} for m, r in results.items()}).T

# %% tags=["remove-input", "remove-output"]
for_aachen = [m for m, r in results.items() if r.statistic > 0]
assert for_aachen == ["BLEU", "NIST", "TER"] and max(r.pvalue for r in results.values()) < 0.02
gtm = mt.approximate_randomization(german.statistics("GTM"), *pair, rng=2014)
assert 0.14 < gtm.pvalue < 0.18
assert german.human.conclusions(alpha=0.05).word(*pair) == "indistinguishable"
headline("WMT12 de-en, RWTH against uedin: metrics of six for RWTH", len(for_aachen))
headline("the same, metrics of six for uedin", len(six) - len(for_aachen))

# %% [markdown]
# Of the four steps only the first changes in this unit, *choose a statistic*: it is the advantage in another metric
# each time. The other three stay, down to the coins, since all six tests toss the same ones. The null hypothesis is
# still that of unit 5, the two outputs of each sentence might as well have changed owners, and you will notice that it
# does not mention a metric. All six tests reject it. They agree that the null hypothesis is rejected. They contradict
# each other only about which system is better. The outputs are not exchangeable, and where they differ BLEU likes what
# Aachen did and METEOR likes what Edinburgh did. Unit 18 finds out what most of the six were looking at.
#
# ## What each of them counts
#
# BLEU you know. **NIST** is a near relative. It counts the same runs of words, up to five of them, but weighs each
# match by how informative it is: *Reykjavik* counts for much, *of the* for little. And it adds up what BLEU multiplies.
# **TER** counts an editor's changes. **GTM** counts words that are in the reference, in whatever order, and its score
# is also lower if some words of the reference are missing. **METEOR** also accepts other forms of a word, synonyms and
# paraphrases; **chrF** compares runs of letters.
#
# The F-score, `DependencyF`, is of another kind. Somebody, or a parser, first says who did what to whom, and the
# metric then compares such relations instead of words. One sentence shows what that is good for:

# %%
reference = "the captain warned the passengers"
outputs = ["the captain has warned the passengers", "the passengers warned the captain"]
for metric in (mt.metrics.GTM(), mt.metrics.BLEU()):
    counts = [metric.statistics([output], [[reference]])[0] for output in outputs]
    print(metric.name, metric.score(counts).round(2))

# %% [markdown]
# GTM gives full marks to the output in which the passengers warn the captain: all its words are right. To BLEU the
# two are nearly alike, 38 and 35. Now the relations, of which the reference has five.

# %%
wanted = {"verb: warned", "who: captain", "whom: passengers", "captain: the", "passengers: the"}
first = wanted | {"auxiliary verb: has"}
second = {"verb: warned", "who: passengers", "whom: captain", "captain: the", "passengers: the"}
for found in (first, second):
    print(round(2 * len(found & wanted) / (len(found) + len(wanted)), 2))

# %% tags=["remove-input"]
counts_of_bleu = [mt.metrics.BLEU().statistics([o], [[reference]])[0] for o in outputs]
words = mt.metrics.GTM()
gtm_scores = [words.score(words.statistics([o], [[reference]])[0]) for o in outputs]
assert np.round(gtm_scores, 2).tolist() == [0.91, 1.0]
assert [round(float(mt.metrics.BLEU().score(c))) for c in counts_of_bleu] == [38, 35]
assert len(first & wanted) == 5 and len(second & wanted) == 3

# %% [markdown]
# The first output has all five and one more, the second has three of five. An F-score is twice the number of shared
# relations, divided by the number of relations in both together. It is the harmonic mean of two shares: the share of
# the output's relations that are right (precision), and the share of the reference's relations that were found
# (recall). It is .91 and .60, and a reader, too, would prefer the first output. So a metric of relations notices
# something that metrics of words do not.
#
# But does that make it a metric that notices *more*?
#
# ## A table of 2005
#
# Riezler and Maxwell (2005) asked this, with two versions of one system. Their Table 1 has three metrics:

# %%
table = printed_table("riezler_maxwell2005", 1).set_index("metric")
table[["baseline", "reranking", "p_approxrand_relation", "p_approxrand"]]

# %% tags=["remove-input"]
printed = table[["baseline", "reranking", "p_approxrand"]].astype(float)
assert printed.loc["NIST", "reranking"] > printed.loc["NIST", "baseline"]
assert (printed.loc[["BLEU", "F"], "reranking"] < printed.loc[["BLEU", "F"], "baseline"]).all()
assert (printed.loc[["BLEU", "F"], "p_approxrand"] > 0.05).all()
assert round(printed.loc["NIST", "reranking"] - printed.loc["NIST", "baseline"], 2) == 0.15

# %% [markdown]
# The new version, `reranking`, gained .15 in NIST, with a p-value below .0001. In BLEU and in the F-score of relations
# it lost a little, and the test found no difference. They concluded that NIST is the more sensitive metric. In the next
# table of their paper, which you know from unit 14, they use NIST only.
#
# It is one pair of systems. Their outputs are not public, but we can look for others that differ as little.
#
# ## Eight small differences of ours
#
# Put the twelve systems of WMT12 from Spanish in the order of their BLEU, and take the neighbours that are less than
# a point apart:

# %%
spanish = mt.load("wmt12/es-en")
bleu = spanish.statistics("BLEU").scores()
close = [(a, b) for a, b in itertools.pairwise(bleu.index) if bleu[a] - bleu[b] < 1]
len(close)

# %% [markdown]
# > **Make a guess.** Of these eight differences, how many does BLEU notice at a level of .05, on three thousand
# > sentences? And NIST: two or three pairs more than BLEU, about as many, or fewer?
# >
# > <details><summary>two, and NIST two or three more</summary>NIST is ahead, but by less than the single pair of 2005
# > suggested.</details>
# > <details class="right"><summary>four, and NIST about as many</summary>So it is: four and five.</details>
# > <details><summary>six, and NIST fewer</summary>BLEU notices fewer, and NIST is not behind it.</details>
#
# The relations of WMT12's outputs were found by a parser, the same for all systems, and the package has their counts.

# %%
seven = ["BLEU", "NIST", "DependencyF", "TER", "METEOR", "GTM", "chrF"]


def tests_of(metric):
    counts = spanish.statistics(metric)
    return [mt.approximate_randomization(counts, *two, rng=2014) for two in close]


tests = pd.DataFrame({m: tests_of(m) for m in seven}, index=[" − ".join(two) for two in close])
(tests.map(lambda test: test.pvalue) <= 0.05).sum()

# %% tags=["remove-input"]
draw_verdicts(tests, 0.05)
plt.show()

# %% tags=["remove-input", "remove-output"]
p = tests.map(lambda test: test.pvalue)
ahead = tests.map(lambda test: test.statistic)
noticed = (p <= 0.05).sum()
headline("close pairs of eight that BLEU notices", int(noticed["BLEU"]))
headline("close pairs of eight that NIST notices", int(noticed["NIST"]))
headline("close pairs of eight that the F-score of relations notices", int(noticed["DependencyF"]))
assert noticed.tolist() == [4, 5, 4, 4, 5, 6, 6] and len(close) == 8
both = ((p <= 0.05) & (ahead > 0)).any(axis=1) & ((p <= 0.05) & (ahead < 0)).any(axis=1)
headline("close pairs of eight about which metrics contradict each other", int(both.sum()))
assert both.sum() == 3
alone = tests.loc["onlineD − onlineC"]
assert alone["BLEU"].pvalue > 0.8 and 0.03 < alone["NIST"].pvalue < 0.04
assert (
    0.15 < alone["DependencyF"].pvalue < 0.21
    and alone["NIST"].statistic < 0 < alone["BLEU"].statistic
)
assert p.loc["UPC − onlineA", "BLEU"] < 0.005
assert p.loc["UPC − onlineA", "NIST"] > 0.7
last = ahead.loc["uk-dan-moses − onlineE"]
assert round(100 * last["GTM"], 1) == -3.4 and round(last["BLEU"], 2) == 0.33

# %% [markdown]
# Each row is a pair, the better one by BLEU named first, and each column a metric. The tile shows on whose side the
# metric is, plus for the first, and the p-value; it is coloured where that is .05 or less, blue for the first system
# and orange for the second. Look at the fifth row first, onlineD and onlineC. NIST notices a difference, BLEU and F do
# not: the table of 2005 over again, with other systems. Then look at the third row, UPC and onlineA. BLEU notices and
# NIST does not. Now count the coloured tiles of the first three columns. If NIST saw small differences that the other
# two miss, its column would be filled where theirs are white.
#
# **The guess.** BLEU notices four of the eight, NIST five, and F four. So NIST is ahead by one pair in eight. If you
# had run just the fifth row, you would have written the sentence of 2005; with just the third, the opposite. One pair
# of systems cannot tell which metric notices more. Eight can hardly do it.
#
# What we counted has a name. **Sensitivity** is how many of the differences between systems a metric notices, given a
# test and a level. By that count, the most sensitive in our picture are two that the paper did not try: GTM, the
# simplest of all, and chrF, which was not yet invented.
#
# ## Two catches
#
# The first catch is in how the pairs were found. They are close *in BLEU*. To choose pairs by BLEU and then to count
# what BLEU notices is like asking only people who are hard of hearing whether the music is too loud. If we had chosen
# pairs that are close in NIST, it would have been harder for NIST to notice a difference. (Exercise 1 does it. BLEU
# draws level.)
#
# The second catch is in the colours. In three of the eight rows there are both, so whatever the truth is, some metric
# calls a system better that is not. And look at the last row but one, uk-dan-moses and onlineE. BLEU puts a third of a
# point between them. GTM puts 3.4 points of a hundred between them, in favour of the other system. This is no longer a
# small difference. The two systems translate in different ways, and only their BLEU happens to be nearly the same.
#
# When a metric notices a difference, there is evidence that the outputs are not exchangeable. That is not yet evidence
# of which system is better. A smoke detector that also reacts to toast is more sensitive than one that does not, and
# you may still not want it in your kitchen.
#
# ## What this does not tell you
#
# - **Whether a sensitive metric sees more, or merely claims more.** A test that finds a difference everywhere would
#   have eight coloured tiles. [Unit 17](17_sharper_eye_or_looser_tongue.ipynb) tells the two apart.
# - **Which metric is right where they contradict each other.** For that one has to ask people, in part 5.
# - **How good relations are as a metric.** A parser that learnt from clean English made them, and it stumbles over
#   what machines write. Another parser gives other p-values.
#
# ## Check yourself
#
# > **Under TER the first system has 65.8 and the second 67.0, and p is .0001. Which is better, and what is the first
# > one's advantage?**
# >
# > <details><summary>The second, by +1.2</summary>TER counts changes that would have to be made. Fewer are
# > better.</details>
# > <details class="right"><summary>The first, by +1.2</summary>This is correct.</details>
# > <details><summary>The first, by −1.2</summary>Its TER is lower by 1.2. An advantage is counted so that better is
# > positive.</details>
#
# <details><summary>Answer</summary>
#
# The first, with an advantage of +1.2. TER counts changes that would have to be made, and the first needs fewer.
#
# </details>
#
# > **BLEU says that A is better, p = .016; METEOR says that B is better, p = .0001. So METEOR is right, because its p
# > is smaller?**
# >
# > <details class="right"><summary>No</summary>This is correct.</details>
# > <details><summary>Yes</summary>Each p is about its own metric. A smaller one says that a difference is firmer, not
# > that it matters more.</details>
# > <details><summary>Yes, METEOR sees more</summary>It may. Whether what it sees matters to readers is in neither
# > number.</details>
#
# <details><summary>Answer</summary>
#
# No. Each p-value says how rarely chance would give such a difference *in that metric*. Both say that the outputs are
# not exchangeable, and METEOR says it more firmly. Whether what METEOR counts matters more to readers than what BLEU
# counts is in neither number.
#
# </details>
#
# > **A lab tries seven metrics on its new system and reports the one that notices an improvement, "the most sensitive".
# > What is wrong?**
# >
# > <details><summary>Nothing: more sensitive is better</summary>Sensitivity is about many differences. If a lab tries
# > seven metrics, it is more likely that one of them shows an improvement by chance.</details>
# > <details><summary>Seven are too few</summary>More metrics would give luck more chances still.</details>
# > <details class="right"><summary>It was chosen after looking</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# Sensitivity is about many differences, not about this one. With seven attempts, luck has more chances as well; unit
# 17 counts how many. A metric should be chosen before one looks, for reasons that do not depend on who wins.
#
# </details>
#
# ## Exercises
#
# **1.** Choose the eight pairs of neighbours that are closest in *NIST* and count again. Which of BLEU and NIST
# notices more?
#
# <details><summary>Answer</summary>
#
# Sort `spanish.statistics("NIST").scores()` and take the eight smallest distances between neighbours. BLEU and NIST
# notice five each, and F three. BLEU has drawn level with its rival, by nothing else than the choice of pairs.
#
# </details>
#
# **2.** `spanish.human.conclusions(alpha=0.05).word(a, b)` says what people found about a pair. Go through the eight.
# Where people found something, which metrics are with them?
#
# <details><summary>Answer</summary>
#
# They found a difference in two of the eight, both with uk-dan-moses, which they think worse than onlineC and worse
# than onlineE. In the first all seven metrics are on their side, and all but TER notice. In the second NIST, F,
# METEOR, GTM and chrF are on their side, and F, METEOR, GTM and chrF notice. BLEU has it the other way round.
#
# </details>

# %% tags=["remove-input"]
nist = spanish.statistics("NIST").scores()
gaps = sorted((nist[a] - nist[b], a, b) for a, b in itertools.pairwise(nist.index))[:8]
again = {
    m: sum(
        mt.approximate_randomization(spanish.statistics(m), a, b, rng=2014).pvalue <= 0.05
        for _, a, b in gaps
    )
    for m in ("BLEU", "NIST", "DependencyF")
}
assert again == {"BLEU": 5, "NIST": 5, "DependencyF": 3}
people = spanish.human.conclusions(alpha=0.05)
found = {two: people.word(*two) for two in close if people.word(*two) != "indistinguishable"}
assert found == {("onlineC", "uk-dan-moses"): "better", ("uk-dan-moses", "onlineE"): "worse"}
one, two = (tests.loc[" − ".join(two)] for two in found)
assert all(t.statistic > 0 for t in one) and [m for m in seven if one[m].pvalue > 0.05] == ["TER"]
with_people = [m for m in seven if two[m].statistic < 0]
print_check = [m for m in with_people if two[m].pvalue <= 0.05]
assert print_check == ["DependencyF", "METEOR", "GTM", "chrF"], with_people
assert with_people == ["NIST", "DependencyF", "METEOR", "GTM", "chrF"], with_people
assert round(results["TER"].score_a, 1) == 65.8 and round(results["TER"].score_b, 1) == 67.0

# %% [markdown]
# ---
#
# *Before this:* [unit 15, What a test promises](15_what_a_test_promises.ipynb). *After this:* [unit 17, Sharper eye or
# looser tongue?](17_sharper_eye_or_looser_tongue.ipynb). *To practise:* [lab
# 7](../labs/student/lab_07_what_metrics_notice.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
