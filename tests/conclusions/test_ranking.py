"""Clusters, WMT's clusters, rank ranges, greedy ranks, ordered Rand."""

import dataclasses
import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtsig_nb as mt
from mtsig_nb.conclusions.clustering import best_first
from mtsig_nb.conclusions.deciding import Conclusions

from ..messages import naming, values


def conclude(text, **details):
    """Conclusions from ``"A>B B~C A>C"``."""
    pairs = {}
    for pair in text.split():
        sign = 1 if ">" in pair else 0
        a, b = pair.split(">" if sign else "~")
        pairs[a, b] = sign
    return Conclusions.from_pairs(pairs, **details)


ALONE = Conclusions(("A",), [[0]])


@st.composite
def random_conclusions(draw, max_size=7):
    """Any conclusions at all: not transitive, with circles, as they come."""
    n = draw(st.integers(1, max_size))
    names = [f"s{i}" for i in range(n)]
    pairs = {pair: draw(st.sampled_from([-1, 0, 1])) for pair in itertools.combinations(names, 2)}
    return Conclusions.from_pairs(pairs, systems=names)


@st.composite
def interval_conclusions(draw, max_size=7):
    """Systems as intervals on a line, better where an interval lies wholly above."""
    n = draw(st.integers(1, max_size))
    low = [draw(st.integers(0, 12)) for _ in range(n)]
    high = [x + draw(st.integers(0, 6)) for x in low]
    matrix = [[(low[i] > high[j]) - (low[j] > high[i]) for j in range(n)] for i in range(n)]
    return Conclusions(tuple(f"s{i}" for i in range(n)), matrix)


# What each way of ranking says of the cases that people argue about, written by hand: clusters,
# whether they are ordered, WMT's clusters, and, best first, rank ranges and greedy ranks.
CASES = {
    "not transitive": ("A~B B~C A>C", "AB BC", True, "ABC", "12 13 23", "112"),
    "chain": ("A~B B~C C~D A>C A>D B>D", "AB BC CD", True, "ABCD", "12 13 24 34", "1122"),
    "two groups": ("A~B C~D A>C A>D B>C B>D", "AB CD", True, "AB CD", "12 12 34 34", "1122"),
    "circle": ("A>B B>C C>A", "A B C", False, "ABC", "22 22 22", "123"),
    "winner": ("W>A W>B W>C A>B B>C C>A", "W A B C", False, "W ABC", "11 33 33 33", "1234"),
    "significance": ("A>B B>C A~C", "AC B", False, "ABC", "12 22 23", "123"),
    "apart": ("A>C B>D A~B A~D B~C C~D", "AB AD BC CD", False, "ABCD", "13 13 24 24", "1122"),
    "alike": ("A~B A~C B~C", "ABC", True, "ABC", "13 13 13", "111"),
    "all different": ("A>B A>C B>C", "A B C", True, "A B C", "11 22 33", "123"),
    "two, different": ("A>B", "A B", True, "A B", "11 22", "12"),
    "two, indistinguishable": ("A~B", "AB", True, "AB", "12 12", "11"),
}


def wmt_clusters(conclusions):
    """WMT's clusters, best first."""
    return [set(rows["system"]) for _, rows in mt.rank_table(conclusions).groupby("wmt_cluster")]


@pytest.mark.parametrize("case", CASES)
def test_cases_written_by_hand(case):
    text, expected, ordered, of_wmt, ranges, greedy = CASES[case]
    found = mt.clusters(conclude(text))
    assert [set(group) for group in found.groups] == list(map(set, expected.split()))
    assert found.is_ordered is ordered
    assert (found.notes == ()) is ordered
    assert wmt_clusters(conclude(text)) == list(map(set, of_wmt.split()))
    table = mt.rank_table(conclude(text))
    assert [f"{r.rank_top}{r.rank_bottom}" for r in table.itertuples()] == ranges.split()
    assert "".join(map(str, table["greedy_rank"])) == greedy
    counted = [[(row == 1).sum(), (row == -1).sum()] for row in found.conclusions.matrix]
    assert table[["wins", "losses"]].values.tolist() == counted


def test_one_system_is_a_cluster():
    table = mt.rank_table(dataclasses.replace(ALONE, scores=[7]))
    ranks = dict.fromkeys(("wmt_cluster", "rank_top", "rank_bottom", "greedy_rank"), 1)
    expected = {"system": "A", "score": 7, "letters": "a", **ranks, "wins": 0, "losses": 0}
    assert table.to_dict("records") == [expected]


def test_circles_and_contradicting_clusters_are_named():
    winner, apart = (mt.clusters(conclude(CASES[case][0])) for case in ("winner", "apart"))
    assert values(winner.notes[:1], "circle") == {"systems": "A, B, C"}
    assert "circle" in str(winner)
    (note,) = apart.notes
    assert (note.code, note.values) == ("clusters-unordered", {"n": 1, "first": "b and c"})


@pytest.mark.takes_time
@given(
    random_conclusions(),
    st.lists(st.floats(-99, 99, allow_subnormal=False), min_size=7, max_size=7, unique=True),
    st.booleans(),
)
def test_neither_conclusions_nor_the_order_given_say_which_scores_are_good(found, scores, higher):
    """Of scores, higher_is_better alone does."""
    scores = scores[: len(found.systems)]
    found = dataclasses.replace(found, scores=scores, higher_is_better=higher)
    expected = [s for _, s in sorted(zip(scores, found.systems, strict=True), reverse=higher)]
    for listed in (found, found.reorder(reversed(found.systems))):
        assert list(best_first(listed).systems) == expected
        assert mt.rank_table(listed)["system"].tolist() == expected


def test_ties_in_score_are_ordered_by_wins_then_as_given():
    tied = conclude("A>C A~B B~C", scores=[5.0, 4.0, 4.0])  # systems are A, C, B
    assert best_first(tied).systems == ("A", "B", "C")
    assert mt.clusters(tied).groups == (("A", "B"), ("B", "C"))
    level = conclude("A~B B~C A~C", scores=[4.0, 4.0, 4.0]).reorder("BCA")
    assert best_first(level).systems == ("B", "C", "A")
    assert mt.clusters(level).groups == (("B", "C", "A"),)


def brute_force_cliques(conclusions):
    """Maximal sets of pairwise indistinguishable systems, by looking at every set."""
    systems = conclusions.systems
    sets = [
        frozenset(chosen)
        for size in range(1, len(systems) + 1)
        for chosen in itertools.combinations(systems, size)
        if all(conclusions.conclusion(a, b) == 0 for a, b in itertools.combinations(chosen, 2))
    ]
    return [s for s in sets if not any(s < other for other in sets)]


@given(random_conclusions())
def test_clusters_are_the_maximal_cliques_and_share_letters_accordingly(conclusions):
    found = mt.clusters(conclusions)
    cliques = brute_force_cliques(conclusions)
    assert sorted(map(sorted, found.groups)) == sorted(map(sorted, cliques))
    letters = found.letters()
    assert set(letters) == set(conclusions.systems)
    for a, b in itertools.combinations(conclusions.systems, 2):
        shared = bool(set(letters[a]) & set(letters[b]))
        assert shared == (conclusions.conclusion(a, b) == 0)
    for (i, c), (j, d) in itertools.permutations(enumerate(found.groups), 2):
        said = {conclusions.conclusion(a, b) for a in c for b in d if a != b} - {0}
        assert found.relation[i, j] == (said.pop() if len(said) == 1 else 0)


def is_interval_order(conclusions):
    """Fishburn's definition: a > b and c > d imply a > d or c > b."""
    better = {
        (a, b)
        for a, b in itertools.permutations(conclusions.systems, 2)
        if conclusions.conclusion(a, b) == 1
    }
    return all((a, d) in better or (c, b) in better for a, b in better for c, d in better)


@pytest.mark.takes_time
@settings(max_examples=300)
@given(st.one_of(random_conclusions(max_size=5), interval_conclusions()))
def test_clusters_are_ordered_exactly_for_interval_orders(conclusions):
    assert mt.clusters(conclusions).is_ordered == is_interval_order(conclusions)


@given(interval_conclusions())
def test_ordered_clusters_give_back_the_conclusions(conclusions):
    found = mt.clusters(conclusions)
    runs = {s: [k for k, g in enumerate(found.groups) if s in g] for s in conclusions.systems}
    for run in runs.values():
        assert run == list(range(run[0], run[-1] + 1))
    for a, b in itertools.permutations(conclusions.systems, 2):
        assert (runs[a][-1] < runs[b][0]) == (conclusions.conclusion(a, b) == 1)


@pytest.mark.takes_time
@given(random_conclusions(), st.randoms(use_true_random=False))
def test_wmt_clusters_do_not_depend_on_the_order_of_systems(conclusions, random):
    shuffled = list(conclusions.systems)
    random.shuffle(shuffled)
    groups = wmt_clusters(conclusions)
    assert wmt_clusters(conclusions.reorder(shuffled)) == groups
    assert set().union(*groups) == set(conclusions.systems)
    # Every cut is one, and there is no other: brute force over all sets that beat the rest.
    systems = set(conclusions.systems)
    beating = [
        set(top)
        for size in range(1, len(systems))
        for top in itertools.combinations(sorted(systems), size)
        if all(conclusions.conclusion(a, b) == 1 for a in top for b in systems - set(top))
    ]
    assert list(map(frozenset, itertools.accumulate(groups, set.union)))[:-1] == sorted(
        map(frozenset, beating), key=len
    )


def test_clusters_print_and_escape_names():
    pairs = {("<script>", "b&c"): 0}
    found = mt.clusters(Conclusions.from_pairs(pairs, alpha=0.05, source="a <test>"))
    head, members = str(found).split("\n")
    assert re.match(naming("2 systems", "1 cluster ", "a <test>", "0.05"), head)
    assert members == "a: <script>, b&c"
    shown = found._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;, b&amp;c" in shown
    assert "a &lt;test&gt;" in shown
    assert found.to_frame().values.tolist() == [[1, "a", "<script>"], [1, "a", "b&c"]]


def test_there_are_letters_for_any_number_of_clusters():
    n = 60
    matrix = np.triu(np.ones((n, n), dtype=int), 1)
    found = mt.clusters(Conclusions(tuple(map(str, range(n))), matrix - matrix.T))
    assert len(set(found.names)) == n
    assert (found.names[0], found.names[51], found.names[52]) == ("a", "Z", "a1")


def test_ordered_rand_of_the_papers_example():
    # Stroppa & Owczarzak 2007: 6 systems, 10 agreements, 5 weak disagreements, 0.67.
    pairs = list(itertools.combinations("ABCDEF", 2))
    c = Conclusions.from_pairs(dict.fromkeys(pairs, 1))
    d = Conclusions.from_pairs({pair: int(k >= 5) for k, pair in enumerate(pairs)})
    apart = conclude("A>B A>C B~C"), conclude("B>A A>C B~C")
    for (one, other), expected in (((c, d.reorder("CAFBED")), 10 / 15), (apart, (2 - 1) / 3)):
        assert mt.ordered_rand(one, other) == pytest.approx(expected)
        assert mt.ordered_rand(other, one) == pytest.approx(expected)


OF_OTHERS = conclude("A>B A>C B>C"), conclude("A>B A>D B>D")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: conclude("A~B", higher_is_better=-1), "higher_is_better=-1 must be True or False"),
        (lambda: mt.ordered_rand(*OF_OTHERS), "only one has 'C', 'D'"),
        (lambda: mt.ordered_rand(ALONE, ALONE), "no pairs"),
    ],
)
def test_what_is_refused(make, words):
    with pytest.raises(mt.InputError, match=words):
        make()
