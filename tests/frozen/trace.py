"""How often a comparison of three systems goes from one file of the package to another.

``python -m tests.frozen.trace`` counts calls whose caller and callee lie in different files, in all
and after the last resample is scored, and lists the latter: what is asked twice shows there.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import mtsig_nb
from mtsig_nb.cli import main as mtsig

from .inputs import write_inputs

PACKAGE = f"{Path(mtsig_nb.__file__).parent}{os.sep}"
COMPARISON = ("compare", "-r", "ref.txt", "good.txt", "fair.txt", "poor.txt")
#: Where the engine scores its resamples.
ENGINE = "engine/resampling.py score"


def switches(arguments: list[str]) -> list[tuple[str, str]]:
    """Every call from one file of the package to another, as the caller and the callee."""
    found: list[tuple[str, str]] = []

    def profile(frame: FrameType, event: str, _: Any) -> None:
        caller = frame.f_back
        if event != "call" or caller is None:
            return
        files = [code.co_filename for code in (caller.f_code, frame.f_code)]
        if files[0] != files[1] and all(file.startswith(PACKAGE) for file in files):
            found.append((_place(caller), _place(frame)))

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        sys.setprofile(profile)
        try:
            mtsig(arguments)
        finally:
            sys.setprofile(None)
    return found


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename.removeprefix(PACKAGE)} {frame.f_code.co_name}"


def main() -> None:
    """Trace a comparison of files in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(Path(folder))
        os.environ["MTSIG_CACHE"] = f"{folder}/cache"
        with contextlib.chdir(folder):
            found = switches(list(COMPARISON))
    last = max(place for place, (caller, _) in enumerate(found) if caller == ENGINE)
    after = found[last + 1 :]
    print(f"{len(found)} switches between files, {len(after)} of them after the last resample")
    for (caller, callee), n in Counter(after).most_common():
        print(f"{n:4d}  {caller} -> {callee}")


if __name__ == "__main__":
    main()
