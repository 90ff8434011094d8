"""People on some segments and a judge on all: against another program, and by simulation."""

import itertools

import numpy as np
import pytest
from scipy import special, stats

import mtsig_nb as mt
from mtsig_nb.human.few_people import (
    _components,
    _freedom_of_squares,
    _Sums,
    prediction_powered,
)
from mtsig_nb.human.tails import degrees_of_freedom_of_mean

from ..messages import naming

#: Printed by ppi-python 0.2.3 (`ppi_mean_pointestimate`, `ppi_mean_ci`, level .05) for `made`:
#: segments by people, others, weight, estimate and both ends of the interval.
PPI_PYTHON = [
    (30, 300, 0.0, 0.22936543268788406, 0.01013365644199507, 0.4485972089337731),
    (30, 300, 0.5, 0.21629004847371605, 0.06997141070478616, 0.362608686242646),
    (30, 300, 1.0, 0.20321466425954807, 0.027188867790486487, 0.3792404607286096),
    (80, 120, 0.0, 0.2814970155007499, 0.1660479988183187, 0.39694603218318114),
    (80, 120, 0.5, 0.21033781337994228, 0.10641426528693075, 0.3142613614729538),
    (80, 120, 1.0, 0.1391786112591347, -0.031827022846198955, 0.3101842453644683),
]


#: A judge who scores all segments alike that people did not rate, 40 of them.
RISING = np.where(np.arange(50) < 10, np.arange(50), 0.0)


def made(n, others):
    """Differences by people and by a judge, the same on every machine."""
    i = np.arange(n + others)
    judge = np.sin(1 + i * i) + 0.1 * np.cos(i)
    people = 0.6 * judge + 0.5 * np.cos(3 * i) + 0.2
    return np.where(i < n, people, np.nan), judge


def theirs(n, others, weight):
    """Half of ppi-python's interval at .05, which divides by n and by the number of others."""
    people, judge = made(n, others)
    plain = np.var((people - weight * judge)[:n]) / n + weight**2 * np.var(judge[n:]) / others
    return special.ndtri(0.975) * np.sqrt(plain)


def squared_error(n, others, weight):
    """The same with divisors of one less."""
    people, judge = made(n, others)
    rated = np.var((people - weight * judge)[:n], ddof=1) / n
    return rated + weight**2 * np.var(judge[n:], ddof=1) / others


@pytest.mark.parametrize(("n", "others", "weight", "estimate", "low", "high"), PPI_PYTHON)
def test_the_same_as_ppi_python(n, others, weight, estimate, low, high):
    found = prediction_powered(*made(n, others), weight=weight)
    assert found.statistic == pytest.approx(estimate, abs=1e-8)
    assert theirs(n, others, weight) == pytest.approx((high - low) / 2, abs=1e-8)
    assert found.standard_error**2 == pytest.approx(squared_error(n, others, weight), rel=1e-12)


#: The same of its own weight (`lam=None`).
TUNED = [
    (30, 300, 0.21408874922951573, 0.07096280326564763, 0.35721469519338384),
    (80, 120, 0.2399274553777253, 0.14346835428832547, 0.3363865564671251),
    (25, 60, 0.2877477050771392, 0.11359366202601842, 0.46190174812826),
]


@pytest.mark.parametrize(("n", "others", "estimate", "low", "high"), TUNED)
def test_the_tuned_weight_of_ppi_python(n, others, estimate, low, high):
    found = prediction_powered(*made(n, others), weight="ppi++")
    assert found.statistic == pytest.approx(estimate, abs=1e-8)
    assert theirs(n, others, found.weight) == pytest.approx((high - low) / 2, abs=1e-8)
    given = prediction_powered(*made(n, others), weight=found.weight)
    assert given.statistic == found.statistic
    assert given.standard_error**2 == pytest.approx(squared_error(n, others, found.weight))
    assert given.degrees_of_freedom > found.degrees_of_freedom


def test_their_weight_stays_between_0_and_1():
    people, judge = made(40, 100)
    against, steep = (prediction_powered(people, c * judge, weight="ppi++") for c in (-1, 0.1))
    assert (against.weight, steep.weight) == (0, 1)
    assert prediction_powered(people, np.ones_like(judge), weight="ppi++").weight == 0


def left_out(people, judge, unit, weight):
    """The jackknife written out: the squared error's first part, each rated unit left out."""

    def estimate(kept):
        y, x = people[kept], judge[kept]
        asked = ~np.isnan(y)
        used = weight
        if weight is None:
            slope = np.polyfit(x[asked], y[asked], 1)[0]
            used = slope * np.mean(~asked)
        if asked.all():
            return y.mean()
        return y[asked].mean() - used * (x[asked].mean() - x[~asked].mean())

    rated = np.unique(unit[~np.isnan(people)])
    moved = [estimate(unit != each) - estimate(unit >= 0) for each in rated]
    return (len(rated) - 1) / len(rated) * np.sum(np.square(moved))


@pytest.mark.parametrize("weight", [None, 0.7, 0.0])
@pytest.mark.parametrize("partly", [False, True])
def test_the_standard_error_is_the_jackknife_s(weight, partly):
    """And with few other documents their variance is that of all documents."""
    rng = np.random.default_rng(3)
    unit = np.repeat(np.arange(12), rng.integers(1, 9, 12))
    people, judge = rng.normal(size=(2, len(unit)))
    judge += people
    asked = rng.random(len(unit)) < 0.4 if partly else unit < 9
    people[~asked] = np.nan
    found = prediction_powered(people, judge, clusters=unit, weight=weight)
    expected = left_out(people, judge, unit, weight)
    unrated = [each for each in range(12) if not asked[unit == each].any()]
    sizes = np.bincount(unit)
    totals = np.bincount(unit, judge - judge.mean())
    within = sum(((judge - judge.mean())[unit == k] ** 2).sum() for k in range(12))
    within = (within - (totals**2 / sizes).sum()) / (len(unit) - 12)
    deviations = np.eye(12) - np.outer(sizes / len(unit), np.ones(12))
    loads = np.diag(deviations.T @ deviations)
    between = (totals**2).sum() - within * (loads * sizes).sum()
    between /= (loads * sizes**2).sum()
    variances = sizes * within + sizes**2 * max(between, 0)
    expected += found.weight**2 * variances[unrated].sum() / (~asked).sum() ** 2
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-10)


UNEQUAL = [
    [40] + [5] * 9,
    [20, 5, 5, 5],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [3] * 8,
    [1] * 9,
]


@pytest.mark.parametrize("sizes", UNEQUAL)
def test_the_component_between_units_is_unbiased_whatever_their_sizes(sizes):
    """Over all arrangements of signs: each unit is one above the mean or one below."""
    unit = np.repeat(np.arange(len(sizes)), sizes)
    people = np.where(np.arange(len(unit)) == 0, 0.0, np.nan)
    between = []
    for signs in itertools.product((-1.0, 1.0), repeat=len(sizes)):
        judge = np.array(signs)[unit]
        found = _components(_Sums.of_units(people, judge - judge.mean(), unit))
        assert found[0] == pytest.approx(0, abs=1e-12)
        between.append(found[1])
    assert np.mean(between) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("sizes", UNEQUAL)
def test_degrees_of_freedom_of_squared_totals_are_those_of_the_whole_matrix(sizes):
    rng = np.random.default_rng(2)
    sizes = np.array(sizes, float)
    variances = 0.5 * sizes + rng.random() * sizes**2
    deviations = np.eye(len(sizes)) - np.outer(sizes / sizes.sum(), np.ones(len(sizes)))
    covariance = deviations @ np.diag(variances) @ deviations.T
    expected = np.trace(covariance) ** 2 / np.trace(covariance @ covariance)
    assert _freedom_of_squares(sizes, variances) == pytest.approx(expected, rel=1e-12)
    assert _freedom_of_squares(np.full(7, 3.0), np.full(7, 2.0)) == pytest.approx(6)


@pytest.mark.takes_time
@pytest.mark.parametrize(("sizes", "n_rated"), [([40] + [5] * 11, 6), ([60, 40, 20] + [5] * 12, 7)])
def test_the_standard_error_is_right_where_few_units_of_unequal_size_are_left(
    sizes, n_rated, draws
):
    """Its mean square against the variance of estimates: within 15 %, twice its standard error."""
    n_draws = draws(600, 1500)
    rng = np.random.default_rng(8)
    estimates = []
    squares = []
    claims = 0
    for _ in range(n_draws):
        people, judge, unit = drawn(rng, sizes, n_rated, correlation=0.6)
        found = prediction_powered(people, judge, clusters=unit, weight=1.0)
        estimates.append(found.statistic)
        squares.append(found.standard_error**2)
        claims += found.pvalue <= 0.05
    assert 0.85 < np.mean(squares) / np.var(estimates) < 1.15
    assert claims / n_draws <= 0.05


def mean_over_all_draws(people, judge, unit, n_rated, weight):
    """The mean estimate over all ways to have so many units rated by people."""
    estimates = []
    for rated in itertools.combinations(np.unique(unit), n_rated):
        asked = np.where(np.isin(unit, rated), people, np.nan)
        estimates.append(prediction_powered(asked, judge, clusters=unit, weight=weight).statistic)
    return np.mean(estimates)


@pytest.mark.parametrize("weight", [0.0, 1.0, 0.3])
def test_with_a_given_weight_it_is_unbiased_over_segments_and_not_over_unequal_clusters(weight):
    rng = np.random.default_rng(4)
    segments = rng.normal(size=(2, 9))
    mean = mean_over_all_draws(*segments, np.arange(9), 4, weight)
    assert mean == pytest.approx(segments[0].mean(), rel=1e-12)
    equal = rng.normal(size=(2, 14))
    mean = mean_over_all_draws(*equal, np.repeat(np.arange(7), 2), 3, weight)
    assert mean == pytest.approx(equal[0].mean(), rel=1e-12)
    unequal = np.repeat(np.arange(6), [1, 1, 2, 8, 1, 2])
    people = rng.normal(size=15) + (unequal == 3)
    mean = mean_over_all_draws(people, rng.normal(size=15), unequal, 3, weight)
    assert abs(mean - people.mean()) > 0.01


@pytest.mark.takes_time
@pytest.mark.parametrize(("n", "least", "most"), [(5, -0.8, -0.4), (100, -0.2, 0.0)])
def test_an_estimated_weight_is_biased_where_people_bend_away_from_the_judge(n, least, most, draws):
    """People's differences are the squares of the judge's: bias in standard errors."""
    rng = np.random.default_rng(11)
    off = []
    errors = []
    for _ in range(draws(500, 1000)):
        judge = rng.exponential(size=n + 400)
        people = judge**2 + rng.normal(size=n + 400)
        people[n:] = np.nan
        found = prediction_powered(people, judge)
        off.append(found.statistic - 2)
        errors.append(found.standard_error)
    assert least < np.mean(off) / np.mean(errors) < most


def test_degrees_of_freedom_of_unequal_clusters_against_the_quadratic_form():
    """Of the jackknife's variance as a form in independent cluster totals."""
    sizes = np.array([1.0, 2.0, 3.0, 5.0, 8.0, 13.0])
    share = sizes / sizes.sum()
    residuals = np.eye(6) - np.outer(share, np.ones(6))
    form = residuals.T @ np.diag((1 - share) ** -2.0) @ residuals
    weighted = form @ np.diag(share)
    expected = np.trace(weighted) ** 2 / np.trace(weighted @ weighted)
    assert degrees_of_freedom_of_mean(sizes) == pytest.approx(expected, rel=1e-12)
    assert degrees_of_freedom_of_mean([7] * 9) == pytest.approx(8)


def test_the_weight_is_the_slope_times_the_share_of_other_segments():
    people, judge = made(30, 300)
    found = prediction_powered(people, judge)
    slope = stats.linregress(judge[:30], people[:30]).slope
    assert found.weight == pytest.approx(slope * 300 / 330)


def test_without_the_judge_it_is_the_t_test_of_people():
    people, judge = made(40, 100)
    found = prediction_powered(people, judge, weight=0)
    assert found.people == (found.statistic, found.standard_error)
    t = stats.ttest_1samp(people[:40], 0)
    assert found.statistic == pytest.approx(people[:40].mean())
    assert found.pvalue == pytest.approx(t.pvalue)
    assert found.interval == pytest.approx(tuple(t.confidence_interval(0.95)))
    assert found.n_effective == 40


def test_with_many_others_on_either_side_it_is_welchs_t_of_a_known_weight():
    people, judge = made(50, 60)
    found = prediction_powered(people, judge, weight=0.5)
    t = stats.ttest_ind(people[:50] - 0.5 * judge[:50], -0.5 * judge[50:], equal_var=False)
    assert found.pvalue == pytest.approx(t.pvalue)
    assert found.degrees_of_freedom == pytest.approx(t.df)


def test_a_judge_who_knows_nothing_gets_no_weight():
    people, judge = made(40, 100)
    found = prediction_powered(people, np.ones_like(judge))
    assert (found.weight, found.statistic) == (0, pytest.approx(people[:40].mean()))
    assert found.correlation == 0


def test_the_judge_s_scale_does_not_matter_and_signs_turn_over():
    people, judge = made(40, 100)
    one = prediction_powered(people, judge)
    other = prediction_powered(people, 30 - 7 * judge)
    assert (other.statistic, other.standard_error) == pytest.approx(
        (one.statistic, one.standard_error)
    )
    turned = prediction_powered(-people, -judge, alternative="less")
    greater = prediction_powered(people, judge, alternative="greater")
    assert turned.statistic == -one.statistic
    assert turned.pvalue == pytest.approx(greater.pvalue)


def test_copies_in_a_cluster_are_one_unit():
    people, judge = made(40, 100)
    one = prediction_powered(people, judge)
    thrice = np.repeat(np.arange(140), 3)
    other = prediction_powered(np.repeat(people, 3), np.repeat(judge, 3), clusters=thrice)
    assert (other.statistic, other.standard_error, other.pvalue) == pytest.approx(
        (one.statistic, one.standard_error, one.pvalue)
    )


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("n", "others", "correlation", "by_document"),
    [(20, 400, 0.8, 1), (60, 300, 0.1, 1), (100, 400, 0.6, 5)],
)
def test_size_and_coverage(n, others, correlation, by_document, draws):
    """A judge with a bias of its own, and segments that hang together in documents.

    Of 500 draws, .025 are 2.6 standard errors of a coverage of .95.
    """
    n_draws = draws(500, 1000)
    rng = np.random.default_rng(n)
    document = np.arange(n + others) // by_document
    covered = 0
    for _ in range(n_draws):
        shared = rng.normal(size=(2, document.max() + 1))[:, document]
        judge, own = (shared + rng.normal(size=shared.shape)) / np.sqrt(2)
        people = correlation * judge + np.sqrt(1 - correlation**2) * own
        people[n:] = np.nan
        found = prediction_powered(people, judge + 0.5, clusters=document)
        covered += found.interval[0] <= 0 <= found.interval[1]
        assert (found.pvalue > 0.05) == (found.interval[0] < 0 < found.interval[1])
    assert 0.925 <= covered / n_draws <= 0.975


def drawn(rng, sizes, n_rated, *, correlation, bias=0.3, share=1 / 3):
    """Differences of equally good systems in documents of these sizes, some of which are rated."""
    unit = np.repeat(np.arange(len(sizes)), sizes)

    def differences():
        common = rng.normal(size=len(sizes))[unit]
        return np.sqrt(share) * common + np.sqrt(1 - share) * rng.normal(size=len(unit))

    people = differences()
    judge = bias + correlation * people + np.sqrt(1 - correlation**2) * differences()
    asked = np.isin(unit, rng.permutation(len(sizes))[:n_rated])
    return np.where(asked, people, np.nan), judge, unit


def share_of_claims(n_repeats, seed, sizes, n_rated, *, weight=None, **world):
    """How often a difference is found at .05 where there is none."""
    rng = np.random.default_rng(seed)
    claims = 0
    for _ in range(n_repeats):
        given = sizes(rng) if callable(sizes) else sizes
        people, judge, unit = drawn(rng, given, n_rated, **world)
        found = prediction_powered(people, judge, clusters=unit, weight=weight)
        claims += found.pvalue <= 0.05
        assert (found.pvalue > 0.05) == (found.interval[0] < 0 < found.interval[1])
    return claims / n_repeats


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "ppi++", 1.0])
@pytest.mark.parametrize(("n", "others"), [(100, 1), (20, 1), (20, 2), (40, 3), (100, 10), (5, 5)])
def test_size_where_people_rated_all_but_a_few(n, others, weight, draws):
    """.05 within 3.3 standard errors (.023) of a count of 1,000, or on the safe side."""
    sizes = [1] * (n + others)
    found = share_of_claims(draws(400, 1000), 5, sizes, n, weight=weight, correlation=0.6)
    assert found <= 0.073


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.6, 0.95])
@pytest.mark.parametrize(
    ("n_rated", "few"),
    [(4, 400), (6, 400), (20, 1000), (38, 400), (39, 400)],  # 20 come nearest to the bound
)
def test_size_over_documents(n_rated, few, correlation, draws):
    found = share_of_claims(draws(few, 1000), 6, [5] * 40, n_rated, correlation=correlation)
    assert found <= 0.073


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.6])
@pytest.mark.parametrize(("n", "n_rated"), [(40, 10), (40, 20), (40, 39), (120, 30)])
def test_size_over_documents_of_lognormal_sizes(n, n_rated, correlation, draws):
    """Bell and McCaffrey's degrees of freedom are for independent segments; these are not."""

    def sizes(rng):
        return np.maximum(1, rng.lognormal(1.5, 1, n).astype(int))

    found = share_of_claims(draws(400, 1000), 7, sizes, n_rated, correlation=correlation)
    assert found <= 0.08


def test_few_units_on_either_side_are_told():
    def codes(n, others, **options):
        people, judge = made(n, others)
        return [each.code for each in prediction_powered(people, judge, **options).notes]

    assert codes(40, 100) == []
    assert codes(20, 100) == ["few-units"]
    assert codes(9, 100) == ["few-units", "few-rated-for-a-judge"]
    assert codes(40, 9) == ["few-left-for-a-judge"]
    assert codes(40, 9, weight=0) == []
    (noted,) = prediction_powered(*made(90, 1)).notes
    assert (noted.values["n"], noted.values["share"]) == (1, pytest.approx(1 / 91))


def test_one_other_segment_is_worth_next_to_nothing():
    found = prediction_powered(*made(90, 1))
    assert found.n_effective == pytest.approx(90, rel=0.05)
    assert found.standard_error == pytest.approx(found.people[1], rel=0.02)


def test_bad_input():
    people, judge = made(10, 10)
    for weight in ("ppi", np.nan):
        with pytest.raises(mt.InputError, match=naming(f"weight={weight!r}", "'ppi++'", "None")):
            prediction_powered(people, judge, weight=weight)
    with pytest.raises(mt.InputError, match=naming("people", "20", "judge", "19")):
        prediction_powered(people, judge[1:])
    with pytest.raises(mt.InputError, match="not all segments"):
        prediction_powered(judge, judge)
    with pytest.raises(mt.InputError, match=naming("people: segment 2 ", "NaN")):
        prediction_powered(np.where(np.arange(20) == 2, np.inf, people), judge)
    with pytest.raises(mt.InputError, match=r"^clusters: segment 4 "):
        prediction_powered(people, judge, clusters=np.where(np.arange(20) == 4, np.nan, 1))
    with pytest.raises(mt.InputError, match=naming("people and judge", "weight=1 ", "another")):
        prediction_powered(np.where(np.arange(50) < 10, RISING, np.nan), RISING, weight=1)
    with pytest.raises(mt.InputError, match="judge: segment 3"):
        prediction_powered(people, np.where(np.arange(20) == 3, np.nan, judge))
    with pytest.raises(mt.InputError, match="in 2 units"):
        prediction_powered(people, judge, clusters=np.arange(20) // 5)
    with pytest.raises(mt.InputError, match="nothing varies"):
        prediction_powered(np.where(np.arange(20) < 10, 1.0, np.nan), judge)
