"""What a newcomer types works on every result: `len`, tables for papers, a picture."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import matplotlib.pyplot as plt
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.described import Tabled

VERBS = ("to_frame", "to_csv", "to_latex", "to_markdown", "to_html", "__len__", "__repr__")


def results() -> list[type[Tabled]]:
    """All classes of results that are tables."""
    for module in pkgutil.walk_packages(mt.__path__, "mtsig_nb."):
        if module.name.split(".")[1] in ("significance", "human", "meta_evaluation"):
            importlib.import_module(module.name)

    def below(cls: type) -> set[type]:
        return {cls}.union(*(below(child) for child in cls.__subclasses__()))

    return sorted(below(Tabled) - {Tabled}, key=lambda cls: cls.__name__)


@pytest.fixture(scope="module")
def comparisons() -> mt.Comparisons:
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
    return mt.compare_all(bleu, n_resamples=999, rng=1)


def test_there_are_results_to_walk():
    assert {"Comparisons", "PairTests", "Agreement", "VarianceComponents"} <= {
        cls.__name__ for cls in results()
    }


@pytest.mark.parametrize("cls", results(), ids=lambda cls: cls.__name__)
def test_every_result_has_the_same_verbs(cls):
    for verb in VERBS:
        assert callable(getattr(cls, verb))
    own = inspect.signature(cls.to_markdown).parameters
    assert own["digits"].kind is inspect.Parameter.KEYWORD_ONLY


def test_tables_have_a_row_for_each_pair(comparisons):
    assert len(comparisons) == len(comparisons.table) == 3
    assert len(comparisons.to_markdown().splitlines()) == 3 + 2
    assert comparisons.to_csv().count("\n") == 3 + 1
    assert comparisons.to_html().count("<tr>") == 3 + 1


def test_tests_of_people_are_tables_too():
    frame = pd.DataFrame({"system_better": ["a"] * 9 + ["b"], "system_worse": ["b"] * 9 + ["a"]})
    tests = mt.human.PairwisePreferences(frame).sign_test()
    assert len(tests) == 1
    assert "0.0215" in tests.to_latex()
    assert "0.0215" in tests.to_markdown()


def test_the_picture_shows_differences_from_the_best(comparisons):
    figure = comparisons.plot()
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["onlineB", "UPC", "onlineA"]
    letters = [text.get_text() for text in axes.texts]
    assert letters == comparisons.summary()["letters"].tolist()
    drawn = sorted(x for points in axes.collections[1:] for x, _ in points.get_offsets() if x)
    table = comparisons.table
    of_best = table[table["system_a"] == "onlineB"]["difference"]
    assert drawn == pytest.approx(sorted(-of_best))
    plt.close(figure)


def test_of_several_metrics_one_is_named(comparisons):
    both = [
        mt.load("wmt12/es-en").statistics(metric).select(["onlineA", "UPC"])
        for metric in ("BLEU", "TER")
    ]
    several = mt.compare_all(both, n_resamples=199, rng=1)
    with pytest.raises(mt.InputError, match="name one"):
        several.plot()
    plt.close(several.plot(metric="TER"))
