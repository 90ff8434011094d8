"""What to cite: the package, and the papers whose tests it has, as BibTeX."""

from __future__ import annotations

import re
from pathlib import Path

from .. import __version__
from ..engine.procedures import PROCEDURES
from ..significance.results import OfTest

_PACKAGE = f"""@software{{mtsig_nb,
  title = {{mtsig\\_nb: randomized significance tests for machine translation evaluation}},
  author = {{{{The mtsig\\_nb developers}}}},
  version = {{{__version__}}},
}}"""


def cite(*results: OfTest) -> str:
    """What to cite, as BibTeX: this package, and the papers of the tests used.

    Parameters
    ----------
    *results : Comparisons or PairResult
        By default the papers of all tests, and of the clusters.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> result = mt.paired_bootstrap(bleu, "onlineA", "UPC", n_resamples=99, rng=1)
    >>> print(mt.cite(result).count("@inproceedings"))
    2
    """
    cited: set[str] = set()
    for result in results:
        if result.test in PROCEDURES:
            cited.update(PROCEDURES[result.test].papers)
    bibliography = Path(__file__).with_name("papers.bib").read_text(encoding="utf-8")
    # Before each entry stands, as a comment, the name that `Procedure.papers` has for the paper.
    papers = re.findall(r"^% ([^\n]+)\n(@.+?^})", bibliography, flags=re.MULTILINE | re.DOTALL)
    entries = [entry for paper, entry in papers if not results or paper in cited]
    return "\n\n".join([_PACKAGE, *entries])
