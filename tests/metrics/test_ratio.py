"""Formulas against Python's own arithmetic on the sums, and what is no formula."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.metrics.formula import named_formula, parse_formula
from mtsig_nb.metrics.ratio import RatioOfSums
from mtsig_nb.statistics.sufficient import in_whole_numbers

FORMULAS = [
    "errors/words",
    "100*errors/words",
    "1 - errors/words",
    "100 * (1 - (sub + dele + ins) / words)",
    "tp/(tp+fp)",
    "2*tp/(2*tp+fp+fn)",
    "1.25*tp/(1.25*tp + .25*fn + fp)",
    "(sub+dele+ins)/(sub+dele+hits)",
    "-errors/words",
    "+errors/(words/100)",
    "errors/words/2",
    "errors/words - sub/words + .5",
    "(errors - 3e-1*sub)/(words)*100",
    "(tp/2)/(tp/2 + fp/2)",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_what_arithmetic_makes_of_the_sums(text):
    metric = RatioOfSums(text)
    rng = np.random.default_rng(5)
    sums = rng.integers(1, 60, (20, len(metric.columns)))
    expected = [eval(text, {}, dict(zip(metric.columns, row, strict=True))) for row in sums]
    assert metric.score(sums) == pytest.approx(expected, rel=1e-12)


def test_names_may_be_any():
    formula = parse_formula("""pass/("n words" + 'a/b' + wörter.всего)""")
    assert formula.columns == ("pass", "n words", "a/b", "wörter.всего")
    # Python would take the first letter of this name for two.
    assert parse_formula("ﬁt/total").columns == ("ﬁt", "total")


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("errors**2/words", "'**'"),
        ("errors//words", "'//'"),
        ("log(errors)/words", "'log(errors)'"),
        ("__import__('os')/words", "__import__"),
        ("errors.real()/words", "'errors.real()'"),
        ("errors[0]/words", "'['"),
        ("errors % words", "'%'"),
        ("errors/words == 1", "'='"),
        ("errors words", "'words'"),
        ("errors if words else words", "'if'"),
        ("errors/", "its end"),
        ("(errors/words", "'('"),
        ("errors/'words", '"\'"'),
        ("", "empty"),
        ("errors", "below"),
        ("errors + words", "below"),
        ("1/words", "above"),
        ("3", "above"),
        ("errors/(words - words)", "below"),
        ("0*errors/words", "above"),
        ("errors/0", "divides by 0"),
        ("errors*sub/words", "'errors * sub'"),
        ("sub/words*errors", "multiplies columns"),
        ("errors/words/sub", "fraction within a fraction"),
        ("errors/(sub/words)", "fraction within a fraction"),
        ("errors/words + sub/total", "different denominators"),
        ("(errors + 1)/words", "number is added"),
        ("errors/(words + 1)", "number is added"),
        ("1e999*errors/words", "1e999"),
        ("1e300*1e300*errors/words", "too large"),
        ("(" * 400 + "errors" + ")" * 400 + "/words", "("),
        ("-" * 990 + "e/w" + "a" * 50, "characters"),
    ],
)
def test_anything_else_is_refused_by_its_name(text, culprit):
    with pytest.raises(InputError, match=re.escape(culprit)) as caught:
        parse_formula(text)
    assert "errors/words" in str(caught.value)  # the form that is meant


def test_a_ratio_has_a_name():
    with pytest.raises(InputError, match="needs a name"):
        named_formula("=errors/words")
    assert named_formula("errors/words") is None  # without a name it is that of a column


def test_the_scale_of_counts_changes_no_ratio():
    rng = np.random.default_rng(2)
    decimals = rng.integers(0, 5_000, (40, 3)) / 1_000
    reals = rng.lognormal(size=(40, 3))
    metric = RatioOfSums("2*a/(2*a+b+c)")
    for counts in (decimals, reals, 1e15 * np.ceil(reals), 1e-9 * reals):
        whole = in_whole_numbers(counts)
        assert (whole == np.round(whole)).all()
        assert np.abs(whole).sum() < 2**47
        expected = metric.score(counts.sum(axis=0))
        assert metric.score(whole.sum(axis=0)) == pytest.approx(expected, rel=1e-11)
    assert (in_whole_numbers(decimals) == np.round(1_000 * decimals)).all()
