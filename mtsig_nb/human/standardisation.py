"""Raw scores to standard scores, rater by rater.

Raters use a scale differently: some give 40 where others give 80.  Subtracting a rater's mean and
dividing by the rater's standard deviation removes location and scale.  It does not make ratings by
one rater independent, and mean and deviation are estimated from the same few ratings.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of

WithoutVariance = Literal["drop", "zero", "error"]


def standardise(
    frame: pd.DataFrame,
    *,
    ddof: int = 1,
    without_variance: WithoutVariance = "drop",
    notes: list[str] | None = None,
) -> pd.Series:
    """Standard scores of ``frame["raw"]`` within rater and criterion.

    Parameters
    ----------
    frame : DataFrame
        ``rater``, ``criterion``, ``raw``.
    ddof : {0, 1}
    without_variance : {"drop", "zero", "error"}
        A rater who gave one score to everything, or a single score, has no standard deviation to
        divide by.  Their standard scores are missing (``"drop"``), 0 (``"zero"``), or refused.
    notes : list of str, optional
        What was left out is added to it.

    Raises
    ------
    InputError
        With ``"error"``, naming the rater; or for another `ddof`.
    """
    if ddof not in (0, 1):
        raise InputError(f"ddof={ddof!r} must be 0 or 1.")
    check_one_of("without_variance", without_variance, get_args(WithoutVariance))
    groups = frame.groupby(["rater", "criterion"], observed=True)["raw"]
    deviation = groups.transform("std", ddof=ddof)
    # A constant rater is recognised by the scores themselves, not by a deviation that rounding
    # may leave a little above zero.
    flat = (groups.transform("min") == groups.transform("max")) | deviation.isna()
    scores = (frame["raw"] - groups.transform("mean")) / deviation.where(~flat, 1.0)
    if not flat.any():
        return scores
    raters = sorted(set(frame.loc[flat, "rater"]))
    if without_variance == "error":
        raise InputError(
            f"rater {raters[0]!r} gave one score to everything (or only one rating) and has no "
            f"standard deviation; so do {len(raters)} in all. Leave them out, or choose "
            "without_variance='drop' or 'zero'."
        )
    treatment = "left out" if without_variance == "drop" else "set to 0"
    if notes is not None:
        notes.append(
            f"{int(flat.sum())} ratings of {len(raters)} raters without variance {treatment}"
        )
    return scores.where(~flat, np.nan if without_variance == "drop" else 0.0)
