"""What a reader should know of a result: notes are data, and every sentence is written here once.

A note is a string with a `code`, by which it is found again, and the `values` of its sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: Sentences by code; braces name the values.
SENTENCES = {
    # Of a pair of systems.
    "identical": "the two outputs are the same in all {n:,} {unit}",
    "few-differ": "the two outputs differ in only {differing} of {n:,} {unit}",
    "few-differ-bootstrap": (
        "the two outputs differ in only {differing} of {n:,} {unit}; exchanging them cannot give a "
        "two-sided p below {smallest:g}, and a bootstrap of so few knows no more: do not rely on a "
        "smaller one"
    ),
    "few-units": "only {n} {unit}: an estimate from few units is unstable",
    "mixing": (
        "shuffled differences spread {ratio:.2f} times as widely as the difference itself does "
        "over such test sets: shuffles {mixed}{instead}"
    ),
    "degenerate": (
        "in {n:,} of {n_resamples:,} resamples all {unit} drawn are alike, so that the difference "
        "has no standard error; they count as extreme"
    ),
    "no-width": "no resample differs from the estimate: the interval has no width",
    "exact": "exact: {n:,} arrangements",
    "documents-ignored": (
        "segments were taken as independent although documents are known ({n:,}){more}"
    ),
    # Of the number of resamples.
    "uncertain": (
        "with endless resamples p would lie between {low} and {high}: more of them could turn the "
        "conclusion"
    ),
    "uncertain-level": (
        "the Monte Carlo interval {low:.4g} to {high:.4g} contains {levels}: draw more resamples "
        "before calling it"
    ),
    "unresolved": ("{n:,} {draws} cannot tell whether {pairs} can be distinguished: more could"),
    "few-resamples": (
        "{n_resamples:,} resamples are too few for {test} on {n} comparisons at {alpha:g}: the "
        "smallest adjusted p-value that they can give is {smallest}; draw {needed:,} or more"
    ),
    # Of the test and the correction.
    "one-tail": (
        "this procedure counts one tail and reports it as two: its p-values are too small, by "
        "about half where the resampled differences are symmetric"
    ),
    "few-for-romano-wolf": (
        "romano-wolf holds its level only with many units, and there are {n} {unit}: "
        "'westfall-young' is the safer choice"
    ),
    "size": (
        "{several}at {n:,} {unit}{like}, {alpha:g} is about {size}: so often does this test find a "
        "difference between equally good systems{unless}{because}; {remedy}"
    ),
    "few-decide": (
        "a few {unit} decide{which}: {n:,} of so unequal weights are as skewed by chance as "
        "{effective:.0f} of equal weight. How often this test errs cannot be estimated"
    ),
    "only-interval": (
        "{where}{interval} excludes zero, yet {test} does not tell the two apart: {because}"
    ),
    "only-test": "{where}{test} tells the two apart, yet {interval} contains zero: {because}",
    # Of several test sets.
    "unequal-weights": (
        "{n:,} {unit} of unequal weight tell as much of the mean over all test sets as {about}"
    ),
    "no-pairing": "the standard error of the mean difference is not known: no pair differs",
    "pairing": (
        "standard errors of the differences over all are {median:.2f} times (most pairs {low:.2f} "
        "to {high:.2f}) what they would be if test sets were independent{because}"
    ),
    "found-uncorrected": "{counts}, uncorrected: chance alone would make some {by_chance}",
    "found": (
        "{counts}. Of procedures like this one, on families like this one, {promise}, where each "
        "test keeps its level{besides}. Uncorrected there would be {alone:,}, and chance alone "
        "makes some {by_chance}"
    ),
}


class Note(str):
    """A sentence about a result, with the `code` and the `values` that it was made of.

    Examples
    --------
    >>> one = note("few-units", n=12, unit="segments")
    >>> one
    'only 12 segments: an estimate from few units is unstable'
    >>> one.code, one.values["n"]
    ('few-units', 12)
    """

    code: str
    values: dict[str, Any]


def note(code: str, **values: Any) -> Note:
    """The note of that code, its sentence filled in with `values`."""
    made = Note(SENTENCES[code].format(**values))
    made.code, made.values = code, values
    return made


def together(notes: Iterable[Note]) -> Note:
    """Several notes in one cell of a table, and in `values` each of them."""
    notes = tuple(notes)
    made = Note("; ".join(notes))
    made.code, made.values = "several", {"notes": notes}
    return made


def code_of(said: str) -> str:
    """The code of a note; of any other string none."""
    return said.code if isinstance(said, Note) else ""
