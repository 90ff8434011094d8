"""SimulEval's log of simultaneous translation: an object in JSON for each segment."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from .columns import Column, numbered_column
from .files import lines, load_json, quoted


def read_simuleval(path: Path, text: str) -> list[Column]:
    """The predictions and references in ``instances.log``, in the order of ``index``.

    The program calls every log so, and puts it into a folder for each system: the system is called
    after its folder.  Delays are not read.

    Raises
    ------
    InputError
        If a line is no such object, or an index is there twice.
    """
    predictions: dict[int, str] = {}
    references: dict[int, str] = {}
    for number, line in enumerate(lines(text), start=1):
        if not line.strip():
            continue
        where = quoted(path, number)
        record = load_json(where, line)
        if not isinstance(record, dict):
            raise InputError(f"{where} is not an object. SimulEval writes one for each segment.")
        index = record.get("index")
        prediction = record.get("prediction")
        reference = record.get("reference")
        if not isinstance(index, int) or not isinstance(prediction, str):
            raise InputError(
                f"{where} lacks 'index' or 'prediction', which SimulEval writes for each segment. "
                "Write the log again."
            )
        if index in predictions:
            raise InputError(f"{where}: index {index} occurs twice. Remove one of the lines.")
        predictions[index] = prediction.strip()
        if isinstance(reference, str):
            references[index] = reference.strip()
    system = path.resolve().parent.name
    columns = [numbered_column("system", system, path, predictions)]
    if len(references) == len(predictions):
        columns.append(numbered_column("reference", "", path, references))
    return columns
