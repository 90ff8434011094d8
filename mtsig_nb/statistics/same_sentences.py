"""Which segments, or documents, of several test sets are the same ones.

FLORES, NTREX and most campaigns translate the same sentences into one language after another.  To
take their test sets as independent is to count every sentence as often as it was translated.

What shows that two segments are one sentence is asked in this order:

1.  **Texts.**  A source or reference of one is a source or reference of the other.  Texts decide
    if they coincide for a tenth of a test set or more.  Where fewer do, nothing follows: languages
    may differ, and a few short texts, names above all, are the same in many.
2.  **Names of segments.**  Equal names are the same sentence.
3.  **Names of documents**, if all test sets have documents: in documents of the same name, segments
    in the same place.
4.  **Names but for that of the test set**, as in ``news.17:en-de`` and ``news.17:en-cs``, make it
    possible, and no more.
5.  **Numbers.**  Numbers that only count rows name nothing: from 0 or from 1 on without a gap in a
    test set, alone or after a word that says no more than "segment", or after the test set's own
    name.  Equal numbers make it possible, and no more.

Documents are the same by their texts, if most of their segments are, or by their names, whatever
these look like: who gives documents says which segments belong together.  Sentences that are given
as documents are therefore known.

Where it is only possible, there are two layouts, and a comparison is made with both.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ..errors import InputError
from ..metrics.base import Array, IntArray
from ..sentences import Option, Sentence
from .sufficient import SufficientStatistics

#: A unit: its test set, or "" for what several share, and its name.
Key = tuple[str, Hashable]

#: Texts decide if they coincide for this share of the smaller of two test sets.
ENOUGH_TEXTS = 0.1

#: Words before a number that say no more than that it counts segments.
_COUNTING_WORDS = {
    *("seg", "segs", "segment", "segments", "segid", "segmentid"),
    *("sent", "sents", "sentence", "sentences", "line", "lines", "row", "rows"),
    *("item", "items", "instance", "example", "ex", "sample", "question", "q"),
    *("text", "src", "source", "utterance", "utt", "tu", "unit"),
    *("id", "idx", "index", "no", "nr", "num", "number", "n", "s", "i"),
}
#: A number, and what stands before it.
_NUMBERED = re.compile(r"(?P<before>.*?)(?P<number>[0-9]{1,18})(\.0)?")


@dataclasses.dataclass(frozen=True)
class SharedUnits:
    """The units of several test sets.

    Attributes
    ----------
    keys : list of list
        For each test set the unit of each segment.
    evidence : {"", "texts", "names", "documents", "alike", "numbers"}
        What shows that test sets share units; "" if they do not.
    otherwise : list of list, optional
        The units if the evidence misleads, where it makes sharing possible and no more.
    """

    keys: list[list[Key]]
    evidence: str = ""
    otherwise: list[list[Key]] | None = None


def shared_units(
    given: Mapping[str, SufficientStatistics], unit: str, shared: bool | None
) -> SharedUnits:
    """The units of all test sets; with `shared` somebody has said whether there are common ones.

    Raises
    ------
    InputError
        If they are said to share units, and nothing tells which.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = {name: mt.load(f"wmt12/{name}").statistics("BLEU") for name in ("es-en", "fr-en")}
    >>> shared_units(bleu, "documents", None).evidence
    'documents'
    >>> shared_units(bleu, "segments", None).keys[0][:2]
    [('', ('denik.cz/2011/11/15/33709.html', 0)), ('', ('denik.cz/2011/11/15/33709.html', 1))]
    """
    labels = [_labels(s, unit) for s in given.values()]
    apart = _apart(given, labels)
    if shared is False or len(given) == 1:
        return SharedUnits(apart)
    found = _of_documents(given) if unit == "documents" else _of_segments(given)
    if found is None and shared:
        raise InputError(
            Sentence(
                Option("shared", shared),
                f": no {unit[:-1]} of one test set has the name of one in another. Give those that "
                "are the same the same name, or leave shared out.",
            )
        )
    if found is None:
        return SharedUnits(apart)
    return dataclasses.replace(found, otherwise=None) if shared else found


def _labels(statistics: SufficientStatistics, unit: str) -> list[Hashable]:
    """What distinguishes the units of a single test set."""
    if unit == "segments":
        return list(range(statistics.n_segments))
    return _documents(statistics)


def _documents(statistics: SufficientStatistics) -> list[Hashable]:
    assert statistics.documents is not None
    return statistics.documents.tolist()


# --- documents ------------------------------------------------------------------------------------


def _of_documents(given: Mapping[str, SufficientStatistics]) -> SharedUnits | None:
    """Documents that test sets share; None if there are none."""
    sentences = _sentences(given)
    if sentences is not None:
        return SharedUnits(_documents_of_sentences(given, sentences), "texts")
    labels = [_documents(s) for s in given.values()]
    if _coincide(labels):
        return SharedUnits(_common(labels), "documents")
    return _but_for_test_sets(given, labels)


def _documents_of_sentences(
    given: Mapping[str, SufficientStatistics], sentences: Sequence[Sequence[int]]
) -> list[list[Key]]:
    """The document of each segment: one of an earlier test set if half of their segments are one.

    That is, half of the shorter one's.
    """
    document_of: dict[int, Key] = {}  # the document of each sentence
    length: Counter[Key] = Counter()
    several: set[Key] = set()  # documents that lie in more than one test set
    keys: list[list[Key]] = []
    for (name, statistics), own in zip(given.items(), sentences, strict=True):
        labels = _documents(statistics)
        members: dict[Hashable, list[int]] = {}
        for label, sentence in zip(labels, own, strict=True):
            members.setdefault(label, []).append(sentence)
        key_of: dict[Hashable, Key] = {}
        for label, some in members.items():
            votes = Counter(document_of[one] for one in some if one in document_of)
            key: Key = (name, label)
            for candidate, n_common in votes.most_common(1):
                enough = 2 * n_common >= min(len(some), length[candidate])
                if enough and candidate not in key_of.values():
                    key = candidate
                    several.add(key)
            key_of[label] = key
            length[key] = max(length[key], len(some))
        for label, sentence in zip(labels, own, strict=True):
            document_of.setdefault(sentence, key_of[label])
        keys.append([key_of[label] for label in labels])
    times_named = Counter(label for _, label in several)
    plain = {key: ("", key[1]) for key in several if times_named[key[1]] == 1}
    return [[plain.get(key, key) for key in of_set] for of_set in keys]


# --- segments -------------------------------------------------------------------------------------


def _of_segments(given: Mapping[str, SufficientStatistics]) -> SharedUnits | None:
    """Segments that test sets share, or may share; None if there are none."""
    sentences = _sentences(given)
    if sentences is not None:
        return SharedUnits(_common(sentences), "texts")
    by_name = _by_name(given)
    if by_name is not None and by_name.evidence == "names":
        return by_name
    if all(s.documents is not None for s in given.values()):
        labels = [_documents(s) for s in given.values()]
        places = [_places_in_documents(s) for s in given.values()]
        if _coincide(labels):
            within = [_pairs(own, some) for own, some in zip(labels, places, strict=True)]
            return SharedUnits(_common(within), "documents")
        return _but_for_test_sets(given, labels, places)
    if by_name is not None:
        return by_name
    named = [_distinct(s.segment_names) for s in given.values() if s.segment_names is not None]
    return _but_for_test_sets(given, named) if len(named) == len(given) else None


def _by_name(given: Mapping[str, SufficientStatistics]) -> SharedUnits | None:
    """By the names of segments where these are names, and possibly by numbers elsewhere."""
    places = {name: counted_places(s, name) for name, s in given.items()}
    names = {
        name: [] if s.segment_names is None else _distinct(s.segment_names)
        for name, s in given.items()
    }
    # Numbers that test sets with gaps between their numbers have as well are names.
    of_others = {label for name in given if places[name] is None for label in names[name]}
    numbered = {
        name: found
        for name, found in places.items()
        if found is not None and of_others.isdisjoint(names[name])
    }
    named = [names[name] for name in given if name not in numbered]
    known, possible = _coincide(named), len(numbered) > 1
    if not known and not possible:
        return None
    keys: list[list[Key]] = []
    otherwise: list[list[Key]] = []
    for name in given:
        if name in numbered:
            keys.append([("", ("number", place)) for place in numbered[name].tolist()])
            otherwise.append([(name, place) for place in numbered[name].tolist()])
        else:
            keys.append([("", label) for label in names[name]])
            otherwise.append(keys[-1])
    if not possible:
        return SharedUnits(keys, "names")
    return SharedUnits(keys, "numbers", otherwise)


def counted_places(statistics: SufficientStatistics, test_set: str) -> IntArray | None:
    """The places that segments' names count, from 0 on; None if they are more than numbers.

    Without names it is the order of the segments that counts them.

    Examples
    --------
    >>> import pandas as pd
    >>> import mtsig_nb as mt
    >>> def called(*names):
    ...     rows = [(system, name, 0.5 * len(name)) for system in "AB" for name in names]
    ...     frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    ...     return mt.from_segment_scores(frame)
    >>> counted_places(called("seg-2", "seg-1", "seg-3"), "en-cs").tolist()
    [1, 0, 2]
    >>> counted_places(called("en-cs_001", "en-cs_002"), "en-cs").tolist()
    [0, 1]
    >>> counted_places(called("flores_001", "flores_002"), "en-cs") is None
    True
    >>> counted_places(called("1", "2", "4"), "en-cs") is None  # a gap: they name something
    True
    """
    n = statistics.n_segments
    if statistics.segment_names is None:
        return np.arange(n)
    found = [_NUMBERED.fullmatch(str(name)) for name in statistics.segment_names]
    numbered = [one for one in found if one is not None]
    if len(numbered) < n:
        return None
    before = {_letters(one["before"]) for one in numbered}
    own = _letters(test_set)
    without = {word.removeprefix(own).removesuffix(own) for word in before}
    if len(before) > 1 or not (without <= _COUNTING_WORDS or without == {""}):
        return None
    numbers = np.array([int(one["number"]) for one in numbered])
    first = int(numbers.min())
    if first > 1 or not np.array_equal(np.sort(numbers), first + np.arange(n)):
        return None
    return numbers - first


def _letters(text: str) -> str:
    """A text without what separates words, in small letters."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _places_in_documents(statistics: SufficientStatistics) -> list[int]:
    """The place of each segment in its document."""
    documents = pd.Series(_documents(statistics))
    return documents.groupby(documents, sort=False).cumcount().tolist()


# --- what coincides -------------------------------------------------------------------------------


def _sentences(given: Mapping[str, SufficientStatistics]) -> list[list[int]] | None:
    """The number of each segment's sentence, by its texts; None where texts do not tell.

    The second segment of a test set with some text is the sentence that is the second with it
    elsewhere.
    """
    sentence_of: dict[tuple[str, int], int] = {}
    found: list[list[int]] = []
    n_sentences = 0
    for statistics in given.values():
        if statistics.texts is None:
            return None
        times: Counter[tuple[int, str]] = Counter()
        own: dict[int, None] = {}  # in their order
        for row in statistics.texts:
            occurrences = []
            for column, text in enumerate(str(cell).strip() for cell in row):
                if text:
                    times[column, text] += 1
                    occurrences.append((text, times[column, text]))
            known = (sentence_of[one] for one in occurrences if one in sentence_of)
            sentence = next((number for number in known if number not in own), n_sentences)
            if sentence == n_sentences:
                n_sentences += 1
            own[sentence] = None
            for one in occurrences:
                sentence_of.setdefault(one, sentence)
        found.append(list(own))
    pairs = itertools.combinations(map(set, found), 2)
    tells = (len(a & b) >= ENOUGH_TEXTS * min(len(a), len(b)) for a, b in pairs)
    return found if any(tells) else None


def _but_for_test_sets(
    given: Mapping[str, SufficientStatistics],
    labels: Sequence[Sequence[Hashable]],
    places: Sequence[Sequence[int]] | None = None,
) -> SharedUnits | None:
    """Labels from which the names of test sets were taken; None if they do not coincide then.

    With `places` a unit is what lies in some place of what the label names.
    """
    short: list[list[Hashable]] = []
    for name, own in zip(given, labels, strict=True):
        short.append([_without(str(label), name) for label in own])
        if len(set(short[-1])) < len(set(own)):
            return None  # what becomes one name was more than the test set's
    if not _coincide(short):
        return None
    if places is None:
        return SharedUnits(_common(short), "alike", _apart(given, labels))
    within = [_pairs(own, some) for own, some in zip(short, places, strict=True)]
    usual = [_pairs(own, some) for own, some in zip(labels, places, strict=True)]
    return SharedUnits(_common(within), "alike", _apart(given, usual))


def _pairs(labels: Sequence[Hashable], places: Sequence[int]) -> list[Hashable]:
    return list(zip(labels, places, strict=True))


def _apart(names: Iterable[str], labels: Sequence[Sequence[Hashable]]) -> list[list[Key]]:
    """Units that no other test set has."""
    return [[(name, label) for label in own] for name, own in zip(names, labels, strict=True)]


def _without(label: str, test_set: str) -> str:
    """A label without the name of its test set, where that stands there as a word."""
    return re.sub(rf"(?<![^\W_]){re.escape(test_set)}(?![^\W_])", "", label)


def _common(labels: Sequence[Sequence[Hashable]]) -> list[list[Key]]:
    """Units that are the same wherever their labels are."""
    return [[("", label) for label in own] for own in labels]


def _coincide(labels: Sequence[Sequence[Hashable]]) -> bool:
    """Whether some label is that of several test sets."""
    times = Counter(label for own in labels for label in set(own))
    return max(times.values(), default=0) > 1


def _distinct(names: Array) -> list[Hashable]:
    """Names as texts; of equal ones in a test set, the second with its number, and so on."""
    texts = pd.Series([str(name) for name in names])
    repeats = texts.groupby(texts, sort=False).cumcount()
    return [(text, k) if k else text for text, k in zip(texts, repeats.tolist(), strict=True)]
