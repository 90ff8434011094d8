"""A test that loops fails if it fails of one thing, and names all of which it fails."""

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
