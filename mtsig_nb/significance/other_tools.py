"""What other tools would print, next to the corrected value, and where they depart from it.

Each tool's test is written here from its own algorithm, as a procedure of
:mod:`mtsig_nb.engine.procedures` with a counting rule, in ``other_tools.toml``, so that the line in
which it departs is easy to see; the resamples are this package's.  The algorithms were read in the
sources of sacreBLEU 2.6.0 (``sacrebleu/significance.py``), Moses
(``bootstrap-hypothesis-difference-significance.pl``) and MultEval 0.5.1
(``StratifiedApproximateRandomizationTest.java``).
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from ..described import Framed
from ..engine.counting import Counting
from ..engine.resampling import RNG, seed_from
from ..errors import check_one_of
from ..frames import pd
from ..statistics.sufficient import SufficientStatistics
from ..texts.files import toml_beside
from .one_pair import run_test
from .results import PairResult


@dataclasses.dataclass(frozen=True)
class OtherTool:
    """A tool's test: which procedure, how it counts, what it prints.

    Attributes
    ----------
    title : str
        The tool and its option, in the version that was read.
    procedure : str
        The name of the test that it makes.
    counting : Counting
    n_resamples : int
        How many it draws by default.
    printed : str
        A format of its p-value.
    corrected : str
        The name of the test that answers the question of its users.
    departure : str
        Where its test departs from that one, and with what effect.
    starred : bool
        Whether it marks what is significant.
    """

    title: str
    procedure: str
    counting: Counting
    n_resamples: int
    printed: str
    corrected: str
    departure: str
    starred: bool = False

    def show(self, p: float) -> str:
        """`p` as the tool prints it, with a star where it marks what is significant."""
        star = "*" if self.starred and p <= 0.05 else ""
        return self.printed.format(p) + star


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ToolReport(Framed):
    """What a tool would print for a pair, and what it should have printed.

    Attributes
    ----------
    tool : str
    other : OtherTool
        Its test, with `title`, the tool and the option in the version that was read, and
        `departure`, how it departs from the corrected test, and with what effect.
    corrected : PairResult
        The test that answers the question the tool's users ask, from the same seed.
    theirs : PairResult
        The tool's test on resamples of this package, as many as the tool draws.
    printed : dict of str to str
        What the tool prints, rounded and marked as it does.
    pvalue : float
        The tool's p-value, not rounded.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.reported_by("sacrebleu-bs", bleu, "onlineC", "onlineD", rng=1)
    >>> r.printed, round(r.corrected.pvalue, 4)
    ({'p': '0.3127'}, 0.8282)
    """

    tool: str
    other: OtherTool
    corrected: PairResult
    theirs: PairResult

    @property
    def pvalue(self) -> float:
        return self.theirs.pvalue

    def to_frame(self) -> pd.DataFrame:
        """The tool's test and the corrected one, a row for each."""
        return pd.concat([self.theirs.to_frame(), self.corrected.to_frame()], ignore_index=True)

    def plot(self, **kwargs: Any) -> Any:
        """Draw the null distribution of the tool's test."""
        return self.theirs.plot(**kwargs)

    @property
    def printed(self) -> dict[str, str]:
        return {"p": self.other.show(self.pvalue)}

    def _lines(self) -> list[str]:
        """What the tool would print, what is right, and where the two part."""
        pair = f"{self.theirs.system_a} against {self.theirs.system_b}"
        return [
            f"{self.other.title} on {self.theirs.metric}, {pair}, would print p = "
            f"{self.printed['p']}",
            f"corrected: {self.corrected.sentence.splitlines()[0]}",
            self.other.departure,
        ]


def _tools() -> dict[str, OtherTool]:
    """The tools of ``other_tools.toml``, by name."""
    read = toml_beside(__file__)
    tools = {}
    for name, fields in read["tools"].items():
        # The tools compare bare floating-point numbers.
        counting = Counting(**fields.pop("counting"), tie_tolerance=0.0)
        departure = fields.pop("departure").format(**read["effects"])
        tools[name] = OtherTool(**fields, counting=counting, departure=departure)
    return tools


OTHER_TOOLS = _tools()


def reported_by(
    tool: str,
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_resamples: int | None = None,
    rng: RNG = None,
) -> ToolReport:
    """What another tool would print for a pair of systems, next to the corrected value.

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
            system resemble each other, and single coins treat them as independent: re-written from
            reading and run on its own example, with sets exchanged so that nothing differs, it
            rejected in 45 of 200 cases at .05 and in 23 at .01.  The second pseudo-system is drawn
            by the inverse permutation, so that from three runs on an output may be in both
            pseudo-systems or in none.
    statistics : SufficientStatistics
    system_a, system_b : str
    n_resamples : int, optional
        The tool's default if not given.
    rng
        As in :func:`approximate_randomization`.  The tools' own random numbers are not reproduced:
        expect p-values that agree up to the Monte Carlo error of both.

    Returns
    -------
    ToolReport

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
    check_one_of("tool", tool, OTHER_TOOLS)
    other = OTHER_TOOLS[tool]
    test_pair = partial(
        run_test,
        statistics=statistics,
        system_a=system_a,
        system_b=system_b,
        n_resamples=other.n_resamples if n_resamples is None else n_resamples,
        rng=seed_from(rng),
    )
    return ToolReport(
        tool=tool,
        other=other,
        corrected=test_pair(other.corrected),
        theirs=test_pair(other.procedure, counting=other.counting, exact=False),
    )
