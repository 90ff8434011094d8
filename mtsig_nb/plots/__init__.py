"""Every figure, one function each: they draw what results hold and compute no p-value.

Decides how things look.  Imports the results to be drawn; these import it only when they are drawn,
so that nothing else needs matplotlib.
"""

from __future__ import annotations

from ..errors import require_extra

require_extra("matplotlib", extra="notebook", purpose="A figure")

from .distributions import (  # noqa: E402 - only where there is matplotlib
    compare_null_distributions,
    error_rates,
    null_distribution,
    pvalue_scatter,
)
from .rankings import (  # noqa: E402
    cluster_diagram,
    clusters_by_level_plot,
    heatmap,
)

__all__ = [
    "cluster_diagram",
    "clusters_by_level_plot",
    "compare_null_distributions",
    "error_rates",
    "heatmap",
    "null_distribution",
    "pvalue_scatter",
]
