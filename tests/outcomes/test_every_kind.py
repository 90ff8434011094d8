"""Every kind of outcome: the same interface, the same renderers, and code that finds the same."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import json
import pkgutil
import re
from pathlib import Path

import lxml.html
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import mtsig_nb as mt
from mtsig_nb import outcomes
from mtsig_nb.cli import app
from mtsig_nb.cli.contents import of_outcome
from mtsig_nb.outcomes.kinds import CLASSES, outcome_class
from mtsig_nb.outcomes.outcome import Layout, Outcome
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.report.page import report_page
from mtsig_nb.report.watch import Watch
from mtsig_nb.tables import numbered_notes, to_markdown

from ..frozen.inputs import write_inputs

#: Settings by the kind of outcome that they lead to.
ANALYSES = {
    "pairs": {"scores": "long.csv", "metrics": ["COMET", "MQM:higher"], "n_resamples": 200},
    "test sets": {"scores": "test_sets.csv", "n_resamples": 200},
    "runs": {"scores": "runs.csv", "n_resamples": 200},
    "ratings": {"scores": "ratings.csv"},
    "battles": {"scores": "battles.csv"},
    "metrics": {"scores": "metrics.csv", "gold": "MQM:lower"},
    "gate": {
        "scores": "long.csv",
        "metrics": ["COMET", "MQM:higher"],
        "margin": {"COMET": 0.4, "MQM": 0.3},
        "baseline": "alder",
        "n_resamples": 200,
    },
    "leaderboard": {"scores": "test_sets.csv", "aggregate": "mean-rank", "n_resamples": 200},
    "looks": {
        "scores": "long.csv",
        "metrics": ["COMET"],
        "planned": 80,
        "looks": 4,
        "n_resamples": 999,
    },
}
#: The commands that lead to them, if not ``compare``.
TYPED = {
    "metrics": ["agreement", "--gold", "MQM:lower"],
    "leaderboard": ["leaderboard"],
    "gate": [
        *("gate", "--baseline", "alder", "-m", "COMET", "MQM:higher"),
        *("--margin", "COMET=0.4", "--margin", "MQM=0.3"),
    ],
}
#: The columns of their systems that rank these, if not ``score``.
SCORES = {
    "battles": "strength",
    "metrics": "soft_pairwise_accuracy",
    "leaderboard": "value",
}
#: How they exit, if not with 0: this gate cannot tell.
EXIT_CODES = {"gate": 2}
pytestmark = pytest.mark.filterwarnings("ignore:'MQM' is taken as")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("inputs")
    write_inputs(made)
    return made


def analysis_of(kind: str, settings: dict) -> Analysis:
    """The analysis of a kind with these settings."""
    return Watch(**settings) if kind == "looks" else Analysis(**settings)


@pytest.fixture(scope="module", params=ANALYSES)
def analysed(request, folder) -> Outcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made = analysis_of(request.param, ANALYSES[request.param]).run()
    assert made.kind == request.param
    return made


@pytest.fixture
def outcome(analysed, folder, monkeypatch) -> Outcome:
    monkeypatch.chdir(folder)
    return analysed


def test_all_kinds_are_tried():
    for module in pkgutil.iter_modules(outcomes.__path__):
        importlib.import_module(f"{outcomes.__name__}.{module.name}")

    def kinds(parent: type[Outcome]) -> set[str]:
        found = {parent.kind} if hasattr(parent, "kind") else set()
        return found.union(*(kinds(child) for child in parent.__subclasses__()))

    assert kinds(Outcome) == {*ANALYSES} == {*CLASSES}
    for kind in CLASSES:
        assert outcome_class(kind).kind == kind


def test_it_says_what_was_found_and_how(outcome):
    assert outcome.verdicts
    assert all(verdict.endswith(".") for verdict in outcome.verdicts.values())
    assert outcome.methods.startswith("We ")
    assert outcome.sources.startswith(outcome.analysis.scores)
    assert len(outcome) == len(outcome.table) > 0
    if outcome.kind == "metrics":
        compared = "metric"
        names = {"near", "far"}
    else:
        compared = "system"
        names = {"alder", "birch", "cedar"}
    assert {f"{compared}_a", f"{compared}_b"} <= {*outcome.table.columns}
    assert {*outcome.systems[compared]} == names == {*outcome.system_names}


@pytest.mark.takes_time
def test_it_has_the_verbs_of_every_result(outcome):
    rows = outcome.found.table if outcome.kind == "looks" else outcome.table
    assert outcome.to_csv().count("\n") == len(rows) + 1
    assert outcome.to_html().count("<tr>") >= 2
    assert outcome.plot().axes
    assert repr(outcome).startswith(f"{type(outcome).__name__}(")
    assert "\n" not in repr(outcome)
    assert "<table" in outcome._repr_html_()
    assert all(verdict in str(outcome) for verdict in outcome.verdicts.values())
    plt.close("all")


@pytest.mark.parametrize("pairs", [False, True])
def test_it_has_tables_for_the_screen_and_one_for_paper(outcome, pairs):
    layout = Layout(pairs=pairs)
    tables = [section.table for section in outcome.tables(layout) if section.table]
    assert all(len({len(column.cells) for column in table}) == 1 for table in tables)
    n_rows = len(outcome.for_paper(layout)[0].cells)
    latex = outcome.to_latex(layout)
    assert latex.count(r" \\") == n_rows + 1
    assert outcome.methods[:40] in latex
    assert len(table_in(outcome.to_markdown(layout))) == n_rows + 2


def table_in(markdown: str) -> list[str]:
    """The lines of the table in a text of Markdown."""
    return [line for line in markdown.splitlines() if line.startswith("|")]


@pytest.mark.parametrize("pairs", [False, True])
def test_what_one_pastes_has_everything_that_belongs_to_it(outcome, pairs):
    layout = Layout(pairs=pairs)
    latex = outcome.to_latex(layout)
    printed = re.sub("^%.*", "", latex, flags=re.MULTILINE)
    for part in (r"\caption{", r"\label{tab:", r"\begin{table", r"\end{tabular}"):
        assert part in printed
    keys = {key for group in re.findall(r"\\cite[pt]\{(.*?)\}", latex) for key in group.split(",")}
    entries = set(re.findall(r"^@\w+\{(.*?),", outcome.to_bibtex(), re.MULTILINE))
    assert keys == entries
    assert "mtsig_nb" in keys
    assert set(re.findall(r"^@\w+\{(.*?),", mt.cite(outcome), re.MULTILINE)) == keys
    body = printed.partition(r"\midrule")[2]
    assert "indistinguishable" not in body
    cells = [cell for line in table_in(outcome.to_markdown(layout)) for cell in line.split("|")]
    assert max(map(len, cells)) < 40  # no sentences
    assert " style=" in outcome.to_html(layout)


#: By kind: what a caption names, and on how much the result rests.
CAPTIONS = {
    "pairs": ("COMET, MQM", ("segments",)),
    "test sets": ("COMET", ("documents",)),
    "runs": ("COMET", ("runs", "segments")),
    "ratings": ("DA", ("ratings", "raters")),
    "battles": ("battles", ("battles",)),
    "metrics": ("people", ("systems", "pairs")),
    "gate": ("COMET, MQM", ("segments",)),
    "leaderboard": ("mean rank", ("tasks", "documents")),
    "looks": ("COMET", ("looks", "segments")),
}


@pytest.mark.parametrize("pairs", [False, True])
def test_its_caption_says_what_was_compared_by_what_on_how_much(outcome, pairs):
    caption = outcome.paper_table(Layout(pairs=pairs)).caption
    names, units = CAPTIONS[outcome.kind]
    assert names in caption
    for unit in units:
        assert re.search(rf"\d (?:of [\d,]+ )?{unit}\b", caption), (unit, caption)
    assert caption.endswith(").")
    has_table_of_pairs = pairs and outcome.kind not in ("gate", "looks")
    assert caption.startswith("All pairs of ") == has_table_of_pairs


def test_its_page_has_verdict_table_figure_caveats_and_methods_in_this_order(outcome):
    source = report_page(outcome)
    page = lxml.html.fromstring(source)
    first_verdict = next(iter(outcome.verdicts.values())).split("\n")[0]
    places = [
        source.index("<h1>"),
        source.index('class="verdict"'),
        source.index("<table"),
        source.index("<figure"),
        source.index("<h2>How it was done"),
    ]
    if outcome.notes:
        assert page.xpath("//a[@href='#caveats']")
        places.insert(-1, source.index('id="caveats"'))
        caveats = page.get_element_by_id("caveats").getnext().text_content()
        assert all(note in caveats for note in outcome.notes)
    assert places == sorted(places)
    assert page.xpath("//div[@class='verdict']/p")[0].text == first_verdict


def test_no_heading_of_its_page_skips_a_level(outcome):
    page = lxml.html.fromstring(report_page(outcome))
    levels = [int(heading.tag[1]) for heading in page.xpath("//h1|//h2|//h3|//h4|//h5|//h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    for level, following in itertools.pairwise(levels):
        assert following <= level + 1


def test_its_figure_for_a_paper_names_all_systems(outcome):
    figure, notes = outcome.figure_for_paper()
    figure.canvas.draw()
    if outcome.kind == "looks":  # pairs are named beside their lines
        texts = [text.get_text() for axes in figure.axes for text in axes.texts]
        shown = {name for text in texts for name in text.split(" – ")}
    else:
        shown = {label.get_text() for axes in figure.axes for label in axes.get_yticklabels()}
    assert shown == {*outcome.system_names}
    assert notes == []
    assert figure.get_figwidth() == pytest.approx(3.3)


@pytest.mark.takes_time
def test_decimals_are_those_that_are_asked_for_in_every_format(outcome):
    for text in (
        outcome.to_latex(Layout(digits=5)),
        outcome.to_markdown(Layout(digits=5)),
        report_page(outcome, layout=Layout(digits=5)),
    ):
        if outcome.kind == "looks":  # whose systems have no scores
            first = outcome.table["difference"].iloc[0]
        else:
            first = outcome.systems[SCORES.get(outcome.kind, "score")].iloc[0]
        assert f"{abs(first):.5f}" in text


@pytest.mark.parametrize("layout", [Layout(), Layout(digits=3), Layout(digits=1, pairs=True)])
def test_latex_and_markdown_print_the_same_digits(outcome, layout):
    """Whatever the layout, cell for cell, but for columns that LaTeX has no room for."""
    latex = outcome.to_latex(layout)
    tabular = latex.partition(r"\begin{tabular}")[2]
    body = tabular.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    left_out = re.search(r"^% Left out, as there is no room: (.*)\. CSV", latex, re.MULTILINE)
    headings = left_out[1].split(", ") if left_out else []
    columns = [column for column in outcome.for_paper(layout) if column.heading not in headings]
    numbered, _ = numbered_notes(columns)
    _, _, *rows = to_markdown(numbered).splitlines()
    assert set(rows) <= set(table_in(outcome.to_markdown(layout))) or left_out
    number = r"\d+\.\d+"
    assert re.findall(number, body) == re.findall(number, "\n".join(rows))


@pytest.mark.takes_time
@pytest.mark.parametrize("pairs", [[], ["--pairs"]])
@pytest.mark.parametrize("kind", [kind for kind in ANALYSES if kind != "looks"])
def test_width_is_heard_in_every_format_on_the_command_line(kind, pairs, folder, monkeypatch):
    """Every difference that is printed has as many decimals as were asked for."""
    monkeypatch.chdir(folder)
    settings = ANALYSES[kind]
    if kind == "gate":
        pairs = []  # it shows no others
    typed = [*TYPED.get(kind, ["compare"]), "--scores", settings["scores"], "-w", "3", *pairs]
    if "n_resamples" in settings:
        typed += ["-n", str(settings["n_resamples"])]
    shown = {}
    forms = ["text", "latex", "markdown", "html"]
    if kind in ("metrics", "leaderboard") and not pairs:
        forms = ["text", "html"]  # the others have no differences
    for form in forms:
        to_page = ["-o", "page.html"] if form == "html" else ["-f", form]
        result = CliRunner().invoke(app, [*typed, *to_page])
        assert result.exit_code == EXIT_CODES.get(kind, 0), result.output
        written = result.stdout
        if form == "html":
            written = Path("page.html").read_text(encoding="utf-8")
        numbers = re.findall(r"(?<![\w.])[+−-]\d+\.(\d+)", plain(written))
        shown[form] = {len(decimals) for decimals in numbers}
    assert shown == {form: {3} for form in shown}


def plain(text: str) -> str:
    """The text of a page, without its pictures and its code; any other text as it is."""
    if not text.startswith("<!"):
        return text
    page = lxml.html.fromstring(text)
    for element in page.xpath("//svg | //pre | //style"):
        element.drop_tree()
    return " ".join(page.itertext())


def test_a_verdict_on_a_pair_has_the_decimals_that_are_asked_for(folder, monkeypatch):
    monkeypatch.chdir(folder)
    of_two = {"scores": "long.csv", "metrics": ["COMET"], "systems": ["alder", "cedar"]}
    for settings in (of_two, {"scores": "runs.csv"}):
        found = Analysis(**settings, n_resamples=200).run()
        (line,) = found.verdict_lines(Layout(digits=6))
        score = found.table[["score_a"]].iloc[0, 0]
        assert f"{score:.6f}" in line


def test_the_page_has_verdicts_tables_notes_and_code(outcome):
    text = lxml.html.fromstring(report_page(outcome)).text_content()
    for verdict in outcome.verdicts.values():
        assert verdict.split("\n")[0] in text
    for note in outcome.notes:
        assert note in text
    assert outcome.methods in text
    assert outcome.code() in text


def test_the_json_has_what_all_have(outcome):
    answer = of_outcome(outcome, Layout())
    content = json.loads(
        json.dumps(answer.content(), default=lambda table: table.to_dict("records"))
    )
    assert content["kind"] == outcome.kind
    assert content["notes"] == list(outcome.notes)
    assert content["verdicts"] == dict(outcome.verdicts)
    assert len(content["pairs"]) == len(outcome)
    assert answer.distinguished is outcome.distinguished


def test_the_analysis_of_an_outcome_finds_the_same_again(outcome):
    settings = outcome.analysis.to_dict()
    again = analysis_of(outcome.kind, json.loads(json.dumps(settings)))
    if outcome.kind == "ratings":  # which are averaged as soon as units are named
        again = dataclasses.replace(again, units=None)
    pd.testing.assert_frame_equal(again.run().table, outcome.table)


def test_the_code_finds_the_same(outcome):
    names: dict = {}
    exec(outcome.code(), names)
    if outcome.kind in ("pairs", "test sets"):
        pd.testing.assert_frame_equal(names["comparisons"].table, outcome.table)
    elif outcome.kind == "runs":
        pvalues = [comparison.pvalue for comparison in names["compared"]]
        np.testing.assert_array_equal(pvalues, outcome.table["pvalue_methods"])
    elif outcome.kind == "leaderboard":
        pd.testing.assert_frame_equal(names["board"].table, outcome.systems)
    elif outcome.kind == "gate":
        assert names["verdicts"] == list(outcome.table["verdict"])
        pvalues = [test.pvalue_below for test in names["tests"]]
        np.testing.assert_array_equal(pvalues, outcome.table["pvalue"])
    elif outcome.kind == "looks":
        pd.testing.assert_frame_equal(names["found"].table, outcome.found.table)
    elif outcome.kind == "metrics":
        table = names["compared"].table
        np.testing.assert_array_equal(table["pvalue"], outcome.table["pvalue"])
    else:
        table = names["tests"].table
        np.testing.assert_allclose(table["pvalue"], outcome.table["pvalue"], rtol=1e-12)
