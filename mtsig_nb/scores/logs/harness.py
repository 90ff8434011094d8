"""lm-evaluation-harness: samples of one model and one task, a line for each answer and filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

from ...errors import InputError, listed
from ..labels import REPEAT, TEST_SET
from ..source import ScoreSource
from .log import Item, Log, as_number, fingerprint, flat, longest_text

PROGRAM = "lm-evaluation-harness"

#: Names that it gives to what is no metric (`lm_eval/evaluator.py`, 0.4.13).
_NO_METRICS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
)
#: What is the answer, and may differ between repeats.
_ANSWER = ("resps", "filtered_resps")
#: Its files: the task, then when it was run.
_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[-\d.]+)?\.jsonl(?:\.gz)?")
#: What it calls the filter that changes nothing.
_NO_FILTER = "none"


def is_samples(names: set[str]) -> bool:
    """Whether a record with these names is one of its samples."""
    return {"doc_id", "target", "filtered_resps"} <= names


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


def read_samples(source: ScoreSource, content: Any) -> Log:
    """Samples of one model and one task.

    The file does not name its model: its folder does, as the harness writes it.  A file that has
    another name than the harness gives is called after that.  A filter of the answers makes
    metrics of its own, called as in the harness's results: ``exact_match,strict``.
    """
    named = _SAMPLES.fullmatch(source.path.name)
    task = named[1] if named else ""
    system = (
        source.path.resolve().parent.name
        if named
        else re.sub(r"\.jsonl?(\.gz)?$", "", source.path.name)
    )
    records = content if isinstance(content, list) else [content]
    filters = [str(record.get("filter") or _NO_FILTER) for record in records]
    occurrences = _occurrences(records, filters)
    remarks = []
    kind = _kind_of_repetition(source, records, filters, occurrences)
    if kind == "filters":
        filters = [f"{own},{n + 1}" for own, n in zip(filters, occurrences, strict=True)]
        filters = [own.removeprefix(f"{_NO_FILTER},") for own in filters]
        occurrences = [0] * len(records)
        remarks.append(
            f"{source.at()} has several lines for each document and the same responses: filters "
            "without names, which are numbered in their order"
        )
    rows: dict[tuple[Any, int], dict[str, Any]] = {}
    answers: dict[tuple[Any, int], list[Any]] = {}
    items: dict[tuple[str, str], Item] = {}
    for record, own, repeat in zip(records, filters, occurrences, strict=True):
        segment = record["doc_id"]
        row = rows.setdefault(
            (segment, repeat),
            {"system": system, TEST_SET: task, "segment": segment, REPEAT: repeat + 1},
        )
        for name in _metrics_of(record):
            row[name if own == _NO_FILTER else f"{name},{own}"] = as_number(record.get(name))
        answers.setdefault((segment, repeat), record.get("resps") or [])
        items[task, str(segment)] = Item(
            fingerprint(longest_text(record.get("doc"))),
            fingerprint(record["target"]) if record["target"] else None,
            fingerprint(_prompt(record)),
        )
    frame = pd.DataFrame(list(rows.values()))
    if not task:
        frame = frame.drop(columns=TEST_SET)
    frame, whole = _without_whole(source, frame)
    if whole:
        remarks.append(f"{listed(whole)} of {source.at()}: computed over all items together")
    return Log(
        program=PROGRAM,
        rows=frame,
        items=items,
        answers=[fingerprint(answer) for answer in answers.values()],
        settings=_generation(records[0]),
        remarks=remarks,
    )


def _arguments(record: dict[str, Any]) -> list[Any]:
    """What the model was given, however a version writes it."""
    arguments = record.get("arguments") or []
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments
    first = requests[0] if requests else []
    return list(first.values()) if isinstance(first, dict) else list(first)


def _prompt(record: dict[str, Any]) -> Any:
    return record.get("prompt_hash") or _arguments(record)[:1]


def _generation(record: dict[str, Any]) -> dict[str, Any]:
    """How the answer was generated, as far as a sample says."""
    found: dict[str, Any] = {}
    for argument in _arguments(record)[1:]:
        if isinstance(argument, dict):
            found |= flat(argument)
    return found


def _metrics_of(record: dict[str, Any]) -> list[str]:
    return record.get("metrics") or [name for name in record if name not in _NO_METRICS]


def _occurrences(records: Sequence[dict[str, Any]], filters: Sequence[str]) -> list[int]:
    """How many lines of the same document and filter stand above each line."""
    count: Counter[tuple[Any, str]] = Counter()
    found = []
    for record, own in zip(records, filters, strict=True):
        key = (record["doc_id"], own)
        found.append(count[key])
        count[key] += 1
    return found


def _kind_of_repetition(
    source: ScoreSource,
    records: Sequence[dict[str, Any]],
    filters: Sequence[str],
    occurrences: Sequence[int],
) -> str:
    """What several lines of one document and filter are: ``"repeats"`` or ``"filters"``.

    Empty if there are none.

    Raises
    ------
    InputError
        If they are neither: the message names what tells them apart.
    """
    if not any(occurrences):
        return ""
    groups: dict[tuple[Any, str], list[tuple[int, dict[str, Any]]]] = {}
    for line, (record, own) in enumerate(zip(records, filters, strict=True), start=1):
        groups.setdefault((record["doc_id"], own), []).append((line, record))
    sizes = {len(group) for group in groups.values()}
    for (segment, _), group in groups.items():
        _check_setting(source, segment, group)
    if len(sizes) > 1:
        (segment, _), group = max(groups.items(), key=lambda item: len(item[1]))
        raise InputError(
            f"{source.at(group[-1][0])}: doc_id {segment!r} has {len(group)} lines, others have "
            f"{min(sizes)}. Every document needs the same number: keep one run."
        )
    alike = {name: all(_alike(group, name) for group in groups.values()) for name in _ANSWER}
    if not alike["resps"]:
        return "repeats"
    if not alike["filtered_resps"]:
        return "filters"
    (segment, _), group = next(iter(groups.items()))
    raise InputError(
        f"{source.at(group[1][0])} has doc_id {segment!r} again with the same responses as line "
        f"{group[0][0]:,}, and so have all others. A copy is not a repeat: keep one line of each."
    )


def _check_setting(
    source: ScoreSource, segment: Any, group: Sequence[tuple[int, dict[str, Any]]]
) -> None:
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


def _alike(group: Sequence[tuple[int, dict[str, Any]]], name: str) -> bool:
    _, first = group[0]
    return all(record.get(name) == first.get(name) for _, record in group)


def _without_whole(source: ScoreSource, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Without metrics of whole test sets, which have texts or labels in the place of a score.

    Raises
    ------
    InputError
        If all metrics are such.
    """
    labels = ("system", "segment", TEST_SET, REPEAT)
    metrics = [name for name in frame.columns if name not in labels]
    whole = [
        name for name in metrics if frame[name].map(lambda v: isinstance(v, list | dict)).any()
    ]
    if not whole or len(whole) < len(metrics):
        return frame.drop(columns=whole), whole
    raise InputError(
        f"{source.at()}: {listed(whole)} {'is' if len(whole) == 1 else 'are'} computed over all "
        f"items together, so no item has a score. {_where_texts_are(source, frame[whole[0]])}"
    )


def _where_texts_are(source: ScoreSource, cells: pd.Series) -> str:
    """How to take texts out of the values of a metric, if they are texts."""
    name = str(cells.name).partition(",")[0]
    value = cells.iloc[0]
    text = _second_text(value)
    if text is None:
        return "Take a metric that scores each answer, such as acc."
    text = f"json.loads(line)[{name!r}]{text}"
    opened = "gzip.open" if source.path.suffix == ".gz" else "open"
    return (
        f"Compare the texts instead. In {name!r}, [0] is the reference and [1] the translation, "
        f'which this line writes: python -c "import gzip, json; [print(*{text}.split()) for line '
        f'in {opened}({str(source.path)!r})]" > {source.path.resolve().parent.name}.txt'
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
