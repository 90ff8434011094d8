"""People on some segments and a judge on all: against another program, and by simulation."""

import numpy as np
import pytest
from scipy import special, stats

import mtsig_nb as mt
from mtsig_nb.human.few_people import prediction_powered

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


def made(n, others):
    """Differences by people and by a judge, the same on every machine."""
    i = np.arange(n + others)
    judge = np.sin(1 + i * i) + 0.1 * np.cos(i)
    people = 0.6 * judge + 0.5 * np.cos(3 * i) + 0.2
    return np.where(i < n, people, np.nan), judge


@pytest.mark.parametrize(("n", "others", "weight", "estimate", "low", "high"), PPI_PYTHON)
def test_the_same_as_ppi_python(n, others, weight, estimate, low, high):
    found = prediction_powered(*made(n, others), weight=weight)
    assert found.statistic == pytest.approx(estimate, abs=1e-8)
    # Theirs is a normal interval that divides by n; ours counts two estimated numbers.
    theirs = found.standard_error * np.sqrt((n - 2) / n) * special.ndtri(0.975)
    assert theirs == pytest.approx((high - low) / 2, abs=1e-8)


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
    theirs = found.standard_error * np.sqrt((n - 2) / n) * special.ndtri(0.975)
    assert theirs == pytest.approx((high - low) / 2, abs=1e-8)


def test_their_weight_stays_between_0_and_1():
    people, judge = made(40, 100)
    against, steep = (prediction_powered(people, c * judge, weight="ppi++") for c in (-1, 0.1))
    assert (against.weight, steep.weight) == (0, 1)
    assert prediction_powered(people, np.ones_like(judge), weight="ppi++").weight == 0


@pytest.mark.parametrize(("n", "others"), [(30, 300), (80, 120)])
def test_no_other_weight_has_a_smaller_error(n, others):
    found = prediction_powered(*made(n, others))
    theirs = prediction_powered(*made(n, others), weight="ppi++")
    assert found.statistic == pytest.approx(theirs.statistic, abs=0.1 * found.standard_error)
    for weight in (0.8 * found.weight, 1.2 * found.weight):
        other = prediction_powered(*made(n, others), weight=weight)
        assert other.standard_error > found.standard_error


def test_without_the_judge_it_is_the_mean_of_people():
    people, judge = made(40, 100)
    found = prediction_powered(people, judge, weight=0)
    rated = people[:40]
    assert found.people == (found.statistic, found.standard_error)
    assert found.statistic == pytest.approx(rated.mean())
    error = rated.std() / np.sqrt(38)
    assert found.standard_error == pytest.approx(error)
    t = stats.t(38, rated.mean(), error)
    assert found.interval == pytest.approx(t.interval(0.95))
    assert found.pvalue == pytest.approx(2 * t.cdf(0))
    assert found.n_effective == 40


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


@pytest.mark.parametrize(
    ("n", "others", "correlation", "by_document"),
    [(20, 400, 0.8, 1), (60, 300, 0.1, 1), (100, 400, 0.6, 5)],
)
def test_size_and_coverage(n, others, correlation, by_document):
    """A judge with a bias of its own, and segments that hang together in documents."""
    rng = np.random.default_rng(n)
    document = np.arange(n + others) // by_document
    covered = 0
    for _ in range(1000):
        shared = rng.normal(size=(2, document.max() + 1))[:, document]
        judge, own = (shared + rng.normal(size=shared.shape)) / np.sqrt(2)
        people = correlation * judge + np.sqrt(1 - correlation**2) * own
        people[n:] = np.nan
        found = prediction_powered(people, judge + 0.5, clusters=document)
        covered += found.interval[0] <= 0 <= found.interval[1]
        assert (found.pvalue > 0.05) == (found.interval[0] < 0 < found.interval[1])
    assert 925 <= covered <= 975


def test_bad_input():
    people, judge = made(10, 10)
    for weight in ("ppi", np.nan):
        with pytest.raises(mt.InputError, match=f"weight={weight!r} is no number; give a number"):
            prediction_powered(people, judge, weight=weight)
    with pytest.raises(mt.InputError, match="20 segments and judge 19"):
        prediction_powered(people, judge[1:])
    with pytest.raises(mt.InputError, match="not all segments"):
        prediction_powered(judge, judge)
    with pytest.raises(mt.InputError, match="judge: segment 3"):
        prediction_powered(people, np.where(np.arange(20) == 3, np.nan, judge))
    with pytest.raises(mt.InputError, match="in 2 units"):
        prediction_powered(people, judge, clusters=np.arange(20) // 5)
    with pytest.raises(mt.InputError, match="nothing varies"):
        prediction_powered(np.where(np.arange(20) < 10, 1.0, np.nan), judge)
