"""The pages of the publication, as `pages.toml` declares them.

There is a page for each figure and table, and one or two for the other rows of a paper.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ITEM = re.compile(r"(Figure|Table)s? (\d+(?:(?:, | and |–)\d+)*)")


@dataclasses.dataclass(frozen=True)
class Series:
    """Points of a picture that look alike, and where they come from.

    They come from a printed table, from values of rows of the ledger (a `range` or `values`), or
    else from the table of the page's row.

    Attributes
    ----------
    x, y : str
        The column that has the numbers of an axis; on an axis of names, what a name is made of:
        ``"{metric_a} and {metric_b}"`` has two columns.
    low, high : str
        The columns with the ends of an interval along x.
    label : str
        Its name in the legend; without one it has no place there.
    look : str
        A look of `pictures`, or a metric or test, which has the look of every figure.
    panel : str
        The title of the panel that it is drawn in.
    printed : str
        The printed table that its points come from: ``koehn2004/4``.
    keys : mapping of str to str
        The rows that `range` or `values` are looked up in: key by the name of a point.  Without
        any, the page's own row.
    range : sequence of str
        Two values of a row, the ends of a range; and a third one, a point in it, if any.
    values : mapping of str to str
        Values of a row, by the names of their points.
    whose : {"ours", "printed"}
        Whether the numbers of `range` and `values` are ours or what is printed in their place.
    exact : bool
        Whether `values` are counts with an exact interval.
    rows : mapping of str to str
        Which lines of the table are points: a regular expression by column.
    melt : str
        The column of names of a table whose other columns are points, too.
    explode : str
        A column of texts that has a point for each letter.
    less, times : str, float
        The column that is taken from x, and the factor of the difference.
    sd : str
        The column of standard deviations, of which an interval has two on either side of x.
    text, sides : str
        The column of texts beside points; for each point ``l`` or ``r``, the side of its text.
    lines : bool
        Whether lines join the points.
    spread_out : bool
        Whether points of one name lie below one another.
    """

    x: str = ""
    y: str = ""
    low: str = ""
    high: str = ""
    label: str = ""
    look: str = "ours"
    panel: str = ""
    printed: str = ""
    keys: Mapping[str, str] = dataclasses.field(default_factory=dict)
    range: Sequence[str] = ()
    values: Mapping[str, str] = dataclasses.field(default_factory=dict)
    whose: str = "ours"
    exact: bool = False
    rows: Mapping[str, str] = dataclasses.field(default_factory=dict)
    melt: str = ""
    explode: str = ""
    less: str = ""
    times: float = 1.0
    sd: str = ""
    text: str = ""
    sides: str = ""
    lines: bool = False
    spread_out: bool = False


@dataclasses.dataclass(frozen=True)
class Page:
    """A page, and what its picture shows.

    Attributes
    ----------
    paper, title : str
        The paper, and its figures or tables that the page is about.
    key : str
        The row of the ledger that answers them.
    finding, caption, effect : str
        Texts with braces, which `publication.facts` fills in.
    prints : sequence of str
        What the page's lines of Python print: a value's name, or a text with braces.
    axes : pair of str
        The labels of x and y.
    named : str
        The axes that have names in place of numbers: ``"y"``.
    series : sequence of Series
    printed : str
        The printed table that series of several pages call ``{page.printed}``.
    log : str
        The axes with logarithmic scales.
    limits : mapping of str to pair of float
        The ends of an axis.
    ticks : sequence of float
        The ticks of x.
    band : pair of float, optional
        A range of x that is shaded.
    zero : bool
        Whether there is a line at x = 0.
    line : float or str, optional
        The x of a dashed line, or the value of the row that it stands at.
    diagonal : pair of float, optional
        The slopes of a solid and of a dashed line through the origin.
    normal : str
        The printed table of quantiles by which a normal density is drawn.
    """

    paper: str
    title: str
    key: str
    finding: str
    caption: str
    axes: Sequence[str]
    prints: Sequence[str]
    effect: str = ""
    named: str = ""
    series: Sequence[Series] = ()
    printed: str = ""
    log: str = ""
    limits: Mapping[str, Sequence[float]] = dataclasses.field(default_factory=dict)
    ticks: Sequence[float] = ()
    band: Sequence[float] | None = None
    zero: bool = False
    line: float | str | None = None
    diagonal: Sequence[float] | None = None
    normal: str = ""

    @property
    def name(self) -> str:
        """The name of its files: ``koehn-table-1``."""
        authors = re.sub(r" et al\.| \d+", "", self.paper)
        return re.sub(r"\W+", "-", f"{authors} {self.title}".lower())

    def is_about(self, record: Mapping[str, Any]) -> bool:
        """Whether a row of the ledger is about what the page shows."""
        if self.paper != record["paper"]:
            return False
        shared = items(self.title) & items(record["item"])
        return bool(shared)


@dataclasses.dataclass(frozen=True)
class Collection:
    """A page of rows that are about no figure or table.

    Attributes
    ----------
    paper, name, title : str
        The paper, the name of the page's file and its heading.
    purpose : str
        What the page is for, in one sentence or two.
    verdicts : sequence of str
        The verdicts of its rows; without any, rows of every verdict.
    """

    paper: str
    name: str
    title: str
    purpose: str
    verdicts: Sequence[str] = ()

    def has(self, record: Mapping[str, Any]) -> bool:
        """Whether a row of the ledger stands on this page."""
        if self.paper != record["paper"] or first_page(record):
            return False
        return not self.verdicts or record["verdict"] in self.verdicts


def first_page(record: Mapping[str, Any]) -> Page | None:
    """The first page of a figure or table that the row is about."""
    return next((page for page in PAGES if page.is_about(record)), None)


def items(text: str) -> set[str]:
    """The figures and tables that a text names: ``"Figures 4–6"`` is three figures.

    Examples
    --------
    >>> sorted(items("Table 1 and Figures 4–6"))
    ['Figure 4', 'Figure 5', 'Figure 6', 'Table 1']
    """
    named = set()
    for kind, numbers in ITEM.findall(text):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition("–")
            for number in range(int(first), int(last or first) + 1):
                named.add(f"{kind} {number}")
    return named


def _page(declared: Mapping[str, Any]) -> Page:
    """A page, from what is declared of it and of the pages that it is like."""
    fields = dict(declared)
    kind = fields.pop("like", None)
    if kind:
        fields = _DECLARED["like"][kind] | fields
    series = [Series(**entry) for entry in fields.pop("series", [])]
    return Page(series=series, **fields)


_DECLARED = tomllib.loads(Path(__file__).with_name("pages.toml").read_text(encoding="utf-8"))
PAGES = tuple(_page(declared) for declared in _DECLARED["page"])
COLLECTIONS = tuple(Collection(**declared) for declared in _DECLARED["collection"])
#: Effects in words of their own, by the key of the row.
EFFECTS = {page.key: page.effect for page in PAGES if page.effect} | _DECLARED["effect"]
