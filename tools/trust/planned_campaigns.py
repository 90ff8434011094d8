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
from typing import Any

import numpy as np
import pandas as pd

from mtsig_nb.errors import counted
from mtsig_nb.human import Ratings, next_judgements, plan_campaign
from mtsig_nb.human.campaign_plans import screens_of_campaign
from mtsig_nb.human.mixed_model import TERMS, MixedModel

from .campaigns_of_ratings import Campaign, Deviations

#: In squared points, by term.
VARIANCES = {
    "rater": Deviations().rater ** 2,
    "system:rater": Deviations().system_rater ** 2,
    "document": Deviations().document ** 2,
    "segment": Deviations().segment ** 2,
    "system:document": Deviations().system_document ** 2,
    "rest": Deviations().rest ** 2,
}
#: Points between one system and the next worse one, but for every second, which is as good.
GAP = 5.0
ALPHA = 0.05


def levels(frame: pd.DataFrame, term: str) -> np.ndarray:
    """The number of each rating's level; segments lie in documents."""
    columns = list(TERMS[term])
    if "segment" in columns:
        columns.append("document")
    return frame.groupby(columns, sort=False).ngroup().to_numpy()


def covariance(frame: pd.DataFrame, variances: Mapping[str, float]) -> np.ndarray:
    """Of the ratings."""
    result = variances["rest"] * np.eye(len(frame))
    for term, variance in variances.items():
        if term != "rest":
            level = levels(frame, term)
            result += variance * (level[:, None] == level)
    return result


def drawn(frame: pd.DataFrame, expected: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Ratings of a design with expected values."""
    raw = expected + np.sqrt(VARIANCES["rest"]) * rng.normal(size=len(frame))
    for term, variance in VARIANCES.items():
        if term != "rest":
            level = levels(frame, term)
            raw += np.sqrt(variance) * rng.normal(size=level.max() + 1)[level]
    return raw


def drawn_given(
    frame: pd.DataFrame, expected: np.ndarray, known: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The ratings of the last rows, given those of the first ones."""
    whole = covariance(frame, VARIANCES)
    n = len(known)
    weights = np.linalg.solve(whole[:n, :n], whole[:n, n:]).T
    mean = expected[n:] + weights @ (known - expected[:n])
    remaining = whole[n:, n:] - weights @ whole[:n, n:]
    return mean + np.linalg.cholesky(remaining) @ rng.normal(size=len(mean))


def quality(n: int) -> np.ndarray:
    """Expected ratings of systems that are equal in pairs."""
    return 80 - GAP * (np.arange(n) // 2)


def new_campaigns(n_campaigns: int) -> pd.DataFrame:
    """What designs promise with the true variances, and what simulated campaigns have."""
    sizes = [(8, 600, 3), (4, 600, 3), (8, 300, 3), (12, 1200, 6)]
    rows = []
    for n_raters, n_ratings, on_a_screen in sizes:
        asked: dict[str, Any] = {
            "systems": 6,
            "raters": n_raters,
            "n_ratings": n_ratings,
            "segments": 2,
            "on_a_screen": on_a_screen,
        }
        plan = plan_campaign(VARIANCES, **asked, detect=GAP, alpha=ALPHA).table.iloc[0]
        frame = screens_of_campaign(**asked)
        expected = quality(6)[frame["system"].to_numpy()]
        pairs = []
        for seed in range(n_campaigns):
            raw = drawn(frame, expected, np.random.default_rng([n_raters, n_ratings, seed]))
            model = Ratings(frame.assign(raw=raw), scale=None).mixed_model()
            pairs.append(true_pairs(model, quality(6)))
        found = pd.concat(pairs)
        is_equal = found["truth"] == 0
        is_next = found["truth"].abs() == GAP
        rejected = found["pvalue"] <= ALPHA
        error = found["difference"] - found["truth"]
        rows.append(
            {
                "raters": n_raters,
                "ratings": int(plan["ratings"]),
                "on a screen": on_a_screen,
                "planned error": plan["standard_error"],
                "mean fitted error": found["standard_error"].mean(),
                "true error": np.sqrt(np.mean(error**2)),
                "planned freedom": plan["degrees_of_freedom"],
                "median freedom": found["degrees_of_freedom"].median(),
                "planned power": plan["power"],
                "power": rejected[is_next].mean(),
                "size": rejected[is_equal].mean(),
            }
        )
    return pd.DataFrame(rows)


def true_pairs(model: MixedModel, best: np.ndarray) -> pd.DataFrame:
    """The tests of all pairs, and their true differences; systems are numbers of qualities."""
    table = model.tests().table
    truth = best[table["system_a"].astype(int)] - best[table["system_b"].astype(int)]
    return table.assign(truth=truth)


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
        campaign = DrawnCampaign(systems=n_systems, screens=60, qualities=tuple(best))
        frame = campaign.simulate(rng)
        frame["system"] = frame["system"].str[1:].astype(int).astype(str)
        frame = frame.astype({"document": str, "segment": str})
        model = Ratings(frame, scale=None).mixed_model()
        size = rng.choice([len(frame) // 2, 2 * len(frame)])
        next_ones = next_judgements(model, n_ratings=int(size))
        option = int(rng.integers(len(next_ones)))
        added = next_ones.screens(option).drop(columns="screen").astype(str)
        whole = pd.concat([frame, added], ignore_index=True)
        expected = best[whole["system"].astype(int)]
        known = frame["raw"].to_numpy()
        whole["raw"] = np.concatenate([known, drawn_given(whole, expected, known, rng)])
        then = true_pairs(Ratings(whole, scale=None).mixed_model(), best)
        promised = next_ones.pairs.query("option == @option")
        found.append(both_ways(promised).merge(then, on=["system_a", "system_b"]))
        found[-1]["alpha"] = next_ones.alpha
    return pd.concat(found, ignore_index=True)


def both_ways(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs in either order, as the later estimate may turn them; errors are planned ones."""
    named = pairs.rename(columns={"standard_error": "planned_error"})
    named = named.drop(columns="degrees_of_freedom")
    turned = named.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    return pd.concat([named, turned], ignore_index=True)


def kept_promises(found: pd.DataFrame) -> pd.DataFrame:
    """By chance, in classes: how often pairs were told apart, and the errors."""
    classes = pd.cut(found["chance"], [0, 0.05, 0.2, 0.4, 0.6, 0.8, 1], include_lowest=True)
    told_apart = found["pvalue"] <= found["alpha"]
    by_class = found.assign(told_apart=told_apart).groupby(classes, observed=True)
    return (
        by_class.agg(
            pairs=("chance", "size"),
            promised=("chance", "mean"),
            told_apart=("told_apart", "mean"),
            planned_error=("planned_error", "mean"),
            fitted_error=("standard_error", "mean"),
        )
        .rename_axis("chance")
        .reset_index()
    )


def main() -> None:
    """Print both tables."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f"New campaigns, {counted(n, 'campaign')} each:\n")
    print(new_campaigns(n).to_markdown(index=False, floatfmt=".3f"), flush=True)
    for are_drawn, world in ((True, "normal draws"), (False, "equal in pairs, evenly spaced")):
        found = campaigns_that_go_on(n, are_drawn=are_drawn)
        told_apart = found["pvalue"] <= found["alpha"]
        print(f"\nCampaigns that go on, {counted(n, 'campaign')} of systems that are {world}:\n")
        print(kept_promises(found).to_markdown(index=False, floatfmt=".3f"))
        print(
            f"\nOf {len(found):,} open pairs {found['chance'].mean():.3f} were promised, and "
            f"{told_apart.mean():.3f} told apart; of equal ones "
            f"{told_apart[found['truth'] == 0].mean():.4f}.",
            flush=True,
        )


if __name__ == "__main__":
    main()
