"""Messages about names: a hint only where one name is a slip of the other."""

from __future__ import annotations

import re

import pytest

from mtsig_nb.errors import unknown_name

from .messages import naming


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("COMET", ["METEOR", "NIST"], None),
        ("MetricX", ["METEOR"], None),
        ("wmt12/fr-en", ["wmt22/ru-en", "wmt12/es-en", "wmt12/de-en"], None),
        ("wmt12", ["wmt12/es-en"], None),
        ("C", ["A", "B"], None),
        ("BELU", ["METEOR", "BLEU", "TER"], "BLEU"),
        ("bleu", ["METEOR", "BLEU", "TER"], "BLEU"),
        ("wmt12/esen", ["wmt12/es-en", "wmt13/es-en"], "wmt12/es-en"),
        ("wmt21/es-en", ["wmt12/es-en", "METEOR"], "wmt12/es-en"),
        ("lower_case", ["METEOR", "lowercase"], "lowercase"),
        ("two-tailed", ["greater", "two-sided"], "two-sided"),
        ("aproximate-randomisation", ["approximate-randomization"], "approximate-randomization"),
    ],
)
def test_a_slip_is_named_and_another_name_is_none(typed, known, meant):
    culprit, known_names = str(unknown_name("x", typed, known)).split("Known: ")
    assert culprit.startswith(f"x={typed!r} ")
    assert re.findall(r"mean ('.*')", culprit) == ([] if meant is None else [repr(meant)])
    assert all(repr(name) in known_names for name in known)


def test_a_message_lists_no_thousands_of_names():
    message = str(unknown_name("column", "x", [f"m{i}" for i in range(3000)]))
    assert re.search(naming("'m99'", "2,900 more"), message)
