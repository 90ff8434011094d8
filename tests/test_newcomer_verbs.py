"""What a newcomer types works on every result: `len`, tables for papers, a picture."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.described import Described, Framed, Result, Tabled
from mtsig_nb.human.segment_scores import Judged
from mtsig_nb.outcomes.outcome import Outcome
from mtsig_nb.significance.results import OfPair, OfTest, Provenance

VERBS = (
    "plot",
    "to_frame",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_html",
    "__len__",
    "__repr__",
    "_repr_html_",
)
#: Of what an analysis finds, which has no frame but its table.
OUTCOME_VERBS = [verb for verb in VERBS if verb != "to_frame"]


def below(cls: type) -> set[type]:
    """A class and all that are made of it."""
    return {cls}.union(*(below(child) for child in cls.__subclasses__()))


def imported(*rooms: str) -> None:
    for module in pkgutil.walk_packages(mt.__path__, "mtsig_nb."):
        if module.name.split(".")[1] in rooms:
            importlib.import_module(module.name)


def results() -> list[type[Result]]:
    """All classes of results."""
    imported("significance", "human", "meta_evaluation", "conclusions")
    found = below(Result) - {Result, Tabled, Framed}
    return sorted(found, key=lambda cls: cls.__name__)


def all_described() -> set[type[Described]]:
    imported("significance", "human", "meta_evaluation", "conclusions")
    return below(Described)


@pytest.fixture(scope="module")
def comparisons() -> mt.Comparisons:
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
    return mt.compare_all(bleu, n_resamples=999, rng=1)


def bleu() -> mt.SufficientStatistics:
    return mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])


def soft() -> dict[str, Result]:
    campaign = mt.load("wmt12/es-en")
    return {
        metric: mt.soft_pairwise_accuracy(
            campaign.statistics(metric), campaign.human, n_resamples=200, rng=1
        )
        for metric in ("BLEU", "TER", "NIST")
    }


def ratings() -> mt.human.Ratings:
    rng = np.random.default_rng(3)
    rows = [
        (rater, system, segment, kind, rng.normal(70 + 5 * (system == "b"), 4))
        for rater in ("ann", "bob", "cat")
        for system in ("a", "b")
        for segment in range(6)
        for kind in ("SYSTEM", "BAD_REF")
    ]
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "type", "raw"])
    return mt.human.Ratings(frame)


def judged() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = [(s, k, rng.normal(70, 5)) for k in range(45) for s in ("a", "b", "c")]
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


def raters_at_looks() -> Result:
    rated = judged()
    rated["rater"] = [("ann", "bob", "cat")[segment % 3] for segment in rated["segment"]]
    found = mt.sequential_test(rated, planned=60, looks=[20, 40], rng=1)
    return mt.human.Ratings(rated).at_looks(found)


def preferences() -> mt.human.PairwisePreferences:
    return mt.load("wmt12/es-en").human


def compared_runs() -> Result:
    runs = {s: [f"{s}.opt{i}" for i in range(3)] for s in ("baseline", "sys1")}
    multeval = mt.load("multeval/en").statistics("BLEU")
    return mt.compare_runs(multeval, runs, n_resamples=200, rng=1)


def powered_by_predictions() -> Result:
    rng = np.random.default_rng(5)
    people = np.where(np.arange(90) < 40, rng.normal(1, 1, 90), np.nan)
    return mt.human.prediction_powered(people, rng.normal(1, 1, 90))


#: One of each class of results.
EXAMPLES = {
    "Agreement": lambda: mt.agreement(
        mt.compare_all(bleu(), n_resamples=199, rng=1).conclusions(),
        preferences().conclusions(),
        rng=1,
    ),
    "AgreementBySize": lambda: mt.agreement_by_size("BLEU", [1.0, 2.0]),
    "BradleyTerry": lambda: preferences().bradley_terry(ties="half"),
    "CampaignPlans": lambda: mt.human.plan_campaign(
        {"rater": 9.0, "system:rater": 1.0, "rest": 16.0},
        systems=3,
        raters=[2, 4],
        n_ratings=60,
        segments=2,
    ),
    "Clusters": lambda: mt.clusters(preferences().conclusions()),
    "Comparisons": lambda: mt.compare_all(bleu(), n_resamples=199, rng=1),
    "ConfidenceInterval": lambda: mt.confidence_interval(bleu(), "UPC", n_resamples=200, rng=1),
    "DetectableDifference": lambda: mt.minimum_detectable_difference(bleu()),
    "EquivalenceTest": lambda: mt.equivalence_test(
        bleu(), "UPC", "onlineA", margin=1, n_resamples=200, rng=1
    ),
    "MetricComparisons": lambda: mt.compare_metrics(soft()),
    "MixedModel": lambda: ratings().mixed_model(),
    "NextJudgements": lambda: mt.human.next_judgements(
        ratings().mixed_model(), pairs=[("a", "b")], n_ratings=20
    ),
    "PairResult": lambda: mt.bootstrap_test(bleu(), "UPC", "onlineA", n_resamples=200, rng=1),
    "PairTests": lambda: preferences().sign_test(),
    "PredictionPowered": powered_by_predictions,
    "RatersAtLooks": raters_at_looks,
    "QualityControl": lambda: ratings().quality_control(),
    "RunComparison": compared_runs,
    "SequentialTest": lambda: mt.sequential_test(judged(), planned=60, looks=[20, 40], rng=1),
    "SetComparisons": lambda: mt.compare_all(
        mt.test_sets({"x": bleu(), "y": bleu()}, shared=False, units="segments"),
        n_resamples=199,
        rng=1,
    ),
    "SoftPairwiseAccuracy": lambda: soft()["BLEU"],
    "ToolReport": lambda: mt.reported_by("sacrebleu-bs", bleu(), "UPC", "onlineA", rng=1),
    "VarianceComponents": lambda: ratings().variance_components("a", "b", standardised=False),
    "WMTRanking": lambda: ratings().wmt(),
}


@cache
def example(name: str) -> Result:
    """The result of that class, made once for all tests."""
    return EXAMPLES[name]()


def test_every_class_that_says_itself_is_a_result_or_what_people_said():
    bases = {Described, Provenance, OfTest, OfPair}
    assert all_described() - bases - below(Result) <= below(Judged)


def test_there_is_an_example_of_every_result():
    assert {cls.__name__ for cls in results()} == {*EXAMPLES}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_verb_works_on_every_result(name):
    result = example(name)
    assert type(result).__name__ == name
    n_rows = len(result)
    assert n_rows == len(result.table) == len(result.to_frame()) > 0
    assert result.to_csv().count("\n") == n_rows + 1
    assert len(result.to_markdown().splitlines()) >= n_rows + 2
    assert result.to_latex().count(r" \\") >= 2
    assert result.to_html().count("<tr>") >= n_rows + 1
    figure = result.plot(metric=result.metrics[0]) if name == "SetComparisons" else result.plot()
    assert figure.axes
    plt.close(figure)


@pytest.mark.parametrize("name", EXAMPLES)
def test_repr_is_a_line_and_a_notebook_shows_the_whole(name):
    result = example(name)
    assert repr(result).startswith(f"{name}(")
    assert "\n" not in repr(result)
    assert str(result).startswith(result.sentence.partition("\n")[0])
    shown = result._repr_mimebundle_()
    assert shown["text/plain"] == str(result)
    assert shown["text/html"] == result._repr_html_()


def test_outcomes_have_the_same_verbs():
    for verb in OUTCOME_VERBS:
        assert callable(getattr(Outcome, verb))


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
