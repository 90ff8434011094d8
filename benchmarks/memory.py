"""Memory: all pairs of a campaign, a million segments, and ten million on a cluster.

Each is measured in a process of its own (`one_process`).  Peak memory hardly varies, so that one
run is enough where it is all that is asked.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
from collections.abc import Iterator
from typing import Any

from mtsig_nb.engine.resampling import BLOCK

from .aims import AIMS, Aim
from .tables import Row, Settings, Subject
from .timing import printed_by_module

MILLION = 10**6


def in_one_process(what: str, *arguments: Any) -> dict[str, float]:
    """The figures that `one_process` prints."""
    figures: dict[str, float] = json.loads(printed_by_module("one_process", what, *arguments))
    return figures


def medians_of_processes(runs: int, what: str, *arguments: Any) -> dict[str, float]:
    """The medians of what as many processes print, one after the other."""
    figures_of_runs = [in_one_process(what, *arguments) for _ in range(runs)]
    return {
        name: statistics.median(figures[name] for figures in figures_of_runs)
        for name in figures_of_runs[0]
    }


def pairs_of_a_campaign(n_usual: int) -> Iterator[Row]:
    """All pairs under BLEU; memory does not grow with the resamples."""
    yield Row("package and data alone", in_one_process("pairs", 0, "none"), runs=1)
    for n_resamples in (n_usual, 10 * n_usual):
        figures = in_one_process("pairs", n_resamples, "none")
        yield Row(f"66 pairs x {n_resamples:,}", figures, runs=1)
    figures = in_one_process("pairs", n_resamples, "westfall-young")
    yield Row(f"66 pairs x {n_resamples:,}, Westfall-Young", figures, runs=1)


def a_million_segments(settings: Settings) -> Iterator[Row]:
    """Some systems with intervals, and shares of the usual number of resamples."""
    cases: tuple[tuple[int, float, int, tuple[Aim, ...]], ...] = (
        (2, 0.1, settings.runs, AIMS["a million segments, 2 systems"]),
        (2, 0.5, 1, AIMS["a million segments, 2 systems"]),
        (10, 0.05, 1, AIMS["a million segments, 10 systems"]),
    )
    for n_systems, share, runs, aims in cases:
        n_resamples = int(settings.n_resamples * share)
        figures = medians_of_processes(runs, "segments", n_systems, MILLION, n_resamples)
        what = f"{n_systems} systems x {MILLION:,} segments x {n_resamples:,}"
        yield Row(what, figures, runs, aims)


def on_a_cluster() -> Iterator[Row]:
    """Ten million segments on two workers of Dask's; nothing where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        return
    n_resamples = 2 * BLOCK  # a block for each worker
    yield Row(
        f"2 systems x {10 * MILLION:,} x {n_resamples:,}, Dask",
        in_one_process("cluster", 10 * MILLION, n_resamples),
        1,
        AIMS["ten million segments, each of 2 workers"],
    )


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table."""
    yield from pairs_of_a_campaign(settings.n_resamples)
    yield from a_million_segments(settings)
    yield from on_a_cluster()


SUBJECT = Subject(
    "memory",
    "Peak memory: a million segments with intervals; ten million on Dask, of the larger worker",
    ("processor_seconds", "seconds", "megabytes", "times_the_input"),
    measured,
)
