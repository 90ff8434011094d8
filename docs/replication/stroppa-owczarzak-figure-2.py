"""Stroppa & Owczarzak (2007), Figure 2: the lines that make ours."""

import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
people = campaign.human.conclusions(alpha=0.05)
options = {"correction": "westfall-young", "interval": None, "n_resamples": 10_000, "rng": 2007}
bleu = mt.compare_all(campaign.statistics("BLEU"), **options).conclusions(0.05)
for name, judge in (("people", people), ("BLEU", bleu)):
    print(f"by {name}, es-en: {len(mt.clusters(judge).groups)}")
