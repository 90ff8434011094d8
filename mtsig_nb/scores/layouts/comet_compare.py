"""JSON of COMET beside that of comet-score: of comet-compare, and of ``predict`` in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ...errors import InputError, counted
from ..score_file import ScoreFile, is_nested, short_names
from ..source import ScoreSource

#: Names of the list of systems, in different versions.
_LISTS = ("translations", "systems")
#: The two systems of the first version, which does not say their files.
_TWO = ("system_x", "system_y")


def read_json(source: ScoreSource, content: Any) -> ScoreFile | None:
    """The scores of segments in what comet-compare or ``predict`` gives; None for other JSON.

    Raises
    ------
    InputError
        If a system does not have a score for each segment.
    """
    if isinstance(content, list):
        return _first_version(source, content)
    if not isinstance(content, dict):
        return None
    if _has(content, "scores", "system_score"):
        return _predicted(source, content)
    systems = next((content[name] for name in _LISTS if name in content), None)
    if "source" not in content or not isinstance(systems, list) or not systems:
        return None
    if not all(_has(system, "name", "scores") for system in systems):
        return None
    return _compared(source, systems, len(content["source"]))


def _has(content: Any, *names: str) -> bool:
    """Whether this is an object that has these names."""
    return isinstance(content, dict) and all(name in content for name in names)


def _compared(source: ScoreSource, systems: Sequence[dict[str, Any]], n_segments: int) -> ScoreFile:
    """The scores of systems that each have a name and a score for each segment."""
    names = short_names([str(system["name"]) for system in systems])
    rows = []
    for name, system in zip(names, systems, strict=True):
        scores = system["scores"]
        if not isinstance(scores, list) or len(scores) != n_segments:
            raise InputError(
                f"{source.at()} has {counted(n_segments, 'segment')}, but not as many scores of "
                f"{system['name']!r}. Write it again with comet-compare."
            )
        for segment, score in enumerate(scores):
            rows.append({"system": name, "segment": segment, "COMET": score})
    return ScoreFile(source, pd.DataFrame(rows), segments_by_order=True)


def _predicted(source: ScoreSource, content: dict[str, Any]) -> ScoreFile | None:
    """The scores of one system and their mean, as ``predict`` gives them in Python."""
    scores = content["scores"]
    if not isinstance(scores, list) or any(map(is_nested, scores)):
        return None
    frame = pd.DataFrame({"COMET": scores})
    return ScoreFile(source, frame.assign(segment=frame.index), segments_by_order=True)


def _first_version(source: ScoreSource, records: list[Any]) -> ScoreFile | None:
    """The scores of two systems, as the first version has them: an object for each segment."""
    if not records or not all(_has(record, *_TWO) for record in records):
        return None
    rows = []
    for name in _TWO:
        for segment, record in enumerate(records):
            if not _has(record[name], "score"):
                raise InputError(
                    f"{source.at()}, segment {segment}: {name!r} has no score. Write it again with "
                    "comet-compare."
                )
            rows.append({"system": name, "segment": segment, "COMET": record[name]["score"]})
    remark = f"{source.at()} does not say the files of system_x and system_y"
    return ScoreFile(source, pd.DataFrame(rows), remarks=(remark,), segments_by_order=True)
