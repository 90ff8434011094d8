"""The program, called as it is typed."""

from __future__ import annotations

import functools
import json
import shlex
from typing import Any

from click.testing import Result
from typer import testing
from typer.testing import CliRunner

from mtsig_nb.cli import app

#: Typer makes all commands again, for five milliseconds, whenever a test calls one.
testing._get_command = functools.cache(testing._get_command)


def run(typed: str, *, code: int = 0) -> Result:
    """What comes of ``mtsig`` with what is typed behind it."""
    result = CliRunner().invoke(app, shlex.split(typed))
    assert result.exit_code == code, result.output
    return result


def words(typed: str) -> str:
    """What it prints, in one line."""
    return " ".join(run(typed).stdout.split())


def refusal(typed: str) -> str:
    """What it says to input that cannot be used, in one line."""
    result = run(typed, code=1)
    assert result.stderr.startswith("mtsig: error: ")
    assert result.stdout == ""
    return " ".join(result.stderr.split())


def answer(typed: str) -> Any:
    """What it prints as JSON."""
    return json.loads(run(f"{typed} -f json").stdout)


def claims(typed: str) -> list[tuple[str, str, str]]:
    """Which system it calls better than which, after the metric."""
    found = []
    for pair in answer(typed)["pairs"]:
        metric = pair.get("metric", "")
        if pair["conclusion"] == "better":
            found.append((metric, pair["system_a"], pair["system_b"]))
        elif pair["conclusion"] == "worse":
            found.append((metric, pair["system_b"], pair["system_a"]))
    return found
