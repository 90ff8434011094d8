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
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.conclusions.clustering import best_first
from mtsig_nb.human.pair_tests import PairTests
from mtsig_nb.outcomes.verdicts import verdict

#: Cases are small as they are; to shrink one takes minutes.
same_every_time = settings(derandomize=True, max_examples=10, phases=[Phase.generate])

OTHER_SIDE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
WORDS = {"better": 1, "indistinguishable": 0, "cannot tell": 0, "worse": -1}
#: Few resamples: whether a p-value is the same does not depend on how good it is.
DRAWN: dict[str, Any] = {"n_resamples": 99, "rng": 7}
NAMES = ("delta", "alpha", "epsilon", "beta", "gamma")


@dataclasses.dataclass(frozen=True)
class Argument:
    """What is drawn for an argument, and what makes its other versions; those not named are it."""

    drawn: st.SearchStrategy[Any]
    others: dict[str, Callable[[Any], Any]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Scored:
    """Segment scores of some systems, of one direction; twelve segments in four documents."""

    values: np.ndarray
    names: tuple[str, ...]
    higher_is_better: bool

    def turned(self) -> Scored:
        return Scored(-self.values, self.names, not self.higher_is_better)

    def mirrored(self) -> Scored:
        return Scored(-self.values[::-1], self.names[::-1], self.higher_is_better)

    @property
    def frame(self) -> pd.DataFrame:
        frame = pd.DataFrame(self.values.T, columns=self.names).rename_axis("segment").reset_index()
        frame["document"] = frame["segment"] // 3
        return frame.melt(["segment", "document"], var_name="system", value_name="score")

    @property
    def statistics(self) -> mt.SufficientStatistics:
        return self.labelled("score")

    def labelled(self, label: str) -> mt.SufficientStatistics:
        up = self.higher_is_better
        return mt.from_segment_scores(
            self.frame, document="document", label=label, higher_is_better=up
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


def numbers(shape: Any, elements: st.SearchStrategy[Any]) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, shape, elements=elements.map(float), fill=st.nothing())


quarters = st.integers(-8, 8).map(lambda n: n / 4)  # few values, so that there are ties
two_sides = st.sampled_from(list(OTHER_SIDE))
sides = Argument(two_sides, {"mirrored": OTHER_SIDE.get, "swapped": OTHER_SIDE.get})
fixed_sides = Argument(two_sides)  # relative to the better system
pairs = Argument(st.just(NAMES[:2]), {"swapped": lambda pair: pair[::-1]})


def scored(systems: int = 4) -> Argument:
    values = numbers((systems, 12), quarters)
    drawn = st.builds(Scored, values, st.just(NAMES[:systems]), st.booleans())
    return Argument(drawn, {"turned": Scored.turned, "mirrored": Scored.mirrored})


def concluded(systems: int = 5) -> Argument:
    """Any conclusions with any scores, as rank tests may contradict the means."""
    names = NAMES[:systems]
    two = itertools.combinations(names, 2)
    drawn = st.builds(
        mt.Conclusions.from_pairs,
        st.fixed_dictionaries(dict.fromkeys(two, st.sampled_from([-1, 0, 1]))),
        systems=st.just(names),
        scores=numbers(systems, quarters),
        higher_is_better=st.booleans(),
    )
    return Argument(drawn, {"turned": with_negated_scores, "mirrored": opposite})


def judged(rows: Iterable[Any], columns: str, elements: st.SearchStrategy[Any]) -> Argument:
    """Judgements in the last column, whose direction is fixed; in the mirror they are negated."""
    *given, column = columns.split()
    frame = pd.DataFrame(list(rows), columns=given)
    drawn = numbers(len(frame), elements).map(lambda values: frame.assign(**{column: values}))
    return Argument(drawn, {"mirrored": lambda t: t.assign(**{column: -t[column]})})


#: Three raters of three systems on six segments, with damaged and repeated items.
ratings = judged(
    itertools.product(["SYSTEM", "BAD_REF", "REPEAT"], "xyz", NAMES[:3], range(6)),
    "type rater system segment raw",
    st.integers(0, 100),
)
#: Every two of three systems, compared by five raters on three segments.
preferences = judged(
    [
        (*two, *place)
        for two in itertools.combinations(NAMES[:3], 2)
        for place in itertools.product("vwxyz", range(3))
    ],
    "system_a system_b rater segment outcome",
    st.integers(-1, 1),
)
rankings = judged(itertools.product(range(6), NAMES[:4]), "task system rank", st.integers(1, 5))
peoples_scores = judged(zip(NAMES[:4]), "system score", quarters)

#: What a result says, sorted by what becomes of it: orders are reversed in the mirror; what is
#: signed has the other sign there, and if swapped; spans are limits, (low, high), of something
#: signed; scores are the numbers that were given, or in their units; what is one way is the same
#: if turned, and something else in the mirror.  What is not named below stays as it is.
Outline = dict[str, dict[Any, Any]]


def backwards(order: Any) -> Any:
    return order[::-1]


def reflected(span: Any) -> Any:
    return np.negative(span)[::-1]


BECOMES: dict[str, dict[str, Callable[[Any], Any] | None]] = {
    "turned": {"scores": np.negative},
    "mirrored": {
        "orders": backwards,
        "signed": np.negative,
        "spans": reflected,
        "scores": np.negative,
        "one_way": None,
    },
    "swapped": {"orders": None, "signed": np.negative, "spans": reflected, "one_way": None},
}


def unchanged(value: Any) -> Any:
    return value


def assert_version(version: str, one: Outline, other: Outline) -> None:
    """What is said of the other version is what has to become of what is said of the one."""
    assert one.keys() == other.keys()
    for kind, said in one.items():
        becomes = BECOMES[version].get(kind, unchanged)
        if becomes is not None:
            assert_alike({key: becomes(value) for key, value in said.items()}, other[kind])


def assert_alike(one: Any, other: Any) -> None:
    """Equal, numbers but for rounding."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        assert_alike(list(one.values()), [other[key] for key in one])
    elif isinstance(one, list | tuple):
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
    named = (f"one-sided ({a} better)" in line) - (f"one-sided ({b} better)" in line)
    difference = result.to_frame()["difference"].item()
    counted = (result.count, result.n_resamples, result.n_differing, result.exact)
    return {
        "signed": {"all": (result.statistic, difference, shown), "side": named},
        "same": {"p": (result.pvalue, *result.pvalue_interval), "n": counted},
        "scores": {a: result.score_a, b: result.score_b},
    }


def joined(parts: dict[str, Outline]) -> Outline:
    """Several outlines in one."""
    outline: Outline = {}
    for name, part in parts.items():
        for kind, said in part.items():
            named = {(name, key): value for key, value in said.items()}
            outline[kind] = outline.get(kind, {}) | named
    return outline


def of_conclusions(found: mt.Conclusions) -> Outline:
    both_ways = sorted(itertools.permutations(found.systems, 2))
    signed = {pair: found.conclusion(*pair) for pair in both_ways}
    for row in found.to_frame().itertuples():
        assert WORDS[row.conclusion] == signed[row.system_a, row.system_b]
    assert found.scores is not None
    return {
        "orders": {"given": found.systems, "best first": best_first(found).systems},
        "signed": signed,
        "same": {"unresolved": {frozenset(pair) for pair in found.unresolved}},
        "scores": dict(zip(found.systems, found.scores, strict=True)),
    }


def of_comparisons(p: mt.Comparisons) -> Outline:
    """All pairs, each from the side of the system that is first in the alphabet."""
    signed, spans, scores = {}, {}, {}
    same: dict[Any, Any] = {"said": p.sentence.splitlines()[0]}
    for row in p.table.itertuples():
        turn = 1 if row.system_a < row.system_b else -1
        key = (row.metric, *sorted([row.system_a, row.system_b]))
        signed[key] = (turn * row.difference, turn * WORDS[row.conclusion])
        span = (row.ci_low, row.ci_high)
        spans[key] = span if turn == 1 else reflected(span)
        scores[key] = (row.score_a, row.score_b)[::turn]
        same[key] = (row.pvalue, row.pvalue_low, row.pvalue_high, row.pvalue_adjusted)
        same[key, "note"] = (row.note, row.conclusion == "cannot tell", row.at_floor)
    table = {"signed": signed, "spans": spans, "same": same, "scores": scores}
    drawn = {metric: of_conclusions(p.conclusions(0.3, metric=metric)) for metric in p.metrics}
    return joined({"table": table, **drawn})


def by_name(tests: PairTests, matrix: np.ndarray) -> np.ndarray:
    """What a matrix has of every two systems, in the order of their names."""
    at = np.argsort(tests.systems)
    return matrix[np.ix_(at, at)][~np.eye(len(at), dtype=bool)]


def of_tests(tests: PairTests) -> Outline:
    """Tests of all pairs on judgements by people."""
    drawn = tests.conclusions(0.3)
    listed = tests.scores[list(best_first(drawn).systems)]
    conclusions = by_name(tests, drawn.reorder(tests.systems).matrix)
    said = tests.sentence.replace(tests.alternative, "")
    return {
        "orders": {"scores": ranked(tests.scores), "best first": ranked(listed)},
        "signed": {"advantage": by_name(tests, tests.statistic), "conclusions": conclusions},
        "same": {"p": by_name(tests, tests.pvalues), "said": said},
        "scores": {},
    }


# How each public name is checked.


@dataclasses.dataclass(frozen=True)
class Check:
    """The outline of what a function says, and its arguments; those that are none do not vary."""

    outline: Callable[..., Outline]
    given: dict[str, Any]
    examples: int = 10

    @property
    def arguments(self) -> dict[str, Argument]:
        return {name: one for name, one in self.given.items() if isinstance(one, Argument)}

    @property
    def versions(self) -> list[str]:
        """Those that have anything else to say; ratings, for one, have one direction."""
        made = {version for argument in self.arguments.values() for version in argument.others}
        return [v for v in BECOMES if v in made and (v != "swapped" or "pair" in self.given)]

    def compare(self) -> None:
        """Every case, which is computed once, with all its other versions."""
        spoke = []
        drawn = {name: argument.drawn for name, argument in self.arguments.items()}

        @settings(same_every_time, max_examples=self.examples)
        @given(st.fixed_dictionaries(drawn))
        def every_case(case: dict[str, Any]) -> None:
            one = self.said(case)
            for version in self.versions:
                others = {
                    name: self.arguments[name].others.get(version, unchanged)(value)
                    for name, value in case.items()
                }
                assert_version(version, one, self.said(others))
            spoke.append("refused" not in one)

        every_case()
        assert any(spoke), "every case was refused, so that nothing was compared"

    def said(self, case: dict[str, Any]) -> Outline:
        try:
            return self.outline(**self.given | case)
        except mt.InputError as error:  # what cannot be tested is refused in every version
            return {"refused": {"why": str(error).split(":")[0]}}


def of_test(function: Callable[..., Any]) -> Callable[..., Outline]:
    def outline(scores: Scored, pair: Any, **options: Any) -> Outline:
        return of_pair(function(scores.statistics, *pair, **options))

    return outline


def interval(scores: Scored, pair: Any, method: str) -> Outline:
    found = mt.confidence_interval(scores.statistics, *pair, method=method, **DRAWN)
    alone = mt.confidence_interval(scores.statistics, NAMES[0], method=method, **DRAWN)
    widths = (found.standard_error, alone.standard_error, alone.high - alone.low)
    return {
        "signed": {"estimate": found.estimate},
        "spans": {"difference": (found.low, found.high)},
        "same": {"widths": widths},
        # A score's own interval follows the sign of the scores, whatever their direction.
        "scores": {"alone": (alone.estimate, alone.low + alone.high)},
    }


def equivalence(scores: Scored, pair: Any, method: str) -> Outline:
    found = mt.equivalence_test(scores.statistics, *pair, margin=0.5, method=method, **DRAWN)
    below, above = found.pvalue_below, found.pvalue_above
    return {
        "signed": {"statistic": found.statistic, "sides": below - above},
        "spans": {"interval": found.interval},
        "same": {"p": (found.pvalue, below + above), "conclusion": found.conclusion},
        "scores": {found.system_a: found.score_a, found.system_b: found.score_b},
    }


def looked(scores: Scored, pair: Any, alternative: str, units: str) -> Outline:
    n_units = {"segments": 12, "documents": 4}[units]
    found = mt.sequential_test(
        scores.statistics,
        *pair,
        planned=n_units,
        looks=2,
        spending="even",
        alternative=alternative,
        units=units,
        alpha=0.3,
        **DRAWN,
    )
    table = found.table
    verdicts = table["verdict"].map({"better": 1, "worse": -1}).fillna(0)
    ends = table[["ci_low", "ci_high"]].clip(-1e9, 1e9)
    return {
        "signed": {
            "difference": table["difference"],
            "statistic": table["statistic"],
            "verdicts": verdicts,
        },
        "spans": {"first": tuple(ends.iloc[0]), "last": tuple(ends.iloc[-1])},
        "same": {"said": (table["pvalue"], table["boundary"], table["predictive_power"])},
    }


def detectable(scores: Scored, pair: Any, side: str) -> Outline:
    found = mt.minimum_detectable_difference(scores.statistics, *pair, alternative=side, power=0.6)
    return {"same": {"said": (found.table["difference"], found.sentence.splitlines()[0])}}


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
Family = tuple[str, str | None]
families = Argument(st.sampled_from(FAMILIES))


def compared(statistics: Any, family: Family, side: str, **more: Any) -> Any:
    test, correction = family
    options = {"test": test, "correction": correction, "alternative": side, "alpha": 0.3, **more}
    return mt.compare_all(statistics, interval_resamples=50, **options, **DRAWN)


def all_pairs(scores: Scored, family: Family, side: str, **more: Any) -> Outline:
    p = compared(scores.statistics, family, side, **more)
    # But for the sign of scores in it.
    return of_comparisons(p) | {"one_way": {"verdict": verdict(p).replace("-", "")}}


def over_test_sets(scores: Scored, family: Family, side: str) -> Outline:
    """The same documents in two test sets; in the second the systems have changed places."""
    s = scores.statistics
    places = sorted(s.systems)
    others = [places[places.index(name) - 1] for name in s.systems]
    again = dataclasses.replace(s.select(others), systems=s.systems)
    p = compared(mt.test_sets({"one": s, "other": again}), family, side, interval=None)
    outline = joined({name: of_comparisons(p.on(name)) for name in ("all", "one", "other")})
    for row in p.pairing.itertuples():
        key = tuple(sorted([row.system_a, row.system_b]))
        outline["same"][key] = (row.se_joint, row.se_independent)
    return outline


def on_a_board(scores: Scored) -> Outline:
    """Two tasks; on the second the systems have changed places."""
    s = scores.statistics
    places = sorted(s.systems)
    others = [places[places.index(name) - 1] for name in s.systems]
    again = dataclasses.replace(s.select(others), systems=s.systems)
    board = mt.leaderboard({"one": s, "other": again}, **DRAWN)
    middle = (len(s.systems) + 1) / 2  # about which mean ranks turn in the mirror
    outline: Outline = {"signed": {}, "spans": {}, "scores": {}}
    for row in board.table.itertuples():
        outline["signed"][row.system] = row.value - middle
        outline["spans"][row.system] = (row.ci_low - middle, row.ci_high - middle)
        outline["scores"][row.system] = list(board.scores.loc[row.system])
    for row in board.pairs.itertuples():
        pair = sorted([row.system_a, row.system_b])
        sign = 1 if pair[0] == row.system_a else -1
        outline["signed"][tuple(pair)] = sign * row.surely_ahead
    return outline


def over_runs(scores: Scored, side: str) -> Outline:
    """Two runs each; names of runs, not their places, say whose they are."""
    runs = {"one": NAMES[:2], "other": NAMES[2:4]}
    found = mt.compare_runs(scores.statistics, runs, alternative=side, **DRAWN)
    table = found.to_frame()
    spreads = {
        "signed": {"statistic": found.statistic},
        "same": {"spreads": table[["s_sel", "s_opt"]].to_numpy(), "methods": found.pvalue},
        "scores": {"means": table["score"]},
    }
    tests = {"segments": of_pair(found.segment_test), "runs": of_pair(found.run_test)}
    return joined({"spreads": spreads, **tests})


def for_a_paper(scores: Scored, family: Family, side: str) -> Outline:
    p = compared(scores.statistics, family, side)
    middle = mt.summary_table(p, against="epsilon").set_index("system")
    leading = mt.summary_table(p)
    assert leading["conclusion"].isna().tolist() == [True, False, False, False]
    assert (leading["difference"].dropna() <= 0).all(), "none is ahead of the best"
    others = middle.drop("epsilon").sort_index()
    return {
        "orders": {"systems": leading["system"].tolist(), "against": middle.index.tolist()},
        "signed": {"all": (others["difference"], others["conclusion"].map(WORDS).astype(int))},
        "spans": {row.Index: (row.ci_low, row.ci_high) for row in others.itertuples()},
        "same": {
            "p": others[["pvalue", "pvalue_adjusted"]].to_numpy(),
            "letters": shared_letters(middle["letters"].to_dict()),
        },
        "scores": middle["score"].to_dict(),
    }


def read_scores(scores: Scored) -> Outline:
    found = scores.statistics
    segments = dict(enumerate(found.select(sorted(found.systems)).segment_scores()))
    return {
        "orders": {"scores": found.scores().index.tolist()},
        "scores": found.scores().to_dict() | segments,
    }


def as_printed(scores: Scored, pair: Any, tool: str) -> Outline:
    found = mt.reported_by(tool, scores.statistics, *pair, **DRAWN)
    tests = {"theirs": of_pair(found.theirs), "corrected": of_pair(found.corrected)}
    return joined({"printed": {"same": {"printed": found.printed}}, **tests})


def drawn_conclusions(found: mt.Conclusions) -> Outline:
    part = found.reorder(found.systems[1:4])
    orders = {"part": part.systems, "heatmap": heatmap_rows(part)}
    return joined({"all": of_conclusions(found), "part": {"orders": orders}})


def heatmap_rows(found: mt.Conclusions) -> list[str]:
    """The systems as a heatmap lists them, without their scores."""
    figure = found.heatmap()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    plt.close(figure)
    return [label.split()[0] for label in labels]


def shared_letters(letters: dict[str, str]) -> set[frozenset[str]]:
    """Which systems have a letter in common."""
    two = itertools.combinations(letters, 2)
    return {frozenset(pair) for pair in two if set(letters[pair[0]]) & set(letters[pair[1]])}


def clustered(found: mt.Conclusions) -> Outline:
    c = mt.clusters(found)
    groups = [frozenset(group) for group in c.groups]
    relation = {
        (one, other): c.relation[i, j]
        for (i, one), (j, other) in itertools.permutations(enumerate(groups), 2)
    }
    same = (set(groups), shared_letters(c.letters()), c.is_ordered)
    return {
        "orders": {"systems": c.systems} | ({"groups": groups} if c.is_ordered else {}),
        "signed": relation,
        "same": {"all": same},
        # Clusters without an order are listed by their best systems, in the mirror by the others.
        "one_way": {"groups": groups, "frame": c.to_frame().to_dict("list"), "said": c.sentence},
    }


def side_by_side(found: mt.Conclusions) -> Outline:
    table = mt.rank_table(found)
    by_name = table.set_index("system").sort_index()
    return {
        "orders": {"systems": table["system"].tolist()},
        # A range from the top is one from the bottom in the mirror.
        "signed": {
            "cluster": 2 * by_name["wmt_cluster"] - 1 - by_name["wmt_cluster"].max(),
            "middle": by_name["rank_top"] + by_name["rank_bottom"] - len(table) - 1,
            "net": by_name["wins"] - by_name["losses"],
        },
        "same": {"width": by_name["rank_bottom"] - by_name["rank_top"]},
        "scores": {"score": by_name["score"]},
        "one_way": {"table": table.drop(columns="score").to_dict("list")},
    }


def rand(one: mt.Conclusions, other: mt.Conclusions) -> Outline:
    return {"same": {"score": mt.ordered_rand(one, other)}}


def beside_people(found: mt.Conclusions, people: mt.Conclusions) -> Outline:
    a = mt.agreement(found, people, n_resamples=20, rng=7)
    assert best_first(a.gold).systems == a.gold.systems, "people's best is named first"
    # About the system that people rank higher, whichever it is.
    pairs = {
        (frozenset([row.system_a, row.system_b]), row.gold, row.conclusion)
        for row in a.table.itertuples()
    }
    counted = (a.kinds.to_dict(), a.correct, a.total, *a.interval, a.confusion.to_numpy())
    return {
        "orders": {"systems": a.gold.systems},
        "same": {"counted": counted, "pairs": pairs},
        "one_way": {"draws of systems, by their places": a.resampled_interval},
    }


def of_table(table: pd.DataFrame) -> Outline:
    return {"same": {"table": table.select_dtypes("number").to_numpy()}}


def between(**found: mt.Conclusions) -> Outline:
    people = found.pop("people")
    results = {name: mt.agreement(m, people, n_resamples=20, rng=7) for name, m in found.items()}
    tables = (
        mt.chi_square_between(results),
        mt.mcnemar_between(results),
        mt.compare_metrics(results).table,
    )
    return joined({str(k): of_table(table) for k, table in enumerate(tables)})


def exchanged(one: Scored, other: Scored, people: Scored) -> Outline:
    judged = people.statistics
    liked = judged.metric.direction * judged.scores()
    return of_table(mt.exchange_metrics(one.statistics, other.statistics, liked, rng=7).table)


def ordered_alike(scores: Scored, people: pd.DataFrame) -> Outline:
    given = people.groupby("system")["score"].mean()
    up = scores.higher_is_better
    a = mt.pairwise_accuracy(scores.mean, given, higher_is_better=up, n_resamples=20, rng=7)
    listed = list(best_first(a.conclusions).systems)
    assert ranked(scores.statistics.scores()) == ranked(scores.mean[listed])
    two = itertools.permutations(NAMES[:4], 2)
    return {
        "signed": {pair: a.conclusions.conclusion(*pair) for pair in two},
        "same": {"numbers": (a.correct, a.total), "kinds": a.kinds.to_dict()},
    }


def softly(scores: Scored, people: Scored) -> Outline:
    found = mt.soft_pairwise_accuracy(scores.statistics, people.statistics, **DRAWN)
    distances = {frozenset([r.system_a, r.system_b]): r.distance for r in found.table.itertuples()}
    return {
        "same": {"accuracy": (found.accuracy, found.pairwise_accuracy), "pairs": distances},
        "one_way": {"draws of systems, by their places": found.interval},
    }


# What people say.


def of_means(test: Callable[..., PairTests]) -> Callable[..., Outline]:
    def outline(scores: Scored, side: str) -> Outline:
        return of_tests(test(scores.means, alternative=side))

    return outline


def published(scores: Scored, side: str) -> Outline:
    found = human.SegmentScores(scores.frame, higher_is_better=scores.higher_is_better)
    outline = of_tests(found.tests(test="rank-sum", alternative=side))
    outline["orders"]["systems"] = ranked(found.scores())
    outline["orders"]["statistics"] = ranked(found.as_statistics().scores())
    return outline


def assessed(frame: pd.DataFrame, side: str) -> Outline:
    ratings = human.Ratings(frame, scale=None)
    outline = of_tests(ratings.tests(alternative=side))
    outline["orders"]["raters"] = ranked(ratings.as_statistics().scores())
    outline["scores"] = ratings.segment_means(standardised=False).scores().to_dict()
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
    return {
        "orders": {"systems": ranked(found.tests.scores)},
        "signed": {
            "conclusions": by_name(found.tests, drawn.reorder(found.tests.systems).matrix),
            "sides": by_name(found.tests, one_sided - one_sided.T),
            "cluster": standings["middle"],
        },
        "same": {"pairs": sorted(found.table["stars"])},
        "scores": {"all": standings[["raw_mean", "z_mean"]].to_numpy()},
    }


def controlled(frame: pd.DataFrame) -> Outline:
    """A rater must score damaged outputs lower, and only that side is tested."""
    table = human.Ratings(frame, scale=None).quality_control().table
    return {
        "signed": {"damaged": table["damaged_difference"]},
        "same": {"repeats": table[["repeats_difference", "repeats_pvalue"]].to_numpy()},
        "scores": {"mean": table["mean"]},
    }


def preferred(frame: pd.DataFrame, side: str, unit: str | None) -> Outline:
    given = human.PairwisePreferences(frame)
    outline = of_tests(given.sign_test(alternative=side, units=unit))
    half = given.scores() - 0.5
    outline["orders"]["expected wins"] = ranked(half)
    outline["signed"]["expected wins"] = half.sort_index()
    return outline


def fitted(frame: pd.DataFrame, side: str, ties: str) -> Outline:
    fit = human.PairwisePreferences(frame).bradley_terry(ties=ties)
    outline = of_tests(fit.tests(alternative=side))
    outline["signed"]["strengths"] = fit.strengths.sort_index()
    outline["same"]["errors"] = fit.to_frame().set_index("system")["standard_error"].sort_index()
    return outline


def powered(differences: np.ndarray, side: str) -> Outline:
    """People on seven segments of twelve, and a judge on all."""
    people = np.where(np.arange(12) < 7, differences[0], np.nan)
    found = human.prediction_powered(people, differences[1], alternative=side)
    return {
        "signed": {"all": (found.statistic, found.people[0], found.judge)},
        "spans": {"both": found.interval},
        "same": {"all": (found.pvalue, found.weight, found.standard_error)},
    }


def over_sets_of_ratings(values: np.ndarray, side: str) -> Outline:
    """The mean over two test sets; each has three systems, five segments and three raters."""
    assume(all(np.ptp(rated, axis=(1, 2)).all() for rated in values))  # every system's vary
    tests = {}
    for number, rated in enumerate(values):
        axes = {"system": range(3), "segment": range(5), "rater": range(3)}
        frame = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
        frame["system"] = frame["system"].map("abc".__getitem__)
        ratings = human.Ratings(frame.assign(raw=rated.ravel()), scale=None)
        tests[f"set {number}"] = ratings.tests_over_samples(standardised=False)
    return of_tests(human.mean_over_test_sets(tests, alternative=side))


def one_of(*values: Any) -> Argument:
    return Argument(st.sampled_from(values))


units = one_of("segments", "documents")
PAIR = {"scores": scored(), "pair": pairs}
TEST = PAIR | {"alternative": sides, "units": units}
FAMILY = {"scores": scored(), "family": families, "side": fixed_sides}
DRAWN_TEST = TEST | DRAWN | {"counting": one_of("add-one", "strict")}
DRAWN_TESTS = (
    mt.approximate_randomization,
    mt.bootstrap_test,
    mt.paired_bootstrap,
    mt.sign_flip_test,
    mt.studentized_bootstrap,
)
CLASSICAL_TESTS = (mt.paired_t_test, mt.sign_test, mt.signed_rank_test)
FOUND = {"found": concluded()}
#: What people say of systems, of one side.
PEOPLE = {"scores": scored(), "side": sides}

PUBLIC = {
    **{f.__name__: Check(of_test(f), DRAWN_TEST, 15) for f in DRAWN_TESTS},
    **{f.__name__: Check(of_test(f), TEST, 15) for f in CLASSICAL_TESTS},
    "Conclusions": Check(drawn_conclusions, FOUND, 5),
    "agreement": Check(beside_people, FOUND | {"people": concluded()}, 15),
    "clusters": Check(clustered, FOUND, 30),
    "compare_all": Check(
        all_pairs,
        FAMILY | {"units": units, "interval": one_of("percentile", "simultaneous", None)},
        20,
    ),
    "compare_metrics": Check(between, dict.fromkeys(("one", "other", "people"), concluded(4))),
    "compare_runs": Check(over_runs, {"scores": scored(), "side": sides}),
    "confidence_interval": Check(
        interval, PAIR | {"method": one_of("percentile", "basic", "bootstrap-t")}, 15
    ),
    "equivalence_test": Check(
        equivalence, PAIR | {"method": one_of("percentile", "bootstrap-t", "both")}, 15
    ),
    "sequential_test": Check(looked, TEST, 15),
    "exchange_metrics": Check(exchanged, dict.fromkeys(("one", "other", "people"), scored())),
    "from_segment_scores": Check(read_scores, {"scores": scored()}),
    "minimum_detectable_difference": Check(detectable, PAIR | {"side": fixed_sides}, 5),
    "leaderboard": Check(on_a_board, {"scores": scored()}, 20),
    "ordered_rand": Check(rand, {"one": concluded(), "other": concluded()}),
    "pairwise_accuracy": Check(ordered_alike, {"scores": scored(), "people": peoples_scores}),
    "rank_table": Check(side_by_side, FOUND, 30),
    "reported_by": Check(
        as_printed, PAIR | {"tool": one_of("sacrebleu-bs", "sacrebleu-ar", "moses", "multeval")}
    ),
    "riezler_maxwell_bootstrap": Check(
        of_test(mt.riezler_maxwell_bootstrap), PAIR | DRAWN | {"warn": False}
    ),
    "soft_pairwise_accuracy": Check(softly, {"scores": scored(), "people": scored()}),
    "summary_table": Check(for_a_paper, FAMILY),
    "test_sets": Check(over_test_sets, FAMILY, 20),
}
HUMAN = {
    "PairwisePreferences": Check(preferred, {"frame": rankings, "side": sides, "unit": None}),
    "Ratings": Check(assessed, {"frame": ratings, "side": sides}),
    "SegmentScores": Check(published, PEOPLE),
    "mean_over_test_sets": Check(
        over_sets_of_ratings,
        {
            "values": Argument(numbers((2, 3, 5, 3), quarters), {"mirrored": np.negative}),
            "side": sides,
        },
    ),
    "prediction_powered": Check(
        powered,
        {
            "differences": Argument(numbers((2, 12), quarters), {"mirrored": np.negative}),
            "side": sides,
        },
    ),
    "rank_sum_test": Check(of_means(human.rank_sum_test), PEOPLE),
    "signed_rank_test": Check(of_means(human.signed_rank_test), PEOPLE | {"scores": scored(2)}),
    "Ratings.quality_control": Check(controlled, {"frame": ratings}),
    "Ratings.wmt": Check(as_wmt_does, {"frame": ratings}),
    "PairwisePreferences.bradley_terry": Check(
        fitted, {"frame": preferences, "side": sides, "ties": one_of("dropped", "half")}
    ),
    "PairwisePreferences.sign_test": Check(
        preferred,
        {"frame": preferences, "side": sides, "unit": one_of(None, "raters", "segments")},
    ),
}

#: What a function in `PUBLIC` returns, or is called with it, and is looked at there.
RESULTS = {
    "chi_square_between": "compare_metrics",
    "mcnemar_between": "compare_metrics",
    "Clusters": "clusters",
    "Comparisons": "compare_all",
    "SufficientStatistics": "from_segment_scores",
}

#: Names without better and worse, by the reason why.
NOT_MIRRORED = {
    "published figures, each with the direction of its metric": "Campaign load",
    "an error or a warning": "InputError MtsigError PitfallWarning",
    "texts, names or sizes": "Texts cite fetch_texts list_campaigns read_test_set",
    "counts what a test found extreme on the side that it asks about": "Counting",
    "p-values in, p-values out": "adjust_pvalues",
    "of embedded campaigns; TER, which goes down, is in test_by_size.py": "agreement_by_size",
    "shows what compare_all and the tests return": "explore",
    "checked name by name above": "human",
    "counts from texts, which cannot be negated; the metric has its direction": "measure",
    "formulas over counts; SegmentMean, which can be negated, is in every case here": "metrics",
    "a file; its directions are in tests/scores/test_score_tables.py": "read_score_table",
    "data with a known truth, which `power` plants here by simulation": "simulate",
}

#: The same of what people say.
HUMAN_NOT_MIRRORED = {
    "plans: errors, and chances to tell apart either way": "next_judgements plan_campaign"
}

CHECKS = PUBLIC | {f"human.{name}": check for name, check in HUMAN.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_of_other_versions_is_said_what_has_to_become_of_it(name):
    assert CHECKS[name].versions
    CHECKS[name].compare()


@pytest.mark.takes_time
@same_every_time
@given(scored().drawn, two_sides)
def test_swapped_systems_turn_a_comparison_of_runs_over(scores, side):
    """Over the segments the shuffles are dealt out by place, so that p is another sample of one."""
    runs = {"one": NAMES[:2], "other": NAMES[2:4]}
    swapped = {"other": NAMES[2:4], "one": NAMES[:2]}
    one = mt.compare_runs(scores.statistics, runs, alternative=side, **DRAWN)
    other = mt.compare_runs(scores.statistics, swapped, alternative=OTHER_SIDE[side], **DRAWN)
    assert one.statistic == -other.statistic
    assert_version("swapped", of_pair(one.run_test), of_pair(other.run_test))
    named, again = (of_pair(found.segment_test)["signed"]["side"] for found in (one, other))
    assert named == -again


@pytest.mark.takes_time
@same_every_time
@given(scored(2).drawn, preferences.drawn)
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
        assert_alike(two.statistic, -two.statistic.T)
        assert greater.conclusions(0.3) == less.conclusions(0.3)


@pytest.mark.slow
@same_every_time
@given(scored().drawn, scored().drawn, st.sampled_from(FAMILIES), two_sides)
def test_every_metric_of_a_family_has_its_own_direction(one, other, family, side):
    """Which metrics stand beside a metric, and which way they go, makes no difference to it."""
    test, correction = family
    options = {"test": test, "alternative": side, **DRAWN}
    several, turned = (
        mt.compare_all([one.labelled("COMET"), second], correction=correction, **options)
        for second in (other.labelled("MQM"), other.turned().labelled("MQM"))
    )
    scores = ["score_a", "score_b"]
    pd.testing.assert_frame_equal(*(p.table.drop(columns=scores) for p in (several, turned)))
    alone = mt.compare_all(other.labelled("MQM"), correction=None, **options)
    together = several.conclusions(0.3, metric="MQM")
    assert best_first(together).systems == together.systems == tuple(alone.scores["MQM"].index)
    for metric, scores in (("COMET", one), ("MQM", other)):
        found = several.conclusions(0.3, metric=metric)
        assert found.higher_is_better == scores.higher_is_better
        assert mt.rank_table(found)["system"].tolist() == list(found.systems)
        leading = mt.summary_table(several, metric=metric)["system"].tolist()
        assert leading == list(found.systems) == list(scores.statistics.scores().index)


@pytest.mark.takes_time
@same_every_time
@given(scored().drawn)
def test_tukeys_correction_knows_no_side(scores):
    """Outputs are dealt out by place: in the mirror another sample of the same permutations."""
    options = {"correction": "tukey", "n_resamples": 999, "interval": None, "rng": 7}
    versions = (scores, scores.turned(), scores.mirrored())
    found = [mt.compare_all(version.statistics, **options) for version in versions]
    assert_version("turned", of_comparisons(found[0]), of_comparisons(found[1]))
    adjusted = [
        {frozenset([r.system_a, r.system_b]): r.pvalue_adjusted for r in p.table.itertuples()}
        for p in found
    ]
    for pair, p in adjusted[0].items():
        # Six standard errors of the difference of two such shares.
        assert abs(p - adjusted[2][pair]) < 6 * np.sqrt(0.25 * 2 / 999)


def test_every_public_name_is_checked_or_has_a_reason_why_not():
    reasons = [name for names in NOT_MIRRORED.values() for name in names.split()]
    assert sorted([*PUBLIC, *RESULTS, *reasons]) == sorted(mt.__all__), "sort a new name in above"
    assert set(RESULTS.values()) <= set(PUBLIC)
    checked = [name for name in HUMAN if "." not in name]
    without = [name for names in HUMAN_NOT_MIRRORED.values() for name in names.split()]
    assert sorted([*checked, *without]) == sorted(human.__all__)
