"""`Containerfile`, as far as it can be checked without building it: no engine is asked for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")


def instructions(name: str = "") -> list[str]:
    """The instructions of that name, without it, each on one line; all, whole, without a name."""
    without_comments = re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", "", without_comments).splitlines()
    return [line.removeprefix(f"{name} ") for line in joined if line.strip() and name in line[:10]]


def copied() -> list[str]:
    """Every path that is copied from the repository."""
    return [
        path
        for line in instructions("COPY")
        for path in line.split()[:-1]
        if not path.startswith("--")
    ]


def test_instructions_are_those_of_the_format():
    known = {"FROM", "RUN", "USER", "WORKDIR", "ENV", "COPY", "EXPOSE", "CMD"}
    assert {line.split()[0] for line in instructions()} == known
    assert instructions()[0].startswith("FROM python:3.11-slim")


def test_everything_copied_exists_and_is_let_through():
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in ignore
    assert {line[1:] for line in ignore if line.startswith("!")} == set(copied())
    assert all((ROOT / path).exists() for path in copied())


def test_solutions_stay_out():
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for folder in ("notebooks/labs/instructor", "notebooks/labs/source"):
        assert (ROOT / folder).is_dir()
        assert ignore.index(folder) > ignore.index("!notebooks")  # the last that fits decides


def test_everything_that_the_package_is_built_from_is_copied():
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'readme = "README.md"' in pyproject
    assert 'license-files = ["LICENSE"]' in pyproject
    needed = {"pyproject.toml", "README.md", "LICENSE", "mtsig_nb", "datasets", "requirements.lock"}
    assert needed <= set(copied())


def test_only_the_lock_is_installed_and_with_its_hashes():
    installs = [part for line in instructions("RUN") for part in line.split("&&") if "pip" in part]
    assert [install.split() for install in installs] == [
        ["pip", "install", "--require-hashes", "-r", "requirements.lock"],
        ["pip", "install", "--no-deps", "--no-build-isolation", "--editable", "."],
    ]
    assert not re.search(r"index-url|find-links|trusted-host|://", TEXT)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("command", instructions("RUN"))
def test_shell_is_shell(command):
    checked = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_it_runs_jupyterlab_with_a_token_and_not_as_root():
    (user,) = instructions("USER")
    assert user != "root"
    order = [line.split()[0] for line in instructions()]
    assert order.index("RUN") < order.index("USER") < order.index("COPY")
    assert all(f"--chown={user}" in line for line in instructions("COPY"))
    (command,) = instructions("CMD")
    words = json.loads(command)
    assert words[:2] == ["jupyter", "lab"]
    assert words[-1] == "--LabApp.default_url=/lab/tree/notebooks"
    assert not any("token" in word or "password" in word or "root" in word for word in words)
    (port,) = instructions("EXPOSE")
    assert f"--port={port}" in words
