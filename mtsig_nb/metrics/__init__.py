"""Metrics as sufficient statistics and a score of their sums; one file a family.

Decides which counts, which formula, which way is up.  Imports errors, and of texts how a file is
read.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..errors import InputError, check_all_of, unknown_name
from .base import Metric
from .bleu import BLEU
from .chrf import chrF
from .mean import SegmentMean
from .meteor import METEOR
from .meteor_jar import METEORJar
from .nist import NIST
from .overlaps import GTM, DependencyF, read_conllu
from .ter import TER

#: Metrics by the name that `get` and `measure` take; the classes' defaults are the papers' choices.
REGISTRY: dict[str, type[Metric]] = {
    metric.name: metric
    for metric in (BLEU, chrF, TER, NIST, GTM, METEOR, METEORJar, DependencyF, SegmentMean)
}

#: Settings that statistics of earlier versions were stored with, and the only value that they may
#: still have.
_FORMER: dict[str, dict[str, object]] = {
    "BLEU": {"smooth_value": None},
    "chrF": {"eps_smoothing": False},
    "DependencyF": {"words": "lemma", "lowercase": True, "subtypes": True, "ignore": []},
}


def get(metric: str | Metric, **settings: Any) -> Metric:
    """The metric of that name, or the metric itself when it is one already.

    Parameters
    ----------
    metric : str or Metric
        A name from `REGISTRY`, or ``"chrF++"``, in any case, or a `Metric`.
    **settings
        Fields of the metric; only with a name.

    Raises
    ------
    InputError
        If the name is not known (the message lists those that are) or a setting is not the
        metric's.

    Examples
    --------
    >>> get("bleu", tokenize="intl").signature.split("|")[3]
    'tok:intl'
    """
    if isinstance(metric, Metric):
        if settings:
            raise InputError("settings go with a metric's name; this is a metric already.")
        return metric
    classes: dict[str, type[Metric]] = {**REGISTRY, "chrF++": chrF}
    class_of = {name.casefold(): cls for name, cls in classes.items()}
    name = str(metric).casefold()
    if name not in class_of:
        raise unknown_name("metric", metric, classes)
    cls = class_of[name]
    for setting, value in _FORMER.get(cls.name, {}).items():
        if settings.get(setting, ()) == value:
            del settings[setting]
    known = [field.name for field in dataclasses.fields(cls)]
    check_all_of(f"setting of {cls.name}", settings, known)
    if name == "chrf++":
        settings.setdefault("word_order", 2)
    return cls(**settings)


__all__ = [
    "BLEU",
    "GTM",
    "METEOR",
    "NIST",
    "TER",
    "DependencyF",
    "METEORJar",
    "Metric",
    "SegmentMean",
    "chrF",
    "get",
    "read_conllu",
]
