"""The options of the command line are those of an analysis, with the same defaults and choices."""

from __future__ import annotations

import inspect

import pytest

from mtsig_nb.cli import commands
from mtsig_nb.cli import options as o
from mtsig_nb.engine.procedures import ALTERNATIVES
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.significance import options

COMPARE = inspect.signature(commands.compare).parameters
AGREEMENT = inspect.signature(commands.agreement).parameters
USUAL = Analysis().to_dict()
#: What is typed otherwise than it is called in an analysis, or means more.
UNLIKE = {
    "references": "reference",
    "metrics": "metric",
    "campaign": "test_set",
    "settings": "tokenize",
}
#: Options that `compare` translates by itself.
TRANSLATED = {"test": "ar", "correction": None, "n_references": None, "alternative": "two-sided"}


@pytest.mark.parametrize("name", USUAL)
def test_each_setting_of_an_analysis_can_be_typed(name):
    assert UNLIKE.get(name, name) in (*COMPARE, *AGREEMENT)


@pytest.mark.parametrize("name", options.TestOptions().to_dict())
def test_each_option_of_the_test_has_the_same_default(name):
    typed = COMPARE[name].default
    assert typed == TRANSLATED.get(name, USUAL[name])


def test_nothing_else_is_taken_for_the_test():
    """Every parameter is a setting, says where the input is, or how the answer is shown."""
    about_input = {"inputs", "paired_bs", "paired_ar", "test_set", "tokenize", "lowercase"}
    shown = {"baseline", "pairs", "people", "digits", "output_format", "output"}
    shown |= {"title", "exit_code", "examples"}
    settings = {UNLIKE.get(name, name) for name in USUAL}
    assert set(COMPARE) == (settings | about_input | shown) - {"gold"}
    assert set(AGREEMENT) < settings | about_input | shown


def test_choices_are_all_that_there_are():
    assert tuple(o.Sides) == ALTERNATIVES
    assert tuple(o.Intervals) == options.INTERVALS
