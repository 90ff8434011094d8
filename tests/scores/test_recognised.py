"""Files of other programs are called what they are, and the line that the error gives works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table

from ..messages import any_names

#: A file's name, what is in it, and what the error says of it.
TEXTS = {
    "pointer.csv": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
        "pointer of Git LFS.*git lfs pull",
    ),
    "scores.csv": ("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "a page in HTML"),
    "report.html": ("<html><title>promptfoo report</title></html>", "promptfoo export eval latest"),
    "junit.xml": (
        '<?xml version="1.0"?>\n<testsuites name="promptfoo"></testsuites>\n',
        "promptfoo export eval latest",
    ),
    "memory.tmx": ('<?xml version="1.0"?>\n<tmx version="1.4"></tmx>\n', "is XML"),
    "ref.sgm": ('<refset setid="x" srclang="any">\n<doc docid="1">\n', "texts of a test set"),
    "wmt.xml": ('<?xml version="1.0"?>\n<dataset id="x">\n</dataset>\n', "texts of a test set"),
    "table.tex": ("% ours\n\\begin{tabular}{lr}\nA & 30.1 \\\\\n\\end{tabular}\n", "is LaTeX"),
    "drawn.txt": ("+---+-----+\n| A | 0.3 |\n+---+-----+\n", "drawn with characters"),
    "bleu.txt": (
        "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0 = 59.5 75.0\n",
        "what sacreBLEU prints.*mtsig compare -r REF A B",
    ),
    "compare.txt": ("======\nx_name: a.txt\ty_name: b.txt\n", "comet-compare --to_json"),
    "bleu": ("1690000000000 30.1 0\n1690000000500 31.0 1\n", "MLflow's record"),
    "results.csv": (
        "q,[acme:one] Say,Status,Score,Named Scores,Grader Reason,Comment\n1,x,PASS,1.00,,,\n",
        "promptfoo export eval latest",
    ),
    "older.csv": ('q,[acme:one] Say\n1,"[PASS] (1.00)\n\nx"\n', "promptfoo export eval latest"),
    "results.yaml": ("evalId: eval-1\nresults:\n  version: 3\n", "promptfoo export eval latest"),
    "wait3/instances.log": (
        '{"index": 0, "prediction": "A boat.", "delays": [9.0], "reference": "A boat."}\n',
        "log of SimulEval.*without --scores",
    ),
    "generate.txt": (
        "S-0\tEin Boot\nT-0\tA boat\nH-0\t-0.3\tA boat\nD-0\t-0.3\tA boat\n",
        "log of fairseq.*without --scores",
    ),
    "BLEU-refA.sys.score": ("A\t30.1\nB\t31.2\n", r"Give the scores of segments: \*\.seg\.score"),
    "means.csv": ("system,BLEU,chrF\nA,30.1,50\nB,31.0,51\n", "one row for each 'system'"),
    "runs.csv": (
        "system,seed,BLEU\nA,1,30.1\nA,2,30.3\nB,1,31.0\nB,2,31.2\n",
        "one row for each 'system' and 'seed'",
    ),
    "methods.csv": ("Method,BLEU\nours,30.1\ntheirs,31.0\n", "one row for each 'Method'"),
    "harness.txt": (
        "hf (pretrained=m)\n|Tasks|Version|Filter|n-shot|Metric|\n|---|---|---|---|---|\n",
        "--log_samples",
    ),
    "rich.rtf": ("{\\rtf1\\ansi A 0.3}\n", "rich text"),
    "scores.toml": ("[A]\nbleu = 30.1\n", "settings"),
    "metrics.csv": ("metric,A,B\nBLEU,30.1,31.0\nchrF,50,51\n", "a row for each metric"),
    "summary.csv": ("dataset,version,metric,mode,A\nx,1,acc,gen,5\n", "a row for each metric"),
    "wandb.csv": (
        "Name,State,Created,Runtime,bleu\nsoft-moon-1,finished,x,20,30.1\n",
        "a table of runs",
    ),
    "mlflow.csv": ("Start Time,Duration,Run ID,Name,bleu\nx,2s,ab,one,30.1\n", "a table of runs"),
}
JSON = {
    "empty.json": ({}, "empty JSON"),
    "none.json": ([], "empty JSON"),
    "work.ipynb": ({"cells": [], "nbformat": 4, "metadata": {}}, "a notebook.*to_csv"),
    "bleu.json": (
        {"name": "BLEU", "score": 30.1, "signature": "nrefs:1|version:2.6.0"},
        "sacreBLEU's scores of whole test sets",
    ),
    "both.json": (
        [{"name": n, "score": 30.1, "signature": "nrefs:1|version:2.6.0"} for n in "ab"],
        "sacreBLEU's scores of whole test sets",
    ),
    "several.json": (
        [{"system": "a.txt", "BLEU": "30.1"}, {"system": "b.txt", "BLEU": "31.0"}],
        "one row for each 'system'",
    ),
    "results.json": (
        {"results": {"sums": {"acc,none": 0.5}}, "configs": {}, "versions": {}},
        "--log_samples",
    ),
    "logs.json": (
        {"a.eval": {"eval": {}, "status": "success"}},
        "lists logs of Inspect.*inspect log convert",
    ),
    "config.json": ({"providers": ["acme:one"], "prompts": ["Say"]}, "promptfoo's settings"),
    "wandb-summary.json": ({"_runtime": 20, "_step": 3, "bleu": 30.1}, "Weights & Biases"),
    "all_results.json": ({"eval_bleu": 30.1, "epoch": 3.0}, "one number for each name"),
    "levels.json": ({"A": {"bleu": 30.1}, "B": {"bleu": 31.0}}, "objects of single numbers"),
    "stats.json": (
        [{"name": {"name": "exact_match"}, "count": 9, "sum": 4, "mean": 0.4}],
        "per_instance_stats.json",
    ),
    "orient.json": ({"schema": {}, "data": [{"x": 1}]}, "orient='records'"),
    "hf.json": ({"bleu": 0.3, "precisions": [0.5, 0.4]}, "one number for each name"),
}


@pytest.mark.parametrize("name", [*TEXTS, *JSON])
def test_a_file_that_has_no_scores_of_segments(tmp_path, name):
    content, says = (TEXTS | JSON)[name]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    text = content if name in TEXTS else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(mt.InputError, match=f"(?s)^'{path.name}' .*{says}"):
        read_score_table(str(path))


def follow(folder, name):
    """Run the command at the end of the error for a file; the shell must be satisfied."""
    with pytest.raises(mt.InputError) as caught:
        read_score_table(str(folder / name))
    command = str(caught.value)[str(caught.value).index('python -c "') :]
    command = command.replace("python -c", f"{sys.executable} -c", 1)
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def follow_to(folder, name, written, metric):
    """Follow the error for a file, and read the metric from what that has written."""
    follow(folder, name)
    (found,) = read_score_table(str(folder / written), [metric]).statistics()
    return found


def helm_record(n, score):
    stats = [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": score}]
    return {"instance_id": f"id{n}", "train_trial_index": 0, "stats": stats}


def deepeval_case(n, score):
    return {"name": f"case {n}", "metricsData": [{"name": "relevance", "score": score}]}


SCORES = [0.5, 0.25, 1.0]
#: What another program writes, and the metric that its line makes of it.
FOLLOWED = {
    "per_instance_stats.json": ([helm_record(n, x) for n, x in enumerate(SCORES)], "exact_match"),
    "run.json": (
        {"testCases": [deepeval_case(n, x) for n, x in enumerate(SCORES)]},
        "relevance",
    ),
    "data.json": (
        {"accuracy": 58.3, "details": {str(n): {"score": x} for n, x in enumerate(SCORES)}},
        "score",
    ),
}

#: The same, where the file that is written is called after the one that is read.
REWRITTEN = {
    "split.json": {"columns": ["segment", "x"], "index": [0, 1, 2], "data": [*enumerate(SCORES)]},
    "rows.json": {
        "features": [],
        "rows": [{"row_idx": n, "row": {"segment": n, "x": x}} for n, x in enumerate(SCORES)],
    },
    "bertscore.json": {"x": SCORES, "hashcode": "roberta"},
    "wrapped.json": {"version": 1, "rows": [{"segment": n, "x": x} for n, x in enumerate(SCORES)]},
    "systems.json": {
        "results": [{"system": "A", "segment": n, "x": x} for n, x in enumerate(SCORES)]
    },
}


@pytest.mark.takes_time
@pytest.mark.parametrize("name", REWRITTEN)
def test_the_line_writes_the_file_again(tmp_path, name):
    (tmp_path / name).write_text(json.dumps(REWRITTEN[name]))
    follow(tmp_path, name)
    (written,) = (path for path in tmp_path.iterdir() if path.name != name)
    (found,) = read_score_table(str(written), ["x"]).statistics()
    assert found.segment_scores()[0].tolist() == SCORES


@pytest.mark.parametrize("lines", [True, False])
def test_objects_of_python_are_written_as_json(tmp_path, lines):
    rows = [{"segment": n, "x": x} for n, x in enumerate(SCORES)]
    (tmp_path / "x.txt").write_text("\n".join(map(str, rows)) if lines else str(rows))
    found = follow_to(tmp_path, "x.txt", "x.txt.json", "x")
    assert found.segment_scores()[0].tolist() == SCORES


@pytest.mark.takes_time
def test_events_of_openai_are_written_as_a_table(tmp_path):
    events = [{"spec": {}}, {"final_report": {"accuracy": 0.5}}] + [
        {"sample_id": f"s.{n}", "type": "match", "data": {"correct": n == 0}} for n in range(2)
    ]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, events)))
    found = follow_to(tmp_path, "run.jsonl", "SYSTEM.csv", "correct")
    assert found.segment_scores().tolist() == [[1, 0]]


@pytest.mark.takes_time
@pytest.mark.parametrize("name", FOLLOWED)
def test_the_line_writes_the_scores(tmp_path, name):
    content, metric = FOLLOWED[name]
    (tmp_path / name).write_text(json.dumps(content))
    found = follow_to(tmp_path, name, "SYSTEM.csv", metric)
    assert found.segment_scores()[0].tolist() == SCORES


@pytest.mark.takes_time
@pytest.mark.parametrize("lines", [True, False])
def test_objects_within_objects_are_written_flat(tmp_path, lines):
    records = [{"id": n, "scores": {"fluency": x}} for n, x in enumerate(SCORES)]
    name = "judged.jsonl" if lines else "judged.json"
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    (tmp_path / name).write_text(text)
    follow(tmp_path, name)
    table = pd.read_csv(tmp_path / f"{name}.csv")
    assert table["scores.fluency"].tolist() == SCORES


@pytest.mark.takes_time
def test_markdown_becomes_csv(tmp_path):
    rows = "".join(f"| A | {n} | {x} |\n" for n, x in enumerate(SCORES))
    (tmp_path / "t.md").write_text(f"| system | segment | x |\n| --- | --- | ---: |\n{rows}")
    found = follow_to(tmp_path, "t.md", "t.md.csv", "x")
    assert found.segment_scores()[0].tolist() == SCORES


def test_yaml_becomes_json(tmp_path):
    pytest.importorskip("yaml")
    rows = "".join(f"- {{system: A, segment: {n}, x: {x}}}\n" for n, x in enumerate(SCORES))
    (tmp_path / "t.yaml").write_text(rows)
    found = follow_to(tmp_path, "t.yaml", "t.yaml.json", "x")
    assert found.segment_scores()[0].tolist() == SCORES


@pytest.mark.takes_time
def test_a_turned_table_is_turned(tmp_path):
    (tmp_path / "t.csv").write_text("system,0,1,2\nA,.5,.25,1\nB,.25,.5,1\n")
    found = follow_to(tmp_path, "t.csv", "turned.csv", "x")
    assert found.systems == ("A", "B")
    assert found.segment_scores()[0].tolist() == SCORES


def test_samples_within_results_are_written_as_samples(tmp_path):
    samples = [
        {"doc_id": n, "doc": {"q": f"item {n}"}, "target": "x", "resps": [["y"]],
         "filtered_resps": ["y"], "acc": x}
        for n, x in enumerate(SCORES)
    ]  # fmt: skip
    content = {"results": {}, "configs": {}, "versions": {}, "samples": {"sums": samples}}
    (tmp_path / "all.json").write_text(json.dumps(content))
    found = follow_to(tmp_path, "all.json", "samples_sums.jsonl", "acc")
    assert found.segment_scores()[0].tolist() == SCORES


def test_texts_of_whole_test_set_metrics_are_written(tmp_path):
    folder = tmp_path / "alpha"
    folder.mkdir()
    pairs = [("A boat left.", "A boat left."), ("The sea\nis calm.", "The sea\nwas calm.")]
    for nested in (True, False):
        values = [[[ref], [out]] if nested else [ref, out] for ref, out in pairs]
        records = [
            {"doc_id": n, "doc": {}, "target": "t", "resps": [["r"]], "filtered_resps": ["r"],
             "bleu": value, "metrics": ["bleu"]}
            for n, value in enumerate(values)
        ]  # fmt: skip
        (folder / "samples_t.jsonl").write_text("\n".join(map(json.dumps, records)))
        follow(folder, "samples_t.jsonl")
        written = (folder / "alpha.txt").read_text().splitlines()
        assert written == ["A boat left.", "The sea was calm."]


@pytest.mark.takes_time
def test_what_sacrebleu_prints_is_recognised(tmp_path):
    program = shutil.which("sacrebleu", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("sacreBLEU's command is not installed")
    for name in ("ref", "a", "b"):
        (tmp_path / name).write_text(f"The cat sat on the mat of {name}.\nA dog ran away.\n")
    for outputs, more in (
        (["a"], ["-f", "json"]),
        (["a"], ["-f", "json", "-m", "bleu", "chrf"]),
        (["a", "b"], ["-f", "json"]),
        (["a", "b"], ["-f", "latex"]),
        (["a"], ["-f", "text"]),
        (["a"], ["--sentence-level"]),
    ):
        done = subprocess.run(
            [program, "ref", "-i", *outputs, *more],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        (tmp_path / "out").write_text(done.stdout)
        with pytest.raises(mt.InputError) as caught:
            read_score_table(str(tmp_path / "out"))
        says = "(whole test sets|what sacreBLEU prints|is LaTeX)"
        assert re.search(says, str(caught.value)), (more, str(caught.value))


def test_ratings_with_categories_are_no_marks(tmp_path):
    """A category of a segment, or a severity in numbers, does not make marks of a table."""
    rows = "".join(f"{s},{n},news,{n % 3},{n % 4}\n" for s in "AB" for n in range(6))
    (tmp_path / "x.csv").write_text(f"system,segment,category,severity,x\n{rows}")
    assert set(read_score_table(str(tmp_path / "x.csv")).metrics) == {"severity", "x"}


def test_documents_as_units_are_no_whole_test_sets(tmp_path):
    rows = "".join(f"{s},{n},{n % 3}\n" for s in "AB" for n in range(6))
    (tmp_path / "x.csv").write_text(f"system,document,x\n{rows}")
    assert read_score_table(str(tmp_path / "x.csv")).statistics()[0].n_segments == 6


def compare_json(**scores):
    n = len(next(iter(scores.values())))
    systems = [
        {"name": f"out/{name}.txt", "mt": [""] * n, "scores": own} for name, own in scores.items()
    ]
    return {"model": "m", "source": [""] * n, "translations": systems}


def test_comet_compare_of_all_versions_is_read(tmp_path):
    content = compare_json(a=SCORES, b=[0.1, 0.2, 0.3])
    older = {**content, "systems": content["translations"]}
    del older["translations"]
    for found in (content, older):
        (tmp_path / "c.json").write_text(json.dumps(found))
        (comet,) = read_score_table(str(tmp_path / "c.json")).statistics()
        assert (comet.label, comet.systems) == ("COMET", ("a", "b"))
        assert comet.segment_scores()[0].tolist() == SCORES
    oldest = [{"src": "", "system_x": {"score": x}, "system_y": {"score": x / 2}} for x in SCORES]
    (tmp_path / "c.json").write_text(json.dumps(oldest))
    table = read_score_table(str(tmp_path / "c.json"))
    assert table.statistics()[0].systems == ("system_x", "system_y")
    assert any_names(table.remarks, "'c.json'", "system_x and system_y")


def test_what_predict_gives_is_read(tmp_path):
    content = {"scores": SCORES, "system_score": 0.58}
    (tmp_path / "ours.json").write_text(json.dumps(content))
    (comet,) = read_score_table(str(tmp_path / "ours.json")).statistics()
    assert (comet.label, comet.systems) == ("COMET", ("ours",))
    assert comet.segment_scores()[0].tolist() == SCORES
