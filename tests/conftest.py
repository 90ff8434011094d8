"""Which tests are left out, and that they are."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# No test fails because a machine is slow.  Other cases are made up in each run: a fault of one case
# in 17 is met by 50 of them with a probability of .95.
settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.register_profile("thorough", settings.get_profile("patient"), max_examples=200)
settings.load_profile("patient")

#: Markers of tests that run only where `-m` names them, and in `make test-all`.
RARE = ("book", "lite", "processors", "thorough")
#: Notebooks in it are tested like units, but less often.
LABS = Path(__file__).parents[1] / "notebooks" / "labs"
LEFT_OUT = pytest.StashKey[Counter[str]]()
#: Markers of tests that `make test-fast` leaves out.
TAKE_TIME = ("slow", "browser", "takes_time")
#: Doctests, which have no decorators, that take as long as tests marked `takes_time`.
EXAMPLES_THAT_TAKE_TIME = (
    "mtsig_nb.human.campaign_plans.plan_campaign",
    "mtsig_nb.human.many_test_sets.mean_over_test_sets",
    "mtsig_nb.human.mixed_model.MixedModel",
    "mtsig_nb.human.next_judgements.NextJudgements",
    "mtsig_nb.human.next_judgements.next_judgements",
    "mtsig_nb.meta_evaluation.by_size.agreement_by_size",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rare", action="store_true", help=f"also tests marked {', '.join(RARE)}")
    parser.addoption(
        "--fast",
        action="store_true",
        help=f"each test with its first case only, and none marked {', '.join(TAKE_TIME)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rare"):
        settings.load_profile("thorough")


@pytest.fixture(scope="session")
def draws(pytestconfig: pytest.Config) -> Callable[[int, int], int]:
    """How many draws a simulation takes: the first number, and in `make test-all` the second.

    What is asserted of shares is the same for both.  Of a test that should err in .05 of all draws
    and may in .073, 400 draws notice a size of .09 with a power of .87, and 1,000 one of .085 with
    .90.  With a bound of .085, 400 draws notice .11 with .93 and 200 with .84.
    """
    return lambda few, many: many if pytestconfig.getoption("--rare") else few


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage once when all is collected, and never again among what stays to the end.

    Modules and tests are a million objects.  Python would look through them again and again, and
    that takes a sixth of the time of collecting.  Among what tests make Python looks after ten
    thousand objects and not after 700, which spares a twentieth of the time of tests of pictures.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before pytest looks at marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out: Counter[str] = Counter()
    config.stash[LEFT_OUT] = left_out
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if item.name in EXAMPLES_THAT_TAKE_TIME:
            item.add_marker("takes_time")
        if item.path.is_relative_to(LABS):
            item.add_marker("thorough")
    if config.option.fast:
        _keep(config, items, fast(items))
    if config.option.rare:
        return
    kept = []
    for item in items:
        marks = [mark for mark in RARE if item.get_closest_marker(mark)]
        if any(mark in config.option.markexpr for mark in marks) or not marks:
            kept.append(item)
        else:
            left_out[marks[0]] += 1
    _keep(config, items, kept)


def fast(items: list[pytest.Item]) -> list[pytest.Item]:
    """Of each test that takes no time its first case; a doctest is a test of its own."""
    first: dict[tuple[str, str], pytest.Item] = {}
    for item in items:
        if not any(item.get_closest_marker(mark) for mark in (*TAKE_TIME, *RARE)):
            parent = item.parent.nodeid if item.parent else ""
            first.setdefault((parent, getattr(item, "originalname", item.name)), item)
    return list(first.values())


def _keep(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    """Leave only these, and tell pytest of the others."""
    chosen = {id(item) for item in kept}
    deselected = [item for item in items if id(item) not in chosen]
    items[:] = kept
    if deselected:
        config.hook.pytest_deselected(items=deselected)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # with xdist only workers collect, all of them all
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = terminalreporter.config.stash.get(LEFT_OUT, Counter())
    if left_out:
        listed = ", ".join(f"{count} {mark}" for mark, count in sorted(left_out.items()))
        terminalreporter.write_line(f"Left out, and run by make test-all: {listed}.")
