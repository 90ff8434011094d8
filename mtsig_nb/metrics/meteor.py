"""METEOR 1.5: its score as a function of counts, and exact and stem matches without Java."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import check_one_of, missing_extra, require_extra
from .base import FloatArray, Lines, Metric
from .meteor_words import (
    EMPTY_LISTS,
    WordLists,
    align,
    find_jar,
    frequent_words,
    read_word_lists,
    tokenize,
)
from .texts import best_reference, check_aligned

LISTS = ("meteor-1.5", "references")
MODULES = ("exact", "stem", "synonym", "paraphrase")
SIDES = ("hyp", "ref")


class Parameters(NamedTuple):
    """What METEOR 1.5 was tuned to for one language (task "rank")."""

    name: str
    #: Weight of recall against precision in their harmonic mean.
    alpha: float
    #: Exponent of the fragmentation, and the share of the score that it can cost.
    beta: float
    gamma: float
    #: Weight of content words; that of function words is 1 - delta.
    delta: float
    #: Weights of exact, stem, synonym and paraphrase matches, for the modules the language has.
    weights: dict[str, float]


def _weights(*weights: float | None) -> dict[str, float]:
    """By module; None for those that a language has not."""
    return {m: w for m, w in zip(MODULES, weights, strict=True) if w is not None}


#: Denkowski & Lavie (2014), Meteor Universal, and the constants that version 1.5 prints with its
#: scores.  Languages by ISO code; METEOR itself says "cz" for Czech.
LANGUAGES = {
    "en": Parameters("english", 0.85, 0.2, 0.6, 0.75, _weights(1.0, 0.6, 0.8, 0.6)),
    "cs": Parameters("czech", 0.95, 0.2, 0.6, 0.8, _weights(1.0, None, None, 0.4)),
    "de": Parameters("german", 0.95, 1.0, 0.55, 0.55, _weights(1.0, 0.8, None, 0.2)),
    "es": Parameters("spanish", 0.65, 1.3, 0.5, 0.8, _weights(1.0, 0.8, None, 0.6)),
    "fr": Parameters("french", 0.9, 1.4, 0.6, 0.65, _weights(1.0, 0.2, None, 0.4)),
    "ru": Parameters("russian", 0.75, 1.4, 0.7, 0.5, _weights(1.0, 0.5, None, 0.5)),
}


@dataclass(frozen=True)
class MeteorScore(Metric):
    """Columns and score of METEOR 1.5; how words are matched is up to its subclasses.

    Content and function words are counted apart on either side, and matches by the module that
    found them.  Precision and recall weigh these counts; the score is their harmonic mean
    (``alpha``), less a penalty for the number of chunks into which the matches fall.
    """

    name: ClassVar[str] = "METEOR"
    language: str = "en"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of("language", self.language, LANGUAGES)

    @property
    def parameters(self) -> Parameters:
        """METEOR 1.5's parameters for the language."""
        return LANGUAGES[self.language]

    @property
    def match_modules(self) -> tuple[str, ...]:
        """The modules that find matches, in the order in which they are tried."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        lengths = [f"{side}_{count}" for count in ("len", "function") for side in SIDES]
        matches = [
            f"{side}_{module}_{kind}"
            for module in self.match_modules
            for kind in ("content", "function")
            for side in SIDES
        ]
        return (*lengths, *matches, "chunks")

    def forgive_whole_segments(self, rows: FloatArray) -> FloatArray:
        """Count no chunk, in place, where all words of both sides match in one piece.

        METEOR does so both when it scores a segment and when it adds segments up: what is
        perfectly in order is not fragmented at all.

        Parameters
        ----------
        rows : ndarray of float64, shape (..., counts)
        """
        matches = rows[..., 4:-1]
        whole = rows[..., -1] == 1
        for side in range(len(SIDES)):
            whole &= matches[..., side::2].sum(axis=-1) == rows[..., side]
        rows[whole, -1] = 0
        return rows

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        counts = np.ascontiguousarray(np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0))
        alpha, beta, gamma, delta = self.parameters[1:5]
        weights = [self.parameters.weights[module] for module in self.match_modules]
        matched = counts[4:-1].sum(axis=0)  # on both sides

        def weighted(content: FloatArray, function: FloatArray) -> FloatArray:
            return delta * content + (1 - delta) * function

        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = []
            for side in range(len(SIDES)):
                found = map(weighted, counts[4 + side : -1 : 4], counts[6 + side : -1 : 4])
                length, function = counts[side], counts[2 + side]
                total = sum(weight * one for weight, one in zip(weights, found, strict=True))
                ratios.append(total / weighted(length - function, function))
            precision, recall = ratios
            mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
            fragmentation = counts[-1] / (0.5 * matched)
            if beta != 1.0:
                fragmentation = np.power(fragmentation, beta)
            score = mean * (1.0 - gamma * fragmentation)
        return np.where(matched > 0, score, 0.0)


@dataclass(frozen=True)
class METEOR(MeteorScore):
    """METEOR 1.5 with the modules exact and stem, from 0 to 1, in Python.

    It does what METEOR's jar does with ``-norm -m "exact stem"`` (for Czech ``-m exact``):
    the same tokenisation, alignment, function words, parameters and, with several references,
    the best one for each segment.  Differences that remain come from the stemmers, whose rules
    the Snowball project has improved since 2009.  For METEOR with synonyms and paraphrases, see
    `METEORJar`.

    Parameters
    ----------
    language : {"en", "cs", "de", "es", "fr", "ru"}
        The language of hypotheses and references.
    word_lists : {"auto", "meteor-1.5", "references"}
        Where function words and abbreviations come from.  ``"meteor-1.5"`` reads METEOR's own
        lists in the installed package ``pycocoevalcap``; for any language the function words are
        the English ones, since METEOR 1.5 itself uses no others.  ``"references"`` needs nothing
        installed: the function words are those that make up at least one in a thousand words of
        the references, which is how METEOR's lists were made from larger corpora, and no
        abbreviations are known.  ``"auto"`` becomes the first where it can, else the second; the
        signature says which.

    Notes
    -----
    On the 12 Spanish-English systems of WMT12 the score with METEOR's lists differs from the
    jar's by at most 0.00003, and with lists from the references by at most 0.0007.

    Examples
    --------
    >>> meteor = METEOR(word_lists="references")
    >>> stats = meteor.statistics(["the cats sat here"], [["here sat the cat"]])
    >>> counts = dict(zip(meteor.columns, stats[0].astype(int).tolist()))
    >>> counts["hyp_exact_function"], counts["ref_stem_function"], counts["chunks"]
    (3, 1, 3)
    >>> round(float(meteor.score(stats.sum(axis=0))), 4)
    0.383
    """

    word_lists: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word_lists == "auto":
            # Settled once, so that the settings of a metric say all about it.
            installed = LISTS[0] if find_jar() else LISTS[1]
            object.__setattr__(self, "word_lists", installed)
        check_one_of("word_lists", self.word_lists, ("auto", *LISTS))

    def require(self) -> None:
        self._lists()
        self._stemmer()

    @property
    def match_modules(self) -> tuple[str, ...]:
        return tuple(module for module in MODULES[:2] if module in self.parameters.weights)

    @property
    def signature(self) -> str:
        alpha, beta, gamma, delta = self.parameters[1:5]
        stemmer = ""
        if "stem" in self.match_modules:
            _require_stemmer()
            stemmer = f"|stemmer:snowball-{metadata.version('snowballstemmer')}"
        return (
            f"METEOR|lang:{self.language}|norm:yes|modules:{'+'.join(self.match_modules)}"
            f"|alpha:{alpha:g}|beta:{beta:g}|gamma:{gamma:g}|delta:{delta:g}"
            f"|lists:{self.word_lists}{stemmer}|version:1.5-python"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        lists, stem = self._lists(), self._stemmer()
        output, *translations = [
            [tokenize(line, self.language, lists) for line in lines]
            for lines in (hypotheses, *references)
        ]
        function_words = lists.function_words
        if self.word_lists == "references":
            function_words = frequent_words(words for ref in translations for words in ref)
        rows = np.array(
            [
                [
                    self._counts(*both, function_words, stem)
                    for both in zip(output, lines, strict=True)
                ]
                for lines in translations
            ],
            dtype=np.float64,
        ).reshape(len(references), len(hypotheses), len(self.columns))
        return best_reference(self, self.forgive_whole_segments(rows))

    def _lists(self) -> WordLists:
        if self.word_lists == "references":
            return EMPTY_LISTS
        return read_word_lists(
            jar_for("word_lists='meteor-1.5'", "word_lists='references'"), self.parameters.name
        )

    def _stemmer(self) -> Callable[[str], str] | None:
        if "stem" not in self.match_modules:
            return None
        _require_stemmer()
        import snowballstemmer

        return functools.cache(snowballstemmer.stemmer(self.parameters.name).stemWord)

    def _counts(
        self,
        hypothesis: Sequence[str],
        reference: Sequence[str],
        function_words: Collection[str],
        stem: Callable[[str], str] | None,
    ) -> list[int]:
        """One row of statistics, in the order of `columns`."""
        both = hypothesis, reference
        stems = None if stem is None else ([*map(stem, hypothesis)], [*map(stem, reference)])
        matches, chunks = align(hypothesis, reference, stems)
        matched = [0] * (4 * len(self.match_modules))
        for hyp, ref, module in matches:
            matched[4 * module + 2 * (hypothesis[hyp] in function_words)] += 1
            matched[4 * module + 2 * (reference[ref] in function_words) + 1] += 1
        function = [sum(word in function_words for word in words) for words in both]
        return [*map(len, both), *function, *matched, chunks]


def jar_for(purpose: str, instead: str) -> Path:
    """The jar, or the error that says what it is needed for and how to do without."""
    jar = find_jar()
    if jar is None:
        raise missing_extra("pycocoevalcap", extra="meteor", purpose=purpose, instead=instead)
    return jar


def _require_stemmer() -> None:
    require_extra("snowballstemmer", extra="meteor", purpose="metric='METEOR'")
