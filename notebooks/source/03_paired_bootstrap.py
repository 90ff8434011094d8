# %% [markdown]
# # 03 · The paired bootstrap
#
# A hundred test sets would settle which of two systems is better. We have one. Koehn (2004) makes a thousand out of
# it, and lets the systems compete on each.
#
# **You will be able to**
#
# - write the paired bootstrap as a loop of five lines, and read "better in 96 % of the resamples" as what it is: a
#   one-sided percentile bound;
# - say what picking the winner *after* looking costs, and measure it;
# - repeat Koehn's validation: on a hundred test sets, how often is a conclusion drawn, and how often is it right;
# - tell whether a tool draws resamples of the right size.
#
# *Before this: notebooks 01 and 02. About 30 minutes.*

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import plots
from mtsig_nb.plots import style
from mtsig_nb.teaching import headline

pd.options.display.precision = 3

# %% [markdown]
# ## A question
#
# WMT13, Spanish to English: `DCU-Prompsit.2880` and `online-A` translated the same 3,000 sentences. Suppose that the
# first is ours, and that we want to claim that it is better.

# %%
bleu = mt.load("wmt13/es-en").statistics("BLEU")
pair = bleu.select(["DCU-Prompsit.2880", "online-A"])
pair.scores().round(2)

# %% [markdown]
# **Null hypothesis.** On test sets like this one, `DCU-Prompsit.2880` has no higher expected BLEU than `online-A`.
#
# **Alternative hypothesis.** It has. We named the system that should win beforehand, so the test is one-sided.
#
# The statistic is the difference in BLEU, ours minus theirs. Resampled test sets on which it is *not positive* speak
# against our claim.
#
# ## One resampled test set
#
# Draw 3,000 sentences with replacement, **the same ones for both systems**, and score both. That is the whole meaning
# of *paired*.

# %%
ours, theirs = pair.values  # each of shape (sentences, counts)
score = pair.metric.score


def one_resampled_difference(times_drawn):
    """Ours minus theirs on a test set in which each sentence occurs that often."""
    return score(times_drawn @ ours) - score(times_drawn @ theirs)


# %%
rng = np.random.default_rng(3)
times_drawn = np.bincount(rng.integers(len(ours), size=len(ours)), minlength=len(ours))
observed = one_resampled_difference(np.ones(len(ours)))
resampled = one_resampled_difference(times_drawn)
print(f"on the test set itself {observed:+.3f} BLEU; on one resampled test set {resampled:+.3f}")

# %% [markdown]
# > **Predict before you run.** On 2,000 resampled test sets, how often will `online-A` come out on top? Once in fifty
# > times, in twenty, in ten, in three?
#
# ## The loop
#
# Koehn's section 6, as Graham, Mathur & Baldwin (2014) write it in their Figure 4:

# %%
from mtsig_nb.engine.resampling import bootstrap_counts

draws = np.concatenate(
    [bootstrap_counts(500, len(ours), seed=2004, key=(block,)) for block in range(4)]
)
differences = np.empty(len(draws))
count = 0
for b, times_drawn in enumerate(draws):
    differences[b] = one_resampled_difference(times_drawn)
    if differences[b] <= 0:
        count += 1

# %%
share_won = 1 - count / len(draws)
p = (count + 1) / (len(draws) + 1)
print(f"not won: {count} of {len(draws):,}; won: {share_won:.1%}; p = {p:.4f}")

# %% [markdown]
# The package, on the same draws, must agree count by count:

# %%
options = {"n_resamples": 2000, "rng": 2004}
one_sided = mt.paired_bootstrap(pair, *pair.systems, alternative="greater", **options)
assert one_sided.count == count and one_sided.pvalue == p
assert np.allclose(one_sided.resampled, differences, rtol=0, atol=1e-9)
one_sided

# %%
headline(
    "WMT13 es-en, DCU-Prompsit against online-A: share of resamples won", share_won, spec=".3f"
)
headline("the same as a one-sided p-value", one_sided.pvalue, spec=".4f")

# %%
fig = one_sided.plot()
fig.axes[0].axvline(observed, color=style.BLUE)
assert int(one_sided.extreme.sum()) == count and abs(differences.mean() - observed) < 0.05
plt.show()

# %% [markdown]
# *The difference on 2,000 resampled test sets; filled are those that our system does not win. The histogram lies
# around the observed difference (solid line). It is not a null distribution, and nothing has been shifted to zero.*
#
# Koehn divides the count by the number of resamples; we count the observed test set as one more (notebook 04 says
# why). Ask for `counting="plain"` and you have his share exactly:

# %%
koehn = mt.paired_bootstrap(pair, *pair.systems, alternative="greater", counting="plain", **options)
assert koehn.pvalue == count / len(draws)
print(f"as in 2004: {1 - koehn.pvalue:.1%} of the resamples won")

# %% [markdown]
# ## What "better in 95 % of the resamples" says
#
# Koehn concludes that a system is better, with 95 % significance, if it wins at least 95 % of the resamples. Sort the
# differences and leave out the smallest 5 %, a hundred of 2,000. The next one is a **lower bound** for the
# difference: the 5 % point of the percentile method (notebook 02).

# %%
lower_bound = np.sort(differences)[100]
print(f"95 % lower bound for the difference: {lower_bound:+.3f} BLEU")
assert (share_won >= 0.95) == (lower_bound > 0)

# %% [markdown]
# Winning 95 % of the resamples and having a positive lower bound is the same statement, looked at from two sides. And
# the 5 % point is the lower end of an interval of **90 %**, not of 95 %:

# %%
ninety = mt.confidence_interval(pair, *pair.systems, confidence_level=0.90, **options)
ninety_five = mt.confidence_interval(pair, *pair.systems, confidence_level=0.95, **options)
for interval in (ninety, ninety_five):
    print(interval.sentence.splitlines()[0])
assert abs(ninety.low - lower_bound) < 0.01 and ninety_five.low < 0 < ninety.low

# %% [markdown]
# Our system wins more than 95 % of the resamples, and the 95 % interval of the difference contains zero. Both are
# correct. They answer different questions: the first looks at one side only.
#
# ## Why paired?
#
# What is hard for one system is hard for the other, and cancels in the difference. If each system had its own
# resampled test sets, nothing would cancel:

# %%
own_draws = np.concatenate(
    [bootstrap_counts(500, len(ours), seed=1, key=(block,)) for block in range(4)]
)
unpaired = np.array(
    [
        score(mine @ ours) - score(other @ theirs)
        for mine, other in zip(draws, own_draws, strict=True)
    ]
)
print(f"standard deviation: paired {differences.std():.3f}, unpaired {unpaired.std():.3f} BLEU")
assert unpaired.std() > 1.5 * differences.std()

# %%
factor = (unpaired.std() / differences.std()) ** 2
print(f"without pairing, as sure a conclusion would take {factor:.1f} times as many sentences")
headline("sentences that pairing saves, as a factor", factor, spec=".1f")

# %% [markdown]
# ## One tail, two tails, and a trap
#
# We named our system beforehand. Usually nobody does: one looks at the scores, sees who is ahead, and reports that
# *this* system wins 96 % of the resamples. The other direction would have been reported as gladly. A question that
# may be answered in two directions has two tails; the two-sided p-value is twice the smaller share.

# %%
two_sided = mt.paired_bootstrap(pair, *pair.systems, **options)
assert two_sided.pvalue == 2 * one_sided.pvalue
print(f"one-sided p = {one_sided.pvalue:.4f}, two-sided p = {two_sided.pvalue:.4f}")
assert one_sided.pvalue < 0.05 < two_sided.pvalue

# %% [markdown]
# How much does the trap cost? Ask about pairs in which *neither* system is better: for each sentence a coin decides
# which of two pseudo-systems gets which output (as in notebooks 04 and 05). A thousand such pairs, on test sets of
# 300 sentences.
#
# > **Predict before you run.** At the 5 % level, how many of the thousand will someone call better who (a) named the system
# > beforehand, (b) looked who is ahead?

# %%
some = pair.subset(np.arange(0, pair.n_segments, 10))
nulls = mt.simulate.exact_nulls(some, *some.systems, n_pairs=1000, rng=13)
first_better, second_better = (
    mt.simulate.null_pvalues(nulls, "paired-bootstrap", alternative=side, rng=5)
    for side in ("greater", "less")
)

# %%
from mtsig_nb.engine.proportions import clopper_pearson

smaller = np.minimum(first_better, second_better)
readings = {
    "side named beforehand": first_better,
    "winner picked after looking": smaller,
    "two-sided: smaller share doubled": 2 * smaller,
}
size = pd.DataFrame({"rate": {name: (p <= 0.05).mean() for name, p in readings.items()}})
size["low"], size["high"] = clopper_pearson((1000 * size["rate"]).round().astype(int), 1000)
size

# %%
fig = plots.error_rates(size, level=0.05)
fig.axes[0].set_xlabel("share of interchangeable pairs of which one is called better")
assert [bar.get_width() for bar in fig.axes[0].patches] == size["rate"].tolist()
plt.show()

# %% [markdown]
# *False claims about a thousand pairs of interchangeable systems, with 95 % Clopper–Pearson intervals. The
# dashed line is what the level promises.*

# %%
picked = size.loc["winner picked after looking"]
headline("false claims at .05, winner picked after looking", picked["rate"], spec=".3f")
assert picked["low"] > 0.05 and picked["low"] <= 0.10 <= picked["high"]
assert all(
    row["low"] <= 0.05 <= row["high"] for name, row in size.drop(index=picked.name).iterrows()
)

# %% [markdown]
# Whoever picks the winner after looking is wrong twice as often as the level says, because there are two ways to be
# wrong. Doubling the smaller share puts it right here; the package does so unless you name a side. (This is not the
# pitfall of notebook 05: there the tail is lost inside the algorithm, here by the person who reads it.)
#
# ## Koehn's validation, repeated
#
# Does the method draw the right conclusions? To know, one needs systems whose true difference is known. Koehn had
# 30,000 translated sentences, took the scores on all of them for the truth, and cut them into small test sets.
#
# His sentences are not public. We draw a **population of 30,000 sentences** with replacement from the 3,000 of WMT13:
# its scores are the truth by definition. His systems translated the same text from different languages; ours come
# from one campaign. So this repeats his experiment *in kind*: the numbers are ours, the questions are his. We take
# nine pairs, from plainly different to all but the same, and name the truly better system first.

# %%
contests = [
    ("online-G", "rbmt-4"),
    ("online-B", "uedin-wmt13.2877"),
    ("FDA.2901", "JHU.2776"),
    ("JHU.2776", "online-G"),
    ("uedin-wmt13.2877", "LIMSI-Ncode-SOUL-primary.2598"),
    ("DCU-Prompsit.2880", "online-A"),
    ("rbmt-1", "online-C"),
    ("LIMSI-Ncode-SOUL-primary.2598", "DCU-Prompsit.2880"),
    ("MES.2801", "online-A"),
]

# %%
names = list(dict.fromkeys(system for contest in contests for system in contest))
drawn = np.random.default_rng(30_000).integers(bleu.n_segments, size=30_000)
population = bleu.select(names).subset(drawn)
truth = population.scores()
true_difference = pd.Series(
    {f"{a.split('.')[0]} − {b.split('.')[0]}": truth[a] - truth[b] for a, b in contests},
    name="true difference",
)
assert (true_difference > 0).all()
true_difference.to_frame().round(2)

# %% [markdown]
# One test set of a given size, its 1,000 resamples, and who wins them. All test sets of a size share their weights,
# which saves work and leaves each share what it is; scores of all systems come from one matrix product (notebook 01).

# %%
sentences = np.moveaxis(population.values, 1, 0).reshape(
    30_000, -1
)  # sentences × (systems · counts)
ahead = [names.index(a) for a, _ in contests]
behind = [names.index(b) for _, b in contests]


def one_validation(weights, rng):
    """Shares of the resamples of one test set that the truly better and the truly worse systems win."""
    test_set = sentences[rng.choice(30_000, weights.shape[1], replace=False)]
    scores = score((weights @ test_set).reshape(len(weights), len(names), -1))
    difference = scores[:, ahead] - scores[:, behind]
    return (difference > 0).mean(axis=0), (difference < 0).mean(axis=0)


# %%
def validate(size):
    """`one_validation` on a hundred test sets, two arrays of shape (test sets, contests)."""
    blocks = [bootstrap_counts(500, size, seed=size, key=(block,)) for block in range(2)]
    weights = np.concatenate(blocks).astype(float)
    rng = np.random.default_rng(size)
    results = [one_validation(weights, rng) for _ in range(100)]
    return [np.array(side) for side in zip(*results, strict=True)]


# %%
sizes = [100, 300, 600, 3000]
won, lost = {}, {}
for n in sizes:
    won[n], lost[n] = validate(n)
assert all(won[n].shape == (100, 9) for n in sizes)

# %% [markdown]
# ### By number of sentences
#
# A conclusion is drawn if either system wins 95 % of the resamples. For each pair, of a hundred test sets: how many
# lead to the right conclusion, how many to the wrong one? The rest lead to none. (Koehn's Table 3, in kind.)

# %%
shares = {"right": won, "wrong": lost}
columns = {(side, n): (shares[side][n] >= 0.95).sum(axis=0) for side in shares for n in sizes}
by_size = pd.DataFrame(columns, index=true_difference.index)
by_size

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.8, 4.0), layout="constrained")
for n, colour, marker in zip(sizes, style.CYCLE, style.MARKERS, strict=False):
    ax.plot(
        true_difference, by_size["right", n], color=colour, marker=marker, label=f"{n:,} sentences"
    )
ax.set(
    xscale="log",
    xlabel="true difference between the two systems (BLEU)",
    ylabel="test sets with the right conclusion, of 100",
)
ax.set_xticks([0.05, 0.1, 0.2, 0.5, 1, 2, 5], ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"])
ax.legend(title="size of the test set")
style.describe(
    fig,
    "Right conclusions of 100, rising with the true difference and with the size of the test set.",
)
assert len(ax.lines) == len(sizes) and ax.lines[0].get_ydata().max() == 100
plt.show()

# %% [markdown]
# *Each point is one pair of systems and a hundred test sets. A difference of several points shows on a hundred
# sentences; a tenth of that takes thousands. How often a test finds a difference that is there is called its
# **power**.*

# %%
found = by_size.loc["DCU-Prompsit − online-A", "right"]
for n in sizes:
    print(f"{n:>5,} sentences: the difference of our pair is found on {found[n]} of 100 test sets")
headline("our pair's difference found on 300 sentences, of 100 test sets", int(found[300]))
headline("our pair's difference found on 3,000 sentences, of 100 test sets", int(found[3000]))
assert found.is_monotonic_increasing and found[300] < 30 and found[3000] < 80
assert by_size["wrong"].to_numpy().max() <= 10

# %% [markdown]
# So even on a hundred sentences Koehn's method seldom says something wrong. But of differences like ours it mostly
# says nothing. **No conclusion is not the conclusion that there is no difference**: in all nine pairs there is one.
#
# ### By level
#
# The level need not be 95 %. On test sets of 300 sentences (after Koehn's Table 4, which counts the conclusions between one
# level and the next; ours counts all that reach a level):

# %%
levels = [0.95, 0.90, 0.80, 0.70, 0.60]
right = np.array([(won[300] >= level).sum() for level in levels])
wrong = np.array([(lost[300] >= level).sum() for level in levels])
by_level = pd.DataFrame(
    {"drawn, of 900": right + wrong, "right": right, "share right": right / (right + wrong)},
    index=pd.Index(levels, name="level"),
)
by_level

# %%
headline(
    "conclusions drawn at 95 % on 300 sentences, of 900", int(by_level.loc[0.95, "drawn, of 900"])
)
headline("share of them that is right", by_level.loc[0.95, "share right"], spec=".3f")
assert (
    by_level["drawn, of 900"].is_monotonic_increasing
    and by_level["share right"].is_monotonic_decreasing
)

# %% [markdown]
# A milder level draws more conclusions, and more of them are wrong. It is tempting to compare the last column with
# the first, and to find the method "accurate" if they agree. Beware: how many conclusions are right depends on how
# different the systems are. Leave out one pair at a time, or look at a single one:

# %%
closest, plainest = by_size.index[-1], by_size.index[0]
for name in (plainest, closest):
    drawn_right, drawn_wrong = (by_size.loc[name, side].sum() for side in ("right", "wrong"))
    print(f"{name}: {drawn_right} conclusions at 95 % are right, {drawn_wrong} are wrong")
assert by_size.loc[plainest, "wrong"].sum() == 0
assert clopper_pearson(by_size.loc[closest, "wrong"].sum(), by_size.loc[closest].sum())[0] > 0.05

# %% [markdown]
# Between two systems that are all but the same, "95 %" conclusions are wrong far more often than once in twenty.
# **The level is not the probability that a conclusion is right.** It bounds how often one is drawn where there is
# nothing to find; and with the winner picked after looking, as here, the bound is 10 %:

# %%
drawn_closest = int(by_size.loc[closest].sum())
low, high = clopper_pearson(drawn_closest, 400)
print(
    f"{closest}: a conclusion on {drawn_closest} of 400 test sets, 95 % interval {low:.3f} to {high:.3f}"
)
assert low > 0.05 and low <= 0.15

# %% [markdown]
# ### A hundred verdicts
#
# The share of resamples won is itself a statistic of the test set, and wobbles with it. Here are a hundred test sets
# of each of two sizes, for the pair that we began with, sorted.

# %%
ours_here = by_size.index.get_loc("DCU-Prompsit − online-A")

# %% tags=["hide-input"]
fig, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
for n, colour, marker in ((300, style.VERMILION, "o"), (3000, style.BLUE, "s")):
    ax.plot(
        range(1, 101),
        np.sort(100 * won[n][:, ours_here]),
        color=colour,
        marker=marker,
        markersize=4,
        linestyle="",
        label=f"{n:,} sentences",
    )
ax.axhspan(95, 100, color=style.MUTED, zorder=0, label="conclusion: better")
ax.axhspan(0, 5, color=style.YELLOW, zorder=0, label="conclusion: worse")
ax.set(
    xlabel="rank of the test set, by share won",
    ylabel="resamples won by the truly better system (%)",
)
ax.legend(loc="lower right", bbox_to_anchor=(1, 0.08), fontsize="small")
style.describe(
    fig,
    "Shares of resamples won on 100 test sets, sorted; with 3,000 sentences most are near 100"
    " %, with 300 they spread over all values.",
)
assert len(ax.lines) == 2 and all(len(line.get_ydata()) == 100 for line in ax.lines)
assert won[300][:, ours_here].min() < 0.05 and won[300][:, ours_here].max() > 0.95
plt.show()

# %% [markdown]
# *One truth, two hundred verdicts (Koehn's Figures 7 and 8 ask the same question). With 300 sentences the share won
# takes nearly every value between 0 and 100 %, although the truth is the same each time. A p-value is no measure of
# the difference.*
#
# ## Resamples of half the size
#
# A resample should have as many sentences as the test set. Some tools draw fewer: half of them (compare-mt,
# MT-Telescope), or 40 % (`comet-compare`, for the shares of wins that it prints). Smaller test sets wobble more, so
# the share of resamples won moves towards one half:

# %%
fractions = [1.0, 0.5, 0.4]
for fraction in fractions:
    fewer = np.concatenate(
        [
            bootstrap_counts(500, len(ours), size=int(fraction * len(ours)), seed=6, key=(block,))
            for block in range(4)
        ]
    )
    spread = score(fewer @ ours) - score(fewer @ theirs)
    print(
        f"resamples of {fraction:.0%}: won {np.mean(spread > 0):.1%}, standard deviation {spread.std():.3f} BLEU"
    )

# %% [markdown]
# Reading "wins at least 95 %" as a test, what is its size? With resamples of a fraction $f$ the standard deviation is
# too large by $1/\sqrt f$, so the difference must be larger by that factor to be noticed. For a normal distribution:

# %%
needed = stats.norm.isf(0.05) / np.sqrt(fractions)  # standard errors
expected = 2 * stats.norm.sf(needed)  # either system may win

# %% [markdown]
# And measured, on our thousand interchangeable pairs:


# %%
def false_conclusions(fraction):
    """Share of the null pairs of which either system wins at least 95 % of 1,000 such resamples."""
    wins = np.zeros(1000)
    for block in range(2):
        times = bootstrap_counts(
            500, nulls.n_segments, size=int(fraction * nulls.n_segments), seed=8, key=(block,)
        )
        scores = score(times.astype(float) @ nulls.values)  # (systems, resamples)
        wins += (scores[:1000] > scores[1000:]).sum(axis=1)
    return np.mean((wins >= 950) | (wins <= 50))


# %%
half = pd.DataFrame(
    {"expected": expected, "measured": [false_conclusions(f) for f in fractions]},
    index=pd.Index(fractions, name="size of the resamples"),
)
half["low"], half["high"] = clopper_pearson((1000 * half["measured"]).round().astype(int), 1000)
assert ((half["low"] <= half["expected"]) & (half["expected"] <= half["high"])).all()
half

# %%
headline(
    "false claims, winner picked, resamples of full size",
    half.loc[1.0, "measured"],
    spec=".3f",
)
headline("the same with resamples of half the size", half.loc[0.5, "measured"], spec=".3f")
headline("the same with resamples of 40 %", half.loc[0.4, "measured"], spec=".3f")

# %% [markdown]
# Half-size resamples make fewer false claims than even a two-sided test would, and pay with power: they miss
# differences that are there. Two mistakes, picking the winner and halving the resamples, work against each other, and
# leave a level that is neither 5 % nor stated anywhere.
#
# ## What this test does not tell you
#
# - Its resamples lie around the observed difference. For a test with a null distribution, shift them to zero (notebook 05) or exchange
#   outputs (notebook 04). For BLEU and a few thousand sentences the three agree closely:

# %%
tests = (mt.paired_bootstrap, mt.bootstrap_test, mt.approximate_randomization)
p_values = [test(pair, *pair.systems, rng=2004).pvalue for test in tests]
for test, value in zip(tests, p_values, strict=True):
    print(f"{test.__name__:<26} two-sided p = {value:.4f}")
assert max(p_values) - min(p_values) < 0.02

# %% [markdown]
# - The population above has independent sentences *by construction*, so the bootstrap's assumption holds in it. Real
#   sentences come in documents (notebooks 02 and 12).
# - The level is kept in the long run: with many sentences, of which none outweighs the others. How often the test errs
#   with few or skewed ones [was measured](../docs/trust.md).
# - A level is about one question. Nine pairs are nine questions (notebook 07).
# - "Better" means: scores higher in BLEU. Other metrics may disagree (notebook 06), and so may people (notebook 10).
#
# ## You can now
#
# - run Koehn's test by hand, and say that it is one-sided and why;
# - ask, of any "significantly better (p < .05)", when the winner was named;
# - read a table of conclusions drawn and conclusions right without taking the level for a probability of being right;
# - spot half-size resamples, and say which way they err.
#
# ## Try it yourself
#
# 1. Find a pair in `wmt13/es-en` whose winner takes between 95 and 97.5 % of the resamples. What do the one-sided and the two-sided test
#    conclude?
# 2. Repeat the table by number of sentences at level 97.5 %. What happens to the wrong conclusions, and what does it cost?
# 3. Draw the test sets as *blocks* of consecutive sentences of the campaign instead of at random. Are conclusions still as often
#    right? (Notebook 02 says why they might not be.)
# 4. How large must a test set be for our pair's difference to be found nine times out of ten?
#
# ## Further reading
#
# - Koehn, P. (2004). *Statistical significance tests for machine translation evaluation.* EMNLP, W04-3250. Sections 6 and 7, Tables 3
#   and 4, Figures 7 and 8.
# - Graham, Y., Mathur, N. & Baldwin, T. (2014). *Randomized significance tests in machine translation.* WMT, W14-3333. Figure 4.
# - Efron, B. & Tibshirani, R. J. (1993). *An introduction to the bootstrap.* Chapman & Hall. Chapters 13 and 16.
# - Berg-Kirkpatrick, T., Burkett, D. & Klein, D. (2012). *An empirical investigation of statistical significance in NLP.* EMNLP,
#   D12-1091.
# - Card, D., Henderson, P., Khandelwal, U., Jia, R., Mahowald, K. & Jurafsky, D. (2020). *With little power comes great responsibility.*
#   EMNLP, 2020.emnlp-main.745.
