"""The course under Colab's own versions, from its first cell.

Colab itself is not asked: this is Python 3.13 with the packages that Colab names as its own, among
them ipywidgets 7 and IPython 7.34.  What a front end shows of it is not seen here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mtsig_nb.teaching import headlines
from tools.notebooks import files
from tools.site import public_copy

LOCK = Path(__file__).parent / "colab.lock"
HOME = "someone/course"
pytestmark = [pytest.mark.thorough, pytest.mark.network]
#: Two units, one of which shows a progress bar; the bench, with the explorer; a lab, solved.
TRIED = [
    "notebooks/1_what_chance_can_do/01_is_a_better_than_b.ipynb",
    "notebooks/4_many_systems/21_clusters.ipynb",
    "notebooks/bench/your_own_systems.ipynb",
    "notebooks/labs/instructor/lab_03_exchange_and_count.ipynb",
]


def python_of_colab() -> str:
    """A Python 3.13, or 3.12, that starts; the test is skipped where there is none."""
    for name in ("python3.13", "python3.12"):
        program = shutil.which(name)
        if program and subprocess.run([program, "-V"], capture_output=True).returncode == 0:
            return program
    pytest.skip("needs python3.13 or python3.12, as Colab has")


@pytest.fixture(scope="module")
def public(tmp_path_factory) -> Path:
    """A public copy as a repository of Git, to be installed from."""
    target = tmp_path_factory.mktemp("public") / "copy"
    public_copy.stage(target, HOME, "main")
    for command in ("init -q -b main", "add -A", "commit -q -m copy"):
        author = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", "-C", str(target), *author, *command.split()], check=True)
    return target


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """The programs of an environment that has what Colab has, and nothing of the course."""
    folder = tmp_path_factory.mktemp("colab")
    subprocess.run([python_of_colab(), "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], check=True)
    return folder / "bin"


def test_the_course_runs_from_its_first_cell(public, programs, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    for name in TRIED:
        stored = files.read(files.ROOT / name)
        notebook = files.without_outputs(files.read(files.ROOT / name))
        public_copy.make_public(notebook, name, HOME, "main")
        (install,) = [cell for cell in notebook.cells if cell.get("id") == "install"]
        install.source = install.source.replace(
            f"git+https://github.com/{HOME}@main", f"git+file://{public}@main"
        )
        place = tmp_path / Path(name).name  # alone, as Colab opens it
        files.write(notebook, place)
        command = [str(programs / "jupyter-execute"), "--inplace", str(place)]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
        ran = files.read(place)
        assert headlines(ran) == headlines(stored)
        assert left_by_progress_bars(ran) == []


def left_by_progress_bars(notebook) -> list[str]:
    """What outputs still show of bars that ended: views of widgets, or a line that is left."""
    left = []
    for cell in files.code_cells(notebook):
        for output in cell.get("outputs", []):
            text = str(output.get("data", {}).get("text/plain", ""))
            if "HBox(children=" in text or "FloatProgress" in text:
                left.append(text)
    return left
