"""Corrections for many comparisons: what each controls and what it assumes.

====================  ========================  ==================================================
correction            controls                  assumes
====================  ========================  ==================================================
``"bonferroni"``      family-wise error         nothing
``"sidak"``           family-wise error         independence, or positive dependence of two-sided
                                                tests
``"holm"`` (default)  family-wise error         nothing; never less powerful than Bonferroni
``"hochberg"``        family-wise error         independence or positive dependence (MTP2)
``"hommel"``          family-wise error         as Hochberg, a little more powerful
``"benjamini-``       false discovery rate      independence or positive regression dependence
``hochberg"``
``"benjamini-``       false discovery rate      nothing
``yekutieli"``
``"westfall-young"``  family-wise error         shared shuffles keep the dependence between pairs;
                                                subset pivotality, see below
``"romano-wolf"``     family-wise error,        the bootstrap's; no subset pivotality; from some
                      asymptotically            hundred units on, too sure of itself below
``"tukey"``           family-wise error         *all* systems exchangeable within a segment, also
                                                those that are not in the pair; see below
====================  ========================  ==================================================

The family is all pairs under all metrics that are given together.  Family-wise error is the chance
of one false claim or more in the family; false discovery rate the expected share of false claims.
All of this assumes single tests that keep their level; if these err too often, so do families, as
measured in ``docs/trust/best-to-worst.md``.

Westfall & Young's (1993) step-down procedures compare each pair with the largest pseudo-statistic
among the pairs not yet rejected, in the same resample, so pairs that share systems count for less
than the same number of independent pairs.  Strong control is proved under subset pivotality: the
joint distribution for the true nulls must not depend on the others.  Here every pair is shuffled
separately, under one mask common to all, so a pair's pseudo-statistics depend on its own two
systems only, and their marginal distributions are right.  In the joint distribution, variances and
correlations between pairs are right, since a common sign on every segment's differences reproduces
them.  The whole distribution is right where a segment's differences are jointly as likely as their
opposites; elsewhere it is approximately right for many segments.

The randomised Tukey test has a single null distribution for all pairs.  It keeps its level when no
system differs from any other.  If two systems are equally good, yet vary more from segment to
segment than the others do, it calls them different too often: among 16 systems, two of which were
noisy, it made a false claim in 3 of 10 simulated test sets at a level of 5 %.  Westfall-Young and
Holm held their level there.

How finely so many resamples can tell, and when to draw more of them
--------------------------------------------------------------------

A p-value from R resamples is a multiple of about 1/R.  Corrected for many comparisons, even the
smallest of them may be above the level: then the test could not have rejected, whatever the data,
and "no difference was detected" would blame the systems for the number of resamples.  So every
adjusted p-value has Monte Carlo limits, and a pair that is not distinguished is *unresolved* if
they lie on both sides of the level: endless resamples might distinguish it.

If the caller gives no number, `LOOKS` are taken: after each, the systems of pairs whose conclusion
could still change are resampled further.  As far as a count is binomial (see
:mod:`mtsig_nb.engine.counting`), the limits hold over all looks together, each being given an equal
share of the error (Bonferroni).  p-values of pairs are corrected together by their limits, as in
Gandy & Hahn (2014, Scand. J. Stat. 41): a correction that never lowers an adjusted p-value when a
p-value rises turns limits of p-values into limits of adjusted ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..engine.counting import TIE_TOLERANCE, clopper_pearson
from ..engine.influence import influence_values, strata_of
from ..engine.options import Design, ResamplingOptions
from ..engine.procedures import Alternative
from ..engine.tallies import Observed, Pairs, PseudoDifferences, Run
from ..engine.tukey import null_ranges, tukey_pvalues
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray, Mask
from ..notes import Note, note
from ..sentences import Option, Sentence
from ..statistics.sufficient import SufficientStatistics
from ..tables.rows import Columns, Rows
from ..texts.files import toml_beside
from .results import format_pvalue

#: What is known of each correction, by name.
CORRECTIONS: dict[str, dict[str, Any]] = toml_beside(__file__)

#: Corrections of p-values alone, by the names that statsmodels gives them.
OF_PVALUES = {name: c["statsmodels"] for name, c in CORRECTIONS.items() if "statsmodels" in c}

#: Corrections that need the resamples themselves, and the kind of resamples.
OF_RESAMPLES = {name: c["resamples"] for name, c in CORRECTIONS.items() if "resamples" in c}

_ALIASES = {alias: name for name, c in CORRECTIONS.items() for alias in c.get("aliases", ())}

#: Corrections that can reject only if single p-values can fall below ``alpha / comparisons``.
NEED_SMALL_PVALUES = ("bonferroni", "sidak", "holm")

#: Numbers of resamples after which it is asked whether more are needed, where the caller gives no
#: number; no more than the last are drawn.  All are whole blocks.
LOOKS = (10_000, 30_000, 100_000)

#: Pseudo-differences of a family that are set side by side at a time: 32 MB.
ENTRIES_AT_ONCE = 2**22

#: What makes a difference large where it speaks against the null hypothesis.
_SIDED = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


def correction_named(correction: str | None) -> str | None:
    """The name in `CORRECTIONS` of what may be an alias; an `InputError` lists those that exist."""
    if correction is None:
        return None
    name = str(correction).casefold().replace("_", "-")
    name = _ALIASES.get(name, name)
    check_one_of("correction", name, ["none", *CORRECTIONS])
    return None if name == "none" else name


def check_correction(correction: str | None, options: ResamplingOptions) -> None:
    """Raise `InputError` unless the correction goes with the test."""
    reason = _why_not(correction, options)
    if reason is not None:
        raise InputError(Sentence(Option("correction", correction), f": {reason}."))


def _why_not(correction: str | None, options: ResamplingOptions) -> str | None:
    """Why the correction does not go with the test, and what does; None if it goes with it."""
    if correction is None or correction not in OF_RESAMPLES:
        return None
    procedure = options.procedure
    kind = OF_RESAMPLES[correction]
    # Tukey's permutations are its own: those of no test.
    if kind != "permutation" and kind != procedure.kind:
        other = "romano-wolf" if procedure.kind == "bootstrap" else "westfall-young"
        return f"does not go with the {procedure.title}; use {other!r}"
    if not procedure.valid:
        return f"the {procedure.title} has no valid null distribution; use bootstrap"
    if correction == "tukey" and options.alternative != "two-sided":
        return "is two-sided; leave alternative at 'two-sided'"
    return None


def adjust_pvalues(pvalues: ArrayLike, correction: str | None) -> FloatArray:
    """p-values adjusted for their number, in the order given.

    Parameters
    ----------
    pvalues : array_like, shape (comparisons,)
    correction : str or None
        One of `OF_PVALUES`; None returns the p-values as they are.

    Raises
    ------
    InputError
        If a p-value is not between 0 and 1, or the correction needs resamples.

    Examples
    --------
    >>> adjust_pvalues([0.03, 0.01, 0.02], "holm").tolist()
    [0.04, 0.03, 0.04]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise InputError("pvalues must all lie between 0 and 1.")
    name = correction_named(correction)
    if name is None or p.size == 0:
        return p.copy()
    if name in OF_RESAMPLES:
        raise InputError(
            Sentence(
                Option("correction", correction), " works on resamples: use it in compare_all."
            )
        )
    if name == "holm":
        return _holm(p)
    from statsmodels.stats.multitest import multipletests  # slow to import, and seldom needed

    with np.errstate(divide="ignore"):  # Šidák's formula passes through log(0) where p is 1
        return multipletests(p, method=OF_PVALUES[name])[1]


def _holm(p: FloatArray) -> FloatArray:
    """Holm's step-down correction.

    The values of statsmodels, whose function collects garbage on every call: a tenth of a second
    and more in a session of ordinary size, felt at each move of a slider.
    """
    order = np.argsort(p, kind="stable")
    n_left = np.arange(p.size, 0, -1)
    stepped = np.maximum.accumulate(p[order] * n_left)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, stepped)
    return adjusted


def standard_errors(statistics: SufficientStatistics, pairs: Pairs) -> FloatArray:
    """Jackknife standard errors of the pairs' differences, shape (pairs,).

    Strata are drawn independently of each other, so their variances add up.
    """
    influence = influence_values(statistics)
    members = strata_of(statistics)
    sizes = members.sum(axis=1)
    # n / (n - 1) of each unit's stratum.
    unbiasing = sizes / np.maximum(sizes - 1, 1) @ members
    variances = []
    for a, b in zip(*pairs, strict=True):
        difference = influence[a] - influence[b]
        variances.append(unbiasing @ np.square(difference))
    return np.sqrt(variances)


def step_down(
    observed: list[Observed],
    pseudo_differences: PseudoDifferences,
    *,
    centred: bool,
    studentized: bool = False,
    alternative: Alternative = "two-sided",
) -> FloatArray:
    """Step-down maxT adjusted p-values over the family of all pairs under all metrics.

    Westfall & Young 1993, algorithm 2.8, on shuffles, or, with `centred` bootstrap resamples,
    Romano & Wolf 2005.  Differences are divided by the spread of their own resamples, so that
    pairs and metrics of different spread are on a par.

    Parameters
    ----------
    observed : list of Observed, one for each metric
    pseudo_differences : PseudoDifferences
        Shuffles, or bootstrap resamples to be `centred` on the observed differences, or
        `studentized` ones, which are centred and divided already.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    ndarray, shape (metrics * pairs,)
    """
    sided = _SIDED[alternative]
    statistic = np.concatenate([of_metric.statistic for of_metric in observed])[:, None]
    scale = np.concatenate([of_metric.scale for of_metric in observed])[:, None]
    centre = np.zeros_like(statistic)
    spread = np.ones_like(statistic)
    if not studentized:
        if centred:
            centre = statistic
        spread = _spread(statistic, centre, pseudo_differences)
    t = sided(_scaled(statistic, spread))[:, 0]
    tolerance = 1e-9 + _scaled(TIE_TOLERANCE * scale, spread)[:, 0]
    # From here on pairs are in the order of the steps, the largest t first.
    order = np.argsort(-t, kind="stable")
    threshold = (t - tolerance)[order][:, None]
    counts = np.zeros(len(t), dtype=np.int64)
    for drawn in _of_all_metrics(pseudo_differences):
        pseudo = sided(_scaled(drawn - centre, spread))[order]
        # The largest among this pair and all that come after it, in each resample.
        largest = np.maximum.accumulate(pseudo[::-1], axis=0)[::-1]
        counts += np.count_nonzero(largest >= threshold, axis=1)
    pvalues = (counts + 1) / (pseudo_differences.resampling.n_resamples + 1)
    adjusted = np.empty(len(t))
    adjusted[order] = np.maximum.accumulate(pvalues)
    return adjusted


def _of_all_metrics(pseudo_differences: PseudoDifferences) -> Iterator[FloatArray]:
    """Pseudo-differences of all pairs under all metrics, some resamples at a time.

    Each array is of shape (metrics * pairs, resamples).
    """
    for block in pseudo_differences:
        n_comparisons = sum(map(len, block))
        n_resamples = block[0].shape[1]
        step = max(1, ENTRIES_AT_ONCE // n_comparisons)
        for start in range(0, n_resamples, step):
            part = slice(start, start + step)
            yield np.concatenate([of_metric[:, part] for of_metric in block])


def _spread(
    statistic: FloatArray, centre: FloatArray, pseudo_differences: PseudoDifferences
) -> FloatArray:
    """Root mean square of each pair's pseudo-differences, shape (metrics * pairs, 1).

    The observed difference is one of the shuffles that the null hypothesis makes equally likely,
    so it takes part.  A standard error of the observed arrangement alone favours that one: it
    made false claims in 9 % of simulated test sets (8 systems, 60 segments) at a level of 5 %.
    """
    squares = (statistic - centre) ** 2
    for drawn in _of_all_metrics(pseudo_differences):
        squares += ((drawn - centre) ** 2).sum(axis=1, keepdims=True)
    return np.sqrt(squares / (pseudo_differences.resampling.n_resamples + 1))


def _scaled(values: FloatArray, spreads: FloatArray) -> FloatArray:
    """`values` over spreads; pairs without any variation stay at zero."""
    return np.divide(values, spreads, out=np.zeros_like(values), where=spreads > 0)


def note_on_few_resamples(
    design: Design, correction: str | None, n_comparisons: int, alpha: float
) -> tuple[Note, ...]:
    """A note if so many resamples cannot distinguish any pair at `alpha`.

    Examples
    --------
    >>> design = Design(ResamplingOptions(test="paired-bootstrap", n_resamples=2000))
    >>> note_on_few_resamples(design, "holm", 66, 0.05)[0].values["smallest"]
    '0.0660'
    >>> note_on_few_resamples(design, "holm", 66, 0.05)[0].values["needed"]
    2639
    """
    options = design.options
    n_resamples = design.looks[-1]
    needs_resamples = correction in OF_RESAMPLES
    n_tails = 1 if needs_resamples else len(options.procedure.tails(options.alternative))
    factor = n_comparisons if correction in NEED_SMALL_PVALUES else 1
    # With no resample as extreme, p is 1 / (R + 1), times the tails and the factor.
    needed = max(1, math.ceil(n_tails * factor / alpha - 1 - 1e-9))
    if n_resamples >= needed:
        return ()
    if needs_resamples:
        smallest = 1 / (n_resamples + 1)
    else:
        smallest_of_pair = min(1.0, n_tails * float(options.rule.pvalue(0, n_resamples)))
        pvalues = np.full(n_comparisons, smallest_of_pair)
        smallest = float(adjust_pvalues(pvalues, correction).min())
    few = note(
        "few-resamples",
        test=correction or "a test",
        n=n_comparisons,
        alpha=alpha,
        n_resamples=n_resamples,
        smallest=format_pvalue(smallest),
        needed=needed,
    )
    return (few,)


def note_on_arrangements(done: Run, correction: str | None, alpha: float) -> Note | None:
    """A note if all pairs together have too few arrangements to distinguish any of them."""
    options = done.design.options
    if options.procedure.kind != "shuffle" or correction in OF_RESAMPLES:
        return None
    n_tails = 2 if options.alternative == "two-sided" else 1
    n_differing = np.concatenate(done.differing)
    # The p-values of the most extreme of all 2**k arrangements.
    smallest_of_pairs = np.minimum(1.0, n_tails * 0.5 ** n_differing.astype(np.float64))
    smallest = adjust_pvalues(smallest_of_pairs, correction).min()
    if smallest <= alpha or not n_differing.any():
        return None
    n_comparisons = len(n_differing)
    unit = done.statistics[0].unit
    most_differing = int(n_differing.max())
    none = "this pair could not"
    corrected = ""
    if n_comparisons > 1:
        none = f"none of these {n_comparisons} comparisons could"
        corrected = f" corrected by {correction}" if correction else ""
    instead = f"more {unit} are needed"
    if smallest_of_pairs.min() <= alpha:  # it is the correction that asks too much
        instead = Sentence(Option("correction", "westfall-young"), " could")
    return note(
        "few-arrangements",
        none=none,
        alpha=alpha,
        units=f"{most_differing:,} {unit}",
        most=2**most_differing,
        corrected=corrected,
        smallest=format_pvalue(float(smallest)),
        instead=instead,
    )


class _PValues(NamedTuple):
    """The p-values of some comparisons with their Monte Carlo limits, each (comparisons,)."""

    pvalue: FloatArray
    low: FloatArray
    high: FloatArray


def adjusted_pvalues(done: Run, correction: str | None) -> dict[str, Any]:
    """The p-values of all pairs under all metrics, as counted and corrected, with their limits.

    Returns
    -------
    dict of str to ndarray, each of shape (metrics * pairs,)
        pvalue, pvalue_low, pvalue_high; the same of ``pvalue_adjusted``; and at_floor, whether p is
        as small as the resamples allow, so that it may be smaller still.
    """
    pvalue = np.concatenate([tally.pvalues for tally in done.tallies])
    low = np.concatenate([tally.limits[0] for tally in done.tallies])
    high = np.concatenate([tally.limits[1] for tally in done.tallies])
    if correction not in OF_RESAMPLES:
        return adjusted_together(pvalue, low, high, correction)
    adjusted = _by_resamples(done, correction)
    n = done.draws.resampling.n_resamples
    # They are (c + 1) / (R + 1), except those that were enumerated.
    count_and_one = np.rint(adjusted * (n + 1)).astype(np.int64)
    count = np.clip(count_and_one - 1, 0, n)
    adjusted_low, adjusted_high = clopper_pearson(count, n, done.design.look_level)
    at_floor = adjusted * (n + 1) <= 1 + 1e-9
    return _columns_of_pvalues(
        _PValues(pvalue, low, high), _PValues(adjusted, adjusted_low, adjusted_high), at_floor
    )


def adjusted_together(
    pvalue: FloatArray, low: FloatArray, high: FloatArray, correction: str | None
) -> dict[str, Any]:
    """p-values and their limits, corrected by themselves alone; see `adjusted_pvalues`."""
    adjusted = _PValues(
        adjust_pvalues(pvalue, correction),
        adjust_pvalues(low, correction),
        adjust_pvalues(high, correction),
    )
    at_floor = low == 0  # no resample was extreme
    if correction is not None:
        # A step-down correction lifts the next ones to the same value.
        largest_at_floor = adjusted.pvalue[at_floor].max(initial=0.0)
        at_floor |= adjusted.pvalue <= largest_at_floor * (1 + 1e-12)
    return _columns_of_pvalues(_PValues(pvalue, low, high), adjusted, at_floor)


def _columns_of_pvalues(single: _PValues, adjusted: _PValues, at_floor: Mask) -> dict[str, Any]:
    """The columns that `adjusted_pvalues` returns; `single` p-values are not corrected."""
    return {
        "pvalue": single.pvalue,
        "pvalue_low": single.low,
        "pvalue_high": single.high,
        "pvalue_adjusted": adjusted.pvalue,
        "pvalue_adjusted_low": adjusted.low,
        "pvalue_adjusted_high": adjusted.high,
        "at_floor": at_floor,
    }


def _by_resamples(done: Run, correction: str | None) -> FloatArray:
    """Adjusted p-values by a correction that needs the resamples themselves."""
    options = done.design.options
    observed = [tally.observed for tally in done.tallies]
    if correction == "tukey":
        ranges = null_ranges(
            done.statistics,
            n_resamples=done.draws.resampling.n_resamples,
            seed=options.seed,
            executor=options.executor,
        )
        return np.concatenate(tukey_pvalues(observed, ranges))
    adjusted = step_down(
        observed,
        done.draws,
        centred=correction == "romano-wolf",
        studentized=options.procedure.studentized,
        alternative=options.alternative,
    )
    # Sampled, they may fall a little below a p-value that was enumerated.
    return np.maximum(adjusted, np.concatenate([tally.pvalues for tally in done.tallies]))


def straddling(table: Columns | Rows, alpha: float) -> Mask:
    """The pairs of a table whose adjusted limits leave both conclusions possible, as a mask."""
    may_reject = np.asarray(table["pvalue_adjusted_low"]) <= alpha
    may_not_reject = np.asarray(table["pvalue_adjusted_high"]) > alpha
    return may_reject & may_not_reject
