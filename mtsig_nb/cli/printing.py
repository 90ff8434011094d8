"""Tables and sentences at a terminal, in a pipe and in a file."""

from __future__ import annotations

import io
import json
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..sentences import told
from ..tables import Column, printed, to_csv, to_latex, to_markdown
from ..writing import in_utf8, is_stream, write_output
from .options import STANDARD_OUTPUT, Format

#: A paragraph, whose line breaks are kept, or a table, which is rounded for reading.
Block = str | pd.DataFrame | list[Column]

#: Suffixes that are not the name of their format.
_SUFFIXES = {"txt": "text", "tex": "latex", "md": "markdown", "htm": "html"}
#: Control characters, which could move a terminal's cursor or change its state, and those that
#: turn the direction of what follows.
_UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def format_of(asked: Format | None, output: Path | None, allowed: Sequence[Format]) -> Format:
    """The format asked for, or that of the output file's suffix; text where there is no file.

    Raises
    ------
    typer.BadParameter
        If a command cannot write it, or the suffix says nothing.
    """
    if asked is None and not (output is None or output == STANDARD_OUTPUT or is_stream(output)):
        suffix = output.suffix[1:].casefold()
        asked = next((form for form in Format if form == _SUFFIXES.get(suffix, suffix)), None)
        if asked is None:
            raise typer.BadParameter(
                f"{str(output)!r}: the suffix says nothing of the format; give --format."
            )
    asked = asked or Format.text
    if asked not in allowed:
        raise typer.BadParameter(
            f"{asked.value} is not possible here; choose from {', '.join(allowed)}."
        )
    return asked


def visible(text: str) -> str:
    r"""`text` with everything replaced that a terminal would obey and not show.

    >>> visible("a\x1b[31mb").encode("unicode-escape")
    b'a\\ufffd[31mb'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def deliver(text: str, output: Path | None) -> None:
    """Print `text`, or write it to `output` and say so on standard error."""
    text = in_utf8(text)
    if output is None or output == STANDARD_OUTPUT:
        typer.echo(text, nl=not text.endswith("\n"))
        return
    write_output(output, text if text.endswith("\n") else f"{text}\n")
    typer.echo(f"{visible(str(output))} written", err=True)


def show(page: Callable[[int], Iterable[Block]], output: Path | None) -> None:
    """Print the page that suits a width, coloured at a terminal alone, or write it to `output`."""
    screen = Console()
    plain = io.StringIO()
    on_screen = output in (None, STANDARD_OUTPUT) and screen.is_terminal
    # In a pipe and in a file tables are as wide as they are: nothing is folded.
    console = screen if on_screen else Console(file=plain, force_terminal=False, width=100_000)
    for block in page(screen.width):
        if isinstance(block, str):  # a word stays whole, so a signature can be copied
            lines = [
                textwrap.fill(line, screen.width, break_long_words=False, break_on_hyphens=False)
                for line in visible(block).split("\n")
            ]
            console.print(Text("\n".join(lines)), highlight=False, soft_wrap=True)
        else:
            console.print(_table(printed(block)), highlight=False)
        console.print()
    if not on_screen:
        lines = [line.rstrip() for line in plain.getvalue().rstrip("\n").split("\n")]
        deliver("\n".join(lines), output)


def _table(columns: Sequence[Column]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    padded = []
    for column in columns:
        shown = [visible(c.replace("\n", " ")) for c in (column.heading, *column.cells)]
        width = max(map(cell_len, shown)) if column.numeric else 0
        # Where room is scarce, names are folded and never numbers.
        heading, *cells = (" " * (width - cell_len(cell)) + cell for cell in shown)
        table.add_column(Text(heading, style="bold"), overflow="fold", no_wrap=column.numeric)
        padded.append(cells)
    for row in zip(*padded, strict=True):
        coloured = [Text(cell, style="green" if cell.endswith("*") else "") for cell in row]
        table.add_row(*coloured)
    return table


@dataclass(frozen=True)
class Answer:
    """What a command has found, in every format.

    Attributes
    ----------
    page : callable
        For reading: gives paragraphs and tables for so many columns when it is asked for.
    table : DataFrame
        Every row, unrounded.
    content : callable
        Gives everything, for JSON.
    paper : callable
        The table for a paper: in LaTeX or Markdown, by the name of either.
    distinguished : bool
        Whether any pair is.
    report : callable, optional
        Gives the page that is a file of its own.
    beside : sequence of str
        What is said beside tables that have no place for it.
    notes : sequence of str
        What to beware of, likewise; `page`, `report` and `content` have it.
    """

    page: Callable[[int], Iterable[Block]]
    table: pd.DataFrame
    content: Callable[[], Mapping[str, Any]]
    paper: Callable[[Format], str]
    distinguished: bool = False
    report: Callable[[], str] | None = None
    beside: Sequence[str] = ()
    notes: Sequence[str] = ()

    def deliver(self, form: Format, output: Path | None) -> None:
        """Print it in a format, or write it to `output`."""
        if form is Format.text:
            show(self.page, output)
        elif form is Format.html:
            assert self.report is not None  # only commands with a report allow this format
            if output != STANDARD_OUTPUT:
                show(self.page, None)
            deliver(self.report(), output)
        else:
            notes = [] if form is Format.json else map(as_note, self.notes)
            for line in [*self.beside, *notes]:
                typer.echo(f"mtsig: {visible(line)}", err=True)
            if form is Format.csv:
                text = to_csv(self.table)
            elif form is Format.json:
                plain = _plain(self.content())
                text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)
            else:
                text = self.paper(form)
            deliver(text, output)


def as_note(text: str) -> str:
    """A note as a line of its own, with options as they are typed.

    >>> from mtsig_nb.sentences import Option, Sentence
    >>> as_note(Sentence("documents are known; use ", Option("units", "documents")))
    'Note: documents are known; use --units documents.'
    """
    return f"Note: {told(text, lambda option: f'--{option.name} {option.answer}')}."


def rounded(frame: pd.DataFrame, digits: int = 2) -> Callable[[Format], str]:
    """A table for a paper."""
    return lambda form: (to_latex if form is Format.latex else to_markdown)(frame, digits=digits)


def _plain(value: Any) -> Any:
    """`value` as JSON knows it: tables as lists of rows, null for what is missing or no number."""
    if isinstance(value, pd.DataFrame):
        value = value.to_dict("records")
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value
