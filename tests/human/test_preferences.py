"""Rankings and preferences: wins, sign tests, Bradley-Terry strengths."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.errors import InputError
from mtsig_nb.human.tails import degrees_of_freedom_of_mean
from mtsig_nb.notes import code_of

from ..messages import naming


def preferences_of(counts: dict[tuple[str, str], tuple]) -> human.PairwisePreferences:
    """Wins, ties and losses of the first system of each pair."""
    rows = [
        (a, b, outcome)
        for (a, b), numbers in counts.items()
        for outcome, n in zip((1, 0, -1), numbers, strict=True)
        for _ in range(n)
    ]
    return human.PairwisePreferences(
        pd.DataFrame(rows, columns=["system_a", "system_b", "outcome"])
    )


COUNTS = {("a", "b"): (12, 5, 4), ("a", "c"): (9, 0, 2), ("b", "c"): (3, 2, 3)}


def test_rankings_unroll_into_the_pairs_of_their_tasks():
    """WMT12: preferences and ties are those of the tasks' own ranks; blanks take part in none."""
    people = mt.load("wmt12/es-en").human
    assert people.rankings["rank"].isna().any()
    wins, ties = Counter(), Counter()
    for _, shown in people.rankings.dropna(subset="rank").groupby("task"):
        ranked = zip(shown["system"], shown["rank"], strict=True)
        for (x, rank_x), (y, rank_y) in itertools.permutations(ranked, 2):
            wins[x, y] += rank_x < rank_y
            ties[x, y] += rank_x == rank_y
    assert {pair: n for pair, n in people.wins.stack().items() if n} == +wins
    assert {pair: n for pair, n in people.ties.stack().items() if n} == +ties
    assert wins.total() == 9796
    assert set(people.frame.columns) >= {"segment", "rater", "task"}


def test_scores_by_hand():
    p = preferences_of(COUNTS)
    expected = p.scores()
    assert expected["a"] == pytest.approx((12 / 16 + 9 / 11) / 2)
    assert expected["c"] == pytest.approx((2 / 11 + 3 / 6) / 2)
    often = preferences_of({**COUNTS, ("a", "c"): (90, 0, 20)})
    assert often.scores()["a"] == expected["a"]  # whom one met how often does not matter


def test_only_ties():
    p = preferences_of({("a", "b"): (0, 4, 0)})
    assert p.scores().tolist() == [0.5, 0.5]
    table = p.sign_test().table
    assert table["pvalue"].item() == 1
    assert table["note"].item() == "no decided comparison"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_sign_test_against_scipy(alternative):
    test = preferences_of(COUNTS).sign_test(alternative=alternative)
    for row in test.table.itertuples():
        n = row.wins + row.losses
        expected = stats.binomtest(row.wins, n, alternative=alternative).pvalue
        assert row.pvalue == pytest.approx(expected, rel=1e-12)


def test_unmet_systems_are_indistinguishable():
    p = preferences_of({("a", "b"): (9, 0, 0), ("c", "d"): (9, 0, 0)})
    assert p.conclusions(0.05).word("a", "c") == "indistinguishable"
    assert p.conclusions(0.05).word("a", "b") == "better"


def test_units_of_one_comparison_give_the_usual_approximation():
    frame = preferences_of({("a", "b"): (30, 0, 17)}).frame
    p = human.PairwisePreferences(frame.assign(segment=range(len(frame))))
    z = (30 - 17) / np.sqrt(47)
    for alternative, tails in (("two-sided", 2), ("greater", 1)):
        found = p.sign_test(units="segments", alternative=alternative).table["pvalue"].item()
        assert found == pytest.approx(tails * stats.norm.sf(z), rel=1e-12)


def by_raters(margins, *, comparisons=8):
    """Comparisons of a and b, of which these raters prefer a by so much on balance."""
    rows = []
    for rater, margin in enumerate(margins):
        wins = (comparisons + margin) // 2
        outcomes = [1] * wins + [-1] * (comparisons - wins)
        rows += [(f"r{rater}", "a", "b", outcome) for outcome in outcomes]
    frame = pd.DataFrame(rows, columns=["judge", "system_a", "system_b", "outcome"])
    return human.PairwisePreferences(frame)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    "margins",
    [
        [8] * 4,
        [2],
        [0],
        [0, 0, 0],
        [4, -2],
        [0, 0, 6, 2, -2],
        [6, 4, 2, -2, 8, 0, -4, 2, 6, 4, -6, 2],
    ],
)
def test_up_to_20_raters_as_units_against_enumeration(margins, alternative):
    """Every rater's verdicts change sides together: all arrangements, written out."""
    sums = np.array(list(itertools.product((1, -1), repeat=len(margins)))) @ margins
    seen = sum(margins)
    reached = {
        "two-sided": np.abs(sums) >= abs(seen),
        "greater": sums >= seen,
        "less": sums <= seen,
    }
    test = by_raters(margins).sign_test(units="raters", alternative=alternative)
    first = test.scores.index.get_loc("a")
    assert test.pvalues[first, 1 - first] == pytest.approx(reached[alternative].mean(), rel=1e-12)


def test_more_raters_than_20_are_close_to_what_their_signs_give():
    margins = np.random.default_rng(5).integers(-3, 6, 40) * 2
    test = by_raters(margins, comparisons=20).sign_test(units="raters")
    signs = np.random.default_rng(6).choice((-1, 1), size=(100_000, 40))
    size, seen = np.abs(signs @ margins), abs(margins.sum())
    # Without a continuity correction the approximation aims at the mid-p-value.
    drawn = np.mean(size > seen) + np.mean(size == seen) / 2
    assert test.table["pvalue"].item() == pytest.approx(drawn, abs=0.01)


def test_more_raters_than_a_float_has_powers_of_two():
    test = by_raters([1] * 600 + [-1] * 500, comparisons=1).sign_test(units="raters")
    z = (600 - 500) / np.sqrt(1100)
    assert test.table["pvalue"].item() == pytest.approx(2 * stats.norm.sf(z), rel=1e-12)


def test_few_unanimous_raters_cannot_reach_05():
    test = by_raters([8] * 4).sign_test(units="raters")
    assert test.table["pvalue"].item() == 0.125
    said = test.table["note"].item()
    assert (said.code, said.values["smallest"]) == ("few-signs", 0.125)
    assert by_raters([8] * 6).sign_test(units="raters").table["note"].item() == ""


def test_units_must_be_known():
    p = preferences_of(COUNTS)
    with pytest.raises(InputError, match=r"^units='raters' needs a rater "):
        p.sign_test(units="raters")


# Bradley-Terry.


def test_two_systems_have_a_closed_form():
    fit = preferences_of({("a", "b"): (30, 0, 10)}).bradley_terry()
    assert fit.strengths["a"] - fit.strengths["b"] == pytest.approx(np.log(3))
    table, error = fit.tests().table, np.sqrt(1 / 30 + 1 / 10)
    assert table["standard_error"].item() == pytest.approx(error)
    assert table["pvalue"].item() == pytest.approx(2 * stats.norm.sf(np.log(3) / error))


def test_the_fit_solves_the_likelihood_equations():
    """At the maximum each system's expected wins are its actual ones (Zermelo 1929)."""
    p = mt.load("wmt12/en-es").human
    fit = p.bradley_terry()
    order = list(fit.strengths.index)
    wins = p.wins.loc[order, order].to_numpy(dtype=float)
    n = wins + wins.T
    s = fit.strengths.to_numpy()
    expected = (n * special.expit(s[:, None] - s[None, :])).sum(axis=1)
    np.testing.assert_allclose(expected, wins.sum(axis=1), rtol=1e-9)
    assert s.mean() == pytest.approx(0, abs=1e-12)
    # The covariance is the inverse of the information, on the space of contrasts.
    chance = special.expit(s[:, None] - s[None, :])
    information = np.diag((n * chance * (1 - chance)).sum(axis=1)) - n * chance * (1 - chance)
    np.testing.assert_allclose(fit.covariance, np.linalg.pinv(information), rtol=1e-6, atol=1e-9)


def test_strengths_that_are_not_determined_are_refused():
    p = preferences_of({("a", "b"): (5, 0, 0), ("b", "c"): (2, 0, 2)})
    with pytest.raises(InputError, match=r"among .*\(b, c\) alone"):
        p.bradley_terry()
    (among, *alone) = p.determined_groups()
    assert among == ("b", "c")
    assert alone == [("a",)]
    frame = p.frame[p.frame["system_a"].isin(among) & p.frame["system_b"].isin(among)]
    assert human.PairwisePreferences(frame).bradley_terry().strengths.tolist() == [0, 0]


def test_systems_that_are_always_tied_have_no_difference_and_no_spread():
    """a and c are tied throughout; that a beat b says nothing of the two."""
    p = preferences_of({("a", "b"): (3, 0, 1), ("a", "c"): (0, 4, 0)})
    table = p.bradley_terry(ties="half").tests().table.set_index(["system_a", "system_b"])
    pair = table.loc[("a", "c")] if ("a", "c") in table.index else table.loc[("c", "a")]
    assert pair["pvalue"] == 1
    assert code_of(pair["note"]) == "always-tied"
    assert code_of(table["note"].drop(pair.name).iloc[0]) == ""
    for alone in ((0, 3, 0), (0, 1, 0)):
        tests = preferences_of({("a", "b"): alone}).bradley_terry(ties="half").tests()
        assert tests.scores.tolist() == [0, 0]
        assert tests.table["pvalue"].item() == 1


def test_systems_that_are_all_alike_are_no_perfect_separation():
    """Won and lost evenly: the fit leaves no residual, and yet every strength is determined."""
    even = dict.fromkeys(itertools.combinations("abc", 2), (3, 1, 3))
    fit = preferences_of(even).bradley_terry()
    np.testing.assert_allclose(fit.strengths, 0, atol=1e-12)
    assert fit.tests().table["pvalue"].tolist() == [1, 1, 1]


def opinions(n_raters, *, n_systems=4, spread=0.4, comparisons=12, ties=0.2, rng):
    """Comparisons of equally good systems by raters with opinions of their own."""
    own = rng.normal(0, spread, (n_raters, n_systems))
    rows = []
    for rater in range(n_raters):
        for i, j in itertools.combinations(range(n_systems), 2):
            chance = special.expit(own[rater, i] - own[rater, j])
            outcome = np.where(rng.random(comparisons) < chance, 1, -1)
            outcome[rng.random(comparisons) < ties] = 0
            rows += [(f"s{i}", f"s{j}", each, f"r{rater}") for each in outcome]
    columns = ["system_a", "system_b", "outcome", "rater"]
    return human.PairwisePreferences(pd.DataFrame(rows, columns=columns))


@pytest.mark.parametrize("ties", ["dropped", "half"])
def test_the_jackknife_is_close_to_fitting_again_without_each_rater(ties):
    p = opinions(7, comparisons=60, rng=np.random.default_rng(1))
    fit = p.bradley_terry(units="raters", ties=ties)
    order = list(fit.strengths.index)
    moved = []
    for rater in sorted(set(p.frame["rater"])):
        rest = human.PairwisePreferences(p.frame[p.frame["rater"] != rater])
        moved.append((rest.bradley_terry(ties=ties).strengths - fit.strengths)[order])
    expected = 6 / 7 * np.array(moved).T @ np.array(moved)
    np.testing.assert_allclose(fit.covariance, expected, atol=0.03 * expected.max())


def test_raters_who_compared_equally_often_have_one_degree_of_freedom_less_than_they_are():
    fit = preferences_of({("a", "b"): (6, 0, 6)})
    frame = pd.concat([fit.frame.assign(rater=k) for k in range(5)])
    freedom = human.PairwisePreferences(frame).bradley_terry(units="raters").degrees_of_freedom
    np.testing.assert_allclose(freedom, 4)
    unequal = pd.concat([fit.frame.assign(rater=k) for k in (0, 0, 0, 0, 0, 0, 1, 2, 3)])
    found = human.PairwisePreferences(unequal).bradley_terry(units="raters").degrees_of_freedom
    # In two systems' comparisons the fit is a mean, over raters with shares of 6/9 and 1/9.
    np.testing.assert_allclose(found, degrees_of_freedom_of_mean([6, 1, 1, 1]), rtol=1e-6)


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_than_three_raters_do_not_show_how_much_others_would_differ(n):
    p = by_raters([4, 2][:n])
    with pytest.raises(InputError, match="fewer than three"):
        p.bradley_terry(units="raters")


def test_raters_who_agree_by_chance_are_no_certainty():
    """Of three to five raters who all said 20 to 5 the sandwich estimator makes p = 0."""
    for n in (3, 4, 5):
        p = by_raters([15] * n, comparisons=25)
        table = p.bradley_terry(units="raters").tests().table
        error = np.sqrt(1 / (20 * n) + 1 / (5 * n))
        assert table["standard_error"].item() == pytest.approx(error)
        t = np.log(4) / error
        assert table["pvalue"].item() == pytest.approx(2 * stats.t.sf(t, n - 1))
    few, more = (by_raters([15] * n, comparisons=25).bradley_terry(units="raters") for n in (4, 5))
    assert [each.code for each in few.tests().notes] == ["few-units-of-strengths"]
    assert more.tests().notes == ()


def test_one_rater_who_alone_connects_two_systems_shows_nothing_of_others():
    rng = np.random.default_rng(3)
    both = opinions(4, n_systems=2, rng=rng).frame
    third = opinions(1, n_systems=3, rng=rng).frame
    p = human.PairwisePreferences(pd.concat([both, third[third["system_b"] == "s2"]]))
    fit = p.bradley_terry(units="raters", ties="half")
    table = fit.tests().table.set_index(["system_a", "system_b"])
    for pair, row in table.iterrows():
        alone = "s2" in pair
        assert np.isinf(row["standard_error"]) == alone
        assert (row["note"] != "") == alone
        assert row["pvalue"] == 1 or not alone
    assert np.isinf(fit.limits()["high"]).all()  # a mean over all systems has the third in it


@pytest.mark.slow
@pytest.mark.parametrize("n_raters", [3, 5, 8, 15])
def test_size_over_few_raters(n_raters, draws):
    """Six pairs of equally good systems in a world; 4.4 standard errors of 120 worlds' pairs.

    The 360 pairs of 60 worlds notice a size of .11 with a power of .94, were they apart.
    """
    n_worlds = draws(60, 120)
    rng = np.random.default_rng(6)
    claims = 0
    for _ in range(n_worlds):
        p = opinions(n_raters, rng=rng)
        table = p.bradley_terry(units="raters", ties="half").tests().table
        claims += (table["pvalue"] <= 0.05).sum()
    assert claims <= 0.085 * 6 * n_worlds
    assert claims >= (0 if n_raters == 3 else 5)


def test_limits_are_of_t_and_many_units_are_as_the_sandwich_has_them():
    fit = opinions(5, rng=np.random.default_rng(2)).bradley_terry(units="raters", ties="half")
    limits = fit.limits(0.9)
    error = fit.to_frame().set_index("system")["standard_error"]
    reach = stats.t(np.diag(fit.degrees_of_freedom)).ppf(0.95)
    np.testing.assert_allclose(limits["high"] - fit.strengths, reach * error)
    one_each = by_raters([1, -1] * 60 + [1] * 30, comparisons=1)
    over_raters = one_each.bradley_terry(units="raters").tests().table
    plain = one_each.bradley_terry().tests().table
    ratio = (over_raters["standard_error"] / plain["standard_error"]).item()
    assert ratio == pytest.approx(np.sqrt(150 / 149))
    assert over_raters["degrees_of_freedom"].item() == 149


RANKED = {"task": [0, 0], "system": ["a", "a"], "rank": [1, 2]}


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ({"system_better": [], "system_worse": []}, ("no comparisons",)),
        ({"system_better": ["a"], "system_worse": ["a"]}, ("'a'", "with itself")),
        ({"winner": ["a"]}, ("no column 'system_a'", "['winner']")),
        ({"system_a": ["a"], "system_b": ["b"], "outcome": [2]}, ("outcome ", "+1", "-1")),
        (RANKED, ("'a'", "than once", "task 0")),
        ({name: [] for name in RANKED}, ("no rankings",)),
        ({name: values[:1] for name, values in RANKED.items()}, ("no task", "two systems")),
    ],
)
def test_bad_frames(columns, names):
    with pytest.raises(InputError, match=naming(*names)):
        human.PairwisePreferences(pd.DataFrame(columns))


def test_conclusions_of_rankings():
    ranking = mt.load("wmt12/es-en").human
    by_signs, by_strengths = (
        ranking.conclusions(0.05, test=test) for test in ("sign", "bradley-terry")
    )
    assert by_signs.alpha == by_strengths.alpha == 0.05
    assert set(by_signs.systems) == set(by_strengths.systems) == set(ranking.systems)
    opposite = by_signs.matrix * by_strengths.reorder(by_signs.systems).matrix
    assert (opposite >= 0).all()
    with pytest.raises(InputError, match=naming("test='elo'", "'sign'")):
        ranking.conclusions(test="elo")
