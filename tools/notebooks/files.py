"""Notebooks as files: where they are, how they are made from their sources, executed and checked.

A notebook is edited as ``source/PART/NAME.py`` (jupytext's percent format) and committed, executed,
as ``PART/NAME.ipynb``.  Everything in the ``.ipynb`` but outputs and execution counts follows from
the source, cell ids included, so a change shows as a small diff and the two can be compared
exactly.  ``source/parts.toml`` has the parts in order; units outside them come first.
"""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import hashlib
import os
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import jupyter_server_mathjax
import jupytext
import nbformat
from nbclient import NotebookClient
from nbconvert.preprocessors import ClearOutputPreprocessor
from nbformat import NotebookNode

from mtsig_nb.errors import MtsigError
from mtsig_nb.writing import whole_file

from .links import links_cell

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
SERIES = ROOT / "notebooks"
LABS = SERIES / "labs"
#: The concept inventory, as it is edited.
INVENTORY = LABS / "inventory.toml"

#: Where a guess is asked for, and where it is answered.
GUESS = re.compile(r"^(> \*\*Make a guess\.)|^(\*\*The guess\.)", re.MULTILINE)

#: Whole-notebook metadata, the same for all: versions of Python or the kernel would only be noise.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "name": "python", "pygments_lexer": "ipython3"},
}
#: Tags of cells whose source is not their subject; JupyterLab shows it folded.
HIDDEN = {"remove-input", "hide-input"}
#: An output that only a live kernel can draw; its model id changes with every run.
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
#: What differs from run to run in an output's text; `tests/nbval_sanitize.cfg` allows it to.
ADDRESS = re.compile(r"0x[0-9a-f]{6,16}")
STYLER_ID = re.compile(r"T_[0-9a-f]{5}(?![0-9a-f])")
#: Longest time for one cell.  A whole notebook has to stay under a minute.
CELL_TIMEOUT_S = 120


class NotebookError(MtsigError):
    """A notebook or a source that the tools cannot use as it is."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the series: its folder, its title, and what it is about."""

    folder: str
    title: str
    about: str

    @property
    def heading(self) -> str:
        """The title, after the part's number if its folder has one."""
        number = self.folder.partition("_")[0]
        return f"{number} · {self.title}" if number.isdigit() else self.title


@dataclasses.dataclass(frozen=True, order=True)
class Pair:
    """A source and the executed notebook made from it."""

    source: Path
    notebook: Path

    @property
    def name(self) -> str:
        """Path of the notebook from the top of the repository."""
        return name_of(self.notebook)


def parts() -> list[Part]:
    """The parts of the series, in order."""
    listed = SERIES / "source" / "parts.toml"
    if not listed.exists():
        return []
    return [Part(**part) for part in tomllib.loads(listed.read_text(encoding="utf-8"))["part"]]


def part_of(path: Path) -> Part | None:
    """The part that a source or a notebook of the series belongs to."""
    return next((part for part in parts() if part.folder == path.parent.name), None)


def pairs() -> list[Pair]:
    """Every source with its notebook: the series, then the instructor versions of the labs."""
    units = [Pair(source, notebook_of(source)) for source in _in_order(SERIES / "source", "*.py")]
    labs = sorted((LABS / "source").glob("*.py"))
    return units + [Pair(lab, LABS / "instructor" / f"{lab.stem}.ipynb") for lab in labs]


def notebook_of(source: Path) -> Path:
    """The notebook that is made from a source of the series."""
    return SERIES / source.relative_to(SERIES / "source").with_suffix(".ipynb")


def series() -> list[Path]:
    """The committed notebooks of the series, in order."""
    return _in_order(SERIES, "*.ipynb")


def _in_order(folder: Path, pattern: str) -> list[Path]:
    folders = [folder, *(folder / part.folder for part in parts())]
    return [path for one in folders for path in sorted(one.glob(pattern))]


def from_source(source: Path) -> NotebookNode:
    """The notebook that a percent-format source stands for, not yet executed.

    A notebook of the series gets its links; labs get them in the student versions.
    """
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    seen: Counter[str] = Counter()
    of_series, guessing = source.is_relative_to(SERIES / "source"), False
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] += 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        tags = set(cell.metadata.get("tags", []))
        for asks, answers in GUESS.findall(cell.source) if cell.cell_type == "markdown" else ():
            guessing = of_series and bool(asks) and not answers
        # What would give the answer away; but not what the reader is to try.
        to_try = re.search(r"^(chance_machine|be_the_judge)\(", cell.source, re.MULTILINE)
        gives_away = guessing and cell.cell_type == "code" and not to_try
        folded = {
            "source_hidden": bool(HIDDEN & tags),
            "outputs_hidden": gives_away or "remove-output" in tags,
        }
        if any(folded.values()):
            cell.metadata["jupyter"] = {name: True for name, is_so in folded.items() if is_so}
    if of_series:
        insert_links(notebook, name_of(notebook_of(source)))
    return notebook


def insert_links(notebook: NotebookNode, name: str) -> None:
    """Put links to the notebook of this path below the first cell, which holds the title.

    Pages and books take their title from the first cell.
    """
    notebook.cells.insert(1, links_cell(name))


def copy_mathjax(folder: Path) -> None:
    """Put MathJax beside pages that load nothing from elsewhere."""
    shutil.copytree(
        Path(jupyter_server_mathjax.__file__).parent / "static",
        folder,
        ignore=shutil.ignore_patterns("localization", "a11y"),
        dirs_exist_ok=True,
    )


def name_of(path: Path) -> str:
    """Path of a file from the top of the repository."""
    return path.relative_to(ROOT).as_posix()


def shown(path: Path) -> Path:
    """A path as it is printed: from the top of the repository, if it lies in there."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def read(path: Path) -> NotebookNode:
    """A committed notebook."""
    return nbformat.read(path, as_version=4)


def without_outputs(notebook: NotebookNode) -> NotebookNode:
    """A copy as it would be before any execution."""
    blank, _ = ClearOutputPreprocessor().preprocess(copy.deepcopy(notebook), {})
    return blank


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run all cells in place, in `folder`, up to the first that raises `CellExecutionError`."""
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_S,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        # ipykernel 7 warns of unencrypted loopback traffic at every start.
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    # A progress bar that came up on a slow day would be stored with its cell.
    # In an event loop that is closed when done: nbclient's own stays open in each thread.
    env = {**os.environ, "TQDM_DISABLE": "1"}
    again_if_no_kernel(lambda: asyncio.run(client.async_execute(env=env)))


def again_if_no_kernel(start: Callable[[], T]) -> T:
    """Run what starts a kernel; if that dies before its first reply, again, and once more.

    Another process can take the port that was free when the kernel was given its number.
    """
    for _ in range(2):
        try:
            return start()
        except RuntimeError as error:
            if type(error) is not RuntimeError:  # the kernel died later, and a cell is the reason
                raise
    return start()


def nth(things: Sequence[T], number: int, what: str) -> T:
    """The one with a number, counted from 1."""
    if not 1 <= number <= len(things):
        raise NotebookError(f"{what} {number} is asked for, and there are {len(things)}")
    return things[number - 1]


def tidy(notebook: NotebookNode) -> None:
    """Replace, in place, what would differ between two runs; drop what only a kernel can draw."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        table_ids: dict[str, str] = {}
        if cell.cell_type == "code":
            for output in cell.outputs:
                if "text/html" in output.get("data", {}):
                    output.data.pop(WIDGET_VIEW, None)  # there is a still of it
            cell.outputs = [o for o in cell.outputs if WIDGET_VIEW not in o.get("data", {})]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            for kind, content in data.items():
                if isinstance(content, str) and kind.startswith("text/"):
                    data[kind] = _stable(content, cell.id, table_ids)


def _stable(text: str, cell_id: str, table_ids: dict[str, str]) -> str:
    """One address for every object, and ids of styled tables that follow from the cell's own."""

    def table_id(match: re.Match[str]) -> str:
        numbered = f"{cell_id}/{len(table_ids)}"
        digest = hashlib.sha256(numbered.encode()).hexdigest()
        return table_ids.setdefault(match[0], f"T_{digest[:5]}")

    return STYLER_ID.sub(table_id, ADDRESS.sub("0x7f0000000000", text))


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook whole: an interrupted run leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as partial:
        nbformat.write(notebook, partial)


def is_current(pair: Pair) -> bool:
    """Whether the committed notebook is what its source says, executed from top to bottom."""
    if not pair.notebook.exists():
        return False
    notebook = read(pair.notebook)
    return without_outputs(notebook) == from_source(pair.source) and not problems(notebook)


def problems(notebook: NotebookNode) -> list[str]:
    """What is wrong with a committed notebook's execution; nbval looks for none of this.

    Cells never run or run out of order, warnings and other output on stderr, figures without
    alternative text, and errors in cells that are not tagged ``raises-exception``.
    """
    found = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for position, cell in enumerate(code, start=1):
        where = f"code cell {position} ({first_line(cell.source)!r})"
        if cell.execution_count != position:
            found.append(f"{where} has execution count {cell.execution_count}, not {position}")
        expects_error = "raises-exception" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                found.append(f"{where} wrote to stderr: {first_line(output.text)}")
            if output.output_type == "error" and not expects_error:
                found.append(f"{where} raised {output.ename}: {first_line(output.evalue)}")
            alt = output.get("metadata", {}).get("image/png", {}).get("alt")
            if "image/png" in output.get("data", {}) and not alt:
                found.append(f"{where} shows a figure without alternative text (plot_style)")
        if expects_error and not any(output.output_type == "error" for output in cell.outputs):
            found.append(f"{where} is tagged raises-exception and raised nothing")
    return found


def first_line(text: str) -> str:
    """The first line that is not empty, for messages."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
