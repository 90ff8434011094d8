"""Metrics against people on the command line: embedded campaigns, and files of one's own."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt

from ..messages import naming
from .program import answer, refusal, run, words

SYSTEMS = [f"s{number}" for number in range(8)]


@pytest.fixture
def scores(tmp_path, monkeypatch) -> pd.DataFrame:
    """A table in the current folder, with two metrics: one copies people, the other is noisy."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    rows = []
    for number, system in enumerate(SYSTEMS):
        for segment in range(60):
            quality = number / 8 + rng.normal()
            far = quality + rng.normal(0, 6)
            rows.append((system, segment, quality, far, 5 - quality))
    table = pd.DataFrame(rows, columns=["system", "segment", "copy", "far", "MQM"])
    table.to_csv("scores.csv", index=False)
    return table


def test_people_copied_agree_fully_and_better_than_what_is_far(scores):
    found = answer("agreement --scores scores.csv --gold MQM:lower")
    metrics = {row["metric"]: row for row in found["systems"]}
    assert list(metrics) == ["copy", "far"]
    assert metrics["copy"]["soft_pairwise_accuracy"] == 1
    assert metrics["copy"]["pairwise_accuracy"] == 1
    assert found["n_systems"] == 8
    (pair,) = found["pairs"]
    assert (pair["metric_a"], pair["metric_b"]) == ("copy", "far")
    difference = 1 - metrics["far"]["soft_pairwise_accuracy"]
    assert pair["difference"] == pytest.approx(difference, abs=1e-12)


def test_people_the_other_way_round_turn_the_order_over(scores):
    found = answer("agreement --scores scores.csv --gold MQM:higher -m copy")
    (metric,) = found["systems"]
    assert metric["pairwise_accuracy"] == 0
    assert found["pairs"] == []
    run("agreement --scores scores.csv --gold MQM:lower -m copy --exit-code", code=3)


def test_a_campaign_has_the_numbers_of_python():
    found = answer("agreement -t wmt12/es-en -m BLEU TER -n 200 --seed 7 --correction none")
    campaign = mt.load("wmt12/es-en")
    soft = {
        name: mt.soft_pairwise_accuracy(
            campaign.statistics(name), campaign.human, n_resamples=200, rng=7
        )
        for name in ("BLEU", "TER")
    }
    for row in found["systems"]:
        assert row["soft_pairwise_accuracy"] == soft[row["metric"]].accuracy
        assert [row["ci_low"], row["ci_high"]] == list(soft[row["metric"]].interval)
    (pair,) = found["pairs"]
    expected = mt.compare_metrics(soft).table.iloc[0]
    assert pair["pvalue"] == pair["pvalue_adjusted"] == expected["pvalue"]
    assert json.dumps(found["analysis"]["gold"]) == '"people"'


@pytest.mark.takes_time
def test_all_formats_are_written(scores, tmp_path):
    typed = "agreement --scores scores.csv --gold MQM:lower"
    assert "copy" in words(typed)
    assert run(f"{typed} -f latex").stdout.count("tabular") == 2
    assert run(f"{typed} -f markdown").stdout.count("\n|") == 1 + 2
    assert run(f"{typed} -f markdown --pairs").stdout.count("\n|") == 1 + 1
    run(f"{typed} -o page.html --title Metrics")
    assert "<h1>Metrics</h1>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("-t wmt12/es-en --gold mqm", ("gold='mqm'", "'people', 'ranks'")),
        ("--scores scores.csv --gold MQM -m MQM", ("metric='MQM'", "twice")),
        ("--scores only.csv --gold MQM:lower", ("metric:", "none besides 'MQM'")),
        ("--scores scores.csv --gold nobody", ("'scores.csv'", "'nobody'", "'copy', 'far', 'MQM'")),
        ("--scores sets.csv --gold MQM", ("sets.csv", "several test sets")),
    ],
)
def test_what_cannot_be_compared_is_named(scores, typed, names):
    scores.assign(lp=scores["segment"] % 2).to_csv("sets.csv", index=False)
    scores[["system", "segment", "MQM"]].to_csv("only.csv", index=False)
    assert re.match(naming("mtsig: error: ", *names), refusal(f"agreement {typed}"))


@pytest.mark.parametrize("typed", ["", "--scores scores.csv"])
def test_what_lacks_is_asked_for(scores, typed):
    run(f"agreement {typed}", code=2)
