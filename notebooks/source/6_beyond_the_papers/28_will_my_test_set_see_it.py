# %% [markdown]
# # 28 · Will my test set see it?
#
# You have worked on your system for three months and hope that it has gained half a point of BLEU. Next week it will
# be compared with the old one on a test set of a thousand sentences. Suppose that it really has gained half a point.
# Will the test find out? Most people learn the answer when it is too late, from a p-value of .3. It can be had
# beforehand, in a minute.
#
# <details><summary>After this unit you can …</summary>
#
# - say why the power for the observed difference tells nothing new (question 1);
# - choose the more credible of two reported gains with the same p (question 2);
# - compute how many sentences a true difference takes, and say what one finding proves about a test set (question 3,
#   exercise 1).
#
# Before this: units 9 and 12. About 22 minutes to read, 27 to teach with a discussion. New terms: none.
#
# </details>

# %% tags=["remove-input"]
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from mtsig_nb.plots import style
from mtsig_nb.teaching import headline, movable

np.set_printoptions(legacy="1.25")  # numbers are printed as numbers, without their type
pd.options.display.float_format = "{:.2f}".format
pd.options.display.width = 100


def draw_leads(panels, truth):
    """Leads on many test sets, a row for each size; those that the test found are coloured."""
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(7.2, 4.6), sharex=True, layout="constrained"
    )
    bins = np.arange(-1.5, 2.61, 0.1)
    for ax, (title, (leads, p_values)) in zip(axes, panels.items(), strict=True):
        found = p_values <= 0.05
        ax.hist(
            [leads[~found], leads[found]],
            bins,
            stacked=True,
            color=[style.MUTED, style.EMPHASIS],
            label=["not found", "found at .05"],
        )
        ax.axvline(truth, color=style.INK, linestyle="--", linewidth=1)
        mean = leads[found].mean()
        place = ax.get_xaxis_transform()
        ax.plot(mean, 0.9, "v", markersize=13, color=style.EMPHASIS, transform=place)
        said = f"{title}: {found.mean():.0%} find the lead, on average one of {mean:.2f}"
        ax.set_title(said, loc="left", fontsize=11)
        ax.set_ylabel("test sets")
    axes[0].legend(frameon=False, loc="upper left")
    axes[-1].set_xlabel("lead on the test set (BLEU); dashed: the true lead")
    style.describe(
        figure,
        "Two hills of leads around the dashed line of the true one, .57. With 300 sentences only the right end is coloured, and the mean of "
        "the coloured part is twice the truth; with 1,000 more than half is coloured and its mean is nearer.",
    )
    return figure


def draw_power(sizes, shares, curve_sizes, curve):
    """How often the lead is found, by the size of the test set: counted, and by the square root."""
    figure, ax = style.figure_and_axes(None, figsize=(7.2, 4.0))
    ax.plot(curve_sizes, curve, color=style.GREY, label="from one standard error")
    ax.plot(
        sizes,
        shares,
        "o",
        color=style.look_of("approximate-randomization")[0],
        markersize=9,
        label="counted, 200 test sets each",
    )
    ax.axhline(0.8, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate("four times in five", (4000, 0.8), (0, 4), textcoords="offset points", ha="right")
    ax.set(xlabel="sentences in the test set", ylabel="share that finds the lead", ylim=(0, 1.03))
    ax.set_xlim(0, 4050)
    ax.legend(frameon=False, loc="lower right")
    style.describe(
        figure,
        "A curve that rises from near 0 over .2 at 300 sentences and .6 at 1,000 to .8 near 1,600 and .97 at 3,000, with five counted "
        "dots close to it and a dashed line at .8.",
    )
    return figure


# %% [markdown]
# The word for it is the one of [unit 3](../1_what_chance_can_do/03_where_to_draw_the_line.ipynb): the power of a test
# is how often it finds a difference that is there. There we counted it for a reader with ten sentences. Now we do so
# for two systems and a metric. Of the four steps none changes. We watch whole tests from outside, as in [unit
# 15](../3_which_test_which_metric/15_what_a_test_promises.ipynb), with one thing turned round: there the systems did
# not differ, and here they do.
#
# ## What the lucky ones report
#
# Go back to unit 3's ten sentences for a moment. In truth A is preferred on seven of ten, and we claim a difference
# if one system is preferred on nine or more. That happened in 15 of 100 experiments. Think of those 15. What do they
# report? Nine sentences of ten, or all ten, since with less nobody would have claimed anything. The truth is seven.
# So *everybody* who found the advantage also exaggerated it, and nobody did anything wrong.
#
# Let us see whether this happens with real systems.
#
# ## A world in which we know the answer
#
# At WMT12, Edinburgh's system was .57 ahead of QCRI's. Let us pretend that the 3,003 sentences are all the Spanish
# news there is, our population, and that .57 is the truth. From it we draw test sets of 300 sentences, the size that
# Koehn (2004) used, and test each.

# %%
import mtsig_nb as mt

campaign = mt.load("wmt12/es-en").statistics("BLEU")
pair = campaign.select(["uedin-wmt12", "QCRI--primary"])
truth = pair.scores()["uedin-wmt12"] - pair.scores()["QCRI--primary"]
truth


# %%
def try_out(size, times=200):
    rng, leads, p_values = np.random.default_rng(28), [], []
    for _ in range(times):
        test_set = pair.subset(rng.integers(3003, size=size))
        test = mt.approximate_randomization(test_set, *pair.systems, n_resamples=499, rng=rng)
        leads.append(test.statistic)
        p_values.append(test.pvalue)
    return np.array(leads), np.array(p_values)


# %% [markdown]
# Each round of the loop is what a researcher does once: get a test set, test, note the lead and the p-value. (`subset`
# keeps the sentences that were drawn.)
#
# > **Make a guess.** The lead is real. In how many of 200 test sets of 300 sentences is it found at .05: about 160,
# > about 100, or about 45? And those that find it, what lead do they report on average: .57, .8, or 1.2?
# >
# > <details><summary>about 160, and .57 on average</summary>That is what plans ask for. Three hundred sentences
# > give far less.</details>
# > <details><summary>about 100, and .8</summary>Fewer, and they exaggerate more.</details>
# > <details class="right"><summary>about 45, and 1.2</summary>So it is: who finds it reports twice the
# > truth.</details>

# %%
leads, p_values = try_out(300)
(p_values <= 0.05).sum(), leads.mean(), leads[p_values <= 0.05].mean()

# %% tags=["remove-input"]
small, large = (leads, p_values), try_out(1000)
draw_leads({"300 sentences": small, "1,000 sentences": large}, truth)
plt.show()

# %% tags=["remove-input", "remove-output"]
found_small, found_large = (p <= 0.05 for _, p in (small, large))
headline(
    "WMT12 es-en, uedin against QCRI: test sets of 300 that find the lead, of 200",
    found_small.sum(),
)
headline("the same, mean lead of those that find it", leads[found_small].mean(), spec=".2f")
headline(
    "the same, mean lead of those with 1,000 sentences", large[0][found_large].mean(), spec=".2f"
)
assert round(truth, 2) == 0.57 and 30 <= found_small.sum() <= 60
assert 1.05 < leads[found_small].mean() < 1.35 and abs(leads.mean() - truth) < 0.1
assert leads[found_small & (leads > 0)].min() > truth and 0.5 < found_large.mean() < 0.7
assert 0.65 < large[0][found_large].mean() < 0.82
assert round(binom.sf(8, 10, 0.7) + binom.cdf(1, 10, 0.7), 2) == 0.15

# %% [markdown]
# The horizontal axis is the lead that a test set shows, and the height of a bar is how many of the 200 test sets show
# it. Begin with the upper row. The hill stands around the dashed line, as it should: on average these test sets are
# right. But it is wide, and coloured is only its right end, the test sets in which the lead was found. The triangle at
# the top marks their mean. It is far to the right of the truth. With 300 sentences a lead is found only if it is about
# one point or more, and a true lead of .57 shows as one point only by luck. In the lower row the hill is narrower, more
# than half of it is coloured, and the triangle has moved towards the dashed line. With a very large test set the whole
# hill would be coloured and the triangle would stand on the line.
#
# **The guess.** About 45, and 1.2. Three researchers of four miss a lead that is there. The fourth finds it, and
# reports twice what is true. If only leads that were found are printed, the printed leads are exaggerated on average.
# The smaller the test sets, the larger is the exaggeration.
#
# ## How large, then?
#
# The same for larger test sets. The convention is to ask for a power of .8, *four times in five*.

# %%
sizes = [300, 1000, 1600, 2000, 3003]
shares = [(try_out(size)[1] <= 0.05).mean() for size in sizes]
pd.Series(shares, index=sizes)

# %% [markdown]
# This took some thousand tests. There is a quicker way that needs no tests. It needs the standard error of the
# difference ([unit 9](../2_a_score_and_two_of_them/09_how_many_sentences.ipynb)), which is the standard deviation that
# the lead would show over test sets like this one. For our pair and 3,003 sentences:

# %%
error = mt.confidence_interval(pair, *pair.systems, rng=28).standard_error
error, 2.8 * error

# %% [markdown]
# Why 2.8? A difference is found at .05 if it is at least about 1.96 standard errors away from zero. Now suppose that
# the truth is exactly there. Then the observed lead falls short of it as often as not, and half of the test sets miss.
# To be found four times in five the true difference has to lie further out, so far that only one fifth of the hill
# reaches back across the line. That is another .84 standard errors, and 1.96 + .84 = 2.8. So with 3,003 sentences four
# tenths of a point would be found four times in five.
#
# And with other numbers of sentences? The square root. A test set a tenth as large has a standard error 3.2 times as
# large. The package does this arithmetic, and puts it into a sentence:

# %%
print(mt.minimum_detectable_difference(pair, n_units=[300, 1000, 1600, 3003]).sentence)

# %% tags=["remove-input"]
curve_sizes = np.arange(20, 4001, 20)
curve = norm.cdf(truth / (error * np.sqrt(3003 / curve_sizes)) - 1.96)
draw_power(sizes, shares, curve_sizes, curve)
plt.show()

# %% tags=["remove-input", "remove-output"]
table = mt.minimum_detectable_difference(pair, n_units=sizes).table
seen = dict(zip(table["n_units"], table["difference"], strict=True))
by_theory = norm.cdf(truth / (error * np.sqrt(3003 / np.array(sizes))) - 1.96)
assert max(abs(by_theory - shares)) < 0.08 and 0.72 < shares[2] < 0.88 and shares[-1] > 0.9
headline(
    "sentences with which .57 BLEU is found four times in five",
    3003 * (2.8 * error / truth) ** 2,
    spec=".0f",
)
headline(
    "WMT12 es-en, uedin against QCRI, 3,003 sentences: difference found four times in five",
    seen[3003],
    spec=".2f",
)
assert abs(2.8 * error - seen[3003]) < 0.02 and 0.39 < seen[3003] < 0.45
assert 0.48 < norm.cdf(0.5 / (error * np.sqrt(3.003)) - 1.96) < 0.53
assert 1500 < 3003 * (2.8 * error / truth) ** 2 < 1800 and 3.1 < np.sqrt(10) < 3.2
assert 1.2 < seen[300] < 1.4 and 0.68 < seen[1000] < 0.78 and 0.54 < seen[1600] < 0.6
assert abs(norm.ppf(0.975) - 1.96) < 0.01 and abs(norm.ppf(0.8) - 0.84) < 0.01

# %% [markdown]
# Along the horizontal axis the test set grows, and the height is how often it finds the true lead of .57. The dots were
# counted with two hundred test sets each, the curve comes from the one standard error. Start at the left: at 300 both
# say about a quarter. Follow the curve up to the dashed line, four times in five, which it crosses at about 1,600
# sentences. The dots lie on the curve, apart from the few hundredths by which counts from two hundred test sets may be
# off.
#
# So to see .57 takes some 1,600 sentences *with these two systems*. If your two versions differ as much as these, and
# the gain is half a point, your thousand sentences find it in one case of two.
#
# Move the number of sentences. The hill is where leads on such test sets fall, and its coloured part has found the lead.
# Watch both numbers: how many find it, and what they report on average.


# %% tags=["remove-input", "nbval-ignore-output"]
def leads_on(ax, sentences):
    """Leads on test sets of a size, by the one standard error."""
    own = error * np.sqrt(3003 / sentences)
    x = np.linspace(-2.5, 3.6, 1221)
    height = norm.pdf(x, truth, own)
    ax.fill_between(x, height, color=style.CALM)
    found = abs(x) >= 1.96 * own
    for side in (x > 0, x < 0):
        ax.fill_between(x[found & side], height[found & side], color=style.EMPHASIS)
    ax.axvline(truth, color=style.INK, linestyle="--", linewidth=1)
    ax.set(xlabel="lead on the test set (BLEU); dashed: the true lead", yticks=[])
    share, mean = height[found].sum() / height.sum(), np.average(x[found], weights=height[found])
    title = f"{sentences:,} sentences: {100 * share:.0f} of 100 find it, and report {mean:.2f}"
    ax.set_title(title, loc="left", fontsize=11)


movable(leads_on, sentences=[100, 200, 300, 500, 1000, 1600, 3003, 6000])

# %% [markdown]
# ## How alike are the two?
#
# The words "with these two systems" matter. What has to be seen against the noise is a difference of two outputs, and
# where the outputs agree there is no noise. Take all 171 pairs of WMT21's German-to-English systems, on their thousand
# sentences, and ask of each which difference would be found four times in five:

# %%
wmt21 = mt.load("wmt21/de-en").statistics("BLEU")
each = mt.minimum_detectable_difference(wmt21).table.sort_values("difference", kind="stable")
each.iloc[[0, 1, 85, 170]][["system_a", "system_b", "difference"]]

# %% tags=["remove-input", "remove-output"]
steps = each["difference"].to_numpy()[[0, 1, 85, 170]]
headline(
    "WMT21 de-en: BLEU difference found four times in five, median of 171 pairs",
    each["difference"].median(),
    spec=".1f",
)
same = {
    names: int((wmt21.select(names).values[0] == wmt21.select(names).values[1]).all(axis=1).sum())
    for names in (("VolcTrans-AT", "Watermelon"), ("Online-B", "UF"))
}
headline(
    "WMT21 de-en, Online-B and UF: sentences of 1,000 with the same counts", same["Online-B", "UF"]
)
assert set(each.iloc[0][["system_a", "system_b"]]) == {"VolcTrans-AT", "Watermelon"}
assert set(each.iloc[1][["system_a", "system_b"]]) == {"Online-B", "UF"}
assert same["VolcTrans-AT", "Watermelon"] == 988 and same["Online-B", "UF"] == 918
assert steps[0] < 0.1 and 0.25 < steps[1] < 0.35 and 1.05 < steps[2] < 1.2 and 1.3 < steps[3] < 1.45

# %% [markdown]
# These are the two smallest, the middle one and the largest. VolcTrans-AT and Watermelon have the same counts on 988
# of the thousand sentences; Online-B and UF on 918. Such pairs may come about when somebody starts from a system and
# changes a little. The middle pair comes from two teams and would have to be 1.1 points apart to be noticed reliably.
# So the question "how many sentences does one need?" has no answer until somebody says for which two systems. To
# compare your new version with the old one, translate a few hundred sentences with both, of the kind that you care
# about and with references, and take them as a *pilot*. `mt.minimum_detectable_difference` computes from their
# outputs what a larger test set will see.
#
# ## Found is not large
#
# Papers call a difference *significant* when a test has found it at the level agreed upon. In English the word means
# that something matters, and this is where many a reader goes wrong. With a hundred thousand sentences our test would
# find seven hundredths of a point four times in five, with a p-value that is typically about .005. No reader of the
# translations would ever notice.

# %%
print(mt.minimum_detectable_difference(pair, n_units=100_000).sentence.splitlines()[0])

# %% tags=["remove-input"]
assert 0.0045 < 2 * norm.sf(2.8) < 0.0055
assert (
    0.06 < mt.minimum_detectable_difference(pair, n_units=100_000).table["difference"].item() < 0.08
)

# %% [markdown]
# A small p-value says that luck alone would seldom make so large a difference. How large it is, the interval says.
# Whether that is much, neither of them says. So choose the difference *first*: the smallest one that would change what
# you do, because you would ship the new system or give up the idea. Then ask which test set sees it. If nobody has so
# many sentences, you know beforehand that a result of "no difference found" will say little.
#
# ## The decision of unit 0
#
# Microsoft's rule was: no difference found, so the program is on a par with people. Such a rule
# is easiest to meet with a small test set. On 104 single sentences, the answers of two translators show no significant difference in
# adequacy. On whole articles the human translation led by .15: of 100 answers, 15 more preferred it than preferred the program's. Would a test on these
# sentences have found such a lead?

# %%
from mtsig_nb.teaching import parity

answers = parity("adequacy", "sentences")
sizes = [104, 200, 1600]
print(mt.minimum_detectable_difference(answers, n_units=sizes, units="documents").sentence)

# %% tags=["remove-input", "remove-output"]
seen = mt.minimum_detectable_difference(answers, n_units=sizes, units="documents")
assert seen.table["difference"].round(2).tolist() == [0.20, 0.15, 0.05]
articles = parity("adequacy", "articles").scores()
assert round(articles["human"] - articles["machine"], 2) == 0.15
on_sentences = mt.approximate_randomization(answers, "human", "machine", units="documents", rng=28)
assert on_sentences.pvalue > 0.05

# %% [markdown]
# Not reliably: with 104 sentences it takes a lead of .20 to be found four times in five. Each sentence is a document here, because two translators answered about it. A
# lead of .15 takes about twice as many sentences, and one of .05 some fifteen times as many. So say beforehand which lead would rule out
# the announcement. [Unit 30](30_no_difference_is_not_equality.ipynb) has the test for whoever wants to announce that the
# lead is smaller.
#
# ## What this does not tell you
#
# - **What half a point is worth.** That is a question about readers, and about BLEU.
# - **What happens with other texts.** The pilot is taken for the population. If it is small, or of another kind, its
#   answer belongs to another test set.
# - **What documents do.** We drew sentences one by one. Where the units are documents (unit 12), standard errors are
#   larger and more text is needed; `units="documents"` counts in documents.
#
# ## Check yourself
#
# > **The lead was .3, p was .40. "We computed the power for a true difference of .3, and it is only .13. So the test
# > set was too small, and the difference may well be real." What is wrong with this calculation?**
# >
# > <details><summary>The power should be .40</summary>p and power are different things. But this power follows from p
# > and says nothing new.</details>
# > <details class="right"><summary>Power was computed for the difference that was observed</summary>This is correct.</details>
# > <details><summary>Nothing</summary>For any data with p = .40 this power is .13. So it cannot be news.</details>
#
# <details><summary>Answer</summary>
#
# The .3 was observed, not chosen. Power computed for what was observed is the p-value in other words: whatever the
# data, p = .40 becomes .13 and p = .05 becomes about one half. It contains no news, and whoever has found nothing
# will always find his power low. Compute it for a difference that would matter.
#
# </details>
#
# > **Two papers report improvements over the same baseline, both with p = .04. One used 300 sentences and reports 1.3
# > points, the other used 5,000 and reports .4. Which gain would you rather believe in?**
# >
# > <details class="right"><summary>The .4</summary>This is correct.</details>
# > <details><summary>The 1.3</summary>With 300 sentences only an exaggerated gain gets below .05. It is likely to
# > shrink.</details>
# > <details><summary>Both equally, since p is the same</summary>The same p does not mean the same exaggeration. A small
# > test set finds a small gain only where luck helps.</details>
#
# <details><summary>Answer</summary>
#
# Both may be real. But if the true gain were small, the first paper could only have found it by exaggerating it, and
# the second need not have. The .4 is likely to be nearer to the truth than the 1.3, which is likely to shrink when
# somebody repeats it.
#
# </details>
#
# > **"Our test set is large enough: it found a difference between our system and the baseline." Does this follow?**
# >
# > <details><summary>Yes</summary>One of four small test sets found a lead that the other three missed. Luck is no
# > size.</details>
# > <details><summary>Yes, at this level</summary>At any level luck may find what the next test set misses.</details>
# > <details class="right"><summary>No</summary>This is correct.</details>
#
# <details><summary>Answer</summary>
#
# No. One test set of 300 sentences in four found a lead that the other three missed. Having been lucky does not make
# a test set large.
#
# </details>
#
# ## Exercises
#
# **1.** With how many sentences would the lead of onlineD over onlineC (WMT12, .04 points) be found four times in
# five, if it is the truth?
#
# <details><summary>Answer</summary>
#
# `mt.minimum_detectable_difference(campaign, "onlineD", "onlineC")` says .48 with 3,003 sentences. The observed .042
# is less than a tenth of that. By the square root it takes more than a hundred times as many sentences, some 390,000.
#
# </details>
#
# **2.** You announce a one-sided test beforehand. What does `alternative="greater"` change for our pair and a
# thousand sentences?
#
# <details><summary>Answer</summary>
#
# `mt.minimum_detectable_difference(pair, n_units=1000, alternative="greater")` gives .64 instead of .72. The line is
# 1.64 standard errors from zero instead of 1.96, so 2.5 of them suffice instead of 2.8. It is the same gain as a
# quarter more sentences, but one has to name the direction beforehand.
#
# </details>

# %% tags=["remove-input"]
web = mt.minimum_detectable_difference(campaign, "onlineD", "onlineC").table["difference"].item()
lead = campaign.scores()["onlineD"] - campaign.scores()["onlineC"]
assert round(web, 2) == 0.48 and lead < 0.1 * web and round(lead, 3) == 0.042
assert 380_000 < 3003 * (web / lead) ** 2 < 400_000
one_side, two_sides = (
    mt.minimum_detectable_difference(pair, n_units=1000, alternative=a).table["difference"].item()
    for a in ("greater", "two-sided")
)
assert round(one_side, 2) == 0.64 and round(two_sides, 2) == 0.72
assert 1.2 < (two_sides / one_side) ** 2 < 1.3
assert (
    round(norm.sf(1.96 - norm.isf(0.2)), 2) == 0.13
    and abs(norm.sf(1.96 - norm.isf(0.025)) - 0.5) < 0.01
)

# %% [markdown]
# ---
#
# *Before this:* [unit 27, What accuracy rewards](../5_people/27_what_accuracy_rewards.ipynb). *After this:* [unit 29,
# Train it again](29_train_it_again.ipynb). *With systems of your own:* [the bench](../bench/your_own_systems.ipynb).
# *To practise:* [lab 12](../labs/student/lab_12_what_a_test_set_can_show.ipynb). *Words* are in the
# [glossary](../../docs/glossary.md).
