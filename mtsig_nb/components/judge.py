"""Be the judge: the reader compares outputs, and what the reader says is tested."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from ..metrics.chrf import chrF
from . import Component
from .chance import streams
from .codes import key_of

#: The two imaginary systems, as the items call them.
SYSTEMS = ("Ash", "Birch")
#: After so many a reader may stop.
FEWEST = 10
Item = dict[str, Any]


def items() -> list[dict[str, str]]:
    """The items, which were written for the course: texts, and where a fault was planted."""
    text = files(__package__).joinpath("judge_items.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["items"]


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
        worse output from 1, or 0; and ``fault``, why.  Maybe ``raters``: for each of those who
        judged both outputs 1 or 2, the place of the better one, or 3.
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

    def scores(item: Item) -> list[float]:
        each = [metric.statistics([one], [[item["reference"]]])[0] for one in item["outputs"]]
        return [round(float(metric.score(sums)), 6) for sums in each]

    scored = [{**item, "scores": scores(item)} for item in asked]
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
        "bits": 2,
        "key": 0 if list(asked) == planted() else key_of("".join(scored[0]["outputs"])),
        "answers": [*names, "no difference"],
        "fewest": min(FEWEST, len(scored)),
        "machine": machine,
    }
    title = f"quiz of {len(scored)} pairs of outputs: which is better?"
    return Component(title, data, ("chance", "codes", "judge"))
