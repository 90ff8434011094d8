"""The resampling tests for one pair of systems.

All take sufficient statistics and two systems' names, and return a :class:`PairResult`.  What the
tests do is in :mod:`mtsig_nb.engine.procedures`, side by side; how resamples are drawn and summed
in :mod:`mtsig_nb.engine.resampling`; how they are counted in :mod:`mtsig_nb.engine.counting`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np

from ..engine.counting import Counting
from ..engine.options import Design, ResamplingOptions
from ..engine.procedures import Alternative, Procedure
from ..engine.resampling import RNG
from ..engine.tallies import PAIR, Tally, run
from ..errors import InputError
from ..metrics.base import ArrayLike, FloatArray, Mask
from ..notes import Note, note
from ..sentences import Option, Sentence
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .actual_size import FEWEST, MIXES_NOTHING, USUAL, ActualSize, notes_on_sizes
from .corrections import standard_errors
from .results import PairResult, notes_on_degenerate, pair_fields, test_fields

#: A pair on fewer units has a note on their number.
FEW_UNITS = 50


class PitfallWarning(UserWarning):
    """A published procedure was used that does not do what its authors say.

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
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Test two systems by exchanging their outputs at random.

    The null hypothesis is that the two outputs of any set of units might as well have been
    exchanged, as if a separate fair coin had decided in every unit which system produced which
    output.  If so, the observed difference is an ordinary one among those of all exchanges.  Where
    the segments of a document resemble each other, the hypothesis may be true of documents and
    false of segments.  Segments as units then find far too many differences.

    Given the test set, the test is exact for that hypothesis: p is at most alpha in at most alpha
    of all cases, whether exchanges are sampled or enumerated (Phipson & Smyth 2010).  This needs a
    rule that counts ties and adds the observed difference to the extreme ones, as ``"add-one"``
    does.  The test says nothing about other test sets, domains or training runs.

    Systems may be equally good without being exchangeable, and nobody has assigned outputs to
    systems at random.  For a mean to which every unit has the same weight for both systems, the
    test is then an approximation that more units improve.  For other scores it need not be one.

    * If weights differ between the systems, an exchange moves them as well.  Shuffled differences
      may then spread less than the difference does over test sets.
    * If one output is a little shorter than the references and the other longer, an exchange mixes
      the lengths, and the same may happen to BLEU.

    In some worlds of equally good systems the test then errs several times as often as its level
    allows, with any number of units; in others it keeps its level.  If shuffles seem to spread
    differently from the difference, a note says so and names :func:`sign_flip_test`, which
    exchanges no outputs.  The note appears for most such test sets, but not for all.  How often
    each test errs: ``docs/trust/small-p-values.md``.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative : {"two-sided", "greater", "less"}
        ``"two-sided"`` asks whether the systems differ, ``"greater"`` whether `system_a` is
        better, ``"less"`` whether it is worse.  Choosing the side after seeing the scores doubles
        the error rate.
    n_resamples : int
        Number of shuffles to draw.  With the default `counting`, no p-value of sampled shuffles is
        below ``1 / (n_resamples + 1)``.
    rng : None, int or Generator
        Seed; None takes fresh entropy.  The result keeps the seed.
    counting : str or Counting
        ``"add-one"``, ``"plain"``, ``"stroppa"``, ``"strict"`` or a rule of your own; see
        :mod:`mtsig_nb.engine.counting`.  A rule with ``>`` is never enumerated.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is exchanged as a whole.
    exact : bool, optional
        True enumerates all 2**k exchanges of the k units in which the systems differ (k at most
        20), False always samples; None enumerates where that is less work than sampling.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Workers to draw on; the result does not depend on them.  See ``docs/many-machines.md``.

    Returns
    -------
    PairResult

    Raises
    ------
    InputError
        For an unknown system, alternative, counting rule or unit, or when `exact` is impossible.

    References
    ----------
    Noreen 1989; Riezler & Maxwell 2005, Figure 1; Graham, Mathur & Baldwin 2014, Figure 2; Phipson
    & Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.approximate_randomization(bleu, "uedin-wmt12", "QCRI--primary", rng=2014)
    >>> r.pvalue < 0.01, r.conclusion(alpha=0.01)
    (True, 'better')
    """
    options = ResamplingOptions(
        test="approximate-randomization",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def sign_flip_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Test two systems by flipping the signs of what each unit contributes to their difference.

    The null hypothesis is that the expected scores on test sets like this one are equal.  It is
    not that the outputs are exchangeable, as it is for :func:`approximate_randomization`, which
    asks for more than equal scores.  If the score is a mean in which every unit has the same weight
    for both systems, the two tests are the same.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative, n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`; the same seed tosses the same coins.

    Returns
    -------
    PairResult
        Its `null_distribution` has the sums of contributions with random signs.

    Raises
    ------
    InputError
        As :func:`approximate_randomization` does.

    Notes
    -----
    Let D be the difference of the scores and ``v_i`` the influence of unit i on system A's score
    less its influence on B's, each at the system's own totals.  Only units whose outputs differ
    have a sign to flip.  The difference between D and the sum of their influences is shared out
    among them by size: by weight in a mean, by number of segments elsewhere.  So

        z_i = v_i + (size_i / sum of sizes) * (D - sum of v),

    where both sums are over units whose outputs differ, and the z add up to D.  With fair signs s
    the sums ``sum(s * z)`` have mean zero and variance ``sum(z ** 2)``.  Units whose outputs are
    the same add to the variance of D where the two scores bend differently, and where their mean
    influence is not that of the others, since their number is random.  The sums are stretched to
    allow for this.  The derivation is in :mod:`mtsig_nb.engine.sign_flips`.

    With k units whose outputs differ there are ``2 ** k`` arrangements, as in approximate
    randomization, and few units are enumerated.  Enumerated, no two-sided p-value is below
    ``2 ** (1 - k)``, and no one-sided one below ``2 ** -k``.  With ``exact=False``, or a rule that
    does not count ties, p may be smaller.  For a weighted mean, even one whose weights differ
    between systems, a constant added to all scores changes nothing.  For a macro average and for
    :func:`test_sets`, z is computed in each test set and averaged.

    If all outputs differ, ``sum(z ** 2)`` estimates the variance of D over test sets, to first
    order and under the null hypothesis; if some are the same and units are of one size, the
    stretched sum does so.  The estimate is good if units are many and independent, and the score
    has no kink nearby.  Near a kink, influences are those of the side on which the test set is,
    while other test sets are on the other side.  If two outputs are close to a kink and are the
    same in most units, the test may err far too often; ``docs/trust/small-p-values.md`` has such a
    world.

    The test is akin to that of Hemerik, Goeman & Finos (2020), who flip the signs of units'
    contributions to the score of a generalised linear model, the derivative of its log-likelihood.
    For a mean of equal weights the two are the same, and exact if the differences of units are
    independent and symmetric about zero.  The influences of a metric, their shift and the
    stretching are ours.  With them, the test is at best exact in the limit of many units, as theirs
    is if nuisance parameters are estimated.

    Exchanging the outputs themselves gives another variance, that of scores at the *pooled* totals.
    For a mean with the same weights for both systems, the two variances are the same.  Otherwise
    they may differ, and a permutation test of equal scores then needs a statistic whose limit does
    not depend on other differences (Janssen 1997; Chung & Romano 2013).  BLEU, with its kink where
    outputs are as long as the references, is such a case.

    References
    ----------
    Janssen 1997, Statistics & Probability Letters 36; Chung & Romano 2013, Annals of Statistics 41;
    Hemerik, Goeman & Finos 2020, Journal of the Royal Statistical Society B 82.

    Examples
    --------
    One system is as long as the references and the other longer, and exchanging outputs mixes them:

    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt21/zh-en").statistics("BLEU")
    >>> tests = mt.approximate_randomization, mt.sign_flip_test, mt.bootstrap_test
    >>> [round(test(bleu, "XMU", "IIE-MT", rng=1).pvalue, 2) for test in tests]
    [0.02, 0.25, 0.14]
    """
    options = ResamplingOptions(
        test="sign-flip",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def bootstrap_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Test two systems by a bootstrap shifted to the null hypothesis.

    The null hypothesis is that the expected difference over test sets like this one is zero.
    Units are drawn with replacement; the *signed* differences are shifted so that their mean is
    zero and then compared with the observed one, in both tails (Graham et al. 2014, Figure 1) or
    in one (Figure 3).

    The test comes close to its level with many independent units, of which none outweighs the
    others, if the score has no kink nearby: BLEU has one where an output is as long as the
    references.  Measured sizes: ``docs/trust/best-to-worst.md``.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative, n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`; bootstraps cannot be enumerated.

    Returns
    -------
    PairResult

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
    options = ResamplingOptions(
        test="bootstrap",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def paired_bootstrap(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Koehn's paired bootstrap: how often the other system wins on a resampled test set.

    One-sided by construction: with ``alternative="greater"`` the p-value is the share of
    resamples in which `system_a` is not better, so that "better in 95 % of them" is p = 0.05.  The
    default `counting` adds one to both numbers of this share.  ``"two-sided"`` doubles the smaller
    of the two shares.  The paper does not, but it is needed whenever the winner was picked after
    looking.  No such p-value is below ``2 / (n_resamples + 1)``.  Measured sizes:
    ``docs/trust/best-to-worst.md``.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative, n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`; bootstraps cannot be enumerated.

    Returns
    -------
    PairResult
        Its `null_distribution` is centred on the observed difference, not on zero.

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
    options = ResamplingOptions(
        test="paired-bootstrap",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def studentized_bootstrap(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Test two systems by bootstrap-t: differences in standard errors of their own.

    The null hypothesis is that of :func:`bootstrap_test`, that the expected difference over test
    sets like this one is zero.  Units are drawn with replacement.  For each resample, its
    difference minus the observed one is divided by the *resample's* standard error (see Notes), and
    compared with the observed difference divided by the test set's standard error.  If few units
    decide, a test set that happens to have few of them shows a small difference and a small
    standard error: the two go together, in resamples as in test sets.  The shift method does not
    allow for that.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    alternative, n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`; bootstraps cannot be enumerated.

    Returns
    -------
    PairResult
        Its `statistic` is the difference; `advantage` and `null_distribution` are t-values.

    Notes
    -----
    A standard error is computed from the influence of every unit on the difference (the change when
    it is left out of the test set) and from how often the unit was drawn.  For a mean of equal
    weights this is the usual standard error of the resample.  For units of unequal weight, and for
    other scores, it is not quite that: influences are those of the test set, and are not computed
    anew in each resample.

    A resample whose units are all alike has no standard error.  Unless its difference is the
    observed one, it counts as infinitely far from it, on the side of its difference.  A note says
    how many there were.

    On the same resamples, the two-sided test and :func:`confidence_interval` with
    ``method="bootstrap-t"`` agree.

    If differences are skewed, it mostly errs less often than the other tests.  With few documents
    of unequal weight and strong skewness, it errs about as often as approximate randomization; with
    strongly skewed differences and few units, it also errs too often.  The price is power: a few
    outlying segments raise the standard error more than the difference.  With about a dozen units,
    it may find a third of what the shift method finds, and less if there are outlying segments on
    both sides.  With about a hundred units the two are alike.  The error rates of all tests are
    compared in docs/trust/best-to-worst.md.

    One-sided, it keeps its level less well, since the errors of the two tails do not cancel.  If
    units are of unequal weight, this is so even if nothing is skewed: the influences are those of
    the test set.  With log-normal weights and 30 units the one-sided test erred about twice as
    often as its level allows, and the two-sided one no more often than its level
    (tests/significance/test_conditions.py).

    For a mean of equal weights, studentising approximate randomization would change nothing: the
    sum of squared differences does not change with the signs, so each shuffle's t-value is an
    increasing function of its mean.

    References
    ----------
    Hall 1988; Hall & Wilson 1991; Efron & Tibshirani 1993, section 12.5.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.studentized_bootstrap(bleu, "onlineC", "onlineD", n_resamples=2000, rng=1)
    >>> r.conclusion()
    'indistinguishable'
    """
    options = ResamplingOptions(
        test="studentized-bootstrap",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def riezler_maxwell_bootstrap(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    warn: bool = True,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """The bootstrap test exactly as printed in 2005: the shift-to-zero pitfall.

    It averages *absolute* differences, subtracts that mean from the absolute differences, and
    counts how many reach the observed absolute difference.  Only one tail is left to count, yet
    the result is presented as a two-sided p-value.  It is too small.  If the resampled differences
    are normal, it is between a third and a half of the correct p-value, and near a half if it is
    small; if they are skewed, it is another share.  Use :func:`bootstrap_test`; this function is
    here for comparison.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    warn : bool
        Whether to issue a `PitfallWarning`.
    alternative : {"two-sided"}
        There is no other.
    n_resamples, rng, counting, units, exact, executor
        As in :func:`approximate_randomization`; bootstraps cannot be enumerated.

    Returns
    -------
    PairResult

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
            "as two: its p-values are too small, a third to a half of what they should be where "
            "the resampled differences are normal. Use bootstrap_test.",
            PitfallWarning,
            stacklevel=2,
        )
    options = ResamplingOptions(
        test="riezler-maxwell-bootstrap",
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def run_test(
    test: str | Procedure,
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 10_000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = None,
    executor: Executor | None = None,
) -> PairResult:
    """Run the test that `test` names on one pair.

    All other parameters are those of :func:`approximate_randomization`.
    """
    options = ResamplingOptions(
        test=test,
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    return run_pair(statistics, system_a, system_b, options)


def run_pair(
    statistics: SufficientStatistics, system_a: str, system_b: str, options: ResamplingOptions
) -> PairResult:
    """Run the test that the options describe on one pair."""
    procedure = options.procedure
    design = Design(options)
    selected = select_pair(statistics, system_a, system_b)
    done = run(design, [selected], [PAIR], keep=True)
    (pair,) = done.statistics  # in the units of the test
    (tally,) = done.tallies
    (n_differing,) = done.differing[0].tolist()
    actual_size = ActualSize.of(
        pair, PAIR, done.differing[0], procedure, options.alternative, tally
    )
    resampled, null = _resampled_and_null(tally, procedure)
    low, high = tally.limits
    advantage = None
    if procedure.studentized:
        advantage = float(tally.observed.statistic[0])
    fields = test_fields(design, pair) | pair_fields(pair)
    fields["n_resamples"] = int(tally.n_resamples[0])  # or arrangements, if all were enumerated
    return PairResult(
        **fields,
        pvalue=float(tally.pvalues[0]),
        pvalue_interval=(float(low[0]), float(high[0])),
        null_distribution=null,
        resampled=resampled,
        extreme=_extreme(null, tally, options),
        count=int(tally.counts[0]),
        exact=bool(tally.exact[0]),
        n_differing=n_differing,
        procedure=procedure,
        advantage=advantage,
        size_at_05=actual_size.one_at(USUAL),
        notes=_notes_on_result(pair, n_differing, actual_size, tally, options),
    )


def _resampled_and_null(tally: Tally, procedure: Procedure) -> tuple[FloatArray, FloatArray]:
    """The resamples of a single pair, and the null values made of them, each (n_resamples,)."""
    assert tally.pseudo is not None  # it was asked for
    (resampled,) = tally.pseudo
    mean = None if tally.mean is None else tally.mean[0]
    return resampled, procedure.null(resampled, mean)


def _extreme(null: FloatArray, tally: Tally, options: ResamplingOptions) -> Mask:
    """Which null values of a single pair are extreme; those of the smaller tail if p doubles it."""
    procedure = options.procedure
    observed = tally.observed.statistic[0]
    reaches = partial(options.rule.reaches, scale=tally.observed.scale[0])
    extreme_by_tail = []
    for tail in procedure.tails(options.alternative):
        extreme_by_tail.append(procedure.extreme(null, observed, tail, reaches))
    return min(extreme_by_tail, key=np.count_nonzero)


def _notes_on_result(
    pair: SufficientStatistics,
    n_differing: int,
    actual_size: ActualSize,
    tally: Tally,
    options: ResamplingOptions,
) -> tuple[Note, ...]:
    """All notes on the test of a single pair: its scores, its size, its resamples, its units."""
    estimated = actual_size if options.procedure.valid else None
    n_degenerate = int(tally.degenerate[0])
    n_resamples = int(tally.n_resamples[0])
    return (
        *pair.caveats,
        *notes_on_pair(pair, n_differing, estimated, options.rule),
        *notes_on_degenerate(n_degenerate, n_resamples, pair.unit),
        *documents_note(pair),
    )


def select_pair(
    statistics: SufficientStatistics, system_a: str, system_b: str
) -> SufficientStatistics:
    """The statistics of two systems, which must not be the same one."""
    if system_a == system_b:
        raise InputError(f"system_a and system_b are both {system_a!r}; a test needs two systems.")
    return statistics.select([system_a, system_b])


def notes_on_pair(
    pair: SufficientStatistics,
    n_differing: int,
    actual_size: ActualSize | None = None,
    rule: Counting | None = None,
) -> tuple[Note, ...]:
    """What a reader should know about a pair before relying on its p-value.

    Parameters
    ----------
    pair : SufficientStatistics
    n_differing : int
        In how many units the two outputs differ.
    actual_size : ActualSize, optional
        How often the test errs on such a pair, where that is estimated.
    rule : Counting, optional
        How resamples are counted, where there are any.

    Returns
    -------
    tuple of Note
        The gravest alone; none where nothing is amiss.
    """
    n_units = int(pair.present.sum())
    if n_differing == 0:
        return (note("identical", n=n_units, unit=pair.unit),)
    if n_differing < FEWEST:
        return (_note_on_few_differing(pair, n_differing, actual_size, rule),)
    if actual_size is not None:
        on_size = notes_on_sizes([actual_size], [""], USUAL)
        if on_size:
            return on_size
        if actual_size.off[0]:
            return (actual_size.mixing(0, MIXES_NOTHING),)
    if n_units < FEW_UNITS:
        return (note("few-units", n=n_units, unit=pair.unit),)
    return ()


def _note_on_few_differing(
    pair: SufficientStatistics,
    n_differing: int,
    actual_size: ActualSize | None,
    rule: Counting | None,
) -> Note:
    """That few outputs differ, and that smaller p than exchanges of them allow mean nothing."""
    n_units = int(pair.present.sum())
    all_differ = n_differing == n_units
    smallest = 2.0 ** (1 - n_differing)  # the two-sided p-value of the most extreme exchange
    can_never_reject = smallest > USUAL
    test = None if actual_size is None else actual_size.test
    draws_units = test is not None and test.kind == "bootstrap"
    leaves_out_ties = rule is not None and rule.comparator == ">"
    code = "few-differ"
    if can_never_reject and draws_units:
        code = "few-differ-bootstrap"
    elif can_never_reject and leaves_out_ties:
        code = "few-differ-strict"
    elif all_differ:
        return note("few-units", n=n_units, unit=pair.unit)
    return note(
        code,
        unit=pair.unit,
        smallest=smallest,
        differing=n_differing,
        n=n_units,
        share=f"all {n_units:,}" if all_differ else f"only {n_differing} of {n_units:,}",
    )


def documents_note(*statistics: SufficientStatistics) -> tuple[Note, ...]:
    """What to say where segments are resampled although documents are known.

    Parameters
    ----------
    *statistics : SufficientStatistics
        One for each metric, all on the same segments.

    Returns
    -------
    tuple of Note
        One note with the ratio of the two standard errors, the median over all pairs of systems
        and metrics; none where documents are the units or are not known.
    """
    first_metric = statistics[0]
    if first_metric.unit != "segments" or first_metric.documents is None:
        return ()
    n_documents = len(set(first_metric.documents.tolist()))
    ratios = np.empty(0)
    # A single document has no spread, nor has one that lies in two strata or alone in its own.
    with contextlib.suppress(InputError):
        ratios = _ratios_by_document(statistics)
    if not len(ratios):
        return (note("documents-ignored", n=n_documents, more=""),)
    larger = (
        f"standard errors of the differences are {np.median(ratios):.2f} times as large "
        f"(median; at most {ratios.max():.2f})"
    )
    if len(ratios) == 1:
        larger = f"the standard error of the difference is {ratios[0]:.2f} times as large"
    more = Sentence(f": with documents as units {larger}; use ", Option("units", "documents"))
    return (note("documents-ignored", n=n_documents, more=more),)


def _ratios_by_document(statistics: Sequence[SufficientStatistics]) -> FloatArray:
    """Standard errors with documents as units over those with segments, where both are known.

    All pairs under one metric, then all under the next.
    """
    ratios = []
    for s in statistics:
        pairs = pair_indices(len(s.systems))
        by_document = standard_errors(s.by_unit("documents"), pairs)
        by_segment = standard_errors(s, pairs)
        known_by_segment = np.where(by_segment > 0, by_segment, np.nan)
        ratios.append(by_document / known_by_segment)
    ratios_of_all = np.concatenate(ratios)
    return ratios_of_all[np.isfinite(ratios_of_all)]
