"""What readers do with a notebook that a run from top to bottom does not show.

They move its sliders, by then with what later cells have made of the names that the figure uses;
they go back to a cell, and run it again, or with the two systems the other way round.
"""

from __future__ import annotations

import ast
import re
import symtable
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


def redefined(source: Path) -> list[str]:
    """Functions and imports of a source that a later cell gives another meaning."""
    found, first = [], {}
    for cell in files.from_source(source).cells:
        if cell.cell_type == "code":
            symbols = symtable.symtable(cell.source, source.name, "exec").get_symbols()
            lasting = {s.get_name() for s in symbols if s.is_imported() or s.is_namespace()}
            bound = lasting | {s.get_name() for s in symbols if s.is_assigned()}
            origins = imported(cell.source)
            again = {name for name in origins if origins[name] == first.get(name)}
            found += sorted((bound & set(first)) - again)
            first |= {name: origins.get(name, "") for name in lasting}
    return found


def imported(source: str) -> dict[str, str]:
    """What a cell imports, and from where; nothing that it binds otherwise as well."""
    origins = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            origins |= {one.asname or one.name: one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            origins |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    otherwise = {s.get_name() for s in symbols if s.is_assigned() and not s.is_imported()}
    return {name: origin for name, origin in origins.items() if name not in otherwise}


@pytest.mark.thorough
@pytest.mark.parametrize("source", WITH_SLIDERS, ids=lambda source: source.stem)
def test_sliders_move_after_all_cells_have_run(source):
    assert moved_after_all_cells(source).endswith("moved\n")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_a_function_keeps_its_name_to_the_end(source):
    """Whoever goes back to a cell finds its functions as they were."""
    assert redefined(source) == []


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
