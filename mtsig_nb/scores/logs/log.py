"""What a log has beside its scores: questions, answers and the settings of the evaluation."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ..labels import REPEAT, TEST_SET

#: As many settings as stand in a system's name; more only where these do not tell it apart.
_SETTINGS_IN_NAMES = 3
#: The longest value of a setting that stands in a system's name.
_LONGEST_VALUE = 40


@dataclasses.dataclass(frozen=True)
class Item:
    """What was asked, and how, as fingerprints that tell two items apart."""

    question: int
    target: int | None
    prompt: int | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Log:
    """One log of a program.

    Parameters
    ----------
    program : str
        As messages call it.
    rows : DataFrame
        A row for each answer.
    items : mapping
        What was asked, by test set and segment; empty where rows are called after it.
    answers : sequence of int
        A fingerprint of the answer in each row.
    settings : mapping
        How the system was run, as far as the log says.
    metric_settings : mapping
        How each metric was computed, as far as the log says.
    run : str
        What the program calls this run; empty if it has no name.
    remarks : sequence of str
        What the log was taken to mean.
    """

    program: str
    rows: pd.DataFrame
    items: Mapping[tuple[str, str], Item] = dataclasses.field(default_factory=dict)
    answers: Sequence[int] = ()
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    metric_settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    run: str = ""
    remarks: Sequence[str] = ()

    @property
    def metrics(self) -> list[str]:
        """The columns that are metrics."""
        labels = ("system", "segment", TEST_SET, REPEAT)
        return [name for name in self.rows.columns if name not in labels]

    @property
    def n_repeats(self) -> int:
        """How many answers to an item there are at most."""
        return int(self.rows[REPEAT].nunique()) if REPEAT in self.rows else 1


def fingerprint(content: Any) -> int:
    """A number that is the same for the same JSON, within one process."""
    return hash(json.dumps(content, sort_keys=True))


def as_number(value: Any) -> Any:
    """A score with yes and no as 1 and 0."""
    return float(value) if isinstance(value, bool) else value


def longest_text(content: Any) -> str:
    """The longest text in a JSON value, which says best what it is about.

    >>> longest_text({"choices": ["6", "7"], "question": "What is 4 plus 2?"})
    'What is 4 plus 2?'
    """
    return max(_texts(content), key=len, default="")


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from _texts(value)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value)


def flat(settings: Any, path: str = "") -> dict[str, Any]:
    """Settings without levels, each called after its path.

    >>> flat({"config": {"temperature": 0, "stop": ["."]}, "solver": "chain"})
    {'config.temperature': 0, 'config.stop': '["."]', 'solver': 'chain'}
    """
    if isinstance(settings, dict):
        found: dict[str, Any] = {}
        for name, value in settings.items():
            found |= flat(value, f"{path}.{name}" if path else str(name))
        return found
    if isinstance(settings, list):
        return {path: json.dumps(settings, sort_keys=True)} if settings else {}
    return {} if settings is None else {path: settings}


def different(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings that are not the same in all, in the order in which they stand.

    >>> different([{"solver": "chain", "temperature": 0}, {"solver": "chain"}])
    ['temperature']
    """
    names = dict.fromkeys(name for own in settings for name in own)
    return [name for name in names if len({repr(own.get(name)) for own in settings}) > 1]


def described(settings: Mapping[str, Any], names: Sequence[str]) -> str:
    """Some settings, as they stand in a system's name.

    >>> described({"config.temperature": 0, "solver": "chain"}, ["config.temperature", "top_p"])
    'temperature=0, top_p not set'
    """
    parts = []
    for name in names:
        short = name.rpartition(".")[2]
        value = str(settings.get(name))[:_LONGEST_VALUE]
        parts.append(f"{short}={value}" if name in settings else f"{short} not set")
    return ", ".join(parts)


def suffixes(settings: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """What tells apart systems of one name: the settings that differ, but not many of them.

    >>> suffixes([{"t": 0, "seed": 1}, {"t": 1, "seed": 2}], ["t", "seed"])
    ['t=0, seed=1', 't=1, seed=2']
    """
    n_kinds = len({repr([own.get(name) for name in names]) for own in settings})
    for n in range(min(_SETTINGS_IN_NAMES, len(names)), len(names)):
        found = [described(own, names[:n]) for own in settings]
        if len({*found}) == n_kinds:
            return found
    return [described(own, names) for own in settings]
