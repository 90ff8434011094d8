"""The README and the first steps as a newcomer follows them: their commands and Python."""

from __future__ import annotations

import re
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
