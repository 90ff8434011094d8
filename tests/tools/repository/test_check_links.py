"""The link check, on links planted for the purpose; and on everything in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.notebooks import files
from tools.repository import check_links

ELSEWHERE = """\
# Other things

## What *it* is, in `code`?

## Twice

## Twice

<a id="by-hand"></a>
"""


@pytest.fixture
def site(tmp_path):
    """A small repository: two texts, a notebook and a picture."""
    check_links.page.cache_clear()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "other.md").write_text(ELSEWHERE)
    (tmp_path / "a picture.png").touch()
    cells = [new_markdown_cell("# First steps\n\n## Why, then?"), new_code_cell("[no](link.md)")]
    files.write(new_notebook(cells=cells), tmp_path / "steps.ipynb")
    yield tmp_path
    check_links.page.cache_clear()


def found(site: Path, text: str) -> list[str]:
    page = site / "page.md"
    page.write_text(text)
    return check_links.problems(page, site)


@pytest.mark.parametrize(
    "link",
    [
        "docs/other.md",
        "./docs/../steps.ipynb",
        "docs/other.md#what-it-is-in-code",
        "docs/other.md#twice-1",
        "docs/other.md#by-hand",
        "steps.ipynb#First-steps",
        "steps.ipynb#Why,-then?",
        "a%20picture.png",
        "#here",
        "https://example.org/a/page?of=1#that",
    ],
)
def test_a_link_that_leads_somewhere(site, link):
    assert found(site, f"# Here\n\n[text]({link})") == []


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("docs/gone.md", "there is no such file"),
        ("docs/other.md#gone", "other.md has no such heading"),
        ("steps.ipynb#first-steps", "steps.ipynb has no such heading"),
        ("#gone", "page.md has no such heading"),
        ("../outside.md", "leads out of the repository"),
        ("/docs/other.md", "begins with /, which means another place on every site"),
        ("htp://example.org", "the scheme is none of http, https, mailto"),
    ],
)
def test_a_broken_link_is_named(site, link, reason):
    assert found(site, f"# Here\n\n[text](<{link}>)") == [f"page.md: link to {link!r}: {reason}"]


@pytest.mark.slow
def test_every_link_in_the_repository_leads_somewhere():
    check_links.page.cache_clear()
    broken = [
        p for path in check_links.pages(files.ROOT) for p in check_links.problems(path, files.ROOT)
    ]
    assert broken == []
