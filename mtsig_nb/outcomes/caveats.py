"""What to beware of beside a verdict: one list, which every face of an analysis shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ..conclusions.deciding import WORDS
from ..errors import listed
from ..notes import Note, code_of, note, parts
from ..significance.comparisons import Comparisons
from ..significance.over_test_sets import SetComparisons
from ..tables import printed_pvalue

if TYPE_CHECKING:
    from ..human.pair_tests import PairTests

#: Different notes on single pairs that are listed beside a verdict on all of them.
MOST_NOTES = 4
#: Pairs that the correction has turned, likewise.
_MOST_TURNED = 2
#: Notes on a pair that a note on all pairs says as well.
_SAID_OF_ALL = ("uncertain", "unreliable")


def caveats(
    comparisons: Comparisons,
    *,
    warnings: Sequence[str] = (),
    pair: pd.Series | None = None,
    most: int | None = MOST_NOTES,
) -> list[str]:
    """Everything that a reader should know before relying on the verdicts, once.

    Parameters
    ----------
    comparisons : Comparisons
    warnings : sequence of str
        What was warned of when the input was read.
    pair : Series, optional
        The row of a pair: notes on single pairs are then on this one alone.
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
    >>> [one.code for one in found]
    ['documents-ignored']
    """
    found = [*(text.removesuffix(".") for text in warnings), *comparisons.caveats]
    if isinstance(comparisons, SetComparisons):
        return list(dict.fromkeys(found))
    found += notes_on_correction(comparisons)
    if pair is None:
        found += _counted(comparisons.table["note"], most)
    else:
        found += [one for one in pair["note"].values["notes"] if one.code not in _SAID_OF_ALL]
    return list(dict.fromkeys(found))


def _counted(notes: pd.Series, most: int | None) -> list[Note]:
    """Notes on single pairs, each once, with the number of pairs of which it is true."""
    single = (one for several in notes for one in several.values["notes"])
    counts = Counter(one for one in single if one.code not in _SAID_OF_ALL)
    listed_ones = counts.most_common() if most is None else list(counts.items())[:most]
    found = [one if n == 1 else _of_pairs(one, n, len(notes)) for one, n in listed_ones]
    if len(counts) > len(found):
        found.append(note("more-on-pairs", n=len(counts) - len(found)))
    return found


def _of_pairs(one: Note, n: int, n_pairs: int) -> Note:
    """A note that is true of several pairs."""
    values = {**one.values, "n_comparisons": n}
    return Note.of([one, f" ({n} of {n_pairs} comparisons)"], one.code, values)


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
    table = comparisons.table
    lost = (table["pvalue"] <= comparisons.alpha) & (table["conclusion"] == WORDS[0])
    turned = table[lost].sort_values("pvalue", kind="stable")
    if turned.empty:
        return []
    n_metrics = len(comparisons.metrics)
    n_pairs = len(table) // n_metrics
    pairs = f"{n_pairs} pair{'s' if n_pairs > 1 else ''}"
    several_metrics = n_metrics > 1 and comparisons.family_size is None
    family = f"{comparisons.n_comparisons:,} comparisons"
    if several_metrics:
        family += f" ({pairs} under {n_metrics} metrics)"
    examples = [
        f"{row['system_a']} and {row['system_b']} under {row['metric']}, "
        f"p {printed_pvalue(row['pvalue'])} alone and {printed_pvalue(row['pvalue_adjusted'])} "
        "corrected"
        for _, row in turned.iterrows()
    ]
    advice = ""
    if several_metrics:
        advice = f". A single metric, chosen before looking, makes a family of {pairs}"
    return [
        note(
            "turned-by-correction",
            correction=comparisons.correction,
            family=family,
            examples=listed(examples, _MOST_TURNED, by="; "),
            advice=advice,
        )
    ]


def caveats_of_people(tests: PairTests, notes: Iterable[str] = ()) -> list[str]:
    """The same of tests of people's judgements: `notes` on the input, then those of the tests.

    Parameters
    ----------
    tests : PairTests
    notes : iterable of str

    Returns
    -------
    list of str
    """
    found = [*notes, *tests.notes]
    table = tests.table
    pairs_of: dict[str, list[str]] = {}
    for a, b, said in zip(table["system_a"], table["system_b"], table["note"], strict=True):
        for single in parts(said):
            pairs_of.setdefault(single, []).append(f"{a} against {b}")
    for single, pairs in pairs_of.items():
        is_on_all = len(pairs) == len(table)
        found.append(single if is_on_all else _about(pairs, single))
    return list(dict.fromkeys(found))


def _about(pairs: list[str], said: str) -> Note:
    """A note that names the pairs of which it is true."""
    named = listed(pairs, MOST_NOTES, by="; ")
    return Note.of([f"{named}: ", said], code_of(said), {"pairs": pairs})
