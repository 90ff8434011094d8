# %% [markdown]
# # 01 · Scores from counts
#
# A score of a test set looks like one number per text. It is a handful of sums, and everything in this
# series rests on that.
#
# **You will be able to**
#
# - compute BLEU from ten counts per sentence;
# - say why BLEU is not the mean of sentence scores;
# - score a *resampled* test set by adding up the counts again, without looking at the text;
# - explain what the brevity penalty does, and what GTM does instead.
#
# *About 20 minutes. No knowledge of statistics needed.*

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.precision = 2

# %% [markdown]
# ## One sentence
#
# A reference translation, and what a system made of it (our own sentence, translated by nobody in particular).

# %%
reference = "the old ferry leaves at noon and returns before dark"
output = "the old ferry leaves at noon and comes back before dark"
bleu = mt.metrics.BLEU()
counts = bleu.statistics([output], [[reference]])[0]
pd.Series(counts, index=bleu.columns).astype(int).to_frame("count").T

# %% [markdown]
# Ten numbers: the two lengths; how many word sequences of one to four words (n-grams) the output has
# (`total`); and how many of them the reference has too (`match`). An n-gram that the output repeats counts as often
# as the reference has it, and no more. These counts are BLEU's **sufficient statistics**: nothing else of a text
# matters to its score.
#
# > **Predict before you run.** What happens to the counts if the output says "the the the"?

# %%
repeated = bleu.statistics(["the the the"], [[reference]])[0]
pd.Series(repeated, index=bleu.columns).astype(int).to_frame("count").T

# %% [markdown]
# ## A test set is a sum
#
# WMT12, Spanish to English: the kit keeps these ten counts for each of 3,003 sentences and 12 systems. (The field says
# *segment*, because a line of a test set may hold more than one sentence; so do the package and the later notebooks.)

# %%
wmt12 = mt.load("wmt12/es-en").statistics("BLEU")
print(wmt12.values.shape, "= systems × sentences × counts")
totals = pd.DataFrame(wmt12.totals(), index=wmt12.systems, columns=wmt12.metric.columns).astype(int)
totals.loc[["onlineB", "uedin-wmt12", "GTH-UPM"]].T

# %% [markdown]
# From these sums, BLEU: the geometric mean of the four precisions, times a penalty for being too short.


# %%
def bleu_of(sums):
    precisions = [sums[f"match_{n}"] / sums[f"total_{n}"] for n in (1, 2, 3, 4)]
    brevity = min(1.0, np.exp(1 - sums["ref_len"] / sums["hyp_len"]))
    return 100 * brevity * np.prod(precisions) ** (1 / 4)


# %%
by_hand = totals.apply(bleu_of, axis=1).sort_values(ascending=False)
assert np.allclose(by_hand, wmt12.scores()[by_hand.index], rtol=1e-12)
by_hand.to_frame("BLEU by hand").T

# %%
headline("WMT12 es-en, onlineB: BLEU from its ten sums", by_hand["onlineB"], spec=".2f")

# %% [markdown]
# ### Which n-grams drive the score?
#
# Koehn (2004) shows in his Table 1 how the precisions of different orders go along with BLEU. Ours, best
# system first:

# %%
precisions = (
    pd.DataFrame(
        {f"{n}-gram": 100 * totals[f"match_{n}"] / totals[f"total_{n}"] for n in (1, 2, 3, 4)}
    )
    .assign(BLEU=by_hand)
    .sort_values("BLEU", ascending=False)
)
precisions.round(1)

# %%
relative = precisions.iloc[-1] / precisions.iloc[0]
relative.to_frame("worst system / best system").T.round(2)

# %%
orders = relative[["1-gram", "2-gram", "3-gram", "4-gram"]]
assert orders.is_monotonic_decreasing

# %% [markdown]
# The longer the n-gram, the further the systems lie apart: BLEU is dominated by the order in which they differ
# most, the 4-grams, which are also the rarest, and so the most subject to chance.
#
# ## Not a mean of sentence scores
#
# Two sentences are enough to see it.

# %%
two = wmt12.select(["uedin-wmt12"]).values[0, :2]
mean_of_two = wmt12.metric.score(two).mean()
score_of_both = wmt12.metric.score(two.sum(axis=0))
print(
    f"mean of the two sentences' scores {mean_of_two:.2f}; score of both together {score_of_both:.2f}"
)
assert abs(mean_of_two - score_of_both) > 0.01

# %% [markdown]
# A t test wants a mean of independent values. BLEU is not one, and neither are NIST, TER, METEOR or chrF: each is
# a function of sums. That is why this field resamples.
#
# ## A resampled test set is a weighted sum
#
# Draw 3,003 sentences from the test set with replacement. Some come twice, some not at all. The score of the new
# test set needs no text: weigh each sentence's counts by how often it was drawn.

# %%
rng = np.random.default_rng(1)
drawn = rng.integers(wmt12.n_segments, size=wmt12.n_segments)
times = np.bincount(drawn, minlength=wmt12.n_segments)
print("how often the first ten sentences were drawn:", times[:10])

# %%
uedin = wmt12.values[wmt12.index("uedin-wmt12")]
by_weights = wmt12.metric.score(times @ uedin)
by_repeating = wmt12.metric.score(uedin[drawn].sum(axis=0))
assert by_weights == by_repeating
print(
    f"BLEU of the resampled test set: {by_weights:.2f} (of the original: {by_hand['uedin-wmt12']:.2f})"
)

# %% [markdown]
# A thousand resamples are a thousand rows of weights, and one matrix product scores them all. That is the whole
# engine of this kit.

# %%
weights = np.array(
    [
        np.bincount(rng.integers(len(uedin), size=len(uedin)), minlength=len(uedin))
        for _ in range(1000)
    ]
)
resampled = wmt12.metric.score(weights @ uedin)
print(f"1,000 resampled test sets: BLEU from {resampled.min():.2f} to {resampled.max():.2f}")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.hist(resampled, 40, color=style.MUTED)
ax.axvline(by_hand["uedin-wmt12"], color=style.EMPHASIS, label="the actual test set")
ax.set(xlabel="BLEU of the resampled test set", ylabel="resamples per bin")
ax.legend()
style.describe(
    fig,
    "Histogram of BLEU on a thousand resampled test sets, one hill around the score of the "
    "actual test set.",
)
assert sum(bar.get_height() for bar in ax.patches) == 1000
plt.show()

# %% [markdown]
# *A thousand test sets that we might have had instead. What this says about the score is the subject of notebook 02.*
#
# ## Too short, too long
#
# Precision alone would reward saying little. BLEU multiplies by a *brevity penalty*; GTM takes the harmonic mean of
# precision and recall instead. Koehn (2004), Figure 1, plots both against the ratio of the lengths, of one text that comes out
# shorter or longer. We have one length of each output. In kind, then: `uedin-wmt12` on resamples that favour sentences which
# came out short, or long. Sentences that are the same number of words too long share their places in a test set; taken as
# they come in the file, they would put bumps into the curve that have nothing to do with length.

# %%
gtm = mt.load("wmt12/es-en").statistics("GTM")
long_by = uedin[:, 0] - uedin[:, 1]  # words more than the reference
_, length, sharing = np.unique(long_by, return_inverse=True, return_counts=True)
last = np.cumsum(sharing)  # the places from shortest to longest, each length's up to here


def window(start):
    """Weights of the sentences in places `start` to `start` + 1000."""
    places = np.minimum(last, start + 1000) - np.maximum(last - sharing, start)
    return (places.clip(min=0) / sharing)[length]


weights = np.array([window(start) for start in range(0, len(uedin) - 1000, 50)])
assert np.allclose(weights.sum(axis=1), 1000)

# %%
sums, gtm_sums = weights @ uedin, weights @ gtm.values[gtm.index("uedin-wmt12")]
curve = pd.DataFrame(
    {
        "length ratio": sums[:, 0] / sums[:, 1],
        "BLEU": wmt12.metric.score(sums),
        "GTM": 100 * gtm.metric.score(gtm_sums),
    }
)
for name in ("BLEU", "GTM"):
    falls = curve[name].diff().dropna() < 0
    assert falls.is_monotonic_increasing and falls.any() and not falls.all()  # up, then down
curve.iloc[::10]

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for name, colour, marker in (("BLEU", style.BLUE, "o"), ("GTM", style.VERMILION, "s")):
    ax.plot(
        curve["length ratio"],
        curve[name] / curve[name].max(),
        color=colour,
        marker=marker,
        markersize=4,
        label=name,
    )
ax.axvline(1, color="black", linewidth=0.8, linestyle="--")
ax.set(xlabel="words of the output / words of the reference", ylabel="score, relative to its best")
ax.legend()
style.describe(
    fig,
    "BLEU and GTM, each relative to its best, against the ratio of the lengths: both rise up "
    "to about 1, BLEU falls behind GTM on both sides.",
)
assert len(ax.lines[0].get_xdata()) == len(curve)
plt.show()

# %% [markdown]
# *Each point is a test set of 1,000 sentences chosen by length, so the points differ in their sentences, too, not in length
# alone. Both scores fall towards either side. When an output is too long, BLEU loses precision in four orders at once, GTM in
# one, and gains recall.*
#
# ## Other metrics, the same idea
#
# Every metric of this kit says which counts it needs and how their sums make a score.

# %%
campaign = mt.load("wmt12/es-en")
families = {name: campaign.statistics(name) for name in campaign.metrics}
pd.DataFrame(
    {
        "counts per sentence": {name: len(s.metric.columns) for name, s in families.items()},
        "better is": {
            name: "higher" if s.metric.higher_is_better else "lower" for name, s in families.items()
        },
        "uedin-wmt12": {name: s.scores()["uedin-wmt12"] for name, s in families.items()},
    }
)

# %% [markdown]
# A metric that *is* a mean of sentence scores, such as COMET or the ratings of people, fits in with two counts: the
# score and the weight (`mt.from_segment_scores`).
#
# ## What a score does not tell you
#
# Whether a difference between two of them means anything. A score comes without a margin; the next notebook
# gives it one.
#
# ## You can now
#
# - read a metric as counts, sums and a formula;
# - score any resample of a test set by a weighted sum;
# - say why averages of sentence scores will not do for BLEU.
#
# ## Try it yourself
#
# 1. Which system of `wmt12/es-en` pays a brevity penalty? Find out from `totals`.
# 2. Leave the 4-grams out of `bleu_of`. Does the ranking change?
# 3. Take every second sentence. How much do the scores move? (Keep your answer for notebook 02.)
#
# ## Further reading
#
# - Papineni, K., Roukos, S., Ward, T. & Zhu, W.-J. (2002). *BLEU: a method for automatic evaluation of machine
#   translation.* ACL, P02-1040.
# - Melamed, I. D., Green, R. & Turian, J. P. (2003). *Precision and recall of machine translation.* N03-2021.
# - Koehn, P. (2004). *Statistical significance tests for machine translation evaluation.* W04-3250. Section 2, Table 1,
#   Figure 1.
# - Post, M. (2018). *A call for clarity in reporting BLEU scores.* W18-6319.
