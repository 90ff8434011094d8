"""The worlds in which nothing differs, and what is true in each.

A world has several settings, mostly sizes of the test set.  A setting makes any number of data sets
from a seed; in all of them the two systems of a pair are equally good.  ``worlds.toml`` has worlds
and settings; ``make`` names a function from here.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import tomllib
from collections.abc import Callable, Sequence
from functools import cache, partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from statsmodels.stats.power import TTestPower

import mtsig_nb as mt
from mtsig_nb.human import Ratings, SegmentScores
from mtsig_nb.human.variance_components import RatingDesign
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.statistics.many_test_sets import ScoredSets

from ..repository.campaigns import campaign, statistics
from . import looked_at, metric_rates, simulated
from .drawing import Draws, names_of_pairs

#: Parts of most settings.
PARTS = 25
#: What a segment that fails altogether costs in MQM (Freitag et al. 2021).
NON_TRANSLATION = -25.0
FAILING = 0.02
#: Campaigns of which neighbours are made equally good, and the places of the better ones by score.
NEIGHBOURING = (
    *("wmt12/es-en", "wmt13/ru-en", "wmt17/en-de", "wmt21/en-de"),
    *("wmt21/zh-en", "wmt22/de-en", "wmt23/zh-en", "wmt24/en-cs"),
)
FIRST_OF_NEIGHBOURS = (1, 4)
#: Chooses the segments that systems translate alike.
SAME = 1
#: How alike two runs of a method are, as in unit 29.
RUNS_ALIKE = 0.5
#: The language pair of WMT25 that stands for one alone.
ONE_LANGUAGE = "wmt25/en-ja_JP"
#: Few systems are in these and in the other pairs of WMT25 from English.
OF_OTHER_SYSTEMS = ("wmt25/en-bho_IN", "wmt25/en-mas_KE")


#: Systems of WMT12 es-en, the first of which is worse by about half a point of BLEU.
GATED = ("QCRI--primary", "uedin-wmt12")


#: Variances of what ratings are sums of, by the units that they belong to; see `simulated.rated`.
Variances = dict[tuple[str, ...], float]


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
    many : ScoredSets, optional
        The test sets of which `pairs` are the mean.
    """

    pairs: mt.SufficientStatistics
    score: float | None = None
    runs: Sequence[mt.SufficientStatistics] = ()
    many: ScoredSets | None = None


@dataclasses.dataclass(frozen=True)
class Setting:
    """One size of a world.

    Attributes
    ----------
    label : str
        Heads the column.
    make : callable
        Data sets from their number and a seed; where metrics are compared, what
        `metric_rates.metric_error_rates` finds in so many.
    units : tuple of str
        What is taken for independent; what should be comes first.
    counted : str
        What is counted, a key of `tools.trust.measuring.COUNTING`.  Of ``"tests"``,
        ``"our tests"`` and ``"runs"`` nothing else, since it would take too long.
    n_parts : int
        In how many parts data sets come.
    n_pairs, n_slow : int
        Data sets in a part, and the first so many of them for what is slow.
    differing : bool
        Whether `make` takes by how much first members are better, and many test sets are compared
        with their mean.
    """

    label: str
    make: Callable[..., Any]
    units: Sequence[str] = ("segments",)
    counted: str = "all"
    n_parts: int = PARTS
    n_pairs: int = 100
    n_slow: int = 40
    differing: bool = False


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
    name = "wmt21/en-de"
    people = campaign(name).human
    assert isinstance(people, SegmentScores)
    statistics_of_people = people.as_statistics()
    return dataclasses.replace(statistics_of_people, test_set=name)


def swapped(metric: str, a: str, b: str, n: int, n_pairs: int, seed: int) -> Sets:
    """Two systems of WMT21 en-de, exchanged at random on `n` segments drawn for each data set."""
    population = mqm() if metric == "MQM" else statistics("wmt21/en-de", metric)
    shape = (n_pairs, population.n_segments)
    numbers = Draws(seed).uniform(shape, key=0)
    shuffled = np.argsort(numbers)
    simulations = []
    for k, segments in enumerate(shuffled):
        chosen = np.sort(segments[:n])
        drawn = population.subset(chosen)
        pair = mt.simulate.exact_nulls(drawn, a, b, n_pairs=1, rng=seed + k)
        simulations.append(pair)
    return without_documents(simulations, n_pairs)


def without_documents(simulations: Sequence[mt.SufficientStatistics], n_pairs: int) -> Sets:
    """The first `n_pairs` pairs of several simulations, whose units belong to no document."""
    pairs = side_by_side(simulations, n_pairs)
    pairs = dataclasses.replace(pairs, documents=None)
    return Sets(pairs)


def side_by_side(
    simulations: Sequence[mt.SufficientStatistics], n_pairs: int
) -> mt.SufficientStatistics:
    """The first `n_pairs` pairs of several simulations, of as many units each, as if of one."""
    heads = []
    tails = []
    for simulation in simulations:
        first, second = np.split(simulation.values, 2)
        heads.append(first)
        tails.append(second)
    of_heads = np.concatenate(heads)[:n_pairs]
    of_tails = np.concatenate(tails)[:n_pairs]
    values = np.concatenate([of_heads, of_tails])
    names = names_of_pairs("heads", "tails", n_pairs)
    return dataclasses.replace(simulations[0], systems=names, values=values)


def patchwork(
    name: str, system: str, worse: str, better: str, n: int, n_pairs: int, seed: int
) -> Sets:
    """A system beside a patchwork of two others of the same BLEU."""
    bleu = statistics(name, "BLEU")
    return equally_good(bleu, (system, worse, better), n, n_pairs, seed)


def patchwork_in_part(
    name: str, systems: Sequence[str], n: int, share: float, n_pairs: int, seed: int
) -> Sets:
    """As `patchwork`, where a share of the segments is translated alike by all three systems."""
    bleu = statistics(name, "BLEU")
    in_part = simulated.same_in_part(bleu, tuple(systems), share, rng=SAME)
    return equally_good(in_part, systems, n, n_pairs, seed)


def equally_good(
    bleu: mt.SufficientStatistics, systems: Sequence[str], n: int, n_pairs: int, seed: int
) -> Sets:
    """Pairs of the first system and a patchwork of the other two, on `n` segments."""
    system, worse, better = systems
    pairs = mt.simulate.equal_systems(
        bleu, system, worse, better, n_segments=n, n_pairs=n_pairs, rng=seed
    )
    score = mean_score(bleu, [system])
    return Sets(pairs, score=score)


def levelled_neighbours(metric: str, n: int, n_pairs: int, seed: int) -> Sets:
    """Two pairs of neighbours of each of some campaigns, made equally good; each as often."""
    pairs = neighbours_in_campaigns(metric)
    n_of_each = math.ceil(n_pairs / len(pairs))
    simulations = []
    for k, (name, pair) in enumerate(pairs):
        scored = statistics(name, metric)
        simulation = simulated.levelled(scored, pair, n_units=n, n_pairs=n_of_each, rng=seed + k)
        simulations.append(simulation)
    return without_documents(simulations, n_pairs)


def neighbours_in_campaigns(metric: str) -> list[tuple[str, tuple[str, str]]]:
    """Campaigns that have the metric, each with two pairs of systems next to each other."""
    pairs = []
    for name in NEIGHBOURING:
        if metric not in campaign(name).metrics:
            continue  # WMT24 has no TER
        scores = statistics(name, metric).scores()
        next_to_each_other = list(itertools.pairwise(scores.index))
        for place in FIRST_OF_NEIGHBOURS:
            pair = next_to_each_other[place]
            pairs.append((name, pair))
    return pairs


def few_differing(n_differing: int, n: int, alike: bool, n_pairs: int, seed: int) -> Sets:
    """Two systems of WMT21 en-de whose outputs differ in a few segments."""
    bleu = statistics("wmt21/en-de", "BLEU")
    pairs = simulated.few_differing(
        bleu,
        ("VolcTrans-GLAT", "Facebook-AI"),
        n_units=n,
        n_differing=n_differing,
        alike=alike,
        n_pairs=n_pairs,
        rng=seed,
    )
    return Sets(pairs)


def uneven_raters(n_raters: int, often: float, middle: float, n_pairs: int, seed: int) -> Sets:
    """Means whose weights differ between systems."""
    pairs = simulated.uneven_raters(n_raters, often=often, middle=middle, n_pairs=n_pairs, rng=seed)
    return Sets(pairs)


def centred(a: str, b: str, units: str, n: int, n_pairs: int, seed: int) -> Sets:
    """Test sets from two real systems with the difference of their means taken away."""
    population = mqm()
    pairs = mt.simulate.centred_pairs(
        population, a, b, n_units=n, units=units, n_pairs=n_pairs, rng=seed
    )
    score = mean_score(population, (a, b))
    return Sets(pairs, score=score)


def mean_score(population: mt.SufficientStatistics, systems: Sequence[str]) -> float:
    """The mean of some systems' scores."""
    scores = population.scores()
    return float(scores[list(systems)].mean())


def failing(n: int, n_pairs: int, seed: int) -> Sets:
    """One system fails in 2 % of segments, the other pays for it everywhere."""
    population = mqm()
    pair = ("Online-W", "UEdin")
    pairs = simulated.rare_failures(
        population,
        pair,
        failure=NON_TRANSLATION,
        share=FAILING,
        n_units=n,
        n_pairs=n_pairs,
        rng=seed,
    )
    usual = mean_score(population, pair)
    score = (1 - FAILING) * usual + FAILING * NON_TRANSLATION
    return Sets(pairs, score=score)


def correlated_documents(name: str, a: str, b: str, every: int, n_pairs: int, seed: int) -> Sets:
    """BLEU on real documents, whose segments' differences correlate by .05."""
    bleu = statistics(name, "BLEU")
    chosen = every_nth_segment(bleu, every)
    pair = (a, b)
    pairs = simulated.document_effects(chosen, pair, correlation=0.05, n_pairs=n_pairs, rng=seed)
    return Sets(pairs)


def every_nth_segment(whole: mt.SufficientStatistics, n: int) -> mt.SufficientStatistics:
    """The first segment and each that is n behind another one of them."""
    places = np.arange(0, whole.n_segments, n)
    return whole.subset(places)


def several_runs(scattered: bool, n_runs: int, n_pairs: int, seed: int) -> Sets:
    """Runs of two methods that do not differ, on every second segment of MultEval's example."""
    bleu = statistics("multeval/en", "BLEU")
    spread = 0.0
    if scattered:
        runs_of_sys1 = ["sys1.opt0", "sys1.opt1", "sys1.opt2"]
        scores = bleu.scores()[runs_of_sys1]
        spread = float(scores.std())
    every_second = every_nth_segment(bleu, 2)

    runs = []
    for k in range(n_pairs):
        of_pair = mt.simulate.training_runs(
            every_second,
            "baseline.opt0",
            "sys1.opt0",
            spread=spread,
            n_runs=n_runs,
            correlation=RUNS_ALIKE,
            rng=seed + k,
        )
        runs.append(of_pair)

    # One run of each method is what most papers have.
    all_values = np.stack([of_pair.values for of_pair in runs])
    first = all_values[:, 0]
    second = all_values[:, n_runs]
    names = ("A.run", "B.run")
    pairs = mt.simulate.as_pairs(runs[0], first, second, names, what="")
    return Sets(pairs, runs=runs)


@cache
def from_english() -> ScoredSets:
    """WMT25's MetricX on the documents that all languages share, of the systems that all have."""
    scored = {}
    for name in mt.list_campaigns()["name"]:
        is_from_english = name.startswith("wmt25/en-")
        if is_from_english and name not in OF_OTHER_SYSTEMS:
            scored[name] = statistics(name, "MetricX")
    in_each_language = [documents(given) for given in scored.values()]
    common = reduce(np.intersect1d, in_each_language)
    shared = {}
    for name, given in scored.items():
        is_common = np.isin(documents(given), common)
        shared[name] = given.subset(is_common)
    return mt.test_sets(shared, missing="common")


def documents(given: mt.SufficientStatistics) -> npt.NDArray[np.generic]:
    """The document of each segment."""
    assert given.documents is not None
    return given.documents


def neighbours() -> list[tuple[str, str]]:
    """WMT25's systems, each with the one next to it in the mean over all languages."""
    scores = from_english().overall.scores()
    return list(itertools.pairwise(scores.index))


def swapped_documents(n_pairs: int, seed: int) -> Sets:
    """Neighbours' outputs exchanged by document, in all languages at once; each pair as often."""
    overall = from_english().overall
    pairs = neighbours()
    n_of_each = math.ceil(n_pairs / len(pairs))
    simulations = []
    for k, (a, b) in enumerate(pairs):
        simulation = mt.simulate.exact_nulls(overall, a, b, n_pairs=n_of_each, rng=seed + k)
        simulations.append(simulation)
    pairs_of_documents = side_by_side(simulations, n_pairs)
    return Sets(pairs_of_documents)


def shared_documents(
    share: float, skewness: float, n_pairs: int, seed: int, difference: float = 0.0
) -> Sets:
    """WMT25's documents, whose effects are in part the same in all languages."""
    scored = statistics(ONE_LANGUAGE, "MetricX")
    labels = documents(scored)
    many = simulated.shared_documents(
        labels,
        share=share,
        skewness=skewness,
        difference=difference,
        n_pairs=n_pairs,
        rng=seed,
    )
    return Sets(many.overall, many=many)


def same_sentences(
    names: str, same: bool, n: int, n_pairs: int, seed: int, skewness: float = 0.0
) -> Sets:
    """Five languages with so many sentences; `names` is what stands before their numbers."""
    sentences = [f"{names}{i}" for i in range(1, n + 1)]
    in_languages = [sentences] * 5
    many = simulated.same_sentences(
        in_languages, same=same, skewness=skewness, n_pairs=n_pairs, rng=seed
    )
    return Sets(many.overall, many=many)


@cache
def three_professionals(name: str) -> tuple[pd.DataFrame, Variances]:
    """Who rated what of two systems in WMT23, and the median of each variance over all pairs."""
    by_system = ratings_by_system(name)
    pairs = list(itertools.combinations(by_system, 2))
    first, second = pairs[0]
    of_first_pair = [by_system[first], by_system[second]]
    both = pd.concat(of_first_pair, ignore_index=True)
    design = RatingDesign.of(both, first, None)
    tables = []
    for a, b in pairs:
        ratings_of_a = by_system[a]["raw"]
        ratings_of_b = by_system[b]["raw"]
        ratings = np.concatenate([ratings_of_a, ratings_of_b])
        analysis = design.analyse(ratings, (a, b))
        tables.append(analysis.table)
    renamed = both["system"].map({first: "a", second: "b"})
    return both.assign(system=renamed), median_variances(tables)


def ratings_by_system(name: str) -> dict[str, pd.DataFrame]:
    """A campaign's MQM ratings with their documents, each system's in the same order."""
    ratings = campaign(name).judgements["mqm_ratings"]
    assert isinstance(ratings, Ratings)
    of_segments = np.asarray(ratings.documents)
    segment = ratings.frame["segment"]
    frame = ratings.frame.assign(document=of_segments[segment])
    in_order = frame.sort_values(["system", "document", "segment", "rater"], kind="stable")
    by_system = {}
    for system, rows in in_order.groupby("system"):
        by_system[str(system)] = rows
    return by_system


def median_variances(tables: Sequence[pd.DataFrame]) -> Variances:
    """The median of each variance over analyses of several pairs; none is negative."""
    by_source = pd.concat(tables).groupby("source")
    medians = by_source[["shared", "by_system"]].median()
    variances = medians.clip(lower=0)
    by_units: Variances = {}
    for source, row in variances.iterrows():
        if source == "rest":
            by_units[()] = row["by_system"]
            continue
        names = str(source).split(" × ")
        units = tuple(names)
        by_units[units] = row["shared"]
        if not np.isnan(row["by_system"]):
            by_units["system", *units] = row["by_system"]
    return by_units


@cache
def raters(name: str, **dealt: Any) -> tuple[pd.DataFrame, RatingDesign]:
    """Who rates what, as in WMT23 or as it is dealt out, and what follows from that."""
    if dealt:
        frame = simulated.allotment(**dealt)
    else:
        frame, _ = three_professionals(name)
    return frame, RatingDesign.of(frame, "a", None)


class Rated(NamedTuple):
    """Ratings of pairs of systems ``a`` and ``b``.

    Attributes
    ----------
    frame : DataFrame
        A row for each rating: system, document, segment and rater.
    design : RatingDesign
        What follows from that.
    values : ndarray of shape (pairs, ratings)
    """

    frame: pd.DataFrame
    design: RatingDesign
    values: FloatArray


def rated(
    name: str,
    n_pairs: int,
    seed: int,
    *,
    allotment: dict[str, Any] | None = None,
    alike: bool = False,
    skewness: float = 0.0,
) -> Rated:
    """Ratings with WMT23's variances, by its raters or by others."""
    frame, design = raters(name, **allotment or {})
    _, variances = three_professionals(name)
    if alike:
        variances = dict(variances)
        for units in variances:
            if "rater" in units:
                variances[units] = 0.0
    values = simulated.rated(frame, variances, n_pairs, seed, skewness=skewness)
    return Rated(frame, design, values)


def one_language(kind: str, n_pairs: int, seed: int, *, skewness: float = 0.0) -> Sets:
    """WMT25's documents in one language, with outputs ``"exchanged"`` or with ``"effects"``."""
    if kind == "exchanged":
        both = documents_of_one_language()
        pairs = mt.simulate.exact_nulls(both, *both.systems, n_pairs=n_pairs, rng=seed)
        return Sets(pairs)
    scored = statistics(ONE_LANGUAGE, "MetricX")
    labels = documents(scored)
    made = simulated.shared_documents(
        labels, n_test_sets=1, share=0.0, skewness=skewness, n_pairs=n_pairs, rng=seed
    )
    (only,) = made.each
    in_documents = only.by_unit("documents")
    return Sets(in_documents)


@cache
def documents_of_one_language() -> mt.SufficientStatistics:
    """Documents of one language pair of WMT25 as units, with MetricX of two neighbours."""
    whole = statistics(ONE_LANGUAGE, "MetricX")
    scores = whole.scores()
    second_and_third = scores.index[1:3]
    neighbours_of_best = whole.select(list(second_and_third))
    return neighbours_of_best.by_unit("documents")


def yes_or_no(share: float, n_segments: int, n_pairs: int, seed: int) -> Sets:
    """Systems that get the same share of segments right."""
    pairs = simulated.yes_or_no(share, n_segments, n_pairs, seed)
    return Sets(pairs, score=share)


def gated(
    kind: str, n: int, n_pairs: int, seed: int, *, equal: bool = False, skewness: float = 0.0
) -> simulated.Gated:
    """Candidates that are worse than their baselines by exactly the margin, or as good as these.

    They are ``"means"`` or ``"documents"``; or real systems of WMT12 es-en under a metric, with
    segments (``"BLEU"``, ``"TER"``) or documents (``"BLEU by document"``) drawn anew.  Those that
    are `equal` have the margin for which a textbook plans `n` segments, to pass four in five.
    """
    if equal:
        power = TTestPower()
        margin = power.solve_power(nobs=n, alpha=0.05, power=0.8, alternative="larger")
        return simulated.gated_means(n, n_pairs, seed, margin=margin, loss=0.0, skewness=skewness)
    if kind == "means":
        return simulated.gated_means(n, n_pairs, seed, margin=0.5, loss=0.5, skewness=skewness)
    if kind == "documents":
        return simulated.gated_documents(n, n_pairs, seed, margin=0.5, loss=0.5)
    metric, _, unit = kind.partition(" by ")
    population = statistics("wmt12/es-en", metric).select(GATED)
    if unit:
        population = population.by_unit("documents")
    return simulated.gated_test_sets(population, n, n_pairs, seed)


#: What makes a world's data sets, where no more is to be said than `simulated` has.
boards = simulated.boards
judged = simulated.judged
metrics_compared = metric_rates.metric_error_rates
scored_by_people = simulated.scored_by_people
careless_raters = simulated.careless_raters
agreeing_campaigns = simulated.agreeing_campaigns
judged_documents = simulated.judged_documents
unequal_runs = simulated.unequal_runs
at_the_margin = simulated.at_the_margin
preferences_by_raters = simulated.preferences_by_raters
campaigns_of_ratings = simulated.campaigns_of_ratings
watched_pairs = looked_at.watched_pairs
watched_documents = looked_at.watched_documents
watched_rankings = looked_at.watched_rankings
watched_raters = looked_at.watched_raters


def world(declared: dict[str, Any]) -> World:
    """A world as ``worlds.toml`` has it; what a setting lacks, it takes from the world."""
    function = globals()[declared.pop("make")]
    arguments = declared.pop("arguments", [])
    common = {}
    for name in ("units", "counted", "n_parts", "n_pairs", "n_slow"):
        if name in declared:
            common[name] = declared.pop(name)
    settings = []
    for setting in declared.pop("settings"):
        arguments_of_setting = setting.pop("arguments", [])
        options = setting.pop("options", {})
        make = partial(function, *arguments, *arguments_of_setting, **options)
        settings.append(Setting(make=make, **{**common, **setting}))
    return World(**declared, settings=settings)


_FILE = Path(__file__).with_suffix(".toml")
_DECLARED = tomllib.loads(_FILE.read_text(encoding="utf-8"))
WORLDS = tuple(world(declared) for declared in _DECLARED["world"])
