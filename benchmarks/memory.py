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
    n_many = 10 * n_usual
    yield Row("package and data alone", in_one_process("pairs", 0, "none"), runs=1)
    yield Row(f"66 pairs x {n_usual:,}", in_one_process("pairs", n_usual, "none"), runs=1)
    yield Row(f"66 pairs x {n_many:,}", in_one_process("pairs", n_many, "none"), runs=1)
    yield Row(
        f"66 pairs x {n_many:,}, Westfall-Young",
        in_one_process("pairs", n_many, "westfall-young"),
        runs=1,
    )


def a_million_segments(
    n_systems: int, n_resamples: int, *, runs: int, aims: tuple[Aim, ...]
) -> Row:
    """All pairs of some systems, with intervals."""
    figures = medians_of_processes(runs, "segments", n_systems, MILLION, n_resamples)
    what = f"{n_systems} systems x {MILLION:,} segments x {n_resamples:,}"
    return Row(what, figures, runs, aims)


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
    n_usual = settings.n_resamples
    yield from pairs_of_a_campaign(n_usual)
    of_two_systems = AIMS["a million segments, 2 systems"]
    yield a_million_segments(2, n_usual // 10, runs=settings.runs, aims=of_two_systems)
    yield a_million_segments(2, n_usual // 2, runs=1, aims=of_two_systems)
    of_ten_systems = AIMS["a million segments, 10 systems"]
    yield a_million_segments(10, n_usual // 20, runs=1, aims=of_ten_systems)
    yield from on_a_cluster()


SUBJECT = Subject(
    "memory",
    "Peak memory: a million segments with intervals; ten million on Dask, of the larger worker",
    ("processor_seconds", "seconds", "megabytes", "times_the_input"),
    measured,
)
