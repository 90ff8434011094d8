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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..errors import check_one_of, missing_extra, require_extra
from ..texts.files import toml_beside
from .base import ArrayLike, FloatArray, Lines, Metric, counts_first
from .references import best_reference, check_aligned

#: Where function words come from.
LISTS = ("meteor-1.5", "references")
#: Modules of METEOR's, which find matches, in the order in which METEOR tries them.
EXACT = "exact"
STEM = "stem"
MODULES = (EXACT, STEM, "synonym", "paraphrase")
#: Kinds of matched words, in the order of their columns.
KINDS = ("content", "function")
#: Output and reference, in the order of their columns.
SIDES = ("hyp", "ref")

# Where the counts stand in `MeteorScore.columns`; matches have a column for each module, kind and
# side, in this order.
WORDS = slice(0, 2)
FUNCTION_WORDS = slice(2, 4)
MATCHES = slice(4, -1)
CHUNKS = -1


class Parameters(NamedTuple):
    """What METEOR 1.5 was tuned to for one language; ``meteor.toml`` says what each is."""

    name: str
    alpha: float
    beta: float
    gamma: float
    delta: float
    #: The weight of a match, by the module that finds it; a language has only some modules.
    weights: dict[str, float]


_SETTINGS = toml_beside(__file__)
LANGUAGES = {code: Parameters(**tuned) for code, tuned in _SETTINGS["languages"].items()}


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
        lengths = [f"{side}_len" for side in SIDES]
        function_words = [f"{side}_function" for side in SIDES]
        matches = [f"{side}_{module}_{kind}" for module, kind, side in self._columns_of_matches()]
        return (*lengths, *function_words, *matches, "chunks")

    def _columns_of_matches(self) -> Iterator[tuple[str, str, str]]:
        """What the columns of matches count: the module, the kind of words and the side of each."""
        return itertools.product(self.match_modules, KINDS, SIDES)

    def _matches_of(self, counts: FloatArray) -> FloatArray:
        """The counts of matches, of shape (modules, kinds, sides, ...), from (counts, ...)."""
        n_each = (len(self.match_modules), len(KINDS), len(SIDES))
        return counts[MATCHES].reshape(*n_each, *counts.shape[1:])

    def forgive_whole_segments(self, rows: FloatArray) -> FloatArray:
        """Count no chunk, in place, where all words of both sides match in one piece.

        METEOR does so with a segment's counts, before it scores them or adds them to those of
        other segments: what is perfectly in order is not fragmented at all.

        Parameters
        ----------
        rows : ndarray of float64, shape (..., counts)

        Returns
        -------
        ndarray of float64, shape (..., counts)
            `rows` itself.
        """
        counts = counts_first(rows)
        n_matched = self._matches_of(counts).sum(axis=(0, 1))  # on each side
        has_no_other_word = (n_matched == counts[WORDS]).all(axis=0)
        is_in_one_piece = counts[CHUNKS] == 1
        rows[has_no_other_word & is_in_one_piece, CHUNKS] = 0
        return rows

    def score(self, sums: ArrayLike) -> FloatArray:
        """(1 - Pen) F, with F = P R / (alpha P + (1 - alpha) R) and Pen = gamma (ch / m)**beta.

        P and R are `_matched_share` of either side, ch is the number of chunks, and m that of
        matched words, the mean of both sides (Denkowski & Lavie 2014, section 2).
        """
        counts = counts_first(sums)
        alpha = self.parameters.alpha
        beta = self.parameters.beta
        gamma = self.parameters.gamma
        chunks = counts[CHUNKS]
        matched = counts[MATCHES].sum(axis=0)  # on both sides
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = self._matched_share(counts, SIDES.index("hyp"))
            recall = self._matched_share(counts, SIDES.index("ref"))
            f_mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
            fragmentation = chunks / (0.5 * matched)
            if beta != 1.0:
                fragmentation = np.power(fragmentation, beta)
            score = f_mean * (1.0 - gamma * fragmentation)
        return np.where(matched > 0, score, 0.0)

    def _matched_share(self, counts: FloatArray, side: int) -> FloatArray:
        """Matches over words on one side: precision on the output's, recall on the reference's.

        A content word counts delta and a function word 1 - delta, and matches of each module have
        a weight of their own.

        Parameters
        ----------
        counts : ndarray of float64, shape (counts, ...)
        side : int
            Its place in `SIDES`.
        """
        delta = self.parameters.delta

        def weighted(content: FloatArray, function: FloatArray) -> FloatArray:
            return delta * content + (1 - delta) * function

        total = np.zeros(counts.shape[1:])
        matches = self._matches_of(counts)[:, :, side]
        for module, (content, function) in zip(self.match_modules, matches, strict=True):
            total += self.parameters.weights[module] * weighted(content, function)
        n_words = counts[WORDS][side]
        n_function_words = counts[FUNCTION_WORDS][side]
        return total / weighted(n_words - n_function_words, n_function_words)


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
        abbreviations are known.  ``"auto"`` becomes the first if it can, otherwise the second; the
        signature shows which.

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
            settled = "meteor-1.5" if find_jar() else "references"
            object.__setattr__(self, "word_lists", settled)
        check_one_of("word_lists", self.word_lists, ("auto", *LISTS))

    def require(self) -> None:
        self._lists()
        self._stemmer()

    @property
    def match_modules(self) -> tuple[str, ...]:
        return tuple(module for module in (EXACT, STEM) if module in self.parameters.weights)

    @property
    def signature(self) -> str:
        tuned = self.parameters
        modules = "+".join(self.match_modules)
        stemmer = ""
        if STEM in self.match_modules:
            _require_stemmer()
            stemmer = f"|stemmer:snowball-{metadata.version('snowballstemmer')}"
        return (
            f"METEOR|lang:{self.language}|norm:yes|modules:{modules}"
            f"|alpha:{tuned.alpha:g}|beta:{tuned.beta:g}|gamma:{tuned.gamma:g}"
            f"|delta:{tuned.delta:g}|lists:{self.word_lists}{stemmer}|version:1.5-python"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        lists = self._lists()
        stem = self._stemmer()
        hypotheses_words = _tokenized(hypotheses, self.language, lists)
        references_words = [_tokenized(lines, self.language, lists) for lines in references]
        function_words = lists.function_words
        if self.word_lists == "references":
            function_words = frequent_words(itertools.chain.from_iterable(references_words))
        rows = []
        for reference_words in references_words:
            for hyp, ref in zip(hypotheses_words, reference_words, strict=True):
                rows.append(self._counts(hyp, ref, function_words, stem))
        shape = (len(references), len(hypotheses), len(self.columns))
        values = np.array(rows, dtype=np.float64).reshape(shape)
        return best_reference(self, self.forgive_whole_segments(values))

    def _counts(
        self,
        hyp: Sequence[str],
        ref: Sequence[str],
        function_words: frozenset[str],
        stem: Callable[[str], str] | None,
    ) -> list[int]:
        """The statistics of one segment's words, in the order of `columns`."""
        stems = None
        if stem is not None:
            stems = list(map(stem, hyp)), list(map(stem, ref))
        matches, chunks = align(hyp, ref, stems)
        n_matched: Counter[tuple[str, str, str]] = Counter()
        for in_hyp, in_ref, module in matches:
            for side, word in zip(SIDES, (hyp[in_hyp], ref[in_ref]), strict=True):
                kind = "function" if word in function_words else "content"
                n_matched[module, kind, side] += 1
        hyp_function = sum(word in function_words for word in hyp)
        ref_function = sum(word in function_words for word in ref)
        matched = [n_matched[match] for match in self._columns_of_matches()]
        return [len(hyp), len(ref), hyp_function, ref_function, *matched, chunks]

    def words(self, line: str) -> Sequence[str]:
        return tokenize(line, self.language)

    def _lists(self) -> WordLists:
        """The lists that `word_lists` names.

        They are empty for ``"references"``: `statistics` finds the function words of these.
        """
        if self.word_lists == "references":
            return EMPTY_LISTS
        jar = jar_for("word_lists='meteor-1.5'", "word_lists='references'")
        return read_word_lists(jar, self.parameters.name)

    def _stemmer(self) -> Callable[[str], str] | None:
        """The language's stemmer; None where stems are not matched."""
        if STEM not in self.match_modules:
            return None
        _require_stemmer()
        import snowballstemmer

        return functools.cache(snowballstemmer.stemmer(self.parameters.name).stemWord)


def jar_for(purpose: str, instead: str) -> Path:
    """METEOR's jar.

    Parameters
    ----------
    purpose : str
        What needs the jar, as the user wrote it, such as ``"metric='METEORJar'"``.
    instead : str
        How to do without the jar.

    Raises
    ------
    InputError
        If the package that ships the jar is not installed.
    """
    jar = find_jar()
    if jar is None:
        raise missing_extra("pycocoevalcap", extra="meteor", purpose=purpose, instead=instead)
    return jar


def _require_stemmer() -> None:
    """Raise `InputError` unless the package of stemmers is installed."""
    require_extra("snowballstemmer", extra="meteor", purpose="metric='METEOR'")


# --- words: METEOR's tokenisation (-norm) and its lists -------------------------------------------

#: A function word is at least this frequent (Denkowski & Lavie 2011, Meteor 1.3).
FUNCTION_WORD_FREQUENCY = 1e-3

#: For every language: METEOR 1.5 has lists for six, but with its option ``-l`` it changes the
#: parameters, the stemmer and the abbreviations and goes on reading the English function words.
FUNCTION_WORDS_FILE = "function/english.words"

#: What METEOR takes for letters, as ranges in a pattern.
LETTERS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697"
    "\u1d00-\u1d7f\u0178"
)
#: Spaces of other kinds, and what takes their place.
WIDE_SPACE = dict.fromkeys([*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0xA0], " ")
BETWEEN_WORDS = re.compile("[ \t\n\r\f]+")
CONTROLS = "".join(map(chr, range(33)))


def _compiled(rules: Iterable[tuple[str, str]]) -> list[tuple[re.Pattern[str], str]]:
    """Patterns with their replacements; ``<L>`` in a pattern stands for `LETTERS`."""
    compiled = []
    for pattern, replacement in rules:
        compiled.append((re.compile(pattern.replace("<L>", LETTERS)), replacement))
    return compiled


@functools.cache
def _rules(kind: str) -> list[tuple[re.Pattern[str], str]]:
    """The rules of a language, or those of all; compiled when they are first used.

    Those of all are "common", and languages without rules of their own have "other".
    """
    rules = _SETTINGS["rules"]
    return _compiled(rules.get(kind, rules["other"]))


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
        words = archive.read(FUNCTION_WORDS_FILE).decode("utf-8").splitlines()
        prefixes = archive.read(f"nonbreaking/{name}.prefixes").decode("utf-8").splitlines()
    always: set[str] = set()
    before_numbers: set[str] = set()
    for line in prefixes:
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        if fields[1:2] == ["#NUMERIC_ONLY#"]:
            before_numbers.add(fields[0])
        else:
            always.add(fields[0])
    return WordLists(frozenset(words), frozenset(always), frozenset(before_numbers))


def frequent_words(lines: Iterable[Sequence[str]]) -> frozenset[str]:
    """The words that make up at least one in a thousand of those in `lines`."""
    counts = Counter(word for words in lines for word in words)
    least = FUNCTION_WORD_FREQUENCY * counts.total()
    return frozenset(word for word, count in counts.items() if count >= least)


def _tokenized(lines: Lines, language: str, lists: WordLists) -> list[list[str]]:
    """The words of each line."""
    return [tokenize(line, language, lists) for line in lines]


def tokenize(line: str, language: str, lists: WordLists = EMPTY_LISTS) -> list[str]:
    """Lower-cased words of `line` by METEOR 1.5's ``-norm``.

    >>> tokenize("The well-known Mr. Low didn't pay $1,000...", "en")
    ['the', 'well', 'known', 'mr', '.', 'low', 'didn', "'t", 'pay', '$', '1,000', '...']
    """
    padded = f" {line} "
    for pattern, replacement in (*_rules("common"), *_rules(language)):
        padded = pattern.sub(replacement, padded)
    tokens = BETWEEN_WORDS.split(padded.strip(" \t\n\r\f"))
    separated = []
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        separated.append(_full_stop_apart(token, following, lists))
    text = " ".join(separated)
    text = text.translate(WIDE_SPACE).strip(CONTROLS)
    return BETWEEN_WORDS.split(text.lower()) if text else []


def _full_stop_apart(token: str, following: str, lists: WordLists) -> str:
    """`token` with a final full stop set apart, unless it is part of an abbreviation."""
    has_full_stop = token.endswith(".")
    is_all_stops = not token.strip(".")
    if not has_full_stop or is_all_stops:
        return token
    word = token[:-1]
    if "." in word and HAS_LETTER.search(word):  # "U.S." becomes "US"
        return word.replace(".", "")
    if word in lists.abbreviations or re.match("[a-z]", following):
        return token
    if word in lists.before_numbers and re.match("[0-9]", following):
        return token
    return f"{word} ."


# --- matches: METEOR's search for an alignment ----------------------------------------------------

#: Paths that METEOR's search keeps at a time.
BEAM_SIZE = 40
#: Instead of a position in the hypothesis: no chunk is open, since the last word of the reference
#: was not matched.
NO_CHUNK = -1

#: A match of one word: its position in the hypothesis, and the module that finds the match.
Candidate = tuple[int, str]

#: A path of the search: one alignment of the words of the reference that are passed.  It is a plain
#: tuple, since every segment needs hundreds of them:
#:
#: - minus_exact: minus the number of exact matches;
#: - chunks: the number of chunks that have ended;
#: - distance: what is charged to the path; paths are ranked by these three, the smallest first;
#: - next_in_chunk: the position in the hypothesis that would continue the open chunk, or NO_CHUNK;
#: - used: the words of the hypothesis that are not free, as bits;
#: - last_match: (reference word, candidate, the match before it), or None for no match.
SearchPath = tuple[int, int, int, int, int, Any]
_rank = itemgetter(0, 1, 2)  # minus_exact, chunks, distance


def align(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stems: tuple[Sequence[str], Sequence[str]] | None = None,
) -> tuple[list[tuple[int, int, str]], int]:
    """One-to-one matches of equal words and, where stems are given, of equal stems.

    The search is that of METEOR 1.5 with its two peculiarities, since other choices would give
    other scores.  Its paths are ranked by their number of *exact* matches only, then by chunks,
    then by distance: a stem match counts one half there, added to a whole number and rounded
    down.  And where a word has several candidates, the distance of a match is not charged to the
    path that takes the candidate.  It is charged to the paths that take a later candidate, or
    none, in its place.

    Parameters
    ----------
    hypothesis, reference : sequence of str
        The words of either side.
    stems : (sequence of str, sequence of str), optional
        The stems of these words: of the hypothesis, and of the reference.

    Returns
    -------
    matches : list of (int, int, str)
        Positions in hypothesis and reference, and the module that matched; in the order of the
        reference.
    chunks : int
        Runs of matches that are adjacent and in the same order on both sides.

    Examples
    --------
    >>> matches, chunks = align(["a", "cat", "sat"], ["the", "cat", "sat", "still"])
    >>> matches, chunks
    ([(1, 1, 'exact'), (2, 2, 'exact')], 1)
    """
    candidates = _candidates(hypothesis, reference, stems)
    certain = _certain(candidates)
    reserved = 0  # words of the hypothesis that are not free, as bits
    for position, _ in certain.values():
        reserved |= 1 << position
    paths: list[SearchPath] = [(0, 0, 0, NO_CHUNK, reserved, None)]
    for word, possible in enumerate(candidates):
        if word in certain:
            # All paths take this match: its distance could not change their order.
            paths = [_take(path, word, certain[word]) for path in paths]
        elif possible:
            branches = [_branch(path, word, possible) for path in paths]
            paths = list(itertools.chain.from_iterable(branches))
        else:
            paths = [_skip(path) for path in paths]
        if len(paths) > 1:
            paths.sort(key=_rank)
            del paths[BEAM_SIZE:]
    # A chunk counts when it ends, and the end of the reference ends the last one.
    _, chunks, _, _, _, match = min(map(_skip, paths), key=_rank)
    matches = []
    while match is not None:
        word, (position, module), match = match
        matches.append((position, word, module))
    return matches[::-1], chunks  # found from the last match to the first


def _candidates(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stems: tuple[Sequence[str], Sequence[str]] | None,
) -> list[list[Candidate]]:
    """What each word of the reference may match: equal words first, then equal stems."""
    candidates = []
    for positions in _positions(hypothesis, reference):
        candidates.append([(position, EXACT) for position in positions])
    # METEOR's own exception are equal texts: stems could only lead the search astray.
    if stems is None or hypothesis == reference:
        return candidates
    for word, positions in enumerate(_positions(*stems)):
        for position in positions:
            if hypothesis[position] != reference[word]:
                candidates[word].append((position, STEM))
    return candidates


def _positions(hypothesis: Sequence[str], reference: Sequence[str]) -> list[list[int]]:
    """Where the hypothesis has each word of the reference."""
    where: dict[str, list[int]] = {}
    for position, word in enumerate(hypothesis):
        where.setdefault(word, []).append(position)
    return [where.get(word, []) for word in reference]


def _certain(candidates: list[list[Candidate]]) -> dict[int, Candidate]:
    """The candidates of words that have one only, which no other word has; they always match.

    The keys are the words' positions in the reference.
    """
    n_wanting: Counter[int] = Counter()  # words that may match a position of the hypothesis
    for possible in candidates:
        n_wanting.update(position for position, _ in possible)
    certain = {}
    for word, possible in enumerate(candidates):
        if len(possible) == 1:
            ((position, module),) = possible
            if n_wanting[position] == 1:
                certain[word] = (position, module)
    return certain


def _take(path: SearchPath, word: int, candidate: Candidate) -> SearchPath:
    """`path` with a word of the reference matched by `candidate`; no distance is charged."""
    minus_exact, chunks, distance, next_in_chunk, used, last_match = path
    position, module = candidate
    if next_in_chunk not in (position, NO_CHUNK):  # the match begins another chunk
        chunks += 1
    return (
        minus_exact - (module == EXACT),
        chunks,
        distance,
        position + 1,
        used | 1 << position,
        (word, candidate, last_match),
    )


def _skip(path: SearchPath) -> SearchPath:
    """`path` with a word of the reference that nothing matches."""
    minus_exact, chunks, distance, next_in_chunk, used, last_match = path
    if next_in_chunk != NO_CHUNK:
        chunks += 1
    return minus_exact, chunks, distance, NO_CHUNK, used, last_match


def _branch(path: SearchPath, word: int, possible: list[Candidate]) -> list[SearchPath]:
    """`path` continued by each candidate that is still free, and by none."""
    branches = []
    for candidate in possible:
        position, _ = candidate
        if not _is_free(path, position):
            continue
        branches.append(_take(path, word, candidate))
        path = _charged(path, abs(word - position))  # as the later branches begin
    branches.append(_skip(path))
    return branches


def _is_free(path: SearchPath, position: int) -> bool:
    """Whether no word of the reference has taken a position of the hypothesis, or surely will."""
    _, _, _, _, used, _ = path
    return not used >> position & 1


def _charged(path: SearchPath, charge: int) -> SearchPath:
    """`path` with a longer distance."""
    minus_exact, chunks, distance, next_in_chunk, used, last_match = path
    return minus_exact, chunks, distance + charge, next_in_chunk, used, last_match
