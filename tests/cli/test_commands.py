"""The command line, as its users type it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.conclusions import ranking
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.tables.latex import latex_prose

from ..messages import naming, printed
from ..worse_and_worse import FAIR, GOOD, POOR, REFERENCE, write
from .program import answer, claims, refusal, run, words

pytestmark = pytest.mark.usefixtures("folder")

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script>&_#$%"
#: What the sentence on planning begins with, after the number of segments.
PLAN = "would see a difference"

FILES = "-r ref.txt good.txt fair.txt poor.txt"
#: Three systems by files, and an embedded campaign of twelve, with few resamples.
OWN = f"compare {FILES} -n 500"
WMT = "compare -t wmt12 -l es-en -n 500"


def write_table(name: str, head: str, rows: list[tuple]) -> None:
    write(name, [head, *(",".join(map(str, row)) for row in rows)])


def measured(*metrics: str, **options) -> list[mt.SufficientStatistics]:
    texts = mt.read_test_set(
        reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"], documents="docs.txt"
    )
    return [mt.measure(texts, metric, **options) for metric in metrics]


# --- compare --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "metrics", "settings", "options"),
    [
        (f"{FILES} -n 500 -d docs.txt -m BLEU -m TER --test ar --correction holm --units documents",
         ["BLEU", "TER"], {}, {"n_resamples": 500, "units": "documents"}),
        (f"{FILES} -n 300 --test paired-bootstrap --alternative greater --counting plain -lc "
         "-m chrF --correction none --seed 7 --alpha 0.01 --interval simultaneous --confidence 0.9",
         ["chrF"], {"lowercase": True},
         {"test": "paired-bootstrap", "alternative": "greater", "counting": "plain", "seed": 7,
          "correction": None, "interval": "simultaneous", "n_resamples": 300, "alpha": 0.01,
          "confidence_level": 0.9}),
        # as with sacreBLEU
        ("ref.txt -i good.txt fair.txt poor.txt -m bleu chrf2 --paired-bs --confidence",
         ["BLEU", "chrF"], {}, {"test": "bootstrap", "alternative": "two-sided"}),
    ],
)  # fmt: skip
def test_json_and_csv_have_what_the_package_computes(typed, metrics, settings, options):
    shown = run(f"compare {typed} -f json")
    assert (shown.stderr == "") == ("--paired-bs" not in typed)
    found = json.loads(shown.stdout)
    rows = list(csv.DictReader(io.StringIO(run(f"compare {typed} -f csv").stdout)))
    options = {"n_resamples": None, "seed": 12345} | options
    assert found["analysis"].items() >= options.items()
    ours = mt.compare_all(measured(*metrics, **settings), rng=options.pop("seed"), **options)
    for name in ("difference", "pvalue", "pvalue_adjusted", "ci_low", "ci_high", "conclusion"):
        values = ours.table[name].tolist()
        assert [row[name] for row in found["pairs"]] == values
        assert [row[name] for row in rows] == list(map(str, values))
    by_documents = "--units documents" in typed
    assert (found["unit"], found["n_units"]) == (("segments", 100), ("documents", 20))[by_documents]
    assert list(found["scores"]) == metrics
    assert found["baseline"] == ("good" if "--paired-bs" in typed else None)
    assert found["signatures"] == ours.metric_signatures
    assert ("case:lc" in found["signatures"].get("chrF", "")) == ("-lc" in typed)


def test_a_pair_in_the_json_has_what_its_page_lists():
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    table, rows = page.split("A row of `pairs`")
    found = answer(OWN)
    assert f"| `schema_version` | {found['schema_version']} |" in table
    limits = re.findall(r"pvalue\w*_(?:low|high)", " ".join(found["pairs"][0]))
    assert {*found["pairs"][0]} - {*limits} <= {*re.findall(r"`(\w+)`", rows)}
    metric = found["score_intervals"]["BLEU"]
    assert metric.keys() == found["scores"]["BLEU"].keys()
    assert all(v["ci_low"] <= found["scores"]["BLEU"][s] <= v["ci_high"] for s, v in metric.items())


def test_the_answer_in_the_readme_is_what_the_screen_shows(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = re.search(
        r"\nmtsig (compare -t .*?)\n```\n\n```text\n(.*?)```", page, re.DOTALL
    ).groups()
    assert run(command).stdout.startswith(shown)


def test_each_file_of_scores_may_have_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("one.txt", "other.txt"):
        Path(name).write_text("0.5\n0.25\n0.75\n" if name == "one.txt" else "0.25\n0.5\n0.5\n")
    found = answer("compare --scores elm=one.txt oak=other.txt")
    assert {own["system"] for own in found["systems"]} == {"elm", "oak"}
    assert found == answer("compare --scores elm=one.txt --scores oak=other.txt")


@pytest.mark.takes_time
def test_what_to_beware_of_stands_beside_the_verdict():
    shown = run(f"{WMT} --pairs").stdout
    assert len(re.findall(r"^\S+ +\S+ +[+-]\d", shown, re.M)) == 66
    paragraphs = shown.split("\n\n")
    (verdict,) = answer(WMT)["verdicts"].values()
    assert " ".join(paragraphs[0].split()) == verdict
    assert "500 shuffles" in verdict
    assert shown.count(paragraphs[0]) == 1
    assert paragraphs[1].count("\nNote: ") == 4
    beside = " ".join(paragraphs[1].split())
    (few,) = printed(beside, "few-resamples")
    assert (few["n_resamples"], few["test"], few["n"]) == ("500", "holm", "66")
    (ignored,) = printed(beside, "documents-ignored")
    assert ignored["n"] == "99"
    assert "use --units documents." in beside
    (turned,) = printed(beside, "turned-by-correction")
    assert (turned["correction"], turned["family"]) == ("holm", "66 comparisons")
    assert printed(beside, "why-each-interval") == [{}]
    assert "; --interval simultaneous " in beside


def test_no_verdict_on_one_pair_stands_beside_an_interval_that_contradicts_it_without_a_word():
    """A system as long as the references and a longer one, of which BLEU makes a verdict."""
    pair = "compare -t wmt21 -l zh-en XMU IIE-MT"
    said = words(pair)
    assert re.match(naming("BLEU: XMU", "better score", "IIE-MT"), said)
    (unreliable,) = printed(said, "unreliable")
    assert unreliable["share"] == "33 %"
    assert "-0.17 to +0.50" in said
    (parted,) = printed(said, "only-test")
    assert parted["where"].endswith(" 0.05")
    assert "95 %" in parted["interval"]
    (mixing,) = printed(said, "mixing")
    assert mixing["ratio"] == "0.50"
    assert re.search(naming("lengths", "XMU 0.996", "IIE-MT 1.039", "(--test sign-flip)"), said)
    remedied = words(f"{pair} --test sign-flip")
    assert "is better than" not in remedied
    assert "Note" not in remedied


def test_the_text_names_winner_letters_and_signature():
    out = run(OWN).stdout
    assert re.match(naming("BLEU: good ", "both others", "3 pairs, 3 "), out)
    found = {(better, worse) for _, better, worse in claims(OWN)}
    assert found == {("good", "fair"), ("good", "poor"), ("fair", "poor")}
    assert re.search(r"^good +\d+\.\d\d +\d+\.\d–\d+\.\d +best +a +1$", out, re.M)
    row = r"^poor +\d+\.\d\d +\d+\.\d–\d+\.\d +-\d+\.\d\d\* +<0\.0060  c +3$"
    assert re.search(row, out, re.M)
    assert re.search(rf"100 segments .*{PLAN} of \d\S* BLEU", out)
    assert "BLEU|nrefs:1|case:mixed|eff:no|tok:13a" in out
    assert "|n:500|units:segments|nunits:100|cor:holm|family:3|alpha:0.05|" in out
    assert f"|seed:12345|version:mtsig_nb-{mt.__version__}" in out
    assert "All pairs: --pairs." in out
    assert "\x1b" not in out


@pytest.fixture
def two_metrics():
    """A table in which a has the better COMET and the better MQM, which counts errors."""
    rows = [
        (name, i, 0.5 + gain * (i % 7), i % 5 - gain * (i % 3) + 2, i % 4, i % 17, "x")
        for name, gain in (("a", 0.05), ("b", 0.0))
        for i in range(60)
    ]
    write_table("s.csv", "system,segment,COMET,MQM,judge,length,comment", rows)


@pytest.mark.takes_time
def test_every_metric_has_its_own_direction_which_is_printed(two_metrics):
    both = "compare --scores s.csv -m COMET -m MQM:lower -n 500"
    out = run(both).stdout
    assert claims(both) == [("COMET", "a", "b"), ("MQM", "a", "b")]
    for verdict in answer(both)["verdicts"].values():
        assert verdict in " ".join(out.split())
    said = (
        "s.csv: COMET (higher is better), MQM (lower is better); not used: judge, length, comment "
        "(not named)."
    )
    assert said in out.splitlines()
    for form in ("json", "csv", "latex", "markdown"):
        assert run(f"{both} -f {form}").stderr == f"mtsig: {said}\n"
    found = answer("compare --scores s.csv -m all -m MQM:lower -n 500")
    assert found["higher_is_better"] == {"COMET": True, "MQM": False}
    assert found["n_comparisons"] == 2
    by_name = "not a score by its name; name it with -m"
    unused = {"judge": by_name, "length": by_name, "comment": "no numbers"}
    assert found["unused_columns"] == unused
    assert list(found["scores"]) == ["COMET", "MQM"]
    assert list(answer("compare --scores s.csv -m judge -n 500")["scores"]) == ["judge"]


@pytest.mark.filterwarnings("always")  # as a user has it
@pytest.mark.parametrize("form", ["text", "csv", "latex", "markdown", "json"])
def test_a_direction_that_a_name_speaks_against_is_told_once(two_metrics, form):
    quick = f"compare --scores s.csv -n 500 -f {form}"
    for options, told in (
        ("", "'MQM' is taken as higher-is-better"),
        ("--smaller-is-better", "'COMET' is taken as lower-is-better"),
    ):
        result = run(f"{quick} {options}")
        on_screen = result.stdout if form in ("text", "json") else result.stderr
        assert " ".join(on_screen.split()).count(told) == 1
        assert "warning" not in result.stderr
    assert "is taken as" not in run(f"{quick} -m MQM:lower -m COMET").output


def test_several_tables_are_joined_by_system_and_segment(two_metrics):
    table = pd.read_csv("s.csv")
    table[["system", "segment", "COMET"]].to_csv("a.csv", index=False)
    others = table[["system", "segment", "MQM"]]
    others[::-1].to_csv("b.csv", index=False)
    rest = "-m COMET MQM:lower -n 500"
    two = run(f"compare --scores a.csv b.csv {rest} -f json").stdout
    assert json.loads(two)["pairs"] == answer(f"compare --scores s.csv {rest}")["pairs"]
    assert two == run(f"compare --scores a.csv --scores b.csv {rest} -f json").stdout
    others[others["segment"] != 7].to_csv("b.csv", index=False)
    message = refusal(f"compare --scores a.csv b.csv {rest}")
    assert re.search(naming("'b.csv'", "system 'a'", "segment '7'", "'a.csv'"), message)


def test_nothing_is_computed_before_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.setattr(mt.metrics.BLEU, "statistics", None)  # would fail if it were called
    message = refusal(f"compare {FILES} -m BLEU -m GTM:tokenize=flores200")
    assert re.search(naming("pip install sentencepiece.", "choose another"), message)


@pytest.mark.takes_time
def test_a_name_that_is_not_utf8(folder):
    path = os.fsdecode(b"caf\xe9.txt")
    try:
        (folder / "good.txt").rename(folder / path)
    except OSError:
        pytest.skip("this file system has no such names")
    plain = "compare -n 500 poor.txt"
    message = refusal(f"{plain} -r ref.txt '{path}'")
    assert re.search(naming(r"name 'caf\udce9'", "UTF-8"), message)
    assert claims(f"{plain} -r ref.txt 'good={path}'") == [("BLEU", "good", "poor")]
    assert "poor" in run(f"{plain} -r '{path}' fair.txt").stdout
    named = f"{plain} -r ref.txt 'good={path}'"
    for form in ("json", "csv", "latex", "markdown"):
        printed_bytes = run(f"{named} -f {form}").stdout_bytes
        printed_bytes.decode("utf-8")
        run(f"{named} -f {form} -o found.txt")
        assert (folder / "found.txt").read_bytes().strip() == printed_bytes.strip()
    assert "\\udce9" in run(f"{named} -f json").stdout


@pytest.mark.takes_time
def test_names_are_given_by_equals_signs_and_folders_are_opened(folder):
    (folder / "out").mkdir()
    for name in ("good", "fair"):
        (folder / f"{name}.txt").rename(folder / "out" / f"{name}.txt")
    found = answer("compare -r ref.txt out 'the third=poor.txt' -n 500")
    assert set(found["scores"]["BLEU"]) == {"good", "fair", "the third"}


def test_exit_code_3_says_that_no_difference_was_detected():
    write("copy.txt", GOOD)
    same = "compare -r ref.txt good.txt copy.txt -n 500"
    assert claims(same) == []
    run(f"{same} --exit-code", code=3)
    run(f"{OWN} --exit-code")


def test_output_is_written_whole_with_ordinary_permissions(folder):
    result = run(f"{OWN} -o table.tex")
    assert (result.stdout, result.stderr) == ("", "table.tex written\n")
    methods = latex_prose(answer(OWN)["methods_sentence"])
    assert methods in (folder / "table.tex").read_text()
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((folder / "table.tex").stat().st_mode) == 0o666 & ~mask
    assert not list(folder.glob(".*"))


def test_several_files_are_written_at_once_and_the_answer_is_printed(folder):
    files = ["page.html", "table.tex", "figure.pdf", "figure.svg", "references.bib", "table.md"]
    outputs = " ".join(f"-o {name}" for name in files)
    result = run(f"{OWN} {outputs}")
    assert result.stdout == run(OWN).stdout
    written = [line for line in result.stderr.splitlines() if line.endswith(" written")]
    assert written == [f"{name} written" for name in files]
    begins = {"page.html": b"<!DOCTYPE", "figure.pdf": b"%PDF", "figure.svg": b"<?xml"}
    for name, first in begins.items():
        assert (folder / name).read_bytes().startswith(first)
    cited = re.findall(r"\\citep\{(.*?)\}", (folder / "table.tex").read_text(encoding="utf-8"))
    references = (folder / "references.bib").read_text(encoding="utf-8")
    assert all(f"{{{key}," in references for group in cited for key in group.split(","))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("-f pdf", "a figure needs a file"),
        ("-f svg -o -", "a figure needs a file"),
        ("-f latex -o a.tex -o b.tex", "2 files"),
        ("-o a.tex -o a.tex", "more than once"),
        ("-o a.tex -o a.what", "does not show the format"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_anything_is(folder, typed, message):
    result = run(f"{OWN} {typed}", code=2)
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert not list(folder.glob("a.*"))
    assert "there is no folder" in refusal(f"{OWN} -o a.tex -o nowhere/b.tex")
    assert not list(folder.glob("a.*"))


def test_a_table_for_a_mail_has_its_styles_in_its_elements(folder):
    table = run(f"{OWN} -f mail").stdout
    assert table.startswith('<table class="mtsig" style="')
    assert "<style" not in table
    assert "We tested" in table


def test_a_failing_write_leaves_what_was_there(folder, monkeypatch):
    (folder / "table.csv").write_text("precious")

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fail)
    message = refusal("datasets -o table.csv")
    assert re.search(naming("'table.csv'", "Permission denied"), message)
    assert (folder / "table.csv").read_text() == "precious"
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("typed", [f"{OWN} -f json", f"measure {FILES}", "datasets"])
def test_a_dash_is_standard_output(folder, typed):
    result = run(f"{typed} -o -")
    assert (result.stdout, result.stderr) == (run(typed).stdout, "")
    assert not (folder / "-").exists()


def test_a_report_on_standard_output_is_a_page_and_nothing_else():
    result = run(f"{OWN} -f html -o - --title 'Verbs & places'")
    assert result.stdout.startswith("<!DOCTYPE html>")
    assert result.stdout.endswith("</html>\n")
    assert "<title>Verbs &amp; places</title>" in result.stdout
    assert result.stderr == ""


def test_a_report_that_cannot_be_is_refused_before_anything_is_computed(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(Analysis, "statistics", None)  # would fail if it were called
    message = refusal(f"{OWN} -o report.html")
    assert re.search(naming("report", "python -m pip install matplotlib;"), message)


@pytest.mark.takes_time
def test_a_report_is_made_from_what_was_printed():
    """Everything is computed once."""
    statistics, compare = (
        patch.object(Analysis, name, autospec=True, side_effect=getattr(Analysis, name))
        for name in ("statistics", "compare")
    )
    with statistics as counted, compare as compared:
        printed = run(f"{OWN} -o report.html").stdout
    assert counted.call_count == compared.call_count == 1
    assert printed == run(OWN).stdout
    assert printed.splitlines()[0] in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("inputs", "output"),
    [
        (FILES, "./good.txt"),
        (FILES, "ref.txt"),
        (f"{FILES} -d docs.txt", "docs.txt"),
        ("-r ref.txt best=good.txt poor.txt", "good.txt"),
        ("-r ref.txt outputs", "outputs/fair.txt"),
        ("--scores scores.csv", "scores.csv"),
    ],
)
def test_an_input_is_not_written_over(folder, inputs, output):
    (folder / "outputs").mkdir()
    for name in ("good.txt", "fair.txt"):
        shutil.copy(name, "outputs")
    (folder / "scores.csv").write_text("system,segment,COMET\nA,1,.1\nA,2,.2\nB,1,.3\nB,2,.5\n")
    before = (folder / output).read_bytes()
    message = refusal(f"compare {inputs} -n 500 -o {output} -f html")
    assert re.search(naming(f"output={str(Path(output))!r}", "input"), message)
    assert (folder / output).read_bytes() == before


# --- pipes ----------------------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's pipes")


@posix
def test_a_pipe_needs_no_format_and_is_written_to(folder):
    os.mkfifo(folder / "pipe")
    found = []
    reader = threading.Thread(
        target=lambda: found.append((folder / "pipe").read_text(encoding="utf-8")), daemon=True
    )
    reader.start()
    result = run(f"{OWN} -o pipe")
    reader.join(60)
    assert found == [run(OWN).stdout]
    assert (result.stdout, result.stderr) == ("", "pipe written\n")


@posix
@pytest.mark.parametrize("output", ["table.json", "report.html"])
@pytest.mark.parametrize(
    "inputs", ["-r {}ref.txt best={}good.txt fair.txt -m BLEU -m TER", "--scores {}scores.csv"]
)
def test_pipes_are_read_like_files(inputs, output):
    rows = [(s, i, 0.5 + (i * k % 7) / 50) for s, k in (("A", 1), ("B", 2)) for i in range(40)]
    write_table("scores.csv", "system,segment,COMET", rows)
    Path("pipes").mkdir()
    for name in re.findall(r"{}(\S+)", inputs):
        os.mkfifo(f"pipes/{name}")
        feed = (Path("pipes", name).write_bytes, Path(name).read_bytes())
        threading.Thread(target=feed[0], args=feed[1:], daemon=True).start()
    pages = []
    for place in ("pipes/", ""):
        run(f"compare {inputs.replace('{}', place)} -n 500 -o {output}")
        pages.append(Path(output).read_text(encoding="utf-8"))
    assert "pipes/" in pages[0]  # as its user called it
    assert pages[0].replace("pipes/", "") == pages[1]


# --- what is wrong, and how it is said ------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (
            "compare -r ref.txt good.txt short.txt",
            ("100", "reference in 'ref.txt'", "99", "'short' in 'short.txt'"),
        ),
        ("compare -r none.txt good.txt poor.txt", ("'none.txt'",)),
        ("compare FILES -m BELU", ("metric='BELU'", "mean 'BLEU'?")),
        ("compare FILES --alpha 1e-320", ("alpha=1e-320 ", "between 0 and 1")),
        ("compare FILES -m BLEU:13a", ("metric='BLEU:13a'", "BLEU:setting=value")),
        ("compare FILES --test t-test", ("test='t-test'", "'sign-flip'")),
        ("compare FILES --alpha 5", ("alpha=5.0 ", "between 0 and 1")),
        ("compare FILES --correction hulm", ("correction='hulm'", "mean 'holm'?")),
        ("compare FILES -m TER -tok intl", ("tokenize", "none of TER")),
        ("compare -r ref.txt good.txt", ("one system", "'good'", "two")),
        ("compare -t wmt12/es-eo", ("pair='es-eo'", "wmt12", "cs-en, de-en, en-es", "-r ")),
        ("compare -t wmt21x -l es-en", ("set='wmt21x'", "mean 'wmt21'?")),
        ("compare -t wmt12 -l en-fr", ("pair='en-fr'", "wmt12", "cs-en, de-en, en-es", "-r ")),
        ("compare FILES -m COMET", ("metric='COMET'", "not computed", "--scores FILE")),
        ("compare FILES --baseline god", ("baseline='god'", "mean 'good'?")),
        ("compare -r ref.txt -m bleu chfr good.txt", ("metric='chfr'", "mean 'chrF'?")),
        ("compare -t wmt17/en-de -i good.txt", ("'good.txt'", "-t ", "compare REF -i FILE")),
        ("compare -t wmt12/es-en -d docs.txt", ("documents:", "campaign", "leave them out")),
        ("compare --scores ref.txt -m COMET", ("'ref.txt'", "no table", "'system'")),
        ("compare --scores none.csv", ("no file", "'none.csv'")),
        ("compare --scores ~nosuchuser/x.csv", ("no file", "'~nosuchuser/x.csv'")),
        ("compare --scores s.csv -tok intl", ("tokenize:", "scores", "Leave it out")),
        ("compare --scores s.csv -lc", ("lowercase:", "scores", "Leave it out")),
        ("compare FILES --smaller-is-better", ("smaller_is_better", "scores", "Leave it out")),
        (
            "compare FILES -m BLEU:lowercase=no,lowercase=yes",
            ("'BLEU:", "lowercase is", "twice"),
        ),
        ("compare FILES -m BLEU:lowercsae=no", ("BLEU='lowercsae'", "mean 'lowercase'?")),
        ("compare FILES -m chrF:word_order=nan", ("word_order='nan'", "whole number")),
        (f"compare FILES -m chrF:beta={'9' * 400}", ("beta=999", " 1 to 1000")),
        ("compare FILES -m BLEU:tokenize=[1]", ("tokenize='[1]'", "'13a'")),
        ("compare -r ref.txt ~nosuchuser/x", ("no file", "'~nosuchuser/x'")),
        ("measure FILES -o nowhere/table.csv", ("output='nowhere/table.csv'", "'nowhere'")),
        ("compare FILES -o nowhere/report.html", ("output='nowhere/report.html'", "'nowhere'")),
        (
            f"compare -r none.txt none.txt -n 1{20 * '0'}",
            (f"n_resamples=1{20 * '0'} ", " 1 to 100_000_000"),
        ),
        ("datasets wmt12/es-en2", ("'wmt12/es-en2'", "mean 'wmt12/es-en'?")),
    ],
)
def test_input_that_cannot_be_used_is_exit_code_1(typed, names):
    """The error names what is wrong and, where one thing would be right, this."""
    write("short.txt", GOOD[:-1])
    said = refusal(typed.replace("FILES", FILES))
    assert re.match(naming("mtsig: error: ", *names), said)
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "typed",
    [
        "compare good.txt fair.txt",
        "compare -l es-en",
        "compare FILES --format docx",
        "compare FILES -o table.unknown",
        "compare FILES --format html",
        "compare FILES -n 0",
        "compare FILES -d docs.txt -d docs.txt",
        "compare -t wmt12 -t wmt13 -l es-en",
        "compare FILES --paired-bs --paired-ar",
        "compare FILES --paired-bs --test paired-bootstrap",
        "compare -i good.txt fair.txt -m bleu",
        "compare FILES --title 'of nothing'",
        "compare FILES --people -f json",
        "compare FILES -n 1e20",
        *(
            f"{one} -o {to}"
            for one in ("compare FILES", "datasets -f json")
            for to in ("''", ".", "/")
        ),
        "measure FILES -f html",
        "compete",
    ],
)
def test_wrong_usage_is_exit_code_2(typed):
    result = run(typed.replace("FILES", FILES), code=2)
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_names_are_text_in_every_format():
    texts = [["reference", HOSTILE, "evil\x1b[31m"], *zip(REFERENCE, GOOD, POOR, strict=True)]
    write("all.tsv", ["\t".join(lines) for lines in texts])
    out = {
        form: run(f"compare -r all.tsv -n 500 --format {form}").stdout
        for form in ("text", "latex", "markdown", "json", "csv")
    }
    assert HOSTILE in out["text"]
    assert "\x1b" not in out["text"]
    assert r"\textless{}script\textgreater{}" in out["latex"]
    assert r"\&\_\#\$\%" in out["latex"]
    assert "<script>" not in out["markdown"]
    assert HOSTILE in json.loads(out["json"])["scores"]["BLEU"]
    assert HOSTILE in [row["system_a"] for row in csv.DictReader(io.StringIO(out["csv"]))]


# --- the table of systems -------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 132])
@pytest.mark.parametrize("metrics", [["BLEU"], ["BLEU", "TER"], ["BLEU", "chrF", "TER", "NIST"]])
def test_the_tables_fit_the_terminal_with_a_row_for_each_system(monkeypatch, columns, metrics):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run(f"{WMT} --pairs -m {' '.join(metrics)}").stdout
    signatures = [line for line in out.splitlines() if len(line) > columns]
    assert all("|" in line and " " not in line for line in signatures)
    rows = [line for line in out.splitlines() if re.match(r"GTH-UPM +\d", line)]
    heads = [line for line in out.splitlines() if line.startswith("system ")]
    assert len(rows) == len(heads) <= (len(metrics) + 1) // 2
    assert [word for line in heads for word in line.split() if word in metrics] == metrics


@pytest.mark.parametrize(("metric", "way"), [("TER", "Lower"), ("BLEU", "Higher")])
def test_the_table_has_the_numbers_of_the_comparison(metric, way):
    out = run(f"{WMT} -m {metric} --baseline UPC -w 3").stdout
    found = mt.compare_all(mt.load("wmt12/es-en").statistics(metric), n_resamples=500, rng=12345)
    table = mt.summary_table(found, against="UPC").set_index("system")
    ranks = ranking.rank_ranges(found.conclusions()).set_index("system")
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("system "))
    rows = {line.split()[0]: line.split()[1:] for line in lines[start + 1 : start + 13]}
    assert list(rows) == table.index.tolist()
    marks = {"better": "*", "worse": "*", "cannot tell": "?", "indistinguishable": ""}
    for system, (shown, _, *others) in rows.items():
        expected = table.loc[system]
        ends = dict.fromkeys(map(str, ranks.loc[system, ["rank_top", "rank_bottom"]]))
        assert shown == f"{expected['score']:.3f}"
        assert others[-2:] == [expected["letters"], "–".join(ends)]
        against = "baseline"
        if system != "UPC":
            against = f"{expected['difference']:+.3f}{marks[expected['conclusion']]}"
        assert others[0] == against
    assert re.search(naming(f"{way} ", "better", f"{metric}."), " ".join(out.split()))


def test_documents_that_are_named_are_resampled():
    plain = run(f"{OWN} -d docs.txt").stdout
    assert printed(plain, "documents-named") == [{}]
    assert "|units:documents|nunits:20|" in plain
    asked = run(f"{OWN} -d docs.txt --units segments").stdout
    assert "|units:segments|nunits:100|" in asked
    assert "use --units documents." in " ".join(asked.split())


def test_what_is_known_of_single_pairs_is_said_without_the_pairs():
    write("near.txt", [*POOR[:3], *GOOD[3:]])
    out = run("compare -r ref.txt good.txt near.txt").stdout
    assert printed(out, "few-differ") == [{"differing": "3", "n": "100", "unit": "segments"}]
    assert printed(out, "exact") == [{"n": "8"}]


@pytest.mark.takes_time
def test_a_correction_that_turns_a_pair_is_explained_beside_the_verdict():
    typed = "compare -t wmt12 -l es-en onlineC onlineD uk-dan-moses -m bleu chrf ter"
    typed += " --correction bonferroni"
    turned = [
        row
        for row in answer(typed)["pairs"]
        if row["pvalue"] <= 0.05 and row["conclusion"] == "indistinguishable"
    ]
    assert turned
    beside = " ".join(run(typed).stdout.split("\n\n")[1].split())
    (note,) = printed(beside, "turned-by-correction")
    assert note["correction"] == "bonferroni"
    assert re.match(naming("9 comparisons", "3 pairs", "3 metrics"), note["family"])
    for row in turned[:2]:
        pair = f"{row['system_a']} and {row['system_b']}"
        assert re.search(naming(pair, row["metric"], f"p {row['pvalue']:.4f} "), beside)
    assert "3 pairs" in beside.partition(note["family"])[2]


# --- as with sacreBLEU ----------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["bs", "ar"])
def test_sacrebleus_own_numbers_are_those_that_reported_by_gives(option):
    write("near.txt", [*FAIR[:20], *GOOD[20:]])
    write("also.txt", [*GOOD[:90], *FAIR[90:]])
    typed = f"also.txt near.txt poor.txt -m bleu ter --paired-{option} --paired-{option}-n 400"
    out = words(f"compare ref.txt -i {typed}")
    told = naming(f"sacreBLEU's --paired-{option}", "p = BLEU near ", "also, uncorrected")
    assert re.search(told, out)
    assert ("two tails" in out) == (option == "bs")
    texts = mt.read_test_set(reference="ref.txt", systems=["also.txt", "near.txt", "poor.txt"])
    for metric in ("BLEU", "TER"):
        one = mt.measure(texts, metric)
        options = {"n_resamples": 400, "rng": 12345}
        theirs = mt.reported_by(f"sacrebleu-{option}", one, "also", "near", **options)
        assert f"{metric} near {theirs.printed['p']}" in out
    assert "|n:400|" in out


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("--paired-jobs 4", "no work to share"),
        ("--chrf-word-order 2", "-m chrF:word_order=2"),
        ("--confidence-n 500", "Intervals"),
    ],
)
def test_what_has_another_name_here_is_answered_with_it(typed, instead):
    said = re.sub(r"[│\s]+", " ", run(f"compare {FILES} {typed}", code=2).stderr)
    assert re.search(naming(f"{typed.split()[0]} ", "not an option", instead), said)


def test_the_false_discovery_rate_has_the_name_that_others_use():
    short, full = (answer(f"{OWN} --correction {name}") for name in ("fdr", "benjamini-hochberg"))
    assert short["pairs"] == full["pairs"]
    assert short["correction"] == "benjamini-hochberg"


# --- several runs ---------------------------------------------------------------------------------


def test_runs_of_systems_are_compared_as_runs():
    rows = [
        (f"sys{s}", r, i, 0.7 + 0.05 * s + 0.01 * r + (i * (r + 3) % 11) / 50)
        for s in range(2)
        for r in range(3)
        for i in range(40)
    ]
    write_table("r.csv", "system,seed,segment,COMET", rows)
    typed = "compare --scores r.csv -n 500"
    (pair,) = answer(typed)["pairs"]
    statistics = mt.from_segment_scores(mt.read_score_table("r.csv").frame, score="COMET")
    runs = {f"sys{s}": [f"sys{s}/{r}" for r in range(3)] for s in range(2)}
    ours = mt.compare_runs(statistics, runs, n_resamples=500, rng=12345)
    assert (pair["system_a"], pair["difference"]) == ("sys1", -ours.statistic)
    assert pair["pvalue_these_runs"] == ours.segment_test.pvalue
    assert pair["pvalue_other_runs"] == ours.run_test.pvalue == 0.1
    assert pair["pvalue_methods"] == pair["pvalue_adjusted_methods"] == ours.pvalue
    out = words(typed)
    assert re.match(naming("COMET: ", "these runs", "sys1 ", "better", "sys0"), out)
    (verdict,) = answer(typed)["verdicts"].values()
    assert re.search(naming("other runs", "(p = 0.1000)", "methods"), verdict)
    assert verdict in out
    assert printed(out, "arrangements-of-runs") == [{"a": "3", "b": "3", "smallest": "0.1"}]
    run(f"{typed} -o r.html")
    assert verdict in Path("r.html").read_text(encoding="utf-8")


def test_skewed_scores_are_told_of_beside_the_verdict():
    systems = ("a", "NA")
    rows = [(s, i, -((i / 58) ** 12 if s == "a" else 0.1)) for s in systems for i in range(59)]
    write_table("s.csv", "system,segment,MQM", rows)
    typed = "compare --scores s.csv -m MQM:higher -n 500"
    (pair,) = answer(typed)["pairs"]
    assert {pair["system_a"], pair["system_b"]} == {*systems}
    assert pair["metric"] == "MQM"
    size = pair["size_at_05"]
    assert size > 0.06
    (note,) = printed(words(typed), "size")
    assert note["n"] == "59"
    assert re.search(naming("segments", "skewed"), note["unit"])
    assert note["size"].startswith(f"{size:.2g} ")
    assert words(typed).startswith("MQM:")
    assert "size_at_05" not in run(f"{typed} -f latex --pairs").stdout


# --- the other commands ---------------------------------------------------------------------------


def test_measure_prints_every_metric_and_fills_the_cache(folder):
    metrics = ["BLEU", "NIST", "TER"]
    found = answer(f"measure {FILES} -m {' '.join(metrics)}")
    shown = pd.DataFrame(found["systems"]).set_index("system")
    texts = mt.read_test_set(reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"])
    for metric in metrics:
        scores = mt.measure(texts, metric, cache=False).scores()
        assert shown[metric].to_dict() == scores.to_dict()
    assert len(list((folder.parent / "cache").rglob("*.z"))) == 9


def test_all_metrics_are_those_that_need_only_text():
    heads = run(f"measure {FILES} -m all").stdout.split()[:8]
    assert heads == ["system", "BLEU", "NIST", "METEOR", "TER", "GTM", "chrF", "chrF++"]


def test_measure_on_a_campaign():
    campaign = mt.load("wmt12/es-en")
    every = [campaign.statistics(metric) for metric in campaign.metrics]
    found = answer("measure -t wmt12 -l es-en -m all")["signatures"]
    assert found == {s.label: s.signature for s in every}


def test_scores_of_models_are_compared_as_other_metrics_are():
    wmt25 = "compare -t wmt25 -l en-kn_IN -i Shy GPT-4.1 -n 200"
    assert list(answer(wmt25)["signatures"]) == ["MetricX"]  # the first that there is
    assert "GEMBA-ESA-CMDA:missing=leave-out" in refusal(f"{wmt25} -m all")
    every = answer(f"{wmt25} -m all:missing=leave-out")["signatures"]
    assert tuple(every) == mt.load("wmt25/en-kn_IN").metrics
    for refused in ("-m BLEU", "--lowercase", "-m MetricX:missing"):
        refusal(f"{wmt25} {refused}")
    code = Analysis(campaign="wmt25/en-kn_IN", metrics=["XCOMET-XL:missing=leave-out"]).code()
    assert "campaign.statistics('XCOMET-XL', missing='leave-out')" in code


def test_datasets_lists_them_and_shows_one():
    found = answer("datasets")["campaigns"]
    assert [row["name"] for row in found] == mt.list_campaigns()["name"].tolist()
    assert "wmt12/es-en" in run("datasets").stdout
    facts = answer("datasets wmt12/es-en")
    assert facts["segments"] == "3,003"
    assert facts["source"] in run("datasets wmt12/es-en").stdout


@pytest.mark.slow
def test_the_installed_script_in_a_pipe():
    script = Path(sys.executable).with_name("mtsig")
    if not script.exists():
        pytest.skip("mtsig_nb is not installed beside this interpreter")
    command = [script, *OWN.split()]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run(OWN).stdout


# --- the analysis behind them ---------------------------------------------------------------------

TEXTS = {"references": ["ref.txt"], "n_resamples": 200}


@pytest.mark.parametrize(
    "settings",
    [
        {
            **TEXTS,
            "systems": ["x'y=good.txt", "poor.txt"],
            "documents": "docs.txt",
            "units": "documents",
            "metrics": ["BLEU:tokenize=intl", "TER"],
        },
        {"campaign": "wmt12/es-en", "systems": ["UPC", "onlineA"], "n_resamples": 200},
        {"scores": "scores.csv", "smaller_is_better": True, "n_resamples": 200},
        {"scores": "scores.csv", "metrics": ["quality:lower"], "systems": ["2", "1"]},
        {
            **TEXTS,
            "systems": ["good.txt", "poor.txt"],
            "metrics": ["BLEU:lowercase=no,tokenize=none", "chrF:beta=3"],
        },
    ],
)
def test_the_code_of_an_analysis_gives_its_numbers(settings):
    rows = [(s, i, i // 9, (i * k) % 11) for s, k in ((1, 3), (2, 5)) for i in range(40)]
    write_table("scores.csv", "system,segment,document,quality", rows)
    analysis = Analysis(**settings)
    again = Analysis(**json.loads(json.dumps(analysis.to_dict())))
    names: dict = {}
    exec(again.code(), names)
    assert names["comparisons"].table.to_csv() == analysis.compare().table.to_csv()


def test_a_leaderboard_is_enough():
    """Right or wrong by item: tiers, ranks that are open, and what the board could show."""
    rng = np.random.default_rng(7)
    hard = rng.normal(size=200)
    right = {
        f"model-{k}": (rng.normal(size=200) + skill > hard).astype(int)
        for k, skill in enumerate((1.0, 0.9, 0.2, -0.6))
    }
    board = pd.DataFrame({"item": [f"q{i}" for i in range(200)], **right})
    board.to_csv("board.csv", index=False)
    out = run("compare --scores board.csv -m board -n 2000").stdout
    shown = re.findall(r"^(model-\d) +(0\.\d+) .* ([a-z]+) +(\d(?:–\d)?)$", out, re.MULTILINE)
    assert re.search(naming("200 segments", f"{PLAN} of 0."), out)
    assert [row[2:] for row in shown] == [("a", "1–2"), ("a", "1–2"), ("b", "3"), ("c", "4")]
    for system, score, *_ in shown:
        assert float(score) == pytest.approx(board[system].mean(), abs=5e-5)


@pytest.mark.thorough
def test_how_often_people_agree_stands_beside_the_verdict_where_asked_for():
    typed = f"{WMT} onlineB UPC GTH-UPM"
    out = run(f"{typed} --people").stdout
    scores = mt.load("wmt12/es-en").statistics("BLEU").scores()
    for name in ("UPC", "GTH-UPM"):
        found = mt.agreement_by_size("BLEU", scores[name] - scores["onlineB"]).table.iloc[0]
        row = re.search(rf"^{name} +-\d+\.\d\d +(\S+) +(\S+) +(\S+) +(\d+) +(\d+)$", out, re.M)
        assert [float(x) for x in row.groups()] == [
            *(round(found[key], 2) for key in ("agree", "low", "high")),
            *(found[key] for key in ("pairs", "campaigns")),
        ]
    assert "people order in the same way" not in run(typed).stdout


@pytest.mark.parametrize("n", [4, 30])
def test_no_plan_from_few_segments_or_without_any_spread(n, tmp_path, monkeypatch):
    """Of four no test finds anything, and thirty alike have no spread; neither says "nan"."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    scores = {"A": rng.normal(size=n), "B": rng.normal(size=n)}
    if n == 30:
        scores = {"A": np.full(n, 0.9), "B": np.full(n, 0.9), "C": np.full(n, 0.7)}
    frame = pd.DataFrame(scores).rename_axis("segment").reset_index()
    frame = frame.melt("segment", var_name="system", value_name="quality")
    frame.to_csv("scores.csv", index=False)
    out = run("compare --scores scores.csv -n 200").stdout
    assert "nan" not in out
    assert PLAN not in out
    assert ("no spread" in " ".join(out.split())) == (n == 30)
    assert "\n\n\n" not in out
