"""What a unit of the course asks of its reader, counted, and what every unit has to have.

``python -m tools.course 07`` prints it; `tests/repository/test_course.py` holds every unit to it.
CONTRIBUTING.md has the conventions for whoever writes one.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat

from . import notebook_files as files
from .notebook_links import TAG as LINKS_TAG

#: The rule of docs/lecturers.md: counted, not measured on anybody.
WORDS_A_MINUTE, MINUTES_A_CELL, MINUTES_A_GUESS, MINUTES_AN_EXERCISE = 150, 1, 1, 5
MINUTES_A_DISCUSSION = 5
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
GUESS = re.compile(r"^> \*\*Make a guess\.\*\*", re.MULTILINE)
ANSWER = re.compile(r"^\*\*The guess\.\*\*", re.MULTILINE)
OPTION = re.compile(r'^> <details( class="right")?><summary>', re.MULTILINE)
#: In this form alone Markdown inside a fold is Markdown on every page.
FOLD = re.compile(r"^<details>\s*<summary>.*?</summary>\n\s*\n(.*?)\n\s*\n</details>$", re.M | re.S)
EXERCISE = re.compile(r"^\*\*(\d+)\.\*\*", re.MULTILINE)
LIMITS, QUESTIONS, EXERCISES = "What this does not tell you", "Check yourself", "Exercises"
#: Shorter paragraphs have no readability to speak of.
FEWEST_WORDS = 25
HEADING = re.compile(r"^#{1,6} .+$", re.MULTILINE)
#: What a unit says of itself below its question: objectives, and a line with the rest.
AIMS = re.compile(
    r"^<details><summary>After this unit you can …</summary>\n\n(.*?)\n\n(.*?)\n\n</details>$",
    re.MULTILINE | re.DOTALL,
)
#: An objective: a verb of which an answer shows whether somebody can do it, and what asks for it.
OBJECTIVE = re.compile(
    r"(choose|compare|compute|construct|count|find|judge|name|predict|read|say|simulate|tell|write)"
    r"\b.*\((question|exercise)s? \d"
)
TESTED_BY = re.compile(r"(question|exercise)s? ([\d, and]*\d)")
#: Stands for a code cell in the text of a section.
CODE = "\0"


@dataclasses.dataclass(frozen=True)
class Reading:
    """How long a unit is: words before its exercises, code cells in view, guesses, exercises."""

    words: int
    cells: int
    guesses: int
    exercises: int

    @classmethod
    def of(cls, notebook: nbformat.NotebookNode) -> Reading:
        """Count what there is to read, to run, to guess and to do."""
        in_view = [
            cell
            for cell in notebook.cells
            if cell.cell_type == "code" and not files.HIDDEN & set(cell.metadata.get("tags", []))
        ]
        all_words = sum(n_words(text) for text in texts(notebook))
        to_do = sections(notebook).get(EXERCISES, "")
        return cls(
            all_words - n_words(to_do.replace(CODE, " ")),
            len(in_view),
            len(GUESS.findall("\n\n".join(texts(notebook)))),
            len(EXERCISE.findall(to_do)),
        )

    @property
    def minutes(self) -> float:
        """In class, where exercises are left for home."""
        return (
            self.words / WORDS_A_MINUTE
            + self.cells * MINUTES_A_CELL
            + self.guesses * MINUTES_A_GUESS
        )

    @property
    def at_home(self) -> int:
        """For the exercises."""
        return self.exercises * MINUTES_AN_EXERCISE


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """The text cells, without the one of links that is not the writer's."""
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown" and LINKS_TAG not in cell.metadata.get("tags", [])
    ]


def prose(markdown: str) -> str:
    """Markdown without code, formulas, addresses, tags, marks and what a guess may be told."""
    for pattern, put in (
        (r"^> <details.*?</details>", " "),
        (r"^(```|~~~).*?^\1", " "),
        (r"`+[^`]*`+", " "),
        (r"\$\$.*?\$\$|\$[^$\n]+\$", " "),
        (LINK.pattern, r"\1"),
        (r"<!--.*?-->|</?\w[^>]*>", " "),
        (r"[*#>|]", " "),
    ):
        markdown = re.sub(pattern, put, markdown, flags=re.MULTILINE | re.DOTALL)
    return " ".join(markdown.split())


def n_words(markdown: str) -> int:
    """Words of prose."""
    return sum(any(map(str.isalnum, word)) for word in prose(markdown).split())


# What is wrong with a unit, each in words that say where.


def problems(notebook: nbformat.NotebookNode) -> list[str]:
    """All that can be said of one unit without looking at others."""
    return [*guesses(notebook), *ending(notebook)]


def shows_a_figure(cell: nbformat.NotebookNode) -> bool:
    """Whether a picture is among its outputs."""
    shown = [output.get("data", {}) for output in cell.get("outputs", [])]
    return any(
        any(kind.startswith("image/") for kind in data)
        or re.search(r"<(img|svg)\b", data.get("text/html", ""))
        for data in shown
    )


def guesses(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Guesses without their answers, in order."""
    text = "\n\n".join(texts(notebook))
    asked = [match.start() for match in GUESS.finditer(text)]
    answered = [match.start() for match in ANSWER.finditer(text)]
    if not asked:
        yield "asks for no guess: a quotation that begins '> **Make a guess.**'"
    if len(asked) != len(answered):
        yield (
            f"asks for {len(asked)} guesses and answers {len(answered)}; an answer is a paragraph "
            "that begins '**The guess.**'"
        )
    for number, (ask, answer) in enumerate(zip(asked, answered, strict=False), start=1):
        if answer < ask:
            yield f"answers guess {number} before it asks for it"
        options = OPTION.findall(text[ask : text.find("\n\n", ask)])
        if len(options) < 2 or sum(map(bool, options)) != 1:
            yield f"guess {number} has not two answers or more in folds, one of class 'right'"


def ending(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """What stands at the end of every unit: limits, questions, exercises, links."""
    in_order = sections(notebook)
    found = [title for title in in_order if title in (LIMITS, QUESTIONS, EXERCISES)]
    if found != [LIMITS, QUESTIONS, EXERCISES]:
        yield f"has to have '## {LIMITS}', '## {QUESTIONS}' and '## {EXERCISES}', in this order"
        return
    questions = len(FOLD.findall(in_order[QUESTIONS]))
    if questions < 3:
        yield f"'## {QUESTIONS}' has {questions} folds with an answer, 3 are the fewest"
    choices = [bool(right) for right in OPTION.findall(in_order[QUESTIONS])]
    if choices.count(True) != questions or len(choices) < 2 * questions:
        yield f"a question of '## {QUESTIONS}' has not two choices or more, one of class 'right'"
    _, *exercises = EXERCISE.split(in_order[EXERCISES])
    numbers, tasks = exercises[::2], exercises[1::2]
    if numbers not in (["1", "2"], ["1", "2", "3"]):
        yield (
            f"'## {EXERCISES}' has to have two or three paragraphs that begin '**1.**', '**2.**' "
            "and so on"
        )
    for number, task in zip(numbers, tasks, strict=True):
        if not FOLD.search(task) and CODE not in task:
            yield f"exercise {number} has no answer: a fold, or a code cell"


def with_listed_options(markdown: str) -> str:
    """A question or guess for paper and wall: what may be said as a list, without the replies."""
    pattern = r"^> <details[^>]*><summary>(.*?)</summary>.*?</details>"
    return re.sub(pattern, r"> - \1", markdown, flags=re.MULTILINE | re.DOTALL)


def sections(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The text below each heading of the second level, in order."""
    cells = (cell.source if cell.cell_type == "markdown" else CODE for cell in notebook.cells)
    _, *parts = re.split(r"^## (.+?) *$", "\n\n".join(cells), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@dataclasses.dataclass(frozen=True)
class Aims:
    """What can be done after a unit, what it needs, its minutes, its terms: as the unit says."""

    objectives: tuple[str, ...]
    needs: tuple[int, ...]
    read: int
    teach: int
    terms: tuple[str, ...]

    @classmethod
    def of(cls, notebook: nbformat.NotebookNode) -> Aims:
        """Read the fold below the question, with which the unit begins."""
        said = AIMS.search(notebook.cells[0].source)
        if said is None:
            raise files.NotebookError("has no fold 'After this unit you can …' below its question")
        listed = [" ".join(one.split()) for one in re.split(r"^- ", said[1], flags=re.M)[1:]]
        about, _, terms = " ".join(said[2].split()).partition(" New terms: ")
        *needs, read, teach = map(int, re.findall(r"\d+", about))
        new = terms.removesuffix(".").split(", ") if terms != "none." else ()
        objectives = tuple(objective.rstrip(";.") for objective in listed)
        return cls(objectives, tuple(needs), read, teach, tuple(new))

    def tested_by(self, kind: str) -> list[int]:
        """The numbers of all questions, or exercises, that the objectives name."""
        named = (TESTED_BY.findall(objective) for objective in self.objectives)
        return [
            int(n) for each in named for k, ns in each if k == kind for n in re.findall(r"\d+", ns)
        ]


@cache
def all_aims() -> dict[int, Aims]:
    """The aims of all numbered units, from their sources."""
    numbered = {number_of(pair.notebook): pair.source for pair in files.pairs()}
    numbered.pop(99)  # the bench, and labs
    return {number: Aims.of(files.from_source(source)) for number, source in numbered.items()}


def all_needs(number: int) -> set[int]:
    """The units that a unit needs, and those that they need."""
    return set(direct := all_aims()[number].needs).union(*map(all_needs, direct))


def of_aims(notebook: nbformat.NotebookNode, path: Path) -> Iterator[str]:
    """What is wrong with what the unit at `path` says of itself; the bench says nothing."""
    number = number_of(path)
    if number not in all_aims():
        return
    aims, reading, in_order = Aims.of(notebook), Reading.of(notebook), sections(notebook)
    if len(aims.objectives) not in (2, 3):
        yield f"has {len(aims.objectives)} objectives; two or three can be kept in mind"
    for objective in aims.objectives:
        if not OBJECTIVE.match(objective):
            yield f"'{objective}' needs a verb that can be tested, and the questions that test it"
    there = set(range(1, len(FOLD.findall(in_order[QUESTIONS])) + 1))
    if set(aims.tested_by("question")) != there:
        yield f"has to name its questions {sorted(there)} in its objectives, and no others"
    if max(aims.tested_by("exercise"), default=0) > reading.exercises:
        yield "names an exercise that is not there"
    if abs(aims.read - reading.minutes) > 1 or aims.teach != aims.read + MINUTES_A_DISCUSSION:
        yield f"says {aims.read} and {aims.teach} minutes; to read it has {reading.minutes:.0f}"
    if set(aims.terms) != (new := {term.name for term in glossary() if term.number == number}):
        yield f"says that its new terms are {aims.terms}; by the glossary they are {sorted(new)}"
    used = {
        term.number: term.name
        for term in glossary()
        if term.number is not None and term.number < number and term.name not in EVERYDAY
        if any(term.pattern.search(words) for words in known_by(notebook, number))
    }
    for missing in sorted(set(used) - all_needs(number)):
        yield f"uses {used[missing]!r} of unit {missing}, which it does not say that it needs"
    text = AIMS.sub("", "\n\n".join(texts(notebook))).partition("*Before this:*")[0]
    for need in aims.needs:
        if need not in used and not re.search(rf"\b[Uu]nits?\b[^.]{{0,20}}\b{need}\b", text):
            yield f"says that it needs unit {need}, and neither uses its terms nor names it"


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
        name, "" if text.strip().startswith("See [") else sentence, units[0] if units else None
    )


def number_of(unit: Path) -> int:
    """The number of a unit; the bench comes after all."""
    numbered = UNIT_NUMBER.fullmatch(unit.name)
    return int(numbered[1]) if numbered else 99


def normalised(markdown: str) -> str:
    """Markdown as plain words on one line, in small letters."""
    plain = re.sub(r"[*`]", "", LINK.sub(r"\1", markdown))
    return " ".join(re.sub(r"^> ?", "", plain, flags=re.MULTILINE).split()).casefold()


def of_terms(notebook: nbformat.NotebookNode, path: Path) -> Iterator[str]:
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
    for words in known_by(notebook, number):
        if match := term.pattern.search(words):
            around = words[max(0, match.start() - 30) : match.end() + 30]
            yield f"uses {term.name!r}, which a later unit introduces: '…{around}…'"


def known_by(notebook: nbformat.NotebookNode, number: int) -> list[str]:
    """The prose of unit `number`, cell by cell, without links to later units."""

    def ahead(link: re.Match[str]) -> str:
        to = UNIT_NUMBER.search(link[2])
        return "" if to and int(to[1]) > number else link[0]

    return [prose(LINK.sub(ahead, text)) for text in texts(notebook)]


def hardest(pairs: list[files.Pair], number: int = 20) -> list[tuple[float, str, str]]:
    """The paragraphs that are hardest to read by Björnsson's LIX (1968), with their units.

    LIX is the words of a sentence plus the percentage of words of more than six letters.
    """
    found = []
    for pair in pairs:
        for text in texts(files.from_source(pair.source)):
            for paragraph in map(prose, re.split(r"\n\s*\n", text)):
                words = re.findall(r"[^\W\d_]+", paragraph)
                sentences = len(re.findall(r"[.?!:;](?=\s|$)", paragraph))
                if len(words) < FEWEST_WORDS or not sentences:
                    continue
                long = sum(len(word) > 6 for word in words)
                lix = len(words) / sentences + 100 * long / len(words)
                found.append((lix, pair.notebook.stem, paragraph))
    return sorted(found, reverse=True)[:number]


def main(arguments: list[str] | None = None) -> int:
    """Print what there is to say of the units; the exit status is 1 if anything is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.course", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only units whose name contains it")
    parser.add_argument("--hardest", action="store_true", help="list the hardest paragraphs")
    options = parser.parse_args(arguments)
    pairs = [pair for pair in files.pairs() if files.part_of(pair.source)]
    if options.hardest:
        for lix, unit, paragraph in hardest([pair for pair in pairs if options.text in pair.name]):
            print(f"{lix:3.0f}  {unit}: {paragraph}")
        return 0
    found = 0
    print("words  cells  guesses  minutes  at home")
    for pair in pairs:
        if options.text not in pair.name:
            continue
        notebook = files.from_source(pair.source)
        reading = Reading.of(notebook)
        counted = f"{reading.words:5}  {reading.cells:5}  {reading.guesses:7}"
        print(f"{counted}  {reading.minutes:7.0f}  {reading.at_home:7}  {pair.notebook.stem}")
        path = pair.notebook
        wrong = [*problems(notebook), *of_terms(notebook, path), *of_aims(notebook, path)]
        print("".join(f"    {problem}\n" for problem in wrong), end="")
        found += len(wrong)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
