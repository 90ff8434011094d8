"""The rules by which the field's own tools call one system better by ratings, written from reading.

They count items as a sample, and neither raters nor documents, and correct for no number of pairs.
``field_rules.toml`` has where each was read.  Where systems were not rated evenly by the same
raters, they claim more than their level says; :meth:`mtsig_nb.human.Ratings.mixed_model` is the
test to rely on.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterator
from typing import Literal

import numpy as np
import pandas as pd
import scipy  # loads scipy.stats, which takes long, when it is first used

from ..metrics.base import FloatArray
from ..texts.files import toml_beside
from .frames import standard_scores

#: The level of all rules.
LEVEL = 0.05
#: Resamples of WMT26's bounds.
_N_RESAMPLES = 100


@dataclasses.dataclass(frozen=True)
class FieldRule:
    """A rule of the field.

    Attributes
    ----------
    title : str
        Whose rule it is, and when.
    source : str
        Where it was read: repository, commit or version, file and lines.
    description : str
        When the system with the higher mean is called better.
    compares : {"all", "neighbours"}
        All pairs, or each system with the next.
    item_score : {"mean", "last", "standardised"}
        What counts of several ratings of an item; their mean may be of standardised ratings.
    """

    title: str
    source: str
    description: str
    compares: Literal["all", "neighbours"]
    item_score: Literal["mean", "last", "standardised"]


#: The rules by name.
FIELD_RULES = {name: FieldRule(**rule) for name, rule in toml_beside(__file__).items()}


def pairs_by_field_rules(
    frame: pd.DataFrame, *, rules: Collection[str] = tuple(FIELD_RULES), seed: int = 0
) -> pd.DataFrame:
    """What each rule of `FIELD_RULES` says of the pairs that it compares.

    Parameters
    ----------
    frame : DataFrame
        One row per rating, in the order in which they were given: ``system``, ``value`` (larger is
        better), ``rater``, ``segment``, and ``document`` where segments of several documents may
        have the same name; ``standardised``, where these are not to be made of these ratings alone.
    rules : collection of str
        Names in `FIELD_RULES`; by default all.
    seed : int
        Of the rules that draw resamples.

    Returns
    -------
    DataFrame
        One row per rule and pair: ``rule``; ``system_a``, the one with the higher mean, and
        ``system_b``; ``difference`` of the means; and ``better``, whether the rule calls
        `system_a` better.

    Examples
    --------
    >>> rows = [("a", 0, 9), ("b", 0, 5), ("a", 1, 8), ("b", 1, 5), ("a", 2, 9), ("b", 2, 6)]
    >>> frame = pd.DataFrame(rows, columns=["system", "segment", "value"]).assign(rater="r")
    >>> found = pairs_by_field_rules(frame)
    >>> found.set_index("rule").loc[["pearmut", "wmt25"], "better"].tolist()
    [True, False]
    """
    if "standardised" not in frame:
        frame = frame.assign(standardised=standard_scores(frame, "value"))
    rows = []
    for name in rules:
        rule = FIELD_RULES[name]
        items = _items(frame, rule.item_score)
        for ahead, behind in _compared(items, rule.compares):
            scores_ahead = items[ahead].to_numpy()
            scores_behind = items[behind].to_numpy()
            rng = np.random.default_rng(seed)
            rows.append(
                {
                    "rule": name,
                    "system_a": ahead,
                    "system_b": behind,
                    "difference": np.nanmean(scores_ahead) - np.nanmean(scores_behind),
                    "better": bool(_RULES[name](scores_ahead, scores_behind, rng)),
                }
            )
    return pd.DataFrame(rows)


def _items(frame: pd.DataFrame, item_score: str) -> pd.DataFrame:
    """Scores by item and system, the best system first; NaN where an item was not rated."""
    if item_score == "standardised":
        frame = frame.assign(value=frame["standardised"])
    item = [name for name in ("document", "segment") if name in frame]
    ratings = frame.groupby([*item, "system"], observed=True)["value"]
    scores = ratings.last() if item_score == "last" else ratings.mean()
    items = scores.unstack("system")
    means = items.mean().sort_values(ascending=False, kind="stable")
    return items[means.index]


def _compared(items: pd.DataFrame, which: str) -> Iterator[tuple[str, str]]:
    """The pairs that a rule compares, the system with the higher mean first."""
    systems = [str(system) for system in items]
    if which == "neighbours":
        return itertools.pairwise(systems)
    return itertools.combinations(systems, 2)


def _by_bootstrap_bounds(ahead: FloatArray, behind: FloatArray, rng: np.random.Generator) -> bool:
    """Whether the lower bound of the paired or of the unpaired difference is above 0."""
    differences = _paired(ahead, behind)
    bounds = []
    if len(differences) > 1:
        bounds.append(_lower_bound((differences,), np.mean, rng))
    ratings_ahead = ahead[~np.isnan(ahead)]
    ratings_behind = behind[~np.isnan(behind)]
    if min(len(ratings_ahead), len(ratings_behind)) > 1:
        bounds.append(_lower_bound((ratings_ahead, ratings_behind), _difference_of_means, rng))
    return any(bound > 0 for bound in bounds)


def _lower_bound(
    samples: tuple[FloatArray, ...], statistic: Callable[..., FloatArray], rng: np.random.Generator
) -> float:
    """The lower end of a one-sided interval, by the percentiles of the bootstrap."""
    found = scipy.stats.bootstrap(
        samples,
        statistic,
        n_resamples=_N_RESAMPLES,
        confidence_level=1 - LEVEL,
        alternative="greater",
        method="percentile",
        vectorized=True,
        rng=rng,
    )
    return float(found.confidence_interval.low)


def _difference_of_means(ahead: FloatArray, behind: FloatArray, axis: int = -1) -> FloatArray:
    return np.mean(ahead, axis=axis) - np.mean(behind, axis=axis)


def _by_t_tests(ahead: FloatArray, behind: FloatArray, _: np.random.Generator) -> bool:
    """Whether a paired or an unpaired t test has p below the level."""
    unpaired = scipy.stats.ttest_ind(ahead, behind, nan_policy="omit").pvalue
    return bool(unpaired < LEVEL) or _by_paired_t(ahead, behind, _)


def _by_paired_t(ahead: FloatArray, behind: FloatArray, _: np.random.Generator) -> bool:
    """Whether a paired t test on the items of both has p below the level."""
    differences = _paired(ahead, behind)
    if len(differences) < 2:
        return False
    return bool(scipy.stats.ttest_1samp(differences, 0).pvalue < LEVEL)


def _by_rank_sums(ahead: FloatArray, behind: FloatArray, _: np.random.Generator) -> bool:
    """Whether a one-sided rank-sum test on all items of each has p below the level."""
    found = scipy.stats.mannwhitneyu(ahead, behind, alternative="greater", nan_policy="omit")
    return bool(found.pvalue < LEVEL)


def _by_signed_ranks(ahead: FloatArray, behind: FloatArray, _: np.random.Generator) -> bool:
    """Whether a one-sided signed-rank test on the items of both has p below the level."""
    differences = _paired(ahead, behind)
    if not differences.any():
        return False
    return bool(scipy.stats.wilcoxon(differences, alternative="greater").pvalue < LEVEL)


def _by_two_sided_signed_ranks(
    ahead: FloatArray, behind: FloatArray, _: np.random.Generator
) -> bool:
    """Whether a two-sided signed-rank test on the items of both has p below the level."""
    differences = _paired(ahead, behind)
    if not differences.any():
        return False
    return bool(scipy.stats.wilcoxon(differences, alternative="two-sided").pvalue < LEVEL)


def _paired(ahead: FloatArray, behind: FloatArray) -> FloatArray:
    """Differences on the items of which both systems have a score."""
    differences = ahead - behind
    return differences[~np.isnan(differences)]


_RULES: dict[str, Callable[[FloatArray, FloatArray, np.random.Generator], bool]] = {
    "wmt26": _by_bootstrap_bounds,
    "wmt26-t": _by_t_tests,
    "pearmut": _by_paired_t,
    "wmt25": _by_signed_ranks,
    "wmt24": _by_two_sided_signed_ranks,
    "wmt22": _by_rank_sums,
}
