"""The table of campaigns of ratings: a line for each setting, tests and estimates side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .decimals import number, span
from .of_ratings import ESTIMATES, RULES
from .recommending import error, rate
from .rows import LEVELS, Row

#: The worlds that are in the table, by their keys.
WORLDS = ("dynamic-campaigns", "campaigns-in-languages")
#: The setting in which what is true depends on what documents weigh.
BY_LENGTH = "quality depends on length"
HEADER = (
    "campaigns",
    "false: mixed model",
    "false: moments",
    "false: WMT26",
    "false: Pearmut",
    "false: WMT25",
    "finds: mixed model",
    "finds: moments",
    "error: mixed model",
    "error: centred means",
    "error: plain means",
    "variance",
    "degrees of freedom",
)
#: Rules that are one-sided, whichever side comes out: twice the level is what they may claim.
ONE_SIDED = ("wmt26", "wmt25")
#: What cannot be told from a level is above it by at most so many Monte Carlo standard errors.
APART = 2.0

Kept = Mapping[str, Any]


def table_of_ratings(kept: Kept) -> dict[str, Any]:
    """What the page's section on campaigns needs; empty where a world was not measured."""
    settings = settings_of_worlds(kept)
    if not settings:
        return {}
    models = {setting["label"]: by_model(setting, "tests") for setting in settings}
    too_often = [label for label, row in models.items() if is_too_often(row)]
    rates = [rate(row) for row in models.values()]
    return {
        "header": HEADER,
        "lines": [line(setting) for setting in settings],
        "n_settings": len(settings),
        "n_campaigns": span([campaigns(row) for row in models.values()], 0),
        "claims": span(rates),
        "too_often": [f"{label} ({share(models[label])})" for label in too_often],
        "apart": f"{APART:g}",
        "moments": moments(settings),
        "of_rules": {rule: rates_of_rule(settings, rule) for rule in RULES},
        "power": span([rate(by_model(setting, "power")) for setting in settings], 2),
        "ratio": span([estimates(setting)["ratio"][0] for setting in settings], 2),
        "bias": bias_by_length(settings),
        "first": errors_in(settings[0]),
    }


def settings_of_worlds(kept: Kept) -> list[Kept]:
    """The settings of the worlds in the table."""
    settings: list[Kept] = []
    for world in kept["worlds"]:
        if world["key"] in WORLDS:
            settings += world["settings"]
    return settings


def rows_of(setting: Kept, group: str) -> list[Row]:
    """The rows of a group, in their order."""
    return [row for row in setting["rows"] if row["group"] == group]


def by_model(setting: Kept, group: str) -> Row:
    """False claims of the mixed model ("tests"), or its power ("power")."""
    return rows_of(setting, group)[0]


def by_moments(setting: Kept, group: str) -> Row | None:
    """The same of the moments, where they were measured."""
    others = rows_of(setting, group)[1:]
    return others[0] if others else None


def moments(settings: Sequence[Kept]) -> dict[str, str]:
    """What sentences say of the moments; empty where they were not measured."""
    claims = [row for setting in settings if (row := by_moments(setting, "tests"))]
    power = [row for setting in settings if (row := by_moments(setting, "power"))]
    if not claims:
        return {}
    return {
        "n_campaigns": span([campaigns(row) for row in claims], 0),
        "claims": span([rate(row) for row in claims]),
        "power": span([rate(row) for row in power], 2),
    }


def rates_of_rule(settings: Sequence[Kept], rule: str) -> str:
    """The least and the most that a rule claims."""
    rates = []
    for setting in settings:
        rates += [rate(row) for row in rows_of(setting, "rules") if row["name"] == rule]
    return span(rates, 2)


def estimates(setting: Kept) -> dict[str, Any]:
    """The summary of what was estimated."""
    (row,) = rows_of(setting, "estimates")
    summary: dict[str, Any] = row["summary"]
    return summary


def bias_by_length(settings: Sequence[Kept]) -> dict[str, str]:
    """The mean errors of the model and of plain means where quality depends on length."""
    (setting,) = (setting for setting in settings if setting["label"] == BY_LENGTH)
    summary = estimates(setting)
    return {name: with_error(summary[f"bias of {name}"], 2) for name in ("model", "plain")}


def errors_in(setting: Kept) -> dict[str, str]:
    """The mean absolute error of each estimate in a setting."""
    summary = estimates(setting)
    return {name: number(summary[name][0], 2) for name in ESTIMATES}


def campaigns(row: Row) -> int:
    """In how many campaigns a row was counted."""
    return int(row["summary"]["campaigns"])


def monte_carlo_error(row: Row) -> float:
    """The standard error of a share: of campaigns as units, or of pairs, if that is larger."""
    of_pairs = error(row["counts"][f"{LEVELS[0]:g}"], row["of"])
    return max(of_pairs, float(row["summary"]["error"]))


def is_too_often(row: Row) -> bool:
    """Whether a test claims more than its level, Monte Carlo error apart."""
    sides = 2 if row["name"] in ONE_SIDED else 1
    return rate(row) > sides * LEVELS[0] + APART * monte_carlo_error(row)


def share(row: Row | None, decimals: int = 3) -> str:
    """A share with its Monte Carlo standard error, or a dash where nothing was measured."""
    if row is None:
        return "–"
    return with_error((rate(row), monte_carlo_error(row)), decimals)


def with_error(value_and_error: Sequence[float], decimals: int) -> str:
    """A number and its Monte Carlo standard error."""
    value, error_of_value = value_and_error
    return f"{number(value, decimals)} ± {number(error_of_value, decimals)}"


def line(setting: Kept) -> list[str]:
    """A line of the table."""
    return [setting["label"], *cells(setting)]


def cells(setting: Kept) -> Iterator[str]:
    """The cells of a setting, in the order of `HEADER`."""
    rules = {row["name"]: row for row in rows_of(setting, "rules")}
    of_rules = [rules.get(rule) for rule in RULES]
    for row in (by_model(setting, "tests"), by_moments(setting, "tests"), *of_rules):
        yield false_claims(row)
    for row in (by_model(setting, "power"), by_moments(setting, "power")):
        yield share(row, 2)
    summary = estimates(setting)
    for name in (*ESTIMATES, "ratio"):
        yield with_error(summary[name], 2)
    yield f"{summary['freedom']:.0f}"


def false_claims(row: Row | None) -> str:
    """The share of false claims, in bold if it is too large."""
    shown = share(row)
    if row is None or not is_too_often(row):
        return shown
    value, _, error_of_value = shown.partition(" ")
    return f"**{value}** {error_of_value}"
