"""Battles of two models each, from the command line."""

from __future__ import annotations

import itertools
import pathlib
import re

import numpy as np
import pandas as pd
import pytest

from mtsig_nb.human import PairwisePreferences

from ..messages import naming, printed
from .program import answer, claims, refusal, run, words


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


@pytest.mark.takes_time
def test_strengths_intervals_and_ranks(path):
    out = run(ARENA).stdout
    assert re.match(naming("A ", "better", "B, C (", "p < 0.0001)"), out)
    assert claims(ARENA) == [("", "A", "B"), ("", "A", "C")]
    assert re.search(naming("arena.csv", "900 battles", "3 systems"), out)
    table = out.splitlines()[3:]
    ranks = [line.split()[-1] for line in table if line[:2] in ("A ", "B ", "C ")]
    assert ranks[:3] == ["1", "2–3", "2–3"]
    fit = PairwisePreferences(pd.read_csv(path)).bradley_terry(ties="half")
    strengths = [row["strength"] for row in answer(ARENA)["systems"]]
    assert strengths == pytest.approx(list(fit.strengths))
    assert run(f"{ARENA} C B").stdout.startswith(("B is ahead", "C is ahead"))


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-m BLEU", ("metrics=('BLEU',)", "battles")),
        ("--paired-bs", ("test='bootstrap'", "battles")),
        ("--correction romano-wolf", ("correction='romano-wolf'", "resamples")),
    ],
)
def test_options_that_say_nothing_of_battles_are_refused(path, options, names):
    assert re.match(naming("mtsig: error: ", *names), refusal(f"{ARENA} {options}"))


def test_an_unknown_winner_is_named_with_its_line(path):
    path.write_text(path.read_text() + "A,B,won\n")
    assert "line 902: winner='won'" in refusal(ARENA)


@pytest.mark.takes_time
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


# What is refused, and what is answered where strengths are not determined.


def written(rows: str, name: str = "b.csv") -> str:
    """A file of battles, a row for each word of three letters: two models and who won, - a tie."""
    winners = {"-": "tie"}
    lines = [f"{a},{b},{winners.get(w, w)}" for a, b, w in rows.split()]
    pathlib.Path(name).write_text("\n".join(["model_a,model_b,winner", *lines]) + "\n")
    return f"compare --scores {name}"


@pytest.mark.takes_time
def test_systems_are_those_of_the_file_and_none_is_dropped(path):
    assert re.search(naming("system='D'", "'A', 'B', 'C'"), refusal(f"{ARENA} A D"))
    assert "needs two" in refusal(f"{ARENA} A")
    apart = written("xyx yxx xyy pqp qpp qpq")
    assert re.search(r"[^,] 'p' met", refusal(f"{apart} x y p"))
    assert "'x', 'p' met" in refusal(f"{apart} x p")
    assert [row["system"] for row in answer(f"{apart} x y")["systems"]] == ["x", "y"]


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ("xy-", ("x and y", "level.")),
        ("xy- yx- xy- yx-", ("x and y", "level.")),
        ("xy- yxx xyy xz- zx-", ("x, y and z", "level.")),
        ("xyx", ("x is ahead", "not distinguished", " y.")),
    ],
)
def test_battles_that_tell_nothing_apart_have_an_answer(path, rows, names):
    said = written(rows)
    headline = naming(*names)
    assert re.match(headline, run(said).stdout)
    found = answer(said)
    assert {pair["pvalue"] for pair in found["pairs"]} == {1.0}
    assert re.match(headline, run(f"{said} --exit-code", code=3).stdout)


def test_a_system_that_never_lost_has_tests_of_its_own_battles(path):
    """And the advice is right: among the systems that it names strengths are determined."""
    said = written("xyx " * 9 + "yzy " * 5 + "yzz " * 4 + "xzx " * 2)
    found = answer(said)
    (verdict,) = found["verdicts"].values()
    assert re.search(naming("x is ahead", "not distinguished", " z"), verdict)
    assert ("", "x", "z") not in claims(said)
    (pair,) = [p for p in found["pairs"] if {p["system_a"], p["system_b"]} == {"x", "y"}]
    assert pair["pvalue"] == pytest.approx(2 * 0.5**9)
    assert "expected_wins" in found["systems"][0]
    (note,) = found["notes"]
    assert len(printed(note, "no-strengths")) == 1
    assert "y z alone" in note
    assert f"Note: {note}." in words(said)
    assert f"Note: {note}." in run(f"{said} -f csv").stderr
    among = answer(f"{said} y z")
    assert [row["system"] for row in among["systems"]] == ["y", "z"]
    assert among["systems"][0]["strength"] == pytest.approx(np.log(5 / 4) / 2)
    assert among["notes"] == []


def test_a_file_without_battles_is_named(path):
    path.write_text("model_a,model_b,winner\n")
    assert re.search(naming("'arena.csv'", "no battles."), refusal(ARENA))


def test_what_never_met_is_not_compared(path):
    said = written("xyx xyx xyy pqp pqp pqq")
    found = answer(said)
    pairs = {(p["system_a"], p["system_b"]): p["pvalue"] for p in found["pairs"]}
    assert len(pairs) == 6
    assert set(pairs.values()) == {1.0}
    assert any("p against x" in note and "no decided" in note for note in found["notes"])


def test_columns_that_are_not_used_are_named(path):
    frame = pd.read_csv(path).assign(language="en", tstamp=range(900), user=["u", "v", "w"] * 300)
    frame.to_csv(path, index=False)
    said = words(ARENA)
    assert re.search(naming("3 raters", "not used", "language, tstamp."), said)
    assert "raters as units" in answer(ARENA)["methods_sentence"]
    assert answer(ARENA)["unused_columns"] == ["language", "tstamp"]


def test_a_folder_with_battles_and_other_files_leaves_nothing_out(path):
    (path.parent / "s.csv").write_text("system,segment,m\nA,1,1\nB,1,2\nA,2,2\nB,2,1\n")
    for typed in (f"{ARENA} s.csv", "compare --scores s.csv arena.csv"):
        assert re.search(naming("'arena.csv'", "alone", "compare --scores"), refusal(typed))


def test_wmts_rankings_are_comparisons_and_judges_are_units(path):
    """In pairs and of five; the smaller rank wins, and -1 is no rank."""
    rng = np.random.default_rng(3)
    systems = np.array(["elm", "oak", "ash", "fir", "yew"])
    rows = []
    for judge in range(40):
        for _ in range(3):
            order = rng.permutation(5)
            quality = order / 2 + rng.normal(0, 1, 5)  # elm is best
            ranks = quality.argsort().argsort() // 2 + 1
            ranks[rng.integers(5)] = rng.choice([-1, ranks[0]])
            row = {"segmentId": 4, "judgeId": f"j{judge}"}
            row |= {f"system{n + 1}Id": systems[which] for n, which in enumerate(order)}
            rows.append(row | {f"system{n + 1}rank": rank for n, rank in enumerate(ranks)})
    pd.DataFrame(rows).to_csv("five.csv", index=False)
    found = answer("compare --scores five.csv")
    assert found["systems"][0]["system"] == "elm"
    assert "raters as units" in found["methods_sentence"]
    said = words("compare --scores five.csv")
    assert re.search(naming("five.csv", "120 rankings", "40 raters", "not used: segmentId."), said)

    pairs = [
        {
            "judgeID": row["judgeId"],
            "system1Id": row[f"system{a}Id"],
            "system1rank": row[f"system{a}rank"],
            "system2Id": row[f"system{b}Id"],
            "system2rank": row[f"system{b}rank"],
        }
        for row in rows
        for a, b in itertools.combinations(range(1, 6), 2)
        if -1 not in (row[f"system{a}rank"], row[f"system{b}rank"])
    ]
    pd.DataFrame(pairs).to_csv("pairs.csv", index=False)
    same = answer("compare --scores pairs.csv")
    for one, other in zip(found["systems"], same["systems"], strict=True):
        assert one["system"] == other["system"]
        assert one["strength"] == pytest.approx(other["strength"])
        assert one["ci_low"] == pytest.approx(other["ci_low"])


def by_judges(n):
    """Twenty battles by each of so many judges."""
    fought = battles(20 * n, {"A": 0.6, "B": 0.0}, rng=3)
    fought.assign(judge=np.arange(20 * n) % n).to_csv("arena.csv", index=False)


def test_few_judges_are_told_of_and_two_are_refused(path):
    by_judges(1)
    (note,) = answer(ARENA)["notes"]
    assert [alone["unit"] for alone in printed(note, "one-of-a-unit")] == ["rater"]
    by_judges(2)
    assert "fewer than three" in refusal(ARENA)
    by_judges(4)
    assert len(answer(ARENA)["notes"]) == 1
    (few,) = printed(run(ARENA).stdout, "few-units-of-strengths")
    assert few == {"n": "4", "units": "raters"}
    by_judges(5)
    assert answer(ARENA)["notes"] == []
