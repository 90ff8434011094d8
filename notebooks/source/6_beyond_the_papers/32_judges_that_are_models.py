# %% [markdown]
# # 32 · Judges that are models
#
# MetricX's scores do not show whether Gemini-2.5-Pro or CommandA-MT is the better translator ([unit
# 31](31_one_text_many_languages.ipynb)). MetricX is a model. At WMT25 four other models judged the same outputs, and
# some leaderboards show such a judge's opinion alone. Does it matter which of them one asks?
#
# <details><summary>After this unit you can …</summary>
#
# - say why a judge with a smaller p-value need not be the better judge (question 1);
# - find the fault in a claim that uses the metric that chose the outputs (question 2);
# - say what ties can hide, and compute a soft pairwise accuracy (question 3, exercise 1).
#
# Before this: units 23 and 31. About 16 minutes to read, 21 to teach with a discussion. New terms: LLM judge, soft
# pairwise accuracy.
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

PAIR = ("Gemini-2.5-Pro", "CommandA-MT")
JUDGES = ("MetricX", "XCOMET", "CometKiwi", "GEMBA-ESA-GPT4.1", "GEMBA-ESA-CMDA")
LANGUAGES = [
    name.removeprefix("wmt25/")
    for name in list_campaigns()["name"]
    if name.startswith("wmt25/en-") and not name.endswith(("bho_IN", "mas_KE"))
]


def by_language(judge, missing="refuse"):
    """The judge's scores in each language, without the dialogues, as in unit 31."""
    found = {}
    for pair in LANGUAGES:
        scores = mt.load(f"wmt25/{pair}").statistics(judge, missing=missing)
        found[pair] = scores.subset(~np.char.startswith(scores.documents, "en:"))
    return found


def draw_answers(answers):
    """How often each judge gives each answer, a row for each judge."""
    figure, axes = plt.subplots(
        len(answers), 1, figsize=(7.2, 1.9 * len(answers)), layout="constrained"
    )
    for ax, (judge, values) in zip(axes, answers.items(), strict=True):
        points, counts = np.unique(values, return_counts=True)
        if len(points) > 100:
            ax.hist(values, 100, color=style.CALM, weights=np.full(len(values), 1 / len(values)))
        else:
            ax.bar(points, counts / counts.sum(), 0.9, color=style.CALM)
        ax.set_title(f"{judge}: {len(points):,} different answers", loc="left", fontsize=11)
        ax.set_ylabel("share")
    axes[-1].set_xlabel("points for a segment")
    style.describe(
        figure,
        "How often each judge gives each number of points. MetricX makes a smooth hill; the LLM judge gives a few round numbers "
        "over and over; people give many numbers, mostly high ones, with a tall bar at 100.",
    )
    return figure


# %% [markdown]
# Three of the judges are neural metrics, which have learned from people's judgements: MetricX, XCOMET and CometKiwi. An
# **LLM judge** is a large language model that is asked how good a translation is. Here are two, with the same prompt,
# named GEMBA: GPT-4.1, and Command A (CMDA). More is better for all five.
#
# > **Make a guess.** Test the pair by each judge, with an exchange of whole documents in all languages at once. By how many of the
# > five is Gemini-2.5-Pro better at .05: by all five, by two, or by none?
# >
# > <details><summary>all five</summary>They would be, if all judges looked for the same things.</details>
# > <details class="right"><summary>two</summary>So it is. Two find nothing, and one finds the opposite.</details>
# > <details><summary>none</summary>MetricX finds nothing. But a judge with another opinion may be surer of it.</details>
#
# ## Five judges
#
# Of the four steps only the first changes from row to row: *choose a statistic*. (CMDA gave no answer for 15 of the
# 8,300 segments. These are left out for all five judges, so MetricX's p is .073 here and .076 in unit 31.)

# %%
import mtsig_nb as mt

opinions = {}
for judge in JUDGES:
    sets = mt.test_sets(by_language(judge, missing="leave-out"), missing="common")
    test = mt.approximate_randomization(sets.overall, *PAIR, rng=2014)
    opinions[judge] = [sets.overall.scores().index[0], test.statistic, test.pvalue]
by_judge = pd.DataFrame(opinions.values(), opinions, ["winner", "Gemini's lead", "p"])
by_judge["Gemini's lead"] = by_judge["Gemini's lead"].map("{:+.2f}".format)
by_judge

# %% tags=["remove-input", "remove-output"]
winners = {judge: row[0] for judge, row in opinions.items()}
assert set(winners.values()) == {"Shy", "Gemini-2.5-Pro"}
assert [j for j, first in winners.items() if first != "Shy"] == ["GEMBA-ESA-GPT4.1"]
verdicts = {
    judge: (row[1] > 0) - (row[1] < 0) if row[2] <= 0.05 else 0 for judge, row in opinions.items()
}
assert list(verdicts.values()) == [0, 0, -1, 1, 1]
assert (
    round(opinions["MetricX"][1], 2) == 0.18
    and max(row[2] for row in list(opinions.values())[2:]) < 0.0002
)
headline(
    "WMT25: judges of five that prefer Gemini-2.5-Pro, CommandA-MT, neither",
    " ".join(str(list(verdicts.values()).count(v)) for v in (1, -1, 0)),
)
with_reference = [
    p for p in LANGUAGES if "nrefs" in mt.load(f"wmt25/{p}").statistics("XCOMET").signature
]
assert len(with_reference) == 9
assert with_reference == [
    p for p in LANGUAGES if "nrefs" in mt.load(f"wmt25/{p}").statistics("MetricX").signature
]

# %% [markdown]
# **The guess.** By two judges Gemini is better, by one CommandA-MT, and two find nothing. With p = .0001 on either side, chance
# hardly explains it: they prefer different things. The winner among all systems changes as well, in the first column.
#
# And a judge may be flattered. Participants chose among their own translations with such metrics, or trained to please
# them. At WMT25 metrics also chose whose outputs people would read. If a team has optimised its system for a metric, a
# lead in that metric shows only that the optimisation worked.
#
# ## Round numbers
#
# What does a judge's answer look like? Here are the points that MetricX and CMDA give for Japanese, and those that people gave at
# WMT24. In *error span annotation* (ESA) a rater marks errors and then gives 0 to 100 points.

# %%
cmda = mt.load("wmt25/en-ja_JP").statistics("GEMBA-ESA-CMDA").values[..., 0]
esa = mt.load("wmt24/en-ja").human.as_statistics()
pd.Series(cmda.ravel()).value_counts(normalize=True).head(3).round(3)

# %% tags=["remove-input"]
metricx = mt.load("wmt25/en-ja_JP").statistics("MetricX").values[..., 0]
answers = {
    "MetricX": metricx.ravel(),
    "CMDA": cmda.ravel(),
    "people at WMT24": esa.values[..., 0].ravel(),
}
draw_answers(answers)
plt.show()

# %% [markdown]
# Each row is a judge. At the top, MetricX hardly ever gives the same score twice. In the middle, three numbers make up half of
# CMDA's answers, so two systems tie on 16 % of the segments. At the bottom are people. The bar at 100 stands out: at WMT24 13 to 26 %
# of all ratings were a plain 100.
#
# ## Does it matter?
#
# Where two systems tie, a test has to decide what to do. The signed-rank test of [unit
# 23](../5_people/23_do_people_agree_with_themselves.ipynb) comes in two versions: one drops ties before ranking
# (`wilcox`), Pratt's ranks them with the others and then drops their ranks (`pratt`). Here is a pair of WMT24, two
# points apart:

# %%
pair = esa, "ONLINE-B", "Gemini-1.5-Pro"
for zeros in ("wilcox", "pratt"):
    print(f"{zeros:9}  p = {mt.signed_rank_test(*pair, zero_method=zeros).pvalue:.4f}")
for units in ("segments", "documents"):
    test = mt.approximate_randomization(*pair, units=units, rng=2014)
    print(f"{units:9}  p = {test.pvalue:.4f}")

# %% [markdown]
# The level of .05 lies between the first two numbers. It also lies between the last two, for which outputs were exchanged.
# An exchange has no choice to make about ties: where two systems have the same score, exchanging changes nothing. What it does need
# is the right unit.
#
# > **Make a guess.** Three campaigns of WMT24 have 276 pairs of systems. Which choice changes more verdicts at .05: dropping or
# > ranking ties, or exchanging segments or documents?
# >
# > <details><summary>ties</summary>For the pair above both choices matter. But few pairs lie so near .05.</details>
# > <details class="right"><summary>segments or documents</summary>So it is: 8 verdicts by ties, and some sixty by the
# > unit.</details>
# > <details><summary>about the same</summary>The way of treating ties changes p a little. The unit changes it a lot.</details>

# %%
rated = [mt.load(f"wmt24/{p}").human.as_statistics() for p in ("en-cs", "en-ja", "en-zh")]
pairs = [(s, *two) for s in rated for two in itertools.combinations(s.systems, 2)]
claims = {
    zeros: np.array([mt.signed_rank_test(*p, zero_method=zeros).pvalue <= 0.05 for p in pairs])
    for zeros in ("wilcox", "pratt")
}
len(pairs), (claims["wilcox"] != claims["pratt"]).sum()

# %%
options = {"correction": None, "interval": None, "n_resamples": 2000, "rng": 1}
for units in ("segments", "documents"):
    tables = [mt.compare_all(s, units=units, **options).table for s in rated]
    print(units, sum((table["pvalue"] <= 0.05).sum() for table in tables))

# %% tags=["remove-input", "remove-output"]
shares = pd.Series(cmda.ravel()).value_counts(normalize=True)
assert set(shares.index[:3]) == {60, 75, 85} and 0.5 < shares.iloc[:3].sum() < 0.54


def tied(scores):
    return np.mean([(a == b).mean() for a, b in itertools.combinations(scores, 2)])


assert round(tied(cmda), 2) == 0.16 and tied(metricx) < 0.005
hundred = [(s.values[..., 0] == 100).mean() for s in rated]
assert np.round([min(hundred), max(hundred)], 2).tolist() == [0.13, 0.26]
apart_by_zeros = (claims["wilcox"] != claims["pratt"]).sum()
headline("WMT24 ESA: pairs of 276 where dropping or keeping ties decides at .05", apart_by_zeros)
found = [
    sum((mt.compare_all(s, units=u, **options).table["pvalue"] <= 0.05).sum() for s in rated)
    for u in ("segments", "documents")
]
headline("WMT24 ESA: pairs of 276 that differ at .05, exchanging segments", found[0])
headline("the same, exchanging documents", found[1])
assert len(pairs) == 276 and apart_by_zeros == 8
assert 178 <= found[0] <= 182 and 119 <= found[1] <= 123
ours = [
    mt.approximate_randomization(*pair, units=u, rng=2014).pvalue for u in ("segments", "documents")
]
assert 0.003 < ours[0] < 0.005 and 0.05 < ours[1] < 0.065
assert [mt.signed_rank_test(*pair, zero_method=z).pvalue <= 0.05 for z in ("wilcox", "pratt")] == [
    True,
    False,
]

# %% [markdown]
# **The guess.** The unit. The treatment of ties changes 8 verdicts of 276. With documents in the place of segments a
# third of the claims are gone, as [unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb) lets us expect. In
# these ratings by people, the treatment of ties changes fewer verdicts than the unit does.
#
# ## What would people say?
#
# A judge that is a model is useful as far as it says what people would say. The kit has no ratings by people of WMT25. It has
# those of WMT24, and beside them BLEU and chrF. Take the pairs of systems that are some two points of chrF apart. How often
# did people prefer the same system?

# %%
names = ["wmt24/en-cs", "wmt24/en-ja", "wmt24/en-zh"]
agree = mt.agreement_by_size("chrF", 2, campaigns=names).table
agree[["pairs", "agree", "low", "high"]].round(2)

# %% [markdown]
# In about two pairs of three. The interval is wide, because three campaigns are few.
#
# Such a share counts a pair that people find nearly equal as much as a pair that they find far apart. Thompson et al. (2024) ask
# instead whether a metric *doubts* what people doubt. **Soft pairwise accuracy** is one minus the mean distance, over pairs of systems,
# between the one-sided p-values of the metric and of people's judgements. Both should come from the same segments:

# %%
japanese = mt.load("wmt24/en-ja")
judged = japanese.statistics("chrF").subset(japanese.human.matrix().columns)
print(mt.soft_pairwise_accuracy(judged, japanese.human, rng=2014).sentence.splitlines()[0])

# %% tags=["remove-input", "remove-output"]
soft = mt.soft_pairwise_accuracy(judged, japanese.human, rng=2014)
assert round(soft.accuracy, 2) == 0.71 and soft.interval[0] < 0.5 and soft.n_systems == 12
assert agree["pairs"].iloc[0] == 61 and round(agree["agree"].iloc[0], 2) == 0.64

# %% [markdown]
# With the same doubts as people's, chrF would have 1. Twelve systems are few for this as well. Before you believe a new
# judge, ask for such a number, with its interval, from systems that were not trained to please it.
#
# ## What this does not tell you
#
# - **Which of the five judges is right.** That needs people's ratings of the same outputs.
# - **What XCOMET's average is of.** It saw a reference in 9 of the 25 languages, as did MetricX. Their scores are of
#   two kinds.
# - **How a judge answers tomorrow.** The model behind a name may be changed, and the same prompt may get another answer.
#
# ## Check yourself
#
# > **GPT-4.1's p is .0001, MetricX's .07. Is GPT-4.1 the better judge?**
# >
# > <details><summary>Yes</summary>A small p is evidence that the preference of this judge is more than chance. It does
# > not show that readers share it.</details>
# > <details class="right"><summary>It is surer, which is not better</summary>This is correct.</details>
# > <details><summary>No, MetricX is</summary>Nothing here says so either. Compare both with people.</details>
#
# <details><summary>Answer</summary>
#
# No. A small p says that chance would rarely give so large a difference in this judge's scores on these texts. Whether
# readers share the preference, no p-value of a judge's scores can say (unit 17).
#
# </details>
#
# > **A team lets its system make ten translations of each segment and keeps the one with the best MetricX. Now its
# > system is ahead by MetricX, with p = .001. What does this show?**
# >
# > <details class="right"><summary>That the choice worked</summary>This is correct.</details>
# > <details><summary>That the system is better</summary>It was made to please this judge. Another judge, or people, may
# > see nothing.</details>
# > <details><summary>Nothing: p must be corrected for ten</summary>A correction is for ten tests. Here is one test, of
# > outputs that were chosen by its own judge.</details>
#
# <details><summary>Answer</summary>
#
# That the choice worked. The difference in MetricX is real. But the system was made to please this judge, so ask another one that had
# no part in the choice, or people.
#
# </details>
#
# > **"Ties tell nothing, so we drop the segments on which the judge gives both systems the same points." What do you
# > ask?**
# >
# > <details><summary>Nothing, this is usual</summary>Usual or not: with many ties few segments are left, and the result
# > may hang on them.</details>
# > <details><summary>Whether ties count as half</summary>That is one way to keep them. First ask how many segments are
# > left at all.</details>
# > <details class="right"><summary>How many are left, and what comes out with them</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# How many segments are left, and whether the result is the same with them. A mean over all segments and an exchange
# need no such choice. Ties make the observed difference and all shuffled differences smaller by the same factor, so p
# stays the same.
#
# </details>
#
# ## Exercises
#
# **1.** Compute the soft pairwise accuracy of BLEU on the same segments, with its interval. Is BLEU a better judge than chrF here?
#
# <details><summary>Answer</summary>
#
# With `japanese.statistics("BLEU")` it is .73, with an interval from .47 to .92, and chrF's is .71, from .45 to .91. Twelve systems do
# not tell the two apart.
#
# </details>
#
# **2.** The sign test counts on how many segments each system is better: `print(mt.sign_test(*pair))`. Why does it see
# no difference where the exchange of segments does?
#
# <details><summary>Answer</summary>
#
# It counts 292 segments against 277, with p = .56. It does not ask by how much, and ONLINE-B's lead of two points comes from how far the
# systems lie apart on some segments.
#
# </details>

# %% tags=["remove-input"]
bleu = japanese.statistics("BLEU").subset(japanese.human.matrix().columns)
other = mt.soft_pairwise_accuracy(bleu, japanese.human, rng=2014)
assert np.round([other.accuracy, *other.interval], 2).tolist() == [0.73, 0.47, 0.92]
assert np.round([soft.accuracy, *soft.interval], 2).tolist() == [0.71, 0.45, 0.91]
signs = mt.sign_test(*pair)
assert "292" in str(signs) and "277" in str(signs) and round(signs.pvalue, 2) == 0.56

# %% [markdown]
# ---
#
# *Before this:* [unit 31, One text, many languages](31_one_text_many_languages.ipynb). *After this:* [unit
# 33, Who judges?](33_who_judges.ipynb) *Words* are in the [glossary](../../docs/glossary.md).
