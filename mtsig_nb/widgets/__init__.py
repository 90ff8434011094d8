"""The explorer: systems compared by hand, in a notebook or as a page of its own.

``uploads`` and ``sources`` say what is compared, ``model`` has every number, ``steps``, ``figures``
and ``panels`` show it, ``downloads`` lets it be taken away; ``controls``, ``inputs`` and
``explorer`` are the widgets, ``runner`` the thread that computes.
"""

from __future__ import annotations

from .explorer import Explorer, explore

__all__ = ["Explorer", "explore"]
