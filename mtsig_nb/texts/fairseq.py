"""What fairseq prints when it generates: lines of several kinds, numbered by sentence."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .columns import Column
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
    kinds: dict[str, dict[int, str]] = {"S": {}, "T": {}, "H": {}, "D": {}}
    for number, line in enumerate(lines(text), start=1):
        found = FAIRSEQ_LINE.fullmatch(line)
        if found is None or found[1] not in kinds:
            continue
        sentences, sentence = kinds[found[1]], int(found[2])
        if sentence in sentences:
            raise InputError(
                f"{quoted(path, number)}: sentence {sentence} has more than one line "
                f"{found[1]}-{sentence}. Generate with --nbest 1, and give one test set a file."
            )
        # A score stands before the output.
        sentences[sentence] = found[3].partition("\t")[2] if found[1] in "HD" else found[3]
    columns = []
    outputs = kinds["D"] or kinds["H"]
    order = sorted(outputs)
    keys = [("", str(sentence)) for sentence in order]
    parts = {"system": outputs, "reference": kinds["T"], "source": kinds["S"]}
    for part, sentences in parts.items():
        if not sentences:
            continue
        if sentences.keys() != outputs.keys():
            sentence = min(sentences.keys() ^ outputs.keys())
            raise InputError(
                f"{quoted(path)}: sentence {sentence} has no output or no {part}. The log seems to "
                "be cut off: generate again."
            )
        name = name_of(path) if part == "system" else ""
        columns.append(Column(part, name, path, [sentences[sentence] for sentence in order], keys))
    return columns
