"""What texts show of themselves: copies, tokens, subword units, scripts without spaces."""

from __future__ import annotations

import logging

import pytest
from sacrebleu.metrics import BLEU

import mtsig_nb as mt
from mtsig_nb.texts.doubts import notes_on_texts
from mtsig_nb.texts.scripts import length_of_words, script_without_spaces

WORDS = ["tea", "milk", "bread", "honey", "salt"]


def sentences(n: int, end: str = ".") -> list[str]:
    return [f"We bought {WORDS[i % 5]} and {i} cups{end}" for i in range(n)]


def codes(hypotheses, *references) -> dict[str, tuple[str, ...]]:
    return {
        said.code: said.values.get("about", ()) for said in notes_on_texts(hypotheses, references)
    }


@pytest.mark.parametrize("n", [99, 100, 150])
def test_tokenized_outputs_are_noted_where_sacrebleu_warns(n, caplog):
    output, reference = sentences(n, " .") + sentences(200), sentences(n + 200)
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        BLEU().corpus_score(output, [reference])
    warned = any("tokenized period" in record.message for record in caplog.records)
    assert ("tokenized" in codes({"A": output, "B": reference}, reference)) == warned
    assert warned == (n >= 100)


def test_tokenized_outputs_of_a_short_test_set_stand_out_from_the_reference():
    reference = sentences(30)
    assert codes({"A": sentences(30, " .")}, reference) == {"tokenized": ("A",)}
    # Where the reference is written so too, nothing stands out.
    assert "tokenized" not in codes({"A": sentences(30, " .")}, sentences(30, " ."))
    assert not codes({"A": sentences(30, "!")}, reference)


@pytest.mark.parametrize("text", ["We bou@@ ght tea.", "\u2581We \u2581bought \u2581tea."])
def test_subword_units_are_noted(text):
    assert codes({"A": [text] * 10}, sentences(10)) == {"subwords": ("A",)}
    assert "subwords" not in codes({"A": [text] * 10}, [text] * 10)


def test_copies_of_a_reference():
    reference = sentences(40)
    other = [text.replace("bought", "had") for text in reference]
    nearly, half = reference[:39] + other[39:], reference[:20] + other[20:]
    found = codes({"human": [f"{text} " for text in reference], "A": other}, reference)
    assert found == {"copy-of-reference": ("human",)}
    assert codes({"A": nearly}, reference) == {"copy-of-reference": ("A",)}
    assert not codes({"A": half}, reference)
    assert codes({"A": other}, reference, other) == {"copy-of-reference": ("A",)}


def test_notes_go_with_their_systems():
    reference = sentences(40)
    texts = mt.Texts.from_texts(
        reference=reference,
        systems={"human": reference, "A": sentences(40, "!"), "B": sentences(40, "?")},
    )
    statistics = mt.measure(texts, "chrF", cache=False)
    assert [said.code for said in statistics.notes] == ["copy-of-reference"]
    assert statistics.select(["human", "A"]).notes == statistics.notes
    assert statistics.select(["A", "B"]).notes == ()


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("我们今天去公园散步，然后回家。", "Chinese"),
        ("今日は公園へ散歩に行きました。", "Japanese"),
        ("วันนี้เราไปเดินเล่นที่สวนสาธารณะ", "Thai"),
        ("ថ្ងៃនេះយើងទៅដើរលេងនៅសួន", "Khmer"),
        ("ມື້ນີ້ພວກເຮົາໄປຍ່າງຫຼິ້ນ", "Lao"),
        ("ဒီနေ့ ကျွန်တော်တို့ပန်းခြံသွားတယ်", "Burmese"),
        ("오늘 우리는 공원에 산책하러 갔다.", ""),
        ("Wir gingen heute in den Park (公園).", ""),
        ("", ""),
    ],
)
def test_scripts_without_spaces(text, script):
    assert script_without_spaces([text]) == script
    if script:
        assert length_of_words(text.split(), script)[1]
        assert not length_of_words(list(text), script)[1]
