"""``make paper``: the replication as an article, ``build/paper/paper.pdf``.

The text is ``docs/paper/paper.tex.j2``.  Its numbers are filled in from the ledger
(``docs/replication.json``) and from what was measured of the tests (``docs/trust.json``), and its
figures are drawn from the same files.  It needs pdflatex, with what is in Debian's
texlive-latex-recommended.
"""

from __future__ import annotations

import argparse
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
from matplotlib.figure import Figure

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style
from mtsig_nb.significance.other_tools import OTHER_TOOLS
from mtsig_nb.writing import write_whole

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
LABELS |= dict.fromkeys(list(CHANGES)[-1:], "(f) the whole way")
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
        self.filled: list[str] = []
        self.blank = blank

    def __call__(self, number: float | str, spec: str = ",d") -> str:
        """Any number as text, with this format; a printed one as it is."""
        text = number if isinstance(number, str) else format(number, spec)
        self.filled.append(text)
        return self.blank or text.replace("-", "$-$")

    def count(self, *, later: bool, **wanted: object) -> str:
        """Rows of the four papers or of later campaigns with these contents; True is any text."""
        found = [row for row in self.rows.values() if (row["paper"] in self.later) == later]
        for name, one in wanted.items():
            text = one is True and name in ("claim", "selected")
            found = [row for row in found if (bool(row[name]) if text else row[name] == one)]
        return self(len(found))

    def value(self, key: str, name: str, spec: str = "") -> str:
        """One of a row's values, as the ledger shows it unless `spec` says otherwise."""
        one = self.one(key, name)
        return self(one["value"], spec or one["spec"] or ",d")

    def of(self, key: str, name: str) -> str:
        """The number that a count is out of."""
        return self(self.one(key, name)["of"])

    def percent(self, key: str, name: str) -> str:
        """A count as a percentage of what it is out of."""
        one = self.one(key, name)
        return self(100 * one["value"] / one["of"], ".1f")

    def printed(self, key: str, name: str) -> str:
        """What the paper prints for one of a row's values."""
        text = next(p["text"] for p in self.rows[key]["printed"] if p["name"] == name)
        return self(int(text) if text.isdigit() else text)

    def cell(self, key: str, column: str, *labels: object, spec: str = ",d") -> str:
        """A cell of a row's table, by its column and the labels that its line begins with."""
        table = self.rows[key]["table"]
        line = next(li for li in table["rows"] if tuple(li[: len(labels)]) == labels)
        found = line[table["columns"].index(column)]
        return self(found, "" if isinstance(found, str) else spec)

    def error(self, world: str, setting: int, title: str, units: str = "segments") -> str:
        """How often a test of .05 errs in a world, by the test's title or name."""
        count, of = self.rejected(world, setting, title, units)
        return self(rendering.number(count / of))

    def size(self, world: str, setting: int) -> str:
        """How many units a setting of a world has."""
        return self(self.worlds[world]["settings"][setting]["label"].split()[0])

    def rejected(self, world: str, setting: int, title: str, units: str) -> tuple[int, int]:
        """The count behind it, and the number of data sets."""
        rows = self.worlds[world]["settings"][setting]["rows"]
        named = [r for r in rows if title in (r["title"], r["name"]) and r["units"] == units]
        return named[0]["counts"]["0.05"], named[0]["of"]

    def one(self, key: str, name: str) -> dict[str, Any]:
        """One of a row's values, as the ledger keeps it."""
        found: dict[str, Any] = next(v for v in self.rows[key]["values"] if v["name"] == name)
        return found


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
    ax, table = figure.subplots(), numbers.rows["koehn-table-3"]["table"]
    right = [table["columns"].index(f"{n:,} right (%)") for n in SIZES]
    for whose, colour, marker, fill, label in (
        ("his", style.INK, "o", style.INK, "printed in 2004"),
        ("ours", style.EMPHASIS, "D", "none", "ours, WMT12 and WMT13"),
    ):
        lines = [line for line in table["rows"] if line[0] == whose]
        x = [float(line[2]) * n**0.5 for line in lines for n in SIZES]
        y = [float(line[k]) for line in lines for k in right]
        ax.plot(x, y, marker, color=colour, mfc=fill, ms=4.5, label=label)
    curve = np.geomspace(4, 300, 200)
    sigma = numbers.one("koehn-table-3", "σ of the curve closest to his cells")["value"]
    found = expected_right(curve / SIZES[0] ** 0.5, sigma)[:, 0]
    ax.plot(curve, found, color=style.GREY, zorder=0, label="the curve")
    ax.set(xscale="log", xlabel="difference in BLEU × square root of the number of sentences")
    ax.set_xticks([5, 10, 20, 50, 100, 200], ["5", "10", "20", "50", "100", "200"])
    ax.set_ylabel("tests with a right\nconclusion (%)")
    ax.legend(loc="lower right")


def errors(numbers: Numbers, figure: Figure) -> None:
    """How often tests of .05 err in three worlds without a difference."""
    axes = figure.subplots(1, 3, sharey=True)
    released = ("released bootstrap", "sacrebleu-bs", style.EMPHASIS, "X")
    shuffles = ("randomization", "approximate-randomization", style.BLUE, "o")
    shifted = ("bootstrap", "bootstrap", style.GREEN, "s")
    flips = ("sign flips", "sign-flip", style.SKY, "P")
    shown = {
        ("swap", "outputs exchanged"): (released, shifted, shuffles),
        ("lengths", "unequal lengths"): (shuffles, flips, shifted),
        ("documents", "documents with effects"): (
            ("segments", "sign-flip", style.EMPHASIS, "X"),
            ("documents", *flips[1:]),
        ),
    }
    for ax, ((world, title), tests) in zip(axes, shown.items(), strict=True):
        labels = [setting["label"] for setting in numbers.worlds[world]["settings"]]
        for k, (label, test, colour, marker) in enumerate(tests):
            units = "documents" if label == "documents" else "segments"
            counts = [numbers.rejected(world, s, test, units) for s in range(len(labels))]
            rates = np.array([count / of for count, of in counts])
            ends = np.array([clopper_pearson(*one) for one in counts]).T
            x = np.arange(len(labels)) + 0.08 * (k - 1)
            bars = style.ends(rates, *ends)
            ax.errorbar(x, rates, bars, color=colour, marker=marker, ms=5, lw=1.2, label=label)
        ax.axhline(0.05, color=style.INK, linestyle="--", linewidth=0.8)
        ax.set_xticks(range(len(labels)), [label.split()[0] for label in labels])
        ax.set(title=title, xlabel=labels[0].split()[1], ylim=(0, 0.34))
        ax.margins(x=0.2)
        ax.legend(loc="upper left")
    axes[0].set_ylabel("rejections at .05")


def verdicts(numbers: Numbers, figure: Figure) -> None:
    """The share of verdicts that each change turns: campaigns as dots, all pairs as a mark."""
    ax, jitter = figure.subplots(), np.random.default_rng(0)
    looks = (style.BLUE, "o"), (style.GREEN, "^"), (style.ORANGE, "s")
    for k, (metric, (colour, marker)) in enumerate(zip(METRICS, looks, strict=True)):
        table = numbers.rows[f"verdicts-{metric}"]["table"]
        for row, change in enumerate(CHANGES):
            column, y = table["columns"].index(change), row + 0.24 * (k - 1)
            known = [li[column] / li[1] for li in table["rows"] if li[column] is not None]
            shares, around = 100 * np.array(known), y + jitter.uniform(-0.07, 0.07, len(known))
            ax.scatter(shares, around, s=9, color=colour, alpha=0.35, linewidths=0)
            one = numbers.one(f"verdicts-{metric}", change)
            label = "" if row else f"{metric}, all pairs"
            share = 100 * one["value"] / one["of"]
            ax.plot(share, y, marker, color=colour, ms=6, mec="white", label=label)
    style.name_rows(ax, list(LABELS.values()))
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xticks([0, 1, 2, 5, 10, 20, 40], ["0", "1", "2", "5", "10", "20", "40"])
    ax.set(xlabel="verdicts at .05 that change (% of pairs of systems)", xlim=(-0.1, 60))
    handles = [handle for handle in ax.lines if not str(handle.get_label()).startswith("_")]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(METRICS))


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
    return folder / "paper.pdf", int(re.findall(r"Output written on .*?\((\d+) pages?", log)[-1])


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
