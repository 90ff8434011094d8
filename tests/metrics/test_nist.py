"""NIST: equal to mteval-v13a, and to a second, plain implementation of its definition."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from mtsig_nb.metrics import NIST
from mtsig_nb.metrics.nist import tokenize

from .texts import corpus_score, translations, wmt12


def nist_by_definition(hypotheses: list[list[str]], references: list[list[list[str]]]) -> float:
    """NIST of tokenised texts, n-grams as tuples; no "0" among the words."""

    def ngrams(words, n):
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]

    lines = [words for reference in references for words in reference]
    counts = Counter(gram for words in lines for n in range(1, 6) for gram in ngrams(words, n))
    counts[()] = sum(len(words) for words in lines)
    information = {gram: math.log2(counts[gram[:-1]] / counts[gram]) for gram in counts if gram}
    score = 0.0
    for n in range(1, 6):
        gained, total = 0.0, 0
        for hypothesis, *translations_ in zip(hypotheses, *references, strict=True):
            total += len(ngrams(hypothesis, n))
            for gram, count in Counter(ngrams(hypothesis, n)).items():
                most = max(ngrams(words, n).count(gram) for words in translations_)
                gained += information.get(gram, 0.0) * min(count, most)
        score += gained / max(total, 1)
    hyp_len = sum(map(len, hypotheses))
    ratio = hyp_len / (counts[()] / len(references))
    # The penalty is 1/2 at a ratio of 2/3: 0.5 ** (log(ratio) / log(2/3)) ** 2.
    return score * 0.5 ** ((math.log(min(ratio, 1.0)) / math.log(2 / 3)) ** 2)


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("system", "lowercase", "expected"),
    [
        ("GTH-UPM", False, 7.4759),  # with -c
        ("GTH-UPM", True, 7.9817),
        ("onlineB", False, 8.9040),
        ("uk-dan-moses", False, 6.4168),
    ],
)
def test_equals_what_mteval_prints(system, lowercase, expected):
    reference, outputs = wmt12()
    assert round(corpus_score(NIST(lowercase), outputs[system], [reference]), 4) == expected


@pytest.mark.parametrize("n_references", [1, 2, 4])
@pytest.mark.parametrize("seed", range(3))
def test_equals_its_definition(n_references, seed):
    hypotheses, references = translations(30, n_references, seed=seed)
    hypotheses = [line.replace("0", "zero") for line in hypotheses]
    references = [[line.replace("0", "zero") for line in lines] for lines in references]
    expected = nist_by_definition(
        [tokenize(line) for line in hypotheses],
        [[tokenize(line) for line in lines] for lines in references],
    )
    assert corpus_score(NIST(), hypotheses, references) == pytest.approx(expected, abs=1e-6)


def test_a_zero_is_no_context_in_mteval():
    # mteval-v13a computes 4.298205 for these lines (run with -c).
    hypotheses = ["They won 0 - 0 , 0 to 1 ; 0 again .", "a 0 x 0 x 0 y"]
    reference = ["They won 5 - 0 , 0 to 0 ; and 0 again .", "zero 0 x 0 y 0 x"]
    assert corpus_score(NIST(), hypotheses, [reference]) == pytest.approx(4.298205, abs=5e-7)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", ""),
        ("  two  spaces ", "two spaces"),
        ("Don't.", "Don't ."),
        ("1,000.50, 3.", "1,000.50 , 3 ."),
        ("(a/b)", "( a / b )"),
        ("well-known 1990-95 B-52", "well-known 1990 - 95 B-52"),
        ("&quot;R&amp;D&quot; &lt;3", '" R & D " < 3'),
        ("a\u00a0b\u3000c", "a b c"),
        ("<skipped>x", "x"),
        ("…«é»", "…«é»"),  # beyond ASCII nothing is punctuation
    ],
)
def test_tokenisation(line, words):
    assert tokenize(line) == tuple(words.split())
