"""Tables that one pastes into a paper: they compile as they are, and fit what they stand in."""

from __future__ import annotations

import itertools
import re
import shutil
import string
import subprocess

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.bibliography import Citation, cited, entries, named_in, on_metrics, works
from mtsig_nb.significance.corrections import CORRECTIONS
from mtsig_nb.tables import Column, PaperTable, numbered_notes
from mtsig_nb.tables.fitting import fitted, width_in_points
from mtsig_nb.tables.latex import latex_prose, latex_text, what_it_needs

from .test_tables import lacks_latex

#: By class: how a document begins, and the style of its references.
CLASSES = {
    "article": (r"\documentclass[twocolumn]{article}", "plain"),
    "IEEEtran": (r"\documentclass[conference]{IEEEtran}", "IEEEtran"),
    "acmart": (r"\documentclass[sigconf,nonacm]{acmart}", "ACM-Reference-Format"),
}
TITLE = r"\title{A trial}\author{Nobody}\maketitle Text."
#: Names that need escaping, that are long, and that have nowhere to be broken.
HARD = ("our_system_v2", "base & line", "100%-neural#1", "a~b^c{d}\\e", "x" * 60)
LONG = "facebook/nllb-200-distilled-600M-finetuned-on-everything"


def names(n: int, hard: bool) -> list[str]:
    """Names for so many systems, short or hard ones."""
    if not hard:
        return [f"system{number}" for number in range(n)]
    return [f"{name}-{number}" for number, name in zip(range(n), itertools.cycle([*HARD, LONG]))]


def compared(n_systems: int, n_metrics: int, *, hard: bool = False) -> mt.Comparisons:
    """All pairs of invented systems under invented metrics."""
    rng = np.random.default_rng(n_systems)
    systems = names(n_systems, hard)
    quality = rng.normal(30, 8, 60)
    statistics = []
    for metric in range(n_metrics):
        parts = []
        for place, name in enumerate(systems):
            scores = (quality - place + rng.normal(0, 3, 60)).round(2)
            parts.append(pd.DataFrame({"system": name, "segment": range(60), "score": scores}))
        label = f"Metric_{metric}"
        statistics.append(mt.from_segment_scores(pd.concat(parts), label=label))
    return mt.compare_all(statistics, n_resamples=200, interval_resamples=200, rng=1)


@pytest.fixture(scope="module")
def tables() -> dict[str, str]:
    """LaTeX of tables of many sizes, by what they are."""
    made = {}
    for n_systems, n_metrics, hard in [
        *itertools.product((2, 5, 12), (1, 2, 3), (False,)),
        *itertools.product((5, 12), (1, 3), (True,)),
    ]:
        comparisons = compared(n_systems, n_metrics, hard=hard)
        size = f"{n_systems} systems, {n_metrics} metrics{', hard names' if hard else ''}"
        made[size] = comparisons.to_latex()
        if n_metrics != 2:
            made[f"pairs of {size}"] = comparisons.to_latex(pairs=True)
    return made


def test_one_metric_fits_a_column_and_several_a_page(tables):
    """Twelve systems with names that are long, too."""
    for size, latex in tables.items():
        is_on_page = r"\begin{table*}" in latex
        if size.startswith("pairs"):
            continue
        if " 1 metrics" in size:
            assert not is_on_page, size
        elif " 3 metrics" in size:
            assert is_on_page, size


def test_capitals_of_abbreviations_in_titles_are_kept_by_every_style():
    """BibTeX's styles write titles in small letters, but for what stands in braces."""
    titles = re.findall(r"^  title = \{(.*?)\},$", entries(works()), re.MULTILINE | re.DOTALL)
    assert len(titles) > 20
    for title in titles:
        unprotected = re.sub(r"\{[^{}]*\}", "", title)
        assert not re.search(r"\b[A-Z]{2,}\b", unprotected), title


def test_a_legend_speaks_of_the_columns_that_are_printed_and_of_no_others(tables):
    """Where p or the ranks are left out; the correction is that of the marks, too."""
    n_left_out = 0
    for size, latex in tables.items():
        if size.startswith("pairs"):
            continue
        printed = re.sub("^%.*", "", latex, flags=re.MULTILINE)
        heading = printed.partition("\\toprule\n")[2].partition(r"\midrule")[0]
        legend = printed.partition(r"\parbox{\linewidth}")[2].partition(r"\end{table")[0]
        has_p = re.search(r"& p\b", heading) is not None
        n_left_out += not has_p
        is_corrected = not size.startswith("2 systems, 1")  # there are several comparisons
        assert (re.search(r"\bp is\b", legend) is not None) == (has_p and is_corrected)
        assert ("anks are" in legend) == ("ranks" in heading)
        assert ("holm-corrected" in legend) == is_corrected
    assert n_left_out >= 2


def test_a_cell_has_no_sentence_and_a_difference_its_mark(tables):
    for latex in tables.values():
        printed = re.sub("^%.*", "", latex, flags=re.MULTILINE)
        assert "indistinguishable" not in printed
        assert "cannot tell" not in printed
    assert "^{*}$" in tables["pairs of 5 systems, 1 metrics"]


@pytest.mark.parametrize("n_systems", [12, 40])
def test_a_long_table_is_in_pieces_that_have_every_row_once(n_systems):
    rows = [f"r{number}" for number in range(n_systems * 5)]
    table = PaperTable(columns=[Column("system", tuple(rows), numeric=False)], caption="Many.")
    latex = table.to_latex()
    pieces = latex.split(r"\begin{tabular}")[1:]
    assert len(pieces) > 1
    assert latex.count(r"\caption") == 1
    assert latex.count("continued") == len(pieces) - 1
    assert all("system \\\\\n\\midrule" in piece for piece in pieces)
    assert re.findall(r"^(r\d+) ", latex, re.MULTILINE) == rows


def test_a_table_wider_than_a_page_is_in_panels_by_metric():
    columns = [Column("system", ("a", "b"), numeric=False)]
    for metric in range(9):
        columns.append(Column(f"metric {metric}", ("31.415", "30.271"), numeric=True))
        columns.append(Column("interval", ("30.001–32.817", "29.112–31.904"), numeric=True))
    panels = fitted(columns, ()).panels
    assert len(panels) > 1
    headings = [[" ".join(column.heading) for column in panel.columns] for panel in panels]
    assert all(heading[0] == "system" for heading in headings)
    assert all(heading[1].startswith("metric") for heading in headings)
    assert sum(len(heading) - 1 for heading in headings) == 18
    assert all(panel.width <= 455 for panel in panels)


def test_notes_are_numbered_and_stand_below_the_table():
    columns = [
        Column("ahead", ("a", "b", "c"), numeric=False),
        Column("note", ("few units", "–", "few units"), numeric=False),
    ]
    numbered, notes = numbered_notes(columns)
    assert numbered[1].cells == ("1", "", "1")
    assert notes == ["few units"]
    table = PaperTable(columns=columns, caption="Notes.")
    for text in (table.to_latex(), table.to_markdown(), table.to_html()):
        assert text.count("few units") == 1
        assert text.index("few units") > text.index("c")


def test_html_for_a_mail_has_its_styles_in_its_elements():
    html = PaperTable(columns=[Column("x", ("<b>",), numeric=True)], caption="").to_html()
    assert "<style" not in html
    assert "&lt;b&gt;" in html
    assert all(" style=" in tag for tag in re.findall(r"<(?:table|th|td)\b[^>]*>", html))


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("plain-1", ""),
        ("Müller é ł – “x”", ""),
        ("Δ ≥ α", ""),
        ("ą", "T1"),
        ("模型", "XeLaTeX"),
        ("модель", "XeLaTeX"),
        ("نموذج", "XeLaTeX"),
        ("🙂", "XeLaTeX"),
    ],
)
def test_what_an_engine_lacks_is_said_above_the_table(name, needs):
    latex = PaperTable(columns=[Column("system", (name,), numeric=False)], caption="").to_latex()
    comments = [line for line in latex.splitlines() if line.startswith("% It needs")]
    assert bool(comments) == bool(needs)
    assert needs in "".join(comments)


# --- the sentence and its references --------------------------------------------------------------


def test_every_correction_is_cited():
    for settings in CORRECTIONS.values():
        paper = settings["paper"]
        year = re.search(r"\d{4}", paper)
        assert len(named_in(f"with {paper} for 3 comparisons")) == bool(year), paper


def test_every_entry_is_whole():
    for entry in entries(works()).split("\n\n"):
        assert re.match(r"@\w+\{[\w-]+,\n", entry)
        assert "  year = {" in entry
        assert "  title = {" in entry
        assert "  author = {" in entry
        assert entry.count("{") == entry.count("}")
        where = ("booktitle", "journal", "publisher", "howpublished")
        assert any(f"  {field} = {{" in entry for field in where), entry


def test_a_citation_takes_the_place_of_a_name_and_nothing_else_changes():
    text = "By Holm's (1979) correction and after Holm (1979); see (Post 2018; Koehn 2004) of 2018."
    parts = list(cited(text))
    keys = [part.keys for part in parts if isinstance(part, Citation)]
    holm = ("holm-1979-simple",)
    assert keys == [holm, holm, ("post-2018-call", "koehn-2004-statistical")]
    assert [part for part in parts if isinstance(part, str)][-1] == " of 2018."
    assert latex_prose("Holm wrote 100 % of a_b") == r"Holm wrote 100\,\% of a\_b"


def test_metrics_of_files_have_no_paper():
    assert on_metrics({"BLEU": "SegmentMean|version:1"}) == ""
    assert named_in(on_metrics({"x": "NIST|nrefs:1"})) == ["Doddington 2002"]


# --- what LaTeX makes of it -----------------------------------------------------------------------


def compiled(document: str, folder, bibliography: str = "") -> str:
    """The log of a document, with its references if it has any; an error if it does not compile."""
    (folder / "paper.tex").write_text(document, encoding="utf-8")
    (folder / "references.bib").write_text(bibliography, encoding="utf-8")
    latex = "pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error paper.tex"
    commands = [latex, "bibtex paper", latex, latex] if bibliography else [latex]
    for command in commands:
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")
    return (folder / "paper.log").read_text(encoding="utf-8", errors="replace")


def overfull(log: str) -> list[str]:
    """The boxes that are wider than their place by more than a point."""
    boxes = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)[^\n]*", log)
    return [box for box in boxes if float(box) > 1]


def columns_with(columns: list[Column], n_rows: int) -> list[Column]:
    """The columns with their first rows alone."""
    return [Column(each.heading, each.cells[:n_rows], each.numeric) for each in columns]


def lacks_class(name: str) -> str:
    """What is missing to compile a document of a class, or nothing."""
    if lacks_latex():
        return lacks_latex()
    found = subprocess.run(["kpsewhich", f"{name}.cls"], capture_output=True, check=False)
    if found.returncode != 0:
        return f"LaTeX's {name} is not installed (Debian: texlive-publishers)"
    if name == "acmart":
        needed = subprocess.run(["kpsewhich", "hyperxmp.sty"], capture_output=True, check=False)
        if needed.returncode != 0:
            return "LaTeX's hyperxmp is not installed (Debian: texlive-latex-extra)"
    return ""


@pytest.mark.takes_time
@pytest.mark.parametrize("name", CLASSES)
def test_it_compiles_as_it_stands_and_nothing_is_too_wide(name, tables, tmp_path):
    """Without a package: not even booktabs or natbib."""
    if lacks_class(name):
        pytest.skip(lacks_class(name))
    beginning, _ = CLASSES[name]
    many = [f"the test errs in {number} % of cases on {LONG}" for number in range(15)]
    noted = [
        Column("ahead", tuple(names(15, hard=True)), numeric=False),
        Column("note", tuple(many), numeric=False),
    ]
    with_notes = [
        PaperTable(columns=noted, caption=f"Notes on {LONG}.", label="many").to_latex(),
        PaperTable(columns=columns_with(noted, 6), caption="Notes.", label="few").to_latex(),
    ]
    # A box as wide as the table in the place of one that hides how wide it is.
    pasted = "\n".join([*tables.values(), *with_notes]).replace(
        r"\makebox[\linewidth][c]{%", r"\mbox{%"
    )
    log = compiled(
        f"{beginning}\n\\begin{{document}}\n{TITLE}\n{pasted}\n\\end{{document}}", tmp_path
    )
    assert overfull(log) == []
    assert "Float too large" not in log
    assert "Missing character" not in log


@pytest.mark.takes_time
@pytest.mark.parametrize("name", CLASSES)
def test_its_references_are_whole(name, tmp_path):
    if lacks_class(name):
        pytest.skip(lacks_class(name))
    if shutil.which("bibtex") is None:
        pytest.skip("bibtex is not installed (Debian: texlive-binaries)")
    beginning, style = CLASSES[name]
    comparisons = compared(3, 1)
    document = f"""{beginning}
\\begin{{document}}
{TITLE}
{comparisons.to_latex()}
\\bibliographystyle{{{style}}}
\\bibliography{{references}}
\\end{{document}}"""
    log = compiled(document, tmp_path, mt.cite(comparisons))
    assert "undefined" not in log
    references = (tmp_path / "paper.bbl").read_text(encoding="utf-8")
    assert references.count(r"\bibitem") == 4  # two on the test, Holm's, and the software
    assert mt.__version__ in references


def test_no_text_is_wider_than_it_is_taken_to_be(tmp_path):
    if lacks_latex():
        pytest.skip(lacks_latex())
    texts = [*string.printable[:94], *HARD, "–", "“é”", "31.4–32.8", "Systems that share"]
    lines = []
    for number, text in enumerate(texts):
        lines.append(rf"\setbox0\hbox{{{latex_text(text)}}}\typeout{{width {number} \the\wd0}}")
    body = "\n".join(lines)
    document = rf"""\documentclass{{article}}
\begin{{document}}
\fontsize{{8}}{{9.6}}\selectfont
{body}
\end{{document}}"""
    log = compiled(document, tmp_path)
    widths = re.findall(r"width (\d+) ([\d.]+)pt", log)
    assert len(widths) == len(texts)
    for number, width in widths:
        assert float(width) <= width_in_points(texts[int(number)]) + 1e-6, texts[int(number)]


@pytest.mark.parametrize("needs", ["", "T1"])
def test_the_characters_that_pdflatex_is_said_to_have_compile(needs, tmp_path):
    if lacks_latex():
        pytest.skip(lacks_latex())
    latin = [chr(code) for code in range(0xA1, 0x180)]
    others = [*"–—‘’“”…†‡•„‚‹›≤≥≈−→←∞αβγδεζηθικλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ"]
    wanted = [c for c in latin + others if not what_it_needs(c).startswith("Xe")]
    if not needs:
        wanted = [c for c in wanted if not what_it_needs(c)]
    encoding = r"\usepackage[T1]{fontenc}" if needs else ""
    text = " ".join(latex_text(character) for character in wanted)
    log = compiled(
        f"\\documentclass{{article}}{encoding}\n\\begin{{document}}\n{text}\n\\end{{document}}",
        tmp_path,
    )
    assert "Missing character" not in log


def test_python_gives_the_same_table_as_before_in_a_frame():
    """`to_latex` of a frame stays a bare tabular, for whoever makes a table of it."""
    latex = mt.tables.to_latex(pd.DataFrame({"system": ["a"]}))
    assert latex.startswith(r"\begin{tabular}")
