"""What to judge next in a campaign that is under way: what each kind of further judgements shows.

A mixed model's standard errors depend on who rated what and on the variances, and not on the
ratings themselves.  So those of a campaign that goes on are known before anybody has rated anything
more, if the variances are what they are estimated to be.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..errors import InputError, check_all_of, check_one_of, counted, listed
from ..metrics.base import Array, FloatArray, IntArray, Mask
from ..notes import Note, note
from .mixed_model import DesignTooLarge, planned_model
from .reml import AdjustedCovariance
from .screens import Rota, Screen, frame_of_screens, lengths_like
from .tails import chance_of_rejection

if TYPE_CHECKING:
    from .mixed_model import MixedModel

#: What may cost something: each rating, each screen, each new document and each new rater.
COSTS = ("rating", "screen", "document", "rater")
#: How many more ratings are tried by default, as multiples of those that there are.
_SHARES = (0.25, 0.5, 1.0, 2.0)
#: By how many the level of a test is divided where it is one of many.
CORRECTIONS = ("none", "bonferroni", "holm")
#: The least variance between systems, as a share of the mean squared error of a difference.
_LEAST_BETWEEN = 1e-6


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
        as estimated now and ``shrunk`` towards none, ``standard_error`` and
        ``degrees_of_freedom``.
    detect : float or None
        The true difference that chances are for; None if they are for these pairs as seen so far.
    power : float
    alpha : float
        Level of the test of each of these pairs, after correction.
    dealt : tuple of DataFrame
        For each option who would rate what; see `screens`.
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
    >>> options = ratings.mixed_model().what_next({"rating": 1, "rater": 100}, n_ratings=[2000])
    >>> options.table[["documents", "raters", "cost"]].head(2).values.tolist()
    []
    """

    _plotted = ("told_apart",)

    table: pd.DataFrame
    pairs: pd.DataFrame
    now: pd.DataFrame
    detect: float | None
    power: float
    alpha: float
    dealt: tuple[pd.DataFrame, ...]
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
            ``screen``, and the columns that the present ratings have.  What is new is called
            ``"new rater 1"`` and so on.

        Raises
        ------
        InputError
            If there is no such row.
        """
        if not is_count(option, 0) or option >= len(self.table):
            raise InputError(f"option={option!r} is no row of the table, from 0 to {len(self) - 1}.")
        return self.dealt[option].copy()

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
        best = self.table.loc[self.table["told_apart"].idxmax()]
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
    n_ratings: Sequence[int] | None = None,
    new_raters: int | None = None,
    on_a_screen: int | None = None,
    detect: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    correction: str | None = "holm",
) -> NextJudgements:
    """What further judgements of each kind would show; see `MixedModel.what_next`."""
    prices = checked_costs(costs)
    check_level(alpha)
    check_level(power, "power")
    check_one_of("correction", correction or "none", CORRECTIONS)
    if detect is not None and not (is_number(detect) and detect > 0):
        raise InputError(f"detect={detect!r} must be a difference above 0, in the ratings' points.")
    campaign = _Campaign.of(model)
    is_open = _open_pairs(model, alpha, correction)
    wanted = _wanted_pairs(model, is_open, pairs)
    level = _level_of_each(alpha, correction, n_open=int(is_open.sum()), n_all=len(is_open))
    kinds = _kinds(
        campaign,
        systems_in=sorted({*wanted.a, *wanted.b}),
        new_raters=_checked_new_raters(new_raters, campaign),
        on_a_screen=_checked_on_a_screen(on_a_screen, campaign),
        sizes=_checked_sizes(n_ratings, campaign),
    )
    knowledge = _Knowledge.of(model)
    variances = _variances_of_all_terms(model)
    options: list[dict[str, object]] = []
    dealt: list[pd.DataFrame] = []
    by_pair: list[pd.DataFrame] = []
    told_apart: set[str] = set()
    for option in itertools.chain.from_iterable(kind.options() for kind in kinds):
        planned = _planned(option, variances)
        told_apart |= set(planned.terms)
        error, freedom = planned.covariance.of_contrasts(wanted.contrasts)
        if detect is None:
            mean, deviation = knowledge.of_estimates(planned.covariance, wanted.contrasts)
        else:
            mean = np.full(len(error), float(detect))
            deviation = error
        chance = chance_of_rejection(
            mean, deviation, standard_error=error, freedom=freedom, alpha=level
        )
        frame = wanted.frame.assign(
            standard_error=error, degrees_of_freedom=freedom, chance=chance
        )
        by_pair.append(frame)
        dealt.append(option.named())
        options.append(
            option.row(prices)
            | {
                "standard_error": float(np.sqrt(np.mean(error**2))),
                "degrees_of_freedom": float(freedom.min()),
                "told_apart": float(chance.sum()),
                "pairs": _names_of_pairs(frame[frame["chance"] >= power]),
            }
        )
    if not options:
        raise InputError(
            "n_ratings: there is nothing left that the present raters could rate, and new_raters=0."
        )
    table = pd.DataFrame(options)
    order = table.sort_values(["cost", "told_apart"], ascending=[True, False], kind="stable").index
    numbered = [by_pair[old].assign(option=new) for new, old in enumerate(order)]
    long = pd.concat(numbered, ignore_index=True)
    first = ["option", "system_a", "system_b"]
    return NextJudgements(
        table=table.loc[order].reset_index(drop=True),
        pairs=long[[*first, *long.columns.drop(first)]],
        now=knowledge.table(model, wanted),
        detect=detect,
        power=power,
        alpha=level,
        dealt=tuple(dealt[old] for old in order),
        notes=tuple(_notes(model, campaign, told_apart)),
    )


# --- What is asked --------------------------------------------------------------------------------


def is_number(value: object) -> bool:
    """Whether something is a finite number."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return is_number and math.isfinite(float(value))  # type: ignore[arg-type]


def is_count(value: object, least: int) -> bool:
    """Whether something is a whole number of at least `least`."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return is_whole and int(value) >= least  # type: ignore[call-overload]


def checked_costs(costs: Mapping[str, float] | None) -> dict[str, float]:
    """The cost of each of `COSTS`; raises `InputError` where one is unknown or below zero."""
    given = {"rating": 1.0} if costs is None else dict(costs)
    check_all_of("costs", given, COSTS)
    for name, price in given.items():
        if not (is_number(price) and price >= 0):
            raise InputError(f"costs: {name}={price!r} must be a number of at least 0.")
    return dict.fromkeys(COSTS, 0.0) | given


def _checked_sizes(n_ratings: Sequence[int] | None, campaign: _Campaign) -> list[int]:
    """How many more ratings are tried, in ascending order."""
    if n_ratings is None:
        return [max(1, round(share * len(campaign.frame))) for share in _SHARES]
    sizes = [n_ratings] if isinstance(n_ratings, int | np.integer) else list(n_ratings)
    bad = [size for size in sizes if not is_count(size, 1)]
    if bad or not sizes:
        culprit = bad[0] if bad else sizes
        raise InputError(f"n_ratings={culprit!r}: give whole numbers of further ratings, from 1 on.")
    return sorted({int(size) for size in sizes})


def _checked_new_raters(new_raters: int | None, campaign: _Campaign) -> int:
    if new_raters is None:
        return 0 if campaign.n_raters == 1 else max(2, campaign.n_raters // 2)
    if not is_count(new_raters, 0):
        raise InputError(f"new_raters={new_raters!r} must be a whole number of at least 0.")
    if new_raters and campaign.n_raters == 1:
        raise InputError(
            f"new_raters={new_raters}: there is one rater so far, so that how much others would "
            "differ is unknown. Plan with 0, or have a second rater judge some of the screens first."
        )
    return int(new_raters)


def _checked_on_a_screen(on_a_screen: int | None, campaign: _Campaign) -> int:
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
            raise InputError("pairs: all pairs are told apart already; name those that you ask for.")
        return _Pairs.of(model.systems, list(is_open[is_open].index))
    wanted = []
    for names in pairs:
        if isinstance(names, str) or len(tuple(names)) != 2:
            raise InputError(f"pairs: {names!r} is no pair; give two systems, such as ('A', 'B').")
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
    """By term; zero for those that the present design cannot tell from others, which have theirs."""
    fitted = dict(model.components.set_index("term")["variance"])
    left_out = [name for name, other in model.left_out.items() if other != "system"]
    return fitted | dict.fromkeys(left_out, 0.0)


# --- What could be judged -------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class _Campaign:
    """Who has rated what so far, by number; systems are numbered from the best on.

    Attributes
    ----------
    frame : DataFrame
        One row per rating: ``system``, ``rater``, ``document``, ``segment``, maybe ``generation``.
    systems : tuple of str
    has_documents : bool
        Whether documents are known; if not, each segment is a document of its own.
    names : dict of str to ndarray
        By column what its numbers stand for.
    segments : list of ndarray of int
        Of each document.
    has_rated : ndarray of bool, shape (raters, documents, systems)
    """

    frame: pd.DataFrame
    systems: tuple[str, ...]
    has_documents: bool
    names: dict[str, Array]
    segments: list[IntArray]
    has_rated: Mask

    @classmethod
    def of(cls, model: MixedModel) -> _Campaign:
        """That of the ratings that the model was fitted to."""
        rated = model.rated
        if "rater" not in rated or not {"document", "segment"}.intersection(rated):
            raise InputError(
                "ratings: without a rater and a document or a segment for each of them, who could "
                "rate what next is unknown."
            )
        has_documents = "document" in rated
        codes = {"system": pd.Index(model.systems).get_indexer(rated["system"])}
        names = {"system": np.array(model.systems, dtype=object)}
        for name in rated.columns.drop("system"):
            codes[name], values = pd.factorize(rated[name], sort=True)
            names[name] = np.array(values, dtype=object)
        frame = pd.DataFrame(codes)
        if not has_documents:
            frame["document"] = frame["segment"]
        elif "segment" not in frame:
            frame["segment"] = frame["document"]  # of one segment each
        by_document = frame.groupby("document", sort=True)["segment"]
        raters, documents = frame["rater"].max() + 1, frame["document"].max() + 1
        has_rated = np.zeros((raters, documents, len(model.systems)), dtype=bool)
        has_rated[frame["rater"], frame["document"], frame["system"]] = True
        return cls(
            frame=frame,
            systems=model.systems,
            has_documents=has_documents,
            names=names,
            segments=[np.unique(segments) for _, segments in by_document],
            has_rated=has_rated,
        )

    @property
    def n_raters(self) -> int:
        return len(self.has_rated)

    @property
    def lengths(self) -> IntArray:
        """How many segments each document has."""
        return np.array([len(segments) for segments in self.segments])

    def ratings_of(self, screens: Sequence[Screen], lengths: IntArray) -> pd.DataFrame:
        """Ratings of screens, as in `frame`; `lengths` are those of all documents, new ones last."""
        added = frame_of_screens(screens, lengths)
        first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        largest = max(int(segments.max()) for segments in self.segments)
        n_new = int(lengths.sum()) - sum(len(segments) for segments in self.segments)
        numbers = np.concatenate([*self.segments, largest + 1 + np.arange(n_new)])
        place = first[added["document"].to_numpy()] + added["segment"].to_numpy()
        added["segment"] = numbers[place]
        if "generation" in self.frame:
            added["generation"] = 0
        return added[["screen", *self.frame.columns]]

    def named(self, added: pd.DataFrame) -> pd.DataFrame:
        """The same ratings, with names in the place of numbers."""
        result = added[["screen"]].copy()
        for column, names in self.names.items():
            n_new = int(added[column].max()) + 1 - len(names)
            new = [f"new {column} {number}" for number in range(1, n_new + 1)]
            result[column] = np.append(names, np.array(new, dtype=object))[added[column]]
        return result


@dataclasses.dataclass(frozen=True, eq=False)
class _Option:
    """So many screens of one kind, after those that there are.

    Attributes
    ----------
    campaign : _Campaign
    systems : str
    documents, raters : str
        "new" or "present".
    screens : list of Screen
    lengths : ndarray of int
        Of all documents, new ones last.
    """

    campaign: _Campaign
    systems: str
    documents: str
    raters: str
    screens: list[Screen]
    lengths: IntArray

    @property
    def added(self) -> pd.DataFrame:
        """Who would rate what, as `_Campaign.frame`, with ``screen``."""
        return self.campaign.ratings_of(self.screens, self.lengths)

    @property
    def design(self) -> pd.DataFrame:
        """Who would have rated what then, with the columns that the present ratings have."""
        added = self.added.drop(columns="screen")
        whole = pd.concat([self.campaign.frame, added], ignore_index=True)
        return whole if self.campaign.has_documents else whole.drop(columns="document")

    def named(self) -> pd.DataFrame:
        """Who would rate what, as `NextJudgements.screens` has it."""
        return self.campaign.named(self.added)

    def row(self, prices: Mapping[str, float]) -> dict[str, object]:
        """What is judged, how much of it, and the cost."""
        n_raters, n_documents, _ = self.campaign.has_rated.shape
        new_raters = {screen.rater for screen in self.screens if screen.rater >= n_raters}
        new_documents = {
            screen.document for screen in self.screens if screen.document >= n_documents
        }
        n_ratings = n_ratings_of(self.screens, self.lengths)
        cost = (
            prices["rating"] * n_ratings
            + prices["screen"] * len(self.screens)
            + prices["document"] * len(new_documents)
            + prices["rater"] * len(new_raters)
        )
        return {
            "systems": self.systems,
            "documents": self.documents,
            "raters": self.raters,
            "new_raters": len(new_raters),
            "new_documents": len(new_documents),
            "screens": len(self.screens),
            "ratings": n_ratings,
            "cost": cost,
        }


def n_ratings_of(screens: Sequence[Screen], lengths: IntArray) -> int:
    """How many ratings screens ask for."""
    return sum(len(screen.systems) * int(lengths[screen.document]) for screen in screens)


@dataclasses.dataclass(frozen=True, eq=False)
class _Kind:
    """A kind of further judgements, of several sizes.

    Attributes
    ----------
    campaign : _Campaign
    systems : list of int
    has_new_documents : bool
    new_raters : int
        They do all of it; if there are 0, those who are there do.
    on_a_screen : int
    sizes : list of int
        Numbers of ratings, in ascending order.
    """

    campaign: _Campaign
    systems: list[int]
    has_new_documents: bool
    new_raters: int
    on_a_screen: int
    sizes: list[int]

    def options(self) -> Iterator[_Option]:
        """One for each size, and a last one where no screen is left before the next."""
        lengths = self.campaign.lengths
        if self.has_new_documents:
            lengths = np.concatenate([lengths, self._new_lengths()])
        dealt = list(self._screens(lengths))
        n_by_screen = [n_ratings_of([screen], lengths) for screen in dealt]
        n_so_far = np.cumsum(n_by_screen)
        ends = {min(int(np.searchsorted(n_so_far, size)) + 1, len(dealt)) for size in self.sizes}
        for end in sorted(ends - {0}):
            yield _Option(
                campaign=self.campaign,
                systems=self._names(),
                documents="new" if self.has_new_documents else "present",
                raters="new" if self.new_raters else "present",
                screens=dealt[:end],
                lengths=lengths,
            )

    def _names(self) -> str:
        if len(self.systems) == len(self.campaign.systems):
            return "all"
        return ", ".join(self.campaign.systems[number] for number in self.systems)

    def _new_lengths(self) -> IntArray:
        """Of as many new documents as the largest size needs."""
        n_translations = -(-self.sizes[-1] // len(self.systems))  # of segments
        lengths = lengths_like(self.campaign.lengths, n_translations)
        n_needed = int(np.searchsorted(np.cumsum(lengths), n_translations)) + 1
        return lengths[:n_needed]

    def _screens(self, lengths: IntArray) -> Iterator[Screen]:
        """Screens for the largest size, or as many as there can be."""
        n_raters, n_documents, n_systems = self.campaign.has_rated.shape
        has_rated = np.zeros((n_raters + self.new_raters, len(lengths), n_systems), dtype=bool)
        has_rated[:n_raters, :n_documents] = self.campaign.has_rated
        raters = range(n_raters)
        if self.new_raters:
            raters = range(n_raters, n_raters + self.new_raters)
        documents = range(n_documents)
        if self.has_new_documents:
            documents = range(n_documents, len(lengths))
        n_left = self.sizes[-1]
        for screen in Rota(has_rated).deal(
            systems=self.systems,
            raters=raters,
            documents=documents,
            n_segments=lengths,
            on_a_screen=self.on_a_screen,
        ):
            yield screen
            n_left -= n_ratings_of([screen], lengths)
            if n_left <= 0:
                return


def _kinds(
    campaign: _Campaign,
    *,
    systems_in: list[int],
    new_raters: int,
    on_a_screen: int,
    sizes: list[int],
) -> list[_Kind]:
    """All kinds: systems, new documents or present ones, new raters or present ones."""
    everybody = list(range(len(campaign.systems)))
    chosen = [everybody] if systems_in == everybody else [everybody, systems_in]
    who = sorted({0, new_raters})
    which = [False]
    if len(campaign.segments) > 1:  # how much others would differ is unknown from one
        which.append(True)
    return [
        _Kind(campaign, systems, has_new_documents, n_new, on_a_screen, sizes)
        for systems, has_new_documents, n_new in itertools.product(chosen, which, who)
    ]


# --- What it would show ---------------------------------------------------------------------------


class _Planned(NamedTuple):
    """Errors of a campaign that went on, and the terms that its design can tell apart."""

    covariance: AdjustedCovariance
    terms: tuple[str, ...]


def _planned(option: _Option, variances: Mapping[str, float]) -> _Planned:
    try:
        model = planned_model(option.design, variances)
    except DesignTooLarge as error:
        raise InputError(
            f"n_ratings: with {n_ratings_of(option.screens, option.lengths):,} ratings more, the "
            f"number of {error.what} would be {error.n:,}, and the model can take at most "
            f"{error.most:,}. Give smaller ones."
        ) from error
    return _Planned(model.covariance, model.terms)


@dataclasses.dataclass(frozen=True, eq=False)
class _Knowledge:
    """What is known of the systems' true effects: draws from a normal distribution, as estimated.

    With variance ``tau²`` between systems, a flat prior for their mean, and the covariance C of the
    estimates ``b``, effects are normal with precision ``inv(C) + (I - 11'/n) / tau²``.

    Attributes
    ----------
    estimates, mean : ndarray, shape (systems,)
        Mean of the effects, given the estimates.
    covariance : ndarray, shape (systems, systems)
        Of the effects, given the estimates.
    of_estimates_now : ndarray, shape (systems, systems)
        Covariance of the estimates.
    """

    estimates: FloatArray
    mean: FloatArray
    covariance: FloatArray
    of_estimates_now: FloatArray

    @classmethod
    def of(cls, model: MixedModel) -> _Knowledge:
        """What the model tells."""
        estimates = model.effects["estimate"].to_numpy()
        of_estimates = model.covariance.model_based
        between = variance_between(estimates, of_estimates)
        n = len(estimates)
        precision = np.linalg.inv(of_estimates)
        centring = np.eye(n) - 1 / n
        covariance = np.linalg.inv(precision + centring / between)
        mean = covariance @ precision @ estimates
        return cls(estimates, mean, covariance, of_estimates)

    def of_estimates(
        self, then: AdjustedCovariance, contrasts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the estimates that all ratings together will give.

        Estimates by generalised least squares do not correlate with what an estimate from a part of
        the ratings lacks.  So the covariance of the two is that of the later ones, C.  With G for
        ``C inv(C now)``, the later estimates are normal about ``effects + G (b - effects)`` with
        covariance ``C - G C``.
        """
        later = then.model_based
        weight = np.linalg.solve(self.of_estimates_now, later).T
        still_open = np.eye(len(later)) - weight
        mean = self.mean + weight @ (self.estimates - self.mean)
        covariance = later - weight @ later + still_open @ self.covariance @ still_open.T
        variance = np.sum((contrasts @ covariance) * contrasts, axis=1)
        return contrasts @ mean, np.sqrt(np.maximum(variance, 0.0))

    def table(self, model: MixedModel, pairs: _Pairs) -> pd.DataFrame:
        """The pairs as they are now."""
        error, freedom = model.covariance.of_contrasts(pairs.contrasts)
        return pairs.frame.assign(
            difference=pairs.contrasts @ self.estimates,
            shrunk=pairs.contrasts @ self.mean,
            standard_error=error,
            degrees_of_freedom=freedom,
        )


def variance_between(estimates: FloatArray, covariance: FloatArray) -> float:
    """The variance of the true effects, if they are draws of which these are estimates.

    That by which squared standardised residuals are as large as they should be (Paule & Mandel
    1982), and at least a millionth of the mean squared error.

    Parameters
    ----------
    estimates : ndarray, shape (systems,)
    covariance : ndarray, shape (systems, systems)
        Of the estimates; what they have in common does not matter.

    Examples
    --------
    With equal errors it is what the variance of the estimates has above theirs:

    >>> estimates = np.array([0.0, 2.0, 4.0])
    >>> round(variance_between(estimates, np.eye(3)), 6)
    3.0
    """
    n = len(estimates)
    centring = np.eye(n) - 1 / n
    vectors = np.linalg.svd(centring)[0][:, : n - 1]  # an orthonormal basis of contrasts
    contrasts = vectors.T @ estimates
    errors = vectors.T @ covariance @ vectors
    least = _LEAST_BETWEEN * np.trace(errors) / (n - 1)

    def excess(between: float) -> float:
        whole = errors + between * np.eye(n - 1)
        return float(contrasts @ np.linalg.solve(whole, contrasts)) - (n - 1)

    if excess(least) <= 0:
        return float(least)
    most = float(contrasts @ contrasts) / (n - 1) + least
    return float(optimize.brentq(excess, least, most))


def _names_of_pairs(pairs: pd.DataFrame) -> str:
    return listed([f"{row.system_a}–{row.system_b}" for row in pairs.itertuples()])


def _notes(model: MixedModel, campaign: _Campaign, told_apart: set[str]) -> Iterator[Note]:
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
