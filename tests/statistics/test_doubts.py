"""Notes that statistics carry: gaps in references, words, matches, twins, settings told apart."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

import mtsig_nb as mt
from mtsig_nb.metrics import BLEU, GTM, METEOR, NIST, TER, chrF
from mtsig_nb.statistics.doubts import note_on_words
from mtsig_nb.statistics.told_apart import told_apart

from ..messages import codes, naming
from ..small_sets import means
from ..worse_and_worse import FAIR, GOOD, POOR, REFERENCE

CHINESE = ["我们今天去公园散步，然后回家。", "他们明天要去图书馆看书。", "她昨天买了两本新书。"] * 4
JAPANESE = ["今日は公園へ散歩に行きました。", "彼らは明日図書館で本を読みます。"] * 6
KHMER = ["ថ្ងៃនេះយើងទៅដើរលេងនៅសួន", "ស្អែកគាត់ទៅបណ្ណាល័យ"] * 6


@pytest.fixture(autouse=True)
def cache_in_a_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))


def compared(statistics, **options) -> mt.Comparisons:
    return mt.compare_all(statistics, n_resamples=99, interval=None, rng=1, **options)


# --- references that are missing in places --------------------------------------------------------

GAPS = [None if i % 3 == 0 else text for i, text in enumerate(FAIR)]
MORE_GAPS = [None if i % 4 == 1 else text for i, text in enumerate(GOOD)]


@pytest.mark.parametrize("references", [[REFERENCE, GAPS], [REFERENCE, GAPS, MORE_GAPS]])
@pytest.mark.parametrize(
    ("metric", "theirs"),
    [("BLEU", sacrebleu.BLEU), ("chrF", sacrebleu.CHRF), ("TER", sacrebleu.TER)],
)
def test_scores_against_the_references_that_there_are_are_sacrebleus(metric, theirs, references):
    texts = mt.Texts.from_texts(reference=references, systems={"poor": POOR})
    found = mt.measure(texts, metric)
    counter = theirs()
    assert found.scores()["poor"] == pytest.approx(counter.corpus_score(POOR, references).score)
    assert "nrefs:var" in str(counter.get_signature())
    assert "|nrefs:var|" in found.signature
    assert codes(found.notes) == ["references-missing"]
    assert mt.measure(texts, metric).notes == found.notes  # from the cache


@pytest.mark.parametrize("metric", [NIST(), TER()])
def test_a_reference_that_is_missing_everywhere_changes_nothing(metric):
    alone = metric.statistics(POOR, [REFERENCE])
    beside = metric.statistics(POOR, [REFERENCE, [None] * len(POOR)])
    np.testing.assert_array_equal(alone, beside)


# --- words and matches ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "reference", "advice"),
    [
        (BLEU(), CHINESE, "tokenize='zh' or tokenize='char'"),
        (BLEU(), JAPANESE, "tokenize='ja-mecab' or tokenize='char'"),
        (BLEU(), KHMER, "use tokenize='char'"),
        (GTM(), CHINESE, "tokenize='zh'"),
        (TER(), CHINESE, "set normalized and asian_support to yes"),
        (NIST(), CHINESE, "chrF"),
        (METEOR(word_lists="references"), CHINESE, None),  # which cuts it into characters
        (BLEU(tokenize="zh"), CHINESE, None),
        (BLEU(tokenize="char"), KHMER, None),
        (TER(normalized=True, asian_support=True), CHINESE, None),
        (chrF(), CHINESE, None),
        (BLEU(), REFERENCE, None),
        (BLEU(), [" ".join(text) for text in CHINESE], None),
    ],
)
def test_scripts_without_spaces_and_metrics_on_words(metric, reference, advice):
    found = note_on_words(metric, [reference])
    assert codes(found) == ([] if advice is None else ["words-without-spaces"])
    assert advice is None or advice in found[0]


def test_the_note_on_words_stands_beside_a_bleu_above_zero_too():
    # A few words in Latin letters match.
    reference = [f"{text} (a b c d e)" for text in CHINESE]
    output = [text.replace("公园", "花园") for text in reference]
    texts = mt.Texts.from_texts(reference=reference, systems={"A": output, "B": reference})
    found = mt.measure(texts, "BLEU")
    assert found.scores()["A"] > 0
    for statistics in (found, mt.measure(texts, "BLEU"), found.select(["A", "B"])):
        assert "words-without-spaces" in codes(compared(statistics).notes)
    pair = mt.approximate_randomization(found, "A", "B", n_resamples=99, rng=1)
    assert "words-without-spaces" in codes(pair.notes)


@pytest.mark.parametrize(
    ("outputs", "code", "about"),
    [
        ({"A": ["x"] * 30, "B": ["y z"] * 30}, "no-match", ["A", "B"]),
        ({"A": ["x"] * 30, "B": REFERENCE[:30]}, "no-match", ["A"]),
        ({"A": [text.split()[0] for text in REFERENCE[:30]]}, "no-match", ["A"]),
        ({"A": [" ".join(text.split()[::-1]) for text in REFERENCE[:30]]}, "no-4-gram", ["A"]),
        ({"A": POOR[:30]}, None, None),
    ],
)
def test_bleu_without_a_match(outputs, code, about):
    texts = mt.Texts.from_texts(reference=REFERENCE[:30], systems=outputs)
    found = [said for said in mt.measure(texts, "BLEU").caveats if said.code.startswith("no-")]
    assert codes(found) == ([] if code is None else [code])
    assert not found or found[0].values["about"] == about


# --- one system twice -----------------------------------------------------------------------------


def scores_of_two(n: int, n_differing: int, rng: np.random.Generator) -> np.ndarray:
    first = rng.normal(size=n)
    second = first.copy()
    second[:n_differing] += 0.1
    return np.stack([first, second, rng.normal(size=n)])


@pytest.mark.parametrize(("n_differing", "is_twin"), [(0, True), (2, True), (3, True), (4, False)])
def test_twins_are_noted_and_change_no_verdict(n_differing, is_twin):
    statistics = means(scores_of_two(60, n_differing, np.random.default_rng(5)))
    found = [said for said in compared(statistics).notes if said.code == "twins"]
    assert [set(said.values["about"]) for said in found] == [{"s0", "s1"}] * is_twin
    alone = means(scores_of_two(60, n_differing, np.random.default_rng(5))).select(["s0", "s2"])
    assert "twins" not in codes(compared(alone).notes)


def test_good_systems_that_are_right_nearly_everywhere_are_no_twins():
    rng = np.random.default_rng(8)
    right = (rng.random((2, 400)) < 0.98).astype(float)
    assert "twins" not in codes(compared(means(right)).notes)
    # Of the same mistakes nine in ten are those of one system.
    wrong = (rng.random(400) < 0.3).astype(float)
    assert "twins" in codes(compared(means(np.stack([wrong, wrong]))).notes)


def test_the_same_output_under_two_names():
    texts = mt.Texts.from_texts(reference=REFERENCE, systems={"a": FAIR, "again": FAIR, "b": POOR})
    measured = [mt.measure(texts, metric) for metric in ("BLEU", "chrF")]
    found = [said for said in compared(measured).notes if said.code == "twins"]
    assert [set(said.values["about"]) for said in found] == [{"a", "again"}]


# --- settings -------------------------------------------------------------------------------------


def test_one_metric_with_two_settings_is_compared_under_two_names():
    texts = mt.Texts.from_texts(reference=REFERENCE, systems={"fair": FAIR, "poor": POOR})
    both = [mt.measure(texts, "BLEU", tokenize=own) for own in ("13a", "char")]
    labels = ["BLEU (tokenize=13a)", "BLEU (tokenize=char)"]
    found = compared(both)
    assert list(found.metrics) == labels
    assert found.n_comparisons == 2
    for label, alone in zip(labels, both, strict=True):
        assert found.scores[label].to_dict() == alone.scores().to_dict()
        assert found.metric_signatures[label] == alone.signature
    with pytest.raises(mt.InputError, match=naming("'BLEU'", "twice")):
        compared([both[0], both[0]])


def test_only_settings_that_differ_are_named():
    texts = mt.Texts.from_texts(reference=REFERENCE, systems={"fair": FAIR})
    metrics = [BLEU(), BLEU(lowercase=True), BLEU(lowercase=True, tokenize="intl"), chrF()]
    found = told_apart(mt.measure(texts, metric) for metric in metrics)
    assert [one.label for one in found] == [
        "BLEU (tokenize=13a, lowercase=no)",
        "BLEU (tokenize=13a, lowercase=yes)",
        "BLEU (tokenize=intl, lowercase=yes)",
        "chrF",
    ]
