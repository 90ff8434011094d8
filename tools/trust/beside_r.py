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
    # Every line of a model's components has the likelihood of the whole model.
    by_set = components.groupby("set")
    log_likelihoods = by_set["log_likelihood"].first()
    rows = []
    for model_by_r in models.itertuples():
        name = str(model_by_r.set)
        terms = str(model_by_r.terms).split()
        ratings = pd.read_csv(BY_R / f"{name}.csv")
        model = Ratings(ratings, scale=None).mixed_model(terms=terms)
        is_of_set = contrasts["set"] == name
        pairs = contrasts[is_of_set]
        row: dict[str, Any] = {"set": name}
        row["ratings"] = len(ratings)
        row["terms"] = len(terms)
        row["pairs"] = len(pairs)
        row |= differences_of_pairs(model, pairs)
        row["log_likelihood"] = relative(model.log_likelihood, log_likelihoods[name])
        rows.append(row)
    return rows


def differences_of_pairs(model: MixedModel, by_r: pd.DataFrame) -> dict[str, float]:
    """The largest differences of what the tests of all pairs have."""
    pair = ["system_a", "system_b"]
    table = model.tests().table
    other_names = {"system_a": "system_b", "system_b": "system_a"}
    turned = table.rename(columns=other_names)
    turned["difference"] *= -1
    both_ways = pd.concat([table, turned])
    theirs = by_r.set_index(pair)
    ours = both_ways.set_index(pair).loc[theirs.index]
    apart = np.abs(ours["difference"] - theirs["difference"])
    in_errors = apart / theirs["standard_error"]
    differences = {"difference": one_digit(in_errors.max())}
    for column in ("standard_error", "degrees_of_freedom"):
        differences[column] = relative(ours[column], theirs[column])
    return differences


def relative(ours: Any, theirs: Any) -> float:
    """The largest relative difference, to one digit."""
    ratio = ours / theirs
    differences = np.abs(ratio - 1)
    return one_digit(np.max(differences))


def one_digit(value: float) -> float:
    """One significant digit, since others differ between processors."""
    return float(f"{value:.0e}")
