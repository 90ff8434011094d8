"""What to cite: the package, the papers that the methods name, and those of the metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bibliography import entries, named_in, on_metrics
from ..engine.procedures import PROCEDURES
from ..significance.comparisons import Comparisons
from ..significance.results import OfPair, OfTest

if TYPE_CHECKING:
    from ..outcomes.outcome import Outcome

#: The paper on clusters, which are no test.
_ON_CLUSTERS = "Stroppa & Owczarzak 2007"


def cite(*results: OfTest | Outcome) -> str:
    """What to cite, as BibTeX: this package, and the papers of the tests used.

    Parameters
    ----------
    *results : Comparisons, PairResult or Outcome
        By default the papers of all tests, and of the clusters.

    Returns
    -------
    str
        An entry for everything that the sentence on methods names, and for the metrics that are
        computed from texts.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
    >>> found = mt.compare_all(bleu, n_resamples=99, rng=1)
    >>> [line for line in mt.cite(found).splitlines() if line.startswith("@article")]
    ['@article{holm-1979-simple,']
    """
    if not results:
        papers = [paper for procedure in PROCEDURES.values() for paper in procedure.papers]
        return entries([*papers, _ON_CLUSTERS])
    return entries(paper for result in results for paper in _papers(result))


def _papers(result: OfTest | Outcome) -> list[str]:
    """The papers that a result rests on."""
    if not isinstance(result, OfTest):  # an outcome
        return result.papers
    papers: list[str] = []
    if result.test in PROCEDURES:
        papers += PROCEDURES[result.test].papers
    if isinstance(result, Comparisons):
        papers += named_in(result.methods_sentence())
        papers += named_in(on_metrics(result.metric_signatures))
    elif isinstance(result, OfPair):
        papers += named_in(on_metrics({result.metric: result.metric_signature}))
    return papers
