"""What tests of campaigns of ratings say, counted; and how far estimates are from the truth.

Systems 0 and 1 of a campaign are equally good, 2 and 3 are, and so on; 1 is better than 2, and 3
than 4.  All of them are neighbours.  Beside its counts a row has what was found in each of the
`campaigns`, so that these, and not their pairs, are the units of Monte Carlo errors.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from mtsig_nb.human import Ratings, mean_over_test_sets
from mtsig_nb.human.field_rules import FIELD_RULES
from mtsig_nb.human.mixed_model import MixedModel
from mtsig_nb.human.pair_tests import PairTests
from mtsig_nb.metrics.base import FloatArray

from .rows import FIRST_LEVEL, LEVELS, Row, Seed, of_units, row_of, row_of_test
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
#: What tests claim of the pairs of each campaign: a list for each campaign, an element for each
#: pair.
Claims = list[list[bool]]
#: Of one campaign: differences of equally good systems, by the name of the estimate; and
#: ``freedom``, the degrees of freedom of their tests.
Errors = dict[str, list[float]]
Summary = dict[str, Any]


def of_campaigns(setting: Setting, made: list[TestSets], seed: Seed) -> Iterator[Row]:
    """The mixed model, the moments and the field's rules on campaigns of one test set each."""
    models = rows_of_models(made, "mixed-model", "Ratings.mixed_model")
    yield from of_units(SAMPLES, models)
    few = made[: setting.n_slow]
    moments = rows_of_moments(few, "components-0", "Ratings.tests_over_samples")
    yield from of_units(SAMPLES, moments)
    frames = [only for (only,) in made]
    rules = rows_of_rules(frames, seed(1))
    yield from of_units(ITEMS, rules)


def over_test_sets(setting: Setting, made: list[TestSets], seed: Seed) -> Iterator[Row]:
    """The mean over several test sets of what the mixed model says, and of the moments."""
    models = rows_of_models(made, "mean-over-test-sets", "mean_over_test_sets, of mixed models")
    yield from of_units(SAMPLES, models)
    few = made[: setting.n_slow]
    moments = rows_of_moments(few, "mean-of-moments", "mean_over_test_sets, of moments")
    yield from of_units(SAMPLES, moments)


def equal_pairs(systems: Sequence[str]) -> list[Pair]:
    """The neighbours that are equally good, of systems in the order of their quality."""
    neighbours = list(itertools.pairwise(systems))
    return neighbours[::2]


def unequal_pairs(systems: Sequence[str]) -> list[Pair]:
    """The neighbours of which the first is better, of systems in the order of their quality."""
    neighbours = list(itertools.pairwise(systems))
    return neighbours[1::2]


def rows_of_models(made: list[TestSets], name: str, title: str) -> Iterator[Row]:
    """False claims of mixed models, their power, and the errors of their estimates."""
    pvalues_of_equal = []
    found = []
    errors = []
    for test_sets in made:
        models = []
        for frame in test_sets:
            ratings = Ratings(frame, scale=None)
            models.append(ratings.mixed_model())
        tests_of_sets = [model.tests() for model in models]
        tests = combined(tests_of_sets)
        systems = sorted(tests.scores.index)
        equal = equal_pairs(systems)
        unequal = unequal_pairs(systems)
        pvalues = pvalues_of_pairs(tests, equal)
        pvalues_of_equal.append(pvalues)
        found.append([finds(tests, pair) for pair in unequal])
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
        systems = systems_of(test_sets[0])
        pvalues = []
        for pair in equal_pairs(systems):
            tests = by_moments(test_sets, pair)
            pvalues.append(pvalue_of_pair(tests, pair))
        pvalues_of_equal.append(pvalues)
        is_found = []
        for pair in unequal_pairs(systems):
            tests = by_moments(test_sets, pair)
            is_found.append(finds(tests, pair))
        found.append(is_found)
    yield row_of_claims(name, title, pvalues_of_equal)
    yield row_of_power(name, title, found)


def rows_of_rules(frames: list[pd.DataFrame], seed: int) -> Iterator[Row]:
    """False claims of the field's rules, where they compare equally good systems."""
    claims: dict[str, Claims] = {rule: [] for rule in RULES}
    for number, frame in enumerate(frames, start=seed):
        ratings = Ratings(frame, scale=None)
        by_rules = ratings.by_field_rules(rng=number)
        equal = equal_pairs(systems_of(frame))
        is_equal = are_among(by_rules, equal)
        compared = by_rules[is_equal]
        for rule in RULES:
            is_of_rule = compared["rule"] == rule
            claimed = compared.loc[is_of_rule, "better"]
            claims[rule].append(claimed.tolist())
    for rule, claims_of_rule in claims.items():
        yield row_of_rule(rule, claims_of_rule)


def systems_of(frame: pd.DataFrame) -> list[str]:
    """The systems that have ratings, in the order of their quality."""
    systems = frame["system"].unique()
    return sorted(systems)


def are_among(table: pd.DataFrame, pairs: Sequence[Pair]) -> list[bool]:
    """Whether the pair of each row is one of `pairs`, in whichever order it has its systems."""
    is_among = []
    both = zip(table["system_a"], table["system_b"], strict=True)
    for pair in both:
        in_order = tuple(sorted(pair))
        is_among.append(in_order in pairs)
    return is_among


def row_of_rule(rule: str, claims: Claims) -> Row:
    """False claims of a rule, of the pairs that it compared in each campaign."""
    every = list(itertools.chain(*claims))
    n_claims = sum(every)
    n_pairs = len(every)
    counts = {FIRST_LEVEL: n_claims}
    title = FIELD_RULES[rule].title
    return row_of("rules", rule, title, n_pairs, counts, tool=rule, campaigns=claims)


def combined(tests: Sequence[PairTests]) -> PairTests:
    """The tests of the mean over several test sets, or those of the only one."""
    if len(tests) == 1:
        return tests[0]
    by_name = {f"test set {k}": given for k, given in enumerate(tests)}
    return mean_over_test_sets(by_name)


def by_moments(test_sets: TestSets, pair: Pair) -> PairTests:
    """The test of two systems by moments, over all test sets.

    It takes nothing but their own ratings, so that all others are left out, which saves time.
    """
    tests = []
    for frame in test_sets:
        is_of_pair = frame["system"].isin(pair)
        ratings = Ratings(frame[is_of_pair], scale=None)
        tests_of_set = ratings.tests_over_samples(standardised=False)
        tests.append(tests_of_set)
    return combined(tests)


def pvalue_of_pair(tests: PairTests, pair: Pair) -> float:
    """The p-value of a pair."""
    systems = list(tests.scores.index)
    row, column = [systems.index(system) for system in pair]
    return float(tests.pvalues[row, column])


def pvalues_of_pairs(tests: PairTests, pairs: Sequence[Pair]) -> list[float]:
    """The p-values of these pairs."""
    return [pvalue_of_pair(tests, pair) for pair in pairs]


def finds(tests: PairTests, pair: Pair) -> bool:
    """Whether a test finds that the first of a pair is better."""
    is_told_apart = pvalue_of_pair(tests, pair) <= LEVELS[0]
    better, worse = tests.scores[list(pair)]
    return is_told_apart and bool(better > worse)


def errors_of_estimates(
    tests: PairTests, models: Sequence[MixedModel], equal: Sequence[Pair]
) -> Errors:
    """Differences of equally good systems by each estimate, and their tests' degrees of freedom.

    The means are those of all test sets, of which `models` has one each.
    """
    effects = pd.concat([model.effects for model in models])
    by_system = effects.groupby("system")
    by_estimate = {
        "model": tests.scores,
        "centred": by_system["centred"].mean(),
        "plain": by_system["mean"].mean(),
    }
    errors = {}
    for name, scores in by_estimate.items():
        errors[name] = [float(scores[a] - scores[b]) for a, b in equal]
    table = tests.table.set_index(["system_a", "system_b"])
    freedom = table["degrees_of_freedom"]
    errors["freedom"] = [freedom_of_pair(freedom, pair) for pair in equal]
    return errors


def freedom_of_pair(freedom: pd.Series, pair: Pair) -> float:
    """The degrees of freedom of a pair, whichever system of it is better."""
    is_turned = pair not in freedom.index
    label = pair[::-1] if is_turned else pair
    return float(freedom[label])


def row_of_claims(name: str, title: str, pvalues: list[list[float]]) -> Row:
    """False claims between equally good systems; `pvalues` has a list for each campaign."""
    row = row_of_test(name, title, pvalues, candidate=True)
    claims = np.asarray(pvalues) <= LEVELS[0]
    row["campaigns"] = claims.tolist()
    return row


def row_of_power(name: str, title: str, found: Claims) -> Row:
    """How often the better of two neighbours is found."""
    n_found = np.sum(found)
    counts = {FIRST_LEVEL: int(n_found)}
    n_pairs = np.size(found)
    return row_of("power", name, title, n_pairs, counts, campaigns=found)


def row_of_estimates(errors: list[Errors]) -> Row:
    """How far estimates are from the truth; `errors` are those of each campaign."""
    by_model = np.abs(by_campaign(errors, "model"))
    plain = np.abs(by_campaign(errors, "plain"))
    is_closer = by_model < plain
    counts = {"closer": int(is_closer.sum())}
    title = "differences of equally good systems"
    return row_of("estimates", "estimates", title, is_closer.size, counts, campaigns=errors)


def by_campaign(errors: list[Errors], name: str) -> FloatArray:
    """What campaigns have under a name, shape (campaigns, pairs)."""
    return np.array([campaign[name] for campaign in errors])


def summary_of_claims(claims: Claims) -> Summary:
    """The Monte Carlo standard error of a share, whose pairs are not independent in a campaign."""
    n_claims = []
    n_pairs = []
    for campaign in claims:
        n_claims.append(sum(campaign))
        n_pairs.append(len(campaign))
    share = ratio_of_means(np.array(n_claims), np.array(n_pairs))
    error = round(share.error, 5)
    return {"campaigns": len(claims), "error": error}


def summary_of_estimates(errors: list[Errors]) -> Summary:
    """Mean absolute errors of estimates, their biases, and the ratio of their mean squares.

    The ratio is that of plain means to the model.  Each has its Monte Carlo standard error beside
    it.  Of degrees of freedom there is the median.
    """
    summary: Summary = {"campaigns": len(errors)}
    mean_squares = {}
    for name in ESTIMATES:
        differences = by_campaign(errors, name)
        squares = differences**2
        mean_squares[name] = squares.mean(axis=1)
        absolute = np.abs(differences).mean(axis=1)
        bias = differences.mean(axis=1)
        summary[name] = mean_over_campaigns(absolute).rounded()
        summary[f"bias of {name}"] = mean_over_campaigns(bias).rounded()
    ratio = ratio_of_means(mean_squares["plain"], mean_squares["model"])
    summary["ratio"] = ratio.rounded()
    freedom = np.median(by_campaign(errors, "freedom"))
    summary["freedom"] = round(float(freedom), 2)
    return summary


#: By the group of a row, what makes a summary of what was found in each campaign.
SUMMARIES: Mapping[str, Callable[[list[Any]], Summary]] = {
    "tests": summary_of_claims,
    "power": summary_of_claims,
    "rules": summary_of_claims,
    "estimates": summary_of_estimates,
}


class Estimate(NamedTuple):
    """A number from simulated campaigns, and its Monte Carlo standard error."""

    value: float
    error: float

    def rounded(self) -> list[float]:
        """Four decimals of both, as the page's numbers are kept."""
        value = round(self.value, 4)
        error = round(self.error, 4)
        return [value, error]


def mean_over_campaigns(values: FloatArray) -> Estimate:
    """The mean, and its standard error."""
    ones = np.ones(len(values))
    return ratio_of_means(values, ones)


def ratio_of_means(numerators: npt.NDArray[Any], denominators: npt.NDArray[Any]) -> Estimate:
    """The ratio of two means over campaigns, and its standard error by the delta method."""
    mean = denominators.mean()
    ratio = numerators.mean() / mean
    residuals: FloatArray = numerators - ratio * denominators
    deviation = residuals.std(ddof=1)
    error_of_mean = deviation / np.sqrt(len(residuals))
    error = error_of_mean / mean
    return Estimate(float(ratio), float(error))
