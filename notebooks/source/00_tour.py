# %% [markdown]
# # 00 · A tour in ten minutes
#
# Two systems, one question, one verdict.
#
# **You will be able to**
#
# - load a real evaluation campaign and look at its scores;
# - ask whether one system is better than another, and read the answer;
# - see all systems of a campaign compared at once;
# - find the notebook that explains each step.

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from mtsig_nb.teaching import headline

pd.options.display.precision = 2

# %% [markdown]
# ## The data
#
# In 2012, twelve systems translated 3,003 sentences from Spanish into English for the Workshop on
# Statistical Machine Translation. The kit brings their *statistics*, not their sentences: for every
# sentence and system the counts that make up a score.

# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
campaign

# %%
bleu = campaign.statistics("BLEU")
bleu.scores()

# %% [markdown]
# ## The question
#
# `uedin-wmt12` scores higher than `QCRI--primary`, by about half a point. Is that a difference
# between the systems, or would chance do as much?
#
# **Null hypothesis.** The two systems are interchangeable: for every sentence, either output might as
# well have come from the other system.
#
# **Alternative hypothesis.** They are not.
#
# If the null hypothesis holds, we may exchange the two outputs of any sentence. So let us toss a
# coin for each sentence, exchange where it shows heads, and look at the difference that comes out. Run the
# cell a few times, with other seeds.

# %%
A, B = bleu.select(["uedin-wmt12", "QCRI--primary"]).values  # each: sentences × counts
rng = np.random.default_rng(2014)


def one_shuffled_difference():
    """The difference in BLEU after exchanging the outputs of a random half of the sentences."""
    keep = rng.integers(2, size=len(A))
    pseudo_a = keep @ A + (1 - keep) @ B
    pseudo_b = keep @ B + (1 - keep) @ A
    return bleu.metric.score(pseudo_a) - bleu.metric.score(pseudo_b)


observed = bleu.metric.score(A.sum(axis=0)) - bleu.metric.score(B.sum(axis=0))
print(f"observed {observed:+.2f}; after one shuffle {one_shuffled_difference():+.2f}")

# %% [markdown]
# How often does chance do as much as the systems did? The package shuffles 10,000 times and counts.

# %%
result = mt.approximate_randomization(bleu, "uedin-wmt12", "QCRI--primary", rng=2014)
result

# %%
assert result.statistic == observed and result.pvalue < 0.01
headline("WMT12 es-en, uedin against QCRI: difference in BLEU", result.statistic, spec="+.2f")
headline("the same pair, approximate randomization: p", result.pvalue, spec=".4f")

# %%
fig = result.plot()
assert fig.axes[0].get_legend() is not None and int(result.extreme.sum()) == result.count
plt.show()

# %% [markdown]
# *What chance does: the difference in BLEU after each of 10,000 shuffles. The dashed lines mark the observed
# difference on either side; almost no shuffle gets there.*
#
# **Verdict.** If the two systems were interchangeable, a difference this large would be very rare.
# We conclude that they are not, and that `uedin-wmt12` scores better *on these sentences, under BLEU*. How this
# works is the subject of notebook 04.
#
# A p-value says that there is a difference, not how large it is, nor whether other sentences would show it. An
# interval from resampled test sets speaks of both (notebook 02):

# %%
mt.confidence_interval(bleu, "uedin-wmt12", "QCRI--primary", rng=2014)

# %% [markdown]
# ## All systems at once
#
# Twelve systems make 66 pairs. Testing them all and reporting what looks good invites false
# claims, so the p-values are corrected for their number (notebook 07).

# %%
everybody = mt.compare_all(bleu, correction="holm", rng=2014)
decided = int((everybody.conclusions().pairs() != 0).sum())
headline("pairs distinguished of 66, BLEU, Holm-corrected at .05", decided)

# %%
fig = everybody.heatmap()
assert set(everybody.conclusions().systems) == set(bleu.systems)
plt.show()

# %% [markdown]
# *Filled: the system of the row is significantly better than that of the column, darker for smaller
# p. Blank: no difference detected.*
#
# Systems that cannot be told apart form clusters, which may overlap (notebook 08).

# %%
groups = mt.clusters(everybody.conclusions())
groups

# %% [markdown]
# ## A caution about independence
#
# The comparison came with a note:

# %%
for note in everybody.notes:
    print(note)
assert any("documents" in note for note in everybody.notes)

# %% [markdown]
# Sentences of the same article resemble each other. If whole documents are exchanged instead of
# sentences, is the verdict the same?

# %%
mt.approximate_randomization(bleu, "uedin-wmt12", "QCRI--primary", units="documents", rng=2014)

# %% [markdown]
# Here it is. It is not always; notebook 12 has the cases.
#
# ## What did people say?
#
# People ranked these systems too. Do the metric and the people draw the same conclusions?

# %%
people = campaign.human.conclusions(alpha=0.05)
mt.agreement(everybody.conclusions(), people, rng=2014)

# %% [markdown]
# ## What this tour did not tell you
#
# - Whether BLEU measures what you care about (notebooks 06 and 10).
# - What happens on other texts, or with another training run of the same systems (12).
# - What to do when a test finds nothing: that is no proof of a tie (12).
#
# ## You can now
#
# - load a campaign, test a pair, read the sentence that a test prints;
# - compare all systems, with a correction, and see who is distinguished from whom;
# - go on: [05](05_shift_to_zero.ipynb) takes apart a test that is wrong, and still in use;
# - look words up: the [glossary](../docs/glossary.md) has one for each idea.
