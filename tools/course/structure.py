"""How long a unit is, and what is wrong with it: code, figures, guesses, the ending."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

import nbformat

from .. import notebook_files as files
from ..notebook_links import TAG as LINKS_TAG

WORDS_A_MINUTE = 150
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
#: Words of prose for each visible line of code.  Data 8 has 22 to 160, ThinkStats 14 to 15.
WORDS_PER_LINE = 12
LONGEST_CELL, MOST_CELLS = 10, 15
#: What a figure is owed: how to walk through it.
WORDS_BELOW_A_FIGURE = 40
GUESS = re.compile(r"^> \*\*Make a guess\.\*\*", re.MULTILINE)
ANSWER = re.compile(r"^\*\*The guess\.\*\*", re.MULTILINE)
OPTION = re.compile(r'^> <details( class="right")?><summary>', re.MULTILINE)
#: In this form alone Markdown inside a fold is Markdown on every page.
FOLD = re.compile(r"^<details>\s*<summary>.*?</summary>\n\s*\n.*?\n\s*\n</details>$", re.M | re.S)
EXERCISE = re.compile(r"^\*\*(\d+)\.\*\*", re.MULTILINE)
LIMITS, QUESTIONS, EXERCISES = "What this does not tell you", "Check yourself", "Exercises"
HEADING = re.compile(r"^#{1,6} .+$", re.MULTILINE)
#: Stands for a code cell in the text of a section.
CODE = "\0"


@dataclasses.dataclass(frozen=True)
class Reading:
    """How long a unit is."""

    words: int
    lines: int
    cells: int
    longest: int

    @classmethod
    def of(cls, notebook: nbformat.NotebookNode) -> Reading:
        """Count one."""
        lengths = [n_lines(cell.source) for _, cell in visible(notebook)]
        words = sum(n_words(text) for text in texts(notebook))
        return cls(words, sum(lengths), len(lengths), max(lengths, default=0))

    @property
    def words_per_line(self) -> float:
        """The lamp: what prose there is for each line of code in view."""
        return self.words / self.lines if self.lines else float("inf")

    @property
    def minutes(self) -> float:
        """Of reading, and one for each visible cell."""
        return self.words / WORDS_A_MINUTE + self.cells


def visible(notebook: nbformat.NotebookNode) -> Iterator[tuple[str, nbformat.NotebookNode]]:
    """The code cells whose source is in view, each with its place in words."""
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code" and not hidden(cell):
            yield place_of(position, cell), cell


def hidden(cell: nbformat.NotebookNode) -> bool:
    """Whether its source is out of sight."""
    return bool(files.HIDDEN & set(cell.metadata.get("tags", [])))


def place_of(position: int, cell: nbformat.NotebookNode) -> str:
    """Where a cell is, for messages."""
    return f"cell {position} ({files.first_line(cell.source)[:50]!r})"


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """The text cells, without the one of links that is not the writer's."""
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown" and LINKS_TAG not in cell.metadata.get("tags", [])
    ]


def n_lines(source: str) -> int:
    """Lines of code that are neither empty nor a comment."""
    lines = (line.strip() for line in source.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


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
    return [
        problem
        for look in (code, checks_in_view, figures, guesses, folds, ending)
        for problem in look(notebook)
    ]


def code(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Too much of it in view."""
    for place, cell in visible(notebook):
        if n_lines(cell.source) > LONGEST_CELL:
            yield f"{place} has {n_lines(cell.source)} lines in view, {LONGEST_CELL} are the most"
    cells = Reading.of(notebook).cells
    if cells > MOST_CELLS:
        yield f"{cells} code cells are in view, {MOST_CELLS} are the most"


def lamp(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Too few words for its code."""
    reading = Reading.of(notebook)
    if reading.words_per_line < WORDS_PER_LINE:
        yield (
            f"{reading.words} words for {reading.lines} visible lines of code are "
            f"{reading.words_per_line:.1f} a line, {WORDS_PER_LINE} are the fewest; hide what is "
            "not the subject, and say what the rest is for (never pad)"
        )


def checks_in_view(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Code that checks the authors, not the subject."""
    for place, cell in visible(notebook):
        for what in re.findall(r"^\s*(assert)\b|\b(headline)\(", cell.source, re.MULTILINE):
            yield f"{place} has {''.join(what)!r} in view; it belongs into a remove-input cell"


def figures(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Figures that nobody walks through; only an executed notebook has any."""
    cells = list(enumerate(notebook.cells, start=1))
    for index, (position, cell) in enumerate(cells):
        if not shows_a_figure(cell):
            continue
        below = (
            after for _, after in cells[index + 1 :] if shows_a_figure(after) or _in_view(after)
        )
        following = next(below, None)
        if following is None or following.cell_type != "markdown":
            yield f"{place_of(position, cell)} shows a figure that no text follows"
            continue
        words = n_words(HEADING.split(following.source)[0])
        if words < WORDS_BELOW_A_FIGURE:
            yield (
                f"{place_of(position, cell)} shows a figure; the text below it has {words} words "
                f"before the next heading or cell, {WORDS_BELOW_A_FIGURE} are the fewest"
            )


def shows_a_figure(cell: nbformat.NotebookNode) -> bool:
    """Whether a picture is among its outputs."""
    shown = [output.get("data", {}) for output in cell.get("outputs", [])]
    return any(
        any(kind.startswith("image/") for kind in data)
        or re.search(r"<(img|svg)\b", data.get("text/html", ""))
        for data in shown
    )


def _in_view(cell: nbformat.NotebookNode) -> bool:
    return cell.cell_type == "markdown" or not hidden(cell)


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


def folds(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Answers that would not fold on every page, or show their Markdown as it is typed."""
    for text in texts(notebook):
        if len(re.findall("(?<!> )<details", text)) != len(FOLD.findall(text)):
            yield (
                f"a fold in the text cell {files.first_line(text)[:50]!r} is not '<details>', "
                "'<summary>words</summary>', an empty line, the answer, an empty line, "
                "'</details>', each at the beginning of a line"
            )


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


def sections(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The text below each heading of the second level, in order."""
    cells = (cell.source if cell.cell_type == "markdown" else CODE for cell in notebook.cells)
    _, *parts = re.split(r"^## (.+?) *$", "\n\n".join(cells), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def links_at_the_end(
    notebook: nbformat.NotebookNode, path: Path, units: Sequence[Path]
) -> Iterator[str]:
    """Neighbours among `units`, and labs, that the last cell of the unit at `path` leaves out."""
    last = notebook.cells[-1]
    if last.cell_type != "markdown" or not LINK.search(last.source):
        yield "ends without a cell of links: the unit before, the unit after, the lab"
        return
    linked = linked_files(last.source, path)
    # The bench stands outside the order: who reads it needs the first unit.
    numbered = [unit for unit in units if unit.parent.name != "bench"]
    place = numbered.index(path) if path in numbered else None
    for word, step in (("before", -1), ("after", 1)):
        if place is not None and 0 <= place + step < len(numbered):
            neighbour = numbered[place + step]
            if neighbour.resolve() not in linked:
                yield f"the last cell has no link to the unit {word}, {_named(neighbour)}"
    for lab in sorted((files.LABS / "student").glob("*.ipynb")):
        title = files.read(lab).cells[0].source
        if path.resolve() in linked_files(title, lab) and lab.resolve() not in linked:
            yield f"the last cell has no link to its lab, {lab.name}"


def linked_files(markdown: str, path: Path) -> set[Path]:
    """What a text of the file at `path` links to."""
    return {
        (path.parent / unquote(to.partition("#")[0])).resolve() for _, to in LINK.findall(markdown)
    }


def _named(unit: Path) -> str:
    return f"{unit.parent.name}/{unit.name}"
