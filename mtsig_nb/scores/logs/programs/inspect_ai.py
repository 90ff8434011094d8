"""Inspect: a log of one model and one task, whose samples may each have several epochs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ....errors import InputError, listed
from ....texts.files import without_gz
from ...json_file import JsonFile
from ...labels import REPEAT, TEST_SET
from ...score_file import ScoreFile
from ...source import ScoreSource
from ..log import Item, Log, as_number, file_of_log, fingerprint, flat

PROGRAM = "Inspect"

#: Its grades: correct, partly correct, incorrect and no answer.
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
#: Words that it takes for yes and no, in small letters.
_YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}

#: Fields of its header that say how the model was run; each may be an object of its own.
_SETTINGS = (
    "solver",
    "solver_args",
    "solver_args_passed",
    "task_args",
    "task_args_passed",
    "task_version",
    "model_generate_config",
    "model_args",
    "model_base_url",
    "model_roles",
)
#: Limits that end a sample, in the header's config.
_LIMITS = ("message_limit", "token_limit", "turn_limit", "time_limit", "working_limit")

#: What to do about an evaluation that did not succeed, by its status; ``{}`` stands for its log.
_ADVICE = {
    "started": "It is still running, or was killed. Wait, or run it again: inspect eval-retry {}",
    "cancelled": "Give the log that completes it, or run the rest: inspect eval-retry {}",
    "error": "Give the log that completes it, or run the rest: inspect eval-retry {}",
}


def is_log(content: Any) -> bool:
    """Whether JSON is one of its logs."""
    return isinstance(content, dict) and {"eval", "status", "version"} <= content.keys()


def archive(source: ScoreSource) -> InputError:
    """The error for a log in Inspect's own format, which is not JSON."""
    return InputError(
        f"{source.at()} is an archive that only Inspect reads. Give what it prints: inspect "
        f"log dump {source.path.name} > {source.path.stem}.json"
    )


def read(source: ScoreSource, file: JsonFile) -> ScoreFile:
    """A log of Inspect: a model, a task, and for each sample the scores of all scorers."""
    content = file.content
    _check_whole(source, content)
    header = content["eval"]
    system = str(header["model"])
    task = str(header["task"])
    samples = content.get("samples") or []
    rows = []
    answers = []
    items = {}
    for sample in samples:
        segment = sample["id"]
        labels = {"system": system, TEST_SET: task, "segment": segment, REPEAT: sample["epoch"]}
        rows.append(labels | _scores_of(source, sample))
        output = sample.get("output") or {}
        answers.append(fingerprint([output.get("completion"), output.get("choices")]))
        items[task, str(segment)] = _item(sample)
    _check_epochs(source, samples, header)
    scorers = header.get("scorers") or ()
    log = Log(
        program=PROGRAM,
        rows=pd.DataFrame(rows),
        items=items,
        answers=answers,
        settings=_settings_of(content),
        metric_settings={str(scorer["name"]): scorer.get("options") for scorer in scorers},
        run=str(header.get("eval_id") or ""),
    )
    return file_of_log(source, log)


def _item(sample: dict[str, Any]) -> Item:
    """What a sample asks."""
    target = sample.get("target")
    return Item(
        question=fingerprint(_question(sample)),
        target=fingerprint(target) if target else None,
    )


def _question(sample: dict[str, Any]) -> Any:
    """The text of a sample's question, or the contents of its messages, without their ids."""
    question = sample.get("input")
    if not isinstance(question, list):
        return question
    return [message.get("content") for message in question if isinstance(message, dict)]


def _log_name(source: ScoreSource) -> str:
    """The log as Inspect's own commands take it."""
    return without_gz(source.path).name


def _check_whole(source: ScoreSource, content: Any) -> None:
    """Raise `InputError` unless an evaluation came to its end, with all its samples."""
    status = content["status"]
    if status != "success":
        advice = _ADVICE.get(str(status), "Run it to its end: inspect eval-retry {}")
        raise InputError(
            f"{source.at()}: the evaluation has the status {status!r}. "
            f"{advice.format(_log_name(source))}"
        )
    if content.get("invalidated"):
        raise InputError(
            f"{source.at()} has samples that were marked as invalid in Inspect. Run them again: "
            f"inspect eval-retry {_log_name(source)}."
        )
    samples = content.get("samples")
    total = (content.get("results") or {}).get("total_samples")
    if not samples and total:
        raise InputError(
            f"{source.at()} has the scores of the whole task, and no samples. Dump all of the "
            "log: inspect log dump without --header-only; evaluate without --no-log-samples."
        )
    if samples and isinstance(total, int) and len(samples) < total:
        raise InputError(
            f"{source.at()} has {len(samples):,} of {total:,} samples. Run the rest: "
            f"inspect eval-retry {_log_name(source)}."
        )


def _scores_of(source: ScoreSource, sample: dict[str, Any]) -> dict[str, Any]:
    """The scores of a sample by scorer, or by scorer and part where a scorer has several."""
    where = f"{source.at()}, sample {sample['id']!r}, epoch {sample['epoch']!r}"
    if sample.get("error"):
        message = str(sample["error"].get("message"))
        raise InputError(
            f"{where}: it ended with an error, {message[:80]!r}, and was not judged. Run it again: "
            f"inspect eval-retry {_log_name(source)}."
        )
    scores = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score["value"]
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, grade in parts:
            name = f"{scorer}/{part}" if part else scorer
            if isinstance(grade, list):
                raise InputError(
                    f"{where}: {name!r} has a list as a score. Have the scorer return an object: "
                    "its names become metrics."
                )
            if isinstance(grade, float) and math.isnan(grade):
                raise InputError(
                    f"{where}: {name!r} gave no score. Score the log again: inspect score "
                    f"{_log_name(source)}."
                )
            scores[name] = _graded(grade)
    return scores


def _graded(grade: Any) -> Any:
    """A grade as the number that Inspect's own means take for it; other values stay as they are."""
    if not isinstance(grade, str):
        return as_number(grade)
    return _GRADES.get(grade, _YES_OR_NO.get(grade.casefold(), grade))


def _check_epochs(
    source: ScoreSource, samples: Sequence[dict[str, Any]], header: dict[str, Any]
) -> None:
    """Raise `InputError` unless every sample was answered once in each epoch."""
    config = header.get("config") or {}
    n_planned = config.get("epochs")
    n_epochs = len({sample["epoch"] for sample in samples})
    if isinstance(n_planned, int):
        n_epochs = max(n_epochs, n_planned)
    n_answers = Counter((sample["id"], sample["epoch"]) for sample in samples)
    for (segment, epoch), n in n_answers.items():
        if n > 1:
            raise InputError(
                f"{source.at()} has sample {segment!r} {n} times in epoch {epoch!r}. Keep one."
            )
    n_epochs_answered = Counter(segment for segment, _ in n_answers)
    for segment, n in n_epochs_answered.items():
        if n < n_epochs:
            raise InputError(
                f"{source.at()} has sample {segment!r} in {n} of {n_epochs} epochs. Run the "
                f"rest: inspect eval-retry {_log_name(source)}."
            )


def _settings_of(content: dict[str, Any]) -> dict[str, Any]:
    """How the model was run, on one level as `flat` has it."""
    header = content["eval"]
    config = header.get("config") or {}
    plan = content.get("plan") or {}
    steps = [[step.get("solver"), step.get("params")] for step in plan.get("steps") or ()]
    settings = flat({name: header.get(name) for name in _SETTINGS})
    settings |= flat({"generate": plan.get("config")})
    settings |= flat({name: config.get(name) for name in _LIMITS})
    settings |= flat({"solvers": steps})
    distinct = {}
    for name, value in settings.items():
        # Arguments that were passed stand once more among all arguments.
        among_all = name.replace("_args_passed.", "_args.")
        if among_all == name or among_all not in settings:
            distinct[name] = value
    return distinct


def not_dumped(folder: Path, archives: Sequence[Path]) -> InputError:
    """The error for archives of Inspect in a folder, none of which is there as JSON."""
    names = listed([repr(file.name) for file in archives], 3)
    target = f"{folder.resolve().name}-json"
    return InputError(
        f"{names} in {str(folder)!r}: only Inspect reads such archives, and there is no JSON of "
        f"the same name. Write it: inspect log convert {folder} --to json --output-dir {target}. "
        "Then give that folder."
    )
