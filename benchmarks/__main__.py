"""How fast we are, how much memory that takes, and whether it meets the aims.

    python benchmarks/bench.py            # prints tables, writes build/bench.json
    python benchmarks/bench.py --quick    # a tenth of the resamples, and fewer runs; no aims
    python benchmarks/bench.py --explorer # only how soon the explorer answers
    python benchmarks/bench.py --commands # only whole commands, from files to verdict
    python benchmarks/bench.py --large    # only many systems, and a million segments
    python benchmarks/bench.py --bounds 2 # only all tests beside the bound, with so many threads
    python benchmarks/bench.py --before ../older  # also a command by an older tree of the package

The file has a list of rows for each table.  A row has its figures, of how many runs they are
medians, its aims, and whether they are met.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu

import mtsig_nb as mt
from mtsig_nb.progress import ProgressBar

from . import bound, commands, engine, explorer, memory, systems
from .aims import AIMS
from .tables import Row, Settings, Subject, show
from .timing import TREE

SUBJECTS = (
    engine.SUBJECT,
    bound.SUBJECT,
    systems.SUBJECT,
    memory.SUBJECT,
    commands.SUBJECT,
    explorer.SUBJECT,
)
#: The benchmark itself, whose one row is made when all others are.
WHOLE = Subject("whole", "This benchmark", ("minutes",), measured=lambda _: iter(()))


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description="How fast we are, and whether it meets the aims.")
    parser.add_argument("--quick", action="store_true", help="fewer resamples and runs")
    parser.add_argument("--explorer", action="store_true", help="only how soon it answers")
    parser.add_argument("--commands", action="store_true", help="only whole commands")
    parser.add_argument("--large", action="store_true", help="only many systems and segments")
    parser.add_argument("--bounds", type=int, metavar="THREADS", help="only beside the bound")
    parser.add_argument("--before", type=Path, help="an older tree of the package")
    return parser.parse_args()


def named(asked: argparse.Namespace) -> list[Subject]:
    """The tables whose options were typed."""
    subjects = []
    if asked.bounds:
        in_threads = partial(bound.in_threads, asked.bounds)
        subjects.append(dataclasses.replace(bound.SUBJECT, measured=in_threads))
    if asked.large:
        subjects += [systems.SUBJECT, memory.SUBJECT]
    if asked.commands:
        subjects.append(commands.SUBJECT)
    if asked.explorer:
        subjects.append(explorer.SUBJECT)
    return subjects


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    return {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "omp_num_threads": os.environ.get("OMP_NUM_THREADS", "not set"),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sacrebleu": sacrebleu.__version__,
        "mtsig_nb": mt.__version__,
    }


def write(report: dict[str, Any]) -> None:
    """Write the file of results, completely or not at all."""
    folder = TREE / "build"
    folder.mkdir(exist_ok=True)
    unfinished = folder / "bench.json.part"
    unfinished.write_text(json.dumps(report, indent=1) + "\n")
    unfinished.replace(folder / "bench.json")
    print(f"written to {folder.name}/bench.json")


def main() -> None:
    """Measure, print and write."""
    asked = arguments()
    settings = Settings(older=asked.before)
    if asked.quick:
        settings = dataclasses.replace(settings, runs=3, n_resamples=1000)
    subjects = named(asked)
    everything = not subjects
    if everything:
        subjects = list(SUBJECTS)
    facts = machine()
    began = time.monotonic()
    tables: dict[str, list[Row]] = {}
    for subject in ProgressBar(subjects, description="measuring", unit="tables"):
        tables[subject.name] = list(subject.measured(settings))
    if everything:
        minutes = (time.monotonic() - began) / 60
        whole = Row("all of it", {"minutes": minutes}, 1, AIMS["the whole benchmark"])
        subjects.append(WHOLE)
        tables[WHOLE.name] = [whole]
    print(
        f"{facts['cores']} cores, OMP_NUM_THREADS {facts['omp_num_threads']}, load before "
        f"{facts['load']:.1f}; figures are medians of as many runs as the last column says"
    )
    for subject in subjects:
        show(subject, tables[subject.name], with_aims=not asked.quick)
    if everything:
        records = {name: [row.record() for row in rows] for name, rows in tables.items()}
        write(facts | records)


if __name__ == "__main__":
    main()
