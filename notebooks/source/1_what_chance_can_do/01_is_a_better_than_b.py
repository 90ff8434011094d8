# %% [markdown]
# # 1 · Is A better than B?
#
# In 2021 two companies sent their German-to-English translation systems to a public evaluation. Facebook's system
# scored 34.0, NVIDIA's 33.3. It is natural to say that Facebook's was better. But would the same system have won if the
# evaluation had picked other sentences? And would it have won if one system had been a little luckier on these
# sentences, and the other a little less lucky? The first half of the question waits for unit 8. This unit asks the
# second half once, from beginning to end. The rest of the course takes its answer apart, piece
# by piece.
#
# <details><summary>After this unit you can …</summary>
#
# - say why outputs are exchanged sentence by sentence (question 1);
# - say what a p of .03 supposes, and which probability it is not (question 2);
# - compare two systems in one line, and say what more shuffles change (question 3, exercises 1 and 2).
#
# Before this: no other unit. About 28 minutes to read, 33 to teach with a discussion. New terms: campaign, metric,
# output, reference, score, segment, shuffle, system, test set.
#
# </details>

# %% tags=["remove-input"]
import numpy as np
import pandas as pd

from mtsig_nb.teaching import chance_machine, fold_notes, headline

fold_notes()

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.3f}".format

# %% [markdown]
# ## Where the numbers come from
#
# The evaluation is WMT21, one of a series that the Conference on Machine Translation, until 2015 a workshop, has held
# every year since 2006. A few words, so that we mean the same things. A **system** is whatever made the outputs: a
# program, a service, or a person who takes part as one. A **segment** is the unit that is translated and counted;
# here it is a sentence or two of news. An **output** is a system's translation of the source text. And a
# **reference** is a translation by a person, with which outputs are compared.
#
# All of these together make the **test set**: the segments on which systems are compared, with their
# references. A **campaign** is one language pair of one evaluation, with its systems,
# statistics and, where there are any, human judgements. The kit has fifty-eight of them. These lines load ours:

# %%
import mtsig_nb as mt

campaign = mt.load("wmt21/de-en")

# %% [markdown]
# A **metric** is a rule that compares a system's outputs with references and gives one number. This number is the
# system's score: a **score** is a metric's value for a system on a test set. What is counted differs. The metric that
# everybody knows, BLEU, counts how many words and short runs of words an output shares with its reference. Unit 4 shows
# how; for now it is enough that more is better and that 100 would be word for word the reference.

# %%
bleu = campaign.statistics("BLEU")
bleu.scores()[["Facebook-AI", "NVIDIA-NeMo"]]

# %% [markdown]
# The two are seven tenths of a point apart.
#
# > **Make a guess.** Suppose that it made no difference whose output is whose: for each of the thousand sentences
# > luck decided which of the two translations is called Facebook's and which NVIDIA's. How often would luck alone put
# > one of them seven tenths of a point or more ahead: in about 3 evaluations of 10, 3 of 100, or 3 of 10,000?
# >
# > <details><summary>about 3 of 10</summary>A lead of seven tenths looks small beside scores of 35. But what counts is
# > how large a difference luck alone makes, and it seldom makes one so large.</details>
# > <details class="right"><summary>about 3 of 100</summary>So it is. It does happen, and not often.</details>
# > <details><summary>about 3 of 10,000</summary>A thousand sentences leave less to luck than ten. They still leave
# > more than this.</details>
#
# If you read this in JupyterLab, the outputs up to the answer are folded. A click on the three dots opens one.
#
# ## If it made no difference whose is whose
#
# Here is the idea on which everything rests. Take one of the thousand sentences, with its two translations, and take
# the names off. Now suppose that it makes no difference whose is whose: the translation with Facebook's name on it
# might as well have come from NVIDIA, and the other way round. Then the two translations might as well have been
# exchanged.
#
# This is an assumption, and a strong one. When a new drug is tried, a coin decides which patients get it, and a test
# that tosses the coin again repeats what was done. Here nobody has assigned anything at random: each system made its
# own translations. Nor would it be enough that the two are equally good. If one of them always wrote the longer
# sentences, one could tell whose is whose, however good both are. [Unit 5](05_exchange_and_count.ipynb) gives the
# assumption a name, and [unit 15](../3_which_test_which_metric/15_what_a_test_promises.ipynb) shows what happens
# where it fails.
#
# So let us assume it, and exchange them. For each sentence toss a coin. Where it shows heads, the two translations are
# exchanged. Where it shows tails, nothing changes. What comes of it is a **shuffle**: one imaginary pair of systems,
# made by tossing a coin for each segment to decide whether the two outputs are exchanged. (Textbooks say
# *permutation*.) Each of the two is made of about half of Facebook's translations and half of NVIDIA's. Neither has
# earned anything by being good. If one of them still scores higher, that is luck, and now we can see how far luck
# reaches.
#
# In the next cell `A` and `B` hold, for each of the thousand sentences, what BLEU counts in the two translations, one
# row a sentence. `heads` is a column of zeros and ones. Where it is one, `A + heads * (B - A)` is `B`, and where it
# is zero it is `A`: the fourth line exchanges exactly the sentences that the coin chose. The fifth adds up the rows
# of each imaginary system and turns the sums into its BLEU.

# %%
rng = np.random.default_rng(7)
A, B = bleu.select(["Facebook-AI", "NVIDIA-NeMo"]).values
heads = rng.integers(2, size=(1000, 1))
exchanged = A + heads * (B - A), B + heads * (A - B)
one, other = [bleu.metric.score(counts.sum(axis=0)) for counts in exchanged]
one - other

# %% [markdown]
# The 7 in the first line says which coins are tossed. In the notebook you can put other numbers there and run the cell
# again. You will see differences of a few tenths of a point in either direction, now and then half a point, as here, or
# more. None of them means anything. They are what a thousand coins do to a thousand sentences.
#
# ## Ten thousand times
#
# To see how *often* luck reaches seven tenths, we have to do it often. Do it yourself. The machine below has the
# thousand sentences and their coins. Each small mark is a sentence: a blue square is as it was, and at an orange dot
# the two translations are exchanged. Toss for one sentence a few times and read what it does to the difference. Then
# toss for all, ten times, and watch where the differences fall. Then make all ten thousand.

# %%
chance_machine(bleu, "Facebook-AI", "NVIDIA-NeMo", rng=2014)

# %% [markdown]
# The black line is the difference that the real systems had. Drag it, or move it with the arrow keys, and you see how
# often luck reaches another difference. In the fraction behind p, one is added above and below: what really happened
# counts as one of the shuffles. [Unit 6](06_too_many_to_count.ipynb) says why.
#
# The package does the same without a machine. From the same `rng` it makes the same ten thousand shuffles:

# %%
result = mt.approximate_randomization(bleu, "Facebook-AI", "NVIDIA-NeMo", rng=2014)
result

# %% tags=["remove-input", "remove-output"]
headline("WMT21 de-en, Facebook-AI against NVIDIA-NeMo: BLEU", result.statistic, spec="+.2f")
headline("the same pair, approximate randomization: p", result.pvalue, spec=".3f")
assert 270 <= result.count <= 320 and bleu.scores().index.get_loc("NVIDIA-NeMo") == 12
assert bleu.scores().index.get_loc("Facebook-AI") == 5
assert 0.25 < np.std(result.null_distribution) < 0.35 and 0.5 < one - other < 0.6
assert 0.5 < bleu.scores().iloc[6] - bleu.scores().iloc[11] < 0.55

# %% [markdown]
# The line names the question and the answer. The fold below it says how the answer was found, so that somebody else can
# find it again. Give the same `rng`, which stands for *random number generator*, and you get the same shuffles on any
# computer. It also has two warnings. Unit 15 explains the first one. The second one is about documents, and we come back
# to it below. Some of the words are for later: [two-sided](03_where_to_draw_the_line.ipynb),
# [ties](06_too_many_to_count.ipynb), [standard error](../2_a_score_and_two_of_them/09_how_many_sentences.ipynb). The
# number to look at is `p`. Of the ten thousand
# shuffles, about three in a hundred made a difference at least as large as the real one. A picture says it better.

# %%
picture = result.plot()
# %% [markdown]
# The horizontal axis is the difference in BLEU between the two imaginary systems, the height of a bar how
# many of the ten thousand shuffles gave that difference. Look at the middle first. Zero is where
# luck favours nobody, and most shuffles lie within half a point of it. The dashed lines mark the
# difference that the real systems had, +0.69, and the same distance on the other side. The coloured bars are the
# shuffles beyond the lines. In these, luck alone made a difference at least as large as the real one, in favour of
# one side or the other. They are few, but you can see them. Had the real difference been 0.3, a
# large part of the picture would be coloured, and nobody should have drawn a conclusion from it.
#
# **The guess.** About 3 evaluations of 100. So there are two possibilities. Either it does make a difference whose
# output is whose, or it makes none and we have met one of those three. The second is possible, and nothing in the
# data can rule it out. What we supposed is called a [null hypothesis](02_what_chance_can_do.ipynb). If it were true, so
# large a difference would be rare, and this is evidence against it. That Facebook's system scores higher in the long run
# is a further step. Unit 15 has systems for which that step would be wrong.
#
# ## Who else took part
#
# The two were not alone. This is what the campaign has, and then the BLEU of all its systems:

# %%
campaign

# %%
bleu.scores()

# %% [markdown]
# Nineteen systems. Facebook's is sixth and NVIDIA's thirteenth, and the six systems between them fit into little more
# than half a point.
#
# ## The warning
#
# What about the second warning, which says that documents are known? Segments are sentences from news articles, and
# sentences of one article resemble each other: if a system knows the footballer's name in the first, it knows it in the
# second. A thousand sentences that come in 61 documents are therefore worth less than a thousand unrelated ones. We can
# exchange whole documents instead:

# %%
mt.approximate_randomization(bleu, "Facebook-AI", "NVIDIA-NeMo", units="documents", rng=2014)

# %% [markdown]
# Now p is between four and five in a hundred. That is still below one in twenty, but not by much. (The last line of the
# output warns that this p may be somewhat too small; unit 15 explains it.) Which of the two is the right one, and how
# far apart they can be, is a unit of its own ([unit 12](../2_a_score_and_two_of_them/12_what_is_the_unit.ipynb)).
#
# ## What people said
#
# At WMT21 people read these translations, too, and rated them from 0 to 100 without knowing whose they
# were. Who did better with them?

# %%
ratings = campaign.human.tests().to_frame().set_index(["system_a", "system_b"])
ratings.loc[("Facebook-AI", "NVIDIA-NeMo"), ["score_a", "score_b", "pvalue"]]

# %% tags=["remove-input"]
assert ratings.loc[("Facebook-AI", "NVIDIA-NeMo"), "pvalue"] < 0.005
assert (ratings["score_a"] >= ratings["score_b"]).all()  # the better system comes first
pd.options.display.float_format = "{:.4f}".format  # below, three digits would make a p a zero

# %% [markdown]
# The first two numbers are the averages of Facebook's and of NVIDIA's ratings, put on a common scale on which 0 is an
# average rating. The third says that luck alone would rarely do as much, about four times in a thousand. People side
# with BLEU: they, too, rated Facebook's system higher. It would be a fine place to stop.
#
# ## A second pair
#
# A year later, at WMT22, an anonymous online service called Online-B was ahead of another one called
# Online-W. This time let us ask not BLEU alone, but every metric the campaign has.
#
# > **Make a guess.** Eight metrics, which count different things, all say that Online-B is better, and luck would
# > seldom give such differences. What do you expect of people who read the translations?
# >
# > <details><summary>Most of them prefer Online-B, too</summary>That is what most people expect. The metrics are
# > many, but all of them compare words with one reference.</details>
# > <details><summary>They do not care either way</summary>They did care, and by more than luck.</details>
# > <details class="right"><summary>They prefer Online-W</summary>So they do. The tests answered a question about
# > metrics, and nobody had asked them about readers.</details>

# %%
campaign22 = mt.load("wmt22/de-en")
verdicts = {}
for name in campaign22.metrics:
    counts = campaign22.statistics(name)
    verdict = mt.approximate_randomization(counts, "Online-B", "Online-W", rng=2014)
    verdicts[name] = [verdict.conclusion(), verdict.pvalue]
pd.DataFrame(verdicts, index=["Online-B is", "p"]).T

# %%
ratings22 = campaign22.human.tests().to_frame().set_index(["system_a", "system_b"])
ratings22.loc[("Online-W", "Online-B"), ["score_a", "score_b", "pvalue"]]

# %% tags=["remove-input", "remove-output"]
for_b = [name for name, (said, p) in verdicts.items() if said == "better" and p <= 0.02]
headline("WMT22 de-en, Online-B against Online-W: metrics that say Online-B", len(for_b))
people = ratings22.loc[("Online-W", "Online-B")]
headline("the same pair: p of people, who say Online-W", people.pvalue, spec=".3f")
assert len(for_b) == len(verdicts) == 8
assert people.score_a > people.score_b and people.pvalue < 0.05
volc = mt.approximate_randomization(bleu, "VolcTrans-GLAT", "VolcTrans-AT", rng=2014)
assert round(volc.statistic, 2) == 0.61 and 0.018 < volc.pvalue < 0.028
assert 0.065 < ratings.loc[("VolcTrans-AT", "VolcTrans-GLAT"), "pvalue"] < 0.075

# %% [markdown]
# **The guess.** All eight metrics prefer Online-B. People prefer Online-W, and luck would do as much only some 25 times
# in a thousand (counted by segments, as for the first pair; unit 24 comes back to both). The tests were not wrong. Each
# of them was asked whether Online-B scores higher *in that metric* by more than luck, and each answered correctly, as
# far as anyone can tell. Nobody asked them whether the metric measures what readers care about. Keep the pair in mind:
# a test can give evidence that a difference is more than luck. It cannot tell you that it is a difference worth having.
#
# ## What this does not tell you
#
# - How large a difference matters. Seven tenths of a point may be more than luck and still be too
#   little for any reader to notice.
# - What would happen on other texts, such as patents or chat. All sentences here are news.
# - How these two pairs were found. We went through hundreds of pairs and picked two that make a good
#   story, which is exactly what one should not do in a paper. Unit 19 says what it costs.
#
# ## Check yourself
#
# > **Why were translations exchanged sentence by sentence, and not simply all of Facebook's for all of
# > NVIDIA's?**
# >
# > <details><summary>Because it is faster</summary>One exchange of everything would be faster still, and would show a
# > single number.</details>
# > <details class="right"><summary>Because all at once shows one other result only</summary>This is correct.</details>
# > <details><summary>Because sentences differ in length</summary>They do, but that is no reason. The question is how
# > many ways the outputs could have been dealt out.</details>
#
# <details><summary>Answer</summary>
#
# Exchanging all of them gives the same two systems with their names exchanged: a difference of −0.69 instead
# of +0.69, every time. Nothing can be learned from that. If it makes no difference whose output is whose, *each*
# sentence might have gone either way, independently of the others, and a coin for each sentence shows everything that
# could then have happened.
#
# </details>
#
# > **A colleague says: "p is 0.03, so the probability that the two systems are equally good is 3 %." What
# > is wrong?**
# >
# > <details class="right"><summary>p supposes that it makes no difference whose output is whose; p is not the
# > probability of that</summary>This is correct.</details>
# > <details><summary>Nothing is wrong</summary>The 3 % are a share of shuffles, and each shuffle was made by a coin.
# > The test does not tell how often the null hypothesis is true.</details>
# > <details><summary>It should be 97 %</summary>One minus p is no probability of a hypothesis either. It is the share
# > of shuffles that stay nearer to zero.</details>
#
# <details><summary>Answer</summary>
#
# We *supposed* that it makes no difference whose output is whose, and then found that a difference like this would be
# rare. How probable the supposition is, we have not computed, and cannot without knowing how often it is true of two
# systems. Unit 2 comes back to this. And "equally good" is not what we supposed: two systems may have the same score
# in the long run although one can tell their outputs apart.
#
# </details>
#
# > **Would it have been better to exchange a million times instead of ten thousand?**
# >
# > <details><summary>Yes, it finds smaller differences</summary>More shuffles tell the same p more exactly. To find
# > smaller differences one needs more sentences.</details>
# > <details><summary>Yes, p becomes smaller</summary>It comes closer to the p of all shuffles, which may lie on either
# > side.</details>
# > <details class="right"><summary>It makes p more precise and nothing else</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# It would make `p` more precise: 0.0286 would become, perhaps, 0.0298. It would not make the systems easier to tell
# apart. For that one needs more sentences.
#
# </details>
#
# ## Exercises
#
# **1.** Compare two other systems of the campaign: VolcTrans-GLAT and VolcTrans-AT, which come from one team. What do
# BLEU and what do people say? (In `ratings` the system that people liked better comes first.)
#
# <details><summary>Answer</summary>
#
# `mt.approximate_randomization(bleu, "VolcTrans-GLAT", "VolcTrans-AT", rng=2014)` finds +0.61 and p near 0.02.
# `ratings.loc[("VolcTrans-AT", "VolcTrans-GLAT")]` has VolcTrans-AT ahead, and a p of about 0.07. BLEU sees a
# difference that people, if anything, see the other way round.
#
# </details>
#
# **2.** Change `rng` in the first test to your birthday, written as a number such as 20010329. What changes, and what
# does not?
#
# <details><summary>Answer</summary>
#
# The difference in BLEU stays +0.69 to the last digit, because it comes from the real outputs. The p changes
# a little, because other coins are tossed: with ten thousand shuffles usually by less than 0.004.
#
# </details>
#
# ---
#
# *Before this:* [unit 0, Be the judge](00_be_the_judge.ipynb). *After this:* [unit 2, What chance can do](02_what_chance_can_do.ipynb). *In a hurry with systems of your own?* [The
# bench](../bench/your_own_systems.ipynb) needs this unit only. *To practise:* [lab
# 1](../labs/student/lab_01_a_reader_and_a_coin.ipynb). *Words* are in the [glossary](../../docs/glossary.md).
