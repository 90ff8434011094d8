"""The tests for one pair, against enumeration, SciPy and what must hold whatever the data."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.notes import parts
from mtsig_nb.significance.one_pair import run_test

from ..engine.test_sign_flips import advantage
from ..messages import codes, naming, printed, values
from ..small_sets import METRICS, means, plausible, real, some_segments

ALTERNATIVES = ("two-sided", "greater", "less")
BOOTSTRAPS = [name for name, p in PROCEDURES.items() if p.kind == "bootstrap"]
#: Every test with each alternative it has.
VARIANTS = [(n, a) for n, p in PROCEDURES.items() for a in ALTERNATIVES if a in p.alternatives]

seeds = st.integers(0, 2**32 - 1)
#: Examples are the same in every run, so nothing here fails by chance once it has passed.
same_every_time = settings(derandomize=True, max_examples=25)


def randomize(statistics, **options):
    return mt.approximate_randomization(statistics, *statistics.systems, **options)


# Against exact enumeration


def a_pair(metric, n_segments, seed):
    """Scores are quarters, so that sums are exact and some are tied."""
    if metric == "mean":
        return means(np.random.default_rng(seed).integers(-8, 9, (2, n_segments)) / 4)
    return some_segments(metric, n_segments, seed)


@pytest.mark.parametrize("metric", [*METRICS, "mean"])
@same_every_time
@given(seeds, st.integers(1, 9), st.sampled_from(ALTERNATIVES))
def test_all_arrangements_are_those_of_scipy(metric, seed, n_segments, alternative):
    """And shuffles are a sample of them.  SciPy exchanges the places of outputs."""
    pair = a_pair(metric, n_segments, seed)
    outputs = pair.values.reshape(2 * n_segments, -1)

    def difference(a, b, axis):
        first, second = (
            pair.metric.score(outputs[side.astype(int)].sum(axis=axis - 1)) for side in (a, b)
        )
        return pair.metric.direction * (first - second)

    exact = randomize(pair, exact=True, alternative=alternative)
    if n_segments > 1:  # SciPy takes no less
        scipys = stats.permutation_test(
            np.arange(2 * n_segments).reshape(2, -1),
            difference,
            permutation_type="samples",
            alternative=alternative,
            n_resamples=np.inf,
            vectorized=True,
        )
        assert exact.statistic == pytest.approx(scipys.statistic, abs=1e-12)
        assert exact.pvalue == scipys.pvalue
    sampled = randomize(pair, exact=False, alternative=alternative, n_resamples=1000, rng=seed)
    assert plausible(sampled.count, 1000, exact.pvalue)
    assert sampled.statistic == exact.statistic


def every_draw(n):
    """How often each of n units is drawn, in all ways to draw n."""
    return [counts for counts in itertools.product(range(n + 1), repeat=n) if sum(counts) == n]


def every_bootstrap_resample(statistics):
    """Advantages of the first system under all n**n resamples, with their probabilities."""
    n = statistics.n_segments
    counts = np.array(every_draw(n))
    scores = statistics.metric.score(np.einsum("rn,snc->src", counts, statistics.values))
    drawn = statistics.metric.direction * (scores[0] - scores[1])
    return drawn, stats.multinomial.pmf(counts, n, np.full(n, 1 / n))


def by_leaving_out(statistics):
    """What leaving a unit out changes in the difference, turned round; they add up to zero."""
    n, metric = statistics.n_segments, statistics.metric
    left_out = np.array(
        [[metric.score(rows.sum(axis=0) - row) for row in rows] for rows in statistics.values]
    )
    influence = (n - 1) / n * (left_out.mean(axis=1, keepdims=True) - left_out)
    return metric.direction * (influence[0] - influence[1])


def every_t_value(statistics):
    """How far all n**n resamples are from the test set in standard errors, and its own distance.

    The standard error of a sum of n draws is estimated from what was drawn.
    """
    n, influence = statistics.n_segments, by_leaving_out(statistics)

    def far(apart, drawn):
        error = np.sqrt(n * influence[drawn].var())
        if abs(apart) < 1e-9:
            return 0.0
        return apart / error if error > 1e-7 else math.copysign(math.inf, apart)

    everything, whole = np.arange(n), advantage(statistics)
    resamples = (np.repeat(everything, counts) for counts in every_draw(n))
    t = np.array([far(advantage(statistics.subset(drawn)) - whole, drawn) for drawn in resamples])
    return t, far(whole, everything)


def bootstrap_pvalue(test, alternative, drawn, probability, observed, slack):
    """Each test's p-value written out, with `slack` in favour of counting."""
    absolute, null = np.abs(drawn), drawn
    if test == "bootstrap":
        null = drawn - drawn @ probability
    tails = {
        "two-sided": np.abs(null) >= abs(observed) - slack,
        "greater": null >= observed - slack,
        "less": null <= observed + slack,
    }
    if test == "riezler-maxwell-bootstrap":
        tails["two-sided"] = absolute - absolute @ probability >= abs(observed) - slack
    if test == "paired-bootstrap":  # the other wins, the first wins
        tails = {"greater": drawn <= slack, "less": drawn >= -slack}
        tails["two-sided"] = min(tails.values(), key=lambda tail: probability[tail].sum())
    return min(1.0, float(probability[tails[alternative]].sum()))


@pytest.mark.parametrize(("test", "alternative"), [v for v in VARIANTS if v[0] in BOOTSTRAPS])
@settings(derandomize=True, max_examples=12)
@given(seeds, st.integers(1, 5), st.sampled_from(["BLEU", "TER", "mean"]))
def test_bootstraps_agree_with_all_resamples(test, alternative, seed, n_segments, metric):
    statistics, n_resamples = a_pair(metric, n_segments, seed), 3000
    options = {"alternative": alternative, "n_resamples": n_resamples, "rng": seed}
    result = run_test(test, statistics, *statistics.systems, **options)
    drawn, probability = every_bootstrap_resample(statistics)
    if test == "studentized-bootstrap":
        drawn, observed = every_t_value(statistics)
        exact = bootstrap_pvalue(test, alternative, drawn, probability, observed, slack=1e-7)
        assert plausible(result.count, n_resamples, exact)
        return
    # The sampled test centres on the mean of its sample, which lies within six standard errors
    # of the true one; resamples that close to the threshold may fall on either side.
    spread = np.sqrt(probability @ (drawn - drawn @ probability) ** 2)
    uncertain = 0.0 if test == "paired-bootstrap" else 6 * spread / np.sqrt(n_resamples)
    common = (test, alternative, drawn, probability, result.statistic)
    low = bootstrap_pvalue(*common, slack=-uncertain + 1e-9)
    high = bootstrap_pvalue(*common, slack=uncertain + 1e-9)
    assert plausible(result.count, n_resamples, low, high)


# What must hold whatever the data


@pytest.mark.parametrize(("test", "alternative"), VARIANTS)
@pytest.mark.parametrize("metric", ["BLEU", "NIST", "TER"])
def test_a_system_does_not_differ_from_its_own_copy(test, alternative, metric):
    one = real(metric).subset(np.arange(100))
    copy = mt.SufficientStatistics(one.metric, ["original", "copy"], one.values[[0, 0]])
    result = run_test(
        test, copy, "original", "copy", alternative=alternative, n_resamples=99, rng=1
    )
    assert result.pvalue == 1
    assert result.conclusion() == "indistinguishable"
    assert values(result.notes, "identical")["n"] == 100


@pytest.mark.parametrize("k", range(13))
def test_k_differing_segments_cannot_give_less_than_two_in_two_to_the_k(k):
    scores = np.tile(np.random.default_rng(k).normal(size=40), (2, 1))
    scores[0, :k] += 1
    pair = means(scores)
    smallest = min(1.0, 2 / 2**k)
    assert randomize(pair, exact=True).pvalue == smallest
    for n_resamples, rng in itertools.product((1, 9, 99, 999), range(5)):
        result = randomize(pair, n_resamples=n_resamples, rng=rng)
        assert result.pvalue >= smallest
        assert result.n_differing == k


@same_every_time
@given(
    seeds,
    st.sampled_from([1 / 10, 1 / 3, 0.7, 1e-3, 1e4]),
    st.sampled_from(ALTERNATIVES),
    st.booleans(),
)
def test_rounding_of_decimals_breaks_no_tie(seed, unit, alternative, exact):
    """Whole numbers have exact sums; the same numbers in tenths or thirds have the same ties."""
    whole = np.random.default_rng(seed).integers(0, 10, (2, 9)).astype(float)
    options = {"alternative": alternative, "exact": exact, "n_resamples": 300, "rng": seed}
    assert (
        randomize(means(whole * unit), **options).count == randomize(means(whole), **options).count
    )


@pytest.mark.slow
@pytest.mark.parametrize("test", PROCEDURES)
@pytest.mark.parametrize("unit", [1.0, 1 / 4, 1 / 100])
def test_a_constant_added_to_a_mean_moves_no_count(test, unit):
    """Ties are relative to what rounds.  At 1e9 all differences below .001 were ties."""
    scores = np.random.default_rng(5).integers(0, 101, (2, 60)) * unit
    counts = set()
    for constant in (0.0, -50.0, 1e3, 1e6, 1e9):
        rows = [(f"s{k}", i, x + constant) for (k, i), x in np.ndenumerate(scores)]
        table = pd.DataFrame(rows, columns=["system", "segment", "score"])
        statistics = mt.from_segment_scores(table).by_stratum(["news"] * 40 + ["talks"] * 20)
        counts.add(run_test(test, statistics, "s0", "s1", n_resamples=2000, rng=6).count)
    # t-values are on no lattice: one of 2,000 may well be nearer than the grid of 1e9 can tell.
    slack = 4 if PROCEDURES[test].studentized else 0
    assert max(counts) - min(counts) <= slack


def test_documents_are_explicitly_summed_statistics():
    statistics = real()
    names = ("uedin-wmt12", "UPC")
    documents = statistics.documents
    labels = list(dict.fromkeys(documents.tolist()))
    summed = np.stack(
        [statistics.values[:, documents == label].sum(axis=1) for label in labels], axis=1
    )
    by_hand = mt.SufficientStatistics(statistics.metric, statistics.systems, summed)
    for test, alternative in VARIANTS:
        options = {"alternative": alternative, "n_resamples": 400, "rng": 8}
        asked = run_test(test, statistics, *names, units="documents", **options)
        done = run_test(test, by_hand, *names, **options)
        assert (asked.count, asked.statistic) == (done.count, done.statistic)
        assert (asked.n_units, asked.unit) == (len(labels), "documents")
    own_labels = mt.bootstrap_test(statistics, *names, units=documents, n_resamples=400, rng=8)
    assert own_labels.count == mt.bootstrap_test(by_hand, *names, n_resamples=400, rng=8).count


# Counting


def test_the_same_draws_under_each_counting_rule():
    pair = some_segments("BLEU", 60, seed=2)
    results = {
        rule: randomize(pair, counting=rule, n_resamples=200, rng=1)
        for rule in ("add-one", "plain", "stroppa", "strict")
    }
    null, observed = (np.abs(x) for x in (results["plain"].resampled, results["plain"].statistic))
    reached, passed = (int((null >= observed + slack).sum()) for slack in (-1e-9, 1e-9))
    assert 0 < reached < 200
    expected = [(reached + 1) / 201, reached / 200, (reached + 1) / 200, (passed + 1) / 201]
    assert [result.pvalue for result in results.values()] == expected


# Texts


PAIR = means([[1.0, 2.0, 3.0], [2.0, 2.0, 4.0]], systems=["alpha", "beta"])


def test_the_printed_bootstrap_warns():
    with pytest.warns(mt.PitfallWarning, match=naming("Riezler & Maxwell", "one tail")):
        mt.riezler_maxwell_bootstrap(PAIR, "alpha", "beta", rng=1)


def test_sentence_says_when_the_level_lies_in_the_monte_carlo_interval():
    pair, said = some_segments("BLEU", 400, seed=2), []
    for rng in range(40):
        result = randomize(pair, n_resamples=60, rng=rng)
        low, high = result.pvalue_interval
        said.append(len(printed(result.sentence, "uncertain-level")) == 1)
        assert said[-1] == any(low <= level <= high for level in (0.05, 0.01, 0.001))
    assert 0 < sum(said) < len(said)


def test_sentence_of_an_exact_test():
    result = randomize(PAIR)
    difference, counted, caveat = result.sentence.split("\n")
    numbers = ("alpha", "beta", "-0.67", "2.00", "2.67", "p = 0.5000")
    assert re.match(naming("approximate randomization", "score", "two-sided", *numbers), difference)
    assert re.search(naming("all 4 ", "2 differing", "3"), counted)
    (few,) = printed(caveat, "few-differ")
    assert few == {"differing": "2", "n": "3", "unit": "segments"}
    assert result.pvalue_interval == (0.5, 0.5)


def test_signature_names_everything_that_defines_the_pvalue():
    pair = some_segments("BLEU", 50, seed=2)
    result = randomize(pair, alternative="greater", n_resamples=100, rng=7)
    assert result.signature == (
        "test:approximate-randomization|alt:greater|count:>=|p:(c+1)/(R+1)|n:100|rng:7"
        f"|units:50 segments || {pair.signature}"
    )


@pytest.mark.parametrize("n", [2, 5, 6])
def test_a_bootstrap_of_too_few_units_says_that_it_knows_no_more_than_shuffles(n):
    scores = np.random.default_rng(n).normal(size=n)
    both = np.array([scores + np.arange(1, n + 1), scores])
    statistics = means(both, systems=["A", "B"])
    drawn = mt.bootstrap_test(statistics, "A", "B", n_resamples=500, rng=1)
    exchanged = mt.approximate_randomization(statistics, "A", "B", exact=True)
    assert drawn.pvalue < 0.05  # which nothing in the data supports if they are fewer than six
    told = any(f"two-sided p below {exchanged.pvalue:g}," in note for note in drawn.notes)
    assert told == (exchanged.pvalue > 0.05) == (n < 6)
    assert "few-differ-bootstrap" not in codes(exchanged.notes)
    (pair,) = mt.compare_all(statistics, test="bootstrap", n_resamples=500, rng=1).table["note"]
    assert ("few-differ-bootstrap" in codes(parts(pair))) == told
