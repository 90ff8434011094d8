"""Graham et al. (2014), Figure 1: the lines that make ours."""

import numpy as np

from tools.replication.computed.pseudocode import differences, weights
from tools.replication.shared import pair_of_unit_13

pair = pair_of_unit_13()
pair = pair.subset(range(0, pair.n_segments, 10))
draws = weights("bootstrap", pair.n_segments)  # 2,000, each says how often a sentence occurs
(actual,) = differences(pair, np.ones((1, pair.n_segments)), "bootstrap")
pseudo = differences(pair, draws, "bootstrap")
tau = sum(pseudo) / len(pseudo)
counted = sum(abs(d - tau) >= abs(actual) for d in pseudo)  # centred first, then absolute values
print(f"counted by the loop: {counted} of {len(pseudo):,}")
