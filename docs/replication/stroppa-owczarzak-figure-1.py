"""Stroppa & Owczarzak (2007), Figure 1: the lines that make ours."""

import mtsig_nb as mt

chrf = mt.load("wmt12/es-en").statistics("chrF")
options = {"correction": "westfall-young", "interval": None, "n_resamples": 10_000, "rng": 2007}
found = mt.clusters(mt.compare_all(chrf, **options).conclusions(0.05))
print(f"clusters: {len(found.groups)}")
