"""What students read where the tests of a lab fail: one sentence, without the tests' own lines.

IPython shows the lines around the one that failed.  In tests these have hints for other mistakes,
which would give answers away, and to somebody who has not answered yet all of them are noise.
"""

from __future__ import annotations

import linecache
import traceback
from types import FrameType, TracebackType
from typing import Any

from .. import own_work
from .display import notebook_shell

NOT_ANSWERED = (
    "Not answered yet. Write your answer where it says YOUR CODE HERE, and run that cell."
)


def shorten_failures() -> None:
    """Have a notebook show what tests say, and no lines of theirs; elsewhere this does nothing."""
    shell = notebook_shell()
    if shell is not None:
        shell.set_custom_exc((NotImplementedError, NameError, AssertionError), _show)


def _show(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> list[str]:
    """Show an error, in one sentence if it is one of those that tests end with."""
    sentence = _in_a_sentence(shell, error, trace)
    if sentence is not None:
        lines = [sentence]
    else:
        lines = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset=tb_offset)
    shell._showtraceback(kind, error, lines)
    return lines


def _in_a_sentence(shell: Any, error: BaseException, trace: TracebackType) -> str | None:
    """What is said of an error in place of its lines; None where the lines are needed."""
    _, *frames = [frame for frame, _ in traceback.walk_tb(trace)]  # the first is IPython's
    if not frames:
        return None
    # What is written in cells, as opposed to packages.
    in_cells = [frame for frame in frames if frame.f_globals is shell.user_ns]
    if isinstance(error, NotImplementedError):
        is_stub = not error.args and frames[-1] in in_cells
        return NOT_ANSWERED if is_stub else None
    if not all(_is_of_a_cell_itself(frame) for frame in in_cells):
        return None  # it comes from a function, which may be the student's
    if isinstance(error, NameError):
        is_of_tests = frames == in_cells and _has_assertions(frames[0])
        return f"{NOT_ANSWERED} ({error})" if is_of_tests else None
    is_of_tests = frames[-1] in in_cells or frames[-1].f_globals is vars(own_work)
    return str(error) if is_of_tests and error.args else None


def _is_of_a_cell_itself(frame: FrameType) -> bool:
    """Whether a frame is that of a cell, or of a comprehension, and not of a named function."""
    return frame.f_code.co_name.startswith("<")


def _has_assertions(frame: FrameType) -> bool:
    """Whether the cell of a frame asserts anything."""
    lines = linecache.getlines(frame.f_code.co_filename)
    return any(line.lstrip().startswith("assert ") for line in lines)
