"""``make trust``: measure what tests, intervals and corrections do where nothing differs.

``docs/trust.json`` keeps every count; ``docs/trust.md`` shows them.
"""

from __future__ import annotations

import argparse
import sys
import time

from mtsig_nb.writing import write_whole

from ..repository import results
from . import measuring, rendering
from .worlds import WORLDS

PAGE = results.TRUST.with_suffix(".md")


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; nothing fails, since a broken promise is what the page is there to say."""
    parser = argparse.ArgumentParser(prog="make trust", description=__doc__)
    parser.add_argument("--render", action="store_true", help="only make the page again")
    keys = [world.key for world in WORLDS]
    parser.add_argument(
        "--only", nargs="+", choices=keys, default=[], help="measure these, keep the others"
    )
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    kept = results.trust() if options.render else measuring.run(only=options.only)
    write_whole(results.TRUST, measuring.to_json(kept))
    write_whole(PAGE, rendering.to_markdown(kept))
    for world in kept["worlds"]:
        for line in rendering.advice(world):
            print(f"{world['title']}, {line}")
    print(f"{time.perf_counter() - started:.0f} s; {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
