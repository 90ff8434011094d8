"""Koehn (2004), Table 4: the lines that make ours."""

import mtsig_nb as mt
from tools.replication.computed.koehn_design import SIZES, broad_samples, contests, population

pairs = contests()[["better", "worse"]].to_numpy()  # ours in the place of his nine
options = {"alternative": "greater", "counting": "plain", "n_resamples": 1000}
won = [
    1000 - round(1000 * mt.paired_bootstrap(part, *pair, rng=seed, **options).pvalue)
    for size in SIZES
    for seed, part in enumerate(broad_samples(population(), size))
    for pair in pairs
]
right, wrong = (sum(900 <= k < 950 for k in some) for some in (won, [1000 - k for k in won]))
print(f"right from 90 to 94.9 %: {100 * right / (right + wrong):.1f}")
