"""Koehn (2004), Figure 7: the lines that make ours."""

import mtsig_nb as mt
from tools.replication.computed.koehn_design import broad_samples, population

better, worse = "jhu de", "jhu cs"
options = {"alternative": "greater", "counting": "plain", "n_resamples": 1000}
test_sets = broad_samples(population().select([better, worse]), 300)
lost = [
    mt.paired_bootstrap(test_set, better, worse, rng=seed, **options).pvalue
    for seed, test_set in enumerate(test_sets)
]
print(f"Figure 7, right: {sum(share <= 0.05 for share in lost)} of {len(lost)}")
