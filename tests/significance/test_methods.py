"""What was done, in a sentence and a signature."""

from __future__ import annotations

import re

import pytest

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES

from ..messages import naming

SYSTEMS = ["UPC", "onlineA", "onlineC"]


def real(metric: str = "BLEU") -> mt.SufficientStatistics:
    return mt.load("wmt12/es-en").statistics(metric).select(SYSTEMS)


@pytest.mark.parametrize("test", PROCEDURES)
def test_a_sentence_names_the_test_its_paper_and_all_numbers(test):
    found = mt.compare_all(real(), test=test, n_resamples=300, alpha=0.01, rng=7, interval=None)
    said = found.methods_sentence()
    assert PROCEDURES[test].title in said
    assert re.findall(r"\b(?:1991|2004|2005|2014|2020)\b", PROCEDURES[test].source)[0] in said
    for part in (
        "BLEU",
        "3 systems",
        "wmt12/es-en",
        "0.01",
        "Holm's (1979) correction for 3 compar",
    ):
        assert part in said
    assert f"two-sided; 300 {found.draws} of 3,003 segments" in said
    assert said.endswith(f"Computed by mtsig_nb {mt.__version__} (seed 7).")
    assert "ntervals" not in said


@pytest.mark.parametrize("correction", [*OF_PVALUES, *OF_RESAMPLES, None])
def test_every_correction_is_named(correction):
    test = "bootstrap" if correction == "romano-wolf" else "approximate-randomization"
    found = mt.compare_all(
        [real(), real("TER")], test=test, correction=correction, n_resamples=200, rng=1
    )
    said = found.methods_sentence()
    named = (correction or "uncorrected").partition("-")[0][:5].replace("sidak", "Šidák")
    assert named.casefold() in said.casefold()
    assert "for 6 comparisons" in said
    intervals = naming("uncorrected 95 %", "percentile bootstrap intervals", "2,000", "segments")
    assert re.search(intervals, said)
    assert f"|cor:{correction or 'none'}|family:6|" in found.signature


def test_what_was_drawn_further_and_what_was_enumerated_is_said():
    ter = mt.load("wmt12/es-en").statistics("TER")
    further = mt.compare_all(ter, units="documents", rng=1, interval=None)
    most = further.table["n_resamples"].max()
    assert most > 10_000
    assert f"up to {most:,} where" in further.methods_sentence()
    assert f"|n:10000-{most}|" in further.signature
    bleu = real()
    values = bleu.values.copy()
    values[1] = values[0]
    values[1, :3] = bleu.values[1, :3]
    near = mt.SufficientStatistics(bleu.metric, bleu.systems, values)
    some = mt.compare_all(near, n_resamples=200, rng=1, interval=None)
    assert "all arrangements for 1)" in some.methods_sentence()


@pytest.mark.takes_time
def test_two_results_have_one_signature_only_if_they_are_made_alike():
    options = {"n_resamples": 200, "rng": 1}
    first = mt.compare_all(real(), **options).signature
    assert first == mt.compare_all(real(), **options).signature
    others = {"rng": 2, "n_resamples": 201, "test": "bootstrap", "correction": "bonferroni"}
    others |= {"alpha": 0.01, "alternative": "greater", "units": "documents", "counting": "plain"}
    others |= {"confidence_level": 0.9, "interval": "basic", "interval_resamples": 500}
    for name, value in [*others.items(), ("interval", None)]:
        assert mt.compare_all(real(), **(options | {name: value})).signature != first
    assert mt.compare_all(real("TER"), **options).signature != first
    ours, bleus = first.split(" || ")
    assert bleus == real().signature
    assert all(re.fullmatch(r"[a-z]+:[^|:]+", part) for part in ours.split("|"))
