"""What a unit of the course asks of its reader, counted, and what every unit has to have.

``python -m tools.course 07`` prints it; `tests/tools/course/test_reading.py` holds every unit to
it.  docs/writing.md has the conventions for whoever writes one.
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
LIMITS = "What this does not tell you"
QUESTIONS = "Check yourself"
EXERCISES = "Exercises"
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
    cells = files.text_cells(notebook)
    return [cell.source for cell in cells if LINKS_TAG not in files.tags(cell)]


def sections(notebook: NotebookNode) -> dict[str, str]:
    """The text below each heading of the second level, in order."""
    cells = []
    for cell in notebook.cells:
        is_text = cell.cell_type == "markdown"
        cells.append(cell.source if is_text else CODE)
    return below_headings("\n\n".join(cells))


def below_headings(markdown: str) -> dict[str, str]:
    """The text below each heading of the second level, by the heading."""
    _, *parts = re.split(r"^## (.+?) *$", markdown, flags=re.MULTILINE)
    headings = parts[::2]
    texts_below = parts[1::2]
    return dict(zip(headings, texts_below, strict=True))


def whole_text(notebook: NotebookNode) -> str:
    """All text cells, one below the other."""
    return "\n\n".join(texts(notebook))


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
    asked = []
    for quotation, answer in ASKED.findall(markdown):
        text = re.sub(r"^> ?", "", quotation, flags=re.M)
        choices = []
        for is_right, text_of_choice, feedback in CHOICE.findall(text):
            choices.append(Choice(text_of_choice, bool(is_right), feedback))
        stem = CHOICE.sub("", text)
        asked.append(Question(stem, tuple(choices), answer))
    return asked


def guesses(notebook: NotebookNode) -> list[Question]:
    """What a reader is asked to guess."""
    asked = questions(whole_text(notebook))
    begins = GUESS.removeprefix("> ")
    return [question for question in asked if question.stem.startswith(begins)]


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
        code = files.code_cells(notebook)
        hidden = [cell for cell in code if files.HIDDEN & files.tags(cell)]
        all_words = sum(n_words(text) for text in texts(notebook))
        exercises = sections(notebook).get(EXERCISES, "")
        return cls(
            words=all_words - n_words(exercises.replace(CODE, " ")),
            cells=len(code) - len(hidden),
            guesses=len(guesses(notebook)),
            exercises=len(EXERCISE.findall(exercises)),
        )

    @property
    def minutes(self) -> float:
        """In class, where exercises are left for home."""
        in_view = self.cells * MINUTES_A_CELL + self.guesses * MINUTES_A_GUESS
        return self.words / WORDS_A_MINUTE + in_view

    @property
    def at_home(self) -> int:
        """Minutes for the exercises."""
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
        fold = AIMS.search(notebook.cells[0].source)
        if fold is None:
            raise files.NotebookError("has no fold 'After this unit you can …' below its question")
        _, *items = re.split(r"^- ", fold[1], flags=re.M)
        objectives = [_on_one_line(item).rstrip(";.") for item in items]
        about, _, terms = _on_one_line(fold[2]).partition(" New terms: ")
        *needs, read, teach = map(int, re.findall(r"\d+", about))
        new_terms = []
        if terms != "none.":
            new_terms = terms.removesuffix(".").split(", ")
        return cls(tuple(objectives), tuple(needs), read, teach, tuple(new_terms))

    def tested_by(self, kind: str) -> set[int]:
        """The numbers of all questions, or exercises, that the objectives name."""
        numbers: set[int] = set()
        for named_kind, listed in TESTED_BY.findall("\n".join(self.objectives)):
            if named_kind == kind:
                numbers |= set(map(int, re.findall(r"\d+", listed)))
        return numbers


def _on_one_line(text: str) -> str:
    """A text whose words are apart by single spaces."""
    return " ".join(text.split())


@cache
def all_aims() -> dict[int, Aims]:
    """The aims of all numbered units, from their sources."""
    source_of = {number_of(pair.notebook): pair.source for pair in files.pairs()}
    aims = {}
    for number in units():
        notebook = files.from_source(source_of[number])
        aims[number] = Aims.of(notebook)
    return aims


def all_needs(number: int) -> set[int]:
    """The units that a unit needs, and those that they need."""
    needs: set[int] = set()
    for need in all_aims()[number].needs:
        needs |= {need} | all_needs(need)
    return needs


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

    def is_introduced_after(self, number: int) -> bool:
        """Whether a unit behind `number` introduces it, and it is no everyday English."""
        return self._is_technical and self.number is not None and self.number > number

    def is_introduced_before(self, number: int) -> bool:
        """Whether a unit before `number` introduces it, and it is no everyday English."""
        return self._is_technical and self.number is not None and self.number < number

    @property
    def _is_technical(self) -> bool:
        return self.name not in EVERYDAY


@cache
def glossary() -> list[Term]:
    """All entries; what only says "see" has no sentence."""
    entries = below_headings(GLOSSARY.read_text(encoding="utf-8"))
    return [_term(name, text) for name, text in entries.items()]


def _term(name: str, text: str) -> Term:
    """An entry of the glossary, from its heading and its text."""
    number = _first_unit(text)
    if text.strip().startswith("See ["):
        return Term(name, "", number)
    # "Of a test: …" says of what an adjective is said, and is no part of a sentence.
    plain = re.sub(r"^of [^:.]*: ", "", normalised(text))
    sentence, *_ = re.split(r"[.;](?=\s|$)", plain, maxsplit=1)
    return Term(name, sentence, number)


def _first_unit(text: str) -> int | None:
    """The number of the first unit that an entry of the glossary links to."""
    for _, target in LINK.findall(text):
        path = GLOSSARY.parent / target
        if path.suffix == ".ipynb" and files.part_of(path):
            return number_of(path)
    return None


def number_of(unit: Path) -> int:
    """The number of a unit; the bench comes after all."""
    numbered = UNIT_NUMBER.fullmatch(unit.name)
    return int(numbered[1]) if numbered else 99


@cache
def units() -> dict[int, Path]:
    """The executed units by number, without the bench."""
    numbered = [path for path in files.series() if path.stem[:2].isdigit()]
    return {number_of(path): path for path in numbered}


def normalised(markdown: str) -> str:
    """Markdown as plain words on one line, in small letters."""
    without_links = LINK.sub(r"\1", markdown)
    without_marks = re.sub(r"[*`]", "", without_links)
    unquoted = re.sub(r"^> ?", "", without_marks, flags=re.MULTILINE)
    return _on_one_line(unquoted).casefold()


# What is wrong with a unit, each in words that say where.


def problems(notebook: NotebookNode) -> Iterator[str]:
    """All that can be said of one unit without looking at others: guesses, and what ends it."""
    yield from _problems_of_guesses(notebook)
    in_order = sections(notebook)
    last = [title for title in in_order if title in (LIMITS, QUESTIONS, EXERCISES)]
    if last != [LIMITS, QUESTIONS, EXERCISES]:
        yield f"has to have '## {LIMITS}', '## {QUESTIONS}' and '## {EXERCISES}', in this order"
        return
    checks = questions(in_order[QUESTIONS])
    n_folds = len(FOLD.findall(in_order[QUESTIONS]))
    complete = [check for check in checks if _can_be_chosen(check) and check.answer]
    if not len(complete) == len(checks) == n_folds:
        yield f"a question of '## {QUESTIONS}' has not two choices or more, one of class 'right'"
    _, *numbers_and_tasks = EXERCISE.split(in_order[EXERCISES])
    for number, task in enumerate(numbers_and_tasks[1::2], start=1):
        if not FOLD.search(task) and CODE not in task:
            yield f"exercise {number} has no answer: a fold, or a code cell"


def _problems_of_guesses(notebook: NotebookNode) -> Iterator[str]:
    """What is wrong with guesses, their choices and their answers."""
    text = whole_text(notebook)
    asked = guesses(notebook)
    begun = [match.start() for match in re.finditer(re.escape(GUESS), text)]
    answered = [match.start() for match in ANSWER.finditer(text)]
    if not begun:
        yield f"asks for no guess: a quotation that begins '{GUESS}'"
    if len(begun) != len(answered):
        yield (
            f"asks for {len(begun)} guesses and answers {len(answered)}; an answer is a paragraph "
            "that begins '**The guess.**'"
        )
    elif any(answer < guess for guess, answer in zip(begun, answered, strict=True)):
        yield "answers a guess before it asks for it"
    if len(asked) != len(begun) or not all(map(_can_be_chosen, asked)):
        yield "a guess has not two answers or more in folds, one of class 'right'"


def _can_be_chosen(question: Question) -> bool:
    """Whether there are answers, of which one is right."""
    n_right = sum(choice.right for choice in question.choices)
    return len(question.choices) > 1 and n_right == 1


def of_aims(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """What is not true of what the unit at `path` says of itself; the bench says nothing."""
    number = number_of(path)
    if number not in all_aims():
        return
    aims = Aims.of(notebook)
    reading = Reading.of(notebook)
    n_questions = len(questions(sections(notebook)[QUESTIONS]))
    numbers = list(range(1, n_questions + 1))
    if aims.tested_by("question") != set(numbers):
        yield f"has to name its questions {numbers} in its objectives, and no others"
    if max(aims.tested_by("exercise"), default=0) > reading.exercises:
        yield "names an exercise that is not there"
    reads_as_long = abs(aims.read - reading.minutes) <= 1
    teaches_as_long = aims.teach == aims.read + MINUTES_A_DISCUSSION
    if not reads_as_long or not teaches_as_long:
        yield f"says {aims.read} and {aims.teach} minutes; to read it has {reading.minutes:.0f}"
    introduced = {term.name for term in glossary() if term.number == number}
    if set(aims.terms) != introduced:
        in_glossary = sorted(introduced)
        yield f"says that its new terms are {aims.terms}; by the glossary they are {in_glossary}"
    yield from _of_needs(notebook, number, aims)


def _of_needs(notebook: NotebookNode, number: int, aims: Aims) -> Iterator[str]:
    """Units whose terms a unit uses without needing them, and units that it needs for nothing."""
    words = known_by(notebook, number)
    used: dict[int, str] = {}
    for term in glossary():
        if term.number is None or not term.is_introduced_before(number):
            continue
        if term.pattern.search(words):
            used[term.number] = term.name
    for missing in sorted(set(used) - all_needs(number)):
        yield f"uses {used[missing]!r} of unit {missing}, which it does not say that it needs"
    text, _, _ = AIMS.sub("", whole_text(notebook)).partition("*Before this:*")
    for need in aims.needs:
        is_named = re.search(rf"\b[Uu]nits?\b[^.]{{0,20}}\b{need}\b", text)
        if need not in used and not is_named:
            yield f"says that it needs unit {need}, and neither uses its terms nor names it"


def of_terms(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """Terms that the unit at `path` explains otherwise than the glossary, or uses too early."""
    number = number_of(path)
    words = known_by(notebook, number)
    text = normalised(whole_text(notebook))
    for term in glossary():
        if term.number == number and term.sentence not in text:
            yield (
                f"introduces {term.name!r}, so it has to have the first sentence of its entry in "
                f"docs/glossary.md, word for word: {term.sentence!r}"
            )
        match = term.pattern.search(words)
        if match and term.is_introduced_after(number):
            begins = max(0, match.start() - 30)
            around = words[begins : match.end() + 30]
            yield f"uses {term.name!r}, which a later unit introduces: '…{around}…'"


def known_by(notebook: NotebookNode, number: int) -> str:
    """The prose of unit `number`, a line a cell, without links to later units."""

    def without_later_unit(link: re.Match[str]) -> str:
        unit = UNIT_NUMBER.search(link[2])
        is_later = unit is not None and int(unit[1]) > number
        return "" if is_later else link[0]

    cells = [LINK.sub(without_later_unit, text) for text in texts(notebook)]
    return "\n".join(map(prose, cells))


def main(arguments: list[str] | None = None) -> int:
    """Print what there is to say of the units; the exit status is 1 if anything is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.course", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only units whose name contains it")
    options = parser.parse_args(arguments)
    n_problems = 0
    print("words  cells  guesses  minutes  at home")
    for pair in files.pairs():
        if files.part_of(pair.source) is None or options.text not in pair.name:
            continue
        notebook = files.from_source(pair.source)
        path = pair.notebook
        reading = Reading.of(notebook)
        counted = f"{reading.words:5}  {reading.cells:5}  {reading.guesses:7}"
        print(f"{counted}  {reading.minutes:7.0f}  {reading.at_home:7}  {path.stem}")
        found = [*problems(notebook), *of_terms(notebook, path), *of_aims(notebook, path)]
        for problem in found:
            print(f"    {problem}")
        n_problems += len(found)
    return 1 if n_problems else 0
