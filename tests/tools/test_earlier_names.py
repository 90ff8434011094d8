"""Tools that people type can be called by their earlier names, for one version."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import tools

EARLIER = sorted(path.stem for path in Path(tools.__file__).parent.glob("[a-z]*.py"))


def test_what_courses_type_is_among_them():
    assert {"grade_lab", "gradebook", "build_notebooks", "notebook_links", "quizzes"} <= set(
        EARLIER
    )


@pytest.mark.parametrize("name", EARLIER)
def test_an_earlier_name_is_the_tool_that_it_names(name):
    earlier = import_module(f"tools.{name}")
    new = earlier.__doc__.split("`")[1]
    places = (new, f"{new}.__main__")
    assert earlier.main.__module__ in places
