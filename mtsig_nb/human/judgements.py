"""The human judgements that campaigns have, made of their tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy.typing as npt
import pandas as pd

from .preferences import PairwisePreferences
from .ratings import Ratings
from .scores import SegmentScores

#: What a campaign's ``human`` may be.
Judgement = Ratings | PairwisePreferences | SegmentScores


def judgements_from_tables(
    tables: Mapping[str, pd.DataFrame], *, documents: npt.ArrayLike | None = None
) -> dict[str, Judgement]:
    """The judgements in a campaign's tables, the main ones first.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        By the name of the file: ``ratings`` (with ``segments`` beside it, ``judges`` not being
        needed), ``esa``, ``ranks``, ``pairwise``, ``mqm``, ``mqm_ratings``,
        ``segment_da``.
    documents : array_like, optional
        The document of each segment of the test set, in order.

    Returns
    -------
    dict of str to Ratings, PairwisePreferences or SegmentScores

    Examples
    --------
    >>> ranks = pd.DataFrame({"task": [0, 0, 0], "system": ["a", "b", "c"], "rank": [1, 2, 2]})
    >>> judgements = judgements_from_tables({"ranks": ranks})
    >>> judgements["ranks"].scores().to_dict()
    {'a': 1.0, 'b': 0.0, 'c': 0.0}
    """
    found: dict[str, Judgement] = {}
    if "ratings" in tables:
        found["direct_assessment"] = Ratings(
            tables["ratings"], published_means=tables.get("segments"), documents=documents
        )
    if "esa" in tables:
        found |= _error_span_annotation(tables["esa"], documents)
    if "mqm" in tables:
        found["mqm"] = SegmentScores(tables["mqm"], "mqm", "MQM", documents=documents)
    if "mqm_ratings" in tables:
        rows = tables["mqm_ratings"].assign(score=lambda table: -table["penalty"])
        means = rows.groupby(["system", "segment"], sort=False)["score"].mean().reset_index()
        found["mqm"] = SegmentScores(means, "score", "MQM", documents=documents)
        found["mqm_ratings"] = Ratings(rows, scale=None, documents=documents)
    if "ranks" in tables:
        found["ranks"] = PairwisePreferences(tables["ranks"], "relative ranking")
    if "pairwise" in tables:
        found["pairwise"] = PairwisePreferences(tables["pairwise"])
    if "segment_da" in tables:
        found["segment_da"] = SegmentScores(
            tables["segment_da"],
            "z_mean",
            "direct assessment of sampled outputs, standardised",
            documents=documents,
        )
    return found


def _error_span_annotation(
    rows: pd.DataFrame, documents: npt.ArrayLike | None
) -> dict[str, Judgement]:
    """The scores that the organisers use, one a segment, as they are; and who gave them.

    Beside a rater's own items there are damaged ones, and documents that came again.  What was
    rated again later, or filled a task, is no judgement.
    """
    scores = rows.loc[rows["type"] == "SYSTEM", ["system", "segment", "score"]]
    rated = rows[rows["type"].isin(["SYSTEM", "REPEAT", "BAD"])]
    ratings = Ratings(rated, columns={"hit": "account"}, documents=documents)
    return {
        "esa": SegmentScores(scores, "score", "ESA", documents=documents),
        "esa_ratings": ratings,
    }
