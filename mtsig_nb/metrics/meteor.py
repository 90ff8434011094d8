"""METEOR 1.5: its score as a function of counts, and exact and stem matches without Java.

The lists of function words and of abbreviations are METEOR's own files.  They are not copied
here: where the package that ships METEOR's jar is installed they are read from it, and elsewhere
function words are found in the references by METEOR's rule.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..errors import check_one_of, missing_extra, require_extra
from ..texts.files import toml_beside
from .base import ArrayLike, FloatArray, Lines, Metric
from .references import best_reference, check_aligned

LISTS = ("meteor-1.5", "references")
MODULES = ("exact", "stem", "synonym", "paraphrase")
SIDES = ("hyp", "ref")


class Parameters(NamedTuple):
    """What METEOR 1.5 was tuned to for one language; ``meteor.toml`` says what each is."""

    name: str
    alpha: float
    beta: float
    gamma: float
    delta: float
    #: Of matches, by the module that finds them.
    weights: dict[str, float]


_TOLD = toml_beside(__file__)
LANGUAGES = {code: Parameters(**tuned) for code, tuned in _TOLD["languages"].items()}


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
        kinds = itertools.product(self.match_modules, ("content", "function"), SIDES)
        matches = [f"{side}_{module}_{kind}" for module, kind, side in kinds]
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

    def score(self, sums: ArrayLike) -> FloatArray:
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

        def counts(hyp: Sequence[str], ref: Sequence[str]) -> list[int]:
            stems = None if stem is None else ([*map(stem, hyp)], [*map(stem, ref)])
            matches, chunks = align(hyp, ref, stems)
            matched = [0] * (4 * len(self.match_modules))
            for ours, theirs, module in matches:
                matched[4 * module + 2 * (hyp[ours] in function_words)] += 1
                matched[4 * module + 2 * (ref[theirs] in function_words) + 1] += 1
            function = [sum(word in function_words for word in words) for words in (hyp, ref)]
            return [len(hyp), len(ref), *function, *matched, chunks]

        rows = [counts(*both) for lines in translations for both in zip(output, lines, strict=True)]
        shape = (len(references), len(hypotheses), len(self.columns))
        values = np.array(rows, dtype=np.float64).reshape(shape)
        return best_reference(self, self.forgive_whole_segments(values))

    def words(self, line: str) -> Sequence[str]:
        return tokenize(line, self.language)

    def _lists(self) -> WordLists:
        if self.word_lists == "references":
            return EMPTY_LISTS
        jar = jar_for("word_lists='meteor-1.5'", "word_lists='references'")
        return read_word_lists(jar, self.parameters.name)

    def _stemmer(self) -> Callable[[str], str] | None:
        if "stem" not in self.match_modules:
            return None
        _require_stemmer()
        import snowballstemmer

        return functools.cache(snowballstemmer.stemmer(self.parameters.name).stemWord)


def jar_for(purpose: str, instead: str) -> Path:
    """The jar, or the error that says what it is needed for and how to do without."""
    jar = find_jar()
    if jar is None:
        raise missing_extra("pycocoevalcap", extra="meteor", purpose=purpose, instead=instead)
    return jar


def _require_stemmer() -> None:
    require_extra("snowballstemmer", extra="meteor", purpose="metric='METEOR'")


# --- words: METEOR's tokenisation (-norm) and its lists -------------------------------------------

#: A function word is at least this frequent (Denkowski & Lavie 2011, Meteor 1.3).
FUNCTION_WORD_FREQUENCY = 1e-3

#: For every language: METEOR 1.5 has lists for six, but with its option ``-l`` it changes the
#: parameters, the stemmer and the abbreviations and goes on reading the English function words.
FUNCTION_WORDS = "function/english.words"

LETTERS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697"
    "\u1d00-\u1d7f\u0178"
)
WIDE_SPACE = dict.fromkeys([*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0xA0], " ")
BETWEEN_WORDS = re.compile("[ \t\n\r\f]+")
CONTROLS = "".join(map(chr, range(33)))

#: By language; those without rules of their own have "other", and all have "common" first.
RULES = {
    kind: [(re.compile(pattern.replace("<L>", LETTERS)), by) for pattern, by in rules]
    for kind, rules in _TOLD["rules"].items()
}
HAS_LETTER = re.compile(f"[{LETTERS}]")


class WordLists(NamedTuple):
    """Function words, and abbreviations whose full stop belongs to them."""

    function_words: frozenset[str]
    abbreviations: frozenset[str]
    #: Abbreviations only where a number follows, such as "No." in "No. 5".
    before_numbers: frozenset[str]


EMPTY_LISTS = WordLists(frozenset(), frozenset(), frozenset())


def find_jar() -> Path | None:
    """METEOR 1.5's jar in the installed package pycocoevalcap, or None."""
    package = importlib.util.find_spec("pycocoevalcap")  # looked up, not imported
    for folder in (package and package.submodule_search_locations) or ():
        jar = Path(folder, "meteor", "meteor-1.5.jar")
        if jar.is_file():
            return jar
    return None


@functools.lru_cache(maxsize=8)
def read_word_lists(jar: Path, name: str) -> WordLists:
    """The lists that METEOR uses for the language that it calls `name`, from inside its jar."""
    with zipfile.ZipFile(jar) as archive:
        words = archive.read(FUNCTION_WORDS).decode("utf-8").splitlines()
        prefixes = archive.read(f"nonbreaking/{name}.prefixes").decode("utf-8").splitlines()
    always: set[str] = set()
    before_numbers: set[str] = set()
    for line in prefixes:
        prefix, *mark = line.split()[:2] or [""]
        if prefix and not prefix.startswith("#"):
            (before_numbers if mark == ["#NUMERIC_ONLY#"] else always).add(prefix)
    return WordLists(frozenset(words), frozenset(always), frozenset(before_numbers))


def frequent_words(lines: Iterable[Sequence[str]]) -> frozenset[str]:
    """The words that make up at least one in a thousand of those in `lines`."""
    counts = Counter(word for words in lines for word in words)
    least = FUNCTION_WORD_FREQUENCY * counts.total()
    return frozenset(word for word, count in counts.items() if count >= least)


def tokenize(line: str, language: str, lists: WordLists = EMPTY_LISTS) -> list[str]:
    """Lower-cased words of `line` by METEOR 1.5's ``-norm``.

    >>> tokenize("The well-known Mr. Low didn't pay $1,000...", "en")
    ['the', 'well', 'known', 'mr', '.', 'low', 'didn', "'t", 'pay', '$', '1,000', '...']
    """
    line = f" {line} "
    for pattern, replacement in (*RULES["common"], *RULES.get(language, RULES["other"])):
        line = pattern.sub(replacement, line)
    tokens = BETWEEN_WORDS.split(line.strip(" \t\n\r\f"))
    following = [*tokens[1:], ""]
    text = " ".join(
        _full_stop_apart(token, after, lists)
        for token, after in zip(tokens, following, strict=True)
    )
    text = text.translate(WIDE_SPACE).strip(CONTROLS)
    return BETWEEN_WORDS.split(text.lower()) if text else []


def _full_stop_apart(token: str, following: str, lists: WordLists) -> str:
    """`token` with a final full stop set apart, unless it is part of an abbreviation."""
    if len(token) < 2 or not token.endswith(".") or not token.strip("."):
        return token
    stem = token[:-1]
    if "." in stem and HAS_LETTER.search(stem):
        return stem.replace(".", "")
    if stem in lists.abbreviations or re.match("[a-z]", following):
        return token
    before_number = stem in lists.before_numbers and re.match("[0-9]", following)
    return token if before_number else f"{stem} ."


BEAM_SIZE = 40
EXACT, STEM = 0, 1
#: Instead of a position in the hypothesis: the last word of the reference was not matched.
NO_CHUNK = -1

#: A word of the hypothesis that one of the reference may match, and by which module.
Candidate = tuple[int, int]
#: A partial alignment: the negative number of exact matches, chunks and distance, which rank it;
#: the position just after the last match, if the last word had one; the hypothesis' used words,
#: as bits; and the matches so far, (reference word, candidate, earlier matches).
Partial = tuple[int, int, int, int, int, Any]
_rank = itemgetter(0, 1, 2)


def align(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stems: tuple[Sequence[str], Sequence[str]] | None = None,
) -> tuple[list[tuple[int, int, int]], int]:
    """One-to-one matches of equal words and, where stems are given, of equal stems.

    The search is that of METEOR 1.5 with its two peculiarities, since other choices would give
    other scores.  Its paths are ranked by their number of *exact* matches only, then by chunks,
    then by distance: a stem match counts one half there, added to a whole number and rounded
    down.  And the distance of a match is charged not to the path that takes it but to those that
    branch from the same path after it.

    Returns
    -------
    matches : list of (int, int, int)
        Positions in hypothesis and reference, and the module that matched; in the order of the
        reference.
    chunks : int
        Runs of matches that are adjacent and in the same order on both sides.

    Examples
    --------
    >>> matches, chunks = align(["a", "cat", "sat"], ["the", "cat", "sat", "still"])
    >>> matches[0], len(matches), chunks
    ((1, 1, 0), 2, 1)
    """
    # What each word of the reference may match: equal words first, then equal stems.
    candidates = [[(i, EXACT) for i in found] for found in _positions(hypothesis, reference)]
    # METEOR's own exception are equal texts: stems could only lead the search astray.
    for word, found in enumerate(_positions(*stems) if stems and hypothesis != reference else ()):
        candidates[word] += [(i, STEM) for i in found if hypothesis[i] != reference[word]]
    # Words with one candidate that is nobody else's always match.
    wanted = Counter(position for possible in candidates for position, _ in possible)
    certain = {
        word
        for word, possible in enumerate(candidates)
        if len(possible) == 1 and wanted[possible[0][0]] == 1
    }
    reserved = sum(1 << candidates[word][0][0] for word in certain)
    paths: list[Partial] = [(0, 0, 0, NO_CHUNK, reserved, None)]
    for word, possible in enumerate(candidates):
        if word in certain:
            paths = [_take(path, word, possible[0]) for path in paths]
        elif possible:
            paths = [new for path in paths for new in _branch(path, word, possible)]
        else:
            paths = [_skip(path) for path in paths]
        if len(paths) > 1:
            paths.sort(key=_rank)
            del paths[BEAM_SIZE:]
    # Skipping past the end closes the last chunk.
    _, chunks, _, _, _, chosen = min(map(_skip, paths), key=_rank)
    matches = []
    while chosen is not None:
        word, (position, module), chosen = chosen
        matches.append((position, word, module))
    return matches[::-1], chunks


def _positions(hypothesis: Sequence[str], reference: Sequence[str]) -> list[list[int]]:
    where: dict[str, list[int]] = {}
    for i, word in enumerate(hypothesis):
        where.setdefault(word, []).append(i)
    return [where.get(word, []) for word in reference]


def _take(path: Partial, word: int, candidate: Candidate) -> Partial:
    minus_exact, chunks, distance, chunk_end, used, chosen = path
    position, module = candidate
    return (
        minus_exact - (module == EXACT),
        chunks + (chunk_end not in (NO_CHUNK, position)),
        distance + abs(word - position),
        position + 1,
        used | 1 << position,
        (word, candidate, chosen),
    )


def _skip(path: Partial) -> Partial:
    minus_exact, chunks, distance, chunk_end, used, chosen = path
    return minus_exact, chunks + (chunk_end != NO_CHUNK), distance, NO_CHUNK, used, chosen


def _branch(path: Partial, word: int, possible: list[Candidate]) -> list[Partial]:
    """`path` continued by each candidate that is still free, and by none."""
    branches = []
    for candidate in possible:
        position = candidate[0]
        if path[4] >> position & 1:
            continue
        taken = _take(path, word, candidate)
        branches.append((*taken[:2], path[2], *taken[3:]))
        path = (*path[:2], taken[2], *path[3:])
    branches.append(_skip(path))
    return branches
