"""What a log has beside its scores: questions, answers and the settings of the evaluation."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ...errors import InputError
from ..labels import REPEAT, TEST_SET, labels_in
from ..score_file import ScoreFile, with_nested_as_texts
from ..source import ScoreSource

#: The columns of a log's rows that are no metrics.
_LABELS = ("system", "segment", TEST_SET, REPEAT)
#: How many settings a system's name has; it has more only where these do not tell it apart.
_SETTINGS_IN_NAMES = 3
#: The longest value of a setting that stands in a system's name.
_LONGEST_VALUE = 40


@dataclasses.dataclass(frozen=True)
class Item:
    """What was asked, as fingerprints that are the same for the same question.

    Parameters
    ----------
    question : int
        The fingerprint of what the item is about.
    target : int or None
        The fingerprint of the right answer; None if the log does not have it.
    prompt : int or None
        The fingerprint of the words in which the model was asked; None if the log has none.
    """

    question: int
    target: int | None
    prompt: int | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Log:
    """One log of a program.

    Parameters
    ----------
    program : str
        What messages call the program.
    rows : DataFrame
        A row for each answer: ``system`` and ``segment``, maybe `TEST_SET` and `REPEAT`, and a
        column for each metric.
    items : mapping
        What was asked, by test set and segment; empty where the names of segments say it already.
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
        return metrics_in(self.rows)

    @property
    def n_repeats(self) -> int:
        """How many answers to an item there are at most."""
        return int(self.rows[REPEAT].nunique()) if REPEAT in self.rows else 1


def file_of_log(source: ScoreSource, log: Log) -> ScoreFile:
    """The columns of a log, without its column `REPEAT` where nothing was repeated.

    Raises
    ------
    InputError
        If the log has no rows.
    """
    if log.rows.empty:
        raise InputError(f"{source.at()} has no answers. Write them with {log.program}.")
    labels = labels_in(log.rows, ("system", "segment", TEST_SET))
    rows = log.rows.astype(dict.fromkeys(labels, str))
    if rows[REPEAT].nunique() == 1:
        rows = rows.drop(columns=REPEAT)
    log = dataclasses.replace(log, rows=rows)
    return ScoreFile(source, with_nested_as_texts(rows), remarks=tuple(log.remarks), log=log)


def first_names(content: Any) -> set[str]:
    """The names in an object, or in the first object of a list; none of anything else.

    >>> sorted(first_names([{"score": 1, "segment": "a"}, {"other": 2}]))
    ['score', 'segment']
    """
    first = content[0] if isinstance(content, list) and content else content
    return {*first} if isinstance(first, dict) else set()


@contextlib.contextmanager
def as_written_by(program: str, source: ScoreSource) -> Iterator[None]:
    """A context in which a file that is not built as expected raises an `InputError`."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        what = f": there is no {error}" if isinstance(error, KeyError) else ""
        raise InputError(
            f"{source.at()} is not as {program} writes it{what}. Write the file again with "
            f"{program}."
        ) from error


def metrics_in(rows: pd.DataFrame) -> list[str]:
    """The columns of a log's rows that are metrics."""
    return [name for name in rows.columns if name not in _LABELS]


def fingerprint(content: Any) -> int:
    """A number that is the same for the same JSON, within one process."""
    return hash(json.dumps(content, sort_keys=True))


def as_number(value: Any) -> Any:
    """A score as it is; true and false as 1 and 0."""
    return float(value) if isinstance(value, bool) else value


def longest_text(content: Any) -> str:
    """The longest text in a JSON value, which says best what it is about.

    >>> longest_text({"choices": ["6", "7"], "question": "What is 4 plus 2?"})
    'What is 4 plus 2?'
    """
    return max(_texts(content), key=len, default="")


def _texts(content: Any) -> Iterator[str]:
    """All texts in a JSON value, in their order."""
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
    if settings is None or settings == []:
        return {}
    if isinstance(settings, list):
        return {path: json.dumps(settings, sort_keys=True)}
    if not isinstance(settings, dict):
        return {path: settings}
    on_one_level: dict[str, Any] = {}
    for name, value in settings.items():
        below = f"{path}.{name}" if path else str(name)
        on_one_level |= flat(value, below)
    return on_one_level


def different(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings that are not the same in all, in the order in which they stand.

    >>> different([{"solver": "chain", "temperature": 0}, {"solver": "chain"}])
    ['temperature']
    """
    names = dict.fromkeys(itertools.chain.from_iterable(settings))
    differing = []
    for name in names:
        values = {repr(settings_of_log.get(name)) for settings_of_log in settings}
        if len(values) > 1:
            differing.append(name)
    return differing


def described(settings: Mapping[str, Any], names: Sequence[str]) -> str:
    """Some settings, as they stand in a system's name.

    >>> described({"config.temperature": 0, "solver": "chain"}, ["config.temperature", "top_p"])
    'temperature=0, top_p not set'
    """
    parts = []
    for name in names:
        short_name = name.rpartition(".")[2]
        if name in settings:
            value = str(settings[name])
            parts.append(f"{short_name}={value[:_LONGEST_VALUE]}")
        else:
            parts.append(f"{short_name} not set")
    return ", ".join(parts)


def suffixes(settings: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """What tells systems of one name apart: as many of the settings that differ as it takes.

    >>> suffixes([{"t": 0, "seed": 1}, {"t": 1, "seed": 2}], ["t", "seed"])
    ['t=0, seed=1', 't=1, seed=2']
    """
    distinct = {repr([values.get(name) for name in names]) for values in settings}
    for n_names in range(_SETTINGS_IN_NAMES, len(names)):
        descriptions = [described(values, names[:n_names]) for values in settings]
        if len(set(descriptions)) == len(distinct):
            return descriptions
    return [described(values, names) for values in settings]
