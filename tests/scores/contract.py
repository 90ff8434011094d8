"""Trials of the contract of :mod:`mtsig_nb.scores`, from the command line for as many as you like.

``python -m tests.scores.contract 10000`` makes ten thousand tables, writes each in some layout,
damages it in one way, reads it, and compares with `oracle`.  It prints how often each layout and
each damage was tried, and how the trials ended; trials that broke the contract come last, each with
the number that makes it again: ``python -m tests.scores.contract --only 4711``.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import random
import re
import sys
import tempfile
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import mtsig_nb as mt

from .damages import DAMAGES, OF_FILES, OF_ROWS, OF_TEXT, Effect
from .oracle import Expected, Item, Place, Values, expected
from .tables import LAYOUTS, Case, make_case, page

USED = "used"
NAMED = "named"
REFUSED = "refused"
BROKEN = "BROKEN"
#: All ways in which a trial can end, but for the last.
ENDS = (USED, NAMED, REFUSED)


@dataclasses.dataclass(frozen=True)
class Trial:
    """What came of one table.

    Parameters
    ----------
    number : int
        By which it is made again.
    layout, damage : str
    end : str
    why : str
        What broke the contract.
    """

    number: int
    layout: str
    damage: str
    end: str
    why: str = ""


def trial(number: int, folder: Path) -> Trial:
    """Make, damage, write and read one table; every number gives a table of its own."""
    case, damage, effect = damaged_case(number)
    wanted = expected(case, effect.ignored)
    paths = case.write(folder)
    shown = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = mt.read_score_table(paths, case.metrics)
            values = _values(read)
            _check_statistics(read, values)
    except mt.InputError as error:
        end, why = _after_error(str(error), wanted, effect)
        shown = f"{error}"
    except Exception:
        end, why = BROKEN, traceback.format_exc(limit=-3)
    else:
        end, why = _after_reading(case, values, read.sentence, wanted, effect)
        shown = read.sentence
    if end == BROKEN:
        why = f"{why}\n    said: {shown}"
    return Trial(number, case.layout, damage, end, why)


def damaged_case(number: int) -> tuple[Case, str, Effect]:
    """The case of a number, with its damage, before it is written."""
    rng = random.Random(number)
    damage = rng.choice(DAMAGES)
    for _ in range(2_000):
        layout = rng.choice(list(LAYOUTS))
        case = make_case(rng, layout)
        effect = damaged(rng, case, damage)
        if effect is not None:
            return case, damage, effect
    raise AssertionError(f"{damage!r} fits no layout: {number}")


def damaged(rng: random.Random, case: Case, damage: str) -> Effect | None:
    """Damage a case and lay out its pages; None where the damage does not apply."""
    effect = OF_ROWS[damage](rng, case) if damage in OF_ROWS else Effect()
    if effect is None:
        return None
    is_packed = rng.random() < 0.15
    case.pages = [page(file, is_packed=is_packed) for file in case.files]
    if damage in OF_TEXT:
        return OF_TEXT[damage](rng, case, rng.choice(case.pages))
    if damage in OF_FILES:
        return OF_FILES[damage](rng, case)
    return effect


# --- what was read --------------------------------------------------------------------------------


def _values(read: mt.ScoreTable) -> Values:
    """The scores of each metric and system, as the table has them."""
    found: Values = defaultdict(dict)
    frame = read.frame
    for metric in read.metrics:
        for row in frame.to_dict("records"):
            item = (
                str(row.get("(test set)", "")),
                str(row.get("document", "")),
                str(row["segment"]),
            )
            own = found[metric, str(row["system"])]
            assert item not in own, f"two scores of {item}"
            own[item] = float(row[metric])
    return dict(found)


def _check_statistics(read: mt.ScoreTable, values: Values) -> None:
    """The statistics have the values of the table, and nothing else."""
    if read.frame["system"].nunique() < 2:
        return
    for metric, statistics in zip(read.metrics, read.statistics(), strict=True):
        for system in statistics.systems:
            own = values[metric, system]
            score = float(statistics.scores()[system])
            assert math.isclose(score, _mean_over_sets(own), abs_tol=1e-7), (metric, system)
        if "(test set)" in read.frame:
            continue
        columns = Counter(
            tuple(round(float(score), 7) for score in column)
            for column in statistics.segment_scores().T
        )
        items = values[metric, statistics.systems[0]]
        wanted = Counter(
            tuple(round(values[metric, system][item], 7) for system in statistics.systems)
            for item in items
        )
        assert columns == wanted, f"the statistics of {metric} have other columns"


def _mean_over_sets(own: dict[Item, float]) -> float:
    sets: dict[str, list[float]] = defaultdict(list)
    for (test_set, _, _), value in own.items():
        sets[test_set].append(value)
    means = [math.fsum(values) / len(values) for values in sets.values()]
    return math.fsum(means) / len(means)


# --- judging --------------------------------------------------------------------------------------


def _after_error(error: str, wanted: Expected, effect: Effect) -> tuple[str, str]:
    """How a trial ends that was refused."""
    places = effect.places or wanted.places or effect.may_refuse
    if not places:
        return BROKEN, "refused, and nothing is the matter"
    if any(_names(error, place) for place in [*effect.places, *wanted.places, *effect.may_refuse]):
        return REFUSED, ""
    return BROKEN, f"refused, and the error names none of {_shown(places)}"


def _names(error: str, place: Place) -> bool:
    """Whether an error names a place: its file, and a line, a record or a label there."""
    if place.file and place.file not in error:
        return False
    if not place.numbers and not place.labels:
        return True
    for number in place.numbers:
        if re.search(rf"(line|lines|record|and|segment) {number:,}(?!\d)", error):
            return True
    return any(_has_word(error, label) for label in place.labels)


def _has_word(text: str, word: str) -> bool:
    shown = repr(word)[1:-1]
    return bool(shown.strip()) and re.search(rf"(?<!\w){re.escape(shown)}(?!\w)", text) is not None


def _shown(places: Sequence[Place]) -> str:
    return "; ".join(str(place) for place in places[:3])


def _after_reading(
    case: Case, values: Values, sentence: str, wanted: Expected, effect: Effect
) -> tuple[str, str]:
    """How a trial ends that was read."""
    places = effect.places or wanted.places
    if places and not effect.is_by_order:
        return BROKEN, f"read, and an error should name one of {_shown(places)}"
    for word in [*wanted.told, *effect.told]:
        shown = repr(word)[1:-1]
        if shown not in sentence and word not in sentence:
            return BROKEN, f"the sentence does not speak of {word!r}"
    difference = _difference(case, values, wanted.values, effect)
    if difference:
        return BROKEN, difference
    is_named = bool(effect.told or wanted.told)
    return (NAMED if is_named else USED), ""


def _difference(case: Case, values: Values, wanted: Values, effect: Effect) -> str:
    """What is not the same; empty if all is."""
    kept = {key for key in wanted if key[0] not in effect.without}
    if {key for key in values if key[0] not in effect.without} != kept:
        return f"metrics and systems are {sorted(values)}, and should be {sorted(kept)}"
    for metric, system in kept:
        found = sorted(round(value, 7) for value in values[metric, system].values())
        should = sorted(round(value, 7) for value in wanted[metric, system].values())
        if found != should:
            return f"{metric} of {system!r} is {found}, and should be {should}"
    if effect.is_by_order:
        return ""
    if _grouped(values, kept) != _grouped(wanted, kept):
        return "scores of different segments are paired"
    if not case.has_names:
        return ""
    drop = {"test set"} if len(_sets(wanted)) < 2 else set()
    drop |= set(effect.ignored)
    for key in kept:
        own = {_without(item, drop): round(value, 7) for item, value in values[key].items()}
        should_be = {_without(item, drop): round(value, 7) for item, value in wanted[key].items()}
        if own != should_be:
            return f"{key} is {own}, and should be {should_be}"
    return ""


def _sets(values: Values) -> set[str]:
    return {item[0] for own in values.values() for item in own}


def _without(item: Item, drop: Iterable[str]) -> Item:
    test_set, document, segment = item
    return ("" if "test set" in drop else test_set, "" if "document" in drop else document, segment)


def _grouped(values: Values, keys: Iterable[tuple[str, str]]) -> Counter[frozenset[object]]:
    """What stands beside each other, of all systems and metrics, whatever segments are called."""
    items: dict[Item, set[object]] = defaultdict(set)
    for key in keys:
        for item, value in values[key].items():
            items[item].add((key, round(value, 7)))
    return Counter(frozenset(own) for own in items.values())


# --- many -----------------------------------------------------------------------------------------


def trials(numbers: Iterable[int]) -> list[Trial]:
    """All trials of these numbers, each in a folder of its own."""
    found = []
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="contract") as folder:
            found.append(trial(number, Path(folder) / "scores"))
    return found


def tally(found: Sequence[Trial]) -> str:
    """How often each layout and each damage was tried, and how the trials ended."""
    parts = [_counts("layout", found), _counts("damage", found)]
    ends = Counter(one.end for one in found)
    total = ", ".join(f"{name} {ends[name]:,}" for name in (*ENDS, BROKEN))
    return "\n\n".join([*parts, f"{len(found):,} tables: {total}"])


def crossed(found: Sequence[Trial]) -> str:
    """How often each damage of each layout was tried, and how: used/named/refused."""
    ends: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in found:
        ends[one.layout, one.damage][one.end] += 1
    lines = []
    for (layout, damage), counts in sorted(ends.items()):
        numbers = "/".join(str(counts[name]) for name in ENDS)
        lines.append(f"{layout:30} {damage:26} {counts.total():6,}  {numbers}")
    return "\n".join(lines)


def _counts(name: str, found: Sequence[Trial]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        counts[getattr(one, name)][one.end] += 1
    header = f"{name:30}" + "".join(f"{end:>10}" for end in (*ENDS, BROKEN))
    lines = [header]
    for key, ends in sorted(counts.items()):
        lines.append(f"{key:30}" + "".join(f"{ends[end]:10,}" for end in (*ENDS, BROKEN)))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials, and print how they ended."""
    parser = argparse.ArgumentParser(description="Try the contract of all that reads scores.")
    parser.add_argument("n", type=int, nargs="?", default=1_000, help="how many tables")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--only", type=int, help="the number of one, whose files are shown")
    parser.add_argument("--crossed", action="store_true", help="each damage of each layout")
    given = parser.parse_args(arguments)
    if given.only is not None:
        return _show(given.only)
    found = trials(range(given.first, given.first + given.n))
    if given.crossed:
        print(crossed(found), end="\n\n")
    print(tally(found))
    broken = [one for one in found if one.end == BROKEN]
    for one in broken:
        print(f"\n{one.number}: {one.layout}, {one.damage}\n    {one.why}")
    return 1 if broken else 0


def _show(number: int) -> int:
    with tempfile.TemporaryDirectory(prefix="contract") as folder:
        case, damage, _ = damaged_case(number)
        paths = case.write(Path(folder) / "shown")
        print(f"{number}: {case.layout}, {damage}: {paths}, metrics={case.metrics}")
        for own in case.pages:
            print(f"--- {own.path}")
            print(own.content[:3_000] if own.is_packed else own.content.decode(errors="replace"))
        found = trial(number, Path(folder) / "scores")
    print(f"{found.end} {found.why}")
    return 1 if found.end == BROKEN else 0


if __name__ == "__main__":
    sys.exit(main())
