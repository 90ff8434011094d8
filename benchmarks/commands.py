"""Whole commands, from files to verdict, as processes of their own.

Processor time, since only that is the same on a busy machine.
"""

from __future__ import annotations

import dataclasses
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import inputs
from .aims import AIMS, Aim
from .tables import Row, Settings, Subject
from .timing import TREE, seconds_of_process

#: Where this Python's programs are.
PROGRAMS = Path(sys.executable).parent
SEGMENTS = 3003
#: Systems in a file of scores, whose comparison took long.
IN_A_FILE = 100


@dataclasses.dataclass(frozen=True)
class Texts:
    """Made-up texts as large as those of a campaign, and the aims of their comparison.

    Attributes
    ----------
    campaign : str
        The campaign whose size they have.
    n_systems, n_segments : int
    n_words : int
        In a segment, on average.
    cold, warm : tuple of Aim
        With nothing in our cache of statistics, and with all of them.
    turns_of_sacrebleu : int
        sacreBLEU, which takes longest, has a run in one of so many turns.
    """

    campaign: str
    n_systems: int
    n_segments: int
    n_words: int
    cold: tuple[Aim, ...]
    warm: tuple[Aim, ...]
    turns_of_sacrebleu: int = 1


COMPARED = (
    Texts(
        "uk-en",
        n_systems=2,
        n_segments=2018,
        n_words=13,
        cold=AIMS["first answer, uk-en, cold"],
        warm=AIMS["first answer, uk-en, warm"],
    ),
    Texts(
        "es-en",
        n_systems=3,
        n_segments=SEGMENTS,
        n_words=23,
        cold=AIMS["first answer, es-en, cold"],
        warm=AIMS["first answer, es-en, warm"],
    ),
    Texts(
        "es-en",
        n_systems=12,
        n_segments=SEGMENTS,
        n_words=23,
        cold=AIMS["first answer, 12 systems, cold"],
        warm=AIMS["first answer, 12 systems, warm"],
        turns_of_sacrebleu=2,
    ),
)

#: Programs that do next to nothing: their time is that of Python, of the libraries that comparing
#: files needs, and of sacreBLEU's own start.
FLOOR: dict[str, list[Any]] = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import numpy": [sys.executable, "-c", "import numpy"],
    "import scipy.special, typer, pydantic.types, rich.console": [
        sys.executable,
        "-c",
        "import scipy.special, typer, pydantic.types, rich.console",
    ],
    "sacrebleu --version": [PROGRAMS / "sacrebleu", "--version"],
}


def processor_seconds(runs: int, command: list[Any], folder: Path) -> dict[str, float]:
    """The median processor time of a command, after a run that compiles and fills caches."""
    taken = [seconds_of_process(command, folder) for _ in range(runs + 1)]
    return {"processor_seconds": statistics.median(taken[1:])}


def floor(runs: int, folder: Path) -> Iterator[Row]:
    """What is not ours in a first answer."""
    for what, command in FLOOR.items():
        yield Row(what, processor_seconds(runs, command, folder), runs)


def list_of_commands(runs: int, folder: Path) -> Row:
    """The list of commands."""
    figures = processor_seconds(runs, [PROGRAMS / "mtsig", "--help"], folder)
    return Row("mtsig --help", figures, runs, AIMS["help"])


def first_answers(texts: Texts, runs: int, folder: Path) -> Iterator[Row]:
    """`mtsig compare`, cold and warm, and ``sacrebleu --paired-bs``, turn by turn.

    sacreBLEU has a cache of texts alone.  It tests each system against the first, with 1,000
    resamples; we test all pairs, with 10,000.  Ratios are of medians.
    """
    systems = inputs.texts(folder, texts.n_systems, texts.n_segments, texts.n_words)
    ours = [PROGRAMS / "mtsig", "compare", *systems, "-r", "reference", "-m", "bleu"]
    theirs = [PROGRAMS / "sacrebleu", "reference", "-i", *systems, "-m", "bleu", "--paired-bs"]
    cache = folder / "cache"
    cold, warm, paired_bs = [], [], []
    for turn in range(runs):
        shutil.rmtree(cache, ignore_errors=True)
        cold.append(seconds_of_process(ours, folder, MTSIG_CACHE=str(cache)))
        warm.append(seconds_of_process(ours, folder, MTSIG_CACHE=str(cache)))
        if turn % texts.turns_of_sacrebleu == 0:
            paired_bs.append(seconds_of_process(theirs, folder))
    seconds_of_sacrebleu = statistics.median(paired_bs)
    what = f"BLEU, {texts.n_systems} systems as of {texts.campaign}"
    for title, taken, aims in (("cold", cold, texts.cold), ("warm", warm, texts.warm)):
        seconds = statistics.median(taken)
        figures = {
            "processor_seconds": seconds,
            "times_as_fast_as_paired_bs": seconds_of_sacrebleu / seconds,
        }
        yield Row(f"mtsig compare, {title}, {what}", figures, runs, aims)
    figures = {"processor_seconds": seconds_of_sacrebleu}
    yield Row(f"sacrebleu --paired-bs, {what}", figures, len(paired_bs))


def then_and_now(settings: Settings, folder: Path) -> Iterator[Row]:
    """A command that took long, by this tree of the package, and once by an older one.

    All pairs of many systems in a file of scores.
    """
    inputs.scores(folder / "scores.csv", IN_A_FILE, SEGMENTS)
    what = f"mtsig compare --scores, {IN_A_FILE} systems"
    yield _by_tree(f"{what}, by this tree", TREE, folder, settings.runs)
    if settings.older is not None:
        yield _by_tree(f"{what}, by the older tree", settings.older.resolve(), folder, runs=1)


def _by_tree(what: str, tree: Path, folder: Path, runs: int) -> Row:
    """The comparison of the file of scores by a tree of the package."""
    program = "from mtsig_nb.cli import main; main()"
    command = [sys.executable, "-c", program, "compare", "--scores", "scores.csv"]
    taken = [seconds_of_process(command, folder, PYTHONPATH=str(tree)) for _ in range(runs)]
    return Row(what, {"processor_seconds": statistics.median(taken)}, runs)


def measured(settings: Settings) -> Iterator[Row]:
    """All rows of this table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from floor(settings.runs, folder)
        yield list_of_commands(settings.runs, folder)
        for texts in COMPARED:
            yield from first_answers(texts, settings.runs, folder)
        yield from then_and_now(settings, folder)


SUBJECT = Subject(
    "commands",
    "Whole commands; first what others' imports cost",
    ("processor_seconds", "times_as_fast_as_paired_bs"),
    measured,
)
