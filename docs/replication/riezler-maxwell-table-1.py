"""Riezler & Maxwell (2005), Table 1: the lines that make ours."""

import mtsig_nb as mt

fr_en = mt.load("wmt12/fr-en")  # one of the 43 pairs
pair = ["KIT_Phrase-Based_SMT_System", "uedin-wmt12"]
family = [fr_en.statistics(metric) for metric in ("NIST", "BLEU", "DependencyF")]
options = {"correction": None, "interval": None, "n_resamples": 2000, "rng": 2005}
found = mt.compare_all([one.select(pair) for one in family], **options).table
for name, p in zip(("NIST", "BLEU", "F"), found["pvalue"], strict=True):
    print(f"p, {name}: {p:.4f}")
