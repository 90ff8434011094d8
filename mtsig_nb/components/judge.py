"""Be the judge: the reader compares outputs, and the reader's preferences are tested."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from ..metrics.base import Metric
from ..metrics.chrf import chrF
from . import Component
from .chance import streams
from .codes import key_of

#: The two imaginary systems, as the items call them.
SYSTEMS = ("Ash", "Birch")
#: After so many items a reader may stop.
FEWEST = 10
#: What is judged: see `asked` of :func:`quiz`.
Item = dict[str, Any]


def items() -> list[dict[str, str]]:
    """The items of the course as they are written.

    Each has ``reference``, the output of each system under the system's name in small letters,
    ``worse``, the system whose output has a fault (or nothing), and ``fault``.
    """
    text = files(__package__).joinpath("judge_items.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["items"]


def planted() -> list[Item]:
    """The items of the course as :func:`quiz` takes them."""
    systems = [system.lower() for system in SYSTEMS]
    planted_items = []
    for item in items():
        worse = 0
        fault = "none"
        if item["worse"]:
            worse = 1 + systems.index(item["worse"])
            fault = f"{item['worse'].title()}: {item['fault']}"
        planted_items.append(
            {
                "reference": item["reference"],
                "outputs": [item[system] for system in systems],
                "worse": worse,
                "fault": fault,
            }
        )
    return planted_items


def quiz(
    asked: Sequence[Item],
    names: Sequence[str] = SYSTEMS,
    *,
    verdict: str = "Planted fault",
    explanation: str = "A fault had been planted into one of the two outputs in {n} of the items "
    "that you judged.",
    reference_label: str = "What was said",
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
    verdict : str
        The head of the column that says which output is worse.
    explanation : str
        A sentence on how that is known; ``{n}`` stands for the number of such items.
    reference_label : str
        What the reference is called.
    n_resamples : int
        Resamples of the chance machine at the end; a multiple of 500.
    """
    metric = chrF()
    scored = [{**item, "scores": _scores(metric, item)} for item in asked]
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
        "told": explanation,
        "said": reference_label,
        "bits": 2,
        "key": _key(asked),
        "answers": [*names, "no difference"],
        "fewest": min(FEWEST, len(scored)),
        "machine": machine,
    }
    title = f"quiz of {len(scored)} pairs of outputs: which is better?"
    return Component(title, data, ("draws", "chance", "codes", "judge"))


def _scores(metric: Metric, item: Item) -> list[float]:
    """The score of each output of an item."""
    scores = []
    for output in item["outputs"]:
        counts = metric.statistics([output], [[item["reference"]]])
        score = float(metric.score(counts[0]))
        scores.append(round(score, 6))
    return scores


def _key(asked: Sequence[Item]) -> int:
    """The key of codes of these items (see `key_of`): 0 for the items of the course."""
    if list(asked) == planted():
        return 0
    return key_of("".join(asked[0]["outputs"]))
