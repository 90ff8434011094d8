# %% [markdown]
# # 0 · Be the judge
#
# Two programs have translated the same sentences. Which of them translates better? Before anybody computes anything,
# somebody has to read. Today it is you.
#
# <details><summary>After this unit you can …</summary>
#
# - say whose preferences are stronger evidence of a difference, and why (question 1);
# - say why a judge is not told the names, and why the order changes (questions 2 and 3);
# - write a bad translation that shares many words with a right one (exercise 2).
#
# Before this: no other unit. About 10 minutes to read, 15 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
from scipy.stats import binomtest

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.components.judge import items
from mtsig_nb.plots import style
from mtsig_nb.teaching import be_the_judge, headline

# %% [markdown]
# ## Somebody had to decide
#
# In March 2018 Microsoft had a new program that translates Chinese news into English. Should the company announce that
# it translates as well as professionals do? On 14 March it did ([Hassan et al.
# 2018](https://arxiv.org/abs/1803.05567)). It had hired people to give points to translations, and it had a rule. If the
# program's points and those of professional translators differ by no more than luck explains, the two are on a par.
#
# In the same year three researchers had the two compared again ([Läubli, Sennrich and Volk
# 2018](https://aclanthology.org/D18-1512)). Professional translators read the program's translation and a human one, and
# said which of them keeps the meaning of the original. They did so for single sentences, and for whole articles. This
# is how often they preferred each of the two:

# %% tags=["remove-input"]
answers = printed_table("laeubli2018", 2).query("question == 'adequacy'")
answers = answers.astype({"human": int, "tie": int, "machine": int})
counted = answers.groupby("shown", sort=False)[["human", "tie", "machine"]].sum()
counted.columns = ["the human translation", "no difference", "the program's"]
counted.index = [f"single {counted.index[0]}", f"whole {counted.index[1]}"]
assert counted.index.tolist() == ["single sentences", "whole articles"]
assert (counted["the program's"] > counted["the human translation"]).tolist() == [True, False]
assert [len(rows) for _, rows in answers.groupby("shown", sort=False)] == [2, 4]
counted

# %% [markdown]
# The answers were counted in the [ratings that the three have published](https://github.com/laeubli/parity). In single
# sentences the program is ahead, and in whole articles people are. How much of this table is luck? Would you have
# announced it? Units [12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb),
# [19](../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb),
# [28](../6_beyond_the_papers/28_will_my_test_set_see_it.ipynb) and
# [33](../6_beyond_the_papers/33_who_judges.ipynb) come back to this decision. Begin where the translators began: by
# reading.
#
# ## Your turn
#
# Further down are twenty-four sentences, written for this course, and two translations of each. So that everybody can
# judge, what was said is given in English, too. Two imaginary programs made them, Ash and Birch. You are not told which
# is whose, and the order changes from pair to pair. In twenty of the pairs we put a fault into one of the two
# translations. Real programs make such faults: a wrong number, a lost negation, something that nobody said. In the
# other four pairs both are right.
#
# A computer program, called chrF, will judge the same pairs. It knows no language. It looks at a translation that was
# written beforehand, counts how many short pieces of it each of the two contains, and prefers the one with more.
#
# > **Make a guess.** In how many of the twenty pairs with a fault will this program prefer the one *without* it:
# > about 5, about 10, or about 18?
# >
# > <details class="right"><summary>about 5</summary>So few. The faulty translations share many words with the
# > translation that was written beforehand. The right ones share few.</details>
# > <details><summary>about 10</summary>That would be a coin. This program does worse: it likes what looks alike, and
# > here the wrong ones look more alike.</details>
# > <details><summary>about 18</summary>It counts pieces of words. A word <em>not</em> that is missing is one short
# > piece of many.</details>
#
# ## Twenty-four pairs
#
# Read what was said, then both translations, and choose the better one. If you see no difference, say so. After ten pairs
# you may stop; all of them take some ten minutes.

# %%
be_the_judge()

# %% tags=["remove-input", "remove-output"]
pairs = be_the_judge(n_resamples=500).data["items"]
faulty = [pair for pair in pairs if pair["worse"]]
found = sum(
    pair["scores"][2 - pair["worse"]] > pair["scores"][pair["worse"] - 1] for pair in faulty
)
headline("pairs of 20 in which chrF prefers the output without the fault", found)
assert len(items()) == 24 and len(faulty) == 20 and found == 5
assert sum(pair["worse"] == 2 for pair in faulty) == 14
assert round(binomtest(12, 18).pvalue, 2) == 0.24 and binomtest(2, 3).pvalue == 1

# %% [markdown]
# When you have finished judging, the page shows what came of it. First comes your own verdict: how often you preferred
# Ash, and how often Birch. Is that more than luck would do? Under your verdict is a machine with a coin for each of
# your choices. Toss them once and see what comes out. Then toss them ten times, and then ten thousand times. If the
# coins seldom go as far as you did, or farther, luck is a poor explanation. This is the idea of the whole course, and
# [unit 1](01_is_a_better_than_b.ipynb) begins with it.
#
# A table says for each pair what you preferred, what chrF preferred, and where the fault was. Look for a pair on which
# you and chrF disagree. A click on its first column shows both translations, to be read again.
#
# **The guess.** It prefers the one without the fault in 5 of the twenty pairs. That does not mean that such
# programs are mostly wrong. These sentences were written to stay close to the translation that it knows, and to be
# wrong. They show what such a program can miss, and not how often it does.
#
# The code of a few letters has your answers in it and not your name. In a class, the codes of all of you make one
# picture: how much readers differ, and which faults are hard to see.
#
# ## Real programs, and three professionals
#
# In 2023, ten programs translated the same 377 sentences of Chinese news into English. Three professional translators
# read each translation and marked its faults. A mark adds to the *penalty* of a translation: 5 for a grave fault, 1 for
# a small one. A program's penalty is the average over its translations, so less is better.
#
# BLEU is another program that counts words in common with a translation that was written beforehand. It puts HW-TSC
# 6.8 points above GPT4-5shot, a wide gap.
#
# > **Make a guess.** Which of the two got the smaller penalty from the three professionals?
# >
# > <details><summary>HW-TSC, by far</summary>That is what BLEU says. It counts words in common, and one of these two
# > uses more of the words that were written beforehand.</details>
# > <details class="right"><summary>GPT4-5shot</summary>Yes, although BLEU has it the other way round. Words in common
# > are not what professionals look for.</details>
# > <details><summary>Both about the same</summary>Their average penalties are three quarters of a point apart. Later
# > units show that luck seldom makes such a large difference.</details>

# %% tags=["remove-input"]
campaign = mt.load("wmt23/zh-en")
penalty = -campaign.human.scores()
bleu = campaign.statistics("BLEU").scores()[penalty.index]
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.plot(bleu, penalty, "o", color=style.CALM)
for system, offset, side in (("GPT4-5shot", -8, "right"), ("HW-TSC", 8, "left")):
    ax.plot(bleu[system], penalty[system], "o", color=style.EMPHASIS)
    place = {"xytext": (offset, -4), "textcoords": "offset points", "ha": side}
    ax.annotate(system, (bleu[system], penalty[system]), **place)
ax.invert_yaxis()
ax.set(xlabel="BLEU: right is better", ylabel="penalty by people:\nup is better", xlim=(23, 47))
ax.set_title("BLEU prefers HW-TSC, three professionals prefer GPT4-5shot")
style.describe(
    figure,
    "Ten systems by BLEU and by penalty. Penalties fall as BLEU rises. HW-TSC has the highest BLEU. "
    "People put two systems above it, although the BLEU of these two is lower.",
)
assert bleu.idxmax() == penalty.index[2] == "HW-TSC" and penalty.index[1] == "GPT4-5shot"
assert round(bleu["HW-TSC"] - bleu["GPT4-5shot"], 1) == 6.8
assert 0.7 < penalty["HW-TSC"] - penalty["GPT4-5shot"] < 0.8 and campaign.n_segments == 377

# %% [markdown]
# **The guess.** GPT4-5shot got the smaller penalty. Over the ten programs BLEU and people mostly agree, as the dots
# show. On these two they do not.
#
# On a computer with a connection you can judge the two yourself. This line fetches their texts from where they are
# public, twenty pairs of them, and your verdict then meets that of the three professionals:
#
# ```python
# be_the_judge("wmt23/zh-en")  # needs: pip install 'mtsig_nb[data]'
# ```
#
# ## What this does not tell you
#
# - **Which program is better.** Ash and Birch do not exist. Faults were planted into 6 translations of Ash's and 14 of
#   Birch's.
# - **How well you judge translations.** You have read single sentences, without the text around them. A fault in the
#   middle of a story is easier to find, or harder.
# - **How good programs that judge are.** You have met one of them, and on sentences that were written against it.
#
# ## Check yourself
#
# > **You preferred Ash on twelve pairs and Birch on six. A friend preferred Ash on two and Birch on one. Both of you
# > preferred Ash twice as often. Whose preferences are stronger evidence of a difference?**
# >
# > <details class="right"><summary>You</summary>This is correct.</details>
# > <details><summary>Your friend</summary>The friend has three preferences. Three coins always fall at least two to
# > one.</details>
# > <details><summary>Both the same</summary>The share is the same, two of three. But luck makes this share much more
# > easily with three choices: three coins always fall at least two to one.</details>
#
# <details><summary>Answer</summary>
#
# You have. Three coins always fall two to one, or three to none. Eighteen coins fall twelve to six, or further apart,
# in a quarter of all tosses. How one counts such tosses is the matter of unit 2.
#
# </details>
#
# > **Why are you not told which translation is Ash's?**
# >
# > <details><summary>Because names are private</summary>Ash and Birch are made up. What a name does to your eyes is the
# > matter.</details>
# > <details><summary>To make it harder</summary>Hard or easy is not the point. You should judge what you read and
# > nothing else.</details>
# > <details class="right"><summary>So that the name does not decide</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# After three good translations by Ash you would expect a fourth one. Then your choices would no longer be about what
# you read, but about the name.
#
# </details>
#
# > **Why does the order of the two change from pair to pair?**
# >
# > <details><summary>So that you stay awake</summary>It may help. The reason is another: a reader may like what stands
# > first.</details>
# > <details class="right"><summary>So that a habit cannot favour one of them</summary>This is correct.</details>
# > <details><summary>So that every pair is different</summary>The pairs differ anyway. What changes places is Ash and
# > Birch.</details>
#
# <details><summary>Answer</summary>
#
# Somebody may prefer what stands first, or last, without knowing it. If Ash always came first, nobody could tell a
# preference for Ash from one for the first place.
#
# </details>
#
# ## Exercises
#
# **1.** Let somebody else judge the same pairs. On how many do the two of you say the same, and what kind of fault did
# only one of you see?
#
# <details><summary>Answer</summary>
#
# There is no right number. Unit 23 asks how far people agree, with other people and with themselves.
#
# </details>
#
# **2.** Write a pair of your own: a translation with one grave fault that shares as many words as possible with a
# right one, and a good translation that shares few.
#
# <details><summary>Answer</summary>
#
# For *The shop is not open on Sundays.* a faulty one is *The shop is now open on Sundays.* A good one is *You will
# find it closed every Sunday.* The first shares six of seven words, and says the opposite.
#
# </details>
#
# ---
#
# *After this:* [unit 1, Is A better than B?](01_is_a_better_than_b.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
