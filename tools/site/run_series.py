"""``make run``: execute the whole series on the embedded data and write it to build/notebooks/."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from mtsig_nb.teaching import headlines

from ..notebooks import files
from .pages import Outcome, Pages, Unit

OUTPUT = files.ROOT / "build" / "notebooks"
#: Numbers that are printed at the end; the map of the units has them all.
MOST_PRINTED = 12


def main(arguments: list[str] | None = None) -> int:
    """Run the series; the exit status is 1 if any notebook fails, or there are none."""
    parser = argparse.ArgumentParser(prog="make run", description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: the whole series")
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=2, help="units executed side by side")
    options = parser.parse_args(arguments)
    notebooks = files.series()
    if options.notebooks:
        notebooks = [path.resolve() for path in options.notebooks]
    if not notebooks:
        print(f"There are no notebooks in {files.SERIES}.", file=sys.stderr)
        return 1
    started = time.monotonic()
    units = [Unit.of(path) for path in notebooks]
    pages = Pages(options.output, units)
    pages.prepare()
    outcomes = run_all(pages, options.jobs)
    pages.write_map(outcomes)
    summarise(outcomes, options.output, time.monotonic() - started)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


def run_all(pages: Pages, n_jobs: int) -> list[Outcome]:
    """Execute all notebooks, some of them side by side, saying how each went; in their order."""
    # Each has a core; more threads than cores would only wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    n_units = len(pages.units)
    outcomes: dict[int, Outcome] = {}
    with ThreadPoolExecutor(n_jobs) as executor:
        number_of = {}
        for number in range(n_units):
            running = executor.submit(run, pages, number)
            number_of[running] = number
        for done in as_completed(number_of):
            outcome = done.result()
            outcomes[number_of[done]] = outcome
            took = f"{outcome.seconds:.1f} s"
            if outcome.failure:
                took = f"FAILED after {took}"
            print(f"[{len(outcomes):2}/{n_units}] {outcome.unit.path.stem} … {took}", flush=True)
    return [outcomes[number] for number in sorted(outcomes)]


def run(pages: Pages, number: int) -> Outcome:
    """Execute one notebook and write its page, as far as it got."""
    unit = pages.units[number]
    notebook = files.without_outputs(files.read(unit.path))
    failure = ""
    started = time.monotonic()
    try:
        files.execute(notebook, unit.path.parent)
    except CellExecutionError as error:
        failure = describe_failure(notebook, error)
    except (CellTimeoutError, DeadKernelError) as error:
        failure = files.first_line(str(error))
    seconds = time.monotonic() - started
    published = headlines(notebook)
    files.tidy(notebook)
    pages.write(notebook, number)
    return Outcome(unit, seconds, published, failure)


def describe_failure(notebook: nbformat.NotebookNode, error: CellExecutionError) -> str:
    """Which cell stopped the notebook, with what error and with what source."""
    code = files.code_cells(notebook)
    number = sum(cell.execution_count is not None for cell in code)
    lines = code[number - 1].source.splitlines()
    source = "\n".join(f"    | {line}" for line in lines)
    return f"code cell {number} raised {error.ename}: {error.evalue}\n{source}"


def summarise(outcomes: list[Outcome], output: Path, seconds: float) -> None:
    """A number of each notebook, failures, and what to open."""
    print()
    numbers = [outcome.headlines[0] for outcome in outcomes if outcome.headlines]
    for number in numbers[:MOST_PRINTED]:
        print(f"    {number}")
    failed = [outcome for outcome in outcomes if outcome.failure]
    for outcome in failed:
        print(f"\nFAILED {outcome.unit.path.name}: {outcome.failure}")
    n_numbers = sum(len(outcome.headlines) for outcome in outcomes)
    counted = "1 number" if n_numbers == 1 else f"{n_numbers} numbers"
    ran = f"{len(outcomes) - len(failed)} of {len(outcomes)} notebooks ran"
    print(f"\n{ran}, {seconds:.0f} s, {counted}. Open {files.shown(output) / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main())
