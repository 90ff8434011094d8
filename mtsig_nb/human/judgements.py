"""The judgements of a campaign, from the tables that have them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TypeAlias

import pandas as pd

from ..metrics.base import ArrayLike
from .preferences import PairwisePreferences
from .ratings import Ratings
from .segment_scores import SegmentScores

#: What a campaign's ``human`` may be.
Judgement: TypeAlias = Ratings | PairwisePreferences | SegmentScores


def judgements_from_tables(
    tables: Mapping[str, pd.DataFrame], *, documents: ArrayLike | None = None
) -> dict[str, Judgement]:
    """The judgements in a campaign's tables, the main ones first.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        By the name of the file: ``ratings`` (whose published means are ``segments``), ``esa``,
        ``ranks``, ``pairwise``, ``mqm``, ``mqm_ratings``, ``segment_da``; others are not needed.
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
    judgements: dict[str, Judgement] = {}
    rated = functools.partial(Ratings, documents=documents)
    scored = functools.partial(SegmentScores, documents=documents)
    if "ratings" in tables:
        published = tables.get("segments")
        judgements["direct_assessment"] = rated(tables["ratings"], published_means=published)
    if "esa" in tables:
        esa = tables["esa"].rename(columns={"account": "hit"})
        ordinary = esa[esa["type"] == "SYSTEM"]
        judgements["esa"] = scored(ordinary, "score", "ESA")
        # Beside a rater's own items there are damaged ones, and documents that came again.  What
        # was rated again later, or filled a task, is no judgement.
        is_judgement = esa["type"].isin(["SYSTEM", "REPEAT", "BAD"])
        judgements["esa_ratings"] = rated(esa[is_judgement])
    if "mqm" in tables:
        judgements["mqm"] = scored(tables["mqm"], "mqm", "MQM")
    if "mqm_ratings" in tables:
        mqm = tables["mqm_ratings"]
        mqm = mqm.assign(score=-mqm["penalty"])
        groups = mqm.groupby(["system", "segment"], sort=False)
        means = groups["score"].mean().reset_index()
        judgements["mqm"] = scored(means, "score", "MQM")
        judgements["mqm_ratings"] = rated(mqm, scale=None)
    if "ranks" in tables:
        judgements["ranks"] = PairwisePreferences(tables["ranks"], "relative ranking")
    if "pairwise" in tables:
        judgements["pairwise"] = PairwisePreferences(tables["pairwise"])
    if "segment_da" in tables:
        label = "direct assessment of sampled outputs, standardised"
        judgements["segment_da"] = scored(tables["segment_da"], "z_mean", label)
    return judgements
