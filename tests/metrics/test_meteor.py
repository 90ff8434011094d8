"""METEOR in Python: its alignment, its tokenisation, and agreement with METEOR's jar."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_nb.metrics import METEOR, METEORJar, meteor
from mtsig_nb.metrics.meteor import EXACT, STEM, WordLists, align, frequent_words, tokenize

from .texts import corpus_score, needs_jar, needs_java, translations, wmt12

short = st.lists(st.sampled_from("abcde"), max_size=8)


def count_chunks(pairs: list[tuple[int, int]]) -> int:
    """Runs of pairs, in the order of the reference, that go on by one on both sides."""
    previous = [(None, None), *pairs]
    return sum((i - 1, j - 1) != before for before, (i, j) in zip(previous, pairs, strict=False))


def test_fewest_chunks_are_chosen():
    # "the" and "a" occur twice; crossing over would make five chunks of one word.
    matches, chunks = align(
        ["the", "cat", "and", "the", "dog"], ["the", "dog", "and", "the", "cat"]
    )
    assert [match[:2] for match in matches] == [(3, 0), (4, 1), (2, 2), (0, 3), (1, 4)]
    assert chunks == 3


def test_stems_match_after_words():
    matches, _ = align(["walks", "walk"], ["walk"], (["walk", "walk"], ["walk"]))
    assert matches == [(1, 0, EXACT)]
    assert align(["walks"], ["walk"], (["walk"], ["walk"]))[0] == [(0, 0, STEM)]
    assert align(["walks"], ["walk"]) == ([], 0)


@given(hypothesis=short, reference=short)
def test_alignments_are_one_to_one_and_as_large_as_can_be(hypothesis, reference):
    matches, chunks = align(hypothesis, reference)
    pairs = [match[:2] for match in matches]
    assert all(hypothesis[i] == reference[j] for i, j in pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert len(pairs) == (Counter(hypothesis) & Counter(reference)).total()
    assert chunks == count_chunks(pairs)


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [
        ("en", "", ""),
        ("en", "It's John's 1990's, isn't it?", "it 's john 's 1990 's , isn 't it ?"),
        ("en", "‘so’ “far” ''good''", '\' so \' " far " " good "'),
        ("en", "U.S. vs. him... and E.U.", "us vs. him ... and eu"),
        ("en", "3.5%, 1,000; x,y", "3.5 % , 1,000 ; x , y"),
        ("en", "mid-1990s – well--done -", "mid 1990s - well done -"),
        ("en", "Etc. and more", "etc. and more"),  # lower case follows: no end of sentence
        ("en", "a\u00a0b\u3000c", "a b c"),
        ("fr", "L'été d'Anne", "l' été d' anne"),
        ("es", "l'alba", "l ' alba"),
    ],
)
def test_tokenisation_without_lists(language, line, words):
    assert tokenize(line, language) == words.split()


def test_tokenisation_with_abbreviations():
    lists = WordLists(frozenset(), frozenset({"Mr"}), frozenset({"No"}))
    words = ["mr.", "low", "said", "no", ".", "no.", "5"]
    assert tokenize("Mr. Low said No. No. 5", "en", lists) == words


def test_function_words_are_the_frequent_ones():
    lines = [["the"] * 3 + ["rare"], ["word"] * 2996]
    # One of 3,000 words is too rare; three of them are just frequent enough.
    assert frequent_words(lines) == {"the", "word"}


def test_score_by_hand():
    # Function words: the, of, and each other word of these two lines, so delta plays no part.
    # "the house of tea" / "tea of the house": 4 matches of 4 and 4; in the order of the reference
    # tea(3) of(2) the(0) house(1): chunks tea | of | the house = 3.
    # P = R = 1, the mean is 1; fragmentation 3/4, penalty 0.6 · 0.75 ** 0.2.
    metric = METEOR(word_lists="references")
    stats = metric.statistics(["the house of tea"], [["tea of the house"]])
    assert metric.score(stats[0]) == pytest.approx(1 - 0.6 * 0.75**0.2)


def test_whole_segments_are_not_fragmented():
    metric = METEOR(word_lists="references")
    stats = metric.statistics(["the same", "not quite"], [["the same", "not quite that"]])
    assert stats[:, -1].tolist() == [0, 1]
    assert metric.score(stats[0]) == 1.0


@pytest.mark.takes_time
@needs_java
@pytest.mark.parametrize("n_references", [1, 3])
def test_equals_the_jar_on_made_up_texts(n_references):
    hypotheses, references = translations(200, n_references, seed=n_references)
    jar = METEORJar(modules=("exact", "stem"))
    ours = METEOR(word_lists="meteor-1.5")
    assert ours.columns == jar.columns
    np.testing.assert_array_equal(
        ours.statistics(hypotheses, references), jar.statistics(hypotheses, references)
    )


@pytest.mark.thorough
@needs_jar
def test_equals_the_published_run_of_the_jar():
    # METEOR 1.5 with -l en -norm -m "exact stem" prints 0.31020879 for this output.
    reference, outputs = wmt12()
    score = corpus_score(METEOR(), outputs["GTH-UPM"], [reference])
    assert score == pytest.approx(0.310209, abs=0.0005)


def test_word_lists_are_settled_at_once(monkeypatch):
    monkeypatch.setattr(meteor, "find_jar", lambda: None)
    assert METEOR().word_lists == "references"
    assert METEOR() == METEOR(word_lists="references")
    monkeypatch.setattr(meteor, "find_jar", lambda: "somewhere")
    assert METEOR().settings == {"language": "en", "word_lists": "meteor-1.5"}
