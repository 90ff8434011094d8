"""Negated scores turn every result into its mirror image, unless their direction is turned too.

Of the same case there are four versions.  *Turned*: scores negated, and with the other direction;
everything must be said that was said before.  *Mirrored*: scores negated, and listed in reverse
(ties stay in the order given); the opposite must be said, with the same p-values.  *Swapped*: the
two systems of a pair change places.  Every public name is in a table: how it is checked, or why
there is nothing to check.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.conclusions.clustering import best_first
from mtsig_nb.human.pair_tests import PairTests
from mtsig_nb.report.verdicts import verdict

#: Cases are small as they are; to shrink one takes minutes.
same_every_time = settings(
    derandomize=True, deadline=None, max_examples=10, phases=[Phase.generate]
)

#: Versions in which a test of two systems asks about the other one.
TURNING = ("mirrored", "swapped")
OTHER_SIDE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
WORDS = {"better": 1, "indistinguishable": 0, "cannot tell": 0, "worse": -1}
#: Few resamples: whether a p-value is the same does not depend on how good it is.
DRAWN: dict[str, Any] = {"n_resamples": 99, "rng": 7}
NAMES = ("delta", "alpha", "epsilon", "beta", "gamma")


@dataclasses.dataclass(frozen=True)
class Case:
    """An argument, and what makes its other versions of it; those not named are the same."""

    value: Any
    others: dict[str, Callable[[Any], Any]] = dataclasses.field(default_factory=dict)

    def version(self, name: str) -> Any:
        return self.others.get(name, lambda value: value)(self.value)


@dataclasses.dataclass(frozen=True)
class Scored:
    """Segment scores of some systems, of one direction; twelve segments in four documents."""

    values: np.ndarray
    names: tuple[str, ...]
    higher_is_better: bool

    @property
    def turned(self) -> Scored:
        return Scored(-self.values, self.names, not self.higher_is_better)

    @property
    def mirrored(self) -> Scored:
        return Scored(-self.values[::-1], self.names[::-1], self.higher_is_better)

    @property
    def frame(self) -> pd.DataFrame:
        rows = [
            (system, segment, segment // 3, score)
            for system, scores in zip(self.names, self.values, strict=True)
            for segment, score in enumerate(scores)
        ]
        return pd.DataFrame(rows, columns=["system", "segment", "document", "score"])

    @property
    def statistics(self) -> mt.SufficientStatistics:
        return self.labelled("score")

    def labelled(self, label: str) -> mt.SufficientStatistics:
        return mt.from_segment_scores(
            self.frame,
            document="document",
            label=label,
            higher_is_better=self.higher_is_better,
        )

    @property
    def means(self) -> human.SegmentScores:
        frame = self.frame.rename(columns={"score": "mean"})
        # Not every system was judged on every segment.
        judged = (frame["segment"] + frame["system"].str.len()) % 7 > 0
        return human.SegmentScores(frame[judged], higher_is_better=self.higher_is_better)

    @property
    def mean(self) -> pd.Series:
        return pd.Series(self.values.mean(axis=1), index=list(self.names))


def with_negated_scores(c: mt.Conclusions) -> mt.Conclusions:
    return dataclasses.replace(c, scores=-c.scores, higher_is_better=not c.higher_is_better)


def opposite(c: mt.Conclusions) -> mt.Conclusions:
    negated = dataclasses.replace(c, matrix=-c.matrix, scores=-c.scores)
    return negated.reorder(reversed(c.systems))


def of(cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Any]:
    """The arguments alone."""
    return cases.map(lambda case: case.value)


quarters = st.integers(-8, 8).map(lambda n: n / 4)  # few values, so that there are ties
two_sides = st.sampled_from(list(OTHER_SIDE))
sides = two_sides.map(lambda side: Case(side, dict.fromkeys(TURNING, OTHER_SIDE.get)))
fixed_sides = two_sides.map(Case)  # relative to the better system
pairs = st.just(Case(NAMES[:2], {"swapped": lambda pair: pair[::-1]}))


@st.composite
def scored(draw: st.DrawFn, systems: int = 4) -> Case:
    values = draw(arrays(np.float64, (systems, 12), elements=quarters, fill=st.nothing()))
    given = Scored(values, NAMES[:systems], draw(st.booleans()))
    return Case(given, {"turned": lambda s: s.turned, "mirrored": lambda s: s.mirrored})


@st.composite
def concluded(draw: st.DrawFn, systems: int = 5) -> Case:
    """Any conclusions with any scores, as rank tests may contradict the means."""
    names = NAMES[:systems]
    said = {pair: draw(st.sampled_from([-1, 0, 1])) for pair in itertools.combinations(names, 2)}
    scores = draw(arrays(np.float64, systems, elements=quarters, fill=st.nothing()))
    details = {"scores": scores, "higher_is_better": draw(st.booleans())}
    drawn = mt.Conclusions.from_pairs(said, systems=names, **details)
    return Case(drawn, {"turned": with_negated_scores, "mirrored": opposite})


def judged(rows: Iterable[Any], columns: str, elements: st.SearchStrategy[Any]) -> Any:
    """Judgements in the last column, whose direction is fixed; in the mirror they are negated."""
    *given, column = columns.split()
    frame = pd.DataFrame(list(rows), columns=given)
    drawn = arrays(np.float64, len(frame), elements=elements.map(float), fill=st.nothing())
    mirror = {"mirrored": lambda table: table.assign(**{column: -table[column]})}
    return drawn.map(lambda values: Case(frame.assign(**{column: values}), mirror))


#: Three raters of three systems on six segments, with damaged and repeated items.
ratings = judged(
    itertools.product(["SYSTEM", "BAD_REF", "REPEAT"], "xyz", NAMES[:3], range(6)),
    "type rater system segment raw",
    st.integers(0, 100),
)
#: Every two of three systems, compared by five raters on three segments.
preferences = judged(
    (
        (*two, rater, segment)
        for two in itertools.combinations(NAMES[:3], 2)
        for rater in "vwxyz"
        for segment in range(3)
    ),
    "system_a system_b rater segment outcome",
    st.integers(-1, 1),
)
rankings = judged(itertools.product(range(6), NAMES[:4]), "task system rank", st.integers(1, 5))
peoples_scores = judged(zip(NAMES[:4]), "system score", quarters)


# What a result says, sorted by what becomes of it.


@dataclasses.dataclass
class Outline:
    """What a result says.

    orders: reversed in the mirror.  signed: of the other sign in the mirror, and if swapped.
    spans: limits, (low, high), of something signed.  same: the same in all versions.  scores: the
    numbers that were given, or in their units.  one_way: the same if turned; in the mirror
    something else.
    """

    orders: dict[Any, Any] = dataclasses.field(default_factory=dict)
    signed: dict[Any, Any] = dataclasses.field(default_factory=dict)
    spans: dict[Any, Any] = dataclasses.field(default_factory=dict)
    same: dict[Any, Any] = dataclasses.field(default_factory=dict)
    scores: dict[Any, Any] = dataclasses.field(default_factory=dict)
    one_way: dict[Any, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        self.orders = {name: tuple(order) for name, order in self.orders.items()}


def negated(numbers: dict[Any, Any]) -> dict[Any, Any]:
    return {key: -np.asarray(value) for key, value in numbers.items()}


def reflected(spans: dict[Any, Any]) -> dict[Any, Any]:
    return {key: (-high, -low) for key, (low, high) in spans.items()}


def backwards(orders: dict[Any, Any]) -> dict[Any, Any]:
    return {key: order[::-1] for key, order in orders.items()}


#: What becomes of each part of an outline in each version; what is not named stays as it is.
BECOMES: dict[str, dict[str, Callable[[Any], Any] | None]] = {
    "turned": {"scores": negated},
    "mirrored": {
        "orders": backwards,
        "signed": negated,
        "spans": reflected,
        "scores": negated,
        "one_way": None,
    },
    "swapped": {"orders": None, "signed": negated, "spans": reflected, "one_way": None},
}


def assert_version(version: str, one: Outline, other: Outline) -> None:
    """What is said of the other version is what has to become of what is said of the one."""
    for field in dataclasses.fields(Outline):
        becomes = BECOMES[version].get(field.name, lambda part: part)
        if becomes is not None:
            assert_alike(becomes(getattr(one, field.name)), getattr(other, field.name))


def assert_alike(one: Any, other: Any) -> None:
    """Equal, numbers but for rounding."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key, value in one.items():
            assert_alike(value, other[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            assert_alike(mine, theirs)
    elif isinstance(one, str | set | frozenset | type(None)):
        assert one == other
    else:
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


def ranked(scores: pd.Series) -> tuple[frozenset[str], ...]:
    """Systems in the order of their scores, ties together: people's are listed by name."""
    groups = itertools.groupby(scores.index, key=lambda system: round(scores[system], 9))
    return tuple(frozenset(group) for _, group in groups)


def of_pair(result: Any) -> Outline:
    """A test of two systems."""
    a, b = result.system_a, result.system_b
    line = result.sentence.splitlines()[0]
    assert f"{result.statistic:+.2f}" in line
    side = {"two-sided": 0, "greater": 1, "less": -1}[result.alternative]
    shown = WORDS[result.conclusion(0.3)]
    assert shown * side >= 0, "a one-sided test speaks of the side that was tested"
    return Outline(
        signed={
            "statistic": (result.statistic, result.to_frame()["difference"].item()),
            "side": (f"one-sided ({a} better)" in line) - (f"one-sided ({b} better)" in line),
            "conclusion": shown,
        },
        same={
            "p": (result.pvalue, *result.pvalue_interval),
            "n": (result.count, result.n_resamples, result.n_differing, result.exact),
        },
        scores={a: result.score_a, b: result.score_b},
    )


def joined(parts: dict[Any, Outline]) -> Outline:
    """Several outlines in one."""
    outline = Outline()
    for name, part in parts.items():
        for field in dataclasses.fields(Outline):
            said = getattr(part, field.name)
            getattr(outline, field.name).update({(name, key): x for key, x in said.items()})
    return outline


def of_conclusions(found: mt.Conclusions) -> Outline:
    both_ways = sorted(itertools.permutations(found.systems, 2))
    signed = {pair: found.conclusion(*pair) for pair in both_ways}
    for row in found.to_frame().itertuples():
        assert WORDS[row.conclusion] == signed[row.system_a, row.system_b]
    assert found.scores is not None
    return Outline(
        orders={"given": found.systems, "best first": best_first(found).systems},
        signed=signed,
        same={"unresolved": {frozenset(pair) for pair in found.unresolved}},
        scores=dict(zip(found.systems, found.scores, strict=True)),
    )


def of_comparisons(p: mt.Comparisons) -> Outline:
    """All pairs, each from the side of the system that is first in the alphabet."""
    outline = Outline(same={"said": p.sentence.splitlines()[0]})
    for row in p.table.itertuples():
        turn = 1 if row.system_a < row.system_b else -1
        key = (row.metric, *sorted([row.system_a, row.system_b]))
        outline.signed[key] = (turn * row.difference, turn * WORDS[row.conclusion])
        span = {key: (row.ci_low, row.ci_high)}
        outline.spans |= span if turn == 1 else reflected(span)
        outline.same[key] = (row.pvalue, row.pvalue_low, row.pvalue_high, row.pvalue_adjusted)
        outline.scores[key] = (row.score_a, row.score_b)[::turn]
        outline.same[key, "note"] = (row.note, row.conclusion == "cannot tell", row.at_floor)
    drawn = {metric: of_conclusions(p.conclusions(0.3, metric=metric)) for metric in p.metrics}
    return joined({"table": outline, **drawn})


def by_name(tests: PairTests, matrix: np.ndarray) -> np.ndarray:
    """What a matrix has of every two systems, in the order of their names."""
    at = np.argsort(tests.systems)
    return matrix[np.ix_(at, at)][~np.eye(len(at), dtype=bool)]


def of_tests(tests: PairTests) -> Outline:
    """Tests of all pairs on judgements by people."""
    drawn = tests.conclusions(0.3)
    listed = tests.scores[list(best_first(drawn).systems)]
    return Outline(
        orders={"scores": ranked(tests.scores), "best first": ranked(listed)},
        signed={
            "advantage": by_name(tests, tests.advantage),
            "conclusions": by_name(tests, drawn.reorder(tests.systems).matrix),
        },
        same={
            "p": by_name(tests, tests.pvalues),
            "said": tests.sentence.replace(tests.alternative, ""),
        },
    )


# How each public name is checked.


@dataclasses.dataclass(frozen=True)
class Check:
    """Cases for a function, and the outline of what it says of one."""

    outline: Callable[..., Outline]
    cases: tuple[st.SearchStrategy[Any], ...]
    examples: int = 10

    def compare(self, version: str) -> None:
        spoke = []

        @settings(same_every_time, max_examples=self.examples)
        @given(st.tuples(*self.cases))
        def every_case(case: tuple[Case, ...]) -> None:
            one = self.said(part.value for part in case)
            assert_version(version, one, self.said(part.version(version) for part in case))
            spoke.append("refused" not in one.same)

        every_case()
        assert any(spoke), "every case was refused, so that nothing was compared"

    def said(self, values: Iterable[Any]) -> Outline:
        try:
            return self.outline(*values)
        except mt.InputError as error:  # what cannot be tested is refused in every version
            return Outline(same={"refused": str(error).split(":")[0]})


units = st.sampled_from(["segments", "documents"]).map(Case)
rules = st.sampled_from(["add-one", "strict"]).map(Case)
PAIRED = (scored(), pairs, sides)


def drawn_test(function: Callable[..., Any], **options: Any) -> Callable[..., Outline]:
    def outline(scores: Scored, pair: Any, side: str, unit: str, rule: str) -> Outline:
        given = {"alternative": side, "units": unit, "counting": rule}
        return of_pair(function(scores.statistics, *pair, **given, **options, **DRAWN))

    return outline


def classical_test(function: Callable[..., Any]) -> Callable[..., Outline]:
    def outline(scores: Scored, pair: Any, side: str, unit: str) -> Outline:
        return of_pair(function(scores.statistics, *pair, alternative=side, units=unit))

    return outline


def printed_in_2005(scores: Scored, pair: Any) -> Outline:
    return of_pair(mt.riezler_maxwell_bootstrap(scores.statistics, *pair, warn=False, **DRAWN))


def interval(scores: Scored, pair: Any, method: str) -> Outline:
    options = {"method": method, **(DRAWN if method != "t" else {})}
    found = mt.confidence_interval(scores.statistics, *pair, **options)
    alone = mt.confidence_interval(scores.statistics, NAMES[0], **options)
    return Outline(
        signed={"estimate": found.estimate},
        spans={"difference": (found.low, found.high)},
        same={
            "error": (found.standard_error, alone.standard_error),
            "width": alone.high - alone.low,
        },
        # A score's own interval follows the sign of the scores, whatever their direction.
        scores={"alone": (alone.estimate, alone.low + alone.high)},
    )


def equivalence(scores: Scored, pair: Any) -> Outline:
    found = mt.equivalence_test(scores.statistics, *pair, margin=0.5, **DRAWN)
    below, above = found.pvalue_below, found.pvalue_above
    return Outline(
        signed={"statistic": found.statistic, "sides": below - above},
        spans={"interval": found.interval},
        same={"p": (found.pvalue, below + above), "conclusion": found.conclusion},
        scores={found.system_a: found.score_a, found.system_b: found.score_b},
    )


def detectable(scores: Scored, pair: Any, side: str) -> Outline:
    found = mt.minimum_detectable_difference(scores.statistics, *pair, alternative=side, power=0.6)
    return Outline(
        same={"difference": found.table["difference"], "said": found.sentence.splitlines()[0]}
    )


FAMILIES = (
    ("approximate-randomization", None),
    ("approximate-randomization", "holm"),
    ("approximate-randomization", "westfall-young"),
    ("bootstrap", "romano-wolf"),
    ("studentized-bootstrap", "romano-wolf"),
    ("studentized-bootstrap", "holm"),
    ("sign-flip", "westfall-young"),
    ("bootstrap", "benjamini-hochberg"),
    ("paired-bootstrap", "bonferroni"),
)
families = st.sampled_from(FAMILIES).map(Case)
FAMILY = (scored(), families, fixed_sides)


def compared(scores: Scored, family: tuple[str, str | None], side: str, **more: Any) -> Any:
    test, correction = family
    options = {"test": test, "correction": correction, "alternative": side, "alpha": 0.3, **more}
    return mt.compare_all(scores.statistics, interval_resamples=50, **options, **DRAWN)


def all_pairs(
    scores: Scored, family: tuple[str, str | None], side: str, unit: str, kind: str | None
) -> Outline:
    p = compared(scores, family, side, units=unit, interval=kind)
    outline = of_comparisons(p)
    outline.one_way["verdict"] = verdict(p).replace("-", "")  # but for the sign of scores in it
    return outline


def over_test_sets(scores: Scored, family: tuple[str, str | None], side: str) -> Outline:
    """The same documents in two test sets; in the second the systems have changed places."""
    s = scores.statistics
    places = sorted(s.systems)
    others = [places[places.index(name) - 1] for name in s.systems]
    again = dataclasses.replace(s.select(others), systems=s.systems)
    sets = mt.test_sets({"one": s, "other": again})
    test, correction = family
    p = mt.compare_all(
        sets, test=test, correction=correction, alternative=side, alpha=0.3, interval=None, **DRAWN
    )
    outline = joined({name: of_comparisons(p.on(name)) for name in ("all", "one", "other")})
    for row in p.pairing.itertuples():
        key = tuple(sorted([row.system_a, row.system_b]))
        outline.same[key] = (row.se_joint, row.se_independent)
    return outline


def over_runs(scores: Scored, side: str) -> Outline:
    """Two runs each; names of runs, not their places, say whose they are."""
    runs = {"one": NAMES[:2], "other": NAMES[2:4]}
    found = mt.compare_runs(scores.statistics, runs, alternative=side, **DRAWN)
    table = found.to_frame()
    spreads = Outline(
        signed={"statistic": found.statistic},
        same={"spreads": table[["s_sel", "s_opt"]].to_numpy(), "methods": found.pvalue},
        scores={"means": table["score"]},
    )
    tests = {"segments": of_pair(found.segment_test), "runs": of_pair(found.run_test)}
    return joined({"spreads": spreads, **tests})


def for_a_paper(scores: Scored, family: tuple[str, str | None], side: str) -> Outline:
    p = compared(scores, family, side)
    middle = mt.summary_table(p, against="epsilon").set_index("system")
    leading = mt.summary_table(p)
    others = sorted(set(scores.names) - {"epsilon"})
    signed = {s: (middle["difference"][s], WORDS[middle["conclusion"][s]]) for s in others}
    assert leading["conclusion"].isna().tolist() == [True, False, False, False]
    assert (leading["difference"].dropna() <= 0).all(), "none is ahead of the best"
    return Outline(
        orders={"systems": leading["system"], "against": middle.index},
        signed=signed,
        spans={s: (middle["ci_low"][s], middle["ci_high"][s]) for s in others},
        same={s: (middle["pvalue"][s], middle["pvalue_adjusted"][s]) for s in others}
        | {"letters": shared_letters(middle["letters"].to_dict())},
        scores=middle["score"].to_dict(),
    )


def read_scores(scores: Scored) -> Outline:
    statistics = scores.statistics
    return Outline(
        orders={"scores": statistics.scores().index},
        scores=statistics.scores().to_dict()
        | {s: statistics.segment_scores()[i] for i, s in enumerate(statistics.systems)},
    )


TOOLS = ("sacrebleu-bs", "sacrebleu-ar", "moses", "multeval")


def as_printed(scores: Scored, pair: Any, tool: str) -> Outline:
    found = mt.reported_by(tool, scores.statistics, *pair, **DRAWN)
    printed = Outline(same={"printed": found.printed})
    tests = {"theirs": of_pair(found.theirs), "corrected": of_pair(found.corrected)}
    return joined({"printed": printed, **tests})


def drawn_conclusions(found: mt.Conclusions) -> Outline:
    outline = of_conclusions(found)
    part = found.reorder(found.systems[1:4])
    outline.orders |= {"part": part.systems, "heatmap": tuple(heatmap_rows(part))}
    return outline


def heatmap_rows(found: mt.Conclusions) -> list[str]:
    """The systems as a heatmap lists them, without their scores."""
    figure = found.heatmap()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    plt.close(figure)
    return [label.split()[0] for label in labels]


def shared_letters(letters: dict[str, str]) -> set[frozenset[str]]:
    """Which systems have a letter in common."""
    return {
        frozenset(pair)
        for pair in itertools.combinations(letters, 2)
        if set(letters[pair[0]]) & set(letters[pair[1]])
    }


def clustered(found: mt.Conclusions) -> Outline:
    c = mt.clusters(found)
    relation = {
        (tuple(sorted(one)), tuple(sorted(other))): c.relation[i, j]
        for (i, one), (j, other) in itertools.permutations(enumerate(c.groups), 2)
    }
    return Outline(
        orders={"systems": c.systems}
        | ({"groups": map(frozenset, c.groups)} if c.is_ordered else {}),
        signed=relation,
        same={
            "groups": set(map(frozenset, c.groups)),
            "letters": shared_letters(c.letters()),
            "ordered": c.is_ordered,
        },
        # Clusters without an order are listed by their best systems, in the mirror by the others.
        one_way={"groups": c.groups, "frame": c.to_frame().to_dict("list"), "said": c.sentence},
    )


def side_by_side(found: mt.Conclusions) -> Outline:
    table = mt.rank_table(found)
    by_name = table.set_index("system").sort_index()
    return Outline(
        orders={"systems": table["system"]},
        # A range from the top is one from the bottom in the mirror.
        signed={
            "cluster": 2 * by_name["wmt_cluster"] - 1 - by_name["wmt_cluster"].max(),
            "middle": by_name["rank_top"] + by_name["rank_bottom"] - len(table) - 1,
            "net": by_name["wins"] - by_name["losses"],
        },
        same={"width": by_name["rank_bottom"] - by_name["rank_top"]},
        scores={"score": by_name["score"]},
        one_way={"table": table.drop(columns="score").to_dict("list")},
    )


def rand(one: mt.Conclusions, other: mt.Conclusions) -> Outline:
    return Outline(same={"score": mt.ordered_rand(one, other)})


def beside_people(found: mt.Conclusions, people: mt.Conclusions) -> Outline:
    a = mt.agreement(found, people, n_resamples=20, rng=7)
    assert best_first(a.gold).systems == a.gold.systems, "people's best is named first"
    return Outline(
        orders={"systems": a.gold.systems},
        same={
            "kinds": a.kinds.to_dict(),
            "numbers": (a.correct, a.total, *a.interval),
            # About the system that people rank higher, whichever it is.
            "confusion": a.confusion.to_numpy(),
            "pairs": {
                (frozenset([row.system_a, row.system_b]), row.gold, row.conclusion)
                for row in a.table.itertuples()
            },
        },
        one_way={"draws of systems, by their places": a.resampled_interval},
    )


def between(*found: mt.Conclusions) -> Outline:
    *metrics, people = found
    results = {
        f"metric {i}": mt.agreement(m, people, n_resamples=20, rng=7) for i, m in enumerate(metrics)
    }
    tables = {
        "chi-square": mt.chi_square_between(results),
        "McNemar": mt.mcnemar_between(results),
        "systems as units": mt.compare_metrics(results).table,
    }
    return Outline(
        same={name: table.select_dtypes("number").to_numpy() for name, table in tables.items()}
    )


def exchanged(one: Scored, other: Scored, people: Scored) -> Outline:
    judged = people.statistics
    liked = judged.metric.direction * judged.scores()
    found = mt.exchange_metrics(one.statistics, other.statistics, liked, rng=7)
    return Outline(same={"table": found.table.select_dtypes("number").to_numpy()})


def ordered_alike(scores: Scored, people: pd.DataFrame) -> Outline:
    given = people.groupby("system")["score"].mean()
    a = mt.pairwise_accuracy(
        scores.mean, given, higher_is_better=scores.higher_is_better, n_resamples=20, rng=7
    )
    found = a.conclusions
    assert ranked(scores.statistics.scores()) == ranked(
        scores.mean[list(best_first(found).systems)]
    )
    return Outline(
        signed={pair: found.conclusion(*pair) for pair in itertools.permutations(NAMES[:4], 2)},
        same={"numbers": (a.correct, a.total), "kinds": a.kinds.to_dict()},
    )


def softly(scores: Scored, people: Scored) -> Outline:
    found = mt.soft_pairwise_accuracy(scores.statistics, people.statistics, **DRAWN)
    return Outline(
        same={
            "accuracy": (found.accuracy, found.pairwise_accuracy),
            "pairs": {
                frozenset([row.system_a, row.system_b]): row.distance
                for row in found.table.itertuples()
            },
        },
        one_way={"draws of systems, by their places": found.interval},
    )


DRAWN_TESTS = (
    mt.approximate_randomization,
    mt.bootstrap_test,
    mt.paired_bootstrap,
    mt.sign_flip_test,
    mt.studentized_bootstrap,
)
CLASSICAL_TESTS = (mt.paired_t_test, mt.sign_test, mt.signed_rank_test)
KINDS = st.sampled_from(["percentile", "simultaneous", None]).map(Case)
METHODS = st.sampled_from(["percentile", "basic", "bootstrap-t"]).map(Case)

PUBLIC = {
    **{f.__name__: Check(drawn_test(f), (*PAIRED, units, rules), 15) for f in DRAWN_TESTS},
    **{f.__name__: Check(classical_test(f), (*PAIRED, units), 15) for f in CLASSICAL_TESTS},
    "Conclusions": Check(drawn_conclusions, (concluded(),), examples=5),
    "agreement": Check(beside_people, (concluded(), concluded()), examples=15),
    "clusters": Check(clustered, (concluded(),), examples=30),
    "compare_all": Check(all_pairs, (*FAMILY, units, KINDS), examples=20),
    "compare_metrics": Check(between, (concluded(4), concluded(4), concluded(4))),
    "compare_runs": Check(over_runs, (scored(), sides)),
    "confidence_interval": Check(interval, (scored(), pairs, METHODS), examples=15),
    "equivalence_test": Check(equivalence, (scored(), pairs), examples=15),
    "exchange_metrics": Check(exchanged, (scored(), scored(), scored())),
    "from_segment_scores": Check(read_scores, (scored(),)),
    "minimum_detectable_difference": Check(detectable, (*PAIRED[:2], fixed_sides), examples=5),
    "ordered_rand": Check(rand, (concluded(), concluded())),
    "pairwise_accuracy": Check(ordered_alike, (scored(), peoples_scores)),
    "rank_table": Check(side_by_side, (concluded(),), examples=30),
    "reported_by": Check(as_printed, (scored(), pairs, st.sampled_from(TOOLS).map(Case))),
    "riezler_maxwell_bootstrap": Check(printed_in_2005, (scored(), pairs)),
    "soft_pairwise_accuracy": Check(softly, (scored(), scored())),
    "summary_table": Check(for_a_paper, FAMILY),
    "test_sets": Check(over_test_sets, FAMILY, examples=20),
}

#: What a function in `PUBLIC` returns, or is called with it, and is looked at there.
RESULTS = {
    "chi_square_between": "compare_metrics",
    "mcnemar_between": "compare_metrics",
    "Clusters": "clusters",
    "Comparisons": "compare_all",
    "SufficientStatistics": "from_segment_scores",
}

#: Names without better and worse, and why.
NOT_MIRRORED = {
    "Campaign": "published figures, each with the direction of its metric",
    "Counting": "counts what a test found extreme on the side that it asks about",
    "InputError": "an error",
    "MtsigError": "an error",
    "PitfallWarning": "a warning",
    "Texts": "texts",
    "adjust_pvalues": "p-values in, p-values out",
    "agreement_by_size": "of embedded campaigns; TER, which goes down, is in test_by_size.py",
    "cite": "a text",
    "explore": "shows what compare_all and the tests return",
    "fetch_texts": "texts",
    "human": "checked name by name below",
    "list_campaigns": "names and sizes",
    "load": "published figures, each with the direction of its metric",
    "measure": "counts from texts; a count cannot be negated, and the metric has its direction",
    "metrics": "formulas over counts; SegmentMean, which can be negated, is in every case here",
    "read_score_table": "a file; its directions are in tests/statistics/test_score_tables.py",
    "read_test_set": "texts",
    "simulate": "data with a known truth, which `power` plants here by simulation",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC)
def test_of_negated_scores_with_the_other_direction_the_same_is_said(name):
    PUBLIC[name].compare("turned")


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC)
def test_of_negated_scores_the_opposite_is_said(name):
    PUBLIC[name].compare("mirrored")


#: Of two systems; `compare_runs` has a test of its own.
OF_PAIRS = [name for name, one in PUBLIC.items() if any(case is pairs for case in one.cases)]


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_PAIRS)
def test_swapped_systems_turn_the_result_over(name):
    PUBLIC[name].compare("swapped")


@given(of(scored()), two_sides)
@settings(same_every_time)
def test_swapped_systems_turn_a_comparison_of_runs_over(scores, side):
    """Over the segments the shuffles are dealt out by place, so that p is another sample of one."""
    runs = {"one": NAMES[:2], "other": NAMES[2:4]}
    swapped = {"other": NAMES[2:4], "one": NAMES[:2]}
    one = mt.compare_runs(scores.statistics, runs, alternative=side, **DRAWN)
    other = mt.compare_runs(scores.statistics, swapped, alternative=OTHER_SIDE[side], **DRAWN)
    assert one.statistic == -other.statistic
    assert_version("swapped", of_pair(one.run_test), of_pair(other.run_test))
    assert of_pair(one.segment_test).signed["side"] == -of_pair(other.segment_test).signed["side"]


@pytest.mark.slow
@same_every_time
@given(of(scored()), of(scored()), st.sampled_from(FAMILIES), two_sides)
def test_every_metric_of_a_family_has_its_own_direction(one, other, family, side):
    """Which metrics stand beside a metric, and which way they go, makes no difference to it."""
    test, correction = family
    options = {"test": test, "alternative": side, **DRAWN}
    several = mt.compare_all(
        [one.labelled("COMET"), other.labelled("MQM")], correction=correction, **options
    )
    turned = mt.compare_all(
        [one.labelled("COMET"), other.turned.labelled("MQM")], correction=correction, **options
    )
    numbers = ["score_a", "score_b"]
    pd.testing.assert_frame_equal(
        several.table.drop(columns=numbers), turned.table.drop(columns=numbers)
    )
    alone = mt.compare_all(other.labelled("MQM"), correction=None, **options)
    together = several.conclusions(0.3, metric="MQM")
    assert best_first(together).systems == together.systems == tuple(alone.scores["MQM"].index)
    for metric, scores in (("COMET", one), ("MQM", other)):
        found = several.conclusions(0.3, metric=metric)
        assert found.higher_is_better == scores.higher_is_better
        assert mt.rank_table(found)["system"].tolist() == list(found.systems)
        leading = mt.summary_table(several, metric=metric)["system"].tolist()
        assert leading == list(found.systems) == list(scores.statistics.scores().index)


@same_every_time
@given(of(scored()))
def test_tukeys_correction_knows_no_side(scores):
    """Outputs are dealt out by place: in the mirror another sample of the same permutations."""
    options: dict[str, Any] = {
        "correction": "tukey",
        "n_resamples": 999,
        "interval": None,
        "rng": 7,
    }
    versions = (scores, scores.turned, scores.mirrored)
    one, turned, mirrored = (mt.compare_all(v.statistics, **options) for v in versions)
    assert_version("turned", of_comparisons(one), of_comparisons(turned))
    key = [frozenset(pair) for pair in zip(one.table.system_a, one.table.system_b, strict=True)]
    again = [
        frozenset(pair)
        for pair in zip(mirrored.table.system_a, mirrored.table.system_b, strict=True)
    ]
    p = pd.Series(one.table["pvalue_adjusted"].to_numpy(), index=pd.Index(key))
    q = pd.Series(mirrored.table["pvalue_adjusted"].to_numpy(), index=pd.Index(again))
    # Six standard errors of the difference of two such shares.
    assert (p - q[p.index]).abs().max() < 6 * np.sqrt(0.25 * 2 / 999)


def test_every_public_name_is_checked_or_has_a_reason_why_not():
    tables = (PUBLIC, RESULTS, NOT_MIRRORED)
    names = [name for table in tables for name in table]
    assert sorted(names) == sorted(mt.__all__), "sort a new name into one of the tables above"
    assert set(RESULTS.values()) <= set(PUBLIC)


# What people say.


def of_means(test: Callable[..., PairTests]) -> Callable[..., Outline]:
    def outline(scores: Scored, side: str) -> Outline:
        return of_tests(test(scores.means, alternative=side))

    return outline


def published(scores: Scored, side: str) -> Outline:
    found = human.SegmentScores(scores.frame, higher_is_better=scores.higher_is_better)
    outline = of_tests(found.tests(test="rank-sum", alternative=side))
    outline.orders["systems"] = ranked(found.scores())
    outline.orders["statistics"] = ranked(found.as_statistics().scores())
    return outline


def assessed(frame: pd.DataFrame, side: str) -> Outline:
    ratings = human.Ratings(frame, scale=None)
    outline = of_tests(ratings.tests(alternative=side))
    outline.orders["raters"] = ranked(ratings.as_statistics().scores())
    outline.scores = ratings.segment_means(standardised=False).scores().to_dict()
    return outline


def as_wmt_does(frame: pd.DataFrame) -> Outline:
    """With one-sided tests in both directions: the mirror has those of the other one."""
    found = human.Ratings(frame, scale=None).wmt()
    standings = found.standings.set_index("system")
    # Published clusters end where the k-th wins often enough: from below that is another place.
    # In the mirror are those that end where all above beat all below.
    beats = found.tests.pvalues < 0.05
    ends = np.array([k for k in range(1, len(beats) + 1) if beats[:k, k:].all()])
    starts = np.concatenate([[0], ends[:-1]])
    standings["middle"] = np.repeat(starts + ends - len(frame["system"].unique()), ends - starts)
    standings = standings.sort_index()
    one_sided, drawn = found.tests.pvalues, found.tests.conclusions(0.3)
    return Outline(
        orders={"systems": ranked(found.tests.scores)},
        signed={
            "conclusions": by_name(found.tests, drawn.reorder(found.tests.systems).matrix),
            "sides": by_name(found.tests, one_sided - one_sided.T),
            "cluster": standings["middle"],
        },
        same={"pairs": sorted(found.table["stars"])},
        scores={"raw": standings["raw_mean"], "z": standings["z_mean"]},
    )


def controlled(frame: pd.DataFrame) -> Outline:
    """A rater must score damaged outputs lower, and only that side is tested."""
    table = human.Ratings(frame, scale=None).quality_control().table
    return Outline(
        signed={"damaged": table["damaged_difference"]},
        same={"repeats": table[["repeats_difference", "repeats_pvalue"]].to_numpy()},
        scores={"mean": table["mean"]},
    )


def preferred(frame: pd.DataFrame, side: str, unit: str | None) -> Outline:
    given = human.PairwisePreferences(frame)
    outline = of_tests(given.sign_test(alternative=side, units=unit))
    half = given.scores() - 0.5
    outline.orders["expected wins"] = ranked(half)
    outline.signed["expected wins"] = half.sort_index()
    return outline


def fitted(frame: pd.DataFrame, side: str, ties: str) -> Outline:
    fit = human.PairwisePreferences(frame).bradley_terry(ties=ties)
    outline = of_tests(fit.tests(alternative=side))
    outline.signed["strengths"] = fit.strengths.sort_index()
    outline.same["errors"] = fit.to_frame().set_index("system")["standard_error"].sort_index()
    return outline


tied = st.sampled_from(["dropped", "half"]).map(Case)
judged_by = st.sampled_from([None, "raters", "segments"]).map(Case)


def powered(differences: np.ndarray, side: str) -> Outline:
    """People on seven segments of twelve, and a judge on all."""
    people = np.where(np.arange(12) < 7, differences[0], np.nan)
    found = human.prediction_powered(people, differences[1], alternative=side)
    return Outline(
        signed={"both": found.statistic, "people": found.people[0], "judge": found.judge},
        spans={"both": found.interval},
        same={"p": found.pvalue, "weight": found.weight, "error": found.standard_error},
    )


two_rows = arrays(np.float64, (2, 12), elements=quarters, fill=st.nothing())
differences = two_rows.map(lambda rows: Case(rows, {"mirrored": np.negative}))

HUMAN = {
    "PairwisePreferences": Check(preferred, (rankings, sides, st.just(Case(None)))),
    "Ratings": Check(assessed, (ratings, sides)),
    "SegmentScores": Check(published, (scored(), sides)),
    "prediction_powered": Check(powered, (differences, sides)),
    "rank_sum_test": Check(of_means(human.rank_sum_test), (scored(), sides)),
    "signed_rank_test": Check(of_means(human.signed_rank_test), (scored(2), sides)),
    "Ratings.quality_control": Check(controlled, (ratings,)),
    "Ratings.wmt": Check(as_wmt_does, (ratings,)),
    "PairwisePreferences.bradley_terry": Check(fitted, (preferences, sides, tied)),
    "PairwisePreferences.sign_test": Check(preferred, (preferences, sides, judged_by)),
}

#: The direction of ratings, rankings and preferences is fixed.
DIRECTED = ["SegmentScores", "rank_sum_test"]


@pytest.mark.parametrize("name", [*DIRECTED, "signed_rank_test"])
def test_of_negated_judgements_with_the_other_direction_the_same_is_said(name):
    HUMAN[name].compare("turned")


@pytest.mark.parametrize("name", HUMAN)
def test_of_negated_judgements_the_opposite_is_said(name):
    HUMAN[name].compare("mirrored")


@same_every_time
@given(of(scored(2)), of(preferences))
def test_swapped_systems_turn_peoples_verdicts_over(scores, compared):
    """Both orders of a pair are in one result: rows against columns."""
    given_to: list[tuple[Any, Any]] = [
        (human.rank_sum_test, scores.means),
        (human.signed_rank_test, scores.means),
        (human.PairwisePreferences.sign_test, human.PairwisePreferences(compared)),
    ]
    for test, data in given_to:
        two, greater, less = (test(data, alternative=side) for side in OTHER_SIDE)
        assert_alike(two.pvalues, two.pvalues.T)
        assert_alike(greater.pvalues, less.pvalues.T)
        assert_alike(two.advantage, -two.advantage.T)
        assert greater.conclusions(0.3) == less.conclusions(0.3)


def test_every_public_name_about_people_is_checked_or_has_a_reason_why_not():
    names = [name for name in HUMAN if "." not in name]
    assert sorted(names) == sorted(human.__all__), "sort a new name into the table above"
