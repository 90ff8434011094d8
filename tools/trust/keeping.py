"""All parts of all worlds computed, added up and kept."""

from __future__ import annotations

import json
import os
import re
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from mtsig_nb.progress import ProgressBar
from mtsig_nb.writing import write_whole

from . import measuring
from .worlds import WORLDS

KEPT = Path(__file__).resolve().parents[2] / "docs" / "trust.json"

#: What is kept of a world beside its counts.
DESCRIBED = ("key", "title", "holds", "function", "remedy")
#: A part: world, setting, number.  Small enough to send to a worker.
Task = tuple[int, int, int]


def computed(task: Task) -> list[measuring.Row]:
    """One part."""
    world, setting, number = task
    return measuring.part(WORLDS[world], WORLDS[world].settings[setting], number)


def run(*, only: Sequence[str] = (), workers: int | None = None) -> dict[str, Any]:
    """Everything, as it is kept: rows with the counts of all parts, and of the first alone.

    With `only` the worlds of these keys are measured, and of all others what was kept stays.
    """
    before = {world["key"]: world["settings"] for world in read()["worlds"]} if only else {}
    tasks = [
        (w, s, number)
        for w, world in enumerate(WORLDS)
        if not only or world.key in only
        for s in range(len(world.settings))
        for number in range(measuring.PARTS)
    ]
    with ProcessPoolExecutor(workers or os.cpu_count()) as executor:
        bar = ProgressBar(
            executor.map(computed, tasks), total=len(tasks), description="trust", unit="part"
        )
        parts = dict(zip(tasks, bar, strict=True))
    worlds = []
    for w, world in enumerate(WORLDS):
        described = {name: getattr(world, name) for name in DESCRIBED}
        if only and world.key not in only:
            worlds.append({**described, "settings": before[world.key]})
            continue
        rows = [
            kept_rows([parts[w, s, n] for n in range(measuring.PARTS)])
            for s in range(len(world.settings))
        ]
        settings = [
            {"label": setting.label, "rows": found}
            for setting, found in zip(world.settings, rows, strict=True)
        ]
        worlds.append({**described, "settings": settings})
    return {
        "resamples": measuring.RESAMPLES,
        "data_sets": measuring.PARTS * measuring.PAIRS,
        "worlds": worlds,
    }


def kept_rows(parts: list[list[measuring.Row]]) -> list[measuring.Row]:
    """The sums over all parts, each with the counts of the first part beside them.

    Of all estimates of a test's size the median is kept.
    """
    kept = []
    for total, first in zip(measuring.added(parts), parts[0], strict=True):
        sizes = total.pop("sizes", None)
        estimated = {} if not sizes else {"estimated": round(statistics.median(sizes), 4)}
        kept.append({**total, **estimated, "first": first["counts"]})
    return kept


def to_json(kept: dict[str, Any]) -> str:
    """A row a line, so that a change of one shows as one."""
    rows: list[str] = []

    def placeholder(value: Any) -> Any:
        if isinstance(value, dict) and "counts" in value:
            rows.append(json.dumps(value, ensure_ascii=False))
            return f"row {len(rows) - 1}"
        if isinstance(value, dict):
            return {name: placeholder(one) for name, one in value.items()}
        return [placeholder(one) for one in value] if isinstance(value, list) else value

    text = json.dumps(placeholder(kept), indent=1, ensure_ascii=False)
    return re.sub(r'"row (\d+)"', lambda match: rows[int(match[1])], text) + "\n"


def write(kept: dict[str, Any], path: Path = KEPT) -> None:
    """Keep the counts."""
    write_whole(path, to_json(kept))


def read(path: Path = KEPT) -> dict[str, Any]:
    """The counts as they were kept."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept
