"""Documents beside segments: what changes when sentences of one text are not taken as independent.

A test that resamples segments takes them for independent.  Segments of one document share a topic,
a style and a system's luck with both.  Where that makes the differences between two systems alike
within documents, the difference is known less well than the number of segments suggests: m segments
whose differences correlate by r are worth m / (1 + (m - 1) r) independent ones (Kish 1965).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pandas as pd

from ..conclusions.deciding import WORDS
from ..engine.procedures import Alternative, Procedure
from ..engine.resampling import RNG, seed_from
from ..statistics.sufficient import SufficientStatistics
from ..told import Tabled
from .all_pairs import compare_all
from .comparisons import Comparisons
from .design_effects import unit_errors

KEYS = ["metric", "system_a", "system_b"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class UnitComparison(Tabled):
    """All pairs tested twice: with segments as units, and with documents.

    Attributes
    ----------
    table : DataFrame
        One row per pair and metric, the better system first: metric, system_a, system_b,
        difference; ``se_segments`` and ``se_documents``, jackknife standard errors of the
        difference; their ``ratio``; ``correlation``, the mean correlation within documents that
        explains the ratio; ``pvalue_segments`` and ``pvalue_documents``, corrected as the
        comparisons are; ``conclusion_segments`` and ``conclusion_documents``.  Unrounded.
    by_segment, by_document : Comparisons
        Everything else about the two.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt22/de-en").statistics("BLEU").select(["Online-A", "Online-B"])
    >>> both = mt.compare_units(bleu, n_resamples=500, rng=1)
    >>> both.table[["se_segments", "se_documents", "ratio"]].round(3)
       se_segments  se_documents  ratio
    0        0.287         0.305  1.065
    """

    table: pd.DataFrame
    by_segment: Comparisons
    by_document: Comparisons

    @property
    def lost(self) -> pd.DataFrame:
        """Pairs distinguished with segments as units and not with documents."""
        return self.table[self._distinguished("segments") & ~self._distinguished("documents")]

    def _distinguished(self, units: str) -> pd.Series:
        return self.table[f"conclusion_{units}"].isin([WORDS[1], WORDS[-1]])

    @property
    def sentence(self) -> str:
        """How much documents change, and in how many pairs."""
        segments, documents = self.by_segment, self.by_document
        ratio = self.table["ratio"].dropna()
        size = f"{ratio.median():.2f} times as large (median; at most {ratio.max():.2f})"
        counts = [int(self._distinguished(units).sum()) for units in ("segments", "documents")]
        return "\n".join(
            [
                f"{len(self.table)} pairs, {', '.join(segments.metrics)}, at {segments.alpha:g}: "
                f"{counts[0]} distinguished with {segments.n_units:,} segments as units, "
                f"{counts[1]} with {documents.n_units:,} documents",
                "with documents as units, standard errors of the differences are "
                + (size if len(ratio) else "not known: no pair differs"),
                f"{segments.title}, {segments.alternative}, "
                f"{segments.correction or 'no'} correction, {segments.n_resamples:,} "
                f"{segments.draws}, rng={segments.rng}",
                # Of documents: the note about ignoring them has been heeded.
                *documents.notes,
            ]
        )

    def _below(self) -> pd.DataFrame:
        return self.table.round(4)


def compare_units(
    statistics: SufficientStatistics | Sequence[SufficientStatistics],
    *,
    test: str | Procedure = "approximate-randomization",
    correction: str | None = "holm",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    rng: RNG = None,
    executor: Executor | None = None,
) -> UnitComparison:
    """Test all pairs with segments as units and with documents, side by side.

    Parameters
    ----------
    statistics : SufficientStatistics or sequence of them
        With documents.
    test, correction, alpha, alternative, n_resamples, rng, executor
        As in :func:`compare_all`.

    Returns
    -------
    UnitComparison

    Raises
    ------
    InputError
        If documents are not known.

    References
    ----------
    Kish 1965, *Survey sampling*, section 5.4, for the effect of clusters on a variance.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt22/de-en").statistics("BLEU")
    >>> both = mt.compare_units(bleu, n_resamples=500, rng=1)
    >>> both.by_segment.n_units, both.by_document.n_units
    (1984, 271)
    >>> bool(both.table["ratio"].median() > 1)
    True
    """
    given = [statistics] if isinstance(statistics, SufficientStatistics) else list(statistics)
    options: dict[str, Any] = {
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "alternative": alternative,
        "n_resamples": n_resamples,
        "interval": None,
        "rng": seed_from(rng),
        "executor": executor,
    }
    grouped = [s.by_unit("documents") for s in given]  # before any work is done
    by_segment = compare_all(given, **options)
    by_document = compare_all(grouped, **options)
    taken = ["pvalue_adjusted", "conclusion"]
    table = by_segment.table[[*KEYS, "difference"]].copy()
    table[["se_segments", "se_documents", "ratio", "correlation"]] = np.concatenate(
        [unit_errors(s.select(by_segment.scores[s.label].index)) for s in given]
    )
    for name, found in (("segments", by_segment), ("documents", by_document)):
        table[[f"pvalue_{name}", f"conclusion_{name}"]] = found.table[taken]
    return UnitComparison(table=table, by_segment=by_segment, by_document=by_document)
