"""The README and the first steps as a newcomer follows them: their commands and Python."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = "\n".join(
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/start.md")
)


def blocks(language: str) -> list[str]:
    """The fenced blocks in one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands(beginning: str = "") -> list[str]:
    """Every line of shell, or those that begin so, once each."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]
    return [line for line in dict.fromkeys(lines) if line.startswith(beginning)]


def files(command: str) -> dict[str, list[str]]:
    """Names of the texts that a command reads, by what they are; a folder ends in a slash."""
    kinds: dict[str, list[str]] = {"reference": [], "documents": [], "output": []}
    words = shlex.split(command)
    option = "-r" if "-i" in words else ""  # as for sacreBLEU, whose references have no option
    for word in words:
        if word.startswith("-"):
            option = word
        elif re.search(r"\.txt$|/$", word):
            kind = {"-r": "reference", "--documents": "documents"}.get(option, "output")
            kinds[kind].append(word)
            option = ""
    return kinds
