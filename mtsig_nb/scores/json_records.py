"""JSON: what COMET writes with ``--to_json``, records in a list, or one in each line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from ..texts.files import load_json, quoted
from .comet_compare import read_comet_compare
from .labels import is_label
from .logs.reading import read_log
from .recognised.by_json import check_json
from .score_file import ScoreFile, check_size, numbered_lines, short_names


def read_json(file: Path, text: str) -> ScoreFile:
    """COMET's ``--to_json``, an object of lists; records in a list, or one in each line."""
    found, empty = numbered_lines(text)
    index, blank_line, by_order = None, None, False
    try:
        content = load_json(quoted(file), text, "Write it again.")
    except InputError:
        if len(found) == 1 or found.iloc[0].strip()[0] != "{" or found.iloc[0].strip()[-1] != "}":
            raise
        content = [load_json(quoted(file, n), x) for n, x in zip(found.index, found, strict=True)]
        index, blank_line = found.index, empty
    log = read_log(file, content)
    if log is not None:
        return ScoreFile(file, log.rows, said=tuple(log.said), log=log)
    compared = read_comet_compare(file, content)
    if compared is not None:
        return compared
    check_json(file, content, is_lines=index is not None)
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        content, by_order = _of_systems(file, content), True
    records = [content] if isinstance(content, dict) else content
    listed_ones = isinstance(records, list) and records
    if not listed_ones or not all(row and isinstance(row, dict) for row in records):
        raise InputError(
            f"{quoted(file)} has no scores: give COMET's --to_json, or an object for each segment."
        )
    check_size(file, len(records), len({name for row in records for name in row}))
    flat = [{name: _shown(cell) for name, cell in row.items()} for row in records]
    return ScoreFile(file, pd.DataFrame(flat, index), blank_line, by_order=by_order)


def _shown(cell: Any) -> Any:
    """A cell, without what lies deeper, such as the error spans of XCOMET."""
    return str(cell)[:20] if isinstance(cell, list | dict) else cell


def _of_systems(file: Path, content: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """A record for each member of each system's list, numbered where they are not."""
    for name, rows in content.items():
        if is_label(name) or not rows:
            raise InputError(f"{quoted(file)}: {name!r} is no system with scores. Rename it.")
        if any(isinstance(row, list) for row in rows):
            raise InputError(f"{quoted(file)}: {name!r} has a list for a score. Give numbers.")
    return [
        {"segment": i, **(row if isinstance(row, dict) else {"score": row}), "system": system}
        for system, rows in zip(short_names(list(content)), content.values(), strict=True)
        for i, row in enumerate(rows)
    ]
