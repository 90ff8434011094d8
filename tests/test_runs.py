"""Several runs per system: true partitions, the right size, and the two spreads apart."""

import functools
import itertools

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.counting import Counting
from mtsig_nb.metrics import BLEU, SegmentMean
from mtsig_nb.resampling import Resampling
from mtsig_nb.runs import _run_test, _segment_test
from mtsig_nb.tukey import permuted_scores, random_permutations

SYSTEMS = ("baseline", "sys1", "sys2")
RUNS = {system: [f"{system}.opt{i}" for i in range(3)] for system in SYSTEMS}


@pytest.fixture(scope="module")
def bleu():
    return mt.load("multeval/en").statistics("BLEU")


def mean_of(scores, **details):
    """Statistics of runs whose segment scores are the rows of `scores`."""
    scores = np.asarray(scores, dtype=float)
    return mt.SufficientStatistics(
        SegmentMean(label="COMET", **details),
        tuple(f"run{i}" for i in range(len(scores))),
        np.stack([scores, np.ones_like(scores)], axis=-1),
    )


def split(n_a, n_b):
    names = [f"run{i}" for i in range(n_a + n_b)]
    return {"A": names[:n_a], "B": names[n_a:]}


def segment_pvalue(statistics, n_a, *, n_resamples=199, seed=0, alternative="two-sided"):
    return _segment_test(
        statistics,
        ("A", "B"),
        n_a,
        alternative=alternative,
        rule=Counting(),
        n_resamples=n_resamples,
        seed=seed,
    ).pvalue


@pytest.mark.parametrize("runs", [1, 2, 3, 4, 5])
def test_every_shuffle_is_a_partition(runs):
    """Each of a segment's outputs is in one place, whatever the number of runs."""
    n = 2 * runs
    slots = random_permutations(200, 30, n, seed=runs)
    np.testing.assert_array_equal(
        np.sort(slots, axis=0), np.broadcast_to(np.arange(n)[:, None, None], slots.shape)
    )
    # Then the pseudo-runs' means add up to what the runs' do, in every shuffle.
    statistics = mean_of(np.random.default_rng(runs).random((n, 30)))
    nobody = np.empty(0, dtype=np.intp)
    plan = Resampling.of("shuffle", [statistics], (nobody, nobody), n_resamples=700, seed=51)
    for block in plan.blocks:
        for (scores,) in permuted_scores(plan, block):
            np.testing.assert_allclose(scores.sum(axis=0), statistics.scores().sum())


@pytest.mark.parametrize("n", [2, 3, 4])
def test_permutations_are_uniform(n):
    """All n! equally likely: chi-squared, false alarm in one of 10,000."""
    slots = random_permutations(1, 24_000, n, seed=52)[:, 0]
    _, counts = np.unique(slots, axis=1, return_counts=True)
    assert len(counts) == len(list(itertools.permutations(range(n))))
    assert stats.chisquare(counts).pvalue > 1e-4


def bleu_like(n_runs, n_segments, seed):
    """Statistics of BLEU that could be real, from counts that nest."""
    rng = np.random.default_rng(seed)
    length = rng.integers(6, 12, size=(n_runs, n_segments))
    matches = [length]
    for order in range(4):
        matches.append(rng.binomial(np.maximum(matches[-1] - (order > 0), 0), 0.8))
    totals = [np.maximum(length - order, 0) for order in range(4)]
    reference = np.broadcast_to(rng.integers(6, 12, size=n_segments), length.shape)
    values = np.stack([length, reference, *matches[1:], *totals], axis=-1)
    return mt.SufficientStatistics(BLEU(), tuple(f"run{i}" for i in range(n_runs)), values)


@pytest.mark.parametrize("statistics", [mean_of, bleu_like], ids=["mean", "BLEU"])
@pytest.mark.parametrize(("n_a", "n_b"), [(1, 1), (2, 2), (1, 2), (2, 1)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_shuffles_agree_with_all_arrangements(statistics, n_a, n_b, alternative):
    """Every permutation of every segment's outputs, written out; 3 segments, at most 24**3."""
    n = n_a + n_b
    if statistics is mean_of:
        few = mean_of(np.random.default_rng(53).normal(size=(n, 3)))
    else:
        few = bleu_like(n, 3, seed=54)
    orders = [list(order) for order in itertools.permutations(range(n))]
    shuffled = np.stack([few.values[order] for order in orders])  # (n!, runs, segments, counts)
    sums = functools.reduce(
        lambda done, segment: (done[:, None] + shuffled[None, :, :, segment]).reshape(
            -1, *done.shape[1:]
        ),
        range(3),
        np.zeros((1, n, few.values.shape[-1])),
    )
    scores = few.metric.score(sums)
    null = scores[:, :n_a].mean(axis=1) - scores[:, n_a:].mean(axis=1)
    observed = few.metric.score(few.totals())
    observed = observed[:n_a].mean() - observed[n_a:].mean()
    if alternative == "two-sided":
        null, observed = np.abs(null), np.abs(observed)
    exact = (null >= observed - 1e-9).mean()
    n_resamples = 20_000
    p = segment_pvalue(few, n_a, n_resamples=n_resamples, seed=55, alternative=alternative)
    assert abs(p - exact) < 5 * np.sqrt(max(exact * (1 - exact), 1e-4) / n_resamples)


def test_one_run_each_is_approximate_randomization(bleu):
    pair = ("baseline.opt0", "sys1.opt0")
    n = 4000
    shuffled = segment_pvalue(bleu.select(pair), 1, n_resamples=n, seed=56)
    exchanged = mt.approximate_randomization(bleu, *pair, n_resamples=n, rng=57).pvalue
    assert abs(shuffled - exchanged) < 5 * np.sqrt(2 * exchanged * (1 - exchanged) / n)


def test_size_under_an_exact_null(bleu):
    """Six real outputs, dealt out afresh per segment: 5 % of 400 sets are to be rejected.

    With 199 shuffles and (c+1)/(R+1) the size is 0.05 exactly up to ties.  The number of
    rejections must lie between the 0.0005 and 0.9995 quantiles of its binomial distribution: one
    false alarm in a thousand.
    """
    real = bleu.select([*RUNS["baseline"], *RUNS["sys1"]]).subset(range(150))
    repeats, rejected = 400, 0
    slots = random_permutations(repeats, 150, 6, seed=58)
    for k in range(repeats):
        values = np.take_along_axis(real.values, slots[:, k, :, None].astype(int), axis=0)
        null = mt.SufficientStatistics(real.metric, real.systems, values)
        rejected += segment_pvalue(null, 3, seed=k) <= 0.05
    low, high = stats.binom.ppf([0.0005, 0.9995], repeats, 0.05)
    assert low <= rejected <= high


def test_only_the_runs_test_holds_its_size_where_runs_vary():
    """Runs of one method that differ in quality: shuffled segments take them for two methods.

    Binomial limits as above.
    """
    rng = np.random.default_rng(59)
    repeats, by_segment, by_run = 300, 0, 0
    for k in range(repeats):
        quality = rng.normal(0, 0.3, size=(6, 1))
        runs = mean_of(rng.normal(quality, 1.0, size=(6, 60)))
        by_segment += segment_pvalue(runs, 3, seed=k) <= 0.05
        run_test = _run_test(runs, ("A", "B"), 3, alternative="two-sided", rule=Counting())
        by_run += run_test.pvalue <= 0.1
    assert by_segment > stats.binom.ppf(0.9995, repeats, 0.1)
    low, high = stats.binom.ppf([0.0005, 0.9995], repeats, 0.1)
    assert low <= by_run <= high


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (3, 3), (2, 4), (5, 5)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_permuted_runs_agree_with_scipy(n_a, n_b, alternative):
    rng = np.random.default_rng(60)
    runs = mean_of(rng.normal(size=(n_a + n_b, 12)))
    ours = _run_test(runs, ("A", "B"), n_a, alternative=alternative, rule=Counting())
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


def test_three_runs_against_three_make_twenty_arrangements(bleu):
    clear = mean_of(np.arange(6)[::-1, None] + np.zeros((6, 4)))
    result = mt.compare_runs(clear, split(3, 3), n_resamples=200, rng=61)
    assert result.run_test.n_resamples == 20
    assert result.run_test.pvalue == 0.1
    assert "no p-value over runs can be below 0.1" in result.sentence
    one_sided = mt.compare_runs(clear, split(3, 3), alternative="greater", rng=61, n_resamples=200)
    assert one_sided.run_test.pvalue == 0.05


def test_real_runs(bleu):
    """MultEval's example; its README prints scores and spreads to one decimal."""
    printed = {"baseline": (18.5, 0.3, 0.1), "sys1": (18.8, 0.3, 0.3)}
    runs = {system: RUNS[system] for system in printed}
    result = mt.compare_runs(bleu, runs, n_resamples=1000, rng=62)
    for row in result.to_frame().itertuples():
        figures = (round(row.score, 1), round(row.s_sel, 1), round(row.s_opt, 1))
        assert figures == printed[row.system]
    assert result.statistic == pytest.approx(result.spreads[0].score - result.spreads[1].score)
    # The very point of several runs: what segments call certain, three runs do not show.
    assert result.segment_test.pvalue < 0.01
    assert result.run_test.pvalue > 0.1
    assert "does not reckon with the spread between runs" in result.sentence


def test_a_copy_is_indistinguishable(bleu):
    runs = {"baseline": RUNS["baseline"], "sys2": RUNS["sys2"]}
    result = mt.compare_runs(bleu, runs, n_resamples=500, rng=63)
    assert result.segment_test.pvalue == result.run_test.pvalue == 1.0
    assert result.statistic == 0
    assert result.segment_test.conclusion() == "indistinguishable"
    assert result.spreads[0].s_opt == result.spreads[1].s_opt


def test_spreads_are_those_of_the_definition(bleu):
    rng = np.random.default_rng(64)
    runs = mean_of(rng.normal(size=(5, 400)))
    n = 4000
    result = mt.compare_runs(runs, split(3, 2), n_resamples=10, bootstrap_resamples=n, rng=65)
    for spread, rows in zip(result.spreads, (slice(0, 3), slice(3, 5)), strict=True):
        scores = runs.values[rows, :, 0]
        assert spread.s_opt == pytest.approx(scores.mean(axis=1).std(ddof=1))
        expected = (scores.std(axis=1) / np.sqrt(400)).mean()
        assert spread.s_sel == pytest.approx(expected, rel=5 / np.sqrt(2 * n))


def test_a_penalty_is_a_score_upside_down():
    rng = np.random.default_rng(66)
    scores = rng.normal([[0.3], [0.3], [0], [0]], 1, size=(4, 50))
    results = [
        mt.compare_runs(s, split(2, 2), alternative="greater", n_resamples=500, rng=67)
        for s in (mean_of(scores), mean_of(-scores, larger_is_better=False))
    ]
    assert results[0].statistic == results[1].statistic
    assert results[0].segment_test.count == results[1].segment_test.count
    assert results[0].run_test.count == results[1].run_test.count


def test_a_single_run_has_no_spread_between_runs():
    rng = np.random.default_rng(68)
    result = mt.compare_runs(mean_of(rng.random((2, 60))), split(1, 1), n_resamples=100, rng=69)
    assert np.isnan(result.spreads[0].s_opt)
    assert "unknown from a single run" in result.sentence
    assert "mixes the runs" not in result.sentence
    assert result.run_test.pvalue == 1.0


def test_documents_are_exchanged_as_wholes():
    rng = np.random.default_rng(70)
    runs = mean_of(rng.random((4, 60)))
    labels = np.repeat(np.arange(12), 5)
    result = mt.compare_runs(runs, split(2, 2), units=labels, n_resamples=300, rng=71)
    again = mt.compare_runs(runs.by_unit(labels), split(2, 2), n_resamples=300, rng=71)
    assert result.segment_test.n_units == 12
    assert result.segment_test.pvalue == again.segment_test.pvalue


def test_the_result_does_not_depend_on_workers():
    from concurrent.futures import ThreadPoolExecutor

    runs = mean_of(np.random.default_rng(72).random((4, 40)))
    options = {"n_resamples": 1600, "bootstrap_resamples": 600, "rng": 73}
    alone = mt.compare_runs(runs, split(2, 2), **options)
    with ThreadPoolExecutor(2) as executor:
        shared = mt.compare_runs(runs, split(2, 2), executor=executor, **options)
    np.testing.assert_array_equal(
        alone.segment_test.null_distribution, shared.segment_test.null_distribution
    )
    assert alone.sentence == shared.sentence


def test_it_shows_itself():
    runs = mean_of(np.random.default_rng(74).random((4, 40)))
    result = mt.compare_runs(
        runs, {"<b>": ["run0", "run1"], "B": ["run2", "run3"]}, n_resamples=100, rng=75
    )
    assert "&lt;b&gt;" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
    assert repr(result) == result.sentence
    assert "|n:100|rng:75|" in result.segment_test.signature
    assert "|exact:6|units:4 runs" in result.run_test.signature
    assert "test set" in repr(result)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({"A": ["run0"]}, "exactly two systems, .* not 1"),
        ({"A": ["run0"], "B": ["run1"], "C": ["run2"]}, "not 3"),
        ({"A": ["run0"], "B": []}, "one run or more for 'B'"),
        ({"A": "run0", "B": ["run1"]}, "one run or more for 'A', not 'run0'"),
        ({"A": ["run0", "run1"], "B": ["run1"]}, "'run1' is given more than once"),
        ({"A": ["run0"], "B": ["rnu1"]}, "Did you mean 'run1'"),
    ],
)
def test_misused(runs, message):
    with pytest.raises(mt.InputError, match=message):
        mt.compare_runs(mean_of(np.ones((3, 5))), runs)


def test_too_many_runs_to_enumerate():
    with pytest.raises(mt.InputError, match="at most 20"):
        mt.compare_runs(mean_of(np.ones((22, 5))), split(11, 11))
