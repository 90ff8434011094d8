"""Five tests in plain loops: the same p-values to the last bit.

Nothing here is the package's but what is tested.  The loops know sacreBLEU's counts, the formulas
of the papers, and the stream of random numbers that ``mtsig_nb/engine/resampling.py`` describes.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import mtsig_nb as mt

N_RESAMPLES, SEED = 700, 11
#: Resamples that are drawn from one seed of the stream.
BLOCK = 500
SIDES = ("two-sided", "greater", "less")
PAIRS = (("onlineB", "uedin-wmt12"), ("UPC", "jhu-hiero"))


# The stream.


def raw_words(block: int, n_words: int) -> list[int]:
    """The first 64-bit words of a block's generator."""
    sequence = np.random.SeedSequence(SEED, spawn_key=(block,))
    return [int(word) for word in np.random.PCG64(sequence).random_raw(n_words)]


def sizes_of_blocks() -> list[int]:
    """How many resamples each block has."""
    whole, rest = divmod(N_RESAMPLES, BLOCK)
    return [BLOCK] * whole + [rest] * (rest > 0)


def coins(n_units: int) -> list[list[int]]:
    """Of each shuffle, 1 for every unit that keeps its outputs in place: bits, the lowest first."""
    shuffles = []
    words_each = math.ceil(n_units / 64)
    for block, size in enumerate(sizes_of_blocks()):
        words = raw_words(block, size * words_each)
        for row in range(size):
            own = words[row * words_each : (row + 1) * words_each]
            shuffles.append([own[i // 64] >> (i % 64) & 1 for i in range(n_units)])
    return shuffles


def draws(n_units: int) -> list[list[int]]:
    """Of each bootstrap resample the numbers of the units drawn: two fractions to a word."""
    resamples = []
    for block, size in enumerate(sizes_of_blocks()):
        fractions = []
        for word in raw_words(block, math.ceil(size * n_units / 2)):
            fractions += [word % 2**32, word >> 32]
        for row in range(size):
            own = fractions[row * n_units : (row + 1) * n_units]
            resamples.append([fraction * n_units >> 32 for fraction in own])
    return resamples


# Scores.


def bleu(sums: list[float]) -> float:
    """BLEU of sacreBLEU's counts, smoothed as it does by default."""
    hyp_len, ref_len, *counts = sums
    matches, totals = counts[:4], counts[4:]
    if not any(matches):
        return 0.0
    logarithms, halved = 0.0, 1.0
    for match, total in zip(matches, totals, strict=True):
        if total == 0:
            return 0.0
        if match == 0:
            halved *= 2
            logarithms += math.log(100 / (halved * total))
        else:
            logarithms += math.log(100 * match / total)
    penalty = 1.0 if hyp_len >= ref_len else math.exp(1 - ref_len / hyp_len)
    return penalty * math.exp(logarithms / 4)


def edit_rate(sums: list[float]) -> float:
    """TER, turned so that more is better."""
    return -100 * sums[0] / sums[1]


def mean(sums: list[float]) -> float:
    return sums[0] / sums[1]


SCORES = {"BLEU": bleu, "TER": edit_rate, "mean": mean}


def summed(rows: list[list[float]]) -> list[float]:
    return [math.fsum(column) for column in zip(*rows, strict=True)]


# The tests.


class Loops:
    """A pair of systems: lists of counts of each unit, and the number of segments in each."""

    def __init__(self, score, a, b, sizes) -> None:
        self.score = score
        self.a, self.b = a, b
        self.sizes = sizes
        self.n = len(a)
        self.difference = score(summed(a)) - score(summed(b))

    def exchanged(self) -> list[float]:
        found = []
        for kept in coins(self.n):
            first = [a if keep else b for a, b, keep in zip(self.a, self.b, kept, strict=True)]
            second = [b if keep else a for a, b, keep in zip(self.a, self.b, kept, strict=True)]
            found.append(self.score(summed(first)) - self.score(summed(second)))
        return found

    def without(self, rows: list[list[float]]) -> list[float]:
        """The score without each of the units."""
        whole = summed(rows)
        return [
            self.score([total - count for total, count in zip(whole, row, strict=True)])
            for row in rows
        ]

    def signs(self) -> list[float]:
        share = [size / sum(self.sizes) for size in self.sizes]
        influence = []
        for w, left_a, left_b in zip(
            share, self.without(self.a), self.without(self.b), strict=True
        ):
            of_a = (1 - w) * (self.score(summed(self.a)) - left_a)
            of_b = (1 - w) * (self.score(summed(self.b)) - left_b)
            influence.append(of_a - of_b)
        differing = [i for i in range(self.n) if self.a[i] != self.b[i]]
        z = self.adding_up_to(self.difference, influence, share, differing)
        rest = self.adding_up_to(self.difference, influence, share, range(self.n))
        for k, i in enumerate(differing):
            rest[i] -= z[k]
        wider = math.sqrt(1 + math.fsum(x**2 for x in rest) / math.fsum(x**2 for x in z))
        found = []
        for kept in coins(self.n):
            terms = [z[k] if kept[i] else -z[k] for k, i in enumerate(differing)]
            found.append(wider * math.fsum(terms))
        return found

    @staticmethod
    def adding_up_to(total, influence, share, members) -> list[float]:
        lacking = total - math.fsum(influence[i] for i in members)
        size = math.fsum(share[i] for i in members)
        return [influence[i] + lacking * share[i] / size for i in members]

    def resampled(self) -> list[float]:
        return [
            self.score(summed([self.a[i] for i in drawn]))
            - self.score(summed([self.b[i] for i in drawn]))
            for drawn in draws(self.n)
        ]

    def studentised(self) -> tuple[list[float], float]:
        """t-values of the resamples, and the test set's own."""
        left_a, left_b = self.without(self.a), self.without(self.b)
        middle = math.fsum(a - b for a, b in zip(left_a, left_b, strict=True)) / self.n
        v = [
            (self.n - 1) / self.n * (middle - (a - b)) for a, b in zip(left_a, left_b, strict=True)
        ]
        bessel = self.n / (self.n - 1)

        def error(drawn) -> float:
            squares = math.fsum(v[i] ** 2 for i in drawn)
            linear = math.fsum(v[i] for i in drawn)
            return math.sqrt(bessel * (squares - linear**2 / self.n))

        found = [
            (difference - self.difference) / error(drawn)
            for difference, drawn in zip(self.resampled(), draws(self.n), strict=True)
        ]
        return found, self.difference / error(range(self.n))


def reached(null: list[float], observed: float, side: str) -> int:
    """How many are as extreme, ties among them."""
    slack = 1e-9 * max(1.0, abs(observed))
    if side == "greater":
        return sum(value >= observed - slack for value in null)
    if side == "less":
        return sum(value <= observed + slack for value in null)
    return sum(abs(value) >= abs(observed) - slack for value in null)


def add_one(count: int) -> float:
    return (count + 1) / (N_RESAMPLES + 1)


def plain_pvalue(test: str, pair: Loops, side: str) -> float:
    if test == "approximate-randomization":
        return add_one(reached(pair.exchanged(), pair.difference, side))
    if test == "sign-flip":
        return add_one(reached(pair.signs(), pair.difference, side))
    if test == "bootstrap":
        resampled = pair.resampled()
        middle = math.fsum(resampled) / N_RESAMPLES
        null = [difference - middle for difference in resampled]
        return add_one(reached(null, pair.difference, side))
    if test == "studentized-bootstrap":
        null, observed = pair.studentised()
        return add_one(reached(null, observed, side))
    resampled = pair.resampled()  # Koehn's
    not_better = add_one(reached(resampled, 0.0, "less"))
    not_worse = add_one(reached(resampled, 0.0, "greater"))
    tails = {"greater": not_better, "less": not_worse}
    return tails.get(side, min(1.0, 2 * min(tails.values())))


TESTS = {
    "approximate-randomization": mt.approximate_randomization,
    "sign-flip": mt.sign_flip_test,
    "bootstrap": mt.bootstrap_test,
    "paired-bootstrap": mt.paired_bootstrap,
    "studentized-bootstrap": mt.studentized_bootstrap,
}


def statistics_of(metric: str) -> mt.SufficientStatistics:
    """Sixty segments of WMT12 in twelve documents of unequal size; a mean is of 4-gram matches."""
    given = mt.load("wmt12/es-en").statistics("BLEU" if metric == "mean" else metric)
    some = given.subset(np.arange(0, 3000, 50))
    documents = np.repeat(np.arange(12), [5, 3, 7, 5, 4, 6, 5, 5, 3, 7, 6, 4])
    if metric == "mean":
        scores = some.values[..., 5] / 4  # quarters, of which many are tied
        values = np.stack([scores, np.ones_like(scores)], axis=-1)
        return mt.SufficientStatistics(
            mt.metrics.SegmentMean("quarters"), some.systems, values, documents
        )
    return mt.SufficientStatistics(some.metric, some.systems, some.values, documents)


def loops_over(statistics, system_a, system_b, units, score) -> Loops:
    """The pair's counts as lists, summed within documents where these are the units."""
    a, b = (statistics.values[statistics.index(name)].tolist() for name in (system_a, system_b))
    labels = statistics.documents.tolist() if units == "documents" else list(range(len(a)))
    members = {label: [i for i, own in enumerate(labels) if own == label] for label in labels}
    grouped = [[summed([rows[i] for i in some]) for some in members.values()] for rows in (a, b)]
    return Loops(score, *grouped, [len(some) for some in members.values()])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("units", ["segments", "documents"])
@pytest.mark.parametrize("metric", SCORES)
def test_plain_loops_give_the_same_pvalues_to_the_last_bit(metric, units, test):
    statistics = statistics_of(metric)
    drawn = {"n_resamples": N_RESAMPLES, "rng": SEED, "units": units}
    if test in ("approximate-randomization", "sign-flip"):
        drawn["exact"] = False
    for pair in PAIRS:
        loops = loops_over(statistics, *pair, units, SCORES[metric])
        for side in SIDES:
            ours = TESTS[test](statistics, *pair, alternative=side, **drawn)
            assert ours.pvalue == plain_pvalue(test, loops, side), (pair, side)
