"""Every public name is documented, has an example that runs, and is in the API reference."""

from __future__ import annotations

import doctest
import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb import human, metrics, plots, simulate

ROOT = Path(__file__).parent.parent
MODULES = (mt, metrics, human, simulate, plots)
#: Methods without an example of their own: they draw (`mtsig_nb.plots` has the examples), or are
#: the same of every result.
UNIFORM = {"plot", "heatmap", "to_frame"}
#: Class methods by which the tests of this package make their results.
BUILDERS = {"of_pairs"}


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
CLASSES = {name: thing for name, thing in DOCUMENTED.items() if inspect.isclass(thing)}


def own_doc(thing: object) -> str:
    """The docstring of the object itself, not one that it inherits."""
    return inspect.cleandoc(thing.__doc__ or "")


def sections(doc: str) -> dict[str, str]:
    """A numpydoc docstring by its headings."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> set[str]:
    """The names that a section of parameters or attributes describes."""
    lines = [line for line in section.splitlines() if line and not line.startswith(" ")]
    return {name.strip().lstrip("*") for line in lines for name in line.split(" : ")[0].split(",")}


def methods(cls: type) -> Iterator[tuple[str, object]]:
    """Public methods that a class defines itself, properties included."""
    kinds = (property, classmethod, staticmethod)
    for name, value in vars(cls).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, kinds)):
            yield name, value


@functools.cache
def examples() -> str:
    """The source of every example of the package."""
    found = []
    for path in sorted((ROOT / "mtsig_nb").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found += [example.source for example in _parsed(text)]
    return "\n".join(found)


def _parsed(text: str) -> list[doctest.Example]:
    # Line by line, as the parser wants one indentation and a file has many.
    lines = [line.strip() for line in text.splitlines()]
    wanted = "\n".join(line for line in lines if re.match(r"(>>>|\.\.\.) ", line))
    return doctest.DocTestParser().get_examples(wanted)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_has_an_example_that_runs(name):
    (section,) = [sections(own_doc(DOCUMENTED[name])).get("Examples", "")]
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
    assert described(sections(own_doc(DOCUMENTED[name])).get("Parameters", "")) == parameters


@pytest.mark.parametrize("name", CLASSES)
def test_methods_have_a_docstring(name):
    cls = CLASSES[name]
    # What fills in an interface is documented there.
    missing = [method for method, _ in methods(cls) if not inspect.getdoc(getattr(cls, method))]
    assert missing == []


@pytest.mark.parametrize("name", CLASSES)
def test_methods_are_shown_in_an_example(name):
    cls = CLASSES[name]
    inherited = {attribute for base in cls.__mro__[1:] for attribute in vars(base)}
    called = examples()
    missing = [
        method
        for method, value in methods(cls)
        if not isinstance(value, property)
        and method not in UNIFORM | BUILDERS | inherited
        and f".{method}(" not in called
    ]
    assert missing == []


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


def test_the_derivations_are_in_the_reference():
    modules = listed("derivations.rst")
    assert {
        "mtsig_nb.engine.resampling",
        "mtsig_nb.engine.procedures",
        "mtsig_nb.significance.corrections",
    } <= set(modules)
    for name in modules:
        doc = own_doc(importlib.import_module(name))
        assert len(doc.splitlines()) > 1, f"{name} says what it is, and no more"


def test_names_that_differ_only_in_case_have_files_of_their_own():
    config = (ROOT / "book" / "_config.yml").read_text(encoding="utf-8")
    renamed = dict(re.findall(r"^ +(mtsig_nb\.\S+): (mtsig_nb\.\S+)$", config, re.MULTILINE))
    files = [renamed.get(name, name).casefold() for name in listed("index.rst")]
    assert len(set(files)) == len(files)
