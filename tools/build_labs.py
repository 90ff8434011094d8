"""``make labs``: build the instructor versions that are not current, then the students' from them.

``--check`` only reads: is every student version what its instructor version makes, and does none of
them show a solution, a hidden test or an output?
"""

from __future__ import annotations

import argparse
import sys

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
        if not _build_instructor_versions():
            return 1
        for lab in labs():
            files.write(made_from(lab), lab.student)
        _remove_orphans()
    found = [problem for lab in labs() for problem in problems(lab)] + orphans()
    print("\n".join(found) or f"{len(labs())} labs; no student version shows a solution")
    return 1 if found else 0


def _build_instructor_versions() -> bool:
    (files.LABS / "instructor").mkdir(exist_ok=True)  # kernels are started there
    of_labs = [pair for pair in files.pairs() if pair.notebook.is_relative_to(files.LABS)]
    for pair in of_labs:
        if files.is_current(pair):
            continue
        print(f"{pair.name} … ", end="", flush=True)
        if not build_notebooks.build(pair):
            return False
    return True


def made_from(lab: Lab) -> nbformat.NotebookNode:
    """The student version that belongs to the lab's instructor version."""
    name = lab.student.relative_to(files.ROOT).as_posix()
    return student_version(files.read(lab.instructor), name)


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


def orphans() -> list[str]:
    """Student versions whose lab is gone."""
    known = {lab.student for lab in labs()}
    there = sorted((files.LABS / "student").glob("*.ipynb"))
    return [f"{path.name}: has no instructor version" for path in there if path not in known]


def _remove_orphans() -> None:
    known = {lab.student for lab in labs()}
    for path in (files.LABS / "student").glob("*.ipynb"):
        if path not in known:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main())
