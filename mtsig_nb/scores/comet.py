"""What comet-score prints."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import InputError
from ..texts.files import is_number, quoted
from .score_file import ScoreFile, numbered_lines, short_names

#: A line that comet-score prints for a segment, for a whole system, and what is meant as either.
_COMET_LINE = (
    r"(?P<system>[^\t]+)\tSegment (?P<segment>[0-9]{1,18})\tscore: (?P<COMET>\S+)"
    r"(?:\tvariance: \S+)?\s*"
)


_COMET_SYSTEM = r"([^\t]+)\tscore: \S+\s*"


_LIKE_COMET = re.compile(r"\t|score:|^\w{0,4}: [-+.\d]\S*$", re.IGNORECASE)


def read_comet(file: Path, text: str) -> ScoreFile:
    """What comet-score prints: a line for each segment; those for whole systems are left out.

    What else it says has no tabs, and is no score.
    """
    found, _ = numbered_lines(text)
    frame = found.str.extract(f"^{_COMET_LINE}$")
    is_row = frame["system"].notna()
    of_system = found.str.extract(f"^{_COMET_SYSTEM}$")[0].isin(frame.loc[is_row, "system"])
    others = found[~is_row & ~of_system]
    for number, line in zip(others.index, others, strict=True):
        if _LIKE_COMET.search(line.rstrip()) or is_number(line):
            raise InputError(
                f"{quoted(file, number)} is not as comet-score prints it: FILE, Segment "
                "0, score: 0.8433, with tabs between them. Print it again, or use --to_json."
            )
    frame = frame[is_row].astype({"segment": int})
    frame["system"] = short_names(frame["system"].tolist())
    return ScoreFile(file, frame, by_order=True)
