"""The article: every number has its source, figures show what is kept, and it has its length."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

from tests.tables.test_tables import lacks_latex
from tools.replication import paper
from tools.repository import results

#: What is typed: years, campaigns, levels and shares that are asked about, places in the papers.
TYPED = re.compile(
    r"\b(?:19|20)\d\d\b|WMT\d\d\b|(?<!\d)\.(?:05|002)\b|\b(?:50|95|100)\\,\\%"
    r"|Tables? \d(?: and \d)?|[cR]\+1|\{2\}|\\label\{[^}]*\}|-?\d?\.?\d+(?:pt|em)\b"
)


def typed(text: str) -> list[str]:
    """Numbers of the article's body that nothing allows."""
    body = text.partition(r"\begin{document}")[2].partition(r"\section*{References}")[0]
    return re.findall(r"\S*\d\S*", TYPED.sub("", body))


@pytest.mark.takes_time
def test_no_number_is_typed_and_one_would_be_noticed():
    blank = paper.text(paper.Numbers(blank="@"))
    assert typed(blank) == []
    assert blank.count("@") > 200
    assert typed(blank.replace("@", "3,653", 1)) != []
    paper.text(numbers := paper.Numbers())
    assert blank.count("@") == len(numbers.filled)


@pytest.mark.takes_time
def test_a_number_is_the_one_that_is_kept(monkeypatch):
    kept = copy.deepcopy(results.ledger())
    row = next(row for row in kept["rows"] if row["key"] == "verdicts-BLEU")
    changed = row["values"][1]
    assert changed["name"] == "sign flips for randomization"

    def said():
        return f"changes {changed['value']} under BLEU" in words

    words = " ".join(paper.text(paper.Numbers()).split())
    assert said()
    changed["value"] += 1
    assert not said()
    monkeypatch.setattr(results, "ledger", lambda: kept)
    words = " ".join(paper.text(paper.Numbers()).split())
    assert said()


@pytest.mark.takes_time
def test_marks_of_the_figure_are_shares_of_all_pairs():
    numbers = paper.Numbers()
    (axes,) = dict(paper.figures(numbers))["verdicts"].axes
    shown = [line.get_xdata()[0] for line in axes.lines]
    values = [numbers.entry(f"verdicts-{m}", c) for m in paper.METRICS for c in paper.CHANGES]
    np.testing.assert_allclose(shown, [100 * v["value"] / v["of"] for v in values])


@pytest.mark.slow
@pytest.mark.skipif(bool(lacks_latex()), reason=lacks_latex())
def test_it_has_six_to_eight_pages(tmp_path):
    pdf, pages = paper.build(tmp_path)
    assert 6 <= pages <= 8
    assert pdf.read_bytes().startswith(b"%PDF")
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"Overfull \\hbox.*|.*undefined.*|Missing character.*", log) == []
