"""Riezler & Maxwell (2005), Table 2: the lines that make ours."""

import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
options = {"correction": None, "interval": None, "rng": 2005}
ar = mt.compare_all(bleu, **options).table["pvalue"]
theirs = mt.compare_all(bleu, test="riezler-maxwell-bootstrap", **options).table["pvalue"]
some = ar > 0.002  # within the reach of 10,000 shuffles
ar, theirs = ar[some], theirs[some]
print(f"smaller than AR's, as printed: {(theirs < ar).sum()} of {some.sum()}")
print(f"larger than AR's, doubled: {(2 * theirs > ar).sum()} of {some.sum()}")
