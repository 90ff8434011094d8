"""The gate from the command line: exit codes, and what services for CI read."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from .program import answer, run

TEXTS = "gate -r ref.txt good.txt fair.txt poor.txt -n 300"


@pytest.fixture
def scores(tmp_path, monkeypatch) -> pd.DataFrame:
    """Scores of three systems under two metrics in two domains; lower is better under ``cost``."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    rows = []
    for segment in range(120):
        domain = "news" if segment < 60 else "talks"
        for system, gain in (("old", 0.0), ("new", 0.02), ("bad", -1.0)):
            noise = rng.normal(0, 0.1)
            quality = gain + noise
            rows.append((domain, system, segment, quality, 30 - 10 * quality))
    frame = pd.DataFrame(rows, columns=["domain", "system", "segment", "COMET", "cost"])
    frame.to_csv("scores.csv", index=False)
    return frame


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("baseline", "margin", "code", "verdict"),
    [
        ("fair", 60, 0, "not worse"),
        ("good", 5, 1, "worse"),
        ("good", 18, 1, "worse"),
    ],
)
def test_the_exit_code_is_the_verdict(baseline, margin, code, verdict):
    typed = f"{TEXTS} --baseline {baseline} --margin {margin} -f json"
    found = json.loads(run(typed, code=code).stdout)
    assert found["verdict"] == verdict
    assert found["passes"] is (code == 0)
    assert found["baseline"] == baseline


@pytest.mark.usefixtures("scores")
def test_cannot_tell_has_a_code_and_says_how_many_more():
    typed = "gate --scores scores.csv -m COMET --baseline new old --margin 0.01 -n 300"
    found = json.loads(run(f"{typed} -f json", code=2).stdout)
    assert (found["verdict"], found["passes"]) == ("cannot tell", False)
    (row,) = found["pairs"]
    assert row["more_if_equal"] > 1000
    assert row["more_if_as_seen"] is None  # more than the margin was seen
    lines = " ".join(run(typed, code=2).stdout.split())
    assert re.search(r"With about [\d,]+ more segments, a candidate as good as new", lines)
    assert "no number is enough" in lines


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("gate --margin 1", 64),
        ("gate -r ref.txt good.txt fair.txt --margin 1", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin one", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin 1 --margin 2", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin 1 --nonsense", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin 1 -a x", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin 1 -t a -t b", 64),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin 0", 65),
        ("gate -r ref.txt good.txt fair.txt --baseline goof --margin 1", 65),
        ("gate -r ref.txt good.txt --baseline good --margin 1", 65),
        ("gate -r ref.txt good.txt nothing.txt --baseline good --margin 1", 65),
        ("gate -r ref.txt good.txt fair.txt --baseline good --margin BLUE=1", 65),
    ],
)
def test_no_error_has_the_code_of_an_answer(typed, code):
    assert run(typed, code=code).stdout == ""


@pytest.mark.usefixtures("folder")
def test_the_baseline_is_a_name_a_file_or_the_first_after_the_switch():
    by_name = run(f"{TEXTS} --baseline fair --margin 60 -f json").stdout
    by_file = run(f"{TEXTS} --baseline fair.txt --margin 60 -f json").stdout
    first = run("gate ref.txt -i fair.txt good.txt poor.txt --margin 60 -n 300 -f json").stdout
    pairs = [json.loads(text)["pairs"] for text in (by_name, by_file, first)]
    assert pairs[0] == pairs[1] == pairs[2]


@pytest.mark.usefixtures("scores")
def test_every_metric_has_a_margin_and_its_way():
    typed = "gate --scores scores.csv -m COMET cost:lower --baseline old new -n 500"
    found = answer(f"{typed} --margin COMET=0.1 --margin cost=1")
    assert found["verdict"] == "not worse"
    comet, cost = found["pairs"]
    assert (comet["margin"], cost["margin"]) == (0.1, 1.0)
    assert cost["difference"] == pytest.approx(10 * comet["difference"])
    assert cost["pvalue"] == pytest.approx(comet["pvalue"])
    assert "very different size" in run(f"{typed} --margin 0.1", code=65).stderr


def test_every_domain_has_to_pass(scores):
    typed = "gate --scores scores.csv -m COMET --by domain --baseline old new -n 500 --margin 0.1"
    found = answer(f"{typed} --shared no")
    assert len(found["pairs"]) == 3
    assert found["verdict"] == "not worse"
    is_spoilt = (scores["domain"] == "talks") & (scores["system"] == "new")
    scores.loc[is_spoilt, "COMET"] -= 0.5
    scores.to_csv("scores.csv", index=False)
    spoilt = json.loads(run(f"{typed} --shared no -f json", code=1).stdout)
    verdicts = {row["metric"]: row["verdict"] for row in spoilt["pairs"]}
    assert verdicts["COMET on news"] == "not worse"
    assert verdicts["COMET on talks"] == "worse"


@pytest.mark.usefixtures("folder")
def test_junit_has_a_case_for_each_comparison():
    typed = f"{TEXTS} --baseline fair --margin 5"
    run(f"{typed} -o gate.xml", code=1)
    suite = ElementTree.parse("gate.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failed = {}
    for case in suite.iter("testcase"):
        failure = case.find("failure")
        failed[case.get("name")] = None if failure is None else failure.get("type")
    assert failed == {"good against fair": None, "poor against fair": "worse"}
    properties = {p.get("name"): p.get("value") for p in suite.iter("property")}
    assert properties["verdict"] == "worse"


@pytest.mark.usefixtures("folder")
def test_the_summary_in_markdown_has_verdict_table_and_notes():
    text = run(f"{TEXTS} --baseline fair --margin 5 -f markdown", code=1).stdout
    heading, *rest = text.splitlines()
    assert heading.startswith("### Gate: worse")
    rows = [line for line in rest if line.startswith("| ")]
    assert len(rows) == 4  # heading, rule, two candidates
    assert any(line.startswith("- BLEU: poor is worse than fair") for line in rest)
    sentences = [line for line in rest if line and not line.startswith("|")]
    assert len(sentences) == len(set(sentences))  # each stands once
    assert text.count("non-inferiority") == 1


@pytest.mark.usefixtures("scores")
def test_the_numbers_are_those_of_python():
    found = answer("gate --scores scores.csv -m COMET --baseline old new --margin 0.1 --seed 3")
    (comet,) = mt.read_score_table("scores.csv", ["COMET"]).statistics()
    test = mt.equivalence_test(comet, "new", "old", margin=0.1, method="both", rng=3)
    (row,) = found["pairs"]
    assert row["pvalue"] == test.pvalue_below
    assert (row["ci_low"], row["ci_high"]) == test.interval


@pytest.mark.parametrize("name", ["<new & old>", "neu \x07 alt", "новый"])
def test_any_name_gives_valid_xml(name, scores):
    scores["system"] = scores["system"].replace("new", name)
    scores[scores["system"] != "bad"].to_csv("scores.csv", index=False)
    written = run("gate --scores scores.csv -m COMET --baseline old --margin 0.1 -n 99 -f junit")
    root = ElementTree.fromstring(written.stdout.encode())
    (case,) = root.iter("testcase")
    assert (case.get("name") or "").endswith("against old")


def test_several_raters_and_runs_are_refused_with_a_reason(scores):
    twice = pd.concat([scores.assign(rater="r1"), scores.assign(rater="r2")])
    twice.to_csv("scores.csv", index=False)
    typed = "gate --scores scores.csv -m COMET --baseline old new --margin 0.1 -n 99"
    assert "several people rated" in run(typed, code=65).stderr
    assert run(f"{typed} --units segments").exit_code == 0
