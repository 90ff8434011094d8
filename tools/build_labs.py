"""``make labs``: build the instructor versions that are not current, then the students' from them.

``--check`` only reads: is every student version what its instructor version makes, and does none of
them show a solution, a hidden test or an output?
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import nbformat

from . import build_notebooks
from . import notebook_files as files
from .lab_files import Lab, labs, leaks, mistakes, student_version


def main(arguments: list[str] | None = None) -> int:
    """Make the labs, or check them; the exit status is 1 if anything is wrong with one."""
    parser = argparse.ArgumentParser(prog="make labs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    if not options.check:
        if build_notebooks.main(["--only", "labs/instructor/"]):
            return 1
        for lab in labs():
            files.write(made_from(lab), lab.student)
        for orphan in orphans():
            orphan.unlink()
    found = [problem for lab in labs() for problem in problems(lab)]
    found += [f"{path.name}: has no instructor version" for path in orphans()]
    print("\n".join(found) or f"{len(labs())} labs; no student version shows a solution")
    return 1 if found else 0


def made_from(lab: Lab) -> nbformat.NotebookNode:
    """The student version that belongs to the lab's instructor version."""
    return student_version(files.read(lab.instructor), files.name_of(lab.student))


def problems(lab: Lab) -> list[str]:
    """What is wrong with one lab, each problem with the file that has it."""
    instructor = files.read(lab.instructor)
    found = [f"{lab.instructor.name}: {mistake}" for mistake in mistakes(instructor)]
    if not lab.student.exists():
        return [*found, f"{lab.student.name}: there is no student version; run make labs"]
    student = files.read(lab.student)
    if student != made_from(lab):
        found.append(f"{lab.student.name}: is not what the instructor version makes; run make labs")
    return found + [f"{lab.student.name}: {leak}" for leak in leaks(instructor, student)]


def orphans() -> list[Path]:
    """Student versions whose lab is gone."""
    known = {lab.student for lab in labs()}
    there = sorted((files.LABS / "student").glob("*.ipynb"))
    return [path for path in there if path not in known]


if __name__ == "__main__":
    sys.exit(main())
