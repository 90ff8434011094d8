"""Several files, and several test sets, as one table.

Rows are joined by what they are labelled with.  What two files have is the same in both, or an
error.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, listed
from .labels import KEYS, LABELS, RUN, TEST_SET, normalized
from .likeness import alike_hint
from .repeats import check_same_number, check_single, first_like, labels_in_words
from .score_file import ScoreFile

#: Where a row of the joined table is from: the number of its file, and of its row there.
FILE = "(file)"
ROW = "(row)"
#: Our names of columns with texts, and what files call them.
TEXTS = {
    "(source)": ("source", "src", "source_text"),
    "(reference)": ("reference", "ref", "reference_text"),
}
#: What tells segments apart.
_OF_A_SEGMENT = (TEST_SET, "document", "segment")


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
        numbers = self.frame[FILE].unique()
        return listed([self.files[number].source.at() for number in numbers], 3)

    @property
    def keys(self) -> list[str]:
        """Its labels."""
        return [label for label in KEYS if label in self.frame]

    def where(self, row: int) -> str:
        """Where a row of the frame is from."""
        return self.files[self.frame[FILE].iloc[row]].where(self.frame[ROW].iloc[row])


def joined(files: Sequence[ScoreFile], metrics: Sequence[str], remarks: list[str]) -> Joined:
    """One table: files with the same metrics below each other, other metrics side by side.

    Raises
    ------
    InputError
        If files contradict each other, a row is there twice, or files side by side do not have
        the same systems and segments.
    """
    blocks = []
    for names, numbers in _by_files(files, metrics):
        block = _Block(names, files, _below_each_other(files, numbers, names))
        if len(numbers) > 1:
            block = _without_copies(block, remarks)
        check_single(block.frame, block.keys, files, FILE, ROW)
        check_same_number(block.frame, block.keys, files, FILE, ROW)
        blocks.append(block)
    _check_documents(blocks)
    with_documents = [block for block in blocks if "document" in block.frame]
    for block in with_documents[1:]:
        _check_same_documents(with_documents[0], block)
    first, *others = blocks
    whole = first.frame.drop(columns=[FILE, ROW])
    for block in others:
        whole = _side_by_side(whole, first, block)
    used = {number for block in blocks for number in block.frame[FILE].unique()}
    return Joined(_with_numbers(whole), tuple(files[number] for number in sorted(used)))


def _by_files(
    files: Sequence[ScoreFile], metrics: Sequence[str]
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """The metrics, grouped by which files have them; and the numbers of these files."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in metrics:
        having = tuple(number for number, file in enumerate(files) if name in file.columns)
        groups.setdefault(having, []).append(name)
    return [(tuple(names), having) for having, names in groups.items()]


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
        part = file.frame[[*labels, *metrics]].reset_index(drop=True)
        part["segment"] = part["segment"].astype(str)
        part[FILE] = number
        part[ROW] = range(len(part))
        parts.append(part)
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)


def _without_label(lacking: str, having: str, label: str) -> InputError:
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
    frame, keys = block.frame, block.keys
    repeated = frame.duplicated(keys, keep=False)
    if not repeated.any():
        return block
    groups = frame[repeated].groupby(keys, sort=False, dropna=False)
    first = groups[[*block.metrics, FILE]].transform("first")
    is_of_other_file = (frame.loc[repeated, FILE] != first[FILE]).to_numpy()
    for name in block.metrics:
        own, other = frame.loc[repeated, name], first[name]
        is_other = ((own != other) & ~(own.isna() & other.isna())).to_numpy()
        if (is_other & is_of_other_file).any():
            row = int(frame.index[repeated][is_other & is_of_other_file][0])
            raise _contradiction(block, name, row)
    copies = frame.index[repeated][is_of_other_file]
    n_copies = frame.loc[copies, FILE].value_counts(sort=False)
    n_rows = frame[FILE].value_counts()
    for number, n in n_copies.items():
        file = block.files[number]
        how_many = "all" if n == n_rows[number] else f"{n:,} of"
        remarks.append(
            f"{how_many} {n_rows[number]:,} rows of {file.source.title} are also in another file, "
            "with the same scores; they count once"
        )
    return dataclasses.replace(block, frame=frame.drop(index=copies).reset_index(drop=True))


def _contradiction(block: _Block, metric: str, row: int) -> InputError:
    """The error for a row with another score than one of another file with the same labels."""
    frame = block.frame
    before = first_like(frame, block.keys, row)
    values = [frame[metric].iloc[place] for place in (row, before)]
    return InputError(
        f"{block.where(row)} and {block.where(before)} have different values of {metric} for "
        f"{labels_in_words(frame, block.keys, row)}: {values[0]:g} and {values[1]:g}. Give one of "
        "them, or give files of different systems a name each: NAME=FILE."
    )


def _side_by_side(whole: pd.DataFrame, first: _Block, block: _Block) -> pd.DataFrame:
    """The table with the metrics of other files for the same labels.

    Documents tell rows apart only where segments are numbered anew in each.
    """
    part = block.frame.drop(columns=[FILE, ROW])
    shared = [label for label in KEYS if label in whole and label in part]
    keys = [label for label in shared if label != "document"]
    if whole.duplicated(keys).any() or part.duplicated(keys).any():
        keys = shared
    for lacking, having, frame in ((block, first, whole), (first, block, part)):
        if frame.duplicated(keys).any():
            label = next(label for label in KEYS if label in frame and label not in keys)
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
    row = alone.iloc[0]
    lacking, having = (block, first) if row["(both)"] == "left_only" else (first, block)
    more = f", and {len(alone) - 1:,} more are not in both" if len(alone) > 1 else ""
    return InputError(
        f"{lacking.title} has no score of {labels_in_words(alone, keys, 0)}, which "
        f"{having.title} has{more}. Files are joined by system and segment: use the same "
        "names in all; of several test sets, give those with the same metrics."
        f"{alike_hint(both, keys)}"
    )


def _check_same_documents(first: _Block, block: _Block) -> None:
    """Raise `InputError` where two tables have the same labels in different documents."""
    keys = [label for label in first.keys if label in block.keys and label != "document"]
    if first.frame.duplicated(keys).any() or block.frame.duplicated(keys).any():
        return  # numbers begin anew in each document
    columns = [*keys, "document", FILE, ROW]
    both = first.frame[columns].merge(block.frame[columns], on=keys, suffixes=("", " of other"))
    differs = (both["document"] != both["document of other"]).to_numpy()
    if not differs.any():
        return
    row = both.iloc[int(differs.argmax())]
    files = first.files
    raise InputError(
        f"{files[row[f'{FILE} of other']].where(row[f'{ROW} of other'])} has segment "
        f"{row['segment']!r} in document {row['document of other']!r}, and "
        f"{files[row[FILE]].where(row[ROW])} has it in {row['document']!r}. A segment is in one "
        "document, by the same name: mend the one that is wrong."
    )


def _check_documents(blocks: Sequence[_Block]) -> None:
    """Raise `InputError` where a segment is in two documents, and numbers do not begin anew."""
    having = [block for block in blocks if "document" in block.frame]
    if not having:
        return
    labels = [
        label
        for label in ("document", "segment", "system", RUN, TEST_SET)
        if all(label in block.frame for block in having)
    ]
    rows = pd.concat([block.frame[[*labels, FILE, ROW]] for block in having], ignore_index=True)
    item = [label for label in ("segment", TEST_SET) if label in labels]
    of_system = [label for label in labels if label != "document"]
    known = rows[["document", *of_system, FILE]].drop_duplicates()
    if known.duplicated([*of_system, FILE]).any():
        return  # numbers begin anew in each document
    documents = rows.groupby(item, sort=False)["document"].transform("first")
    for row in (documents != rows["document"]).to_numpy().nonzero()[0].tolist():
        before = first_like(rows, item, row)
        if _are_apart(rows, row, before):
            continue
        files = having[0].files
        places = [files[rows[FILE].iloc[n]].where(rows[ROW].iloc[n]) for n in (row, before)]
        names = [rows["document"].iloc[n] for n in (row, before)]
        raise InputError(
            f"{places[0]} has segment {rows['segment'].iloc[row]!r} in document {names[0]!r}, and "
            f"{places[1]} has it in {names[1]!r}. A segment belongs to one document: mend the "
            "one that is wrong."
        )


def _are_apart(rows: pd.DataFrame, row: int, other: int) -> bool:
    """Whether two rows are in files of which neither has the other's document."""
    files = [rows[FILE].iloc[place] for place in (row, other)]
    documents = [rows["document"].iloc[place] for place in (other, row)]
    return not any(
        ((rows[FILE] == file) & (rows["document"] == document)).any()
        for file, document in zip(files, documents, strict=True)
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
