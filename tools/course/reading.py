"""What a unit of the course asks of its reader, counted, and what every unit has to have.

``python -m tools.course 07`` prints it; `tests/tools/course/test_reading.py` holds every unit to
it.  CONTRIBUTING.md has the conventions for whoever writes one.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from ..notebooks import files
from ..notebooks.links import TAG as LINKS_TAG
from ..notebooks.prose import LINK, WORDS_A_MINUTE, n_words, prose

#: The rule of docs/lecturers.md: counted, not measured on anybody.
MINUTES_A_CELL = 1
MINUTES_A_GUESS = 1
MINUTES_AN_EXERCISE = 5
MINUTES_A_DISCUSSION = 5
GUESS = "> **Make a guess.**"
ANSWER = re.compile(r"^\*\*The guess\.\*\*", re.MULTILINE)
#: An answer to choose, in a guess or a question, and what is said to whoever chooses it.
CHOICE = re.compile(r'<details( class="right")?><summary>(.*?)</summary>(.*?)</details>', re.S)
#: In this form alone Markdown inside a fold is Markdown on every page.
FOLD = re.compile(r"^<details>\s*<summary>.*?</summary>\n\s*\n(.*?)\n\s*\n</details>$", re.M | re.S)
#: A quotation with answers to choose, and the fold behind it if there is one.
ASKED = re.compile(r"((?:^>[^\n]*\n)*^>[^\n]*</details>)(?:\s*" + FOLD.pattern + ")?", re.M | re.S)
EXERCISE = re.compile(r"^\*\*(\d+)\.\*\*", re.MULTILINE)
LIMITS, QUESTIONS, EXERCISES = "What this does not tell you", "Check yourself", "Exercises"
#: What a unit says of itself below its question: objectives, and a line with the rest.
AIMS = re.compile(
    r"^<details><summary>After this unit you can …</summary>\n\n(.*?)\n\n(.*?)\n\n</details>$",
    re.MULTILINE | re.DOTALL,
)
TESTED_BY = re.compile(r"(question|exercise)s? ([\d, and]*\d)")
#: Stands for a code cell in the text of a section.
CODE = "\0"


# The text of a unit, and its questions.


def texts(notebook: NotebookNode) -> list[str]:
    """The text cells, without the one of links that is not the writer's."""
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown" and LINKS_TAG not in cell.metadata.get("tags", [])
    ]


def sections(notebook: NotebookNode) -> dict[str, str]:
    """The text below each heading of the second level, in order."""
    cells = (cell.source if cell.cell_type == "markdown" else CODE for cell in notebook.cells)
    _, *parts = re.split(r"^## (.+?) *$", "\n\n".join(cells), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@dataclasses.dataclass(frozen=True)
class Choice:
    """An answer to choose, whether it is right, and what its choice is answered; Markdown."""

    text: str
    right: bool
    feedback: str


@dataclasses.dataclass(frozen=True)
class Question:
    """A question or a guess, its answers, and the paragraph behind it; Markdown."""

    stem: str
    choices: tuple[Choice, ...]
    answer: str = ""


def questions(markdown: str) -> list[Question]:
    """All guesses and questions of a text, in order."""
    found = []
    for quotation, answer in ASKED.findall(markdown):
        text = re.sub(r"^> ?", "", quotation, flags=re.M)
        choices = (Choice(said, bool(right), reply) for right, said, reply in CHOICE.findall(text))
        found.append(Question(CHOICE.sub("", text), tuple(choices), answer))
    return found


def guesses(notebook: NotebookNode) -> list[Question]:
    """What a reader is asked to guess."""
    asked = questions("\n\n".join(texts(notebook)))
    return [question for question in asked if question.stem.startswith(GUESS.removeprefix("> "))]


def with_listed_options(markdown: str) -> str:
    """A question or guess for paper and wall: what may be said as a list, without the replies."""
    pattern = r"^> <details[^>]*><summary>(.*?)</summary>.*?</details>"
    return re.sub(pattern, r"> - \1", markdown, flags=re.MULTILINE | re.DOTALL)


# How long a unit is, and what it says of itself.


@dataclasses.dataclass(frozen=True)
class Reading:
    """How long a unit is: words before its exercises, code cells in view, guesses, exercises."""

    words: int
    cells: int
    guesses: int
    exercises: int

    @classmethod
    def of(cls, notebook: NotebookNode) -> Reading:
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
            len(guesses(notebook)),
            len(EXERCISE.findall(to_do)),
        )

    @property
    def minutes(self) -> float:
        """In class, where exercises are left for home."""
        in_view = self.cells * MINUTES_A_CELL + self.guesses * MINUTES_A_GUESS
        return self.words / WORDS_A_MINUTE + in_view

    @property
    def at_home(self) -> int:
        """For the exercises."""
        return self.exercises * MINUTES_AN_EXERCISE


@dataclasses.dataclass(frozen=True)
class Aims:
    """What can be done after a unit, what it needs, its minutes, its terms: as the unit says."""

    objectives: tuple[str, ...]
    needs: tuple[int, ...]
    read: int
    teach: int
    terms: tuple[str, ...]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Aims:
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

    def tested_by(self, kind: str) -> set[int]:
        """The numbers of all questions, or exercises, that the objectives name."""
        named = TESTED_BY.findall("\n".join(self.objectives))
        return {int(n) for k, listed in named if k == kind for n in re.findall(r"\d+", listed)}


@cache
def all_aims() -> dict[int, Aims]:
    """The aims of all numbered units, from their sources."""
    sources = {number_of(pair.notebook): files.from_source(pair.source) for pair in files.pairs()}
    return {number: Aims.of(sources[number]) for number in units()}


def all_needs(number: int) -> set[int]:
    """The units that a unit needs, and those that they need."""
    return set(direct := all_aims()[number].needs).union(*map(all_needs, direct))


# The glossary.

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


@cache
def glossary() -> list[Term]:
    """All entries; what only says "see" has no sentence."""
    text = GLOSSARY.read_text(encoding="utf-8")
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return [_term(name, text) for name, text in zip(parts[::2], parts[1::2], strict=True)]


def _term(name: str, text: str) -> Term:
    linked = [GLOSSARY.parent / to for _, to in LINK.findall(text) if to.endswith(".ipynb")]
    units = [number_of(unit) for unit in linked if files.part_of(unit)]
    # "Of a test: …" says of what an adjective is said, and is no part of a sentence.
    said = re.sub(r"^of [^:.]*: ", "", normalised(text))
    sentence = re.split(r"[.;](?=\s|$)", said, maxsplit=1)[0]
    see = text.strip().startswith("See [")
    return Term(name, "" if see else sentence, units[0] if units else None)


def number_of(unit: Path) -> int:
    """The number of a unit; the bench comes after all."""
    numbered = UNIT_NUMBER.fullmatch(unit.name)
    return int(numbered[1]) if numbered else 99


@cache
def units() -> dict[int, Path]:
    """The executed units by number, without the bench."""
    return {number_of(path): path for path in files.series() if path.stem[:2].isdigit()}


def normalised(markdown: str) -> str:
    """Markdown as plain words on one line, in small letters."""
    plain = re.sub(r"[*`]", "", LINK.sub(r"\1", markdown))
    return " ".join(re.sub(r"^> ?", "", plain, flags=re.MULTILINE).split()).casefold()


# What is wrong with a unit, each in words that say where.


def problems(notebook: NotebookNode) -> Iterator[str]:
    """All that can be said of one unit without looking at others: guesses, and what ends it."""
    text, asked = "\n\n".join(texts(notebook)), guesses(notebook)
    answered = [match.start() for match in ANSWER.finditer(text)]
    begun = [match.start() for match in re.finditer(re.escape(GUESS), text)]
    if not begun:
        yield f"asks for no guess: a quotation that begins '{GUESS}'"
    if len(begun) != len(answered):
        yield (
            f"asks for {len(begun)} guesses and answers {len(answered)}; an answer is a paragraph "
            "that begins '**The guess.**'"
        )
    elif any(answer < ask for ask, answer in zip(begun, answered, strict=True)):
        yield "answers a guess before it asks for it"
    if len(asked) != len(begun) or not all(map(_can_be_chosen, asked)):
        yield "a guess has not two answers or more in folds, one of class 'right'"
    in_order = sections(notebook)
    found = [title for title in in_order if title in (LIMITS, QUESTIONS, EXERCISES)]
    if found != [LIMITS, QUESTIONS, EXERCISES]:
        yield f"has to have '## {LIMITS}', '## {QUESTIONS}' and '## {EXERCISES}', in this order"
        return
    checks = questions(in_order[QUESTIONS])
    if len(checks) != len(FOLD.findall(in_order[QUESTIONS])) or not all(
        _can_be_chosen(check) and check.answer for check in checks
    ):
        yield f"a question of '## {QUESTIONS}' has not two choices or more, one of class 'right'"
    for number, task in enumerate(EXERCISE.split(in_order[EXERCISES])[2::2], start=1):
        if not FOLD.search(task) and CODE not in task:
            yield f"exercise {number} has no answer: a fold, or a code cell"


def _can_be_chosen(question: Question) -> bool:
    """Whether there are answers, of which one is right."""
    rights = [choice.right for choice in question.choices]
    return len(rights) > 1 and sum(rights) == 1


def of_aims(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """What is not true of what the unit at `path` says of itself; the bench says nothing."""
    number = number_of(path)
    if number not in all_aims():
        return
    aims, reading = Aims.of(notebook), Reading.of(notebook)
    there = set(range(1, len(questions(sections(notebook)[QUESTIONS])) + 1))
    if aims.tested_by("question") != there:
        yield f"has to name its questions {sorted(there)} in its objectives, and no others"
    if max(aims.tested_by("exercise"), default=0) > reading.exercises:
        yield "names an exercise that is not there"
    if abs(aims.read - reading.minutes) > 1 or aims.teach != aims.read + MINUTES_A_DISCUSSION:
        yield f"says {aims.read} and {aims.teach} minutes; to read it has {reading.minutes:.0f}"
    if set(aims.terms) != (new := {term.name for term in glossary() if term.number == number}):
        yield f"says that its new terms are {aims.terms}; by the glossary they are {sorted(new)}"
    words = known_by(notebook, number)
    used = {
        term.number: term.name
        for term in glossary()
        if term.number is not None and term.number < number and term.name not in EVERYDAY
        if term.pattern.search(words)
    }
    for missing in sorted(set(used) - all_needs(number)):
        yield f"uses {used[missing]!r} of unit {missing}, which it does not say that it needs"
    text = AIMS.sub("", "\n\n".join(texts(notebook))).partition("*Before this:*")[0]
    for need in aims.needs:
        if need not in used and not re.search(rf"\b[Uu]nits?\b[^.]{{0,20}}\b{need}\b", text):
            yield f"says that it needs unit {need}, and neither uses its terms nor names it"


def of_terms(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """Terms that the unit at `path` explains otherwise than the glossary, or uses too early."""
    number = number_of(path)
    words, said = known_by(notebook, number), normalised("\n\n".join(texts(notebook)))
    for term in glossary():
        if term.number == number and term.sentence not in said:
            yield (
                f"introduces {term.name!r}, so it has to have the first sentence of its entry in "
                f"docs/glossary.md, word for word: {term.sentence!r}"
            )
        later = term.number is not None and term.number > number and term.name not in EVERYDAY
        if later and (match := term.pattern.search(words)):
            around = words[max(0, match.start() - 30) : match.end() + 30]
            yield f"uses {term.name!r}, which a later unit introduces: '…{around}…'"


def known_by(notebook: NotebookNode, number: int) -> str:
    """The prose of unit `number`, a line a cell, without links to later units."""

    def ahead(link: re.Match[str]) -> str:
        to = UNIT_NUMBER.search(link[2])
        return "" if to and int(to[1]) > number else link[0]

    return "\n".join(prose(LINK.sub(ahead, text)) for text in texts(notebook))


def main(arguments: list[str] | None = None) -> int:
    """Print what there is to say of the units; the exit status is 1 if anything is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.course", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only units whose name contains it")
    options = parser.parse_args(arguments)
    found = 0
    print("words  cells  guesses  minutes  at home")
    for pair in files.pairs():
        if files.part_of(pair.source) is None or options.text not in pair.name:
            continue
        notebook, path = files.from_source(pair.source), pair.notebook
        reading = Reading.of(notebook)
        counted = f"{reading.words:5}  {reading.cells:5}  {reading.guesses:7}"
        print(f"{counted}  {reading.minutes:7.0f}  {reading.at_home:7}  {path.stem}")
        wrong = [*problems(notebook), *of_terms(notebook, path), *of_aims(notebook, path)]
        print("".join(f"    {problem}\n" for problem in wrong), end="")
        found += len(wrong)
    return 1 if found else 0
