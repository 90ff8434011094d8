"""What results have in common: what they are about, and how they came about."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from .. import __version__
from ..described import Described
from ..engine.counting import Counting
from ..engine.options import Design
from ..engine.procedures import PROCEDURES, Alternative
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Provenance(Described):
    """How a result came about: what was resampled, how often, from which seed."""

    n_resamples: int = 0
    rng: int | None = None
    n_units: int
    unit: str
    test_set: str = ""
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OfTest(Provenance):
    """What was done by a test."""

    test: str
    title: str
    draws: str = ""
    alternative: Alternative
    counting: Counting = dataclasses.field(default_factory=Counting)

    def _resampled(self) -> str:
        """What was drawn and how it was counted, for a paper."""
        return (
            f"{self.alternative}; {self.n_resamples:,} {self.draws} of {self.n_units:,} "
            f"{self.unit}, {self.counting.sentence}"
        )

    def _for_paper(
        self, what: str, how: str, *, level: str = "", further: str = "", seed: int | None
    ) -> str:
        """What was tested, by which test and which program, in sentences for a paper."""
        source = PROCEDURES[self.test].source if self.test in PROCEDURES else ""
        source = re.sub(r", (Figs?\.?|section)[^;]*", "", source)
        test = f"{self.title} ({source})" if source else self.title
        article = "" if test.startswith("approximate") else "the "
        where = f" on {self.test_set}" if self.test_set else ""
        known = f" (seed {seed})" if seed is not None else ""
        return (
            f"We tested {what}{where} by {article}{test}{level} ({how}).{further} "
            f"Computed by mtsig_nb {__version__}{known}."
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OfPair(Provenance):
    """What is about two systems under one metric."""

    system_a: str
    system_b: str
    metric: str
    metric_signature: str


def made_by(design: Design, statistics: SufficientStatistics) -> dict[str, Any]:
    """The fields of `OfTest` for statistics in the design's units, but for `notes`."""
    procedure = design.procedure
    return {
        "test": procedure.name,
        "title": procedure.title,
        "draws": procedure.draws,
        "alternative": design.alternative,
        "counting": design.counting,
        "n_resamples": design.looks[0],
        "rng": design.seed,
        **of_units(statistics),
    }


def of_units(statistics: SufficientStatistics) -> dict[str, Any]:
    """The fields of `Provenance` that statistics know."""
    return {
        "unit": statistics.unit,
        "n_units": statistics.n_segments,
        "test_set": statistics.test_set,
    }


def of_pair(pair: SufficientStatistics) -> dict[str, Any]:
    """The fields of `OfPair` for the statistics of two systems."""
    return {
        "system_a": pair.systems[0],
        "system_b": pair.systems[1],
        "metric": pair.label,
        "metric_signature": pair.signature,
    }


def notes_on_degenerate(degenerate: int, n_resamples: int, units: str) -> tuple[Note, ...]:
    """What to say where resamples have no standard error, for want of units that differ."""
    if not degenerate:
        return ()
    return (note("degenerate", n=degenerate, n_resamples=n_resamples, unit=units),)
