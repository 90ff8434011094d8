"""Battles of two models each, from the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mtsig_nb.human import PairwisePreferences

from .program import answer, refusal, run


def battles(n: int, strengths: dict[str, float], *, tied: float = 0.3, rng: int = 1):
    """Battles whose winners follow the Bradley-Terry model, and ties of that share."""
    draws = np.random.default_rng(rng)
    names = np.array(list(strengths))
    a = draws.integers(len(names), size=n)
    b = (a + draws.integers(1, len(names), size=n)) % len(names)
    s = np.array(list(strengths.values()))
    won = draws.random(n) < 1 / (1 + np.exp(s[b] - s[a]))
    winner = np.where(won, "model_a", "model_b")
    winner = np.where(draws.random(n) < tied, draws.choice(["tie", "both_bad"], n), winner)
    return pd.DataFrame({"model_a": names[a], "model_b": names[b], "winner": winner})


ARENA = "compare --scores arena.csv"


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    battles(900, {"A": 1.2, "B": 0.1, "C": 0.0}).to_csv("arena.csv", index=False)
    return tmp_path / "arena.csv"


def test_strengths_intervals_and_ranks(path):
    out = run(ARENA).stdout
    assert out.startswith("A is better than B, C (largest adjusted p < 0.0001).")
    assert "900 battles of 3 systems" in out
    table = out.splitlines()[3:]
    ranks = [line.split()[-1] for line in table if line[:2] in ("A ", "B ", "C ")]
    assert ranks[:3] == ["1", "2–3", "2–3"]
    fit = PairwisePreferences(pd.read_csv(path)).bradley_terry(ties="half")
    strengths = [row["strength"] for row in answer(ARENA)["systems"]]
    assert strengths == pytest.approx(list(fit.strengths))
    assert run(f"{ARENA} C B").stdout.startswith(("B is ahead", "C is ahead"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-m BLEU", "battles have no scores"),
        ("--paired-bs", "test='bootstrap': battles have no scores"),
        ("-o r.html", "there is no report on battles"),
        ("--correction romano-wolf", "works on resamples"),
    ],
)
def test_options_that_say_nothing_of_battles_are_refused(path, options, message):
    assert message in refusal(f"{ARENA} {options}")


def test_an_unknown_winner_is_named_with_its_line(path):
    path.write_text(path.read_text() + "A,B,won\n")
    assert "line 902: winner='won' is neither of the two models" in refusal(ARENA)


def test_half_wins_keep_their_level_and_raters_are_units():
    """Ties vary less than coins; what raters share widens intervals."""
    equal = {"A": 0.0, "B": 0.0, "C": 0.0}
    rejected = [
        PairwisePreferences(battles(300, equal, tied=0.5, rng=seed))
        .bradley_terry(ties="half")
        .tests()
        .table["pvalue"]
        .le(0.05)
        .mean()
        for seed in range(200)
    ]
    assert 0.03 < np.mean(rejected) < 0.07
    frame = battles(300, equal)
    twice = pd.concat([frame, frame]).assign(rater=np.tile(np.arange(300), 2))
    once = PairwisePreferences(frame).bradley_terry(ties="half")
    again = PairwisePreferences(twice).bradley_terry(ties="half", units="raters")
    assert again.covariance == pytest.approx(once.covariance)
