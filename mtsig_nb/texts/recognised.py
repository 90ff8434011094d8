"""What a file is by its content, where its name does not say so.

Nothing is read into columns here.  `binary_format` names a file that is no text in UTF-8 and says
how it becomes one; `log_program` names the program whose log of outputs a text is.
"""

from __future__ import annotations

import dataclasses
import json
import re

#: The beginning of a file that is looked at.
_HEAD = 4096
#: In UTF-16 without a byte-order mark, more than this share of every second byte is zero, if the
#: text is in a European language.
_MANY_ZEROS = 0.4
#: Less than this share of the bytes between is zero.
_FEW_ZEROS = 0.02
#: The fewest bytes from which this is concluded.
_FEWEST_BYTES = 16


@dataclasses.dataclass(frozen=True)
class Format:
    """A format that is not read.

    Attributes
    ----------
    name : str
        With its article, as in ``"a Parquet file"``.
    advice : str
        What turns the file into a text that is read; ``{file}`` stands for its name.
    """

    name: str
    advice: str

    def advice_for(self, file: str) -> str:
        """The advice with the name of a file in it, without a full stop."""
        return self.advice.replace("{file}", file).removesuffix(".")


_SPREADSHEET = "Open it in its program and save the sheet as CSV in UTF-8."
_BY_PANDAS = (
    'Write it as CSV: python -c "import pandas; '
    "pandas.{read}('{{file}}').to_csv('{{file}}.csv', index=False)\""
)
_ARRAY = (
    "Write its numbers as text: python -c \"import {package}; numpy.savetxt('{{file}}.txt', "
    "{load}('{{file}}'))\""
)
_CONVERT = "Convert it to UTF-8: iconv -f {encoding} -t UTF-8 '{{file}}' > '{{file}}.utf8'"


def _archive(name: str, command: str) -> Format:
    """A format of files that a command unpacks."""
    return Format(name, f"Unpack it and give the files in it: {command} '{{file}}'")


def _encoded(encoding: str) -> Format:
    """A text in another encoding."""
    return Format(f"text in {encoding}", _CONVERT.format(encoding=encoding))


#: Formats by the bytes that they begin with; the longer come first.
_BY_FIRST_BYTES = {
    b"\xff\xfe\x00\x00": _encoded("UTF-32"),
    b"\x00\x00\xfe\xff": _encoded("UTF-32"),
    b"\xff\xfe": _encoded("UTF-16"),
    b"\xfe\xff": _encoded("UTF-16"),
    b"PAR1": Format("a Parquet file", _BY_PANDAS.format(read="read_parquet")),
    b"FEA1": Format("a Feather file", _BY_PANDAS.format(read="read_feather")),
    b"ARROW1": Format("a Feather file", _BY_PANDAS.format(read="read_feather")),
    b"\x93NUMPY": Format("a NumPy array", _ARRAY.format(package="numpy", load="numpy.load")),
    b"\x89HDF\r\n": Format("an HDF5 file", "Write the table in it as CSV."),
    b"SQLite format 3\x00": Format("an SQLite database", "Write the table in it as CSV."),
    b"%PDF-": Format("a PDF", "Give the text or the table that it was made of."),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Format("an old Office document", _SPREADSHEET),
    b"BZh": _archive("compressed with bzip2", "bunzip2 -k"),
    b"\xfd7zXZ\x00": _archive("compressed with xz", "unxz -k"),
    b"\x28\xb5\x2f\xfd": _archive("compressed with Zstandard", "unzstd"),
    b"7z\xbc\xaf\x27\x1c": _archive("a 7z archive", "7z x"),
    b"Rar!\x1a\x07": _archive("a RAR archive", "unrar x"),
}
_TAR = _archive("a tar archive", "tar xf")
_ZIP = _archive("a zip archive", "unzip")
#: Formats that are zip archives, by a part of a name that is in the archive.
_BY_NAME_IN_ZIP = {
    b"xl/workbook": Format("an Excel workbook", _SPREADSHEET),
    b"opendocument.spreadsheet": Format("an OpenDocument spreadsheet", _SPREADSHEET),
    b"word/document": Format("a Word document", "Save it as plain text in UTF-8."),
    b"opendocument.text": Format("an OpenDocument text", "Save it as plain text in UTF-8."),
    b"/data.pkl": Format(
        "a PyTorch file", _ARRAY.format(package="numpy, torch", load="torch.load")
    ),
    b".npy": Format("an archive of NumPy arrays", "Write its numbers as text: numpy.savetxt."),
    b"_journal/": Format(
        "an Inspect log", "Write it as JSON: inspect log dump '{file}' > '{file}.json'"
    ),
}


def binary_format(data: bytes) -> Format | None:
    r"""The format of a file that is no text in UTF-8, by its content; None if it may be one.

    Examples
    --------
    >>> binary_format(b"PAR1\x15\x04").name
    'a Parquet file'
    >>> binary_format("un caf\u00e9\n".encode("utf-16-le")).name
    'text in UTF-16LE'
    >>> binary_format("caf\u00e9\n".encode("utf-8"))
    """
    for first_bytes, known in _BY_FIRST_BYTES.items():
        if data.startswith(first_bytes):
            return known
    if data.startswith(b"PK\x03\x04"):
        formats = (known for name, known in _BY_NAME_IN_ZIP.items() if name in data)
        return next(formats, _ZIP)
    if data[257:262] == b"ustar":
        return _TAR
    if data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return Format(
            "a Python pickle",
            "Nothing is unpickled, since a pickle can run any program. If you trust it: "
            + _BY_PANDAS.removeprefix("Write it as CSV: ").format(read="read_pickle"),
        )
    return _unmarked_utf16(data[:_HEAD])


def _unmarked_utf16(head: bytes) -> Format | None:
    """UTF-16 without a byte-order mark, by where its zero bytes are; None for anything else."""
    if len(head) < _FEWEST_BYTES:
        return None
    first_bytes = head[::2]  # of each pair of bytes
    second_bytes = head[1::2]
    share_first = first_bytes.count(0) / len(first_bytes)
    share_second = second_bytes.count(0) / len(second_bytes)
    # A letter in ASCII has its zero byte second in the little-endian order.
    if share_second > _MANY_ZEROS and share_first < _FEW_ZEROS:
        return _encoded("UTF-16LE")
    if share_first > _MANY_ZEROS and share_second < _FEW_ZEROS:
        return _encoded("UTF-16BE")
    return None


# --- logs of programs that translate --------------------------------------------------------------

#: A line of fairseq's: its kind, the number of the sentence, and what follows a tab.
FAIRSEQ_LINE = re.compile(r"([STHDP])-(\d+)\t(.*)")
#: The beginning of a log that is looked at for fairseq's first sentence, in characters.
_HEAD_OF_LOG = 1 << 16
#: Names that each object of SimulEval's log has, beside many others.
_SIMULEVAL = {"index", "prediction", "delays"}

#: Commands that take the outputs out of a log, by the name of the program.
RECIPES = {
    "SimulEval": "python -c \"import json, sys; [print(json.loads(line)['prediction']) for line in "
    "sys.stdin]\" < '{file}' > outputs.txt",
    "fairseq": "grep '^D-' '{file}' | sort -V | cut -f3 > outputs.txt",
}


def log_program(text: str) -> str:
    r"""The program whose log of outputs and references this is, or nothing.

    ``"SimulEval"`` writes ``instances.log``, an object in JSON for each segment.  What
    ``"fairseq"`` prints when it generates has lines that begin with ``S-0``, ``T-0``, ``H-0``,
    ``D-0`` and ``P-0``.

    Examples
    --------
    >>> log_program('{"index": 0, "prediction": "One.", "delays": [1], "reference": "A."}\n')
    'SimulEval'
    >>> log_program("S-0\tEins.\nT-0\tOne.\nH-0\t-0.3\tOne .\nD-0\t-0.3\tOne.\n")
    'fairseq'
    >>> log_program("One.\nTwo.\n")
    ''
    """
    head = text.lstrip()
    if head.startswith("{"):
        try:
            first = json.loads(head.partition("\n")[0])
        except (ValueError, RecursionError):
            return ""
        return "SimulEval" if isinstance(first, dict) and first.keys() >= _SIMULEVAL else ""
    # What fairseq says of itself stands before the first sentence, and may be long.
    if re.search(r"^[STHD]-\d+\t", text[:_HEAD_OF_LOG], re.MULTILINE) is None:
        return ""
    # The first sentence has its output behind its source and its reference.
    kinds = set(re.findall(r"^([STHDP])-\d+\t", text[: 4 * _HEAD_OF_LOG], re.MULTILINE))
    return "fairseq" if "H" in kinds or "D" in kinds else ""
