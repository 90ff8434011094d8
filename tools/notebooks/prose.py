"""The prose of Markdown, and how long it takes to read."""

from __future__ import annotations

import re

#: The rule of docs/lecturers.md: counted, not measured on anybody.
WORDS_A_MINUTE = 150
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")


def prose(markdown: str) -> str:
    """Markdown without code, formulas, addresses, tags, marks and what a guess may be told."""
    for pattern, put in (
        (r"^> <details.*?</details>", " "),
        (r"^(```|~~~).*?^\1", " "),
        (r"`+[^`]*`+", " "),
        (r"\$\$.*?\$\$|\$[^$\n]+\$", " "),
        (LINK.pattern, r"\1"),
        (r"<!--.*?-->|</?\w[^>]*>", " "),
        (r"[*#>|]", " "),
    ):
        markdown = re.sub(pattern, put, markdown, flags=re.MULTILINE | re.DOTALL)
    return " ".join(markdown.split())


def n_words(markdown: str) -> int:
    """Words of prose."""
    return sum(any(map(str.isalnum, word)) for word in prose(markdown).split())
