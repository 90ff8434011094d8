"""Graham et al. (2014), Figure 7: the lines that make ours."""

import mtsig_nb as mt

for name in ("es-en", "en-es"):
    decided = mt.load(f"wmt12/{name}").human.conclusions(alpha=0.05).pairs() != 0
    print(f"told apart, {name}: {decided.sum()} of {len(decided)}")
