"""What to cite: the package, and the papers whose tests it has, as BibTeX."""

from __future__ import annotations

from .. import __version__
from ..engine.procedures import PROCEDURES
from ..significance.provenance import Tested

_PACKAGE = f"""@software{{mtsig_nb,
  title = {{mtsig\\_nb: randomized significance tests for machine translation evaluation}},
  author = {{{{The mtsig\\_nb developers}}}},
  version = {{{__version__}}},
}}"""

#: The papers, by the names that `Procedure.source` has for them.
_PAPERS = {
    "Koehn 2004": """@inproceedings{koehn-2004-statistical,
  title = {Statistical significance tests for machine translation evaluation},
  author = {Koehn, Philipp},
  booktitle = {Proceedings of the 2004 Conference on Empirical Methods in Natural Language
    Processing},
  year = {2004},
  pages = {388--395},
  url = {https://aclanthology.org/W04-3250/},
}""",
    "Riezler & Maxwell 2005": """@inproceedings{riezler-maxwell-2005-pitfalls,
  title = {On some pitfalls in automatic evaluation and significance testing for MT},
  author = {Riezler, Stefan and Maxwell, III, John T.},
  booktitle = {Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for
    Machine Translation and/or Summarization},
  year = {2005},
  pages = {57--64},
  url = {https://aclanthology.org/W05-0908/},
}""",
    "Stroppa & Owczarzak 2007": """@inproceedings{stroppa-owczarzak-2007-cluster,
  title = {A cluster-based representation for multi-system MT evaluation},
  author = {Stroppa, Nicolas and Owczarzak, Karolina},
  booktitle = {Proceedings of the 11th International Conference on Theoretical and Methodological
    Issues in Machine Translation},
  year = {2007},
}""",
    "Hall & Wilson 1991": """@article{hall-wilson-1991-two,
  title = {Two guidelines for bootstrap hypothesis testing},
  author = {Hall, Peter and Wilson, Susan R.},
  journal = {Biometrics},
  volume = {47},
  number = {2},
  year = {1991},
  pages = {757--762},
}""",
    "Hemerik, Goeman & Finos 2020": """@article{hemerik-etal-2020-robust,
  title = {Robust testing in generalized linear models by sign flipping score contributions},
  author = {Hemerik, Jesse and Goeman, Jelle J. and Finos, Livio},
  journal = {Journal of the Royal Statistical Society Series B},
  volume = {82},
  number = {3},
  year = {2020},
  pages = {841--864},
}""",
    "Efron & Tibshirani 1993": """@book{efron-tibshirani-1993-introduction,
  title = {An introduction to the bootstrap},
  author = {Efron, Bradley and Tibshirani, Robert J.},
  publisher = {Chapman \\& Hall},
  year = {1993},
}""",
    "Graham et al. 2014": """@inproceedings{graham-etal-2014-randomized,
  title = {Randomized significance tests in machine translation},
  author = {Graham, Yvette and Mathur, Nitika and Baldwin, Timothy},
  booktitle = {Proceedings of the Ninth Workshop on Statistical Machine Translation},
  year = {2014},
  pages = {266--274},
  url = {https://aclanthology.org/W14-3333/},
}""",
}


def cite(*results: Tested) -> str:
    """What to cite, as BibTeX: this package, and the papers of the tests used.

    Parameters
    ----------
    *results : Comparisons or TestResult
        By default the papers of all tests, and of the clusters.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> result = mt.paired_bootstrap(bleu, "onlineA", "UPC", n_resamples=99, rng=1)
    >>> print(mt.cite(result).count("@inproceedings"))
    2
    """
    found = [PROCEDURES[r.test].source for r in results if r.test in PROCEDURES]
    papers = [
        entry for name, entry in _PAPERS.items() if not results or any(name in s for s in found)
    ]
    return "\n\n".join([_PACKAGE, *papers])


__all__ = ["cite"]
