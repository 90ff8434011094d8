"""The same on what the page does not have: people's error span scores (ESA) of WMT24.

They are read from the inputs of ``datasets/build.py``.  For each language pair there, the two
systems whose differences are the most skewed of all, and a middling pair.
"""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pandas as pd
from scipy import stats

import mtsig_nb as mt

from .worlds import Setting, World, by_size, centred

LANGUAGE_PAIRS = ("en-cs", "en-ja", "en-zh")


def missing(data: Path) -> list[str]:
    """What there is not, and so cannot be measured."""
    files = [data / "wmt24" / pair / "human" / "ratings.csv.gz" for pair in LANGUAGE_PAIRS]
    return [str(path) for path in files if not path.exists()]


@cache
def esa(data: Path, pair: str) -> mt.SufficientStatistics:
    """One score for each system and segment, with documents."""
    folder = data / "wmt24" / pair
    ratings = pd.read_csv(folder / "human" / "ratings.csv.gz")
    ratings = ratings[ratings["type"] == "SYSTEM"].copy()
    documents = pd.read_csv(folder / "docs.txt.gz", header=None, sep="\t")[0]
    ratings["document"] = documents.to_numpy()[ratings["line"]]
    return mt.from_segment_scores(
        ratings,
        segment="line",
        document="document",
        label="ESA",
        higher_is_better=True,
        test_set=f"wmt24/{pair}",
    )


def by_skewness(of: mt.SufficientStatistics) -> list[tuple[float, str, str]]:
    """All pairs of systems, the least skewed differences first."""
    scores = of.segment_scores()
    pairs = itertools.combinations(range(len(of.systems)), 2)
    found = [
        (float(stats.skew(scores[a] - scores[b])), of.systems[a], of.systems[b]) for a, b in pairs
    ]
    return sorted(found, key=lambda one: abs(one[0]))


def worlds(data: Path) -> tuple[World, ...]:
    """Two worlds for each language pair that is there."""
    there = [pair for pair in LANGUAGE_PAIRS if not any(pair in path for path in missing(data))]
    found = []
    for pair in there:
        ranked = by_skewness(esa(data, pair))
        for which, (skewness, a, b) in (
            ("the most skewed pair", ranked[-1]),
            ("a middling pair", ranked[len(ranked) // 2]),
        ):
            found.append(_world(data, pair, which, skewness, a, b))
    return tuple(found)


def _world(data: Path, pair: str, which: str, skewness: float, a: str, b: str) -> World:
    def population() -> mt.SufficientStatistics:
        return esa(data, pair)

    n_documents = population().by_unit("documents").n_segments
    return World(
        key=f"esa-{pair}-{which}",
        title=f"ESA, WMT24 {pair}, {which}",
        holds=f"{a} and {b}, their means made equal: skewness {skewness:.1f}.",
        function="centred_pairs",
        remedy="",
        settings=(
            *by_size(lambda n: centred(population, a, b, n)),
            Setting(
                f"{n_documents} documents", centred(population, a, b, n_documents, "documents")
            ),
        ),
    )
