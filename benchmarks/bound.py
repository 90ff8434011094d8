"""Every test of all pairs, beside the bound, with one and with two threads of BLAS.

The bound is what no implementation by matrix products can do without: drawing the weights, and
multiplying them by the statistics, in the same precision.

    python -m benchmarks.bound 5 10_000    # runs, resamples; prints a row of JSON for each test
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES, Procedure
from mtsig_nb.engine.resampling import Kind, Resampling, bootstrap_counts, swap_masks
from mtsig_nb.statistics.sufficient import pair_indices

from .tables import Row, Settings, Subject
from .timing import Work, printed_by_module, side_by_side

CAMPAIGN = "wmt12/es-en"
#: Threads of BLAS with which every test is measured.
THREADS = (1, 2)
#: What draws the weights of a block for each kind of resampling.
DRAW: dict[Kind, Callable[..., Any]] = {"shuffle": swap_masks, "bootstrap": bootstrap_counts}
#: A new seed for every run: the engine keeps a seed's last draws, which would then cost nothing.
SEEDS = itertools.count()


def all_pairs(given: Any, n_resamples: int, **options: Any) -> Work:
    """All pairs by our engine; without correction and intervals unless `options` has them."""
    options = {"correction": None, "interval": None, **options}

    def run() -> None:
        seed = next(SEEDS)
        mt.compare_all(given, n_resamples=n_resamples, **{"rng": seed, **options})

    return run


def bound(given: mt.SufficientStatistics, procedure: Procedure, n_resamples: int) -> Work:
    """Drawing the weights of a test, and the bare products with what it multiplies them by.

    The further products of a studentised test, which make its standard errors, are left out.
    """
    pairs = pair_indices(len(given.systems))
    plan = Resampling.of(
        procedure.kind,
        [given],
        [pairs],
        n_resamples=n_resamples,
        seed=0,
        linearised=procedure.linearises,
    )
    matrix = plan.statistics[0].matrix
    draw = DRAW[procedure.kind]

    def run() -> None:
        seed = next(SEEDS)
        for block in plan.blocks:
            weights = draw(plan.rows_in(block), plan.n_units, seed=seed, key=(block,))
            matrix @ weights.astype(matrix.dtype).T

    return run


def beside_the_bound(settings: Settings) -> Iterator[Row]:
    """Every test with each number of threads."""
    for n_threads in THREADS:
        yield from in_threads(n_threads, settings)


def in_threads(n_threads: int, settings: Settings) -> Iterator[Row]:
    """Every test, in a process that has so many threads of BLAS."""
    threads = str(n_threads)
    printed = printed_by_module(
        "bound",
        settings.runs,
        settings.n_resamples,
        OMP_NUM_THREADS=threads,
        OPENBLAS_NUM_THREADS=threads,
    )
    for line in printed.splitlines():
        yield Row(**json.loads(line))


def main() -> None:
    """Measure with as many threads of BLAS as this process has."""
    runs, n_resamples = map(int, sys.argv[1:])
    bleu = mt.load(CAMPAIGN).statistics("BLEU")
    n_pairs = len(pair_indices(len(bleu.systems))[0])
    threads = os.environ["OMP_NUM_THREADS"]
    for test, procedure in PROCEDURES.items():
        works = {
            "ours": all_pairs(bleu, n_resamples, test=test),
            "bound": bound(bleu, procedure, n_resamples),
        }
        took = side_by_side(runs, works)
        figures = {
            "seconds": took["ours"],
            "bound_seconds": took["bound"],
            "times_the_bound": took["ours"] / took["bound"],
        }
        what = f"{test}, {n_pairs} pairs x {n_resamples:,}, threads: {threads}"
        print(json.dumps({"what": what, "figures": figures, "runs": runs}))


SUBJECT = Subject(
    "bound",
    "Every test beside the bound (drawing and multiplying), by threads of BLAS",
    ("seconds", "bound_seconds", "times_the_bound"),
    beside_the_bound,
)

if __name__ == "__main__":
    main()
