"""Files of segment scores as other programs write them, each as one table.

Long tables have a row for each system and segment, wide ones a column for each system.  What the
layout does not say is taken from the file: its name for a system or a metric, the order of its
rows for the segments; and `ScoreFile.said` tells so.
"""

from __future__ import annotations

import csv
import dataclasses
import difflib
import io
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, unknown_name
from ..texts.formats.base import (
    decode,
    expanded,
    find_repeated,
    is_number,
    lines,
    name_of,
    quoted,
    read_bytes,
)

LABELS = ("system", "segment", "document")
#: Not names that a file's own column could have.
RUN, TEST_SET = "(run)", "(test set)"

#: Names of columns that are labels, in any case, with spaces and hyphens for underscores.
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

#: Names stay texts, whatever they look like, also "NA" and "null"; what is missing is empty.
_READING: dict[str, Any] = {"keep_default_na": False, "na_values": [""], "low_memory": False}

#: What is kept beside scores and is a number too: who judged, how long, which run.
NO_SCORE = re.compile(
    r"(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)
_ARCHIVES = {".zip", ".xz", ".bz2", ".zst", ".tar", ".tgz", ".7z", ".rar"}

#: A line that comet-score prints for a segment.
_COMET_LINE = re.compile(r"(.+)\tSegment (\d+)\tscore: (\S+)(\tvariance: \S+)?")


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file has: its labels under their own names, and all its other columns.

    Parameters
    ----------
    path : Path
    frame : DataFrame
        With ``system`` and ``segment``; maybe ``document``, `RUN` and `TEST_SET`.
    lines : sequence of int, optional
        The line of each row, where a row is a line.
    said : tuple of str
        What the layout was taken to mean.
    by_order : bool
        Whether segments have no names but their order.
    raw : callable, optional
        What the file itself has in a row's column.
    """

    path: Path
    frame: pd.DataFrame
    lines: Sequence[int] | None = None
    said: tuple[str, ...] = ()
    by_order: bool = False
    raw: Callable[[int, str], str] | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are no labels."""
        return [str(c) for c in self.frame.columns if c not in (*LABELS, RUN, TEST_SET)]

    def where(self, row: int) -> str:
        """A row as messages name it."""
        if self.lines is not None:
            return f"{quoted(self.path)}, line {self.lines[row]:,}"
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
    packed = [suffix for suffix in file.suffixes if suffix.lower() in _ARCHIVES]
    if packed:
        raise InputError(
            f"{quoted(file)}: files of the kind {packed[0]} are not read. Unpack it, or compress "
            "the table with gzip."
        )
    text = decode(file, read_bytes(file))
    if text.lstrip()[:1] in ("{", "["):
        found = _json(file, text)
    elif _COMET_LINE.search(text):
        found = _comet(file, text)
    elif ".score" in file.suffixes:
        found = _wmt(file, text)
    else:
        found = _numbers(file, text) or _table(file, text)
    if by is not None and by not in found.frame:
        raise unknown_name(f"{quoted(file)}: by", by, map(str, found.frame.columns))
    return _labelled(found, named, metric, by)


# --- tables ---------------------------------------------------------------------------------------


def _table(file: Path, text: str) -> ScoreFile:
    first = text.lstrip("\r\n").partition("\n")[0]
    separators = "\t" if ".tsv" in file.suffixes else ",\t;"
    separator = next((s for s in separators if s in first), separators[0])
    header, starts = _checked_rows(file, text, separator)
    names = {n for wanted in ("system", "document", RUN, TEST_SET) for n in _NAMES[wanted]}
    dtypes = {name: "str" for name in header if _plain(name) in names}
    try:
        frame = pd.read_csv(io.StringIO(text), sep=separator, dtype=dtypes, **_READING)
    except (ValueError, OverflowError) as error:  # a ParserError is a ValueError
        reason = str(error).strip().rstrip(".").splitlines()[0]
        raise InputError(f"{quoted(file)} is not a table: {reason}.") from None
    if frame.shape != (len(starts), len(header)):
        raise InputError(
            f"{quoted(file)}: its quotation marks do not pair up. Remove or mend them."
        )

    def raw(row: int, column: str) -> str:
        _, cells = next(itertools.islice(_rows(file, text, separator), row + 1, None))
        return cells[list(frame.columns).index(column)]

    return ScoreFile(file, frame, starts, raw=raw)


def _checked_rows(file: Path, text: str, separator: str) -> tuple[list[str], list[int]]:
    """The names of the columns, and the line of each row, which has a field for every name."""
    rows = _rows(file, text, separator)
    _, header = next(rows)
    repeated = find_repeated([name for name in header if name])
    if repeated:
        raise InputError(
            f"{quoted(file)}, line 1: {repeated[0]!r} is the name of more than one column. Rename "
            "or remove one of them."
        )
    starts = []
    for line, row in rows:
        starts.append(line)
        if len(row) != len(header) == 1:
            raise _no_table(file)
        if len(row) != len(header):
            raise InputError(
                f"{quoted(file)}, line {line:,} has {len(row)} fields; line 1 names {len(header)} "
                "columns. Put a field with a separator in it into quotation marks."
            )
    return header, starts


def _rows(file: Path, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    line = 1
    try:
        for row in reader:
            if "".join(row).strip() or len(row) > 1:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(file)}, line {line:,} is not a row of a table: {error}."
        ) from None


def _no_table(file: Path) -> InputError:
    return InputError(
        f"{quoted(file)} is no table of scores: there is no column 'system', and none of "
        "numbers. Give a row for each system and segment, or a column for each system."
    )


# --- what programs write --------------------------------------------------------------------------


def _comet(file: Path, text: str) -> ScoreFile:
    """What comet-score prints: a line for each segment; those for whole systems are left out."""
    found = [
        (number, *match.groups()[:3])
        for number, line in enumerate(lines(text), start=1)
        if (match := _COMET_LINE.fullmatch(line))
    ]
    starts, systems, segments, scores = zip(*found, strict=True)
    frame = pd.DataFrame(
        {"system": _short(systems), "segment": map(int, segments), "COMET": scores}
    )
    return ScoreFile(file, frame, starts, by_order=True)


def _wmt(file: Path, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns."""
    rows, starts = [], []
    for number, line in enumerate(lines(text), start=1):
        fields = line.split("\t") if "\t" in line else line.split()
        numbers = [i for i, field in enumerate(fields) if is_number(field) or field == "None"]
        if len(fields) == 2 and numbers[-1:] == [1]:
            rows.append({"system": fields[0], "score": fields[1]})
        elif numbers and numbers[-1] >= 5:
            # metric, language pair, test set (domain, document, reference), system, segment, score
            at = numbers[-1]
            rows.append(
                {
                    "metric": fields[0],
                    "testset": fields[2],
                    "lp": fields[1],
                    **({"document": fields[at - 4]} if at >= 8 else {}),
                    "system": fields[at - 2],
                    "segment": fields[at - 1],
                    "score": fields[at],
                }
            )
        elif line.strip():
            raise InputError(
                f"{quoted(file)}, line {number:,} is not one of the metrics task: a system and a "
                "score, or metric, language pair, test set, …, system, segment and score, with "
                "tabs between them."
            )
        if line.strip():
            starts.append(number)
    frame = pd.DataFrame(rows)
    said = []
    if frame.isna().to_numpy().any():
        raise InputError(f"{quoted(file)} has lines of both of WMT's formats. Give one.")
    name = re.sub(r"\.seg\.score$|\.score$", "", re.sub(r"\.gz$", "", file.name))
    if "metric" in frame:
        if frame["metric"].nunique() > 1:
            raise InputError(f"{quoted(file)} has the scores of several metrics. Give one a file.")
        name = frame.pop("metric").iloc[0]
    else:
        frame["segment"] = frame.groupby("system").cumcount()
        kept = _rated(frame)
        if not all(kept):
            said.append(
                f"{len(frame) - sum(kept):,} rows of what was not scored for all are left out"
            )
        frame, starts = frame[kept], [n for n, keep in zip(starts, kept, strict=True) if keep]
    frame = frame.rename(columns={"score": name}).reset_index(drop=True)
    return ScoreFile(file, frame, starts, tuple(said), by_order="metric" not in rows[0])


def _rated(frame: pd.DataFrame) -> pd.Series:
    """Which rows have a score, as all the systems have that are scored at all."""
    scored = frame["score"] != "None"
    some = scored.groupby(frame["system"]).transform("any")
    whole = (scored | ~some).groupby(frame["segment"]).transform("all")
    return some & whole


def _numbers(file: Path, text: str) -> ScoreFile | None:
    """A number in each line: the scores of the system that the file is called after."""
    found = [(n, line) for n, line in enumerate(lines(text), start=1) if line.strip()]
    if not is_number(found[0][1]):
        return None
    starts, scores = zip(*found, strict=True)
    return ScoreFile(file, pd.DataFrame({"score": scores}), starts)


def _json(file: Path, text: str) -> ScoreFile:
    """COMET's ``--to_json``, an object of lists; records in a list, or one in each line."""
    starts = None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        numbered = [(n, line) for n, line in enumerate(lines(text), start=1) if line.strip()]
        content, starts = [], [n for n, _ in numbered]
        for number, line in numbered:
            try:
                content.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                reason = getattr(error, "msg", "too deep, or a number too long")
                raise InputError(
                    f"{quoted(file)}, line {number:,} is not JSON: {reason}."
                ) from None
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        systems = _short([name for name, rows in content.items() for _ in rows])
        rows = [row for rows in content.values() for row in rows]
        numbers = [i for rows in content.values() for i in range(len(rows))]
        rows = [row if isinstance(row, dict) else {"score": row} for row in rows]
        frame = pd.DataFrame(rows).assign(system=systems)
        if "segment" not in frame:
            frame["segment"] = numbers
        return ScoreFile(file, _scalars(frame), by_order=True)
    records = [content] if isinstance(content, dict) else content
    if not records or not all(isinstance(row, dict) for row in records):
        raise InputError(
            f"{quoted(file)} has no scores that can be read: give COMET's --to_json, an object "
            "with a list for each system, or an object for each segment."
        )
    return ScoreFile(file, _scalars(pd.DataFrame(records)), starts)


def _scalars(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` without what lies deeper, such as the error spans of XCOMET."""
    return frame.map(lambda cell: str(cell)[:20] if isinstance(cell, (list, dict)) else cell)


# --- labels ---------------------------------------------------------------------------------------


def _labelled(found: ScoreFile, named: Sequence[str], metric: str, by: str | None) -> ScoreFile:
    """With the labels under their own names, and one row for each system and segment."""
    frame, said = _renamed(found.frame, named, by), list(found.said)
    if "system" in frame:
        by_order = found.by_order or "segment" not in frame
        if "segment" not in frame:
            within = [label for label in ("system", RUN, TEST_SET) if label in frame]
            frame["segment"] = frame.groupby(within, sort=False).cumcount()
            said.append("segments are taken in their order")
        frame["system"] = frame["system"].astype(str)
        keys = [label for label in (*LABELS, TEST_SET) if label in frame]
        if RUN in frame and not frame.duplicated(keys).any():
            named = [*named, *(n for n in found.frame.columns if _plain(n) in _NAMES[RUN])]
            return _labelled(found, named, metric, by)  # nothing was run more than once
        return dataclasses.replace(found, frame=frame, said=tuple(said), by_order=by_order)
    others = [str(name) for name in frame.columns]
    if difflib.get_close_matches("system", map(_plain, others), n=1, cutoff=0.8):
        raise unknown_name(f"{quoted(found.path)}: column", "system", others)
    systems = [
        name
        for name in others
        if name not in (*LABELS, RUN, TEST_SET)
        and not NO_SCORE.fullmatch(name)
        and not name.startswith("Unnamed: ")
        and pd.to_numeric(frame[name], errors="coerce").notna().mean() > 0.5
    ]
    if not systems:
        raise _no_table(found.path)
    lines_of, raw = found.lines, found.raw
    if len(systems) == 1:
        frame["system"] = _of_file(found.path)
        said.append("systems are called after their files")
        systems = []
    by_order = "segment" not in frame
    if by_order:
        frame["segment"] = np.arange(len(frame))
    if systems:
        metric = metric or _of_file(found.path)
        labels = [name for name in (*LABELS[1:], RUN, TEST_SET) if name in frame]
        n = len(frame)
        frame = frame.melt(labels, systems, var_name="system", value_name=metric)
        lines_of = None if lines_of is None else list(lines_of) * len(systems)
        cell = found.raw
        if cell is not None:
            raw = lambda row, _: cell(row % n, systems[row // n])  # noqa: E731
        said.append(f"{len(systems)} columns are taken for systems, with {n:,} segments each")
    return dataclasses.replace(
        found, frame=frame, lines=lines_of, said=tuple(said), by_order=by_order, raw=raw
    )


def _renamed(frame: pd.DataFrame, named: Sequence[str], by: str | None) -> pd.DataFrame:
    """`frame` with its labels under their own names, but for those that are asked for as metrics.

    A test set may take two columns, or be said by another; where there is only one test set, it is
    nobody's concern.
    """
    frame = frame.copy()
    if by is not None:
        frame = frame.rename(columns={by: TEST_SET}).astype({TEST_SET: str})
    plain = {_plain(n): n for n in reversed([*map(str, frame.columns)]) if n not in named}
    for label, names in _NAMES.items():
        present = [plain[name] for name in names if name in plain]
        if label == TEST_SET and by is not None:
            continue
        if label == TEST_SET:
            joined = (
                frame[present].astype(str).agg("/".join, axis=1) if present else frame.index[:0]
            )
            if joined.nunique() > 1:
                frame = frame.drop(columns=present).assign(**{TEST_SET: joined})
        elif present:
            frame = frame.rename(columns={present[0]: label})
    return frame


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.strip().casefold())


def _of_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)


def _short(names: Sequence[str]) -> list[str]:
    """Files as names of systems, without folders and suffixes, unless they are needed."""
    short = {name: name_of(Path(name)) for name in names}
    return [short[n] for n in names] if len({*short.values()}) == len(short) else list(names)
