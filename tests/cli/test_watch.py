"""Judgements watched from the command line, while their file grows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import lxml.html
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..messages import naming
from .program import answer, refusal, run, words


def rows_in(markdown: str) -> list[str]:
    """The rows of a table in Markdown, below its head."""
    return [line for line in markdown.splitlines() if line.startswith("| ")][2:]


@pytest.fixture
def judged(tmp_path, monkeypatch) -> pd.DataFrame:
    """Judgements of three systems in the order in which they came; A is best, B and C are alike."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    rows = []
    for segment in range(300):
        quality = rng.normal(70, 10)
        for system, gain in (("A", 4), ("B", 0), ("C", 0)):
            score = round(quality + gain + rng.normal(0, 10), 1)
            rows.append((system, f"s{segment}", f"d{segment // 4}", score))
    frame = pd.DataFrame(rows, columns=["system", "segment", "document", "score"])
    frame.to_json("judged.jsonl", orient="records", lines=True)
    return frame


def test_the_numbers_are_those_of_python(judged):
    found = answer("watch --scores judged.jsonl --planned 300 --looks 5 --seed 3 A B")
    expected = mt.sequential_test(judged, "A", "B", planned=300, looks=5, rng=3)
    rows = json.loads(expected.table.replace([np.inf, -np.inf], None).to_json(orient="records"))
    for row, of_python in zip(found["looks"], rows, strict=True):
        assert row == pytest.approx(of_python)
    assert found["is_over"]
    last = found["looks"][-1]
    assert (last["system_a"], last["verdict"]) == ("A", "better")
    assert re.search(naming("stop", "A "), found["verdict"])
    assert found["planned_looks"] == [60, 120, 180, 240, 300]


@pytest.mark.takes_time
def test_a_growing_file_is_read_again(judged):
    typed = "watch --scores growing.jsonl --planned 300 --looks 50,100,200 B C"
    lines: list[str] = []
    for n_segments in (40, 60, 150, 300):
        so_far = judged.head(3 * n_segments)
        so_far.to_json("growing.jsonl", orient="records", lines=True)
        said = run(typed).stdout.splitlines()
        looks = [line for line in said if line.startswith("look ")]
        assert looks[: len(lines)] == lines
        lines = looks
        if n_segments == 40:
            assert re.match(naming("go on", "50 segments"), said[0])
    assert len(lines) == 3
    hopeless = answer(f"{typed} --futility 0.9")
    assert hopeless["is_over"]
    assert hopeless["looks"][-1]["verdict"] not in ("better", "worse")
    assert hopeless["looks"][-1]["predictive_power"] < 0.9
    assert re.match(naming("B against C ", "stop"), hopeless["verdict"])


def test_all_pairs_are_watched_together(judged):
    found = answer("watch --scores judged.jsonl --planned 300 --looks 3 --spending pocock")
    verdicts = {
        (row["system_a"], row["system_b"]): row["verdict"]
        for row in found["looks"]
        if row["look"] == 3
    }
    assert verdicts[("A", "B")] == verdicts[("A", "C")] == "better"
    assert verdicts[("B", "C")] == "indistinguishable"
    said = words("watch --scores judged.jsonl --planned 300 --looks 3 --spending pocock")
    assert re.search(naming("2 of 3 ", "stop"), said)


def test_documents_are_counted_where_they_are_the_units(judged):
    found = answer("watch --scores judged.jsonl --planned 75 --looks 25,75 --units documents A B")
    assert [row["n_units"] for row in found["looks"]] == [25, 75]
    assert found["unit"] == "documents"


def test_penalties_are_better_lower(judged):
    one_way = answer("watch --scores judged.jsonl --planned 300 --looks 2 A B")["looks"]
    other_way = answer("watch --scores judged.jsonl -m score:lower --planned 300 --looks 2 A B")
    for up, down in zip(one_way, other_way["looks"], strict=True):
        assert down["difference"] == -up["difference"]
        assert down["pvalue"] == up["pvalue"]


@pytest.mark.takes_time
def test_formats_and_exit_codes(judged):
    typed = "watch --scores judged.jsonl --planned 300 --looks 3"
    csv = run(f"{typed} -f csv").stdout
    assert csv.startswith("look,n_units,system_a,system_b,")
    assert csv.count("\n") == 1 + 3 * 3
    assert len(rows_in(run(f"{typed} -f markdown").stdout)) == 3
    assert run(f"{typed} -f latex").stdout.count("tabular") == 2
    run(f"{typed} B C --exit-code", code=3)
    run(f"{typed} A B --exit-code", code=0)
    run("watch --scores judged.jsonl --planned 900 --looks 2 --exit-code", code=3)
    assert answer("watch --scores judged.jsonl --planned 900 --looks 2")["looks"] == []


def test_the_report_of_a_pair_has_its_looks_and_their_picture(judged):
    said = run(
        "watch --scores judged.jsonl --planned 300 --looks 5 A B -o a.html --title May"
    ).stdout
    page = lxml.html.parse("a.html").getroot()
    text = " ".join(page.text_content().split())
    (picture,) = page.xpath("//img")
    assert "A and B" in picture.get("alt")
    assert page.xpath("//h1")[0].text == "May"
    expected = mt.sequential_test(judged, "A", "B", planned=300, looks=5, rng=12345)
    assert expected.lines()[-1].partition(": ")[2] in text
    rows = page.xpath("//table//tr")
    assert len(rows) == 1 + 5
    assert [row.xpath("td")[1].text for row in rows[1:]] == ["60", "120", "180", "240", "300"]
    # What is printed is what is printed without a report.
    assert said == run("watch --scores judged.jsonl --planned 300 --looks 5 A B").stdout


def test_the_report_of_all_pairs_has_all_looks_and_a_picture_of_each_pair(judged):
    run("watch --scores judged.jsonl --planned 300 --looks 3 -o all.html")
    page = lxml.html.parse("all.html").getroot()
    alternatives = [picture.get("alt") for picture in page.xpath("//img")]
    assert len(alternatives) == 1 + 3
    assert "3 pairs" in alternatives[0]
    assert len(page.xpath("//details//tr")) == 1 + 3 * 3


def test_systems_are_ranked_by_what_the_looks_know(judged):
    found = answer("watch --scores judged.jsonl --planned 300 --looks 3")
    assert found["kind"] == "looks"
    ranks = {row["system"]: (row["rank_top"], row["rank_bottom"]) for row in found["systems"]}
    assert ranks == {"A": (1, 1), "B": (2, 3), "C": (2, 3)}
    assert [row["look"] for row in found["pairs"]] == [3, 3, 3]
    assert found["systems"][0]["lead"] > 0 > found["systems"][-1]["lead"]


def test_an_interval_that_is_none_yet_is_not_printed_as_a_number(judged):
    typed = "watch --scores judged.jsonl --planned 3000 --looks 50,300 A B"
    first, second = rows_in(run(f"{typed} -f markdown").stdout)
    assert "inf" not in first
    assert first.count("–") == 2  # no interval and no boundary
    assert second.count("–") == 2


def test_no_interval_of_several_pairs_is_printed_as_a_number(judged):
    said = run("watch --scores judged.jsonl --planned 3000 --looks 50,300").stdout
    assert said.count("go on") >= 2
    assert "inf]" not in said
    assert "[-inf" not in said


def test_decimals_suit_the_scale(judged):
    small = judged.assign(score=(judged["score"] / 100).round(3))
    small.to_json("small.jsonl", orient="records", lines=True)
    options = "--planned 300 --looks 1 A B"
    of_large = json.loads(run(f"watch --scores judged.jsonl {options} -f json").stdout)
    of_small = json.loads(run(f"watch --scores small.jsonl {options} -f json").stdout)
    difference = of_large["looks"][0]["difference"]
    assert f" {difference:+.2f} " in of_large["verdict"]
    assert f" {difference / 100:+.4f} " in of_small["verdict"]
    assert of_small["verdict"] in words(f"watch --scores small.jsonl {options}")


def test_there_is_no_report_before_the_first_look(judged):
    typed = "watch --scores judged.jsonl --planned 900 --looks 2 -o early.html"
    assert run(typed).stdout.startswith("go on: the first look is after 450 segments")
    assert not Path("early.html").exists()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("--scores judged.jsonl --planned 300 --looks 400", ("looks=400 ", "planned=300")),
        ("--scores judged.jsonl --planned 300 --looks 200,100", ("looks=[200, 100]", "rise")),
        ("--scores judged.jsonl --planned 300 --looks 2 A D", ("system='D'", "'A', 'B', 'C'")),
        ("--scores two.csv --planned 300 --looks 2", ("'two.csv'", "score, other", "-m NAME")),
        ("--scores sets.csv --planned 300 --looks 2", ("'sets.csv'", "several test sets")),
        (
            "--scores judged.jsonl --planned 300 --looks 2 -f csv -o judged.jsonl",
            ("output='judged.jsonl'", "input 'judged.jsonl'"),
        ),
    ],
)
def test_what_cannot_be_watched_is_named(judged, typed, names):
    judged.assign(other=judged["score"] / 2).to_csv("two.csv", index=False)
    judged.assign(lp=judged["document"].str[-1]).to_csv("sets.csv", index=False)
    assert re.match(naming("mtsig: error: ", *names), refusal(f"watch {typed}"))


@pytest.mark.parametrize(
    "typed", ["--planned 300 --looks 3", "--scores judged.jsonl --planned 300 --looks many"]
)
def test_what_lacks_is_asked_for(judged, typed):
    run(f"watch {typed}", code=2)


def test_judgements_are_put_in_order_by_a_column(judged):
    timed = judged.assign(time=[f"2026-11-27 {n // 60:02}:{n % 60:02}:00" for n in range(900)])
    timed.sample(frac=1, random_state=3).to_csv("timed.csv", index=False)
    expected = answer("watch --scores judged.jsonl --planned 300 --looks 3 A B")["looks"]
    found = answer("watch --scores timed.csv --planned 300 --looks 3 --order time A B")
    assert found["looks"] == expected
    assert "in the order of time" in found["sources"]
    numbered = judged.assign(number=range(900)).sample(frac=1, random_state=3)
    numbered.to_csv("numbered.csv", index=False)
    found = answer("watch --scores numbered.csv --planned 300 --looks 3 --order number A B")
    assert found["looks"] == expected


def test_judgements_in_several_files_have_one_order(judged):
    timed = judged.assign(time=range(900))
    for system, rows in timed.groupby("system"):
        rows.iloc[::-1].to_csv(f"{system}.csv", index=False)
    typed = "--planned 300 --looks 3 --order time A B"
    expected = answer("watch --scores judged.jsonl --planned 300 --looks 3 A B")["looks"]
    found = answer(f"watch --scores A.csv --scores B.csv --scores C.csv {typed}")
    assert found["looks"] == expected


def test_a_wide_file_has_an_order_as_well(judged):
    wide = judged.pivot(index="segment", columns="system", values="score").reset_index()
    wide["minute"] = wide["segment"].str[1:].astype(int)
    wide.sample(frac=1, random_state=2).to_csv("wide.csv", index=False)
    typed = "watch --scores wide.csv -m score --planned 300 --looks 3 --order minute A B"
    expected = answer("watch --scores judged.jsonl --planned 300 --looks 3 A B")["looks"]
    for row, expected_row in zip(answer(typed)["looks"], expected, strict=True):
        assert row == pytest.approx(expected_row)


@pytest.fixture
def rated(tmp_path, monkeypatch) -> pd.DataFrame:
    """Judgements of two systems, each segment by one of six raters, of whom one prefers B."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    rows = []
    for segment in range(120):
        rater = segment % 6
        gain = -6 if rater == 0 else 9
        quality = rng.normal(65, 8)
        for system, more in (("A", gain), ("B", 0)):
            score = float(np.clip(quality + more + rng.normal(0, 5), 0, 100).round(1))
            rows.append((f"r{rater}", system, segment, score))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
    frame.to_csv("rated.csv", index=False)
    return frame


def test_what_looks_say_of_raters_stands_below_them(rated):
    typed = "watch --scores rated.csv --planned 120 --looks 4"
    found = answer(typed)
    looks = mt.sequential_test(rated, planned=120, looks=4, rng=12345)
    expected = mt.human.Ratings(rated).at_looks(looks)
    for row, of_python in zip(found["raters"], expected.to_frame().to_dict("records"), strict=True):
        for name, value in row.items():
            if isinstance(value, float):
                assert value == pytest.approx(of_python[name])
    assert [row["n_raters"] for row in found["raters"]] == [6] * 4
    assert [row["n_ahead"] for row in found["raters"]] == [5] * 4
    lines = run(typed).stdout.splitlines()
    assert sum(line.startswith("    6 raters judged both") for line in lines) == 4


def test_one_rater_says_nothing_of_others(rated):
    rated.assign(rater="r1").to_csv("one.csv", index=False)
    found = answer("watch --scores one.csv --planned 120 --looks 4")
    assert {row["pvalue"] for row in found["raters"]} == {None}
    assert "nothing can be said of raters to come" in words(
        "watch --scores one.csv --planned 120 --looks 4"
    )
    rated.drop(columns="rater").to_csv("nobody.csv", index=False)
    assert answer("watch --scores nobody.csv --planned 120 --looks 4")["raters"] == []
