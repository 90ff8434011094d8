"""What people say: ratings, rankings and preferences, and conclusions from them.

==========================  =====================================================================
`read_ratings`, `Ratings`   raw scores, one row per rating
`quality_control`           which raters can be relied on
`SegmentScores`             one score per system and segment, from ``ratings.segment_means()``
`rank_sum_test`,            tests of all pairs; :mod:`mtsig_nb.human.pair_tests` says when each
`signed_rank_test`,         is right
`paired_t_test`
`combine_criteria`          adequacy first, fluency to break its ties
`PairwisePreferences`       who was preferred to whom, or ranked before; `sign_test`,
                            `bradley_terry`
`wmt_recipe`                WMT's published direct assessment, digit by digit
==========================  =====================================================================

Everything ends in :class:`mtsig_nb.Conclusions`.  Imports significance and what that imports.
"""

from .criteria import combine_criteria
from .pair_tests import paired_t_test, rank_sum_test, signed_rank_test
from .preferences import PairwisePreferences, bradley_terry, sign_test
from .quality import quality_control
from .ratings import Ratings, read_ratings
from .scores import SegmentScores
from .wmt import wmt_recipe

__all__ = [
    "PairwisePreferences",
    "Ratings",
    "SegmentScores",
    "bradley_terry",
    "combine_criteria",
    "paired_t_test",
    "quality_control",
    "rank_sum_test",
    "read_ratings",
    "sign_test",
    "signed_rank_test",
    "wmt_recipe",
]
