"""Tables in CSV, LaTeX, Markdown and HTML: nothing lost, nothing taken for markup."""

import csv
import html
import io
import itertools
import re
import shutil
import subprocess
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import mtsig_nb as mt
from mtsig_nb import tables
from mtsig_nb.tables.latex import latex_prose

NASTY = "<script>alert(1)</script>&_#$%"

FRAME = pd.DataFrame(
    {
        "system_a": [NASTY, "QCRI--primary"],
        "system_b": ["a|b", "[c] *d* `e` \\f ~g ^h {i}"],
        "score_a": [31.415926, 30.0],
        "difference": [0.8172, -0.001],
        "ci_low": [0.2049, np.nan],
        "ci_high": [1.4, np.nan],
        "pvalue": [1e-9, 0.049996],
        "pvalue_adjusted": [0.00066, np.nan],
        "n": [3, 4],
        "conclusion": ["better", "indistinguishable"],
    }
)


def test_csv_keeps_every_digit():
    header, *rows = csv.reader(io.StringIO(tables.to_csv(FRAME)))
    assert header == list(FRAME.columns)
    assert [row[:2] for row in rows] == FRAME[["system_a", "system_b"]].values.tolist()
    numbers = [[float(cell or "nan") for cell in row[2:9]] for row in rows]
    np.testing.assert_array_equal(numbers, FRAME.iloc[:, 2:9].to_numpy(dtype=float))


FORMULAS = ['=HYPERLINK("x")', "@SUM(1)", "+1+cmd|' /C calc'!A0", "-tuned", "\t=1", " =1", "\r@x"]
HARMLESS = ["a=b", "base-line", "-0.5", "+3", "-inf", "", "'=1", "<b>", "x@y", "QCRI--primary"]


def test_csv_has_no_cell_that_a_spreadsheet_would_compute():
    frame = pd.DataFrame({"system": FORMULAS + HARMLESS, "=metric": 1.5})
    header, *rows = csv.reader(io.StringIO(tables.to_csv(frame), newline=""))
    assert header == ["system", "'=metric"]
    quoted = [f"'{name}".replace("\r", "\n") for name in FORMULAS]
    assert [row[0] for row in rows] == quoted + HARMLESS
    assert frame["system"].tolist() == FORMULAS + HARMLESS  # the frame itself is left alone
    campaigns = mt.list_campaigns()
    assert tables.to_csv(campaigns) == campaigns.to_csv(index=False)


@pytest.mark.slow
@given(st.text(max_size=8))
def test_no_text_begins_like_a_formula_unless_it_is_a_number(text):
    cell = tables.no_formula(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    assert cell in (text, f"'{text}")
    if cell.strip()[:1] in ("=", "+", "-", "@"):
        float(cell)


def test_printed_columns():
    cells = {c.heading: c.cells for c in tables.printed(FRAME)}
    assert cells == {
        "system a": (NASTY, "QCRI--primary"),
        "system b": ("a|b", "[c] *d* `e` \\f ~g ^h {i}"),
        "score a": ("31.42", "30.00"),
        "difference": ("+0.82", "-0.00"),
        "interval": ("[+0.20, +1.40]", "–"),
        "p": ("<0.0001", "0.049996"),
        "adjusted p": ("0.0007", "–"),
        "n": ("3", "4"),
        "conclusion": ("better", "indistinguishable"),
    }
    assert [c.numeric for c in tables.printed(FRAME)] == [False] * 2 + [True] * 6 + [False]


@given(st.floats(0, 1))
def test_printed_pvalue_is_honest(p):
    text = tables.printed_pvalue(p)
    bound = re.fullmatch(r"([<>]?)(\d\.\d+)", text)
    sign, value = bound[1], float(bound[2])
    if sign:
        assert p < value if sign == "<" else p > value
    else:
        assert value > 0
        assert abs(value - p) <= 0.5e-4 * (1 + 1e-9)
        assert value not in (0.05, 0.01, 0.001, 1) or value == p


def test_printed_pvalue_by_hand():
    by_hand = [(0, "<0.0001"), (1 / 10_001, "<0.0001"), (0.0001, "0.0001")]
    by_hand += [(0.05, "0.0500"), (0.05001, "0.05001"), (0.00104, "0.00104")]
    by_hand += [(0.0010000001, ">0.0010"), (0.04999999, "<0.0500")]
    by_hand += [(0.00099999, "<0.0010"), (0.99999, ">0.9999"), (1, "1.0000")]
    assert [tables.printed_pvalue(p) for p, _ in by_hand] == [text for _, text in by_hand]


#: What LaTeX makes of each command that the export writes.
LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textquotedblright{}": '"',
    r"\textquoteleft{}": "`",
    r"\textendash{}": "–",
    "-{}": "-",
    "{[}": "[",
    "{*}": "*",
    **{rf"\{c}": c for c in "&%$#_{}"},
    r"\ensuremath{\leq}": "≤",
    r"\ensuremath{\geq}": "≥",
    r"\ensuremath{\approx}": "≈",
    r"\ensuremath{-}": "−",
    r"\ensuremath{\rightarrow}": "→",
    r"\ensuremath{\leftarrow}": "←",
    r"\ensuremath{\infty}": "∞",
    r"\ensuremath{\varepsilon}": "ε",
    r"\ensuremath{\varphi}": "φ",
    **{
        rf"\ensuremath{{\{name}}}": unicodedata.lookup(f"GREEK SMALL LETTER {name.upper()}")
        for name in (
            *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "mu"),
            *("nu", "xi", "pi", "rho", "sigma", "tau", "chi", "psi", "omega"),
        )
    },
    r"\ensuremath{\lambda}": "λ",
    **{
        rf"\ensuremath{{\{name}}}": unicodedata.lookup(f"GREEK CAPITAL LETTER {name.upper()}")
        for name in ("Gamma", "Delta", "Theta", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega")
    },
    r"\ensuremath{\Lambda}": "Λ",
}


def read_latex(text):
    """What is printed for escaped text; an error for anything that LaTeX would take for markup."""
    pattern = "|".join(re.escape(c) for c in sorted(LATEX, key=len, reverse=True))
    rest = re.sub(pattern, " ", text)
    special = re.search(r"[\\&%$#_{}~^<>|\"`]|--", rest)
    assert special is None, f"{special[0]!r} is not escaped in {text!r}"
    return re.sub(pattern, lambda found: LATEX[found[0]], text)


@example("–-–--[*")
@example("αβγΔΩλΛ≤≥−ü e\u0301")
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30))
def test_any_text_survives_latex(name):
    table = tables.to_latex(pd.DataFrame({"system": [name]}))
    cell = table.partition("\\midrule\n")[2].partition(" \\\\\n\\bottomrule")[0]
    assert read_latex(cell) == unicodedata.normalize("NFC", name)
    assert not re.match(r"[\[*]", cell)  # \\[ and \\* mean something else


def test_latex_table():
    lines = tables.to_latex(FRAME, comments=["50%\n& more"]).splitlines()
    assert lines[:3] == ["% 50% & more", r"\begin{tabular}{llrrrrrrl}", r"\toprule"]
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines if line.endswith(r" \\")]
    assert [len(row) for row in rows] == [9, 9, 9]
    assert read_latex(rows[1][0]) == NASTY
    assert rows[2][0] == "QCRI-{}-primary"
    assert rows[1][3:7] == ["$+0.82$", "$[+0.20, +1.40]$", "$<0.0001$", "$0.0007$"]
    assert rows[2][4] == r"\textendash{}"


def lacks_latex() -> str:
    """What is missing to compile a table, or nothing."""
    if shutil.which("pdflatex") is None:
        return "pdflatex is not installed (Debian: texlive-latex-base)"
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)
    missing = "LaTeX's booktabs is not installed (Debian: texlive-latex-recommended)"
    return "" if found.returncode == 0 else missing


@pytest.mark.parametrize("encoding", ["", "\\usepackage[T1]{fontenc}"])
def test_any_name_compiles(encoding, tmp_path):
    if lacks_latex():
        pytest.skip(lacks_latex())
    hard = [*FRAME["system_a"], *FRAME["system_b"], '"quoted" – $x^2$', "*", "|", "a&b"]
    frame = pd.concat([FRAME] * 4, ignore_index=True).assign(system_a=hard)
    document = rf"""\documentclass{{article}}
{encoding}
\usepackage{{booktabs}}
\begin{{document}}
{tables.to_latex(frame)}
\end{{document}}"""
    (tmp_path / "table.tex").write_text(document, encoding="utf-8")
    command = "pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error table.tex"
    done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, timeout=120)
    log = (tmp_path / "table.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert not re.findall(r"Missing character.*|LaTeX Warning: (?!Label|There were).*", log)
    assert (tmp_path / "table.pdf").stat().st_size > 1000


def test_html_reads_back_as_it_was():
    text = tables.to_html(FRAME)
    assert set(re.findall(r"<(\w+)", text)) == {"table", "thead", "tbody", "tr", "th", "td"}
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", text)
    expected = tables.printed(FRAME)
    headings, rows = [c.heading for c in expected], zip(*(c.cells for c in expected), strict=True)
    assert list(map(html.unescape, cells)) == [*headings, *itertools.chain(*rows)]


def test_markdown_escapes_markup_and_columns():
    lines = tables.to_markdown(FRAME).splitlines()
    assert lines[1].count(":---") == 3
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 10 for line in lines)
    assert r"&lt;script&gt;alert(1)&lt;/script&gt;&amp;\_#\$%" in lines[2]
    assert r"\[c\] \*d\* \`e\` \\f \~g ^h {i}" in lines[3]


@pytest.mark.parametrize("control", ["\r\n", "\u2028", *map(chr, [*range(32), *range(127, 160)])])
def test_no_line_break_and_no_control_character_of_a_name_gets_into_a_table(control):
    """Those of Unicode's C0 and C1, which a terminal obeys and which LaTeX may stop at."""
    frame = pd.DataFrame({"system": [f"one{control}two"]})
    for export in (tables.to_latex, tables.to_markdown):
        assert "one two" in export(frame)


def test_empty_frames():
    empty = FRAME.iloc[:0]
    assert tables.to_latex(empty).count(r"\\") == 1
    assert len(tables.to_markdown(empty).splitlines()) == 2


@pytest.fixture(scope="module")
def comparisons():
    campaign = mt.load("wmt12/es-en")
    systems = ["onlineB", "jhu-hiero", "GTH-UPM", "onlineF"]
    both = [campaign.statistics(m).select(systems) for m in ("BLEU", "TER")]
    return mt.compare_all(both, n_resamples=500, interval_resamples=300, rng=3)


@pytest.mark.parametrize("metric", ["BLEU", "TER"])
@pytest.mark.parametrize("against", [None, "GTH-UPM", "onlineF"])
def test_summary_table_speaks_of_the_rows_system(comparisons, metric, against):
    label = next(m for m in comparisons.metrics if m.startswith(metric))
    table = mt.summary_table(comparisons, metric=label, against=against).set_index("system")
    scores = comparisons.scores[label]
    better = 1 if comparisons.higher_is_better[label] else -1
    against = against or scores.index[0]
    assert list(table.index) == list(scores.index)  # best first
    assert table["score"].to_list() == scores.to_list()
    np.testing.assert_allclose(
        table["difference"].drop(against), better * (scores - scores[against]).drop(against)
    )
    assert table.loc[against, "difference":].isna().all()
    others = table.drop(against)
    assert (others["ci_low"] < others["ci_high"]).all()
    assert others["difference"].between(others["ci_low"], others["ci_high"]).all()
    conclusions = comparisons.conclusions(metric=label)
    for system, row in others.iterrows():
        assert row["conclusion"] == conclusions.word(system, against)
        assert bool(set(row["letters"]) & set(table.loc[against, "letters"])) == (
            row["conclusion"] == "indistinguishable"
        )
        assert row["pvalue"] <= row["pvalue_adjusted"]


def test_summary_table_needs_names_it_knows(comparisons):
    with pytest.raises(mt.InputError, match="several"):
        mt.summary_table(comparisons)
    with pytest.raises(mt.InputError, match="mean 'onlineB'"):
        mt.summary_table(comparisons, metric=comparisons.metrics[0], against="onlineb")


@pytest.mark.parametrize("form", ["to_latex", "to_markdown", "to_html"])
def test_comparisons_export_themselves(comparisons, form):
    text = getattr(comparisons, form)(**({"pairs": True} if form == "to_latex" else {}))
    assert text.count("onlineB") == 6  # three pairs, two metrics
    assert "interval" in text


def test_latex_is_the_table_of_systems_with_what_was_done(comparisons):
    lines = comparisons.to_latex(baseline="onlineB", digits=1).splitlines()
    assert latex_prose(comparisons.methods_sentence()) in "\n".join(lines)
    assert f"% {comparisons.signature}" in lines
    rows = [line for line in lines if line.endswith(r" \\")]
    assert len(rows) == 1 + len(comparisons.scores["BLEU"])
    own = next(line for line in rows if line.startswith("onlineB &"))
    assert own.count(" & baseline & ") == len(comparisons.metrics)
    assert f"${comparisons.scores['BLEU']['onlineB']:.1f}$" in own
    assert "^{*}$" in "".join(rows)
