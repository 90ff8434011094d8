"""A test in the four steps that every test has, with one pair's own numbers, as HTML.

For readers who meet tests for the first time: every term is said where it is first used, and every
number is read from the test's result.  What is said stands in ``templates/four_steps.html.j2``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..engine.procedures import Procedure
from ..engine.resampling import Resampling
from ..engine.tallies import PAIR
from ..report import figures
from ..report.page import template
from ..report.verdicts import digits_for, pvalue_in_words
from ..significance.results import PairResult

_TEMPLATE = Path(__file__).parent / "templates" / "four_steps.html.j2"
_UNITS_SHOWN = 16  # of the first resample


def four_steps(result: PairResult) -> dict[str, str]:
    """Choose a statistic, say what chance would do, simulate it, compare: each title's text.

    Parameters
    ----------
    result : PairResult
        Of one of the resampling tests.
    """
    procedure = result.procedure
    assert procedure is not None  # only tests by resampling are chosen here
    digits = digits_for([result.score_a, result.score_b])
    number = f"{{:+.{2 if procedure.studentized else digits}f}}".format
    mean = np.mean(procedure.averaged(result.resampled)) if procedure.centres else 0.0
    macros: Any = template(_TEMPLATE).make_module(
        {
            "r": result,
            "p": procedure,
            "score": f"{{:.{digits}f}}".format,
            "signed": f"{{:+.{digits}f}}".format,
            "number": number,
            "first": list(map(number, result.resampled[:5])),
            "mean": mean,
            "cells": _first_resample(result, procedure),
            "figure": figures.image(figures.null_distribution(result)),
            "winner": _counted_winner(result),
            "filled": filled_pvalue(result, procedure),
            "told": pvalue_in_words(result.pvalue),
        }
    )
    steps = {
        "Choose a statistic": macros.statistic,
        "Say what chance would do": macros.chance,
        "Simulate it": macros.simulation,
        "Compare": macros.comparison,
    }
    return {title: " ".join(said().split()) for title, said in steps.items()}


def _first_resample(result: PairResult, procedure: Procedure) -> list[tuple[str, str]]:
    """What the first resample made of the first units: the very draws that the test has made."""
    plan = Resampling(procedure.kind, (), PAIR, 1, result.n_units, int(result.rng or 0))
    drawn = plan.weights(0)[0][:_UNITS_SHOWN].astype(int).tolist()
    if procedure.kind != "shuffle":
        return [(f"n{min(times, 3)}", str(times)) for times in drawn]
    turned, kept = ("−", "+") if procedure.linearises else ("⇄", "")
    return [("n1", kept) if own else ("n3", turned) for own in drawn]


def _counted_winner(result: PairResult) -> str:
    """Whose wins the paired bootstrap has counted: those in the smaller tail where it has two."""
    counted = result.null_distribution[result.extreme]
    below = counted.mean() <= 0 if counted.size else result.alternative != "less"
    return result.system_b if below else result.system_a


def filled_pvalue(result: PairResult, procedure: Procedure) -> str:
    """The formula of the p-value with its numbers."""
    c, n = f"{result.count:,}", f"{result.n_resamples:,}"
    if result.exact:
        return f"{c}/{n}"
    formula: str = result.counting.formula
    filled = {
        "(c+1)/(R+1)": f"({c} + 1)/({n} + 1)",
        "c/R": f"{c}/{n}",
        "(c+1)/R": f"({c} + 1)/{n}",
    }[formula]
    return f"2 · {filled}" if procedure.doubled and result.alternative == "two-sided" else filled


__all__ = ["four_steps"]
