"""What rows of one system and item are: repeats, other systems, other metrics, or an error."""

from __future__ import annotations

import itertools
import re
import shutil

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table

from ..messages import naming
from .log_files import (
    RIGHT,
    as_version_2,
    inspect_log,
    inspect_sample,
    result,
    results,
    sample,
    samples,
    write,
)

ONE = {"id": "acme:one", "label": ""}
TWO = {"id": "acme:two", "label": ""}


def scores_of(*paths):
    """The mean of each system under the first metric."""
    statistics = read_score_table([str(path) for path in paths]).statistics()
    return dict(
        zip(statistics[0].systems, statistics[0].segment_scores().mean(axis=1), strict=True)
    )


def means(**right):
    return {name: pytest.approx(np.mean(values)) for name, values in right.items()}


# --- promptfoo ------------------------------------------------------------------------------------


def test_columns_of_one_provider_are_two_systems(tmp_path):
    content = results([(ONE, RIGHT["alpha"]), (ONE, RIGHT["beta"]), (TWO, RIGHT["beta"])])
    found = scores_of(write(tmp_path / "results.json", content))
    assert found == {
        "acme:one, promptIdx 0": pytest.approx(np.mean(RIGHT["alpha"])),
        "acme:one, promptIdx 1": pytest.approx(np.mean(RIGHT["beta"])),
        "acme:two": pytest.approx(np.mean(RIGHT["beta"])),
    }


@pytest.mark.parametrize(
    ("providers", "names"),
    [
        (
            [
                {"id": "acme:one", "config": {"temperature": 0, "max_tokens": 9}},
                {"id": "acme:one", "config": {"temperature": 1, "max_tokens": 9}},
            ],
            ["acme:one, temperature=0", "acme:one, temperature=1"],
        ),
        (
            ["acme:one", {"acme:one": {"config": {"top_p": 0.5}}}],
            ["acme:one, top_p not set", "acme:one, top_p=0.5"],
        ),
        (["acme:one", "acme:one"], ["acme:one, promptIdx 0", "acme:one, promptIdx 1"]),
        ("file://providers.yaml", ["acme:one, promptIdx 0", "acme:one, promptIdx 1"]),
    ],
)
def test_columns_are_called_after_the_settings_that_differ(tmp_path, providers, names):
    content = results(
        [(ONE, RIGHT["alpha"]), (ONE, RIGHT["beta"])], config={"providers": providers}
    )
    path = write(tmp_path / "results.json", content)
    assert list(scores_of(path)) == names
    said = read_score_table(str(path)).sentence
    assert re.search(naming("2 columns", "'results.json'", "'acme:one'"), said)


def test_prompts_of_one_label_are_two_systems(tmp_path):
    content = results([(ONE, RIGHT["alpha"]), (ONE, RIGHT["beta"]), (ONE, RIGHT["beta"])])
    for record in content["results"]["results"]:
        label = "short" if record["promptIdx"] < 2 else "long"
        record["prompt"] = {"raw": f"prompt {record['promptIdx']}", "label": label}
    found = scores_of(write(tmp_path / "results.json", content))
    assert list(found) == [
        "acme:one, short, promptIdx 0",
        "acme:one, short, promptIdx 1",
        "acme:one, long",
    ]


def test_all_versions_of_promptfoo_are_the_same(tmp_path):
    content = results([(ONE, RIGHT["alpha"]), (TWO, RIGHT["beta"])])
    expected = {
        "acme:one": pytest.approx(np.mean(RIGHT["alpha"])),
        "acme:two": pytest.approx(np.mean(RIGHT["beta"])),
    }
    assert scores_of(write(tmp_path / "3.json", content)) == expected
    assert scores_of(write(tmp_path / "2.json", as_version_2(content))) == expected
    assert scores_of(write(tmp_path / "3.jsonl", content["results"]["results"])) == expected


def test_tests_of_two_files_are_paired_by_what_they_ask(tmp_path):
    one = results([(ONE, RIGHT["alpha"])])
    two = results([(TWO, RIGHT["beta"])])
    two["results"]["results"].reverse()
    paths = [write(tmp_path / "1.json", one), write(tmp_path / "2.json", two)]
    (found,) = read_score_table([str(path) for path in paths]).statistics()
    assert found.segment_scores().tolist() == [RIGHT["alpha"], RIGHT["beta"]]


def repeated(n_more, *, answers="other", columns=(0, 1)):
    """Two systems, whose tests are asked again in some columns."""
    content = results([(ONE, RIGHT["alpha"]), (TWO, RIGHT["beta"])])
    records = content["results"]["results"]
    for again, record in itertools.product(range(1, n_more + 1), list(records)):
        if record["promptIdx"] in columns:
            output = record["response"]["output"] + (f" {again}" if answers == "other" else "")
            test = record["testIdx"] + 100 * again
            records.append({**record, "testIdx": test, "response": {"output": output}})
    return content


def test_repeats_are_averaged_where_they_are_proven(tmp_path):
    path = write(tmp_path / "results.json", repeated(2))
    assert len(scores_of(path)) == 2
    assert "3 repeats of" in read_score_table(str(path)).sentence


def test_the_same_answers_are_repeats_only_if_repeats_were_asked_for(tmp_path):
    content = repeated(1, answers="same")
    with pytest.raises(mt.InputError, match=naming("results.json", "repeated")):
        scores_of(write(tmp_path / "results.json", content))
    content["runtimeOptions"] = {"repeat": 2}
    assert len(scores_of(write(tmp_path / "results.json", content))) == 2


def test_repeats_of_one_system_alone_are_none(tmp_path):
    path = write(tmp_path / "results.json", repeated(1, columns=(0,)))
    with pytest.raises(mt.InputError, match=naming("'acme:one' has 2", "'acme:two' has 1")):
        scores_of(path)


# --- lm-evaluation-harness ------------------------------------------------------------------------


def test_a_single_filter_has_its_name(tmp_path):
    """Else two filters of two models would be one metric."""
    for model, own in (("alpha", "strict"), ("beta", "flexible")):
        write(tmp_path / model / "samples_sums.jsonl", samples(RIGHT[model], filter=own))
    with pytest.raises(mt.InputError, match=naming("metric in common")):
        scores_of(tmp_path)
    assert list(read_score_table(str(tmp_path / "alpha")).metrics) == ["acc,strict"]


def two_lines_for_each(**second):
    """Samples with two lines for each document, of which the second is otherwise."""
    records = samples(RIGHT["alpha"])
    more = [
        sample(n, 1 - value) | {"resps": records[n]["resps"]} | second
        for n, value in enumerate(RIGHT["alpha"])
    ]
    return records + more


def test_filters_without_names_are_two_metrics(tmp_path):
    for model in RIGHT:
        records = [{**r, "filter": None} for r in two_lines_for_each()]
        write(tmp_path / model / "samples_sums.jsonl", records)
    table = read_score_table(str(tmp_path))
    assert list(table.metrics) == ["acc,1", "acc,2"]
    first, second = table.statistics()
    assert (first.segment_scores() + second.segment_scores() == 1).all()
    assert "filters without names" in table.sentence


def test_other_responses_in_one_setting_are_repeats(tmp_path):
    for model in RIGHT:
        records = two_lines_for_each(resps=[["another answer"]])
        write(tmp_path / model / "samples_sums.jsonl", records)
    table = read_score_table(str(tmp_path))
    assert "2 repeats of" in table.sentence
    assert (table.statistics()[0].segment_scores() == 0.5).all()


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ({"arguments": {"gen_args_0": {"arg_1": {"temperature": 1}}}}, "a different 'arguments'"),
        ({"doc": {"question": "Who?"}}, "a different 'doc'"),
        ({"model": "beta"}, "again, with a different"),
    ],
)
def test_two_settings_in_one_file_are_refused(tmp_path, second, says):
    records = two_lines_for_each(resps=[["another answer"]], **second)
    for record in records[: len(records) // 2]:
        record.setdefault("model", "alpha") if "model" in second else None
    path = write(tmp_path / "alpha" / "samples_sums.jsonl", records)
    with pytest.raises(mt.InputError, match=says):
        scores_of(path)


def test_two_runs_of_the_harness_in_one_folder_are_refused(tmp_path):
    for time, right in (("10-00-00.0", RIGHT["alpha"]), ("11-00-00.0", RIGHT["beta"])):
        name = f"samples_sums_2026-01-01T{time}.jsonl"
        write(tmp_path / "alpha" / name, samples(right))
    with pytest.raises(mt.InputError, match=naming("two runs", "'alpha'", "NAME=FILE")):
        scores_of(tmp_path)


def test_one_model_in_two_folders_is_called_after_them(tmp_path):
    for folder in ("greedy", "sampled"):
        right = RIGHT["alpha" if folder == "greedy" else "beta"]
        write(tmp_path / folder / "big-model" / "samples_sums.jsonl", samples(right))
    assert list(scores_of(tmp_path)) == ["greedy/big-model", "sampled/big-model"]


def test_parts_of_one_run_are_one_system(tmp_path):
    write(tmp_path / "alpha" / "samples_sums_2026-01-01T10-00-00.0.jsonl", samples([1, 0, 1]))
    others = [sample(n, n % 2) for n in range(3, 6)]
    write(tmp_path / "alpha" / "samples_sums_2026-01-01T11-00-00.0.jsonl", others)
    (found,) = read_score_table(str(tmp_path)).statistics()
    assert (found.systems, found.n_segments) == (("alpha",), 6)


def test_documents_of_one_number_must_ask_the_same(tmp_path):
    write(tmp_path / "alpha" / "samples_sums.jsonl", samples(RIGHT["alpha"]))
    records = [
        {**r, "doc": {"question": f"Who wrote book {n}?"}, "target": f"writer {n}"}
        for n, r in enumerate(samples(RIGHT["beta"]))
    ]
    write(tmp_path / "beta" / "samples_sums.jsonl", records)
    with pytest.raises(mt.InputError, match="asks something else"):
        scores_of(tmp_path)
    for record in records:  # choices in another order
        record["doc"] = {"question": f"What is {record['doc_id']} plus 2?", "choices": ["3", "2"]}
    write(tmp_path / "beta" / "samples_sums.jsonl", records)
    assert len(scores_of(tmp_path)) == 2


def test_a_file_without_a_task_has_the_one_that_asks_the_same(tmp_path):
    for model, right in RIGHT.items():
        write(tmp_path / model / "samples_sums.jsonl", samples(right))
        write(tmp_path / model / "samples_facts.jsonl", samples(right, doc={"question": "Who?"}))
    write(tmp_path / "best.jsonl", samples([1] * 8))
    with pytest.raises(mt.InputError, match="'best'"):  # which has none of the facts
        scores_of(tmp_path)
    table = read_score_table(str(tmp_path), missing="common")
    (found,) = table.test_sets()
    assert found.left_out == {"best": ("facts",)}


def test_metrics_of_whole_test_sets_are_left_out_by_name(tmp_path):
    records = [{**r, "metrics": ["acc", "bleu"], "bleu": ["a", "b"]} for r in samples([1, 0, 1])]
    path = write(tmp_path / "alpha" / "samples_sums.jsonl", records)
    table = read_score_table(str(path))
    assert list(table.metrics) == ["acc"]
    (remark,) = table.remarks
    assert re.search(naming("bleu of 'samples_sums.jsonl'", "all items together"), remark)


# --- Inspect --------------------------------------------------------------------------------------


def test_logs_of_one_model_are_called_after_the_settings_that_differ(tmp_path):
    for n, model in enumerate(RIGHT):
        log = inspect_log("m", RIGHT[model], model_generate_config={"temperature": n, "seed": 1})
        write(tmp_path / f"{n}.json", log)
    assert list(scores_of(tmp_path)) == ["m, temperature=0", "m, temperature=1"]
    log = inspect_log("m", RIGHT["beta"], solver="chain", model_generate_config={"temperature": 1})
    write(tmp_path / "1.json", log)
    assert sorted(scores_of(tmp_path)) == [
        "m, temperature=0, seed=1, solver not set",
        "m, temperature=1, seed not set, solver=chain",
    ]


def test_the_settings_of_a_plan_tell_logs_apart(tmp_path):
    for n, steps in enumerate((["generate"], ["chain_of_thought", "generate"])):
        log = inspect_log("m", RIGHT["alpha" if n else "beta"])
        log["plan"] = {"steps": [{"solver": name, "params": {}} for name in steps]}
        log["eval"]["eval_id"] = str(n)
        write(tmp_path / f"{n}.json", log)
    assert len(scores_of(tmp_path)) == 2


def test_a_log_run_again_is_refused(tmp_path):
    for n, model in enumerate(RIGHT):
        log = inspect_log("m", RIGHT[model])
        log["eval"]["eval_id"] = str(n)
        write(tmp_path / f"{n}.json", log)
    with pytest.raises(mt.InputError, match=naming("'0.json' and '1.json'", "two runs", "'m'")):
        scores_of(tmp_path)
    shutil.copy(tmp_path / "0.json", tmp_path / "1.json")
    with pytest.raises(mt.InputError, match=naming("the same run", "'m'", "Give one")):
        scores_of(tmp_path)


def test_runs_may_be_named(tmp_path):
    for n, model in enumerate(RIGHT):
        log = inspect_log("m", RIGHT[model])
        log["eval"]["eval_id"] = str(n)
        write(tmp_path / f"{n}.json", log)
    found = scores_of(f"first={tmp_path / '0.json'}", f"second={tmp_path / '1.json'}")
    assert found == {"first": np.mean(RIGHT["alpha"]), "second": np.mean(RIGHT["beta"])}


def test_messages_have_other_ids_in_each_run(tmp_path):
    for model, right in RIGHT.items():
        log = inspect_log(model, right)
        for n, found in enumerate(log["samples"]):
            found["input"] = [{"id": f"{model} {n}", "role": "user", "content": f"Item {n}"}]
            found["target"] = ""
        write(tmp_path / f"{model}.json", log)
    assert len(scores_of(tmp_path)) == 2


def test_samples_of_one_name_must_ask_the_same(tmp_path):
    write(tmp_path / "0.json", inspect_log("alpha", RIGHT["alpha"]))
    log = inspect_log("beta", RIGHT["beta"])
    for n, found in enumerate(log["samples"]):
        found["input"] = f"Who wrote book {n}?"
    write(tmp_path / "1.json", log)
    assert len(scores_of(tmp_path)) == 2  # with the same target: another prompt
    for found in log["samples"]:
        found["target"] = ""
    write(tmp_path / "1.json", log)
    with pytest.raises(mt.InputError, match=naming("Item '0'", "'sums'", "something else")):
        scores_of(tmp_path)


def test_one_scorer_with_two_judges_is_refused(tmp_path):
    for model, judge in (("alpha", "big"), ("beta", "small")):
        scorers = [{"name": "match", "options": {"model": judge}}]
        write(tmp_path / f"{model}.json", inspect_log(model, RIGHT[model], scorers=scorers))
    with pytest.raises(mt.InputError, match=naming("two ways", "model=big", "model=small")):
        scores_of(tmp_path)


def test_a_scorer_may_have_the_name_of_a_label(tmp_path):
    for model, right in RIGHT.items():
        log = inspect_log(model, right)
        for found, value in zip(log["samples"], right, strict=True):
            found["scores"] = {"rater": {"value": value}, "run": {"value": 1 - value}}
        write(tmp_path / f"{model}.json", log)
    table = read_score_table(str(tmp_path), ["rater", "run"])
    assert [s.label for s in table.statistics()] == ["rater", "run"]


@pytest.mark.parametrize("grade", ["yes", "Yes", "true"])
def test_yes_and_no_are_one_and_zero(tmp_path, grade):
    log = inspect_log("m", [1, 1])
    log["samples"][0]["scores"]["match"]["value"] = grade
    log["samples"][1] = inspect_sample(1, "no")
    assert scores_of(write(tmp_path / "m.json", log)) == {"m": 0.5}


# --- folders --------------------------------------------------------------------------------------


def test_a_log_is_read_whatever_its_name(tmp_path):
    write(tmp_path / "2026-01-01T00-00-00_sums_x.json", inspect_log("a", RIGHT["alpha"]))
    write(tmp_path / "deep" / "best.json", inspect_log("b", RIGHT["beta"]))
    (tmp_path / ".hidden").mkdir()
    write(tmp_path / ".hidden" / "c.json", inspect_log("c", RIGHT["beta"]))
    assert scores_of(tmp_path) == {
        "a": pytest.approx(np.mean(RIGHT["alpha"])),
        "b": pytest.approx(np.mean(RIGHT["beta"])),
    }


def test_what_is_left_out_of_a_folder_is_named(tmp_path):
    for model, right in RIGHT.items():
        write(tmp_path / model / "samples_sums.jsonl", samples(right))
        whole = {"results": {}, "configs": {}, "versions": {}}
        write(tmp_path / model / "results_2026.json", whole)
    (tmp_path / "README.md").write_text("ours")
    table = read_score_table(str(tmp_path))
    for name in ("'README.md'", "'alpha/results_2026.json'", "'beta/results_2026.json'"):
        assert name in table.sentence


def test_archives_of_inspect_are_left_out_only_beside_their_json(tmp_path):
    write(tmp_path / "x.json", inspect_log("a", RIGHT["alpha"]))
    write(tmp_path / "y.json", inspect_log("b", RIGHT["beta"]))
    (tmp_path / "x.eval").write_bytes(b"PK")
    assert "not read in" in read_score_table(str(tmp_path)).sentence
    (tmp_path / "z.eval").write_bytes(b"PK")
    with pytest.raises(mt.InputError, match=r"'z.eval'.*inspect log convert"):
        scores_of(tmp_path)


def test_a_folder_of_tables(tmp_path):
    for model, right in RIGHT.items():
        rows = "".join(f"{n},{value}\n" for n, value in enumerate(right))
        (tmp_path / f"{model}.csv").write_text(f"segment,x\n{rows}")
    assert scores_of(tmp_path) == means(**RIGHT)


def test_a_record_alone_is_a_result_of_promptfoo(tmp_path):
    record = result(0, 0, 1, ONE)
    assert {"promptIdx", "testIdx", "provider", "score"} <= {*record}
    assert scores_of(write(tmp_path / "x.jsonl", [record, result(0, 1, 0, ONE)])) == {
        "acme:one": 0.5
    }
