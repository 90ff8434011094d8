"""Kinds of outcomes that take one output of each system, with a score of each segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from ..report.analysis import Analysis


def check_single_outputs(analysis: Analysis, what: str) -> None:
    """Raise `InputError` for battles, several runs, or several raters who are not averaged.

    `what` is what was asked for, such as "a gate".
    """
    table = analysis.score_table  # an error if there are battles
    if table is None:
        return
    if table.runs:
        raise InputError(
            f"scores: the files have several runs of a system, and {what} takes single outputs. "
            "Give one run of each system, or average the runs."
        )
    if table.ratings is not None and analysis.options.units is None:
        raise InputError(
            f"scores: several people rated, and {what} does not count raters. Say what is "
            "resampled (--units segments, or documents); their ratings are then averaged."
        )
