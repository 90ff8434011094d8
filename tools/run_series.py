"""``make run``: execute the whole series on the embedded data and write it to build/notebooks/."""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import sys
import time
from pathlib import Path

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


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How one notebook went."""

    path: Path
    seconds: float
    headlines: list[Headline]
    failure: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Run the series; the exit status is 1 if any notebook fails, or there are none."""
    parser = argparse.ArgumentParser(prog="make run", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: the whole series")
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    options = parser.parse_args(arguments)
    notebooks = options.notebooks or files.series()
    if not notebooks:
        print(f"There are no notebooks in {files.SERIES}.", file=sys.stderr)
        return 1
    prepare(options.output)
    outcomes = []
    for number, path in enumerate(notebooks, start=1):
        print(f"[{number:2}/{len(notebooks)}] {path.stem} … ", end="", flush=True)
        outcome = run(path, options.output)
        print(f"{'FAILED after ' if outcome.failure else ''}{outcome.seconds:.1f} s", flush=True)
        outcomes.append(outcome)
    summarise(outcomes, options.output)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def prepare(output: Path) -> None:
    """Empty the output folder of earlier pages and put MathJax there."""
    output.mkdir(parents=True, exist_ok=True)
    for earlier in (*output.glob("*.html"), *output.glob("*.ipynb")):
        earlier.unlink()
    files.copy_mathjax(output / "mathjax")


def run(path: Path, output: Path) -> Outcome:
    """Execute one notebook and write its page, as far as it got."""
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
    write_page(notebook, path.stem, output)
    shutil.copyfile(path, output / path.name)  # what the page's link downloads
    return Outcome(path, seconds, published, failure)


def describe_failure(notebook: nbformat.NotebookNode) -> str:
    """Which cell stopped the notebook, with what error and with what source."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in reversed(list(enumerate(code, start=1))):
        for output in cell.outputs:
            if output.output_type == "error":
                source = "\n".join(f"    | {line}" for line in cell.source.splitlines())
                return f"code cell {number} raised {output.ename}: {output.evalue}\n{source}"
    return "a cell failed without an error output"


def write_page(notebook: nbformat.NotebookNode, name: str, output: Path) -> None:
    """One self-contained page: figures embedded, formulas by the MathJax beside it."""
    exporter = HTMLExporter(
        config=PAGE,
        template_name="offline",
        extra_template_basedirs=[str(TEMPLATES)],
        embed_images=True,
        mathjax_url=MATHJAX_URL,
    )
    page, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": name}})
    write_whole(output / f"{name}.html", page)


def summarise(outcomes: list[Outcome], output: Path) -> None:
    """Headline numbers, failures, and where the pages are."""
    print()
    for outcome in outcomes:
        if outcome.headlines:
            print(outcome.path.stem)
        for number in outcome.headlines:
            print(f"    {number}")
    failed = [outcome for outcome in outcomes if outcome.failure]
    for outcome in failed:
        print(f"\nFAILED {outcome.path.name}: {outcome.failure}")
    total = sum(outcome.seconds for outcome in outcomes)
    shown = output.relative_to(files.ROOT) if output.is_relative_to(files.ROOT) else output
    ran = f"{len(outcomes) - len(failed)} of {len(outcomes)} notebooks ran"
    print(f"\n{ran}, {total:.0f} s; pages in {shown}/")


if __name__ == "__main__":
    sys.exit(main())
