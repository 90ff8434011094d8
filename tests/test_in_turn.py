"""A test that loops names what it fails of, all of it, and still gets its fixtures."""

from __future__ import annotations

import pytest

from .in_turn import in_turn


@in_turn("number", lambda: range(4))
def every_other(number: int, limit: int) -> None:
    assert number % 2 == 0 or number > limit, "odd"


def test_the_one_that_fails_is_named():
    with pytest.raises(AssertionError, match="odd") as failure:
        every_other(limit=1)
    assert failure.value.__notes__ == ["number = 1"]


def test_all_that_fail_are_named():
    with pytest.raises(ExceptionGroup) as failure:
        every_other(limit=3)
    assert [error.__notes__ for error in failure.value.exceptions] == [
        ["number = 1"],
        ["number = 3"],
    ]


@in_turn("number", [1, 2])
def test_fixtures_come_in(tmp_path, number):
    (tmp_path / str(number)).touch()
    assert len(list(tmp_path.iterdir())) == number
