"""WMT's published direct assessment, recomputed from raw ratings."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.errors import InputError
from mtsig_nb.human.wmt import WMTRanking, cluster_ends

from ..in_turn import in_turn


@functools.cache
def embedded() -> list[str]:
    """Campaigns with ratings whose tests were published."""
    campaigns = map(mt.load, mt.list_campaigns()["name"])
    names = [
        campaign.name
        for campaign in campaigns
        if "wilcoxon" in campaign.published and "direct_assessment" in campaign.judgements
    ]
    assert len(names) >= 9
    return names


#: Where the published clusters do not follow from the published tests; see the data sheet.
INCONSISTENT = {"wmt21/de-en"}


def check_clusters(ranking: WMTRanking, systems: pd.DataFrame, consistent: bool) -> None:
    """Those of the published conclusions, and wins, by `rank_table`."""
    found = mt.rank_table(ranking.tests.conclusions(0.05)).set_index("system")
    found = found.loc[systems["system"]]
    assert found["wins"].tolist() == systems["wins"].tolist()
    cluster = found["wmt_cluster"].to_numpy()
    ours = [(np.sum(cluster < k) + 1, np.sum(cluster <= k)) for k in cluster]
    theirs = systems[["cluster_start", "cluster_end"]].itertuples(index=False, name=None)
    assert (ours == list(theirs)) is consistent


def check_published(ranking: WMTRanking, tests: pd.DataFrame, systems: pd.DataFrame) -> None:
    """Every published figure that follows from the ratings."""
    table, standings = ranking.table, ranking.standings
    assert table["system_a"].tolist() == tests["system_a"].tolist()
    assert table["system_b"].tolist() == tests["system_b"].tolist()
    assert table["stars"].tolist() == tests["stars"].fillna("").tolist()
    np.testing.assert_allclose(table["z_diff"].round(2), tests["z_diff"], atol=1e-12)

    published = tests["p_value"].to_numpy(dtype=float)
    ours = table["pvalue"].to_numpy()
    printed = published > 0
    np.testing.assert_allclose(ours[printed], published[printed], rtol=1e-12)
    assert (ours[np.isnan(published)] >= 0.05).all()  # the source prints a placeholder
    assert (ours[published == 0] < 1e-300).all()  # and underflows

    counts = ["n_segments", "n_ratings", "wins", "total", "cluster_start", "cluster_end"]
    for column in ("system", *counts):
        assert standings[column].tolist() == systems[column].tolist(), column
    for column in ("z_mean", "raw_mean"):
        np.testing.assert_allclose(standings[column], systems[column], rtol=1e-13, atol=1e-13)


@pytest.mark.takes_time
@in_turn("name", embedded)
def test_published_tests_from_embedded_ratings(name):
    campaign = mt.load(name)
    ranking = campaign.judgements["direct_assessment"].wmt()
    systems = pd.DataFrame(campaign.published["direct_assessment"])
    check_published(ranking, pd.DataFrame(campaign.published["wilcoxon"]), systems)
    check_clusters(ranking, systems, name not in INCONSISTENT)


def test_clusters_of_small_cases():
    n = np.nan
    # a beats c only: no split anywhere.
    p = np.array([[n, 0.2, 0.01], [0.8, n, 0.2], [0.99, 0.8, n]])
    assert cluster_ends(p).tolist() == [3]
    # b beats c, a does not: b's one win closes a cluster by count only.
    p = np.array([[n, 0.2, 0.2], [0.8, n, 0.01], [0.8, 0.99, n]])
    assert cluster_ends(p).tolist() == [2, 3]


def test_recipe_refuses_what_it_is_not_for():
    frame = pd.DataFrame({"rater": "r", "system": ["a", "b"], "segment": 0, "raw": [1, 2]})
    with pytest.raises(InputError, match="rater with variance"):
        human.Ratings(frame.assign(raw=50)).wmt()
    published = pd.DataFrame({"system": [], "segment": [], "raw_mean": []})
    with pytest.raises(InputError, match="no column 'z_mean'"):
        human.Ratings(frame, published_means=published).wmt()
