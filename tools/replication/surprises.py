"""The rows that surprised us most: ``surprises.toml``, filled in with what came out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

FILE = Path(__file__).with_suffix(".toml")


def table_3(three: pd.DataFrame) -> dict[str, Any]:
    """Koehn's Table 3: where ours, beside it, is furthest from it."""
    whose, shares, gap = three.columns[0], three.columns[3::2], "difference (BLEU)"
    his, ours = (three[three[whose] == name].reset_index(drop=True) for name in ("his", "ours"))
    apart = (ours[shares].astype(float) - his[shares].astype(float)).abs()
    worst = int(apart.max(axis=1).argmax())
    found = {"pair": ours["pair"][worst], "ours": ours[gap][worst], "his": his[gap][worst]}
    return {
        **found,
        "cells": apart.size,
        "open": int((his[shares].astype(float) < 100).sum().sum()),
    }


def table_2_doubled(pairs: pd.DataFrame) -> dict[str, Any]:
    """Riezler & Maxwell's Table 2, as Graham et al. read it."""
    passing = pairs[pairs["as printed"] == "larger"]
    each = ", ".join(
        f"{p['comparison']} ({p['doubled']:g} against {p['p_approxrand']:g})"
        for _, p in passing.iterrows()
    )
    certain = int((pairs["doubled is larger"] == "for certain").sum()) or "none"
    return {"pairs": len(pairs), "passing": len(passing), "each": each, "certain": certain}


def reversal(by_level: pd.DataFrame) -> dict[str, Any]:
    """Graham et al.'s Table 1: the metrics that are right most and least often."""
    at_05 = by_level.query("alpha == 0.05").set_index("metric")
    found: dict[str, Any] = {}
    for whose in ("printed", "ours"):
        right = at_05[whose]
        for name, often, count in (("best", "most", right.max()), ("worst", "least", right.min())):
            found[f"{whose}_{name}"] = " and ".join(right.index[right == count])
            found[f"{whose}_{often}"] = int(count)
    return {**found, "between": found["printed_most"] - found["printed_least"]}


def told(ledger: Mapping[str, Any]) -> list[dict[str, str]]:
    """Title, paragraph, and where to check it, of all that the ledger has a row for."""
    rows = {row["key"]: row for row in ledger["rows"]}
    values = {
        key: {v["name"]: format(v["value"], v["spec"]) for v in row["values"]}
        for key, row in rows.items()
    }
    found = []
    for one in tomllib.loads(FILE.read_text(encoding="utf-8"))["surprise"]:
        if one["key"] in rows:
            module, _, function = one["code"].partition(".")
            table = rows[one["key"]]["table"]
            facts = globals()[function](pd.DataFrame(table["rows"], columns=table["columns"]))
            found.append(
                {
                    **one,
                    "text": one["text"].format(row=values[one["key"]], other=values, **facts),
                    "function": function,
                    "file": f"tools/replication/computed/{module}.py",
                    "printed": f"datasets/published/{one['printed']}",
                }
            )
    return found
