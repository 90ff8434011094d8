"""The pictures of the publication: what is printed and what is ours, in the same axes.

Drawn from the ledger as it is kept and the printed tables alone, as `pages.toml` says; nothing is
computed again.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style

#: A page, a series or a row of the ledger, as plain data.
Plain = Mapping[str, Any]
#: The rows of the ledger by key.
Rows = Mapping[str, Plain]
#: The names along each axis that has names.
Names = Mapping[str, list[str]]
#: What is printed is open and large, so that a point of ours shows inside it.
LOOKS: dict[str, dict[str, Any]] = {
    "theirs": {"color": style.INK, "marker": "o", "mfc": "none", "ms": 9, "mew": 1.4, "zorder": 4},
    "ours": {"color": style.BLUE, "marker": "o", "ms": 6, "zorder": 3},
    "more": {"color": style.GREY, "marker": "d", "ms": 4, "zorder": 2},
}
LOOKS["wide"] = LOOKS["ours"] | {"ms": 11, "lw": 6, "alpha": 0.5}  # seen below another line
LOOKS["theirs, too"] = LOOKS["theirs"] | {"marker": "s"}
LOOKS["ours, too"] = LOOKS["ours"] | {"color": style.ORANGE, "marker": "s"}
WIDTH = 7.6
ROW_HEIGHT = 0.14


@dataclasses.dataclass(frozen=True)
class Series:
    """A series of a page: how `pages.toml` declares it, and its points."""

    declared: Plain
    points: pd.DataFrame

    @property
    def panel(self) -> str:
        """The title of the panel that it is drawn in."""
        return str(self.declared.get("panel", ""))


def draw(page: Plain, rows: Rows) -> Figure:
    """All series of a page, in one or several panels."""
    series = []
    for declared in page.get("series", ()):
        series.append(Series(declared, points(declared, page, rows)))
    panels = list(dict.fromkeys(item.panel for item in series)) or [""]
    names = {axis: _names_along(axis, series) for axis in page.get("named", "")}
    figure, grid = plt.subplots(
        *_grid_shape(panels),
        figsize=_size(series, panels, names),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, panel in zip(grid.flat, panels, strict=True):
        x_label, y_label = page["axes"]
        ax.set(title=panel, xlabel=x_label, ylabel=y_label)
        ax.label_outer()
        _furnish(ax, page, rows, names)
        _draw_panel(ax, [item for item in series if item.panel == panel], names)
    n_labels = sum("label" in item.declared for item in series)
    if n_labels:
        figure.legend(loc="outside upper left", ncols=3 if n_labels == 3 else 2)
    return figure


def _grid_shape(panels: list[str]) -> tuple[int, int]:
    return (2, 2) if len(panels) == 4 else (1, len(panels))


def _size(series: list[Series], panels: list[str], names: Names) -> tuple[float, float]:
    """Width and height: rows of names are as high as the series of a panel need."""
    if len(panels) == 4:
        return WIDTH, 6.0
    if "y" not in names:
        return WIDTH, 4.2
    series_by_panel = Counter(item.panel for item in series)
    largest = max(series_by_panel.values(), default=1)
    return WIDTH, 1.5 + len(names["y"]) * ROW_HEIGHT * (1 + largest)


# The points of a series.


def points(declared: Plain, page: Plain, rows: Rows) -> pd.DataFrame:
    """Of one series: x and y, or on an axis of names ``y name``; ``low`` and ``high`` of x."""
    data: Any = _selected(declared, _source(declared, page, rows))
    found = pd.DataFrame(index=data.index)
    for axis in ("x", "y"):
        if axis in page.get("named", ""):
            names = [declared[axis].format_map(line) for line in data.to_dict("records")]
            found[f"{axis} name"] = [_one_end(name) for name in names]
        elif axis in declared:
            found[axis] = numbers(data[declared[axis]])
        elif axis in data:
            found[axis] = data[axis]
    if "less" in declared:
        distance = found["x"] - numbers(data[declared["less"]])
        found["x"] = distance * declared["times"]
    if "sd" in declared:
        two_deviations = 2 * numbers(data[declared["sd"]])
        found["low"] = found["x"] - two_deviations
        found["high"] = found["x"] + two_deviations
        return found
    for end in ("low", "high"):
        column = declared.get(end, end)
        if column in data:
            found[end] = numbers(data[column])
    if "text" in declared:
        found["text"] = data[declared["text"]]
    return found


def _one_end(name: str) -> str:
    """A range as a name, with equal ends once: 100 of 100–100."""
    return re.sub(r"^(.+)–\1$", r"\1", name)


def _selected(declared: Plain, data: Any) -> pd.DataFrame:
    """The rows of a table that a series shows, with a row for each of its points."""
    for column, wanted in declared.get("rows", {}).items():
        data = data[data[column].astype(str).str.match(wanted)]
    if "melt" in declared:
        data = data.melt(declared["melt"], var_name="variable").dropna()
        data = data[data["variable"] != ""]
    if "explode" in declared:
        column = declared["explode"]
        data = data.assign(**{column: data[column].map(list)})
        data = data.explode(column)
    return data


def numbers(column: pd.Series) -> pd.Series:
    """What a column says as numbers, also "4 clusters" and "< 0.01"; nothing where it has none."""
    found = column.astype(str).str.extract(r"^(?:< )?(-?\d+\.?\d*(?:e-?\d+)?)")[0]
    return found.astype(float)


def value_of(row: Plain, name: str, whose: str = "ours") -> tuple[float, int | None]:
    """A value of a row, or what is printed in its place, and what it is out of.

    A name that begins with a minus sign asks for the negative value.
    """
    sign = -1 if name.startswith("-") else 1
    name = name.removeprefix("-")
    (ours,) = (value for value in row["values"] if value["name"] == name)
    if whose == "ours":
        return sign * ours["value"], ours["of"]
    (printed,) = (number["text"] for number in row["printed"] if number["name"] == name)
    return sign * float(printed), ours["of"]


def _source(declared: Plain, page: Plain, rows: Rows) -> pd.DataFrame:
    """The table that a series takes its points from."""
    if "printed" in declared:
        return _printed(declared["printed"].format_map(page))
    keys = declared.get("keys", {"": page["key"]})
    found = []
    for name, key in keys.items():
        if "range" in declared:
            found.append(_range(declared, name, rows[key]))
        for shown, value in declared.get("values", {}).items():
            found.append(_share(declared, shown.format(name=name), rows[key], value))
    if found:
        return pd.DataFrame(found)
    table = rows[page["key"]]["table"]
    return pd.DataFrame(table["rows"], columns=table["columns"])


def _printed(table: str) -> pd.DataFrame:
    """A printed table by its name: ``koehn2004/4``."""
    paper, _, which = table.partition("/")
    return printed_table(paper, int(which))


def _range(declared: Plain, name: str, row: Plain) -> dict[str, Any]:
    """Two values of a row as the ends of a range, and a third one as a point in it, if any."""
    whose = declared.get("whose", "ours")
    ends = [value_of(row, value, whose)[0] for value in declared["range"]]
    return {"name": name, **dict(zip(("low", "high", "x"), ends, strict=False))}


def _share(declared: Plain, name: str, row: Plain, value: str) -> dict[str, Any]:
    """A value of a row, also in percent, with its exact interval where the series asks for it."""
    count, total = value_of(row, value, declared.get("whose", "ours"))
    total = total or 1
    line = {"name": name, "value": count, "percent": 100 * count / total}
    if declared.get("exact"):
        low, high = clopper_pearson(np.array([round(count)]), total)
        line |= {"low": 100 * low[0], "high": 100 * high[0]}
    return line


def _names_along(axis: str, series: list[Series]) -> list[str]:
    """All names on an axis, each once, in the order in which series have them."""
    names: dict[str, None] = {}
    for item in series:
        names.update(dict.fromkeys(item.points[f"{axis} name"]))
    return list(names)


# Drawing.


def _draw_panel(ax: Axes, series: list[Series], names: Names) -> None:
    """The series of a panel: those that share a row of names stand one below the other in it."""
    n_in_row: Counter[str] = Counter()
    for item in series:
        n_in_row.update(set(item.points.get("y name", ())))
    so_far: Counter[str] = Counter()
    for item in series:
        data = item.points
        for axis, order in names.items():
            data[axis] = [float(order.index(name)) for name in data[f"{axis} name"]]
        if "y" in names:
            data["y"] += data["y name"].map(_shifts(n_in_row, so_far))
            so_far.update(set(data["y name"]))
        _draw_series(ax, item.declared, data)


def _shifts(n_in_row: Counter[str], so_far: Counter[str]) -> dict[str, float]:
    """How far from the middle of each row its next series stands."""
    shifts = {}
    for name, n in n_in_row.items():
        distance = min(0.26, 0.8 / n)
        shifts[name] = (so_far[name] - (n - 1) / 2) * distance
    return shifts


def _draw_series(ax: Axes, declared: Plain, data: pd.DataFrame) -> None:
    look = _look(declared)
    label = declared.get("label")
    if declared.get("spread_out"):
        for _, group in data.groupby("y"):
            data.loc[group.index, "y"] += np.linspace(-0.12, 0.12, len(group))
    if "low" in data:
        bar: Any = {"lw": 1.6} if "x" in data else {"lw": 4, "label": label}
        ax.hlines(data["y"], data["low"], data["high"], color=look["color"], **bar)
    if "x" in data:
        line = "-" if declared.get("lines") else ""
        ax.plot(data["x"], data["y"], ls=line, label=label, **look)
    if "text" in data:
        _annotate(ax, declared["sides"], data)


def _look(declared: Plain) -> dict[str, Any]:
    """The look of a series: one of `LOOKS`, or that of a metric or test."""
    name = declared.get("look", "ours")
    look = LOOKS.get(name)
    if look is None:
        color, marker = style.look_of(name)
        look = LOOKS["ours"] | {"color": color, "marker": marker}
    if declared.get("spread_out"):
        look = look | {"ms": 4, "alpha": 0.6}
    return look


def _annotate(ax: Axes, sides: str, data: pd.DataFrame) -> None:
    """The text of each point, to its left or right."""
    places: dict[str, dict[str, Any]] = {
        "l": {"xytext": (-8, -4), "ha": "right"},
        "r": {"xytext": (8, -4)},
    }
    points_and_text = data[["x", "y", "text"]].to_numpy()
    for side, (x, y, text) in zip(sides, points_and_text, strict=False):
        ax.annotate(text, (x, y), textcoords="offset points", fontsize=9, **places[side])


def _furnish(ax: Axes, page: Plain, rows: Rows, names: Names) -> None:
    """Scales, names, and what the page marks in its axes."""
    _set_scales(ax, page, names)
    for axis, ends in page.get("limits", {}).items():
        getattr(ax, f"set_{axis}lim")(ends)
    if "band" in page:
        ax.axvspan(*page["band"], color=style.MUTED, alpha=0.4, lw=0)
    if page.get("zero"):
        ax.axvline(0, color=style.GREY, lw=1)
    if "line" in page:
        line = page["line"]
        if isinstance(line, str):
            line, _ = value_of(rows[page["key"]], line)
        ax.axvline(line, color=style.GREY, lw=1.2, ls="--")
    ends = np.array([0.003, 1])
    for factor, dashes in zip(page.get("diagonal", ()), ("-", "--"), strict=False):
        ax.plot(ends, factor * ends, color=style.GREY, lw=1, ls=dashes)
    if "normal" in page:
        _draw_normal(ax, page["normal"], rows[page["key"]])


def _set_scales(ax: Axes, page: Plain, names: Names) -> None:
    """Scales and ticks, with names where an axis has some; the page's own row is bold."""
    for axis in page.get("log", ""):
        getattr(ax, f"set_{axis}scale")("log", subs=[])
        getattr(ax, f"{axis}axis").set_major_formatter(lambda value, _: f"{value:g}")
    if "ticks" in page:
        ax.set_xticks(page["ticks"])
    if "y" in names:
        style.name_rows(ax, [name.replace("inf", "∞") for name in names["y"]])
        ax.grid(axis="x", color=style.MUTED, lw=0.6)
        own_names = _names_of_own_row(page)
        for tick in ax.get_yticklabels():
            tick.set_fontweight("bold" if tick.get_text() in own_names else "normal")
    if "x" in names:
        ax.set_xticks(range(len(names["x"])), names["x"])


def _names_of_own_row(page: Plain) -> set[str]:
    """Of the names that stand for rows of the ledger, those of the page's own row."""
    key_of: dict[str, str] = {}
    for declared in page["series"]:
        key_of |= declared.get("keys", {})
    return {name for name, key in key_of.items() if key == page["key"]}


def _draw_normal(ax: Axes, table: str, row: Plain) -> None:
    """The normal density, its middle 95 % by a printed table of t, and a row's value beside it."""
    cells = _printed(table).set_index(["level_pct", "sample_size"])["t"]
    printed_z = cells["95", "inf"]
    z = float(printed_z)
    x = np.linspace(-3.5, 3.5, 141)
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    ax.plot(x, density, color=style.INK)
    ax.fill_between(x, density, where=abs(x) <= z, color=style.SKY, alpha=0.5, lw=0)
    ax.set_xticks([-z, 0, z], [f"−{printed_z}", "0", printed_z])
    (ours,) = row["values"]
    (theirs,) = row["printed"]
    words = f"printed: {theirs['text']}\nours: {ours['value']:{ours['spec']}}"
    ax.text(0, 0.15, words, ha="center")
