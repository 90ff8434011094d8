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
from .labels import KEYS, OF_A_SEGMENT, RUN, TEST_SET, labels_in, normalized
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

#: Columns with texts by our own names, and what files call them, as `normalized` has it.
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
        The files that `frame` has rows of.
    """

    frame: pd.DataFrame
    used: tuple[ScoreFile, ...]


@dataclasses.dataclass(frozen=True)
class _Block:
    """The rows of the files that have the same metrics, below each other.

    Parameters
    ----------
    metrics : tuple of str
    files : sequence of ScoreFile
        All files that are joined, of this block or of others.
    frame : DataFrame
        Labels, metrics, `FILE` (a number among `files`) and `ROW`.
    """

    metrics: tuple[str, ...]
    files: Sequence[ScoreFile]
    frame: pd.DataFrame

    @property
    def title(self) -> str:
        """The block's files as messages name them."""
        return listed([self.files[number].source.at() for number in self.file_numbers], 3)

    @property
    def file_numbers(self) -> list[int]:
        """The files that rows are from, by their numbers among all files."""
        numbers: list[int] = self.frame[FILE].unique().tolist()
        return numbers

    @property
    def keys(self) -> list[str]:
        """The labels that rows have."""
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
    blocks = []
    for file_numbers, metrics_of_files in _metrics_by_files(files, metrics).items():
        blocks.append(_block(files, file_numbers, metrics_of_files, remarks))
    with_documents = [block for block in blocks if "document" in block.frame]
    if with_documents:
        _check_documents(with_documents)
        for block in with_documents[1:]:
            _check_same_documents(with_documents[0], block)
    whole = blocks[0].scores
    for block in blocks[1:]:
        whole = _side_by_side(whole, blocks[0], block)
    used: set[int] = set()
    for block in blocks:
        used.update(block.file_numbers)
    return Joined(_with_numeric_segments(whole), tuple(files[number] for number in sorted(used)))


def _metrics_by_files(
    files: Sequence[ScoreFile], metrics: Sequence[str]
) -> dict[tuple[int, ...], list[str]]:
    """The metrics that the same files have, by the numbers of these files."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in metrics:
        numbers = tuple(number for number, file in enumerate(files) if name in file.other_columns)
        groups.setdefault(numbers, []).append(name)
    return groups


# --- below each other -----------------------------------------------------------------------------


def _block(
    files: Sequence[ScoreFile],
    numbers: Sequence[int],
    metrics: Sequence[str],
    remarks: list[str],
) -> _Block:
    """The rows of files with the same metrics, each system and segment once.

    `numbers` are those of the files that have the metrics.
    """
    block = _Block(tuple(metrics), files, _below_each_other(files, numbers, metrics))
    if len(numbers) > 1:
        block = _without_copies(block, remarks)
    check_single(block.frame, block.keys, files)
    check_same_number(block.frame, block.keys, files)
    return block


def _below_each_other(
    files: Sequence[ScoreFile], numbers: Sequence[int], metrics: Sequence[str]
) -> pd.DataFrame:
    """The rows of files with the same metrics, all with the same labels.

    Raises
    ------
    InputError
        If one of the files lacks a label that another has.
    """
    with_metrics = [files[number] for number in numbers]
    labels = [label for label in KEYS if any(label in file.frame for file in with_metrics)]
    parts = []
    for number in numbers:
        file = files[number]
        for label in labels:
            if label not in file.frame:
                having = next(other for other in with_metrics if label in other.frame)
                raise _lacks_label(file.source.at(), having.source.at(), label)
        part = numbered_rows(file.frame[[*labels, *metrics]], number)
        part["segment"] = part["segment"].astype(str)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _lacks_label(lacking: str, having: str, label: str) -> InputError:
    """The error for a label that some files have, and others have not."""
    return InputError(
        f"{lacking} has no column for the {label.strip('()')}, but {having} has one. Give it "
        "to both files, or to none."
    )


def _without_copies(block: _Block, remarks: list[str]) -> _Block:
    """The block without rows that another file has as well, with the same scores.

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
    n_copies_by_file = frame.loc[copies, FILE].value_counts(sort=False)
    n_rows_by_file = frame[FILE].value_counts()
    for number, n_copies in n_copies_by_file.items():
        n_rows = n_rows_by_file[number]
        how_many = "all" if n_copies == n_rows else f"{n_copies:,} of"
        remarks.append(
            f"{how_many} {n_rows:,} rows of {block.files[number].source.title} are also in "
            "another file, with the same scores; they count once"
        )
    without_copies = frame.drop(index=copies).reset_index(drop=True)
    return dataclasses.replace(block, frame=without_copies)


def _contradiction(block: _Block, metric: str, row: int) -> InputError:
    """The error for a row with another score than one of another file with the same labels."""
    frame = block.frame
    first = first_like(frame, block.keys, row)
    score = frame[metric].iloc[row]
    first_score = frame[metric].iloc[first]
    return InputError(
        f"{where(block.files, frame, row)} and {where(block.files, frame, first)} have different "
        f"values of {metric} for {labels_in_words(frame, block.keys, row)}: {score:g} and "
        f"{first_score:g}. Give one of them, or give files of different systems a name each: "
        "NAME=FILE."
    )


# --- side by side ---------------------------------------------------------------------------------


def _side_by_side(whole: pd.DataFrame, first: _Block, block: _Block) -> pd.DataFrame:
    """The table with the metrics of another block in columns beside its own.

    Rows are joined by the labels that both have.  Documents are among these labels only where
    segments are numbered anew in each document.

    Parameters
    ----------
    whole : DataFrame
        The blocks that are joined already.
    first : _Block
        The first of these, which messages name.
    block : _Block
        The block that is joined to them.

    Raises
    ------
    InputError
        If a label that tells rows apart, or a row, is in one of the two only.
    """
    part = block.scores
    shared = [label for label in labels_in(whole) if label in part]
    keys = [label for label in shared if label != "document"]
    if whole.duplicated(keys).any() or part.duplicated(keys).any():
        keys = shared
    # A label that only one of the two has, such as the run, tells its rows apart.
    if whole.duplicated(keys).any():
        label = next(label for label in labels_in(whole) if label not in keys)
        raise _lacks_label(block.title, first.title, label)
    if part.duplicated(keys).any():
        label = next(label for label in labels_in(part) if label not in keys)
        raise _lacks_label(first.title, block.title, label)
    both = whole[keys].merge(part[keys], how="outer", indicator="(both)")
    if (both["(both)"] != "both").any():
        raise _lacks_rows(both, keys, first, block)
    new = [name for name in part if name not in whole or name in keys]
    return whole.merge(part[new], on=keys, how="left")


def _lacks_rows(
    both: pd.DataFrame, keys: Sequence[str], first: _Block, block: _Block
) -> InputError:
    """The error for rows that only one of two blocks has.

    In the column ``(both)``, `both` says of each row which blocks have it, as ``indicator`` of
    :meth:`pandas.DataFrame.merge` does; left is `first`, or what was joined to it.
    """
    alone = both[both["(both)"] != "both"]
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
    """Raise `InputError` where two blocks have the same labels in different documents."""
    keys = [label for label in first.keys if label in block.keys and label != "document"]
    if first.frame.duplicated(keys).any() or block.frame.duplicated(keys).any():
        return  # numbers begin anew in each document
    columns = ["document", FILE, ROW]
    rows = first.frame[[*keys, *columns]].merge(
        block.frame[[*keys, *columns]], on=keys, suffixes=("", " of block")
    )
    names = {f"{name} of block": name for name in columns}
    rows_of_block = rows[list(names)].rename(columns=names)
    differs = rows["document"] != rows_of_block["document"]
    if not differs.any():
        return
    row = first_true(differs)
    files = first.files
    raise InputError(
        f"{where(files, rows_of_block, row)} has segment {rows['segment'].iloc[row]!r} in document "
        f"{rows_of_block['document'].iloc[row]!r}, and {where(files, rows, row)} has it in "
        f"{rows['document'].iloc[row]!r}. A segment is in one document, with the same name "
        "everywhere: correct the one that is wrong."
    )


def _check_documents(blocks: Sequence[_Block]) -> None:
    """Raise `InputError` where a segment is in two documents, and numbers do not begin anew.

    Two files that have none of the documents in question in common may both begin with segment 1.
    """
    candidates = ("document", "segment", "system", RUN, TEST_SET)
    labels = [label for label in candidates if all(label in block.frame for block in blocks)]
    rows = pd.concat([block.frame[[*labels, FILE, ROW]] for block in blocks], ignore_index=True)
    within_file = [label for label in labels if label != "document"] + [FILE]
    documents_of_segments = rows[["document", *within_file]].drop_duplicates()
    if documents_of_segments.duplicated(within_file).any():
        return  # numbers begin anew in each document
    files = blocks[0].files
    documents = rows["document"]
    segment = labels_in(labels, ("segment", TEST_SET))
    for row in np.flatnonzero(unlike_first(rows, segment, documents)).tolist():
        before = first_like(rows, segment, row)
        if not _share_documents(rows, row, before):
            continue
        raise InputError(
            f"{where(files, rows, row)} has segment {rows['segment'].iloc[row]!r} in document "
            f"{documents.iloc[row]!r}, and {where(files, rows, before)} has it in "
            f"{documents.iloc[before]!r}. A segment belongs to one document: correct the one that "
            "is wrong."
        )


def _share_documents(rows: pd.DataFrame, row: int, other: int) -> bool:
    """Whether the file of either row also has the document of the other row."""
    files = rows[FILE]
    documents = rows["document"]
    has_document_of_other = documents[files == files.iloc[row]] == documents.iloc[other]
    other_has_document = documents[files == files.iloc[other]] == documents.iloc[row]
    return bool(has_document_of_other.any() or other_has_document.any())


# --- the whole table ------------------------------------------------------------------------------


def _with_numeric_segments(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with its segments as numbers, which have an order, if all are whole numbers."""
    distinct = pd.Series(frame["segment"].unique())
    if distinct.str.fullmatch("0|[1-9][0-9]{0,17}").all():
        return frame.astype({"segment": "int64"})
    return frame


def with_test_sets(frame: pd.DataFrame, remarks: list[str]) -> pd.DataFrame:
    """The table without the column of test sets, if there is only one test set.

    Where there are several, segments and documents are texts.
    """
    if TEST_SET not in frame:
        return frame
    names = frame[TEST_SET].unique().tolist()
    if len(names) == 1:
        return frame.drop(columns=TEST_SET)
    remarks.append(
        f"scores are means over {len(names)} test sets of the same weight, {listed(names, 6)}, "
        "tested together"
    )
    # Documents of one name may be one document in all test sets, so all names are texts.
    return frame.astype(dict.fromkeys(labels_in(frame, ("segment", "document")), str))


def with_texts(frame: pd.DataFrame, files: Sequence[ScoreFile]) -> pd.DataFrame:
    """The table with sources and references, by which several test sets recognise sentences."""
    if TEST_SET not in frame:
        return frame
    for name in TEXTS:
        texts = _texts(files, name)
        if texts is None:
            continue
        keys = [label for label in labels_in(frame, OF_A_SEGMENT) if label in texts]
        texts = texts.astype(dict.fromkeys(keys, str)).drop_duplicates(keys)
        matched = frame[keys].astype(str).merge(texts, how="left", on=keys)
        frame = frame.assign(**{name: matched[name].to_numpy()})
    return frame


def _texts(files: Sequence[ScoreFile], name: str) -> pd.DataFrame | None:
    """The texts of segments, in a column of one of the names in `TEXTS`.

    None where no file has any.
    """
    parts = []
    for file in files:
        columns = [column for column in file.frame.columns if normalized(column) in TEXTS[name]]
        if columns:
            keys = labels_in(file.frame, OF_A_SEGMENT)
            part = file.frame[[*keys, columns[0]]]
            parts.append(part.rename(columns={columns[0]: name}))
    return pd.concat(parts, ignore_index=True) if parts else None
