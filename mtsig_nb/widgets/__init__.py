"""The explorer: systems compared by hand, in a notebook or as a page of its own.

``sources`` says what is compared, ``model`` has every number, ``telling`` and ``panels`` show them;
``controls``, ``inputs`` and ``explorer`` are the widgets, ``runner`` has all computed.  Imports
every room; nothing imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..engine.procedures import Alternative
from ..errors import require_extra

if TYPE_CHECKING:
    from .explorer import Explorer


def explore(
    campaign: str = "wmt12/es-en",
    *,
    pair: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    metric: str | None = None,
    systems: Sequence[str] | None = None,
    test: str = "approximate-randomization",
    tails: Alternative = "two-sided",
    resamples: int = 10_000,
    units: str = "segments",
    counting: str = "add-one",
    correction: str | None = "holm",
    interval: str = "percentile",
    alpha: float = 0.05,
    seed: int = 12345,
) -> Explorer:
    """Compare systems by hand: an application in the notebook, or a page of its own with Voila.

    What is given here is chosen at first; all of it can be changed in the application.

    Parameters
    ----------
    campaign : str
        Whose systems they are; another campaign, or files of your own, can be chosen in it.
    pair : two str, optional
        Systems to look at; by default the two with the best scores.
    metrics : sequence of str, optional
        By default the campaign's first.
    metric : str, optional
        Which of them to look at; by default the first.
    systems : sequence of str, optional
        All by default.
    test, correction, interval, alpha, units, counting
        As in :func:`mtsig_nb.compare_all`.
    tails : {"two-sided", "greater", "less"}
        What is called `alternative` elsewhere.
    resamples : int or None
        One of the numbers that the slider has; None for as many as are needed.
    seed : int
        What is called `rng` elsewhere.

    Returns
    -------
    Explorer
        Its ``state.analysis`` is what is shown, as an :class:`~mtsig_nb.report.analysis.Analysis`.

    Raises
    ------
    InputError
        For a campaign, system or choice that is not there.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> explorer = mt.explore("wmt12/es-en", resamples=500)
    >>> explorer
    Explorer(wmt12/es-en, 12 systems)
    >>> explorer.wait(timeout=60)
    True
    >>> explorer.state.pair
    ('onlineB', 'uedin-wmt12')
    """
    chosen = locals().copy()  # all the parameters, by their names
    packages = ("anywidget", "ipywidgets", "matplotlib")
    require_extra(*packages, extra="notebook", purpose="The explorer")
    from .explorer import Explorer

    return Explorer(**chosen)


__all__ = ["explore"]
