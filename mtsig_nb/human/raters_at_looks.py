"""What looks at judgements that are still coming in say of raters who have not judged yet.

A test by random signs of segments is about these raters: another segment would have had another
difference, and another rater is none of its business.  Where few people judge, it finds something
in a third of the campaigns in which raters to come would find none (``docs/trust/looks.md``).  For
them there is the mixed model, whose standard error counts raters as a sample.  Its p-value is that
of one look.  It is carried over looks by *nominal levels*: at each look p is compared with the
level that normal statistics with the same error spending have there (Jennison & Turnbull 2000,
chapters 3.8 and 11; they compare p-values of t tests so).  Looks are taken to have as much
information as their share of the units.  Where raters differ, early looks have a larger share of
the information than that, and looks are more alike, so that the test errs less often than it may.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from ..conclusions.deciding import TELLING_APART, WORDS, decide
from ..described import Tabled
from ..engine.procedures import Alternative
from ..engine.spending import SPENDING, normal_boundary
from ..errors import InputError, counted
from ..metrics.base import FloatArray
from ..notes import Note, code_of, note
from ..significance.results import format_pvalue
from ..significance.sequential import SequentialTest, pairs_in_words
from ..statistics.in_order import Differences, Judgements
from .mixed_model import MixedModel, mixed_model
from .tails import margin_of_error, tail_pvalues

#: With fewer raters there is no telling how much others would differ.
FEWEST_RATERS = 2
#: An interval that reaches farther to either side, in standard errors, is not printed.
WIDEST = 100
#: Levels at which nominal levels are computed; p-values between them are interpolated.
_LEVELS = (*np.geomspace(1e-12, 1e-3, 13)[:-1], *np.geomspace(1e-3, 1, 31))
#: Notes of the model that are about raters.
_OF_MODEL = ("model-few-raters", "model-not-converged")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class RatersAtLooks(Tabled):
    """What each look says about raters to come.

    Attributes
    ----------
    table : DataFrame
        A row for each pair at each look: look, n_units, system_a, system_b; n_raters, the number
        that judged both systems; n_ahead, for how many of them `system_a` is ahead (on the segments
        on which they judged both, if there are any); and from the mixed model of all ratings so far
        difference, standard_error, degrees_of_freedom, ci_low and ci_high (of intervals that hold
        at all looks and for all pairs together), pvalue_once (of this look alone), pvalue (adjusted
        for looks and pairs) and verdict.  If there is no model, as with a single rater, all its
        results are NaN, and the verdict is empty.
    planned : int
    unit : str
        What `n_units` counts.
    alpha : float
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> rng = np.random.default_rng(3)
    >>> rows = []
    >>> for segment in range(90):
    ...     rater = f"r{segment % 6}"
    ...     for system, gain in (("A", 12), ("B", 0)):
    ...         score = float(np.clip(60 + gain + rng.normal(0, 8), 0, 100))
    ...         rows.append((rater, system, segment, score))
    >>> judged = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
    >>> found = mt.sequential_test(judged, "A", "B", planned=90, looks=3, rng=1)
    >>> at_looks = mt.human.Ratings(judged).at_looks(found)
    >>> at_looks.table[["n_raters", "n_ahead", "verdict"]].values.tolist()[-1]
    [6, 6, 'better']
    """

    _plotted = ("difference", "ci_low", "ci_high")

    table: pd.DataFrame
    planned: int
    unit: str
    alpha: float
    notes: tuple[Note, ...] = ()

    @property
    def latest(self) -> pd.DataFrame:
        """The rows of the latest look."""
        return self.table[self.table["look"] == self.table["look"].max()]

    def lines(self, digits: int = 2) -> list[str]:
        """A line for each look, with so many decimals of differences: its number, what it says."""
        numbers = self.table["look"].unique()
        statements = self.statements(digits)
        return [f"look {k}, {what}" for k, what in zip(numbers, statements, strict=True)]

    def statements(self, digits: int = 2) -> list[str]:
        """What each look says, without its number, with so many decimals of differences."""
        statements = []
        for _, rows in self.table.groupby("look"):
            is_one_pair = len(rows) == 1
            statements.append(_of_pair(rows.iloc[0], digits) if is_one_pair else _of_pairs(rows))
        return statements

    def _lines(self) -> list[str]:
        """The latest look, and what is said of which raters."""
        return [
            self.lines()[-1],
            "for raters to come: mixed model of all ratings so far, compared at each look with the "
            "level that its share of the error leaves",
        ]

    def _below(self) -> pd.DataFrame:
        return self.latest


def has_telling_interval(rows: pd.DataFrame | pd.Series) -> Any:
    """For each row of `RatersAtLooks.table`, or for a single one: whether its interval tells much.

    The interval of a one-sided test, which has one limit, does.  One of two limits does unless it
    reaches farther than `WIDEST` standard errors to either side.
    """
    reach = (rows["ci_high"] - rows["ci_low"]) / 2
    has_one_limit = np.isinf(rows["ci_low"]) != np.isinf(rows["ci_high"])
    return has_one_limit | (reach <= WIDEST * rows["standard_error"])


def _of_pair(row: pd.Series, digits: int) -> str:
    """What a look says of the raters of a single pair."""
    who = "no rater judged both"
    if row["n_raters"]:
        raters = counted(row["n_raters"], "rater")
        who = f"{raters} judged both, {row['system_a']} ahead with {row['n_ahead']}"
    if np.isnan(row["pvalue"]):
        return f"{who}; nothing can be said of raters to come"
    interval = "no interval yet"
    if has_telling_interval(row):
        interval = f"{row['ci_low']:+.{digits}f} to {row['ci_high']:+.{digits}f}"
    difference = f"{row['difference']:+.{digits}f}"
    to_come = f"{difference} ({interval}), p = {format_pvalue(row['pvalue'])}"
    better = {WORDS[1]: row["system_a"], WORDS[-1]: row["system_b"]}.get(row["verdict"])
    conclusion = f"; {better} is better" if better else ""
    return f"{who}; raters to come: {to_come}{conclusion}"


def _of_pairs(rows: pd.DataFrame) -> str:
    """What a look says of the raters of several pairs."""
    least = int(rows["n_raters"].min())
    most = int(rows["n_raters"].max())
    raters = f"{least} to {counted(most, 'rater')}" if least < most else counted(most, "rater")
    who = f"{raters} judged both systems of a pair"
    if rows["pvalue"].isna().all():
        return f"{who}; nothing can be said of raters to come"
    n_decided = int(rows["verdict"].isin(TELLING_APART).sum())
    return f"{who}; raters to come: {n_decided} of {counted(len(rows), 'pair')} told apart"


def raters_at_looks(
    frame: pd.DataFrame,
    found: SequentialTest,
    *,
    score: str = "score",
    order: str | None = None,
    higher_is_better: bool = True,
) -> RatersAtLooks:
    """What looks that were made say of raters to come.

    Parameters
    ----------
    frame : DataFrame
        The judgements that `found` is of, with a ``rater`` for each.
    found : SequentialTest
    score, order, higher_is_better
        As of :func:`mtsig_nb.sequential_test`.

    Returns
    -------
    RatersAtLooks

    Raises
    ------
    InputError
        If the judgements are not those of `found`, there are no raters, or the error was spent by a
        function without a name.

    See Also
    --------
    mtsig_nb.human.Ratings.at_looks : says more.
    """
    if "rater" not in frame:
        raise InputError("frame has no column 'rater', which says who judged.")
    if found.spending not in SPENDING:
        raise InputError(
            "found: its error was spent by a function without a name. Test again with a named "
            "spending, such as 'obrien-fleming'."
        )
    systems = list(dict.fromkeys([*found.latest["system_a"], *found.latest["system_b"]]))
    judgements = Judgements.from_frame(
        frame, score=score, order=order, higher_is_better=higher_is_better
    ).select(systems)
    # Units that a caller labelled are no columns of a frame.
    units = "documents" if found.unit == "documents" else "segments"
    differences = Differences.of(judgements, units)
    if differences.n_units != found.n_units:
        raise InputError(
            f"found is of {found.n_units:,} {found.unit}, and the judgements have "
            f"{differences.n_units:,}. Give the judgements that were looked at."
        )
    rows = judgements.rows
    assert rows is not None  # the judgements are those of a frame
    direction = judgements.statistics.metric.direction
    rows = rows.assign(value=direction * rows["score"]).drop(columns="score")
    unit_of_row = differences.unit_of[rows["number"]]
    looks = []
    for look in found.table.drop_duplicates("look").to_dict("records"):
        n_units = int(look["n_units"])
        is_counted = (unit_of_row >= 0) & (unit_of_row < n_units)
        is_there = is_counted & (rows["came_at"] < differences.next_began(n_units))
        looks.append(_Look.of(int(look["look"]), n_units, rows[is_there], systems))
    table = _table(looks, found)
    return RatersAtLooks(
        table=table,
        planned=found.planned,
        unit=found.unit,
        alpha=found.alpha,
        notes=tuple(_notes(table, looks[-1], found)),
    )


# --- a look ---------------------------------------------------------------------------------------


class _EstimateOfPair(NamedTuple):
    """How much better the first system of a pair is, by a mixed model; NaN without a model."""

    difference: float
    standard_error: float
    degrees_of_freedom: float

    def pvalue(self, alternative: Alternative) -> float:
        """Of this look alone; 1 where nothing differs, NaN where there is no model."""
        if not self.standard_error:
            return 1.0
        t = self.difference / self.standard_error
        return float(tail_pvalues(t, alternative, self.degrees_of_freedom))


_NO_ESTIMATE = _EstimateOfPair(np.nan, np.nan, np.nan)


@dataclasses.dataclass(frozen=True, eq=False)
class _Look:
    """The judgements up to a look.

    Attributes
    ----------
    number, n_units : int
    by_rater : DataFrame
        Each rater's mean for each system on each segment: a row for each rater and segment, a
        column for each system.
    model : MixedModel or None
    problem : str
        Why there is no model.
    """

    number: int
    n_units: int
    by_rater: pd.DataFrame
    model: MixedModel | None
    problem: str = ""

    @classmethod
    def of(cls, number: int, n_units: int, rows: pd.DataFrame, systems: list[str]) -> _Look:
        """The look at these judgements, and the model of them where there can be one."""
        keys = [name for name in ("rater", "document", "segment") if name in rows]
        by_rater = rows.pivot_table(index=keys, columns="system", values="value", sort=False)
        by_rater = by_rater.reindex(columns=systems)
        if rows["rater"].nunique() < FEWEST_RATERS:
            return cls(number, n_units, by_rater, None)
        try:
            model = mixed_model(rows)
        except InputError as error:
            return cls(number, n_units, by_rater, None, problem=str(error))
        return cls(number, n_units, by_rater, model)

    def differences_of_raters(self, system_a: str, system_b: str) -> pd.Series:
        """How far the first system is ahead by each rater who judged both.

        On the segments on which the rater judged both, if there are any.
        """
        scores = self.by_rater[[system_a, system_b]]
        on_common_segments = scores.dropna().groupby(level="rater").mean()
        means = scores.groupby(level="rater").mean().dropna()
        means.update(on_common_segments)
        return means[system_a] - means[system_b]

    @functools.cached_property
    def estimates(self) -> dict[tuple[str, str], _EstimateOfPair]:
        """The model's estimate of each pair, in either order; nothing where there is no model."""
        if self.model is None:
            return {}
        by_pair = {}
        for row in self.model.tests().table.to_dict("records"):
            a = row["system_a"]
            b = row["system_b"]
            error = row["standard_error"]
            freedom = row["degrees_of_freedom"]
            by_pair[a, b] = _EstimateOfPair(row["difference"], error, freedom)
            by_pair[b, a] = _EstimateOfPair(-row["difference"], error, freedom)
        return by_pair


def _table(looks: Sequence[_Look], found: SequentialTest) -> pd.DataFrame:
    """A row for each pair at each look."""
    pairs = list(zip(found.latest["system_a"], found.latest["system_b"], strict=True))
    shares = tuple(look.n_units / found.planned for look in looks)
    n_sides = 2 if found.alternative == "two-sided" else 1
    levels = _NominalLevels(
        shares,
        spending=found.spending,
        n_sides=n_sides,
        n_pairs=len(pairs),
        alpha=found.alpha,
    )
    smallest = dict.fromkeys(pairs, 1.0)  # p-values so far
    rows = []
    for k, look in enumerate(looks):
        for pair in pairs:
            of_raters = look.differences_of_raters(*pair)
            estimate = look.estimates.get(pair, _NO_ESTIMATE)
            pvalue_once = estimate.pvalue(found.alternative)
            low, high = _limits(estimate, levels.at_alpha[k], found.alternative)
            pvalue = np.nan
            if not np.isnan(pvalue_once):
                smallest[pair] = min(smallest[pair], levels.adjusted(pvalue_once, k))
                pvalue = smallest[pair]
            rows.append(
                {
                    "look": look.number,
                    "n_units": look.n_units,
                    "system_a": pair[0],
                    "system_b": pair[1],
                    "n_raters": len(of_raters),
                    "n_ahead": int((of_raters > 0).sum()),
                    "difference": estimate.difference,
                    "standard_error": estimate.standard_error,
                    "ci_low": low,
                    "ci_high": high,
                    "degrees_of_freedom": estimate.degrees_of_freedom,
                    "pvalue_once": pvalue_once,
                    "pvalue": pvalue,
                }
            )
    table = pd.DataFrame(rows)
    table["verdict"] = _verdicts(table, found.alpha)
    return table


def _limits(
    estimate: _EstimateOfPair, nominal_level: float, alternative: Alternative
) -> tuple[float, float]:
    """The interval of a pair's difference that holds at all looks together."""
    if np.isnan(estimate.difference):
        return np.nan, np.nan
    if not nominal_level:
        return -np.inf, np.inf
    confidence = 1 - nominal_level if alternative == "two-sided" else 1 - 2 * nominal_level
    margin = float(
        margin_of_error(estimate.standard_error, estimate.degrees_of_freedom, confidence)
    )
    low = -np.inf if alternative == "less" else estimate.difference - margin
    high = np.inf if alternative == "greater" else estimate.difference + margin
    return low, high


def _verdicts(table: pd.DataFrame, alpha: float) -> list[str]:
    """For each row who is better; what was told apart once stays so."""
    signs: dict[tuple[str, str], int] = {}
    verdicts = []
    for row in table.to_dict("records"):
        pair = (row["system_a"], row["system_b"])
        if np.isnan(row["pvalue"]):
            verdicts.append("")
            continue
        sign = signs.get(pair, 0) or int(decide(row["difference"], row["pvalue"], alpha))
        signs[pair] = sign
        verdicts.append(WORDS[sign])
    return verdicts


# --- levels ---------------------------------------------------------------------------------------


class _NominalLevels:
    """The levels of single looks by which several looks together keep theirs.

    Parameters
    ----------
    shares : tuple of float
        Of the planned units, at each look.
    spending : str
    n_sides : {1, 2}
    n_pairs : int
        The level of all pairs is shared out evenly among them (Bonferroni).
    alpha : float

    Attributes
    ----------
    at_alpha : ndarray of shape (looks,)
        What p-values of the looks are compared with in a test at `alpha`.
    """

    def __init__(
        self, shares: tuple[float, ...], *, spending: str, n_sides: int, n_pairs: int, alpha: float
    ) -> None:
        self._levels = np.array(sorted({*_LEVELS, alpha}))
        nominal = []
        for level in self._levels.tolist():
            nominal.append(_nominal_levels(shares, level / n_pairs, spending, n_sides))
        self._nominal = np.array(nominal)
        self.at_alpha = self._nominal[np.searchsorted(self._levels, alpha)]

    def adjusted(self, pvalue: float, look: int) -> float:
        """The smallest level of all looks and pairs at which this p-value at a look is enough."""
        # Ascending, as interpolation needs them, whatever the error of the numerical integration.
        nominal = np.maximum.accumulate(self._nominal[:, look])
        is_positive = nominal > 0
        if not is_positive.any() or pvalue > nominal[-1]:
            return 1.0
        log_level = np.interp(
            np.log(max(pvalue, 1e-300)),  # a p-value of 0 has no logarithm
            np.log(nominal[is_positive]),
            np.log(self._levels[is_positive]),
        )
        return min(1.0, float(np.exp(log_level)))


@functools.lru_cache(maxsize=1024)
def _nominal_levels(
    shares: tuple[float, ...], alpha: float, spending: str, n_sides: int
) -> FloatArray:
    """The p-values of normal statistics on the boundary, shape (looks,)."""
    boundary = normal_boundary(shares, alpha=alpha, spending=spending, n_sides=n_sides)
    levels: FloatArray = n_sides * ndtr(-boundary)
    return levels


# --- notes ----------------------------------------------------------------------------------------


def _notes(table: pd.DataFrame, look: _Look, found: SequentialTest) -> Iterator[Note]:
    """What to know of raters before relying on the latest look."""
    if look.problem:
        yield note("looks-no-model", problem=look.problem)
    latest = table[table["look"] == look.number]  # the pairs stand in the order of `found.latest`
    is_told_apart = found.is_told_apart.to_numpy()
    has_one_rater = (latest["n_raters"] == 1).to_numpy()
    if has_one_rater.any():
        yield note("looks-pair-of-one-rater", pairs=pairs_in_words(latest[has_one_rater]))
    is_open = (latest["verdict"] == WORDS[0]).to_numpy()
    holds_for_these_raters_only = is_told_apart & is_open
    if holds_for_these_raters_only.any():
        n_raters = look.by_rater.index.get_level_values("rater").nunique()
        pairs = pairs_in_words(latest[holds_for_these_raters_only])
        yield note("looks-only-these-raters", pairs=pairs, n_raters=n_raters)
    is_ahead = (found.latest["difference"] > 0).to_numpy()
    n_against = np.where(is_ahead, latest["n_raters"] - latest["n_ahead"], latest["n_ahead"])
    raters_differ = is_told_apart & (n_against > 0)
    if raters_differ.any():
        pairs = pairs_in_words(latest[raters_differ])
        yield note("looks-raters-differ", pairs=pairs)
    if look.model is not None:
        yield from [single for single in look.model.notes if code_of(single) in _OF_MODEL]
