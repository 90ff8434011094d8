"""Texts as they are typed: sacreBLEU's habits, names, notes in every format, inputs kept."""

from __future__ import annotations

import csv
import io
import json
import os
import re

import pytest
import sacrebleu

import mtsig_nb as mt

from ..messages import naming, printed
from ..worse_and_worse import FAIR, GOOD, POOR, REFERENCE, write
from .program import answer, refusal, run, words

pytestmark = pytest.mark.usefixtures("folder")

CHINESE = ["我们今天去公园散步，然后回家。", "他们明天要去图书馆看书。", "她昨天买了两本新书。"] * 4


# --- measure --------------------------------------------------------------------------------------


@pytest.mark.takes_time
def test_one_metric_with_two_settings_has_two_columns_in_every_format():
    typed = "measure -r ref.txt good.txt poor.txt -m TER TER:normalized=yes -w 4"
    labels = ["TER (normalized=no)", "TER (normalized=yes)"]
    expected = {
        label: sacrebleu.TER(normalized=own).corpus_score(POOR, [REFERENCE]).score
        for label, own in zip(labels, (False, True), strict=True)
    }
    found = answer(typed)
    assert list(found["signatures"]) == labels
    assert len(set(found["signatures"].values())) == 2
    (poor,) = [row for row in found["systems"] if row["system"] == "poor"]
    rows = list(csv.DictReader(io.StringIO(run(f"{typed} -f csv").stdout)))
    for label, score in expected.items():
        assert poor[label] == pytest.approx(score)
        assert float(rows[-1][label]) == pytest.approx(score)
    for form in ("text", "markdown"):
        printed = run(f"{typed} -f {form}").stdout
        assert all(label in printed for label in labels)
    assert run(f"{typed} -f latex").stdout.count("TER (normalized=") == 2
    compared = answer("compare -r ref.txt good.txt poor.txt -m TER TER:normalized=yes -n 99")
    assert list(compared["scores"]) == labels


def test_notes_stand_beside_the_scores_in_every_format():
    write("copy.txt", REFERENCE)
    typed = "measure -r ref.txt good.txt copy.txt"
    (said,) = answer(typed)["notes"]
    write("again.txt", GOOD)
    twins = answer("measure -r ref.txt good.txt again.txt")["notes"]
    assert [pair["names"] for pair in printed(twins, "twins")] == ["'good' and 'again'"]
    assert len(twins) == 1
    (copied,) = printed(said, "copy-of-reference")
    assert (copied["system"], copied["reference"]) == ("'copy'", "the reference")
    assert copied["share"].startswith("all ")
    assert f"Note: {said}." in words(typed)
    assert said in " ".join(run(f"{typed} -f csv").stderr.split())
    compared = "compare -r ref.txt good.txt copy.txt -n 99"
    assert said in answer(compared)["notes"]
    assert said in words(compared)


# --- sacreBLEU's habits ---------------------------------------------------------------------------


def test_the_language_pair_chooses_the_tokenizer_as_sacrebleu_does():
    write("ref.zh", CHINESE)
    output = [text.replace("公园", "花园") for text in CHINESE]
    write("a.zh", output)
    write("b.zh", [text[:-3] for text in CHINESE])
    found = answer("compare ref.zh -i a.zh b.zh -l en-zh -n 99")
    expected = sacrebleu.BLEU(trg_lang="zh").corpus_score(output, [CHINESE]).score
    assert found["scores"]["BLEU"]["a.zh"] == pytest.approx(expected)
    assert "|tok:zh|" in found["signatures"]["BLEU"]
    assert any("en-zh" in said for said in found["notes"])
    assert mt.report.analysis.Analysis(**found["analysis"]).language_pair == "en-zh"
    # What is said in so many words, or has no tokenizer, is not chosen.
    own = answer("measure -r ref.zh a.zh -l en-zh -tok char -m BLEU chrF")
    assert "|tok:char|" in own["signatures"]["BLEU"]
    assert "tok:13a" in answer("measure -r ref.zh a.zh -l zh-en")["signatures"]["BLEU"]
    assert answer("measure -r ref.zh a.zh -l en-zh -m chrF")["notes"] == []
    code = mt.report.analysis.Analysis(
        references=["ref.zh"], systems=["a.zh"], language_pair="en-zh"
    )
    assert "mt.measure(texts, 'BLEU', tokenize='zh')" in code.code()


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("compare -r ref.txt good.txt poor.txt -l zh", ("pair='zh'", "source", "target", "en-zh")),
        ("compare --scores s.csv -l en-zh", ("language_pair", "scores", "Leave it out")),
        ("compare -t wmt12 -l es-en --num-refs 2", ("n_references", "campaign", "Leave it out")),
        ("measure -r ref.txt =good.txt", ("systems:", "'=good.txt'", "NAME=FILE")),
        ("measure -r ref.txt good=", ("systems:", "'good='", "NAME=FILE")),
        ("measure -r ref.txt a=good.txt a=poor.txt", ("systems:", "'a'", "than once", "Rename")),
        ("measure -r . good.txt", ("reference='.'", "folder", "Name the file")),
        ("measure -r - -", ("standard input", "empty")),
    ],
)
def test_refused(typed, names):
    write("s.csv", ["system,segment,score", "A,1,2", "B,1,1"])
    assert re.match(naming("mtsig: error: ", *names), refusal(typed))


@pytest.mark.parametrize("option", ["--num-refs 2", "-nr 2", "--num-refs=2"])
def test_several_references_in_a_line(option):
    write("refs.txt", [f"{one}\t{two}" for one, two in zip(REFERENCE, GOOD, strict=True)])
    found = answer(f"compare refs.txt -i fair.txt poor.txt {option} -n 99")
    expected = sacrebleu.corpus_bleu(FAIR, [REFERENCE, GOOD]).score
    assert found["scores"]["BLEU"]["fair"] == pytest.approx(expected)
    assert "nrefs:2" in found["signatures"]["BLEU"]


def test_several_references_in_one_call():
    found = answer("measure ref.txt good.txt -i fair.txt poor.txt")
    expected = sacrebleu.corpus_bleu(FAIR, [REFERENCE, GOOD]).score
    assert found["systems"][0]["BLEU"] == pytest.approx(expected)


def test_standard_input(monkeypatch):
    from typer.testing import CliRunner

    from mtsig_nb.cli import app

    text = "".join(f"{line}\n" for line in FAIR)
    for typed in (
        "measure -r ref.txt - poor.txt -f json",
        "measure ref.txt -i - poor.txt -f json",
        "measure -r ref.txt stdin=- poor.txt -f json",
    ):
        result = CliRunner().invoke(app, typed.split(), input=text)
        found = {row["system"]: row["BLEU"] for row in json.loads(result.stdout)["systems"]}
        assert found["stdin"] == pytest.approx(sacrebleu.corpus_bleu(FAIR, [REFERENCE]).score)


# --- names ----------------------------------------------------------------------------------------


def test_names_after_folders_and_names_given(folder):
    for name, lines in (("elm", FAIR), ("oak", POOR)):
        (folder / name).mkdir()
        write(f"{name}/test.en", lines)
    found = answer("measure -r ref.txt elm/test.en oak/test.en")
    assert [row["system"] for row in found["systems"]] == ["elm", "oak"]
    found = answer("measure -r ref.txt ash=elm/test.en oak/test.en good.txt")
    assert {row["system"] for row in found["systems"]} == {"ash", "test.en", "good"}
    # The first after -i is the baseline, whatever has a name.
    assert answer("compare ref.txt -i elm/test.en x=good.txt -n 99")["baseline"] == "test.en"


def test_an_equals_sign_in_the_name_of_a_file(folder):
    write("lr=3.txt", FAIR)
    found = answer("measure -r ref.txt lr=3.txt good=poor.txt")
    assert {row["system"] for row in found["systems"]} == {"lr=3", "good"}


def test_a_folder_with_the_reference_in_it(folder):
    found = answer("compare -r ref.txt good.txt poor.txt ref.txt -n 99")
    assert set(found["scores"]["BLEU"]) == {"good", "poor"}
    assert found["n_comparisons"] == 1
    (left_out,) = printed(found["notes"], "not-a-system")
    assert left_out == {"file": "ref.txt", "what": "reference"}


# --- no output is an input ------------------------------------------------------------------------


def logs(folder) -> None:
    (folder / "logs" / "deep").mkdir(parents=True)
    record = {"doc_id": 0, "target": "x", "filtered_resps": ["x"], "acc": 1.0}
    for model in ("m1", "m2"):
        (folder / "logs" / model).mkdir()
        lines = [json.dumps(record | {"doc_id": i, "acc": float(i % 2)}) for i in range(12)]
        name = f"logs/{model}/samples_task_2026-01-01T00-00-00.000000.jsonl"
        write(name, lines)


@pytest.mark.parametrize(
    "typed",
    [
        "compare -r ref.txt good.txt poor.txt -f json -o good.txt",
        "compare -r ref.txt good.txt poor.txt -f csv -o ../texts/ref.txt",
        "compare -r ref.txt good.txt poor.txt -d docs.txt -f text -o docs.txt",
        "compare -r ref.txt x=good.txt y=poor.txt -f html -o linked.html",
        "measure -r ref.txt outputs -f json -o outputs/a.txt",
        "measure -r ref.txt outputs good.txt -f json -o outputs/a.txt",
        "measure -r ref.txt x=good.txt outputs -f json -o outputs/a.txt",
        "measure -r ref.txt outputs/*.txt -f json -o hard.txt",
        "compare --scores logs -f json -o logs/m1/samples_task_2026-01-01T00-00-00.000000.jsonl",
        "compare --scores logs -f json -o through/m1/samples_task_2026-01-01T00-00-00.000000.jsonl",
        "compare --scores scores.csv -f json -o scores.csv",
    ],
)
def test_no_input_is_written_to(folder, typed):
    logs(folder)
    (folder / "outputs").mkdir()
    write("outputs/a.txt", FAIR)
    write("outputs/b.txt", POOR)
    write("scores.csv", ["system,segment,score", "A,1,2", "A,2,1", "B,1,1", "B,2,3"])
    os.symlink("good.txt", "linked.html")
    os.symlink("logs", "through")
    os.link("outputs/a.txt", "hard.txt")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert re.search(naming("output=", "is the input", "Name another file."), refusal(typed))
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before


def test_what_was_written_into_a_folder_may_be_written_again(folder):
    (folder / "outputs").mkdir()
    write("outputs/a.txt", FAIR)
    for _ in range(2):
        run("measure -r ref.txt outputs -f json -o outputs/scores.json")
        run("measure -r ref.txt outputs good.txt -f csv -o outputs/scores.csv")
    assert json.loads((folder / "outputs" / "scores.json").read_text())["systems"]
