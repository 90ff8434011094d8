"""Texts out of a pickle, which is read and never unpickled.

Unpickling runs what a pickle asks for.  Here its instructions are listed (`pickletools`), and those
that put together lists, tuples, strings and numbers are carried out.  Every other one is refused.
"""

from __future__ import annotations

import pickletools
from typing import Any

#: Instructions that stand for what their argument is.
_VALUES = {
    *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "FLOAT", "BINFLOAT"),
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
#: Instructions that keep what was made last, and those that bring it back.
_PUTS = {"PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"}
_GETS = {"GET", "BINGET", "LONG_BINGET"}
#: Instructions that say something of the pickle, and add nothing.
_ABOUT_ITSELF = {"PROTO", "FRAME"}


class _Mark:
    """Where, on the stack, what belongs together begins."""


def plain_data(pickled: bytes) -> Any:
    """What is in a pickle of lists, tuples, strings and numbers.

    Raises
    ------
    ValueError
        If the pickle asks for anything else, is damaged, or is cut off.

    Examples
    --------
    >>> import pickle
    >>> plain_data(pickle.dumps([("one", ["a", "b"]), ("two", [])]))
    [('one', ['a', 'b']), ('two', [])]
    >>> plain_data(pickle.dumps(print))
    Traceback (most recent call last):
    ...
    ValueError: it asks for STACK_GLOBAL, which plain data never do
    """
    stack: list[Any] = []
    kept: dict[int, Any] = {}
    try:
        for instruction, argument, _ in pickletools.genops(pickled):
            if instruction.name == "STOP":
                (found,) = stack
                return found
            _carry_out(instruction.name, argument, stack, kept)
    except (IndexError, KeyError, AttributeError) as error:
        raise ValueError("it is a damaged pickle") from error
    raise ValueError("it is a pickle that does not end")


def _carry_out(name: str, argument: Any, stack: list[Any], kept: dict[int, Any]) -> None:
    if name in _VALUES:
        stack.append(argument)
    elif name in _CONSTANTS:
        stack.append(_CONSTANTS[name])
    elif name == "MARK":
        stack.append(_Mark)
    elif name == "EMPTY_LIST":
        stack.append([])
    elif name == "EMPTY_TUPLE":
        stack.append(())
    elif name in _TUPLES:
        stack.append(tuple(_last(stack, _TUPLES[name])))
    elif name == "TUPLE":
        stack.append(tuple(_since_mark(stack)))
    elif name == "LIST":
        stack.append(_since_mark(stack))
    elif name == "APPEND":
        (value,) = _last(stack, 1)
        stack[-1].append(value)
    elif name == "APPENDS":
        values = _since_mark(stack)
        stack[-1].extend(values)
    elif name in _PUTS:
        kept[len(kept) if argument is None else argument] = stack[-1]
    elif name in _GETS:
        stack.append(kept[argument])
    elif name not in _ABOUT_ITSELF:
        raise ValueError(f"it asks for {name}, which plain data never do")


def _last(stack: list[Any], n: int) -> list[Any]:
    """The last `n` of the stack, which are taken from it."""
    if len(stack) < n:
        raise IndexError(n)
    values = stack[-n:]
    del stack[-n:]
    return values


def _since_mark(stack: list[Any]) -> list[Any]:
    """What was put on the stack after the last mark; both are taken from it."""
    values = []
    while (value := stack.pop()) is not _Mark:
        values.append(value)
    return values[::-1]
