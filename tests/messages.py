"""Messages as tests read them: notes by code and values, errors by the names that they give.

So a sentence may be worded anew without a test that has to be written anew.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import Any

from mtsig_nb.notes import SENTENCES, code_of

#: What stands for a value in a printed sentence: as little as will do, and no end of a sentence.
VALUE = r"(?:(?!\. |Note: ).)*?"
#: Where a sentence begins that begins with a value.
BEGIN = r"(?:^|(?<=[.:;] ))"


def codes(notes: Iterable[str]) -> list[str]:
    """The codes of notes, in their order."""
    return [code_of(note) for note in notes]


def values(notes: Iterable[str], code: str) -> dict[str, Any]:
    """The values of the note of that code; there has to be exactly one."""
    (note,) = [note for note in notes if code_of(note) == code]
    return note.values


def printed(text: str | Iterable[str], code: str) -> list[dict[str, str]]:
    """The values of every note of that code in what a face of the package has printed.

    Parameters
    ----------
    text : str or iterable of str
        A page, or the notes of an answer in JSON.
    code : str
        As in ``notes.toml``.

    Returns
    -------
    list of dict
        For each note its values as they are printed; of values that stand side by side the first
        has the text of all. Empty if there is no such note.
    """
    if not isinstance(text, str):
        return [note for line in text for note in printed(line, code)]
    in_one_line = " ".join(text.split())
    return [found.groupdict() for found in _pattern(code).finditer(in_one_line)]


def naming(*names: str) -> str:
    """A regular expression for a message that gives all these names, in this order.

    Between two of them there is room for words, but on a long page for no other sentence but the
    next.
    """
    return "(?s)" + ".{0,200}?".join(map(re.escape, names))


def any_names(texts: Iterable[str], *names: str) -> bool:
    """Whether one of the texts gives all these names, in this order."""
    return any(re.search(naming(*names), text) for text in texts)


def _pattern(code: str) -> re.Pattern[str]:
    """The sentence of a code, with room for its values."""
    pieces: list[str] = []
    names: set[str] = set()
    for literal, name, spec, _ in string.Formatter().parse(SENTENCES[code]):
        stands_beside_another = bool(names) and not literal
        pieces.append(re.escape(literal))
        if name is None:
            continue
        if "|" in (spec or ""):
            singular, plural = str(spec).split("|")
            pieces.append(f"(?:{re.escape(singular)}|{re.escape(plural)})")
        elif name == "option" or name in names:
            pieces.append(VALUE)
        else:
            names.add(name)
            pieces.append(f"(?P<{name}>{'' if stands_beside_another else VALUE})")
    begin = "" if pieces[0] else BEGIN
    # A value at the end reaches as far as a blank, or a mark before it.
    return re.compile(begin + "".join(pieces) + r"(?=[.,;:]?(?: |$))")
