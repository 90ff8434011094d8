"""Metrics compared by exchanging their scores: of whole systems, or of every segment by itself.

Deutsch, Dror & Roth (2021) exchange what two metrics say at random, and ask how often their
correlations with people then differ as much.  Which exchange is right depends on what is
exchangeable where neither metric is better:

- ``units="systems"`` (their PERM-SYS) exchanges all that the metrics say of a system.  It reckons
  with metrics that like a system, or do not, wherever its segments lie.
- ``units="both"`` (PERM-BOTH) exchanges the scores of every segment of every system by themselves.
  That supposes that a metric's errors about one system are independent from segment to segment.
  Mixed so finely, two metrics become nearly the same one, so that any difference between them looks
  large.  Where each metric misjudges systems as such, the test errs far more often than it says:
  :func:`mtsig_nb.metric_error_rates`.

Scores are standardised first, over all that is exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import check_level
from ..engine.counting import Counting, counting_rule
from ..engine.procedures import Alternative
from ..engine.resampling import BLOCK, RNG, check_n_resamples, seed_from, swap_masks
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .metric_comparisons import COLUMNS, MetricComparisons
from .soft_accuracy import Source, one_sided_pvalues
from .systems_as_units import over_systems

#: From scores (..., systems, segments) to how close they are to people, (..., systems, systems).
Measured = Callable[[FloatArray], FloatArray]

#: Numbers that are held at once: 16 MB, some times over.
HELD = 2_000_000


def exchange_metrics(
    one: SufficientStatistics,
    other: SufficientStatistics,
    people: pd.Series | Source,
    *,
    measure: str = "accuracy",
    units: str = "systems",
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    pvalue_resamples: int = 1000,
    counting: str | Counting = "add-one",
    confidence_level: float = 0.95,
    rng: RNG = None,
) -> MetricComparisons:
    """Compare two metrics by exchanging their scores (Deutsch, Dror & Roth 2021).

    Parameters
    ----------
    one, other : SufficientStatistics
        Of the same systems; with ``units="both"`` or ``measure="soft"`` means of segment scores,
        on the same segments.
    people : Series, SufficientStatistics, judgement, PairTests or DataFrame
        For ``measure="accuracy"`` systems' scores, larger is better, or statistics; for
        ``"soft"`` as in :func:`soft_pairwise_accuracy`.
    measure : {"accuracy", "soft"}
        Pairwise accuracy, or soft pairwise accuracy.
    units : {"systems", "both"}
        What is exchanged: all scores of a system together, or those of every system and segment
        by themselves (PERM-BOTH), which errs too often where metrics misjudge whole systems.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether `one` is better.
    n_resamples : int
        Exchanges; all that there are, if systems are exchanged and they are no more.
    pvalue_resamples : int
        For each p-value of the soft accuracy.
    counting : str or Counting
        Of exchanges, and within soft accuracies.
    confidence_level : float
        Of the interval, which takes systems as units whatever is exchanged, as
        :func:`compare_metrics` does.
    rng : None, int or Generator

    Returns
    -------
    MetricComparisons
        One row.

    Raises
    ------
    InputError
        If a system is missing, segments differ, or a metric is no mean of segment scores where
        that is needed.

    Notes
    -----
    With plain counting and ``"greater"`` this is what mt-metrics-eval computes, up to Monte Carlo
    error: ``PermutationSigDiff`` on scores of systems with Kendall's ``acc23`` for
    ``units="systems"``, on scores of segments with ``PairwiseConfidenceError`` for
    ``measure="soft", units="both"``.  Its soft accuracy takes pairs in the order given, not in
    people's, which matters where p-values are tied.

    References
    ----------
    Deutsch, Dror & Roth 2021, *A statistical analysis of summarization evaluation metrics using
    resampling methods*.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt22/de-en")
    >>> bleu, chrf = campaign.statistics("BLEU"), campaign.statistics("chrF")
    >>> found = mt.exchange_metrics(bleu, chrf, campaign.human.scores(), rng=1)
    >>> found.table[["a", "b", "difference", "pvalue"]].round(2).values.tolist()
    [['BLEU', 'chrF', 0.06, 0.5]]
    """
    check_one_of("measure", measure, ("accuracy", "soft"))
    check_one_of("units", units, ("systems", "both"))
    check_one_of("alternative", alternative, ("two-sided", "greater", "less"))
    check_level(confidence_level, "confidence_level")
    check_n_resamples(n_resamples)
    check_n_resamples(pvalue_resamples)
    seed, rule = seed_from(rng), counting_rule(counting)
    if measure == "soft":
        frame, _ = one_sided_pvalues(
            people,  # type: ignore[arg-type]
            n_resamples=pvalue_resamples,
            counting=rule,
            rng=seed,
        )
    else:
        frame = _peoples_scores(people).to_frame()
    systems = [
        system for system in frame.index if system in one.systems and system in other.systems
    ]
    if len(systems) < 2:
        raise InputError(
            f"one, other and people share {len(systems)} systems; at least two are needed. Are "
            "the systems called the same in all?"
        )
    whole = measure == "accuracy" and units == "systems"
    cells = [
        standardised(_of_systems(s, systems) if whole else _of_segments(s, systems, name))
        for name, s in (("one", one), ("other", other))
    ]
    if cells[0].shape != cells[1].shape:
        raise InputError(
            f"one has {cells[0].shape[1]} segments and other {cells[1].shape[1]}; score the same."
        )
    if measure == "soft":
        signs = sign_flips(pvalue_resamples, cells[0].shape[1], seed)
        measured = softly(frame.loc[systems, systems].to_numpy(), signs, rule)
    else:
        measured = ordered(frame.loc[systems].to_numpy()[:, 0])
    close = [measured(part) for part in cells]
    found = over_systems(close[0] - close[1], 1 - np.eye(len(systems)), confidence_level)
    masks = _masks(cells[0], units, n_resamples, seed)
    pvalue, exact = exchanged_pvalue(cells, measured, masks, alternative, rule)
    off = ~np.eye(len(systems), dtype=bool)
    means = [float(part[off].mean()) for part in close]
    row = (one.label, other.label, float(found.mean), float(found.low), float(found.high))
    what = "whole systems" if units == "systems" else "every system and segment (PERM-BOTH)"
    how = f"all {2 ** len(systems):,} exchanges" if exact else f"{n_resamples:,} random exchanges"
    return MetricComparisons(
        table=pd.DataFrame([(*row, pvalue, *means)], columns=COLUMNS),
        measure="soft pairwise accuracy" if measure == "soft" else "accuracy",
        n_systems=len(systems),
        n_pairs=len(systems) * (len(systems) - 1) // 2,
        confidence_level=confidence_level,
        test=f"{how} of {what}, {alternative}",
        rng=seed,
    )


def standardised(cells: FloatArray) -> FloatArray:
    """Mean 0 and standard deviation 1 over all; zeros where all are the same."""
    spread = cells.std()
    return (cells - cells.mean()) / spread if spread else np.zeros_like(cells)


def ordered(people: FloatArray) -> Measured:
    """Whether means over segments order two systems as people do."""
    truth = np.sign(people[:, None] - people)

    def measured(cells: FloatArray) -> FloatArray:
        seen = cells.mean(axis=-1)
        apart = seen[..., :, None] - seen[..., None, :]
        apart = np.where(np.abs(apart) < 1e-12, 0.0, apart)  # a tie but for rounding
        return (np.sign(apart) == truth) * (1.0 - np.eye(len(truth)))

    return measured


def sign_flips(n_resamples: int, n_segments: int, seed: int) -> FloatArray:
    """The exchanges that approximate randomization of two systems makes, as signs."""
    blocks = [
        swap_masks(min(BLOCK, n_resamples - start), n_segments, seed=seed, key=(start // BLOCK,))
        for start in range(0, n_resamples, BLOCK)
    ]
    return 2 * np.concatenate(blocks).astype(np.float64) - 1


def softly(people: FloatArray, signs: FloatArray, rule: Counting) -> Measured:
    """1 - |p of people - p of the metric|, the system that people favour first."""
    i, j = pair_indices(len(people))
    turn = people[j, i] < people[i, j]
    first, second = np.where(turn, j, i), np.where(turn, i, j)

    def measured(cells: FloatArray) -> FloatArray:
        totals, partial = cells.sum(axis=-1), cells @ signs.T
        close = np.zeros((*totals.shape, totals.shape[-1]))
        for a, b in zip(first, second, strict=True):
            observed = (totals[..., a] - totals[..., b])[..., None]
            scale = np.abs(cells[..., a, :] - cells[..., b, :]).sum(axis=-1)[..., None]
            reached = rule.reaches(partial[..., a, :] - partial[..., b, :], observed, scale)
            p = rule.pvalue(reached.sum(axis=-1), len(signs))
            close[..., a, b] = close[..., b, a] = 1 - np.abs(people[a, b] - p)
        return close

    return measured


def exchanged_pvalue(
    cells: list[FloatArray],
    measured: Measured,
    masks: npt.NDArray[np.bool_],
    alternative: Alternative,
    rule: Counting,
) -> tuple[float, bool]:
    """The p-value of the difference among exchanged ones; and whether these are all there are.

    `masks` has shape (exchanges, systems, segments or 1), true where scores stay in place.
    """
    side = {"two-sided": 0, "greater": 1, "less": -1}[alternative]

    def gap(parts: list[FloatArray]) -> FloatArray:
        difference = (measured(parts[0]) - measured(parts[1])).sum(axis=(-1, -2))
        return side * difference if side else np.abs(difference)

    n_systems = len(cells[0])
    observed = gap(cells)
    count = 0
    for parts in _exchanged(cells, masks):
        count += int(rule.reaches(gap(parts), observed, n_systems**2).sum())
    exact = bool(masks.shape[2] == 1 and len(masks) == 2**n_systems)
    return (count / len(masks) if exact else float(rule.pvalue(count, len(masks)))), exact


def _exchanged(cells: list[FloatArray], masks: npt.NDArray[np.bool_]) -> Iterator[list[FloatArray]]:
    at_once = max(1, HELD // cells[0].size)
    for start in range(0, len(masks), at_once):
        keep = masks[start : start + at_once].astype(bool)
        yield [np.where(keep, *pair) for pair in (cells, cells[::-1])]


def _masks(cells: FloatArray, units: str, n_resamples: int, seed: int) -> npt.NDArray[np.bool_]:
    """All exchanges of systems, if no more than asked for, or random ones."""
    n_systems, n_segments = cells.shape
    if units == "systems" and 2**n_systems <= n_resamples:
        bits = np.arange(2**n_systems)[:, None] >> np.arange(n_systems)
        return (bits & 1).astype(bool)[..., None]
    per = 1 if units == "systems" else n_segments
    return random_masks((n_resamples, n_systems, per), seed)


def random_masks(shape: tuple[int, int, int], seed: int) -> npt.NDArray[np.bool_]:
    """Fair coins for every exchange, from a key that no block of resamples has."""
    drawn = swap_masks(shape[0], shape[1] * shape[2], seed=seed, key=(0, 1))
    return drawn.astype(bool).reshape(shape)


def _peoples_scores(people: object) -> pd.Series:
    if isinstance(people, SufficientStatistics):
        return people.metric.direction * people.scores()
    if not isinstance(people, pd.Series):
        raise InputError(
            f"people is a {type(people).__name__}; for measure='accuracy' give a Series of the "
            "systems' scores, such as campaign.human.scores()."
        )
    if not np.isfinite(people.to_numpy(dtype=np.float64)).all():
        raise InputError("people: a score is not a finite number; leave that system out.")
    return people


def _of_systems(statistics: SufficientStatistics, systems: list[str]) -> FloatArray:
    scores = statistics.scores().loc[systems].to_numpy(dtype=np.float64)
    return statistics.metric.direction * scores[:, None]


def _of_segments(statistics: SufficientStatistics, systems: list[str], name: str) -> FloatArray:
    selected = statistics.select(systems)
    mean = isinstance(selected.metric, SegmentMean)
    if not mean or np.ptp(selected.values[..., 1]):
        raise InputError(
            f"{name} is {selected.label}, not a plain mean of segment scores, so that segments "
            "cannot be exchanged; give measure='accuracy', units='systems', or scores of segments."
        )
    return selected.metric.direction * selected.segment_scores()
