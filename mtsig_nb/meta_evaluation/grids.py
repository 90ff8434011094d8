"""Every metric under every test, level and correction, beside people: one call, one tidy frame."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..engine.procedures import Alternative
from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from ..significance.all_pairs import compare_all
from ..significance.comparisons import Comparisons, correct_together
from ..significance.corrections import OF_RESAMPLES, correction_named
from ..statistics.sufficient import SufficientStatistics
from ..told import Told
from .against_gold import Agreement, Identical, agreement

#: The three tests that Graham, Mathur & Baldwin (2014) compare.
GRAHAM_TESTS = ("paired-bootstrap", "bootstrap", "approximate-randomization")
_CELL = ["metric", "alternative", "correction", "alpha"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AgreementGrid(Told):
    """Agreement with people for every combination of metric, test, level and correction.

    Attributes
    ----------
    frame : DataFrame
        One row per combination: ``metric``, ``test``, ``alternative``, ``correction``, ``alpha``,
        ``correct``, ``total``, ``accuracy``, Clopper-Pearson ``ci_low`` and ``ci_high``,
        ``resampled_low`` and ``resampled_high``, ``missed``, ``unfounded``, ``opposite`` and
        ``ordered_rand``.
    agreements : dict
        The :class:`Agreement` of each combination, by (metric, test, alternative, correction,
        alpha), for :func:`compare_metrics` and its like.
    """

    frame: pd.DataFrame
    agreements: dict[tuple[str, str, str, str, float], Agreement]
    gold: Conclusions
    n_resamples: int
    rng: int

    def identical_conclusions(self) -> pd.DataFrame:
        """In which rows all tests draw the same conclusions about every pair.

        Returns
        -------
        DataFrame
            One row per metric, alternative, correction and alpha, with ``tests`` (how many) and
            ``identical``.
        """
        cells: dict[tuple[str, str, str, float], list[Conclusions]] = {}
        for (metric, _, alternative, correction, alpha), result in self.agreements.items():
            cell = (metric, alternative, correction, alpha)
            cells.setdefault(cell, []).append(result.conclusions)
        rows = [
            (*cell, len(said), all(other == said[0] for other in said[1:]))
            for cell, said in cells.items()
        ]
        return pd.DataFrame(rows, columns=[*_CELL, "tests", "identical"])

    def to_frame(self) -> pd.DataFrame:
        """The grid as a frame of its own."""
        return self.frame.copy()

    @property
    def sentence(self) -> str:
        """The size of the grid, the best and the worst of it, and how alike the tests are."""
        ranked = self.frame.sort_values("accuracy", kind="stable")
        worst, best = ranked.iloc[0], ranked.iloc[-1]
        same = self.identical_conclusions()
        return (
            f"{len(self.frame)} combinations beside {self.gold.source or 'the gold standard'}: "
            f"{100 * worst['accuracy']:.1f} % ({worst['metric']}, {worst['test']}, "
            f"{worst['alpha']:g}) to {100 * best['accuracy']:.1f} % ({best['metric']}, "
            f"{best['test']}, {best['alpha']:g}) of conclusions agree; in "
            f"{int(same['identical'].sum())} of {len(same)} rows all tests conclude the same"
        )

    def _below(self) -> pd.DataFrame:
        return self.frame


def agreement_grid(
    statistics: SufficientStatistics | Sequence[SufficientStatistics],
    gold: Conclusions,
    *,
    tests: Sequence[str] = GRAHAM_TESTS,
    alternatives: Sequence[Alternative] = ("greater",),
    alphas: Sequence[float] = (0.05, 0.01, 0.001),
    corrections: Sequence[str | None] = (None,),
    units: str | npt.ArrayLike = "segments",
    n_resamples: int = 1000,
    identical: Identical | None = None,
    exclude_identical: bool = False,
    rng: RNG = None,
    executor: Executor | None = None,
) -> AgreementGrid:
    """Agreement with people of every metric under every test, level and correction.

    Parameters
    ----------
    statistics : SufficientStatistics or sequence of them
        One per metric.  Systems that people did not judge are left out before anything is tested,
        so that a correction counts only the pairs that are compared.
    gold : Conclusions
        Of people, at the one level that they were drawn at.
    tests, alternatives, alphas, corrections
        Every combination is a row.  A correction's family is all pairs under one metric.
    units, n_resamples, rng, executor
        As in :func:`compare_all`; all rows share the seed.
    identical, exclude_identical
        As in :func:`agreement`.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> grid = agreement_grid(
    ...     campaign.statistics("BLEU"), campaign.human.conclusions(), n_resamples=200, rng=1)
    >>> grid.frame[["test", "alpha", "total"]].head(2).values.tolist()
    [['paired-bootstrap', 0.05, 66], ['paired-bootstrap', 0.01, 66]]
    """
    given = [statistics] if isinstance(statistics, SufficientStatistics) else list(statistics)
    if not (given and tests and alternatives and alphas and corrections):
        raise InputError("statistics, tests, alternatives, alphas and corrections: none is empty.")
    seed = seed_from(rng)
    agreements: dict[tuple[str, str, str, str, float], Agreement] = {}
    for metric in given:
        judged = metric.select([s for s in metric.systems if s in gold.systems])
        for test, alternative in itertools.product(tests, alternatives):
            options = {
                "test": test,
                "alternative": alternative,
                "units": units,
                "n_resamples": n_resamples,
                "interval": None,
                "rng": seed,
                "executor": executor,
            }
            for correction, result in _corrected(judged, corrections, options).items():
                for alpha in alphas:
                    agreements[metric.label, test, alternative, correction, alpha] = agreement(
                        result.conclusions(alpha),
                        gold,
                        identical=identical,
                        exclude_identical=exclude_identical,
                        rng=seed,
                    )
    frame = pd.DataFrame([_row(key, one) for key, one in agreements.items()])
    return AgreementGrid(frame, agreements, gold, n_resamples, seed)


def _corrected(
    statistics: SufficientStatistics, corrections: Sequence[str | None], options: dict[str, Any]
) -> dict[str, Comparisons]:
    """The comparison under each correction; resamples are drawn once for those of p-values."""
    plain: Comparisons | None = None
    results = {}
    for given in corrections:
        name = correction_named(given)
        if name in OF_RESAMPLES:
            results[str(name)] = compare_all(statistics, correction=name, **options)
            continue
        plain = plain or compare_all(statistics, correction=None, **options)
        results[name or "none"] = correct_together([plain], name)[0]
    return results


def _row(key: tuple[str, str, str, str, float], result: Agreement) -> dict[str, Any]:
    return {
        **dict(zip(("metric", "test", "alternative", "correction", "alpha"), key, strict=True)),
        "correct": result.correct,
        "total": result.total,
        "accuracy": result.accuracy,
        "ci_low": result.interval[0],
        "ci_high": result.interval[1],
        "resampled_low": result.resampled_interval[0],
        "resampled_high": result.resampled_interval[1],
        **{str(kind): int(n) for kind, n in result.kinds.drop("correct").items()},
        "ordered_rand": result.ordered_rand,
    }
