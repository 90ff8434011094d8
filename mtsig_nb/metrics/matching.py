"""N-grams of references, and how many of them an output has: all segments at once.

What sacreBLEU counts line by line and anew for every system, from the same tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

import numpy as np
import numpy.typing as npt

Tokens = Sequence[Sequence[str]]  # of each segment
_Numbers = npt.NDArray[np.int64]


class ReferenceNgrams:
    """The n-grams of references in each segment, with the most that one reference has of each.

    An n-gram is known by a number: its place among the sorted pairs of a shorter n-gram's number
    and the number of the word that follows.  The empty n-gram's number is the segment's.

    Parameters
    ----------
    references : sequence of Tokens
        The words of each reference, segment by segment.
    max_order : int

    Examples
    --------
    >>> known = ReferenceNgrams([[["a", "b", "a"]], [["a", "a", "a"]]], max_order=2)
    >>> known.matches([["a", "a", "b", "a"]]).tolist(), known.lengths.tolist()
    ([[4, 3]], [[3], [3]])
    """

    def __init__(self, references: Sequence[Tokens], max_order: int) -> None:
        self.lengths = np.array([[len(words) for words in lines] for lines in references])
        self._n_segments = self.lengths.shape[1]
        lines = list(chain.from_iterable(references))
        self._words: dict[str, int] = {}
        for word in chain.from_iterable(lines):
            self._words.setdefault(word, len(self._words))
        self._orders: list[tuple[_Numbers, _Numbers, _Numbers]] = []  # pairs, most, segments
        words, line = self._numbered(lines)
        start, known = np.arange(len(words)), line % self._n_segments
        for order in range(max_order):
            start, pairs = self._longer(words, line, start, known, order)
            distinct, first, known = np.unique(pairs, return_index=True, return_inverse=True)
            reference, segment = np.divmod(line[start], self._n_segments)
            shape = len(references), len(distinct)
            counts = np.bincount(reference * shape[1] + known, minlength=shape[0] * shape[1])
            self._orders.append((distinct, counts.reshape(shape).max(axis=0), segment[first]))

    def matches(self, output: Tokens) -> _Numbers:
        """How many n-grams of each order match, each at most as often as in one reference.

        Of shape (segments, orders).
        """
        words, line = self._numbered(output)
        start, known = np.arange(len(words)), line
        found = np.zeros((self._n_segments, len(self._orders)), dtype=np.int64)
        for order, (distinct, most, segment) in enumerate(self._orders):
            if not len(distinct):
                break
            start, pairs = self._longer(words, line, start, known, order)
            known = np.minimum(np.searchsorted(distinct, pairs), len(distinct) - 1)
            there = distinct[known] == pairs
            start, known = start[there], known[there]
            matched = np.minimum(np.bincount(known, minlength=len(distinct)), most)
            found[:, order] = np.bincount(segment, matched, minlength=self._n_segments)
        return found

    def _numbered(self, lines: Tokens) -> tuple[_Numbers, _Numbers]:
        """The number of each word, -1 of those that no reference has, and of the line it is in."""
        lengths = np.fromiter(map(len, lines), dtype=np.intp, count=len(lines))
        words = map(self._words.get, chain.from_iterable(lines), repeat(-1))
        numbers = np.fromiter(words, dtype=np.int64, count=lengths.sum())
        return numbers, np.repeat(np.arange(len(lines)), lengths)

    def _longer(
        self, words: _Numbers, line: _Numbers, start: _Numbers, known: _Numbers, order: int
    ) -> tuple[_Numbers, _Numbers]:
        """Where the n-grams begin that are one word longer, and their pairs of numbers as one."""
        inside = start + order < len(words)
        start, known = start[inside], known[inside]
        last = start + order
        inside = (line[last] == line[start]) & (words[last] >= 0)
        pairs = known[inside].astype(np.int64) * len(self._words) + words[last[inside]]
        return start[inside], pairs
