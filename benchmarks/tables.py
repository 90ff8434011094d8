"""Rows of figures with their aims, and the tables that show them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .aims import Aim


@dataclasses.dataclass(frozen=True)
class Figure:
    """How a figure is shown: the heading of its column, its decimals, and its unit in an aim."""

    heading: str
    digits: int
    unit: str = ""

    def shown(self, number: float) -> str:
        """The number with its decimals."""
        return f"{number:,.{self.digits}f}"


FIGURES = {
    "seconds": Figure("seconds", 3, "s"),
    "bound_seconds": Figure("bound, seconds", 3, "s"),
    "times_the_bound": Figure("x bound", 2),
    "microseconds_per_pair_and_resample": Figure("µs", 3),
    "sacrebleu_microseconds_per_pair_and_resample": Figure("µs of sacreBLEU", 0),
    "times_as_fast_as_sacrebleu": Figure("x sacreBLEU", 0),
    "processor_seconds": Figure("processor s", 2, "s"),
    "exponent_in_systems": Figure("exponent", 2),
    "times_as_fast_as_paired_bs": Figure("x --paired-bs", 2),
    "megabytes": Figure("MB", 0, "MB"),
    "times_the_input": Figure("x input", 1, "x input"),
    "milliseconds": Figure("ms", 0),
    "worst_milliseconds": Figure("worst ms", 0),
    "milliseconds_with_picture": Figure("with picture", 0),
    "processor_milliseconds": Figure("processor ms", 0),
    "minutes": Figure("minutes", 2, "min"),
}


@dataclasses.dataclass(frozen=True)
class Row:
    """What was measured once, or of which a median was taken.

    Attributes
    ----------
    what : str
        What was measured.
    figures : dict of float
        By names that `FIGURES` has.
    runs : int
        Of how many runs the figures are medians.
    aims : tuple of Aim
        From `aims.AIMS`.
    """

    what: str
    figures: dict[str, float]
    runs: int
    aims: tuple[Aim, ...] = ()

    @property
    def met(self) -> bool | None:
        """Whether all aims are met; None where there is none."""
        if not self.aims:
            return None
        return all(aim.is_met(self.figures) for aim in self.aims)

    def record(self) -> dict[str, Any]:
        """The row for a file in JSON."""
        return {
            "what": self.what,
            **self.figures,
            "runs": self.runs,
            "aims": [dataclasses.asdict(aim) for aim in self.aims],
            "met": self.met,
        }


@dataclasses.dataclass(frozen=True)
class Settings:
    """What was asked of the benchmark.

    Attributes
    ----------
    runs : int
        Of how many runs medians are taken.
    n_resamples : int
    older : Path or None
        A tree of the package as it was, by which a command is also timed.
    """

    runs: int = 5
    n_resamples: int = 10_000
    older: Path | None = None


@dataclasses.dataclass(frozen=True)
class Subject:
    """A table of the benchmark: its title, its columns of figures, and how its rows are measured.

    Attributes
    ----------
    name : str
        Its key in the file of results.
    title : str
    figures : tuple of str
        Names in `FIGURES`.
    measured : callable
        Yields the rows, one after the other, as soon as they are measured.
    """

    name: str
    title: str
    figures: tuple[str, ...]
    measured: Callable[[Settings], Iterator[Row]]


def show(subject: Subject, rows: Sequence[Row], *, with_aims: bool) -> None:
    """Print the table of a subject; with its aims, and which of them are met, if it has any."""
    with_aims = with_aims and any(row.aims for row in rows)
    table = Table(
        title=subject.title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    table.add_column("")
    for name in subject.figures:
        table.add_column(FIGURES[name].heading, justify="right")
    if with_aims:
        table.add_column("aim")
        table.add_column("met")
    table.add_column("runs", justify="right")
    for row in rows:
        cells = [row.what, *_figures(row, subject.figures)]
        if with_aims:
            cells.append(", ".join(map(_limit, row.aims)))
            cells.append({None: "", True: "yes", False: "no"}[row.met])
        table.add_row(*cells, str(row.runs))
    Console(width=110).print(table)


def _figures(row: Row, names: Sequence[str]) -> Iterator[str]:
    """The cells of a row; empty where it has no such figure."""
    for name in names:
        yield FIGURES[name].shown(row.figures[name]) if name in row.figures else ""


def _limit(aim: Aim) -> str:
    """An aim as it is shown: its limit, and the unit."""
    sign = "≥" if aim.is_least else "≤"
    unit = FIGURES[aim.figure].unit
    return f"{sign} {aim.limit:,g} {unit}".rstrip()
