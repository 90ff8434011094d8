"""What is to be known beside a verdict stands wherever the verdict does, under the same conditions.

The faces are the screen, JSON, what is said beside a table for a paper, the report, and the
explorer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import lxml.html
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.notes import code_of
from mtsig_nb.outcomes.caveats import caveats
from mtsig_nb.outcomes.verdicts import pair_verdict, verdict
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.report.page import report_page
from mtsig_nb.significance.actual_size import UNRELIABLE
from mtsig_nb.widgets import panels
from mtsig_nb.widgets.model import Model, State
from mtsig_nb.widgets.sources import score_source

from .cli.program import answer, run, words
from .messages import naming, printed
from .small_sets import means

FILE = "scores.csv"


def skewed() -> pd.DataFrame:
    """Penalties of two systems, of which one is worse everywhere but in a single segment."""
    segments = np.arange(24)
    base = 3 + (7 * segments) % 5
    gain = np.where(segments == 11, -4.0, 1 + (5 * segments) % 7 / 10)
    frames = [
        pd.DataFrame(
            {"system": name, "segment": segments, "document": segments // 2, "MQM": values}
        )
        for name, values in (("oak", base + gain), ("elm", base))
    ]
    return pd.concat(frames)


def alike() -> pd.DataFrame:
    """Three systems under one metric, of which two differ in a handful of segments."""
    rng = np.random.default_rng(5)
    first = rng.normal(70, 5, 60).round(1)
    second = first.copy()
    second[:4] += [3, -1, 2, -2]
    third = (first + rng.normal(-4, 4, 60)).round(1)
    frames = [
        pd.DataFrame({"system": name, "segment": np.arange(60), "COMET": values})
        for name, values in (("a", first), ("b", second), ("c", third))
    ]
    return pd.concat(frames)


def explored() -> str:
    """What stands above the explorer's tabs."""
    source = score_source([(FILE, Path(FILE).read_bytes())])
    metrics = source.metrics[:1]
    analysis = source.analysis_of(source.systems, metrics)
    state = State(analysis=analysis, metric=metrics[0], pair=source.systems[:2])
    return lxml.html.fromstring(panels.verdict(Model(source), state)).text_content()


def reported() -> str:
    page = report_page(Analysis(scores=FILE).run())
    return " ".join(lxml.html.fromstring(page).text_content().split())


TYPED = f"compare --scores {FILE}"
FACES: dict[str, Callable[[], str]] = {
    "screen": lambda: words(TYPED),
    "JSON": lambda: "\n".join(answer(TYPED)["notes"]),
    "CSV": lambda: run(f"{TYPED} -f csv").stderr,
    "Markdown": lambda: run(f"{TYPED} -f markdown").stderr,
    "LaTeX": lambda: run(f"{TYPED} -f latex").stderr,
    "report": reported,
    "explorer": explored,
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore:'MQM' is taken")
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("table", "codes"),
    [(skewed, {"direction", "documents-ignored", "size"}), (alike, {"few-differ"})],
)
def test_every_face_has_every_caveat(here, face, table, codes):
    table().to_csv(FILE, index=False)
    found = caveats(Analysis(scores=FILE).compare())
    assert {code_of(note) for note in found} >= codes
    shown = FACES[face]()
    for note in found:
        if code_of(note) in codes:
            # It may begin a sentence, and the remedy is said in the words of the face.
            assert note[1:60] in shown


@pytest.mark.filterwarnings("ignore:'MQM' is taken")
def test_what_is_said_of_a_direction_is_advice_that_the_face_has(here):
    skewed().to_csv(FILE, index=False)
    assert "MQM:lower" in FACES["screen"]()
    assert "smaller is better" in explored()
    assert "MQM:lower" not in explored()
    assert "is taken as" not in words(f"{TYPED} -m MQM:lower")
    source = score_source([(FILE, Path(FILE).read_bytes())], smaller_is_better=True)
    assert not source.statistics("MQM").notes
    for statistics in (mt.read_score_table(FILE).statistics()[0], source.statistics("MQM")):
        expected = ("direction",) if statistics.metric.higher_is_better else ()
        parts = (statistics, statistics.select(["elm", "oak"]), statistics.by_unit("documents"))
        for part in parts:
            assert tuple(note.code for note in part.notes) == expected


@pytest.mark.filterwarnings("ignore:'MQM' is taken")
@pytest.mark.parametrize("face", [*FACES, "methods"])
def test_a_headline_calls_nobody_better_where_the_test_is_unreliable(here, face):
    """On every face that has a headline; a table for a paper has a sentence on methods."""
    skewed().to_csv(FILE, index=False)
    found = Analysis(scores=FILE).compare()
    (row,) = found.table.to_dict("records")
    assert row["conclusion"] == "better"
    assert row["size_at_05"] > UNRELIABLE * 0.05
    assert "unreliable" in {note.code for note in row["note"].values["notes"]}
    if face == "methods":
        size = f"{row['size_at_05']:.2g}"
        assert re.search(naming("type-I error", f" is {size}."), found.methods_sentence())
        assert found.methods_sentence() == answer(TYPED)["methods_sentence"]
        return
    if face in ("CSV", "Markdown", "LaTeX"):
        return
    shown = "".join(answer(TYPED)["verdicts"].values()) if face == "JSON" else FACES[face]()
    assert re.search(naming("oak ", "better score", "elm"), shown)
    assert len(printed(shown, "unreliable")) >= 1
    assert "is better than" not in shown


def unreliable_of_three(rng: int = 1) -> mt.Comparisons:
    """The first is better than both others, by a test that is unreliable on one pair."""
    n = 40
    spread = 3 + 2 * np.random.default_rng(8).normal(size=n)
    with_one = np.where(np.arange(n) == 7, -4.0, 0.6 + 0.1 * (np.arange(n) % 5))
    scores = [spread + with_one, spread, np.zeros(n)]
    return mt.compare_all(means(scores), rng=rng, interval=None)


def test_verdicts_on_several_systems_tell_unreliable_pairs_from_others():
    found = unreliable_of_three()
    rows = found.table.set_index(["system_a", "system_b"])
    doubtful = [
        pair
        for pair, note in rows["note"].items()
        if "unreliable" in {one.code for one in note.values["notes"]}
    ]
    best, second, last = found.scores[found.metrics[0]].index
    assert doubtful == [(best, second)]
    assert (rows["conclusion"] == "better").all()
    said = verdict(found)
    assert re.search(naming(best, "best score"), said)
    assert f"{best} is better" not in said
    assert re.search(naming(" 1 of these", "unreliable"), said)
    against_second = verdict(found, baseline=second)
    doubtful = naming(best, "better score", second, "unreliable")
    assert re.search(doubtful, against_second)
    assert re.search(naming(f"{last} is worse", second), against_second)
    assert re.search(naming(f"{best} is better", last), pair_verdict(found, best, last))
    assert re.search(naming(best, "better score", second), pair_verdict(found, best, second))
    # The test that has no such trouble says it without reserve.
    calm = mt.compare_all(
        means([[0.2, 0.4] * 30, [0.1, 0.2] * 30]), rng=1, interval=None, n_resamples=999
    )
    assert "is better than" in verdict(calm)


@pytest.mark.filterwarnings("ignore:'MQM' is taken")
def test_runs_are_no_exception(here):
    frame = skewed()
    runs = [frame.assign(run=run, MQM=frame["MQM"] + 0.01 * run) for run in range(3)]
    pd.concat(runs).to_csv(FILE, index=False)
    found = answer(f"{TYPED} -m MQM:lower")
    (said,) = found["verdicts"].values()
    assert re.search(naming("these runs", "elm ", "better score", "oak"), said)
    assert "unreliable" in " ".join(found["verdicts"].values())
    assert found["pairs"][0]["size_at_05"] > UNRELIABLE * 0.05
    assert any("skewed" in note["unit"] for note in printed(found["notes"], "size"))
    (direction,) = printed(answer(TYPED)["notes"], "direction")
    assert direction["taken"] == "higher"


@pytest.mark.takes_time
@pytest.mark.filterwarnings("ignore:'MQM' is taken")
def test_ratings_are_no_exception(here):
    rng = np.random.default_rng(2)
    rows = [
        (system, segment, f"r{rater}", lead + rng.normal())
        for system, lead in (("oak", 1.0), ("elm", 0.0))
        for segment in range(12)
        for rater in range(3)
    ]
    frame = pd.DataFrame(rows, columns=["system", "segment", "rater", "MQM"])
    frame.to_csv(FILE, index=False)
    told = "is taken as higher-is-better"
    assert words(TYPED).count(told) == 1
    assert any(told in note for note in answer(TYPED)["notes"])
    assert run(f"{TYPED} -f csv").stderr.count(told) == 1
    assert told not in words(f"{TYPED} -m MQM:lower")
