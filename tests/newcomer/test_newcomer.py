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

from tools.notebooks import files as notebook_files

from ..browser.pages import visit, visit_notebook
from ..messages import naming
from ..worse_and_worse import REFERENCE, write
from . import readme
from .processes import run, serving

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
    source = shlex.quote(str(ROOT))
    beside = (
        f"git --git-dir=origin.git --work-tree={source} "
        "-c user.name=Newcomer -c user.email=newcomer@example.org"
    )
    for command in (
        f"git clone --quiet --bare {source} origin.git",
        f"{beside} read-tree HEAD && {beside} add --all",
        f"{beside} commit --quiet --allow-empty -m 'The working state'",
        "git clone --quiet origin.git mtsig_nb",
    ):
        run(command, bare, environment)
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
    assert "`make lab`" in readme.PAGE
    assert len(readme.blocks("python")) == 1


def test_make_run(clone, installed):
    places = [path.relative_to(notebook_files.SERIES) for path in notebook_files.series()]
    assert len(places) >= 11
    assert f"\n{len(places)} of {len(places)} notebooks" in installed
    assert installed.endswith("Open build/notebooks/index.html\n")
    assert 0 < len(re.findall(r"^    \S.*: \S", installed, re.MULTILINE)) <= 12
    pages = clone / "build/notebooks"
    index = (pages / "index.html").read_text(encoding="utf-8")
    for page in (place.with_suffix(".html") for place in places):
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


def test_the_wheel_alone_runs_the_python_of_the_readme_and_writes_a_report(alone, texts):
    where = run("python -c 'import mtsig_nb; print(mtsig_nb.__file__)'", texts, alone)
    assert "site-packages" in where
    (block,) = readme.blocks("python")
    (texts / "readme.py").write_text(block, encoding="utf-8")
    # As if pasted at the prompt, so that each result is shown.
    shown = run("python -i -q < readme.py", texts, alone | {"MPLBACKEND": "Agg"})
    assert "Traceback" not in shown
    title = naming("approximate randomization", "BLEU", "two-sided", "uedin-wmt12")
    assert re.search(title, shown)
    assert re.search(r"<Figure|Figure\(", shown), "the heatmap"
    (command,) = (line for line in readme.commands("mtsig") if " -o report.html" in line)
    run(command, texts, alone)
    assert (texts / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


# On the command line


@pytest.fixture
def texts(tmp_path) -> Path:
    """A folder with small files of our own under the names that the README's commands have."""
    (tmp_path / "outputs").mkdir()
    for number, name in enumerate(("a", "b", "c", "outputs/a", "outputs/b"), start=2):
        lines = [x if i % number else x.replace("sleep", "wake") for i, x in enumerate(REFERENCE)]
        write(tmp_path / f"{name}.txt", lines)
    write(tmp_path / "ref.txt", REFERENCE)
    write(tmp_path / "docs.txt", [line.split()[1] for line in REFERENCE])
    return tmp_path


@pytest.mark.parametrize("command", readme.commands("mtsig"))
def test_mtsig(command, activated, texts):
    if "METEORJar" in command and shutil.which("java") is None:
        pytest.skip("METEOR 1.5 needs Java")
    printed = run(command, texts, activated)
    assert "Traceback" not in printed
    named = ["onlineB"] if "wmt12" in command else re.findall(r"\b(\w)\.txt", command) or ["b"]
    assert all(re.search(rf"\b{name}\b", printed) for name in named)
    if "--format latex" in command:
        assert r"\begin{tabular}" in printed
    for name in re.findall(r"-o (\S+\.html)", command):
        report = (texts / name).read_text(encoding="utf-8")
        assert "<h1" in report
        assert "default-src 'none'" in report  # it can load nothing


# In the browser


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
            assert kinds <= {"display_data", "execute_result", "stream"}
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


def test_make_app(page, clone, activated):
    assert "make app" in readme.commands()
    with serving("app", clone, activated) as (address, _):
        visit(page, address, ".mtsig-figure")
        expect(page.locator(".mtsig-verdict")).to_contain_text("is better than")
