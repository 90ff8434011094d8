"""Every figure, one function each: they draw what results hold and compute no p-value.

Decides how things look.  Imports the results to be drawn; these import it only when they are drawn,
so that nothing else needs matplotlib.
"""

from __future__ import annotations

from ..errors import require_extra

require_extra("matplotlib", extra="notebook", purpose="A figure")

from .differences import against_best  # noqa: E402 - only where there is matplotlib
from .distributions import null_distribution  # noqa: E402
from .looks import looks  # noqa: E402
from .plans import plans  # noqa: E402
from .rankings import cluster_diagram, heatmap  # noqa: E402

__all__ = ["against_best", "cluster_diagram", "heatmap", "looks", "null_distribution", "plans"]
