"""Stroppa & Owczarzak (2007), Figure 3: the lines that make ours."""

import mtsig_nb as mt

chrf = mt.load("wmt12/es-en").statistics("chrF")  # its systems are sorted, the best first
best_first = chrf.select(list(chrf.scores().index))
options = {"alternative": "greater", "correction": None, "interval": None, "n_resamples": 1000}
found = mt.compare_all(best_first, rng=2007, **options)
for level in (0.001, 0.05):
    # Their p is the count and one divided by 1,000, ours by 1,001; and theirs has to be below.
    concluded = found.conclusions((1000 * level - 0.5) / 1001)
    print(f"clusters at {level}: {len(mt.clusters(concluded).groups)}")
