"""The package as its users have it: from wheels, in a fresh folder, without our files."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from mtsig_nb.campaigns.data_files import campaign_names, data_folder, registered, registry

from ..messages import naming
from ..newcomer import readme
from ..worse_and_worse import write_texts

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DATA = data_folder()
#: What comes and goes while others work in the repository.
SKIPPED = shutil.ignore_patterns("__pycache__", "*.part", ".*")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> tuple[Path, Path]:
    """Built from what the repository would publish, away from it: of the package, of the data."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("mtsig_nb", "datasets"):
        shutil.copytree(ROOT / name, source / name, ignore=SKIPPED)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder]
    for project in (source, source / "datasets"):
        subprocess.run([*command, project], check=True, capture_output=True)
    shutil.rmtree(source)
    package, data = sorted(folder.glob("*.whl"))
    return package, data


@pytest.fixture(scope="module")
def mtsig(wheels, tmp_path_factory) -> Path:
    """The command in a new environment, which sees the libraries of this one but not the project.

    So nothing is fetched: the wheel is unpacked by pip, its dependencies are those installed here.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    _install(folder, wheels[0])
    # A plain path: .pth files that lie there, such as that of an editable install, are not read.
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    return folder / "bin" / "mtsig"


def _install(folder: Path, wheel: Path, *options: str) -> None:
    command = [folder / "bin" / "python", "-m", "pip", "install", "--no-deps", "--no-index"]
    environment = _environment(folder)
    subprocess.run([*command, *options, wheel], check=True, capture_output=True, env=environment)


def _environment(home: Path) -> dict[str, str]:
    """Ours, without what could lead to the repository, and with a home of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return kept | {"HOME": str(home), "MTSIG_CACHE": str(home / "cache"), "COLUMNS": "200"}


@pytest.fixture
def run(mtsig, tmp_path):
    """Run ``mtsig``, or the Python beside it, in a fresh folder with three files."""
    work = tmp_path / "work"
    work.mkdir()
    write_texts(work)

    def run(
        *arguments: str, code: int = 0, program: str = "mtsig", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [mtsig.parent / program, *arguments],
            cwd=work,
            env=_environment(tmp_path) | variables,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    run.folder = work
    return run


def test_the_wheels_have_every_file_of_the_data_once(wheels):
    assert wheels[0].stat().st_size < 8e6
    found = []
    for wheel, folder in zip(wheels, ("mtsig_nb/_datasets/", "mtsig_nb_data/"), strict=True):
        with zipfile.ZipFile(wheel) as members:
            names = [name for name in members.namelist() if name.startswith(folder)]
        found += [name.removeprefix(folder) for name in names]
    published = {name for name in found if name.startswith("published/")}
    assert len(published) > 10
    listed = {f"{name}/{file}" for name in campaign_names() for file in registered(DATA, name)}
    assert sorted(found) == sorted(published | listed | {"registry.tsv"})


def test_the_first_answer_of_the_readme(run):
    command, *_ = readme.commands("mtsig")
    block, *_ = readme.blocks("text")
    assert run(*shlex.split(command)[1:]).stdout.splitlines()[0] == block.splitlines()[0]


def test_the_other_campaigns_come_with_their_own_wheel(run, mtsig, wheels, tmp_path):
    command = ("compare", "-t", "wmt17/en-de", "-n", "100", "-f", "json")
    assert "wmt17/en-de" in run("datasets").stdout
    said = run(*command, code=1).stderr
    assert re.search(naming("wmt17/en-de", "not installed"), said)
    version = registry(DATA)[0]
    assert f'python -m pip install "mtsig_nb_data=={version}.*"' in said
    # Elsewhere, as where the package is a server's and the data are a user's.
    _install(mtsig.parents[1], wheels[1], "--target", str(tmp_path / "own"))
    assert json.loads(run(*command, PYTHONPATH=str(tmp_path / "own")).stdout)["pairs"]
    assert wheels[1].name.split("-")[1] == version


def test_compare_files(run):
    done = run("compare", "-r", "ref.txt", "good.txt", "poor.txt", "-n", "500", "-f", "json")
    (pair,) = json.loads(done.stdout)["pairs"]
    assert (pair["system_a"], pair["conclusion"]) == ("good", "better")
    assert done.stderr == ""


#: Imports of what extras bring fail as where they were not installed.
CORE_ONLY = """
import re, sys
from importlib.metadata import requires

extras = "extra == .(notebook|data|app|meteor|dask)."
lines = [line for line in requires("mtsig_nb") if re.search(extras, line)]
brought = [re.match(r"[\\w.-]+", line)[0] for line in lines]
assert {"ipython", "matplotlib", "pooch", "snowballstemmer"} <= {*brought}
for name in brought:
    sys.modules[{"ipython": "IPython"}.get(name, name)] = None
"""


@pytest.mark.thorough
def test_what_the_core_alone_can_do(run):
    (run.folder / "mtsig.py").write_text(
        CORE_ONLY + "from mtsig_nb.cli import main\nsys.exit(main())\n"
    )
    (run.folder / "package.py").write_text(CORE_ONLY + AT_THE_CORE)

    def core(*arguments: str, code: int = 0) -> str:
        done = run(*arguments, code=code, program="python")
        return done.stderr if code else done.stdout

    files = ("-r", "ref.txt", "good.txt", "poor.txt", "-n", "500")
    campaign = ("-t", "wmt12/es-en")
    assert "onlineB is better" in core("mtsig.py", "compare", *campaign)
    assert "METEOR" in core("mtsig.py", "measure", *campaign, "-m", "all")
    assert "wmt12/es-en" in core("mtsig.py", "datasets")
    assert "good is better" in core("mtsig.py", "compare", *files)
    said = core("mtsig.py", "compare", *files, "-o", "x.html", code=1)
    assert re.match(naming("mtsig: error: ", "report", "matplotlib", "'notebook'"), said)
    said = core("mtsig.py", "measure", *files[:4], "-m", "BLEU", "-m", "METEOR", code=1)
    assert re.match(naming("mtsig: error: metric='METEOR'", "snowballstemmer", "extra"), said)
    assert core("package.py").splitlines() == [
        "notebook: matplotlib",
        "notebook: matplotlib",
        "notebook: anywidget, ipywidgets, matplotlib",
        "data: pooch",
        "meteor: snowballstemmer",
        "meteor: pycocoevalcap",
    ]


AT_THE_CORE = """
import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB"])
texts = mt.read_test_set(reference="ref.txt", systems=["good.txt", "poor.txt"])
result = mt.approximate_randomization(bleu, "onlineA", "onlineB", n_resamples=100, rng=1)
comparisons = mt.compare_all(bleu, n_resamples=100, rng=1)
assert chr(92) + "begin{tabular}" in comparisons.to_latex()
for asked in (
    result.plot,
    comparisons.heatmap,
    mt.explore,
    lambda: mt.fetch_texts("wmt12/es-en", cache="."),
    lambda: mt.measure(texts, "METEOR"),
    lambda: mt.measure(texts, "METEORJar"),
):
    try:
        asked()
    except mt.InputError as error:
        needed, extra = re.search(r"needs (.+), of the extra '(.+?)'", str(error)).groups()
        print(f"{extra}: {needed}")
"""
