"""Tables that are recognised by the names of their columns."""

from __future__ import annotations

import numpy as np

from ...statistics.sufficient import real_numbers
from ...texts.files import is_number
from ..labels import NAMES, RATER, RUN, TEST_SET, by_plain_name, columns_called
from ..score_file import ScoreFile
from .known import SEGMENTS_NEEDED, Known, python

# In this module names of columns are plain, as `normalized` has them.

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

_RUNS = Known("is a table of runs, with a row for each", SEGMENTS_NEEDED)
_SUMMARY = Known("has a row for each metric, as scores of whole test sets have", SEGMENTS_NEEDED)
_TURNED = Known(
    "has a row for each system and a column for each segment",
    "Transpose it, and name the metric with -m: "
    + python(
        "import pandas; pandas.read_csv('{file}', index_col=0, sep=None, engine='python')"
        ".T.to_csv('turned.csv', index_label='segment')"
    ),
)


def check_columns(file: ScoreFile) -> None:
    """Raise `InputError` for a table that has no scores of segments, if its kind is known."""
    frame = file.frame
    plain_names = by_plain_name(frame.columns).keys()
    if any(wanted <= plain_names for wanted in _TRACKERS):
        raise _RUNS.error(file.source)
    if any(wanted <= plain_names for wanted in _SUMMARIES):
        raise _SUMMARY.error(file.source)
    has_segments = bool(columns_called(frame.columns, (*NAMES["segment"], *NAMES["document"])))
    if has_segments or len(frame) < 2 or file.blank_line is not None:
        return  # a blank line may be a row that is missing
    _check_metrics(file)
    _check_systems(file)


def _check_metrics(file: ScoreFile) -> None:
    """Raise `InputError` where each row is of another metric."""
    columns = columns_called(file.frame.columns, _METRIC)
    if columns and not file.frame[columns[0]].duplicated().any():
        raise _SUMMARY.error(file.source)


def _check_systems(file: ScoreFile) -> None:
    """Raise `InputError` for one row for each system, or for each of its runs or test sets."""
    frame = file.frame
    system_columns = columns_called(frame.columns, (*NAMES["system"], *_LIKE_SYSTEM))[:1]
    if not system_columns or not np.isnan(real_numbers(frame[system_columns[0]])).all():
        return
    other_labels = (*NAMES[RUN], *NAMES[TEST_SET], *NAMES[RATER])
    keys = [*system_columns, *columns_called(frame.columns, other_labels)]
    cells = frame[keys].astype(str)
    if cells[system_columns[0]].nunique() < 2 or cells.duplicated().any():
        return
    others = [name for name in frame.columns if name not in keys]
    if keys == system_columns and others and all(map(is_number, others)):
        raise _TURNED.error(file.source)
    labels = " and ".join(map(repr, keys))
    kind = Known(
        f"has one row for each {labels}, as scores of whole test sets have", SEGMENTS_NEEDED
    )
    raise kind.error(file.source)
