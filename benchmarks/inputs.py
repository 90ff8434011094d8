"""Files for commands to read, made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def texts(folder: Path, n_systems: int, n_segments: int, n_words: int) -> list[str]:
    """Write a reference, and outputs with more and more of its words exchanged.

    Parameters
    ----------
    folder : Path
    n_systems, n_segments : int
    n_words : int
        In a segment, on average.

    Returns
    -------
    systems : list of str
        The names of the outputs' files; the other file is ``reference``.
    """
    draw = np.random.default_rng(0)
    words = np.array([f"w{k}" for k in range(20_000)])
    # Frequencies as of words in texts, by Zipf's law.
    share = 1 / np.arange(1, len(words) + 1)
    share /= share.sum()
    lengths = draw.poisson(n_words, n_segments) + 1

    def drawn() -> list[Any]:
        return [draw.choice(words, n, p=share) for n in lengths]

    reference = drawn()
    _write(folder / "reference", reference)
    systems = []
    for k in range(n_systems):
        output = []
        for line, other in zip(reference, drawn(), strict=True):
            is_exchanged = draw.random(len(line)) < 0.35 + 0.01 * k
            output.append(np.where(is_exchanged, other, line))
        name = f"system{k}"
        _write(folder / name, output)
        systems.append(name)
    return systems


def _write(path: Path, lines: list[Any]) -> None:
    """Write lines of words as sentences."""
    path.write_text("".join(f"{' '.join(line).capitalize()}.\n" for line in lines))


def scores(path: Path, n_systems: int, n_segments: int) -> None:
    """Write a table of scores with a row for each system and segment."""
    numbers = np.random.default_rng(0).normal(80, 15, (n_systems, n_segments)).round(1)
    with path.open("w") as stream:
        stream.write("system,segment,score\n")
        for system, scores_of_system in enumerate(numbers):
            for segment, score in enumerate(scores_of_system):
                stream.write(f"system{system},{segment},{score:.1f}\n")
