"""Decks by nbconvert and reveal.js of what units show, for parts whose deck nobody has written.

``notebooks/slides/PART.toml`` names what is shown, in order, and what to say to it.  The words,
figures, cells and answers themselves are taken from the executed units, so no slide can say what
its unit does not, and no unit has to be executed again for a slide.
"""

from __future__ import annotations

import copy
import dataclasses
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from nbconvert import SlidesExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mtsig_nb.writing import write_whole

from . import check_links, course
from . import notebook_files as files
from .course import number_of
from .inventory import Inventory, Item, read
from .pages import MATHJAX_URL, PAGE, TEMPLATES

DECKS = files.SERIES / "slides"
LOOKS = TEMPLATES / "deck"
#: The kinds of slides, by the key that a deck names them with, and what else it may say.
KINDS = ("guess", "figure", "cell", "terms", "check", "limits")
ASIDE = {"title", "say"}

Cells = list[nbformat.NotebookNode]

#: What a slide has of a unit: the heading that it stands under there, and its cells.
Shown = tuple[str, Cells]


@dataclasses.dataclass(frozen=True)
class Unit:
    """An executed unit, in the pieces that slides are made of."""

    path: Path

    @cached_property
    def notebook(self) -> nbformat.NotebookNode:
        """The unit, its links within the repository reduced to their words."""
        notebook = files.read(self.path)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = check_links.relinked(cell.source, self.path, lambda *_: None)
        return notebook

    @cached_property
    def paragraphs(self) -> list[str]:
        """Its text, paragraph by paragraph."""
        return "\n\n".join(course.texts(self.notebook)).split("\n\n")

    @property
    def opening(self) -> Cells:
        """The title and the question that it begins with."""
        return [text(f"{self.paragraphs[0]}\n\n{self.paragraphs[1]}")]

    def guess(self, number: int) -> Shown:
        """A guess, then how its answer begins; the whole answer is the speaker's."""
        question, answer = (
            files.nth(list(filter(kind.match, self.paragraphs)), number, f"{self.path.stem}: guess")
            for kind in (course.GUESS, course.ANSWER)
        )
        begins = re.match(r"\*\*The guess\.\*\* .*?[.?](?=\s|$)", answer, re.DOTALL)
        fragment = text(begins[0] if begins else answer, "fragment")
        shown = text(course.with_listed_options(question))
        return "", [shown, text(answer, "notes"), fragment]

    def figure(self, number: int) -> Shown:
        """A figure; how the unit walks along it is the speaker's."""
        cells = self.notebook.cells
        places = [k for k, cell in enumerate(cells) if course.shows_a_figure(cell)]
        place = files.nth(places, number, f"{self.path.stem}: figure")
        outputs = [out for out in cells[place].outputs if "image/png" in out.get("data", {})]
        picture = new_code_cell(outputs=outputs, metadata={"tags": ["remove-input"]})
        below = next(cell.source for cell in cells[place:] if cell.cell_type == "markdown")
        walk = course.ANSWER.split(course.HEADING.split(below)[0])[0]
        return self._heading_above(place), [picture, text(walk, "notes")]

    def cell(self, part: str) -> Shown:
        """The one code cell whose source has `part`, with its output."""
        cells = self.notebook.cells
        places = [k for k, c in enumerate(cells) if c.cell_type == "code" and part in c.source]
        if len(places) != 1:
            raise files.NotebookError(
                f"{self.path.stem}: {len(places)} code cells have {part!r}; name one of them"
            )
        return self._heading_above(places[0]), [cells[places[0]]]

    def terms(self, names: Sequence[str]) -> Shown:
        """The sentences that say what words mean."""
        return "In words", [text(f"- {self._definition(name)}") for name in names]

    def check(self, number: int) -> Shown:
        """A question of "Check yourself", then its answer."""
        asked = course.FOLD.split(course.sections(self.notebook)[course.QUESTIONS])
        pairs = list(zip(asked[::2], asked[1::2], strict=False))
        question, answer = files.nth(pairs, number, f"{self.path.stem}: question")
        shown = text(course.with_listed_options(question))
        return course.QUESTIONS, [shown, text(answer, "fragment")]

    def limits(self, _: bool) -> Shown:
        """What the unit does not tell."""
        return course.LIMITS, [text(course.sections(self.notebook)[course.LIMITS])]

    def _definition(self, name: str) -> str:
        sentence = rf"(?:(?<=[.?!)] )|^)[^.?!]*\*\*{re.escape(name)}\*\*.*?[.?!](?=\s|$)"
        for paragraph in self.paragraphs:
            if said := re.search(sentence, " ".join(paragraph.split())):
                return said[0]
        raise files.NotebookError(f"{self.path.stem}: no sentence has **{name}**")

    def _heading_above(self, place: int) -> str:
        above = [c.source for c in self.notebook.cells[:place] if c.cell_type == "markdown"]
        return re.findall(r"^##? (.+)$", "\n".join(above), re.MULTILINE)[-1]


def text(markdown: str, kind: str = "-") -> nbformat.NotebookNode:
    """A text cell; `kind` is nbconvert's: "-" goes on with the slide, "fragment" comes later."""
    return new_markdown_cell(markdown.strip(), metadata={"slideshow": {"slide_type": kind}})


def decks() -> list[Path]:
    """The decks, in the order of the parts."""
    return sorted(DECKS.glob("*.toml"))


def notebook_of(deck: Path) -> nbformat.NotebookNode:
    """The slides of a deck, as a notebook that nbconvert makes slides of."""
    part = next((part for part in files.parts() if part.folder == deck.stem), None)
    if part is None:
        raise files.NotebookError(f"{deck.name}: the series has no part {deck.stem!r}")
    written = tomllib.loads(deck.read_text(encoding="utf-8"))
    title = text(f"# {part.heading}\n\n{part.about}", "slide")
    cells = [title, text(written.get("say", ""), "notes")]
    inventory = read()
    for unit in written["unit"]:
        path = files.SERIES / part.folder / f"{unit['name']}.ipynb"
        if not path.exists():
            raise files.NotebookError(f"{deck.name}: the part has no unit {unit['name']!r}")
        cells += of_unit(Unit(path), unit)
        for item in inventory.items:
            if item.unit == number_of(path):
                cells += poll(item, inventory)
    return new_notebook(cells=cells, metadata={**files.METADATA, "title": part.heading})


def of_unit(unit: Unit, written: Mapping[str, Any]) -> Iterator[nbformat.NotebookNode]:
    """The cells of one unit's slides: its question to the right, the others below it."""
    yield from placed(unit.opening, "slide", written.get("say", ""))
    for slide in written.get("slide", []):
        kinds = [kind for kind in slide if kind not in ASIDE]
        if len(kinds) != 1 or kinds[0] not in KINDS:
            raise files.NotebookError(
                f"{unit.path.stem}: a slide shows one of {', '.join(KINDS)}; this one has {kinds}"
            )
        heading, cells = getattr(unit, kinds[0])(slide[kinds[0]])
        heading = slide.get("title", heading)
        above = [text(f"## {heading}")] if heading else []
        yield from placed([*above, *cells], "subslide", slide.get("say", ""))


def poll(item: Item, inventory: Inventory) -> Cells:
    """A question of the concept inventory; the speaker has what is behind each wrong answer."""
    options = "\n\n".join(f"**{letter}.** {option.text}" for letter, option in item.lettered)
    right, _ = item.lettered[item.position]
    behind = "\n".join(
        f"- **{letter}.** {inventory.misconceptions[option.misconception]}"
        for letter, option in item.lettered
        if not option.right
    )
    answer = text(f"**{right}.** {item.because}", "fragment")
    number = inventory.items.index(item) + 1
    shown = [text(f"## Poll {number}\n\n{item.stem}"), text(options), text(behind, "notes"), answer]
    return placed(shown, "subslide", "")


def placed(cells: Cells, kind: str, say: str) -> Cells:
    """The cells of one slide, of which the first says where it begins, and what to say to it."""
    first, *others = copy.deepcopy(cells)
    first.metadata["slideshow"] = {"slide_type": kind}
    return [first, *([text(say, "notes")] if say else []), *others]


def write(deck: Path, folder: Path) -> Path:
    """The page of a deck; `prepare` puts beside it what it loads."""
    exporter = SlidesExporter(
        config=PAGE,
        template_name="deck",
        extra_template_basedirs=[str(TEMPLATES)],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
        mathjax_url=MATHJAX_URL,
        reveal_url_prefix="reveal",
        reveal_theme="deck",
    )
    page, _ = exporter.from_notebook_node(notebook_of(deck))
    path = folder / f"{deck.stem}.html"
    write_whole(path, page)
    return path


def write_all(folder: Path, only: str = "") -> list[Path]:
    """The pages of all decks that are still derived, and what these alone load."""
    looks = folder / "reveal" / "dist"
    (looks / "theme").mkdir(parents=True, exist_ok=True)
    for name in ("reveal.js", "reveal.css"):
        shutil.copyfile(folder / "reveal" / name, looks / name)
    shutil.copyfile(LOOKS / "theme.css", looks / "theme" / "deck.css")
    files.copy_mathjax(folder / "mathjax")
    return [write(deck, folder) for deck in decks() if deck.stem.startswith(only)]
