# %% [markdown]
# # Lab 07 · What metrics notice
#
# Write a jackknife by documents, repair a faulty contest of metrics, and find out how much of an advantage comes from length.
#
# *Goes with [unit 16](../../3_which_test_which_metric/16_small_differences.ipynb), [unit
# 17](../../3_which_test_which_metric/17_sharper_eye_or_looser_tongue.ipynb) and [unit
# 18](../../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb). About 85 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.
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
# `a` and `b` are the counts of two systems, a row for each sentence, and `score` turns summed counts into a score. Return the advantage
# of the first system, positive if the first system is better, divided by its standard error. Find the standard error by the jackknife,
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
assert not near(z, 4), about + "this is the advantage; divide it by its standard error"
assert not near(z, 2.162), (
    about + "this is the standard error itself; how many of them is the advantage?"
)
assert not near(z, 3.5541), (
    about + "you leave out one sentence at a time, as if the documents did not matter"
)
assert not near(z, 2.6165), (
    about + "test sets that share most documents differ too little; which factor corrects this?"
)
assert not near(z, 1.1701), about + "how many differences are there, three or six?"
assert not near(z, 1.5106), (
    about
    + "the standard deviation divides by G, and the factor is the square root of G − 1; you subtract 1 in the wrong place"
)
assert not near(z, 2.152), (
    about + "you treat the two systems as independent; leave out the same document for both"
)
assert not near(z, 1.3033), about + "you keep one document at a time; leave it out instead"
assert near(abs(z), 1.8501), about + f"the advantage is 1.850 standard errors; yours is {z:.3f}"
assert z > 0 and near(down, -z), (
    "if lower scores are better, the sign is reversed: look at `higher_is_better`"
)
### BEGIN HIDDEN TESTS
assert near(in_standard_errors(B, A, mean, True, DOCUMENTS), -z), (
    "if the systems are exchanged, the sign is reversed"
)
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
# The supplement of a paper contains this function and the numbers that it prints. Eight systems, the fourth to the eleventh by BLEU, form
# 28 pairs. The function should count how many pairs each metric notices. A metric notices a pair if the difference, in either direction, is
# more than 1.96 standard errors, with documents as units. But the function has three faults.
#
# > **Make a guess.** By this count NIST notices the most pairs and TER hardly any. When all faults are corrected, which metric will have
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
assert set(noticed) == set(six), "return a number for each metric of the family, by name"
assert max(noticed.values()) <= 28, "eight systems make 28 pairs, and each is counted once"
assert max(noticed.values()) > 7, "you count only neighbours; count all pairs of the eight"
assert noticed["TER"] > 3, (
    "TER notices hardly anything: are higher scores better, and what does a negative difference mean?"
)
assert noticed["NIST"] > 14, (
    "far too few: the two systems translate the same sentences. Do you need the standard error of each, or of their difference?"
)
assert noticed["METEOR"] != 17, (
    "METEOR prefers some systems that BLEU does not prefer, and these pairs count as noticed, too; a difference has two directions"
)
assert noticed["chrF"] != 20, (
    "you leave out the sentences of an article one at a time: leave out a document as a whole"
)
assert max(noticed.values()) < 24, (
    "you use a lower threshold, which notices more; it should be 1.96"
)
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
    "two metrics, six systems and half of the sentences: use only the arguments of the function"
)
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** TER gains the most. In TER lower is better, but the supplement counted only differences above zero. NIST gains nothing and
# is overtaken. Two of the faults hide differences, and the third counts too many. In NIST's count they happen to cancel: a number may be
# right for the wrong reasons. In the corrected contest GTM notices the most.
#
# ## Exercise 3 · Decide · Is it the length?
#
# The metrics contradict each other about some pairs. Unit 18 sorted the two outputs of every sentence by length and looked which side a
# metric preferred. But a preference for the shorter (or longer) outputs does not show how much of a difference comes from length. So
# estimate how much of an advantage length can account for, as if each word changed the score by the same amount:
#
# - Give the shorter output of each sentence to one "system" and the longer one to another. If both are equally long, treat the first
#   system's output as the shorter one. Take the difference in score, shorter minus longer, and divide it by the difference in words. This
#   is what one word *less* is worth.
# - Multiply it by the total words of the second real system minus those of the first (negative if the first has more).
# - Divide by the difference of the real systems, first minus second.
#
# Return this share: 1 means all of the advantage, 0 means none of it. It may be negative or above 1. (It needs no `higher_is_better`,
# because both differences change sign together.)
#
# Then decide for two pairs: under which of the six metrics is the difference mostly length? For each pair, `length` has the set of the
# names of the metrics for which this share is one half or more. A set may be empty.


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
    + "you return all of it; but in each sentence either output may be the shorter one, so the shorter outputs come from both systems"
)
assert not near(share, -1 / 3), (
    about
    + "the first system has one word more than the second: look at the sign of what one word is worth"
)
assert not near(abs(share), 3), (
    about + "the sorted systems are nine words apart, the real ones only one; use both numbers"
)
assert not near(share, 0.4 / 3), (
    about + "these are points of the score; which share of the real difference is this?"
)
assert near(share, 1 / 3), about + f"length accounts for a third of it; yours is {share:.3f}"
assert set(length) == set(pairs), (
    "`length` has one set for each of the two pairs, by its name in `pairs`"
)
assert all(set(names) <= set(six) for names in length.values()), "sets of names of metrics"
assert not {"chrF", "METEOR"} <= set(length["FDA"]), (
    "FDA and cu-zeman: chrF and METEOR do prefer longer outputs, but how much difference do a few more words make?"
)
print(
    "The share is right, and you have avoided a usual trap. Whether the sets are right is tested later."
)
### BEGIN HIDDEN TESTS
assert "NIST" in length["tamchyna"], (
    "a share above 1 is also one half or more: without the effect of length, the system would be behind"
)
assert "chrF" in length["tamchyna"], (
    "two metrics may disagree about who is better although length decides under both"
)
assert len(length["tamchyna"]) == 5, (
    "one of the six has another reason to prefer online-G: look at its share"
)
assert not length["FDA"], "FDA and cu-zeman differ by hardly any words, so look at the shares again"
WORDS[2] = 7
both_ways = (
    share_of_length(ONE, OTHER, mean, WORDS, WORDS_B),
    share_of_length(OTHER, ONE, mean, WORDS_B, WORDS),
)
assert near(*both_ways), "if the systems are exchanged, the share stays the same"
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
    "for every metric but one, the share is one half or more"
)
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · In words
#
# A paper says: *On test sets of 1,000 sentences our metric notices 23 of the 28 differences between systems, chrF only
# 19. Being more sensitive, it should be preferred.* You are asked to review it. Write four or five sentences: what would you have to know
#     before you believe that the metric is better at finding real differences? And if it is, should it be preferred? Use what you found in
#     exercises 2 and 3.

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab07-review-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# First, I would ask whether the count is right: which test was used, with which unit, and whether differences that contradict another
# metric count. Then I would ask about false claims: how often does the metric, with the same test at the same level, notice a difference
# between pseudo-systems, which do not differ? If it does so no more often than promised, it found more of these differences without more
# false claims. But this is one campaign, and the 28 pairs are made of only eight systems. Then I would ask what the metric responds to. By
# the estimate of exercise 3, length accounts for half or more of the difference between cu-tamchyna and online-G under five of six metrics.
# A metric that only counts words would be sensitive, too. Only readers can say whether the differences that a metric notices matter to
# them.
#
# **Rubric.** 1 point: asks for false claims if there is no difference, with the same test and level. 1 point: says that sensitive does not
# mean right; asks what the metric responds to, such as length, or for people's judgements. 1 point: doubts the count itself for one good
# reason (unit or faulty test, pairs
# that share systems, one campaign, pairs chosen by one of the metrics).

# %% [markdown]
# ---
#
# Back to [unit 16, Small differences](../../3_which_test_which_metric/16_small_differences.ipynb), [unit 17, Sharper eye or looser
# tongue?](../../3_which_test_which_metric/17_sharper_eye_or_looser_tongue.ipynb) and [unit 18, How long should the output
# be?](../../3_which_test_which_metric/18_how_long_should_the_output_be.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
