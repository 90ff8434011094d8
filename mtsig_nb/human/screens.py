"""Screens that raters could judge next: who would rate what, without any score.

A *screen* shows one document to one rater in several translations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..metrics.base import IntArray, Mask

#: How far apart, on a circle, each of several lengths is taken from the one before.
_GOLDEN_RATIO = (1 + 5**0.5) / 2


@dataclasses.dataclass(frozen=True)
class Screen:
    """A document in several translations, before one rater; all by number."""

    rater: int
    document: int
    systems: list[int]

    def n_ratings(self, n_segments: IntArray) -> int:
        """How many ratings it asks for, where documents have so many segments."""
        return len(self.systems) * int(n_segments[self.document])


class Rota:
    """Deals screens so that documents, raters and systems get equally many, as nearly as can be.

    Attributes
    ----------
    n_raters_of : ndarray of int, shape (documents, systems)
        How many raters have rated each output.
    has_rated : ndarray of bool, shape (raters, documents, systems)
    n_documents_of : ndarray of int, shape (raters, systems)
        Of how many documents each rater has rated each system's translation.
    n_together : ndarray of int, shape (systems, systems)
        On how many of the dealt screens two systems are together.
    """

    def __init__(self, has_rated: Mask) -> None:
        self.has_rated = has_rated.copy()
        self.n_raters_of: IntArray = has_rated.sum(axis=0)
        self.n_documents_of: IntArray = has_rated.sum(axis=1)
        n_systems = has_rated.shape[2]
        self.n_together = np.zeros((n_systems, n_systems), dtype=np.int64)

    def deal(
        self,
        *,
        systems: Sequence[int],
        raters: Sequence[int],
        documents: Sequence[int],
        n_segments: IntArray,
        on_a_screen: int,
    ) -> Iterator[Screen]:
        """Screens, until these raters have rated all these systems' translations of all documents.

        The document whose translations were rated least comes next.  Its translations that were
        rated least are shared out among the raters who have least to do.

        Parameters
        ----------
        systems, raters, documents : sequence of int
            Those that take part.
        n_segments : ndarray of int
            Of each document.
        on_a_screen : int
            How many systems a screen shows at most.
        """
        open_documents = list(documents)
        n_ratings = dict.fromkeys(raters, 0)  # that each rater was dealt
        while open_documents:
            n_rated = self.n_raters_of[np.ix_(open_documents, systems)].sum(axis=1)
            document = open_documents[int(np.argmin(n_rated))]
            lacking = self._rated_least(document, systems, raters)
            if not lacking:
                open_documents.remove(document)
                continue
            n_screens = -(-len(lacking) // on_a_screen)
            for n_left in range(n_screens, 0, -1):
                size = -(-len(lacking) // n_left)
                screen = self._screen(document, lacking, n_ratings, size)
                if screen is None:  # those who could rate the rest were just dealt it
                    break
                lacking = [s for s in lacking if s not in screen.systems]
                n_ratings[screen.rater] += screen.n_ratings(n_segments)
                self._note(screen)
                yield screen

    def _rated_least(
        self, document: int, systems: Sequence[int], raters: Sequence[int]
    ) -> list[int]:
        """Of the translations that one of these raters has not rated, those with fewest ratings."""
        possible = [s for s in systems if not self.has_rated[raters, document, s].all()]
        if not possible:
            return []
        fewest = self.n_raters_of[document, possible].min()
        return [s for s in possible if self.n_raters_of[document, s] == fewest]

    def _screen(
        self, document: int, lacking: list[int], n_ratings: dict[int, int], size: int
    ) -> Screen | None:
        """The screen of the rater with least to do who can rate one; None if nobody can."""
        for rater in sorted(n_ratings, key=n_ratings.__getitem__):
            possible = [s for s in lacking if not self.has_rated[rater, document, s]]
            if possible:
                return Screen(rater, document, self._chosen(rater, possible, size))
        return None

    def _chosen(self, rater: int, possible: list[int], size: int) -> list[int]:
        """Systems that the rater has seen least, and that were together least."""
        chosen: list[int] = []
        left = list(possible)
        while left and len(chosen) < size:
            n_seen = self.n_documents_of[rater, left]
            n_together = self.n_together[np.ix_(left, chosen)].sum(axis=1)
            best = left[int(np.lexsort([n_together, n_seen])[0])]
            chosen.append(best)
            left.remove(best)
        return chosen

    def _note(self, screen: Screen) -> None:
        """Count a screen as rated."""
        systems = screen.systems
        self.has_rated[screen.rater, screen.document, systems] = True
        self.n_raters_of[screen.document, systems] += 1
        self.n_documents_of[screen.rater, systems] += 1
        self.n_together[np.ix_(systems, systems)] += 1


@dataclasses.dataclass(frozen=True)
class Work:
    """What screens ask for.

    Attributes
    ----------
    raters, documents : int
        New ones.
    screens, ratings : int
    """

    raters: int
    documents: int
    screens: int
    ratings: int

    @classmethod
    def of(
        cls,
        screens: Sequence[Screen],
        n_segments: IntArray,
        *,
        n_raters: int = 0,
        n_documents: int = 0,
    ) -> Work:
        """That of screens, where there have been so many raters and documents."""
        new_raters = {screen.rater for screen in screens if screen.rater >= n_raters}
        new_documents = {screen.document for screen in screens if screen.document >= n_documents}
        n_ratings = sum(screen.n_ratings(n_segments) for screen in screens)
        return cls(len(new_raters), len(new_documents), len(screens), n_ratings)

    def cost(self, prices: Mapping[str, float]) -> float:
        """By the price of a rating, a screen, a document and a rater."""
        return (
            prices["rating"] * self.ratings
            + prices["screen"] * self.screens
            + prices["document"] * self.documents
            + prices["rater"] * self.raters
        )


def up_to(n_ratings: int, screens: Iterable[Screen], n_segments: IntArray) -> Iterator[Screen]:
    """Screens until they ask for so many ratings."""
    n_left = n_ratings
    for screen in screens:
        yield screen
        n_left -= screen.n_ratings(n_segments)
        if n_left <= 0:
            return


def frame_of_screens(screens: Sequence[Screen], n_segments: IntArray) -> pd.DataFrame:
    """One row per rating of screens.

    Parameters
    ----------
    screens : sequence of Screen
    n_segments : ndarray of int
        Of each document.

    Returns
    -------
    DataFrame
        ``screen``, ``system``, ``rater``, ``document`` and ``segment``, all numbers from 0 on.

    Examples
    --------
    >>> frame = frame_of_screens([Screen(0, 1, [4, 2])], np.array([1, 2]))
    >>> frame.values.tolist()
    [[0, 4, 0, 1, 0], [0, 4, 0, 1, 1], [0, 2, 0, 1, 0], [0, 2, 0, 1, 1]]
    """
    shown = [
        (number, system, screen.rater, screen.document)
        for number, screen in enumerate(screens)
        for system in screen.systems
    ]
    columns = ["screen", "system", "rater", "document"]
    outputs = pd.DataFrame(shown, columns=columns, dtype=np.int64)
    lengths = n_segments[outputs["document"].to_numpy()]
    frame = outputs.loc[outputs.index.repeat(lengths)]
    frame = frame.assign(segment=frame.groupby(level=0).cumcount())
    return frame.reset_index(drop=True)


def lengths_like(lengths: IntArray, n: int) -> IntArray:
    """The lengths of `n` new documents, distributed like these whatever their number.

    >>> lengths_like(np.array([1, 2, 3, 3]), 8).tolist()
    [3, 1, 3, 2, 1, 3, 2, 3]
    """
    place = np.floor((np.arange(1, n + 1) / _GOLDEN_RATIO % 1) * len(lengths)).astype(int)
    result: IntArray = np.sort(lengths)[place]
    return result
