"""``make otter``: of each lab, a notebook from which Otter Assign makes its own: ``build/otter``.

Answers keep nbgrader's metadata, so `tools.labs.grade` takes a filled-in student version of Otter's
as well.  Points are given as there: for all tests of an exercise, or none.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_raw_cell

from ..notebooks import files
from ..repository.check_links import nowhere, relink
from .lab_files import CODE_STUB, REGION, Lab, grade_id, inside, labs, points, role

#: Tests of the other format compare what is printed, and cannot hold a block such as ``with``.
CONFIG = """\
# ASSIGNMENT CONFIG
name: {name}
solutions_pdf: false
export_cell:
  pdf: false
tests:
  ok_format: false"""
QUESTION = "# BEGIN QUESTION\nname: {name}\npoints: {points:g}\n{marked}"
#: Tests run among the names of the notebook, as a cell does, and what follows may use theirs.  A
#: message of Otter's shows the line that failed: it is the last one, and not the tests.
TEST = """\
def {name}(env):
    tests = {source!r}
    exec(compile(tests, {title!r}, "exec"), env)"""


def master(lab: Lab) -> nbformat.NotebookNode:
    """An instructor version with the marks that Otter Assign looks for."""
    instructor = files.without_outputs(files.read(lab.instructor))
    relink(instructor, lab.instructor, nowhere)
    cells = [new_raw_cell(CONFIG.format(name=lab.instructor.stem))]
    begun = 0
    for cell in instructor.cells:
        kind = role(cell)
        if kind in ("answer", "words"):
            if not begun:
                text_above = cells[-1].cell_type == "markdown"
                begun = len(cells) - 1 if text_above else len(cells)
            cell.source = _answer(cell.source)
            cells += _block("SOLUTION", cell)
        elif kind == "tests":
            cells += _block("TESTS", *_tests(cell))
        else:
            cells.append(cell)
        if kind in ("tests", "words"):
            cells.insert(begun, new_raw_cell(_question(cell)))
            cells.append(new_raw_cell("# END QUESTION"))
            begun = 0
    return nbformat.v4.new_notebook(cells=cells, metadata=files.METADATA)


def _question(cell: nbformat.NotebookNode) -> str:
    """The beginning of a question, from the cell that has its points."""
    name = re.sub(r"\W", "_", grade_id(cell))
    by_hand = role(cell) == "words"
    marked = "manual: true\n" if by_hand else "manual: false\nall_or_nothing: true"
    return QUESTION.format(name=name, points=points(cell), marked=marked)


def _block(kind: str, *cells: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Cells between the marks of a kind."""
    return [new_raw_cell(f"# BEGIN {kind}"), *cells, new_raw_cell(f"# END {kind}")]


def _answer(source: str) -> str:
    """A solution, and before it the stub, as a text that Otter opens for students."""
    prompt = ['""" # BEGIN PROMPT', *CODE_STUB.splitlines(), '""" # END PROMPT']

    def marked(region: re.Match[str]) -> str:
        text = region[0]
        indent = " " * (len(text) - len(text.lstrip()))
        lines = [*prompt, "# BEGIN SOLUTION NO PROMPT"]
        before = "\n".join(indent + line for line in lines)
        return f"{before}\n{region[2]}{indent}# END SOLUTION"

    return REGION.sub(marked, source)


def _tests(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """What students see of the tests and what they do not, each as a function."""
    title = grade_id(cell)
    seen = TEST.format(name="seen", source=REGION.sub("", cell.source), title=title)
    hidden = TEST.format(name="hidden", source=inside(cell.source), title=title)
    return [new_code_cell(seen), new_code_cell(f"# HIDDEN\n{hidden}")]


def main(arguments: list[str] | None = None) -> int:
    """Write all of them."""
    parser = argparse.ArgumentParser(prog="make otter", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/otter", metavar="FOLDER")
    folder = parser.parse_args(arguments).to
    folder.mkdir(parents=True, exist_ok=True)
    for lab in labs():
        files.write(master(lab), folder / lab.instructor.name)
    print(f"{len(labs())} labs, each for otter assign, in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
