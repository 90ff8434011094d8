"""Settings of metrics by type: values from Python, or the texts that a command line has.

What a setting may be is read off the metric's fields, so a metric declares it once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import reprlib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

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
    choices = [kind]
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        choices = [one for one in typing.get_args(kind) if one is not types.NoneType]
        none = value is None or (isinstance(value, str) and value.casefold() == "none")
        if none and len(choices) < len(typing.get_args(kind)):
            return None
    read = _READERS.get(choices[0]) if len(choices) == 1 else None
    return value if read is None else read(name, value)


def shown(value: Any) -> str:
    """A value as messages have it, however long it is."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return "<thousands of digits>"


def _boolean(name: str, value: Any) -> bool:
    if isinstance(value, str | int | np.integer | np.bool_):
        found = _YES_OR_NO.get(value.casefold() if isinstance(value, str) else value)
        if found is not None:
            return found
    raise InputError(
        f"{name}={shown(value)} is neither yes nor no. Give True or False; as a text also yes, no, "
        "on, off, 1 or 0."
    )


def _whole(name: str, value: Any) -> int:
    found = value
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            found = int(value)
    if isinstance(found, int | np.integer) and not isinstance(found, bool):
        return int(found)
    if isinstance(found, float | np.floating) and found.is_integer():
        return int(found)
    raise InputError(f"{name}={shown(value)} is not a whole number.")


def _number(name: str, value: Any) -> float:
    found = math.nan
    # No number, or an integer beyond all floats.
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        found = math.nan if isinstance(value, bool) else float(value)
    if not math.isfinite(found):
        raise InputError(f"{name}={shown(value)} is not a finite number.")
    return found


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name}={shown(value)} is not a text.")
    return str(value)  # a plain one, also for NumPy's


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(filter(None, value.split("+")))
    if not isinstance(value, Iterable):
        raise InputError(f"{name}={shown(value)} is not a list of texts.")
    return tuple(_text(name, one) for one in value)


_READERS: dict[Any, Callable[[str, Any], Any]] = {
    bool: _boolean,
    int: _whole,
    float: _number,
    str: _text,
    tuple[str, ...]: _texts,
}


def check_range(metric: object, **ranges: tuple[float, float]) -> None:
    """Raise `InputError` unless each setting of `metric` lies within its range, ends included."""
    for name, (least, most) in ranges.items():
        value = getattr(metric, name)
        if value is not None and not least <= value <= most:
            bound = f"at least {least}" if value < least else f"at most {most}"
            raise InputError(f"{name}={shown(value)} must be {bound}.")
