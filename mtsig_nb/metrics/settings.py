"""Settings of metrics by type: values from Python, or the texts that a command line has."""

from __future__ import annotations

import dataclasses
import math
import reprlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

from ..errors import InputError

#: What stands for True and False, in any case.
_YES_OR_NO: dict[object, bool] = {
    **dict.fromkeys(("yes", "on", "true", "1", True), True),
    **dict.fromkeys(("no", "off", "false", "0", False), False),
}
#: What is wrong where no value of a type can be made.
_NO_SUCH: dict[Any, str] = {
    bool: "neither yes nor no. Give True or False; as a text also yes, no, on, off, 1 or 0.",
    int: "not a whole number.",
    float: "not a finite number.",
    str: "not a text.",
    tuple[str, ...]: "not a list of texts.",
}


@cache
def setting_types(metric: type) -> Mapping[str, Any]:
    """The type of each setting of a class of metrics; empty where its annotations do not tell."""
    try:
        hints = get_type_hints(metric)
    except (NameError, AttributeError, TypeError):
        return {}  # somebody else's metric, with annotations that only a type checker understands
    return {field.name: hints[field.name] for field in dataclasses.fields(metric) if field.init}


def setting_of_type(name: str, value: Any, kind: Any) -> Any:
    """`value` as the type that the setting `name` has; a text is read as on a command line.

    Raises
    ------
    InputError
        If it is no such value.

    Examples
    --------
    >>> setting_of_type("lowercase", "no", bool)
    False
    >>> setting_of_type("modules", "exact+stem", tuple[str, ...])
    ('exact', 'stem')
    """
    if kind not in _NO_SUCH:
        return value
    try:
        return _CONVERTERS[kind](value)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError(f"{name}={reprlib.repr(value)} is {_NO_SUCH[kind]}") from None


# Each returns a plain value of its type, or raises what `setting_of_type` turns into its error.


def _bool(value: Any) -> bool:
    if isinstance(value, float):
        raise TypeError
    key = value.casefold() if isinstance(value, str) else value
    return _YES_OR_NO[key]


def _int(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError
    number = int(value)
    if not isinstance(value, str) and number != value:
        raise ValueError
    return number


def _float(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return str(value)  # a plain one, also for NumPy's


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part for part in value.split("+") if part)
    return tuple(map(_str, value))


_CONVERTERS: dict[Any, Callable[[Any], Any]] = {
    bool: _bool,
    int: _int,
    float: _float,
    str: _str,
    tuple[str, ...]: _strings,
}
