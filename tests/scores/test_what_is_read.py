"""Files that are read as meant: every score is where its file says, and what was done is said."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import mtsig_nb as mt
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.scores.table import ScoreTable, read_score_table

#: The scores of two systems for three segments, of which nearly all files here consist.
SCORES = {"A": [0.5, 0.75, 0.25], "B": [0.625, 0.125, 0.375]}


@dataclasses.dataclass(frozen=True)
class Read:
    """Files, what is in them, and what is said of them."""

    files: Mapping[str, str]
    says: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("x",)
    scores: Mapping[str, list[float]] = dataclasses.field(default_factory=lambda: SCORES)
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    paths: tuple[str, ...] = ()


def long(form: str = "{s},{i},{x}", names: str = "system,segment,x", end: str = "\n") -> str:
    """A table of `SCORES` with a row for each system and segment."""
    lines = [names]
    for system, own in SCORES.items():
        lines += [form.format(s=system, i=i, x=x) for i, x in enumerate(own, start=1)]
    return "".join(line + end for line in lines)


def wide(*more: str, names: str = "") -> str:
    """A table with a column for each system, and further columns."""
    lines = [f"A,B{names}"]
    for place, pair in enumerate(zip(*SCORES.values(), strict=True)):
        further = "".join(f",{column.split()[place]}" for column in more)
        lines.append(f"{pair[0]},{pair[1]}{further}")
    return "".join(f"{line}\n" for line in lines)


def numbers(system: str) -> str:
    return "".join(f"{x}\n" for x in SCORES[system])


def records(**more: Any) -> str:
    lines = []
    for system, own in SCORES.items():
        for i, x in enumerate(own):
            given = {"system": system, "segment": i, "x": x}
            lines.append(given | {name: function(given) for name, function in more.items()})
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def out_of_order(column: str, values: tuple[str, str, str]) -> str:
    """B's rows in another order than A's, and a column that says so."""
    rows = [f"A,{v},{x}" for v, x in zip(values, SCORES["A"], strict=True)]
    own = list(zip(values, SCORES["B"], strict=True))
    rows += [f"B,{v},{x}" for v, x in (own[2], own[0], own[1])]
    return f"system,{column},x\n" + "".join(f"{row}\n" for row in rows)


CASES = {
    # --- quotation marks
    "tabs, marks are text": Read(
        {"a.tsv": long('{s}\t{i}\t{x}\t"he said', "system\tsegment\tx\ttarget")}),
    "tabs, a quotation over two segments": Read(
        {"a.tsv": "system\tsegment\tt\tx\nA\t1\t\"So\t.5\nA\t2\tit is.\"\t.75\nA\t3\tYes.\t.25\n"
         "B\t1\tSo\t.625\nB\t2\tit is.\t.125\nB\t3\tYes.\t.375\n"}),
    "tabs, all fields in marks": Read(
        {"a.tsv": long('"{s}"\t"{i}"\t"{x}"', '"system"\t"segment"\t"x"')}),
    "tabs, texts in marks": Read({"a.tsv": long('"{s}"\t{i}\t{x}', '"system"\t"segment"\t"x"')}),
    "commas in marks": Read({"a.csv": long('{s},{i},{x},"a, ""b"""', "system,segment,x,note")}),
    "a mark within": Read({"a.csv": long('{s},{i},{x},12" disk', "system,segment,x,note")}),
    "single marks": Read({"a.csv": long("'{s}','{i}','{x}'", "'system','segment','x'")}),
    # --- lines and separators
    "CR CR LF": Read({"a.csv": long(end="\r\r\n")}),
    "CR": Read({"a.csv": long(end="\r")}),
    "a mark of the byte order": Read({"a.csv": "\ufeff" + long()}),
    "separators at the ends": Read({"a.csv": long("{s},{i},{x},", "system,segment,x,")},
                                   ("column 4 has no name and no values: left out",)),
    "empty rows of a spreadsheet": Read({"a.csv": long() + ",,\n,,\n"}),
    "Excel's first line": Read({"a.csv": "sep=;\n" + long("{s};{i};{x}", "system;segment;x")}),
    "comments": Read({"a.csv": "# by me, on Monday\n" + long() + "# end\n"},
                     ("2 lines of comments (#) left out",)),
    "tables below each other": Read(
        {"a.csv": long().replace("B,1", "\ufeffsystem,segment,x\nB,1")},
        ("line 5 repeats the names of the columns: left out",)),
    "blanks beside separators": Read({"a.csv": long("{s} , {i} , {x}", "system , segment , x")}),
    "columns parted by spaces": Read({"a.txt": long("{s}  {i} {x}", "system  segment x")},
                                     ("columns are separated by spaces",)),
    "pandas' index": Read({"a.csv": long(",{s},{i},{x}", ",system,segment,x").replace(
        "\n,", "\n7,")}, ("not used: Unnamed: 0",)),
    # --- numbers
    "decimal commas": Read({"a.csv": long("{s};{i};{x}", "system;segment;x").replace(".", ",")},
                           ("decimal commas in x",)),
    "decimal commas in marks": Read({"a.csv": long('{s},{i},"{x}"').replace("0.", "0,")},
                                    ("decimal commas in x",)),
    "decimal commas in lines": Read({f"{s}.txt": numbers(s).replace(".", ",") for s in "AB"},
                                    ("decimal commas in score",), ("score",)),
    "percent signs": Read({"a.csv": long("{s},{i},{x}%")}, ("percent signs in x are taken off",)),
    "other digits": Read({"a.csv": long().replace("0.5", "٠.٥")}),
    "minus signs": Read({"a.csv": long("{s},{i},\u2212{x}")},
                        scores={s: [-x for x in own] for s, own in SCORES.items()}),
    "right and wrong": Read(
        {"a.csv": "system,segment,x\nA,1,correct\nA,2,incorrect\nB,1,correct\nB,2,correct\n"},
        ("x: correct is 1, incorrect is 0",), (), scores={"A": [1, 0], "B": [1, 1]}),
    "a perfect system": Read(
        {"A.csv": "segment,acc\n1,1\n2,1\n", "B.csv": "segment,acc\n1,0\n2,1\n"},
        metrics=(), scores={"A": [1, 1], "B": [0, 1]}),
    # --- labels
    "names in objects": Read({"a.jsonl": records(system=lambda r: {"name": r["system"], "v": 1})},
                             ("system is an object: its 'name' is taken",)),
    "ids in objects": Read(
        {"a.jsonl": records(system=lambda r: {"name": "m", "id": r["system"]})},
        ("system is an object: its 'id' is taken",)),
    "lists of columns": Read({"a.json": json.dumps(
        {"system": [s for s in "AB" for _ in range(3)], "segment": [0, 1, 2] * 2,
         "x": SCORES["A"] + SCORES["B"]})}),
    "other letters": Read({"a.csv": long().replace("B,", "a,")},
                          scores={"A": SCORES["A"], "a": SCORES["B"]}),
    # --- what pairs rows
    **{f"rows in another order, {column}": Read(
        {"a.csv": out_of_order(column, values)}, (f"rows are paired by {column}",))
       for column, values in {
           "source": ("one", "two", "three"), "Prompt": ("one", "two", "three"),
           "hash": ("f1", "0c", "9b"), "line": ("7", "8", "9"), "position": ("2", "1", "3"),
           "src_text": ("same", "same", "other")}.items() if column != "src_text"},
    "outputs in the place of sources": Read(
        {"a.csv": long("{s},{s}{i},{x}", "system,translation,x")},
        ("segments are taken in their order",)),
    "sources in two files": Read(
        {"A.csv": "source,x\none,0.5\ntwo,0.75\nsix,0.25\n",
         "B.csv": "source,x\nsix,0.375\none,0.625\ntwo,0.125\n"}, ("rows are paired by source",)),
    "sources in COMET's JSON": Read({"a.json": json.dumps({
        "A.txt": [{"src": k, "x": x} for k, x in enumerate(SCORES["A"])],
        "B.txt": [{"src": k, "x": SCORES["B"][k]} for k in (2, 0, 1)]})},
        ("rows are paired by src",)),
    "documents in another order": Read(
        {"a.csv": "system,doc,x\nA,p,0.5\nA,p,0.75\nA,q,0.25\nB,q,0.375\nB,p,0.625\nB,p,0.125\n"}),
    "numbers beside none": Read(
        {"A.txt": numbers("A"), "b.csv": "system,segment,score\nB,3,.375\nB,2,.125\nB,1,.625\n"},
        ("segments of b.csv are ordered by their numbers",), ("score",)),
    # --- systems
    "names like counts": Read(
        {"a.csv": wide("7 8 9", ".5 .4 .3", names=",src_len,transformer-word")},
        ("not taken for systems: 'src_len'",),
        scores={**SCORES, "transformer-word": [0.5, 0.4, 0.3]}),
    "a count that is named": Read(
        {"a.csv": wide("7 8 9", names=",src_len")}, scores={**SCORES, "src_len": [7, 8, 9]},
        options={"systems": ["src_len"]}),
    "lists of which the metric is named": Read({"a.json": json.dumps(SCORES)}),
    "names of metrics that are systems": Read(
        {"a.json": json.dumps({"comet": SCORES["A"], "bleu": SCORES["B"]})},
        scores={"comet": SCORES["A"], "bleu": SCORES["B"]},
        options={"systems": ["comet", "bleu"]}),
    # --- scores that say no metric
    "numbers of a metric that is named": Read(
        {f"{s}.txt": numbers(s) for s in "AB"}, ("x is the column 'score'",)),
    "tables with a column called score": Read(
        {f"{s}.csv": f"segment,Score\n1,{SCORES[s][0]}\n2,{SCORES[s][1]}\n3,{SCORES[s][2]}\n"
         for s in "AB"}, ("x is the column 'Score'",)),
    "a column called value beside systems": Read(
        {"a.csv": long(names="system,segment,value")}, ("x is the column 'value'",)),
    "two wide files": Read(
        {"a.csv": wide(), "b.csv": wide().replace("A,B", "C,D")},
        scores={**SCORES, "C": SCORES["A"], "D": SCORES["B"]}),
    # --- names of files
    "folders": Read({f"{s}/m.txt": numbers(s) for s in "AB"},
                    ("systems are named after their files' folders",), ("score",)),
    "folders of folders": Read({f"{s}/out/m.txt": numbers(s) for s in "AB"}, (), ("score",)),
    "names": Read({"one.txt": numbers("A"), "two.txt": numbers("B")}, (), ("score",),
                  paths=("A=one.txt", "B=two.txt")),
    "an equals sign": Read({"A=B.txt": numbers("A"), "C.txt": numbers("B")}, (), ("score",),
                           scores={"A=B": SCORES["A"], "C": SCORES["B"]}),
    # --- several files
    "a copy": Read({"a.csv": long(), "b.csv": long()},
                   ("all 6 rows of b.csv are also in another file",)),
    "a copy in part": Read(
        {"a.csv": long(), "b.csv": long().replace("A,", "C,")},
        ("3 of 6 rows of b.csv are also in another file",),
        scores={**SCORES, "C": SCORES["A"]}),
    "nothing of use": Read({"a.csv": long(), "b.csv": "system,segment,note\nA,1,z\n"},
                           ("nothing is taken from 'b.csv'",)),
    # --- what is no rating
    **{f"control items, {name}": Read(
        {"a.csv": long(f"{{s}},{{i}},{{x}},{ordinary}", f"system,segment,x,{name}")
         + f"A,2,.9,{control}\nB,7,.1,{control}\n"}, ("2 rows of control items left out",))
       for name, ordinary, control in (
           ("itemType", "TGT", "BAD"), ("item_type", "system", "ref"), ("type", "TGT", "CHK"),
           ("isControl", "False", "True"), ("attention_check", "0", "1"), ("Tutorial", "no", "yes"),
           ("document", "d1", "d1#bad2"))},
}  # fmt: skip


def table_of(case: Read, folder: Path) -> ScoreTable:
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    given = []
    for path in case.paths or case.files:
        name, equals, file = path.rpartition("=") if case.paths else ("", "", path)
        given.append(f"{name}{equals}{folder / file}")
    return read_score_table(given, case.metrics, **case.options)


@pytest.mark.parametrize("name", CASES)
def test_every_score_is_where_its_file_says(name, tmp_path):
    case = CASES[name]
    table = table_of(case, tmp_path)
    (found,) = table.statistics()
    assert dict(zip(found.systems, found.segment_scores().tolist(), strict=True)) == {
        system: pytest.approx(own) for system, own in case.scores.items()
    }
    for part in case.says:
        assert part in table.sentence


def test_a_file_of_which_nothing_is_used_is_not_among_those_taken(tmp_path):
    for name in ("a copy", "nothing of use"):
        table = table_of(CASES[name], tmp_path / name)
        assert table.files == ("a.csv",)
        assert "b.csv" in table.sentence


def test_test_sets_and_runs_in_a_file_each(tmp_path):
    sets = {f"{lp}.csv": long(f"{lp},{{s}},{{i}},{{x}}", "lp,system,segment,x")
            for lp in ("en-de", "en-cs")}  # fmt: skip
    assert set(table_of(Read(sets), tmp_path / "sets").frame["(test set)"]) == {"en-de", "en-cs"}
    runs = {f"{run}.csv": long(f"{run},{{s}},{{i}},{{x}}", "seed,system,segment,x") for run in "12"}
    found = table_of(Read(runs), tmp_path / "runs").runs
    assert found == {"A": ["A/1", "A/2"], "B": ["B/1", "B/2"]}


def test_two_columns_name_a_test_set_together(tmp_path):
    pairs = [(y, lp) for y in ("22", "23") for lp in ("en-de", "en-cs")]
    rows = [(*pair, s, i) for pair in pairs for s in "AB" for i in "12"]
    text = "".join(f"wmt{y},{lp},{s},{i},0.{i}{y[1]}\n" for y, lp, s, i in rows)
    table = table_of(Read({"a.csv": f"testset,lp,system,segment,x\n{text}"}), tmp_path)
    names = set(table.frame["(test set)"])
    assert names == {"wmt22/en-de", "wmt22/en-cs", "wmt23/en-de", "wmt23/en-cs"}


def test_names_that_would_collide_stay_apart(tmp_path):
    rows = [(s, r, i) for s, r in (("A", "1/2"), ("A/1", "2")) for i in "123"]
    text = "".join(f"{s},{r},{i},0.{i}{len(s)}\n" for s, r, i in rows)
    text += "".join(f"{s},9,{i},0.{i}\n" for s in ("A", "A/1") for i in "123")
    table = table_of(Read({"a.csv": f"system,run,segment,x\n{text}"}), tmp_path)
    runs = [run for own in table.runs.values() for run in own]
    assert len(set(runs)) == len(runs) == 4


@pytest.mark.parametrize(
    ("layout", "system", "n"),
    [
        ("t\t{s}\t{i}", 4, 4),  # WMT19
        ("t\tref\t{s}\t{i}", 5, 4),
        ("t\tref\t{s}\td{d}\t{i}", 5, 4),  # WMT20
        ("t\tnews\trefA\t{s}\t{i}", 6, 4),
        ("t\tnews\td{d}\trefA\t{s}\t{i}", 7, 4),  # WMT21
        ("t\t{s}\tdoc-{d}\t{i}", 4, 4),
    ],
)
def test_layouts_of_the_metrics_task(tmp_path, layout, system, n):
    rows = [(s, d, i + 2 * d) for s in ("sysA", "sysB") for d in (0, 1) for i in (1, 2)]
    lines = [f"M\txx-yy\t{layout.format(s=s, d=d, i=i)}\t0.{i}{len(s)}\n" for s, d, i in rows]
    (found,) = table_of(Read({"M.seg.score": "".join(lines)}, metrics=()), tmp_path).statistics()
    assert found.systems == ("sysA", "sysB")
    assert found.n_segments == n
    assert lines[0].split("\t")[system - 1] == "sysA"


def test_a_gap_of_comet_is_no_shift(tmp_path):
    items = [(k, s, i) for k, s in enumerate("AB") for i in (0, 2, 3)]
    printed = [f"{s}.txt\tSegment {i}\tscore: 0.{i}{k}\n" for k, s, i in items]
    other = [f"{s},{i},0.{i}\n" for s in "AB" for i in range(3)]
    files = {"c.txt": "".join(printed), "b.csv": f"system,segment,BLEU\n{''.join(other)}"}
    with pytest.raises(mt.InputError, match=r"'A', segment '[13]'"):
        table_of(Read(files, metrics=()), tmp_path)
    full = {**files, "b.csv": f"system,segment,BLEU\n{''.join(other).replace(',1,', ',3,')}"}
    comet, bleu = table_of(Read(full, metrics=()), tmp_path).statistics()
    assert comet.segment_scores()[0] == pytest.approx([0.0, 0.2, 0.3])
    assert bleu.segment_scores()[0] == pytest.approx([0.0, 0.2, 0.1])


def test_twins_have_a_note_and_keep_their_verdict(tmp_path):
    rows = {s: [(7 * i % 31) / 31 + (s == "C") * (i % 5) / 9 for i in range(40)] for s in "ABC"}
    rows["B"][3] += 0.25
    text = "".join(f"{s},{i},{x:.6f}\n" for s, own in rows.items() for i, x in enumerate(own))
    table = table_of(Read({"a.csv": f"system,segment,x\n{text}"}), tmp_path)
    compared = mt.compare_all(table.statistics(), n_resamples=200, rng=1)
    (found,) = [note for note in compared.notes if note.code == "twins"]
    assert (found.values["names"], found.values["about"]) == ("'B' and 'A'", ["B", "A"])
    assert (found.values["share"], found.values["unit"]) == ("39 of 40", "segments")


def test_an_analysis_takes_files_with_names_and_protects_them(tmp_path):
    for s in "AB":
        (tmp_path / f"{s}.txt").write_text(numbers(s))
    given = [f"first={tmp_path / 'A.txt'}", str(tmp_path / "B.txt")]
    analysis = Analysis(scores=given, metrics=["score"])
    assert analysis.files() == [tmp_path / "A.txt", tmp_path / "B.txt"]
    assert analysis.statistics()[0].systems == ("first", "B")
