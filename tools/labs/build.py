"""``make labs``: build the instructor versions that are not current, then the students' from them.

``build/labs/labs.zip`` is what to hand out: the students' labs with the package and its data.

``--check`` only reads: is every student version what its instructor version makes, and does none of
them show a solution, a hidden test or an output?
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat

from mtsig_nb.writing import whole_file

from ..notebooks import build, files
from ..notebooks.links import TAG as LINKS_TAG
from ..repository.check_links import nowhere, relink
from ..repository.templating import templates
from . import lab_files
from .lab_files import Lab, labs, leaks, mistakes, student_version

TEMPLATES = Path(__file__).parent / "templates"
#: What students need beside the labs, to install the package with its data.
PACKED = ("mtsig_nb", "datasets", "pyproject.toml", "LICENSE")


def main(arguments: list[str] | None = None) -> int:
    """Make the labs, or check them; the exit status is 1 if anything is wrong with one."""
    parser = argparse.ArgumentParser(prog="make labs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    if not options.check:
        if build.main(["--only", "labs/instructor/"]):
            return 1
        for lab in labs():
            files.write(made_from(lab), lab.student)
        for orphan in orphans():
            orphan.unlink()
        pack(files.ROOT / "build/labs")
    found = [problem for lab in labs() for problem in problems(lab)]
    found += [f"{path.name}: has no instructor version" for path in orphans()]
    print("\n".join(found) or f"{len(labs())} labs; no student version shows a solution")
    return 1 if found else 0


#: The folder that the students' archive unpacks to.
TOP = "significance_labs"


def pack(folder: Path) -> None:
    """Write an archive for students: the labs, what they are to read first, the package, its data.

    Nothing in it leads to files that it does not have.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "labs.zip"
    with whole_file(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for lab in labs():
            archive.writestr(f"{TOP}/labs/{lab.student.name}", packed_lab(lab))
        readme = templates(TEMPLATES).get_template("students.md.j2")
        text = readme.render(labs=labs(), read=files.read, of=lab_files)
        archive.writestr(f"{TOP}/README.md", text)
        for path in packed_files():
            archive.write(path, f"{TOP}/{files.name_of(path)}")
    print(target)


def packed_lab(lab: Lab) -> str:
    """The student version without links to what is not in the archive."""
    notebook = files.read(lab.student)
    notebook.cells = [cell for cell in notebook.cells if cell.id != LINKS_TAG]
    relink(notebook, lab.student, nowhere)
    return nbformat.writes(notebook)


def packed_files() -> Iterator[Path]:
    """The files of the package and its data."""
    for name in PACKED:
        path = files.ROOT / name
        inside = [path] if path.is_file() else sorted(path.rglob("*.*"))
        for file in inside:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file


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
    return [path for path in files.student_labs() if path not in known]


if __name__ == "__main__":
    sys.exit(main())
