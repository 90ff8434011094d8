"""Scripts that put no space between words, and whether a metric has found words in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
#: Scripts that put no space between words, each with the ranges of its letters, and the longest
#: mean length, by `length_of_words`, that words have if a metric has told them apart.
_SCRIPTS = {
    "Chinese": (_HAN, 5),
    "Japanese": (_HAN + _KANA, 5),
    "Thai": ("\u0e00-\u0e7f", 10),
    "Lao": ("\u0e80-\u0eff", 10),
    "Tibetan": ("\u0f00-\u0fff", 10),
    "Burmese": ("\u1000-\u109f\uaa60-\uaa7f", 10),
    "Khmer": ("\u1780-\u17ff\u19e0-\u19ff", 10),
}
#: A text is in a script if more than this share of its letters is.
_LARGELY = 0.5
#: Japanese has more than this share of its letters in kana.
_SOME_KANA = 0.1


def script_without_spaces(texts: Sequence[str]) -> str:
    """The script that most letters of the texts are in, if it puts no space between words.

    Examples
    --------
    >>> script_without_spaces(["我们今天去公园散步"]), script_without_spaces(["We take a walk."])
    ('Chinese', '')
    """
    text = "".join(texts)
    n_letters = sum(map(str.isalpha, text))
    n_kana = len(re.findall(f"[{_KANA}]", text))
    n_han = len(re.findall(f"[{_HAN}]", text))
    if n_han + n_kana > _LARGELY * n_letters:
        return "Japanese" if n_kana > _SOME_KANA * (n_han + n_kana) else "Chinese"
    for script in ("Thai", "Lao", "Tibetan", "Burmese", "Khmer"):
        letters, _ = _SCRIPTS[script]
        n_in_script = len(re.findall(f"[{letters}]", text))
        if n_in_script > _LARGELY * max(n_letters, 1):
            return script
    return ""


def length_of_words(words: Sequence[str], script: str) -> tuple[float, bool]:
    """The mean length of words in a script, and whether it is too long for words.

    The mean is over letters: a word of many letters counts more.  Text in other scripts is no part
    of a word.

    Examples
    --------
    >>> length_of_words(["我们今天去公园散步", "我们"], "Chinese")[1]
    True
    >>> length_of_words(["我们", "今天", "去", "公园", "散步"], "Chinese")
    (1.89, False)
    """
    letters, longest = _SCRIPTS[script]
    lengths = [len(run) for word in words for run in re.findall(f"[{letters}]+", word)]
    if not lengths:
        return 0.0, False
    mean = sum(length**2 for length in lengths) / sum(lengths)
    return round(mean, 2), mean > longest
