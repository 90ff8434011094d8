"""The listing of density counts code, and nothing that is no code."""

from __future__ import annotations

import pytest

from tools.repository import density
from tools.repository.density import Density


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", Density(0, 0)),
        ("# A comment.\n\n", Density(0, 0)),
        ('"""A docstring\n\nof three lines."""\n', Density(0, 0)),
        ("x = 1  # a comment\n", Density(1, 3)),
        ("f(\n    1,\n    # why\n    2,\n)\n", Density(4, 7)),
        ('text = """two\nlines"""\n', Density(2, 3)),
        ('def f():\n    """What it does."""\n    return 1\n', Density(2, 7)),
    ],
)
def test_lines_and_tokens_of_code(source, expected):
    assert density.density(source) == expected


def test_each_folder_has_a_row_and_all_of_it_another(tmp_path, capsys):
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "inner" / "two.py").write_text("f(1)\ng(2)\n", encoding="utf-8")
    table = density.listing([tmp_path])
    cells = [list(column.cells) for column in table.columns]
    assert cells[1:] == [
        ["1", "1", "2"],
        ["1", "2", "3"],
        ["3", "8", "11"],
        ["3.0", "4.0", "3.7"],
    ]
    assert density.main([str(tmp_path)]) == 0
    assert "tokens a line" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        density.main([str(tmp_path / "gone")])
    assert "gone" in capsys.readouterr().err
