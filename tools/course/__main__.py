"""Prints what each unit asks of its reader, and what it lacks; its name, or a part, says which."""

from __future__ import annotations

import argparse
import itertools
import sys

import nbformat

from .. import notebook_files as files
from ..pages import Unit
from . import structure, terms


def as_it_is(pair: files.Pair) -> nbformat.NotebookNode:
    """The notebook with its outputs if it is what its source says, otherwise without."""
    made = files.from_source(pair.source)
    if pair.notebook.exists():
        executed = files.read(pair.notebook)
        if files.without_outputs(executed) == made:
            return executed
    return made


def table() -> str:
    """All units by part, in Markdown, as the README has them."""
    lines = ["| part | units |", "| --- | --- |"]
    for part, paths in itertools.groupby(files.series(), files.part_of):
        links = [f"[{Unit.of(path).title}]({files.name_of(path)})" for path in paths]
        about = f"**{part.heading}**<br>{part.about}" if part else ""
        lines.append(f"| {about} | {'<br>'.join(links)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Print what there is to say of the units; the exit status is 1 if anything is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.course", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only units whose name contains it")
    parser.add_argument("--table", action="store_true", help="print the table of the README")
    options = parser.parse_args(arguments)
    if options.table:
        print(table(), end="")
        return 0
    pairs = [pair for pair in files.pairs() if files.part_of(pair.source)]
    units = [pair.notebook for pair in pairs]
    found = 0
    print("words  lines  words/line  cells  longest  minutes")
    for pair in pairs:
        if options.text not in pair.name:
            continue
        notebook = as_it_is(pair)
        reading = structure.Reading.of(notebook)
        print(
            f"{reading.words:5}  {reading.lines:5}  {reading.words_per_line:10.1f}  "
            f"{reading.cells:5}  {reading.longest:7}  {reading.minutes:7.0f}  {pair.notebook.stem}"
        )
        wrong = [
            *structure.problems(notebook),
            *structure.lamp(notebook),
            *structure.links_at_the_end(notebook, pair.notebook, units),
            *terms.problems(notebook, pair.notebook),
        ]
        print("".join(f"    {problem}\n" for problem in wrong), end="")
        found += len(wrong)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
