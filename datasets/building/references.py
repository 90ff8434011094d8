"""People's translations under BLEU: each reference counted as an output, against another one."""

from __future__ import annotations

import itertools

import pandas as pd

from mtsig_nb import metrics

from .inputs import Pair, ScoredPair
from .plan import settings

TABLE = "between_references.csv"


def between_references(pair: Pair) -> pd.DataFrame:
    """A row for each reference and each other one: BLEU's counts, summed over the test set."""
    labels = () if isinstance(pair, ScoredPair) else pair.references
    texts = {label: pair.lines(pair.reference_file(label)) for label in labels}
    bleu = metrics.get("BLEU", **settings("BLEU", pair))
    rows = []
    for output, reference in itertools.permutations(labels, 2):
        counts = bleu.statistics(texts[output], [texts[reference]]).sum(axis=0).astype(int)
        rows.append([pair.name, output, reference, *counts])
    return pd.DataFrame(rows, columns=["campaign", "output", "reference", *bleu.columns])
