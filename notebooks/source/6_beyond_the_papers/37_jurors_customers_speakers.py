# %% [markdown]
# # 37 · Jurors, customers, speakers
#
# A court, a shop and a telephone company translate nothing. Yet each of them has two numbers that differ, and has to
# decide whether luck made the difference. How much of this course has to change?
#
# <details><summary>After this unit you can …</summary>
#
# - say what chance would do where nothing is translated (question 1, exercise 1);
# - choose the unit of a test outside translation (question 2, exercise 2);
# - say what a small p-value leaves open in court (question 3).
#
# Before this: units 3, 5, 6 and 12. About 14 minutes to read, 19 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binom

import mtsig_nb as mt
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type


def draw_drawings(drawings, observed):
    """How many of the people called are Mexican-American in drawings by lot."""
    figure, ax = plt.subplots(figsize=(7.2, 3.2), layout="constrained")
    ax.hist(drawings, np.arange(90, 221) - 0.5, color=style.CALM)
    ax.axvline(observed, color=style.EMPHASIS, linestyle="--", linewidth=2)
    ax.annotate("observed", (observed, 300), (8, 0), textcoords="offset points")
    ax.set(xlim=(90, 220), xlabel="Mexican-Americans among 220 people", ylabel="drawings by lot")
    style.describe(
        figure,
        "A narrow hill of drawings by lot around 174, from about 150 to 195. A dashed line at 100, far to the left of the hill, is "
        "what was observed.",
    )
    return figure


# %% [markdown]
# > **Make a guess.** In a county of Texas 79.1 % of the people were Mexican-American. Within two and a half years 220
# > people of the county were called as grand jurors, and 100 of them were Mexican-American. Suppose that the 220 had been drawn
# > by lot. In how many of 10,000 such drawings are there 100 or fewer: in about 500, in about 50, or in none?
# >
# > <details><summary>about 500</summary>That would be one drawing of twenty. One expects 174 of 220, and 100 is very
# > far from it.</details>
# > <details><summary>about 50</summary>Drawings of 220 people do not differ that much.</details>
# > <details class="right"><summary>none</summary>So it is. Most drawings have between 160 and 190.</details>
#
# ## A juror
#
# Rodrigo Partida was convicted in this county, and complained about the grand jury that had accused him. The Supreme
# Court of the United States decided in 1977 ([Castaneda v. Partida, 430 U.S. 482](https://www.law.cornell.edu/supremecourt/text/430/482);
# the counts and a calculation are in its footnote 17). The four steps of this course are enough. The statistic is the number of Mexican-Americans
# among those who were called. Chance draws people by lot. Then we count how often it calls so few.

# %%
rng = np.random.default_rng(37)
drawings = rng.binomial(220, 0.791, size=10_000)
count = (drawings <= 100).sum()
count, drawings.mean(), drawings.min(), (1 + count) / (1 + len(drawings))

# %% tags=["remove-input"]
draw_drawings(drawings, 100)
plt.show()

# %% tags=["remove-input", "remove-output"]
assert count == 0 and drawings.min() > 140 and round(220 * 0.791) == 174
assert binom.cdf(100, 220, 0.791) < 1e-20
assert ((drawings >= 160) & (drawings <= 190)).mean() > 0.95
headline(
    "220 people by lot, 79.1 % Mexican-American: the fewest in 10,000 drawings", drawings.min()
)

# %% [markdown]
# The hill is what drawing by lot does. The dashed line at the left is what happened, and no drawing comes near it. So p is the
# smallest that 10,000 drawings can give (unit 6). The test is one-sided, since the complaint named the direction.
#
# **The guess.** None. The court looked at eleven years, in which 39 % of those who were called were Mexican-American. It
# ruled that such a gap puts the burden on the state, which had to explain it and did not. The number itself names no
# culprit. It says that drawing by lot from everybody in the county would hardly ever call so few.
#
# What is the unit? We drew people one by one. But the law had commissioners write lists of 15 to 20 names. If two people of a
# list resemble each other, as two sentences of an article do, the list is the unit, and the hill is wider.
#
# ## A customer
#
# A shop tries a new page. A coin decides for each customer whether this customer sees the new page or the old one. Do visits to the new page end in a
# purchase more often? If the page makes no difference, the labels *new* and *old* can be exchanged, as outputs were in unit 5. The shop is
# invented: its 400 customers come several times, some of them buy often and many hardly ever, and *the two pages are equally good*.


# %%
def a_shop():
    """Which page each customer sees, how often they come, and how often they buy."""
    new = rng.permutation(np.repeat([True, False], 200))
    visits = 1 + rng.poisson(5, size=400)
    return new, visits, rng.binomial(visits, rng.beta(0.5, 4.5, size=400))


def p_value(bought, new):
    """Exchange the labels 199 times, and count the leads that are as large as the observed."""
    labels = [new] + [rng.permutation(new) for _ in range(199)]
    leads = [abs(bought[label].mean() - bought[~label].mean()) for label in labels]
    return np.mean(np.array(leads) >= leads[0])


# %% [markdown]
# Two hundred such shops make two tests each, one with a label for each visit and one with a label for each customer. How
# many of them claim a difference at .05?

# %%
claims = {"visits": 0, "customers": 0}
for _ in range(200):
    new, visits, bought = a_shop()
    each = [np.arange(n) < k for n, k in zip(visits, bought, strict=True)]
    claims["visits"] += p_value(np.concatenate(each), np.repeat(new, visits)) <= 0.05
    claims["customers"] += p_value(bought / visits, new) <= 0.05
claims

# %% tags=["remove-input", "remove-output"]
headline("shops of 200 without a difference that claim one, by visits", claims["visits"])
headline("the same, by customers", claims["customers"])
assert clopper_pearson(claims["visits"], 200)[0] > 0.07
low, high = clopper_pearson(claims["customers"], 200)
assert low < 0.05 < high and claims["visits"] > 2 * claims["customers"]

# %% [markdown]
# With a label for each customer, about one shop in twenty makes a false claim, as it should. With a label for each visit,
# far more of them do. The coin was tossed for customers, so customers are the unit. It is unit 12 over again: a visit is
# like a sentence, and a customer like an article.
#
# ## A speaker
#
# A telephone company wants to buy a program that writes down what people say. Two programs, Old and New, have transcribed the
# same 200 utterances of ten speakers. The score is the word error rate: all errors, divided by all words. These counts
# are invented, too, so that the two units disagree: New is better for some voices, and worse for others.

# %%
rng = np.random.default_rng(12)
speaker, words = np.repeat(np.arange(10), 20), rng.integers(5, 25, size=200)
rates = {"Old": np.full(10, 0.12), "New": rng.uniform(0.04, 0.17, size=10)}
frames = []
for program, rate in rates.items():
    frame = pd.DataFrame({"segment": range(200), "speaker": speaker, "words": words})
    frame["errors"] = rng.binomial(words, rate[speaker])
    frames.append(frame.assign(system=program))
heard = pd.concat(frames)

# %% [markdown]
# The next lines are those of unit 12. A ratio of two columns stands in the place of BLEU, and speakers stand in the place of
# documents.

# %%
options = {"document": "speaker", "higher_is_better": False}
wer = mt.from_segment_scores(heard, score="WER=100*errors/words", **options)
for units in ("segments", "documents"):
    test = mt.approximate_randomization(wer, "New", "Old", units=units, rng=37)
    print(f"{units:9}  {test.statistic:+.1f} points, p = {test.pvalue:.4f}")

# %% tags=["remove-input", "remove-output"]
by_utterance, by_speaker = (
    mt.approximate_randomization(wer, "New", "Old", units=units, rng=37)
    for units in ("segments", "documents")
)
assert by_utterance.pvalue < 0.01 and 0.15 < by_speaker.pvalue < 0.3
assert round(by_utterance.statistic, 1) == 2.7 and len(set(wer.documents)) == 10
headline("ten speakers, word error rates: p by utterance", by_utterance.pvalue, spec=".4f")
headline("the same, by speaker", by_speaker.pvalue, spec=".2f")

# %% [markdown]
# New makes fewer errors, by 2.7 points. With a coin for each utterance luck hardly ever does as much, and with a coin for each speaker it
# often does. The company's customers are not these ten people. So speakers are the unit, and it should listen to more
# voices before it buys. From a file of counts, the command line does the same ([comparing counts](../../docs/counts.md)).
#
# ## Ten numbers of your own
#
# Your own question may be about two routes to work on ten mornings, or about two recipes and ten guests. Write a line for each unit,
# with its two numbers beside each other, and paste the lines. The machine exchanges the two numbers of a line with a coin, or draws lines anew. Your numbers do
# not leave this page.

# %%
from mtsig_nb.teaching import own_numbers

own_numbers()

# %% [markdown]
# Before you toss, say what a line is. Two mornings of the same week may share the weather, as two sentences of an article share a topic.
#
# | | what is compared | what chance does | unit |
# | --- | --- | --- | --- |
# | translation | two systems, by BLEU | exchanges their outputs | sentence or article |
# | court | people called, and the county | draws people by lot | juror, or list |
# | shop | two pages, by purchases | exchanges the labels | customer, not visit |
# | telephone | two programs, by word errors | exchanges their transcripts | speaker, not utterance |
#
# ## What this does not tell you
#
# - **Why.** These people were not drawn by lot. Who or what chose them, the court had to find out in other ways.
# - **How often units matter so much.** Shop and speakers are invented, and both were invented so that they do.
# - **What a court needs.** How far from chance is far enough is a question of law. In its footnote the court spoke of two
#   or three standard deviations.
#
# ## Check yourself
#
# > **A school wants to know whether girls are called on in class as often as boys. Of 30 pupils 15 are girls. In an hour
# > 40 calls went to boys and 20 to girls. What would chance do?**
# >
# > <details class="right"><summary>Give each call to one of the 30 pupils by lot</summary>This is correct.</details>
# > <details><summary>Exchange the girls' and the boys' marks</summary>Marks are not what was counted. Calls were.</details>
# > <details><summary>Give each pupil exactly two calls</summary>That would be fair, and it is not chance: by lot some pupils get
# > more than others.</details>
#
# <details><summary>Answer</summary>
#
# By lot, each call goes to a girl with a probability of one half, so 60 coins are tossed. But one pupil who raises a hand
# all the time makes many calls alike. Then the pupil is the better unit.
#
# </details>
#
# > **A hospital compares two soaps. Each ward gets one of them by lot, and bacteria are counted on the hands of 600 nurses in
# > 12 wards. What is the unit?**
# >
# > <details><summary>the nurse, since hands were counted</summary>Nurses of a ward share patients, rooms and habits. Nobody
# > tossed a coin for a nurse.</details>
# > <details class="right"><summary>the ward</summary>This is correct.</details>
# > <details><summary>the bacterium</summary>Bacteria of one hand have even more in common than nurses of a ward.</details>
#
# <details><summary>Answer</summary>
#
# The ward. The lot was drawn for wards, so wards are what could have come out differently. There are 12 units and not 600.
#
# </details>
#
# > **In the case of the jurors p is below one in 10,000. Is the probability that the county called its jurors by a fair
# > lot below one in 10,000?**
# >
# > <details><summary>Yes, this is what p says</summary>p supposes that a lot was drawn, and says how often it would then come to
# > this.</details>
# > <details><summary>Yes, if the judge agrees</summary>A judge may be convinced. The number still is about drawings, and not about
# > the county.</details>
# > <details class="right"><summary>No, p supposes the fair lot</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# p says how rarely a fair lot calls so few. How probable a fair lot was to begin with, it does not know (unit 2). Lawyers
# know the mistake as the prosecutor's fallacy.
#
# </details>
#
# ## Exercises
#
# **1.** Suppose that 165 of the 220 had been Mexican-American. How often does a lot draw as few?
#
# <details><summary>Answer</summary>
#
# `(drawings <= 165).mean()` says in about 8 of 100 drawings. Luck would be a fair explanation.
#
# </details>
#
# **2.** Give the ten speakers one utterance each, `heard[heard["segment"] % 20 == 0]`. What are the two p-values now, and
# why?
#
# <details><summary>Answer</summary>
#
# They are the same. With one utterance for each speaker, an utterance and a speaker are the same unit.
#
# </details>

# %% tags=["remove-input"]
assert 0.07 < (drawings <= 165).mean() < 0.09 and binom.cdf(165, 220, 0.791) < 0.09
first = heard[heard["segment"] % 20 == 0]
alone = mt.from_segment_scores(first, score="WER=100*errors/words", **options)
each_way = [
    mt.approximate_randomization(alone, "New", "Old", units=units).pvalue
    for units in ("segments", "documents")
]
assert each_way[0] == each_way[1]

# %% [markdown]
# ---
#
# *Before this:* [unit 36, May I look every week?](36_may_i_look_every_week.ipynb). *After this:* take numbers of your own
# to [the bench](../bench/your_own_systems.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
