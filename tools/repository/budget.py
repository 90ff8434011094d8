"""The package has no more public names than `pyproject.toml` allows.

Part of ``make check``.
"""

from __future__ import annotations

import sys
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Where public names are.
ROOMS = ("mtsig_nb", "mtsig_nb.human", "mtsig_nb.metrics", "mtsig_nb.simulate", "mtsig_nb.plots")


def main() -> int:
    """Print the number of public names if there are too many; the exit status is then 1."""
    allowed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["budget"]["public_names"]
    found = len(public_names())
    if found > allowed:
        print(f"{found} public names; [tool.budget] in pyproject.toml allows {allowed}")
        return 1
    return 0


def public_names() -> set[str]:
    """The public names of all rooms."""
    return {name for room in ROOMS for name in import_module(room).__all__}


if __name__ == "__main__":
    sys.exit(main())
