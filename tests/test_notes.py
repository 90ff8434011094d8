"""Notes are found by code, and are strings wherever strings are wanted."""

from __future__ import annotations

import pickle
import re
import string

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.cli.printing import as_note
from mtsig_nb.notes import SENTENCES, Note, code_of, note, together
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.sentences import Option
from mtsig_nb.widgets.panels import in_own_words

from .messages import naming, printed


def test_a_note_is_its_sentence():
    one = note("exact", n=4096)
    assert one == "exact: 4,096 arrangements"
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.code, again.values) == (one, "exact", {"n": 4096})
    assert code_of("exact: 4,096 arrangements") == ""


def test_a_note_without_what_its_sentence_needs_cannot_be_made():
    for code, sentence in SENTENCES.items():
        fields = {field for _, field, *_ in string.Formatter().parse(sentence)}
        if fields - {None, "option"}:
            with pytest.raises(KeyError):
                note(code)
        elif "option" in fields:
            assert any(isinstance(part, Option) for part in note(code).parts)
        else:
            assert note(code) == sentence


def test_options_in_notes_are_data():
    """No sentence has an option in Python's words, which another face would have to look for."""
    written = re.compile(r"\b(" + "|".join(Analysis().to_dict()) + r")=(?!\{)")
    for code, sentence in SENTENCES.items():
        assert not written.search(re.sub(r"\{option:.*?\}", "", sentence)), code


def test_each_face_names_options_in_its_own_words():
    found = note("shared-supposed", unit="segments", because="rows are counted", how="they are one")
    assert re.search(naming("shared=True", "shared=False"), found)
    assert re.search(naming("--shared yes", "--shared no"), as_note(found))
    assert in_own_words(found).count("under More") == 2
    again = pickle.loads(pickle.dumps(found))
    assert as_note(again) == as_note(found)


def test_what_is_named_by_the_user_is_no_option():
    found = note("given-twice", file="units='documents'")
    assert as_note(found) == f"Note: {found}."
    assert in_own_words(found) == found


def test_notes_in_notes_keep_their_options():
    inner = note("or-documents")
    several = together([note("exact", n=4), note("few-units", n=3, unit=inner)])
    assert as_note(several).count("--units documents") == 1


def test_errors_name_options_as_data():
    bleu = mt.load("wmt12/es-en").statistics("BLEU")
    with pytest.raises(mt.InputError) as caught:
        mt.compare_all(bleu, test="bootstrap", correction="westfall-young")
    assert str(caught.value).startswith("correction='westfall-young'")
    assert in_own_words(caught.value.sentence).startswith("“correction: westfall-young”")


def test_cells_of_a_table_keep_their_notes_apart():
    few = mt.load("wmt12/es-en").statistics("BLEU").subset(np.arange(12))
    found = mt.compare_all(few, test="sign-flip", n_resamples=200, rng=1, interval=None)
    for cell in found.table["note"]:
        notes = cell.values["notes"]
        assert cell == together(notes)
        assert all(isinstance(n, Note) for n in notes)
    assert {n.code for cell in found.table["note"] for n in cell.values["notes"]} >= {"few-units"}


def test_the_pitfall_is_found_by_code():
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "UPC"])
    test = "riezler-maxwell-bootstrap"
    found = mt.compare_all(bleu, test=test, n_resamples=200, rng=1, interval=None)
    assert {code_of(n) for n in found.caveats} >= {"one-tail", "documents-ignored"}


@pytest.mark.parametrize("code", SENTENCES)
def test_printed_notes_are_found_again_by_their_codes(code):
    """What other tests take for granted, of each sentence with values that are told apart."""
    fields = [
        (name, spec)
        for _, name, spec, _ in string.Formatter().parse(SENTENCES[code])
        if name not in (None, "option")
    ]
    values = {name: n for n, (name, _) in enumerate(fields, start=11)}
    shown = {name for name, spec in fields if "|" not in (spec or "")}
    found = note(code, **values)
    page = f"Of this nothing is said. {as_note(found)} Nor of that."
    (again,) = printed(page, code)
    assert again.keys() == shown
    in_order = re.findall(r"1\d", " ".join(again.values()))
    assert in_order == [str(values[name]) for name in again]
    assert printed([str(found), "another"], code) == printed(str(found), code)
    assert printed("Of this nothing is said.", code) == []
