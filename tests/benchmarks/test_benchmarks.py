"""The tables of the benchmark: where aims come from, what is met, and how rows are shown."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from benchmarks import bound, memory, systems
from benchmarks.__main__ import SUBJECTS, WHOLE
from benchmarks.aims import AIMS, Aim
from benchmarks.one_process import random_scores
from benchmarks.tables import FIGURES, Row, Settings, Subject, show

MODULES = sorted(Path(benchmarks.__file__).parent.glob("*.py"))
#: As little as can be measured.
LITTLE = Settings(runs=1, n_resamples=500)


def nodes(kind: type[ast.AST]) -> Iterator[tuple[str, Any]]:
    """The parts of this kind of all modules' code, each with its module's name."""
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, kind):
                yield module.stem, node


def test_all_aims_are_made_in_one_place():
    makers = {module for module, call in nodes(ast.Call) if ast.unparse(call.func) == "Aim"}
    assert makers == {"aims"}


def test_every_aim_is_that_of_some_row():
    taken = [node for _, node in nodes(ast.Subscript) if ast.unparse(node.value) == "AIMS"]
    assert {ast.literal_eval(node.slice) for node in taken} == set(AIMS)


@pytest.mark.parametrize("what", AIMS)
def test_an_aim_is_met_up_to_its_limit_and_not_beyond(what):
    for aim in AIMS[what]:
        assert aim.figure in FIGURES
        better, worse = (1.01, 0.99) if aim.is_least else (0.99, 1.01)
        assert aim.is_met({aim.figure: aim.limit})
        assert aim.is_met({aim.figure: aim.limit * better})
        assert not aim.is_met({aim.figure: aim.limit * worse})


def test_a_row_meets_its_aims_only_if_it_meets_all_of_them():
    seconds = Aim("processor_seconds", 1.0)
    megabytes = Aim("megabytes", 9.0)
    figures = {"processor_seconds": 0.9, "megabytes": 10.0}
    assert Row("", figures, 5).met is None
    assert Row("", figures, 5, (seconds,)).met is True
    assert Row("", figures, 5, (seconds, megabytes)).met is False
    record = Row("two", figures, 5, (seconds, megabytes)).record()
    assert record["met"] is False
    assert record["megabytes"] == 10.0
    assert [aim["limit"] for aim in record["aims"]] == [1.0, 9.0]


def test_a_table_shows_figures_aims_whether_they_are_met_and_runs(capsys):
    subject = Subject("some", "Some commands", ("processor_seconds",), lambda _: iter(()))
    rows = [
        Row("fast", {"processor_seconds": 0.9}, 5, (Aim("processor_seconds", 1.0),)),
        Row("slow", {"processor_seconds": 1.1}, 3, (Aim("processor_seconds", 1.0),)),
        Row("any", {}, 1),
    ]
    show(subject, rows, with_aims=True)
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["fast", "0.90", "≤", "1", "s", "yes", "5"] in printed
    assert ["slow", "1.10", "≤", "1", "s", "no", "3"] in printed
    assert ["any", "1"] in printed
    show(subject, rows, with_aims=False)
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["fast", "0.90", "5"] in printed


@pytest.mark.parametrize("subject", [*SUBJECTS, WHOLE], ids=lambda subject: subject.name)
def test_a_table_has_columns_that_exist(subject):
    assert set(subject.figures) <= set(FIGURES)


def test_the_exponent_is_that_of_the_number_of_systems(monkeypatch):
    monkeypatch.setattr(systems, "FEWEST", 2)
    seconds = {3: 0.0, 2: 1.0, 4: 2.0, 8: 16.0}  # three load the libraries
    monkeypatch.setattr(systems, "processor_seconds", lambda _, work: work())
    question = systems.Question(
        "all",
        lambda given, _: lambda: seconds[len(given.systems)],
        of_exponent=AIMS["pairs of many systems"],
        numbers=(2, 4, 8),
    )
    rows = list(systems.growing(question, random_scores(8, 3), LITTLE))
    exponents = [row.figures.get("exponent_in_systems") for row in rows]
    assert exponents == [None, pytest.approx(1), pytest.approx(2)]
    assert [bool(row.aims) for row in rows] == [False, True, True]


@pytest.mark.parametrize("question", systems.QUESTIONS, ids=lambda question: question.name)
def test_what_is_asked_of_many_systems_can_be_run(question):
    few = dataclasses.replace(question, numbers=(3, 6))
    rows = list(systems.growing(few, random_scores(6, 50), LITTLE))
    assert all(row.figures["processor_seconds"] > 0 for row in rows)
    assert question.of_largest or not question.is_of_pairs


def test_processes_of_their_own_print_what_is_shown():
    assert memory.in_one_process("pairs", 0, "none")["megabytes"] > 10
    rows = list(bound.in_threads(1, LITTLE))
    assert {row.figures["times_the_bound"] > 0 for row in rows} == {True}
    assert len(rows) > 4
