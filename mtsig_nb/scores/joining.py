"""Several files, and several test sets, as one table.

Rows are joined by what they are labelled with.  What two files have is the same in both, or an
error.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, listed
from .labels import KEYS, LABELS, OF_A_SEGMENT, RUN, TEST_SET, labels_in, normalized
from .likeness import alike_hint
from .repeats import check_same_number, check_single
from .rows import (
    FILE,
    ROW,
    first_like,
    first_true,
    labels_in_words,
    numbered_rows,
    unlike_first,
    where,
)
from .score_file import ScoreFile

#: Our names of columns with texts, and what files call them.
TEXTS = {
    "(source)": ("source", "src", "source_text"),
    "(reference)": ("reference", "ref", "reference_text"),
}


@dataclasses.dataclass(frozen=True)
class Joined:
    """All files as one table.

    Parameters
    ----------
    frame : DataFrame
        A row for each system and segment, and maybe each test set, run, repeat and rater.
    used : tuple of ScoreFile
        The files of which something is in it.
    """

    frame: pd.DataFrame
    used: tuple[ScoreFile, ...]


@dataclasses.dataclass(frozen=True)
class _Block:
    """Rows below each other, of files that have the same metrics.

    Parameters
    ----------
    metrics : tuple of str
    files : sequence of ScoreFile
        All that there are.
    frame : DataFrame
        Labels, metrics, `FILE` and `ROW`.
    """

    metrics: tuple[str, ...]
    files: Sequence[ScoreFile]
    frame: pd.DataFrame

    @property
    def title(self) -> str:
        """Its files as messages name them."""
        numbers = self.frame[FILE].unique()
        return listed([self.files[number].source.at() for number in numbers], 3)

    @property
    def keys(self) -> list[str]:
        """The labels that its rows have."""
        return labels_in(self.frame)

    @property
    def scores(self) -> pd.DataFrame:
        """Labels and metrics, without what says where rows are from."""
        return self.frame.drop(columns=[FILE, ROW])


def joined(files: Sequence[ScoreFile], metrics: Sequence[str], remarks: list[str]) -> Joined:
    """One table: files with the same metrics below each other, other metrics side by side.

    Raises
    ------
    InputError
        If files contradict each other, a row is there twice, or files side by side do not have
        the same systems and segments.
    """
    blocks = [
        _block(files, numbers, names, remarks) for numbers, names in _by_files(files, metrics)
    ]
    with_documents = [block for block in blocks if "document" in block.frame]
    if with_documents:
        _check_documents(with_documents)
        first, *others = with_documents
        for block in others:
            _check_same_documents(first, block)
    first, *others = blocks
    whole = first.scores
    for block in others:
        whole = _side_by_side(whole, first, block)
    used = {number for block in blocks for number in block.frame[FILE].unique()}
    return Joined(_with_numbers(whole), tuple(files[number] for number in sorted(used)))


def _by_files(
    files: Sequence[ScoreFile], metrics: Sequence[str]
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """The numbers of files that have the same metrics, and these metrics."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in metrics:
        numbers = tuple(number for number, file in enumerate(files) if name in file.columns)
        groups.setdefault(numbers, []).append(name)
    return [(numbers, tuple(names)) for numbers, names in groups.items()]


# --- below each other -----------------------------------------------------------------------------


def _block(
    files: Sequence[ScoreFile],
    numbers: Sequence[int],
    metrics: tuple[str, ...],
    remarks: list[str],
) -> _Block:
    """The rows of files with the same metrics, each system and segment once."""
    block = _Block(metrics, files, _below_each_other(files, numbers, metrics))
    if len(numbers) > 1:
        block = _without_copies(block, remarks)
    check_single(block.frame, block.keys, files)
    check_same_number(block.frame, block.keys, files)
    return block


def _below_each_other(
    files: Sequence[ScoreFile], numbers: Sequence[int], metrics: Sequence[str]
) -> pd.DataFrame:
    """The rows of files with the same metrics, all with the same labels."""
    alike = [files[number] for number in numbers]
    labels = [label for label in KEYS if any(label in file.frame for file in alike)]
    parts = []
    for number, file in zip(numbers, alike, strict=True):
        for label in labels:
            if label not in file.frame:
                having = next(other for other in alike if label in other.frame)
                raise _without_label(file.source.at(), having.source.at(), label)
        part = numbered_rows(file.frame[[*labels, *metrics]], number)
        part["segment"] = part["segment"].astype(str)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _without_label(lacking: str, having: str, label: str) -> InputError:
    """The error for a label that some files have, and others have not."""
    return InputError(
        f"{lacking} has no column for the {label.strip('()')}, but {having} has one. Give it "
        "to both files, or to none."
    )


def _without_copies(block: _Block, remarks: list[str]) -> _Block:
    """Without rows that another file has as well, with the same scores.

    Raises
    ------
    InputError
        If files have different scores for the same labels.
    """
    frame = block.frame
    is_repeated = frame.duplicated(block.keys, keep=False)
    if not is_repeated.any():
        return block
    repeated = frame[is_repeated]
    groups = repeated.groupby(block.keys, sort=False, dropna=False)
    first = groups[[*block.metrics, FILE]].transform("first")
    is_of_other_file = repeated[FILE] != first[FILE]
    for name in block.metrics:
        both_lack = repeated[name].isna() & first[name].isna()
        contradicts = is_of_other_file & (repeated[name] != first[name]) & ~both_lack
        if contradicts.any():
            raise _contradiction(block, name, int(repeated.index[contradicts][0]))
    copies = repeated.index[is_of_other_file]
    n_copies = frame.loc[copies, FILE].value_counts(sort=False)
    n_rows = frame[FILE].value_counts()
    for number, n in n_copies.items():
        how_many = "all" if n == n_rows[number] else f"{n:,} of"
        remarks.append(
            f"{how_many} {n_rows[number]:,} rows of {block.files[number].source.title} are also in "
            "another file, with the same scores; they count once"
        )
    return dataclasses.replace(block, frame=frame.drop(index=copies).reset_index(drop=True))


def _contradiction(block: _Block, metric: str, row: int) -> InputError:
    """The error for a row with another score than one of another file with the same labels."""
    frame, files = block.frame, block.files
    before = first_like(frame, block.keys, row)
    score = frame[metric].iloc[row]
    score_before = frame[metric].iloc[before]
    return InputError(
        f"{where(files, frame, row)} and {where(files, frame, before)} have different values of "
        f"{metric} for {labels_in_words(frame, block.keys, row)}: {score:g} and {score_before:g}. "
        "Give one of them, or give files of different systems a name each: NAME=FILE."
    )


# --- side by side ---------------------------------------------------------------------------------


def _side_by_side(whole: pd.DataFrame, first: _Block, block: _Block) -> pd.DataFrame:
    """The table with the metrics of other files for the same labels.

    Documents tell rows apart only where segments are numbered anew in each.
    """
    part = block.scores
    shared = [label for label in labels_in(whole) if label in part]
    keys = [label for label in shared if label != "document"]
    if whole.duplicated(keys).any() or part.duplicated(keys).any():
        keys = shared
    for lacking, having, frame in ((block, first, whole), (first, block, part)):
        if frame.duplicated(keys).any():
            label = next(label for label in labels_in(frame) if label not in keys)
            raise _without_label(lacking.title, having.title, label)
    both = whole[keys].merge(part[keys], how="outer", indicator="(both)")
    alone = both[both["(both)"] != "both"]
    if len(alone):
        raise _lacking(alone, keys, both, first, block)
    new = [name for name in part if name not in whole or name in keys]
    return whole.merge(part[new], on=keys, how="left")


def _lacking(
    alone: pd.DataFrame, keys: Sequence[str], both: pd.DataFrame, first: _Block, block: _Block
) -> InputError:
    """The error for labels that one of two tables has."""
    lacking, having = first, block
    if alone["(both)"].iloc[0] == "left_only":
        lacking, having = block, first
    more = f", and {len(alone) - 1:,} more are not in both" if len(alone) > 1 else ""
    return InputError(
        f"{lacking.title} has no score of {labels_in_words(alone, keys, 0)}, which "
        f"{having.title} has{more}. Files are joined by system and segment: use the same "
        "names in all; of several test sets, give those with the same metrics."
        f"{alike_hint(both, keys)}"
    )


# --- documents ------------------------------------------------------------------------------------


def _check_same_documents(first: _Block, block: _Block) -> None:
    """Raise `InputError` where two tables have the same labels in different documents."""
    keys = [label for label in first.keys if label in block.keys and label != "document"]
    if first.frame.duplicated(keys).any() or block.frame.duplicated(keys).any():
        return  # numbers begin anew in each document
    columns = ["document", FILE, ROW]
    rows = first.frame[[*keys, *columns]].merge(
        block.frame[[*keys, *columns]], on=keys, suffixes=("", " of other")
    )
    names = {f"{name} of other": name for name in columns}
    others = rows[[*names]].rename(columns=names)
    differs = rows["document"] != others["document"]
    if not differs.any():
        return
    row = first_true(differs)
    files = first.files
    raise InputError(
        f"{where(files, others, row)} has segment {rows['segment'].iloc[row]!r} in document "
        f"{others['document'].iloc[row]!r}, and {where(files, rows, row)} has it in "
        f"{rows['document'].iloc[row]!r}. A segment is in one document, by the same name: mend the "
        "one that is wrong."
    )


def _check_documents(blocks: Sequence[_Block]) -> None:
    """Raise `InputError` where a segment is in two documents, and numbers do not begin anew."""
    candidates = ("document", "segment", "system", RUN, TEST_SET)
    labels = [label for label in candidates if all(label in block.frame for block in blocks)]
    rows = pd.concat([block.frame[[*labels, FILE, ROW]] for block in blocks], ignore_index=True)
    within_file = [label for label in labels if label != "document"] + [FILE]
    known = rows[["document", *within_file]].drop_duplicates()
    if known.duplicated(within_file).any():
        return  # numbers begin anew in each document
    files = blocks[0].files
    documents = rows["document"]
    item = [label for label in ("segment", TEST_SET) if label in labels]
    for row in np.flatnonzero(unlike_first(rows, item, documents)).tolist():
        before = first_like(rows, item, row)
        if _are_apart(rows, row, before):
            continue
        raise InputError(
            f"{where(files, rows, row)} has segment {rows['segment'].iloc[row]!r} in document "
            f"{documents.iloc[row]!r}, and {where(files, rows, before)} has it in "
            f"{documents.iloc[before]!r}. A segment belongs to one document: mend the one that is "
            "wrong."
        )


def _are_apart(rows: pd.DataFrame, row: int, other: int) -> bool:
    """Whether two rows are in files of which neither has the other's document."""
    files, documents = rows[FILE], rows["document"]
    file_has_other = (files == files.iloc[row]) & (documents == documents.iloc[other])
    other_has_own = (files == files.iloc[other]) & (documents == documents.iloc[row])
    return not file_has_other.any() and not other_has_own.any()


# --- the whole table ------------------------------------------------------------------------------


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
    return frame.astype(dict.fromkeys(labels_in(frame, LABELS[1:]), str))


def with_texts(frame: pd.DataFrame, files: Sequence[ScoreFile]) -> pd.DataFrame:
    """With the sources and references of segments, by which test sets recognise their sentences."""
    if TEST_SET not in frame:
        return frame
    for name, names_in_files in TEXTS.items():
        texts = _texts(files, name, names_in_files)
        if texts is None:
            continue
        keys = [label for label in labels_in(frame, OF_A_SEGMENT) if label in texts]
        texts = texts.astype(dict.fromkeys(keys, str)).drop_duplicates(keys)
        matched = frame[keys].astype(str).merge(texts, how="left", on=keys)
        frame = frame.assign(**{name: matched[name].to_numpy()})
    return frame


def _texts(
    files: Sequence[ScoreFile], name: str, names_in_files: Sequence[str]
) -> pd.DataFrame | None:
    """The texts of segments under our own name for them; None where no file has any."""
    parts = []
    for file in files:
        columns = [own for own in file.frame if normalized(str(own)) in names_in_files]
        if columns:
            keys = labels_in(file.frame, OF_A_SEGMENT)
            part = file.frame[[*keys, columns[0]]]
            parts.append(part.rename(columns={columns[0]: name}))
    return pd.concat(parts, ignore_index=True) if parts else None
