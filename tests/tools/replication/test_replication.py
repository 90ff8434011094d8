"""The replication ledger: every row computed again, and the pages that show it."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import re
import runpy
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.teaching import headlines
from tools.notebooks import files as notebook_files
from tools.replication import ledger, pages, publication, rendering, rows
from tools.replication.computed import koehn_design
from tools.replication.rows import Outcome, Paper, Printed, ReplicationError, Row, Value, Verdict
from tools.repository import results
from tools.repository.templating import markdown_text, templates

KEPT = results.ledger()
ROWS = {row["key"]: row for row in KEPT["rows"]}
DECLARED = [(paper, row) for paper, row in ledger.all_rows()]


@cache
def headings(name: str) -> list[str]:
    """As in the notebook's text cells, without the number signs."""
    notebook = notebook_files.read(notebook_files.SERIES / f"{name}.ipynb")
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return re.findall(r"^#+ (.+)$", "\n".join(cells), flags=re.MULTILINE)


def same_as(kept):
    """Counts and words as they were kept, floats but for the rounding noise of sums."""
    if isinstance(kept, dict):
        return {name: same_as(piece) for name, piece in kept.items()}
    if isinstance(kept, list):
        return [same_as(piece) for piece in kept]
    return pytest.approx(kept, rel=1e-9, abs=1e-12) if isinstance(kept, float) else kept


# What is committed agrees with what is computed.


@pytest.mark.thorough
@pytest.mark.parametrize(("paper", "row"), DECLARED, ids=[row.key for _, row in DECLARED])
def test_a_row_computed_again_is_the_row_as_kept(paper, row):
    """Counts and words to the last digit, floats to 1e-9; `run` checks the verdict itself."""
    outcome = row.run()
    new = json.loads(json.dumps(rows.record(paper, row, outcome), allow_nan=False))
    assert new == same_as(ROWS[row.key])


def test_the_ledger_has_the_rows_that_are_declared_in_their_order():
    assert list(ROWS) == [row.key for _, row in DECLARED]
    assert len(ROWS) == len(KEPT["rows"]), "two rows have one key"
    assert [paper["name"] for paper in KEPT["papers"]] == [paper.name for paper in ledger.PAPERS]


def test_the_pages_are_what_the_ledger_renders_to():
    made = publication.texts(KEPT)
    assert {path: path.read_text(encoding="utf-8") for path in made} == made
    assert set(publication.FOLDER.glob("*.md")) == set(made) - {publication.FRONT}


# Every row has what a row needs.


#: What must be accounted for, by paper.
ACCOUNTED = {
    "Koehn 2004": {*(f"Table {n}" for n in (1, 2, 3, 4)), *(f"Figure {n}" for n in range(1, 9))},
    "Riezler & Maxwell 2005": {"Table 1", "Table 2", "Figure 1", "Figure 2", "Section 4.4"},
    "Stroppa & Owczarzak 2007": {
        *("Table 1", "Table 2", "Similarity", "Speed", "Future work"),
        *(f"Figure {n}" for n in range(1, 6)),
    },
    "Graham et al. 2014": {
        *(f"Figure {n}" for n in range(1, 9)),
        *("Table 1", "Table 2", "Central claim"),
    },
}


@pytest.mark.parametrize("paper", ACCOUNTED)
def test_every_table_and_figure_is_accounted_for_and_has_a_page(paper):
    named = [row["item"] for row in ROWS.values() if row["paper"] == paper]
    items = set().union(*map(pages.items, named))
    assert ACCOUNTED[paper] - items - {name.partition(",")[0] for name in named} == set()
    titles = [page.title for page in pages.PAGES if page.paper == paper]
    assert sorted(items) == sorted(item for title in titles for item in pages.items(title))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Figures 4–6", {"Figure 4", "Figure 5", "Figure 6"}),
        ("Table 1 and Figures 1 and 2", {"Table 1", "Figure 1", "Figure 2"}),
        ("Tables 1, 2", {"Table 1", "Table 2"}),
        ("Table 2, doubled", {"Table 2"}),
        ("Section 4.3", set()),
    ],
)
def test_figures_and_tables_that_an_item_names(text, found):
    assert pages.items(text) == found


@pytest.mark.parametrize("key", ROWS)
def test_a_row_has_a_verdict_and_a_link_that_resolves(key):
    row = ROWS[key]
    assert row["verdict"] in list(Verdict)
    assert row["heading"] in headings(row["notebook"])
    assert row["shows"]
    assert row["printed"]
    assert bool(row["reason"]) == (row["verdict"] == Verdict.IMPOSSIBLE)


@pytest.mark.takes_time
def test_pictures_are_small_and_drawn_from_the_ledger():
    """Text and numbers of the picture; where matplotlib puts them may differ by its version."""
    drawn = dict(publication.drawn(KEPT))
    # Dates and random names, which all pictures have from matplotlib, show in any of them.
    again = dict(itertools.islice(publication.drawn(KEPT), 8))
    assert again.items() <= drawn.items()
    assert set(drawn) == set(publication.FOLDER.glob("*.svg"))
    sizes = [path.stat().st_size for path in drawn]
    assert max(sizes) < 70_000
    assert sum(sizes) < 1_200_000
    for path, picture in drawn.items():
        said = [re.findall(">([^<>\n]+)</text>", p) for p in (picture, path.read_text("utf-8"))]
        assert said[0] == said[1] != [], path


#: Its lines run 4,140 tests; those of koehn-table-3, which are like them, run in every `make test`.
LONG = "koehn-table-4"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[pytest.mark.thorough] if page.name == LONG else [])
        for page in pages.PAGES
    ],
)
def test_the_lines_of_a_page_print_what_the_ledger_has(page):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(publication.code(page)))
    assert said.getvalue().splitlines() == publication.printed_lines(page, ROWS)


# A headline says no more than its rows do.


def test_the_curve_is_how_often_a_one_sided_test_finds_a_difference():
    apart, sigma, rng = np.array([0.5, 2.0]), 16.0, np.random.default_rng(3)
    errors = sigma / np.sqrt(koehn_design.SIZES)
    observed = apart[:, None] + errors * rng.standard_normal((40_000, 2, len(errors)))
    found = 100 * (stats.norm.cdf(observed / errors) >= koehn_design.SURE).mean(axis=0)
    curve = koehn_design.expected_right(apart, sigma)
    np.testing.assert_allclose(found, curve, atol=1)
    assert koehn_design.closest_sigma(apart, curve) == pytest.approx(sigma, rel=1e-4)


@pytest.mark.parametrize("key", [key for key, row in ROWS.items() if row["headlines"]])
def test_the_notebook_says_the_same_number(key):
    row = ROWS[key]
    values = {value["name"]: value for value in row["values"]}
    for name, headline in row["headlines"].items():
        ours = format(values[name]["value"], values[name]["spec"])
        path, _ = rows.published(headline)
        said = {h.name: h.value for h in headlines(notebook_files.read(path))}
        assert ours == said[headline], name


@pytest.mark.parametrize("paper", ledger.PAPERS[:4], ids=lambda paper: paper.name)
def test_what_a_row_says_is_printed_is_printed(paper):
    """In the tables of the four papers, which are data of the project."""
    name = re.sub("[^a-z0-9_]", "", paper.name.lower().replace("et al", "").replace("&", "_"))
    files = notebook_files.ROOT.glob(f"datasets/published/{name}_*.csv")
    texts = set().union(*(pd.read_csv(file, dtype=str).stack() for file in files))
    for row in paper.rows:
        if isinstance(row.printed, str):
            assert "at hand" not in row.printed, row.key
        else:
            assert {printed.text for printed in row.printed.values()} <= texts, row.key


# Koehn's design on other data.


def test_broad_samples_are_those_of_section_3_3():
    """Sample i has the sentences i, i + 100, i + 200 and so on; blocks have neighbours."""
    places = np.stack([np.arange(30_000), np.ones(30_000)], axis=-1)[None]
    whole = mt.SufficientStatistics(SegmentMean(), ("one",), places)
    for disjoint, step in ((koehn_design.broad_samples, 100), (koehn_design.blocks, 1)):
        parts = disjoint(whole, 300)
        found = np.array([part.values[0, :, 0] for part in parts])
        assert found.shape == (100, 300)
        assert (np.diff(found) == step).all()
        assert np.unique(found).size == 30_000


@pytest.mark.parametrize(("share", "n", "points"), [(1.0, 10, 0.0), (0.5, 1, 50.0), (0.5, 2, 37.5)])
def test_what_two_shares_differ_by_chance(share, n, points):
    """Of two coins one in two pairs differs; of two tosses each, 100 % × 1/8 and 50 % × 1/2."""
    assert koehn_design.apart_by_chance(share, n) == pytest.approx(points)


# A verdict needs its evidence.


FIRST = notebook_files.series()[0].stem


def row_of(outcome: Outcome | None, **details) -> Row:
    details = {"verdict": Verdict.ARITHMETIC, "notebook": FIRST} | details
    compute = None if outcome is None else lambda: outcome
    return Row("key", "Table 9", "a number", compute=compute, **details)


HALF = Outcome(Value("p", 0.4949, ".4f"))
YES, NO = Outcome(holds=True), Outcome(holds=False)
CLAIM = {"claim": "p is small"}
NO_RUN = "nothing shows that the procedure was run"
PLACE = "a claim of a paper has its place there, and nothing else has"


@pytest.mark.parametrize(
    ("outcome", "verdict", "details", "message"),
    [
        (NO, "PROCEDURE", {}, NO_RUN),
        (HALF, "SAME_DATA", {}, "a result on the same data names data of the paper"),
        (YES, "OTHER_DATA", CLAIM, PLACE),
        (HALF, "ARITHMETIC", {"printed": {"q": Printed(".5", "T")}}, "no value is called 'q'"),
        (None, "OTHER_DATA", {}, "nothing is computed"),
        (HALF, "OTHER_DATA", CLAIM | {"where": "section 9"}, "a claim and its answer go together"),
    ],
)
def test_a_row_that_does_not_support_its_verdict_is_refused(outcome, verdict, details, message):
    row = row_of(outcome, verdict=Verdict[verdict], **details)
    with pytest.raises(ReplicationError, match=f"^key: {re.escape(message)}$"):
        row.run()


@pytest.mark.parametrize(
    ("text", "value", "same"),
    [(".50", 0.4951, True), (".50", 0.4949, False), ("0.67", 2 / 3, True), ("4", 4, True)],
)
def test_printed_digits_decide(text, value, same):
    assert Printed(text, "Table 9").reproduced_by(value) is same


@pytest.mark.parametrize(
    ("outcome", "details", "answer"),
    [
        (HALF, {"printed": {"p": Printed(".49", "Table 9")}}, True),
        (HALF, {"printed": {"p": Printed(".50", "Table 9")}}, False),
        (YES, {}, True),
        (YES, {"claim": "p is small", "where": "section 9"}, None),
        (HALF, {}, None),
        (HALF, {"printed": {"p": Printed(".49", "Table 9")}, "verdict": Verdict.OTHER_DATA}, None),
    ],
)
def test_whether_it_comes_out_is_computed(outcome, details, answer):
    row = row_of(outcome, **details)
    assert row.run() is outcome
    assert row.comes_out(outcome) is answer


# The pages.


def test_every_row_stands_in_full_on_one_page_and_all_its_numbers_with_it():
    made = publication.texts(KEPT)
    sections = publication.sections_of(KEPT)
    assert [row["key"] for section in sections for row in section.rows] == list(ROWS)
    for section in sections:
        page = made[publication.FOLDER / f"{section.home}.md"]
        for row in section.rows:
            for line in [*row["ours"], *row["difference"], *row["rows"]]:
                cells = [line] if isinstance(line, str) else line
                assert all(markdown_text(cell) in page for cell in cells), row["key"]
            for paragraph in row["note"].split("\n\n"):
                assert markdown_text(paragraph.strip()) in page, row["key"]


def test_every_table_has_a_line_that_says_what_a_cell_is_and_no_line_is_left_over():
    with_table = {key for key, row in ROWS.items() if row["table"]}
    assert set(rendering.TABLES["cells"]) == with_table
    columns = {name for key in with_table for name in ROWS[key]["table"]["columns"]}
    assert set(rendering.TABLES["columns"]) <= columns


def test_the_words_that_are_kept_are_the_declared_ones():
    assert ledger.reworded(KEPT) == KEPT


def test_rewording_keeps_every_number():
    old = copy.deepcopy(KEPT)
    row = old["rows"][0]
    row["note"] = "Something else."
    assert ledger.reworded(old) == KEPT
    row["values"][0]["value"] += 1
    assert ledger.reworded(old)["rows"][0]["values"] == row["values"]


def test_pages_escape_what_they_show():
    ours = Outcome(Value("p", 0.04, ".2f"), Value("<b>", 3, of=8))
    note = "<script>alert(1)</script> | *x*"
    row = row_of(ours, verdict=Verdict.OTHER_DATA, note=note, printed="<s>")
    paper = Paper("A | <i>B</i>", "Somebody.", (row,))
    made = {"papers": [rows.about(paper)], "rows": [rows.record(paper, row, ours)]}
    shown = rendering.cells(made["rows"][0]) | {"answer": ""}
    section = publication.Section([shown], "page", "Table 9")
    collection = {"title": paper.name, "name": "page", "purpose": "", "reference": ""}
    template = templates(rendering.TEMPLATES).get_template("collection.md.j2")
    text = template.render(collection, sections=[section])
    assert r"&lt;script&gt;alert(1)&lt;/script&gt; \| \*x\*" in text
    assert "&lt;b&gt;: 3 of 8" in text
    assert not re.search(r"<(?!!--|br>|/?details>|/?summary>)", text)


def test_the_summary_counts_all_rows():
    counts = rendering.summary(KEPT)
    assert sum(int(said.split()[0]) for said in counts["totals"].values()) == len(ROWS)
    assert sum(columns[-1] for columns in counts["by_paper"].values()) == counts["n_rows"]
    asked = sum(line.n_asked for line in counts["claims"])
    held = sum(line.n_held for line in counts["claims"])
    partly = sum(line.n_partly for line in counts["claims"])
    assert asked == sum(bool(row["claim"]) for row in ROWS.values())
    assert asked - held - partly == len(counts["failing"])
    assert partly == len(counts["in_part"])
    own = [row["holds"] for row in ROWS.values() if row["claim"] and not row["where"]]
    questions = rendering.CountsOfClaims("questions of ours", len(own), sum(own), 0, 0)
    assert counts["claims"][-1] == questions
