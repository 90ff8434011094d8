"""Numbers of one's own in Chromium: what is pasted gives the package's p and interval."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.teaching import own_numbers

from .accessibility import assert_accessible
from .pages import said, show

TEN = [
    (71.5, 64.0),
    (58.25, 60.5),
    (90.0, 75.1),
    (44.0, 44.0),
    (66.6, 61.2),
    (-3.5, 2.0),
    (80.0, 71.9),
    (55.0, 57.3),
    (62.0, 50.0),
    (70.1, 69.9),
]


def given(page, text):
    """Paste a text and ask for its machine; what is wrong with it, line by line."""
    page.locator(".mtsig-own textarea").fill(text)
    page.get_by_role("button", name="Use these numbers").click()
    return page.locator(".mtsig-own .wrong p").all_inner_texts()


def statistics_of(pairs):
    frame = pd.DataFrame(pairs, columns=["ours", "theirs"]).rename_axis("segment").reset_index()
    return mt.from_segment_scores(frame.melt("segment", var_name="system", value_name="score"))


def results(page, view):
    page.locator("select").first.select_option(view)
    page.get_by_role("button", name="All 10,000").click()
    page.wait_for_function("document.querySelector('[data-n]').dataset.n === '10000'")
    return said(page, "[data-n]")


def lines_of(pairs, separator, comma=False):
    lines = [separator.join(map(str, pair)) for pair in pairs]
    text = "\n".join(lines)
    return text.replace(".", ",") if comma else text


def assert_as_in_the_package(page, pairs):
    pair = (statistics_of(pairs), "ours", "theirs")
    coins = results(page, "0")
    exchanged = mt.approximate_randomization(*pair, exact=False, rng=2014)
    assert (int(coins["count"]), float(coins["p"])) == (exchanged.count, exchanged.pvalue)
    drawn = results(page, "1")
    assert float(drawn["p"]) == mt.bootstrap_test(*pair, rng=2014).pvalue
    interval = mt.confidence_interval(*pair, rng=2014)
    assert [float(drawn["low"]), float(drawn["high"])] == pytest.approx(
        [interval.low, interval.high], abs=1e-12
    )


def test_p_and_interval_are_those_of_the_package(page):
    show(page, own_numbers())
    assert_accessible(page)
    assert given(page, "ours\ttheirs\n" + lines_of(TEN, "\t")) == []
    status = page.locator(".mtsig-own [role=status]").inner_text()
    assert "10 pairs" in status
    assert "71.5 for “ours” and 64 for “theirs”" in status
    assert_as_in_the_package(page, TEN)
    assert_accessible(page)
    assert page.said == []
    assert page.asked == [], "nothing leaves the page"


def test_many_fractions(page):
    rng = np.random.default_rng(3)
    pairs = [tuple(pair) for pair in rng.normal(0.7, 0.1, (1000, 2)).round(4).tolist()]
    show(page, own_numbers())
    assert given(page, lines_of(pairs, ",")) == []
    assert_as_in_the_package(page, pairs)


@pytest.mark.parametrize(
    ("separator", "comma"),
    [
        ("\t", True),
        (";", False),
        (";", True),
        (" ; ", True),
        (",", False),
        (", ", False),
        ("  ", False),
        (" ", True),
    ],
)
def test_separators_and_decimal_commas(page, separator, comma):
    show(page, own_numbers(n_resamples=500))
    text = "\r\n" + lines_of(TEN, separator, comma) + "\n\n"
    assert given(page, text) == []
    real = page.locator(".mtsig-chance .said").inner_text()
    (shown,) = re.findall(r"first minus second, is (\S+)", real)
    assert float(shown) == pytest.approx(np.mean([a - b for a, b in TEN]), abs=0.0051)
    assert "71.5 for “first” and 64 for" in page.locator(".mtsig-own [role=status]").inner_text()


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("", ["two pairs"]),
        ("1;2", ["two pairs"]),
        ("1;2\n3\n4;5;6", ["Line 2 has one column", "Line 3 has 3 columns"]),
        ("a;b\n1;2\n\nx;3\n4;", ["Line 4: “x” is not", "Line 5: a number is missing"]),
        ("system1;system2\n1;2\nx;y", ["Line 3: “x”"]),
        ("a;a\n1;2\n2;3", ["Line 1: give each column a name"]),
        ("1.234,5;2\n3;4", ["Line 1 has a comma in a number, and line 1 a point", "“1.234,5”"]),
        ("1,5\t2\n1.5\t3", ["Line 1 has a comma in a number, and line 2 a point"]),
        ("1;2\nNaN;3\n1e999;4", ["Line 2: “NaN”", "Line 3: “1e999”"]),
        ("1\n2\n3", ["Line 1 has one column", "Line 2", "Line 3"]),
        ("1;2\n" * 1001, ["1001 pairs; this page takes 1000"]),
        ("1e17;2\n3;4", ["larger unit"]),
        ("1;x\n" * 8, ["Line 1:", "Line 2:", "Line 3:", "Line 4:", "Line 5:", "3 more mistakes"]),
    ],
)
def test_mistakes_are_named_by_their_lines(page, text, mistakes):
    show(page, own_numbers(n_resamples=500))
    shown = given(page, text)
    assert len(shown) == len(mistakes)
    for line, expected in zip(shown, mistakes, strict=True):
        assert expected in line
    assert page.locator(".mtsig-chance").count() == 0
    assert page.locator("textarea").get_attribute("aria-invalid") == "true"
    assert given(page, "1;2\n3;5") == []
    assert page.locator(".mtsig-chance").count() == 1
    assert page.said == []


@pytest.mark.parametrize("text", ["1;1\n2;2", "1;2\n2;3\n5;6"])
def test_without_differences_or_with_the_same_one_everywhere(page, text):
    pairs = [tuple(map(float, line.split(";"))) for line in text.split("\n")]
    show(page, own_numbers())
    assert given(page, text) == []
    assert_as_in_the_package(page, pairs)
    assert "NaN" not in page.locator("main").inner_html()
    assert page.said == []


def test_blocks_are_whole():
    with pytest.raises(mt.InputError, match="n_resamples=750 must be a multiple of 500"):
        own_numbers(n_resamples=750)
