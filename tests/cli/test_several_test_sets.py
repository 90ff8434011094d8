"""`mtsig compare --scores` on several test sets, by a column of the table."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..messages import naming, printed
from .program import answer, claims, refusal, run, words

#: Scores of three test sets, with few resamples.
SETS = "compare --scores scores.csv -n 400"
#: What the mean over them is called.
OVERALL = "COMET over 3 test sets"


def overall_claims(typed: str) -> set[tuple[str, str]]:
    """Which system is called better than which over all test sets."""
    return {(better, worse) for metric, better, worse in claims(typed) if " over " in metric}


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


def westfall_young(frame: pd.DataFrame) -> pd.DataFrame:
    given = {
        name: mt.from_segment_scores(part, score="COMET", document="document")
        for name, part in frame.groupby("lp", sort=False)
    }
    sets = mt.test_sets(given)
    return mt.compare_all(sets, correction="westfall-young", n_resamples=400, rng=12345).table


def test_the_verdict_is_that_of_python_over_all_test_sets_and_on_each():
    found = pd.read_csv(io.StringIO(run(f"{SETS} -f csv").stdout))
    expected = westfall_young(scores())
    for column in ("test_set", "metric", "system_a", "conclusion"):
        assert found[column].tolist() == expected[column].tolist()
    for column in ("pvalue", "pvalue_adjusted", "difference", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[column], expected[column])


@pytest.mark.takes_time
def test_all_of_it_is_on_one_screen():
    shown = run(f"{SETS} --baseline B").stdout
    lines, said = shown.splitlines(), " ".join(shown.split())
    (verdict,) = answer(f"{SETS} --baseline B")["verdicts"].values()
    assert said.startswith(verdict)
    assert re.match(naming(f"{OVERALL}: A ", "better", "B; C ", "worse", "B."), verdict)
    assert overall_claims(f"{SETS} --baseline B") == {("A", "B"), ("B", "C"), ("A", "C")}
    (weights,) = printed(said, "unequal-weights")
    assert (weights["n"], weights["unit"]) == ("25", "documents")
    assert len(printed(said, "found")) == 1
    assert len(printed(said, "pairing")) == 1
    assert "vs baseline" in said
    below = shown[shown.index("\ntest set ") :]
    assert re.search(r"^en-ja +25 .* A +0$", below, re.MULTILINE)
    assert re.search(naming("Westfall & Young's (1993)", "12 comparisons"), said)
    assert len(lines) < 50
    signature = [line for line in lines if line.startswith("test:")]
    assert len(signature) == 1  # which stays in one piece, to be copied
    assert max(len(line) for line in lines if line not in signature) <= 100


def test_json_has_all_of_it():
    said = answer(SETS)
    assert [row["test_set"] for row in said["test_sets"]] == ["all", "en-ja", "en-cs", "en-de"]
    assert {row["ratio"] > 0 for row in said["pairing"]} == {True}
    assert len(said["pairs"]) == 12
    (verdict,) = said["verdicts"].values()
    assert verdict.startswith(f"{OVERALL}: A ")
    assert overall_claims(SETS) == {("A", "B"), ("B", "C"), ("A", "C")}
    assert said["clusters"][OVERALL][0] == ["A"]
    assert said["analysis"]["units"] == "documents"
    assert said["analysis"]["correction"] == "westfall-young"
    assert str(said["notes"]).count("independent") == 1


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_tables_for_print(form):
    assert OVERALL in run(f"{SETS} -f {form}").stdout
    printed = run(f"{SETS} --pairs -f {form}").stdout
    mark = {"latex": "^{*}$ &", "markdown": "\\* |"}[form]
    assert printed.count(mark) == 3


def test_the_report_has_the_verdict_over_all_and_a_row_for_each_test_set():
    run(f"{SETS} -o report.html")
    page = Path("report.html").read_text(encoding="utf-8")
    assert OVERALL in page
    for name in ("en-cs", "en-de", "en-ja"):
        assert f"<td>{name}</td>" in page


def test_any_column_may_say_which_test_set():
    frame = scores().assign(lp="xx", domain=lambda d: np.where(d["segment"] % 2, "news", "talk"))
    frame.drop_duplicates(["system", "segment"]).to_csv("domains.csv", index=False)
    typed = "compare --scores domains.csv -n 400"
    assert {row["test_set"] for row in answer(f"{typed} --by domain")["test_sets"]} == {
        "all",
        "news",
        "talk",
    }
    assert "by='dominion'" in refusal(f"{typed} --by dominion")


def test_files_of_a_test_set_each():
    for name, part in scores().groupby("lp"):
        part.to_csv(f"{name}.csv", index=False)
    several = answer("compare --scores en-ja.csv en-cs.csv --by lp -n 400")
    assert [row["test_set"] for row in several["test_sets"]] == ["all", "en-ja", "en-cs"]
    alone = "compare --scores en-ja.csv --by lp -n 400"
    assert answer(alone)["kind"] == "pairs"
    assert "test sets" not in run(alone).stdout


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("kind", "problem"),
    [("no rows", "is missing for 'C'"), ("no value", "there is no value")],
)
def test_a_system_that_lacks_scores_is_named_or_left_out(kind, problem):
    frame = scores()
    lacking = (frame["system"] == "C") & (frame["lp"] == "en-cs") & (frame["segment"] == 4)
    if kind == "no value":
        frame.loc[lacking, "COMET"] = np.nan
    frame[~lacking | (kind == "no value")].to_csv("gap.csv", index=False)
    typed = "compare --scores gap.csv -n 400"
    assert problem in refusal(typed)
    common = f"{typed} --missing common"
    assert printed(words(common), "systems-left-out") == [{"n": "1", "systems": "C"}]
    expected = westfall_young(frame[frame["system"] != "C"])["pvalue"].tolist()
    assert [row["pvalue"] for row in answer(common)["pairs"]] == expected
    assert "missing='none'" in refusal(f"{typed} --missing none")


def test_segments_and_other_corrections_if_asked_for():
    said = words(f"{SETS} --units segments --correction holm")
    assert printed(said, "documents-unused") == [{}]
    assert re.search(naming("Holm's (1979)", "12 comparisons"), said)
    bootstrap = words(f"{SETS} --test bootstrap")
    assert re.search(naming("Romano & Wolf's (2005)", "12 comparisons"), bootstrap)


def overall(typed: str) -> dict[tuple[str, str], dict[str, float]]:
    """The rows of the mean over all test sets, by their pairs."""
    rows = [row for row in answer(typed)["pairs"] if row["test_set"] == "all"]
    return {(row["system_a"], row["system_b"]): row for row in rows}


@pytest.mark.takes_time
def test_numbers_alone_leave_open_whether_sentences_are_the_same():
    """Of both analyses the more cautious one stands, and an option settles it."""
    scores().drop(columns="document").to_csv("bare.csv", index=False)
    typed = "compare --scores bare.csv -n 400"
    assert answer(typed)["analysis"]["units"] == "segments"
    assert len(printed(answer(typed)["notes"], "shared-unknown")) == 1
    assert re.search(naming("--shared yes ", "--shared no "), words(typed))
    found, yes, no = (overall(typed + more) for more in ("", " --shared yes", " --shared no"))
    for pair, row in found.items():
        expected = max(yes[pair]["pvalue_adjusted"], no[pair]["pvalue_adjusted"])
        assert row["pvalue_adjusted"] == expected
        width = row["ci_high"] - row["ci_low"]
        widths = [other[pair]["ci_high"] - other[pair]["ci_low"] for other in (yes, no)]
        assert width == max(widths)
    assert len(printed(answer(f"{typed} --shared yes")["notes"], "shared-units")) == 1
    assert not printed(answer(f"{typed} --shared no")["notes"], "shared-unknown")
    ratios = [row["ratio"] for row in answer(typed)["pairing"]]
    assert min(ratios) > 1.3
    for row in answer(typed)["pairing"]:
        assert row["se_joint"] / row["se_independent"] == pytest.approx(row["ratio"])


@pytest.mark.takes_time
@pytest.mark.parametrize("kind", ["names", "sources", "documents"])
def test_names_and_texts_settle_it(kind):
    frame = scores().drop(columns="document")
    scores().drop(columns="document").to_csv("bare.csv", index=False)
    expected = overall("compare --scores bare.csv -n 400 --shared yes")
    name = "flores." + frame["segment"].astype(str)
    if kind == "names":
        frame["segment"] = name
    elif kind == "sources":
        frame["src"] = "This is text " + frame["segment"].astype(str)
    else:
        frame["doc"] = frame["segment"]
    frame.to_csv("told.csv", index=False)
    typed = "compare --scores told.csv -n 400"
    assert overall(typed) == expected
    assert len(printed(answer(typed)["notes"], "shared-units")) == 1
    assert not printed(answer(typed)["notes"], "shared-unknown")


@pytest.mark.takes_time
def test_the_report_is_as_cautious_as_the_table():
    frame = scores().drop(columns="document")
    frame[frame["system"] != "C"].to_csv("two.csv", index=False)
    run("compare --scores two.csv -n 400 -o report.html")
    page = " ".join(Path("report.html").read_text(encoding="utf-8").split())
    (unknown,) = {note["unit"] for note in printed(page, "shared-unknown")}
    assert unknown == "segments"
    assert answer("compare --scores two.csv -n 400")["methods_sentence"] in html.unescape(page)
    assert "the larger p-value" in page


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("label", "units", "code"),
    [
        ("run", "", "shared-supposed"),
        ("rater", " --units segments", "shared-unknown"),  # without units, raters are counted
        ("repeat", "", "shared-unknown"),
    ],
)
def test_numbers_alone_beside_runs_raters_and_repeats(label, units, code):
    frame = scores().drop(columns="document")
    again = [frame.assign(**{label: k}, COMET=frame["COMET"] + 0.01 * k) for k in range(3)]
    pd.concat(again).to_csv("again.csv", index=False)
    typed = f"compare --scores again.csv -n 400{units}"
    (unknown,) = printed(words(typed), code)
    assert unknown["unit"] == "segments"
    apart = words(f"{typed} --shared no")
    assert not printed(apart, "shared-supposed")
    assert not printed(apart, "shared-unknown")
    (known,) = printed(words(f"{typed} --shared yes"), "shared-units")
    assert (known["unit"], known["evidence"]) == ("segments", "their numbers")


def test_runs_on_documents_of_several_test_sets():
    again = [scores().assign(run=k, COMET=scores(seed=k + 1)["COMET"]) for k in range(2)]
    pd.concat(again).to_csv("runs.csv", index=False)
    said = words("compare --scores runs.csv -n 400 --units documents")
    (shared,) = printed(said, "shared-units")
    assert (shared["n"], shared["total"], shared["unit"]) == ("25", "25", "documents")
    assert "exchanged within documents" in said


@pytest.mark.takes_time
def test_test_sets_that_share_nothing_have_no_note_about_it():
    frame = scores().drop(columns="document")
    frame["segment"] = frame["lp"] + "." + frame["segment"].astype(str) + "." + frame["lp"].str[3:]
    frame.to_csv("apart.csv", index=False)
    typed = "compare --scores apart.csv -n 400"
    assert "independent" not in str(answer(typed)["notes"])
    assert not printed(answer(typed)["notes"], "shared-units")


@pytest.mark.takes_time
def test_exit_code_baseline_and_systems():
    frame = scores()
    frame["COMET"] = np.random.default_rng(1).normal(size=len(frame))
    frame.to_csv("noise.csv", index=False)
    run("compare --scores noise.csv -n 400 --exit-code", code=3)
    assert "baseline='X'" in refusal(f"{SETS} --baseline X")
    assert "system='X'" in refusal("compare X --scores scores.csv")
