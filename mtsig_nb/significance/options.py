"""The options of a comparison of several systems: each one's name, default and check."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from ..conclusions.deciding import check_level
from ..engine.options import Design, ResamplingOptions
from ..engine.resampling import RNG
from ..errors import check_one_of
from ..metrics.base import ArrayLike
from .corrections import LOOKS, OF_RESAMPLES, correction_named

#: The correction that suits what is compared.
USUAL = "usual"
#: Intervals of all pairs together; `confidence_interval` has more for a single pair.
INTERVALS = ("percentile", "basic", "simultaneous")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestOptions(ResamplingOptions):
    """How all pairs are tested and corrected for their number; checked when made.

    These are the options of :func:`mtsig_nb.compare_all`, which has them at length, with the
    defaults of the command line: a fixed seed, and what suits the data where that is known later.

    Parameters
    ----------
    test, alternative, counting, exact, executor
        As in :class:`ResamplingOptions`.
    n_resamples : int, optional
        None draws as many as are needed.
    rng : None, int or Generator
    units : str or array_like, optional
        None for those that suit the data.
    correction : str or None
        ``"usual"`` for the one that suits the data; None corrects nothing.
    alpha : float
    interval : {"percentile", "basic", "simultaneous", None}
    confidence_level : float
    interval_resamples : int

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
        return {
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "alternative": self.alternative,
            "n_resamples": self.n_resamples,
            "units": self.units,
            "counting": self.counting,
            "interval": self.interval,
            "confidence_level": self.confidence_level,
            "seed": self.seed,
        }

    def arguments(self) -> dict[str, Any]:
        """What :func:`mtsig_nb.compare_all` is given for the plain settings."""
        settings = self.to_dict()
        seed = settings.pop("seed")
        return settings | {"rng": seed}

    def design(self) -> Design:
        """What the engine is asked for."""
        needs_all_resamples = self.correction in OF_RESAMPLES
        # A correction that draws anew for all systems has no third look.
        looks = LOOKS[:2] if needs_all_resamples else LOOKS
        return Design(self, looks_as_needed=looks, together=needs_all_resamples)
