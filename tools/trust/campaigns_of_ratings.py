"""Invented campaigns of ratings that nobody balanced, whose systems are equal in pairs."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd


@dataclasses.dataclass(frozen=True)
class Deviations:
    """Standard deviations, in points, of what is added to a rating.

    The mixed model has no terms for the last two.  What `system_content` adds to a system is as
    much for all documents of a content type, and zero in the mean of the types.
    """

    rater: float = 8.0
    system_rater: float = 2.5
    document: float = 7.0
    segment: float = 6.0
    system_document: float = 5.0
    rest: float = 15.0
    system_content: float = 0.0
    screen: float = 0.0


@dataclasses.dataclass(frozen=True)
class Effects:
    """What the ratings of a campaign are made of, in points.

    Arrays have an element for each unit, or a row for each unit that is named first; a document has
    as many elements in `segment` as the longest one.  `quality` is that of the systems, and raters
    stretch what they see by `stretch`.  What a screen adds includes the drift.
    """

    quality: np.ndarray
    document: np.ndarray
    segment: np.ndarray
    rater: np.ndarray
    system_document: np.ndarray
    system_rater: np.ndarray
    stretch: np.ndarray
    screen: np.ndarray

    def ratings(
        self, system: int, document: int, rater: int, screen: int, noise: np.ndarray
    ) -> np.ndarray:
        """How a rater rates each segment of a document; `noise` has an element for each."""
        n_segments = len(noise)
        seen = (
            self.quality[system]
            + self.document[document]
            + self.segment[document, :n_segments]
            + self.system_document[system, document]
            + self.system_rater[system, rater]
            + noise
        )
        middle = self.quality.mean()
        from_middle = seen - middle
        stretched = middle + self.stretch[rater] * from_middle
        return np.asarray(stretched + self.rater[rater] + self.screen[screen])


class Rating(NamedTuple):
    """A rating, by the numbers of what it is of; the names are those of the frame's columns."""

    rater: int
    system: int
    document: int
    segment: int
    raw: float


#: The letters before the numbers of raters, systems and documents.
LETTERS = {"rater": "r", "system": "s", "document": "d"}


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
    best, gap : float
        The expected rating of the best pair of systems, and points between a pair and the next.
    screens, on_a_screen : int
        How many screens there are, and systems on each of them.
    assignment : {"dynamic", "greedy", "even"}
        Which systems a screen has: those that lead so far more often, or those that lead, once each
        was shown `cold_start` times; or all with the same probability.
    scale_use : tuple of float
        Raters stretch what they see by factors in this range.
    highest : float
        What is rated higher is rated so.
    drift : float
        Points that are added to the ratings of the last screen, and in proportion to those before.
    random_raters : int
        So many of the raters rate at random, from 0 to 100.
    by_length : float
        Points by which the first system of a pair gains on the second in a document that is longer
        than the mean by a standard deviation.  Over documents that all weigh the same they are
        equally good.
    content_types : int
        The documents are of these types in turn; see `Deviations`.
    skewness : float
        Of everything that is drawn but the scale use.
    deviations : Deviations
    """

    systems: int = 8
    raters: int = 8
    documents: int = 60
    longest: int = 4
    screens: int = 120
    on_a_screen: int = 3
    best: float = 80.0
    gap: float = 5.0
    assignment: Literal["dynamic", "greedy", "even"] = "dynamic"
    cold_start: int = 4
    scale_use: tuple[float, float] = (1.0, 1.0)
    highest: float = math.inf
    drift: float = 0.0
    random_raters: int = 0
    by_length: float = 0.0
    content_types: int = 3
    skewness: float = 0.0
    deviations: Deviations = Deviations()

    def quality(self) -> np.ndarray:
        """The expected rating of each system."""
        systems = np.arange(self.systems)
        number_of_pair = systems // 2
        return self.best - self.gap * number_of_pair

    def simulate(self, rng: np.random.Generator) -> pd.DataFrame:
        """One row per rating: rater, system, document, segment, raw."""
        lengths = rng.integers(1, self.longest + 1, self.documents)
        effects = self._draw_effects(rng, lengths)
        was_shown = np.zeros((self.systems, self.documents), dtype=bool)
        sums = np.zeros(self.systems)
        counts = np.zeros(self.systems)
        ratings: list[Rating] = []
        for screen in range(self.screens):
            rater = screen % self.raters
            screens_of_systems = was_shown.sum(axis=1)
            chosen = self._systems_of_screen(rng, screens_of_systems, sums, counts)
            n_shown = was_shown[chosen].sum(axis=0)
            document = int(np.argmin(n_shown))
            for system in chosen:
                was_shown[system, document] = True
                noise = self._draw(rng, self.deviations.rest, lengths[document])
                scores = effects.ratings(system, document, rater, screen, noise)
                if rater < self.random_raters:
                    scores = rng.uniform(0, 100, len(scores))
                scores = np.minimum(scores, self.highest)
                sums[system] += scores.sum()
                counts[system] += len(scores)
                for segment, score in enumerate(scores):
                    rating = Rating(rater, system, document, segment, score)
                    ratings.append(rating)
        frame = pd.DataFrame(ratings, columns=Rating._fields)
        for column, letter in LETTERS.items():
            numbers = frame[column].astype(str)
            frame[column] = letter + numbers.str.zfill(2)
        return frame

    def _draw_effects(self, rng: np.random.Generator, lengths: np.ndarray) -> Effects:
        """What is added to the ratings of this campaign, whose documents have these lengths."""
        sd = self.deviations
        (other_rng,) = rng.spawn(1)
        in_documents = (self.systems, self.documents)
        by_raters = (self.systems, self.raters)
        in_segments = (self.documents, self.longest)
        effects = Effects(
            quality=self.quality(),
            document=self._draw(rng, sd.document, self.documents),
            segment=self._draw(rng, sd.segment, in_segments),
            rater=self._draw(rng, sd.rater, self.raters),
            system_document=self._draw(rng, sd.system_document, in_documents),
            system_rater=self._draw(rng, sd.system_rater, by_raters),
            stretch=rng.uniform(*self.scale_use, self.raters),
            screen=self._draw(other_rng, sd.screen, self.screens),
        )
        system_document = effects.system_document
        system_document = system_document + self._effects_of_content(other_rng)
        system_document = system_document + self._effects_of_length(lengths)
        so_far = np.arange(1, self.screens + 1)
        drift = self.drift * so_far / self.screens
        screen = effects.screen + drift
        return dataclasses.replace(effects, system_document=system_document, screen=screen)

    def _draw(
        self, rng: np.random.Generator, deviation: float, shape: int | tuple[int, ...]
    ) -> np.ndarray:
        """Independent numbers of mean 0 and this standard deviation, normal or skewed."""
        if self.skewness == 0:
            return rng.normal(0, deviation, shape)
        form = 4 / self.skewness**2  # of a gamma distribution, whose skewness is 2 / sqrt(form)
        gamma = rng.gamma(form, size=shape)
        standardised = (gamma - form) / math.sqrt(form)
        signed_deviation = math.copysign(deviation, self.skewness)
        return np.asarray(signed_deviation * standardised)

    def _effects_of_content(self, rng: np.random.Generator) -> np.ndarray:
        """What content types add to each system (row) in each document."""
        shape = (self.systems, self.content_types)
        drawn = self._draw(rng, self.deviations.system_content, shape)
        means = drawn.mean(axis=1, keepdims=True)
        effects = drawn - means
        documents = np.arange(self.documents)
        content_type = documents % self.content_types
        return np.asarray(effects[:, content_type])

    def _effects_of_length(self, lengths: np.ndarray) -> np.ndarray:
        """What their lengths add to each system (row) in each document."""
        systems = np.arange(self.systems)
        is_first = systems % 2 == 0
        gain = self.by_length / 2
        gains = np.where(is_first, gain, -gain)
        standardised = (lengths - lengths.mean()) / lengths.std()
        return np.outer(gains, standardised)

    def _systems_of_screen(
        self, rng: np.random.Generator, shown: np.ndarray, sums: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Which systems the next screen has.

        Of each system `shown` has the number of screens so far, `sums` and `counts` its ratings.
        """
        weights = np.ones(self.systems)
        if self.assignment != "even":
            if shown.min() < self.cold_start:
                ties = rng.random(self.systems)
                least_shown_first = np.lexsort([ties, shown])
                return least_shown_first[: self.on_a_screen]
            best_first = np.argsort(-sums / counts)
            if self.assignment == "greedy":
                return best_first[: self.on_a_screen]
            rank = np.argsort(best_first)
            weights = 1 / (rank + 1)
        probabilities = weights / weights.sum()
        return rng.choice(self.systems, self.on_a_screen, replace=False, p=probabilities)
