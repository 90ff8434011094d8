"""The mixed model of ratings beside R's: lme4 fits, pbkrtest and lmerTest test.

``tests/human/by_r`` has the ratings, the script and what R printed; `make.py` there makes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mtsig_nb.human import Ratings
from mtsig_nb.human.mixed_model import MixedModel

from ..notebooks.files import ROOT

BY_R = ROOT / "tests" / "human" / "by_r"


def largest_differences() -> list[dict[str, Any]]:
    """Of each set of ratings, how far our results are from R's at most, relative to R's.

    Differences of systems may be near zero, and are taken relative to their standard errors.
    """
    models = pd.read_csv(BY_R / "models.csv")
    contrasts = pd.read_csv(BY_R / "contrasts.csv")
    components = pd.read_csv(BY_R / "components.csv")
    rows = []
    for name, terms in zip(models["set"], models["terms"].str.split(), strict=True):
        frame = pd.read_csv(BY_R / f"{name}.csv")
        model = Ratings(frame, scale=None).mixed_model(terms=terms)
        by_r = contrasts[contrasts["set"] == name]
        log_likelihood = components.loc[components["set"] == name, "log_likelihood"].iloc[0]
        row = {"set": name, "ratings": len(frame), "terms": len(terms), "pairs": len(by_r)}
        row |= differences_of_pairs(model, by_r)
        row["log_likelihood"] = relative(model.log_likelihood, log_likelihood)
        rows.append(row)
    return rows


def differences_of_pairs(model: MixedModel, by_r: pd.DataFrame) -> dict[str, float]:
    """The largest differences of what the tests of all pairs have."""
    pair = ["system_a", "system_b"]
    table = model.tests().table
    turned = table.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    turned = turned.assign(difference=-table["difference"])
    both_ways = pd.concat([table, turned]).set_index(pair)
    theirs = by_r.set_index(pair)
    ours = both_ways.loc[theirs.index]
    apart = np.abs(ours["difference"] - theirs["difference"])
    return {
        "difference": one_digit((apart / theirs["standard_error"]).max()),
        "standard_error": relative(ours["standard_error"], theirs["standard_error"]),
        "degrees_of_freedom": relative(ours["degrees_of_freedom"], theirs["degrees_of_freedom"]),
    }


def relative(ours: Any, theirs: Any) -> float:
    """The largest relative difference, to one digit."""
    return one_digit(np.max(np.abs(ours / theirs - 1)))


def one_digit(value: float) -> float:
    """One significant digit, since others differ between processors."""
    return float(f"{value:.0e}")
