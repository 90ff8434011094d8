# %% [markdown]
# # Lab 14 · Many languages
#
# Exchange documents in all languages at once, compute how many documents they are worth, repair a leaderboard, and decide which sentences
# may be printed.
#
# *Goes with [unit 31](../../6_beyond_the_papers/31_one_text_many_languages.ipynb). About 85 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab14-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import dataclasses
import itertools

import numpy as np
import pandas as pd

import mtsig_nb as mt

LANGUAGES = ("cs_CZ", "ru_RU", "uk_UA", "sr_Cyrl_RS", "sr_Latn_RS")


def statistics(judge):
    """The package's statistics of each language, with whatever systems it has."""
    return {language: mt.load(f"wmt25/en-{language}").statistics(judge) for language in LANGUAGES}


def tables(judge):
    """The same as tables: a row for each segment, named after its document, a column for each system."""
    return {
        language: pd.DataFrame(s.values[..., 0].T, index=s.documents, columns=s.systems)
        for language, s in statistics(judge).items()
    }


gpt, xcomet = tables("GEMBA-ESA-GPT4.1"), tables("XCOMET")
documents = {language: table.index.to_numpy() for language, table in gpt.items()}
for language, table in gpt.items():
    print(
        f"{language}: {table.shape[1]} systems, {len(table)} segments, {table.index.nunique()} documents"
    )

# %% [markdown]
# The texts of this lab were translated from English into Czech, Russian, Ukrainian and Serbian, at WMT25. Serbian occurs twice, in Cyrillic
# and in Latin letters. Czech has 26 more documents than the others, and they come first. Two judges scored the segments: the large language
# model GPT-4.1, and the neural metric XCOMET, which had a reference for all but Serbian in Latin letters.
#
# ## Exercise 1 · Write · A coin for each document
#
# Write the joint exchange test. `leads[language]` has one system's lead on each segment, and `documents[language]` the
# name of the document of each segment, in the same order. The same name stands for the same source document in every
# language; the order of documents may differ, and a language may lack some. The statistic is the macro average: the
# mean of all segments of a language, then the mean over languages. Return the two-sided p-value from `n_shuffles`
# shuffles. Count each shuffle that is at least as far from zero as the observed value (within 1e-9), and count the
# observed value, too.
#
# > **Make a guess.** By GPT-4.1 Claude-4 is ahead of GemTrans by 2.0 points on average, and in each of the five test
# > sets. If languages are treated as independent, p is about .004. What is p by a joint exchange: .0004, .02 or .17?


# %% nbgrader={"grade": false, "grade_id": "lab14-joint-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def joint_pvalue(leads, documents, n_shuffles, rng):
    """The p-value, a number. `rng` is a NumPy generator."""
    ### BEGIN SOLUTION
    parts = [pd.Series(v / len(v)).groupby(documents[k]).sum() for k, v in leads.items()]
    total = pd.concat(parts).groupby(level=0).sum().to_numpy() / len(parts)
    coins = rng.choice([-1, 1], size=(n_shuffles, len(total)))
    far = abs(coins @ total) >= abs(total.sum()) - 1e-9
    return (far.sum() + 1) / (n_shuffles + 1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab14-joint-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# two languages, six documents from a to f; both lack one
names = {"x": np.array(list("aaabbccde")), "y": np.array(list("fddddccbba"))}
ahead = {
    "x": np.array([2.0, 5, 1, -1, -4, 4, -2, 4, 4]),
    "y": np.array([-3.0, 6, 5, 1, 0, 3, 0, -4, 0, 2]),
}
with own_work():
    p = np.mean(
        [joint_pvalue(ahead, names, 20_000, np.random.default_rng(seed)) for seed in (1, 2)]
    )
    behind = {language: -lead for language, lead in ahead.items()}
    p_turned = joint_pvalue(behind, names, 20_000, np.random.default_rng(3))
    lucky = joint_pvalue({"x": np.ones(24)}, {"x": np.arange(24)}, 19, np.random.default_rng(4))


def near(value, other):
    return abs(value - other) < 0.011


assert not near(p, 0.199), (
    "you toss separate coins in each language: a document has one coin for all languages"
)
assert not near(p, 0.102), (
    "you toss a coin for each segment: which segments belong to one source document?"
)
assert not near(p, 0.156), (
    "you count one direction: a lead of the other system would be as surprising"
)
assert not near(p, 0.281), "*at least* as far out: some shuffles give exactly the observed value"
assert not near(p, 0.062), (
    "the first document of one language is not the first of the other: use the names to find the same document"
)
assert not near(p, 0.344), (
    "you pool all segments, so the language with more of them counts more than the other"
)
assert not near(p, 0.406), (
    "the mean of documents' means is not the mean of a language's segments: a long document has more weight"
)
assert not near(p, 0.375), (
    "you drop documents that one language lacks, which changes the mean: toss a coin for them, too"
)
assert near(p, 0.3125), (
    f"in the small example p is not {p:.3f}: six coins fall in 64 ways, 20 of which count"
)
assert abs(p - p_turned) < 0.02, "with the systems exchanged p has to be the same"
assert lucky > 0, "no shuffle goes this far, and p = 0: count the observed value, too"
pair = ["Claude-4", "GemTrans"]
its_lead = {language: (t[pair[0]] - t[pair[1]]).to_numpy() for language, t in gpt.items()}
p = joint_pvalue(its_lead, documents, 4000, np.random.default_rng(14))
print(f"Claude-4 against GemTrans: p = {p:.3f}")
### BEGIN HIDDEN TESTS
assert np.isclose(lucky, 0.05), "19 shuffles and the observed value are twenty"
both = mt.test_sets(statistics("GEMBA-ESA-GPT4.1"), missing="common")
assert abs(p - mt.approximate_randomization(both.overall, *pair, rng=2).pvalue) < 0.03
assert 0.14 < p < 0.2 and all(lead.mean() > 0 for lead in its_lead.values())
alone = mt.test_sets(statistics("GEMBA-ESA-GPT4.1"), shared=False, missing="common")
assert 0.002 < mt.approximate_randomization(alone.overall, *pair, rng=2).pvalue < 0.006
bare = {
    k: dataclasses.replace(s, documents=None) for k, s in statistics("GEMBA-ESA-GPT4.1").items()
}
bare = mt.test_sets({k: bare[k] for k in ("sr_Cyrl_RS", "sr_Latn_RS")}, missing="common").overall
assert bare.sharing.evidence == "numbers" and bare.sharing.otherwise is not None
three = {"u": np.array([1.0, 2, 3]), "v": np.array([3.0, 1, 2]), "w": np.array([1.0, 1, 1])}
p = joint_pvalue(three, dict.fromkeys(three, np.arange(3)), 20_000, np.random.default_rng(5))
assert near(p, 0.25), (
    f"three documents in three languages, ahead everywhere: 2 of 8, and not {p:.3f}"
)
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** About .17. A document that suits Claude-4 in one language tends to suit it in the others, too, above
# all in the two Serbian test sets.
#
# Even a table without documents would have the same sentences in five languages, so at least each sentence would need one coin for all
# languages. Only names or texts can tell whether number 7 is the same sentence in each language. If `mt.test_sets` finds neither, it asks
# for `shared=True` or `shared=False`, and takes the larger p until then.
#
# ## Exercise 2 · Write · How many documents are they worth?
#
# Write a function for the effective number of documents of a macro average over several languages. Suppose that the leads on all segments
# of a document are the same. Every language has the same weight. Within a language, every segment has the same weight. A document's weight
# is the sum of its weights in all languages.


# %% nbgrader={"grade": false, "grade_id": "lab14-worth-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def effective_number(documents):
    """A number; `documents` as in exercise 1, the name of each segment's document by language."""
    ### BEGIN SOLUTION
    shares = [pd.Series(names).value_counts(normalize=True) for names in documents.values()]
    weight = pd.concat(shares).groupby(level=0).sum()
    return weight.sum() ** 2 / (weight**2).sum()
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab14-worth-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# x: a has 8 of 10 segments; y: a has 5 of 20, b 10, d 5
small = {"x": np.array(list("aaaaaaaabc")), "y": np.array(list("aaaaabbbbbbbbbbddddd"))}
with own_work():
    n, n_real = effective_number(small), effective_number(documents)
assert not np.isclose(n, 4), "there are four documents, but do they have the same weight?"
assert not np.isclose(n, 3.865, atol=0.002), (
    "you treat each translation as a separate document: which weights belong to one source?"
)
assert not np.isclose(n, 2.848, atol=0.002), (
    "you add up segments of both languages, so the language with twice as many has twice the weight"
)
assert not np.isclose(n, 1.905, atol=0.002), (
    "this is one divided by the largest share: documents with little weight also count"
)
assert not np.isclose(n, 2.091, atol=0.002), (
    "this is an average of the languages' own numbers: add up each document's weights over languages first"
)
assert 1 <= n <= 4, f"{n:.2f}: it must be between one and the four documents"
print(f"{len(set(np.concatenate(list(documents.values()))))} documents, worth {n_real:.1f}")
### BEGIN HIDDEN TESTS
assert np.isclose(n, 1 / (0.525**2 + 0.3**2 + 0.05**2 + 0.125**2))
assert np.isclose(effective_number({"x": np.arange(7)}), 7), "seven of one size are worth seven"
all_five = mt.test_sets(statistics("GEMBA-ESA-GPT4.1"), missing="common")
assert np.isclose(n_real, all_five.n_effective), (
    "in the five languages the number is wrong: look at the weights again"
)
japanese = {"ja": mt.load("wmt25/ja-zh_CN").documents}
assert round(effective_number(japanese)) == 23, "another test set, a single one"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · A leaderboard
#
# Somebody averages XCOMET over the five test sets, and tests each system against the next one in the ranking. These two functions have three faults.


# %% nbgrader={"grade": false, "grade_id": "lab14-board", "locked": true, "schema_version": 3, "solution": false, "task": false}
def averages(scores):
    """With a fault."""
    return pd.DataFrame({k: table.mean() for k, table in scores.items()}).mean(axis=1)


def pvalue(scores, one, other, rng):
    """With another. The third one is in both."""
    shared = [table for table in scores.values() if one in table and other in table]
    lead = np.concatenate([(t[one] - t[other]) / len(t) for t in shared]) / len(shared)
    coins = rng.choice([-1, 1], size=(2000, len(lead)))
    return (np.sum(abs(coins @ lead) >= abs(lead.sum()) - 1e-9) + 1) / 2001


def board(average, test):
    """The first eight pairs of neighbours, with their p-values."""
    ranking = average.sort_values(ascending=False).index[:9]
    return [(*pair, test(*pair, np.random.default_rng(1))) for pair in itertools.pairwise(ranking)]


as_it_was = board(averages(xcomet), lambda *pair: pvalue(xcomet, *pair))
for one, other, p in as_it_was:
    print(f"{one:15} {other:15} p = {p:.4f}")

# %% [markdown]
# > **Make a guess.** Five of these eight pairs differ at .05. How many will differ in the repaired table, which has other pairs: five
# > again, three, or none?
#
# Write both functions as they should be, and `alike`: the set of languages whose scores may be averaged because the judge worked in the
# same way. Leave the others out. `mended_averages` returns a Series of the systems that can be ranked on these languages. `mended_pvalue`
# may call your `joint_pvalue`, with 2,000 shuffles.


# %% nbgrader={"grade": false, "grade_id": "lab14-board-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
alike = set()
### BEGIN SOLUTION
alike = set(LANGUAGES) - {"sr_Latn_RS"}
### END SOLUTION


def mended_averages(scores, alike):
    """A Series: the average of each system."""
    ### BEGIN SOLUTION
    return pd.DataFrame({k: scores[k].mean() for k in alike}).dropna().mean(axis=1)
    ### END SOLUTION


def mended_pvalue(scores, alike, one, other, rng):
    """The p-value, a number."""
    ### BEGIN SOLUTION
    leads = {k: (scores[k][one] - scores[k][other]).to_numpy() for k in alike}
    where = {k: scores[k].index.to_numpy() for k in alike}
    return joint_pvalue(leads, where, 2000, rng)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab14-board-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

assert alike, "not answered yet: there is nothing in `alike`"
assert isinstance(alike, set) and alike <= set(LANGUAGES), (
    "`alike` is a set of languages, named as in LANGUAGES"
)
assert alike < set(LANGUAGES), (
    "`alike` contains languages with scores of another kind: where did XCOMET have no reference?"
)
assert len(alike) > 3, (
    "too few languages: wherever XCOMET had a reference, its scores are of the same kind"
)
with own_work():
    average = mended_averages(xcomet, alike)
    last = mended_pvalue(xcomet, alike, "Claude-4", "ONLINE-B", np.random.default_rng(3))
assert not {"Yandex", "Laniqo"} & set(average.index), (
    "Yandex translated only into Russian: an average over one language cannot be compared with averages over four"
)
everywhere, seen = (
    np.mean([xcomet[k]["UvA-MT"].mean() for k in which]) for which in (LANGUAGES, alike)
)
assert not np.isclose(average["UvA-MT"], everywhere), (
    "this average is over all languages, and not only over those in `alike`"
)
pot = pd.concat([xcomet[k]["UvA-MT"] for k in alike]).mean()
assert np.isclose(pot, seen) or not np.isclose(average["UvA-MT"], pot), (
    "Czech has more segments than the others, but should not count more"
)
assert np.isclose(average["UvA-MT"], seen), f"the average of UvA-MT is not {average['UvA-MT']:.4f}"
assert not last < 0.02, (
    "you toss a coin for each segment: segments belong to documents, and documents occur in several languages"
)
assert not 0.03 < last < 0.14, (
    "you toss separate coins in each language: the same document was translated into all four"
)
assert not 0.6 < last < 0.85, "the average is over `alike`, but this test is over other languages"
mended = board(average, lambda *pair: mended_pvalue(xcomet, alike, *pair))
print(
    *(sum(p <= 0.05 for *_, p in rows) for rows in (as_it_was, mended)),
    "of 8, as it was and mended",
)
### BEGIN HIDDEN TESTS
assert alike == {k for k, s in statistics("XCOMET").items() if "nrefs" in s.signature}, (
    "`alike` has the right number of languages, but not the right ones"
)
sets = mt.test_sets({k: s for k, s in statistics("XCOMET").items() if k in alike}, missing="common")
expected = sets.overall.scores()
assert set(expected.index) == set(average.index), "30 systems are in all four languages"
assert np.allclose(average[expected.index], expected), "one of the averages is not right yet"
for one, other, p in mended:
    ours = mt.approximate_randomization(sets.overall, one, other, n_resamples=4000, rng=1).pvalue
    assert abs(p - ours) < 0.06, f"{one} against {other}: p = {p:.3f} is not it"
p = mended_pvalue(gpt, set(LANGUAGES), "Claude-4", "GemTrans", np.random.default_rng(5))
assert 0.13 < p < 0.21, (
    "with GPT-4.1, all five languages and the pair of exercise 1, p should be near .17"
)
assert sum(p <= 0.05 for *_, p in as_it_was) == 5 and sum(p <= 0.05 for *_, p in mended) == 3
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** Three, if your functions pass.
#
# ## Exercise 4 · Decide · Which p belongs to which sentence?
#
# All of this is about GPT-4.1's points, with documents as units. `five.overall` is the average of the five test sets; `five.each` has them
# one by one. `mt.approximate_randomization(…, *pair, rng=1)` tests a pair, and `mt.confidence_interval(…, *pair, rng=1).standard_error` is
# its standard error.

# %% nbgrader={"grade": false, "grade_id": "lab14-five", "locked": true, "schema_version": 3, "solution": false, "task": false}
five = mt.test_sets(statistics("GEMBA-ESA-GPT4.1"), missing="common")
claude, gemini = ("Claude-4", "GemTrans"), ("Gemini-2.5-Pro", "GPT-4.1")
mt.approximate_randomization(five.overall, *claude, rng=1).statistic

# %% [markdown]
# Put into `plan`:
#
# - `"everywhere"`: the p of "Gemini-2.5-Pro is better than GPT-4.1 in *each* of the five test sets". The pair was named beforehand;
# - `"somewhere"`: the p of "Claude-4 is better than GemTrans in *at least one* of the five, whichever", with Bonferroni's correction;
# - `"printed"`: a set with none, one or both of the words `"everywhere"` and `"somewhere"`, for the sentences that may be printed at .05;
# - `"times"`: how many times as many documents like these, in the same languages, it takes to find a true lead as large as Claude-4's
#   average lead at .05 four times in five (unit 28).

# %% nbgrader={"grade": false, "grade_id": "lab14-plan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# plan = {"everywhere": ..., "somewhere": ..., "printed": {...}, "times": ...}
### BEGIN SOLUTION
of_claude = [mt.approximate_randomization(s, *claude, rng=1).pvalue for s in five.each]
of_gemini = [mt.approximate_randomization(s, *gemini, rng=1).pvalue for s in five.each]
plan = {"everywhere": max(of_gemini), "somewhere": 5 * min(of_claude)}
plan["printed"] = {word for word, p in plan.items() if p <= 0.05}
error = mt.confidence_interval(five.overall, *claude, rng=1).standard_error
plan["times"] = (2.8 * error / 2.018) ** 2
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab14-plan-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
apart = mt.test_sets(statistics("GEMBA-ESA-GPT4.1"), missing="common", shared=False)
theirs, his = (
    [mt.approximate_randomization(s, *pair, rng=8).pvalue for s in five.each]
    for pair in (gemini, claude)
)
said = plan["everywhere"]
assert said > 2 * min(theirs), (
    "the smallest of five p-values shows a difference somewhere, but this sentence is false as soon as one language fails"
)
assert abs(said - np.mean(theirs)) > 0.012, "a mean of p-values is not a p-value"
assert said < 2 * max(theirs), (
    "do not correct: a correction is for a sentence that any one of the tests could make true, but this sentence needs all of them"
)
said = plan["somewhere"]
assert said > 2 * min(his), (
    "there are five chances: the smallest of five p-values is not the p-value of a test named beforehand"
)
assert said < 0.9, "which of the five p-values should be multiplied by five?"
lead = five.overall.scores()[claude[0]] - five.overall.scores()[claude[1]]
right, free = (
    (2.8 * mt.confidence_interval(s.overall, *claude, rng=8).standard_error / lead) ** 2
    for s in (five, apart)
)
assert not 0.85 < plan["times"] / free < 1.15, (
    "this standard error treats the languages as having separate documents"
)
assert not 0.9 < plan["times"] / np.sqrt(right) < 1.1, (
    "the standard error has to shrink by this factor: what do twice the documents do to it?"
)
assert not 0.85 < plan["times"] / (right * (1.96 / 2.8) ** 2) < 1.15, (
    "with this number the true lead is at 1.96 standard errors, and half of the test sets miss it"
)
### BEGIN HIDDEN TESTS
assert abs(plan["everywhere"] - max(theirs)) < 0.012, "all five have to be found"
assert abs(plan["somewhere"] - 5 * min(his)) < 0.06, "the smallest of five, times five"
assert plan["printed"] == {"everywhere"}, "print a sentence only if its own p is .05 or less"
assert 0.88 < plan["times"] / right < 1.12, "the lead should be 2.8 standard errors"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A company announces: "Averaged over 30 languages and 9,000 segments our model leads by .004 of XCOMET (paired t-test over all segments, p
# < .0001). It is better in 23 of 30 languages (sign test, p < .01). In the last stage the model was trained with XCOMET as a reward. No
# system has ever been shown to be better for readers with so much certainty." The 300 source segments come from 40 documents. Write four or
# five sentences: what do the two p-values assume, what does the lead show, and what would you ask for?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab14-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# Both p-values treat as independent what is not. The t-test treats 9,000 segments as independent, although they are thirty translations of
# 300 segments from 40 documents. If some documents are long, these 40 are worth even fewer. The sign test tosses a coin for each language,
# although all languages share these documents. The test to ask for exchanges a source document in all languages at once. The model was
# trained to score well by XCOMET, so the lead, if it is more than luck, may show only that this training worked. It shows nothing about
# readers. A claim about readers needs people's judgements, or at least judges that were not used in training, and more documents instead of
# more languages.
#
# **Rubric.** 1 point: languages share source documents, so neither segments nor languages are independent units. 1 point: the metric was
# the reward, so a lead in
# it is no evidence of quality. 1 point: asks for a joint exchange of documents (or the effective number), and for people or a judge that
# was not used in training.

# %% [markdown]
# ---
#
# *Back to* [unit 31](../../6_beyond_the_papers/31_one_text_many_languages.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
