"""The lists of dependencies agree, and Binder is built from the one that is meant for it."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = (
    "requirements.lock",
    "tools/run.lock",
    "book/requirements.lock",
    "packaging/release.lock",
    "lite/environment.lock",
    "lite/wheels.lock",
    "tests/lite/environment.lock",
    "tests/lite/wheels.lock",
    "datasets/building/requirements-parsing.txt",
)


def requirements(*extras: str) -> dict[str, SpecifierSet]:
    """Name and version range of each dependency in pyproject.toml, with those of some extras."""
    texts = list(PROJECT["dependencies"])
    for extra in extras:
        texts += EXTRAS[extra]
    parsed = map(Requirement, texts)
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in parsed}


def lock_entries(lock: str = "requirements.lock") -> dict[str, tuple[Requirement, list[str]]]:
    """Each requirement of a lock with its hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    joined = re.sub(r"\\\n\s*", "", text)
    entries = {}
    for line in joined.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        requirement = Requirement(line.split("--hash")[0])
        name = canonicalize_name(requirement.name)
        assert name not in entries, f"{name} is locked twice"
        entries[name] = (requirement, re.findall(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)", line))
    return entries


@pytest.mark.parametrize(
    ("lock", "extra"),
    [
        *(("requirements.lock", extra) for extra in EXTRAS if extra != "book"),
        ("tools/run.lock", "run"),
        ("book/requirements.lock", "book"),
    ],
)
def test_lock_satisfies_pyproject(lock, extra):
    locked = lock_entries(lock)
    for name, allowed in requirements(extra).items():
        assert name in locked, f"{name} is not in {lock}; run make lock"
        (pin,) = locked[name][0].specifier
        assert pin.operator == "=="
        assert Version(pin.version) in allowed, f"{name}: run make lock"


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_pins_and_hashes_everything(lock):
    for name, (requirement, hashes) in lock_entries(lock).items():
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], name
        assert hashes, f"{name} has no hash"


def wanted_extras(package: str) -> list[Requirement]:
    """What an installed package needs with extras, such as ``coverage[toml]``."""
    try:
        texts = metadata.requires(package) or []
    except metadata.PackageNotFoundError:  # of another system, or of another environment
        return []
    needed = [Requirement(text) for text in texts]
    without_condition = [r for r in needed if r.marker is None or r.marker.evaluate({"extra": ""})]
    return [requirement for requirement in without_condition if requirement.extras]


@pytest.mark.parametrize("lock", LOCKS)
def test_extras_are_locked(lock):
    """Before 23.1, pip takes ``coverage[toml]`` for unlocked where the lock has ``coverage``."""
    locked = lock_entries(lock)
    for package in locked:
        for requirement in wanted_extras(package):
            name = canonicalize_name(requirement.name)
            if name in locked:
                assert requirement.extras <= locked[name][0].extras, f"{package}: run make lock"


def test_conda_environment_has_the_ranges_of_pyproject():
    """Of what notebooks and the browser app need: on Binder and course servers."""
    expected = requirements("notebook", "data", "app", "meteor")
    expected["matplotlib-base"] = expected.pop("matplotlib")  # as conda-forge calls it
    del expected["pycocoevalcap"]  # METEOR's jar needs Java, which is not there
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    listed = [Requirement(text) for text in conda["dependencies"] if ">" in text]
    assert {canonicalize_name(r.name): r.specifier for r in listed} == expected


def test_binder_has_the_same_environment():
    here, there = (ROOT / "environment.yml"), (ROOT / "binder" / "environment.yml")
    assert here.read_bytes() == there.read_bytes(), "cp environment.yml binder/environment.yml"


def test_ci_runs_what_there_is_and_neither_command_hides_the_other():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert text.splitlines()[-3:] == [
        "make test </dev/null || status=1",
        'make test-rest ARGS="$REST" </dev/null || status=1',
        "exit $status",
    ]
    (places,) = re.findall(r'^REST="(.+)"$', text, re.MULTILINE)
    assert all((ROOT / place).exists() for place in places.split())
