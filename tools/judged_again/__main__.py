"""``make judged-again``: rank WMT's campaigns of ratings once more, by a mixed model.

``docs/judged_again.json`` keeps every number; ``docs/judged-again.md``, two pages beside it and the
figures in ``docs/judged-again`` show them.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Collection
from typing import Any

from mtsig_nb.errors import MtsigError
from mtsig_nb.writing import write_whole

from ..repository import results
from . import computing, rendering


def main(arguments: list[str] | None = None) -> int:
    """Compute and write; the exit status is 1 if a campaign cannot be computed."""
    parser = argparse.ArgumentParser(prog="make judged-again", description=__doc__)
    parser.add_argument(
        "--render", action="store_true", help="only make the pages again, from the numbers as kept"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="CAMPAIGN", help="compute these, keep the others"
    )
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    try:
        kept = results.judged_again() if options.render else run(only=options.only)
    except MtsigError as error:
        print(f"Nothing was written. {error}", file=sys.stderr)
        return 1
    write_whole(results.JUDGED_AGAIN, to_json(kept))
    for path, text in rendering.to_markdown(kept).items():
        write_whole(path, text)
    rendering.FOLDER.mkdir(exist_ok=True)
    for path, text in rendering.figures(kept):
        write_whole(path, text)
    print(f"{time.perf_counter() - started:.0f} s; {rendering.PAGES[0]}")
    return 0


def run(*, only: Collection[str] = ()) -> dict[str, Any]:
    """All campaigns, one line each as it is done; with `only`, these, and the others as kept."""
    before = {}
    if only:
        before = {found["campaign"]: found for found in results.judged_again()["campaigns"]}
    campaigns = []
    for name in computing.campaigns():
        if name in before and name not in only:
            campaigns.append(before[name])
            continue
        started = time.process_time()
        campaigns.append(computing.record(name))
        print(f"{time.process_time() - started:6.1f} s  {name}", flush=True)
    return computing.about() | {"campaigns": campaigns}


def to_json(kept: dict[str, Any]) -> str:
    """A row of a table a line, so that a change of one shows as one."""

    def in_one_line(row: re.Match[str]) -> str:
        return json.dumps(json.loads(row[0]), ensure_ascii=False)

    text = json.dumps(kept, indent=1, ensure_ascii=False)
    innermost = re.compile(r"\[[^][{}]*\]|\{[^][{}]*\}")
    return f"{innermost.sub(in_one_line, text)}\n"


if __name__ == "__main__":
    sys.exit(main())
