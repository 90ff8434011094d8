"""WMT, judged again: a campaign computed again, what follows from kept numbers, and the page."""

from __future__ import annotations

import copy
import itertools
import json
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from tools.judged_again import __main__ as command
from tools.judged_again import comparing, computing, rendering, totals
from tools.judged_again.comparing import Compared, Fate
from tools.judged_again.organisers import organisers_of
from tools.repository import results
from tools.repository.campaigns import campaign
from tools.trust import worlds
from tools.trust.campaigns_of_ratings import Campaign as SimulatedCampaign

KEPT = results.judged_again()
CAMPAIGNS = {found.name: found for found in totals.compared(KEPT)}
#: It takes some seconds.
CHEAP = "wmt23/en-de"


@pytest.fixture(scope="module")
def figures():
    """The page's figures by their files, drawn anew."""
    return dict(rendering.figures(KEPT))


def same_as(kept):
    """Counts and words as they were kept, floats but for the rounding noise of an optimum."""
    if isinstance(kept, dict):
        return {name: same_as(piece) for name, piece in kept.items()}
    if isinstance(kept, list):
        return [same_as(piece) for piece in kept]
    return pytest.approx(kept, rel=1e-4, abs=1e-6) if isinstance(kept, float) else kept


def computed_again(name):
    return json.loads(json.dumps(computing.record(name), allow_nan=False))


@pytest.mark.takes_time
def test_a_campaign_computed_again_is_as_kept():
    assert computed_again(CHEAP) == same_as(CAMPAIGNS[CHEAP].kept)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in CAMPAIGNS if name != CHEAP])
def test_every_campaign_computed_again_is_as_kept(name):
    assert computed_again(name) == same_as(CAMPAIGNS[name].kept)


@pytest.mark.takes_time
def test_all_campaigns_with_raters_are_there():
    assert list(CAMPAIGNS) == computing.campaigns()
    assert {name: KEPT[name] for name in computing.about()} == computing.about()
    assert all(found.kept["converged"] for found in CAMPAIGNS.values())


@pytest.mark.takes_time
def test_the_pages_and_their_figures_are_what_the_numbers_render_to(figures):
    assert results.JUDGED_AGAIN.read_text(encoding="utf-8") == command.to_json(KEPT)
    pages = rendering.to_markdown(KEPT)
    assert {path: path.read_text(encoding="utf-8") for path in pages} == pages
    assert {path: path.read_text(encoding="utf-8") for path in figures} == figures
    assert set(rendering.FOLDER.iterdir()) == set(figures)


@pytest.mark.parametrize("name", [name for name in CAMPAIGNS if not name.startswith("wmt23")])
def test_published_clusters_are_those_of_the_campaign(name):
    published = campaign(name).published
    found = CAMPAIGNS[name].standings
    if "esa_interim" in published:
        expected = published["esa_interim"].set_index("system")
        assert found["cluster"].tolist() == expected["cluster"].tolist()
    else:
        expected = published["direct_assessment"].set_index("system")
        for start, end in zip(expected["cluster_start"], expected["cluster_end"], strict=True):
            members = found["cluster"].iloc[start - 1 : end]
            assert members.nunique() == 1
        assert found["cluster"].nunique() == expected["cluster_start"].nunique()
    assert found.index.tolist() == expected.index.tolist()


@pytest.mark.parametrize("name", [name for name in CAMPAIGNS if name < "wmt23"])
def test_published_pairs_are_the_tests_of_the_organisers(name):
    ranking = campaign(name).judgements["direct_assessment"].wmt().to_frame()
    starred = ranking[ranking["stars"] != ""]
    assert CAMPAIGNS[name].organisers == set(
        zip(starred["system_a"], starred["system_b"], strict=True)
    )


def a_campaign(pvalues, estimates=(4.0, 3.0, 2.0, 1.0), plain=None, cluster=(1, 1, 2, 3)):
    """A campaign of four systems; p-values by pair are 0.001 where nothing else is given."""
    systems = "abcd"
    estimate = dict(zip(systems, estimates, strict=True))
    plain = plain or estimate
    order = sorted(systems, key=estimate.get, reverse=True)
    rows = []
    for first, second in itertools.combinations(order, 2):
        pvalue = pvalues.get(first + second, 0.001)
        rows.append(
            {
                "system_a": first,
                "system_b": second,
                "difference": estimate[first] - estimate[second],
                "standard_error": 0.6,
                "degrees_of_freedom": 50,
                "pvalue": pvalue,
                "pvalue_holm": min(1, 6 * pvalue),
                "plain_difference": plain[first] - plain[second],
                "plain_standard_error": 0.5,
            }
        )
    standings = [[name, 0.0, number] for name, number in zip(systems, cluster, strict=True)]
    return Compared(
        {
            "campaign": "invented",
            "better": [["a", "c"], ["b", "c"], ["a", "d"], ["b", "d"], ["c", "d"]],
            "standings": {"columns": ["system", "mean", "cluster"], "rows": standings},
            "systems": {
                "columns": ["system", "estimate"],
                "rows": [[name, estimate[name]] for name in order],
            },
            "pairs": computing.plain_table(pd.DataFrame(rows)),
        }
    )


@pytest.mark.parametrize(
    ("pvalues", "fates"),
    [
        ({"ab": 0.5}, [Fate.KEPT, Fate.KEPT]),
        ({"bc": 0.03}, [Fate.HOLM, Fate.KEPT]),
        ({"bc": 0.2}, [Fate.UNDECIDED, Fate.KEPT]),
        ({"cd": 0.03, "ac": 0.06}, [Fate.UNDECIDED, Fate.HOLM]),
    ],
)
def test_what_becomes_of_borders(pvalues, fates):
    found = a_campaign(pvalues)
    assert [border.rank for border in found.borders] == [2, 3]
    assert [border.fate for border in found.borders] == fates
    assert not found.turned
    assert not found.contradicted


def test_a_reversed_estimate_is_undecided_unless_it_is_told_apart():
    reversed_estimates = (4.0, 2.0, 3.0, 1.0)
    within_error = a_campaign({"cb": 0.2}, estimates=reversed_estimates)
    assert [border.fate for border in within_error.borders] == [Fate.TURNED, Fate.KEPT]
    assert within_error.turned == {("b", "c")}
    assert not within_error.contradicted
    counted = totals.counts_of_borders([within_error])
    assert (counted["undecided"], counted["fates"]["TURNED"]) == (1, 1)

    # Without a correction, as Holm's would leave it undecided.
    other_way = a_campaign({"cb": 0.03}, estimates=reversed_estimates)
    assert [border.fate for border in other_way.borders] == [Fate.CONTRADICTED, Fate.KEPT]
    assert other_way.contradicted == {("b", "c")}
    assert totals.counts_of_borders([other_way])["undecided"] == 0


def test_borders_are_counted_that_hold_by_every_pair_of_the_organisers():
    found = a_campaign({"bc": 0.03})
    counted = totals.counts_of_borders([found])
    assert (counted["borders"], counted["holding"], counted["uncorrected"]) == (2, 2, 2)
    assert (counted["fates"]["KEPT"], counted["fates"]["HOLM"]) == (1, 1)

    fewer_tests = {**found.kept, "better": [["a", "d"], ["b", "d"], ["c", "d"], ["a", "c"]]}
    without_bc = Compared(fewer_tests)
    assert [border.holds_by_pairs for border in without_bc.borders] == [False, True]
    counted = totals.counts_of_borders([without_bc])
    assert (counted["borders"], counted["holding"], counted["uncorrected"]) == (2, 1, 1)
    assert (counted["fates"]["KEPT"], counted["fates"]["HOLM"]) == (1, 0)


def test_unlike_campaigns_are_not_added_up():
    sources = totals.by_source(CAMPAIGNS.values())
    years = {}
    for source, campaigns in sources.items():
        years[source] = {found.name.partition("/")[0] for found in campaigns}
    assert years == {"published": {"wmt21", "wmt22"}, "interim": {"wmt24"}, "stand_in": {"wmt23"}}


def test_a_border_by_the_rule_alone_is_that_of_wmt21_de_en():
    (border,) = rendering._by_rule_only(totals.by_source(CAMPAIGNS.values())["published"])
    assert border["title"] == "WMT21 de-en"


@pytest.mark.parametrize(("plain_of_c", "by_error"), [(2.9, True), (1.5, False)])
def test_whether_the_error_alone_takes_a_border_away(plain_of_c, by_error):
    plain = {"a": 4.0, "b": 3.0, "c": plain_of_c, "d": 1.0}
    first, _ = a_campaign({"bc": 0.2}, plain=plain).borders
    assert first.fate is Fate.UNDECIDED
    assert first.by_error is by_error


def test_clusters_end_where_all_above_are_better_than_all_below():
    found = a_campaign({"ab": 0.5})
    assert found.clusters(found.by_model).to_dict() == {"a": 1, "b": 1, "c": 2, "d": 3}
    assert found.n_clusters(found.by_model - {("b", "d")}) == 1
    assert found.n_clusters(found.organisers) == 3


def test_neighbours_are_those_of_the_estimates():
    found = a_campaign({}, estimates=(4.0, 2.0, 3.0, 1.0))
    pairs = found.neighbours[["system_a", "system_b"]].agg("".join, axis=1)
    assert pairs.tolist() == ["ac", "cb", "bd"]
    assert (found.median_error(), found.median_error(plain=True)) == (0.6, 0.5)


def test_halves_agree_by_their_order_and_their_correlation():
    found = computing._agreement(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert found == {"pearson": pytest.approx(0.5), "same_order": pytest.approx(2 / 3)}


def test_a_rule_stands_in_where_no_ranking_is_published():
    given = campaign(CHEAP)
    ratings = given.judgements["mqm_ratings"]
    found = organisers_of(given, ratings, ratings.by_field_rules())
    assert not found.is_published
    assert list(found.standings["system"]) == list(ratings.scores(standardised=False).index)
    cluster = found.standings.set_index("system")["cluster"]
    assert cluster.is_monotonic_increasing
    assert cluster.max() > 1
    for above, below in itertools.combinations(cluster.index, 2):
        if cluster[above] < cluster[below]:
            assert (above, below) in found.better


# What the page says in words that are not filled in.


@pytest.mark.takes_time
def test_what_the_page_says_of_all_campaigns_holds():
    total = totals.totals(list(CAMPAIGNS.values()))
    pearson = total["halves"]["pearson"]
    gain = pearson["estimate"] - pearson["mean"]
    assert gain > 0
    assert pearson["centred"] - pearson["mean"] > gain / 2
    published = totals.totals(totals.by_source(CAMPAIGNS.values())["published"])
    assert published["kept"] == published["model_holm"] - published["gained_with_holm"]
    assert published["fates"]["CONTRADICTED"] == 0  # as the article says, too
    assert published["turned_by_model"] == published["contradicted"] == 0
    balanced = CAMPAIGNS[rendering.BALANCED]
    assert balanced.range_of_errors(plain=True)[0] < balanced.range_of_errors()[0]


def test_simulated_campaigns_have_fewer_raters_than_those_of_wmt21_and_wmt22():
    (world,) = (world for world in worlds.WORLDS if world.key == "dynamic-campaigns")
    options = [setting.make.keywords for setting in world.settings]
    simulated = [given.get("raters", SimulatedCampaign.raters) for given in options]
    fewest, _ = rendering._range_of_raters(totals.by_source(CAMPAIGNS.values())["published"])
    assert max(simulated) < fewest


@pytest.mark.takes_time
def test_a_changed_number_changes_the_page():
    changed = copy.deepcopy(KEPT)
    changed["campaigns"][0]["ratings"] += 1
    assert rendering.to_markdown(changed) != rendering.to_markdown(KEPT)


@pytest.mark.takes_time
def test_figures_say_in_words_what_they_show_and_have_every_system(figures):
    (page,) = (page.read_text("utf-8") for page in rendering.PAGES if "campaigns" in page.name)
    for path, text in figures.items():
        found = CAMPAIGNS[path.stem.replace("-", "/", 1)]
        words = [element.text for element in ElementTree.fromstring(text).iter() if element.text]
        assert set(found.systems.index) <= {word.strip() for word in words}
        alternative = rendering.alternative_text(found)
        assert alternative in page
        assert str(found.n_clusters_with_holm) in re.findall(r"\d+", alternative)


def test_told_apart_has_the_better_system_first():
    pairs = a_campaign({"ab": 0.5}).pairs
    assert ("a", "b") not in comparing.told_apart(pairs, "pvalue")
    assert ("a", "b") in comparing.told_apart(pairs, "pvalue", level=0.6)
    turned = pairs.assign(plain_difference=-pairs["plain_difference"])
    assert ("d", "a") in comparing.told_apart(turned, "pvalue", prefix="plain_")
