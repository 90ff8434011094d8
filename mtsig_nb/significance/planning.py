"""Before the test set is bought: the smallest difference that it would show, from a pilot.

A pilot says how much the difference between two systems varies from segment to segment, and that is
all that is taken from it.  The observed difference is not an effect to compute power for.  Such
"observed power" is the p-value in other words: at p = 0.05 it is one half whatever happened, and a
result that was not significant always seems to have lacked power (Hoenig & Heisey 2001).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtri

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.procedures import Alternative, procedure_named
from ..errors import InputError
from ..metrics.base import ArrayLike
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .corrections import standard_errors
from .one_pair import documents_note, select_pair
from .results import Provenance, all_pairs_of, of_units


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DetectableDifference(Tabled, Provenance):
    """The true difference that would be found with a given power.

    Attributes
    ----------
    table : DataFrame
        One row per pair and size: system_a, system_b, n_units, standard_error, difference (in the
        metric's units); NaN where the pilot's differences do not vary.
    power, alpha, alternative, comparisons, metric, test_set, unit, n_units
        What made it; the last three are the pilot's.
    notes : tuple of str

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> seen = mt.minimum_detectable_difference(bleu, "onlineC", "onlineD", n_units=[500, 2000])
    >>> seen.table[["n_units", "difference"]].round(2)
       n_units  difference
    0      500        1.17
    1     2000        0.59
    """

    table: pd.DataFrame
    power: float
    alpha: float
    alternative: str
    comparisons: int
    metric: str

    def _lines(self) -> list[str]:
        """A line for each size, and how it was computed."""
        usual = self.power == 0.8
        phrase = "four times in five" if usual else f"{100 * self.power:g} % of the time"
        pairs = self.table[["system_a", "system_b"]].drop_duplicates()
        who = " against ".join(pairs.iloc[0]) + "; "
        lines, spread = [], ""
        groups = self.table.groupby("n_units")["difference"]
        for n, median, low, high in groups.agg(["median", "min", "max"]).reset_index().to_numpy():
            if np.isnan(median):
                lines.append(
                    f"What difference in {self.metric} {n:,.0f} {self.unit} would show cannot be "
                    f"told: no difference varies from one of the {self.unit} to another."
                )
                continue
            if len(pairs) > 1:
                ends = f"{_two_digits(low)} to {_two_digits(high)}"
                who, spread = "", f" (median of {len(pairs)} pairs; {ends})"
            lines.append(
                f"With {n:,.0f} {self.unit} you would see a difference of "
                f"{_two_digits(median)} {self.metric} {phrase}{spread}."
            )
        family = f" / {self.comparisons:,} comparisons" if self.comparisons > 1 else ""
        where = f" of {self.test_set}" if self.test_set else ""
        return [
            *lines,
            f"{who}{self.alternative} at {self.alpha:g}{family}; normal theory; "
            f"pilot: {self.n_units:,} {self.unit}{where}",
        ]


def minimum_detectable_difference(
    statistics: SufficientStatistics,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    power: float = 0.8,
    n_units: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    comparisons: int = 1,
    units: str | ArrayLike = "segments",
) -> DetectableDifference:
    """The true difference that a test would find with a given power.

    Smaller differences will often be missed; larger ones hardly ever.  A difference that is not
    significant says little as long as differences that matter are smaller than this.

    Parameters
    ----------
    statistics : SufficientStatistics
        The pilot.
    system_a, system_b : str, optional
        A pair of its systems, the likes of which are to be compared; without them all pairs.
    power : float
        Probability that the test says that the better system is better; 0.8 is the usual "four
        times in five".
    n_units : int or sequence of int, optional
        Sizes of the planned test set; by default that of the pilot.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        A one-sided test is taken to look in the direction of the true difference.
    comparisons : int
        The planned family; each test is made at ``alpha / comparisons`` (Bonferroni).
    units : {"segments", "documents"} or array_like of shape (segments,)
        What the test will resample, and what `n_units` counts.

    Returns
    -------
    DetectableDifference

    Raises
    ------
    InputError
        For a pilot of fewer than two units or systems, or a power that is not between the level
        and 1.

    Notes
    -----
    The pilot's jackknife standard error shrinks with the square root of the number of units, and
    the difference is taken to be normally distributed.  The pilot is taken for the population: one
    of other texts, or of few units, gives the power of another or an unknown test set.

    References
    ----------
    Card et al. 2020; Hoenig & Heisey 2001 on observed power.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> seen = mt.minimum_detectable_difference(bleu, "onlineC", "onlineD", n_units=1000)
    >>> seen.sentence.splitlines()[0]
    'With 1,000 segments you would see a difference of 0.83 BLEU four times in five.'
    """
    check_level(alpha)
    procedure_named("approximate-randomization").tails(alternative)
    if comparisons < 1:
        raise InputError(f"comparisons={comparisons!r} must be at least 1.")
    level = alpha / comparisons
    if not level < power < 1:
        raise InputError(f"power={power!r} must lie between alpha={level:g} and 1; 0.8 is usual.")
    if (system_a is None) != (system_b is None):
        raise InputError("system_a and system_b: name two systems, or none for all pairs.")
    if system_a is not None and system_b is not None:
        statistics = select_pair(statistics, system_a, system_b)
    pilot = statistics.by_unit(units)
    if len(pilot.systems) < 2 or pilot.n_segments < 2:
        raise InputError(f"statistics: a pilot needs two systems and two {pilot.unit}.")
    sizes = np.atleast_1d(pilot.n_segments if n_units is None else n_units)
    if (sizes % 1 != 0).any() or sizes.min() < 2:
        raise InputError(f"n_units={n_units!r} must be whole numbers, at least 2.")
    errors = standard_errors(pilot, pair_indices(len(pilot.systems)))
    pairs = all_pairs_of(pilot)[["system_a", "system_b"]]
    pairs = pairs.assign(unit=errors * np.sqrt(pilot.n_segments))
    table = pairs.merge(pd.DataFrame({"n_units": sizes.astype(int)}), how="cross")
    table["standard_error"] = table.pop("unit") / np.sqrt(table["n_units"])
    # In standard errors: how far the line is from zero, and the true difference behind it.
    needed = ndtri(1 - level / (2 if alternative == "two-sided" else 1)) + ndtri(power)
    # By less than scores are rounded, differences that are alike may vary.
    metric, largest = pilot.metric, pilot.scores().abs().max()
    rounding = metric.grid_error / np.sqrt(table["n_units"]) + metric.rounding * largest
    varies = table["standard_error"] > rounding
    table["difference"] = (needed * table["standard_error"]).where(varies)
    notes: tuple[str, ...] = documents_note(pilot)
    if pilot.n_segments < 50:
        notes += (f"the pilot has only {pilot.n_segments} {pilot.unit}",)
    return DetectableDifference(
        **of_units(pilot),
        table=table,
        power=power,
        alpha=alpha,
        alternative=alternative,
        comparisons=comparisons,
        metric=pilot.label,
        notes=notes,
    )


def _two_digits(value: float) -> str:
    """Two significant digits, a zero among them: 0.51, 1.0, 12."""
    return f"{value:#.2g}".rstrip(".")
