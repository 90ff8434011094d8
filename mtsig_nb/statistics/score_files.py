"""Files of segment scores as other programs write them, each as one table.

Long tables have a row for each system and segment, wide ones a column for each system.  What the
layout does not say is taken from the file: its name for a system or a metric, the order of its
rows for the segments; and `ScoreFile.said` tells so.
"""

from __future__ import annotations

import csv
import dataclasses
import difflib
import functools
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    load_json,
    name_of,
    quoted,
    read_bytes,
)
from ..texts.reading import MOST_FIELDS, MOST_LINES
from .segment_scores import real_numbers

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
    r"target|(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)
_SHOWN = 6
#: More than a table has whose columns anybody could name.
_MOST_COLUMNS = 10_000
_ARCHIVES = {".zip", ".xz", ".bz2", ".zst", ".tar", ".tgz", ".7z", ".rar"}

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
        With ``system`` and ``segment``; maybe ``document``, `RUN` and `TEST_SET`.
    lines : sequence of int, optional
        The line of each row, where a row is a line.
    blank : int, optional
        The first line among or below the rows that has nothing in it.
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
    blank: int | None = None
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
    packed = [suffix for suffix in file.suffixes if suffix.lower() in _ARCHIVES]
    if packed:
        raise InputError(
            f"{quoted(file)}: files of the kind {packed[0]} are not read. Unpack it, or compress "
            "the table with gzip."
        )
    text = decode(file, read_bytes(file))
    if not text.strip():
        raise InputError(f"{quoted(file)} is empty: it has nothing but spaces. Give a table.")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{quoted(file)}, line {line:,} has a null character. Remove it.")
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as lines ended on old Macs
    if text.lstrip()[:1] in ("{", "["):
        found = _json(file, text)
    elif re.search(r"\tSegment \d+\tscore: ", text):
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
    # pandas parts some damaged lines elsewhere than csv does, so it is given the rows of csv.
    rows = io.StringIO(newline="")
    header, starts, blank = _checked_rows(file, text, separator, csv.writer(rows))
    rows.seek(0)
    names = {n for wanted in ("system", "document", RUN, TEST_SET) for n in _NAMES[wanted]}
    dtypes = {name: "str" for name in header if _plain(name) in names}
    try:
        frame = pd.read_csv(rows, dtype=dtypes, **_READING)
    except (ValueError, OverflowError) as error:  # a ParserError is a ValueError
        reason = str(error).strip().rstrip(".").splitlines()[0]
        raise InputError(f"{quoted(file)} is not a table: {reason}.") from None

    def raw(row: int, column: str) -> str:
        rows = (cells for _, cells in _rows(file, text, separator) if cells)
        cells = next(itertools.islice(rows, row + 1, None))
        return cells[list(frame.columns).index(column)]

    return ScoreFile(file, frame, starts, blank, raw=raw)


def _checked_rows(
    file: Path, text: str, separator: str, writer: Any
) -> tuple[list[str], list[int], int | None]:
    """The columns' names, the line of each row, and one that is blank; the rows are written."""
    rows = _rows(file, text, separator)
    first, header = next(((line, row) for line, row in rows if row), (1, []))
    where = f"{quoted(file)}, line {first:,}"
    repeated = find_repeated([name for name in header if name])
    if repeated:
        raise InputError(
            f"{where}: {repeated[0]!r} is the name of more than one column. Rename or remove one "
            "of them."
        )
    if len(header) > _MOST_COLUMNS:
        raise InputError(f"{where} names more than {_MOST_COLUMNS:,} columns. Give fewer.")
    looks = _NUMBER.search if len(header) == 1 else _NUMBER.match
    numbers = (is_number(name) or looks(name) for name in header)
    if any(numbers) and not any(map(_is_label, header)):
        raise InputError(
            f"{where} has numbers where the columns' names should be. Write a line of names above."
        )
    starts, blank = [], None
    writer.writerow(header)
    for line, row in rows:
        if not row:
            blank = blank or line
            continue
        starts.append(line)
        if len(row) != len(header) == 1:
            raise _no_table(file)
        if len(row) != len(header):
            raise InputError(
                f"{quoted(file)}, line {line:,} has {len(row)} fields; line {first:,} names "
                f"{len(header)} columns. Put a field with a separator in it into quotation marks."
            )
        for inside in (part for cell in row if "\n" in cell for part in cell.split("\n")):
            fields = inside.split(separator)
            if len(fields) >= len(header) and any(map(is_number, fields)):
                raise InputError(
                    f"{quoted(file)}, line {line:,}: a quotation mark opens a field that goes on "
                    "for several lines, of which one looks like a row. Close or remove the mark."
                )
        writer.writerow(row)
    return header, starts, blank


def _rows(file: Path, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows, each with the number of its first line; empty where the line is blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            yield line, row if "".join(row).strip() or len(row) > 1 else []
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(file)}, line {line:,} is not a row of a table: {error}. Mend its quotation "
            "marks."
        ) from None


def _no_table(file: Path) -> InputError:
    return InputError(
        f"{quoted(file)} is no table of scores: there is no column 'system', and none of "
        "numbers. Give a row for each system and segment, or a column for each system."
    )


# --- what programs write --------------------------------------------------------------------------


def _numbered(text: str) -> tuple[list[tuple[int, str]], int | None]:
    """The lines that are not blank, each with its number, and the number of one that is."""
    found = list(enumerate(lines(text), start=1))
    blank = next((number for number, line in found if not line.strip()), None)
    return (found if blank is None else [row for row in found if row[1].strip()]), blank


def _comet(file: Path, text: str) -> ScoreFile:
    """What comet-score prints: a line for each segment; those for whole systems are left out.

    What else it says has no tabs, and is no score.
    """
    found, numbered = [], _numbered(text)[0]
    for number, line in numbered:
        match = _COMET_LINE.fullmatch(line)
        if match:
            found.append((number, *match.groups()))
    starts, systems, segments, scores = zip(*found, strict=True) if found else ((),) * 4
    lines_of_segments, known = set(starts), set(systems)
    for number, line in numbered:
        whole = _COMET_SYSTEM.fullmatch(line)
        said = (
            whole[1] in known
            if whole
            else not (_LIKE_COMET.search(line.rstrip()) or is_number(line))
        )
        if number not in lines_of_segments and not said:
            raise InputError(
                f"{quoted(file)}, line {number:,} is not as comet-score prints it: FILE, Segment "
                "0, score: 0.8433, with tabs between them. Print it again, or use --to_json."
            )
    frame = pd.DataFrame(
        {"system": _short(systems), "segment": map(int, segments), "COMET": scores}
    )
    for system, own in frame.groupby("system", sort=False)["segment"]:
        lacking = next((i for i, number in enumerate(sorted(set(own))) if i != number), None)
        if lacking is not None:
            raise InputError(
                f"{quoted(file)}: system {system!r} has no score of segment {lacking:,}, and "
                "comet-score counts from 0. Look for a line that is missing or damaged."
            )
    return ScoreFile(file, frame, starts, by_order=True)


def _wmt(file: Path, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns."""
    numbered, blank = _numbered(text)
    rows, starts = [], [number for number, _ in numbered]
    split = [line.split("\t") if "\t" in line else line.split(maxsplit=20) for _, line in numbered]
    # How many fields there are, and which is the score: the last number; as in most lines.
    layouts = [(len(fields), _last_number(fields)) for fields in split]
    ((n, at), _), *_ = Counter(layouts).most_common(1)
    for number, layout, (_, line) in zip(starts, layouts, numbered, strict=True):
        if layout != (n, at) or (layout != (2, 1) and at < 5) or "\r" in line.rstrip():
            raise InputError(
                f"{quoted(file)}, line {number:,} is not one of the metrics task: a system and a "
                "score, or metric, language pair, test set, …, system, segment and score, with "
                "tabs between them, as many in every line."
            )
    for fields in split:
        if n == 2:
            rows.append({"system": fields[0], "score": fields[1]})
        else:
            # metric, language pair, test set (domain, document, reference), system, segment, score
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
    frame = pd.DataFrame(rows)
    said = []
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
    frame = frame.rename(columns={"score": _free(file, name)}).reset_index(drop=True)
    return ScoreFile(file, frame, starts, blank, tuple(said), by_order="metric" not in rows[0])


def _last_number(fields: Sequence[str]) -> int:
    """The last field with a number, or with ``None`` for one."""
    numbers = (i for i, field in enumerate(fields) if is_number(field) or field == "None")
    return max(numbers, default=-1)


def _rated(frame: pd.DataFrame) -> pd.Series:
    """Which rows have a score, as all the systems have that are scored at all."""
    scored = frame["score"] != "None"
    some = scored.groupby(frame["system"]).transform("any")
    whole = (scored | ~some).groupby(frame["segment"]).transform("all")
    return some & whole


def _numbers(file: Path, text: str) -> ScoreFile | None:
    """A number in each line: the scores of the system that the file is called after."""
    found, blank = _numbered(text)
    if not is_number(found[0][1]):
        return None
    starts, scores = zip(*found, strict=True)
    return ScoreFile(file, pd.DataFrame({"score": scores}), starts, blank)


def _json(file: Path, text: str) -> ScoreFile:
    """COMET's ``--to_json``, an object of lists; records in a list, or one in each line."""
    content, starts, blank = _loaded(file, text)
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        if any(map(_is_label, content)):
            return ScoreFile(file, _from_columns(file, content))
        empty = [name for name, rows in content.items() if not rows]
        if empty:
            raise InputError(f"{quoted(file)}: there are no scores of {empty[0]!r}. Leave it out.")
        systems = _short([name for name, rows in content.items() for _ in rows])
        rows = [row for rows in content.values() for row in rows]
        numbers = [i for rows in content.values() for i in range(len(rows))]
        rows = [row if isinstance(row, dict) else {"score": row} for row in rows]
        frame = _from_records(file, rows).assign(system=systems)
        if "segment" not in frame:
            frame["segment"] = numbers
        return ScoreFile(file, frame, by_order=True)
    records = [content] if isinstance(content, dict) else content
    if not isinstance(records, list) or not records or not all(map(_is_object, records)):
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
    return ScoreFile(file, _from_records(file, records), starts, blank)


def _is_object(row: object) -> bool:
    return isinstance(row, dict) and bool(row)


def _loaded(file: Path, text: str) -> tuple[Any, list[int] | None, int | None]:
    """All of a file as one value, or as a list of those in its lines with their numbers."""
    numbered, blank = _numbered(text)
    first, starts = numbered[0][1].strip(), None
    try:
        content = load_json(quoted(file), text, "Write it again.")
    except InputError:
        if len(numbered) == 1 or first[0] != "{" or first[-1] != "}":
            raise
        starts = [number for number, _ in numbered]
        content = [load_json(f"{quoted(file)}, line {n:,}", line) for n, line in numbered]
    if re.search(r"\\u[dD][89a-fA-F]", text):
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{quoted(file)} has half of a surrogate pair, which is no character. Write the "
                "character itself."
            ) from None
    return content, starts, blank


def _from_columns(file: Path, columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            f"{quoted(file)}: its columns are of different lengths, "
            f"{', '.join(f'{n:,} in {name!r}' for name, n in list(lengths.items())[:6])}. Give "
            "each a value for every row."
        )
    return _scalars(pd.DataFrame(dict(columns)))


def _from_records(file: Path, rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    names = dict.fromkeys(name for row in rows for name in row)
    if len(rows) > MOST_LINES or len(names) > _MOST_COLUMNS or len(rows) * len(names) > MOST_FIELDS:
        raise InputError(
            f"{quoted(file)} has {len(rows):,} rows with {len(names):,} names, which is more than "
            "is read. Give a part of it."
        )
    return _scalars(pd.DataFrame(rows))


def _scalars(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` without what lies deeper, such as the error spans of XCOMET."""
    return frame.map(lambda cell: str(cell)[:20] if isinstance(cell, (list, dict)) else cell)


# --- labels ---------------------------------------------------------------------------------------


def _labelled(found: ScoreFile, named: Sequence[str], metric: str, by: str | None) -> ScoreFile:
    """With the labels under their own names, and one row for each system and segment."""
    frame, said = _renamed(found, named, by), list(found.said)
    if found.blank is not None and (found.by_order or "segment" not in frame):
        raise InputError(
            f"{quoted(found.path)}, line {found.blank:,} is blank, and segments are told apart by "
            "their order alone. Write the segment's score there, or remove the line if it stands "
            "for none."
        )
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
    others = [name for name in others if name not in (*LABELS, RUN, TEST_SET)]
    systems = [
        name
        for name in others
        if not NO_SCORE.fullmatch(name)
        and not name.startswith("Unnamed: ")
        and 2 * np.count_nonzero(~np.isnan(real_numbers(frame[name]))) > len(frame)
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
        metric = _free(found.path, metric or _of_file(found.path))
        labels = [name for name in (*LABELS[1:], RUN, TEST_SET) if name in frame]
        n = len(frame)
        frame = frame.melt(labels, systems, var_name="system", value_name="(score)")
        frame = frame.rename(columns={"(score)": metric})  # which may be a system's name, too
        lines_of = None if lines_of is None else list(lines_of) * len(systems)
        cell = found.raw
        if cell is not None:
            raw = lambda row, _: cell(row % n, systems[row // n])  # noqa: E731
        said.append(f"{len(systems)} columns are taken for systems, with {n:,} segments each")
        if len(others) > len(systems):
            left = [repr(name) for name in others if name not in systems]
            said.append(f"not taken for systems: {', '.join(left[:_SHOWN])}")
    return dataclasses.replace(
        found, frame=frame, lines=lines_of, said=tuple(said), by_order=by_order, raw=raw
    )


def _renamed(found: ScoreFile, named: Sequence[str], by: str | None) -> pd.DataFrame:
    """Its frame with labels under their own names, but for those that are asked for as metrics.

    A test set may take two columns, or be said by another; where there is only one test set, it is
    nobody's concern.
    """
    frame = found.frame.copy()
    where = quoted(found.path)
    for name in frame.columns:
        if name in (RUN, TEST_SET):
            raise InputError(f"{where}: the name {name!r} is taken. Rename the column.")
    own = [name for name in map(str, frame.columns) if name not in named and name != by]
    for plain in find_repeated(map(_plain, filter(_is_label, own))):
        alike = [name for name in own if _plain(name) == plain]
        raise InputError(
            f"{where}: the columns {' and '.join(map(repr, alike))} have the same meaning. Rename "
            "or remove one of them."
        )
    plain_names = {_plain(name): name for name in own}
    for label, names in _NAMES.items():
        present = [plain_names[name] for name in names if name in plain_names]
        if by is not None and not present and label in LABELS[:2] and _plain(by) in names:
            raise InputError(
                f"{where}: by={by!r} says which {label} a row belongs to. Name the column that "
                "says which test set."
            )
        present = ([by] if by is not None else present) if label == TEST_SET else present[:1]
        if label in (RUN, TEST_SET):
            present = [name for name in present if name == by or not _blank(frame[name]).all()]
        for name in present:
            blank = _blank(frame[name])
            if blank.any():
                raise InputError(
                    f"{found.where(int(blank.argmax()))}, column {name!r}: there is no value, and "
                    "rows are told apart by it. Fill it in, or remove the row or the column."
                )
        if label != TEST_SET:
            frame = frame.rename(columns=dict.fromkeys(present, label))
        elif present:
            first, *more = (frame[name].astype(str) for name in present)
            joined = functools.reduce(lambda names, others: names + "/" + others, more, first)
            if by is not None or joined.nunique() > 1:
                frame = frame.drop(columns=present).assign(**{TEST_SET: joined})
    return frame


def _blank(column: pd.Series) -> pd.Series:
    """Where a column has nothing, or only spaces."""
    return column.isna() | (column.astype(str).str.strip() == "")


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
    return re.sub(r"[\W_]+", "_", name.strip().casefold())


def _of_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)


def _short(names: Sequence[str]) -> list[str]:
    """Files as names of systems, without folders and suffixes, unless they are needed."""
    short = {name: name_of(Path(name)) for name in names}
    return [short[n] for n in names] if len({*short.values()}) == len(short) else list(names)
