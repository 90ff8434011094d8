"""METEOR without Java: exact and stem matches, with the parameters of METEOR 1.5."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from ..errors import check_one_of, missing_extra, require_extra
from .base import FloatArray, Lines
from .meteor_align import align
from .meteor_score import MODULES, MeteorScore
from .meteor_text import EMPTY_LISTS, WordLists, find_jar, frequent_words, read_word_lists, tokenize
from .references import best_reference, check_aligned

LISTS = ("meteor-1.5", "references")


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
        lists = self._lists()
        hypothesis_words = [tokenize(line, self.language, lists) for line in hypotheses]
        reference_words = [
            [tokenize(line, self.language, lists) for line in lines] for lines in references
        ]
        function_words = lists.function_words
        if self.word_lists == "references":
            function_words = frequent_words(words for ref in reference_words for words in ref)
        stem = self._stemmer()
        per_reference = [
            [
                self._counts(hyp, ref, function_words, stem)
                for hyp, ref in zip(hypothesis_words, lines, strict=True)
            ]
            for lines in reference_words
        ]
        shape = (len(references), len(hypotheses), len(self.columns))
        rows = np.asarray(per_reference, dtype=np.float64).reshape(shape)
        return best_reference(self, self.forgive_whole_segments(rows))

    def _lists(self) -> WordLists:
        if self.word_lists == "references":
            return EMPTY_LISTS
        jar = find_jar()
        if jar is None:
            raise missing_extra(
                "pycocoevalcap",
                extra="meteor",
                purpose="word_lists='meteor-1.5'",
                instead="word_lists='references'",
            )
        return read_word_lists(jar, self.parameters.name)

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
        if stem is None:
            matches, chunks = align(hypothesis, reference)
        else:
            stems = [stem(word) for word in hypothesis], [stem(word) for word in reference]
            matches, chunks = align(hypothesis, reference, *stems)
        matched = [0] * (4 * len(self.match_modules))
        for hyp, ref, module in matches:
            matched[4 * module + 2 * (hypothesis[hyp] in function_words)] += 1
            matched[4 * module + 2 * (reference[ref] in function_words) + 1] += 1
        function = [
            sum(word in function_words for word in words) for words in (hypothesis, reference)
        ]
        return [len(hypothesis), len(reference), *function, *matched, chunks]


def _require_stemmer() -> None:
    require_extra("snowballstemmer", extra="meteor", purpose="metric='METEOR'")
