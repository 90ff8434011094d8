"""The page: what the kept counts say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..repository import results
from ..repository.templating import templates
from . import coverage
from .recommending import BETTER, KEEPS, REFUTED, SUSPECTED, Cell, error, rate, recommended
from .rows import CONFIDENCE, LEVELS, Row

TEMPLATES = Path(__file__).parent / "templates"
#: How the keys of worlds begin in which it is the mean over many test sets that is tested.
OVER_MANY = "test-sets-"
#: Links to so many worlds stand beside a function; of more, their number.
MOST_LINKS = 4
GROUPS = {
    "tests": "Tests: share that finds a difference at {} and at {}; "
    "≈ what results estimate it to be at {}, ⚑ how often a note warns",
    "verdicts": "One verdict over all test sets, or one on each: share with a claim at {} and "
    "at {}, false where the difference is 0",
    "intervals": "Intervals of {}: share that contains the truth; ↓ lies below it, ↑ above",
    "corrections": "Corrections, 6 comparisons: share with a false claim at {} and at {}",
}

Kept = Mapping[str, Any]


def to_markdown(kept: Kept) -> str:
    """The page for the repository."""
    worlds = [described(world) for world in kept["worlds"]]
    lengths = next((world for world in worlds if world["key"] == "lengths"), None)
    labels = [setting["label"] for setting in lengths["settings"]] if lengths else []
    template = templates(TEMPLATES).get_template("trust.md.j2")
    return template.render(
        dict(kept, worlds=worlds),
        low=number(KEEPS[0]),
        high=number(KEEPS[1]),
        better=f"{BETTER:g}".removeprefix("0"),
        refuted=f"{REFUTED:g}",
        suspected=f"{SUSPECTED:g}",
        functions=list(functions(kept)),
        # What tests do, by their names: from least to most, or in the order of the table.
        few_differ=ends(kept, "few-differ"),
        language=in_order(kept, "one-language"),
        many=ends(kept, OVER_MANY),
        raters=ends(kept, "raters"),
        sentences=sentences_shared(kept),
        unequal_runs=ends(kept, "unequal-runs"),
        uneven=ends(kept, "uneven-raters"),
        answers=in_order(kept, "yes-or-no"),
        answers_covered=covered(kept, "yes-or-no"),
        campaigns=covered(kept, "agreement-by-size"),
        controls=ends(kept, "control-items"),
        documents_of_people=in_order(kept, "people-documents"),
        few=in_order(kept, "few-people"),
        few_raters=in_order(kept, "few-raters"),
        kinked=in_order(kept, "kinked"),
        left=in_order(kept, "people-left"),
        lengths=in_order(kept, "lengths"),
        lengths_of=listed(labels),
        margin=in_order(kept, "margin"),
        neighbours=in_order(kept, "neighbours"),
        other_segments=in_order(kept, "people-other-segments"),
        runs=in_order(kept, "runs"),
        same_segments=in_order(kept, "people-same-segments"),
        strengths=strengths(kept),
        agreement=agreement(),
        **{group: list(extremes(kept, group)) for group in GROUPS},
    )


def described(world: Kept) -> dict[str, Any]:
    """A world with its table, its advice, and the anchor of its section."""
    anchor = world["title"].lower().replace(",", "").replace("'", "").replace(" ", "-")
    shown = {"lines": list(table(world)), "advice": list(advice(world))}
    return {**world, **shown, "support": list(support(world)), "anchor": anchor}


def functions(kept: Kept) -> Iterator[tuple[str, str]]:
    """Each export that is on the page, and links to the worlds that show it, or their number."""
    for name, worlds in coverage.where(kept):
        links = [f"[{world['title']}](#{described(world)['anchor']})" for world in worlds]
        many = len(links) > MOST_LINKS
        yield name, f"{len(links)} worlds" if many else ", ".join(links)


def agreement() -> str:
    """On how many pairs of systems approximate randomization and sign flips have one verdict."""
    (row,) = (row for row in results.ledger()["rows"] if row["key"] == "verdicts-BLEU")
    (changed,) = (v for v in row["values"] if v["name"] == "sign flips for randomization")
    return f"{changed['of'] - changed['value']:,} of {changed['of']:,}"


def ends(kept: Kept, begins: str) -> dict[str, str]:
    """The least and the most of `shares`."""
    return {
        name: " to ".join(dict.fromkeys([number(min(found)), number(max(found))]))
        for name, found in shares(kept, begins).items()
    }


def covered(kept: Kept, begins: str) -> dict[str, str]:
    """How often intervals contain the truth in worlds whose keys begin so, in the table's order."""
    found: dict[str, list[str]] = {}
    worlds = [world for world in kept["worlds"] if world["key"].startswith(begins)]
    for row in (row for world in worlds for s in world["settings"] for row in s["rows"]):
        if row["group"] == "intervals":
            found.setdefault(row["name"], []).append(number(1 - rate(row)))
    return {name: listed(shown) for name, shown in found.items()}


def in_order(kept: Kept, begins: str) -> dict[str, str]:
    """All of `shares`, in the order of the table."""
    return {name: listed(list(map(number, found))) for name, found in shares(kept, begins).items()}


def strengths(kept: Kept) -> dict[str, str]:
    """How often Bradley-Terry strengths of equally good systems differ, by the units taken."""
    settings = [
        s for world in kept["worlds"] if world["key"] == "preferences" for s in world["settings"]
    ]
    rows = [
        row for setting in settings for row in setting["rows"] if row["name"] == "bradley-terry"
    ]
    return {
        units: listed([number(rate(row)) for row in rows if row["units"] == units])
        for units in ("raters", "comparisons")
    }


def sentences_shared(kept: Kept) -> dict[str, str]:
    """How often approximate randomization errs where languages share, or may share, sentences."""
    found: dict[str, list[Row]] = {}
    settings = [s for w in kept["worlds"] if w["key"] == "same-sentences" for s in w["settings"]]
    for setting in settings:
        rows = [row for row in setting["rows"] if row["name"] == "approximate-randomization"]
        by_default, apart = rows
        only_numbers = setting["label"].startswith("numbers")
        same = not setting["label"].endswith("other sentences")
        if not only_numbers:
            kind = "shared"
        elif same:
            kind = "unknown_same"
        else:
            kind = "unknown_other"
        found.setdefault(kind, []).append(by_default)
        if same:
            found.setdefault("apart", []).append(apart)
    return {kind: span(rows) for kind, rows in found.items()}


def shares(kept: Kept, begins: str) -> dict[str, list[float]]:
    """How often everything errs in worlds whose keys begin so; empty if they were not measured.

    A test by its name, with ".01" behind it for that level, and with "warned" for how often a note
    warns; a verdict by its name and difference.
    """
    found: dict[str, list[float]] = {}
    worlds = [world for world in kept["worlds"] if world["key"].startswith(begins)]
    for row in (row for world in worlds for s in world["settings"] for row in s["rows"]):
        for level in LEVELS if row["group"] != "intervals" else ():
            suffix = "" if level == LEVELS[0] else f" {number(level).rstrip('0')}"
            share = row["counts"][f"{level:g}"] / row["of"]
            found.setdefault(row["name"] + suffix, []).append(share)
        if told(row):
            found.setdefault(f"{row['name']} warned", []).append(warned(row))
    return found


def listed(words: list[str]) -> str:
    """All of them in a sentence."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def number(share: float) -> str:
    """Three decimals, without the zero before them."""
    return f"{share:.3f}".removeprefix("0") if share < 1 else "1.000"


def cell(row: Row | None) -> str:
    """A row's numbers in one setting."""
    if row is None:
        return "–"
    of, counts = row["of"], row["counts"]
    worse = not row.get("difference") and rate(row) > KEEPS[1]
    if row["group"] == "intervals":
        sides = {"↓": "below", "↑": "above"}
        missed = [f"{sign}{number(counts[s] / of)}" for sign, s in sides.items() if s in counts]
        return " ".join([with_error(counts["covered"], of, worse=worse), *missed])
    first, *others = (counts[f"{level:g}"] for level in LEVELS)
    shown = [with_error(first, of, worse=worse), *(with_error(count, of) for count in others)]
    return ", ".join(shown) + told(row)


def told(row: Row) -> str:
    """What results say of their test, where they do: the median estimate, how often they warn."""
    if "estimated" not in row:
        return ""
    return f" ≈{number(row['estimated'])} ⚑{number(warned(row))}"


def warned(row: Row) -> float:
    """The share of data sets in which a note warns."""
    return float(row["counts"]["warned"] / row["of"])


def with_error(count: int, of: int, *, worse: bool = False) -> str:
    """A share with its standard error, set in bold where it breaks a promise."""
    bold = "**" if worse else ""
    return f"{bold}{number(count / of)}{bold} ± {number(error(count, of))}"


def key(row: Row) -> tuple[str, str, str]:
    """What makes two rows of different settings the same line."""
    return row["group"], row["name"], row["units"]


def name_of(row: Row, several_units: bool) -> str:
    """A line's name, with its units where a world has several."""
    return row["title"] + (f", {row['units']}" if several_units else "")


def table(world: Kept) -> Iterator[list[str]]:
    """The lines of a world's table, each a list of cells; one of a single cell heads a group."""
    by_setting = [{key(row): row for row in setting["rows"]} for setting in world["settings"]]
    rows = {k: row for found in reversed(by_setting) for k, row in found.items()}
    order = [k for found in by_setting for k in found]
    of, levels = f"{100 * CONFIDENCE:.0f} %", [number(level).rstrip("0") for level in LEVELS]
    for group, heading in GROUPS.items():
        keys = [k for k in dict.fromkeys(order) if k[0] == group]
        if keys:
            yield [heading.format(of if group == "intervals" else levels[0], levels[1], levels[0])]
        several = len({k[2] for k in keys}) > 1
        for k in sorted(keys, key=lambda k: bool(rows[k]["tool"])):  # ours first
            yield [name_of(rows[k], several), *(cell(found.get(k)) for found in by_setting)]


def advice(world: Kept) -> Iterator[str]:
    """What to use, and in which settings that does not suffice, in a line each."""
    recommendation = recommended(world)
    if recommendation is None:
        yield "intervals only"
        return
    title = recommendation.title
    supporting = recommendation.supporting
    if supporting:
        yield f"{title}: {span([cell.row for cell in supporting])}"
    else:
        yield f"{title}, for want of a better one"
    for cell in recommendation.exceptions:
        yield f"{cell.label}: {exception(cell)}"


def exception(cell: Cell) -> str:
    """What to expect where the recommended test errs too often."""
    said = f"it errs in {number(rate(cell.row))}"
    nearest = cell.nearest
    if nearest is not None and nearest["name"] == cell.row["name"]:
        said += ", and no other test less"
    elif nearest is not None:
        said += f"; {nearest['title']} errs least, in {number(rate(nearest))}"
    warning = nearest or cell.row
    if told(warning):
        said += f"; a note warns in {number(warned(warning))}"
    return said


def support(world: Kept) -> Iterator[str]:
    """What the recommended test was measured at, in every setting."""
    recommendation = recommended(world)
    for cell in recommendation.cells if recommendation else ():
        said = f"{cell.label} {number(rate(cell.row))}"
        cautious = rate(cell.row) < KEEPS[0]
        if cell.suspected:
            said += " (too often)"
        elif cautious:
            said += " (cautious)"
        yield said


def span(rows: list[Row]) -> str:
    """The least and the most of what a test errs in."""
    rates = [rate(row) for row in rows]
    return " to ".join(dict.fromkeys([number(min(rates)), number(max(rates))]))


def extremes(kept: Kept, group: str) -> Iterator[list[str]]:
    """Of each line of a group, where it errs least and where most, over all worlds.

    What takes the wrong units for independent is left to its world's table.
    """
    found: dict[tuple[bool, str], list[tuple[float, str]]] = {}
    for world, setting in ((w, s) for w in kept["worlds"] for s in w["settings"]):
        proper = setting["rows"][0]["units"]
        for row in setting["rows"]:
            if row["group"] == group and row["units"] == proper:
                errs = rate(row), f"{world['title']}, {setting['label']}"
                found.setdefault((bool(row["tool"]), row["title"]), []).append(errs)
    for (_, title), rates in sorted(found.items(), key=lambda item: item[0][0]):
        both = [min(rates), max(rates)]
        if group == "intervals":
            both = [(1 - r, where) for r, where in reversed(both)]
        yield [title, *(cell for r, where in both for cell in (number(r), where))]
