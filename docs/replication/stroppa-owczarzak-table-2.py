"""Stroppa & Owczarzak (2007), Table 2: the lines that make ours."""

import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
options = {"correction": "westfall-young", "interval": None, "n_resamples": 10_000, "rng": 2007}
nist, bleu = (
    mt.compare_all(campaign.statistics(metric), **options).conclusions(0.05)
    for metric in ("NIST", "BLEU")
)
print(f"NIST and BLEU: {mt.ordered_rand(nist, bleu):.2f}")
