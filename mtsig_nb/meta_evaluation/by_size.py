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


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AgreementBySize(Tabled):
    """Of pairs of systems that a metric puts so far apart, the share that people order alike.

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
    """How often people agree with a metric about systems that it puts so far apart.

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
        If a difference is zero or no number, or fewer than three campaigns have the metric.

    Notes
    -----
    Pairs share systems and campaigns share judges, so campaigns are taken as units: the standard
    error is the jackknife's over them, with Student's t.  The interval is nowhere narrower than
    the exact one for independent pairs.  Systems of one campaign are of one time: what held for
    phrase-based systems in 2012 need not hold for others, which `campaigns` can show.

    Examples
    --------
    >>> found = agreement_by_size("BLEU", [0.5, 5])
    >>> small, large = found.table["agree"]
    >>> bool(small < large)
    True
    """
    if campaigns is None:
        named = metric.partition(":")[0]
        here = map(load, campaign_names())
        campaigns = [c.name for c in here if named in c.metrics and c.judgements]
    names = list(campaigns)
    if len(names) < FEWEST_CAMPAIGNS:
        raise InputError(
            f"metric={metric!r}: {len(names)} embedded campaigns have it and human judgements, and "
            f"{FEWEST_CAMPAIGNS} are needed. Choose another metric, or name campaigns."
        )
    pairs = pd.concat([_pairs(name, metric) for name in names], ignore_index=True)
    seen, sizes = pairs["difference"].to_numpy(), np.abs(np.atleast_1d(difference))
    if not (np.isfinite(sizes) & (sizes > 0)).all():
        raise InputError(f"difference={difference!r}: must be other than zero, and finite.")
    rows = []
    for size in sizes:
        near = pairs[(seen >= size / ABOUT) & (seen <= size * ABOUT)]
        by_campaign = near.groupby("campaign")["people"].agg(["sum", "size"])
        low, high = share_interval(by_campaign["sum"], by_campaign["size"])
        rows.append((size, len(by_campaign), len(near), near["people"].mean(), low, high))
    table = pd.DataFrame(rows, columns=["difference", "campaigns", "pairs", "agree", "low", "high"])
    return AgreementBySize(metric, table, pairs)


def _pairs(name: str, metric: str) -> pd.DataFrame:
    """The pairs of a campaign's systems that the metric does not put level, better one first."""
    campaign = load(name)
    statistics = campaign.statistics(metric)
    scores = statistics.metric.direction * statistics.scores()
    liked = campaign.human.scores()
    shared = [system for system in liked.index if system in scores.index]
    values = equal_means(scores[shared].to_numpy(dtype=np.float64))
    people = equal_means(liked[shared].to_numpy(dtype=np.float64))
    first, second = pair_indices(len(shared))
    swap = values[first] < values[second]
    a, b = np.where(swap, second, first), np.where(swap, first, second)
    alike = (np.sign(people[a] - people[b]) + 1) / 2
    frame = pair_frame(shared, (a, b), difference=values[a] - values[b], people=alike)
    frame.insert(0, "campaign", name)
    return frame[frame["difference"] > 0]


def share_interval(agreed: pd.Series, pairs: pd.Series) -> tuple[float, float]:
    """Limits at 95 % of the share over all campaigns, the units; 0 to 1 where they are too few."""
    n, total = len(pairs), pairs.sum()
    if n < FEWEST_CAMPAIGNS:
        return 0.0, 1.0
    share = agreed.sum() / total
    without = (agreed.sum() - agreed) / (total - pairs)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    reach = stats.t.isf(0.025, n - 1) * error
    low, high = clopper_pearson(round(agreed.sum()), int(total))
    return max(0.0, min(share - reach, float(low))), min(1.0, max(share + reach, float(high)))
