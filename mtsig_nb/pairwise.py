"""All pairs of systems at once, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from .comparisons import Comparisons
from .conclusions import WORDS, check_level, decide
from .corrections import (
    NEED_SMALL_PVALUES,
    OF_PVALUES,
    OF_RESAMPLES,
    adjust_pvalues,
    correction_named,
    smallest_needed_resamples,
    step_down,
    step_down_minp,
)
from .counting import Counting, counting_rule
from .design_effects import unit_errors
from .errors import InputError
from .intervals import bootstrap_scores, limits
from .metrics.base import FloatArray
from .procedures import Alternative, Procedure, procedure_named
from .resampling import RNG, Resampling, seed_from
from .significance import check_exact, notes_on_pair
from .statistics import SufficientStatistics, pair_indices
from .tallies import (
    Advantages,
    Pairs,
    Tally,
    differing_units,
    enumerate_pairs,
    exact_pairs,
    tally,
)
from .tukey import null_ranges, tukey_pvalues

#: Below this many units the bootstrap's family-wise error was found above its level by half.
FEW_FOR_THE_BOOTSTRAP = 200


def compare_all(
    statistics: SufficientStatistics | Sequence[SufficientStatistics],
    *,
    test: str | Procedure = "approximate-randomization",
    correction: str | None = "holm",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    units: str | npt.ArrayLike = "segments",
    counting: str | Counting = "add-one",
    exact: bool | None = None,
    interval: str | None = "percentile",
    confidence_level: float = 0.95,
    interval_resamples: int = 2000,
    rng: RNG = None,
    executor: Executor | None = None,
) -> Comparisons:
    """Test every pair of systems, under one metric or several, and correct for their number.

    All pairs and metrics share the same draws: less work, less noise between them, and the
    dependence between pairs is kept for the corrections that use it.

    Parameters
    ----------
    statistics : SufficientStatistics or sequence of them
        Several metrics on the same segments and systems widen the family of comparisons.
    test : str
        ``"approximate-randomization"``, ``"bootstrap"``, ``"paired-bootstrap"`` or
        ``"riezler-maxwell-bootstrap"``.
    correction : str or None
        See :mod:`mtsig_nb.corrections`.  None reports p-values as they are.
    alpha : float
        Level of the conclusions in the table.
    alternative : {"two-sided", "greater", "less"}
        In each pair `system_a` is the one with the better score, so ``"greater"`` tests the
        winner: a one-sided test in a direction chosen after looking, as in Graham et al. (2014).
    n_resamples, units, counting, exact, rng, executor
        As in :func:`approximate_randomization`.
    interval : {"percentile", "basic", None}
        Interval of each difference, from bootstrap resamples of the same units.
    confidence_level : float
        Of the intervals, which are not corrected for their number.
    interval_resamples : int

    Returns
    -------
    Comparisons

    Raises
    ------
    InputError
        For metrics that do not share their systems and segments, fewer than two systems, or a
        correction that does not go with the test.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> p = mt.compare_all(mt.load("wmt12/es-en").statistics("BLEU"), n_resamples=2000, rng=2014)
    >>> p.table[["system_a", "system_b", "conclusion"]].head(2)
      system_a       system_b conclusion
    0  onlineB    uedin-wmt12     better
    1  onlineB  QCRI--primary     better
    """
    check_level(alpha)
    check_level(confidence_level, "confidence_level")
    procedure = procedure_named(test)
    procedure.tails(alternative)  # before any work is done
    correction = correction_named(correction)
    _check_correction(correction, procedure, alternative)
    rule = counting_rule(counting)
    seed = seed_from(rng)
    given = _family(statistics)
    # Best first, under each metric: in every pair the first system is the better one.
    ranked = [s.select(s.scores().index).by_unit(units) for s in given]
    pairs = pair_indices(len(ranked[0].systems))
    plan = Resampling.of(procedure.kind, ranked, pairs, n_resamples=n_resamples, seed=seed)
    advantages = Advantages(
        plan,
        executor=executor,
        description=procedure.title,
        keep=procedure.averaged(np.empty((0, 0))) is not None or correction in OF_RESAMPLES,
    )
    tallies = tally(procedure, ranked, advantages, alternative=alternative, counting=rule)
    differing = [differing_units(s, pairs) for s in ranked]
    tallies = [
        _enumerated(procedure, s, pairs, t, k, exact, n_resamples, alternative, rule)
        for s, t, k in zip(ranked, tallies, differing, strict=True)
    ]
    adjusted = _adjusted(
        correction, ranked, tallies, advantages, alternative, n_resamples, seed, executor
    )
    frames = []
    for s, t, p, k in zip(ranked, tallies, adjusted, differing, strict=True):
        frame = _table(s, pairs, t, p, alpha)
        frame[["ci_low", "ci_high"]] = _intervals(
            s, pairs, interval, confidence_level, interval_resamples, seed, executor
        )
        frame["note"] = _pair_notes(s, pairs, t, k, alpha)
        frames.append(frame[Comparisons.COLUMNS])
    notes = _family_notes(correction, procedure, ranked, n_resamples, alpha)
    return Comparisons(
        table=pd.concat(frames, ignore_index=True),
        scores={s.label: s.scores() for s in ranked},
        higher_is_better={s.label: s.metric.higher_is_better for s in ranked},
        test=procedure.name,
        title=procedure.title,
        draws=procedure.draws,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        counting=rule,
        n_resamples=n_resamples,
        rng=seed,
        unit=ranked[0].unit,
        n_units=ranked[0].n_segments,
        confidence_level=confidence_level if interval else None,
        interval=interval,
        test_set=ranked[0].test_set,
        metric_signatures={s.label: s.signature for s in ranked},
        notes=notes,
    )


def _family(
    statistics: SufficientStatistics | Sequence[SufficientStatistics],
) -> list[SufficientStatistics]:
    """The metrics as a list, checked to be about the same systems and segments."""
    family = [statistics] if isinstance(statistics, SufficientStatistics) else list(statistics)
    if not family:
        raise InputError("statistics is empty; give those of one metric or more.")
    first = family[0]
    if len(first.systems) < 2:
        raise InputError(
            f"statistics: there is one system, {first.systems[0]!r}; a comparison needs two."
        )
    labels = [s.label for s in family]
    for s in family[1:]:
        if set(s.systems) != set(first.systems) or s.n_segments != first.n_segments:
            raise InputError(
                f"statistics: {s.label} is about {len(s.systems)} systems and {s.n_segments} "
                f"{s.unit}, {first.label} about {len(first.systems)} and {first.n_segments}. "
                "Metrics are compared together only on the same systems and segments; use "
                "select() and subset() to make them agree."
            )
        if not _same_strata(s, first):
            raise InputError(
                f"statistics: {s.label} and {first.label} differ in their strata, but share draws. "
                "Call by_stratum with the same labels on both, or compare them separately."
            )
        if labels.count(s.label) > 1:
            raise InputError(f"statistics: the metric {s.label!r} is given twice.")
    return family


def _same_strata(one: SufficientStatistics, other: SufficientStatistics) -> bool:
    if one.strata is None or other.strata is None:
        return one.strata is other.strata
    return np.array_equal(one.strata, other.strata)


def _check_correction(
    correction: str | None, procedure: Procedure, alternative: Alternative
) -> None:
    needs = OF_RESAMPLES.get(correction or "")
    if needs in ("shuffle", "bootstrap") and needs != procedure.kind:
        other = "romano-wolf" if procedure.kind == "bootstrap" else "westfall-young"
        raise InputError(
            f"correction={correction!r} does not go with the {procedure.title}, which draws "
            f"{procedure.draws}; use {other!r}."
        )
    if needs and procedure.name == "riezler-maxwell-bootstrap":
        raise InputError(
            f"correction={correction!r}: the {procedure.title} has no valid null distribution; "
            "use bootstrap or approximate-randomization."
        )
    if correction == "tukey" and alternative != "two-sided":
        raise InputError("correction='tukey' is two-sided; leave alternative at 'two-sided'.")


def _enumerated(
    procedure: Procedure,
    statistics: SufficientStatistics,
    pairs: Pairs,
    sampled: Tally,
    differing: npt.NDArray[np.int64],
    exact: bool | None,
    n_resamples: int,
    alternative: Alternative,
    rule: Counting,
) -> Tally:
    which = exact_pairs(procedure, differing, n_resamples, exact, rule)
    if exact:
        check_exact(procedure, int(differing.max()), statistics.unit, rule)
    return enumerate_pairs(
        procedure, statistics, pairs, sampled, which, alternative=alternative, counting=rule
    )


def _adjusted(
    correction: str | None,
    ranked: list[SufficientStatistics],
    tallies: list[Tally],
    advantages: Advantages,
    alternative: Alternative,
    n_resamples: int,
    seed: int,
    executor: Executor | None,
) -> list[FloatArray]:
    """Adjusted p-values over the whole family, one array per metric."""
    observed = [t.observed for t in tallies]
    if correction is None or correction in OF_PVALUES:
        together = adjust_pvalues(np.concatenate([t.pvalues for t in tallies]), correction)
        return list(np.split(together, len(tallies)))
    if correction == "tukey":
        ranges = null_ranges(ranked, n_resamples=n_resamples, seed=seed, executor=executor)
        return tukey_pvalues(observed, ranges)
    if correction == "westfall-young-minp":
        adjusted = step_down_minp(observed, advantages, alternative=alternative)
    else:
        centred = correction == "romano-wolf"
        adjusted = step_down(observed, advantages, centred=centred, alternative=alternative)
    # Sampled, they may fall a little below a p-value that was enumerated.
    return [np.maximum(a, t.pvalues) for a, t in zip(adjusted, tallies, strict=True)]


def _table(
    statistics: SufficientStatistics,
    pairs: Pairs,
    result: Tally,
    adjusted: FloatArray,
    alpha: float,
) -> pd.DataFrame:
    first, second = pairs
    advantage = result.observed.advantage
    return pd.DataFrame(
        {
            "metric": statistics.label,
            "system_a": [statistics.systems[i] for i in first],
            "system_b": [statistics.systems[j] for j in second],
            "score_a": result.observed.scores[first],
            "score_b": result.observed.scores[second],
            "difference": advantage,
            "pvalue": result.pvalues,
            "pvalue_low": result.low,
            "pvalue_high": result.high,
            "pvalue_adjusted": adjusted,
            "conclusion": [WORDS[int(c)] for c in decide(advantage, adjusted, alpha)],
        }
    )


def _intervals(
    statistics: SufficientStatistics,
    pairs: Pairs,
    method: str | None,
    confidence_level: float,
    n_resamples: int,
    seed: int,
    executor: Executor | None,
) -> npt.NDArray[Any]:
    """Interval of each pair's difference, shape (pairs, 2); NaN where none is asked for."""
    first, second = pairs
    if method is None:
        return np.full((len(first), 2), np.nan)
    if method not in ("percentile", "basic"):
        raise InputError(
            f"interval={method!r}: for all pairs 'percentile', 'basic' or None is possible; "
            "confidence_interval() has more for a single pair."
        )
    scores = bootstrap_scores(statistics, n_resamples, seed=seed, executor=executor)
    totals = statistics.metric.score(statistics.totals())
    direction = statistics.metric.direction
    low, high = limits(
        direction * (scores[first] - scores[second]),
        direction * (totals[first] - totals[second]),
        confidence_level,
        method,
    )
    return np.column_stack([low, high])


def _pair_notes(
    statistics: SufficientStatistics,
    pairs: Pairs,
    result: Tally,
    differing: npt.NDArray[np.int64],
    alpha: float,
) -> list[str]:
    notes = []
    for k, (a, b) in enumerate(zip(*pairs, strict=True)):
        said: list[str] = []
        if differing[k] < 10 or statistics.n_segments < 50:
            pair = statistics.select([statistics.systems[a], statistics.systems[b]])
            said.extend(notes_on_pair(pair, int(differing[k])))
        if result.exact[k]:
            said.append(f"exact: {result.n_resamples[k]:,} arrangements")
        elif result.low[k] <= alpha <= result.high[k]:
            said.append(f"Monte Carlo interval of p contains {alpha:g}: draw more resamples")
        notes.append("; ".join(said))
    return notes


def _family_notes(
    correction: str | None,
    procedure: Procedure,
    ranked: list[SufficientStatistics],
    n_resamples: int,
    alpha: float,
) -> tuple[str, ...]:
    notes = []
    n_pairs = len(pair_indices(len(ranked[0].systems))[0])
    needed = smallest_needed_resamples(n_pairs * len(ranked), alpha)
    if correction in NEED_SMALL_PVALUES and n_resamples < needed:
        notes.append(
            f"{n_resamples:,} resamples are too few for {correction} on {n_pairs * len(ranked)} "
            f"comparisons at {alpha:g}: the smallest possible p-value is not small enough; draw "
            f"{needed:,} or more"
        )
    if correction == "romano-wolf" and ranked[0].n_segments < FEW_FOR_THE_BOOTSTRAP:
        notes.append(
            f"romano-wolf holds its level only with many units, and there are "
            f"{ranked[0].n_segments} {ranked[0].unit}: 'westfall-young' is the safer choice"
        )
    if procedure.name == "riezler-maxwell-bootstrap":
        notes.append(
            "this procedure counts one tail and reports it as two: its p-values are about half of "
            "what they should be"
        )
    if ranked[0].unit == "segments" and ranked[0].documents is not None:
        notes.append(_documents_note(ranked))
    return tuple(notes)


def _documents_note(ranked: list[SufficientStatistics]) -> str:
    """Says that documents are known and were not resampled, and how much it matters."""
    n_documents = len(pd.unique(np.asarray(ranked[0].documents)))
    said = f"segments were resampled although documents are known ({n_documents:,})"
    try:
        ratios = np.concatenate([unit_errors(s)[:, 2] for s in ranked])
    except InputError:  # a single document, or one that lies in two strata or alone in its own
        return said
    ratios = ratios[np.isfinite(ratios)]
    if not len(ratios):
        return said
    return (
        f"{said}: resampling documents makes the standard errors of the differences "
        f"{np.median(ratios):.2f} times as large (median; at most {ratios.max():.2f}); "
        "use units='documents'"
    )
