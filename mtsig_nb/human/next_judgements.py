"""What to judge next in a campaign that is under way: what each kind of further judgements shows.

A mixed model's standard errors depend on who rated what and on the variances, and not on the
ratings themselves.  So those of a campaign that goes on are known before anybody has rated anything
more, if the variances are what they are estimated to be.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..errors import InputError, check_all_of, check_one_of, counted, listed
from ..metrics.base import FloatArray
from ..notes import Note, note
from .further_screens import Option, RatedSoFar, kinds_of_screens
from .mixed_model import DesignTooLarge, MixedModel, PlannedModel, planned_model
from .plan_arguments import check_difference, checked_costs, checked_counts, is_count
from .shrunken_effects import ShrunkenEffects
from .tails import chance_of_rejection

#: How many more ratings are tried by default, as multiples of those that there are.
_SHARES = (0.25, 0.5, 1.0, 2.0)
#: By how many the level of a test is divided where it is one of many.
CORRECTIONS = ("none", "bonferroni", "holm")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NextJudgements(Tabled):
    """What further judgements of each kind would show, before any of them is made.

    Attributes
    ----------
    table : DataFrame
        One row per option, cheapest first.  What is judged: ``systems``, which are ``"all"`` or
        listed; ``documents``, ``"new"`` or ``"present"``; by which ``raters``, ``"present"`` or
        ``"new"``.  How much of it: ``new_raters``, ``new_documents``, ``screens``, ``ratings`` and
        their ``cost``.  What all ratings together would then show of the pairs in `now`:
        ``standard_error`` of a difference (root mean square), fewest ``degrees_of_freedom``,
        ``told_apart``, the expected number of pairs that are told apart, and ``pairs``, those whose
        chance of that is at least `power`.
    pairs : DataFrame
        One row per option and pair: ``option``, a row of `table`; ``system_a``, ``system_b``;
        ``standard_error``, ``degrees_of_freedom``; and ``chance`` of being told apart.
    now : DataFrame
        One row per pair that is to be told apart: ``system_a``, ``system_b``, their ``difference``
        as estimated now and ``shrunk`` towards zero, ``standard_error`` and ``degrees_of_freedom``.
    detect : float or None
        The true difference that chances are for; None if they are for these pairs as seen so far.
    power : float
    alpha : float
        Level of the test of each of these pairs, after correction.
    options : tuple of Option
        The screens of each option; see `screens`.
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> model = mt.load("wmt24/en-cs").judgements["esa_ratings"].mixed_model()
    >>> options = mt.human.next_judgements(model, {"rating": 1, "rater": 100}, n_ratings=500)
    >>> options.table[["documents", "raters", "cost"]].iloc[[0, 2]].values.tolist()
    [['new', 'present', 500.0], ['new', 'new', 1100.0]]
    >>> options.table["told_apart"].round(1).tolist()  # of 102 pairs
    [5.4, 4.7, 7.3, 6.6]
    >>> options.screens(0)[["rater", "document"]].iloc[0].tolist()
    ['R01', 'new document 1']
    """

    _plotted = ("told_apart",)

    table: pd.DataFrame
    pairs: pd.DataFrame
    now: pd.DataFrame
    detect: float | None
    power: float
    alpha: float
    options: tuple[Option, ...]
    notes: tuple[Note, ...] = ()

    def screens(self, option: int) -> pd.DataFrame:
        """Who would rate what: one row per rating, with its number of ``screen``.

        Parameters
        ----------
        option : int
            A row of `table`.

        Returns
        -------
        DataFrame
            ``screen``, and the columns that the present ratings have.  New raters and documents are
            called ``"new rater 1"`` and so on.

        Raises
        ------
        InputError
            If there is no such row.
        """
        if not is_count(option, 0) or option >= len(self.table):
            raise InputError(
                f"option={option!r} is not a row of the table; its rows are 0 to {len(self) - 1}."
            )
        return self.options[option].named()

    def cheapest(self) -> pd.DataFrame:
        """For each pair the cheapest option that tells it apart with a chance of at least `power`.

        Returns
        -------
        DataFrame
            ``system_a``, ``system_b``, ``chance``, and the columns of `table` that say what to
            judge.  Pairs that no option tells apart with that chance are not in it.
        """
        is_enough = self.pairs["chance"] >= self.power
        by_pair = self.pairs[is_enough].sort_values("option", kind="stable")
        first = by_pair.drop_duplicates(["system_a", "system_b"])
        shown = self.table.drop(columns=[*_WHAT_IT_SHOWS])
        columns = first[["option", "system_a", "system_b", "chance"]]
        joined = columns.merge(shown, left_on="option", right_index=True, sort=False)
        return joined.drop(columns="option").reset_index(drop=True)

    def _lines(self) -> list[str]:
        """What the best option would show, and of what chances are."""
        best = self.table.iloc[int(self.table["told_apart"].argmax())]
        raters = "raters who are there"
        if best["raters"] == "new":
            raters = counted(best["new_raters"], "new rater")
        if self.detect is None:
            supposed = "differences as estimated now, shrunk towards none"
        else:
            supposed = f"true differences of {self.detect:g}"
        return [
            f"{counted(len(self.now), 'pair')} to be told apart, "
            f"{counted(len(self.table), 'option')}: most, {best['told_apart']:.3g} on average, by "
            f"{best['ratings']:,} ratings of {best['documents']} documents by {raters} "
            f"(cost {best['cost']:,.6g})",
            f"chances are for {supposed}, and two-sided tests at {self.alpha:.2g}",
            "a second look at the same pairs is a second chance to err: divide alpha by the number "
            "of looks",
        ]

    def _below(self) -> pd.DataFrame:
        return self.table


#: The columns of the table that speak of several pairs.
_WHAT_IT_SHOWS = ("standard_error", "degrees_of_freedom", "told_apart", "pairs")


def next_judgements(
    model: MixedModel,
    costs: Mapping[str, float] | None = None,
    *,
    pairs: Iterable[tuple[str, str]] | None = None,
    n_ratings: int | Sequence[int] | None = None,
    new_raters: int | None = None,
    on_a_screen: int | None = None,
    detect: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    correction: str | None = "holm",
) -> NextJudgements:
    """What to judge next: how many more ratings, of which kind, tell which pairs apart.

    An option is a number of *screens*.  A screen shows one rater some translations of a document.
    The translations are by all systems, or by those in `pairs`; the documents are the present ones,
    or new ones of the same length; and the raters are the present ones, or new ones.  Screens are
    dealt out so that every rater and every translation gets as nearly as possible the same number.

    Parameters
    ----------
    model : MixedModel
        The model of the ratings so far, from `Ratings.mixed_model`.
    costs : mapping of str to float, optional
        The cost of a ``"rating"``, of a ``"screen"``, and of each new ``"document"`` and
        ``"rater"``.  What is not named costs nothing; by default a rating costs 1.
    pairs : iterable of (str, str), optional
        The pairs to tell apart; by default all that ``model.tests()`` does not tell apart yet.
    n_ratings : int or sequence of int, optional
        The number of further ratings; by default a quarter, half, once and twice as many as there
        are.  Screens are whole, so there may be a few more.
    new_raters : int, optional
        The number of new raters in the options that have some; by default half as many as there
        are, and at least two.
    on_a_screen : int, optional
        The number of translations on a screen; by default the median number that a rater has rated
        of a document.
    detect : float, optional
        The true difference, in points, that chances are for.  By default they are for each pair
        as it has been seen so far.
    power : float
        A pair is listed if its chance is at least this.
    alpha, correction
        As in ``model.tests().conclusions``; the correction is ``"holm"``, ``"bonferroni"`` or
        None.  With Holm's method a pair counts as told apart at alpha by the number of pairs that
        are open now.  That is the smallest level that the method grants as long as the other pairs
        stay told apart, so chances are a little low.

    Returns
    -------
    NextJudgements
        With a row per option, cheapest first; `cheapest()` has the cheapest for each pair.

    Raises
    ------
    InputError
        If a name is unknown, a number out of range, nothing is left to be told apart or to be
        judged, a document would get too many ratings, or the model has a trend.

    Notes
    -----
    Standard errors and degrees of freedom are those of the model of all ratings together, if the
    variances are as estimated.  With few raters the variances are poorly known, and so are these
    errors.

    Without `detect`, a chance is that of the future estimate, given all present ones.  The true
    effects are treated as draws from a normal distribution, whose variance is also estimated
    (empirical Bayes; Morris 1983).  So differences are shrunk: the largest estimates are largest
    partly by chance, which is called the winner's curse, and plans based on them would promise too
    much.  With `detect`, the estimates are not used, and the chance is the power of the test for
    that difference.

    In 300 simulated campaigns that went on, whose systems were normal draws, .212 of the open pairs
    were told apart where .193 were promised.  In 120 whose systems were equal in pairs and evenly
    spaced it was .259 for .220, and none of the 480 open pairs of equal systems
    (``python -m tools.trust.planned_campaigns``).

    Each option takes about as long as the fit of the model.

    Testing again after a look gives two chances to err.  Tests at alpha divided by the number of
    looks allow for it.

    References
    ----------
    Kenward & Roger (1997); Spiegelhalter, Freedman & Blackburn (1986), Monitoring clinical
    trials: conditional or predictive power?; Morris (1983), Parametric empirical Bayes
    inference.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> model = mt.load("wmt23/en-de").judgements["mqm_ratings"].mixed_model()
    >>> options = mt.human.next_judgements(
    ...     model, pairs=[("ONLINE-W", "refA")], n_ratings=500, detect=1
    ... )
    >>> sharpest = options.table.sort_values("standard_error").iloc[0]
    >>> sharpest[["systems", "documents", "raters"]].tolist()
    ['ONLINE-W, refA', 'new', 'new']
    """
    if model.trend is not None:
        raise InputError(
            "model has a trend, and a plan has no times. Give a model without a trend."
        )
    prices = checked_costs(costs)
    check_level(alpha)
    check_level(power, "power")
    check_one_of("correction", correction or "none", CORRECTIONS)
    check_difference("detect", detect)
    campaign = RatedSoFar.of(model)
    is_open = _open_pairs(model, alpha, correction)
    wanted = _wanted_pairs(model, is_open, pairs)
    level = _level_of_each(alpha, correction, n_open=int(is_open.sum()), n_all=len(is_open))
    kinds = kinds_of_screens(
        campaign,
        systems_in=sorted({*wanted.a, *wanted.b}),
        new_raters=_checked_new_raters(new_raters, campaign),
        on_a_screen=_checked_on_a_screen(on_a_screen, campaign),
        sizes=_checked_sizes(n_ratings, campaign),
    )
    options = [option for kind in kinds for option in kind.options()]
    if not options:
        raise InputError(
            "n_ratings: there is nothing left that the present raters could rate, and new_raters=0."
        )
    effects = ShrunkenEffects.of(model)
    variances = _variances_of_all_terms(model)
    rows: list[dict[str, object]] = []
    by_pair: list[pd.DataFrame] = []
    terms_told_apart: set[str] = set()
    for option in options:
        planned = _planned(option, variances)
        terms_told_apart.update(planned.terms)
        chances = _chances(planned, wanted, effects, detect=detect, alpha=level)
        by_pair.append(chances)
        rows.append(_row(option, chances, prices, power))
    table = pd.DataFrame(rows)
    order = table.sort_values(["cost", "told_apart"], ascending=[True, False], kind="stable").index
    numbered = [by_pair[old].assign(option=new) for new, old in enumerate(order)]
    all_pairs = pd.concat(numbered, ignore_index=True)
    all_pairs.insert(0, "option", all_pairs.pop("option"))
    return NextJudgements(
        table=table.loc[order].reset_index(drop=True),
        pairs=all_pairs,
        now=_now(model, wanted, effects),
        detect=detect,
        power=power,
        alpha=level,
        options=tuple(options[old] for old in order),
        notes=tuple(_notes(model, campaign, terms_told_apart)),
    )


# --- What is asked --------------------------------------------------------------------------------


def _checked_sizes(n_ratings: int | Sequence[int] | None, campaign: RatedSoFar) -> list[int]:
    """How many more ratings are tried, in ascending order."""
    if n_ratings is None:
        return [max(1, round(share * len(campaign.frame))) for share in _SHARES]
    return checked_counts("n_ratings", n_ratings, 1)


def _checked_new_raters(new_raters: int | None, campaign: RatedSoFar) -> int:
    if new_raters is None:
        return 0 if campaign.n_raters == 1 else max(2, campaign.n_raters // 2)
    if not is_count(new_raters, 0):
        raise InputError(f"new_raters={new_raters!r} must be a whole number of at least 0.")
    if new_raters and campaign.n_raters == 1:
        raise InputError(
            f"new_raters={new_raters}: there is one rater so far, so it is unknown how much others "
            "would differ. Give 0, or have a second rater judge some screens first."
        )
    return int(new_raters)


def _checked_on_a_screen(on_a_screen: int | None, campaign: RatedSoFar) -> int:
    """How many systems a screen shows; by default the median of raters' documents so far."""
    if on_a_screen is None:
        on_screens = campaign.has_rated.sum(axis=2)
        return int(np.median(on_screens[on_screens > 0]))
    if not is_count(on_a_screen, 1):
        raise InputError(f"on_a_screen={on_a_screen!r} must be a whole number of at least 1.")
    return int(on_a_screen)


class _Pairs(NamedTuple):
    """Pairs of systems, by number."""

    a: list[int]
    b: list[int]
    frame: pd.DataFrame  # system_a, system_b
    contrasts: FloatArray  # (pairs, systems)

    @classmethod
    def of(cls, systems: Sequence[str], pairs: Sequence[tuple[int, int]]) -> _Pairs:
        a = [first for first, _ in pairs]
        b = [second for _, second in pairs]
        names = np.asarray(systems)
        each = np.eye(len(systems))
        frame = pd.DataFrame({"system_a": names[a], "system_b": names[b]})
        return cls(a, b, frame, each[a] - each[b])


def _open_pairs(model: MixedModel, alpha: float, correction: str | None) -> pd.Series:
    """By pair of systems' numbers, the better one first, whether they are not told apart yet."""
    adjustment = None if correction in (None, "none") else correction
    decided = model.tests().conclusions(alpha, correction=adjustment).pairs()
    n = len(model.systems)
    pairs = pd.MultiIndex.from_tuples(itertools.combinations(range(n), 2))
    return pd.Series(np.asarray(decided) == 0, pairs)


def _wanted_pairs(
    model: MixedModel, is_open: pd.Series, pairs: Iterable[tuple[str, str]] | None
) -> _Pairs:
    """The pairs that are asked for; by default all that are open."""
    if pairs is None:
        if not is_open.any():
            raise InputError(
                "pairs: all pairs are told apart already; name the pairs that you want."
            )
        return _Pairs.of(model.systems, list(is_open[is_open].index))
    wanted = []
    for names in pairs:
        if isinstance(names, str) or len(tuple(names)) != 2:
            raise InputError(
                f"pairs: {names!r} is not a pair; give two systems, such as ('A', 'B')."
            )
        check_all_of("pairs", names, model.systems)
        first, second = sorted(model.systems.index(name) for name in names)
        if first == second:
            raise InputError(f"pairs: {names!r} is a single system; give two.")
        wanted.append((first, second))
    if not wanted:
        raise InputError("pairs names none; give at least one, or leave it out.")
    return _Pairs.of(model.systems, list(dict.fromkeys(wanted)))


def _level_of_each(alpha: float, correction: str | None, *, n_open: int, n_all: int) -> float:
    """The level that tells a pair apart, whatever the other open pairs show."""
    if correction == "bonferroni":
        return alpha / n_all
    if correction == "holm":
        return alpha / max(n_open, 1)
    return alpha


def _variances_of_all_terms(model: MixedModel) -> dict[str, float]:
    """By term; zero for those that cannot be told from others so far, which have theirs."""
    fitted = dict(model.components.set_index("term")["variance"])
    left_out = [name for name, other in model.left_out.items() if other != "system"]
    return fitted | dict.fromkeys(left_out, 0.0)


# --- What it would show ---------------------------------------------------------------------------


def _planned(option: Option, variances: Mapping[str, float]) -> PlannedModel:
    """The model of all ratings together; raises `InputError` if there would be too many."""
    try:
        return planned_model(option.design, variances)
    except DesignTooLarge as error:
        raise InputError(
            f"n_ratings: with {option.work.ratings:,} ratings more, the number of {error.what} "
            f"would be {error.n:,}, and the model can take at most {error.most:,}. Give smaller "
            "numbers."
        ) from error


def _chances(
    planned: PlannedModel,
    pairs: _Pairs,
    effects: ShrunkenEffects,
    *,
    detect: float | None,
    alpha: float,
) -> pd.DataFrame:
    """The pairs with their planned errors, and the chance of each to be told apart."""
    error, freedom = planned.covariance.of_contrasts(pairs.contrasts)
    if detect is None:
        mean, deviation = effects.later_estimates(planned.covariance, pairs.contrasts)
    else:
        mean = np.full(len(error), float(detect))
        deviation = error
    chance = chance_of_rejection(
        mean, deviation, standard_error=error, freedom=freedom, alpha=alpha
    )
    return pairs.frame.assign(standard_error=error, degrees_of_freedom=freedom, chance=chance)


def _row(
    option: Option, chances: pd.DataFrame, prices: Mapping[str, float], power: float
) -> dict[str, object]:
    """The row of an option in the table."""
    work = option.work
    likely = chances[chances["chance"] >= power]
    names = [f"{pair.system_a}–{pair.system_b}" for pair in likely.itertuples()]
    return {
        "systems": option.systems,
        "documents": option.documents,
        "raters": option.raters,
        "new_raters": work.raters,
        "new_documents": work.documents,
        "screens": work.screens,
        "ratings": work.ratings,
        "cost": work.cost(prices),
        "standard_error": float(np.sqrt(np.mean(chances["standard_error"] ** 2))),
        "degrees_of_freedom": float(chances["degrees_of_freedom"].min()),
        "told_apart": float(chances["chance"].sum()),
        "pairs": listed(names),
    }


def _now(model: MixedModel, pairs: _Pairs, effects: ShrunkenEffects) -> pd.DataFrame:
    """The pairs as they are now."""
    error, freedom = model.covariance.of_contrasts(pairs.contrasts)
    return pairs.frame.assign(
        difference=pairs.contrasts @ effects.estimates,
        shrunk=pairs.contrasts @ effects.mean,
        standard_error=error,
        degrees_of_freedom=freedom,
    )


def _notes(model: MixedModel, campaign: RatedSoFar, told_apart: set[str]) -> Iterator[Note]:
    """What a reader should know of the chances."""
    if not model.converged:
        yield note("next-not-converged")
    unknown = [name for name in model.left_out if name in told_apart]
    if unknown:
        others = sorted({model.left_out[name] for name in unknown})
        yield note("next-unknown-terms", terms=", ".join(unknown), others=", ".join(others))
    if campaign.n_raters == 1:
        yield note("next-one-unit", unit="rater")
    if len(campaign.segments) == 1:
        yield note("next-one-unit", unit="document" if campaign.has_documents else "segment")
