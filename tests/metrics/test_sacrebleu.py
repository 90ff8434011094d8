"""BLEU, chrF and TER: their scores of summed statistics are sacreBLEU's corpus scores."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_nb.metrics import BLEU, TER, chrF
from mtsig_nb.metrics.bleu import SMOOTHING

from .texts import corpus_score, translations

BLEU_SETTINGS = [{}, {"tokenize": "intl", "lowercase": True}, {"tokenize": "char"}]
PAIRS = [
    *((BLEU, sacrebleu.BLEU, settings) for settings in BLEU_SETTINGS),
    *((BLEU, sacrebleu.BLEU, {"smooth_method": method}) for method in SMOOTHING),
    (chrF, sacrebleu.CHRF, {}),
    (chrF, sacrebleu.CHRF, {"word_order": 2}),
    (chrF, sacrebleu.CHRF, {"char_order": 4, "beta": 3, "lowercase": True, "whitespace": True}),
    (TER, sacrebleu.TER, {}),
    (TER, sacrebleu.TER, {"normalized": True, "case_sensitive": True}),
    (TER, sacrebleu.TER, {"no_punct": True, "asian_support": True}),
]
pairs = pytest.mark.parametrize(("ours", "theirs", "settings"), PAIRS)
#: Few enough words that tiny test sets often match, and often do not: where an order has no match,
#: or not even an n-gram, smoothing decides.
tiny_lines = st.lists(st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), min_size=3,
                      max_size=3)  # fmt: skip


def check(ours, theirs, settings, hypotheses, references):
    """The score of summed statistics, and the signature but for the number of references."""
    expected, metric = theirs(**settings), ours(**settings)
    score = expected.corpus_score(hypotheses, references).score
    assert corpus_score(metric, hypotheses, references) == pytest.approx(score, abs=1e-9, rel=0)
    own = expected.get_signature().format().split("|")
    assert metric.signature.split("|")[1:] == [part for part in own if "nrefs" not in part]


@pairs
@pytest.mark.parametrize("n_references", [1, 3])
def test_made_up_texts(ours, theirs, settings, n_references):
    check(ours, theirs, settings, *translations(40, n_references, seed=n_references))


@pairs
@settings(max_examples=50)
@given(hypotheses=tiny_lines, reference=tiny_lines)
def test_tiny_test_sets(ours, theirs, settings, hypotheses, reference):
    check(ours, theirs, settings, hypotheses, [reference])


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
    st.text("aBΣ.,-'&5<>; \t\u00a0\x1c\u3000\n\0", max_size=12)
    | st.sampled_from(
        ["<skipped>.5", "x-<skipped>", "&quot;.", "a -\nb", "5. .5 ,,", "ΑΣ ΑΣ.", ". \0 ."]
    ),
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
