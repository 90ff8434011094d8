"""Files of segment scores as other programs write them, each as one tidy table.

Every format becomes a frame of cells as they stand in the file, whose index has their lines; then
one function finds the labels in it.  Long tables have a row for each system and segment, wide ones
a column for each system.  What the layout does not say is taken from the file: its name for a
system or a metric, the order of its rows for the segments; and `ScoreFile.said` tells so.
"""

from __future__ import annotations

import csv
import dataclasses
import difflib
import functools
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, unknown_name
from ..texts.files import (
    MOST_FIELDS,
    MOST_LINES,
    expanded,
    find_repeated,
    is_number,
    lines,
    load_json,
    name_of,
    quoted,
    read_text,
)
from .segment_scores import real_numbers

LABELS = ("system", "segment", "document")
#: Any file's own columns of these names mean the same.
RUN, TEST_SET = "(run)", "(test set)"

#: Names of columns that are labels, as `_plain` has them.
_NAMES = {
    "system": ("system", "sys", "system_id", "sysid", "system_name", "model"),
    "segment": (
        *("segment", "seg", "segment_id", "seg_id", "segid", "segment_number"),
        # of leaderboards
        *("item", "item_id", "instance", "instance_id", "example", "example_id"),
        *("question", "question_id", "task_id", "id"),
    ),
    "document": ("document", "doc", "doc_id", "docid", "document_id"),
    RUN: ("run", "seed", "run_id"),
    TEST_SET: ("test_set", "testset", "lp", "lang_pair", "langpair", "language_pair"),
}

#: What is kept beside scores and is a number too: who judged, how long, which run.
NO_SCORE = re.compile(
    r"target|(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)
#: More than a table has whose columns anybody could name.
_MOST_COLUMNS = 10_000

#: A line that comet-score prints for a segment, for a whole system, and what is meant as either.
_COMET_LINE = re.compile(
    r"([^\t]+)\tSegment (\d{1,18})\tscore: (\S+)(?:\tvariance: \S+)?\s*", re.ASCII
)
_COMET_SYSTEM = re.compile(r"([^\t]+)\tscore: \S+\s*")
_LIKE_COMET = re.compile(r"\t|score:|^\w{0,4}: [-+.\d]\S*$", re.IGNORECASE)
#: A line of numbers, or what is left of one, and not the name of a column.
_NUMBER = re.compile(r"\s*(?<![\w.])\d*\.\d+(?![\w.-])")
#: Names in every object of lm-evaluation-harness's samples.
_HARNESS = {"doc_id", "target", "filtered_resps"}


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file has: its labels under their own names, and all its other columns.

    Parameters
    ----------
    path : Path
    frame : DataFrame
        With ``system`` and ``segment``; maybe ``document``, `RUN` and `TEST_SET`.  Its index is
        called ``"line"`` where each row is in a line.
    blank : int, optional
        The first line among or below the rows that has nothing in it.
    said : tuple of str
        What the layout was taken to mean.
    by_order : bool
        Whether segments have no names but their order.
    """

    path: Path
    frame: pd.DataFrame
    blank: int | None = None
    said: tuple[str, ...] = ()
    by_order: bool = False

    @property
    def columns(self) -> list[str]:
        """The columns that are no labels."""
        return [name for name in self.frame.columns if name not in (*LABELS, RUN, TEST_SET)]

    def where(self, row: int) -> str:
        """A row as messages name it."""
        if self.frame.index.name == "line":
            return quoted(self.path, self.frame.index[row])
        if not {*LABELS[:2]} <= {*self.frame.columns}:
            return f"{quoted(self.path)}, row {row + 1:,}"
        system, segment = (self.frame[label].iloc[row] for label in LABELS[:2])
        return f"{quoted(self.path)}, system {str(system)!r}, segment {str(segment)!r}"


def read_scores(
    path: str, named: Sequence[str] = (), *, metric: str = "", by: str | None = None
) -> ScoreFile:
    """Read a file of segment scores, whatever its layout.

    `named` are columns that are metrics, whatever they are called; `metric` is what the scores of
    a wide table are, if not what the file is called; `by` is the column that names the test sets.

    Raises
    ------
    InputError
        If it cannot be read, or has no scores in any layout that is known.
    """
    file = expanded(path)
    text = read_text(file)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(
            f"{quoted(file, line)} has a null character. Remove it, or unpack the "
            "file if it is an archive."
        )
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as lines ended on old Macs
    if text.lstrip()[:1] in ("{", "["):
        found = _json(file, text)
    elif re.search(r"\tSegment \d+\tscore: ", text):
        found = _comet(file, text)
    elif ".score" in file.suffixes:
        found = _wmt(file, text)
    elif is_number(text.lstrip().partition("\n")[0]):
        starts, scores, blank_line = _numbered(text)  # of the system that the file is called after
        found = ScoreFile(file, _frame({"score": scores}, starts), blank_line)
    else:
        found = _table(file, text)
    return _labelled(found, named, metric, by)


def blank(column: pd.Series) -> pd.Series:
    """Where a column has nothing, or only spaces."""
    cells = column.unique()
    filled = (bool(cell.strip()) if isinstance(cell, str) else pd.notna(cell) for cell in cells)
    return column.isin([cell for cell, there in zip(cells, filled, strict=True) if not there])


# --- formats --------------------------------------------------------------------------------------


def _frame(columns: dict[str, Any], starts: Sequence[int]) -> pd.DataFrame:
    """Columns of cells as they stand in the file, indexed by their lines."""
    index = pd.Index(starts, name="line")
    return pd.DataFrame({n: pd.Series(c, index, object) for n, c in columns.items()}, index=index)


def _table(file: Path, text: str) -> ScoreFile:
    first = text.lstrip("\r\n").partition("\n")[0]
    separators = "\t" if ".tsv" in file.suffixes else ",\t;"
    separator = next((s for s in separators if s in first), separators[0])
    rows = _rows(file, text, separator)
    start, header = next(((line, row) for line, row in rows if row), (1, []))
    if not header:
        raise _no_table(file)
    header = [name or f"Unnamed: {i}" for i, name in enumerate(header)]
    _check_header(file, start, header)
    cells, starts, blank_line = [], [], None
    for line, row in rows:
        if not row:
            blank_line = blank_line or line
            continue
        if len(row) != len(header):
            if len(header) == 1:
                raise _no_table(file)
            raise InputError(
                f"{quoted(file, line)} has {len(row)} fields; line {start:,} names "
                f"{len(header)} columns. Put a field with a separator in it into quotation marks."
            )
        starts.append(line)
        cells.append(row)
    columns = zip(*cells, strict=True) if cells else ([] for _ in header)
    frame = _frame(dict(zip(header, columns, strict=True)), starts)
    for name in header:
        if _plain(name) in _NAMES["segment"]:  # numbers have an order
            numbers = pd.to_numeric(frame[name], errors="coerce")
            if pd.api.types.is_integer_dtype(numbers):
                frame[name] = numbers
    return ScoreFile(file, frame, blank_line)


def _rows(file: Path, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows, each with the number of its first line; empty where the line is blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line, width = 1, 0
    try:
        for row in reader:
            width = width or (len(row) if any(row) else 0)
            if reader.line_num > line:
                for inside in (part for cell in row if "\n" in cell for part in cell.split("\n")):
                    fields = inside.split(separator)
                    if len(fields) >= width and any(map(is_number, fields)):
                        raise InputError(
                            f"{quoted(file, line)}: a quotation mark opens a field that goes on "
                            "for several lines, of which one looks like a row. Close or remove "
                            "the mark."
                        )
            yield line, row if len(row) > 1 or "".join(row).strip() else []
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(file, line)} is not a row of a table: {error}. Mend its quotation marks."
        ) from None


def _check_header(file: Path, line: int, header: list[str]) -> None:
    for name in find_repeated(header)[:1]:
        raise InputError(
            f"{quoted(file, line)}: {name!r} is the name of more than one column. Rename or "
            "remove one of them."
        )
    _check_number_of_columns(file, len(header))
    looks = _NUMBER.search if len(header) == 1 else _NUMBER.match
    numbers = (is_number(name) or looks(name) for name in header)
    if any(numbers) and not any(map(_is_label, header)):
        raise InputError(
            f"{quoted(file, line)} has numbers where the columns' names should be. Write a line "
            "of names above."
        )


def _check_number_of_columns(file: Path, n: int) -> None:
    if n > _MOST_COLUMNS:
        raise InputError(
            f"{quoted(file)} names {n:,} columns, and at most {_MOST_COLUMNS:,} are read. Give "
            "fewer."
        )


def _no_table(file: Path) -> InputError:
    return InputError(
        f"{quoted(file)} is no table of scores: there is no column 'system', and none of "
        "numbers. Give a row for each system and segment, or a column for each system."
    )


def _numbered(text: str) -> tuple[list[int], list[str], int | None]:
    """The lines that are not blank, with their numbers, and the number of one that is."""
    every = lines(text)
    found = [(number, line) for number, line in enumerate(every, start=1) if line.strip()]
    empty = next((number for number, line in enumerate(every, 1) if not line.strip()), None)
    return [number for number, _ in found], [line for _, line in found], empty


def _comet(file: Path, text: str) -> ScoreFile:
    """What comet-score prints: a line for each segment; those for whole systems are left out.

    What else it says has no tabs, and is no score.
    """
    starts, found, _ = _numbered(text)
    matches = [_COMET_LINE.fullmatch(line) for line in found]
    known = {match[1] for match in matches if match}
    for number, line, match in zip(starts, found, matches, strict=True):
        whole = None if match else _COMET_SYSTEM.fullmatch(line)
        if match or (whole and whole[1] in known):
            continue
        if whole or _LIKE_COMET.search(line.rstrip()) or is_number(line):
            raise InputError(
                f"{quoted(file, number)} is not as comet-score prints it: FILE, Segment "
                "0, score: 0.8433, with tabs between them. Print it again, or use --to_json."
            )
    starts = [number for number, match in zip(starts, matches, strict=True) if match]
    systems, segments, scores = zip(*(match.groups() for match in matches if match), strict=True)
    frame = _frame({"system": _short(systems), "COMET": scores}, starts)
    frame["segment"] = [int(segment) for segment in segments]
    for system, own in frame.groupby("system", sort=False)["segment"]:
        numbers = np.unique(own)
        if numbers[-1] >= len(numbers):
            lacking = np.flatnonzero(numbers != np.arange(len(numbers)))[0]
            raise InputError(
                f"{quoted(file)}: system {system!r} has no score of segment {lacking:,}, and "
                "comet-score counts from 0. Look for a line that is missing or damaged."
            )
    return ScoreFile(file, frame, by_order=True)


def _wmt(file: Path, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns."""
    starts, found, blank_line = _numbered(text)
    split = [line.split("\t") if "\t" in line else line.split(maxsplit=20) for line in found]
    # How many fields there are, and which is the score: the last number; as in most lines.
    layouts = [(len(fields), _last_number(fields)) for fields in split]
    ((n, at), _), *_ = Counter(layouts).most_common(1)
    for number, layout, line in zip(starts, layouts, found, strict=True):
        if layout != (n, at) or (layout != (2, 1) and at < 5) or "\r" in line.rstrip():
            raise InputError(
                f"{quoted(file, number)} is not one of the metrics task: a system and a "
                "score, or metric, language pair, test set, …, system, segment and score, with "
                "tabs between them, as many in every line."
            )
    fields = list(zip(*split, strict=True))
    name = re.sub(r"(\.seg)?\.score$", "", re.sub(r"\.gz$", "", file.name))
    if (
        n > 2
    ):  # metric, language pair, test set (domain, document, reference), system, segment, score
        if len(set(fields[0])) > 1:
            raise InputError(f"{quoted(file)} has the scores of several metrics. Give one a file.")
        labels = {"testset": fields[2], "lp": fields[1]}
        labels |= {"document": fields[at - 4]} if at >= 8 else {}
        labels |= {"system": fields[at - 2], "segment": fields[at - 1]}
        metric = _free(file, fields[0][0])
        return ScoreFile(file, _frame({**labels, metric: fields[at]}, starts), blank_line)
    frame = _frame({"system": fields[0], "score": fields[1]}, starts)
    frame["segment"] = frame.groupby("system").cumcount()
    # Kept is what has a score, as all the systems have that are scored at all.
    scored = frame["score"] != "None"
    some = scored.groupby(frame["system"]).transform("any")
    kept = some & (scored | ~some).groupby(frame["segment"]).transform("all")
    left_out = f"{(~kept).sum():,} rows of what was not scored for all are left out"
    said = () if kept.all() else (left_out,)
    frame = frame[kept].rename(columns={"score": _free(file, name)})
    return ScoreFile(file, frame, blank_line, said, by_order=True)


def _last_number(fields: Sequence[str]) -> int:
    """The last field with a number, or with ``None`` for one."""
    last = range(len(fields) - 1, -1, -1)
    return next((i for i in last if is_number(fields[i]) or fields[i] == "None"), -1)


def _json(file: Path, text: str) -> ScoreFile:
    """COMET's ``--to_json``, an object of lists; records in a list, or one in each line."""
    starts, found, empty = _numbered(text)
    index, blank_line, by_order = None, None, False
    try:
        content = load_json(quoted(file), text, "Write it again.")
    except InputError:
        if len(found) == 1 or found[0].strip()[0] != "{" or found[0].strip()[-1] != "}":
            raise
        content = [load_json(quoted(file, n), x) for n, x in zip(starts, found, strict=True)]
        index, blank_line = pd.Index(starts, name="line"), empty
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        content, by_order = _of_systems(file, content), True
    records = [content] if isinstance(content, dict) else content
    if not (
        isinstance(records, list) and records and all(r and isinstance(r, dict) for r in records)
    ):
        raise InputError(
            f"{quoted(file)} has no scores that can be read: give COMET's --to_json, an object "
            "with a list for each system, or an object for each segment."
        )
    if {*records[0]} >= _HARNESS:
        raise InputError(
            f"{quoted(file)} has samples of lm-evaluation-harness, which do not say whose they "
            "are. Make a table of them, with the columns system, segment (doc_id) and a metric "
            "such as acc."
        )
    names = dict.fromkeys(name for row in records for name in row)
    _check_number_of_columns(file, len(names))
    if len(records) > MOST_LINES or len(records) * len(names) > MOST_FIELDS:
        raise InputError(f"{quoted(file)} has too many rows to be read. Give a part of it.")
    frame = _scalars(pd.DataFrame(records, index=index))
    return ScoreFile(file, frame, blank_line, by_order=by_order)


def _scalars(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` without what lies deeper, such as the error spans of XCOMET."""
    for name in frame.columns[[pd.api.types.is_object_dtype(dtype) for dtype in frame.dtypes]]:
        frame[name] = [str(c)[:20] if isinstance(c, list | dict) else c for c in frame[name]]
    return frame


def _of_systems(file: Path, content: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """A record for each member of each system's list, numbered where they are not."""
    for name, rows in content.items():
        if _is_label(name):
            raise InputError(
                f"{quoted(file)}: {name!r} has a list, as systems have, and is the name of a "
                "label. Give an object for each row."
            )
        if not rows:
            raise InputError(f"{quoted(file)}: there are no scores of {name!r}. Leave it out.")
    return [
        {"segment": i, **(row if isinstance(row, dict) else {"score": row}), "system": system}
        for system, rows in zip(_short(list(content)), content.values(), strict=True)
        for i, row in enumerate(rows)
    ]


# --- labels ---------------------------------------------------------------------------------------


def _labelled(found: ScoreFile, named: Sequence[str], metric: str, by: str | None) -> ScoreFile:
    """With the labels under their own names, and one row for each system and segment."""
    frame, said = _renamed(found, named, by), list(found.said)
    by_order = found.by_order or "segment" not in frame
    if found.blank is not None and by_order:
        raise InputError(
            f"{quoted(found.path, found.blank)} is blank, and segments are told apart by "
            "their order alone. Write the segment's score there, or remove the line if it stands "
            "for none."
        )
    labels = [label for label in (*LABELS, RUN, TEST_SET) if label in frame]
    if "system" not in frame:
        frame = _with_systems(found.path, frame, labels, metric, said)
    elif "segment" not in frame:
        within = [label for label in labels if label != "document"]
        frame["segment"] = frame.groupby(within, sort=False).cumcount()
        said.append("segments are taken in their order")
    frame["system"] = frame["system"].astype(str)
    keys = [label for label in (*LABELS, TEST_SET) if label in frame]
    if RUN in frame and not frame.duplicated(keys).any():  # nothing was run more than once
        taken = (n for n in map(str, found.frame) if _plain(n) in _NAMES[RUN] and n not in frame)
        frame = frame.rename(columns={RUN: next(taken, "run")})
    return dataclasses.replace(found, frame=frame, said=tuple(said), by_order=by_order)


def _renamed(found: ScoreFile, named: Sequence[str], by: str | None) -> pd.DataFrame:
    """Its frame with labels under their own names, but for those that are asked for as metrics.

    A test set may take two columns, or be said by another; where there is only one test set, it is
    nobody's concern.
    """
    where = quoted(found.path)
    frame = found.frame.rename(columns=str)
    if by is not None and by not in frame:
        raise unknown_name(f"{where}: by", by, frame.columns)
    own = [name for name in frame.columns if name not in named and name != by]
    for plain in find_repeated(map(_plain, filter(_is_label, own))):
        alike = " and ".join(repr(name) for name in own if _plain(name) == plain)
        raise InputError(
            f"{where}: the columns {alike} have the same meaning. Rename or remove one of them."
        )
    own_names = {_plain(name): name for name in own}
    for label, names in _NAMES.items():
        present = [own_names[name] for name in names if name in own_names]
        if by is not None and not present and label in LABELS[:2] and _plain(by) in names:
            raise InputError(
                f"{where}: by={by!r} says which {label} a row belongs to. Name the column that "
                "says which test set."
            )
        if label == TEST_SET and by is not None:
            present = [by]
        empty = {name: blank(frame[name]) for name in present}
        if label in (RUN, TEST_SET):
            present = [name for name in present if name == by or not empty[name].all()]
        if label != TEST_SET:
            present = present[:1]
        for name in present:
            if empty[name].any():
                raise InputError(
                    f"{found.where(int(empty[name].argmax()))}, column {name!r}: there is no "
                    "value, and rows are told apart by it. Fill it in, or remove the row or the "
                    "column."
                )
        if present and label in frame and label not in present:
            raise InputError(
                f"{where}: the column {label!r} cannot keep its name beside {present[0]!r}, which "
                "is taken for it. Rename it."
            )
        if label != TEST_SET:
            frame = frame.rename(columns=dict.fromkeys(present, label))
        elif present:
            parts = [frame[name].astype(str) for name in present]
            joined = functools.reduce(lambda names, others: names + "/" + others, parts)
            if by is not None or joined.nunique() > 1:
                frame = frame.drop(columns=present).assign(**{TEST_SET: joined})
    return frame


def _with_systems(
    file: Path, frame: pd.DataFrame, labels: list[str], metric: str, said: list[str]
) -> pd.DataFrame:
    """Columns taken for systems, or all for the one that the file is called after."""
    names = list(frame.columns)
    if difflib.get_close_matches("system", map(_plain, names), n=1, cutoff=0.8):
        raise unknown_name(f"{quoted(file)}: column", "system", names)
    others = [name for name in names if name not in labels]
    systems = [
        name
        for name in others
        if not NO_SCORE.fullmatch(name)
        and not name.startswith("Unnamed: ")
        and 2 * np.count_nonzero(~np.isnan(real_numbers(frame[name]))) > len(frame)
    ]
    if not systems:
        raise _no_table(file)
    if "segment" not in frame:
        frame["segment"] = np.arange(len(frame))
        labels = [*labels, "segment"]
    if len(systems) == 1:
        said.append("systems are called after their files")
        return frame.assign(system=_of_file(file))
    said.append(f"{len(systems)} columns are taken for systems, with {len(frame):,} segments each")
    if len(others) > len(systems):
        left = ", ".join([repr(name) for name in others if name not in systems][:6])
        said.append(f"not taken for systems: {left}")
    frame = frame.melt(labels, systems, "system", "(score)", ignore_index=False)
    metric = _free(file, metric or _of_file(file))
    return frame.rename(columns={"(score)": metric})  # which may be a system's name, too


def _is_label(name: str) -> bool:
    return any(_plain(name) in names for names in _NAMES.values())


def _free(file: Path, name: str) -> str:
    """The name of a metric, which may not be that of a label."""
    if not name or name in (*LABELS, RUN, TEST_SET):
        raise InputError(
            f"{quoted(file)}: a metric cannot be called {name!r}, as the file would have it. Name "
            "it with -m, or rename the file."
        )
    return name


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")


def _of_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)


def _short(names: Sequence[str]) -> list[str]:
    """Files as names of systems, without folders and suffixes, unless they are needed."""
    short = {name: name_of(Path(name)) for name in names}
    return [short[n] for n in names] if len({*short.values()}) == len(short) else list(names)
