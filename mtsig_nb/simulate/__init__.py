"""Campaigns whose truth is known, made from real statistics, and how often tests err on them.

======================  =======================================================================
`exact_nulls`           two systems, their outputs exchanged at random: interchangeable
`equal_systems`         the same true score, but not interchangeable
`centred_pairs`         equal means, the differences as skewed as those of two real systems
`rare_failures`         equal means: one fails rarely, the other is a little worse everywhere
`document_effects`      no difference, but segments correlated within documents
`planted_shift`         a share of segments replaced by a better system's
`planted_difference`    a true difference of any size, on test sets of any size
`training_runs`         several runs of two methods, with a known spread between runs
`shared_documents`      many test sets with the same documents, which do the same in all in part
`shared_systems`        what metrics and people see of the same systems: arrays, unlike the others
`null_pvalues`,         what the tests say of such pairs
`rejection_rates`
======================  =======================================================================

All of them return :class:`mtsig_nb.SufficientStatistics`, so that every test and metric runs on
them.  Those that make pairs list the first members of all pairs, then the second ones.  What every
test, interval and correction does in the worlds without a difference is measured in
``docs/trust.md``.  Imports significance and what that imports.
"""

from .many_sets import shared_documents
from .metrics_worlds import SharedSystems, shared_systems
from .nulls import document_effects, equal_systems, exact_nulls
from .rates import null_pvalues, rejection_rates
from .shifts import planted_difference, planted_shift
from .skewed import centred_pairs, rare_failures
from .training import training_runs

__all__ = [
    "SharedSystems",
    "centred_pairs",
    "document_effects",
    "equal_systems",
    "exact_nulls",
    "null_pvalues",
    "planted_difference",
    "planted_shift",
    "rare_failures",
    "rejection_rates",
    "shared_documents",
    "shared_systems",
    "training_runs",
]
