"""Quality control of raters by items of which it is known how they compare."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE
from ..engine.procedures import Alternative
from ..metrics.base import FloatArray
from .tails import tail_pvalues

Check = Literal["damaged", "repeats", "references"]


class _Control(NamedTuple):
    """A kind of control items."""

    type: str  # as the column ``type`` has it
    items: str  # what they are called in reasons
    claim: str  # what a small p-value shows of them


#: Control items by the check that they are for.
_CONTROLS = {
    "damaged": _Control("BAD_REF", "damaged outputs", "scored lower"),
    "repeats": _Control("REPEAT", "repeats", "scored differently"),
    "references": _Control("REF", "references", "scored higher"),
}
#: What can be required of a rater.
CHECKS = tuple(_CONTROLS)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QualityControl(Tabled):
    """Which raters are reliable, and why.

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
    >>> print(control)
    1 of 2 raters pass quality control on damaged (paired-t test of each rater at 0.05)
    >>> control.table[["rater", "damaged_difference", "passes"]]
      rater  damaged_difference  passes
    0   ann                15.0    True
    1   bob                 0.0   False
    """

    _plotted = ("mean",)  # the column of the table that `plot` draws

    table: pd.DataFrame
    alpha: float
    require: tuple[str, ...]

    @property
    def passing(self) -> tuple[str, ...]:
        """Raters who pass."""
        return tuple(self.table.loc[self.table["passes"], "rater"])

    def _lines(self) -> list[str]:
        """The sentence: how many raters pass, and by which checks."""
        return [
            f"{len(self.passing)} of {len(self.table)} raters pass quality control on "
            f"{' and '.join(self.require)} (paired-t test of each rater at {self.alpha:g})"
        ]

    def _below(self) -> pd.DataFrame:
        """The table of raters, which a notebook shows below the sentence."""
        return self.table


def control_raters(
    ratings: pd.DataFrame, *, alpha: float, require: Sequence[Check]
) -> QualityControl:
    """Every rater's control items, and who passes; see `Ratings.quality_control`."""
    scores = ratings.groupby("rater", observed=True)["raw"]
    table = scores.agg(n_ratings="size", n_scores="nunique", mean="mean", sd="std")
    for check in CHECKS:
        table = table.join(_differences(ratings, check))
        table[f"n_{check}"] = table[f"n_{check}"].fillna(0).astype(int)
    verdicts = [_verdict(row, require, alpha) for _, row in table.iterrows()]
    table["passes"] = [passes for passes, _ in verdicts]
    table["reason"] = [reason for _, reason in verdicts]
    return QualityControl(table.reset_index(), alpha, tuple(require))


def _differences(ratings: pd.DataFrame, check: str) -> pd.DataFrame:
    """For each rater the number, the mean and the p-value of differences to control items."""
    differences = _matched_differences(ratings, check)
    rows = {}
    for rater, group in differences.groupby(level="rater", observed=True):
        values = group.to_numpy(dtype=np.float64)
        if check == "repeats":
            mean = np.abs(values).mean()
            pvalue = _pvalue(values, "two-sided")
        else:
            mean = values.mean()
            pvalue = _pvalue(values, "greater")
        rows[rater] = (len(values), mean, pvalue)
    names = [f"n_{check}", f"{check}_difference", f"{check}_pvalue"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _matched_differences(ratings: pd.DataFrame, check: str) -> pd.Series:
    """Differences between ordinary items and the control items made of them, by ``rater``.

    A difference is the score of the ordinary item minus that of the control item; of references it
    is the other way round.
    """
    key = ["rater", "system", "segment"]
    if "hit" in ratings:
        key.append("hit")
    # An item scored twice in one HIT is matched with its control items in the order given.
    occurrence = ratings.groupby([*key, "type"], observed=True).cumcount()
    frame = ratings.assign(occurrence=occurrence)
    key.append("occurrence")
    columns = [*key, "raw"]
    ordinary = frame.loc[frame["type"] == "SYSTEM", columns]
    control = frame.loc[frame["type"] == _CONTROLS[check].type, columns]
    matched = ordinary.merge(control, on=key, suffixes=("", "_control"))
    matched = matched.set_index("rater")
    differences = matched["raw"] - matched["raw_control"]
    if check == "references":
        return -differences
    return differences


def _pvalue(differences: FloatArray, alternative: Alternative) -> float:
    """p-value of the paired t test, or of the sign test where all differences are alike."""
    from scipy import stats  # slow to import

    if not differences.any():
        return 1.0
    n = len(differences)
    # What is left of differences that are all alike is rounding.
    if np.ptp(differences) <= TIE_TOLERANCE * np.abs(differences).max():
        n_above = int((differences > 0).sum())
        return float(stats.binomtest(n_above, n, 0.5, alternative=alternative).pvalue)
    standard_error = differences.std(ddof=1) / np.sqrt(n)
    return float(tail_pvalues(differences.mean() / standard_error, alternative, n - 1))


def _verdict(row: pd.Series, require: Sequence[str], alpha: float) -> tuple[bool, str]:
    """Whether a rater passes, and the reason: the first failure, or what was passed."""
    if row["n_scores"] == 1:
        return False, "one score for everything"
    reasons = []
    for check in require:
        control = _CONTROLS[check]
        if row[f"n_{check}"] == 0:
            return False, f"no {control.items} to check by"
        pvalue = row[f"{check}_pvalue"]
        is_shown = pvalue <= alpha
        finding = control.claim if is_shown else f"not shown to be {control.claim}"
        reasons.append(f"{control.items} {finding} (p = {pvalue:.2g})")
        should_be_shown = check != "repeats"
        if is_shown != should_be_shown:
            return False, reasons[-1]
    return True, "; ".join(reasons)
