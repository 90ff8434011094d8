"""Graham et al. (2014), Figure 2: the lines that make ours."""

import numpy as np

from tools.replication.computed.pseudocode import differences, weights
from tools.replication.shared import pair_of_unit_13

pair = pair_of_unit_13()
pair = pair.subset(range(0, pair.n_segments, 10))
draws = weights("shuffle", pair.n_segments)  # 2,000: which sentences to exchange
(actual,) = differences(pair, np.ones((1, pair.n_segments)), "shuffle")
pseudo = differences(pair, draws, "shuffle")
counted = sum(d >= actual - 1e-9 for d in pseudo)  # ties count
print(f"counted by the loop: {counted} of {len(pseudo):,}")
