"""lm-evaluation-harness: samples of one model and one task, a line for each answer and filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ....errors import InputError, listed
from ...json_file import JsonFile
from ...labels import REPEAT, TEST_SET
from ...score_file import ScoreFile, is_nested
from ...source import ScoreSource
from ..log import (
    Item,
    Log,
    as_number,
    file_of_log,
    fingerprint,
    first_names,
    flat,
    longest_text,
    metrics_in,
)

PROGRAM = "lm-evaluation-harness"

#: Names that it gives to what is no metric (`lm_eval/evaluator.py`, 0.4.13).
_NO_METRICS = (
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
)
#: What is the answer, and may differ between repeats.
_ANSWER = ("resps", "filtered_resps")
#: Its files: the task, then when it was run.
_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[-\d.]+)?\.jsonl(?:\.gz)?")
#: What it calls the filter that changes nothing.
_NO_FILTER = "none"

#: The samples of one document and filter, each with the number of its line.
_Group = list[tuple[int, dict[str, Any]]]


def is_log(content: Any) -> bool:
    """Whether JSON has its samples."""
    return {"doc_id", "target", "filtered_resps"} <= first_names(content)


def is_results(names: set[str]) -> bool:
    """Whether an object with these names has its results of whole tasks."""
    return {"results", "configs", "versions"} <= names


def whole_tasks(where: str) -> InputError:
    """The error for its results of whole tasks."""
    return InputError(
        f"{where} has lm-evaluation-harness's scores of whole tasks, and significance needs "
        "the score of each answer. Run lm_eval with --log_samples, and give the files "
        "samples_*.jsonl."
    )


def read(source: ScoreSource, file: JsonFile) -> ScoreFile:
    """Samples of one model and one task.

    The file does not name its model: its folder does, as the harness writes it.  A file that has
    another name than the harness gives is called after that.  A filter of the answers makes
    metrics of its own, called as in the harness's results: ``exact_match,strict``.
    """
    task, system = _task_and_system(source)
    content = file.content
    records = content if isinstance(content, list) else [content]
    filters = [str(record.get("filter") or _NO_FILTER) for record in records]
    occurrences = _occurrences(records, filters)
    remarks = []
    if _are_filters(source, records, filters, occurrences):
        filters = [_numbered(*line) for line in zip(filters, occurrences, strict=True)]
        occurrences = [0] * len(records)
        remarks.append(
            f"{source.at()} has several lines for each document and the same responses: filters "
            "without names, which are numbered in their order"
        )
    rows: dict[tuple[Any, int], dict[str, Any]] = {}
    answers: dict[tuple[Any, int], list[Any]] = {}
    for record, filter_name, repeat in zip(records, filters, occurrences, strict=True):
        segment = record["doc_id"]
        labels = {"system": system, TEST_SET: task, "segment": segment, REPEAT: repeat + 1}
        row = rows.setdefault((segment, repeat), labels)
        row |= _scores(record, filter_name)
        answers.setdefault((segment, repeat), record.get("resps") or [])
    items = {(task, str(record["doc_id"])): _item(record) for record in records}
    frame = pd.DataFrame(list(rows.values()))
    if not task:
        frame = frame.drop(columns=TEST_SET)
    frame, whole = _without_whole(source, frame)
    if whole:
        remarks.append(f"{listed(whole)} of {source.at()}: computed over all items together")
    log = Log(
        program=PROGRAM,
        rows=frame,
        items=items,
        answers=[fingerprint(answer) for answer in answers.values()],
        settings=_generation(records[0]),
        remarks=remarks,
    )
    return file_of_log(source, log)


def _task_and_system(source: ScoreSource) -> tuple[str, str]:
    """The task, if the file has the name that the harness gives, and the system."""
    path = source.path
    samples_of = _SAMPLES.fullmatch(path.name)
    if samples_of is None:
        return "", re.sub(r"\.jsonl?(\.gz)?$", "", path.name)
    return samples_of[1], path.resolve().parent.name


def _numbered(filter_name: str, occurrence: int) -> str:
    """A filter with its number among those of its name, or the number alone."""
    number = str(occurrence + 1)
    return number if filter_name == _NO_FILTER else f"{filter_name},{number}"


def _scores(record: dict[str, Any], filter_name: str) -> dict[str, Any]:
    """The scores of an answer, by metric and filter."""
    suffix = "" if filter_name == _NO_FILTER else f",{filter_name}"
    return {f"{name}{suffix}": as_number(record.get(name)) for name in _metrics_of(record)}


def _item(record: dict[str, Any]) -> Item:
    """What was asked."""
    target = record["target"]
    return Item(
        question=fingerprint(longest_text(record.get("doc"))),
        target=fingerprint(target) if target else None,
        prompt=fingerprint(record.get("prompt_hash") or _arguments(record)[:1]),
    )


def _arguments(record: dict[str, Any]) -> list[Any]:
    """What the model was given, however a version writes it."""
    arguments = record.get("arguments") or []
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    first = requests[0] if requests else []
    return list(first.values()) if isinstance(first, dict) else list(first)


def _generation(record: dict[str, Any]) -> dict[str, Any]:
    """How the answer was generated, as far as a sample says."""
    settings: dict[str, Any] = {}
    for argument in _arguments(record)[1:]:
        if isinstance(argument, dict):
            settings |= flat(argument)
    return settings


def _metrics_of(record: dict[str, Any]) -> list[str]:
    """The names of the metrics in a sample, as older versions do not list them."""
    return record.get("metrics") or [name for name in record if name not in _NO_METRICS]


def _occurrences(records: Sequence[dict[str, Any]], filters: Sequence[str]) -> list[int]:
    """How many lines of the same document and filter stand above each line."""
    counts: Counter[tuple[Any, str]] = Counter()
    occurrences = []
    for record, filter_name in zip(records, filters, strict=True):
        key = (record["doc_id"], filter_name)
        occurrences.append(counts[key])
        counts[key] += 1
    return occurrences


def _are_filters(
    source: ScoreSource,
    records: Sequence[dict[str, Any]],
    filters: Sequence[str],
    occurrences: Sequence[int],
) -> bool:
    """Whether several lines of one document are of filters without names, and no repeats.

    Raises
    ------
    InputError
        If they are neither: the message names what tells them apart.
    """
    if not any(occurrences):
        return False
    groups: dict[tuple[Any, str], _Group] = {}
    for line, (record, filter_name) in enumerate(zip(records, filters, strict=True), start=1):
        groups.setdefault((record["doc_id"], filter_name), []).append((line, record))
    for (segment, _), group in groups.items():
        _check_setting(source, segment, group)
    (segment, _), longest = max(groups.items(), key=lambda item: len(item[1]))
    fewest_lines = min(len(group) for group in groups.values())
    if len(longest) > fewest_lines:
        raise InputError(
            f"{source.at(longest[-1][0])}: doc_id {segment!r} has {len(longest)} lines, others "
            f"have {fewest_lines}. Every document needs the same number: keep one run."
        )
    if not all(_alike(group, "resps") for group in groups.values()):
        return False
    if not all(_alike(group, "filtered_resps") for group in groups.values()):
        return True
    (first_line, _), (second_line, _), *_ = longest
    raise InputError(
        f"{source.at(second_line)} has doc_id {segment!r} again with the same responses as line "
        f"{first_line:,}, and so have all others. A copy is not a repeat: keep one line of each."
    )


def _check_setting(source: ScoreSource, segment: Any, group: _Group) -> None:
    """Raise `InputError` if lines of one document come from two settings of the evaluation."""
    _, first = group[0]
    metrics = _metrics_of(first)
    names = [name for name in first if name not in metrics and name not in _ANSWER]
    for line, record in group[1:]:
        for name in names:
            if record.get(name) != first[name]:
                raise InputError(
                    f"{source.at(line)} has doc_id {segment!r} again, with a different {name!r}. "
                    "Two settings of an evaluation are two systems: write a file for each."
                )


def _alike(group: _Group, name: str) -> bool:
    """Whether all lines of a document have the same under a name."""
    _, first = group[0]
    return all(record.get(name) == first.get(name) for _, record in group)


def _without_whole(source: ScoreSource, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Without metrics of whole test sets, which have texts or labels in the place of a score.

    Raises
    ------
    InputError
        If all metrics are such.
    """
    metrics = metrics_in(frame)
    whole = [name for name in metrics if frame[name].map(is_nested).any()]
    if not whole or len(whole) < len(metrics):
        return frame.drop(columns=whole), whole
    are = "is" if len(whole) == 1 else "are"
    raise InputError(
        f"{source.at()}: {listed(whole)} {are} computed over all items together, so no item has a "
        f"score. {_where_texts_are(source, frame[whole[0]])}"
    )


def _where_texts_are(source: ScoreSource, cells: pd.Series) -> str:
    """How to take texts out of the values of a metric, if they are texts."""
    place = _second_text(cells.iloc[0])
    if place is None:
        return "Take a metric that scores each answer, such as acc."
    metric = str(cells.name).partition(",")[0]
    text = f"json.loads(line)[{metric!r}]{place}"
    path = source.path
    opened = "gzip.open" if path.suffix == ".gz" else "open"
    return (
        f"Compare the texts instead. In {metric!r}, [0] is the reference and [1] the translation, "
        f'which this line writes: python -c "import gzip, json; [print(*{text}.split()) for line '
        f'in {opened}({str(path)!r})]" > {path.resolve().parent.name}.txt'
    )


def _second_text(value: Any) -> str | None:
    """Where the second of two texts stands in a value; None if there are no two texts."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    if all(isinstance(text, str) for text in value):
        return "[1]"
    if all(isinstance(text, list) and text and isinstance(text[0], str) for text in value):
        return "[1][0]"
    return None
