"""Graham, Mathur & Baldwin (2014): what the three tests draw, and what they make of p (section 3).

Also the conclusions about pairs of systems, as Figures 7 and 8 draw them.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.conclusions.deciding import decide

from ..rows import Outcome, Value, counted, table_of
from ..shared import FOUR_METRICS, compared, language_pair, pair_of_unit_13, people
from .graham import N_RESAMPLES, SEED
from .graham_printed import AR, ES_EN, LEVELS, TABLES, TESTS

#: How the paper tests.
ONE_SIDED: dict[str, Any] = {
    "correction": None,
    "alternative": "greater",
    "n_resamples": N_RESAMPLES,
    "rng": SEED,
}


# Figures 1 to 6: the tests.


def zero_pvalues() -> Outcome:
    """Figures 1 to 4: p-values of zero.

    Printed: a test rejects where c/B is at most the level, so that p can be 0.
    Recomputed: for three tests, four metrics and two campaigns, how many p-values are 0 by c/B, and
    how many conclusions (c + 1)/(B + 1) turns; and the true level of randomization by c/B, if there
    are no ties.
    """
    by_test = []
    for name, metric, test in itertools.product(TABLES, FOUR_METRICS, TESTS):
        tested = compared(name, metric, test=test, **ONE_SIDED)
        by_test.append(tested.table["pvalue"].to_numpy())
    pvalues = np.concatenate(by_test)
    n_pvalues = pvalues.size
    counts = np.rint(pvalues * (N_RESAMPLES + 1) - 1)
    n_zero = (counts == 0).sum()

    draws = pd.Index([100, 1000, N_RESAMPLES, 10_000], name="draws")
    table = pd.DataFrame(index=draws)
    n_turned = 0
    for level in LEVELS:
        is_turned = (counts / N_RESAMPLES <= level) & (pvalues > level)
        n_turned += is_turned.sum()
        largest_count = (level * draws + 1e-9).astype(int)
        table[f"true level at {level}"] = (largest_count + 1) / (draws + 1)
    at_001 = table["true level at 0.001"]
    return Outcome(
        Value("p = c/B is 0", n_zero, of=n_pvalues),
        Value("conclusions that (c + 1)/(B + 1) changes", n_turned, of=len(LEVELS) * n_pvalues),
        Value("true level of .001 with 100 draws", at_001[100], ".4f"),
        Value("with 1,000 draws", at_001[1000], ".4f"),
        table=table,
    )


def distributions() -> Outcome:
    """Figures 5 and 6: the distributions that the tests draw.

    Printed: drawings.
    Recomputed: mean and standard deviation of what the bootstrap draws, before and after its shift,
    and of what randomization draws, for two systems of WMT13 es-en under BLEU.
    """
    pair = pair_of_unit_13()
    options: dict[str, Any] = {"n_resamples": 5000, "rng": 2005}
    results = {
        "paired bootstrap": mt.paired_bootstrap(pair, *pair.systems, **options),
        "bootstrap, shifted": mt.bootstrap_test(pair, *pair.systems, **options),
        "randomization": mt.approximate_randomization(pair, *pair.systems, **options),
    }
    rows = {}
    for name, result in results.items():
        rows[name] = {
            "mean": result.null_distribution.mean(),
            "s.d.": result.null_distribution.std(),
            "observed": result.statistic,
            "p, two-sided": result.pvalue,
        }
    table = table_of(rows, "distribution")
    spread = table["s.d."]
    return Outcome(
        Value("mean before the shift", table["mean"]["paired bootstrap"], "+.3f"),
        Value("observed", table["observed"]["bootstrap, shifted"], "+.3f"),
        Value("s.d., shifted", spread["bootstrap, shifted"], ".3f"),
        Value("s.d., randomization", spread["randomization"], ".3f"),
        table=table,
    )


# Figures 7 and 8: conclusions about pairs of systems.


def human_heatmap() -> Outcome:
    """Figure 7: people's conclusions.

    Printed: heatmaps.
    Recomputed: how many pairs the relative rankings tell apart at .05, in both campaigns.
    """
    values = []
    rows = {}
    for name in TABLES:
        apart = people(name).pairs() != 0
        values.append(counted(f"told apart, {language_pair(name)}", apart))
        rows[name] = {"told apart": apart.sum(), "pairs": apart.size}
    table = table_of(rows, "campaign")
    return Outcome(*values, table=table)


def two_criteria() -> Outcome:
    """Figure 7, a question of ours: fluency where adequacy does not decide.

    Printed: the criteria in this order (section 4), and nothing of false claims.
    Computed: 2,000 pairs of simulated systems that differ in neither criterion, 100 segments each,
    by rank-sum tests at .05: how often adequacy alone claims a difference, and how often either.
    Holds: if either does as often as two independent tests, within three standard errors.
    """
    n_worlds = 2000
    n_segments = 100
    alpha = 0.05
    rng = np.random.default_rng(2014)
    rng.normal(size=2 * 4 * 300)  # what unit 23 draws before
    ratings = rng.normal(size=(2, 2, n_worlds, n_segments))  # by criterion and system
    claimed = []
    for first, second in ratings:
        test = stats.mannwhitneyu(first, second, axis=1)
        difference = test.statistic - n_segments**2 / 2
        claimed.append(decide(difference, test.pvalue, alpha) != 0)
    adequacy, fluency = claimed
    either = (adequacy | fluency).mean()
    expected = 1 - (1 - alpha) ** 2
    standard_error = np.sqrt(expected * (1 - expected) / n_worlds)
    return Outcome(
        Value("adequacy alone", adequacy.mean(), ".3f"),
        Value("fluency as tie-break", either, ".3f"),
        Value("expected", expected, ".4f"),
        holds=abs(either - expected) <= 3 * standard_error,
    )


def metric_heatmaps() -> Outcome:
    """Figure 8: the tests' conclusions under BLEU.

    Printed: heatmaps.  The three tests tell the same pairs apart at .05 (section 4.1, Figure 8).
    Recomputed: the pairs of WMT12 es-en that each test tells apart, one-sided and uncorrected; and
    beside it, what randomization does with two sides and a correction.
    Holds: if all three tests conclude the same about every pair.
    """
    by_test = {}
    values = []
    for test in TESTS:
        conclusions = compared(ES_EN, "BLEU", test=test, **ONE_SIDED).conclusions(0.05)
        by_test[test] = conclusions
        values.append(counted(test, conclusions.pairs() != 0))
    tested = compared(ES_EN, "BLEU", correction="westfall-young", n_resamples=10_000, rng=SEED)
    corrected = tested.conclusions(0.05)
    same_as_randomization = [conclusions == by_test[AR] for conclusions in by_test.values()]
    return Outcome(
        *values,
        counted("two-sided, corrected", corrected.pairs() != 0),
        holds=all(same_as_randomization),
    )
