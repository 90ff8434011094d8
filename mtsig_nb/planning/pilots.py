"""The pilot of a power analysis: how much a difference varies, and test sets drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from ..conclusions.deciding import check_level, decide
from ..engine.procedures import Alternative, Procedure, procedure_named
from ..engine.resampling import RNG, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..significance.corrections import standard_errors
from ..significance.design_effects import documents_note
from ..significance.one_pair import select_pair
from ..significance.resolution import needed_resamples
from ..simulate import planted_difference
from ..simulate.rates import HELD, tallies
from ..simulate.worlds import Outputs, check_simulable
from ..statistics.sufficient import SufficientStatistics, pair_indices

Method = Literal["normal", "simulation"]


class Pilot:
    """A pilot and what is planned on it, checked; the arguments are those of `power`."""

    def __init__(
        self,
        statistics: SufficientStatistics,
        system_a: str | None,
        system_b: str | None,
        n_units: int | Sequence[int] | None,
        alpha: float,
        alternative: Alternative,
        comparisons: int,
        units: str | npt.ArrayLike,
        method: str,
    ) -> None:
        check_level(alpha)
        procedure_named("approximate-randomization").tails(alternative)
        check_one_of("method", method, get_args(Method))
        if comparisons < 1:
            raise InputError(f"comparisons={comparisons!r} must be at least 1.")
        if (system_a is None) != (system_b is None):
            raise InputError("system_a and system_b: name two systems, or none for all pairs.")
        if system_a is not None and system_b is not None:
            statistics = select_pair(statistics, system_a, system_b)
        elif len(statistics.systems) < 2:
            raise InputError("statistics: a comparison needs two systems.")
        self.pilot = statistics.by_unit(units)
        if self.pilot.n_segments < 2:
            raise InputError(f"statistics: a pilot needs at least two {self.pilot.unit}.")
        sizes = [self.pilot.n_segments] if n_units is None else np.atleast_1d(n_units).tolist()
        for n in sizes:
            if n != int(n) or n < 2:
                raise InputError(f"n_units={n!r} must be a whole number, at least 2.")
        self.sizes = [int(n) for n in sizes]
        self.alpha, self.alternative, self.comparisons = alpha, alternative, comparisons
        self.level = alpha / comparisons
        self.method = method

    def pairs(self) -> list[tuple[str, str, float]]:
        """Each pair with the standard deviation that one unit has, by the jackknife."""
        first, second = pair_indices(len(self.pilot.systems))
        errors = standard_errors(self.pilot, (first, second)) * np.sqrt(self.pilot.n_segments)
        names = self.pilot.systems
        return [
            (names[i], names[j], float(error))
            for i, j, error in zip(first, second, errors, strict=True)
        ]

    @property
    def critical(self) -> float:
        """How many standard errors a difference must measure."""
        return float(ndtri(1 - self.level / (2 if self.alternative == "two-sided" else 1)))

    def normal_power(self, effect: float, error: float) -> float:
        """NaN where the pilot's two outputs are the same, so that it says nothing."""
        return float(ndtr(effect / error - self.critical)) if error > 0 else np.nan

    def normal_difference(self, power: float, error: float) -> float:
        return (self.critical + float(ndtri(power))) * error if error > 0 else np.nan

    def simulate_with(
        self, test: str | Procedure, n_simulations: int, n_resamples: int, rng: RNG
    ) -> None:
        """What simulations run, checked; normal theory needs nothing of it."""
        self.procedure = procedure_named(test)
        self.n_simulations, self.n_resamples, self.seed = 0, n_resamples, None
        if self.method != "simulation":
            return
        self.n_simulations, self.seed = n_simulations, seed_from(rng)
        self.procedure.tails(self.alternative)
        check_n_resamples(self.n_resamples)
        check_simulable(self.pilot, n_simulations=self.n_simulations)
        needed = needed_resamples(self.procedure, self.level, alternative=self.alternative)
        if self.n_resamples < needed:
            raise InputError(
                f"n_resamples={self.n_resamples:,} are too few to reject at {self.level:g}; "
                f"take {needed:,} or more."
            )

    def largest(self, a: str, b: str) -> float:
        """The largest difference that simulated test sets can have."""
        return Outputs(select_pair(self.pilot, a, b)).largest

    def simulated(self, a: str, b: str, effect: float, n: int) -> int:
        """On how many simulated test sets the better system is found to be better."""
        sign = -1 if self.alternative == "less" else 1
        at_once = max(1, HELD // (2 * n * len(self.pilot.metric.columns)))
        found = 0
        for chunk, start in enumerate(range(0, self.n_simulations, at_once)):
            # The same test sets for all effects, others for every chunk.
            chunk_seed = seed_from(np.random.SeedSequence(self.seed, spawn_key=(n, chunk)))
            pairs = planted_difference(
                self.pilot,
                a,
                b,
                difference=sign * effect,
                n_units=n,
                n_pairs=min(at_once, self.n_simulations - start),
                rng=chunk_seed,
            )
            (result,) = tallies(
                pairs,
                [self.procedure.name],
                alternative=self.alternative,
                n_resamples=self.n_resamples,
                rng=chunk_seed,
            ).values()
            said = decide(result.observed.advantage, result.pvalues, self.level)
            found += int((said == sign).sum())
        return found

    def described(self) -> dict[str, Any]:
        """The fields that both results share."""
        notes: tuple[str, ...] = documents_note(self.pilot)
        if self.pilot.n_segments < 50:
            notes += (f"the pilot has only {self.pilot.n_segments} {self.pilot.unit}",)
        return {
            "alpha": self.alpha,
            "alternative": self.alternative,
            "comparisons": self.comparisons,
            "method": self.method,
            "test": "normal theory" if self.seed is None else self.procedure.title,
            "unit": self.pilot.unit,
            "n_pilot": self.pilot.n_segments,
            "metric": self.pilot.label,
            "metric_signature": self.pilot.signature,
            "test_set": self.pilot.test_set,
            "n_simulations": self.n_simulations,
            "rng": self.seed,
            "notes": notes,
        }
