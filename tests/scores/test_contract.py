"""The contract of :mod:`mtsig_nb.scores`: every value is used, named as left out, or refused.

Tables are made up, written in some layout, damaged in one way, and read; what comes out is compared
with an oracle of its own.  ``python -m tests.scores.contract N`` tries more of them, and
``--only NUMBER`` shows one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import itertools
import json
import random
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.cli import main
from mtsig_nb.notes import NotedWarning

from . import damages, oracle, tables
from .contract import BROKEN, ENDS, REFUSED, Trial, damaged, damaged_case, tally, trial, trials
from .damages import DAMAGES
from .oracle import expected
from .tables import LAYOUTS, make_case, page

#: How many tables each run of all tests tries.  A fault of one in 100 is met with .95.
N_TABLES = 300
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


@pytest.mark.slow
def test_every_value_is_used_or_named_or_refused():
    assert broken(some()) == ""


@pytest.mark.parametrize("module", [damages, oracle, tables])
def test_what_is_compared_with_knows_no_reader(module):
    code = Path(module.__file__).read_text(encoding="utf-8")
    assert "mtsig_nb" not in code


@pytest.mark.takes_time
def test_all_layouts_and_damages_occur():
    assert {one.layout for one in some()} == set(LAYOUTS)
    assert {one.damage for one in some()} == set(DAMAGES)


@pytest.mark.takes_time
def test_all_ends_are_frequent():
    """An oracle that takes everything for an error, or for harmless, finds nothing."""
    counts = Counter(one.end for one in some())
    print(tally(some()))
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


@pytest.mark.takes_time
def test_a_number_makes_the_same_table_again(tmp_path):
    for number in range(20):
        first, again = (damaged_case(number)[0] for _ in range(2))
        assert [p.content for p in first.pages] == [p.content for p in again.pages]
        assert trial(number, tmp_path / f"a{number}") == trial(number, tmp_path / f"b{number}")


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name != "undamaged"])
def test_every_damage_changes_what_is_given(damage, tmp_path):
    n_changed = 0
    for seed, layout in itertools.product(range(20), LAYOUTS):
        without = _given(layout, seed, "undamaged", tmp_path)
        given = _given(layout, seed, damage, tmp_path)
        n_changed += given is not None and given != without
        if n_changed == 3:
            return
    pytest.fail(f"{n_changed} files were changed")


def _given(layout, seed, damage, folder):
    """What the reader is given, files and their contents; None where a damage does not apply."""
    case = make_case(random.Random(seed), layout)
    if damaged(random.Random(seed), case, damage) is None:
        return None
    paths = case.write(folder / damage / layout / str(seed))
    own = [path.rpartition("/")[2] for path in paths]
    return own, [(p.path.removesuffix(".gz"), _bare(p)) for p in case.pages]


def _bare(given):
    if given.is_missing:
        return None
    return dataclasses.replace(given, is_packed=False).content, given.n_cut


@pytest.fixture(scope="module")
def lines_of_command():
    """Runs the command line, and gives its code, what it printed and its errors."""

    def run(*arguments):
        output = io.StringIO()
        errors = io.StringIO()
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore", NotedWarning)
            with pytest.raises(SystemExit) as ended:
                main(arguments)
        return ended.value.code or 0, output.getvalue(), errors.getvalue()

    return run


@pytest.mark.takes_time
def test_the_command_line_says_the_same(tmp_path, lines_of_command):
    """What it compares has the means of the table, and what is refused has the same words."""
    ends = Counter()
    for number in range(0, 500, 12):
        case, _, effect = damaged_case(number)
        wanted = expected(case, effect.ignored)
        end = trial(number, tmp_path / f"trial {number}").end
        systems = {system for _, system in wanted.values}
        sets = {item[0] for own in wanted.values.values() for item in own}
        is_certain = not effect.may_refuse and len(systems) > 1 and len(sets) == 1
        if end != REFUSED and not is_certain:
            continue
        ends[end == REFUSED] += 1
        paths = case.write(tmp_path / f"command {number}")
        metrics = [argument for name in case.metrics for argument in ("-m", name)]
        given = [argument for path in paths for argument in ("--scores", path)]
        arguments = ["compare", *given, *metrics, "--format", "json"]
        code, output, errors = lines_of_command(*arguments)
        if end == REFUSED:
            assert (code, output) == (1, "")
            assert errors.startswith("mtsig: ")
        else:
            assert code == 0, errors
            found = json.loads(output)
            if found["kind"] == "runs":  # whose scores are means over runs
                continue
            for row in found["systems"]:
                mean = np.mean(list(wanted.values[row["metric"], row["system"]].values()))
                assert row["score"] == pytest.approx(mean, abs=1e-6)
    assert ends[True] > 5
    assert ends[False] > 5


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(N_TABLES, N_TABLES + N_THOROUGH, BLOCK))
def test_many_more(first):
    assert broken(trials(range(first, first + BLOCK))) == ""
