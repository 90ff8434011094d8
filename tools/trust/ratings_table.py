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
#: What cannot be told from .05 is within so many Monte Carlo standard errors of it.
APART = 2.0

Kept = Mapping[str, Any]


def table_of_ratings(kept: Kept) -> dict[str, Any]:
    """What the page's section on campaigns needs; empty where a world was not measured."""
    settings = settings_of_worlds(kept)
    if not settings:
        return {}
    models = {setting["label"]: claims_of(setting)[0] for setting in settings}
    too_often = [label for label, row in models.items() if is_too_often(row)]
    rates = [rate(row) for row in models.values()]
    moments = [claims_of(setting)[1] for setting in settings]
    return {
        "header": HEADER,
        "lines": [line(setting) for setting in settings],
        "n_settings": len(settings),
        "n_campaigns": span([campaigns(row) for row in models.values()], 0),
        "n_of_moments": span([campaigns(row) for row in moments], 0),
        "claims": span(rates),
        "too_often": [f"{label} ({share(models[label])})" for label in too_often],
        "apart": f"{APART:g}",
        "of_moments": span([rate(row) for row in moments]),
        "of_rules": {rule: rates_of_rule(settings, rule) for rule in RULES},
        "power": span([rate_of_power(setting, 0) for setting in settings], 2),
        "power_of_moments": span([rate_of_power(setting, 1) for setting in settings], 2),
        "ratio": span([estimates(setting)["ratio"][0] for setting in settings], 2),
        "bias": bias_by_length(settings),
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


def claims_of(setting: Kept) -> list[Row]:
    """False claims of the mixed model and of the moments."""
    return rows_of(setting, "tests")


def rate_of_power(setting: Kept, place: int) -> float:
    """How often the mixed model (0) or the moments (1) find the better of two systems."""
    return rate(rows_of(setting, "power")[place])


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


def campaigns(row: Row) -> int:
    """In how many campaigns a row was counted."""
    return int(row["summary"]["campaigns"])


def monte_carlo_error(row: Row) -> float:
    """The standard error of a share: of campaigns as units, or of pairs, if that is larger."""
    of_pairs = error(row["counts"][f"{LEVELS[0]:g}"], row["of"])
    return max(of_pairs, float(row["summary"]["error"]))


def is_too_often(row: Row) -> bool:
    """Whether a test claims more than its level, Monte Carlo error apart."""
    return rate(row) > LEVELS[0] + APART * monte_carlo_error(row)


def share(row: Row) -> str:
    """A share with its Monte Carlo standard error."""
    return with_error((rate(row), monte_carlo_error(row)), 3)


def with_error(value_and_error: Sequence[float], decimals: int) -> str:
    """A number and its Monte Carlo standard error."""
    value, error_of_value = value_and_error
    return f"{number(value, decimals)} ± {number(error_of_value, decimals)}"


def line(setting: Kept) -> list[str]:
    """A line of the table."""
    return [setting["label"], *cells(setting)]


def cells(setting: Kept) -> Iterator[str]:
    """The cells of a setting, in the order of `HEADER`."""
    for row in claims_of(setting):
        yield false_claims(row)
    rules = {row["name"]: row for row in rows_of(setting, "rules")}
    for rule in RULES:
        yield false_claims(rules[rule]) if rule in rules else "–"
    for row in rows_of(setting, "power"):
        yield with_error((rate(row), monte_carlo_error(row)), 2)
    summary = estimates(setting)
    for name in (*ESTIMATES, "ratio"):
        yield with_error(summary[name], 2)
    yield f"{summary['freedom']:.0f}"


def false_claims(row: Row) -> str:
    """The share of false claims, in bold if it is too large."""
    shown = share(row)
    if not is_too_often(row):
        return shown
    value, _, error_of_value = shown.partition(" ")
    return f"**{value}** {error_of_value}"
