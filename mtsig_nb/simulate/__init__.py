"""Campaigns whose truth is known, made from real statistics, and how often tests err on them.

======================  =======================================================================
`exact_nulls`           two systems, their outputs exchanged at random: interchangeable
`equal_systems`         the same true score, but not interchangeable
`centred_pairs`         equal means, the differences as skewed as those of two real systems
`planted_difference`    a true difference of any size, on test sets of any size
`training_runs`         several runs of two methods, with a known spread between runs
`shared_systems`        what metrics and people see of the same systems: arrays, unlike the others
`null_pvalues`,         what the tests say of such pairs
`rejection_rates`
======================  =======================================================================

All but `shared_systems` return :class:`mtsig_nb.SufficientStatistics`, so that every test and
metric runs on them.  Those that make pairs list the first members of all pairs, then the second
ones.  What every test, interval and correction does in such worlds without a difference is
measured in ``docs/trust.md``.  Imports significance and what that imports.
"""

from .rates import null_pvalues, rejection_rates
from .worlds import (
    centred_pairs,
    equal_systems,
    exact_nulls,
    planted_difference,
    shared_systems,
    training_runs,
)

__all__ = [
    "centred_pairs",
    "equal_systems",
    "exact_nulls",
    "null_pvalues",
    "planted_difference",
    "rejection_rates",
    "shared_systems",
    "training_runs",
]
