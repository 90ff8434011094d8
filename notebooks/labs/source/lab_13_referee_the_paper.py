# %% [markdown]
# # Lab 13 · Referee the paper
#
# Judge twenty claims about real systems, some of which stand.
#
# *Goes with [unit 19](../../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb), [unit
# 27](../../5_people/27_what_accuracy_rewards.ipynb), [unit 29](../../6_beyond_the_papers/29_train_it_again.ipynb) and [unit
# 30](../../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb), and looks back on all other units. About 90 minutes, 15 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.
#
# Keep [the reviewer's checklist](../../../docs/checklist.md) beside you. Every number in the claims is right: it was computed as the words
# in italics say. The question is whether the sentence follows from it.
#
# > **Make a guess.** Of twenty claims like those in published papers, how many stand as they are written?

# %% nbgrader={"grade": false, "grade_id": "lab13-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import hashlib
import itertools

import numpy as np

import mtsig_nb as mt
from mtsig_nb.teaching import own_work

PAIRS = {
    4: ("wmt13/es-en", "DCU-Prompsit.2880", "online-A"),
    6: ("wmt21/de-en", "Online-B", "SMU"),
    7: ("multeval/en", "sys1.opt0", "baseline.opt1"),
    11: ("wmt12/es-en", "onlineC", "uk-dan-moses"),
    18: ("wmt22/de-en", "Online-B", "Online-Y"),
}


def card(number):
    """Counts of BLEU and the names of two systems, for some of the cards."""
    campaign, first, second = PAIRS[number]
    return mt.load(campaign).statistics("BLEU"), first, second


STANDS, TOO_MUCH, DOES_NOT_FOLLOW = "stands", "says too much", "does not follow"
# What you are told about a verdict, sealed so that it tells you nothing before.
HINTS = {
    "005c70e0": "Which units does a claim about other articles need, and what was exchanged here?",
    "0c8aebe5": "What would a referee miss here? Look for metric, test, sides, units and family, and look at how much is claimed.",
    "13f14e04": "Finding no difference does not show that there is none. How large a difference might have gone unnoticed?",
    "1b86043a": "What was rejected here, and when was the margin set? This is not the same as finding nothing.",
    "2fb33662": "Three systems, and how many comparisons? Is the one that is claimed among them?",
    "5bbbbd6e": "In which direction does this indirect method err? Compare it with the interval of the difference.",
    "5ea22c56": "Two outputs were tested. What is the claim about, and what does another run of the same method do?",
    "6c757cb9": "Does a p-value say how large a difference is? Look at the scores, and ask for the interval of the difference.",
    "712fa709": "Nobody doubts the lead. Look at the last half of the sentence: among how many arrangements was no difference as large?",
    "75458e60": "On how many pairs do the two metrics differ, and by which test were they compared with each other?",
    "86d6bade": "Which comparisons would these authors have reported, whatever the result? Did they correct for this family?",
    "90f8530b": "A claim may be right although its test is faulty. Correct the test: what does the sentence say, and is it true?",
    "af99c7d4": "What is the smallest p-value that so many shuffles can give, once it is corrected for so many pairs?",
    "b21bcbc7": "Who chose the side, and when? One word of the sentence gives it away.",
    "b7ad1671": "From how many of the systems below was it told apart? A sorted list claims an order for every pair.",
    "c0c490f0": "Each interval is about one system. What is the claim about, and how does the difference vary on the same sentences?",
    "d339acfc": "Was this pair chosen before looking, or is it the best story among many? Look at the family.",
    "e8f141c7": "Divide the number of pairs by the number of resamples. Did the authors look at anything that they did not correct for?",
    "ed97c759": "How many tails does this recipe count, and how many does it report? Use the number that you have computed.",
    "f0435b58": "Compare the verb of the claim with what was measured; then ask other metrics of the campaign.",
}
# The same for two cards that fail alike.
ALIKE = {
    "2f882daf": "twice you accept “not found” as “equal”. No difference was found, but what was shown?",
    "b12000e0": "you accept these claims because of their small p-values. What does the end of each sentence claim?",
    "bcebb617": "you let claims stand because p ≤ .05, but does each sentence say what was tested?",
    "ce61d965": "the tests are right, but is the sentence about what was tested?",
    "ea6fec67": "there are two separate results. Has anybody compared them with each other?",
}


def told(first, verdicts):
    """What there is to say about the verdicts on the cards from number `first` on."""
    stand = {number: verdict == STANDS for number, verdict in enumerate(verdicts, start=first)}
    asked = [
        f"cards {i} and {j} stand: {stand[i]}, {stand[j]}"
        for i, j in itertools.combinations(stand, 2)
    ]
    for hints, claims in (ALIKE, asked), (HINTS, [f"card {n} stands: {stand[n]}" for n in stand]):
        sealed = [(claim, hashlib.sha256(claim.encode()).hexdigest()[:8]) for claim in claims]
        if said := [
            f"{claim.partition(' stand')[0]}: {hints[k]}" for claim, k in sealed if k in hints
        ]:
            return said
    return []


# %% [markdown]
# ## Exercise 1 · Find · Which claims fail?
#
# For each group of five cards, give a list of five verdicts, in order: `STANDS`, `TOO_MUCH` (something was shown, but the sentence claims
# more) or `DOES_NOT_FOLLOW`. A claim stands if it may be printed as it is, even if you would ask for a better sentence. There is no sharp
# line between the last two, and the tests accept either. Each group also asks for a p-value, which shows whether one of the five claims
# stands. Compute it with the package. `card(4)` gives the counts and the two systems of card 4, in the order of a test's arguments; the
# same holds for cards 7, 11 and 18.

# %% [markdown]
# <!-- cards 1 to 5 -->
#
# **1.** On the test set of WMT12, from French, uedin-wmt12 scores 0.91 BLEU more than LIUM_FR-EN_12 (30.17 against
# 29.26; approximate randomization of 99 documents, two-sided, p < .001).
#
# *wmt12/fr-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 99 documents; this pair, named before
# anything was translated.*
#
# **2.** Among the 19 systems of WMT21, Facebook-AI is significantly better than NVIDIA-NeMo in BLEU (34.0 against 33.3,
# p = .029).
#
# *wmt21/de-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 1,000 segments; all 171 pairs of the 19
# systems were tested, and one is reported.*
#
# **3.** uedin-wmt12 has a BLEU of 33.4 (95 % interval 32.6 to 34.2), QCRI--primary one of 32.9 (32.1 to 33.7). As the
# intervals overlap, the difference is not significant.
#
# *wmt12/es-en, BLEU; confidence interval, 10,000 resamples of 3,003 segments; this pair.*
#
# **4.** DCU-Prompsit.2880 scores 0.40 BLEU more than online-A. By the bootstrap test of Riezler and Maxwell (2005), as
# printed there, the difference is significant at .05 (p = .035).
#
# *wmt13/es-en, BLEU; riezler maxwell bootstrap, two-sided, 10,000 resamples of 3,000 segments; this pair.*
#
# **5.** At WMT12 we compared all 66 pairs of systems from Spanish by exchanging whole documents. After Holm's
# correction we find a difference in BLEU in 58 of them at .05.
#
# *wmt12/es-en, BLEU; compare all, two-sided, 10,000 resamples of 99 documents; all 66 pairs of 12 systems, Holm's
# correction.*

# %% [markdown]
# Answer with `verdicts_1`, five verdicts on cards 1 to 5, and `number_1`: for card 4, the p-value of `mt.bootstrap_test` with the authors' `rng=2005`.

# %% nbgrader={"grade": false, "grade_id": "lab13-first-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
verdicts_1 = [STANDS, DOES_NOT_FOLLOW, DOES_NOT_FOLLOW, DOES_NOT_FOLLOW, STANDS]
number_1 = mt.bootstrap_test(*card(4), rng=2005).pvalue
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab13-first-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert round(number_1, 4) != 0.0348, "card 4: this is the p-value of the printed recipe again"
assert round(number_1, 4) != 0.0696, "card 4: you doubled the p-value instead of computing it again"
assert round(number_1, 3) != 0.074, (
    "card 4: this is the paired bootstrap, made two-sided; use the test that shifts"
)
assert len(verdicts_1) == 5 and set(verdicts_1) <= {STANDS, TOO_MUCH, DOES_NOT_FOLLOW}, (
    "five verdicts, one for each card from 1 to 5"
)
assert STANDS in verdicts_1, (
    "you let no claim stand. A referee who finds a fault in everything has not read carefully; what would a sound claim look like?"
)
assert len(told(1, verdicts_1)) < 3, (
    "at least three of these five verdicts are wrong: go through the checklist, question by question"
)
assert not told(1, verdicts_1), "; ".join(told(1, verdicts_1))
### BEGIN HIDDEN TESTS
both_tails = mt.bootstrap_test(
    mt.load("wmt13/es-en").statistics("BLEU"), "DCU-Prompsit.2880", "online-A", rng=2005
)
assert np.isclose(number_1, both_tails.pvalue, atol=0.0001), "card 4: p of the test with both tails"
### END HIDDEN TESTS

# %% [markdown]
# <!-- cards 6 to 10 -->
#
# **6.** There is no significant difference between Online-B and SMU (BLEU 33.84 and 33.82, p = .97). The two systems
# therefore perform equally well.
#
# *wmt21/de-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 1,000 segments; this pair.*
#
# **7.** Training with our method gains 0.52 BLEU over the baseline (p < .001, 2,489 sentences). The method improves
# translation.
#
# *multeval/en, BLEU; approximate randomization, two-sided, 10,000 resamples of 2,489 segments; this pair.*
#
# **8.** UPC is ahead of uk-dan-moses by 9.7 BLEU. In 1,000 shuffles no difference was as large, so that p = 0.000: the
# result cannot be due to chance.
#
# *wmt12/es-en, BLEU; approximate randomization, two-sided, 1,000 resamples of 3,003 segments; this pair.*
#
# **9.** With a margin of 0.5 BLEU that we had set before testing, Watermelon and VolcTrans-AT are equivalent on the
# test set of WMT21 (difference 0.03, equivalence test, p < .001).
#
# *wmt21/de-en, BLEU; equivalence test, 10,000 resamples of 1,000 segments; this pair, with a margin set before the
# test.*
#
# **10.** We compared all 171 pairs with 1,000 shuffles each. After Holm's correction 0 of them differ at .05. The 19
# systems are indistinguishable.
#
# *wmt21/de-en, BLEU; compare all, two-sided, 1,000 resamples of 1,000 segments; all 171 pairs of 19 systems, Holm's
# correction.*

# %% [markdown]
# Answer with `verdicts_2`, five verdicts on cards 6 to 10, and `number_2`: for card 7, test the method's other run, `sys1.opt1`, against `baseline.opt0`, `baseline.opt1` and `baseline.opt2` (approximate
# randomization, `rng=2014`; `card(7)[0]` has the counts of all runs). The number is the smallest of the three p-values.

# %% nbgrader={"grade": false, "grade_id": "lab13-second-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
verdicts_2 = [DOES_NOT_FOLLOW, TOO_MUCH, TOO_MUCH, STANDS, DOES_NOT_FOLLOW]
runs, other, test = card(7)[0], "sys1.opt1", mt.approximate_randomization
number_2 = min(test(runs, other, f"baseline.opt{i}", rng=2014).pvalue for i in range(3))
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab13-second-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert number_2 > 0.01, (
    "card 7: this is the first run again, or the method against itself; test `sys1.opt1` against each run of the baseline"
)
assert number_2 < 0.9, "card 7: return the smallest of the three, not the largest"
assert len(verdicts_2) == 5 and set(verdicts_2) <= {STANDS, TOO_MUCH, DOES_NOT_FOLLOW}, (
    "five verdicts, one for each card from 6 to 10"
)
assert STANDS in verdicts_2, (
    "you let no claim stand: is there a card here whose authors did what the others should have done?"
)
assert not told(6, verdicts_2), "; ".join(told(6, verdicts_2))
### BEGIN HIDDEN TESTS
others = [
    mt.approximate_randomization(
        mt.load("multeval/en").statistics("BLEU"), "sys1.opt1", f"baseline.opt{i}", rng=2014
    )
    for i in range(3)
]
assert np.isclose(number_2, min(other.pvalue for other in others), atol=0.0001), (
    "card 7: the smallest of three p-values"
)
### END HIDDEN TESTS

# %% [markdown]
# <!-- cards 11 to 15 -->
#
# **11.** onlineC scores 0.61 BLEU more than uk-dan-moses (p = .015, 3,003 sentences). The same can be expected on other
# articles.
#
# *wmt12/es-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 3,003 segments; this pair.*
#
# **12.** NiuTrans has 39.23 BLEU, HuaweiTSC 38.44. As NiuTrans is ahead, we tested one-sided whether it is better: it
# is (p = .032).
#
# *wmt21/is-en, BLEU; approximate randomization, one-sided, 10,000 resamples of 1,000 segments; this pair.*
#
# **13.** Between LIMSI-Ncode-Constrained-Primary and KIT_Phrase-Based_SMT_System we find a difference of 0.39 BLEU on
# the sentences of WMT12 at the level of .05, by the bootstrap test as printed in 2005.
#
# *wmt12/fr-en, BLEU; riezler maxwell bootstrap, two-sided, 10,000 resamples of 3,003 segments; this pair, announced.*
#
# **14.** RWTH_primary translates from German better than uedin-wmt12: 23.35 against 22.92 BLEU, p = .016.
#
# *wmt12/de-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 3,003 segments; this pair, under BLEU
# and other metrics.*
#
# **15.** DCU-Prompsit.2880 outperforms dcu-prompsit-pbsmt.2692 with p < .001. A p-value this small shows that the
# improvement is very large.
#
# *wmt13/es-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 3,000 segments; this pair.*

# %% [markdown]
# Answer with `verdicts_3`, five verdicts on cards 11 to 15, and `number_3`: for card 11, p with whole documents exchanged (approximate randomization, `rng=2014`).

# %% nbgrader={"grade": false, "grade_id": "lab13-third-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
verdicts_3 = [DOES_NOT_FOLLOW, DOES_NOT_FOLLOW, STANDS, TOO_MUCH, TOO_MUCH]
number_3 = mt.approximate_randomization(*card(11), units="documents", rng=2014).pvalue
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab13-third-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert number_3 > 0.05, (
    "card 11: you exchange sentences again; `units` says what is exchanged as a whole"
)
assert len(verdicts_3) == 5 and set(verdicts_3) <= {STANDS, TOO_MUCH, DOES_NOT_FOLLOW}, (
    "five verdicts, one for each card from 11 to 15"
)
assert set(verdicts_3) != {STANDS}, (
    "you let every claim with p ≤ .05 stand, and all five have such a p"
)
assert not told(11, verdicts_3), "; ".join(told(11, verdicts_3))
### BEGIN HIDDEN TESTS
by_document = mt.approximate_randomization(
    mt.load("wmt12/es-en").statistics("BLEU"),
    "onlineC",
    "uk-dan-moses",
    units="documents",
    rng=2014,
)
assert np.isclose(number_3, by_document.pvalue, atol=0.0001), (
    "card 11: p with whole documents exchanged"
)
### END HIDDEN TESTS

# %% [markdown]
# <!-- cards 16 to 20 -->
#
# **16.** We had planned to compare our system, ICL, with the other 18, and compared no others. After Holm's correction
# for these 18 comparisons, BLEU differs from that of 12 systems at .05.
#
# *wmt21/de-en, BLEU; compare all, two-sided, 10,000 resamples of 1,000 segments; the 18 comparisons of ICL with another
# system, as planned; Holm's correction.*
#
# **17.** Testing all pairs under METEOR leads to the conclusion of people in 44 of 66 cases, under NIST in 40. METEOR
# therefore agrees with people significantly better than NIST.
#
# *wmt12/es-en, METEOR; compare all, one-sided, 5,000 resamples of 3,003 segments; two metrics, on the 66 pairs of
# systems of one campaign.*
#
# **18.** Online-B is significantly better than PROMT (33.25 against 32.51 BLEU, p = .010), while Online-Y is not
# (32.90, p = .16). Hence Online-B is better than Online-Y.
#
# *wmt22/de-en, BLEU; approximate randomization, two-sided, 10,000 resamples of 1,984 segments; two comparisons with
# PROMT.*
#
# **19.** Sorted by BLEU, our system, Facebook-AI, is number 6 of the 19 systems of WMT21, and thus better than 13 of
# them.
#
# *wmt21/de-en, BLEU; compare all, two-sided, 10,000 resamples of 1,000 segments; all 171 pairs of 19 systems, Westfall
# and Young's correction.*
#
# **20.** The 95 % intervals of UPC (31.2 to 32.8 BLEU) and of uk-dan-moses (21.7 to 23.0) do not overlap. We conclude
# that UPC scores higher on sentences like these.
#
# *wmt12/es-en, BLEU; confidence interval, 10,000 resamples of 3,003 segments; this pair, announced.*

# %% [markdown]
# Answer with `verdicts_4`, five verdicts on cards 16 to 20, and `number_4`: for card 18, p of the comparison that its last sentence is about (approximate randomization, `rng=2014`).

# %% nbgrader={"grade": false, "grade_id": "lab13-fourth-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
verdicts_4 = [STANDS, DOES_NOT_FOLLOW, DOES_NOT_FOLLOW, TOO_MUCH, STANDS]
number_4 = mt.approximate_randomization(*card(18), rng=2014).pvalue
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab13-fourth-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert round(number_4, 3) not in (0.010, 0.163), (
    "card 18: this is a comparison with PROMT; which two systems is the claim about?"
)
assert len(verdicts_4) == 5 and set(verdicts_4) <= {STANDS, TOO_MUCH, DOES_NOT_FOLLOW}, (
    "five verdicts, one for each card from 16 to 20"
)
assert STANDS in verdicts_4, (
    "you let no claim stand: a sound claim may use an indirect method, and a small family may be honest"
)
assert not told(16, verdicts_4), "; ".join(told(16, verdicts_4))
### BEGIN HIDDEN TESTS
direct = mt.approximate_randomization(
    mt.load("wmt22/de-en").statistics("BLEU"), "Online-B", "Online-Y", rng=2014
)
assert np.isclose(number_4, direct.pvalue, atol=0.0001), "card 18: p of Online-B against Online-Y"
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** When the tests pass, count your verdicts. If you expected fewer claims to stand, look again at cards 13 and 20. A claim may
# be right although its method was poor.
#
# ## Exercise 2 · Write · What could have been said instead
#
# Card 6 calls two systems equal. Suppose that its authors had set a margin and tested equivalence: which margin would they have needed?
#
# `differences` are the differences of two systems on many resamples, not shifted. Equivalence is shown at a level if few enough resamples
# lie at or beyond the margin, at both ends. So p is the larger of the two ends' p-values, each by the counting rule of unit 6. Return the
# first of the margins 0.1, 0.2, 0.3, … with p ≤ `level`. (Allow for rounding with `1e-9`.)


# %% nbgrader={"grade": false, "grade_id": "lab13-margin-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def margin_needed(differences, level):
    """The smallest margin, in tenths, with which the equivalence test rejects at the level."""
    ### BEGIN SOLUTION
    margins, ends = np.arange(1, 1000) / 10, (differences, -differences)
    beyond = [max(np.sum(end >= margin - 1e-9) for end in ends) for margin in margins]
    pvalues = (np.array(beyond) + 1) / (len(differences) + 1)
    return margins[np.argmax(pvalues <= level)]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab13-margin-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
low = "-1.65 -1.2 -.85 -.85 -.85 -.85 -.85 -.65 -.65 -.6 -.6 -.55 -.5 -.5 -.4 -.4 -.4 -.35 -.3 -.3"
high = "-.25 -.2 -.15 -.15 -.1 -.1 0 .05 .05 .1 .1 .15 .15 .15 .25 .3 .35 .35 .5 1.35"
forty = np.array(f"{low} {high}".split(), dtype=float)
with own_work():
    margin, mirrored = margin_needed(forty, 0.05), margin_needed(-forty, 0.05)
about = "Forty resamples: "
assert margin is not None and margin > 0, about + "a margin is a number above 0"
assert not np.isclose(margin, 1.0), about + "you shift them to zero; the question is where they lie"
assert not np.isclose(margin, 1.4), (
    about + "you add up the two ends. They are two tests, each at the level, and both must reject"
)
assert not np.isclose(margin, 0.6), (
    about
    + "you count only one end, or take the smaller p: the systems might differ in either direction"
)
assert not np.isclose(mirrored, 0.6), (
    about + "if the two systems are exchanged, you get another margin; look at both ends"
)
assert not np.isclose(margin, 0.9), (
    about + "add one to the count and one to the number of resamples"
)
assert not np.isclose(margin, 1.2), about + "a resample exactly at the margin counts as beyond it"
assert not np.isclose(margin, 1.7), (
    about
    + "you use half of the level at each end, as in a test of a difference; here each test has the whole level"
)
assert np.isclose(margin, 1.3) and np.isclose(mirrored, 1.3), (
    about + f"1.3 is the first margin that passes; yours is {margin}"
)
resampled = mt.paired_bootstrap(*card(6), rng=2014).null_distribution
with own_work():
    print(f"Online-B and SMU: a margin of {margin_needed(resampled, 0.05)} BLEU")
### BEGIN HIDDEN TESTS
of_2021 = card(6)[0]
for a, b, level in (
    ("Online-B", "SMU", 0.05),
    ("Watermelon", "VolcTrans-AT", 0.05),
    ("Facebook-AI", "UF", 0.01),
):
    resampled = mt.paired_bootstrap(of_2021, a, b, rng=2014).null_distribution
    needed, shown = margin_needed(resampled, level), mt.equivalence_test
    given = {"alpha": level, "rng": 2014}
    assert shown(of_2021, a, b, margin=needed, **given).equivalent, (
        f"{a}, {b}: {needed} is too small at {level}"
    )
    less = round(needed - 0.1, 1)
    assert less == 0 or not shown(of_2021, a, b, margin=less, **given).equivalent, (
        f"{a}, {b}: {less} would do at {level}"
    )
### END HIDDEN TESTS

# %% [markdown]
# Nobody may now print this number as a result of card 6, because a margin that is found afterwards always fits. But it tells the authors
# which margin they would have needed.
#
# ## Exercise 3 · Decide · What may be printed?
#
# Cards 10 and 19 are about the nineteen systems of WMT21 from German. Find numbers with which their claims may be printed, and put them
# into a dictionary `may_print`:
#
# - `10`: *With fewer than … shuffles for each of our 171 pairs, no data could have given a corrected p of .05.* Give the smallest number
#   that is enough.
# - `19`: *Facebook-AI's place may be anything from … to …, and it was told apart from … of the systems below it*: give three whole numbers,
#   by the test of the card, at .05. `mt.rank_table` counts them from the test's `conclusions()`.

# %% nbgrader={"grade": false, "grade_id": "lab13-all", "locked": true, "schema_version": 3, "solution": false, "task": false}
german = card(6)[0]
how = {"correction": "westfall-young", "interval": None, "n_resamples": 10_000, "rng": 2014}
of_card_19 = mt.compare_all(german, **how)

# %% nbgrader={"grade": false, "grade_id": "lab13-print-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
### BEGIN SOLUTION
row = mt.rank_table(of_card_19.conclusions()).set_index("system").loc["Facebook-AI"]
may_print = {10: 171 * 20 - 1, 19: (row["rank_top"], row["rank_bottom"], row["wins"])}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab13-print-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert set(may_print) == {10, 19} and len(may_print[19]) == 3, (
    "give two answers, by the number of the card; for card 19 three numbers"
)
shuffles, (top, bottom, below) = may_print[10], may_print[19]
assert not 300 < shuffles < 400, "card 10: nineteen systems make far more than nineteen comparisons"
assert shuffles > 1000, (
    "card 10: a thousand were far from enough: with how many is 171 times the smallest p no more than .05?"
)
assert shuffles < 9999, "card 10: this is enough, but far from the smallest sufficient number"
assert (top, bottom) != (6, 6), (
    "card 19: this is the place in the sorted list, which the test does not support"
)
assert below != 13, (
    "card 19: this is how many are below it in the list; from how many was it told apart?"
)
assert top < bottom, "card 19: first give the best possible place, then the worst"
print(
    "The form is right, and some usual traps are avoided. Whether the numbers are right is tested later."
)
### BEGIN HIDDEN TESTS
assert shuffles != 3420, (
    "card 10: the observed arrangement is counted as well, so one shuffle fewer is enough; or did you ask for less than .05?"
)
assert shuffles != 6839, (
    "card 10: a two-sided p counts both tails among the same shuffles, so do not double anything"
)
assert 171 / (shuffles + 1) <= 0.05 < 171 / shuffles, "card 10: the smallest number that is enough"
ranked = mt.rank_table(mt.compare_all(german, **how).conclusions()).set_index("system")
expected = ranked.loc["Facebook-AI", ["rank_top", "rank_bottom", "wins"]]
assert (top, bottom, below) == tuple(expected), f"card 19: {tuple(expected)}"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · In words
#
# Choose a card whose claim does not follow, by your verdict, but not one whose number you computed in exercise 1. Write a referee's report
# on it, in four to six sentences, that helps its authors: what is claimed, what was shown, where the claim goes beyond that, and what they
# should compute or write instead.

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab13-report-words", "locked": false, "points": 3, "schema_version": 3, "solution": true, "task": false}
# Here is an example on card 12. The authors claim that NiuTrans is better than HuaweiTSC in BLEU, by a one-sided test with p =
# .032. They say themselves that they chose the side because NiuTrans was ahead. Had HuaweiTSC been ahead, they would
# have tested the other side. So chance could favour either system, and both sides have to be counted. The two-sided p
# is about twice as large and above .05. The difference of .79 BLEU is not in doubt as a description of this test set. I
# recommend a two-sided test with its interval, or a reason for the side that was written down before the outputs were
# scored. With these data no difference should be claimed at .05.
#
# **Rubric.** 1 point: says what was shown and what is claimed, and keeps the two apart. 1 point: names the fault of this card, and why it
# is one. 1 point: asks for one number or sentence that would settle it, and does not call a claim false that is only not shown.

# %% [markdown]
# ---
#
# Back to [unit 19](../../4_many_systems/19_a_hundred_and_seventy_one_chances.ipynb), [unit 27](../../5_people/27_what_accuracy_rewards.ipynb), [unit
# 29](../../6_beyond_the_papers/29_train_it_again.ipynb) and [unit 30](../../6_beyond_the_papers/30_no_difference_is_not_equality.ipynb). *Words* are in
# the [glossary](../../../docs/glossary.md).
