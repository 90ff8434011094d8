"""Koehn (2004), Figure 2: the lines that make ours."""

from tools.replication.computed.koehn_design import blocks, real

test_sets = blocks(real().select(["uedin es"]), 300)  # consecutive sentences
scores = [block.scores()["uedin es"] for block in test_sets]
print(f"lowest: {min(scores):.1f}")
print(f"highest: {max(scores):.1f}")
