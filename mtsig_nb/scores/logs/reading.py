"""Which program wrote a log, by what its JSON has."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ...errors import InputError
from ..labels import REPEAT, TEST_SET, labels_in
from ..source import ScoreSource
from .log import Log, as_written_by
from .programs import harness, inspect_ai, promptfoo


def reader_of(content: Any) -> tuple[str, Callable[[ScoreSource, Any], Log]] | None:
    """The program that wrote the JSON of a log, and what reads it; None for anything else."""
    first = content[0] if isinstance(content, list) and content else content
    names = {*first} if isinstance(first, dict) else set()
    if harness.is_samples(names):
        return harness.PROGRAM, harness.read_samples
    if first is content and inspect_ai.is_log(names):
        return inspect_ai.PROGRAM, inspect_ai.read_inspect
    if promptfoo.is_results(content) or promptfoo.is_record(names):
        return promptfoo.PROGRAM, promptfoo.read_promptfoo
    return None


def read_log(source: ScoreSource, content: Any) -> Log | None:
    """A log, by what its JSON has; None if it is no log of a program that is known.

    Raises
    ------
    InputError
        If it is damaged, has no rows, or some of what it should have was not judged.
    """
    program_and_reader = reader_of(content)
    if program_and_reader is None:
        return None
    program, read = program_and_reader
    with as_written_by(program, source):
        log = read(source, content)
    if log.rows.empty:
        raise InputError(f"{source.at()} has no answers. Let {program} write each of them.")
    labels = labels_in(log.rows, ("system", "segment", TEST_SET))
    rows = log.rows.astype(dict.fromkeys(labels, str))
    if rows[REPEAT].nunique() == 1:
        rows = rows.drop(columns=REPEAT)
    return dataclasses.replace(log, rows=rows)
