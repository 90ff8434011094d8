# %% [markdown]
# # 07 · Many systems
#
# Twenty systems make 190 pairs. At a level of 5 % each, chance alone has 190 tries. This notebook counts what it
# does with them, and what can be done about it.
#
# **You will be able to**
#
# - say how likely at least one false claim is, and measure it on systems that do not differ at all;
# - correct p-values by hand after Bonferroni, Holm, and Benjamini & Hochberg;
# - derive three corrections that use the resamples: Westfall & Young's, Romano & Wolf's, the randomised Tukey test;
# - choose between them by their measured error and power;
# - state the family, without which a corrected p-value means nothing.
#
# *Before this: notebook 04 (approximate randomization). About 40 minutes.*

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import norm, studentized_range

import mtsig_nb as mt
from mtsig_nb import plots
from mtsig_nb.engine.proportions import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable, side_by_side

pd.options.display.precision = 4

# %% [markdown]
# ## A question
#
# WMT21, English to German: twenty systems, 1,002 sentences. Which of them differ in BLEU? Test every pair, as
# notebook 04 tested one.

# %%
bleu = mt.load("wmt21/en-de").statistics("BLEU")
n_pairs = len(list(itertools.combinations(bleu.systems, 2)))
print(f"{len(bleu.systems)} systems, {n_pairs} pairs, {bleu.n_segments:,} sentences")
assert (len(bleu.systems), n_pairs, bleu.n_segments) == (20, 190, 1002)

# %%
uncorrected = mt.compare_all(bleu, correction=None, interval=None, rng=2021)
claims = int((uncorrected.table["pvalue"] <= 0.05).sum())
headline("WMT21 en-de, BLEU: pairs of 190 with p ≤ .05, uncorrected", claims)

# %% [markdown]
# That is a lot of claims. How many of them are false? We cannot know, because nobody knows the truth about these
# systems. So let us make twenty systems about which we do.
#
# ## Twenty systems that do not differ
#
# For every sentence, shuffle the twenty outputs and deal them out to twenty pseudo-systems, like cards.
# The sentences, the outputs and their oddities are real; the differences between pseudo-systems are luck and nothing
# else. Whatever is claimed about them is false.
#
# **Null hypothesis (complete).** No system differs from any other: within each sentence, all outputs are
# exchangeable.
#
# **Alternative hypothesis.** At least two systems differ.
#
# The statistic, for now, is the number of pairs with p ≤ .05. Large values speak against the null hypothesis, and the
# smallest value that is a false claim is one.

# %%
dealer = np.random.default_rng(2020)
names = [f"{k:02}" for k in range(1, 21)]


def deal(statistics):
    """Twenty pseudo-systems: each sentence's outputs dealt out at random."""
    hands = dealer.permuted(np.tile(np.arange(20), (statistics.n_segments, 1)), axis=1)
    values = statistics.values[hands.T, np.arange(statistics.n_segments)]
    return mt.SufficientStatistics(statistics.metric, names, values)


deal(bleu).scores().round(2).head(3).to_frame().T

# %% [markdown]
# > **Predict before you run.** 190 pairs at a level of .05: how many false claims do you expect in one deal? And how
# > often none at all?


# %%
def false_claims(statistics, seed):
    """The pairs with p ≤ .05, by approximate randomization; 199 shuffles are enough for that level."""
    table = mt.compare_all(
        statistics, correction=None, interval=None, n_resamples=199, rng=seed
    ).table
    return table.loc[table["pvalue"] <= 0.05, ["system_a", "system_b"]].astype(int)


print(f"one deal: {len(false_claims(deal(bleu), seed=0))} false claims")

# %% [markdown]
# Run the last cell a few times: it deals anew each time, and the number jumps. Then 200 deals.

# %%
dealer = np.random.default_rng(2021)  # the same 200, however often the cell above was run
deals = [false_claims(deal(bleu), seed) for seed in range(200)]
counts = np.array([len(found) for found in deals])
any_claim = int((counts > 0).sum())
print(
    f"false claims per deal: mean {counts.mean():.1f}, largest {counts.max()}; none in {200 - any_claim} deals"
)

# %%
low, high = clopper_pearson(any_claim, 200)
headline(
    "twenty systems without a difference: share of 200 deals with a false claim",
    any_claim / 200,
    spec=".3f",
)
print(
    f"95 % interval {low:.3f} to {high:.3f}; mean number of false claims / 190 = {counts.mean() / 190:.3f}"
)
assert low > 0.8 and abs(counts.mean() / 190 - 0.05) < 0.012

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.hist(counts, np.arange(-0.5, counts.max() + 2.5, 2), color=style.MUTED, edgecolor="white")
ax.axvline(0.05 * n_pairs, linestyle="--", color=style.EMPHASIS, label="5 % of 190 pairs")
ax.set(xlabel="false claims among 190 pairs", ylabel="deals (of 200), in bins of two")
ax.legend()
style.describe(
    fig,
    "Histogram of the number of false claims in 200 deals, spread widely around five per cent"
    " of 190.",
)
assert sum(bar.get_height() for bar in ax.patches) == 200
plt.show()

# %% [markdown]
# *Each test keeps its promise: on average one pair in twenty is called different. The experiment as a whole does
# not: few deals are without a false claim. The spread is wide because pairs share systems: one pseudo-system that is
# lucky wins many of its pairs at once.*
#
# ## The arithmetic
#
# The chance of one false claim or more is the **experimentwise** or **family-wise error**. If the $k$
# comparisons were independent, each made at level α, it would be $1 - (1 - \alpha)^k$. Riezler & Maxwell (2005,
# section 4.4) give two examples: 105 comparisons at .05, and 5 comparisons at .015.

# %%
for k, level in ((105, 0.05), (5, 0.015)):
    by_hand = 1 - (1 - level) ** k
    assert np.isclose(by_hand, mt.experimentwise_error(k, level))
    headline(
        f"experimentwise error of {k} independent comparisons at {level:g}", by_hand, spec=".4f"
    )

# %%
assert f"{mt.experimentwise_error(105, 0.05):.4f}" == "0.9954"  # as they print it
assert f"{mt.experimentwise_error(5, 0.015):.2f}" == "0.07"
print(
    f"level for each of 105, so that all together have .05: {mt.level_for_experimentwise_error(105, 0.05):.6f}"
)

# %% [markdown]
# 105 comparisons are what 15 systems give. But pairs that share a system are *not* independent. How far does the
# formula overstate? Our deals know: look at the first $n$ pseudo-systems only.

# %%
first_at = np.array(
    [found.max(axis=1).min() for found in deals]
)  # a claim among the first n, for n ≥ this
sizes = np.array([2, 3, 5, 8, 12, 15, 20])
share = np.array([(first_at <= n).mean() for n in sizes])
low, high = clopper_pearson((200 * share).round().astype(int), 200)

# %%
all_pairs = sizes * (sizes - 1) // 2
families = pd.DataFrame(
    {"systems": sizes, "pairs": all_pairs, "measured": share, "low": low, "high": high}
)
families["if independent"] = [mt.experimentwise_error(k, 0.05) for k in all_pairs]
families["Tukey's range"] = studentized_range.sf(1.96 * np.sqrt(2), sizes, np.inf)
families.round(3)

# %% [markdown]
# The last column is Tukey's: the chance that the *range* of $n$ independent means exceeds what one pair at .05 may
# show. It takes into account that $n$ systems, not $n(n-1)/2$ pairs, were drawn.

# %%
inside = families["Tukey's range"].between(families["low"], families["high"])
assert inside.all() and (families["measured"] <= families["if independent"] + 0.05).all()

# %%
n = np.arange(2, 21)


def family_wise_error(alpha):
    """For 2 to 20 systems without differences: if pairs were independent, and by Tukey's range."""
    independent = [mt.experimentwise_error(pairs, alpha) for pairs in n * (n - 1) // 2]
    return independent, studentized_range.sf(norm.isf(alpha / 2) * np.sqrt(2), n, np.inf)


# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.6, 3.9), layout="constrained")
independent, tukey = family_wise_error(0.05)
ax.plot(n, independent, color=style.BLUE, linestyle="--", label="if all pairs were independent")
ax.plot(n, tukey, color=style.GREEN, label="Tukey's range")
whiskers = [families["measured"] - families["low"], families["high"] - families["measured"]]
ax.errorbar(
    sizes,
    share,
    whiskers,
    fmt="o",
    color=style.VERMILION,
    capsize=3,
    label="200 deals of real outputs",
)
ax.axhline(0.05, color="black", linewidth=0.8)
ax.text(20, 0.06, "level of each comparison: .05", ha="right", va="bottom", fontsize="small")
ax.set(
    xlabel="systems compared, all pairs",
    ylabel="share with a false claim",
    ylim=(0, 1.02),
    xticks=range(2, 21, 2),
)
ax.legend(loc="center right")
style.describe(
    fig,
    "Share of deals with a false claim against the number of systems: measured points follow "
    "the curve of Tukey's range, below that of independent pairs, and both climb far above "
    ".05.",
)
assert len(ax.lines[0].get_xdata()) == 19
plt.show()

# %% [markdown]
# *Family-wise error when no system differs, every pair tested at .05, with 95 % intervals. Sharing systems makes it smaller
# than the formula says, and nowhere near small enough.*
#
# > **Predict before you run.** Test every pair at .01 instead. How many systems until a false claim is as likely as not?


# %%
def chance_of_a_false_claim(ax, alpha):
    independent, tukey = family_wise_error(alpha)
    ax.plot(n, independent, "--", color=style.BLUE, label="independent pairs")
    ax.plot(n, tukey, color=style.GREEN, label="Tukey's range")
    ax.axhline(alpha, color="black", linewidth=0.8)
    ax.set(
        xlabel="systems",
        ylabel="chance of a false claim",
        ylim=(0, 1.02),
        xticks=[2, 5, 10, 15, 20],
    )
    ax.set_title(
        f"each pair at {alpha:g}; 20 systems: {tukey[-1]:.2f}", loc="left", fontsize="medium"
    )


# %%
fig = side_by_side(
    chance_of_a_false_claim,
    "Chance of a false claim against the number of systems for levels .01, .05 and .1: the "
    "curves climb far above the level in every panel.",
    alpha=[0.01, 0.05, 0.1],
)
fig.axes[0].legend(fontsize="small", loc="upper left")
assert [len(ax.lines) for ax in fig.axes] == [3, 3, 3]
plt.show()

# %% [markdown]
# *A stricter level for each pair postpones the problem. In a running notebook the next cell has a slider for the level; find the one that keeps
# twenty systems at .05.*

# %% tags=["nbval-ignore-output"]
movable(chance_of_a_false_claim, alpha=[0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1])

# %% [markdown]
# ## Bonferroni and Holm, by hand
#
# Five of the twenty systems, every second sentence, ten pairs.

# %%
five = bleu.select(["WeChat-AI", "NVIDIA-NeMo", "HuaweiTSC", "Online-A", "Manifold"])
five = five.subset(np.arange(0, five.n_segments, 2))
shuffled = mt.compare_all(five, correction=None, interval=None, n_resamples=2000, rng=7)
small = shuffled.table[["system_a", "system_b", "difference", "pvalue"]].sort_values(
    "pvalue", ignore_index=True
)
small

# %% [markdown]
# **Bonferroni.** A level of α for ten comparisons is a level of α/10 for each. Or, which is the same, multiply each
# p-value by ten. Why it works: the chance that *one or another* of ten things happens is at most the sum of their
# chances, however they depend on each other.

# %%
p = small["pvalue"].to_numpy()
bonferroni = np.minimum(1, len(p) * p)
assert np.array_equal(bonferroni, mt.adjust_pvalues(p, "bonferroni"))

# %% [markdown]
# **Holm.** Start with the smallest p-value and multiply it by ten. If it still passes, multiply the next one by nine. And
# so on; but a p-value never becomes smaller than the one before it, for once a comparison fails, all later ones do. Why it
# works: go down the list to the first *true* null hypothesis. All the true ones stand there or further down, so they are no
# more than the number that its p-value is multiplied by; and that the smallest p-value of so many true ones passes has,
# after Bonferroni, at most the chance α. If it does not pass, nothing below it does, and no claim is false.

# %%
holm, so_far = [], 0
for still_open, value in zip(range(len(p), 0, -1), p, strict=True):
    so_far = min(1, max(so_far, still_open * value))
    holm.append(so_far)
assert np.allclose(holm, mt.adjust_pvalues(p, "holm"), rtol=1e-12)

# %%
small = small.assign(bonferroni=bonferroni, holm=holm)
small

# %%
passed = (small[["pvalue", "bonferroni", "holm"]] <= 0.05).sum()
print(passed.rename("pairs with p ≤ .05").to_string())
assert (small["holm"] <= small["bonferroni"]).all() and passed["holm"] > passed["bonferroni"]

# %% [markdown]
# Holm's p-values are never larger than Bonferroni's, and both assume nothing about how the tests depend on each
# other. There is no reason to prefer Bonferroni, except that it can be done in the head.
#
# ### Too few resamples
#
# A p-value from $R$ shuffles is at least $1/(R+1)$. Multiply that by 190:

# %%
hurried = mt.compare_all(bleu, correction="holm", interval=None, n_resamples=1000, rng=2021)
decided = int((hurried.table["pvalue_adjusted"] <= 0.05).sum())
print(f"{190 / 1001:.3f} = the smallest corrected p-value; {decided} pairs distinguished")
print(next(note for note in hurried.notes if "too few" in note))
assert decided == 0 < claims

# %% [markdown]
# The systems have not become alike; we have not drawn enough. The package says so, and how many it takes.
#
# ## Another promise: the false discovery rate
#
# Holm promises that *no* claim is false, except in 5 % of experiments. One may be content with less: that of the
# claims made, at most 5 % are false on average. That is the **false discovery rate**. Benjamini & Hochberg (1995): the
# $i$-th smallest of $m$ p-values is multiplied by $m/i$, and none may be larger than the one after it.

# %%
m, adjusted = len(p), p.copy()
for i in range(m, 0, -1):
    larger = adjusted[i] if i < m else 1
    adjusted[i - 1] = min(larger, p[i - 1] * m / i)
assert np.allclose(adjusted, mt.adjust_pvalues(p, "benjamini-hochberg"), rtol=1e-12)
print(f"claims at .05: Holm {passed['holm']}, Benjamini & Hochberg {(adjusted <= 0.05).sum()}")

# %% [markdown]
# Suitable for screening (which of 200 variants shall we look at?), not for "system A is better than system B" in a paper: any
# single one of the claims may be the false one.
#
# ## Using what the pairs share
#
# Holm must reckon with the worst kind of dependence. But we *have* the dependence: all pairs were shuffled with the same
# coins. Westfall & Young (1993) compare each pair not with its own null distribution but with that of the **largest**
# difference among all pairs in the same shuffle. Lucky pseudo-systems, shared by many pairs, then count once.

# %%
from mtsig_nb.engine.resampling import swap_masks

ranked = five.select(five.scores().index)  # best first, as the package lists pairs
pairs = list(itertools.combinations(range(5), 2))
keep = np.concatenate(
    [swap_masks(500, ranked.n_segments, seed=7, key=(block,)) for block in range(4)]
).astype(float)
values, score, R = ranked.values, ranked.metric.score, len(keep)


# %%
def shuffled_differences(a, b):
    """The pair's difference under each of the 2,000 shuffles, as in notebook 04."""
    A, B = values[a], values[b]
    return score(keep @ A + (1 - keep) @ B) - score(keep @ B + (1 - keep) @ A)


# %%
observed = np.array([score(values[a].sum(axis=0)) - score(values[b].sum(axis=0)) for a, b in pairs])
pseudo = np.stack([shuffled_differences(a, b) for a, b in pairs], axis=1)
assert np.array_equal(
    (np.sum(abs(pseudo) >= abs(observed) - 1e-9, axis=0) + 1) / (R + 1), shuffled.table["pvalue"]
)

# %% [markdown]
# Pairs of similar systems vary less than pairs of unlike ones. To compare them, divide each by the spread of its own
# shuffles (the observed arrangement is one of them).

# %%
spread = np.sqrt((observed**2 + (pseudo**2).sum(axis=0)) / (R + 1))
z, pseudo_z = abs(observed) / spread, abs(pseudo) / spread
one_shuffle = pseudo_z[0]
print(f"one shuffle: the ten pairs at {one_shuffle.round(2)}, the largest {one_shuffle.max():.2f}")

# %% [markdown]
# > **Predict before you run.** A single pair exceeds 1.96 in 5 % of the shuffles. What does the *largest of ten*
# > exceed in 5 % of them: 1.96, 2.7, or 19.6?

# %%
largest = pseudo_z.max(axis=1)
of_one, of_ten = np.quantile(pseudo_z[:, 0], 0.95), np.quantile(largest, 0.95)
print(f"exceeded in 5 % of shuffles: by one pair {of_one:.2f}, by the largest of ten {of_ten:.2f}")
assert 1.8 < of_one < 2.1 and 2.4 < of_ten < 2.9

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.8, 3.6), layout="constrained")
bins = np.linspace(0, max(z.max(), largest.max()) * 1.01, 50)
ax.hist(pseudo_z[:, 0], bins, color=style.MUTED, label="one pair")
ax.hist(
    largest,
    bins,
    histtype="step",
    linewidth=2,
    color=style.BLUE,
    label="the largest of ten pairs",
)
ax.axvline(of_ten, color=style.BLUE, linestyle="--", label="exceeded by it in 5 % of shuffles")
ax.plot(
    z,
    np.full(10, -6),
    "|",
    markersize=12,
    color=style.VERMILION,
    label="the ten observed",
    clip_on=False,
)
ax.set(
    xlabel="difference in BLEU, in spreads of its own shuffles",
    ylabel="shuffles per bin",
    ylim=(-14, None),
)
ax.legend(fontsize="small")
style.describe(
    fig,
    "Histograms of the shuffled difference of one pair and of the largest of ten pairs, which"
    " lies further right; marks below show the ten observed differences.",
)
assert sum(bar.get_height() for bar in ax.patches[:49]) == R
plt.show()

# %% [markdown]
# *What chance does to one pair, and to the luckiest of ten. Observed differences to the right of the dashed line are
# more than the luckiest pair would show by chance.*
#
# **Step-down.** As with Holm: once the largest is rejected, ask about the largest *of the rest*.


# %%
def step_down(z, pseudo_z):
    """Adjusted p-values: each pair against the largest among those not yet dealt with."""
    adjusted, so_far, remaining = np.empty(len(z)), 0, list(np.argsort(-z))
    while remaining:
        largest = pseudo_z[:, remaining].max(axis=1)
        count = np.sum(largest >= z[remaining[0]] - 1e-9)
        so_far = max(so_far, (count + 1) / (len(pseudo_z) + 1))
        adjusted[remaining.pop(0)] = so_far
    return adjusted


westfall_young = step_down(z, pseudo_z)

# %%
package = mt.compare_all(
    five, correction="westfall-young", interval=None, n_resamples=2000, rng=7
).table
assert np.array_equal(westfall_young, package["pvalue_adjusted"])
print("loop and package agree, pair by pair")

# %% [markdown]
# **Romano & Wolf** (2005) is the same, on the bootstrap: resamples lie around the observed difference, so subtract it
# (notebook 05), scale, and step down.

# %%
from mtsig_nb.engine.resampling import bootstrap_counts

times = np.concatenate(
    [bootstrap_counts(500, ranked.n_segments, seed=7, key=(b,)) for b in range(4)]
).astype(float)
resampled = score(np.einsum("ri,sic->src", times, values, optimize=True))  # (systems, resamples)
centred = np.stack([resampled[a] - resampled[b] for a, b in pairs], axis=1) - observed
spread_b = np.sqrt((centred**2).sum(axis=0) / (R + 1))
romano_wolf = step_down(abs(observed) / spread_b, abs(centred) / spread_b)

# %%
options = {"interval": None, "n_resamples": 2000, "rng": 7}
package = mt.compare_all(five, test="bootstrap", correction="romano-wolf", **options).table
assert np.array_equal(romano_wolf, package["pvalue_adjusted"])

# %% [markdown]
# **The randomised Tukey test.** Riezler & Maxwell point to Tukey; Carterette (2012) uses its randomised form for search
# engines. Do what we did at the beginning: deal *all* systems' outputs out within each sentence, and look at the
# difference between the best and the worst pseudo-system. One null distribution serves all pairs.

# %%
from mtsig_nb.engine.tukey import random_permutations


def one_range(slots):
    """Best less worst score after dealing; `slots` says which pseudo-system gets each output."""
    hands = [values[slots == slot].sum(axis=0) for slot in range(5)]
    return np.ptp(score(np.array(hands)))


deals_of_five = [
    random_permutations(500, ranked.n_segments, 5, seed=7, key=(block, 0)) for block in range(4)
]
print(f"one range: {one_range(deals_of_five[0][:, 0]):.2f} BLEU")

# %%
ranges = np.array([one_range(block[:, r]) for block in deals_of_five for r in range(500)])
tukey = np.array([(np.sum(ranges >= abs(d) - 1e-9) + 1) / (R + 1) for d in observed])
package = mt.compare_all(five, correction="tukey", **options).table
assert np.array_equal(tukey, package["pvalue_adjusted"])

# %%
by_each = shuffled.table[["system_a", "system_b", "difference", "pvalue"]].assign(
    holm=mt.adjust_pvalues(shuffled.table["pvalue"], "holm"),
    westfall_young=westfall_young,
    romano_wolf=romano_wolf,
    tukey=tukey,
)
by_each.round(4)

# %%
undecided = by_each[by_each["pvalue"] > 0.005]  # the rest are near the floor of 2,000 shuffles
ratios = undecided[["westfall_young", "romano_wolf", "tukey"]].div(undecided["holm"], axis=0)
assert (ratios[["westfall_young", "romano_wolf"]] < 1).all(axis=None) and (
    ratios["tukey"] > 1
).any()
ratios.agg(["min", "max"]).rename_axis("p / Holm's p").round(2)

# %% [markdown]
# Westfall–Young and Romano–Wolf use the dependence, and come out below Holm wherever something is open. Tukey's single
# yardstick is shorter for some pairs and longer for others. Smaller p-values are only good news if the promise is kept. So, to
# the test of the tests.
#
# (There are more: Šidák, Hochberg, Hommel, Benjamini–Yekutieli, minP.
# [`mtsig_nb/significance/corrections.py`](../mtsig_nb/significance/corrections.py) says of each what it controls and what it assumes.)
#
# ## Which of them keep their promise?
#
# A population whose truth is known: 16 systems, a test set of 60 sentences. Sentences differ in difficulty, which all systems
# share; each system has an ability of its own, and noise. These are not real outputs; the score is a mean of
# sentence scores, as with COMET. Three worlds:
#
# - **complete null**: all 16 systems have the same ability (120 true null hypotheses);
# - **partial null**: eight have the same ability, eight are better in even steps (28 true null hypotheses, 92 true differences);
# - **uneven**: all have the same ability, but two of them vary four times as much from sentence to sentence.

# %%
K, N, CAMPAIGNS = 16, 60, 400
level, steady = np.zeros(K), np.ones(K)
steps = np.concatenate([np.zeros(8), 0.35 * np.arange(1, 9)])
noisy = np.concatenate([[4, 4], np.ones(14)])
worlds = {
    "complete null": (level, steady),
    "partial null": (steps, steady),
    "uneven": (level, noisy),
}


# %%
def campaign(ability, noise, rng):
    """Scores of one test set, (systems, sentences): ability + difficulty of the sentence + noise."""
    difficulty = rng.standard_t(5, N)
    return ability[:, None] + difficulty + noise[:, None] * rng.standard_normal((K, N))


# %% [markdown]
# The coins are drawn once, 2,500 shuffles; Holm needs 2,399 for 120 comparisons. Romano–Wolf and Tukey make do with 500, since they
# multiply nothing.

# %%
signs = (
    2 * np.concatenate([swap_masks(500, N, seed=1, key=(k,)) for k in range(5)]).astype(np.float32)
    - 1
)
drawn = bootstrap_counts(500, N, seed=1).astype(np.float32)
hands = np.argsort(
    random_permutations(500, N, K, seed=1), axis=0
)  # whose output each pseudo-system gets
one, other = np.triu_indices(K, 1)


# %%
def scaled(d, pseudo):
    """Differences and pseudo-differences in spreads of the latter."""
    spread = np.sqrt((pseudo**2).sum(axis=0) / len(pseudo))
    return abs(d) / spread, abs(pseudo) / spread


def quick_step_down(z, pseudo_z):
    """`step_down` without the loop: running maxima from the last pair to the first."""
    order = np.argsort(-z)
    largest = np.maximum.accumulate(pseudo_z[:, order[::-1]], axis=1)[:, ::-1]
    counts = np.sum(largest >= z[order], axis=0)
    return np.maximum.accumulate((counts + 1) / (len(pseudo_z) + 1))[np.argsort(order)]


assert np.allclose(quick_step_down(z, pseudo_z), westfall_young, atol=2 / R)


# %%
def all_corrections(scores):
    """Adjusted p-values of the 120 pairs, by each correction."""
    d = ((scores[one] - scores[other]) / N).astype(np.float32)  # (pairs, sentences)
    seen, shuffled = d.sum(axis=1), signs @ d.T
    p = (np.sum(abs(shuffled) >= abs(seen), axis=0) + 1) / (len(signs) + 1)
    ranges = np.sort(np.ptp(scores[hands, np.arange(N)].mean(axis=2), axis=0))
    return {
        "no correction": p,
        "Holm": mt.adjust_pvalues(p, "holm"),
        "Benjamini-Hochberg": mt.adjust_pvalues(p, "benjamini-hochberg"),
        "Westfall-Young": quick_step_down(*scaled(seen, shuffled)),
        "Romano-Wolf": quick_step_down(*scaled(seen, drawn @ d.T - seen)),
        "randomised Tukey": (np.sum(ranges[:, None] >= abs(seen), axis=0) + 1) / 501,
    }


# %% [markdown]
# Before believing it, compare it with the package on one campaign.

# %%
scores = campaign(*worlds["partial null"], np.random.default_rng(3))
scores = scores[np.argsort(-scores.mean(axis=1))]  # best first, as the package lists pairs
values_and_weights = np.stack([scores, np.ones_like(scores)], axis=-1)
simulated = mt.SufficientStatistics(mt.metrics.SegmentMean(), names[:K], values_and_weights)

# %%
by_hand = all_corrections(scores)
for name, correction in (("Holm", "holm"), ("Westfall-Young", "westfall-young")):
    package = mt.compare_all(
        simulated, correction=correction, interval=None, n_resamples=2500, rng=1
    ).table
    assert np.allclose(by_hand[name], package["pvalue_adjusted"], atol=0.003)  # a count or so apart
print("simulation and package agree")

# %% [markdown]
# Now 400 campaigns of each world. A claim is false if it is about two systems of the same ability. (In the uneven world, pairs of a
# noisy and a steady system are not exchangeable, though equally able: a claim about them is false all the same.)


# %%
def simulate(ability, noise, seed=2021):
    """For each campaign and correction: false claims, and true differences found, at .05."""
    rng, rows = np.random.default_rng(seed), []
    same = ability[one] == ability[other]
    for number in range(CAMPAIGNS):
        for name, p in all_corrections(campaign(ability, noise, rng)).items():
            claimed = p <= 0.05
            rows.append((number, name, (claimed & same).sum(), (claimed & ~same).sum()))
    return pd.DataFrame(rows, columns=["campaign", "correction", "false", "true"])


outcomes = {world: simulate(*truth) for world, truth in worlds.items()}


# %%
def share_with_a_false_claim(outcome):
    """Share of campaigns with a false claim, with Clopper-Pearson limits."""
    hits = (outcome["false"] > 0).groupby(outcome["correction"], sort=False).sum()
    low, high = clopper_pearson(hits, CAMPAIGNS)
    return pd.DataFrame({"rate": hits / CAMPAIGNS, "low": low, "high": high})


errors = {world: share_with_a_false_claim(outcome) for world, outcome in outcomes.items()}
pd.concat(errors, axis=1).round(3)

# %% tags=["hide-input"]
fig, axes = plt.subplots(3, 1, figsize=(7.4, 8.4), layout="constrained")
for ax, (world, table) in zip(axes, errors.items(), strict=True):
    plots.error_rates(table, level=0.05, ax=ax)
    ax.set(xlim=(0, 1), xlabel="share of campaigns with a false claim")
    ax.set_title(world, loc="left")
    assert [bar.get_width() for bar in ax.patches] == table["rate"].tolist()
style.describe(
    fig,
    "Family-wise error of each correction, as bars with intervals, in three kinds of "
    "campaign; a line marks .05.",
)
plt.show()

# %% [markdown]
# *Family-wise error of 16 systems in three worlds, 400 simulated campaigns each, with 95 % Clopper–Pearson intervals. The dashed
# line is the promise; bars are red where the whole interval lies above it.*

# %%
for correction in (
    "Holm",
    "Westfall-Young",
):  # no breach that 400 campaigns could show, in any world
    assert all(table.loc[correction, "low"] <= 0.05 for table in errors.values())
    rates = ", ".join(f"{table.loc[correction, 'rate']:.3f}" for table in errors.values())
    headline(f"family-wise error at .05, {correction}: complete null, partial null, uneven", rates)

# %%
assert errors["uneven"].loc["randomised Tukey", "low"] > 0.05  # what fails, and where
assert errors["complete null"].loc["Romano-Wolf", "low"] > 0.05
assert errors["partial null"].loc["Benjamini-Hochberg", "low"] > 0.05
tukey_rate = errors["uneven"].loc["randomised Tukey", "rate"]
headline("family-wise error at .05, randomised Tukey, uneven", tukey_rate, spec=".3f")

# %% [markdown]
# Read the three failures:
#
# - The **randomised Tukey test** mixes the outputs of all systems. Two systems that vary more than the rest are measured by
#   the rest's yardstick, and their luck looks like a difference. Pairwise shuffles measure every pair by its own.
# - **Romano–Wolf** inherits the bootstrap's optimism on 60 sentences. Is it better on larger test sets? Exercise 2.
# - **Benjamini–Hochberg** fails a promise that it never made. Its own it keeps:

# %%
claimed = outcomes["partial null"].query("correction == 'Benjamini-Hochberg'")
false_share = (claimed["false"] / (claimed["false"] + claimed["true"]).clip(lower=1)).mean()
print(
    f"partial null, Benjamini-Hochberg: {100 * false_share:.1f} % of its claims are false on average"
)
assert false_share < 0.05

# %% [markdown]
# And Westfall–Young? Its proof asks for *subset pivotality*: what the true null hypotheses do together must not depend on
# the other ones. Here a pair's shuffles depend on its own two systems only, and one coin turns round all differences of a
# sentence together, which preserves their variances and correlations. For a mean over many sentences these are what
# matters; exact it is only where the differences of a sentence, all together, are as likely as their opposites. For BLEU it
# holds about as well as BLEU's differences add up. Hence the simulation of a partial null.
#
# ### Power
#
# Of the 92 true differences of the partial null, how many are found?

# %%
truth = outcomes["partial null"].pivot(index="campaign", columns="correction", values="true")
power = (truth.mean() / 92).sort_values(ascending=False)
power.to_frame("share of true differences found").round(3)

# %%
gain = (truth["Westfall-Young"] - truth["Holm"]) / 92
margin = 1.96 * gain.std(ddof=1) / np.sqrt(len(gain))
headline("power of Westfall-Young less that of Holm, partial null", gain.mean(), spec="+.3f")
print(f"95 % interval {gain.mean() - margin:+.3f} to {gain.mean() + margin:+.3f}")
assert gain.mean() - margin > 0 and power["randomised Tukey"] < power["Holm"]

# %% [markdown]
# ## Which one is the default?
#
# `compare_all` corrects after **Holm** unless told otherwise. It is the one whose promise holds by proof, whatever the dependence, for
# every test that gives valid p-values, and for families that share no resamples. The price is a little power, and enough
# resamples. If those are dear, or you want the power, ask for `correction="westfall-young"`: it kept its promise in
# every world above, as far as 400 campaigns can tell. The randomised Tukey test is here because the literature points to it; the numbers say when not to use it.
#
# And intervals? By default each is for its pair alone, and may leave zero out where no difference was detected; the result
# says in how many pairs. `interval="simultaneous"` measures all by the largest resampled difference of them all, so that they
# hold together. They agree with the *first* step of Romano–Wolf; whoever steps down may distinguish a pair more.
# How often [any correction errs, and any interval misses](../docs/trust.md), depends on the data.
#
# ## The twenty systems again

# %%
tests = {
    "no correction": uncorrected.table["pvalue"],
    "Holm": mt.adjust_pvalues(uncorrected.table["pvalue"], "holm"),
    "Benjamini-Hochberg": mt.adjust_pvalues(uncorrected.table["pvalue"], "benjamini-hochberg"),
}
stepped = mt.compare_all(bleu, correction="westfall-young", interval=None, rng=2021)
tests["Westfall-Young"] = stepped.table["pvalue_adjusted"]
levels = (0.05, 0.01, 0.001)
pd.DataFrame(
    {name: [int((p <= a).sum()) for a in levels] for name, p in tests.items()}, index=levels
).T

# %% [markdown]
# Compare the last two columns: 190 times the floor of 10,000 shuffles is more than .01, so at strict levels Holm has nothing to
# work with, while Westfall–Young has.

# %%
at_01 = {name: int((p <= 0.01).sum()) for name, p in tests.items()}
assert 190 / 10_001 > 0.01 and at_01["Holm"] == 0 < at_01["Westfall-Young"]
at_05 = int((tests["Westfall-Young"] <= 0.05).sum())
headline("WMT21 en-de, BLEU: pairs of 190 distinguished at .05, Westfall-Young", at_05)

# %%
fig = stepped.heatmap()
shown = np.asarray(fig.axes[0].collections[0].get_array().filled(0)).ravel()
assert (shown > 0).sum() == (stepped.table["pvalue_adjusted"] <= 0.05).sum()
plt.show()

# %% [markdown]
# *Twenty systems, after Graham et al. (2014), Figure 8: a filled cell says that the system of its row is significantly better than
# that of its column, darker for smaller corrected p. Near the diagonal the systems are too close to call.*
#
# And Graham et al.'s own campaign, WMT12 Spanish to English. They did not correct.

# %%
spanish = mt.load("wmt12/es-en").statistics("BLEU")
as_they_did = mt.compare_all(
    spanish, correction=None, alternative="greater", interval=None, rng=2014
)
with_care = mt.compare_all(spanish, correction="westfall-young", interval=None, rng=2014)
decided = [int((c.table["pvalue_adjusted"] <= 0.05).sum()) for c in (as_they_did, with_care)]
print(
    f"of 66 pairs at .05: {decided[0]} one-sided and uncorrected, {decided[1]} two-sided and corrected"
)

# %% tags=["hide-input"]
fig, axes = plt.subplots(2, 1, figsize=(7.2, 11), layout="constrained")
for ax, comparison, title in zip(
    axes,
    (as_they_did, with_care),
    ("one-sided, uncorrected", "two-sided, Westfall-Young"),
    strict=True,
):
    comparison.heatmap(ax=ax)
    ax.set_title(f"WMT12 es-en, BLEU: {title}", loc="left")
filled = [int((ax.collections[0].get_array().filled(0) > 0).sum()) for ax in axes]
style.describe(
    fig,
    "Two heatmaps of all pairs: one-sided and uncorrected, with more cells filled, above two-"
    "sided with Westfall and Young's correction.",
)
assert filled == decided
plt.show()

# %% [markdown]
# *Top: in the manner of the paper. Bottom: two-sided and corrected for 66 comparisons. With 3,003 sentences most differences survive;
# the pairs that fade are those that need care.*
#
# ## What is the family?
#
# Corrected *for what*? The family is what you would report if it came out well. Change the family, and the p-values change:

# %%
three = [mt.load("wmt12/es-en").statistics(metric) for metric in ("BLEU", "chrF", "TER")]
wide = mt.compare_all(three, correction="westfall-young", interval=None, rng=2014)
in_bleu = wide.table.query("metric == 'BLEU' and pvalue_adjusted <= 0.05")
print(
    f"pairs distinguished by BLEU: {len(in_bleu)} in a family of {wide.n_comparisons}, {decided[1]} in one of 66"
)
assert wide.n_comparisons == 3 * 66 and len(in_bleu) <= decided[1]

# %% [markdown]
# Three metrics and a claim wherever one of them shows something: 198 comparisons. Several language pairs:
# `mt.correct_together`. But if the question was from the start how *one* system, say `UEdin` of WMT21, stands against the others,
# the family is smaller:

# %%
table = uncorrected.table.assign(of_190=mt.adjust_pvalues(uncorrected.table["pvalue"], "holm"))
own = table[(table["system_a"] == "UEdin") | (table["system_b"] == "UEdin")]
own = own.assign(of_19=mt.adjust_pvalues(own["pvalue"], "holm"))
found = {"Holm for 190": (own["of_190"] <= 0.05).sum(), "Holm for 19": (own["of_19"] <= 0.05).sum()}
print(
    "systems that UEdin is distinguished from:",
    ", ".join(f"{n} by {how}" for how, n in found.items()),
)
assert len(own) == 19 and found["Holm for 190"] < found["Holm for 19"]

# %% [markdown]
# What does not count: shrinking the family after seeing the results. State the family when you state the correction; the package
# prints it in every result.
#
# ## What a correction does not tell you
#
# - That a pair which lost its star is equal. It is *not shown to differ*, at this level, in this family.
# - How large a difference is. A corrected p-value is still not an effect size.
# - Anything about the comparisons that were made and not reported. No correction reaches those.
# - Whether sentences may be shuffled one by one. If documents matter, the p-values that go *into* the correction are too
#   small already (notebook 12).
#
# ## You can now
#
# - quote the family-wise error of uncorrected testing, from the formula and from your own deals;
# - correct by Bonferroni, Holm and Benjamini–Hochberg with a pencil;
# - explain Westfall & Young's step-down in one sentence: *each pair against the luckiest of those that are left*;
# - say which corrections kept their promise in a simulation, which did not, and why;
# - state a family.
#
# ## Try it yourself
#
# 1. Deal the outputs of `wmt12/es-en` instead. Is the family-wise error of its 66 pairs where Tukey's range says?
# 2. Give the simulation 300 sentences. Does Romano–Wolf keep its promise there?
# 3. In the uneven world, give *one* system the large noise. What happens to the Tukey test?
# 4. Two teams compare the same twenty systems, one reporting all pairs, one only its own system against the others. Who may
#    claim more, and is that fair?
#
# ## Further reading
#
# - Holm, S. (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal of Statistics*, 6(2), 65–70.
# - Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate. *Journal of the Royal Statistical Society B*, 57(1),
#   289–300.
# - Westfall, P. H. & Young, S. S. (1993). *Resampling-based multiple testing.* Wiley. Algorithm 2.8.
# - Romano, J. P. & Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. *Journal of the American
#   Statistical Association*, 100(469), 94–108.
# - Carterette, B. (2012). Multiple testing in statistical analysis of systems-based information retrieval experiments. *ACM
#   Transactions on Information Systems*, 30(1).
# - Riezler, S. & Maxwell, J. T. (2005). *On some pitfalls in automatic evaluation and significance testing for MT.* W05-0908.
#   Section 4.4.
# - Graham, Y., Mathur, N. & Baldwin, T. (2014). *Randomized significance tests in machine translation.* W14-3333. Figure 8.
