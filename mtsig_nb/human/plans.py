"""Plans of an evaluation by people: what each design costs, and which difference it can show."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
from scipy import special

from ..metrics.base import FloatArray, Mask
from .planned_errors import Sources, squared_errors

#: What a plan can buy, and how much of it.
MOST = {"rater": 40, "document": 500, "segment": 20, "rating": 5, "generation": 5, "call": 5}
#: At most so many numbers between one and the largest are tried, of raters and so on.
_N_TRIED = 30


@dataclasses.dataclass(frozen=True)
class Designs:
    """Designs of an evaluation of two systems, as arrays with an entry for each design.

    Attributes
    ----------
    raters, documents : ndarray
    segments : ndarray
        Of each document.
    ratings : ndarray
        Of each output; by so many raters.
    generations : ndarray
        Of each segment by each system.
    calls : ndarray
        For each rating.
    """

    raters: FloatArray
    documents: FloatArray
    segments: FloatArray
    ratings: FloatArray
    generations: FloatArray
    calls: FloatArray

    @classmethod
    def up_to(cls, most: Mapping[str, int]) -> Designs:
        """All combinations of so many raters, documents and so on, by the names of `MOST`."""
        tried = [np.unique(np.geomspace(1, most[name], _N_TRIED).round()) for name in MOST]
        grids = np.meshgrid(*tried, indexing="ij")
        return cls(*(grid.ravel() for grid in grids))

    def chosen(self, which: Mask) -> Designs:
        """Some of the designs."""
        return Designs(**{name: numbers[which] for name, numbers in self.numbers().items()})

    def numbers(self) -> dict[str, FloatArray]:
        """The array of each attribute, by its name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def are_possible(self, samples: Collection[str]) -> Mask:
        """Whether raters suffice, every rater has a document, and there are two of each sample."""
        enough_raters = self.ratings <= self.raters
        enough_documents = self.raters <= self.documents * self.ratings
        possible: Mask = enough_raters & enough_documents
        for name in ("rater", "document", "segment"):
            if name in samples:
                possible &= self.levels()[name] > 1
        return possible

    def bought(self) -> dict[str, FloatArray]:
        """How much of everything is paid for, for both systems together, by the names of `MOST`."""
        segments = self.documents * self.segments
        outputs = 2 * segments * self.generations
        ratings = outputs * self.ratings
        return {
            "rater": self.raters,
            "document": self.documents,
            "segment": segments,
            "rating": ratings,
            "generation": outputs,
            "call": ratings * self.calls,
        }

    def levels(self) -> dict[str, FloatArray]:
        """How many draws of each source of variation are averaged in the mean of a system."""
        segments = self.documents * self.segments
        outputs = segments * self.generations
        ratings = outputs * self.ratings
        return {
            "rest": ratings * self.calls,
            "rater": self.raters,
            "document": self.documents,
            "segment": segments,
            "generation": outputs,
            "rater × document": self.documents * self.ratings,
            "rater × segment": segments * self.ratings,
            "rater × generation": ratings,
        }


def best_plans(
    variances: pd.Series,
    samples: Collection[str],
    *,
    costs: Mapping[str, float],
    most: Mapping[str, int],
    power: float,
    alpha: float,
) -> pd.DataFrame:
    """The designs of which no other is both cheaper and sharper; see `VarianceComponents.plans`."""
    designs = Designs.up_to(most)
    sources = Sources(dict(variances), samples)
    is_possible = designs.are_possible(samples) & sources.can_be_told_apart(designs)
    designs = designs.chosen(is_possible)
    squared_error, freedom = squared_errors(designs, sources)
    error = np.sqrt(squared_error)
    critical_t = special.stdtrit(freedom, 1 - alpha / 2)
    detectable_t = critical_t + special.stdtrit(freedom, power)
    cost = sum(costs.get(name, 0.0) * n for name, n in designs.bought().items())
    table = pd.DataFrame(designs.numbers(), dtype=np.int64)
    table = table.assign(cost=cost, standard_error=error, detectable=detectable_t * error)
    table = table.sort_values(["cost", "detectable"], ignore_index=True)
    sharpest_of_cheaper = table["detectable"].cummin().shift(fill_value=np.inf)
    return table[table["detectable"] < sharpest_of_cheaper].reset_index(drop=True)
