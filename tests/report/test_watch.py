"""A campaign that is watched, as settings: what is refused, and code that finds the same."""

from __future__ import annotations

import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.outcomes.outcome import Layout
from mtsig_nb.report.watch import Watch


@pytest.fixture
def rated(tmp_path, monkeypatch) -> pd.DataFrame:
    """Judgements of two systems by three raters, with the minute of each, in no order."""
    monkeypatch.chdir(tmp_path)
    rows = []
    for segment in range(60):
        for place, system in enumerate("AB"):
            score = segment * 7 % 11 + 5 * (system == "A") + segment * 3 % 4 * place
            rows.append((f"r{segment % 3}", system, segment, score, 2 * segment + place))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score", "minute"])
    frame.sample(frac=1, random_state=1).to_csv("rated.csv", index=False)
    return frame


def test_code_finds_the_same_in_the_order_of_a_column(rated):
    watch = Watch(
        scores="rated.csv",
        metrics=["score"],
        systems=["A", "B"],
        planned=80,
        looks=[20, 40],
        order="minute",
        n_resamples=999,
    )
    outcome = watch.run()
    expected = mt.sequential_test(
        rated, "A", "B", planned=80, looks=[20, 40], n_resamples=999, rng=watch.options.seed
    )
    pd.testing.assert_frame_equal(outcome.found.table, expected.table)
    names: dict = {}
    exec(outcome.code(), names)
    pd.testing.assert_frame_equal(names["found"].table, expected.table)
    pd.testing.assert_frame_equal(names["of_raters"].table, outcome.of_raters.table)
    *_, last = outcome.tables(Layout())
    assert last.title == "Raters to come"


def test_what_has_no_meaning_is_refused(rated):
    with pytest.raises(mt.InputError, match=r"^scores: give the file"):
        Watch(planned=10, looks=2)
    for setting in ({"correction": "holm"}, {"interval": "basic"}, {"missing": "common"}):
        watch = Watch(scores="rated.csv", planned=60, looks=2, **setting)
        with pytest.raises(mt.InputError, match="looks are tested together"):
            watch.run()
