"""Be the judge: the reader compares outputs, and what the reader says is tested."""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pandas as pd

from ..errors import InputError
from ..metrics.chrf import chrF
from . import Component
from .chance import streams

#: The two imaginary systems, as the items call them.
SYSTEMS = ("Ash", "Birch")
#: After so many a reader may stop.
FEWEST = 10
#: What a code is written in: letters and digits that nobody mistakes for others.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
#: What a reader can have said of an item of the course.
ANSWERS = (None, *SYSTEMS, "no difference")

Item = dict[str, Any]


def items() -> list[dict[str, str]]:
    """The items, which were written for the course: texts, and where a fault was planted."""
    text = files(__package__).joinpath("judge_items.toml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = tomllib.loads(text)["items"]
    return found


def planted() -> list[Item]:
    """The items of the course as :func:`quiz` takes them."""
    lower = [system.lower() for system in SYSTEMS]
    return [
        {
            "reference": item["reference"],
            "outputs": [item[system] for system in lower],
            "worse": lower.index(item["worse"]) + 1 if item["worse"] else 0,
            "fault": f"{item['worse'].title()}: {item['fault']}" if item["worse"] else "none",
        }
        for item in items()
    ]


def quiz(
    asked: Sequence[Item],
    names: Sequence[str] = SYSTEMS,
    *,
    verdict: str = "Planted fault",
    told: str = "A fault had been planted into one of the two outputs in {n} of the items that you "
    "judged.",
    said: str = "What was said",
    n_resamples: int = 10_000,
) -> Component:
    """Outputs of two systems side by side for the reader to judge, blind; then what that shows.

    Parameters
    ----------
    asked : sequence of dict
        ``outputs`` (of both systems), ``reference``, maybe ``source``; ``worse``, the place of the
        worse output from 1, or 0; and ``fault``, why.
    names : sequence of two str
        The systems.
    verdict, told : str
        What says which output is worse: the head of a column, and a sentence.
    said : str
        What the reference is.
    n_resamples : int
        Of the chance machine at the end; a multiple of 500.
    """
    metric = chrF()
    scored = [
        {
            **item,
            "scores": [
                round(float(metric.score(metric.statistics([one], [[item["reference"]]])[0])), 6)
                for one in item["outputs"]
            ],
        }
        for item in asked
    ]
    view = {
        "kind": "shuffle",
        "title": "coins for preferences",
        "axis": "difference in the share of preferences",
        "unit": "preference",
        "units": "preferences",
        "direction": 1,
        "tolerance": 1e-12,
        "tests": ["approximate-randomization"],
        "formula": "mean",
        "blocks": streams(2014, n_resamples),
    }
    machine = {
        "names": list(names),
        "metric": "of your preferences",
        "digits": 2,
        "titles": {},
        "views": [view],
    }
    data: dict[str, Any] = {
        "items": scored,
        "names": list(names),
        "metric": metric.name,
        "verdict": verdict,
        "told": told,
        "said": said,
        "key": _key(asked),
        "fewest": min(FEWEST, len(scored)),
        "machine": machine,
    }
    title = f"quiz of {len(scored)} pairs of outputs: which is better?"
    return Component(title, data, ("chance", "judge"))


def _key(asked: Sequence[Item]) -> int:
    """What a code of these items begins to count from, so that it is no code of others."""
    if list(asked) == planted():
        return 0
    return 1 + zlib.crc32("".join(o for item in asked for o in item["outputs"]).encode()) % 30


def read_codes(codes: Sequence[str], judged: Component | None = None) -> pd.DataFrame:
    """What readers have said, from the codes that their pages showed them.

    Parameters
    ----------
    codes : sequence of str
    judged : Component, optional
        What they have judged, as :func:`be_the_judge` gives it; by default the items of the course.

    Returns
    -------
    DataFrame
        A row for each code and a column for each item: ``"Ash"``, ``"Birch"``,
        ``"no difference"``, or None where it was not judged.

    Raises
    ------
    InputError
        For a code that has been mistyped, with its place.

    Examples
    --------
    >>> table = read_codes(["N3VGN3VGN2Q"])
    >>> table.iloc[0].value_counts().to_dict()
    {'Ash': 12, 'Birch': 12}
    """
    data = (judged or quiz(planted(), n_resamples=500)).data
    n_items, key = len(data["items"]), data["key"]
    said = (None, *data["names"], "no difference")
    rows = [
        [said[answer] for answer in _answers(code, place, n_items, key)]
        for place, code in enumerate(codes, start=1)
    ]
    return pd.DataFrame(rows, columns=pd.RangeIndex(1, n_items + 1, name="item")).rename_axis(
        "reader"
    )


def _answers(code: str, place: int, n_items: int, key: int) -> list[int]:
    letters = code.strip().upper()
    places = [LETTERS.find(letter) for letter in letters]
    *values, check = places or [-1]
    length = -(-2 * n_items // 5) + 1
    right = (key + sum((n + 1) * value for n, value in enumerate(values))) % 31
    if len(letters) != length or min(places) < 0 or check != right:
        raise InputError(
            f"codes: number {place}, {code!r}, is not a code of this page, which has {length} "
            "letters and digits; copy it again."
        )
    bits = "".join(f"{value:05b}" for value in values)
    return [int(bits[2 * n : 2 * n + 2], 2) for n in range(n_items)]
