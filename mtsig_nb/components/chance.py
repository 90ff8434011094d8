"""The chance machine: tests of one pair, done in the page by whoever presses its buttons."""

from __future__ import annotations

import base64
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.counting import Counting, tie_scale
from ..engine.influence import influence_values
from ..engine.procedures import procedure_named
from ..engine.resampling import BLOCK, RNG, Kind, Resampling, seed_from
from ..errors import InputError
from ..metrics.base import FloatArray
from ..metrics.bleu import BLEU
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics, pair_indices
from . import Component

#: The tests that the page can do.
TESTS = ("approximate-randomization", "bootstrap", "paired-bootstrap", "riezler-maxwell-bootstrap")
#: The test of the luckiest of all pairs; `mtsig_nb.compare_all` goes on from there step by step.
LUCKIEST = "westfall-young"
#: How far the axis reaches on either side if differences are in spreads of their own shuffles.
FARTHEST = 5
#: How far it reaches otherwise, in standard errors of the difference.
SPREADS_SHOWN = 4


def chance_machine(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    tests: Sequence[str] = ("approximate-randomization",),
    units: Sequence[str] = ("segments",),
    luckiest: bool = False,
    n_resamples: int = 10_000,
    rng: RNG = 2014,
) -> Component:
    """Let the reader of a page toss, draw and count: resampling tests without a kernel.

    The page makes the same resamples as the package does from the same `rng`, so when all of them
    are made its p-value is the package's.  A bar of its histogram shows the resamples in it:
    what was exchanged or drawn, the two scores and their difference.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of BLEU with its usual smoothing, or of a mean of segment scores.
    system_a, system_b : str
    tests : sequence of str
        ``"approximate-randomization"``, ``"bootstrap"``, ``"paired-bootstrap"`` and
        ``"riezler-maxwell-bootstrap"``; where there are several the reader chooses.
    units : sequence of {"segments", "documents"}
        What is exchanged or drawn; where there are both the reader chooses.
    luckiest : bool
        Whether the pair is one among all pairs of `statistics`.  The reader then chooses whether to
        count what chance does to this pair, or to the luckiest of all: the single step of Westfall
        & Young (1993).  Differences are in spreads of their own shuffles.
    n_resamples : int
        A multiple of 500 (`BLOCK`): the page draws whole blocks, as the package does.
    rng : None, int or Generator

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.

    Raises
    ------
    InputError
        For a test, metric or number of resamples that the page cannot do, or strata.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt21/de-en").statistics("BLEU")
    >>> chance_machine(bleu, "Facebook-AI", "NVIDIA-NeMo")
    chance machine: Facebook-AI less NVIDIA-NeMo, BLEU, 1,000 segments
    """
    formula = _formula(statistics)
    seed = seed_from(rng)
    blocks = streams(seed, n_resamples)
    procedures = [procedure_named(test) for test in tests]
    for procedure in procedures:
        if procedure.name not in TESTS:
            raise InputError(f"tests: a page cannot do {procedure.name!r}; take some of {TESTS}.")
    pair = statistics.select([system_a, system_b])
    # Every kind of resample, of every kind of unit, is a view that the reader may choose.
    kinds = list(dict.fromkeys(procedure.kind for procedure in procedures))
    views: list[dict[str, Any]] = []
    for unit, kind in itertools.product(units, kinds):
        view = _view(pair.by_unit(unit), kind)
        view["tests"] = [procedure.name for procedure in procedures if procedure.kind == kind]
        view["formula"] = formula
        view["blocks"] = blocks
        views.append(view)
    titles = {procedure.name: procedure.title for procedure in procedures}
    if luckiest:
        by_unit = statistics.by_unit(units[0])
        family = _family(by_unit, n_resamples, seed)
        in_spreads = _in_spreads(by_unit, pair.systems, family["spreads"])
        views = [{"family": family, **views[0], **in_spreads}]
        n_pairs = len(family["spreads"])
        titles = {TESTS[0]: "this pair alone", LUCKIEST: f"the luckiest of {n_pairs} pairs"}
    data = {
        "names": [system_a, system_b],
        "metric": statistics.label,
        "digits": _decimals(views[0]["observed"]),
        "titles": titles,
        "views": views,
    }
    test_set = f"{statistics.label}, {pair.n_segments:,} {pair.unit}"
    title = f"chance machine: {system_a} less {system_b}, {test_set}"
    return Component(title, data, ("draws", "chance"))


def _decimals(difference: float) -> int:
    """Decimals that show two significant digits of a difference; two or more."""
    if difference == 0:
        return 2
    return max(2, 1 - math.floor(math.log10(abs(difference))))


def _formula(statistics: SufficientStatistics) -> str:
    """The page's name of the metric's formula."""
    metric = statistics.metric
    if isinstance(metric, BLEU) and metric.smooth_method == "exp":
        return "bleu"
    if isinstance(metric, SegmentMean):
        return "mean"
    raise InputError(
        f"statistics: a page cannot compute {statistics.label}; give statistics of BLEU with "
        "smooth_method='exp', or scores of segments (mtsig_nb.from_segment_scores)."
    )


def _view(pair: SufficientStatistics, kind: Kind) -> dict[str, Any]:
    """What the page needs to know of the units of `pair` for resamples of a kind."""
    if pair.strata is not None and kind == "bootstrap":
        raise InputError("statistics: a page cannot draw within strata; take them from a subset.")
    metric = pair.metric
    scores = metric.score(pair.totals())
    influence_a, influence_b = influence_values(pair)
    standard_error = float(np.sqrt(np.square(influence_a - influence_b).sum()))
    values_a, values_b = pair.values
    action = "coins for" if kind == "shuffle" else "resamples of"
    return {
        "kind": kind,
        "title": f"{action} {pair.unit}",
        "axis": f"difference in {pair.label}",
        "unit": pair.unit.removesuffix("s"),
        "units": pair.unit,
        "n_units": len(values_a),
        "a": _packed(values_a),
        "b": _packed(values_b),
        "direction": metric.direction,
        "observed": float(metric.direction * (scores[0] - scores[1])),
        "tolerance": float(Counting().tie_tolerance * tie_scale(metric, scores[0], scores[1])),
        "reach": _rounded(SPREADS_SHOWN * standard_error, 3),
    }


def _family(statistics: SufficientStatistics, n_resamples: int, seed: int) -> dict[str, Any]:
    """All systems, and each pair's spread over the very shuffles that the page makes.

    The spread is the root mean square of the pair's differences, the observed one included.
    """
    pairs = pair_indices(len(statistics.systems))
    plan = Resampling.of("shuffle", [statistics], [pairs], n_resamples=n_resamples, seed=seed)
    sum_of_squares = _observed(statistics) ** 2
    for block in range(n_resamples // BLOCK):
        differences = plan.differences(block)[0]
        sum_of_squares += (differences**2).sum(axis=1)
    spreads = np.sqrt(sum_of_squares / (n_resamples + 1))
    if not spreads.all():
        raise InputError("statistics: two systems are the same; leave one of them out.")
    return {
        "systems": [_packed(values) for values in statistics.values],
        "spreads": [_rounded(spread, 10) for spread in spreads],
    }


def _in_spreads(
    statistics: SufficientStatistics, names: Sequence[str], spreads: Sequence[float]
) -> dict[str, Any]:
    """What changes in the view of a pair if differences are in spreads of their own shuffles.

    `names` are the pair's two systems, and `spreads` has the spread of every pair of systems.
    """
    a, b = (statistics.index(name) for name in names)
    first, second = pair_indices(len(statistics.systems))
    is_pair = (first == min(a, b)) & (second == max(a, b))
    pair = int(np.flatnonzero(is_pair)[0])
    sign = 1 if a < b else -1  # of a difference of this pair, which may be the other way round
    spread = spreads[pair]
    scores = statistics.metric.score(statistics.totals())
    tolerance = Counting().tie_tolerance * tie_scale(statistics.metric, scores[a], scores[b])
    return {
        "spread": spread,
        "observed": _rounded(sign * _observed(statistics)[pair] / spread, 10),
        # What is nearer than this counts as reached.
        "tolerance": _rounded(1e-9 + tolerance / spread, 3),
        "reach": FARTHEST,
        "tests": [TESTS[0], LUCKIEST],
        "axis": f"difference in {statistics.label}, in spreads of its own shuffles",
        "measure": "spreads",
    }


def _observed(statistics: SufficientStatistics) -> FloatArray:
    """How much better the first system of each pair is, shape (pairs,)."""
    first, second = pair_indices(len(statistics.systems))
    scores = statistics.metric.score(statistics.totals())
    return statistics.metric.direction * (scores[first] - scores[second])


def _rounded(value: float | FloatArray, digits: int) -> float:
    """A number to so many significant digits; further ones differ between processors."""
    return float(f"{value:.{digits}g}")


def _packed(values: FloatArray) -> dict[str, str]:
    """An array in base64, row by row, and in the type of the fewest bytes that hold it exactly."""
    dtype = _smallest_type(values)
    data = np.ascontiguousarray(values, dtype=dtype).tobytes()
    return {"type": np.dtype(dtype).name, "text": base64.b64encode(data).decode()}


def _smallest_type(values: FloatArray) -> str:
    """The NumPy type of the fewest bytes that holds these values."""
    is_count = (values == np.floor(values)).all() and values.min() >= 0
    if is_count and values.max() < 2**8:
        return "u1"
    if is_count and values.max() < 2**16:
        return "<u2"
    return "<f8"


def streams(seed: int, n_resamples: int) -> list[dict[str, str]]:
    """The states in which the bit generators of all blocks begin.

    Raises
    ------
    InputError
        If `n_resamples` is no multiple of `BLOCK`.
    """
    if n_resamples < BLOCK or n_resamples % BLOCK:
        raise InputError(f"n_resamples={n_resamples!r} must be a multiple of {BLOCK}.")
    states = []
    for block in range(n_resamples // BLOCK):
        sequence = np.random.SeedSequence(seed, spawn_key=(block,))
        state: Any = np.random.PCG64(sequence).state["state"]
        states.append({"state": str(state["state"]), "inc": str(state["inc"])})
    return states
