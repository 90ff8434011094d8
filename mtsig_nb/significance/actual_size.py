"""How often a test errs, estimated from the data it is used on.

A test at .05 should call equally good systems different in one test set of twenty.  With few units
and skewed differences it does so more often.  How much more often depends on the differences'
skewness g and kurtosis k: approximate randomization at alpha, with the normal quantile z and n
units, errs by

    2 z phi(z) g**2 (z**4 + 2 z**2 - 3) / 18 / n

too often, .25 g**2 / n at .05, and other tests by a little more (Hall 1992;
:mod:`mtsig_nb.engine.edgeworth`).  Both are those of the units' influence values, which are
the differences themselves where the metric is a mean; units of unequal weight have influence in
proportion.

A sample's skewness is too small, and the more so the heavier the tails: the values that make a
distribution skewed are rare, and not in every sample.  `extended` compensates for half of it.

The estimate is for equally good systems, with a mean difference of zero.  If their outputs are also
exchangeable, in any set of units, approximate randomization is exact whatever the estimate says.

Corpus metrics are treated as the means of their influence values.  With a few dozen units this is
close enough for bootstraps and sign flips.  Shuffled outputs are another matter: they make
pseudo-systems between the two.  Where the score bends there, as BLEU does where an output is as
long as its references, their differences may vary less than that of the systems, however many units
there are.  So the spread of the shuffles is compared with the standard error, and the threshold of
approximate randomization is taken in standard errors.  At the bend itself that is a rough guess: a
jackknife has the slope on one side of it, and test sets are on both sides.
``docs/trust/small-p-values.md`` compares estimates with counted rates.

Units are treated as draws from one distribution, even units of unequal weights w, such as
documents.  The skewness that a sample shows by chance is then that of sqrt((sum w**2)**3 / sum
w**6) units of equal weight: of symmetric normal effects its square is 15 / n**2 for n sums of
squares, which is what the estimate takes for errors.  Where that number is below
`FEWEST_OF_EQUAL_WEIGHT` there is no estimate, and a note says that a few units decide.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ..engine.counting import TIE_TOLERANCE
from ..engine.edgeworth import Critical, Shape, extended, scaled, size, student
from ..engine.influence import influence_values
from ..engine.procedures import PROCEDURES, Alternative, Procedure
from ..engine.resampling import Pairs
from ..engine.tallies import Tally
from ..metrics.base import ArrayLike, FloatArray, Indices, IntArray, Mask
from ..notes import Note, note
from ..sentences import Option, Sentence
from ..statistics.sufficient import SufficientStatistics
from .corrections import standard_errors

#: There is a note where a test errs more than so many times as often as its level says.
NOTED = 1.2
#: There is one sooner where a test is studentised: it errs by what the sample does not show, which
#: can only be guessed.  In nine of ten samples of 50 or 100 with a skewness of 3.8 the guess is
#: above this.
NOTED_STUDENTISED = 1.1
#: A test that errs at least so many times as often is unreliable: a verdict says so, and does not
#: call a system better without more words.
UNRELIABLE = 2.0
#: The level that all results have an estimate for.
USUAL = 0.05
#: Pairs that differ in fewer units have no estimate: their skewness is chance.
FEWEST = 10
#: Nor has a test set of fewer units in all.
SMALLEST = 20
#: Nor have units of unequal weight that look as skewed by chance as fewer of equal weight do.  Of
#: normal effects, where randomization errs in .05, with weights like those of WMT12's and WMT21's
#: documents or lognormal ones, estimates have medians of .050 to .055 with 12 and more, and nine in
#: ten are below .085; with 6 to 8, .057 to .069 (tests/significance/test_actual_size.py).
FEWEST_OF_EQUAL_WEIGHT = 12
#: There is a note where the `ActualSize.ratio` of the shuffles' spread is farther from 1.
OFF = 0.1
#: What the note adds about tests that exchange no outputs.
MIXES_NOTHING = Sentence(
    "; ", Option("test", "sign-flip"), " and ", Option("test", "bootstrap"), " mix nothing"
)
#: Shuffles of systems that are more standard errors apart tell nothing of equally good ones.
NEAR = 5.0
#: A spread nearer to the standard error, in its own Monte Carlo errors, is taken for it.
NOISE = 3.0


@dataclasses.dataclass(frozen=True, eq=False)
class ActualSize:
    """How often a test errs on some pairs.

    Attributes
    ----------
    test : Procedure or None
        None is the paired t test.
    sample : Shape
        Of the units' influence values, as they are; NaN where fewer than ten units differ, there
        are fewer than twenty, or a few decide.
    alternative : {"two-sided", "greater", "less"}
    unit : str
    ratio : ndarray, shape (pairs,)
        How widely shuffled outputs spread, in standard errors; 1 where they were not looked at.
    lengths : tuple of str
        Of each pair the lengths of the two outputs in those of the references, where they are
        counted.
    n_effective : float or None
        The effective number of units, where they are so unequal that a few decide.
    """

    test: Procedure | None
    sample: Shape
    alternative: Alternative
    unit: str
    ratio: FloatArray
    lengths: tuple[str, ...] = ()
    n_effective: float | None = None

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        pairs: Pairs,
        differing: IntArray,
        test: Procedure | None,
        alternative: Alternative,
        shuffled: Tally | None = None,
    ) -> ActualSize:
        """How often `test` errs on some pairs of systems.

        Parameters
        ----------
        statistics : SufficientStatistics
            In the units of the test.
        pairs : (ndarray, ndarray), each of shape (pairs,)
        differing : ndarray of int, shape (pairs,)
            In how many units the two outputs differ.
        test : Procedure or None
            None is the paired t test.
        alternative : {"two-sided", "greater", "less"}
        shuffled : Tally, optional
            What was counted of the pairs, for the spread of shuffles if these were drawn.
        """
        n_effective = few_that_decide(statistics)
        if n_effective is not None:
            differing = np.zeros_like(differing)  # so that nothing is estimated
        return cls(
            test=test,
            sample=sample_shape(statistics, pairs, differing),
            alternative=alternative,
            unit=statistics.unit,
            ratio=spread_ratio(statistics, pairs, shuffled),
            lengths=_length_ratios(statistics, pairs),
            n_effective=n_effective,
        )

    @property
    def critical(self) -> Critical:
        """What the test's statistic must exceed; where it exchanges outputs, by their spread."""
        critical = student if self.test is None else self.test.critical
        return scaled(critical, self.ratio) if self.exchanging else critical

    @property
    def exchanging(self) -> bool:
        """Whether the test exchanges outputs, so that it is exact where they are exchangeable."""
        return self.test is not None and self.test.kind == "shuffle" and not self.test.linearises

    @property
    def off(self) -> Mask:
        """Of which pairs the shuffles spread too little or too widely, shape (pairs,)."""
        return self.exchanging & (np.abs(self.ratio - 1) > OFF)

    def at(self, alpha: float) -> FloatArray:
        """The size of the test at `alpha`, shape (pairs,); NaN where nothing is estimated."""
        return size(self.critical, extended(self.sample), alpha, self.alternative)

    def too_large(self, alpha: float) -> Mask:
        """On which pairs the test errs so often that a note says so, shape (pairs,)."""
        return self.at(alpha) > threshold(self.test) * alpha

    def is_unreliable(self, alpha: float) -> Mask:
        """For which pairs a verdict should not rest on the test alone.

        It errs `UNRELIABLE` times as often as it says, or more often.
        """
        valid = self.test is None or self.test.valid
        return valid & (self.at(alpha) >= UNRELIABLE * alpha)

    def one_at(self, alpha: float) -> float | None:
        """The size of the test at `alpha` on the only pair; None where nothing is estimated."""
        (estimate,) = self.at(alpha)
        return None if np.isnan(estimate) else float(estimate)

    def instead(self, other: Procedure) -> ActualSize:
        """How often another test errs on the same pairs."""
        return dataclasses.replace(self, test=other)

    def mixing(self, pair: int, instead: str = "") -> Note:
        """By how much the shuffles of a pair spread too little or too widely, and why."""
        mixed = "make outputs unlike those of either system"
        if self.lengths:
            mixed = f"mix outputs of different lengths ({self.lengths[pair]})"
        return note("mixing", ratio=float(self.ratio[pair]), mixed=mixed, instead=instead)


def note_on_unreliable(size_at_alpha: float, alpha: float) -> Note:
    """How often a test errs that is unreliable at the level `alpha`."""
    values = {"share": percent(size_at_alpha), "level": percent(alpha)}
    return note("unreliable", **values, size=size_at_alpha)


def percent(share: float) -> str:
    """A share as prose has it.

    >>> percent(0.05), percent(0.3442), percent(0.0125)
    ('5 %', '34 %', '1.2 %')
    """
    digits = ".0f" if share >= 0.1 else ".2g"
    return f"{100 * share:{digits}} %"


def threshold(test: Procedure | None) -> float:
    """How many times as often as its level says a test may err before a note says so."""
    return NOTED_STUDENTISED if test is not None and test.studentized else NOTED


def sample_shape(statistics: SufficientStatistics, pairs: Pairs, differing: IntArray) -> Shape:
    """Skewness and kurtosis of the units' influence values on the pairs' differences.

    `differing` says in how many units the outputs of each pair differ; NaN where these are few.
    """
    skewness = np.full(len(differing), np.nan)
    kurtosis = np.full(len(differing), np.nan)
    present = statistics.present
    n_units = int(present.sum())
    enough = np.flatnonzero((differing >= FEWEST) & (n_units >= SMALLEST))
    if not len(enough):
        return Shape(n_units, skewness, kurtosis)
    influence = influence_values(statistics)
    if n_units < statistics.n_segments:
        influence = influence[:, present]
    # Of each system the largest influence of a unit, up or down.
    largest = np.maximum(influence.max(axis=1), -influence.min(axis=1))
    systems_a, systems_b = pairs
    for k in enough:
        a = systems_a[k]
        b = systems_b[k]
        values = statistics.metric.direction * (influence[a] - influence[b])
        # What is left of a difference that is the same everywhere is rounding.
        rounding = TIE_TOLERANCE * max(largest[a], largest[b])
        if np.abs(values).max() > max(rounding, statistics.metric.grid_error / n_units):
            squares = np.square(values)
            variance = squares.mean()
            third_moment = (squares @ values) / len(values)
            fourth_moment = (squares @ squares) / len(values)
            skewness[k] = third_moment / variance**1.5
            kurtosis[k] = fourth_moment / variance**2 - 3
    return Shape(n_units, skewness, kurtosis)


def few_that_decide(statistics: SufficientStatistics) -> float | None:
    """The effective number of units of unequal weight, if so few of them decide.

    So many units of equal weight would look as skewed by chance.  None where that is
    `FEWEST_OF_EQUAL_WEIGHT` or more, and where all weights are the same.
    """
    weights = statistics.sizes
    weights_by_system = statistics.metric.weights(statistics.values)
    if weights_by_system is not None:
        weights = weights_by_system.max(axis=0)
    if weights is None or len(np.unique(weights[weights > 0])) == 1:
        return None
    squares = np.square(weights / weights.max())
    n_effective = float(np.sqrt(squares.sum() ** 3 / (squares**3).sum()))
    return n_effective if n_effective < FEWEST_OF_EQUAL_WEIGHT else None


def spread_ratio(
    statistics: SufficientStatistics, pairs: Pairs, shuffled: Tally | None
) -> FloatArray:
    """How widely the pairs' shuffled differences spread, in standard errors, shape (pairs,).

    Exactly 1 where the score is a straight line, so that both are made of the same squares.  It
    hangs on the shuffles: what so few of them cannot tell from 1 is taken for 1.
    """
    ratio = np.ones(len(pairs[0]))
    if shuffled is None or shuffled.spread is None:
        return ratio
    n = int(statistics.present.sum())
    difference = np.abs(shuffled.observed.difference)
    # Shuffles vary about zero and not about the difference, and a jackknife divides by n - 1.
    about_difference = standard_errors(statistics, pairs) ** 2 * (n - 1) / n
    error = np.sqrt(about_difference + difference**2 / n)
    known = (error > 0) & (difference < NEAR * error) & (shuffled.n_resamples > 0)
    np.divide(shuffled.spread, error, out=ratio, where=known)
    noise = NOISE / np.sqrt(2 * shuffled.n_resamples)
    return np.where(np.abs(ratio - 1) > noise, ratio, 1.0)


def _length_ratios(statistics: SufficientStatistics, pairs: Pairs) -> tuple[str, ...]:
    """Of each pair both outputs' lengths in those of the references, if the metric counts them."""
    columns = statistics.metric.columns
    length = next((name for name in ("hyp_len", "total_1") if name in columns), None)
    if length is None or "ref_len" not in columns:
        return ()
    totals = statistics.totals()
    lengths = totals[:, columns.index(length)]
    reference_lengths = np.maximum(totals[:, columns.index("ref_len")], 1)
    texts = []
    for name, ratio in zip(statistics.systems, lengths / reference_lengths, strict=True):
        texts.append(f"{name} {ratio:.3f}")
    first, second = pairs
    return tuple(
        f"{texts[a]}, {texts[b]} times the references'" for a, b in zip(first, second, strict=True)
    )


def notes_on_sizes(
    sizes: Sequence[ActualSize], names: Sequence[str], alpha: float
) -> tuple[Note, ...]:
    """One note on all pairs of which a test at `alpha` errs more than it says, or none.

    Parameters
    ----------
    sizes : sequence of ActualSize
        For each metric.
    names : sequence of str
        Of all pairs, metric by metric.
    alpha : float
    """
    few = _notes_on_few_that_decide(sizes)
    at_alpha = np.concatenate([actual.at(alpha) for actual in sizes])
    noted = np.flatnonzero(np.concatenate([actual.too_large(alpha) for actual in sizes]))
    if not len(noted):
        return few
    worst = int(noted[np.argmax(at_alpha[noted])])
    metric, pair = divmod(worst, len(sizes[0].sample.skewness))
    of_worst = sizes[metric]
    # With shuffles that spread as the difference does, the shape of the differences is to blame.
    with_usual_spread = dataclasses.replace(of_worst, ratio=np.ones_like(of_worst.ratio))
    is_due_to_shape = bool(with_usual_spread.too_large(alpha)[pair])
    because = ""
    if of_worst.off[pair] or not is_due_to_shape:
        because = f"; {of_worst.mixing(pair)}"
    several = ""
    if len(at_alpha) > 1:
        several = f"{len(noted)} of {len(at_alpha)} comparisons (most: {names[worst]}): "
    on_size = note(
        "size",
        several=several,
        size=range_in_words(at_alpha[noted]),
        n=of_worst.sample.n,
        unit=of_worst.unit,
        like=_shape_in_words(of_worst.sample, pair) if is_due_to_shape else "",
        alpha=alpha,
        unless=" (unless their outputs are exchangeable)" if of_worst.exchanging else "",
        because=because,
        remedy=_remedy(sizes, noted, of_worst.unit if is_due_to_shape else None, alpha),
    )
    return (*few, on_size)


def range_in_words(values: ArrayLike) -> str:
    """The smallest and the largest value to two digits; one number if these are the same.

    >>> range_in_words([0.061, 0.12, 0.08]), range_in_words([0.12])
    ('0.061 to 0.12', '0.12')
    """
    smallest = f"{np.min(values):.2g}"
    largest = f"{np.max(values):.2g}"
    return smallest if smallest == largest else f"{smallest} to {largest}"


def _notes_on_few_that_decide(sizes: Sequence[ActualSize]) -> tuple[Note, ...]:
    """One note on the metric for which the fewest units decide, where a few do for any."""
    decided = [(actual.n_effective, actual) for actual in sizes if actual.n_effective is not None]
    if not decided:
        return ()
    effective, fewest = min(decided, key=lambda pair: pair[0])
    return (note("few-decide", unit=fewest.unit, n=fewest.sample.n, effective=effective),)


def _shape_in_words(sample: Shape, pair: int) -> str:
    """How skewed a pair's differences are, as a part of a sentence."""
    skewness = sample.skewness[pair]
    if abs(skewness) >= 1:
        return f" with differences this skewed ({skewness:+.1f})"
    kurtosis = sample.kurtosis[pair]
    return f" with differences like these (skewness {skewness:+.1f}, kurtosis {kurtosis:+.1f})"


def _remedy(sizes: Sequence[ActualSize], noted: Indices, unit: str | None, alpha: float) -> str:
    """Another test, if one is estimated to do for all pairs that are noted, or else more units.

    `unit` is None where their number is not the reason.
    """
    for other in PROCEDURES.values():
        if not other.valid or sizes[0].alternative not in other.alternatives:
            continue
        at_alpha = np.concatenate([actual.instead(other).at(alpha) for actual in sizes])
        by_other = at_alpha[noted]
        is_near = (np.abs(by_other / alpha - 1) <= threshold(other) - 1).all()
        if is_near or (unit is None and other.name == "sign-flip"):
            size_of_other = f") it would be {by_other.max():.2g}"
            return Sentence(f"with {other.title} (", Option("test", other.name), size_of_other)
    return f"more {unit or sizes[0].unit} would bring it nearer"
