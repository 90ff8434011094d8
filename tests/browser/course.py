"""Pages of the course as `make run` writes them, for tests that go through all units."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from tools.notebooks import files
from tools.site.pages import Outcome, Pages, Unit


@pytest.fixture(scope="package")
def site(tmp_path_factory):
    """The map and all documents; `page_of` writes the pages of units."""
    made = Pages(tmp_path_factory.mktemp("pages"), [Unit.of(path) for path in files.series()])
    made.prepare()
    made.write_map([Outcome(unit, 1.0, []) for unit in made.units])
    return made


def page_of(site: Pages, number: int) -> str:
    """The address of a unit's page, which is written first if it is not there yet."""
    path = site.folder / site.units[number].page
    if not path.exists():
        site.write(files.read(site.units[number].path), number)
    return path.as_uri()


def every_unit(in_every_run: Collection[int]) -> list:
    """The numbers of all units as parameters; all but some are tested only thoroughly."""
    parameters = []
    for number, path in enumerate(files.series()):
        marks = [] if number in in_every_run else [pytest.mark.thorough]
        parameters.append(pytest.param(number, id=path.stem, marks=marks))
    return parameters
