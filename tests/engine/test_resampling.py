"""Weights, sums and executors: the same numbers, whoever computes them."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import pickle
import tracemalloc
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import InputError
from mtsig_nb.engine import resampling
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import (
    BLOCK,
    ENTRIES_AT_ONCE,
    Packed,
    Resampling,
    bootstrap_counts,
    map_blocks,
    raw_words,
    seed_from,
    swap_masks,
)
from mtsig_nb.engine.tallies import PAIR
from mtsig_nb.engine.tukey import random_permutations
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.statistics.sufficient import pair_indices

from ..messages import naming
from ..small_sets import means, real

#: A right generator fails a goodness-of-fit test here once in a million seeds.
FALSE_ALARM = 1e-6


def digest(array: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).astype("<i8").tobytes()).hexdigest()[:16]


# Weights


@pytest.mark.parametrize(("n", "n_units"), [(20_000, 5), (20_000, 7), (2000, 100), (2, 70_000)])
def test_bootstrap_draws_every_unit_equally_often(n, n_units):
    counts = bootstrap_counts(n, n_units, seed=11)
    assert (counts.sum(axis=1) == n_units).all()
    assert stats.chisquare(counts.sum(axis=0)).pvalue > FALSE_ALARM


@pytest.mark.parametrize("n_units", [1, 64, 100])
def test_masks_are_fair_coins(n_units):
    masks = swap_masks(4000, n_units, seed=4)
    assert set(np.unique(masks)) == {0, 1}
    heads = int(masks.sum())
    assert stats.binomtest(heads, masks.size).pvalue > FALSE_ALARM
    per_unit = stats.chi2.sf(((masks.sum(axis=0) - 2000) ** 2 / 1000).sum(), n_units)
    assert per_unit > FALSE_ALARM


def test_masks_of_neighbouring_units_and_resamples_are_independent():
    masks = swap_masks(4000, 65, seed=6).astype(int)
    for pairs in (2 * masks[:, 1:] + masks[:, :-1], 2 * masks[1:] + masks[:-1]):
        assert stats.chisquare(np.bincount(pairs.ravel(), minlength=4)).pvalue > FALSE_ALARM


def test_permutations_are_uniform():
    slots = random_permutations(6000, 1, 3, seed=7)[:, :, 0].T
    kinds = list(itertools.permutations(range(3)))
    seen = [int((slots == kind).all(axis=1).sum()) for kind in kinds]
    assert sum(seen) == 6000
    assert stats.chisquare(seen).pvalue > FALSE_ALARM


def test_blocks_share_no_draws():
    plan = plan_of("bootstrap", n_resamples=3 * BLOCK)
    blocks = [plan.weights(k) for k in range(3)]
    assert len(np.unique(np.concatenate(blocks), axis=0)) == 3 * BLOCK
    correlation = np.corrcoef([block.ravel() for block in blocks])
    assert np.abs(correlation - np.eye(3)).max() < 0.01


def test_the_stream_is_as_it_was_pinned_to_itself():
    """A change of any of these changes everybody's numbers: it needs a line in the changelog."""
    assert digest(raw_words(2014, (0,), 8).view(np.int64)) == "6e0a29a6d20345f2"
    assert digest(swap_masks(5, 100, seed=2014)) == "bcb70ab0bcbc243c"
    assert digest(bootstrap_counts(5, 100, seed=2014)) == "4c3e57b0e6e1f4a3"
    assert digest(random_permutations(5, 10, 4, seed=2014)) == "ebe430efb1d75a92"
    assert BLOCK == 500


# Parts


def all_of(plan) -> list[bytes]:
    found = [plan.weights(block) for block in plan.blocks]
    for block in plan.blocks:
        found += plan.differences(block)
    if plan.kind == "bootstrap":
        found += plan.scores(0)
    return [array.tobytes() + str(array.dtype).encode() for array in found]


@pytest.mark.parametrize("n_units", [1, 2, 63, 65, 1001])
@pytest.mark.parametrize("kind", ["shuffle", "bootstrap", "strata", "studentized"])
def test_the_size_of_parts_changes_no_weight_and_no_sum(monkeypatch, kind, n_units):
    rng = np.random.default_rng(n_units)
    if kind == "strata":
        n_units += 5
    statistics = means(rng.normal(size=(3, n_units)).round(3))
    if kind == "strata":
        statistics = dataclasses.replace(statistics, strata=np.arange(n_units) % 3)
    options = {"n_resamples": BLOCK + 7, "seed": 8, "studentized": kind == "studentized"}
    drawing = "shuffle" if kind == "shuffle" else "bootstrap"
    found = []
    for entries in (1, 2 * n_units, 7 * n_units, 10**9):
        monkeypatch.setattr(resampling, "ENTRIES_AT_ONCE", entries)
        monkeypatch.setattr(resampling, "BYTES_KEPT", 0)
        found.append(all_of(Resampling.of(drawing, [statistics], [pair_indices(3)], **options)))
    assert all(parts == found[-1] for parts in found)


@pytest.mark.takes_time
@pytest.mark.parametrize("kind", ["shuffle", "bootstrap", "strata"])
def test_a_block_of_many_units_takes_little_more_memory_than_its_statistics(kind):
    """A whole block of 200,000 units would be 400 MB of raw words, and 400 MB of counts."""
    n_units = 200_000
    statistics = means(np.random.default_rng(1).normal(size=(2, n_units)).round(3))
    if kind == "strata":
        statistics = dataclasses.replace(statistics, strata=np.arange(n_units) % 3)
    drawing = "shuffle" if kind == "shuffle" else "bootstrap"
    plan = Resampling.of(drawing, [statistics], [pair_indices(2)], n_resamples=BLOCK, seed=1)
    tracemalloc.start()
    try:
        plan.differences(0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 32 * ENTRIES_AT_ONCE


# Seeds


@pytest.mark.parametrize("rng", [-1, True, 1.5, "seven", np.random.RandomState(0)])
def test_what_is_not_a_seed_is_refused(rng):
    with pytest.raises(InputError, match=naming(f"rng={rng!r} ", "seed", "Generator")):
        seed_from(rng)


@pytest.mark.parametrize("n", [0, 2.5, True, None, 10**20])
def test_number_of_resamples_is_checked(n):
    with pytest.raises(InputError, match=naming(f"n_resamples={n} ", " 1 to 1")):
        plan_of("shuffle", n_resamples=n)


# Sums


def plan_of(kind, statistics=None, *, n_resamples=2 * BLOCK + 100, n_systems=4, seed=1):
    statistics = statistics or [real().select(real().systems[:n_systems])]
    pairs = [pair_indices(len(of_metric.systems)) for of_metric in statistics]
    return Resampling.of(kind, statistics, pairs, n_resamples=n_resamples, seed=seed)


def test_sums_are_exact_where_single_precision_would_not_be():
    values = np.zeros((2, 1001, 2))
    values[..., 0] = np.arange(2 * 1001).reshape(2, 1001) * 1000 + 1
    values[..., 1] = 1
    statistics = mt.SufficientStatistics(mt.metrics.get("TER"), ["a", "b"], values)
    packed = Packed.of(statistics, "shuffle")
    masks = swap_masks(20, 1001, seed=1)
    more = np.subtract(*values.astype(np.int64)[::-1, :, 0])  # than the first system
    exact = masks.astype(np.int64) @ more
    assert exact.max() > 2**24
    got = packed.sums(masks.astype(packed.matrix.dtype))[packed.row_of[0, 1]]
    assert (got == exact).all()


@pytest.mark.parametrize("metric", ["BLEU", "NIST"])
def test_weighted_scores_are_those_of_repeated_segments(metric):
    statistics = real(metric).select(real(metric).systems[:3])
    plan = plan_of("bootstrap", [statistics])
    scores = plan.scores(0)[0]
    for r in (0, 1, 17):
        repeated = np.repeat(np.arange(statistics.n_segments), plan.weights(0)[r])
        expected = statistics.subset(repeated).scores()[list(statistics.systems)]
        np.testing.assert_allclose(scores[:, r], expected, rtol=1e-13)


@pytest.mark.parametrize("metric", ["BLEU", "TER"])
def test_shuffled_scores_are_those_of_exchanged_outputs(metric):
    statistics = real(metric).select(real(metric).systems[:3])
    plan = plan_of("shuffle", [statistics])
    differences = plan.differences(0)[0]
    masks = plan.weights(0)
    for r, pair in itertools.product((0, 5), range(3)):
        a, b = (statistics.values[side[pair]] for side in plan.pairs[0])
        kept = masks[r][:, None] == 1
        score = statistics.metric.score
        pseudo_a, pseudo_b = np.where(kept, a, b).sum(axis=0), np.where(kept, b, a).sum(axis=0)
        expected = statistics.metric.direction * (score(pseudo_a) - score(pseudo_b))
        np.testing.assert_allclose(differences[pair, r], expected, rtol=1e-10, atol=1e-12)


# Executors


def all_bytes(plan, **options) -> list[bytes]:
    return [block[0].tobytes() for block in map_blocks(plan, Resampling.differences, **options)]


@pytest.mark.takes_time
def test_no_order_length_or_worker_changes_a_byte():
    plan = plan_of("shuffle", n_resamples=24 * BLOCK + 7, n_systems=3)
    serial = all_bytes(plan)
    backwards = [plan.differences(k)[0].tobytes() for k in reversed(plan.blocks)]
    assert backwards[::-1] == serial
    longer = plan_of("shuffle", n_resamples=30 * BLOCK, n_systems=3)
    assert [longer.differences(k)[0].tobytes() for k in range(3)] == serial[:3]
    for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
        with kind(2) as executor:
            assert all_bytes(plan, executor=executor) == serial


@pytest.fixture
def dask_client():
    """Dask's client of two workers, each with two gigabytes."""
    distributed = pytest.importorskip("distributed", reason="Dask is an optional extra")
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit="2GB",
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.mark.thorough
def test_a_dask_cluster_makes_the_same_bytes(dask_client):
    plan = plan_of("shuffle", n_resamples=24 * BLOCK + 7, n_systems=3)
    expected = all_bytes(plan)
    assert all_bytes(plan, executor=dask_client) == expected
    assert all_bytes(plan, executor=dask_client.get_executor()) == expected


@pytest.mark.thorough
def test_tests_and_intervals_on_a_dask_cluster_are_those_of_one_process(dask_client):
    bleu = mt.load("wmt12/es-en").statistics("BLEU")
    bleu = bleu.select(bleu.systems[:4])
    for options in ({}, {"test": "bootstrap"}, {"n_resamples": None}):
        here = mt.compare_all(bleu, **{"n_resamples": 2000, **options}, rng=1)
        there = mt.compare_all(
            bleu, **{"n_resamples": 2000, **options}, rng=1, executor=dask_client
        )
        pd.testing.assert_frame_equal(here.table, there.table, check_exact=True)
        pd.testing.assert_frame_equal(
            here.score_intervals["BLEU"], there.score_intervals["BLEU"], check_exact=True
        )


def test_statistics_travel_to_dasks_workers_once():
    """What goes with a task is a reference to the plan, and a number."""
    sent = []

    class Client:
        def scatter(self, plan, **_):
            sent.append(plan)
            return "reference"

        def map(self, work, plans, blocks, **_):
            assert set(plans) == {"reference"}
            futures = []
            for block in blocks:
                future = Future()
                future.set_result(work(*sent, block))
                futures.append(future)
            return futures

    plan = plan_of("shuffle", n_resamples=3 * BLOCK, n_systems=3)
    assert all_bytes(plan, executor=Client()) == all_bytes(plan)
    assert sent == [plan]


@pytest.mark.parametrize("test", ["bootstrap", "studentized-bootstrap", "sign-flip"])
def test_what_arrives_at_an_odd_address_is_not_copied_by_every_product(test):
    procedure = PROCEDURES[test]
    plan = Resampling.of(
        procedure.kind,
        [means(np.random.default_rng(3).normal(size=(2, 50)))],
        [PAIR],
        n_resamples=BLOCK,
        seed=1,
        studentized=procedure.studentized,
        linearised=procedure.linearises,
    )
    arrays = []
    pickled = pickle.dumps(plan, protocol=5, buffer_callback=arrays.append)
    sent = []
    for array in arrays:
        message = np.frombuffer(b"-" + bytes(array), dtype=np.uint8)
        sent.append(message[1:])
    arrived = pickle.loads(pickled, buffers=sent)
    for factor in (*arrived.statistics, *arrived.studentizers):
        assert factor.matrix.flags.aligned
    np.testing.assert_array_equal(arrived.differences(0), plan.differences(0), strict=True)


@pytest.mark.thorough
def test_ten_million_segments_on_two_workers_of_two_gigabytes(dask_client):
    """The same bytes as in one process, of which only a block is compared, for want of time."""
    n_segments = 10**7
    scores = np.random.default_rng(0).normal(size=(2, n_segments))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    del scores
    given = mt.SufficientStatistics(SegmentMean(), ("A", "B"), values)
    plan = Resampling.of("shuffle", [given], [PAIR], n_resamples=2 * BLOCK, seed=1)
    first, _ = all_bytes(plan, executor=dask_client)
    assert first == plan.differences(0)[0].tobytes()
    for peak in dask_client.run(peak_memory_in_kilobytes).values():
        assert peak < 2e9 / 1024


def peak_memory_in_kilobytes() -> int:
    """The most memory that this process has had, or on Linux the one that started it before."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.parametrize("kind", ["shuffle", "bootstrap"])
def test_scores_of_which_sums_would_not_be_exact_get_a_coarser_grid(kind):
    """Eight numbers of 2**18 are 2**53 steps of 2**-32; beyond, the order of addition shows."""
    scores = np.full((2, 8), 2.0**18) - 2.0**-32 * np.arange(1, 9)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    fitting = mt.SufficientStatistics(SegmentMean(label="COMET"), ("A", "B"), values)
    packed = Packed.of(fitting, kind)
    assert packed.totals[0, 0] == sum(int(x * 2**32) for x in scores[0])
    # A bootstrap may draw one of them eight times, shuffles sum each once.
    values[1, 5 if kind == "bootstrap" else slice(None), 0] = 2.0**18
    larger = dataclasses.replace(fitting, values=values)
    coarser = SegmentMean(label="COMET", resolution=2.0**-31)
    packed = Packed.of(larger, kind)
    assert packed.metric == coarser
    expected = Packed.of(dataclasses.replace(larger, metric=coarser), kind)
    assert (packed.matrix == expected.matrix).all()
    assert (packed.totals == expected.totals).all()
    # Weights are not rounded.
    values[0, 0, 1] = 1 + 2.0**-32
    with pytest.raises(InputError, match=naming("statistics:", " 262144 ", "exact", "COMET")):
        Packed.of(dataclasses.replace(fitting, values=values), kind)


# What no sum exceeds


@pytest.mark.parametrize("more", [-1, 0])
def test_shuffles_are_exact_up_to_the_bound_and_on_a_coarser_grid_beyond(more):
    """Two systems at opposite ends, whose distances add up to 2**53 quanta or one less."""
    half, n = 2**50, 4
    values = np.array([np.full(n, half), np.full(n, -half)], dtype=float)
    values[0, 0] += more
    statistics = means(values * 2.0**-32)  # whose grid it is
    packed = Packed.of(statistics, "shuffle")
    if more == 0:
        assert packed.metric == SegmentMean(resolution=2.0**-31)
        return
    assert packed.metric == statistics.metric
    masks = np.array(list(itertools.product([0, 1], repeat=n)), dtype=np.uint8)
    found = packed.shuffled_differences(
        packed.sums(masks.astype(packed.matrix.dtype)), np.array([0]), np.array([1])
    )
    a, b = ([int(x) for x in row] for row in values)
    for mask, difference in zip(masks, found[0], strict=True):
        exact = sum(x - y if kept else y - x for x, y, kept in zip(a, b, mask, strict=True))
        # The two pseudo-systems' means are rounded once each, and their difference.
        assert abs(difference * 2.0**32 * n - exact) <= 2.0**-51 * sum(abs(x) for x in a)


@pytest.mark.parametrize("test", ["bootstrap", "paired-bootstrap", "studentized-bootstrap"])
def test_unequal_documents_are_drawn_on_a_coarser_grid_where_sums_need_it(test):
    """Scores out of 100 and documents of 5 to 750 segments: 150 draws of the largest are exact."""
    rng = np.random.default_rng(8)
    sizes = np.append(rng.integers(5, 60, 149), 750)
    scores = rng.uniform(0, 100, (2, sizes.sum())).round()
    whole = means(scores, documents=np.repeat(np.arange(150), sizes))
    grids = [dataclasses.replace(whole.metric, resolution=2.0**-k) for k in (32, 20, 24)]
    counts = {
        run_test(test, s, *s.systems, units="documents", n_resamples=2000, rng=4).count
        for s in (dataclasses.replace(whole, metric=grid) for grid in grids)
    }
    assert len(counts) == 1  # whole numbers are the same on each grid
