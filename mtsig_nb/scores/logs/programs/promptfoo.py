"""promptfoo: a column for each provider and prompt, a row for each test, a result in each cell.

A result is in the column that its ``promptIdx`` says.  An item is a test; with ``--repeat`` a test
has several rows, each with a ``testIdx`` of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ....errors import InputError, listed
from ....texts.files import find_repeated
from ...json_file import JsonFile
from ...labels import REPEAT
from ...score_file import ScoreFile
from ...source import ScoreSource
from ..log import Log, different, file_of_log, fingerprint, first_names, flat, suffixes

PROGRAM = "promptfoo"

#: Its reason for a test that failed before its answer was judged.
_ERROR = 2
#: What a test is told apart by, its variables apart.
_OF_TEST = ("description", "assert", "threshold", "options")
#: Variables that are others in each conversation, as are those that begin with ``_``.
_SESSION = ("sessionId", "sessionIds")
#: The longest part of a test's variables that stands in an item's name.
_LONGEST_NAME = 40

Record = dict[str, Any]


def is_log(content: Any) -> bool:
    """Whether JSON is what it writes: results in one object, or a record in each line."""
    return _is_results(content) or _is_record(first_names(content))


def _is_results(content: Any) -> bool:
    """Whether an object is what ``-o results.json`` writes."""
    results = content.get("results") if isinstance(content, dict) else None
    if not isinstance(results, dict) or "results" not in results:
        return False
    return bool({"prompts", "stats", "table"} & {*results}) or "evalId" in content


def _is_record(names: set[str]) -> bool:
    """Whether a record with these names is in a line of what ``-o results.jsonl`` writes."""
    return {"promptIdx", "testIdx", "provider", "score"} <= names


def read(source: ScoreSource, file: JsonFile) -> ScoreFile:
    """What promptfoo writes as JSON or as JSON lines."""
    content = file.content
    records = _records(content)
    _check_judged(source, records)
    _check_cells(source, records)
    names, remarks = _names(source, records, content if isinstance(content, dict) else {})
    rows = []
    answers = []
    times: Counter[tuple[int, str]] = Counter()
    for record in records:
        column = record["promptIdx"]
        item = _item(record)
        times[column, item] += 1
        row = {
            "system": names[column],
            "segment": item,
            REPEAT: times[column, item],
            "score": record["score"],
        }
        rows.append(row | (record.get("namedScores") or {}))
        answers.append(fingerprint((record.get("response") or {}).get("output")))
    frame = pd.DataFrame(rows)
    _check_repeats(source, names, times, frame, answers, n_planned=_repeats_of(content))
    log = Log(program=PROGRAM, rows=frame, answers=answers, remarks=remarks)
    return file_of_log(source, log)


def _records(content: Any) -> list[Record]:
    """The results, whatever version wrote them, and in whatever format."""
    if isinstance(content, list):
        return content
    if "results" not in content:
        return [content]
    results = content["results"]
    return _of_table(results["table"]) if "table" in results else results["results"]


def _of_table(table: Mapping[str, Any]) -> list[Record]:
    """The results of version 2, which has a table of them."""
    prompts = table["head"]["prompts"]
    variables = table["head"]["vars"]
    records = []
    for test, row in enumerate(table["body"]):
        for column, output in enumerate(row["outputs"]):
            records.append(
                {
                    "promptIdx": column,
                    "testIdx": row.get("testIdx", test),
                    "provider": prompts[column]["provider"],
                    "prompt": prompts[column],
                    "vars": dict(zip(variables, row["vars"], strict=True)),
                    "testCase": row.get("test") or {},
                    "score": output["score"],
                    "namedScores": output.get("namedScores"),
                    "failureReason": output.get("failureReason"),
                    "gradingResult": output.get("gradingResult"),
                    "error": output.get("error"),
                    "response": {"output": output.get("text")},
                }
            )
    return records


def _provider(record: Record) -> str:
    """What promptfoo calls a record's provider: its label, if it has one."""
    provider = record["provider"]
    if isinstance(provider, str):
        return provider
    return str(provider.get("label") or provider["id"])


def _prompt(record: Record) -> str:
    """What promptfoo calls a record's prompt."""
    label: str = record["prompt"]["label"]
    return label


def _item(record: Record) -> str:
    """A name for a test that is the same in other files, by all that tells it from others."""
    variables = {
        name: value
        for name, value in record["vars"].items()
        if name not in _SESSION and not name.startswith("_")
    }
    test = record.get("testCase") or {}
    content = [variables, [test.get(name) or None for name in _OF_TEST]]
    written = json.dumps(content, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(written.encode()).hexdigest()[:12]
    name = ", ".join(str(value) for value in variables.values())
    return f"{name[:_LONGEST_NAME]} ({digest})"


def _check_judged(source: ScoreSource, records: Sequence[Record]) -> None:
    """Raise `InputError` if an answer was not judged, as its provider failed."""
    for record in records:
        reason = record.get("failureReason")
        if reason is None:  # as in older versions
            failed = bool(record.get("error")) and not record.get("gradingResult")
        else:
            failed = reason == _ERROR
        if failed:
            raise InputError(
                f"{source.at()}: test {record['testIdx']} of {_provider(record)!r} was not "
                f"judged: {str(record.get('error'))[:80]!r}. Run it again (promptfoo eval "
                "--retry-errors)."
            )


def _check_cells(source: ScoreSource, records: Sequence[Record]) -> None:
    """Raise `InputError` unless each test has one result in each column, by one provider."""
    cells: dict[tuple[int, int], Record] = {}
    columns: dict[int, Record] = {}
    for record in records:
        column = record["promptIdx"]
        test = record["testIdx"]
        first = columns.setdefault(column, record)
        for what, name_of in (("provider", _provider), ("prompt", _prompt)):
            if name_of(record) != name_of(first):
                raise InputError(
                    f"{source.at()} has results of two evaluations: the {what} of promptIdx "
                    f"{column} is {name_of(first)[:80]!r}, and {name_of(record)[:80]!r} in test "
                    f"{test}. Write a file for each."
                )
        if (column, test) in cells:
            same = record == cells[column, test]
            what = "the same result" if same else "another result"
            fix = "Remove it" if same else "Write a file for each evaluation"
            raise InputError(
                f"{source.at()}: test {test} of {_provider(record)!r} (promptIdx {column}) has "
                f"{what} again, which is not a repeat: repeats have their own testIdx. {fix}."
            )
        cells[column, test] = record


def _names(
    source: ScoreSource, records: Sequence[Record], content: Mapping[str, Any]
) -> tuple[dict[int, str], list[str]]:
    """A system for each column, and what names were made where promptfoo's are the same.

    Its name is the provider's; with several prompts also the prompt's; where that is the same,
    also the settings that differ, or the column's number.
    """
    first: dict[int, Record] = {}
    for record in records:
        first.setdefault(record["promptIdx"], record)
    providers = {column: _provider(record) for column, record in sorted(first.items())}
    prompts = {column: str(_prompt(first[column])) for column in providers}
    names = dict(providers)
    if len(set(prompts.values())) > 1:
        names = {column: f"{providers[column]}, {prompts[column]}" for column in providers}
    remarks = []
    for name in find_repeated(names.values()):
        alike = [column for column in names if names[column] == name]
        suffixes_of_columns = _suffixes(alike, _settings(content, providers[alike[0]]))
        for column, suffix in zip(alike, suffixes_of_columns, strict=True):
            names[column] = f"{name}, {suffix}"
        distinct = listed([repr(names[column]) for column in alike], 10)
        remarks.append(
            f"{len(alike)} columns of {source.at()} are called {name!r}; they are told apart as "
            f"{distinct}"
        )
    return names, remarks


def _suffixes(columns: Sequence[int], settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """What tells columns of one name apart: their settings, if these do, or their numbers."""
    if len(settings) == len(columns):
        by_settings = suffixes(settings, different(settings))
        if any(by_settings) and not find_repeated(by_settings):
            return by_settings
    return [f"promptIdx {column}" for column in columns]


def _settings(content: Mapping[str, Any], provider: str) -> list[dict[str, Any]]:
    """The settings of all providers of one name, in the order of the configuration."""
    config = content.get("config") or {}
    entries = config.get("providers")
    if not isinstance(entries, list):
        return []
    settings = []
    for own_settings in map(_settings_of_entry, entries):
        label = own_settings.pop("label", None)
        if (label or own_settings["id"]) == provider:
            settings.append(flat(own_settings))
    return settings


def _settings_of_entry(entry: str | dict[str, Any]) -> dict[str, Any]:
    """A provider's settings, in whichever of three ways the configuration has them."""
    if isinstance(entry, str):
        return {"id": entry}
    if "id" in entry:
        return dict(entry)
    name, below = next(iter(entry.items()))
    return {"id": name, **(below or {})}


def _repeats_of(content: Any) -> int:
    """How often each test was to be asked, as far as the file says."""
    if not isinstance(content, dict):
        return 1
    config = content.get("config") or {}
    places = (content.get("runtimeOptions"), config.get("evaluateOptions"))
    numbers = [options.get("repeat") for options in places if isinstance(options, dict)]
    return max((number for number in numbers if isinstance(number, int)), default=1)


def _check_repeats(
    source: ScoreSource,
    names: Mapping[int, str],
    times: Mapping[tuple[int, str], int],
    frame: pd.DataFrame,
    answers: Sequence[int],
    *,
    n_planned: int,
) -> None:
    """Raise `InputError` unless several results of a column and a test are repeats."""
    for (column, item), n in times.items():
        for other, name in names.items():
            n_other = times.get((other, item), n)
            if n_other != n:
                raise InputError(
                    f"{source.at()}: {names[column]!r} has {n} results of the test {item!r}, and "
                    f"{name!r} has {n_other}. Every system needs the same number of repeats: "
                    "run promptfoo eval --repeat again."
                )
    if n_planned > 1 or min(times.values(), default=1) == 1:
        return
    keys = [frame["system"], frame["segment"]]
    if pd.Series(answers).groupby(keys).nunique().max() == 1:
        raise InputError(
            f"{source.at()} has every test {min(times.values())} times or more, with the same "
            "answers, and does not say that tests were repeated. Copies are not repeats: remove "
            "them, or write results.json, which has the options of the evaluation."
        )
