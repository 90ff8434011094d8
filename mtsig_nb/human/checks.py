"""What makes a table ratings: its columns, types, scale and duplicates, each checked and said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of, unknown_name
from ..statistics.segment_scores import real_numbers

#: What a column may be called in a file; the first name that is there is taken.
ALIASES: dict[str, tuple[str, ...]] = {
    "rater": ("rater", "judge", "annotator", "worker", "WorkerId", "user"),
    "system": ("system", "sys_id", "sys"),
    "segment": ("segment", "line", "segment_id", "seg_id", "sid"),
    "raw": ("raw", "raw_score", "score", "rating"),
    "criterion": ("criterion", "dimension", "question"),
    "type": ("type", "item_type", "class"),
    "hit": ("hit", "hit_id", "HITId", "task"),
    "document": ("document", "doc", "doc_id", "docid"),
    "order": ("order", "position"),
}
REQUIRED = ("rater", "system", "segment", "raw")

#: Item types: an ordinary output; the same once more; the reference shown as if it were an
#: output; an output damaged on purpose.
TYPES = ("SYSTEM", "REPEAT", "REF", "BAD_REF")
#: Other names of the types, as in Appraise's exports.
TYPE_ALIASES = {"TGT": "SYSTEM", "CHK": "REPEAT", "BAD": "BAD_REF"}

Duplicates = Literal["keep", "first", "error"]
OutOfScale = Literal["error", "drop"]


def check_frame(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Raise `InputError` unless the frame has these columns, and at least one of `what`."""
    for name in columns:
        if name not in frame:
            raise InputError(f"frame has no column {name!r}; it has {list(frame.columns)}.")
    if frame.empty:
        raise InputError(f"frame has no {what}; a campaign needs at least one.")


def standard_columns(frame: pd.DataFrame, given: Mapping[str, str]) -> pd.DataFrame:
    """The known columns under their own names, with their own types."""
    for name, column in given.items():
        check_one_of("columns", name, ALIASES)
        if column not in frame:
            raise unknown_name(f"columns[{name!r}]", column, frame.columns)
    found = {}
    for name, aliases in ALIASES.items():
        names = (given[name],) if name in given else aliases
        column = next((each for each in names if each in frame), "")
        if column:
            found[name] = frame[column]
        elif name in REQUIRED:
            raise InputError(
                f"frame has no column for {name!r} (understood: {', '.join(aliases)}). It has "
                f"{', '.join(map(repr, frame.columns))}; say which with columns={{{name!r}: ...}}."
            )
    result = pd.DataFrame(found)
    for name in ("rater", "system", "segment"):
        missing = result[name].isna().to_numpy()
        if missing.any():
            raise InputError(f"{name}: row {missing.argmax()} has none.")
    result["rater"] = result["rater"].astype(str)
    result["system"] = result["system"].astype(str)
    result["raw"] = _numbers(result["raw"])
    result["criterion"] = result["criterion"].astype(str) if "criterion" in found else "quality"
    result["type"] = _types(result["type"]) if "type" in found else "SYSTEM"
    return result


def _numbers(raw: pd.Series) -> pd.Series:
    numbers = real_numbers(raw)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError(
            f"raw: {len(bad)} scores are not numbers, the first {raw.iloc[bad[0]]!r} in row "
            f"{bad[0]}. Remove these rows, or fill them in."
        )
    return pd.Series(numbers, index=raw.index)


def _types(types: pd.Series) -> pd.Series:
    known = types.astype(str).replace(TYPE_ALIASES)
    strange = ~known.isin(TYPES)
    if strange.any():
        raise unknown_name("type", known[strange].iloc[0], (*TYPES, *TYPE_ALIASES))
    return known


def within_scale(
    frame: pd.DataFrame,
    scale: tuple[float, float] | None,
    out_of_scale: OutOfScale,
    notes: list[str],
) -> pd.DataFrame:
    """The ratings on the scale; those outside are refused, or left out with a note."""
    check_one_of("out_of_scale", out_of_scale, get_args(OutOfScale))
    if scale is None:
        return frame
    low, high = scale
    outside = (frame["raw"] < low) | (frame["raw"] > high)
    if not outside.any():
        return frame
    row = frame[outside].iloc[0]
    count = int(outside.sum())
    if out_of_scale == "error":
        raise InputError(
            f"raw: {count} scores lie outside the scale {low:g} to {high:g}, the first "
            f"{row['raw']:g} by rater {row['rater']!r} for {row['system']!r}, segment "
            f"{row['segment']}. Give the right scale=, or leave them out with "
            "out_of_scale='drop'."
        )
    if outside.all():
        raise InputError(f"raw: all scores lie outside the scale {low:g} to {high:g}.")
    notes.append(f"{count} scores outside the scale {low:g} to {high:g} left out")
    return frame[~outside]


def without_duplicates(
    frame: pd.DataFrame, duplicates: Duplicates, notes: list[str]
) -> pd.DataFrame:
    """The ratings with repeated ones treated as asked, and a note of it."""
    check_one_of("duplicates", duplicates, get_args(Duplicates))
    key = ["rater", "system", "segment", "criterion", "type", *(["hit"] if "hit" in frame else [])]
    again = frame.duplicated(key)
    if not again.any():
        return frame
    count = int(again.sum())
    row = frame[again].iloc[0]
    if duplicates == "error":
        raise InputError(
            f"frame: {count} ratings are of an item that the same rater had scored before, the "
            f"first by {row['rater']!r} of {row['system']!r}, segment {row['segment']}. Mark them "
            "as REPEAT, or choose duplicates='keep' or 'first'."
        )
    if duplicates == "first":
        notes.append(f"{count} ratings of an item already scored by the same rater left out")
        return frame[~again]
    notes.append(f"{count} ratings are of an item already scored by the same rater, and kept")
    return frame
