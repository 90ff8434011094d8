"""Marks of errors: the sums of their points, and what is no mark."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.checks import FAILED
from mtsig_nb.scores.table import ScoreTable, read_score_table

from ..cli.program import answer
from ..messages import any_names, naming

#: System, segment, rater, category, severity, and the points by Freitag et al. (2021).
MARKS = [
    ("A", "1", "r1", "Fluency/Punctuation", "Minor", 0.1),
    ("A", "1", "r1", "Accuracy/Omission", "Major", 5.0),
    ("A", "1", "r2", "Style/Awkward", "Minor", 1.0),
    ("A", "2", "r1", "No-error", "No-error", 0.0),
    ("A", "2", "r2", 'Accuracy/"', "Neutral", 0.0),
    ("B", "1", "r1", "Non-translation!", "Major", 25.0),
    ("B", "1", "r2", "no-error", "no-error", 0.0),
    ("B", "2", "r1", "Fluency/Punctuation", "major", 5.0),
    ("B", "2", "r2", "Source error", "MAJOR", 5.0),
]
GOOGLE = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target")
NEWSTEST = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target")


def lines_of(marks=MARKS, names=GOOGLE) -> list[str]:
    """A line for each mark, and one of names, in Google's layout."""
    lines = ["\t".join([*names, "category", "severity"])]
    for system, segment, rater, category, severity, *_ in marks:
        place = len(lines) % 5
        output = f"Output{segment}{system}"
        span = f"{output[:place]}<v>{output[place:5]}</v>{output[5:]}"
        cells = [system, f"d{segment}", "1", segment, rater, f"Source {segment}", span]
        lines.append("\t".join([*cells, category, severity]))
    return lines


def written(folder: Path, lines: list[str], name: str = "mqm.tsv") -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def read(folder: Path, *lines: str, metrics: tuple[str, ...] = ()) -> ScoreTable:
    return read_score_table(written(folder, list(lines)), metrics)


def means(table: ScoreTable) -> dict[str, list[float]]:
    (found,) = table.statistics()
    return dict(zip(found.systems, found.segment_scores().tolist(), strict=True))


@pytest.mark.parametrize("names", [GOOGLE, NEWSTEST])
def test_ratings_are_sums_of_points(tmp_path, names):
    table = read(tmp_path, *lines_of(names=names))
    assert table.metrics == {"MQM": False}
    assert not table.assumed
    expected: dict[tuple[str, str, str], float] = defaultdict(float)
    for system, segment, rater, _, _, points in MARKS:
        expected[system, segment, rater] += points
    ratings = table.ratings
    assert ratings is not None
    found = ratings.astype({"segment": str}).set_index(["system", "segment", "rater"])["MQM"]
    assert found.to_dict() == pytest.approx(dict(expected))
    assert set(zip(ratings["segment"].astype(str), ratings["document"], strict=True)) == {
        ("1", "d1"),
        ("2", "d2"),
    }
    assert means(table) == {"A": pytest.approx([3.05, 0]), "B": pytest.approx([12.5, 5])}


def test_what_was_done_is_said(tmp_path):
    sentence = read(tmp_path, *lines_of()).sentence
    assert re.search(naming("7 marks", "8 ratings"), sentence)
    for part in (
        "non-translation 25",
        "fluency/punctuation minor 0.1",
        "major 5",
        "Freitag et al.",
    ):
        assert part in sentence
    assert re.search(naming("docSegId, target ", "left out"), sentence)
    assert "source (no numbers)" in sentence


def test_random_marks_are_added_up(tmp_path):
    rng = random.Random(11)
    kinds = [mark[3:] for mark in MARKS if "rror" not in mark[3]]
    marks = []
    expected = {}
    for system in "AB":
        for segment in range(1, 30):
            for rater in rng.sample(["r1", "r2", "r3"], 2):
                own = rng.choices(kinds, k=rng.randrange(5))
                expected[system, segment, rater] = sum(kind[2] for kind in own)
                own = own or [("No-error", "No-error", 0)]
                marks += [(system, str(segment), rater, *kind) for kind in own]
    rng.shuffle(marks)
    ratings = read(tmp_path, *lines_of(marks)).ratings
    assert ratings is not None
    found = ratings.set_index(["system", "segment", "rater"])["MQM"]
    assert found.to_dict() == pytest.approx(expected)


def test_one_file_a_system(tmp_path):
    paths = []
    for system in "AB":
        own = lines_of([mark for mark in MARKS if mark[0] == system])
        without_system = [line.partition("\t")[2] for line in own]
        paths.append(written(tmp_path, without_system, f"{system}.tsv"))
    assert means(read_score_table(paths)) == means(read(tmp_path, *lines_of()))


def test_segments_may_be_numbered_in_documents(tmp_path):
    lines = ["system\tdoc\tdocSegId\trater\tcategory\tseverity"]
    for document, points in (("d1", "Major"), ("d2", "Minor")):
        for system in "AB":
            lines += [f"{system}\t{document}\t{n}\tr\tStyle\t{points}" for n in (1, 2)]
    (found,) = read(tmp_path, *lines).statistics()
    assert sorted(found.segment_scores()[0].tolist()) == [1, 1, 5, 5]


def test_without_raters_marks_are_scores(tmp_path):
    lines = lines_of([mark for mark in MARKS if mark[2] == "r1"])
    without_rater = ["\t".join(cells[:4] + cells[5:]) for cells in (x.split("\t") for x in lines)]
    table = read(tmp_path, *without_rater)
    assert table.ratings is None
    assert means(table) == {"A": pytest.approx([5.1, 0]), "B": pytest.approx([25, 5])}


def test_json_lines_are_read_likewise(tmp_path):
    names, *lines = (line.split("\t") for line in lines_of())
    records = [json.dumps(dict(zip(names, line, strict=True))) for line in lines]
    path = written(tmp_path, records, "mqm.jsonl")
    assert means(read_score_table(path)) == means(read(tmp_path, *lines_of()))


def test_a_comment_behind_the_names_is_no_column(tmp_path):
    names, *lines = lines_of()
    table = read(tmp_path, f"{names}\t# Documentation: see the viewer", *lines)
    assert means(table) == means(read(tmp_path, names, *lines))
    assert any_names(table.remarks, "comment (#)", "left out")


def test_of_two_columns_for_segments_the_one_for_all_documents_counts(tmp_path):
    names, *lines = lines_of()
    table = read(tmp_path, f"segment\t{names}", *(f"7\t{line}" for line in lines))
    assert means(table) == means(read(tmp_path, names, *lines))
    assert any_names(table.remarks, "docSegId, target, segment ", "left out")


def test_language_pairs_are_test_sets(tmp_path):
    names, *lines = lines_of()
    both = [f"lp\t{names}"] + [f"{lp}\t{line}" for lp in ("en-de", "zh-en") for line in lines]
    (sets,) = read(tmp_path, *both).test_sets()
    assert sets.names == ("en-de", "zh-en")


def test_a_column_of_words_may_name_the_test_sets(tmp_path):
    names, *lines = lines_of()
    both = [f"domain\t{names}"] + [f"{own}\t{line}" for own in ("news", "chat") for line in lines]
    table = read_score_table(written(tmp_path, both), by="domain")
    assert table.has_test_sets


def test_the_command_line_takes_less_as_better(tmp_path):
    found = answer(f"compare --scores {written(tmp_path, lines_of())} --units segments")
    assert [own["system"] for own in found["systems"]] == ["A", "B"]
    table = read_score_table(written(tmp_path, lines_of()), ["MQM:higher"])
    assert table.metrics == {"MQM": True}


def test_marks_in_other_texts_are_of_no_one_rating(tmp_path):
    names, *lines = lines_of()
    others = [line.replace("Source", "Other source") for line in lines]
    with pytest.raises(mt.InputError, match=naming("line 2 ", "line 11 ", "'source'", "--by")):
        read(tmp_path, names, *lines, *others)


# --- points ---------------------------------------------------------------------------------------

POINTS = [
    "category,severity,points",
    ",major,10",
    ",minor,2",
    ",neutral,0",
    "Style,,0.5",
    "Fluency/Punctuation,major,3",
    "Non-translation,,40",
]


def test_a_table_of_points_may_be_given(tmp_path):
    paths = [written(tmp_path, lines_of()), written(tmp_path, POINTS, "points.csv")]
    table = read_score_table(paths)
    assert means(table) == {"A": [(12 + 0.5) / 2, 0], "B": [20, (3 + 10) / 2]}
    assert "style 0.5" in table.sentence
    assert "(points.csv)" in table.sentence
    assert means(read_score_table(paths[::-1])) == means(table)


def test_points_by_severity_alone(tmp_path):
    points = ["severity;points", "major;10", "minor;2", "neutral;1,5"]
    paths = [written(tmp_path, lines_of()), written(tmp_path, points, "points.csv")]
    assert means(read_score_table(paths)) == {"A": [7, 0.75], "B": [5, 10]}


# --- checks ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:rater r2 failed")
def test_checks_are_no_marks_and_stand_beside_the_ratings(tmp_path):
    checks = [
        ("A", "1", "r1", "Found", "HOTW-test"),
        ("A", "2", "r2", "Missed", "HOTW-test"),
        ("B", "2", "r2", "Found", "HOTW-test"),
    ]
    table = read(tmp_path, *lines_of(MARKS + checks))
    assert means(table) == means(read(tmp_path, *lines_of()))
    assert any_names(table.remarks, "3 rows", "(hotw-test)", "left out")
    ratings = table.ratings
    assert ratings is not None
    assert ratings.groupby("rater")[FAILED].unique().map(list).to_dict() == {"r1": [0], "r2": [1]}
    (found,) = table.notes
    assert (found.values["rater"], found.values["checks"]) == ("r2", 2)


# --- segments without an error --------------------------------------------------------------------


def test_where_nothing_says_no_error_a_segment_without_marks_is_refused(tmp_path):
    marks = [mark for mark in MARKS if mark[5]]
    culprit = naming("'mqm.tsv'", "no mark", "'A'", "segment '2'", "(1 ", "No-error")
    with pytest.raises(mt.InputError, match=culprit):
        read(tmp_path, *lines_of(marks))


def test_where_every_segment_has_marks_nothing_need_say_so(tmp_path):
    marks = [mark for mark in MARKS if mark[5] or mark[4] == "Neutral"]
    assert means(read(tmp_path, *lines_of(marks)))["A"] == pytest.approx([3.05, 0])


# --- marks of WMT ---------------------------------------------------------------------------------

WMT23 = Path(__file__).parents[3] / "shared/data/wmt23"


@pytest.mark.thorough
@pytest.mark.skipif(not WMT23.exists(), reason="the marks of WMT23 are not here")
@pytest.mark.parametrize("pair", ["zh-en", "en-de"])
def test_sums_are_those_that_others_published(tmp_path, pair):
    """The file has no row for a segment without an error; the ratings say which were rated."""
    human = WMT23 / pair / "human"
    marks = pd.read_csv(human / "mqm_marks.tsv.gz", sep="\t", quoting=3, dtype=str)
    published = pd.read_csv(human / "mqm_ratings.tsv.gz", sep="\t", dtype={"segment": str})
    labels = ["system", "segment", "rater"]
    rated = published[labels].merge(marks[labels].drop_duplicates(), how="left", indicator=True)
    unmarked = rated.loc[rated["_merge"] == "left_only", labels]
    unmarked = unmarked.assign(category="No-error", severity="No-error")
    path = tmp_path / "mqm.tsv"
    pd.concat([marks, unmarked]).to_csv(path, sep="\t", index=False, quoting=3)
    found = read_score_table(str(path)).ratings
    assert found is not None
    both = published.merge(found.astype({"segment": str}), how="outer", on=labels)
    assert len(both) == len(published)
    assert np.allclose(both["penalty"], both["MQM"], rtol=0, atol=1e-9)
