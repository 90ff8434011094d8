"""The replication's table of claims, sorted by its heads."""

from __future__ import annotations

from markdown_it import MarkdownIt

from tools.replication import publication
from tools.site.book.staging import SOURCES


def test_a_click_on_a_head_sorts_and_another_turns_it_round(page):
    claims = publication.FRONT.read_text(encoding="utf-8").partition("## Claims and comparisons")[2]
    table = MarkdownIt("commonmark").enable("table").render(claims)
    page.set_content(f'<section id="claims-and-comparisons">{table}</section>')
    page.add_script_tag(path=SOURCES / "_static" / "sort.js")
    verdicts = page.locator("td:nth-child(4)")
    head = page.locator("th").nth(3)
    before = verdicts.all_inner_texts()
    for order, reverse in (("ascending", False), ("descending", True)):
        head.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == order
        after = verdicts.all_inner_texts()
        assert after == sorted(before, key=str.lower, reverse=reverse) != before
    assert not page.said
