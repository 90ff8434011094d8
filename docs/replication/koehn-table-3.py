"""Koehn (2004), Table 3: the lines that make ours."""

import mtsig_nb as mt
from tools.replication.computed.koehn_design import broad_samples, contests, population

pairs = contests()[["better", "worse"]].to_numpy()  # ours in the place of his nine
options = {"alternative": "greater", "counting": "plain", "n_resamples": 1000}
lost = [
    mt.paired_bootstrap(test_set, *pair, rng=seed, **options).pvalue
    for seed, test_set in enumerate(broad_samples(population(), 300))
    for pair in pairs
]
print(f"wrong on 300: {sum(share >= 0.95 for share in lost)} of {len(lost)}")
