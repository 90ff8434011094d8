"""The worlds in which nothing differs, and what is true in each.

A world has several settings, mostly sizes of the test set.  A setting makes any number of data sets
from a seed; in all of them the two systems of a pair are equally good.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import mtsig_nb as mt
from mtsig_nb.human import SegmentScores
from mtsig_nb.simulate.worlds import uniforms
from mtsig_nb.statistics.many_test_sets import ScoredSets

from ..replication.shared import campaign, statistics
from . import simulated

SIZES = (50, 100, 300)
#: What a segment that fails altogether costs in MQM (Freitag et al. 2021).
NON_TRANSLATION = -25.0
FAILING = 0.02
#: As in unit 29: the spread between runs of MultEval's `sys1`, and how alike two runs are.
RUNS_ALIKE = 0.5
#: Five against five can be divided in 252 ways: enough for a test over runs at .01.
RUNS = 5
#: How much of what documents do to a difference all languages have in common: less than in most
#: pairs of neighbours in WMT25, and more; and how skewed it is, more than in most of them, and
#: more than in any.
SMALL_SHARE, LARGE_SHARE = 0.1, 0.5
SKEWNESS, MORE_SKEWNESS = 2.0, 4.0
#: Few systems are in these and in the other pairs of WMT25 from English.
OF_OTHER_SYSTEMS = ("wmt25/en-bho_IN", "wmt25/en-mas_KE")


@dataclasses.dataclass(frozen=True)
class Sets:
    """Data sets of one setting.

    Attributes
    ----------
    pairs : SufficientStatistics
        First members of all pairs, then second ones; they are equally good.
    score : float, optional
        The score of the first members on an endless test set, where test sets are drawn.
    runs : sequence of SufficientStatistics
        Where the first members are runs: for each pair all runs of both systems, half of each.
    """

    pairs: mt.SufficientStatistics
    score: float | None = None
    runs: Sequence[mt.SufficientStatistics] = ()


@dataclasses.dataclass(frozen=True)
class Setting:
    """One size of a world.

    Attributes
    ----------
    label : str
        Heads the column.
    make : callable
        Data sets from their number and a seed; where metrics are compared, what
        :func:`mtsig_nb.metric_error_rates` finds in so many.
    units : tuple of str
        What is taken for independent; what should be comes first.
    counted : {"all", "tests", "metrics", "test sets"}
        What is counted: of ``"tests"`` nothing else, since it would take too long.
    n_pairs, n_slow : int
        Data sets in a part, and the first so many of them for what is slow.
    differing : callable, optional
        Pairs on many test sets of which the first members are better, from their number, a seed
        and by how much.
    """

    label: str
    make: Callable[[int, int], Any]
    units: tuple[str, ...] = ("segments",)
    counted: str = "all"
    n_pairs: int = 100
    n_slow: int = 40
    differing: Callable[[int, int, float], ScoredSets] | None = None


@dataclasses.dataclass(frozen=True)
class World:
    """A kind of data in which no system is better.

    Attributes
    ----------
    key : str
        Names the world in the kept file; never changes.
    title : str
    holds : str
        What is true in it, and of which data it is a model.
    function : str
        What makes it.
    settings : sequence of Setting
    remedy : str
        What to do about it, where a test is not all.
    """

    key: str
    title: str
    holds: str
    function: str
    settings: Sequence[Setting]
    remedy: str = ""


@cache
def mqm() -> mt.SufficientStatistics:
    """People's error scores of WMT21 en-de, with documents."""
    people = campaign("wmt21/en-de").human
    assert isinstance(people, SegmentScores)
    return dataclasses.replace(people.as_statistics(), test_set="wmt21/en-de")


def swapped(
    of: Callable[[], mt.SufficientStatistics], a: str, b: str, n: int
) -> Callable[[int, int], Sets]:
    """Two systems, outputs exchanged at random on `n` segments drawn for each data set."""

    def make(n_pairs: int, seed: int) -> Sets:
        population = of()
        order = np.argsort(uniforms((n_pairs, population.n_segments), seed=seed, key=(0,)))
        each = [
            mt.simulate.exact_nulls(population.subset(np.sort(some)), a, b, n_pairs=1, rng=seed + k)
            for k, some in enumerate(order[:, :n])
        ]
        return Sets(dataclasses.replace(side_by_side(each, n_pairs), documents=None))

    return make


def side_by_side(each: Sequence[mt.SufficientStatistics], n_pairs: int) -> mt.SufficientStatistics:
    """The first `n_pairs` pairs of simulations of as many units as if they were one."""
    split = (np.split(s.values, 2) for s in each)
    sides = (np.concatenate(side)[:n_pairs] for side in zip(*split, strict=True))
    values = np.concatenate(list(sides))
    names = tuple(f"{side} {k}" for side in ("heads", "tails") for k in range(1, n_pairs + 1))
    return dataclasses.replace(each[0], systems=names, values=values)


def patchwork(
    name: str, system: str, worse: str, better: str, n: int
) -> Callable[[int, int], Sets]:
    """A system beside a patchwork of two others of the same BLEU."""

    def make(n_pairs: int, seed: int) -> Sets:
        bleu = statistics(name, "BLEU")
        pairs = mt.simulate.equal_systems(
            bleu, system, worse, better, n_segments=n, n_pairs=n_pairs, rng=seed
        )
        return Sets(pairs, score=float(bleu.scores()[system]))

    return make


def unequal_lengths(n: int) -> Callable[[int, int], Sets]:
    """A system about as long as the references beside a longer patchwork."""
    return patchwork("wmt21/zh-en", "XMU", "IIE-MT", "Borderline", n)


def unequal_spread(n: int) -> Callable[[int, int], Sets]:
    """A system beside a patchwork of a far worse and a better one."""
    return patchwork("wmt13/es-en", "FDA.2901", "Shef-wproa.2779", "online-B", n)


def centred(
    of: Callable[[], mt.SufficientStatistics], a: str, b: str, n: int, units: str = "segments"
) -> Callable[[int, int], Sets]:
    """Test sets from two real systems with the difference of their means taken away."""

    def make(n_pairs: int, seed: int) -> Sets:
        population = of()
        pairs = mt.simulate.centred_pairs(
            population, a, b, n_units=n, units=units, n_pairs=n_pairs, rng=seed
        )
        return Sets(pairs, score=float(population.scores()[[a, b]].mean()))

    return make


def failing(n: int) -> Callable[[int, int], Sets]:
    """One system fails in 2 % of segments, the other pays for it everywhere."""
    pair, how = ("Online-W", "UEdin"), {"failure": NON_TRANSLATION, "share": FAILING}

    def make(n_pairs: int, seed: int) -> Sets:
        pairs = simulated.rare_failures(mqm(), pair, n_units=n, n_pairs=n_pairs, rng=seed, **how)
        usual = float(mqm().scores()[list(pair)].mean())
        return Sets(pairs, score=(1 - FAILING) * usual + FAILING * NON_TRANSLATION)

    return make


def correlated_documents(name: str, a: str, b: str, every: int) -> Callable[[int, int], Sets]:
    """BLEU on real documents, whose segments' differences correlate by .05."""

    def make(n_pairs: int, seed: int) -> Sets:
        bleu = statistics(name, "BLEU")
        some = bleu.subset(np.arange(0, bleu.n_segments, every))
        how: dict[str, Any] = {"correlation": 0.05, "n_pairs": n_pairs, "rng": seed}
        return Sets(simulated.document_effects(some, (a, b), **how))

    return make


def several_runs(scattered: bool) -> Callable[[int, int], Sets]:
    """Runs of two methods that do not differ, on every second segment of MultEval's example."""

    def make(n_pairs: int, seed: int) -> Sets:
        bleu = statistics("multeval/en", "BLEU")
        observed = bleu.scores()[[f"sys1.opt{i}" for i in range(3)]]
        some = bleu.subset(np.arange(0, bleu.n_segments, 2))
        simulated = [
            mt.simulate.training_runs(
                some,
                "baseline.opt0",
                "sys1.opt0",
                spread=float(observed.std()) if scattered else 0.0,
                n_runs=RUNS,
                correlation=RUNS_ALIKE,
                rng=seed + k,
            )
            for k in range(n_pairs)
        ]
        # One run of each method is what most papers have.
        values = np.stack([one.values[[0, RUNS]] for one in simulated], axis=1)
        numbers = range(1, n_pairs + 1)
        pairs = dataclasses.replace(
            simulated[0],
            systems=tuple(f"{method}.run {k}" for method in "AB" for k in numbers),
            values=values.reshape(-1, *values.shape[2:]),
        )
        return Sets(pairs, runs=simulated)

    return make


def metrics_compared(measure: str, n_segments: int | None = None) -> tuple[Setting, ...]:
    """Two equally good metrics, with a dozen systems and with more."""

    def of(n_systems: int) -> Setting:
        how: dict[str, Any] = {"measure": measure, "n_systems": n_systems, "n_segments": n_segments}
        return Setting(
            f"{n_systems} systems",
            lambda n, seed: mt.metric_error_rates(n_worlds=n, rng=seed, **how),
            counted="metrics",
            n_pairs=100 if n_segments is None else 40,
        )

    return tuple(of(n) for n in (12, 20))


@cache
def from_english() -> ScoredSets:
    """WMT25's MetricX on the documents that all languages share, of the systems that all have."""
    names = mt.list_campaigns().query("name.str.startswith('wmt25/en-')")["name"]
    given = {n: statistics(n, "MetricX") for n in names if n not in OF_OTHER_SYSTEMS}
    common = set.intersection(*(set(documents(s)) for s in given.values()))
    shared = {n: s.subset(np.isin(documents(s), list(common))) for n, s in given.items()}
    return mt.test_sets(shared, missing="common")


def documents(of: mt.SufficientStatistics) -> npt.NDArray[np.generic]:
    """The document of each segment."""
    assert of.documents is not None
    return of.documents


def neighbours() -> list[tuple[str, str]]:
    """WMT25's systems, each with the one next to it in the mean over all languages."""
    return list(itertools.pairwise(from_english().overall.scores().index))


def swapped_documents(n_pairs: int, seed: int) -> mt.SufficientStatistics:
    """Neighbours' outputs exchanged by document, in all languages at once; each pair as often."""
    pairs = neighbours()
    each = [
        mt.simulate.exact_nulls(
            from_english().overall, *pair, n_pairs=math.ceil(n_pairs / len(pairs)), rng=seed + k
        )
        for k, pair in enumerate(pairs)
    ]
    return side_by_side(each, n_pairs)


def of_shared_documents(share: float, skewness: float) -> Setting:
    """WMT25's documents, whose effects are in part the same in all languages."""

    def differing(n_pairs: int, seed: int, difference: float) -> ScoredSets:
        labels = documents(statistics("wmt25/en-ja_JP", "MetricX"))
        how: dict[str, Any] = {"share": share, "skewness": skewness, "difference": difference}
        return simulated.shared_documents(labels, n_pairs=n_pairs, rng=seed, **how)

    return Setting(
        f"{f'skewness {skewness:g}' if skewness else 'normal'}, share {share:g}",
        lambda n_pairs, seed: differing(n_pairs, seed, 0.0).overall,
        counted="test sets",
        n_pairs=200,
        differing=differing if share == SMALL_SHARE else None,
    )


def by_size(make: Callable[[int], Callable[[int, int], Sets]]) -> tuple[Setting, ...]:
    """A world's settings, one for each number of segments."""
    return tuple(Setting(f"{n} segments", make(n)) for n in SIZES)


WORLDS: tuple[World, ...] = (
    World(
        key="swap",
        title="Outputs exchanged at random",
        holds=(
            "In every segment a coin has dealt the outputs of two systems out to two others. They "
            "are exchangeable: the null hypothesis of approximate randomization, to the letter. "
            "BLEU, WMT21 en-de, other segments for each data set."
        ),
        function="exact_nulls",
        settings=by_size(
            lambda n: swapped(
                lambda: statistics("wmt21/en-de", "BLEU"), "VolcTrans-GLAT", "Facebook-AI", n
            )
        ),
    ),
    World(
        key="swap-mqm",
        title="Scores exchanged at random",
        holds=(
            "The same with people's error scores (MQM, WMT21 en-de, two human translations), half "
            "of which agree while some are far apart: heavy tails, but symmetric."
        ),
        function="exact_nulls",
        settings=by_size(lambda n: swapped(mqm, "ref-A", "ref-C", n)),
    ),
    World(
        key="spread",
        title="Equally good, with unequal spread",
        holds=(
            "A system beside a patchwork of a far worse and a better one: the same BLEU on an "
            "endless test set, but the patchwork varies more from segment to segment. WMT13 es-en."
        ),
        function="equal_systems",
        settings=by_size(unequal_spread),
    ),
    World(
        key="lengths",
        title="Equally good, of unequal length",
        holds=(
            "A system whose output is .996 times as long as the references beside a patchwork of "
            "two that are longer, 1.036 times, with the same BLEU on an endless test set. BLEU has "
            "a kink at 1: below it the brevity penalty applies, above it does not, and exchanged "
            "outputs mix lengths. WMT21 zh-en, which has 1,948 segments."
        ),
        function="equal_systems",
        settings=tuple(
            Setting(
                f"{n:,} segments",
                unequal_lengths(n),
                counted="tests",
                n_pairs=n_pairs,
                n_slow=n_slow,
            )
            for n, n_pairs, n_slow in ((200, 100, 20), (1948, 80, 20), (7792, 40, 8))
        ),
    ),
    World(
        key="skewed",
        title="Skewed differences, the most skewed pair",
        holds=(
            "Two human translations of WMT21 en-de as people scored them (MQM), moved so that "
            "their means agree. Most segments differ little and a few by a whole lot, on one side: "
            "skewness −3.8, the most of all 136 pairs of that campaign."
        ),
        function="centred_pairs",
        remedy="more segments; and to look at those few segments that decide",
        settings=by_size(lambda n: centred(mqm, "ref-A", "ref-C", n)),
    ),
    World(
        key="skewed-middling",
        title="Skewed differences, a middling pair",
        holds=(
            "The same with two systems whose differences are as skewed as those of half of all "
            "pairs: skewness −1.05."
        ),
        function="centred_pairs",
        settings=by_size(lambda n: centred(mqm, "metricsystem3", "UEdin", n)),
    ),
    World(
        key="failures",
        title="Rare failures",
        holds=(
            "One system fails in 2 % of segments (a score of −25, as a non-translation has in "
            "MQM), the other is a little worse everywhere; otherwise their scores are exchanged at "
            "random. A test set on which nothing failed does not know what it misses."
        ),
        function="rare_failures",
        remedy="more segments, or failures counted for themselves",
        settings=by_size(failing),
    ),
    World(
        key="documents",
        title="Documents with effects",
        holds=(
            "No difference, but segments of one document side with the same system: their "
            "contributions to the difference in BLEU correlate by .05. WMT21 en-de, and every "
            "third segment of WMT12 es-en."
        ),
        function="document_effects",
        remedy='`units="documents"`',
        settings=(
            Setting(
                "68 documents",
                correlated_documents("wmt21/en-de", "VolcTrans-GLAT", "Facebook-AI", 1),
                ("documents", "segments"),
            ),
            Setting(
                "99 documents",
                correlated_documents("wmt12/es-en", "onlineB", "UPC", 3),
                ("documents", "segments"),
            ),
        ),
    ),
    World(
        key="documents-skewed",
        title="Documents with skewed effects",
        holds=(
            "Whole documents drawn from WMT21 en-de, the two human translations of above: "
            "documents are the units, of unequal length, and their effects are skewed."
        ),
        function="centred_pairs",
        remedy="more documents",
        settings=tuple(
            Setting(f"{n} documents", centred(mqm, "ref-A", "ref-C", n, "documents"))
            for n in (50, 100)
        ),
    ),
    World(
        key="runs",
        title="Correlated runs, equally good",
        holds=(
            "Five runs of each of two methods, all equally good, which resemble each other: what "
            "one run translates badly, the others mostly do as well (BLEU, MultEval's example). "
            "Runs of one method being alike, a test over runs alone finds these segments' luck."
        ),
        function="training_runs",
        settings=(Setting("5 against 5 runs", several_runs(scattered=False)),),
    ),
    World(
        key="runs-scattered",
        title="Correlated runs that scatter",
        holds=(
            "The same, and the runs differ in quality by chance, as much as those of MultEval's "
            "`sys1`. The methods are equally good; these runs of them are not, and a test over "
            "segments finds it."
        ),
        function="training_runs",
        remedy="a claim about methods needs both tests, and five runs of each to reach .01",
        settings=(Setting("5 against 5 runs", several_runs(scattered=True)),),
    ),
    World(
        key="shared-systems",
        title="Metrics that share systems, by conclusions",
        holds=(
            "Two metrics, equally close to people, which misjudge a system in all pairs that it "
            "makes. Compared by how often they conclude what people conclude, small differences "
            "being left undecided. Intervals are of the difference of two accuracies, and of one."
        ),
        function="shared_systems",
        settings=metrics_compared("conclusions"),
    ),
    World(
        key="shared-systems-segments",
        title="Metrics that share systems, by order",
        holds=(
            "The same with scores of 100 segments, compared by pairwise accuracy. PERM-BOTH "
            "exchanges the metrics' scores segment by segment, and so takes the systems for given."
        ),
        function="shared_systems",
        settings=metrics_compared("accuracy", n_segments=100),
    ),
    World(
        key="test-sets-swap",
        title="Many languages, documents exchanged at random",
        holds=(
            "For every document of WMT25 from English a coin has dealt the outputs of two systems "
            "out to two others, in all 25 languages at once. Pairs are the 28 neighbours in the "
            "mean of MetricX over all languages. Two documents of 87 have a quarter of the "
            "segments; all together they tell as much as 20 of equal weight, or more. Units are "
            "documents."
        ),
        function="exact_nulls",
        settings=(Setting("25 languages", swapped_documents, counted="test sets", n_pairs=200),),
    ),
    World(
        key="test-sets-effects",
        title="Many languages, documents with effects",
        holds=(
            "Two equally good systems on the same documents in 25 languages. What a document does "
            "to their difference is normal, or has a skewness of 2 or 4; a share of its variance "
            "is the same in all languages. With shares of .1 and .5 documents' differences "
            "correlate across languages by .06 and .28; those of WMT25's neighbours by .10 in the "
            "median and .31 at most, and their means over languages have a skewness of .6 in the "
            "median (MetricX). Differences are in standard deviations of what documents do in one "
            "language."
        ),
        function="shared_documents",
        remedy="more documents, of less unequal weight",
        settings=tuple(
            of_shared_documents(share, skewness)
            for share, skewness in (
                (SMALL_SHARE, 0.0),
                (LARGE_SHARE, 0.0),
                (SMALL_SHARE, SKEWNESS),
                (LARGE_SHARE, SKEWNESS),
                (LARGE_SHARE, MORE_SKEWNESS),
            )
        ),
    ),
)
