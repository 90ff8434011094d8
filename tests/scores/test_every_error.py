"""Every error that the reading of scores can raise, each with an input that raises it.

An error says where: by file, and by line and column where there are some.  The last test looks the
errors up in the code: one that no input here raises is not allowed.
"""

from __future__ import annotations

import ast
import dataclasses
import gzip
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import mtsig_nb as mt
from mtsig_nb import scores
from mtsig_nb.errors import InputError
from mtsig_nb.scores.table import read_score_table

ROOM = Path(scores.__file__).parent
#: Programs' logs and battles have tests of their own.
ELSEWHERE = ("appraise.py", "battles.py", "comet_compare.py")


@dataclasses.dataclass(frozen=True)
class Case:
    """Files that cannot be read, and what the error has to say of them.

    The first of `says` is how it begins.
    """

    files: Mapping[str, str | bytes]
    says: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    paths: tuple[str, ...] = ()
    then: str = "statistics"


def rows(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def long(*lines: str, names: str = "system,segment,x") -> str:
    return rows(names, *lines)


def records(*given: dict[str, Any]) -> str:
    return rows(*map(json.dumps, given))


TWO = ("A,1,.5", "A,2,.7", "B,1,.4", "B,2,.1")


def marked(*lines: str, names: str = "system,segment,rater,category,severity") -> str:
    """Marks of two systems in one segment."""
    own = ("A,1,r,Style,Minor", "A,1,r,Accuracy,Major", "B,1,r,No-error,No-error")
    return long(*own, *lines, names=names)


COUNTS = long("A,1,0,5", "A,2,1,5", "B,1,2,5", "B,2,1,5", names="system,segment,errors,words")
WIDE = rows("A,B", ".5,.4", ".7,.1")
PLAIN = long(*TWO)
#: What promptfoo wrote of two systems.
LOG = gzip.decompress((Path(__file__).parent / "logs/promptfoo/results.json.gz").read_bytes())
#: The names above the scores of files with a number in each line.
SCORED = "system,segment,score"
#: More columns than anybody could name.
MANY = ",".join(f"m{i}" for i in range(101))

CASES = {
    # --- which files
    "folder with a name": Case({"f/a.csv": PLAIN}, ("'X=", "is a folder", "NAME=FILE"),
                               paths=("X=f",)),
    "a metric that no column is called": Case(
        {f"{s}.csv": rows("segment,comet,bleu", "1,.5,20", "2,.7,10") for s in "AB"},
        ("'A.csv' has no column 'COMET'", "-m comet", "as systems"), metrics=("COMET",)),
    "twice": Case({"a.csv": PLAIN}, ("", "a.csv' is given twice"), paths=("a.csv", "a.csv")),
    "called after metrics": Case(
        {"comet.txt": rows(".5", ".7"), "bleu.txt": rows("30", "40")},
        ("'comet.txt', 'bleu.txt' are named after metrics", "NAME=FILE")),
    "folders or files": Case(
        {f"{folder}/{name}.txt": rows(".5", ".7") for folder in ("one", "two") for name in "AB"},
        ("'one/A.txt', 'one/B.txt', 'two/A.txt', 'two/B.txt' have the same names", "NAME=FILE")),
    # --- lines and fields
    "archive": Case({"sums.eval": "x"}, ("'sums.eval'", "inspect log dump sums.eval")),
    "NUL": Case({"a.csv": long("A,1,.5", "A,2,.\0")}, ("'a.csv', line 3, byte 6 is a zero byte",)),
    "CR within": Case({"a.csv": PLAIN.replace("5\n", "5\r", 1)},
                      ("'a.csv', line 2 has a carriage return",)),
    "one separator in Excel's manner": Case({"a.csv": "sep=;\n"}, ("'a.csv' is no table",)),
    "vertical bars": Case({"a.md": PLAIN.replace(",", "|")}, ("'a.md'", "vertical bars")),
    "spaces": Case({"a.txt": PLAIN.replace(",", " ").replace("B 1", "B")},
                   ("'a.txt'", "by spaces", "tabs, commas or semicolons")),
    "field of two lines": Case({"a.csv": long('A,1,".5', '",A,2,.7')},
                               ("'a.csv', line 2: a quotation mark opens a field",)),
    "mark that stays open": Case({"a.csv": long(*TWO, '"')},
                                 ("'a.csv', line 6: a quotation mark opens a field",)),
    "mark within": Case({"a.csv": long(*TWO[:3], 'B,2,".1"x')},
                        ("'a.csv', line 5 is not a row", "quotation marks")),
    "one column": Case({"a.csv": rows("note", "a", "b,c")}, ("'a.csv' is no table",)),
    "fields": Case({"a.csv": long(*TWO, "B,3,.1,.2")},
                   ("'a.csv', line 6 has 4 fields; line 1 names 3 columns",)),
    "name twice": Case({"a.csv": long(*TWO, names="system,x,x")},
                       ("'a.csv', line 1: more than one column 'x'",)),
    "names alone": Case({"a.csv": long(), "b.csv": PLAIN},
                        ("'a.csv' has names of columns, and no rows",)),
    "no names": Case({"a.csv": rows(*TWO)}, ("'a.csv', line 1 has numbers as names of columns",)),
    "column without a name": Case({"a.csv": long("A,1,.5,y", names="system,segment,x,")},
                                  ("'a.csv', line 1 has a column without a name (column 4)",)),
    # --- JSON
    "objects within": Case({"a.json": '{"x":{"a":{"y":1}},"y":{"b":2,"c":"t"}}'},
                           ("'a.json' has objects within an object", "orient='records'")),
    "no records": Case({"a.json": "[1, 2]"}, ("'a.json' has no scores",)),
    "value without a name": Case({"a.jsonl": records({"x": 1}, {"x": 2, " ": 3})},
                                 ("'a.jsonl', line 2 has a value without a name",)),
    "empty list": Case({"a.json": '{"A":[],"B":[1]}'}, ("'a.json': 'A' has no scores",)),
    "list of lists": Case({"a.json": '{"A":[1],"B":[[1]]}'}, ("'a.json': 'B' has a list",)),
    "objects and numbers": Case({"a.json": '{"A":[{"x":1},2],"B":[1,2]}'},
                                ("'a.json': 'A' has an object as a score",)),
    "lists of other lengths": Case({"a.json": '{"A":[1,2],"B":[1]}'},
                                   ("'a.json': 'A' has 2 values, and 'B' has 1",)),
    "objects under metrics": Case(
        {"a.json": '{"comet":[{"score":1}],"bleu":[{"score":1}]}'},
        ("'a.json' has objects under 'comet', 'bleu', which are names of metrics",)),
    # --- other layouts
    "comet-score": Case({"c.txt": rows("A\tSegment 0\tscore: .5", "A\tSegment 1\tscore:")},
                        ("'c.txt', line 2 is not as comet-score prints it",)),
    "metrics task": Case({"m.seg.score": rows("A\t.5", "A\t.5\t1")},
                         ("'m.seg.score', line 2 is not one of the metrics task",)),
    "number for a system": Case(
        {"m.seg.score": rows(*(f"M\tx-y\tt\t7\t{i}\t.5" for i in (1, 2)))},
        ("'m.seg.score', line 1 is not one of the metrics task",)),
    "comet-compare": Case(
        {"c.json": '{"source":["a","b"],"translations":[{"name":"A","scores":[0.1]}]}'},
        ("'c.json' has 2 segments, but not as many scores of 'A'",)),
    "comet-compare of two": Case(
        {"c.json": '[{"system_x":{"score":0.1},"system_y":{"mt":"t"}}]'},
        ("'c.json', segment 0: 'system_y' has no score",)),
    "several metrics": Case(
        {"m.seg.score": rows(*(f"{m}\tx-y\tt\tA\t1\t.5" for m in "MN"))},
        ("'m.seg.score', line 2 has a score of 'N', but line 1 has one of 'M'",)),
    "name of a label": Case({"system.csv": WIDE}, ("'system.csv': a metric cannot be called",),
                            ("system",)),
    "battles beside others": Case(
        {"a.csv": rows("model_a,model_b,winner", "A,B,model_a"), "b.csv": PLAIN},
        ("'a.csv' has battles",)),
    "battles without a winner": Case({"a.csv": rows("model_a,model_b,x", "A,B,1")},
                                     ("'a.csv' has model_a and model_b", "no column 'winner'")),
    # --- labels
    "by": Case({"a.csv": PLAIN}, ("'a.csv': by='domain' is not known",), options={"by": "domain"}),
    "same meaning": Case({"a.csv": long(*TWO, names="System,system,x")},
                         ("'a.csv': the columns 'System' and 'system' have the same meaning",)),
    "our name": Case({"a.csv": long("A,1,p,q,.5", names="system,segment,(test set),domain,x")},
                     ("'a.csv': 'domain' is taken for '(test set)'",), options={"by": "domain"}),
    "no label": Case({"a.csv": long("A,1,.5", ",2,.7")},
                     ("'a.csv', line 3, column 'system': there is no value",)),
    "no label, in a word": Case({"a.csv": long("A,1,.5", "A,NaN,.7")},
                                ("'a.csv', line 3, column 'segment': there is no value ('NaN')",)),
    "boolean": Case({"a.jsonl": records({"system": "A", "x": 1}, {"system": True, "x": 2})},
                    ("'a.jsonl', line 2, column 'system': True is true or false",)),
    "object": Case({"a.jsonl": records(*[{"system": {"mail": "a"}, "x": 1}] * 2)},
                   ("'a.jsonl', line 1, column 'system': an object instead of a name",)),
    "name for several": Case({"a.csv": PLAIN}, ("'a.csv' is given the name 'X'", "'A', 'B'"),
                             paths=("X=a.csv",)),
    "name for several of a log": Case({"r.json": LOG}, ("'r.json' is given the name 'X'",
                                                        "'beta', 'alpha'"), paths=("X=r.json",)),
    "summary": Case(
        {"a.csv": long(*TWO[:2], "A,mean,.6", *TWO[2:], "B,mean,.25")},
        ("'a.csv', line 4: segment 'mean' seems to sum up all others",)),
    "numbers of items": Case(
        {"a.csv": long(*(f"{s},{n},.{n}{k}" for s in "AB" for k in (1, 2) for n in range(1, 8)),
                       names="system,nummer,x")},
        ("'a.csv': each number in 'nummer' stands 2 times for each system",)),
    "only control items": Case({"a.csv": long("A,1,.5,BAD", names="system,segment,x,itemType")},
                                ("'a.csv' has only control items",)),
    "type of items": Case(
        {"a.csv": long("A,1,.5,TGT", "A,2,.7,FOO", names="system,segment,x,itemType")},
        ("'a.csv', line 3, column 'itemType': 'FOO' is not a known type",)),
    # --- systems and metrics
    "no numbers": Case({"a.csv": rows("a,b", "x,y")}, ("'a.csv' is no table of scores",)),
    "systems or metrics": Case({"a.csv": WIDE}, ("'a.csv' has no column 'system'", "-m a", "-m A")),
    "neither systems nor metrics": Case(
        {"a.csv": rows("a,n_words", "1,5", "2,7", "3,9", "4,3")},
        ("'a.csv' has no column 'system'", "(a, n_words)", "-m a")),
    "neither, with a metric": Case(
        {"a.csv": rows("a,n_words", "1,5", "2,7", "3,9", "4,3")},
        ("'a.csv' has no column 'system'", "(a, n_words)", "-m a"), metrics=("BLEU",)),
    "no scores": Case({"a.csv": long("A,1,t")}, ("'a.csv' has no column of scores: x (no n",)),
    "too many": Case({"a.csv": long(f"A,1{',.5' * 101}", f"A,2{',.7' * 101}",
                                    names=f"system,segment,{MANY}")},
                     ("'a.csv' has 101 numeric columns", "-m m0")),
    "unknown": Case({"a.csv": PLAIN}, ("'a.csv': metric='y' is not known",), ("y",)),
    "named twice": Case({"a.csv": PLAIN}, ("metric='x:lower'", "named twice"), ("x", "x:lower")),
    "no number": Case({"a.csv": long(*TWO, "B,3,?")},
                      ("'a.csv', line 6, column 'x': '?' is not a finite number",)),
    "no number, by system": Case({"a.csv": rows("A,B", ".5,.4", ".7,?", ".1,.2")},
                                 ("'a.csv', line 3, column 'B': '?' is not",), ("m",)),
    "no percent sign": Case({"a.csv": long("A,1,50%", "A,2,70%", "B,1,40%", "B,2,10")},
                            ("'a.csv', line 5, column 'x': '10' has no percent sign",)),
    "no value": Case({"a.csv": long(*TWO, "B,3,NA")},
                     ("'a.csv', line 6, column 'x': there is no value ('NA')",)),
    "thousands": Case({"a.csv": long("A;1;1,250", "B;1;1,500", names="system;segment;x")},
                      ("'a.csv', line 2, column 'x': '1,250' could have a decimal comma",)),
    "points of thousands": Case(
        {"a.csv": long("A;1;0,5;1.250", "A;2;0,7;987", names="system;segment;x;y")},
        ("'a.csv', line 2, column 'y': the point in '1.250' could separate thousands",)),
    "points of thousands among commas": Case(
        {"a.csv": long("A;1;0,5", "A;2;0,7", "B;1;1.250", "B;2;0,4", names="system;segment;x")},
        ("'a.csv', line 4, column 'x': the point in '1.250' could separate thousands",
         "the same way")),
    "decimal points among commas": Case(
        {"a.csv": long("A;1;0,5", "A;2;0,7", "B;1;0.83", "B;2;0,4", names="system;segment;x")},
        ("'a.csv', line 4, column 'x': '0.83' has a decimal point", "the same way"), ("x",)),
    # --- segments
    "blank line": Case({"a.txt": rows(".5", "", ".7")}, ("'a.txt', line 2 is blank",)),
    "two tables": Case({"a.csv": rows("x", ".5", "x", ".7")},
                       ("'a.csv', line 3 repeats the names of the columns",)),
    "raters without segments": Case({"a.csv": long("A,r,.5", names="system,rater,x")},
                                    ("'a.csv' has a column of raters", "'segment'")),
    "other sources": Case(
        {"a.csv": long("A,one,.5", "A,two,.7", "B,two,.4", "B,six,.1", names="system,source,x")},
        ("'a.csv', line 2 and 'a.csv', line 4", "'source'", "'one' ('a.csv', line 2)")),
    "other sources beside numbers": Case(
        {"a.csv": long("A,one,.5", "A,two,.7", "B,two,.4", "B,one,.1", names="system,source,x"),
         "b.csv": long(*TWO, names="system,segment,y")},
        ("'a.csv', line 2 and 'a.csv', line 4", "'source'", "other files have names")),
    "other sources beside none": Case(
        {"a.csv": long("A,one,.5", "A,two,.7", "B,two,.4", "B,one,.1", names="system,source,score"),
         "C.txt": rows(".5", ".7")},
        ("'a.csv', line 2 and 'a.csv', line 4", "'source'", "'C.txt' has no such column")),
    "lengths": Case({"A.txt": rows(".5", ".7"), "B.txt": rows(".5")},
                    ("'B.txt' has 1 segment of system 'B', and 'A.txt' has 2 segments",)),
    "names beside none": Case(
        {"A.txt": rows(".5", ".7"), "b.csv": long("B,s1,.4", "B,s2,.1", names=SCORED)},
        ("'b.csv' has names of segments ('s1'), and 'A.txt' has none",)),
    "gap beside none": Case(
        {"A.txt": rows(".5", ".7"), "b.csv": long("B,1,.4", "B,3,.1", names=SCORED)},
        ("'b.csv' has no segment 2, and 'A.txt' has no numbers",)),
    "two manners beside none": Case(
        {"A.txt": rows(".5", ".7"), "b.csv": long("B,1,.4", "B,01,.1", names=SCORED)},
        ("'b.csv' writes segment 1 in two ways",)),
    "lengths beside numbers": Case(
        {"A.txt": rows(".5", ".7"), "b.csv": long("B,1,.4", names=SCORED)},
        ("'A.txt' has 2 segments, and 'b.csv' has 1",)),
    "lacking segment": Case({"a.csv": long(*TWO[:3])},
                            ("'a.csv': Not the same segments for every system: 2 is", "'B'")),
    # --- marks of errors
    "points twice": Case(
        {"m.csv": marked(), "p.csv": "severity,points\nmajor,5\n",
         "q.csv": "severity,points\nmajor,5\n"},
        ("'p.csv', 'q.csv' are all tables of points",)),
    "points alone": Case({"p.csv": "category,severity,points\n,major,5\n"},
                         ("'p.csv' is a table of points by severity",)),
    "points in words": Case(
        {"m.csv": marked(), "p.csv": "severity,points\nmajor,5\nminor,few\n"},
        ("'p.csv', line 3, column 'points': 'few' is not a number of points",)),
    "points of one kind": Case(
        {"m.csv": marked(), "p.csv": "severity,points\nmajor,5\nMajor,4\n"},
        ("'p.csv', line 3 has the same kind as an earlier row",)),
    "no points": Case({"m.csv": marked("B,1,r,Style,Critical")},
                      ("'m.csv', line 5, column 'severity': 'Critical' ('Style') has no points",
                       "a file with the columns category, severity and points")),
    "no severity": Case({"m.csv": marked("B,1,r,Style,")},
                        ("'m.csv', line 5, column 'severity': there is no severity", "No-error")),
    "marks without segments": Case(
        {"m.csv": marked(names="system,place,rater,category,severity")},
        ("'m.csv' has marks of errors, and no column that says which segment",)),
    "marks without documents": Case(
        {"m.csv": marked(names="system,docSegId,rater,category,severity")},
        ("'m.csv' numbers segments within documents ('docSegId'), and has no column",)),
    "marks in other texts": Case(
        {"m.csv": marked("A,s,r,Style,Minor", names="system,source,segment,category,severity")
         .replace("A,1", "A,t")},
        ("'m.csv', line 2 and 'm.csv', line 5 are of the same rating", "'source'", "--by")),
    "result of a check": Case(
        {"m.csv": marked("B,1,r,Style,HOTW-test")},
        ("'m.csv', line 5, column 'category': a check was either Found or Missed",)),
    "unmarked": Case(
        {"m.csv": marked("B,2,r,Style,Minor").replace("No-error", "Minor")},
        ("'m.csv' has no mark of 'A' in segment '2' (1 such segments), and no row says",)),
    # --- repeats
    "two rows": Case({"a.csv": long(*TWO, "B,2,.3")},
                     ("'a.csv', line 5 and line 6 are both of system 'B', segment '2'",)),
    "two rows and a column": Case(
        {"a.csv": long("A,1,p,.5", "A,1,q,.7", names="system,segment,prompt,x")},
        ("'a.csv', line 2 and line 3 are both of", "'prompt' tells them apart")),
    "settings": Case(
        {"a.csv": long(*(f"A,{i},{r},p{r},.{i}{r}" for i in (1, 2) for r in (1, 2)),
                       names="system,segment,repeat,prompt,x")},
        ("'a.csv', line 2 and line 3 are of the same item and differ in 'prompt' ('p1' and",)),
    "numbers of repeats": Case(
        {"a.csv": long("A,1,1,.5", "A,1,2,.7", "A,2,1,.4", "A,3,1,.1", "A,3,2,.2",
                       names="system,segment,repeat,x")},
        ("'a.csv', line 4: system 'A', segment '2' has 1 repeat, and 2 items have 2",)),
    # --- several files
    "another score": Case({"a.csv": PLAIN, "b.csv": PLAIN.replace("B,2,.1", "B,2,.2")},
                           ("'b.csv', line 5 and 'a.csv', line 5 have different values of x for "
                            "system 'B', segment '2': 0.2 and 0.1",)),
    "another document of a metric": Case(
        {"a.csv": long(*(f"{s},{i},d,.{i}" for s in "AB" for i in (1, 2)),
                       names="system,segment,document,x"),
         "b.csv": long(*(f"{s},{i},e,.{i}" for s in "AB" for i in (1, 2)),
                       names="system,segment,document,y")},
        ("'b.csv', line 2 has segment '1' in document 'e', and 'a.csv', line 2 has it in 'd'",)),
    "another document": Case(
        {"a.csv": long("A,1,d,.5", "A,2,d,.7", names="system,segment,document,x"),
         "b.csv": long("B,1,d,.4", "B,2,e,.1", names="system,segment,document,x")},
        ("'b.csv', line 3 has segment '2' in document 'e', and 'a.csv', line 3 has it in 'd'",)),
    "label in one": Case({"a.csv": PLAIN,
                          "b.csv": long("C,1,r,.5", names="system,segment,rater,x")},
                         ("'a.csv' has no column for the rater, but 'b.csv' has one",)),
    "label in one of two metrics": Case(
        {"a.csv": PLAIN,
         "b.csv": long(*(f"{s},{i},{r},.{i}" for s in "AB" for i in (1, 2) for r in "uv"),
                       names="system,segment,rater,y")},
        ("'a.csv' has no column for the rater, but 'b.csv' has one",)),
    "lacking in one": Case({"a.csv": PLAIN, "b.csv": long(*TWO[:3], names="system,segment,y")},
                           ("'b.csv' has no score of system 'B', segment '2', which 'a.csv' has",)),
    # --- ratios of counts
    "unknown count": Case(
        {"a.csv": COUNTS},
        ("'a.csv': metric='WER=error/words': column='error' is", "Did you mean 'errors'?"),
        metrics=("WER=error/words",)),
    "no formula": Case({"a.csv": COUNTS}, ("formula='errors**2/words': '**'", "errors/words or"),
                       metrics=("WER=errors**2/words",)),
    "count that is no number": Case(
        {"a.csv": COUNTS.replace("A,2,1,5", "A,2,one,5")},
        ("'a.csv', line 3, column 'errors': 'one' is not a finite number",),
        metrics=("WER=errors/words",)),
    "missing count": Case({"a.csv": COUNTS.replace("A,2,1,5", "A,2,1,")},
                          ("'a.csv', line 3, column 'words': there is no value",),
                          metrics=("WER=errors/words",)),
    "ratio called as a column": Case(
        {"a.csv": COUNTS}, ("metric='words=errors/words': 'a.csv' has a column 'words'",),
        metrics=("words=errors/words",)),
    "no words": Case({"a.csv": COUNTS.replace(",5", ",0")},
                     ("'a.csv': WER=errors/words: the sum below the fraction bar is 0 for system",),
                     metrics=("WER=errors/words:lower",)),
    "ratio to be watched": Case({"a.csv": COUNTS}, ("'a.csv': 'WER' is a ratio of columns",),
                                metrics=("WER=errors/words",), then="judgements"),
    "columns of systems in two manners": Case(
        {"a.csv": rows("x_e_x,y_e_y,x_e,y_e,e_x,e_y", "1,1,1,1,1,1", "1,1,1,1,1,1")},
        ("'a.csv': columns such as e_x, e_y could name systems first",), metrics=("r=e/e",)),
    "count of one system": Case(
        {"a.csv": rows("e_x,e_y,e_z,n_x,n_y", "1,1,1,2,2", "1,1,0,2,2")},
        ("'a.csv' has a column 'e_z', and none for 'n' of 'z'",), metrics=("r=e/n",)),
    "value in a column of a system": Case(
        {"a.csv": rows("e_x,e_y,n", "1,1,2", "1,two,2")},
        ("'a.csv', line 3, column 'e_y': 'two' is not a finite number",), metrics=("r=e/n",)),
    # --- what is compared
    "nobody": Case(
        {"a.csv": long("A,p,1,.5", "A,p,2,.7", "A,q,1,", "A,q,2,", names="system,lp,segment,x")},
        ("'a.csv': no system has x of test set 'q'",), options={"missing": "common"}),
    "no system": Case(
        {"a.csv": long("A,p,1,.5", "A,p,2,.7", "A,q,1,", "A,q,2,.1", names="system,lp,segment,x")},
        ("'a.csv': no system has all scores of test set 'q'",), options={"missing": "common"}),
    "systems of some sets": Case(
        {"a.csv": long(*(f"{s},{lp},{i},.{i}" for s, lp in ("Ap", "Bp", "Aq", "Bq", "Cq")
                         for i in (1, 2)), names="system,lp,segment,x")},
        ("'a.csv': 1 of 3 systems are missing in some test sets: 'C' (p)",)),
    # --- the order of judgements
    "several scores to be ordered": Case(
        {"a.csv": long("A,1,.5,1,9", "B,1,.7,2,8", names="system,segment,x,y,time")},
        ("'a.csv': there are several scores, x, y", "-m NAME"), options={"order": "time"}),
    "no such order": Case({"a.csv": PLAIN}, ("'a.csv': order='time' is not known",),
                          options={"order": "time"}),
    "no time": Case(
        {"a.csv": long("A,1,.5,10:00", "B,1,.7,later", names="system,segment,x,time")},
        ("'a.csv', line 2, column 'time': '10:00' is neither a number nor a time",),
        options={"order": "time"}),
    "an order of screens": Case(
        {"p.jsonl": records({"user_id": "r", "item_i": 0, "annotation": [
            {"A": {"score": 1}, "B": {"score": 2}}], "item": [{"src": "s", "tgt": {
                "A": "a", "B": "b"}}]})},
        ("'p.jsonl': order: a record of this file has several scores",),
        options={"order": "system"}),
    "one system": Case({"a.json": '{"comet":[0.5,0.7],"bleu":[30,41]}'},
                       ("'a.json': there is only one system, 'a'", "under 2 metrics (comet, bleu)",
                        "-m METRIC"),
                       then="check_several_systems"),
}  # fmt: skip


def error_of(case: Case, folder: Path) -> InputError:
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    given = []
    for path in case.paths or case.files:
        name, equals, file = path.rpartition("=")
        given.append(f"{name}{equals}{folder / file}")
    with pytest.raises(mt.InputError) as caught:
        getattr(read_score_table(given, list(case.metrics), **case.options), case.then)()
    return caught.value


@pytest.mark.parametrize("name", CASES)
def test_it_says_where(name, tmp_path):
    case = CASES[name]
    message = str(error_of(case, tmp_path))
    beginning, *others = case.says
    assert message.startswith(beginning)
    for part in others:
        assert part in message
    assert name == "archive" or message.endswith((".", "?"))  # that ends in a command
    assert "np." not in message
    assert "frame" not in message


def test_a_table_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "k.csv.gz").write_bytes(gzip.compress(b"x," * 10_001 + b"\n" + b"1," * 10_001))
    with pytest.raises(mt.InputError, match=r"^'k\.csv\.gz' .*than can .*a part"):
        read_score_table(str(tmp_path / "k.csv.gz"))


def places_of_errors() -> set[tuple[str, int]]:
    """Where errors are made: the file and the first line of each call."""
    found = set()
    for path in [*ROOM.glob("*.py"), *ROOM.glob("layouts/*.py")]:
        if path.name in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "InputError":
                found.add((path.name, node.lineno))
    return found


def test_judgements_to_be_watched_come_in_one_order_and_have_one_score(tmp_path):
    path = tmp_path / "judged.csv"
    rows = [f"{name},{k},{lp},{k},{k + 1}" for name in "ab" for lp in ("x", "y") for k in range(3)]
    path.write_text("\n".join(["system,segment,lp,one,two", *rows]))
    table = mt.read_score_table(str(path), ["one:higher", "two:higher"])
    with pytest.raises(InputError, match="several test sets"):
        table.judgements()
    with pytest.raises(InputError, match="-m NAME"):
        _ = table.only_metric


@pytest.mark.takes_time
def test_every_error_has_an_input_here(tmp_path, monkeypatch):
    made: set[tuple[str, int]] = set()
    initialise = InputError.__init__

    def noted(self: InputError, *args: object, **options: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_code.co_name == "__init__":  # of a subclass
            frame = frame.f_back
        made.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        initialise(self, *args, **options)

    monkeypatch.setattr(InputError, "__init__", noted)
    for number, case in enumerate(CASES.values()):
        error_of(case, tmp_path / str(number))
    test_a_table_that_is_too_large_is_refused(tmp_path)
    test_judgements_to_be_watched_come_in_one_order_and_have_one_score(tmp_path)
    places = places_of_errors()
    assert len(places) > 50
    assert sorted(places - made) == []
