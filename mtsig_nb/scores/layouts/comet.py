"""What comet-score prints."""

from __future__ import annotations

import re

from ...errors import InputError, counted
from ...texts.files import is_number
from ..readers import Sign
from ..score_file import ScoreFile, numbered_lines, short_names
from ..source import ScoreSource

SIGN = Sign.WORDS

#: A line that comet-score prints for a segment.
_SEGMENT = (
    r"^(?P<system>[^\t]+)\tSegment (?P<segment>0|[1-9][0-9]{0,17})\tscore: (?P<COMET>\S+)"
    r"(?:\tvariance: (?P<variance>\S+))?\s*$"
)
#: A line that it prints for a whole system.
_SYSTEM = r"^([^\t]+)\tscore: \S+\s*$"
#: A line that is like one of these two, and may be a damaged one.
_LIKE_COMET = re.compile(r"\t|score:|^\w{0,4}: [-+.\d]\S*$", re.IGNORECASE)


def read_text(source: ScoreSource, text: str) -> ScoreFile | None:
    """What comet-score prints: a line for each segment; those for whole systems are left out.

    All other lines, such as warnings, are left out as well, unless they are like a line with a
    score: then they are an error.  Segments keep their numbers.

    Raises
    ------
    InputError
        If a line has a score, and is not as comet-score prints it.
    """
    if not re.search(r"\tSegment \d+\tscore: ", text):
        return None
    filled, _ = numbered_lines(text)
    frame = filled.str.extract(_SEGMENT)
    is_row = frame["system"].notna()
    has_variance = bool(frame["variance"].notna().any())
    systems = frame.loc[is_row, "system"]
    is_whole_system = filled.str.extract(_SYSTEM)[0].isin(systems)
    others = filled[~is_row & ~is_whole_system]
    for number, line in zip(others.index, others, strict=True):
        if _LIKE_COMET.search(line.rstrip()) or is_number(line):
            raise InputError(
                f"{source.at(number)} is not as comet-score prints it: FILE, Segment "
                "0, score: 0.8433, with tabs between them. Print it again, or use --to_json."
            )
    frame = frame[is_row].drop(columns="variance").astype({"segment": int})
    frame["system"] = short_names(systems.tolist())
    remarks = []
    if is_whole_system.any():
        n_lines = counted(int(is_whole_system.sum()), "line")
        remarks.append(f"{n_lines} with the score of a whole system left out")
    if has_variance:
        remarks.append("variances left out")
    return ScoreFile(source, frame, remarks=tuple(remarks))
