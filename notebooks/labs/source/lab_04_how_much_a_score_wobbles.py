# %% [markdown]
# # Lab 04 · How much a score wobbles
#
# Draw resamples that keep the shares of six languages, find the wrong rows of a printed table, and plan the next test set.
#
# *Goes with units [7](../../2_a_score_and_two_of_them/07_five_languages_in_one_test_set.ipynb),
# [8](../../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb) and
# [9](../../2_a_score_and_two_of_them/09_how_many_sentences.ipynb). About 85 minutes, 14 points.*
#
# Write your answers in the cells that ask for them. The cell below each answer tests it; if a test fails, it says what to look at. More
# tests run when the lab is graded, on other data.

# %% nbgrader={"grade": false, "grade_id": "lab04-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import dataclasses

import numpy as np

import mtsig_nb as mt

campaign = mt.load("wmt13/ru-en")
names = ["online-B", "online-A", "uedin-wmt13.2851", "CMU-primary.2908"]
names += ["LIA.2650", "online-G", "JHU.2677", "PROMT.2754"]
bleu = campaign.statistics("BLEU").select(names)
score = bleu.metric.score
language = np.asarray(campaign.original_language)  # of each of the 3,000 sentences
counts = dict(zip(bleu.systems, bleu.values, strict=True))  # of each system, sentences × counts


def limits(scores):
    """The 95 % percentile interval."""
    return np.quantile(scores, [0.025, 0.975])


for code in dict.fromkeys(language):
    here = language == code
    scores = [f"{score(counts[name][here].sum(axis=0)):.1f}" for name in names]
    print(f"written in {code}, {here.sum()} sentences: {', '.join(scores)}")

# %% [markdown]
# The systems of this lab translated from Russian into English, at WMT13. As in unit 7, the news was written in several languages, here six,
# and people then translated it into Russian. The cell above has printed the BLEU of eight systems on each piece, in the order of `names`.
# On Spanish news, the first of them scores nearly fourteen points more than on English news.
#
# ## Exercise 1 · Write · Resamples that keep the languages
#
# The organisers took 500 sentences of each language on purpose, and next year they would do so again. A resample should then
# have 500 of each, too. So do not draw from the whole file, but *within* each piece: as many of its sentences as it has, with
# replacement. All sentences drawn from the six pieces together are one resample, and it has one BLEU.
#
# > **Make a guess.** Resamples drawn within languages cannot have too many easy Spanish sentences by luck. How much smaller is the standard
# > error of online-B than with draws from the whole file: by half, by a fifth, or hardly at all?
#
# Write the function for any pieces: `pieces` has a label for each sentence, the pieces may differ in size, and the sentences of a piece
# need not be next to each other in the file. Use `score`, which turns sums of counts into BLEU, and draw only from `rng`.


# %% nbgrader={"grade": false, "grade_id": "lab04-within-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def resampled_scores(counts, pieces, n_resamples, rng):
    """BLEU of `n_resamples` resamples, an array; each is drawn within the pieces.

    `counts` is sentences × counts of one system, `pieces` an array with a label for each sentence.
    """
    ### BEGIN SOLUTION
    places = [np.flatnonzero(pieces == label) for label in np.unique(pieces)]
    scores = np.empty(n_resamples)
    for r in range(n_resamples):
        drawn = np.concatenate([rng.choice(p, size=len(p)) for p in places])
        scores[r] = score(counts[drawn].sum(axis=0))
    return scores
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-within-tests", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

B = counts["online-B"]
with own_work():
    got = np.asarray(resampled_scores(B, language, 400, np.random.default_rng(1)), dtype=float)
assert got.shape == (400,), f"400 resamples have 400 scores; this has the shape {got.shape}"
assert np.ptp(got) > 1e-6, (
    "all resamples have the same score: draw with replacement, so that a sentence may come again"
)
by_piece = [score(B[language == code].sum(axis=0)) for code in np.unique(language)]
assert abs(got.mean() - score(B).mean()) > 0.15, (
    "the scores lie around the average of the 3,000 sentences' own BLEU: add up counts first, then score (unit 4)"
)
assert abs(got.mean() - np.mean(by_piece)) > 0.12, (
    "the scores lie around the average of the six pieces' BLEU: a resample is one test set, with one sum and one score"
)
twins = np.repeat(B[[20, 2600]], [30, 30], axis=0)  # two sentences, each thirty times
halves = np.repeat(["first", "second"], 30)
with own_work():
    same = np.asarray(resampled_scores(twins, halves, 20, np.random.default_rng(2)))
assert np.ptp(same) < 1e-9, (
    "if all sentences of a piece are alike, all resamples should be alike; yours have more sentences of one piece or of the other, by luck"
)
package = mt.confidence_interval(
    dataclasses.replace(bleu, strata=language), "online-B", n_resamples=1000, rng=1
)
wide = got.std() / package.standard_error
assert wide < 1.2, (
    f"the scores vary {wide:.1f} times as much as they should: is a resample as large as the test set?"
)
assert wide > 0.8, (
    f"the scores vary only {wide:.1f} times as much as they should: do you draw every resample again?"
)
with own_work():
    whole_file = resampled_scores(B, np.zeros(3000), 1000, np.random.default_rng(3))
    within = resampled_scores(B, language, 1000, np.random.default_rng(3))
print(f"online-B, standard error: {np.std(whole_file):.3f} from the whole file, ", end="")
print(f"{np.std(within):.3f} within languages")
### BEGIN HIDDEN TESTS
mixed = np.random.default_rng(4).permutation(np.repeat(["a", "b", "c"], [20, 50, 130]))
three = B[[5, 1300, 2700]][np.searchsorted(["a", "b", "c"], mixed)]
alike = np.asarray(resampled_scores(three, mixed, 15, np.random.default_rng(5)))
assert np.allclose(alike, score(three.sum(axis=0))), (
    "pieces of 20, 50 and 130 sentences, mixed in the file: take each piece's places and size from `pieces`"
)
part = counts["PROMT.2754"][:300]
again = [resampled_scores(part, language[:300], 5, np.random.default_rng(6)) for _ in range(2)]
assert np.array_equal(*again), "the same seed, the same scores: draw from `rng` and nothing else"
other = resampled_scores(part, language[:300], 5, np.random.default_rng(7))
assert not np.array_equal(again[0], other), "another seed, other scores: draw from `rng`"
assert 0.9 < np.std(within) / np.std(whole_file) < 1.02
### END HIDDEN TESTS

# %% [markdown]
# **The guess.** Hardly at all: by a few hundredths of what it was. Fourteen points between the pieces look enormous.
# But among 3,000 sentences drawn one by one, there are about 500 of each language anyway, give or take some twenty.
# A score varies mostly because single sentences differ from each other. (This does not hold for the blocks of unit 7. A
# block is a row of neighbouring sentences and was not drawn at random.)
#
# ## Exercise 2 · Write · How many sentences?
#
# On `n_sentences` sentences the standard error of a score is `standard_error`. How many sentences of the same kind does it take so that 95
# % intervals reach only `half_width` to either side? They reach 1.96 standard errors. Return a whole number, rounded up.


# %% nbgrader={"grade": false, "grade_id": "lab04-size-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sentences_for(n_sentences, standard_error, half_width):
    """The number of sentences, an int."""
    ### BEGIN SOLUTION
    return int(np.ceil(n_sentences * (1.96 * standard_error / half_width) ** 2))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "lab04-size-tests", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
from mtsig_nb.teaching import own_work

with own_work():
    found = sentences_for(700, 0.6, 0.25)
reach = 1.96 * 0.6
assert abs(found - 700 * reach / 0.25) > 2, (
    "this many sentences make the interval shorter, but not short enough: ten times the sentences do not divide the standard error by ten"
)
assert (
    abs(found - 700 * (2 * reach / 0.25) ** 2) > 9 and abs(found - 700 * (reach / 0.5) ** 2) > 2
), (
    "you are off by a factor of four: `half_width` is the distance to *one* side, as 1.96 standard errors are"
)
assert abs(found - 700 * (0.6 / 0.25) ** 2) > 2, (
    "this makes the standard error equal to `half_width`; how many standard errors are half an interval?"
)
assert found != int(700 * (reach / 0.25) ** 2), "rounded down, this is not quite enough: round up"
assert found > 700, (
    "the interval reaches 1.18 points to either side and should reach only .25: this takes more sentences, not fewer"
)
assert abs(found - 15490) <= 1, (
    f"{found:,} is wrong: by which factor does the standard error shrink?"
)
print(
    f"3,000 sentences, a standard error of .3; for .1 to either side: {sentences_for(3000, 0.3, 0.1):,}"
)
### BEGIN HIDDEN TESTS
assert sentences_for(2000, 0.5, 1.3) == 1137 and sentences_for(2000, 0.5, 0.8) == 3002, (
    "2,000 sentences, a standard error of .5: 1,137 suffice for 1.3 to either side, .8 takes 3,002; are all three arguments used?"
)
assert isinstance(sentences_for(10, 3.0, 1.0), (int, np.integer)), "a whole number, an int"
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · Find · Eight rows, four of them wrong
#
# Here is a table as a paper might print it. Its caption says: "BLEU on all 3,000 sentences, with 95 % intervals: 1.96 standard errors to
# either side, from resamples of the whole file." The scores are right. In four rows the number behind `±` is not what the caption says.
# Each of these rows has a different fault:
#
# - `"standard error"`: one standard error;
# - `"whole width"`: the width of the interval from end to end;
# - `"1,000 sentences"`: resamples of 1,000 sentences were drawn, to save time;
# - `"90 %"`: a twentieth of the resamples was left out at *each* end of the interval, instead of a fortieth.
#
# Give `faults` an entry for each of these four systems, and for no other. Its key is the system's name, and its value is a pair: the fault
# (one of the four texts), and the number that *should* be behind `±`, in points of BLEU. Your function from exercise 1 draws from the whole
# file if there is only one piece. (If you have not written it, `mt.confidence_interval(bleu, name, rng=8).standard_error` will do.) With
# 1,000 resamples a standard error is accurate to some three in a hundred.

# %% nbgrader={"grade": false, "grade_id": "lab04-printed", "locked": true, "schema_version": 3, "solution": false, "task": false}
printed = {
    "online-B": (26.40, 0.66),
    "online-A": (24.74, 1.12),
    "uedin-wmt13.2851": (24.33, 0.32),
    "CMU-primary.2908": (24.06, 0.60),
    "LIA.2650": (23.51, 1.20),
    "online-G": (22.65, 0.50),
    "JHU.2677": (22.49, 0.59),
    "PROMT.2754": (21.85, 0.58),
}
for name, (value, beside) in printed.items():
    assert round(score(counts[name].sum(axis=0)), 2) == value
    print(f"{name:18} {value:.2f} ± {beside:.2f}")

# %% nbgrader={"grade": false, "grade_id": "lab04-table-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# faults = {system: (what is printed, what should be), ...}
### BEGIN SOLUTION
rng = np.random.default_rng(8)
errors = {s: resampled_scores(counts[s], np.zeros(3000), 1000, rng).std() for s in names}
what = {"online-A": "1,000 sentences", "LIA.2650": "whole width"}
what |= {"uedin-wmt13.2851": "standard error", "online-G": "90 %"}
faults = {s: (fault, 1.96 * errors[s]) for s, fault in what.items()}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab04-table-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
FAULTS = ("standard error", "whole width", "1,000 sentences", "90 %")
assert set(faults) <= set(names), "the keys are names of systems, as in the table"
assert all(len(pair) == 2 and pair[0] in FAULTS for pair in faults.values()), (
    "each entry is a pair: one of the four texts, and a number"
)
for name, (_, number) in faults.items():
    assert not 0.25 < number < 0.4, f"{name}: this is one standard error, not what it should be"
    assert not 1 < number < 1.5, f"{name}: this is the whole width; only half of it is on each side"
    assert 0.4 < number < 1, (
        f"{name}: {number:.2f} should be behind ±? 1.96 standard errors, of resamples as large as the test set"
    )
ratio = {name: printed[name][1] / number for name, (_, number) in faults.items()}
said = {name: fault for name, (fault, _) in faults.items()}
assert len(faults) < 5, (
    "at least one of your rows agrees with the caption: intervals differ by some hundredths from one drawing to another, and from system to system"
)
assert len(faults) > 2 or min(ratio.values(), default=9) < 1, (
    "an interval may also be wrong because it is too short"
)
assert len(faults) == 4, (
    f"four rows are wrong, and you name {len(faults)}: which of the four faults changes least?"
)
assert sorted(said.values()) == sorted(FAULTS), "each of the four faults occurs once"
for name in faults:
    assert (said[name] in ("whole width", "1,000 sentences")) == (ratio[name] > 1), (
        f"{name}: the printed number is {ratio[name]:.2f} times yours; which faults make it larger, and which smaller?"
    )
by_fault = {fault: ratio[name] for name, fault in said.items()}
assert by_fault["whole width"] > by_fault["1,000 sentences"], (
    "two rows are too wide: a width from end to end is twice what it should be; what does the square root say about a third of the sentences?"
)
assert by_fault["standard error"] < by_fault["90 %"], (
    "two rows are too narrow: one standard error is 1/1.96 of what should be there; 1.64 of them are 1.64/1.96"
)
### BEGIN HIDDEN TESTS
factor = {"standard error": 1 / 1.96, "whole width": 2, "1,000 sentences": 3**0.5}
factor["90 %"] = 1.645 / 1.96
for name in names:
    should = 1.96 * mt.confidence_interval(bleu, name, n_resamples=1000, rng=9).standard_error
    assert abs(printed[name][1] / should / factor.get(said.get(name), 1) - 1) < 0.07, (
        f"{name}: not what is printed there"
    )
    assert name not in faults or 0.92 < faults[name][1] / should < 1.08, (
        f"{name}: the number differs by more than two drawings do: how many resamples?"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 4 · Decide · A plan for next year
#
# Next year the eight systems will be compared on new sentences. You are asked four questions. Put your answers into `plan`:
#
# - `"language"`: there might be money for only one language, 500 sentences. For each language, compute the eight 95 % percentile intervals
#   from its piece alone, and count how many contain their system's score on all 3,000 sentences. Which language has the largest count? Give
#   its code.
# - `"contain"`: how large is this count?
# - `"sentences"`: there might be money for all six languages, in equal shares. How many sentences does it take so that 1.96 standard errors
#   of *each* of the eight scores are at most half a point? Take the standard errors from 1,000 or more resamples within languages.
# - `"resamples"`: the interval of online-B should hardly depend on the seed. Over many seeds, the standard deviation of its lower limit
#   should be below .05 BLEU. Which is the smallest sufficient number: 100, 1,000 or 10,000 resamples?
#
# (`limits(scores)` of the first cell has the limits of a percentile interval; what
# `mt.confidence_interval` returns has `low` and `high`. Thirty seeds are enough.)

# %% nbgrader={"grade": false, "grade_id": "lab04-plan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
# plan = {"language": ..., "contain": ..., "sentences": ..., "resamples": ...}
### BEGIN SOLUTION
rng, contain = np.random.default_rng(10), dict.fromkeys(np.unique(language), 0)
for code in contain:
    for own in counts.values():
        low, high = limits(resampled_scores(own[language == code], np.zeros(500), 500, rng))
        contain[code] += low <= score(own.sum(axis=0)) <= high
error = max(resampled_scores(own, language, 500, rng).std() for own in counts.values())
plan = {"language": max(contain, key=contain.get), "contain": max(contain.values())}
plan |= {"sentences": sentences_for(3000, error, 0.5), "resamples": 1000}
### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "lab04-plan-tests", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
assert set(plan) == {"language", "contain", "sentences", "resamples"}, "four entries, as named"
chosen, many = plan["language"], plan["sentences"]
assert chosen in language, "the code of one of the six languages, such as the first cell prints"
assert chosen != "ru", (
    "this piece is not like the others just because it was written in Russian: compare its intervals with the scores on all 3,000 sentences"
)
assert plan["contain"] not in (7, 8), (
    "a 95 % interval promises this for test sets drawn at random from all sentences, but a piece was not drawn at random: count"
)
assert many < 12_000, (
    "far too many: from 500 sentences of one language to 3,000, the standard error changes, and so does the number that you begin with"
)
assert many > 2000, (
    "far too few: 1.96 standard errors should be half a point; the 500 sentences of a piece are not the 3,000 of the file"
)
assert plan["resamples"] in (100, 1000, 10_000), "one of the three numbers"
assert plan["resamples"] != 100, (
    "with 100 resamples the lower limit depends on the two or three lowest of them: how much does it vary with the seed?"
)
print(
    "The form is right, and the usual traps are avoided. Whether the numbers are right is tested later."
)
### BEGIN HIDDEN TESTS
assert chosen != "en", (
    "these intervals are the shortest of the six, but they say how precise the score on *this piece* is, and not how close it is to the other score"
)
assert chosen == "de", "in this piece no interval contains the score on all sentences: look again"
assert plan["contain"] == 1, (
    "in the piece that you named, count the intervals that contain the score on all 3,000 sentences"
)
assert many > 4450, (
    "this would be enough for a typical system: which of the eight has the largest standard error?"
)
assert many < 5600, "this is somewhat too many: what is the largest standard error?"
assert plan["resamples"] == 1000, (
    "this would be enough, but so would fewer: ten times as many resamples do not make an interval shorter"
)
for code in np.unique(language):  # what is taken for granted above
    part = bleu.subset(language == code)
    own = [mt.confidence_interval(part, name, n_resamples=500, rng=11) for name in names]
    inside = sum(i.low <= bleu.scores()[i.system_a] <= i.high for i in own)
    assert inside == (code == "de"), f"{code}: {inside} intervals"
by_language = dataclasses.replace(bleu, strata=language)
error = mt.confidence_interval(by_language, "online-B", n_resamples=1000, rng=11).standard_error
assert 0.92 < 4853 / (3000 * (1.96 / 0.5 * error) ** 2) < 1.08
for draws, enough in ((100, False), (1000, True)):
    found = [mt.confidence_interval(bleu, "online-B", n_resamples=draws, rng=k) for k in range(12)]
    assert (np.std([i.low for i in found]) < 0.05) == enough
spread = [score(counts["online-B"][language == code].sum(axis=0)) for code in ("en", "es", "ru")]
assert 13.5 < spread[1] - spread[0] < 14 and round(spread[2], 1) == 29.5 and 18.5 < spread[0] < 19.5
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 5 · In words
#
# A report says: "On Russian news online-B scores 29.5. We drew 100,000 resamples of the 500 sentences, and divided the standard deviation
# of their scores by the square root of 100,000. So the score is precise to less than a hundredth of a point, and this is what users of the
# service may expect." Write three or four sentences: what is wrong with "less than a hundredth of a point", and what is wrong with "this is
# what users of the service may expect"?

# %% [markdown] nbgrader={"grade": true, "grade_id": "lab04-report-words", "locked": false, "points": 2, "schema_version": 3, "solution": true, "task": false}
# The standard deviation of the resamples' scores *is* the standard error of the score, about three quarters of a point with 500 sentences.
# Divided by the square root of the number of resamples, it only says how precisely we know the mean of all resamples, and nobody asked for
# that. More resamples do not make the score more precise; more sentences would. And even the right interval is only about sentences like
# these 500. On the other five pieces online-B scores between 19 and 33, and users have texts of other kinds again.
#
# **Rubric.** 1 point: the standard deviation of the resampled scores is already the standard error (or: the square root counts
# sentences, not resamples). 1 point: the interval is about test sets drawn from such sentences, and other texts differ by far more,
# as the six pieces show. No point for "more resamples are needed".

# %% [markdown]
# ---
#
# *Back to* units [7](../../2_a_score_and_two_of_them/07_five_languages_in_one_test_set.ipynb),
# [8](../../2_a_score_and_two_of_them/08_an_interval_from_one_test_set.ipynb) and
# [9](../../2_a_score_and_two_of_them/09_how_many_sentences.ipynb). *Words* are in the [glossary](../../../docs/glossary.md).
