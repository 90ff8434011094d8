"""What a test returns: the verdict with everything that made it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ..conclusions.deciding import WORDS, check_level, decide
from ..described import Described, Framed
from ..engine.counting import Counting
from ..engine.options import Design
from ..engine.procedures import Alternative, Procedure
from ..frames import pd
from ..metrics.base import FloatArray, Mask
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pair_columns, pair_indices
from ..tables.columns import USUAL_LEVELS


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Provenance(Described):
    """How a result came about: what was resampled, how often, from which seed."""

    n_resamples: int = 0
    rng: int | None = None
    n_units: int
    unit: str
    test_set: str = ""
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """One tidy row: all fields that hold a number, a text or None, unrounded."""
        row = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str | int | float | None):
                row[field.name] = value
        return pd.DataFrame([row])


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OfTest(Provenance):
    """How a result was tested: by which test, and how its resamples were drawn and counted."""

    test: str
    title: str
    draws: str = ""
    alternative: Alternative
    counting: Counting = dataclasses.field(default_factory=Counting)

    def _drawn(self) -> str:
        """What was drawn, in words, and how it was counted."""
        return (
            f"{self.n_resamples:,} {self.draws} of {self.n_units:,} {self.unit}, "
            f"{self.counting.sentence}"
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OfPair(Provenance):
    """Which two systems a result compares, under which metric, with their scores."""

    system_a: str
    system_b: str
    score_a: float
    score_b: float
    statistic: float
    metric: str
    metric_signature: str


def test_fields(design: Design, statistics: SufficientStatistics) -> dict[str, Any]:
    """The fields of `OfTest`, except `notes`, for a test of these statistics by this design.

    The statistics are in the units that the design resamples.
    """
    procedure = design.options.procedure
    return {
        "test": procedure.name,
        "title": procedure.title,
        "draws": procedure.draws,
        "alternative": design.options.alternative,
        "counting": design.options.rule,
        "n_resamples": design.looks[0],
        "rng": design.options.seed,
        **unit_fields(statistics),
    }


def unit_fields(statistics: SufficientStatistics) -> dict[str, Any]:
    """The fields of `Provenance` that the statistics determine."""
    return {
        "unit": statistics.unit,
        "n_units": statistics.n_segments,
        "test_set": statistics.test_set,
    }


def pair_fields(pair: SufficientStatistics) -> dict[str, Any]:
    """The fields of `OfPair` and of `Provenance` that the statistics of two systems determine."""
    system_a, system_b = pair.systems
    score_a, score_b = pair.metric.score(pair.totals()).tolist()
    return {
        **unit_fields(pair),
        "metric": pair.label,
        "metric_signature": pair.signature,
        "system_a": system_a,
        "system_b": system_b,
        "score_a": score_a,
        "score_b": score_b,
        "statistic": pair.metric.direction * (score_a - score_b),
    }


def pair_differences(statistics: SufficientStatistics) -> dict[str, Any]:
    """Of each pair of systems the scores, and how much better the first system is.

    Returns
    -------
    dict of str to ndarray, each of shape (pairs,)
        system_a, system_b, score_a, score_b and difference, which is turned round for metrics of
        which smaller values are better.
    """
    pairs = pair_indices(len(statistics.systems))
    first, second = pairs
    scores = statistics.metric.score(statistics.totals())
    score_a = scores[first]
    score_b = scores[second]
    difference = statistics.metric.direction * (score_a - score_b)
    return pair_columns(
        statistics.systems, pairs, score_a=score_a, score_b=score_b, difference=difference
    )


def notes_on_degenerate(n_degenerate: int, n_resamples: int, unit: str) -> tuple[Note, ...]:
    """The note that some resamples have no standard error, since all their units are alike."""
    if not n_degenerate:
        return ()
    return (note("degenerate", n=n_degenerate, n_resamples=n_resamples, unit=unit),)


#: The columns of the row that :meth:`PairResult.to_frame` returns, in order.
_COLUMNS = [
    "test",
    "metric",
    "system_a",
    "system_b",
    "score_a",
    "score_b",
    "difference",
    "alternative",
    "pvalue",
    "pvalue_low",
    "pvalue_high",
    "count",
    "n_resamples",
    "size_at_05",
    "signature",
]


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairResult(OfPair, OfTest, Framed):
    """The outcome of one significance test of two systems.

    Attributes
    ----------
    test : str
        Name of the test, such as ``"approximate-randomization"``.
    system_a, system_b : str
    score_a, score_b : float
        In the metric's units.
    statistic : float
        How much better `system_a` is than `system_b`: ``score_a - score_b``, with the sign reversed
        for metrics whose smaller values are better.
    pvalue : float
        The p-value, never rounded.
    pvalue_interval : tuple of float
        95 % Clopper-Pearson limits of the p-value that infinitely many resamples would give; both
        equal `pvalue` if the test is exact.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether `system_a` is better.
    null_distribution : ndarray of shape (n_resamples,)
        The values that were compared with `observed`, centred if the test centres them.
    resampled : ndarray of shape (n_resamples,)
        The differences in the resamples before any centring; t-values if the test is studentised.
    extreme : ndarray of bool, shape (n_resamples,)
        Which values of `null_distribution` were counted as extreme.
    count : int
        How many values were counted as extreme.
    n_resamples : int
        How many resamples were drawn; where `exact`, how many arrangements were enumerated.
    counting : Counting
        The comparator, the formula of the p-value, and the tie tolerance.
    exact : bool
        Whether all arrangements were enumerated.
    rng : int
        The seed; passed as ``rng=``, it reproduces the result.
    metric, metric_signature, test_set, unit : str
    n_units, n_differing : int
        Units resampled, and how many of them differ between the two systems.
    advantage : float or None
        The test's own statistic, if it is not the difference of the scores; positive if it favours
        `system_a`.
    settings : str
        Further settings of a test without resamples; part of the signature.
    size_at_05 : float or None
        How often this test would give p ≤ .05 between equally good systems, estimated from these
        data: see :mod:`mtsig_nb.significance.actual_size`.  A note warns where it is above .06, or
        above .055 for a studentised test.
        None where there are fewer than twenty units or fewer than ten of them differ, and for tests
        that are not about the mean over units.
    notes : tuple of str
        What a reader should know before relying on the number.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.approximate_randomization(bleu, "onlineC", "onlineD", n_resamples=999, rng=1)
    >>> r.conclusion(alpha=0.05)
    'indistinguishable'
    >>> for part in r.signature.split("|")[:6]:
    ...     print(part)
    test:approximate-randomization
    alt:two-sided
    count:>=
    p:(c+1)/(R+1)
    n:999
    rng:1
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    pvalue: float
    pvalue_interval: tuple[float, float]
    n_differing: int
    null_distribution: FloatArray = dataclasses.field(default_factory=lambda: np.empty(0))
    resampled: FloatArray = dataclasses.field(default_factory=lambda: np.empty(0))
    extreme: Mask = dataclasses.field(default_factory=lambda: np.empty(0, bool))
    count: int = 0
    exact: bool = False
    procedure: Procedure | None = None
    advantage: float | None = None
    settings: str = ""
    size_at_05: float | None = None

    @property
    def signature(self) -> str:
        """Everything that defines the p-value, on one line, in sacreBLEU's manner."""
        counting = f"count:{self.counting.comparator}"
        if self.exact:
            resamples = f"{counting}|p:c/n|exact:{self.n_resamples}"
        elif self.n_resamples:
            resamples = f"{counting}|p:{self.counting.formula}|n:{self.n_resamples}|rng:{self.rng}"
        else:
            resamples = "no resamples"
        parts = [f"test:{self.test}", f"alt:{self.alternative}", resamples]
        if self.settings:
            parts.append(self.settings)
        parts.append(f"units:{self.n_units} {self.unit}")
        return f"{'|'.join(parts)} || {self.metric_signature}"

    def conclusion(self, alpha: float = 0.05) -> str:
        """What the test says about `system_a`: better, worse or indistinguishable, at `alpha`."""
        check_level(alpha)
        # By the observed value and not by the scores: signs and ranks may favour the lower score.
        return WORDS[int(decide(self.observed, self.pvalue, alpha))]

    @property
    def observed(self) -> float:
        """What the test compares: its own statistic, or the difference if it has none."""
        return self.statistic if self.advantage is None else self.advantage

    @property
    def sentence(self) -> str:
        """The result in two or three lines."""
        p = f"p = {format_pvalue(self.pvalue)}"
        if self.pvalue == 0 and not self.n_resamples:
            p = "p < 1e-300"  # a formula's value, too small for a float
        scores = f"{self.score_a:.2f} vs {self.score_b:.2f}"
        lines = [
            f"{self.title} on {self.metric}, {self._tails()}: {self.system_a} against "
            f"{self.system_b} {self.statistic:+.2f} ({scores}), {p}",
            self._how(),
            *self.notes,
        ]
        low, high = self.pvalue_interval
        levels_inside = [f"{level:g}" for level in USUAL_LEVELS if low <= level <= high]
        if levels_inside and low < high:
            levels = " and ".join(levels_inside)
            lines.append(note("uncertain-level", low=low, high=high, levels=levels))
        return "\n".join(lines)

    def _tails(self) -> str:
        """The alternative in words: which system a one-sided test asks to be better."""
        if self.alternative == "two-sided":
            return "two-sided"
        better = self.system_a if self.alternative == "greater" else self.system_b
        return f"one-sided ({better} better)"

    def _how(self) -> str:
        """What was enumerated or drawn; of a test without resamples, how many units differ."""
        if self.exact:
            return (
                f"all {self.n_resamples:,} arrangements of {self.n_differing} differing "
                f"{self.unit} (of {self.n_units:,}) enumerated"
            )
        if not self.n_resamples:
            return f"{self.n_units:,} {self.unit}, {self.n_differing:,} of them different"
        return f"{self._drawn()}, rng={self.rng}"

    def to_frame(self) -> pd.DataFrame:
        """One tidy row, unrounded."""
        low, high = self.pvalue_interval
        row = super().to_frame().rename(columns={"statistic": "difference"})
        row = row.assign(pvalue_low=low, pvalue_high=high, signature=self.signature)
        return row[_COLUMNS].astype({"size_at_05": np.float64})

    def plot(self, **kwargs: Any) -> Any:
        """Draw the null distribution; see :func:`mtsig_nb.plots.null_distribution`."""
        from .. import plots  # matplotlib only when something is drawn

        return plots.null_distribution(self, **kwargs)


def format_pvalue(p: float) -> str:
    """`p` to two significant digits or four decimals, never as zero."""
    if np.isnan(p):
        return "not available"
    if p == 0:
        return "0 (this counting rule allows it)"
    if p < 0.00005:
        return f"{p:.1e}"
    return f"{p:.4f}"
