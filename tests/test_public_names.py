"""Every public name is documented, has an example that runs, and is in the API reference."""

from __future__ import annotations

import doctest
import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb import human, metrics, plots, simulate

ROOT = Path(__file__).parent.parent
MODULES = (mt, metrics, human, simulate, plots)


def public() -> Iterator[tuple[str, object]]:
    """Every public name with its object, modules left out."""
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if not inspect.ismodule(thing):
                yield f"{module.__name__}.{name}", thing


#: Tables and the union of types are data; what they hold is documented.
DOCUMENTED = {
    name: thing for name, thing in public() if inspect.isclass(thing) or inspect.isfunction(thing)
}


def sections(thing: object) -> dict[str, str]:
    """The numpydoc docstring of the object itself, not one that it inherits, by its headings."""
    doc = inspect.cleandoc(thing.__doc__ or "")
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> set[str]:
    """The names that a section of parameters or attributes describes."""
    lines = [line for line in section.splitlines() if line and not line.startswith(" ")]
    return {name.strip().lstrip("*") for line in lines for name in line.split(" : ")[0].split(",")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_has_an_example_that_runs(name):
    section = sections(DOCUMENTED[name]).get("Examples", "")
    found = doctest.DocTestParser().get_examples(section)
    assert found, f"{name} has no example"
    assert not any(doctest.SKIP in example.options for example in found)
    # pytest collects what is defined in the package's modules, and nothing else.
    assert DOCUMENTED[name].__module__.startswith("mtsig_nb")


@pytest.mark.parametrize(
    "name", [name for name, thing in DOCUMENTED.items() if inspect.isfunction(thing)]
)
def test_parameters_are_documented(name):
    parameters = set(inspect.signature(DOCUMENTED[name]).parameters)
    assert described(sections(DOCUMENTED[name]).get("Parameters", "")) == parameters


@pytest.mark.parametrize("cls", [thing for thing in DOCUMENTED.values() if inspect.isclass(thing)])
def test_methods_have_a_docstring(cls):
    """Of their own, or where the interface is documented that they fill in."""
    names = [name for name in vars(cls) if not name.startswith("_")]
    kinds = (property, classmethod, staticmethod, types.FunctionType)
    methods = [name for name in names if isinstance(vars(cls)[name], kinds)]
    assert [name for name in methods if not inspect.getdoc(getattr(cls, name))] == []


def listed() -> list[str]:
    """The names in the lists of the API reference, in full."""
    module, names, inside = "", [], False
    page = ROOT / "book" / "api" / "index.rst"
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        if line and not line.startswith(" "):
            inside = line.startswith(".. autosummary::")
        elif inside and line.strip() and not line.strip().startswith(":"):
            names.append(".".join(filter(None, [module, line.strip()])))
    return names


def test_the_api_page_lists_every_public_name_once():
    assert sorted(listed()) == sorted(name for name, _ in public())


def test_names_that_differ_only_in_case_have_files_of_their_own():
    config = (ROOT / "book" / "_config.yml").read_text(encoding="utf-8")
    renamed = dict(re.findall(r"^ +(mtsig_nb\.\S+): (mtsig_nb\.\S+)$", config, re.MULTILINE))
    files = [renamed.get(name, name).casefold() for name in listed()]
    assert len(set(files)) == len(files)
