"""Graham et al. (2014), Figure 8: the lines that make ours."""

import mtsig_nb as mt

bleu = mt.load("wmt12/es-en").statistics("BLEU")
options = {"correction": None, "interval": None, "alternative": "greater", "n_resamples": 5000}
for test in ("paired-bootstrap", "bootstrap", "approximate-randomization"):
    told = mt.compare_all(bleu, test=test, rng=2014, **options).conclusions(0.05).pairs() != 0
    print(f"{test}: {told.sum()} of {len(told)}")
