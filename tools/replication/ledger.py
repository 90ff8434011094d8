"""All rows: run, keep as JSON, compare with what was kept."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mtsig_nb.writing import write_whole

from . import declared
from .rows import Paper, Row

ROOT = Path(__file__).resolve().parent.parent.parent
LEDGER = ROOT / "docs" / "replication.json"

NAMES = ("koehn", "riezler_maxwell", "stroppa_owczarzak", "graham", "later")
PAPERS: tuple[Paper, ...] = tuple(map(declared.read, NAMES))
#: Relative difference up to which two floats are the same number; counts must be the same.
RELATIVE = 1e-9
#: Below this a number is the rounding noise of a sum that is zero.
NOISE = 1e-12


def all_rows() -> Iterator[tuple[Paper, Row]]:
    """Every row with its paper, in order."""
    for paper in PAPERS:
        for row in paper.rows:
            yield paper, row


def write(ledger: dict[str, Any], path: Path = LEDGER) -> None:
    """Keep the ledger; numbers with every digit."""
    write_whole(path, json.dumps(ledger, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read(path: Path = LEDGER) -> dict[str, Any]:
    """The ledger as it was kept."""
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def differences(new: Any, kept: Any, where: str = "") -> list[str]:
    """What differs between two pieces of a ledger, each difference with its place.

    Counts, words and truth values must be the same; floats to `RELATIVE`.

    >>> differences({"rate": 0.05, "count": 3}, {"rate": 0.05 + 1e-13, "count": 4})
    ['count: 3, kept 4']
    """
    if isinstance(new, dict) and isinstance(kept, dict):
        return [
            found
            for name in {**kept, **new}
            for found in differences(
                new.get(name), kept.get(name), f"{where}.{name}" if where else str(name)
            )
        ]
    if isinstance(new, list) and isinstance(kept, list) and len(new) == len(kept):
        pairs = enumerate(zip(new, kept, strict=True))
        return [found for i, (a, b) in pairs for found in differences(a, b, f"{where}[{i}]")]
    if isinstance(new, float) and isinstance(kept, float):
        same = math.isclose(new, kept, rel_tol=RELATIVE, abs_tol=NOISE)
    else:
        same = type(new) is type(kept) and new == kept
    return [] if same else [f"{where}: {new!r}, kept {kept!r}"]
