"""Our engine beside sacreBLEU's own significance tests, and comparisons that have to feel instant.

All on the same cached statistics, in one process.  What counts are the ratios.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU as SacreBLEU
from sacrebleu.significance import Result, _paired_ar_test, _paired_bs_test

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import Kind
from mtsig_nb.statistics.sufficient import pair_indices

from .bound import CAMPAIGN, SEEDS, all_pairs, bound
from .tables import Row, Settings, Subject
from .timing import Work, side_by_side

MANY_SYSTEMS = "wmt13/de-en"
METRICS = ("BLEU", "NIST", "METEOR", "TER")
TESTS = ("approximate-randomization", "bootstrap", "paired-bootstrap")
#: Our tests that sacreBLEU has, too.
RIVALS = ("approximate-randomization", "bootstrap")
#: sacreBLEU's resamples for one pair: enough for its fixed costs not to matter.
SACREBLEU_RESAMPLES = 500
#: The share of the resamples with which randomised Tukey is measured: it takes seconds with all.
SHARE_FOR_TUKEY = 0.1


class CachedBLEU(SacreBLEU):
    """sacreBLEU's metric with statistics that were counted before, in place of texts."""

    def __init__(self, values: list[list[int]]) -> None:
        super().__init__()
        self.values = values

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> list[list[int]]:
        return self.values


def by_sacrebleu(bleu: mt.SufficientStatistics, kind: Kind) -> Work:
    """One pair by sacreBLEU's own function, statistics given in the form that it counts them."""
    first, second = bleu.values[:2].astype(int).tolist()
    metric = CachedBLEU(second)
    baseline = {"BLEU": (first, Result(metric._aggregate_and_compute(first).score))}
    test = _paired_ar_test if kind == "shuffle" else _paired_bs_test
    segments = [""] * bleu.n_segments
    metrics: dict[str, Metric] = {"BLEU": metric}
    return lambda: test(
        baseline, "system", segments, None, metrics, SACREBLEU_RESAMPLES, seed=12345
    )


def beside_sacrebleu(settings: Settings) -> Iterator[Row]:
    """All pairs, and one, against sacreBLEU per pair and resample."""
    n_resamples = settings.n_resamples
    bleu = mt.load(CAMPAIGN).statistics("BLEU")
    pair = bleu.select(bleu.systems[:2])
    n_pairs = len(pair_indices(len(bleu.systems))[0])
    for test in RIVALS:
        procedure = PROCEDURES[test]
        took = side_by_side(
            settings.runs,
            {
                "all pairs": all_pairs(bleu, n_resamples, test=test),
                "one pair": all_pairs(pair, n_resamples, test=test),
                "bound": bound(bleu, procedure, n_resamples),
                "sacrebleu": by_sacrebleu(bleu, procedure.kind),
            },
        )
        sacrebleus = took["sacrebleu"] / SACREBLEU_RESAMPLES
        figures_of_sacrebleu = {"sacrebleu_microseconds_per_pair_and_resample": 1e6 * sacrebleus}
        ours = took["all pairs"] / (n_pairs * n_resamples)
        figures = {
            "seconds": took["all pairs"],
            "times_the_bound": took["all pairs"] / took["bound"],
            "microseconds_per_pair_and_resample": 1e6 * ours,
            "times_as_fast_as_sacrebleu": sacrebleus / ours,
        }
        what = f"{test}, {n_pairs} pairs x {n_resamples:,}"
        yield Row(what, figures | figures_of_sacrebleu, settings.runs)
        ours = took["one pair"] / n_resamples
        figures = {
            "seconds": took["one pair"],
            "microseconds_per_pair_and_resample": 1e6 * ours,
            "times_as_fast_as_sacrebleu": sacrebleus / ours,
        }
        what = f"{test}, 1 pair x {n_resamples:,}"
        yield Row(what, figures | figures_of_sacrebleu, settings.runs)


def instant(settings: Settings) -> Iterator[Row]:
    """The comparisons that have to feel instant."""
    n_resamples = settings.n_resamples
    campaign = mt.load(CAMPAIGN)
    metrics = [metric for metric in METRICS if metric in campaign.metrics]
    family = [campaign.statistics(metric) for metric in metrics]
    bleu = family[0]
    many = mt.load(MANY_SYSTEMS).statistics("BLEU")
    many = many.select(many.systems[:20])
    n_for_tukey = int(n_resamples * SHARE_FOR_TUKEY)

    def all_tests() -> None:
        seed = next(SEEDS)
        for test in TESTS:
            all_pairs(family, n_resamples, test=test, rng=seed)()

    works: dict[str, Work] = {
        f"3 tests, {len(metrics)} metrics, 66 pairs x {n_resamples:,}": all_tests,
        f"Westfall-Young, 190 pairs x {n_resamples:,}": all_pairs(
            many, n_resamples, correction="westfall-young"
        ),
        f"randomised Tukey, 66 pairs x {n_for_tukey:,}": all_pairs(
            bleu, n_for_tukey, correction="tukey"
        ),
    }
    for what, seconds in side_by_side(settings.runs, works).items():
        yield Row(what, {"seconds": seconds}, settings.runs)


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table."""
    yield from beside_sacrebleu(settings)
    yield from instant(settings)


SUBJECT = Subject(
    "engine",
    "The engine under BLEU; microseconds are for one pair and one resample",
    (
        "seconds",
        "times_the_bound",
        "microseconds_per_pair_and_resample",
        "sacrebleu_microseconds_per_pair_and_resample",
        "times_as_fast_as_sacrebleu",
    ),
    measured,
)
