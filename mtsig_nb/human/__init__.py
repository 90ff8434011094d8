"""What people say: ratings, rankings and preferences, and conclusions from them.

==========================  =====================================================================
`read_ratings`, `Ratings`   raw scores, one row per rating
`quality_control`           which raters can be relied on
`SegmentMeans`              one score per system and segment, from ``ratings.segment_means()``
`rank_sum_test`,            tests of all pairs; :mod:`mtsig_nb.human.pair_tests` says when each
`signed_rank_test`,         is right
`paired_t_test`
`combine_criteria`          adequacy first, fluency to break its ties
`RelativeRanking`,          who was preferred to whom; `sign_test`, `bradley_terry`
`PairwisePreferences`
`wmt_recipe`                WMT's published direct assessment, digit by digit
==========================  =====================================================================

Everything ends in :class:`mtsig_nb.Conclusions`.  Imports significance and what that imports.
"""

from .criteria import combine_criteria
from .judgements import DirectAssessment, Judgement, SegmentScores, judgements_from_tables
from .means import SegmentMeans
from .pair_results import PairTests
from .pair_tests import paired_t_test, rank_sum_test, signed_rank_test
from .preferences import PairwisePreferences, RelativeRanking
from .quality import QualityControl, quality_control
from .ratings import Ratings, read_ratings
from .signs import sign_test
from .strengths import BradleyTerry, bradley_terry
from .wmt import WMTRanking, wmt_recipe

__all__ = [
    "BradleyTerry",
    "DirectAssessment",
    "Judgement",
    "PairTests",
    "PairwisePreferences",
    "QualityControl",
    "Ratings",
    "RelativeRanking",
    "SegmentMeans",
    "SegmentScores",
    "WMTRanking",
    "bradley_terry",
    "combine_criteria",
    "judgements_from_tables",
    "paired_t_test",
    "quality_control",
    "rank_sum_test",
    "read_ratings",
    "sign_test",
    "signed_rank_test",
    "wmt_recipe",
]
