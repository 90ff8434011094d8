"""Worlds that only the page on trust needs; :mod:`mtsig_nb.simulate` has the others."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from scipy.optimize import brentq
from scipy.special import gammaincinv, ndtri

import mtsig_nb as mt
from mtsig_nb.engine.influence import influence_values
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.one_pair import select_pair
from mtsig_nb.simulate import Outputs, as_pairs, by_coins, drawn_units, moved, uniforms
from mtsig_nb.statistics.many_test_sets import ScoredSets

#: Between such tilts the weights of `levelled` are looked for.
STEEPEST = 5.0
#: Standard deviations in `shared_systems`: of people's errors, and of a segment's noise.
PEOPLE_ERROR, SEGMENT_SPREAD = 0.3, 2.0


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
    both = select_pair(statistics, *pair)
    drawn = drawn_units(n_pairs, n_units, np.ones(both.n_segments), seed=rng)
    heads = uniforms(drawn.shape, seed=rng, key=(1,)) < 0.5
    a, b = both.values
    exchanged = by_coins(both, heads, a[drawn], b[drawn], what="").values
    failing, paying = exchanged[:n_pairs].copy(), exchanged[n_pairs:]
    fails = uniforms(drawn.shape, seed=rng, key=(2,)) < share
    failing[..., 0] = np.where(fails, failure * failing[..., 1], failing[..., 0])
    middle = both.metric.score(both.totals().sum(axis=0))
    paying = moved(paying, np.full(n_pairs, share * (failure - middle)))
    what = f"{' and '.join(pair)} exchanged, one of them failing in {share:g} of segments"
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
    both = select_pair(statistics, *pair)
    a, b = both.values
    differing = np.flatnonzero((a != b).any(axis=1))
    drawn = differing[drawn_units(n_pairs, n_units, np.ones(len(differing)), seed=rng)]
    if alike:
        drawn[:, n_differing:] = drawn[:, n_differing : n_differing + 1]
    one, other = a[drawn], b[drawn]
    other[:, n_differing:] = one[:, n_differing:]
    heads = uniforms(drawn.shape, seed=rng, key=(1,)) < 0.5
    what = f"{' and '.join(pair)}, {n_differing} of {n_units} units exchanged, the others the same"
    return by_coins(both, heads, one, other, what=what)


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
    of_a, of_b = influence_values(both)
    contrast = (of_a - of_b) / np.abs(of_a - of_b).max()

    def lead(tilt: float) -> float:
        a, b = both.metric.score(np.exp(tilt * contrast) @ both.values)
        return float(a - b)

    tilt = brentq(lead, -STEEPEST, STEEPEST, xtol=1e-12)
    drawn = drawn_units(n_pairs, n_units, np.exp(tilt * contrast), seed=rng)
    a, b = both.values
    what = f"{' and '.join(pair)}, made equally good"
    return as_pairs(both, a[drawn], b[drawn], ("first", "second"), what=what)


def same_in_part(
    statistics: mt.SufficientStatistics, systems: tuple[str, ...], share: float, *, rng: int
) -> mt.SufficientStatistics:
    """The same systems, but in a share of the units all have what the first of them has."""
    some = statistics.select(systems)
    same = uniforms((some.n_segments,), seed=rng, key=(0,)) < share
    values = np.where(same[:, None], some.values[:1], some.values)
    return dataclasses.replace(some, values=values)


def uneven_raters(
    n_raters: int, *, often: float = 1.0, middle: float = 0.0, n_pairs: int, rng: int
) -> mt.SufficientStatistics:
    """Means of ratings of two equally good systems by raters who rate them unequally often.

    A rater gives either system a lognormal number of ratings, rounded up, of which the median is 5,
    the first `often` times as many.  Raters are strict or lenient, with a standard deviation of 10
    around `middle`; towards each system apart, with one of 5; and a rating varies with one of 20.
    Units are raters, and scores weighted means.
    """
    shape = 2, n_pairs, n_raters

    def normal(key: int, *size: int) -> FloatArray:
        return np.asarray(ndtri(uniforms(size, seed=rng, key=(key,))))

    counts = np.ceil(5 * np.array([often, 1.0])[:, None, None] * np.exp(normal(0, *shape)))
    strict = middle + 10 * normal(1, 1, *shape[1:])
    means = strict + 5 * normal(2, *shape) + 20 * normal(3, *shape) / np.sqrt(counts)
    values = np.stack([means * counts, counts], axis=-1).reshape(2 * n_pairs, n_raters, 2)
    systems = tuple(f"{name} {i}" for name in ("first", "second") for i in range(1, n_pairs + 1))
    metric = SegmentMean("rating")
    return mt.SufficientStatistics(metric, systems, values, unit="raters")


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
    outputs = Outputs(select_pair(statistics, *pair))
    codes, labels = pd.factorize(np.asarray(statistics.documents))
    sizes, counts = np.abs(outputs.contributions), np.bincount(codes)
    together = (np.bincount(codes, sizes) ** 2).sum() - (sizes**2).sum()
    largest = float(together / (counts * (counts - 1)).sum() / (sizes**2).mean())
    if not 0 <= correlation <= largest:
        raise ValueError(f"{correlation=} must lie between 0 and {largest:.3g}")
    shape = n_pairs, statistics.n_segments
    own = swap_masks(*shape, seed=rng, key=(0,)).astype(bool)
    shared = swap_masks(n_pairs, len(labels), seed=rng, key=(1,)).astype(bool)[:, codes]
    follows = uniforms(shape, seed=rng, key=(2,)) < np.sqrt(correlation / largest)
    return by_coins(
        statistics,
        np.where(follows, shared, own),
        outputs.better,
        outputs.worse,
        what=f"nulls of {' and '.join(pair)}, correlation {correlation:g} within documents",
        documents=statistics.documents,
    )


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
    labels = np.asarray(documents)
    codes, names = pd.factorize(labels)
    shape = n_pairs, len(names)
    common = _effects(skewness, shape, seed=rng, key=0)
    systems = tuple(f"{name} {i}" for name in ("first", "second") for i in range(1, n_pairs + 1))
    given = {}
    for k in range(1, n_test_sets + 1):
        own = _effects(skewness, shape, seed=rng, key=2 * k)
        effects = difference + math.sqrt(share) * common + math.sqrt(1 - share) * own
        noise = ndtri(uniforms((n_pairs, len(labels)), seed=rng, key=(2 * k + 1,)))
        half = (effects[:, codes] + noise) / 2
        scores = np.concatenate([half, -half])
        values, metric = np.stack([scores, np.ones_like(scores)], axis=-1), SegmentMean("score")
        given[str(k)] = mt.SufficientStatistics(metric, systems, values, documents=labels)
    return mt.test_sets(given)


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
    most = max(map(len, names))
    common = _effects(skewness, (n_pairs, most), seed=rng, key=0)
    systems = tuple(f"{name} {i}" for name in ("first", "second") for i in range(1, n_pairs + 1))
    given = {}
    for k, of_set in enumerate(names, start=1):
        differences = _effects(skewness, (n_pairs, len(of_set)), seed=rng, key=k)
        if same:
            of_sentences = math.sqrt(share) * common[:, : len(of_set)]
            differences = of_sentences + math.sqrt(1 - share) * differences
        scores = np.concatenate([differences / 2, -differences / 2])
        values = np.stack([scores, np.ones_like(scores)], axis=-1)
        given[f"language {k}"] = mt.SufficientStatistics(
            SegmentMean("score"), systems, values, segment_names=np.asarray(of_set)
        )
    return mt.test_sets(given)


def _effects(skewness: float, shape: tuple[int, ...], *, seed: int, key: int) -> FloatArray:
    """Numbers of mean 0 and standard deviation 1."""
    u = uniforms(shape, seed=seed, key=(key,))
    if skewness == 0:
        return np.asarray(ndtri(u))
    form = 4 / skewness**2  # of a gamma distribution, whose skewness is 2 / sqrt(form)
    return np.asarray(math.copysign(1, skewness) * (gammaincinv(form, u) - form) / math.sqrt(form))


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
    same_segments = correlation is not None
    shared = correlation or 0.0
    segments = ndtri(uniforms((n_pairs, max(n_first, n_second)), seed=rng, key=(0,)))
    scores = []
    for system, n_segments in enumerate((n_first, n_second)):
        side = -1.0 if system else 1.0
        own = _effects(side * skewness, (n_pairs, n_segments), seed=rng, key=1 + system)
        # Where scores are correlated negatively, a segment is easy for one system only.
        sign = side if shared < 0 else 1.0
        common = sign * math.sqrt(abs(shared)) * segments[:, :n_segments]
        exact = spreads[system] * (common + math.sqrt(1 - abs(shared)) * own)
        scores.append(np.round(exact / grades) * grades)
    return Scored(scores[0], scores[1], same_segments)


def yes_or_no(
    share: float, n_segments: int, n_pairs: int, rng: int, *, alike: float = 0.5
) -> mt.SufficientStatistics:
    """Two systems that each get a `share` of segments right; every segment counts 1 or 0.

    A share `alike` of the second system's answers is the first system's; all others are
    independent.
    """
    shape = n_pairs, n_segments
    first = uniforms(shape, seed=rng, key=(0,)) < share
    apart = uniforms(shape, seed=rng, key=(1,)) < share
    copied = uniforms(shape, seed=rng, key=(2,)) < alike
    second = np.where(copied, first, apart)
    scores = np.concatenate([first, second]).astype(np.float64)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    systems = tuple(f"{name} {i}" for name in ("first", "second") for i in range(1, n_pairs + 1))
    return mt.SufficientStatistics(SegmentMean("right"), systems, values)


def careless_raters(
    n_items: int, n_raters: int, rng: int, *, n_grades: int = 101, often: float = 0.0
) -> pd.DataFrame:
    """Ratings of raters who do not look: what they give to an output has nothing to do with it.

    Each rates `n_items` outputs, the same outputs damaged, and the same outputs once more.  All
    grades from 0 to 100 are as likely, but for the highest one, which they give in a share `often`
    of cases besides.
    """
    types = ["SYSTEM", "BAD_REF", "REPEAT"]
    axes = [range(n_raters), range(n_items), types]
    rows = pd.MultiIndex.from_product(axes, names=["rater", "segment", "type"])
    frame = rows.to_frame(index=False).assign(system="a")
    drawn = np.floor(uniforms((len(frame),), seed=rng, key=(0,)) * n_grades)
    highest = uniforms((len(frame),), seed=rng, key=(1,)) < often
    grade = np.where(highest, n_grades - 1, drawn)
    return frame.assign(raw=grade * 100 / (n_grades - 1))


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
    shape = n_worlds, n_campaigns
    pairs = np.floor(3 + 58 * uniforms(shape, seed=rng, key=(0,)))
    concentration = share * (1 - share) / spread**2 - 1
    a, b = share * concentration, (1 - share) * concentration
    shares = stats.beta.ppf(uniforms(shape, seed=rng, key=(1,)), a, b)
    agreed = stats.binom.ppf(uniforms(shape, seed=rng, key=(2,)), pairs, shares)
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
    shape = n_worlds, n_systems

    def normal(key: int, *size: int) -> FloatArray:
        return np.asarray(ndtri(uniforms(size, seed=rng, key=(key,))))

    quality, together = normal(0, *shape), normal(1, *shape)
    own = normal(2, len(errors), *shape)
    sizes = np.asarray(errors, dtype=np.float64)[:, None, None]
    mixed = np.sqrt(correlation) * together + np.sqrt(1 - correlation) * own
    people, metrics = quality + PEOPLE_ERROR * normal(3, *shape), quality + sizes * mixed
    if n_segments is None:
        return SharedSystems(quality, people, metrics)
    judges = np.stack([people, *metrics])[..., None]
    ease = normal(4, len(judges), n_worlds, 1, n_segments)
    noise = SEGMENT_SPREAD * normal(5, len(judges), *shape, n_segments)
    people, *others = judges + ease + noise
    return SharedSystems(quality, people, np.stack(others))


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
    axes = [["a", "b"], range(n_documents), range(n_segments), range(n_ratings)]
    names = ["system", "document", "segment", "rater"]
    frame = pd.MultiIndex.from_product(axes, names=names).to_frame(index=False)
    document, turn = frame["document"], frame["rater"]
    rater = (document * n_ratings + turn) % n_raters
    if dealt:
        first = (n_raters * ((document + turn / n_ratings) / n_documents) ** 2).astype(int)
        rater = first.where(frame["system"] == "a", n_raters - 1 - first)
    if most:
        others = 1 + (document * n_ratings + turn) % (n_raters - 1)
        rater = others.where(document >= most * n_documents, 0)
    return frame.assign(rater=rater, segment=document * n_segments + frame["segment"])


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
    shared, own = np.zeros((2, n_pairs, len(frame)))
    for key, (columns, variance) in enumerate(variances.items()):
        labels = frame.groupby(list(columns)).ngroup() if columns else range(len(frame))
        codes = np.asarray(labels)
        effects = _effects(skewness, (n_pairs, codes.max() + 1), seed=rng, key=key)
        part = own if not columns or "system" in columns else shared
        part += math.sqrt(variance) * effects[:, codes]
    return shared + own * np.where(frame["system"] == "a", 1, -1)


class Judged(NamedTuple):
    """Differences of two equally good systems by people and by a judge, (pairs, segments).

    People's are NaN where nobody was asked.
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
    share = 1 / 3 if cluster > 1 else 0.0
    labels = np.arange(n_all) // cluster

    def drawn(key: int, form: float) -> FloatArray:
        own = _effects(form, (n_pairs, n_all), seed=rng, key=key)
        common = _effects(form, (n_pairs, labels[-1] + 1), seed=rng, key=key + 1)
        return math.sqrt(1 - share) * own + math.sqrt(share) * common[:, labels]

    people = drawn(0, skewness)
    judge = bias + correlation * people + math.sqrt(1 - correlation**2) * drawn(2, 0.0)
    people[:, n_people:] = np.nan
    return Judged(people, judge, labels if cluster > 1 else None)


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
    logarithms = ndtri(uniforms((n_documents,), seed=rng, key=(9,)))
    sizes = np.maximum(1, np.exp(1.5 + spread * logarithms).astype(int))
    labels = np.repeat(np.arange(n_documents), sizes)

    def drawn(key: int) -> FloatArray:
        own = _effects(0.0, (n_pairs, len(labels)), seed=rng, key=key)
        common = _effects(0.0, (n_pairs, n_documents), seed=rng, key=key + 1)
        return math.sqrt(2 / 3) * own + math.sqrt(1 / 3) * common[:, labels]

    people = drawn(0)
    judge = bias + correlation * people + math.sqrt(1 - correlation**2) * drawn(2)
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
    sides = []
    for method, (n, spread) in enumerate(zip(n_runs, spreads, strict=True)):
        key = 3 * method
        luck = _effects(0.0, (n_pairs, 1, n_segments), seed=rng, key=key)
        quality = _effects(0.0, (n_pairs, n, 1), seed=rng, key=key + 1)
        own = _effects(0.0, (n_pairs, n, n_segments), seed=rng, key=key + 2)
        sides.append(shared * luck + spread * quality + 0.7 * own)
    return UnequalRuns(np.concatenate(sides, axis=1), n_runs[0])


class AtTheMargin(NamedTuple):
    """Differences of two systems, (pairs, segments), whose mean in the long run is the margin."""

    differences: FloatArray
    margin: float


def at_the_margin(
    n_segments: int, n_pairs: int, rng: int, *, skewness: float = 0.0, failing: float = 0.0
) -> AtTheMargin:
    """Pairs that differ by just the margin.

    Differences are normal or of that skewness, with standard deviation 1 and a margin of 1, on the
    side to which they are skewed.  Or one system fails in a share `failing` of segments, each of
    which costs 25, while differences otherwise have standard deviation .5; the margin is then 4.
    """
    shape = n_pairs, n_segments
    if not failing:
        side = math.copysign(1.0, skewness)
        return AtTheMargin(side + _effects(skewness, shape, seed=rng, key=0), 1.0)
    margin, cost = 4.0, 25.0
    fails = uniforms(shape, seed=rng, key=(1,)) < failing
    usual = 0.5 * _effects(0.0, shape, seed=rng, key=0)
    return AtTheMargin(usual - cost * fails + failing * cost - margin, margin)


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
    opinions = spread * _effects(0.0, (n_pairs, n_raters, n_systems), seed=rng, key=0)
    first, second = np.triu_indices(n_systems, 1)
    shape = n_pairs, n_raters, len(first), n_comparisons
    apart = (opinions[..., first] - opinions[..., second])[..., None]
    wins = uniforms(shape, seed=rng, key=(1,)) < 1 / (1 + np.exp(-apart))
    tied = uniforms(shape, seed=rng, key=(2,)) < ties
    outcomes = np.where(tied, 0, np.where(wins, 1, -1))
    axes = [range(n_raters), range(len(first)), range(n_comparisons)]
    rows = pd.MultiIndex.from_product(axes, names=["rater", "pair", "time"])
    frame = rows.to_frame(index=False)
    names = np.array([f"system {k}" for k in range(1, n_systems + 1)])
    frame = frame.assign(
        system_a=names[first][frame["pair"]], system_b=names[second][frame["pair"]]
    )
    return [frame.assign(outcome=each.ravel()) for each in outcomes]
