"""What a row of the ledger is: a published item, what computes its counterpart, a verdict."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from mtsig_nb.errors import MtsigError
from mtsig_nb.teaching import headlines

from ..notebooks import files

Number = int | float
#: A row as the ledger keeps it, which is what `record` makes; rows by key; and the whole ledger.
Record = Mapping[str, Any]
Records = Mapping[str, Record]
Ledger = Mapping[str, Any]
#: The words of a row, which nothing has to be computed for.
WORDS = ("item", "shows", "claim", "where", "selected", "but", "reason", "note")
HEADING = re.compile(r"^#+ (.+?) *$", re.MULTILINE)
#: What a claim does where a part of it, or some of its cells, come out and others do not; or where
#: ours points its way, and by no more than chance might.
IN_PART: Literal["in part"] = "in part"


class ReplicationError(MtsigError):
    """A row that does not support the verdict it is given."""


class Verdict(enum.StrEnum):
    """What could be done about an item; what came out is computed, and said apart."""

    ARITHMETIC = "arithmetic on printed values"
    PROCEDURE = "procedure run"
    SAME_DATA = "result on the same data"
    OTHER_DATA = "result on other data"
    OWN = "question of ours"
    IMPOSSIBLE = "not possible"


#: Those under which a published number or procedure comes out or does not.
COMPARED = (Verdict.ARITHMETIC, Verdict.PROCEDURE, Verdict.SAME_DATA)
#: Those under which a row may name data of the paper.
RESULTS = (Verdict.SAME_DATA, Verdict.OTHER_DATA)


@dataclasses.dataclass(frozen=True)
class Printed:
    """A published number, with the digits it is printed with, and where it is printed."""

    text: str
    where: str

    def reproduced_by(self, value: Number) -> bool:
        """Whether `value`, rounded to as many decimals, is what is printed."""
        spec = f".{self.decimals}f"
        return format(value, spec) == format(float(self.text), spec)

    def __str__(self) -> str:
        return self.text

    @property
    def decimals(self) -> int:
        """Digits after the decimal point."""
        return len(self.text.partition(".")[2])


def reproduced(texts: Iterable[str], values: Iterable[Number]) -> list[bool]:
    """For each printed number, whether it is what the value in its place rounds to."""
    come_out = []
    for text, value in zip(texts, values, strict=True):
        number = Printed(text, where="")
        come_out.append(number.reproduced_by(value))
    return come_out


@dataclasses.dataclass(frozen=True)
class Value:
    """One of our numbers.

    Attributes
    ----------
    name : str
    value : int or float
        Unrounded.
    spec : str
        How it is rounded for print, as in `format`; none for a count, which is a whole number.
    of : int, optional
        The number that a count is out of.
    """

    name: str
    value: Any
    spec: str = ""
    of: Any = None

    def __post_init__(self) -> None:
        is_count = not self.spec
        value = int(self.value) if is_count else _plain(self.value)
        object.__setattr__(self, "value", value)
        if self.of is not None:
            object.__setattr__(self, "of", int(self.of))


def counted(name: str, condition: Any) -> Value:
    """How many there are of which a condition is true, out of all that it was asked of."""
    holds = np.asarray(condition)
    return Value(name, holds.sum(), of=holds.size)


def counted_each(conditions: Mapping[Any, Any] | pd.DataFrame | pd.Series) -> list[Value]:
    """For each named condition, how many there are of which it is true."""
    values = []
    for name, condition in conditions.items():
        value = counted(str(name), condition)
        values.append(value)
    return values


def rounded(spec: str, numbers: Mapping[Any, Any] | pd.Series) -> list[Value]:
    """Numbers by name that are rounded alike."""
    values = []
    for name, number in numbers.items():
        value = Value(str(name), number, spec)
        values.append(value)
    return values


def table_of(rows: Mapping[Any, Mapping[Any, Any]], *labels: Any) -> pd.DataFrame:
    """A table with a line for each of `rows`; `labels` name the parts of their keys."""
    table = pd.DataFrame.from_dict(dict(rows), orient="index")
    return table.rename_axis(list(labels))


class Outcome:
    """What a row computes: its values, and by name the rest.

    Attributes
    ----------
    values : sequence of Value
    holds : bool or "in part", optional
        Whether the row's claim holds here; without a claim, as yes or no, whether everything that
        is published comes out.
    table : DataFrame, optional
        Shown below the row's table; numbers unrounded, the index first.
    measured : mapping of str to float
        Times of this run on this machine: printed by ``make replicate``, never kept.
    """

    def __init__(
        self,
        *values: Value,
        holds: Any = None,
        table: pd.DataFrame | None = None,
        measured: Mapping[str, float] | None = None,
    ) -> None:
        self.values = values
        if holds not in (None, IN_PART):
            holds = bool(holds)
        self.holds = holds
        self.table = table
        self.measured = measured or {}


def answer(whole: Any, part: Any) -> bool | Literal["in part"]:
    """Whether a claim holds: as a whole, or only the `part` of it that is given, or not at all."""
    if whole:
        return True
    return IN_PART if part else False


@dataclasses.dataclass(frozen=True)
class Row:
    """A published table, figure or claim.

    Attributes
    ----------
    key : str
        The row's name in the ledger's file; it never changes.
    item : str
        As the paper calls it.
    shows : str
        What it shows, in a few words.
    verdict : Verdict
    notebook : str
        The notebook that teaches it, by its name without folder and ending; unless it has
        headlines.
    headlines : mapping of str to str
        By the name of a value, the headline of a notebook that says the same number.  What teaches
        the row is where the first of them is published.
    compute : callable, optional
        Without arguments; only what is not possible may lack it.
    digits : int
        Decimals that its table is printed with.
    printed : mapping of str to Printed, or str
        Published numbers by the name of our value; or in words what and where they are; a dash
        where nothing is.
    claim : str
        What the paper says it shows, no more, or what we ask; `Outcome.holds` answers it.
    where : str
        Where the paper claims it; a question of ours has no place.
    selected : str
        Why the choice of the data nearly decides the claim, where it does.
    but : str
        What else limits the answer to the claim: chance, another version, a single pair.
    data : sequence of str
        The campaigns among ours that have data of the paper, all that the row needs under
        `Verdict.SAME_DATA`, or a part under `Verdict.OTHER_DATA`.
    note : str
        How ours was made, and where it departs.
    reason : str
        Why it is not possible.
    """

    key: str
    item: str
    shows: str
    verdict: Verdict
    notebook: str = ""
    headlines: Mapping[str, str] = dataclasses.field(default_factory=dict)
    compute: Callable[[], Outcome] | None = None
    digits: int = 2
    printed: Mapping[str, Printed] | str = "–"
    claim: str = ""
    where: str = ""
    selected: str = ""
    but: str = ""
    data: Sequence[str] = ()
    note: str = ""
    reason: str = ""

    @property
    def numbers(self) -> Mapping[str, Printed]:
        """Published numbers by the name of our value."""
        if isinstance(self.printed, str):
            return {}
        return self.printed

    def run(self) -> Outcome:
        """Compute, and check that the outcome supports the verdict."""
        outcome = self.compute() if self.compute else Outcome()
        problems = self._problems_of_names(outcome) + self._problems_of_evidence(outcome)
        if problems:
            raise ReplicationError(f"{self.key}: {problems[0]}")
        return outcome

    def _problems_of_names(self, outcome: Outcome) -> list[str]:
        """What is named and is not there."""
        names = [value.name for value in outcome.values]
        wanted = [*self.numbers, *self.headlines]
        problems = [f"no value is called {name!r}" for name in wanted if name not in names]
        problems += [f"the name {name!r} has a colon" for name in names if ":" in name]
        if bool(self.headlines) == bool(self.notebook):
            problems.append("what teaches it is named by its headlines, or else as a notebook")
        return problems

    def _problems_of_evidence(self, outcome: Outcome) -> list[str]:
        """What the verdict needs and the row lacks, or has and may not have."""
        verdict = self.verdict
        is_impossible = verdict is Verdict.IMPOSSIBLE
        has_answer = outcome.holds is not None
        has_claim = bool(self.claim)
        answers_what_is_printed = has_answer and verdict in COMPARED
        is_of_a_paper = has_claim and verdict is not Verdict.OWN
        has_limit = bool(self.selected or self.but)
        problems = []
        if verdict is Verdict.PROCEDURE and not outcome.holds:
            problems.append("nothing shows that the procedure was run")
        if verdict is Verdict.SAME_DATA and not self.data:
            problems.append("a result on the same data names data of the paper")
        if self.data and verdict not in RESULTS:
            problems.append("data belong to a result")
        if bool(self.reason) != is_impossible:
            problems.append("a reason belongs to what is not possible, and to nothing else")
        if self.compute is None and not is_impossible:
            problems.append("nothing is computed")
        if has_claim != has_answer and not answers_what_is_printed:
            problems.append("a claim and its answer go together")
        if bool(self.where) != is_of_a_paper:
            problems.append("a claim of a paper has its place there, and nothing else has")
        if has_limit and not has_claim:
            problems.append("what limits an answer belongs to a claim, and there is none")
        return problems

    def comes_out(self, outcome: Outcome) -> bool | None:
        """Whether everything that is published does; None where there is nothing to compare."""
        if self.verdict not in COMPARED:
            return None
        come_out = []
        for value in outcome.values:
            number = self.numbers.get(value.name)
            if number is not None:
                come_out.append(number.reproduced_by(value.value))
        if outcome.holds is not None and not self.claim:
            come_out.append(outcome.holds is True)
        return all(come_out) if come_out else None


@dataclasses.dataclass(frozen=True)
class Paper:
    """A paper with its rows in its order, or what later campaigns published.

    Attributes
    ----------
    name, reference : str
    rows : tuple of Row
    data : sequence of str
        The campaigns among ours that have data of the paper.
    later : bool
        Whether it is none of the four papers.
    """

    name: str
    reference: str
    rows: tuple[Row, ...]
    data: Sequence[str] = ()
    later: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            strange = sorted(set(row.data) - set(self.data))
            if strange:
                raise ReplicationError(f"{row.key}: {strange} are no data of {self.name}")


# Where the notebooks teach it: looked up in them as they are committed.


def place(row: Row) -> tuple[str, str]:
    """The notebook that teaches it, from the folder of all and without ending, and the heading."""
    headlines_of_row = list(row.headlines.values())
    named = headlines_of_row[0] if headlines_of_row else row.notebook
    path, heading = published(named)
    from_folder = path.relative_to(files.SERIES)
    notebook = from_folder.with_suffix("")
    return notebook.as_posix(), heading


def published(headline: str) -> tuple[Path, str]:
    """The notebook that publishes a headline, or has this name, and the heading above it."""
    places = _places().get(headline, [])
    if len(places) != 1:
        names = " and ".join(files.name_of(path) for path, _ in places) or "none"
        raise files.NotebookError(
            f"{headline!r} has to be in one executed notebook of the series, and is in {names}"
        )
    return places[0]


@cache
def _places() -> dict[str, list[tuple[Path, str]]]:
    """The places of every headline, and of every notebook by its name.

    A place is the path of a notebook, and the last heading above a headline or the notebook's own.
    """
    places = defaultdict(list)
    for path in files.series():
        cells = files.read(path).cells
        heading, *_ = HEADING.findall(cells[0].source)
        places[path.stem].append((path, heading))
        for cell in cells:
            if cell.cell_type == "markdown":
                headings = HEADING.findall(cell.source)
                heading = headings[-1] if headings else heading
            notebook_of_cell = {"cells": [cell]}
            for headline in headlines(notebook_of_cell):
                places[headline.name].append((path, heading))
    return dict(places)


# As the ledger keeps it.


def about(paper: Paper) -> dict[str, Any]:
    """The paper as plain data, without its rows."""
    return {"name": paper.name, "reference": paper.reference, "later": paper.later}


def record(paper: Paper, row: Row, outcome: Outcome) -> dict[str, Any]:
    """The row as plain data: everything that the pages show."""
    notebook, heading = place(row)
    numbers = []
    for name, number in row.numbers.items():
        numbers.append({"name": name, **dataclasses.asdict(number)})
    values = []
    for value in outcome.values:
        printed = row.numbers.get(value.name)
        values.append(_value(value, printed))
    table = None
    if outcome.table is not None:
        table = _table(outcome.table, row.digits)
    return {
        "key": row.key,
        "paper": paper.name,
        "item": row.item,
        "shows": row.shows,
        "claim": row.claim,
        "where": row.where,
        "selected": row.selected,
        "but": row.but,
        "holds": outcome.holds,
        "comes_out": row.comes_out(outcome),
        "printed": numbers or row.printed,
        "values": values,
        "table": table,
        "verdict": str(row.verdict),
        "data": list(row.data),
        "reason": row.reason,
        "note": row.note,
        "notebook": notebook,
        "heading": heading,
        "headlines": dict(row.headlines),
    }


def rows_by_key(ledger: Ledger) -> dict[str, Record]:
    """The rows of a ledger, in its order."""
    return {row["key"]: row for row in ledger["rows"]}


def entry(entries: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    """The only one of a record's values, or of its printed numbers, that has this name."""
    matching = [candidate for candidate in entries if candidate["name"] == name]
    (only,) = matching
    return only


def spec_of(value: Mapping[str, Any]) -> str:
    """How one of a record's values is shown, as in `format`: a count by its thousands."""
    return value["spec"] or ",d"


def frame_of(record: Record) -> pd.DataFrame:
    """The table of a record."""
    table = record["table"]
    return pd.DataFrame(table["rows"], columns=table["columns"])


def _value(value: Value, printed: Printed | None) -> dict[str, Any]:
    """A value as plain data, and how far it is from what is printed, if anything is."""
    difference = None
    if printed is not None:
        difference = value.value - float(printed.text)
    plain = dataclasses.asdict(value)
    plain["difference"] = difference
    return plain


def _table(frame: pd.DataFrame, digits: int) -> dict[str, Any]:
    """A table as plain data; its index is the first of the columns."""
    flat = frame.reset_index()
    rows = []
    for cells in flat.itertuples(index=False):
        rows.append([_plain(cell) for cell in cells])
    return {
        "columns": [_heading(column) for column in flat.columns],
        "rows": rows,
        "labels": frame.index.nlevels,
        "digits": digits,
    }


def _heading(column: Any) -> str:
    """A column's name; one of several levels on one line."""
    if isinstance(column, tuple):
        return " ".join(map(str, column)).strip()
    return str(column)


def _plain(value: Any) -> Any:
    """A NumPy scalar as Python's own; None for what is missing."""
    plain = value.item() if hasattr(value, "item") else value
    return None if pd.isna(plain) else plain
