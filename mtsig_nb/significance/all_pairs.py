"""All pairs of systems at once, corrected for their number."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import check_level
from ..engine.counting import Counting, counting_rule
from ..engine.procedures import Alternative, Procedure, procedure_named
from ..engine.resampling import RNG, Resampling, seed_from
from ..engine.tallies import (
    Advantages,
    Pairs,
    Tally,
    differing_units,
    enumerate_pairs,
    exact_pairs,
    go_on,
    tally,
)
from ..engine.tukey import null_ranges, tukey_pvalues
from ..errors import InputError
from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .comparisons import Comparisons, said_of_pairs
from .corrections import OF_RESAMPLES, adjust_pvalues, correction_named, step_down, step_down_minp
from .design_effects import unit_errors
from .intervals import bootstrap_scores, limits
from .one_pair import check_exact, notes_on_pair
from .resolution import (
    MINP_BYTES,
    adjusted_limits,
    at_floor,
    look_level,
    looks_for,
    needed_resamples,
    smallest_pvalue,
    straddles,
)
from .results import format_pvalue

#: Below this many units the bootstrap's family-wise error was found above its level by half.
FEW_FOR_THE_BOOTSTRAP = 200


def compare_all(
    statistics: SufficientStatistics | Sequence[SufficientStatistics],
    *,
    test: str | Procedure = "approximate-randomization",
    correction: str | None = "holm",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
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
        See :mod:`mtsig_nb.significance.corrections`.  None reports p-values as they are.
    alpha : float
        Level of the conclusions in the table.
    alternative : {"two-sided", "greater", "less"}
        In each pair `system_a` is the one with the better score, so ``"greater"`` tests the
        winner: a one-sided test in a direction chosen after looking, as in Graham et al. (2014).
    n_resamples : int, optional
        By default 10,000, then 30,000 and at most 100,000 for the systems of those pairs whose
        conclusion more resamples could still turn (at most 30,000, for all, where the correction
        needs the resamples themselves); see :mod:`mtsig_nb.significance.resolution`.  A number is
        kept to. What is left open is in the conclusions' `unresolved`, and "cannot tell" in the
        table.
    units, counting, exact, rng, executor
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
    looks = looks_for(correction) if n_resamples is None else (n_resamples,)
    family = _Family(
        procedure,
        ranked,
        pairs,
        correction=correction,
        alternative=alternative,
        counting=rule,
        exact=exact,
        seed=seed,
        executor=executor,
        look_level=look_level(looks),
    )
    found = family.tested(looks[0])
    for n in looks[1:]:
        found = family.settled(found, n, alpha)
    tables = []
    for m, (s, t) in enumerate(zip(ranked, found.tallies, strict=True)):
        table = _table(s, pairs, t, found, m, alpha)
        table[["ci_low", "ci_high"]] = _intervals(
            s, pairs, interval, confidence_level, interval_resamples, seed, executor
        )
        table["note"] = _pair_notes(s, pairs, t, table, family.differing[m], alpha)
        tables.append(table[Comparisons.COLUMNS])
    return Comparisons(
        table=pd.concat(tables, ignore_index=True),
        scores={s.label: s.scores() for s in ranked},
        higher_is_better={s.label: s.metric.higher_is_better for s in ranked},
        test=procedure.name,
        title=procedure.title,
        draws=procedure.draws,
        alternative=alternative,
        correction=correction,
        alpha=alpha,
        counting=rule,
        n_resamples=looks[0],
        rng=seed,
        unit=ranked[0].unit,
        n_units=ranked[0].n_segments,
        confidence_level=confidence_level if interval else None,
        interval=interval,
        test_set=ranked[0].test_set,
        metric_signatures={s.label: s.signature for s in ranked},
        notes=_family_notes(family, looks[-1], alpha),
    )


@dataclasses.dataclass(frozen=True)
class _Found:
    """Counts of each metric, and what the correction made of all of them together."""

    tallies: list[Tally]
    n_resamples: int  # what a correction of resamples has counted among
    adjusted: FloatArray  # (metrics * pairs,)
    low: FloatArray  # (metrics * pairs,), Monte Carlo limits of `adjusted`
    high: FloatArray
    at_floor: npt.NDArray[np.bool_]  # (metrics * pairs,)

    def of_metric(self, values: npt.NDArray[Any], m: int) -> npt.NDArray[Any]:
        """The part of `values` that is about metric number `m`."""
        return np.split(values, len(self.tallies))[m]


@dataclasses.dataclass(frozen=True)
class _Family:
    """All pairs under all metrics, and how they are tested."""

    procedure: Procedure
    ranked: list[SufficientStatistics]
    pairs: Pairs
    correction: str | None
    alternative: Alternative
    counting: Counting
    exact: bool | None
    seed: int
    executor: Executor | None
    look_level: float

    @cached_property
    def differing(self) -> list[npt.NDArray[np.int64]]:
        """In how many units each pair differs, for each metric."""
        return [differing_units(s, self.pairs) for s in self.ranked]

    def tested(self, n_resamples: int) -> _Found:
        """All pairs, from `n_resamples` each."""
        plan = Resampling.of(
            self.procedure.kind, self.ranked, self.pairs, n_resamples=n_resamples, seed=self.seed
        )
        advantages = Advantages(
            plan,
            executor=self.executor,
            description=self.procedure.title,
            keep=self.procedure.centres or self.correction in OF_RESAMPLES,
        )
        sampled = tally(
            self.procedure,
            self.ranked,
            advantages,
            alternative=self.alternative,
            counting=self.counting,
            confidence_level=self.look_level,
        )
        tallies = [
            self._enumerated(s, t, k, n_resamples)
            for s, t, k in zip(self.ranked, sampled, self.differing, strict=True)
        ]
        return self._corrected(tallies, n_resamples, advantages)

    def settled(self, found: _Found, n_resamples: int, alpha: float) -> _Found:
        """`found`, with `n_resamples` in all for the pairs that they could turn."""
        # Distinguished although no resample was as extreme: the p-value has allowed for the next.
        clear = found.at_floor & (found.adjusted <= alpha)
        undecided = straddles(found.low, found.high, alpha) & ~clear
        if not undecided.any():
            return found
        if self.correction in OF_RESAMPLES:  # which needs all pairs' resamples together
            too_large = 8 * n_resamples * len(undecided) > MINP_BYTES
            if too_large and self.correction == "westfall-young-minp":
                return found
            return self.tested(n_resamples)
        tallies = list(found.tallies)
        for m, (s, t) in enumerate(zip(self.ranked, tallies, strict=True)):
            which = np.flatnonzero(found.of_metric(undecided, m) & ~t.exact)
            tallies[m] = go_on(
                self.procedure,
                s,
                self.pairs,
                t,
                which,
                n_resamples,
                alternative=self.alternative,
                seed=self.seed,
                executor=self.executor,
            )
        return self._corrected(tallies, found.n_resamples)

    def _enumerated(
        self,
        statistics: SufficientStatistics,
        sampled: Tally,
        differing: npt.NDArray[np.int64],
        n_resamples: int,
    ) -> Tally:
        which = exact_pairs(self.procedure, differing, n_resamples, self.exact, self.counting)
        if self.exact:
            check_exact(self.procedure, int(differing.max()), statistics.unit, self.counting)
        return enumerate_pairs(
            self.procedure,
            statistics,
            self.pairs,
            sampled,
            which,
            alternative=self.alternative,
            counting=self.counting,
        )

    def _corrected(
        self, tallies: list[Tally], n_resamples: int, advantages: Advantages | None = None
    ) -> _Found:
        pvalues = np.concatenate([t.pvalues for t in tallies])
        low, high = (np.concatenate([t.limits[end] for t in tallies]) for end in (0, 1))
        if advantages is None or self.correction not in OF_RESAMPLES:
            adjusted = adjust_pvalues(pvalues, self.correction)
        else:
            adjusted = self._by_resamples(tallies, advantages)
        below, above = adjusted_limits(
            self.correction, adjusted, low, high, n_resamples, self.look_level
        )
        floor = at_floor(self.correction, adjusted, low, n_resamples)
        return _Found(tallies, n_resamples, adjusted, below, above, floor)

    def _by_resamples(self, tallies: list[Tally], advantages: Advantages) -> FloatArray:
        """Adjusted p-values by a correction that needs the resamples themselves."""
        observed = [t.observed for t in tallies]
        if self.correction == "tukey":
            n = advantages.resampling.n_resamples
            ranges = null_ranges(self.ranked, n_resamples=n, seed=self.seed, executor=self.executor)
            return np.concatenate(tukey_pvalues(observed, ranges))
        if self.correction == "westfall-young-minp":
            adjusted = step_down_minp(observed, advantages, alternative=self.alternative)
        else:
            centred = self.correction == "romano-wolf"
            adjusted = step_down(
                observed, advantages, centred=centred, alternative=self.alternative
            )
        # Sampled, they may fall a little below a p-value that was enumerated.
        return np.maximum(np.concatenate(adjusted), np.concatenate([t.pvalues for t in tallies]))


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


def _table(
    statistics: SufficientStatistics,
    pairs: Pairs,
    result: Tally,
    found: _Found,
    m: int,
    alpha: float,
) -> pd.DataFrame:
    first, second = pairs
    advantage = result.observed.advantage
    adjusted, low, high, floor = (
        found.of_metric(values, m)
        for values in (found.adjusted, found.low, found.high, found.at_floor)
    )
    table = pd.DataFrame(
        {
            "metric": statistics.label,
            "system_a": [statistics.systems[i] for i in first],
            "system_b": [statistics.systems[j] for j in second],
            "score_a": result.observed.scores[first],
            "score_b": result.observed.scores[second],
            "difference": advantage,
            "pvalue": result.pvalues,
            "pvalue_low": result.limits[0],
            "pvalue_high": result.limits[1],
            "pvalue_adjusted": adjusted,
            "pvalue_adjusted_low": low,
            "pvalue_adjusted_high": high,
            "at_floor": floor,
            "n_resamples": result.n_resamples,
        }
    )
    return table.assign(conclusion=said_of_pairs(table, alpha))


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
    table: pd.DataFrame,
    differing: npt.NDArray[np.int64],
    alpha: float,
) -> list[str]:
    uncertain = straddles(table["pvalue_adjusted_low"], table["pvalue_adjusted_high"], alpha)
    notes = []
    for k, (a, b) in enumerate(zip(*pairs, strict=True)):
        said: list[str] = []
        if differing[k] < 10 or statistics.n_segments < 50:
            pair = statistics.select([statistics.systems[a], statistics.systems[b]])
            said.extend(notes_on_pair(pair, int(differing[k])))
        if result.exact[k]:
            said.append(f"exact: {result.n_resamples[k]:,} arrangements")
        elif uncertain[k] and not table["at_floor"][k]:
            low, high = (format_pvalue(table[f"pvalue_adjusted_{e}"][k]) for e in ("low", "high"))
            said.append(
                f"with endless resamples p would lie between {low} and {high}: more of them could "
                "turn the conclusion"
            )
        notes.append("; ".join(said))
    return notes


def _family_notes(family: _Family, n_resamples: int, alpha: float) -> tuple[str, ...]:
    notes = []
    correction, ranked = family.correction, family.ranked
    n_comparisons = len(family.pairs[0]) * len(ranked)
    about: dict[str, Any] = {
        "alternative": family.alternative,
        "correction": correction,
        "n_comparisons": n_comparisons,
    }
    needed = needed_resamples(family.procedure, alpha, **about)
    if n_resamples < needed:
        smallest = smallest_pvalue(
            family.procedure, n_resamples=n_resamples, counting=family.counting, **about
        )
        notes.append(
            f"{n_resamples:,} resamples are too few for "
            f"{correction or 'a test'} on {n_comparisons} comparisons at {alpha:g}: "
            f"the smallest adjusted p-value that they can give is {format_pvalue(smallest)}; "
            f"draw {needed:,} or more"
        )
    if correction == "romano-wolf" and ranked[0].n_segments < FEW_FOR_THE_BOOTSTRAP:
        notes.append(
            f"romano-wolf holds its level only with many units, and there are "
            f"{ranked[0].n_segments} {ranked[0].unit}: 'westfall-young' is the safer choice"
        )
    if family.procedure.name == "riezler-maxwell-bootstrap":
        notes.append(
            "this procedure counts one tail and reports it as two: its p-values are too small, by "
            "about half where the resampled differences are symmetric"
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
