"""What is measured in a process of its own, for the sake of its peak memory.

    python -m benchmarks.one_process pairs 10_000 none      # resamples, correction
    python -m benchmarks.one_process segments 2 1_000 1_000 # systems, segments, resamples
    python -m benchmarks.one_process cluster 1_000 1_000    # segments, resamples

It prints numbers in JSON, and imports no more than a user's script would.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mtsig_nb as mt
from mtsig_nb.metrics.mean import SegmentMean

CAMPAIGN = "wmt12/es-en"


def peak_megabytes() -> float:
    """The peak memory of this process so far."""
    # On Linux getrusage begins with the peak of the process that started this one.
    status = Path("/proc/self/status")
    if status.exists():
        (peak,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS


def random_scores(n_systems: int, n_segments: int) -> mt.SufficientStatistics:
    """The statistics of systems with random scores."""
    scores = np.random.default_rng(0).normal(size=(n_systems, n_segments))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    names = tuple(f"system{k}" for k in range(n_systems))
    return mt.SufficientStatistics(SegmentMean(), names, values)


def pairs(n_resamples: str, correction: str) -> dict[str, float]:
    """All pairs of a campaign under BLEU; without resamples the package and the data alone."""
    bleu = mt.load(CAMPAIGN).statistics("BLEU")
    if int(n_resamples):
        mt.compare_all(
            bleu, n_resamples=int(n_resamples), correction=correction, interval=None, rng=1
        )
    return {"megabytes": peak_megabytes()}


def segments(n_systems: str, n_segments: str, n_resamples: str) -> dict[str, float]:
    """All pairs of systems with random scores, with intervals."""
    given = random_scores(int(n_systems), int(n_segments))
    started = time.process_time()
    mt.compare_all(
        given, n_resamples=int(n_resamples), interval_resamples=int(n_resamples) // 5, rng=1
    )
    took = time.process_time() - started
    megabytes = peak_megabytes()
    megabytes_of_input = given.values.nbytes / 2**20
    return {
        "processor_seconds": took,
        "megabytes": megabytes,
        "times_the_input": megabytes / megabytes_of_input,
    }


def cluster(n_segments: str, n_resamples: str) -> dict[str, float]:
    """Two systems on a cluster of two workers: seconds on the clock, the larger worker's memory."""
    from distributed import Client, LocalCluster

    given = random_scores(2, int(n_segments))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers,
        Client(workers) as client,
    ):
        started = time.perf_counter()
        mt.compare_all(given, n_resamples=int(n_resamples), interval=None, rng=1, executor=client)
        took = time.perf_counter() - started
        return {"seconds": took, "megabytes": max(client.run(peak_megabytes).values())}


MEASURES: dict[str, Callable[..., dict[str, float]]] = {
    "pairs": pairs,
    "segments": segments,
    "cluster": cluster,
}

if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    print(json.dumps(MEASURES[name](*arguments)))
