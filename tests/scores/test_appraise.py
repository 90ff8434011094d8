"""Appraise's exports: columns by their places, control items left out and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import ScoreTable, read_score_table

from ..messages import any_names

RATED = [("ann", "elm", 70), ("ann", "oak", 50), ("bob", "elm", 80), ("bob", "oak", 55)]


def export(
    *, document: bool = True, spans: bool = False, batch: bool = False, pairs: str = "deu,eng"
) -> list[str]:
    """Lines as Appraise writes them: three segments in each document, and control items."""
    lines = []
    for place in range(6):
        for rater, system, score in RATED:
            own = [(system, "TGT", score + place)]
            if place == 1:
                own += [(system, "BAD", 3), (system, "REF", 99), (system, "CHK", score + place)]
            for shown, kind, points in own:
                cells = [rater, shown, str(place), kind, pairs, str(points)]
                if document:
                    name = f"news.{place // 3}" + ("#bad1" if kind == "BAD" else "")
                    cells += [name, "False"]
                if spans:
                    cells += ['"[{""start_i"": 3, ""severity"": ""minor""}]"']
                cells += ["1700000000.25", "1700000009.5"]
                lines.append(",".join([*cells, "4", "771"] if batch else cells))
    if document:
        lines.append(lines[0].replace(",False,", ",True,"))
    return lines


def read(folder: Path, lines: Sequence[str], name: str = "export.csv") -> ScoreTable:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_score_table(str(path))


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize(("document", "spans"), [(False, False), (True, False), (True, True)])
def test_columns_are_known_by_their_places(tmp_path, document, spans, batch):
    table = read(tmp_path, export(document=document, spans=spans, batch=batch))
    assert table.metrics == {"score": True}
    assert table.has_documents == document
    ratings = table.ratings
    assert ratings is not None
    assert ratings["rater"].unique().tolist() == ["ann", "bob"]
    # The repeats (CHK) of segment 1 are ratings as well.
    assert len(ratings) == 6 * len(RATED) + len(RATED)
    means = ratings.groupby(["system", "segment"])["score"].mean()
    assert means["elm"].tolist() == [75 + place for place in range(6)]
    assert any_names(table.remarks, "left out", "BAD 4", "REF 4")
    if document:
        assert "isCompleteDocument 1" in table.sentence


def test_language_pairs_are_test_sets(tmp_path):
    lines = export() + [line.replace("deu,eng", "ces,eng") for line in export()]
    (sets,) = read(tmp_path, lines).test_sets(units="segments")
    assert sets.names == ("deu-eng", "ces-eng")


def test_a_line_of_names_is_read_as_ever(tmp_path):
    names = "rater,system,segment,itemType,src,trg,score,start_timestamp,end_timestamp"
    table = read(tmp_path, [names, *export(document=False)])
    assert table.metrics == {"score": True}
    assert any_names(table.remarks, "left out", "BAD 4", "REF 4")


def test_an_export_of_all_results_has_its_own_names(tmp_path):
    names = (
        "taskID,systemID,username,email,groups,segmentID,score,startTime,endTime,"
        "durationInSeconds,itemType,campaignName,documentID,isCompleteDocument,mqm"
    )
    rows = []
    for line in export():
        rater, system, segment, kind, _, _, score, document, complete, start, end = line.split(",")
        cells = ["3", system, rater, "a@b.example", "x", segment, score, start, end, "9.2", kind]
        rows.append(",".join([*cells, "news26", document, complete, "[]"]))
    path = tmp_path / "all.csv"
    path.write_text("\n".join([names, *rows]))
    found = read_score_table(str(path), ["score"]).ratings
    expected = read(tmp_path, export()).ratings
    assert found is not None
    assert expected is not None
    labels = ["system", "segment", "document", "rater", "score"]
    assert found[labels].to_numpy().tolist() == expected[labels].to_numpy().tolist()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ann,elm,1", "it has 3 fields, and the first line has 11"),
        ('ann,"elm"x,1,TGT,deu,eng,70,d,False,1,2', "',' expected"),
        ("ann,elm,9,TGT,deu,eng,good,d,False,1,2", "column 'score': 'good'"),
        ("ann,elm,9,HUH,deu,eng,70,d,False,1,2", "column 'itemType': 'HUH' is not a known type"),
    ],
)
def test_a_damaged_line_is_refused_by_its_number(tmp_path, line, problem):
    lines = export()
    with pytest.raises(mt.InputError, match=r"^'export.csv', line 3") as caught:
        read(tmp_path, [*lines[:2], line, *lines[2:]])
    assert problem in str(caught.value)
