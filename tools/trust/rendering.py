"""The pages: what the kept counts say, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..repository import results
from ..repository.templating import listed, templates
from . import coverage, places, ratings_table
from .decimals import number, span
from .recommending import BETTER, KEEPS, REFUTED, SUSPECTED, Cell, error, rate, recommended
from .rows import CONFIDENCE, FIRST_LEVEL, LEVELS, Row
from .wording import written

TEMPLATES = Path(__file__).parent / "templates"
#: How the keys of worlds begin in which it is the mean over many test sets that is tested.
OVER_MANY = "test-sets-"
#: Links to so many worlds stand beside a function; of more, their number.
MOST_LINKS = 4
#: The world in which pairs are given up, and the row of the limit that is the default.
GIVEN_UP = "watched-given-up"
GIVEN_UP_BY_DEFAULT = "given-up-0.1"
#: Signs for intervals that lie below the truth or above it.
SIDES = {"below": "↓", "above": "↑"}
#: What a cell of each group of rows is.
GROUPS = {
    "tests": "Tests: share of data sets in which the test finds a difference at {first} and at "
    "{second}; ≈ median of the package's estimates of the first share; ⚑ share of data sets in "
    "which a note warns",
    "stops": "Looks at a true difference: share of campaigns that find the better system at "
    "{first}; mean number of units at which campaigns stop; × mean estimate then, divided by the "
    "true difference",
    "gates": "Gates: share of candidates as good as the baseline that pass at {first} and at "
    "{second}",
    "given up": "Pairs given up: share of campaigns that are given up; share of these that find a "
    "difference at {first} by the end, and the share that predictive power predicted; mean number "
    "of units saved",
    "verdicts": "One verdict over all test sets, or one on each: share of data sets with a claim "
    "at {first} and at {second}, which is false where the difference is 0",
    "intervals": "Intervals of {confidence}: share that contains the truth; ↓ share that lies "
    "below it, ↑ above it",
    "corrections": "Corrections, 6 comparisons: share of families with a false claim at {first} "
    "and at {second}",
}
#: What is counted in worlds that have rows of one group alone, and no test to choose.
WITHOUT_TESTS = {
    "gates": "no test to choose; the table shows how often good candidates pass",
    "given up": "no test to choose; the table shows how often pairs are given up",
}

#: What templates call the shares of some worlds, and how the keys of these worlds begin.
LEAST_AND_MOST = {
    "controls": "control-items",
    "few_differ": "few-differ",
    "many": OVER_MANY,
    "raters": "raters",
    "unequal_runs": "unequal-runs",
    "uneven": "uneven-raters",
}

#: What is compared with R.
LARGEST = ("difference", "standard_error", "degrees_of_freedom", "log_likelihood")

#: The counts as they are kept, or a world of them.
Kept = Mapping[str, Any]
#: A group, a name and units: what rows of different settings have in common that are one line.
Key = tuple[str, str, str]
#: By the title of a line: how often it errs, and the world and setting in which it does.
Places = defaultdict[str, list[tuple[float, str]]]


def to_pages(kept: Kept) -> dict[Path, str]:
    """All pages for the repository, by their places in the folder of documents."""
    environment = templates(TEMPLATES)
    values = values_of_templates(kept)
    first = environment.get_template(f"{places.FIRST}.md.j2")
    pages = {Path(f"{places.FIRST}.md"): first.render(values)}
    folder = Path(places.FIRST)
    for name in places.SUBJECTS:
        template = environment.get_template(f"{name}.md.j2")
        pages[folder / f"{name}.md"] = template.render(values)
    template = environment.get_template("worlds.md.j2")
    by_key = {world["key"]: world for world in values["worlds"]}
    for page in places.PAGES_OF_WORLDS:
        worlds = [by_key[key] for key in page.worlds if key in by_key]
        pages[folder / f"{page.name}.md"] = template.render(page=page, worlds=worlds)
    return pages


def values_of_templates(kept: Kept) -> dict[str, Any]:
    """What templates fill in."""
    worlds = [described(world) for world in kept["worlds"]]
    return {
        **kept,
        "worlds": worlds,
        "groups": [group_of_worlds(page, worlds) for page in places.PAGES_OF_WORLDS],
        "pages_of_worlds": places.PAGES_OF_WORLDS,
        "links": {world["key"]: places.link(world) for world in kept["worlds"]},
        "high": number(KEEPS[1]),
        "better": f"{BETTER:g}".removeprefix("0"),
        "refuted": f"{REFUTED:g}",
        "suspected": f"{SUSPECTED:g}",
        "functions": list(functions(kept)),
        "agreement": agreement(),
        "lengths": in_order(kept, "lengths"),
        "sentences": sentences_shared(kept),
        "given_up_by_default": given_up_by_default(kept),
        "strengths": strengths(kept),
        "ratings": ratings_table.table_of_ratings(kept),
        "beside_r": [beside_r(row) for row in kept["beside_r"]],
        "measured": partial(measured, kept),
        "most": partial(most, kept),
        **{name: least_and_most(kept, begins) for name, begins in LEAST_AND_MOST.items()},
        "tests": list(extremes(kept, "tests")),
        "tests_of_tools": list(extremes(kept, "tests", of_tools=True)),
        "intervals": list(extremes(kept, "intervals")),
        "intervals_of_tools": list(extremes(kept, "intervals", of_tools=True)),
        "corrections": list(extremes(kept, "corrections")),
        "by_setting": partial(by_setting, kept),
        "in_settings": partial(in_settings, kept),
    }


def rates_in(kept: Kept, key: str, name: str, label: str = "", units: str = "") -> list[float]:
    """How often a test errs in each setting of a world, or an interval contains the truth.

    The settings are all, or the one with a label.  The units are those that should be taken, if no
    others are given.  A `KeyError` says that nothing was measured.
    """
    rates = []
    for setting in settings_of(kept, key):
        if label in ("", setting["label"]):
            rows = setting["rows"]
            wanted = (name, units or rows[0]["units"])
            found = [row for row in rows if (row["name"], row["units"]) == wanted]
            for row in found[:1]:
                is_interval = row["group"] == "intervals"
                rates.append(1 - rate(row) if is_interval else rate(row))
    if not rates:
        raise KeyError(f"{name!r} was not measured in {key!r}, {label or 'all settings'}")
    return rates


def by_setting(kept: Kept, key: str, *names: str) -> list[list[str]]:
    """A line for each setting of a world: its label, and the rate of each name, or a dash.

    The rate of an interval is how often it contains the truth.
    """
    lines = []
    for setting in settings_of(kept, key):
        line = [written(setting["label"])]
        for name in names:
            rows = [row for row in setting["rows"] if row["name"] == name]
            proper = [row for row in rows if row["units"] == setting["rows"][0]["units"]]
            line.append(shown_rate(next(iter(proper or rows), None)))
        lines.append(line)
    return lines


def in_settings(kept: Kept, key: str, name: str) -> list[str]:
    """The rate of a name in each setting of a world, as in `by_setting`."""
    return [rate_shown for _, rate_shown in by_setting(kept, key, name)]


def shown_rate(row: Row | None) -> str:
    """How often a test errs, or an interval contains the truth; a dash without a row."""
    if row is None:
        return "–"
    return number(1 - rate(row) if row["group"] == "intervals" else rate(row))


def measured(kept: Kept, key: str, name: str, label: str = "", units: str = "") -> str:
    """The least and the most of `rates_in`."""
    return span(rates_in(kept, key, name, label, units))


def most(kept: Kept, key: str, name: str) -> str:
    """The most of `rates_in`."""
    return number(max(rates_in(kept, key, name)))


def group_of_worlds(page: places.PageOfWorlds, worlds: list[dict[str, Any]]) -> dict[str, Any]:
    """The worlds of a page, in its order, under its title without the word *worlds*."""
    by_key = {world["key"]: world for world in worlds}
    heading = page.title.removeprefix("Worlds of ").capitalize()
    return {"heading": heading, "worlds": [by_key[key] for key in page.worlds if key in by_key]}


def described(world: Kept) -> dict[str, Any]:
    """A world with its table, its advice, and the paragraphs of what holds in it.

    ``has_other_table`` says that its table is that of `ratings_table`.
    """
    return {
        **world,
        "labels": [written(setting["label"]) for setting in world["settings"]],
        "lines": list(table(world)),
        "advice": list(advice(world)),
        "support": list(support(world)),
        "anchor": places.anchor(world),
        "paragraphs": world["holds"].split("\n\n"),
        "has_other_table": world["key"] in ratings_table.WORLDS,
    }


def beside_r(row: Kept) -> list[str]:
    """A line on what R says: counts, and how far ours are from R's at most."""
    counts = [f"{row[name]}" for name in ("ratings", "terms", "pairs")]
    largest = [f"{row[name]:.0e}" for name in LARGEST]
    return [row["set"], *counts, *largest]


def settings_of(kept: Kept, key: str) -> list[Kept]:
    """The settings of a world; none if it was not measured."""
    for world in kept["worlds"]:
        if world["key"] == key:
            return list(world["settings"])
    return []


def rows_where(kept: Kept, begins: str) -> Iterator[Row]:
    """All rows of worlds whose keys begin so, in the order of the tables."""
    for world in kept["worlds"]:
        if world["key"].startswith(begins):
            for setting in world["settings"]:
                yield from setting["rows"]


def functions(kept: Kept) -> Iterator[tuple[str, str]]:
    """Each export that is on the page, and links to the worlds that show it, or their number."""
    for name, worlds in coverage.where(kept):
        if len(worlds) > MOST_LINKS:
            yield name, f"{len(worlds)} worlds"
        else:
            links = [f"[{world['title']}]({places.link(world)})" for world in worlds]
            yield name, ", ".join(links)


def agreement() -> str:
    """On how many pairs of systems approximate randomization and sign flips have one verdict."""
    rows = {row["key"]: row for row in results.ledger()["rows"]}
    values = {value["name"]: value for value in rows["verdicts-BLEU"]["values"]}
    changed = values["sign flips for randomization"]
    n_pairs = changed["of"]
    n_alike = n_pairs - changed["value"]
    return f"{n_alike:,} of {n_pairs:,}"


def least_and_most(kept: Kept, begins: str) -> dict[str, str]:
    """The least and the most of `shares`."""
    by_name = shares(kept, begins)
    return {name: span(rates) for name, rates in by_name.items()}


def in_order(kept: Kept, begins: str) -> dict[str, str]:
    """All of `shares`, in the order of the table."""
    by_name = shares(kept, begins)
    return {name: listed_numbers(rates) for name, rates in by_name.items()}


def strengths(kept: Kept) -> dict[str, str]:
    """How often Bradley-Terry strengths of equally good systems differ, by the units taken."""
    by_units: dict[str, list[float]] = {"raters": [], "comparisons": []}
    for row in rows_where(kept, "preferences"):
        if row["name"] == "bradley-terry":
            rates = by_units[row["units"]]
            rates.append(rate(row))
    return {units: listed_numbers(rates) for units, rates in by_units.items()}


def given_up_by_default(kept: Kept) -> dict[str, Any]:
    """How many pairs are given up, and of these told apart by the end, in the table's order.

    ``given_up`` and ``lost`` have a share for each setting.  ``promised`` is the least and the most
    that predictive power promised of these pairs.
    """
    rows = [row for row in rows_where(kept, GIVEN_UP) if row["name"] == GIVEN_UP_BY_DEFAULT]
    if not rows:
        return {}
    given_up = []
    lost = []
    promised = []
    for row in rows:
        n_given_up = row["counts"]["given_up"]
        given_up.append(n_given_up / row["of"])
        lost.append(row["counts"][f"{LEVELS[0]:g}"] / n_given_up)
        promised.append(row["sums"]["thousandths"] / 1000 / n_given_up)
    return {
        "given_up": [number(share) for share in given_up],
        "lost": [number(share) for share in lost],
        "promised": span(promised),
    }


def sentences_shared(kept: Kept) -> dict[str, str]:
    """How often approximate randomization errs where languages share, or may share, sentences."""
    by_kind = defaultdict(list)
    for setting in settings_of(kept, "same-sentences"):
        exchanging = [row for row in setting["rows"] if row["name"] == "approximate-randomization"]
        by_default, apart = exchanging
        only_numbers = setting["label"].startswith("numbers")
        same = not setting["label"].endswith("other sentences")
        if not only_numbers:
            kind = "shared"
        elif same:
            kind = "unknown_same"
        else:
            kind = "unknown_other"
        by_kind[kind].append(rate(by_default))
        if same:
            by_kind["apart"].append(rate(apart))
    return {kind: span(rates) for kind, rates in by_kind.items()}


def shares(kept: Kept, begins: str) -> dict[str, list[float]]:
    """How often everything errs in worlds whose keys begin so; empty if they were not measured.

    A test by its name, with ".01" behind it for that level, and with "warned" for how often a note
    warns; a verdict by its name and difference.
    """
    by_name = defaultdict(list)
    for row in rows_where(kept, begins):
        name = row["name"]
        if row["group"] != "intervals":
            for level in LEVELS:
                suffix = "" if level == LEVELS[0] else f" {shown_level(level)}"
                share = row["counts"][f"{level:g}"] / row["of"]
                by_name[name + suffix].append(share)
        if told(row):
            by_name[f"{name} warned"].append(warned(row))
    return dict(by_name)


def listed_numbers(shares: list[float]) -> str:
    """All shares in a sentence."""
    return listed([number(share) for share in shares])


def shown_level(level: float) -> str:
    """A level as it is written: .05."""
    return number(level).rstrip("0")


def cell(row: Row | None) -> str:
    """A row's numbers in one setting."""
    if row is None:
        return "–"
    n = row["of"]
    counts = row["counts"]
    compares_methods = bool(row.get("difference"))
    too_often = rate(row) > KEEPS[1] and not compares_methods
    if row["group"] == "intervals":
        shown = [with_error(counts["covered"], n, bold=too_often)]
        for side, sign in SIDES.items():
            if side in counts:
                share = number(counts[side] / n)
                shown.append(f"{sign}{share}")
        return " ".join(shown)
    if row["group"] == "stops":
        found = with_error(counts[FIRST_LEVEL], n)
        sums = row["sums"]
        units = sums["units"] / n
        estimate = sums["hundredths"] / 100 / n
        return f"{found}, {units:.0f}, ×{estimate:.2f}"
    if row["group"] == "given up":
        return of_given_up(row)
    shown = []
    for level in LEVELS:
        is_bold = too_often and level == LEVELS[0]
        count = counts[f"{level:g}"]
        shown.append(with_error(count, n, bold=is_bold))
    return ", ".join(shown) + told(row)


def of_given_up(row: Row) -> str:
    """How often pairs are given up, and of these pairs what they lost and what they spared."""
    n_given_up = row["counts"]["given_up"]
    given_up = with_error(n_given_up, row["of"])
    if not n_given_up:
        return given_up
    lost = with_error(row["counts"][f"{LEVELS[0]:g}"], n_given_up)
    promised = number(row["sums"]["thousandths"] / 1000 / n_given_up)
    return f"{given_up}; {lost}, predicted {promised}; {row['sums']['units'] / n_given_up:.0f}"


def told(row: Row) -> str:
    """What results say of their test, where they do: the median estimate, how often they warn."""
    if "estimated" not in row:
        return ""
    return f" ≈{number(row['estimated'])} ⚑{number(warned(row))}"


def warned(row: Row) -> float:
    """The share of data sets in which a note warns."""
    return float(row["counts"]["warned"] / row["of"])


def with_error(count: int, n: int, *, bold: bool = False) -> str:
    """A share with its standard error; in bold where a promise is broken."""
    share = number(count / n)
    if bold:
        share = f"**{share}**"
    return f"{share} ± {number(error(count, n))}"


def key(row: Row) -> Key:
    """What makes two rows of different settings the same line."""
    return row["group"], row["name"], row["units"]


def name_of(row: Row, several_units: bool) -> str:
    """A line's name, with its units where a world has several."""
    title = written(row["title"])
    return f"{title}, {row['units']}" if several_units else title


def table(world: Kept) -> Iterator[list[str]]:
    """The lines of a world's table, each a list of cells; one of a single cell heads a group."""
    by_setting = []
    first_rows: dict[Key, Row] = {}  # of each line, in the first setting that has it
    for setting in world["settings"]:
        rows = {key(row): row for row in setting["rows"]}
        by_setting.append(rows)
        for line, row in rows.items():
            first_rows.setdefault(line, row)
    for group in GROUPS:
        lines = {line: row for line, row in first_rows.items() if row["group"] == group}
        if not lines:
            continue
        yield [heading(group)]
        all_units = {row["units"] for row in lines.values()}
        has_several_units = len(all_units) > 1
        ours_first = sorted(lines, key=lambda line: bool(lines[line]["tool"]))
        for line in ours_first:
            name = name_of(lines[line], has_several_units)
            cells = [cell(rows.get(line)) for rows in by_setting]
            yield [name, *cells]


def heading(group: str) -> str:
    """The line above a group of rows."""
    first, second = map(shown_level, LEVELS)
    percent = 100 * CONFIDENCE
    confidence = f"{percent:.0f} %"
    return GROUPS[group].format(confidence=confidence, first=first, second=second)


def advice(world: Kept) -> Iterator[str]:
    """What to use, and in which settings that does not suffice, in a line each."""
    recommendation = recommended(world)
    if recommendation is None:
        groups = {row["group"] for setting in world["settings"] for row in setting["rows"]}
        group = groups.pop() if len(groups) == 1 else ""
        yield WITHOUT_TESTS.get(group, "no test to choose; the table is about intervals")
        return
    title = written(recommendation.title)
    rates = [rate(cell.row) for cell in recommendation.supporting]
    if rates:
        yield f"{title}: {span(rates)}"
    else:
        yield f"{title}, for want of a better one"
    for cell in recommendation.exceptions:
        yield f"{written(cell.label)}: {exception(cell)}"


def exception(cell: Cell) -> str:
    """What to expect where the recommended test errs too often."""
    text = f"{number(rate(cell.row))}, which is too high"
    nearest = cell.nearest
    if nearest is not None and nearest["name"] == cell.row["name"]:
        text += "; no other test has a lower rate"
    elif nearest is not None:
        text += f"; the {written(nearest['title'])} has the lowest rate, {number(rate(nearest))}"
    warning = nearest or cell.row
    if told(warning):
        text += f"; a note warns in {number(warned(warning))} of the data sets"
    return text


def support(world: Kept) -> Iterator[str]:
    """What the recommended test was measured at, in every setting."""
    recommendation = recommended(world)
    if recommendation is None:
        return
    for cell in recommendation.cells:
        share = rate(cell.row)
        text = f"{written(cell.label)}: {number(share)}"
        if cell.suspected:
            text += " (too high)"
        elif share < KEEPS[0]:
            text += " (cautious)"
        yield text


def extremes(kept: Kept, group: str, *, of_tools: bool = False) -> Iterator[list[str]]:
    """Of each line of a group, where it errs least and where most, over all worlds.

    The lines are the package's, or those of other tools.  What takes the wrong units for
    independent is left to its world's table.
    """
    by_title: Places = defaultdict(list)
    for world in kept["worlds"]:
        for setting in world["settings"]:
            place = f"{world['title']}, {written(setting['label'])}"
            rows = setting["rows"]
            proper_units = rows[0]["units"]
            for row in rows:
                is_shown = row["group"] == group and bool(row["tool"]) == of_tools
                if is_shown and row["units"] == proper_units:
                    by_title[written(row["title"])].append((rate(row), place))
    for title, rates in by_title.items():
        least, where_least = min(rates)
        most, where_most = max(rates)
        if group == "intervals":  # shown by what they contain, from least to most
            least_covered = number(1 - most)
            most_covered = number(1 - least)
            yield [title, least_covered, where_most, most_covered, where_least]
        else:
            yield [title, number(least), where_least, number(most), where_most]
