"""Statistics of one metric with several settings, called by what differs between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from .sufficient import SufficientStatistics


def told_apart(statistics: Iterable[SufficientStatistics]) -> list[SufficientStatistics]:
    """The same statistics, those of one name with the settings that differ in their titles.

    What does not differ in any setting keeps its name.

    Parameters
    ----------
    statistics : iterable of SufficientStatistics

    Returns
    -------
    list of SufficientStatistics

    Examples
    --------
    >>> from mtsig_nb.statistics.measuring import measure
    >>> from mtsig_nb.texts.reading import Texts
    >>> pets = Texts.from_texts(reference=["A cat.", "A dog."], systems={"A": ["Cat.", "A dog."]})
    >>> both = [measure(pets, "TER", normalized=own, cache=False) for own in (False, True)]
    >>> [one.label for one in told_apart(both)]
    ['TER (normalized=no)', 'TER (normalized=yes)']
    """
    given = list(statistics)
    return [_with_settings(one, given) for one in given]


def _with_settings(
    one: SufficientStatistics, among: Sequence[SufficientStatistics]
) -> SufficientStatistics:
    """Statistics with a title by the settings in which others of their name differ from them."""
    namesakes = [other for other in among if other.label == one.label]
    own = one.metric.settings
    differing = [
        setting
        for setting, value in own.items()
        if any(other.metric.settings.get(setting) != value for other in namesakes)
    ]
    if not differing:
        return one
    parts = ", ".join(f"{setting}={_written(own[setting])}" for setting in differing)
    return dataclasses.replace(one, title=f"{one.label} ({parts})")


def _written(value: Any) -> str:
    """The value of a setting as a command line has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return str(value)
