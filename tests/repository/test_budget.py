"""What `tools.budget` counts."""

from tools import budget

MODULE = '''"""A docstring
of two lines."""

# a comment
def f(x):
    """Another."""
    text = """a
    string"""  # counts, being no docstring

    return (x,
            text)
'''


def test_lines_of_code_have_neither_comments_nor_docstrings(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    assert sorted(budget.lines_of_code(path)) == [5, 7, 8, 10, 11]
    assert budget.n_lines(tmp_path) == 5


def test_what_is_over_its_budget_is_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text("[tool.budget]\nroom = 4\npublic_names = 1000\n")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "module.py").write_text(MODULE)
    monkeypatch.setattr(budget, "ROOT", tmp_path)
    assert budget.main() == 1
    assert capsys.readouterr().out.startswith("room: 5, and [tool.budget]")
