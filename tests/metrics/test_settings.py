"""Settings of metrics: what a type takes, what it refuses, and what a command line's texts mean."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics import BLEU, GTM, REGISTRY, METEORJar, SegmentMean, chrF, get

from ..messages import naming


@pytest.mark.parametrize("value", ["yes", "on", "true", "1", "True", "YES", 1, True, np.True_])
def test_yes_in_all_obvious_words(value):
    assert BLEU(lowercase=value).lowercase is True


@pytest.mark.parametrize("value", ["no", "off", "false", "0", "FALSE", 0, False, np.int64(0)])
def test_no_in_all_obvious_words(value):
    assert BLEU(lowercase=value).lowercase is False


@pytest.mark.parametrize("value", ["nope", '"false"', "[]", "", "2", [], None, 2, 1.0])
def test_everything_else_is_neither(value):
    with pytest.raises(mt.InputError, match=r"^lowercase=.* Give True"):
        BLEU(lowercase=value)


@pytest.mark.parametrize(
    ("make", "culprit", "what"),
    [
        (lambda: BLEU(tokenize=[1]), "tokenize=[1]", "a text"),
        (lambda: SegmentMean(resolution=float("nan")), "resolution=nan", "finite number"),
        (lambda: SegmentMean(resolution=True), "resolution=True", "finite number"),
        (
            lambda: SegmentMean(resolution=10**400),
            "resolution=100000000000000000...0000000000000000000",
            "finite number",
        ),
        (lambda: chrF(beta=0), "beta=0", "1 to 1000"),
        (lambda: chrF(word_order=float("nan")), "word_order=nan", "whole number"),
        (lambda: chrF(beta=True), "beta=True", "whole number"),
        (lambda: chrF(beta="1e308"), "beta='1e308'", "whole number"),
        (lambda: chrF(char_order=1_000_000), "char_order=1000000", "1 to 50"),
        (lambda: METEORJar(modules=3), "modules=3", "list of texts"),
        (lambda: METEORJar(modules=["exact", 3]), "modules=['exact', 3]", "list of texts"),
        (lambda: SegmentMean(resolution="fine"), "resolution='fine'", "finite number"),
    ],
)
def test_a_value_of_another_type_or_size_is_refused(make, culprit, what):
    with pytest.raises(mt.InputError, match=naming(f"{culprit} ", what)):
        make()


def test_texts_are_read_by_the_type_of_the_setting():
    made = get("chrF", char_order="4", beta="3", whitespace="yes")
    assert made == chrF(char_order=4, beta=3, whitespace=True)
    assert METEORJar(modules="exact+stem").modules == ("exact", "stem")


def test_numbers_of_other_libraries_become_plain_ones():
    made = chrF(char_order=np.int64(4), beta=np.float64(2))
    assert (type(made.char_order), type(made.beta)) == (int, int)
    assert type(SegmentMean(resolution=np.float32(0.5)).resolution) is float
    assert type(BLEU(tokenize=np.str_("intl")).tokenize) is str


@pytest.mark.parametrize("metric", REGISTRY.values())
def test_every_setting_of_every_metric_has_a_type_that_is_checked(metric):
    for field in dataclasses.fields(metric):
        with pytest.raises(mt.InputError, match=f"^{field.name}="):
            metric(**{field.name: object()})


def test_what_earlier_versions_have_stored_is_read():
    assert get("BLEU", tokenize="13a", smooth_value=None) == BLEU()
    assert get("chrF", beta=2, eps_smoothing=False) == chrF()
    with pytest.raises(mt.InputError, match="'eps_smoothing' is"):
        get("chrF", eps_smoothing=True)


# --- what has to be installed ---------------------------------------------------------------------

TEXTS = mt.Texts.from_texts(reference=["one", "two"], systems={"A": ["one", "too"]})


@pytest.mark.parametrize("metric", [BLEU, GTM])
@pytest.mark.parametrize("tokenizer", ["flores200", "spBLEU-1K"])
def test_a_tokenizer_without_its_package_is_refused_before_counting(monkeypatch, metric, tokenizer):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.setattr(metric, "statistics", None)  # would fail if it were called
    with pytest.raises(mt.InputError, match=f"^tokenize='{tokenizer}' .*pip install sentencepiece"):
        mt.measure(TEXTS, metric(tokenize=tokenizer), cache=False)
