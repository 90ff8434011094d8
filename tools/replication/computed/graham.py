"""Graham, Mathur & Baldwin (2014): three tests beside people."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.conclusions.deciding import decide
from mtsig_nb.meta_evaluation.grids import GRAHAM_TESTS, AgreementGrid

from ..rows import Outcome, Value
from ..shared import FOUR_METRICS, compared, people, statistics

ES_EN, EN_ES = "wmt12/es-en", "wmt12/en-es"
AR = "approximate-randomization"


@lru_cache(maxsize=2)
def grid(name: str) -> AgreementGrid:
    """Four metrics, three one-sided tests, three levels, beside the relative rankings."""
    given = [statistics(name, metric) for metric in FOUR_METRICS]
    return mt.agreement_grid(given, people(name), n_resamples=5000, rng=2014)


def metric_name(label: str) -> str:
    """METEOR as counted by its own program has a label of its own."""
    return label.removesuffix("Jar")


def agreement_table(name: str) -> Callable[[], Outcome]:
    """Correct conclusions of each metric, level and test, as in their Tables 1 and 2."""

    def compute() -> Outcome:
        frame = grid(name).frame
        total = int(frame["total"].iloc[0])
        rows = frame.assign(metric=frame["metric"].map(metric_name))
        table = rows.pivot_table(
            index=["metric", "alpha"], columns="test", values="correct", sort=False
        ).astype(int)
        by_ar = rows[rows["test"] == AR].set_index(["metric", "alpha"]).loc[table.index]
        spread = int((table.max(axis=1) - table.min(axis=1)).max())
        for column in ("accuracy", "ci_low", "ci_high"):
            table[f"AR, {column.replace('ci_', '')} (%)"] = 100 * by_ar[column]
        at_05 = by_ar.xs(0.05, level="alpha")
        widest = float(100 * (at_05["ci_high"] - at_05["ci_low"]).max())
        return Outcome(
            [
                *(Value(f"{m} at .05", at_05.loc[m, "correct"], of=total) for m in FOUR_METRICS),
                Value("most that tests differ", spread, of=total),
                Value("widest interval at .05 (points)", widest, ".0f"),
            ],
            holds=spread <= 0.05 * total,
            table=table,
            digits=1,
        )

    return compute


def identical_rows() -> Outcome:
    """In how many of 24 rows the three tests conclude the same about every pair."""
    same = pd.concat(
        {name: grid(name).identical_conclusions() for name in (ES_EN, EN_ES)}, names=["campaign"]
    )
    differing, conclusions = 0, 0
    for name in (ES_EN, EN_ES):
        for (metric, test, side, correction, alpha), one in grid(name).agreements.items():
            if test == AR:
                continue
            reference = grid(name).agreements[(metric, AR, side, correction, alpha)]
            differing += int((one.conclusions.pairs() != reference.conclusions.pairs()).sum())
            conclusions += len(one.conclusions.pairs())
    table = same.assign(metric=same["metric"].map(metric_name)).reset_index()
    wide = table.pivot_table(
        index=["campaign", "metric"], columns="alpha", values="identical", sort=False
    ).astype(bool)
    wide = wide.map(lambda identical: "identical" if identical else "differ")
    return Outcome(
        [
            Value("identical rows", same["identical"].sum(), of=len(same)),
            Value("conclusions that differ from AR's", differing, of=conclusions),
        ],
        holds=differing <= 0.01 * conclusions,
        table=wide,
    )


def coin() -> Outcome:
    """Combinations whose Clopper-Pearson interval contains one half."""
    inside = {}
    for name in (ES_EN, EN_ES):
        frame = grid(name).frame
        inside[name] = ((frame["ci_low"] < 0.5) & (frame["ci_high"] > 0.5)).to_numpy()
    return Outcome(
        [
            Value("interval contains 50 %, en-es", inside[EN_ES].sum(), of=inside[EN_ES].size),
            Value("the same, es-en", inside[ES_EN].sum(), of=inside[ES_EN].size),
        ],
        holds=bool(inside[EN_ES].all()),
    )


def at_05() -> dict[str, mt.Agreement]:
    """The four metrics' agreements with people, es-en, approximate randomization at .05."""
    cells = grid(ES_EN).agreements
    return {
        metric_name(key[0]): one for key, one in cells.items() if key[1] == AR and key[4] == 0.05
    }


def chi_square() -> Outcome:
    """Metrics compared as if they had been judged on different pairs."""
    table = mt.chi_square_between(at_05()).set_index(["a", "b"])
    pair: Any = table.loc[("NIST", "METEOR")]
    return Outcome(
        [
            Value("smallest p of six", table["pvalue"].min(), ".3f"),
            Value("p, NIST and METEOR", pair["pvalue"], ".3f"),
        ],
        holds=bool((table["pvalue"] > 0.05).all()),
        table=table,
        digits=3,
    )


def mcnemar() -> Outcome:
    """The same on the pairs of systems that the metrics share."""
    table = mt.mcnemar_between(at_05(), rng=12).set_index(["a", "b"])
    pair: Any = table.loc[("NIST", "METEOR")]
    q = float(mt.cochrans_q(at_05())["pvalue"].iloc[0])
    return Outcome(
        [
            Value("smallest p of six", table["pvalue"].min(), ".3f"),
            Value("p, NIST and METEOR", pair["pvalue"], ".3f"),
            Value("p, Cochran's Q of all four", q, ".3f"),
        ],
        holds=bool((table["pvalue"] > 0.05).all()),
        table=table[["only_a", "only_b", "pvalue", "difference", "ci_low", "ci_high"]],
        digits=3,
    )


def distributions() -> Outcome:
    """What the bootstrap draws, before and after the shift, and what is counted of it."""
    pair = statistics("wmt13/es-en", "BLEU").select(["DCU-Prompsit.2880", "online-A"])
    options: dict[str, Any] = {"n_resamples": 5000, "rng": 2005}
    shifted = mt.bootstrap_test(pair, *pair.systems, **options)
    koehns = mt.paired_bootstrap(pair, *pair.systems, **options)
    shuffled = mt.approximate_randomization(pair, *pair.systems, **options)
    table = pd.DataFrame(
        {
            name: {
                "mean": r.null_distribution.mean(),
                "s.d.": r.null_distribution.std(),
                "observed": r.statistic,
                "p, two-sided": r.pvalue,
            }
            for name, r in (
                ("paired bootstrap", koehns),
                ("bootstrap, shifted", shifted),
                ("randomization", shuffled),
            )
        }
    ).T.rename_axis("distribution")
    spread = table["s.d."]
    return Outcome(
        [
            Value("mean before the shift", table["mean"].iloc[0], "+.3f"),
            Value("observed", shifted.statistic, "+.3f"),
            Value("s.d., shifted", spread["bootstrap, shifted"], ".3f"),
            Value("s.d., randomization", spread["randomization"], ".3f"),
        ],
        holds=bool(abs(spread["bootstrap, shifted"] / spread["randomization"] - 1) < 0.05),
        table=table,
        digits=3,
    )


def human_heatmap() -> Outcome:
    """How many pairs people tell apart, by rankings."""
    table = pd.DataFrame(
        {
            name: {
                "told apart": int((people(name).pairs() != 0).sum()),
                "pairs": len(people(name).pairs()),
            }
            for name in (ES_EN, EN_ES)
        }
    ).T.rename_axis("campaign")
    return Outcome(
        [
            Value(f"told apart, {str(name)[-5:]}", row["told apart"], of=row["pairs"])
            for name, row in table.iterrows()
        ],
        table=table,
    )


def two_criteria() -> Outcome:
    """False claims of adequacy with fluency as tie-break, for systems that differ in neither."""
    rng, worlds, segments = np.random.default_rng(2014), 2000, 100
    rng.normal(size=2 * 4 * 300)  # what notebook 09 draws before
    scores = rng.normal(size=(2, 2, worlds, segments))  # criterion, system, world, segment
    said = []
    for one, other in scores:
        tests = stats.mannwhitneyu(one, other, axis=1)
        ahead = tests.statistic - segments**2 / 2
        said.append(decide(ahead, tests.pvalue, 0.05))
    combined = 0
    for verdicts in zip(*said, strict=True):
        criteria = (mt.Conclusions.from_pairs({("A", "B"): int(v)}) for v in verdicts)
        combined += human.combine_criteria(*criteria).conclusion("A", "B") != 0
    expected = mt.experimentwise_error(2, 0.05)
    error = np.sqrt(expected * (1 - expected) / worlds)
    return Outcome(
        [
            Value("adequacy alone", np.mean(said[0] != 0), ".3f"),
            Value("fluency as tie-break", combined / worlds, ".3f"),
            Value("expected", expected, ".4f"),
        ],
        holds=bool(abs(combined / worlds - expected) <= 3 * error),
    )


def metric_heatmaps() -> Outcome:
    """Pairs that each test tells apart, one-sided and uncorrected, at .05."""
    options = {"alternative": "greater", "correction": None, "n_resamples": 5000, "rng": 2014}
    found = {
        test: compared(ES_EN, "BLEU", test=test, **options).conclusions(0.05)
        for test in GRAHAM_TESTS
    }
    corrected = compared(
        ES_EN, "BLEU", correction="westfall-young", n_resamples=10_000, rng=2014
    ).conclusions(0.05)
    first = found[AR]
    return Outcome(
        [
            *(Value(test, (c.pairs() != 0).sum(), of=len(c.pairs())) for test, c in found.items()),
            Value("two-sided, corrected", (corrected.pairs() != 0).sum(), of=len(first.pairs())),
        ],
        holds=all(c == first for c in found.values()),
    )
