"""The pages with recipes, followed word for word in a copy of the repository."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from .. import messages
from ..newcomer.processes import run

ROOT = Path(__file__).parents[2]
#: The pages, one after the other.
PAGES = "\n".join(
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("howto", "extending", "extending-the-course")
)
#: A fenced block, with the name of its file where one stands above it.
BLOCK = re.compile(r"(?:^\*\*`(\S+)`\*\*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: What a reader has of the repository; the data are linked, not copied.
COPIED = ("mtsig_nb", "tests", "tools", "Makefile", "pyproject.toml", "requirements.lock")


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One section of the page: files to make, changes to make, and then commands to run."""

    new: dict[str, str]
    changes: dict[str, str]
    commands: list[str]

    @property
    def files(self) -> set[str]:
        return {*self.new, *self.changes}

    @property
    def n_lines(self) -> int:
        """Lines to write, without empty ones."""
        changed = "\n".join(self.changes.values()).splitlines()
        written = "\n".join(self.new.values()).splitlines()
        written += [line[1:] for line in changed if line.startswith("+")]
        return sum(bool(line.strip()) for line in written)


def recipe(title: str) -> Recipe:
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGES, re.MULTILINE | re.DOTALL)
    made = Recipe({}, {}, [])
    for file, language, text in BLOCK.findall(section):
        if language == "sh":
            made.commands.append(text)
        else:
            assert file, f"a block without its file's name: {text[:40]!r}"
            (made.changes if language == "diff" else made.new)[file] = text
    return made


def apply(changes: str, text: str) -> str:
    """`text` with all changes made; the unchanged lines say where, as in a patch."""
    for change in re.split(r"^@@\n", changes, flags=re.MULTILINE):
        lines = change.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(before) == 1, f"not exactly once in the file:\n{before}"
        text = text.replace(before, after)
    return text


@pytest.fixture
def copy(tmp_path):
    """A copy of the repository with an environment that looks as if made there."""
    unwanted = shutil.ignore_patterns("__pycache__", "_datasets")
    (tmp_path / "datasets").mkdir()
    for name in (*COPIED, *os.listdir(ROOT / "datasets")):
        place = name if name in COPIED else f"datasets/{name}"
        if place != name and name != "building" and (ROOT / place).is_dir():
            (tmp_path / place).symlink_to(ROOT / place)
        elif (ROOT / place).is_dir():
            shutil.copytree(ROOT / place, tmp_path / place, ignore=unwanted)
        else:
            shutil.copy(ROOT / place, tmp_path / place)
    (tmp_path / "notebooks" / "source").mkdir(parents=True)
    (tmp_path / ".venv").mkdir()
    for path in Path(sys.prefix).iterdir():
        if path.name != ".set-up":
            (tmp_path / ".venv" / path.name).symlink_to(path)
    (tmp_path / ".venv" / ".set-up").touch()  # or make would install the copy
    return tmp_path


def follow(recipe: Recipe, copy: Path) -> str:
    """Do what the recipe says; what its commands printed."""
    for file, text in recipe.new.items():
        assert not (copy / file).exists()
        (copy / file).write_text(text, encoding="utf-8")
    for file, changes in recipe.changes.items():
        text = apply(changes, (copy / file).read_text(encoding="utf-8"))
        (copy / file).write_text(text, encoding="utf-8")
    quiet = ("PYTEST_", "COV_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(quiet)}
    environment |= {
        "PATH": f"{copy / '.venv' / 'bin'}{os.pathsep}{environment['PATH']}",
        "PYTHONPATH": str(copy),  # before the repository that the environment points to
        "OMP_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
    }
    printed = ""
    style = f"ruff check {' '.join(f for f in recipe.files if f.endswith('.py'))}"
    for command in [*recipe.commands, style, style.replace("check", "format --check")]:
        printed += run(f"set -euo pipefail\n{command}", copy, environment)
    return printed


def passed(printed: str) -> list[int]:
    """How many tests passed in each run of pytest; none may have failed or been skipped."""
    assert not re.search(r"\d+ (failed|errors?|skipped|xfailed)", printed), printed[-4000:]
    return [int(number) for number in re.findall(r"\b(\d+) passed", printed)]


@pytest.mark.slow
def test_a_score_from_parses(copy):
    scored = recipe("A score from parses")
    assert set(scored.new) == {"toy_parses.py", "score_parses.py"}
    assert not scored.changes
    assert "spacy" not in "".join(scored.new.values()).lower()
    printed = follow(scored, copy)
    scores = dict(re.findall(r"^(first|second) +([\d.]+)$", printed, re.MULTILINE))
    # By hand, of the reference's 25 relations: 4 + 3 + 5 + 4 + 4 + 4 of the first system's 27, and
    # 2 + 1 + 3 + 2 + 2 + 2 of the second's 24.
    assert float(scores["first"]) == pytest.approx(2 * 24 / (27 + 25), abs=1e-6)
    assert float(scores["second"]) == pytest.approx(2 * 12 / (24 + 25), abs=1e-6)
    assert "|parser:toy-1.0|" in printed
    # Enumerated: the first system is ahead in each of six sentences.
    rows = [line.split() for line in printed.splitlines()]
    assert ["0", "first", "second", "0.03125", "better"] in rows


@pytest.mark.slow
def test_many_test_sets(copy):
    printed = follow(recipe("Many test sets"), copy)
    sets = messages.naming("4 test sets", "cs-en, de-en, es-en, fr-en", "99 documents")
    assert re.search(sets, printed)
    assert len(messages.printed(printed, "found")) == 1
    (row,) = [line.split() for line in printed.splitlines() if re.match(r"0 +all ", line)]
    assert len(row[2:]) == len([float(cell) for cell in row[2:]]) == 3


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("title", "touched", "most", "least"),  # lines; tests: its own, and what must hold for all
    [
        ("A metric", "mtsig_nb/metrics/", 60, 10),
        ("A test", "mtsig_nb/engine/procedures.py", 30, 15),
    ],
)
def test_a_metric_and_a_test_touch_one_place_in_few_lines(copy, title, touched, most, least):
    made = recipe(title)
    assert made.n_lines < most
    assert any(file.startswith(touched) for file in made.files)
    assert all(file.startswith((touched, "tests/")) for file in made.files)
    (number,) = passed(follow(made, copy))
    assert number >= least


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("title", "touched", "most", "least", "printed"),
    [
        (
            "An option of the test",
            {"significance/options.py", "cli/options.py"},
            40,
            60,
            r'"most_resamples": 500,\n +"n_resamples": 500',
        ),
        (
            "A reader of scores",
            {"scores/layouts/assigned.py"},
            60,
            6,
            r"^scores.txt: score \(higher is better\)\.$",
        ),
        (
            "A kind of outcome",
            {"outcomes/trials.py", "outcomes/kinds.py", "scores/reading.py"},
            210,
            20,
            r"^A is better than B, C .*[^$]*^trials.html written",
        ),
        (
            "A column of the table of systems",
            {"outcomes/system_table.py"},
            15,
            20,
            r"^system +BLEU .* ranks +beats$",
        ),
    ],
    ids=["option", "reader", "kind", "column"],
)
def test_what_else_is_added_touches_few_files(copy, title, touched, most, least, printed):
    made = recipe(title)
    assert made.n_lines < most
    own = {file for file in made.files if not file.startswith("tests/")}
    assert own == {f"mtsig_nb/{file}" for file in touched}
    found = follow(made, copy)
    assert sum(passed(found)) >= least
    assert re.search(printed, found, re.MULTILINE)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("java") is None, reason="METEOR in English needs Java")
def test_a_campaign(copy):
    pytest.importorskip("pycocoevalcap", reason="METEOR in English needs its jar")
    campaign = recipe("A campaign")
    assert not any(file.startswith("mtsig_nb/") for file in campaign.files)
    printed = follow(campaign, copy)
    (number,) = passed(printed)
    assert number >= 8
    scores = dict(re.findall(r"^(first|second|third) +([\d.]+)$", printed, re.MULTILINE))
    assert list(scores) == sorted(scores, key=lambda system: -float(scores[system]))
    sheet = (copy / "datasets/toy/xx-en/README.md").read_text(encoding="utf-8")
    assert "four sentences of our own" in sheet
    for file in (copy / "datasets" / "toy").rglob("*"):
        assert not file.is_file() or b"cat sleeps" not in file.read_bytes()


@pytest.mark.thorough
def test_a_notebook(copy):
    checks, cells = passed(follow(recipe("A notebook"), copy))
    assert checks >= 2
    assert cells == 3
