"""Leaderboards from the command line."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..messages import naming
from .program import answer, refusal, run, words


@pytest.fixture(autouse=True)
def scores(tmp_path, monkeypatch) -> pd.DataFrame:
    """Scores of four systems on three tasks under two metrics; A is best and D worst."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    rows = []
    for task in ("qa", "code", "maths"):
        for item in range(50):
            for system, gain in (("A", 2.0), ("B", 0.3), ("C", 0.2), ("D", -2.0)):
                score = gain + rng.normal()
                rows.append((task, system, f"{task}-{item}", score, 50 - score))
    frame = pd.DataFrame(rows, columns=["task", "system", "segment", "score", "errors"])
    frame.to_csv("items.csv", index=False)
    return frame


@pytest.mark.parametrize("aggregate", ["mean-score", "mean-rank", "borda", "win-rate"])
def test_the_numbers_are_those_of_python(aggregate):
    typed = f"leaderboard --scores items.csv --by task -m score --aggregate {aggregate} -n 500"
    found = answer(f"{typed} --seed 3")
    (sets,) = mt.read_score_table("items.csv", ["score"], by="task").test_sets()
    board = mt.leaderboard(sets, aggregate=aggregate, n_resamples=500, rng=3)
    assert found["systems"] == board.table.to_dict("records")
    assert found["firsts"] == board.firsts == ["A"]
    assert [row["task"] for row in found["by_task"]] == list(board.scores.columns)


def test_the_screen_has_ranges_and_each_task():
    shown = words("leaderboard --scores items.csv --by task -m score -n 500")
    assert shown.startswith("A is first by mean rank, and in 100% of the resamples")
    assert " 2–3 B " in shown
    assert "score on maths 50 A" in shown


def test_metrics_are_tasks_as_well():
    typed = "leaderboard --scores items.csv --by task -m score errors:lower -n 200"
    found = answer(typed)
    assert len(found["by_task"]) == 6
    assert found["firsts"] == ["A"]
    assert "scales of their own" in refusal(f"{typed} --aggregate mean-score")


def test_a_task_that_lacks_a_system_is_named(scores):
    is_gone = (scores["task"] == "code") & (scores["system"] == "D")
    scores[~is_gone].to_csv("items.csv", index=False)
    typed = "leaderboard --scores items.csv --by task -m score -n 200"
    assert "'D' (code)" in refusal(typed)
    assert len(answer(f"{typed} --missing common")["systems"]) == 3


def test_nothing_that_is_sure_has_an_exit_code_if_asked(scores):
    one = scores[scores["system"] == "B"]
    alike = pd.concat([one, one.assign(system="copy")])
    alike.to_csv("items.csv", index=False)
    typed = "leaderboard --scores items.csv --by task -m score -n 200"
    run(typed)
    run(f"{typed} --exit-code", code=3)


def test_nothing_is_said_of_tests_where_there_are_none(scores):
    numbered = scores.assign(segment=scores["segment"].str.partition("-")[2])
    numbered.to_csv("items.csv", index=False)
    shown = words("leaderboard --scores items.csv --by task -m score -n 500")
    assert re.search(naming("drawn together", "--shared yes"), shown)
    assert "exchanged" not in shown
