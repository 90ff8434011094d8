"""Worlds that only the page on trust needs; :mod:`mtsig_nb.simulate` has the others."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from scipy.optimize import brentq

import mtsig_nb as mt
from mtsig_nb.engine.influence import influence_values
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray, Indices
from mtsig_nb.significance.one_pair import select_pair
from mtsig_nb.simulate import Outputs, as_pairs, by_coins, drawn_units, moved
from mtsig_nb.statistics.many_test_sets import ScoredSets

from .campaigns_of_ratings import Campaign, Deviations
from .drawing import Draws, names_of_pairs, segment_means

#: Between such tilts the weights of `levelled` are looked for.
STEEPEST = 5.0
#: Standard deviations in `shared_systems`: of people's errors, and of a segment's noise.
PEOPLE_ERROR = 0.3
SEGMENT_SPREAD = 2.0


def mixed(common: FloatArray, own: FloatArray, share: float) -> FloatArray:
    """Numbers with a `share` of their variance in common, if both kinds have the same variance."""
    return math.sqrt(share) * common + math.sqrt(1 - share) * own


def combinations(**levels: Sequence[Any]) -> pd.DataFrame:
    """A row for each combination of the levels of some columns; the last one changes fastest."""
    rows = itertools.product(*levels.values())
    return pd.DataFrame(rows, columns=list(levels))


def rare_failures(
    statistics: mt.SufficientStatistics,
    pair: tuple[str, str],
    *,
    failure: float,
    share: float,
    n_units: int,
    n_pairs: int,
    rng: int,
) -> mt.SufficientStatistics:
    """One system fails now and then, and the other is a little worse everywhere.

    The outputs of two real systems are exchanged at random, segment by segment, on test sets drawn
    with replacement.  Then the first member of each pair fails (a score of `failure`) in a `share`
    of segments, chosen at random, and the second pays what that costs on average, the same amount
    in every segment.  Needs a mean of segment scores.
    """
    draws = Draws(rng)
    both = select_pair(statistics, *pair)
    a, b = both.values
    equal_weights = np.ones(both.n_segments)
    drawn = drawn_units(n_pairs, n_units, equal_weights, seed=rng)
    heads = draws.coins(drawn.shape, 0.5, key=1)
    exchanged = by_coins(both, heads, a[drawn], b[drawn], what="")
    first, second = np.split(exchanged.values, 2)

    fails = draws.coins(drawn.shape, share, key=2)
    failing = first.copy()
    scores = first[..., 0]
    weights = first[..., 1]
    failing[..., 0] = np.where(fails, failure * weights, scores)
    of_both = both.totals().sum(axis=0)
    usual = both.metric.score(of_both)
    cost = share * (failure - usual)
    costs = np.full(n_pairs, cost)
    paying = moved(second, costs)

    names = " and ".join(pair)
    what = f"{names} exchanged, one of them failing in {share:g} of segments"
    return as_pairs(both, failing, paying, ("failing", "paying"), what=what)


def few_differing(
    statistics: mt.SufficientStatistics,
    pair: tuple[str, str],
    *,
    n_units: int,
    n_differing: int,
    alike: bool = False,
    n_pairs: int,
    rng: int,
) -> mt.SufficientStatistics:
    """Pairs whose outputs differ in a few units only, and are exchanged at random there.

    Units in which the two real systems differ are drawn with replacement, and a coin for each
    decides who gets which output.  In the other units both have the output of the first, of units
    drawn likewise, or of a single one where the text is `alike` throughout.
    """
    draws = Draws(rng)
    both = select_pair(statistics, *pair)
    a, b = both.values
    differing = np.flatnonzero((a != b).any(axis=1))
    equal_weights = np.ones(len(differing))
    places = drawn_units(n_pairs, n_units, equal_weights, seed=rng)
    drawn = differing[places]
    others = slice(n_differing, None)  # the units in which both have the same output
    if alike:
        single = drawn[:, [n_differing]]
        drawn[:, others] = single
    outputs_of_a = a[drawn]
    outputs_of_b = b[drawn]
    outputs_of_b[:, others] = outputs_of_a[:, others]
    heads = draws.coins(drawn.shape, 0.5, key=1)
    names = " and ".join(pair)
    what = f"{names}, {n_differing} of {n_units} units exchanged, the others the same"
    return by_coins(both, heads, outputs_of_a, outputs_of_b, what=what)


def levelled(
    statistics: mt.SufficientStatistics,
    pair: tuple[str, str],
    *,
    n_units: int,
    n_pairs: int,
    rng: int,
) -> mt.SufficientStatistics:
    """Test sets from two real systems, drawn so that the expected scores are the same.

    Units are drawn with replacement, and more often the more they speak for the system that is
    behind: with weights that are exponential in the influence on the difference, which of all that
    level the scores are nearest to equal ones.  Outputs are as they are.
    """
    both = select_pair(statistics, *pair)
    a, b = both.values
    influence_of_a, influence_of_b = influence_values(both)
    influence = influence_of_a - influence_of_b
    contrast = influence / np.abs(influence).max()

    def weights(tilt: float) -> FloatArray:
        """How often units are drawn; a positive tilt favours those that speak for the first."""
        return np.exp(tilt * contrast)

    def lead(tilt: float) -> float:
        """The expected difference of scores if units are drawn with weights of this tilt."""
        score_of_a, score_of_b = both.metric.score(weights(tilt) @ both.values)
        return float(score_of_a - score_of_b)

    level = brentq(lead, -STEEPEST, STEEPEST, xtol=1e-12)
    drawn = drawn_units(n_pairs, n_units, weights(level), seed=rng)
    names = " and ".join(pair)
    what = f"{names}, made equally good"
    outputs_of_a = a[drawn]
    outputs_of_b = b[drawn]
    return as_pairs(both, outputs_of_a, outputs_of_b, ("first", "second"), what=what)


def same_in_part(
    statistics: mt.SufficientStatistics, systems: tuple[str, ...], share: float, *, rng: int
) -> mt.SufficientStatistics:
    """These systems, but in a share of the units all have the output of the first of them."""
    draws = Draws(rng)
    chosen = statistics.select(systems)
    same = draws.coins((chosen.n_segments,), share, key=0)
    of_the_first = chosen.values[:1]
    values = np.where(same[:, None], of_the_first, chosen.values)
    return dataclasses.replace(chosen, values=values)


def uneven_raters(
    n_raters: int, *, often: float = 1.0, middle: float = 0.0, n_pairs: int, rng: int
) -> mt.SufficientStatistics:
    """Means of ratings of two equally good systems by raters who rate them unequally often.

    A rater gives either system a lognormal number of ratings, rounded up, of which the median is 5,
    the first `often` times as many.  Raters are strict or lenient, with a standard deviation of 10
    around `middle`; towards each system apart, with one of 5; and a rating varies with one of 20.
    Units are raters, and scores weighted means.
    """
    draws = Draws(rng)
    shape = (2, n_pairs, n_raters)
    shape_of_both = (1, n_pairs, n_raters)
    medians = 5 * np.array([often, 1.0])
    logarithms = draws.normal(shape, key=0)
    lognormal = np.exp(logarithms)
    counts = np.ceil(medians[:, None, None] * lognormal)

    strictness = middle + 10 * draws.normal(shape_of_both, key=1)
    towards_system = 5 * draws.normal(shape, key=2)
    of_ratings = 20 * draws.normal(shape, key=3)
    of_means = of_ratings / np.sqrt(counts)
    means = strictness + towards_system + of_means

    sums = means * counts
    values = np.stack([sums, counts], axis=-1)
    in_rows = values.reshape(2 * n_pairs, n_raters, 2)
    systems = names_of_pairs("first", "second", n_pairs)
    return mt.SufficientStatistics(SegmentMean("rating"), systems, in_rows, unit="raters")


def document_effects(
    statistics: mt.SufficientStatistics,
    pair: tuple[str, str],
    *,
    correlation: float,
    n_pairs: int,
    rng: int,
) -> mt.SufficientStatistics:
    """Pairs that do not differ, whose segments are correlated within documents.

    One coin for each document decides which pseudo-system is the better one there, and some of
    the document's segments follow it while the others have coins of their own.  A contribution to
    the difference is its size times its coin's sign: coins with correlation r give two segments
    the covariance r |u_i| |u_j|, and every segment the variance u_i^2.  `correlation` is that of
    contributions, on average over all pairs of segments within a document.
    """
    draws = Draws(rng)
    outputs = Outputs(select_pair(statistics, *pair))
    sizes = np.abs(outputs.contributions)
    documents, labels = pd.factorize(np.asarray(statistics.documents))
    largest = _largest_correlation(sizes, documents)
    if not 0 <= correlation <= largest:
        raise ValueError(f"{correlation=} must lie between 0 and {largest:.3g}")

    n_segments = statistics.n_segments
    own = swap_masks(n_pairs, n_segments, seed=rng, key=(0,))
    of_documents = swap_masks(n_pairs, len(labels), seed=rng, key=(1,))
    shared = of_documents[:, documents]
    share_following = np.sqrt(correlation / largest)
    follows = draws.coins((n_pairs, n_segments), share_following, key=2)
    heads = np.where(follows, shared, own).astype(bool)
    what = f"nulls of {' and '.join(pair)}, correlation {correlation:g} within documents"
    return by_coins(
        statistics,
        heads,
        outputs.better,
        outputs.worse,
        what=what,
        documents=statistics.documents,
    )


def _largest_correlation(sizes: FloatArray, documents: Indices) -> float:
    """The correlation within documents if all segments of a document have the same coin.

    It is the mean product of two contributions of a document, over their mean square; `documents`
    numbers the document of each segment.
    """
    sums = np.bincount(documents, sizes)
    counts = np.bincount(documents)
    squares = sizes**2
    products = (sums**2).sum() - squares.sum()
    n_products = (counts * (counts - 1)).sum()
    return float(products / n_products / squares.mean())


def shared_documents(
    documents: npt.ArrayLike,
    *,
    n_test_sets: int = 25,
    share: float = 0.1,
    skewness: float = 0.0,
    difference: float = 0.0,
    n_pairs: int,
    rng: int,
) -> ScoredSets:
    """Pairs of systems on test sets into which the same documents were translated.

    What a document does to the difference of two systems has standard deviation 1 in each test
    set, and mean `difference`.  A `share` of that variance is the same in all test sets; the rest
    is drawn anew in each.  Effects are normal, or of a gamma distribution with that skewness.
    Segments scatter around them with standard deviation 1.
    """
    draws = Draws(rng)
    labels = np.asarray(documents)
    codes, names = pd.factorize(labels)
    shape = (n_pairs, len(names))
    common = draws.skewed(skewness, shape, key=0)
    systems = names_of_pairs("first", "second", n_pairs)
    of_common = math.sqrt(share) * common
    test_sets = {}
    for k in range(1, n_test_sets + 1):
        own = draws.skewed(skewness, shape, key=2 * k)
        effects = difference + of_common + math.sqrt(1 - share) * own
        noise = draws.normal((n_pairs, len(labels)), key=2 * k + 1)
        differences = effects[:, codes] + noise
        scores = _opposite_halves(differences)
        test_sets[str(k)] = segment_means(scores, systems, documents=labels)
    return mt.test_sets(test_sets)


def _opposite_halves(differences: FloatArray) -> FloatArray:
    """Scores of the first members, then of the second ones, which differ by so much."""
    half = differences / 2
    return np.concatenate([half, -half])


def same_sentences(
    names: Sequence[Sequence[str]],
    *,
    same: bool,
    share: float = 0.5,
    skewness: float = 0.0,
    n_pairs: int,
    rng: int,
) -> ScoredSets:
    """Pairs of equally good systems on test sets whose segments have these names.

    The difference of two systems on a segment has standard deviation 1.  Where the sentences are
    the `same`, a `share` of its variance is that of the sentence, in whichever test sets it is,
    and sentences are known by their places; the rest, and otherwise all, is drawn anew in each.
    Differences are normal, or of a gamma distribution with that skewness.
    """
    draws = Draws(rng)
    largest = max(map(len, names))
    common = draws.skewed(skewness, (n_pairs, largest), key=0)
    systems = names_of_pairs("first", "second", n_pairs)
    test_sets = {}
    for k, sentences in enumerate(names, start=1):
        n = len(sentences)
        differences = draws.skewed(skewness, (n_pairs, n), key=k)
        if same:
            differences = mixed(common[:, :n], differences, share)
        scores = _opposite_halves(differences)
        segment_names = np.asarray(sentences)
        test_sets[f"language {k}"] = segment_means(scores, systems, segment_names=segment_names)
    return mt.test_sets(test_sets)


class Scored(NamedTuple):
    """People's scores of two equally good systems, each (pairs, segments).

    Where `same_segments` is false, the segments of the two have nothing to do with each other.
    """

    first: FloatArray
    second: FloatArray
    same_segments: bool


def scored_by_people(
    n_first: int,
    n_second: int,
    n_pairs: int,
    rng: int,
    *,
    correlation: float | None = None,
    spreads: Sequence[float] = (1.0, 1.0),
    skewness: float = 0.0,
    grades: float = 0.1,
) -> Scored:
    """Scores of segments with mean 0, rounded to multiples of `grades`.

    Parameters
    ----------
    n_first, n_second : int
        Segments of each system.
    n_pairs, rng : int
    correlation : float, optional
        Of the two systems' scores of a segment.  Without it they were judged on different segments.
    spreads : sequence of float
        Their standard deviations.
    skewness : float
        Of the first system's scores; the second's are skewed to the other side.
    grades : float
        The distance between two scores that can be given.
    """
    draws = Draws(rng)
    same_segments = correlation is not None
    shared = correlation or 0.0
    n_largest = max(n_first, n_second)
    ease = draws.normal((n_pairs, n_largest), key=0)
    # Where scores are correlated negatively, what is easy for one system is hard for the other.
    ease_for_second = -ease if shared < 0 else ease
    of_first = draws.skewed(skewness, (n_pairs, n_first), key=1)
    of_second = draws.skewed(-skewness, (n_pairs, n_second), key=2)
    first = spreads[0] * mixed(ease[:, :n_first], of_first, abs(shared))
    second = spreads[1] * mixed(ease_for_second[:, :n_second], of_second, abs(shared))
    return Scored(_graded(first, grades), _graded(second, grades), same_segments)


def _graded(scores: FloatArray, grades: float) -> FloatArray:
    """Scores rounded to multiples of `grades`."""
    return np.round(scores / grades) * grades


def yes_or_no(
    share: float, n_segments: int, n_pairs: int, rng: int, *, alike: float = 0.5
) -> mt.SufficientStatistics:
    """Two systems that each get a `share` of segments right; every segment counts 1 or 0.

    A share `alike` of the second system's answers is the first system's; all others are
    independent.
    """
    draws = Draws(rng)
    shape = (n_pairs, n_segments)
    first = draws.coins(shape, share, key=0)
    independent = draws.coins(shape, share, key=1)
    copied = draws.coins(shape, alike, key=2)
    second = np.where(copied, first, independent)
    is_right = np.concatenate([first, second])
    scores = is_right.astype(np.float64)
    systems = names_of_pairs("first", "second", n_pairs)
    return segment_means(scores, systems, metric="right")


def careless_raters(
    n_items: int, n_raters: int, rng: int, *, n_grades: int = 101, often: float = 0.0
) -> pd.DataFrame:
    """Ratings of raters who do not look: what they give to an output has nothing to do with it.

    Each rates `n_items` outputs, the same outputs damaged, and the same outputs once more.  All
    grades from 0 to 100 are as likely, but for the highest one, which they give in a share `often`
    of cases besides.
    """
    draws = Draws(rng)
    types = ["SYSTEM", "BAD_REF", "REPEAT"]
    frame = combinations(rater=range(n_raters), segment=range(n_items), type=types)
    frame["system"] = "a"
    shape = (len(frame),)
    highest_grade = n_grades - 1
    numbers = draws.uniform(shape, key=0)
    drawn = np.floor(numbers * n_grades)
    is_highest = draws.coins(shape, often, key=1)
    grades = np.where(is_highest, highest_grade, drawn)
    frame["raw"] = grades * 100 / highest_grade
    return frame


def campaigns_of_ratings(
    n_campaigns: int, seed: int, *, test_sets: int = 1, **settings: Any
) -> list[list[pd.DataFrame]]:
    """Ratings of campaigns whose systems are equally good in pairs, of each of their test sets.

    `settings` are those of a `Campaign`, with ``deviations`` by their names.  Test sets have raters
    and documents of their own.
    """
    deviations = Deviations(**settings.pop("deviations", {}))
    campaign = Campaign(deviations=deviations, **settings)
    campaigns = []
    for number in range(n_campaigns):
        generators = np.random.default_rng([seed, number]).spawn(test_sets)
        campaigns.append([campaign.simulate(rng) for rng in generators])
    return campaigns


class AgreeingCampaigns(NamedTuple):
    """Pairs of systems in campaigns, (worlds, campaigns), and how many people order alike."""

    agreed: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.float64]
    share: float


def agreeing_campaigns(
    share: float, n_campaigns: int, n_worlds: int, rng: int, *, spread: float = 0.1
) -> AgreeingCampaigns:
    """Campaigns in which people agree about a share of pairs that varies from one to the next.

    Shares have a beta distribution with mean `share` and standard deviation `spread`.  A campaign
    has 3 to 60 pairs, each number as often as any other.
    """
    draws = Draws(rng)
    shape = (n_worlds, n_campaigns)
    sizes = 3 + 58 * draws.uniform(shape, key=0)
    pairs = np.floor(sizes)
    other_share = 1 - share
    concentration = share * other_share / spread**2 - 1
    beta = stats.beta(share * concentration, other_share * concentration)
    levels_of_shares = draws.uniform(shape, key=1)
    shares = beta.ppf(levels_of_shares)
    levels_of_counts = draws.uniform(shape, key=2)
    agreed = stats.binom.ppf(levels_of_counts, pairs, shares)
    return AgreeingCampaigns(agreed, pairs, share)


class SharedSystems(NamedTuple):
    """What people and metrics see of the systems of simulated campaigns; larger is better.

    Attributes
    ----------
    quality : ndarray of shape (worlds, systems)
        The truth.
    people : ndarray of shape (worlds, systems) or (worlds, systems, segments)
    metrics : ndarray of shape (metrics, worlds, systems) or (metrics, worlds, systems, segments)
    """

    quality: FloatArray
    people: FloatArray
    metrics: FloatArray


def shared_systems(
    n_worlds: int,
    *,
    n_systems: int,
    errors: Sequence[float] = (0.5, 0.5),
    correlation: float = 0.0,
    n_segments: int | None = None,
    rng: int,
) -> SharedSystems:
    """Campaigns in which metrics and people see the same systems, each with errors of their own.

    The systems of a campaign are drawn from a population: their qualities are normal with standard
    deviation 1.  People see them with errors of .3.  Each metric sees a quality with an error *for
    the system*, drawn once and present in all pairs that the system makes.  Errors of two metrics
    may be correlated.  Scores of segments are what is seen of the system, plus how easy the judge
    finds the segment, with standard deviation 1, plus noise, with 2.
    """
    draws = Draws(rng)
    shape = (n_worlds, n_systems)
    quality = draws.normal(shape, key=0)

    common = draws.normal(shape, key=1)
    own = draws.normal((len(errors), *shape), key=2)
    sizes = np.asarray(errors, dtype=np.float64)
    standardised = mixed(common, own, correlation)
    metrics = quality + sizes[:, None, None] * standardised
    error_of_people = draws.normal(shape, key=3)
    people = quality + PEOPLE_ERROR * error_of_people
    if n_segments is None:
        return SharedSystems(quality, people, metrics)

    judges = np.stack([people, *metrics])
    n_judges = len(judges)
    ease = draws.normal((n_judges, n_worlds, 1, n_segments), key=4)
    noise = draws.normal((n_judges, *shape, n_segments), key=5)
    segments = judges[..., None] + ease + SEGMENT_SPREAD * noise
    return SharedSystems(quality, people=segments[0], metrics=segments[1:])


def allotment(
    n_raters: int,
    n_documents: int,
    n_segments: int,
    n_ratings: int,
    *,
    dealt: bool = False,
    most: float = 0.0,
) -> pd.DataFrame:
    """Who rates what of systems ``a`` and ``b``: a row for each rating.

    A document has the same raters for both systems, in turn.  Where outputs are `dealt`, each
    system's documents have raters of their own: the first raters have most of `a`, the last ones
    most of `b`.  With `most` above 0 the first rater has that share of the documents.
    """
    frame = combinations(
        system=["a", "b"],
        document=range(n_documents),
        segment=range(n_segments),
        turn=range(n_ratings),
    )
    document = frame["document"]
    turn = frame.pop("turn")
    segment = document * n_segments + frame["segment"]
    in_turn = document * n_ratings + turn
    rater = in_turn % n_raters
    if dealt:
        place = (document + turn / n_ratings) / n_documents  # from 0 to 1
        rater_of_a = (n_raters * place**2).astype(int)
        rater_of_b = n_raters - 1 - rater_of_a
        rater = rater_of_a.where(frame["system"] == "a", rater_of_b)
    if most:
        other_rater = 1 + in_turn % (n_raters - 1)
        rater = other_rater.where(document >= most * n_documents, 0)
    return frame.assign(rater=rater, segment=segment)


def rated(
    frame: pd.DataFrame,
    variances: Mapping[tuple[str, ...], float],
    n_pairs: int,
    rng: int,
    *,
    skewness: float = 0.0,
) -> FloatArray:
    """Ratings of two equally good systems, shape (pairs, rows of `frame`).

    A rating is the sum of what its units add, each with its variance: of ``("rater",)`` to both
    systems alike, of ``("system", "rater")`` to each apart, of ``()`` to the rating.  All of it is
    normal, or of that skewness, where it is a system's own on opposite sides for the two.
    """
    shape = (n_pairs, len(frame))
    draws = Draws(rng)
    shared = np.zeros(shape)
    own = np.zeros(shape)
    for key, (columns, variance) in enumerate(variances.items()):
        units: Indices = np.arange(len(frame))
        if columns:
            units = np.asarray(frame.groupby(list(columns)).ngroup())
        n_units = units.max() + 1
        effects = draws.skewed(skewness, (n_pairs, n_units), key=key)
        summands = math.sqrt(variance) * effects[:, units]
        is_of_one_system = not columns or "system" in columns
        if is_of_one_system:
            own += summands
        else:
            shared += summands
    side = np.where(frame["system"] == "a", 1, -1)
    return shared + own * side


class Judged(NamedTuple):
    """Differences of two equally good systems by people and by a judge, (pairs, segments).

    People's are NaN where nobody was asked.  `clusters` numbers the cluster of each segment, if
    segments come in clusters.
    """

    people: FloatArray
    judge: FloatArray
    clusters: npt.NDArray[np.intp] | None


def judged(
    n_people: int,
    n_all: int,
    n_pairs: int,
    rng: int,
    *,
    correlation: float,
    bias: float = 0.3,
    skewness: float = 0.0,
    cluster: int = 1,
) -> Judged:
    """People ask about the first segments, and a judge about all; the judge prefers one system.

    People's differences have mean 0 and standard deviation 1; the judge's are correlated with them,
    and `bias` on average.  A `cluster` of segments shares a third of either's variance.
    """
    draws = Draws(rng)
    has_clusters = cluster > 1
    labels = np.arange(n_all) // cluster
    share = 1 / 3 if has_clusters else 0.0
    people = _in_clusters(labels, share, n_pairs, draws, key=0, skewness=skewness)
    judge = _by_judge(people, labels, share, draws, correlation=correlation, bias=bias)
    people[:, n_people:] = np.nan
    clusters = labels if has_clusters else None
    return Judged(people, judge, clusters)


def _in_clusters(
    labels: Indices, share: float, n_pairs: int, draws: Draws, *, key: int, skewness: float = 0.0
) -> FloatArray:
    """Numbers of mean 0 and standard deviation 1, shape (pairs, segments).

    `labels` numbers the cluster of each segment, whose is a `share` of the variance.
    """
    n_segments = len(labels)
    n_clusters = labels[-1] + 1
    own = draws.skewed(skewness, (n_pairs, n_segments), key=key)
    common = draws.skewed(skewness, (n_pairs, n_clusters), key=key + 1)
    common_of_segments = common[:, labels]
    return mixed(common_of_segments, own, share)


def _by_judge(
    people: FloatArray,
    labels: Indices,
    share: float,
    draws: Draws,
    *,
    correlation: float,
    bias: float,
) -> FloatArray:
    """A judge's differences: correlated with people's, and `bias` on average."""
    n_pairs = len(people)
    own = _in_clusters(labels, share, n_pairs, draws, key=2)
    own_share = 1 - correlation**2
    of_judge = math.sqrt(own_share) * own
    return bias + correlation * people + of_judge


def judged_documents(
    n_rated: int,
    n_documents: int,
    n_pairs: int,
    rng: int,
    *,
    correlation: float,
    spread: float,
    bias: float = 0.3,
) -> Judged:
    """As `judged`, for documents of unequal size, the first of which people rated as wholes.

    Sizes are lognormal, with a median of 4.5 segments and a standard deviation `spread` of their
    logarithms, and the same for all pairs.  A document shares a third of either's variance.
    """
    draws = Draws(rng)
    logarithms = 1.5 + spread * draws.normal((n_documents,), key=9)
    sizes = np.maximum(1, np.exp(logarithms).astype(int))
    labels = np.repeat(np.arange(n_documents), sizes)
    people = _in_clusters(labels, 1 / 3, n_pairs, draws, key=0)
    judge = _by_judge(people, labels, 1 / 3, draws, correlation=correlation, bias=bias)
    people[:, labels >= n_rated] = np.nan
    return Judged(people, judge, labels)


class UnequalRuns(NamedTuple):
    """Segment scores, (pairs, runs, segments), the first so many of which are one method's."""

    scores: FloatArray
    n_first: int


def unequal_runs(
    n_runs: tuple[int, int],
    spreads: tuple[float, float],
    n_pairs: int,
    rng: int,
    *,
    shared: float = 0.7,
    n_segments: int = 100,
) -> UnequalRuns:
    """Runs of two equally good methods.

    What a segment is to all runs of a method has standard deviation `shared`; a run's quality has
    that of its method in `spreads`, and what a run does on a segment .7.
    """
    draws = Draws(rng)
    methods = []
    for method, (n, spread) in enumerate(zip(n_runs, spreads, strict=True)):
        key = 3 * method  # three draws for each
        of_segments = draws.normal((n_pairs, 1, n_segments), key=key)
        of_runs = draws.normal((n_pairs, n, 1), key=key + 1)
        own = draws.normal((n_pairs, n, n_segments), key=key + 2)
        methods.append(shared * of_segments + spread * of_runs + 0.7 * own)
    scores = np.concatenate(methods, axis=1)
    return UnequalRuns(scores, n_runs[0])


class AtTheMargin(NamedTuple):
    """Differences of two systems, (pairs, segments), whose mean in the long run is the margin."""

    differences: FloatArray
    margin: float


def at_the_margin(
    n_segments: int, n_pairs: int, rng: int, *, skewness: float = 0.0, failing: float = 0.0
) -> AtTheMargin:
    """Pairs that differ by exactly the margin.

    Differences are normal or of that skewness, with standard deviation 1 and a margin of 1, on the
    side to which they are skewed.  Or one system fails in a share `failing` of segments, each of
    which costs 25, while differences otherwise have standard deviation .5; the margin is then 4.
    """
    draws = Draws(rng)
    shape = (n_pairs, n_segments)
    if not failing:
        margin = 1.0
        mean = math.copysign(margin, skewness)
        differences = mean + draws.skewed(skewness, shape, key=0)
        return AtTheMargin(differences, margin)
    margin = 4.0
    cost = 25.0
    usual = 0.5 * draws.normal(shape, key=0)
    fails = draws.coins(shape, failing, key=1)
    differences = usual - cost * fails + failing * cost - margin
    return AtTheMargin(differences, margin)


class Boards(NamedTuple):
    """Boards of the same systems and tasks.

    Attributes
    ----------
    tasks : list of dict of str to SufficientStatistics
        For each board the statistics of each task.
    quality : ndarray, shape (systems,)
        The true mean of each system's segments, on every task.
    """

    tasks: list[dict[str, mt.SufficientStatistics]]
    quality: FloatArray


def boards(
    qualities: Sequence[float], n_tasks: int, n_pairs: int, rng: int, *, n_segments: int = 60
) -> Boards:
    """Systems with these qualities, in standard errors of their scores, on some tasks.

    What a segment does to all systems, and what it does to each, is normal with standard deviation
    1, so that a system's score has a standard error of its own of one over the root of the number
    of segments.
    """
    draws = Draws(rng)
    quality = np.array(qualities) / math.sqrt(n_segments)
    shape = (n_pairs, n_tasks, len(quality), n_segments)
    ease = draws.normal((n_pairs, n_tasks, 1, n_segments), key=0)
    scores = quality[:, None] + ease + draws.normal(shape, key=1)
    systems = [f"system {number}" for number in range(1, len(quality) + 1)]
    made = []
    for of_board in scores:
        tasks = {}
        for number, of_task in enumerate(of_board, start=1):
            tasks[f"task {number}"] = segment_means(of_task, systems)
        made.append(tasks)
    return Boards(made, quality)


class Gated(NamedTuple):
    """Pairs of a candidate and a baseline, for gates.

    Attributes
    ----------
    pairs : SufficientStatistics
        The candidates of all pairs, then the baselines.
    margin : float
        Of the gate.
    loss : float
        By how much candidates are truly worse.
    """

    pairs: mt.SufficientStatistics
    margin: float
    loss: float


def gated_means(
    n_segments: int,
    n_pairs: int,
    rng: int,
    *,
    margin: float,
    loss: float,
    skewness: float = 0.0,
) -> Gated:
    """Means of segment scores whose differences have standard deviation 1 and mean ``-loss``.

    Differences are normal, or of a gamma distribution with that skewness.
    """
    differences = Draws(rng).skewed(skewness, (n_pairs, n_segments), key=0) - loss
    scores = np.concatenate([differences, np.zeros_like(differences)])
    systems = names_of_pairs("candidate", "baseline", n_pairs)
    return Gated(segment_means(scores, systems), margin, loss)


def gated_documents(
    n_documents: int, n_pairs: int, rng: int, *, margin: float, loss: float
) -> Gated:
    """Documents of unequal length as units, with effects of their own.

    A document has a lognormal number of segments, of which the median is 10, rounded up.  What it
    does to the difference of its segments has standard deviation .5, and segments scatter around
    that with standard deviation 1.
    """
    draws = Draws(rng)
    shape = (n_pairs, n_documents)
    sizes = np.ceil(10 * np.exp(0.7 * draws.normal(shape, key=0)))
    effects = 0.5 * draws.normal(shape, key=1)
    noise = draws.normal(shape, key=2) / np.sqrt(sizes)
    means = effects + noise - loss
    of_candidates = np.stack([means * sizes, sizes], axis=-1)
    of_baselines = np.stack([np.zeros(shape), sizes], axis=-1)
    pairs = mt.SufficientStatistics(
        SegmentMean("score"),
        names_of_pairs("candidate", "baseline", n_pairs),
        np.concatenate([of_candidates, of_baselines]),
        unit="documents",
    )
    return Gated(pairs, margin, loss)


def gated_test_sets(
    population: mt.SufficientStatistics, n_units: int, n_pairs: int, rng: int
) -> Gated:
    """Test sets drawn with replacement from that of two real systems, as many units each.

    The first system is the worse one, and the margin is by how much, in the population.
    """
    candidate, baseline = population.metric.score(population.totals())
    loss = float(population.metric.direction * (baseline - candidate))
    equal_weights = np.ones(population.n_segments)
    drawn = drawn_units(n_pairs, n_units, equal_weights, seed=rng)
    of_candidates, of_baselines = population.values
    pairs = mt.SufficientStatistics(
        population.metric,
        names_of_pairs("candidate", "baseline", n_pairs),
        np.concatenate([of_candidates[drawn], of_baselines[drawn]]),
        unit=population.unit,
    )
    return Gated(pairs, loss, loss)


def preferences_by_raters(
    n_raters: int,
    n_pairs: int,
    rng: int,
    *,
    n_systems: int = 4,
    n_comparisons: int = 12,
    spread: float = 0.4,
    ties: float = 0.2,
) -> list[pd.DataFrame]:
    """Campaigns in which raters compare equally good systems, each with opinions of their own.

    A rater's opinion of a system has standard deviation `spread` on the logit scale; a share `ties`
    of comparisons is tied.
    """
    draws = Draws(rng)
    first, second = np.triu_indices(n_systems, 1)
    n_system_pairs = len(first)
    opinions = spread * draws.normal((n_pairs, n_raters, n_systems), key=0)
    preference = opinions[..., first] - opinions[..., second]
    odds_of_second = np.exp(-preference)
    probability = 1 / (1 + odds_of_second)

    shape = (n_pairs, n_raters, n_system_pairs, n_comparisons)
    wins = draws.coins(shape, probability[..., None], key=1)
    tied = draws.coins(shape, ties, key=2)
    outcomes = np.where(wins, 1, -1)
    outcomes[tied] = 0

    frame = combinations(
        rater=range(n_raters), pair=range(n_system_pairs), time=range(n_comparisons)
    )
    names = np.array([f"system {k}" for k in range(1, n_systems + 1)])
    first_names = names[first]
    second_names = names[second]
    frame["system_a"] = first_names[frame["pair"]]
    frame["system_b"] = second_names[frame["pair"]]
    return [frame.assign(outcome=campaign.ravel()) for campaign in outcomes]
