"""What tests that know of several runs say, counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import mtsig_nb as mt
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.significance.other_tools import OTHER_TOOLS, OtherTool
from mtsig_nb.significance.runs import claim_pvalue

from .drawing import segment_means
from .rows import INTERVALS, RESAMPLES, Row, Seed, of_units, pvalues_of, row_of_test
from .simulated import UnequalRuns
from .worlds import Sets, Setting


def over_runs(_: Setting, sets: Sets, seed: Seed) -> Iterator[Row]:
    """Tests that know of several runs; nothing where there is one run of each system."""
    if not sets.runs:
        return
    peer = OTHER_TOOLS["multeval"]
    found = []
    single = []
    for k, statistics in enumerate(sets.runs[:INTERVALS], start=seed(1)):
        half = len(statistics.systems) // 2
        runs = {"A": statistics.systems[:half], "B": statistics.systems[half:]}
        compared = mt.compare_runs(
            statistics, runs, n_resamples=RESAMPLES, bootstrap_resamples=2, rng=k
        )
        found.append(compared)
        single.append(_coin_for_every_output(statistics, half, k, peer))
    methods = np.array(pvalues_of(found), dtype=float)  # NaN if there is none
    segment = pvalues_of(result.segment_test for result in found)
    run = pvalues_of(result.run_test for result in found)
    larger = np.maximum(segment, run)
    title = f"{peer.title.partition(',')[0]}, several runs: a coin for every output"
    rows = [
        row_of_test("methods", "compare_runs, test of the methods", methods, candidate=True),
        row_of_test("both", "compare_runs, the larger p of the next two", larger),
        row_of_test("sets", "compare_runs, test over segments", segment),
        row_of_test("runs", "compare_runs, test over runs", run),
        row_of_test("multeval-runs", title, single, tool="multeval"),
    ]
    yield from of_units("all runs", rows)


def with_unequal_runs(_: Setting, made: UnequalRuns, seed: Seed) -> Iterator[Row]:
    """The test of the methods where one has more runs than the other."""
    n_runs = made.scores.shape[1]
    names = [f"run {number}" for number in range(1, n_runs + 1)]
    pvalues = []
    for scores in made.scores:
        runs = segment_means(scores, names)
        pvalues.append(claim_pvalue(runs, made.n_first, "two-sided"))
    title = "compare_runs, test of the methods"
    pvalues_or_nan = np.array(pvalues, dtype=float)
    row = row_of_test("methods-unequal", title, pvalues_or_nan, candidate=True)
    yield from of_units("all runs", [row])


def _coin_for_every_output(
    runs: mt.SufficientStatistics, half: int, seed: int, peer: OtherTool
) -> float:
    """All runs' outputs scored together, each with a coin of its own; see `reported_by`."""
    n_counts = runs.values.shape[2]
    values = runs.values.reshape(2, half * runs.n_segments, n_counts)
    together = mt.SufficientStatistics(runs.metric, ("A", "B"), values)
    result = run_test(
        peer.procedure,
        together,
        "A",
        "B",
        counting=peer.counting,
        n_resamples=RESAMPLES,
        exact=False,
        rng=seed,
    )
    return result.pvalue
