"""``make run``: execute the whole series on the embedded data and write it to build/notebooks/."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from mtsig_nb.teaching import headlines

from . import notebook_files as files
from .pages import Outcome, Pages, Unit

OUTPUT = files.ROOT / "build" / "notebooks"
#: Numbers that are printed at the end; the map of the units has them all.
MOST_PRINTED = 12


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
    pages = Pages(options.output, [Unit.of(path) for path in notebooks])
    pages.prepare()
    outcomes = []
    for number, unit in enumerate(pages.units):
        print(f"[{number + 1:2}/{len(notebooks)}] {unit.path.stem} … ", end="", flush=True)
        outcome = run(pages, number)
        print(f"{'FAILED after ' if outcome.failure else ''}{outcome.seconds:.1f} s", flush=True)
        outcomes.append(outcome)
    pages.write_map(outcomes)
    summarise(outcomes, options.output)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def run(pages: Pages, number: int) -> Outcome:
    """Execute one notebook and write its page, as far as it got."""
    unit = pages.units[number]
    notebook = files.without_outputs(files.read(unit.path))
    failure = ""
    started = time.monotonic()
    try:
        files.execute(notebook, unit.path.parent)
    except CellExecutionError:
        failure = describe_failure(notebook)
    except (CellTimeoutError, DeadKernelError) as error:
        failure = files.first_line(str(error))
    seconds = time.monotonic() - started
    published = headlines(notebook)
    files.tidy(notebook)
    pages.write(notebook, number)
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
