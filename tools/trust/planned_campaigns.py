"""Do plans of campaigns keep what they promise?  Simulated campaigns whose variances are known.

    python -m tools.trust.planned_campaigns [N]

prints two tables, from N campaigns each (300 by default).

New campaigns: designs by `plan_campaign` with the true variances, whose ratings are then drawn and
analysed.  Mean fitted standard errors are set beside the planned ones, and how often the test finds
a difference and finds one between equal systems beside the planned power and the level.

Campaigns that go on: those of the trust page, in which systems that lead are shown more often, are
analysed half-way.  `next_judgements` says what the chances of its options are.  The ratings of one
option are drawn, given all ratings so far, and everything is analysed.  True qualities are normal
draws, as `next_judgements` takes them to be, or equal in pairs and evenly spaced.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from mtsig_nb.errors import counted
from mtsig_nb.human import Ratings, next_judgements, plan_campaign
from mtsig_nb.human.campaign_plans import screens_of_campaign
from mtsig_nb.human.mixed_model import TERMS, MixedModel

from .campaigns_of_ratings import Campaign, Deviations

DEVIATIONS = Deviations()
#: In squared points, by term.
VARIANCES = {
    "rater": DEVIATIONS.rater**2,
    "system:rater": DEVIATIONS.system_rater**2,
    "document": DEVIATIONS.document**2,
    "segment": DEVIATIONS.segment**2,
    "system:document": DEVIATIONS.system_document**2,
    "rest": DEVIATIONS.rest**2,
}
#: Points between one system and the next worse one, but for every second, which is as good.
GAP = 5.0
ALPHA = 0.05


def levels(frame: pd.DataFrame, term: str) -> np.ndarray:
    """The number of each rating's level; segments lie in documents."""
    columns = list(TERMS[term])
    if "segment" in columns:
        columns.append("document")
    grouped = frame.groupby(columns, sort=False)
    return grouped.ngroup().to_numpy()


def covariance(frame: pd.DataFrame, variances: Mapping[str, float]) -> np.ndarray:
    """Of the ratings."""
    n_ratings = len(frame)
    result = variances["rest"] * np.eye(n_ratings)
    for term, variance in variances.items():
        if term != "rest":
            level = levels(frame, term)
            has_same_level = level[:, None] == level
            result += variance * has_same_level
    return result


def drawn(frame: pd.DataFrame, expected: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Ratings of a design with expected values."""
    noise = rng.normal(size=len(frame))
    raw = expected + np.sqrt(VARIANCES["rest"]) * noise
    for term, variance in VARIANCES.items():
        if term != "rest":
            level = levels(frame, term)
            n_levels = level.max() + 1
            standardised = rng.normal(size=n_levels)
            effects = np.sqrt(variance) * standardised
            raw += effects[level]
    return raw


def drawn_given(
    frame: pd.DataFrame, expected: np.ndarray, known: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The ratings of the last rows, given those of the first ones."""
    whole = covariance(frame, VARIANCES)
    n_known = len(known)
    known_rows, new_rows = np.split(whole, [n_known])
    among_known, of_known_and_new = np.split(known_rows, [n_known], axis=1)
    _, among_new = np.split(new_rows, [n_known], axis=1)
    expected_of_known, expected_of_new = np.split(expected, [n_known])
    weights = np.linalg.solve(among_known, of_known_and_new).T
    mean = expected_of_new + weights @ (known - expected_of_known)
    remaining = among_new - weights @ of_known_and_new
    root = np.linalg.cholesky(remaining)
    noise = rng.normal(size=len(mean))
    return mean + root @ noise


def quality(n: int) -> np.ndarray:
    """Expected ratings of systems that are equal in pairs."""
    number_of_pair = np.arange(n) // 2
    return 80 - GAP * number_of_pair


class Size(NamedTuple):
    """How large a new campaign is."""

    raters: int
    ratings: int
    on_a_screen: int


SIZES = (
    Size(raters=8, ratings=600, on_a_screen=3),
    Size(raters=4, ratings=600, on_a_screen=3),
    Size(raters=8, ratings=300, on_a_screen=3),
    Size(raters=12, ratings=1200, on_a_screen=6),
)


def new_campaigns(n_campaigns: int) -> pd.DataFrame:
    """What designs promise with the true variances, and what simulated campaigns have."""
    best = quality(6)
    rows = []
    for size in SIZES:
        asked: dict[str, Any] = {
            "systems": 6,
            "raters": size.raters,
            "n_ratings": size.ratings,
            "segments": 2,
            "on_a_screen": size.on_a_screen,
        }
        plans = plan_campaign(VARIANCES, **asked, detect=GAP, alpha=ALPHA)
        frame = screens_of_campaign(**asked)
        expected = best[frame["system"].to_numpy()]
        pairs = []
        for seed in range(n_campaigns):
            rng = np.random.default_rng([size.raters, size.ratings, seed])
            raw = drawn(frame, expected, rng)
            ratings = Ratings(frame.assign(raw=raw), scale=None)
            of_campaign = true_pairs(ratings.mixed_model(), best)
            pairs.append(of_campaign)
        row = planned_and_found(size, plans.table.iloc[0], pd.concat(pairs))
        rows.append(row)
    return pd.DataFrame(rows)


def planned_and_found(size: Size, plan: pd.Series, pairs: pd.DataFrame) -> dict[str, Any]:
    """A row of the table of new campaigns, from the plan and the pairs of all campaigns."""
    truth = pairs["truth"]
    is_equal = truth == 0
    is_next = truth.abs() == GAP
    rejected = pairs["pvalue"] <= ALPHA
    errors = pairs["difference"] - truth
    mean_square = np.mean(errors**2)
    return {
        "raters": size.raters,
        "ratings": int(plan["ratings"]),
        "on a screen": size.on_a_screen,
        "planned error": plan["standard_error"],
        "mean fitted error": pairs["standard_error"].mean(),
        "true error": np.sqrt(mean_square),
        "planned freedom": plan["degrees_of_freedom"],
        "median freedom": pairs["degrees_of_freedom"].median(),
        "planned power": plan["power"],
        "power": rejected[is_next].mean(),
        "size": rejected[is_equal].mean(),
    }


def true_pairs(model: MixedModel, best: np.ndarray) -> pd.DataFrame:
    """The tests of all pairs, and their true differences; systems are numbers of qualities."""
    table = model.tests().table
    a = table["system_a"].astype(int)
    b = table["system_b"].astype(int)
    return table.assign(truth=best[a] - best[b])


@dataclasses.dataclass(frozen=True)
class DrawnCampaign(Campaign):
    """A campaign of systems whose expected ratings are given."""

    qualities: tuple[float, ...] = ()

    def quality(self) -> np.ndarray:
        """The expected rating of each system."""
        return np.array(self.qualities)


def campaigns_that_go_on(n_campaigns: int, *, are_drawn: bool) -> pd.DataFrame:
    """Chances of options, and how often pairs were then told apart; one row per pair.

    Parameters
    ----------
    n_campaigns : int
    are_drawn : bool
        Whether expected ratings are draws from a normal distribution, as `next_judgements` takes
        them to be, or equal in pairs and evenly spaced.
    """
    n_systems = 8
    found = []
    for seed in range(n_campaigns):
        rng = np.random.default_rng([7, seed])
        best = quality(n_systems)
        if are_drawn:
            best = rng.normal(best.mean(), best.std(ddof=1), n_systems)
        frame = begun_campaign(best, rng)
        n_ratings = len(frame)
        model = Ratings(frame, scale=None).mixed_model()
        size = rng.choice([n_ratings // 2, 2 * n_ratings])
        options = next_judgements(model, n_ratings=int(size))
        option = int(rng.integers(len(options)))
        whole = continued(frame, options.screens(option), best, rng)
        later_model = Ratings(whole, scale=None).mixed_model()
        tests = true_pairs(later_model, best)
        promised = both_ways(options.pairs.query("option == @option"))
        pairs = promised.merge(tests, on=["system_a", "system_b"])
        pairs["alpha"] = options.alpha
        found.append(pairs)
    return pd.concat(found, ignore_index=True)


def begun_campaign(best: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """The ratings of half a campaign, whose systems are named by their places in `best`."""
    campaign = DrawnCampaign(systems=len(best), screens=60, qualities=tuple(best))
    frame = campaign.simulate(rng)
    digits = frame["system"].str[1:]  # "s03" is the system with number 3
    numbers = digits.astype(int)
    frame["system"] = numbers.astype(str)
    return frame.astype({"document": str, "segment": str})


def continued(
    frame: pd.DataFrame, screens: pd.DataFrame, best: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """The ratings so far, and those of further screens, which are drawn given the first."""
    added = screens.drop(columns="screen").astype(str)
    whole = pd.concat([frame, added], ignore_index=True)
    systems = whole["system"].astype(int)
    expected = best[systems]
    known = frame["raw"].to_numpy()
    new = drawn_given(whole, expected, known, rng)
    whole["raw"] = np.concatenate([known, new])
    return whole


def both_ways(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs in either order, as the later estimate may turn them; errors are planned ones."""
    planned = pairs.drop(columns="degrees_of_freedom")
    planned = planned.rename(columns={"standard_error": "planned_error"})
    other_names = {"system_a": "system_b", "system_b": "system_a"}
    turned = planned.rename(columns=other_names)
    return pd.concat([planned, turned], ignore_index=True)


def kept_promises(found: pd.DataFrame) -> pd.DataFrame:
    """By chance, in classes: how often pairs were told apart, and the errors."""
    edges = [0, 0.05, 0.2, 0.4, 0.6, 0.8, 1]
    classes = pd.cut(found["chance"], edges, include_lowest=True)
    told_apart = found["pvalue"] <= found["alpha"]
    pairs = found.assign(told_apart=told_apart)
    by_class = pairs.groupby(classes, observed=True)
    kept = by_class.agg(
        pairs=("chance", "size"),
        promised=("chance", "mean"),
        told_apart=("told_apart", "mean"),
        planned_error=("planned_error", "mean"),
        fitted_error=("standard_error", "mean"),
    )
    return kept.rename_axis("chance").reset_index()


def main() -> None:
    """Print both tables."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    n_campaigns = counted(n, "campaign")
    print(f"New campaigns, {n_campaigns} each:\n")
    print_table(new_campaigns(n))
    worlds = {True: "normal draws", False: "equal in pairs, evenly spaced"}
    for are_drawn, world in worlds.items():
        found = campaigns_that_go_on(n, are_drawn=are_drawn)
        told_apart = found["pvalue"] <= found["alpha"]
        is_equal = found["truth"] == 0
        promised = found["chance"].mean()
        print(f"\nCampaigns that go on, {n_campaigns} of systems that are {world}:\n")
        print_table(kept_promises(found))
        print(
            f"\nOf {len(found):,} open pairs {promised:.3f} were promised, and "
            f"{told_apart.mean():.3f} told apart; of equal ones "
            f"{told_apart[is_equal].mean():.4f}.",
            flush=True,
        )


def print_table(table: pd.DataFrame) -> None:
    """Print a table in Markdown, with three decimals."""
    text = table.to_markdown(index=False, floatfmt=".3f")
    print(text, flush=True)


if __name__ == "__main__":
    main()
