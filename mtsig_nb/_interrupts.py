"""An interrupt ends ``mtsig`` with one line and no traceback, from its first import on.

Imports take a second or two, in which an exception would be raised inside somebody's module.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

LINE = "mtsig: interrupted"
#: 128 + SIGINT, as shells say it.
EXIT_CODE = 130


def _end(*_: Any) -> None:
    os.write(2, f"{LINE}\n".encode())
    os._exit(EXIT_CODE)


def watch() -> None:
    """Until `unwatch`, end at once at an interrupt; unless it is ignored, or this is not mtsig."""
    command = os.path.basename((sys.argv or [""])[0]).partition(".")[0]
    if command == "mtsig" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def unwatch() -> None:
    """From here on, an interrupt is a KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


watch()

__all__ = ["EXIT_CODE", "LINE", "unwatch", "watch"]
