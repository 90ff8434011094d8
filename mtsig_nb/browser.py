"""Python inside a page of a browser (Pyodide, as JupyterLite runs it): what it has, and has not.

There is one thread, there are no other programs, and no files but those of the page's own site.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from .errors import InputError, MtsigError

IN_BROWSER = sys.platform == "emscripten"


def at_own_size(function: Callable[..., Any], place: int, name: str) -> Callable[..., Any]:
    """A function of NumPy's that takes whole numbers of 64 bits for one argument.

    Its own have 32 bits in a browser, its generators draw 64, and it refuses to count those, as in
    ``np.bincount(rng.integers(9, size=9))``.

    >>> import numpy as np
    >>> at_own_size(np.repeat, 1, "repeats")([3, 4], repeats=np.array([1, 2])).tolist()
    [3, 4, 4]
    """
    import numpy as np

    def own_size(value: Any) -> Any:
        # Booleans and numbers with fractions are refused, or not, as everywhere.
        if getattr(value, "dtype", None) == np.int64:
            return value.astype(np.intp)
        return value

    @functools.wraps(function)
    def with_own_size(*arguments: Any, **keywords: Any) -> Any:
        positional = list(arguments)
        if place < len(positional):
            positional[place] = own_size(positional[place])
        if name in keywords:
            keywords[name] = own_size(keywords[name])
        return function(*positional, **keywords)

    return with_own_size


if IN_BROWSER:
    import numpy

    numpy.bincount = at_own_size(numpy.bincount, 0, "x")
    numpy.repeat = at_own_size(numpy.repeat, 1, "repeats")
    if not hasattr(sys.modules.get("fcntl"), "LOCK_EX"):
        # JupyterLite's kernel puts an empty one there, for IPython; sacreBLEU wants the real one.
        sys.modules.pop("fcntl", None)


def needs_computer(what: str, instead: str = "") -> None:
    """Raise `InputError` in a browser for `what` only a computer can do.

    >>> needs_computer("fetch_texts")
    """
    if IN_BROWSER:
        here = f" Here, {instead}." if instead else ""
        raise InputError(
            f"{what} needs Python on a computer: a page in a browser cannot do that.{here}"
        )


def site_file(path: str) -> bytes:
    """A file of the site that the page came from, by its path there.

    Raises
    ------
    MtsigError
        If it cannot be had.
    """
    import js

    # The kernel is a worker, and its script an extension's: what is before it is the site.
    address = f"{str(js.location.href).split('/extensions/')[0]}/{path}"
    request = js.XMLHttpRequest.new()
    request.open("GET", address, False)  # a worker may wait for it
    request.responseType = "arraybuffer"
    try:
        request.send(None)
        is_there = request.status == 200
    except Exception:  # of JavaScript's, where there is no connection
        is_there = False
    if not is_there:
        raise MtsigError(
            f"{address} cannot be fetched. Check the connection, then run the cell again."
        )
    return bytes(request.response.to_bytes())


def let_others_in() -> None:
    """Let the event loop handle what has come meanwhile, such as clicks, then go on here.

    Nothing happens in browsers that cannot hold up WebAssembly (JavaScript Promise Integration).
    """
    import asyncio

    from pyodide.ffi import can_run_sync, run_sync

    if can_run_sync():
        run_sync(asyncio.sleep(0))
