"""The command line: ``mtsig compare``, ``measure``, ``agreement``, ``watch`` and ``datasets``.

Exit codes: 0 done; 1 input that cannot be used, with a message on standard error; 2 wrong usage;
3 no pair distinguished, if ``--exit-code`` asks for it.  Decides how settings are read from
arguments and how results reach a terminal, a pipe or a file.  Imports every room but widgets.
"""

from __future__ import annotations

from .commands import app, main

__all__ = ["app", "main"]
