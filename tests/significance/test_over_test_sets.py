"""One verdict over many test sets: against enumeration, single test sets and mirror images."""

import itertools
import re

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine import resampling
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.significance import corrections

from ..messages import naming, printed

SYSTEMS = ("A", "B", "C", "D")


def means(scores, documents, *, systems=SYSTEMS, higher=True):
    scores = np.asarray(scores, dtype=np.float64)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    metric = SegmentMean(label="COMET", larger_is_better=higher)
    return mt.SufficientStatistics(metric, systems, values, documents=np.asarray(documents))


def world(seed, *, sizes=(4, 1, 2, 3, 1, 2), names=("ja", "cs", "de"), systems=SYSTEMS, sign=1):
    """Systems whose documents are hard in all languages alike."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(len(sizes)), sizes)
    effects = rng.normal(0, 3, (len(systems), len(sizes)))
    return {
        name: means(
            sign * (effects[:, documents] + rng.normal(0, 2, (len(systems), len(documents)))),
            documents,
            systems=systems,
            higher=sign > 0,
        )
        for name in names
    }


def exchanged(given, a, b, names):
    """Differences of the mean over `names` under all exchanges of whole documents, everywhere."""
    gains = 0
    for name in names:
        s = given[name].by_unit("documents")
        difference = np.subtract(*s.select([a, b]).values[..., 0])
        gains = gains + difference / s.values[0, :, 1].sum() / len(names)
    signs = np.array(list(itertools.product((1, -1), repeat=len(gains))))
    return signs @ gains, gains.sum()


def test_p_is_that_of_all_exchanges_of_documents_in_all_test_sets():
    given = world(1)
    found = mt.compare_all(mt.test_sets(given), correction=None, interval=None, rng=1)
    for _, row in found.table.iterrows():
        names = list(given) if row["test_set"] == "all" else [row["test_set"]]
        null, observed = exchanged(given, row["system_a"], row["system_b"], names)
        assert row["difference"] == pytest.approx(observed)
        assert row["pvalue"] == (np.abs(null) >= abs(observed) - 1e-9).mean()
        assert row["note"].endswith("exact: 64 arrangements")
    assert len(found.table) == 4 * 6


def test_scores_of_sums_are_exchanged_in_all_test_sets_together():
    full = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineC", "onlineD"])
    first, second = np.unique(full.documents)[:12].reshape(2, 6)
    given = {}
    for name, documents in (("one", first), ("two", second)):
        part = full.subset(np.isin(full.documents, documents))
        places = np.unique(part.documents, return_inverse=True)[1]
        given[name] = mt.SufficientStatistics(
            part.metric, part.systems, part.values, documents=places
        )
    row = mt.compare_all(mt.test_sets(given), correction=None, interval=None, rng=1).table.iloc[0]
    score, null = full.metric.score, []
    grouped = [s.by_unit("documents") for s in given.values()]
    sums = [s.values[:, np.argsort(s.documents)] for s in grouped]
    for mask in itertools.product((0, 1), repeat=6):
        moved = np.array(mask, dtype=bool)[:, None]
        sides = [[score(np.where(moved, v[1 - k], v[k]).sum(axis=0)) for k in (0, 1)] for v in sums]
        null.append(np.mean([a - b for a, b in sides]))
    assert row["pvalue"] == (np.abs(null) >= abs(row["difference"]) - 1e-9).mean()


@pytest.mark.parametrize("test", ["ar westfall-young", "ar holm", "bootstrap romano-wolf"])
def test_a_single_test_set_is_what_it_is_alone(test):
    given = world(2, sizes=(3, 1, 2, 5, 2, 2, 4) * 6, names=("ja",))
    test, correction = test.split()
    options = {"test": test, "correction": correction, "n_resamples": 999, "rng": 3}
    alone = mt.compare_all(given["ja"], units="documents", **options)
    found = mt.compare_all(mt.test_sets(given), **options)
    for column in alone.table.columns[3:]:
        np.testing.assert_array_equal(found.table[column], alone.table[column], err_msg=column)
    assert found.table["test_set"].eq("all").all()
    assert found.pairing["ratio"].tolist() == pytest.approx([1.0] * 6)
    assert found.on("all").conclusions() == alone.conclusions()


@pytest.mark.takes_time
def test_the_mean_over_test_sets_without_common_documents_is_that_of_strata():
    given = world(4, sizes=(3, 1, 2, 5, 2, 2, 4) * 6)
    joint = mt.test_sets(given, shared=False)
    pooled = means(
        np.concatenate([s.values[:, :, 0] for s in given.values()], axis=1),
        np.concatenate([[f"{name}/{d}" for d in s.documents] for name, s in given.items()]),
    ).by_stratum(np.repeat(list(given), given["ja"].n_segments))
    for test in ("ar", "bootstrap", "studentized-bootstrap"):
        options = {"test": test, "n_resamples": 999, "correction": None, "rng": 5}
        found = mt.compare_all(joint, **options).overall.table
        expected = mt.compare_all(pooled, units="documents", **options).table
        for column in ("pvalue", "difference", "ci_low", "ci_high", "size_at_05"):
            np.testing.assert_allclose(found[column], expected[column], rtol=1e-9)


@pytest.mark.parametrize("correction", ["westfall-young", "holm"])
def test_chunks_change_nothing(correction, monkeypatch):
    sets = mt.test_sets(world(7, sizes=(3, 1, 2, 5, 2, 2, 4) * 3))
    options = {"correction": correction, "n_resamples": 1200, "rng": 8, "interval": None}
    expected = mt.compare_all(sets, **options).table
    monkeypatch.setattr(corrections, "ENTRIES_AT_ONCE", 100)
    monkeypatch.setattr(resampling, "SCORED_AT_ONCE", 100)
    assert mt.compare_all(sets, **options).table.equals(expected)


def test_pairing_has_the_standard_errors_of_both_ways():
    given = world(13, sizes=(1,) * 40)
    found = mt.compare_all(mt.test_sets(given), n_resamples=99, interval=None, rng=1)
    row = found.pairing.iloc[0]
    pair = [row["system_a"], row["system_b"]]
    gains = np.stack([np.subtract(*s.select(pair).values[..., 0]) for s in given.values()])
    n = gains.shape[1]
    assert row["se_joint"] == pytest.approx(gains.mean(axis=0).std(ddof=1) / np.sqrt(n))
    apart = np.sqrt((gains.std(axis=1, ddof=1) ** 2 / n).sum()) / len(gains)
    assert row["se_independent"] == pytest.approx(apart)
    assert row["ratio"] > 1.2


def test_westfall_young_distinguishes_where_holm_cannot():
    given = world(15, sizes=(1,) * 60)
    for s in given.values():
        s.values.flags.writeable = True
        s.values[0, :, 0] += 4
    sets = mt.test_sets(given)
    options = {"n_resamples": 400, "interval": None, "rng": 1}
    by_correction = {
        name: mt.compare_all(sets, correction=name, **options)
        for name in ("holm", "westfall-young", "benjamini-hochberg", None)
    }
    assert by_correction["westfall-young"].overall.conclusions().word("A", "B") == "better"
    assert by_correction["holm"].overall.conclusions().word("A", "B") != "better"
    told = {name: found.notes_on_test_sets[-1] for name, found in by_correction.items()}
    (any_false,) = printed(told["westfall-young"], "promise-any")
    assert any_false == {"level": "5%"}
    assert printed(told["benjamini-hochberg"], "promise-share") == [{"level": "5%"}]
    assert told[None].code == "found-uncorrected"
    # What each correction needs besides, as the table at the head of `corrections` has it.
    assert told["holm"].values["besides"] == ""
    assert "no pair differed" in told["westfall-young"].values["besides"]
    assert "positively" in told["benjamini-hochberg"].values["besides"]


def test_several_metrics_on_the_same_test_sets():
    one = mt.test_sets(world(16, sizes=(1,) * 20))
    other = {}
    for name, s in world(17, sizes=(1,) * 20).items():
        other[name] = mt.SufficientStatistics(
            SegmentMean(label="ESA"), s.systems, s.values, documents=s.documents
        )
    found = mt.compare_all([one, mt.test_sets(other)], n_resamples=99, interval=None, rng=1)
    assert found.n_comparisons == 2 * 4 * 6
    assert found.overall.metrics == tuple(f"{name} over 3 test sets" for name in ("COMET", "ESA"))
    assert found.on("cs").metrics == ("COMET on cs", "ESA on cs")
    with pytest.raises(mt.InputError, match="all metrics"):
        mt.compare_all([one, other["ja"]])
    fewer = mt.test_sets({name: other[name] for name in ("ja", "cs")})
    with pytest.raises(mt.InputError, match="same test sets"):
        mt.compare_all([one, fewer])


def test_what_is_refused_and_what_is_told():
    sets = mt.test_sets(world(18))
    with pytest.raises(mt.InputError, match=naming("units", "documents")):
        mt.compare_all(sets, units=[1, 2, 3, 4, 5, 6])
    found = mt.compare_all(sets, n_resamples=99, interval=None, rng=1)
    with pytest.raises(mt.InputError, match="test_set='jp'"):
        found.on("jp")
    first, second, *_ = found.sentence.split("\n")
    assert re.search(naming("4 systems", "3 test sets", "COMET over 3", "on each"), first)
    assert re.search(naming("99 shuffles", "6 documents"), second)
    (weights,) = [n for n in found.notes_on_test_sets if n.code == "unequal-weights"]
    assert (weights.values["n"], weights.values["unit"]) == (6, "documents")
    assert weights in found.sentence
    assert re.search(naming("COMET over 3 test sets", "on each"), found.methods_sentence())
