"""Fonts for names in any script: those of this machine that have what the usual font lacks."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable

import matplotlib as mpl
from matplotlib import font_manager, ft2font
from matplotlib.ft2font import FT2Font

from ..notes import Note, note

#: Whether matplotlib joins letters, and turns their direction, as their script is written.
_JOINS_LETTERS = hasattr(ft2font, "__libraqm_version__")
#: Directions of writing, in Unicode's terms, from right to left.
_FROM_RIGHT_TO_LEFT = ("R", "AL")
#: Blocks of scripts whose letters change their shapes or places beside others, by the first and the
#: last code point: Devanagari to Sinhala, Myanmar, Khmer.
_SHAPED = ((0x0900, 0x0DFF), (0x1000, 0x109F), (0x1780, 0x17FF))


def families_for(texts: Iterable[str]) -> tuple[list[str], list[Note]]:
    """The font families that have all characters of some texts, the usual one first.

    Returns
    -------
    families : list of str
        For matplotlib's ``font.family``.
    notes : list of Note
        That no font of this machine has some of the characters, or that they will not be joined as
        their script is written.

    Examples
    --------
    >>> families_for(["onlineA", "Ångström"])
    (['DejaVu Sans'], [])
    """
    usual = font_manager.FontProperties(family=mpl.rcParamsDefault["font.sans-serif"])
    path_of_usual = font_manager.findfont(usual)
    families = [font_manager.get_font(path_of_usual).family_name]
    characters = {character for text in texts for character in text}
    # Control characters (category C) and separators (Z) need no glyph.
    printed = {c for c in characters if unicodedata.category(c)[0] not in "CZ"}
    missing = {c for c in printed if ord(c) not in _characters_of(path_of_usual)}
    for family, path in _families() if missing else ():
        found = {character for character in missing if ord(character) in _characters_of(path)}
        if found:
            families.append(family)
            missing -= found
        if not missing:
            break
    notes = []
    if missing:
        notes.append(note("no-font", characters=" ".join(sorted(missing))))
    if not _JOINS_LETTERS and any(map(_is_shaped, printed - missing)):
        notes.append(note("script-not-joined"))
    return families, notes


def _is_shaped(character: str) -> bool:
    """Whether a character is of a script that needs more than one letter after the other."""
    if unicodedata.bidirectional(character) in _FROM_RIGHT_TO_LEFT:
        return True
    return any(first <= ord(character) <= last for first, last in _SHAPED)


def _families() -> list[tuple[str, str]]:
    """The regular font of every family that matplotlib finds, with its file; sans serif first."""
    by_family: dict[str, str] = {}
    for font in font_manager.fontManager.ttflist:
        is_regular = font.style == "normal" and font.weight in (400, "normal", "regular")
        # Fonts of the last resort have every character, but draw each as a box.
        if is_regular and "last resort" not in font.name.casefold():
            by_family.setdefault(font.name, font.fname)
    return sorted(by_family.items(), key=lambda font: ("Sans" not in font[0], font[0]))


@functools.lru_cache(maxsize=256)
def _characters_of(path: str) -> frozenset[int]:
    """The code points that a font has; none if it cannot be read."""
    try:
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()
