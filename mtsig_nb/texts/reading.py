"""Texts in: files of several formats, and what they have of a test set, aligned.

Every reader gives columns: the references, systems, source and documents that the file names,
aligned within the file.  `read_test_set` brings the files of a test set together.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import InputError, listed, unknown_name
from ..notes import Note, note
from .checks import Titled, check_columns, warn_of_lone_segments
from .columns import Column, match_keys
from .fairseq import read_fairseq
from .files import (
    STANDARD_INPUT,
    SUFFIXES,
    find_repeated,
    name_of,
    quoted,
    read_text,
    without_gz,
)
from .given import Files, Given, PathLike, given_files, same_file
from .naming import names_after_paths
from .plain import check_no_table, read_plain, read_references
from .recognised import log_program
from .sgml import LOOKS_LIKE_SGML, read_sgml
from .simuleval import read_simuleval
from .test_set import Texts, printable
from .tsv import read_tsv
from .wmt_xml import LOOKS_LIKE_XML, read_xml

__all__ = ["Column", "Texts", "read_sgml", "read_test_set", "read_texts"]


def read_test_set(
    *,
    reference: Files,
    systems: Files | None = None,
    documents: PathLike | None = None,
    n_references: int = 1,
) -> Texts:
    r"""Read a test set from files.

    Parameters
    ----------
    reference : path, sequence of paths, or mapping of names to paths
        The references.  A file may hold several; a mapping takes from each file the reference of
        that name, or the only one.  With several plain files, a segment may be empty in some of
        them: it has fewer references.
    systems : path, sequence of paths, or mapping of names to paths, optional
        The systems' outputs, in the same manner.  A folder stands for the files in it, except
        hidden files, read-mes, logs and settings; a pattern such as ``outputs/*.txt`` for the files
        that match.  A system has the name that the file gives it, or else that of the file
        (``A.txt.gz`` is "A"); files with the same name are named after their folders.  A file that
        is also a reference is left out.  Give None if the file of the reference also holds the
        systems (WMT XML, TSV).
    documents : path, optional
        The documents' names, one line per segment, where no other file has them.  All segments of
        a document have the same name.
    n_references : int
        The number of references in each line of a reference file, with tabs between them
        (sacreBLEU's ``--num-refs``).

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a file is missing, empty, damaged or not UTF-8 (with line and byte), columns differ in
        length or in their segments, a system's name occurs twice, or a file with one segment on
        each line turns out to be a table; see also `Texts`.

    Warns
    -----
    UserWarning
        If `documents` names nearly as many documents as there are segments, as a file of texts
        would do.

    Notes
    -----
    The format of a file is recognised by its first characters and its suffix.  It may be compressed
    with gzip, or a pipe, and ``-`` is standard input.  At most a thousand megabytes, four million
    lines, or twenty million fields are read of each, and no more lines than there is memory for.
    The test set has the name of the first reference's file.  The `notes` of the test set say what
    was left out, or read in an unusual manner.

    Segments of different files are matched by document and number where both files have them
    (SGML, XML, a column ``segment``, logs), otherwise by position.  Lines end at LF or CRLF, and
    in a file without LF at CR; no other character ends one.  The formats:

    ``text``
        One segment a line.
    ``sgml``
        NIST's ``<srcset>``, ``<refset>`` and ``<tstset>``, well-formed or not.
    ``xml``
        WMT's since 2021: ``<doc>`` with ``<src>``, ``<ref translator=…>``, ``<hyp system=…>``.
        Documents with an attribute ``testsuite`` are left out.
    ``tsv``
        A line of names, then tab-separated fields.  ``reference`` (``ref``, ``reference_2``,
        ``ref:B`` …), ``source``, ``document`` and ``segment`` are what they say; ``hypothesis``
        is the output of the system that the file is named after; other columns are systems.
    ``logs``
        SimulEval's ``instances.log``, whose folder names the system, and what fairseq prints when
        it generates (``D-`` or ``H-``, ``T-`` and ``S-``).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "pets.tsv").write_text(
    ...     "reference\tA\tB\nA cat.\tA cat.\tCat.\nA dog.\tThe dog.\tDog.\n"
    ... )
    >>> read_test_set(reference=folder / "pets.tsv")
    Texts(pets, 2 systems, 2 segments, 1 reference)
    """
    read = functools.cache(read_texts)
    references, notes = _references(reference, n_references, read)
    if systems is None:
        systems = _files_with_systems(references, read)
    documents_columns = [] if documents is None else _documents(documents, read)
    outputs, notes_on_systems = _outputs(systems, [*references, *documents_columns], read)
    columns = [*references, *outputs]
    shared = _shared(documents_columns, columns, n_references, read)
    columns += shared.values()
    match_keys(columns)
    # `Texts` checks columns as well, but its messages cannot name files.
    check_columns([Titled(column.part, column.title, column.texts) for column in columns])
    notes += notes_on_systems
    for column in columns:
        notes += column.notes
    test_set = Texts(
        hypotheses={column.name: tuple(column.texts) for column in outputs},
        references=tuple(tuple(column.texts) for column in references),
        **{part: tuple(column.texts) for part, column in shared.items()},
        name=printable(name_of(references[0].path)),
        notes=tuple(dict.fromkeys(notes)),
    )
    if documents is not None:
        warn_of_lone_segments(shared["documents"].title, test_set.documents)
    return test_set


# --- the parts of a test set ----------------------------------------------------------------------

#: Gives the columns of a file; reads each file once, however often it is asked.
Read = Callable[[Path], list[Column]]


def _references(reference: Files, n_references: int, read: Read) -> tuple[list[Column], list[Note]]:
    """The columns that are references."""
    if not isinstance(n_references, int) or n_references < 1:
        raise InputError(f"n_references={n_references!r} is not a number of references in a line.")
    given, notes = given_files("reference", reference)
    columns: list[Column] = []
    for file in given:
        if n_references == 1:
            columns += _columns_of_part("reference", file, read)
        else:
            columns += read_references(file.path, read_text(file.path), n_references)
    return columns, notes


def _documents(documents: PathLike, read: Read) -> list[Column]:
    """The columns that name documents, in a file that was given for them."""
    given, _ = given_files("documents", documents)
    return [column for file in given for column in _columns_of_part("documents", file, read)]


def _files_with_systems(references: Sequence[Column], read: Read) -> list[PathLike]:
    """Those files of the references that have systems as well."""
    paths = list(dict.fromkeys(column.path for column in references))
    with_systems: list[PathLike] = []
    for path in paths:
        if any(column.part == "system" for column in read(path)):
            with_systems.append(path)
    if not with_systems:
        raise InputError(
            f"systems: {', '.join(map(quoted, paths))} has none besides the reference. Give the "
            "files of their outputs (- for standard input), or systems={'name': path, …} in Python."
        )
    return with_systems


def _outputs(
    systems: Files, taken: Sequence[Column], read: Read
) -> tuple[list[Column], list[Note]]:
    """The columns that are systems, each with a name of its own; and notes on files.

    A plain file that was `taken` for a reference, or for the documents, is left out, unless there
    is no other: whoever gives the reference alone wants to see the score that it has.
    """
    given, notes = given_files("systems", systems)
    kept = [file for file in given if not _is_taken(file, taken, read)]
    if not kept:
        kept = given
    references = [column for column in taken if column.part == "reference"]
    for file in given:
        if file in kept:
            continue
        is_reference = _is_taken(file, references, read)
        what = "reference" if is_reference else "file of documents"
        notes.append(note("not-a-system", file=file.path.name, what=what))
    systems_of_files = [(file, _columns_of_part("system", file, read)) for file in kept]
    outputs = _with_names(systems_of_files, notes)
    _check_names_differ(outputs)
    return outputs, notes


def _check_names_differ(outputs: Sequence[Column]) -> None:
    """Raise `InputError` if two systems have one name."""
    for name in find_repeated(column.name for column in outputs):
        files = [quoted(column.path) for column in outputs if column.name == name]
        raise InputError(
            f"systems: {name!r} is given more than once, in {listed(files)}. Give each a name of "
            "its own: NAME=FILE, or systems={'name': path} in Python."
        )


def _is_taken(file: Given, taken: Sequence[Column], read: Read) -> bool:
    """Whether a file is plain text and one of those that columns were taken from."""
    if not any(same_file(file.path, column.path) for column in taken):
        return False
    if file.path == STANDARD_INPUT:
        raise InputError(
            "Standard input (-) is given for the systems and for something else. It can be read "
            "once: give a file for one of them."
        )
    return any(column.part == "text" for column in read(file.path))


def _with_names(
    systems_of_files: Sequence[tuple[Given, Sequence[Column]]], notes: list[Note]
) -> list[Column]:
    """The systems of all files; those of one name are called after their files."""
    n_of_name = Counter(column.name for _, systems in systems_of_files for column in systems)
    # A file of several systems can name none of them, and a name that was given stays.
    alone = [file for file, systems in systems_of_files if len(systems) == 1 and file.name is None]
    after_paths = names_after_paths([file.path for file in alone])
    name_after_path = dict(zip(alone, after_paths, strict=True))
    outputs: list[Column] = []
    name_before: dict[str, str] = {}
    for file, systems in systems_of_files:
        for column in systems:
            name = name_after_path.get(file, column.name)
            if n_of_name[column.name] > 1 and name != column.name:
                name_before[name] = column.name
                column = dataclasses.replace(column, name=name)
            outputs.append(column)
    if name_before:
        shared = listed([repr(name) for name in dict.fromkeys(name_before.values())], 3)
        names = listed([repr(name) for name in name_before], 20)
        notes.append(note("named-after-folders", shared=shared, names=names))
    return outputs


def _shared(
    documents: Sequence[Column], columns: Sequence[Column], n_references: int, read: Read
) -> dict[str, Column]:
    """The documents and the source, if there are any, by ``"documents"`` and ``"source"``.

    Each is taken from the file that was given for `documents`, or else from the first of the files
    of `columns` that has it.  Files of several references in a line have neither.
    """
    paths = dict.fromkeys(
        column.path for column in columns if n_references == 1 or column.part == "system"
    )
    shared: dict[str, Column] = {}
    for column in itertools.chain(documents, *map(read, paths)):
        if column.part in ("documents", "source"):
            shared.setdefault(column.part, column)
    return shared


def _columns_of_part(part: str, file: Given, read: Read) -> list[Column]:
    """The columns of a file that are systems, references or documents, as `part` says.

    If the file was given with a name, it is the column of that name, or the only one, which then
    has the name.

    Raises
    ------
    InputError
        If there is no such column.
    """
    path = file.path
    columns = read(path)
    candidates = [column for column in columns if column.part == part]
    if part == "system" or not candidates:
        candidates += _plain_columns(part, path, columns)
    if not candidates:
        holds = ", ".join(column.part_and_name for column in columns) or "no text"
        raise InputError(f"{quoted(path)} has no {part}. It holds {holds}.")
    if file.name is None:
        return candidates
    names = [column.name for column in candidates]
    if len(candidates) > 1 and names.count(file.name) != 1:
        raise unknown_name(f"{part} in {quoted(path)}", file.name, names)
    place = names.index(file.name) if file.name in names else 0
    return [dataclasses.replace(candidates[place], name=file.name)]


def _plain_columns(part: str, path: Path, columns: Sequence[Column]) -> list[Column]:
    """The columns that may be of any part, as columns of this part."""
    texts = [column for column in columns if column.part == "text"]
    if part in ("system", "reference"):
        for column in texts:
            check_no_table(path, part, column.texts)
    name = name_of(path) if part == "system" else ""
    return [dataclasses.replace(column, part=part, name=name) for column in texts]


# --- one file -------------------------------------------------------------------------------------


def read_texts(path: Path) -> list[Column]:
    """The texts in `path`, in the format that its first characters and its suffix say.

    Raises
    ------
    InputError
        If the file cannot be read as what it is taken for; the message says where.
    """
    text = read_text(path, blank_lines_alone=True)
    file_format = _format_of(path, text)
    if file_format not in _READERS:
        raise InputError(
            f"{quoted(path)} is {file_format}, from which no texts are read. Write one segment "
            "a line, or columns with tabs between them (TSV)."
        )
    return _READERS[file_format](path, text)


def _format_of(path: Path, text: str) -> str:
    """What a file is, by its first characters, or else by its suffix."""
    if LOOKS_LIKE_SGML.match(text):
        return "sgml"
    if LOOKS_LIKE_XML.match(text):
        return "xml"
    if program := log_program(text):
        return program
    suffix = without_gz(path).suffix.lower()
    if suffix in _OTHER_TABLES:
        return _OTHER_TABLES[suffix]
    if _is_json_lines(text):
        return "JSON"
    if _LOOKS_LIKE_HTML.match(text):
        return "HTML"
    return SUFFIXES.get(suffix, "text")


#: Readers by the formats in `SUFFIXES`, and by programs that write logs.
_READERS: dict[str, Callable[[Path, str], list[Column]]] = {
    "text": read_plain,
    "sgml": read_sgml,
    "xml": read_xml,
    "tsv": read_tsv,
    "SimulEval": read_simuleval,
    "fairseq": read_fairseq,
}
#: Suffixes of tables that texts are not read from.
_OTHER_TABLES = {".csv": "CSV"}
_LOOKS_LIKE_HTML = re.compile(r"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)


def _is_json_lines(text: str) -> bool:
    """Whether each line is an object in JSON, with the names that the first has."""
    if not text.lstrip().startswith("{"):
        return False
    names_in_lines: list[set[str]] = []
    for line in text.strip().split("\n"):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(record, dict):
            return False
        names_in_lines.append({*record})
    return all(names == names_in_lines[0] for names in names_in_lines)
