"""Stroppa & Owczarzak (2007), Figures 4, 5: the lines that make ours."""

import mtsig_nb as mt

campaign = mt.load("wmt12/es-en")
bleu = campaign.statistics("BLEU")
options = {"alternative": "greater", "correction": None, "interval": None, "n_resamples": 1000}
found = mt.compare_all(bleu.select(list(bleu.scores().index)), rng=2007, **options)
for level in (0.002, 0.05):
    people = campaign.human.conclusions(alpha=level)
    concluded = found.conclusions((1000 * level - 0.5) / 1001)
    print(f"BLEU at {level:g}: {mt.ordered_rand(concluded, people):.2f}")
