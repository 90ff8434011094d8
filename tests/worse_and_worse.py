"""A reference and three systems, the first the best, for tests that read files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

NOUNS = ["cat", "dog", "horse", "bird", "fish", "mouse", "cow", "goat", "hen", "duck"]
PLACES = ["house", "garden", "field", "river", "road", "wood", "barn", "hill", "shed", "pond"]
REFERENCE = [f"The {noun} sleeps behind the old {place}." for noun in NOUNS for place in PLACES]
# Worse and worse: one wrong verb in five, then a wrong place in three, then both everywhere.
GOOD = [
    line.replace("sleeps", "is asleep") if i % 5 == 0 else line for i, line in enumerate(REFERENCE)
]
FAIR = [
    line.replace("behind the old", "in an old") if i % 3 == 0 else line
    for i, line in enumerate(GOOD)
]
POOR = [line.replace("sleeps behind", "sleep to back") for line in REFERENCE]


def write(path: str | Path, lines: Iterable[str]) -> None:
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_texts(folder: Path) -> None:
    """``ref.txt``, the outputs ``good.txt``, ``fair.txt`` and ``poor.txt``, and ``docs.txt``."""
    documents = [f"d{i // 5}" for i in range(len(REFERENCE))]
    texts = {"ref": REFERENCE, "good": GOOD, "fair": FAIR, "poor": POOR, "docs": documents}
    for name, lines in texts.items():
        write(folder / f"{name}.txt", lines)
