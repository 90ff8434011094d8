"""What differs between two texts, word by word, or character by character without spaces."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import unicodedata
from collections.abc import Iterable, Sequence

from .scripts import script_without_spaces

#: The most pairs of tokens that are compared with each other; of longer texts all that stands
#: between a common beginning and a common end counts as different.
_MOST_COMPARED = 1_000_000
#: Joins the characters beside it, as in emoji.
_JOINER = "\N{ZERO WIDTH JOINER}"


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a text.

    Parameters
    ----------
    text : str
    differs : bool
        Whether the other text has something else there.
    """

    text: str
    differs: bool


def marked(first: str, second: str) -> tuple[list[Part], list[Part]]:
    """Two texts in parts that are in both of them, and parts that are not.

    The parts of each text, joined, are the text itself.  Spaces are not compared.

    Examples
    --------
    >>> first, second = marked("The cat sleeps.", "The dog sleeps.")
    >>> [part.text for part in first], [part.text for part in second if part.differs]
    (['The ', 'cat', ' sleeps.'], ['dog'])
    >>> [part.text for part in marked("我们去公园", "他们去公园")[1] if part.differs]
    ['他']
    """
    by_character = script_without_spaces([first, second]) != ""
    tokens_of_first = tokens(first, by_character=by_character)
    tokens_of_second = tokens(second, by_character=by_character)
    words_of_first = [token.strip() for token in tokens_of_first]
    words_of_second = [token.strip() for token in tokens_of_second]
    differs_in_first = [True] * len(words_of_first)
    differs_in_second = [True] * len(words_of_second)
    for start, other_start, length in _common(words_of_first, words_of_second):
        differs_in_first[start : start + length] = [False] * length
        differs_in_second[other_start : other_start + length] = [False] * length
    parts_of_first = _parts(tokens_of_first, differs_in_first)
    return parts_of_first, _parts(tokens_of_second, differs_in_second)


def tokens(text: str, *, by_character: bool) -> list[str]:
    """The words and signs of a text, each with the spaces behind it.

    Parameters
    ----------
    text : str
    by_character : bool
        Whether each letter of a script without upper and lower case is a token.  Accents and vowel
        signs stay with their letters.

    Examples
    --------
    >>> tokens("  A cat,  twice", by_character=False)
    ['  A ', 'cat', ',  ', 'twice']
    """
    found: list[str] = []
    previous = ""
    previous_kind = ""
    for character in text:
        kind = _kind(character, previous, by_character=by_character)
        begins_token = kind == "sign" or (kind == "word" and previous_kind != "word")
        has_spaces_alone = bool(found) and not found[-1].strip()
        if not found or (begins_token and not has_spaces_alone):
            found.append(character)
        else:
            found[-1] += character
        if kind != "joined":
            previous_kind = kind
        previous = character
    return found


def _kind(character: str, previous: str, *, by_character: bool) -> str:
    """What a character is: "space", "word", "sign", or "joined" to the character before it."""
    category = unicodedata.category(character)
    if category.startswith("M") or _JOINER in (character, previous):
        return "joined"
    if character.isspace():
        return "space"
    if category.startswith(("P", "S")) or (by_character and category == "Lo"):
        return "sign"
    return "word"


def _common(first: Sequence[str], second: Sequence[str]) -> Iterable[tuple[int, int, int]]:
    """The runs of words that two texts have in common: the starts in both, and the length."""
    n_at_start = _length_of_common_start(first, second)
    rest_of_first = first[n_at_start:]
    rest_of_second = second[n_at_start:]
    n_at_end = _length_of_common_start(rest_of_first[::-1], rest_of_second[::-1])
    yield 0, 0, n_at_start
    yield len(first) - n_at_end, len(second) - n_at_end, n_at_end
    middle_of_first = rest_of_first[: len(rest_of_first) - n_at_end]
    middle_of_second = rest_of_second[: len(rest_of_second) - n_at_end]
    if len(middle_of_first) * len(middle_of_second) > _MOST_COMPARED:
        return
    matcher = difflib.SequenceMatcher(None, middle_of_first, middle_of_second, autojunk=False)
    for start, other_start, length in matcher.get_matching_blocks():
        yield n_at_start + start, n_at_start + other_start, length


def _length_of_common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two texts begin with in common."""
    n = 0
    for word, other in zip(first, second, strict=False):
        if word != other:
            break
        n += 1
    return n


def _parts(tokens_of_text: Sequence[str], differs: Sequence[bool]) -> list[Part]:
    """A text in as few parts as can be; spaces behind a part that differs do not differ."""
    parts: list[Part] = []
    pairs = zip(tokens_of_text, differs, strict=True)
    for is_different, group in itertools.groupby(pairs, key=lambda pair: pair[1]):
        text = "".join(token for token, _ in group)
        words = text.strip()
        if not is_different or not words:
            parts.append(Part(text, False))
            continue
        before, _, after = text.partition(words)
        parts += [Part(before, False), Part(words, True), Part(after, False)]
    return _merged(parts)


def _merged(parts: Sequence[Part]) -> list[Part]:
    """Parts of which no two neighbours are alike, and none is empty."""
    filled = [part for part in parts if part.text]
    merged = []
    for differs, group in itertools.groupby(filled, key=lambda part: part.differs):
        merged.append(Part("".join(part.text for part in group), differs))
    return merged
