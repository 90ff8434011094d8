"""Options are relayed as they are, checked once, and shown in every signature."""

from __future__ import annotations

import inspect

import pytest

import mtsig_nb as mt
from mtsig_nb.engine.options import DEFAULTS, Options
from mtsig_nb.engine.procedures import PROCEDURES

BLEU = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineC", "onlineD"])
TESTS = [getattr(mt, p.function) for p in PROCEDURES.values()]


@pytest.mark.parametrize("test", [*TESTS, mt.compare_all])
def test_signatures_show_what_is_taken(test):
    shown = inspect.signature(test).parameters
    assert "options" not in shown
    for name, default in DEFAULTS.items():
        everybodys = None if (test, name) == (mt.compare_all, "n_resamples") else default
        assert shown[name].default == everybodys
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].annotation in str(Options.__annotations__[name])


@pytest.mark.parametrize("test", TESTS)
def test_a_slip_is_told_by_the_name_of_the_function(test):
    own = {"warn": False} if test is mt.riezler_maxwell_bootstrap else {}
    with pytest.raises(TypeError, match=rf"^{test.__name__}\(\) .*'n_samples'.*'n_resamples'"):
        test(BLEU, "onlineC", "onlineD", n_samples=10, **own)
    with pytest.raises(TypeError, match=r"'seed' is not known\. Known: 'alternative', "):
        test(BLEU, "onlineC", "onlineD", seed=10, **own)


def test_a_slip_in_all_pairs():
    with pytest.raises(TypeError, match=r"^compare_all\(\) .*'counti'.*'counting'"):
        mt.compare_all(BLEU, counti="plain")


@pytest.mark.parametrize("test", TESTS)
def test_only_shuffles_are_enumerated(test):
    if "bootstrap" in test.__name__:
        own = {"warn": False} if test is mt.riezler_maxwell_bootstrap else {}
        with pytest.raises(mt.InputError, match="too many resamples to enumerate"):
            test(BLEU, "onlineC", "onlineD", exact=True, **own)
    else:
        few = BLEU.subset(range(8))
        assert test(few, "onlineC", "onlineD", exact=True).exact


def test_all_pairs_and_one_take_the_same_options():
    """Whatever is relayed, the p-value of a pair alone is that among all."""
    for options in (
        {"alternative": "greater"},
        {"n_resamples": 321},
        {"counting": "strict"},
        {"units": "documents"},
        {"exact": False},
    ):
        options = {"n_resamples": 400, "rng": 1, **options}
        (row,) = mt.compare_all(BLEU, interval=None, **options).table.itertuples()
        alone = mt.approximate_randomization(BLEU, row.system_a, row.system_b, **options)
        assert (row.pvalue, row.n_resamples) == (alone.pvalue, alone.n_resamples)
