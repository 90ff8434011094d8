"""``make notebooks``: make and execute every notebook whose source has changed.

``make notebooks FORCE=1`` executes them all again, as is needed when the package or a data set has
changed what they print; ``make notebooks ONLY=05`` does those whose name contains ``05``.
"""

from __future__ import annotations

import argparse
import sys
import time

from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from . import files


def main(arguments: list[str] | None = None) -> int:
    """Build what is asked for; the exit status is 1 if any notebook fails or is not clean."""
    parser = argparse.ArgumentParser(prog="make notebooks", description=__doc__)
    parser.add_argument(
        "--force", action="store_true", help="execute notebooks that are current, too"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only names that contain TEXT")
    options = parser.parse_args(arguments)
    wanted = [pair for pair in files.pairs() if options.only in pair.name]
    if not wanted:
        print(f"no source matches {options.only!r}" if options.only else "there are no sources yet")
        return 1 if options.only else 0
    failures = 0
    for number, pair in enumerate(wanted, start=1):
        print(f"[{number}/{len(wanted)}] {pair.name} … ", end="", flush=True)
        if not options.force and files.is_current(pair):
            print("unchanged")
            continue
        failures += not build(pair)
    return 1 if failures else 0


def build(pair: files.Pair) -> bool:
    """Make one notebook, saying how it went; a failing one is not written."""
    notebook = files.from_source(pair.source)
    pair.notebook.parent.mkdir(parents=True, exist_ok=True)  # the kernel is started there
    started = time.monotonic()
    try:
        files.execute(notebook, pair.notebook.parent)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(f"failed\n{error}")
        return False
    files.tidy(notebook)
    files.write(notebook, pair.notebook)
    print(f"{time.monotonic() - started:.1f} s")
    unclean = files.problems(notebook)
    for problem in unclean:
        print(f"    {problem}")
    return not unclean


if __name__ == "__main__":
    sys.exit(main())
