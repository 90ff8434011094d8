"""Texts for the tests of metrics: made-up ones, and WMT12 es-en where it is at hand."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

from mtsig_nb.metrics.meteor import find_jar

WMT12_ES_EN = Path(__file__).parents[2].parent / "shared/data/wmt12/es-en"
N_SYSTEMS = 12

WORDS = [
    *("the", "The", "a", "of", "and", "to", ",", ".", ";", "0", "1,000", "3.5", "tea", "teas"),
    *("walk", "walks", "walked", "walking", "house", "houses", "green", "well-known", "can't"),
    *("boy's", "(perhaps)", "«", "»", '"so"', "Mr.", "U.S.", "…", "naïve"),
]

needs_jar = pytest.mark.skipif(
    find_jar() is None, reason="METEOR's jar is not installed (extra 'meteor')"
)
needs_java = pytest.mark.skipif(
    find_jar() is None or shutil.which("java") is None, reason="needs Java and METEOR's jar"
)


def sentences(n_segments: int, *, seed: int, longest: int = 12) -> list[str]:
    """Made-up lines of words that metrics treat in different ways; some are empty."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(rng.choice(WORDS, size=rng.integers(0, longest + 1))) for _ in range(n_segments)
    ]


def translations(n_segments: int, n_references: int, *, seed: int):
    """Made-up hypotheses that share words with each of their references."""
    rng = np.random.default_rng(seed)
    hypotheses = sentences(n_segments, seed=seed)
    references = []
    for _ in range(n_references):
        lines = []
        for line in hypotheses:
            words = line.split()
            rng.shuffle(words)
            lines.append(" ".join([*words[: rng.integers(0, len(words) + 1)], rng.choice(WORDS)]))
        references.append(lines)
    return hypotheses, references


def wmt12(every: int = 1) -> tuple[list[str], dict[str, list[str]]]:
    """Reference and outputs of WMT12 es-en, every so many segments of it."""
    if not WMT12_ES_EN.is_dir():
        pytest.skip(f"the texts of WMT12 es-en are not at {WMT12_ES_EN}")
    outputs = {
        path.name.removesuffix(".txt.gz"): _lines(path, every)
        for path in sorted(WMT12_ES_EN.glob("hyp/*.txt.gz"))
    }
    assert len(outputs) == N_SYSTEMS
    return _lines(WMT12_ES_EN / "ref.en.txt.gz", every), outputs


def _lines(path: Path, every: int) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")[:-1][::every]


def corpus_score(metric, hypotheses, references) -> float:
    """A metric's score of a whole test set, by its summed statistics."""
    return float(metric.score(metric.statistics(hypotheses, references).sum(axis=0)))
