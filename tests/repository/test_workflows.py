"""Workflows: pinned actions, and nothing that is published before the tests are green."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(name: str) -> dict[str, Any]:
    content = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))
    return content["jobs"]


def waits_for(name: str, job: str) -> set[str]:
    """All jobs that have to be green before `job` begins."""
    every = jobs(name)
    needed = every[job].get("needs", [])
    direct = {needed} if isinstance(needed, str) else set(needed)
    return direct.union(*(waits_for(name, other) for other in direct))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_named_by_commit_with_their_version_beside_it(path):
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    others = [action for action in used if not action.startswith("./")]
    for action in others:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize(("name", "job"), [("publish.yml", "publish"), ("pages.yml", "publish")])
def test_nothing_is_published_before_the_tests_are_green(name, job):
    assert "tests" in waits_for(name, job)
    assert jobs(name)["tests"]["uses"] == "./.github/workflows/tests.yml"


def test_every_system_runs_all_tests():
    (command,) = (
        step["run"] for step in jobs("tests.yml")["rooms"]["steps"] if "pytest" in str(step)
    )
    assert command.split()[-2:] == ["mtsig_nb", "tests"]


def test_everything_runs_once_a_week():
    text = (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8")
    assert "schedule:" in text
    everything = jobs("weekly.yml")["everything"]
    assert "make test-all" in [step.get("run") for step in everything["steps"]]


def test_oldest_and_newest_versions_are_tried_once_a_week():
    tried = jobs("weekly.yml")["bounds"]["strategy"]["matrix"]["include"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [text for text in project["classifiers"] if "Python :: 3." in text]
    versions = sorted((text.rpartition(" ")[2] for text in named), key=lambda v: int(v[2:]))
    assert {row["resolution"]: row["python"] for row in tried} == {
        "lowest-direct": versions[0],
        "highest": versions[-1],
    }


def test_a_release_is_built_by_tools_with_hashes():
    steps = [step.get("run", "") for step in jobs("publish.yml")["build"]["steps"]]
    installs = [run for run in steps if "pip install" in run]
    assert installs == ["python -m pip install --require-hashes -r packaging/release.lock"]


def paths(job: str, action: str) -> list[str]:
    """The paths that a job of ``publish.yml`` gives to an action."""
    steps = jobs("publish.yml")[job]["steps"]
    return [step["with"]["path"] for step in steps if action in step.get("uses", "")]


# Trusted publishing, as far as it can be checked without an account.

PUBLISH = jobs("publish.yml")["publish"]
PROJECTS = PUBLISH["strategy"]["matrix"]["project"]


def test_each_package_is_published_from_the_environment_of_its_name():
    declared = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (".", "datasets")
    ]
    assert [project["name"] for project in declared] == PROJECTS
    assert PUBLISH["environment"] == "${{ matrix.project }}"
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in ["publish.yml", *PROJECTS])


def test_only_the_job_that_publishes_can_ask_for_an_identity_and_it_runs_no_code_of_ours():
    assert PUBLISH["permissions"] == {"id-token": "write"}
    for name, job in jobs("publish.yml").items():
        asks = "id-token" in job.get("permissions", {})
        assert asks == (name == "publish")
    download, upload = PUBLISH["steps"]
    assert download["uses"].startswith("actions/download-artifact@")
    assert download["with"]["name"] == "${{ matrix.project }}"
    assert upload["uses"].startswith("pypa/gh-action-pypi-publish@")
    # Attestations are made by default; a password would replace the identity.
    assert {*upload["with"]} == {"skip-existing"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_keep_no_secret_and_read_only_by_default(path):
    text = path.read_text(encoding="utf-8")
    assert "secrets." not in text
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    checkouts = [
        step
        for job in yaml.safe_load(text)["jobs"].values()
        for step in job.get("steps", [])
        if "actions/checkout@" in step.get("uses", "")
    ]
    assert all(step["with"] == {"persist-credentials": False} for step in checkouts)


def test_files_are_tried_as_they_are_published():
    assert {"tests", "build", "try"} <= waits_for("publish.yml", "publish")
    assert paths("build", "upload-artifact") == [
        *(f"dist/{project}-*" for project in PROJECTS),
        "build/release",
    ]
    assert paths("publish", "download-artifact") == ["dist"]


def test_an_sbom_and_hashes_are_put_beside_the_release_and_not_on_pypi():
    describe = jobs("publish.yml")["describe"]
    assert describe["permissions"] == {"contents": "write"}
    assert {"tests", "build", "try"} <= waits_for("publish.yml", "describe")
    runs = [step.get("run", "") for step in jobs("publish.yml")["build"]["steps"]]
    (made,) = (place for place, run in enumerate(runs) if run == "packaging/describe.sh")
    assert made > max(place for place, run in enumerate(runs) if "-m build" in run)
    assert "release upload" in describe["steps"][-1]["run"]
