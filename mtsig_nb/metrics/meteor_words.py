"""METEOR 1.5 on words: its tokenisation (``-norm``), its word lists, and its alignment.

The lists of function words and of abbreviations are METEOR's own files.  They are not copied
here: where the package that ships METEOR's jar is installed they are read from it, and elsewhere
function words are found in the references by METEOR's rule.
"""

from __future__ import annotations

import functools
import importlib.util
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

#: A function word is at least this frequent (Denkowski & Lavie 2011, Meteor 1.3).
FUNCTION_WORD_FREQUENCY = 1e-3

#: For every language: METEOR 1.5 has lists for six, but with its option ``-l`` it changes the
#: parameters, the stemmer and the abbreviations and goes on reading the English function words.
FUNCTION_WORDS = "function/english.words"

LETTERS = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\ua640-\ua66e\ua67e-\ua697"
    "\u1d00-\u1d7f\u0178"
)
JAVA_SPACE = " \t\n\x0b\f\r"
WIDE_SPACE = dict.fromkeys([*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0xA0], " ")
BETWEEN_WORDS = re.compile("[ \t\n\r\f]+")
CONTROLS = "".join(map(chr, range(33)))

Rules = Sequence[tuple[re.Pattern[str], str]]


def _rules(*rules: tuple[str, str]) -> Rules:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


#: In this order.  Commas stay only between digits; curly and doubled quotes become plain ones;
#: dashes become hyphens, and hyphens between letters or digits become spaces.
COMMON_RULES = _rules(
    (rf"([^0-9{LETTERS}{JAVA_SPACE}.'`,\-‘’])", r" \1 "),
    (r"(\.\.+)", r" \1 "),
    (r"([^0-9]),([^0-9])", r"\1 , \2"),
    (r"([0-9]),([^0-9])", r"\1 , \2"),
    (r"([^0-9]),([0-9])", r"\1 , \2"),
    (r"[`‘’]", "'"),
    (r"[“”]|''", ' " '),
    (r"–|--", "-"),
    (rf"([0-9{LETTERS}.])-([0-9{LETTERS}])", r"\1 \2"),
)
#: Apostrophes: English splits before them, French after them, others around them.
APOSTROPHE_RULES = {
    "en": _rules(
        (rf"([^{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([^0-9{LETTERS}])'([{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([{LETTERS}])", r"\1 '\2"),
        (r"([0-9])'(s)", r"\1 '\2"),
    ),
    "fr": _rules(
        (rf"([^{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([^{LETTERS}])'([{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([^{LETTERS}])", r"\1 ' \2"),
        (rf"([{LETTERS}])'([{LETTERS}])", r"\1' \2"),
    ),
}
OTHER_APOSTROPHES = _rules((r"'", " ' "))
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
    for pattern, replacement in (*COMMON_RULES, *APOSTROPHE_RULES.get(language, OTHER_APOSTROPHES)):
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


class Match(NamedTuple):
    """A pair of matched words, by position, and the module that matched them."""

    hypothesis: int
    reference: int
    module: int


def align(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stems: tuple[Sequence[str], Sequence[str]] | None = None,
) -> tuple[list[Match], int]:
    """One-to-one matches of equal words and, where stems are given, of equal stems.

    The search is that of METEOR 1.5 with its two peculiarities, since other choices would give
    other scores.  Its paths are ranked by their number of *exact* matches only, then by chunks,
    then by distance: a stem match counts one half there, added to a whole number and rounded
    down.  And the distance of a match is charged not to the path that takes it but to those that
    branch from the same path after it.

    Returns
    -------
    matches : list of Match
        In the order of the reference.
    chunks : int
        Runs of matches that are adjacent and in the same order on both sides.

    Examples
    --------
    >>> matches, chunks = align(["a", "cat", "sat"], ["the", "cat", "sat", "still"])
    >>> matches[0], len(matches), chunks
    (Match(hypothesis=1, reference=1, module=0), 2, 1)
    """
    # What each word of the reference may match: equal words first, then equal stems.
    candidates = [[(i, EXACT) for i in found] for found in _positions(hypothesis, reference)]
    # METEOR's own exception are equal texts: stems could only lead the search astray.
    for word, found in enumerate(_positions(*stems) if stems and hypothesis != reference else ()):
        candidates[word] += [(i, STEM) for i in found if hypothesis[i] != reference[word]]
    # Words with one candidate that is nobody else's always match.
    wanted = [0] * len(hypothesis)
    for possible in candidates:
        for position, _ in possible:
            wanted[position] += 1
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
        matches.append(Match(position, word, module))
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
