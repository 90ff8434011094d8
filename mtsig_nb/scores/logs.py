"""Logs of programs that evaluate language models, as tables: one function for each program.

A row is one answer of one system to one item.  Columns are ``system``, ``segment``, maybe
`TEST_SET` (the task) and `REPEAT`, and one for each metric.  What a log does not say about its
system is taken from where the program puts the file; what would not be comparable is refused.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError, listed
from ..texts.files import quoted, without_gz
from .labels import REPEAT, TEST_SET

#: Names that lm-evaluation-harness gives to what is no metric (`lm_eval/evaluator.py`, 0.4.13).
_HARNESS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
)
#: Its files: the task, then when it was run.
_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[-\d.]+)?\.jsonl(?:\.gz)?")
#: Inspect's grades: correct, partially correct, incorrect, no answer.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
#: promptfoo's reason for a test that failed before its answer was judged.
_PROMPTFOO_ERROR = 2


def read_log(file: Path, content: Any) -> pd.DataFrame | None:
    """The table of a log, by what its JSON has; None if it is no log of a program that is known.

    Raises
    ------
    InputError
        If it is damaged, has no rows, or some of what it should have was not judged.
    """
    first = content[0] if isinstance(content, list) and content else content
    names = {*first} if isinstance(first, dict) else set()
    results = first.get("results") if "results" in names else None
    if {"doc_id", "target", "filtered_resps"} <= names:
        program, read = "lm-evaluation-harness", _harness
    elif first is content and {"eval", "status", "version"} <= names:
        program, read = "Inspect", _inspect
    elif first is content and isinstance(results, dict) and {"prompts", "stats"} & {*results}:
        program, read = "promptfoo", _promptfoo
    else:
        return None
    try:
        rows = pd.DataFrame(read(file, content))
        rows.duplicated(rows.columns.intersection(["system", "segment", REPEAT, TEST_SET]))
    except (AttributeError, IndexError, KeyError, TypeError) as error:  # lists are no labels
        what = f": there is no {error}" if isinstance(error, KeyError) else ""
        raise InputError(
            f"{quoted(file)} is not as {program} writes it{what}. Let it write the file again."
        ) from error
    if rows.empty:
        raise InputError(f"{quoted(file)} has no answers. Let {program} write each of them.")
    return rows.drop(columns=REPEAT) if rows[REPEAT].nunique() == 1 else rows


def _harness(file: Path, content: Any) -> list[dict[str, Any]]:
    """Samples of lm-evaluation-harness: one file for a model and a task.

    The file does not name its model: its folder does, as the harness writes it.  A file that has
    another name than the harness gives is called after that.  Each filter of the answers makes
    metrics of its own, called as in the harness's results: ``exact_match,strict``.
    """
    named = _SAMPLES.fullmatch(file.name)
    system = file.resolve().parent.name if named else re.sub(r"\.jsonl(\.gz)?$", "", file.name)
    labels = {"system": system, **({TEST_SET: named[1]} if named else {})}
    records = content if isinstance(content, list) else [content]
    several = len({str(record.get("filter", "none")) for record in records}) > 1
    rows: dict[tuple[Any, int], dict[str, Any]] = {}
    repeats: dict[tuple[Any, str], int] = {}
    for record in records:
        own = str(record.get("filter", "none"))
        item = record["doc_id"]
        repeat = repeats[item, own] = repeats.get((item, own), 0) + 1
        row = rows.setdefault((item, repeat), {**labels, "segment": item, REPEAT: repeat})
        for name in record.get("metrics") or [n for n in record if n not in _HARNESS]:
            row[f"{name},{own}" if several else name] = record.get(name)
    return list(rows.values())


def _inspect(file: Path, content: Any) -> list[dict[str, Any]]:
    """A log of Inspect: the samples of one model and one task, each maybe in several epochs."""
    if content["status"] != "success":
        raise InputError(
            f"{quoted(file)}: the evaluation ended with status {content['status']!r}. Run it to "
            "its end (inspect eval-retry)."
        )
    about = content["eval"]
    labels = {"system": str(about["model"]), TEST_SET: str(about["task"])}
    rows = []
    for sample in content.get("samples") or ():
        row = {**labels, "segment": sample["id"], REPEAT: sample["epoch"]}
        for scorer, score in (sample.get("scores") or {}).items():
            value = score["value"]
            parts = value.items() if isinstance(value, dict) else [("", value)]
            for part, grade in parts:
                name = f"{scorer}/{part}" if part else scorer
                row[name] = _GRADES.get(grade, grade) if isinstance(grade, str) else grade
        rows.append(row)
    return rows


def _promptfoo(file: Path, content: Any) -> list[dict[str, Any]]:
    """What promptfoo writes: a system for each provider, and each prompt where there are several.

    An item is a test with its variables and assertions; with ``--repeat`` it is asked repeatedly.
    """
    records = content["results"]["results"]
    prompts = {record["promptIdx"]: record["prompt"]["label"] for record in records}
    several = len({*prompts.values()}) > 1
    items: dict[str, int] = {}
    repeats: dict[tuple[str, int], int] = {}
    rows = []
    for record in records:
        provider = record["provider"].get("label") or record["provider"]["id"]
        if record.get("failureReason") == _PROMPTFOO_ERROR:
            raise InputError(
                f"{quoted(file)}: test {record['testIdx']} of {provider!r} was not judged: "
                f"{str(record.get('error'))[:80]!r}. Run it again (promptfoo eval --retry-errors)."
            )
        test = json.dumps([record["vars"], record["testCase"].get("assert")], sort_keys=True)
        system = f"{provider}, {prompts[record['promptIdx']]}" if several else provider
        item = items.setdefault(test, len(items))
        repeat = repeats[system, item] = repeats.get((system, item), 0) + 1
        row = {"system": system, "segment": item, REPEAT: repeat, "score": record["score"]}
        rows.append(row | (record.get("namedScores") or {}))
    return rows


def files_in(folder: Path) -> list[Path]:
    """The logs in a folder and below it, if they are all of one program.

    Raises
    ------
    InputError
        If there are none, or of several programs: the message lists the patterns.
    """
    patterns = ("samples_*.jsonl", "[0-9]*_*_*.json", "*.seg.score")
    found = [
        [file for file in sorted(folder.rglob(f"{pattern}*")) if without_gz(file).match(pattern)]
        for pattern in patterns
    ]
    kept = [files for files in found if files]
    if len(kept) != 1:
        what = "no file that is known" if not kept else "files of several programs"
        raise InputError(
            f"{str(folder)!r} is a folder with {what}: of a folder {listed(patterns, 9)} are read. "
            "Give the files themselves."
        )
    return kept[0]
