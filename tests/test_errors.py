"""Messages about names: a hint only where one name is a slip of the other."""

from __future__ import annotations

import pytest

from mtsig_nb.errors import unknown_name


def hint(typed: str, *known: str) -> str | None:
    _, found, after = str(unknown_name("x", typed, known)).partition("Did you mean '")
    return after.split("'")[0] if found else None


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("COMET", ["METEOR", "NIST"]),
        ("MetricX", ["METEOR"]),
        ("wmt12/fr-en", ["wmt22/ru-en", "wmt12/es-en", "wmt12/de-en"]),
        ("wmt12", ["wmt12/es-en"]),
        ("C", ["A", "B"]),
    ],
)
def test_another_name_is_no_slip(typed, known):
    assert hint(typed, *known) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("BELU", "BLEU"),
        ("bleu", "BLEU"),
        ("wmt12/esen", "wmt12/es-en"),
        ("wmt21/es-en", "wmt12/es-en"),
        ("lower_case", "lowercase"),
        ("two-tailed", "two-sided"),
        ("aproximate-randomisation", "approximate-randomization"),
    ],
)
def test_a_slip_is_named(typed, meant):
    assert hint(typed, "METEOR", meant, "something else") == meant


def test_a_message_lists_no_thousands_of_names():
    message = str(unknown_name("column", "x", [f"m{i}" for i in range(3000)]))
    assert message.endswith("'m99' and 2,900 more.")
