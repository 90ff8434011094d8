"""Every public name is documented, has an example that runs, and is in the API reference."""

from __future__ import annotations

import doctest
import functools
import importlib
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


#: Class methods by which the tests of this package make their results, and methods that draw
#: (`mtsig_nb.plots` has the examples) or are the same of every result.
WITHOUT_EXAMPLE = {"of_pairs", "plot", "heatmap", "to_frame"}
CLASSES = [thing for thing in DOCUMENTED.values() if inspect.isclass(thing)]


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


def methods(cls: type, *kinds: type) -> list[str]:
    """Public methods that a class defines itself, and what else is of these kinds."""
    kinds += (classmethod, staticmethod, types.FunctionType)
    own = vars(cls).items()
    return [name for name, value in own if not name.startswith("_") and isinstance(value, kinds)]


@pytest.mark.parametrize("cls", CLASSES)
def test_methods_have_a_docstring(cls):
    """Of their own, or where the interface is documented that they fill in."""
    named = methods(cls, property)
    assert [name for name in named if not inspect.getdoc(getattr(cls, name))] == []


@functools.cache
def examples() -> str:
    """The source of every example of the package."""
    paths = (ROOT / "mtsig_nb").rglob("*.py")
    lines = [line.strip() for path in paths for line in path.read_text("utf-8").splitlines()]
    return "\n".join(line for line in lines if re.match(r"(>>>|\.\.\.) ", line))


@pytest.mark.parametrize("cls", CLASSES)
def test_methods_are_shown_in_an_example(cls):
    inherited = {name for base in cls.__mro__[1:] for name in vars(base)}
    named = set(methods(cls)) - inherited - WITHOUT_EXAMPLE
    assert {name for name in named if f".{name}(" not in examples()} == set()


def listed(page: str) -> list[str]:
    """The names in the lists of a page of the API reference, in full."""
    module, names, inside = "", [], False
    for line in (ROOT / "book" / "api" / page).read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        if line and not line.startswith(" "):
            inside = line.startswith(".. autosummary::")
        elif inside and line.strip() and not line.strip().startswith(":"):
            names.append(".".join(filter(None, [module, line.strip()])))
    return names


def test_the_api_page_lists_every_public_name_once():
    assert sorted(listed("index.rst")) == sorted(name for name, _ in public())
    assert set(mt.__all__) <= set(dir(mt))


def test_the_derivations_are_in_the_reference():
    modules = listed("derivations.rst")
    expected = {"engine.resampling", "engine.procedures", "significance.corrections"}
    assert {f"mtsig_nb.{name}" for name in expected} <= set(modules)
    for name in modules:
        doc = inspect.cleandoc(importlib.import_module(name).__doc__ or "")
        assert len(doc.splitlines()) > 1, f"{name} says what it is, and no more"


def test_names_that_differ_only_in_case_have_files_of_their_own():
    config = (ROOT / "book" / "_config.yml").read_text(encoding="utf-8")
    renamed = dict(re.findall(r"^ +(mtsig_nb\.\S+): (mtsig_nb\.\S+)$", config, re.MULTILINE))
    files = [renamed.get(name, name).casefold() for name in listed("index.rst")]
    assert len(set(files)) == len(files)
