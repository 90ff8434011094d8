"""The options of every test by resampling: each one's name, default and check."""

from __future__ import annotations

import dataclasses
import functools
from concurrent.futures import Executor
from typing import ClassVar

from ..errors import InputError
from ..metrics.base import ArrayLike
from .counting import Counting, counting_rule
from .procedures import Alternative, Procedure, procedure_named
from .resampling import RNG, check_n_resamples, seed_from

#: The confidence level of a p-value's Monte Carlo limits, at all looks together.
CONFIDENCE = 0.95


@dataclasses.dataclass(frozen=True, kw_only=True)
class ResamplingOptions:
    """How a pair of systems is tested by resampling; checked when made.

    Parameters
    ----------
    test : str or Procedure
    alternative : {"two-sided", "greater", "less"}
    n_resamples : int or None
    rng : None, int or Generator
        A seed is drawn from it when the options are made, and takes its place.
    counting : str or Counting
    units : str or array_like of shape (segments,), optional
        None for segments, where nobody who knows the data has chosen.
    exact : bool or None
        Whether all exchanges are enumerated; None for pairs where that is less work.
    executor : concurrent.futures.Executor or None

    Raises
    ------
    InputError
        Naming the option that is not possible.

    See Also
    --------
    mtsig_nb.approximate_randomization : has all of them, at length.

    Examples
    --------
    >>> options = ResamplingOptions(test="ar", rng=1)
    >>> options.procedure.title, options.rule.comparator, options.seed
    ('approximate randomization', '>=', 1)
    """

    #: Whether None stands for as many resamples as are needed.
    draws_as_needed: ClassVar[bool] = False

    test: str | Procedure = "approximate-randomization"
    alternative: Alternative = "two-sided"
    n_resamples: int | None = 10_000
    rng: RNG = None
    counting: str | Counting = "add-one"
    units: str | ArrayLike | None = "segments"
    exact: bool | None = None
    executor: Executor | None = None

    def __post_init__(self) -> None:
        procedure = self.procedure
        rule = self.rule
        procedure.tails(self.alternative)
        if self.n_resamples is not None or not self.draws_as_needed:
            object.__setattr__(self, "n_resamples", check_n_resamples(self.n_resamples))
        if self.exact and procedure.kind != "shuffle":
            raise InputError(
                f"exact=True: the {procedure.title} has too many resamples to enumerate; "
                "approximate randomization can be enumerated."
            )
        if self.exact and rule.comparator == ">":
            raise InputError(
                "counting: exact=True counts all arrangements as extreme as the observed one, "
                "itself among them; use a rule that counts ties, such as 'add-one'."
            )
        object.__setattr__(self, "rng", seed_from(self.rng))

    @functools.cached_property
    def procedure(self) -> Procedure:
        """The test itself."""
        return procedure_named(self.test)

    @functools.cached_property
    def rule(self) -> Counting:
        """How extreme resamples are counted, and a p-value made of their number."""
        return counting_rule(self.counting)

    @property
    def resampled_units(self) -> str | ArrayLike:
        """What is exchanged or drawn as a whole."""
        return "segments" if self.units is None else self.units

    @property
    def seed(self) -> int:
        """The seed, which gives the same resamples again."""
        return seed_from(self.rng)


@dataclasses.dataclass(frozen=True, eq=False)
class Design:
    """What the engine is asked for: options, and the numbers of resamples at which it may stop.

    Parameters
    ----------
    options : ResamplingOptions
    looks_as_needed : tuple of int
        The `looks` where `n_resamples` is None.
    together : bool
        Whether the resamples of all pairs are needed again after the counting.
    """

    options: ResamplingOptions
    looks_as_needed: tuple[int, ...] = ()
    together: bool = False

    @property
    def looks(self) -> tuple[int, ...]:
        """Numbers of resamples after which more may be asked for, up to the largest number."""
        n_resamples = self.options.n_resamples
        return self.looks_as_needed if n_resamples is None else (n_resamples,)

    @property
    def look_level(self) -> float:
        """Confidence level of one look's limits such that all looks' together have `CONFIDENCE`."""
        return 1 - (1 - CONFIDENCE) / len(self.looks)
