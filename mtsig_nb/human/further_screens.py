"""Screens that a campaign could show next, of several kinds, after those that were judged."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ..errors import InputError
from ..metrics.base import Array, IntArray, Mask
from .mixed_model import MixedModel
from .screens import Rota, Screen, Work, frame_of_screens, lengths_like, up_to


@dataclasses.dataclass(frozen=True, eq=False)
class RatedSoFar:
    """Who has rated what so far, by number; systems are numbered from the best on.

    Attributes
    ----------
    frame : DataFrame
        One row per rating: ``system``, ``rater``, ``document``, ``segment``, maybe ``generation``.
    systems : tuple of str
    has_documents : bool
        Whether documents are known; if not, each segment is a document of its own.
    names : dict of str to ndarray
        By column what its numbers stand for.
    segments : list of ndarray of int
        Of each document.
    has_rated : ndarray of bool, shape (raters, documents, systems)
    """

    frame: pd.DataFrame
    systems: tuple[str, ...]
    has_documents: bool
    names: dict[str, Array]
    segments: list[IntArray]
    has_rated: Mask

    @classmethod
    def of(cls, model: MixedModel) -> RatedSoFar:
        """That of the ratings that the model was fitted to."""
        rated = model.rated
        if "rater" not in rated or not {"document", "segment"}.intersection(rated):
            raise InputError(
                "ratings: without a rater and a document or a segment for each of them, who could "
                "rate what next is unknown."
            )
        has_documents = "document" in rated
        codes = {"system": pd.Index(model.systems).get_indexer(pd.Index(rated["system"]))}
        names = {"system": np.array(model.systems, dtype=object)}
        for name in rated.columns.drop("system"):
            codes[name], values = pd.factorize(rated[name], sort=True)
            names[name] = np.array(values, dtype=object)
        frame = pd.DataFrame(codes)
        if not has_documents:
            frame["document"] = frame["segment"]
        elif "segment" not in frame:
            frame["segment"] = frame["document"]  # of one segment each
        by_document = frame.groupby("document", sort=True)["segment"]
        n_raters = frame["rater"].max() + 1
        has_rated = np.zeros((n_raters, len(by_document), len(model.systems)), dtype=bool)
        has_rated[frame["rater"], frame["document"], frame["system"]] = True
        return cls(
            frame=frame,
            systems=model.systems,
            has_documents=has_documents,
            names=names,
            segments=[np.unique(segments) for _, segments in by_document],
            has_rated=has_rated,
        )

    @property
    def n_raters(self) -> int:
        return len(self.has_rated)

    @property
    def lengths(self) -> IntArray:
        """How many segments each document has."""
        return np.array([len(segments) for segments in self.segments])

    def ratings_of(self, screens: Sequence[Screen], lengths: IntArray) -> pd.DataFrame:
        """Ratings of screens, as in `frame`; `lengths` are of all documents, new ones last."""
        added = frame_of_screens(screens, lengths)
        first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        largest = max(int(segments.max()) for segments in self.segments)
        n_new = int(lengths.sum()) - sum(len(segments) for segments in self.segments)
        numbers = np.concatenate([*self.segments, largest + 1 + np.arange(n_new)])
        place = first[added["document"].to_numpy()] + added["segment"].to_numpy()
        added["segment"] = numbers[place]
        if "generation" in self.frame:
            added["generation"] = 0
        return added[["screen", *self.frame.columns]]

    def named(self, added: pd.DataFrame) -> pd.DataFrame:
        """The same ratings, with names in the place of numbers."""
        result = added[["screen"]].copy()
        for column, names in self.names.items():
            n_new = int(added[column].max()) + 1 - len(names)
            new = [f"new {column} {number}" for number in range(1, n_new + 1)]
            result[column] = np.append(names, np.array(new, dtype=object))[added[column]]
        return result


@dataclasses.dataclass(frozen=True, eq=False)
class Option:
    """So many screens of one kind, after those that there are.

    Attributes
    ----------
    campaign : RatedSoFar
    systems : str
    documents, raters : str
        "new" or "present".
    screens : list of Screen
    lengths : ndarray of int
        Of all documents, new ones last.
    """

    campaign: RatedSoFar
    systems: str
    documents: str
    raters: str
    screens: list[Screen]
    lengths: IntArray

    @property
    def added(self) -> pd.DataFrame:
        """Who would rate what, as `RatedSoFar.frame`, with ``screen``."""
        return self.campaign.ratings_of(self.screens, self.lengths)

    @property
    def design(self) -> pd.DataFrame:
        """Who would have rated what then, with the columns that the present ratings have."""
        added = self.added.drop(columns="screen")
        whole = pd.concat([self.campaign.frame, added], ignore_index=True)
        return whole if self.campaign.has_documents else whole.drop(columns="document")

    def named(self) -> pd.DataFrame:
        """Who would rate what, as `NextJudgements.screens` has it."""
        return self.campaign.named(self.added)

    @property
    def work(self) -> Work:
        """How much is judged."""
        n_raters, n_documents, _ = self.campaign.has_rated.shape
        return Work.of(self.screens, self.lengths, n_raters=n_raters, n_documents=n_documents)


@dataclasses.dataclass(frozen=True, eq=False)
class Kind:
    """A kind of further judgements, of several sizes.

    Attributes
    ----------
    campaign : RatedSoFar
    systems : list of int
    has_new_documents : bool
    new_raters : int
        They do all of it; if there are 0, those who are there do.
    on_a_screen : int
    sizes : list of int
        Numbers of ratings, in ascending order.
    """

    campaign: RatedSoFar
    systems: list[int]
    has_new_documents: bool
    new_raters: int
    on_a_screen: int
    sizes: list[int]

    def options(self) -> Iterator[Option]:
        """One for each size, and a last one where no screen is left before the next."""
        lengths = self.campaign.lengths
        if self.has_new_documents:
            lengths = np.concatenate([lengths, self._new_lengths()])
        dealt = list(self._screens(lengths))
        n_so_far = np.cumsum([screen.n_ratings(lengths) for screen in dealt])
        ends = {min(int(np.searchsorted(n_so_far, size)) + 1, len(dealt)) for size in self.sizes}
        for end in sorted(ends - {0}):
            yield Option(
                campaign=self.campaign,
                systems=self._names(),
                documents="new" if self.has_new_documents else "present",
                raters="new" if self.new_raters else "present",
                screens=dealt[:end],
                lengths=lengths,
            )

    def _names(self) -> str:
        if len(self.systems) == len(self.campaign.systems):
            return "all"
        return ", ".join(self.campaign.systems[number] for number in self.systems)

    def _new_lengths(self) -> IntArray:
        """Of as many new documents as the largest size needs."""
        n_translations = -(-self.sizes[-1] // len(self.systems))  # of segments
        lengths = lengths_like(self.campaign.lengths, n_translations)
        n_needed = int(np.searchsorted(np.cumsum(lengths), n_translations)) + 1
        return lengths[:n_needed]

    def _screens(self, lengths: IntArray) -> Iterator[Screen]:
        """Screens for the largest size, or as many as there can be."""
        n_raters, n_documents, n_systems = self.campaign.has_rated.shape
        has_rated = np.zeros((n_raters + self.new_raters, len(lengths), n_systems), dtype=bool)
        has_rated[:n_raters, :n_documents] = self.campaign.has_rated
        raters = range(n_raters)
        if self.new_raters:
            raters = range(n_raters, n_raters + self.new_raters)
        documents = range(n_documents)
        if self.has_new_documents:
            documents = range(n_documents, len(lengths))
        dealt = Rota(has_rated).deal(
            systems=self.systems,
            raters=raters,
            documents=documents,
            n_segments=lengths,
            on_a_screen=self.on_a_screen,
        )
        return up_to(self.sizes[-1], dealt, lengths)


def kinds_of_screens(
    campaign: RatedSoFar,
    *,
    systems_in: list[int],
    new_raters: int,
    on_a_screen: int,
    sizes: list[int],
) -> list[Kind]:
    """All kinds: systems, new documents or present ones, new raters or present ones."""
    everybody = list(range(len(campaign.systems)))
    chosen = [everybody] if systems_in == everybody else [everybody, systems_in]
    who = sorted({0, new_raters})
    which = [False]
    if len(campaign.segments) > 1:  # how much others would differ is unknown from one
        which.append(True)
    return [
        Kind(campaign, systems, has_new_documents, n_new, on_a_screen, sizes)
        for systems, has_new_documents, n_new in itertools.product(chosen, which, who)
    ]
