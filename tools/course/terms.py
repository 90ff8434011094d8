"""Terms, which no unit uses before another has said, in the glossary's words, what they mean."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from .. import notebook_files as files
from .structure import LINK, prose, texts

GLOSSARY = files.ROOT / "docs" / "glossary.md"
UNIT_NUMBER = re.compile(r"(\d\d)_\w+\.ipynb")
#: Terms that are English, too.  A reader who meets them early takes them for what they mean in any
#: text, and is not misled; what they mean in a test is said where that begins to matter.
EVERYDAY = {
    *("advantage", "agreement", "cluster", "conclusion", "correction", "coverage", "distinguished"),
    *("document", "family", "level", "paired", "population", "power", "rater", "rating"),
    *("resample", "sensitivity", "statistic", "unit"),
}


@dataclasses.dataclass(frozen=True)
class Term:
    """An entry of the glossary: the term, its first sentence, the unit that introduces it."""

    name: str
    sentence: str
    number: int | None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The term as prose has it: with a capital, or in the plural."""
        words = re.escape(self.name.removesuffix("s"))
        return re.compile(rf"(?<![\w-]){words}(s|es)?(?![\w-])", re.IGNORECASE)


def glossary(path: Path | None = None) -> list[Term]:
    """All entries; what only says "see" has no sentence."""
    path = path or GLOSSARY
    _, *parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_term(*entry, path.parent) for entry in zip(parts[::2], parts[1::2], strict=True)]


def _term(name: str, text: str, folder: Path) -> Term:
    linked = [(folder / to).resolve() for _, to in LINK.findall(text) if to.endswith(".ipynb")]
    units = [number_of(unit) for unit in linked if files.part_of(unit)]
    # "Of a test: …" says of what an adjective is said, and is no part of a sentence.
    said = re.sub(r"^of [^:.]*: ", "", normalised(text))
    sentence = re.split(r"[.;](?=\s|$)", said, maxsplit=1)[0]
    return Term(
        name,
        "" if text.strip().startswith("See [") else sentence,
        units[0] if units else None,
    )


def number_of(unit: Path) -> int:
    """The number of a unit; the bench comes after all."""
    numbered = UNIT_NUMBER.fullmatch(unit.name)
    return int(numbered[1]) if numbered else 99


def normalised(markdown: str) -> str:
    """Markdown as plain words on one line, in small letters."""
    plain = re.sub(r"[*`]", "", LINK.sub(r"\1", markdown))
    return " ".join(re.sub(r"^> ?", "", plain, flags=re.MULTILINE).split()).casefold()


def problems(notebook: nbformat.NotebookNode, path: Path) -> Iterator[str]:
    """What is wrong with the words of the unit at `path`."""
    number = number_of(path)
    for term in glossary():
        if term.number == number:
            yield from defined(term, notebook)
        elif term.name not in EVERYDAY and term.number is not None and term.number > number:
            yield from used_too_early(term, notebook, number)


def defined(term: Term, notebook: nbformat.NotebookNode) -> Iterator[str]:
    """What is missing where a unit should say what `term` means."""
    text = " ".join("\n\n".join(texts(notebook)).split())
    bold = [words.strip(" .,:;") for words in re.findall(r"\*\*(.+?)\*\*", text)]
    if not any(term.pattern.fullmatch(words) for words in bold):
        yield f"introduces {term.name!r} (docs/glossary.md), so it has to have it in bold"
    if term.sentence not in normalised("\n\n".join(texts(notebook))):
        yield (
            f"introduces {term.name!r}, so it has to have the first sentence of its entry in "
            f"docs/glossary.md, word for word: {term.sentence!r}"
        )


def used_too_early(term: Term, notebook: nbformat.NotebookNode, number: int) -> Iterator[str]:
    """Where unit `number` uses a term of a later unit; in links to later units it may."""

    def ahead(link: re.Match[str]) -> str:
        to = UNIT_NUMBER.search(link[2])
        return "" if to and int(to[1]) > number else link[0]

    for text in texts(notebook):
        words = prose(LINK.sub(ahead, text))
        if match := term.pattern.search(words):
            around = words[max(0, match.start() - 30) : match.end() + 30]
            yield f"uses {term.name!r}, which a later unit introduces: '…{around}…'"
