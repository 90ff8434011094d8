"""Koehn (2004), Table 2: the lines that make ours."""

from scipy import stats

from mtsig_nb.campaigns.printed import printed_table

t = printed_table("koehn2004", 2)
for level in (95, 99):
    print(f"t, {level} %: {stats.t.ppf(0.5 + level / 200, 100 - 1):.4f}")
for name, less in (("n − 1", 1), ("n", 0)):
    degrees = t["sample_size"].astype(float) - less
    ours = stats.t.ppf(0.5 + t["level_pct"].astype(float) / 200, degrees)
    same = [f"{x:.4f}" == said for x, said in zip(ours, t["t"], strict=True)]
    print(f"cells with {name} degrees: {sum(same)} of {len(same)}")
