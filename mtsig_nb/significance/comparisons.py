"""What comparing all pairs returns: a table, conclusions, and how both came about."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import __version__, tables
from ..bibliography import on_metrics
from ..conclusions.deciding import (
    TELLING_APART,
    UNRESOLVED,
    WORDS,
    Conclusions,
    check_level,
    decide,
)
from ..described import Tabled
from ..engine.procedures import PROCEDURES
from ..errors import InputError, counted, in_prose, unknown_name
from ..frames import pd
from ..metrics.base import FloatArray, IntArray, Mask
from ..notes import Note, code_of, note
from ..sentences import Sentence
from ..statistics.sufficient import pairs_in
from ..tables.rows import Columns, Rows, columns_of
from .actual_size import range_in_words
from .corrections import CORRECTIONS, straddling
from .results import OfTest


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparisons(Tabled, OfTest):
    """All pairs of systems, tested and corrected.

    Attributes
    ----------
    rows : structured ndarray, shape (rows,)
        What `table` is made from, with the same columns.
    scores_by_metric : dict of str to dict of str to float
        What `scores` are made from: by metric, each system's score, best first.
    limits_by_metric : dict of str to dict of str to ndarray of shape (2,)
        What `score_intervals` are made from, by metric and system.
    table : DataFrame
        One row per pair and metric, the better system first: metric, system_a, system_b, score_a,
        score_b, difference (how much better a is), ci_low, ci_high, pvalue, its Monte Carlo limits
        pvalue_low and pvalue_high, pvalue_adjusted with limits likewise, at_floor (whether it is
        the smallest value that so many resamples can give), n_resamples, size_at_05 (how often so
        small an uncorrected p as .05 comes about between equally good systems, estimated from
        these data: see :mod:`mtsig_nb.significance.actual_size`; missing where fewer than ten
        units differ or there are fewer than twenty), conclusion (about a; "cannot tell" where
        more resamples could distinguish the two), note.  Unrounded.
    scores : dict of str to Series
        Scores of all systems, best first, for each metric.
    score_intervals : dict of str to DataFrame
        For each metric ``ci_low`` and ``ci_high`` of each system; none without intervals.
    higher_is_better : dict of str to bool
        Whether larger scores are the better ones, for each metric.
    interval, confidence_level, interval_resamples
        What kind of intervals the differences have; None and 0 without.
    test, alternative, correction, alpha, counting, n_resamples, rng, unit, n_units
        How the table was made.
    metric_signatures : dict of str to str
        What defines each metric.
    family_size : int, optional
        How many comparisons were corrected together, where the table has only some of them.
    n_units_apart : int
        For several test sets of which it is not known whether they share units: the number of units
        if they do not, where `n_units` is the number if they do.  Otherwise 0.
    notes : tuple of str
        What a reader should know before relying on it.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "onlineC"])
    >>> p = mt.compare_all(bleu, correction="holm", n_resamples=999, rng=1)
    >>> p.conclusions(alpha=0.01).word("onlineB", "onlineA")
    'better'
    >>> print(p.to_csv().splitlines()[0][:36])
    metric,system_a,system_b,score_a,sco
    >>> p.to_html().count("<tr"), p.to_latex().count("online"), p.to_markdown().count("online")
    (4, 3, 6)
    """

    rows: Rows
    scores_by_metric: dict[str, dict[str, float]]
    limits_by_metric: dict[str, dict[str, FloatArray]]
    higher_is_better: dict[str, bool]
    correction: str | None
    alpha: float
    confidence_level: float | None
    interval: str | None
    metric_signatures: dict[str, str]
    family_size: int | None = None
    interval_resamples: int = 0
    n_units_apart: int = 0

    @functools.cached_property
    def table(self) -> pd.DataFrame:  # type: ignore[override]
        """One row per pair and metric."""
        table = pd.DataFrame(columns_of(self.rows))
        table["note"] = pd.Series(self.rows["note"], dtype=object)  # that they stay notes
        return table

    @functools.cached_property
    def scores(self) -> dict[str, pd.Series]:
        """Scores of all systems, best first, for each metric."""
        scores = {}
        for metric, scores_of_systems in self.scores_by_metric.items():
            scores[metric] = pd.Series(scores_of_systems, dtype=np.float64, name=metric)
        return scores

    @functools.cached_property
    def score_intervals(self) -> dict[str, pd.DataFrame]:
        """For each metric ``ci_low`` and ``ci_high`` of each system."""
        intervals = {}
        for metric, limits in self.limits_by_metric.items():
            columns = ["ci_low", "ci_high"]
            intervals[metric] = pd.DataFrame.from_dict(limits, orient="index", columns=columns)
        return intervals

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics in the family."""
        return tuple(self.scores_by_metric)

    @property
    def n_comparisons(self) -> int:
        """Size of the family over which p-values were adjusted."""
        return self.family_size or len(self.rows)

    def rows_of(self, metric: str) -> Rows:
        """The rows of all pairs under one metric.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "UPC"])
        >>> rows = mt.compare_all(bleu, n_resamples=999, rng=1).rows_of("BLEU")
        >>> rows["system_a"].tolist(), rows["difference"].round(2).tolist()
        (['UPC'], [0.66])
        """
        return self.rows[self.rows["metric"] == metric]

    def conclusions(self, alpha: float | None = None, *, metric: str | None = None) -> Conclusions:
        """Conclusions from the adjusted p-values, at the comparison's level or another.

        Parameters
        ----------
        alpha : float, optional
        metric : str, optional
            Needed where there are several.
        """
        metric = self._metric(metric)
        level = self.alpha
        if alpha is not None:
            check_level(alpha)
            level = alpha
        known = self._known_conclusions
        if (metric, level) not in known:
            known[metric, level] = self._concluded(metric, level)
        return known[metric, level]

    @functools.cached_property
    def _known_conclusions(self) -> dict[tuple[str, float], Conclusions]:
        """Conclusions that were drawn before, by metric and level."""
        return {}

    def _concluded(self, metric: str, level: float) -> Conclusions:
        """Conclusions about all pairs under one metric."""
        rows = self.rows_of(metric)
        scores = self.scores_by_metric[metric]
        words = rows["conclusion"] if level == self.alpha else conclusion_words(rows, level)
        unresolved = rows[words == UNRESOLVED]
        a, b = pairs_in(rows, scores)
        # The row of a pair fills one half of a square, and the other half mirrors it.
        advantages = np.zeros((len(scores), len(scores)))
        advantages[a, b] = rows["difference"]
        advantages[b, a] = -rows["difference"]
        pvalues = np.full((len(scores), len(scores)), np.nan)
        pvalues[a, b] = rows["pvalue_adjusted"]
        pvalues[b, a] = rows["pvalue_adjusted"]
        return Conclusions.from_pvalues(
            tuple(scores),
            advantages,
            pvalues,
            alpha=level,
            source=f"{self.title} on {metric}",
            scores=np.array(list(scores.values())),
            unresolved=tuple(zip(unresolved["system_a"], unresolved["system_b"], strict=True)),
            higher_is_better=self.higher_is_better[metric],
        )

    def summary(self, metric: str | None = None) -> pd.DataFrame:
        """One row per system, best first, as a page, a paper or a screen shows them.

        Parameters
        ----------
        metric : str, optional
            Needed where there are several.

        Returns
        -------
        DataFrame
            system, score, ci_low, ci_high (missing without intervals) and letters: systems that
            share one are not distinguished.  Unrounded.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
        >>> mt.compare_all(bleu, n_resamples=999, rng=1).summary().round(1)
            system  score  ci_low  ci_high letters
        0  onlineB   37.7    36.7     38.7       a
        1      UPC   32.0    31.2     32.8       b
        2  onlineA   31.4    30.6     32.1       c
        """
        from ..outcomes import summary

        return summary.summary(self, self._metric(metric))

    def _metric(self, metric: str | None) -> str:
        """The metric of that name, or the only one; an `InputError` if there is no such metric."""
        if metric is None and len(self.metrics) > 1:
            raise InputError(f"metric: there are several; name one of {', '.join(self.metrics)}.")
        metric = metric or self.metrics[0]
        if metric not in self.scores_by_metric:
            raise unknown_name("metric", metric, self.metrics)
        return metric

    @property
    def about(self) -> tuple[str, ...]:
        """What was compared, in words."""
        return self.metrics

    @property
    def sentence(self) -> str:
        """What was compared and how, what was found, and the caveats."""
        return "\n".join([self.method, *self.caveats])

    @property
    def signature(self) -> str:
        """Everything that defines the table on one line, in sacreBLEU's style.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "UPC"])
        >>> ours, bleus = mt.compare_all(bleu, n_resamples=999, rng=1).signature.split(" || ")
        >>> print(*ours.split("|")[4:9])
        n:999 units:segments nunits:3003 cor:holm family:1
        """
        n_resamples = f"{self.n_resamples}"
        if len(self._drawn_further()):
            n_resamples += f"-{self.rows['n_resamples'].max()}"
        n_units = f"{self.n_units}"
        if self.n_units_apart:
            n_units += f"/{self.n_units_apart}"
        parts = [
            f"test:{self.test}",
            f"alt:{self.alternative}",
            f"count:{self.counting.comparator}",
            f"p:{self.counting.formula}",
            f"n:{n_resamples}",
            f"units:{self.unit}",
            f"nunits:{n_units}",
            f"cor:{self.correction or 'none'}",
            f"family:{self.n_comparisons}",
            f"alpha:{self.alpha:g}",
        ]
        if self.confidence_level is not None:
            parts += [f"ci:{self.interval}", f"cl:{self.confidence_level:g}"]
            parts.append(f"nci:{self.interval_resamples}")
        parts += [f"seed:{self.rng}", f"version:mtsig_nb-{__version__}"]
        return " || ".join(["|".join(parts), *self.metric_signatures.values()])

    def methods_sentence(self) -> str:
        """What was done, in a sentence or two for a paper.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
        >>> p = mt.compare_all(bleu, n_resamples=999, interval=None, rng=1)
        >>> print(p.methods_sentence().partition(" (two-sided")[0])
        We tested differences in BLEU between 3 systems on wmt12/es-en by approximate randomization
        (Riezler & Maxwell 2005; Graham et al. 2014) at the level 0.05, with Holm's (1979)
        correction for 3 comparisons
        """
        metrics = in_prose(self.about)
        papers = "; ".join(PROCEDURES[self.test].papers)
        article = "" if self.title.startswith("approximate") else "the "
        return (
            f"We tested differences in {metrics} between {self._n_systems} systems{self._where} by "
            f"{article}{self.title} ({papers}){self._level_for_paper()} ({self._how_for_paper()})."
            f"{self._both_ways_for_paper()}{self._unreliable_for_paper()}"
            f"{self._intervals_for_paper()} "
            f"Computed by mtsig_nb {__version__} (seed {self.rng})."
        )

    @property
    def _n_systems(self) -> int:
        """How many systems were compared."""
        return len(next(iter(self.scores_by_metric.values())))

    @property
    def _where(self) -> str:
        """The test set, if it has a name, as a sentence goes on with it."""
        return f" on {self.test_set}" if self.test_set else ""

    def _level_for_paper(self) -> str:
        """The level, and the correction for how many comparisons."""
        level = f" at the level {self.alpha:g}"
        n = self.n_comparisons
        if n == 1:
            return level
        if self.correction is None:
            return f"{level}, uncorrected for {n:,} comparisons"
        return f"{level}, with {CORRECTIONS[self.correction]['paper']} for {n:,} comparisons"

    def _how_for_paper(self) -> str:
        """The alternative, and how many resamples were drawn and counted."""
        how = f"{self.alternative}; {self._drawn()}"
        sampled = self._sampled()
        if len(self._drawn_further()):
            how += f", up to {sampled.max():,} where those left a pair open"
        if len(sampled) < len(self.rows):
            how += f", all arrangements for {len(self.rows) - len(sampled)}"
        return how

    def _unreliable_for_paper(self) -> str:
        """For how many comparisons the test errs far more often than its level says."""
        notes_of_pairs = [notes.values["notes"] for notes in self.rows["note"]]
        notes = itertools.chain.from_iterable(notes_of_pairs)
        sizes = [noted.values["size"] for noted in notes if noted.code == "unreliable"]
        if not sizes:
            return ""
        which = ""
        if len(self.rows) > 1:
            which = f" for {len(sizes)} of {len(self.rows)} comparisons"
        return (
            " The type-I error at this level, estimated from the data, is "
            f"{range_in_words(sizes)}{which}."
        )

    def _both_ways_for_paper(self) -> str:
        """That the analysis was made with shared units and with others, if it was."""
        if not self.n_units_apart:
            return ""
        return (
            f" It is not known whether test sets share their {self.unit}: we compared every pair "
            f"as if they did ({self.n_units:,} {self.unit} in all) and as if they did not "
            f"({self.n_units_apart:,}), and report the larger p-value and the wider interval."
        )

    def _intervals_for_paper(self) -> str:
        """What kind of intervals there are, if any."""
        if self.confidence_level is None:
            return ""
        level = f"{100 * self.confidence_level:g} %"
        kinds = f"Intervals are uncorrected {level} {self.interval} bootstrap intervals"
        if self.interval == "simultaneous":
            kinds = (
                f"Intervals of differences are simultaneous {level} max-|t| bootstrap intervals "
                "(Hothorn, Bretz & Westfall 2008), those of scores uncorrected percentile "
                "intervals,"
            )
        return f" {kinds} from {self.interval_resamples:,} resamples of {self.unit}."

    @property
    def method(self) -> str:
        """What was compared and how, and how much was found, in two lines."""
        n_decided = int(distinguished(self.rows).sum())
        metrics = ", ".join(self.about)
        correction = f"{self.correction} correction" if self.correction else "no correction"
        family = f"a family of {counted(self.n_comparisons, 'comparison')}"
        further = ""
        drawn_further = self._drawn_further()
        if len(drawn_further):
            pairs = counted(len(drawn_further), "pair")
            further = f" (up to {drawn_further.max():,} for {pairs} that so many did not settle)"
        return (
            f"{self._n_systems} systems{self._where}, {metrics}: {n_decided} of {len(self.rows)} "
            f"pairs distinguished at {self.alpha:g} ({self.title}, {self.alternative}, "
            f"{correction} for {family})\n"
            f"{self.n_resamples:,} {self.draws} of {self.n_units:,} {self.unit}"
            f"{further}, {self.counting.sentence}, rng={self.rng}"
        )

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know before relying on the verdict: what is open, what disagrees, the notes."""
        return (*self._note_on_unresolved(), *disagreements(self), *self.notes)

    def _sampled(self) -> IntArray:
        """Numbers of resamples of the pairs that were not enumerated."""
        is_sampled = self.rows["pvalue_low"] < self.rows["pvalue_high"]
        return self.rows["n_resamples"][is_sampled]

    def _drawn_further(self) -> IntArray:
        """Numbers of resamples of the pairs for which more than `n_resamples` were drawn."""
        sampled = self._sampled()
        return sampled[sampled > self.n_resamples]

    def _note_on_unresolved(self) -> list[Note]:
        """How many pairs more resamples could distinguish, unless none can be."""
        rows = self.rows[self.rows["conclusion"] == UNRESOLVED]
        if not len(rows) or any(code_of(n) == "few-arrangements" for n in self.notes):
            return []
        n_resamples = int(rows["n_resamples"].max())
        pairs = counted(len(rows), "pair")
        return [note("unresolved", n=n_resamples, draws=self.draws, pairs=pairs)]

    def to_csv(self) -> str:
        """The tidy table as CSV, unrounded; see :func:`mtsig_nb.tables.to_csv`."""
        return tables.to_csv(self.table)

    def to_latex(
        self, *, pairs: bool = False, baseline: str | None = None, digits: int | None = None
    ) -> str:
        """The table of systems for a paper, with `methods_sentence` below it, as LaTeX to paste.

        Comments above it have `signature` and `caveats`.

        Parameters
        ----------
        pairs : bool
            All pairs instead of one row per system.
        baseline : str, optional
            The system that all others are compared with; by default the best.
        digits : int, optional
            Decimals of scores and differences.
        """
        from ..outcomes import pair_table, system_table

        if pairs:
            columns = pair_table.columns_of_pairs(
                self.table, digits=digits, correction=self.correction
            )
            legend = pair_table.legend_of_pairs(self)
        else:
            columns = system_table.system_table(self, baseline=baseline, digits=digits)
            legend = system_table.legend(self, baseline=baseline, ranks=False, pvalues=False)
        systems = (
            f"{self._n_systems} systems{self._where}, compared by {', '.join(self.about)} "
            f"({self.n_units:,} {self.unit})."
        )
        notes = [f"Note: {caveat}." for caveat in self.caveats]
        table = tables.PaperTable(
            columns=columns,
            caption=f"All pairs of {systems}" if pairs else systems,
            label="pairs" if pairs else "systems",
            legend=legend,
            sentence=f"{self.methods_sentence()} {on_metrics(self.metric_signatures)}".rstrip(),
            comments=[self.signature, *notes],
            legends=system_table.legends_by_column(self),
            dispensable=() if pairs else system_table.DISPENSABLE,
        )
        return table.to_latex()

    def to_markdown(self, *, digits: int = 2) -> str:
        """The table in Markdown; see :func:`mtsig_nb.tables.to_markdown`."""
        return tables.to_markdown(rows_for_print(self), digits=digits)

    def to_html(self, *, digits: int = 2) -> str:
        """The table in HTML, all names escaped; see :func:`mtsig_nb.tables.to_html`."""
        return tables.to_html(rows_for_print(self), digits=digits)

    def plot(self, *, metric: str | None = None, **kwargs: Any) -> Any:
        """Draw each system against the best; see :func:`mtsig_nb.plots.against_best`."""
        from ..plots import against_best

        return against_best(self, metric=metric, **kwargs)

    def heatmap(
        self, *, metric: str | None = None, alpha: float | None = None, **kwargs: Any
    ) -> Any:
        """Draw the conclusions; see :func:`mtsig_nb.plots.heatmap`."""
        return self.conclusions(alpha, metric=metric).heatmap(**kwargs)

    def _below(self) -> str:
        """The table of pairs, which a notebook shows below the sentence."""
        return self.to_html()


def distinguished(table: Columns | Rows) -> Mask:
    """Which rows have a conclusion that tells the two systems apart."""
    return np.isin(table["conclusion"], TELLING_APART)


def rows_for_print(comparisons: Comparisons) -> pd.DataFrame:
    """The table without the columns that nobody reads on paper."""
    if len(comparisons.metrics) == 1:
        return for_print(comparisons.table, "metric")
    return for_print(comparisons.table)


#: Columns of a comparison's table that nobody reads on paper.
_NOT_FOR_PRINT = (
    *("pvalue_low", "pvalue_high", "pvalue_adjusted_low", "pvalue_adjusted_high"),
    *("n_resamples", "size_at_05"),
)


def for_print(table: pd.DataFrame, *unused: str) -> pd.DataFrame:
    """Rows of a comparison's table without `unused` columns and those that nobody reads on paper.

    Intervals and notes are left out where no row has any.
    """
    empty = [name for name in ("ci_low", "ci_high") if table[name].isna().all()]
    if not table["note"].any():
        empty.append("note")
    return table.drop(columns=[*_NOT_FOR_PRINT, *empty, *unused])


def conclusion_words(table: Columns | Rows, alpha: float) -> npt.NDArray[np.object_]:
    """The conclusion about the first system of each row, in a word, shape (rows,).

    It follows from the adjusted p-value and from the Monte Carlo limits of that p-value.
    """
    conclusions = decide(table["difference"], table["pvalue_adjusted"], alpha)
    words = np.array([WORDS[int(conclusion)] for conclusion in conclusions], dtype=object)
    is_unresolved = straddling(table, alpha) & (conclusions == 0)
    return np.where(is_unresolved, UNRESOLVED, words)


def disagreements(comparisons: Comparisons) -> list[Note]:
    """Notes on where intervals and corrected conclusions differ, and why.

    The reasons are in :mod:`mtsig_nb.significance.intervals`.  There are no notes on one-sided
    tests, whose question is not that of an interval with two sides.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> (found,) = disagreements(mt.compare_all(bleu, rng=2))
    >>> print(found.partition(",")[0])
    in 3 of 66 pairs the 95 % interval excludes zero
    """
    if comparisons.interval is None or comparisons.alternative != "two-sided":
        return []
    rows = comparisons.rows
    is_decided = distinguished(rows)
    is_unresolved = rows["conclusion"] == UNRESOLVED
    excludes_zero = (rows["ci_low"] > 0) | (rows["ci_high"] < 0)
    n_by_interval_alone = int((excludes_zero & ~is_decided & ~is_unresolved).sum())
    n_by_test_alone = int((is_decided & ~excludes_zero).sum())
    notes = []
    if n_by_interval_alone:
        is_simultaneous = comparisons.interval == "simultaneous"
        reason = "why-each-interval"
        if is_simultaneous or not _allows_for_other_pairs(comparisons):
            reason = "why-made-apart"
        notes.append(
            _note_on_disagreement(comparisons, "only-interval", n_by_interval_alone, reason)
        )
    if n_by_test_alone:
        notes.append(
            _note_on_disagreement(comparisons, "only-test", n_by_test_alone, "why-made-apart")
        )
    return notes


def _allows_for_other_pairs(comparisons: Comparisons) -> bool:
    """Whether p-values or intervals allow for the number of pairs, of which there are several."""
    is_corrected = comparisons.correction is not None
    is_simultaneous = comparisons.interval == "simultaneous"
    return comparisons.n_comparisons > 1 and (is_corrected or is_simultaneous)


def _note_on_disagreement(comparisons: Comparisons, code: str, n: int, reason: str) -> Note:
    """That interval and test disagree in `n` pairs, for the reason that the note `reason` has."""
    n_pairs = len(comparisons.rows)
    where = ""
    if n_pairs > 1:
        pairs = "comparisons" if len(comparisons.metrics) > 1 else "pairs"
        where = f"in {n} of {n_pairs} {pairs} "
    confidence = comparisons.confidence_level or 0
    matching_confidence = 1 - comparisons.alpha
    other_level = ""
    if not math.isclose(matching_confidence, confidence):
        other_level = f"intervals of {100 * matching_confidence:g} % would go with that level; "
    test = "test"
    if comparisons.correction is not None and _allows_for_other_pairs(comparisons):
        test = "corrected test"
    because = note(
        reason,
        n_resamples=comparisons.n_resamples,
        draws=comparisons.draws,
        interval_resamples=comparisons.interval_resamples,
    )
    return note(
        code,
        where=where,
        interval=f"the {100 * confidence:g} % interval",
        test=f"the {test} at {comparisons.alpha:g}",
        because=Sentence(other_level, because),
    )
