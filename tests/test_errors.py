"""Messages about names: a hint only where one name is a slip of the other."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_nb.errors import slips, unknown_name


def hint(typed: str, *known: str) -> str | None:
    _, found, after = str(unknown_name("x", typed, known)).partition("Did you mean '")
    return after.split("'")[0] if found else None


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("COMET", ["METEOR", "NIST"]),
        ("BLEURT", ["BLEU"]),
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


short = st.text("abc", max_size=4)


@settings(deadline=None)  # a busy machine makes no slip
@given(short, short)
def test_slips_are_counted_as_by_search(a, b):
    """Breadth first: all texts within one edit, within two, until the other one is among them."""
    reached, n = {a}, 0
    while b not in reached:
        reached, n = {new for text in reached for new in edits(text)}, n + 1
    # A swap of letters is not edited further here, as Damerau's search would.
    assert n <= slips(a, b) <= n + 1
    assert slips(a, b) == slips(b, a)
    assert slips(a, b) == n or n > 1


def edits(text: str):
    for i, c in itertools.product(range(len(text) + 1), "abc"):
        yield text[:i] + c + text[i:]
        yield text[:i] + c + text[i + 1 :]
    for i in range(len(text)):
        yield text[:i] + text[i + 1 :]
        yield text[: max(i - 1, 0)] + text[i : i + 1] + text[max(i - 1, 0) : i] + text[i + 1 :]


def test_a_message_lists_no_thousands_of_names():
    message = str(unknown_name("column", "x", [f"m{i}" for i in range(3000)]))
    assert message.endswith("'m99' and 2,900 more.")
