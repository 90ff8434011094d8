"""`docs/other-tools.md`: its code prints what stands below it, and its table says the same."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from tools.repository import results

PAGE = (Path(__file__).parents[2] / "docs" / "other-tools.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


@pytest.mark.takes_time
def test_the_code_prints_what_the_page_says():
    names: dict[str, object] = {}
    shown = []
    for code, expected in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/other-tools.md", "exec"), names)
        assert printed.getvalue() == expected
        shown.append(expected.split())
    rows = [line.split("|")[-2] for line in PAGE.splitlines() if " of 1000 |" in line]
    assert rows == [f" {count} of 1000 " for count in shown[0]]


def test_rates_of_who_looks_early_are_those_of_the_page_on_trust():
    settings = {
        (world["key"], setting["label"]): {row["name"]: row for row in setting["rows"]}
        for world in results.trust()["worlds"]
        for setting in world["settings"]
    }

    def found(key: str, label: str, name: str) -> str:
        row = settings[key, label].get(name)
        return "–" if row is None else share(row)

    def share(row: dict[str, Any]) -> str:
        return f"{row['counts']['0.05'] / row['of']:.3f}".removeprefix("0")

    columns = (
        ("looks", "10 looks"),
        ("looks", "50 looks"),
        ("looks-documents", "10 looks"),
        ("looks-rankings", "10 looks"),
    )
    names = {
        "Pearmut's dashboard": "looks-t",
        '"stop when p < .05"': "looks-always",
        "`mtsig watch`": "looks-obrien-fleming",
    }
    for who, name in names.items():
        rates = [found(*column, name) for column in columns]
        assert re.search(
            rf"^\| {re.escape(who)} .*\| {re.escape(' | '.join(rates))} \|$", PAGE, re.M
        )

    ways = {
        "one test at the end": "stops-at-end",
        "ten looks, with O'Brien and Fleming's boundary": "stops-obrien-fleming",
        "the same, with hopeless pairs given up": "given-up-obrien-fleming",
        "ten looks, with Pocock's boundary": "stops-pocock",
    }
    effects = [label for key, label in settings if key == "looks-differing"]
    for way, name in ways.items():
        rows = [settings["looks-differing", label][name] for label in effects]
        shares = ", ".join(share(row) for row in rows)
        units = ", ".join(f"{row['sums']['units'] / row['of']:.0f}" for row in rows)
        assert f"| {way} | {shares} | {units} |" in PAGE
