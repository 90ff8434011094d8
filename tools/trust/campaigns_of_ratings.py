"""Invented campaigns of ratings that nobody balanced, whose systems are equal in pairs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd


@dataclasses.dataclass(frozen=True)
class Deviations:
    """Standard deviations, in points, of what is added to a rating."""

    rater: float = 8.0
    system_rater: float = 2.5
    document: float = 7.0
    segment: float = 6.0
    system_document: float = 5.0
    rest: float = 15.0


@dataclasses.dataclass(frozen=True)
class Campaign:
    """A campaign in which raters judge screens: one document in several translations.

    Attributes
    ----------
    systems : int
        Even; systems 0 and 1 are equally good, 2 and 3 are, and so on.
    gap : float
        Points between a pair of systems and the next.
    screens, on_a_screen : int
        How many screens there are, and systems on each of them.
    is_dynamic : bool
        Whether systems that lead so far are shown more often, once each was shown `cold_start`
        times; otherwise all are as likely.
    scale_use : tuple of float
        Raters stretch what they see by factors in this range.
    """

    systems: int = 8
    raters: int = 8
    documents: int = 60
    longest: int = 4
    screens: int = 120
    on_a_screen: int = 3
    gap: float = 5.0
    is_dynamic: bool = True
    cold_start: int = 4
    scale_use: tuple[float, float] = (1.0, 1.0)
    deviations: Deviations = Deviations()

    def quality(self) -> np.ndarray:
        """The expected rating of each system."""
        return 80 - self.gap * (np.arange(self.systems) // 2)

    def simulate(self, rng: np.random.Generator) -> pd.DataFrame:
        """One row per rating: rater, system, document, segment, raw."""
        sd = self.deviations
        lengths = rng.integers(1, self.longest + 1, self.documents)
        of_document = rng.normal(0, sd.document, self.documents)
        of_segment = rng.normal(0, sd.segment, (self.documents, self.longest))
        of_rater = rng.normal(0, sd.rater, self.raters)
        in_document = rng.normal(0, sd.system_document, (self.systems, self.documents))
        by_rater = rng.normal(0, sd.system_rater, (self.systems, self.raters))
        stretch = rng.uniform(*self.scale_use, self.raters)
        quality = self.quality()
        was_shown = np.zeros((self.systems, self.documents), dtype=bool)
        sums = np.zeros(self.systems)
        counts = np.zeros(self.systems)
        rows = []
        for screen in range(self.screens):
            rater = screen % self.raters
            chosen = self._systems_of_screen(rng, was_shown.sum(axis=1), sums, counts)
            document = int(np.argmin(was_shown[chosen].sum(axis=0)))
            for system in chosen:
                was_shown[system, document] = True
                segments = np.arange(lengths[document])
                seen = (
                    quality[system]
                    + of_document[document]
                    + of_segment[document, segments]
                    + in_document[system, document]
                    + by_rater[system, rater]
                    + rng.normal(0, sd.rest, len(segments))
                )
                middle = quality.mean()
                scores = middle + stretch[rater] * (seen - middle) + of_rater[rater]
                sums[system] += scores.sum()
                counts[system] += len(scores)
                for segment, score in zip(segments, scores, strict=True):
                    rows.append((rater, system, document, segment, score))
        frame = pd.DataFrame(rows, columns=["rater", "system", "document", "segment", "raw"])
        names = {"rater": "r", "system": "s", "document": "d"}
        for column, letter in names.items():
            frame[column] = letter + frame[column].astype(str).str.zfill(2)
        return frame

    def _systems_of_screen(
        self, rng: np.random.Generator, shown: np.ndarray, sums: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Which systems the next screen has."""
        if self.is_dynamic and shown.min() < self.cold_start:
            order = np.lexsort([rng.random(self.systems), shown])
            return order[: self.on_a_screen]
        weights = np.ones(self.systems)
        if self.is_dynamic:
            rank = np.argsort(np.argsort(-sums / counts))
            weights = 1 / (rank + 1)
        return rng.choice(self.systems, self.on_a_screen, replace=False, p=weights / weights.sum())
