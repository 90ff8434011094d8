"""Pearmut's logs: every rating is used or counted as left out, and no text is kept."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.notes import Note, code_of
from mtsig_nb.scores.checks import FAILED
from mtsig_nb.scores.reading import read_scores
from mtsig_nb.scores.table import ScoreTable, read_score_table

from ..cli.program import answer
from ..messages import any_names, naming

#: Logs of two campaigns and what its dashboard said of them; see README.md there.
LOGS = Path(__file__).parent / "logs" / "pearmut"
CAMPAIGNS = ("scores_eng-deu", "sliders_eng-deu")
#: Two further logs that it wrote of one campaign, in which Alder and Birch are equally good.
REAL = Path(__file__).parents[3] / "shared/looks-and-people/pearmut"
REAL_LOGS = ("annotations.json", "toy_eng-deu.jsonl")

Scores = Mapping[str, float | None]


def segment(name: str, systems: Sequence[str] = ("elm", "oak"), **more: Any) -> dict[str, Any]:
    """A segment as it is shown, with a text that nobody may see again."""
    outputs = {system: f"SECRET of {system}" for system in systems}
    return {"src": f"SECRET {name}", "tgt": outputs, "item_id": name} | more


def answers(**scores: Any) -> dict[str, Any]:
    """What a rater said of a segment: a score for each system, or sliders."""
    said = {}
    for system, score in scores.items():
        sliders = score if isinstance(score, dict) else None
        said[system] = {"score": None if sliders else score, "error_spans": []}
        if sliders:
            said[system]["sliders"] = sliders
    return said


def screen(
    rater: str,
    number: int | str,
    items: Sequence[dict[str, Any]],
    said: Sequence[dict[str, Any] | None],
    **more: Any,
) -> dict[str, Any]:
    actions = [{"time": 1.0, "action": "load"}, {"time": 9.0, "action": "submit"}]
    line = {"item": items, "annotation": said, "actions": actions}
    return line | {"user_id": rater, "item_i": number} | more


def reset(rater: str) -> dict[str, Any]:
    return {"user_id": rater, "annotation": "__RESET__"}


def campaign(n: int = 4, raters: str = "abc", name: str = "news") -> list[dict[str, Any]]:
    """Every rater judges elm (70 and more) and oak (20 less) in documents of two segments."""
    lines = []
    for number in range(n):
        for place, rater in enumerate(raters):
            items = [segment(f"{name}_###_doc{number}_###_{at}") for at in (0, 1)]
            said = [answers(elm=70 + number + place, oak=50 + number + place) for _ in items]
            lines.append(screen(rater, number, items, said))
    return lines


def written(folder: Path, content: Any, name: str = "") -> str:
    """The path of a log: JSON lines of a list, or what is downloaded of a dict of lists."""
    is_list = isinstance(content, list)
    path = folder / (name or ("news_en-de.jsonl" if is_list else "annotations.json"))
    lines = [json.dumps(line) for line in content] if is_list else [json.dumps(content)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def read(folder: Path, content: Any, metrics: Sequence[str] = ()) -> ScoreTable:
    return read_score_table(written(folder, content), metrics)


def ratings_of(table: ScoreTable) -> pd.DataFrame:
    assert table.ratings is not None
    return table.ratings


def in_order(table: ScoreTable) -> pd.DataFrame:
    """The ratings, in an order that does not hang on that of the lines."""
    ratings = ratings_of(table)
    return ratings.sort_values(["system", "segment", "rater"]).reset_index(drop=True)


def left_out(table: ScoreTable) -> list[tuple[str, int]]:
    """The reasons for which something is left out, with the number of each."""
    (remark,) = [text for text in table.remarks if text.startswith("left out: ")]
    counts = re.findall(r"(\D+) (\d+)", remark.removeprefix("left out: "))
    return [(reason, int(n)) for reason, n in counts]


def codes(notes: Sequence[Note | str]) -> list[str]:
    return [code_of(one) for one in notes]


# --- what is a rating -----------------------------------------------------------------------------


@pytest.mark.parametrize("as_downloaded", [False, True])
def test_every_rating_stands_where_the_log_has_it(tmp_path, as_downloaded):
    lines = campaign()
    found = in_order(read(tmp_path, {"news_en-de": lines} if as_downloaded else lines))
    expected = []
    for line in lines:
        for item, said in zip(line["item"], line["annotation"], strict=True):
            for system, own in said.items():
                document = item["item_id"].rpartition("_###_")[0]
                expected.append((system, item["item_id"], document, line["user_id"], own["score"]))
    names = ["system", "segment", "document", "rater", "score"]
    expected_frame = pd.DataFrame(expected, columns=names)
    expected_frame = expected_frame.sort_values(["system", "segment", "rater"])
    pd.testing.assert_frame_equal(
        found[names], expected_frame.reset_index(drop=True), check_dtype=False
    )


@pytest.mark.parametrize("name", ["annotations.json", "log.jsonl"])
def test_no_text_is_kept(tmp_path, name):
    lines = campaign()
    for line in lines:
        line["comment"] = "SECRET"
        line["annotation"][0]["elm"]["textfield"] = "SECRET"
        del line["item"][1]["item_id"]
    content = {"c": lines} if name.endswith(".json") else lines
    table = read_score_table(written(tmp_path, content, name))
    kept = [table.frame, ratings_of(table), read_scores(written(tmp_path, content, name)).frame]
    assert not any("SECRET" in frame.to_csv() for frame in kept)
    assert "SECRET" not in table.sentence


def test_a_reset_voids_what_this_rater_said_before_and_nothing_else(tmp_path):
    before, after = campaign(), campaign()
    for line in before:
        line["annotation"] = [answers(elm=1, oak=99) for _ in line["item"]]
    own_before = [line for line in before if line["user_id"] == "b"]
    others = [line for line in after if line["user_id"] != "b"]
    own_after = [line for line in after if line["user_id"] == "b"]
    table = read(tmp_path, [*own_before, *others, reset("b"), *own_after])
    pd.testing.assert_frame_equal(in_order(table), in_order(read(tmp_path, after)))
    assert any_names(table.remarks, f"{len(own_before)} screens", "reset", "(raters: b)")


def test_a_reset_is_of_its_campaign_alone(tmp_path):
    first = campaign()
    second = campaign(name="talks")
    table = read(tmp_path, {"x": [*first, reset("a"), reset("b"), reset("c")], "y": second})
    assert not table.has_test_sets
    pd.testing.assert_frame_equal(in_order(table), in_order(read(tmp_path, {"y": second})))


@pytest.mark.parametrize("number", ["welcome_0", "goodbye_3", "random_1"])
def test_tutorials_and_checks_are_no_ratings(tmp_path, number):
    lines = campaign()
    extra = screen("a", number, [segment("extra")], [answers(elm=3, oak=4)])
    table = read(tmp_path, [extra, *lines])
    pd.testing.assert_frame_equal(in_order(table), in_order(read(tmp_path, lines)))
    kind = "checks" if number.startswith("random_") else "tutorials"
    ((reason, n),) = left_out(table)
    assert kind in reason
    assert n == 1


def test_what_was_skipped_or_has_no_score_is_counted(tmp_path):
    lines = campaign()
    form = {"text": "How old are you?", "form": "number"}
    extra = [
        screen("a", 90, [segment("s1"), segment("s2")], [None, answers(elm=None, oak=None)]),
        screen("a", 91, [form], [41]),
    ]
    table = read(tmp_path, [*lines, *extra])
    pd.testing.assert_frame_equal(in_order(table), in_order(read(tmp_path, lines)))
    reasons, counts = zip(*left_out(table), strict=True)
    assert counts == (1, 2, 1)
    for word, reason in zip(("skipped", "score", "forms"), reasons, strict=True):
        assert word in reason


def test_of_a_screen_that_was_answered_again_the_last_answer_counts(tmp_path):
    lines = campaign()
    again = {**lines[0], "annotation": [answers(elm=11, oak=12) for _ in lines[0]["item"]]}
    table = read(tmp_path, [*lines, again])
    ((reason, n),) = left_out(table)
    assert "again" in reason
    assert n == 4
    ratings = ratings_of(table)
    is_own = (ratings["rater"] == "a") & ratings["segment"].str.contains("doc0")
    assert set(ratings.loc[is_own, "score"]) == {11, 12}
    assert len(ratings) == len(ratings_of(read(tmp_path, lines)))


def test_another_screen_of_the_same_segment_is_another_rating(tmp_path):
    lines = campaign()
    table = read(tmp_path, [*lines, {**lines[0], "item_i": 77}])
    assert len(ratings_of(table)) == len(ratings_of(read(tmp_path, lines))) + 4


# --- sliders --------------------------------------------------------------------------------------


def with_sliders(names: Sequence[str]) -> list[dict[str, Any]]:
    lines = campaign()
    for line in lines:
        for said in line["annotation"]:
            for place, own in enumerate(said.values()):
                own["sliders"] = {
                    name: 10.0 * place + at + own["score"] for at, name in enumerate(names)
                }
                own["score"] = None
    return lines


def test_each_slider_is_a_metric(tmp_path):
    table = read(tmp_path, with_sliders(["Adequacy", "Fluency"]))
    assert list(table.metrics) == ["Adequacy", "Fluency"]
    difference = ratings_of(table)["Fluency"] - ratings_of(table)["Adequacy"]
    assert (difference == 1).all()
    (found,) = read(tmp_path, with_sliders(["Adequacy", "Fluency"]), ["Fluency"]).statistics()
    assert found.label == "Fluency"


def test_a_slider_may_be_called_like_a_label(tmp_path):
    table = read(tmp_path, with_sliders(["Document", "score"]))
    assert list(table.metrics) == ["Document (slider)", "score (slider)"]
    assert ratings_of(table)["document"].nunique() == 4


def test_a_slider_without_a_value_is_refused_where_it_stands(tmp_path):
    lines = with_sliders(["Adequacy", "Fluency"])
    lines[2]["annotation"][1]["oak"]["sliders"]["Fluency"] = None
    with pytest.raises(mt.InputError, match=naming("'news_en-de.jsonl'", "line 3", "'Fluency'")):
        read(tmp_path, lines)
    assert read(tmp_path, lines, ["Adequacy"]).ratings is not None


# --- names of segments and documents --------------------------------------------------------------


def test_an_id_that_stands_for_several_sources_is_told_apart(tmp_path):
    lines = campaign()
    for line in lines:
        for place, item in enumerate(line["item"]):
            item["item_id"] = f"segment{place}"
    table = read(tmp_path, lines)
    assert ratings_of(table)["segment"].nunique() == 8
    assert any_names(table.remarks, "item_id 'segment", "several sources")
    assert ratings_of(table)["document"].nunique() == 4


def test_segments_without_an_id_are_told_apart_by_their_sources(tmp_path):
    lines = campaign()
    for line in lines:
        for item in line["item"]:
            del item["item_id"]
    found = ratings_of(read(tmp_path, lines))
    expected = ratings_of(read(tmp_path, campaign()))
    assert found["score"].tolist() == expected["score"].tolist()
    names = pd.DataFrame({"found": found["segment"], "expected": expected["segment"]})
    assert len(names.drop_duplicates()) == expected["segment"].nunique() == 8


def test_an_id_of_a_whole_document_is_told_apart_by_the_place_of_the_segment(tmp_path):
    lines = campaign()
    for line in lines:
        for item in line["item"]:
            item["item_id"] = f"doc{line['item_i']}"
            item["src"] = "Yes."
    found = ratings_of(read(tmp_path, lines))
    assert found["segment"].nunique() == 8
    assert found["document"].nunique() == 4


def test_screens_of_one_segment_make_no_documents(tmp_path):
    lines = campaign()
    for line in lines:
        line["item"] = [segment(f"s{line['item_i']}")]
        line["annotation"] = line["annotation"][:1]
    assert not read(tmp_path, lines).has_documents


# --- several campaigns ----------------------------------------------------------------------------


def test_several_campaigns_are_test_sets(tmp_path):
    content = {"news_en-de": campaign(), "talks_en-de": campaign(name="talks")}
    together = read(tmp_path, content)
    assert [sets.names for sets in together.test_sets()] == [("news_en-de", "talks_en-de")]
    paths = [written(tmp_path, lines, f"{name}.jsonl") for name, lines in content.items()]
    apart = read_score_table(paths)
    assert [sets.names for sets in apart.test_sets()] == [("news_en-de", "talks_en-de")]


def test_a_folder_of_logs_is_read(tmp_path):
    lines = {"news_en-de": [reset("a"), *campaign()], "talks_en-de": campaign(name="talks")}
    for name, own in lines.items():
        written(tmp_path, own, f"{name}.jsonl")
    table = read_score_table(str(tmp_path))
    assert [sets.names for sets in table.test_sets()] == [("news_en-de", "talks_en-de")]


# --- checks ---------------------------------------------------------------------------------------


def checked(rater: str, score: float, **more: Any) -> dict[str, Any]:
    """A check that is failed unless oak has 20 at most, and elm more than oak."""
    rules = {"oak": {"score": [0, 20]}, "elm": {"score_greaterthan": "oak"}}
    item = segment(f"check of {rater}", validation=rules)
    return screen(rater, 50, [item], [answers(elm=60, oak=score)], **more)


def test_failed_checks_stand_beside_each_rating_and_nobody_is_left_out(tmp_path):
    lines = campaign()
    checks = [checked("a", 10), checked("b", 30), checked("c", 80)]
    table = read(tmp_path, [*lines, *checks])
    ratings = ratings_of(table)
    failed = ratings.groupby("rater")[FAILED].unique().map(list).to_dict()
    assert failed == {"a": [0], "b": [1], "c": [1]}
    assert len(ratings) == len(ratings_of(read(tmp_path, lines)))
    assert FAILED not in table.metrics
    ((reason, n),) = left_out(table)
    assert "checks" in reason
    assert n == 3


def test_the_note_has_what_leaving_a_rater_out_would_change(tmp_path):
    lines = campaign()
    for line in lines:
        if line["user_id"] == "b":
            line["annotation"] = [answers(elm=40, oak=60) for _ in line["item"]]
    table = read(tmp_path, [*lines, checked("a", 10), checked("b", 30)])
    (found,) = table.notes
    ratings = ratings_of(table)
    means = ratings.groupby("system")["score"].mean()
    without = ratings[ratings[FAILED] == 0].groupby("system")["score"].mean()
    assert found.code == "failed-checks"
    assert found.values["rater"] == "b"
    assert (found.values["failed"], found.values["checks"]) == (1, 1)
    assert (found.values["n"], found.values["total"]) == (16, 48)
    assert found.values["system"] == "elm"
    assert float(found.values["change"]) == pytest.approx((without - means)["elm"], rel=0.01)


def test_the_note_says_whether_the_order_would_change(tmp_path):
    lines = campaign()
    for line in lines:
        if line["user_id"] == "b":
            line["annotation"] = [answers(elm=0, oak=100) for _ in line["item"]]
    assert codes(read(tmp_path, [*lines, checked("b", 30)]).notes) == ["failed-checks-order"]


def test_the_note_says_who_alone_rated_a_system(tmp_path):
    lines = [*campaign(), screen("b", 8, [segment("x", ["ash"])], [answers(ash=7)])]
    (found,) = read(tmp_path, [*lines, checked("b", 30)]).notes
    assert (found.code, found.values["system"]) == ("failed-checks-only-rater", "ash")


def test_many_raters_who_failed_are_counted(tmp_path):
    lines = campaign(raters="abcdef")
    table = read(tmp_path, [*lines, *(checked(rater, 90) for rater in "abcde")])
    assert codes(table.notes) == ["failed-checks"] * 3 + ["failed-checks-others"]
    assert table.notes[-1].values == {"n": 2, "n_ratings": 32}


@pytest.mark.parametrize(
    ("rules", "passes"),
    [
        ({"elm": {"score": [50, 70]}}, True),
        ({"elm": {"score": [61, 70]}}, False),
        ({"elm": {"score_greaterthan": "oak"}}, True),
        ({"oak": {"score_greaterthan": "elm"}}, False),
        ({"oak": {"score_greaterthan": "ash"}}, False),
        ({"elm": [{"score": [50, 70]}, {"score_greaterthan": "oak"}]}, True),
        ({"elm": {"error_spans": [{"start_i": [2, 4], "severity": "minor"}]}}, True),
        ({"elm": {"error_spans": [{"start_i": [2, 4], "severity": "major"}]}}, False),
        ({"elm": {"error_spans": [{"start_i": 4}]}}, False),
        ({"elm": {"Fluency": [0, 5]}}, True),
        ({"elm": {"Fluency": 4}}, False),
        ({"elm": {"warning": "Mark the error."}}, True),
    ],
)
def test_rules_are_those_of_the_page_that_asks(tmp_path, rules, passes):
    said = answers(elm=60, oak=30)
    span = {"start_i": 3, "end_i": 9, "severity": "minor"}
    said["elm"] |= {"error_spans": [span], "sliders": {"Fluency": 5}}
    line = screen("a", 50, [segment("check", validation=rules)], [said])
    ratings = ratings_of(read(tmp_path, [*campaign(), line]))
    assert set(ratings.loc[ratings["rater"] == "a", FAILED]) == {0 if passes else 1}


def test_what_the_log_says_of_a_check_counts(tmp_path):
    lines = [
        *campaign(),
        checked("a", 90, validations=[True]),
        checked("b", 1, validations=[False]),
    ]
    ratings = ratings_of(read(tmp_path, lines))
    assert ratings.groupby("rater")[FAILED].first().to_dict() == {"a": 0, "b": 1, "c": 0}


def test_a_check_that_was_passed_over_is_none(tmp_path):
    skipped = checked("a", 90, actions=[{"time": 1.0, "action": "submit_skip"}])
    table = read(tmp_path, [*campaign(), skipped])
    assert FAILED not in ratings_of(table)
    assert not table.notes


def test_checks_before_a_reset_are_void(tmp_path):
    own = [line for line in campaign() if line["user_id"] == "a"]
    others = [line for line in campaign() if line["user_id"] != "a"]
    table = read(tmp_path, [checked("a", 90), reset("a"), *own, *others])
    assert FAILED not in ratings_of(table)


# --- what Pearmut does not write ------------------------------------------------------------------


def damaged(**more: Any) -> list[dict[str, Any]]:
    lines = campaign()
    lines[4] |= more
    return lines


ITEMS = [segment("a"), segment("b")]
DAMAGED = {
    "no rater": (
        damaged(user_id=None),
        "line 5 is not as Pearmut writes it: there is no 'user_id'",
    ),
    "no lists": (damaged(item={}), "line 5 .*: 'item' and 'annotation' are not both lists"),
    "other lengths": (
        damaged(annotation=[None]),
        "line 5 .*: 'item' has 2 segments, and 'annotation' has 1 answer",
    ),
    "no segment": (damaged(item=["a", "b"]), "line 5 .*: a segment in 'item' is not an object"),
    "no outputs": (
        damaged(item=[{"src": "a"}, {"src": "b"}]),
        r"line 5 .*: a segment has no outputs \('tgt'\)",
    ),
    "no answer": (damaged(annotation=[3, 4]), "line 5 .*: an answer is not an object"),
    "another system": (
        damaged(item=ITEMS, annotation=[answers(ash=4), None]),
        "line 5 .*: 'ash' was rated, and no output of it was shown",
    ),
    "a bare number": (
        damaged(item=ITEMS, annotation=[{"elm": 70}, None]),
        "line 5 .*: the answer about 'elm' is not an object",
    ),
    "a score in words": (
        damaged(item=ITEMS, annotation=[answers(elm="good", oak=4), None]),
        "line 5, column 'score': 'good' is not a finite number",
    ),
    "actions": (damaged(actions=[3], validation=1), "not as Pearmut writes it"),
    "nothing but resets": ([reset("a"), reset("b")], "has no rating of a system"),
    "nothing but checks": (
        [checked("a", 4), checked("b", 5)],
        "has no rating of a system: left out: segments of checks 2",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_not_as_pearmut_writes_it_is_refused_where_it_stands(tmp_path, name):
    lines, says = DAMAGED[name]
    with pytest.raises(mt.InputError, match=says) as caught:
        read(tmp_path, lines)
    assert str(caught.value).startswith("'news_en-de.jsonl'")


def test_campaigns_that_ask_other_things_are_refused(tmp_path):
    content = {"x": campaign(), "y": with_sliders(["Fluency"])}
    with pytest.raises(mt.InputError, match=naming("'x' has score", "'y' has Fluency")):
        read(tmp_path, content)


def test_a_record_of_a_download_is_named_by_its_campaign(tmp_path):
    with pytest.raises(mt.InputError, match=naming("'annotations.json'", "'x'", "record 5 ")):
        read(tmp_path, {"x": damaged(annotation=[None])})


# --- logs that Pearmut wrote ----------------------------------------------------------------------


def dashboard(campaign: str) -> dict[str, Any]:
    """What Pearmut's own dashboard says of a campaign."""
    content = json.loads(gzip.decompress((LOGS / "dashboard.json.gz").read_bytes()))
    found: dict[str, Any] = content[campaign]
    return found


@pytest.mark.filterwarnings("ignore:rater")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_means_are_those_of_the_dashboard(name):
    """Which takes the last rating of each output, and means over sliders."""
    table = read_score_table(str(LOGS / f"{name}.jsonl.gz"))
    ratings = ratings_of(table).drop_duplicates(["system", "segment"], keep="last")
    score = ratings[list(table.metrics)].mean(axis=1)
    found = score.groupby(ratings["system"]).agg(["mean", "count"])
    shown = {own["model"]: (own["score"], own["count"]) for own in dashboard(name)["systems"]}
    assert set(found.index) == set(shown)
    for system, (mean, count) in shown.items():
        assert found.loc[system, "mean"] == pytest.approx(mean)
        assert found.loc[system, "count"] == count


def test_checks_are_those_of_the_dashboard():
    table = read_score_table(str(LOGS / "scores_eng-deu.jsonl.gz"))
    checks = dashboard("scores_eng-deu")["checks"]
    failed = {rater: results.count(False) for rater, results in checks.items()}
    assert ratings_of(table).groupby("rater")[FAILED].first().to_dict() == failed
    (found,) = table.notes
    assert found.values["checks"] == len(checks[found.values["rater"]]) > 0


def test_what_was_left_out_of_real_logs_is_said():
    scores, sliders = (
        " ".join(read_scores(str(LOGS / f"{name}.jsonl.gz")).remarks) for name in CAMPAIGNS
    )
    for kind in ("5 screens before a reset", "questions of forms 4", "segments of checks"):
        assert kind in scores
    assert re.search(naming("answered again", " 6"), sliders)


def test_what_was_downloaded_is_what_was_logged(tmp_path):
    content = json.loads(gzip.decompress((LOGS / "annotations.json.gz").read_bytes()))
    for name in CAMPAIGNS:
        downloaded = read_score_table(written(tmp_path, {name: content[name]}))
        logged = read_score_table(str(LOGS / f"{name}.jsonl.gz"))
        pd.testing.assert_frame_equal(in_order(downloaded), in_order(logged))
    with pytest.raises(mt.InputError, match=naming("'annotations.json.gz'", "other scores")):
        read_score_table(str(LOGS / "annotations.json.gz"))


@pytest.mark.skipif(not REAL.exists(), reason="the logs that Pearmut wrote are not here")
@pytest.mark.parametrize("name", REAL_LOGS)
def test_the_command_line_ranks_the_systems_of_real_logs(name):
    found = answer(f"compare --scores {REAL / name}")
    assert found["kind"] == "ratings"
    means = {own["system"]: own["score"] for own in found["systems"]}
    assert sorted(means, key=means.__getitem__) == ["Doum", "Cedar", "Alder", "Birch"]
    (pair,) = (
        own for own in found["pairs"] if {own["system_a"], own["system_b"]} == {"Alder", "Birch"}
    )
    assert pair["conclusion"] == "indistinguishable"
    assert pair["pvalue_adjusted"] > 0.5


@pytest.mark.skipif(not REAL.exists(), reason="the logs that Pearmut wrote are not here")
def test_both_real_logs_say_the_same():
    first, second = (in_order(read_score_table(str(REAL / name))) for name in REAL_LOGS)
    pd.testing.assert_frame_equal(first, second)
    assert np.isfinite(first["score"]).all()
    assert (first["rater"].nunique(), first["document"].nunique()) == (3, 12)
