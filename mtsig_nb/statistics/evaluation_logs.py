"""Logs of programs that evaluate language models, as tables: one function for each program.

A row is one answer of one system to one item.  Columns are ``system``, ``segment``, maybe
`TEST_SET` (the task) and `REPEAT`, and one for each metric.  What a log does not say about its
system is taken from where the program puts the file; what would not be comparable is refused.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError, listed
from ..texts.files import quoted, without_gz

#: Labels of rows that no file's own column can be mistaken for.
TEST_SET, REPEAT = "(test set)", "(repeat)"

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

Records = Sequence[Mapping[str, Any]]
Reader = Callable[[Path, Any], pd.DataFrame]


def _as_written_by(program: str) -> Callable[[Reader], Reader]:
    """A reader of what a program writes; of anything else it says so."""

    def guarded(read: Reader) -> Reader:
        @functools.wraps(read)
        def reader(file: Path, content: Any) -> pd.DataFrame:
            try:
                frame = read(file, content)
                labels = ["system", "segment", REPEAT, TEST_SET]
                frame.duplicated(frame.columns.intersection(labels))  # lists are no labels
                return frame
            except (AttributeError, IndexError, KeyError, TypeError) as error:
                what = f": there is no {error}" if isinstance(error, KeyError) else ""
                raise InputError(
                    f"{quoted(file)} is not as {program} writes it{what}. Let it write the file "
                    "again."
                ) from error

        return reader

    return guarded


def is_harness(records: Records) -> bool:
    """Whether records are samples of lm-evaluation-harness."""
    return {"doc_id", "target", "filtered_resps"} <= {*records[0]}


@_as_written_by("lm-evaluation-harness")
def harness(file: Path, records: Records) -> pd.DataFrame:
    """Samples of lm-evaluation-harness: one file for a model and a task.

    The file does not name its model: its folder does, as the harness writes it.  A file that has
    another name than the harness gives is called after that.  Each filter of the answers makes
    metrics of its own, called as in the harness's results: ``exact_match,strict``.
    """
    named = _SAMPLES.fullmatch(file.name)
    system = file.resolve().parent.name if named else re.sub(r"\.jsonl(\.gz)?$", "", file.name)
    filters = list(dict.fromkeys(str(record.get("filter", "none")) for record in records))
    rows: dict[tuple[Any, int], dict[str, Any]] = {}
    repeats: dict[tuple[Any, str], int] = {}
    for record in records:
        own = str(record.get("filter", "none"))
        suffix = f",{own}" if len(filters) > 1 else ""
        item = record["doc_id"]
        repeat = repeats[item, own] = repeats.get((item, own), 0) + 1
        row = rows.setdefault((item, repeat), {"segment": item, REPEAT: repeat})
        for name in record.get("metrics") or [n for n in record if n not in _HARNESS]:
            row[f"{name}{suffix}"] = record.get(name)
    frame = pd.DataFrame(rows.values()).assign(system=system)
    return _without_one_repeat(frame.assign(**{TEST_SET: named[1]}) if named else frame)


def is_inspect(content: Any) -> bool:
    """Whether a file of JSON is a log of Inspect."""
    return isinstance(content, dict) and {"eval", "status", "version"} <= {*content}


def inspect_archive(file: Path) -> dict[str, Any]:
    """The content of Inspect's ``.eval``, by its own reader."""
    if importlib.util.find_spec("inspect_ai") is None:
        raise InputError(
            f"{quoted(file)} is an archive that only Inspect reads, and inspect_ai is not "
            f"installed here. Install it (pip install inspect_ai), or give what it prints: inspect "
            f"log dump {file.name} > {file.stem}.json"
        )
    from inspect_ai.log import read_eval_log

    content: dict[str, Any] = json.loads(read_eval_log(str(file)).model_dump_json())
    return content


@_as_written_by("Inspect")
def inspect(file: Path, content: Mapping[str, Any]) -> pd.DataFrame:
    """A log of Inspect: the samples of one model and one task, each maybe in several epochs."""
    if content["status"] != "success":
        raise InputError(
            f"{quoted(file)}: the evaluation ended with status {content['status']!r}, so that "
            "items may lack. Run it to its end (inspect eval-retry)."
        )
    about = content["eval"]
    rows = []
    for sample in content.get("samples") or ():
        row = {"segment": sample["id"], REPEAT: sample["epoch"]}
        for scorer, score in (sample.get("scores") or {}).items():
            value = score["value"]
            parts = value.items() if isinstance(value, dict) else [("", value)]
            for part, grade in parts:
                name = f"{scorer}/{part}" if part else scorer
                row[name] = _GRADES.get(grade, grade) if isinstance(grade, str) else grade
        rows.append(row)
    if not rows:
        raise InputError(f"{quoted(file)} has no samples. Write the log with them: --log-samples.")
    frame = pd.DataFrame(rows).assign(
        **{"system": str(about["model"]), TEST_SET: str(about["task"])}
    )
    return _without_one_repeat(frame)


def is_promptfoo(content: Any) -> bool:
    """Whether a file of JSON is what promptfoo writes."""
    return (
        isinstance(content, dict)
        and isinstance(content.get("results"), dict)
        and ("prompts" in content["results"] or "stats" in content["results"])
    )


@_as_written_by("promptfoo")
def promptfoo(file: Path, content: Mapping[str, Any]) -> pd.DataFrame:
    """What promptfoo writes: a system for each provider, and each prompt where there are several.

    An item is a test with its variables and assertions; with ``--repeat`` it is asked repeatedly.
    """
    records = content["results"]["results"]
    prompts = {record["promptIdx"]: record["prompt"]["label"] for record in records}
    several = len({*prompts.values()}) > 1
    items: dict[str, int] = {}
    rows = []
    for record in records:
        provider = record["provider"].get("label") or record["provider"]["id"]
        if record.get("failureReason") == _PROMPTFOO_ERROR:
            raise InputError(
                f"{quoted(file)}: test {record['testIdx']} of {provider!r} ended with an error and "
                f"was not judged: {str(record.get('error'))[:80]!r}. Run it again (promptfoo eval "
                "--retry-errors)."
            )
        test = json.dumps([record["vars"], record["testCase"].get("assert")], sort_keys=True)
        rows.append(
            {
                "system": f"{provider}, {prompts[record['promptIdx']]}" if several else provider,
                "segment": items.setdefault(test, len(items)),
                "score": record["score"],
                **(record.get("namedScores") or {}),
            }
        )
    if not rows:
        raise InputError(f"{quoted(file)} has no results.")
    frame = pd.DataFrame(rows)
    frame[REPEAT] = frame.groupby(["system", "segment"]).cumcount() + 1
    return _without_one_repeat(frame)


def _without_one_repeat(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(columns=REPEAT) if frame[REPEAT].nunique() == 1 else frame


def files_in(folder: Path) -> list[Path]:
    """The logs in a folder and below it, if they are all of one program.

    Raises
    ------
    InputError
        If there are none, or of several programs: the message lists the patterns.
    """
    patterns = ("samples_*.jsonl", "*.eval", "[0-9]*_*_*.json", "*.seg.score")
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
