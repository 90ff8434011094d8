"""`compare_all`, and its options as one object: each option's name, default, meaning and check.

The options are written twice, as fields of `TestOptions` and as parameters of `compare_all`, where
each is described.  `all_pairs` has the tests themselves.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, ClassVar

from ..conclusions.deciding import check_level
from ..engine.counting import Counting
from ..engine.options import Design, ResamplingOptions
from ..engine.procedures import Alternative, Procedure
from ..engine.resampling import RNG
from ..errors import check_one_of
from ..metrics.base import ArrayLike
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics
from .all_pairs import compare_by
from .comparisons import Comparisons
from .corrections import LOOKS, OF_RESAMPLES, correction_named

#: The correction that suits what is compared.
USUAL = "usual"
#: Intervals of all pairs together; `confidence_interval` has more for a single pair.
INTERVALS = ("percentile", "basic", "simultaneous")
#: Parameters of `compare_all` that are no plain settings of an analysis.
_NO_SETTINGS = frozenset(("statistics", "interval_resamples", "exact", "executor"))


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestOptions(ResamplingOptions):
    """How all pairs are tested and corrected for their number; checked when made.

    The fields are the options of :func:`compare_all`, which describes them.  Their defaults are
    those of the command line: a fixed seed, and what suits the data where that is known later.

    Parameters
    ----------
    rng : None, int or Generator
        A seed is drawn of it when the options are made, and takes its place.
    units : str or array_like, optional
        None for those that suit the data.
    correction : str or None
        ``"usual"`` for the one that suits the data; None corrects nothing.

    Raises
    ------
    InputError
        Naming the option that is not possible.

    Examples
    --------
    >>> options = TestOptions(test="bootstrap", alpha=0.01)
    >>> options.to_dict()["test"], options.alpha, options.seed
    ('bootstrap', 0.01, 12345)
    >>> options.but(seed=7).rng
    7
    """

    __test__: ClassVar[bool] = False  # whatever pytest makes of the name
    draws_as_needed: ClassVar[bool] = True

    n_resamples: int | None = None
    rng: RNG = 12345
    units: str | ArrayLike | None = None
    correction: str | None = USUAL
    alpha: float = 0.05
    interval: str | None = "percentile"
    confidence_level: float = 0.95
    interval_resamples: int = 2000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_level(self.alpha)
        check_level(self.confidence_level, "confidence_level")
        if self.interval is not None:
            check_one_of("interval", self.interval, INTERVALS)
        if self.correction != USUAL:
            correction_named(self.correction)

    def but(self, **settings: Any) -> TestOptions:
        """The same with other plain settings, named as `to_dict` names them."""
        if "seed" in settings:
            settings["rng"] = settings.pop("seed")
        return dataclasses.replace(self, **settings)

    def to_dict(self) -> dict[str, Any]:
        """The plain settings, texts and numbers alone, in the order of JSON."""
        settings = self.arguments()
        seed = settings.pop("rng")
        return settings | {"seed": seed}

    def arguments(self) -> dict[str, Any]:
        """The plain settings as :func:`compare_all` takes them, in the order of its parameters."""
        parameters = inspect.signature(compare_all).parameters
        return {name: getattr(self, name) for name in parameters if name not in _NO_SETTINGS}

    def design(self) -> Design:
        """What the engine is asked for."""
        needs_all_resamples = self.correction in OF_RESAMPLES
        # A correction that draws anew for all systems has no third look.
        looks = LOOKS[:2] if needs_all_resamples else LOOKS
        return Design(self, looks_as_needed=looks, together=needs_all_resamples)


def compare_all(
    statistics: SufficientStatistics | ScoredSets | Sequence[SufficientStatistics | ScoredSets],
    *,
    test: str | Procedure = "approximate-randomization",
    correction: str | None = "holm",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    units: str | ArrayLike = "segments",
    counting: str | Counting = "add-one",
    interval: str | None = "percentile",
    confidence_level: float = 0.95,
    interval_resamples: int = 2000,
    rng: RNG = None,
    exact: bool | None = None,
    executor: Executor | None = None,
) -> Comparisons:
    """Test every pair of systems, under one metric or several, and correct for their number.

    All pairs and metrics share the same draws: less work, less noise between them, and the
    dependence between pairs is kept for the corrections that use it.

    Parameters
    ----------
    statistics : SufficientStatistics or ScoredSets, or sequence of them
        Several metrics on the same segments and systems widen the family of comparisons.  With
        :func:`test_sets`, the mean over all test sets and every single test set are compared in one
        family; ``"westfall-young"`` is the correction for so many.
    test : str
        ``"approximate-randomization"``, ``"sign-flip"``, ``"bootstrap"``,
        ``"studentized-bootstrap"``, ``"paired-bootstrap"`` or ``"riezler-maxwell-bootstrap"``.
    correction : str or None
        See :mod:`mtsig_nb.significance.corrections`.  None reports p-values as they are.
    alpha : float
        Level of the conclusions in the table.
    alternative : {"two-sided", "greater", "less"}
        In each pair `system_a` is the one with the better score, so ``"greater"`` tests the
        winner: a one-sided test in a direction chosen after looking, as in Graham et al. (2014).
    n_resamples : int, optional
        By default 10,000, then 30,000 and at most 100,000 for the systems of those pairs whose
        conclusion more resamples could still turn (at most 30,000, for all, where the correction
        needs the resamples themselves); see :mod:`mtsig_nb.significance.corrections`.  If a number
        is given, exactly so many are drawn.  Pairs that stay open are in the conclusions'
        `unresolved`, and "cannot tell" in the table.
    units, counting, exact, rng, executor
        As in :func:`approximate_randomization`.  Test sets already have their units.
    interval : {"percentile", "basic", "simultaneous", None}
        Interval of each difference, from bootstrap resamples of the same units.  Percentile and
        basic intervals each hold for their pair alone, as :func:`confidence_interval` makes them;
        simultaneous ones hold for all pairs under all metrics together.  These agree with the first
        step of ``"romano-wolf"``.  Other conclusions may differ from the intervals, and a note says
        in how many pairs; :mod:`mtsig_nb.significance.intervals` explains where and why.  Intervals
        of scores each hold for their system.
    confidence_level : float
        Of the intervals.
    interval_resamples : int

    Returns
    -------
    Comparisons
        Of test sets :class:`SetComparisons`.

    Raises
    ------
    InputError
        For metrics that do not share their systems and segments, fewer than two systems, or a
        correction that does not go with the test.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> p = mt.compare_all(mt.load("wmt12/es-en").statistics("BLEU"), n_resamples=2000, rng=2014)
    >>> p.table[["system_a", "system_b", "conclusion"]].head(2)
      system_a       system_b conclusion
    0  onlineB    uedin-wmt12     better
    1  onlineB  QCRI--primary     better
    """
    options = TestOptions(
        test=test,
        correction=correction_named(correction),
        alpha=alpha,
        alternative=alternative,
        n_resamples=n_resamples,
        units=units,
        counting=counting,
        interval=interval,
        confidence_level=confidence_level,
        interval_resamples=interval_resamples,
        rng=rng,
        exact=exact,
        executor=executor,
    )
    return compare_by(options, statistics)
