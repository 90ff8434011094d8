"""The explorer: systems compared by hand, in a notebook or as a page of its own.

``sources`` says what is compared, ``model`` has every number, ``panels`` show them; ``controls``,
``question`` and ``explorer`` are the widgets; ``runner`` runs what they ask to compute.
Imports from every room; no other room imports from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import require_extra

if TYPE_CHECKING:
    from .explorer import Explorer


def explore(campaign: str = "wmt12/es-en", **choices: Any) -> Explorer:
    """Compare systems by hand: an application in the notebook, or a page of its own with Voila.

    The arguments are the first choices; all of them can be changed in the application.

    Parameters
    ----------
    campaign : str
        Whose systems are compared; another campaign, or files of your own, can be chosen later.
    **choices
        pair : the two systems to look at, by default those with the best scores.
        systems, metrics : all systems by default, and the campaign's first metric.
        metric : which of several metrics to look at; by default the first.
        test, correction, interval, alpha, units, counting : as in :func:`mtsig_nb.compare_all`.
        tails : {"two-sided", "greater", "less"}, called `alternative` elsewhere.
        resamples : one of the numbers that the menu has, by default 10,000; None for as many as
        are needed.
        seed : 12345 by default; called `rng` elsewhere.

    Returns
    -------
    Explorer
        Its ``state.analysis`` is the analysis on the screen, as an
        :class:`~mtsig_nb.report.analysis.Analysis`.

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
    require_extra("anywidget", "ipywidgets", "matplotlib", extra="notebook", purpose="The explorer")
    from .explorer import Explorer

    return Explorer(campaign, **choices)
