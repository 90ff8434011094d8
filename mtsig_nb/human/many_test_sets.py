"""The mean of differences over several test sets, each of which has people of its own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..engine.procedures import Alternative
from ..errors import InputError
from ..notes import note
from ..statistics.sufficient import pair_indices
from .pair_tests import PairTests
from .tails import margin_of_error


def mean_over_test_sets(
    tests: Mapping[str, PairTests], *, alternative: Alternative = "two-sided"
) -> PairTests:
    """Tests of all pairs on the mean of their differences over several test sets.

    Parameters
    ----------
    tests : mapping of str to PairTests
        The tests of each test set, by its name, such as ``ratings.mixed_model().tests()``: their
        tables have ``difference``, ``standard_error`` and ``degrees_of_freedom``.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    PairTests
        Student's t tests of the systems that all test sets have.  Its table has ``difference``,
        ``standard_error``, ``degrees_of_freedom``, ``low`` and ``high`` (of the 95 % interval) for
        `system_a` minus `system_b`.

    Raises
    ------
    InputError
        If there is no test set, or fewer than two systems are in all of them.

    Notes
    -----
    All test sets have the same weight.  Their errors are treated as independent, as they are if
    each test set has its own raters and documents.  The degrees of freedom of the sum of their
    variances are Satterthwaite's (1946).

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> tests = {
    ...     pair: mt.load(f"wmt23/{pair}").judgements["mqm_ratings"].tests_over_samples()
    ...     for pair in ("en-de", "zh-en")
    ... }
    >>> found = mean_over_test_sets(tests)
    >>> found.conclusions(0.05, correction="holm").word("ONLINE-W", "NLLB_MBR_BLEU")
    'better'
    """
    if not tests:
        raise InputError("tests: there is no test set.")
    scores_by_set = pd.DataFrame({name: found.scores for name, found in tests.items()})
    scores = scores_by_set.dropna().mean(axis=1).sort_values(ascending=False, kind="stable")
    n = len(scores)
    if n < 2:
        raise InputError(f"tests: {n} of the systems are in all test sets; a mean needs two.")
    parts = [_of_pairs(found, scores.index) for found in tests.values()]
    difference = np.mean([part["difference"] for part in parts], axis=0)
    variances = np.array([part["standard_error"] ** 2 for part in parts])
    freedom_of_parts = np.array([part["degrees_of_freedom"] for part in parts])
    variance = variances.sum(axis=0)
    freedom = variance**2 / np.sum(variances**2 / freedom_of_parts, axis=0)
    error = np.sqrt(variance) / len(parts)
    margin = margin_of_error(error, freedom, 0.95)
    left_out = sorted(set(scores_by_set.index) - set(scores.index))
    notes = [note("not-in-all-test-sets", systems=", ".join(left_out))] if left_out else []
    return PairTests.of_t(
        scores,
        title=f"t tests on the mean over {len(parts)} test sets",
        alternative=alternative,
        difference=difference,
        t=difference / error,
        freedom=freedom,
        details={
            "difference": difference,
            "standard_error": error,
            "degrees_of_freedom": freedom,
            "low": difference - margin,
            "high": difference + margin,
        },
        pair_notes=[""] * len(difference),
        notes=tuple(notes),
    )


def _of_pairs(tests: PairTests, systems: pd.Index) -> pd.DataFrame:
    """The rows of each pair of these systems, in the order of `pair_indices`.

    Their ``difference`` is the first of a pair minus the second.
    """
    columns = ["system_a", "system_b", "difference", "standard_error", "degrees_of_freedom"]
    table = tests.table[columns]
    turned = table.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    turned = turned.assign(difference=-table["difference"])
    both_ways = pd.concat([table, turned]).set_index(["system_a", "system_b"])
    a, b = pair_indices(len(systems))
    return both_ways.loc[pd.MultiIndex.from_arrays([systems[a], systems[b]])]
