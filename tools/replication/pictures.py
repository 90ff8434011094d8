"""The pictures of the publication: what is printed and what is ours, in the same axes.

Drawn from the ledger as it is kept and the printed tables alone, as `pages.toml` says; nothing is
computed again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.plots import style

Row = Mapping[str, Any]
#: What is printed is open and large, so that a point of ours shows inside it.
LOOKS: dict[str, dict[str, Any]] = {
    "theirs": {"color": style.INK, "marker": "o", "mfc": "none", "ms": 9, "mew": 1.4, "zorder": 4},
    "ours": {"color": style.BLUE, "marker": "o", "ms": 6, "zorder": 3},
    "more": {"color": style.GREY, "marker": "d", "ms": 4, "zorder": 2},
}
LOOKS["wide"] = LOOKS["ours"] | {"ms": 11, "lw": 6, "alpha": 0.5}  # seen below another line
LOOKS["theirs, too"] = LOOKS["theirs"] | {"marker": "s"}
LOOKS["ours, too"] = LOOKS["ours"] | {"color": style.ORANGE, "marker": "s"}
WIDTH, ROW_HEIGHT = 7.6, 0.14
#: Comments, indents, and what is less than a hundredth of a point; what a text says, stays.
WASTE = re.compile(r"<!--.*?-->\n?|^ +| +$|(>[^<\n]+<|\.\d\d)\d*", flags=re.M)


def svg(name: str, make: Callable[[], Figure]) -> str:
    """A figure that is made in our style: the same text for the same numbers."""
    plain: Any = {"svg.fonttype": "none", "svg.hashsalt": name, "axes.titlesize": 11}
    with plt.style.context(style.SHEET), plt.rc_context(plain):
        figure = make()
        made = StringIO()
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return WASTE.sub(lambda found: found[1] or "", made.getvalue())


def draw(page: Mapping[str, Any], rows: Mapping[str, Row]) -> Figure:
    """All series of a page, in one or several panels."""
    series = [(one, points(one, page, rows)) for one in page.get("series", ())]
    panels = list(dict.fromkeys(one.get("panel", "") for one, _ in series)) or [""]
    seats = {axis: _names(series, axis) for axis in page.get("named", "")}
    shape = (2, 2) if len(panels) == 4 else (1, len(panels))
    most = max(Counter(one.get("panel", "") for one, _ in series).values(), default=1)
    height = 1.5 + len(seats["y"]) * ROW_HEIGHT * (1 + most) if "y" in seats else 4.2
    size = WIDTH, 6.0 if len(panels) == 4 else height
    same: Any = {"sharex": True, "sharey": True, "squeeze": False, "layout": "constrained"}
    figure, grid = plt.subplots(*shape, figsize=size, **same)
    for ax, panel in zip(grid.flat, panels, strict=True):
        here = [(one, data) for one, data in series if one.get("panel", "") == panel]
        ax.set(title=panel, xlabel=page["axes"][0], ylabel=page["axes"][1])
        ax.label_outer()
        _furnish(ax, page, rows, seats)
        taken = Counter(place for one, data in here for place in set(data.get("y name", ())))
        so_far: Counter[str] = Counter()
        for one, data in here:
            _series(ax, one, _placed(data, seats, taken, so_far))
    if labels := sum("label" in one for one, _ in series):
        figure.legend(loc="outside upper left", ncols=3 if labels == 3 else 2)
    return figure


def points(one: Row, page: Mapping[str, Any], rows: Mapping[str, Row]) -> pd.DataFrame:
    """Of one series: x and y, or on an axis of names ``y name``; ``low`` and ``high`` of x."""
    data: Any = _selected(one, _source(one, page, rows))
    found = pd.DataFrame(index=data.index)
    for axis in ("x", "y"):
        if axis in page.get("named", ""):
            names = [one[axis].format_map(line) for line in data.to_dict("records")]
            found[f"{axis} name"] = [re.sub(r"^(.+)–\1$", r"\1", name) for name in names]
        elif axis in one:
            found[axis] = numbers(data[one[axis]])
        elif axis in data:
            found[axis] = data[axis]
    if "less" in one:
        found["x"] = (found["x"] - numbers(data[one["less"]])) * one["times"]
    for end, sign in (("low", -2), ("high", 2)):
        if "sd" in one:
            found[end] = found["x"] + sign * numbers(data[one["sd"]])
        elif one.get(end, end) in data:
            found[end] = numbers(data[one.get(end, end)])
    if "text" in one:
        found["text"] = data[one["text"]]
    return found


def _selected(one: Row, data: Any) -> pd.DataFrame:
    """The rows of a table that a series shows, with a row for each of its points."""
    for column, wanted in one.get("rows", {}).items():
        data = data[data[column].astype(str).str.match(wanted)]
    if "melt" in one:
        data = data.melt(one["melt"], var_name="variable").dropna()
        data = data[data["variable"] != ""]
    if "explode" in one:
        data = data.assign(**{one["explode"]: data[one["explode"]].map(list)})
        data = data.explode(one["explode"])
    return data


def numbers(column: pd.Series) -> pd.Series:
    """What a column says as numbers, also "4 clusters" and "< 0.01"; nothing where it has none."""
    found = column.astype(str).str.extract(r"^(?:< )?(-?\d+\.?\d*(?:e-?\d+)?)")[0]
    return found.astype(float)


def value_of(row: Row, name: str, whose: str = "ours") -> tuple[float, int | None]:
    """A value of a row, or what is printed in its place, and what it is out of."""
    sign, name = (-1, name[1:]) if name.startswith("-") else (1, name)
    (ours,) = (v for v in row["values"] if v["name"] == name)
    if whose == "ours":
        return sign * ours["value"], ours["of"]
    (printed,) = (p["text"] for p in row["printed"] if p["name"] == name)
    return sign * float(printed), ours["of"]


def _source(one: Row, page: Mapping[str, Any], rows: Mapping[str, Row]) -> pd.DataFrame:
    if "printed" in one:
        paper, _, which = one["printed"].format_map(page).partition("/")
        return printed_table(paper, int(which))
    whose, found = one.get("whose", "ours"), []
    for name, key in one.get("keys", {"": page["key"]}).items():
        if "range" in one:
            ends = [value_of(rows[key], end, whose)[0] for end in one["range"]]
            found.append({"name": name, **dict(zip(("low", "high", "x"), ends, strict=False))})
        for shown, value in one.get("values", {}).items():
            k, of = value_of(rows[key], value, whose)
            line = {"name": shown.format(name=name), "value": k, "percent": 100 * k / (of or 1)}
            if one.get("exact"):
                low, high = clopper_pearson(np.array([round(k)]), of or 1)
                line |= {"low": 100 * low[0], "high": 100 * high[0]}
            found.append(line)
    table = rows[page["key"]]["table"]
    return pd.DataFrame(found or table["rows"], columns=None if found else table["columns"])


def _names(series: list[tuple[Any, pd.DataFrame]], axis: str) -> list[str]:
    return list(dict.fromkeys(name for _, data in series for name in data[f"{axis} name"]))


def _placed(
    data: pd.DataFrame, seats: Mapping[str, list[str]], taken: Counter[str], so_far: Counter[str]
) -> pd.DataFrame:
    """With a number for each name: series that share a row stand one below the other in it."""
    for axis, names in seats.items():
        data[axis] = [float(names.index(name)) for name in data[f"{axis} name"]]
    if "y" in seats:
        shift = {
            name: (so_far[name] - (taken[name] - 1) / 2) * min(0.26, 0.8 / taken[name])
            for name in taken
        }
        data["y"] += data["y name"].map(shift)
        so_far.update(set(data["y name"]))
    return data


def _series(ax: Axes, one: Row, data: pd.DataFrame) -> None:
    look, label = one.get("look", "ours"), one.get("label")
    of_metric = dict(zip(("color", "marker"), style.look_of(look), strict=True))
    drawn = LOOKS.get(look) or LOOKS["ours"] | of_metric
    if one.get("spread_out"):
        for _, group in data.groupby("y"):
            data.loc[group.index, "y"] += np.linspace(-0.12, 0.12, len(group))
        drawn = drawn | {"ms": 4, "alpha": 0.6}
    if "low" in data:
        bar: Any = {"lw": 1.6} if "x" in data else {"lw": 4, "label": label}
        ax.hlines(data["y"], data["low"], data["high"], color=drawn["color"], **bar)
    if "x" in data:
        ax.plot(data["x"], data["y"], ls="-" if one.get("lines") else "", label=label, **drawn)
    for k, (x, y, text) in enumerate(data[["x", "y", "text"]].to_numpy() if "text" in data else ()):
        left = one["sides"][k] == "l"
        beside: Any = {"xytext": (-8, -4), "ha": "right"} if left else {"xytext": (8, -4)}
        ax.annotate(text, (x, y), textcoords="offset points", fontsize=9, **beside)


def _furnish(
    ax: Axes, page: Mapping[str, Any], rows: Mapping[str, Row], seats: Mapping[str, list[str]]
) -> None:
    """Scales, names, and what the page marks in its axes."""
    _set_scales(ax, page, seats)
    for axis, ends in page.get("limits", {}).items():
        getattr(ax, f"set_{axis}lim")(ends)
    if "band" in page:
        ax.axvspan(*page["band"], color=style.MUTED, alpha=0.4, lw=0)
    if page.get("zero"):
        ax.axvline(0, color=style.GREY, lw=1)
    if "line" in page:
        line = page["line"]
        at = value_of(rows[page["key"]], line)[0] if isinstance(line, str) else line
        ax.axvline(at, color=style.GREY, lw=1.2, ls="--")
    for factor, dashes in zip(page.get("diagonal", ()), ("-", "--"), strict=False):
        ends = np.array([0.003, 1])
        ax.plot(ends, factor * ends, color=style.GREY, lw=1, ls=dashes)
    if "normal" in page:
        _draw_normal(ax, page["normal"], rows[page["key"]])


def _set_scales(ax: Axes, page: Mapping[str, Any], seats: Mapping[str, list[str]]) -> None:
    """Scales and ticks, with names where an axis has some; the page's own row is bold."""
    for axis in page.get("log", ""):
        getattr(ax, f"set_{axis}scale")("log", subs=[])
        getattr(ax, f"{axis}axis").set_major_formatter(lambda value, _: f"{value:g}")
    if "ticks" in page:
        ax.set_xticks(page["ticks"])
    if "y" in seats:
        style.name_rows(ax, [name.replace("inf", "∞") for name in seats["y"]])
        ax.grid(axis="x", color=style.MUTED, lw=0.6)
        keys = {name: key for one in page["series"] for name, key in one.get("keys", {}).items()}
        for tick in ax.get_yticklabels():
            mine = keys.get(tick.get_text()) == page["key"]
            tick.set_fontweight("bold" if mine else "normal")
    if "x" in seats:
        ax.set_xticks(range(len(seats["x"])), seats["x"])


def _draw_normal(ax: Axes, table: str, row: Row) -> None:
    """The normal density, its middle 95 % by a printed table of t, and a row's value beside it."""
    paper, _, which = table.partition("/")
    t = printed_table(paper, int(which)).set_index(["level_pct", "sample_size"])["t"]
    z = float(t["95", "inf"])
    x = np.linspace(-3.5, 3.5, 141)
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    ax.plot(x, density, color=style.INK)
    ax.fill_between(x, density, where=abs(x) <= z, color=style.SKY, alpha=0.5, lw=0)
    ax.set_xticks([-z, 0, z], [f"−{t['95', 'inf']}", "0", t["95", "inf"]])
    (ours,) = row["values"]
    (theirs,) = row["printed"]
    words = f"printed: {theirs['text']}\nours: {ours['value']:{ours['spec']}}"
    ax.text(0, 0.15, words, ha="center")
