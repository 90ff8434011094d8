"""Which program wrote a log, by what its JSON has."""

from __future__ import annotations

from typing import Any

from ..json_file import JsonFile
from ..readers import Program, modules_in
from ..score_file import ScoreFile
from ..source import ScoreSource
from . import programs
from .log import as_written_by


def known_programs() -> tuple[Program, ...]:
    """The programs whose logs are read: all modules in `programs`."""
    return modules_in(programs)


def program_of(content: Any) -> Program | None:
    """The program that wrote the JSON of a log; None for any other JSON."""
    for program in known_programs():
        if program.is_log(content):
            return program
    return None


def read_log(source: ScoreSource, file: JsonFile) -> ScoreFile | None:
    """The columns of a log; None if it is no log of a program that is known.

    Raises
    ------
    InputError
        If it is damaged, has no rows, or some of what it should have was not judged.
    """
    program = program_of(file.content)
    if program is None:
        return None
    with as_written_by(program.PROGRAM, source):
        return program.read(source, file)
