"""Which columns of a file are its labels, and which are systems.

A name that "has the meaning" of a label is one of those that `labels.toml` lists for it.  Names are
compared as `normalized` has them, their *plain* names.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, counted, listed, unknown_name
from ..statistics.sufficient import real_numbers
from ..texts.files import find_repeated
from .averaging import joined_names
from .controls import without_control_items
from .labels import (
    CALL,
    NAMES,
    RATER,
    REPEAT,
    RUN,
    TEST_SET,
    columns_called,
    is_label,
    labels_in,
    names_metric,
    names_no_score,
    normalized,
)
from .rows import first_true
from .score_file import (
    IN_THEIR_ORDER,
    ScoreFile,
    are_whole,
    blank,
    checked_metric_name,
    is_nested,
    no_table,
)
from .source import ScoreSource, name_from_file
from .yes_or_no import is_yes_or_no

#: What programs write in the place of a label that is not there.
_NO_LABEL = frozenset(("nan", "null", "none", "n/a", "#n/a", "<na>", "nat"))
#: Names of rows and columns that sum up all others.
_SUMMARY = re.compile(
    r"means?|average|avg|median|min|max|sum|total|overall|all|std|sd|std_?dev|stdev|variance"
    r"|diff|differences?|delta|mittelwert|durchschnitt|summe|gesamt|moyenne|media|promedio",
    re.IGNORECASE,
)
_BOOLEAN = frozenset(("true", "false"))
#: Names of columns of scores that do not say by which metric, in their plain form.
_NO_NAME_OF_A_METRIC = frozenset(("score", "scores", "value", "values"))
#: Of the names that `names_no_score` has, those that no system would have: what they count is a
#: word of its own (``length``) or has one before it (``n_words``, ``src_len``).  Not so
#: ``transformer-word``, which may be a system that translates words.
_SURELY_COUNT = re.compile(
    r"(.*[\W_])?(n|num|no|number|count|src|source|ref|reference|tgt|target|hyp|hypothesis|mt|sent"
    r"|sentence|seg|segment|total|max|min|avg|mean)s?[\W_].*|[^\W_]+",
    re.IGNORECASE,
)


def labelled(
    layout: ScoreFile,
    asked_metrics: Sequence[str] = (),
    *,
    metric: str = "",
    by: str | None = None,
    systems: Collection[str] = (),
    test_set: Sequence[str] | None = None,
) -> ScoreFile:
    """A file with its labels under their own names, and one row for each system and segment.

    Parameters
    ----------
    layout : ScoreFile
        The file, with its columns as they are called there.
    asked_metrics : sequence of str
        What the user asks for with ``-m``: columns that are metrics, whatever they are called; the
        metric of a file that has a column for each system; or ``"all"``.
    metric : str
        The metric of a file that has a column for each system; by default the file's name.
    by : str, optional
        The column that names the test sets.
    systems : collection of str
        Columns that are systems, whatever they are called.
    test_set : sequence of str, optional
        Columns that name the test sets, as `normalized` has them; by default those that vary.
    """
    if layout.log is not None and by is None:  # the layout of a log labels its rows already
        return _with_given_name(layout)
    if test_set is None:
        test_set = varying_test_sets([layout])
    file = layout.with_frame(layout.frame.rename(columns=str))
    file = _with_labels(file, _label_columns(file, asked_metrics, by, test_set))
    _check_no_summary(file)
    file = without_control_items(file)
    if metric:
        file = _with_named_scores(file, metric)
    if "system" in file.frame:
        file = _with_given_name(file)
    else:
        file = _with_systems(file, asked_metrics, metric, systems)
    return _with_segments(file)


# --- labels ---------------------------------------------------------------------------------------


def varying_test_sets(files: Sequence[ScoreFile]) -> list[str]:
    """The plain names of columns that say the test set and have several values in all files."""
    values: dict[str, set[str]] = {plain: set() for plain in NAMES[TEST_SET]}
    for file in files:
        for name in file.frame.columns:
            plain = normalized(name)
            if plain in values:
                values[plain].update(map(str, file.frame[name]))
    return [plain for plain in values if len(values[plain]) > 1]


def _label_columns(
    file: ScoreFile, asked_metrics: Sequence[str], by: str | None, test_set: Sequence[str]
) -> dict[str, list[str]]:
    """The columns of each label that the file has, by the label.

    A label has one column; test sets may have several, which name them together, or the column
    `by`.  Columns that are asked for as metrics are no labels.

    Raises
    ------
    InputError
        If two columns have the same plain name; or a column would get the name of a label, which
        another column has; or `by` cannot name test sets.
    """
    frame = file.frame
    where = file.source.at()
    _check_by(file, by)
    excluded = (*asked_metrics, by)
    names = [name for name in frame.columns if is_label(name) and name not in excluded]
    for plain in find_repeated(map(normalized, names)):
        alike = " and ".join(repr(name) for name in names if normalized(name) == plain)
        raise InputError(f"{where}: the columns {alike} have the same meaning. Rename one.")
    columns: dict[str, list[str]] = {}
    for label, plain_names in NAMES.items():
        candidates = columns_called(names, plain_names)
        taken = _taken(frame, label, candidates, by, test_set)
        for name in taken:
            # A column of the label's own name is not taken if it is asked for as a metric, is
            # empty, or has to make way for `by`.
            if label in frame and label != name:
                raise InputError(f"{where}: {name!r} is taken for {label!r}. Rename the latter.")
        # Names such as "sample" are listed for two labels: the first label takes them.
        taken_names = {normalized(name) for name in taken}
        names = [name for name in names if normalized(name) not in taken_names]
        if taken:
            columns[label] = taken
    return columns


def _check_by(file: ScoreFile, by: str | None) -> None:
    """Raise `InputError` unless `by` is a column that may name test sets."""
    names_of_rows = {*NAMES["system"], *NAMES["segment"]}
    choice = [name for name in file.frame.columns if normalized(name) not in names_of_rows]
    if by is not None and by not in choice:
        raise unknown_name(f"{file.source.at()}: by", by, choice)


def _taken(
    frame: pd.DataFrame,
    label: str,
    candidates: Sequence[str],
    by: str | None,
    test_set: Sequence[str],
) -> list[str]:
    """The columns of a label, among candidates that have its meaning, the best name first.

    For test sets these are `by`, or else candidates whose plain names are in `test_set`.
    """
    if label == TEST_SET:
        varying = [name for name in candidates if normalized(name) in test_set]
        return _needed(frame, varying) if by is None else [by]
    # Exports have columns for raters and repeats even where there are none.
    if label in (RUN, REPEAT, RATER, CALL):
        candidates = [name for name in candidates if not blank(frame[name]).all()]
    return list(candidates[:1])


def _needed(frame: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """Columns that name test sets together, without those that repeat what the others say.

    A column is left out if it tells no more rows apart than the columns before it.
    """
    needed = list(names[:1])
    for name in names[1:]:
        texts = frame[[*needed, name]].astype(str)
        if len(texts.drop_duplicates()) > len(texts[needed].drop_duplicates()):
            needed.append(name)
    return needed


def _with_labels(file: ScoreFile, columns: dict[str, list[str]]) -> ScoreFile:
    """The file with its labels as texts, under their own names."""
    frame = file.frame.copy(deep=False)
    remarks: list[str] = []
    for label, names in columns.items():
        parts = [label_values(file, name, remarks, label=label) for name in names]
        frame = frame.drop(columns=names)
        frame[label] = functools.reduce(joined_names, parts)
    names_in_file = {}
    for label in labels_in(columns, (RUN, REPEAT)):
        # A file's column may be called "(run)" as the label is, which would stay one.
        names_in_file[label] = columns[label][0].strip("()")
    return dataclasses.replace(file.with_frame(frame, *remarks), names_in_file=names_in_file)


def label_values(
    file: ScoreFile, name: str, remarks: list[str] | None = None, *, label: str = "system"
) -> pd.Series:
    """The column `name`, which holds a label, as texts.

    Objects become their names or ids, if all have one that no two of them share; what was taken
    is added to `remarks`.

    A test set may be called true or false, since a column such as ``is_news`` may name two of
    them.  A system or a segment may be called NA, which in other labels is what R writes for
    nothing.

    Raises
    ------
    InputError
        If there is no label in a row, or something that is none: the message has line and column.
    """
    column = _without_objects(file, name, remarks)
    texts = column.astype(str)
    distinct = pd.Series(texts.unique(), dtype=object)
    plain = distinct.str.strip().str.casefold()
    means_nothing = plain.isin(_NO_LABEL) | (plain == "")
    if label not in ("system", "segment"):
        means_nothing |= distinct == "NA"
    is_missing = texts.isin(distinct[means_nothing]) | column.isna()
    if is_missing.any():
        row = first_true(is_missing)
        is_blank = blank(column.iloc[[row]]).item()
        shown = "" if is_blank else f" ({column.tolist()[row]!r})"
        raise InputError(f"{file.cell(row, name)}: there is no value{shown}. Fill it in.")
    is_boolean = texts.isin(distinct[plain.isin(_BOOLEAN)])
    if label != TEST_SET and is_boolean.any():
        row = first_true(is_boolean)
        raise InputError(
            f"{file.cell(row, name)}: {column.tolist()[row]!r} is true or false, not a name. "
            "Write a name, or rename the column."
        )
    return texts


def _without_objects(file: ScoreFile, name: str, remarks: list[str] | None) -> pd.Series:
    """A column of labels, with the names or ids of objects in their place.

    Raises
    ------
    InputError
        If there are lists, or objects that no name or id of theirs tells apart.
    """
    column = file.frame[name]
    if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) == "string":
        return column
    is_object = column.map(is_nested)
    if not is_object.any():
        return column
    fields = ("name", "id") if is_object.all() else ()
    for field in fields:
        values = column.map(functools.partial(_field_of, field=field))
        if blank(values).any():
            continue
        texts = values.astype(str)
        if _are_one_to_one(texts, column.map(repr)):
            if remarks is not None:
                remarks.append(f"{name} is an object: its {field!r} is taken")
            return texts
    row = first_true(is_object)
    what = "an object" if isinstance(column.iloc[row], dict) else "a list"
    raise InputError(
        f"{file.cell(row, name)}: {what} instead of a name. Write the name itself there, as text."
    )


def _are_one_to_one(first: pd.Series, second: pd.Series) -> bool:
    """Whether any two rows have the same value in both columns or in neither."""
    n_first_values = first.groupby(second).nunique()
    n_second_values = second.groupby(first).nunique()
    return bool(n_first_values.max() == 1 and n_second_values.max() == 1)


def _field_of(label: Any, field: str) -> str | None:
    """A field of an object as text, if it is a text or a whole number; None otherwise."""
    value = label.get(field) if isinstance(label, dict) else None
    is_name = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value) if is_name else None


def _with_given_name(file: ScoreFile) -> ScoreFile:
    """A file whose only system has the name that was given to the file, if one was.

    Raises
    ------
    InputError
        If the file has several systems, and was given a name.
    """
    if not file.source.given_name:
        return file
    systems = file.frame["system"].unique().tolist()
    if len(systems) > 1:
        raise InputError(
            f"{file.source.at()} is given the name {file.source.given_name!r}, and has several "
            f"systems, {listed([repr(name) for name in systems], 4)}. Give the file without a name."
        )
    return file.with_frame(file.frame.assign(system=file.source.given_name))


def _check_no_summary(file: ScoreFile) -> None:
    """Raise `InputError` for a row about all others, which would count as one more segment.

    A segment whose name sounds like a summary, such as "total", is one if all other segments have
    numbers in their names.
    """
    if "segment" not in file.frame:
        return
    segments = file.frame["segment"]
    names = pd.Series(segments.unique(), dtype=object)
    is_summary = names.map(lambda name: _SUMMARY.fullmatch(name.strip()) is not None)
    others = names[~is_summary]
    others_are_numbered = len(others) > 1 and others.str.contains(r"\d").all()
    if not is_summary.any() or not others_are_numbered:
        return
    row = first_true(segments.isin(names[is_summary]))
    raise InputError(
        f"{file.where(row)}: segment {segments.iloc[row]!r} seems to sum up all others, and would "
        "count as one more segment. Remove the row, or rename the segment."
    )


def _with_named_scores(file: ScoreFile, metric: str) -> ScoreFile:
    """A file whose only scores have no name of their own, such as ``score``, with this name."""
    unnamed = {name for name in file.other_columns if normalized(name) in _NO_NAME_OF_A_METRIC}
    if not unnamed:  # names first, since it takes long to look for numbers
        return file
    scored = _columns_of_scores(file)
    if len(scored) != 1 or scored[0] not in unnamed:
        return file
    renamed = file.frame.rename(columns={scored[0]: checked_metric_name(file.source, metric)})
    return file.with_frame(renamed, f"{metric} is the column {scored[0]!r}")


# --- systems --------------------------------------------------------------------------------------


def _with_systems(
    file: ScoreFile, asked_metrics: Sequence[str], metric: str, systems: Collection[str]
) -> ScoreFile:
    """A file that has no column of systems, with such a column; see `labelled`.

    Where its columns of numbers are systems, each row becomes a row for each system.  Where they
    are metrics, all rows are of one system, which is called after the file.

    Raises
    ------
    InputError
        If there are no numbers, or the columns might be systems or metrics, or all of them count
        something or the like.
    """
    scored = _columns_of_scores(file)
    if not scored:
        raise no_table(file.source)
    metric = metric or _metric_called_after_file(file.source, asked_metrics)
    if _are_metrics(scored, asked_metrics, metric, systems):
        return _of_one_system(file)
    if not set(systems) & set(scored):
        _check_not_named_after_metrics(file, scored, metric)
    system_columns = []
    for name in scored:
        if name in systems or not _is_beside_systems(file.frame, name, scored):
            system_columns.append(name)
    if not system_columns:
        raise InputError(
            f"{file.source.at()} has no column 'system', and its columns of numbers "
            f"({listed(scored, 4)}) seem to count or number something, or to sum up others. Give "
            f"the scores of systems beside them, or name a metric among them: -m {scored[0]}."
        )
    if metric not in asked_metrics:
        shown = listed(system_columns, 4)
        raise InputError(
            f"{file.source.at()} has no column 'system': are {shown} systems under one metric "
            f"(name it, -m {metric}), or metrics of one system (-m {system_columns[0]}, or -m all)?"
        )
    return _molten(file, system_columns, metric)


def _are_metrics(
    scored: Sequence[str], asked_metrics: Sequence[str], metric: str, systems: Collection[str]
) -> bool:
    """Whether columns of numbers are metrics of one system, and not systems under one metric.

    What the user asks for decides; then the names of the columns do.
    """
    if any(name in scored or name.casefold() == "all" for name in asked_metrics):
        return True
    if metric in asked_metrics or set(systems) & set(scored):
        return False
    return len(scored) == 1 or _are_named_after_metrics(scored)


def _check_not_named_after_metrics(file: ScoreFile, scored: Sequence[str], metric: str) -> None:
    """Raise `InputError` where columns that would be systems under `metric` are named as metrics.

    The user has probably mistyped the name of one of them.
    """
    may_be_scores = _that_may_be_scores(scored)
    if may_be_scores and _are_named_after_metrics(scored):
        raise InputError(
            f"{file.source.at()} has no column {metric!r}, and {listed(may_be_scores, 4)} are "
            f"names of metrics. Name one of them, -m {may_be_scores[0]}; if they are systems, "
            "list them as systems."
        )


def _are_named_after_metrics(scored: Sequence[str]) -> bool:
    """Whether all columns that may be scores have names of metrics."""
    return all(map(names_metric, _that_may_be_scores(scored)))


def _that_may_be_scores(scored: Sequence[str]) -> list[str]:
    """The columns of numbers that do not count or number something by their names."""
    return [name for name in scored if not names_no_score(name)]


def _of_one_system(file: ScoreFile) -> ScoreFile:
    """A file whose rows are all of one system, which is called after the file or its folder."""
    remark = "systems are named after their files"
    if file.source.folder_name and not file.source.given_name:
        remark = "systems are named after their files' folders"
    of_system = file.with_frame(file.frame.assign(system=file.source.name), remark)
    return dataclasses.replace(of_system, system_is_called_after_file=True)


def _metric_called_after_file(source: ScoreSource, asked_metrics: Sequence[str]) -> str:
    """The name of a file, or of its folder if the user asks for a metric of that name.

    It is the metric of a file that has a column for each system.
    """
    if source.folder_name in asked_metrics and not source.given_name:
        return source.folder_name
    return source.given_name or name_from_file(source.path)


def _columns_of_scores(file: ScoreFile) -> list[str]:
    """The columns of a file that are no labels, and may be of scores."""
    return [name for name in file.other_columns if _has_scores(file.frame[name])]


def _has_scores(column: pd.Series) -> bool:
    """Whether a column may be of scores: numbers in half of its rows or more, or yes and no."""
    n_numbers = np.count_nonzero(~np.isnan(real_numbers(column)))
    if n_numbers > 0 and 2 * n_numbers >= len(column):
        return True
    return is_yes_or_no(column)


def _is_beside_systems(frame: pd.DataFrame, name: str, scored: Sequence[str]) -> bool:
    """Whether a column of numbers is no system: it counts something, sums up, or numbers rows.

    Parameters
    ----------
    frame : DataFrame
    name : str
        The column.
    scored : sequence of str
        All columns that may be of scores, which the column is compared with.
    """
    if _is_count(frame, name, scored):
        return True
    others = [other for other in scored if other != name and not _SUMMARY.fullmatch(other)]
    if _SUMMARY.fullmatch(name):
        return len(others) > 1
    all_others_go_up = all(_goes_up_by_one(frame[other]) for other in others)
    return _goes_up_by_one(frame[name]) and not all_others_go_up


def _goes_up_by_one(column: pd.Series) -> bool:
    """Whether each number of a column is the one above it plus one, as numbers of rows are."""
    steps = np.diff(real_numbers(column))
    return len(steps) > 1 and bool((steps == 1).all())


def _is_count(frame: pd.DataFrame, name: str, scored: Sequence[str]) -> bool:
    """Whether a column counts or numbers something, by its name and by its whole numbers.

    ``n_words`` does.  ``transformer-word`` may be a system, and is taken for one if the scores of
    all other systems are whole numbers, too.
    """
    if not names_no_score(name) or not _are_whole(frame[name]):
        return False
    if _SURELY_COUNT.fullmatch(name):
        return True
    others = [other for other in scored if not names_no_score(other)]
    return not all(_are_whole(frame[other]) for other in others)


def _are_whole(column: pd.Series) -> bool:
    """Whether all numbers of a column are whole."""
    numbers = real_numbers(column)
    return are_whole(numbers[np.isfinite(numbers)])


def _molten(file: ScoreFile, systems: Sequence[str], metric: str) -> ScoreFile:
    """A file whose columns are systems, with a row for each system and each row of the table."""
    frame = file.frame
    labels = labels_in(frame)
    has_segments = "segment" in labels
    if not has_segments:
        frame = frame.assign(segment=np.arange(len(frame)))
        labels.append("segment")
    n_segments = counted(len(frame), "segment")
    remarks = [f"{len(systems)} columns are taken for systems, with {n_segments} each"]
    left_out = [repr(name) for name in file.other_columns if name not in systems]
    if left_out:
        remarks.append(f"not taken for systems: {listed(left_out, 20)}")
    # A system may have the name of the metric, which pandas would refuse for the column of scores.
    molten = frame.melt(labels, systems, "system", "(score)", ignore_index=False)
    scores = molten.rename(columns={"(score)": checked_metric_name(file.source, metric)})
    long_file = file.with_frame(scores, *remarks)
    return dataclasses.replace(
        long_file,
        segments_by_order=file.segments_by_order or not has_segments,
        has_column_per_system=True,
    )


# --- segments -------------------------------------------------------------------------------------


def _with_segments(file: ScoreFile) -> ScoreFile:
    """The file with segments numbered in their order, where they have no names.

    Raises
    ------
    InputError
        If segments have no names, and a line is blank, another table begins, or a segment may
        have several rows, as there are several raters or calls of a judge.
    """
    frame = file.frame
    if file.segments_by_order or "segment" not in frame:
        _check_order(file)
    if "segment" in frame:
        return file
    raters = labels_in(frame, (RATER, CALL))
    if raters:
        raise InputError(
            f"{file.source.at()} has a column of {raters[0].strip('()')}s, but none that says "
            "which segment a row belongs to. Add a column 'segment'."
        )
    places = frame.groupby(labels_in(frame), sort=False).cumcount()
    # The remark is on rows of several systems in one file, which are paired by their order.
    remarks = () if file.system_is_called_after_file else (IN_THEIR_ORDER,)
    in_order = file.with_frame(frame.assign(segment=places), *remarks)
    return dataclasses.replace(in_order, segments_by_order=True)


def _check_order(file: ScoreFile) -> None:
    """Raise `InputError` where the order of rows may not be that of the segments.

    Another table below the first one may be of another system, whose segments are numbered anew.
    It would add segments to the same system where the file has no column of systems.
    """
    if file.blank_line is not None:
        raise InputError(
            f"{file.source.at(file.blank_line)} is blank, but segments are told apart by their "
            "order alone. Write the segment's score there, or remove the line."
        )
    has_columns_of_systems = file.has_column_per_system or bool(file.columns_of_systems)
    has_no_system_column = file.system_is_called_after_file or has_columns_of_systems
    if file.repeated_header is not None and has_no_system_column:
        raise InputError(
            f"{file.source.at(file.repeated_header)} repeats the names of the columns, but "
            "segments are told apart by their order alone. Give each table a file of its own."
        )
