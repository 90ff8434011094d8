"""``make trust``: measure what tests, intervals and corrections do where nothing differs.

``docs/trust.json`` keeps every count; ``docs/trust.md`` shows them.  With ``--elsewhere`` the same
of people's error span scores of WMT24, in ``build/trust-elsewhere.md``.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console

from mtsig_nb.writing import write_whole

from ..notebook_files import ROOT
from . import elsewhere, keeping, rendering
from .worlds import WORLDS

PAGE = keeping.KEPT.with_suffix(".md")


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; nothing fails, since a broken promise is what the page is there to say."""
    parser = argparse.ArgumentParser(prog="make trust", description=__doc__)
    parser.add_argument("--render", action="store_true", help="only make the page again")
    keys = [world.key for world in WORLDS]
    parser.add_argument(
        "--only", nargs="+", choices=keys, default=[], help="measure these, keep the others"
    )
    parser.add_argument("--elsewhere", metavar="FOLDER", type=Path, help="a folder with WMT24")
    options = parser.parse_args(arguments)
    console = Console(soft_wrap=True)
    started = time.perf_counter()
    page, data = PAGE, ""
    if options.elsewhere:
        missing = elsewhere.missing(options.elsewhere)
        for path in missing:
            console.print(f"skipped: there is no {path}", highlight=False, markup=False)
        if len(missing) == len(elsewhere.LANGUAGE_PAIRS):
            return 0
        page, data = ROOT / "build" / "trust-elsewhere.md", str(options.elsewhere)
        page.parent.mkdir(exist_ok=True)
    if options.render:
        kept = keeping.read()
    else:
        kept = keeping.run(data, only=options.only)
        if not data:
            keeping.write(kept)
    write_whole(page, rendering.to_markdown(kept))
    for world in kept["worlds"]:
        for line in rendering.advice(world):
            console.print(f"{world['title']}, {line}", highlight=False, markup=False)
    console.print(f"{time.perf_counter() - started:.0f} s; {page}", highlight=False, markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
