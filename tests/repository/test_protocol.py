"""The lecturers' protocol: its numbers are its notebook's, and the notebook finds what is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.stats import nct, t

from mtsig_nb.teaching import handed_in, headlines
from tools.notebooks import files

NOTEBOOK = files.SERIES / "bench" / "your_own_teaching.ipynb"
#: The protocol, and what it says about power.
PAGE = "".join(
    (files.ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("protocol.md", "protocol-power.md")
)
HEADLINES = headlines(files.read(NOTEBOOK))
PUBLISHED = {one.name: float(one.value) for one in HEADLINES if re.fullmatch(r"[\d.]+", one.value)}
ITEM = "one item: share of students more who are right"
ONE_ITEM = ["power, 20 students, one item", "power, 200 students, one item"]
ESTIMATED = ["estimated gain", "gain, lower limit", "gain, upper limit"]
CONTAINING = "simulated classes of 20: intervals of 200 that contain the true gain"


@cache
def after_running(as_simulated: str) -> dict[str, object]:
    """What the notebook knows of another class than its own, before it counts power."""
    source = files.from_source(files.SERIES / "source" / "bench" / "your_own_teaching.py")
    (end,) = (k for k, c in enumerate(source.cells) if "## What n can show" in c.source)
    code = "\n".join(cell.source for cell in source.cells[:end] if cell.cell_type == "code")
    given = f"simulate_class({as_simulated}); SIMULATED.clear()"
    names: dict[str, object] = {}
    exec(code.replace("simulate_class(n_students=80, seed=2026)", given), names)
    plt.close("all")
    assert names["SIMULATED"] == []
    return names


# The page.


def test_the_table_of_power_is_the_notebooks():
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.M)
    assert [row[0] for row in rows] == ["20", "50", "200"]
    for n, *power, smallest in rows:
        for gain, said in enumerate(power, start=1):
            assert float(said) == PUBLISHED[f"power, {n} students, true gain of {gain} of 31"]
        assert float(smallest) == PUBLISHED[f"gain found four times in five, {n} students"]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("grows by @. .* power of @, and a class of 200 with @", [ITEM, *ONE_ITEM]),
        (r"estimate is @ \[@, @\], and the truth is @", [*ESTIMATED, "true gain, questions of 31"]),
        ("Of 200 classes of 20, @ intervals", [CONTAINING]),
        ("deviation of @ questions", ["power: standard deviation of students' gains"]),
    ],
)
def test_a_sentence_has_the_notebooks_numbers(sentence, names):
    (said,) = re.finditer(sentence.replace("@", r"(\d*\.?\d+)"), " ".join(PAGE.split()))
    published = [PUBLISHED.get(name, PUBLISHED.get(f"simulated class: {name}")) for name in names]
    assert [float(number) for number in said.groups()] == published


@pytest.mark.parametrize(("n", "gain"), [(20, 1), (20, 2), (20, 3), (50, 1), (50, 2), (200, 1)])
def test_power_is_near_that_of_a_t_test_on_normal_gains(n, gain):
    away = gain / (PUBLISHED["power: standard deviation of students' gains"] / np.sqrt(n))
    limit = t.ppf(0.975, n - 1)
    expected = nct.sf(limit, n - 1, away) + nct.cdf(-limit, n - 1, away)
    assert PUBLISHED[f"power, {n} students, true gain of {gain} of 31"] == pytest.approx(
        expected, abs=0.06
    )  # four standard errors of a thousand classes


# The notebook, on classes of other sizes.


@pytest.mark.slow
def test_a_class_of_300_shows_the_truth_it_was_simulated_from():
    found = after_running("n_students=300, seed=1")
    interval, truth = found["interval"], found["true_gain"]
    assert interval.low < truth < interval.high
    assert interval.high - interval.low < 1.1
    ability = np.random.default_rng(2).normal(size=20_000)
    chance = found["chances"](ability, "before").mean(axis=0)
    n = found["scores"]["before"].count()
    share = found["items"]["before"].to_numpy() / (1 - found["SKIPPED"])
    assert np.abs(share - chance).max() < 4 * np.sqrt(0.25 / n)
    wrong = [
        (1 - found["SKIPPED"]) * (1 - chance[k]) * 8 / (8 + len(item["options"]) - 2)
        for k, item in enumerate(found["ITEMS"])
        if any(option.get("misconception") == found["STUBBORN"] for option in item["options"])
    ]
    stubborn = found["beliefs"].loc[found["STUBBORN"], "before"]
    assert stubborn == pytest.approx(np.mean(wrong), abs=0.05)
    assert found["items"]["discrimination"].idxmin() == found["POOR_ITEM"]


@pytest.mark.slow
def test_a_class_of_3_that_has_not_come_later_runs_and_cannot_reach_the_level():
    found = after_running("n_students=3, seed=3, stay=(1, 1, 0)")
    assert found["scores"].count().tolist() == [3, 3, 0]
    assert found["secondary"] == {}
    assert found["test"].pvalue >= 0.25  # 2 of the 8 ways to exchange, at least
    assert len(found["items"]) == 31


# Pseudonyms.


def test_a_forgotten_pseudonym_is_named_and_not_dropped(tmp_path):
    lists = {
        "before": ["Amber 17, N3VG", "birch-20\tN2QA", "birch 20; N2QB", ""],
        "after": tmp_path,
    }
    for number, line in enumerate(["AMBER17 N3VH", "cedar 33, N3VK", "\n  N3VL\n"]):
        Path(tmp_path / f"{number}.txt").write_text(line, encoding="utf-8")
    found = handed_in(**lists)
    assert found["code"].tolist() == ["N3VG", "N2QA", "N2QB", "N3VH", "N3VK", "N3VL"]
    alone = found.loc[found["alone"], "student"]
    assert alone.tolist() == ["birch20", "birch20", "cedar33", "(after 3)"]
    assert found.loc[found["attempt"] == 2, "code"].tolist() == ["N2QB"]
    (tmp_path / "list.csv").write_text("amber 17 N3VG\n", encoding="utf-8-sig")
    assert handed_in(before=tmp_path / "list.csv")["student"].tolist() == ["amber17"]
