"""Means over test sets of tests of people's judgements."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mtsig_nb import InputError
from mtsig_nb.human import Ratings, mean_over_test_sets

from ..messages import values


def ratings(seed: int, systems: str = "abc", n_documents: int = 12) -> Ratings:
    """Each document is rated by two of four raters, one segment each."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"r{rater}", system, document, 50 + 3 * (system == "a") + rng.normal(0, 5))
        for document in range(n_documents)
        for rater in rng.choice(4, 2, replace=False)
        for system in systems
    ]
    return Ratings(pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"]), scale=None)


def of_campaign(seed: int, **settings):
    return ratings(seed, **settings).mixed_model().tests()


def pair(found, a: str, b: str) -> pd.Series:
    """The row of two systems, its difference that of `a` minus `b`."""
    table = found.table
    forth = table[(table["system_a"] == a) & (table["system_b"] == b)]
    if len(forth):
        return forth.iloc[0]
    back = table[(table["system_a"] == b) & (table["system_b"] == a)].iloc[0].copy()
    back["difference"] *= -1
    return back


def test_a_mean_has_the_formula_of_independent_parts():
    parts = {"one": of_campaign(1), "two": of_campaign(2), "three": of_campaign(3, n_documents=7)}
    found = mean_over_test_sets(parts)
    for a, b in ("ab", "ac", "bc"):
        rows = [pair(part, a, b) for part in parts.values()]
        row = pair(found, a, b)
        squares = np.array([one["standard_error"] ** 2 for one in rows])
        freedom = np.array([one["degrees_of_freedom"] for one in rows])
        assert row["difference"] == pytest.approx(np.mean([one["difference"] for one in rows]))
        assert row["standard_error"] == pytest.approx(np.sqrt(squares.sum()) / 3)
        expected = squares.sum() ** 2 / (squares**2 / freedom).sum()
        assert row["degrees_of_freedom"] == pytest.approx(expected)
        t = abs(row["difference"] / row["standard_error"])
        assert row["pvalue"] == pytest.approx(2 * stats.t.sf(t, expected))


def test_of_one_test_set_it_changes_nothing():
    one = of_campaign(1)
    found = mean_over_test_sets({"one": one})
    pd.testing.assert_frame_equal(found.table, one.table, check_exact=False, rtol=1e-12)


def test_one_sided_p_values_add_up_to_one():
    parts = {"one": of_campaign(1), "two": of_campaign(2)}
    greater = mean_over_test_sets(parts, alternative="greater").table["pvalue"]
    less = mean_over_test_sets(parts, alternative="less").table["pvalue"]
    assert (greater + less).tolist() == pytest.approx([1.0] * 3)


def test_systems_that_a_test_set_lacks_are_left_out_and_named():
    found = mean_over_test_sets({"one": of_campaign(1, systems="abcd"), "two": of_campaign(2)})
    assert sorted(found.systems) == ["a", "b", "c"]
    assert values(found.notes, "not-in-all-test-sets") == {"systems": "d"}


def test_fewer_than_two_systems_in_common_are_refused():
    with pytest.raises(InputError, match=r"^tests: 1 of .* two"):
        mean_over_test_sets(
            {"one": of_campaign(1, systems="abc"), "two": of_campaign(2, systems="cde")}
        )
    with pytest.raises(InputError, match="no test set"):
        mean_over_test_sets({})
