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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.plots import style
from mtsig_nb.significance.other_tools import OTHER_TOOLS
from mtsig_nb.writing import write_whole

from ..judged_again.totals import compared, totals
from ..notebooks.files import ROOT
from ..repository import results
from ..trust import rendering
from .computed.koehn_design import SIZES, expected_right
from .computed.verdicts import CHANGES
from .rows import Verdict

SOURCE = ROOT / "docs" / "paper" / "paper.tex.j2"
METRICS = ("BLEU", "chrF", "MetricX")
#: As table and figure name the changes.
LABELS = {change: f"({letter}) {change}" for letter, change in zip("abcdef", CHANGES, strict=True)}
LABELS["released bootstrap to documents with Holm"] = "(f) the whole way"
#: References to figures and tables are known to LaTeX only after it has run once.
RUNS = 3
INSTALL = "sudo apt-get install texlive-latex-recommended"
LATEX_S = 120
#: Letters as large as those of captions.
LOOK = {"font.size": 9, "axes.labelsize": 9, "axes.titlesize": 9, "legend.fontsize": 8}


class Numbers:
    """What the text takes from the kept results, each under a name; `filled` has all of them.

    Attributes
    ----------
    filled : list of str
        The texts.
    blank : str
        If given, stands in the place of every number, so that what is left was typed.
    """

    def __init__(self, blank: str = "") -> None:
        kept = results.ledger()
        self.rows = {row["key"]: row for row in kept["rows"]}
        self.later = {paper["name"] for paper in kept["papers"] if paper["later"]}
        self.worlds = {world["key"]: world for world in results.trust()["worlds"]}
        self.judged_again = totals(compared(results.judged_again()))
        self.filled: list[str] = []
        self.blank = blank

    def __call__(self, number: float | str, spec: str = ",d") -> str:
        """Any number as text, with this format; a printed one as it is."""
        text = number if isinstance(number, str) else format(number, spec)
        self.filled.append(text)
        return self.blank or text.replace("-", "$-$")

    def count(self, *, later: bool, **wanted: object) -> str:
        """How many rows of the four papers, or of later campaigns, have these contents.

        Of a claim, and of what limits the choice of data, True asks for any text.
        """
        n_rows = 0
        for row in self.rows.values():
            contents = {name: row[name] for name in wanted}
            for name in ("claim", "selected"):
                if wanted.get(name) is True:
                    contents[name] = bool(row[name])
            is_later = row["paper"] in self.later
            n_rows += is_later == later and contents == wanted
        return self(n_rows)

    def value(self, key: str, name: str, spec: str = "") -> str:
        """One of a row's values, as the ledger shows it unless `spec` says otherwise."""
        entry = self.entry(key, name)
        return self(entry["value"], spec or entry["spec"] or ",d")

    def total(self, key: str, name: str) -> str:
        """The number that a count is out of."""
        return self(self.entry(key, name)["of"])

    def percent(self, key: str, name: str) -> str:
        """A count as a percentage of what it is out of."""
        entry = self.entry(key, name)
        return self(100 * entry["value"] / entry["of"], ".1f")

    def again(self, *names: str, spec: str = ",d") -> str:
        """A number of all campaigns of ratings, by its names in `totals`."""
        found: Any = self.judged_again
        for name in names:
            found = found[name]
        return self(found, spec)

    def printed(self, key: str, name: str) -> str:
        """What the paper prints for one of a row's values."""
        printed = self.rows[key]["printed"]
        text = next(number["text"] for number in printed if number["name"] == name)
        return self(int(text) if text.isdigit() else text)

    def cell(self, key: str, column: str, *labels: object, spec: str = ",d") -> str:
        """A cell of a row's table, by its column and the labels that its line begins with."""
        table = self.rows[key]["table"]
        position = table["columns"].index(column)
        line = next(line for line in table["rows"] if tuple(line[: len(labels)]) == labels)
        content = line[position]
        return self(content, "" if isinstance(content, str) else spec)

    def error(self, world: str, setting: int, title: str, units: str = "segments") -> str:
        """How often a test of .05 errs in a world, by the test's title or name."""
        count, total = self.rejected(world, setting, title, units)
        return self(rendering.number(count / total))

    def size(self, world: str, setting: int) -> str:
        """How many units a setting of a world has."""
        label = self.worlds[world]["settings"][setting]["label"]
        return self(label.split()[0])

    def rejected(self, world: str, setting: int, title: str, units: str) -> tuple[int, int]:
        """How many data sets of a world a test of .05 rejects, and how many there are."""
        for row in self.worlds[world]["settings"][setting]["rows"]:
            if title in (row["title"], row["name"]) and row["units"] == units:
                return row["counts"]["0.05"], row["of"]
        raise KeyError(f"{world}, setting {setting}: no test {title!r} of {units}")

    def entry(self, key: str, name: str) -> dict[str, Any]:
        """One of a row's values, as the ledger keeps it."""
        values = self.rows[key]["values"]
        entry: dict[str, Any] = next(value for value in values if value["name"] == name)
        return entry


def text(numbers: Numbers) -> str:
    """The article in LaTeX."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(SOURCE.parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
    )
    template = environment.get_template(SOURCE.name)
    return template.render(
        n=numbers,
        changes=list(CHANGES),
        metrics=METRICS,
        labels=LABELS,
        verdicts=[str(verdict) for verdict in Verdict],
        arithmetic=Verdict.ARITHMETIC,
        other=Verdict.OTHER_DATA,
        sacrebleu=OTHER_TOOLS["sacrebleu-bs"].title.split()[1],
    )


def figures(numbers: Numbers) -> Iterator[tuple[str, Figure]]:
    """Every figure of the article, with the name by which the text includes it."""
    with plt.style.context([style.SHEET, LOOK]):
        for draw, size in ((koehn, (6.3, 2.4)), (errors, (6.3, 2.5)), (verdicts, (6.3, 3.3))):
            figure = plt.figure(figsize=size, layout="constrained")
            draw(numbers, figure)
            yield draw.__name__, figure
            plt.close(figure)


def koehn(numbers: Numbers, figure: Figure) -> None:
    """Koehn's Table 3 and ours, by what the curve depends on."""
    ax = figure.subplots()
    table = numbers.rows["koehn-table-3"]["table"]
    looks: dict[str, dict[str, Any]] = {
        "his": {"label": "printed in 2004", "color": style.INK, "marker": "o"},
        "ours": {"label": "ours, WMT12 and WMT13", "color": style.EMPHASIS, "marker": "D"},
    }
    looks["ours"]["mfc"] = "none"
    for whose, look in looks.items():
        x = []
        y = []
        for line in table["rows"]:
            if line[0] != whose:
                continue
            row = dict(zip(table["columns"], line, strict=True))
            for size in SIZES:
                x.append(float(row["difference (BLEU)"]) * size**0.5)
                y.append(float(row[f"{size:,} right (%)"]))
        ax.plot(x, y, ls="", ms=4.5, **look)
    on_curve = np.geomspace(4, 300, 200)
    sigma = numbers.entry("koehn-table-3", "σ of the curve closest to his cells")["value"]
    by_size = expected_right(on_curve / SIZES[0] ** 0.5, sigma)
    ax.plot(on_curve, by_size[:, 0], color=style.GREY, zorder=0, label="the curve")
    ax.set(xscale="log", xlabel="difference in BLEU × square root of the number of sentences")
    ticks = [5, 10, 20, 50, 100, 200]
    ax.set_xticks(ticks, list(map(str, ticks)))
    ax.set_ylabel("tests with a right\nconclusion (%)")
    ax.legend(loc="lower right")


@dataclasses.dataclass(frozen=True)
class Curve:
    """A test in a panel of the figure of errors: its name, and how it is drawn."""

    label: str
    test: str
    color: str
    marker: str
    units: str = "segments"


RELEASED = Curve("released bootstrap", "sacrebleu-bs", style.EMPHASIS, "X")
SHUFFLES = Curve("randomization", "approximate-randomization", style.BLUE, "o")
SHIFTED = Curve("bootstrap", "bootstrap", style.GREEN, "s")
FLIPS = Curve("sign flips", "sign-flip", style.SKY, "P")
SEGMENTS = Curve("segments", "sign-flip", style.EMPHASIS, "X")
DOCUMENTS = Curve("documents", "sign-flip", style.SKY, "P", units="documents")
#: The panels of the figure of errors, by their world: title and tests.
PANELS = {
    "swap": ("outputs exchanged", (RELEASED, SHIFTED, SHUFFLES)),
    "lengths": ("unequal lengths", (SHUFFLES, FLIPS, SHIFTED)),
    "documents": ("documents with effects", (SEGMENTS, DOCUMENTS)),
}


def errors(numbers: Numbers, figure: Figure) -> None:
    """How often tests of .05 err in three worlds without a difference."""
    axes = figure.subplots(1, len(PANELS), sharey=True)
    for ax, (world, (title, curves)) in zip(axes, PANELS.items(), strict=True):
        labels = [setting["label"] for setting in numbers.worlds[world]["settings"]]
        positions = np.arange(len(labels), dtype=float)
        for k, curve in enumerate(curves):
            _draw_errors(ax, numbers, world, positions + 0.08 * (k - 1), curve)
        ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=0.8)
        ax.set_xticks(positions, [label.split()[0] for label in labels])
        ax.set(title=title, xlabel=labels[0].split()[1], ylim=(0, 0.34))
        ax.margins(x=0.2)
        ax.legend(loc="upper left")
    axes[0].set_ylabel("rejections at .05")


def _draw_errors(ax: Axes, numbers: Numbers, world: str, x: FloatArray, curve: Curve) -> None:
    """A test's rate of errors in each setting of a world, with exact intervals."""
    rates, lows, highs = [], [], []
    for setting in range(len(x)):
        count, total = numbers.rejected(world, setting, curve.test, curve.units)
        low, high = clopper_pearson(count, total)
        rates.append(count / total)
        lows.append(low)
        highs.append(high)
    bars = style.ends(rates, lows, highs)
    look: dict[str, Any] = {"color": curve.color, "marker": curve.marker, "label": curve.label}
    ax.errorbar(x, rates, bars, ms=5, lw=1.2, **look)


def verdicts(numbers: Numbers, figure: Figure) -> None:
    """The share of verdicts that each change turns: campaigns as dots, all pairs as a mark."""
    ax = figure.subplots()
    jitter = np.random.default_rng(0)
    looks = ((style.BLUE, "o"), (style.GREEN, "^"), (style.ORANGE, "s"))
    for k, (metric, (color, marker)) in enumerate(zip(METRICS, looks, strict=True)):
        for row, change in enumerate(CHANGES):
            y = row + 0.24 * (k - 1)
            shares = _shares_by_campaign(numbers, metric, change)
            around = y + jitter.uniform(-0.07, 0.07, len(shares))
            ax.scatter(shares, around, s=9, color=color, alpha=0.35, linewidths=0)
            entry = numbers.entry(f"verdicts-{metric}", change)
            share = 100 * entry["value"] / entry["of"]
            label = "" if row else f"{metric}, all pairs"
            ax.plot(share, y, marker, color=color, ms=6, mec="white", label=label)
    style.name_rows(ax, list(LABELS.values()))
    ax.set_xscale("symlog", linthresh=1)
    ticks = [0, 1, 2, 5, 10, 20, 40]
    ax.set_xticks(ticks, list(map(str, ticks)))
    ax.set(xlabel="verdicts at .05 that change (% of pairs of systems)", xlim=(-0.1, 60))
    handles = [handle for handle in ax.lines if not str(handle.get_label()).startswith("_")]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(METRICS))


def _shares_by_campaign(numbers: Numbers, metric: str, change: str) -> FloatArray:
    """In %, the verdicts that a change turns, for each campaign that has them."""
    table = numbers.rows[f"verdicts-{metric}"]["table"]
    pairs = table["columns"].index("pairs")
    changed = table["columns"].index(change)
    known = [line for line in table["rows"] if line[changed] is not None]
    return 100 * np.array([line[changed] / line[pairs] for line in known])


def build(folder: Path) -> tuple[Path, int]:
    """Make the article in a folder; the PDF, and how many pages it has."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = Numbers()
    write_whole(folder / "paper.tex", text(numbers))
    for name, figure in figures(numbers):
        figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
    command = "pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error paper.tex"
    for _ in range(RUNS):
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, timeout=LATEX_S)
        log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
        if done.returncode:
            raise RuntimeError(f"pdflatex stopped:\n{log[-2000:]}")
    pages = re.findall(r"Output written on .*?\((\d+) pages?", log)
    return folder / "paper.pdf", int(pages[-1])


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
