"""What differs between two outputs, in any script."""

from __future__ import annotations

import time

import numpy as np
import pytest

from mtsig_nb.texts.marking import marked


def differing(first, second):
    return tuple([part.text for part in parts if part.differs] for parts in marked(first, second))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("The cat sleeps.", "The cat sleeps.", ([], [])),
        ("The cat sleeps.", "The  cat\tsleeps. ", ([], [])),
        ("The cat sleeps.", "The cat sleeps!", (["."], ["!"])),
        ("a b c d", "a x c", (["b", "d"], ["x"])),
        ("", "new", ([], ["new"])),
        # Right to left: the words are in the order in which they are read.
        ("הכלב ישן בבית", "החתול ישן בבית", (["הכלב"], ["החתול"])),
        ("القطة تنام", "الكلبة تنام", (["القطة"], ["الكلبة"])),
        ("我们今天去公园", "他们明天去公园", (["我", "今"], ["他", "明"])),
        ("私はBERTが好き", "私はGPTが好き", (["BERT"], ["GPT"])),
        # A vowel sign stays with its letter.
        ("ที่นี่", "ที่นั่น", (["นี่"], ["นั่น"])),
        ("नमस्ते दुनिया", "नमस्कार दुनिया", (["नमस्ते"], ["नमस्कार"])),
        ("e\u0301tat", "etat", (["e\u0301tat"], ["etat"])),
        ("see 👩\u200d🚀 go", "see 👩 go", (["👩\u200d🚀"], ["👩"])),
    ],
)
def test_parts_that_differ(first, second, expected):
    assert differing(first, second) == expected
    assert differing(second, first) == expected[::-1]


def test_parts_are_the_text():
    rng = np.random.default_rng(0)
    letters = list("ab .,\t\n我ก็é\u0301א\u200d👩")
    for _ in range(300):
        first, second = ("".join(rng.choice(letters, rng.integers(0, 30))) for _ in range(2))
        for text, parts in zip((first, second), marked(first, second), strict=True):
            assert "".join(part.text for part in parts) == text


def test_long_texts_take_no_time():
    rng = np.random.default_rng(0)
    first, second = (" ".join(rng.choice(list("abcdefgh"), 50_000)) for _ in range(2))
    start = time.perf_counter()
    parts, _ = marked(first, second)
    assert time.perf_counter() - start < 5
    assert any(part.differs for part in parts)
