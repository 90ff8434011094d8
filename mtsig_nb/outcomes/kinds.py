"""The kinds of outcomes: the class of each, imported only where there is one of the kind."""

from __future__ import annotations

import importlib

from .outcome import Outcome

#: By kind: the module of this room, and the class in it.
CLASSES = {
    "pairs": ("pairs", "PairsOutcome"),
    "test sets": ("test_sets", "TestSetsOutcome"),
    "runs": ("runs", "RunsOutcome"),
    "ratings": ("ratings", "RatingsOutcome"),
    "battles": ("battles", "BattlesOutcome"),
    "metrics": ("metrics", "MetricsOutcome"),
    "gate": ("gate", "GateOutcome"),
    "leaderboard": ("leaderboard", "LeaderboardOutcome"),
    "looks": ("looks", "LooksOutcome"),
}


def outcome_class(kind: str) -> type[Outcome]:
    """The class of a kind of outcome.

    Examples
    --------
    >>> outcome_class("pairs").kind
    'pairs'
    """
    module_name, class_name = CLASSES[kind]
    module = importlib.import_module(f".{module_name}", __package__)
    found: type[Outcome] = getattr(module, class_name)
    return found
