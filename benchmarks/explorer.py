"""How soon the explorer answers after the change of a control, in this process and in a browser.

All pairs of 12 systems, 3,003 segments, 10,000 resamples.
"""

from __future__ import annotations

import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import mtsig_nb as mt

from .aims import AIMS
from .bound import CAMPAIGN
from .tables import Row, Settings, Subject
from .timing import TREE

#: What is changed: a control, its value before, and after.
CHANGES: tuple[tuple[str, Any, Any], ...] = (
    ("second", "uedin-wmt12", "QCRI--primary"),
    ("metrics", ("BLEU",), ("BLEU", "TER")),
    ("test", "approximate-randomization", "bootstrap"),
    ("test", "approximate-randomization", "paired-bootstrap"),
    ("test", "approximate-randomization", "riezler-maxwell-bootstrap"),
    ("tails", "two-sided", "greater"),
    ("resamples", 5000, 10_000),
    ("units", "segments", "documents"),
    ("counting", "add-one", "strict"),
    ("correction", "holm", "bonferroni"),
    ("correction", "holm", "westfall-young"),
    ("alpha", 0.05, 0.01),
    ("seed", 0, 1),
)
#: Seconds before each change, in which people think, and the explorer draws ahead.
PAUSE = 0.3


class Stopwatch:
    """Times what an explorer does after each change of a control.

    Parameters
    ----------
    explorer : Explorer
    """

    def __init__(self, explorer: Any) -> None:
        self._explorer = explorer
        #: When the page of the first tab changed: first its text, then its picture.
        self._changed_at: list[float] = []
        page = explorer.tabs.children[0]
        page.observe(lambda _: self._changed_at.append(time.perf_counter()), "value")

    def change(self, name: str, value: Any) -> dict[str, float]:
        """Change a control.

        Milliseconds on the clock to all that can be read, and to the picture below it, and of
        processors until then.
        """
        self._changed_at.clear()
        began = time.perf_counter()
        began_on_processor = time.process_time()
        self._explorer.set(**{name: value})
        self._explorer.wait()
        return {
            "milliseconds": 1000 * (self._changed_at[0] - began),
            "milliseconds_with_picture": 1000 * (time.perf_counter() - began),
            "processor_milliseconds": 1000 * (time.process_time() - began_on_processor),
        }


def in_this_process(runs: int) -> Iterator[Row]:
    """Every change, median and worst.

    Nothing of the answer is known from before but what the same control's last value needed.
    """
    explorer = mt.explore(CAMPAIGN)
    stopwatch = Stopwatch(explorer)
    values_before = {name: before for name, before, _ in reversed(CHANGES)}
    values_before["resamples"] = 10_000
    seeds = itertools.count(1000)
    taken: list[list[dict[str, float]]] = [[] for _ in CHANGES]
    for run in range(runs + 1):  # the first, number 0, loads libraries
        for times, (name, before, after) in zip(taken, CHANGES, strict=True):
            explorer.set(**{**values_before, name: before, "seed": next(seeds)})
            explorer.wait()
            if run:
                time.sleep(PAUSE)
            value = next(seeds) if name == "seed" else after
            figures = stopwatch.change(name, value)
            if run:
                times.append(figures)
    for times, (name, _, after) in zip(taken, CHANGES, strict=True):
        yield _median_and_worst(f"{name}: {_in_words(name, after)}", times)


def _median_and_worst(what: str, times: Sequence[dict[str, float]]) -> Row:
    """The row of a change from the times of its runs."""
    figures = {}
    for figure in times[0]:
        figures[figure] = statistics.median(figures_of_run[figure] for figures_of_run in times)
    figures["worst_milliseconds"] = max(figures_of_run["milliseconds"] for figures_of_run in times)
    return Row(what, figures, len(times), AIMS["a move in the explorer"])


def _in_words(name: str, value: Any) -> str:
    """The value that a control is set to."""
    if name == "seed":
        return "another"
    if name == "resamples":
        return f"{value:,}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def in_a_browser(runs: int) -> Iterator[Row]:
    """The explorer's moves in a real browser; where there is none, the reason."""
    command = [sys.executable, "-m", "benchmarks.explorer_in_browser", str(runs)]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        yield Row(f"in the browser: not measured ({reason})", {}, runs=0)
        return
    for line in done.stdout.splitlines():
        figures = json.loads(line)
        what = figures.pop("what")
        yield Row(what, figures, runs, AIMS["a move in the explorer"])


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table."""
    yield from in_this_process(settings.runs)
    yield from in_a_browser(settings.runs)


SUBJECT = Subject(
    "explorer",
    "The explorer: milliseconds from a changed control to its answer, and to the picture",
    (
        "milliseconds",
        "worst_milliseconds",
        "milliseconds_with_picture",
        "processor_milliseconds",
    ),
    measured,
)
