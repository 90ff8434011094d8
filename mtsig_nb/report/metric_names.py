"""Metrics as they are typed: a name, and the settings that follow it."""

from __future__ import annotations

import re
from typing import Any

from ..errors import InputError

#: Our names of metrics, by sacreBLEU's names in lower case.
_OUR_NAMES = {"chrf2": "chrF", "chrf2++": "chrF++"}
#: Metrics that need a model, by the beginnings of their names.
_LEARNED = re.compile(
    r"(x?comet|metricx|bleurt|bertscore|yisi|prism|gemba|mqm|esa|cometkiwi).*", re.I
)

#: A metric's name with its settings.
NamedMetric = tuple[str, dict[str, Any]]

#: What ``all`` stands for: every metric that needs nothing but text.
TEXT_METRICS = ("BLEU", "NIST", "METEOR", "TER", "GTM", "chrF", "chrF++")


def parse_metric(text: str) -> NamedMetric:
    """A metric's name and settings, from ``NAME`` or ``NAME:setting=value,setting=value``.

    Values are texts here; the metric reads them by the types of its settings.

    Raises
    ------
    InputError
        If what follows the colon is not of that form, or the metric is a ratio of columns.

    Examples
    --------
    >>> parse_metric("BLEU:tokenize=intl,lowercase=true")
    ('BLEU', {'tokenize': 'intl', 'lowercase': 'true'})
    >>> parse_metric("chrf2")
    ('chrF', {})
    """
    name, settings = split_settings(text)
    if "=" in name:
        raise InputError(
            f"metric={text!r} is a ratio of columns, and texts have no columns. Give the table of "
            "counts: --scores FILE, or mt.read_score_table in Python."
        )
    name = _OUR_NAMES.get(name.casefold(), name)
    if _LEARNED.fullmatch(name):
        raise InputError(
            f"metric={name!r} is not computed here. Let its own program score every segment, and "
            "give what it writes: --scores FILE, or mt.from_segment_scores in Python.",
            code="metric-not-computed",
        )
    return name, settings


def split_settings(text: str) -> NamedMetric:
    """A metric's name as it stands, and the settings that follow it and a colon."""
    name, _, after_colon = text.partition(":")
    settings: dict[str, str] = {}
    for part in after_colon.split(","):
        if not part:
            continue
        setting, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise InputError(f"metric={text!r}: write settings as {name}:setting=value.")
        if setting in settings:
            raise InputError(f"metric={text!r}: {setting} is given twice.")
        settings[setting] = value
    return name.strip(), settings
