"""`Containerfile` and grading in it, as far as they can be checked without an engine."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from ..messages import naming

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")


def instructions(name: str = "") -> list[str]:
    """The instructions of that name, without it, each on one line; all, whole, without a name."""
    without_comments = re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", "", without_comments).splitlines()
    return [line.removeprefix(f"{name} ") for line in joined if line.strip() and name in line[:10]]


def test_solutions_stay_out():
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for folder in ("notebooks/labs/instructor", "notebooks/labs/source"):
        assert (ROOT / folder).is_dir()
        assert ignore.index(folder) > ignore.index("!notebooks")  # the last that fits decides


def test_the_lock_is_installed_and_jupyterlab_asks_for_a_token_and_is_not_run_by_root():
    installs = [part for line in instructions("RUN") for part in line.split("&&") if "pip" in part]
    assert [install.split() for install in installs] == [
        ["pip", "install", "--require-hashes", "-r", "requirements.lock"],
        ["pip", "install", "--no-deps", "--no-build-isolation", "--editable", "."],
    ]
    assert not re.search(r"index-url|find-links|trusted-host|://", TEXT)
    (user,) = instructions("USER")
    assert user != "root"
    order = [line.split()[0] for line in instructions()]
    assert order.index("RUN") < order.index("USER") < order.index("COPY")
    assert all(f"--chown={user}" in line for line in instructions("COPY"))
    (command,), (port,) = instructions("CMD"), instructions("EXPOSE")
    words = json.loads(command)
    assert words[:2] == ["jupyter", "lab"]
    assert words[-1] == "--LabApp.default_url=/lab/tree/notebooks"
    assert not any("token" in word or "password" in word or "root" in word for word in words)
    assert f"--port={port}" in words


# Grading.


INSIDE = "/home/student/mtsig_nb"
#: What an engine is told, each with its value.
BOUNDS = (
    "--rm --network none --read-only --cap-drop ALL --security-opt no-new-privileges "
    "--memory 3g --memory-swap 3g --cpus 1 --pids-limit 256 "
    "--tmpfs /tmp:rw,nosuid,nodev,size=512m --user 1000:1000"
)


@pytest.fixture
def ask(tmp_path):
    """Grade with an engine that only writes down what it is asked for: what is said, the words."""

    def ask(handed_in: Path, engine: str = "podman") -> tuple[str, list[list[str]]]:
        asked = tmp_path / "asked"
        asked.write_text("")
        programs = {"id": "echo 1000", engine: f'printf "%s\\0" "$@" \'\n\' >>{asked}'}
        for name, line in programs.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
            (tmp_path / name).chmod(0o755)
        around = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "ENGINE": engine}
        command = [ROOT / "tools" / "grade_in_container.sh", handed_in]
        done = subprocess.run(command, env=around, stderr=subprocess.PIPE, text=True)
        words = [line.split("\0")[:-1] for line in asked.read_text().split("\n\0")[:-1]]
        assert done.returncode == bool(done.stderr)
        return done.stderr, words

    return ask


def test_grading_has_no_network_no_rights_and_bounds(tmp_path, ask):
    _, (build, run) = ask(tmp_path)
    assert build == ["build", "--quiet", "--file", "Containerfile", "--tag", "mtsig_nb", "."]
    assert run[0] == "run"
    options = run[: run.index("mtsig_nb")]
    for option in re.findall(r"--\S+(?: (?!--)\S+)?", BOUNDS):
        assert f" {option} " in " ".join(options)
    assert not {"--privileged", "--cap-add", "--env-file", "--device"} & set(options)
    _, (_, docker) = ask(tmp_path, "docker")
    assert set(run) - set(docker) == {"--userns=keep-id"}


@pytest.mark.parametrize("name", ["", "Doe, Jane's second.ipynb"])
def test_grading_can_write_marks_and_nothing_else(tmp_path, ask, name):
    handed_in = tmp_path / name
    if name:
        handed_in.touch()
    _, (_, run) = ask(handed_in)
    mounts = [run[at + 1].split(":") for at, word in enumerate(run) if word == "--volume"]
    assert [mount for mount in mounts if mount[2:] != ["ro"]] == [[f"{ROOT}/build/marks", "/marks"]]
    assert {source: target for source, target, *_ in mounts} == {
        f"{ROOT}/tools": f"{INSIDE}/tools",
        f"{ROOT}/notebooks/labs": f"{INSIDE}/notebooks/labs",
        f"{ROOT}/build/marks": "/marks",
        str(handed_in): f"/submissions/{name}".rstrip("/"),
    }
    assert instructions("WORKDIR") == [INSIDE]
    assert run[run.index("--workdir") + 1] == INSIDE


def test_a_link_is_not_followed_into_the_container(tmp_path, ask):
    (tmp_path / "of the lecturer.txt").touch()
    link = tmp_path / "handed in.ipynb"
    link.symlink_to(tmp_path / "of the lecturer.txt")
    refusal, commands = ask(link)
    assert commands == []
    assert re.match(naming(f"{link} ", "link", ".ipynb"), refusal)
