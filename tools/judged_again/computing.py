"""The numbers of one campaign, as ``docs/judged_again.json`` keeps them.

Nothing is decided here but by the organisers' rules: p-values are kept, and `comparing` draws
conclusions from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.human import Ratings
from mtsig_nb.human.mixed_model import MixedModel
from mtsig_nb.human.tails import student_quantile
from mtsig_nb.scores.controls import JUDGED
from mtsig_nb.significance.corrections import adjust_pvalues
from mtsig_nb.statistics.sufficient import pair_indices

from ..repository.campaigns import campaign
from .organisers import organisers_of

#: Random splits of the raters; the number of a split is its seed.
SPLITS = 5
#: Where there are more raters, a model takes long, and there are fewer splits.
MANY_RATERS = 150
FEWER_SPLITS = 3
#: Of intervals.
CONFIDENCE = 0.95
#: Digits of numbers that are kept.
DIGITS = 8
#: Columns of `MixedModel.effects` by which two halves of the raters are compared.
ESTIMATES = ("mean", "centred", "standardised", "estimate")

#: Plain data, as JSON has it.
Plain = dict[str, Any]


def campaigns() -> list[str]:
    """The embedded campaigns from WMT21 on that have ratings by raters."""
    names = []
    for name in of_these_years():
        if ratings_of(campaign(name)) is not None:
            names.append(name)
    return names


def of_these_years() -> list[str]:
    """The embedded campaigns from WMT21 on."""
    names = []
    for name in mt.list_campaigns()["name"]:
        year, _, _ = name.partition("/")
        if "wmt21" <= year <= "wmt99":
            names.append(str(name))
    return names


def ratings_of(given: mt.Campaign) -> Ratings | None:
    """The ratings of a campaign, if who gave them is known."""
    for judgements in given.judgements.values():
        if isinstance(judgements, Ratings):
            return judgements
    return None


def about() -> Plain:
    """What holds of all campaigns: how often raters were split, and which campaigns have none.

    Of the campaigns without raters, some have scores of segments, and the others no judgements.
    """
    rated = campaigns()
    without = [name for name in of_these_years() if name not in rated]
    scored = [name for name in without if campaign(name).judgements]
    unjudged = [name for name in without if name not in scored]
    return {
        "splits": {"most": SPLITS, "least": FEWER_SPLITS, "many_raters": MANY_RATERS},
        "without_raters": {"scored": scored, "unjudged": unjudged},
    }


def record(name: str) -> Plain:
    """One campaign: its ratings, all rankings of its systems, and how well halves agree.

    Raises
    ------
    InputError
        If the model cannot be had, as where the design is too large.
    """
    given = campaign(name)
    ratings = ratings_of(given)
    assert ratings is not None
    model = ratings.mixed_model()
    by_rules = ratings.by_field_rules()
    organisers = organisers_of(given, ratings, by_rules)
    components = model.components[["term", "standard_deviation", "levels"]]
    return {
        "campaign": name,
        **_counts(ratings, model),
        "is_published": organisers.is_published,
        "has_published_pairs": organisers.has_published_pairs,
        "rule": organisers.rule,
        "better": [list(pair) for pair in organisers.better],
        "standings": plain_table(organisers.standings),
        "systems": plain_table(_systems(model)),
        "pairs": plain_table(_pairs(ratings, model)),
        "standardised": plain_table(_pairs_of_standardised(ratings)),
        "rules": plain_table(_counts_of_rules(by_rules)),
        "halves": plain_table(_halves(ratings)),
        "components": plain_table(components),
    }


def _counts(ratings: Ratings, model: MixedModel) -> Plain:
    """How many ratings went into the model, how many did not, and by how many raters they are."""
    is_judgement = ratings.frame["type"].isin(JUDGED)
    judged = ratings.frame[is_judgement]
    controls = ratings.frame[~is_judgement]
    of_segments = np.asarray(ratings.documents)
    documents = of_segments[judged["segment"]]
    return {
        "ratings": len(judged),
        "controls": len(controls),
        "raters": judged["rater"].nunique(),
        "documents": len(np.unique(documents)),
        "converged": model.converged,
    }


def _systems(model: MixedModel) -> pd.DataFrame:
    """The model's effects, best first, with the interval of each one's distance from their mean."""
    effects = model.effects.drop(columns=["standard_error", "degrees_of_freedom"])
    n = len(effects)
    from_mean = np.eye(n) - 1 / n
    error, freedom = model.covariance.of_contrasts(from_mean)
    estimates = effects["estimate"].to_numpy()
    distance = from_mean @ estimates
    level = (1 + CONFIDENCE) / 2
    reach = student_quantile(level, freedom) * error
    low = distance - reach
    high = distance + reach
    return effects.assign(distance=distance, low=low, high=high)


def _pairs(ratings: Ratings, model: MixedModel) -> pd.DataFrame:
    """All pairs, the system with the higher estimate first: by the model, and by plain means."""
    columns = ["system_a", "system_b", "difference", "standard_error", "pvalue"]
    by_model = model.tests().table
    adjusted = _with_holm(by_model[[*columns, "degrees_of_freedom"]])
    by_means = ratings.tests_over_samples(standardised=False)
    plain = _with_holm(by_means.table[columns])
    other_names = {"system_a": "system_b", "system_b": "system_a"}
    turned = plain.rename(columns=other_names)
    turned["difference"] *= -1
    either_way = pd.concat([plain, turned])
    both = ["system_a", "system_b"]
    indexed = either_way.set_index(both)
    return adjusted.join(indexed.add_prefix("plain_"), on=both)


def _pairs_of_standardised(ratings: Ratings) -> pd.DataFrame:
    """All pairs by the model of standardised ratings, the higher estimate first."""
    model = ratings.mixed_model(standardised=True)
    tests = model.tests()
    table = tests.table[["system_a", "system_b", "difference", "pvalue"]]
    return _with_holm(table)


def _with_holm(table: pd.DataFrame) -> pd.DataFrame:
    """A table of pairs with p-values that are corrected for their number."""
    adjusted = adjust_pvalues(table["pvalue"], "holm")
    return table.assign(pvalue_holm=adjusted)


def _counts_of_rules(by_rules: pd.DataFrame) -> pd.DataFrame:
    """How many pairs each rule of the field compares, and how many it tells apart."""
    by_rule = by_rules.groupby("rule", sort=False)
    counts = by_rule["better"].agg(better="sum", compared="size")
    return counts.reset_index()


def _halves(ratings: Ratings) -> pd.DataFrame:
    """How well the systems' scores by two halves of the raters agree, for each split.

    Returns
    -------
    DataFrame
        One row per split and kind of score: ``split``; ``score``, one of `ESTIMATES`; ``pearson``,
        the correlation over systems; and ``same_order``, the share of pairs of systems that both
        halves put in the same order.
    """
    has_many_raters = len(ratings.raters) > MANY_RATERS
    n_splits = FEWER_SPLITS if has_many_raters else SPLITS
    rows = []
    for split in range(n_splits):
        rng = np.random.default_rng(split)
        raters = rng.permutation(ratings.raters)
        first_half, second_half = np.array_split(raters, 2)
        first = _scores_by(first_half, ratings)
        second = _scores_by(second_half, ratings)
        second = second.loc[first.index]
        for score in ESTIMATES:
            agreement = _agreement(first[score].to_numpy(), second[score].to_numpy())
            row = {"split": split, "score": score, **agreement}
            rows.append(row)
    return pd.DataFrame(rows)


def _scores_by(raters: np.ndarray, ratings: Ratings) -> pd.DataFrame:
    """The scores of systems by some of the raters: a row per system, a column per kind of score."""
    ratings_of_half = ratings.of_raters(raters)
    model = ratings_of_half.mixed_model()
    effects = model.effects.set_index("system")
    return effects[list(ESTIMATES)]


def _agreement(first: np.ndarray, second: np.ndarray) -> Plain:
    """Two scores of each system: their correlation, and the share of pairs in the same order."""
    a, b = pair_indices(len(first))
    differences_of_first = first[a] - first[b]
    differences_of_second = second[a] - second[b]
    has_same_order = differences_of_first * differences_of_second > 0
    correlations = np.corrcoef(first, second)
    share = np.mean(has_same_order)
    return {"pearson": correlations[0, 1], "same_order": share}


def plain_table(table: pd.DataFrame) -> Plain:
    """A table as plain data, its numbers to `DIGITS` significant digits."""
    rows = []
    for row in table.itertuples(index=False):
        cells = [_plain(value) for value in row]
        rows.append(cells)
    return {"columns": list(table.columns), "rows": rows}


def _plain(value: Any) -> str | int | float:
    """A cell as JSON has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(f"{value:.{DIGITS}g}")
