# %% [markdown]
# # 12 · Beyond the papers
#
# "Not significant" is where most readers go wrong. This notebook is about what the papers leave open: what a test
# set could have shown, how to show that two systems differ by *little*, and what happens to it all when sentences
# come in documents, systems in several runs, and metrics with people to compare them with.
#
# **You will be able to**
#
# - say before an experiment which differences it will see, and check that by brute force;
# - test for equivalence, and word what it shows;
# - put document-level results beside segment-level ones;
# - tell a claim about *these runs* from a claim about a *method*;
# - measure how often each test errs on systems that do not differ;
# - compute soft pairwise accuracy, and say how it differs from pairwise accuracy.
#
# *Before this: notebooks 04, 05 and 10. About 45 minutes.*

# %% tags=["remove-input"]
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.proportions import clopper_pearson
from mtsig_nb.plots import planning
from mtsig_nb.significance.intervals import bootstrap_scores
from mtsig_nb.teaching import headline

pd.options.display.precision = 3

# %% [markdown]
# ## A question
#
# Two pairs of systems of WMT21, one into German, one into English.

# %%
into_german = mt.load("wmt21/en-de").statistics("BLEU")
into_english = mt.load("wmt21/de-en").statistics("BLEU")
pair_de = into_german.select(["VolcTrans-GLAT", "Facebook-AI"])
pair_en = into_english.select(["Watermelon", "VolcTrans-AT"])
tests = [mt.approximate_randomization(p, *p.systems, rng=12) for p in (pair_de, pair_en)]
pd.concat([t.to_frame() for t in tests])[["system_a", "system_b", "score_a", "score_b", "pvalue"]]

# %%
assert all(t.pvalue > 0.2 and abs(t.statistic) < 0.1 for t in tests)

# %% [markdown]
# Both pairs are less than a tenth of a BLEU point apart; neither difference is significant. Are the systems of each
# pair equally good, then? Look at the intervals before you answer.

# %%
intervals = [mt.confidence_interval(p, *p.systems, rng=12) for p in (pair_de, pair_en)]
table = pd.concat([i.to_frame() for i in intervals])
table[["system_a", "system_b", "estimate", "low", "high", "standard_error"]]

# %%
widths = [i.high - i.low for i in intervals]
headline(
    "width of the 95 % interval, VolcTrans-GLAT against Facebook-AI, BLEU", widths[0], spec=".2f"
)
headline("width of the 95 % interval, Watermelon against VolcTrans-AT, BLEU", widths[1], spec=".2f")
assert widths[0] > 10 * widths[1]

# %% [markdown]
# Of the first pair we know next to nothing: either system may be more than half a point better. Of the second we
# know a good deal: whatever the difference is, it is small. The two p-values do not show this. Two kinds of
# question do: *what could we have seen?* and *what can we rule out?*
#
# ## What could this test set have shown?
#
# **Null hypothesis.** The two systems have the same expected BLEU on test sets like this one.
#
# **Alternative hypothesis.** They differ, and the true difference is half a point.
#
# *Power* is the probability that the test finds the difference if the alternative is true. It needs a chosen
# difference, here half a point. To plant it, we take both outputs of each sentence, see which of them adds more to the
# score, and let a biased coin decide which of two pseudo-systems gets it.

# %%
A, B = pair_de.values  # each of shape (sentences, counts)
bleu = pair_de.metric.score
middle, half = (A.sum(axis=0) + B.sum(axis=0)) / 2, (A - B) / 2
a_is_better = (bleu(middle + half) >= bleu(middle - half))[:, None]
better, worse = np.where(a_is_better, A, B), np.where(a_is_better, B, A)
print(
    f"always the better output: {bleu(better.sum(axis=0)):.2f}; the worse: {bleu(worse.sum(axis=0)):.2f}"
)


# %%
def true_difference(heads):
    """Of two systems that get the better output with probability `heads` and 1 - `heads`."""
    up = heads * better.sum(axis=0) + (1 - heads) * worse.sum(axis=0)
    return bleu(up) - bleu(better.sum(axis=0) + worse.sum(axis=0) - up)


grid = np.linspace(0.5, 1, 501)
heads = float(np.interp(0.5, true_difference(grid[:, None]), grid))
print(f"heads with probability {heads:.3f}: a true difference of {true_difference(heads):.2f} BLEU")

# %% [markdown]
# A few heads more than tails are enough. Now one simulated test set: as many sentences, drawn with replacement, a coin
# for each.

# %%
rng = np.random.default_rng(12)


def one_simulated_pair():
    """Two systems that truly differ by half a point, on a new test set."""
    drawn = rng.integers(pair_de.n_segments, size=pair_de.n_segments)
    shows_heads = (rng.random(len(drawn)) < heads)[:, None]
    one = np.where(shows_heads, better[drawn], worse[drawn])
    return mt.SufficientStatistics(pair_de.metric, "AB", [one, better[drawn] + worse[drawn] - one])


simulated = one_simulated_pair()
print(simulated.scores().round(2).to_dict())

# %% [markdown]
# > **Predict before you run.** The true difference is half a point, the test set has 1,002 sentences. How often will
# > a test at α = .05 find it: in nine of ten test sets, in half of them, in a third?

# %%
found = 0
for seed in range(200):
    simulated = one_simulated_pair()
    test = mt.approximate_randomization(simulated, "A", "B", n_resamples=199, rng=seed)
    found += test.conclusion(0.05) == "better"
low, high = clopper_pearson(found, 200)
print(f"found on {found} of 200 test sets; 95 % interval {low:.2f} to {high:.2f}")

# %% [markdown]
# The package does the same with its own coins, and there is a quick way: the difference is nearly normally
# distributed, and its standard error can be computed from the pilot. By
# hand, with the jackknife: leave out one sentence at a time.

# %%
left_out = bleu(A.sum(axis=0) - A) - bleu(B.sum(axis=0) - B)
n = len(left_out)
standard_error = np.sqrt((n - 1) * left_out.var())
by_hand = stats.norm.cdf(0.5 / standard_error - stats.norm.ppf(0.975))
print(f"standard error {standard_error:.3f} BLEU, power {by_hand:.3f}")

# %%
quick = mt.power(pair_de, effect=0.5)
brute = mt.power(
    pair_de, effect=0.5, method="simulation", n_simulations=400, n_resamples=299, rng=12
)
assert np.isclose(quick.table["power"].item(), by_hand)
row = brute.table.iloc[0]
assert row["low"] < by_hand < row["high"] and low < by_hand < high
headline("power for half a point of BLEU with 1,002 segments, normal theory", by_hand, spec=".2f")
headline("the same by brute force, 400 simulated test sets", row["power"], spec=".2f")

# %% [markdown]
# Whoever set out to find half a BLEU point with this test set had to expect to miss it. The silence of the test
# says little.
#
# ## Before the experiment
#
# How large, then, must a test set be? Curves by normal theory, and points by brute force.

# %%
sizes = [250, 500, 1000, 2000, 4000, 8000]
planned = mt.power(pair_de, effect=[0.3, 0.5, 1.0], n_units=sizes)
checked = mt.power(
    pair_de,
    effect=[0.3, 0.5, 1.0],
    n_units=[500, 2000],
    method="simulation",
    n_simulations=400,
    n_resamples=199,
    rng=12,
)

# %%
fig = planned.plot()
ax = fig.axes[0]
ends = abs(checked.table[["low", "high"]].T - checked.table["power"]).to_numpy()
ax.errorbar(
    checked.table["n_units"], checked.table["power"], ends, fmt="x", color="black", capsize=3
)
both = planned.table.merge(checked.table, on=["effect", "n_units"], suffixes=("", "_brute"))
assert len(both) == 6 and (abs(both["power"] - both["power_brute"]) < 0.08).all()
plt.show()

# %% [markdown]
# *Power over the size of the test set, for three true differences. Crosses: brute force, with 95 % Monte Carlo
# intervals. Four times as many sentences see half the difference as often.*
#
# Turned round, the question is which difference a test set will show. The answer is worth a sentence in any paper:

# %%
seen = mt.minimum_detectable_difference(pair_de, n_units=[1000, 4000])
print("\n".join(seen.sentence.splitlines()[:2]))

# %%
sensible = {
    name: mt.minimum_detectable_difference(mt.load(name).statistics("BLEU"))
    for name in ("wmt12/es-en", "wmt21/en-de", "wmt22/de-en")
}
pd.concat({name: one.summary for name, one in sensible.items()}).droplevel(1)

# %%
german = sensible["wmt21/en-de"].table["difference"].median()
headline(
    "WMT21 en-de: BLEU difference seen four times in five, median of 190 pairs", german, spec=".2f"
)
assert german > 0.8

# %% [markdown]
# Smaller differences than these will often be missed. But look at the columns: some pairs show a quarter of a point. It
# depends on how *different* the two outputs are. An improvement that leaves most sentences alone is another matter.
# Replace just so many sentences of `UF` by those of a better system that it gains half a point:

# %%
local = mt.simulate.planted_shift(
    into_german, "UF", "VolcTrans-GLAT", difference=0.5, n_pairs=200, rng=12
)
seen_locally = mt.simulate.rejection_rates(local, ["ar"], n_resamples=400, rng=5)
print(local.test_set)
headline(
    "half a point that lies in few sentences: found, of 200 choices of sentences",
    int(seen_locally["rejected"].item()),
)
assert seen_locally["low"].item() > 0.5 > by_hand

# %% [markdown]
# > **Observed power is not power.** It is tempting to compute the power for the difference that was *observed*. It
# > is the p-value in other words: at p = .05 it is about one half, whatever was measured, and below one half for
# > every result that was not significant. The effect is to be chosen, for what would matter.

# %%
z = stats.norm.ppf(1 - np.array([0.01, 0.05, 0.2, 0.8]) / 2)
observed = stats.norm.sf(stats.norm.ppf(0.975) - z)
print(
    dict(zip(["p = .01", "p = .05", "p = .2", "p = .8"], observed.round(2).tolist(), strict=True))
)
assert abs(observed[1] - 0.5) < 1e-9

# %% [markdown]
# ## What can we rule out?
#
# To show that two systems differ by little, turn the hypotheses round.
#
# **Null hypothesis.** The true difference is at least as large as a *margin*, in one direction or the other.
#
# **Alternative hypothesis.** It is smaller than the margin.
#
# The margin is the smallest difference that would matter. It is chosen before looking at the scores; take half a BLEU
# point. There are two ways to be outside of it, so there are two one-sided tests, and both must reject.

# %%
margin = 0.5
resampled = intervals[1].distribution  # Watermelon against VolcTrans-AT
at_or_above = (np.sum(resampled >= margin) + 1) / (len(resampled) + 1)
at_or_below = (np.sum(resampled <= -margin) + 1) / (len(resampled) + 1)
print(
    f"p = {max(at_or_above, at_or_below):.4f}, the larger of {at_or_above:.4f} and {at_or_below:.4f}"
)

# %%
small = mt.equivalence_test(pair_en, *pair_en.systems, margin=margin, rng=12)
assert (small.pvalue_above, small.pvalue_below) == (at_or_above, at_or_below)
small

# %%
unknown = mt.equivalence_test(pair_de, *pair_de.systems, margin=margin, rng=12)
assert small.equivalent and not unknown.equivalent
unknown

# %% [markdown]
# Note the words. `Watermelon` and `VolcTrans-AT` *differ by less than the margin*; nobody said that they are equal, which
# no test can show. The other pair were *not shown to be* within it; nobody said that they are outside.
#
# Rejecting at α is the same as finding the whole interval of level 1 − 2α inside the margin. The top seven systems
# into English, neighbour against neighbour:

# %%
top = into_english.scores().index[:7]
neighbours = [
    mt.equivalence_test(into_english, a, b, margin=margin, rng=1)
    for a, b in itertools.pairwise(top)
]
fig = planning.equivalence(neighbours)
drawn = sum(len(bars[0].get_xdata()) for bars in fig.axes[0].containers)
assert drawn == 6
headline(
    "neighbours of the top seven shown to differ by less than half a point",
    sum(t.equivalent for t in neighbours),
)
plt.show()

# %% [markdown]
# *Differences between neighbours with 90 % intervals; the margin is shaded. Significant or not, what lies within the
# shading is small; what reaches out of it is open.*
#
# Does the test hold its level where it is hardest, at the margin itself? Plant a difference of exactly the margin, by
# coins, and count how often the test calls it smaller. And how often does it succeed where there is no difference at all?


# %%
def share_equivalent(difference, margin=1.5, n_pairs=300):
    """Share of simulated pairs with that true difference that are found equivalent."""
    pairs = mt.simulate.planted_difference(
        pair_de, *pair_de.systems, difference=difference, n_pairs=n_pairs, rng=21
    )
    scores = bootstrap_scores(pairs, 400, seed=22)
    d = scores[:n_pairs] - scores[n_pairs:]
    p = (np.maximum((d >= margin).sum(axis=1), (d <= -margin).sum(axis=1)) + 1) / 401
    return (p <= 0.05).mean()


# %%
at_margin, at_zero = share_equivalent(1.5), share_equivalent(0.0)
low, high = clopper_pearson(round(300 * at_margin), 300)
headline("equivalence at .05 found at the margin itself, planted by coins", at_margin, spec=".3f")
headline("equivalence found where there is no difference", at_zero, spec=".2f")
assert low < 0.05 < high and at_zero > 0.9

# %% [markdown]
# With coins, whose differences are symmetric, and a thousand sentences, the level is not seen to be broken. That is one
# setting; with few sentences and skewed differences it may be another matter.
#
# ## Documents
#
# All of this took sentences for independent. Sentences of one document are not: they share topic and style, and a
# system's luck with both. Where documents are known, results that draw *documents* belong beside those that draw
# segments.

# %%
spanish = mt.load("wmt12/es-en").statistics("BLEU")
news12 = mt.compare_units(spanish, n_resamples=4000, rng=12)
print(news12)

# %%
fig = news12.plot()
assert len(fig.axes[0].collections[0].get_offsets()) == 66
headline(
    "WMT12 es-en: median ratio of standard errors, documents to segments",
    news12.table["ratio"].median(),
    spec=".2f",
)
assert news12.table["ratio"].median() > 1.5
plt.show()

# %% [markdown]
# *Each point is a pair of systems: the standard error of their difference with documents as units, over that with
# segments.*
#
# Not all of this is documents. Five languages were the original ones of this test set (notebook 02), and whoever draws
# documents freely draws the mix of languages anew as well. Drawn within each language (`strata` of `SufficientStatistics`,
# where the languages are known) they give a smaller ratio.
#
# Later campaigns are kinder. The column `correlation` is the mean correlation of two sentences of a document that
# explains the ratio (Kish 1965): with documents of $m$ sentences, variances grow by $1 + (m - 1) \rho$.

# %%
rows = {}
for name in ("wmt12/es-en", "wmt21/en-de", "wmt22/de-en", "wmt22/ja-en"):
    both = mt.compare_units(mt.load(name).statistics("BLEU"), n_resamples=4000, rng=12)
    rows[name] = both.table[["ratio", "correlation"]].median()
    rows[name]["pairs"], rows[name]["lost"] = len(both.table), len(both.lost)
by_campaign = pd.DataFrame(rows).T
by_campaign

# %%
assert (by_campaign["ratio"] > 1).all()

# %% [markdown]
# `lost` counts the pairs that are distinguished with segments as units and not with documents. What does a test do
# that ignores documents? Make systems that do not differ, whose sentences are correlated, a little less than in the first row
# of the table: one coin for each document, which some of its sentences follow.

# %%
strength = 0.05
assert strength < by_campaign.loc["wmt12/es-en", "correlation"]
correlated = mt.simulate.document_effects(
    spanish, "onlineB", "UPC", correlation=strength, n_pairs=200, rng=12
)
by_units = {
    units: mt.simulate.rejection_rates(correlated, ["ar"], units=units, n_resamples=400, rng=5)
    for units in ("segments", "documents")
}
wrong = pd.concat(by_units).droplevel(1)
del correlated  # a hundred megabytes
wrong

# %%
headline(
    "type-I error at .05 where sentences correlate by .05, segments as units",
    wrong.loc["segments", "rate"],
    spec=".3f",
)
headline("the same, documents as units", wrong.loc["documents", "rate"], spec=".3f")
assert (
    wrong.loc["segments", "low"] > 0.05
    and wrong.loc["documents", "low"] < 0.05 < wrong.loc["documents", "high"]
)

# %% [markdown]
# A correlation of .05 looks like nothing. With some thirty sentences to a document it is not.
#
# ## Several runs
#
# Train a system again and it scores differently. The campaign `multeval/en` has three optimizer runs of three systems
# (Clark et al. 2011). Two questions, two tests:

# %%
multeval = mt.load("multeval/en").statistics("BLEU")
runs = {system: [f"{system}.opt{i}" for i in range(3)] for system in ("baseline", "sys1")}
compared = mt.compare_runs(multeval, runs, n_resamples=2000, rng=12)
print(compared)

# %%
assert compared.segment_test.pvalue < 0.05 < compared.run_test.pvalue

# %% [markdown]
# **Null hypothesis of the segment test.** Within every sentence, the outputs of the one system's *three runs* might as
# well be the other's: one coin for each sentence exchanges the two sets. **Null hypothesis of the run test.** *Other
# runs* of the two methods would do equally well, on average. The first was rejected, the second was not. With three
# runs against three it never can be at .05: there are 20 arrangements, and the smallest two-sided p is .1.
#
# The sets are exchanged as wholes because runs of one system resemble each other. With a coin for every single output,
# as MultEval has it, three copies of a system would count as three times the evidence.
#
# If one takes the first test's answer for the second question? Simulate two methods that do not differ, whose runs
# scatter as much as those of `sys1` and resemble each other: the coins of two runs of a method correlate by one half.

# %%
s_opt = compared.spreads[1].s_opt
every_second = multeval.subset(np.arange(0, multeval.n_segments, 2))
methods = {m: [f"{m}.run{i}" for i in (1, 2, 3)] for m in "AB"}


def one_simulated_comparison(seed):
    """Two methods without a difference, three runs of each; p over segments and over runs."""
    some = mt.simulate.training_runs(
        every_second, "baseline.opt0", "sys1.opt0", spread=s_opt, correlation=0.5, rng=seed
    )
    result = mt.compare_runs(some, methods, n_resamples=199, bootstrap_resamples=2, rng=seed)
    return result.segment_test.pvalue, result.run_test.pvalue


# %%
p_segments, p_runs = np.array([one_simulated_comparison(seed) for seed in range(60)]).T
rejected = [int((p <= 0.1).sum()) for p in (p_segments, p_runs)]
headline(
    "methods that do not differ, called different at .1 by the segment test, of 60", rejected[0]
)
headline("the same by the run test", rejected[1])
assert clopper_pearson(rejected[0], 60)[0] > 0.1 > clopper_pearson(rejected[1], 60)[0]

# %% [markdown]
# A claim about methods needs runs as units, more than three of them, and the segment test as well: where runs of a method
# are alike, the run test takes the luck of these sentences for the method's, and errs in its turn. So both must reject.
# [Both worlds, measured](../docs/trust.md#correlated-runs-equally-good), with five runs of each.
#
# ## How often does each test err?
#
# Notebook 05 measured it once. Here are three campaigns and four metrics, the outputs of two systems exchanged at
# random within each sentence, so that every rejection is an error.

# %%
campaigns = {
    "wmt12/es-en": ("onlineC", "onlineD"),
    "wmt21/de-en": ("HuaweiTSC", "Facebook-AI"),
    "wmt22/de-en": ("Online-A", "Online-B"),
}
sizes_of = {}
for name, systems in campaigns.items():
    for metric in ("BLEU", "chrF", "TER", "NIST"):
        statistics = mt.load(name).statistics(metric)
        some = statistics.subset(np.linspace(0, statistics.n_segments - 1, 400).astype(int))
        nulls = mt.simulate.exact_nulls(some, *systems, n_pairs=200, rng=len(sizes_of))
        sizes_of[name, metric] = mt.simulate.rejection_rates(nulls, n_resamples=400, rng=13)
sizes_table = pd.concat(sizes_of)

# %%
shown = sizes_table[["rate", "low", "high"]].map("{:.3f}".format).agg(" ".join, axis=1)
short = {
    title: title.split(" (")[0].replace("bootstrap as printed by", "as printed,")
    for title in shown.index.levels[2]
}
shown.unstack().rename(columns=short)

# %%
fig = planning.rejection_rates(sizes_table, level=0.05)
assert len(fig.axes[0].containers) == 4 and len(fig.axes[0].get_yticks()) == 12
plt.show()

# %% [markdown]
# *Rates at which interchangeable systems are called different at α = .05, of 200 pairs each, with 95 %
# Clopper–Pearson intervals. The table has rate, lower and upper limit.*

# %%
pooled = sizes_table.groupby(level=2, sort=False)[["rejected", "pairs"]].sum()
pooled["rate"] = pooled["rejected"] / pooled["pairs"]
low, high = clopper_pearson(pooled["rejected"], pooled["pairs"])
for title, row in pooled.iterrows():
    headline(f"size at .05 over twelve settings, {title}", row["rate"], spec=".3f")
assert low[0] > 0.08 and low[-1] < 0.05 < high[-1]
printed = sizes_table.xs(pooled.index[0], level=2)["rate"]
assert (printed > 0.05).all()
assert (pooled["rate"].iloc[1:] < 0.07).all()

# %% [markdown]
# In these twelve settings, of 400 sentences each and at .05, the bootstrap as printed in 2005 errs more often than it says,
# in every one, and none of the others is seen to break its promise. It is one kind of null hypothesis, exchanged outputs,
# and one level and size. [What can be relied on](../docs/trust.md) counts the errors of every test, interval and correction
# in a dozen kinds of data, at .05 and at .01, from 50 sentences on: there the others break their promise as well where
# differences are skewed and sentences few, and the page says what to use instead, or that nothing helps.
#
# Exchanged outputs are what approximate randomization assumes. Two systems may also be equally good without being alike.
# Here one of each pair is `UEdin`, and the other a patchwork of a worse and a better system with the same true score:

# %%
alike = mt.simulate.equal_systems(into_german, "UEdin", "ICL", "VolcTrans-GLAT", rng=12)
as_good = mt.simulate.rejection_rates(alike, ["bootstrap", "ar"], n_resamples=400, rng=5)
assert (as_good["low"] < 0.05).all() and (as_good["high"] > 0.05).all()
as_good

# %% [markdown]
# Neither is seen to break its level. With a thousand sentences, what the outputs look like otherwise seems to matter
# little to a test of their scores; with fewer it may (exercise 3).
#
# ## Any score per segment
#
# Neural metrics give a score to each segment and average. Everything here works on such scores: read them into a table
# and call `from_segment_scores`. This notebook cannot download a model, so the scores of experts stand in for one:
# MQM, with which WMT21 judged 527 sentences of each system into German.

# %%
campaign = mt.load("wmt21/en-de")
scores = campaign.human.means.frame  # system, segment, mean: as a metric's output would look
mqm = mt.from_segment_scores(scores, score="mean", label="MQM", test_set="wmt21/en-de")
print(mqm)
print(mt.approximate_randomization(mqm, "VolcTrans-GLAT", "Facebook-AI", rng=12))

# %%
experts = mt.minimum_detectable_difference(mqm, "VolcTrans-GLAT", "Facebook-AI")
spread = mqm.scores().max() - mqm.scores().min()
print(experts.sentence.splitlines()[0])
print(f"from the best to the worst system: {spread:.2f} MQM")

# %% [markdown]
# ## Does a metric doubt what people doubt?
#
# *Pairwise accuracy* (Kocmi et al. 2021) asks how often a metric orders two systems as people do. A toss-up counts as
# much as a landslide. *Soft pairwise accuracy* (Thompson et al. 2024) compares p-values instead: for each pair, how
# far is the metric's one-sided p-value from people's?
#
# $$\text{SPA} = 1 - \text{mean over pairs of } |p_\text{people} - p_\text{metric}|$$
#
# By hand, on three systems. Both p-values come from the same permutation test, the paper's, which is approximate
# randomization with one tail.

# %%
judged = np.sort(scores["segment"].unique())
on_judged = campaign.statistics("BLEU").subset(judged)
three = ["VolcTrans-GLAT", "NVIDIA-NeMo", "eTranslation"]  # in people's order


def one_sided(statistics, a, b):
    """p for a being better than b."""
    return mt.approximate_randomization(
        statistics, a, b, alternative="greater", n_resamples=1000, rng=12, exact=False
    ).pvalue


distances = []
for a, b in ((three[0], three[1]), (three[0], three[2]), (three[1], three[2])):
    people, metric = one_sided(mqm, a, b), one_sided(on_judged, a, b)
    distances.append(abs(people - metric))
    print(f"{a} better than {b}: people p = {people:.3f}, BLEU p = {metric:.3f}")
    assert people < 0.5

# %%
package = mt.soft_pairwise_accuracy(on_judged.select(three), mqm.select(three), rng=12)
assert np.isclose(package.accuracy, 1 - np.mean(distances))
print(f"soft pairwise accuracy of three systems: {package.accuracy:.3f}")

# %% [markdown]
# Now all systems that both have, with an interval from resampling *systems*, as in notebook 10.

# %%
spa = mt.soft_pairwise_accuracy(on_judged, campaign.human, rng=12)
print(spa)
headline("WMT21 en-de, BLEU against MQM: soft pairwise accuracy", spa.accuracy, spec=".3f")

# %%
fig = spa.plot()
points = sum(len(c.get_offsets()) for c in fig.axes[0].collections[1::2])
assert points == len(spa.table)
plt.show()

# %% [markdown]
# *One-sided p-values of each pair, people's better system first. A grey line is a pair's distance; SPA is one minus their
# mean. Pairwise accuracy sees only the colours.*
#
# With p-values of 0 and 1 only, the two measures are the same:

# %%
from mtsig_nb.meta_evaluation.soft_accuracy import one_sided_pvalues

certain = []
for side in (on_judged, campaign.human):
    p, _ = one_sided_pvalues(side, rng=12)
    certain.append((p > p.T).astype(float))
without_doubt = mt.soft_pairwise_accuracy(*certain, rng=12)
assert np.isclose(without_doubt.accuracy, spa.pairwise_accuracy)
print(
    f"all doubt removed: {without_doubt.accuracy:.3f} = pairwise accuracy {spa.pairwise_accuracy:.3f}"
)

# %% [markdown]
# Four campaigns. Where judges saw the same sentences of all systems (MQM), people's p-values come from the permutation
# test; direct assessment of different sentences gets the rank-sum test.

# %%
rows = {}
for name in ("wmt21/en-de", "wmt21/zh-en", "wmt22/de-en", "wmt22/zh-en"):
    one = mt.load(name)
    for metric in ("BLEU", "chrF"):
        statistics = one.statistics(metric)
        if name.startswith("wmt21"):
            statistics = statistics.subset(np.sort(one.human.means.frame["segment"].unique()))
        result = mt.soft_pairwise_accuracy(statistics, one.human, rng=12)
        low, high = result.interval
        rows[name, metric] = [
            result.n_systems,
            result.pairwise_accuracy,
            result.accuracy,
            low,
            high,
        ]
against_people = pd.DataFrame(rows, index=["systems", "PA", "SPA", "SPA low", "SPA high"]).T
against_people

# %%
overlaps = against_people["SPA low"].max() < against_people["SPA high"].min()
print(f"all eight intervals overlap: {overlaps}")
assert (against_people["SPA high"] - against_people["SPA low"] > 0.05).all()

# %% [markdown]
# A campaign has few systems, so both measures are uncertain. How well do the experts do against themselves? Let one
# half of their sentences play the metric for the other half:

# %%
halves = np.random.default_rng(12).permutation(mqm.n_segments)
first, second = (mqm.subset(np.sort(part)) for part in np.array_split(halves, 2))
themselves = mt.soft_pairwise_accuracy(first, second, rng=12)
headline(
    "experts against themselves, 264 and 263 sentences: soft pairwise accuracy",
    themselves.accuracy,
    spec=".3f",
)
assert 0.8 < themselves.accuracy < 1

# %% [markdown]
# Not even they reach 1 on another sample of sentences. That is no ceiling for metrics: a metric scores the same sentences
# that people judged, and all of them, and may come closer.
#
# ## What this does not tell you
#
# - Power is that of the pilot's kind of texts and systems. A pilot that is small, or of another kind, gives a
#   number all the same.
# - A margin is an opinion. Equivalence within half a BLEU point is no equivalence in quality.
# - Documents are not the end: topics, translators and sources make clusters, too. And few documents with skewed effects
#   are few skewed units, with which tests [err more than they say](../docs/trust.md#documents-with-skewed-effects).
# - Runs that were simulated vary as we told them to. How real ones vary is known only from real ones.
# - SPA depends on the number of sentences: a metric that saw more of them than people did is surer than they
#   are, and loses by it. Compare on the same segments.
#
# ## You can now
#
# - plant a difference, measure power by brute force, and predict it from a standard error;
# - write "with 1,000 segments we would have seen a difference of … four times in five";
# - test for equivalence, and never write "equal";
# - put documents beside segments, and runs beside both;
# - compute SPA by hand, and say what it adds to pairwise accuracy.
#
# ## Try it yourself
#
# 1. How many sentences would show a difference of .3 BLEU between `VolcTrans-GLAT` and `Facebook-AI` nine times in ten?
#    And how many *documents* (`units="documents"`)?
# 2. Which margin would `VolcTrans-GLAT` and `Facebook-AI` have been shown to be within? Why may one not choose it *now*?
# 3. With 30 sentences instead of 1,002 (`n_segments=30` in `mt.simulate.equal_systems`), do the tests still keep their
#    level?
# 4. Compute SPA for BLEU on all 1,002 sentences of `wmt21/en-de` instead of the judged ones. Does it rise or fall?
#
# ## Further reading
#
# - Card, D. et al. (2020). *With little power comes great responsibility.* EMNLP, 2020.emnlp-main.745.
# - Hoenig, J. M. & Heisey, D. M. (2001). *The abuse of power: the pervasive fallacy of power calculations for data
#   analysis.* The American Statistician 55, 19–24.
# - Schuirmann, D. J. (1987). *A comparison of the two one-sided tests procedure and the power approach.* Journal of
#   Pharmacokinetics and Biopharmaceutics 15, 657–680.
# - Kish, L. (1965). *Survey sampling.* Wiley. Section 5.4: the effect of clusters.
# - Clark, J. H., Dyer, C., Lavie, A. & Smith, N. A. (2011). *Better hypothesis testing for statistical machine
#   translation.* ACL, P11-2031.
# - Graham, Y., Haddow, B. & Koehn, P. (2020). *Statistical power and translationese in machine translation
#   evaluation.* EMNLP, 2020.emnlp-main.6.
# - Kocmi, T. et al. (2021). *To ship or not to ship.* WMT, 2021.wmt-1.57. Pairwise accuracy.
# - Thompson, B., Mathur, N., Deutsch, D. & Khayrallah, H. (2024). *Improving statistical significance in human
#   evaluation of automatic metrics via soft pairwise accuracy.* WMT, 2024.wmt-1.118.
