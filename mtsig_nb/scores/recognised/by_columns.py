"""Tables that are recognised by the names of their columns."""

from __future__ import annotations

import pandas as pd

from ...texts.files import is_number
from ..labels import NAMES, RATER, RUN, TEST_SET, normalized
from ..score_file import ScoreFile
from .known import SEGMENTS_NEEDED, Known

#: How bad an error is, as the guidelines of MQM and of error spans say it.
_SEVERITIES = {"major", "minor", "critical", "neutral", "no_error", "none", "trivial"}

#: Columns that name systems in tables of results, where no column is called `system`.
_LIKE_SYSTEM = ("method", "approach", "engine", "checkpoint", "submission")
#: Columns of tables of runs, as trackers of experiments write them.
_TRACKERS = (
    {"name", "state", "created", "runtime"},  # Weights & Biases
    {"run_id", "start_time", "duration"},  # MLflow
)
#: Columns of tables of results, which have a row for each metric or data set.
_SUMMARIES = ({"dataset", "version", "metric", "mode"},)  # OpenCompass
#: Columns that name a metric in each row.
_METRIC = ("metric", "metrics", "measure")

_MARKS = Known(
    "has a row for each error that was marked, as in MQM, and no scores",
    "Sum penalties for each system, segment and rater (Major 5, Minor 1, Minor in "
    "Fluency/Punctuation 0.1, Non-translation 25, No-error 0): docs/commandline.md has the "
    "recipe, under 'Marks of errors'.",
)
_RUNS = Known("is a table of runs, with a row for each", SEGMENTS_NEEDED)
_SUMMARY = Known("has a row for each metric, as scores of whole test sets have", SEGMENTS_NEEDED)
_TURNED = Known(
    "has a row for each system and a column for each segment",
    "Turn it, and name the metric with -m: python -c \"import pandas; pandas.read_csv('{file}', "
    "index_col=0, sep=None, engine='python').T.to_csv('turned.csv', index_label='segment')\"",
)


def check_columns(found: ScoreFile) -> None:
    """Raise `InputError` for a table that has no scores of segments, if its kind is known."""
    frame = found.frame
    columns = {normalized(name): name for name in frame.columns}
    if {"category", "severity"} <= {*columns} and _are_severities(frame[columns["severity"]]):
        raise _MARKS.error(found.source)
    if any(wanted <= {*columns} for wanted in _TRACKERS):
        raise _RUNS.error(found.source)
    if any(wanted <= {*columns} for wanted in _SUMMARIES):
        raise _SUMMARY.error(found.source)
    if found.blank_line is None:  # a row may be missing otherwise
        _check_rows(found, columns)


def _check_rows(found: ScoreFile, columns: dict[str, str]) -> None:
    """Raise `InputError` for one row for each metric, or for each system, without segments.

    With runs or test sets, one for each of them.
    """
    frame = found.frame
    inner = [*NAMES["segment"], *NAMES["document"]]
    if len(frame) < 2 or any(name in columns for name in inner):
        return
    metrics = [columns[name] for name in _METRIC if name in columns][:1]
    if metrics and not frame[metrics].duplicated().any():
        raise _SUMMARY.error(found.source)
    systems = [columns[name] for name in (*NAMES["system"], *_LIKE_SYSTEM) if name in columns][:1]
    if not systems or pd.to_numeric(frame[systems[0]], errors="coerce").notna().any():
        return
    outer = [name for label in (RUN, TEST_SET, RATER) for name in NAMES[label]]
    keys = [*systems, *(columns[name] for name in outer if name in columns)]
    cells = frame[keys].astype(str)
    if cells[systems[0]].nunique() < 2 or cells.duplicated().any():
        return
    others = [name for name in frame.columns if name not in keys]
    if len(keys) == 1 and others and all(is_number(name) for name in others):
        raise _TURNED.error(found.source)
    labels = " and ".join(repr(name) for name in keys)
    raise Known(
        f"has one row for each {labels}, as scores of whole test sets have", SEGMENTS_NEEDED
    ).error(found.source)


def _are_severities(cells: pd.Series) -> bool:
    words = {normalized(cell) for cell in cells.dropna().astype(str)} - {""}
    return bool(words & _SEVERITIES) and not any(word.isdecimal() for word in words)
