"""``make slides``: a deck of reveal.js for each part, written in ``notebooks/slides/PART.md``.

A deck has its words in Markdown; that of the one lecture takes most of its slides from the others.
Figures, tables and machines are computed when it is built, by code of the deck that goes on from
the code of a unit; polls are the units' and the inventory's.  docs/writing-slides.md says how a
deck is written, `tests/tools/course/test_decks.py` holds its numbers to the units.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import dataclasses
import html
import io
import re
import shutil
import sys
import warnings
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from jupyter_core.paths import jupyter_path
from markdown_it import MarkdownIt
from markupsafe import Markup
from matplotlib.figure import Figure
from matplotlib.text import Text

from mtsig_nb.components import Component
from mtsig_nb.plots import style
from mtsig_nb.writing import write_whole

from ..notebooks import files
from ..repository.missing_programs import chromium
from ..repository.templating import html_templates
from . import TEMPLATES, reading
from .inventory import LETTERS, read
from .reading import Choice

DECKS = files.SERIES / "slides"
OUTPUT = files.ROOT / "build" / "slides"
LOOKS = TEMPLATES / "deck"
#: Where Voilà keeps its reveal.js, with the speaker's window.
REVEAL = ("voila", "templates", "base", "static", "reveal.js")
KINDS = {"title", "section", "poll", "machine", "figure", "table", "idea", "remember"}
DECK = re.compile(r"<!-- deck, (\d+) min -->\n")
HEAD = re.compile(r"\s*<!-- (?:unit (\d+), )?(\w+), (\d+) min -->\n+# (.+)\n")
#: A slide of another deck, for as long as is said here; its title names it.
TAKEN = re.compile(r"\s*<!-- from deck (\d), (\d+) min -->\n+# (.+)\s*$")
LATER = re.compile(r"^\. \. \.$", re.MULTILINE)
BLOCK = re.compile(r"^```(show|guess|check|inventory)(?: (\d+))?\n(.*?)^```$", re.M | re.S)
#: Figures are drawn for a wall of 1280 by 720: a hundred dots an inch, letters of 25 dots.
DOTS = 100
SMALLEST = 24
LETTERS_OF = ("font.size", "axes.titlesize", "axes.labelsize", "legend.fontsize")
WALL: dict[Any, Any] = {
    **dict.fromkeys((*LETTERS_OF, "xtick.labelsize", "ytick.labelsize"), 18),
    "figure.dpi": DOTS,
    "figure.figsize": (11.7, 5.1),
    "figure.constrained_layout.use": True,
    "lines.linewidth": 3,
    "lines.markersize": 11,
}
#: What reveal.js is asked for in print: a slide is a page, with its answers.
PRINTED = "?print-pdf&margin=0&pdfSeparateFragments=false"
#: Of chance machines: those that make all resamples that there are.
LAST_BUTTONS = (
    "[...document.querySelectorAll('.mtsig-chance button')]"
    ".filter((button) => /^All /.test(button.textContent))"
)
#: The end of a `class`: the element appears with the next key.
NEXT_KEY = 'fragment" data-fragment-index="0"'
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclasses.dataclass(frozen=True)
class Slide:
    """A slide as it is written: what it is about, what is shown, and what is said to it."""

    unit: int | None
    kind: str
    minutes: int
    title: str
    body: str
    notes: str

    @classmethod
    def of(cls, text: str) -> Slide:
        """The slide that a piece of Markdown describes, or takes from another deck."""
        taken = TAKEN.match(text)
        if taken:
            deck, minutes, title = taken.groups()
            return dataclasses.replace(_titled(title, deck), minutes=int(minutes))
        head = HEAD.match(text)
        if not head or head[2] not in KINDS:
            raise files.NotebookError(
                f"a slide begins '<!-- unit 1, {'|'.join(sorted(KINDS))}, 3 min -->' and a title, "
                f"not {text.strip()[:60]!r}"
            )
        number, kind, minutes, title = head.groups()
        unit = int(number) if number else None
        body, _, notes = text[head.end() :].partition("\nNote:\n")
        return cls(unit, kind, int(minutes), title, body, notes.strip())


def _titled(title: str, deck: str) -> Slide:
    """The slide about a unit with this title, in the deck with this number."""
    (path,) = DECKS.glob(f"{deck}_*.md")
    about_units = [slide for slide in Deck(path).slides if slide.unit is not None]
    named = [slide for slide in about_units if slide.title == title]
    return files.nth(named, 1, f"{path.name}, {title!r}")


@dataclasses.dataclass(frozen=True)
class Deck:
    """A deck as it is written."""

    path: Path

    @cached_property
    def minutes(self) -> int:
        """How long the lecture is, by the deck's first line."""
        found = DECK.match(self.path.read_text(encoding="utf-8"))
        if not found:
            raise files.NotebookError(f"{self.path.name} begins '<!-- deck, 90 min -->'")
        return int(found[1])

    @cached_property
    def slides(self) -> list[Slide]:
        """Its slides, in order."""
        text = DECK.sub("", self.path.read_text(encoding="utf-8"), count=1)
        pieces = re.split(r"^---$", text, flags=re.MULTILINE)
        return [Slide.of(piece) for piece in pieces]

    @property
    def heading(self) -> str:
        """The title of the part that it is about, or else its own."""
        for part in files.parts():
            if part.folder == self.path.stem:
                return part.heading
        return self.slides[0].title


class Unit:
    """An executed unit: its questions, and its code, of which no more is run than is needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notebook = files.read(path)
        code = files.code_cells(self.notebook)
        self.left = [cell.source for cell in code if "raises-exception" not in files.tags(cell)]
        self.names: dict[str, Any] = {"np": np, "pd": pd, "plt": plt, "style": style}

    def value(self, code: str) -> Any:
        """What the last line of `code` is worth, once the cells have run that it builds upon."""
        while True:
            try:
                return self._last_line(code)
            except NameError as error:
                if not self.left:
                    raise files.NotebookError(f"{self.path.stem}: {error}") from error
                exec(self.left.pop(0), self.names)

    def _last_line(self, code: str) -> Any:
        """What the last line of `code` is worth by what has run so far."""
        scope = dict(self.names)
        plan = ast.parse(code)
        last = plan.body.pop()
        if not isinstance(last, ast.Expr):
            raise files.NotebookError(f"{self.path.stem}: the last line shows nothing: {code}")
        with plt.style.context([style.SHEET, WALL]):
            exec(compile(plan, self.path.stem, "exec"), scope)
            expression = ast.Expression(last.value)
            return eval(compile(expression, self.path.stem, "eval"), scope)

    def choices(self, kind: str, number: int) -> tuple[Choice, ...]:
        """The answers to a guess or to a question of "Check yourself"."""
        if kind == "guess":
            asked = reading.guesses(self.notebook)
        else:
            section = reading.sections(self.notebook)[reading.QUESTIONS]
            asked = reading.questions(section)
        return files.nth(asked, number, f"{self.path.stem}: {kind}").choices


@cache
def unit_of(number: int) -> Unit:
    """The unit with a number."""
    return Unit(reading.units()[number])


def shown(value: Any) -> str:
    """A figure, a table or a component as HTML."""
    if isinstance(value, Figure):
        return _picture(value)
    if isinstance(value, pd.DataFrame):
        numbered = isinstance(value.index, pd.RangeIndex)
        return value.to_html(border=0, index=not numbered, escape=False)
    if isinstance(value, Component):
        return value._repr_html_()
    raise files.NotebookError(
        f"a slide must show a figure, a table or a component, not {value!r:.60}"
    )


def _picture(figure: Figure) -> str:
    """A figure as a picture in HTML."""
    _refuse_small_letters(figure)
    alt = html.escape(style.alt_text(figure))
    if not alt:
        raise files.NotebookError(
            "a figure needs words for readers who cannot see it: call style.describe"
        )
    drawn = io.BytesIO()
    with plt.rc_context({"svg.hashsalt": "mtsig_nb"}):  # which no style may set
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    plt.close(figure)
    data = base64.b64encode(drawn.getvalue()).decode()
    width, height = (round(DOTS * inches) for inches in figure.get_size_inches())
    source = f"data:image/svg+xml;base64,{data}"
    return f'<img width="{width}" height="{height}" src="{source}" alt="{alt}">'


def _refuse_small_letters(figure: Figure) -> None:
    """Raise `NotebookError` for letters that nobody can read on a wall."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        words = text.get_text()
        size = float(text.get_fontsize()) * DOTS / 72
        if text.get_visible() and words.strip() and size < SMALLEST:
            raise files.NotebookError(f"{words!r} is {size:.0f} px high")


def rendered(slide: Slide) -> tuple[str, str]:
    """What a slide shows and what its speaker has, as HTML."""
    body = ""
    notes = slide.notes
    for number, piece in enumerate(LATER.split(slide.body)):
        shown_now, more_notes = _rendered_piece(slide, piece)
        notes += more_notes
        if number:
            index = number - 1
            body += f'<div class="fragment" data-fragment-index="{index}">{shown_now}</div>'
        else:
            body += shown_now
    return body, MARKDOWN.render(notes)


def _rendered_piece(slide: Slide, piece: str) -> tuple[str, str]:
    """What is shown at once, as HTML, and what is behind its polls, as Markdown for the notes."""
    markdown, *blocks = BLOCK.split(piece)
    body = MARKDOWN.render(markdown)
    notes = ""
    for kind, number, code, after in zip(*[iter(blocks)] * 4, strict=True):
        if kind == "show":
            body += shown(unit_of(slide.unit or 0).value(code))
        else:
            question, behind = _poll(slide, kind, int(number))
            body += question
            notes += f"\n\n{behind}"
        body += MARKDOWN.render(after)
    return body, notes


def _poll(slide: Slide, kind: str, number: int) -> tuple[str, str]:
    """Answers to choose from, of which the next key marks the right one, and what is behind."""
    if kind == "inventory":
        return _poll_of_inventory(number)
    choices = unit_of(slide.unit or 0).choices(kind, number)
    return _options(choices), _behind(choices)


def _poll_of_inventory(number: int) -> tuple[str, str]:
    """A question of the inventory; what its answer rests on is shown with the right answer."""
    inventory = read()
    item = files.nth(inventory.items, number, "inventory")
    choices = []
    for option in item.options:
        misconception = inventory.misconceptions.get(option.misconception, "")
        choices.append(Choice(option.text, option.right, misconception))
    stem = MARKDOWN.render(item.stem)
    because = f'<div class="{NEXT_KEY}>{MARKDOWN.render(item.because)}</div>'
    return f"{stem}{_options(choices)}{because}", _behind(choices)


def _options(choices: Sequence[Choice]) -> str:
    """The answers as a list in HTML."""
    lines = ""
    for choice in choices:
        text = _in_one_line(choice.text)
        lines += f'<li class="right {NEXT_KEY}>{text}</li>' if choice.right else f"<li>{text}</li>"
    return f'<ol class="options">{lines}</ol>'


def _behind(choices: Sequence[Choice]) -> str:
    """What the speaker can say to whoever chose an answer, as a list in Markdown."""
    lines = ""
    for letter, choice in zip(LETTERS, choices, strict=False):
        text = "which is right" if choice.right else _in_one_line(choice.text)
        feedback = _in_one_line(choice.feedback)
        lines += (
            f"- **{letter}**, {text}: {feedback}\n" if feedback else f"- **{letter}**, {text}\n"
        )
    return lines


def _in_one_line(text: str) -> str:
    """A text without line breaks."""
    return text.replace("\n", " ")


def write(deck: Deck, folder: Path) -> Path:
    """The page of a deck; `prepare` puts beside it what it loads."""
    slides = []
    begins = 0
    for number, slide in enumerate(deck.slides, 1):
        try:
            title = MARKDOWN.renderInline(slide.title)
            body, notes = rendered(slide)
        except Exception as error:
            raise files.NotebookError(f"{deck.path.name}, slide {number}: {error}") from error
        slides.append((slide, begins, Markup(title), Markup(body), Markup(notes)))
        begins += slide.minutes
    path = folder / f"{deck.path.stem}.html"
    template = html_templates(LOOKS).get_template("deck.html.j2")
    write_whole(path, template.render(deck=deck, slides=slides))
    return path


def printed(page: Path, browser: str) -> tuple[Path, Path]:
    """A deck as reveal.js prints it, a slide a page, and all slides on one picture.

    Machines have done what they can do.
    """
    from playwright.sync_api import sync_playwright  # others need no browser

    pdf = page.with_suffix(".pdf")
    sheet = page.with_suffix(".png")
    with sync_playwright() as playwright:
        # No sandbox: the page is our own, and asks for nothing.
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        paper = opened.new_page(viewport={"width": 1280, "height": 720})
        paper.goto(page.resolve().as_uri() + PRINTED)
        paper.wait_for_selector(".pdf-page")
        paper.evaluate(f"{LAST_BUTTONS}.forEach((button) => button.click())")
        paper.wait_for_function(f"{LAST_BUTTONS}.every((one) => one.disabled)", timeout=120_000)
        paper.pdf(path=pdf, prefer_css_page_size=True, print_background=True)
        paper.set_viewport_size({"width": 1640, "height": 900})
        paper.add_style_tag(path=LOOKS / "sheet.css")
        paper.screenshot(path=sheet, full_page=True)
        opened.close()
    return pdf, sheet


def prepare(folder: Path) -> None:
    """Fill the folder with what all decks load."""
    installed = [Path(place) for place in jupyter_path(*REVEAL)]
    there = [path for path in installed if path.exists()]
    if not there:
        raise files.NotebookError(f"there is no {'/'.join(REVEAL)}: install requirements.lock")
    beside = folder / "reveal"
    beside.mkdir(parents=True, exist_ok=True)
    for path in (there[0], LOOKS / "reveal.css", LOOKS / "wall.css"):
        shutil.copyfile(path, beside / path.name)


def main(arguments: list[str] | None = None) -> int:
    """Write every deck; the exit status is 1 if one asks for what its units do not have."""
    parser = argparse.ArgumentParser(prog="make slides", description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="1", help="decks whose names begin so")
    parser.add_argument(
        "--pdf", action="store_true", help="print each deck, and a sheet of all its slides"
    )
    asked = parser.parse_args(arguments)
    browser = chromium()
    try:
        prepare(asked.output)
        pages = []
        for path in sorted(DECKS.glob(f"{asked.only}*.md")):
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # cells show figures, and here is no window
                pages.append(write(Deck(path), asked.output))
        for page in pages:
            print(files.shown(page))
            if asked.pdf and browser:
                print(*printed(page, browser), sep="\n")
    except files.NotebookError as error:
        print(f"make slides: {error}", file=sys.stderr)
        return 1
    if asked.pdf and not browser:
        print("No PDF: Chromium is not installed.")
    print(
        "Keys: arrows to move, s for the speaker's notes, o for all slides, f for the full screen."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
