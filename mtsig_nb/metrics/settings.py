"""Settings of metrics by type: values from Python, or the texts that a command line has.

What a setting may be is read off the metric's fields, so a metric declares it once.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import reprlib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import InputError

_YES_OR_NO: dict[object, bool] = {
    **dict.fromkeys(("yes", "on", "true", "1", True), True),
    **dict.fromkeys(("no", "off", "false", "0", False), False),
}


@functools.cache
def kinds(metric: type) -> Mapping[str, Any]:
    """The type of each setting of a class of metrics; empty where its annotations do not tell."""
    try:
        hints = typing.get_type_hints(metric)
    except (NameError, AttributeError, TypeError):
        return {}  # somebody else's metric, with annotations that only a type checker understands
    return {field.name: hints[field.name] for field in dataclasses.fields(metric) if field.init}


def of_kind(name: str, value: Any, kind: Any) -> Any:
    """`value` as the type that the setting `name` has; a text is read as on a command line.

    Raises
    ------
    InputError
        If it is no such value.

    Examples
    --------
    >>> of_kind("lowercase", "no", bool), of_kind("smooth_value", "none", float | None)
    (False, None)
    >>> of_kind("modules", "exact+stem", tuple[str, ...])
    ('exact', 'stem')
    """
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        rest = [one for one in typing.get_args(kind) if one is not types.NoneType]
        none = value is None or (isinstance(value, str) and value.casefold() == "none")
        if none and len(rest) < len(typing.get_args(kind)):
            return None
        return of_kind(name, value, rest[0]) if len(rest) == 1 else value
    if kind == tuple[str, ...] and isinstance(value, str):
        return tuple(filter(None, value.split("+")))
    if kind == tuple[str, ...] and isinstance(value, Iterable):
        return tuple(of_kind(name, one, str) for one in value)
    read, problem = _READERS.get(kind, (lambda given: given, ""))
    try:
        return read(value)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError(f"{name}={shown(value)} is {problem}") from None


def shown(value: Any) -> str:
    """A value as messages have it, however long it is."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return "<thousands of digits>"


def _boolean(value: Any) -> bool:
    if isinstance(value, float):
        raise TypeError
    return _YES_OR_NO[value.casefold() if isinstance(value, str) else value]


def _whole(value: Any) -> int:
    found = int(value)
    if isinstance(value, bool) or not (isinstance(value, str) or found == value):
        raise ValueError
    return found


def _number(value: Any) -> float:
    found = float(value)
    if isinstance(value, bool) or not math.isfinite(found):
        raise ValueError
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return str(value)  # a plain one, also for NumPy's


#: What makes a value of each type, and what is wrong where none can be made.
_READERS: dict[Any, tuple[Callable[[Any], Any], str]] = {
    bool: (
        _boolean,
        "neither yes nor no. Give True or False; as a text also yes, no, on, off, 1 or 0.",
    ),
    int: (_whole, "not a whole number."),
    float: (_number, "not a finite number."),
    str: (_text, "not a text."),
    tuple[str, ...]: (tuple, "not a list of texts."),
}


def check_range(metric: object, **ranges: tuple[float, float]) -> None:
    """Raise `InputError` unless each setting of `metric` lies within its range, ends included."""
    for name, (least, most) in ranges.items():
        value = getattr(metric, name)
        if value is not None and not least <= value <= most:
            bound = f"at least {least}" if value < least else f"at most {most}"
            raise InputError(f"{name}={shown(value)} must be {bound}.")
