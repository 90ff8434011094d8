"""Quality control of raters by items whose order is known: damaged outputs, references, repeats."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..told import Tabled
from .pair_tests import tail_pvalues

Check = Literal["damaged", "repeats", "references"]


#: Control items by the check that they are for: their type, what they are, what is tested.
_CONTROLS = {
    "damaged": ("BAD_REF", "damaged outputs", "scored lower"),
    "repeats": ("REPEAT", "repeats", "scored differently"),
    "references": ("REF", "references", "scored higher"),
}
#: What can be required of a rater.
CHECKS = tuple(_CONTROLS)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityControl(Tabled):
    """Which raters can be relied on, and why.

    Attributes
    ----------
    table : DataFrame
        One row per rater: ``n_ratings``, ``n_scores`` (distinct ones), ``mean``, ``sd``; for each
        kind of control item ``n_*``, ``*_difference`` and ``*_pvalue``; ``passes`` and ``reason``.
        ``damaged_difference`` is how much lower the damaged output was scored than the same
        output undamaged, ``references_difference`` how much higher the reference,
        ``repeats_difference`` the mean absolute difference between the two scores of an item.
    alpha, require
        What decided.

    Examples
    --------
    >>> from mtsig_nb.human import Ratings
    >>> frame = pd.DataFrame([(rater, "a", i, kind, score - 15 * (kind == "BAD_REF") * careful)
    ...                       for rater, careful in [("ann", 1), ("bob", 0)]
    ...                       for i, score in enumerate([70, 64, 81, 58, 77, 69])
    ...                       for kind in ("SYSTEM", "BAD_REF")],
    ...                      columns=["rater", "system", "segment", "type", "raw"])
    >>> control = Ratings(frame).quality_control()
    >>> control
    1 of 2 raters pass quality control on damaged (paired-t test of each rater at 0.05)
    >>> control.table[["rater", "damaged_difference", "passes"]]
      rater  damaged_difference  passes
    0   ann                15.0    True
    1   bob                 0.0   False
    """

    table: pd.DataFrame
    alpha: float
    require: tuple[str, ...]

    @property
    def passing(self) -> tuple[str, ...]:
        """Raters who pass."""
        return tuple(self.table.loc[self.table["passes"], "rater"])

    @property
    def failing(self) -> tuple[str, ...]:
        """Raters who do not."""
        return tuple(self.table.loc[~self.table["passes"], "rater"])

    @property
    def sentence(self) -> str:
        """How many raters pass, and by what."""
        checks = " and ".join(self.require)
        return (
            f"{len(self.passing)} of {len(self.table)} raters pass quality control on {checks} "
            f"(paired-t test of each rater at {self.alpha:g})"
        )

    def _below(self) -> pd.DataFrame:
        return self.table


def quality_control(
    ratings: pd.DataFrame, alpha: float, require: Sequence[Check]
) -> QualityControl:
    """Who passes; see `Ratings.quality_control`."""
    check_level(alpha)
    for check in require:
        check_one_of("require", check, CHECKS)
    if not require:
        raise InputError("require names no check; give at least one.")
    groups = ratings.groupby("rater", observed=True)["raw"]
    table = groups.agg(["size", "nunique", "mean", "std"])
    table.columns = pd.Index(["n_ratings", "n_scores", "mean", "sd"])
    for kind in CHECKS:
        table = table.join(_checked(ratings, kind))
        table[f"n_{kind}"] = table[f"n_{kind}"].fillna(0).astype(int)
    verdicts = [_verdict(row, require, alpha) for _, row in table.iterrows()]
    table["passes"] = [passes for passes, _ in verdicts]
    table["reason"] = [reason for _, reason in verdicts]
    return QualityControl(table.reset_index(), alpha, tuple(require))


def _checked(ratings: pd.DataFrame, check: str) -> pd.DataFrame:
    """Number, size and p-value of one kind of difference for each rater.

    A difference is the score of an ordinary item minus that of the control item made of it.
    """
    key = ["rater", "criterion", "system", "segment", *(["hit"] if "hit" in ratings else [])]
    # An item scored twice in one HIT is matched with its control items in the order given.
    frame = ratings.assign(occurrence=ratings.groupby([*key, "type"], observed=True).cumcount())
    key.append("occurrence")
    ordinary, control = (
        frame.loc[frame["type"] == kind, [*key, "raw"]] for kind in ("SYSTEM", _CONTROLS[check][0])
    )
    both = ordinary.merge(control, on=key, suffixes=("", "_control"))
    sign = -1 if check == "references" else 1
    both["difference"] = sign * (both["raw"] - both["raw_control"])
    alternative: Alternative = "two-sided" if check == "repeats" else "greater"
    rows = {}
    for rater, group in both.groupby("rater", observed=True)["difference"]:
        d = group.to_numpy(dtype=np.float64)
        size = np.abs(d).mean() if check == "repeats" else d.mean()
        rows[rater] = (len(d), size, _pvalue(d, alternative))
    names = [f"n_{check}", f"{check}_difference", f"{check}_pvalue"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _pvalue(d: FloatArray, alternative: Alternative) -> float:
    from scipy import stats  # slow to import

    if not d.any():
        return 1.0
    # What is left of differences that are all alike is rounding.
    if np.ptp(d) <= TIE_TOLERANCE * np.abs(d).max():
        count = int((d > 0).sum())
        return float(stats.binomtest(count, len(d), 0.5, alternative=alternative).pvalue)
    t = d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))
    return float(tail_pvalues(t, alternative, lambda t: special.stdtr(len(d) - 1, t)))


def _verdict(row: pd.Series, require: Sequence[str], alpha: float) -> tuple[bool, str]:
    """Whether a rater passes, and the reason: the first failure, or what was passed."""
    if row["n_scores"] == 1:
        return False, "one score for everything"
    reasons = []
    for check in require:
        _, items, what = _CONTROLS[check]
        if row[f"n_{check}"] == 0:
            return False, f"no {items} to check by"
        p = row[f"{check}_pvalue"]
        shown = "" if p <= alpha else "not shown to be "
        reasons.append(f"{items} {shown}{what} (p = {p:.2g})")
        passes = (p <= alpha) != (check == "repeats")
        if not passes:
            return False, reasons[-1]
    return True, "; ".join(reasons)
