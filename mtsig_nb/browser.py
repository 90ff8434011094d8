"""Python inside a page of a browser (Pyodide, as JupyterLite runs it): what it has, and has not.

There is one thread, there are no other programs, and no files but those of the page's own site.
"""

from __future__ import annotations

import sys

from .errors import InputError, MtsigError

IN_BROWSER = sys.platform == "emscripten"

if IN_BROWSER and not hasattr(sys.modules.get("fcntl"), "LOCK_EX"):
    # JupyterLite's kernel puts an empty module there, for IPython; sacreBLEU wants the real one.
    sys.modules.pop("fcntl", None)


def needs_computer(what: str, instead: str = "") -> None:
    """Raise `InputError` in a browser for `what` only a computer can do.

    >>> needs_computer("fetch_texts")
    """
    if IN_BROWSER:
        raise InputError(
            f"{what} needs Python on a computer: a page in a browser cannot do that."
            + f" Here, {instead}." * bool(instead)
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
        found = request.status == 200
    except Exception:  # of JavaScript's, where there is no connection
        found = False
    if not found:
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


__all__ = ["IN_BROWSER", "let_others_in", "needs_computer", "site_file"]
