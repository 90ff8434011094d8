"""pandas, under its usual name ``pd``, imported when something is first taken from it.

To import pandas takes longer than to test a dozen systems, and most commands need no frame.  So the
modules that every command imports take ``pd`` from here.  For others, ``import pandas as pd`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = lazy_loader.load("pandas")

__all__ = ["pd"]
