"""Statistics in NumPy archives: exact, deterministic, and refused when they are not ours."""

import dataclasses
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.statistics.storage import read_statistics

from ..small_sets import means, real

sys.path.append(str(Path(__file__).parents[2] / "datasets"))
from building.storing import describe, write_statistics

from ..messages import naming


def bleu():
    """Counts whose totals follow from lengths, and whose references are shared."""
    counts = real().select(real().systems[:3]).subset(np.arange(40))
    metric = mt.metrics.BLEU(tokenize="none")
    return dataclasses.replace(counts, metric=metric, test_set="made up", n_references=2)


def scores(resolution, scale=1.0):
    rng = np.random.default_rng(8)
    values = rng.normal(0.0, scale, (2, 30, 2))
    values[..., 1] = 1.0
    metric = mt.metrics.SegmentMean(label="quality", resolution=resolution)
    return mt.SufficientStatistics(metric, ["x", "y"], values)


@pytest.mark.parametrize(
    "statistics",
    [bleu(), scores(2.0**-10), scores(2.0**-32), scores(2.0**-44, scale=100.0)],
    ids=["counts", "coarse", "fine", "wide"],
)
def test_what_is_read_is_what_was_written(statistics, tmp_path):
    write_statistics(tmp_path / "s.npz", statistics, notes={"from": "a test"})
    again = read_statistics(tmp_path / "s.npz")
    np.testing.assert_array_equal(again.values, statistics.values)
    for field in ("metric", "systems", "test_set", "n_references", "signature"):
        assert getattr(again, field) == getattr(statistics, field)
    assert describe(tmp_path / "s.npz")["notes"] == {"from": "a test"}
    assert [path.name for path in tmp_path.iterdir()] == ["s.npz"]


@pytest.mark.parametrize(("largest", "kind"), [(1.0, "<i4"), (25.0, "<f4")])
def test_scores_of_a_neural_network_are_stored_in_four_bytes(largest, kind, tmp_path):
    floats = np.random.default_rng(4).uniform(-largest, largest, (2, 30)).astype(np.float32)
    statistics = means(floats.astype(float))
    write_statistics(tmp_path / "s", statistics)
    assert describe(tmp_path / "s")["format"] == 3
    assert describe(tmp_path / "s")["fine"]["weighted_score"][1] == kind
    with np.load(tmp_path / "s", allow_pickle=False) as stored:
        assert stored["weighted_score"].dtype == np.int8
        assert stored["weighted_score"].shape == (4, 30, 2)  # planes, segments, systems
    np.testing.assert_array_equal(read_statistics(tmp_path / "s").values, statistics.values)
    doubles = means(np.random.default_rng(4).uniform(-largest, largest, (2, 30)))
    write_statistics(tmp_path / "d", doubles)
    np.testing.assert_array_equal(read_statistics(tmp_path / "d").values, doubles.values)


def test_the_same_statistics_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_statistics(tmp_path / name, bleu())
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    dates = {member.date_time for member in zipfile.ZipFile(tmp_path / "one").infolist()}
    assert dates == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(
    ("differs", "n_stored", "derived"), [((), 1, True), ((2, 5, 1), 3, True), ((1, 7, 7), 1, False)]
)
def test_what_repeats_is_stored_once_and_what_differs_in_one_place_is_kept(
    differs, n_stored, derived, tmp_path
):
    values = bleu().values.copy()
    if differs:
        values[differs] += 1
    write_statistics(tmp_path / "s", dataclasses.replace(bleu(), values=values))
    with np.load(tmp_path / "s", allow_pickle=False) as stored:
        assert stored["ref_len"].shape == (40, n_stored)
    assert ("total_2" in describe(tmp_path / "s")["derived"]) == derived
    np.testing.assert_array_equal(read_statistics(tmp_path / "s").values, values)


@pytest.mark.parametrize(
    "write",
    [
        lambda file, ours: None,
        lambda file, ours: file.write(b"PAR1, as of old"),
        lambda file, ours: np.save(file, np.arange(3)),
        lambda file, ours: np.savez(file, edits=[1, 2]),
        lambda file, ours: np.savez(file, about=np.array([{}], dtype=object)),
        lambda file, ours: file.write(ours[:-100]),
        lambda file, ours: file.write(ours[:1000] + bytes([ours[1000] ^ 1]) + ours[1001:]),
    ],
    ids=["nothing", "text", "array", "archive", "pickle", "cut", "one bit"],
)
def test_what_is_not_ours_or_damaged_is_refused(write, tmp_path):
    write_statistics(tmp_path / "s", bleu())
    with (tmp_path / "other.npz").open("wb") as file:
        write(file, (tmp_path / "s").read_bytes())
    with pytest.raises(mt.InputError, match=naming("other.npz", "file of statistics")):
        read_statistics(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda about, _: about.update(columns=["hyp_len", "ref_len"]), "of another version"),
        (lambda about, _: about.update(format=99), "format 99"),
        (lambda about, _: about.update(metric="BLEUX"), "metric='BLEUX'"),
        (lambda _, columns: columns.pop("ref_len"), "is damaged"),
        (lambda _, columns: columns.update(more=columns["ref_len"]), "is damaged"),
        (lambda _, columns: columns.update(ref_len=columns["ref_len"][:1]), "is damaged"),
        (lambda _, columns: columns.update(hyp_len=columns["hyp_len"].T), "is damaged"),
        (lambda _, columns: columns.update(ref_len=np.array(["?"])), "is damaged"),
    ],
)
def test_another_version_and_columns_that_do_not_fit_are_refused(change, words, tmp_path):
    """Nothing is filled in: an archive of that kind was read as whatever lay in memory."""
    write_statistics(tmp_path / "s", bleu())
    with np.load(tmp_path / "s", allow_pickle=False) as stored:
        columns = dict(stored)
    about = json.loads(str(columns.pop("about")))
    change(about, columns)
    with (tmp_path / "s").open("wb") as file:
        np.savez_compressed(file, about=json.dumps(about), **columns)
    with pytest.raises(mt.InputError, match=words):
        read_statistics(tmp_path / "s")
