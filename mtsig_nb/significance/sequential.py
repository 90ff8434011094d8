"""Looking at judgements while they come in, and stopping as soon as it is clear who is better.

Whoever tests at .05 at each of ten looks finds something where nothing differs in one of five
campaigns.  A *group-sequential* test keeps its level over all looks together.  It costs little: the
last look has nearly the power of the one test at the end, and most campaigns with a difference end
long before.  What the test does is in :mod:`mtsig_nb.engine.group_sequential`.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from .. import __version__
from ..conclusions.deciding import TELLING_APART, WORDS, Conclusions, check_level, decide
from ..described import Tabled
from ..engine.counting import TIE_TOLERANCE, tie_scale
from ..engine.group_sequential import GroupSequential, Look
from ..engine.procedures import ALTERNATIVES, Alternative
from ..engine.resampling import (
    MOST_RESAMPLES,
    RNG,
    check_n_resamples,
    exactly_summed,
    seed_from,
)
from ..engine.spending import Spending, normal_boundary, spending_function, spent
from ..errors import InputError, check_one_of, counted, in_prose, is_whole, listed
from ..metrics.base import ArrayLike, FloatArray, Indices
from ..notes import Note, note
from ..sentences import Option, Sentence
from ..statistics.in_order import Differences, Judgements
from ..statistics.sufficient import SufficientStatistics, pair_frame
from .corrections import LOOKS as NUMBERS_DRAWN  # numbers of resamples, one after the other
from .one_pair import FEW_UNITS, documents_note
from .planning import rounded_up
from .results import Provenance, format_pvalue

#: The code of the error that the first look is still to come.
NO_LOOK_YET = "no-look-yet"
#: Verdicts on pairs that the boundary leaves open while looks are still to come: whether the
#: predictive power is enough.
GO_ON = "go on"
HOPELESS = "will not be told apart"
#: For more pairs, as of eight systems, fewer sign flips are drawn.
MANY_PAIRS = 28
#: More looks than these are not listed one by one.
MOST_LISTED = 12


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SequentialTest(Tabled, Provenance):
    """The findings of each look at judgements that are still coming in.

    Attributes
    ----------
    table : DataFrame
        A row for each pair at each look so far: look (its number), n_units (how many units had
        come), system_a, system_b, n_judged (on how many of them both systems were judged),
        difference (how much better `system_a` is on these, in the metric's units), ci_low and
        ci_high, statistic (the difference in standard errors), boundary (the value it must reach),
        pvalue (adjusted for all looks, and for all pairs), n_resamples (how many sign flips decide
        the look), exact (whether these are all possible ones), unresolved (whether more of them
        could change the answer for the pair), predictive_power, and verdict.
    alpha : float
    spending : str
        How the error is spent.
    planned : int
        The most units that are to come.
    looks : tuple of int
        The numbers of units of all looks, also of those to come.
    futility : float
    alternative : {"two-sided", "greater", "less"}
    metric : str
    n_resamples, rng, unit, n_units, test_set
        What made it; `n_resamples` are those of the latest look, and `n_units` have come by now.
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> import pandas as pd
    >>> judged = pd.DataFrame(
    ...     [
    ...         (system, number, score + number % 7)
    ...         for number in range(40)
    ...         for system, score in (("A", 80 + number % 5), ("B", 78), ("C", 80))
    ...     ],
    ...     columns=["system", "segment", "score"],
    ... )
    >>> found = mt.sequential_test(judged, planned=60, looks=[20, 40], rng=1)
    >>> found.is_over, len(found.latest), found.conclusions().word("A", "B")
    (True, 3, 'better')
    >>> found.settings()["planned_looks"], len(found.lines())
    ((20, 40), 2)
    """

    table: pd.DataFrame
    alpha: float
    spending: str
    planned: int
    looks: tuple[int, ...]
    futility: float
    alternative: Alternative
    metric: str

    @property
    def latest(self) -> pd.DataFrame:
        """The rows of the latest look."""
        return self.table[self.table["look"] == self.table["look"].max()]

    @property
    def is_over(self) -> bool:
        """Whether the campaign is over: no pair has the verdict to go on."""
        return not (self.latest["verdict"] == GO_ON).any()

    @property
    def is_told_apart(self) -> pd.Series:
        """For which pairs the latest look, or an earlier one, says which system is better."""
        return self.latest["verdict"].isin(TELLING_APART)

    def conclusions(self) -> Conclusions:
        """For each pair, what is known at the latest look, for rankings and clusters.

        Pairs with the verdict to go on are not distinguished so far.
        """
        sign_of_word = {word: sign for sign, word in WORDS.items()}
        signs = {}
        unresolved = []
        for row in self.latest.to_dict("records"):
            pair = (row["system_a"], row["system_b"])
            signs[pair] = sign_of_word.get(row["verdict"], 0)
            if row["unresolved"] and not signs[pair]:
                unresolved.append(pair)
        source = f"{self.metric}, group-sequential sign-flip test"
        return Conclusions.from_pairs(
            signs, alpha=self.alpha, source=source, unresolved=tuple(unresolved)
        )

    def plot(self, **kwargs: Any) -> Any:
        """Draw the looks; see :func:`mtsig_nb.plots.looks`."""
        from .. import plots  # matplotlib only when something is drawn

        return plots.looks(self, **kwargs)

    def lines(self, digits: int = 2) -> list[str]:
        """A line for each look: where the campaign was, and what to do.

        Parameters
        ----------
        digits : int
            Decimals of differences.
        """
        lines = []
        for number, rows in self.table.groupby("look"):
            n_units = int(rows["n_units"].iloc[0])
            what = self._of_pair(rows.iloc[0], digits) if len(rows) == 1 else self._of_pairs(rows)
            lines.append(f"look {number}, {n_units:,} of {self.planned:,} {self.unit}: {what}")
        return lines

    def _of_pair(self, row: pd.Series, digits: int) -> str:
        """What a look says of a single pair."""
        interval = f"{row['ci_low']:+.{digits}f} to {row['ci_high']:+.{digits}f}"
        if not np.isfinite([row["ci_low"], row["ci_high"]]).any():
            interval = "no interval yet"
        p = format_pvalue(row["pvalue"])
        return (
            f"{row['system_a']} against {row['system_b']} {row['difference']:+.{digits}f} "
            f"{self.metric} ({interval}), p = {p}; {what_to_do(row)}"
        )

    def _of_pairs(self, rows: pd.DataFrame) -> str:
        """What a look says of several pairs."""
        is_open = rows["verdict"] == GO_ON
        is_hopeless = rows["verdict"] == HOPELESS
        is_decided = rows["verdict"].isin(TELLING_APART)
        parts = [f"{is_decided.sum()} of {counted(len(rows), 'pair')} told apart"]
        if is_hopeless.any():
            parts.append(f"{is_hopeless.sum()} will not be")
        to_do = "go on" if is_open.any() else "stop"
        return f"{', '.join(parts)}; {to_do}"

    @property
    def verdict(self) -> str:
        """What to do after the latest look, in a line."""
        return self.lines()[-1].partition(": ")[2]

    @property
    def methods(self) -> str:
        """How it was tested."""
        n_pairs = len(self.latest)
        family = f" and all {n_pairs} pairs" if n_pairs > 1 else ""
        return (
            f"group-sequential sign-flip test of {self.metric}, {self.alternative}, level "
            f"{self.alpha:g} over all looks{family} together; at most {self.planned:,} {self.unit} "
            f"planned, {self._looks_in_words()}; error spent: {self.spending}; "
            f"{self._draws_in_words()}, rng={self.rng}; intervals hold at all looks together "
            f"(mtsig_nb {__version__})"
        )

    def _looks_in_words(self) -> str:
        """After how many units one looks."""
        numbers = [f"{number:,}" for number in self.looks]
        if len(numbers) == 1:
            return f"one look after {numbers[0]}"
        if len(numbers) > MOST_LISTED:
            return f"{len(numbers)} looks after {numbers[0]}, {numbers[1]}, ..., {numbers[-1]}"
        return f"looks after {in_prose(numbers)}"

    def _draws_in_words(self) -> str:
        """How many sign flips decide which looks."""
        by_look = self.table.drop_duplicates("look")
        is_new = by_look["n_resamples"].ne(by_look["n_resamples"].shift())
        parts = []
        for row in by_look[is_new].to_dict("records"):
            number = f"all {row['n_resamples']:,}" if row["exact"] else f"{row['n_resamples']:,}"
            since = f" from look {row['look']} on" if row["look"] > 1 else ""
            parts.append(f"{number} sign flips{since}")
        return ", ".join(parts)

    def settings(self) -> dict[str, Any]:
        """How it was asked."""
        names = ("planned", "spending", "alpha", "futility", "alternative", "metric", "unit")
        settings = {name: getattr(self, name) for name in names}
        return settings | {
            "planned_looks": self.looks,
            "n_resamples": self.n_resamples,
            "seed": self.rng,
        }

    def _lines(self) -> list[str]:
        """The latest look, and how it was tested."""
        return [self.lines()[-1], self.methods]


def what_to_do(row: pd.Series) -> str:
    """What a row of the table of looks tells to do: stop, and why, or go on."""
    verdict = row["verdict"]
    if verdict == GO_ON:
        return "go on"
    if verdict == WORDS[1]:
        return f"stop: {row['system_a']} is better"
    if verdict == WORDS[-1]:
        return f"stop: {row['system_b']} is better"
    if verdict == HOPELESS:
        return "stop: it will not be told apart"
    return "the end: not told apart"


def sequential_test(
    judgements: SufficientStatistics | pd.DataFrame,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    planned: int,
    looks: int | Sequence[int],
    spending: str | Spending = "obrien-fleming",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    futility: float = 0.1,
    units: str | ArrayLike = "segments",
    score: str = "score",
    order: str | None = None,
    higher_is_better: bool = True,
    n_resamples: int | None = None,
    rng: RNG = None,
    executor: Executor | None = None,
) -> SequentialTest:
    """Test two systems, or all pairs, several times while judgements come in.

    The null hypothesis is that of :func:`sign_flip_test`.  If nothing differs, the test finds
    something at any look in at most `alpha` of all campaigns.  This is exact if the differences of
    units are independent and symmetric about zero.  Elsewhere it is approximate with many units,
    also if the next systems are chosen by their scores so far
    (``docs/trust/worlds-looks-gates-boards.md``).  Looks need not be planned: give those that there
    were.  The times of the looks must not depend on what was seen.

    Parameters
    ----------
    judgements : SufficientStatistics or DataFrame
        Scores of segments so far, in the order in which they came.  A DataFrame has a row for each
        judgement, and the columns ``system``, ``segment``, the one that `score` names and maybe
        ``document``; not every system need be judged on every segment.  If all rows of a system
        stand together, segments are taken in the order of the first system's, and a note says so.
        Statistics have to be of a metric that is a mean.  (:func:`from_segment_scores` orders
        segments by their numbers.)
    system_a, system_b : str, optional
        By default all pairs, with one boundary for all of them.
    planned : int
        The largest number of units, as decided before the first look.  Units that come after them
        are not used.
    looks : int or sequence of int
        The numbers of units after which there is a look.  A single number is the number of looks,
        equally far apart, the last after all units.  Looks still to come may be named as well.  A
        look that is not named, but at which one could have stopped, is a chance to err that the
        test does not allow for.
    spending : {"obrien-fleming", "pocock", "even"} or callable
        How much of the error may be spent after each share of `planned`; see
        :mod:`mtsig_nb.engine.spending`.  A callable takes a share and the level of one side.
        Choose before the first look.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether `system_a` is better; one-sided tests need two systems named.
    futility : float
        A pair with less predictive power *will not be told apart*.
    units : {"segments", "documents"} or array_like of shape (segments,)
        The independent units, which are also what is counted.  A label for each segment goes with
        statistics.
    score : str
        The column of scores of a DataFrame.
    order : str, optional
        The column by which the rows of a DataFrame are put in order: numbers, or times (as such, or
        as texts by ISO 8601).  Rows with the same value keep their order, and a note says how many
        there are.  By default all rows keep their order.
    higher_is_better : bool
        Of the scores of a DataFrame.
    n_resamples : int, optional
        Number of sign flips.  By default 10,000, and 30,000 or 100,000 (with more than 28 pairs
        30,000) from the first look on at which more could change the answer for a pair.  Pairs that
        are still open then are `unresolved`, and a note says so.  If a look needs more sign flips,
        earlier looks do not change; a number given here is used at all looks.
    rng : None, int or Generator
        Seed.  With the same seed, a look gives the same answer when more judgements have come.
    executor : concurrent.futures.Executor, optional
        Workers to draw on; the result does not depend on them.

    Returns
    -------
    SequentialTest

    Raises
    ------
    InputError
        If the metric is not a mean, a column is missing, looks do not rise or go beyond `planned`,
        or there are fewer units than the first look needs.

    Notes
    -----
    **Early looks** at few units are misled most by skewed differences.  With a skewness of 2, and
    ten looks at 20 to 200 units, the test errs in .065 of campaigns with O'Brien and Fleming's
    spending, which spends hardly anything so early, and in .087 with Pocock's; a single look at the
    end errs in .058 (``docs/trust/looks.md``).

    **A unit that lacks a system** does not count for that system's pairs: their differences are
    means over the units on which both systems were judged.  It counts as one of the units so far if
    two of the systems compared were judged on it.  If an output is judged again, each look takes
    the mean so far.  A look takes all judgements from before the next unit began: until then, a
    look at units that lack systems may still change, and a note says so.

    **The interval** is a repeated confidence interval (Jennison & Turnbull 1989): all differences
    that would not cross the boundary of this look if they were subtracted from every unit.  It
    excludes zero exactly if the look crosses the boundary.  The intervals of all looks and pairs
    hold together with a probability of ``1 - alpha``, if the boundary would be the same with the
    difference subtracted, as it is with many units.  So one may go on after the boundary was
    crossed, or stop for other reasons.  If an early look has so little error to spend that no draw
    of signs may cross, there is no interval yet.

    **The estimate** is the plain difference so far.  If a campaign stops because the boundary was
    crossed, the estimate is too large on average, and more so the earlier it stops; a note says so.
    The interval allows for this.

    **Raters.**  Signs of units are flipped, so p and intervals hold over other units, for the
    raters who judged.  :meth:`mtsig_nb.human.Ratings.at_looks` says what the same looks show about
    raters to come.  If few raters judge, the two differ widely (``docs/trust/looks.md``).

    **Another seed** could change the answer of a look only if it is `unresolved`.  After 10,000
    sign flips more are drawn, up to 100,000, as long as the Monte Carlo limits at a look are on
    both sides of the error that may be spent by then; see :mod:`mtsig_nb.engine.group_sequential`.

    **Predictive power** is the probability that the boundary is crossed when all planned units have
    come: conditional power, averaged over the distribution of the true difference given the data so
    far (Spiegelhalter, Freedman & Blackburn 1986).  With the statistic Z and the share t of a
    pair's data that has come, it is ``Phi((|Z| - c * sqrt(t)) / sqrt(1 - t))``, and the same for
    the other side, where c is the last boundary of normal statistics, at `alpha` divided by the
    number of pairs.  All units that have not begun are expected to be judged on both systems.  Of
    those that lack one of the two, the expected share is that of units that lacked it at an earlier
    look and were judged later.  Boundaries do not depend on predictive power: going on with such a
    pair keeps the level.  How many true differences are given up in this way is counted in
    ``docs/trust/looks.md``.

    References
    ----------
    Pocock 1977, Biometrika 64; O'Brien & Fleming 1979, Biometrics 35; Lan & DeMets 1983, Biometrika
    70; Spiegelhalter, Freedman & Blackburn 1986, Controlled Clinical Trials 7; Jennison & Turnbull
    1989, Journal of the Royal Statistical Society B 51; Jennison & Turnbull 2000, *Group Sequential
    Methods*, chapters 7, 9 and 10; Westfall & Young 1993.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import mtsig_nb as mt
    >>> rng = np.random.default_rng(5)
    >>> quality = rng.normal(70, 10, 300)
    >>> judged = pd.concat(
    ...     pd.DataFrame({"system": name, "segment": range(300), "score": quality + more})
    ...     for name, more in (("A", rng.normal(3, 10, 300)), ("B", rng.normal(0, 10, 300)))
    ... ).sort_values("segment", kind="stable")
    >>> found = mt.sequential_test(judged, "A", "B", planned=500, looks=10, rng=1)
    >>> found.table[["n_units", "difference", "boundary", "pvalue", "verdict"]].round(3).tail(3)
       n_units  difference  boundary  pvalue verdict
    3      200       3.049     3.407   0.092   go on
    4      250       2.232     3.019   0.092   go on
    5      300       2.422     2.708   0.035  better
    """
    check_level(alpha)
    check_one_of("alternative", alternative, ALTERNATIVES)
    spending_of_side = spending_function(spending)
    if not 0 <= futility < 1:
        raise InputError(f"futility={futility!r} must lie between 0 and 1, such as 0.1.")
    in_order = _in_order(judgements, units, score, order, higher_is_better)
    compared = _compared(in_order, system_a, system_b, alternative)
    differences = Differences.of(compared, units)
    numbers = _checked_looks(looks, planned)
    reached = [n_units for n_units in numbers if n_units <= differences.n_units]
    if not reached:
        raise _no_look_yet(numbers[0], differences)
    data = [_DataSoFar.of(differences, n_units) for n_units in reached]
    tolerance = _tie_tolerance(compared.statistics)
    seed = seed_from(rng)
    tested = GroupSequential.of(
        [so_far.look(planned, tolerance) for so_far in data],
        alternative=alternative,
        spending=spending_of_side,
        planned=planned,
        n_resamples=_numbers_to_draw(n_resamples, len(differences.pairs[0])),
        alpha=alpha,
        seed=seed,
        executor=executor,
    )
    table = _table(compared.statistics.systems, differences.pairs, data, tested, alpha)
    table["predictive_power"] = _predictive_power(table, data, planned, alpha, tested)
    table["verdict"] = _verdicts(table, planned, alpha, futility)
    campaign = _Campaign(
        compared=compared,
        differences=differences,
        tested=tested,
        table=table,
        planned=planned,
        looks=numbers,
        is_number_of_looks=is_whole(looks),
        alpha=alpha,
        n_resamples=n_resamples,
    )
    return SequentialTest(
        table=table,
        alpha=alpha,
        spending=spending if isinstance(spending, str) else "a function given",
        planned=planned,
        looks=tuple(numbers),
        futility=futility,
        alternative=alternative,
        metric=compared.statistics.label,
        n_resamples=int(tested.n_resamples[-1]),
        rng=seed,
        n_units=differences.n_units,
        unit=differences.unit,
        test_set=compared.statistics.test_set,
        notes=tuple(campaign.notes()),
    )


# --- what was given -------------------------------------------------------------------------------


def _in_order(
    judgements: SufficientStatistics | pd.DataFrame,
    units: str | ArrayLike,
    score: str,
    order: str | None,
    higher_is_better: bool,
) -> Judgements:
    """The judgements with the order in which they came, on a grid on which sums are exact."""
    if isinstance(judgements, SufficientStatistics):
        in_order = Judgements.of(judgements)
    elif isinstance(judgements, pd.DataFrame):
        if not isinstance(units, str):
            raise InputError(
                "units: labels go with statistics; for a DataFrame, units are 'segments', or "
                "'documents' as its column document names them."
            )
        in_order = Judgements.from_frame(
            judgements, score=score, order=order, higher_is_better=higher_is_better
        )
    else:
        raise InputError(
            f"judgements is a {type(judgements).__name__}; give a pandas.DataFrame or "
            "SufficientStatistics."
        )
    return dataclasses.replace(in_order, statistics=exactly_summed(in_order.statistics, "shuffle"))


def _compared(
    in_order: Judgements, system_a: str | None, system_b: str | None, alternative: Alternative
) -> Judgements:
    """The judgements of the two systems named; of all where none are named."""
    if system_a is not None and system_b is not None:
        if system_a == system_b:
            raise InputError(
                f"system_a and system_b are both {system_a!r}; a test needs two systems."
            )
        return in_order.select([system_a, system_b])
    if system_a is not None or system_b is not None:
        raise InputError("system_a and system_b: name two systems, or none for all pairs.")
    if alternative != "two-sided":
        raise InputError(
            f"alternative={alternative!r}: a one-sided test needs system_a and system_b."
        )
    if len(in_order.statistics.systems) < 2:
        (system,) = in_order.statistics.systems
        raise InputError(
            f"judgements: there is only one system, {system!r}; a comparison needs two."
        )
    return in_order


def _checked_looks(looks: int | Sequence[int], planned: int) -> list[int]:
    """After how many units there is a look, rising; `looks` may be how many there are.

    Examples
    --------
    >>> _checked_looks(3, 100)
    [34, 67, 100]
    """
    if not is_whole(planned) or planned < 1:
        raise InputError(f"planned={planned!r} must be a whole number of units, such as 500.")
    if isinstance(looks, int | np.integer):  # how many looks there are
        return _evenly_apart(int(looks), planned)
    numbers = list(looks) if np.ndim(looks) == 1 else []
    if not numbers or not all(map(is_whole, numbers)):
        raise InputError(f"looks={looks!r} must be whole numbers of units, such as [50, 100].")
    if numbers[0] < 1 or (np.diff(numbers) <= 0).any():
        raise InputError(f"looks={looks!r} must rise, and begin with 1 or more.")
    if numbers[-1] > planned:
        raise InputError(
            f"looks: {numbers[-1]:,} units are more than the {planned:,} that are planned."
        )
    return [int(number) for number in numbers]


def _evenly_apart(n_looks: int, planned: int) -> list[int]:
    """After how many units there is a look where so many are equally far apart."""
    if not 1 <= n_looks <= planned:
        raise InputError(
            f"looks={n_looks} must be from 1 to planned={planned}, or the numbers of units after "
            "which one looks."
        )
    steps = np.arange(1, n_looks + 1)
    # Quotients that are whole numbers, but for rounding, are not rounded upwards.
    numbers: list[int] = np.ceil(planned * steps / n_looks - 1e-9).astype(int).tolist()
    return numbers


def _numbers_to_draw(n_resamples: int | None, n_pairs: int) -> Sequence[int]:
    """How many sign flips are drawn, and how many if these leave a pair open."""
    if n_resamples is not None:
        return [check_n_resamples(n_resamples)]
    # The p-values of many pairs take long where there are many flips.
    return NUMBERS_DRAWN[:2] if n_pairs > MANY_PAIRS else NUMBERS_DRAWN


def _no_look_yet(first: int, differences: Differences) -> InputError:
    """The error that there are not as many units yet as the first look needs."""
    lacking = differences.of_one_system
    more = ""
    if lacking:
        more = (
            f"; {counted(len(lacking), differences.unit.removesuffix('s'))} more with judgements "
            f"of one system alone ({listed(lacking, 5)})"
        )
    return InputError(
        f"looks: the first look is after {first:,} {differences.unit}, and there are "
        f"{differences.n_units:,} so far{more}.",
        code=NO_LOOK_YET,
    )


def _tie_tolerance(statistics: SufficientStatistics) -> float:
    """Differences of means that are closer than this are tied, by the rule of all tests."""
    scores = statistics.scores()
    return float(TIE_TOLERANCE * tie_scale(statistics.metric, scores, 0.0).max())


# --- what a look sees -----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class _DataSoFar:
    """What the units up to a look say of all pairs.

    Attributes
    ----------
    gains : ndarray, shape (pairs, units)
        How much better the first system is, times the weight, in whole steps of `quantum`.
    weights : ndarray, shape (pairs, units)
        0 where one of the two was not judged.
    quantum : float
    """

    gains: FloatArray
    weights: FloatArray
    quantum: float

    @classmethod
    def of(cls, differences: Differences, n_units: int) -> _DataSoFar:
        """What was there when there were so many units."""
        is_there = differences.there_after(n_units)
        gains = differences.by_unit(differences.quanta_after(n_units), n_units)
        weights = differences.by_unit(np.where(is_there, differences.weights, 0.0), n_units)
        return cls(gains, weights, differences.quantum)

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return self.gains.shape[1]

    @property
    def n_judged(self) -> Indices:
        """On how many units both systems of each pair were judged, shape (pairs,)."""
        return np.count_nonzero(self.weights, axis=1)

    @property
    def differences(self) -> FloatArray:
        """The mean difference of each pair, shape (pairs,); NaN where there is none yet."""
        totals = self.weights.sum(axis=1)
        sums = self.gains.sum(axis=1) * self.quantum
        return np.divide(sums, totals, out=np.full_like(sums, np.nan), where=totals > 0)

    def look(self, planned: int, tolerance: float) -> Look:
        """The look at these data; differences of means closer than `tolerance` are tied."""
        # A difference of means is a sum of gains, in quanta, over the sum of the pair's weights.
        largest_total = self.weights.sum(axis=1).max()
        return Look(
            share=self.n_units / planned,
            quanta=self.gains,
            tolerance=tolerance * largest_total / self.quantum,
        )

    def interval(self, boundary: float, alternative: Alternative) -> tuple[FloatArray, FloatArray]:
        """The differences that the boundary leaves open, from and to, each of shape (pairs,).

        Subtracted from each unit, the difference d leaves z - d w, and is left open while
        ``(sum(z) - d sum(w))**2 <= boundary**2 * sum((z - d w)**2)``.  The limits are the two roots
        of this quadratic in d; there are none where few units have most of the weight.
        """
        z = self.gains * self.quantum
        w = self.weights
        low = np.full(len(z), -np.inf)
        high = np.full(len(z), np.inf)
        if np.isfinite(boundary):
            squared = boundary**2
            a = w.sum(axis=1) ** 2 - squared * (w**2).sum(axis=1)
            half_b = z.sum(axis=1) * w.sum(axis=1) - squared * (z * w).sum(axis=1)
            c = z.sum(axis=1) ** 2 - squared * (z**2).sum(axis=1)
            has_limits = a > 0
            divisor = np.where(has_limits, a, 1.0)
            # The difference so far is always left open, so that there are two roots.
            root = np.sqrt(np.maximum(half_b**2 - a * c, 0.0))
            low = np.where(has_limits, (half_b - root) / divisor, low)
            high = np.where(has_limits, (half_b + root) / divisor, high)
        if alternative == "greater":
            high[:] = np.inf
        if alternative == "less":
            low[:] = -np.inf
        return low, high


def _table(
    systems: Sequence[str],
    pairs: tuple[Indices, Indices],
    data: Sequence[_DataSoFar],
    tested: GroupSequential,
    alpha: float,
) -> pd.DataFrame:
    """`SequentialTest.table` without ``predictive_power`` and ``verdict``, which follow from it."""
    boundary = tested.boundary(alpha)
    n_looks = len(data)
    n_pairs = len(pairs[0])
    limits = []
    for so_far, limit in zip(data, boundary.tolist(), strict=True):
        limits.append(so_far.interval(limit, tested.alternative))
    n_units = [so_far.n_units for so_far in data]
    pairs_of_looks = (np.tile(pairs[0], n_looks), np.tile(pairs[1], n_looks))
    table = pair_frame(
        systems,
        pairs_of_looks,
        n_judged=np.concatenate([so_far.n_judged for so_far in data]),
        difference=np.concatenate([so_far.differences for so_far in data]),
        ci_low=np.concatenate([low for low, _ in limits]),
        ci_high=np.concatenate([high for _, high in limits]),
        statistic=tested.observed.ravel(),
        boundary=np.repeat(boundary, n_pairs),
        pvalue=tested.pvalues(alpha).ravel(),
        n_resamples=np.repeat(tested.n_resamples, n_pairs),
        exact=np.repeat(tested.exact, n_pairs),
        unresolved=tested.is_open(alpha).ravel(),
    )
    table.insert(0, "look", np.repeat(np.arange(1, n_looks + 1), n_pairs))
    table.insert(1, "n_units", np.repeat(n_units, n_pairs))
    return table


# --- what to do -----------------------------------------------------------------------------------


def _predictive_power(
    table: pd.DataFrame,
    data: Sequence[_DataSoFar],
    planned: int,
    alpha: float,
    tested: GroupSequential,
) -> FloatArray:
    """How probable it is that the boundary is crossed at the end, of shape (rows,).

    NaN at the end itself.
    """
    n_pairs = int((table["look"] == 1).sum())
    shares = tuple((table.drop_duplicates("look")["n_units"] / planned).tolist())
    last_boundaries = []
    for k in range(len(shares)):
        shares_up_to_end = (*shares[: k + 1], 1.0)
        last_boundaries.append(
            _last_boundary(shares_up_to_end, alpha / n_pairs, tested.spending, tested.n_sides)
        )
    c = np.repeat(last_boundaries, n_pairs)
    n_judged = table["n_judged"].to_numpy(dtype=float)
    n_judged_at_end = n_judged + _still_to_come(data, planned).ravel()
    t = np.divide(n_judged, n_judged_at_end, out=np.ones_like(n_judged), where=n_judged_at_end > 0)
    is_before_end = (table["n_units"] < planned).to_numpy()
    z = table["statistic"].to_numpy()
    # The formula is in the notes of `sequential_test`.
    root_of_rest = np.sqrt(np.where(is_before_end, 1 - t, np.nan))
    above = ndtr((z - c * np.sqrt(t)) / root_of_rest)
    below = ndtr((-z - c * np.sqrt(t)) / root_of_rest)
    if tested.alternative == "greater":
        return above
    return below if tested.alternative == "less" else above + below


def _still_to_come(data: Sequence[_DataSoFar], planned: int) -> FloatArray:
    """On how many units more each pair will be judged by the end, of shape (looks, pairs).

    On all units that have not begun; and on as large a share of the units that lack one of the two
    as was judged later of those that lacked it at an earlier look.  So judgements that lag behind
    are waited for, and those that a design leaves out are not.
    """
    to_come = []
    for number, so_far in enumerate(data):
        n_begun = np.array([earlier.n_units for earlier in data[:number]], dtype=int)
        by_then = [earlier.n_judged for earlier in data[:number]]
        n_judged_then = np.array(by_then, dtype=int).reshape(number, len(so_far.weights))
        judged_up_to = np.cumsum(so_far.weights != 0, axis=1)
        n_judged_by_now = judged_up_to[:, n_begun - 1].T
        n_lacked = n_begun[:, None] - n_judged_then
        n_judged_later = n_judged_by_now - n_judged_then
        shares = np.divide(
            n_judged_later, n_lacked, out=np.zeros(n_lacked.shape), where=n_lacked > 0
        )
        n_lacking = so_far.n_units - so_far.n_judged
        not_begun = planned - so_far.n_units
        to_come.append(not_begun + shares.max(axis=0, initial=0.0) * n_lacking)
    return np.array(to_come)


@functools.lru_cache(maxsize=1024)
def _last_boundary(
    shares: tuple[float, ...], alpha: float, spending: Spending, n_sides: int
) -> float:
    """The last boundary of normal statistics at looks after these shares of the planned units."""
    distinct = sorted(set(shares))  # where the last look was after all units, 1.0 stands twice
    boundary = normal_boundary(distinct, alpha=alpha, spending=spending, n_sides=n_sides)
    return float(boundary[-1])


def _verdicts(table: pd.DataFrame, planned: int, alpha: float, futility: float) -> list[str]:
    """What each row says: who is better, or whether to go on."""
    signs: dict[tuple[str, str], int] = {}  # for pairs told apart so far, who is better
    verdicts = []
    for row in table.to_dict("records"):
        pair = (row["system_a"], row["system_b"])
        sign = signs.get(pair, 0) or int(decide(row["statistic"], row["pvalue"], alpha))
        if sign:
            signs[pair] = sign  # what crossed the boundary once was told apart, and the side stays
            verdicts.append(WORDS[sign])
        elif row["n_units"] == planned:
            verdicts.append(WORDS[0])
        elif row["predictive_power"] < futility:
            verdicts.append(HOPELESS)
        else:
            verdicts.append(GO_ON)
    return verdicts


# --- what to know ---------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class _Campaign:
    """A campaign as it was looked at, from which notes are made.

    Attributes
    ----------
    compared : Judgements
    differences : Differences
    tested : GroupSequential
    table : DataFrame
        The rows of all looks.
    planned : int
    looks : sequence of int
        The numbers of units of all looks, also of those to come.
    is_number_of_looks : bool
        Whether `looks` were asked for by their number.
    alpha : float
    n_resamples : int, optional
        The number that was asked for.
    """

    compared: Judgements
    differences: Differences
    tested: GroupSequential
    table: pd.DataFrame
    planned: int
    looks: Sequence[int]
    is_number_of_looks: bool
    alpha: float
    n_resamples: int | None

    @property
    def unit(self) -> str:
        """What units are called."""
        return self.differences.unit

    @property
    def n_looks_made(self) -> int:
        """How many looks there were."""
        return len(self.tested.looks)

    def counted(self, n: int) -> str:
        """So many units, in words."""
        return counted(n, self.unit.removesuffix("s"))

    def notes(self) -> Iterator[Note]:
        """What to know before relying on what the looks say."""
        yield from self.compared.statistics.notes
        yield from self._on_unresolved()
        yield from self._on_claims()
        yield from self._on_empty_looks()
        yield from self._on_the_plan()
        yield from self._on_judgements()
        yield from self._on_raters()
        yield from self._on_documents()

    def _on_unresolved(self) -> Iterator[Note]:
        """On pairs that more sign flips could tell apart, or not, at the latest look."""
        look = self.n_looks_made
        is_of_latest = self.table["look"] == look
        rows = self.table[is_of_latest & self.table["unresolved"]]
        if rows.empty:
            return
        more: str = ""
        if self.n_resamples is not None and self.n_resamples < NUMBERS_DRAWN[-1]:
            option = Sentence(Option("n_resamples", self.n_resamples))
            more = note("look-unresolved-more", asked=option, most=NUMBERS_DRAWN[-1])
        yield note(
            "look-unresolved",
            n_resamples=int(self.tested.n_resamples[-1]),
            n=len(rows),
            pairs=pairs_in_words(rows),
            look=look,
            more=more,
        )

    def _on_claims(self) -> Iterator[Note]:
        """On what was told apart."""
        has_crossed = self.table["verdict"].isin(TELLING_APART)
        if (has_crossed & (self.table["n_units"] < self.planned)).any():
            yield note("estimate-after-stopping")
        pairs = self.table[has_crossed].groupby(["system_a", "system_b"])
        fewest = pairs["n_judged"].min().min()
        if fewest < FEW_UNITS:
            yield note("told-apart-by-few", n=int(fewest), unit=self.unit)

    def _on_empty_looks(self) -> Iterator[Note]:
        """On looks at which no arrangement of signs may cross yet."""
        is_closed = np.isinf(self.tested.boundary(self.alpha))
        if not is_closed.any():
            return
        closed = np.flatnonzero(is_closed)
        last = int(closed[-1])
        look = self.tested.looks[last]
        is_exact = bool(self.tested.exact[last])
        needed = self._flips_needed(look.share)
        more: str = ""
        if last == self.n_looks_made - 1 and not is_exact:
            more = note("too-few-flips-never")
            if needed < MOST_RESAMPLES:
                option = Sentence(Option("n_resamples", needed))
                more = note("too-few-flips-needed", needed=needed, asked=option)
        yield note(
            "too-few-flips",
            looks=_named_looks(closed + 1),
            n_looks=len(closed),
            n=look.quanta.shape[1],
            unit=self.unit,
            n_resamples=int(self.tested.n_resamples[last]),
            draws="arrangements of signs" if is_exact else "sign flips",
            needed=needed,
            more=more,
        )

    def _flips_needed(self, share: float) -> int:
        """With how many sign flips one may cross after a share of the units, at the least."""
        may_be_spent = spent(share, self.alpha, self.tested.spending, self.tested.n_sides)
        if may_be_spent <= 1 / MOST_RESAMPLES:
            return MOST_RESAMPLES
        # One arrangement may cross at this look, and the level allows a whole number in all.
        n_at_level = math.ceil(self.alpha / may_be_spent)
        return rounded_up(math.ceil(n_at_level / self.alpha))

    def _on_the_plan(self) -> Iterator[Note]:
        """On how looks were named, and on units that no look has used."""
        n_looks = len(self.looks)
        first = self.looks[0]
        # So many looks that the first has fewer units than there are looks: perhaps a look after
        # so many units was meant.
        if self.is_number_of_looks and n_looks > first:
            yield note("many-looks", n_looks=n_looks, first=first, unit=self.unit)
        n_units = self.differences.n_units
        n_beyond = max(0, n_units - self.planned)
        if n_beyond:
            units = self.counted(n_beyond)
            yield note(
                "beyond-planned", n=n_beyond, units=units, unit=self.unit, planned=self.planned
            )
        made = self.n_looks_made
        n_since = min(n_units, self.planned) - self.looks[made - 1]
        if n_since and made < n_looks:
            yield note(
                "since-latest-look",
                n=n_since,
                units=self.counted(n_since),
                unit=self.unit,
                look=made,
                next_look=made + 1,
                next=self.looks[made],
            )
        elif n_since:
            units = self.counted(n_since)
            yield note("since-last-look-named", n=n_since, units=units, look=made)

    def _on_judgements(self) -> Iterator[Note]:
        """On units that lack systems, repeated judgements, and their order."""
        if not self.compared.is_complete:
            yield note("units-lack-systems", unit=self.unit)
        lacking = self.differences.of_one_system
        if lacking:
            yield note(
                "units-of-one-system",
                n=len(lacking),
                units=self.counted(len(lacking)),
                names=listed(lacking, 5),
            )
        is_latest = self.table["n_units"].max() == self.differences.n_units
        if is_latest and not self.compared.is_complete:
            yield note("look-may-change", look=self.n_looks_made, unit=self.unit)
        if self.compared.is_by_system:
            yield note("judged-by-system")
        if self.compared.n_tied:
            yield note("order-tied", n=self.compared.n_tied)
        if self.compared.n_again:
            yield note("judged-again", n=self.compared.n_again)

    def _on_raters(self) -> Iterator[Note]:
        """That other raters could differ, where it is known who judged."""
        rows = self.compared.rows
        if rows is None or "rater" not in rows:
            return
        n_raters = rows["rater"].nunique()
        if n_raters == 1:
            yield note("looks-one-rater")
        else:
            yield note("looks-these-raters", n=n_raters, unit=self.unit, more="")

    def _on_documents(self) -> Iterator[Note]:
        """That documents are known, and segments were taken for independent."""
        statistics = self.compared.statistics
        if self.unit != "segments" or statistics.documents is None:
            return
        if self.compared.is_complete:
            yield from documents_note(statistics)
        else:  # the note's standard errors would need all scores
            n_documents = len(set(statistics.documents))
            yield note("documents-ignored", n=n_documents, more="")


def pairs_in_words(rows: pd.DataFrame) -> str:
    """The pairs of some rows of a table, as notes list them."""
    names = [f"{row.system_a} and {row.system_b}" for row in rows.itertuples()]
    return listed(names, 3, by="; ")


def _named_looks(numbers: Indices) -> str:
    """Looks in words.

    >>> _named_looks(np.array([1, 2, 3])), _named_looks(np.array([2, 5]))
    ('looks 1 to 3', 'looks 2, 5')
    """
    if len(numbers) == 1:
        return f"look {numbers[0]}"
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return f"looks {numbers[0]} to {numbers[-1]}"
    return f"looks {listed([str(number) for number in numbers], MOST_LISTED)}"
