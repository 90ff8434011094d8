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
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ..errors import InputError
from ..frames import pd
from ..metrics.base import Array, IntArray
from ..sentences import Option, Sentence
from .sufficient import SufficientStatistics

#: A unit: its test set, or "" for what several share, and its name.
Key = tuple[str, Hashable]
#: Statistics of one metric, by the names of the test sets.
ByTestSet = Mapping[str, SufficientStatistics]
#: What each segment of a test set is called, or its document, or its number.
Labels = Sequence[Hashable]
#: A text of a segment, and how many segments up to this one have it in the same column.
_Occurrence = tuple[str, int]

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


def shared_units(given: ByTestSet, unit: str, shared: bool | None) -> SharedUnits:
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
    labels = [_labels_in_set(s, unit) for s in given.values()]
    apart = SharedUnits(_apart(given, labels))
    if shared is False or len(given) == 1:
        return apart
    units = _shared_documents(given) if unit == "documents" else _shared_segments(given)
    if units is None and shared:
        raise InputError(
            Sentence(
                Option("shared", shared),
                f": no {unit[:-1]} of one test set has the name of one in another. Give those that "
                "are the same the same name, or leave shared out.",
            )
        )
    if units is None:
        return apart
    if shared:
        return dataclasses.replace(units, otherwise=None)
    return units


def _labels_in_set(statistics: SufficientStatistics, unit: str) -> Labels:
    """The label of each segment's unit, which tells it from other units of the same test set."""
    if unit == "segments":
        return list(range(statistics.n_segments))
    return _documents(statistics)


def _documents(statistics: SufficientStatistics) -> list[Hashable]:
    """The document of each segment of a test set that knows its documents."""
    assert statistics.documents is not None
    return statistics.documents.tolist()


# --- documents ------------------------------------------------------------------------------------


def _shared_documents(given: ByTestSet) -> SharedUnits | None:
    """Documents that test sets share; None if there are none."""
    sentences = _sentences(given)
    if sentences is not None:
        return SharedUnits(_documents_of_sentences(given, sentences), "texts")
    labels = [_documents(s) for s in given.values()]
    if _coincide(labels):
        return SharedUnits(_common(labels), "documents")
    return _but_for_test_sets(given, labels)


def _documents_of_sentences(
    given: ByTestSet, sentences: Sequence[Sequence[int]]
) -> list[list[Key]]:
    """The document of each segment, for each test set, as their common sentences tell.

    A document is one of an earlier test set if half of the segments of the shorter of the two are
    common to both.  One that lies in several test sets has a key without a test set, if no other
    such document has its name.
    """
    known = _KnownDocuments()
    keys_of_sets = []
    for (name, statistics), sentences_of_set in zip(given.items(), sentences, strict=True):
        labels = _documents(statistics)
        keys_of_sets.append(known.add(name, labels, sentences_of_set))
    times_named = Counter(label for _, label in known.in_several)
    shared_names: dict[Key, Key] = {}
    for key in known.in_several:
        _, label = key
        if times_named[label] == 1:
            shared_names[key] = ("", label)
    return [[shared_names.get(key, key) for key in keys] for keys in keys_of_sets]


class _KnownDocuments:
    """The documents of the test sets so far, by the sentences in them.

    Attributes
    ----------
    in_several : set of Key
        Documents that lie in more than one test set.
    """

    def __init__(self) -> None:
        self.in_several: set[Key] = set()
        self._document_of: dict[int, Key] = {}  # of each sentence
        self._length: Counter[Key] = Counter()

    def add(self, name: str, labels: Labels, sentences: Sequence[int]) -> list[Key]:
        """The document of each segment of the test set `name`, whose documents are known then."""
        sentences_of: dict[Hashable, list[int]] = {}
        for label, sentence in zip(labels, sentences, strict=True):
            sentences_of.setdefault(label, []).append(sentence)
        key_of: dict[Hashable, Key] = {}
        for label, members in sentences_of.items():
            key = self._same_document(members)
            if key is None or key in key_of.values():
                key = (name, label)
            else:
                self.in_several.add(key)
            key_of[label] = key
            self._length[key] = max(self._length[key], len(members))
        keys = [key_of[label] for label in labels]
        for key, sentence in zip(keys, sentences, strict=True):
            self._document_of.setdefault(sentence, key)
        return keys

    def _same_document(self, sentences: Sequence[int]) -> Key | None:
        """The known document that has most of these sentences, if they are half of either."""
        documents = [self._document_of.get(sentence) for sentence in sentences]
        votes = Counter(key for key in documents if key is not None)
        if not votes:
            return None
        ((key, n_common),) = votes.most_common(1)
        shorter = min(len(sentences), self._length[key])
        return key if 2 * n_common >= shorter else None


# --- segments -------------------------------------------------------------------------------------


def _shared_segments(given: ByTestSet) -> SharedUnits | None:
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
            return SharedUnits(_common(_with_places(labels, places)), "documents")
        return _but_for_test_sets(given, labels, places)
    if by_name is not None:
        return by_name
    if any(s.segment_names is None for s in given.values()):
        return None
    return _but_for_test_sets(given, [_names(s) for s in given.values()])


def _by_name(given: ByTestSet) -> SharedUnits | None:
    """Segments that share a name, or a number where test sets only count their segments.

    None if there are none.  Numbers make sharing possible, and no more.
    """
    names = {name: _names(s) for name, s in given.items()}
    numbered = _numbered(given, names)
    named = [names[name] for name in given if name not in numbered]
    share_numbers = len(numbered) > 1
    if not share_numbers and not _coincide(named):
        return None
    keys: list[list[Key]] = []
    otherwise: list[list[Key]] = []
    for name in given:
        if name in numbered:
            places = numbered[name].tolist()
            keys.append([("", ("number", place)) for place in places])
            otherwise.append([(name, place) for place in places])
        else:
            named_keys: list[Key] = [("", label) for label in names[name]]
            keys.append(named_keys)
            otherwise.append(named_keys)
    if share_numbers:
        return SharedUnits(keys, "numbers", otherwise)
    return SharedUnits(keys, "names")


def _numbered(given: ByTestSet, names: Mapping[str, Labels]) -> dict[str, IntArray]:
    """The test sets whose segments are only counted, with the place of each segment.

    Numbers that a test set with gaps between its numbers has as well are names.
    """
    places = {name: counted_places(s, name) for name, s in given.items()}
    names_elsewhere: set[Hashable] = set()
    for name, places_of_set in places.items():
        if places_of_set is None:
            names_elsewhere.update(names[name])
    numbered = {}
    for name, places_of_set in places.items():
        if places_of_set is not None and names_elsewhere.isdisjoint(names[name]):
            numbered[name] = places_of_set
    return numbered


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
    words = set()
    numbers = []
    for name in statistics.segment_names:
        parts = _NUMBERED.fullmatch(str(name))
        if parts is None:
            return None
        words.add(_letters(parts["before"]))
        numbers.append(int(parts["number"]))
    if len(words) != 1 or not _only_counts(words.pop(), test_set):
        return None
    first = min(numbers)
    has_no_gap = sorted(numbers) == list(range(first, first + n))
    if first > 1 or not has_no_gap:
        return None
    return np.array(numbers) - first


def _only_counts(word: str, test_set: str) -> bool:
    """Whether a word before a number says no more than that it counts a test set's segments."""
    name = _letters(test_set)
    rest = word.removeprefix(name).removesuffix(name)
    return rest == "" or rest in _COUNTING_WORDS


def _letters(text: str) -> str:
    """A text without what separates words, in small letters."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _places_in_documents(statistics: SufficientStatistics) -> list[int]:
    """The place of each segment in its document."""
    documents = pd.Series(_documents(statistics))
    return documents.groupby(documents, sort=False).cumcount().tolist()


# --- what coincides -------------------------------------------------------------------------------


def _sentences(given: ByTestSet) -> list[list[int]] | None:
    """The number of each segment's sentence, by its texts; None where texts do not tell.

    The second segment of a test set with some text is the sentence that is the second with it
    elsewhere.
    """
    sentence_of: dict[_Occurrence, int] = {}
    sentences: list[list[int]] = []
    numbers = itertools.count()
    for statistics in given.values():
        if statistics.texts is None:
            return None
        sentences_of_set: list[int] = []
        taken: set[int] = set()  # the same, to be looked up
        for occurrences in _occurrences(statistics.texts):
            known = [sentence_of[text] for text in occurrences if text in sentence_of]
            free = [sentence for sentence in known if sentence not in taken]
            sentence = free[0] if free else next(numbers)
            sentences_of_set.append(sentence)
            taken.add(sentence)
            for text in occurrences:
                sentence_of.setdefault(text, sentence)
        sentences.append(sentences_of_set)
    pairs = itertools.combinations(map(set, sentences), 2)
    if not any(_share_enough(a, b) for a, b in pairs):
        return None
    return sentences


def _occurrences(texts: Array) -> Iterator[list[_Occurrence]]:
    """The texts of each segment, each with the number of segments so far that have had it.

    `texts` are of shape (segments, texts); empty ones are left out.
    """
    times: Counter[tuple[int, str]] = Counter()
    for row in texts:
        occurrences = []
        for column, cell in enumerate(row):
            text = str(cell).strip()
            if text:
                times[column, text] += 1
                occurrences.append((text, times[column, text]))
        yield occurrences


def _share_enough(a: set[int], b: set[int]) -> bool:
    """Whether the sentences of two test sets coincide often enough for texts to decide."""
    return len(a & b) >= ENOUGH_TEXTS * min(len(a), len(b))


def _but_for_test_sets(
    given: ByTestSet,
    labels: Sequence[Labels],
    places: Sequence[Sequence[int]] | None = None,
) -> SharedUnits | None:
    """Units that test sets may share: labels coincide once the test sets' names are taken out.

    None if they do not.

    With `places` a unit is what lies in some place of what the label names.
    """
    short_labels: list[Labels] = []
    for name, labels_of_set in zip(given, labels, strict=True):
        short = [_without(str(label), name) for label in labels_of_set]
        if len(set(short)) < len(set(labels_of_set)):
            return None  # what becomes one name was more than the test set's
        short_labels.append(short)
    if not _coincide(short_labels):
        return None
    units = labels
    short_units: Sequence[Labels] = short_labels
    if places is not None:
        units = _with_places(labels, places)
        short_units = _with_places(short_labels, places)
    return SharedUnits(_common(short_units), "alike", _apart(given, units))


def _with_places(labels: Sequence[Labels], places: Sequence[Sequence[int]]) -> list[Labels]:
    """The label and the place of each segment, for each test set."""
    units: list[Labels] = []
    for labels_of_set, places_of_set in zip(labels, places, strict=True):
        units.append(list(zip(labels_of_set, places_of_set, strict=True)))
    return units


def _apart(names: Iterable[str], labels: Sequence[Labels]) -> list[list[Key]]:
    """Keys of units that no other test set has."""
    keys: list[list[Key]] = []
    for name, labels_of_set in zip(names, labels, strict=True):
        keys.append([(name, label) for label in labels_of_set])
    return keys


def _without(label: str, test_set: str) -> str:
    """A label without the name of its test set, where that stands there as a word."""
    return re.sub(rf"(?<![^\W_]){re.escape(test_set)}(?![^\W_])", "", label)


def _common(labels: Sequence[Labels]) -> list[list[Key]]:
    """Keys of units that are the same in all test sets that have their label."""
    return [[("", label) for label in labels_of_set] for labels_of_set in labels]


def _coincide(labels: Sequence[Labels]) -> bool:
    """Whether some label is that of several test sets."""
    seen: set[Hashable] = set()
    for labels_of_set in labels:
        if not seen.isdisjoint(labels_of_set):
            return True
        seen.update(labels_of_set)
    return False


def _names(statistics: SufficientStatistics) -> Labels:
    """The names of segments as texts; of equal ones, the second with its number, and so on.

    There are none where segments have no names.
    """
    if statistics.segment_names is None:
        return []
    texts = pd.Series([str(name) for name in statistics.segment_names])
    repeats = texts.groupby(texts, sort=False).cumcount()
    names: list[Hashable] = []
    for text, repeat in zip(texts, repeats.tolist(), strict=True):
        names.append((text, repeat) if repeat else text)
    return names
