"""Settings of metrics: what a type takes, what it refuses, and what a command line's texts mean."""

from __future__ import annotations

import dataclasses
import re
import sys

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics import (
    BLEU,
    GTM,
    REGISTRY,
    DependencyF,
    METEORJar,
    SegmentMean,
    chrF,
    get,
)

#: More digits than Python prints, whether in a message of ours or in the name of a test.
HUGE = pytest.param(10**5000, id="huge")


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        *((word, True) for word in ("yes", "on", "true", "1", "True", "YES", 1, True, np.True_)),
        *((word, False) for word in ("no", "off", "false", "0", "FALSE", 0, False, np.int64(0))),
    ],
)
def test_yes_and_no_in_all_obvious_words(value, meant):
    made = BLEU(lowercase=value)
    assert made.lowercase is meant
    assert made == BLEU(lowercase=meant)
    assert ("case:lc" in made.signature) is meant


@pytest.mark.parametrize("value", ["nope", '"false"', "[]", "", "2", [], None, 2, 1.0, HUGE])
def test_everything_else_is_neither(value):
    with pytest.raises(mt.InputError, match=r"^lowercase=.* is neither yes nor no\. Give True"):
        BLEU(lowercase=value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BLEU(tokenize=[1]), "tokenize=[1] is not a text."),
        (lambda: BLEU(smooth_value=float("nan")), "smooth_value=nan is not a finite number."),
        (lambda: BLEU(smooth_value=True), "smooth_value=True is not a finite number."),
        (lambda: BLEU(smooth_value="x"), "smooth_value='x' is not a finite number."),
        (lambda: BLEU(smooth_value=-0.5), "smooth_value=-0.5 must be at least 0."),
        (
            lambda: BLEU(smooth_value=10**400),
            "smooth_value=100000000000000000...0000000000000000000 is not a finite number.",
        ),
        (lambda: chrF(word_order=float("nan")), "word_order=nan is not a whole number."),
        (lambda: chrF(beta=True), "beta=True is not a whole number."),
        (lambda: chrF(beta="1e308"), "beta='1e308' is not a whole number."),
        (lambda: chrF(char_order=1_000_000), "char_order=1000000 must be at most 50."),
        (lambda: chrF(beta=10**5000), "beta=<thousands of digits> must be at most 1000."),
        (lambda: DependencyF(ignore=3), "ignore=3 is not a list of texts."),
        (lambda: DependencyF(ignore=["punct", 3]), "ignore=3 is not a text."),
        (lambda: SegmentMean(resolution="fine"), "resolution='fine' is not a finite number."),
    ],
)
def test_a_value_of_another_type_or_size_is_refused(make, message):
    with pytest.raises(mt.InputError, match=f"^{re.escape(message)}"):
        make()


def test_texts_are_read_by_the_type_of_the_setting():
    made = get("chrF", char_order="4", beta="3", whitespace="yes")
    assert made == chrF(char_order=4, beta=3, whitespace=True)
    assert get("BLEU", smooth_method="floor", smooth_value="0.3") == BLEU(
        smooth_method="floor", smooth_value=0.3
    )
    assert get("BLEU", smooth_value="none", tokenize="none") == BLEU(tokenize="none")
    assert DependencyF(ignore="punct+root") == DependencyF(ignore=("punct", "root"))
    assert METEORJar(modules="exact+stem").modules == ("exact", "stem")


def test_numbers_of_other_libraries_become_plain_ones():
    made = chrF(char_order=np.int64(4), beta=np.float64(2))
    assert (type(made.char_order), type(made.beta)) == (int, int)
    assert type(BLEU(smooth_value=np.float32(0.5)).smooth_value) is float
    assert type(BLEU(tokenize=np.str_("intl")).tokenize) is str


@pytest.mark.parametrize("metric", REGISTRY.values())
def test_every_setting_of_every_metric_has_a_type_that_is_checked(metric):
    for field in dataclasses.fields(metric):
        with pytest.raises(mt.InputError, match=f"^{field.name}="):
            metric(**{field.name: object()})


# --- what has to be installed ---------------------------------------------------------------------

TEXTS = mt.Texts.from_texts(reference=["one", "two"], systems={"A": ["one", "too"]})


@pytest.mark.parametrize("metric", [BLEU, GTM])
@pytest.mark.parametrize("tokenizer", ["flores200", "spBLEU-1K"])
def test_a_tokenizer_without_its_package_is_refused_before_counting(monkeypatch, metric, tokenizer):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.setattr(metric, "statistics", None)  # would fail if it were called
    with pytest.raises(
        mt.InputError, match=f"^tokenize='{tokenizer}' cannot be loaded: .*pip install sentencepie"
    ):
        mt.measure(TEXTS, metric(tokenize=tokenizer), cache=False)


def test_a_model_that_cannot_be_had_is_no_traceback(monkeypatch):
    def fail(**_):
        raise OSError("no network")

    bleu = BLEU()
    monkeypatch.setattr("sacrebleu.metrics.bleu.BLEU", fail)
    with pytest.raises(mt.InputError, match=r"tokenize='13a' cannot be loaded: no network\. Or"):
        bleu.statistics(["a"], [["a"]])
