"""Checks the concept inventory and writes the exam and its key into ``build/inventory``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..notebook_files import ROOT
from . import checks, rendering
from .data import INVENTORY, read


def main(arguments: list[str] | None = None) -> int:
    """Print what is wrong, in which case nothing is written; otherwise what was written."""
    parser = argparse.ArgumentParser(prog="python -m tools.inventory", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=INVENTORY, help="another inventory")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "inventory", metavar="FOLDER")
    options = parser.parse_args(arguments)
    inventory = read(options.file)
    found = checks.problems(inventory)
    print(*(found or rendering.write(inventory, options.to)), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
