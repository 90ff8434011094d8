"""What holds for every metric: weights are repetitions, and scores are clean functions of sums."""

from __future__ import annotations

import dataclasses
import functools
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_nb.errors import InputError
from mtsig_nb.metrics import (
    BLEU,
    GTM,
    METEOR,
    NIST,
    REGISTRY,
    TER,
    DependencyF,
    METEORJar,
    chrF,
    get,
)

from ..messages import naming
from .texts import needs_java, translations

N_SEGMENTS = 10
JAR = METEORJar(modules=("exact", "stem"))
#: The Python METEOR, with lists that do not depend on which references are given.
FIXED_METEOR = METEOR(word_lists="meteor-1.5")

ALWAYS = [
    BLEU(),
    BLEU(smooth_method="none", lowercase=True),
    chrF(),
    chrF(word_order=2),
    TER(),
    NIST(),
    NIST(lowercase=True),
    GTM(),
    DependencyF(),
]
SPANISH = METEOR(language="es", word_lists="meteor-1.5")
WITH_JAR = [pytest.param(metric, marks=needs_java) for metric in (FIXED_METEOR, SPANISH, JAR)]
#: Those of which a segment's statistics depend on that segment alone: NIST's information is a
#: property of the test set.
ALONE = [*(metric for metric in ALWAYS if not isinstance(metric, NIST)), *WITH_JAR]
METRICS = [*ALWAYS, METEOR(word_lists="references"), *WITH_JAR]


def identify(metric) -> str:
    return metric.signature.split("|version")[0]


every_metric = pytest.mark.parametrize("metric", METRICS, ids=identify)


@functools.cache
def texts(metric, n_references: int = 1, seed: int = 11):
    """Hypotheses and references; for DependencyF, every word depends on the one before it."""
    hypotheses, references = translations(N_SEGMENTS, n_references, seed=seed)
    if isinstance(metric, DependencyF):
        hypotheses = [chain(line) for line in hypotheses]
        references = [[chain(line) for line in lines] for lines in references]
    return hypotheses, references


def chain(line: str) -> str:
    rows = []
    for i, word in enumerate(line.split()):
        label = "dep" if i else "root"
        rows.append(f"{i + 1}\t{word}\t{word}\t_\t_\t_\t{i}\t{label}\t_\t_")
    return "\n".join(rows)


@functools.cache
def statistics(metric, n_references: int = 1, seed: int = 11):
    return metric.statistics(*texts(metric, n_references, seed))


def measured_again(metric, rows, n_references: int):
    """Statistics of the segments `rows`, measured from their texts."""
    hypotheses, references = texts(metric, n_references)
    return metric.statistics(
        [hypotheses[i] for i in rows], [[lines[i] for i in rows] for lines in references]
    )


@pytest.mark.slow
@pytest.mark.parametrize("metric", ALONE, ids=identify)
@settings(max_examples=30)
@given(
    weights=st.lists(st.integers(0, 4), min_size=N_SEGMENTS, max_size=N_SEGMENTS).filter(any),
    n_references=st.sampled_from([1, 3]),
)
def test_weights_are_repetitions(metric, weights, n_references):
    rows = np.repeat(np.arange(N_SEGMENTS), weights)
    repeated = measured_again(metric, rows, n_references).sum(axis=0)
    weighted = np.array(weights, dtype=float) @ statistics(metric, n_references)
    np.testing.assert_array_equal(weighted, repeated)
    assert metric.score(weighted) == metric.score(repeated)


@every_metric
def test_the_whole_test_set_twice_scores_the_same(metric):
    # Literally, without any help: doubling changes neither information nor word lists.
    hypotheses, references = texts(metric)
    twice = metric.statistics(hypotheses * 2, [lines * 2 for lines in references])
    np.testing.assert_array_equal(twice, np.tile(statistics(metric), (2, 1)))


@every_metric
def test_the_same_reference_twice_scores_the_same(metric):
    hypotheses, (reference,) = texts(metric)
    doubled = metric.statistics(hypotheses, [reference, reference])
    np.testing.assert_allclose(
        metric.score(doubled), metric.score(statistics(metric)), rtol=1e-12, atol=0
    )


OF_THE_BEST = [m for m in ALONE if not isinstance(m, BLEU | TER)]  # sacreBLEU's have tests


@pytest.mark.parametrize("metric", OF_THE_BEST, ids=identify)
def test_each_segment_is_counted_against_its_best_reference(metric):
    hypotheses, references = texts(metric, 3)
    together = statistics(metric, 3)
    singles = np.array([metric.statistics(hypotheses, [lines]) for lines in references])
    assert (together == singles).all(axis=2).any(axis=0).all()
    best = (metric.direction * metric.score(singles)).max(axis=0)
    found = metric.direction * metric.score(together)
    np.testing.assert_allclose(found, best, rtol=1e-12, atol=0)


@every_metric
def test_scores_do_not_depend_on_how_sums_are_stored(metric):
    rng = np.random.default_rng(3)
    weights = rng.multinomial(N_SEGMENTS, np.full(N_SEGMENTS, 1 / N_SEGMENTS), size=(5, 7))
    sums = weights @ statistics(metric)
    sums = np.round(sums)  # float32 holds whole numbers of this size, NIST's bits it would not
    scores = metric.score(sums)
    assert scores.shape == (5, 7)
    assert scores.dtype == np.float64
    counts_first = np.moveaxis(np.ascontiguousarray(np.moveaxis(sums, -1, 0)), 0, -1)
    for other in (sums.astype(np.float32), counts_first, sums.tolist()):
        np.testing.assert_array_equal(metric.score(other), scores)
    one_by_one = [float(metric.score(row)) for row in sums.reshape(35, -1)]
    assert one_by_one == scores.ravel().tolist()


@every_metric
def test_nothing_scores_without_warnings(metric):
    # Warnings are errors in this suite.
    nothing = np.zeros((2, len(metric.columns)))
    # sacreBLEU's epsilon for chrF leaves some 1e-14 of its 100 points.
    np.testing.assert_allclose(metric.score(nothing), 0.0, atol=1e-12)
    assert metric.score(nothing[:0]).shape == (0,)


@every_metric
def test_segments_have_whole_quanta_and_finite_scores(metric):
    # Some of these segments are empty, on one side or on both.
    _, references = texts(metric)
    empty = metric.statistics([""] * 2, [["", references[0][0]]])
    values = np.vstack([statistics(metric, 3), empty])
    assert values.shape == (N_SEGMENTS + 2, len(metric.columns))
    np.testing.assert_array_equal(metric.snap(values), values)
    assert np.isfinite(metric.score(values)).all()


@every_metric
def test_metrics_can_be_written_down(metric):
    metric.statistics(*texts(metric))  # whatever this leaves in the object must not travel
    assert pickle.loads(pickle.dumps(metric)) == metric
    written = json.loads(json.dumps(dataclasses.asdict(metric)))
    assert type(metric)(**written) == metric
    assert hash(type(metric)(**written)) == hash(metric)
    assert get(metric.name, **written) == metric


@pytest.mark.parametrize("metric", [chrF(), TER(), NIST(), GTM(), DependencyF(), METEOR(), JAR])
@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["", ""], [["", ""], [""]], "reference 1 has 1 segments and the hypotheses have 2"),
        (["", ""], [], "references must be one list or more"),
        (["", ""], ["", ""], r"write \[reference\] for a single one"),
        ("ab", [["a", "b"]], "hypotheses is one string"),
    ],
)
def test_texts_must_be_aligned(metric, hypotheses, references, message):
    with pytest.raises(InputError, match=message):
        metric.statistics(hypotheses, references)


def test_names():
    assert get("chrf++") == chrF(word_order=2)
    assert get("chrF++", beta=3) == chrF(word_order=2, beta=3)
    assert get("ter") == TER()
    assert {name for name in REGISTRY if not get(name).higher_is_better} == {"TER"}
    with pytest.raises(InputError, match=naming("metric='METEROJar'", "mean 'METEORJar'")):
        get("METEROJar")
