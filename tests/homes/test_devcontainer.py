"""The devcontainer: its steps in a Debian that has nothing else, and what runs there afterwards.

Neither Codespaces nor VS Code is asked.  The bare Debian is a container where Docker or Podman runs
one, or else a folder that root fills with debootstrap.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest

from tools.notebooks import files
from tools.site import public_copy

TEXT = (files.ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
#: JSON with comments; here they have lines of their own.
SETTINGS = json.loads(re.sub(r"^\s*//.*$", "", TEXT, flags=re.MULTILINE))
STEPS = SETTINGS["onCreateCommand"]
WORKSPACE = "workspaces/mtsig_nb"
#: What somebody does next: the command, and a unit in a kernel.
USE = (
    ".venv/bin/mtsig compare -t wmt12 -l es-en onlineB uedin-wmt12 UPC --units documents"
    f" && .venv/bin/jupyter execute {public_copy.FIRST_UNIT}"
)


def test_steps_name_what_is_there_and_install_git_and_make_first():
    programs = re.findall(r"(?:&& )(\.?\w+/[\w./]+)", STEPS)
    assert programs == [".ci/install", "tools/setup.sh"]
    assert all(os.access(files.ROOT / program, os.X_OK) for program in programs)
    installed = re.search(r"apt-get install (.+?) &&", STEPS)
    assert {"ca-certificates", "git", "make"} <= {*installed[1].split()}
    interpreter = SETTINGS["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    assert interpreter == "${containerWorkspaceFolder}/.venv/bin/python"


def test_the_image_is_the_one_that_all_tests_run_in():
    workflow = (files.ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert f"container: {SETTINGS['image']}\n" in workflow


def engine() -> str:
    """Docker or Podman, if it runs containers; empty otherwise."""
    for name in ("docker", "podman"):
        program = shutil.which(name)
        if program and subprocess.run([program, "info"], capture_output=True).returncode == 0:
            return program
    return ""


@pytest.fixture
def run(tmp_path) -> Iterator[Callable[[str], subprocess.CompletedProcess]]:
    """Run a command in the bare Debian, at the top of a clone of this repository."""
    root = tmp_path / "debian"
    program = engine()
    if program:
        source = f"{root / WORKSPACE}:/{WORKSPACE}"
        image = SETTINGS["image"]
        command = [program, "run", "--rm", "-v", source, "-w", f"/{WORKSPACE}", image]
    elif os.geteuid() == 0 and shutil.which("debootstrap"):
        _, _, release = SETTINGS["image"].partition(":")
        subprocess.run(["debootstrap", "--variant=minbase", release, str(root)], check=True)
        command = ["unshare", "--mount", "--pid", "--fork", "chroot", str(root)]
    else:
        pytest.skip("needs Docker, Podman, or debootstrap and root")
    clone = ["git", "clone", "--quiet", str(files.ROOT), str(root / WORKSPACE)]
    subprocess.run(clone, check=True)
    variables = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"]
    certificates = os.environ.get("PIP_CERT")  # of a network that has its own
    if certificates:
        shutil.copy(certificates, root / WORKSPACE / ".git" / "certificates")
        variables.append(f"PIP_CERT=/{WORKSPACE}/.git/certificates")

    def run(typed: str) -> subprocess.CompletedProcess:
        prepared = typed
        if not program:
            mounts = "mount -t proc proc /proc && mount -t tmpfs tmpfs /dev/shm"
            prepared = f"mkdir -p /dev/shm && {mounts} && cd /{WORKSPACE} && {typed}"
        line = [*command, "env", "-i", *variables, "sh", "-c", prepared]
        return subprocess.run(line, capture_output=True, text=True)

    yield run
    shutil.rmtree(root)


@pytest.mark.thorough
@pytest.mark.network
def test_steps_run_in_a_bare_debian_and_the_course_after_them(run):
    # One container: what the steps install outside the workspace has to be there afterwards.
    done = run(f"{STEPS} && {USE}")
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "onlineB is better than both others" in done.stdout
