"""Campaigns of judgements that somebody looks at while they come in, and what is found.

A campaign has judgements of systems in the order in which they came, and the looks.  Beside
`mtsig_nb.sequential_test` stand a test at the end alone and what people do: Student's t at every
look, as Pearmut's dashboard shows it, and a t test after every judgement, until p is below .05.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.conclusions.deciding import decide
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray, IntArray

from .rows import LEVELS, RESAMPLES, Row, Seed, of_units, row_of, row_of_intervals, row_of_test

if TYPE_CHECKING:
    from .worlds import Setting

#: Who looks after every judgement begins after so many.
FIRST = 10
#: A look more is put in soon after one at which t was at least so large.
NEARLY = 1.5
#: After how many units more.
SOON = 5
#: Predictive powers below which a pair is given up.
LIMITS_OF_POWER = (0.05, 0.1, 0.2)
#: By a name of `sequential_test`, how the error is spent over the looks.
SPENDING = {
    "obrien-fleming": "error spent as by O'Brien and Fleming",
    "pocock": "error spent as by Pocock",
}
AT_END = "one look, at the end"


@dataclasses.dataclass(frozen=True)
class Watched:
    """A campaign as it was looked at.

    Attributes
    ----------
    judgements : SufficientStatistics or DataFrame
    planned : int
    looks : sequence of int
    differences : ndarray of shape (units,), optional
        Those of the segments of a single pair, in order.
    units : str
    segments_at_looks : sequence of int
        How many segments there were at each look, for who takes them for independent.
    true_difference : float
        In standard deviations.
    """

    judgements: mt.SufficientStatistics | pd.DataFrame
    planned: int
    looks: Sequence[int]
    differences: FloatArray | None = None
    units: str = "segments"
    segments_at_looks: Sequence[int] = ()
    true_difference: float = 0.0


# --- campaigns ------------------------------------------------------------------------------------


def watched_pairs(
    n_looks: int,
    n_campaigns: int,
    seed: int,
    *,
    planned: int = 200,
    effect: float = 0.0,
    skewed: bool = False,
    put_in: str = "",
) -> list[Watched]:
    """Campaigns of two systems that are judged on every segment.

    Parameters
    ----------
    n_looks : int
        As many looks, equally far apart.
    n_campaigns, seed, planned : int
    effect : float
        The true difference, in standard deviations.
    skewed : bool
        Whether differences have a skewness of 2, or else are normal.
    put_in : {"", "at random", "where it was near"}
        Looks in the place of the planned ones, or beside them.
    """
    rng = np.random.default_rng(seed)
    campaigns = []
    for _ in range(n_campaigns):
        noise = rng.exponential(1, planned) - 1 if skewed else rng.normal(0, 1, planned)
        differences = noise + effect
        looks = _evenly_apart(n_looks, planned)
        if put_in == "at random":
            possible = np.arange(FIRST, planned)
            chosen = rng.choice(possible, n_looks - 1, replace=False)
            chosen.sort()
            looks = [*chosen.tolist(), planned]
        elif put_in == "where it was near":
            looks = _with_looks_where_it_was_near(differences, looks)
        campaign = Watched(
            judgements=_as_statistics(differences),
            planned=planned,
            looks=looks,
            differences=differences,
            segments_at_looks=looks,
            true_difference=effect,
        )
        campaigns.append(campaign)
    return campaigns


def watched_documents(n_looks: int, n_campaigns: int, seed: int) -> list[Watched]:
    """Campaigns of two systems on 60 documents of 1 to 6 segments, which have effects."""
    rng = np.random.default_rng(seed)
    n_documents = 60
    campaigns = []
    for _ in range(n_campaigns):
        sizes = rng.integers(1, 7, n_documents)
        documents = np.repeat(np.arange(n_documents), sizes)
        effects = rng.normal(0, 0.7, n_documents)
        noise = rng.normal(0, 1, len(documents))
        differences = effects[documents] + noise
        looks = _evenly_apart(n_looks, n_documents)
        segments_so_far = np.cumsum(sizes)
        last_documents = np.array(looks) - 1
        segments_at_looks = segments_so_far[last_documents]
        campaign = Watched(
            judgements=_as_statistics(differences, documents),
            planned=n_documents,
            looks=looks,
            differences=differences,
            units="documents",
            segments_at_looks=segments_at_looks.tolist(),
        )
        campaigns.append(campaign)
    return campaigns


def watched_rankings(n_looks: int, n_campaigns: int, seed: int) -> list[Watched]:
    """Campaigns of four equally good systems, two of which are judged on each segment.

    They are drawn with weights of 1 / (rank + 1) by their means so far, as in Pearmut.
    """
    rng = np.random.default_rng(seed)
    n_systems = 4
    planned = 300
    looks = _evenly_apart(n_looks, planned)
    campaigns = []
    for _ in range(n_campaigns):
        sums = np.zeros(n_systems)
        numbers = np.zeros(n_systems)
        judgements: list[Judgement] = []
        for segment in range(planned):
            weights = _weights_of_pearmut(sums, numbers)
            drawn = rng.choice(n_systems, 2, replace=False, p=weights)
            quality = rng.normal(70, 10)
            for system in drawn:
                noise = rng.normal(0, 10)
                score = round(quality + noise, 1)
                judgement = Judgement(f"s{system}", segment, score)
                judgements.append(judgement)
                sums[system] += score
                numbers[system] += 1
        frame = pd.DataFrame(judgements, columns=Judgement._fields)
        campaigns.append(Watched(frame, planned, looks))
    return campaigns


def watched_raters(n_raters: int, n_campaigns: int, seed: int) -> list[Watched]:
    """Campaigns of two equally good systems on 120 segments, each of which one rater judged.

    Raters have preferences of their own for one of the systems, which have a mean of 0 over all
    raters: a standard deviation of 3.5 points, where a segment's difference has 13.
    """
    rng = np.random.default_rng(seed)
    planned = 120
    campaigns = []
    for _ in range(n_campaigns):
        leniency = rng.normal(0, 8, n_raters)
        preference = rng.normal(0, 2.5, (n_raters, 2))
        rows = []
        for segment, rater in enumerate(rng.integers(0, n_raters, planned)):
            quality = 60 + leniency[rater] + rng.normal(0, 9)
            for number, system in enumerate("ab"):
                score = quality + preference[rater, number] + rng.normal(0, 9.5)
                rows.append((f"r{rater}", system, segment, score))
        frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
        campaigns.append(Watched(frame, planned, _evenly_apart(4, planned)))
    return campaigns


class Judgement(NamedTuple):
    """A judgement; the names are those of the frame's columns."""

    system: str
    segment: int
    score: float


def _weights_of_pearmut(sums: FloatArray, numbers: FloatArray) -> FloatArray:
    """The probability of each system, from the sums and numbers of its scores so far.

    Systems without a score lead.
    """
    means = np.full(len(sums), np.inf)
    np.divide(sums, numbers, out=means, where=numbers > 0)
    rank = stats.rankdata(-means, method="ordinal")
    weights = 1 / (rank + 1)
    return np.asarray(weights / weights.sum())


def _evenly_apart(n_looks: int, planned: int) -> list[int]:
    """After how many units looks are that are equally far apart, the last one at the end."""
    looks = []
    for look in range(1, n_looks + 1):
        looks.append(planned * look // n_looks)
    return looks


def _with_looks_where_it_was_near(differences: FloatArray, planned_looks: list[int]) -> list[int]:
    """The planned looks, and one more soon after each at which it was nearly significant."""
    end = planned_looks[-1]
    t = _t_after(differences, np.array(planned_looks))
    looks = set(planned_looks)
    for look, t_of_look in zip(planned_looks, t, strict=True):
        if abs(t_of_look) >= NEARLY:
            next_look = min(look + SOON, end)
            looks.add(next_look)
    return sorted(looks)


def _as_statistics(
    differences: FloatArray, documents: IntArray | None = None
) -> mt.SufficientStatistics:
    """Scores of systems ``a`` and ``b`` that differ by so much."""
    values = np.ones((2, len(differences), 2))
    values[0, :, 0] = differences
    values[1, :, 0] = 0
    metric = SegmentMean(label="judgements")
    return mt.SufficientStatistics(metric, ("a", "b"), values, documents=documents)


# --- what is found at the looks -------------------------------------------------------------------


def over_looks(_: Setting, made: list[Watched], seed: Seed) -> Iterator[Row]:
    """How often anything is found at any look, where nothing differs."""
    units = made[0].units
    rows = _rows_of_looks(made, seed)
    yield from of_units(units, rows)


def _rows_of_looks(made: list[Watched], seed: Seed) -> Iterator[Row]:
    """Sequential tests, and what people do in their place."""
    for name, spending in SPENDING.items():
        sequential = _looked_at(made, seed, spending=name)
        title = f"sequential_test, {spending}"
        smallest = _smallest(sequential)
        yield row_of_test(f"looks-{name}", title, smallest, candidate=True)
    at_end = _looked_at(made, seed, only_at_end=True)
    yield row_of_test("looks-at-end", AT_END, _smallest(at_end))
    t = [_smallest_of_t(campaign) for campaign in made]
    yield row_of_test("looks-t", "t at every look", t, tool="Pearmut's dashboard")
    if made[0].differences is not None:
        always = [_smallest_of_t_always(campaign) for campaign in made]
        title = "t after every judgement"
        yield row_of_test("looks-always", title, always, tool="stop when p < .05")


def raters_over_looks(_: Setting, made: list[Watched], seed: Seed) -> Iterator[Row]:
    """How often anything is said of raters to come, where nothing differs, by which p-value."""
    over_segments = []
    once = []
    over_looks_too = []
    at_end = []
    for campaign, found in zip(made, _looked_at(made, seed), strict=True):
        over_segments.append(float(found.table["pvalue"].min()))
        assert isinstance(campaign.judgements, pd.DataFrame)
        ratings = mt.human.Ratings(campaign.judgements, scale=None)
        of_raters = ratings.at_looks(found).table.fillna({"pvalue": 1.0, "pvalue_once": 1.0})
        once.append(float(of_raters["pvalue_once"].min()))
        over_looks_too.append(float(of_raters["pvalue"].min()))
        at_end.append(float(of_raters["pvalue_once"].iloc[-1]))
    rows = [
        row_of_test("raters-at-looks", "Ratings.at_looks", over_looks_too, candidate=True),
        row_of_test("model-at-end", "mixed model, one look, at the end", at_end),
        row_of_test("model-at-looks", "mixed model, p of every look as it is", once),
        row_of_test("segments-at-looks", "sequential_test, about these raters", over_segments),
    ]
    yield from of_units("raters", rows)


def given_up(_: Setting, made: list[Watched], seed: Seed) -> Iterator[Row]:
    """How often a pair is given up that would have been told apart by the end."""
    tables = [found.table for found in _looked_at(made, seed)]
    rows = [_row_of_given_up(limit, tables) for limit in LIMITS_OF_POWER]
    yield from of_units("segments", rows)


def _row_of_given_up(limit: float, tables: Sequence[pd.DataFrame]) -> Row:
    """How often campaigns are given up below a predictive power, and what they would have found."""
    n_given_up = 0
    promised = 0.0
    n_units_saved = 0
    lost = dict.fromkeys(LEVELS, 0)
    for table in tables:
        is_open = ~table["verdict"].isin(["better", "worse"])
        is_hopeless = is_open & (table["predictive_power"] < limit)
        if not is_hopeless.any():
            continue
        stop = table[is_hopeless].iloc[0]
        last = table.iloc[-1]
        n_given_up += 1
        promised += float(stop["predictive_power"])
        n_units_saved += int(last["n_units"] - stop["n_units"])
        for level in LEVELS:
            lost[level] += int(last["pvalue"] <= level)
    counts = {f"{level:g}": n for level, n in lost.items()} | {"given_up": n_given_up}
    sums = {"thousandths": round(1000 * promised), "units": n_units_saved}
    title = f"given up at a predictive power below {limit:g}".replace("0.", ".")
    return row_of("given up", f"given-up-{limit:g}", title, len(tables), counts, sums=sums)


def power_over_looks(_: Setting, made: list[Watched], seed: Seed) -> Iterator[Row]:
    """How often a true difference is found, and after how many judgements; intervals of it."""
    rows = _rows_of_power(made, seed)
    yield from of_units("segments", rows)


def _rows_of_power(made: list[Watched], seed: Seed) -> Iterator[Row]:
    """Sequential tests, with and without giving up, and one look at the end."""
    true = made[0].true_difference
    for name, spending in SPENDING.items():
        results = _looked_at(made, seed, spending=name)
        yield _row_of_stops(f"stops-{name}", spending, results, true, _until_told_apart)
        title = f"{spending}, given up at a predictive power below .1"
        yield _row_of_stops(f"given-up-{name}", title, results, true, _until_over)
        yield _row_of_intervals_at_looks(spending, results, true)
    at_end = _looked_at(made, seed, only_at_end=True)
    yield _row_of_stops("stops-at-end", AT_END, at_end, true, _until_told_apart)
    yield _row_of_intervals_at_looks(AT_END, at_end, true)


def _row_of_intervals_at_looks(title: str, results: Sequence[Any], truth: float) -> Row:
    """How often the intervals of all looks of a campaign contain the truth."""
    ends = []
    for result in results:
        low = result.table["ci_low"].max()
        high = result.table["ci_high"].min()
        ends.append((low, high))
    return row_of_intervals(f"all looks, {title}", "difference", ends, truth)


def _looked_at(
    made: Sequence[Watched],
    seed: Seed,
    *,
    spending: str = "obrien-fleming",
    only_at_end: bool = False,
) -> list[Any]:
    """What `sequential_test` finds in each campaign, at its looks or only at its end."""
    results = []
    for campaign in made:
        looks = [campaign.planned] if only_at_end else campaign.looks
        result = mt.sequential_test(
            campaign.judgements,
            planned=campaign.planned,
            units=campaign.units,
            looks=looks,
            spending=spending,
            n_resamples=RESAMPLES,
            rng=seed(1),
        )
        results.append(result)
    return results


def _smallest(results: Sequence[Any]) -> list[float]:
    """The smallest p-value of any pair at any look, for each campaign."""
    smallest = []
    for result in results:
        pvalue = result.table["pvalue"].min()
        smallest.append(float(pvalue))
    return smallest


def _t_after(differences: FloatArray, numbers: IntArray) -> FloatArray:
    """Student's t after so many differences."""
    last = numbers - 1
    sums = np.cumsum(differences)[last]
    squares = np.cumsum(differences**2)[last]
    means = sums / numbers
    mean_squares = squares / numbers
    variances = (mean_squares - means**2) * numbers / (numbers - 1)
    errors = np.sqrt(variances / numbers)
    return np.asarray(means / errors)


def _smallest_of_t(campaign: Watched) -> float:
    """The smallest p of t tests at every look; of several systems, of each against the next."""
    if campaign.differences is not None:
        numbers = np.array(campaign.segments_at_looks)
        return _smallest_p(campaign.differences, numbers)
    judgements = campaign.judgements
    assert isinstance(judgements, pd.DataFrame)
    pvalues: list[float] = []
    for look in campaign.looks:
        is_judged = judgements["segment"] < look
        so_far = judgements[is_judged]
        by_system = so_far.pivot(index="segment", columns="system", values="score")
        pvalues += _pvalues_of_neighbours(by_system)
    return float(np.nanmin(pvalues))


def _pvalues_of_neighbours(by_system: pd.DataFrame) -> list[float]:
    """The p-values of t tests of each system against the next by the means.

    `by_system` has a column of scores for each system, and NaN on segments that it lacks.
    """
    means = by_system.mean()
    ranked = means.sort_values(ascending=False).index
    pvalues = []
    for system, next_system in itertools.pairwise(ranked):
        differences = by_system[system] - by_system[next_system]
        common = differences.dropna().to_numpy()
        if len(common) > 1:
            result = stats.ttest_1samp(common, 0)
            pvalues.append(result.pvalue)
    return pvalues


def _smallest_of_t_always(campaign: Watched) -> float:
    """The smallest p of t tests after every judgement of a single pair."""
    differences = campaign.differences
    assert differences is not None
    numbers = np.arange(FIRST, len(differences) + 1)
    return _smallest_p(differences, numbers)


def _smallest_p(differences: FloatArray, numbers: IntArray) -> float:
    """The smallest p of t tests after so many differences."""
    t = _t_after(differences, numbers)
    one_sided = stats.t.sf(np.abs(t), numbers - 1)
    return float(2 * one_sided.min())


def _until_told_apart(table: pd.DataFrame) -> pd.DataFrame:
    """The rows at which a campaign may stop: who is better is known, or all is judged."""
    is_known = table["verdict"].isin(["better", "worse"])
    return table[is_known | _is_last(table)]


def _until_over(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `_until_told_apart`, and those at which the pair is given up."""
    is_over = table["verdict"] != "go on"
    return table[is_over | _is_last(table)]


def _is_last(table: pd.DataFrame) -> pd.Series:
    """Which rows are those of the last look."""
    look = table["look"]
    return look == look.max()


def _row_of_stops(
    name: str,
    title: str,
    results: Sequence[Any],
    true_difference: float,
    rows_to_stop: Callable[[pd.DataFrame], pd.DataFrame],
) -> Row:
    """How often the better system is found, after how many units campaigns stop, and with what."""
    stops = []
    for result in results:
        possible = rows_to_stop(result.table)
        stops.append(possible.iloc[0])
    at_stop = pd.DataFrame(stops)
    differences = at_stop["difference"].to_numpy()
    pvalues = at_stop["pvalue"].to_numpy()
    counts = {}
    for level in LEVELS:
        verdicts = decide(differences, pvalues, level)
        is_found = verdicts > 0
        counts[f"{level:g}"] = int(is_found.sum())
    n_units = at_stop["n_units"].sum()
    in_hundredths = 100 * sum(differences) / true_difference
    sums = {"units": int(n_units), "hundredths": round(in_hundredths)}
    more = {"difference": true_difference, "sums": sums}
    return row_of("stops", name, title, len(results), counts, **more)
