"""The page: what the kept counts say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..repository import results
from ..repository.templating import listed, templates
from . import coverage
from .recommending import BETTER, KEEPS, REFUTED, SUSPECTED, Cell, error, rate, recommended
from .rows import CONFIDENCE, LEVELS, Row

TEMPLATES = Path(__file__).parent / "templates"
#: How the keys of worlds begin in which it is the mean over many test sets that is tested.
OVER_MANY = "test-sets-"
#: Links to so many worlds stand beside a function; of more, their number.
MOST_LINKS = 4
GROUPS = {
    "tests": "Tests: share that finds a difference at {first} and at {second}; "
    "≈ what results estimate it to be at {first}, ⚑ how often a note warns",
    "verdicts": "One verdict over all test sets, or one on each: share with a claim at {first} and "
    "at {second}, false where the difference is 0",
    "intervals": "Intervals of {confidence}: share that contains the truth; ↓ lies below it, "
    "↑ above",
    "corrections": "Corrections, 6 comparisons: share with a false claim at {first} and at "
    "{second}",
}

#: What the template calls the shares of some worlds, and how the keys of these worlds begin: given
#: as the least and the most, in the order of the table, or as what intervals contain.
LEAST_AND_MOST = {
    "controls": "control-items",
    "few_differ": "few-differ",
    "many": OVER_MANY,
    "raters": "raters",
    "unequal_runs": "unequal-runs",
    "uneven": "uneven-raters",
}
IN_ORDER = {
    "answers": "yes-or-no",
    "documents_of_people": "people-documents",
    "few": "few-people",
    "few_raters": "few-raters",
    "kinked": "kinked",
    "language": "one-language",
    "left": "people-left",
    "lengths": "lengths",
    "margin": "margin",
    "neighbours": "neighbours",
    "other_segments": "people-other-segments",
    "runs": "runs",
    "same_segments": "people-same-segments",
}
COVERED = {"answers_covered": "yes-or-no", "campaigns": "agreement-by-size"}

Kept = Mapping[str, Any]


def to_markdown(kept: Kept) -> str:
    """The page for the repository."""
    template = templates(TEMPLATES).get_template("trust.md.j2")
    worlds = [described(world) for world in kept["worlds"]]
    labels = [setting["label"] for setting in settings_of(kept, "lengths")]
    return template.render(
        dict(kept, worlds=worlds),
        low=number(KEEPS[0]),
        high=number(KEEPS[1]),
        better=f"{BETTER:g}".removeprefix("0"),
        refuted=f"{REFUTED:g}",
        suspected=f"{SUSPECTED:g}",
        functions=list(functions(kept)),
        agreement=agreement(),
        lengths_of=listed(labels),
        sentences=sentences_shared(kept),
        strengths=strengths(kept),
        **{name: least_and_most(kept, begins) for name, begins in LEAST_AND_MOST.items()},
        **{name: in_order(kept, begins) for name, begins in IN_ORDER.items()},
        **{name: covered(kept, begins) for name, begins in COVERED.items()},
        **{group: list(extremes(kept, group)) for group in GROUPS},
    )


def described(world: Kept) -> dict[str, Any]:
    """A world with its table, its advice, and the anchor of its section."""
    return {
        **world,
        "lines": list(table(world)),
        "advice": list(advice(world)),
        "support": list(support(world)),
        "anchor": anchor(world),
    }


def anchor(world: Kept) -> str:
    """The fragment by which GitHub names the section of a world."""
    return world["title"].lower().replace(",", "").replace("'", "").replace(" ", "-")


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
            links = [f"[{world['title']}](#{anchor(world)})" for world in worlds]
            yield name, ", ".join(links)


def agreement() -> str:
    """On how many pairs of systems approximate randomization and sign flips have one verdict."""
    rows = {row["key"]: row for row in results.ledger()["rows"]}
    values = {value["name"]: value for value in rows["verdicts-BLEU"]["values"]}
    changed = values["sign flips for randomization"]
    n_pairs = changed["of"]
    return f"{n_pairs - changed['value']:,} of {n_pairs:,}"


def least_and_most(kept: Kept, begins: str) -> dict[str, str]:
    """The least and the most of `shares`."""
    return {name: span(found) for name, found in shares(kept, begins).items()}


def covered(kept: Kept, begins: str) -> dict[str, str]:
    """How often intervals contain the truth in worlds whose keys begin so, in the table's order."""
    found: dict[str, list[str]] = {}
    for row in rows_where(kept, begins):
        if row["group"] == "intervals":
            contained = 1 - rate(row)
            found.setdefault(row["name"], []).append(number(contained))
    return {name: listed(shown) for name, shown in found.items()}


def in_order(kept: Kept, begins: str) -> dict[str, str]:
    """All of `shares`, in the order of the table."""
    found = shares(kept, begins)
    return {name: listed([number(share) for share in all_of]) for name, all_of in found.items()}


def strengths(kept: Kept) -> dict[str, str]:
    """How often Bradley-Terry strengths of equally good systems differ, by the units taken."""
    shown: dict[str, list[str]] = {"raters": [], "comparisons": []}
    for row in rows_where(kept, "preferences"):
        if row["name"] == "bradley-terry":
            shown[row["units"]].append(number(rate(row)))
    return {units: listed(shares_of_units) for units, shares_of_units in shown.items()}


def sentences_shared(kept: Kept) -> dict[str, str]:
    """How often approximate randomization errs where languages share, or may share, sentences."""
    found: dict[str, list[float]] = {}
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
        found.setdefault(kind, []).append(rate(by_default))
        if same:
            found.setdefault("apart", []).append(rate(apart))
    return {kind: span(rates) for kind, rates in found.items()}


def shares(kept: Kept, begins: str) -> dict[str, list[float]]:
    """How often everything errs in worlds whose keys begin so; empty if they were not measured.

    A test by its name, with ".01" behind it for that level, and with "warned" for how often a note
    warns; a verdict by its name and difference.
    """
    found: dict[str, list[float]] = {}
    for row in rows_where(kept, begins):
        if row["group"] != "intervals":
            for level in LEVELS:
                is_first = level == LEVELS[0]
                name = row["name"] if is_first else f"{row['name']} {number(level).rstrip('0')}"
                share = row["counts"][f"{level:g}"] / row["of"]
                found.setdefault(name, []).append(share)
        if told(row):
            found.setdefault(f"{row['name']} warned", []).append(warned(row))
    return found


def number(share: float) -> str:
    """Three decimals, without the zero before them."""
    return f"{share:.3f}".removeprefix("0") if share < 1 else "1.000"


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
        for sign, side in (("↓", "below"), ("↑", "above")):
            if side in counts:
                shown.append(f"{sign}{number(counts[side] / n)}")
        return " ".join(shown)
    first, *others = (counts[f"{level:g}"] for level in LEVELS)
    shown = [with_error(first, n, bold=too_often)]
    shown += [with_error(count, n) for count in others]
    return ", ".join(shown) + told(row)


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


def key(row: Row) -> tuple[str, str, str]:
    """What makes two rows of different settings the same line."""
    return row["group"], row["name"], row["units"]


def name_of(row: Row, several_units: bool) -> str:
    """A line's name, with its units where a world has several."""
    if several_units:
        return f"{row['title']}, {row['units']}"
    return str(row["title"])


def table(world: Kept) -> Iterator[list[str]]:
    """The lines of a world's table, each a list of cells; one of a single cell heads a group."""
    by_setting = [{key(row): row for row in setting["rows"]} for setting in world["settings"]]
    rows: dict[tuple[str, str, str], Row] = {}
    for rows_of_setting in by_setting:
        for line, row in rows_of_setting.items():
            rows.setdefault(line, row)
    for group in GROUPS:
        lines = [line for line in rows if line[0] == group]
        if lines:
            yield [heading(group)]
        several_units = len({units for _, _, units in lines}) > 1
        lines.sort(key=lambda line: bool(rows[line]["tool"]))  # ours first
        for line in lines:
            cells = [cell(rows_of_setting.get(line)) for rows_of_setting in by_setting]
            yield [name_of(rows[line], several_units), *cells]


def heading(group: str) -> str:
    """The line above a group of rows."""
    first, second = (number(level).rstrip("0") for level in LEVELS)
    confidence = f"{100 * CONFIDENCE:.0f} %"
    return GROUPS[group].format(confidence=confidence, first=first, second=second)


def advice(world: Kept) -> Iterator[str]:
    """What to use, and in which settings that does not suffice, in a line each."""
    recommendation = recommended(world)
    if recommendation is None:
        yield "intervals only"
        return
    title = recommendation.title
    supporting = recommendation.supporting
    if supporting:
        yield f"{title}: {span([rate(cell.row) for cell in supporting])}"
    else:
        yield f"{title}, for want of a better one"
    for cell in recommendation.exceptions:
        yield f"{cell.label}: {exception(cell)}"


def exception(cell: Cell) -> str:
    """What to expect where the recommended test errs too often."""
    text = f"it errs in {number(rate(cell.row))}"
    nearest = cell.nearest
    if nearest is not None and nearest["name"] == cell.row["name"]:
        text += ", and no other test less"
    elif nearest is not None:
        text += f"; {nearest['title']} errs least, in {number(rate(nearest))}"
    warning = nearest or cell.row
    if told(warning):
        text += f"; a note warns in {number(warned(warning))}"
    return text


def support(world: Kept) -> Iterator[str]:
    """What the recommended test was measured at, in every setting."""
    recommendation = recommended(world)
    for cell in recommendation.cells if recommendation else ():
        text = f"{cell.label} {number(rate(cell.row))}"
        cautious = rate(cell.row) < KEEPS[0]
        if cell.suspected:
            text += " (too often)"
        elif cautious:
            text += " (cautious)"
        yield text


def span(rates: Sequence[float]) -> str:
    """The least and the most of some shares; one number where they are shown alike."""
    least = number(min(rates))
    most = number(max(rates))
    return least if least == most else f"{least} to {most}"


def extremes(kept: Kept, group: str) -> Iterator[list[str]]:
    """Of each line of a group, where it errs least and where most, over all worlds.

    What takes the wrong units for independent is left to its world's table.
    """
    found: dict[tuple[bool, str], list[tuple[float, str]]] = {}
    for world in kept["worlds"]:
        for setting in world["settings"]:
            place = f"{world['title']}, {setting['label']}"
            proper_units = setting["rows"][0]["units"]
            for row in setting["rows"]:
                if row["group"] == group and row["units"] == proper_units:
                    line = (bool(row["tool"]), row["title"])
                    found.setdefault(line, []).append((rate(row), place))
    ours_first = sorted(found.items(), key=lambda item: item[0][0])
    for (_, title), rates in ours_first:
        least, where_least = min(rates)
        most, where_most = max(rates)
        if group == "intervals":  # shown by what they contain, from least to most
            yield [title, number(1 - most), where_most, number(1 - least), where_least]
        else:
            yield [title, number(least), where_least, number(most), where_most]
