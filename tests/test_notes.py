"""Notes are found by code, and are strings wherever strings are wanted."""

from __future__ import annotations

import pickle
import string

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.notes import SENTENCES, Note, code_of, note, together


def test_a_note_is_its_sentence():
    one = note("exact", n=4096)
    assert one == "exact: 4,096 arrangements"
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.code, again.values) == (one, "exact", {"n": 4096})
    assert code_of("exact: 4,096 arrangements") == ""


def test_a_note_without_what_its_sentence_needs_cannot_be_made():
    for code, sentence in SENTENCES.items():
        if any(field for _, field, *_ in string.Formatter().parse(sentence)):
            with pytest.raises(KeyError):
                note(code)
        else:
            assert note(code) == sentence


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
