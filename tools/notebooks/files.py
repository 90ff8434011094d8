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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

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

#: Code that the reader is to try before guesses are answered.
TO_TRY = re.compile(r"^(chance_machine|be_the_judge)\(", re.MULTILINE)
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
    def number(self) -> str:
        """The number with which the folder begins, or ""."""
        number, _, _ = self.folder.partition("_")
        return number if number.isdigit() else ""

    @property
    def heading(self) -> str:
        """The title, after the part's number if its folder has one."""
        return f"{self.number} · {self.title}" if self.number else self.title


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
    path = SERIES / "source" / "parts.toml"
    if not path.exists():
        return []
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["part"]
    return [Part(**part) for part in listed]


def part_of(path: Path) -> Part | None:
    """The part that a source or a notebook of the series belongs to."""
    for part in parts():
        if part.folder == path.parent.name:
            return part
    return None


def pairs() -> list[Pair]:
    """Every source with its notebook: the series, then the instructor versions of the labs."""
    found = [Pair(source, notebook_of(source)) for source in _in_order(SERIES / "source", "*.py")]
    for source in sorted((LABS / "source").glob("*.py")):
        found.append(Pair(source, LABS / "instructor" / f"{source.stem}.ipynb"))
    return found


def notebook_of(source: Path) -> Path:
    """The notebook that is made from a source of the series."""
    return SERIES / source.relative_to(SERIES / "source").with_suffix(".ipynb")


def series() -> list[Path]:
    """The committed notebooks of the series, in order."""
    return _in_order(SERIES, "*.ipynb")


def student_labs() -> list[Path]:
    """The labs as students get them, in order."""
    return sorted((LABS / "student").glob("*.ipynb"))


def _in_order(folder: Path, pattern: str) -> list[Path]:
    """Files in a folder, then in the folders of its parts, in order."""
    found = sorted(folder.glob(pattern))
    for part in parts():
        found += sorted((folder / part.folder).glob(pattern))
    return found


def from_source(source: Path) -> NotebookNode:
    """The notebook that a percent-format source stands for, not yet executed.

    A notebook of the series gets its links; labs get them in the student versions.
    """
    of_series = source.is_relative_to(SERIES / "source")
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    notebook.nbformat = 4
    notebook.nbformat_minor = 5
    notebook.metadata = nbformat.from_dict(METADATA)
    _name_cells(notebook)
    _fold_cells(notebook, with_guesses=of_series)
    if of_series:
        insert_links(notebook, name_of(notebook_of(source)))
    return notebook


def _name_cells(notebook: NotebookNode) -> None:
    """Give cells ids that follow from their contents; of the same contents they are numbered."""
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] += 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _fold_cells(notebook: NotebookNode, *, with_guesses: bool) -> None:
    """Fold code that is not a cell's subject, and what would give away the answer to a guess."""
    guessing = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and with_guesses:
            for asks, answers in GUESS.findall(cell.source):
                guessing = bool(asks) and not answers
        is_to_be_tried = TO_TRY.search(cell.source)
        gives_away = guessing and cell.cell_type == "code" and not is_to_be_tried
        folded = {}
        if HIDDEN & tags(cell):
            folded["source_hidden"] = True
        if gives_away or "remove-output" in tags(cell):
            folded["outputs_hidden"] = True
        if folded:
            cell.metadata["jupyter"] = folded


def insert_links(notebook: NotebookNode, name: str) -> None:
    """Put links to the notebook of this path below the first cell, which holds the title.

    Pages and books take their title from the first cell.
    """
    notebook.cells.insert(1, links_cell(name))


def copy_mathjax(folder: Path) -> None:
    """Put MathJax beside pages that load nothing from elsewhere."""
    import jupyter_server_mathjax  # which imports Jupyter's server: only for who makes pages

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


def text_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of Markdown, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of code, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell: NotebookNode) -> set[str]:
    """The tags of a cell."""
    return set(cell.metadata.get("tags", []))


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
    for cell in code_cells(notebook):
        _drop_widgets(cell)
        _make_stable(cell)


def _drop_widgets(cell: NotebookNode) -> None:
    """Drop, in place, views of widgets; where an output has a still beside it, that stays."""
    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            output.data.pop(WIDGET_VIEW, None)
    cell.outputs = [output for output in cell.outputs if WIDGET_VIEW not in output.get("data", {})]


def _make_stable(cell: NotebookNode) -> None:
    """Replace, in place, addresses and ids in the texts of a cell's outputs."""
    table_ids: dict[str, str] = {}
    for output in cell.outputs:
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

    with_one_address = ADDRESS.sub("0x7f0000000000", text)
    return STYLER_ID.sub(table_id, with_one_address)


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
    for position, cell in enumerate(code_cells(notebook), start=1):
        where = f"code cell {position} ({first_line(cell.source)!r})"
        found += [f"{where} {problem}" for problem in _problems_of_cell(cell, position)]
    return found


def _problems_of_cell(cell: NotebookNode, position: int) -> Iterator[str]:
    """What is wrong with the execution of the code cell in this position, counted from 1."""
    if cell.execution_count != position:
        yield f"has execution count {cell.execution_count}, not {position}"
    expects_error = "raises-exception" in tags(cell)
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            yield f"wrote to stderr: {first_line(output.text)}"
        if output.output_type == "error" and not expects_error:
            yield f"raised {output.ename}: {first_line(output.evalue)}"
        alt = output.get("metadata", {}).get("image/png", {}).get("alt")
        if "image/png" in output.get("data", {}) and not alt:
            yield "shows a figure without alternative text (plot_style)"
    if expects_error and not any(output.output_type == "error" for output in cell.outputs):
        yield "is tagged raises-exception and raised nothing"


def first_line(text: str) -> str:
    """The first line that is not empty, for messages."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
