"""Tables of segment scores from files: which columns are metrics, and which way each is better.

Nothing is guessed in silence.  `ScoreTable.sentence` lists what was taken, with its direction, and
what was not; a column that is damaged is refused and not left out.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of, unknown_name
from ..texts.formats.base import decode, expanded, find_repeated, quoted, read_bytes
from .segment_scores import from_segment_scores, warn_of_direction
from .sufficient import SufficientStatistics

LABELS = ("system", "segment", "document")

#: Names stay texts, whatever they look like, also "NA" and "null"; what is missing is empty.
_READING: dict[str, Any] = {
    "dtype": {"system": "str", "document": "str"},
    "keep_default_na": False,
    "na_values": [""],
    "low_memory": False,
}

#: More than anybody compares at once; each widens the family, and takes its time.
MOST_METRICS = 100

#: What is kept beside scores and is a number too: who judged, how long, which run.
_NO_SCORE = re.compile(
    r"(?!.*(^|[\W_])per[\W_])(.*[\W_])?"
    r"(id|idx|index|number|no|nr|line|row|judge|rater|annotator|evaluator|user|worker|batch"
    r"|length|len|word|token|char|character|word_?count|weight|seed|run|trial|fold|epoch|step"
    r"|year|month|day|date|timestamp)s?([\W_]?(id|no|nr|number))?",
    re.IGNORECASE,
)
_WAYS = {"higher": True, "lower": False}
_ARCHIVES = {".zip", ".xz", ".bz2", ".zst", ".tar", ".tgz", ".7z", ".rar"}
_SHOWN = 20  # columns listed before "and ... more"


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table of segment scores, and what of it is compared.

    Parameters
    ----------
    path : str
        The file that it comes from.
    reading : mapping
        How :func:`pandas.read_csv` reads that file.
    frame : DataFrame
    metrics : mapping of str to bool
        The columns that are taken, and whether higher is better.
    assumed : frozenset of str
        Those of which nobody said which way is better.
    unused : mapping of str to str
        The columns that are not taken, labels apart, and why.
    """

    path: str
    reading: Mapping[str, Any]
    frame: pd.DataFrame
    metrics: Mapping[str, bool]
    assumed: frozenset[str]
    unused: Mapping[str, str]

    def statistics(self) -> list[SufficientStatistics]:
        """The statistics of each metric; warns of directions that its name speaks against."""
        for name, higher in self.metrics.items():
            if name in self.assumed:
                warn_of_direction(name, higher_is_better=higher)
        return [
            from_segment_scores(self.frame, score=name, **self.options(name))
            for name in self.metrics
        ]

    def options(self, name: str) -> dict[str, Any]:
        """How :func:`mtsig_nb.from_segment_scores` reads a metric."""
        document = {"document": "document"} if "document" in self.frame else {}
        return {**document, "higher_is_better": self.metrics[name]}

    @property
    def sentence(self) -> str:
        """What was taken, which way is better, and what was left out."""
        taken = [
            f"{name} ({'higher' if higher else 'lower'} is better)"
            for name, higher in self.metrics.items()
        ]
        left = _with_reasons(self.unused)
        unused = f"; not used: {left}" if left else ""
        return f"{Path(self.path).name}: {', '.join(taken)}{unused}."


def read_score_table(
    path: str, metrics: Sequence[str] = (), *, smaller_is_better: bool = False
) -> ScoreTable:
    r"""Read a table of segment scores: CSV, or TSV by its suffix; compressed with gzip or not.

    Parameters
    ----------
    path : str
    metrics : sequence of str
        Columns to take, as ``NAME``, ``NAME:lower`` or ``NAME:higher``, which says what is better;
        ``all``, or nothing, takes every column of numbers that has not the name of something else.
    smaller_is_better : bool
        Of the metrics without a direction of their own.

    Raises
    ------
    InputError
        If the file cannot be read or is no such table, or a value of a metric is not a number: the
        message has its line and column.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = file.write_text(
    ...     "system,segment,MQM,COMET,judge\nA,1,2,.9,4\nA,2,0,.7,5\nB,1,5,.8,4\nB,2,1,.6,5\n"
    ... )
    >>> print(read_score_table(str(file), ["all", "MQM:lower"]).sentence)
    scores.csv: MQM (lower is better), COMET (higher is better); not used: judge (by its name no
    score; -m takes it).
    """
    file = expanded(path)
    text = _text(file)
    reading = {"sep": "\t" if ".tsv" in file.suffixes else ",", **_READING}
    frame = _frame(file, text, reading)
    columns = [name for name in map(str, frame.columns) if name not in LABELS]
    said = _directions(file, metrics, columns)
    every = not said or "all" in said
    otherwise = said.pop("all", None)
    if otherwise is None and smaller_is_better:
        otherwise = False
    unused = {}
    for name in columns:
        why = _why_not(name, frame[name]) if every else "not named"
        if why is not None and name not in said:
            unused[name] = why
    taken = [name for name in columns if name not in unused] if every else list(said)
    _check_number(file, taken, unused, named=len(said))
    for name in taken:
        _check_numbers(file, _rows(file, text, reading["sep"]), frame, name)
    ways = {name: otherwise if said.get(name) is None else said[name] for name in taken}
    return ScoreTable(
        path=path,
        reading=reading,
        frame=frame,
        metrics={name: way is not False for name, way in ways.items()},
        assumed=frozenset(name for name in taken if said.get(name) is None),
        unused=unused,
    )


# --- the file -------------------------------------------------------------------------------------


def _text(file: Path) -> str:
    packed = [suffix for suffix in file.suffixes if suffix.lower() in _ARCHIVES]
    if packed:
        raise InputError(
            f"{quoted(file)}: files of the kind {packed[0]} are not read. Unpack it, or compress "
            "the table with gzip."
        )
    return decode(file, read_bytes(file))


def _frame(file: Path, text: str, reading: Mapping[str, Any]) -> pd.DataFrame:
    header, n_rows = _checked_rows(file, text, reading["sep"])
    try:
        frame = pd.read_csv(io.StringIO(text), **reading)
    except (ValueError, OverflowError) as error:  # a ParserError is a ValueError
        reason = str(error).strip().rstrip(".").splitlines()[0]
        raise InputError(f"{quoted(file)} is not a table: {reason}.") from None
    if frame.shape != (n_rows, len(header)):
        raise InputError(
            f"{quoted(file)}: its quotation marks do not pair up. Remove or mend them."
        )
    for label in LABELS[:2]:
        check_one_of(f"column of {quoted(file)}", label, [*map(str, frame.columns)])
    return frame


def _checked_rows(file: Path, text: str, separator: str) -> tuple[list[str], int]:
    """The names of the columns and the number of rows, each with a field for every name."""
    rows = _rows(file, text, separator)
    _, header = next(rows)
    repeated = find_repeated([name for name in header if name])
    if repeated:
        raise InputError(
            f"{quoted(file)}, line 1: {repeated[0]!r} is the name of more than one column. Rename "
            "or remove one of them."
        )
    n_rows = 0
    for line, row in rows:
        n_rows += 1
        if len(row) != len(header):
            raise InputError(
                f"{quoted(file)}, line {line:,} has {len(row)} fields; line 1 names {len(header)} "
                "columns. Put a field with a separator in it into quotation marks."
            )
    return header, n_rows


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


# --- its columns ----------------------------------------------------------------------------------


def _directions(
    file: Path, metrics: Sequence[str], columns: Sequence[str]
) -> dict[str, bool | None]:
    """The columns that were named, and whether higher is better where that was said."""
    said: dict[str, bool | None] = {}
    for text in metrics:
        name, colon, way = text.rpartition(":")
        if text in columns or not colon:
            name, way = text, ""
        elif way.casefold() not in _WAYS and name in columns:
            raise InputError(
                f"metric={text!r}: a column of scores is followed by :lower or :higher, whichever "
                "is better, or by nothing."
            )
        if name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"column of {quoted(file)}", name or text, columns)
        if name in said:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        said[name] = _WAYS.get(way.casefold())
    return said


def _why_not(name: str, column: pd.Series) -> str | None:
    """Why a column that nobody named is not taken for a metric; None for one that is."""
    if re.fullmatch(r"Unnamed: \d+", name):
        return "without a name"
    filled = column.dropna()
    if filled.empty:
        return "empty"
    if pd.api.types.is_bool_dtype(filled):
        return "no numbers"
    numbers = pd.to_numeric(filled, errors="coerce").dropna()
    if 2 * len(numbers) < len(filled):
        return "no numbers"
    if _NO_SCORE.fullmatch(name):
        return "by its name no score; -m takes it"
    if len(numbers) == len(column) and numbers.nunique() == 1:
        return "the same everywhere"
    return None


def _check_number(
    file: Path, taken: Sequence[str], unused: Mapping[str, str], *, named: int
) -> None:
    if not taken:
        raise InputError(
            f"{quoted(file)} has no column of scores beside the labels"
            f"{': ' if unused else ''}{_with_reasons(unused)}."
        )
    if len(taken) > max(MOST_METRICS, named):
        raise InputError(
            f"{quoted(file)} has {len(taken):,} columns of numbers ({_listed(taken, 3)}), and at "
            f"most {MOST_METRICS} are compared without being named. Name them: -m {taken[0]}."
        )


def _check_numbers(
    file: Path, rows: Iterator[tuple[int, list[str]]], frame: pd.DataFrame, name: str
) -> None:
    numbers = pd.to_numeric(frame[name], errors="coerce").to_numpy(np.float64, na_value=np.nan)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        line, row = next(itertools.islice(rows, int(bad[0]) + 1, None))
        value = row[frame.columns.get_loc(name)]
        said = f"{reprlib.repr(value)} is not a finite number" if value else "there is no value"
        others = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        raise InputError(
            f"{quoted(file)}, line {line:,}, column {name!r}: {said}{others}. Score "
            "the segment, remove it for all systems, or leave the column out: -m names the others."
        )


def _with_reasons(unused: Mapping[str, str]) -> str:
    return "; ".join(
        f"{_listed([name for name, why in unused.items() if why == reason])} ({reason})"
        for reason in dict.fromkeys(unused.values())
    )


def _listed(names: Sequence[str], most: int = _SHOWN) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
