"""Quality control: who passes, who does not, and the stated reason."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mtsig_nb import human
from mtsig_nb.errors import InputError

from ..messages import naming

COLUMNS = ["rater", "system", "segment", "type", "raw"]


def campaign() -> human.Ratings:
    """Five raters: careful, careless, constant, without control items, and one who is unsteady."""
    rng = np.random.default_rng(42)
    rows = []
    for i in range(20):
        score = 50 + rng.integers(-20, 20)
        rows += [("careful", "a", i, "SYSTEM", score)]
        rows += [("careful", "a", i, "BAD_REF", score - 15 - rng.integers(10))]
        rows += [("careful", "a", i, "REPEAT", score + rng.integers(-2, 3))]
        rows += [("careful", "a", i, "REF", score + 10 + rng.integers(10))]
        for kind in ("SYSTEM", "BAD_REF", "REPEAT", "REF"):
            rows += [("careless", "a", i, kind, int(rng.integers(0, 101)))]
            rows += [("constant", "a", i, kind, 60)]
        rows += [("unchecked", "b", i, "SYSTEM", int(rng.integers(0, 101)))]
        rows += [("unsteady", "a", i, "SYSTEM", score), ("unsteady", "a", i, "BAD_REF", 5 + i % 3)]
        rows += [("unsteady", "a", i, "REPEAT", score - 12 - i % 2)]
    return human.Ratings(pd.DataFrame(rows, columns=COLUMNS))


def test_who_passes_and_why():
    control = campaign().quality_control()
    table = control.table.set_index("rater")
    assert control.passing == ("careful", "unsteady")
    for rater, passes in (("careful", True), ("careless", False)):
        row = table.loc[rater]
        assert (row["damaged_pvalue"] <= control.alpha) == row["passes"] == passes
        assert ("not shown" in row["reason"]) == (not passes)
        assert re.search(naming("damaged", f"(p = {row['damaged_pvalue']:.2g})"), row["reason"])
    assert table.loc["constant", "n_scores"] == 1
    assert table.loc["constant", "reason"].startswith("one score")
    assert table.loc["unchecked", "n_damaged"] == 0
    assert table.loc["unchecked", "reason"].startswith("no damaged")
    assert table.loc["careful", ["n_damaged", "n_repeats", "n_references"]].tolist() == [20] * 3
    assert str(control).startswith("2 of 5 raters ")


def test_the_p_values_are_those_of_scipy():
    ratings = campaign()
    frame = ratings.frame[ratings.frame["rater"] == "careful"]
    wide = frame.pivot(index="segment", columns="type", values="raw")
    row = ratings.quality_control().table.set_index("rater").loc["careful"]
    for kind, column, side in (
        ("damaged", "BAD_REF", "greater"),
        ("references", "REF", "less"),
        ("repeats", "REPEAT", "two-sided"),
    ):
        expected = stats.ttest_rel(wide["SYSTEM"], wide[column], alternative=side).pvalue
        assert row[f"{kind}_pvalue"] == pytest.approx(expected, rel=1e-9)
    assert row["damaged_difference"] == (wide["SYSTEM"] - wide["BAD_REF"]).mean()
    assert row["references_difference"] == (wide["REF"] - wide["SYSTEM"]).mean()
    assert row["repeats_difference"] == (wide["REPEAT"] - wide["SYSTEM"]).abs().mean()


def test_more_can_be_required():
    control = campaign().quality_control(require=("damaged", "repeats", "references"))
    reasons = control.table.set_index("rater")["reason"]
    assert control.passing == ("careful",)
    assert reasons["unsteady"].startswith("repeats scored differently")
    with pytest.raises(InputError, match=naming("require='speed'", "'damaged'")):
        campaign().quality_control(require=("speed",))
    with pytest.raises(InputError, match="names no check"):
        campaign().quality_control(require=())


def test_control_items_belong_to_the_same_hit():
    rows = [
        ("r", "a", 0, "SYSTEM", 80, 1),
        ("r", "a", 0, "SYSTEM", 30, 2),
        ("r", "a", 0, "BAD_REF", 70, 1),
        ("r", "a", 0, "BAD_REF", 20, 2),
    ]
    table = human.Ratings(pd.DataFrame(rows, columns=[*COLUMNS, "hit"])).quality_control().table
    assert table["n_damaged"].item() == 2
    assert table["damaged_difference"].item() == 10
    # Both differences are alike: as many signs as there are, p = 1/4.
    assert table["damaged_pvalue"].item() == 0.25


def test_a_constant_difference_is_found_in_spite_of_rounding():
    scores = np.linspace(40.3, 90.7, 12)
    rows = [
        ("ann", "a", i, kind, score - 10.1 * (kind == "BAD_REF"))
        for i, score in enumerate(scores)
        for kind in ("SYSTEM", "BAD_REF")
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    (p,) = human.Ratings(frame).quality_control().table["damaged_pvalue"]
    assert p == pytest.approx(2.0**-12)  # as many signs are alike, no more is known
