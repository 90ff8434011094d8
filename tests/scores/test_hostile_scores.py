"""Files of scores that were read wrongly, or not at all: each is refused, or read as meant."""

from __future__ import annotations

import json

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table

from ..messages import naming

SEGMENTS = range(1, 4)


def table(header: str, row: str) -> str:
    """A long table of two systems, its rows as a pattern of system, segment and score."""
    rows = [row.format(s=s, i=i, x=f"0.{k}{i}") for k, s in enumerate("AB", 1) for i in SEGMENTS]
    return "\n".join([header, *rows, ""])


def lines_of(values: list[str]) -> str:
    return "".join(f"{value}\n" for value in values)


PRINTED = [
    f"{s}.txt\tSegment {i}\tscore: 0.{k}{i}" for k, s in enumerate("AB", 1) for i in range(3)
]
PLAIN = table("system,segment,x", "{s},{i},{x}")

REFUSED = {
    # one blank line, and all scores below it would belong to the segment before
    "A.txt": (lines_of(["0.1", "", "0.3"]), {}, "'A.txt', line 2 is blank"),
    "end.txt": (lines_of(["0.1", "0.3", ""]), {}, "'end.txt', line 3 is blank"),
    "C.csv": (lines_of(["COMET", "0.1", " ", "0.3"]), {}, "'C.csv', line 3 is blank"),
    "s.csv": ("system,x\nA,1\n\nA,2\nB,1\nB,2\n", {}, "'s.csv', line 3 is blank"),
    "b.jsonl": ('{"system":"A","x":1}\n\n{"system":"B","x":2}\n', {}, "'b.jsonl', line 2 is blank"),
    "m.seg.score": ("A\t1\n\nA\t2\nB\t1\nB\t2\n", {}, "'m.seg.score', line 2 is blank"),
    # a further number behind the scores, which are not the last ones then
    "more.seg.score": (lines_of(f"M\ten-de\tt\t{s}\t{i}\t0.{i}\tno\t7" for s in "AB" for i in "12"),
                       {}, "'more.seg.score', line 1 is not one of the metrics task: a syst"),
    "next.seg.score": (lines_of(f"M\ten-de\tt\t{s}\t{i}\t0.{i}\t7" for s in "AB" for i in (1, 2)),
                       {}, "'next.seg.score', line 1 is not one of the metrics task: a syst"),
    "even.seg.score": (lines_of(f"M\ten-de\tt\t{s}\t{i}\t{i}\t7" for s in "AB" for i in (1, 2)),
                       {}, "'even.seg.score', line 1 is not one of the metrics task: a syst"),
    "both.seg.score": (lines_of(f"{m}\ten-de\tt\tA\t{i}\t0.{i}" for m in "MN" for i in (1, 2)),
                       {}, "'both.seg.score', line 3 has a score of 'N', but line 1 has one of"),
    # what looks like a line of comet-score, and is not quite
    "c.txt": (lines_of([*PRINTED, f"{PRINTED[-1]} x"]), {}, "'c.txt', line 7 is not as comet-"),
    "cut.txt": (lines_of([*PRINTED, PRINTED[-1][:12]]), {}, "'cut.txt', line 7 is not as comet-"),
    "two.txt": (lines_of([*PRINTED[:4], PRINTED[4] + PRINTED[5]]), {}, "'two.txt', line 5 is not"),
    "few.txt": (lines_of(PRINTED[1:]), {}, "'few.txt': Not the same segments for every system: 0"),
    # labels
    "lp.csv": (PLAIN.replace("segment", "lp,segment").replace("A,", "A,,").replace("B,", "B,q,"),
               {}, "'lp.csv', line 2, column 'lp': there is no value"),
    "e.csv": (table("system,segment,domain,x", "{s},{i},,{x}").replace("A,1,", "A,1,n"),
              {"by": "domain"}, "'e.csv', line 3, column 'domain': there is no value"),
    "es.csv": (PLAIN.replace("B,2", ",2"), {}, "'es.csv', line 6, column 'system': there is no v"),
    "nul.jsonl": (lines_of(json.dumps({"system": s, "x": i}) for s in ("A", None) for i in (1, 2)),
                  {}, "'nul.jsonl', line 3, column 'system': there is no value"),
    "by.csv": (PLAIN, {"by": "system"}, "'by.csv': by='system' is not known. Known: 'x'."),
    "by_m.csv": (PLAIN, {"by": "system", "metrics": ["x"]}, "'by_m.csv': by='system' is not known"),
    "two.csv": (table("system,(run),run,x", "{s},1,1,{x}"), {}, "'two.csv': the columns '(run)'"),
    "named.csv": (table("domain,system,segment,(test set),x", "d{i},{s},{i},0.{i},1"),
                  {"by": "domain"}, "'named.csv': 'domain' is taken for '(test set)'"),
    # columns and metrics
    "twice.csv": (table("system,segment,x,x", "{s},{i},{x},1"), {},
                  "'twice.csv', line 1: more than one column 'x'. Rename one."),
    "more.csv": (PLAIN.replace("B,2,", "B,2,,"), {}, "'more.csv', line 6 has 4 fields; line 1 na"),
    "y.csv": (PLAIN, {"metrics": ["y"]}, "'y.csv': metric='y' is not known. Known: 'x'."),
    "label.csv": (PLAIN, {"metrics": ["segment"]}, "'label.csv': metric='segment' is not known."),
    "down.csv": (PLAIN, {"metrics": ["x:down"]}, "'down.csv': metric='x:down' is not known. Known"),
    "named_twice.csv": (PLAIN, {"metrics": ["x", "x:lower"]},
                        "metric='x:lower': 'x' is named twice. Name it once."),
    "judge.csv": (PLAIN.replace("x", "judge"),
                  {}, "'judge.csv' has no column of scores: judge (not"),
    "labels.csv": (table("system,segment", "{s},{i}"), {},
                   "'labels.csv' has no column of scores: there are only labels."),
    "header.csv": ("system,segment,x\n", {}, "'header.csv' has names of columns, and no rows"),
    "one.csv": ("system,segment,x\nA,1,1\nB,1,2\n", {}, "'one.csv' has 1 segment; nothing can be"),
    "syst.csv": (PLAIN.replace("system", "syst"), {},
                 "'syst.csv', line 2 and line 5 are both of system 'syst', segment '1'; the "
                 "same goes for 2 more rows. If 'syst' names the systems, call it 'system'"),
    "open.csv": (PLAIN.replace("A,2,", 'A,2,"'), {}, "'open.csv', line 3: a quotation mark opens"),
    # what is no table at all
    "nbsp.csv": ("\u00a0 \n", {}, "'nbsp.csv' has only blank lines."),
    "q.csv": ('\n"', {}, "'q.csv' is no table of scores"),
    "t.csv.zip": (PLAIN.encode("utf-16-le").decode("latin-1"), {}, "'t.csv.zip' is text in UTF-16"),
    "rows.csv": ('"\r\n"\r\n', {}, "'rows.csv' is no table of scores"),
    "bare.csv": ("A,1,0.1\nA,2,0.2\n", {}, "'bare.csv', line 1 has numbers as names of columns."),
    "quote.csv": (table("system,segment,x,n", "{s},{i},{x},t").replace("12,t", '12,"t').replace(
                  "13,t", '13,t"'), {}, "'quote.csv', line 3: a quotation mark opens a field"),
    # JSON
    "big.json": (json.dumps({"A": [1, 10**399], "B": [1, 2]}), {"metrics": ["x"]},
                 "'big.json', record 2, column 'A': inf is not a finite number"),
    "dk.json": ('{"A":[1,2],"A":[8,9],"B":[5,6]}', {}, "'dk.json': 'A' is given more than once."),
    "dk.jsonl": ('{"system":"A","x":1}\n{"system":"A","x":1,"x":2}\n', {},
                 "'dk.jsonl', line 2: 'x' is given more than once."),
    "long.json": ('{"A":[1,2,' + "9" * 5_000 + '],"B":[1,2,3]}', {"metrics": ["x"]},
                  "'long.json', record 3, column 'A': inf is"),
    "nested.json": ("[" * 50_000, {}, "'nested.json' is not JSON: too deep."),
    "objects.json": ('{"system":{"0":"A","1":"B"},"x":{"0":1,"1":2}}', {}, "'objects.json' is a"),
    "none.json": ('{"A":[],"B":[1,2]}', {}, "'none.json': 'A' has no scores"),
    "ragged.json": ('{"segment":[1,2],"A":[1,2,3],"B":[1,2]}', {},
                    "'ragged.json': 'segment' has 2 values, and 'A' has 3."),
    "half.json": ('[{"system":"\\ud800","x":1}]', {}, "'half.json' has half of a surrogate pair"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_file_and_line(tmp_path, name):
    content, options, message = REFUSED[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(mt.InputError) as caught:
        read_score_table(str(tmp_path / name), **options).statistics()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("end", ["\n", " \n", "\t\n", "\r\n", "\r\r\n", " \r\n"])
def test_a_blank_behind_a_score_that_comet_printed_loses_nothing(tmp_path, end):
    path = tmp_path / "c.txt"
    path.write_bytes("".join(f"{line}{end}" for line in ["INFO: loading", *PRINTED]).encode())
    (found,) = read_score_table(str(path)).statistics()
    assert found.segment_scores().ravel() == pytest.approx([0.1, 0.11, 0.12, 0.2, 0.21, 0.22])


@pytest.mark.parametrize("order", ["seed,run", "run,seed"])
def test_two_columns_that_could_tell_runs_and_need_not_stay_apart(tmp_path, order):
    (tmp_path / "A.csv").write_text(table(f"system,segment,{order},x", "{s},{i},{x}1,{x}2,{x}"))
    found = {s.label: s for s in read_score_table(str(tmp_path / "A.csv")).statistics()}
    scores = found["x"].segment_scores()
    for name in found.keys() - {"x"}:
        assert not np.array_equal(found[name].segment_scores(), scores)


def test_blank_lines_within_json_mean_nothing(tmp_path):
    (tmp_path / "c.json").write_text('{"A": [0.1,\n\n0.2],\n"B": [0.3, 0.4]\n\n}\n')
    (found,) = read_score_table(str(tmp_path / "c.json"), ["x"]).statistics()
    assert found.segment_scores().ravel() == pytest.approx([0.1, 0.2, 0.3, 0.4])


def test_old_macs_lines_are_lines(tmp_path):
    (tmp_path / "A.txt").write_bytes(b"0.1\r0.2\r0.3\r")
    (found,) = read_score_table(str(tmp_path / "A.txt")).statistics()
    assert found.segment_scores().ravel() == pytest.approx([0.1, 0.2, 0.3])


def test_what_is_not_taken_for_a_system_is_said(tmp_path):
    (tmp_path / "A.csv").write_text("A,B,note\n.5,.4,x\n.7,.2,y\n.6,.1,z\n")
    found = read_score_table(str(tmp_path / "A.csv"), ["x"])
    assert found.statistics()[0].systems == ("A", "B")
    assert found.remarks[-1].endswith(": 'note'")


@pytest.mark.takes_time
def test_thousands_of_systems_without_a_segment_in_common_are_refused_at_once(tmp_path):
    rows = "".join(f"s{i},{i},{i % 7}\n" for i in range(10_000))
    (tmp_path / "s.csv").write_text(f"system,segment,x\n{rows}")
    with pytest.raises(mt.InputError, match=naming("segments", ": 0 ", "'s1'")):
        read_score_table(str(tmp_path / "s.csv")).statistics()


def test_names_that_differ_in_every_object_make_no_table(tmp_path):
    rows = [{f"k{i}": 1} for i in range(20_000)]
    (tmp_path / "k.json").write_text(json.dumps(rows))
    with pytest.raises(mt.InputError, match=naming("'k.json'", "20,000 rows", "20,000 columns")):
        read_score_table(str(tmp_path / "k.json"))
