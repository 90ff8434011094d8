"""A number in each line: the scores of one system, which the file is called after."""

from __future__ import annotations

import pandas as pd

from ...texts.files import is_number, lines
from ..notation import COMMA_LINE
from ..readers import Sign
from ..score_file import ScoreFile, numbered_lines
from ..source import ScoreSource

SIGN = Sign.FORM


def read_text(source: ScoreSource, text: str) -> ScoreFile | None:
    """A score in each line; None for anything else."""
    if not _has_a_number_in_each_line(text):
        return None
    scores, blank_line = numbered_lines(text)
    return ScoreFile(source, scores.to_frame("score"), blank_line)


def _has_a_number_in_each_line(text: str) -> bool:
    """Whether a text begins with a number, or has a decimal comma in the numbers of most lines.

    In lines such as ``1,5`` and ``2,7`` the comma is a separator: what stands before it counts the
    lines, and is one more in each.
    """
    first = text.lstrip().partition("\n")[0]
    if is_number(first):
        return True
    if not COMMA_LINE.fullmatch(first):
        return False
    filled = [line for line in lines(text) if line.strip()]
    numbers = [line for line in filled if COMMA_LINE.fullmatch(line) or line.strip().isdecimal()]
    if 2 * len(numbers) < len(filled):
        return False
    before_commas = pd.Series(numbers).str.partition(",")[0]
    whole = pd.to_numeric(before_commas.replace("", "0"))
    steps = whole.diff().iloc[1:]
    counts_lines = len(steps) > 0 and (steps == 1).all()
    return not counts_lines
