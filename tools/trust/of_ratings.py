"""What tests of campaigns of ratings say, counted; and how far estimates are from the truth.

Systems 0 and 1 of a campaign are equally good, 2 and 3 are, and so on; 1 is better than 2, and 3
than 4.  All of them are neighbours.  Beside its counts a row has what was found in each of the
`campaigns`, so that these, and not their pairs, are the units of Monte Carlo errors.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from mtsig_nb.human import Ratings, mean_over_test_sets
from mtsig_nb.human.field_rules import FIELD_RULES
from mtsig_nb.human.mixed_model import MixedModel
from mtsig_nb.human.pair_tests import PairTests
from mtsig_nb.metrics.base import FloatArray

from .rows import LEVELS, Row, Seed, of_units, row_of, row_of_test
from .worlds import Setting

#: The rules of the field that are shown.
RULES = ("wmt26", "pearmut", "wmt25")
#: What a mixed model and the moments take for samples, and what the rules do.
SAMPLES = "raters, documents"
ITEMS = "items"

#: Estimates of a difference of two systems.
ESTIMATES = ("model", "centred", "plain")

#: Ratings of a campaign, a frame for each test set.
TestSets = Sequence[pd.DataFrame]
Pair = tuple[str, str]


def of_campaigns(setting: Setting, made: list[TestSets], seed: Seed) -> Iterator[Row]:
    """The mixed model, the moments and the field's rules on campaigns of one test set each."""
    yield from of_units(SAMPLES, rows_of_models(made, "mixed-model", "Ratings.mixed_model"))
    few = made[: setting.n_slow]
    title = "Ratings.tests_over_samples"
    yield from of_units(SAMPLES, rows_of_moments(few, "components-0", title))
    yield from of_units(ITEMS, rows_of_rules([only for (only,) in made], seed(1)))


def over_test_sets(setting: Setting, made: list[TestSets], seed: Seed) -> Iterator[Row]:
    """The mean over several test sets of what the mixed model says, and of the moments."""
    models = rows_of_models(made, "mean-over-test-sets", "mean_over_test_sets, of mixed models")
    yield from of_units(SAMPLES, models)
    few = made[: setting.n_slow]
    title = "mean_over_test_sets, of moments"
    yield from of_units(SAMPLES, rows_of_moments(few, "mean-of-moments", title))


def equal_pairs(systems: Sequence[str]) -> list[Pair]:
    """The neighbours that are equally good, of systems in the order of their quality."""
    return list(itertools.pairwise(systems))[::2]


def unequal_pairs(systems: Sequence[str]) -> list[Pair]:
    """The neighbours of which the first is better, of systems in the order of their quality."""
    return list(itertools.pairwise(systems))[1::2]


def rows_of_models(made: list[TestSets], name: str, title: str) -> Iterator[Row]:
    """False claims of mixed models, their power, and the errors of their estimates."""
    pvalues_of_equal = []
    found = []
    errors = []
    for test_sets in made:
        models = [Ratings(frame, scale=None).mixed_model() for frame in test_sets]
        tests = combined([model.tests() for model in models])
        systems = sorted(tests.scores.index)
        equal = equal_pairs(systems)
        pvalues_of_equal.append(pvalues_of_pairs(tests, equal))
        found.append([finds(tests, pair) for pair in unequal_pairs(systems)])
        errors.append(errors_of_estimates(tests, models, equal))
    yield row_of_claims(name, title, pvalues_of_equal)
    yield row_of_power(name, title, found)
    yield row_of_estimates(errors)


def rows_of_moments(made: list[TestSets], name: str, title: str) -> Iterator[Row]:
    """False claims of tests by moments, and their power; nothing where there is no campaign."""
    if not made:
        return
    pvalues_of_equal = []
    found = []
    for test_sets in made:
        systems = sorted(test_sets[0]["system"].unique())
        tests_of_equal = [by_moments(test_sets, pair) for pair in equal_pairs(systems)]
        pvalues_of_equal.append([tests.table["pvalue"].item() for tests in tests_of_equal])
        found.append([finds(by_moments(test_sets, pair), pair) for pair in unequal_pairs(systems)])
    yield row_of_claims(name, title, pvalues_of_equal)
    yield row_of_power(name, title, found)


def rows_of_rules(frames: list[pd.DataFrame], seed: int) -> Iterator[Row]:
    """False claims of the field's rules, where they compare equally good systems."""
    claims: dict[str, list[list[bool]]] = {rule: [] for rule in RULES}
    for number, frame in enumerate(frames, start=seed):
        by_rules = Ratings(frame, scale=None).by_field_rules(rng=number)
        equal = equal_pairs(sorted(frame["system"].unique()))
        pairs = by_rules[["system_a", "system_b"]].to_numpy()
        is_equal = [tuple(sorted(pair)) in equal for pair in pairs]
        of_equal = by_rules[is_equal]
        for rule in RULES:
            is_of_rule = of_equal["rule"] == rule
            claims[rule].append(of_equal.loc[is_of_rule, "better"].tolist())
    for rule, claims_of_rule in claims.items():
        yield row_of_rule(rule, claims_of_rule)


def row_of_rule(rule: str, claims: list[list[bool]]) -> Row:
    """False claims of a rule; `claims` has a list for each campaign, of the pairs it compared."""
    every = list(itertools.chain(*claims))
    counts = {f"{LEVELS[0]:g}": sum(every)}
    title = FIELD_RULES[rule].title
    return row_of("rules", rule, title, len(every), counts, tool=rule, campaigns=claims)


def combined(tests: Sequence[PairTests]) -> PairTests:
    """The tests of the mean over several test sets, or those of the only one."""
    if len(tests) == 1:
        return tests[0]
    return mean_over_test_sets({f"test set {k}": given for k, given in enumerate(tests)})


def by_moments(test_sets: TestSets, pair: Pair) -> PairTests:
    """The test of two systems by moments, over all test sets.

    It takes nothing but their own ratings, so that all others are left out, which saves time.
    """
    tests = []
    for frame in test_sets:
        of_pair = frame[frame["system"].isin(pair)]
        ratings = Ratings(of_pair, scale=None)
        tests.append(ratings.tests_over_samples(standardised=False))
    return combined(tests)


def pvalues_of_pairs(tests: PairTests, pairs: Sequence[Pair]) -> list[float]:
    """The p-values of these pairs."""
    systems = list(tests.scores.index)
    return [float(tests.pvalues[systems.index(a), systems.index(b)]) for a, b in pairs]


def finds(tests: PairTests, pair: Pair) -> bool:
    """Whether a test finds that the first of a pair is better."""
    (pvalue,) = pvalues_of_pairs(tests, [pair])
    better, worse = pair
    return pvalue <= LEVELS[0] and tests.scores[better] > tests.scores[worse]


def errors_of_estimates(
    tests: PairTests, models: Sequence[MixedModel], equal: Sequence[Pair]
) -> dict[str, list[float]]:
    """Differences of equally good systems, by estimate; and ``freedom`` of the tests of them.

    The means are those of all test sets, of which `models` has one each.
    """
    effects = [model.effects.set_index("system")[["centred", "mean"]] for model in models]
    means = pd.concat(effects).groupby("system").mean()
    by_estimate = {"model": tests.scores, "centred": means["centred"], "plain": means["mean"]}
    errors = {}
    for name, scores in by_estimate.items():
        errors[name] = [float(scores[a] - scores[b]) for a, b in equal]
    freedom = tests.table.set_index(["system_a", "system_b"])["degrees_of_freedom"]
    errors["freedom"] = [freedom_of_pair(freedom, pair) for pair in equal]
    return errors


def freedom_of_pair(freedom: pd.Series, pair: Pair) -> float:
    """The degrees of freedom of a pair, whichever system of it is better."""
    a, b = pair
    is_turned = pair not in freedom.index
    return float(freedom[b, a] if is_turned else freedom[a, b])


def row_of_claims(name: str, title: str, pvalues: list[list[float]]) -> Row:
    """False claims between equally good systems; `pvalues` has a list for each campaign."""
    row = row_of_test(name, title, pvalues, candidate=True)
    claims = np.asarray(pvalues) <= LEVELS[0]
    row["campaigns"] = claims.tolist()
    return row


def row_of_power(name: str, title: str, found: list[list[bool]]) -> Row:
    """How often the better of two neighbours is found; `found` has a list for each campaign."""
    counts = {f"{LEVELS[0]:g}": int(np.sum(found))}
    return row_of("power", name, title, np.size(found), counts, campaigns=found)


def row_of_estimates(errors: list[dict[str, list[float]]]) -> Row:
    """How far estimates are from the truth; `errors` are those of each campaign."""
    by_model = np.abs([campaign["model"] for campaign in errors])
    plain = np.abs([campaign["plain"] for campaign in errors])
    counts = {"closer": int((by_model < plain).sum())}
    title = "differences of equally good systems"
    return row_of("estimates", "estimates", title, by_model.size, counts, campaigns=errors)


def summary_of_claims(claims: list[list[bool]]) -> dict[str, Any]:
    """The Monte Carlo standard error of a share, whose pairs are not independent in a campaign."""
    n_claims = np.array([sum(campaign) for campaign in claims])
    n_pairs = np.array([len(campaign) for campaign in claims])
    _, error = ratio_of_means(n_claims, n_pairs)
    return {"campaigns": len(claims), "error": round(error, 5)}


def summary_of_estimates(errors: list[dict[str, list[float]]]) -> dict[str, Any]:
    """Mean absolute errors of estimates, their biases, and the ratio of their mean squares.

    The ratio is that of plain means to the model.  Each has its Monte Carlo standard error beside
    it.  Of degrees of freedom there is the median.
    """
    summary: dict[str, Any] = {"campaigns": len(errors)}
    mean_squares = {}
    for name in ESTIMATES:
        of_estimate = np.array([campaign[name] for campaign in errors])
        absolute = np.abs(of_estimate).mean(axis=1)
        mean_squares[name] = (of_estimate**2).mean(axis=1)
        summary[name] = rounded(mean_over_campaigns(absolute))
        summary[f"bias of {name}"] = rounded(mean_over_campaigns(of_estimate.mean(axis=1)))
    summary["ratio"] = rounded(ratio_of_means(mean_squares["plain"], mean_squares["model"]))
    freedom = [campaign["freedom"] for campaign in errors]
    summary["freedom"] = round(float(np.median(freedom)), 2)
    return summary


#: By the group of a row, what makes a summary of what was found in each campaign.
SUMMARIES: Mapping[str, Callable[[list[Any]], dict[str, Any]]] = {
    "tests": summary_of_claims,
    "power": summary_of_claims,
    "rules": summary_of_claims,
    "estimates": summary_of_estimates,
}


def mean_over_campaigns(values: FloatArray) -> tuple[float, float]:
    """The mean, and its standard error."""
    return ratio_of_means(values, np.ones(len(values)))


def ratio_of_means(
    numerators: npt.NDArray[Any], denominators: npt.NDArray[Any]
) -> tuple[float, float]:
    """The ratio of two means over campaigns, and its standard error by the delta method."""
    ratio = numerators.mean() / denominators.mean()
    residuals: FloatArray = numerators - ratio * denominators
    error = residuals.std(ddof=1) / np.sqrt(len(residuals)) / denominators.mean()
    return float(ratio), float(error)


def rounded(numbers: tuple[float, float]) -> list[float]:
    """Four decimals of each."""
    return [round(number, 4) for number in numbers]
