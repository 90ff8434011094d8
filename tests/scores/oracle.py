"""What files of scores say, found by going through their rows, without any of the readers.

A case has either the values that are to be read, or places of which an error has to name one.
"""

from __future__ import annotations

import dataclasses
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from .tables import LOGS, Case, File, Row, Spelled

#: What stands in the name of a segment that has none, before its place; no label has it.
_ORDER = "(place)"

#: The test set, the document and the segment of a score; empty where there is none.
Item = tuple[str, str, str]
#: The scores of each metric and system.
Values = dict[tuple[str, str], dict[Item, float]]


@dataclasses.dataclass(frozen=True)
class Place:
    """A place that an error may name: a file, with a line or record there, or a label.

    Parameters
    ----------
    file : str
        Its name without folders; empty where any file will do.
    numbers : tuple of int
        Lines or records.
    labels : tuple of str
    """

    file: str = ""
    numbers: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


@dataclasses.dataclass
class Expected:
    """What is to come of a case.

    Parameters
    ----------
    values : dict
        What may be read.
    places : list of Place
        If there are any, an error has to name one.
    told : list of str
        What the table's sentence has to say, if it is read.
    """

    values: Values
    places: list[Place]
    told: list[str]


@dataclasses.dataclass(frozen=True)
class Fact:
    """One score, as a row has it."""

    file: int
    row: int
    metric: str
    labels: dict[str, str]
    value: Any
    order: int

    @property
    def item(self) -> Item:
        """What was scored."""
        return (
            self.labels.get("test set", ""),
            self.labels.get("document", ""),
            self.labels["segment"],
        )

    @property
    def system(self) -> str:
        """The system, or its run."""
        run = self.labels.get("run")
        return f"{self.labels['system']}/{run}" if run else self.labels["system"]


def expected(case: Case, ignored: Sequence[str] = ()) -> Expected:
    """What is to come of the files of a case, by their rows, without labels that are ignored."""
    told: list[str] = []
    numbers = [page.places for page in case.pages]
    facts = list(_facts(case, told))
    for fact in facts:
        for label in ignored:
            fact.labels.pop(label, None)
    places = _of_no_label(case, numbers) + _of_no_number(facts, case, numbers)
    if places:
        return Expected({}, places[:1], [])
    facts, places = _distinct(facts, case, numbers, told)
    places += _of_unequal_repeats(facts, case, numbers)
    values = _means(facts)
    places += _of_small_sets(values, facts, case, numbers)
    places += _of_what_lacks(values, facts, case, numbers)
    told += _nearly_same(facts)
    for file in case.files:
        if file.kind not in (*LOGS, "tabs"):  # which have no names of columns
            told += [name for name in file.texts if name != "itemType"]
    return Expected(values, places, told)


# --- facts ----------------------------------------------------------------------------------------


def _is_bad_label(value: Any, label: str) -> bool:
    if value is None or isinstance(value, list | dict | bool):
        return True
    words = ("", "nan", "null", "none", "n/a", "true", "false")
    is_of_r = value == "NA" and label not in ("system", "segment")
    return is_of_r or str(value).strip().casefold() in words


def _of_no_label(case: Case, numbers: Sequence[Sequence[int]]) -> list[Place]:
    """Where a label is none."""
    found = []
    for number, file in enumerate(case.files):
        for place, row in zip(numbers[number], file.rows, strict=True):
            if any(_is_bad_label(row.get(column), label) for column, label in file.labels.items()):
                found.append(Place(_name(case, number), (place,)))
    return found


def _of_no_number(
    facts: Iterable[Fact], case: Case, numbers: Sequence[Sequence[int]]
) -> list[Place]:
    """Where a score is none."""
    return [_where(fact, case, numbers) for fact in facts if not isinstance(fact.value, float)]


def _name(case: Case, number: int) -> str:
    return case.pages[number].path.rpartition("/")[2]


def _facts(case: Case, told: list[str]) -> Iterable[Fact]:
    """All scores, each with all its labels; control items are left out."""
    by_source = _are_paired_by_source(case.files)
    for number, file in enumerate(case.files):
        order: Counter[tuple[str, ...]] = Counter()
        for place, row in enumerate(file.rows):
            if row.get("itemType") in ("BAD", "REF"):
                told.append("control items left out")
                continue
            labels = {**file.implied, **_own_labels(file, row)}
            for column, (metric, system) in file.scores.items():
                if column not in row:
                    continue
                own = labels | ({"system": system} if system else {})
                above = _answers_above(own, column, order)
                if "segment" not in own:
                    own["segment"] = _place(row, own, column, order, above, by_source=by_source)
                value = row[column]
                if isinstance(value, Spelled):
                    value = value.value
                yield Fact(number, place, metric, own, value, above)


def _own_labels(file: File, row: Row) -> dict[str, str]:
    return {label: str(row.get(column)) for column, label in file.labels.items()}


def _are_paired_by_source(files: Sequence[File]) -> bool:
    """Whether rows without names of segments say what was asked, in all files."""
    unnamed = [file for file in files if not file.has_segments]
    return bool(unnamed) and any(
        all(column in file.columns for file in unnamed) for column in ("source", "src")
    )


def _answers_above(labels: dict[str, str], column: str, order: Counter[tuple[str, ...]]) -> int:
    """How many rows of the same answerer stand above."""
    key = (*labels.values(), column)
    order[key] += 1
    return order[key] - 1


def _place(
    row: Row,
    labels: dict[str, str],
    column: str,
    order: Counter[tuple[str, ...]],
    above: int,
    *,
    by_source: bool,
) -> str:
    """What tells the items of one answerer apart: what was asked, or how many rows are above."""
    if not by_source:
        return f"{_ORDER}{above}"
    source = str(row.get("source", row.get("src")))
    key = (*labels.values(), column, "source", source)
    order[key] += 1
    return f"{source}{_ORDER}{order[key] - 1}"


# --- what a table must be -------------------------------------------------------------------------


def _where(fact: Fact, case: Case, numbers: Sequence[Sequence[int]]) -> Place:
    labels = [label for name, label in fact.labels.items() if name != "segment"]
    labels.append(str(fact.order) if _ORDER in fact.labels["segment"] else fact.labels["segment"])
    return Place(_name(case, fact.file), (numbers[fact.file][fact.row],), tuple(labels))


def _distinct(
    facts: Sequence[Fact], case: Case, numbers: Sequence[Sequence[int]], told: list[str]
) -> tuple[list[Fact], list[Place]]:
    """Facts without copies in other files; and where one row contradicts or repeats another."""
    known: dict[tuple[Any, ...], Fact] = {}
    kept = []
    places = []
    for fact in facts:
        inner = tuple(fact.labels.get(label, "") for label in ("run", "repeat", "rater"))
        key = (fact.metric, fact.labels["system"], *fact.item, *inner)
        first = known.setdefault(key, fact)
        if first is fact:
            kept.append(fact)
        elif first.file != fact.file and first.value == fact.value:
            told.append("another file")
        elif "rater" in fact.labels and first.file == fact.file:
            kept.append(fact)
            told.append("already rated")
        else:
            places += [_where(fact, case, numbers), _where(first, case, numbers)]
    return kept, places


def _of_unequal_repeats(
    facts: Sequence[Fact], case: Case, numbers: Sequence[Sequence[int]]
) -> list[Place]:
    """Where an item has more or fewer repeats than most; anywhere if as many have either."""
    repeats: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for fact in facts:
        if "repeat" in fact.labels:
            repeats[fact.metric, fact.system, fact.item].add(fact.labels["repeat"])
    counts = Counter(map(len, repeats.values()))
    if len(counts) < 2:
        return []
    (usual, n_usual), (_, n_second), *_ = counts.most_common()
    if n_usual == n_second:
        usual = -1
    return [
        _where(fact, case, numbers)
        for fact in facts
        if len(repeats[fact.metric, fact.system, fact.item]) != usual
    ]


def _means(facts: Iterable[Fact]) -> Values:
    """The mean over repeats of means over raters."""
    ratings: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    for fact in facts:
        key = (fact.metric, fact.system, fact.item, fact.labels.get("repeat", ""))
        ratings[key].append(fact.value)
    answers: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    for (metric, system, item, _), values in ratings.items():
        answers[metric, system, item].append(math.fsum(values) / len(values))
    means: Values = defaultdict(dict)
    for (metric, system, item), values in answers.items():
        means[metric, system][item] = math.fsum(values) / len(values)
    return dict(means)


def _of_what_lacks(
    values: Values, facts: Sequence[Fact], case: Case, numbers: Sequence[Sequence[int]]
) -> list[Place]:
    """Labels of which not all systems and metrics have a score."""
    systems = list(dict.fromkeys(system for _, system in values))
    metrics = list(dict.fromkeys(metric for metric, _ in values))
    every = {(system, item) for (_, system), own in values.items() for item in own}
    lacking = {
        (system, item)
        for metric in metrics
        for system, item in every
        if item not in values.get((metric, system), {})
    }
    items = {item for _, item in every}
    alone = {item for item in items if not all((system, item) in every for system in systems)}
    places = []
    for fact in facts:
        if fact.item in alone or (fact.system, fact.item) in lacking:
            where = _where(fact, case, numbers)
            places.append(where)
            # What lacks it may be named as well, which is another file.
            others = [_name(case, number) for number in range(len(case.files))]
            places += [Place(name, (), where.labels) for name in dict.fromkeys(others)]
    return places


def _of_small_sets(
    values: Values, facts: Sequence[Fact], case: Case, numbers: Sequence[Sequence[int]]
) -> list[Place]:
    """Where a test set has one segment, which cannot be resampled."""
    items: dict[str, set[Item]] = defaultdict(set)
    for own in values.values():
        for item in own:
            items[item[0]].add(item)
    return [_where(fact, case, numbers) for fact in facts if len(items[fact.item[0]]) < 2]


def _nearly_same(facts: Iterable[Fact]) -> list[str]:
    """Labels that differ in what the eye passes over alone, of which the sentence has to speak."""
    found = []
    for label in ("system", "segment", "document", "test set"):
        names = {fact.labels[label] for fact in facts if label in fact.labels}
        forms = Counter(_form(name) for name in names)
        found += [name for name in names if forms[_form(name)] > 1]
    return found


def _form(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()
