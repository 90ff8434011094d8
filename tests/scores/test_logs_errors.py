"""Every error of the readers of logs, and of what is recognised, with an input that raises it."""

from __future__ import annotations

import ast
import inspect
import re
import traceback
from pathlib import Path
from types import ModuleType

import pytest

import mtsig_nb as mt
from mtsig_nb.scores.layouts import comet_compare
from mtsig_nb.scores.logs import folders, reading, together
from mtsig_nb.scores.logs.programs import harness, inspect_ai, promptfoo
from mtsig_nb.scores.recognised import by_columns, by_json, by_text
from mtsig_nb.scores.table import read_score_table

from .log_files import RIGHT, inspect_log, inspect_sample, result, results, sample, samples, write
from .test_recognised import JSON, TEXTS, compare_json

ONE = {"id": "acme:one", "label": ""}
MODULES = (
    *(comet_compare, folders, harness, inspect_ai, promptfoo, reading, together),
    *(by_columns, by_json, by_text),
)


def changed(content, **others):
    return {**content, **others}


def log_of(**sample_of_it):
    """A log of Inspect of three samples, of which the second is otherwise."""
    log = inspect_log("m", [1, 0, 1])
    log["samples"][1] |= sample_of_it
    return log


def promptfoo_lines(*records):
    return [result(0, 0, 1, ONE), *records]


def twice(**second):
    """Samples of the harness, each document with a second line."""
    right = RIGHT["alpha"]
    return samples(right) + [sample(n, value) | second for n, value in enumerate(right)]


#: A file's name, what its JSON is, and what the error says.
LOGS = {
    "samples_a.jsonl": ([*samples([1, 0]), sample(0, 1)], "doc_id 0 has 2 lines, others have 1"),
    "samples_b.jsonl": (twice(), "again with the same responses as line 1"),
    "samples_c.jsonl": (twice(target="8"), "doc_id 0 again, with a different 'target'"),
    "samples_d.jsonl": (samples([1, 0], metrics=["mcc"], mcc=[0, 1]), "mcc is computed over all"),
    "a.json": (changed(log_of(), status="error"), "has the status 'error'. Give the log"),
    "b.json": (changed(log_of(), status="cancelled"), "has the status 'cancelled'. Give the log"),
    "c.json": (changed(log_of(), invalidated=True), "marked as invalid"),
    "d.json": (changed(log_of(), samples=None), "without --header-only"),
    "e.json": (changed(log_of(), results={"total_samples": 9}), "has 3 of 9 samples"),
    "f.json": (log_of(error={"message": "timeout"}), "sample 1, epoch 1: it ended with an error"),
    "g.json": (log_of(scores={"match": {"value": [1, 0]}}), "has a list as a score"),
    "h.json": (log_of(scores={"match": {"value": float("nan")}}), "gave no score"),
    "i.json": (log_of(id=0), "has sample 0 2 times in epoch 1"),
    "j.json": (log_of(epoch=2), r"has sample \d in 1 of 2 epochs"),
    "k.json": (changed(log_of(), samples=[], results=None), "has no answers"),
    "l.json": (changed(log_of(), eval={"model": "m"}), "is not as Inspect writes it: .* 'task'"),
    "n.json": (
        results([(ONE, [1, 0])]) | {"results": {"results": [{}], "stats": {}}},
        "is not as promptfoo writes it",
    ),
    "a.jsonl": (promptfoo_lines(result(0, 1, 0, ONE, failureReason=2, error="429")), "429"),
    "b.jsonl": (
        promptfoo_lines(
            result(0, 1, 0, ONE, failureReason=None, gradingResult=None, error="no answer")
        ),
        "test 1 of 'acme:one' was not judged: 'no answer'",
    ),
    "c.jsonl": (promptfoo_lines(result(0, 1, 0, "acme:two")), "the provider of promptIdx 0 is"),
    "d.jsonl": (
        promptfoo_lines(result(0, 1, 0, ONE, prompt={"label": "other", "raw": ""})),
        "the prompt of promptIdx 0 is",
    ),
    "e.jsonl": (promptfoo_lines(result(0, 0, 1, ONE)), "has the same result again"),
    "f.jsonl": (promptfoo_lines(result(0, 0, 0, ONE)), "has another result again"),
    "g.jsonl": (
        promptfoo_lines(
            result(0, 0, 1, ONE) | {"testIdx": 1}, result(1, 0, 1, "acme:two") | {"testIdx": 0}
        ),
        "Every system needs the same number of repeats",
    ),
    "h.jsonl": (
        promptfoo_lines(result(0, 0, 1, ONE) | {"testIdx": 1}),
        "does not say that tests were repeated",
    ),
    "p.json": (
        changed(compare_json(a=[0.1, 0.2]), source=["one"]),
        "has 1 segment, but not as many scores of 'out/a.txt'",
    ),
    "q.json": (
        [{"system_x": {"score": 0.1}, "system_y": {"mt": ""}}],
        "segment 0: 'system_y' has no score",
    ),
    "r.json": (
        {"results": {}, "configs": {}, "versions": {}, "samples": {"sums": []}},
        "Write the samples of each task",
    ),
    "o.json": ({"version": 1, "rows": [{"x": 1}]}, "has its records under 'rows'"),
    "s.json": ({"testCases": []}, "has DeepEval's test cases"),
    "t.json": ({"accuracy": 1, "details": {"0": {}}}, "has OpenCompass's score"),
    "run.jsonl": ([{"spec": {}}, {"type": "match"}], "OpenAI's evals"),
    "y.json": ({"x": [1, 2], "hash": "a"}, "has lists beside single values"),
    "u.json": ([{"instance_id": "id1", "stats": []}], "has HELM's statistics of instances"),
    "v.json": ([{"id": 1, "scores": {"x": 1}}], "numbers only in objects within objects"),
    "w.json": ({"x": {"0": 1, "1": 2}}, "as pandas writes it"),
}
TABLES = {
    "turned.csv": ("system,0,1\nA,1,2\nB,2,1\n", "a column for each segment"),
    "plain.yaml": ("a: 1\n", "is YAML"),
    "table.md": ("| A | x |\n| --- | --- |\n| 1 | 2 |\n", "a table in Markdown"),
}


def two_logs(**second):
    return {"0.json": inspect_log("m", RIGHT["alpha"], eval_id="0"), "1.json": inspect_log(
        "m", RIGHT["beta"], **({"eval_id": "1"} | second)
    )}  # fmt: skip


def scorers_of(model, options):
    return inspect_log(model, RIGHT[model], scorers=[{"name": "match", "options": options}])


def asks_otherwise():
    log = inspect_log("n", RIGHT["beta"])
    log["samples"][0] = inspect_sample(0, 1, input="Who?", target="I")
    return log


#: The files of a folder, and what the error says.
FOLDERS = {
    "empty": ({}, "a folder without scores: it is empty"),
    "others": (
        {"notes.txt": "ours", "x.sys.score": "A\t1\n"},
        "without scores: it has 'notes.txt'",
    ),
    "kinds": (
        {"a.json": log_of(), "b.jsonl": promptfoo_lines()},
        r"of several kinds \(Inspect: 'a.json'; promptfoo: 'b.jsonl'\)",
    ),
    "whole": ({"results_1.json": {"results": {}, "configs": {}, "versions": {}}}, "--log_samples"),
    "archive": ({"x.eval": "PK", "y.json": log_of()}, "'x.eval' in .*inspect log convert"),
    "damaged": ({"x.json": '{"eval": {', "y.json": log_of()}, "'x.json' is not JSON"),
    "unequal": (
        {
            "samples_sums.jsonl": samples(RIGHT["alpha"]),
            "beta/samples_sums.jsonl": twice(resps=[["other"]]),
        },
        r"has \d lines for each document, and .* has \d",
    ),
    "task": (
        {
            "samples_sums.jsonl": samples(RIGHT["alpha"]),
            "best.jsonl": samples([1], doc={"question": "Who?"}),
        },
        "'best.jsonl' does not say its task",
    ),
    "common": (
        {
            "samples_sums.jsonl": samples(RIGHT["alpha"]),
            "beta/samples_sums.jsonl": samples([1] * 8, filter="strict"),
        },
        "have no metric in common: acc; acc,strict|have no metric in common: acc,strict; acc",
    ),
    "runs": (two_logs(), "are two runs of 'm'"),
    "copies": (two_logs(eval_id="0"), "have the same run of 'm'"),
    "ways": (
        {m: scorers_of(m[:-5], {"k": m}) for m in ("alpha.json", "beta.json")},
        "'match' is computed in two ways",
    ),
    "items": ({"a.json": inspect_log("m", RIGHT["alpha"]), "b.json": asks_otherwise()}, "Item '0'"),
}


def write_any(path: Path, content: object) -> Path:
    if not isinstance(content, str):
        return write(path, content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def error_of(path: Path) -> mt.InputError:
    with pytest.raises(mt.InputError) as caught:
        read_score_table(str(path))
    return caught.value


def cases(folder: Path) -> dict[Path, str]:
    """All inputs, written into a folder, and what their errors say."""
    found = {}
    for name, (content, says) in (LOGS | JSON | TEXTS | TABLES).items():
        found[write_any(folder / "files" / name, content)] = says
    for name, (files, says) in FOLDERS.items():
        (folder / "folders" / name).mkdir(parents=True)
        for file, content in files.items():
            write_any(folder / "folders" / name / file, content)
        found[folder / "folders" / name] = says
    archive = folder / "files" / "sums.eval"
    archive.write_text("PK")
    found[archive] = "inspect log dump sums.eval > sums.json"
    return found


def test_every_error_says_what_is_the_matter(tmp_path):
    for path, says in cases(tmp_path).items():
        error = error_of(path)
        assert re.search(says, str(error), re.DOTALL), (path.name, str(error))
        assert path.name in str(error) or path.is_dir(), (path.name, str(error))


def raising_lines(module: ModuleType) -> set[tuple[str, int]]:
    """The lines of a module that raise an error, but not those that raise a caught one again."""
    tree = ast.parse(inspect.getsource(module))
    return {
        (str(module.__file__), node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None
    }


def test_every_error_has_an_input(tmp_path, monkeypatch):
    """An error that is added to these modules needs an input above."""
    raised = set()
    paths = [*cases(tmp_path), tmp_path / "files"]
    monkeypatch.setattr(folders, "_MOST_FILES", 20)
    for path in paths:
        for frame in traceback.extract_tb(error_of(path).__traceback__):
            raised.add((frame.filename, frame.lineno))
    lines = set().union(*(raising_lines(module) for module in MODULES))
    assert lines - raised == set()
