"""Be the judge: the reader compares outputs, and what the reader says is tested."""

from __future__ import annotations

import tomllib
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
#: What a reader can have said of an item.
ANSWERS = (None, *SYSTEMS, "no difference")


def items() -> list[dict[str, str]]:
    """The items, which were written for the course: texts, and where a fault was planted."""
    text = files(__package__).joinpath("judge_items.toml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = tomllib.loads(text)["items"]
    return found


def be_the_judge(*, n_resamples: int = 10_000) -> Component:
    """Outputs side by side for the reader to judge, blind; then what the judgements show.

    Twenty-four items, in an order of the page's own.  Into one output of twenty of them a fault was
    planted, such as real systems make.  At the end the reader's preferences meet fair coins, chrF
    and the faults, and become a code that :func:`read_codes` reads.

    Parameters
    ----------
    n_resamples : int
        Of the chance machine at the end; a multiple of 500.

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.

    Examples
    --------
    >>> be_the_judge()
    quiz of 24 pairs of outputs: which is better?
    """
    metric, asked = chrF(), []
    for item in items():
        outputs = [item[system.lower()] for system in SYSTEMS]
        score = [
            float(metric.score(metric.statistics([output], [[item["reference"]]])[0]))
            for output in outputs
        ]
        worse = (
            [system.lower() for system in SYSTEMS].index(item["worse"]) + 1 if item["worse"] else 0
        )
        asked.append(
            {
                "reference": item["reference"],
                "outputs": outputs,
                "scores": [round(one, 6) for one in score],
                "worse": worse,
                "fault": item["fault"],
            }
        )
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
        "names": SYSTEMS,
        "metric": "of your preferences",
        "digits": 2,
        "titles": {},
        "views": [view],
    }
    data: dict[str, Any] = {
        "items": asked,
        "names": SYSTEMS,
        "metric": metric.name,
        "fewest": FEWEST,
        "machine": machine,
    }
    title = f"quiz of {len(asked)} pairs of outputs: which is better?"
    return Component(title, data, ("chance", "judge"))


def read_codes(codes: Sequence[str]) -> pd.DataFrame:
    """What readers have said, from the codes that their pages showed them.

    Parameters
    ----------
    codes : sequence of str

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
    n_items = len(items())
    rows = [_answers(code, place, n_items) for place, code in enumerate(codes, start=1)]
    return pd.DataFrame(rows, columns=pd.RangeIndex(1, n_items + 1, name="item")).rename_axis(
        "reader"
    )


def _answers(code: str, place: int, n_items: int) -> list[str | None]:
    letters = code.strip().upper()
    places = [LETTERS.find(letter) for letter in letters]
    *values, check = places or [-1]
    length = -(-2 * n_items // 5) + 1
    right = sum((n + 1) * value for n, value in enumerate(values)) % 31
    if len(letters) != length or min(places) < 0 or check != right:
        raise InputError(
            f"codes: number {place}, {code!r}, is not a code of this page, which has {length} "
            "letters and digits; copy it again."
        )
    bits = "".join(f"{value:05b}" for value in values)
    return [ANSWERS[int(bits[2 * n : 2 * n + 2], 2)] for n in range(n_items)]
