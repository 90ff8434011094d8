"""Control items: what is rated to check the raters, and is no rating of the systems."""

from __future__ import annotations

import dataclasses
import re

import pandas as pd

from ..errors import InputError, counted, listed
from .labels import RATER, normalized
from .score_file import ScoreFile, absent

#: Item types: an ordinary output; the same once more; the reference shown as if it were an
#: output; an output damaged on purpose.
TYPES = ("SYSTEM", "REPEAT", "REF", "BAD_REF")
#: Other names of the types, as in Appraise's exports.
TYPE_ALIASES = {"TGT": "SYSTEM", "CHK": "REPEAT", "BAD": "BAD_REF"}
#: The types that are judgements of the systems.
JUDGED = ("SYSTEM", "REPEAT")

#: Columns that say the type of an item, as `normalized` has them.
_TYPE_COLUMNS = ("itemtype", "item_type", "type", "class")
#: Other words for items that nobody judges systems by.
_OTHER_CONTROLS = (
    *("TUTORIAL", "PRACTICE", "TRAINING", "CALIBRATION", "CONTROL", "CHECK", "GOLD"),
    *("ATTENTION", "ATTENTION_CHECK", "DUMMY", "WARMUP"),
)
#: Columns that say of an item whether it is one of control.
_FLAG_COLUMNS = re.compile(
    r"(is_?)?(control|bad|bad_?ref|tutorial|practice|attention(_?check)?|quality_?control"
    r"|calibration|dummy|warm_?up|excluded?|skip|skipped|discard|discarded|rejected|invalid)"
    r"(_?item)?"
)
#: Appraise's mark of ratings of whole documents.
_WHOLE_DOCUMENTS = re.compile(r"is_?complete_?document")
_YES = frozenset(("true", "yes", "1", "1.0", "y", "t"))
_NO = frozenset(("false", "no", "0", "0.0", "n", "f"))
#: Documents that Appraise damaged.
_DAMAGED_DOCUMENT = re.compile(r".*#(bad|tutorial)\w*", re.IGNORECASE)


def without_controls(found: ScoreFile) -> ScoreFile:
    """Without control items; how many there were is among the remarks.

    Raises
    ------
    InputError
        If an item has a type that is not known beside others that are, or there are no others.
    """
    frame = found.frame
    reasons = pd.Series("", frame.index.copy(), dtype=object).reset_index(drop=True)
    used = []
    for name in found.columns:
        column = frame[name].reset_index(drop=True)
        if normalized(name) in _TYPE_COLUMNS:
            left_out = _by_type(found, name, column)
        else:
            left_out = _by_flag(name, column)
        if left_out is not None:
            used.append(name)
            reasons = reasons.mask((reasons == "") & (left_out != ""), left_out)
    if "document" in frame:
        damaged = _in_damaged_documents(frame["document"].reset_index(drop=True))
        reasons = reasons.mask((reasons == "") & damaged, "#bad")
    is_control = (reasons != "").to_numpy()
    if not is_control.any():
        return dataclasses.replace(found, frame=frame.drop(columns=used))
    if is_control.all():
        raise InputError(f"{found.source.at()} has only control items, and no rating of a system.")
    kinds = reasons[is_control].value_counts(sort=False)
    counts = listed([f"{kind} {n:,}" for kind, n in kinds.items()], 9)
    n_rows = counted(int(is_control.sum()), "row")
    remark = f"{n_rows} of control items left out ({counts})"
    return dataclasses.replace(
        found,
        frame=frame[~is_control].drop(columns=used),
        remarks=(*found.remarks, remark),
    )


def _by_type(found: ScoreFile, name: str, column: pd.Series) -> pd.Series | None:
    """The type of items that are left out; None for a column that has no such types."""
    if absent(column).all():
        return None
    own = column.astype(str).str.strip().str.upper()
    own = own.str.replace(r"[\W_]+", "_", regex=True)
    types = own.replace(TYPE_ALIASES)
    known = types.isin(TYPES) | types.isin(_OTHER_CONTROLS)
    if not known.any():
        return None
    if not known.all():
        row = int((~known).to_numpy().argmax())
        raise InputError(
            f"{found.cell(row, name)}: {column.iloc[row]!r} is not a known type of item. Known "
            f"are {', '.join((*TYPES, *TYPE_ALIASES))}. Remove the row or the column."
        )
    judged = types.isin(JUDGED)
    if RATER not in found.frame:  # without raters, a repeated item would be a second score
        judged = types == "SYSTEM"
    return own.where(~judged, "")


def _by_flag(name: str, column: pd.Series) -> pd.Series | None:
    """The flag's name for items that are left out; None for a column that is no such flag."""
    plain = normalized(name)
    if not (_FLAG_COLUMNS.fullmatch(plain) or _WHOLE_DOCUMENTS.fullmatch(plain)):
        return None
    values = column.astype(str).str.strip().str.casefold()
    is_yes, is_no = values.isin(_YES), values.isin(_NO) | absent(column)
    if not (is_yes | is_no).all():
        return None
    return pd.Series("", column.index).mask(is_yes, name)


def _in_damaged_documents(documents: pd.Series) -> pd.Series:
    names = documents.drop_duplicates()
    damaged = [name for name in names if _DAMAGED_DOCUMENT.fullmatch(str(name))]
    return documents.isin(damaged)
