"""Logs as programs wrote them: the verdict of their own scores, or a refusal that says the fix."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table

from ..messages import codes, naming, values
from ..small_sets import means

LOGS = Path(__file__).parent / "logs"
HARNESS = LOGS / "harness"
INSPECT = LOGS / "inspect" / "json"
PROMPTFOO = LOGS / "promptfoo" / "results.json.gz"


def of_harness(task: str) -> list[str]:
    return [str(path) for path in sorted(HARNESS.glob(f"*/samples_{task}_*"))]


def content_of(path: str | Path) -> Any:
    """What a log's JSON has, or that of each of its lines."""
    text = gzip.decompress(Path(path).read_bytes()).decode()
    lines = str(path).endswith(".jsonl.gz")
    return [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)


def test_samples_of_the_harness_are_called_after_their_folders():
    table = read_score_table(of_harness("sums_choice"))
    acc, norm = table.statistics()
    assert (acc.label, norm.label) == ("acc", "acc_norm")
    assert acc.systems == ("alpha", "beta")
    for name, path in zip(acc.systems, of_harness("sums_choice"), strict=True):
        own = [record["acc"] for record in content_of(path)]
        assert acc.scores()[name] == np.mean(own)


def test_filters_of_the_harness_are_metrics_as_in_its_results():
    found = read_score_table(of_harness("sums_written")).statistics()
    assert [s.label for s in found] == ["exact_match,strict", "exact_match,flexible"]
    records = content_of(of_harness("sums_written")[0])
    strict = [record["exact_match"] for record in records if record["filter"] == "strict"]
    assert found[0].segment_scores()[0].tolist() == strict


def test_a_numeric_target_is_no_system_and_the_same_names_in_two_folders_are_two(tmp_path):
    for path in of_harness("sums_choice"):
        model = Path(path).parent.name
        (tmp_path / model).mkdir()
        records = [{**record, "target": k % 4} for k, record in enumerate(content_of(path))]
        text = "\n".join(map(json.dumps, records))
        (tmp_path / model / "samples_sums_choice.jsonl").write_text(text)
    (found,) = read_score_table(str(tmp_path), ["acc"]).statistics()
    assert found.systems == ("alpha", "beta")
    plain = shutil.copy(
        tmp_path / "beta" / "samples_sums_choice.jsonl", tmp_path / "my-model.jsonl"
    )
    assert read_score_table(str(plain), ["acc"]).statistics()[0].systems == ("my-model",)


def test_tasks_of_the_harness_are_not_mixed():
    with pytest.raises(mt.InputError, match=r"'sums_\w+'.* same metrics"):
        read_score_table(str(HARNESS))
    table = read_score_table(str(HARNESS), ["acc"])
    assert "nothing is taken" in table.sentence
    assert "samples_sums_written" in table.remarks[0]


def test_two_runs_of_one_model_are_refused():
    (path, _) = of_harness("sums_choice")
    with pytest.raises(mt.InputError, match="is given twice"):
        read_score_table([path, path]).statistics()


def test_epochs_of_inspect_are_averaged_and_told():
    table = read_score_table(str(INSPECT))
    match, includes = table.statistics()
    assert match.systems == ("mockllm/alpha", "mockllm/beta")
    log = content_of(min(INSPECT.iterdir()))
    for found, name in ((match, "match"), (includes, "includes")):
        own = pd.DataFrame(
            [(s["id"], s["scores"][name]["value"] == "C") for s in log["samples"]],
            columns=["item", "right"],
        )
        assert found.n_segments == own["item"].nunique() == 16
        assert found.scores()[log["eval"]["model"]] == pytest.approx(own["right"].mean())
    assert table.remarks[0].startswith("3 repeats of ")


def test_an_archive_of_inspect_is_refused_with_what_to_do():
    with pytest.raises(mt.InputError, match=naming("Inspect", "inspect log dump sums.eval")):
        read_score_table("sums.eval")


def test_an_evaluation_that_did_not_end_well_is_refused(tmp_path):
    log = content_of(min(INSPECT.iterdir())) | {"status": "error"}
    results = content_of(PROMPTFOO)
    results["results"]["results"][3]["failureReason"] = 2
    for content, words in (
        (log, "the evaluation has the status 'error'"),
        (results, r"test \d+ of '\w+' was not judged"),
    ):
        (tmp_path / "log.json").write_text(json.dumps(content))
        with pytest.raises(mt.InputError, match=words):
            read_score_table(str(tmp_path / "log.json"))


def test_promptfoo_has_a_system_for_each_provider():
    (found,) = read_score_table(str(PROMPTFOO)).statistics()
    own = content_of(PROMPTFOO)["results"]["results"]
    assert {*found.systems} == {"alpha", "beta"}
    assert found.n_segments == 24
    for name in found.systems:
        scores = [r["score"] for r in own if r["provider"]["label"] == name]
        assert found.scores()[name] == pytest.approx(np.mean(scores))


def test_a_folder_of_scores_of_the_metrics_task(tmp_path):
    for metric, shift in (("COMET-refA", 0), ("BLEURT-refA", 1)):
        rows = "".join(f"{s}\t{i + shift}.5\n" for s in "AB" for i in range(3))
        (tmp_path / f"{metric}.seg.score").write_text(rows)
    found = read_score_table(str(tmp_path)).statistics()
    assert [s.label for s in found] == ["BLEURT-refA", "COMET-refA"]
    shutil.copy(of_harness("sums_choice")[0], tmp_path)
    with pytest.raises(mt.InputError, match=naming("folder", "several kinds")):
        read_score_table(str(tmp_path))


def mutated(content, rng):
    """`content` with one of its parts gone, or something else in its place."""
    content = json.loads(json.dumps(content))  # a copy, five times as soon as `copy.deepcopy`
    inside, key = content, rng.choice(list(_keys(content)))
    while isinstance(inside[key], dict | list) and inside[key] and rng.random() < 0.8:
        inside, key = inside[key], rng.choice(list(_keys(inside[key])))
    if rng.random() < 0.4:
        del inside[key]
    else:
        inside[key] = rng.choice([None, True, [], {}, "x", "", -1, float("inf"), [1], {"a": 2}])
    return content


def _keys(inside):
    return inside if isinstance(inside, dict) else range(len(inside))


LOGGED = {"harness": of_harness("sums_written")[0], "inspect": max(INSPECT.iterdir())}
LOGGED["promptfoo"] = PROMPTFOO


@pytest.mark.takes_time
@pytest.mark.parametrize("program", LOGGED)
def test_a_damaged_log_is_read_or_refused_and_nothing_else(tmp_path, program):
    rng, content, refused = random.Random(program), content_of(LOGGED[program]), 0
    is_list = isinstance(content, list)
    records = content if is_list else content.get("samples") or content["results"]["results"]
    name = {"harness": "doc_id", "inspect": "id", "promptfoo": "testIdx"}[program]
    kept = {record[name] for record in records[:8]}  # whole items, each with all its repeats
    records[:] = [record for record in records if record[name] in kept]
    path = tmp_path / Path(LOGGED[program]).stem
    for _ in range(150):
        found = mutated(content, rng)
        path.write_text("\n".join(map(json.dumps, found)) if is_list else json.dumps(found))
        try:
            read_score_table(str(path)).statistics()
        except mt.InputError:
            refused += 1
    assert 3 < refused < 145


@pytest.mark.parametrize("name", ["epoch", "repeat", "sample"])
def test_repeats_are_no_runs(tmp_path, name):
    rng = np.random.default_rng(1)
    rows = [(s, i, k, rng.normal(i)) for s in "AB" for i in range(5) for k in range(3)]
    frame = pd.DataFrame(rows, columns=["system", "item", name, "x"])
    frame.to_csv(tmp_path / "x.csv", index=False)
    table = read_score_table(str(tmp_path / "x.csv"))
    (found,) = table.statistics()
    assert table.runs == {}
    means = frame.groupby(["system", "item"])["x"].mean()
    assert found.segment_scores() == pytest.approx(means.to_numpy().reshape(2, 5))
    within = frame.groupby(["system", "item"])["x"].var().div(3).mean()
    share = within / means.groupby("system").var().mean()
    assert f" {100 * share:.0f} % of " in table.remarks[0]
    pd.concat([frame, frame.head(1)]).to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(
        mt.InputError, match=naming("line 2", "line 32", "'A'", "'0'", "repeat '0'")
    ):
        read_score_table(str(tmp_path / "x.csv"))


def test_without_another_name_for_items_samples_are_items(tmp_path):
    rows = "".join(f"{s},{i},{i % 3}\n" for s in "AB" for i in range(5))
    (tmp_path / "x.csv").write_text(f"system,sample,x\n{rows}")
    assert read_score_table(str(tmp_path / "x.csv")).statistics()[0].n_segments == 5


@pytest.mark.parametrize(
    ("name", "taken"), [("passage", True), ("cluster", True), ("group", False)]
)
def test_what_hangs_together_is_seen(tmp_path, name, taken):
    rows = "".join(f"{s},{i},{i // 2},{i % 3}\n" for s in "AB" for i in range(6))
    (tmp_path / "x.csv").write_text(f"system,item,{name},x\n{rows}")
    table = read_score_table(str(tmp_path / "x.csv"))
    assert table.has_documents == taken
    assert table.metrics == {"x": True}
    assert ("group" in table.sentence) != taken


def test_columns_that_might_be_systems_or_metrics_are_not_guessed(tmp_path):
    (tmp_path / "x.csv").write_text("item,target,acc\n0,1,0\n1,3,1\n2,0,1\n")
    found = read_score_table(str(tmp_path / "x.csv"))
    assert (found.metrics, found.statistics()[0].systems) == ({"acc": True}, ("x",))
    (tmp_path / "x.csv").write_text("item,one,two\n0,.5,0\n1,.2,1\n2,.1,1\n")
    words = "systems under one metric .*-m x.*, or metrics .*-m one"
    with pytest.raises(mt.InputError, match=words):
        read_score_table(str(tmp_path / "x.csv"))
    assert read_score_table(str(tmp_path / "x.csv"), ["x"]).statistics()[0].systems == (
        "one",
        "two",
    )
    one = read_score_table(str(tmp_path / "x.csv"), ["two"]).statistics()[0]
    assert (one.label, one.systems) == ("two", ("x",))


def test_yes_or_no_has_wilsons_intervals_and_mcnemars_test():
    rng = np.random.default_rng(2)
    right = {"all": np.ones(12), "most": (rng.random(12) < 0.7).astype(float)}
    found = mt.compare_all(means([*right.values()], systems=[*right]), rng=1)
    interval = found.score_intervals["score"].loc["all"]
    assert tuple(interval) == pytest.approx(proportion_confint(12, 12, method="wilson"))
    wrong = int(12 - right["most"].sum())
    exact = mcnemar([[12 - wrong, wrong], [0, 0]], exact=True).pvalue
    assert found.table["pvalue"].item() == pytest.approx(exact)
    assert any("McNemar's exact test" in note for note in found.notes)


@pytest.mark.parametrize("n_resamples", [500, None])
def test_where_arrangements_are_too_few_for_all_pairs_it_is_said(n_resamples):
    """Twelve systems on ten scenarios: no further resample could help Holm."""
    rng = np.random.default_rng(3)
    scores = means(rng.normal(np.arange(12)[:, None], size=(12, 10)))
    holm = mt.compare_all(scores, rng=1, n_resamples=n_resamples)
    few = values(holm.caveats, "few-arrangements")
    assert "66 comparisons" in few["none"]
    assert (few["most"], few["smallest"]) == (1024, "0.1289")
    assert "holm" in few["corrected"]
    assert "correction='westfall-young' could" in few["instead"]
    more = {"few-resamples", "unresolved", "uncertain", "uncertain-level"}
    assert not more & {*codes(holm.caveats)}
    westfall_young = mt.compare_all(scores, correction="westfall-young", rng=1)
    assert (westfall_young.table["conclusion"] == "better").any()
    assert "few-arrangements" not in codes(westfall_young.caveats)
