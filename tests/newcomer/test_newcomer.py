"""The newcomer's dress rehearsal: a bare directory, a fresh clone, the README's own commands.

What is cloned is the working state, committed in a repository made for the purpose.  Commands are
taken from the README, so one that is added there and not rehearsed here is found out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tools import notebook_files

from ..browser.pages import CHROMIUM, visit, visit_notebook
from . import readme
from .processes import run, serving

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
ROOT = Path(__file__).parents[2]
#: Set for everything that the rehearsal starts: a `make test` in the clone must not rehearse again.
GUARD = "MTSIG_REHEARSAL"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.network,  # for the packages of the lock
    pytest.mark.skipif(GUARD in os.environ, reason="this is the rehearsal's own clone"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git repository"),
    *(
        pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed")
        for name in ("git", "make")
    ),
]

TOUR = notebook_files.name_of(notebook_files.series()[1])
#: The test suite runs this very test, and all of it would take as long again: the README's
#: `make test` gets the checks of the clone itself and one notebook, by the variable it offers.
A_PART = f"tests/repository/test_environment.py {TOUR}"
#: Of the environment around the tests, what would reach into the clone: the variables of the
#: outer make and pytest, and the environment that the tests run in.
OURS = re.compile(r"(MAKE|MFLAGS|PYTEST_|COV_|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME|ARGS$|JOBS$|TQDM_)")


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Iterator[Path]:
    """A directory with nothing in it, and nothing left of it: the environments are large."""
    folder = tmp_path_factory.mktemp("newcomer")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def environment(bare) -> dict[str, str]:
    """What a newcomer's shell has: no environment of ours, settings and caches of its own."""
    around = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    ours = Path(sys.prefix) / "bin"
    around["PATH"] = os.pathsep.join(
        folder for folder in around["PATH"].split(os.pathsep) if Path(folder) != ours
    )
    private = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    private += ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "MTSIG_CACHE")
    for name in private:
        around[name] = str(bare / "home" / name.lower())
        Path(around[name]).mkdir(parents=True)
    # Modules are compiled when they are first imported; to compile all takes half of an install.
    return around | {GUARD: "1", "OMP_NUM_THREADS": "1", "PIP_NO_COMPILE": "1"}


@pytest.fixture(scope="module")
def clone(bare, environment) -> Path:
    """A fresh clone of the working state."""
    author = {"NAME": "A newcomer", "EMAIL": "newcomer@example.org"}
    git = environment | {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in author.items()
    }
    source = shlex.quote(str(ROOT))
    run(f"git clone --quiet --bare {source} origin.git", bare, git)
    beside = f"git --git-dir=origin.git --work-tree={source}"
    run(f"{beside} read-tree HEAD && {beside} add --all", bare, git)
    run(f"{beside} commit --quiet --allow-empty -m 'The working state'", bare, git)
    run("git clone --quiet origin.git mtsig_nb", bare, git)
    return bare / "mtsig_nb"


@pytest.fixture(scope="module")
def installed(clone, environment) -> str:
    """What `make run` printed: it makes .venv, so whatever needs that comes after it."""
    (command,) = readme.commands("make run")
    return run(command, clone, environment)


@pytest.fixture
def activated(clone, environment, installed) -> dict[str, str]:
    """The environment with the clone's .venv on the path."""
    return environment | {"PATH": f"{clone / '.venv/bin'}{os.pathsep}{environment['PATH']}"}


def test_every_command_of_the_readme_is_rehearsed():
    known = r"make (run|test|app)|pip install (\.|'\.\[notebook\]')|mtsig (compare|measure) .*"
    assert [line for line in readme.commands() if not re.fullmatch(known, line)] == []
    assert {"make run", "make test"} <= set(readme.commands())
    assert "`make lab` opens JupyterLab" in readme.PAGE
    assert len(readme.blocks("python")) == 1


def test_make_run(clone, installed):
    places = [path.relative_to(notebook_files.SERIES) for path in notebook_files.series()]
    notebooks = [clone / "notebooks" / place for place in places]
    assert len(notebooks) >= 11
    assert f"\n{len(notebooks)} of {len(notebooks)} notebooks ran, " in installed
    assert installed.endswith("Open build/notebooks/index.html\n")
    numbers = re.findall(r"^    \S.*: \S", installed, re.MULTILINE)
    assert 0 < len(numbers) <= 12, numbers
    pages = clone / "build/notebooks"
    index = (pages / "index.html").read_text(encoding="utf-8")
    for place in places:
        page = place.with_suffix(".html")
        assert f'href="{page.as_posix()}"' in index
        assert (pages / page).stat().st_size > 10_000
    changed = run("git status --porcelain", clone, os.environ)
    assert changed == "", "make run leaves the clone as it was"


def test_make_test(clone, environment, installed):
    (command,) = readme.commands("make test")
    printed = run(command, clone, environment | {"ARGS": A_PART})
    assert re.search(r"\b[1-9]\d+ passed", printed.splitlines()[-1])
    assert "failed" not in printed


# The package by itself


@pytest.fixture(scope="module")
def alone(bare, clone, environment) -> dict[str, str]:
    """An environment of its own, with the package installed as the README says."""
    run(f"{shlex.quote(sys.executable)} -m venv alone", bare, environment)
    lock = (clone / "requirements.lock").read_text(encoding="utf-8")
    # The versions of the lock; its hashes cannot be asked for where a folder is installed.
    pins = re.findall(r"^[\w.-]+==[^\\\n]*", lock, re.MULTILINE)
    (bare / "constraints.txt").write_text("\n".join(pins))
    own = environment | {"PATH": f"{bare / 'alone/bin'}{os.pathsep}{environment['PATH']}"}
    command = readme.commands("pip")[-1]  # with the extra that the Python needs
    run(command, clone, own | {"PIP_CONSTRAINT": str(bare / "constraints.txt")})
    return own


def test_the_wheel_alone_runs_the_python_of_the_readme(alone, tmp_path):
    where = run("python -c 'import mtsig_nb; print(mtsig_nb.__file__)'", tmp_path, alone)
    assert "site-packages" in where
    (block,) = readme.blocks("python")
    (tmp_path / "readme.py").write_text(block, encoding="utf-8")
    # As if pasted at the prompt, so that each result is shown.
    shown = run("python -i -q < readme.py", tmp_path, alone | {"MPLBACKEND": "Agg"})
    assert "Traceback" not in shown
    assert "approximate randomization on BLEU, two-sided: uedin-wmt12" in shown
    assert re.search(r"<Figure|Figure\(", shown), "the heatmap"


def test_the_wheel_alone_writes_a_report(alone, texts):
    command = next(line for line in readme.commands("mtsig") if " -o report.html" in line)
    run(command, texts, alone)
    assert (texts / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    (texts / "report.html").unlink()


# On the command line


@pytest.fixture
def texts(tmp_path) -> Path:
    """A folder with small files of our own under the names that the README's commands have."""
    animals = ("cat", "dog", "horse", "hen", "cow", "goat")
    places = ("house", "garden", "field", "river", "road")
    reference = [f"The {one} sleeps behind the old {other}." for one in animals for other in places]
    kinds: dict[str, list[str]] = {"reference": [], "documents": [], "output": []}
    for command in readme.commands("mtsig"):
        for kind, names in readme.files(command).items():
            kinds[kind] += [name for name in names if name not in kinds[kind]]
    for name in kinds["reference"]:
        write(tmp_path / name, reference)
    for name in kinds["documents"]:
        write(tmp_path / name, [animal for animal in animals for _ in places])
    outputs = [name for name in kinds["output"] if not name.endswith("/")]
    folders = [name for name in kinds["output"] if name.endswith("/")]
    outputs += [f"{folder}{letter}.txt" for folder in folders for letter in "ab"]
    assert len(outputs) >= 3
    for number, name in enumerate(outputs, start=2):
        write(
            tmp_path / name,
            [
                line if i % number else line.replace("sleeps", "sleep is")
                for i, line in enumerate(reference)
            ],
        )
    return tmp_path


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("command", readme.commands("mtsig"))
def test_mtsig(command, activated, texts):
    if "METEORJar" in command and shutil.which("java") is None:
        pytest.skip("METEOR 1.5 needs Java")
    printed = run(command, texts, activated)
    assert "Traceback" not in printed
    outputs = [Path(name) for name in readme.files(command)["output"]]
    found = [path.stem if path.suffix else "b" for path in outputs] or ["onlineB"]
    assert all(re.search(rf"\b{re.escape(name)}\b", printed) for name in found)
    if "--format latex" in command:
        assert r"\begin{tabular}" in printed
    for name in re.findall(r"-o (\S+\.html)", command):
        report = (texts / name).read_text(encoding="utf-8")
        assert "<h1" in report
        assert "default-src 'none'" in report  # it can load nothing


# In the browser


@pytest.mark.browser
@needs_chromium
def test_make_lab_and_run_the_tour(page, clone, activated):
    settings = Path(activated["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    tour = clone / TOUR
    stored = json.loads(tour.read_text(encoding="utf-8"))
    for cell in stored["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None  # or we would see what is stored
    tour.write_text(json.dumps(stored), encoding="utf-8")
    try:
        with serving("lab", clone, activated) as (address, process):
            visit_notebook(page, f"{address}/lab/tree/{TOUR}?reset&token=newcomer")
            ran = page.evaluate(
                "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
            )
            assert ran is True  # false where a cell raised
            outputs = page.evaluate(
                "() => window.jupyterapp.shell.currentWidget.model.toJSON().cells"
                ".flatMap(cell => cell.outputs || [])"
            )
            kinds = {output["output_type"] for output in outputs}
            assert kinds <= {"display_data", "execute_result", "stream"}, kinds
            assert not [o for o in outputs if o.get("name") == "stderr"]
            shown = page.locator(
                ".jp-OutputArea-output", has_text="approximate randomization on BLEU"
            )
            expect(shown.first).to_be_attached()
            assert "Traceback" not in page.content()
            # JupyterLab and the kernel; docs/homes.md says so.
            used = sum(child.memory_info().rss for child in process.children(recursive=True))
            assert used < 1e9
    finally:
        run("git checkout --quiet notebooks", clone, os.environ)


@pytest.mark.browser
@needs_chromium
def test_make_app(page, clone, activated):
    assert "make app" in readme.commands()
    with serving("app", clone, activated) as (address, _):
        visit(page, address, ".mtsig-figure")
        expect(page.locator(".mtsig-verdict")).to_contain_text("is better than")
