"""One human score for each system and segment: what rank tests and resampling start from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.segment_scores import real_numbers
from ..statistics.sufficient import SufficientStatistics
from ..told import Told
from .checks import check_frame


class Scored(Told):
    """Judgements that are told with the systems' scores below."""

    def scores(self) -> pd.Series:
        """Best first."""
        raise NotImplementedError

    def _below(self) -> str:
        return self.scores().to_frame().to_html(escape=True)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class SegmentMeans(Scored):
    """Scores of segments, one per system and segment that was judged.

    Parameters
    ----------
    frame : DataFrame
        ``system``, ``segment``, ``mean``; optionally ``n_ratings``.
    label : str
        What was scored, for tables and figures.
    higher_is_better : bool
        False for counts of errors.
    documents : Series, optional
        The document of each segment, indexed by segment.
    notes : tuple of str
        What a reader should know, such as raters left out.

    Raises
    ------
    InputError
        If there are no scores, one is missing, or a system has two for one segment.

    Examples
    --------
    >>> means = SegmentMeans(pd.DataFrame({"system": ["a", "a", "b"], "segment": [0, 1, 0],
    ...                                    "mean": [0.5, 0.25, 0.125]}))
    >>> means.scores().to_dict()
    {'a': 0.375, 'b': 0.125}
    >>> means.matrix().loc["a"].tolist(), means.samples()["b"].tolist()
    ([0.5, 0.25], [0.125])
    >>> means.select(["a"]).as_statistics().scores().to_dict()
    {'a': 0.375}
    >>> means.with_documents(["d1", "d2"]).documents.tolist()
    ['d1', 'd2']
    """

    frame: pd.DataFrame
    label: str = "score"
    higher_is_better: bool = True
    documents: pd.Series | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frame = self.frame
        check_frame(frame, ("system", "segment", "mean"), "scores")
        if not np.isfinite(real_numbers(frame["mean"])).all():
            raise InputError("frame: a mean is not a finite number; leave that segment out.")
        again = frame.duplicated(["system", "segment"])
        if again.any():
            row = frame[again].iloc[0]
            raise InputError(
                f"frame: system {row['system']!r} has more than one score for segment "
                f"{row['segment']}; average them first."
            )
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

    @property
    def direction(self) -> int:
        """+1 where larger is better, -1 where smaller is."""
        return 1 if self.higher_is_better else -1

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(self.scores().index)

    def scores(self) -> pd.Series:
        """Each system's mean over its segments, best first."""
        means = self.frame.groupby("system", observed=True)["mean"].mean().rename(self.label)
        return means.sort_values(ascending=not self.higher_is_better, kind="stable")

    def samples(self) -> dict[str, FloatArray]:
        """Each system's segment scores, systems best first."""
        groups = {name: group.to_numpy() for name, group in self.frame.groupby("system")["mean"]}
        return {system: groups[system].astype(np.float64) for system in self.systems}

    def matrix(self) -> pd.DataFrame:
        """Systems (best first) by segments; missing where a system was not judged."""
        wide = self.frame.pivot(index="system", columns="segment", values="mean")
        return wide.loc[list(self.systems)]

    def select(self, systems: Iterable[str]) -> SegmentMeans:
        """The scores of some of the systems."""
        wanted, known = list(systems), self.systems
        for system in wanted:
            check_one_of("system", system, known)
        return dataclasses.replace(self, frame=self.frame[self.frame["system"].isin(wanted)])

    @property
    def same_segments(self) -> bool:
        """Whether every system was judged on exactly the same segments."""
        return not self.matrix().isna().to_numpy().any()

    def as_statistics(
        self, *, segments: Literal["any", "common"] = "any", test_set: str = ""
    ) -> SufficientStatistics:
        """The scores as sufficient statistics, for approximate randomization and the bootstrap.

        Parameters
        ----------
        segments : {"any", "common"}
            All segments, with weight 0 where a system was not judged; or only those on which
            every system was.

        Notes
        -----
        Resampling keeps together what belongs to a segment, so it is the right test where systems
        were judged on the same segments.  Where they were judged on different ones there is
        nothing to pair: use `rank_sum_test`.  To resample documents, ask the engine for
        ``units="documents"``; for raters see `Ratings.as_statistics`.
        """
        check_one_of("segments", segments, ("any", "common"))
        wide = self.matrix()
        if segments == "common":
            wide = wide.dropna(axis="columns")
            if wide.shape[1] == 0:
                raise InputError("segments='common': no segment was judged for every system.")
        values = np.stack([wide.fillna(0.0), wide.notna()], axis=-1)
        documents = None
        if self.documents is not None:
            documents = self.documents.reindex(wide.columns).to_numpy()
        return SufficientStatistics(
            SegmentMean(label=self.label, larger_is_better=self.higher_is_better),
            tuple(wide.index),
            values,
            documents=documents,
            test_set=test_set,
        )

    def with_documents(self, documents: Any) -> SegmentMeans:
        """The same scores, with a document label for each segment of the test set."""
        labels = pd.Series(np.asarray(documents))
        return dataclasses.replace(self, documents=labels)

    def to_frame(self) -> pd.DataFrame:
        """One row per system and segment."""
        return self.frame.copy()

    @property
    def sentence(self) -> str:
        """What was scored, how many systems and segments, and what a reader should know."""
        counts = self.frame.groupby("system", observed=True).size()
        return (
            f"SegmentMeans({self.label}: {len(counts)} systems, {counts.min()} to {counts.max()} "
            f"segments each" + "".join(f"; {note}" for note in self.notes) + ")"
        )
