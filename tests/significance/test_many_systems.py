"""Many systems at once: the same answers as pair by pair, for what pairs alone would cost."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine import resampling, tallies
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.notes import Note
from mtsig_nb.significance import actual_size, intervals
from mtsig_nb.significance.actual_size import ActualSize
from mtsig_nb.statistics.doubts import notes_on_twins
from mtsig_nb.statistics.sufficient import pair_indices

from ..small_sets import means, real


def unlike(n_systems: int, n_units: int = 60, seed: int = 3) -> mt.SufficientStatistics:
    """Scores so skewed that the test errs on most pairs; it has something to say of each."""
    rng = np.random.default_rng(seed)
    return means(rng.lognormal(sigma=2, size=(n_systems, n_units)))


def almost_alike() -> mt.SufficientStatistics:
    """Outputs of two families, within which few units differ, and one that is like no other."""
    rng = np.random.default_rng(1)
    families = rng.integers(0, 5, size=(2, 200)).astype(float)
    scores = np.concatenate([np.repeat(families, 3, axis=0), rng.random((1, 200))])
    for k, n_changed in enumerate([0, 0, 4, 9, 12, 15, 0]):
        changed = rng.choice(200, n_changed, replace=False)
        scores[k, changed] += 1
    return means(scores)


# The same as pair by pair


@pytest.mark.parametrize("at_once", [1, 5000, 2**22])
@pytest.mark.parametrize("make", [almost_alike, real], ids=["means", "BLEU"])
def test_units_are_compared_in_parts_as_in_one(make, at_once, monkeypatch):
    monkeypatch.setattr(tallies, "COMPARED_AT_ONCE", at_once)
    statistics = make()
    statistics = statistics.select(statistics.systems[:4]).subset(np.arange(200))
    first, second = pair_indices(4)
    is_other = statistics.values[first] != statistics.values[second]
    expected = is_other.any(axis=2).sum(axis=1)
    assert tallies.differing_units(statistics, (first, second)).tolist() == expected.tolist()
    assert expected.min() < expected.max()


def test_twins_are_those_of_each_pair_alone():
    statistics = almost_alike()
    pairs = pair_indices(len(statistics.systems))
    differing = tallies.differing_units(statistics, pairs)
    alone = []
    for pair in itertools.combinations(statistics.systems, 2):
        of_pair = statistics.select(pair)
        n_differing = tallies.differing_units(of_pair, tallies.PAIR)
        alone += notes_on_twins(of_pair, tallies.PAIR, n_differing)
    together = notes_on_twins(statistics, pairs, differing)
    assert [found.values for found in together] == [found.values for found in alone]
    assert 0 < len(together) < len(differing)


@pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
def test_notes_on_a_pair_are_those_of_the_pair_alone(test):
    statistics = unlike(6)
    options = {"test": test, "correction": None, "interval": None, "n_resamples": 200, "rng": 1}
    together = mt.compare_all(statistics, **options)
    for row in together.table.itertuples():
        alone = mt.compare_all(statistics.select([row.system_a, row.system_b]), **options)
        (note_alone,) = alone.table["note"]
        assert unreliable(row.note) == unreliable(note_alone)
    assert any(map(unreliable, together.table["note"]))


def unreliable(noted: Note) -> list[dict[str, object]]:
    """The values of the notes on a pair's size among those that are put together."""
    return [part.values for part in noted.values["notes"] if part.code == "unreliable"]


def test_intervals_in_parts_are_those_in_one(monkeypatch):
    statistics = unlike(7)
    options = {"n_resamples": 200, "interval_resamples": 300, "rng": 1}
    in_one = mt.compare_all(statistics, **options).table[["ci_low", "ci_high"]]
    monkeypatch.setattr(intervals, "RESAMPLED_AT_ONCE", 4 * 300)
    in_parts = mt.compare_all(statistics, **options).table[["ci_low", "ci_high"]]
    assert len(in_one) == 21
    assert in_one.equals(in_parts)


# What pairs cost


def test_what_concerns_all_pairs_is_not_asked_once_a_pair(monkeypatch):
    """The sizes of all pairs cost as much as all pairs: asked for each, they cost the square."""
    asked: list[str] = []
    size = actual_size.size
    off = ActualSize.off

    def size_asked(*arguments):
        asked.append("size")
        return size(*arguments)

    def off_asked(sizes):
        asked.append("off")
        return off.fget(sizes)

    monkeypatch.setattr(actual_size, "size", size_asked)
    monkeypatch.setattr(ActualSize, "off", property(off_asked))
    times = []
    for n_systems in (6, 12):
        asked.clear()
        mt.compare_all(unlike(n_systems), n_resamples=100, interval=None, rng=1)
        times.append((asked.count("size"), asked.count("off")))
    for_15_pairs, for_66_pairs = times
    assert for_66_pairs == for_15_pairs


# What many units cost


@pytest.fixture
def small_parts(monkeypatch):
    """What is worked on at a time takes no more than some kilobytes, as beside a million units."""
    monkeypatch.setattr(resampling, "ENTRIES_AT_ONCE", 2**16)
    monkeypatch.setattr(resampling, "BYTES_KEPT", 0)
    monkeypatch.setattr(tallies, "COMPARED_AT_ONCE", 2**16)


def memory_beside(statistics: mt.SufficientStatistics, **options: object) -> float:
    """The most memory that comparing all pairs takes beside the statistics, in their size."""
    options = {"interval_resamples": 200, "rng": 1, **options}
    mt.compare_all(statistics.subset(np.arange(100)), **options)  # imports
    tracemalloc.start()
    try:
        mt.compare_all(statistics, **options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak / statistics.values.nbytes


@pytest.mark.takes_time
@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    ("test", "most"),
    [
        # A matrix of the scores without their weights, and a few rows of it.
        ("approximate-randomization", 1.25),
        ("paired-bootstrap", 1.25),
        # Each of 45 pairs has two rows of its own, which ten systems' scores have a fifth of.
        ("studentized-bootstrap", 6.5),
    ],
)
def test_many_units_take_little_memory_beside_their_statistics(test, most):
    scores = np.random.default_rng(0).normal(size=(10, 20_000))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    metric = SegmentMean(resolution=2.0**-24)
    statistics = mt.SufficientStatistics(metric, [f"s{k}" for k in range(10)], values)
    few = memory_beside(statistics, test=test, n_resamples=500)
    many = memory_beside(statistics, test=test, n_resamples=1000)
    assert max(few, many) < most
    assert many < 1.1 * few
