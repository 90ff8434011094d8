"""The pictures of the publication: what is printed and what is ours, in the same axes.

Drawn from the ledger as it is kept and the printed tables alone, as `pages.toml` says; nothing is
computed again.  The fields of a `Page` and of its `Series` are documented in `pages`.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from scipy import stats

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style

from .pages import Page, Series
from .rows import Record, Records, entry, frame_of

#: The names along each axis that has names, in the order in which they stand there.
Names = Mapping[str, list[str]]
#: Inches.
WIDTH = 7.6
ROW_HEIGHT = 0.14
#: Where lines through the origin begin: logarithmic axes of p-values have no 0.
DIAGONAL_BEGINS = 0.003
#: The number that a cell begins with, perhaps after ``<``.
NUMBER = r"^(?:< )?(-?\d+\.?\d*(?:e-?\d+)?)"
RANGE_OF_EQUAL_ENDS = re.compile(r"^(.+)–\1$")


@dataclasses.dataclass(frozen=True)
class Look:
    """How the points of a series look: keywords of matplotlib's ``plot``, and its defaults."""

    color: str
    marker: str = "o"
    ms: float = 6
    mfc: str | None = None
    mew: float | None = None
    lw: float | None = None
    alpha: float | None = None
    zorder: float = 3


#: What is printed is open and large, so that a point of ours shows inside it.
THEIRS = Look(style.INK, mfc="none", ms=9, mew=1.4, zorder=4)
OURS = Look(style.BLUE)
#: The looks that a series may ask for.  What is wide is seen below another line.
LOOKS = {
    "theirs": THEIRS,
    "theirs, too": replace(THEIRS, marker="s"),
    "ours": OURS,
    "ours, too": replace(OURS, color=style.ORANGE, marker="s"),
    "more": Look(style.GREY, marker="d", ms=4, zorder=2),
    "wide": replace(OURS, ms=11, lw=6, alpha=0.5),
}


@dataclasses.dataclass(frozen=True)
class Layer:
    """A series with its points: columns as `points_of` gives them."""

    series: Series
    points: pd.DataFrame


def draw(page: Page, records: Records) -> Figure:
    """All series of a page, in one or several panels."""
    layers = []
    for series in page.series:
        points = points_of(series, page, records)
        layers.append(Layer(series, points))
    names = {axis: _names_along(axis, layers) for axis in page.named}
    by_panel = _by_panel(layers)
    n_panels = len(by_panel)
    n_rows = 2 if n_panels == 4 else 1
    height = _height(by_panel, names)
    figure, grid = plt.subplots(
        n_rows,
        n_panels // n_rows,
        figsize=(WIDTH, height),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    x_label, y_label = page.axes
    for ax, title in zip(grid.flat, by_panel, strict=True):
        ax.set(title=title, xlabel=x_label, ylabel=y_label)
        ax.label_outer()
        _set_scales(ax, page, names)
        _draw_marks(ax, page, records)
        _draw_panel(ax, by_panel[title], names)
    _add_legend(figure, page)
    return figure


def _by_panel(layers: list[Layer]) -> dict[str, list[Layer]]:
    """The series of each panel by its title; a page without series has one empty panel."""
    if not layers:
        return {"": []}
    by_panel: dict[str, list[Layer]] = {}
    for layer in layers:
        title = layer.series.panel
        by_panel.setdefault(title, []).append(layer)
    return by_panel


def _add_legend(figure: Figure, page: Page) -> None:
    """A legend in two columns, or one line of three, if a series has a label."""
    labels = [series.label for series in page.series if series.label]
    n_labels = len(labels)
    if n_labels:
        n_columns = 3 if n_labels == 3 else 2
        figure.legend(loc="outside upper left", ncols=n_columns)


def _names_along(axis: str, layers: list[Layer]) -> list[str]:
    """All names on an axis, each once, in the order in which series have them."""
    columns = [layer.points[f"{axis} name"] for layer in layers]
    names = pd.concat(columns)
    return list(names.unique())


def _height(by_panel: Mapping[str, list[Layer]], names: Names) -> float:
    """In inches; rows of names are as high as the series of a panel need."""
    if len(by_panel) == 4:
        return 6.0
    if "y" not in names:
        return 4.2
    most_series = max(len(layers) for layers in by_panel.values())
    lines = 1 + max(most_series, 1)
    n_rows = len(names["y"])
    return 1.5 + n_rows * ROW_HEIGHT * lines


# The points of a series.


def points_of(series: Series, page: Page, records: Records) -> pd.DataFrame:
    """The points of a series, a row for each.

    The columns are ``x`` and ``y``, for an axis of names ``x name`` or ``y name``, and where the
    series has them ``low`` and ``high``, the ends of an interval along x, and ``text``.
    """
    table = _table(series, page, records)
    lines = _selected(series, table)
    points = pd.DataFrame(index=lines.index)
    # A series need not declare `low`, `high` and `x` where `_range` or `_share` made such columns.
    for name in ("x", "y", "low", "high"):
        declared = getattr(series, name)
        column = declared or name
        if name in page.named:
            points[f"{name} name"] = _names(declared, lines)
        elif declared or column in lines:
            points[name] = numbers(lines[column])
    if series.less:
        # How far two columns are apart, in units of 1 / times: 10000 for the fourth decimal.
        points["x"] -= numbers(lines[series.less])
        points["x"] *= series.times
    if series.sd:
        two_deviations = 2 * numbers(lines[series.sd])
        points["low"] = points["x"] - two_deviations
        points["high"] = points["x"] + two_deviations
    if series.text:
        points["text"] = lines[series.text]
    return points


def _names(template: str, lines: pd.DataFrame) -> list[str]:
    """A name for each line; a range with equal ends, 100–100, is called 100."""
    names = []
    for line in lines.to_dict("records"):
        name = template.format_map(line)
        names.append(RANGE_OF_EQUAL_ENDS.sub(r"\1", name))
    return names


def numbers(column: pd.Series) -> pd.Series:
    """What a column says as numbers, also "4 clusters" and "< 0.01"; NaN where it has none."""
    texts = column.astype(str)
    digits = texts.str.extract(NUMBER, expand=False)
    return digits.astype(float)


def _selected(series: Series, lines: pd.DataFrame) -> pd.DataFrame:
    """The lines that a series shows, with one for each of its points."""
    for column, pattern in series.rows.items():
        texts = lines[column].astype(str)
        lines = lines[texts.str.match(pattern)]
    if series.melt:
        lines = lines.melt(series.melt, var_name="variable")
        lines = lines.dropna()
        # The column without a name says whether a line is printed or ours, and has no numbers.
        lines = lines[lines["variable"] != ""]
    if series.explode:
        lines = lines.copy()
        # `list` takes a text apart into its letters.
        lines[series.explode] = lines[series.explode].map(list)
        lines = lines.explode(series.explode)
    return lines


def _table(series: Series, page: Page, records: Records) -> pd.DataFrame:
    """The table that a series takes its points from."""
    if series.printed:
        name = series.printed.format(page=page)  # it may be {page.printed}
        return _printed_table(name)
    if series.range or series.values:
        keys = series.keys or {"": page.key}
        return _table_of_values(series, keys, records)
    return frame_of(records[page.key])


def _printed_table(name: str) -> pd.DataFrame:
    """A printed table by its name: ``koehn2004/4``."""
    paper, _, table = name.partition("/")
    return printed_table(paper, int(table))


def _table_of_values(series: Series, keys: Mapping[str, str], records: Records) -> pd.DataFrame:
    """Values of rows of the ledger; `keys` has the key of each row by the name of a point.

    The columns are those of `_range` or of `_share`.
    """
    lines = []
    for name, key in keys.items():
        record = records[key]
        if series.range:
            lines.append(_range(series, name, record))
        for label, value in series.values.items():
            name_of_point = label.format(name=name)
            line = _share(series, name_of_point, record, value)
            lines.append(line)
    return pd.DataFrame(lines)


def _range(series: Series, name: str, record: Record) -> dict[str, Any]:
    """Two values of a row as the ends of a range, and a third one as a point in it, if any.

    The columns are ``name``, ``low``, ``high`` and, if there is a third value, ``x``.
    """
    columns = ("low", "high", "x")
    line: dict[str, Any] = {"name": name}
    for column, value in zip(columns, series.range, strict=False):
        line[column] = value_of(record, value, series.whose)
    return line


def _share(series: Series, name: str, record: Record, value: str) -> dict[str, Any]:
    """A value of a row, also in percent, with its exact interval where the series asks for it.

    The columns are ``name``, ``value``, ``percent`` and, for the interval in percent, ``low`` and
    ``high``.  A count is in percent of what it is out of.  Any other value is taken for a share,
    which is out of 1.
    """
    number = value_of(record, value, series.whose)
    ours = entry(record["values"], value)
    total = ours["of"] or 1
    percent = 100 * number / total
    line = {"name": name, "value": number, "percent": percent}
    if series.exact:
        low, high = clopper_pearson(round(number), total)
        line["low"] = 100 * low
        line["high"] = 100 * high
    return line


def value_of(record: Record, name: str, whose: str = "ours") -> float:
    """A value of a row, or what is printed in its place.

    A name that begins with a minus sign asks for the negative value.
    """
    if name.startswith("-"):
        positive = name.removeprefix("-")
        return -value_of(record, positive, whose)
    if whose == "printed":
        printed = entry(record["printed"], name)
        return float(printed["text"])
    ours: float = entry(record["values"], name)["value"]
    return ours


# Drawing.


def _draw_panel(ax: Axes, layers: list[Layer], names: Names) -> None:
    """The series of a panel: those that share a row of names stand one below the other in it."""
    n_in_row: Counter[str] = Counter()
    n_drawn: Counter[str] = Counter()
    for layer in layers:
        rows = _rows_of_names(layer)
        n_in_row.update(rows)
    for layer in layers:
        points = _with_positions(layer.points, names)
        # Rows of names are whole numbers along y.  Each series is moved to its own line in the row.
        if "y" in names:
            shifts = _shifts(n_in_row, n_drawn)
            points["y"] += points["y name"].map(shifts)
            n_drawn.update(_rows_of_names(layer))
        # Points of one series that share a name would hide each other.
        if layer.series.spread_out:
            _spread_out(points)
        _draw_series(ax, layer.series, points)


def _rows_of_names(layer: Layer) -> set[str]:
    """The names in whose rows a series has points; none if y is an axis of numbers."""
    return set(layer.points.get("y name", ()))


def _with_positions(points: pd.DataFrame, names: Names) -> pd.DataFrame:
    """Points with numbers along all axes: a name's number is its place in the order."""
    placed = points.copy()
    for axis, order in names.items():
        names_of_points = points[f"{axis} name"]
        positions = names_of_points.map(order.index)
        placed[axis] = positions.astype(float)
    return placed


def _shifts(n_in_row: Counter[str], n_drawn: Counter[str]) -> dict[str, float]:
    """How far from the middle of each row its next series stands.

    `n_in_row` counts all series of a row, `n_drawn` those that stand there already.
    """
    shifts = {}
    for name, n in n_in_row.items():
        distance = min(0.26, 0.8 / n)
        middle = (n - 1) / 2
        from_middle = n_drawn[name] - middle
        shifts[name] = from_middle * distance
    return shifts


def _spread_out(points: pd.DataFrame) -> None:
    """Move points of one height apart."""
    for _, group in points.groupby("y"):
        n_points = len(group)
        apart = np.linspace(-0.12, 0.12, n_points)
        points.loc[group.index, "y"] += apart


def _draw_series(ax: Axes, series: Series, points: pd.DataFrame) -> None:
    """The intervals of a series, its points, and their texts: what it has of them."""
    look = _look(series)
    label = series.label or None
    y = points["y"]
    has_points = "x" in points
    if "low" in points:
        bars = ax.hlines(y, points["low"], points["high"], color=look.color, lw=1.6)
        if not has_points:
            bars.set(lw=4, label=label)
    if has_points:
        line = "-" if series.lines else ""
        keywords = dataclasses.asdict(look)
        ax.plot(points["x"], y, ls=line, label=label, **keywords)
    if "text" in points:
        _annotate(ax, series.sides, points)


def _look(series: Series) -> Look:
    """The look of a series: one of `LOOKS`, or that of a metric or test."""
    look = LOOKS.get(series.look)
    if look is None:
        color, marker = style.look_of(series.look)
        look = replace(OURS, color=color, marker=marker)
    if series.spread_out:
        look = replace(look, ms=4, alpha=0.6)
    return look


def _annotate(ax: Axes, sides: str, points: pd.DataFrame) -> None:
    """The text of each point, to its left or right."""
    directions = {"l": -1, "r": 1}
    alignments = {"l": "right", "r": "left"}
    for side, point in zip(sides, points.to_dict("records"), strict=True):
        place = (point["x"], point["y"])
        shift = 8 * directions[side]
        ax.annotate(
            point["text"],
            xy=place,
            xytext=(shift, -4),
            textcoords="offset points",
            ha=alignments[side],
            fontsize=9,
        )


# What a page shows beside its series.


def _set_scales(ax: Axes, page: Page, names: Names) -> None:
    """Scales, limits and ticks, with names where an axis has some."""
    for name in page.log:
        scale = {f"{name}scale": "log"}
        ax.set(**scale)
        axis = ax.xaxis if name == "x" else ax.yaxis
        axis.set(major_formatter="{x:g}", minor_locator=NullLocator())
    for name, ends in page.limits.items():
        limits = {f"{name}lim": ends}
        ax.set(**limits)
    if page.ticks:
        ax.set_xticks(page.ticks)
    if "x" in names:
        places = range(len(names["x"]))
        ax.set_xticks(places, names["x"])
    if "y" in names:
        shown = [name.replace("inf", "∞") for name in names["y"]]
        style.name_rows(ax, shown)
        ax.grid(axis="x", color=style.MUTED, lw=0.6)
        _embolden(ax, _names_of_own_row(page))


def _embolden(ax: Axes, names: set[str]) -> None:
    """Some of the names along y in bold letters, and the others in normal ones."""
    for tick in ax.get_yticklabels():
        is_bold = tick.get_text() in names
        tick.set_fontweight("bold" if is_bold else "normal")


def _names_of_own_row(page: Page) -> set[str]:
    """Of the names that stand for rows of the ledger, those of the page's own row."""
    own_names = set()
    for series in page.series:
        for name, key in series.keys.items():
            if key == page.key:
                own_names.add(name)
    return own_names


def _draw_marks(ax: Axes, page: Page, records: Records) -> None:
    """A shaded range, lines and curves that points are seen against."""
    record = records[page.key]
    if page.band:
        ax.axvspan(*page.band, color=style.MUTED, alpha=0.4, lw=0)
    if page.zero:
        ax.axvline(0, color=style.GREY, lw=1)
    if page.line is not None:
        x = page.line
        if isinstance(x, str):
            x = value_of(record, x)
        ax.axvline(x, color=style.GREY, lw=1.2, ls="--")
    if page.diagonal:
        solid, dashed = page.diagonal
        _draw_line_through_origin(ax, solid, "-")
        _draw_line_through_origin(ax, dashed, "--")
    if page.normal:
        _draw_normal(ax, page.normal, record)


def _draw_line_through_origin(ax: Axes, slope: float, linestyle: str) -> None:
    """A line of this slope, up to 1."""
    x = np.array([DIAGONAL_BEGINS, 1])
    y = slope * x
    ax.plot(x, y, color=style.GREY, lw=1, ls=linestyle)


def _draw_normal(ax: Axes, table: str, record: Record) -> None:
    """The normal density, its middle 95 % by a printed table of t, and a row's value in it."""
    cells = _printed_table(table).set_index(["level_pct", "sample_size"])
    quantiles = cells["t"]
    printed_z = quantiles["95", "inf"]
    z = float(printed_z)
    x = np.linspace(-3.5, 3.5, 141)
    density = stats.norm.pdf(x)
    is_middle = abs(x) <= z
    ax.plot(x, density, color=style.INK)
    ax.fill_between(x, density, where=is_middle, color=style.SKY, alpha=0.5, lw=0)
    ticks = [-z, 0, z]
    labels = [f"−{printed_z}", "0", printed_z]
    ax.set_xticks(ticks, labels)
    _write_only_value(ax, record)


def _write_only_value(ax: Axes, record: Record) -> None:
    """Ours and what is printed of a row with a single value, below the normal density."""
    (ours,) = record["values"]
    (theirs,) = record["printed"]
    our_number = format(ours["value"], ours["spec"])
    text = f"printed: {theirs['text']}\nours: {our_number}"
    ax.text(0, 0.15, text, ha="center")
