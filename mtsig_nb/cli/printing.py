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
from typing import Any, TypeAlias

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..bibliography import entries, named_in
from ..frames import pd
from ..sentences import Option, told
from ..tables import Column, PaperTable, printed, to_csv, to_markdown
from ..writing import in_utf8, is_stream, visible, write_output
from .options import FIGURES, STANDARD_OUTPUT, Format

#: A paragraph, whose line breaks are kept, or a table, which is rounded for reading.
Block: TypeAlias = "str | pd.DataFrame | list[Column]"

#: Suffixes that are not the name of their format.
_SUFFIXES = {
    "txt": "text",
    "tex": "latex",
    "md": "markdown",
    "htm": "html",
    "bib": "bibtex",
    "xml": "junit",
}
#: Characters of JSON's strings that are no plain ones, and that JSON need not escape.
_OBEYED = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def format_of(asked: Format | None, output: Path | None, allowed: Sequence[Format]) -> Format:
    """The format asked for, or that of the output file's suffix; text where there is no file.

    Raises
    ------
    typer.BadParameter
        If a command cannot write it, or the suffix says nothing.
    """
    if asked is not None:
        form = asked
    elif output is None or output == STANDARD_OUTPUT or is_stream(output):
        form = Format.text
    else:
        form = _format_of_suffix(output)
    if form not in allowed:
        raise typer.BadParameter(
            f"{form.value} is not possible here; choose from {', '.join(allowed)}."
        )
    return form


def formats_of(
    asked: Format | None, outputs: Sequence[Path] | None, allowed: Sequence[Format]
) -> list[tuple[Format, Path | None]]:
    """What goes where: a format for each output file, or one for standard output.

    Raises
    ------
    typer.BadParameter
        As `format_of`; if a format is asked for several files, or a file is named twice.
    """
    if not outputs:
        return [(format_of(asked, None, allowed), None)]
    if len(outputs) > 1 and asked is not None:
        raise typer.BadParameter(
            f"--format {asked.value} is given for {len(outputs)} files. Leave it out: the suffix "
            "of each file sets its format."
        )
    places: list[tuple[Format, Path | None]] = []
    for output in outputs:
        if outputs.count(output) > 1:
            raise typer.BadParameter(f"--output names {str(output)!r} more than once.")
        places.append((format_of(asked, output, allowed), output))
    return places


def _format_of_suffix(output: Path) -> Format:
    """The format that the suffix of a file stands for."""
    suffix = output.suffix[1:].casefold()
    name = _SUFFIXES.get(suffix, suffix)
    if name not in list(Format):
        raise typer.BadParameter(
            f"{str(output)!r}: the suffix does not show the format; give --format."
        )
    return Format(name)


def deliver(content: str | bytes, output: Path | None) -> None:
    """Print a text, or write a text or bytes to `output` and say so on standard error."""
    if isinstance(content, str):
        text = in_utf8(content)
        if output is None or output == STANDARD_OUTPUT:
            typer.echo(text, nl=not text.endswith("\n"))
            return
        content = text if text.endswith("\n") else f"{text}\n"
    assert output is not None  # bytes have a file
    write_output(output, content)
    typer.echo(f"{visible(str(output))} written", err=True)


def show(page: Callable[[int], Iterable[Block]], output: Path | None) -> None:
    """Print the page that suits a width, coloured at a terminal alone, or write it to `output`."""
    screen = Console()
    plain = io.StringIO()
    on_screen = output in (None, STANDARD_OUTPUT) and screen.is_terminal
    # In a pipe and in a file tables are as wide as they are: nothing is folded.
    console = screen if on_screen else Console(file=plain, force_terminal=False, width=100_000)
    for block in page(screen.width):
        if isinstance(block, str):
            paragraph = Text(_wrapped(visible(block), screen.width))
            console.print(paragraph, highlight=False, soft_wrap=True)
        else:
            console.print(_table(printed(block)), highlight=False)
        console.print()
    if not on_screen:
        lines = [line.rstrip() for line in plain.getvalue().rstrip("\n").split("\n")]
        deliver("\n".join(lines), output)


def _wrapped(text: str, width: int) -> str:
    """Each line of a text wrapped to a width; a word stays whole, so a signature can be copied.

    What a line is indented by, all that it is wrapped into is.
    """
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ")))
        filled = textwrap.fill(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        lines.append(filled)
    return "\n".join(lines)


def _table(columns: Sequence[Column]) -> Table:
    """Columns as a table of rich's; where room is scarce, names are folded and never numbers."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    cells_of_columns = []
    for column, texts in zip(columns, _visible_texts(columns), strict=True):
        heading, *cells = _aligned(texts) if column.numeric else texts
        table.add_column(Text(heading, style="bold"), overflow="fold", no_wrap=column.numeric)
        cells_of_columns.append(cells)
    for row in zip(*cells_of_columns, strict=True):
        coloured = []
        for cell in row:
            is_distinguished = cell.endswith("*")
            coloured.append(Text(cell, style="green" if is_distinguished else ""))
        table.add_row(*coloured)
    return table


def _visible_texts(columns: Sequence[Column]) -> list[list[str]]:
    """The heading and the cells of each column, each in one line and as a terminal shows it."""
    texts = [text for column in columns for text in (column.heading, *column.cells)]
    lines = [text.replace("\n", " ") for text in texts]
    shown = iter(visible("\n".join(lines)).split("\n"))
    return [[next(shown) for _ in range(1 + len(column.cells))] for column in columns]


def _aligned(texts: Sequence[str]) -> list[str]:
    """Texts of one width, at the right of it."""
    width = max(map(cell_len, texts))
    return [" " * (width - cell_len(text)) + text for text in texts]


@dataclass(frozen=True)
class Answer:
    """What a command has found, in every format.

    Attributes
    ----------
    page : callable
        For reading: gives paragraphs and tables for so many columns when it is asked for.
    table : callable
        Gives every row, unrounded.
    content : callable
        Gives everything, for JSON.
    paper : callable
        The table for a paper: in LaTeX or Markdown, by the name of either.
    distinguished : bool
        Whether any pair is.
    report : callable, optional
        Gives the page that is a file of its own; without it there is nothing for a page yet.
    figure : callable, optional
        Gives a figure as bytes in a format, and notes on it; without it there is nothing to draw.
    beside : sequence of str
        What is printed on standard error beside tables that have no place for it.
    notes : sequence of str
        What to beware of, printed likewise; `page`, `report` and `content` have it already.
    """

    page: Callable[[int], Iterable[Block]]
    table: Callable[[], pd.DataFrame]
    content: Callable[[], Mapping[str, Any]]
    paper: Callable[[Format], str]
    distinguished: bool = False
    report: Callable[[], str] | None = None
    figure: Callable[[Format], tuple[bytes, Sequence[str]]] | None = None
    beside: Sequence[str] = ()
    notes: Sequence[str] = ()

    def deliver(self, form: Format, output: Path | None) -> None:
        """Print it in a format, or write it to `output`."""
        self.deliver_all([(form, output)])

    def deliver_all(self, places: Sequence[tuple[Format, Path | None]]) -> None:
        """Print it, or write it to files, in these formats.

        Beside a report or a figure, or several files, the answer for reading is printed as well.
        """
        is_single = len(places) == 1
        is_page = any(form in (Format.html, *FIGURES) for form, _ in places)
        goes_to_screen = any(output in (None, STANDARD_OUTPUT) for _, output in places)
        is_shown = (is_page or not is_single) and not goes_to_screen
        if is_shown:
            show(self.page, None)
        for form, output in places:
            if form is Format.text:
                show(self.page, output)
            elif form is Format.html:
                if self.report is None:
                    self._say_beside([f"{output} is not written: there is nothing to report yet."])
                else:
                    deliver(self.report(), output)
            elif form in FIGURES:
                assert self.figure is not None  # only commands with a figure allow this format
                assert output is not None  # as was checked
                picture, notes = self.figure(form)
                self._say_beside(map(as_note, notes))
                deliver(picture, output)
            else:
                if not is_shown:
                    self._say_beside(self.beside)
                    if form is not Format.json:  # which has the notes in it
                        self._say_beside(map(as_note, self.notes))
                deliver(self._text(form), output)

    def _say_beside(self, lines: Iterable[str]) -> None:
        """Print lines on standard error."""
        for line in lines:
            typer.echo(f"mtsig: {visible(line)}", err=True)

    def _text(self, form: Format) -> str:
        """The answer for a program or a paper: in CSV, JSON, LaTeX or Markdown."""
        if form is Format.csv:
            return to_csv(self.table())
        if form is Format.json:
            plain = _plain(self.content())
            text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)
            # JSON may have these characters as they are; a terminal would obey them.
            return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        return self.paper(form)


#: How options are typed whose names in Python are others.
TYPED = {"n_resamples": "resamples"}


def as_note(text: str) -> str:
    """A note as a line of its own, with options as they are typed.

    >>> from mtsig_nb.sentences import Option, Sentence
    >>> as_note(Sentence("documents are known; use ", Option("units", "documents")))
    'Note: documents are known; use --units documents.'
    """
    return f"Note: {told(text, _as_typed)}."


def _as_typed(option: Option) -> str:
    """An option on the command line."""
    return f"--{TYPED.get(option.name, option.name)} {option.answer}"


def for_paper(
    frame: pd.DataFrame,
    digits: int = 2,
    *,
    caption: str = "",
    sentence: str = "",
    comments: Sequence[str] = (),
) -> Callable[[Format], str]:
    """A function that writes a table, rounded, in LaTeX or in Markdown, or its references.

    In LaTeX it has `caption`, `sentence` and `comments` as in `mtsig_nb.tables.PaperTable`.
    """

    def write(form: Format) -> str:
        if form is Format.bibtex:
            return entries(named_in(sentence))
        if form is not Format.latex:
            return to_markdown(frame, digits=digits)
        table = PaperTable(
            columns=printed(frame, digits=digits),
            caption=caption,
            sentence=sentence,
            comments=comments,
        )
        return table.to_latex()

    return write


def _plain(value: Any) -> Any:
    """`value` as JSON knows it: tables as lists of rows, null for what is missing or no number."""
    if isinstance(value, pd.DataFrame):
        value = value.to_dict("records")
    if isinstance(value, Mapping):
        return {str(key): _plain(content) for key, content in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value
