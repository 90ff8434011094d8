"""How soon the explorer answers after the change of a control, in Python and in a browser.

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
from .timing import printed_by_module

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


def without_a_browser(runs: int) -> Iterator[dict[str, Any]]:
    """What is changed, and the figures of each change.

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
        yield {"what": f"{name}: {_in_words(name, after)}", **_median_and_worst(times)}


def _median_and_worst(times: Sequence[dict[str, float]]) -> dict[str, float]:
    """The figures of a change from those of its runs."""
    figures = {}
    for figure in times[0]:
        figures[figure] = statistics.median(figures_of_run[figure] for figures_of_run in times)
    figures["worst_milliseconds"] = max(figures_of_run["milliseconds"] for figures_of_run in times)
    return figures


def _in_words(name: str, value: Any) -> str:
    """The value that a control is set to."""
    if name == "seed":
        return "another"
    if name == "resamples":
        return f"{value:,}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table, with one thread of BLAS, as ``make app`` serves the explorer."""
    for module in ("explorer", "explorer_in_browser"):
        try:
            printed = printed_by_module(module, settings.runs, OPENBLAS_NUM_THREADS="1")
        except subprocess.CalledProcessError as error:
            reason = error.stderr.strip().splitlines()[-1]
            yield Row(f"{module}: not measured ({reason})", {}, runs=0)
            continue
        for line in printed.splitlines():
            figures = json.loads(line)
            what = figures.pop("what")
            yield Row(what, figures, settings.runs, AIMS["a move in the explorer"])


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

if __name__ == "__main__":
    for row in without_a_browser(int(sys.argv[1])):
        print(json.dumps(row))
