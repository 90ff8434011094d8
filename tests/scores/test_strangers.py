"""Files as other programs, languages and editors write them: what is beside scores is no score."""

from __future__ import annotations

import json

import pytest

from mtsig_nb.scores.table import read_score_table

from ..messages import any_names

SCORES = {"A": (0.51, 0.72, 0.43, 0.94, 0.65, 0.36), "B": (0.42, 0.81, 0.33, 0.74, 0.55, 0.16)}
N = len(SCORES["A"])


def wide(*others: str) -> str:
    """A table with a column for each system and others beside them, whose cells are in order."""
    names = ["segment", *SCORES, *(name.partition("=")[0] for name in others)]
    lines = [",".join(names)]
    for place in range(N):
        beside = [other.partition("=")[2].split()[place] for other in others]
        lines.append(",".join(map(str, [place, *(own[place] for own in SCORES.values()), *beside])))
    return "".join(f"{line}\n" for line in lines)


def long(column: str, cells) -> str:
    """A table with a row for each system and item, and a column that has the same for all."""
    lines = [f"system,{column},x"]
    for system, own in SCORES.items():
        lines += [f"{system},{cell},{score}" for cell, score in zip(cells, own, strict=True)]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    "beside",
    ["mean=1 2 3 4 5 6", "std=.1 .2 .1 .2 .1 .3", "diff=.1 .2 .3 .4 .5 .6", "Zeile=1 2 3 4 5 6"],
)
def test_what_stands_beside_systems_is_none(tmp_path, beside):
    path = tmp_path / "scores.csv"
    path.write_text(wide(beside))
    table = read_score_table(str(path), ["comet"])
    assert set(table.frame["system"]) == set(SCORES)
    assert repr(beside.partition("=")[0]) in table.sentence


def test_a_system_may_be_called_like_a_summary(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(wide("mean=.6 .5 .4 .3 .2 .1"))
    table = read_score_table(str(path), ["comet"], systems=["A", "mean"])
    assert "mean" in set(table.frame["system"])


def test_numbers_of_items_are_no_scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(long("zeile", range(1, N + 1)))
    table = read_score_table(str(path))
    assert list(table.metrics) == ["x"]
    assert table.unused.keys() >= {"zeile"}
    assert "same items" in table.unused["zeile"]
    assert list(read_score_table(str(path), ["zeile", "x"]).metrics) == ["zeile", "x"]


def test_rows_are_paired_by_numbers_of_items(tmp_path):
    """Where systems have their rows in different orders, and a column numbers them."""
    path = tmp_path / "scores.csv"
    header, *lines = long("zeile", range(1, N + 1)).splitlines()
    path.write_text("\n".join([header, *lines[:N], *reversed(lines[N:])]))
    (found,) = read_score_table(str(path)).statistics()
    columns = {tuple(column) for column in found.segment_scores().T.round(6)}
    assert columns == set(zip(*SCORES.values(), strict=True))


def test_ratings_that_look_like_numbers_of_items_are_scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(long("rating", (1, 2, 3, 4, 5, 5)))
    assert list(read_score_table(str(path)).metrics) == ["rating", "x"]


def test_predictions_of_metricx_have_a_note(tmp_path):
    paths = []
    for system, own in SCORES.items():
        path = tmp_path / f"{system}.jsonl"
        beside = {"source": "s", "hypothesis": "h"}
        path.write_text("\n".join(json.dumps({**beside, "prediction": score}) for score in own))
        paths.append(str(path))
    assert [note.code for note in read_score_table(paths).notes] == ["direction"]


def test_ratings_of_segments_that_no_two_systems_share_are_told(tmp_path):
    path = tmp_path / "ratings.csv"
    lines = ["id,system,annotator,rating"]
    for number, (system, place) in enumerate((s, n) for s in SCORES for n in range(N)):
        lines += [f"{number},{system},{rater},{place % 4 + 1}" for rater in ("ann", "bob")]
    path.write_text("\n".join(lines))
    assert any_names(read_score_table(str(path)).remarks, "no segment", "two systems")


def test_files_in_folders_of_systems_are_paired_by_their_names(tmp_path):
    """As programs that score speech write them, with a folder for each system."""
    paths = []
    for system, own in SCORES.items():
        rows = [f"{system}/{number}.wav\t{score}" for number, score in enumerate(own)]
        if system == "B":
            rows.reverse()
        path = tmp_path / f"{system}.tsv"
        path.write_text("\n".join(["filename\tscore", *rows]))
        paths.append(str(path))
    (found,) = read_score_table(paths).statistics()
    columns = {tuple(column) for column in found.segment_scores().T.round(6)}
    assert columns == set(zip(*SCORES.values(), strict=True))
