"""The options of every test by resampling, checked once."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, TypedDict, TypeVar, Unpack

from ..errors import InputError, unknown_name
from ..metrics.base import ArrayLike
from .counting import Counting, counting_rule
from .procedures import Alternative, Procedure, procedure_named
from .resampling import RNG, check_n_resamples, seed_from

#: That the Monte Carlo limits of a p-value are right at every look, together.
CONFIDENCE = 0.95

F = TypeVar("F", bound=Callable[..., Any])


class Options(TypedDict, total=False):
    """What may be chosen of a test; :func:`mtsig_nb.approximate_randomization` says what it is."""

    alternative: Alternative
    n_resamples: int | None
    rng: RNG
    counting: str | Counting
    units: str | ArrayLike
    exact: bool | None
    executor: Executor | None


DEFAULTS = Options(
    alternative="two-sided",
    n_resamples=10_000,
    rng=None,
    counting="add-one",
    units="segments",
    exact=None,
    executor=None,
)


def takes_options(**defaults: Any) -> Callable[[F], F]:
    """Decorate a function of ``**options`` with the signature that help and completion show.

    Parameters
    ----------
    **defaults
        Those that differ from `DEFAULTS`.

    Examples
    --------
    >>> @takes_options(n_resamples=None)
    ... def test(system, **options): ...
    >>> print(str(inspect.signature(test))[:62])
    (system, *, alternative: 'Alternative' = 'two-sided', n_resamp
    """
    hints, keyword = Options.__annotations__, inspect.Parameter.KEYWORD_ONLY
    chosen = [
        inspect.Parameter(name, keyword, default=default, annotation=hints[name].__forward_arg__)
        for name, default in {**DEFAULTS, **defaults}.items()
    ]

    def documented(function: F) -> F:
        signature = inspect.signature(function)
        *own, _ = signature.parameters.values()
        function.__signature__ = signature.replace(parameters=[*own, *chosen])  # type: ignore[attr-defined]
        return function

    return documented


def check_names(function: str, options: Mapping[str, Any]) -> None:
    """Raise `TypeError`, as Python does, for an option that `function` does not have."""
    for name in options:
        if name not in DEFAULTS:
            known = unknown_name("option", name, DEFAULTS)
            raise TypeError(f"{function}() got an unexpected keyword argument: {known}")


@dataclasses.dataclass(frozen=True, eq=False)
class Design:
    """How pairs of systems are tested by resampling; checked when made by `of`.

    Attributes
    ----------
    procedure : Procedure
    alternative : {"two-sided", "greater", "less"}
    counting : Counting
    looks : tuple of int
        Numbers of resamples after which it is seen whether more are needed; the last is the most.
    units : str or array_like of shape (segments,)
    exact : bool or None
        Whether all exchanges are enumerated; None for pairs where that is less work.
    seed : int
    together : bool
        Whether the resamples of all pairs are needed again after the counting.
    executor : concurrent.futures.Executor or None
    """

    procedure: Procedure
    alternative: Alternative
    counting: Counting
    looks: tuple[int, ...]
    units: str | ArrayLike
    exact: bool | None
    seed: int
    together: bool = False
    executor: Executor | None = None

    @classmethod
    def of(
        cls,
        test: str | Procedure,
        *,
        looks: tuple[int, ...] = (),
        together: bool = False,
        **options: Unpack[Options],
    ) -> Design:
        """The design with these options, as in :func:`mtsig_nb.approximate_randomization`.

        `looks` are taken where `n_resamples` is None.

        Raises
        ------
        InputError
            Naming the option that is not possible.
        """
        chosen: Options = {**DEFAULTS, **options}
        procedure, rule = procedure_named(test), counting_rule(chosen["counting"])
        procedure.tails(chosen["alternative"])
        n_resamples, exact = chosen["n_resamples"], chosen["exact"]
        if n_resamples is not None or not looks:
            looks = (check_n_resamples(n_resamples),)
        if exact and procedure.kind != "shuffle":
            raise InputError(
                f"exact=True: the {procedure.title} has too many resamples to enumerate; "
                "approximate randomization can be enumerated."
            )
        if exact and rule.comparator == ">":
            raise InputError(
                "counting: exact=True counts all arrangements as extreme as the observed one, "
                "itself among them; use a rule that counts ties, such as 'add-one'."
            )
        alternative, units, executor = chosen["alternative"], chosen["units"], chosen["executor"]
        seed = seed_from(chosen["rng"])
        return cls(procedure, alternative, rule, looks, units, exact, seed, together, executor)

    @property
    def look_level(self) -> float:
        """Confidence level of one look's limits such that all looks' together have `CONFIDENCE`."""
        return 1 - (1 - CONFIDENCE) / len(self.looks)
