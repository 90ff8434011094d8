"""Nothing that the browser has to install is missing on the site, or too old, or too new."""

from __future__ import annotations

import json
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.site.lite.staging import PRODUCTION

from ..repository.test_environment import lock_entries, requirements
from . import fixture

#: Versions of the packages that Pyodide itself has, from the lock that is published with it.
PYODIDE = json.loads((PRODUCTION.folder / "pyodide.json").read_text(encoding="utf-8"))
PLACE = {
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "python_version": "3.14",
    "python_full_version": PYODIDE["python"],
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}


def pins(lock: str) -> dict[str, Version]:
    return {
        name: Version(next(iter(requirement.specifier)).version)
        for name, (requirement, _) in lock_entries(lock).items()
    }


def test_every_wheel_that_the_package_needs_is_on_the_site():
    on_site, own = pins("lite/wheels.lock"), PYODIDE["packages"]
    asked = [Requirement(text) for text in PRODUCTION.requirements]
    asked += [Requirement(f"{name}{allowed}") for name, allowed in requirements().items()]
    asked += [Requirement("snowballstemmer")]  # of METEOR in Python
    seen, used = {"mtsig-nb"}, set()
    while asked:
        requirement = asked.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker and not requirement.marker.evaluate(PLACE):
            continue
        if name in own:
            assert Version(own[name]) in requirement.specifier, requirement
        elif name in on_site:
            assert on_site[name] in requirement.specifier, requirement
            used.add(name)
            if name not in seen:
                asked += map(Requirement, metadata.requires(name) or [])
        else:
            # The kernel brings an empty one.
            assert name in ("mtsig-nb", "widgetsnbextension"), name
        seen.add(name)
    assert used == set(on_site), "wheels that nothing needs"


def test_both_halves_of_the_widgets_have_one_version():
    for folder in ("lite", "tests/lite"):
        interface, browser = pins(f"{folder}/environment.lock"), pins(f"{folder}/wheels.lock")
        for name in ("anywidget", "jupyterlab-widgets"):
            assert interface[name] == browser[name], folder


def test_the_fixture_has_the_same_wheels_but_where_it_says_so():
    ours, older = pins("lite/wheels.lock"), pins("tests/lite/wheels.lock")
    assert [name for name, version in ours.items() if older[name] != version] == ["typer"]
    assert fixture.HERE.joinpath("wheels.in").read_text().count("typer") == 1
