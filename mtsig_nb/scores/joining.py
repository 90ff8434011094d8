"""Several files, and several test sets, as one table.

Rows are joined by what they are labelled with.  What two files have is the same in both, or an
error.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, listed
from .labels import KEYS, LABELS, RUN, TEST_SET
from .likeness import alike_hint
from .repeats import check_single, first_like
from .score_file import ScoreFile

#: Where a row of the joined table is from: the number of its file, and of its row there.
FILE = "(file)"
ROW = "(row)"


@dataclasses.dataclass(frozen=True)
class _Block:
    """Rows below each other, of files that have the same metrics.

    Parameters
    ----------
    metrics : tuple of str
    files : tuple of ScoreFile
    frame : DataFrame
        Labels, metrics, `FILE` and `ROW`.
    """

    metrics: tuple[str, ...]
    files: tuple[ScoreFile, ...]
    frame: pd.DataFrame

    @property
    def title(self) -> str:
        return listed([file.source.at() for file in self.files], 3)

    def where(self, row: int) -> str:
        """Where a row of the frame is from."""
        return self.files[self.frame[FILE].iloc[row]].where(self.frame[ROW].iloc[row])


def joined(files: Sequence[ScoreFile], metrics: Sequence[str], remarks: list[str]) -> pd.DataFrame:
    """One table: files with the same metrics below each other, other metrics side by side.

    Raises
    ------
    InputError
        If files contradict each other, a row is there twice, or files side by side do not have
        the same systems and segments.
    """
    blocks = []
    for names, alike in _by_files(files, metrics):
        frame = _below_each_other(alike, names)
        frame = _once(_Block(names, alike, frame), remarks)
        blocks.append(_Block(names, alike, frame))
    first, *others = blocks
    whole = first.frame.drop(columns=[FILE, ROW])
    for block in others:
        whole = _side_by_side(whole, first, block)
    _check_documents(blocks)
    return _with_numbers(whole)


def _by_files(
    files: Sequence[ScoreFile], metrics: Sequence[str]
) -> list[tuple[tuple[str, ...], tuple[ScoreFile, ...]]]:
    """The metrics, grouped by which files have them; and these files."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in metrics:
        having = tuple(i for i, file in enumerate(files) if name in file.columns)
        groups.setdefault(having, []).append(name)
    return [(tuple(names), tuple(files[i] for i in having)) for having, names in groups.items()]


def _below_each_other(files: Sequence[ScoreFile], metrics: Sequence[str]) -> pd.DataFrame:
    """The rows of files with the same metrics, all with the same labels."""
    labels = [label for label in KEYS if any(label in file.frame for file in files)]
    parts = []
    for number, file in enumerate(files):
        for label in labels:
            if label not in file.frame:
                having = next(other for other in files if label in other.frame)
                raise InputError(
                    f"{file.source.at()} has no column that says the {label.strip('()')}, which "
                    f"{having.source.at()} has. Give it to both files, or to none."
                )
        part = file.frame[[*labels, *metrics]].reset_index(drop=True)
        part["segment"] = part["segment"].astype(str)
        part[FILE] = number
        part[ROW] = range(len(part))
        parts.append(part)
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


def _once(block: _Block, remarks: list[str]) -> pd.DataFrame:
    """The rows, those that two files have once; see `check_single` for those of one file.

    Raises
    ------
    InputError
        If files have different scores for the same labels.
    """
    frame = block.frame
    keys = [label for label in KEYS if label in frame]
    if len(block.files) > 1:
        frame = _without_copies(block, keys, remarks)
    check_single(frame, keys, block.files, FILE, ROW)
    return frame


def _without_copies(block: _Block, keys: Sequence[str], remarks: list[str]) -> pd.DataFrame:
    frame = block.frame
    repeated = frame.duplicated(keys, keep=False)
    if not repeated.any():
        return frame
    groups = frame[repeated].groupby(list(keys), sort=False, dropna=False)
    first = groups[[*block.metrics, FILE]].transform("first")
    other_file = (frame.loc[repeated, FILE] != first[FILE]).to_numpy()
    for name in block.metrics:
        own, firsts = frame.loc[repeated, name], first[name]
        differs = ((own != firsts) & ~(own.isna() & firsts.isna())).to_numpy() & other_file
        if differs.any():
            row = int(frame.index[repeated][differs][0])
            before = first_like(frame, keys, row)
            which = labels_in_words(frame[list(keys)].iloc[row])
            raise InputError(
                f"{block.where(row)} has another {name} of {which} than {block.where(before)}: "
                f"{frame[name].iloc[row]:g} and {frame[name].iloc[before]:g}. Give one of them, "
                "or files of different systems a name each: NAME=FILE."
            )
    copies = frame.index[repeated][other_file]
    for number in frame.loc[copies, FILE].unique():
        file = block.files[number]
        n_copies = int((frame.loc[copies, FILE] == number).sum())
        n_rows = int((frame[FILE] == number).sum())
        how_many = "all" if n_copies == n_rows else f"{n_copies:,} of"
        remarks.append(
            f"{how_many} {n_rows:,} rows of {file.source.title} are in another file as well, with "
            "the same scores, and count once"
        )
    return frame.drop(index=copies)


def labels_in_words(labels: pd.Series) -> str:
    """Labels of a row as messages have them."""
    return ", ".join(f"{str(name).strip('()')} {value!r}" for name, value in labels.items())


def _side_by_side(whole: pd.DataFrame, first: _Block, block: _Block) -> pd.DataFrame:
    """The table with the metrics of other files for the same labels."""
    part = block.frame.drop(columns=[FILE, ROW])
    keys = [label for label in KEYS if label != "document" and label in whole and label in part]
    for title, frame in ((first.title, whole), (block.title, part)):
        if frame.duplicated(keys).any():
            keys = _with_documents(keys, whole, part)
            if frame.duplicated(keys).any():
                raise InputError(f"{title} has more than one score for a system and segment.")
    both = whole[keys].merge(part[keys], how="outer", indicator="(both)")
    alone = both[both["(both)"] != "both"]
    if len(alone):
        raise _lacking(alone, keys, both, first, block)
    new = [name for name in part if name not in whole or name in keys]
    return whole.merge(part[new], on=keys, how="left")


def _with_documents(keys: list[str], whole: pd.DataFrame, part: pd.DataFrame) -> list[str]:
    """Labels that tell rows apart where segments are numbered anew in each document."""
    if "document" in whole and "document" in part and "document" not in keys:
        return [*keys, "document"]
    return keys


def _lacking(
    alone: pd.DataFrame, keys: Sequence[str], both: pd.DataFrame, first: _Block, block: _Block
) -> InputError:
    """The error for labels that one of two tables has."""
    row = alone.iloc[0]
    lacking, having = (block, first) if row["(both)"] == "left_only" else (first, block)
    more = f", and {len(alone) - 1:,} more are not in both" if len(alone) > 1 else ""
    return InputError(
        f"{lacking.title} has no score of {labels_in_words(row[list(keys)])}, which "
        f"{having.title} has{more}. Files are joined by system and segment: give all the same "
        f"names, or of several test sets those with the same metrics.{alike_hint(both, keys)}"
    )


def _check_documents(blocks: Sequence[_Block]) -> None:
    """Raise `InputError` where a segment is in two documents, and numbers do not begin anew."""
    having = [block for block in blocks if "document" in block.frame]
    for block in having:
        frame = block.frame
        segment = [label for label in (TEST_SET, "segment") if label in frame]
        of_system = [*segment, *(label for label in ("system", RUN) if label in frame)]
        known = frame[["document", *of_system]].drop_duplicates()
        if known.duplicated(of_system).any():
            continue  # numbers begin anew in each document
        first = frame.groupby(segment, sort=False)["document"].transform("first")
        differs = (first != frame["document"]).to_numpy()
        if differs.any():
            row = int(differs.argmax())
            before = first_like(frame, segment, row)
            raise InputError(
                f"{block.where(row)} has segment {frame['segment'].iloc[row]!r} in document "
                f"{frame['document'].iloc[row]!r}, and {block.where(before)} has it in "
                f"{frame['document'].iloc[before]!r}. A segment is in one document: mend the one "
                "that is wrong."
            )


def _with_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """With whole numbers of segments as numbers, which have an order, if all are."""
    distinct = pd.Series(frame["segment"].unique())
    if distinct.str.fullmatch("0|[1-9][0-9]{0,17}").all():
        return frame.astype({"segment": "int64"})
    return frame


def with_test_sets(frame: pd.DataFrame, remarks: list[str]) -> pd.DataFrame:
    """Without test sets if there is but one."""
    if TEST_SET not in frame:
        return frame
    names = frame[TEST_SET].unique().tolist()
    if len(names) == 1:
        return frame.drop(columns=TEST_SET)
    means = f"scores are means over {len(names)} test sets of the same weight"
    remarks.append(f"{means}, {listed(names, 6)}, tested together")
    # Documents of the same name may be the same in all of them.
    return frame.astype({name: str for name in LABELS[1:] if name in frame})
