"""Randomized significance tests for machine translation evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _interrupts, human, metrics, simulate  # noqa: F401 - the first before what lasts
from .agreement import Agreement, agreement
from .agreement_grid import agreement_grid
from .agreement_tests import chi_square_between, cochrans_q, mcnemar_between
from .classical import paired_t_test, sign_test, signed_rank_test
from .clustering import Clusters, ClustersByLevel, clusters, clusters_by_level
from .comparisons import Comparisons, correct_together
from .conclusions import Conclusions
from .corrections import adjust_pvalues
from .counting import Counting
from .datasets import Campaign, list_campaigns, load
from .documents import UnitComparison, compare_units
from .equivalence import EquivalenceTest, equivalence_test
from .errors import InputError, MtsigError
from .experimentwise import experimentwise_error, level_for_experimentwise_error
from .exports import summary_table
from .fetching import FetchError, fetch_texts
from .intervals import ConfidenceInterval, confidence_interval
from .measuring import measure
from .pairwise import compare_all
from .pairwise_accuracy import pairwise_accuracy
from .peers import PeerReport, reported_by
from .planning import DetectableDifference, Power
from .power import minimum_detectable_difference, power
from .ranking import greedy_ranks, ordered_rand, rank_ranges, rank_table, wmt_clusters
from .results import TestResult
from .runs import RunComparison, compare_runs
from .segment_scores import from_segment_scores
from .significance import (
    PitfallWarning,
    approximate_randomization,
    bootstrap_test,
    paired_bootstrap,
    riezler_maxwell_bootstrap,
)
from .soft_pairwise_accuracy import SoftPairwiseAccuracy, soft_pairwise_accuracy
from .statistics import SufficientStatistics
from .testsets import TestSet, read_test_set

if TYPE_CHECKING:
    from .widgets import Explorer

__version__ = "0.1.0"


def explore(*args: Any, **kwargs: Any) -> Explorer:
    """Compare systems by hand, in the notebook or as a page of its own.

    Parameters
    ----------
    *args, **kwargs
        A campaign, a pair of systems, first values of the controls: see
        :func:`mtsig_nb.widgets.explore`.

    Returns
    -------
    Explorer

    Examples
    --------
    >>> explore("wmt12/es-en", resamples=500)
    Explorer(wmt12/es-en, 12 systems)
    """
    from . import widgets  # ipywidgets only for who uses it

    return widgets.explore(*args, **kwargs)


__all__ = [
    "Agreement",
    "Campaign",
    "Clusters",
    "ClustersByLevel",
    "Comparisons",
    "Conclusions",
    "ConfidenceInterval",
    "Counting",
    "DetectableDifference",
    "EquivalenceTest",
    "FetchError",
    "InputError",
    "MtsigError",
    "PeerReport",
    "PitfallWarning",
    "Power",
    "RunComparison",
    "SoftPairwiseAccuracy",
    "SufficientStatistics",
    "TestResult",
    "TestSet",
    "UnitComparison",
    "adjust_pvalues",
    "agreement",
    "agreement_grid",
    "approximate_randomization",
    "bootstrap_test",
    "chi_square_between",
    "clusters",
    "clusters_by_level",
    "cochrans_q",
    "compare_all",
    "compare_runs",
    "compare_units",
    "confidence_interval",
    "correct_together",
    "equivalence_test",
    "experimentwise_error",
    "explore",
    "fetch_texts",
    "from_segment_scores",
    "greedy_ranks",
    "human",
    "level_for_experimentwise_error",
    "list_campaigns",
    "load",
    "mcnemar_between",
    "measure",
    "metrics",
    "minimum_detectable_difference",
    "ordered_rand",
    "paired_bootstrap",
    "paired_t_test",
    "pairwise_accuracy",
    "power",
    "rank_ranges",
    "rank_table",
    "read_test_set",
    "reported_by",
    "riezler_maxwell_bootstrap",
    "sign_test",
    "signed_rank_test",
    "simulate",
    "soft_pairwise_accuracy",
    "summary_table",
    "wmt_clusters",
]
