"""lm-evaluation-harness: samples of one model and one task, a line for each answer and filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
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
#: The names under which the answer stands, which may differ between repeats.
_ANSWER = ("resps", "filtered_resps")
#: Names of its files: the task, then when it was run.
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
    """Samples of one model and one task, in which each line has an answer after one filter.

    The file does not name its model: its folder does, as the harness writes it.  A file that has
    another name than the harness gives is called after that.  A filter of the answers makes
    metrics of its own, called as in the harness's results: ``exact_match,strict``.
    """
    task, system = _task_and_system(source)
    content = file.content
    records = content if isinstance(content, list) else [content]
    remarks: list[str] = []
    filters, repeats = _filters_and_repeats(source, records, remarks)
    rows: dict[tuple[Any, int], dict[str, Any]] = {}
    answers: dict[tuple[Any, int], list[Any]] = {}
    for record, filter_name, repeat in zip(records, filters, repeats, strict=True):
        segment = record["doc_id"]
        labels = {"system": system, TEST_SET: task, "segment": segment, REPEAT: repeat + 1}
        row = rows.setdefault((segment, repeat), labels)
        row |= _scores(record, filter_name)
        answers.setdefault((segment, repeat), record.get("resps") or [])
    items = {(task, str(record["doc_id"])): _item(record) for record in records}
    frame = pd.DataFrame(list(rows.values()))
    if not task:
        frame = frame.drop(columns=TEST_SET)
    frame, corpus_metrics = _without_corpus_metrics(source, frame)
    if corpus_metrics:
        names = listed(corpus_metrics)
        remarks.append(f"{names} of {source.at()}: computed over all items together")
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
    """The task, if the file has the name that the harness gives, or nothing; and the system."""
    path = source.path
    match = _SAMPLES.fullmatch(path.name)
    if match is None:
        return "", re.sub(r"\.jsonl?(\.gz)?$", "", path.name)
    return match[1], path.resolve().parent.name


def _filters_and_repeats(
    source: ScoreSource, records: Sequence[dict[str, Any]], remarks: list[str]
) -> tuple[list[str], list[int]]:
    """The filter of each line, and the number of the repeat that it is of, from 0 on."""
    filters = [str(record.get("filter") or _NO_FILTER) for record in records]
    occurrences = _occurrences(records, filters)
    if not _are_filters(source, records, filters, occurrences):
        return filters, occurrences
    remarks.append(
        f"{source.at()} has several lines for each document and the same responses: filters "
        "without names, which are numbered in their order"
    )
    numbered = []
    for filter_name, occurrence in zip(filters, occurrences, strict=True):
        number = str(occurrence + 1)
        numbered.append(number if filter_name == _NO_FILTER else f"{filter_name},{number}")
    return numbered, [0] * len(records)


def _scores(record: dict[str, Any], filter_name: str) -> dict[str, Any]:
    """The scores of an answer, by metric and filter."""
    suffix = "" if filter_name == _NO_FILTER else f",{filter_name}"
    return {f"{name}{suffix}": as_number(record.get(name)) for name in _metrics_of(record)}


def _item(record: dict[str, Any]) -> Item:
    """What a sample asks."""
    target = record["target"]
    return Item(
        question=fingerprint(longest_text(record.get("doc"))),
        target=fingerprint(target) if target else None,
        prompt=fingerprint(record.get("prompt_hash") or _arguments(record)[:1]),
    )


def _arguments(record: dict[str, Any]) -> list[Any]:
    """What the model was given in the first request: the prompt, then how to generate.

    Versions of the harness write requests and their arguments as lists or as objects.
    """
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
    """The names of the metrics in a sample; older versions do not list them."""
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

    Repeats have other responses; filters have the same responses, filtered otherwise.

    Raises
    ------
    InputError
        If they are neither: documents have different numbers of lines, lines are of different
        settings, or all are copies.
    """
    if not any(occurrences):
        return False
    groups: dict[tuple[Any, str], _Group] = {}
    for line, (record, filter_name) in enumerate(zip(records, filters, strict=True), start=1):
        groups.setdefault((record["doc_id"], filter_name), []).append((line, record))
    for (segment, _), group in groups.items():
        _check_setting(source, segment, group)
    _check_same_number(source, groups)
    if not all(_are_alike(group, "resps") for group in groups.values()):
        return False
    if not all(_are_alike(group, "filtered_resps") for group in groups.values()):
        return True
    (segment, _), group = next(iter(groups.items()))
    first_line, _ = group[0]
    second_line, _ = group[1]
    raise InputError(
        f"{source.at(second_line)} has doc_id {segment!r} again with the same responses as line "
        f"{first_line:,}, and so have all others. A copy is not a repeat: keep one line of each."
    )


def _check_same_number(source: ScoreSource, groups: Mapping[tuple[Any, str], _Group]) -> None:
    """Raise `InputError` unless all documents have the same number of lines for a filter."""
    longest_key = max(groups, key=lambda key: len(groups[key]))
    segment, _ = longest_key
    longest = groups[longest_key]
    fewest_lines = min(len(group) for group in groups.values())
    if len(longest) > fewest_lines:
        last_line, _ = longest[-1]
        raise InputError(
            f"{source.at(last_line)}: doc_id {segment!r} has {len(longest)} lines, others "
            f"have {fewest_lines}. Every document needs the same number: keep one run."
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


def _are_alike(group: _Group, name: str) -> bool:
    """Whether all lines of a document have the same value under a name."""
    _, first = group[0]
    return all(record.get(name) == first.get(name) for _, record in group)


def _without_corpus_metrics(
    source: ScoreSource, frame: pd.DataFrame
) -> tuple[pd.DataFrame, list[str]]:
    """The frame without metrics of whole test sets, and their names.

    In the place of a score these have the texts or labels that they are computed from.

    Raises
    ------
    InputError
        If there are no other metrics.
    """
    metrics = metrics_in(frame)
    corpus_metrics = [name for name in metrics if frame[name].map(is_nested).any()]
    if not corpus_metrics or len(corpus_metrics) < len(metrics):
        return frame.drop(columns=corpus_metrics), corpus_metrics
    are = "is" if len(corpus_metrics) == 1 else "are"
    first = corpus_metrics[0]
    raise InputError(
        f"{source.at()}: {listed(corpus_metrics)} {are} computed over all items together, so no "
        f"item has a score. {_advice_on_texts(source, first, frame[first].iloc[0])}"
    )


def _advice_on_texts(source: ScoreSource, column: str, value: Any) -> str:
    """What to do instead with a metric of whole test sets, by the first value in its column.

    If a value has a reference and a translation, a command writes the translations.
    """
    place = _second_text(value)
    if place is None:
        return "Take a metric that scores each answer, such as acc."
    metric = column.partition(",")[0]
    text = f"json.loads(line)[{metric!r}]{place}"
    path = source.path
    opened = "gzip.open" if path.suffix == ".gz" else "open"
    return (
        f"Compare the texts instead. In {metric!r}, [0] is the reference and [1] the translation, "
        f'which this line writes: python -c "import gzip, json; [print(*{text}.split()) for line '
        f'in {opened}({str(path)!r})]" > {path.resolve().parent.name}.txt'
    )


def _second_text(value: Any) -> str | None:
    """The subscripts, as Python code, of the second of two texts in a value; None for any other."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    if all(isinstance(text, str) for text in value):
        return "[1]"
    if all(isinstance(text, list) and text and isinstance(text[0], str) for text in value):
        return "[1][0]"
    return None
