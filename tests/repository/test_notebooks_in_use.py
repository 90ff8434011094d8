"""What readers do with a notebook that a run from top to bottom does not show.

They move its sliders, by then with what later cells have made of the names that the figure uses;
they go back to a cell, and run it again, or with the two systems the other way round.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell

from tools import notebook_files as files

SOURCES = [pair.source for pair in files.pairs()]
WITH_SLIDERS = [source for source in SOURCES if "\nmovable(" in source.read_text(encoding="utf-8")]

REMEMBER = """\
import mtsig_nb.teaching as _teaching

_boxes, _movable = [], _teaching.movable


def _remembering(draw, **controls):
    _boxes.append(_movable(draw, **controls))
    return _boxes[-1]


_teaching.movable = _remembering
"""
MOVE = """\
for _box in _boxes:
    for _slider in _box.children[:-1]:
        _picture = _box.children[-1].value
        _slider.index = len(_slider.options) - 1
        assert _box.children[-1].value != _picture, f"{_slider.description}: nothing was drawn"
print(len(_boxes), "moved")
"""


def moved_after_all_cells(source: Path) -> str:
    """Run a source, then move every slider; what the last cell printed."""
    notebook = files.from_source(source)
    notebook.cells = [new_code_cell(REMEMBER), *notebook.cells, new_code_cell(MOVE)]
    files.execute(notebook, source.parent)
    return notebook.cells[-1].outputs[0].text


@pytest.mark.thorough
@pytest.mark.parametrize("source", WITH_SLIDERS, ids=lambda source: source.stem)
def test_sliders_move_after_all_cells_have_run(source):
    assert moved_after_all_cells(source).endswith("moved\n")


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
