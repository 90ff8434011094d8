"""Many systems: what grows with their number, and what with its square, that of pairs.

Processor time of this process.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.resampling import Resampling

from .aims import AIMS, Aim
from .bound import SEEDS, all_pairs
from .engine import MANY_SYSTEMS
from .one_process import random_scores
from .tables import Row, Settings, Subject
from .timing import Work, processor_seconds

SEGMENTS = 3003
FEWEST = 50
MOST = 200
#: How many systems are compared with intervals.
WITH_INTERVALS = 50
#: Resamples where many systems are compared under BLEU.
RESAMPLES_UNDER_BLEU = 2000


def mixtures_of_a_campaign() -> mt.SufficientStatistics:
    """BLEU's statistics of systems that take each segment from one of two of a campaign's."""
    bleu = mt.load(MANY_SYSTEMS).statistics("BLEU")
    draw = np.random.default_rng(0)
    values = []
    for _ in range(WITH_INTERVALS):
        first, second = draw.integers(len(bleu.systems), size=2)
        is_of_first = draw.random((bleu.n_segments, 1)) < draw.random()
        values.append(np.where(is_of_first, bleu.values[first], bleu.values[second]))
    names = tuple(f"system{k}" for k in range(WITH_INTERVALS))
    return mt.SufficientStatistics(bleu.metric, names, np.stack(values))


def statistics_alone(given: mt.SufficientStatistics, n_resamples: int) -> Work:
    """The sums of all systems under all shuffles; no pair is looked at."""

    def run() -> None:
        plan = Resampling.of("shuffle", [given], n_resamples=n_resamples, seed=next(SEEDS))
        (packed,) = plan.statistics
        for block in plan.blocks:
            for weights in plan.weights_in_parts(block):
                packed.sums(weights.astype(packed.matrix.dtype))

    return run


def with_holm(given: mt.SufficientStatistics, n_resamples: int) -> Work:
    """All pairs with Holm's correction."""
    return all_pairs(given, n_resamples, correction="holm")


def with_westfall_young(given: mt.SufficientStatistics, n_resamples: int) -> Work:
    """All pairs with Westfall and Young's correction."""
    return all_pairs(given, n_resamples, correction="westfall-young")


@dataclasses.dataclass(frozen=True)
class Question:
    """What is asked of growing numbers of systems.

    Attributes
    ----------
    name : str
    work_on : callable
        Of statistics and a number of resamples; returns what is timed.
    of_exponent, of_largest : tuple of Aim
        The aims of all exponents, and of the processor time for the largest number of systems.
    is_of_pairs : bool
        Whether something is asked of every pair.
    numbers : tuple of int
        Numbers of systems, from the fewest to the most.
    """

    name: str
    work_on: Callable[[mt.SufficientStatistics, int], Work]
    of_exponent: tuple[Aim, ...]
    of_largest: tuple[Aim, ...] = ()
    is_of_pairs: bool = True
    numbers: tuple[int, ...] = (FEWEST, MOST)

    def in_words(self, n_systems: int) -> str:
        """The question of so many systems; it says that pairs grow by their square."""
        if not self.is_of_pairs:
            return f"{self.name}, {n_systems} systems"
        return f"{self.name}, {n_systems} systems, some {n_systems}²/2 pairs"


QUESTIONS = (
    Question(
        "statistics alone",
        statistics_alone,
        of_exponent=AIMS["statistics of many systems"],
        is_of_pairs=False,
        numbers=(FEWEST, 100, MOST),
    ),
    Question(
        "Holm",
        with_holm,
        of_exponent=AIMS["pairs of many systems"],
        of_largest=AIMS["200 systems, Holm"],
    ),
    Question(
        "Westfall-Young",
        with_westfall_young,
        of_exponent=AIMS["pairs of many systems"],
        of_largest=AIMS["200 systems, Westfall-Young"],
    ),
)


def growing(
    question: Question, given: mt.SufficientStatistics, settings: Settings
) -> Iterator[Row]:
    """A question of each number of systems, with the exponent since the smallest number."""
    few = given.select(given.systems[:3])
    question.work_on(few, settings.n_resamples)()  # loads libraries
    seconds_of_fewest: float | None = None
    for n_systems in question.numbers:
        work = question.work_on(given.select(given.systems[:n_systems]), settings.n_resamples)
        seconds = processor_seconds(settings.runs, work)
        figures = {"processor_seconds": seconds}
        aims: tuple[Aim, ...] = ()
        if seconds_of_fewest is None:
            seconds_of_fewest = seconds
        else:
            times_as_long = seconds / seconds_of_fewest
            figures["exponent_in_systems"] = math.log(times_as_long, n_systems / FEWEST)
            aims += question.of_exponent
        if n_systems == MOST:
            aims += question.of_largest
        what = f"{question.in_words(n_systems)} x {settings.n_resamples:,}"
        yield Row(what, figures, settings.runs, aims)


def with_intervals(
    metric: str, given: mt.SufficientStatistics, n_resamples: int, settings: Settings
) -> Row:
    """All pairs of some systems, with Holm's correction and intervals."""
    some = given.select(given.systems[:WITH_INTERVALS])
    work = all_pairs(some, n_resamples, correction="holm", interval="percentile")
    work()  # loads libraries
    return Row(
        f"Holm, intervals, {metric}, {WITH_INTERVALS} systems x {n_resamples:,}",
        {"processor_seconds": processor_seconds(settings.runs, work)},
        settings.runs,
        AIMS["50 systems with intervals"],
    )


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table."""
    given = random_scores(MOST, SEGMENTS)
    for question in QUESTIONS:
        yield from growing(question, given, settings)
    yield with_intervals("mean", given, settings.n_resamples, settings)
    yield with_intervals("BLEU", mixtures_of_a_campaign(), RESAMPLES_UNDER_BLEU, settings)


SUBJECT = Subject(
    "systems",
    f"Many systems x {SEGMENTS:,} segments; exponents are of the number of systems, since {FEWEST}",
    ("processor_seconds", "exponent_in_systems"),
    measured,
)
