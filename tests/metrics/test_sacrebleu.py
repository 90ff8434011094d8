"""BLEU, chrF and TER: their scores of summed statistics are sacreBLEU's corpus scores."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from mtsig_nb.metrics import BLEU, TER, chrF
from mtsig_nb.metrics.bleu import SMOOTHING

from .texts import corpus_score, translations

TOLERANCE = 1e-9
BLEU_SETTINGS = [{}, {"tokenize": "intl", "lowercase": True}, {"tokenize": "char"}]
CHRF_SETTINGS = [
    {},
    {"word_order": 2},
    {"char_order": 4, "beta": 3, "lowercase": True, "whitespace": True},
]
TER_SETTINGS = [
    {},
    {"normalized": True, "case_sensitive": True},
    {"no_punct": True, "asian_support": True},
]
PAIRS = [
    *((BLEU, sacrebleu.BLEU, settings) for settings in BLEU_SETTINGS),
    *((chrF, sacrebleu.CHRF, settings) for settings in CHRF_SETTINGS),
    *((TER, sacrebleu.TER, settings) for settings in TER_SETTINGS),
]
pairs = pytest.mark.parametrize(("ours", "theirs", "settings"), PAIRS)
#: Few enough words that tiny test sets often match, and often do not.
tiny_lines = st.lists(st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), min_size=3,
                      max_size=3)  # fmt: skip


@pairs
@pytest.mark.parametrize("n_references", [1, 3])
def test_made_up_texts(ours, theirs, settings, n_references):
    hypotheses, references = translations(40, n_references, seed=n_references)
    expected = theirs(**settings).corpus_score(hypotheses, references).score
    assert corpus_score(ours(**settings), hypotheses, references) == pytest.approx(
        expected, abs=TOLERANCE, rel=0
    )


@given(hypotheses=tiny_lines, reference=tiny_lines, method=st.sampled_from([*SMOOTHING]))
def test_bleu_of_tiny_test_sets(hypotheses, reference, method):
    # Where an order has no match, or not even an n-gram, smoothing decides.
    expected = sacrebleu.BLEU(smooth_method=method).corpus_score(hypotheses, [reference]).score
    assert corpus_score(BLEU(smooth_method=method), hypotheses, [reference]) == pytest.approx(
        expected, abs=TOLERANCE, rel=0
    )


@pytest.mark.parametrize("method", SMOOTHING)
def test_bleu_smoothing(method):
    hypotheses, references = ["a b c d", "b c x"], [["a b d c", "b c y"]]
    theirs, ours = sacrebleu.BLEU(smooth_method=method), BLEU(smooth_method=method)
    expected = theirs.corpus_score(hypotheses, references).score
    assert corpus_score(ours, hypotheses, references) == pytest.approx(expected, abs=TOLERANCE)
    assert ours.signature.split("|")[4] == theirs.get_signature().format().split("|")[4]


@given(hypotheses=tiny_lines, reference=tiny_lines, pair=st.sampled_from(PAIRS))
def test_tiny_test_sets(hypotheses, reference, pair):
    ours, theirs, settings = pair
    expected = theirs(**settings).corpus_score(hypotheses, [reference]).score
    assert corpus_score(ours(**settings), hypotheses, [reference]) == pytest.approx(
        expected, abs=TOLERANCE, rel=0
    )


@pytest.mark.parametrize("n_references", [1, 3])
@pytest.mark.parametrize("settings", BLEU_SETTINGS)
def test_bleu_counts_in_every_segment_what_sacrebleu_counts(settings, n_references):
    hypotheses, references = translations(40, n_references, seed=n_references)
    metric, theirs = BLEU(**settings), sacrebleu.BLEU(**settings)
    for lines in (hypotheses, references[-1], [""] * 40, hypotheses[::-1]):
        expected = theirs._extract_corpus_statistics(lines, references)
        assert metric.statistics(lines, references).tolist() == expected


#: What 13a cuts, joins and looks around for.
cut_lines = st.lists(
    st.text("aBΣ.,-'&5<>; \t\u00a0\x1c\u3000\n", max_size=12)
    | st.sampled_from(["<skipped>.5", "x-<skipped>", "&quot;.", "a -\nb", "5. .5 ,,", "ΑΣ ΑΣ."]),
    min_size=2,
    max_size=2,
)


@given(hypotheses=cut_lines, reference=cut_lines, lowercase=st.booleans())
def test_words_cut_up_alone_are_as_in_their_line(hypotheses, reference, lowercase):
    expected = sacrebleu.BLEU(lowercase=lowercase)._extract_corpus_statistics(
        hypotheses, [reference]
    )
    metric = BLEU(lowercase=lowercase)
    assert metric.statistics(hypotheses, [reference]).tolist() == expected
