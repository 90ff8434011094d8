"""Several runs per system: sets that change places, the right size, and the two spreads apart."""

import itertools

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.significance.runs import claim_pvalue

from ..messages import printed
from ..small_sets import means, plausible, some_segments


def split(statistics, n_a):
    return {"A": statistics.systems[:n_a], "B": statistics.systems[n_a:]}


def compared(statistics, n_a, *, seed=0, n_resamples=199, **options):
    options |= {"n_resamples": n_resamples, "rng": seed, "bootstrap_resamples": 2}
    return mt.compare_runs(statistics, split(statistics, n_a), **options)


def segment_test(statistics, n_a, **options):
    return compared(statistics, n_a, **options).segment_test


def run_test(statistics, n_a, **options):
    return compared(statistics, n_a, n_resamples=1, **options).run_test


def by_hand(statistics, n_a, alternative):
    """p over all exchanges of the two sets, each run with the one that it changes places with."""
    values, n = statistics.values, statistics.n_segments
    n_runs = len(values)
    # Run k of one with run k of the other, going round until both have come out evenly.
    pairs = [(k % n_a, n_a + k % (n_runs - n_a)) for k in range(np.lcm(n_a, n_runs - n_a))]
    null = []
    for heads in itertools.product((True, False), repeat=n):
        kept = np.array(heads)[:, None]
        parts = [
            statistics.metric.score(np.where(kept, values[a], values[b]).sum(axis=0))
            - statistics.metric.score(np.where(kept, values[b], values[a]).sum(axis=0))
            for a, b in pairs
        ]
        null.append(np.mean(parts))
    null = np.array(null)
    observed = null[0]  # all heads: everything in its place
    if alternative == "two-sided":
        null, observed = np.abs(null), np.abs(observed)
    return (null >= observed - 1e-9).mean()


@pytest.mark.parametrize("metric", ["mean", "BLEU"])
@pytest.mark.parametrize(("n_a", "n_b"), [(1, 1), (2, 2), (3, 3), (1, 2), (4, 2), (3, 2)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_exchanges_of_sets_agree_with_all_written_out(metric, n_a, n_b, alternative):
    def few(n_segments):
        if metric == "BLEU":
            return some_segments(metric, n_segments, 54, n_a + n_b)
        return means(np.random.default_rng(53).normal(size=(n_a + n_b, n_segments)))

    enumerated = segment_test(few(6), n_a, n_resamples=100, alternative=alternative)
    assert enumerated.exact
    assert enumerated.pvalue == by_hand(few(6), n_a, alternative)
    # Of nine segments there are more exchanges than we draw.
    sampled = segment_test(few(9), n_a, n_resamples=200, seed=55, alternative=alternative)
    assert not sampled.exact
    expected = by_hand(few(9), n_a, alternative)
    assert plausible(sampled.count, 200, expected, false_alarm=1e-4)


@pytest.mark.parametrize("metric", ["BLEU", "TER", "chrF", "NIST"])
@pytest.mark.parametrize(("n_a", "n_b"), [(1, 1), (2, 2), (3, 3), (2, 3), (1, 3)])
def test_copies_of_a_pair_are_no_further_evidence(metric, n_a, n_b):
    """The very p of approximate randomization, with the same seed, however many copies."""
    pair = mt.load("wmt12/es-en").statistics(metric).select(["onlineC", "onlineD"])
    for part in (pair, pair.subset(range(9))):
        copies = mt.SufficientStatistics(
            part.metric,
            tuple(f"run{i}" for i in range(n_a + n_b)),
            np.repeat(part.values, [n_a, n_b], axis=0),
        )
        options = {"n_resamples": 600, "rng": 77}
        once = mt.approximate_randomization(part, *part.systems, **options)
        again = mt.compare_runs(copies, split(copies, n_a), **options).segment_test
        assert again.pvalue == once.pvalue
        for name in ("count", "exact", "n_differing"):
            assert getattr(again, name) == getattr(once, name)


def test_unequal_numbers_of_runs_are_told_of():
    runs = means(np.random.default_rng(80).normal(size=(4, 30)))
    of_three, of_two = (segment_test(runs, n).notes for n in (3, 2))
    assert of_three[-1].code == "unequal-runs"
    assert (of_three[-1].values["a"], of_three[-1].values["b"]) == (3, 1)
    assert "3 against" not in str(of_two)


@pytest.mark.slow
def test_only_the_runs_test_holds_its_size_where_runs_vary():
    """Runs of one method that differ in quality: segments take them for two methods."""
    rng = np.random.default_rng(59)
    repeats, by_segment, by_run = 300, 0, 0
    for k in range(repeats):
        quality = rng.normal(0, 0.3, size=(6, 1))
        runs = means(rng.normal(quality, 1.0, size=(6, 60)))
        by_segment += segment_test(runs, 3, seed=k).pvalue <= 0.05
        by_run += run_test(runs, 3).pvalue <= 0.1
    assert by_segment > stats.binom.ppf(0.9995, repeats, 0.1)
    assert plausible(by_run, repeats, 0.1, false_alarm=1e-3)


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (3, 3), (2, 4), (5, 5)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_permuted_runs_agree_with_scipy(n_a, n_b, alternative):
    rng = np.random.default_rng(60)
    runs = means(rng.normal(size=(n_a + n_b, 12)))
    ours = run_test(runs, n_a, alternative=alternative)
    scores = runs.metric.score(runs.totals())

    def difference(a, b, axis):
        # Absolute where two-sided: SciPy doubles the smaller tail, which differs for n_a != n_b.
        d = a.mean(axis=axis) - b.mean(axis=axis)
        return np.abs(d) if alternative == "two-sided" else d

    scipys = stats.permutation_test(
        (scores[:n_a], scores[n_a:]),
        difference,
        n_resamples=np.inf,
        vectorized=True,
        alternative="greater" if alternative == "two-sided" else alternative,
    )
    assert ours.pvalue == pytest.approx(scipys.pvalue)
    assert ours.exact


def test_three_runs_against_three_make_twenty_arrangements():
    clear = means(np.arange(6)[::-1, None] + np.zeros((6, 4)))
    result = mt.compare_runs(clear, split(clear, 3), n_resamples=200, rng=61)
    assert result.run_test.n_resamples == 20
    assert result.run_test.pvalue == 0.1
    (bound,) = printed(result.sentence, "arrangements-of-runs")
    assert bound["smallest"] == "0.1"
    assert run_test(clear, 3, alternative="greater").pvalue == 0.05


def test_real_runs():
    """MultEval's example; its README prints scores and spreads to one decimal."""
    reported = {"baseline": (18.5, 0.3, 0.1), "sys1": (18.8, 0.3, 0.3)}
    runs = {system: [f"{system}.opt{i}" for i in range(3)] for system in reported}
    bleu = mt.load("multeval/en").statistics("BLEU")
    result = mt.compare_runs(bleu, runs, n_resamples=1000, rng=62)
    for row in result.to_frame().itertuples():
        figures = (round(row.score, 1), round(row.s_sel, 1), round(row.s_opt, 1))
        assert figures == reported[row.system]
    assert result.statistic == pytest.approx(result.spreads[0].score - result.spreads[1].score)
    # The very point of several runs: what segments call certain, three runs do not show.
    assert result.segment_test.pvalue < 0.05
    assert result.run_test.pvalue > 0.1
    assert len(printed(result.sentence, "these-runs")) == 1


def test_spreads_are_those_of_the_definition():
    runs, n = means(np.random.default_rng(64).normal(size=(5, 400))), 4000
    result = mt.compare_runs(runs, split(runs, 3), n_resamples=10, bootstrap_resamples=n, rng=65)
    for spread, rows in zip(result.spreads, (slice(0, 3), slice(3, 5)), strict=True):
        scores = runs.values[rows, :, 0]
        assert spread.s_opt == pytest.approx(scores.mean(axis=1).std(ddof=1))
        expected = (scores.std(axis=1) / np.sqrt(400)).mean()
        assert spread.s_sel == pytest.approx(expected, rel=5 / np.sqrt(2 * n))


# A claim about the methods


def luck_and_runs(shared, own, scatter, r=5, n=100, seed=1, skewed=False):
    """Runs of two equally good methods, from the spreads of what segments and runs contribute."""
    rng = np.random.default_rng(seed)
    luck = rng.exponential(size=(2, n)) - 1 if skewed else rng.normal(size=(2, n))
    luck = np.repeat(luck * [[shared], [0.0]], r, axis=0)
    runs = rng.normal(0, 1, size=2 * r) * np.repeat(scatter, r)
    return means(luck + rng.normal(0, own, size=(2 * r, n)) + runs[:, None])


def of_methods(runs, n_a, alternative="two-sided"):
    return claim_pvalue(runs, n_a, alternative)


def test_where_only_runs_vary_it_is_welchs_t():
    """Segments alike for all runs: nothing is shared that the spread between runs does not have."""
    scores = np.random.default_rng(4).normal(size=8)
    runs = means(np.repeat(scores[:, None], 2000, axis=1))
    for alternative in ("two-sided", "greater", "less"):
        t = stats.ttest_ind(scores[:4], scores[4:], equal_var=False, alternative=alternative)
        assert of_methods(runs, 4, alternative) == pytest.approx(t.pvalue, rel=2e-3)


@pytest.mark.parametrize("n_a", [2, 3, 5])
def test_with_unequal_numbers_of_runs_either_spread_has_a_t_of_its_own(n_a):
    """Behrens and Fisher's sum of two t, drawn, where only runs vary."""
    scores = np.random.default_rng(n_a).normal(size=8)
    scores[:n_a] += 1.5
    runs = means(np.repeat(scores[:, None], 2000, axis=1))
    one, other = scores[:n_a], scores[n_a:]
    rng = np.random.default_rng(6)
    drawn = np.zeros(400_000)
    for side in (one, other):
        error = side.std(ddof=1) / np.sqrt(len(side))
        drawn += error * rng.standard_t(len(side) - 1, len(drawn))
    difference = one.mean() - other.mean()
    far = {
        "two-sided": np.abs(drawn) >= abs(difference),
        "greater": drawn >= difference,
        "less": drawn <= difference,
    }
    for alternative, reached in far.items():
        expected = reached.mean()
        found = of_methods(runs, n_a, alternative)
        assert found == pytest.approx(expected, abs=5 * np.sqrt(0.25 / len(drawn)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_a", "n_b", "spreads"),
    [
        (8, 2, (0.1, 0.4)),
        (2, 8, (0.4, 0.1)),
        (5, 2, (0.1, 0.4)),
        (10, 3, (0.1, 0.4)),
        (10, 2, (0.2, 0.2)),
        (8, 2, (0.0, 0.0)),
    ],
)
@pytest.mark.parametrize("shared", [0.0, 0.7])
def test_size_with_unequal_numbers_of_runs(n_a, n_b, spreads, shared):
    """.05 or less, but for the luck of 250 draws (.06 is allowed where three runs scatter)."""
    rng = np.random.default_rng(31)
    claims = 0
    for _ in range(250):
        sides = []
        for n_runs, spread in ((n_a, spreads[0]), (n_b, spreads[1])):
            luck = shared * rng.normal(size=100)
            run = spread * rng.normal(size=(n_runs, 1))
            sides.append(luck + run + 0.7 * rng.normal(size=(n_runs, 100)))
        claims += of_methods(means(np.concatenate(sides)), n_a) <= 0.05
    assert claims <= stats.binom.isf(1e-3, 250, 0.06 if n_b == 3 else 0.05)


def test_where_only_segments_vary_it_is_the_paired_t_test():
    one, other = np.random.default_rng(5).normal([[0.4], [0.0]], size=(2, 40))
    copies = means(np.repeat([one, other], 3, axis=0))
    assert of_methods(copies, 3) == pytest.approx(stats.ttest_rel(one, other).pvalue, rel=1e-6)


def test_it_is_the_chance_that_two_t_together_reach_as_far():
    """Both parts computed otherwise, from mean squares; the sum of the two t drawn."""
    runs = luck_and_runs(1.0, 0.5, (0.1, 0.2), r=3, n=60, seed=3)
    x = runs.segment_scores().reshape(2, 3, 60)
    by_runs = x.mean(axis=2).var(axis=1, ddof=1) / 3
    of_both = x.mean(axis=1)
    rest = x - of_both[:, None] - x.mean(axis=2, keepdims=True) + x.mean(axis=(1, 2))[:, None, None]
    shared = (of_both[0] - of_both[1]).var(ddof=1) / 60
    shared -= (rest**2).sum() / (2 * 59 * 3 * 60)
    freedom = by_runs.sum() ** 2 / (by_runs**2 / 2).sum()
    rng = np.random.default_rng(6)
    spread = by_runs.sum() * freedom / rng.chisquare(freedom, 400_000)
    drawn = rng.standard_t(59, 400_000) * np.sqrt(shared + spread)
    expected = (np.abs(drawn) >= abs(x[0].mean() - x[1].mean())).mean()
    assert of_methods(runs, 3) == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 400_000))


def test_of_a_method_and_itself_p_is_1_and_a_single_run_says_nothing():
    half = np.random.default_rng(9).normal(size=(3, 30))
    assert compared(means(np.tile(half, (2, 1))), 3).pvalue == 1
    alone = compared(means(half), 1)
    assert alone.pvalue is None
    assert "single run" in alone.sentence
    # Methods that differ everywhere by as much, in all runs: there is nothing to judge that by.
    assert of_methods(means(np.repeat([[1.0], [0.0]], 2, axis=0) + np.zeros((4, 6))), 2) is None


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spreads",
    [
        {"shared": 1.0, "own": 0.0, "scatter": (0.07, 0.07)},  # half of the variance each
        {"shared": 1.0, "own": 1.0, "scatter": (0.0, 0.0)},  # nothing but segments
        {"shared": 0.0, "own": 0.5, "scatter": (0.2, 0.2)},  # nothing but runs
        {"shared": 0.5, "own": 0.5, "scatter": (0.05, 0.2)},
        {"shared": 1.0, "own": 0.5, "scatter": (0.1, 0.1), "skewed": True},
    ],
)
@pytest.mark.parametrize("r", [2, 3, 5])
def test_claims_about_methods_err_no_more_often_than_they_may(r, spreads):
    """With one method that scatters four times as far, Welch's t itself errs in .06 with three."""
    repeats, unequal = 1500, len(set(spreads["scatter"])) > 1
    errs = sum(of_methods(luck_and_runs(**spreads, r=r, seed=k), r) <= 0.05 for k in range(repeats))
    assert 3 < errs < stats.binom.ppf(0.999, repeats, 0.065 if unequal else 0.05)


def test_documents_are_exchanged_as_wholes():
    runs, labels = means(np.random.default_rng(70).random((4, 60))), np.repeat(np.arange(12), 5)
    result = segment_test(runs, 2, units=labels)
    assert result.n_units == 12
    assert result.pvalue == segment_test(runs.by_unit(labels), 2).pvalue


@pytest.mark.slow
def test_unequal_numbers_of_runs_are_exact_where_differences_are_symmetric():
    """As normal differences are."""
    rng = np.random.default_rng(80)
    rejected = 0
    for k in range(500):
        shared = rng.normal(size=(2, 30))
        scores = np.concatenate([shared[[0, 0, 0]], shared[[1]]]) + rng.normal(size=(4, 30))
        rejected += segment_test(means(scores), 3, seed=k).pvalue <= 0.05
    assert plausible(rejected, 500, 0.05)
