"""What `tools.repository.budget` counts."""

import re

from tools.repository import budget

from ...messages import naming


def test_public_names_of_all_rooms_count():
    assert {"compare_all", "BLEU", "Ratings"} <= budget.public_names()


def test_too_many_public_names_are_refused(tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text("[tool.budget]\npublic_names = 3\n")
    monkeypatch.setattr(budget, "ROOT", tmp_path)
    assert budget.main() == 1
    assert re.search(naming("[tool.budget]", "pyproject.toml", " 3\n"), capsys.readouterr().out)


def test_the_package_keeps_its_budget(capsys):
    assert budget.main() == 0
    assert capsys.readouterr().out == ""
