"""Evaluations at random, in the layouts of three programs: read as they are, or refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table

from .log_files import as_version_2, inspect_log, results, samples, write

N_EVALUATIONS = 60


def of_promptfoo(folder: Path, rng: random.Random, right: list[list[int]]) -> None:
    """A column for each setting, whose providers may be the same."""
    ids = [rng.choice("abc") for _ in right]
    columns = [({"id": name, "label": ""}, own) for name, own in zip(ids, right, strict=True)]
    providers = [{"id": name, "config": {"t": rng.randint(0, 1)}} for name in ids]
    content = results(columns, config={"providers": providers})
    records = content["results"]["results"]
    layout = rng.choice(["object", "lines", "version 2", "two files"])
    if layout == "version 2":
        records.sort(key=lambda record: (record["testIdx"], record["promptIdx"]))
        write(folder / "results.json", as_version_2(content))
        return
    rng.shuffle(records)
    if layout == "object":
        write(folder / "results.json", content)
    elif layout == "lines":
        write(folder / "results.jsonl", records)
    else:
        for n in range(2):
            part = [record for record in records if record["promptIdx"] % 2 == n]
            write(folder / f"{n}.json", {"evalId": "e", "results": {"results": part, "stats": {}}})


def of_inspect(folder: Path, rng: random.Random, right: list[list[int]]) -> None:
    """A log for each setting, of two models, with any name and in any folder."""
    for n, own in enumerate(right):
        settings = {"eval_id": str(n), "model_generate_config": {"temperature": rng.randint(0, 1)}}
        if rng.random() < 0.3:
            settings["solver"] = "chain"
        log = inspect_log(rng.choice("ab"), own, **settings)
        rng.shuffle(log["samples"])
        name = rng.choice(["2026-01-01T00-00-00_sums_", "log"])
        write(folder / rng.choice([".", "x", "y"]) / f"{name}{n}.json", log)


def of_harness(folder: Path, rng: random.Random, right: list[list[int]]) -> None:
    """A file for each setting, of a few models, some of them under another filter."""
    for n, own in enumerate(right):
        records = samples(own)
        rng.shuffle(records)
        for record in records:
            if n % 3 == 2:
                record["filter"] = "strict"
            record["arguments"] = {"first": {"prompt": "Q", "settings": {"temperature": n % 2}}}
        name = rng.choice([f"samples_sums_2026-01-0{n + 1}T00-00-00.0", f"best{n}"])
        write(folder / rng.choice(["one", "two", "more/one"]) / f"{name}.jsonl", records)


@pytest.mark.takes_time
@pytest.mark.parametrize("program", [of_promptfoo, of_inspect, of_harness])
def test_every_setting_is_a_system_with_its_own_scores_or_there_is_an_error(tmp_path, program):
    rng = random.Random(program.__name__)
    n_read = 0
    for n in range(N_EVALUATIONS):
        n_items = rng.randint(4, 8)
        right = [[rng.randint(0, 1) for _ in range(n_items)] for _ in range(rng.randint(2, 4))]
        folder = tmp_path / str(n)
        program(folder, rng, right)
        try:
            found = read_score_table(str(folder)).statistics()[0].segment_scores()
        except mt.InputError:
            continue
        n_read += 1
        assert sorted(found.mean(axis=1)) == pytest.approx(sorted(map(np.mean, right)))
    assert n_read > N_EVALUATIONS / 6
