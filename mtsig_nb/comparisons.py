"""What comparing all pairs returns: a table, conclusions, and how both came about."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from .conclusions import WORDS, Conclusions, check_level, decide
from .corrections import adjust_pvalues, correction_named
from .counting import Counting
from .errors import InputError, unknown_name
from .procedures import Alternative


@dataclasses.dataclass(frozen=True, eq=False)
class Comparisons:
    """All pairs of systems, tested and corrected.

    Attributes
    ----------
    table : DataFrame
        One row per pair and metric, the better system first: metric, system_a, system_b, score_a,
        score_b, difference (how much better a is), ci_low, ci_high, pvalue, its Monte Carlo limits
        pvalue_low and pvalue_high, pvalue_adjusted, conclusion (about a), note.  Unrounded.
    scores : dict of str to Series
        Scores of all systems, best first, for each metric.
    test, alternative, correction, alpha, counting, n_resamples, rng, unit, n_units
        What made the table.
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
    (4, 6, 6)
    """

    COLUMNS: ClassVar[list[str]] = [
        "metric",
        "system_a",
        "system_b",
        "score_a",
        "score_b",
        "difference",
        "ci_low",
        "ci_high",
        "pvalue",
        "pvalue_low",
        "pvalue_high",
        "pvalue_adjusted",
        "conclusion",
        "note",
    ]

    table: pd.DataFrame
    scores: dict[str, pd.Series]
    higher_is_better: dict[str, bool]
    test: str
    title: str
    draws: str
    alternative: Alternative
    correction: str | None
    alpha: float
    counting: Counting
    n_resamples: int
    rng: int
    unit: str
    n_units: int
    confidence_level: float | None
    interval: str | None
    test_set: str
    metric_signatures: dict[str, str]
    family_size: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics in the family."""
        return tuple(self.scores)

    @property
    def n_comparisons(self) -> int:
        """Size of the family over which p-values were adjusted."""
        return self.family_size or len(self.table)

    def conclusions(self, alpha: float | None = None, *, metric: str | None = None) -> Conclusions:
        """Conclusions from the adjusted p-values, at the comparison's level or another.

        Parameters
        ----------
        alpha : float, optional
        metric : str, optional
            Needed where there are several.
        """
        metric = self._metric(metric)
        level = self.alpha if alpha is None else alpha
        check_level(level)
        rows = self.table[self.table["metric"] == metric]
        scores = self.scores[metric]
        place = {system: i for i, system in enumerate(scores.index)}
        a = rows["system_a"].map(place).to_numpy()
        b = rows["system_b"].map(place).to_numpy()
        pvalues = np.full((len(place), len(place)), np.nan)
        advantage = np.zeros_like(pvalues)
        pvalues[a, b] = pvalues[b, a] = rows["pvalue_adjusted"]
        advantage[a, b] = rows["difference"]
        return Conclusions.from_pvalues(
            tuple(scores.index),
            advantage - advantage.T,
            pvalues,
            alpha=level,
            source=f"{self.title} on {metric}",
            scores=scores.to_numpy(),
        )

    def _metric(self, metric: str | None) -> str:
        if metric is None:
            if len(self.metrics) > 1:
                raise InputError(
                    f"metric: this comparison has several; name one of {', '.join(self.metrics)}."
                )
            return self.metrics[0]
        if metric not in self.scores:
            raise unknown_name("metric", metric, self.metrics)
        return metric

    @property
    def sentence(self) -> str:
        """What was compared and how, what was found, and what to beware of."""
        decided = int((self.table["conclusion"] != WORDS[0]).sum())
        metrics = ", ".join(self.metrics)
        n_systems = len(next(iter(self.scores.values())))
        where = f" on {self.test_set}" if self.test_set else ""
        correction = f"{self.correction} correction" if self.correction else "no correction"
        lines = [
            f"{n_systems} systems{where}, {metrics}: {decided} of {len(self.table)} pairs "
            f"distinguished at {self.alpha:g} ({self.title}, {self.alternative}, {correction} for "
            f"a family of {self.n_comparisons:,} comparison{'s' * (self.n_comparisons > 1)})",
            f"{self.n_resamples:,} {self.draws} of {self.n_units:,} {self.unit}, "
            f"{self.counting.sentence}, rng={self.rng}",
            *self.notes,
        ]
        return "\n".join(lines)

    def to_frame(self) -> pd.DataFrame:
        """The table as a frame of its own."""
        return self.table.copy()

    def to_csv(self, path: Any = None) -> str | None:
        """The tidy table as CSV, unrounded; see :func:`mtsig_nb.exports.to_csv`."""
        from . import exports

        return exports.to_csv(self.table, path)

    def to_latex(self, path: Any = None, **options: Any) -> str | None:
        """The table for a paper; see :func:`mtsig_nb.exports.to_latex`."""
        from . import exports

        return exports.to_latex(self._for_print(), path, **options)

    def to_markdown(self, path: Any = None, **options: Any) -> str | None:
        """The table in Markdown; see :func:`mtsig_nb.exports.to_markdown`."""
        from . import exports

        return exports.to_markdown(self._for_print(), path, **options)

    def to_html(self, path: Any = None, **options: Any) -> str | None:
        """The table in HTML, all names escaped; see :func:`mtsig_nb.exports.to_html`."""
        from . import exports

        return exports.to_html(self._for_print(), path, **options)

    def _for_print(self) -> pd.DataFrame:
        unused = ["pvalue_low", "pvalue_high"]
        if len(self.metrics) == 1:
            unused.append("metric")
        if self.interval is None:
            unused += ["ci_low", "ci_high"]
        if not self.table["note"].any():
            unused.append("note")
        return self.table.drop(columns=unused)

    def heatmap(
        self, *, metric: str | None = None, alpha: float | None = None, **kwargs: Any
    ) -> Any:
        """Draw the conclusions; see :func:`mtsig_nb.plots.heatmap`."""
        return self.conclusions(alpha, metric=metric).heatmap(**kwargs)

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        sentence = "<br>".join(map(html.escape, self.sentence.split("\n")))
        return f"<p>{sentence}</p>{self.to_html()}"


def correct_together(
    comparisons: Sequence[Comparisons], correction: str | None = "holm"
) -> list[Comparisons]:
    """Adjust several comparisons as one family: other campaigns, other metrics, other tests.

    Parameters
    ----------
    comparisons : sequence of Comparisons
        Their unadjusted p-values are used.
    correction : str or None
        One that works on p-values alone, since the resamples are not shared.

    Returns
    -------
    list of Comparisons
        In the order given, each with p-values adjusted over all of them.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> p = mt.compare_all(bleu, n_resamples=500, interval=None, rng=1)
    >>> mt.correct_together([p, p])[0].n_comparisons
    132
    """
    if not comparisons:
        raise InputError("comparisons is empty; give one or more.")
    sizes = [len(c.table) for c in comparisons]
    name = correction_named(correction)
    together = adjust_pvalues(
        np.concatenate([c.table["pvalue"].to_numpy() for c in comparisons]), name
    )
    parts = np.split(together, np.cumsum(sizes)[:-1])
    result = []
    for one, adjusted in zip(comparisons, parts, strict=True):
        said = decide(one.table["difference"], adjusted, one.alpha)
        table = one.table.assign(pvalue_adjusted=adjusted, conclusion=[WORDS[int(c)] for c in said])
        result.append(
            dataclasses.replace(one, table=table, correction=name, family_size=sum(sizes))
        )
    return result
