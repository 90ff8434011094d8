"""The aims: what each figure should be at most, or at least."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class Aim:
    """A limit for one figure of a row.

    Attributes
    ----------
    figure : str
        The name of the figure, as in `tables.FIGURES`.
    limit : float
    is_least : bool
        Whether the figure should be at least `limit`, as ratios of speed should; at most otherwise.
    """

    figure: str
    limit: float
    is_least: bool = False

    def is_met(self, figures: Mapping[str, float]) -> bool:
        """Whether the figure is within the limit.

        Examples
        --------
        >>> Aim("megabytes", 1000).is_met({"megabytes": 990.0})
        True
        >>> Aim("times_as_fast", 2.0, is_least=True).is_met({"times_as_fast": 1.9})
        False
        """
        measured = figures[self.figure]
        if self.is_least:
            return measured >= self.limit
        return measured <= self.limit


def _as_soon_as_paired_bs(times: float) -> tuple[Aim, ...]:
    """The first answer should come so many times as soon as that of ``sacrebleu --paired-bs``."""
    return (Aim("times_as_fast_as_paired_bs", times, is_least=True),)


#: The aims of each row that has any, by what is measured.
AIMS: dict[str, tuple[Aim, ...]] = {
    "statistics of many systems": (Aim("exponent_in_systems", 1.2),),
    "pairs of many systems": (Aim("exponent_in_systems", 2.0),),
    "50 systems with intervals": (Aim("processor_seconds", 1.0),),
    "200 systems, Holm": (Aim("processor_seconds", 5.0),),
    "200 systems, Westfall-Young": (Aim("processor_seconds", 30.0),),
    "a million segments, 2 systems": (Aim("processor_seconds", 12.0), Aim("megabytes", 1000)),
    "a million segments, 10 systems": (Aim("times_the_input", 3.0),),
    "ten million segments, each of 2 workers": (Aim("megabytes", 2000),),
    "help": (Aim("processor_seconds", 0.15),),
    "first answer, uk-en, cold": _as_soon_as_paired_bs(1.5),
    "first answer, uk-en, warm": _as_soon_as_paired_bs(2.3),
    "first answer, es-en, cold": _as_soon_as_paired_bs(2.0),
    "first answer, es-en, warm": _as_soon_as_paired_bs(3.0),
    "first answer, 12 systems, cold": _as_soon_as_paired_bs(3.0),
    "first answer, 12 systems, warm": _as_soon_as_paired_bs(6.0),
    "a move in the explorer": (Aim("milliseconds", 150), Aim("worst_milliseconds", 250)),
    "the whole benchmark": (Aim("minutes", 5.0),),
}
