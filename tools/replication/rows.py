"""What a row of the ledger is: a published item, what computes its counterpart, a verdict."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from mtsig_nb.errors import MtsigError

from .taught import place

Number = int | float


class ReplicationError(MtsigError):
    """A row that does not support the verdict it is given."""


class Verdict(enum.StrEnum):
    """What became of a published item."""

    EXACT = "exact"
    ARITHMETIC = "arithmetic checked"
    SAME_SYSTEMS = "in kind, same systems"
    OTHER_SYSTEMS = "in kind, other systems"
    IMPOSSIBLE = "not possible"


@dataclasses.dataclass(frozen=True)
class Printed:
    """A published number, with the digits it is printed with, and where it is printed."""

    text: str
    where: str

    def reproduced_by(self, value: Number) -> bool:
        """Whether `value`, rounded to as many decimals, is what is printed."""
        return format(value, f".{self.decimals}f") == format(float(self.text), f".{self.decimals}f")

    @property
    def decimals(self) -> int:
        """Digits after the decimal point."""
        return len(self.text.partition(".")[2])


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


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a row computes.

    Attributes
    ----------
    values : sequence of Value
    holds : bool, optional
        Whether the row's claim holds here; of an exact row without a claim, whether everything
        that is published comes out.
    table : DataFrame, optional
        Shown below the row's table; numbers unrounded, the index first.
    digits : int
        Decimals that the table is printed with.
    measured : mapping of str to float
        Times of this run on this machine: printed by ``make replicate``, never kept.
    """

    values: Sequence[Value]
    holds: bool | None = None
    table: pd.DataFrame | None = None
    digits: int = 2
    measured: Mapping[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Link:
    """Where the notebooks teach what the row is about; `taught.place` looks it up.

    Attributes
    ----------
    headlines : mapping of str to str
        Name of a value here: name of the headline that says the same number.  The place is where
        the first of them is published.
    notebook : str
        Its name without folder and ending, where there are no headlines.
    heading : str
        As the notebook has it, without the number signs; by default the notebook's title.
    """

    headlines: Mapping[str, str] = dataclasses.field(default_factory=dict)
    notebook: str = ""
    heading: str = ""


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
    compute : callable, optional
        Without arguments; only what is not possible may lack it.
    link : Link
    printed : mapping of str to Printed, or str
        Published numbers by the name of our value; or in words what and where they are; a dash
        where nothing is.
    claim : str
        What the paper says it shows, which `Outcome.holds` answers.
    note : str
        How ours was made, and where it departs.
    reason : str
        Why it is not possible.
    """

    key: str
    item: str
    shows: str
    verdict: Verdict
    link: Link
    compute: Callable[[], Outcome] | None = None
    printed: Mapping[str, Printed] | str = "–"
    claim: str = ""
    note: str = ""
    reason: str = ""

    def run(self) -> Outcome:
        """Compute, and check that the outcome supports the verdict."""
        outcome = self.compute() if self.compute else Outcome(())
        for problem in self._problems(outcome):
            raise ReplicationError(f"{self.key}: {problem}")
        return outcome

    def _problems(self, outcome: Outcome) -> list[str]:
        values = {value.name: value.value for value in outcome.values}
        printed = {} if isinstance(self.printed, str) else self.printed
        found = [f"no value is called {name!r}" for name in printed if name not in values]
        found += [
            f"no value is called {name!r}" for name in self.link.headlines if name not in values
        ]
        found += [f"the name {name!r} has a colon" for name in values if ":" in name]
        if bool(self.link.headlines) == bool(self.link.notebook):
            found.append("what teaches it is named by its headlines, or else as a notebook")
        if found:
            return found
        if self.verdict is Verdict.EXACT:
            found += [
                f"{name} is printed as {p.text} and comes out as {values[name]}"
                for name, p in printed.items()
                if not p.reproduced_by(values[name])
            ]
            if outcome.holds is False or not (printed or outcome.holds):
                found.append("nothing shows that it is exact")
        if (self.verdict is Verdict.IMPOSSIBLE) != bool(self.reason):
            found.append("a reason belongs to what is not possible, and to nothing else")
        if (self.compute is None) > (self.verdict is Verdict.IMPOSSIBLE):
            found.append("nothing is computed")
        answered = outcome.holds is not None
        if bool(self.claim) != answered and not (self.verdict is Verdict.EXACT and answered):
            found.append("a claim and its answer go together")
        return found


@dataclasses.dataclass(frozen=True)
class Paper:
    """A paper, or a campaign, with its rows in the order of the paper."""

    name: str
    reference: str
    rows: tuple[Row, ...]


def record(paper: Paper, row: Row, outcome: Outcome) -> dict[str, Any]:
    """The row as plain data: everything that the pages show."""
    printed = {} if isinstance(row.printed, str) else row.printed
    notebook, heading = place(row.link)
    return {
        "key": row.key,
        "paper": paper.name,
        "item": row.item,
        "shows": row.shows,
        "claim": row.claim,
        "holds": outcome.holds,
        "printed": row.printed
        if isinstance(row.printed, str)
        else [{"name": name, **dataclasses.asdict(p)} for name, p in printed.items()],
        "values": [_value(value, printed.get(value.name)) for value in outcome.values],
        "table": None if outcome.table is None else _table(outcome.table, outcome.digits),
        "verdict": str(row.verdict),
        "reason": row.reason,
        "note": row.note,
        "notebook": notebook,
        "heading": heading,
        "headlines": dict(row.link.headlines),
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
    """A NumPy scalar as Python's own; text and None as they are."""
    return value.item() if hasattr(value, "item") else value
