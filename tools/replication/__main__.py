"""``make replicate``: recompute the replication ledger and write its pages.

``docs/replication.json`` keeps every number; ``docs/replication.md`` and the pages and pictures in
``docs/replication`` show them.  A row that does not support its verdict stops the run, and nothing
is written.  With ``--render`` the numbers stay as they are kept, and only words may change.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from mtsig_nb.errors import MtsigError
from mtsig_nb.progress import ProgressBar
from mtsig_nb.writing import write_whole

from ..repository import results
from . import ledger, publication, rendering
from .rows import about, record


def main(arguments: list[str] | None = None) -> int:
    """Run all rows; the exit status is 1 if one does not support its verdict."""
    parser = argparse.ArgumentParser(prog="make replicate", description=__doc__)
    parser.add_argument(
        "--render", action="store_true", help="only make the pages again, with the words of now"
    )
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    try:
        made = ledger.reworded(results.ledger()) if options.render else run()
    except MtsigError as error:
        print(f"Nothing was written. {error}", file=sys.stderr)
        return 1
    ledger.write(made)
    files = publication.texts(made) | dict(publication.drawn(made))
    for path, text in files.items():
        write_whole(path, text)
    counts = rendering.summary(made)
    print("; ".join(f"{verdict} {count}" for verdict, count in counts["totals"].items()))
    seconds = time.perf_counter() - started
    print(f"{counts['n_rows']} rows, {seconds:.0f} s")
    print("docs/replication.json, docs/replication.md, docs/replication/")
    return 0


def run() -> dict[str, Any]:
    """All rows, one line each as it is done."""
    records = []
    measured: dict[str, float] = {}
    all_rows = list(ledger.all_rows())
    for paper, row in ProgressBar(all_rows, description="replicating", unit="rows"):
        started = time.perf_counter()
        outcome = row.run()
        seconds = time.perf_counter() - started
        records.append(record(paper, row, outcome))
        measured.update(outcome.measured)
        print(f"{seconds:5.1f} s  {row.key:<28} {row.verdict}")
    for name, seconds in measured.items():
        print(f"measured: {name} {seconds:.4f}")
    return {"papers": [about(paper) for paper in ledger.PAPERS], "rows": records}


if __name__ == "__main__":
    sys.exit(main())
