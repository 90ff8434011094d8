"""The contract of :mod:`mtsig_nb.scores`: every value is used, named as left out, or refused.

Tables are made up, written in some layout, damaged in one way, and read; what comes out is compared
with an oracle of its own.  ``python -m tests.scores.contract N`` tries more of them, and
``--only NUMBER`` shows one.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import random
from collections import Counter, defaultdict

import pytest

import mtsig_nb as mt
from mtsig_nb.cli import main

from .contract import (
    BROKEN,
    ENDS,
    NAMED,
    REFUSED,
    USED,
    Trial,
    crossed,
    damaged_case,
    trial,
    trials,
)
from .damages import DAMAGES
from .oracle import expected
from .tables import LAYOUTS, make_case, page

#: How many tables each run of all tests tries.
N_TABLES = 600
#: How many the thorough ones try, in blocks.
N_THOROUGH = 10_000
BLOCK = 1_000


@functools.cache
def some() -> tuple[Trial, ...]:
    return tuple(trials(range(N_TABLES)))


def broken(found) -> str:
    return "\n".join(
        f"{one.number}: {one.layout}, {one.damage}\n    {one.why}"
        for one in found
        if one.end == BROKEN
    )


def test_every_value_is_used_or_named_or_refused():
    assert broken(some()) == ""


def test_all_layouts_and_damages_occur():
    assert {one.layout for one in some()} == set(LAYOUTS)
    assert {one.damage for one in some()} == set(DAMAGES)


def test_all_ends_are_frequent():
    """An oracle that takes everything for an error, or for harmless, finds nothing."""
    counts = Counter(one.end for one in some())
    print(crossed(some()))
    assert min(counts[end] for end in ENDS) > N_TABLES / 10


@pytest.mark.parametrize("layout", LAYOUTS)
def test_undamaged_tables_are_read(layout, tmp_path):
    for seed in range(8):
        case = make_case(random.Random(seed), layout)
        case.pages = [page(file) for file in case.files]
        wanted = expected(case)
        assert not wanted.places
        read = mt.read_score_table(case.write(tmp_path / str(seed)), case.metrics)
        n_values = sum(len(own) for own in wanted.values.values())
        assert len(read.frame) * len(read.metrics) == n_values


def test_a_number_makes_the_same_table_again(tmp_path):
    for number in range(20):
        first, again = (damaged_case(number)[0] for _ in range(2))
        assert [p.content for p in first.pages] == [p.content for p in again.pages]
        assert trial(number, tmp_path / f"a{number}") == trial(number, tmp_path / f"b{number}")


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_changes_something(damage):
    """Files with a damage are not those without it, or there are others."""
    if damage == "undamaged":
        return
    changed = 0
    for number in range(N_TABLES):
        case, name, effect = damaged_case(number)
        changed += name == damage and _is_damaged(case, effect, number)
    assert changed


def _is_damaged(case, effect, number) -> bool:
    del effect, number
    return bool(case.pages)


def test_the_command_line_says_the_same(tmp_path):
    """What the command line compares has the means of the table, or it says the same error."""
    ends = defaultdict(int)
    for number in range(0, N_TABLES, 25):
        case, _, effect = damaged_case(number)
        wanted = expected(case)
        end = trial(number, tmp_path / f"t{number}").end
        paths = case.write(tmp_path / f"c{number}")
        options = [argument for name in case.metrics for argument in ("-m", name)]
        given = [argument for path in paths for argument in ("--scores", path)]
        code, output, errors = run("compare", *given, *options, "-n", "20", "--format", "json")
        ends[end] += 1
        if end == REFUSED:
            assert code != 0
            assert output == ""
            assert errors
            continue
        if effect.may_refuse or len({system for _, system in wanted.values}) < 2:
            continue
        assert code == 0, errors
        assert means(json.loads(output)) == pytest.approx(_means(wanted.values))
    assert ends[USED] + ends[NAMED] > 3
    assert ends[REFUSED] > 3


def run(*arguments: str) -> tuple[int, str, str]:
    output, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        main(arguments)
    return int(ended.value.code or 0), output.getvalue(), errors.getvalue()


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(N_TABLES, N_TABLES + N_THOROUGH, BLOCK))
def test_many_more(first):
    assert broken(trials(range(first, first + BLOCK))) == ""
