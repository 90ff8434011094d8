"""``python -m tools.site.public_copy OWNER/REPOSITORY``: the course as students open it elsewhere.

A copy of the repository for a public branch, ``build/public``.  In it every unit, lab and page of
the bench installs the course where that is missing, as on Colab, and links to Binder and to Colab;
a lab says how it is handed in, and README has badges.  Solutions of labs are left out.  Stored
notebooks stay as they are.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from ..notebooks import files, links

OUTPUT = files.ROOT / "build" / "public"
#: What shows a solution, what a hidden test asks, or what a good answer says.
SOLUTIONS = (
    "notebooks/labs/source",
    "notebooks/labs/instructor",
    "notebooks/labs/mistakes",
    "notebooks/labs/oral.toml",
)
#: Run at each start of a hosted notebook; anywhere else the package is there.
_INSTALL = """\
try:
    import mtsig_nb
except ImportError:  # a hosted notebook: installs the course, at each start
    %pip install -q "mtsig_nb @ {address}" "mtsig_nb_data @ {address}#subdirectory=datasets\""""
#: Where README's badges lead.
FIRST_UNIT = "notebooks/1_what_chance_can_do/01_is_a_better_than_b.ipynb"
_BADGES = """\
[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab})
[![Open on Binder](https://mybinder.org/badge_logo.svg)]({binder})
"""


def main(arguments: list[str] | None = None) -> int:
    """Write the copy; what was in its folder before is removed."""
    parser = argparse.ArgumentParser(prog="python -m tools.site.public_copy", description=__doc__)
    parser.add_argument("home", metavar="OWNER/REPOSITORY")
    parser.add_argument(
        "--ref", default=links.PUBLIC_REF, help="branch or tag (default: %(default)s)"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    options = parser.parse_args(arguments)
    if options.home.count("/") != 1:
        parser.error("which public copy? Give it as OWNER/REPOSITORY")
    stage(options.output, options.home, options.ref)
    print(f"{options.output}: push it to the branch {options.ref} of {options.home}")
    return 0


def stage(target: Path, home: str, ref: str) -> None:
    """Fill `target` with the copy that will be at `home`, under the branch or tag `ref`."""
    shutil.rmtree(target, ignore_errors=True)
    for name in tracked():
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(files.ROOT / name, copy)
    for path in notebooks():
        name = files.name_of(path)
        notebook = files.read(path)
        make_public(notebook, name, home, ref)
        files.write(notebook, target / name)
    readme = target / "README.md"
    readme.write_text(with_badges(readme.read_text(encoding="utf-8"), home, ref), encoding="utf-8")


def tracked() -> list[str]:
    """The files under version control that students may see, from the top of the repository."""
    command = ["git", "-C", str(files.ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = listed.rstrip("\0").split("\0")
    return [name for name in names if not name.startswith(SOLUTIONS)]


def notebooks() -> list[Path]:
    """Units, the bench, and the labs as students get them."""
    return [*files.series(), *files.student_labs()]


def make_public(notebook: nbformat.NotebookNode, name: str, home: str, ref: str) -> None:
    """Give a notebook the links of its public home, and below them what installs the course."""
    address = f"git+https://github.com/{home}@{ref}"
    install = new_code_cell(
        _INSTALL.format(address=address),
        id="install",
        metadata={
            "cellView": "form",  # folded on Colab
            "jupyter": {"source_hidden": True},  # folded in JupyterLab
            "tags": ["remove-input"],
        },
    )
    without_links = [cell for cell in notebook.cells if cell.get("id") != links.TAG]
    title, *rest = without_links
    added = [links.links_cell(name, home=home, ref=ref), install]
    if files.ROOT / name in files.student_labs():
        file = name.rpartition("/")[2]
        added.append(new_markdown_cell(links.HAND_IN.format(file=file), id="hand-in"))
    notebook.cells = [title, *added, *rest]


def with_badges(readme: str, home: str, ref: str) -> str:
    """README with a badge for each home of the first unit, below its title."""
    title, _, rest = readme.partition("\n")
    badges = _BADGES.format(
        colab=links.colab(FIRST_UNIT, home=home, ref=ref),
        binder=links.binder(FIRST_UNIT, home=home, ref=ref),
    )
    return f"{title}\n\n{badges}{rest}"


if __name__ == "__main__":
    sys.exit(main())
