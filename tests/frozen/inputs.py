"""Files for the frozen command lines: one small example of everything that can be compared."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np

from ..worse_and_worse import write_texts

SYSTEMS = ("alder", "birch", "cedar")
#: How good each system is, in standard deviations of a segment's score.
QUALITY = {"alder": 0.4, "birch": 0.2, "cedar": 0.0}
N_SEGMENTS = 60


def write_inputs(folder: Path) -> None:
    """Write all files into an empty folder, the same bytes each time."""
    write_texts(folder)
    rng = np.random.default_rng(2026)
    _write_long_table(folder, rng)
    _write_wide_table(folder, rng)
    _write_test_sets(folder, rng)
    _write_ratings(folder, rng)
    _write_runs(folder, rng)
    _write_battles(folder, rng)
    _write_records(folder, rng)
    _write_metrics(folder, rng)


def _score(rng: np.random.Generator, system: str) -> float:
    return round(float(rng.normal(QUALITY[system], 1.0)), 3)


def _write_rows(path: Path, header: list[str], rows: list[list[object]]) -> None:
    lines = [",".join(map(str, row)) for row in [header, *rows]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_long_table(folder: Path, rng: np.random.Generator) -> None:
    rows: list[list[object]] = []
    for system, segment in itertools.product(SYSTEMS, range(N_SEGMENTS)):
        document = f"d{segment // 5}"
        rows.append([system, segment, document, _score(rng, system), -_score(rng, system)])
    _write_rows(folder / "long.csv", ["system", "segment", "document", "COMET", "MQM"], rows)


def _write_wide_table(folder: Path, rng: np.random.Generator) -> None:
    rows: list[list[object]] = []
    for segment in range(N_SEGMENTS):
        rows.append([segment, *(_score(rng, system) for system in SYSTEMS)])
    _write_rows(folder / "wide.csv", ["segment", *SYSTEMS], rows)


def _write_test_sets(folder: Path, rng: np.random.Generator) -> None:
    rows: list[list[object]] = []
    for pair, system in itertools.product(("en-cs", "en-de", "en-is"), SYSTEMS):
        for segment in range(N_SEGMENTS):
            document = f"{pair}-{segment // 6}"
            name = f"{pair}-{segment}"
            rows.append([pair, system, document, name, _score(rng, system)])
    _write_rows(folder / "test_sets.csv", ["lp", "system", "document", "segment", "COMET"], rows)


def _write_ratings(folder: Path, rng: np.random.Generator) -> None:
    strictness = {rater: rng.normal(0, 0.5) for rater in ("r1", "r2", "r3", "r4", "r5", "r6")}
    rows: list[list[object]] = []
    for (rater, shift), system in itertools.product(strictness.items(), SYSTEMS):
        for segment in range(30):
            rating = round(70 + 10 * (_score(rng, system) + shift), 1)
            rows.append([system, segment, f"d{segment // 3}", rater, rating])
    _write_rows(folder / "ratings.csv", ["system", "segment", "document", "rater", "DA"], rows)


def _write_runs(folder: Path, rng: np.random.Generator) -> None:
    rows: list[list[object]] = []
    for system, run in itertools.product(SYSTEMS, range(1, 4)):
        luck = rng.normal(0, 0.1)
        for segment in range(N_SEGMENTS):
            rows.append([system, run, segment, round(_score(rng, system) + luck, 3)])
    _write_rows(folder / "runs.csv", ["system", "run", "segment", "COMET"], rows)


def _write_battles(folder: Path, rng: np.random.Generator) -> None:
    rows: list[list[object]] = []
    for _ in range(240):
        a, b = rng.choice(SYSTEMS, 2, replace=False)
        margin = _score(rng, a) - _score(rng, b)
        winner = "tie" if abs(margin) < 0.3 else ("model_a" if margin > 0 else "model_b")
        rows.append([a, b, winner, f"j{rng.integers(12)}"])
    _write_rows(folder / "battles.csv", ["model_a", "model_b", "winner", "judge"], rows)


def _write_records(folder: Path, rng: np.random.Generator) -> None:
    records = [
        {"system": system, "segment": segment, "correct": bool(rng.random() < 0.6)}
        for system, segment in itertools.product(SYSTEMS, range(N_SEGMENTS))
    ]
    lines = [json.dumps(record) for record in records]
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_metrics(folder: Path, rng: np.random.Generator) -> None:
    """Two metrics of which one is the nearer to people, and people's penalties."""
    rows: list[list[object]] = []
    for number, segment in itertools.product(range(8), range(N_SEGMENTS)):
        quality = number / 8 + float(rng.normal())
        near = quality + float(rng.normal(0, 0.5))
        far = quality + float(rng.normal(0, 4))
        row = [round(value, 3) for value in (near, far, 5 - quality)]
        rows.append([f"s{number}", segment, *row])
    _write_rows(folder / "metrics.csv", ["system", "segment", "near", "far", "MQM"], rows)
