"""``make trust``: measure what tests, intervals and corrections do where nothing differs.

``docs/trust.json`` keeps every count; ``docs/trust.md`` and the pages in ``docs/trust`` show them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from mtsig_nb.writing import write_whole

from ..repository import results
from . import measuring, places, rendering
from .worlds import WORLDS

DOCUMENTS = results.TRUST.parent
FOLDER = DOCUMENTS / places.FIRST


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; nothing fails, since a broken promise is what the page is there to say."""
    parser = argparse.ArgumentParser(prog="make trust", description=__doc__)
    parser.add_argument(
        "--render", action="store_true", help="make the pages again, with the words of now"
    )
    keys = [world.key for world in WORLDS]
    parser.add_argument(
        "--only", nargs="+", choices=keys, default=[], help="measure these, keep the others"
    )
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    if options.render:
        kept = measuring.reworded(results.trust())
    else:
        kept = measuring.run(only=options.only)
    write_whole(results.TRUST, measuring.to_json(kept))
    write_pages(rendering.to_pages(kept))
    for world in kept["worlds"]:
        for line in rendering.advice(world):
            print(f"{world['title']}, {line}")
    print(f"{time.perf_counter() - started:.0f} s; {FOLDER}")
    return 0


def write_pages(pages: Mapping[Path, str]) -> None:
    """Write all pages, and remove those in their folder that are no longer made."""
    FOLDER.mkdir(exist_ok=True)
    for place, text in pages.items():
        write_whole(DOCUMENTS / place, text)
    for path in FOLDER.glob("*.md"):
        if path.relative_to(DOCUMENTS) not in pages:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main())
