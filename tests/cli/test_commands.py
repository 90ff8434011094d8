"""The command line, as its users type it."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import io
import json
import os
import re
import stat
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import mtsig_nb as mt
from mtsig_nb.cli import app
from mtsig_nb.conclusions import ranking
from mtsig_nb.report.analysis import Analysis, parse_metric
from mtsig_nb.texts import files

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script>&_#$%"

NOUNS = ["cat", "dog", "horse", "bird", "fish", "mouse", "cow", "goat", "hen", "duck"]
PLACES = ["house", "garden", "field", "river", "road", "wood", "barn", "hill", "shed", "pond"]
REFERENCE = [f"The {noun} sleeps behind the old {place}." for noun in NOUNS for place in PLACES]
# Worse and worse: one wrong verb in five, then a wrong place in three, then both everywhere.
GOOD = [
    line.replace("sleeps", "is asleep") if i % 5 == 0 else line for i, line in enumerate(REFERENCE)
]
FAIR = [
    line.replace("behind the old", "in an old") if i % 3 == 0 else line
    for i, line in enumerate(GOOD)
]
POOR = [line.replace("sleeps behind", "sleep to back") for line in REFERENCE]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A fresh folder with a reference, three outputs and documents; statistics cached beside it."""
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    texts = {"ref": REFERENCE, "good": GOOD, "fair": FAIR, "poor": POOR}
    for name, lines in texts.items():
        write(work / f"{name}.txt", lines)
    write(work / "docs.txt", [f"d{i // 5}" for i in range(len(REFERENCE))])
    return work


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(*arguments: str, code: int = 0):
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result


FILES = ("-r", "ref.txt", "good.txt", "fair.txt", "poor.txt")
FEW = ("-n", "500")


def expected(**options) -> mt.Comparisons:
    """The comparisons that the command line should print, by the package's own functions."""
    texts = mt.read_test_set(
        reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"], documents="docs.txt"
    )
    metrics = [mt.measure(texts, "BLEU"), mt.measure(texts, "TER")]
    return mt.compare_all(metrics, n_resamples=500, rng=12345, **options)


# --- compare --------------------------------------------------------------------------------------


def test_json_has_what_the_package_computes():
    result = run(
        "compare",
        *FILES,
        "-d",
        "docs.txt",
        *FEW,
        "-m",
        "BLEU",
        "-m",
        "TER",
        "--test",
        "ar",
        "--correction",
        "holm",
        "--units",
        "documents",
        "-f",
        "json",
    )
    found = json.loads(result.stdout)
    table = expected(units="documents").table
    assert [row["pvalue"] for row in found["pairs"]] == table["pvalue"].tolist()
    assert [row["pvalue_adjusted"] for row in found["pairs"]] == table["pvalue_adjusted"].tolist()
    assert [row["ci_low"] for row in found["pairs"]] == table["ci_low"].tolist()
    assert [row["conclusion"] for row in found["pairs"]] == table["conclusion"].tolist()
    assert found["unit"] == "documents"
    assert found["n_units"] == len(set(Path("docs.txt").read_text().split()))
    assert list(found["scores"]) == ["BLEU", "TER"]
    assert result.stderr == ""


def test_the_json_has_what_its_page_lists():
    page = (ROOT / "docs" / "commandline.md").read_text(encoding="utf-8").split("## JSON")[1]
    table, rows = page.split("A row of `pairs`")
    found = json.loads(run("compare", *FILES, *FEW, "-f", "json").stdout)
    listed = [name for line in table.splitlines() if line.startswith("| `")
              for name in re.findall(r"`(\w+)`", line.split("|")[1])]  # fmt: skip
    assert sorted(listed) == sorted(found)
    assert f"| `schema_version` | {found['schema_version']} |" in table
    limits = re.findall(r"pvalue\w*_(?:low|high)", " ".join(found["pairs"][0]))
    assert {*found["pairs"][0]} - {*limits} <= {*re.findall(r"`(\w+)`", rows)}
    metric = found["score_intervals"]["BLEU"]
    assert metric.keys() == found["scores"]["BLEU"].keys()
    assert all(v["ci_low"] <= found["scores"]["BLEU"][s] <= v["ci_high"] for s, v in metric.items())


def test_the_answer_in_the_readme_is_what_the_screen_shows(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    command, answer = re.search(
        r"```sh\nmtsig (compare -t .*?)\n```\n\n```text\n(.*?)```", page, re.DOTALL
    ).groups()
    assert run(*command.split()).stdout.startswith(answer)


@pytest.mark.slow
def test_too_few_resamples_are_said_first_and_enough_are_drawn_by_default():
    """The paired bootstrap on twelve systems, 16 BLEU apart."""
    koehn = ("compare", "-t", "wmt12", "-l", "es-en", "--test", "paired-bootstrap")
    few = run(*koehn, "-n", "2000").stdout
    first = few.split("\n\n")[0]
    assert first.startswith("BLEU: 2,000 bootstrap resamples cannot tell 62 of 66 pairs apart")
    assert "no difference was detected between" not in few
    enough = run(*koehn).stdout
    assert enough.startswith("BLEU: onlineB is better than all 11 others. Of all 66 pairs, 59")


def test_what_to_beware_of_stands_beside_the_verdict():
    paragraphs = run("compare", "-t", "wmt12", "-l", "es-en", *FEW).stdout.split("\n\n")
    assert paragraphs[0].startswith("BLEU: 500 shuffles cannot tell")
    assert paragraphs[1].count("\nNote: ") == 4
    assert "500 resamples are too few for holm" in paragraphs[1]
    assert "although documents are known (99)" in paragraphs[1]
    beside = " ".join(paragraphs[1].split())
    assert "use --units documents." in beside
    assert "holm corrects p for 66 comparisons: " in beside
    assert "alone; --interval simultaneous holds for all together." in beside


def test_no_verdict_on_one_pair_stands_beside_an_interval_that_contradicts_it_without_a_word():
    """A system as long as the references and a longer one, of which BLEU makes a verdict."""
    pair = ("compare", "-t", "wmt21", "-l", "zh-en", "XMU", "IIE-MT")
    said = " ".join(run(*pair).stdout.split())
    assert "XMU is better than IIE-MT" in said
    assert "-0.17 to +0.50" in said
    assert "Note: the test at 0.05 tells the two apart, yet the 95 % interval contains zero" in said
    assert "shuffles mix outputs of different lengths" in said
    assert "with sign-flip test of influence values it would be" in said
    remedied = " ".join(run(*pair, "--test", "sign-flip").stdout.split())
    assert "is better than" not in remedied
    assert "Note" not in remedied


def test_csv_parses_back_with_every_digit():
    result = run("compare", *FILES, *FEW, "--format", "csv", "-m", "BLEU", "-m", "TER")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    table = expected().table
    assert [float(row["difference"]) for row in rows] == table["difference"].tolist()
    assert [float(row["pvalue"]) for row in rows] == table["pvalue"].tolist()


def test_every_option_arrives():
    result = run(
        "compare",
        *FILES,
        "-n",
        "300",
        "--test",
        "paired-bootstrap",
        "--alternative",
        "greater",
        "--counting",
        "plain",
        "--correction",
        "none",
        "--seed",
        "7",
        "--alpha",
        "0.01",
        "--interval",
        "simultaneous",
        "--confidence",
        "0.9",
        "-m",
        "chrF",
        "-lc",
        "-f",
        "json",
    )
    found = json.loads(result.stdout)
    texts = mt.read_test_set(reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"])
    table = mt.compare_all(
        mt.measure(texts, "chrF", lowercase=True),
        test="paired-bootstrap",
        n_resamples=300,
        alternative="greater",
        counting="plain",
        correction=None,
        rng=7,
        alpha=0.01,
        interval="simultaneous",
        confidence_level=0.9,
    ).table
    assert found["interval"] == "simultaneous"
    assert [row["pvalue"] for row in found["pairs"]] == table["pvalue"].tolist()
    assert [row["ci_high"] for row in found["pairs"]] == table["ci_high"].tolist()
    assert (found["alpha"], found["seed"], found["correction"]) == (0.01, 7, None)
    assert "case:lc" in found["signatures"]["chrF"]


def test_the_text_names_winner_letters_and_signature():
    out = run("compare", *FILES, *FEW).stdout
    assert out.startswith("BLEU: good is better than all 2 others. Of all 3 pairs, 3 are")
    assert re.search(r"^good +\d+\.\d\d +\d+\.\d–\d+\.\d +best +a +1$", out, re.M)
    row = r"^poor +\d+\.\d\d +\d+\.\d–\d+\.\d +-\d+\.\d\d\* +<0\.0060  c +3$"
    assert re.search(row, out, re.M)
    assert re.search(r"With 100 segments you would see a difference of \d.*? BLEU four times", out)
    assert "BLEU|nrefs:1|case:mixed|eff:no|tok:13a" in out
    assert "|n:500|units:segments|nunits:100|cor:holm|family:3|alpha:0.05|" in out
    assert f"|seed:12345|version:mtsig_nb-{mt.__version__}" in out
    assert "\x1b" not in out


def test_an_embedded_campaign_as_with_sacrebleu():
    result = run("compare", "-t", "wmt12", "-l", "es-en", "onlineB", "UPC", *FEW, "-f", "json")
    (row,) = json.loads(result.stdout)["pairs"]
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineB", "UPC"])
    (pvalue,) = mt.compare_all(bleu, n_resamples=500, rng=12345).table["pvalue"]
    assert (row["system_a"], row["pvalue"]) == ("onlineB", pvalue)


def test_segment_scores_in_place_of_texts():
    frame = "system,segment,COMET\n" + "".join(
        f"{name},{i},{0.8 + gain * (i % 7) / 7}\n"
        for name, gain in (("NA", 0.1), ("b", 0.0))
        for i in range(60)
    )
    Path("scores.csv").write_text(frame)
    (row,) = json.loads(run("compare", "--scores", "scores.csv", *FEW, "-f", "json").stdout)[
        "pairs"
    ]
    assert (row["metric"], row["system_a"], row["conclusion"]) == ("COMET", "NA", "better")
    (row,) = json.loads(
        run("compare", "--scores", "scores.csv", "-m", "COMET:lower", *FEW, "-f", "json").stdout
    )["pairs"]
    assert row["system_a"] == "b"


def two_metrics() -> None:
    """A table in which a has the better COMET and the better MQM, which counts errors."""
    rows = [
        (name, i, 0.5 + gain * (i % 7), i % 5 - gain * (i % 3) + 2, i % 4, i % 17, "x")
        for name, gain in (("a", 0.05), ("b", 0.0))
        for i in range(60)
    ]
    head = "system,segment,COMET,MQM,judge,length,comment"
    write(Path("s.csv"), [head, *(",".join(map(str, row)) for row in rows)])


def test_every_metric_has_its_own_direction_which_is_printed():
    two_metrics()
    both = ("compare", "--scores", "s.csv", "-m", "COMET", "-m", "MQM:lower", *FEW)
    out = run(*both).stdout
    assert "COMET: a is better than b" in out
    assert "MQM: a is better than b" in out
    said = (
        "s.csv: COMET (higher is better), MQM (lower is better); not used: judge, length, comment "
        "(not named)."
    )
    assert said in out.splitlines()
    for form in ("json", "csv", "latex", "markdown"):
        result = run(*both, "-f", form)
        assert result.stderr == f"mtsig: {said}\n"
    found = json.loads(run(*both, "-f", "json").stdout)
    assert found["higher_is_better"] == {"COMET": True, "MQM": False}
    assert list(found["unused_columns"]) == ["judge", "length", "comment"]


def test_what_is_no_score_by_its_name_is_left_out_and_listed():
    two_metrics()
    found = json.loads(
        run(
            "compare", "--scores", "s.csv", "-m", "all", "-m", "MQM:lower", *FEW, "-f", "json"
        ).stdout
    )
    assert list(found["scores"]) == ["COMET", "MQM"]
    assert found["n_comparisons"] == 2
    assert found["unused_columns"] == {
        "judge": "by its name no score; -m takes it",
        "length": "by its name no score; -m takes it",
        "comment": "no numbers",
    }
    found = json.loads(
        run("compare", "--scores", "s.csv", "-m", "judge", *FEW, "-f", "json").stdout
    )
    assert list(found["scores"]) == ["judge"]


@pytest.mark.filterwarnings("always")  # as a user has it
def test_a_direction_that_a_name_speaks_against_is_a_warning():
    two_metrics()
    quick = ("compare", "--scores", "s.csv", *FEW)
    assert "warning: 'MQM' is taken as higher-is-better" in run(*quick).stderr
    assert "warning: 'COMET' is taken as lower" in run(*quick, "--smaller-is-better").stderr
    for sure in (("-m", "MQM:higher"), ("-m", "MQM:lower", "-m", "COMET")):
        assert "warning" not in run(*quick, *sure).stderr


def test_several_tables_are_joined_by_system_and_segment():
    two_metrics()
    lines = [line.split(",") for line in Path("s.csv").read_text().splitlines()]
    write(Path("a.csv"), [",".join(line[:3]) for line in lines])
    others = [lines[0], *reversed(lines[1:])]
    write(Path("b.csv"), [",".join([*line[:2], line[3]]) for line in others])
    metrics = ("-m", "COMET", "MQM:lower")
    one = json.loads(run("compare", "--scores", "s.csv", *metrics, *FEW, "-f", "json").stdout)
    two = run("compare", "--scores", "a.csv", "b.csv", *metrics, *FEW, "-f", "json").stdout
    assert json.loads(two)["pairs"] == one["pairs"]
    assert (
        two
        == run(
            "compare", "--scores", "a.csv", "--scores", "b.csv", *metrics, *FEW, "-f", "json"
        ).stdout
    )
    write(Path("b.csv"), [",".join([*line[:2], line[3]]) for line in lines if line[1] != "7"])
    message = run("compare", "--scores", "a.csv", "b.csv", *metrics, code=1).stderr
    assert "'b.csv' has no score of system 'a', segment '7', which 'a.csv' has, and" in message


def test_nothing_is_computed_before_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.setattr(mt.metrics.BLEU, "statistics", None)  # would fail if it were called
    result = run("compare", *FILES, "-m", "BLEU", "-m", "GTM:tokenize=flores200", code=1)
    assert "pip install sentencepiece. Or choose another" in " ".join(result.stderr.split())


@pytest.mark.filterwarnings("always")
def test_documents_that_look_like_texts_are_a_warning(folder):
    write(folder / "lines.txt", [*(f"line {i}" for i in range(99)), "line 0"])
    result = run("compare", *FILES, *FEW, "-d", "lines.txt")
    assert "warning: documents in 'lines.txt': 99 documents for 100 segments" in result.stderr


def test_a_name_that_is_not_utf8(folder):
    path = os.fsdecode(b"caf\xe9.txt")
    try:
        (folder / "good.txt").rename(folder / path)
    except OSError:
        pytest.skip("this file system has no such names")
    plain = ("compare", "-r", "ref.txt", "poor.txt", *FEW)
    assert r"the name 'caf\udce9' is not UTF-8" in run(*plain, path, code=1).stderr
    assert "good is better than poor" in run(*plain, f"good={path}").stdout
    assert "poor" in run("compare", "-r", path, "poor.txt", "fair.txt", *FEW).stdout


def test_names_are_given_by_equals_signs_and_folders_are_opened(folder):
    (folder / "out").mkdir()
    for name in ("good", "fair"):
        (folder / f"{name}.txt").rename(folder / "out" / f"{name}.txt")
    result = run("compare", "-r", "ref.txt", "out", "the third=poor.txt", *FEW, "-f", "json")
    assert set(json.loads(result.stdout)["scores"]["BLEU"]) == {"good", "fair", "the third"}


def test_exit_code_3_says_that_no_difference_was_detected(folder):
    write(folder / "copy.txt", GOOD)
    same = ("compare", "-r", "ref.txt", "good.txt", "copy.txt", *FEW)
    assert "no difference was detected between" in run(*same).stdout
    run(*same, "--exit-code", code=3)
    run("compare", *FILES, *FEW, "--exit-code")


def test_output_is_written_whole_with_ordinary_permissions(folder):
    result = run("compare", *FILES, *FEW, "-o", "table.tex")
    assert result.stdout == ""
    assert "table.tex written" in result.stderr
    assert (folder / "table.tex").read_text().startswith("% We tested differences in BLEU")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((folder / "table.tex").stat().st_mode) == 0o666 & ~mask
    assert not list(folder.glob(".*"))


def test_a_failing_write_leaves_what_was_there(folder, monkeypatch):
    (folder / "table.csv").write_text("precious")

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", fail)
    result = run("datasets", "-o", "table.csv", code=1)
    assert "'table.csv' cannot be written: Permission denied" in result.stderr
    assert (folder / "table.csv").read_text() == "precious"
    assert not list(folder.glob(".*"))


def test_a_dash_is_standard_output(folder):
    expected = run("compare", *FILES, *FEW, "-f", "json").stdout
    result = run("compare", *FILES, *FEW, "-f", "json", "-o", "-")
    assert (result.stdout, result.stderr) == (expected, "")
    assert run("measure", *FILES, "-o", "-").stdout == run("measure", *FILES).stdout
    assert run("datasets", "-o", "-").stdout == run("datasets").stdout
    assert not (folder / "-").exists()


def test_a_report_on_standard_output_is_a_page_and_nothing_else():
    result = run("compare", *FILES, *FEW, "-f", "html", "-o", "-", "--title", "Verbs & places")
    assert result.stdout.startswith("<!DOCTYPE html>")
    assert result.stdout.endswith("</html>\n")
    assert "<title>Verbs &amp; places</title>" in result.stdout
    assert result.stderr == ""


def test_a_report_that_cannot_be_is_refused_before_anything_is_computed(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *a: None if name == "matplotlib" else find(name, *a),
    )
    monkeypatch.setattr(Analysis, "statistics", None)  # would fail if it were called
    result = run("compare", *FILES, "-o", "report.html", code=1)
    assert "A report needs matplotlib" in result.stderr
    assert "python -m pip install matplotlib;" in result.stderr
    assert result.stdout == ""


def test_a_report_is_made_from_what_was_printed(monkeypatch):
    """Everything is computed once."""
    times = Counter()

    def counted(name, method):
        def call(*args, **kwargs):
            times[name] += 1
            return method(*args, **kwargs)

        return call

    for name in ("statistics", "compare"):
        monkeypatch.setattr(Analysis, name, counted(name, getattr(Analysis, name)))
    printed = run("compare", *FILES, *FEW, "-o", "report.html").stdout
    assert times == {"statistics": 1, "compare": 1}
    assert printed == run("compare", *FILES, *FEW).stdout
    assert printed.splitlines()[0] in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="POSIX's pipes")
def test_a_pipe_needs_no_format_and_is_written_to(folder):
    os.mkfifo(folder / "pipe")
    found = []
    reader = threading.Thread(
        target=lambda: found.append((folder / "pipe").read_text(encoding="utf-8")), daemon=True
    )
    reader.start()
    result = run("compare", *FILES, *FEW, "-o", "pipe")
    reader.join(60)
    assert found == [run("compare", *FILES, *FEW).stdout]
    assert (result.stdout, result.stderr) == ("", "pipe written\n")


@pytest.mark.parametrize(
    ("inputs", "output"),
    [
        (FILES, "good.txt"),
        (FILES, "./good.txt"),
        (FILES, "link.txt"),
        (FILES, "ref.txt"),
        ((*FILES, "-d", "docs.txt"), "docs.txt"),
        (("-r", "ref.txt", "best=good.txt", "poor.txt"), "good.txt"),
        (("-r", "ref.txt", "outputs"), "outputs/fair.txt"),
        (("--scores", "scores.csv"), "scores.csv"),
    ],
)
def test_an_input_is_not_written_over(folder, inputs, output):
    (folder / "outputs").mkdir()
    for name in ("good", "fair"):
        (folder / "outputs" / f"{name}.txt").write_bytes((folder / f"{name}.txt").read_bytes())
    (folder / "link.txt").symlink_to("good.txt")
    (folder / "scores.csv").write_text("system,segment,COMET\nA,1,.1\nA,2,.2\nB,1,.3\nB,2,.5\n")
    before = (folder / output).read_bytes()
    result = run("compare", *inputs, *FEW, "-o", output, "-f", "html", code=1)
    assert f"output={str(Path(output))!r} is the input " in result.stderr
    assert result.stdout == ""
    assert (folder / output).read_bytes() == before


# --- pipes as inputs ------------------------------------------------------------------------------

needs_pipes = pytest.mark.skipif(os.name != "posix", reason="POSIX's pipes")


def feed(*names: str) -> None:
    """Make pipes called like the files, in a folder for pipes, that give their content once."""
    Path("pipes").mkdir()
    for name in names:
        pipe = Path("pipes", name)
        os.mkfifo(pipe)
        content = Path(name).read_bytes()
        threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True).start()


@needs_pipes
def test_pipes_are_read_like_files(folder):
    feed("ref.txt", "good.txt")
    rest = ("fair.txt", "-m", "BLEU", "-m", "TER", *FEW)
    piped = run("compare", "-r", "pipes/ref.txt", "pipes/good.txt", *rest)
    assert piped.stdout == run("compare", "-r", "ref.txt", "good.txt", *rest).stdout


@needs_pipes
def test_a_report_on_pipes_is_that_on_files(folder):
    feed("ref.txt", "good.txt")
    rest = ("fair.txt", *FEW, "-o", "report.html")
    pages = []
    for inputs in (("pipes/ref.txt", "best=pipes/good.txt"), ("ref.txt", "best=good.txt")):
        run("compare", "-r", *inputs, *rest)
        pages.append(Path("report.html").read_text(encoding="utf-8"))
    assert "pipes/ref.txt" in pages[0]  # as its user called it
    assert pages[0].replace("pipes/", "") == pages[1]


@needs_pipes
@pytest.mark.parametrize("output", ["table.json", "report.html"])
def test_a_table_of_scores_may_come_through_a_pipe(folder, output):
    Path("scores.tsv").write_text(
        "system\tsegment\tCOMET\n"
        + "".join(f"{s}\t{i}\t{0.5 + (i * k % 7) / 50}\n" for s, k in zip("AB", (1, 2), strict=True)
                  for i in range(40))
    )  # fmt: skip
    feed("scores.tsv")
    pages = []
    for path in ("pipes/scores.tsv", "scores.tsv"):
        run("compare", "--scores", path, *FEW, "-o", output)
        pages.append(Path(output).read_text(encoding="utf-8"))
    assert "pipes/scores.tsv" in pages[0]
    assert pages[0].replace("pipes/", "") == pages[1]


@pytest.mark.parametrize("inputs", [("--scores", "bomb.csv.gz"), ("-r", "bomb.csv.gz", "good.txt")])
def test_a_gzip_bomb_ends_in_a_message(folder, monkeypatch, inputs):
    monkeypatch.setattr(files, "MOST_BYTES", 2_000_000)
    (folder / "bomb.csv.gz").write_bytes(gzip.compress(b"system,segment,COMET\n" * 100_000))
    result = run("compare", *inputs, code=1)
    assert result.stderr == (
        "mtsig: error: 'bomb.csv.gz' unpacks to more than 2 MB, which is the most that is read. "
        "Give a part of it.\n"
    )


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
def test_endless_input_ends_in_a_message(monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 2_000_000)
    for inputs in (
        ("-r", "/dev/zero", "good.txt"),
        ("-r", "ref.txt", "good.txt", "/dev/zero"),
        ("-r", "ref.txt", "good.txt", "-d", "/dev/zero"),
        ("--scores", "/dev/zero"),
    ):
        result = run("compare", *inputs, code=1)
        assert result.stderr == (
            "mtsig: error: '/dev/zero' has more than 2 MB, which is the most that is read. Give a "
            "part of it.\n"
        )


# --- what is wrong, and how it is said ------------------------------------------------------------


def test_misaligned_files_are_named_without_a_traceback(folder):
    write(folder / "short.txt", GOOD[:-1])
    result = run("compare", "-r", "ref.txt", "good.txt", "short.txt", code=1)
    assert result.stdout == ""
    assert result.stderr.startswith("mtsig: error: Not the same number of segments: 100 in ")
    assert "short.txt" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "-r", "none.txt", "good.txt", "poor.txt"), "none.txt"),
        (("compare", *FILES, "-m", "BELU"), "Did you mean 'BLEU'?"),
        (("compare", *FILES, "--alpha", "1e-320"), "must lie between 0 and 1"),
        (("compare", *FILES, "-m", "BLEU:13a"), "write settings as BLEU:setting=value"),
        (("compare", *FILES, "--test", "t-test"), "is not known"),
        (("compare", *FILES, "--correction", "hulm"), "Did you mean 'holm'?"),
        (("compare", *FILES, "--alpha", "5"), "alpha=5.0 must lie between 0 and 1"),
        (("compare", *FILES, "-m", "TER", "-tok", "intl"), "none of TER has this setting"),
        (("compare", "-r", "ref.txt", "good.txt"), "a comparison needs two"),
        (
            ("compare", "-t", "wmt12/es-eo"),
            "language pair='es-eo': wmt12 is embedded for cs-en, de-en",
        ),
        (("compare", "-t", "wmt21x", "-l", "es-en"), "Did you mean 'wmt21'?"),
        (
            ("compare", "-t", "wmt12", "-l", "en-fr"),
            "wmt12 is embedded for cs-en, de-en, en-es, es-en, fr-en. Name",
        ),
        (("compare", *FILES, "-m", "COMET"), "is not computed here. Let its own program score"),
        (("compare", *FILES, "--baseline", "god"), "Did you mean 'good'?"),
        (("compare", "-r", "ref.txt", "-m", "bleu", "chfr", "good.txt"), "Did you mean 'chrF'?"),
        (("compare", "-t", "wmt17/en-de", "-i", "good.txt"), "'good.txt' is a file, and -t names"),
        (("compare", "-t", "wmt12/es-en", "-d", "docs.txt"), "brings its own"),
        (("compare", "--scores", "ref.txt", "-m", "COMET"), "'ref.txt' is no table of scores"),
        (("compare", "--scores", "none.csv"), "There is no file 'none.csv'"),
        (("compare", "--scores", "~nosuchuser/x.csv"), "There is no file '~nosuchuser/x.csv'"),
        (("compare", "--scores", "s.csv", "-tok", "intl"), "tokenize: scores are taken as they"),
        (("compare", "--scores", "s.csv", "-lc"), "lowercase: scores are taken as they are"),
        (("compare", *FILES, "--smaller-is-better"), "smaller_is_better is said of scores"),
        (("compare", *FILES, "-m", "BLEU:lowercase=nope"), "lowercase='nope' is neither yes nor"),
        (("compare", *FILES, "-m", "BLEU:lowercase=[]"), "lowercase='[]' is neither yes nor no"),
        (("compare", *FILES, "-m", 'BLEU:lowercase="false"'), "is neither yes nor no"),
        (("compare", *FILES, "-m", "BLEU:lowercase=no,lowercase=yes"), "lowercase is given twice"),
        (("compare", *FILES, "-m", "BLEU:lowercsae=no"), "Did you mean 'lowercase'?"),
        (("compare", *FILES, "-m", "BLEU:tokenize=[1]"), "tokenize='[1]' is not known"),
        (("compare", *FILES, "-m", "chrF:word_order=nan"), "word_order='nan' is not a whole"),
        (("compare", *FILES, "-m", "chrF:beta=1e308"), "beta='1e308' is not a whole number"),
        (("compare", *FILES, "-m", f"chrF:beta={'9' * 400}"), "must be from 1 to 1000"),
        (("compare", *FILES, "-m", "chrF:char_order=1000000"), "char_order=1000000 must be from"),
        (("compare", "-r", "~nosuchuser/x", "good.txt"), "There is no file '~nosuchuser/x'"),
        (("compare", "-r", "ref.txt", "~nosuchuser/x"), "There is no file '~nosuchuser/x'"),
        (("measure", *FILES, "-o", "nowhere/table.csv"), "nowhere/table.csv"),
        (("compare", *FILES, "-o", "nowhere/report.html"), "there is no folder 'nowhere'"),
        (
            ("compare", "-r", "none.txt", "none.txt", "-n", "1" + 20 * "0"),
            "must be a whole number from 1 to 100_000_000",
        ),
        (("datasets", "wmt12/es-en2"), "Did you mean 'wmt12/es-en'?"),
    ],
)
def test_input_that_cannot_be_used_is_exit_code_1(arguments, message):
    result = run(*arguments, code=1)
    assert message in result.stderr
    assert result.stderr.startswith("mtsig: error: ")
    assert "Traceback" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "good.txt", "fair.txt"),
        ("compare", "-l", "es-en"),
        ("compare", *FILES, "--format", "docx"),
        ("compare", *FILES, "-o", "table.unknown"),
        ("compare", *FILES, "--format", "html"),
        ("compare", *FILES, "-n", "0"),
        ("compare", *FILES, "-d", "docs.txt", "-d", "docs.txt"),
        ("compare", "-t", "wmt12", "-t", "wmt13", "-l", "es-en"),
        ("compare", *FILES, "--paired-bs", "--paired-ar"),
        ("compare", *FILES, "--paired-bs", "--test", "paired-bootstrap"),
        ("compare", "-i", "good.txt", "fair.txt", "-m", "bleu"),
        ("compare", *FILES, "--title", "of nothing"),
        ("compare", *FILES, "-n", "1e20"),
        *(
            (*command, "-o", output)
            for command in (("compare", *FILES), ("datasets", "-f", "json"))
            for output in ("", ".", "/")
        ),
        ("measure", *FILES, "-f", "html"),
        ("compete",),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments):
    result = run(*arguments, code=2)
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_names_are_text_in_every_format(folder):
    write(
        folder / "all.tsv",
        ["\t".join(["reference", HOSTILE, "evil\x1b[31m"])]
        + ["\t".join(lines) for lines in zip(REFERENCE, GOOD, POOR, strict=True)],
    )
    out = {
        form: run("compare", "-r", "all.tsv", *FEW, "--format", form).stdout
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

WMT = ("compare", "-t", "wmt12", "-l", "es-en", "-n", "500")


@pytest.mark.parametrize("columns", [80, 132])
@pytest.mark.parametrize("metrics", [["BLEU"], ["BLEU", "TER"], ["BLEU", "chrF", "TER", "NIST"]])
def test_the_tables_fit_the_terminal_with_a_row_for_each_system(monkeypatch, columns, metrics):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run(*WMT, "--pairs", *(o for m in metrics for o in ("-m", m))).stdout
    signatures = [line for line in out.splitlines() if len(line) > columns]
    assert all("|" in line and " " not in line for line in signatures)
    rows = [line for line in out.splitlines() if re.match(r"GTH-UPM +\d", line)]
    heads = [line for line in out.splitlines() if line.startswith("system ")]
    assert len(rows) == len(heads) <= (len(metrics) + 1) // 2
    assert [word for line in heads for word in line.split() if word in metrics] == metrics


@pytest.mark.parametrize("metric", ["TER", "BLEU"])
def test_the_table_has_the_numbers_of_the_comparison(metric):
    out = run(*WMT, "-m", metric, "--baseline", "UPC", "-w", "3").stdout
    found = mt.compare_all(
        mt.load("wmt12/es-en").statistics(metric), n_resamples=500, rng=12345, alpha=0.05
    )
    table = mt.summary_table(found, against="UPC").set_index("system")
    ranks = ranking.rank_ranges(found.conclusions()).set_index("system")
    table["ranks"] = [
        "–".join(dict.fromkeys(map(str, ranks.loc[name, ["rank_top", "rank_bottom"]])))
        for name in table.index
    ]
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("system "))
    rows = {line.split()[0]: line.split()[1:] for line in lines[start + 1 : start + 13]}
    assert list(rows) == table.index.tolist()
    marks = {"better": "*", "worse": "*", "cannot tell": "?", "indistinguishable": ""}
    for system, (shown, _, *others) in rows.items():
        expected = table.loc[system]
        assert shown == f"{expected['score']:.3f}"
        if system == "UPC":
            assert others == ["baseline", expected["letters"], expected["ranks"]]
        else:
            mark = marks[expected["conclusion"]]
            assert others[0] == f"{expected['difference']:+.3f}{mark}"
            assert others[2:] == [expected["letters"], expected["ranks"]]
    way = "Lower" if metric == "TER" else "Higher"
    assert f"{way} is better: {metric}." in " ".join(out.split())


def test_a_page_begins_with_its_verdict_and_says_it_once():
    long = run(*WMT, "--pairs").stdout
    verdict = long.split("\n\n")[0]
    assert verdict.startswith("BLEU: ")
    assert long.count(verdict) == 1
    assert len(re.findall(r"^\S+ +\S+ +[+-]\d", long, re.M)) == 66
    short = run("compare", *FILES, *FEW).stdout
    assert short.count("BLEU: good is better") == 1
    assert "--pairs" in short


def test_documents_that_are_named_are_resampled():
    plain = run("compare", *FILES, "-d", "docs.txt", *FEW).stdout
    assert "documents are resampled, since -d names them; or --units segments" in plain
    assert "|units:documents|nunits:20|" in plain
    asked = run("compare", *FILES, "-d", "docs.txt", *FEW, "--units", "segments").stdout
    assert "|units:segments|nunits:100|" in asked
    assert "use --units documents." in " ".join(asked.split())


def test_what_is_known_of_single_pairs_is_said_without_the_pairs(folder):
    write(folder / "near.txt", [POOR[0], POOR[1], POOR[2], *GOOD[3:]])
    out = run("compare", "-r", "ref.txt", "good.txt", "near.txt").stdout
    assert "the two outputs differ in only 3 of 100 segments" in out
    assert "exact: 8 arrangements" in out


def test_a_correction_that_turns_a_pair_is_explained_beside_the_verdict():
    typed = "compare -t wmt12 -l es-en onlineC onlineD uk-dan-moses -m bleu chrf ter"
    typed += " --correction bonferroni"
    found = json.loads(run(*typed.split(), "-f", "json").stdout)
    turned = [
        row
        for row in found["pairs"]
        if row["pvalue"] <= 0.05 and row["conclusion"] == "indistinguishable"
    ]
    assert turned
    beside = " ".join(run(*typed.split()).stdout.split("\n\n")[1].split())
    assert "bonferroni corrects p for 9 comparisons (3 pairs under 3 metrics)" in beside
    for row in turned[:2]:
        assert f"{row['system_a']} and {row['system_b']} under {row['metric']}, p" in beside
    assert "chosen before looking, makes a family of 3 pairs" in beside


# --- as with sacreBLEU ----------------------------------------------------------------------------


def test_what_is_typed_for_sacrebleu_gives_the_corrected_answer():
    typed = "compare ref.txt -i good.txt fair.txt poor.txt -m bleu chrf2 --paired-bs --confidence"
    found = json.loads(run(*typed.split(), "-f", "json").stdout)
    texts = mt.read_test_set(reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"])
    metrics = [mt.measure(texts, m) for m in ("BLEU", "chrF")]
    ours = mt.compare_all(metrics, test="bootstrap", rng=12345)
    assert [row["pvalue"] for row in found["pairs"]] == ours.table["pvalue"].tolist()
    assert (found["baseline"], found["alternative"]) == ("good", "two-sided")
    out = " ".join(run(*typed.split()).stdout.split())
    theirs = mt.reported_by("sacrebleu-bs", metrics[0], "good", "fair", rng=12345).printed["p"]
    assert (
        f"sacreBLEU's --paired-bs would print, up to its own draws, p = BLEU fair {theirs}, poor"
        in out
    )
    assert "(each against good, uncorrected): it counts one of the two tails" in out


@pytest.mark.parametrize(("option", "tool"), [("bs", "sacrebleu-bs"), ("ar", "sacrebleu-ar")])
def test_sacrebleus_own_numbers_are_those_that_reported_by_gives(folder, option, tool):
    write(folder / "near.txt", [*FAIR[:20], *GOOD[20:]])
    write(folder / "also.txt", [*GOOD[:90], *FAIR[90:]])
    typed = f"ref.txt -i also.txt near.txt -m bleu ter --paired-{option} --paired-{option}-n 400"
    out = " ".join(run("compare", *typed.split()).stdout.split())
    texts = mt.read_test_set(reference="ref.txt", systems=["also.txt", "near.txt"])
    for metric in ("BLEU", "TER"):
        statistics = mt.measure(texts, metric)
        theirs = mt.reported_by(tool, statistics, "also", "near", n_resamples=400, rng=12345)
        assert f"{metric} near {theirs.printed['p']}" in out
    assert "|n:400|" in out


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("--paired-jobs 4", "There is nothing to share out"),
        ("--chrf-word-order 2", "Settings follow a metric's name: -m chrF:word_order=2"),
        ("--confidence-n 500", "Intervals are always printed"),
    ],
)
def test_what_has_another_name_here_is_answered_with_it(typed, instead):
    said = re.sub(r"[│\s]+", " ", run("compare", *FILES, *typed.split(), code=2).stderr)
    assert f"{typed.split()[0]} is no option here. {instead}" in said


def test_the_false_discovery_rate_has_the_name_that_others_use():
    short, full = (
        run("compare", *FILES, *FEW, "--correction", name, "-f", "json").stdout
        for name in ("fdr", "benjamini-hochberg")
    )
    assert json.loads(short)["pairs"] == json.loads(full)["pairs"]
    assert json.loads(short)["correction"] == "benjamini-hochberg"


# --- several runs ---------------------------------------------------------------------------------


def test_runs_of_systems_are_compared_as_runs():
    def value(s: int, r: int, i: int) -> float:
        return 0.7 + 0.05 * s + 0.01 * r + (i * (r + 3) % 11) / 50

    rows = [
        (f"sys{s}", r, i, value(s, r, i)) for s in range(2) for r in range(3) for i in range(40)
    ]
    write(Path("r.csv"), ["system,seed,segment,COMET", *(",".join(map(str, row)) for row in rows)])
    found = json.loads(run("compare", "--scores", "r.csv", *FEW, "-f", "json").stdout)
    frame = mt.read_score_table("r.csv").frame
    runs = {f"sys{s}": [f"sys{s}/{r}" for r in range(3)] for s in range(2)}
    statistics = mt.from_segment_scores(frame, score="COMET")
    ours = mt.compare_runs(statistics, runs, n_resamples=500, rng=12345)
    (pair,) = found["pairs"]
    assert (pair["system_a"], pair["difference"]) == ("sys1", -ours.statistic)
    assert pair["pvalue_these_runs"] == ours.segment_test.pvalue
    assert pair["pvalue_other_runs"] == ours.run_test.pvalue == 0.1
    out = " ".join(run("compare", "--scores", "r.csv", *FEW).stdout.split())
    assert out.startswith("COMET: by these runs sys1 is better than sys0")
    assert "of other runs it was not shown (p = 0.1000)" in out
    assert "no p-value over runs can be below 0.1" in out
    run("compare", "--scores", "r.csv", "-o", "r.html", code=1)
    assert pair["size_at_05"] == 0  # so few runs never reach .05


def test_skewed_scores_are_told_of_beside_the_verdict():
    rows = [(s, i, -((i / 58) ** 12 if s == "a" else 0.1)) for s in "ab" for i in range(59)]
    write(Path("s.csv"), ["system,segment,MQM", *(",".join(map(str, row)) for row in rows)])
    options = ("compare", "--scores", "s.csv", "-m", "MQM:higher", *FEW)
    (pair,) = json.loads(run(*options, "-f", "json").stdout)["pairs"]
    assert pair["size_at_05"] > 0.06
    said = " ".join(run(*options).stdout.split())
    verdict, _, rest = said.partition("Note: at 59 segments with differences this skewed (")
    assert "MQM:" in verdict
    assert f"with a probability of about {pair['size_at_05']:.2g}" in rest
    assert "size_at_05" not in run(*options, "-f", "latex", "--pairs").stdout


# --- the other commands ---------------------------------------------------------------------------


def test_measure_prints_every_metric_and_fills_the_cache(folder):
    result = run("measure", *FILES, "-m", "BLEU", "-m", "NIST", "-m", "TER", "-f", "json")
    found = {row["system"]: row for row in json.loads(result.stdout)["systems"]}
    texts = mt.read_test_set(reference="ref.txt", systems=["good.txt", "fair.txt", "poor.txt"])
    for metric in ("BLEU", "NIST", "TER"):
        scores = mt.measure(texts, metric, cache=False).scores()
        assert {name: row[metric] for name, row in found.items()} == scores.to_dict()
    assert len(list((folder.parent / "cache").rglob("*.z"))) == 9


def test_all_metrics_are_those_that_need_only_text():
    out = run("measure", *FILES, "-m", "all").stdout
    assert out.split()[:8] == [
        "system", "BLEU", "NIST", "METEOR", "TER", "GTM", "chrF", "chrF++"
    ]  # fmt: skip


def test_measure_on_a_campaign():
    found = json.loads(
        run("measure", "-t", "wmt12", "-l", "es-en", "-m", "all", "-f", "json").stdout
    )
    campaign = mt.load("wmt12/es-en")
    every = [campaign.statistics(metric) for metric in campaign.metrics]
    assert found["signatures"] == {s.label: s.signature for s in every}


def test_scores_of_models_are_compared_as_other_metrics_are():
    wmt25 = ("-t", "wmt25", "-l", "en-kn_IN", "-i", "Shy", "GPT-4.1", "-n", "200")
    found = json.loads(run("compare", *wmt25, "-f", "json").stdout)
    assert list(found["signatures"]) == ["MetricX"]  # the first that there is
    assert "GEMBA-ESA-CMDA:missing=leave-out" in run("compare", *wmt25, "-m", "all", code=1).stderr
    every = run("compare", *wmt25, "-m", "all:missing=leave-out", "-f", "json").stdout
    assert tuple(json.loads(every)["signatures"]) == mt.load("wmt25/en-kn_IN").metrics
    for refused in (("-m", "BLEU"), ("--lowercase",), ("-m", "MetricX:missing")):
        assert "error" in run("compare", *wmt25, *refused, code=1).stderr
    names = {"metrics": ["XCOMET-XL:missing=leave-out"]}
    code = Analysis(campaign="wmt25/en-kn_IN", **names).code()
    assert "campaign.statistics('XCOMET-XL', missing='leave-out')" in code


def test_datasets_lists_them_and_shows_one():
    found = json.loads(run("datasets", "-f", "json").stdout)["campaigns"]
    assert [row["name"] for row in found] == mt.list_campaigns()["name"].tolist()
    assert "wmt12/es-en" in run("datasets").stdout
    facts = json.loads(run("datasets", "wmt12/es-en", "-f", "json").stdout)
    assert facts["segments"] == "3,003"
    assert facts["source"] in run("datasets", "wmt12/es-en").stdout


@pytest.mark.slow
def test_the_installed_script_in_a_pipe(folder):
    script = Path(sys.executable).with_name("mtsig")
    if not script.exists():
        pytest.skip("mtsig_nb is not installed beside this interpreter")
    command = [script, "compare", *FILES, *FEW]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("compare", *FILES, *FEW).stdout
    assert "\x1b" not in done.stdout


# --- the analysis behind them ---------------------------------------------------------------------


def test_the_code_of_an_analysis_gives_its_numbers(folder):
    Path("scores.tsv").write_text(
        "system\tsegment\tdocument\tquality\n"
        + "".join(
            f"{s}\t{i}\t{i // 9}\t{(i * k) % 11}\n"
            for s, k in (("1", 3), ("2", 5))
            for i in range(40)
        )
    )
    for analysis in (
        Analysis(
            references=["ref.txt"],
            systems=["x'y=good.txt", "poor.txt"],
            n_resamples=200,
            documents="docs.txt",
            units="documents",
            metrics=["BLEU:tokenize=intl", "TER"],
        ),
        Analysis(campaign="wmt12/es-en", systems=["UPC", "onlineA"], n_resamples=200),
        Analysis(scores="scores.tsv", smaller_is_better=True, n_resamples=200),
        Analysis(scores="scores.tsv", metrics=["quality:lower"], systems=["2", "1"]),
        Analysis(
            references=["ref.txt"],
            systems=["good.txt", "poor.txt"],
            n_resamples=200,
            metrics=["BLEU:lowercase=no,tokenize=none", "chrF:beta=3"],
        ),
    ):
        again = Analysis(**json.loads(json.dumps(analysis.to_dict())))
        names: dict = {}
        exec(again.code(), names)
        table = analysis.compare().table
        assert names["comparisons"].table.to_csv() == table.to_csv()


def test_settings_of_a_metric():
    assert parse_metric("chrF:word_order=2,lowercase=True") == (
        "chrF", {"word_order": "2", "lowercase": "True"}
    )  # fmt: skip
    assert parse_metric("BLEU:tokenize=13a") == ("BLEU", {"tokenize": "13a"})


def test_a_leaderboard_is_enough(tmp_path):
    """Right or wrong by item: tiers, ranks that are open, and what the board could show."""
    rng = np.random.default_rng(7)
    hard = rng.normal(size=200)
    right = {
        f"model-{k}": (rng.normal(size=200) + skill > hard).astype(int)
        for k, skill in enumerate((1.0, 0.9, 0.2, -0.6))
    }
    board = pd.DataFrame({"item": [f"q{i}" for i in range(200)], **right})
    board.to_csv(tmp_path / "board.csv", index=False)
    long = board.melt("item", var_name="model", value_name="board").sample(frac=1, random_state=1)
    long.to_json(tmp_path / "board.jsonl", orient="records", lines=True)
    shown = []
    for name in ("board.csv", "board.jsonl"):
        out = run("compare", "--scores", str(tmp_path / name), "-m", "board", "-n", "2000").stdout
        table = re.findall(r"^(model-\d) +(0\.\d+) .* ([a-z]+) +(\d(?:–\d)?)$", out, re.MULTILINE)
        shown.append(table)
        assert "With 200 segments you would see a difference of 0." in out
    assert shown[0] == shown[1], "rows in any order: items are matched by their names"
    assert [row[3] for row in shown[0]] == ["1–2", "1–2", "3", "4"]
    assert [row[2] for row in shown[0]] == ["a", "a", "b", "c"]
    for system, score, *_ in shown[0]:
        assert float(score) == pytest.approx(board[system].mean(), abs=5e-5)


@pytest.mark.thorough
def test_how_often_people_agree_stands_beside_the_verdict_where_asked_for():
    command = ("compare", "-t", "wmt12", "-l", "es-en", "onlineB", "UPC", "GTH-UPM", *FEW)
    out = run(*command, "--people").stdout
    scores = mt.load("wmt12/es-en").statistics("BLEU").scores()
    for name in ("UPC", "GTH-UPM"):
        found = mt.agreement_by_size("BLEU", scores[name] - scores["onlineB"]).table.iloc[0]
        row = re.search(rf"^{name} +-\d+\.\d\d +(\S+) +(\S+) +(\S+) +(\d+) +(\d+)$", out, re.M)
        assert [float(x) for x in row.groups()] == [
            *(round(found[key], 2) for key in ("agree", "low", "high")),
            *(found[key] for key in ("pairs", "campaigns")),
        ]
    assert "people order alike" not in run(*command).stdout
    assert "leave --format out" in run(*command, "--people", "-f", "json", code=2).stderr
