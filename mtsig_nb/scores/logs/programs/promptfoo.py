"""promptfoo: a column for each provider and prompt, a row for each test, a result in each cell.

A record is a result.  It is in the column that its ``promptIdx`` says, and in the row that its
``testIdx`` says.  An item is a test; with ``--repeat`` a test has several rows.
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

#: Its ``failureReason`` for a test that failed before its answer was judged.
_ERROR = 2
#: Fields that tell a test from others, beside its variables.
_OF_TEST = ("description", "assert", "threshold", "options")
#: Variables that are new in each conversation, as are those that begin with ``_``.
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
    settings = content if isinstance(content, dict) else {}
    _check_judged(source, records)
    _check_cells(source, records)
    names, remarks = _names(source, records, settings)
    rows = []
    answers = []
    n_results: Counter[tuple[int, str]] = Counter()
    for record in records:
        column = record["promptIdx"]
        item = _item(record)
        n_results[column, item] += 1
        labels = {"system": names[column], "segment": item, REPEAT: n_results[column, item]}
        scores = {"score": record["score"]} | (record.get("namedScores") or {})
        rows.append(labels | scores)
        response = record.get("response") or {}
        answers.append(fingerprint(response.get("output")))
    frame = pd.DataFrame(rows)
    _check_same_repeats(source, names, n_results)
    if _planned_repeats(settings) == 1:
        _check_no_copies(source, n_results, frame, answers)
    log = Log(program=PROGRAM, rows=frame, answers=answers, remarks=remarks)
    return file_of_log(source, log)


def _records(content: Any) -> list[Record]:
    """The results, whatever version wrote them, and in whatever format."""
    if isinstance(content, list):
        return content
    if "results" not in content:
        return [content]
    results = content["results"]
    return _records_of_table(results["table"]) if "table" in results else results["results"]


def _records_of_table(table: Mapping[str, Any]) -> list[Record]:
    """The results of version 2, which has a table of them, as later versions write records."""
    prompts = table["head"]["prompts"]
    variables = table["head"]["vars"]
    records = []
    for test, row in enumerate(table["body"]):
        of_test = {
            "testIdx": row.get("testIdx", test),
            "vars": dict(zip(variables, row["vars"], strict=True)),
            "testCase": row.get("test") or {},
        }
        for column, output in enumerate(row["outputs"]):
            of_column = {
                "promptIdx": column,
                "provider": prompts[column]["provider"],
                "prompt": prompts[column],
            }
            result = {
                "score": output["score"],
                "namedScores": output.get("namedScores"),
                "failureReason": output.get("failureReason"),
                "gradingResult": output.get("gradingResult"),
                "error": output.get("error"),
                "response": {"output": output.get("text")},
            }
            records.append(of_test | of_column | result)
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
    variables = {}
    for name, value in record["vars"].items():
        if name not in _SESSION and not name.startswith("_"):
            variables[name] = value
    test = record.get("testCase") or {}
    content = [variables, [test.get(field) or None for field in _OF_TEST]]
    as_text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(as_text.encode()).hexdigest()[:12]
    values = ", ".join(map(str, variables.values()))
    return f"{values[:_LONGEST_NAME]} ({digest})"


def _check_judged(source: ScoreSource, records: Sequence[Record]) -> None:
    """Raise `InputError` if an answer was not judged, as its provider failed."""
    for record in records:
        reason = record.get("failureReason")
        if reason is None:  # as in older versions
            has_failed = bool(record.get("error")) and not record.get("gradingResult")
        else:
            has_failed = reason == _ERROR
        if has_failed:
            raise InputError(
                f"{source.at()}: test {record['testIdx']} of {_provider(record)!r} was not "
                f"judged: {str(record.get('error'))[:80]!r}. Run it again (promptfoo eval "
                "--retry-errors)."
            )


def _check_cells(source: ScoreSource, records: Sequence[Record]) -> None:
    """Raise `InputError` unless each test has one result in each column, by one provider."""
    first_in_column: dict[int, Record] = {}
    cells: dict[tuple[int, int], Record] = {}
    for record in records:
        column = record["promptIdx"]
        test = record["testIdx"]
        first = first_in_column.setdefault(column, record)
        for what, name_of in (("provider", _provider), ("prompt", _prompt)):
            if name_of(record) != name_of(first):
                raise InputError(
                    f"{source.at()} has results of two evaluations: the {what} of promptIdx "
                    f"{column} is {name_of(first)[:80]!r}, and {name_of(record)[:80]!r} in test "
                    f"{test}. Write a file for each."
                )
        if (column, test) in cells:
            raise _second_result(source, record, cells[column, test])
        cells[column, test] = record


def _second_result(source: ScoreSource, record: Record, earlier: Record) -> InputError:
    """The error for a result in the cell of an earlier one."""
    result = "another result"
    advice = "Write a file for each evaluation"
    if record == earlier:
        result = "the same result"
        advice = "Remove it"
    return InputError(
        f"{source.at()}: test {record['testIdx']} of {_provider(record)!r} (promptIdx "
        f"{record['promptIdx']}) has {result} again, which is not a repeat: repeats have their own "
        f"testIdx. {advice}."
    )


def _names(
    source: ScoreSource, records: Sequence[Record], content: Mapping[str, Any]
) -> tuple[dict[int, str], list[str]]:
    """The system of each column, and remarks on columns that promptfoo calls the same.

    A system has the name of the provider; with several prompts also that of the prompt; where these
    are the same, also the settings that differ, or the column's number.  The `content` is that of
    the file, if it has settings.
    """
    first_in_column: dict[int, Record] = {}
    for record in records:
        first_in_column.setdefault(record["promptIdx"], record)
    columns = sorted(first_in_column)
    providers = {column: _provider(first_in_column[column]) for column in columns}
    prompts = {column: str(_prompt(first_in_column[column])) for column in columns}
    names = dict(providers)
    if len(set(prompts.values())) > 1:
        names = {column: f"{providers[column]}, {prompts[column]}" for column in columns}
    remarks = []
    for name in find_repeated(names.values()):
        alike = [column for column in columns if names[column] == name]
        settings = _settings(content, providers[alike[0]])
        for column, suffix in zip(alike, _suffixes(alike, settings), strict=True):
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
    for settings_of_entry in map(_settings_of_entry, entries):
        label = settings_of_entry.pop("label", None)
        if (label or settings_of_entry["id"]) == provider:
            settings.append(flat(settings_of_entry))
    return settings


def _settings_of_entry(entry: str | dict[str, Any]) -> dict[str, Any]:
    """The settings of an entry in the configuration: an id, or an object with or under the id."""
    if isinstance(entry, str):
        return {"id": entry}
    if "id" in entry:
        return dict(entry)
    provider, settings = next(iter(entry.items()))
    return {"id": provider, **(settings or {})}


def _planned_repeats(content: Mapping[str, Any]) -> int:
    """How often each test was to be asked, as far as the file says; 1 where it does not."""
    config = content.get("config") or {}
    n_repeats = 1
    for options in (content.get("runtimeOptions"), config.get("evaluateOptions")):
        planned = options.get("repeat") if isinstance(options, dict) else None
        if isinstance(planned, int):
            n_repeats = max(n_repeats, planned)
    return n_repeats


def _check_same_repeats(
    source: ScoreSource, names: Mapping[int, str], n_results: Mapping[tuple[int, str], int]
) -> None:
    """Raise `InputError` where columns have different numbers of results of a test.

    Parameters
    ----------
    source : ScoreSource
    names : mapping of int to str
        The system of each column.
    n_results : mapping of (int, str) to int
        How many results each column has of each item.
    """
    for (column, item), n in n_results.items():
        for other_column, other_name in names.items():
            n_other = n_results.get((other_column, item), n)
            if n_other != n:
                raise InputError(
                    f"{source.at()}: {names[column]!r} has {n} results of the test {item!r}, and "
                    f"{other_name!r} has {n_other}. Every system needs the same number of "
                    "repeats: run promptfoo eval --repeat again."
                )


def _check_no_copies(
    source: ScoreSource,
    n_results: Mapping[tuple[int, str], int],
    frame: pd.DataFrame,
    answers: Sequence[int],
) -> None:
    """Raise `InputError` if all results are there several times, always with the same answer."""
    fewest = min(n_results.values(), default=1)
    if fewest == 1:
        return
    n_answers = pd.Series(answers).groupby([frame["system"], frame["segment"]]).nunique()
    if n_answers.max() == 1:
        raise InputError(
            f"{source.at()} has every test {fewest} times or more, with the same "
            "answers, and does not say that tests were repeated. Copies are not repeats: remove "
            "them, or write results.json, which has the options of the evaluation."
        )
