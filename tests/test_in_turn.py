"""A test that loops names all that it fails of, and still gets its fixtures."""

from __future__ import annotations

import pytest

from .in_turn import in_turn


@in_turn("number", lambda: range(4))
def every_other(number: int, limit: int) -> None:
    assert number % 2 == 0 or number > limit, "odd"


def test_what_fails_is_named():
    with pytest.raises(AssertionError, match="odd") as failure:
        every_other(limit=1)
    assert failure.value.__notes__ == ["number = 1"]
    with pytest.raises(ExceptionGroup) as failures:
        every_other(limit=3)
    assert [one.__notes__ for one in failures.value.exceptions] == [["number = 1"], ["number = 3"]]


@in_turn("number", [1, 2])
def test_fixtures_come_in(tmp_path, number):
    (tmp_path / str(number)).touch()
    assert len(list(tmp_path.iterdir())) == number
