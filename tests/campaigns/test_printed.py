"""The printed values are those of the papers, and all of them can be read."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from mtsig_nb.campaigns.printed import printed_numbers, printed_table
from mtsig_nb.errors import InputError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "datasets" / "published"
FILES = sorted(path.name for path in FOLDER.glob("*.csv"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_read_as_text(name):
    paper, kind = re.fullmatch(r"(.+)_(numbers|table\d).csv", name).groups()
    if kind == "numbers":
        found = printed_numbers(paper).reset_index()
    else:
        found = printed_table(paper, int(kind.removeprefix("table")))
    assert found.to_dict("records") == rows(FOLDER / name)


def test_ids_are_unique_and_the_page_names_every_paper():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in FILES:
        assert f"`{re.sub('_(numbers|table.).csv', '', name)}`" in page
        if name.endswith("_numbers.csv"):
            ids = [row["id"] for row in rows(FOLDER / name)]
            assert len(set(ids)) == len(ids)


def test_what_is_not_there_is_named():
    with pytest.raises(InputError, match="koehn2004_table5"):
        printed_table("koehn2004", 5)
    with pytest.raises(InputError, match="mean 'graham2014_numbers'"):
        printed_numbers("graham2041")
