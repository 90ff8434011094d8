"""What to beware of beside a verdict: one list, which every face of an analysis shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import listed
from ..notes import Note, code_of, note, parts
from ..significance.comparisons import Comparisons
from ..significance.over_test_sets import SetComparisons
from ..tables import printed_pvalue
from .summary import INDISTINGUISHABLE

if TYPE_CHECKING:
    from ..human.pair_tests import PairTests

#: The most notes on single pairs that are listed beside a verdict on all pairs, and the most pairs
#: that are named in one note.
MOST_NOTES = 4
#: The most pairs that are given as examples of what the correction has turned.
_MOST_EXAMPLES = 2
#: The codes of notes on a pair for which there is a note on all pairs, too.
_CODES_ON_ALL = ("uncertain", "unreliable")


def caveats(
    comparisons: Comparisons,
    *,
    warnings: Sequence[str] = (),
    pair: np.void | None = None,
    most: int | None = MOST_NOTES,
) -> list[str]:
    """Everything that a reader should know before relying on the verdicts, once.

    Parameters
    ----------
    comparisons : Comparisons
    warnings : sequence of str
        What was warned of when the input was read.
    pair : row of `Comparisons.rows`, optional
        That of a pair: notes on single pairs are then on this one alone.
    most : int, optional
        Different notes on single pairs that are listed; None for all.

    Returns
    -------
    list of str
        Notes, and warnings as they are.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "UPC"])
    >>> found = caveats(mt.compare_all(bleu, n_resamples=999, interval=None, rng=1))
    >>> [note.code for note in found]
    ['documents-ignored']
    """
    found = [text.removesuffix(".") for text in warnings]
    found += comparisons.caveats
    if not isinstance(comparisons, SetComparisons):
        found += notes_on_correction(comparisons)
        if pair is None:
            found += _counted(comparisons.rows["note"], most)
        else:
            found += _only_on_pair(pair["note"])
    return list(dict.fromkeys(found))


def _only_on_pair(cell: Note) -> list[Note]:
    """The notes in a cell of a table of pairs for which there is no note on all pairs."""
    return [single for single in cell.values["notes"] if single.code not in _CODES_ON_ALL]


def _counted(cells: npt.NDArray[np.object_], most: int | None) -> list[Note]:
    """Notes on single pairs, each once, with the number of pairs of which it is true.

    Parameters
    ----------
    cells : ndarray of Note, shape (pairs,)
        All notes on a pair, for each pair.
    most : int or None
        How many notes are listed, the first that come; None for all, the most frequent first.
    """
    n_pairs_with = Counter(single for cell in cells for single in _only_on_pair(cell))
    shown = n_pairs_with.most_common()
    if most is not None:
        shown = list(n_pairs_with.items())[:most]
    notes = []
    for single, n_pairs in shown:
        notes.append(single if n_pairs == 1 else _on_several(single, n_pairs, len(cells)))
    n_left_out = len(n_pairs_with) - len(notes)
    if n_left_out:
        notes.append(note("more-on-pairs", n=n_left_out))
    return notes


def _on_several(single: Note, n_pairs: int, n_all_pairs: int) -> Note:
    """A note that is true of several pairs, with their number."""
    values = {**single.values, "n_comparisons": n_pairs}
    return Note.of([single, f" ({n_pairs} of {n_all_pairs} comparisons)"], single.code, values)


def notes_on_correction(comparisons: Comparisons) -> list[Note]:
    """What correcting for the whole family has turned.

    None where nothing is corrected, or no conclusion depends on it.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> found = [campaign.statistics(m).select(campaign.systems[3:6]) for m in ("BLEU", "chrF")]
    >>> notes_on_correction(mt.compare_all(found, n_resamples=2000, interval=None, rng=1))
    []
    """
    rows = comparisons.rows
    is_significant_alone = rows["pvalue"] <= comparisons.alpha
    is_turned = is_significant_alone & (rows["conclusion"] == INDISTINGUISHABLE)
    turned = rows[is_turned]
    if not len(turned):
        return []
    examples = []
    for row in turned[np.argsort(turned["pvalue"], kind="stable")]:
        alone = printed_pvalue(row["pvalue"])
        corrected = printed_pvalue(row["pvalue_adjusted"])
        pair = f"{row['system_a']} and {row['system_b']} under {row['metric']}"
        examples.append(f"{pair}, p {alone} alone and {corrected} corrected")
    n_metrics = len(comparisons.metrics)
    family = f"{comparisons.n_comparisons:,} comparisons"
    advice = ""
    if n_metrics > 1 and comparisons.family_size is None:
        n_pairs = len(rows) // n_metrics
        pairs = f"{n_pairs} pair{'s' if n_pairs > 1 else ''}"
        family += f" ({pairs} under {n_metrics} metrics)"
        advice = f". A single metric, chosen before looking, makes a family of {pairs}"
    return [
        note(
            "turned-by-correction",
            correction=comparisons.correction,
            family=family,
            examples=listed(examples, _MOST_EXAMPLES, by="; "),
            advice=advice,
        )
    ]


def caveats_of_people(tests: PairTests, notes: Iterable[str] = ()) -> list[str]:
    """What a reader should know before relying on tests of people's judgements, once.

    Parameters
    ----------
    tests : PairTests
    notes : iterable of str
        Those on the input, which come first.

    Returns
    -------
    list of str
    """
    found = [*notes, *tests.notes]
    table = tests.table
    pairs_with: dict[str, list[str]] = {}
    for a, b, cell in zip(table["system_a"], table["system_b"], table["note"], strict=True):
        for single in parts(cell):
            pairs_with.setdefault(single, []).append(f"{a} against {b}")
    for single, pairs in pairs_with.items():
        is_on_all = len(pairs) == len(table)
        found.append(single if is_on_all else naming(pairs, single))
    return list(dict.fromkeys(found))


def naming(pairs: list[str], single: str) -> Note:
    """A note that names the pairs of which it is true."""
    names = listed(pairs, MOST_NOTES, by="; ")
    return Note.of([f"{names}: ", single], code_of(single), {"pairs": pairs})
