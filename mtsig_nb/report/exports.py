"""Tables for other programs and for papers: tidy CSV, LaTeX, Markdown, HTML.

A frame is rounded here and nowhere else, and only for print: CSV keeps every digit.  Any text may
be a system's name, so each format escapes what it would take for markup.
"""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..conclusions.clustering import clusters
from ..conclusions.deciding import UNRESOLVED, Conclusions
from ..significance.comparisons import Comparisons
from ..significance.results import USUAL_LEVELS
from ..texts.files import is_number

#: Headings that are not the column's name.
HEADINGS = {"pvalue": "p", "pvalue_adjusted": "adjusted p", "ci_low": "interval"}
MISSING = "–"


def summary_table(
    comparisons: Comparisons, *, metric: str | None = None, against: str | None = None
) -> pd.DataFrame:
    """One row per system, for a paper: score, letters, and how it compares with one system.

    Parameters
    ----------
    comparisons : Comparisons
    metric : str, optional
        Needed where there are several.
    against : str, optional
        The system that all others are compared with; the best one by default.

    Returns
    -------
    DataFrame
        system, score, letters, difference (how much better it is than `against`), ci_low, ci_high,
        pvalue, pvalue_adjusted, at_floor (whether resamples allow no smaller value), conclusion
        (about the row's system); best first, unrounded.  Systems that share a letter are not
        distinguished at the comparison's level.

    Raises
    ------
    InputError
        For a system or metric that is not there.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> p = mt.compare_all(bleu, n_resamples=2000, interval=None, rng=2014)
    >>> summary_table(p)[["system", "letters", "conclusion"]].head(2)
            system letters conclusion
    0      onlineB       a        NaN
    1  uedin-wmt12       b      worse
    """
    conclusions = comparisons.conclusions(metric=metric)
    metric = metric or comparisons.metrics[0]
    systems = conclusions.systems
    against = systems[conclusions.index(against)] if against is not None else systems[0]
    rows = comparisons.table[comparisons.table["metric"] == metric]
    as_a = rows[rows["system_a"] == against]
    as_b = rows[rows["system_b"] == against]
    # Where `against` comes first, the row is turned round to speak of the other system.
    turned = as_a.assign(
        system=as_a["system_b"],
        difference=-as_a["difference"],
        ci_low=-as_a["ci_high"],
        ci_high=-as_a["ci_low"],
    )
    found = pd.concat([turned, as_b.assign(system=as_b["system_a"])]).set_index("system")
    columns = ["difference", "ci_low", "ci_high", "pvalue", "pvalue_adjusted", "at_floor"]
    about_all = summary(comparisons, metric).set_index("system")[["score", "letters"]]
    table = about_all.join(found[columns]).loc[list(systems)]
    words = pd.Series(said_against(conclusions, against))
    return table.assign(conclusion=words).rename_axis("system").reset_index()


def said_against(conclusions: Conclusions, system: str) -> dict[str, str]:
    """What is concluded about each of the others against `system`, in a word; best first."""
    words = {s: conclusions.word(s, system) for s in conclusions.systems if s != system}
    for pair in conclusions.unresolved:
        if system in pair:
            words[pair[pair[0] == system]] = UNRESOLVED
    return words


def summary(comparisons: Comparisons, metric: str) -> pd.DataFrame:
    """The table of :meth:`mtsig_nb.Comparisons.summary`."""
    table = comparisons.scores[metric].rename("score").to_frame()
    bounds = comparisons.score_intervals.get(metric)
    table[["ci_low", "ci_high"]] = np.nan if bounds is None else bounds
    table["letters"] = pd.Series(clusters(comparisons.conclusions(metric=metric)).letters())
    return table.rename_axis("system").reset_index()


def to_csv(frame: pd.DataFrame) -> str:
    """Tidy CSV with every digit.

    Names that a spreadsheet would compute get an apostrophe; see `no_formula`.

    Examples
    --------
    >>> print(to_csv(pd.DataFrame({"system": ["a", "=1+1"], "score": [31.4159265, 30.0]})), end="")
    system,score
    a,31.4159265
    '=1+1,30.0
    """
    safe = frame.rename(columns=no_formula)
    for place, dtype in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            safe.isetitem(place, frame.iloc[:, place].map(no_formula).array)
    return str(safe.to_csv(index=False, lineterminator="\n"))


def no_formula(cell: Any) -> Any:
    """A cell of a CSV file as a spreadsheet should show it: never as a formula to compute.

    Programs for spreadsheets compute a cell that begins like a formula, which whoever chose the
    name may make read files or call the network.  An apostrophe before it makes it a text; what is
    no text, or is a number, stays as it is.  Line breaks become LF: a lone CR would stand without
    quotation marks, and begin a new cell.

    Examples
    --------
    >>> [no_formula(cell) for cell in ("@SUM(A1)", "-tuned", "-0.5", "base-line", 0.5)]
    ["'@SUM(A1)", "'-tuned", '-0.5', 'base-line', 0.5]
    """
    if not isinstance(cell, str):
        return cell
    cell = re.sub("\r\n?", "\n", cell)
    formula = cell.lstrip().startswith(("=", "+", "-", "@")) and not is_number(cell)
    return f"'{cell}" if formula else cell


def to_latex(
    frame: pd.DataFrame | Sequence[Column], *, digits: int = 2, comments: Sequence[str] = ()
) -> str:
    r"""LaTeX with booktabs' rules.

    The document needs ``\usepackage{booktabs}``, and UTF-8 input for names beyond ASCII.

    Parameters
    ----------
    frame : DataFrame, or columns as `printed` returns them
    digits : int
        Decimals of scores and differences.
    comments : sequence of str
        Lines that stand before the table, and that LaTeX does not print.

    Examples
    --------
    >>> print(to_latex(pd.DataFrame({"system": ["a_1"], "pvalue": [0.00001]})), end="")
    \begin{tabular}{lr}
    \toprule
    system & p \\
    \midrule
    a\_1 & $<0.0001$ \\
    \bottomrule
    \end{tabular}
    """
    columns = printed(frame, digits=digits)
    lines = [
        *(f"% {_one_line(comment)}" for comment in comments),
        r"\begin{tabular}{" + "".join("r" if c.numeric else "l" for c in columns) + "}",
        r"\toprule",
        " & ".join(_latex(c.heading) for c in columns) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in _rows(columns, _latex, _latex_number)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def to_markdown(frame: pd.DataFrame | Sequence[Column], *, digits: int = 2) -> str:
    r"""A table in GitHub's Markdown.

    Examples
    --------
    >>> print(to_markdown(pd.DataFrame({"system": ["a|b"], "score": [31.4159]})), end="")
    | system | score |
    | :--- | ---: |
    | a\|b | 31.42 |
    """
    columns = printed(frame, digits=digits)
    lines = [
        [_markdown(c.heading) for c in columns],
        ["---:" if c.numeric else ":---" for c in columns],
        *_rows(columns, _markdown, _markdown),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_html(frame: pd.DataFrame | Sequence[Column], *, digits: int = 2) -> str:
    """A table in HTML, without styles of its own.

    Examples
    --------
    >>> print(to_html(pd.DataFrame({"system": ["<b>"]})), end="")
    <table class="mtsig">
    <thead>
    <tr><th>system</th></tr>
    </thead>
    <tbody>
    <tr><td>&lt;b&gt;</td></tr>
    </tbody>
    </table>
    """
    columns = printed(frame, digits=digits)

    def line(tag: str, cells: Sequence[str]) -> str:
        styles = [' style="text-align: right"' if c.numeric else "" for c in columns]
        shown = zip(styles, map(html.escape, cells), strict=True)
        return f"<tr>{''.join(f'<{tag}{style}>{cell}</{tag}>' for style, cell in shown)}</tr>"

    heads = line("th", [c.heading for c in columns])
    rows = [line("td", row) for row in _rows(columns, str, str)]
    body = ["<tbody>", *rows, "</tbody>"]
    return "\n".join(['<table class="mtsig">', "<thead>", heads, "</thead>", *body, "</table>\n"])


@dataclasses.dataclass(frozen=True)
class Column:
    """A column as it is printed: heading, cells of plain text, whether they are numbers."""

    heading: str
    cells: tuple[str, ...]
    numeric: bool


def printed(frame: pd.DataFrame | Sequence[Column], *, digits: int = 2) -> list[Column]:
    """The frame's columns as plain text, rounded, for any format; or those that it is already.

    p-values have four decimals and are never rounded to zero, to one, or onto a usual level of
    significance; adjusted ones are printed as a bound where at_floor says that the resamples allow
    no smaller value; ci_low and ci_high become one interval; differences have their sign.

    Examples
    --------
    >>> frame = pd.DataFrame({"difference": [0.817], "ci_low": [0.2], "ci_high": [1.4]})
    >>> [(c.heading, *c.cells) for c in printed(frame)]
    [('difference', '+0.82'), ('interval', '[+0.20, +1.40]')]
    """
    if not isinstance(frame, pd.DataFrame):
        return list(frame)
    columns = []
    for name in frame.columns.drop(["ci_high", "at_floor"], errors="ignore").map(str):
        values = frame[name]
        numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
        heading = HEADINGS.get(name, name.replace("_", " "))
        columns.append(Column(heading, tuple(_cells(frame, name, digits)), numeric))
    return columns


def _cells(frame: pd.DataFrame, name: str, digits: int) -> Iterator[str]:
    floors = frame.get("at_floor") if name == "pvalue_adjusted" else None
    beside = frame["ci_high"] if name == "ci_low" else floors
    others = [None] * len(frame) if beside is None else beside
    for value, other in zip(frame[name], others, strict=True):
        if pd.isna(value):
            yield MISSING
        elif name == "ci_low":
            yield f"[{_signed(value, digits)}, {_signed(other, digits)}]"
        elif name.startswith("pvalue"):
            yield printed_pvalue(value, at_floor=other == 1)  # NaN is not
        elif name == "difference":
            yield _signed(value, digits)
        else:
            yield f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def printed_pvalue(p: float, *, at_floor: bool = False) -> str:
    """`p` rounded honestly: not to 0, nor to 1, nor onto a level that it is not equal to.

    What would be is a bound, and so is a value that is the smallest which so many resamples can
    give, rounded upwards.

    Examples
    --------
    >>> [printed_pvalue(p) for p in (0.012345, 0.0, 0.049996, 0.05, 1.0)]
    ['0.0123', '<0.0001', '<0.0500', '0.0500', '1.0000']
    >>> printed_pvalue(66 / 10_001, at_floor=True)
    '<0.0066'
    """
    if p < 1e-4:
        return "<0.0001"
    if at_floor and p < 1:
        return f"<{np.ceil(1e4 * p - 1e-6) / 1e4:.4f}"
    if 1 - 1e-4 < p < 1:
        return ">0.9999"
    text = f"{p:.4f}"
    if float(text) in USUAL_LEVELS and float(text) != p:
        return f"{'<' if p < float(text) else '>'}{text}"
    return text


def _signed(value: float, digits: int) -> str:
    """A number with its sign, which stays where rounding leaves nothing else of it."""
    return f"{value:+.{digits}f}" if value else f"{0:.{digits}f}"


def _rows(
    columns: list[Column], text: Callable[[str], str], number: Callable[[str], str]
) -> Iterator[list[str]]:
    """The table's rows, each cell through the escaping of its kind."""
    for row in zip(*(c.cells for c in columns), strict=True):
        yield [(number if c.numeric else text)(cell) for c, cell in zip(columns, row, strict=True)]


_LATEX = {
    "\\": r"\textbackslash{}",
    **{c: rf"\{c}" for c in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Not the straight forms, which old LaTeX lacks without textcomp, and OT1 fonts altogether.
    '"': r"\textquotedblright{}",
    "`": r"\textquoteleft{}",
    "–": r"\textendash{}",
}


def _latex(text: str) -> str:
    r"""Text as LaTeX, on one line.

    Also kept apart: hyphens, which would join to a dash (``QCRI--primary``), and a bracket or star
    at the start, which ``\\`` on the line before would take for its own.
    """
    escaped = "".join(_LATEX.get(c, c) for c in _one_line(text))
    escaped = re.sub("-(?=-)", "-{}", escaped)
    return re.sub(r"^[\[*]", lambda found: f"{{{found[0]}}}", escaped)


def _latex_number(text: str) -> str:
    """A number in mathematics, its mark above; as text whatever is none."""
    found = re.fullmatch(r"([<>]?[+-]?[\d.]+|\[.*\])([*?]?) *", text)
    if found is None:
        return _latex(text.strip())
    return f"${found[1]}{f'^{{{found[2]}}}' if found[2] else ''}$"


def _markdown(text: str) -> str:
    """Text as Markdown: what could be markup, or HTML, is escaped."""
    escaped = html.escape(_one_line(text), quote=False)
    return re.sub(r"([\\`*_\[\]|~$])", r"\\\1", escaped)


def _one_line(text: str) -> str:
    """`text` without line breaks and other control characters."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)
