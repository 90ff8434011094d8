"""Be the judge: the reader compares outputs, and what the reader says is tested."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from ..metrics.chrf import chrF
from . import Component
from .chance import streams

#: The two imaginary systems, as the items call them.
SYSTEMS = ("Ash", "Birch")
#: After so many a reader may stop.
FEWEST = 10


def items() -> list[dict[str, str]]:
    """The items, which were written for the course: texts, and where a fault was planted."""
    text = files(__package__).joinpath("judge_items.toml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = tomllib.loads(text)["items"]
    return found


def quiz(n_resamples: int = 10_000) -> Component:
    """The items side by side for the reader to judge, blind; then what that shows.

    Parameters
    ----------
    n_resamples : int
        Of the chance machine at the end; a multiple of 500.
    """
    metric, asked = chrF(), []
    for item in items():
        systems, reference, worse = [s.lower() for s in SYSTEMS], item["reference"], item["worse"]
        outputs = [item[system] for system in systems]
        counts = metric.statistics(outputs, [[reference, reference]])
        asked.append(
            {
                "reference": reference,
                "outputs": outputs,
                "worse": systems.index(worse) + 1 if worse else 0,
                "fault": f"{worse.title()}: {item['fault']}" if worse else "none",
                "scores": [round(float(metric.score(each)), 6) for each in counts],
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
        "names": list(SYSTEMS),
        "metric": "of your preferences",
        "digits": 2,
        "titles": {},
        "views": [view],
    }
    data = {
        "items": asked,
        "names": list(SYSTEMS),
        "metric": metric.name,
        "verdict": "Planted fault",
        "told": "A fault had been planted into one of the two outputs in {n} of the items that you "
        "judged.",
        "said": "What was said",
        "bits": 2,
        "key": 0,
        "answers": [*SYSTEMS, "no difference"],
        "fewest": FEWEST,
        "machine": machine,
    }
    title = f"quiz of {len(asked)} pairs of outputs: which is better?"
    return Component(title, data, ("chance", "codes", "judge"))
