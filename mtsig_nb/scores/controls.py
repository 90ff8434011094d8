"""Control items: what is rated to check the raters, and is no rating of the systems."""

from __future__ import annotations

import re

import pandas as pd

from ..errors import InputError, counted, listed
from .labels import RATER, normalized
from .rows import first_true
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
    "TUTORIAL",
    "PRACTICE",
    "TRAINING",
    "CALIBRATION",
    "CONTROL",
    "CHECK",
    "GOLD",
    "ATTENTION",
    "ATTENTION_CHECK",
    "DUMMY",
    "WARMUP",
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


def without_control_items(file: ScoreFile) -> ScoreFile:
    """The file without control items; a remark says how many there were.

    Raises
    ------
    InputError
        If an item has a type that is not known beside others that are, or there are no others.
    """
    frame = file.frame.reset_index(drop=True)
    used = []
    reasons = pd.Series("", frame.index, dtype=object)
    for name in file.other_columns:
        reasons_of_column = _reasons(file, name, frame[name])
        if reasons_of_column is not None:
            used.append(name)
            reasons = reasons.where(reasons != "", reasons_of_column)
    if "document" in frame:
        is_damaged = _are_damaged(frame["document"])
        reasons = reasons.mask((reasons == "") & is_damaged, "#bad")
    is_control = (reasons != "").to_numpy()
    scores = file.frame.drop(columns=used)
    if not is_control.any():
        return file.with_frame(scores)
    if is_control.all():
        raise InputError(f"{file.source.at()} has only control items, and no rating of a system.")
    kinds = reasons[is_control].value_counts(sort=False)
    counts = listed([f"{kind} {n:,}" for kind, n in kinds.items()], 9)
    n_rows = counted(int(is_control.sum()), "row")
    remark = f"{n_rows} of control items left out ({counts})"
    return file.with_frame(scores[~is_control], remark)


def _reasons(file: ScoreFile, name: str, column: pd.Series) -> pd.Series | None:
    """Why a column leaves items out; empty where it does not, None where it is about scores."""
    if normalized(name) in _TYPE_COLUMNS:
        return _by_type(file, name, column)
    return _by_flag(name, column)


def _by_type(file: ScoreFile, name: str, column: pd.Series) -> pd.Series | None:
    """The type of items that are left out; None for a column that has no such types."""
    if absent(column).all():
        return None
    capitals = column.astype(str).str.strip().str.upper()
    names = capitals.str.replace(r"[\W_]+", "_", regex=True)
    types = names.replace(TYPE_ALIASES)
    is_known = types.isin((*TYPES, *_OTHER_CONTROLS))
    if not is_known.any():
        return None
    if not is_known.all():
        row = first_true(~is_known)
        raise InputError(
            f"{file.cell(row, name)}: {column.iloc[row]!r} is not a known type of item. Known "
            f"types are {', '.join((*TYPES, *TYPE_ALIASES))}. Remove the row or the column."
        )
    # Without raters, a repeated item would be a second score.
    is_judged = types.isin(JUDGED) if RATER in file.frame else types == "SYSTEM"
    return names.mask(is_judged, "")


def _by_flag(name: str, column: pd.Series) -> pd.Series | None:
    """The flag's name for items that are left out; None for a column that is no such flag."""
    plain = normalized(name)
    if not (_FLAG_COLUMNS.fullmatch(plain) or _WHOLE_DOCUMENTS.fullmatch(plain)):
        return None
    words = column.astype(str).str.strip().str.casefold()
    is_yes = words.isin(_YES)
    is_no = words.isin(_NO) | absent(column)
    if not (is_yes | is_no).all():
        return None
    return pd.Series("", column.index).mask(is_yes, name)


def _are_damaged(documents: pd.Series) -> pd.Series:
    """Where documents are called as Appraise calls those that it damaged."""
    names = documents.unique()
    damaged = [name for name in names if _DAMAGED_DOCUMENT.fullmatch(str(name))]
    return documents.isin(damaged)
