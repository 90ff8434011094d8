"""``make run``: execute the whole series on the embedded data and write it to build/notebooks/."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import re
import shutil
import sys
import time
from pathlib import Path

import jinja2
import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter
from traitlets.config import Config

from mtsig_nb.teaching import Headline, headlines
from mtsig_nb.writing import write_whole

from . import notebook_files as files

OUTPUT = files.ROOT / "build" / "notebooks"
TEMPLATES = Path(__file__).parent / "templates"
MATHJAX_URL = "mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full,Safe"
#: Tags by which a cell hides what is not its subject.
PAGE = Config(
    TagRemovePreprocessor={
        "enabled": True,
        "remove_input_tags": {"remove-input", "hide-input"},
        "remove_all_outputs_tags": {"remove-output"},
    }
)


#: Numbers that are printed at the end; the map of the units has them all.
MOST_PRINTED = 12


@dataclasses.dataclass(frozen=True)
class Unit:
    """What a notebook says of itself: its title, its question, what comes before it."""

    path: Path
    title: str
    question: str
    before: str

    @classmethod
    def of(cls, path: Path) -> Unit:
        """The unit at `path`."""
        cells = [c.source for c in files.read(path).cells if c.cell_type == "markdown"]
        heading, _, rest = (cells[0] if cells else "").partition("\n")
        question = "" if rest.lstrip()[:1] in "*-|" else rest.strip().partition("\n\n")[0]
        before = re.search(r"^\*(Before this:.+?)\*$", "\n".join(cells), re.M | re.S)
        return cls(
            path,
            _plain(heading.removeprefix("# ")) or path.stem,
            _plain(question),
            _plain(before[1]) if before else "",
        )

    @property
    def name(self) -> str:
        """Of its page, without the suffix, from the map: pages lie in parts, as notebooks do."""
        if self.path.is_relative_to(files.SERIES):
            return self.path.relative_to(files.SERIES).with_suffix("").as_posix()
        return self.path.stem

    @property
    def to_map(self) -> str:
        """What leads from its page to the folder of the map."""
        return "../" * self.name.count("/")


def _plain(markdown: str) -> str:
    """A paragraph of Markdown as text."""
    linked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return " ".join(re.sub(r"[*`]", "", linked).split())


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How one notebook went."""

    unit: Unit
    seconds: float
    headlines: list[Headline]
    failure: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Run the series; the exit status is 1 if any notebook fails, or there are none."""
    parser = argparse.ArgumentParser(prog="make run", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: the whole series")
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    options = parser.parse_args(arguments)
    notebooks = [path.resolve() for path in options.notebooks] or files.series()
    if not notebooks:
        print(f"There are no notebooks in {files.SERIES}.", file=sys.stderr)
        return 1
    prepare(options.output)
    outcomes = []
    units = [Unit.of(path) for path in notebooks]
    around = zip([None, *units[:-1]], units, [*units[1:], None], strict=True)
    for number, (previous, unit, following) in enumerate(around, start=1):
        print(f"[{number:2}/{len(units)}] {unit.name} … ", end="", flush=True)
        outcome = run(unit, options.output, {"previous": previous, "next": following})
        print(f"{'FAILED after ' if outcome.failure else ''}{outcome.seconds:.1f} s", flush=True)
        outcomes.append(outcome)
    write_map(outcomes, options.output)
    summarise(outcomes, options.output)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def prepare(output: Path) -> None:
    """Empty the output folder of earlier pages and put MathJax there."""
    output.mkdir(parents=True, exist_ok=True)
    for folder in (output, *(output / part.folder for part in files.parts())):
        for earlier in (*folder.glob("*.html"), *folder.glob("*.ipynb")):
            earlier.unlink()
    files.copy_mathjax(output / "mathjax")


def run(unit: Unit, output: Path, around: dict[str, Unit | None]) -> Outcome:
    """Execute one notebook and write its page, as far as it got, with links to those `around`."""
    path = unit.path
    notebook = files.without_outputs(files.read(path))
    failure = ""
    started = time.monotonic()
    try:
        files.execute(notebook, path.parent)
    except CellExecutionError:
        failure = describe_failure(notebook)
    except (CellTimeoutError, DeadKernelError) as error:
        failure = files.first_line(str(error))
    seconds = time.monotonic() - started
    published = headlines(notebook)
    files.tidy(notebook)
    write_page(notebook, unit, output, around)
    shutil.copyfile(path, output / f"{unit.name}.ipynb")  # what the page's link downloads
    return Outcome(unit, seconds, published, failure)


def describe_failure(notebook: nbformat.NotebookNode) -> str:
    """Which cell stopped the notebook, with what error and with what source."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in reversed(list(enumerate(code, start=1))):
        for output in cell.outputs:
            if output.output_type == "error":
                source = "\n".join(f"    | {line}" for line in cell.source.splitlines())
                return f"code cell {number} raised {output.ename}: {output.evalue}\n{source}"
    return "a cell failed without an error output"


def write_page(
    notebook: nbformat.NotebookNode, unit: Unit, output: Path, around: dict[str, Unit | None]
) -> None:
    """One self-contained page: figures embedded, formulas by the MathJax beside it."""
    exporter = HTMLExporter(
        config=PAGE,
        template_name="offline",
        extra_template_basedirs=[str(TEMPLATES)],
        mathjax_url=unit.to_map + MATHJAX_URL,
    )
    resources = {"metadata": {"name": unit.title}, "around": around, "to_map": unit.to_map}
    page, _ = exporter.from_notebook_node(notebook, resources)
    target = output / f"{unit.name}.html"
    target.parent.mkdir(exist_ok=True)
    write_whole(target, page)


def write_map(outcomes: list[Outcome], output: Path) -> None:
    """The first page: every unit with its question, and the numbers that it publishes."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    parts = [
        {"part": part, "outcomes": list(group)}
        for part, group in itertools.groupby(outcomes, lambda o: files.part_of(o.unit.path))
    ]
    write_whole(output / "index.html", templates.get_template("map.html.j2").render(parts=parts))


def summarise(outcomes: list[Outcome], output: Path) -> None:
    """A number of each notebook, failures, and what to open."""
    print()
    numbers = [outcome.headlines[0] for outcome in outcomes if outcome.headlines]
    for number in numbers[:MOST_PRINTED]:
        print(f"    {number}")
    failed = [outcome for outcome in outcomes if outcome.failure]
    for outcome in failed:
        print(f"\nFAILED {outcome.unit.path.name}: {outcome.failure}")
    total = sum(outcome.seconds for outcome in outcomes)
    shown = output.relative_to(files.ROOT) if output.is_relative_to(files.ROOT) else output
    n_numbers = sum(len(outcome.headlines) for outcome in outcomes)
    counted = f"{n_numbers} number{'s' * (n_numbers != 1)}"
    ran = f"{len(outcomes) - len(failed)} of {len(outcomes)} notebooks ran"
    print(f"\n{ran}, {total:.0f} s, {counted}. Open {shown / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main())
