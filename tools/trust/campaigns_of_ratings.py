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
class Effects:
    """What the ratings of a campaign are made of, in points.

    Arrays have an element for each unit, or a row for each unit that is named first; a document has
    as many elements in `segment` as the longest one.  `quality` is that of the systems, and raters
    stretch what they see by `stretch`.
    """

    quality: np.ndarray
    document: np.ndarray
    segment: np.ndarray
    rater: np.ndarray
    system_document: np.ndarray
    system_rater: np.ndarray
    stretch: np.ndarray

    def ratings(self, system: int, document: int, rater: int, noise: np.ndarray) -> np.ndarray:
        """How a rater rates each segment of a document; `noise` has an element for each."""
        seen = (
            self.quality[system]
            + self.document[document]
            + self.segment[document, : len(noise)]
            + self.system_document[system, document]
            + self.system_rater[system, rater]
            + noise
        )
        middle = self.quality.mean()
        stretched = middle + self.stretch[rater] * (seen - middle)
        return np.asarray(stretched + self.rater[rater])


@dataclasses.dataclass(frozen=True)
class Campaign:
    """A campaign in which raters judge screens: one document in several translations.

    Attributes
    ----------
    systems : int
        Even; systems 0 and 1 are equally good, 2 and 3 are, and so on.
    raters, documents : int
    longest : int
        Segments of a document at most; each number from 1 is as likely.
    gap : float
        Points between a pair of systems and the next.
    screens, on_a_screen : int
        How many screens there are, and systems on each of them.
    is_dynamic : bool
        Whether systems that lead so far are shown more often, once each was shown `cold_start`
        times; otherwise all are as likely.
    scale_use : tuple of float
        Raters stretch what they see by factors in this range.
    deviations : Deviations
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
        lengths = rng.integers(1, self.longest + 1, self.documents)
        effects = self._draw_effects(rng)
        was_shown = np.zeros((self.systems, self.documents), dtype=bool)
        sums = np.zeros(self.systems)
        counts = np.zeros(self.systems)
        rows = []
        for screen in range(self.screens):
            rater = screen % self.raters
            chosen = self._systems_of_screen(rng, was_shown.sum(axis=1), sums, counts)
            n_shown = was_shown[chosen].sum(axis=0)
            document = int(np.argmin(n_shown))
            for system in chosen:
                was_shown[system, document] = True
                noise = rng.normal(0, self.deviations.rest, lengths[document])
                scores = effects.ratings(system, document, rater, noise)
                sums[system] += scores.sum()
                counts[system] += len(scores)
                for segment, score in enumerate(scores):
                    rows.append((rater, system, document, segment, score))
        frame = pd.DataFrame(rows, columns=["rater", "system", "document", "segment", "raw"])
        names = {"rater": "r", "system": "s", "document": "d"}
        for column, letter in names.items():
            frame[column] = letter + frame[column].astype(str).str.zfill(2)
        return frame

    def _draw_effects(self, rng: np.random.Generator) -> Effects:
        """What is added to the ratings of this campaign."""
        sd = self.deviations
        return Effects(
            quality=self.quality(),
            document=rng.normal(0, sd.document, self.documents),
            segment=rng.normal(0, sd.segment, (self.documents, self.longest)),
            rater=rng.normal(0, sd.rater, self.raters),
            system_document=rng.normal(0, sd.system_document, (self.systems, self.documents)),
            system_rater=rng.normal(0, sd.system_rater, (self.systems, self.raters)),
            stretch=rng.uniform(*self.scale_use, self.raters),
        )

    def _systems_of_screen(
        self, rng: np.random.Generator, shown: np.ndarray, sums: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Which systems the next screen has.

        Of each system `shown` has the number of screens so far, `sums` and `counts` its ratings.
        """
        if self.is_dynamic and shown.min() < self.cold_start:
            ties = rng.random(self.systems)
            least_shown_first = np.lexsort([ties, shown])
            return least_shown_first[: self.on_a_screen]
        weights = np.ones(self.systems)
        if self.is_dynamic:
            rank = np.argsort(np.argsort(-sums / counts))
            weights = 1 / (rank + 1)
        probabilities = weights / weights.sum()
        return rng.choice(self.systems, self.on_a_screen, replace=False, p=probabilities)
