"""Koehn (2004), Figure 6: the lines that make ours."""

import mtsig_nb as mt
from tools.replication.computed.koehn_design import broad_samples, population

two = population().select(["uedin es", "uedin fr"])
truth, contain = two.scores()["uedin es"], 0
for seed, part in enumerate(broad_samples(two, 300)):
    found = mt.compare_all(
        part, test="paired-bootstrap", n_resamples=1000, interval_resamples=1000, rng=seed
    )
    low, high = found.score_intervals["BLEU"].loc["uedin es", ["ci_low", "ci_high"]]
    contain += low <= truth <= high
print(f"contain the truth: {contain} of 100")
