"""Several test sets laid out over common units: scores, weights, who and what is refused."""

import dataclasses

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics import BLEU, TER, SegmentMean
from mtsig_nb.significance.over_test_sets import equal_documents

from ..messages import codes, naming, values

SYSTEMS = ("A", "B", "C")


def means(sizes, seed, *, systems=SYSTEMS, names=None, label="COMET", **options):
    """Scores of segments in documents of the given sizes."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(70, 10, (len(systems), sum(sizes)))
    names = range(len(sizes)) if names is None else names
    documents = np.repeat(np.array([str(name) for name in names]), sizes)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    options = {"documents": documents} | options
    return mt.SufficientStatistics(SegmentMean(label=label), systems, values, **options)


def test_the_score_over_all_is_the_mean_of_the_test_sets():
    given = {"ja": means([3, 1, 2], 1), "cs": means([2, 2, 2], 2)}
    parts = [s.scores()[list(SYSTEMS)] for s in given.values()]
    found = mt.test_sets(given)
    assert found.weights.tolist() == [0.5, 0.5]
    np.testing.assert_allclose(found.overall.scores()[list(SYSTEMS)], sum(parts) / 2)
    for one, part in zip(found.each, parts, strict=True):
        np.testing.assert_allclose(one.scores()[list(SYSTEMS)], part)
    assert "|macro:ja+cs|" in found.overall.signature


def test_scores_of_sums_are_made_on_each_test_set_and_then_averaged():
    full = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB"])
    halves = {"first": full.subset(range(1500)), "second": full.subset(range(1500, 3003))}
    expected = np.mean([BLEU().score(s.totals()) for s in halves.values()], axis=0)
    for units in ("documents", "segments"):
        found = mt.test_sets(halves, units=units)
        np.testing.assert_allclose(found.overall.metric.score(found.overall.totals()), expected)


def test_the_same_document_is_one_unit_unless_told_otherwise():
    given = {
        "ja": means([3, 1, 2], 1, names="abc"),
        "cs": means([2, 4], 2, names="cd"),
        "de": means([2, 4], 3, names="cd"),
    }

    def units(shared):
        return mt.test_sets(given, shared=shared).overall.documents.tolist()

    assert units(True) == ["a", "b", "c", "d"]
    assert units(False) == ["ja/a", "ja/b", "ja/c", "cs/c", "cs/d", "de/c", "de/d"]
    assert mt.test_sets(given).sizes.tolist() == [[3, 1, 2, 0], [0, 0, 2, 4], [0, 0, 2, 4]]


def test_the_effective_number_of_documents():
    sizes = [42, 43, *[3] * 80]
    by_hand = sum(sizes) ** 2 / sum(n**2 for n in sizes)
    both = mt.test_sets({"ja": means(sizes, 1), "cs": means(sizes, 2)})
    assert both.n_effective == pytest.approx(by_hand)
    assert both.each[1].n_effective == pytest.approx(by_hand)
    apart = mt.test_sets({"ja": means(sizes, 1), "cs": means(sizes, 2)}, shared=False)
    assert apart.n_effective == pytest.approx(2 * by_hand)
    assert apart.each[0].present.sum() == 82


def test_the_effective_number_bounds_documents_however_alike_their_segments_are():
    """Where short documents weigh as much as long ones, those with nothing in common tell less."""
    found = mt.test_sets({"ja": means([50] * 10, 1), "cs": means([1] * 10, 2)}, shared=False)
    weights, n = found.overall.sizes, found.sizes.max(axis=0)
    between = [float(equal_documents(weights, n, np.array(alike))) for alike in (0, 0.1, 0.5, 1)]
    assert found.n_effective == pytest.approx(min(between))
    assert found.n_effective < 2 < found.overall.n_effective == pytest.approx(20)
    assert " 2 or more" in repr(found)


def strata_of(names):
    """Strata of the documents of test sets, each document of one segment."""
    given = {lp: means([1] * len(own), k, names=own) for k, (lp, own) in enumerate(names.items())}
    return mt.test_sets(given).overall.strata


def test_a_bootstrap_keeps_the_number_of_documents_of_each_kind():
    strata = strata_of({"ja": "abcdefghi", "cs": "abcdefghixyz", "zh": "stuv"})
    kinds = [set(strata[at]) for at in (slice(9), slice(9, 12), slice(12, 16))]
    assert all(len(kind) == 1 for kind in kinds)
    assert len(set.union(*kinds)) == 3
    assert strata_of({"ja": "abcdefghi", "cs": "abcdefghi"}) is None


def test_a_document_alone_in_its_kind_is_drawn_with_the_largest_that_shares_a_test_set():
    strata = strata_of({"ja": "abcdef", "cs": "abcdefx", "de": "xyz"})
    assert len(set(strata[:6])) == 1
    assert strata[6] == strata[0]
    assert strata[7] == strata[8] != strata[0]


def test_a_system_that_some_test_set_lacks():
    given = {"ja": means([2, 2], 1), "cs": means([2, 2], 2, systems=("C", "A"))}
    with pytest.raises(mt.InputError, match=naming("1 of 3 ", "'B' (cs)", "missing='common'")):
        mt.test_sets(given)
    found = mt.test_sets(given, missing="common")
    assert found.overall.systems == ("A", "C")
    assert found.left_out == {"B": ("cs",)}
    assert codes(found.notes) == ["systems-left-out"]
    assert values(found.notes, "systems-left-out") == {"n": 1, "systems": "B"}
    given["de"] = means([2, 2], 3, systems=("A", "B"))
    with pytest.raises(mt.InputError, match=r"^statistics: 1 of 3 "):
        mt.test_sets(given, missing="common")


def test_documents_of_different_sizes_are_asked_about():
    (note,) = mt.test_sets({"ja": means([2, 2], 1), "cs": means([2, 7], 2)}).notes
    expected = {"n": 1, "shared": 2, "document": "1", "least": 2, "most": 7}
    assert (note.code, note.values) == ("sizes-differ", expected)


def test_the_coarsest_grid_is_everybodys():
    fine, metric = means([2, 2], 1), SegmentMean(label="COMET", resolution=2.0**-20)
    found = mt.test_sets({"ja": fine, "cs": dataclasses.replace(fine, metric=metric)})
    assert {s.metric.quantum for s in found.family} == {2.0**-20}


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"units": "words"}, "units='words'"),
        ({}, {"missing": "drop"}, "missing='drop'"),
        ({"cs": means([2, 2], 2, documents=None)}, {}, "documents of cs are not known"),
        ({"cs": means([2, 2], 2, documents=None)}, {"units": "documents"}, "of cs are not known"),
        ({"cs": means([4], 2)}, {}, r"statistics\['cs'\] has only one of its documents"),
        ({"cs": means([2, 2], 2, label="ESA")}, {}, "ESA on 'cs' differs from that on 'ja'"),
        ({"cs": means([2, 2], 2).by_stratum(list("aabb"))}, {}, "without strata"),
        ({"cs": "scores.csv"}, {}, r"statistics\['cs'\] must be SufficientStatistics"),
    ],
)
def test_what_is_refused(change, options, message):
    with pytest.raises(mt.InputError, match=message):
        mt.test_sets({"ja": means([2, 2], 1), "cs": means([2, 2], 2)} | change, **options)


def test_metrics_may_differ_in_what_sums_do_not_depend_on():
    values = np.ones((2, 4, 10))
    documents = list("aabb")

    def scored(metric):
        return mt.SufficientStatistics(metric, ("A", "B"), values, documents=documents)

    found = mt.test_sets({"ja": scored(BLEU(tokenize="char")), "cs": scored(BLEU())})
    assert codes(found.notes).count("settings-differ") == 1
    with pytest.raises(mt.InputError, match="differs from that on"):
        mt.test_sets({"ja": scored(BLEU(smooth_method="floor")), "cs": scored(BLEU())})
    penalty = mt.SufficientStatistics(TER(), ("A", "B"), np.ones((2, 4, 2)), documents=documents)
    with pytest.raises(mt.InputError, match="differs from that on"):
        mt.test_sets({"ja": scored(BLEU()), "cs": penalty})
