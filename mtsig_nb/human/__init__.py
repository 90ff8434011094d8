"""What people say: ratings, rankings and preferences, and conclusions from them.

==========================  =====================================================================
`Ratings`                   raw scores, one row per rating; its `quality_control` says which raters
                            can be relied on, its `variance_components` whose variation a difference
                            has, its `mixed_model` compares all systems whoever rated what, its
                            `wmt` recomputes WMT's published tests
`SegmentScores`             one score per system and segment, from ``ratings.segment_means()``
`rank_sum_test`,            tests of all pairs; :mod:`mtsig_nb.human.score_tests` says when each
`signed_rank_test`          is right
`PairwisePreferences`       who was preferred to whom, or ranked before; its `sign_test` and
                            `bradley_terry`
`mean_over_test_sets`       the same tests on the mean over several test sets
`next_judgements`           how many more ratings of which kind tell which pairs apart
`plan_campaign`             designs of a new campaign, and the differences that they show
`prediction_powered`        a mean difference from people on some segments and a judge on all
==========================  =====================================================================

Everything ends in :class:`mtsig_nb.Conclusions`.  Imports significance and what that imports.
"""

from .campaign_plans import plan_campaign
from .few_people import prediction_powered
from .many_test_sets import mean_over_test_sets
from .next_judgements import next_judgements
from .preferences import PairwisePreferences
from .ratings import Ratings
from .score_tests import rank_sum_test, signed_rank_test
from .segment_scores import SegmentScores

__all__ = [
    "PairwisePreferences",
    "Ratings",
    "SegmentScores",
    "mean_over_test_sets",
    "next_judgements",
    "plan_campaign",
    "prediction_powered",
    "rank_sum_test",
    "signed_rank_test",
]
