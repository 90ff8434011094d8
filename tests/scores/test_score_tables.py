"""Tables of segment scores: what is taken, which way is better, and errors that say where."""

from __future__ import annotations

import contextlib
import json
import re
from functools import partial

import pytest

import mtsig_nb as mt
from mtsig_nb.scores.columns import MOST_METRICS
from mtsig_nb.scores.table import read_score_table

from ..messages import naming

ROWS = [(system, i) for system in ("a", "b") for i in range(1, 5)]


def columns(**values) -> str:
    """CSV with system and segment, and further columns as functions of a row's number."""
    lines = [",".join(["system", "segment", *values])]
    for k, (system, segment) in enumerate(ROWS):
        lines.append(",".join([system, str(segment), *(str(f(k)) for f in values.values())]))
    return "".join(f"{line}\n" for line in lines)


def score(k: int) -> float:
    return 0.5 + k * 5 % 8 / 16


@pytest.fixture
def write(tmp_path):
    def write(content: str | bytes, name: str = "s.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


#: Why a column of numbers is no metric.
BY_NAME = "not a score by its name; name it with -m"


def error_of(path: str, metrics=()) -> str:
    with pytest.raises(mt.InputError) as caught:
        read_score_table(path, metrics).statistics()
    return str(caught.value)


# --- what is taken --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["judge", "evaluator_id", "rater-no", "src_len", "length", "n_words", "seed", "run", "Year"],
)
def test_what_is_a_number_but_no_score_is_taken_only_by_name(write, name):
    path = write(columns(COMET=score, **{name: lambda k: k % 3}))
    table = read_score_table(path)
    assert list(table.metrics) == ["COMET"]
    assert table.unused == {name: BY_NAME}
    assert re.search(naming("not used", f"{name} ({table.unused[name]})"), table.sentence)
    assert list(read_score_table(path, [name, "COMET"]).metrics) == [name, "COMET"]


@pytest.mark.parametrize(
    "name", ["score", "words kept", "length_ratio", "errors_per_word", "time", "word_f1", "DA"]
)
def test_what_may_be_a_score_is_taken(write, name):
    assert list(read_score_table(write(columns(**{name: score}))).metrics) == [name]


def test_other_columns_are_listed_with_the_reason(write):
    others = {
        "empty": lambda k: "",
        "lp": lambda k: "es-en",
        "exact": lambda k: k % 2 == 0,
        "some": lambda k: k if k < 3 else "?",
        "constant": lambda k: 7,
    }
    table = read_score_table(write(columns(x=score, **others)))
    yes_or_no, some = "yes or no; name it with -m", "3 of 8 values are numbers"
    reasons = ["empty", "no numbers", yes_or_no, some, "the same everywhere"]
    assert table.unused == dict(zip(others, reasons, strict=True))
    unused = "; ".join(f"{name} ({reason})" for name, reason in table.unused.items())
    assert table.metrics == {"x": True}
    assert re.search(naming("s.csv: x", "not used", f"{unused}."), table.sentence)


def test_thousands_of_columns_are_refused_at_once_and_one_of_them_is_taken(write, monkeypatch):
    path = write(columns(**{f"m{i}": score for i in range(MOST_METRICS + 1)}))
    assert re.search(naming("'s.csv'", "101", "-m m0"), error_of(path))
    table = read_score_table(path, ["m7"])
    assert [s.label for s in table.statistics()] == ["m7"]
    assert "and 80 more" in table.sentence


# --- which way is better --------------------------------------------------------------------------


def test_directions_by_name_for_all_and_for_the_rest(write):
    read = partial(read_score_table, write(columns(MQM=score, COMET=score, x=score)))
    assert read(["MQM:lower", "COMET:higher"]).metrics == {"MQM": False, "COMET": True}
    every = read(["all", "MQM:lower"]).metrics
    assert every == {"MQM": False, "COMET": True, "x": True}
    rest = read(["all", "COMET:Higher"], smaller_is_better=True)
    assert rest.metrics == {"MQM": False, "COMET": True, "x": False}
    assert rest.metrics == read(["all:lower", "COMET:higher"]).metrics
    for table in (rest, read(["x", "MQM:lower"])):
        found = {s.label: s.metric.higher_is_better for s in table.statistics()}
        assert found == table.metrics


def test_a_column_with_a_colon_in_its_name(write):
    path = write(columns(**{"ref:A": score, "x:lower": score, "x": score}))
    found = read_score_table(path, ["ref:A:lower", "x:lower"]).metrics
    assert found == {"ref:A": False, "x:lower": True}


PENALTIES = ["MQM", "TER", "hTER", "MetricX-24", "wer", "error_count", "post edits", "penalty"]
MERITS = ["COMET", "sacreBLEU", "chrF2", "wmt22-comet-da"]
OTHERS = ["score", "adequacy", "inter", "terminology", "concerto"]


@pytest.mark.parametrize("name", [*PENALTIES, *MERITS, *OTHERS])
def test_a_direction_that_scores_of_that_name_seldom_have_is_a_warning(write, name):
    path = write(columns(**{name: score}))
    for way, unlikely in (("higher", PENALTIES), ("lower", [*MERITS, "adequacy"])):
        warned = pytest.warns(UserWarning, match=naming(f"'{name}'", f"{way}-is-better"))
        with warned if name in unlikely else contextlib.nullcontext():  # an error, if it warned
            read_score_table(path, smaller_is_better=way == "lower").statistics()
        read_score_table(path, [f"{name}:{way}"]).statistics()


# --- other layouts --------------------------------------------------------------------------------

#: Scores of two systems for three segments.
SCORES = {"A": [0.5, 0.75, 0.25], "B": [0.625, 0.5, 0.125]}


def test_a_file_for_each_system_and_the_name_of_its_metric(write):
    paths = [write("".join(f"{x}\n" for x in xs), f"{s}.txt") for s, xs in SCORES.items()]
    (found,) = read_score_table(paths).statistics()
    assert (found.label, found.systems) == ("score", ("A", "B"))
    assert found.segment_scores().tolist() == list(SCORES.values())
    wide = write("A,B\n" + "".join(f"{a},{b}\n" for a, b in zip(*SCORES.values(), strict=True)))
    table = read_score_table(wide, ["MetricX:lower"])
    assert table.metrics == {"MetricX": False}
    (remark,) = table.remarks
    assert re.search(naming("2 columns", "systems", "3 segments"), remark)


def test_files_by_order_and_by_number_are_joined_where_no_number_lacks(write):
    comet = write(json.dumps({s: [{"COMET": x} for x in xs] for s, xs in SCORES.items()}), "c.json")
    wide = write("segment,B,A\n2,3,1\n1,5,4\n3,7,6\n", "mqm.csv")
    table = read_score_table([comet, wide], ["COMET", "mqm:lower"])
    first, second = table.statistics()
    assert first.segment_scores().tolist() == list(SCORES.values())
    assert second.segment_scores().tolist() == [[4, 1, 6], [5, 3, 7]]
    assert table.metrics == {"COMET": True, "mqm": False}
    for rows, lacking in (
        ("2,3,1\n1,5,4\n", "^'c.json' has 3 segments, and 'short.csv' has 2"),
        ("1,3,1\n2,5,4\n4,1,1\n", "^'short.csv' has no segment 3, and 'c.json' has no numbers"),
        ("11,3,1\n12,5,4\n13,1,1\n", "^'short.csv' begins with segment 11, and 'c.json' has no"),
        ("x1,3,1\nx2,5,4\nx3,1,1\n", "^'short.csv' has names of segments .'x1'., and 'c.json'"),
    ):
        short = write(f"segment,B,A\n{rows}", "short.csv")
        with pytest.raises(mt.InputError, match=lacking):
            read_score_table([comet, short], ["COMET", "short"])


def test_what_was_rated_for_some_only_is_left_out_and_said(write):
    rated = {"A": ["1", "None", "2", "3"], "B": ["0", "None", "1", "2"], "ref": ["None"] * 4}
    lines = [f"{s}\t{x}" for s, xs in rated.items() for x in xs]
    table = read_score_table(write("\n".join(lines), "en-de.mqm.seg.score"), ["en-de.mqm:higher"])
    assert table.frame["system"].unique().tolist() == ["A", "B"]
    (found,) = table.statistics()
    assert found.segment_scores().tolist() == [[1, 2, 3], [0, 1, 2]]
    (remark,) = table.remarks
    assert re.search(naming("6 rows", "left out"), remark)


def test_several_test_sets_are_one_test_of_the_mean_over_them(write):
    rows = [("en-de", 1, 0.1), ("en-de", 2, 0.3), ("en-cs", 1, 0.5), ("en-cs", 2, 0.7)]
    rows += [("en-cs", 3, 0.9)]
    text = "lp,system,segment,x\n" + "".join(
        f"{lp},{s},{i},{x + d}\n" for lp, i, x in reversed(rows) for s, d in (("b", 0), ("a", 0.5))
    )
    table = read_score_table(write(text))
    (found,) = table.statistics()
    scores = {"a": (0.7 + 1.2) / 2, "b": (0.2 + 0.7) / 2}
    assert found.scores().to_dict() == pytest.approx(scores)
    (remark,) = table.remarks
    assert re.search(naming("means", "2 test sets", "en-cs, en-de"), remark)
    compared = mt.compare_all(found, n_resamples=99, rng=1).table
    assert compared["difference"].item() == pytest.approx(0.5)


def test_seeds_are_runs_only_where_there_are_several(write):
    rows = [(s, r, i) for s in "ab" for r in (7, 9) for i in range(3)]
    text = "system,seed,segment,x\n" + "".join(f"{s},{r},{i},{r * i}\n" for s, r, i in rows)
    table = read_score_table(write(text))
    assert table.runs == {"a": ["a/7", "a/9"], "b": ["b/7", "b/9"]}
    assert table.statistics()[0].systems == ("a/7", "a/9", "b/7", "b/9")
    once = "".join(line for line in text.splitlines(keepends=True) if ",9," not in line)
    assert read_score_table(write(once)).runs == {}


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["n/a?", "nan", "inf", "-inf", "0,5", "1+2j", "9" * 400, ""])
def test_one_value_that_is_no_number_is_refused_with_its_place(write, value):
    cell = f'"{value}"' if "," in value else value
    content = columns(note=lambda k: '"a, b"', COMET=lambda k: cell if k == 5 else score(k))
    problem = "there is no value" if value in ("", "nan") else "is not a finite number"
    message = error_of(write(f"\n{content}"))  # a blank line, then the header
    assert re.match(naming("'s.csv'", "line 8", "'COMET'"), message)
    assert problem in message
    assert ("decimal point" if value == "0,5" else "Score the segment") in message
    assert value[:4] in message


#: Numbers of which one has a point among commas, by layout, and where it is.
POINTS_AMONG_COMMAS = {
    "wide.csv": ("A;B\n0,5;0,7\n1.250;0,4\n0,9;0,3\n", "line 3, column 'A'"),
    "lines.txt": ("0,5\n0,7\n1.250\n", "line 3, column 'score'"),
    "first.txt": ("1.250\n0,5\n0,7\n", "line 1, column 'score'"),
    "ambiguous.csv": ("system;segment;x\nA;1;1.250\nA;2;1,300\nB;1;1,4\n", "line 2, column 'x'"),
    "percent.tsv": ("x\ty\n12,5 %\t1\n1.250 %\t2\n13,5 %\t3\n", "line 3, column 'x'"),
    "beside.csv": ("system;segment;x;z\nA;1;0,5;1\nA;2;1.250;3\nB;1;0,7;2\n", "line 3, column 'x'"),
    "numbers.json": ('[{"x": "0,5"}, {"x": 1.25}, {"x": "0,7"}]', "record 2, column 'x'"),
}


@pytest.mark.parametrize("name", POINTS_AMONG_COMMAS)
def test_a_point_among_commas_is_refused_with_its_place(write, name):
    content, place = POINTS_AMONG_COMMAS[name]
    message = error_of(write(content, name))
    assert message.startswith(f"'{name}', {place}: ")
    assert re.search(r"'1\.25(0|0 %)?'", message)


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("wide.csv", "A,B\n83 %,70 %\n85,75 %\n90 %,71 %\n", "line 3, column 'A'"),
        ("x.tsv", "x\ty\n0.5\t1\n7,5%\t1\n5%\t2\n6%\t2\n", "line 2, column 'x'"),
        ("x.json", '[{"x": "83 %"}, {"x": "84 %"}, {"x": 85}]', "record 3, column 'x'"),
    ],
)
def test_a_number_without_the_percent_sign_of_the_others_is_refused_with_its_place(
    write, name, content, place
):
    message = error_of(write(content, name))
    assert message.startswith(f"'{name}', {place}: ")
    assert "percent sign" in message


@pytest.mark.parametrize("cell", ["0,{}", "{} %"])
def test_numbers_as_texts_in_json_are_read(write, cell):
    """From pandas 3 on a column of texts alone has a type of its own."""
    rows = [
        json.dumps({"system": system, "segment": k, "x": cell.format(50 + k * 3 % 40)})
        for system in "AB"
        for k in range(6)
    ]
    table = read_score_table(write("\n".join(rows), "x.jsonl"))
    assert list(table.metrics) == ["x"]


def test_a_comma_among_points_is_the_culprit_where_points_are_usual(write):
    message = error_of(write("system;segment;x\nA;1;0.5\nA;2;1.250\nB;1;0,7\nB;2;0.4\n"))
    assert re.match(naming("'s.csv'", "line 4", "'x'", "'0,7'", "finite"), message)


def test_what_is_no_score_by_its_name_may_have_points_among_commas(write):
    rows = "A;1;0,5;1.250\nA;2;0,7;3,5\nB;1;0,3;4,5\nB;2;0,4;5,5\n"
    table = read_score_table(write(f"system;segment;x;length\n{rows}"))
    assert list(table.metrics) == ["x"]
    assert "length" in table.unused


def test_a_list_in_the_place_of_a_score_is_refused(write):
    with pytest.raises(mt.InputError, match=naming("'B'", "a list")):
        read_score_table(write('{"A":[0.5,0.2],"B":[[0.1,0.2],0.3]}', "c.json"))
