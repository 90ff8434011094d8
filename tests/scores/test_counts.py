"""Counts as they are: ratios of sums from every form of table."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics.ratio import RatioOfSums
from mtsig_nb.notes import NotedWarning
from mtsig_nb.report.analysis import Analysis

from ..cli.program import answer, run

ERRORS = {"A": [1, 0, 3, 2], "B": [2, 2, 3, 4]}
WORDS = [10, 4, 12, 20]
WER = "WER=errors/words:lower"


def long() -> pd.DataFrame:
    rows = []
    for system, errors in ERRORS.items():
        for segment, (n_errors, n_words) in enumerate(zip(errors, WORDS, strict=True), start=1):
            rows.append((system, segment, n_errors, n_words))
    return pd.DataFrame(rows, columns=["system", "segment", "errors", "words"])


def of_systems(template):
    """The errors of each system in a column of its own, whose name `template` makes."""
    return {template.format(system): errors for system, errors in ERRORS.items()}


def in_lines(records):
    return "".join(f"{json.dumps(record)}\n" for record in records)


def tables():
    """The same counts in tables of many forms: for each form the files and their texts."""
    frame = long()
    words_once = pd.DataFrame(of_systems("errors_{}") | {"words": WORDS})
    numbered = {"segment": [1, 2, 3, 4]}
    words_of_each = {f"{system} words": WORDS for system in ERRORS}
    systems_first = pd.DataFrame(numbered | of_systems("{} errors") | words_of_each)
    dotted = pd.DataFrame(numbered | of_systems("errors.{}") | {"words": WORDS})
    counts = {}
    for count in ("errors", "words"):
        counts[f"{count}.csv"] = frame.pivot(index="segment", columns="system", values=count)
    systems = {}
    for system, part in frame.groupby("system"):
        systems[f"{system}.csv"] = part.drop(columns="system").to_csv(index=False)
    return {
        "long": {"a.csv": frame.to_csv(index=False)},
        "tabs": {"a.tsv": frame.to_csv(index=False, sep="\t")},
        "JSON lines": {"a.jsonl": in_lines(frame.to_dict("records"))},
        "JSON": {"a.json": frame.to_json(orient="records")},
        "words once": {"a.csv": words_once.to_csv(index=False)},
        "systems first": {"a.csv": systems_first.to_csv(index=False)},
        "wide JSON lines": {"a.jsonl": in_lines(dotted.to_dict("records"))},
        "a file for each count": {name: table.to_csv() for name, table in counts.items()},
        "a file for each system": systems,
    }


def written(folder, form="long"):
    files = tables()[form]
    for name, text in files.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in files]


@pytest.mark.parametrize("form", tables())
def test_every_form_of_table_has_the_same_sums(form, tmp_path):
    table = mt.read_score_table(written(tmp_path, form), [WER])
    (statistics,) = table.statistics()
    assert isinstance(statistics.metric, RatioOfSums)
    assert statistics.systems == ("A", "B")
    assert statistics.scores().to_dict() == {"A": 6 / 46, "B": 11 / 46}
    assert statistics.values[0].tolist() == [
        [e, w] for e, w in zip(ERRORS["A"], WORDS, strict=True)
    ]
    assert "WER = errors/words (lower is better)" in table.sentence
    assert table.kind == "pairs"


def test_metrics_of_all_kinds_side_by_side(tmp_path):
    frame = long().assign(COMET=np.linspace(0.5, 0.9, 8))
    path = tmp_path / "all.csv"
    frame.to_csv(path, index=False)
    table = mt.read_score_table(str(path), ["COMET:higher", WER, "right = 1 - errors/words"])
    assert dict(table.metrics) == {"COMET": True, "WER": False, "right": True}
    assert [s.label for s in table.statistics()] == ["COMET", "WER", "right"]
    # "all" takes what is no count of a ratio.
    assert list(mt.read_score_table(str(path), ["all", WER]).metrics) == ["COMET", "WER"]
    assert list(mt.read_score_table(str(path), ["errors:lower", WER]).metrics) == ["errors", "WER"]


def test_words_for_right_and_wrong_are_counts_too(tmp_path):
    path = tmp_path / "answers.csv"
    rows = [
        f"{s},{i},{'pass' if (i + k) % 3 else 'fail'},1"
        for k, s in enumerate("AB")
        for i in range(6)
    ]
    path.write_text("\n".join(["system,item,pass,asked", *rows]))
    (statistics,) = mt.read_score_table(str(path), ["rate=pass/asked"]).statistics()
    assert statistics.scores().to_dict() == {"A": 4 / 6, "B": 4 / 6}


def test_several_test_sets_are_averaged_after_the_ratio(tmp_path):
    parts = [
        long().assign(domain="news"),
        long().assign(domain="talks", errors=lambda f: 2 * f["errors"]),
    ]
    path = tmp_path / "domains.csv"
    pd.concat(parts).to_csv(path, index=False)
    table = mt.read_score_table(str(path), [WER], by="domain")
    (statistics,) = table.statistics()
    assert statistics.scores().to_dict() == pytest.approx({"A": 1.5 * 6 / 46, "B": 1.5 * 11 / 46})


def test_ratings_by_several_people_are_averaged(tmp_path):
    parts = [long().assign(rater="r"), long().assign(rater="q", errors=lambda f: 3 * f["errors"])]
    path = tmp_path / "raters.csv"
    pd.concat(parts).to_csv(path, index=False)
    table = mt.read_score_table(str(path), [WER])
    assert table.kind == "pairs"
    (statistics,) = table.statistics()
    assert statistics.scores().to_dict() == pytest.approx({"A": 2 * 6 / 46, "B": 2 * 11 / 46})
    assert "raters-averaged" in [note.code for note in statistics.notes]


@pytest.mark.parametrize(
    ("metric", "change", "code"),
    [
        ("WER=errors/words", {}, "direction"),
        ("accuracy=errors/words:higher", {"errors": [11, 0, 0, 0] * 2}, "count-above-whole"),
        (WER, {"errors": [-1, 0, 3, 2] * 2}, "counts-negative"),
    ],
)
def test_what_looks_wrong_is_noted(tmp_path, metric, change, code):
    path = tmp_path / "a.csv"
    long().assign(**change).to_csv(path, index=False)
    table = mt.read_score_table(str(path), [metric])
    with pytest.warns(NotedWarning):
        (statistics,) = table.statistics()
    assert [note.code for note in table.notes] == [code]
    assert code in [note.code for note in statistics.notes]


def test_more_errors_than_words_are_no_fault(tmp_path):
    path = tmp_path / "a.csv"
    long().assign(errors=50).to_csv(path, index=False)
    table = mt.read_score_table(str(path), [WER])
    assert table.notes == ()
    assert table.statistics()[0].scores()["A"] > 1


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "latex", "text"])
def test_all_formats(tmp_path, form):
    (path,) = written(tmp_path)
    assert "WER" in run(f"compare --scores {path} -m '{WER}' -f {form}").stdout


def test_the_signature_has_the_formula(tmp_path):
    (path,) = written(tmp_path)
    found = answer(f"compare --scores {path} -m 'WER=100*errors/words:lower'")
    assert found["signatures"] == {"WER": "WER|ratio of sums|100*errors/words"}
    assert found["scores"]["WER"] == {"A": pytest.approx(600 / 46), "B": pytest.approx(1100 / 46)}
    assert found["unused_columns"] == {}
    again = Analysis(**found["analysis"]).run()
    assert again.systems["score"].tolist() == [row["score"] for row in found["systems"]]


def test_a_campaign_is_not_watched_by_a_ratio(tmp_path):
    (path,) = written(tmp_path)
    result = run(f"watch --scores {path} -m '{WER}' --planned 10 --looks 2", code=1)
    assert "ratio of columns" in result.stderr
