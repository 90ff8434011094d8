"""Statistics of one metric with several settings, called by what differs between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .sufficient import SufficientStatistics


def told_apart(statistics: Iterable[SufficientStatistics]) -> list[SufficientStatistics]:
    """The same statistics, with the settings in which namesakes differ in their titles.

    Statistics that differ from no namesake in any setting keep their name.

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
    >>> both = [measure(pets, "TER", normalized=value, cache=False) for value in (False, True)]
    >>> [ter.label for ter in told_apart(both)]
    ['TER (normalized=no)', 'TER (normalized=yes)']
    """
    given = list(statistics)
    return [_with_settings(s, given) for s in given]


def _with_settings(
    statistics: SufficientStatistics, others: Sequence[SufficientStatistics]
) -> SufficientStatistics:
    """Statistics with a title by the settings in which others of their name differ from them."""
    settings_of_namesakes = [s.metric.settings for s in others if s.label == statistics.label]
    differing = []
    for setting, value in statistics.metric.settings.items():
        if any(settings.get(setting) != value for settings in settings_of_namesakes):
            differing.append(f"{setting}={_written(value)}")
    if not differing:
        return statistics
    return statistics.titled(f"{statistics.label} ({', '.join(differing)})")


def _written(value: Any) -> str:
    """The value of a setting as a command line has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return str(value)
