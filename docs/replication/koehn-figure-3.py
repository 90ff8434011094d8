"""Koehn (2004), Figure 3: the lines that make ours."""

from tools.replication.computed.koehn_design import real

uedin = real().select(["uedin es"])  # 6,003 sentences: sample i has i, i + 20, i + 40 and so on
n = uedin.n_segments // 300
scores = [uedin.subset(range(i, 300 * n, n)).scores()["uedin es"] for i in range(n)]
print(f"lowest: {min(scores):.1f}")
print(f"highest: {max(scores):.1f}")
