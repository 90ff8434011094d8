"""Koehn (2004), Figure 2: the lines that make ours."""

from tools.replication.computed.koehn_design import real, samples

blocks = samples(real().select(["uedin es"]), 300, blocks=True)  # consecutive sentences
scores = [block.scores()["uedin es"] for block in blocks]
print(f"lowest: {min(scores):.1f}")
print(f"highest: {max(scores):.1f}")
