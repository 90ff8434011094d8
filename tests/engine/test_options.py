"""Options are relayed as they are, checked once, and shown in every signature."""

from __future__ import annotations

import inspect

import pytest

import mtsig_nb as mt
from mtsig_nb.engine.options import DEFAULTS, Options
from mtsig_nb.engine.procedures import PROCEDURES

BLEU = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineC", "onlineD"])
pytestmark = pytest.mark.filterwarnings("ignore:the bootstrap as printed")
TESTS = [getattr(mt, p.function) for p in PROCEDURES.values()]


@pytest.mark.parametrize("test", [*TESTS, mt.compare_all])
def test_signatures_show_what_is_taken(test):
    shown = inspect.signature(test).parameters
    assert "options" not in shown
    for name, default in DEFAULTS.items():
        everybodys = None if (test, name) == (mt.compare_all, "n_resamples") else default
        assert shown[name].default == everybodys
        assert shown[name].annotation in str(Options.__annotations__[name])


@pytest.mark.parametrize("test", [*TESTS, mt.compare_all])
def test_a_slip_is_told_by_the_name_of_the_function(test):
    pair = () if test is mt.compare_all else BLEU.systems
    with pytest.raises(TypeError, match=rf"^{test.__name__}\(\) .*'n_samples'.*'n_resamples'"):
        test(BLEU, *pair, n_samples=10)


@pytest.mark.parametrize(
    "options",
    [
        {"alternative": "greater"},
        {"n_resamples": 321},
        {"counting": "strict"},
        {"units": "documents"},
        {"exact": False},
    ],
)
def test_all_pairs_and_one_take_the_same_options(options):
    """Whatever is relayed, the p-value of a pair alone is that among all."""
    options = {"n_resamples": 400, "rng": 1, **options}
    (row,) = mt.compare_all(BLEU, interval=None, **options).table.itertuples()
    alone = mt.approximate_randomization(BLEU, row.system_a, row.system_b, **options)
    assert (row.pvalue, row.n_resamples) == (alone.pvalue, alone.n_resamples)
