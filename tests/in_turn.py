"""A test of many things of one kind, as one item: to collect an item each takes longer than it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def in_turn(
    name: str, values: Iterable[Any] | Callable[[], Iterable[Any]]
) -> Callable[[Test], Test]:
    """Call the test with each of the values; those of which it fails are named, all of them.

    Parameters
    ----------
    name : str
        The test's parameter that gets the value.
    values : iterable, or a function that makes one when the test runs
    """

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def of_all(**fixtures: Any) -> None:
            failed = []
            for value in values() if callable(values) else values:
                try:
                    test(**fixtures, **{name: value})
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"{name} = {value!r}")
                    failed.append(error)
            if failed:
                raise failed[0] if len(failed) == 1 else ExceptionGroup(test.__name__, failed)

        signature = inspect.signature(test)
        others = [one for one in signature.parameters.values() if one.name != name]
        of_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return of_all

    return decorate
