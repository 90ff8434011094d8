"""``make paper``: the replication as an article, ``build/paper/paper.pdf``.

The text is ``docs/paper/paper.tex.j2``.  Its numbers are filled in from the ledger
(``docs/replication.json``), from what was measured of the tests (``docs/trust.json``) and from the
campaigns of ratings (``docs/judged_again.json``), and its figures are drawn from the same files.
It needs pdflatex, with what is in Debian's texlive-latex-recommended.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.plots import style
from mtsig_nb.significance.other_tools import OTHER_TOOLS
from mtsig_nb.writing import write_whole

from ..judged_again.totals import by_source, compared, totals
from ..notebooks.files import ROOT
from ..repository import results
from ..trust import decimals
from ..trust.rows import FIRST_LEVEL
from .computed.koehn_design import SIZES, expected_right
from .computed.verdicts import CHANGES
from .rows import Record, Verdict, entry, frame_of, rows_by_key, spec_of

SOURCE = ROOT / "docs" / "paper" / "paper.tex.j2"


class Look(NamedTuple):
    """How the points of a metric look."""

    color: str
    marker: str


#: The metrics whose verdicts are counted.
METRICS = {
    "BLEU": Look(style.BLUE, "o"),
    "chrF": Look(style.GREEN, "^"),
    "MetricX": Look(style.ORANGE, "s"),
}
#: Changes, as table and figure name them: with letters, and the last one in other words.
LABELS = {}
for letter, change in zip("abcdef", CHANGES, strict=True):
    LABELS[change] = f"({letter}) {change}"
LABELS["released bootstrap to documents with Holm"] = "(f) the whole way"
#: References to figures and tables are known to LaTeX only after it has run once.
RUNS = 3
PDFLATEX = ("pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error")
INSTALL = "sudo apt-get install texlive-latex-recommended"
LATEX_S = 120
#: Letters as large as those of captions.
LETTERS = {"font.size": 9, "axes.labelsize": 9, "axes.titlesize": 9, "legend.fontsize": 8}
#: Inches.
WIDTH = 6.3


class Numbers:
    """What the text takes from the kept results: each method gives the text of a number.

    Parameters
    ----------
    blank : str
        If given, stands in the place of every number, so that what is left was typed.

    Attributes
    ----------
    rows : mapping of str to Record
        The rows of the ledger by key.
    later : set of str
        What `rows` call their paper if it is none of the four.
    worlds : mapping of str to mapping
        The worlds of the page on trust by key.
    filled : list of str
        The texts of all numbers so far.
    """

    def __init__(self, blank: str = "") -> None:
        ledger = results.ledger()
        self.rows = rows_by_key(ledger)
        self.later = set()
        for paper in ledger["papers"]:
            if paper["later"]:
                self.later.add(paper["name"])
        trust = results.trust()
        self.worlds = {world["key"]: world for world in trust["worlds"]}
        campaigns = compared(results.judged_again())
        self.judged_again = {}
        for source, campaigns_of_source in by_source(campaigns).items():
            self.judged_again[source] = totals(campaigns_of_source)
        self.filled: list[str] = []
        self.blank = blank

    def __call__(self, number: float | str, spec: str = ",d") -> str:
        """Any number as text, with this format; a printed one as it is."""
        text = number if isinstance(number, str) else format(number, spec)
        self.filled.append(text)
        if self.blank:
            return self.blank
        return text.replace("-", "$-$")

    def count(self, *, later: bool, **wanted: object) -> str:
        """How many rows of the four papers, or of later campaigns, have the contents `wanted`.

        They are given by the names that a row has for them: ``holds=True``.  For ``claim`` and
        ``selected``, which are texts, True asks for any text.
        """
        n_rows = 0
        for row in self.rows.values():
            is_later = row["paper"] in self.later
            if is_later == later and _has_contents(row, wanted):
                n_rows += 1
        return self(n_rows)

    def value(self, key: str, name: str, spec: str = "") -> str:
        """One of a row's values, as the ledger shows it unless `spec` says otherwise."""
        value = self.entry(key, name)
        number = value["value"]
        return self(number, spec or spec_of(value))

    def total(self, key: str, name: str) -> str:
        """The number that a count is out of."""
        count = self.entry(key, name)
        return self(count["of"])

    def percent(self, key: str, name: str) -> str:
        """A count as a percentage of what it is out of."""
        share = self.share(key, name)
        return self(share, ".1f")

    def again(self, *names: str, spec: str = ",d") -> str:
        """A number of campaigns of ratings, by their source and its names in `totals`."""
        found: Any = self.judged_again
        for name in names:
            found = found[name]
        return self(found, spec)

    def printed(self, key: str, name: str) -> str:
        """What the paper prints for one of a row's values."""
        printed = self.rows[key]["printed"]
        text = entry(printed, name)["text"]
        if text.isdigit():
            return self(int(text))
        return self(text)

    def cell(self, key: str, column: str, *labels: object, spec: str = ",d") -> str:
        """A cell of a row's table, by its column and the labels that its line begins with."""
        table = self.rows[key]["table"]
        position = table["columns"].index(column)
        for line in table["rows"]:
            first_cells = tuple(line[: len(labels)])
            if first_cells == labels:
                return self(line[position], spec)
        raise KeyError(f"{key}: no line begins with {labels}")

    def error(self, world: str, setting: int, title: str, units: str = "segments") -> str:
        """How often a test of .05 errs in a world, by the test's title or name."""
        count, total = self.rejected(world, setting, title, units)
        rate = count / total
        return self(decimals.number(rate))

    def size(self, world: str, setting: int) -> str:
        """How many units a setting of a world has."""
        label = self.setting(world, setting)["label"]
        size, _ = size_and_units(label)
        return self(size)

    def rejected(self, world: str, setting: int, title: str, units: str) -> tuple[int, int]:
        """How many data sets of a world a test of .05 rejects, and how many there are.

        `title` is the test's title or name.
        """
        for row in self.setting(world, setting)["rows"]:
            titles = (row["title"], row["name"])
            if title in titles and row["units"] == units:
                return row["counts"][FIRST_LEVEL], row["of"]
        raise KeyError(f"{world}, setting {setting}: no test {title!r} of {units}")

    def setting(self, world: str, number: int) -> Mapping[str, Any]:
        """A setting of a world, by its number from 0."""
        settings: Sequence[Mapping[str, Any]] = self.worlds[world]["settings"]
        return settings[number]

    def entry(self, key: str, name: str) -> Mapping[str, Any]:
        """One of a row's values, as the ledger keeps it."""
        values = self.rows[key]["values"]
        return entry(values, name)

    def share(self, key: str, name: str) -> float:
        """A count in percent of what it is out of."""
        count = self.entry(key, name)
        return float(100 * count["value"] / count["of"])


def size_and_units(label: str) -> tuple[str, str]:
    """What the label of a setting begins with: "1,948" and "segments"."""
    size, units, *_ = label.split()
    return size, units


def _has_contents(row: Record, wanted: Mapping[str, object]) -> bool:
    """Whether a row has the contents that `Numbers.count` is asked for."""
    for name, content in wanted.items():
        kept = row[name]
        is_any_text = name in ("claim", "selected") and content is True
        has_content = bool(kept) if is_any_text else kept == content
        if not has_content:
            return False
    return True


def text(numbers: Numbers) -> str:
    """The article in LaTeX."""
    loader = jinja2.FileSystemLoader(SOURCE.parent)
    environment = jinja2.Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
    )
    template = environment.get_template(SOURCE.name)
    sacrebleu = OTHER_TOOLS["sacrebleu-bs"]
    _, version, *_ = sacrebleu.title.split()
    return template.render(
        n=numbers,
        changes=list(CHANGES),
        metrics=list(METRICS),
        labels=LABELS,
        verdicts=[str(verdict) for verdict in Verdict],
        arithmetic=Verdict.ARITHMETIC,
        other=Verdict.OTHER_DATA,
        sacrebleu=version,
    )


def figures(numbers: Numbers) -> Iterator[tuple[str, Figure]]:
    """Every figure of the article, with the name by which the text includes it."""
    heights = {koehn: 2.4, errors: 2.5, verdicts: 3.3}
    with plt.style.context([style.SHEET, LETTERS]):
        for draw, height in heights.items():
            size = (WIDTH, height)
            figure = plt.figure(figsize=size, layout="constrained")
            draw(numbers, figure)
            yield draw.__name__, figure
            plt.close(figure)


def koehn(numbers: Numbers, figure: Figure) -> None:
    """Koehn's Table 3 and ours, by what the curve depends on."""
    ax = figure.subplots()
    table = frame_of(numbers.rows["koehn-table-3"])
    whose = table[""]  # the column of "his" and "ours" has no title
    his = table[whose == "his"]
    _draw_cells(ax, his, label="printed in 2004", color=style.INK, marker="o")
    ours = table[whose == "ours"]
    label = "ours, WMT12 and WMT13"
    _draw_cells(ax, ours, label=label, color=style.EMPHASIS, marker="D", mfc="none")
    _draw_curve(ax, numbers)
    ax.set_xscale("log")
    ax.set_xlabel("difference in BLEU × square root of the number of sentences")
    _set_ticks(ax, [5, 10, 20, 50, 100, 200])
    ax.set_ylabel("tests with a right\nconclusion (%)")
    ax.legend(loc="lower right")


def _draw_curve(ax: Axes, numbers: Numbers) -> None:
    """The curve closest to his cells, which depends on x alone, whatever the size."""
    x = np.geomspace(4, 300, 200)
    any_size = SIZES[0]
    sigma = numbers.entry("koehn-table-3", "σ of the curve closest to his cells")
    differences = x / np.sqrt(any_size)
    right_by_size = expected_right(differences, sigma["value"])
    column = SIZES.index(any_size)
    right = right_by_size[:, column]
    ax.plot(x, right, color=style.GREY, zorder=0, label="the curve")


def _draw_cells(ax: Axes, pairs: pd.DataFrame, **look: Any) -> None:
    """The cells of Table 3 as points: `pairs` have a row for each pair, a column for each size."""
    differences = pairs["difference (BLEU)"].astype(float)
    roots = np.sqrt(SIZES)
    x = np.outer(differences, roots)
    columns = [f"{size:,} right (%)" for size in SIZES]
    right = pairs[columns].to_numpy(dtype=float)
    ax.plot(x.ravel(), right.ravel(), ls="", ms=4.5, **look)


def _set_ticks(ax: Axes, ticks: list[int]) -> None:
    """Ticks of an x axis whose scale would choose others, or write them as powers."""
    labels = [str(tick) for tick in ticks]
    ax.set_xticks(ticks, labels)


@dataclasses.dataclass(frozen=True)
class Curve:
    """A test in a panel of the figure of errors: its name, and how it is drawn."""

    label: str
    test: str
    color: str
    marker: str
    units: str = "segments"


@dataclasses.dataclass(frozen=True)
class Panel:
    """A panel of the figure of errors: its tests in a world of the page on trust."""

    world: str
    title: str
    curves: Sequence[Curve]


RELEASED = Curve("released bootstrap", "sacrebleu-bs", style.EMPHASIS, "X")
SHUFFLES = Curve("randomization", "approximate-randomization", style.BLUE, "o")
SHIFTED = Curve("bootstrap", "bootstrap", style.GREEN, "s")
FLIPS = Curve("sign flips", "sign-flip", style.SKY, "P")
SEGMENTS = Curve("segments", "sign-flip", style.EMPHASIS, "X")
DOCUMENTS = Curve("documents", "sign-flip", style.SKY, "P", units="documents")
PANELS = (
    Panel("swap", "outputs exchanged", (RELEASED, SHIFTED, SHUFFLES)),
    Panel("lengths", "unequal lengths", (SHUFFLES, FLIPS, SHIFTED)),
    Panel("documents", "documents with effects", (SEGMENTS, DOCUMENTS)),
)


def errors(numbers: Numbers, figure: Figure) -> None:
    """How often tests of .05 err in three worlds without a difference."""
    axes = figure.subplots(1, len(PANELS), sharey=True)
    for ax, panel in zip(axes, PANELS, strict=True):
        _draw_panel(ax, numbers, panel)
    axes[0].set_ylabel("rejections at .05")


def _draw_panel(ax: Axes, numbers: Numbers, panel: Panel) -> None:
    """The errors of a panel's tests, by how many units a setting of its world has."""
    sizes = []
    for setting in numbers.worlds[panel.world]["settings"]:
        size, units = size_and_units(setting["label"])
        sizes.append(size)
    positions = np.arange(len(sizes), dtype=float)
    for k, curve in enumerate(panel.curves):
        shift = 0.08 * (k - 1)
        beside_others = positions + shift
        _draw_errors(ax, numbers, panel.world, beside_others, curve)
    ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=0.8)
    ax.set_xticks(positions, sizes)
    ax.set(title=panel.title, xlabel=units, ylim=(0, 0.34))
    ax.margins(x=0.2)
    ax.legend(loc="upper left")


def _draw_errors(ax: Axes, numbers: Numbers, world: str, x: FloatArray, curve: Curve) -> None:
    """A test's rate of errors in each setting of a world, with exact intervals.

    `x` is where they stand, with an element for each setting.
    """
    counts = []
    totals = []
    for setting in range(len(x)):
        count, total = numbers.rejected(world, setting, curve.test, curve.units)
        counts.append(count)
        totals.append(total)
    rates = np.divide(counts, totals)
    low, high = clopper_pearson(counts, totals)
    ax.errorbar(
        x,
        rates,
        yerr=style.ends(rates, low, high),
        label=curve.label,
        color=curve.color,
        marker=curve.marker,
        ms=5,
        lw=1.2,
    )


def verdicts(numbers: Numbers, figure: Figure) -> None:
    """The share of verdicts that each change turns: campaigns as dots, all pairs as a mark."""
    ax = figure.subplots()
    rng = np.random.default_rng(0)
    for k, metric in enumerate(METRICS):
        shift = 0.24 * (k - 1)
        _draw_changes(ax, numbers, metric, shift, rng)
    style.name_rows(ax, list(LABELS.values()))
    ax.set_xscale("symlog", linthresh=1)
    _set_ticks(ax, [0, 1, 2, 5, 10, 20, 40])
    ax.set_xlim(-0.1, 60)
    ax.set_xlabel("verdicts at .05 that change (% of pairs of systems)")
    figure.legend(loc="outside upper center", ncols=len(METRICS))


def _draw_changes(
    ax: Axes, numbers: Numbers, metric: str, shift: float, rng: np.random.Generator
) -> None:
    """A row for each change with a metric's shares, moved down by `shift`."""
    look = METRICS[metric]
    key = f"verdicts-{metric}"
    record = numbers.rows[key]
    for row, change in enumerate(CHANGES):
        y = row + shift
        shares = _shares_by_campaign(record, change)
        jitter = rng.uniform(-0.07, 0.07, len(shares))
        ax.scatter(shares, y + jitter, s=9, color=look.color, alpha=0.35, linewidths=0)
        share = numbers.share(key, change)
        (mark,) = ax.plot(share, y, look.marker, color=look.color, ms=6, mec="white")
    mark.set_label(f"{metric}, all pairs")  # the last one stands for all in the legend


def _shares_by_campaign(record: Record, change: str) -> FloatArray:
    """In %, the verdicts that a change turns, for each campaign that has them."""
    table = frame_of(record)
    changed = table[change].astype(float)
    shares = changed / table["pairs"]
    return 100 * shares.dropna().to_numpy()


def build(folder: Path) -> tuple[Path, int]:
    """Make the article in a folder; the PDF, and how many pages it has."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = Numbers()
    write_whole(folder / "paper.tex", text(numbers))
    for name, figure in figures(numbers):
        path = folder / f"{name}.pdf"
        figure.savefig(path, metadata={"CreationDate": None})
    for _ in range(RUNS):
        log = _run_latex(folder)
    pages = re.findall(r"Output written on .*?\((\d+) pages?", log)
    return folder / "paper.pdf", int(pages[-1])


def _run_latex(folder: Path) -> str:
    """Run LaTeX once in the article's folder; its log."""
    command = [*PDFLATEX, "paper.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=LATEX_S)
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
    if done.returncode:
        raise RuntimeError(f"pdflatex stopped:\n{log[-2000:]}")
    return log


def main(arguments: list[str] | None = None) -> int:
    """Make it and say where; the exit status is 1 without LaTeX."""
    parser = argparse.ArgumentParser(prog="make paper", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build/paper", metavar="FOLDER")
    options = parser.parse_args(arguments)
    if shutil.which("pdflatex") is None:
        print(f"pdflatex is not installed. On Debian: {INSTALL}", file=sys.stderr)
        return 1
    pdf, pages = build(options.to)
    print(f"{pages} pages; {pdf}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
