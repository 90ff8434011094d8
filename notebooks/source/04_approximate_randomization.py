# %% [markdown]
# # 04 · Approximate randomization
#
# If two systems are interchangeable, their outputs may be exchanged. Everything else in this notebook
# follows from that sentence.
#
# **You will be able to**
#
# - enumerate every exchange on a small test set, and get an exact p-value;
# - replace enumeration by random shuffles, and say how uncertain the result is;
# - explain why ties count, and why the observed arrangement counts as one of them;
# - say what the test assumes, and what it does not speak about.
#
# *Before this: notebook 01. About 30 minutes.*

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable, side_by_side

pd.options.display.precision = 4

# %% [markdown]
# ## A question small enough to count
#
# WMT12, Spanish to English, `uedin-wmt12` and `QCRI--primary` — but only ten sentences of the test set.
# Does one system score better on them by more than luck?

# %%
bleu = mt.load("wmt12/es-en").statistics("BLEU")
pair = bleu.select(["uedin-wmt12", "QCRI--primary"])
differ = np.flatnonzero((pair.values[0] != pair.values[1]).any(axis=1))
ten = pair.subset(differ[100:110])
ten.scores()

# %% [markdown]
# **Null hypothesis.** Within each sentence the two outputs are exchangeable: each might as well have
# come from the other system.
#
# **Alternative hypothesis.** They are not; one system is better, and we did not say beforehand which.
#
# The statistic is the difference in BLEU, $d$. Large values of $|d|$ speak against the null hypothesis.
#
# ## One exchange
#
# An exchange is a row of ten zeros and ones: 1 keeps a sentence's outputs where they are, 0 swaps them.

# %%
A, B = ten.values
score = ten.metric.score


def difference_after_exchange(keep):
    """The difference in BLEU when outputs stay where `keep` is 1 and are swapped where it is 0."""
    return score(keep @ A + (1 - keep) @ B) - score(keep @ B + (1 - keep) @ A)


observed = difference_after_exchange(np.ones(10, dtype=int))
print(f"observed: {observed:+.3f}")
print(f"first sentence swapped: {difference_after_exchange(np.array([0] + [1] * 9)):+.3f}")

# %% [markdown]
# > **Predict before you run.** How many different exchanges of ten sentences are there? What is the
# > difference after swapping *all* of them?
#
# ## All exchanges
#
# Under the null hypothesis all of these were equally likely; what we observed is one of them.

# %%
everything = [np.array(keep) for keep in itertools.product([0, 1], repeat=10)]
differences = np.array([difference_after_exchange(keep) for keep in everything])
print(f"{len(differences):,} exchanges; swapping all: {differences[0]:+.3f}")
assert differences[0] == -observed and differences[-1] == observed

# %%
count = sum(abs(d) >= abs(observed) - 1e-9 for d in differences)
p_exact = count / len(differences)
print(
    f"{count} of {len(differences):,} are at least as large as the observed one: p = {p_exact:.4f}"
)

# %% [markdown]
# That is an *exact* p-value: no formula, no sampling, no normal distribution. It was computed by
# counting, and the only assumption was exchangeability. The package counts the same:

# %%
exact = mt.approximate_randomization(ten, *ten.systems, exact=True)
assert exact.pvalue == p_exact and exact.count == count
exact

# %%
fig = exact.plot(bins=40)
assert int(exact.extreme.sum()) == count
plt.show()

# %% [markdown]
# *All 1,024 differences. The distribution is symmetric, because for every exchange there is its mirror,
# and the filled part is what the p-value counts, on both sides.*
#
# ### Two things that the count shows
#
# The `1e-9` in the loop lets **ties count**, in spite of rounding in the last digit: the observed arrangement
# ties with itself. With `>` instead of `>=` it would not be counted, and a system compared with
# its own copy would be "significantly different" (notebook 05 meets a tool that does so). What counts is part of a
# test: its **counting rule**.
#
# And the p-value **cannot be smaller than 2/1,024**, however different the systems are: the observed arrangement
# and its mirror always count. Ten sentences cannot say more.

# %%
smallest = 2 / 2**10
assert exact.pvalue >= smallest
print(f"smallest possible p with ten differing sentences: {smallest:.4f}")

# %% [markdown]
# ## Too many to count
#
# With 3,003 sentences there are $2^{3003}$ exchanges. So we draw some of them at random: *approximate*
# randomization. Riezler & Maxwell (2005), Figure 1, on the ten sentences, line by line:

# %%
from mtsig_nb.engine.resampling import swap_masks

shuffles = np.concatenate([swap_masks(500, 10, seed=4, key=(block,)) for block in range(4)]).astype(
    int
)
count = 0
for keep in shuffles:
    pseudo_statistic = abs(difference_after_exchange(keep))
    if pseudo_statistic >= abs(observed) - 1e-9:
        count += 1
p_sampled = (count + 1) / (len(shuffles) + 1)
print(f"{count} of {len(shuffles):,}: p = {p_sampled:.4f}; exact: {p_exact:.4f}")

# %%
sampled = mt.approximate_randomization(ten, *ten.systems, n_resamples=2000, rng=4, exact=False)
assert sampled.pvalue == p_sampled  # the loop and the package, shuffle by shuffle
sampled

# %% [markdown]
# Why the added ones? The observed arrangement is one of those that the null hypothesis makes
# equally likely, so it belongs among the counted. With $(c+1)/(R+1)$ a test at level α rejects a true null
# hypothesis in at most a share α of cases, for *every* number of shuffles $R$; with $c/R$ it may reject more
# often, and may even claim $p = 0$, which no finite sample can support.
#
# ### How uncertain is a sampled p-value?
#
# Each shuffle is counted with probability $p$, so the count is binomial. The package prints the
# Clopper–Pearson interval where it matters, and keeps it always:

# %%
low, high = sampled.pvalue_interval
print(f"sampled p between {low:.4f} and {high:.4f}; exact p = {p_exact:.4f}")
assert low <= p_exact <= high

# %%
rows = []
for n_resamples in (100, 1_000, 10_000, 100_000):
    r = mt.approximate_randomization(ten, *ten.systems, n_resamples=n_resamples, rng=4, exact=False)
    rows.append((n_resamples, r.pvalue, *r.pvalue_interval))
convergence = pd.DataFrame(rows, columns=["shuffles", "p", "low", "high"])
convergence

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
error = [convergence["p"] - convergence["low"], convergence["high"] - convergence["p"]]
ax.errorbar(
    convergence["shuffles"], convergence["p"], yerr=np.clip(error, 0, None), fmt="o", capsize=4
)
ax.axhline(p_exact, linestyle="--", color="black", label=f"exact: {p_exact:.4f}")
ax.set(xscale="log", xlabel="number of shuffles", ylabel="sampled p, 95 % Monte Carlo interval")
ax.legend()
widths = convergence["high"] - convergence["low"]
style.describe(
    fig,
    "Sampled p-values with Monte Carlo intervals, closing in on the exact one as the number "
    "of shuffles grows.",
)
assert widths.is_monotonic_decreasing  # more shuffles, narrower intervals
plt.show()

# %% [markdown]
# *The sampled p-value closes in on the exact one; ten times as many shuffles make the interval about
# three times narrower. This is the uncertainty of the computation, not of the test set.*
#
# ## The real thing
#
# All 3,003 sentences, 10,000 shuffles. The package sums all shuffles in one matrix product (see
# `docs/architecture.md`), which is why you do not have to wait.

# %%
result = mt.approximate_randomization(pair, *pair.systems, n_resamples=10_000, rng=2014)
headline("WMT12 es-en, uedin against QCRI, all 3,003 sentences: p", result.pvalue, spec=".4f")
result

# %%
fig = result.plot()
assert abs(result.null_distribution.mean()) < 0.1 * abs(
    result.statistic
)  # centred on zero by itself
plt.show()

# %% [markdown]
# *No shift was needed: shuffled differences lie around zero because exchanging is symmetric.*
#
# ### One-sided
#
# Had we said *before looking* that only an improvement of `uedin-wmt12` matters, one tail would do
# (Graham et al. 2014, Figure 2).

# %%
one_sided = mt.approximate_randomization(pair, *pair.systems, alternative="greater", rng=2014)
print(f"two-sided p = {result.pvalue:.4f}, one-sided p = {one_sided.pvalue:.4f}")
assert one_sided.pvalue < result.pvalue

# %% [markdown]
# The tails of this pair are too thin to see. A closer one, from WMT13:

# %%
closer = mt.load("wmt13/es-en").statistics("BLEU").select(["DCU-Prompsit.2880", "online-A"])


def counted(ax, tail, shuffles=2000):
    options = {"alternative": tail, "n_resamples": shuffles, "rng": 2014}
    r = mt.approximate_randomization(closer, *closer.systems, **options)
    bins = np.linspace(-0.9, 0.9, 61)
    ax.hist(r.null_distribution, bins, color=style.MUTED, label="all shuffles")
    ax.hist(r.null_distribution[r.extreme], bins, color=style.EMPHASIS, label="counted")
    ax.axvline(r.statistic, color="black", linestyle="--", label="observed")
    ax.set(xlabel="difference in BLEU", ylabel="shuffles per bin")
    ax.set_title(f"{tail}: p = {r.pvalue:.4f}", loc="left", fontsize="medium")


# %%
fig = side_by_side(
    counted,
    "The same shuffled differences three times. Counted are both tails, the right tail, or, "
    "for the alternative less, nearly everything.",
    tail=["two-sided", "greater", "less"],
)
fig.axes[0].legend(fontsize="small", loc="upper left")
assert [ax.get_title("left").split(":")[0] for ax in fig.axes] == ["two-sided", "greater", "less"]
plt.show()

# %% [markdown]
# *One set of shuffles, three questions. In a running notebook the next cell lets you choose the tail and the number of
# shuffles: watch which of the digits of p stay.*

# %% tags=["nbval-ignore-output"]
movable(counted, tail=["two-sided", "greater", "less"], shuffles=[100, 1000, 10_000, 100_000])

# %% [markdown]
# Picking the side after seeing the scores makes it a two-sided question again; a one-sided p-value is then too
# small by half.
#
# ## Is it right? Ask it about nothing
#
# Give the test two pseudo-systems that are interchangeable by construction, many times over. Its p-values
# should then fall below any α in a share α of cases.

# %%
n_null = 400
nulls = mt.simulate.exact_nulls(pair, *pair.systems, n_pairs=n_null, rng=12)
p_values = np.sort(mt.simulate.null_pvalues(nulls, "approximate-randomization", rng=5))

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(4.6, 4.4), layout="constrained")
ax.plot(p_values, np.arange(1, n_null + 1) / n_null, drawstyle="steps-post", label="observed")
ax.plot([0, 1], [0, 1], linestyle="--", color="black", label="as promised")
ax.set(xlabel="α", ylabel="share of interchangeable pairs with p ≤ α")
ax.legend()
style.describe(
    fig,
    "Share of p-values up to α against α: a staircase along the diagonal.",
)
assert len(ax.lines[0].get_xdata()) == n_null
plt.show()

# %%
from mtsig_nb.engine.proportions import clopper_pearson

rejected = int((p_values <= 0.05).sum())
low, high = clopper_pearson(rejected, n_null)
headline(
    "type-I error at .05, approximate randomization, 400 null pairs", rejected / n_null, spec=".3f"
)
print(f"{rejected} of {n_null}, 95 % interval {low:.3f} to {high:.3f}")
assert low <= 0.05 <= high

# %% [markdown]
# ## What this test does not tell you
#
# - Its null hypothesis is exchangeability, not "the same mean". Two systems with the same expected score but
#   differently spread errors are not exchangeable. For large test sets this hardly matters; with few sentences and skewed
#   differences the test [errs more often than it says](../docs/trust.md#skewed-differences-the-most-skewed-pair).
# - It speaks of these sentences. That new sentences would show the same is a further step, one that the bootstrap
#   makes explicit (notebooks 02 and 03).
# - Sentences were exchanged independently. If the documents matter, exchange documents: `units="documents"`.
# - A large p-value is not evidence of equality.
#
# ## You can now
#
# - count all exchanges, or sample them, and get the same answer from the package;
# - defend `>=` and the added ones;
# - quote a p-value with its Monte Carlo interval.
#
# ## Try it yourself
#
# 1. How many sentences must differ before p can fall below .001?
# 2. Take another ten sentences. How much does the exact p-value move?
# 3. Use the difference in *hypothesis length* as statistic instead of BLEU. Which line changes?
#
# ## Further reading
#
# - Fisher, R. A. (1935). *The design of experiments.* Oliver & Boyd. Chapter 3.
# - Noreen, E. W. (1989). *Computer-intensive methods for testing hypotheses.* Wiley.
# - Riezler, S. & Maxwell, J. T. (2005). *On some pitfalls in automatic evaluation and significance testing
#   for MT.* W05-0908. Figure 1.
# - Graham, Y., Mathur, N. & Baldwin, T. (2014). *Randomized significance tests in machine translation.*
#   W14-3333. Figure 2.
# - Phipson, B. & Smyth, G. K. (2010). Permutation p-values should never be zero. *Statistical
#   Applications in Genetics and Molecular Biology*, 9(1).
