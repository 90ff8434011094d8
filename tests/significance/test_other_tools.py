"""What other tools print: their own code and their published p-values, reproduced."""

import re

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

import mtsig_nb as mt

from ..messages import naming
from ..small_sets import means

BASELINE = "LIUM-NMT.4900"
#: From clearly different to indistinguishable.
SYSTEMS = ("FBK.4870", "LMU-nmt-reranked.4934", "LMU-nmt-single.4893", "online-B.0")

#: p-values of two runs of n1 and n2 resamples may differ by this many joint standard errors:
#: about one false alarm in two million comparisons, were they binomial.
SIGMAS = 5

published_pairs = mt.load("wmt17/en-de").published["pvalues"]


@pytest.fixture(scope="module")
def bleu():
    return mt.load("wmt17/en-de").statistics("BLEU", tokenize="none")


def joint_error(p, n1, n2):
    return np.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))


class CountedBLEU(BLEU):
    """sacreBLEU's BLEU with statistics that are counted already: a system's name is its output."""

    def __init__(self, statistics):
        super().__init__(tokenize="none", force=True)
        self.table = {s: statistics.values[i] for i, s in enumerate(statistics.systems)}
        self.num_refs = 1

    def _extract_corpus_statistics(self, hypotheses, references):
        return self.table[hypotheses[0]].astype(int).tolist()


def sacrebleu_pvalues(statistics, systems, test_type, n):
    named = [(s, [s] * statistics.n_segments) for s in (BASELINE, *systems)]
    metric = CountedBLEU(statistics)
    _, table = PairedTest(named, {"BLEU": metric}, None, test_type, n_samples=n)()
    return dict(zip(systems, (result.p_value for result in table["BLEU"][1:]), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "n", "systems"),
    [("sacrebleu-bs", 1000, SYSTEMS[::3]), ("sacrebleu-ar", 2000, SYSTEMS)],
)
def test_sacrebleus_own_test_gives_the_same_pvalues(bleu, tool, n, systems):
    theirs = sacrebleu_pvalues(bleu, systems, tool[-2:], n)
    for system, p in theirs.items():
        ours = mt.reported_by(tool, bleu, system, BASELINE, n_resamples=20_000, rng=17).pvalue
        assert abs(p - ours) <= SIGMAS * joint_error(ours, n, 20_000), system


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "column", "n_theirs", "n"),
    [
        ("moses", "moses_bootstrap_bleu", 3 * 2000, 5000),
        ("multeval", "multeval_ar_bleu", 10_000, 10_000),
    ],
)
def test_published_pvalues_of_moses_and_multeval(bleu, tool, column, n_theirs, n):
    """Recorded in sacreBLEU's tests; Moses' are means of three runs of 2,000 resamples."""
    for row in published_pairs.to_dict("records"):
        ours = mt.reported_by(tool, bleu, row["system"], BASELINE, n_resamples=n, rng=19).pvalue
        # A count or two for the (c+1)/(n+1) and the rounding of what is published.
        tolerance = SIGMAS * joint_error(ours, n, n_theirs) + 2 / n
        assert abs(ours - row[column]) <= tolerance, row["system"]


@pytest.mark.parametrize(("skew", "low", "high"), [(1, 0.65, 1.0), (-1, 0.0, 0.35)])
def test_one_tail_is_no_fixed_share_of_two_where_differences_are_skewed(skew, low, high):
    """The tail that is left is the longer or the shorter one."""
    skewed = skew * (np.random.default_rng(5).lognormal(size=60) - np.exp(0.5))
    skewed += 0.45 - skewed.mean()
    pair = means([skewed, np.zeros(60)], systems=["A", "B"])
    report = mt.reported_by("moses", pair, "A", "B", n_resamples=20_000, rng=3)
    assert 0.01 < report.corrected.pvalue < 0.5
    assert low < report.pvalue / report.corrected.pvalue < high
    assert re.search(naming("half", "two-sided"), report.other.departure)


def test_one_tail_is_about_half_of_two_where_resamples_are_symmetric(bleu):
    report = mt.reported_by("sacrebleu-bs", bleu, "FBK.4870", BASELINE, n_resamples=10_000, rng=3)
    assert 0.3 < report.pvalue / report.corrected.pvalue < 0.6
    assert report.corrected.rng == report.theirs.rng
    assert report.corrected.n_resamples == report.theirs.n_resamples


IDENTICAL = {
    "sacrebleu-bs": (1 / 1001, "0.0010*"),
    "sacrebleu-ar": (1 / 10_001, "0.0001*"),
    "moses": (1.0, "1"),
    "multeval": (1 / 10_001, "0.00"),
}


@pytest.mark.parametrize("tool", IDENTICAL)
def test_an_output_against_its_own_copy(bleu, tool):
    pair = bleu.select(["KIT.4950"])
    both = mt.SufficientStatistics(pair.metric, ("KIT", "copy"), np.repeat(pair.values, 2, axis=0))
    report = mt.reported_by(tool, both, "KIT", "copy", rng=0)
    assert (report.pvalue, report.printed["p"]) == IDENTICAL[tool]
    assert report.corrected.pvalue == 1.0


def test_sacrebleus_own_test_calls_a_copy_significant(bleu):
    assert sacrebleu_pvalues(bleu, [BASELINE], "ar", 200) == {BASELINE: 1 / 201}


def multeval_pvalue(a, b, score, rng, n_shuffles=99):
    """MultEval's test of several runs, (runs, segments, counts) each: a coin for every output."""
    runs, segments, _ = a.shape
    columns = np.arange(segments)
    observed = abs(score(a.sum(axis=(0, 1))) - score(b.sum(axis=(0, 1))))
    count = 0
    for _ in range(n_shuffles):
        order = np.argsort(rng.random((runs, segments)), axis=0)
        back = np.argsort(order, axis=0)
        kept = rng.random((runs, segments, 1)) < 0.5
        first = np.where(kept, a[order, columns], b[order, columns]).sum(axis=(0, 1))
        second = np.where(kept, b[back, columns], a[back, columns]).sum(axis=(0, 1))
        count += abs(score(first) - score(second)) > observed
    return (count + 1) / (n_shuffles + 1)


@pytest.mark.thorough
def test_multevals_test_of_several_runs_rejects_too_often():
    """Its own example, the two sets of outputs exchanged by a coin for each segment.

    As the report's departure says; 5 % of 120 would be 6.  False alarm 1e-7.
    """
    bleu = mt.load("multeval/en").statistics("BLEU").subset(range(0, 2489, 5))
    a, b = (bleu.select([f"{s}.opt{i}" for i in range(3)]).values for s in ("baseline", "sys1"))
    rng = np.random.default_rng(11)
    rejected = 0
    for _ in range(120):
        kept = rng.random((a.shape[1], 1)) < 0.5
        sets = np.where(kept, a, b), np.where(kept, b, a)
        rejected += multeval_pvalue(*sets, bleu.metric.score, rng) <= 0.05
    assert rejected > stats.binom.isf(1e-7, 120, 0.05)
    report = mt.reported_by("multeval", bleu, "baseline.opt0", "sys1.opt0", rng=1)
    assert "fresh evidence" in report.other.departure


def test_few_differing_segments_are_always_significant_to_a_strict_comparison():
    scores = np.full((2, 300), 0.5)
    scores[0, :3] = [0.7, 0.6, 0.8]
    few = means(scores, systems=["A", "B"])
    report = mt.reported_by("sacrebleu-ar", few, "A", "B", rng=0)
    assert report.pvalue == 1 / 10_001
    assert report.corrected.pvalue == 2 / 2**3


def test_a_report_shows_itself():
    named = means(np.random.default_rng(10).random((2, 60)), systems=["<b>A", "B"])
    report = mt.reported_by("moses", named, "<b>A", "B", n_resamples=200, rng=11)
    first, second, last = report.sentence.split("\n")
    assert re.search(naming("score", "<b>A against B", f"p = {report.printed['p']}"), first)
    assert second == f"corrected: {report.corrected.sentence.splitlines()[0]}"
    assert last == report.other.departure
    assert "<b>A" not in report._repr_html_()
