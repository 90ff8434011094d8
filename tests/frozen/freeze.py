"""What the package answers today, as hashes: so that a change of its code changes nothing else.

``python -m tests.frozen.freeze`` computes every answer again and names those that differ from
``frozen.json``; ``--write`` replaces that file.  Names given behind it choose answers by how they
begin (``python -m tests.frozen.freeze command``).  An answer that is meant to change is named in
the commit that changes it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from typer.testing import CliRunner

import mtsig_nb as mt
from mtsig_nb.cli import app
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.significance.corrections import CORRECTIONS
from mtsig_nb.widgets.panels import PANELS

from .inputs import write_inputs

ROOT = Path(__file__).resolve().parents[2]
FROZEN = Path(__file__).with_name("frozen.json")
N_RESAMPLES = 200
#: The version in frozen answers: a release of another one changes no answer.
FROZEN_VERSION = "0.2.0"
FORMATS = ("text", "json", "csv", "latex", "markdown", "html")

#: What is compared, without a format.  Each is run in all formats.
COMPARISONS = (
    "-r ref.txt good.txt fair.txt poor.txt -n 300",
    "-r ref.txt good.txt fair.txt -n 300 --test bootstrap",
    "-r ref.txt good.txt fair.txt poor.txt -n 300 -d docs.txt -m BLEU TER",
    "ref.txt -i good.txt fair.txt poor.txt -n 300 --paired-bs",
    "-t wmt12 -l es-en onlineA onlineB UPC -n 300 -m BLEU METEOR --pairs",
    "-t wmt12 -l es-en onlineA onlineB UPC -n 300 --baseline UPC --correction none -w 3",
    "--scores long.csv -n 300 -m COMET MQM:lower",
    "--scores wide.csv -n 300 -m wide --alternative greater",
    "--scores test_sets.csv -n 300",
    "--scores ratings.csv",
    "--scores ratings.csv --units segments -n 300",
    "--scores runs.csv -n 300",
    "--scores battles.csv",
    "--scores records.jsonl -n 300",
)
#: Everything else that is typed: help, lists, scores, mistakes.
OTHER_COMMANDS = (
    "--help",
    "--version",
    "compare --help",
    "measure --help",
    "datasets --help",
    "datasets",
    "datasets wmt12/es-en",
    "datasets wmt12/es-en -f json",
    "measure -r ref.txt good.txt fair.txt poor.txt -m BLEU chrF TER",
    "measure -r ref.txt good.txt fair.txt poor.txt -m BLEU -f json",
    "measure -t wmt12 -l es-en -m BLEU -f csv",
    "compare",
    "compare -r ref.txt",
    "compare -r ref.txt good.txt",
    "compare -r ref.txt good.txt missing.txt",
    "compare -r ref.txt good.txt fair.txt --test sign",
    "compare -r ref.txt good.txt fair.txt -m BELU",
    "compare -r ref.txt good.txt fair.txt -n 0",
    "compare -r ref.txt good.txt fair.txt --alpha 2",
    "compare -r ref.txt good.txt fair.txt --correction holmes",
    "compare -t wmt99 -l es-en",
    "compare --scores long.csv -m COMET --units documents -n 300",
    "gate -r ref.txt good.txt fair.txt poor.txt --baseline fair --margin 5 -n 300",
    "gate --scores test_sets.csv --baseline alder --margin 0.2 -n 300 -f json",
    "gate --scores long.csv -m COMET --baseline alder --margin 0.2 -n 300 -f junit",
    "leaderboard --scores test_sets.csv -n 300",
    "leaderboard -t wmt12 -l es-en -m BLEU TER --aggregate win-rate -n 300 -f json",
    "compare --scores long.csv -m nothing",
    "compare --scores wide.csv",
    "compare --scores docs.txt",
    "compare -r ref.txt good.txt fair.txt -n 300 --exit-code",
    "compare -r ref.txt good.txt good.txt -n 300",
    "compare --scores battles.csv --test bootstrap",
    "watch --help",
    "watch --scores long.csv -m COMET --planned 60 --looks 3 -n 999",
    "watch --scores long.csv -m COMET --planned 80 --looks 4 -n 999 alder cedar -f json",
    "watch --scores wide.csv -m wide --planned 60 --looks 20,60 --spending pocock -n 999 -f csv",
    "watch --scores long.csv -m COMET --planned 900 --looks 2",
    "watch --scores long.csv --planned 60 --looks 2",
)
#: What differs from run to run, or from machine to machine, and is no answer.
VOLATILE = (
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"Python \d+\.\d+\.\d+, NumPy [\w.]+, pandas [\w.]+"), "VERSIONS"),
    (re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+"), "IMAGE"),
    (re.compile(r"<svg.*?</svg>", re.DOTALL), "IMAGE"),
)

#: A decimal of more digits than are shown to a reader.
_DECIMAL = re.compile(r"-?\d+\.\d{6,}(e-?\d+)?")

Answer = Callable[[], str]


def main() -> int:
    """Compare with what was frozen, or freeze; the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="how the names of answers begin; all by default")
    parser.add_argument("--write", action="store_true", help="freeze what is answered now")
    parser.add_argument("--keep", type=Path, help="a folder to write the answers themselves to")
    arguments = parser.parse_args()
    prefixes = tuple(arguments.names) or ("",)
    with tempfile.TemporaryDirectory() as folder:
        found = hashes(prefixes, Path(folder), keep=arguments.keep)
    frozen = json.loads(FROZEN.read_text(encoding="utf-8")) if FROZEN.exists() else {}
    if arguments.write:
        others = {name: known for name, known in frozen.items() if not name.startswith(prefixes)}
        ordered = dict(sorted((others | found).items()))
        FROZEN.write_text(json.dumps(ordered, indent=0) + "\n", encoding="utf-8")
        print(f"{len(found):,} answers frozen")
        return 0
    expected = {name: known for name, known in frozen.items() if name.startswith(prefixes)}
    differing = [name for name in expected | found if expected.get(name) != found.get(name)]
    for name in differing:
        print(f"differs: {name}")
    print(f"{len(found):,} answers, {len(differing):,} differ from what was frozen")
    return 1 if differing else 0


def hashes(prefixes: tuple[str, ...], folder: Path, *, keep: Path | None = None) -> dict[str, str]:
    """The hash of every answer whose name begins with one of `prefixes`."""
    found = {}
    with surroundings(folder):
        for name, answer in answers():
            if not name.startswith(prefixes):
                continue
            text = _rounded(without_volatile(answer()))
            found[name] = hashlib.sha256(text.encode()).hexdigest()[:16]
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                place = keep / (re.sub(r"[^\w.-]+", "_", name)[:150] + ".txt")
                place.write_text(text, encoding="utf-8")
    return found


@contextlib.contextmanager
def surroundings(folder: Path) -> Iterator[None]:
    """A folder with the inputs, as the current one; a fixed width; no warnings on the screen."""
    work = folder / "work"
    work.mkdir()
    write_inputs(work)
    before = Path.cwd()
    changed = {"MTSIG_CACHE": str(folder / "cache"), "COLUMNS": "120", "TQDM_DISABLE": "1"}
    kept = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    os.chdir(work)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.chdir(before)
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def without_volatile(text: str) -> str:
    """`text` without dates, pictures and versions of libraries, and with the frozen version."""
    for pattern, word in VOLATILE:
        text = pattern.sub(word, text)
    return text.replace(mt.__version__, FROZEN_VERSION)


def answers() -> Iterator[tuple[str, Answer]]:
    """Every answer by its name, to be computed when it is called."""
    yield from _commands()
    yield from _explorer()
    yield from _documents()
    yield from _tables()


def _commands() -> Iterator[tuple[str, Answer]]:
    for typed, form in itertools.product(COMPARISONS, FORMATS):
        output = " -o page.html" if form == "html" else f" -f {form}"
        yield _command(f"compare {typed}{output}")
    for typed in OTHER_COMMANDS:
        yield _command(typed)


def _command(typed: str) -> tuple[str, Answer]:
    def answer() -> str:
        page = Path("page.html")
        page.unlink(missing_ok=True)
        result = CliRunner().invoke(app, shlex.split(typed))
        written = page.read_text(encoding="utf-8") if page.exists() else ""
        parts = [str(result.exit_code), result.stdout, result.stderr, written]
        return "\n---\n".join(parts)

    return f"command: {typed}", answer


def _explorer() -> Iterator[tuple[str, Answer]]:
    for panel in PANELS:
        yield f"explorer: {panel}", lambda panel=panel: _snapshot(panel)


def _snapshot(panel: str) -> str:
    explorer = mt.explore("wmt12/es-en", pair=("uedin-wmt12", "UPC"), resamples=500)
    explorer.wait(300)
    return str(explorer.snapshot(panel))


def _documents() -> Iterator[tuple[str, Answer]]:
    for name in ("docs/replication.json", "docs/trust.json"):
        yield f"document: {name}", lambda name=name: (ROOT / name).read_text(encoding="utf-8")


def _tables() -> Iterator[tuple[str, Answer]]:
    """Tables of all pairs: every embedded campaign with every test and every correction."""
    for campaign in mt.list_campaigns()["name"]:
        for test, correction in itertools.product(PROCEDURES, [*CORRECTIONS, None]):
            name = f"table: {campaign}, {test}, {correction or 'none'}"
            yield name, _table(campaign, test, correction)


def _table(campaign: str, test: str, correction: str | None) -> Answer:
    def answer() -> str:
        loaded = mt.load(campaign)
        statistics = loaded.statistics(loaded.metrics[0])
        try:
            found = mt.compare_all(
                statistics,
                test=test,
                correction=correction,
                n_resamples=N_RESAMPLES,
                interval=None,
                rng=2026,
            )
        except mt.InputError as error:  # such as a correction that does not go with the test
            return f"InputError: {error}"
        return found.to_csv()

    return answer


def _rounded(text: str) -> str:
    """Numbers to six significant digits, which hold on any processor."""
    return _DECIMAL.sub(lambda decimal: f"{float(decimal[0]):.6g}", text)


if __name__ == "__main__":
    sys.exit(main())
