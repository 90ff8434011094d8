"""What the tests, intervals and simulations refuse: messages name the argument and the culprit."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb import simulate
from mtsig_nb.significance.one_pair import run_test

from ..small_sets import means, real

SCORES = np.random.default_rng(1).normal(size=(2, 12))
AB = means(SCORES, systems=["alpha", "beta"])
PAIR = {"system_a": "alpha", "system_b": "beta"}
TWICE = {"system_b": "alpha"}
REAL_PAIR = {"statistics": real(), "system_a": "onlineC", "system_b": "onlineD"}
QUICK = {"n_resamples": 50, "rng": 1}
RUNS = means(np.ones((22, 5)), systems=[f"run{i}" for i in range(22)])
WEIGHTED = np.stack([SCORES, np.arange(24.0).reshape(2, 12) + 1], axis=-1)
STRATA = real().by_stratum(["a"] * 300 + ["b"] * 2703)

# What is given where nothing is wrong.
drawn = partial(run_test, test="ar", statistics=AB, **PAIR, **QUICK)
t_test, ranks, signs = (
    partial(test, statistics=AB, **PAIR)
    for test in (mt.paired_t_test, mt.signed_rank_test, mt.sign_test)
)
compare = partial(mt.compare_all, statistics=AB, **QUICK)
adjust = partial(mt.adjust_pvalues, pvalues=[0.5], correction="holm")
interval = partial(mt.confidence_interval, statistics=AB, **PAIR, **QUICK)
equivalence = partial(mt.equivalence_test, **REAL_PAIR, **QUICK, margin=1)
plan = partial(mt.minimum_detectable_difference, **REAL_PAIR)
reported = partial(mt.reported_by, tool="moses", statistics=AB, **PAIR)
runs = partial(mt.compare_runs, statistics=RUNS, runs={"A": ["run0"], "B": ["run1"]})
nulls = partial(simulate.exact_nulls, **REAL_PAIR, n_pairs=1)
equals = partial(
    simulate.equal_systems, real(), system="UPC", worse="onlineA", better="onlineB", n_pairs=1
)
centred = partial(simulate.centred_pairs, statistics=AB, **PAIR, n_pairs=1)
planted = partial(simulate.planted_difference, **REAL_PAIR, difference=0.5, n_pairs=1)
trained = partial(simulate.training_runs, **REAL_PAIR, spread=0.1, rng=1)
rates = partial(simulate.rejection_rates, nulls=nulls(), tests=["ar"], n_resamples=9)


def case(function, message, **wrong):
    """That `function` begins a message so, if it is given something `wrong`."""
    return function, wrong, message


PRINTED = "riezler-maxwell-bootstrap"
REFUSED = [
    case(drawn, "system='bta' is not known. Did you mean 'beta'?", system_b="bta"),
    case(drawn, "system_a and system_b are both 'alpha'", **TWICE),
    case(drawn, "alternative='two sided' .* Did you mean 'two-sided'?", alternative="two sided"),
    case(drawn, "counting='add one' is not known. Did you mean 'add-one'?", counting="add one"),
    case(drawn, "units='documents': .* has no documents", units="documents"),
    case(drawn, "units: all segments are in one unit, 'x'; give at least two", units=["x"] * 12),
    case(drawn, "n_resamples=0 must be a whole number from 1", n_resamples=0),
    case(drawn, "exact=True: the bootstrap test ", exact=True, test="bootstrap"),
    case(drawn, "exact=True: the systems", **REAL_PAIR, exact=True),
    case(drawn, "alternative='greater': ", test=PRINTED, alternative="greater"),
    case(t_test, "units: a t test needs at least two", statistics=AB.subset([0])),
    case(ranks, ".* Did you mean 'pratt'", zero_method="prat"),
    case(compare, "statistics: there are none. Give", statistics=[]),
    case(compare, "statistics: there is only one system, 'beta'", statistics=AB.select(["beta"])),
    case(compare, "statistics: the metric 'score' is given twice", statistics=[AB, AB]),
    case(
        compare,
        "statistics: TER and BLEU have other systems or segments",
        statistics=[real(), real("TER").subset(np.arange(10))],
    ),
    case(compare, "units='documents': .* has no documents.*column 'document'", units="documents"),
    case(compare, "alpha=5 must lie between 0 and 1", alpha=5),
    case(compare, "interval='bca' is not known", interval="bca"),
    case(
        compare,
        "interval_resamples=18: at 0.95, give 19 or more",
        interval="simultaneous",
        interval_resamples=18,
    ),
    case(compare, "correction='romano-wolf': does not go with the appr", correction="romano-wolf"),
    case(
        compare,
        "correction='westfall-young': ",
        correction="westfall-young",
        test="bootstrap",
    ),
    case(compare, "correction='tukey': is two-sided", correction="tukey", alternative="greater"),
    case(
        compare,
        "correction='romano-wolf': the bootstrap as printed .* has no valid null",
        correction="romano-wolf",
        test=PRINTED,
    ),
    case(adjust, "pvalues must all lie between 0 and 1", pvalues=[0.5, 1.5]),
    case(adjust, "pvalues must all lie", pvalues=[0.5, np.nan]),
    case(adjust, "correction='tukey' works on resamples", correction="tukey"),
    case(adjust, ".* is not known. Did you mean 'bonferroni'", correction="bonferoni"),
    case(interval, "method='studentized' is not known", method="studentized"),
    case(interval, "system_a and system_b are both 'alpha'; name two systems, or one", **TWICE),
    case(interval, "confidence_level=95 must lie between 0 and 1", confidence_level=95),
    case(equivalence, "margin=0 must be larger than 0", margin=0),
    case(equivalence, "margin=nan must be larger than 0", margin=float("nan")),
    case(equivalence, "alpha=0.5 must be below 0.5", alpha=0.5),
    case(equivalence, "alpha=0 must lie", alpha=0),
    case(equivalence, "n_resamples=0", n_resamples=0),
    case(plan, "n_units=1 must be whole numbers", n_units=1),
    case(plan, "n_units=10.5 must be whole numbers", n_units=10.5),
    case(plan, "comparisons=0", comparisons=0),
    case(plan, "alternative='both' is not known", alternative="both"),
    case(plan, "alpha=0 must lie", alpha=0),
    case(plan, "power=0.01 must lie between alpha=0.05 and 1", power=0.01),
    case(plan, "system_a and system_b: name two systems, or none", system_b=None),
    case(plan, "system_a and system_b are both 'onlineC'", system_b="onlineC"),
    case(reported, ".* Did you mean 'sacrebleu-bs'", tool="sacrebleu_bs"),
    case(reported, "n_resamples=0", n_resamples=0),
    case(runs, "runs: give exactly two systems, .* not 1", runs={"A": ["run0"]}),
    case(runs, "runs: .* not 3", runs={"A": ["run0"], "B": ["run1"], "C": ["run2"]}),
    case(runs, "runs: give a list of one run or more for 'B'", runs={"A": ["run0"], "B": []}),
    case(runs, "runs: .* one run or more for 'A', not 'run0'", runs={"A": "run0", "B": ["run1"]}),
    case(
        runs,
        ".*'run0', 'run1', 'run1'.: give each once",
        runs={"A": ["run0", "run1"], "B": ["run1"]},
    ),
    case(runs, ".* Did you mean 'run1'", runs={"A": ["run0"], "B": ["rnu1"]}),
    case(runs, ".* at most 20", runs={"A": RUNS.systems[:11], "B": RUNS.systems[11:]}),
    case(nulls, ".* as they were before by_stratum", statistics=STRATA),
    case(
        equals,
        "system='onlineB' must score between worse='onlineA'",
        system="onlineB",
        better="UPC",
    ),
    case(centred, "centred_pairs needs .* BLEU is not", **REAL_PAIR),
    case(centred, "n_units=0", n_units=0),
    case(planted, "difference=99 is more than .*: at most", difference=99),
    case(trained, "spread=-1 .* cannot be negative", spread=-1),
    case(trained, ".* a run would have to be", spread=500),
    case(trained, "n_runs=0", n_runs=0),
    case(trained, r"correlation=1\.5 must lie between 0 and 1", correlation=1.5),
    case(rates, r"nulls .* made by a function of mt\.simulate", nulls=AB),
    case(rates, "alpha=5", alpha=5),
    *(
        refused
        for test in (t_test, ranks, signs)
        for refused in (
            case(test, r".* not BLEU\. Use approximate_randomization", **REAL_PAIR),
            case(test, ".* equal weight", statistics=dataclasses.replace(AB, values=WEIGHTED)),
            case(
                test, ".* needs a mean of scores of units of equal weight", units=[0] * 5 + [1] * 7
            ),
            case(test, ".* Did you mean 'two-sided'", alternative="two-tailed"),
            case(test, ".* needs two systems", **TWICE),
        )
    ),
]
WRONG_TYPES = {
    "alpha": ["0.05", None, True, 1e-320, float("nan")],
    "test": [5, None],
    "correction": [3, ["holm"]],
    "interval": [3],
    "confidence_level": ["95", 95],
    "executor": [5, "threads"],
    "counting": [7, None],
    "alternative": [None, 2],
    "n_resamples": [2.5, "many"],
}
TAKEN = {
    compare: WRONG_TYPES,
    drawn: ("test", "executor", "counting", "alternative", "n_resamples"),
    interval: ("confidence_level", "n_resamples"),
}
REFUSED += [
    (f, {n: x}, f"{n}=") for f, names in TAKEN.items() for n in names for x in WRONG_TYPES[n]
]


@pytest.mark.parametrize(("function", "wrong", "message"), REFUSED)
def test_bad_input_is_refused_by_name(function, wrong, message):
    with pytest.raises(mt.InputError, match=f"^{message}"):
        function(**wrong)


@pytest.mark.parametrize("function", dict.fromkeys(f for f, *_ in REFUSED))
def test_nothing_else_was_wrong(function):
    function()
