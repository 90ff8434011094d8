"""Several files, and several test sets, as one table.

Functions add what they do to what is `told`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, listed
from ..texts.files import quoted
from .labels import KEYS, LABELS, TEST_SET, normalized
from .score_file import ScoreFile

#: Our names of columns with texts, and what files call them.
TEXTS = {
    "(source)": ("source", "src", "source_text"),
    "(reference)": ("reference", "ref", "reference_text"),
}
#: What tells segments apart.
_OF_A_SEGMENT = (TEST_SET, "document", "segment")


def joined(files: Sequence[ScoreFile], taken: Sequence[str]) -> pd.DataFrame:
    """One table: files with the same metrics below each other, others side by side.

    Raises
    ------
    InputError
        If files side by side do not have one row each for the same systems and segments.
    """
    kinds: dict[tuple[str, ...], list[ScoreFile]] = {}
    for file in files:
        kinds.setdefault(tuple(n for n in file.columns if n in taken), []).append(file)
    kinds.pop((), None)
    by_order = len(kinds) > 1 and any(file.by_order for file in files)
    parts = []
    for names, alike in kinds.items():
        frames = [file.frame[[*(n for n in KEYS if n in file.frame), *names]] for file in alike]
        frames = [_in_order(frame) if by_order else frame for frame in frames]
        where = listed([quoted(file.path) for file in alike], 3)
        parts.append((where, pd.concat(frames, ignore_index=True)))
    (first, whole), *others = parts
    for where, part in others:
        keys = [n for n in KEYS if n != "document" and n in whole and n in part]
        part = part[[*keys, *(name for name in part if name not in whole)]].astype({"segment": str})
        whole = whole.astype({"segment": str})
        for name, frame in ((first, whole), (where, part)):
            if frame.duplicated(keys).any():
                raise InputError(f"{name} has more than one score for a system and segment.")
        both = whole[keys].merge(part[keys], how="outer", indicator="(both)")
        alone = both[both["(both)"] != "both"]
        if len(alone):
            side = [where, first] if alone["(both)"].iloc[0] == "left_only" else [first, where]
            row = alone[keys].iloc[0].items()
            which = ", ".join(f"{str(label).strip('()')} {value!r}" for label, value in row)
            more = f", and {len(alone) - 1:,} more are not in both" if len(alone) > 1 else ""
            raise InputError(
                f"{side[0]} has no score of {which}, which {side[1]} has{more}. Files are joined "
                "by system and segment: give all the same names, or of several test sets those "
                "with the same metrics."
            )
        whole = whole.merge(part, on=keys, how="left")
    return whole


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` with the numbers of its segments in their order, in the place of their names."""
    keys = [n for n in ("document", "segment") if n in frame]
    if pd.api.types.is_integer_dtype(frame["segment"]) and len(keys) == 1:
        numbers = frame["segment"].rank(method="dense").astype(int) - 1
    else:
        numbers = frame.groupby(keys, sort=False).ngroup()
    return frame.assign(segment=numbers)


def with_test_sets(frame: pd.DataFrame, told: list[str]) -> pd.DataFrame:
    """Without test sets if there is but one, of files that all name it."""
    if TEST_SET not in frame:
        return frame
    names = frame[TEST_SET].dropna().unique().tolist()
    if len(names) == 1:
        return frame.drop(columns=TEST_SET)
    means = f"scores are means over {len(names)} test sets of the same weight"
    told.append(f"{means}, {listed(names, 6)}, tested together")
    # Documents of the same name may be the same in all of them.
    return frame.astype({name: str for name in LABELS[1:] if name in frame})


def with_texts(frame: pd.DataFrame, files: Sequence[ScoreFile]) -> pd.DataFrame:
    """With the sources and references of segments, by which test sets recognise their sentences."""
    if TEST_SET not in frame:
        return frame
    for text, names in TEXTS.items():
        parts = []
        for file in files:
            column = next((name for name in file.frame if normalized(str(name)) in names), None)
            if column is not None:
                keys = [name for name in _OF_A_SEGMENT if name in file.frame]
                parts.append(file.frame[[*keys, column]].rename(columns={column: text}))
        if parts:
            texts = pd.concat(parts, ignore_index=True)
            keys = [name for name in _OF_A_SEGMENT if name in frame and name in texts]
            texts = texts.astype(dict.fromkeys(keys, str)).drop_duplicates(keys)
            found = frame[keys].astype(str).merge(texts, how="left", on=keys)
            frame = frame.assign(**{text: found[text].to_numpy()})
    return frame
