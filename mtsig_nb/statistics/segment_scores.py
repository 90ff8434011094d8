"""Scores per segment in, from whatever made them: COMET, MetricX, MQM, ratings."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
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

#: A segment's document, where labels begin anew in each, and its label.
Key = tuple[Any, Any]


def from_segment_scores(
    frame: pd.DataFrame,
    *,
    system: str = "system",
    segment: str = "segment",
    score: str = "score",
    weight: str | None = None,
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
    weight : str, optional
        Column with each segment's weight in the mean, such as its number of words; 1 without it.
        Not negative.
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
        If a column is missing; a score or a weight is not a finite number; there are fewer than two
        segments; a system has a segment twice, lacks one or has one too many; or the weights of a
        system are all zero.

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
    named |= {"weight": weight} if weight is not None else {}
    named |= {"document": document} if document is not None else {}
    tidy = pd.DataFrame({part: _column(frame, part, name) for part, name in named.items()})
    tidy["system"] = tidy["system"].astype(str)
    scores = _numbers(tidy, "score")
    weights = _numbers(tidy, "weight") if weight is not None else np.ones(len(tidy))
    keys = _keys(tidy)
    segments = _in_order(keys, tidy["segment"])
    systems = list(dict.fromkeys(tidy["system"]))
    if len(segments) < 2:
        raise InputError(
            f"frame has 1 segment, {_show(segments[0])}; nothing can be resampled. Give at least "
            "two."
        )
    _check_complete(tidy["system"], keys, systems, segments)

    values = np.empty((len(systems), len(segments), 2))
    place = {key: i for i, key in enumerate(segments)}
    at = pd.Index(systems).get_indexer(tidy["system"]), [place[key] for key in keys]
    values[at] = np.column_stack([scores * weights, weights])
    _check_weights(values[:, :, 1], systems)
    documents = None
    if document is not None:
        document_of = dict(zip(keys, tidy["document"], strict=True))
        documents = np.array([document_of[key] for key in segments])
    if higher_is_better is None:
        higher_is_better = True
        warn_of_direction(score, higher_is_better=True)
    metric = SegmentMean(
        label=str(score if label is None else label),
        larger_is_better=higher_is_better,
        resolution=_resolution(values),
        source=source,
    )
    return SufficientStatistics(
        metric=metric,
        systems=tuple(systems),
        values=values,
        documents=documents,
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
    if part not in ("score", "weight") and column.isna().any():
        raise InputError(
            f"{part}: row {int(column.isna().argmax())} (counted from 0) has no value in column "
            f"{name!r}. Fill it in, or remove the row."
        )
    return column


def _numbers(tidy: pd.DataFrame, part: str) -> FloatArray:
    numbers = real_numbers(tidy[part])
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        value, system, segment = (
            tidy[column].tolist()[bad[0]] for column in (part, "system", "segment")
        )
        raise InputError(
            f"{part}: {len(bad):,} of {len(tidy):,} are not finite numbers, the first "
            f"{value!r} for system {system!r}, segment {segment!r}. "
            "Score the segment, or remove it for all systems."
        )
    return numbers


def real_numbers(column: pd.Series) -> FloatArray:
    """The column as numbers; NaN where there is none, or one with an imaginary part to lose."""
    if column.dtype.kind in "cO":
        column = column.astype(object).map(_real)
    return pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)


def _real(value: Any) -> Any:
    if not np.iscomplexobj(value):
        return value
    return math.nan if value.imag else value.real


def _keys(tidy: pd.DataFrame) -> list[Key]:
    """What identifies each row's segment: its label, with the document if labels begin anew."""
    labels = tidy["segment"].tolist()
    if "document" in tidy and tidy.groupby("segment")["document"].nunique().max() > 1:
        return list(zip(tidy["document"].tolist(), labels, strict=True))
    return [(None, label) for label in labels]


def _in_order(keys: Sequence[Key], labels: pd.Series) -> list[Key]:
    segments = list(dict.fromkeys(keys))
    if pd.api.types.is_integer_dtype(labels):
        documents = {document: i for i, document in enumerate(dict.fromkeys(d for d, _ in keys))}
        segments.sort(key=lambda key: (documents[key[0]], key[1]))
    return segments


def _check_complete(
    systems_of_rows: pd.Series, keys: Sequence[Key], systems: Sequence[str], segments: Sequence[Key]
) -> None:
    """Raise `InputError` unless every system has every segment once."""
    rows = Counter(zip(systems_of_rows, keys, strict=True))
    repeated = [pair for pair, count in rows.items() if count > 1]
    if repeated:
        (system, key), more = repeated[0], len(repeated) - 1
        raise InputError(
            f"frame has {rows[repeated[0]]} rows for system {system!r}, segment {_show(key)}"
            f"{f', and the like for {more:,} more' if more else ''}. Keep one of them, or their "
            "mean."
        )
    if len(rows) == len(systems) * len(segments):
        return
    scored = Counter(keys)
    usual = [key for key in segments if 2 * scored[key] >= len(systems)]
    own: dict[str, dict[Key, None]] = {system: {} for system in systems}
    for system, key in rows:
        own[system][key] = None
    complaints = []
    for system, found in own.items():
        lacking = [key for key in usual if key not in found]
        extra = [key for key in found if 2 * scored[key] < len(systems)]
        if lacking:
            complaints.append(f"{system!r} lacks {_list(lacking)}")
        if extra:
            complaints.append(f"{system!r} has {_list(extra)} that most others lack")
    if len(complaints) > _MOST_COMPLAINTS:
        more = len(complaints) - _MOST_COMPLAINTS
        complaints[_MOST_COMPLAINTS:] = [f"and {more:,} more"]
    if complaints:
        raise InputError(
            f"Not the same segments for every system: {'; '.join(complaints)}. Score what is "
            "lacking, or remove the segment for all systems."
        )


def _list(keys: Sequence[Key]) -> str:
    shown = ", ".join(map(_show, keys[:3])) + (", …" if len(keys) > 3 else "")
    return f"{len(keys):,} segment{'s' if len(keys) > 1 else ''} ({shown})"


def _show(key: Key) -> str:
    document, label = key
    return repr(label) if document is None else f"{label!r} of document {document!r}"


def _check_weights(weights: FloatArray, systems: Sequence[str]) -> None:
    if (weights < 0).any():
        system = systems[int((weights < 0).any(axis=1).argmax())]
        raise InputError(f"weight: system {system!r} has a negative one. Give 0 or more.")
    if not weights.any(axis=1).all():
        system = systems[int((~weights.any(axis=1)).argmax())]
        raise InputError(
            f"weight: all of system {system!r} are zero, so that its mean is not defined. Give at "
            "least one segment a weight above 0."
        )


def _resolution(values: FloatArray) -> float:
    """The grid for scores and weights: 2**-32, coarser only where sums would not be exact.

    The sum of a resample is at most the number of segments times the largest value, and the
    differences that are exchanged add up to at most the distances of the highest scores from the
    lowest; a float64 holds both exactly if they are below 2**53 steps of the grid.
    """
    with np.errstate(over="ignore"):
        apart = float(np.ptp(values, axis=0).sum(axis=0).max())
        largest = max(float(np.abs(values).max()) * values.shape[1], apart)
    if not math.isfinite(largest):
        raise InputError("score: sums of these scores overflow. Give them in a larger unit.")
    step = max(_FINEST, 2.0 ** (math.frexp(largest)[1] - 53))
    weights = values[:, :, 1]
    if (np.abs(np.rint(weights / step) * step - weights) > 1e-3 * weights).any():
        raise InputError(
            f"score: the largest is {np.abs(values[:, :, 0]).max():.3g}, so large that weights as "
            f"small as {weights[weights > 0].min():.3g} would be lost beside it. Give scores in a "
            "larger unit, or weights in a smaller one."
        )
    scores = values[:, :, 0]
    spread = float(scores.max() - scores.min())
    if 0 < spread < 1e4 * step:
        raise InputError(
            f"score: they differ by {spread:.3g} at most, too little beside a largest value of "
            f"{np.abs(values).max():.3g} to be told apart safely. Subtract a constant, or give "
            "scores and weights in another unit."
        )
    return step
