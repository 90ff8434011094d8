"""What fairseq prints when it generates: lines of several kinds, numbered by sentence."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .columns import Column, numbered_column
from .files import lines, name_of, quoted
from .recognised import FAIRSEQ_LINE


def read_fairseq(path: Path, text: str) -> list[Column]:
    """The outputs, references and sources in a log of fairseq, in the order of their numbers.

    The output is what ``D-`` has, after the tokens were put together, or else what ``H-`` has.  The
    reference is what ``T-`` has, which fairseq itself does not detokenize.

    Raises
    ------
    InputError
        If a sentence has several outputs, or some sentences lack what others have.
    """
    kinds = _sentences(path, text)
    outputs = kinds["D"] or kinds["H"]
    columns = []
    for part, sentences in (("system", outputs), ("reference", kinds["T"]), ("source", kinds["S"])):
        if not sentences:
            continue
        lacking = sentences.keys() ^ outputs.keys()
        if lacking:
            raise InputError(
                f"{quoted(path)}: sentence {min(lacking)} has no output or no {part}. The log "
                "seems to be cut off: generate again."
            )
        name = name_of(path) if part == "system" else ""
        columns.append(numbered_column(part, name, path, sentences))
    return columns


def _sentences(path: Path, text: str) -> dict[str, dict[int, str]]:
    """The content of lines, by their kind and by the number of the sentence."""
    kinds: dict[str, dict[int, str]] = {"S": {}, "T": {}, "H": {}, "D": {}}
    for number, line in enumerate(lines(text), start=1):
        match = FAIRSEQ_LINE.fullmatch(line)
        if match is None or match[1] not in kinds:
            continue
        kind = match[1]
        sentence = int(match[2])
        content = match[3]
        if sentence in kinds[kind]:
            raise InputError(
                f"{quoted(path, number)}: sentence {sentence} has more than one line "
                f"{kind}-{sentence}. Generate with --nbest 1, and give one test set a file."
            )
        if kind in "HD":
            _score, _tab, content = content.partition("\t")
        kinds[kind][sentence] = content
    return kinds
