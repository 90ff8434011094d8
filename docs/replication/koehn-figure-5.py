"""Koehn (2004), Figure 5: the lines that make ours."""

from scipy import stats

from mtsig_nb.campaigns.printed import printed_table

table = printed_table("koehn2004", 2).set_index(["level_pct", "sample_size"])
z = float(table["t"]["95", "inf"])
print(f"shaded: {2 * stats.norm.cdf(z) - 1:.4f}")
