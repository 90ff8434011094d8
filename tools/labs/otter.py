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
from .lab_files import CODE_STUB, REGION, Lab, grade_id, labs, points, role

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
            begun = begun or len(cells) - (cells[-1].cell_type == "markdown")
            cell.source = _answer(cell.source)
            cells += _block("SOLUTION", cell)
        elif kind == "tests":
            cells += _block("TESTS", *_tests(cell))
        else:
            cells.append(cell)
        if kind in ("tests", "words"):
            name = re.sub(r"\W", "_", grade_id(cell))
            marked = "manual: true\n" if kind == "words" else "manual: false\nall_or_nothing: true"
            question = QUESTION.format(name=name, points=points(cell), marked=marked)
            cells.insert(begun, new_raw_cell(question))
            cells.append(new_raw_cell("# END QUESTION"))
            begun = 0
    return nbformat.v4.new_notebook(cells=cells, metadata=files.METADATA)


def _block(kind: str, *cells: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [new_raw_cell(f"# BEGIN {kind}"), *cells, new_raw_cell(f"# END {kind}")]


def _answer(source: str) -> str:
    """A solution, and before it the stub, as a text that Otter opens for students."""

    def marked(region: re.Match[str]) -> str:
        indent = " " * (len(region[0]) - len(region[0].lstrip()))
        stub = ['""" # BEGIN PROMPT', *CODE_STUB.splitlines(), '""" # END PROMPT']
        before = "\n".join(indent + line for line in [*stub, "# BEGIN SOLUTION NO PROMPT"])
        return f"{before}\n{region[2]}{indent}# END SOLUTION"

    return REGION.sub(marked, source)


def _tests(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """What students see of the tests and what they do not, each as a function."""
    hidden = "".join(region[2] for region in REGION.finditer(cell.source))
    tests = {"seen": ("", REGION.sub("", cell.source)), "hidden": ("# HIDDEN\n", hidden)}
    return [
        new_code_cell(before + TEST.format(name=name, source=source, title=grade_id(cell)))
        for name, (before, source) in tests.items()
    ]


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
