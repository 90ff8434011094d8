"""Every figure, one function each: they draw what results hold and compute no p-value.

Decides how things look.  Imports the results to be drawn; these import it only when they are drawn,
so that nothing else needs matplotlib.
"""

from __future__ import annotations

from .distributions import (
    compare_null_distributions,
    error_rates,
    null_distribution,
    pvalue_scatter,
)
from .rankings import cluster_diagram, clusters_by_level_plot, heatmap

__all__ = [
    "cluster_diagram",
    "clusters_by_level_plot",
    "compare_null_distributions",
    "error_rates",
    "heatmap",
    "null_distribution",
    "pvalue_scatter",
]
