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
                (value,) = stack
                return value
            _carry_out(instruction.name, argument, stack, kept)
    except (IndexError, KeyError, AttributeError) as error:
        raise ValueError("it is a damaged pickle") from error
    raise ValueError("it is a pickle that does not end")


def _carry_out(name: str, argument: Any, stack: list[Any], kept: dict[int, Any]) -> None:
    """Carry out one instruction."""
    if name == "APPEND":
        (value,) = _last(stack, 1)
        stack[-1].append(value)
    elif name == "APPENDS":
        values = _since_mark(stack)
        stack[-1].extend(values)
    elif name in _PUTS:
        place = len(kept) if argument is None else argument
        kept[place] = stack[-1]
    elif name in _GETS:
        stack.append(kept[argument])
    elif name not in _ABOUT_ITSELF:
        stack.append(_made(name, argument, stack))


def _made(name: str, argument: Any, stack: list[Any]) -> Any:
    """What an instruction puts on the stack; a tuple or a list is made of what lies there."""
    if name in _VALUES:
        return argument
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name == "MARK":
        return _Mark
    if name == "EMPTY_LIST":
        return []
    if name == "EMPTY_TUPLE":
        return ()
    if name in _TUPLES:
        return tuple(_last(stack, _TUPLES[name]))
    if name == "TUPLE":
        return tuple(_since_mark(stack))
    if name == "LIST":
        return _since_mark(stack)
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
