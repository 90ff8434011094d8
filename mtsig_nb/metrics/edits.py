"""Edit distances between lists of words, for sacreBLEU's search for the best shift.

Nearly all of TER is that search: of each possible shift sacreBLEU asks for the edit distance that
it leaves, and fills a table of it cell by cell.  Bits in parallel (Myers 1999, as in Hyyrö 2003)
fill a row of it in one step.  Distances and edits are the same, and so are all counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import sacrebleu
from sacrebleu.metrics import lib_ter

#: The versions of sacreBLEU whose distances and edits have been tested to be the same.  With any
#: other version sacreBLEU's own distance is used.
_SAME_TABLE = "2.6."

#: A row of the table as two numbers: bit j says whether the distance to j + 1 words of the
#: reference is larger, or smaller, than the one to j words.
_Row = tuple[int, int]


class QuickDistance(lib_ter.BeamEditDistance):
    """sacreBLEU's distance to the words of a reference, by bits where that is the same.

    sacreBLEU's table has only cells near the diagonal.  A path of d edits between texts whose
    lengths differ by D leaves it by (d + D) / 2 cells at most; while that is less than the table
    has, all shortest paths are in it.
    """

    def __init__(self, words_ref: list[str]) -> None:
        super().__init__(words_ref)
        self._places: dict[str, int] = {}  # where the reference has each word, as bits
        for place, word in enumerate(words_ref):
            earlier = self._places.get(word, 0)
            self._places[word] = earlier | 1 << place

    def __call__(self, words_hyp: list[str]) -> tuple[int, str]:
        """The distance, and the edits that sacreBLEU prefers, a letter each."""
        rows, distance = self._rows(words_hyp)
        difference = abs(self._n_words_ref - len(words_hyp))
        if distance + difference > 2 * (lib_ter._BEAM_WIDTH - 2):
            return super().__call__(words_hyp)
        return distance, self._edits(words_hyp, rows, distance)

    def _rows(self, words_hyp: Sequence[str]) -> tuple[list[_Row], int]:
        """The table's rows after 0, 1, … words of the output, and the whole distance.

        In Myers (1999) the names are Eq for `same`, Xv and Xh for `diagonal` and `across`, Pv and
        Mv for `larger` and `smaller`, Ph and Mh for `more` and `less`.
        """
        everywhere = (1 << self._n_words_ref) - 1
        places = self._places.get
        larger = everywhere
        smaller = 0
        rows = [(larger, smaller)]
        for word in words_hyp:
            same = places(word, 0)
            diagonal = same | smaller
            across = (((same & larger) + larger) ^ larger) | same
            more = smaller | ~(across | larger)  # than in the row before
            less = larger & across
            more = more << 1 | 1
            larger = (less << 1 | ~(diagonal | more)) & everywhere
            smaller = more & diagonal & everywhere
            rows.append((larger, smaller))
        distance = len(words_hyp) + larger.bit_count() - smaller.bit_count()
        return rows, distance

    def _edits(self, words_hyp: Sequence[str], rows: Sequence[_Row], distance: int) -> str:
        """The edits, a letter each, found from the table's end back to its beginning.

        At each step a word is kept or substituted if that is possible, or else deleted, or else
        inserted.
        """
        i = len(words_hyp)
        j = self._n_words_ref
        edits = []
        while i and j:
            places = self._places.get(words_hyp[i - 1], 0)
            if places >> (j - 1) & 1:
                edits.append(lib_ter._OP_NOP)
                i -= 1
                j -= 1
                continue
            distance -= 1  # whatever the edit is, it is one
            larger, smaller = rows[i - 1]
            shorter = (1 << (j - 1)) - 1  # the bits of the first j - 1 words
            # The distances of a word fewer on both sides, and on the output's alone.
            diagonal = i - 1 + (larger & shorter).bit_count() - (smaller & shorter).bit_count()
            above = diagonal + (larger >> (j - 1) & 1) - (smaller >> (j - 1) & 1)
            if diagonal == distance:
                edits.append(lib_ter._OP_SUB)
                i -= 1
                j -= 1
            elif above == distance:
                edits.append(lib_ter._OP_DEL)
                i -= 1
            else:
                edits.append(lib_ter._OP_INS)
                j -= 1
        edits += [lib_ter._OP_DEL] * i
        edits += [lib_ter._OP_INS] * j
        return "".join(reversed(edits))


_SACREBLEUS_DISTANCE = lib_ter.BeamEditDistance


@contextlib.contextmanager
def quick_distances() -> Iterator[None]:
    """Have sacreBLEU ask `QuickDistance` in the place of its own distance.

    Other threads may ask either meanwhile, and count the same.
    """
    if not sacrebleu.__version__.startswith(_SAME_TABLE):
        yield
        return
    lib_ter.BeamEditDistance = QuickDistance  # type: ignore[misc]
    try:
        yield
    finally:
        lib_ter.BeamEditDistance = _SACREBLEUS_DISTANCE  # type: ignore[misc]
