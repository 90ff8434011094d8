"""The table of campaigns of ratings: a line for each setting, tests and estimates side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .decimals import number, span
from .of_ratings import ESTIMATES, RULES
from .recommending import error, rate
from .rows import FIRST_LEVEL, LEVELS, Row
from .wording import written

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
    models = []
    power = []
    ratios = []
    too_often = []
    for setting in settings:
        row = by_model(setting, "tests")
        models.append(row)
        if is_too_often(row):
            too_often.append(f"{written(setting['label'])} ({share(row)})")
        power.append(by_model(setting, "power"))
        ratio, _ = estimates(setting)["ratio"]
        ratios.append(ratio)
    return {
        "header": HEADER,
        "lines": [line(setting) for setting in settings],
        "n_settings": len(settings),
        "n_campaigns": span_of_campaigns(models),
        "claims": span_of_rates(models),
        "too_often": too_often,
        "apart": f"{APART:g}",
        "moments": moments(settings),
        "of_rules": {rule: rates_of_rule(settings, rule) for rule in RULES},
        "power": span_of_rates(power, 2),
        "ratio": span(ratios, 2),
        "bias": bias_by_length(settings),
        "first": errors_in(settings[0]),
    }


def span_of_rates(rows: Sequence[Row], decimals: int = 3) -> str:
    """The least and the most that rows find."""
    rates = [rate(row) for row in rows]
    return span(rates, decimals)


def span_of_campaigns(rows: Sequence[Row]) -> str:
    """In how few and in how many campaigns rows were counted."""
    numbers = [campaigns(row) for row in rows]
    return span(numbers, 0)


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
    first, *_ = rows_of(setting, group)
    return first


def by_moments(setting: Kept, group: str) -> Row | None:
    """False claims of tests by moments or their power, where they were measured."""
    _, *others = rows_of(setting, group)
    return others[0] if others else None


def moments(settings: Sequence[Kept]) -> dict[str, str]:
    """What sentences say of the moments; empty where they were not measured."""
    claims = []
    power = []
    for setting in settings:
        row_of_claims = by_moments(setting, "tests")
        row_of_power = by_moments(setting, "power")
        if row_of_claims and row_of_power:
            claims.append(row_of_claims)
            power.append(row_of_power)
    if not claims:
        return {}
    return {
        "n_campaigns": span_of_campaigns(claims),
        "claims": span_of_rates(claims),
        "power": span_of_rates(power, 2),
    }


def rates_of_rule(settings: Sequence[Kept], rule: str) -> str:
    """The least and the most that a rule claims."""
    rows = []
    for setting in settings:
        for row in rows_of(setting, "rules"):
            if row["name"] == rule:
                rows.append(row)
    return span_of_rates(rows, 2)


def estimates(setting: Kept) -> dict[str, Any]:
    """The summary of what was estimated."""
    (row,) = rows_of(setting, "estimates")
    summary: dict[str, Any] = row["summary"]
    return summary


def bias_by_length(settings: Sequence[Kept]) -> dict[str, str]:
    """The mean errors of the model and of plain means where quality depends on length."""
    by_label = {setting["label"]: setting for setting in settings}
    summary = estimates(by_label[BY_LENGTH])
    biases = {}
    for name in ("model", "plain"):
        bias = summary[f"bias of {name}"]
        biases[name] = with_error(bias, 2)
    return biases


def errors_in(setting: Kept) -> dict[str, str]:
    """The mean absolute error of each estimate in a setting."""
    summary = estimates(setting)
    errors = {}
    for name in ESTIMATES:
        mean_error, _ = summary[name]
        errors[name] = number(mean_error, 2)
    return errors


def campaigns(row: Row) -> int:
    """In how many campaigns a row was counted."""
    return int(row["summary"]["campaigns"])


def monte_carlo_error(row: Row) -> float:
    """The standard error of a share: of campaigns as units, or of pairs, if that is larger."""
    n_claims = row["counts"][FIRST_LEVEL]
    of_pairs = error(n_claims, row["of"])
    of_campaigns = float(row["summary"]["error"])
    return max(of_pairs, of_campaigns)


def is_too_often(row: Row) -> bool:
    """Whether a test claims more than its level, Monte Carlo error apart."""
    sides = 2 if row["name"] in ONE_SIDED else 1
    level = sides * LEVELS[0]
    noise = APART * monte_carlo_error(row)
    return rate(row) > level + noise


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
    return [written(setting["label"]), *cells(setting)]


def cells(setting: Kept) -> Iterator[str]:
    """The cells of a setting, in the order of `HEADER`."""
    rules = {row["name"]: row for row in rows_of(setting, "rules")}
    yield false_claims(by_model(setting, "tests"))
    yield false_claims(by_moments(setting, "tests"))
    for rule in RULES:
        yield false_claims(rules.get(rule))
    yield share(by_model(setting, "power"), 2)
    yield share(by_moments(setting, "power"), 2)
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
