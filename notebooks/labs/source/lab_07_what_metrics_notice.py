# %% [markdown]
# # Lab 07 · What metrics notice
#
# A jackknife by documents, a contest of metrics with faults in it, and the part of an advantage that is length.
#
# *Goes with [unit 16](../../3_which_test_which_metric/16_small_differences.ipynb), [unit
# 17](../../3_which_test_which_metric/17_sharper_eye_or_looser_tongue.ipynb) and [unit
# 18](../../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb). About 85 minutes, 14 points.*
#
# Write your answers where it says so. The cell below each answer tests it, and says what to look at
# when a test fails; more tests run when the lab is graded, on other data.
#
# The campaign is WMT13, Czech to English: twelve systems, six metrics, and every third of the 3,000 sentences. `documents` has, for each
# sentence, the number of the article that it comes from.

# %% nbgrader={"grade": false, "grade_id": "lab07-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import itertools

import numpy as np
import pandas as pd

import mtsig_nb as mt

campaign, third = mt.load("wmt13/cs-en"), np.arange(0, 3000, 3)
six = ["BLEU", "NIST", "GTM", "TER", "chrF", "METEOR"]
family = {name: campaign.statistics(name).subset(third) for name in six}
documents = np.unique(family["BLEU"].documents, return_inverse=True)[1]
counts = {name: dict(zip(s.systems, s.values, strict=True)) for name, s in family.items()}
eight = {name: s.select(list(family["BLEU"].scores().index[3:11])) for name, s in family.items()}
words = {system: rows[:, 0] for system, rows in counts["BLEU"].items()}  # of each output
print(f"{len(documents):,} sentences of {documents.max() + 1} documents")
pd.DataFrame({name: s.scores() for name, s in family.items()}).round(3)

# %% [markdown]
# ## Exercise 1 · Write · An advantage in standard errors, by documents
#
# `a` and `b` are the counts of two systems, a row for each sentence, and `score` makes a score of summed counts. Return the advantage
# of the first system, positive if it is the better one, divided by its standard error. Find the standard error by the jackknife,
# and leave out one *document* at a time, with all its sentences: from $G$ documents you get $G$ differences, and the standard error is
# the square root of $G - 1$ times their standard deviation (numpy's `std`, as it is).


# %% nbgrader={"grade": false, "grade_id": "lab07-jackknife-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def in_standard_errors(a, b, score, higher_is_better, documents):
    """The first system's advantage, divided by its standard error; a number with a sign."""
    ### BEGIN SOLUTION
    kept = [documents != one for one in np.unique(documents)]
    left = np.array([score(a[k].sum(axis=0)) - score(b[k].sum(axis=0)) for k in kept])
    difference = score(a.sum(axis=0)) - score(b.sum(axis=0))
    advantage = difference if higher_is_better else -difference
    return advantage / (np.sqrt(len(kept) - 1) * left.std())
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-jackknife-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# Six sentences of three documents; the score is a mean, and the difference of the means is 4.
DOCUMENTS = np.array([0, 1, 1, 2, 2, 2])
A = np.column_stack([[3.0, 5, 4, 8, 9, 7], np.ones(6)])
B = np.column_stack([[1.0, 4, 2, 2, 1, 2], np.ones(6)])


def mean(sums):
    """The first sum by the second."""
    return sums[..., 0] / sums[..., 1]


def near(one, other):
    """Equal to three digits."""
    return abs(one - other) < 0.002


with own_work():
    z = in_standard_errors(A, B, mean, True, DOCUMENTS)
    down = in_standard_errors(A, B, mean, False, DOCUMENTS)
about = "Six sentences of three documents, a difference of 4: "
assert not near(z, 4), about + "this is the advantage, still to be divided"
assert not near(z, 2.162), (
    about + "this is the standard error itself; how many of them is the advantage?"
)
assert not near(z, 3.5541), (
    about + "one sentence at a time has been left out, as if the documents did not matter"
)
assert not near(z, 2.6165), (
    about
    + "test sets that have most documents in common differ too little; what makes up for that?"
)
assert not near(z, 1.1701), about + "how many differences are there, three or six?"
assert not near(z, 1.5106), (
    about
    + "the standard deviation divides by G here, and the factor has one less than G; you have it elsewhere"
)
assert not near(z, 2.152), (
    about + "the two systems were left to wobble apart; a document is left out for both"
)
assert not near(z, 1.3033), about + "one document at a time has been kept, and should be left out"
assert near(abs(z), 1.8501), about + f"1.850 standard errors, yours are {z:.3f}"
assert z > 0 and near(down, -z), (
    "where less is better, the sign turns round: look at `higher_is_better`"
)
### BEGIN HIDDEN TESTS
assert near(in_standard_errors(B, A, mean, True, DOCUMENTS), -z), "exchanged, the sign turns round"
pair = ["FDA.2855", "cu-zeman.2710"]
for name in ("TER", "GTM"):
    one, other = (counts[name][system] for system in pair)
    scale = family[name].metric
    members = documents == np.arange(52)[:, np.newaxis]
    sums, sums_b = members.astype(float) @ one, members.astype(float) @ other
    without = scale.score(one.sum(axis=0) - sums) - scale.score(other.sum(axis=0) - sums_b)
    ahead = scale.score(one.sum(axis=0)) - scale.score(other.sum(axis=0))
    expected = scale.direction * ahead / np.sqrt(51 * without.var())
    got = in_standard_errors(one, other, scale.score, scale.higher_is_better, documents)
    assert near(got, expected), f"{name}, FDA against cu-zeman: {expected:.3f}, yours {got:.3f}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Find · A contest with faults in it
#
# A supplement to a paper has this function and the numbers that it prints. Eight systems, the fourth to the eleventh by
# BLEU, make 28 pairs. The function should count how many of them each metric notices. A pair is noticed if its
# difference, in either direction, is more than 1.96 standard errors, with documents as units. It does something else,
# for it has three faults.
#
# > **Make a guess.** By its count NIST notices the most and TER next to nothing. When all faults are mended, which metric will have
# > gained the most pairs, and will NIST still be ahead?


# %% nbgrader={"grade": false, "grade_id": "lab07-contest", "locked": true, "schema_version": 3, "solution": false, "task": false}
def contest(family, documents):
    """As printed in the supplement."""
    order, noticed = list(family["BLEU"].scores().index), {}
    for name, statistics in family.items():
        score, scores, errors = statistics.metric.score, statistics.scores(), {}
        for system, rows in zip(statistics.systems, statistics.values, strict=True):
            without_one = score(rows.sum(axis=0) - rows)
            errors[system] = np.sqrt((len(rows) - 1) * without_one.var())
        noticed[name] = 0
        for first, second in itertools.combinations(order, 2):
            difference = scores[first] - scores[second]
            error = np.sqrt(errors[first] ** 2 + errors[second] ** 2)
            noticed[name] += int(difference > 1.96 * error)
    return noticed


contest(eight, documents)

# %% [markdown]
# Find the three faults, and write the function as it should be. It returns a dictionary: the metric's name, and the number of pairs
# noticed, each pair counted once. `statistics.metric` has `score` and `higher_is_better`; `in_standard_errors` is yours to use.


# %% nbgrader={"grade": false, "grade_id": "lab07-contest-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mended_contest(family, documents):
    """How many pairs of systems each metric of the family notices, by name."""
    ### BEGIN SOLUTION
    mended = {}
    for metric, counts_of in family.items():
        how = counts_of.metric.score, counts_of.metric.higher_is_better, documents
        both = itertools.combinations(counts_of.values, 2)
        mended[metric] = sum(abs(in_standard_errors(a, b, *how)) > 1.96 for a, b in both)
    return mended
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab07-contest-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    noticed = mended_contest(eight, documents)
print({name: int(count) for name, count in noticed.items()})
assert set(noticed) == set(six), "a number for each metric of the family, by name"
assert max(noticed.values()) <= 28, "eight systems make 28 pairs, and each is counted once"
assert max(noticed.values()) > 7, "these are neighbours only; all pairs of the eight count"
assert noticed["TER"] > 3, (
    "TER notices hardly anything: which way is up, and what does a difference below zero say?"
)
assert noticed["NIST"] > 14, (
    "far too few: the two systems translate the same sentences. Whose standard error is needed, theirs or their difference's?"
)
assert noticed["METEOR"] != 17, (
    "METEOR prefers some systems that BLEU does not prefer, and that is noticing, too; a pair has two directions"
)
assert noticed["chrF"] != 20, (
    "sentences of one article have been left out one at a time: a document counts as a whole"
)
assert max(noticed.values()) < 24, "a lower threshold notices more; it is to be 1.96"
### BEGIN HIDDEN TESTS
assert [noticed[name] for name in six] == [21, 20, 23, 18, 19, 21], (
    "pairs of 28 noticed, by documents"
)
assert list(contest(eight, documents).values()) == [13, 20, 17, 1, 10, 10], "as printed"
gained = {name: int(noticed[name]) - contest(eight, documents)[name] for name in six}
assert max(gained, key=gained.get) == "TER" and gained["NIST"] == 0, "who gains, and who does not"
assert max(noticed, key=noticed.get) == "GTM", "who notices the most when all is mended"
first_half = {
    "chrF": family["chrF"].subset(np.arange(500)),
    "TER": family["TER"].subset(np.arange(500)),
}
first_half = {name: s.select(s.systems[4:10]) for name, s in first_half.items()}
again = mended_contest(first_half, documents[:500])
assert again == {"chrF": 10, "TER": 11}, (
    "two metrics, six systems and half of the sentences: take all from what is handed in"
)
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** TER gains the most. In TER less is better, and the supplement counted only differences above zero. NIST
# gains nothing and is overtaken. Two of the faults hide differences, and the third lets too many be counted. In NIST's
# count they happen to cancel. A number may be right for wrong reasons. Mended, GTM notices the most.
#
# ## Exercise 3 · Decide · Is it the length?
#
# There are pairs about which the metrics contradict each other. Unit 18 sorted the two outputs of every sentence by
# their length and looked on whose side a metric was. But that a metric is on the side of the shorter (or longer) output
# does not show how much of its difference comes from length. So reckon how much of an advantage length can account for,
# as if the score changed evenly with the number of words:
#
# - Give the shorter output of each sentence to one "system" and the longer one to another; of two equally long ones let the first system's be
#   the shorter. Their difference in score, shorter minus longer, divided by the number of words that the two are apart, is what one word *less* is worth.
# - Multiply by the words of the second real system minus those of the first, in all (negative if the first has more).
# - Divide by the difference of the real systems, first minus second.
#
# Write this share; 1 is all of the advantage, 0 is nothing. It may be negative or above 1. (It needs no `higher_is_better`, because both differences turn round together.)
#
# Then decide, for each of two pairs, under which of the six metrics the difference is mostly length: `length` has, for
# each pair, the set of the names of those metrics for which this share is a half or more. A set may be empty.


# %% nbgrader={"grade": false, "grade_id": "lab07-length-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def share_of_length(a, b, score, words_a, words_b):
    """Which share of the difference between two systems their lengths account for."""
    ### BEGIN SOLUTION
    swap = (words_a > words_b)[:, np.newaxis]
    shorter, longer = np.where(swap, b, a).sum(axis=0), np.where(swap, a, b).sum(axis=0)
    word_less = (score(shorter) - score(longer)) / abs(words_a - words_b).sum()
    by_length = word_less * (words_b.sum() - words_a.sum())
    return by_length / (score(a.sum(axis=0)) - score(b.sum(axis=0)))
    ### END SOLUTION


pairs = {"tamchyna": ("cu-tamchyna.2875", "online-G"), "FDA": ("FDA.2855", "cu-zeman.2710")}
length = {}
### BEGIN SOLUTION
for name, (one, other) in pairs.items():
    inputs = [(m, counts[m][one], counts[m][other], family[m].metric.score) for m in six]
    length[name] = {
        m for m, *given in inputs if share_of_length(*given, words[one], words[other]) >= 0.5
    }
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab07-length-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

# Five sentences; the score is a mean. Two outputs of the first system are shorter, three longer.
ONE = np.column_stack([[4.0, 3, 5, 3, 6], np.ones(5)])
OTHER = np.column_stack([[3.0, 3, 6, 5, 2], np.ones(5)])
WORDS, WORDS_B = np.array([5, 5, 8, 4, 9]), np.array([6, 4, 8, 7, 5])
with own_work():
    share = share_of_length(ONE, OTHER, mean, WORDS, WORDS_B)
about = "Five sentences, shorter minus longer −1.2, real difference 0.4, nine words apart: "
assert not near(share, 1), (
    about
    + "all of it? Every sentence has a shorter output of its own, and they come from both systems"
)
assert not near(share, -1 / 3), (
    about
    + "the first system has one word more than the second: what is one word less worth, and one word more?"
)
assert not near(abs(share), 3), (
    about + "the two orders by length are nine words apart, the real systems one; that has to go in"
)
assert not near(share, 0.4 / 3), (
    about + "these are points of the score; which share of the real difference are they?"
)
assert near(share, 1 / 3), about + f"length accounts for a third of it, yours is {share:.3f}"
assert set(length) == set(pairs), (
    "`length` has one set for each of the two pairs, by its name in `pairs`"
)
assert all(set(names) <= set(six) for names in length.values()), "sets of names of metrics"
assert not {"chrF", "METEOR"} <= set(length["FDA"]), (
    "FDA and cu-zeman: that chrF and METEOR are on the side of the longer outputs is true; how much do a few words more amount to?"
)
print("The share is right, and one usual trap avoided. Whether the sets are right is tested later.")
### BEGIN HIDDEN TESTS
assert "NIST" in length["tamchyna"], (
    "a share above 1 is a half or more, too: without its length the system would be behind"
)
assert "chrF" in length["tamchyna"], (
    "two metrics may disagree about who is better and both be looking at the length"
)
assert len(length["tamchyna"]) == 5, (
    "one of the six has another reason to prefer online-G: look at its share"
)
assert not length["FDA"], (
    "FDA and cu-zeman: hardly any words lie between the two, so look at the shares again"
)
WORDS[2] = 7
both_ways = (
    share_of_length(ONE, OTHER, mean, WORDS, WORDS_B),
    share_of_length(OTHER, ONE, mean, WORDS_B, WORDS),
)
assert near(*both_ways), "exchanged, the share stays"
for one, other in (
    ("FDA.2855", "uedin-syntax.2603"),
    ("uedin-heafield-unconstrained.2596", "online-B"),
):
    for m, expected in (
        (("TER", 0.67), ("chrF", 0.29)) if one == "FDA.2855" else (("METEOR", 1.14),)
    ):
        given = counts[m][one], counts[m][other], family[m].metric.score
        share = share_of_length(*given, words[one], words[other])
        assert abs(share - expected) < 0.006, f"{one}, {other}, {m}: {expected}, yours {share:.2f}"
assert length["tamchyna"] == set(six) - {"GTM"}, (
    "every metric but one, and for a reason: the share is a half or more"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · In words
#
# A paper says: *On test sets of 1,000 sentences our metric notices 23 of the 28 differences between systems, chrF only
# 19. Being more sensitive, it should be preferred.* You are to review it. In four or five sentences: what would you
# have to know before you believe that the metric is better at finding real differences? And if it is, should it be
# preferred? Use what you have found in exercises 2 and 3.

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab07-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# First, whether the count is right: which test, with what as its unit, and whether differences that go against another
# metric count. Then the false claims: how often does the metric, with the same test at the same level, notice a
# difference between pseudo-systems, between which there is none? If it does so no more often than promised, it found
# more of these differences without more false claims. But this is one campaign, and the 28 pairs are made of only eight
# systems. And then I would ask what it looks at. By the reckoning of exercise 3, length accounts for half or more of
# the difference between cu-tamchyna and online-G under five of six metrics. A metric that counts words would be
# sensitive, too; whether what it notices matters to readers, only they can say.
#
# **Rubric.** 1 point: asks for false claims where there is no difference, with the same test and level. 1 point: sensitive is not yet right; asks
# what the metric looks at, such as length, or for people's judgements. 1 point: doubts the count itself for one good reason (unit or faulty test, pairs
# that share systems, one campaign, pairs chosen by one of the metrics).

# %% [markdown]
# ---
#
# Back to [unit 16, Small differences](../../3_which_test_which_metric/16_small_differences.ipynb), [unit 17, Sharper eye or looser
# tongue?](../../3_which_test_which_metric/17_sharper_eye_or_looser_tongue.ipynb) and [unit 18, How long should the output
# be?](../../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
