"""Several logs at once: whether they ask the same, and which of them are of one system."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...errors import InputError, listed
from ..labels import TEST_SET
from ..score_file import ScoreFile
from . import harness
from .log import Item, described, different, flat, suffixes


def told_apart(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The files, with logs of one model in different settings as different systems.

    Raises
    ------
    InputError
        If logs do not ask the same questions under the same names, do not compute a metric in the
        same way, or are two runs of one system in the same setting.
    """
    found = _with_tasks(files)
    logs = [n for n, file in enumerate(found) if file.log is not None]
    _check_items([found[n] for n in logs])
    _check_metrics([found[n] for n in logs])
    _check_repeats([found[n] for n in logs])
    by_system: dict[str, list[int]] = {}
    for n in logs:
        for system in dict.fromkeys(found[n].frame["system"]):
            by_system.setdefault(system, []).append(n)
    for system, members in by_system.items():
        if len(members) < 2:
            continue
        for n, name in zip(members, _names(system, [found[n] for n in members]), strict=True):
            found[n] = _renamed(found[n], system, name)
    _check_common([found[n] for n in logs])
    return found


def _with_tasks(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Samples of the harness whose names do not say their task: it is the one that asks the same.

    Raises
    ------
    InputError
        If others say their tasks, and it is not one alone.
    """
    tasks: dict[str, dict[str, int]] = {}
    for file in files:
        if file.log is not None and file.log.program == harness.PROGRAM:
            for (task, segment), item in file.log.items.items():
                tasks.setdefault(task, {})[segment] = item.question
    unnamed = tasks.pop("", {})
    if not unnamed or not tasks:
        return list(files)
    found = []
    for file in files:
        log = file.log
        if log is not None and log.program == harness.PROGRAM and TEST_SET not in file.frame:
            task = _task_of(file, tasks)
            items = {(task, segment): item for (_, segment), item in log.items.items()}
            file = dataclasses.replace(
                file,
                frame=file.frame.assign(**{TEST_SET: task}),
                remarks=(*file.remarks, f"{file.source.at()} has the items of {task!r}"),
                log=dataclasses.replace(log, items=items),
            )
        found.append(file)
    return found


def _task_of(file: ScoreFile, tasks: Mapping[str, Mapping[str, int]]) -> str:
    """The only task that asks what a file asks."""
    assert file.log is not None
    own = {segment: item.question for (_, segment), item in file.log.items.items()}
    fitting = [name for name, asked in tasks.items() if own.items() <= asked.items()]
    if len(fitting) != 1:
        raise InputError(
            f"{file.source.at()} does not say its task, as other samples do, and the items of "
            f"{len(fitting)} tasks are like its own. Call it samples_TASK.jsonl, in a folder that "
            "is called after the model."
        )
    return fitting[0]


def _check_items(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if items of one name are not the same in two logs."""
    known: dict[tuple[str, str, str], tuple[ScoreFile, Item]] = {}
    for file in files:
        log = file.log
        assert log is not None
        for (task, segment), item in log.items.items():
            other, same = known.setdefault((log.program, task, segment), (file, item))
            if item.question == same.question:
                continue
            if item.target is None or item.target != same.target:
                task_of = f" of {task!r}" if task else ""
                raise InputError(
                    f"Item {segment!r}{task_of} asks something else in {file.source.at()} than in "
                    f"{other.source.at()}. Give logs of the same items."
                )


def _check_metrics(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if one metric is computed in two ways."""
    known: dict[tuple[str, str], tuple[ScoreFile, object]] = {}
    for file in files:
        log = file.log
        assert log is not None
        for metric, own in log.metric_settings.items():
            other, same = known.setdefault((log.program, metric), (file, own))
            pair = [flat(same), flat(own)]
            names = different(pair)
            if names:
                ways = " and ".join(described(settings, names) for settings in pair)
                raise InputError(
                    f"{metric!r} is computed in two ways, in {other.source.at()} and in "
                    f"{file.source.at()}: {ways}. Score all logs in one way."
                )


def _check_repeats(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if lines are repeats in one log, and not in another one of the task.

    Epochs, and the repeats of promptfoo, are numbered in the log, and may be more for a system.
    """
    known: dict[str, tuple[ScoreFile, int]] = {}
    for file in files:
        log = file.log
        assert log is not None
        if log.program != harness.PROGRAM:
            continue
        for task in dict.fromkeys(task for task, _ in log.items):
            other, n_repeats = known.setdefault(task, (file, log.n_repeats))
            if n_repeats != log.n_repeats:
                raise InputError(
                    f"{other.source.at()} has {n_repeats} lines for each document, and "
                    f"{file.source.at()} has {log.n_repeats}. Every system needs the same "
                    "number of repeats: keep one run in each file."
                )


def _check_common(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if systems have no metric in common on a test set.

    One that is always right under a filter of its own would be left out otherwise, as its metric is
    the same everywhere.
    """
    metrics: dict[tuple[str, str], set[str]] = {}
    sources: dict[tuple[str, str], ScoreFile] = {}
    for file in files:
        assert file.log is not None
        for system in dict.fromkeys(file.frame["system"]):
            for test_set in _test_sets(file, system):
                metrics.setdefault((test_set, system), set()).update(file.log.metrics)
                sources.setdefault((test_set, system), file)
    first: dict[str, str] = {}
    for (test_set, system), own in metrics.items():
        other = first.setdefault(test_set, system)
        if not own & metrics[test_set, other]:
            files_of = [sources[test_set, name].source.at() for name in (other, system)]
            names_of = [listed(sorted(found), 4) for found in (metrics[test_set, other], own)]
            raise InputError(
                f"{files_of[0]} and {files_of[1]} have no metric in common: {names_of[0]}; "
                f"{names_of[1]}. Give logs with the same filters and scorers."
            )


def _names(system: str, files: Sequence[ScoreFile]) -> list[str]:
    """What a system is called in each of the logs that have it."""
    colliding = [
        (one, other)
        for one, other in itertools.combinations(files, 2)
        if _test_sets(one, system) & _test_sets(other, system)
    ]
    settings: list[str] = []
    for one, other in colliding:
        assert one.log is not None
        assert other.log is not None
        _check_copies(one, other, system)
        settings += different([one.log.settings, other.log.settings])
    told_by = list(dict.fromkeys(settings))
    if told_by:
        every = [file.log.settings for file in files if file.log is not None]
        names = [f"{system}, {suffix}" for suffix in suffixes(every, told_by)]
        _check_runs(names, files, system)
        return names
    overlapping = [pair for pair in colliding if _overlap(*pair, system)]
    if not overlapping:
        return [system] * len(files)
    folders = _folders([file.source.path for file in files])
    names = [f"{folder}/{system}" if folder else system for folder in folders]
    _check_runs(names, files, system)
    return names


def _check_runs(names: Sequence[str], files: Sequence[ScoreFile], system: str) -> None:
    """Raise `InputError` if logs of one name have scores of the same items."""
    for (name, one), (other_name, other) in itertools.combinations(
        zip(names, files, strict=True), 2
    ):
        if name == other_name and _overlap(one, other, system):
            differ = (
                "whose prompts differ"
                if _have_other_prompts(one, other)
                else "and nothing in them says how they differ"
            )
            raise InputError(
                f"{one.source.at()} and {other.source.at()} are two runs of {system!r}, "
                f"{differ}. Give one of them, or name them: NAME=FILE for each."
            )


def _have_other_prompts(one: ScoreFile, other: ScoreFile) -> bool:
    """Whether items that are in two logs were put in other words."""
    assert one.log is not None
    assert other.log is not None
    both = one.log.items.keys() & other.log.items.keys()
    return any(one.log.items[item].prompt != other.log.items[item].prompt for item in both)


def _check_copies(one: ScoreFile, other: ScoreFile, system: str) -> None:
    """Raise `InputError` if two logs are of the same run, or have the same answers."""
    assert one.log is not None
    assert other.log is not None
    same_run = bool(one.log.run) and one.log.run == other.log.run
    same_answers = (
        list(one.log.answers) == list(other.log.answers)
        and len({*one.log.answers}) > 1
        and one.log.rows.drop(columns="system").equals(other.log.rows.drop(columns="system"))
    )
    if (same_run or same_answers) and _overlap(one, other, system):
        what = "the same run" if same_run else "the same answers"
        raise InputError(
            f"{one.source.at()} and {other.source.at()} have {what} of {system!r}. Give one of "
            "them."
        )


def _test_sets(file: ScoreFile, system: str) -> set[str]:
    rows = file.frame[file.frame["system"] == system]
    return {*rows[TEST_SET]} if TEST_SET in rows else {""}


def _overlap(one: ScoreFile, other: ScoreFile, system: str) -> bool:
    """Whether two logs have scores of one system for the same items, by the same metrics."""
    assert one.log is not None
    assert other.log is not None
    if not {*one.log.metrics} & {*other.log.metrics}:
        return list(one.log.answers) != list(other.log.answers)
    keys = []
    for file in (one, other):
        rows = file.frame[file.frame["system"] == system]
        names = [name for name in (TEST_SET, "segment") if name in rows]
        keys.append({*rows[names].astype(str).itertuples(index=False, name=None)})
    return bool(keys[0] & keys[1])


def _folders(paths: Sequence[Path]) -> list[str]:
    """The shortest part of the folders' paths that tells them apart; empty where it is none.

    The last folder is the system's own where it is the same in all.
    """
    parts = [path.resolve().parent.parts for path in paths]
    while len({own[-1:] for own in parts}) == 1 and parts[0]:
        parts = [own[:-1] for own in parts]
    if not parts[0]:
        return [""] * len(paths)
    for depth in range(1, max(map(len, parts)) + 1):
        names = ["/".join(own[-depth:]) for own in parts]
        if len({*names}) == len({*parts}):
            return names
    return ["/".join(own) for own in parts]


def _renamed(file: ScoreFile, system: str, name: str) -> ScoreFile:
    """A file with another name for a system, and with a sentence that says so."""
    if name == system:
        return file
    frame = file.frame.copy()
    frame["system"] = frame["system"].replace({system: name})
    sentence = f"{system!r} of {file.source.at()} is called {name!r}"
    return dataclasses.replace(file, frame=frame, remarks=(*file.remarks, sentence))
