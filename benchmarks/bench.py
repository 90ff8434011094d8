"""Our engine beside sacreBLEU's own significance tests, and beside the bound.

All on the same cached statistics, in one process, run by run side by side, so that a busy machine
slows all of them.  What counts are the ratios; the medians of several runs are reported.  The
bound is what no implementation by matrix products can do without: drawing the weights and
multiplying the distinct columns, in the same precision.

    python benchmarks/bench.py            # prints a table, writes build/bench.json
    python benchmarks/bench.py --quick    # a tenth of the resamples, and fewer runs
    python benchmarks/bench.py --explorer # only how soon the explorer answers
    python benchmarks/bench.py --commands # only whole commands, from files to verdict
    python benchmarks/bench.py --large    # only many systems, and a million segments
    python benchmarks/bench.py --bounds 2 # only all tests beside the bound, with so many threads
    python benchmarks/bench.py --before ../older  # also a command by an older tree of the package
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from rich.console import Console
from rich.table import Table
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU as SacreBLEU
from sacrebleu.significance import Result, _paired_ar_test, _paired_bs_test

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import BLOCK, Kind, Packed, Resampling
from mtsig_nb.metrics.mean import SegmentMean
from mtsig_nb.progress import ProgressBar
from mtsig_nb.statistics.sufficient import pair_indices

BUILD = Path(__file__).resolve().parent.parent / "build"
#: Where this Python's programs are.
PROGRAMS = Path(sys.executable).parent
CAMPAIGN = "wmt12/es-en"
METRICS = ("BLEU", "NIST", "METEOR", "TER")
TESTS = ("approximate-randomization", "bootstrap", "paired-bootstrap")
#: Threads of BLAS with which every test is measured beside the bound.
THREADS = (1, 2)
MANY_SYSTEMS = "wmt13/de-en"
#: Our test of each kind, and sacreBLEU's name for its own.
RIVALS: tuple[tuple[Kind, str, str], ...] = (
    ("shuffle", "approximate-randomization", "ar"),
    ("bootstrap", "bootstrap", "bs"),
)
#: sacreBLEU's resamples for one pair: enough for its fixed costs not to matter.
SACREBLEU_RESAMPLES = 500

#: How soon the explorer should answer: seconds from a change to the verdict and the first tab.
AIM = 0.15
#: What is changed in the explorer: a control, its value before, and after.
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

#: The peak memory of a process so far, for what is run in a process of its own.
PEAK = """
import resource, sys, time
from pathlib import Path
import numpy as np
import mtsig_nb as mt
from mtsig_nb.metrics.mean import SegmentMean

def peak_megabytes():
    # On Linux getrusage begins with the peak of the process that started this one.
    status = Path("/proc/self/status")
    if status.exists():
        (peak,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(peak.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS
"""

MEMORY = (
    PEAK
    + """
n_resamples, correction = int(sys.argv[1]), sys.argv[2]
bleu = mt.load("wmt12/es-en").statistics("BLEU")
if n_resamples:
    mt.compare_all(bleu, n_resamples=n_resamples, correction=correction, interval=None, rng=1)
print(peak_megabytes())
"""
)

#: Systems with random scores, and intervals: prints processor seconds, and megabytes of the
#: process and of its input.
MANY_SEGMENTS = (
    PEAK
    + """
n_systems, n_segments, n_resamples = map(int, sys.argv[1:])
scores = np.random.default_rng(0).normal(size=(n_systems, n_segments))
values = np.stack([scores, np.ones_like(scores)], axis=-1)
del scores
names = [f"system{k}" for k in range(n_systems)]
given = mt.SufficientStatistics(SegmentMean(), names, values)
started = time.process_time()
mt.compare_all(given, n_resamples=n_resamples, interval_resamples=n_resamples // 5, rng=1)
print(time.process_time() - started, peak_megabytes(), values.nbytes / 2**20)
"""
)
MILLION = 10**6
#: Systems, and shares of the usual number of resamples.
MANY_UNITS = ((2, 0.1), (2, 0.5), (10, 0.1))

#: Ten million segments of two systems on a cluster of two workers: prints seconds on the clock, and
#: the megabytes of the larger worker.
ON_A_CLUSTER = (
    PEAK
    + """
from distributed import Client, LocalCluster
if __name__ == "__main__":
    n_segments, n_resamples = map(int, sys.argv[1:])
    scores = np.random.default_rng(0).normal(size=(2, n_segments))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    given = mt.SufficientStatistics(SegmentMean(), ["first", "second"], values)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        started = time.perf_counter()
        mt.compare_all(given, n_resamples=n_resamples, interval=None, rng=1, executor=client)
        print(time.perf_counter() - started, max(client.run(peak_megabytes).values()))
"""
)

#: Numbers of systems, each twice the one before.
MANY = (50, 100, 200)
#: Resamples of tests and of intervals where many systems are compared under BLEU.
RESAMPLES_UNDER_BLEU = 2000
#: What is asked of many systems.
OF_MANY: dict[str, dict[str, Any]] = {
    "Holm": {"correction": "holm"},
    "Holm, intervals": {"correction": "holm", "interval": "percentile"},
    "Westfall-Young": {"correction": "westfall-young"},
}

SEGMENTS = 3003
#: Made-up texts as large as those of two campaigns: how many segments, and words in each.
SHORT = (2018, 13)
USUAL = (SEGMENTS, 23)
#: What the commands compare: the campaign whose size the texts have, its size, and how many
#: systems; and how many times as soon as ``--paired-bs`` the answer should be, cold and warm.
COMMANDS = (
    ("uk-en", SHORT, 2, (1.5, 2.3)),
    ("es-en", USUAL, 3, (2.0, 3.0)),
    ("es-en", USUAL, 12, (3.0, 6.0)),
)
#: Systems in a file of scores, whose comparison took long.
IN_A_FILE = 100

Work = Callable[[], object]


class CachedBLEU(SacreBLEU):
    """sacreBLEU's metric with statistics that were counted before, in place of texts."""

    def __init__(self, values: list[list[int]]) -> None:
        super().__init__()
        self.values = values

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[int]]:
        return self.values


def side_by_side(runs: int, works: dict[str, Work]) -> dict[str, float]:
    """Median seconds of each work, taken in turn."""
    for work in works.values():
        work()  # caches filled, libraries loaded
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - started)
    return {name: statistics.median(times) for name, times in taken.items()}


def all_pairs(given: Any, n_resamples: int, **options: Any) -> Work:
    """All pairs by our engine, without intervals."""
    options = {"correction": None, "interval": None, "rng": 1, **options}
    return lambda: mt.compare_all(given, n_resamples=n_resamples, **options)


def by_sacrebleu(bleu: mt.SufficientStatistics, kind: Kind) -> Work:
    """One pair by sacreBLEU's own function, statistics given in the form that it counts them."""
    first, second = bleu.values[:2].astype(int).tolist()
    metric = CachedBLEU(second)
    baseline = {"BLEU": (first, Result(metric._aggregate_and_compute(first).score))}
    test = _paired_ar_test if kind == "shuffle" else _paired_bs_test
    segments = [""] * bleu.n_segments
    metrics: dict[str, Metric] = {"BLEU": metric}
    return lambda: test(
        baseline, "system", segments, None, metrics, SACREBLEU_RESAMPLES, seed=12345
    )


def bound(given: mt.SufficientStatistics, kind: Kind, n_resamples: int) -> Work:
    """Drawing the weights, and the bare products."""
    pairs = pair_indices(len(given.systems))
    plan = Resampling.of(kind, [given], pairs, n_resamples=n_resamples, seed=1)
    # Of the statistics as they are: we multiply differences, which are fewer columns.
    matrix = Packed.of(given, "bootstrap").matrix.astype(plan.statistics[0].matrix.dtype)

    def run() -> None:
        for block in plan.blocks:
            matrix @ plan.weights(block).astype(matrix.dtype).T

    return run


def against_others(runs: int, n_resamples: int) -> Iterator[dict[str, Any]]:
    """All pairs, against sacreBLEU per pair and resample, and against the bound."""
    bleu = mt.load(CAMPAIGN).statistics("BLEU")
    pair = bleu.select(bleu.systems[:2])
    n_pairs = len(pair_indices(len(bleu.systems))[0])
    for kind, test, theirs in RIVALS:
        took = side_by_side(
            runs,
            {
                "ours": all_pairs(bleu, n_resamples, test=test),
                "one pair": all_pairs(pair, n_resamples, test=test),
                "sacrebleu": by_sacrebleu(bleu, kind),
                "bound": bound(bleu, kind, n_resamples),
            },
        )
        ours = took["ours"] / (n_pairs * n_resamples)
        sacrebleus = took["sacrebleu"] / SACREBLEU_RESAMPLES
        yield {
            "what": f"{test}, BLEU, {n_pairs} pairs x {n_resamples:,}",
            "seconds": took["ours"],
            "bound_seconds": took["bound"],
            "times_the_bound": took["ours"] / took["bound"],
            "microseconds_per_pair_and_resample": 1e6 * ours,
            "sacrebleu_test": theirs,
            "sacrebleu_microseconds_per_pair_and_resample": 1e6 * sacrebleus,
            "times_as_fast_as_sacrebleu": sacrebleus / ours,
        }
        yield {
            "what": f"{test}, BLEU, 1 pair x {n_resamples:,}",
            "seconds": took["one pair"],
            "times_as_fast_as_sacrebleu": sacrebleus / (took["one pair"] / n_resamples),
        }


def against_the_bound(runs: int, n_resamples: int) -> Iterator[dict[str, Any]]:
    """Every test of all pairs, with as many threads of BLAS as this process has."""
    bleu = mt.load(CAMPAIGN).statistics("BLEU")
    n_pairs = len(pair_indices(len(bleu.systems))[0])
    threads = os.environ["OMP_NUM_THREADS"]
    for test, procedure in PROCEDURES.items():
        took = side_by_side(
            runs,
            {
                "ours": all_pairs(bleu, n_resamples, test=test),
                "bound": bound(bleu, procedure.kind, n_resamples),
            },
        )
        yield {
            "what": f"{test}, {n_pairs} pairs x {n_resamples:,}, threads of BLAS: {threads}",
            "seconds": took["ours"],
            "bound_seconds": took["bound"],
            "times_the_bound": took["ours"] / took["bound"],
        }


def in_threads(n_threads: int, *, quick: bool) -> Iterator[dict[str, Any]]:
    """`against_the_bound` in a process that has so many threads of BLAS."""
    command = [sys.executable, __file__, "--bounds", str(n_threads)]
    if quick:
        command.append("--quick")
    environment = os.environ | {
        "OMP_NUM_THREADS": str(n_threads),
        "OPENBLAS_NUM_THREADS": str(n_threads),
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    yield from map(json.loads, done.stdout.splitlines())


def targets(runs: int, n_resamples: int) -> Iterator[dict[str, Any]]:
    """The comparisons that have to feel instant."""
    campaign = mt.load(CAMPAIGN)
    metrics = [m for m in METRICS if m in campaign.metrics]
    family = [campaign.statistics(m) for m in metrics]
    bleu = family[0]
    many = mt.load(MANY_SYSTEMS).statistics("BLEU")
    many = many.select(many.systems[:20])
    tests = [all_pairs(family, n_resamples, test=test) for test in TESTS]
    works: dict[str, Work] = {
        f"3 tests x {', '.join(metrics)}, 66 pairs x {n_resamples:,}": lambda: [
            test() for test in tests
        ],
        f"Westfall-Young, BLEU, 190 pairs x {n_resamples:,}": all_pairs(
            many, n_resamples, correction="westfall-young"
        ),
        f"randomised Tukey, BLEU, 12 systems x {n_resamples:,}": all_pairs(
            bleu, n_resamples, correction="tukey"
        ),
    }
    for what, taken in side_by_side(runs, works).items():
        yield {"what": what, "seconds": taken}


def many_systems(n_resamples: int) -> Iterator[dict[str, Any]]:
    """All pairs of many systems with random scores, and the exponent with which systems count.

    Pairs grow with the square of the systems.  Processor time, of a single run each.
    """
    scores = np.random.default_rng(0).normal(size=(max(MANY), SEGMENTS))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    names = [f"system{k}" for k in range(max(MANY))]
    given = mt.SufficientStatistics(SegmentMean(), names, values)
    for name, options in OF_MANY.items():
        all_pairs(given.select(given.systems[:3]), n_resamples, **options)()  # libraries loaded
        seconds: list[float] = []
        for n_systems in MANY:
            work = all_pairs(given.select(given.systems[:n_systems]), n_resamples, **options)
            started = time.process_time()
            work()
            seconds.append(time.process_time() - started)
            n_pairs = n_systems * (n_systems - 1) // 2
            row = {
                "what": f"{name}, mean, {n_systems} systems, {n_pairs:,} pairs x {n_resamples:,}",
                "processor_seconds": seconds[-1],
            }
            if len(seconds) > 1:
                row["exponent_in_systems"] = math.log2(seconds[-1] / seconds[-2])
            yield row


def many_systems_under_bleu(runs: int) -> Iterator[dict[str, Any]]:
    """Fifty systems that take each segment from one of two of a campaign's, with intervals."""
    bleu = mt.load(MANY_SYSTEMS).statistics("BLEU")
    draw = np.random.default_rng(0)
    values = []
    for _ in range(MANY[0]):
        first, second = draw.integers(len(bleu.systems), size=2)
        is_of_first = draw.random((bleu.n_segments, 1)) < draw.random()
        values.append(np.where(is_of_first, bleu.values[first], bleu.values[second]))
    names = [f"system{k}" for k in range(MANY[0])]
    given = mt.SufficientStatistics(bleu.metric, names, np.stack(values))
    seconds = []
    for seed in range(runs + 1):
        started = time.process_time()
        mt.compare_all(given, n_resamples=RESAMPLES_UNDER_BLEU, rng=seed)
        seconds.append(time.process_time() - started)
    yield {
        "what": f"Holm, intervals, BLEU, {MANY[0]} systems x {RESAMPLES_UNDER_BLEU:,}",
        "processor_seconds": statistics.median(seconds[1:]),
        "aim": 1.0,
    }


def many_segments(n_usual: int) -> Iterator[dict[str, Any]]:
    """A million segments of some systems, each in a process of its own."""
    for n_systems, share in MANY_UNITS:
        n_resamples = int(n_usual * share)
        sizes = [str(n_systems), str(MILLION), str(n_resamples)]
        command = [sys.executable, "-c", MANY_SEGMENTS, *sizes]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds, megabytes, megabytes_of_input = map(float, done.stdout.split())
        yield {
            "what": f"{n_systems} systems x {MILLION:,} segments x {n_resamples:,}, intervals",
            "processor_seconds": seconds,
            "megabytes": megabytes,
            "times_the_input": megabytes / megabytes_of_input,
        }


def on_a_cluster() -> Iterator[dict[str, Any]]:
    """Ten million segments on two workers of Dask's; nothing where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        return
    sizes = [10 * MILLION, 2 * BLOCK]  # a block for each worker
    with tempfile.TemporaryDirectory() as folder:
        # A file, since workers that are processes import what started them.
        script = Path(folder) / "on_a_cluster.py"
        script.write_text(ON_A_CLUSTER)
        done = subprocess.run(
            [sys.executable, script, *map(str, sizes)], capture_output=True, text=True, check=True
        )
    seconds, megabytes = map(float, done.stdout.split())
    yield {
        "what": f"2 systems x {sizes[0]:,} segments x {sizes[1]:,}, 2 workers, each",
        "seconds": seconds,
        "megabytes": megabytes,
    }


def peak_memory(sizes: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Peak memory of a process of its own that compares all pairs under BLEU."""
    cases = [(0, "none"), *((n, "none") for n in sizes), (sizes[-1], "westfall-young")]
    for n_resamples, correction in cases:
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, str(n_resamples), correction],
            capture_output=True,
            text=True,
            check=True,
        )
        compared = f"66 pairs x {n_resamples:,}, correction {correction}"
        yield {
            "what": f"peak memory, {compared if n_resamples else 'package and data alone'}",
            "megabytes": float(done.stdout),
        }


def explorer_answers(runs: int) -> Iterator[dict[str, Any]]:
    """The explorer with all pairs of 12 systems, 3,003 segments, 10,000 resamples.

    Time from the change of one control to all that can be read, and to the picture below it, on the
    clock, and of processors until then; nothing of it is known from before but what the same
    control's last value needed.  Before each change there is half a second, in which people think
    and the explorer draws ahead.
    """
    explorer = mt.explore(CAMPAIGN)
    first = {name: before for name, before, _ in reversed(CHANGES)} | {"resamples": 10_000}
    seeds = itertools.count(1000)
    moves = [(name, after) for name, _, after in CHANGES]
    read: dict[tuple[str, Any], list[float]] = {move: [] for move in moves}
    taken: dict[tuple[str, Any], list[float]] = {move: [] for move in moves}
    busy: dict[tuple[str, Any], list[float]] = {move: [] for move in moves}
    #: When the page of the first tab changed: first its text, then its picture.
    changed_at: list[float] = []
    page = explorer.tabs.children[0]
    page.observe(lambda _: changed_at.append(time.perf_counter()), "value")
    for run in range(runs + 1):
        for name, before, after in CHANGES:
            explorer.set(**{**first, name: before, "seed": next(seeds)})
            explorer.wait()
            time.sleep(0.5)
            value = next(seeds) if name == "seed" else after
            changed_at.clear()
            started, worked = time.perf_counter(), time.process_time()
            explorer.set(**{name: value})
            explorer.wait()
            if run:  # the first run loads libraries
                read[name, after].append(changed_at[0] - started)
                taken[name, after].append(time.perf_counter() - started)
                busy[name, after].append(time.process_time() - worked)
    for (name, after), times in read.items():
        to = "another" if name == "seed" else f"{after:,}" if name == "resamples" else after
        yield {
            "what": f"{name}: {', '.join(to) if isinstance(to, tuple) else to}",
            "milliseconds": 1000 * statistics.median(times),
            "worst_milliseconds": 1000 * max(times),
            "milliseconds_with_picture": 1000 * statistics.median(taken[name, after]),
            "processor_milliseconds": 1000 * statistics.median(busy[name, after]),
            "times_the_aim": statistics.median(times) / AIM,
            "worst_times_the_aim": max(times) / AIM,
        }


def whole_commands(quick: bool) -> Iterator[dict[str, Any]]:
    """From files to verdict: `mtsig compare` and `sacrebleu`, as processes, turn by turn.

    Processor time, since only that is the same on a busy machine; with nothing in our cache of
    statistics (cold) and with all of them (warm).  sacreBLEU has a cache of texts alone.  It tests
    each system against the first, with 1,000 resamples in its bootstrap; we test all pairs, with
    10,000.  Ratios are medians over turns.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        helps = [_seconds([PROGRAMS / "mtsig", "--help"], folder) for _ in range(6)]
        median = statistics.median(helps[1:])
        yield {"what": "mtsig --help", "processor_seconds": median, "aim": 0.15}
        for campaign, size, n, aims in COMMANDS:
            systems = made_up_texts(folder, n, *size)
            ours = [PROGRAMS / "mtsig", "compare", *systems, "-r", "reference", "-m", "bleu"]
            theirs = [PROGRAMS / "sacrebleu", "reference", "-i", *systems, "-m", "bleu"]
            works = {
                "cold": lambda ours=ours: _seconds(ours, folder, cold=True),
                "warm": lambda ours=ours: _seconds(ours, folder),
                "--paired-bs": lambda theirs=theirs: _seconds([*theirs, "--paired-bs"], folder),
            }
            runs = 2 if n > 3 or quick else 5
            for work in works.values():
                work()  # compiles and fills caches
            taken: dict[str, list[float]] = {title: [] for title in works}
            for _ in range(runs):
                for title, work in works.items():
                    taken[title].append(work())
            of_theirs = taken["--paired-bs"]
            for title, aim in zip(("cold", "warm"), aims, strict=True):
                ratios = []
                for theirs_took, ours_took in zip(of_theirs, taken[title], strict=True):
                    ratios.append(theirs_took / ours_took)
                yield {
                    "what": f"mtsig compare, {title}, BLEU, {n} systems as of {campaign}",
                    "processor_seconds": statistics.median(taken[title]),
                    "times_as_fast_as_paired_bs": statistics.median(ratios),
                    "aim": aim,
                }
            yield {
                "what": "sacrebleu --paired-bs",
                "processor_seconds": statistics.median(of_theirs),
            }


def then_and_now(older: Path | None) -> Iterator[dict[str, Any]]:
    """A command that took long, by an `older` tree of the package and by this one.

    All pairs of many systems in a file of scores, as a process of its own, once by each.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scores = np.random.default_rng(0).normal(80, 15, (IN_A_FILE, SEGMENTS)).round(1)
        with (folder / "scores.csv").open("w") as stream:
            stream.write("system,segment,score\n")
            for system, scores_of_system in enumerate(scores):
                for segment, score in enumerate(scores_of_system):
                    stream.write(f"system{system},{segment},{score:.1f}\n")
        program = "from mtsig_nb.cli import main; main()"
        command = [sys.executable, "-c", program, "compare", "--scores", "scores.csv"]
        trees = {"by this tree": BUILD.parent}
        if older is not None:
            trees["by the older tree"] = older.resolve()
        for title, tree in trees.items():
            yield {
                "what": f"mtsig compare --scores, {IN_A_FILE} systems, {title}",
                "processor_seconds": _seconds(command, folder, PYTHONPATH=str(tree)),
            }


def made_up_texts(folder: Path, n_systems: int, n_segments: int, n_words: int) -> list[str]:
    """A reference, and outputs with more and more of its words exchanged, as files."""
    draw = np.random.default_rng(0)
    words = np.array([f"w{k}" for k in range(20_000)])
    # Frequencies as of words in texts, by Zipf's law.
    share = 1 / np.arange(1, len(words) + 1)
    lengths = draw.poisson(n_words, n_segments) + 1

    def drawn() -> list[Any]:
        return [draw.choice(words, n, p=share) for n in lengths]

    def write(name: str, lines: list[Any]) -> str:
        text = "".join(f"{' '.join(line).capitalize()}.\n" for line in lines)
        (folder / name).write_text(text)
        return name

    share /= share.sum()
    reference = drawn()
    write("reference", reference)
    return [
        write(
            f"system{k}",
            [
                np.where(draw.random(len(line)) < 0.35 + 0.01 * k, other, line)
                for line, other in zip(reference, drawn(), strict=True)
            ],
        )
        for k in range(n_systems)
    ]


def _seconds(command: list[Any], folder: Path, *, cold: bool = False, **settings: str) -> float:
    """Processor seconds of a process of its own, with `settings` in its environment."""
    cache = folder / "cache"
    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    environment = os.environ | {"MTSIG_CACHE": str(cache)} | settings
    # Whoever has installed a package has it compiled, and so must we here.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.times()
    subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    after = os.times()
    return sum(
        getattr(after, kind) - getattr(before, kind)
        for kind in ("children_user", "children_system")
    )


def in_the_browser(runs: int) -> list[dict[str, Any]]:
    """The explorer's moves in a real browser; nothing where there is no browser."""
    command = [sys.executable, "-m", "benchmarks.explorer_in_browser", str(runs)]
    done = subprocess.run(command, cwd=BUILD.parent, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        return [{"what": f"in the browser: not measured ({reason})"}]
    rows = []
    for line in done.stdout.splitlines():
        row = json.loads(line)
        row["times_the_aim"] = row["milliseconds"] / 1000 / AIM
        row["worst_times_the_aim"] = row["worst_milliseconds"] / 1000 / AIM
        rows.append(row)
    return rows


COLUMNS = (
    ("seconds", "seconds", 2),
    ("x bound", "times_the_bound", 1),
    ("x sacreBLEU", "times_as_fast_as_sacrebleu", 0),
    ("processor s", "processor_seconds", 2),
    ("exponent in systems", "exponent_in_systems", 1),
    ("x --paired-bs", "times_as_fast_as_paired_bs", 1),
    ("aim", "aim", 2),
    ("MB", "megabytes", 0),
    ("x input", "times_the_input", 1),
    ("ms", "milliseconds", 0),
    ("worst ms", "worst_milliseconds", 0),
    ("with picture", "milliseconds_with_picture", 0),
    ("processor ms", "processor_milliseconds", 0),
    ("x aim", "times_the_aim", 2),
    ("worst x aim", "worst_times_the_aim", 2),
)


def show(rows: list[dict[str, Any]], title: str) -> None:
    """Print the table, with the columns that some row has."""
    table = Table(title=title)
    table.add_column("")
    columns = [column for column in COLUMNS if any(column[1] in row for row in rows)]
    for heading, _, _ in columns:
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [f"{row[key]:,.{digits}f}" if key in row else "" for _, key, digits in columns]
        table.add_row(row["what"], *cells)
    Console(width=110).print(table)


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description="Our engine beside sacreBLEU's and the bound.")
    parser.add_argument("--quick", action="store_true", help="fewer resamples and runs")
    parser.add_argument("--explorer", action="store_true", help="only how soon it answers")
    parser.add_argument("--commands", action="store_true", help="only whole commands")
    parser.add_argument("--large", action="store_true", help="only many systems and segments")
    parser.add_argument("--bounds", type=int, metavar="THREADS", help="only beside the bound")
    parser.add_argument("--before", type=Path, help="an older tree of the package")
    return parser.parse_args()


def show_bounds(n_threads: int, runs: int, n_resamples: int, *, quick: bool) -> None:
    """Print every test beside the bound: for people, or where threads are as asked for, in JSON."""
    if os.environ.get("OMP_NUM_THREADS") == str(n_threads):  # read when NumPy is imported
        for row in against_the_bound(runs, n_resamples):
            print(json.dumps(row))
    else:
        show(list(in_threads(n_threads, quick=quick)), f"threads of BLAS: {n_threads}; medians")


def main() -> None:
    """Measure, print and write."""
    asked = arguments()
    runs, n_resamples = (3, 1000) if asked.quick else (5, 10_000)
    if asked.bounds:
        show_bounds(asked.bounds, runs, n_resamples, quick=asked.quick)
        return
    parts = [
        against_others(runs, n_resamples),
        targets(runs - 2, n_resamples),
        peak_memory((n_resamples, 10 * n_resamples)),
    ]
    parts += [in_threads(n_threads, quick=asked.quick) for n_threads in THREADS]
    large_parts = [
        many_systems(n_resamples),
        many_systems_under_bleu(runs),
        many_segments(n_resamples),
        on_a_cluster(),
    ]
    everything = not (asked.explorer or asked.commands or asked.large)
    if not everything:
        parts = []
    if everything or asked.large:
        parts += large_parts
    measured = ProgressBar(parts, description="measuring", unit="parts")
    rows = [row for part in measured for row in part]
    commands: list[dict[str, Any]] = []
    if everything or asked.commands:
        commands = [*whole_commands(asked.quick), *then_and_now(asked.before)]
    answers: list[dict[str, Any]] = []
    if everything or asked.explorer:
        answers = [*explorer_answers(runs), *in_the_browser(runs)]
    threads = os.environ.get("OMP_NUM_THREADS", "not set")
    load = os.getloadavg()[0]
    where = f"{os.cpu_count()} cores, OMP_NUM_THREADS {threads}, load {load:.1f}"
    if rows:
        show(rows, f"{where}; medians")
    if commands:
        show(commands, f"{where}; whole commands, medians")
    if answers:
        show(answers, f"{where}; the explorer after a change; the aim is {1000 * AIM:.0f} ms")
    if not everything:
        return
    report = {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "omp_num_threads": threads,
        "load": load,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sacrebleu": sacrebleu.__version__,
        "mtsig_nb": mt.__version__,
        "runs": runs,
        "rows": rows,
        "commands": commands,
        "explorer": answers,
    }
    BUILD.mkdir(exist_ok=True)
    unfinished = BUILD / "bench.json.part"
    unfinished.write_text(json.dumps(report, indent=1) + "\n")
    unfinished.replace(BUILD / "bench.json")
    print(f"written to {BUILD.name}/bench.json")


if __name__ == "__main__":
    main()
