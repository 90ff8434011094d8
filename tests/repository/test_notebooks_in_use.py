"""What readers do with a notebook that a run from top to bottom does not show.

They go back to a cell, and run it again, or with the two systems the other way round.
"""

from __future__ import annotations

import re

import pytest

from tools.notebooks import files

SOURCES = [pair.source for pair in files.pairs()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("unit", "drawn", "resamples"),
    [
        ("22_from_ratings_to_a_gold_standard", "lost = points_lost(", 10_000),
        ("23_do_people_agree_with_themselves", "dealt = np.array(", 5000),
        ("24_rankings", "by_judge = (signs", 10_000),
    ],
)
def test_units_on_people_count_the_observed_arrangement_as_unit_6_does(unit, drawn, resamples):
    (source,) = (source for source in SOURCES if source.stem == unit)
    notebook = files.without_outputs(files.from_source(source))
    position, cell = next((k, c) for k, c in enumerate(notebook.cells) if drawn in c.source)
    *before, last = cell.source.rstrip().split("\n")
    cell.source = "\n".join([*before, f"print(({last}))"])
    notebook.cells = notebook.cells[: position + 1]
    files.execute(notebook, source.parent)
    (*_, p) = re.findall(r"[\d.]+", cell.outputs[-1].text)
    count = float(p) * (resamples + 1)
    assert count == pytest.approx(round(count), abs=1e-6)
    assert round(count) > 1
