"""The published tests for one pair of systems.

All take sufficient statistics and two systems' names, and return a :class:`TestResult`.  What the
tests do is in :mod:`mtsig_nb.engine.procedures`, side by side; how resamples are drawn and summed
in :mod:`mtsig_nb.engine.resampling`; how they are counted in :mod:`mtsig_nb.engine.counting`.
"""

from __future__ import annotations

import warnings
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.counting import Counting, counting_rule
from ..engine.procedures import Alternative, Procedure, procedure_named
from ..engine.resampling import RNG, Resampling, check_n_resamples, seed_from
from ..engine.tallies import (
    LARGEST_EXACT,
    Advantages,
    all_arrangements,
    differing_units,
    enumerate_pairs,
    exact_pairs,
    tally,
)
from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .design_effects import documents_note
from .results import TestResult

#: The one pair of statistics of two systems.
PAIR = (np.array([0]), np.array([1]))


class PitfallWarning(UserWarning):
    """A published procedure was used that does not do what it says.

    Examples
    --------
    >>> import warnings
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = mt.riezler_maxwell_bootstrap(bleu, "onlineC", "onlineD", n_resamples=100, rng=1)
    >>> caught[0].category.__name__
    'PitfallWarning'
    """


def approximate_randomization(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | npt.ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> TestResult:
    """Test two systems by exchanging their outputs at random.

    The null hypothesis is that, within every unit, the two outputs might as well have been
    produced the other way round: they are exchangeable.  If so, the observed difference is an
    ordinary one among those of all exchanges.  The test is exact for that hypothesis, given the
    test set; it says nothing about other test sets, domains or training runs.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative : {"two-sided", "greater", "less"}
        ``"two-sided"`` asks whether the systems differ, ``"greater"`` whether `system_a` is
        better, ``"less"`` whether it is worse.  Choosing the side after seeing the scores doubles
        the error rate.
    n_resamples : int
        Shuffles to draw; the smallest possible p-value is ``1 / (n_resamples + 1)``.
    rng : None, int or Generator
        Seed; None takes fresh entropy.  The result remembers it.
    counting : str or Counting
        ``"add-one"``, ``"plain"``, ``"stroppa"``, ``"strict"`` or a rule of your own; see
        :mod:`mtsig_nb.engine.counting`.  A rule with ``>`` is never enumerated.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is exchanged as a whole.
    exact : bool, optional
        True enumerates all 2**k exchanges of the k units in which the systems differ (k at most
        20), False always samples; None enumerates where that is less work than sampling.
    executor : concurrent.futures.Executor, optional
        Workers to draw on; the result does not depend on them.

    Returns
    -------
    TestResult

    Raises
    ------
    InputError
        For an unknown system, alternative, counting rule or unit, or when `exact` is impossible.

    References
    ----------
    Noreen 1989; Riezler & Maxwell 2005, Figure 1; Graham, Mathur & Baldwin 2014, Figure 2.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.approximate_randomization(bleu, "uedin-wmt12", "QCRI--primary", rng=2014)
    >>> r.pvalue < 0.01, r.conclusion(alpha=0.01)
    (True, 'better')
    """
    return run_test(
        "approximate-randomization",
        statistics,
        system_a,
        system_b,
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )


def bootstrap_test(
    statistics: SufficientStatistics, system_a: str, system_b: str, **options: Any
) -> TestResult:
    """Test two systems by a bootstrap shifted to the null hypothesis.

    The null hypothesis is that the expected difference over test sets like this one is zero.
    Units are drawn with replacement; the *signed* differences are shifted so that their mean is
    zero and then compared with the observed one, in both tails (Graham et al. 2014, Figure 1) or
    in one (Figure 3).

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    **options
        `alternative`, `n_resamples`, `rng`, `counting`, `units`, `executor` as in
        :func:`approximate_randomization`.

    Returns
    -------
    TestResult

    References
    ----------
    Noreen 1989; Efron & Tibshirani 1993, chapter 16; Graham, Mathur & Baldwin 2014, Figs 1 and 3.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> mt.bootstrap_test(bleu, "onlineC", "onlineD", n_resamples=2000, rng=1).conclusion()
    'indistinguishable'
    """
    return run_test("bootstrap", statistics, system_a, system_b, **options)


def paired_bootstrap(
    statistics: SufficientStatistics, system_a: str, system_b: str, **options: Any
) -> TestResult:
    """Koehn's paired bootstrap: how often the other system wins on a resampled test set.

    One-sided by construction: with ``alternative="greater"`` the p-value is the share of
    resamples in which `system_a` is not better, so that "better in 95 % of them" is p = 0.05.
    ``"two-sided"`` doubles the smaller of the two shares, which the paper does not, and which is
    needed whenever the winner was picked after looking.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    **options
        `alternative`, `n_resamples`, `rng`, `counting`, `units`, `executor` as in
        :func:`approximate_randomization`.

    Returns
    -------
    TestResult
        Its `null_distribution` lies around the observed difference, not around zero.

    References
    ----------
    Koehn 2004, section 6; Graham, Mathur & Baldwin 2014, Figure 4.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.paired_bootstrap(bleu, "onlineB", "UPC", alternative="greater", rng=1)
    >>> r.count
    0
    """
    return run_test("paired-bootstrap", statistics, system_a, system_b, **options)


def riezler_maxwell_bootstrap(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    warn: bool = True,
    **options: Any,
) -> TestResult:
    """The bootstrap test exactly as printed in 2005: the shift-to-zero pitfall.

    It averages *absolute* differences, subtracts that mean from the absolute differences, and
    counts how many reach the observed absolute difference.  Only one tail is left to count, yet
    the result is presented as a two-sided p-value.  It is too small: about half of what it should
    be where the resampled differences are symmetric, another share where they are skewed.  Use
    :func:`bootstrap_test`; this function is here to be compared with.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    warn : bool
        Whether to issue a `PitfallWarning`.
    **options
        `n_resamples`, `rng`, `counting`, `units`, `executor` as in
        :func:`approximate_randomization`; only ``alternative="two-sided"`` exists.

    Returns
    -------
    TestResult

    References
    ----------
    Riezler & Maxwell 2005, Figure 2; Graham, Mathur & Baldwin 2014, section 3.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> pair = "onlineC", "onlineD"
    >>> printed = mt.riezler_maxwell_bootstrap(bleu, *pair, warn=False, rng=1)
    >>> printed.pvalue < mt.bootstrap_test(bleu, *pair, rng=1).pvalue
    True
    """
    if warn:
        warnings.warn(
            "the bootstrap as printed in Riezler & Maxwell (2005) counts one tail and reports it "
            "as two: its p-values are too small, by about half where the resampled differences are "
            "symmetric. Use bootstrap_test.",
            PitfallWarning,
            stacklevel=2,
        )
    return run_test("riezler-maxwell-bootstrap", statistics, system_a, system_b, **options)


def run_test(
    test: str | Procedure,
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | npt.ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> TestResult:
    """Run the test of that name on one pair; options as in :func:`approximate_randomization`."""
    procedure = procedure_named(test)
    procedure.tails(alternative)  # before any work is done
    rule = counting_rule(counting)
    check_n_resamples(n_resamples)
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    seed = seed_from(rng)
    differing = differing_units(pair, PAIR)
    enumerated = exact_pairs(procedure, differing, n_resamples, exact, rule)
    if exact:
        check_exact(procedure, int(differing[0]), pair.unit, rule)
    plan = Resampling.of(
        procedure.kind,
        [pair],
        PAIR,
        n_resamples=1 if len(enumerated) else n_resamples,
        seed=seed,
    )
    (result,) = tally(
        procedure,
        [pair],
        Advantages(plan, executor=executor, description=procedure.title, keep=True),
        alternative=alternative,
        counting=rule,
        keep=True,
    )
    if len(enumerated):
        result = enumerate_pairs(
            procedure, pair, PAIR, result, enumerated, alternative=alternative, counting=rule
        )
        resampled = all_arrangements(pair, 0, 1)
    else:
        assert result.pseudo is not None  # it was asked for
        resampled = result.pseudo[0]
    mean = None if result.mean is None else result.mean[0]
    null = procedure.null(resampled, mean)
    observed = result.observed
    tails = procedure.tails(alternative)
    extreme = [
        procedure.extreme(
            null,
            observed.advantage[0],
            tail,
            partial(rule.reaches, scale=observed.scale[0]),
        )
        for tail in tails
    ]
    return TestResult(
        test=procedure.name,
        title=procedure.title,
        draws=procedure.draws,
        system_a=pair.systems[0],
        system_b=pair.systems[1],
        score_a=float(observed.scores[0]),
        score_b=float(observed.scores[1]),
        statistic=float(observed.advantage[0]),
        pvalue=float(result.pvalues[0]),
        pvalue_interval=(float(result.limits[0][0]), float(result.limits[1][0])),
        alternative=alternative,
        null_distribution=null,
        resampled=resampled,
        extreme=min(extreme, key=np.count_nonzero),
        count=int(result.counts[0]),
        n_resamples=int(result.n_resamples[0]),
        counting=rule,
        exact=bool(result.exact[0]),
        rng=seed,
        metric=statistics.label,
        metric_signature=statistics.signature,
        test_set=statistics.test_set,
        unit=pair.unit,
        n_units=pair.n_segments,
        n_differing=int(differing[0]),
        procedure=procedure,
        notes=(*notes_on_pair(pair, int(differing[0])), *documents_note(pair)),
    )


def select_pair(
    statistics: SufficientStatistics, system_a: str, system_b: str
) -> SufficientStatistics:
    """The statistics of two systems, which must not be the same one."""
    if system_a == system_b:
        raise InputError(f"system_a and system_b are both {system_a!r}; a test needs two systems.")
    return statistics.select([system_a, system_b])


def check_exact(procedure: Procedure, differing: int, unit: str, counting: Counting) -> None:
    """Raise `InputError` where ``exact=True`` cannot be done."""
    if procedure.kind != "shuffle":
        raise InputError(
            f"exact=True: the {procedure.title} has too many resamples to enumerate; "
            "approximate randomization can be enumerated."
        )
    if counting.comparator == ">":
        raise InputError(
            "counting: exact=True counts all arrangements as extreme as the observed one, itself "
            "among them; use a rule that counts ties, such as 'add-one'."
        )
    if differing > LARGEST_EXACT:
        raise InputError(
            f"exact=True: the systems differ in {differing} {unit}, which makes 2**{differing} "
            f"arrangements; at most {LARGEST_EXACT} {unit} can be enumerated. Leave exact out to "
            "sample."
        )


def notes_on_pair(pair: SufficientStatistics, differing: int) -> tuple[str, ...]:
    """What a reader should know about a pair before relying on its p-value."""
    if differing == 0:
        return (f"the two outputs are the same in all {pair.n_segments:,} {pair.unit}",)
    if differing < 10:
        return (f"the two outputs differ in only {differing} of {pair.n_segments:,} {pair.unit}",)
    if pair.n_segments < 50:
        return (f"only {pair.n_segments} {pair.unit}: an estimate from few units is unstable",)
    return ()
