"""Before the test set is bought: the smallest difference that it would show, from a pilot.

A pilot says how much the difference between two systems varies from segment to segment, and that is
all that is taken from it.  The observed difference is not an effect to compute power for.  Such
"observed power" is the p-value in other words: at p = 0.05 it is one half whatever happened, and a
result that was not significant always seems to have lacked power (Hoenig & Heisey 2001).
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of
from ..frames import pd
from ..metrics.base import ArrayLike, FloatArray, IntArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pair_columns, pair_indices
from ..tables.rows import Rows, columns_of, rows_from
from .corrections import standard_errors
from .one_pair import FEW_UNITS, documents_note, select_pair
from .results import Provenance, unit_fields

#: Above this many units the possible p-values are so dense that any level is one of them.
_MOST_COUNTED = 50
#: Above this many units no exact number is looked for.
_MOST_PLANNED = 10**7


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DetectableDifference(Tabled, Provenance):
    """The true difference that would be found with a given power.

    Attributes
    ----------
    table : DataFrame
        One row per pair and planned size: system_a, system_b, n_units, standard_error, difference
        (in the metric's units).  The difference is NaN where the pilot's two outputs differ by the
        same amount in every unit, or not at all: there is no spread to plan with.
    rows : structured ndarray, shape (rows,)
        What `table` is made from, with the same columns.
    power, alpha, alternative, comparisons, metric, test_set, unit, n_units
        What made it; the last three are the pilot's.
    notes : tuple of Note

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

    _plotted = ("difference",)

    rows: Rows
    power: float
    alpha: float
    alternative: str
    comparisons: int
    metric: str

    @functools.cached_property
    def table(self) -> pd.DataFrame:  # type: ignore[override]
        """One row per pair and planned size."""
        return pd.DataFrame(columns_of(self.rows))

    def _lines(self) -> list[str]:
        """A line for each size, and how it was computed."""
        pairs = set(zip(self.rows["system_a"], self.rows["system_b"], strict=True))
        systems = ""
        if len(pairs) == 1:
            ((system_a, system_b),) = pairs
            systems = f"{system_a} against {system_b}; "
        family = f" / {self.comparisons:,} comparisons" if self.comparisons > 1 else ""
        where = f" of {self.test_set}" if self.test_set else ""
        return [
            *self._by_size(len(pairs)),
            f"{systems}{self.alternative} at {self.alpha:g}{family}; Student's t; "
            f"pilot: {self.n_units:,} {self.unit}{where}",
        ]

    def _by_size(self, n_pairs: int) -> list[str]:
        """A line for each size; one line where no pair has any spread."""
        known = self.rows[~np.isnan(self.rows["difference"])]
        if not len(known):
            subject = "The two outputs differ" if n_pairs == 1 else "Each two outputs differ"
            return [
                f"{subject} by the same amount in all {self.unit}, or not at all: there is no "
                f"spread from which to tell what difference in {self.metric} you would see."
            ]
        how_often = f"{100 * self.power:g} % of the time"
        if self.power == 0.8:
            how_often = "four times in five"
        lines = []
        for n in np.unique(known["n_units"]):
            differences = known["difference"][known["n_units"] == n]
            across_pairs = _across_pairs(differences, n_pairs) if n_pairs > 1 else ""
            lines.append(
                f"With {n:,} {self.unit} you would see a difference of "
                f"{_two_digits(np.median(differences))} {self.metric} {how_often}{across_pairs}."
            )
        return lines


def _across_pairs(differences: FloatArray, n_pairs: int) -> str:
    """The range of several pairs' detectable differences, of which a line gives the median."""
    smallest = _two_digits(differences.min())
    largest = _two_digits(differences.max())
    n_known = len(differences)
    of_all = "" if n_known == n_pairs else f" with a spread, of {n_pairs}"
    return f" (median of {n_known} pairs{of_all}; {smallest} to {largest})"


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

    Smaller differences will often be missed; larger ones hardly ever.  If the differences that
    matter are smaller than this, a non-significant result says little.

    Parameters
    ----------
    statistics : SufficientStatistics
        The pilot.
    system_a, system_b : str, optional
        Two systems like those to be compared; by default all pairs.
    power : float
        Probability that the test finds the better system to be better; 0.8 is the usual "four times
        in five".
    n_units : int or sequence of int, optional
        Sizes of the planned test set; by default that of the pilot.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        A one-sided test is assumed to be in the direction of the true difference.
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
        For a pilot of fewer than two units or systems, a power that is not between the level and
        1, or so few planned units that no difference, however large, would be found: n units have
        2^n arrangements, and no two-sided p of approximate randomization is below 2 / 2^n.

    Notes
    -----
    The pilot's jackknife standard error shrinks with the square root of the number of units, and
    the difference divided by it is assumed to follow Student's t, which is noncentral if systems
    differ.  With up to 50 units the test's p-values are few, and the level used is the largest of
    them that is not above ``alpha / comparisons``.  If that is also the smallest p-value, as with 6
    units at .05, the test finds a difference only if the better system wins in every unit; the
    difference given is the one for which this happens with probability `power`.  In simulations
    with normal differences and 6 units or more, the power of approximate randomization was at most
    .04 below the one asked for.

    The pilot is treated as the population.  A pilot with other texts describes another population,
    and a pilot with few units describes it poorly.

    References
    ----------
    Card et al. 2020; Hoenig & Heisey 2001 on observed power; Cohen 1988, section 2.3, on t.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> seen = mt.minimum_detectable_difference(bleu, "onlineC", "onlineD", n_units=1000)
    >>> seen.sentence.splitlines()[0]
    'With 1,000 segments you would see a difference of 0.83 BLEU four times in five.'
    """
    level = _checked_level(alpha, comparisons, alternative, power)
    if (system_a is None) != (system_b is None):
        raise InputError("system_a and system_b: name two systems, or none for all pairs.")
    if system_a is not None and system_b is not None:
        statistics = select_pair(statistics, system_a, system_b)
    pilot = statistics.by_unit(units)
    pilot_size = pilot.n_segments
    if len(pilot.systems) < 2 or pilot_size < 2:
        raise InputError(f"statistics: a pilot needs two systems and two {pilot.unit}.")
    n_tails = 2 if alternative == "two-sided" else 1
    planned = pilot_size if n_units is None else n_units
    sizes = _checked_sizes(planned, pilot.unit, level, n_tails)
    columns = _pairs_and_sizes(pilot, sizes)
    standard_errors_of_pairs = columns["standard_error"]
    has_spread = standard_errors_of_pairs > 0
    in_standard_errors = {n: _in_standard_errors(n, level, n_tails, power) for n in sizes}
    multiples = np.array([in_standard_errors[n] for n in columns["n_units"]])
    differences = np.where(has_spread, multiples * standard_errors_of_pairs, np.nan)
    notes: tuple[Note, ...] = documents_note(pilot)
    if pilot_size < FEW_UNITS:
        notes += (note("small-pilot", n=pilot_size, unit=pilot.unit),)
    return DetectableDifference(
        **unit_fields(pilot),
        rows=rows_from(columns | {"difference": differences}),
        power=power,
        alpha=alpha,
        alternative=alternative,
        comparisons=comparisons,
        metric=pilot.label,
        notes=notes,
    )


def _checked_level(alpha: float, comparisons: int, alternative: Alternative, power: float) -> float:
    """The level of each test of the planned family; the power must lie above it."""
    check_level(alpha)
    check_one_of("alternative", alternative, ALTERNATIVES)
    if comparisons < 1:
        raise InputError(f"comparisons={comparisons!r} must be at least 1.")
    level = alpha / comparisons
    if not level < power < 1:
        raise InputError(f"power={power!r} must lie between alpha={level:g} and 1; 0.8 is usual.")
    return level


def _checked_sizes(n_units: int | Sequence[int], unit: str, level: float, n_tails: int) -> IntArray:
    """The planned sizes, each large enough for a test to be able to reach the level."""
    sizes = np.atleast_1d(n_units)
    if sizes.size == 0 or (sizes % 1 != 0).any() or sizes.min() < 2:
        raise InputError(f"n_units={n_units!r} must be whole numbers, at least 2.")
    smallest = int(sizes.min())
    smallest_p = math.ldexp(n_tails, -smallest)
    if smallest_p > level:
        least = int(np.ceil(np.log2(n_tails / level)))
        raise InputError(
            f"n_units={smallest}: so few {unit} have {2**smallest} arrangements, so no p is below "
            f"{smallest_p:g}, and no difference, however large, would be found at {level:.3g}. "
            f"Plan {least} {unit} or more."
        )
    return sizes.astype(int)


def _pairs_and_sizes(pilot: SufficientStatistics, sizes: IntArray) -> dict[str, Any]:
    """Columns with an entry for each pair of systems and each planned size.

    They are system_a, system_b, n_units and standard_error, that of the pair's difference on a test
    set of that size.
    """
    pairs = pair_indices(len(pilot.systems))
    deviations = standard_errors(pilot, pairs) * np.sqrt(pilot.n_segments)
    deviations = _zero_if_rounding(deviations, pilot)
    n_units = np.tile(sizes, len(deviations))
    first, second = (np.repeat(systems, len(sizes)) for systems in pairs)
    return pair_columns(
        pilot.systems,
        (first, second),
        n_units=n_units,
        standard_error=np.repeat(deviations, len(sizes)) / np.sqrt(n_units),
    )


def _zero_if_rounding(deviations: FloatArray, pilot: SufficientStatistics) -> FloatArray:
    """Standard deviations; 0 where rounding alone, of statistics or quotients, explains them."""
    largest = float(max(map(abs, pilot.scores_by_system().values())))
    return np.where(deviations > pilot.metric.rounding_error(largest), deviations, 0.0)


def _in_standard_errors(n_units: int, level: float, n_tails: int, power: float) -> float:
    """The true difference that is found with that power, in standard errors."""
    attained = level
    if n_units <= _MOST_COUNTED:
        smallest_p = n_tails / 2.0**n_units
        # Every p is a multiple of the smallest; the margin keeps a level that is one of them.
        n_steps = np.floor(level / smallest_p * (1 + 1e-12))
        if n_steps == 1:
            # Only "better in every unit" is significant: Phi(d / sd) ** n = power, solved for d.
            return float(special.ndtri(power ** (1 / n_units)) * np.sqrt(n_units))
        attained = n_steps * smallest_p
    # The noncentrality at which t exceeds the threshold with probability `power`.
    threshold = special.stdtrit(n_units - 1, 1 - attained / n_tails)
    return float(special.nctdtrinc(n_units - 1, 1 - power, threshold))


def units_to_find(
    difference: float, deviation: float, *, level: float, n_tails: int, power: float
) -> float:
    """The smallest number of units with which a true difference is found with that power.

    Parameters
    ----------
    difference : float
        From the null hypothesis, in the direction of the test.
    deviation : float
        Standard deviation of the units' contributions: the difference has a standard error of
        ``deviation / sqrt(n)``.
    level : float
        Of the test.
    n_tails : int
    power : float

    Returns
    -------
    float
        A whole number; infinite where no number of units suffices.

    Notes
    -----
    As :func:`minimum_detectable_difference`, turned round.

    Examples
    --------
    >>> units_to_find(0.5, 2.0, level=0.05, n_tails=1, power=0.8)
    101.0
    >>> units_to_find(-0.1, 2.0, level=0.05, n_tails=1, power=0.8)
    inf
    """
    if difference <= 0:
        return math.inf

    def is_enough(n: int) -> bool:
        in_standard_errors = difference / deviation * math.sqrt(n) if deviation > 0 else math.inf
        return in_standard_errors >= _in_standard_errors(n, level, n_tails, power)

    few = math.ceil(math.log2(n_tails / level))  # with fewer, no p-value is as small as the level
    enough = few
    while not is_enough(enough):
        if enough > _MOST_PLANNED:
            # Student's t is normal there.
            of_normal = special.ndtri(1 - level / n_tails) + special.ndtri(power)
            return float(np.ceil((of_normal * deviation / difference) ** 2))
        few = enough
        enough *= 2
    while enough - few > 1:
        middle = (few + enough) // 2
        if is_enough(middle):
            enough = middle
        else:
            few = middle
    return float(enough)


def rounded_up(number: int) -> int:
    """A number to two digits, and not below it.

    >>> rounded_up(12_346)
    13000
    """
    step = 10 ** max(len(str(number)) - 2, 0)
    n_steps = -(-number // step)  # a quotient rounded upwards, without decimals
    return n_steps * step


def _two_digits(value: float) -> str:
    """Two significant digits, a zero among them: 0.51, 1.0, 12."""
    return f"{value:#.2g}".rstrip(".")
