"""Each option has one name, one default and one check, and every signature shows it."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

import mtsig_nb as mt
from mtsig_nb.engine.options import ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.outcomes.kinds import CLASSES, outcome_class
from mtsig_nb.significance import options
from mtsig_nb.significance.one_pair import run_test

BLEU = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineC", "onlineD"])
pytestmark = pytest.mark.filterwarnings("ignore:the bootstrap as printed")
TESTS = [getattr(mt, p.function) for p in PROCEDURES.values()]
SIMULATIONS = [mt.simulate.null_pvalues, mt.simulate.rejection_rates]
#: What a function takes by default in place of what its options have.
DIFFERENT = {
    mt.compare_all: {"n_resamples": None, "correction": "holm"},
    mt.simulate.null_pvalues: {"n_resamples": 1000, "exact": False},
    mt.simulate.rejection_rates: {"n_resamples": 1000, "exact": False},
}


def fields_of(kind, but=()):
    return {field.name: field for field in dataclasses.fields(kind) if field.name not in but}


@pytest.mark.parametrize("function", [*TESTS, run_test, mt.compare_runs, *SIMULATIONS])
def test_signatures_show_the_options_of_a_test(function):
    check_signature(function, fields_of(ResamplingOptions, but=["test"]))


def test_the_signature_of_all_pairs_shows_theirs_too():
    of_all = {**fields_of(options.TestOptions), **fields_of(ResamplingOptions)}
    check_signature(mt.compare_all, of_all)


def check_signature(function, fields):
    shown = inspect.signature(function).parameters
    assert not any(p.kind is p.VAR_KEYWORD for p in shown.values())
    for name, field in fields.items():
        usual = DIFFERENT.get(function, {}).get(name, field.default)
        assert shown[name].default == usual, name
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].annotation.removesuffix(" | None") in field.type


@pytest.mark.parametrize("function", [*TESTS, mt.compare_all])
def test_a_slip_is_told_by_the_name_of_the_function(function):
    pair = () if function is mt.compare_all else BLEU.systems
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) .*'n_samples'"):
        function(BLEU, *pair, n_samples=10)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("test", "sign"),
        ("alternative", "both"),
        ("n_resamples", 0),
        ("rng", -1),
        ("counting", "none"),
        ("correction", "holmes"),
        ("alpha", 2),
        ("interval", "wide"),
        ("confidence_level", 95),
    ],
)
def test_an_option_is_checked_when_options_are_made(name, wrong):
    with pytest.raises(mt.InputError, match=f"^{name}={wrong!r}"):
        options.TestOptions(**{name: wrong})


def test_only_all_pairs_draw_as_many_as_are_needed():
    assert options.TestOptions(n_resamples=None).design().looks[0] == 10_000
    with pytest.raises(mt.InputError, match=r"^n_resamples=None"):
        ResamplingOptions(n_resamples=None)


def test_plain_settings_make_the_same_options_again():
    chosen = options.TestOptions(test="bootstrap", units="documents", rng=3, alpha=0.01)
    assert options.TestOptions().but(**chosen.to_dict()) == chosen


@pytest.mark.parametrize(
    "chosen",
    [
        {"alternative": "greater"},
        {"n_resamples": 321},
        {"counting": "strict"},
        {"units": "documents"},
        {"exact": False},
    ],
)
def test_all_pairs_and_one_take_the_same_options(chosen):
    """Whatever is relayed, the p-value of a pair alone is that among all."""
    chosen = {"n_resamples": 400, "rng": 1, **chosen}
    (row,) = mt.compare_all(BLEU, interval=None, **chosen).table.itertuples()
    alone = mt.approximate_randomization(BLEU, row.system_a, row.system_b, **chosen)
    assert (row.pvalue, row.n_resamples) == (alone.pvalue, alone.n_resamples)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_kind_of_outcome_accepts_all_options_or_names_those_that_it_does(kind):
    """So a new option is refused, and not ignored, where nobody has thought of it."""
    found = outcome_class(kind)
    if found.accepted_options is None:
        assert kind in ("pairs", "test sets")
    else:
        assert {*found.accepted_options} < {*options.TestOptions().to_dict()}
        assert found.why_meaningless
