"""Plans of a campaign in which all systems are rated: what each design costs, and shows."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Tabled
from ..errors import InputError, check_all_of, counted
from ..statistics.sufficient import pair_indices
from .mixed_model import TERMS, DesignTooLarge, planned_model
from .plan_arguments import (
    check_difference,
    checked_costs,
    checked_counts,
    is_count,
    is_finite,
)
from .reml import REST
from .screens import Rota, Screen, Work, frame_of_screens, up_to
from .tails import chance_of_rejection

#: How many translations a screen shows, where the caller does not say; and all of them.
_ON_A_SCREEN = (2, 4)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CampaignPlans(Tabled):
    """The costs of designs of a campaign, and the differences that they detect.

    Attributes
    ----------
    table : DataFrame
        One row per design, cheapest first, and at equal cost the most precise first: ``raters``,
        ``documents``, ``segments`` (of each document), ``on_a_screen`` (systems), ``screens``,
        ``ratings``, ``cost``; ``standard_error`` of a difference (root mean square over pairs) and
        fewest ``degrees_of_freedom``; ``detectable``, the true difference that is found with a
        chance of `power`; and with `detect`, the ``power`` for it.
    systems : int
    power, alpha : float
    detect : float or None

    Examples
    --------
    >>> variances = {"rater": 60, "system:rater": 6, "document": 50, "system:document": 25,
    ...              "segment": 36, "rest": 225}
    >>> plans = plan_campaign(variances, systems=6, raters=[4, 8], n_ratings=600, segments=3)
    >>> best = plans.recommended()
    >>> best[["raters", "documents", "on_a_screen"]].astype(int).tolist()
    [8, 34, 6]
    """

    _plotted = ("detectable",)

    table: pd.DataFrame
    systems: int
    power: float
    alpha: float
    detect: float | None = None

    def recommended(self) -> pd.Series:
        """The cheapest design that detects `detect`; otherwise the most precise one."""
        detectable = self.table["detectable"]
        if self.detect is not None:
            is_enough = detectable <= self.detect
            if is_enough.any():
                return self.table[is_enough].iloc[0]
        return self.table.iloc[int(detectable.argmin())]

    def _lines(self) -> list[str]:
        """The recommended design, and what it shows."""
        best = self.recommended()
        n = {name: int(best[name]) for name in ("raters", "documents", "segments", "on_a_screen")}
        lines = [
            f"{counted(n['raters'], 'rater')}, {counted(n['documents'], 'document')} of "
            f"{counted(n['segments'], 'segment')}, {n['on_a_screen']} of {self.systems} systems on "
            f"a screen: {int(best['ratings']):,} ratings, cost {best['cost']:,.6g}",
            f"standard error of a difference {best['standard_error']:.3g}, "
            f"{best['degrees_of_freedom']:.3g} degrees of freedom or more",
            f"a difference of {best['detectable']:.3g} is found with a chance of {self.power:g} "
            f"(two-sided tests at {self.alpha:.2g})",
        ]
        if self.detect is not None:
            lines.append(f"one of {self.detect:g} with a chance of {best['power']:.2g}")
        return lines

    def _below(self) -> pd.DataFrame:
        return self.table


def plan_campaign(
    components: Mapping[str, float] | pd.DataFrame,
    *,
    systems: int,
    raters: int | Sequence[int],
    n_ratings: int | Sequence[int],
    documents: int | None = None,
    segments: int | Sequence[int] = (1, 3, 10),
    on_a_screen: int | Sequence[int] | None = None,
    costs: Mapping[str, float] | None = None,
    detect: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> CampaignPlans:
    """Designs of a new campaign, and what the mixed model will show from its ratings.

    Screens are dealt out as in :func:`mtsig_nb.human.next_judgements`: one document after the
    other, with all systems of each.  Every rater gets as nearly as possible as many screens, and as
    many of each system, as the others.  If several numbers are given, all combinations are tried.

    Parameters
    ----------
    components : mapping of str to float, or DataFrame
        Variances by term, ``"rest"`` included: ``components`` of a pilot's model or of another
        campaign's, or a mapping by the names of :data:`mtsig_nb.human.mixed_model.TERMS`.
    systems : int
    raters : int or sequence of int
    n_ratings : int or sequence of int
        The budget.  The last screen may exceed it by a few ratings.
    documents : int, optional
        The largest possible number of documents.  Once all systems were rated on all of them, other
        raters rate them again.  By default as many as the ratings allow for.
    segments : int or sequence of int
        Of each document.
    on_a_screen : int or sequence of int, optional
        How many systems a screen shows; by default 2, 4 or all.
    costs : mapping of str to float, optional
        Of a ``"rating"``, a ``"screen"``, a ``"document"`` and a ``"rater"``; by default a rating
        costs 1, and all else nothing.
    detect : float, optional
        A true difference, in points, for which the power is computed.
    power : float
        The probability with which the difference in the column ``detectable`` is found.
    alpha : float
        Level of the two-sided test of a pair.  With Bonferroni's or Holm's method, the first of
        many pairs needs a p-value below alpha divided by their number: give that level.

    Returns
    -------
    CampaignPlans
        With a row per design; ``recommended()`` is one of them.

    Raises
    ------
    InputError
        If a term or a cost is unknown, a number is out of range, or the budget leaves a system
        unrated.

    Notes
    -----
    Standard errors and degrees of freedom are Kenward & Roger's (1997) for this design and these
    variances.  Variances that a design cannot tell apart are added up, as in the fitted model.  A
    pilot in which each output was rated once cannot separate the variance of outputs from the rest:
    plans in which outputs are rated again then promise too much.

    In 300 simulated campaigns of each of four designs, with 6 systems and 4 to 12 raters, fitted
    standard errors were on average .5 to 2.3 % above the planned ones.  The test found a difference
    of 5 points in .250 to .707 where the planned power was .276 to .713, and one between equal
    systems in .033 to .053, at a level of .05 (``python -m tools.trust.planned_campaigns``).

    See Also
    --------
    mtsig_nb.human.variance_components.VarianceComponents.plans : for two systems, with closed
        formulas instead of designs.

    References
    ----------
    Kenward & Roger (1997), Small sample inference for fixed effects from restricted maximum
    likelihood.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> pilot = mt.load("wmt24/en-cs").judgements["esa_ratings"].mixed_model()
    >>> plans = mt.human.plan_campaign(
    ...     pilot.components, systems=10, raters=[4, 8], n_ratings=1000, segments=4, on_a_screen=3
    ... )
    >>> plans.table[["raters", "standard_error"]].round(2).values.tolist()
    [[8.0, 2.87], [4.0, 3.23]]
    """
    variances = _checked_variances(components)
    if not is_count(systems, 2):
        raise InputError(f"systems={systems!r} must be a whole number of at least 2.")
    if documents is not None and not is_count(documents, 2):
        raise InputError(f"documents={documents!r} must be a whole number of at least 2.")
    check_difference("detect", detect)
    prices = checked_costs(costs)
    check_level(alpha)
    check_level(power, "power")
    if on_a_screen is None:
        on_a_screen = sorted({min(n, systems) for n in (*_ON_A_SCREEN, systems)})
    choices = itertools.product(
        checked_counts("raters", raters, 2),
        checked_counts("segments", segments, 1),
        checked_counts("on_a_screen", on_a_screen, 1),
        checked_counts("n_ratings", n_ratings, systems),
    )
    rows = []
    for n_raters, n_segments, n_shown, n_wanted in choices:
        design = _Design.dealt(
            systems=systems,
            raters=n_raters,
            documents=documents,
            segments=n_segments,
            on_a_screen=min(n_shown, systems),
            n_ratings=n_wanted,
        )
        rows.append(design.row(prices) | _shown_by(design, variances, power, alpha, detect))
    table = pd.DataFrame(rows).drop_duplicates()
    return CampaignPlans(
        table=table.sort_values(["cost", "detectable"], kind="stable", ignore_index=True),
        systems=systems,
        power=power,
        alpha=alpha,
        detect=detect,
    )


def screens_of_campaign(
    *,
    systems: int,
    raters: int,
    n_ratings: int,
    segments: int,
    on_a_screen: int,
    documents: int | None = None,
) -> pd.DataFrame:
    """Who rates what in a design of `plan_campaign`, whose parameters these are.

    Returns
    -------
    DataFrame
        One row per rating: ``screen``, ``system``, ``rater``, ``document`` and ``segment`` (within
        its document), all numbers from 0 on.

    Examples
    --------
    >>> frame = screens_of_campaign(systems=4, raters=2, n_ratings=12, segments=1, on_a_screen=2)
    >>> frame.groupby("screen")["system"].agg(list).tolist()
    [[0, 1], [2, 3], [2, 3], [0, 1], [0, 2], [1, 3]]
    """
    design = _Design.dealt(
        systems=systems,
        raters=raters,
        documents=documents,
        segments=segments,
        on_a_screen=on_a_screen,
        n_ratings=n_ratings,
    )
    return frame_of_screens(design.screens, design.lengths)


def _checked_variances(components: Mapping[str, float] | pd.DataFrame) -> dict[str, float]:
    """The variances by term; raises `InputError` where one is unknown or no variance."""
    if isinstance(components, pd.DataFrame):
        missing = [name for name in ("term", "variance") if name not in components]
        if missing:
            raise InputError(
                f"components has no column {missing[0]!r}; give those of a mixed model."
            )
        components = dict(zip(components["term"], components["variance"], strict=True))
    check_all_of("components", components, [*TERMS, REST])
    for name, variance in components.items():
        if not (is_finite(variance) and variance >= 0):
            raise InputError(f"components: {name}={variance!r} must be a variance of at least 0.")
    if not components.get(REST):
        raise InputError("components: 'rest' must be above 0, as ratings of an output differ.")
    return dict(components)


@dataclasses.dataclass(frozen=True)
class _Design:
    """Screens of a campaign, with what was asked for.

    Attributes
    ----------
    asked : dict of str to int
        Raters, segments of a document and systems on a screen.
    n_systems : int
    screens : list of Screen
    lengths : ndarray of int
        Of the documents.
    """

    asked: dict[str, int]
    n_systems: int
    screens: list[Screen]
    lengths: np.ndarray

    @classmethod
    def dealt(
        cls,
        *,
        systems: int,
        raters: int,
        documents: int | None,
        segments: int,
        on_a_screen: int,
        n_ratings: int,
    ) -> _Design:
        """That of so many ratings."""
        n_documents = -(-n_ratings // (systems * segments))
        if documents is not None:
            n_documents = min(documents, n_documents)
        lengths = np.full(n_documents, segments)
        rota = Rota(np.zeros((raters, n_documents, systems), dtype=bool))
        dealt = rota.deal(
            systems=range(systems),
            raters=range(raters),
            documents=range(n_documents),
            n_segments=lengths,
            on_a_screen=on_a_screen,
        )
        screens = list(up_to(n_ratings, dealt, lengths))
        shown = {system for screen in screens for system in screen.systems}
        if len(shown) < systems:
            raise InputError(
                f"n_ratings={n_ratings} leave {counted(systems - len(shown), 'system')} of "
                f"{systems} unrated, with {counted(segments, 'segment')} a document. Give more."
            )
        asked = {"raters": raters, "segments": segments, "on_a_screen": on_a_screen}
        return cls(asked, systems, screens, lengths)

    @property
    def work(self) -> Work:
        """How much is judged."""
        return Work.of(self.screens, self.lengths)

    def row(self, prices: Mapping[str, float]) -> dict[str, float]:
        """What is judged, and the cost."""
        work = self.work
        return {
            "raters": work.raters,
            "documents": work.documents,
            "segments": self.asked["segments"],
            "on_a_screen": self.asked["on_a_screen"],
            "screens": work.screens,
            "ratings": work.ratings,
            "cost": work.cost(prices),
        }

    def frame(self) -> pd.DataFrame:
        """One row per rating."""
        frame = frame_of_screens(self.screens, self.lengths).drop(columns="screen")
        return frame.assign(generation=0)


def _shown_by(
    design: _Design,
    variances: Mapping[str, float],
    power: float,
    alpha: float,
    detect: float | None,
) -> dict[str, float]:
    """Standard error, degrees of freedom, and what is detected."""
    try:
        planned = planned_model(design.frame(), variances)
    except DesignTooLarge as error:
        raise InputError(
            f"n_ratings={design.work.ratings}: the number of {error.what} would be {error.n:,}, "
            f"and the model can take at most {error.most:,}. Give shorter documents, more of them, "
            "or fewer raters."
        ) from error
    a, b = pair_indices(design.n_systems)
    each = np.eye(design.n_systems)
    errors, freedoms = planned.covariance.of_contrasts(each[a] - each[b])
    typical = float(np.sqrt(np.mean(errors**2)))
    freedom = float(freedoms.min())
    threshold = special.stdtrit(freedom, 1 - alpha / 2)
    shown = {
        "standard_error": typical,
        "degrees_of_freedom": freedom,
        "detectable": typical * float(special.nctdtrinc(freedom, 1 - power, threshold)),
    }
    if detect is not None:
        shown["power"] = float(
            chance_of_rejection(
                detect, typical, standard_error=typical, freedom=freedom, alpha=alpha
            )
        )
    return shown
