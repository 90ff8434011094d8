"""`mtsig compare --scores` on several test sets, by a column of the table."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import mtsig_nb as mt
from mtsig_nb.cli import app
from mtsig_nb.statistics.many_test_sets import ScoredSets

FEW = ("-n", "400")


def run(*arguments: str, code: int = 0):
    result = CliRunner().invoke(app, ["compare", "--scores", *arguments])
    assert result.exit_code == code, result.output
    return result


def scores(sets=("en-ja", "en-cs", "en-de"), seed=3) -> pd.DataFrame:
    """Three systems on documents that are hard in all languages alike; the first is better."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(25), rng.integers(1, 5, 25))
    effects = rng.normal(0, 0.05, (3, 25))
    rows = [
        (name, "ABC"[s], i, f"d{d}", 0.8 - 0.1 * s + effects[s, d] + rng.normal(0, 0.05))
        for name in sets
        for s in range(3)
        for i, d in enumerate(documents)
    ]
    return pd.DataFrame(rows, columns=["lp", "system", "segment", "document", "COMET"])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    scores().to_csv("scores.csv", index=False)


def by_hand(frame: pd.DataFrame, **options) -> ScoredSets:
    return mt.test_sets(
        {
            name: mt.from_segment_scores(part, score="COMET", document="document")
            for name, part in frame.groupby("lp", sort=False)
        },
        **options,
    )


def test_the_verdict_is_that_of_python_over_all_test_sets_and_on_each():
    found = pd.read_csv(io.StringIO(run("scores.csv", *FEW, "-f", "csv").stdout))
    expected = mt.compare_all(
        by_hand(scores()), correction="westfall-young", n_resamples=400, rng=12345
    ).table
    for column in ("test_set", "metric", "system_a", "conclusion"):
        assert found[column].tolist() == expected[column].tolist()
    for column in ("pvalue", "pvalue_adjusted", "difference", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[column], expected[column])


def test_all_of_it_is_on_one_screen():
    said = run("scores.csv", *FEW).stdout
    assert said.startswith("COMET over 3 test sets: A is better than all 2 others. Of all 3 pairs,")
    assert "documents of unequal weight tell as much" in said
    assert "if each test keeps its level" in " ".join(said.split())
    assert "what they would be if test sets were" in " ".join(said.split())
    assert "en-ja" in said.split("not distinguished from it")[1]
    assert "Westfall & Young's (1993) step-down maxT for 12 comparisons" in " ".join(said.split())
    lines = said.splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) <= 100


def test_json_has_all_of_it():
    said = json.loads(run("scores.csv", *FEW, "-f", "json").stdout)
    assert [row["test_set"] for row in said["test_sets"]] == ["all", "en-ja", "en-cs", "en-de"]
    assert {row["ratio"] > 0 for row in said["pairing"]} == {True}
    assert len(said["pairs"]) == 12
    assert said["clusters"]["COMET over 3 test sets"][0] == ["A"]
    assert said["analysis"]["units"] == "documents"
    assert said["analysis"]["correction"] == "westfall-young"
    assert json.dumps(said["notes"]).count("independent") == 1


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_tables_for_print(form):
    systems = run("scores.csv", *FEW, "-f", form).stdout
    assert systems.count("COMET over 3 test sets") >= 1
    pairs = run("scores.csv", *FEW, "--pairs", "-f", form).stdout
    assert pairs.count("better") == 3


def test_what_the_report_has_is_the_verdict_over_all_with_the_same_p():
    said = run("scores.csv", *FEW, "-o", "report.html").stdout
    assert "single test sets are in every other format" in said
    page = Path("report.html").read_text(encoding="utf-8")
    assert "COMET over 3 test sets" in page
    row = mt.compare_all(by_hand(scores()), n_resamples=400, rng=12345, interval=None).table
    table = pd.read_csv(io.StringIO(run("scores.csv", *FEW, "-f", "csv").stdout))
    assert table["pvalue"].tolist() == row["pvalue"].tolist()


def test_any_column_may_say_which_test_set():
    frame = scores().assign(lp="xx", domain=lambda d: np.where(d["segment"] % 2, "news", "talk"))
    frame.drop_duplicates(["system", "segment"]).to_csv("domains.csv", index=False)
    said = run("domains.csv", "--by", "domain", *FEW).stdout
    assert "COMET over 2 test sets" in said
    assert "by='dominion' is not known" in run("domains.csv", "--by", "dominion", code=1).stderr


def test_files_of_a_test_set_each():
    for name, part in scores().groupby("lp"):
        part.to_csv(f"{name}.csv", index=False)
    several = run("en-ja.csv", "en-cs.csv", "--by", "lp", *FEW).stdout
    assert "COMET over 2 test sets" in several
    alone = run("en-ja.csv", "--by", "lp", *FEW).stdout
    assert "test sets" not in alone


@pytest.mark.parametrize("kind", ["no rows", "no value"])
def test_a_system_that_lacks_scores_is_named_or_left_out(kind):
    frame = scores()
    lacking = (frame["system"] == "C") & (frame["lp"] == "en-cs") & (frame["segment"] == 4)
    if kind == "no value":
        frame.loc[lacking, "COMET"] = np.nan
    frame[~lacking | (kind == "no value")].to_csv("gap.csv", index=False)
    refused = " ".join(run("gap.csv", *FEW, code=1).stderr.split())
    problem = "is not there for 'C'" if kind == "no rows" else "there is no value"
    assert problem in refused
    said = run("gap.csv", "--missing", "common", *FEW).stdout
    assert "systems that some test set lacks are left out (1): C" in " ".join(said.split())
    both = frame[frame["system"] != "C"]
    expected = mt.compare_all(
        by_hand(both), correction="westfall-young", n_resamples=400, rng=12345
    )
    found = json.loads(run("gap.csv", "--missing", "common", *FEW, "-f", "json").stdout)
    assert [row["pvalue"] for row in found["pairs"]] == expected.table["pvalue"].tolist()
    assert "missing='none'" in run("gap.csv", "--missing", "none", code=1).stderr


def test_segments_and_other_corrections_if_asked_for():
    said = " ".join(
        run("scores.csv", *FEW, "--units", "segments", "--correction", "holm").stdout.split()
    )
    assert "segments are taken as independent although documents are known" in said
    assert "Holm's (1979) correction for 12 comparisons" in said
    bootstrap = " ".join(run("scores.csv", *FEW, "--test", "bootstrap").stdout.split())
    assert "Romano & Wolf's (2005) step-down correction for 12 comparisons" in bootstrap


def test_without_documents_segments_are_independent_of_each_other():
    scores().drop(columns="document").to_csv("bare.csv", index=False)
    found = json.loads(run("bare.csv", *FEW, "-f", "json").stdout)
    assert found["analysis"]["units"] == "segments"
    np.testing.assert_allclose([row["ratio"] for row in found["pairing"]], 1.0)


def test_exit_code_baseline_and_systems():
    frame = scores()
    frame["COMET"] = np.random.default_rng(1).normal(size=len(frame))
    frame.to_csv("noise.csv", index=False)
    run("noise.csv", *FEW, "--exit-code", code=3)
    assert "baseline='X' is not known" in run("scores.csv", "--baseline", "X", code=1).stderr
    said = run("scores.csv", *FEW, "--baseline", "B").stdout
    assert "vs baseline" in said
    assert (
        "'X' is not known"
        in CliRunner().invoke(app, ["compare", "X", "--scores", "scores.csv"]).stderr
    )
