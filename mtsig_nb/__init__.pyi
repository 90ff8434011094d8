"""What `mtsig_nb` offers: read by type checkers, and at run time by lazy_loader."""

from . import human, metrics, simulate
from .campaigns.campaign import Campaign
from .campaigns.embedded import list_campaigns, load
from .campaigns.fetching import fetch_texts
from .conclusions.clustering import Clusters, clusters
from .conclusions.deciding import Conclusions
from .conclusions.ranking import ordered_rand, rank_table
from .engine.counting import Counting
from .errors import InputError, MtsigError
from .meta_evaluation.against_gold import (
    agreement,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from .meta_evaluation.by_size import agreement_by_size
from .meta_evaluation.metric_comparisons import (
    chi_square_between,
    compare_metrics,
    exchange_metrics,
    mcnemar_between,
)
from .outcomes.summary import summary_table
from .report.citing import cite
from .scores.table import read_score_table
from .significance.classical import paired_t_test, sign_test, signed_rank_test
from .significance.comparisons import Comparisons
from .significance.corrections import adjust_pvalues
from .significance.equivalence import equivalence_test
from .significance.intervals import confidence_interval
from .significance.leaderboards import leaderboard
from .significance.one_pair import (
    PitfallWarning,
    approximate_randomization,
    bootstrap_test,
    paired_bootstrap,
    riezler_maxwell_bootstrap,
    sign_flip_test,
    studentized_bootstrap,
)
from .significance.options import compare_all
from .significance.other_tools import reported_by
from .significance.planning import minimum_detectable_difference
from .significance.runs import compare_runs
from .significance.sequential import sequential_test
from .statistics.many_test_sets import test_sets
from .statistics.measuring import measure
from .statistics.sufficient import SufficientStatistics, from_segment_scores
from .texts.reading import Texts, read_test_set
from .widgets import explore

__version__: str

__all__ = [
    "Campaign",
    "Clusters",
    "Comparisons",
    "Conclusions",
    "Counting",
    "InputError",
    "MtsigError",
    "PitfallWarning",
    "SufficientStatistics",
    "Texts",
    "adjust_pvalues",
    "agreement",
    "agreement_by_size",
    "approximate_randomization",
    "bootstrap_test",
    "chi_square_between",
    "cite",
    "clusters",
    "compare_all",
    "compare_metrics",
    "compare_runs",
    "confidence_interval",
    "equivalence_test",
    "exchange_metrics",
    "explore",
    "fetch_texts",
    "from_segment_scores",
    "human",
    "leaderboard",
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
    "rank_table",
    "read_score_table",
    "read_test_set",
    "reported_by",
    "riezler_maxwell_bootstrap",
    "sequential_test",
    "sign_flip_test",
    "sign_test",
    "signed_rank_test",
    "simulate",
    "soft_pairwise_accuracy",
    "studentized_bootstrap",
    "summary_table",
    "test_sets",
]
