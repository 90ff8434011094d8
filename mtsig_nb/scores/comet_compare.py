"""JSON of COMET beside that of comet-score: of comet-compare, and of ``predict`` in Python."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..errors import InputError, counted
from .score_file import ScoreFile, short_names
from .source import ScoreSource

#: What versions call the list of systems.
_LISTS = ("translations", "systems")
#: The two systems of the first version, which does not say their files.
_TWO = ("system_x", "system_y")


def read_comet_compare(source: ScoreSource, content: Any) -> ScoreFile | None:
    """The scores of segments in what comet-compare or ``predict`` gives; None for other JSON.

    Raises
    ------
    InputError
        If a system does not have a score for each segment.
    """
    if isinstance(content, list):
        return _of_two(source, content)
    if not isinstance(content, dict):
        return None
    if {"scores", "system_score"} <= {*content}:
        return _of_one(source, content)
    if "source" not in content:
        return None
    systems = next((content[name] for name in _LISTS if name in content), None)
    if not isinstance(systems, list) or not systems:
        return None
    if not all(isinstance(system, dict) and {"name", "scores"} <= {*system} for system in systems):
        return None
    n = len(content["source"])
    for system in systems:
        if not isinstance(system["scores"], list) or len(system["scores"]) != n:
            raise InputError(
                f"{source.at()} has {counted(n, 'segment')}, but not as many scores of "
                f"{system['name']!r}. Let comet-compare write it again."
            )
    names = short_names([str(system["name"]) for system in systems])
    rows = [
        {"system": name, "segment": segment, "COMET": score}
        for name, system in zip(names, systems, strict=True)
        for segment, score in enumerate(system["scores"])
    ]
    return ScoreFile(source, pd.DataFrame(rows), by_order=True)


def _of_one(source: ScoreSource, content: dict[str, Any]) -> ScoreFile | None:
    """Of one system, as COMET's ``predict`` gives them in Python, with their mean."""
    scores = content["scores"]
    if not isinstance(scores, list) or any(isinstance(score, dict | list) for score in scores):
        return None
    frame = pd.DataFrame({"COMET": scores})
    return ScoreFile(source, frame.assign(segment=frame.index), by_order=True)


def _of_two(source: ScoreSource, records: list[Any]) -> ScoreFile | None:
    """Of the first version: an object for each segment, with ``system_x`` and ``system_y``."""
    if not records or not all(isinstance(r, dict) and {*_TWO} <= {*r} for r in records):
        return None
    rows = []
    for name in _TWO:
        for segment, record in enumerate(records):
            if not isinstance(record[name], dict) or "score" not in record[name]:
                raise InputError(
                    f"{source.at()}, segment {segment}: {name!r} has no score. Let comet-compare "
                    "write it again."
                )
            rows.append({"system": name, "segment": segment, "COMET": record[name]["score"]})
    remark = f"{source.at()} does not say the files of system_x and system_y"
    return ScoreFile(source, pd.DataFrame(rows), remarks=(remark,), by_order=True)
