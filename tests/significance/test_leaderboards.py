"""Leaderboards: against a loop of their own, published boards' definitions, and what is sure."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..small_sets import means, real

AGGREGATES = ("mean-score", "mean-rank", "borda", "win-rate")
NAMES = ["ash", "elm", "fir", "oak", "yew"]


def tasks_of(
    rng: np.random.Generator, gaps: np.ndarray, *, n: int = 40, lower: tuple[int, ...] = ()
) -> dict[str, mt.SufficientStatistics]:
    """Tasks whose systems differ by `gaps`, shape (tasks, systems); `lower` is better on some."""
    tasks = {}
    for number, of_task in enumerate(gaps):
        scores = of_task[:, None] + rng.normal(size=(len(of_task), n))
        is_lower = number in lower
        tasks[f"task {number}"] = means(
            -scores if is_lower else scores,
            systems=NAMES[: len(of_task)],
            larger_is_better=not is_lower,
        )
    return tasks


def ranks(scores: np.ndarray) -> np.ndarray:
    """Ranks by counting, 1 for the largest; ties share the mean of their places."""
    above = (scores[None, :] > scores[:, None]).sum(axis=1)
    level = (scores[None, :] == scores[:, None]).sum(axis=1)
    return 1 + above + (level - 1) / 2


def value(scores: np.ndarray, aggregate: str) -> np.ndarray:
    """The aggregates of a table of scores, (tasks, systems), by a loop over tasks."""
    n_systems = scores.shape[1]
    of_tasks = []
    for of_task in scores:
        rank = ranks(of_task)
        of_tasks.append(
            {
                "mean-score": of_task,
                "mean-rank": rank,
                "borda": n_systems - rank,
                "win-rate": (n_systems - rank) / (n_systems - 1),
            }[aggregate]
        )
    return np.sum(of_tasks, axis=0) if aggregate == "borda" else np.mean(of_tasks, axis=0)


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_the_values_and_shares_are_those_of_a_loop(aggregate):
    rng = np.random.default_rng(1)
    tasks = tasks_of(rng, rng.normal(0, 0.2, size=(4, 5)))
    board = mt.leaderboard(tasks, aggregate=aggregate, n_resamples=2000, rng=3)
    found = board.table.set_index("system")
    observed = np.array([s.metric.score(s.totals()) for s in tasks.values()])
    np.testing.assert_allclose(found["value"].reindex(NAMES), value(observed, aggregate))

    # Independent draws of the same bootstrap, by a loop over resamples and tasks.
    drawn = []
    for _ in range(2000):
        scores = []
        for s in tasks.values():
            units = rng.integers(0, s.n_segments, s.n_segments)
            scores.append(s.values[:, units, 0].mean(axis=1))
        drawn.append(value(np.array(scores), aggregate))
    values = np.array(drawn)
    sign = -1 if aggregate == "mean-rank" else 1
    is_first = sign * values == (sign * values).max(axis=1, keepdims=True)
    first = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    # Six standard errors of two independent shares.
    assert np.abs(found["first"].reindex(NAMES) - first).max() < 6 * np.sqrt(2 * 0.25 / 2000)
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    step = {"mean-score": 0.03, "mean-rank": 0.26, "borda": 1.01, "win-rate": 0.07}[aggregate]
    assert np.abs(found["ci_low"].reindex(NAMES) - low).max() < step
    assert np.abs(found["ci_high"].reindex(NAMES) - high).max() < step


def test_possible_ranks_are_those_of_a_loop_over_the_same_resamples():
    rng = np.random.default_rng(2)
    tasks = tasks_of(rng, np.tile([1.0, 0.8, 0.3, 0.2, 0.0], (4, 1)))
    board = mt.leaderboard(tasks, n_resamples=999, rng=5)
    systems = list(board.table["system"])
    observed = -board.table["value"].to_numpy()
    resampled = -board.resampled
    pairs = list(itertools.combinations(range(5), 2))
    largest = np.zeros(999)
    spreads = {}
    for i, j in pairs:
        deviation = (resampled[i] - resampled[j]) - (observed[i] - observed[j])
        spread = np.sqrt((deviation**2).mean())
        if spread > 0:
            largest = np.maximum(largest, np.abs(deviation) / spread)
        spreads[i, j] = spread
    c = np.sort(largest)[949]  # the 950th of 999, as tests count
    ahead = dict.fromkeys(systems, 0)
    behind = dict(ahead)
    for i, j in pairs:
        difference = observed[i] - observed[j]
        if abs(difference) > c * spreads[i, j]:
            better, worse = (i, j) if difference > 0 else (j, i)
            ahead[systems[worse]] += 1
            behind[systems[better]] += 1
    assert list(board.table["rank_top"]) == [1 + ahead[system] for system in systems]
    assert list(board.table["rank_bottom"]) == [5 - behind[system] for system in systems]


def test_mean_rank_borda_and_win_rate_are_one_order():
    rng = np.random.default_rng(4)
    tasks = tasks_of(rng, rng.normal(0, 0.3, size=(6, 5)))
    boards = [mt.leaderboard(tasks, aggregate=name, rng=1) for name in AGGREGATES[1:]]
    columns = ["rank", "rank_top", "rank_bottom", "system", "first"]
    for board in boards[1:]:
        pd.testing.assert_frame_equal(board.table[columns], boards[0].table[columns])


def published_borda(scores: pd.DataFrame) -> pd.Series:
    """The rank of each row as MTEB defines it: a point for each system ranked lower on a task."""
    points = pd.Series(0.0, index=scores.index)
    for task in scores:
        points += len(scores) - scores[task].rank(method="average", ascending=False)
    return points.rank(method="min", ascending=False).astype(int)


def published_win_rate(scores: pd.DataFrame) -> pd.Series:
    """As HELM defines it: how likely a row is better than another one drawn at random."""
    rates = pd.DataFrame(index=scores.index)
    for task in scores:
        wins = [(scores[task] < own).sum() for own in scores[task]]
        rates[task] = np.array(wins) / (len(scores) - 1)
    return rates.mean(axis=1)


def test_published_boards_are_recovered():
    """On a campaign with lower-is-better metrics among others, turned for the publishers."""
    campaign = mt.load("wmt12/es-en")
    metrics = [campaign.statistics(name) for name in ("BLEU", "TER", "chrF", "NIST")]
    turned = pd.DataFrame({s.label: s.metric.direction * s.scores() for s in metrics})
    borda = mt.leaderboard(metrics, aggregate="borda", n_resamples=99, rng=1)
    found = borda.table.set_index("system")
    pd.testing.assert_series_equal(
        found["rank"].sort_index(), published_borda(turned).sort_index(), check_names=False
    )
    win_rate = mt.leaderboard(metrics, aggregate="win-rate", n_resamples=99, rng=1)
    pd.testing.assert_series_equal(
        win_rate.table.set_index("system")["value"].sort_index(),
        published_win_rate(turned).sort_index(),
        check_names=False,
    )
    assert (borda.scores.loc["onlineB"] == [s.scores()["onlineB"] for s in metrics]).all()


def test_ties_are_shown_as_ties():
    rng = np.random.default_rng(5)
    tasks = tasks_of(rng, np.array([[1.0, 0.5, 0.0]] * 3))
    twins = {}
    for name, s in tasks.items():
        values = s.values[[0, 1, 2, 0]]
        twins[name] = mt.SufficientStatistics(s.metric, ["ash", "elm", "fir", "copy"], values)
    board = mt.leaderboard(twins, n_resamples=499, rng=1)
    assert set(board.firsts) == {"ash", "copy"}
    of_first = board.table.set_index("system").loc[["ash", "copy"]]
    assert of_first["rank"].tolist() == [1, 1]
    assert of_first["first"].iloc[0] == of_first["first"].iloc[1]
    assert board.table["first"].sum() == pytest.approx(1)
    pair = board.pairs.set_index(["system_a", "system_b"]).loc[("ash", "copy")]
    assert (pair["ci_low"], pair["ci_high"]) == (0, 0)
    assert not pair["surely_ahead"]
    assert "share the first place" in board.verdict


def test_the_task_that_decides_is_found():
    rng = np.random.default_rng(6)
    gaps = np.array([[0.1, 0.0], [0.1, 0.0], [0.0, 3.0]])
    tasks = tasks_of(rng, gaps, n=400)
    board = mt.leaderboard(tasks, aggregate="mean-score", n_resamples=499, rng=1)
    assert board.firsts == ["elm"]
    by_task = board.by_task.set_index("task")
    assert by_task["is_first"].to_dict() == {"task 0": True, "task 1": True, "task 2": False}
    assert by_task.loc["task 2", "first"] == "ash"
    assert by_task.loc["task 2", "turned"] == 1
    without = [s.scores() for name, s in tasks.items() if name != "task 2"]
    lead = np.mean([scores["elm"] - scores["ash"] for scores in without])
    assert by_task.loc["task 2", "lead"] == pytest.approx(lead)
    assert by_task.loc["task 2", "ci_low"] < lead < by_task.loc["task 2", "ci_high"]


def test_an_irrelevant_system_turns_the_order_of_two_others_and_the_note_says_so():
    """Condorcet's kind: of two tasks each wins one, by more places if a third lies between."""
    scores = {"one": [3.0, 2.0, 1.0], "two": [2.0, 3.0, 1.0], "three": [3.0, 1.0, 2.0]}
    tasks = {
        name: means(np.repeat(np.array(own)[:, None], 4, axis=1), systems=["a", "b", "c"])
        for name, own in scores.items()
    }
    of_two = {name: s.select(["b", "a"]) for name, s in list(tasks.items())[:2]}
    both = mt.leaderboard(of_two, n_resamples=9, rng=1, confidence_level=0.8)
    assert set(both.firsts) == {"a", "b"}
    with_c = mt.leaderboard(tasks, n_resamples=9, rng=1, confidence_level=0.8)
    assert with_c.firsts == ["a"]
    assert "irrelevant-alternatives" in [note.code for note in with_c.notes]


def test_lower_is_better_is_turned_on_its_task():
    gaps = np.array([[1.0, 0.5, 0.0]] * 3)
    plain = mt.leaderboard(tasks_of(np.random.default_rng(7), gaps), rng=1, n_resamples=199)
    turned_tasks = tasks_of(np.random.default_rng(7), gaps, lower=(1,))
    turned = mt.leaderboard(turned_tasks, rng=1, n_resamples=199)
    pd.testing.assert_frame_equal(plain.table, turned.table)
    assert (turned.scores["task 1"] == -plain.scores["task 1"]).all()
    with pytest.raises(mt.InputError, match="scales of their own"):
        mt.leaderboard(turned_tasks, aggregate="mean-score")


def test_test_sets_that_share_documents_are_resampled_together():
    """Both languages are the same data, so that two tasks tell no more than one."""
    names = ["onlineB", "uedin-wmt12", "UPC"]
    bleu = real().select(names)
    twice = mt.test_sets({"x": bleu, "y": bleu}, shared=True)
    board = mt.leaderboard(twice, aggregate="mean-score", n_resamples=499, rng=1)
    alone = mt.leaderboard(
        mt.test_sets({"x": bleu}), aggregate="mean-score", n_resamples=499, rng=1
    )
    np.testing.assert_allclose(board.table["ci_low"], alone.table["ci_low"])
    apart = mt.leaderboard({"x": bleu, "y": bleu}, aggregate="mean-score", n_resamples=499, rng=1)
    width = (board.table["ci_high"] - board.table["ci_low"]).mean()
    narrower = (apart.table["ci_high"] - apart.table["ci_low"]).mean()
    assert narrower < 0.9 * width


def test_other_tasks_are_less_certain_than_other_segments():
    rng = np.random.default_rng(8)
    tasks = tasks_of(rng, rng.normal(0, 1, size=(6, 4)), n=300)
    fixed = mt.leaderboard(tasks, aggregate="mean-score", rng=1, n_resamples=499)
    sample = mt.leaderboard(tasks, aggregate="mean-score", tasks="sample", rng=1, n_resamples=499)
    assert list(fixed.table["value"]) == list(sample.table["value"])
    widths = [board.table["ci_high"] - board.table["ci_low"] for board in (fixed, sample)]
    assert (widths[1] > 2 * widths[0]).all()
    assert "few-tasks" in [note.code for note in sample.notes]
    pd.testing.assert_frame_equal(fixed.by_task, sample.by_task)


def test_tasks_that_lack_systems_are_named_or_left_out():
    tasks = tasks_of(np.random.default_rng(9), np.zeros((2, 4)))
    tasks["task 1"] = tasks["task 1"].select(["ash", "elm", "oak"])
    with pytest.raises(mt.InputError, match=r"'fir' \(task 1\)"):
        mt.leaderboard(tasks)
    board = mt.leaderboard(tasks, missing="common", n_resamples=99, rng=1)
    assert set(board.table["system"]) == {"ash", "elm", "oak"}
    assert "systems-left-out" in [note.code for note in board.notes]


@pytest.mark.parametrize(
    ("statistics", "options", "message"),
    [
        ([], {}, "there are no tasks"),
        ([real()], {"aggregate": "median"}, "aggregate='median' is not known"),
        ([real()], {"tasks": "random"}, "tasks='random' is not known"),
        ([real(), real()], {}, "use titled"),
        ([real(), real("TER").subset(range(100))], {}, "as a mapping"),
        ([real().select(["UPC"])], {}, "two systems"),
        ([real()], {"n_resamples": 5}, "n_resamples=5: at 0.95, give 19 or more"),
        ({}, {}, "one task or more"),
        ([real(), mt.test_sets({"x": real()})], {}, "and not both"),
        ([real(), real("TER").select(["UPC", "onlineA"])], {}, "are not in both BLEU and TER"),
    ],
)
def test_what_cannot_be_a_board_is_refused(statistics, options, message):
    with pytest.raises(mt.InputError, match=message):
        mt.leaderboard(statistics, **{"n_resamples": 99, "rng": 1, **options})


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("aggregate", ["mean-score", "mean-rank"])
def test_systems_with_the_same_scores_in_another_order_share_their_rank(aggregate, seed):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(size=(5, 7)).round(1)
    same_on_other_tasks = rng.permutation(scores)
    same_on_other_segments = scores[:, ::-1]
    of_b = same_on_other_tasks if aggregate == "mean-score" else same_on_other_segments
    tasks = {}
    for number, of_a in enumerate(scores):
        three = [of_a, of_b[number], of_a - 0.5]
        tasks[f"task {number}"] = means(three, systems=["A", "B", "C"])
    board = mt.leaderboard(tasks, aggregate=aggregate, n_resamples=99, confidence_level=0.9, rng=1)
    assert board.table["rank"].tolist() == [1, 1, 3]
    assert board.firsts == ["A", "B"]
    assert "share the first place" in board.verdict
