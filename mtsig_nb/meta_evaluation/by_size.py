"""How often people agree with a metric's difference of a given size.

A p-value says how easily chance does what a metric saw on one test set.  It does not say whether
readers would see it.  The embedded campaigns do, for metrics and systems like theirs: of their
pairs of systems that a metric puts about as far apart, people ordered a share in the same way
(Kocmi, Zouhar, Federmann & Post 2024 ask this of more campaigns, and of differences without
intervals).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from ..campaigns.campaign import metric_names
from ..campaigns.data_files import description
from ..campaigns.embedded import campaign_names, load
from ..described import Tabled
from ..engine.counting import clopper_pearson
from ..errors import InputError
from ..statistics.sufficient import pair_frame, pair_indices
from .against_gold import equal_means

#: Pairs count whose difference is at most so many times as large, or as small.
ABOUT = 1.5
#: From fewer campaigns no interval can be had that means anything.
FEWEST_CAMPAIGNS = 3
#: Of `AgreementBySize.table`.
_COLUMNS = ["difference", "campaigns", "pairs", "agree", "low", "high"]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AgreementBySize(Tabled):
    """Of the pairs of systems that are so far apart by a metric, the share that people order alike.

    Attributes
    ----------
    metric : str
    table : DataFrame
        One row per size: ``difference``; ``campaigns`` and ``pairs`` that are about as far apart;
        ``agree``, the share that people's scores order as the metric does; ``low`` and ``high``,
        its interval.
    pairs : DataFrame
        All pairs of all campaigns: ``campaign``, ``system_a`` (which the metric prefers),
        ``system_b``, ``difference`` and ``people`` (1 where people's scores prefer a, 0 where b,
        one half where neither).

    Examples
    --------
    >>> some = [f"wmt12/{pair}" for pair in ("es-en", "en-es", "fr-en")]
    >>> found = agreement_by_size("BLEU", 2, campaigns=some)
    >>> found.metric, list(found.table.columns)[:4]
    ('BLEU', ['difference', 'campaigns', 'pairs', 'agree'])
    """

    _plotted = ("agree", "low", "high")

    metric: str
    table: pd.DataFrame
    pairs: pd.DataFrame

    def _lines(self) -> list[str]:
        """What was counted, and of how many campaigns."""
        return [
            f"{self.metric}: of pairs about as far apart, the share that people order alike",
            f"From {self.pairs['campaign'].nunique()} embedded campaigns; 95% intervals, campaigns "
            f"as units. About as far: at most {ABOUT:g} times as large, or as small.",
        ]

    def _below(self) -> pd.DataFrame:
        return self.table


def agreement_by_size(
    metric: str, difference: float | Sequence[float], *, campaigns: Iterable[str] | None = None
) -> AgreementBySize:
    """How often people agree with a metric about systems that are so far apart by it.

    Parameters
    ----------
    metric : str
        With its settings, as for `Campaign.statistics`.
    difference : float or sequence of float
        Differences of scores, in the metric's units; their signs do not matter.
    campaigns : iterable of str, optional
        By default all embedded ones that have human judgements and the metric.

    Returns
    -------
    AgreementBySize

    Raises
    ------
    InputError
        If a difference is zero or not a number, or fewer than three campaigns have the metric.

    Notes
    -----
    Pairs share systems and campaigns share judges, so campaigns are taken as units: the standard
    error is the jackknife's over them, with Student's t.  The interval is nowhere narrower than
    the exact one for independent pairs.  All systems of a campaign are from one time.  What held
    for phrase-based systems in 2012 need not hold for others; choose `campaigns` to see.

    Examples
    --------
    >>> found = agreement_by_size("BLEU", [0.5, 5])
    >>> small, large = found.table["agree"]
    >>> bool(small < large)
    True
    """
    names = _campaigns_with(metric) if campaigns is None else list(campaigns)
    if len(names) < FEWEST_CAMPAIGNS:
        raise InputError(
            f"metric={metric!r}: {len(names)} embedded campaigns have it and human judgements, and "
            f"{FEWEST_CAMPAIGNS} are needed. Choose another metric, or name campaigns."
        )
    pairs = pd.concat([_pairs(name, metric) for name in names], ignore_index=True)
    sizes = np.abs(np.atleast_1d(difference))
    is_usable = np.isfinite(sizes) & (sizes > 0)
    if not is_usable.all():
        raise InputError(f"difference={difference!r} must be finite, and not zero.")
    table = pd.DataFrame([_row(pairs, size) for size in sizes], columns=_COLUMNS)
    return AgreementBySize(metric, table, pairs)


def _campaigns_with(metric: str) -> list[str]:
    """The embedded campaigns that have human judgements and this metric, with any settings."""
    wanted, _, _ = metric.partition(":")
    names = []
    for name in campaign_names():
        about = description(name)  # which is read sooner than the judgements themselves
        if about["human"] and wanted in metric_names(about):
            names.append(name)
    return names


def _row(pairs: pd.DataFrame, size: float) -> dict[str, float]:
    """The row of `AgreementBySize.table` for a size."""
    near = pairs[pairs["difference"].between(size / ABOUT, size * ABOUT)]
    by_campaign = near.groupby("campaign")["people"].agg(["sum", "size"])
    low, high = share_interval(by_campaign["sum"], by_campaign["size"])
    return {
        "difference": size,
        "campaigns": len(by_campaign),
        "pairs": len(near),
        "agree": near["people"].mean(),
        "low": low,
        "high": high,
    }


def _pairs(name: str, metric: str) -> pd.DataFrame:
    """The pairs of a campaign's systems that the metric does not put level, better one first."""
    campaign = load(name)
    statistics = campaign.statistics(metric)
    by_metric = statistics.metric.direction * statistics.scores()
    by_people = campaign.human.scores()
    shared = [system for system in by_people.index if system in by_metric.index]
    scores = equal_means(by_metric[shared].to_numpy(dtype=np.float64))
    human_scores = equal_means(by_people[shared].to_numpy(dtype=np.float64))
    first, second = pair_indices(len(shared))
    is_swapped = scores[first] < scores[second]
    a = np.where(is_swapped, second, first)
    b = np.where(is_swapped, first, second)
    difference = scores[a] - scores[b]
    preferred = (np.sign(human_scores[a] - human_scores[b]) + 1) / 2
    frame = pair_frame(shared, (a, b), difference=difference, people=preferred)
    frame.insert(0, "campaign", name)
    return frame[frame["difference"] > 0]


def share_interval(agreed: pd.Series, pairs: pd.Series) -> tuple[float, float]:
    """Limits at 95 % of the share of pairs on which people agree, campaigns being the units.

    It is the jackknife's interval, made as wide as that of independent pairs where it is narrower;
    0 to 1 where there are too few campaigns.

    Parameters
    ----------
    agreed, pairs : Series
        How many pairs of each campaign people order alike, and how many pairs it has.
    """
    n = len(pairs)
    if n < FEWEST_CAMPAIGNS:
        return 0.0, 1.0
    n_agreed = agreed.sum()
    n_pairs = pairs.sum()
    share = n_agreed / n_pairs
    shares_without = (n_agreed - agreed) / (n_pairs - pairs)
    deviations = shares_without - shares_without.mean()
    variance = (n - 1) / n * (deviations**2).sum()
    error = np.sqrt(variance)
    reach = stats.t.isf(0.025, n - 1) * error
    exact_low, exact_high = clopper_pearson(round(n_agreed), int(n_pairs))
    low = min(share - reach, float(exact_low))
    high = max(share + reach, float(exact_high))
    return max(0.0, low), min(1.0, high)
