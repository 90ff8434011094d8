"""What a row of the ledger is: a published item, what computes its counterpart, a verdict."""

from __future__ import annotations

import dataclasses
import enum
import re
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


@dataclasses.dataclass(frozen=True)
class Printed:
    """A published number, with the digits it is printed with, and where it is printed."""

    text: str
    where: str

    def reproduced_by(self, value: Number) -> bool:
        """Whether `value`, rounded to as many decimals, is what is printed."""
        return format(value, f".{self.decimals}f") == format(float(self.text), f".{self.decimals}f")

    def __str__(self) -> str:
        return self.text

    @property
    def decimals(self) -> int:
        """Digits after the decimal point."""
        return len(self.text.partition(".")[2])


def reproduced(texts: Iterable[str], values: Iterable[Number]) -> list[bool]:
    """Of printed numbers, which are those that `values` round to."""
    return [Printed(t, "").reproduced_by(v) for t, v in zip(texts, values, strict=True)]


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
        plain = _plain(self.value)
        object.__setattr__(self, "value", plain if self.spec else int(plain))
        object.__setattr__(self, "of", None if self.of is None else int(self.of))


def counted(name: str, which: Any) -> Value:
    """How many there are of which something is true, out of all that it was asked of."""
    told = np.asarray(which)
    return Value(name, told.sum(), of=told.size)


def counts(which: Mapping[Any, Any] | pd.DataFrame | pd.Series) -> list[Value]:
    """The same by name."""
    return [counted(str(name), one) for name, one in which.items()]


def rounded(spec: str, numbers: Mapping[Any, Any] | pd.Series) -> list[Value]:
    """Numbers by name that are rounded alike."""
    return [Value(str(name), number, spec) for name, number in numbers.items()]


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
        self.values, self.table, self.measured = values, table, measured or {}
        self.holds = holds if holds in (None, IN_PART) else bool(holds)


def in_part(some: Any) -> Literal["in part", False]:
    """What a claim that does not hold as a whole does."""
    return IN_PART if some else False


@dataclasses.dataclass(frozen=True)
class Row:
    """A published table, figure or claim.

    Attributes
    ----------
    key : str
        Names the row in the ledger's file; never changes.
    item : str
        As the paper calls it.
    shows : str
        What it shows, in a few words.
    verdict : Verdict
    notebook : str
        What teaches it: a notebook by its name without folder and ending, or
    headlines : mapping of str to str
        name of a value here: name of the headline that says the same number.  Then the place is
        where the first of them is published.
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
        return {} if isinstance(self.printed, str) else self.printed

    def run(self) -> Outcome:
        """Compute, and check that the outcome supports the verdict."""
        outcome = self.compute() if self.compute else Outcome()
        for problem in self._problems(outcome):
            raise ReplicationError(f"{self.key}: {problem}")
        return outcome

    def _problems(self, outcome: Outcome) -> list[str]:
        names, named = [value.name for value in outcome.values], [*self.numbers, *self.headlines]
        found = [f"no value is called {name!r}" for name in named if name not in names]
        found += [f"the name {name!r} has a colon" for name in names if ":" in name]
        if bool(self.headlines) == bool(self.notebook):
            found.append("what teaches it is named by its headlines, or else as a notebook")
        if self.verdict is Verdict.PROCEDURE and not outcome.holds:
            found.append("nothing shows that the procedure was run")
        if self.verdict is Verdict.SAME_DATA and not self.data:
            found.append("a result on the same data names data of the paper")
        if self.data and self.verdict not in (Verdict.SAME_DATA, Verdict.OTHER_DATA):
            found.append("data belong to a result")
        if (self.verdict is Verdict.IMPOSSIBLE) != bool(self.reason):
            found.append("a reason belongs to what is not possible, and to nothing else")
        if (self.compute is None) > (self.verdict is Verdict.IMPOSSIBLE):
            found.append("nothing is computed")
        answered = outcome.holds is not None
        if bool(self.claim) != answered and not (self.verdict in COMPARED and answered):
            found.append("a claim and its answer go together")
        if bool(self.where) != (bool(self.claim) and self.verdict is not Verdict.OWN):
            found.append("a claim of a paper has its place there, and nothing else has")
        if (self.selected or self.but) and not self.claim:
            found.append("what limits an answer belongs to a claim, and there is none")
        return found

    def comes_out(self, outcome: Outcome) -> bool | None:
        """Whether everything that is published does; None where there is nothing to compare."""
        if self.verdict not in COMPARED:
            return None
        values = {value.name: value.value for value in outcome.values}
        told = [printed.reproduced_by(values[name]) for name, printed in self.numbers.items()]
        if outcome.holds is not None and not self.claim:
            told.append(outcome.holds is True)
        return all(told) if told else None


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
            if strange := sorted(set(row.data) - set(self.data)):
                raise ReplicationError(f"{row.key}: {strange} are no data of {self.name}")


# Where the notebooks teach it: looked up in them as they are committed.


def place(row: Row) -> tuple[str, str]:
    """The notebook that teaches it, from the folder of all and without ending, and the heading."""
    path, heading = published(next(iter(row.headlines.values()), row.notebook))
    return path.relative_to(files.SERIES).with_suffix("").as_posix(), heading


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
    """Every headline, and every notebook's name, with the notebooks and the headings above."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for path in files.series():
        cells = files.read(path).cells
        heading = HEADING.findall(cells[0].source)[0]
        found[path.stem] = [(path, heading)]
        for cell in cells:
            if cell.cell_type == "markdown":
                heading = (HEADING.findall(cell.source) or [heading])[-1]
            for one in headlines({"cells": [cell]}):
                found.setdefault(one.name, []).append((path, heading))
    return found


# As the ledger keeps it.


def about(paper: Paper) -> dict[str, Any]:
    """The paper as plain data, without its rows."""
    return {"name": paper.name, "reference": paper.reference, "later": paper.later}


def record(paper: Paper, row: Row, outcome: Outcome) -> dict[str, Any]:
    """The row as plain data: everything that the pages show."""
    notebook, heading = place(row)
    words = ("item", "shows", "claim", "where", "selected", "but")
    return {
        "key": row.key,
        "paper": paper.name,
        **{name: getattr(row, name) for name in words},
        "holds": outcome.holds,
        "comes_out": row.comes_out(outcome),
        "printed": [{"name": name, **dataclasses.asdict(p)} for name, p in row.numbers.items()]
        or row.printed,
        "values": [_value(value, row.numbers.get(value.name)) for value in outcome.values],
        "table": None if outcome.table is None else _table(outcome.table, row.digits),
        "verdict": str(row.verdict),
        "data": list(row.data),
        "reason": row.reason,
        "note": row.note,
        "notebook": notebook,
        "heading": heading,
        "headlines": dict(row.headlines),
    }


def _value(value: Value, printed: Printed | None) -> dict[str, Any]:
    difference = None if printed is None else value.value - float(printed.text)
    return dataclasses.asdict(value) | {"difference": difference}


def _table(frame: pd.DataFrame, digits: int) -> dict[str, Any]:
    flat = frame.reset_index()
    return {
        "columns": [_heading(column) for column in flat.columns],
        "rows": [[_plain(cell) for cell in row] for row in flat.itertuples(index=False)],
        "labels": frame.index.nlevels,
        "digits": digits,
    }


def _heading(column: Any) -> str:
    """A column's name; one of several levels on one line."""
    return " ".join(map(str, column)).strip() if isinstance(column, tuple) else str(column)


def _plain(value: Any) -> Any:
    """A NumPy scalar as Python's own; None for what is missing."""
    plain = value.item() if hasattr(value, "item") else value
    return None if pd.isna(plain) else plain
