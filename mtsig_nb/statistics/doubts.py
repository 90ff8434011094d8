"""What makes scores doubtful: words that were not found, no match, names alike, systems alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import listed
from ..metrics.base import Indices, IntArray, Metric
from ..metrics.bleu import BLEU
from ..metrics.ter import TER
from ..notes import Note, note
from ..sentences import Option, Sentence
from ..texts.naming import alike, shown
from ..texts.scripts import length_of_words, script_without_spaces

if TYPE_CHECKING:
    from .sufficient import SufficientStatistics

#: So many segments show what script a test set is in, and how its words are found.
_ENOUGH_SEGMENTS = 200
#: sacreBLEU's tokenizers by script; every other script is cut into characters.
_TOKENIZERS = {"Chinese": Option("tokenize", "zh"), "Japanese": Option("tokenize", "ja-mecab")}
_BY_CHARACTERS = Option("tokenize", "char")
#: Systems that differ in no more than this share of the units may be one system.
_DIFFERING = 0.05
#: They may be so if there are at least so many units in which not both have the commonest value …
_FEWEST_ALIKE = 10
#: … and if the two agree in at least this share of those units.
_SHARE_ALIKE = 0.9


def note_on_words(metric: Metric, references: Sequence[Sequence[str]]) -> tuple[Note, ...]:
    """What to say where a metric on words takes whole clauses for words, for want of spaces.

    Parameters
    ----------
    metric : Metric
    references : sequence of sequences of str

    Returns
    -------
    tuple of Note
        One or none.

    Examples
    --------
    >>> references = [["我们今天去公园散步。", "他们明天要去图书馆看书。"]]
    >>> note_on_words(BLEU(), references)[0].values["script"]
    'Chinese'
    >>> note_on_words(BLEU(tokenize="zh"), references)
    ()
    """
    texts = [text for reference in references for text in reference[:_ENOUGH_SEGMENTS]]
    script = script_without_spaces(texts)
    if not script:
        return ()
    words: list[str] = []
    for text in texts:
        words_of_text = metric.words(text)
        if words_of_text is None:
            return ()
        words += words_of_text
    length, is_too_long = length_of_words(words, script)
    if not is_too_long:
        return ()
    label = getattr(metric, "label", metric.name)
    instead = _instead_of_words(metric, script)
    return (
        note("words-without-spaces", script=script, metric=label, length=length, instead=instead),
    )


def _instead_of_words(metric: Metric, script: str) -> str:
    """What to do where a metric finds no words in a script without spaces."""
    has_tokenizer = script in _TOKENIZERS
    if "tokenize" in metric.settings and has_tokenizer:
        return Sentence("use ", _TOKENIZERS[script], " or ", _BY_CHARACTERS)
    if "tokenize" in metric.settings:
        return Sentence("use ", _BY_CHARACTERS)
    if isinstance(metric, TER) and has_tokenizer:
        return "set normalized and asian_support to yes"
    return "take a metric on characters, such as chrF"


def notes_on_statistics(
    statistics: SufficientStatistics, order: Indices | None = None
) -> tuple[Note, ...]:
    """Notes on what the names of systems, and their counts, show to be doubtful.

    They name systems in the order of their numbers in `order`, or else in that of the statistics.
    """
    if order is None:
        order = np.arange(len(statistics.systems))
    names = [statistics.systems[k] for k in order]
    return (*_notes_on_names(names), *_notes_without_match(statistics, order))


def _notes_on_names(systems: Sequence[str]) -> list[Note]:
    """A note on each group of systems whose names can hardly be told apart."""
    notes = []
    for names in alike(systems):
        notes.append(note("names-alike", names=" and ".join(shown(names)), about=names))
    return notes


def _notes_without_match(statistics: SufficientStatistics, order: Indices) -> list[Note]:
    """Of BLEU, systems without a single match of some order: their score says little or nothing.

    They are named in the order of their numbers in `order`.
    """
    metric = statistics.metric
    if not isinstance(metric, BLEU):
        return []
    totals = statistics.totals()
    words = totals[:, metric.columns.index("match_1")]
    four_grams = totals[:, metric.columns.index("match_4")]
    scores = metric.score(totals)
    concerned = {
        "no-match": scores == 0,
        "no-4-gram": (scores > 0) & (four_grams == 0),
    }
    notes = []
    for code, is_concerned in concerned.items():
        names = [statistics.systems[k] for k in order if is_concerned[k]]
        if not names:
            continue
        are_all = len(names) == len(statistics.systems)
        who = "any output" if are_all else listed(list(map(repr, names)), 3)
        has_word = words[is_concerned].any()
        matched = "4-gram" if has_word else "word"
        notes.append(note(code, who=who, matched=matched, label=statistics.label, about=names))
    return notes


def notes_on_twins(
    statistics: SufficientStatistics, pairs: tuple[Indices, Indices], differing: IntArray
) -> list[Note]:
    """Pairs of systems that may be one system: they have the same counts nearly everywhere.

    Parameters
    ----------
    statistics : SufficientStatistics
    pairs : tuple of ndarray, each of shape (pairs,)
        Positions of the first and of the second systems.
    differing : ndarray of int, shape (pairs,)
        In how many units the two differ.

    Notes
    -----
    That two good systems are both right on most items, or have no error in most segments, is no
    sign that they are one.  So units in which both have the commonest value are not counted.
    """
    n = int(statistics.present.sum())
    close = np.flatnonzero(differing <= _DIFFERING * n)
    if not len(close):
        return []
    first, second = pairs
    systems, places = np.unique([first[close], second[close]], return_inverse=True)
    values = _numbered(statistics, systems)
    places_of_first, places_of_second = places.reshape(2, -1)
    notes = []
    for pair, a, b in zip(close, places_of_first, places_of_second, strict=True):
        if not _are_alike(values[a], values[b]):
            continue
        n_differing = differing[pair]
        names = [statistics.systems[first[pair]], statistics.systems[second[pair]]]
        share = f"all {n:,}" if n_differing == 0 else f"{n - n_differing:,} of {n:,}"
        notes.append(
            note(
                "twins",
                names=" and ".join(map(repr, names)),
                share=share,
                unit=statistics.unit,
                about=names,
            )
        )
    return notes


def _numbered(statistics: SufficientStatistics, systems: Indices) -> IntArray:
    """A number for the counts of each system in each unit, shape (systems, units that are present).

    The same counts have the same number.  They are sorted for all systems at once, and not anew for
    each pair, which would cost most of a comparison of many systems that are alike.
    """
    values = statistics.values[systems][:, statistics.present]
    rows = values.reshape(-1, values.shape[-1])
    _, numbers = np.unique(rows, axis=0, return_inverse=True)
    return numbers.reshape(values.shape[:-1])


def _are_alike(first: IntArray, second: IntArray) -> bool:
    """Whether two systems agree nearly wherever not both have the commonest value.

    `first` and `second` have the numbers of their values, each of shape (units,).
    """
    different_values, times = np.unique(np.concatenate([first, second]), return_counts=True)
    commonest = different_values[times.argmax()]
    is_telling = (first != commonest) | (second != commonest)
    is_same = first == second
    n_telling = int(is_telling.sum())
    n_same = int((is_same & is_telling).sum())
    return n_telling >= _FEWEST_ALIKE and n_same >= _SHARE_ALIKE * n_telling
