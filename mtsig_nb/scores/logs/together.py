"""Several logs at once: whether they ask the same, and which of them are of one system."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import pandas as pd

from ...errors import InputError, listed
from ...texts.naming import shortest_ends
from ..labels import TEST_SET, labels_in
from ..score_file import ScoreFile
from .log import Item, Log, described, different, flat, suffixes
from .programs import harness

#: The fingerprint of what is asked, by task and by segment.
_Tasks = dict[str, dict[str, int]]


def told_apart(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The files, with logs of one model in different settings as different systems.

    Raises
    ------
    InputError
        If logs do not ask the same questions under the same names, do not compute a metric in the
        same way, or are two runs of one system in the same setting.
    """
    with_tasks = _with_tasks(files)
    logs = [file for file in with_tasks if file.log is not None]
    _check_items(logs)
    _check_metrics(logs)
    _check_lines_of_items(logs)
    logs = _with_system_names(logs)
    _check_common_metrics(logs)
    named_logs = iter(logs)
    return [file if file.log is None else next(named_logs) for file in with_tasks]


def _log_of(file: ScoreFile) -> Log:
    """The log that a file is, of files that are logs."""
    assert file.log is not None
    return file.log


def _systems(file: ScoreFile) -> list[str]:
    """The systems of a file, in their order."""
    return list(dict.fromkeys(file.frame["system"]))


# --- tasks ----------------------------------------------------------------------------------------


def _with_tasks(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The files, with the tasks of samples of the harness whose file names do not say the task.

    The task of such samples is that of the other samples that ask the same.

    Raises
    ------
    InputError
        If other samples say their tasks, and none of these asks the same, or several do.
    """
    tasks: _Tasks = {}
    for file in filter(_has_samples, files):
        for (task, segment), item in _log_of(file).items.items():
            tasks.setdefault(task, {})[segment] = item.question
    without_task = tasks.pop("", {})
    if not without_task or not tasks:
        return list(files)
    with_tasks = []
    for file in files:
        lacks_task = _has_samples(file) and TEST_SET not in file.frame
        with_tasks.append(_with_task(file, tasks) if lacks_task else file)
    return with_tasks


def _has_samples(file: ScoreFile) -> bool:
    """Whether a file is a log of the harness, which calls its logs samples."""
    return file.log is not None and file.log.program == harness.PROGRAM


def _with_task(file: ScoreFile, tasks: _Tasks) -> ScoreFile:
    """A file with the only task that asks what it asks."""
    task = _task_of(file, tasks)
    log = _log_of(file)
    items = {(task, segment): item for (_, segment), item in log.items.items()}
    with_test_set = file.with_frame(
        file.frame.assign(**{TEST_SET: task}), f"{file.source.at()} has the items of {task!r}"
    )
    return dataclasses.replace(with_test_set, log=dataclasses.replace(log, items=items))


def _task_of(file: ScoreFile, tasks: _Tasks) -> str:
    """The name of the only task that asks what a file asks."""
    items = _log_of(file).items.items()
    questions = {segment: item.question for (_, segment), item in items}
    fitting = [name for name in tasks if questions.items() <= tasks[name].items()]
    if len(fitting) != 1:
        raise InputError(
            f"{file.source.at()} does not say its task, as other samples do, and the items of "
            f"{len(fitting)} tasks fit its own. Call it samples_TASK.jsonl, in a folder that is "
            "named after the model."
        )
    return fitting[0]


# --- whether logs ask the same --------------------------------------------------------------------


def _check_items(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if items of one name are not the same in two logs.

    They are the same if they have the same question or the same right answer.
    """
    known: dict[tuple[str, str, str], tuple[ScoreFile, Item]] = {}
    for file in files:
        log = _log_of(file)
        for (task, segment), item in log.items.items():
            other, other_item = known.setdefault((log.program, task, segment), (file, item))
            asks_same = item.question == other_item.question
            has_same_target = item.target is not None and item.target == other_item.target
            if not asks_same and not has_same_target:
                of_task = f" of {task!r}" if task else ""
                raise InputError(
                    f"Item {segment!r}{of_task} asks something else in {file.source.at()} than in "
                    f"{other.source.at()}. Give logs of the same items."
                )


def _check_metrics(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if one metric is computed in two ways."""
    known: dict[tuple[str, str], tuple[ScoreFile, object]] = {}
    for file in files:
        log = _log_of(file)
        for metric, metric_settings in log.metric_settings.items():
            key = (log.program, metric)
            other, other_settings = known.setdefault(key, (file, metric_settings))
            both_settings = [flat(other_settings), flat(metric_settings)]
            names = different(both_settings)
            if names:
                ways = " and ".join(described(settings, names) for settings in both_settings)
                raise InputError(
                    f"{metric!r} is computed in two ways, in {other.source.at()} and in "
                    f"{file.source.at()}: {ways}. Score all logs in one way."
                )


def _check_lines_of_items(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if samples of the harness have different numbers of lines for an item.

    Other programs number their repeats, and one system may have more of them than another.
    """
    known: dict[str, tuple[ScoreFile, int]] = {}
    for file in filter(_has_samples, files):
        log = _log_of(file)
        for task in dict.fromkeys(task for task, _ in log.items):
            other, n_repeats = known.setdefault(task, (file, log.n_repeats))
            if n_repeats != log.n_repeats:
                raise InputError(
                    f"{other.source.at()} has {n_repeats} lines for each document, and "
                    f"{file.source.at()} has {log.n_repeats}. Every system needs the same "
                    "number of repeats: keep one run in each file."
                )


def _check_common_metrics(files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` if systems have no metric in common on a test set.

    Otherwise a system that is always right by a metric of its own would be left out without a word,
    as columns with the same value everywhere are.
    """
    metrics: dict[tuple[str, str], set[str]] = {}
    first_file: dict[tuple[str, str], ScoreFile] = {}
    for file in files:
        for system in _systems(file):
            for test_set in _test_sets(file, system):
                key = (test_set, system)
                metrics.setdefault(key, set()).update(_log_of(file).metrics)
                first_file.setdefault(key, file)
    first_key: dict[str, tuple[str, str]] = {}
    for key in metrics:
        test_set, _ = key
        first = first_key.setdefault(test_set, key)
        if metrics[key].isdisjoint(metrics[first]):
            raise InputError(
                f"{first_file[first].source.at()} and {first_file[key].source.at()} have no metric "
                f"in common: {listed(sorted(metrics[first]), 4)}; "
                f"{listed(sorted(metrics[key]), 4)}. Give logs with the same filters and scorers."
            )


# --- which logs are of one system -----------------------------------------------------------------


def _with_system_names(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The logs, with those of one model in different settings as different systems."""
    places_of_system: dict[str, list[int]] = {}
    for place, file in enumerate(files):
        for system in _systems(file):
            places_of_system.setdefault(system, []).append(place)
    renamed = list(files)
    for system, places in places_of_system.items():
        if len(places) < 2:
            continue
        names = _names(system, [renamed[place] for place in places])
        for place, name in zip(places, names, strict=True):
            renamed[place] = _renamed(renamed[place], system, name)
    return renamed


def _names(system: str, files: Sequence[ScoreFile]) -> list[str]:
    """What a system is called in each of the logs that have it.

    The settings that differ between logs of one test set are added to its name.  If none differ,
    and logs have scores of the same items, the logs' folders are added instead.

    Raises
    ------
    InputError
        If a log is a copy of another, or two logs are still called the same.
    """
    same_test_sets = []
    for first, second in itertools.combinations(files, 2):
        if _test_sets(first, system) & _test_sets(second, system):
            same_test_sets.append((first, second))
    differing: list[str] = []
    for first, second in same_test_sets:
        _check_copies(first, second, system)
        differing += different([_log_of(first).settings, _log_of(second).settings])
    if differing:
        settings = [_log_of(file).settings for file in files]
        setting_names = list(dict.fromkeys(differing))
        names = [f"{system}, {suffix}" for suffix in suffixes(settings, setting_names)]
    elif any(_overlap(first, second, system) for first, second in same_test_sets):
        folders = shortest_ends([file.source.path.resolve().parent.parts for file in files])
        names = [f"{folder}/{system}" if folder else system for folder in folders]
    else:
        return [system] * len(files)
    _check_runs(names, files, system)
    return names


def _check_runs(names: Sequence[str], files: Sequence[ScoreFile], system: str) -> None:
    """Raise `InputError` if logs of one name have scores of the same items."""
    files_by_name = zip(names, files, strict=True)
    for (name, first), (other_name, second) in itertools.combinations(files_by_name, 2):
        if name != other_name or not _overlap(first, second, system):
            continue
        difference = "and nothing in them says how they differ"
        if _have_other_prompts(_log_of(first), _log_of(second)):
            difference = "whose prompts differ"
        raise InputError(
            f"{first.source.at()} and {second.source.at()} are two runs of {system!r}, "
            f"{difference}. Give one of them, or name them: NAME=FILE for each."
        )


def _have_other_prompts(first: Log, second: Log) -> bool:
    """Whether items that are in two logs were put in other words."""
    shared = first.items.keys() & second.items.keys()
    return any(first.items[key].prompt != second.items[key].prompt for key in shared)


def _check_copies(first: ScoreFile, second: ScoreFile, system: str) -> None:
    """Raise `InputError` if two logs are of the same run, or have the same answers."""
    if _are_one_run(_log_of(first), _log_of(second)):
        what = "the same run"
    elif _have_same_answers(_log_of(first), _log_of(second)):
        what = "the same answers"
    else:
        return
    if _overlap(first, second, system):
        raise InputError(
            f"{first.source.at()} and {second.source.at()} have {what} of {system!r}. Give one of "
            "them."
        )


def _are_one_run(first: Log, second: Log) -> bool:
    """Whether two logs say the same name of a run."""
    return first.run != "" and first.run == second.run


def _have_same_answers(first: Log, second: Log) -> bool:
    """Whether two logs have the same answers, not all alike, and the same scores."""
    answers = list(first.answers)
    if answers != list(second.answers) or len(set(answers)) < 2:
        return False
    scores = first.rows.drop(columns="system")
    return scores.equals(second.rows.drop(columns="system"))


def _test_sets(file: ScoreFile, system: str) -> set[str]:
    """The test sets on which a log has scores of a system, an empty name where it names none."""
    rows = _rows_of(file, system)
    return set(rows[TEST_SET]) if TEST_SET in rows else {""}


def _rows_of(file: ScoreFile, system: str) -> pd.DataFrame:
    """The rows of a system."""
    return file.frame[file.frame["system"] == system]


def _overlap(first: ScoreFile, second: ScoreFile, system: str) -> bool:
    """Whether two logs have scores of one system for the same items.

    Logs with the same answers and no metric in common are of one run that was scored twice; they do
    not overlap.
    """
    first_log = _log_of(first)
    second_log = _log_of(second)
    if set(first_log.metrics).isdisjoint(second_log.metrics):
        return list(first_log.answers) != list(second_log.answers)
    return not _items_of(first, system).isdisjoint(_items_of(second, system))


def _items_of(file: ScoreFile, system: str) -> set[tuple[str, ...]]:
    """The items of which a log has scores of a system."""
    rows = _rows_of(file, system)
    labels = labels_in(rows, (TEST_SET, "segment"))
    return set(rows[labels].astype(str).itertuples(index=False, name=None))


def _renamed(file: ScoreFile, system: str, name: str) -> ScoreFile:
    """A file with another name for a system, and with a sentence that says so."""
    if name == system:
        return file
    frame = file.frame.copy()
    frame["system"] = frame["system"].replace({system: name})
    return file.with_frame(frame, f"{system!r} of {file.source.at()} is called {name!r}")
