"""The pages of ``make run``: one a unit, a map, and what units link to; they need no network."""

from __future__ import annotations

import dataclasses
import itertools
import re
import shutil
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from markupsafe import Markup
from nbconvert import HTMLExporter
from traitlets.config import Config

import mtsig_nb as mt
from mtsig_nb.teaching import Headline, chance_machine, inventory
from mtsig_nb.writing import write_whole

from ..notebooks import files
from ..repository import check_links
from ..repository.templating import html_templates

TEMPLATES = Path(__file__).parent / "templates"
#: What pages take from the book: guesses, and figures and tables that are scrolled.
SHARED = files.ROOT / "book" / "_static"
SHARED_NAMES = ("guess.css", "guess.js", "figures.css", "scrolled.js")
MATHJAX_URL = "mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full,Safe"
PICTURES = (".svg", ".png", ".gif")
INVENTORY = files.INVENTORY.with_suffix(".ipynb")
EMPTY_HEAD = re.compile(r"<th((?:\s[^>]*)?)>\s*(?:<p></p>)?\s*</th>")
#: Tags by which a cell hides what is not its subject.
PAGE = Config(
    TagRemovePreprocessor={
        "enabled": True,
        "remove_input_tags": files.HIDDEN,
        "remove_all_outputs_tags": {"remove-output"},
    }
)


def machine() -> str:
    """A chance machine as HTML: the first thing that a visitor does is toss.

    Its pair is no unit's, so that no guess is given away.
    """
    bleu = mt.load("wmt21/de-en").statistics("BLEU")
    return chance_machine(bleu, "HuaweiTSC", "Facebook-AI", rng=2014)._repr_html_()


def with_plain_corners(page: str) -> str:
    """A page in which no head of a column or row is empty.

    Tables of pandas and of Markdown have one in their corner, which a screen reader would announce
    as a head without a name.
    """
    return EMPTY_HEAD.sub(r"<td\1></td>", page)


def plain_page(template: str, **shown: object) -> str:
    """A page that is no notebook."""
    return html_templates(TEMPLATES).get_template(template).render(shown)


@dataclasses.dataclass(frozen=True)
class Unit:
    """What a notebook says of itself: its title and its question."""

    path: Path
    title: str
    question: str

    @classmethod
    def of(cls, path: Path) -> Unit:
        """The unit at `path`."""
        cells = files.text_cells(files.read(path))
        first = cells[0].source if cells else ""
        heading, _, rest = first.partition("\n")
        title = _plain(heading.removeprefix("# ")) or path.stem
        paragraph, _, _ = rest.strip().partition("\n\n")
        is_prose = paragraph[:1] not in "*-|"
        question = _plain(paragraph) if is_prose else ""
        return cls(path, title, question)

    @property
    def page(self) -> str:
        """Where its page is, from the map: pages lie in parts, as notebooks do."""
        place = Path(self.path.name)
        if self.path.is_relative_to(files.SERIES):
            place = self.path.relative_to(files.SERIES)
        return place.with_suffix(".html").as_posix()


def _plain(markdown: str) -> str:
    """A paragraph of Markdown as text."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    words = re.sub(r"[*`]", "", without_links).split()
    return " ".join(words)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How one notebook went."""

    unit: Unit
    seconds: float
    headlines: list[Headline]
    failure: str = ""


def _part_of(outcome: Outcome) -> files.Part | None:
    """The part of the series that a notebook belongs to."""
    return files.part_of(outcome.unit.path)


@dataclasses.dataclass(frozen=True)
class Pages:
    """A folder of pages, one for each of `units`, in their order."""

    folder: Path
    units: Sequence[Unit]

    @cached_property
    def places(self) -> dict[Path, str]:
        """Where the folder has what units link to: other units, documents, labs to download."""
        places = {unit.path: unit.page for unit in self.units}
        documents = files.ROOT / "docs"
        for document in sorted(documents.rglob("*")):
            place = Path("docs") / document.relative_to(documents)
            if document.suffix == ".md":
                places[document] = place.with_suffix(".html").as_posix()
            elif document.suffix in PICTURES:
                places[document] = place.as_posix()
        for lab in files.student_labs():
            places[lab] = f"labs/{lab.name}"
        places[INVENTORY] = "inventory.html"
        return places

    def prepare(self) -> None:
        """Empty the folder of earlier pages, and fill it with all that needs no running."""
        self._remove_earlier_pages()
        files.copy_mathjax(self.folder / "mathjax")
        for name in SHARED_NAMES:
            shutil.copyfile(SHARED / name, self.folder / name)
        for path, place in self.places.items():
            target = self.folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                self._write_document(path)
            elif path == INVENTORY:
                self._write_inventory()
            elif path.suffix in PICTURES:
                shutil.copyfile(path, target)
            else:
                shutil.copyfile(path, target.with_suffix(".ipynb"))

    def _remove_earlier_pages(self) -> None:
        parts = [part.folder for part in files.parts()]
        for name in ("", *parts, "labs"):
            for pattern in ("*.html", "*.ipynb"):
                for page in (self.folder / name).glob(pattern):
                    page.unlink()
        shutil.rmtree(self.folder / "docs", ignore_errors=True)

    def write(self, notebook: nbformat.NotebookNode, number: int) -> None:
        """The page of a unit: figures embedded, formulas by the MathJax beside it."""
        unit = self.units[number]
        check_links.relink(notebook, unit.path, self._lead(unit.page))
        to_map = "../" * unit.page.count("/")
        exporter = HTMLExporter(
            config=PAGE,
            template_name="offline",
            extra_template_basedirs=[str(TEMPLATES)],
            mathjax_url=to_map + MATHJAX_URL,
        )
        resources: dict[str, Any] = {"metadata": {"name": unit.title}, "to_map": to_map}
        resources["previous"] = self.units[number - 1] if number > 0 else None
        is_last = number + 1 == len(self.units)
        resources["next"] = None if is_last else self.units[number + 1]
        page, _ = exporter.from_notebook_node(notebook, resources)
        # nbconvert makes every cell a stop for the keyboard, at which there is nothing to do.
        page = page.replace(' tabindex="0"', "")
        page = with_plain_corners(page)
        page = re.sub(r'(<a href="[^"]*/labs/[^"]*\.ipynb")', r"\1 download", page)
        write_whole(self.folder / unit.page, page)

    def write_map(self, outcomes: Sequence[Outcome]) -> None:
        """The first page: every unit with its question, and the numbers that it publishes."""
        parts = []
        for part, group in itertools.groupby(outcomes, _part_of):
            parts.append({"part": part, "outcomes": list(group)})
        toss = Markup(machine())
        self._write_plain("index.html", "map.html.j2", parts=parts, machine=toss)

    def _write_inventory(self) -> None:
        """The concept inventory to answer alone, with links to the units to read again."""
        units = {}
        for path in files.series():
            number, _, _ = path.stem.partition("_")
            if number.isdigit():
                unit = Unit.of(path)
                units[int(number)] = {"title": unit.title, "page": unit.page}
        component = inventory(files.INVENTORY, units=units)
        n_questions = len(component.data["questions"])
        html = Markup(component._repr_html_())
        place = self.places[INVENTORY]
        self._write_plain(place, "inventory.html.j2", component=html, n_questions=n_questions)

    def _write_document(self, path: Path) -> None:
        place = self.places[path]
        source = path.read_text(encoding="utf-8")
        rendered = check_links.renderer(".md").render(source)
        linked = check_links.relinked_html(rendered, path, self._lead(place))
        html = Markup(with_plain_corners(linked))
        heading, _, _ = source.partition("\n")
        title = _plain(heading.removeprefix("# "))
        self._write_plain(place, "document.html.j2", title=title, html=html)

    def _write_plain(self, place: str, template: str, **shown: object) -> None:
        to_map = "../" * place.count("/")
        licences = f"{to_map}docs/licences.html"
        page = plain_page(template, licences=licences, to_map=to_map, **shown)
        write_whole(self.folder / place, page)

    def _lead(self, here: str) -> check_links.Lead:
        """From the page `here` to another; of what has no page the words stay."""
        return check_links.leading(Path(here).parent, self.places.get)
