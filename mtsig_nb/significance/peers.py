"""What other tools would print, beside the corrected value, and where they depart.

Each tool's test is written here from its own algorithm, as a procedure of
:mod:`mtsig_nb.engine.procedures` with a counting rule, so that the line in which it departs is
plain to see; the resamples are this package's.  Read in the sources of sacreBLEU 2.6.0
(``sacrebleu/significance.py``), Moses (``bootstrap-hypothesis-difference-significance.pl``),
MultEval 0.5.1 (``StratifiedApproximateRandomizationTest.java``) and COMET 2.2
(``comet/cli/compare.py``).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..engine.counting import Counting
from ..engine.resampling import BLOCK, RNG, bootstrap_counts, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..statistics.sufficient import SufficientStatistics
from ..told import Told
from .classical import check_plain_mean
from .one_pair import run_test, select_pair
from .results import TestResult


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PeerReport(Told):
    """What a tool would print for a pair, and what it should have printed.

    Attributes
    ----------
    tool : str
    title : str
        The tool and the option, with the version that was read.
    system_a, system_b, metric : str
    printed : dict of str to str
        What the tool prints, rounded and marked as it does.
    pvalue : float
        The tool's p-value, not rounded.
    corrected : TestResult
        The test that answers the question the tool's users ask, from the same seed.
    departure : str
        Where the tool departs from it, and with what effect.
    n_resamples : int
        As many as the tool draws.
    theirs : TestResult or None
        The tool's test on this package's resamples, with its distribution; None for comet-compare.
    signature : str

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.reported_by("sacrebleu-bs", bleu, "onlineC", "onlineD", rng=1)
    >>> r.printed, round(r.corrected.pvalue, 4)
    ({'p': '0.3127'}, 0.8282)
    >>> r.to_frame()["corrected_by"].item()
    'bootstrap'
    """

    tool: str
    title: str
    system_a: str
    system_b: str
    metric: str
    printed: dict[str, str]
    pvalue: float
    corrected: TestResult
    departure: str
    n_resamples: int
    theirs: TestResult | None
    signature: str

    @property
    def sentence(self) -> str:
        """What it would print, the corrected result, and the departure, a line each."""
        printed = ", ".join(f"{name} = {value}" for name, value in self.printed.items())
        return "\n".join(
            [
                f"{self.title} on {self.metric}, {self.system_a} against {self.system_b}, would "
                f"print {printed}",
                f"corrected: {self.corrected.sentence.splitlines()[0]}",
                self.departure,
            ]
        )

    def to_frame(self) -> pd.DataFrame:
        """One tidy row, unrounded; the tool's printed values in columns of their own."""
        row = {
            "tool": self.tool,
            "metric": self.metric,
            "system_a": self.system_a,
            "system_b": self.system_b,
            "pvalue": self.pvalue,
            "pvalue_corrected": self.corrected.pvalue,
            "corrected_by": self.corrected.test,
            "n_resamples": self.n_resamples,
            "departure": self.departure,
            "signature": self.signature,
        }
        return pd.DataFrame([row | {f"printed {k}": v for k, v in self.printed.items()}])


@dataclasses.dataclass(frozen=True)
class Peer:
    """A tool's test: which procedure, how it counts, what it prints."""

    title: str
    procedure: str
    counting: Counting
    n_resamples: int
    show: Callable[[float], str]
    corrected: str
    departure: str


def _starred(p: float) -> str:
    return f"{p:.4f}{'*' if p <= 0.05 else ''}"


#: The tools compare bare floating-point numbers.
_STRICT = Counting(comparator=">", tie_tolerance=0.0)

_ONE_TAIL = (
    "absolute differences are centred, the bootstrap as printed in 2005: one tail is left, so that "
    "p is too small, about half of a two-sided one where the resamples are symmetric"
)
_STRICT_EFFECT = (
    "a shuffle as extreme as the observation does not count (> for >=), so that an output differs "
    "from its own copy with p = 1/(n + 1), and p is too small wherever few segments differ"
)

PEERS: dict[str, Peer] = {
    "sacrebleu-bs": Peer(
        title="sacreBLEU 2.6.0 --paired-bs",
        procedure="riezler-maxwell-bootstrap",
        counting=_STRICT,
        n_resamples=1000,
        show=_starred,
        corrected="bootstrap",
        departure=f"{_ONE_TAIL}; ties do not count (> for >=)",
    ),
    "sacrebleu-ar": Peer(
        title="sacreBLEU 2.6.0 --paired-ar",
        procedure="approximate-randomization",
        counting=_STRICT,
        n_resamples=10_000,
        show=_starred,
        corrected="approximate-randomization",
        departure=_STRICT_EFFECT,
    ),
    "moses": Peer(
        title="Moses bootstrap-hypothesis-difference-significance.pl",
        procedure="riezler-maxwell-bootstrap",
        counting=Counting(formula="c/R", tie_tolerance=0.0),
        n_resamples=1000,
        show="{:.15g}".format,
        corrected="bootstrap",
        departure=f"{_ONE_TAIL}; the observed value is not counted (c/n), so that p may be 0",
    ),
    "multeval": Peer(
        title="MultEval 0.5.1, one optimizer run",
        procedure="approximate-randomization",
        counting=_STRICT,
        n_resamples=10_000,
        show="{:.2f}".format,
        corrected="approximate-randomization",
        departure=(
            f"{_STRICT_EFFECT}; with several runs of each system every output has a coin of its "
            "own, so that runs which resemble each other count as fresh evidence and p is far too "
            "small, and of three runs and more its shuffles are no partitions: use compare_runs"
        ),
    ),
}

#: Shares and sizes that comet-compare takes by default.
COMET_SAMPLE_RATIO = 0.4
COMET_SPLITS = 300
COMET_TIE = 0.001

TOOLS = (*PEERS, "comet-compare")


def reported_by(
    tool: str,
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_resamples: int | None = None,
    rng: RNG = None,
    executor: Executor | None = None,
) -> PeerReport:
    """What another tool would print for a pair of systems, beside the corrected value.

    Parameters
    ----------
    tool : str
        ``"sacrebleu-bs"``
            ``--paired-bs``: the bootstrap of Riezler & Maxwell (2005) as printed, ``>`` for
            ``>=``, (c+1)/(n+1), 1,000 resamples.
        ``"sacrebleu-ar"``
            ``--paired-ar``: approximate randomization with ``>``, (c+1)/(n+1), 10,000 shuffles.
        ``"moses"``
            The same bootstrap with ``>=`` and c/n, 1,000 resamples.
        ``"multeval"``
            Approximate randomization with ``>``, (c+1)/(n+1), 10,000 shuffles, for one optimizer
            run per system.  For several runs it scores all runs' outputs together, permutes each
            segment's outputs over the runs and flips a coin for every one of them.  Runs of one
            system resemble each other, and single coins take them for independent: re-written from
            reading and run on its own example, with sets exchanged so that nothing differs, it
            rejected in 45 of 200 cases at .05 and in 23 at .01.  The second pseudo-system is
            drawn by the inverse permutation, so that from three runs on an output may be in both
            pseudo-systems or in none.
        ``"comet-compare"``
            300 bootstrap resamples of 40 % of the segments, the share that each system wins by
            0.001 or more, and a paired t test; for means of segment scores only.
    statistics : SufficientStatistics
    system_a, system_b : str
    n_resamples : int, optional
        The tool's default if not given.
    rng, executor
        As in :func:`approximate_randomization`.  The tools' own random numbers are not
        reproduced: expect their p-values up to the Monte Carlo error of both.

    Returns
    -------
    PeerReport

    Raises
    ------
    InputError
        For an unknown tool or system, or a metric that the tool cannot compare.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.reported_by("sacrebleu-bs", bleu, "onlineC", "onlineD", rng=1)
    >>> r.pvalue < 0.7 * r.corrected.pvalue  # one tail, sold as two
    True
    """
    check_one_of("tool", tool, TOOLS)
    seed = seed_from(rng)
    pair: tuple[SufficientStatistics, str, str] = statistics, system_a, system_b
    theirs = None
    if tool == "comet-compare":
        corrected = "bootstrap"
        n = COMET_SPLITS if n_resamples is None else n_resamples
        details = _comet_compare(select_pair(*pair), n, seed)
    else:
        peer = PEERS[tool]
        corrected = peer.corrected
        n = peer.n_resamples if n_resamples is None else n_resamples
        theirs = run_test(
            peer.procedure,
            *pair,
            n_resamples=n,
            rng=seed,
            counting=peer.counting,
            exact=False,
            executor=executor,
        )
        details = {
            "title": peer.title,
            "printed": {"p": peer.show(theirs.pvalue)},
            "pvalue": theirs.pvalue,
            "departure": peer.departure,
            "signature": f"tool:{tool}|{theirs.signature}",
        }
    return PeerReport(
        tool=tool,
        system_a=system_a,
        system_b=system_b,
        metric=statistics.label,
        corrected=run_test(corrected, *pair, n_resamples=n, rng=seed, executor=executor),
        n_resamples=n,
        theirs=theirs,
        **details,
    )


def _comet_compare(pair: SufficientStatistics, n_resamples: int, seed: int) -> dict[str, Any]:
    """What only comet-compare's report has."""
    from scipy import stats  # slow to import

    check_plain_mean(pair, "tool='comet-compare'", "another tool's test")
    if not pair.metric.higher_is_better:
        raise InputError("tool='comet-compare' takes the larger score for the better one.")
    check_n_resamples(n_resamples)
    # It keeps scores in single precision.
    scores = pair.segment_scores().astype(np.float32)
    n = pair.n_segments
    size = max(int(n * COMET_SAMPLE_RATIO), 1)
    x, y = _means_of_samples(scores, n_resamples, size, seed)
    ahead = x - y
    if (scores[0] == scores[1]).all():
        t, p = math.nan, math.nan  # 0/0, and printed as it is
    else:
        t, p = stats.ttest_rel(*scores)
    values = {
        "x-mean": x.mean(),
        "y-mean": y.mean(),
        "ties (%)": np.mean(np.abs(ahead) < COMET_TIE),
        "x_wins (%)": np.mean(ahead >= COMET_TIE),
        "y_wins (%)": np.mean(ahead <= -COMET_TIE),
        "statistic": t,
        "p_value": p,
    }
    return {
        "title": "COMET 2.2 comet-compare",
        "printed": {name: f"{value:.4f}" for name, value in values.items()},
        "pvalue": float(p),
        "departure": (
            f"resamples have {COMET_SAMPLE_RATIO:.0%} of the segments and spread "
            f"{1 / math.sqrt(COMET_SAMPLE_RATIO):.2f} times too widely, so that the share of wins "
            "belongs to no level of a test; p is that of a paired t test, uncorrected for the "
            "number of pairs, and a large p is worded as equality"
        ),
        "signature": (
            f"tool:comet-compare|n:{n_resamples}|size:{size}|rng:{seed}|units:{n} {pair.unit} "
            f"|| {pair.signature}"
        ),
    }


def _means_of_samples(
    scores: npt.NDArray[np.float32], n_resamples: int, size: int, seed: int
) -> npt.NDArray[np.float32]:
    """Mean scores on samples of `size` segments with replacement, shape (systems, n_resamples)."""
    blocks = []
    for start in range(0, n_resamples, BLOCK):
        rows = min(BLOCK, n_resamples - start)
        counts = bootstrap_counts(
            rows, scores.shape[1], size=size, seed=seed, key=(start // BLOCK,)
        )
        blocks.append(scores @ counts.T.astype(np.float32) / np.float32(size))
    return np.concatenate(blocks, axis=1)
