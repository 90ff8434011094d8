"""Gathers a site in the folder that JupyterLite builds from: its settings, wheels and contents.

Notebooks and documents keep the repository's layout, so links between them stay as they are, in a
folder with the version: what a reader has changed is kept by the browser under its path, and would
hide a newer edition.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

import nbformat
from markupsafe import Markup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import mtsig_nb
from mtsig_nb.campaigns.embedded import (
    DESCRIPTION,
    archive_of,
    campaign_names,
    data_folder,
    registered,
)
from mtsig_nb.campaigns.embedded import content as content_of

from ...notebooks import files
from ...notebooks.links import IN_BROWSER
from ...notebooks.links import TAG as LINKS_TAG
from ...repository import check_links
from ..pages import machine, plain_page

COURSE = f"course-{mtsig_nb.__version__}"
TITLE = "Randomized significance tests for machine translation"
#: The bench starts programs, which a page cannot.
LEFT_OUT = ("bench",)
#: JupyterLite's own.  It is not to look for wheels elsewhere (``disablePyPIFallback``): one that is
#: not on the site is missed here, not in class.
SETTINGS = Path(__file__).parent / "settings"
#: Run in the page before all else, after REQUIREMENTS and N_CELLS.
_INSTALL = """\
import sys

if sys.platform == "emscripten":  # in a browser
    import logging

    import piplite
    from IPython.display import Pretty, display

    # Matplotlib would say beside the first figure that it looks for fonts, in every session.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    said = display(Pretty("Loading the package …"), display_id=True)
    await piplite.install(REQUIREMENTS)
    done = set()

    def begins(info, said=said, done=done, n=N_CELLS):
        said.update(Pretty(f"{len(done)} of {n} cells have run; the next one is running …"))

    def ends(result, said=said, done=done, n=N_CELLS):
        if result.success and not result.info.raw_cell.startswith("REQUIREMENTS"):
            done.add(result.info.raw_cell)
        failed = "" if result.success else " The last one stopped with an error."
        said.update(Pretty(f"{len(done)} of {n} cells have run.{failed}"))

    get_ipython().events.register("pre_run_cell", begins)
    get_ipython().events.register("post_run_cell", ends)"""


def stage(target: Path, configuration: Configuration, programs: Path) -> None:
    """Fill `target`; `programs` are those of the environment that builds the site."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SETTINGS, target)
    (target / "pypi").mkdir()
    if configuration.pyodide is not None:
        shutil.copytree(configuration.pyodide, target / "static" / "pyodide")
    fetch_wheels(programs, configuration.folder / "wheels.lock", target / "pypi")
    build_wheel(target / "pypi")
    for wheel in configuration.wheels:
        shutil.copy(wheel, target / "pypi")
    stage_notebooks(target / "content", configuration.requirements)
    stage_campaigns(target / "content", campaign_names())


def fetch_wheels(programs: Path, lock: Path, target: Path) -> None:
    """Put the pure-Python wheels that `lock` names, with its hashes, into `target`."""
    command = [str(programs / "python"), "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "--require-hashes"]
    command += ["--only-binary", ":all:", "--implementation", "py", "--abi", "none"]
    command += ["--platform", "any", "--python-version", "3.14"]
    subprocess.run([*command, "--dest", str(target), "--requirement", str(lock)], check=True)


def build_wheel(target: Path) -> None:
    """Build the package's wheel into `target`, as it is published."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(target)]
    subprocess.run([*command, str(files.ROOT)], check=True, capture_output=True)


def notebooks() -> list[Path]:
    """What runs on the site, in order: units, labs as students get them, inventory, explorer."""
    units = [path for path in files.series() if path.parent.name not in LEFT_OUT]
    return [
        *units,
        *files.student_labs(),
        files.INVENTORY.with_suffix(".ipynb"),
        files.SERIES / "app" / "explorer.ipynb",
    ]


def stage_notebooks(content: Path, requirements: Sequence[str]) -> None:
    """Copy notebooks, and the documents that they link to; `start.ipynb` lists the notebooks.

    Their outputs are trusted, so that a chance machine tosses before there is a kernel.
    """
    pages = notebooks()
    documents: set[Path] = set()
    for page in pages:
        notebook = files.read(page)
        check_links.relink(notebook, page, leads_on_the_site(page, pages, documents))
        for cell in files.code_cells(notebook):
            cell.metadata["trusted"] = True
        insert_installation(notebook, requirements)
        # nbformat would leave out whom to trust.
        write(content, page, json.dumps(notebook, ensure_ascii=False))
    for page in sorted(documents):
        text = page.read_text(encoding="utf-8")
        write(content, page, check_links.relinked(text, page, leads_on_the_site(page, pages)))
    start = new_notebook(cells=[new_markdown_cell(first_page(""))], metadata=files.METADATA)
    files.write(start, content / "start.ipynb")


def insert_installation(notebook: nbformat.NotebookNode, requirements: Sequence[str]) -> None:
    """Put what a browser needs below the first cell, in the place of links to other homes."""
    notebook.cells = [cell for cell in notebook.cells if cell.id != LINKS_TAG]
    n_cells = len(files.code_cells(notebook))
    install = new_code_cell(
        f"REQUIREMENTS, N_CELLS = {list(requirements)}, {n_cells}\n{_INSTALL}",
        id="install",
        metadata={"jupyter": {"source_hidden": True}, "tags": ["remove-input"]},
    )
    place = 1 if notebook.cells[0].cell_type == "markdown" else 0
    notebook.cells[place:place] = [new_markdown_cell(IN_BROWSER, id="browser"), install]


def write(content: Path, page: Path, text: str) -> None:
    """Put the text of a page of the repository in its place on the site."""
    copy = content / COURSE / files.name_of(page)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text, encoding="utf-8")


def leads_on_the_site(
    page: Path, pages: list[Path], documents: set[Path] | None = None
) -> check_links.Lead:
    """From a page to other pages, and to documents if these are gathered; else only the words."""

    def place(linked: Path) -> Path | None:
        if documents is not None and linked.suffix == ".md":
            documents.add(linked)
            return linked
        return linked if linked in pages else None

    return check_links.leading(page.parent, place)


def first_page(lead: str) -> str:
    """What leads to every notebook, as Markdown; `lead` comes before a notebook's own place."""
    lines = [f"# {TITLE}", ""]
    heading = None
    for page in notebooks():
        part = files.part_of(page)
        if (here := part.heading if part else "Labs and tools") != heading:
            heading = here
            lines += ["", f"## {heading}", ""]
        title = files.first_line(files.read(page).cells[0].source).lstrip("# ")
        lines.append(f"- [{title}]({lead}{quote(f'{COURSE}/{files.name_of(page)}')})")
    return "\n".join(lines)


def start_page() -> str:
    """The page at the site's root: tossing works at once; what it leads to has Python."""
    listed = check_links.renderer(".md").render(
        first_page("lab/index.html?path=").partition("\n")[2]
    )
    return plain_page("start.html.j2", title=TITLE, machine=Markup(machine()), units=Markup(listed))


def stage_campaigns(content: Path, names: Iterable[str]) -> None:
    """One archive for each campaign, of what the package does not have already.

    Not compressed: its files are.
    """
    data = data_folder()
    for name in names:
        archive = content / archive_of(name).removeprefix("files/")
        archive.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(archive, "w") as members:
            for file in registered(data, name):
                if file != DESCRIPTION:
                    members.writestr(zipfile.ZipInfo(file), content_of(data, name, file))


#: What a notebook needs beside the package; the rest of that extra is for computers.
_SHOWN_WITH = ("anywidget", "ipywidgets", "matplotlib")


@dataclasses.dataclass(frozen=True)
class Configuration:
    """How a site is built.

    Attributes
    ----------
    name : str
    folder : Path
        Where its locks are.
    requirements : sequence of str
        What the first cell of every notebook installs.
    pyodide : Path, optional
        A Pyodide to put on the site; by default pages load the kernel's own from its CDN.
    wheels : sequence of Path
        More wheels for the browser.
    """

    name: str
    folder: Path
    requirements: Sequence[str]
    pyodide: Path | None = None
    wheels: Sequence[Path] = ()


def requirements() -> list[str]:
    """The package, and what notebooks need beside it."""
    project = tomllib.loads((files.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["project"]["optional-dependencies"]["notebook"]
    return ["mtsig_nb", *(text for text in listed if text.startswith(_SHOWN_WITH))]


#: What readers get.
PRODUCTION = Configuration("production", files.ROOT / "lite", requirements())
