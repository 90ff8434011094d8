"""Scores per segment in, from whatever made them: COMET, MetricX, MQM, ratings."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import InputError, unknown_name
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from .sufficient import SufficientStatistics

#: The finest grid that scores are put on, about 2e-10; see `SegmentMean.resolution`.
_FINEST = 2.0**-32

#: Systems that a message names whose segments are not the others'.
_MOST_COMPLAINTS = 20

#: Words in names of scores of which less, or more, is better nearly always.
_LOWER = re.compile(
    r"mqm|metricx|h?ter|wer|cer|cder|errors?|penalt(y|ies)|loss|perplexity|ppl|edits|distance"
)
_HIGHER = re.compile(
    r"(sacre|sp)?bleu|chrf|nist|gtm|meteor|x?comet(kiwi)?|bleurt|bertscore|accuracy|adequacy|fluency"
)


def from_segment_scores(
    frame: pd.DataFrame,
    *,
    system: str = "system",
    segment: str = "segment",
    score: str = "score",
    document: str | None = None,
    label: str | None = None,
    higher_is_better: bool | None = None,
    source: str = "",
    test_set: str = "",
) -> SufficientStatistics:
    """Statistics of a metric that is a mean of segment scores, from a tidy table of the scores.

    Parameters
    ----------
    frame : DataFrame
        One row per system and segment, in any order.  Every system must have been scored on the
        same segments: tests pair them.
    system, segment, score : str
        Names of the columns.
    document : str, optional
        Column with each segment's document.  Segments may then be numbered anew in each document.
    label : str, optional
        What was scored, as shown in tables and figures; by default the name in `score`.
    higher_is_better : bool, optional
        False for penalties and error rates, such as MetricX, or MQM counted upwards.  By default
        True, with a warning if the column has the name of such a score.
    source : str
        What made the scores, with its version, for the signature.
    test_set : str
        Name of the test set, shown in results.

    Returns
    -------
    SufficientStatistics
        Of a `SegmentMean`.  Systems are in order of first appearance; so are segments, unless
        they are whole numbers, which ascend (within their document where they begin anew there).

    Raises
    ------
    InputError
        If a column is missing; a score is not a finite number; there are fewer than two segments;
        or a system has a segment twice, lacks one or has one too many.

    Examples
    --------
    COMET's command line writes, with ``--to_json``, an object with the name of each translated
    file and its segments in order.  Read with ``json.load``, such output looks like this:

    >>> output = {
    ...     "A.txt": [{"mt": "Good morning.", "COMET": 0.91}, {"mt": "See you.", "COMET": 0.84}],
    ...     "B.txt": [{"mt": "Good day.", "COMET": 0.88}, {"mt": "See us.", "COMET": 0.52}],
    ... }
    >>> frame = pd.DataFrame(
    ...     {"system": name, "segment": i, "COMET": row["COMET"]}
    ...     for name, rows in output.items()
    ...     for i, row in enumerate(rows)
    ... )
    >>> comet = from_segment_scores(frame, score="COMET", source="wmt22-comet-da")
    >>> comet
    SufficientStatistics(COMET, 2 systems, 2 segments, 2 counts)
    >>> comet.scores().round(3)
    A.txt    0.875
    B.txt    0.700
    Name: COMET, dtype: float64
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"frame is a {type(frame).__name__}; give a pandas.DataFrame.")
    named = {"system": system, "segment": segment, "score": score}
    named |= {"document": document} if document is not None else {}
    tidy = pd.DataFrame({part: _column(frame, part, name) for part, name in named.items()})
    tidy["system"] = tidy["system"].astype(str)
    scores = _numbers(tidy)
    place, segments, keys = _segments(tidy)
    if len(segments) < 2:
        raise InputError(
            f"frame has 1 segment, {_show(segments[keys])}; nothing can be resampled. Give at "
            "least two."
        )
    rows, names = pd.factorize(tidy["system"])
    systems = names.tolist()
    _check_complete(rows, systems, place, segments[keys])

    values = np.ones((len(systems), len(segments), 2))
    values[rows, place, 0] = scores
    if higher_is_better is None:
        higher_is_better = True
        warn_of_direction(score, higher_is_better=True)
    metric = SegmentMean(
        label=str(score if label is None else label),
        larger_is_better=higher_is_better,
        resolution=_resolution(values[:, :, 0]),
        source=source,
    )
    return SufficientStatistics(
        metric=metric,
        systems=tuple(systems),
        values=values,
        documents=None if document is None else segments["document"].to_numpy(),
        test_set=test_set,
    )


def warn_of_direction(name: str, *, higher_is_better: bool) -> None:
    """Warn if a direction that nobody chose is not the one that scores of that name have."""
    unlikely = _LOWER if higher_is_better else _HIGHER
    if any(map(unlikely.fullmatch, re.findall("[a-z]+", str(name).casefold()))):
        taken, other = ("higher", "lower") if higher_is_better else ("lower", "higher")
        warnings.warn(
            f"{name!r} is taken as {taken}-is-better, and scores of that name usually are not. Say "
            f"which it is: higher_is_better={not higher_is_better}, or {name}:{other} on the "
            f"command line (or {name}:{taken}, if that is right).",
            stacklevel=3,
        )


def _column(frame: pd.DataFrame, part: str, name: str) -> pd.Series:
    matching = frame.loc[:, [column == name for column in frame.columns]]
    if matching.shape[1] == 0:
        raise unknown_name(f"{part}: column", name, [str(column) for column in frame.columns])
    if matching.shape[1] > 1:
        raise InputError(f"{part}: the frame has more than one column {name!r}. Rename one.")
    if frame.empty:
        raise InputError("frame has no rows; give one per system and segment.")
    column = matching.iloc[:, 0].reset_index(drop=True)
    if part != "score" and column.isna().any():
        raise InputError(
            f"{part}: row {int(column.isna().argmax())} (counted from 0) has no value in column "
            f"{name!r}. Fill it in, or remove the row."
        )
    return column


def _numbers(tidy: pd.DataFrame) -> FloatArray:
    numbers = real_numbers(tidy["score"])
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        value, system, segment = (
            tidy[column].tolist()[bad[0]] for column in ("score", "system", "segment")
        )
        raise InputError(
            f"score: {len(bad):,} of {len(tidy):,} are not finite numbers, the first "
            f"{value!r} for system {system!r}, segment {segment!r}. "
            "Score the segment, or remove it for all systems."
        )
    return numbers


def real_numbers(column: pd.Series) -> FloatArray:
    """The column as numbers; NaN where there is none, or one with an imaginary part to lose."""
    if column.dtype.kind in "cO" and pd.api.types.infer_dtype(column) != "string":
        column = column.astype(object).map(_real)
    return pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)


def _real(value: Any) -> Any:
    if not np.iscomplexobj(value):
        return value
    return math.nan if value.imag else value.real


def _segments(tidy: pd.DataFrame) -> tuple[npt.NDArray[Any], pd.DataFrame, list[str]]:
    """Which segment each row has; what is known of each, in order; and what identifies one.

    That is its label, with its document if labels begin anew in each.
    """
    labels = [name for name in ("document", "segment") if name in tidy]
    keys = labels if tidy[labels].drop_duplicates()["segment"].duplicated().any() else ["segment"]
    place = tidy.groupby(keys, sort=False).ngroup().to_numpy()
    segments = tidy.drop_duplicates(keys)[labels].reset_index(drop=True)
    if pd.api.types.is_integer_dtype(tidy["segment"]):
        document = pd.factorize(segments[keys[0]])[0] if len(keys) > 1 else np.zeros(len(segments))
        order = np.lexsort((segments["segment"], document))
        place, segments = np.argsort(order)[place], segments.iloc[order]
    return place, segments, keys


def _check_complete(
    rows: npt.NDArray[np.intp],
    systems: Sequence[str],
    place: npt.NDArray[np.intp],
    segments: pd.DataFrame,
) -> None:
    """Raise `InputError` unless every system has every segment once."""
    found = pd.DataFrame({"system": rows, "segment": place})
    repeated = found[found.duplicated()]
    if len(repeated):
        pairs = repeated.drop_duplicates()
        row, at = pairs.iloc[0]
        n = int(((rows == row) & (place == at)).sum())
        more = f", and the like for {len(pairs) - 1:,} more" if len(pairs) > 1 else ""
        raise InputError(
            f"frame has {n} rows for system {systems[row]!r}, segment {_show(segments.iloc[[at]])}"
            f"{more}. Keep one of them, or their mean."
        )
    if len(found) == len(systems) * len(segments):
        return
    most = 2 * np.bincount(place, minlength=len(segments)) >= len(systems)
    usual = np.flatnonzero(most)
    complaints = []
    for row, system in enumerate(systems):
        own = place[rows == row]
        lacking, extra = np.setdiff1d(usual, own), np.sort(own[~most[own]])
        if len(lacking):
            complaints.append(f"{system!r} lacks {_list(segments.iloc[lacking])}")
        if len(extra):
            which = _list(segments.iloc[extra])
            complaints.append(f"{system!r} has {which} that most others lack")
    if len(complaints) > _MOST_COMPLAINTS:
        more = f"and {len(complaints) - _MOST_COMPLAINTS:,} more"
        complaints = [*complaints[:_MOST_COMPLAINTS], more]
    raise InputError(
        f"Not the same segments for every system: {'; '.join(complaints)}. Score what is "
        "lacking, or remove the segment for all systems."
    )


def _list(segments: pd.DataFrame) -> str:
    n = len(segments)
    return f"{n:,} segment{'s' if n > 1 else ''} ({_show(segments)}{', …' if n > 3 else ''})"


def _show(segments: pd.DataFrame) -> str:
    """The first of them as messages name them."""
    shown = [repr(label) for label in segments["segment"].iloc[:3].tolist()]
    if "document" in segments:
        documents = segments["document"].iloc[:3].tolist()
        shown = [f"{one} of document {d!r}" for one, d in zip(shown, documents, strict=True)]
    return ", ".join(shown)


def _resolution(scores: FloatArray) -> float:
    """The grid for scores: 2**-32, coarser only where sums would not be exact.

    The sum of a resample is at most the number of segments times the largest value, and the
    differences that are exchanged add up to at most the distances of the highest scores from the
    lowest; a float64 holds both exactly if they are below 2**53 steps of the grid.
    """
    highest = max(float(np.abs(scores).max()), 1.0)  # segments are counted beside their scores
    with np.errstate(over="ignore"):
        largest = max(highest * scores.shape[1], float(np.ptp(scores, axis=0).sum()))
    if not math.isfinite(largest):
        raise InputError("score: sums of these scores overflow. Give them in a larger unit.")
    step = max(_FINEST, 2.0 ** (math.frexp(largest)[1] - 53))
    if step > 1:
        raise InputError(
            f"score: the largest is {highest:.3g}, so large that segments could not be counted "
            "beside it. Give scores in a larger unit."
        )
    spread = float(np.ptp(scores))
    if 0 < spread < 1e4 * step:
        raise InputError(
            f"score: they differ by {spread:.3g} at most, too little beside a largest value of "
            f"{highest:.3g} to be told apart safely. Subtract a constant, or give scores in "
            "another unit."
        )
    return step
