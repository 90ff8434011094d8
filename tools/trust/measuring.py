"""The worlds measured, part by part.

Data sets come in parts, each from a seed of its own, so that a part can be made again alone.  What
is counted in a setting is a function of `of_pairs`, `of_boards`, `of_runs`, `of_test_sets`,
`of_metrics`, `of_people`, `of_ratings` or `looked_at`, from which rows come; a row is plain data: a
group, a name, what it is of, and counts.
"""

from __future__ import annotations

import itertools
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from typing import Any

import numpy as np

from mtsig_nb.engine.resampling import seed_from
from mtsig_nb.progress import ProgressBar

from ..repository import results
from . import (
    beside_r,
    looked_at,
    of_boards,
    of_metrics,
    of_pairs,
    of_people,
    of_ratings,
    of_runs,
    of_test_sets,
)
from .rows import RESAMPLES, Row, Seed
from .worlds import PARTS, WORLDS, Setting, World

#: Data sets in a part of most settings.
PAIRS = 100


def part(world: World, setting: Setting, number: int) -> list[Row]:
    """The rows of one part."""
    name = f"{world.key}: {setting.label}"
    checksum = zlib.crc32(name.encode())

    def seed(*use: int) -> int:
        sequence = np.random.SeedSequence([checksum, number, *use])
        return seed_from(sequence)

    count = COUNTING[setting.counted]
    data_sets = setting.make(setting.n_pairs, seed(0))
    return list(count(setting, data_sets, seed))


#: What is counted in a setting.
COUNTING: dict[str, Callable[[Setting, Any, Seed], Iterator[Row]]] = {
    "all": of_pairs.everything,
    "tests": of_pairs.long_test_sets,
    "our tests": of_pairs.our_tests,
    "test sets": of_test_sets.many_test_sets,
    "sentences": of_test_sets.same_sentences,
    "runs": of_runs.over_runs,
    "metrics": of_metrics.between_metrics,
    "raters": of_people.over_raters,
    "few people": of_people.with_a_judge,
    "ratings": of_ratings.of_campaigns,
    "ratings of test sets": of_ratings.over_test_sets,
    "by document": of_pairs.by_document,
    "yes or no": of_pairs.yes_or_no,
    "people's scores": of_people.of_segments,
    "control items": of_people.quality_control,
    "agreement": of_people.by_size,
    "unequal runs": of_runs.with_unequal_runs,
    "equivalence": of_pairs.at_margin,
    "gate": of_pairs.at_the_gate,
    "boards": of_boards.over_tasks,
    "preferences": of_people.by_preferences,
    "looks": looked_at.over_looks,
    "stops": looked_at.power_over_looks,
    "given up": looked_at.given_up,
    "raters to come": looked_at.raters_over_looks,
}
#: What is kept of a world beside its counts.
DESCRIBED = ("key", "title", "holds", "function", "remedy")


def run(*, only: Sequence[str] = ()) -> dict[str, Any]:
    """Everything, as it is kept: rows with the counts of all parts, and of the first alone.

    Beside them stands how far the mixed model is from R's, which is always computed again.

    With `only` the worlds of these keys are measured, and of all others what was kept stays; those
    that were never measured are left out.
    """
    settings: dict[str, Any] = {}
    chosen = WORLDS
    if only:
        worlds_before = results.trust()["worlds"]
        settings = {world["key"]: world["settings"] for world in worlds_before}
        chosen = tuple(world for world in WORLDS if world.key in only)
    settings |= measured(chosen)
    worlds = []
    for world in WORLDS:
        if world.key in settings:
            described = {name: getattr(world, name) for name in DESCRIBED}
            worlds.append(described | {"settings": settings[world.key]})
    return {
        "resamples": RESAMPLES,
        "data_sets": PARTS * PAIRS,
        "beside_r": beside_r.largest_differences(),
        "worlds": worlds,
    }


def reworded(kept: Mapping[str, Any]) -> dict[str, Any]:
    """What was kept, with the words that worlds have now; nothing is measured."""
    by_key = {world.key: world for world in WORLDS}
    worlds = []
    for world in kept["worlds"]:
        declared = by_key[world["key"]]
        described = {name: getattr(declared, name) for name in DESCRIBED}
        worlds.append({**world, **described})
    return {**kept, "worlds": worlds}


def measured(worlds: Sequence[World]) -> dict[str, list[dict[str, Any]]]:
    """The settings of worlds with their rows, by the worlds' keys; parts are made side by side."""
    tasks = []
    for world in worlds:
        for setting in world.settings:
            tasks += [(world, setting, number) for number in range(setting.n_parts)]
    settings: dict[str, list[dict[str, Any]]] = {}
    with ProcessPoolExecutor() as executor:
        made = executor.map(part, *zip(*tasks, strict=True))
        shown = ProgressBar(made, total=len(tasks), description="trust", unit="part")
        parts = iter(shown)
        for world in worlds:
            settings_of_world = []
            for setting in world.settings:
                parts_of_setting = itertools.islice(parts, setting.n_parts)
                rows = kept_rows(list(parts_of_setting))
                settings_of_world.append({"label": setting.label, "rows": rows})
            settings[world.key] = settings_of_world
    return settings


def kept_rows(parts: list[list[Row]]) -> list[Row]:
    """The sums over all parts, each with the counts of the first part beside them.

    Of all estimates of a test's size the median is kept, and of what was found campaign by campaign
    a summary.
    """
    kept = []
    for rows in zip(*parts, strict=True):
        first = rows[0]
        assert all(row["name"] == first["name"] for row in rows)
        total = dict(first)
        total.pop("sizes", None)
        total.pop("campaigns", None)
        total["of"] = sum(row["of"] for row in rows)
        total["counts"] = {}
        for name in first["counts"]:
            total["counts"][name] = sum(row["counts"][name] for row in rows)
        if "sums" in first:
            total["sums"] = {}
            for name in first["sums"]:
                total["sums"][name] = sum(row["sums"][name] for row in rows)
        sizes = []
        for row in rows:
            sizes += row.get("sizes", [])
        if sizes:
            total["estimated"] = round(median(sizes), 4)
        campaigns = []
        for row in rows:
            campaigns += row.get("campaigns", [])
        if campaigns:
            total["summary"] = of_ratings.SUMMARIES[first["group"]](campaigns)
        total["first"] = first["counts"]
        kept.append(total)
    return kept


def to_json(kept: dict[str, Any]) -> str:
    """A row a line, so that a change of one shows as one."""

    def in_one_line(row: re.Match[str]) -> str:
        parsed = json.loads(row[0])
        return json.dumps(parsed, ensure_ascii=False)

    text = json.dumps(kept, indent=1, ensure_ascii=False)
    row = re.compile(r'\{\n +"group": .*?^      \}', re.MULTILINE | re.DOTALL)
    return f"{row.sub(in_one_line, text)}\n"
